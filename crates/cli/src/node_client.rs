//! Asks a node: its address, the user's consent to what is sent to it, and the model behind it.

use std::io::{BufRead, IsTerminal as _, Write};

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use seealso_node::native::NativeTransport;
use seealso_node::{Address, Consent, Key, Limits, Node, Settings, Terms};

use crate::source::SystemClock;

/// The node that answers, and the consent to ask it.
#[derive(Args)]
pub(crate) struct NodeArguments {
    /// Let the model behind this OpenAI-compatible base URL work on the answer, such as http://127.0.0.1:8322/v1; the
    /// question and texts of pages are sent to it.
    #[arg(long, value_name = "URL")]
    pub(crate) node: Option<String>,
    /// The node's model; not needed where it has only one.
    #[arg(long, value_name = "NAME", requires = "node")]
    node_model: Option<String>,
    /// The environment variable that holds the node's key; the key itself is never an argument, which others can see.
    #[arg(long, value_name = "VARIABLE", requires = "node")]
    node_key_env: Option<String>,
    /// The context of the node's model in tokens, where the node does not tell it.
    #[arg(long, value_name = "TOKENS", requires = "node", value_parser = clap::value_parser!(u32).range(256..))]
    node_context: Option<u32>,
    /// Seconds to wait for the first word.
    #[arg(long, value_name = "SECONDS", requires = "node", default_value_t = 180, value_parser = clap::value_parser!(u32).range(1..=3600))]
    node_wait: u32,
    /// Agree to what is sent to the node; without it a terminal asks, and anything else refuses.
    #[arg(long, requires = "node")]
    consent_to_send: bool,
}

/// A node over this machine's network.
pub(crate) type NativeNode = Node<NativeTransport, SystemClock>;

/// A node that the user agrees to ask.
pub(crate) struct ConsentedNode {
    settings: Settings,
    consent: Consent,
}

impl ConsentedNode {
    /// The node's address.
    pub(crate) fn address(&self) -> &str {
        self.settings.address.base()
    }

    /// Asks the node for its model.
    ///
    /// # Errors
    /// Those of [`Node::connect`].
    pub(crate) async fn connect(&self) -> Result<NativeNode, seealso_node::Error> {
        Node::connect(self.settings.clone(), self.consent.clone(), NativeTransport, SystemClock::start()).await
    }
}

impl NodeArguments {
    /// The node, where one is named and the user agrees. Nothing is sent yet.
    ///
    /// # Errors
    /// Arguments that can't be used, and a user who does not agree.
    pub(crate) fn consented(&self) -> anyhow::Result<Option<ConsentedNode>> {
        let Some(settings) = self.settings()? else { return Ok(None) };
        let terms = Terms::of(&settings.address);
        let consent = match self.consent_to_send {
            true => terms.agree(),
            false if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() => {
                ask(terms, &mut std::io::stdin().lock(), &mut anstream::stderr())?
            }
            false => bail!("{}\n\nAdd --consent-to-send to agree; nothing was sent.", terms),
        };
        Ok(Some(ConsentedNode { settings, consent }))
    }

    fn settings(&self) -> anyhow::Result<Option<Settings>> {
        let Some(url) = &self.node else { return Ok(None) };
        Ok(Some(Settings {
            model: self.node_model.clone(),
            key: self.node_key_env.as_deref().map(key).transpose()?,
            context: self.node_context.map(|tokens| tokens as usize),
            limits: Limits { first_ms: self.node_wait * 1000, ..Limits::default() },
            ..Settings::at(Address::parse(url)?)
        }))
    }
}

fn key(variable: &str) -> anyhow::Result<Key> {
    let value = std::env::var(variable)
        .map_err(|_| anyhow!("the environment variable {variable} of --node-key-env is not set, or is no text"))?;
    Key::new(&value).with_context(|| format!("the environment variable {variable}"))
}

/// Shows the terms, and asks for a yes.
fn ask(terms: Terms, input: &mut dyn BufRead, output: &mut dyn Write) -> anyhow::Result<Consent> {
    write!(output, "{terms}\nSend it? [y/N] ")?;
    output.flush()?;
    let mut line = String::new();
    input.read_line(&mut line)?;
    match line.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(terms.agree()),
        _ => bail!("not agreed; nothing was sent"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        node: NodeArguments,
    }

    fn arguments(more: &[&str]) -> Result<NodeArguments, clap::Error> {
        Command::try_parse_from([&["seealso"], more].concat()).map(|command| command.node)
    }

    #[test]
    fn only_a_yes_is_a_yes() {
        let check = |typed: &str, expected: bool| {
            let terms = Terms::of(&Address::parse("http://localhost:8322/v1").unwrap());
            let mut shown = Vec::new();
            let consent = ask(terms, &mut typed.as_bytes(), &mut shown);
            assert_eq!(consent.is_ok(), expected, "{typed:?}");
            let shown = String::from_utf8(shown).unwrap();
            assert!(shown.starts_with("To http://localhost:8322 will be sent, for each question:\n- your question"));
            assert!(shown.ends_with("\nSend it? [y/N] "), "{shown}");
        };
        check("y\n", true);
        check(" YES \n", true);
        check("\n", false);
        check("n\n", false);
        check("yeah\n", false);
        check("", false);
    }

    #[test]
    fn without_consent_nothing_is_sent() {
        // Tests have no terminal; were anything sent to this port, the message would be another one.
        let arguments = arguments(&["--node", "http://127.0.0.1:1/v1", "--node-model", "m"]).unwrap();
        let error = arguments.consented().err().unwrap().to_string();
        assert!(error.starts_with("To http://127.0.0.1:1 will be sent, for each question:\n"), "{error}");
        assert!(error.ends_with("\n\nAdd --consent-to-send to agree; nothing was sent."), "{error}");
    }

    #[test]
    fn arguments_make_settings() {
        assert!(arguments(&[]).unwrap().settings().unwrap().is_none());
        let given =
            ["--node", "http://localhost:1/v1/", "--node-model", "m", "--node-context", "4096", "--node-wait", "5"];
        let settings = arguments(&given).unwrap().settings().unwrap().unwrap();
        assert_eq!(settings.address.base(), "http://localhost:1/v1");
        assert_eq!((settings.model.as_deref(), settings.context), (Some("m"), Some(4096)));
        assert_eq!((settings.limits.first_ms, settings.key), (5000, None));
        let says = |more: &[&str]| arguments(more).unwrap().settings().unwrap_err().to_string();
        assert!(says(&["--node", "localhost:1"]).contains("http:// or https://"));
        let unset = says(&["--node", "http://localhost", "--node-key-env", "SEEALSO_TEST_UNSET"]);
        assert_eq!(unset, "the environment variable SEEALSO_TEST_UNSET of --node-key-env is not set, or is no text");
        for wrong in
            [&["--node-model", "m"][..], &["--consent-to-send"], &["--node", "http://localhost", "--node-wait", "0"]]
        {
            assert!(arguments(wrong).is_err(), "{wrong:?}");
        }
    }
}
