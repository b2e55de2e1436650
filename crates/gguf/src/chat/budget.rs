//! What a template may make: a bound on one value, on all of them together, and on how deep they nest.
//!
//! Whatever a template reads and whatever a filter or a method makes is weighed here ([`guard`](super::guard) makes
//! sure of the first), so that neither memory nor time can be out of proportion. What could grow by itself before it is
//! weighed (padding, replacing, joining) pays beforehand, and formats are not there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, escape_formatter, filters};
use minijinja_contrib::pycompat::unknown_method_callback;

use super::guard::{NUMBER, READ};

/// All that a template reads and makes, in bytes. A conversation of fifty messages takes about a hundredth.
const BUDGET: u64 = 16 << 20;

/// One text.
const MAX_TEXT: usize = 1 << 20;

/// What a value costs besides its text.
const VALUE: u64 = 16;

/// Lists within lists.
const MAX_NESTING: usize = 16;

/// Columns that a filter may indent by.
const MAX_INDENT: usize = 64;

/// Filters that templates have no use for, and that make much of little.
const REMOVED: [&str; 9] = ["batch", "chain", "format", "groupby", "lines", "pprint", "slice", "sum", "zip"];

/// What is left to a template.
#[derive(Clone)]
pub(super) struct Budget(Arc<AtomicU64>);

impl Budget {
    pub(super) fn new() -> Budget {
        Budget(Arc::new(AtomicU64::new(BUDGET)))
    }

    /// Puts this budget's filters, methods and way of writing into an environment.
    pub(super) fn govern(&self, environment: &mut Environment<'_>) {
        REMOVED.iter().for_each(|name| environment.remove_filter(name));
        // It writes all that there is.
        environment.add_global("debug", ());
        for (name, filter) in growing() {
            let budget = self.clone();
            environment.add_filter(name, move |state: &mut State<'_, '_>, given: Rest<ValueOrKwargs>| {
                let given: Vec<Value> = given.iter().map(|value| Value::clone(value)).collect();
                budget.before(name, &given)?;
                filter.call(state, &given).and_then(|made| budget.settle(made))
            });
        }
        environment.add_filter(NUMBER, |value: Value| match value.is_number() {
            true => Ok(value),
            false => Err(refused("formats are not there")),
        });
        let budget = self.clone();
        environment.add_filter(READ, move |value: Value| budget.settle(value));
        let budget = self.clone();
        environment.set_unknown_method_callback(move |state, value, name, given| {
            let all: Vec<Value> = [value].into_iter().chain(given).cloned().collect();
            budget.method(name, &all)?;
            unknown_method_callback(state, value, name, given).and_then(|made| budget.settle(made))
        });
        let budget = self.clone();
        environment.set_formatter(move |output, state, value| {
            budget.weigh(value, 0)?;
            escape_formatter(output, state, value)
        });
    }

    /// Weighs a value; one that is made while it is read becomes a list, so that none waits on another.
    fn settle(&self, value: Value) -> Result<Value, Error> {
        if value.kind() != ValueKind::Iterable {
            return self.weigh(&value, 0).map(|()| value);
        }
        let mut items = Vec::new();
        for item in value.try_iter()?.checked() {
            let item = item?;
            self.weigh(&item, 1)?;
            items.push(item);
        }
        Ok(Value::from(items))
    }

    fn weigh(&self, value: &Value, nesting: usize) -> Result<(), Error> {
        if nesting > MAX_NESTING {
            return Err(refused("its lists nest too deep"));
        }
        let bytes = value.as_str().map(str::len).or_else(|| value.as_bytes().map(<[u8]>::len)).unwrap_or(0);
        self.text(bytes)?;
        match value.kind() {
            ValueKind::Seq | ValueKind::Iterable => {
                for item in value.try_iter()?.checked() {
                    self.weigh(&item?, nesting + 1)?;
                }
            }
            ValueKind::Map => {
                for key in value.try_iter()?.checked() {
                    let key = key?;
                    self.weigh(&key, nesting + 1)?;
                    self.weigh(&value.get_item(&key)?, nesting + 1)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Pays for a text of so many bytes.
    fn text(&self, bytes: usize) -> Result<(), Error> {
        let taken = |left: u64| left.checked_sub(bytes as u64 + VALUE);
        match bytes <= MAX_TEXT && self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok() {
            true => Ok(()),
            false => Err(refused("it makes too much")),
        }
    }

    /// Pays for what a filter is about to make of its values.
    fn before(&self, filter: &str, given: &[Value]) -> Result<(), Error> {
        match filter {
            "indent" | "tojson" => self.indenting(&given[0], &given[1..]),
            "replace" => self.replacing(given),
            "join" => self.joining(given.get(1), &given[0]),
            _ => Ok(()),
        }
    }

    /// The same for a method; the first value is the one that has it.
    fn method(&self, name: &str, given: &[Value]) -> Result<(), Error> {
        match name {
            "format" => Err(refused("formats are not there")),
            "replace" => self.replacing(given),
            "join" => given.get(1).map_or(Ok(()), |items| self.joining(Some(&given[0]), items)),
            _ => Ok(()),
        }
    }

    fn indenting(&self, value: &Value, given: &[Value]) -> Result<(), Error> {
        let named = given.last().filter(|last| last.is_kwargs());
        let widths = ["width", "indent"].map(|name| named.and_then(|named| named.get_attr(name).ok()));
        let widths = given.iter().chain(widths.iter().flatten());
        if widths.filter_map(Value::as_usize).any(|width| width > MAX_INDENT) {
            return Err(refused("it indents too far"));
        }
        let lines = value.as_str().map_or(0, |text| text.matches('\n').count());
        self.text(lines.saturating_mul(MAX_INDENT))
    }

    fn replacing(&self, given: &[Value]) -> Result<(), Error> {
        let [Some(text), Some(old), Some(new)] = [0, 1, 2].map(|at| given.get(at).and_then(Value::as_str)) else {
            return Ok(());
        };
        let found = if old.is_empty() { text.len() + 1 } else { text.matches(old).count() };
        self.text(text.len().saturating_add(found.saturating_mul(new.len())))
    }

    fn joining(&self, between: Option<&Value>, items: &Value) -> Result<(), Error> {
        let between = between.and_then(Value::as_str).unwrap_or_default();
        let count = items.as_str().map_or_else(|| items.len().unwrap_or(0), str::len);
        self.text(count.saturating_mul(between.len()))
    }
}

/// The filters whose results are weighed. The others make nothing that is larger than what they are given.
fn growing() -> [(&'static str, Value); 22] {
    [
        ("capitalize", Value::from_function(filters::capitalize)),
        ("dictsort", Value::from_function(filters::dictsort)),
        ("e", Value::from_function(filters::escape)),
        ("escape", Value::from_function(filters::escape)),
        ("indent", Value::from_function(filters::indent)),
        ("items", Value::from_function(filters::items)),
        ("join", Value::from_function(filters::join)),
        ("list", Value::from_function(filters::list)),
        ("map", Value::from_function(filters::map)),
        ("reject", Value::from_function(filters::reject)),
        ("rejectattr", Value::from_function(filters::rejectattr)),
        ("replace", Value::from_function(filters::replace)),
        ("reverse", Value::from_function(filters::reverse)),
        ("select", Value::from_function(filters::select)),
        ("selectattr", Value::from_function(filters::selectattr)),
        ("sort", Value::from_function(filters::sort)),
        ("split", Value::from_function(filters::split)),
        ("string", Value::from_function(filters::string)),
        ("title", Value::from_function(filters::title)),
        ("tojson", Value::from_function(filters::tojson)),
        ("unique", Value::from_function(filters::unique)),
        ("upper", Value::from_function(filters::upper)),
    ]
}

fn refused(reason: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, reason)
}
