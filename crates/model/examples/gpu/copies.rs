//! The memory's speed, to measure all else by: copies of a large buffer, by the copy command and by a kernel, and reads.

use std::time::Instant;

use burn::tensor::wgpu::WgpuSetup;
use burn::tensor::wgpu::wgpu::{self, util::DeviceExt as _};
use serde_json::{Value, json};

use crate::Options;

const KERNEL: &str = "
@group(0) @binding(0) var<storage, read_write> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> target_: array<vec4<u32>>;
@compute @workgroup_size(256)
fn copy(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>) {
  let all = arrayLength(&source);
  for (var i = id.x; i < all; i += count.x * 256u) { target_[i] = source[i]; }
}
@compute @workgroup_size(256)
fn read(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>) {
  let all = arrayLength(&source);
  var sum = vec4<u32>(0u);
  for (var i = id.x; i < all; i += count.x * 256u) { sum += source[i]; }
  if (sum.x + sum.y + sum.z + sum.w == 0x12345678u) { target_[id.x] = sum; }
}
";

/// Bytes a second of each way, in gigabytes: what is read and what is written both count.
pub(crate) fn measure(setup: &WgpuSetup, options: &Options) -> Result<Value, String> {
    let limits = setup.device.limits();
    let most = (limits.max_storage_buffer_binding_size as u64).min(limits.max_buffer_size);
    let bytes = if options.tiny { 8 << 20 } else { most.min(1 << 30) / 16 * 16 };
    let times = if options.tiny { 2 } else { 20 };
    let device = &setup.device;
    // Random enough that no memory makes it smaller.
    let words: Vec<u8> = (0..bytes / 4).flat_map(|i| (i as u32).wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let source = device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents: &words, usage });
    let target =
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size: bytes, usage, mapped_at_creation: false });
    let copied = best(setup, |encoder| {
        for _ in 0..times {
            encoder.copy_buffer_to_buffer(&source, 0, &target, 0, bytes);
        }
    })?;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(KERNEL.into()),
    });
    let mut rates = vec![2.0 * bytes as f64 * f64::from(times) / copied / 1e9];
    for (entry, moved) in [("copy", 2.0), ("read", 1.0)] {
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let entries = [&source, &target].into_iter().enumerate();
        let entries: Vec<_> = entries
            .map(|(at, buffer)| wgpu::BindGroupEntry { binding: at as u32, resource: buffer.as_entire_binding() })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let workgroups = (bytes / 16 / 256).min(16_384) as u32;
        let seconds = best(setup, |encoder| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            for _ in 0..times {
                pass.dispatch_workgroups(workgroups, 1, 1);
            }
        })?;
        rates.push(moved * bytes as f64 * f64::from(times) / seconds / 1e9);
    }
    Ok(json!({ "bytes": bytes, "command_gb_s": rates[0], "kernel_gb_s": rates[1], "read_gb_s": rates[2] }))
}

/// The seconds of the fastest of a few tries.
fn best(setup: &WgpuSetup, record: impl Fn(&mut wgpu::CommandEncoder)) -> Result<f64, String> {
    let mut best = f64::INFINITY;
    for _ in 0..4 {
        let mut encoder = setup.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        record(&mut encoder);
        let start = Instant::now();
        setup.queue.submit([encoder.finish()]);
        setup.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| error.to_string())?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}
