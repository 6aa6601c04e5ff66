//! Makes the annotated program from statements: resolves names and matches operands to the slots of the
//! instruction's row.

mod arity;
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
pub mod misplaced;
pub mod modifier;
pub mod operand;
mod rest;
pub mod text;

use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::base::symbol::Symbol;
use crate::base::tally::Tally;
use crate::program::object::{Label, Object, ObjectId, ObjectKind};
use crate::program::variable::{FLAG_USED, Variable, VariableId, VariableSpans};
use crate::program::{Program, variable};
use crate::spec::predefined;
use crate::spec::words::{self, Reserved};
use crate::spec::{Platform, PlatformSet};
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::lexer::Line;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::tree::Statement;
use crate::syntax::{Batch, Lexer, Parser};

crate::declare_rule! {
    /// A name that nothing declares. Variables must be declared before they are used, in the same kernel or function
    /// and in the same or an enclosing scope.
    ///
    /// ```visa bad
    /// mov (M1, 8) Vx(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// mov (M1, 8) Vx(0,0)<1> 0x1:d
    /// ```
    pub UNDECLARED_VARIABLE = "undeclared-variable", Error, "4_visa_header"
}

crate::declare_rule! {
    /// The text ends lines with a carriage return and a newline (Windows line ends). The reference knows no carriage
    /// return and stops at the first one. Checking goes on as if it were a blank.
    pub CARRIAGE_RETURN = "carriage-return", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// The text begins with a byte order mark, which the reference does not know.
    pub BYTE_ORDER_MARK = "byte-order-mark", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A block comment that is not closed. The reference silently takes everything up to the end of the text as comment.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> 0x1:d /* to the end
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d /* closed */
    /// ```
    pub UNCLOSED_COMMENT = "unclosed-comment", Warning, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A block comment with a newline in it inside a statement. The newline is part of the comment, so that the statement
    /// goes on after it; a reader sees two lines.
    ///
    /// ```visa bad
    /// // pedantic
    /// mov (M1, 8) VD(0,0)<1> /* the first
    ///     value */ 0x1:d
    /// ```
    /// ```visa good
    /// // pedantic
    /// mov (M1, 8) VD(0,0)<1> /* the first value */ 0x1:d
    /// ```
    pub COMMENT_JOINS_LINES = "comment-joins-lines", Pedantic, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// Braces that do not pair: a `}` without a `{`, or a `{` that nothing closes.
    ///
    /// ```visa bad
    /// }
    /// ```
    /// ```visa good
    /// {
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// }
    /// ```
    pub UNBALANCED_SCOPE = "unbalanced-scope", Error, "8_appendix_visa_assembly_syntax",
        help = "write a `{` and a `}` for each other"
}

crate::declare_rule! {
    /// A statement that belongs to a kernel or function stands before any `.kernel` or `.global_function`. The
    /// reference crashes on it.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .decl Vx v_type=G type=d num_elts=8
    /// .kernel "k"
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8
    /// ret (M1, 1)
    /// ```
    pub STATEMENT_OUTSIDE_KERNEL = "statement-outside-kernel", Error, "4_visa_header"
}

/// How many names the reports of one file may be compared with; more would cost more than they help.
const MAX_COMPARISONS: u32 = 400_000;

/// Texts of so many bytes are worth a second thread.
const LONG_TEXT: usize = 1 << 17;

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
    /// Whether a fault of the instruction being read was reported that leaves its modifiers or operands incomplete.
    is_incomplete: bool,
    /// How many findings there were before the instruction being read.
    n_before_instruction: usize,
    /// How the last statement lacks its end, and where it stops.
    cut_short: Option<(rest::CutShort, u32)>,
    /// Counts findings by kind, unless all of them are wanted.
    tally: Option<Tally>,
}

#[derive(Clone, Copy)]
struct Binding {
    variable: u32,
    depth: u32,
}

const NOTHING: Binding = Binding { variable: u32::MAX, depth: 0 };

/// Reads a text into a program. Infallible: what cannot be understood is reported in [`Program::diagnostics`], at most
/// [`MAX_PER_KIND`](crate::base::tally::MAX_PER_KIND) findings of a kind unless comments in the text may suppress some.
#[must_use]
pub fn lower(text: &str) -> Program {
    let may_suppress = memchr::memmem::find(text.as_bytes(), b"visa-lint").is_some();
    read(text, (!may_suppress).then(Tally::default))
}

/// Reads a text into a program with every finding, however many there are of one kind.
#[must_use]
pub fn lower_in_full(text: &str) -> Program {
    read(text, None)
}

fn read(text: &str, tally: Option<Tally>) -> Program {
    let mut lowering = Lowering::new(text);
    lowering.tally = tally;
    lowering.program.set_compiler_dump(is_compiler_dump(text));
    let mut lexer = Lexer::new(text);
    if text.len() < LONG_TEXT || rayon::current_num_threads() < 2 {
        while let Some(line) = lexer.next_line() {
            lowering.bounded_line(line, lexer.glued_to(), lexer.tokens());
        }
        return lowering.finish(&lexer);
    }
    // One thread reads tokens while another one makes a program of those before them.
    let (mut batch, mut next) = (Batch::default(), Batch::default());
    batch.fill(&mut lexer);
    while !batch.is_empty() {
        let lower = || {
            for (line, glued_to, tokens) in batch.lines() {
                lowering.bounded_line(line, glued_to, tokens);
            }
        };
        rayon::join(lower, || next.fill(&mut lexer));
        std::mem::swap(&mut batch, &mut next);
    }
    lowering.finish(&lexer)
}

impl<'a> Lowering<'a> {
    fn new(text: &'a str) -> Self {
        let mut lowering = Self {
            text,
            parser: Parser::new(),
            program: Program::default(),
            bindings: Vec::new(),
            last_declared: Vec::new(),
            undo: Vec::new(),
            scopes: Vec::new(),
            dispatch_simd: None,
            comparisons_left: MAX_COMPARISONS,
            reported_outside: false,
            state: text::TextState::default(),
            stray_brace: Span::default(),
            is_incomplete: false,
            n_before_instruction: 0,
            cut_short: None,
            tally: None,
        };
        lowering.reserve();
        for (i, row) in predefined::all().iter().enumerate() {
            let name = lowering.program.names.intern(row.name);
            let id = lowering.program.variables.push(Variable {
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
            lowering.program.variable_spans.push(VariableSpans::default());
            lowering.bind_predefined(name, id);
            if row.kind == predefined::VariableKind::General && row.name != "%scratchloc" {
                let number = lowering.program.names.intern(&format!("V{i}"));
                lowering.bind_predefined(number, id);
            }
        }
        lowering
    }

    /// Room for what a text of this length usually holds, so that the arrays rarely grow.
    fn reserve(&mut self) {
        let n_lines = self.text.len() / 100;
        self.program.operands.reserve(n_lines * 2);
        self.program.operand_spans.reserve(n_lines * 2);
        self.program.operand_slots.reserve(n_lines * 2);
        self.program.names.reserve(n_lines / 2);
    }

    fn bind_predefined(&mut self, name: Symbol, variable: VariableId) {
        self.grow_bindings(name);
        self.bindings[name.index()] = Binding { variable: variable.0, depth: 0 };
    }

    fn grow_bindings(&mut self, name: Symbol) {
        if self.bindings.len() <= name.index() {
            self.bindings.resize(name.index() + 1, NOTHING);
        }
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
    }

    fn statement(&mut self, tokens: &[Token]) {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
        let span = Span::new(first.start, last.end);
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
        match self.parser.parse(self.text, tokens) {
            Ok(Statement::Directive(name)) => self.directive(span, name),
            Ok(Statement::Instruction { predicate, mnemonic }) => {
                self.need_object(mnemonic);
                self.instruction(span, predicate, mnemonic);
            }
            Err(error) => {
                self.report(*error.diagnostic);
                self.recover(span, &error.tokens);
            }
        }
    }

    /// Reports a statement that stands on the line of a label or a `}`.
    fn report_glued(&mut self, before: Span, tokens: &[Token]) {
        let Some(first) = tokens.first() else { return };
        let is_label = before.of(self.text) != "}";
        let end = before.end + u32::from(is_label);
        let what = if is_label { "a label" } else { "`}`" };
        self.report(
            Diagnostic::new(
                &SYNTAX_ERROR,
                first.span(),
                format!("`{}` cannot stand on the line of {what}", first.span().of(self.text)),
            )
            .also(Span::new(before.start, end), "nothing may follow this on its line")
            .fix(Fix {
                title: "begin a new line".into(),
                edits: vec![Edit { span: Span::new(end, first.start), text: "\n".into() }],
                certain: true,
            }),
        );
    }

    /// Takes from a line that could not be parsed what later lines may refer to.
    fn recover(&mut self, span: Span, tokens: &[Token]) {
        let first = tokens[0].span().of(self.text);
        if first == ".version" {
            self.note_version(tokens[0].span());
            self.program.version.get_or_insert((4, 1, span));
        } else {
            self.need_version(tokens[0].span());
        }
        let name = name_in(&tokens[1..]);
        match first {
            ".decl" => {
                if let Some(name) = name.filter(|n| self.is_declarable(*n)) {
                    self.need_object(name);
                    self.declare_broken(span, name, tokens);
                }
            }
            ".kernel" => self.open_object(span, name.unwrap_or(Span::at(span.end)), ObjectKind::Kernel),
            ".global_function" => self.open_object(span, name.unwrap_or(Span::at(span.end)), ObjectKind::Function),
            ".function" => {
                if let Some(name) = name {
                    self.need_object(name);
                    self.label(name, true);
                }
            }
            ".input" => {
                if let Some(variable) = name.and_then(|name| self.find_variable(name.of(self.text))) {
                    self.program.variables[variable].flags |= variable::FLAG_INPUT;
                }
            }
            directive if directive.starts_with('.') => {
                let is_label = tokens.len() == 2 && tokens[1].kind == TokenKind::Colon;
                if is_label && !words::DIRECTIVES.contains(&directive) {
                    // A label with a dot too many: branches to the name behind it lead here.
                    self.need_object(tokens[0].span());
                    self.label(Span::new(span.start + 1, tokens[0].end), false);
                }
            }
            _ => {
                let is_label = tokens.len() > 1 && tokens[tokens.len() - 1].kind == TokenKind::Colon;
                if is_label && !span.of(self.text).contains('(') {
                    // A label whose name is no name: branches to it still lead here.
                    self.need_object(tokens[0].span());
                    self.label(Span::new(span.start, span.end - 1).trimmed(self.text), false);
                } else {
                    self.need_object(tokens[0].span());
                    self.broken_instruction(span);
                }
            }
        }
        if let Some(object) = self.object() {
            object.has_broken_lines = true;
        }
        let is_value = tokens.len() > 1 && tokens[tokens.len() - 2].kind == TokenKind::Equal;
        if let Some(brace) = tokens.last().filter(|t| t.kind == TokenKind::BraceOpen && !is_value) {
            // What closes it stands somewhere below.
            self.scopes.push((self.undo.len(), brace.span()));
        }
    }

    fn label(&mut self, span: Span, is_function: bool) {
        let name = self.program.names.intern(unquoted(span.of(self.text)));
        let instruction = self.program.instructions.len() as u32;
        self.program.labels.push(Label { name, span, instruction, is_function });
    }

    fn close_scope(&mut self, brace: Span) {
        let Some((length, _)) = self.scopes.pop() else {
            // Of several in a row one is reported.
            let follows = !self.stray_brace.is_empty() && self.is_blank(self.stray_brace.end, brace.start);
            self.stray_brace = brace;
            if !follows && !self.is_open() {
                self.report(Diagnostic::new(&UNBALANCED_SCOPE, brace, "this `}` closes nothing"));
            }
            return;
        };
        self.unwind(length);
    }

    /// Reports the scopes that are open, and forgets them.
    fn report_open_scopes(&mut self, message: &str) {
        let mut previous = Span::default();
        for (_, brace) in std::mem::take(&mut self.scopes) {
            let follows = !previous.is_empty() && self.is_blank(previous.end, brace.start);
            previous = brace;
            if !follows && !self.is_open() {
                self.report(Diagnostic::new(&UNBALANCED_SCOPE, brace, message));
            }
        }
    }

    /// Whether only blanks stand between two places, and no newline.
    fn is_blank(&self, start: u32, end: u32) -> bool {
        Span::new(start, end).of(self.text).bytes().all(|b| matches!(b, b' ' | b'\t'))
    }

    fn unwind(&mut self, length: usize) {
        while self.undo.len() > length {
            if let Some((symbol, binding)) = self.undo.pop() {
                self.bindings[symbol.index()] = binding;
            }
        }
    }

    /// The object that is open.
    fn object(&mut self) -> Option<&mut Object> {
        let last = self.program.objects.len().checked_sub(1)?;
        Some(&mut self.program.objects[ObjectId::from_index(last)])
    }

    /// Opens a nameless object if none is open, and reports that once.
    fn need_object(&mut self, span: Span) {
        if self.program.objects.is_empty() {
            if !self.reported_outside {
                self.reported_outside = true;
                self.report(
                    Diagnostic::new(
                        &STATEMENT_OUTSIDE_KERNEL,
                        span,
                        format!("`{}` stands before any `.kernel`", span.of(self.text)),
                    )
                    .help("begin with `.version 4.1` and `.kernel \"name\"`"),
                );
            }
            self.open_object(span, Span::at(span.start), ObjectKind::Missing);
        }
    }

    fn open_object(&mut self, span: Span, name_span: Span, kind: ObjectKind) {
        self.close_object();
        self.unwind(0);
        self.report_open_scopes("this `{` is not closed before the next kernel or function");
        let name = self.program.names.intern(unquoted(name_span.of(self.text)));
        let p = &mut self.program;
        let from = |n: usize| n as u32..n as u32;
        p.objects.push(Object {
            kind,
            name,
            span,
            name_span,
            variables: from(p.variables.len()),
            instructions: from(p.instructions.len()),
            labels: from(p.labels.len()),
            attributes: from(p.attributes.len()),
            inputs: from(p.inputs.len()),
            has_broken_lines: false,
            parts_lanes: false,
        });
    }

    fn close_object(&mut self) {
        let p = &self.program;
        let ends = [p.variables.len(), p.instructions.len(), p.labels.len(), p.attributes.len(), p.inputs.len()]
            .map(|n| n as u32);
        if let Some(object) = self.object() {
            [
                object.variables.end,
                object.instructions.end,
                object.labels.end,
                object.attributes.end,
                object.inputs.end,
            ] = ends;
        }
    }

    fn finish(mut self, lexer: &Lexer) -> Program {
        if let (Some(comment), Some(object)) = (lexer.facts().unclosed_comment, self.object()) {
            // The text inside the comment belongs to the object, so that nothing is reported as missing at its end.
            object.has_broken_lines = true;
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
        if is_fragment {
            return self.program;
        }
        self.trailer();
        self.program
    }

    /// Reads the last `//Platform: NAME` of the text.
    fn trailer(&mut self) {
        const MARK: &str = "//Platform:";
        // Forwards, which is faster than backwards.
        let Some(start) = memchr::memmem::find_iter(self.text.as_bytes(), MARK).last() else { return };
        let rest = &self.text[start + MARK.len()..];
        let line = rest.lines().next().unwrap_or("");
        let name = line.trim();
        let offset = (start + MARK.len() + line.len() - line.trim_start().len()) as u32;
        let span = Span::new(offset, offset + name.len() as u32);
        if let Some(platform) = Platform::from_name(name) {
            // The compiler prints `PVC` for both steppings, and one name for all of Xe3P.
            let mut set = PlatformSet::one(platform);
            for (first, second) in [(Platform::PVC, Platform::PVCXT), (Platform::XE3P_CRI, Platform::NVL)] {
                if platform == first {
                    set = set.or(PlatformSet::one(second));
                }
            }
            self.program.platform_trailer = Some((set, span));
        }
    }

    /// The variable that a name means here.
    pub(super) fn find_variable(&self, name: &str) -> Option<VariableId> {
        let symbol = self.program.names.lookup(name)?;
        self.find_symbol(symbol)
    }

    fn find_symbol(&self, symbol: Symbol) -> Option<VariableId> {
        let binding = self.bindings.get(symbol.index())?;
        (binding.variable != u32::MAX).then_some(VariableId(binding.variable))
    }

    /// The variable at `span`; reports and returns nothing if there is none.
    pub(super) fn use_variable(&mut self, span: Span) -> Option<VariableId> {
        let found = self.find_variable(span.of(self.text));
        match found {
            Some(variable) => {
                let row = &mut self.program.variables[variable];
                row.flags |= FLAG_USED;
                if row.is(variable::FLAG_BROKEN) {
                    return None;
                }
            }
            None => self.report_undeclared(span),
        }
        found
    }

    pub(super) fn report_undeclared(&mut self, span: Span) {
        if self.is_open() {
            return;
        }
        let name = span.of(self.text);
        let declared = self.program.names.lookup(name).and_then(|symbol| self.last_declared(symbol));
        let elsewhere = declared.map(|v| self.program.variable_spans[v].name);
        let mut diagnostic = Diagnostic::new(&UNDECLARED_VARIABLE, span, format!("`{name}` is not declared"))
            .label("no such variable here");
        if let Some(place) = elsewhere {
            diagnostic = diagnostic.also(place, "this one belongs to another kernel, function or scope");
        } else if let Some(similar) = self.similar_variable(name) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?")).replace(span, similar, false);
        } else if name.starts_with('%') {
            diagnostic = diagnostic.help("names that begin with `%` are predefined: `%null`, `%r0`, `%slm`, ...");
        }
        self.report(diagnostic);
    }

    fn similar_variable(&mut self, name: &str) -> Option<String> {
        let start = self.program.objects.iter().last().map_or(0, |o| o.variables.start as usize);
        let n_names = self.program.variables.len() - start + predefined::all().len();
        self.comparisons_left = self.comparisons_left.checked_sub(n_names as u32)?;
        let own = self.program.variables.as_slice()[start..].iter().map(|v| self.program.names.name(v.name));
        let all = own.chain(predefined::all().iter().map(|p| p.name));
        // Names that differ in their digits only are not misspelt.
        let letters =
            |w: &str| w.bytes().filter(|b| !b.is_ascii_digit()).map(|b| b.to_ascii_lowercase()).collect::<Vec<u8>>();
        let own_letters = letters(name);
        let differs = |w: &&str| w.eq_ignore_ascii_case(name) || letters(w) != own_letters || w.len() != name.len();
        closest(name, all.filter(differs)).map(str::to_owned)
    }

    /// Gives `name` the meaning `variable` until the scope closes.
    fn bind(&mut self, name: Symbol, variable: VariableId) {
        self.grow_bindings(name);
        let depth = self.scopes.len() as u32 + 1;
        let old = std::mem::replace(&mut self.bindings[name.index()], Binding { variable: variable.0, depth });
        self.undo.push((name, old));
        if self.last_declared.len() <= name.index() {
            self.last_declared.resize(name.index() + 1, u32::MAX);
        }
        self.last_declared[name.index()] = variable.0;
    }

    /// The variable that was declared last under a name, wherever that was.
    fn last_declared(&self, name: Symbol) -> Option<VariableId> {
        self.last_declared.get(name.index()).filter(|v| **v != u32::MAX).map(|v| VariableId(*v))
    }

    /// The variable that a name was given in the innermost scope, or that is predefined under it.
    fn bound_here(&self, name: Symbol) -> Option<VariableId> {
        let binding = *self.bindings.get(name.index())?;
        let here = binding.depth == self.scopes.len() as u32 + 1 || binding.depth == 0;
        (binding.variable != u32::MAX && here).then_some(VariableId(binding.variable))
    }
}

/// Whether a compiler printed the text: it lists the predefined variables in comments, or, where it passes inline
/// assembly through, heads each kernel with a comment.
fn is_compiler_dump(text: &str) -> bool {
    let has = |line: &str| memchr::memmem::find(text.as_bytes(), line.as_bytes()).is_some();
    has("\n/// VISA Predefined Variables") || has("\n//// KERNEL: ////")
}

/// The inside of a quoted name, or the name itself.
pub(super) fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text)
}

/// The name in a line that could not be parsed: the first one, unless it is the key of a field.
fn name_in(tokens: &[Token]) -> Option<Span> {
    let is_name = |t: &Token| matches!(t.kind, TokenKind::Word | TokenKind::Percent | TokenKind::String);
    let first = tokens.iter().position(is_name)?;
    let is_key = tokens.get(first + 1).is_some_and(|t| t.kind == TokenKind::Equal);
    (!is_key).then(|| tokens[first].span())
}
