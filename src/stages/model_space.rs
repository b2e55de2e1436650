//! The vector space of the model that a stage was made with.

use seealso_pack::StageModel;
use seealso_vectors::Space;

/// The space of the vectors that a model makes; none where its hash is none.
pub(crate) fn space_of(model: &StageModel) -> Option<Space> {
    let digits = model.sha256.as_bytes();
    let mut sha256 = [0; 32];
    if digits.len() != 2 * sha256.len() || !digits.is_ascii() {
        return None;
    }
    for (byte, at) in sha256.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(model.sha256.get(at..at + 2)?, 16).ok()?;
    }
    let (model_name, scheme) = (model.id.clone(), model.scheme.clone());
    Some(Space { model: model_name, sha256, scheme, dimensions: model.dimensions as usize })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_of_64_hexadecimal_digits_makes_a_space() {
        let check = |sha256: &str, id: Option<&str>| {
            let (name, scheme) = ("m".to_owned(), "mean".to_owned());
            let model = StageModel { id: name, sha256: sha256.to_owned(), dimensions: 2, scheme, files: Vec::new() };
            assert_eq!(space_of(&model).map(|space| space.id()).as_deref(), id, "{sha256}");
        };
        check(&"0a".repeat(32), Some("m@0a0a0a0a0a0a (mean, 2)"));
        check(&"0a".repeat(31), None);
        check(&"0g".repeat(32), None);
        check(&"é".repeat(32), None);
        check("", None);
    }
}
