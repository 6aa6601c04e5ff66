//! The commands that a client may have executed.

use super::explain;
use crate::checks;
use crate::lsp::ask::{Ask, Refusal};
use crate::lsp::touched;
use crate::spec;
use gen_lsp_types::{Location, Position};
use serde_json::{Value, json};

/// The commands.
pub const COMMANDS: [&str; 5] = [explain::COMMAND, NAMES, LAST_WRITES, NEXT_READS, SHOW_SOURCE];

/// The names that can be explained. No arguments; the answer is a list of `{name, kind, summary}`.
pub const NAMES: &str = "visa-lint.names";
/// The writes that may have made what is read at a place. The arguments are the document and the position; the answer is a
/// list of locations.
pub const LAST_WRITES: &str = "visa-lint.lastWrites";
/// The reads that may see what is written at a place; as [`LAST_WRITES`].
pub const NEXT_READS: &str = "visa-lint.nextReads";
/// Shows a line of a source. The arguments are its URI and the line, from 0.
pub const SHOW_SOURCE: &str = "visa-lint.showSource";

/// The answer to [`NAMES`].
#[must_use]
pub fn names() -> Value {
    let rules = checks::RULES.iter().map(|r| json!({ "name": r.name, "kind": "rule", "summary": r.summary() }));
    let rows = spec::instructions();
    let instructions = rows.iter().map(|i| json!({ "name": i.mnemonic, "kind": "instruction", "summary": i.summary }));
    Value::Array(rules.chain(instructions).collect())
}

/// The answer to [`LAST_WRITES`] and [`NEXT_READS`].
#[must_use]
pub fn reach(ask: &Ask, command: &str, position: Position) -> Vec<Location> {
    let Some(touch) = touched::touch_at(&ask.analysis, ask.offset(position)) else { return Vec::new() };
    let (last, next) = touched::reach(ask, &touch).unwrap_or_default();
    let found = if command == LAST_WRITES { last } else { next };
    found.into_iter().flat_map(|reach| reach.places).map(|touch| ask.location(touch.name)).collect()
}

/// The document and the position that the arguments of a command name.
///
/// # Errors
/// If they name none.
pub fn place(arguments: &Value) -> Result<(String, Position), Refusal> {
    let uri = arguments.get(0).and_then(Value::as_str);
    let position = arguments.get(1).and_then(|p| serde_json::from_value(p.clone()).ok());
    match (uri, position) {
        (Some(uri), Some(position)) => Ok((uri.to_owned(), position)),
        _ => Err(Refusal::invalid("the arguments have to be a document and a position")),
    }
}
