//! Checks: what the annotated program and the tables imply.

pub mod context;
pub mod encoding;
pub mod suppression;
pub mod table;

pub use context::{Context, Options, PlatformMode, Sink, View};
pub use suppression::Suppressed;

use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::rule::Rule;
use crate::program::{InstructionIndex, Program, lower};
use crate::spec::PlatformSet;
use crate::syntax;
use suppression::Suppressions;

/// Every rule. A rule that is not here does not exist; the tests see to it that none is forgotten.
pub static RULES: &[&Rule] = &[
    // Text and names.
    &encoding::INVALID_ENCODING,
    &syntax::error::SYNTAX_ERROR,
    &syntax::error::COMMA_BETWEEN_OPERANDS,
    &syntax::error::INDENTED_LABEL,
    &lower::UNDECLARED_VARIABLE,
    &lower::CARRIAGE_RETURN,
    &lower::BYTE_ORDER_MARK,
    &lower::UNCLOSED_COMMENT,
    &lower::UNBALANCED_SCOPE,
    &lower::STATEMENT_OUTSIDE_KERNEL,
    &suppression::MALFORMED_SUPPRESSION,
    &suppression::UNKNOWN_RULE,
    &suppression::UNEXPLAINED_SUPPRESSION,
    &suppression::UNUSED_SUPPRESSION,
    &suppression::UNFULFILLED_EXPECTATION,
    &lower::expression::NOT_CONSTANT,
    &lower::expression::CONSTANT_DIVISION_BY_ZERO,
    &lower::expression::DECIMAL_OVERFLOW,
    &lower::expression::HEXADECIMAL_OVERFLOW,
    // Declarations and directives.
    &lower::declaration::MALFORMED_DECLARATION,
    &lower::declaration::UNKNOWN_TYPE,
    &lower::declaration::DUPLICATE_DECLARATION,
    &lower::declaration::PREDEFINED_REDECLARED,
    &lower::declaration::RESERVED_WORD,
    &lower::declaration::UNKNOWN_ALIGNMENT,
    &lower::declaration::UNKNOWN_ATTRIBUTE,
    &lower::declaration::ALIAS_OF_WRONG_KIND,
    &lower::directive::UNKNOWN_DIRECTIVE,
    &lower::directive::MALFORMED_DIRECTIVE,
    &lower::directive::MISPLACED_VERSION,
    &lower::directive::WRONG_ATTRIBUTE_VALUE,
    &lower::directive::WRONG_INPUT_KIND,
    // Instructions and operands as text.
    &lower::instruction::UNKNOWN_INSTRUCTION,
    &lower::instruction::MISSING_OPERAND,
    &lower::instruction::SURPLUS_OPERAND,
    &lower::instruction::INVALID_PREDICATE,
    &lower::execution::MISSING_EXEC_SIZE,
    &lower::execution::UNKNOWN_EXEC_MASK,
    &lower::execution::INVALID_EXEC_SIZE,
    &lower::execution::UNEXPECTED_EXEC_SIZE,
    &lower::modifier::UNKNOWN_MODIFIER,
    &lower::modifier::MISSING_MODIFIER,
    &lower::modifier::EMPTY_CHANNEL_MASK,
    &lower::modifier::INVALID_CHANNEL_MASK,
    &lower::modifier::BLANK_IN_MODIFIER,
    &lower::modifier::SATURATION_NOT_ALLOWED,
    &lower::operand::WRONG_OPERAND_FORM,
    &lower::operand::WRONG_VARIABLE_KIND,
    &lower::operand::MISSING_RAW_OFFSET,
    &lower::operand::MISSING_REGION,
    &lower::operand::MALFORMED_REGION,
    &lower::operand::MISSING_TYPE,
    &lower::operand::SURPLUS_TYPE,
    &lower::operand::INVALID_IMMEDIATE,
    &lower::operand::SURFACE_WITHOUT_NAME,
    &lower::operand::MALFORMED_NULL,
    &lower::operand::MISPLACED_SOURCE_MODIFIER,
    &lower::operand::DECIMAL_BIT_PATTERN,
    &lower::lsc::MALFORMED_LSC_ADDRESS,
    &lower::lsc::UNKNOWN_LSC_SHAPE,
    // The keys of the tables.
    &table::platform::UNSUPPORTED_INSTRUCTION,
    &table::platform::INCOMPATIBLE_INSTRUCTIONS,
    &table::predicate::PREDICATE_NOT_ALLOWED,
    &table::predicate::DROPPED_MODIFIER,
    &table::predicate::MISSING_PREDICATE,
    &table::exec_size::UNSUPPORTED_EXEC_SIZE,
    &table::exec_size::MISSING_NO_MASK,
    &table::exec_mask::MISALIGNED_EXEC_MASK,
    &table::exec_mask::UNSUPPORTED_EXEC_MASK,
    &table::modifier::UNSUPPORTED_MODIFIER_VALUE,
    &table::types::UNSUPPORTED_TYPE,
    &table::null::UNEXPECTED_NULL,
    &table::source_modifier::UNSUPPORTED_SOURCE_MODIFIER,
    &table::value::VALUE_OUT_OF_RANGE,
    &table::region::IGNORED_REGION,
    &table::surface::UNSUPPORTED_SURFACE,
    &table::surface::NOT_A_SURFACE,
    &table::bytes::OPERAND_OUT_OF_BOUNDS,
    &table::alignment::MISALIGNED_OPERAND,
];

/// The rule of that name.
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|r| r.name == name)
}

/// Reads and checks a text. The findings are in the order of the text.
#[must_use]
pub fn check(text: &str, options: &Options) -> Vec<Diagnostic> {
    let program = crate::program::lower(text);
    check_program(text, &program, options)
}

/// Checks a program that was read from `text`.
#[must_use]
pub fn check_program(text: &str, program: &Program, options: &Options) -> Vec<Diagnostic> {
    check_in_full(text, program, options, None).diagnostics
}

/// What a check finds.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What comments in the text suppress.
    pub suppressed: Vec<Suppressed>,
}

/// Checks a program that was read from `text`, whose byte at `invalid_byte` was not UTF-8, and says what was suppressed.
#[must_use]
pub fn check_in_full(text: &str, program: &Program, options: &Options, invalid_byte: Option<u32>) -> Outcome {
    let all = |options: &Options| {
        let mut diagnostics = findings(text, program, options);
        if let Some(offset) = invalid_byte {
            encoding::add_invalid_byte(offset, options, &mut diagnostics);
        }
        diagnostics
    };
    let Some(suppressions) = Suppressions::read(text, program) else {
        return Outcome { diagnostics: all(options), suppressed: Vec::new() };
    };
    let wide = Suppressions::widened(options);
    let elsewhere = || all(&Options { platforms: Some(PlatformSet::ALL), ..wide.clone() });
    let (mut diagnostics, suppressed) = suppressions.apply(text, options, all(&wide), elsewhere);
    settle(&mut diagnostics);
    Outcome { diagnostics, suppressed }
}

/// All findings, whatever the comments in the text say.
fn findings(text: &str, program: &Program, options: &Options) -> Vec<Diagnostic> {
    let mut sink = Sink::new(options);
    for diagnostic in &program.diagnostics {
        sink.report(diagnostic.clone());
    }
    let (platforms, mode) = table::platform::platforms(program, options, &mut sink);
    let cx = Context { text, program, platforms, mode, options };
    for index in 0..program.instructions.len() {
        let Some(view) = View::new(&cx, InstructionIndex::from_index(index)) else { continue };
        if table::platform::check(&view, &mut sink) {
            table::check(&view, &mut sink);
        }
    }
    let mut diagnostics = sink.diagnostics;
    settle(&mut diagnostics);
    diagnostics
}

/// Sorts by place, and keeps of several findings of one rule at one place the most serious.
fn settle(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        let key = |d: &Diagnostic| (d.primary.span, d.rule.name);
        key(a).cmp(&key(b)).then(b.level.cmp(&a.level))
    });
    diagnostics.dedup_by(|later, earlier| later.rule == earlier.rule && later.primary.span == earlier.primary.span);
}
