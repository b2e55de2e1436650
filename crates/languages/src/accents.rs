//! Accents of endings, as the stemmers expect them.
//!
//! Readers leave accents out, and writers now and then, so a word's stem must not depend on them: the index hands words
//! over without. But some of the stemmers' endings have accents, and a Portuguese "informacoes" would keep its own. So each
//! word gets back the accents that words with its ending have; what is restored in its stem the index takes away again.
//!
//! The tables are counted, not copied: a row is here where, over the vocabulary that the Snowball project tests its stemmers
//! with, it gives the accented word's own stem back to far more words than it takes it from. That is why there are none for
//! the other languages, whose stems hardly depend on accents.

/// `word`, which has no accents, with those that its ending has in the language.
pub(crate) fn restored(language: &str, word: &str) -> String {
    let word = match language {
        "tr" => in_harmony(word),
        "lt" => LITHUANIAN_SOUNDS.iter().fold(word.to_owned(), |word, (bare, accented)| word.replace(bare, accented)),
        _ => word.to_owned(),
    };
    let fitting = endings(language).filter(|(bare, _)| word.len() > bare.len() && word.ends_with(bare));
    match fitting.max_by_key(|(bare, _)| bare.len()) {
        Some((bare, accented)) => format!("{}{accented}", &word[..word.len() - bare.len()]),
        None => word,
    }
}

/// The endings of a language, without accents and with them.
pub(crate) fn endings(language: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = match language {
        "ar" => ARABIC,
        "ca" => CATALAN,
        "da" => DANISH,
        "es" => SPANISH,
        "fr" => FRENCH,
        "ga" => IRISH,
        "hu" => HUNGARIAN,
        "lt" => LITHUANIAN,
        "pt" => PORTUGUESE,
        "ro" => ROMANIAN,
        "sv" => SWEDISH,
        "tr" => TURKISH,
        _ => "",
    };
    rows.split_ascii_whitespace().filter_map(|row| row.split_once('>'))
}

/// A Turkish word typed on another keyboard: the vowels of its endings are all of the front or all of the back of the
/// mouth, as an `e` or an `a` before them tells, or else the first one behind. A `g` behind a vowel is a soft one.
fn in_harmony(word: &str) -> String {
    let place = |c: char| match c {
        'a' => Some(false),
        'e' => Some(true),
        _ => None,
    };
    let mut is_front = word.chars().find_map(place);
    let mut before = ' ';
    let written = word.chars().map(|c| {
        is_front = place(c).or(is_front);
        let after_vowel = "aeiou".contains(std::mem::replace(&mut before, c));
        match (c, is_front) {
            ('g', _) if after_vowel => 'ğ',
            ('i', Some(false)) => 'ı',
            ('o', Some(true)) => 'ö',
            ('u', Some(true)) => 'ü',
            _ => c,
        }
    });
    written.collect()
}

/// Sounds that Lithuanian has before nearly all of its endings.
const LITHUANIAN_SOUNDS: [(&str, &str); 5] = [("ci", "či"), ("čij", "cij"), ("čin", "cin"), ("zi", "ži"), ("ej", "ėj")];

/// The index folds the ending of feminine nouns, as it is often typed.
const ARABIC: &str = "ه>ة";

const CATALAN: &str = "\
ancia>ància ancies>àncies danca>dança eranca>erança ianca>iança janca>jança nanca>nança uranca>urança vanca>vança \
oria>òria ories>òries istic>ístic io>ió";

const DANISH: &str = "los>løs ost>øst";

const SPANISH: &str = "logia>logía logias>logías rian>rían";

const FRENCH: &str = "\
ee>ée ees>ées ere>ère eres>ères erent>èrent alite>alité alites>alités bilite>bilité bilites>bilités ivite>ivité \
ivites>ivités osite>osité osites>osités";

const IRISH: &str = "\
oideacha>óideacha iochta>íochta oidigh>óidigh i>í ndail>ndáil eail>eáil ghabhail>ghabháil lail>láil pail>páil \
achtail>achtáil bain>báin cain>cáin dain>dáin eain>eáin bhain>bháin chain>cháin lain>láin amain>amáin nain>náin \
pain>páin rain>ráin asain>asáin osain>osáin iocht>íocht";

const HUNGARIAN: &str = "\
oba>óba ore>őre jak>ják onak>ónak zzak>zzák onek>őnek edok>edők elok>elők erok>erők etok>etők ezok>ezők tatok>tatók nal>nál oval>óval nel>nél ovel>ővel ol>ől nam>nám \
oban>óban jan>ján oan>óan oben>őben oen>ően o>ő jat>ját jet>jét kent>ként iot>iót lot>lót aert>áért eert>éért \
kert>kért sert>sért ohoz>óhoz";

const LITHUANIAN: &str = "\
ska>šką ese>ėse skai>škai iėji>ieji ni>nį eti>ėti skojo>škojo sko>ško asias>ąsias skas>škas skais>škais emis>ėmis \
nems>nėms skosios>škosios skos>škos skus>škus uju>ųjų sku>škų";

const PORTUGUESE: &str = "\
ancia>ância ancias>âncias encia>ência encias>ências avel>ável aveis>áveis ivel>ível iveis>íveis ao>ão aos>ãos \
cao>ção coes>ções";

const ROMANIAN: &str = "\
ca>că tiunea>țiunea tia>ția era>eră za>ză and>ând cind>cînd itind>itînd zind>zînd tie>ție tiile>țiile \
tiunile>țiunile atile>ățile tiune>țiune ste>ște tiei>ției tiunii>țiunii etii>eții itii>iții ntii>nții utii>uții \
tiuni>țiuni asi>ași usi>uși iati>iați sati>sați zati>zați eti>eți iti>iți nti>nți sti>ști uti>uți tiilor>țiilor \
tiunilor>țiunilor ntilor>nților andu>ându";

const SWEDISH: &str = "los>lös ost>öst";

const TURKISH: &str = "\
kca>kça ınde>inde ıne>ine ıye>iye ılerin>ilerin örlar>orlar slar>şlar ırler>irler ıler>iler slerdir>şlerdir stir>ştir \
stur>ştur stır>ştır s>ş akı>aki";
