//! The prompt in the model's tokens: as many sources as the tier's budget and the model's context have room for.

use seealso::{Manifest, Sources, draft_prompt, lay_out};
use seealso_gguf::Message;
use seealso_model::{Error, Language};

/// A prompt that fits.
pub(super) struct Fitted {
    pub(super) tokens: Vec<u32>,
    pub(super) sources: Sources,
}

/// What has room for what, in tokens but for `chars`.
pub(super) struct Room {
    /// The most characters of the sources.
    pub(super) chars: usize,
    /// The model's context.
    pub(super) context: usize,
    /// What is kept free for the draft.
    pub(super) draft: usize,
}

/// The prompt with the most sources that fit; none where not even the beginning of one does.
pub(super) fn fit(
    language: &Language,
    question: &str,
    manifest: &Manifest,
    room: &Room,
) -> Result<Option<Fitted>, Error> {
    let most = room.context.saturating_sub(room.draft);
    let mut chars = room.chars;
    loop {
        let sources = lay_out(manifest, chars);
        if sources.parts.is_empty() {
            return Ok(None);
        }
        let prompt = draft_prompt(question, &sources);
        let tokens = language.prompt(&[Message::system(&prompt.system), Message::user(&prompt.user)])?;
        if tokens.len() <= most {
            return Ok(Some(Fitted { tokens, sources }));
        }
        // What is not sources stays as long as it is, so this errs towards too much; a tenth less is always a step.
        let laid_out = sources.text.chars().count();
        chars = (laid_out * most / tokens.len()).min(laid_out * 9 / 10);
    }
}
