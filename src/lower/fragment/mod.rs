//! A fragment of vISA in a host source: lines of the body of a kernel, with operands that the host declares.

mod hole;
mod touch;

use super::{Lexer, Lowering};
use crate::base::span::Span;
use crate::program::fragment::{Fragment, FragmentOperand, Guess, OperandClass};
use crate::program::variable::{
    ALIGN_GRF, FLAG_BROKEN, FLAG_HALVED, FLAG_IMMEDIATE, FLAG_INPUT_ATTRIBUTE, FLAG_OPEN, FLAG_OPERAND, FLAG_USED,
    VariableSpans,
};
use crate::program::{ObjectKind, Program, Variable, VariableId};
use crate::spec::Type;
use crate::spec::predefined::VariableKind;

/// Characters that stand for text that only the host's compiler knows: of one word, and of any length.
pub const HOLES: [char; 2] = ['\u{fffc}', '\u{fffb}'];

/// Elements of an operand whose size is not known: more than any has.
const OPEN_ELEMENTS: u32 = 1 << 14;

/// A variable that other statements of the host declare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OuterVariable {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: VariableKind,
    /// Its element type.
    pub element_type: Type,
    /// Its elements.
    pub n_elements: u32,
    /// What its declaration says.
    pub flags: u16,
    /// The declaration, a place of the host.
    pub place: Span,
}

/// An operand of the host with the names that the text gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreludeOperand {
    /// Its names in the text.
    pub names: Vec<String>,
    /// What is known of it; the variable is filled in here.
    pub operand: FragmentOperand,
}

/// What is declared before the first line of a fragment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prelude {
    /// Lanes of a sub-group, if they are known.
    pub sub_group: Option<u32>,
    /// Whether the fragment stands in a branch of the host.
    pub is_conditional: bool,
    /// Whether the vector backend reads it.
    pub is_vector: bool,
    /// Whether it is the text of an asm statement, and no whole kernel of which parts are not known.
    pub is_statement: bool,
    /// Whether the fragment goes on with what other statements begin, or they with what it begins: names, labels and
    /// scopes need not pair in it.
    pub is_part: bool,
    /// The places of execution sizes that are not known; another size stands there instead.
    pub guessed_sizes: Vec<Span>,
    /// The places of operands and parts of them that are not known; something else stands there instead.
    pub guessed_operands: Vec<Guess>,
    /// The places of modifiers behind a mnemonic that are not known; blanks stand there instead.
    pub guessed_modifiers: Vec<Span>,
    /// Whether text that is not known may declare names and open scopes.
    pub hides_names: bool,
    /// Whether parts of the text are not known, or how often.
    pub is_open: bool,
    /// The operands, in order.
    pub operands: Vec<PreludeOperand>,
    /// Variables of other statements.
    pub outer: Vec<OuterVariable>,
}

/// Reads a fragment. Infallible, as [`super::lower`] is.
#[must_use]
pub fn lower_fragment(text: &str, prelude: &Prelude) -> Program {
    let mut lowering = Lowering::new(text);
    lowering.begin_fragment(prelude);
    let mut lexer = Lexer::new(text);
    while let Some(line) = lexer.next_line() {
        lowering.line(line, lexer.glued_to(), lexer.tokens());
    }
    lowering.finish(&lexer)
}

impl Lowering<'_> {
    fn begin_fragment(&mut self, prelude: &Prelude) {
        self.state.has_begun = true;
        self.open_object(Span::at(0), Span::at(0), ObjectKind::Fragment);
        let is_open = prelude.is_part || prelude.is_open;
        if let Some(object) = self.object() {
            object.has_broken_lines = is_open;
        }
        let mut fragment = Fragment {
            sub_group: prelude.sub_group,
            is_conditional: prelude.is_conditional,
            is_vector: prelude.is_vector,
            is_statement: prelude.is_statement,
            hides_names: prelude.is_part || prelude.hides_names,
            is_open,
            guessed_sizes: prelude.guessed_sizes.clone(),
            guessed_operands: prelude.guessed_operands.clone(),
            guessed_modifiers: prelude.guessed_modifiers.clone(),
            ..Fragment::default()
        };
        for operand in &prelude.operands {
            let variable = self.declare_operand(operand, prelude);
            fragment.operands.push(FragmentOperand { variable, ..operand.operand });
        }
        for outer in &prelude.outer {
            let flags = (outer.flags & FLAG_BROKEN) | FLAG_INPUT_ATTRIBUTE | FLAG_USED;
            self.declare_outside(&outer.name, outer.kind, outer.element_type, outer.n_elements, flags, outer.place);
        }
        self.program.fragment = Some(Box::new(fragment));
    }

    fn declare_operand(&mut self, declared: &PreludeOperand, prelude: &Prelude) -> VariableId {
        let operand = &declared.operand;
        let mut flags = FLAG_OPERAND;
        if operand.is_input || operand.class == OperandClass::Uniform {
            flags |= FLAG_INPUT_ATTRIBUTE;
        }
        let lanes = match operand.class {
            OperandClass::PerLane if !prelude.is_vector => {
                // Where the size of the sub-group is not known, only what fails for each size is a fault.
                let lanes = prelude.sub_group.unwrap_or(32);
                if lanes == 32 {
                    flags |= FLAG_HALVED;
                }
                lanes
            }
            _ => 1,
        };
        let (element_type, n_elements) = match operand.element {
            Some((element, n)) if operand.class != OperandClass::Immediate => (element, lanes.saturating_mul(n)),
            _ => {
                flags = (flags | FLAG_OPEN) & !FLAG_HALVED;
                (Type::UD, OPEN_ELEMENTS)
            }
        };
        if operand.class == OperandClass::Immediate {
            flags |= FLAG_IMMEDIATE;
        }
        let name = declared.names.first().map_or("", String::as_str);
        let place = operand.constraint;
        let id = self.declare_outside(name, VariableKind::General, element_type, n_elements, flags, place);
        for other in declared.names.iter().skip(1) {
            let symbol = self.program.names.intern(other);
            self.bind(symbol, id);
        }
        id
    }

    /// Declares a variable that the text does not.
    fn declare_outside(
        &mut self,
        name: &str,
        kind: VariableKind,
        element_type: Type,
        n_elements: u32,
        flags: u16,
        place: Span,
    ) -> VariableId {
        let symbol = self.program.names.intern(name);
        let id = VariableId(self.program.variables.len() as u32);
        self.program.variables.push(Variable {
            name: symbol,
            root: id,
            root_offset: 0,
            base: id,
            n_elements,
            element_type,
            kind,
            // What fills registers begins at one.
            alignment: if n_elements > 1 { ALIGN_GRF } else { 0 },
            flags,
        });
        self.program.variable_spans.push(VariableSpans { name: place, n_elements: place, ..VariableSpans::default() });
        if !name.is_empty() {
            self.bind(symbol, id);
        }
        id
    }

    /// Whether it is the text of an asm statement, which becomes a part of a kernel.
    pub(in crate::lower) fn is_statement(&self) -> bool {
        self.program.fragment.as_ref().is_some_and(|f| f.is_statement)
    }

    /// Whether unknown names and scopes are those of text that is not known.
    pub(in crate::lower) fn hides_names(&self) -> bool {
        self.program.fragment.as_ref().is_some_and(|f| f.hides_names)
    }
}
