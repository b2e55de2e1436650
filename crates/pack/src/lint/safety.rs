//! S1, S2, S3, S5: text that could mislead a model or harm a reader. A finding is a question, not a verdict: a page
//! about prompt injection quotes it.

use crate::finding::Finding;
use crate::markdown::starts_with_ignore_case;
use crate::pack::Pack;
use crate::render::is_invisible;

/// Phrases that speak to a model rather than to a reader; in lower case.
const INJECTIONS: [&str; 22] = [
    "ignore previous instructions",
    "ignore all previous",
    "ignore the above",
    "ignore all prior",
    "ignore your instructions",
    "disregard previous",
    "disregard all previous",
    "disregard the above",
    "disregard your instructions",
    "forget your instructions",
    "forget all previous",
    "override your instructions",
    "reveal your system prompt",
    "print your system prompt",
    "new instructions:",
    "do not tell the user",
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<<sys>>",
    "[inst]",
    "</system>",
];

/// Commands that destroy; in lower case.
const DESTRUCTIVE: [&str; 12] = [
    "rm -rf ~",
    "rm -rf *",
    "rm -fr ~",
    "rm -rf $home",
    "--no-preserve-root",
    "mkfs.",
    "of=/dev/sd",
    "of=/dev/nvme",
    "> /dev/sd",
    ":(){ :|:& };:",
    ":(){:|:&};:",
    "chmod -r 777 /",
];

/// Hosts that hide where a link leads.
const SHORTENERS: [&str; 14] = [
    "bit.ly",
    "buff.ly",
    "cutt.ly",
    "goo.gl",
    "is.gd",
    "lnkd.in",
    "ow.ly",
    "rb.gy",
    "rebrand.ly",
    "s.id",
    "shorturl.at",
    "t.co",
    "t.ly",
    "tinyurl.com",
];

/// Top-level domains that are given away, or look like file names.
const TOP_LEVELS: [&str; 8] = ["cf", "ga", "gq", "ml", "mov", "tk", "top", "zip"];

pub(super) fn check(pack: &Pack, findings: &mut Vec<Finding>) {
    for page in &pack.pages {
        let path = pack.page_path(&page.file);
        let front = [&page.title, &page.summary].into_iter().map(|text| (1, text.as_str()));
        let body = page.body.lines().enumerate().map(|(i, line)| (page.body_line + i, line));
        for (line, text) in front.chain(body) {
            let found =
                [("S1", injection(text)), ("S2", destructive(text)), ("S3", suspicious(text)), ("S5", invisible(text))];
            for (code, message) in found {
                findings.extend(message.map(|message| Finding::warning(&path, line, code, message)));
            }
        }
    }
}

fn injection(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let found = INJECTIONS.iter().find(|phrase| lower.contains(*phrase))?;
    Some(format!("speaks to a model: {found:?}"))
}

fn destructive(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    if let Some(found) = DESTRUCTIVE.iter().find(|command| lower.contains(*command)) {
        return Some(format!("a command that destroys: {found:?}"));
    }
    if ["rm -rf /", "rm -fr /"].iter().any(|command| removes_root(&lower, command)) {
        return Some("a command that destroys: \"rm -rf /\"".to_string());
    }
    let fetched = lower.find("curl ").or_else(|| lower.find("wget "))?;
    let piped = lower[fetched..].split('|').skip(1).map(str::trim_start);
    let mut shells = piped.map(|command| command.strip_prefix("sudo ").unwrap_or(command));
    let is_shell = |command: &str| ["sh", "bash", "zsh"].contains(&command.split([' ', '`', ')']).next().unwrap_or(""));
    shells.any(is_shell).then(|| "runs what it fetches: read it first".to_string())
}

/// Whether the command removes the root itself, rather than a folder somewhere below it.
fn removes_root(text: &str, command: &str) -> bool {
    text.match_indices(command).any(|(at, _)| !text[at + command.len()..].starts_with(|c: char| c.is_alphanumeric()))
}

fn suspicious(text: &str) -> Option<String> {
    let starts = text.match_indices("://").filter_map(|(at, _)| {
        let is_web = ["https", "http"].iter().any(|scheme| {
            at.checked_sub(scheme.len())
                .and_then(|from| text.get(from..))
                .is_some_and(|url| starts_with_ignore_case(url, scheme))
        });
        is_web.then_some(&text[at + 3..])
    });
    starts.filter_map(suspicious_host).next()
}

fn suspicious_host(rest: &str) -> Option<String> {
    let end = rest
        .find(|c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | ')' | '>' | '"' | '\'' | '`' | ']' | '|'));
    let authority = rest[..end.unwrap_or(rest.len())].to_lowercase();
    let (user, host) = authority.rsplit_once('@').map_or((None, authority.as_str()), |(user, host)| (Some(user), host));
    let host = host.split(':').next().unwrap_or(host).trim_end_matches(['.', ',', ';']);
    let top = host.rsplit('.').next().unwrap_or(host);
    let address = host.contains('.') && host.chars().all(|c| c.is_ascii_digit() || c == '.');
    let why = if SHORTENERS.contains(&host) {
        "a shortened URL hides where it leads"
    } else if host.split('.').any(|label| label.starts_with("xn--")) {
        "a host name in punycode can imitate another"
    } else if host.contains('.') && TOP_LEVELS.contains(&top) {
        "a top-level domain that is often abused"
    } else if address && !["127.0.0.1", "0.0.0.0"].contains(&host) {
        "a host given as a bare address"
    } else if user.is_some() {
        "a user name in front of the host can imitate another host"
    } else {
        return None;
    };
    Some(format!("{authority}: {why}"))
}

fn invisible(text: &str) -> Option<String> {
    // Joiners are part of emoji and of several scripts' spelling.
    let found = text.chars().find(|&c| is_invisible(c) && !matches!(c, '\u{200c}' | '\u{200d}'))?;
    Some(format!("an invisible or direction-turning character, U+{:04X}", u32::from(found)))
}
