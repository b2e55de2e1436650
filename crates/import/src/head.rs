//! What a page says of itself outside of its text: title, description, language, neighbours, whether it is to be found.

use crate::address::{Target, resolve};
use crate::dom::{Dom, NodeId};

/// What stands in a page's head, and in the links that name its neighbours.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) language: String,
    pub(crate) canonical: String,
    pub(crate) version: String,
    pub(crate) no_index: bool,
    pub(crate) redirects: bool,
    pub(crate) previous: Option<Target>,
    pub(crate) next: Option<Target>,
    pub(crate) parent: Option<Target>,
}

impl Head {
    /// Reads what the page at `address` says.
    pub(crate) fn of(dom: &Dom, address: &str) -> Head {
        let mut head = Head::default();
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
                "meta" => head.take_meta(dom, id),
                "link" | "a" => head.take_link(dom, id, address),
                _ => {}
            }
        }
        head
    }

    fn take_meta(&mut self, dom: &Dom, id: NodeId) {
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
            "refresh" => self.redirects |= content.to_ascii_lowercase().contains("url"),
            "docsearch:version" | "version" | "docusaurus_tag_version" => self.version = content.to_owned(),
            "content-language" if self.language.is_empty() => self.language = content.to_owned(),
            _ => {}
        }
    }

    fn take_link(&mut self, dom: &Dom, id: NodeId, address: &str) {
        let (Some(rel), Some(href)) = (dom.filled(id, "rel"), dom.filled(id, "href")) else { return };
        for word in rel.split_ascii_whitespace() {
            let place = match word.to_ascii_lowercase().as_str() {
                "canonical" => {
                    href.clone_into(&mut self.canonical);
                    continue;
                }
                "prev" | "previous" => &mut self.previous,
                "next" => &mut self.next,
                "up" | "parent" => &mut self.parent,
                _ => continue,
            };
            *place = place.take().or_else(|| resolve(address, href));
        }
    }
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
        let target = |address: &str| Some(Target { address: address.to_owned(), fragment: String::new() });
        assert_eq!(
            head,
            Head {
                title: "Ein Titel".to_owned(),
                description: "Was es ist.".to_owned(),
                language: "de".to_owned(),
                canonical: "https://x.org/a".to_owned(),
                version: String::new(),
                no_index: true,
                redirects: false,
                previous: target("guide/z.html"),
                next: target("guide/b.html"),
                parent: target(""),
            }
        );
    }

    #[test]
    fn redirects_are_told_from_reloads() {
        for (content, expected) in [("0; URL=b.html", true), ("30", false), ("0;url='c.html'", true)] {
            let html = format!("<meta http-equiv=Refresh content=\"{content}\">");
            assert_eq!(Head::of(&Dom::parse(&html).unwrap(), "a.html").redirects, expected, "{content}");
        }
    }
}
