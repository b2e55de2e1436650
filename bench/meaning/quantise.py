"""Makes of an ONNX file with weights of a byte one whose activations are bytes too, as models for transformers.js usually are.

    python3 quantise.py model.onnx dynamic.onnx

It takes the packages onnxruntime and onnx. Weights become floats first, by folding what unpacks them, and are quantised again.
"""

import sys
import tempfile
from pathlib import Path

import onnxruntime
from onnxruntime.quantization import QuantType, quantize_dynamic


def unpack(source: Path, floats: Path) -> None:
    """Writes the model with all that depends on no input computed."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(floats)
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])


def main(source: str, target: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        floats = Path(folder) / "floats.onnx"
        unpack(Path(source), floats)
        # A scale for each column, and seven bits, as such models are published: products of eight bits overflow on some processors.
        quantize_dynamic(floats, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
