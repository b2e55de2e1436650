//! Letters as stemmers expect them: small, accents and letter in one character, straight apostrophes.

/// A mark, and letters with what they become under it, two by two. Only letters that a stemmer here looks at.
const COMPOSED: &[(char, &str)] = &[
    ('\u{300}', "aàeèiìoòuù"),
    ('\u{301}', "aácćeéiíoóuúyýαάεέηήιίοόυύωώ"),
    ('\u{302}', "aâcĉeêgĝhĥiîjĵoôsŝuû"),
    ('\u{303}', "aãnñoõ"),
    ('\u{304}', "uū"),
    ('\u{306}', "aăgğuŭий"),
    ('\u{307}', "eė"),
    ('\u{308}', "aäeëiïoöuüеёιϊυϋ"),
    ('\u{30a}', "aå"),
    ('\u{30b}', "oőuű"),
    ('\u{30c}', "cčsšzž"),
    ('\u{326}', "sștț"),
    ('\u{327}', "cçsştţ"),
    ('\u{328}', "aąeęiįuų"),
];

/// `word` in lower case (Turkish has two letters i) and composed form; characters that no reader sees are left out.
pub(crate) fn lower(language: &str, word: &str) -> String {
    let mut small = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'I' if language == "tr" => small.push('ı'),
            'İ' => small.push('i'),
            '\u{2019}' => small.push('\''),
            '\u{ad}' | '\u{200b}'..='\u{200d}' => {}
            '\u{300}'..='\u{36f}' => {
                let composed = small.chars().next_back().and_then(|letter| compose(letter, c));
                if composed.is_some() {
                    small.pop();
                }
                small.push(composed.unwrap_or(c));
            }
            _ => small.extend(c.to_lowercase()),
        }
    }
    if let Some(start) = small.strip_suffix('σ').map(str::len) {
        small.replace_range(start.., "ς");
    }
    small
}

fn compose(letter: char, mark: char) -> Option<char> {
    let (_, pairs) = COMPOSED.iter().find(|(known, _)| *known == mark)?;
    let mut pairs = pairs.chars();
    while let (Some(bare), Some(composed)) = (pairs.next(), pairs.next()) {
        if bare == letter {
            return Some(composed);
        }
    }
    None
}
