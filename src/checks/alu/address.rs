//! Addresses of variables: `&V`, `addr_add`, and `mov` to address variables.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::bytes::OPERAND_OUT_OF_BOUNDS;
use crate::program::{Operand, OperandSpans, VariableId};
use crate::spec::OperandName;
use crate::spec::family::Family;
use crate::spec::predefined::VariableKind;

crate::declare_rule! {
    /// `&V` of something that has no address: of predicates and address variables, and of predefined variables and surfaces.
    /// (The manual allows `&%arg` and `&%retval`, assemblers do not.)
    ///
    /// ```visa bad
    /// addr_add (M1_NM, 1) A0(0)<1> &%r0 0x4:uw
    /// ```
    /// ```visa good
    /// addr_add (M1_NM, 1) A0(0)<1> &VUD 0x4:uw
    /// ```
    pub NOT_ADDRESSABLE = "not-addressable", Error | Pedantic, "5_operands",
        help = "copy what you need to a general variable, and take the address of that"
}

crate::declare_rule! {
    /// An address that means one thing to the assembler and another after disassembly: an offset that is not a multiple of
    /// the element size is rounded down, one in a surface or sampler variable is multiplied by four, and `mov A(0)<1> &V`
    /// becomes a copy of the value of V.
    ///
    /// ```visa bad
    /// addr_add (M1_NM, 1) A0(0)<1> &VUD[3] 0x4:uw
    /// ```
    /// ```visa good
    /// addr_add (M1_NM, 1) A0(0)<1> &VUD 0x7:uw
    /// ```
    pub AMBIGUOUS_ADDRESS_OF = "ambiguous-address-of", Warning, "5_operands"
}

crate::declare_rule! {
    /// An address variable that is set to a number. The manual lets only `addr_add` make addresses, of a variable that it
    /// names. Clearing with the immediate 0 is fine.
    ///
    /// ```visa bad
    /// mov (M1_NM, 1) A0(0)<1> 0x20:uw
    /// ```
    /// ```visa good
    /// addr_add (M1_NM, 1) A0(0)<1> &VUD 0x20:uw
    /// ```
    pub ADDRESS_FROM_NUMBER = "address-from-number", Pedantic, "5_operands",
        help = "set the address with `addr_add` from `&V`, the variable that it shall point into"
}

/// Checks the addresses of variables among the sources.
pub fn address_of(view: &View, sink: &mut Sink) {
    for (operand, spans, _) in super::sources(view) {
        // An offset that does not fit 16 bits was reported when it was read.
        if let (&Operand::AddressOf { variable, offset }, true) = (operand, offset_fits(operand))
            && is_in_variable(view, sink, operand, spans, variable, offset)
        {
            sum(view, sink, variable, offset);
        }
    }
}

/// Reports an immediate that leads out of the variable whose address it is added to.
fn sum(view: &View, sink: &mut Sink, variable: VariableId, offset: i32) {
    let Some((&Operand::Immediate { bits, element_type }, spans)) = view.operand(OperandName::SRC1) else { return };
    let program = view.cx.program;
    let size = i64::from(program.variable_bytes(variable, view.cx.any_grf_bytes()));
    // Addresses have 16 bits: `0xfff8:uw` takes 8 off.
    let address = i64::from(i64::from(offset).wrapping_add(bits as i64) as i16);
    let is_general = program.variables[variable].kind == VariableKind::General;
    // An address of the end itself is legal: a loop may compare with it.
    if is_general && size > 0 && element_type.is_integer() && !(0..=size).contains(&address) {
        let name = program.variable_name(variable);
        let message = format!("byte {address} lies outside `{name}`, which has {size} bytes");
        sink.report(
            Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message)
                .level(Level::Warning)
                .note("an address has to stay within the variable that it was taken of")
                .declared_at(program.variable_spans[variable].name),
        );
    }
}

fn offset_fits(operand: &Operand) -> bool {
    !matches!(*operand, Operand::AddressOf { offset, .. } if i16::try_from(offset).is_err())
}

/// Checks `&V[offset]`; gives whether it is an address in the variable.
fn is_in_variable(
    view: &View,
    sink: &mut Sink,
    operand: &Operand,
    spans: &OperandSpans,
    variable: VariableId,
    offset: i32,
) -> bool {
    let program = view.cx.program;
    let info = &program.variables[variable];
    let (name, written) = (program.variable_name(variable), view.text(spans.whole));
    let ambiguous = |message: String| {
        table::declared(
            view,
            Diagnostic::new(&AMBIGUOUS_ADDRESS_OF, spans.whole, message).level(Level::Warning),
            operand,
        )
    };
    if matches!(info.kind, VariableKind::Predicate | VariableKind::Address) {
        let message = format!("`{name}` has no address: it is {}", info.kind.variable());
        let diagnostic = Diagnostic::new(&NOT_ADDRESSABLE, spans.whole, message)
            .note("general, surface and sampler variables have addresses");
        sink.report(table::declared(view, diagnostic, operand));
        return false;
    }
    if variable.predefined().is_some() && info.kind != VariableKind::Sampler {
        let is_argument = matches!(name, "%arg" | "%retval");
        let message = format!("the address of the predefined `{name}` cannot be taken");
        let diagnostic = Diagnostic::new(&NOT_ADDRESSABLE, spans.whole, message)
            .level(if is_argument { Level::Pedantic } else { Level::Error })
            .note(if is_argument {
                "the manual allows it, assemblers do not".to_owned()
            } else {
                table::document(view)
            });
        sink.report(diagnostic);
        return false;
    }
    let is_general = info.kind == VariableKind::General;
    let grf_bytes = view.cx.any_grf_bytes();
    let size = i64::from(program.variable_bytes(variable, grf_bytes));
    if is_general && size > 0 && !(0..size).contains(&i64::from(offset)) {
        let message = format!("`{written}` lies outside `{name}`, which has {size} bytes");
        sink.report(table::declared(
            view,
            Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message).level(Level::Warning),
            operand,
        ));
        return false;
    }
    let bytes = info.element_bytes().max(1) as i32;
    if view.row.family == Family::Move {
        let diagnostic =
            ambiguous(format!("`{written}` in a `mov` is the address of `{name}`, but is disassembled as its value"));
        sink.report(diagnostic.help(format!("write `addr_add` with `{written}` and `0x0:uw`")));
    } else if is_general && offset % bytes != 0 {
        sink.report(
            ambiguous(format!("the offset {offset} is not a multiple of the {bytes} bytes of an element of `{name}`"))
                .note("the remainder is lost when the assembler writes its binary"),
        );
    } else if !is_general && offset != 0 {
        sink.report(
            ambiguous(format!("the offset {offset} in `{name}` counts elements here, and bytes after disassembly"))
                .help("take the address without an offset and add to it"),
        );
    }
    true
}

/// `mov A(0)<1> 0x20:uw`
pub fn from_number(view: &View, sink: &mut Sink) {
    let Some((Operand::Address { .. }, spans, _)) = super::destination(view) else { return };
    let is_number = match super::sources(view).next() {
        Some((Operand::Immediate { bits, .. }, _, _)) => *bits != 0,
        Some((Operand::General { .. } | Operand::Indirect { .. }, _, _)) => true,
        _ => false,
    };
    if is_number {
        let message = format!("`{}` is set to a number: addresses are made by `addr_add`", view.text(spans.whole));
        sink.report(Diagnostic::new(&ADDRESS_FROM_NUMBER, view.spans.mnemonic, message).level(Level::Pedantic));
    }
}
