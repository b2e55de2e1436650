//! Throwaway.
use seealso_index::*;
use std::collections::HashMap;
use std::io::BufRead;
use std::time::Instant;
fn main() {
    let rows: usize = std::env::args().nth(1).map_or(1_000_000, |s| s.parse().unwrap());
    let skip = std::env::var("SKIP").is_ok();
    let out = std::path::PathBuf::from("/tmp/v2-scale");
    if !skip {
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir_all(&out).unwrap();
    }
    let t = Instant::now();
    let mut sink = |hash: &Hash, bytes: &[u8]| std::fs::write(out.join(file_name(hash)), bytes);
    let mut w = Writer::new(Layout::default(), &mut sink);
    w.pack(&PackInfo { path: "packages".into(), language: "en".into(), ..Default::default() });
    for line in
        std::io::BufReader::new(std::fs::File::open("/tmp/p1m.tsv").unwrap()).lines().take(if skip { 0 } else { rows })
    {
        let line = line.unwrap();
        let mut f = line.split('\t');
        let (id, title, summary) = (f.next().unwrap(), f.next().unwrap(), f.next().unwrap());
        w.page(&NewPage {
            file: format!("{id}.md"),
            title: title.into(),
            summary: summary.into(),
            ..Default::default()
        })
        .unwrap();
    }
    eprintln!("pages {:.1}s", t.elapsed().as_secs_f64());
    let written = if skip {
        Written { root: std::fs::read(out.join("root")).unwrap(), files: 0, bytes: 0, pages: 0 }
    } else {
        w.finish().unwrap()
    };
    std::fs::write(out.join("root"), &written.root).unwrap();
    eprintln!(
        "build {:.1}s root {} files {} bytes {} total {:.2} MB",
        t.elapsed().as_secs_f64(),
        written.root.len(),
        written.files,
        written.bytes,
        (written.bytes + written.root.len() as u64) as f64 / 1e6
    );
    let rss = std::fs::read_to_string("/proc/self/status").unwrap();
    eprintln!("{}", rss.lines().find(|l| l.starts_with("VmHWM")).unwrap());
    let questions: Vec<(String, String)> = std::fs::read_to_string("/work/shared/data/scale/queries.jsonl")
        .unwrap()
        .lines()
        .map(|l| {
            let v: serde_json::Value = serde_json::from_str(l).unwrap();
            (v["question"].as_str().unwrap().into(), v["gold"][0].as_str().unwrap().into())
        })
        .collect();
    // cold, one by one
    let (mut bytes, mut reqs, mut rounds) = (vec![], vec![], vec![]);
    let warm = Index::open(&written.root).unwrap();
    let mut tot = vec![vec![]; 4];
    let mut mrr = 0.0;
    let mut h5 = 0;
    for (q, gold) in &questions {
        let index = Index::open(&written.root).unwrap();
        let (mut b, mut r, mut n) = (written.root.len(), 1, 1);
        let mut by = [(0usize, 0usize); 4];
        let mut log = String::new();
        let hits = loop {
            let res = index.foresee(q).and_then(|_| index.search(q.as_str(), 8, &Bm25::default())).and_then(|h| {
                index.foresee_pages(h.iter().map(|h| h.page))?;
                Ok(h)
            });
            match res {
                Ok(h) => break h,
                Err(Error::Missing) => {
                    n += 1;
                    for want in index.wanted() {
                        let f = std::fs::read(out.join(want.name())).unwrap();
                        r += 1;
                        b += f.len();
                        let c = match want.file {
                            File::Terms(_) => 0,
                            File::Postings(_) => 1,
                            File::Directory => 2,
                            File::Texts(_) => 3,
                        };
                        by[c].0 += 1;
                        by[c].1 += f.len();
                        log.push_str(&format!(" {n}:{c}"));
                        let raw = Form::of(&f).unwrap().unpack().unwrap();
                        index.supply(want.file, raw.clone()).unwrap();
                        warm.supply(want.file, raw).unwrap();
                    }
                }
                Err(e) => panic!("{e}"),
            }
        };
        let m: usize = std::env::var("M").map_or(8, |s| s.parse().unwrap());
        let hits: Vec<Hit> = if std::env::var("RESCORE").is_ok() {
            let w = &warm;
            let get = |f: &dyn Fn() -> Result<Vec<Hit>, Error>| loop {
                match f() {
                    Ok(h) => break h,
                    Err(Error::Missing) => {
                        for want in w.wanted() {
                            let f = std::fs::read(out.join(want.name())).unwrap();
                            w.supply(want.file, Form::of(&f).unwrap().unpack().unwrap()).unwrap();
                        }
                    }
                    Err(e) => panic!("{e}"),
                }
            };
            let more = get(&|| w.search(q.as_str(), m, &Bm25::default()));
            let mut re = get(&|| {
                more.iter()
                    .map(|h| Ok(Hit { score: w.explain(q.as_str(), h.page, &Bm25::default())?.score, ..*h }))
                    .collect()
            });
            re.sort_by(|a, b| b.exact.cmp(&a.exact).then(b.score.total_cmp(&a.score)));
            re.truncate(8);
            re
        } else {
            hits
        };
        let rank = hits.iter().position(|h| {
            let e = index.page(h.page).unwrap();
            format!("packages/{}", e.file.trim_end_matches(".md")) == *gold
        });
        if let Some(r) = rank {
            mrr += 1.0 / (r + 1) as f64;
            h5 += (r < 5) as u32;
        }
        if bytes.len() < 40 {}
        for c in 0..4 {
            tot[c].push(by[c].1);
        }
        bytes.push(b);
        reqs.push(r);
        rounds.push(n);
    }
    let p = |v: &mut Vec<usize>, q: f64| {
        v.sort();
        v[((v.len() - 1) as f64 * q) as usize]
    };
    eprintln!(
        "cold p50 {} B {} req {} rounds; p95 {} B {} req {} rounds; mrr@8 {:.3} hit5 {:.3}",
        p(&mut bytes, 0.5),
        p(&mut reqs, 0.5),
        p(&mut rounds, 0.5),
        p(&mut bytes, 0.95),
        p(&mut reqs, 0.95),
        p(&mut rounds, 0.95),
        mrr / questions.len() as f64,
        h5 as f64 / questions.len() as f64
    );
    for c in 0..4 {
        eprintln!("kind {c} p50 {} p95 {}", p(&mut tot[c], 0.5), p(&mut tot[c], 0.95));
    }
    let t = Instant::now();
    let index = Index::open(&written.root).unwrap();
    let mut per: Vec<Vec<f64>> = vec![vec![]; questions.len()];
    for round in 0..6 {
        for (i, (q, _)) in questions.iter().enumerate() {
            let s = Instant::now();
            loop {
                match index.search(q.as_str(), 8, &Bm25::default()) {
                    Ok(_) => break,
                    Err(Error::Missing) => {
                        for want in index.wanted() {
                            let f = std::fs::read(out.join(want.name())).unwrap();
                            index.supply(want.file, Form::of(&f).unwrap().unpack().unwrap()).unwrap();
                        }
                    }
                    Err(e) => panic!("{e}"),
                }
            }
            if round > 0 {
                per[i].push(s.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    let mut med: Vec<f64> = per
        .iter_mut()
        .map(|v| {
            v.sort_by(f64::total_cmp);
            v[v.len() / 2]
        })
        .collect();
    med.sort_by(f64::total_cmp);
    eprintln!(
        "warm p50 {:.3} p95 {:.3} max {:.3} ms ({:.1}s)",
        med[100],
        med[190],
        med[199],
        t.elapsed().as_secs_f64()
    );
    let _ = HashMap::<u8, u8>::new();
}
