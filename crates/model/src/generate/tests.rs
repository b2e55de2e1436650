//! Answers of a scripted network: what is run, what is shown, and why it ends.

use std::collections::BTreeMap;

use futures_executor::block_on;
use seealso_gguf::Message;
use seealso_gguf::testing::TinyModel;

use super::*;
use crate::adapters::{ADAPTED, Adapters};
use crate::mask::{Citations, OneOf, StringArray};
use crate::network::{Rows, Snapshot};
use crate::probe::Probe;
use crate::session::SessionOptions;

/// A network that wants to say a given text, and notes what it was asked to run.
#[derive(Debug)]
struct Script {
    /// The token that should stand at each position.
    wanted: Vec<u32>,
    context: usize,
    cache: Vec<u32>,
    kept: BTreeMap<u32, Vec<u32>>,
    /// Whether there is no memory for what is to be kept.
    full: bool,
    /// Whether it draws tokens by itself.
    draws: bool,
    adapters: Option<Adapters>,
    /// Positions, tokens and rows of each pass.
    passes: Vec<(usize, usize, Rows)>,
}

/// Single bytes are tokens 0..=255; 261 ends the answer.
const END: u32 = 261;
const VOCABULARY: u32 = 264;

fn language() -> Language {
    let file = TinyModel::default().write().unwrap();
    let header = seealso_gguf::read_all::<seealso_gguf::Error>(&file, &mut |_, _| Ok(())).unwrap();
    Language::from_header(&header).unwrap()
}

fn tokens(text: &str) -> Vec<u32> {
    text.bytes().map(u32::from).collect()
}

impl Network for Script {
    fn context(&self) -> usize {
        self.context
    }

    fn vocabulary_size(&self) -> usize {
        VOCABULARY as usize
    }

    fn draws_ahead(&self) -> bool {
        self.draws
    }

    fn adapt(&mut self, adapters: &Adapters) -> Result<bool, Error> {
        let had = self.adapters.replace(adapters.clone());
        Ok(had.is_none_or(|had| had != *adapters))
    }

    async fn forward(&mut self, position: usize, tokens: &[u32], rows: Rows) -> Result<Vec<f32>, Error> {
        assert!(position <= self.cache.len(), "a hole in the cache");
        self.passes.push((position, tokens.len(), rows));
        self.cache.truncate(position);
        self.cache.extend(tokens);
        let end = position + tokens.len();
        let wanted_rows = match rows {
            Rows::None => end..end,
            Rows::Last => end - 1..end,
            Rows::All => position..end,
        };
        // The wanted token has logit 2, lower ids are a little likelier than higher ones, all far below.
        let row = |at: usize| {
            let wanted = self.wanted.get(at + 1).copied().unwrap_or(END);
            (0..VOCABULARY).map(move |token| if token == wanted { 2.0 } else { -0.001 * token as f32 })
        };
        Ok(wanted_rows.flat_map(row).collect())
    }

    async fn state(&mut self, position: usize, token: u32, layers: usize) -> Result<Vec<f32>, Error> {
        assert!(position <= self.cache.len(), "a hole in the cache");
        self.cache.truncate(position);
        Ok(vec![token as f32, layers as f32])
    }

    fn snapshot_bytes(&self, length: usize) -> usize {
        length
    }

    fn keep(&mut self, length: usize) -> Result<Snapshot, Error> {
        if self.full {
            return Err(Error::Device { doing: "keeping the beginning of a prompt", cause: "no memory".to_owned() });
        }
        let id = self.kept.keys().last().map_or(0, |last| last + 1);
        self.kept.insert(id, self.cache[..length].to_vec());
        Ok(Snapshot(id))
    }

    fn restore(&mut self, snapshot: Snapshot, length: usize) -> Result<(), Error> {
        let kept = self.kept.get(&snapshot.0).ok_or(Error::NoSnapshot)?;
        self.cache = kept[..length].to_vec();
        Ok(())
    }

    fn drop_snapshot(&mut self, snapshot: Snapshot) {
        self.kept.remove(&snapshot.0);
    }
}

/// A session that, after `prompt`, wants to say `answer`; chunks of four tokens.
fn session(prompt: &str, answer: &str) -> Session<Script> {
    let wanted = tokens(&format!("{prompt}{answer}"));
    let script = Script {
        wanted,
        context: 64,
        cache: Vec::new(),
        kept: BTreeMap::new(),
        full: false,
        draws: false,
        adapters: None,
        passes: Vec::new(),
    };
    Session::new(script, SessionOptions { chunk: 4, prefix_bytes: 20 })
}

/// Runs a request over a session, noting the text of each event.
fn answer(session: &mut Session<Script>, request: &Request<'_>) -> (GenerationResult, Vec<String>) {
    let mut shown = Vec::new();
    let mut watch = async |event: Event<'_>| {
        if let Event::Text(text) = event {
            shown.push(text.to_owned());
        }
        ControlFlow::Continue(())
    };
    let generated = block_on(generate(session, &language(), request, &mut watch)).unwrap();
    (generated, shown)
}

fn check<'a>(answer_wanted: &str, change: impl FnOnce(&mut Request<'a>), text: &str, finish: Finish) {
    let mut request = Request { prompt: &[97, 115, 107], max_tokens: 40, ..Request::default() };
    change(&mut request);
    // Whether tokens are chosen from logits here or drawn where these are.
    for draws in [false, true] {
        let mut session = session("ask", answer_wanted);
        session.network.draws = draws;
        let (generated, shown) = answer(&mut session, &request);
        assert_eq!((generated.text.as_str(), generated.finish), (text, finish));
        assert_eq!(shown.concat(), text);
    }
}

#[test]
fn ends_where_it_should() {
    check("hello", |_| (), "hello", Finish::Ended);
    check("hello", |request| request.max_tokens = 3, "hel", Finish::MaxTokens);
    check("hello", |request| request.max_tokens = 0, "", Finish::MaxTokens);
    let long = "x".repeat(80);
    check(&long, |request| request.max_tokens = 90, &long[..62], Finish::ContextFull);
}

#[test]
fn stop_strings_are_not_shown() {
    let stops = ["lo".to_owned()];
    let prompt = tokens("ask");
    let request = Request { prompt: &prompt, max_tokens: 40, stops: &stops, ..Request::default() };
    let (generated, shown) = answer(&mut session("ask", "hallo!"), &request);
    assert_eq!((generated.text.as_str(), generated.finish), ("hal", Finish::StopString));
    assert_eq!(shown, ["h", "a", "", "l", ""]);
    let (generated, _) = answer(&mut session("ask", "hal"), &request);
    assert_eq!((generated.text.as_str(), generated.finish), ("hal", Finish::Ended));
}

#[test]
fn characters_are_shown_whole() {
    let prompt = tokens("ask");
    let request = Request { prompt: &prompt, max_tokens: 40, ..Request::default() };
    let (generated, shown) = answer(&mut session("ask", "é🙂"), &request);
    assert_eq!(generated.text, "é🙂");
    assert_eq!(shown, ["", "é", "", "", "", "🙂"]);
}

#[test]
fn masks_hold() {
    let word = OneOf::new(["yes", "no"]);
    let marks = Citations { sources: 2 };
    let list = StringArray { most: 3, longest: 9 };
    let cases: [(&str, &dyn Mask, &str); 4] = [
        ("perhaps", &word, "no"),
        ("yes", &marks, "yes"),
        ("a [3]", &marks, "a [1]"),
        ("[\"a\"] and more", &list, "[\"a\"]"),
    ];
    for (wanted, mask, said) in cases {
        check(wanted, |request| request.mask = Some(mask), said, Finish::Ended);
    }
}

#[test]
fn a_network_draws_what_the_request_leaves_to_chance_alone() {
    let passes = |draws: bool, sampling: Sampling| {
        let mut session = session("ask", "yes");
        session.network.draws = draws;
        let request = Request { prompt: &[97, 115, 107], max_tokens: 40, sampling, ..Request::default() };
        let (generated, _) = answer(&mut session, &request);
        assert_eq!(generated.text, "yes");
        session.network.passes.len()
    };
    // Temperatures so low that no other token is drawn.
    let drawn = Sampling { temperature: 0.01, ..Sampling::default() };
    for sampling in [Sampling::default(), drawn.clone(), Sampling { top_k: 2, ..drawn }] {
        assert_eq!(passes(true, sampling.clone()), passes(false, sampling));
    }
}

#[test]
fn a_token_that_a_mask_refuses_is_drawn_again_from_the_logits() {
    let mut session = session("ask", "a [3] b");
    session.network.draws = true;
    let mask = Citations { sources: 2 };
    let request = Request { prompt: &[97, 115, 107], max_tokens: 40, mask: Some(&mask), ..Request::default() };
    let (generated, _) = answer(&mut session, &request);
    assert_eq!(generated.text, "a [1] b");
    // One pass for the prompt, one for each token, and one more behind the bracket.
    assert_eq!(session.network.passes.len(), 1 + 7 + 1);
}

#[test]
fn a_beginning_that_cannot_be_kept_costs_no_answer() {
    let mut session = session("ask", "yes");
    session.network.full = true;
    let prompt = tokens("ask");
    let mut on = async |_: PrefillProgress| ControlFlow::Continue(());
    assert!(!block_on(session.remember("name", &prompt, &mut on)).unwrap());
    let (generated, _) = answer(&mut session, &Request { prompt: &prompt, max_tokens: 9, ..Request::default() });
    assert_eq!(generated.text, "yes");
}

#[test]
fn a_mask_without_a_way_on_is_an_error() {
    let prompt = tokens("ask");
    let mask = OneOf::new([""; 0]);
    let request = Request { prompt: &prompt, max_tokens: 4, mask: Some(&mask), ..Request::default() };
    let mut watch = async |_: Event<'_>| ControlFlow::Continue(());
    let outcome = block_on(generate(&mut session("ask", "x"), &language(), &request, &mut watch));
    assert!(matches!(outcome, Err(Error::NothingAllowed { .. })));
}

#[test]
fn a_network_that_gives_no_numbers_is_an_error_of_its_own() {
    let prompt = tokens("ask");
    let mask = OneOf::new(["yes"]);
    for mask in [None, Some(&mask as &dyn Mask)] {
        let request = Request { prompt: &prompt, max_tokens: 4, mask, ..Request::default() };
        let language = language();
        let mut answer = Answer::new(&language, &request);
        let error = answer.choose(&prompt, &[f32::NAN; VOCABULARY as usize]).unwrap_err();
        assert!(matches!(error, Error::NoNumbers), "{error}");
    }
}

#[test]
fn stops_mid_prefill_and_goes_on_from_there() {
    let mut session = session("a question", "yes");
    let prompt = tokens("a question");
    let request = Request { prompt: &prompt, max_tokens: 9, ..Request::default() };
    let mut watch = async |event: Event<'_>| match event {
        Event::PrefillProgress(step) if step.done >= 4 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let stopped = block_on(generate(&mut session, &language(), &request, &mut watch)).unwrap();
    assert_eq!((stopped.finish, session.tokens().len()), (Finish::Stopped, 4));
    let (generated, _) = answer(&mut session, &request);
    assert_eq!((generated.text.as_str(), generated.reused), ("yes", 4));
    let passes = &session.network().passes;
    assert_eq!(passes[..3], [(0, 4, Rows::None), (4, 4, Rows::None), (8, 2, Rows::Last)]);
}

#[test]
fn stops_within_one_token() {
    let mut session = session("ask", "a long answer");
    let prompt = tokens("ask");
    let request = Request { prompt: &prompt, max_tokens: 40, ..Request::default() };
    let mut watch = async |event: Event<'_>| match event {
        Event::Text("l") => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let stopped = block_on(generate(&mut session, &language(), &request, &mut watch)).unwrap();
    assert_eq!((stopped.text.as_str(), stopped.finish), ("a l", Finish::Stopped));
    assert_eq!(session.network().passes.len(), 3);
}

#[test]
fn goes_on_from_tokens_that_another_device_drew() {
    let prompt = tokens("ask");
    let stops = ["end".to_owned()];
    // The last byte of é, and what may begin a stop string, are not shown before they are whole or certain.
    let whole = "caf\u{e9}, enough";
    let request = Request { prompt: &prompt, max_tokens: 12, stops: &stops, ..Request::default() };
    let mut drawn = Vec::new();
    let mut watch = async |event: Event<'_>| {
        if let Event::Drawn(token) = event {
            drawn.push(token);
        }
        ControlFlow::Continue(())
    };
    let first = block_on(generate(&mut session("ask", whole), &language(), &request, &mut watch)).unwrap();
    assert_eq!((first.text.as_str(), drawn.as_slice()), ("caf\u{e9}, enoug", first.tokens.as_slice()));
    for (count, rest) in
        [(0, "caf\u{e9}, enoug"), (4, "\u{e9}, enoug"), (8, "enoug"), (9, "enoug"), (10, "ug"), (11, "g")]
    {
        let request = Request { begun: &drawn[..count], sampling: request.sampling.clone(), ..request };
        let (generated, shown) = answer(&mut session("ask", whole), &request);
        assert_eq!(generated, first, "after {count} tokens");
        assert_eq!(shown.concat(), rest, "after {count} tokens");
    }
}

#[test]
fn the_same_beginning_is_not_prefilled_again() {
    let mut session = session("one two", "!");
    let first = tokens("one two");
    answer(&mut session, &Request { prompt: &first, max_tokens: 1, ..Request::default() });
    session.network.passes.clear();
    let second = tokens("one ten");
    let (generated, _) = answer(&mut session, &Request { prompt: &second, max_tokens: 1, ..Request::default() });
    assert_eq!((generated.reused, session.network().passes.as_slice()), (5, [(5, 2, Rows::Last)].as_slice()));
    session.network.passes.clear();
    // The same again: the last token is still run, for its logits.
    answer(&mut session, &Request { prompt: &second, max_tokens: 1, ..Request::default() });
    assert_eq!(session.network().passes, [(6, 1, Rows::Last)]);
}

#[test]
fn named_prefixes_are_kept_within_their_bound() {
    let mut session = session("", "");
    let mut on = async |_| ControlFlow::Continue(());
    for (name, text) in [("a", "aaaaaaaa"), ("b", "bbbbbbbb"), ("c", "cccc")] {
        assert!(block_on(session.remember(name, &tokens(text), &mut on)).unwrap());
    }
    let kept =
        |session: &Session<Script>| session.prefixes().map(|(name, _)| name.to_owned()).collect::<Vec<_>>().concat();
    assert_eq!((kept(&session), session.prefix_bytes()), ("abc".into(), 20));
    session.network.passes.clear();
    let prompt = tokens("aaaaaaaa?");
    block_on(session.prefill(&prompt, &mut on)).unwrap();
    assert_eq!((session.network().passes.as_slice(), kept(&session)), ([(8, 1, Rows::Last)].as_slice(), "bca".into()));
    assert!(block_on(session.remember("d", &tokens("dd"), &mut on)).unwrap());
    assert_eq!((kept(&session), session.network().kept.len()), ("cad".into(), 3));
    assert!(!block_on(session.remember("e", &tokens(&"e".repeat(21)), &mut on)).unwrap());
    assert!(session.forget("a") && !session.forget("a"));
    assert_eq!(kept(&session), "cd");
}

#[test]
fn scores_continuations_after_one_prefill() {
    let mut session = session("is it so? ", "yes");
    let prompt = tokens("is it so? ");
    let continuations = [tokens("yes"), tokens("no"), tokens("y"), vec![]];
    let scores = block_on(session.score(&prompt, &continuations)).unwrap();
    // In each row one logit is 2 and the others are -0.001 × id.
    let row = |wanted: u32, token: u32| {
        let logit = |t: u32| if t == wanted { 2.0 } else { -0.001 * f64::from(t) };
        logit(token) - (0..VOCABULARY).map(|t| logit(t).exp()).sum::<f64>().ln()
    };
    let id = |letter: char| letter as u32;
    let expected = [
        row(id('y'), id('y')) + row(id('e'), id('e')) + row(id('s'), id('s')),
        row(id('y'), id('n')) + row(id('e'), id('o')),
        row(id('y'), id('y')),
        0.0,
    ];
    for (score, expected) in scores.iter().zip(expected) {
        assert!((score - expected).abs() < 1e-5, "{score} {expected}");
    }
    let passes = &session.network().passes;
    assert_eq!(passes[3..], [(10, 2, Rows::All), (10, 1, Rows::All)]);
    assert_eq!(session.tokens(), prompt);
}

#[test]
fn scoring_can_be_stopped() {
    let mut session = session("is it so? ", "yes");
    let prompt = tokens("is it so? ");
    let continuations = [tokens("yes"), tokens("no")];
    let mut stop_at = |at: usize| {
        let mut seen = 0;
        let mut watch = async |_| {
            seen += 1;
            if seen == at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        block_on(session.score_watched(&prompt, &continuations, &mut watch)).unwrap()
    };
    assert_eq!(stop_at(2), None, "in the prompt");
    assert_eq!(stop_at(4), None, "after it was scored once");
    assert_eq!(stop_at(9).map(|scores| scores.len()), Some(2));
    assert_eq!(session.tokens(), prompt);
}

#[test]
fn prompts_that_cannot_be_are_errors() {
    let mut session = session("", "");
    let mut on = async |_| ControlFlow::Continue(());
    assert!(matches!(block_on(session.prefill(&[], &mut on)), Err(Error::EmptyPrompt)));
    let long = tokens(&"x".repeat(65));
    assert!(matches!(block_on(session.prefill(&long, &mut on)), Err(Error::TooLong { needed: 65, context: 64 })));
}

#[test]
fn reads_what_stands_behind_a_layer() {
    let mut session = session("Is it so?", "");
    let probe = Probe { layers: 3, read: 1, weights: vec![1.0, 100.0], units: Vec::new(), bias: 0.5, adapters: None };
    let mut on = async |_| ControlFlow::Continue(());
    let read = |session: &mut Session<Script>, text: &str| {
        block_on(probe.read(session, &tokens(text), &mut async |_| ControlFlow::Continue(()))).unwrap()
    };
    assert_eq!(read(&mut session, "Is it so?"), Some(f64::from(b'?') + 300.5));
    // All but the last token are in the cache, and are not run again.
    assert_eq!((session.tokens(), session.network.passes.len()), (&tokens("Is it so")[..], 2));
    assert_eq!(read(&mut session, "Is it so!"), Some(f64::from(b'!') + 300.5));
    assert_eq!(session.network.passes.len(), 2);
    assert_eq!(read(&mut session, "x"), Some(f64::from(b'x') + 300.5));
    // Two layers are two states of the same prompt.
    let two = Probe { read: 2, weights: vec![1.0, 0.0, 0.0, 100.0], ..probe.clone() };
    let passes = session.network.passes.len();
    let read_two = block_on(two.read(&mut session, &tokens("x"), &mut async |_| ControlFlow::Continue(())));
    assert_eq!(read_two.unwrap(), Some(f64::from(b'x') + 300.5));
    assert_eq!(session.network.passes.len(), passes);
    for (read, count) in [(1, 3), (2, 2), (4, 8), (0, 0), (1, 0)] {
        let other = Probe { read, weights: vec![1.0; count], ..probe.clone() };
        let refused = block_on(other.read(&mut session, &tokens("x"), &mut async |_| ControlFlow::Continue(())));
        assert!(matches!(refused, Err(Error::OtherWidth { width: 2, .. })), "{read} {count}");
    }
    let stopped = block_on(probe.read(&mut session, &tokens("yes"), &mut async |_| ControlFlow::Break(())));
    assert_eq!(stopped.unwrap(), None);
    assert!(matches!(block_on(probe.read(&mut session, &[], &mut on)), Err(Error::EmptyPrompt)));
    let long = block_on(probe.read(&mut session, &[1; 65], &mut on));
    assert!(matches!(long, Err(Error::TooLong { needed: 65, context: 64 })));
}

#[test]
fn what_adapters_read_is_never_taken_for_the_rest() {
    let mut session = session("Is it so?", "");
    let adapters = |number| Some(Adapters { layers: 1, units: 1, numbers: vec![number; 6] });
    let probe =
        |adapters| Probe { layers: 3, read: 1, weights: vec![0.0, 1.0], units: Vec::new(), bias: 0.5, adapters };
    let mut on = async |_| ControlFlow::Continue(());
    let prompt = tokens("Is it so?");
    let marked: Vec<u32> = prompt.iter().map(|token| token | ADAPTED).collect();
    block_on(session.prefill(&prompt, &mut on)).unwrap();
    let mut read = |session: &mut Session<Script>, number| {
        let read = block_on(probe(adapters(number)).read(session, &prompt, &mut on)).unwrap();
        (read, session.tokens().to_vec(), session.network.passes.len())
    };
    // The same text, read plainly before, is run again; read again it is not.
    let passes = session.network.passes.len();
    assert_eq!(read(&mut session, 0.5), (Some(3.5), marked[..8].to_vec(), passes + 2));
    assert_eq!(read(&mut session, 0.5), (Some(3.5), marked[..8].to_vec(), passes + 2));
    assert_eq!(
        block_on(session.remember("read", &marked[..4], &mut async |_| ControlFlow::Continue(()))).ok(),
        Some(true)
    );
    // Other adapters read it anew, and what was kept of it is gone.
    assert_eq!(read(&mut session, 0.25), (Some(3.5), marked[..8].to_vec(), passes + 4));
    assert_eq!(session.prefixes().count(), 0);
    // So does what is read plainly after it.
    block_on(session.prefill(&prompt, &mut async |_| ControlFlow::Continue(()))).unwrap();
    assert_eq!(session.network.passes.len(), passes + 7);
}

#[test]
fn a_last_turn_is_what_follows_the_others() {
    let language = language();
    let [system, user] = [Message::system("Check."), Message::user("Is it so?")];
    let all = language.prompt(&[system.clone(), user.clone()]).unwrap();
    let last = language.last_turn(&[system.clone(), user.clone()]).unwrap();
    assert!(last.len() < all.len() && all.ends_with(&last));
    let alone = std::slice::from_ref(&user);
    assert_eq!(language.last_turn(alone).unwrap(), language.prompt(alone).unwrap());
    let longer = [system, Message::user("Was it?"), Message::assistant("Yes"), user];
    assert_eq!(language.last_turn(&longer).unwrap(), last);
}
