//! The whole table of rules and instructions as JSON, for other tools.

use crate::base::rule::Rule;
use crate::checks::RULES;
use crate::checks::group::Group;
use crate::spec::describe::formula;
use crate::spec::expression::Expression;
use crate::spec::instruction::{Access, AccessKind, Instruction, Modifier, OperandSlot, Tiers};
use crate::spec::{self, Platform, PlatformSet, Type, TypeSet};
use serde_json::{Value, json};

/// One object: `platforms` with their names and bytes of a register, `rules`, and `instructions`. What has tiers is an
/// object with the lists `legal`, `pedantic` and `warning`.
#[must_use]
pub fn json() -> String {
    let platforms: Vec<Value> = Platform::all()
        .map(|p| json!({ "name": p.name(), "full_name": p.row().full_name, "names": p.row().names, "grf_bytes": p.grf_bytes() }))
        .collect();
    let rules: Vec<Value> = RULES.iter().map(|rule| of_rule(rule)).collect();
    let instructions: Vec<Value> = spec::instructions().iter().map(of_instruction).collect();
    let table = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "platforms": platforms,
        "rules": rules,
        "instructions": instructions,
    });
    format!("{table:#}\n")
}

fn of_rule(rule: &Rule) -> Value {
    json!({
        "name": rule.name,
        "level": rule.level.word(),
        "group": Group::of(rule).name(),
        "summary": rule.summary(),
        "documentation": rule.markdown(),
        "link": rule.link(),
    })
}

fn of_instruction(row: &Instruction) -> Value {
    json!({
        "mnemonic": row.mnemonic,
        "opcode": row.opcode,
        "document": row.document,
        "summary": row.summary,
        "form": spec::describe::signature(row),
        "example": row.example,
        "platforms": tiers(&row.platforms, |set| names(*set)),
        "exec_sizes": tiers(&row.exec_sizes, |sizes| sizes.iter().collect::<Vec<_>>()),
        "modifiers": row.modifiers.iter().map(of_modifier).collect::<Vec<_>>(),
        "operands": row.operands.iter().map(|slot| of_operand(slot, row)).collect::<Vec<_>>(),
        "memory": row.accesses.iter().map(|access| of_access(access, row)).collect::<Vec<_>>(),
        "notes": row.notes,
    })
}

fn of_modifier(modifier: &Modifier) -> Value {
    let values: Vec<Value> =
        modifier.values.iter().map(|v| json!({ "text": v.text, "platforms": names(v.platforms) })).collect();
    json!({ "name": modifier.name.text(), "optional": modifier.optional, "values": values })
}

fn of_operand(slot: &OperandSlot, row: &Instruction) -> Value {
    json!({
        "name": slot.name.text(),
        "reads": slot.role.reads(),
        "writes": slot.role.writes(),
        "types": tiers(&slot.types, |set| types(*set)),
        "scalar": slot.scalar,
        "optional": slot.optional,
        "variadic": slot.variadic,
        "bytes": slot.bytes.map(|e| formula(e, row)),
        "minimum": slot.minimum,
        "maximum": slot.maximum,
        "words": slot.words,
    })
}

fn of_access(access: &Access, row: &Instruction) -> Value {
    let words = |expression: Option<&Expression>| expression.map(|e| formula(e, row));
    let kind = match access.kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "atomic",
    };
    json!({
        "kind": kind,
        "address": words(access.address),
        "coordinates": access.coordinates.iter().map(|name| name.text()).collect::<Vec<_>>(),
        "bytes": words(access.bytes),
        "value": words(access.value),
        "alignment": words(access.address_alignment),
        "when": words(access.when),
    })
}

fn tiers<T, R: Into<Value>>(all: &Tiers<T>, list: impl Fn(&T) -> R) -> Value {
    let (legal, pedantic, warning): (Value, Value, Value) =
        (list(&all.legal).into(), list(&all.seen).into(), list(&all.tolerated).into());
    json!({ "legal": legal, "pedantic": pedantic, "warning": warning })
}

fn names(set: PlatformSet) -> Vec<&'static str> {
    set.iter().map(Platform::name).collect()
}

fn types(set: TypeSet) -> Vec<&'static str> {
    set.iter().map(Type::text).collect()
}
