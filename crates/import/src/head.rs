//! What a page says of itself outside of its text: title, description, language, neighbours, whether it is to be found.

use crate::address::{Base, Canonical, Target, page_key, resolve, resolve_url};
use crate::dom::{Dom, NodeId};

/// So many links from the root of the host are noted of a page.
const MOST_ROOT_LINKS: usize = 16;

/// What stands in a page's head, and in the links that name its neighbours.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// What the page's links are seen from.
    pub(crate) base: Base,
    pub(crate) title: String,
    /// The title that an attribute marks, `data-pagefind-meta="title"`.
    pub(crate) marked_title: String,
    pub(crate) description: String,
    pub(crate) language: String,
    pub(crate) canonical: Option<Canonical>,
    pub(crate) version: String,
    pub(crate) no_index: bool,
    pub(crate) redirects: bool,
    /// Whether it shows frames in the place of a body.
    pub(crate) has_frames: bool,
    /// Where links from the root of the host lead to.
    pub(crate) root_links: Vec<String>,
    pub(crate) previous: Option<Target>,
    pub(crate) next: Option<Target>,
    pub(crate) parent: Option<Target>,
}

impl Head {
    /// Reads what the page at `address` says.
    pub(crate) fn of(dom: &Dom, address: &str) -> Head {
        let own = Base::of(address);
        let based = dom.descendants(Dom::ROOT).filter(|&id| dom.name(id) == "base");
        let base = based.filter_map(|id| dom.filled(id, "href")).next().and_then(|href| own.named(href));
        let mut head = Head { base: base.unwrap_or(own), ..Head::default() };
        for id in dom.descendants(Dom::ROOT) {
            match dom.name(id) {
                "html" => {
                    let tag = dom.filled(id, "lang").or_else(|| dom.filled(id, "xml:lang"));
                    head.language = tag.unwrap_or_default().to_owned();
                }
                // A drawing has a title of its own.
                "title" if head.title.is_empty() && !dom.ancestors(id).any(|above| dom.name(above) == "svg") => {
                    head.title = dom.line(id);
                }
                "meta" => head.take_meta(dom, id, address),
                "link" => head.take_link(dom, id),
                "a" => {
                    head.take_link(dom, id);
                    head.note_root_link(dom, id);
                }
                "frameset" => head.has_frames = true,
                _ => {}
            }
            if let Some(marks) = dom.filled(id, "data-pagefind-meta")
                && head.marked_title.is_empty()
            {
                head.marked_title = marked_title(dom, id, marks).unwrap_or_default();
            }
        }
        head
    }

    fn take_meta(&mut self, dom: &Dom, id: NodeId, address: &str) {
        let content = dom.filled(id, "content").unwrap_or_default();
        let key = ["name", "property", "http-equiv"].iter().find_map(|key| dom.filled(id, key));
        let key = key.unwrap_or_default().to_ascii_lowercase();
        match key.as_str() {
            "description" => self.description = crate::dom::one_line(content),
            "og:description" if self.description.is_empty() => self.description = crate::dom::one_line(content),
            "robots" | "googlebot" => {
                let words = content.to_ascii_lowercase();
                self.no_index |= words.split([',', ' ']).any(|word| matches!(word, "noindex" | "none"));
            }
            // What readers without scripts are sent to says nothing of the page.
            "refresh" if !dom.ancestors(id).any(|above| dom.name(above) == "noscript") => {
                self.redirects |= self.leads_elsewhere(content, address);
            }
            "docsearch:version" | "version" | "docusaurus_tag_version" => self.version = content.to_owned(),
            "content-language" if self.language.is_empty() => self.language = content.to_owned(),
            _ => {}
        }
    }

    /// Whether the page at `address` is replaced by another one with `<meta http-equiv=refresh>`, and not by itself.
    fn leads_elsewhere(&self, content: &str, address: &str) -> bool {
        let Some(at) = content.to_ascii_lowercase().find("url") else { return false };
        let Some(url) = content[at + 3..].trim_start().strip_prefix('=') else { return false };
        let url = url.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        let target = resolve(&self.base, url);
        target.is_none_or(|target| page_key(&target.address) != page_key(address))
    }

    /// Notes where a link from the root of the host leads to: it tells where on its host the site lies.
    fn note_root_link(&mut self, dom: &Dom, id: NodeId) {
        let may_be = |href: &&str| href.starts_with('/') || self.base.target().is_from_root;
        let href = dom.filled(id, "href").filter(|_| self.root_links.len() < MOST_ROOT_LINKS).filter(may_be);
        let Some(href) = href else { return };
        if let Some(target) = resolve(&self.base, href)
            && target.is_from_root
            && !self.root_links.contains(&target.address)
        {
            self.root_links.push(target.address);
        }
    }

    fn take_link(&mut self, dom: &Dom, id: NodeId) {
        let (Some(rel), Some(href)) = (dom.filled(id, "rel"), dom.filled(id, "href")) else { return };
        for word in rel.split_ascii_whitespace() {
            let place = match word.to_ascii_lowercase().as_str() {
                "canonical" => {
                    self.canonical = resolve_url(&self.base, href);
                    continue;
                }
                "prev" | "previous" => &mut self.previous,
                "next" => &mut self.next,
                "up" | "parent" => &mut self.parent,
                _ => continue,
            };
            *place = place.take().or_else(|| resolve(&self.base, href));
        }
    }
}

/// The title in the marks of an element, which are `name`, `name:value` or `name[attribute]` with commas between them
/// (<https://pagefind.app/docs/metadata/>).
fn marked_title(dom: &Dom, id: NodeId, marks: &str) -> Option<String> {
    // A value may have commas itself.
    if let Some(value) = marks.trim().strip_prefix("title:") {
        return Some(crate::dom::one_line(value));
    }
    let mark = marks.split(',').map(str::trim).find(|mark| *mark == "title" || mark.starts_with("title["))?;
    let attribute = mark.strip_prefix("title[").and_then(|rest| rest.strip_suffix(']'));
    attribute.map_or_else(|| Some(dom.line(id)), |name| dom.filled(id, name).map(crate::dom::one_line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read() {
        let html = "<html lang=de><head><title>Ein\n Titel</title><meta name=Description content=' Was es ist. '>\
            <meta name=robots content='NoIndex, follow'><link rel=canonical href='https://x.org/a'>\
            <link rel=next href=b.html><link rel='up' href='../'></head>\
            <body><svg><title>Bild</title></svg><a rel=prev href=z.html>x</a><a rel=next href=c.html>y</a>";
        let head = Head::of(&Dom::parse(html).unwrap(), "guide/a.html");
        let place =
            |address: &str| Target { address: address.to_owned(), fragment: String::new(), is_from_root: false };
        let target = |address: &str| Some(place(address));
        let canonical = Canonical { host: "x.org".to_owned(), target: Target { is_from_root: true, ..place("a") } };
        assert_eq!(
            head,
            Head {
                base: Base::of("guide/a.html"),
                title: "Ein Titel".to_owned(),
                description: "Was es ist.".to_owned(),
                language: "de".to_owned(),
                canonical: Some(canonical),
                version: String::new(),
                no_index: true,
                redirects: false,
                previous: target("guide/z.html"),
                next: target("guide/b.html"),
                parent: target(""),
                ..Head::default()
            }
        );
    }

    #[test]
    fn titles_are_marked() {
        for (html, expected) in [
            ("<h2 data-pagefind-meta=title>Tea <b>time</b></h2>", "Tea time"),
            ("<p data-pagefind-meta='title:Tea, and more'>x</p>", "Tea, and more"),
            ("<img data-pagefind-meta='image[src], title[alt]' src=a.png alt='A pot'>", "A pot"),
            ("<p data-pagefind-meta='subtitle'>x</p>", ""),
        ] {
            assert_eq!(Head::of(&Dom::parse(html).unwrap(), "a.html").marked_title, expected, "{html}");
        }
    }

    #[test]
    fn links_from_the_root_of_the_host_are_noted() {
        let html = "<base href=/docs/><a href=a.html>a</a><a href=/docs/b/#c>b</a><a href=a.html#d>c</a>";
        let head = Head::of(&Dom::parse(html).unwrap(), "index.html");
        assert_eq!(head.root_links, ["docs/a.html", "docs/b/"]);
    }

    #[test]
    fn redirects_are_told_from_reloads() {
        for (content, expected) in [
            ("0; URL=b.html", true),
            ("30", false),
            ("0;url='c.html'", true),
            ("0; url = ../x/", true),
            ("0; url=https://example.org/", true),
            ("300; url=a.html", false),
            ("300; url=./a#top", false),
            ("300; url=", false),
            ("5; curl", false),
        ] {
            let html = format!("<meta http-equiv=Refresh content=\"{content}\">");
            assert_eq!(Head::of(&Dom::parse(&html).unwrap(), "b/a.html").redirects, expected, "{content}");
            let html = format!("<noscript>{html}</noscript>");
            assert!(!Head::of(&Dom::parse(&html).unwrap(), "b/a.html").redirects, "{content}");
        }
    }
}
