//! Rendering a file's Jinja template, with marks in the messages' place.
//!
//! A template is a program from a stranger. It runs in `minijinja`, which reaches no files and no clock, and here has
//! bounds on its length, its steps, its depth, what it writes, and what it holds meanwhile ([`budget`](super::budget)).

use std::io::{self, Write};

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, Value, context};

use super::budget::Budget;
use super::guard::guard;
use super::{Message, Prompt};

/// Templates of real models have 300 to 8,000 bytes.
const MAX_SOURCE_BYTES: usize = 64 << 10;

/// Steps of the engine; the templates of real models take some hundred for each message.
const FUEL: u64 = 200_000;

/// Texts of the source that all steps together may write, in bytes; a step writes one.
const MAX_WRITTEN: u64 = 64 << 20;

/// Frames are short; messages are not in what the template writes.
const MAX_OUTPUT_BYTES: usize = 1 << 20;

/// Nested calls and loops.
const MAX_DEPTH: usize = 100;

/// Private characters that frame a message's number: no template has use for them.
const MARK: (char, char) = ('\u{f0000}', '\u{f0001}');

/// The prompt, or why there is none.
pub(super) fn render(
    source: &str,
    messages: &[Message],
    answer: bool,
    beginning: &str,
    end: &str,
) -> Result<Prompt, String> {
    if source.len() > MAX_SOURCE_BYTES {
        return Err(format!("it has {} bytes", source.len()));
    }
    let values: Vec<Value> = messages.iter().enumerate().map(|(number, message)| stand_in(number, message)).collect();
    let context = context! {
        messages => values,
        add_generation_prompt => answer,
        bos_token => beginning,
        eos_token => end,
        tools => (),
        documents => (),
        enable_thinking => false,
    };
    let mut output = BoundedText(Vec::new());
    let guarded = guard(source, syntax())?;
    let environment = environment(FUEL.min(MAX_WRITTEN / guarded.longest.max(1) as u64));
    let template = environment.template_from_str(&guarded.source).map_err(|error| error.to_string())?;
    template.render_captured_to(context, &mut output).map_err(|error| error.to_string())?;
    let text = String::from_utf8(output.0).map_err(|error| error.to_string())?;
    fill(&text, messages)
}

/// As the models' authors' own tools set it.
fn syntax() -> SyntaxConfig {
    SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().expect("the usual delimiters")
}

fn environment(fuel: u64) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_syntax(syntax());
    environment.set_fuel(Some(fuel));
    environment.set_recursion_limit(MAX_DEPTH);
    environment.add_function("raise_exception", |reason: String| -> Result<Value, minijinja::Error> {
        Err(minijinja::Error::new(ErrorKind::InvalidOperation, reason))
    });
    Budget::new().govern(&mut environment);
    environment
}

/// A message whose content is a mark with its number. The content's own spaces at either end stand around it, so
/// that a template that strips them does.
fn stand_in(number: usize, message: &Message) -> Value {
    let content = message.content.as_str();
    let (before, after) = spaces_around(content);
    let content = match content.is_empty() {
        true => String::new(),
        false => format!("{before}{}{number}{}{after}", MARK.0, MARK.1),
    };
    context! { role => message.speaker.name(), content => content }
}

/// The spaces before and after what is not space; all of them before where there is nothing else.
fn spaces_around(content: &str) -> (&str, &str) {
    let before = content.len() - content.trim_start().len();
    let after = content.trim_end().len().max(before);
    (&content[..before], &content[after..])
}

/// Puts messages where their marks are.
fn fill(text: &str, messages: &[Message]) -> Result<Prompt, String> {
    let mut prompt = Prompt::default();
    let mut last = None;
    let mut parts = text.split(MARK.0);
    prompt.push_frame(parts.next().unwrap_or_default());
    for part in parts {
        let (number, after) = part.split_once(MARK.1).ok_or("it takes messages apart")?;
        let number: usize = number.parse().map_err(|_| "it takes messages apart")?;
        let message = messages.get(number).ok_or("it takes messages apart")?;
        prompt.push_plain(message.content.trim());
        prompt.push_frame(after);
        last = last.max(Some(number));
    }
    let wanted = messages.iter().rposition(|message| !message.content.is_empty());
    if last < wanted {
        return Err("it leaves the last message out".into());
    }
    Ok(prompt)
}

/// What the template writes, up to a bound.
struct BoundedText(Vec<u8>);

impl Write for BoundedText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_OUTPUT_BYTES {
            return Err(io::Error::other("it writes too much"));
        }
        self.0.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
