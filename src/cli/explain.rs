//! `visa-lint explain`: pages of rules and instructions, from the data that checks and editors use.

use crate::base::rule::Rule;
use crate::base::spelling::closest;
use crate::checks::group::Group;
use crate::checks::{self, RULES};
use crate::spec::{self, Instruction, Platform};
use std::fmt::Write as _;

/// The page of a rule or an instruction, or the list of both.
///
/// # Errors
/// If there is neither a rule nor an instruction of that name, in words.
pub fn explain(name: Option<&str>, platform: Option<Platform>) -> Result<String, String> {
    let Some(name) = name else { return Ok(list()) };
    if let Some(rule) = checks::rule(name) {
        return Ok(rule_page(rule));
    }
    if let Some(group) = Group::from_name(name) {
        return Ok(group_page(group));
    }
    if let Some(id) = spec::lookup(name) {
        return Ok(instruction_page(id.row(), platform));
    }
    // A mnemonic as it stands in a program has modifiers.
    let mut fronts = name.match_indices('.').rev().map(|(dot, _)| &name[..dot]);
    if let Some(id) = fronts.find_map(spec::lookup) {
        return Ok(instruction_page(id.row(), platform));
    }
    if let Some(family) = family(name, platform) {
        return Ok(family);
    }
    let all = RULES.iter().map(|r| r.name).chain(spec::instructions().iter().map(|i| i.mnemonic));
    Err(match closest(name, all) {
        Some(similar) => format!("there is no rule and no instruction `{name}`; did you mean `{similar}`?"),
        None => format!("there is no rule and no instruction `{name}`; `visa-lint explain` lists them"),
    })
}

/// The page of an instruction, and its example worked out for a platform.
fn instruction_page(row: &Instruction, platform: Option<Platform>) -> String {
    spec::describe::page(row) + &super::resolve::example(row, platform.unwrap_or(row.example_platform))
}

/// The list of the instructions that a word stands for, such as a part of their mnemonics, or the page of the only one.
fn family(word: &str, platform: Option<Platform>) -> Option<String> {
    match spec::meant_by(word).as_slice() {
        [] => None,
        [one] => {
            let page = spec::lookup(one).map(|id| instruction_page(id.row(), platform))?;
            Some(format!("There is no instruction `{word}`; this one is meant.\n\n{page}"))
        }
        many => {
            let mut out = format!("There is no instruction `{word}`; these are meant.\n\n");
            for row in many.iter().filter_map(|m| spec::lookup(m)).map(spec::InstructionId::row) {
                let _ = writeln!(out, "  {:<30} {}", row.mnemonic, row.summary);
            }
            Some(out)
        }
    }
}

/// The list of the rules of a group.
fn group_page(group: Group) -> String {
    let mut out = format!("Rules of the group `{}`: {}\n", group.name(), group.summary());
    for rule in group.rules() {
        let _ = writeln!(out, "  {:<30} {:<9} {}", rule.name, rule.level.word(), rule.summary());
    }
    out
}

fn list() -> String {
    let mut out = String::new();
    for group in Group::ALL {
        let _ = write!(out, "{}", group_page(group));
        out.push('\n');
    }
    out += "Instructions\n";
    for row in spec::instructions() {
        let _ = writeln!(out, "  {:<30} {}", row.mnemonic, row.summary);
    }
    out
}

/// A rule's page as plain text.
fn rule_page(rule: &Rule) -> String {
    let mut out = format!("{}\n\n", rule.name);
    let mut is_code = false;
    for line in rule.documentation.lines() {
        let line = line.strip_prefix(' ').unwrap_or(line);
        match line.trim() {
            "```visa bad" | "```c bad" => {
                out += "Bad:\n\n";
                is_code = true;
            }
            "```visa good" | "```c good" => {
                out += "Good:\n\n";
                is_code = true;
            }
            "```" => {
                out.push('\n');
                is_code = false;
            }
            _ => {
                out += if is_code { "    " } else { "" };
                out += line;
                out.push('\n');
            }
        }
    }
    while out.ends_with('\n') {
        out.pop();
    }
    let _ = write!(out, "\n\nlevel    {}\ngroup    {}\n", rule.level.word(), Group::of(rule).name());
    if !rule.section.is_empty() {
        let _ = writeln!(out, "section  {}", rule.section);
    }
    out
}
