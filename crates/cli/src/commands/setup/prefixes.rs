//! What writes the prefixes of chunks.

use std::ffi::OsString;

use seealso_chunks::PrefixSource;

/// The source of prefixes, given the names of the environment's variables. A key of a paid service in the environment is
/// no consent to send pages there, so neither it nor anything else there changes the source.
pub(super) fn pick(_no_llm: bool, _environment: impl Iterator<Item = OsString>) -> PrefixSource {
    PrefixSource::Synthetic
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_environment_makes_a_model_write_prefixes() {
        for names in [&[][..], &["ANTHROPIC_API_KEY"], &["OPENAI_API_KEY", "OLLAMA_HOST", "PATH"]] {
            for no_llm in [false, true] {
                assert_eq!(pick(no_llm, names.iter().map(OsString::from)), PrefixSource::Synthetic, "{names:?}");
            }
        }
    }
}
