//! What a model does for a question, once the packs' own answer is there, and what comes of it.

use seealso::{
    Answer, Deliberation, DeliberationConfig, Manifest, Model, ModelError, OnStep, OwnKnowledge, Roles,
    answer_from_own_knowledge,
};

use crate::source::SystemClock;

/// The work of a model.
#[derive(Clone, Copy)]
pub(crate) enum Work<'a> {
    /// To deliberate on the quoted answer.
    Deliberation {
        /// The quoted answer.
        answer: &'a Answer,
        /// The pages behind it, in the order of its sources.
        manifest: &'a Manifest,
    },
    /// To answer from its own knowledge, since no page is near enough to the question. It is given no page.
    OwnKnowledge {
        /// The question.
        question: &'a str,
    },
}

/// What came of it.
pub(crate) enum Product {
    /// The deliberation.
    Deliberation(Box<Deliberation>),
    /// The answer from the model's own knowledge.
    OwnKnowledge(OwnKnowledge),
}

impl Work<'_> {
    /// The key of its product in an answer's JSON.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Work::Deliberation { .. } => "deliberation",
            Work::OwnKnowledge { .. } => "own_knowledge",
        }
    }

    /// What of the answer stands where the model gives none, as the end of a sentence.
    pub(super) fn what_stands(self) -> &'static str {
        match self {
            Work::Deliberation { .. } => "the quoted one stands",
            Work::OwnKnowledge { .. } => "the packs have none",
        }
    }

    /// Has `model` do it.
    ///
    /// # Errors
    /// The model's.
    pub(super) async fn run<M: Model>(
        self,
        model: &M,
        config: &DeliberationConfig,
        on_step: OnStep<'_>,
    ) -> Result<Product, ModelError> {
        match self {
            Work::Deliberation { answer, manifest } => {
                let (roles, clock) = (Roles::all(model), SystemClock::start());
                let deliberating = seealso::deliberate(&roles, answer, manifest, config, &clock, on_step);
                Ok(Product::Deliberation(Box::new(deliberating.await?)))
            }
            Work::OwnKnowledge { question } => {
                Ok(Product::OwnKnowledge(answer_from_own_knowledge(model, question, config, on_step).await?))
            }
        }
    }
}
