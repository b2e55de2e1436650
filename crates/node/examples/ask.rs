//! Asks a node on the command line: what it lists, how likely it is to begin with "Yes" or "No", and what it writes.
//!
//! ```sh
//! cargo run -p seealso-node --features native --example ask -- http://127.0.0.1:8322/v1 "Is green tea a kind of tea?"
//! ```
#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use std::error::Error;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use seealso::{Clock, GenerationEvent, GenerationRequest, Model as _, Prompt};
use seealso_node::native::NativeTransport;
use seealso_node::{Address, Node, Settings, Terms};

struct SystemClock(Instant);

impl Clock for SystemClock {
    fn now_ms(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1000.0
    }

    async fn sleep(&self, ms: u32) {
        tokio::time::sleep(Duration::from_millis(ms.into())).await;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(question)) = (arguments.next(), arguments.next()) else {
        return Err("give a node's base URL and a question".into());
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(ask(&url, question, arguments.next()))
}

async fn ask(url: &str, question: String, model: Option<String>) -> Result<(), Box<dyn Error>> {
    // Who may be sent to, and what: whoever runs this has typed the address and is shown the rest.
    let address = Address::parse(url)?;
    let terms = Terms::of(&address);
    println!("{terms}\n");
    let settings = Settings { model, ..Settings::at(address) };
    let node = Node::connect(settings, terms.agree(), NativeTransport, SystemClock(Instant::now())).await?;
    println!("{:?}\n", node.abilities());

    let prompt = Prompt { system: "Answer with Yes or No.".to_owned(), user: question.clone(), ..Prompt::default() };
    match node.score(&prompt, &["Yes", "No"]).await {
        Ok(scores) => println!("Yes {:.4}, No {:.4}\n", scores[0], scores[1]),
        Err(error) => println!("no scores: {error}\n"),
    }

    let prompt = Prompt { system: "Answer in one sentence.".to_owned(), user: question, ..Prompt::default() };
    let writing = GenerationRequest { prompt, max_tokens: 60, temperature: 0.0, seed: 0, shape: None };
    let mut watch = |wrote: GenerationEvent<'_>| {
        if let GenerationEvent::Text(text) = wrote {
            print!("{text}");
            drop(std::io::stdout().flush());
        }
        ControlFlow::Continue(())
    };
    let written = node.write(&writing, &mut watch).await?;
    println!("\n\n{written:?}");
    Ok(())
}
