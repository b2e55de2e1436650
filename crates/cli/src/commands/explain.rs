//! `seealso explain`: shows every stage of a question, and every component of every score.

use clap::Args;
use seealso::{Answer, AskOptions, NoModel};
use serde_json::{Value, json};

use crate::answer_json::add_report;
use crate::exit::{CommandResult, Completion};
use crate::source::{block_on, open_library};
use crate::stages::StageArguments;
use crate::style::{FAINT, STRONG, printable, say};

/// Show how a question is split, what each part finds and why, and which pages are read.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The question.
    question: String,
    #[command(flatten)]
    packs: super::PackArguments,
    #[command(flatten)]
    filter: super::FilterArguments,
    #[command(flatten)]
    stages: StageArguments,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let (answer, report) = block_on(async {
        let library = open_library(&arguments.packs.packs, arguments.packs.config()).await?;
        let filter = arguments.filter.resolve(&library).await?;
        let options = AskOptions { filter: Some(filter), ..AskOptions::default() };
        let stages = arguments.stages.open(&library).await?;
        let (answer, _) = stages.ask(&library, &arguments.question, options, None::<&NoModel>).await?;
        anyhow::Ok((answer, stages.report()))
    })??;
    match arguments.json {
        true => {
            let mut value = as_json(&answer);
            if report.is_some() {
                value["enhancers"] = enhancers(&answer);
            }
            add_report(&mut value, report.as_ref());
            say!("{}", serde_json::to_string_pretty(&value)?);
        }
        false => print(&answer),
    }
    Ok(Completion::Success)
}

fn stage(answer: &Answer, name: &str) -> Value {
    answer.trace.iter().find(|stage| stage.name == name).map_or(Value::Null, |stage| json!(stage.detail))
}

fn rows(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The lines of the trace that are those of optional stages.
const ENHANCERS: [&str; 8] =
    ["multi-query", "chunks", "vectors", "gate", "graph", "cross-encoder", "expand-top", "quality"];

/// What each of the optional stages did, by its name.
fn enhancers(answer: &Answer) -> Value {
    let ran = answer.trace.iter().filter(|stage| ENHANCERS.contains(&stage.name));
    ran.map(|stage| (stage.name.to_owned(), json!(stage.detail))).collect::<serde_json::Map<_, _>>().into()
}

fn as_json(answer: &Answer) -> Value {
    let (found, merged) = (stage(answer, "search"), stage(answer, "merge"));
    let hits: Vec<&Value> = rows(&found["rankings"]).iter().map(|ranking| &ranking["hits"]).collect();
    let read: Vec<&Value> = rows(&merged["rankings"]).iter().map(|ranking| &ranking["hits"]).collect();
    let picks: Vec<&Value> = rows(&merged["picks"]).iter().map(|pick| &pick["page"]).collect();
    json!({
        "question": answer.question,
        "sub_queries": answer.sub_queries.iter().map(|sub_query| &sub_query.text).collect::<Vec<_>>(),
        "split_rules": stage(answer, "decompose")["split_rules"],
        "hits": hits,
        "read": read,
        "picks": picks,
        "pages": answer.sources.iter().map(|source| &source.page).collect::<Vec<_>>(),
        "context_chars": answer.context_chars,
        "coverage": stage(answer, "answer")["coverage"],
        "sentences": stage(answer, "answer")["sentences"],
        "stages": answer.trace.iter().map(|stage| json!({ "name": stage.name, "ms": stage.ms, "summary": stage.summary })).collect::<Vec<_>>(),
        "ms": answer.ms,
    })
}

fn print(answer: &Answer) {
    let (found, merged) = (stage(answer, "search"), stage(answer, "merge"));
    for (number, ranking) in rows(&found["rankings"]).iter().enumerate() {
        say!("{STRONG}{}{STRONG:#}", printable(ranking["sub_query"].as_str().unwrap_or_default()));
        for hit in rows(&ranking["hits"]) {
            let (score, page) = (hit["score"].as_f64().unwrap_or_default(), hit["page"].as_str().unwrap_or_default());
            say!("  {score:7.3}  {}{}", printable(page), ranking_reason(hit));
            let adjacent = hit["adjacent"].as_f64().unwrap_or_default();
            for (term, parts) in hit["terms"].as_object().into_iter().flatten() {
                let number = |key: &str| parts[key].as_f64().unwrap_or_default();
                let mut more = String::new();
                if number("factor") != 1.0 {
                    more += &format!(", counts {} times", number("factor"));
                }
                if number("pack") != 0.0 {
                    more += &format!(", of which its pack says {:.3}", number("pack"));
                }
                say!(
                    "  {FAINT}         {term}: {:.3} = idf {:.3} in {} pages, weighted count {:.3}{more}{FAINT:#}",
                    number("score"),
                    number("idf"),
                    parts["pages_with"],
                    number("weighted")
                );
            }
            if adjacent > 0.0 {
                say!("  {FAINT}         words side by side, whole names: {adjacent:.3}{FAINT:#}");
            }
        }
        if let Some(read) = rows(&merged["rankings"]).get(number) {
            print_read(rows(&read["hits"]));
        }
    }
    say!("");
    for stage in &answer.trace {
        say!("{:>9.2} ms  {STRONG}{}{STRONG:#}  {}", stage.ms, stage.name, printable(&stage.summary));
    }
}

/// Prints the pages that were read, with both of their scores.
fn print_read(hits: &[Value]) {
    if !hits.is_empty() {
        say!("  once read:");
    }
    for hit in hits {
        let number = |key: &str| hit[key].as_f64().unwrap_or_default();
        let page = printable(hit["page"].as_str().unwrap_or_default());
        let (score, why) = (number("score"), ranking_reason(hit));
        let (index, text) = (number("index"), number("text"));
        say!(
            "  {score:7.3}  {page}{why}  {FAINT}{index:.3} by the index, {text:.3} by its text{}{FAINT:#}",
            fused(hit)
        );
    }
}

/// What the stages add to the scores of a page.
fn fused(hit: &Value) -> String {
    let Value::Object(fused) = &hit["fused"] else { return String::new() };
    let number = |value: &Value| value.as_f64().map_or("-".to_owned(), |number| format!("{number:.3}"));
    let part = |key: &str| number(fused.get(key).unwrap_or(&Value::Null));
    let near = &hit["near"];
    let chunk = near["chunk"].as_u64().map_or(String::new(), |chunk| format!(" in chunk {chunk}"));
    let similarity = number(&near["similarity"]);
    format!(
        "; fused {} = {} by words + {} by meaning (similarity {similarity}{chunk})",
        part("score"),
        part("words"),
        part("meaning")
    )
}

/// The reason that puts a page before others with higher scores.
fn ranking_reason(hit: &Value) -> &'static str {
    match (hit["exact"] == true, hit["quoted"] == true) {
        (true, _) => "  (its name)",
        (_, true) => "  (says what is quoted)",
        _ => "",
    }
}
