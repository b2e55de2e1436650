//! Where weights are placed: with the kernels of a CPU, or on the GPU.

use seealso_boundary::coded;
use seealso_model::ops::WeightStore;
use seealso_model::ops::flex::FlexStore;
use seealso_model::ops::gpu::{self, GpuStore};
use wasm_bindgen::prelude::*;

use super::kernels::{Kernels, SideModule};

/// Opens the GPU; once is enough.
///
/// # Errors
///
/// Where there is none that can be used.
#[wasm_bindgen(js_name = openGpu)]
#[allow(unreachable_pub, reason = "wasm_bindgen exports public functions alone")]
pub async fn open_gpu() -> Result<(), JsValue> {
    gpu::open().await.map(|_| ()).map_err(|cause| coded("no-gpu", &cause))
}

/// What weights are given to: `kernels`, or without any the GPU.
pub(super) fn store(kernels: Option<Kernels>) -> Result<Box<dyn WeightStore>, JsValue> {
    match kernels {
        Some(kernels) => Ok(Box::new(FlexStore::new(Box::new(SideModule::new(kernels))))),
        None => {
            let device = gpu::opened().ok_or_else(|| coded("bad-call", "the GPU was not opened"))?;
            Ok(Box::new(GpuStore::new(device).map_err(|cause| coded("no-gpu", &cause))?))
        }
    }
}
