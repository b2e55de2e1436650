//! `seealso search`: lists the pages for one query as the index ranks them. The query is not split, and no page is read.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use seealso::{Config, Question};

use crate::chunk_library::open_pages_or_chunks;
use crate::exit::{CommandResult, Completion};
use crate::search_rows::{ResultRow, find};
use crate::source::{block_on, catalog_packs};
use crate::style::{FAINT, LINK, STRONG, print_warning, printable, say};

/// Rank the pages for a query: score, page, title and summary.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The words to search for.
    query: String,
    /// The folder that holds catalog.json and the packs.
    #[arg(long, value_name = "DIR", default_value = "packs-static")]
    packs: PathBuf,
    #[command(flatten)]
    filter: super::FilterArguments,
    /// Rank the chunks that `setup` made rather than pages.
    #[arg(long)]
    chunks: bool,
    /// List at most so many pages.
    #[arg(short = 'k', long = "limit", value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Print the list as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let most = Config::default().question_chars;
    let Some(cut) = Question::new(&arguments.query, most) else {
        bail!("the query is empty; type a few words");
    };
    let query = cut.text();
    if cut.was_cut() {
        print_warning(&format!("the query is very long; only its first {most} characters are searched for"));
    }
    let rows = block_on(async {
        let library = open_pages_or_chunks(&arguments.packs, arguments.chunks).await?;
        let filter = arguments.filter.resolve(&library).await?;
        let pages = find(&library, query, &filter, arguments.limit.into()).await?;
        let packs = catalog_packs(&library)?;
        anyhow::Ok(pages.into_iter().map(|page| ResultRow::of(&packs, page)).collect::<Vec<_>>())
    })??;
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&serde_json::json!({ "query": query, "results": rows }))?);
    } else if rows.is_empty() {
        let of = if arguments.chunks { "chunk" } else { "page" };
        let pages = if arguments.filter.is_empty() { "of these packs" } else { "that passes the filter" };
        // Every page has the commonest words, so they find none.
        say!(
            "No {of} {pages} holds a word of \"{}\", stop words such as \"the\" aside.",
            printable(&truncate_query(query))
        );
    } else {
        rows.iter().for_each(print);
    }
    Ok(if rows.is_empty() { Completion::NoAnswer } else { Completion::Success })
}

/// The most characters of a query that a message repeats.
const MAX_QUERY_ECHO: usize = 200;

fn truncate_query(query: &str) -> String {
    match query.char_indices().nth(MAX_QUERY_ECHO) {
        Some((end, _)) => format!("{}…", &query[..end]),
        None => query.to_owned(),
    }
}

fn print(row: &ResultRow) {
    let name = if row.exact { "  (its name)" } else { "" };
    let (page, title, summary) = (printable(&row.page), printable(&row.title), printable(&row.summary));
    say!("{:7.3}  {LINK}{page}{LINK:#}  {STRONG}{title}{STRONG:#}{FAINT}{name}{FAINT:#}", row.score);
    say!("         {summary}");
}
