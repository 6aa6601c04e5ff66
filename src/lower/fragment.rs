//! A fragment of vISA in a host source: lines of the body of a kernel, with operands that the host declares.

use super::declaration::{MALFORMED_DECLARATION, UNKNOWN_ALIGNMENT, UNKNOWN_TYPE};
use super::execution::{INVALID_EXEC_SIZE, UNKNOWN_EXEC_MASK};
use super::instruction::UNKNOWN_INSTRUCTION;
use super::operand::{INVALID_IMMEDIATE, MALFORMED_REGION};
use super::scope::UNDECLARED_VARIABLE;
use super::{Lexer, Lowering, Token};
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::rule::Rule;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::program::fragment::{Fragment, FragmentOperand, Guess, OperandClass, Touch};
use crate::program::operand::{Operand, SourceModifier};
use crate::program::variable::{
    ALIGN_GRF, FLAG_BROKEN, FLAG_HALVED, FLAG_IMMEDIATE, FLAG_INPUT_ATTRIBUTE, FLAG_MISUSED, FLAG_OPEN, FLAG_OPERAND,
    FLAG_USED, VariableSpans,
};
use crate::program::{Instruction, InstructionIndex, ObjectKind, Program, Region, RegionForm, Variable, VariableId};
use crate::spec::predefined::VariableKind;
use crate::spec::{self, Type};
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::token::TokenKind;

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

/// The first of some places, which are in order, that begins within a span.
fn first_within(places: &[Span], span: Span) -> Option<Span> {
    let first = places.partition_point(|place| place.start < span.start);
    places.get(first).copied().filter(|place| span.contains(place.start))
}

/// The word or number around a place, with its type and the modifiers that dots join.
fn word_around(text: &str, place: Span) -> Span {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'%' | b'-' | b'=');
    let before = text.as_bytes()[..place.start as usize].iter().rev().take_while(|b| is_part(b)).count() as u32;
    let behind = text.as_bytes()[place.end as usize..].iter().take_while(|b| is_part(b)).count() as u32;
    Span::new(place.start - before, place.end + behind)
}

/// Faults of a declaration that do not depend on the sizes and types in it.
const OF_FORM: [&Rule; 4] = [&SYNTAX_ERROR, &MALFORMED_DECLARATION, &UNKNOWN_TYPE, &UNKNOWN_ALIGNMENT];

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

    /// Whether unknown names and scopes are those of text that is not known.
    pub(super) fn is_open(&self) -> bool {
        self.program.fragment.as_ref().is_some_and(|f| f.is_open)
    }

    /// Reads a line with a hole: the variables that it names may be read and written, and only what stands before the hole
    /// is reported. Where the hole is an execution size, faults of the text are reported as well. Returns whether there is
    /// a hole.
    pub(super) fn holey(&mut self, span: Span, tokens: &[Token]) -> bool {
        let Some(fragment) = &self.program.fragment else { return false };
        let all = &fragment.guessed_operands;
        let first = all.partition_point(|guess| guess.span.start < span.start);
        let n = all[first..].iter().take_while(|guess| guess.span.start < span.end).count();
        if n > 0 && !span.of(self.text).contains(HOLES) {
            let guesses = all[first..first + n].to_vec();
            self.around_guesses(span, tokens, &guesses);
            return true;
        }
        let modifiers = first_within(&fragment.guessed_modifiers, span);
        if let Some(modifiers) = modifiers.filter(|_| !span.of(self.text).contains(HOLES)) {
            self.unmodified(span, tokens, modifiers);
            return true;
        }
        if first_within(&fragment.guessed_sizes, span).is_some() && !span.of(self.text).contains(HOLES) {
            self.sizeless(span, tokens);
            return true;
        }
        if !span.of(self.text).contains(HOLES) {
            return false;
        }
        self.touch_all(tokens);
        let first = tokens[0].span().of(self.text);
        if first == ".decl" {
            let name = tokens.get(1).filter(|t| t.kind == TokenKind::Word).map(|t| t.span());
            let is_whole = name.is_some_and(|n| !self.text[n.end as usize..].starts_with(HOLES));
            if let Some(name) = name.filter(|_| is_whole) {
                self.declare_broken(span, name, tokens);
            } else if let Some(fragment) = &mut self.program.fragment {
                fragment.is_open = true;
            }
        } else if !first.starts_with('.') {
            self.mnemonic_before_hole(span);
            self.execution_beside_hole(span);
            self.broken_instruction(span);
        }
        self.note_broken_line();
        true
    }

    /// Reads a statement whose execution size is not known. Later checks do not see the instruction.
    fn sizeless(&mut self, span: Span, tokens: &[Token]) {
        let first = self.program.instructions.len();
        let meant = self.undotted(tokens);
        self.read_statement(span, meant.as_deref().unwrap_or(tokens));
        self.touch_all(tokens);
        self.break_from(first);
    }

    /// Hides the instructions from `first` on from later checks.
    fn break_from(&mut self, first: usize) {
        for index in first..self.program.instructions.len() {
            let unread = Instruction::broken(self.program.operands.len() as u32, self.program.modifiers.len() as u32);
            self.program.instructions[InstructionIndex::from_index(index)] = unread;
        }
        self.note_broken_line();
    }

    /// Reads a statement of which parts are not known. What is wrong whatever stands there is reported: before the first of
    /// them, of single words behind it, and all that does not depend on them if each is one word.
    fn around_guesses(&mut self, span: Span, tokens: &[Token], guesses: &[Guess]) {
        let n_reported = self.program.diagnostics.len();
        let first = guesses[0].span;
        let is_open = self.is_open();
        let text = self.text;
        let is_declaration = tokens[0].span().of(text) == ".decl";
        if is_declaration {
            self.guessed_declaration(span, tokens, guesses);
        } else {
            self.sizeless(span, tokens);
        }
        let is_known = guesses.iter().all(|guess| guess.is_word);
        // The words that the guesses are parts of.
        let words: Vec<Span> = guesses.iter().map(|guess| word_around(text, guess.span)).collect();
        let touches = |place: Span| words.iter().any(|word| place.start <= word.end && word.start <= place.end);
        let names = |message: &str| words.iter().any(|word| message.contains(word.of(text)));
        let mut own = self.program.diagnostics.split_off(n_reported);
        own.retain_mut(|d| {
            let place = d.primary.span;
            if is_declaration && !OF_FORM.contains(&d.rule) && (is_open || d.rule != &UNDECLARED_VARIABLE) {
                return false;
            }
            let depends = touches(place) || names(&d.message);
            if is_known && !depends {
                d.secondary.retain(|label| !touches(label.span) && !names(&label.text));
                d.fix = d.fix.take().filter(|fix| fix.edits.iter().all(|e| !touches(e.span) && !names(&e.text)));
                d.help = d.help.take().filter(|help| !names(help));
                return true;
            }
            if place.start >= first.end {
                return !depends && is_wrong_word(d, text, is_open);
            }
            let Some(between) = text.get(place.end as usize..first.start as usize) else { return false };
            let is_of_part = [&SYNTAX_ERROR, &UNKNOWN_INSTRUCTION, &INVALID_EXEC_SIZE, &UNKNOWN_EXEC_MASK];
            let is_closed = place.of(text).ends_with('>') || text[..first.start as usize].trim_end().ends_with('>');
            is_of_part.contains(&d.rule) && (is_closed || !between.trim().is_empty())
        });
        self.program.diagnostics.append(&mut own);
    }

    /// Reads a statement of which only modifiers are not known, behind its mnemonic: all else is checked as ever.
    fn unmodified(&mut self, span: Span, tokens: &[Token], modifiers: Span) {
        let text = self.text;
        let n_reported = self.program.diagnostics.len();
        let first = self.program.instructions.len();
        self.read_statement(span, tokens);
        // What is missing there is what is not known.
        let is_missing = |d: &Diagnostic| d.primary.span.start < modifiers.end;
        if self.program.diagnostics[n_reported..].iter().any(is_missing) {
            let mut own = self.program.diagnostics.split_off(n_reported);
            own.retain(|d| d.primary.span.start >= modifiers.end && is_wrong_word(d, text, true));
            self.program.diagnostics.append(&mut own);
            self.touch_all(tokens);
            self.break_from(first);
        }
    }

    /// Reads a declaration of which parts are not known. What it declares may be anything.
    fn guessed_declaration(&mut self, span: Span, tokens: &[Token], guesses: &[Guess]) {
        let first = self.program.variables.len();
        self.touch_all(tokens);
        self.read_statement(span, tokens);
        for index in first..self.program.variables.len() {
            self.program.variables[VariableId(index as u32)].flags |= FLAG_BROKEN;
        }
        let name = tokens.get(1).map_or(span, |t| t.span());
        let is_whole = !guesses.iter().any(|guess| name.contains(guess.span.start));
        if first == self.program.variables.len() && is_whole && tokens.get(1).is_some_and(|t| t.kind == TokenKind::Word)
        {
            self.declare_broken(span, name, tokens);
        }
        if let Some(fragment) = &mut self.program.fragment {
            fragment.is_open |= !is_whole;
        }
        self.note_broken_line();
    }

    /// Notes that whatever a line names may be read and written.
    fn touch_all(&mut self, tokens: &[Token]) {
        for token in tokens {
            let end =
                token.span().of(self.text).find(['(', '<', ',', '.']).map_or(token.end, |i| token.start + i as u32);
            let name = match token.kind {
                TokenKind::Word | TokenKind::Percent => token.span(),
                TokenKind::SourceOperand | TokenKind::DestinationOperand => Span::new(token.start, end),
                TokenKind::EqualAlias => {
                    let inner = token.start + 2;
                    let length = Span::new(inner, token.end).of(self.text).find(',').unwrap_or(0) as u32;
                    Span::new(inner, inner + length)
                }
                _ => continue,
            };
            if let Some(variable) = self.find_variable(name.of(self.text)) {
                self.note(variable, FLAG_USED | FLAG_MISUSED);
                self.touch(variable, None, name, name, None, Span::default());
            }
        }
    }

    /// Reports an execution mask or size that does not exist, whatever stands in the holes of its line.
    fn execution_beside_hole(&mut self, span: Span) {
        let line = span.of(self.text);
        let Some(open) = line.find("(M") else { return };
        let inside = &line[open + 1..];
        let Some((mask, size)) = inside.split_once(')').and_then(|(inside, _)| inside.split_once(',')) else { return };
        let is_mask = mask[1..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        if !is_mask || mask.contains(HOLES) || size.contains(HOLES) {
            return;
        }
        let at = |part: &str, from: usize| {
            let start = span.start + from as u32 + (part.len() - part.trim_start().len()) as u32;
            Span::new(start, start + part.trim().len() as u32)
        };
        let (mask, size) = (at(mask, open + 1), at(size, open + 1 + mask.len() + 1));
        let mut unread = Instruction::broken(0, 0);
        self.mask(mask, &mut unread);
        self.exec_size(size, &mut unread);
    }

    /// Reports a mnemonic that does not exist, if it stands before the first hole of a line.
    fn mnemonic_before_hole(&mut self, span: Span) {
        let line = span.of(self.text);
        let mut rest = line.trim_start().trim_start_matches('{').trim_start();
        if let Some((_, behind)) = rest.strip_prefix('(').and_then(|r| r.split_once(')')) {
            rest = behind.trim_start();
        }
        let start = line.len() - rest.len();
        let length = rest.bytes().take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'_').count();
        let word = &rest[..length];
        let is_whole = rest[length..].starts_with(['.', ' ', '\t']) && !line[..start].contains(HOLES);
        // A label, or a name that holds parts of its own.
        let is_mnemonic = rest[length..].contains("(M") && word.starts_with(|c: char| c.is_ascii_lowercase());
        let is_known = |m: &str| m == word || m.split_once('.').is_some_and(|(front, _)| front == word);
        if is_whole && is_mnemonic && !spec::instructions().iter().any(|row| is_known(row.mnemonic)) {
            let place = Span::new(span.start + start as u32, span.start + (start + length) as u32);
            let message = format!("unknown instruction `{word}`");
            let diagnostic = Diagnostic::new(&UNKNOWN_INSTRUCTION, place, message);
            self.report(match closest(word, spec::instructions().iter().map(|row| row.mnemonic)) {
                Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")).replace(place, similar, false),
                None => diagnostic,
            });
        }
    }

    /// Notes that a variable is named, if it is an operand of the host or an alias of one.
    fn touch(
        &mut self,
        variable: VariableId,
        writes: Option<bool>,
        whole: Span,
        name: Span,
        region: Option<crate::program::Region>,
        region_span: Span,
    ) {
        let root = self.program.variables[variable].root;
        let instruction = InstructionIndex::from_index(self.program.instructions.len());
        let Some(fragment) = &mut self.program.fragment else { return };
        let Some(operand) = fragment.operands.iter().position(|o| o.variable == root) else { return };
        let operand = operand as u32;
        fragment.touches.push(Touch { instruction, operand, variable, writes, whole, name, region, region_span });
    }

    /// Notes a value of an address.
    pub(super) fn touch_read(&mut self, variable: VariableId, place: Span) {
        if self.program.fragment.is_some() {
            self.touch(variable, Some(false), place, place, None, Span::default());
        }
    }

    /// Notes what an operand of an instruction names. One whose type or size is not known is left at that: no later check
    /// looks at it.
    pub(super) fn fragment_operand(
        &mut self,
        operand: Operand,
        writes: bool,
        spans: &crate::program::OperandSpans,
    ) -> Operand {
        let Some(variable) = operand.variable() else { return operand };
        self.touch(variable, Some(writes), spans.whole, spans.name, operand.region(), spans.region);
        if !self.program.variables[variable].is(FLAG_OPEN) {
            return operand;
        }
        // Data of messages have their own type and size.
        if matches!(operand, Operand::LscData { .. }) {
            return operand;
        }
        Operand::Broken
    }

    /// Whether a name stands for an operand of the vector backend, which brings its region with it; notes that it is named.
    pub(super) fn brings_region(&mut self, name: Span, writes: bool) -> bool {
        let variable = self.vector_operand(name);
        if let Some(variable) = variable {
            self.touch(variable, Some(writes), name, name, None, Span::default());
        }
        variable.is_some()
    }

    /// The variable of the vector backend that a name stands for.
    fn vector_operand(&self, name: Span) -> Option<VariableId> {
        self.program.fragment.as_ref().filter(|f| f.is_vector)?;
        self.find_variable(name.of(self.text)).filter(|v| self.program.variables[*v].is(FLAG_OPERAND))
    }

    /// What an operand of the vector backend becomes that brings its region with it: all of its elements, or the one that it
    /// has. Nothing if its type is not known. Bytes, which conversions place with gaps, are left alone.
    pub(super) fn with_own_region(&self, name: Span, writes: bool, modifier: SourceModifier) -> Option<Operand> {
        let variable = self.vector_operand(name)?;
        let row = &self.program.variables[variable];
        if row.is(FLAG_OPEN) || row.element_type.bytes() == 1 {
            return None;
        }
        let region = match (writes, row.n_elements) {
            (true, _) => Region { vertical_stride: 0, width: 1, horizontal_stride: 1, form: RegionForm::Stride },
            (false, 1) => Region::SCALAR,
            (false, _) => Region { vertical_stride: 1, width: 1, horizontal_stride: 0, form: RegionForm::Full },
        };
        Some(Operand::General { variable, row: 0, column: 0, region, modifier })
    }

    /// Whether a name stands for a number that the host hands over.
    pub(super) fn is_host_number(&self, name: Span) -> bool {
        self.program.fragment.is_some()
            && self.find_variable(name.of(self.text)).is_some_and(|v| self.program.variables[v].is(FLAG_IMMEDIATE))
    }
}

/// Whether a finding behind text that is not known is about one word, which is wrong wherever it stands.
fn is_wrong_word(finding: &Diagnostic, text: &str, is_open: bool) -> bool {
    let (rule, place) = (finding.rule, finding.primary.span);
    let written = place.of(text);
    // A destination has one number, a source three, and an indirect source two: which of them is wanted is not known.
    let is_none = || written.contains(';') && !written.contains(',');
    let is_in_region =
        || text[..place.start as usize].rfind(['<', '>', '\n']).is_some_and(|at| text[at..].starts_with('<'));
    [&INVALID_EXEC_SIZE, &UNKNOWN_EXEC_MASK, &INVALID_IMMEDIATE, &UNKNOWN_TYPE, &UNKNOWN_ALIGNMENT].contains(&rule)
        || rule == &MALFORMED_REGION && is_none()
        || rule == &SYNTAX_ERROR && is_in_region()
        || rule == &UNDECLARED_VARIABLE && !is_open
}
