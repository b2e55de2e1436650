//! The stemmers, by language code. Each is named here alone, so that the linker leaves the other ones out.

use waken_snowball::{SnowballEnv, algorithms};

/// A stemmer as Snowball's compiler writes it: it changes the word in its environment.
pub(crate) type Stemmer = fn(&mut SnowballEnv<'_>) -> bool;

/// Every language here, in the order of its code.
#[cfg(test)]
pub(crate) const CODES: &[&str] = &[
    "ar", "ca", "da", "de", "el", "eo", "es", "et", "eu", "fi", "fr", "ga", "hi", "hu", "hy", "id", "it", "lt", "ne",
    "nl", "no", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi",
];

/// The stemmer of a language.
pub(crate) fn of(language: &str) -> Option<Stemmer> {
    Some(match language {
        "ar" => |env| algorithms::arabic_stemmer::stem(env),
        "ca" => |env| algorithms::catalan_stemmer::stem(env),
        "da" => |env| algorithms::danish_stemmer::stem(env),
        "de" => |env| algorithms::german_stemmer::stem(env),
        "el" => |env| algorithms::greek_stemmer::stem(env),
        "eo" => |env| algorithms::esperanto_stemmer::stem(env),
        "es" => |env| algorithms::spanish_stemmer::stem(env),
        "et" => |env| algorithms::estonian_stemmer::stem(env),
        "eu" => |env| algorithms::basque_stemmer::stem(env),
        "fi" => |env| algorithms::finnish_stemmer::stem(env),
        "fr" => |env| algorithms::french_stemmer::stem(env),
        "ga" => |env| algorithms::irish_stemmer::stem(env),
        "hi" => |env| algorithms::hindi_stemmer::stem(env),
        "hu" => |env| algorithms::hungarian_stemmer::stem(env),
        "hy" => |env| algorithms::armenian_stemmer::stem(env),
        "id" => |env| algorithms::indonesian_stemmer::stem(env),
        "it" => |env| algorithms::italian_stemmer::stem(env),
        "lt" => |env| algorithms::lithuanian_stemmer::stem(env),
        "ne" => |env| algorithms::nepali_stemmer::stem(env),
        "nl" => |env| algorithms::dutch_stemmer::stem(env),
        "no" => |env| algorithms::norwegian_stemmer::stem(env),
        "pt" => |env| algorithms::portuguese_stemmer::stem(env),
        "ro" => |env| algorithms::romanian_stemmer::stem(env),
        "ru" => |env| algorithms::russian_stemmer::stem(env),
        "sr" => |env| algorithms::serbian_stemmer::stem(env),
        "sv" => |env| algorithms::swedish_stemmer::stem(env),
        "ta" => |env| algorithms::tamil_stemmer::stem(env),
        "tr" => |env| algorithms::turkish_stemmer::stem(env),
        "yi" => |env| algorithms::yiddish_stemmer::stem(env),
        _ => return None,
    })
}

/// The stem of `word`, which is in lower case.
pub(crate) fn stem(stemmer: Stemmer, word: &str) -> String {
    let mut env = SnowballEnv::create(word);
    stemmer(&mut env);
    env.get_current().into_owned()
}
