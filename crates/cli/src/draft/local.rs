//! A model in this process drafts: its file is looked at, the prompt is fitted, the weights are loaded, and it writes.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use seealso_gguf::{Header, ModelConfig, Reader, TensorSink};
use seealso_model::ops::flex::{FlexHome, memory_bytes};
use seealso_model::sample::Sampling;
use seealso_model::{Error, Event, Finish, Language, LoadOptions, Loader, Model, Request, Session, SessionOptions};

use super::prompt::{Fitted, Room, fit};
use super::{Brief, Draft, End, Step, Unusable};

/// Bytes of the file that are read at once.
const PIECE: usize = 1 << 20;

/// Lets the model of `brief` draft, telling `watch` of each step.
///
/// # Errors
///
/// [`Unusable`], where the model can't be used.
pub(crate) async fn write(brief: &Brief<'_>, watch: &mut dyn FnMut(Step<'_>)) -> anyhow::Result<Draft> {
    let begun = Instant::now();
    let unusable = |error| Unusable::new(brief.file, said(&error));
    let (header, config) = look(brief.file).map_err(|error| Unusable::new(brief.file, error))?;
    let language = Language::from_header(&header).map_err(unusable)?;
    let fitted = fitted(brief, &language, &config)?;
    let mut draft = begin(brief, &config, &fitted);
    let context = fitted.tokens.len() + draft_tokens(brief);
    let threads = draft.threads;
    enough_memory(memory_bytes(&header, &config, context), available_bytes())
        .map_err(|reason| Unusable::new(brief.file, reason))?;
    let Some(session) = load(brief, threads, context, watch).map_err(unusable)? else { return Ok(draft) };
    draft.seconds[0] = begun.elapsed().as_secs_f64();
    watch(Step::Begins(&draft.model));
    let mut model = Model { language, session };
    generate(&mut model, brief, &fitted.tokens, &mut draft, watch).await.map_err(unusable)?;
    Ok(draft)
}

/// A draft without a word, as it is where it was stopped while the model was loaded.
fn begin(brief: &Brief<'_>, config: &ModelConfig, fitted: &Fitted) -> Draft {
    let file = brief.file.file_name().unwrap_or_default().to_string_lossy();
    let threads = brief.arguments.threads.map(usize::from);
    Draft {
        model: config.name.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or(&file).to_owned(),
        text: String::new(),
        end: End::Stopped,
        tokens: 0,
        prompt_tokens: fitted.tokens.len(),
        sources: fitted.sources.parts.iter().map(|part| (part.number, part.whole)).collect(),
        threads: threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        seconds: [0.0; 3],
    }
}

fn draft_tokens(brief: &Brief<'_>) -> usize {
    brief.arguments.tokens as usize
}

/// The prompt that the model has room for.
fn fitted(brief: &Brief<'_>, language: &Language, config: &ModelConfig) -> Result<Fitted, Unusable> {
    let room = Room { chars: brief.tier.retrieval_chars(), context: config.context, draft: draft_tokens(brief) };
    let fitted = fit(language, brief.question, brief.manifest, &room);
    fitted.map_err(|error| Unusable::new(brief.file, said(&error)))?.ok_or_else(|| {
        let reason = format!(
            "the model's context of {} tokens has no room for the question, the beginning of one page and a draft of \
             {} tokens; give a smaller number of --tokens, or a model with a longer context",
            room.context, room.draft
        );
        Unusable::new(brief.file, reason)
    })
}

/// Reads the file's header and checks that the model can be run, before anything large is read or reserved.
fn look(path: &Path) -> Result<(Header, ModelConfig), String> {
    let mut file = open(path)?;
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    let (mut reader, mut piece) = (Reader::new(), vec![0; PIECE]);
    while reader.header().is_none() {
        let count = file.read(&mut piece).map_err(|error| format!("reading it: {error}"))?;
        let fed = if count == 0 { break } else { reader.feed(&piece[..count], &mut Nowhere) };
        fed.map_err(|error| said(&Error::File(error)))?;
    }
    let header = match reader.header() {
        Some(header) => header.clone(),
        None => reader.finish(&mut Nowhere).map_err(|error| said(&Error::File(error)))?,
    };
    let sound = header.check_length(length).and_then(|()| ModelConfig::from_header(&header));
    sound.map(|config| (header, config)).map_err(|error| said(&Error::File(error)))
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

/// What becomes of weights while only the header is looked at.
struct Nowhere;

impl TensorSink for Nowhere {
    type Error = seealso_gguf::Error;

    fn begin(&mut self, _: &Header) -> Result<(), Self::Error> {
        Ok(())
    }

    fn bytes(&mut self, _: usize, _: u64, _: &[u8]) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// An error of the model in words that fit a file on this machine.
fn said(error: &Error) -> String {
    match error {
        Error::File(seealso_gguf::Error::NotGguf { found }) => {
            format!("not a GGUF file (it begins with \"{found}\"); give a model in GGUF")
        }
        other => other.to_string(),
    }
}

/// Bytes of memory that can be had without swapping, where the system tells: Linux, in `/proc/meminfo`.
fn available_bytes() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
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

/// The model with its weights in memory; none where it was stopped.
fn load(
    brief: &Brief<'_>,
    threads: usize,
    context: usize,
    watch: &mut dyn FnMut(Step<'_>),
) -> Result<Option<Session<seealso_model::Decoder>>, Error> {
    let home = Box::new(FlexHome::native_threads(threads));
    let mut loader = Loader::new(home, LoadOptions { context });
    let whole = loader.feed_all(File::open(brief.file)?, &mut |progress| {
        watch(Step::Loading(progress.done, progress.total));
        if brief.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if !whole {
        return Ok(None);
    }
    let (_, decoder) = loader.finish()?;
    Ok(Some(Session::new(decoder, SessionOptions::default())))
}

/// Lets the model write, and notes in `draft` what came.
async fn generate(
    model: &mut Model,
    brief: &Brief<'_>,
    prompt: &[u32],
    draft: &mut Draft,
    watch: &mut dyn FnMut(Step<'_>),
) -> Result<(), Error> {
    let arguments = brief.arguments;
    let sampling = Sampling { temperature: arguments.temperature, seed: arguments.seed, ..Sampling::default() };
    let request = Request { prompt, max_tokens: draft_tokens(brief), sampling, ..Request::default() };
    let begun = Instant::now();
    let mut read = 0.0;
    let mut each = async |event: Event<'_>| {
        match event {
            Event::Prefilled(step) => {
                read = begun.elapsed().as_secs_f64();
                watch(Step::Reading(step.done, step.total));
            }
            Event::Text(text) => watch(Step::Text(text)),
        }
        if brief.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let generated = model.generate(&request, &mut each).await?;
    (draft.seconds[1], draft.seconds[2]) = (read, begun.elapsed().as_secs_f64() - read);
    (draft.text, draft.tokens) = (generated.text, generated.tokens.len());
    draft.end = match generated.finish {
        Finish::Stopped => End::Stopped,
        Finish::MaxTokens | Finish::ContextFull => End::Tokens,
        Finish::Ended | Finish::StopString => End::Done,
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_told_before_loading() {
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
