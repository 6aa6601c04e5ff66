//! The command that explains a rule or an instruction.

use crate::base::rule::Rule;
use crate::base::spelling::closest;
use crate::checks;
use crate::lsp::ask::Refusal;
use crate::lsp::requests::hover;
use crate::spec;
use crate::spec::describe;
use serde_json::Value;

/// The name of the command. Its arguments are the name of a rule or the mnemonic of an instruction, and whether the client
/// shows the answer itself.
pub const COMMAND: &str = "visa-lint.explain";

/// What is said about a rule or an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// As Markdown.
    pub markdown: String,
    /// As plain text.
    pub plain: String,
    /// Whether the client shows it itself.
    pub is_shown_by_client: bool,
}

/// Answers the request.
///
/// # Errors
/// If there is no such rule or instruction.
pub fn execute(arguments: &Value, pages: Option<&str>) -> Result<Page, Refusal> {
    let name = arguments.get(0).and_then(Value::as_str).unwrap_or("");
    let is_shown_by_client = arguments.get(1).and_then(Value::as_bool).unwrap_or(false);
    if let Some(rule) = checks::rule(name) {
        let markdown = rule_page(rule, pages);
        let plain = format!("{}: {}", rule.name, rule.summary());
        return Ok(Page { markdown, plain, is_shown_by_client });
    }
    if let Some(row) = spec::lookup(name).map(spec::InstructionId::row) {
        let markdown = format!("# {name}\n\n{}", hover::instruction(row, pages));
        return Ok(Page {
            markdown,
            plain: format!("{}\n{}", describe::signature(row), row.summary),
            is_shown_by_client,
        });
    }
    let all = checks::RULES.iter().map(|r| r.name).chain(spec::instructions().iter().map(|i| i.mnemonic));
    Err(Refusal::failed(match closest(name, all) {
        Some(similar) => format!("there is no rule and no instruction `{name}`; did you mean `{similar}`?"),
        None => format!("there is no rule and no instruction `{name}`"),
    }))
}

/// A rule's page as Markdown. `pages` is where the pages of `visa-lint explain --html` stand.
#[must_use]
pub fn rule_page(rule: &Rule, pages: Option<&str>) -> String {
    let words = if pages.is_some() { "its page".to_owned() } else { format!("{} in the manual", rule.section) };
    let section = rule.link_in(pages).map(|link| format!(" [{words}]({link})")).unwrap_or_default();
    format!("# {}\n\n{}\nLevel: {}.{section}\n", rule.name, rule.markdown(), rule.level.word())
}
