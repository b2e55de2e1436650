//! The reader's consent, as a value: without one there is no node, and so no request.

use std::fmt;

use crate::address::Address;

/// The terms that the reader is asked to agree to: who gets what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    origin: String,
    private: bool,
}

/// The reader's agreement to the [`Terms`], for one origin. Only [`Terms::agree`] makes one, so nothing can be sent
/// before the origin is known and its terms could be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent(Terms);

impl Terms {
    /// The terms of sending to `address`.
    pub fn of(address: &Address) -> Terms {
        Terms { origin: address.origin().to_owned(), private: address.is_private() }
    }

    /// The origin of the recipient.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// What will be sent, and nothing else.
    pub fn sent(&self) -> [&'static str; 4] {
        [
            "your question, and questions before it that it goes on from",
            "texts of the pages that were found for it, if there are any",
            "the draft of the answer, and the review of that draft",
            "seealso's own instructions to the model, its name, and the key if there is one",
        ]
    }

    /// What will not be sent.
    pub fn kept(&self) -> &'static str {
        "Not sent: the address of the page that you are on, cookies, and anything else of yours."
    }

    /// Further remarks for the reader.
    pub fn remarks(&self) -> Vec<&'static str> {
        let mut remarks = vec![
            "As with any request, the node sees your network address; a browser names itself, its language and the site.",
        ];
        if !self.private {
            remarks
                .push("The connection is not encrypted: whoever is between can read it. Use https:// where you can.");
        }
        remarks
    }

    /// Records the reader's agreement.
    pub fn agree(self) -> Consent {
        Consent(self)
    }
}

impl Consent {
    /// The terms that were agreed to.
    pub fn terms(&self) -> &Terms {
        &self.0
    }
}

/// The terms in full, line by line.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "To {} will be sent, for each question:", self.origin)?;
        for item in self.sent() {
            writeln!(f, "- {item}")?;
        }
        write!(f, "{}", self.kept())?;
        self.remarks().iter().try_for_each(|remark| write!(f, "\n{remark}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_say_who_gets_what() {
        let terms = |url| Terms::of(&Address::parse(url).unwrap()).to_string();
        assert_eq!(
            terms("https://node.example/v1"),
            "To https://node.example will be sent, for each question:\n\
             - your question, and questions before it that it goes on from\n\
             - texts of the pages that were found for it, if there are any\n\
             - the draft of the answer, and the review of that draft\n\
             - seealso's own instructions to the model, its name, and the key if there is one\n\
             Not sent: the address of the page that you are on, cookies, and anything else of yours.\n\
             As with any request, the node sees your network address; a browser names itself, its language and the site."
        );
        assert!(terms("http://node.example/v1").ends_with("Use https:// where you can."));
        assert!(!terms("http://localhost/v1").contains("https://"));
    }
}
