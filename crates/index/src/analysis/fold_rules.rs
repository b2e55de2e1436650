//! Rules of folding beyond Unicode's own: which marks a letter loses, and which letters stand for another.

/// Whether a letter loses a mark. Letters of Latin, Greek, Hebrew and Arabic lose all marks, which are accents, points
/// or vowels there that are often left out. Letters of Cyrillic lose the acute and the grave, which show a vowel's
/// stress, except the Macedonian `ѓ` and `ќ`.
pub(crate) fn drops_mark(base: char, mark: char) -> bool {
    let is_stress = mark <= '\u{301}' && !matches!(base, 'г' | 'к');
    let base = base as u32;
    base < 0x0400
        || (base < 0x0530 && is_stress)
        || (0x0590..0x0700).contains(&base)
        || (0x1e00..0x2000).contains(&base)
}

/// What a letter is replaced by beyond normalisation: letters that a keyboard lacks (`ß`), letters that writers mix up
/// (in Arabic after Lucene's `ArabicNormalizer` and `PersianNormalizer`, the nukta of Hindi), another form at a word's
/// end, and characters that no reader sees. `None` where `c` is none of these.
#[rustfmt::skip]
pub(crate) fn beyond_normalisation(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss", 'æ' => "ae", 'œ' => "oe", 'ø' => "o", 'ð' | 'đ' => "d", 'þ' => "th", 'ł' => "l", 'ħ' => "h", 'ı' => "i", 'ſ' => "s",
        'ς' => "σ",
        '\u{2019}' => "'",
        '\u{671}' => "\u{627}",                    // alef wasla
        '\u{649}' | '\u{6cc}' => "\u{64a}",         // alef maksura, Farsi yeh: yeh
        '\u{629}' | '\u{6c1}' => "\u{647}",         // teh marbuta, heh goal: heh
        '\u{6a9}' => "\u{643}",                    // keheh: kaf
        '\u{640}' | '\u{93c}' => "",               // tatweel, nukta
        // Soft hyphen, zero-width space, joiners, and variation selectors.
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{fe0e}' | '\u{fe0f}' => "",
        _ => return digit(c),
    })
}

/// The value of a digit of Arabic, Indic and South-East Asian scripts.
fn digit(c: char) -> Option<&'static str> {
    const ZEROS: [u32; 16] = [
        0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
        0x17e0,
    ];
    let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&(c as u32)))?;
    let value = (c as u32 - zero) as usize;
    "0123456789".get(value..=value)
}
