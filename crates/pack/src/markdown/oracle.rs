//! The oracle of the tests: another markdown parser, its events turned into ours.

use super::{Event, Sink, Tag};
use pulldown_cmark::{CodeBlockKind, Event as Theirs, LinkType, Options, Parser, Tag as TheirTag, TextMergeWithOffset};

/// Reads a body as [`super::read`] does.
pub(crate) fn read(body: &str, sink: Sink<'_>) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut open: Vec<TheirTag<'_>> = Vec::new();
    for (event, range) in TextMergeWithOffset::new(Parser::new_ext(body, options).into_offset_iter()) {
        match event {
            Theirs::Start(their) => {
                tag(&their, &mut |tag| sink(Event::Start(tag), range.clone()));
                open.push(their);
            }
            Theirs::End(_) => {
                let their = open.pop().expect("each end has its start");
                tag(&their, &mut |tag| sink(Event::End(tag), range.clone()));
            }
            Theirs::Text(text) => sink(Event::Text(&text), range),
            Theirs::Code(text) => sink(Event::Code(&text), range),
            Theirs::Html(_) => sink(Event::Hidden, range),
            Theirs::InlineHtml(text) => sink(Event::Text(&text), range),
            Theirs::SoftBreak => sink(Event::SoftBreak, range),
            Theirs::HardBreak => sink(Event::HardBreak, range),
            Theirs::Rule => sink(Event::Rule, range),
            _ => {}
        }
    }
}

fn tag(their: &TheirTag<'_>, take: &mut dyn FnMut(Tag<'_>)) {
    take(match their {
        TheirTag::HtmlBlock => Tag::Module,
        TheirTag::Heading { level, .. } => Tag::Heading(*level as u8),
        TheirTag::BlockQuote(_) => Tag::Quote,
        TheirTag::List(start) => Tag::List(start.map(|start| start as u32)),
        TheirTag::Item => Tag::Item,
        TheirTag::CodeBlock(CodeBlockKind::Fenced(info)) => Tag::CodeBlock(info),
        TheirTag::CodeBlock(_) => Tag::CodeBlock(""),
        TheirTag::Table(_) => Tag::Table,
        TheirTag::TableHead => Tag::TableHead,
        TheirTag::TableRow => Tag::TableRow,
        TheirTag::TableCell => Tag::TableCell,
        TheirTag::Emphasis => Tag::Emphasis,
        TheirTag::Strong => Tag::Strong,
        TheirTag::Strikethrough => Tag::Strikethrough,
        TheirTag::Link { link_type: LinkType::Email, dest_url, .. } => {
            return take(Tag::Link(&format!("mailto:{dest_url}")));
        }
        TheirTag::Link { dest_url, .. } => Tag::Link(dest_url),
        TheirTag::Image { dest_url, .. } => Tag::Image(dest_url),
        _ => Tag::Paragraph,
    });
}
