//! The tools' table. The protocol itself is tested with the built command.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};

use super::tool::PackTool;

#[test]
fn every_tool_says_what_it_takes_and_gives() {
    let check = |tool: PackTool, required: Value| {
        let definition = serde_json::to_value(tool.definition()).unwrap();
        assert_eq!(definition["name"], tool.name());
        assert_eq!(PackTool::named(tool.name()), Some(tool));
        assert_eq!(definition["inputSchema"]["type"], "object");
        assert_eq!(definition["inputSchema"]["required"], required);
        assert_eq!(definition["inputSchema"]["additionalProperties"], false);
        assert_eq!(definition["outputSchema"]["type"], "object");
        assert_eq!(definition["annotations"]["readOnlyHint"], true);
        assert!(definition["description"].as_str().unwrap().len() > 100);
    };
    check(PackTool::Search, json!(["query"]));
    check(PackTool::ReadPage, json!(["page"]));
    check(PackTool::Retrieve, json!(["question", "asker"]));
    check(PackTool::Ask, json!(["question"]));
    assert_eq!(PackTool::named("delete"), None);
}
