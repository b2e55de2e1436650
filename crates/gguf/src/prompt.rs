//! A prompt in pieces, so that the names of special tokens count only where the program itself wrote them.

/// Whether the names of special tokens in a text are these tokens, or mere characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// They are tokens. Only for text that the program itself wrote, such as a chat template's frame.
    Parse,
    /// They are characters: no text becomes a control token. For all that people or pages wrote.
    Plain,
}

/// A piece of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Whether special tokens may be found in it.
    pub special: Special,
}

/// A prompt, in pieces that the program wrote and pieces that others wrote; for
/// [`encode_prompt`](crate::Tokenizer::encode_prompt).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
}

impl Prompt {
    /// The prompt as one text: to be shown, not to be encoded.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    /// Appends a piece of the frame.
    pub fn push_frame(&mut self, text: impl Into<String>) {
        self.push(text.into(), Special::Parse);
    }

    /// Appends text that others wrote.
    pub fn push_plain(&mut self, text: impl Into<String>) {
        self.push(text.into(), Special::Plain);
    }

    fn push(&mut self, text: String, special: Special) {
        if !text.is_empty() {
            self.pieces.push(Piece { text, special });
        }
    }
}
