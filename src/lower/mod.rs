//! Makes the annotated program from statements: resolves names and matches operands to the slots of the
//! instruction's row.

mod alike;
pub mod arity;
pub mod attribute;
pub mod declaration;
pub mod directive;
pub mod element_count;
pub mod execution;
pub mod expression;
pub mod fragment;
pub mod input;
pub mod instruction;
pub mod lsc;
mod lsc_form;
pub mod lsc_shape;
mod marks;
pub mod misplaced;
pub mod modifier;
pub mod object;
pub mod operand;
mod recover;
pub mod reread;
mod rest;
pub mod scope;
pub mod text;
mod unknown;

use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::base::tally::Tally;
use crate::program::Program;
use crate::program::object::Label;
use crate::program::variable::{Variable, VariableId, VariableSpans};
use crate::spec::predefined;
use crate::spec::words::{self, Reserved};
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::lexer::Line;
use crate::syntax::token::Token;
use crate::syntax::tree::Statement;
use crate::syntax::{Batch, Lexer, Parser};
use alike::Copied;
use reread::Record;
use scope::{Binding, MAX_COMPARISONS};
use std::sync::LazyLock;

/// Texts of so many bytes are worth a second thread.
const LONG_TEXT: usize = 1 << 17;

/// Longer texts are rarely dumps.
const LONGEST_DUMP: usize = 1 << 24;

/// Further findings about one statement are left out: they rarely say anything new.
const MAX_FINDINGS: usize = 100;

/// The state of reading one file.
pub(super) struct Lowering<'a> {
    text: &'a str,
    parser: Parser,
    program: Program,
    /// What each symbol means now; `NOTHING` if nothing.
    bindings: Vec<Binding>,
    /// The variable that was declared last under each symbol; `u32::MAX` if none was.
    last_declared: Vec<u32>,
    /// What to put back when scopes close: symbol and what it meant.
    undo: Vec<(Symbol, Binding)>,
    /// Length of `undo` at the start of each open scope, and the place of its brace.
    scopes: Vec<(usize, Span)>,
    /// The value of `%DispatchSimd`.
    dispatch_simd: Option<i64>,
    /// Comparisons of names that reports may still make.
    comparisons_left: u32,
    reported_outside: bool,
    /// What is known about the text as a whole.
    state: text::TextState,
    /// The last `}` that closes nothing.
    stray_brace: Span,
    /// Declarations of the kernel or function whose names are missing, and that no name has been taken for.
    nameless: Vec<Span>,
    /// Whether a fault of the instruction being read was reported that leaves its modifiers or operands incomplete.
    is_incomplete: bool,
    /// Where the operands of the instruction being read begin.
    first_operand: usize,
    /// How many findings there were before the instruction being read.
    n_before_instruction: usize,
    /// What the last statement lacks at its end, if that was reported.
    cut_short: Option<rest::CutShort>,
    /// Counts findings by kind, unless all of them are wanted.
    tally: Option<Tally>,
    /// What a later reading of nearly the same text needs, if there will be one.
    record: Option<Box<Record>>,
    /// Where the statement being read begins.
    statement: u32,
    /// What instructions say that were read before.
    alike: alike::Alike,
}

/// A program of nothing but the predefined variables, and what their names mean.
static PREDEFINED: LazyLock<(Program, Vec<Binding>)> = LazyLock::new(|| {
    let (mut program, mut bindings) = (Program::default(), Vec::new());
    for (i, row) in predefined::all().iter().enumerate() {
        let name = program.names.intern(row.name);
        let id = program.variables.push(Variable {
            name,
            root: VariableId(i as u32),
            root_offset: 0,
            base: VariableId(i as u32),
            n_elements: row.n_elements[0],
            element_type: row.element_type,
            kind: row.kind,
            alignment: 0,
            flags: 0,
        });
        program.variable_spans.push(VariableSpans::default());
        scope::bind_predefined(&mut bindings, name, id);
        if row.kind == predefined::VariableKind::General && row.name != "%scratchloc" {
            let number = program.names.intern(&format!("V{i}"));
            scope::bind_predefined(&mut bindings, number, id);
        }
    }
    (program, bindings)
});

/// Reads a text into a program. Infallible: what cannot be understood is reported in [`Program::diagnostics`], at most
/// [`MAX_PER_KIND`](crate::base::tally::MAX_PER_KIND) findings of a kind unless comments in the text may suppress some.
#[must_use]
pub fn lower(text: &str) -> Program {
    let mut lowering = Lowering::new(text);
    lowering.tally = tally(text);
    lowering.alike.is_on = true;
    lowering.read_all()
}

/// Counts of findings, unless comments in the text may suppress some.
fn tally(text: &str) -> Option<Tally> {
    memchr::memmem::find(text.as_bytes(), b"visa-lint").is_none().then(Tally::default)
}

/// Reads a text into a program with every finding, however many there are of one kind.
#[must_use]
pub fn lower_in_full(text: &str) -> Program {
    Lowering::new(text).read_all()
}

impl<'a> Lowering<'a> {
    fn new(text: &'a str) -> Self {
        let (program, bindings) = PREDEFINED.clone();
        let mut lowering = Self {
            text,
            parser: Parser::new(),
            program,
            bindings,
            last_declared: Vec::new(),
            undo: Vec::new(),
            scopes: Vec::new(),
            dispatch_simd: None,
            comparisons_left: MAX_COMPARISONS,
            reported_outside: false,
            state: text::TextState::default(),
            stray_brace: Span::default(),
            nameless: Vec::new(),
            is_incomplete: false,
            first_operand: 0,
            n_before_instruction: 0,
            cut_short: None,
            tally: None,
            record: None,
            statement: 0,
            alike: alike::Alike::default(),
        };
        lowering.reserve();
        lowering
    }

    /// Reads the whole text.
    fn read_all(&mut self) -> Program {
        let text = self.text;
        self.program.set_compiler_dump(text::is_compiler_dump(text));
        let mut lexer = Lexer::new(text);
        if text.len() < LONG_TEXT || rayon::current_num_threads() < 2 {
            while let Some(line) = lexer.next_line() {
                self.bounded_line(line, lexer.glued_to(), lexer.tokens());
            }
            return self.finish(&lexer);
        }
        // One thread reads tokens while another one makes a program of those before them.
        let (mut batch, mut next) = (Batch::default(), Batch::default());
        batch.fill(&mut lexer);
        while !batch.is_empty() {
            let lower = || {
                for (line, glued_to, tokens) in batch.lines() {
                    self.bounded_line(line, glued_to, tokens);
                }
            };
            rayon::join(lower, || next.fill(&mut lexer));
            std::mem::swap(&mut batch, &mut next);
        }
        self.finish(&lexer)
    }

    /// Room for what a text of this length usually holds, so that the arrays rarely grow.
    fn reserve(&mut self) {
        // A dump has an instruction in two lines, of some three operands, and a declaration in the other. A fragment of one line
        // has some operands of its host.
        let n = self.text.len().min(LONGEST_DUMP) / 140 + 4;
        let program = &mut self.program;
        program.instructions.reserve(n);
        program.instruction_spans.reserve(n);
        program.operands.reserve(3 * n);
        program.operand_spans.reserve(3 * n);
        program.operand_slots.reserve(3 * n);
        program.variables.reserve(n);
        program.variable_spans.reserve(n);
        program.names.reserve(n);
        self.bindings.reserve_exact(n);
        self.last_declared.reserve_exact(n);
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.program.diagnostics.push(diagnostic);
    }

    /// Drops those of the findings from `from` on that are too many of their kind.
    fn bound(&mut self, from: usize) {
        if let Some(tally) = &mut self.tally {
            tally.bound(&mut self.program.diagnostics, from);
        }
    }

    /// Whether the text says that it is of version 4.2 or later.
    pub(super) fn is_newer_text(&self) -> bool {
        self.program.version.is_some_and(|(major, minor, _)| (major, minor) >= (4, 2))
    }

    /// Whether a word cannot be a name in this text.
    pub(super) fn is_reserved(&self, word: &str) -> bool {
        match words::reserved(word) {
            Reserved::No => false,
            Reserved::SinceVersion42 => self.is_newer_text(),
            Reserved::Always => true,
        }
    }

    /// Reads a line, and drops those of its findings that are too many of their kind.
    fn bounded_line(&mut self, line: Line, glued_to: Option<Span>, tokens: &[Token]) {
        let n_reported = self.program.diagnostics.len();
        self.line(line, glued_to, tokens);
        self.bound(n_reported);
    }

    fn line(&mut self, line: Line, glued_to: Option<Span>, tokens: &[Token]) {
        self.program.n_statements += 1;
        let n_before = (self.program.instructions.len(), self.program.labels.len());
        if let (Some(before), Line::Statement) = (glued_to, line) {
            self.report_glued(before, tokens);
        }
        match line {
            Line::Label(name) => {
                self.need_object(name);
                self.label(name, false);
            }
            Line::ScopeOpen(brace) => {
                self.need_object(brace);
                self.scopes.push((self.undo.len(), brace));
            }
            Line::ScopeClose(brace) => self.close_scope(brace),
            Line::Statement => self.statement(tokens),
        }
        if self.record.is_some() && n_before == (self.program.instructions.len(), self.program.labels.len()) {
            self.record_other_line();
        }
    }

    fn statement(&mut self, tokens: &[Token]) {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
        let span = Span::new(first.start, last.end);
        self.statement = span.start;
        let n_reported = self.program.diagnostics.len();
        if self.is_rest(tokens) || self.holey(span, tokens) {
            return;
        }
        let meant = self.undotted(tokens);
        self.read_statement(span, meant.as_deref().unwrap_or(tokens));
        self.program.diagnostics.truncate(n_reported + MAX_FINDINGS);
        self.note_end(span, tokens, n_reported);
        self.count_statement(tokens, n_reported);
    }

    /// Reads the tokens of one statement.
    fn read_statement(&mut self, span: Span, tokens: &[Token]) {
        if self.copy_declaration(span, tokens) {
            return;
        }
        let Copied::Not(before) = self.copy_instruction(tokens) else { return };
        match self.parser.parse(self.text, tokens) {
            Ok(Statement::Directive(name)) => self.directive(span, name),
            Ok(Statement::Instruction { predicate, mnemonic }) => {
                self.need_object(mnemonic);
                self.instruction(span, predicate, mnemonic);
                if let Some(before) = before {
                    self.keep_instruction(&before);
                }
            }
            Err(error) => {
                self.report(*error.diagnostic);
                self.recover(span, &error.tokens);
            }
        }
    }

    /// Reports a statement that stands on the line of a label or a `}`.
    fn report_glued(&mut self, before: Span, tokens: &[Token]) {
        // What only the host's compiler knows may begin a line.
        let is_known = |t: &&Token| !t.span().of(self.text).starts_with(fragment::HOLES);
        let Some(first) = tokens.first().filter(is_known) else { return };
        let is_label = before.of(self.text) != "}";
        let end = before.end + u32::from(is_label);
        let what = if is_label { "a label" } else { "`}`" };
        let message = format!("`{}` cannot stand on the line of {what}", first.span().of(self.text));
        self.report(
            Diagnostic::new(&SYNTAX_ERROR, first.span(), message)
                .also(Span::new(before.start, end), "nothing may follow this on its line")
                .fix(Fix {
                    title: "begin a new line".into(),
                    edits: vec![Edit { span: Span::new(end, first.start), text: "\n".into() }],
                    certain: true,
                }),
        );
    }

    fn label(&mut self, span: Span, is_function: bool) {
        let name = self.program.names.intern(unquoted(span.of(self.text)));
        let instruction = self.program.instructions.len() as u32;
        self.program.labels.push(Label { name, span, instruction, is_function });
    }

    fn finish(&mut self, lexer: &Lexer) -> Program {
        if let Some(comment) = lexer.facts().unclosed_comment.filter(|_| !self.program.objects.is_empty()) {
            // The text inside the comment belongs to the object, so that nothing is reported as missing at its end.
            self.statement = comment.start;
            self.note_broken_line();
            self.broken_instruction(comment);
        }
        let n_reported = self.program.diagnostics.len();
        self.close_object();
        self.report_open_scopes("this `{` is not closed");
        self.report_missing_version();
        self.bound(n_reported);
        let is_fragment = self.program.fragment.is_some();
        self.program.is_foreign = !is_fragment && self.report_other_text();
        let n_reported = self.program.diagnostics.len();
        self.report_text_facts(lexer);
        self.bound(n_reported.min(self.program.diagnostics.len()));
        if let Some(tally) = self.tally.take().filter(|_| !self.program.is_foreign) {
            self.program.left_out = tally.left_out();
        }
        if !is_fragment {
            self.trailer();
        }
        std::mem::take(&mut self.program)
    }
}

/// The inside of a quoted name, or the name itself.
pub(super) fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text)
}
