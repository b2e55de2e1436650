//! What a GPU's work costs: its time by the GPU's own clock, and what starting a kernel and reading back cost here.
//! For benchmarks; nothing of it runs unless asked for.

use burn::tensor::Device;
use burn_cubecl::cubecl::bytes::Bytes;
use burn_cubecl::cubecl::profile::TimingMethod;

use super::device::cube_device;
use super::launch::Launch;
use super::program::Program;

/// Does `work`, and gives the seconds from the beginning of its first kernel to the end of its last, where the GPU told.
///
/// # Errors
///
/// A device that is no GPU.
pub async fn device_time<T>(device: &Device, work: impl Future<Output = T>) -> Result<(T, Option<f64>), String> {
    let client = cube_device(device)?.client();
    let window = client.profile_start().map_err(|error| error.to_string())?;
    let outcome = work.await;
    let time = client.profile_end(window).map_err(|error| error.to_string())?;
    Ok((outcome, time.resolve().await.map(|ticks| ticks.duration().as_secs_f64())))
}

/// Whether the GPU has a clock of its own that can be read.
///
/// # Errors
///
/// A device that is no GPU.
pub fn has_clock(device: &Device) -> Result<bool, String> {
    Ok(cube_device(device)?.client().properties().timing_method == TimingMethod::Device)
}

/// Waits until the GPU has done all that it was told.
///
/// # Errors
///
/// A device that is no GPU, or that failed.
pub async fn wait(device: &Device) -> Result<(), String> {
    cube_device(device)?.client().sync().await.map_err(|error| error.to_string())
}

/// Starts a kernel that does next to nothing `count` times, each of which waits for the one before. It is not waited for.
///
/// # Errors
///
/// A device that is no GPU.
pub fn start_idle_kernels(device: &Device, count: usize) -> Result<(), String> {
    let client = cube_device(device)?.client();
    let [source, out] = [0, 1].map(|_| client.create(Bytes::from_bytes_vec(vec![0; 256])));
    for _ in 0..count {
        let launch = Launch::new(Program::CopyCache).reads(source.clone()).writes(out.clone());
        launch.start(&client, (1, 1, 1), &[[64, 64, 64, 0]]);
    }
    Ok(())
}

/// Reads so many bytes back `count` times, one after the other.
///
/// # Errors
///
/// A device that is no GPU, or that failed.
pub async fn read_back(device: &Device, bytes: usize, count: usize) -> Result<(), String> {
    let client = cube_device(device)?.client();
    let buffer = client.create(Bytes::from_bytes_vec(vec![1; bytes]));
    for _ in 0..count {
        client.read_async(vec![buffer.clone()]).await.map_err(|error| error.to_string())?;
    }
    Ok(())
}
