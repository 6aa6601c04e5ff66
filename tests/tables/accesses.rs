//! Keys of accesses: where they have to lie, and what equal addresses of two lanes mean.

use super::{Example, Line, each_row};
use visa_lint::base::rule::Level;
use visa_lint::program::Operand;
use visa_lint::spec::instruction::{AccessKind, Custom, Each, Role, SameAddress};

/// The example in eight lanes whose addresses lie `distance` apart, from `first` on, with data that differ.
fn program(example: &Example, first: u32, distance: u32) -> Option<Line> {
    let view = example.view();
    let operands = example.operands();
    let is_raw = |i: &usize| matches!(operands[*i].operand, Operand::Raw { .. }) && !operands[*i].operand.is_null();
    let address = (0..operands.len()).filter(is_raw).find(|i| operands[*i].slot.role == Role::Source)?;
    let variable = operands[address].operand.variable()?;
    let t = example.program.variables[variable].element_type.text();
    let mut changes = vec![(operands[address].spans.whole, "Vaddress.0".to_owned()), (view.spans.size, "8".to_owned())];
    let mut lines = format!(
        "mov (M1_NM, 8) Vlane(0,0)<1> 0x76543210:uv\n    mul (M1_NM, 8) Vlane(1,0)<1> Vlane(0,0)<1;1,0> {distance:#x}:ud\n    add (M1_NM, 8) Vlane(2,0)<1> Vlane(1,0)<1;1,0> {first:#x}:ud\n    mov (M1_NM, 8) Vaddress(0,0)<1> Vlane(2,0)<1;1,0>\n    "
    );
    for (i, given) in operands.iter().enumerate().filter(|(i, _)| *i > address && is_raw(i)) {
        if given.slot.role == Role::Source {
            changes.push((given.spans.whole, format!("Vdata{i}.0")));
            lines += &format!("mov (M1_NM, 8) Vdata{i}(0,0)<1> Vlane(0,0)<1;1,0>\n    ");
            lines += &format!("mov (M1_NM, 8) Vdata{i}(2,0)<1> Vlane(0,0)<1;1,0>\n    ");
        }
    }
    let mut line = example.with_all(&changes);
    line.text.insert_str(0, &lines);
    let mut declarations = format!(".decl Vaddress v_type=G type={t} num_elts=64 align=GRF\n");
    declarations += ".decl Vlane v_type=G type=ud num_elts=64 align=GRF\n";
    for (i, given) in operands.iter().enumerate() {
        let variable = given.operand.variable().map(|v| &example.program.variables[v]);
        let t = variable.filter(|v| v.element_bytes() > 0).map_or("ud", |v| v.element_type.text());
        declarations += &format!(".decl Vdata{i} v_type=G type={t} num_elts=64 align=GRF\n");
    }
    Some(line.and_declare(&declarations))
}

/// Whether the message takes an address for each lane, given by a raw operand.
fn has_lanes(example: &Example) -> bool {
    let accesses = example.row.accesses;
    let has_own_rules = matches!(example.row.custom, Some(Custom::Lsc | Custom::Typed));
    !has_own_rules && !accesses.is_empty() && accesses.iter().all(|a| a.each.contains(&Each::Lane))
}

#[test]
fn equal_addresses() {
    each_row(|example, faults| {
        if !has_lanes(example) {
            return;
        }
        let (Some(same), Some(apart)) = (program(example, 0x40, 0), program(example, 0x40, 0x40)) else { return };
        let writes = |a: &&visa_lint::spec::instruction::Access| a.kind == AccessKind::Write;
        let is_undefined = example
            .row
            .accesses
            .iter()
            .filter(writes)
            .any(|a| matches!(a.same_address, SameAddress::Undefined | SameAddress::UndefinedIfDifferent));
        faults.level(&same, "overlapping-lane-writes", is_undefined.then_some(Level::Error));
        faults.level(&apart, "overlapping-lane-writes", None);
    });
}

#[test]
fn alignment() {
    each_row(|example, faults| {
        if !has_lanes(example) || !example.row.accesses.iter().any(|a| a.address_alignment.is_some()) {
            return;
        }
        // A base that nothing is known of may make up for the rest.
        if example.operands().iter().any(|g| matches!(g.operand, Operand::General { .. })) {
            return;
        }
        let (Some(odd), Some(even)) = (program(example, 0x41, 0x40), program(example, 0x40, 0x40)) else { return };
        faults.level(&even, "misaligned-address", None);
        let said = odd.level_of("misaligned-address");
        // One byte more or less is tolerated in messages that older hardware takes so.
        let is_tolerated = example.row.accesses.iter().any(|a| a.address_alignment_tolerated.is_some());
        let wanted = if is_tolerated { Level::Warning } else { Level::Error };
        if said.is_none_or(|level| level < wanted) {
            faults.level(&odd, "misaligned-address", Some(wanted));
        }
    });
}
