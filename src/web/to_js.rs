//! Values as plain JavaScript ones, of the same shape as in JSON. serde with serde-wasm-bindgen does the same, at about
//! 1 KB more of the first load.

use js_sys::Array;
use seealso_pack::{Element, Node};
use wasm_bindgen::prelude::*;

use crate::trace::Detail;

/// A value that converts to a JavaScript value.
pub(super) trait ToJs {
    /// Converts the value.
    fn to_js(&self) -> JsValue;
}

#[wasm_bindgen]
extern "C" {
    /// A plain object.
    #[wasm_bindgen(js_name = Object)]
    pub(super) type Object;

    #[wasm_bindgen(constructor, js_class = "Object")]
    pub(super) fn new() -> Object;

    #[wasm_bindgen(method, indexing_setter)]
    pub(super) fn set(this: &Object, key: &str, value: JsValue);
}

/// Implements [`ToJs`] for structs as objects with their fields. A missing field is a compile error.
macro_rules! objects {
    ($($name:ident { $($field:ident),+ $(,)? })+) => {$(
        impl $crate::web::to_js::ToJs for $name {
            fn to_js(&self) -> wasm_bindgen::JsValue {
                let $name { $($field),+ } = self;
                let object = $crate::web::to_js::Object::new();
                $(object.set(stringify!($field), $crate::web::to_js::ToJs::to_js($field));)+
                object.into()
            }
        }
    )+};
}
pub(super) use objects;

/// Implements [`ToJs`] for types of numbers; JavaScript's are exact up to 2⁵³.
macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl ToJs for $number {
            fn to_js(&self) -> JsValue {
                JsValue::from_f64(*self as f64)
            }
        }
    )+};
}
numbers!(u32, u64, usize, f64);

impl<T: ToJs> ToJs for Option<T> {
    fn to_js(&self) -> JsValue {
        self.as_ref().map_or(JsValue::NULL, ToJs::to_js)
    }
}

impl ToJs for bool {
    fn to_js(&self) -> JsValue {
        JsValue::from_bool(*self)
    }
}

impl ToJs for &str {
    fn to_js(&self) -> JsValue {
        JsValue::from_str(self)
    }
}

impl ToJs for String {
    fn to_js(&self) -> JsValue {
        JsValue::from_str(self)
    }
}

impl<T: ToJs> ToJs for Vec<T> {
    fn to_js(&self) -> JsValue {
        list(self.len(), &|at| self[at].to_js())
    }
}

impl<A: ToJs, B: ToJs> ToJs for (A, B) {
    fn to_js(&self) -> JsValue {
        list(2, &|at| if at == 0 { self.0.to_js() } else { self.1.to_js() })
    }
}

fn list(length: usize, item: &dyn Fn(usize) -> JsValue) -> JsValue {
    let list = Array::new();
    for at in 0..length {
        list.push(&item(at));
    }
    list.into()
}

impl ToJs for Detail {
    fn to_js(&self) -> JsValue {
        match self {
            Detail::Flag(flag) => flag.to_js(),
            Detail::Count(count) => count.to_js(),
            Detail::Number(number) => number.map_or(JsValue::NULL, JsValue::from_f64),
            Detail::Text(text) => text.to_js(),
            Detail::List(values) => values.to_js(),
            Detail::Map(pairs) => {
                let object = Object::new();
                for (name, value) in pairs {
                    object.set(name, value.to_js());
                }
                object.into()
            }
        }
    }
}

impl ToJs for Node {
    fn to_js(&self) -> JsValue {
        match self {
            Node::Text(text) => text.to_js(),
            Node::Element(Element { tag, attrs, children }) => {
                let object = Object::new();
                object.set("tag", tag.to_js());
                if !attrs.is_empty() {
                    object.set("attrs", attrs.to_js());
                }
                object.set("children", children.to_js());
                object.into()
            }
        }
    }
}
