//! The file of a model: its header is checked before anything large is read or reserved, and then its weights are loaded.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::ops::ControlFlow;
use std::path::Path;

use seealso_gguf::{Header, ModelConfig, Reader, TensorSink};
use seealso_model::ops::flex::{FlexStore, memory_bytes};
use seealso_model::{Decoder, Error, LoadOptions, Loader, Progress};

/// Bytes of the file that are read at once.
const PIECE: usize = 1 << 20;

/// Reads the header of the file, and checks that the model can be run.
///
/// # Errors
///
/// What is wrong with the file, and what to do.
pub(crate) fn read_header(path: &Path) -> Result<(Header, ModelConfig), String> {
    let mut file = open(path)?;
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    let (mut reader, mut piece) = (Reader::new(), vec![0; PIECE]);
    while reader.header().is_none() {
        let count = file.read(&mut piece).map_err(|error| format!("reading it: {error}"))?;
        let fed = if count == 0 { break } else { reader.feed(&piece[..count], &mut DiscardedTensors) };
        fed.map_err(|error| describe_error(&Error::File(error)))?;
    }
    let header = match reader.header() {
        Some(header) => header.clone(),
        None => reader.finish(&mut DiscardedTensors).map_err(|error| describe_error(&Error::File(error)))?,
    };
    let sound = header.check_length(length).and_then(|()| ModelConfig::from_header(&header));
    sound.map(|config| (header, config)).map_err(|error| describe_error(&Error::File(error)))
}

fn open(path: &Path) -> Result<File, String> {
    if path.is_dir() {
        return Err("this is a folder; give the GGUF file in it".to_owned());
    }
    File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "there is no such file; give the path of a model in GGUF".to_owned(),
        _ => format!("opening it: {error}"),
    })
}

/// Discards weights, while only the header is read.
struct DiscardedTensors;

impl TensorSink for DiscardedTensors {
    type Error = seealso_gguf::Error;

    fn begin(&mut self, _: &Header) -> Result<(), Self::Error> {
        Ok(())
    }

    fn bytes(&mut self, _: usize, _: u64, _: &[u8]) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// An error of the model, in words for a file on this machine.
pub(crate) fn describe_error(error: &Error) -> String {
    match error {
        Error::File(seealso_gguf::Error::NotGguf { found }) => {
            format!("not a GGUF file (it begins with \"{found}\"); give a model in GGUF")
        }
        other => other.to_string(),
    }
}

/// The name that the model's header gives, or else the file's name.
pub(crate) fn model_name(path: &Path, config: &ModelConfig) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    config.name.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or(&file).to_owned()
}

/// The number of threads to run on: the one that is named, or as many as there are processors.
pub(crate) fn thread_count(named: Option<u16>) -> usize {
    named.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Checks that there is memory for the model and a cache of `context` positions.
///
/// # Errors
///
/// What it needs and what there is.
pub(crate) fn check_memory(header: &Header, config: &ModelConfig, context: usize) -> Result<(), String> {
    enough_memory(memory_bytes(header, config, context), available_bytes())
}

/// Bytes of memory that are free without swapping, where the system tells: on Linux, in `/proc/meminfo`.
fn available_bytes() -> Option<u64> {
    let report = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = report.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

fn enough_memory(needed: u64, available: Option<u64>) -> Result<(), String> {
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    match available {
        Some(available) if needed > available => Err(format!(
            "the model needs {} MB of memory, and {} MB are free; close other programs, or give a smaller model",
            megabytes(needed),
            megabytes(available)
        )),
        _ => Ok(()),
    }
}

/// Loads the weights into memory; none where `on_progress`, which is called after each piece, stopped it.
pub(crate) fn load_decoder(
    path: &Path,
    threads: usize,
    context: usize,
    on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Option<Decoder>, Error> {
    let mut loader = Loader::new(Box::new(FlexStore::native_threads(threads)), LoadOptions { context });
    if !loader.feed_all(File::open(path)?, on_progress)? {
        return Ok(None);
    }
    Ok(Some(loader.finish()?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_refused() {
        let check = |needed, available, expected: Result<(), &str>| {
            assert_eq!(enough_memory(needed, available), expected.map_err(str::to_owned));
        };
        check(1_000, Some(1_000), Ok(()));
        check(u64::MAX, None, Ok(()));
        check(
            2_000_000_001,
            Some(1_000_000_000),
            Err(
                "the model needs 2001 MB of memory, and 1000 MB are free; close other programs, or give a smaller model",
            ),
        );
    }
}
