//! Opening this machine's GPU.

use std::sync::{Mutex, PoisonError};

use burn::backend::DispatchDevice;
use burn::tensor::Device;
use burn_cubecl::CubeDevice;
use burn_cubecl::cubecl::profile::TimingMethod;

/// The device as CubeCL knows it.
pub(super) fn cube_device(device: &Device) -> Result<CubeDevice, String> {
    match device.as_dispatch() {
        DispatchDevice::Cube(device) => Ok(device.clone()),
        _ => Err("the device is no GPU; choose another".to_owned()),
    }
}

/// The GPU that was opened, since one can't be opened twice.
static OPENED: Mutex<Option<Device>> = Mutex::new(None);

/// The GPU, if it was opened.
#[must_use]
pub fn opened() -> Option<Device> {
    OPENED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Opens this machine's GPU, or gives it again.
///
/// # Errors
///
/// Where there is none that can be used; the text says why.
pub async fn open() -> Result<Device, String> {
    if let Some(device) = opened() {
        return Ok(device);
    }
    let device = Device::wgpu_options().init_async().await.map_err(|error| error.to_string())?;
    let timing = cube_device(&device)?.client().properties().timing_method;
    // In a browser burn would stop the whole program at the first operation.
    if cfg!(target_family = "wasm") && timing == TimingMethod::System {
        return Err("the GPU has no `timestamp-query`, which burn needs in a browser".to_owned());
    }
    *OPENED.lock().unwrap_or_else(PoisonError::into_inner) = Some(device.clone());
    Ok(device)
}
