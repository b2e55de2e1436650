//! debug
#[test]
fn dbg() {
    let bytes = std::fs::read(std::fs::read_dir("/tmp/five/index").unwrap().map(|e| e.unwrap().path()).find(|p| p.extension().is_some_and(|e| e == "idx")).unwrap()).unwrap();
    let index = seealso_index::Index::open(bytes).unwrap();
    let c = crate::config::Config::default();
    let e = super::evidence::Evidence::new(&index, &c.bm25);
    for (l, r) in [("Where do changes wait before they become permanent in git", "where do payments wait in Bitcoin? Who picks what goes in next?"),
      ("In which order should the migration go", "how do I check such a huge change"),
      ("I want an AI agent to strip useMemo and useCallback from 400 components after we turn the React compiler on. In which order should the migration go", "how do I check such a huge change"),
      ("commit text", "design record"),("new", "git")] {
        println!("{l} | {r}: lean {:?} {:?} found {:?} {:?}", e.leaning(l).unwrap(), e.leaning(r).unwrap(), e.found_in(l).unwrap(), e.found_in(r).unwrap());
    }
}
