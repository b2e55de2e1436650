//! Code blocks with their language.

use super::{Writer, add_block};
use crate::dom::NodeId;

/// Names of languages that say there is none.
const NO_LANGUAGE: [&str; 10] =
    ["text", "txt", "plain", "plaintext", "none", "default", "console-output", "nohighlight", "notranslate", "output"];

/// How far above a code block its language is looked for.
const MAX_STEPS_UP: usize = 4;

impl Writer<'_> {
    /// Writes a code block.
    pub(super) fn code_block(&mut self, id: NodeId, out: &mut String) {
        let mut code = String::new();
        self.gather_code(id, &mut code);
        let code: Vec<&str> = code.split('\n').map(str::trim_end).collect();
        let first = code.iter().position(|line| !line.is_empty()).unwrap_or(code.len());
        let last = code.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
        if first == last {
            return;
        }
        let code = code[first..last].join("\n").replace('\u{a0}', " ").replace('\r', "");
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(3.max(longest + 1));
        add_block(out, &format!("{fence}{}\n{code}\n{fence}", self.language_of(id)));
    }

    /// The text of a code block, in which elements may stand for lines.
    fn gather_code(&self, top: NodeId, code: &mut String) {
        for id in self.dom.children(top) {
            if let Some(text) = self.dom.text(id) {
                code.push_str(text);
                continue;
            }
            if !self.dom.is_element(id) || self.rules.leaves_out(self.dom, id) {
                continue;
            }
            if self.dom.name(id) == "br" {
                code.push('\n');
                continue;
            }
            let is_line = matches!(self.dom.name(id), "div" | "li" | "tr" | "p");
            if is_line && !(code.is_empty() || code.ends_with('\n')) {
                code.push('\n');
            }
            self.gather_code(id, code);
            if is_line && !code.ends_with('\n') {
                code.push('\n');
            }
        }
    }

    /// The language of a code block, by an attribute or class of it, of what it holds, or of what is around it.
    fn language_of(&self, id: NodeId) -> String {
        let inner = self.dom.elements(id).find(|&child| self.dom.name(child) == "code");
        let around = self.dom.ancestors(id).take(MAX_STEPS_UP).take_while(|&above| above != self.content);
        let named = inner.into_iter().chain([id]).chain(around).find_map(|element| self.language_named_by(element));
        named.filter(|name| !NO_LANGUAGE.contains(&name.as_str())).unwrap_or_default()
    }

    fn language_named_by(&self, id: NodeId) -> Option<String> {
        let attribute = ["data-lang", "data-language"].iter().find_map(|key| self.dom.filled(id, key));
        let name = attribute.map(str::to_owned).or_else(|| {
            let mut classes = self.dom.classes(id).peekable();
            while let Some(class) = classes.next() {
                let prefixed = ["language-", "lang-", "highlight-source-", "highlight-"]
                    .iter()
                    .find_map(|p| class.strip_prefix(p));
                let second = ["sourceCode", "brush:", "src", "prettyprint"]
                    .contains(&class)
                    .then(|| classes.peek().copied())
                    .flatten();
                let bare = matches!(class, "rust" | "programlisting-rust").then_some("rust");
                if let Some(name) = prefixed.or(second).or(bare).filter(|name| !name.is_empty()) {
                    return Some(name.to_owned());
                }
            }
            None
        })?;
        let name = name.to_ascii_lowercase();
        let name = name.trim_end_matches(';').strip_prefix("lang-").unwrap_or(&name);
        let is_name = name.len() <= 30
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '#' | '_' | '.'));
        let name = match name {
            "python3" | "ipython3" | "pycon3" => "python",
            name => name,
        };
        is_name.then(|| name.to_owned())
    }
}
