//! The encoder as a site publishes it for browsers: its configuration and its tokenizer as they are, and its matrices in a byte a
//! number, which is a fourth of the bytes. Each row of a matrix has a scale of its own, as vectors have.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context as _, ensure};
use seealso_model::encoder::safetensors::{Reader, Sink, TensorInfo};
use seealso_model::encoder::{BertConfig, SCALE, weight_shapes};
use seealso_pack::{EncoderFileEnding, FileRef, StageWriter};
use seealso_vectors::{Int8Ref, quantise};
use serde_json::{Map, Value, json};

use crate::encoder::EncoderFiles;

/// Bytes of the weights that are read at once.
const PIECE: usize = 1 << 20;
/// The data of a file begins at a multiple of so many bytes.
const ALIGNMENT: usize = 8;

/// Writes the files of an encoder for browsers beside a stage; their order is that in which they are read.
///
/// # Errors
/// A file that can't be read or written, or is no encoder.
pub(crate) fn put_encoder(stage: &mut StageWriter, files: &EncoderFiles) -> anyhow::Result<Vec<FileRef>> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("reading {}", path.display()));
    let (config, tokenizer) = (read(&files.config)?, read(&files.tokenizer)?);
    let weights = || format!("reading {}", files.weights.display());
    let stream = File::open(&files.weights).with_context(weights)?;
    let small = in_bytes(&config, BufReader::new(stream)).with_context(weights)?;
    let mut put = |bytes: &[u8], ending| Ok(stage.put_encoder_file(bytes, ending)?);
    [
        put(&config, EncoderFileEnding::Json),
        put(&tokenizer, EncoderFileEnding::Json),
        put(&small, EncoderFileEnding::Safetensors),
    ]
    .into_iter()
    .collect()
}

/// The weights of the encoder that `config` describes as a safetensors file whose matrices are whole numbers; what the encoder
/// does not use is left out.
fn in_bytes(config: &[u8], mut weights: impl Read) -> anyhow::Result<Vec<u8>> {
    let config = BertConfig::from_json(config)?;
    let wanted: Vec<String> = weight_shapes(&config).map(|(name, _)| name).collect();
    let (mut reader, mut sink, mut piece) = (Reader::new(), Weights { wanted, tensors: Vec::new() }, vec![0; PIECE]);
    loop {
        match weights.read(&mut piece)? {
            0 => break,
            count => reader.feed(&piece[..count], &mut sink)?,
        }
    }
    reader.finish()?;
    to_file(&apply_scales(sink.tensors))
}

/// The tensors as their numbers are meant: a file that was published for browsers before has a tensor of scales for each matrix,
/// one a row.
fn apply_scales(tensors: Vec<(TensorInfo, Vec<f32>)>) -> Vec<(TensorInfo, Vec<f32>)> {
    let (scales, mut tensors): (Vec<_>, Vec<_>) = tensors.into_iter().partition(|(info, _)| info.name.ends_with(SCALE));
    for (info, values) in &mut tensors {
        let own = scales.iter().find(|(scale, _)| scale.name.strip_suffix(SCALE) == Some(info.name.as_str()));
        let Some((_, scales)) = own.filter(|(_, scales)| !scales.is_empty()) else { continue };
        let columns = (values.len() / scales.len()).max(1);
        for (row, scale) in values.chunks_mut(columns).zip(scales) {
            row.iter_mut().for_each(|number| *number *= scale);
        }
    }
    tensors
}

/// The tensors that are kept, with their elements.
struct Weights {
    wanted: Vec<String>,
    tensors: Vec<(TensorInfo, Vec<f32>)>,
}

impl Sink for Weights {
    fn begin(&mut self, _: &[TensorInfo]) -> Result<(), seealso_model::Error> {
        Ok(())
    }

    fn wants(&mut self, tensor: &TensorInfo) -> bool {
        let name = tensor.name.strip_prefix("bert.").unwrap_or(&tensor.name);
        let name = name.strip_suffix(SCALE).unwrap_or(name);
        self.wanted.iter().any(|wanted| wanted == name)
    }

    fn tensor(&mut self, tensor: &TensorInfo, values: Vec<f32>) -> Result<(), seealso_model::Error> {
        self.tensors.push((tensor.clone(), values));
        Ok(())
    }
}

/// A safetensors file of these tensors: first what stays in single precision, with the scales, then the whole numbers.
fn to_file(tensors: &[(TensorInfo, Vec<f32>)]) -> anyhow::Result<Vec<u8>> {
    let (mut header, mut data, mut matrices) = (Map::new(), Vec::new(), Vec::new());
    let mut put = |name: String, dtype: &str, shape: &[usize], bytes: &[u8]| {
        let offsets = [data.len(), data.len() + bytes.len()];
        header.insert(name, json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets }));
        data.extend_from_slice(bytes);
    };
    let floats = |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
    for (info, values) in tensors {
        match info.shape[..] {
            [rows, columns] if columns > 0 => {
                let (scales, whole) =
                    quantise_rows(values, columns).with_context(|| format!("the tensor `{}`", info.name))?;
                put(format!("{}{SCALE}", info.name), "F32", &[rows], &floats(&scales));
                matrices.push((info, whole));
            }
            _ => put(info.name.clone(), "F32", &info.shape, &floats(values)),
        }
    }
    for (info, whole) in matrices {
        let bytes: Vec<u8> = whole.into_iter().map(i8::cast_unsigned).collect();
        put(info.name.clone(), "I8", &info.shape, &bytes);
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(ALIGNMENT), b' ');
    Ok([&(header.len() as u64).to_le_bytes(), header.as_slice(), data.as_slice()].concat())
}

/// The scales and the whole numbers of the rows of a matrix. A row of zeros has the scale 0.
fn quantise_rows(values: &[f32], columns: usize) -> anyhow::Result<(Vec<f32>, Vec<i8>)> {
    let (mut scales, mut whole) = (Vec::new(), Vec::with_capacity(values.len()));
    for row in values.chunks(columns) {
        ensure!(row.iter().all(|number| number.is_finite()), "it has numbers that are not finite");
        // Rows of zeros have no direction; padding has such embeddings.
        let quantised = quantise(row).ok();
        let row_of_zeros = vec![0; columns];
        let Int8Ref { scale, values } =
            quantised.as_ref().map_or(Int8Ref { scale: 0.0, values: &row_of_zeros }, |vector| vector.view());
        scales.push(scale);
        whole.extend_from_slice(values);
    }
    Ok((scales, whole))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use seealso_model::Embedder as _;
    use seealso_model::encoder::{BertEmbedder, EmbedderLoader, EmbedderOptions};
    use seealso_test_support::{or_skip, real_file};

    use super::*;
    use crate::source::block_on;

    #[test]
    fn each_row_has_its_scale_and_zeros_stay_zeros() {
        let (scales, whole) = quantise_rows(&[1.27, -0.64, 0.0, 0.0, 254.0, -2.0], 2).unwrap();
        assert_eq!((scales, whole), (vec![0.01, 0.0, 2.0], vec![127, -64, 0, 0, 127, -1]));
        let error = quantise_rows(&[f32::NAN, 1.0], 2).unwrap_err().to_string();
        assert_eq!(error, "it has numbers that are not finite");
    }

    /// Some hundred sentences of the demo packs' pages.
    fn sentences_of_pages() -> Vec<String> {
        let packs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs-static");
        let mut sentences = Vec::new();
        let mut folders = vec![packs];
        while let Some(folder) = folders.pop() {
            let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            paths.sort();
            for path in paths {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "md") {
                    let text = fs::read_to_string(path).unwrap();
                    let long = text.lines().filter(|line| line.len() > 60 && line.starts_with(char::is_alphabetic));
                    sentences.extend(long.take(3).map(str::to_owned));
                }
            }
        }
        sentences.truncate(400);
        sentences
    }

    fn embedder(config: &[u8], tokenizer: &[u8], weights: &[u8]) -> BertEmbedder {
        let mut loader = EmbedderLoader::on_cpu(EmbedderOptions::new("mini"));
        for file in [config, tokenizer, weights] {
            loader.feed(file).unwrap();
            loader.end_file().unwrap();
        }
        loader.finish().unwrap()
    }

    #[test]
    fn bytes_give_nearly_the_vectors_of_single_precision() {
        let config = fs::read(or_skip!(real_file("minilm/config.json"))).unwrap();
        let tokenizer = fs::read(or_skip!(real_file("minilm/tokenizer.json"))).unwrap();
        let weights = fs::read(or_skip!(real_file("minilm/model.safetensors"))).unwrap();
        let small = in_bytes(&config, weights.as_slice()).unwrap();
        assert!(small.len() * 39 < weights.len() * 10, "{} bytes of {}", small.len(), weights.len());
        let sentences = sentences_of_pages();
        let texts: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let vectors = |weights: &[u8]| block_on(embedder(&config, &tokenizer, weights).embed(&texts)).unwrap().unwrap();
        let cosine = |(one, other): (&Vec<f32>, &Vec<f32>)| one.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
        let cosines: Vec<f32> = vectors(&weights).iter().zip(&vectors(&small)).map(cosine).collect();
        let least = cosines.iter().copied().fold(1.0, f32::min);
        let mean = cosines.iter().sum::<f32>() / cosines.len() as f32;
        println!("{} sentences: cosine {least:.5} at least, {mean:.5} on average", cosines.len());
        assert!(cosines.len() > 200 && least > 0.998 && mean > 0.999, "{least} at least, {mean} on average");
    }

    fn tensor(name: &str, shape: &[usize]) -> TensorInfo {
        let dtype = seealso_model::encoder::safetensors::Dtype::F32;
        TensorInfo { name: name.into(), dtype, shape: shape.to_vec(), bytes: 0 }
    }

    #[test]
    fn an_encoder_that_is_published_again_keeps_its_numbers() {
        let published = vec![
            (tensor("m.scale", &[2]), vec![0.5, 2.0]),
            (tensor("v", &[1]), vec![0.5]),
            (tensor("m", &[2, 2]), vec![127.0, -1.0, 3.0, 0.0]),
        ];
        let meant = apply_scales(published);
        let expected = [(tensor("v", &[1]), vec![0.5]), (tensor("m", &[2, 2]), vec![63.5, -0.5, 6.0, 0.0])];
        assert_eq!(meant, expected);
    }

    #[test]
    fn matrices_are_written_in_bytes_and_the_rest_as_it_is() {
        let file = to_file(&[(tensor("m", &[1, 2]), vec![127.0, -1.0]), (tensor("v", &[1]), vec![0.5])]).unwrap();
        let end = 8 + u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
        let header: Value = serde_json::from_slice(&file[8..end]).unwrap();
        assert_eq!(
            header,
            json!({
                "m.scale": { "dtype": "F32", "shape": [1], "data_offsets": [0, 4] },
                "v": { "dtype": "F32", "shape": [1], "data_offsets": [4, 8] },
                "m": { "dtype": "I8", "shape": [1, 2], "data_offsets": [8, 10] },
            })
        );
        assert_eq!(end % ALIGNMENT, 0);
        let expected = [&1.0f32.to_le_bytes()[..], &0.5f32.to_le_bytes(), &[127, 0xff]].concat();
        assert_eq!(file[end..], expected);
    }
}
