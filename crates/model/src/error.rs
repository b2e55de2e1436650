//! What can keep a model from being loaded or from answering: each error says what failed, where, and what to do.

use std::fmt;

/// A model could not be loaded, or could not go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file is no model that can be run here.
    File(seealso_gguf::Error),
    /// The file could not be read to its end.
    Read(std::io::Error),
    /// A tensor could not be placed on the device.
    Tensor {
        /// The tensor's name in the file.
        name: String,
        /// What the device said.
        cause: String,
    },
    /// The device has not enough memory.
    NoMemory {
        /// What it is wanted for.
        doing: &'static str,
        /// What the device said.
        cause: String,
    },
    /// The device failed.
    Device {
        /// What was being done.
        doing: &'static str,
        /// What the device said.
        cause: String,
    },
    /// The device gives wrong results.
    WrongResults {
        /// What of it.
        what: String,
        /// How far from right, relative to the results' size.
        off: f64,
    },
    /// There are more tokens than the context has positions.
    TooLong {
        /// Positions needed.
        needed: usize,
        /// Positions there are.
        context: usize,
    },
    /// A prompt without a token: there is nothing to continue.
    EmptyPrompt,
    /// A token that the vocabulary does not have.
    UnknownToken {
        /// The id.
        token: u32,
        /// How many the vocabulary has.
        vocabulary: usize,
    },
    /// No token may follow, and the answer may not end either.
    NothingAllowed {
        /// What was said so far.
        so_far: String,
    },
    /// The network gave no number for any token.
    NoNumbers,
    /// A layer that the model does not have.
    NoLayer {
        /// So many were to be run.
        asked: usize,
        /// So many there are.
        have: usize,
    },
    /// A probe learnt for another model.
    OtherWidth {
        /// Behind so many layers it reads.
        read: usize,
        /// Its weights.
        weights: usize,
        /// Numbers behind each layer of the model.
        width: usize,
    },
    /// Adapters learnt for another model.
    OtherAdapters {
        /// Before so many layers they stand.
        layers: usize,
        /// Their numbers.
        numbers: usize,
        /// Numbers behind each layer of the model.
        width: usize,
    },
    /// A snapshot of a cache that is not there, or is shorter.
    NoSnapshot,
}

impl Error {
    /// The code by which a program tells this kind of error from others.
    pub fn code(&self) -> &'static str {
        match self {
            Error::File(_) | Error::Read(_) | Error::Tensor { .. } => "bad-model",
            Error::NoMemory { .. } => "no-memory",
            Error::Device { .. } | Error::NoNumbers => "device-failed",
            Error::WrongResults { .. } => "wrong-results",
            Error::TooLong { .. } => "prompt-too-long",
            Error::EmptyPrompt
            | Error::UnknownToken { .. }
            | Error::NoLayer { .. }
            | Error::OtherWidth { .. }
            | Error::OtherAdapters { .. } => "bad-call",
            Error::NothingAllowed { .. } => "no-way-on",
            Error::NoSnapshot => "internal",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(cause) => write!(f, "{cause}"),
            Error::Read(cause) => write!(f, "reading the model: {cause}. Check the file, or download it again."),
            Error::Tensor { name, cause } => write!(f, "loading tensor `{name}`: {cause}"),
            Error::NoMemory { doing, cause } => write!(f, "{doing}: {cause}"),
            Error::Device { doing, cause } => {
                write!(f, "{doing}: {cause}. Load the model again, or use another device.")
            }
            Error::WrongResults { what, off } => {
                write!(f, "this device computes wrongly: {what} is off by {off:.4}. Use another device.")
            }
            Error::TooLong { needed, context } => {
                write!(f, "{needed} tokens don't fit a context of {context}. Shorten the prompt, or load with more.")
            }
            Error::EmptyPrompt => {
                f.write_str("the prompt has no token. Give at least one, such as the one for a text's beginning.")
            }
            Error::UnknownToken { token, vocabulary } => {
                write!(f, "token {token} is not below {vocabulary}. Encode the text with this model's tokenizer.")
            }
            Error::NothingAllowed { so_far } => {
                write!(f, "no token of the vocabulary may follow {so_far:?}. Loosen the mask.")
            }
            Error::NoNumbers => {
                f.write_str("the model's numbers are none: its file is broken, or the device fails. Download it again.")
            }
            Error::NoLayer { asked, have } => {
                write!(
                    f,
                    "the model has {have} layers; {asked} of them can't be run. Use a record made for this model."
                )
            }
            Error::OtherWidth { read, weights, width } => write!(
                f,
                "a probe of {weights} weights for {read} layers is not for a model of {width} numbers a layer. Use one \
                 that was made for this model."
            ),
            Error::OtherAdapters { layers, numbers, width } => write!(
                f,
                "adapters of {numbers} numbers before {layers} layers are not for a model of {width} numbers a layer. Use a \
                 record made for this model."
            ),
            Error::NoSnapshot => f.write_str("the kept beginning of a prompt is gone. Prefill it again."),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File(cause) => Some(cause),
            Error::Read(cause) => Some(cause),
            _ => None,
        }
    }
}

impl From<seealso_gguf::Error> for Error {
    fn from(cause: seealso_gguf::Error) -> Self {
        Error::File(cause)
    }
}

impl From<std::io::Error> for Error {
    fn from(cause: std::io::Error) -> Self {
        Error::Read(cause)
    }
}
