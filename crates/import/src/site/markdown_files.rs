//! The pages of a site as Markdown beside them, and `llms.txt`, the list of these files (<https://llmstxt.org>).

use std::collections::BTreeMap;

use seealso_pack::{site_file, site_url};

use super::{Site, summary, titles};
use crate::page::SitePage;
use crate::settings::Settings;

/// The name of the list of Markdown files.
const LIST_FILE: &str = "llms.txt";

/// The heading of the pages in the site's folder itself.
const TOP_HEADING: &str = "Pages";

/// The Markdown of each page and the list of them: text by path below the site's folder. The Markdown of `a/b.html` is
/// `a/b.md`.
pub fn markdown_files(site: &Site, settings: &Settings) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut lists: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let repeated = summary::repeated_descriptions(&site.pages);
    for page in &site.pages {
        let mut path = path_beside(&page.address);
        if files.contains_key(&path) {
            path = format!("{}.md", page.address);
        }
        let own = Some(page.description.as_str()).filter(|text| !text.is_empty() && !repeated.contains_key(text));
        let about = own.map_or_else(|| summary::of_sections(&page.sections), summary::cut);
        let folder = page.address.split_once('/').map_or("", |(folder, _)| folder);
        lists.entry(folder).or_default().push(list_item(&page.title, &path, &about));
        files.insert(path, text_of(page));
    }
    files.insert(LIST_FILE.to_owned(), list(site, settings, &lists));
    files
}

/// `a/b.md` for `a/b.html`.
fn path_beside(address: &str) -> String {
    let stem = address.rsplit_once('.').map_or(address, |(stem, _)| stem);
    format!("{stem}.md")
}

/// The whole page, whose links stay right as the file lies beside it.
fn text_of(page: &SitePage) -> String {
    let mut out = String::new();
    if page.sections.first().is_none_or(|first| first.level != 1) {
        out.push_str(&format!("# {}\n\n", one_line(&page.title)));
    }
    for section in &page.sections {
        if section.level > 0 {
            out.push_str(&format!("{} {}\n\n", "#".repeat(usize::from(section.level).min(6)), section.heading));
        }
        if !section.body.is_empty() {
            out.push_str(&section.body);
            out.push_str("\n\n");
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn list(site: &Site, settings: &Settings, lists: &BTreeMap<&str, Vec<String>>) -> String {
    let name = settings.title.clone().or_else(|| titles::site_name(&site.pages));
    let name = name.unwrap_or_else(|| "Documentation".to_owned());
    let home = site.pages.iter().find(|page| page.address == "index.html");
    let about = home.map(|home| home.description.as_str()).filter(|about| !about.is_empty());
    let about = about.map_or_else(|| format!("The pages of the site {name}."), str::to_owned);
    let mut out = format!("# {}\n\n> {}\n", one_line(&name), one_line(&about));
    for (folder, items) in lists {
        let heading = if folder.is_empty() { TOP_HEADING } else { folder };
        out.push_str(&format!("\n## {}\n\n{}\n", one_line(heading), items.join("\n")));
    }
    out
}

fn list_item(title: &str, path: &str, about: &str) -> String {
    let title = one_line(title).replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
    let url = site_url("./", &site_file(path, "", false)).unwrap_or_default();
    let url = url.trim_start_matches("./").replace('(', "%28").replace(')', "%29");
    let about = one_line(about);
    let about = if about.is_empty() { about } else { format!(": {about}") };
    format!("- [{title}]({url}){about}")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PageReader;

    #[test]
    fn pages_become_files_beside_them_and_a_list() {
        let settings = Settings { title: Some("Kitchen".to_owned()), ..Settings::default() };
        let mut site = Site::default();
        for (address, html) in [
            (
                "index.html",
                "<meta name=description content='All about\n the kitchen.'><main><h1>Home</h1><p>What is cooked.</p>",
            ),
            (
                "guide/a (1).html",
                "<main><h1>Tea [green]</h1><p>A <a href='b.htm#x'>drink</a> of leaves.</p><h3 id=x>Hot</h3>",
            ),
            ("guide/b.htm", "<title>B</title><main><p>No heading stands on this page, but some text does.</p>"),
            ("guide/b.html", "<title>C</title><main><p>Another page with the same stem, and some text too.</p>"),
        ] {
            site.pages.push(PageReader::new(&settings).read(address, html.as_bytes()).unwrap());
        }
        let files = markdown_files(&site, &settings);
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(names, ["guide/a (1).md", "guide/b.html.md", "guide/b.md", "index.md", "llms.txt"]);
        assert_eq!(files["guide/a (1).md"], "# Tea \\[green\\]\n\nA [drink](b.htm#x) of leaves.\n\n### Hot\n");
        assert_eq!(files["guide/b.md"], "# B\n\nNo heading stands on this page, but some text does.\n");
        assert_eq!(
            files["llms.txt"],
            "# Kitchen\n\n> All about the kitchen.\n\n## Pages\n\n- [Home](index.md): All about the kitchen.\n\n\
             ## guide\n\n- [Tea \\[green\\]](guide/a%20%281%29.md): A drink of leaves.\n\
             - [B](guide/b.md): No heading stands on this page, but some text does.\n\
             - [C](guide/b.html.md): Another page with the same stem, and some text too.\n"
        );
    }
}
