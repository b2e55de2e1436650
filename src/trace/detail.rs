//! The full result of a stage: a tree of plain values that serialises as JSON does.
//!
//! `serde_json`'s values would do as well, at about twice the code in the browser.

use seealso_index::sort_by;
use serde::{Serialize, Serializer};

/// A value of a trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Detail {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Count(u64),
    /// A number; `None` if it is not finite.
    Number(Option<f64>),
    /// Text.
    Text(String),
    /// Values in their order.
    List(Vec<Detail>),
    /// Values by name, sorted.
    #[serde(serialize_with = "pairs")]
    Map(Vec<(String, Detail)>),
}

impl Detail {
    /// A map of pairs in any order.
    pub(crate) fn map(mut pairs: Vec<(String, Detail)>) -> Detail {
        sort_by(&mut pairs, |a, b| a.0.cmp(&b.0));
        Detail::Map(pairs)
    }

    /// A map with fixed names; see `detail!`.
    pub(crate) fn fields(names: &[&str], values: Vec<Detail>) -> Detail {
        Detail::map(names.iter().map(|name| (*name).to_owned()).zip(values).collect())
    }
}

fn pairs<S: Serializer>(pairs: &[(String, Detail)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// A [`Detail`] written as JSON would be: `detail!({ "page": id, "rank": 3 })`.
macro_rules! detail {
    ({ $($name:literal: $value:expr),+ $(,)? }) => {{
        use $crate::trace::ToDetail as _;
        $crate::trace::Detail::fields(&[$($name),+], vec![$($value.to_detail()),+])
    }};
}
pub(crate) use detail;

/// A value that can be part of a [`Detail`].
pub(crate) trait ToDetail {
    /// Converts the value.
    fn to_detail(&self) -> Detail;
}

impl ToDetail for bool {
    fn to_detail(&self) -> Detail {
        Detail::Flag(*self)
    }
}

impl ToDetail for u32 {
    fn to_detail(&self) -> Detail {
        Detail::Count(u64::from(*self))
    }
}

impl ToDetail for usize {
    fn to_detail(&self) -> Detail {
        Detail::Count(*self as u64)
    }
}

impl ToDetail for f64 {
    fn to_detail(&self) -> Detail {
        Detail::Number(Some(*self).filter(|number| number.is_finite()))
    }
}

impl ToDetail for &str {
    fn to_detail(&self) -> Detail {
        Detail::Text((*self).to_owned())
    }
}

impl ToDetail for String {
    fn to_detail(&self) -> Detail {
        Detail::Text(self.clone())
    }
}

impl ToDetail for Detail {
    fn to_detail(&self) -> Detail {
        self.clone()
    }
}

impl<T: ToDetail> ToDetail for Vec<T> {
    fn to_detail(&self) -> Detail {
        Detail::List(self.iter().map(T::to_detail).collect())
    }
}

impl<T: ToDetail, const N: usize> ToDetail for [T; N] {
    fn to_detail(&self) -> Detail {
        Detail::List(self.iter().map(T::to_detail).collect())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_serialises_as_json() {
        let text = "tea".to_owned();
        let part = detail!({ "score": 1.5_f64, "none": f64::NAN, "at": 3_usize });
        let detail =
            detail!({ "text": text, "changed": false, "parts": vec![part], "counts": [1_u32, 0], "rule": "and" });
        assert_eq!(
            serde_json::to_string(&detail).unwrap(),
            r#"{"changed":false,"counts":[1,0],"parts":[{"at":3,"none":null,"score":1.5}],"rule":"and","text":"tea"}"#
        );
    }
}
