//! A template's source, changed so that whatever a variable holds is counted each time it is read.
//!
//! No operator of Jinja asks anybody before it joins two texts, so the counting stands where their parts come from: each
//! variable becomes a call of [`READ`], and what an expression can make is then bounded by what it has read. A
//! repetition would not be, and so there is none; nor a remainder of texts, which is formatting.
//!
//! This looks at the source's tokens alone. What is no template stays none, and the engine says so.

use std::ops::Range;

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// The filter that every read goes through.
pub(super) const READ: &str = "counted_read";

/// The filter that lets numbers through alone.
pub(super) const NUMBER: &str = "number_alone";

/// Parts of an expression nest no deeper than there are tokens; the tags of real models have up to a hundred.
const MAX_TAG_TOKENS: usize = 500;

/// Each `elif` nests in the one before it; the templates of real models have up to twenty.
const MAX_BRANCHES: usize = 100;

/// What a chat template needs. Files, blocks and calls with a body are not among it.
const STATEMENTS: [&str; 13] =
    ["set", "endset", "for", "endfor", "if", "elif", "else", "endif", "macro", "endmacro", "break", "continue", "do"];

/// Names that are no variables.
const WORDS: [&str; 13] =
    ["and", "or", "not", "in", "is", "if", "else", "true", "false", "none", "True", "False", "None"];

/// A template that counts what it reads.
pub(super) struct GuardedTemplate {
    pub(super) source: String,
    /// The longest text that stands in it, in bytes: no step writes more without reading.
    pub(super) longest: usize,
}

/// Makes a template count, or says why it may not run.
pub(super) fn guard(source: &str, syntax: SyntaxConfig) -> Result<GuardedTemplate, String> {
    let mut rewriter = Rewriter { source, tokens: Vec::new(), output: String::new(), copied: 0 };
    let mut longest = 0;
    for token in tokenize(source, false, syntax) {
        let (token, span) = token.map_err(|error| error.to_string())?;
        longest = longest.max(match &token {
            Token::TemplateData(text) | Token::Str(text) => text.len(),
            Token::String(text) => text.len(),
            _ => 0,
        });
        rewriter.tokens.push((token, span.start_offset as usize..span.end_offset as usize));
    }
    rewriter.tags()?;
    rewriter.output.push_str(&source[rewriter.copied..]);
    Ok(GuardedTemplate { source: rewriter.output, longest })
}

struct Rewriter<'a> {
    source: &'a str,
    /// Each with its place in the source.
    tokens: Vec<(Token<'a>, Range<usize>)>,
    output: String,
    /// How much of the source `output` has.
    copied: usize,
}

impl<'a> Rewriter<'a> {
    fn tags(&mut self) -> Result<(), String> {
        let (mut start, mut branches) = (0, 0);
        for at in 0..self.tokens.len() {
            match self.tokens[at].0 {
                Token::VariableStart | Token::BlockStart => start = at + 1,
                Token::VariableEnd => self.expression(start..at)?,
                Token::BlockEnd => self.statement(start..at)?,
                _ => {}
            }
            branches += usize::from(self.name(at) == Some("elif"));
            if at - start.min(at) > MAX_TAG_TOKENS || branches > MAX_BRANCHES {
                return Err("it is too large".into());
            }
        }
        Ok(())
    }

    fn statement(&mut self, tag: Range<usize>) -> Result<(), String> {
        let name = self.name(tag.start).unwrap_or_default();
        if !STATEMENTS.contains(&name) {
            return Err(format!("it uses `{}`", name.chars().take(40).collect::<String>()));
        }
        let after = |wanted: fn(&Token<'_>) -> bool| tag.clone().find(|&at| wanted(&self.tokens[at].0));
        let start = match name {
            // What is assigned to is not read.
            "set" => after(|token| matches!(token, Token::Assign)),
            "for" => after(|token| matches!(token, Token::Ident("in"))),
            // A default that is used is read later, under its parameter's name.
            "macro" => None,
            _ => Some(tag.start),
        };
        self.expression(start.map_or(tag.end, |at| at + 1)..tag.end)
    }

    fn expression(&mut self, tokens: Range<usize>) -> Result<(), String> {
        let mut at = tokens.start;
        while at < tokens.end {
            match self.tokens[at].0 {
                Token::Mul => return Err("it multiplies".into()),
                Token::Mod => self.insert(self.tokens[at].1.start, &format!("|{NUMBER} ")),
                Token::Ident(name) if self.is_read(at, name) => {
                    let last = self.path(at);
                    self.insert(self.tokens[at].1.start, "(");
                    self.insert(self.tokens[last].1.end, &format!("|{READ})"));
                    at = last;
                }
                _ => {}
            }
            at += 1;
        }
        Ok(())
    }

    /// Whether a name is that of a variable whose value is wanted, not of an attribute, filter, test, argument or
    /// function.
    fn is_read(&self, at: usize, name: &str) -> bool {
        let named_before = match self.token(at.wrapping_sub(1)) {
            Some(Token::Dot | Token::Pipe | Token::Ident("is")) => true,
            Some(Token::Ident("not")) => self.name(at.wrapping_sub(2)) == Some("is"),
            _ => false,
        };
        let is_word = WORDS.contains(&name) || (name == "recursive" && at > 0 && self.ends_tag(at + 1));
        !named_before && !is_word && !matches!(self.token(at + 1), Some(Token::Assign | Token::ParenOpen))
    }

    /// The last token of a variable with its attributes; the name of a method is none of them.
    fn path(&self, first: usize) -> usize {
        let mut last = first;
        while matches!(self.token(last + 1), Some(Token::Dot))
            && self.name(last + 2).is_some()
            && !matches!(self.token(last + 3), Some(Token::ParenOpen))
        {
            last += 2;
        }
        last
    }

    fn ends_tag(&self, at: usize) -> bool {
        matches!(self.token(at), Some(Token::BlockEnd))
    }

    fn token(&self, at: usize) -> Option<&Token<'a>> {
        self.tokens.get(at).map(|(token, _)| token)
    }

    fn name(&self, at: usize) -> Option<&'a str> {
        match self.token(at) {
            Some(Token::Ident(name)) => Some(name),
            _ => None,
        }
    }

    fn insert(&mut self, place: usize, text: &str) {
        self.output.push_str(&self.source[self.copied..place]);
        self.output.push_str(text);
        self.copied = place;
    }
}

#[cfg(test)]
mod tests {
    use super::guard;

    #[test]
    fn what_is_read_is_counted() {
        let check = |source: &str, expected: &str| {
            let expected = expected.replace('«', "(").replace('»', "|counted_read)");
            assert_eq!(guard(source, Default::default()).map(|guarded| guarded.source), Ok(expected), "{source}");
        };
        check("日{{ a ~ b.c.d }}本", "日{{ «a» ~ «b.c.d» }}本");
        check("{{ a.strip().b + a[b]['c'] }}", "{{ «a».strip().b + «a»[«b»]['c'] }}");
        check("{{ f(x, y=z) | join(s) }}", "{{ f(«x», y=«z») | join(«s») }}");
        check("{% set a = a %}{% set n.a = n.a %}", "{% set a = «a» %}{% set n.a = «n.a» %}");
        check("{% set a %}{% endset %}", "{% set a %}{% endset %}");
        check("{% for a, b in c if a is not none %}", "{% for a, b in «c» if «a» is not none %}");
        check("{% for a in b recursive %}", "{% for a in «b» recursive %}");
        check("{% macro m(a, b=c) %}{{ a }}", "{% macro m(a, b=c) %}{{ «a» }}");
        check("{{ a if not b is defined else true }}", "{{ «a» if not «b» is defined else true }}");
        check("{{ loop.index0 % 2 }}", "{{ «loop.index0» |number_alone % 2 }}");
        check("{# a #}{% raw %}{{ a }}{% endraw %}", "{# a #}{% raw %}{{ a }}{% endraw %}");
    }

    #[test]
    fn what_no_template_needs_is_refused() {
        let check = |source: &str, expected: &str| {
            assert_eq!(guard(source, Default::default()).map(|guarded| guarded.source), Err(expected.to_owned()));
        };
        check("{{ 'a' * 3 }}", "it multiplies");
        check("{% include 'a' %}", "it uses `include`");
        check("{% %}", "it uses ``");
        check(&format!("{{{{ a{} }}}}", " + a".repeat(300)), "it is too large");
        check(&"{% if a %}{% elif b %}".repeat(101), "it is too large");
    }
}
