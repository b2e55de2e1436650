//! The tables that TOML is put together from, line by line. Each knows the places of its keys, so that a table of many
//! keys is built in linear time.

use super::Value;
use crate::places::Places;

/// A value that is being put together.
pub(super) enum Node {
    Text(String),
    List(Vec<Node>),
    Table(Table),
    /// A key's place before its value is known.
    Empty,
}

/// Keys with their values, in the order written.
#[derive(Default)]
pub(super) struct Table {
    pairs: Vec<(String, Node)>,
    /// Where each key first stands among the pairs.
    places: Places,
}

impl Table {
    /// Puts a value where the path says; without one, adds an empty table to the list there.
    pub(super) fn insert(&mut self, path: &[String], value: Option<Node>) {
        let Some((first, rest)) = path.split_first() else { return };
        let at = self.places.get(first).unwrap_or_else(|| self.push(first, Node::Empty));
        self.pairs[at].1.insert(rest, value);
    }

    /// The value of a key; that of the first where it stands twice.
    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.places.get(key).map(|at| &mut self.pairs[at].1)
    }

    /// Adds a key, even if it is there; gives its place.
    pub(super) fn push(&mut self, key: &str, value: Node) -> usize {
        let at = self.pairs.len();
        if self.places.get(key).is_none() {
            self.places.insert(key.to_string(), at);
        }
        self.pairs.push((key.to_string(), value));
        at
    }

    pub(super) fn into_pairs(self) -> Vec<(String, Value)> {
        self.pairs.into_iter().map(|(key, node)| (key, node.into_value())).collect()
    }
}

impl Node {
    /// Puts a value below this one; without one, adds an empty table to the list here. A list takes it into its last
    /// table.
    pub(super) fn insert(&mut self, path: &[String], value: Option<Node>) {
        match (self, path.is_empty(), value) {
            (Node::List(items), true, None) => items.push(Node::Table(Table::default())),
            (node, true, None) => *node = Node::List(vec![Node::Table(Table::default())]),
            (node, true, Some(value)) => *node = value,
            (Node::List(items), false, value) => {
                if let Some(last) = items.last_mut() {
                    last.insert(path, value);
                }
            }
            (Node::Table(table), false, value) => table.insert(path, value),
            (node, false, value) => {
                let mut table = Table::default();
                table.insert(path, value);
                *node = Node::Table(table);
            }
        }
    }

    fn into_value(self) -> Value {
        match self {
            Node::Text(text) => Value::Text(text),
            Node::List(items) => Value::List(items.into_iter().map(Node::into_value).collect()),
            Node::Table(table) => Value::Map(table.into_pairs()),
            Node::Empty => Value::Null,
        }
    }
}
