//! Every key that `rules/README.md` explains has a test here, or is named with the one that looks at it elsewhere.

use crate::support::tests_folder;
use std::collections::{BTreeMap, BTreeSet};

/// The tables of keys, and for each key the test of it: file and function.
const KEYS: &[(&str, &str, &str)] = &[
    ("An instruction", "like", "generator/tables.rs like_takes_over_what_is_not_given"),
    ("An instruction", "document", "snapshots.rs resolved_table"),
    ("An instruction", "summary", "snapshots.rs resolved_table"),
    ("An instruction", "notes", "snapshots.rs resolved_table"),
    ("An instruction", "example", "tables/mod.rs examples_are_legal"),
    ("An instruction", "example_platform", "tables/mod.rs examples_are_legal"),
    ("An instruction", "newer_text", "tables/instruction.rs older_text_does_not_know_newer_mnemonics"),
    ("An instruction", "predicate", "tables/instruction.rs predicates"),
    ("An instruction", "saturate", "tables/instruction.rs saturation"),
    ("An instruction", "saturate_platforms", "tables/instruction.rs saturation"),
    ("An instruction", "execution", "tables/instruction.rs execution_sizes"),
    ("An instruction", "exec_sizes", "tables/instruction.rs execution_sizes"),
    ("An instruction", "exec_sizes_by_platform", "tables/instruction.rs execution_sizes"),
    ("An instruction", "no_mask", "tables/instruction.rs masks"),
    ("An instruction", "platforms", "tables/instruction.rs platforms"),
    ("An instruction", "platforms_seen", "tables/instruction.rs platforms"),
    ("An instruction", "platforms_tolerated", "tables/instruction.rs platforms"),
    ("An instruction", "modifiers", "tables/modifiers.rs absence"),
    ("An instruction", "operands", "tables/operands.rs counts"),
    ("An instruction", "accesses", "tables/accesses.rs equal_addresses"),
    ("An instruction", "operation", "soundness/operations.rs every_operation_computes_what_numbers_give"),
    ("An instruction", "family", "tables/families.rs families"),
    ("An instruction", "lanes", "tables/families.rs lanes"),
    ("An instruction", "checks", "tables/words.rs words"),
    ("An instruction", "barrier", "generator/problems.rs barriers_markers_and_parameters"),
    ("An instruction", "marker", "generator/problems.rs barriers_markers_and_parameters"),
    ("An instruction", "parameters", "tables/families.rs parameters"),
    ("An instruction", "word_parameters", "tables/families.rs parameters"),
    ("An instruction", "parameter_types", "tables/families.rs parameters"),
    ("An instruction", "immediate_bits", "tables/families.rs immediate_bits"),
    ("An instruction", "flow", "snapshots.rs resolved_table"),
    ("An instruction", "effects", "snapshots.rs resolved_table"),
    ("An instruction", "custom", "snapshots.rs resolved_table"),
    ("Modifiers", "name", "generator/problems.rs modifiers"),
    ("Modifiers", "kind", "tables/modifiers.rs unknown_values"),
    ("Modifiers", "values", "tables/modifiers.rs values"),
    ("Modifiers", "values_seen", "tables/modifiers.rs values"),
    ("Modifiers", "values_tolerated", "tables/modifiers.rs values"),
    ("Modifiers", "values_by_platform", "tables/modifiers.rs values"),
    ("Modifiers", "numbers", "tables/extents.rs operands_take_as_many_bytes_as_blessed"),
    ("Modifiers", "optional", "tables/modifiers.rs absence"),
    ("Modifiers", "after_execution", "tables/modifiers.rs values"),
    ("Modifiers", "glued", "tables/modifiers.rs glued_words"),
    ("Modifiers", "any_case", "tables/modifiers.rs letters"),
    ("Operands", "name", "generator/problems.rs operands"),
    ("Operands", "role", "tables/operands.rs roles"),
    ("Operands", "kind", "tables/kinds.rs other_forms_are_refused"),
    ("Operands", "types", "tables/types.rs types"),
    ("Operands", "sign_checked", "host.rs cases_are_marked_at_the_place"),
    ("Operands", "types_by_platform", "tables/types.rs types"),
    ("Operands", "region", "tables/operands.rs scalar_regions"),
    ("Operands", "modifiers", "tables/operands.rs source_modifiers"),
    ("Operands", "null", "tables/operands.rs null"),
    ("Operands", "notation", "tables/operands.rs notations"),
    ("Operands", "bytes", "tables/extents.rs smaller_variables_are_too_small"),
    ("Operands", "channel_bytes", "cases.rs findings_are_where_they_are_annotated"),
    ("Operands", "row_bytes", "cases.rs findings_are_where_they_are_annotated"),
    ("Operands", "bytes_tolerated", "tables/extents.rs smaller_variables_are_too_small"),
    ("Operands", "alignment", "tables/operands.rs alignment"),
    ("Operands", "optional", "tables/operands.rs counts"),
    ("Operands", "variadic", "tables/operands.rs counts"),
    ("Operands", "minimum", "tables/operands.rs numbers"),
    ("Operands", "maximum", "tables/operands.rs numbers"),
    ("Operands", "limit", "tables/operands.rs numbers"),
    ("Operands", "elements", "tables/extents.rs operands_take_as_many_bytes_as_blessed"),
    ("Operands", "packed", "tables/extents.rs operands_take_as_many_bytes_as_blessed"),
    ("Operands", "second_block", "tables/extents.rs operands_take_as_many_bytes_as_blessed"),
    ("Operands", "values", "tables/operands.rs numbers"),
    ("Operands", "surfaces_forbidden", "tables/operands.rs surfaces"),
    ("Operands", "pointers", "tables/operands.rs surfaces"),
    ("Accesses", "kind", "tables/accesses.rs equal_addresses"),
    ("Accesses", "memory", "tables/accesses.rs equal_addresses"),
    ("Accesses", "each", "tables/accesses.rs equal_addresses"),
    ("Accesses", "address", "tables/accesses.rs equal_addresses"),
    ("Accesses", "bytes", "tables/accesses.rs equal_addresses"),
    ("Accesses", "value", "tables/accesses.rs equal_addresses"),
    ("Accesses", "address_alignment", "tables/accesses.rs alignment"),
    ("Accesses", "address_alignment_tolerated", "tables/accesses.rs alignment"),
    ("Accesses", "out_of_bounds", "snapshots.rs resolved_table"),
    ("Accesses", "same_address", "tables/accesses.rs equal_addresses"),
    ("Accesses", "when", "tables/accesses.rs alignment"),
];

#[test]
fn every_key_has_a_test() {
    let page = include_str!("../../rules/README.md");
    let mut documented = BTreeSet::new();
    let mut section = "";
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            section = title;
        }
        let is_of_keys = ["An instruction", "Modifiers", "Operands", "Accesses"].contains(&section);
        if let (true, Some((first, _))) = (is_of_keys, line.strip_prefix("| `").and_then(|l| l.split_once(" | "))) {
            let keys = first.split('`').step_by(2).filter(|key| !key.starts_with('_'));
            documented.extend(keys.map(|key| (section, key)));
        }
    }
    let tested: BTreeMap<(&str, &str), &str> = KEYS.iter().map(|(s, key, test)| ((*s, *key), *test)).collect();
    let without: Vec<_> = documented.iter().filter(|key| !tested.contains_key(*key)).collect();
    assert!(without.is_empty(), "keys without a test: {without:?}");
    let unknown: Vec<_> = tested.keys().filter(|key| !documented.contains(*key)).collect();
    assert!(unknown.is_empty(), "keys that are explained nowhere: {unknown:?}");
    for test in tested.values() {
        let (file, function) = test.split_once(' ').expect("a file and a function");
        let path = tests_folder().join(file);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(text.contains(&format!("fn {function}(")), "{file} has no test {function}");
    }
}
