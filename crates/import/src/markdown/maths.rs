//! Formulas, in the TeX that pages keep of them.

use crate::dom::{Dom, NodeId, one_line};

/// The TeX of an element that shows a formula.
pub(super) fn formula(dom: &Dom, id: NodeId) -> Option<String> {
    let is_script = dom.name(id) == "script";
    if is_script && !dom.attribute(id, "type").is_some_and(|kind| kind.starts_with("math/tex")) {
        return None;
    }
    let annotation = dom.descendants(id).find(|&below| {
        dom.name(below) == "annotation" && dom.attribute(below, "encoding").is_some_and(|kind| kind.contains("tex"))
    });
    let text = match (annotation, dom.name(id)) {
        (Some(annotation), _) => dom.all_text(annotation),
        (None, "math") => dom.attribute(id, "alttext").map_or_else(|| dom.all_text(id), str::to_owned),
        (None, "script") => dom.all_text(id),
        (None, _) => {
            let text = dom.line(id);
            let inner = [("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")];
            let inner = inner.iter().find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
            inner?.to_owned()
        }
    };
    let text = one_line(&text).replace('$', "\\$");
    (!text.is_empty()).then_some(text)
}

/// Whether a formula stands on a line of its own.
pub(super) fn is_display(dom: &Dom, id: NodeId) -> bool {
    dom.attribute(id, "display") == Some("block")
        || dom.attribute(id, "type").is_some_and(|kind| kind.starts_with("math/tex") && kind.contains("display"))
}
