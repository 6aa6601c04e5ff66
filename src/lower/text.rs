//! The text as a whole: its version, its end, and whether it is vISA at all.

use super::Lowering;
use super::marks::{MARKS_OF_DUMPS, PLATFORM_MARK};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::lower::directive::{MISPLACED_VERSION, UNKNOWN_DIRECTIVE};
use crate::spec::{self, Platform, PlatformSet, words};
use crate::syntax::Lexer;
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::tree::{Arguments, ExprKind, Value};

crate::declare_rule! {
    /// A text that is not vISA: hardly a line of it begins with an instruction or directive of vISA, and none can be read.
    /// Nothing else is said about it.
    ///
    /// ```visa bad
    /// .version 7.8
    /// .target sm_52
    /// .address_size 64
    /// .visible .entry scale(.param .u64 a)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "scale"
    /// ret (M1, 1)
    /// ```
    pub NOT_VISA = "not-visa", Error, "8_appendix_visa_assembly_syntax"
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
    /// A block comment that is not closed. The reference silently takes everything up to the end of the text as comment. Of an
    /// asm statement, that is an error: all of the kernel that comes behind the statement is left out, and the compiler
    /// reports nothing.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> 0x1:d /* to the end
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d /* closed */
    /// ```
    pub UNCLOSED_COMMENT = "unclosed-comment", Warning | Error, "8_appendix_visa_assembly_syntax"
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

/// From this many statements on, a text without one that can be read is not vISA, whatever its words.
const MANY: u32 = 10;

/// What is known about the text so far.
#[derive(Default)]
pub(super) struct TextState {
    /// Whether `.version`, or something that should stand after it, was read.
    pub(super) has_begun: bool,
    /// What stands where `.version` should stand.
    missing_version: Option<Span>,
    /// The first `.version` of a text that does not begin with one.
    late_version: Option<Span>,
    /// Directives and instructions.
    n_statements: u32,
    /// Those that begin with a word of vISA, or hold an execution mask.
    n_known: u32,
    /// The first of them.
    first: Span,
    /// Where the first one without a finding ends that no other language has.
    pub(super) sound_end: Option<u32>,
}

impl Lowering<'_> {
    /// Notes that something else than `.version` stands at `span`.
    pub(super) fn need_version(&mut self, span: Span) {
        if !self.state.has_begun {
            self.state.has_begun = true;
            self.state.missing_version = Some(span);
        }
    }

    /// Notes that `.version` stands at `name`; reports it unless it is the first statement.
    pub(super) fn note_version(&mut self, name: Span) {
        if let Some((_, _, first)) = self.program.version {
            self.report(
                Diagnostic::new(&MISPLACED_VERSION, name, "`.version` stands a second time")
                    .also(first, "the first one")
                    .note("a file has one `.version`, also when it holds several kernels"),
            );
        } else if self.state.has_begun {
            self.state.late_version = Some(name);
        }
        self.state.has_begun = true;
    }

    pub(super) fn report_missing_version(&mut self) {
        let Some(span) = self.state.missing_version else { return };
        let diagnostic = Diagnostic::new(&MISPLACED_VERSION, span, "the file has to begin with `.version`");
        self.report(match self.state.late_version {
            Some(late) => diagnostic.also(late, "it stands here").help("move it to the first line"),
            None => diagnostic.help("write `.version 4.1` on the first line"),
        });
    }

    /// Counts a statement for the question whether the text is vISA; `n_reported` is the number of findings before it.
    pub(super) fn count_statement(&mut self, tokens: &[Token], n_reported: usize) {
        let Some(first) = tokens.first() else { return };
        let state = &mut self.state;
        state.n_statements += 1;
        if state.first.is_empty() {
            state.first = first.span();
        }
        if state.sound_end.is_some() {
            // One sound statement is enough.
            return;
        }
        let text = self.text;
        let word = first.span().of(text);
        let is_mask = |t: &Token| {
            t.kind == TokenKind::Exec || t.kind == TokenKind::Word && words::exec_mask(t.span().of(text)).is_some()
        };
        let begins_directive = word.starts_with('.') && words::DIRECTIVES.iter().any(|d| d.starts_with(word));
        let is_known = begins_directive
            || word.starts_with(".implicit")
            || spec::lookup(word).is_some()
            || tokens.iter().any(is_mask);
        state.n_known += u32::from(is_known);
        // Other assemblers have these directives, too.
        let is_common = matches!(word, ".version" | ".kernel" | ".function" | ".file" | ".loc");
        if is_known && !is_common && self.program.diagnostics.len() == n_reported {
            state.sound_end = tokens.last().map(|token| token.end);
        }
    }

    /// Whether the text is not vISA; then that is all that is reported.
    pub(super) fn report_other_text(&mut self) -> bool {
        let state = &self.state;
        let is_foreign = state.n_statements > 0
            && state.sound_end.is_none()
            && !self.program.diagnostics.is_empty()
            && (state.n_known * 4 <= state.n_statements || state.n_statements >= MANY);
        if !is_foreign {
            return false;
        }
        let mut diagnostic =
            Diagnostic::new(&NOT_VISA, state.first, "this text is not vISA").label("no statement of it can be read");
        if let Some(other) = other_language(self.text) {
            diagnostic = diagnostic.help(format!("it looks like {other}"));
        }
        self.program.diagnostics.clear();
        self.report(diagnostic);
        true
    }

    /// A directive without its dot (`kernel "k"`): reports it, and returns the tokens as they were meant.
    pub(super) fn undotted(&mut self, tokens: &[Token]) -> Option<Vec<Token>> {
        let first = tokens.first().filter(|t| t.kind == TokenKind::Word)?;
        let word = first.span().of(self.text);
        let meant = words::DIRECTIVES.iter().find(|d| &d[1..] == word)?;
        let is_followed = tokens.get(1).is_some_and(|t| {
            matches!(t.kind, TokenKind::Word | TokenKind::String | TokenKind::Dec | TokenKind::Percent)
        });
        if !is_followed || spec::lookup(word).is_some() {
            return None;
        }
        self.report(
            Diagnostic::new(&SYNTAX_ERROR, first.span(), format!("the directive `{meant}` begins with a dot")).replace(
                Span::at(first.start),
                ".",
                true,
            ),
        );
        let mut meant = tokens.to_vec();
        meant[0].kind = TokenKind::DotWord;
        Some(meant)
    }

    /// The directive that is meant by one that does not exist, which is reported. Nothing if none is like it.
    pub(super) fn meant_directive(&mut self, name: Span) -> Option<&'static str> {
        let glued = self.glued_directive(name);
        let whole = glued.unwrap_or(name);
        let word = whole.of(self.text);
        let all = || words::DIRECTIVES.iter().copied();
        let similar = closest(word, all());
        let begins = || all().find(|d| word.len() > 3 && d.starts_with(word));
        let shorter = glued.and_then(|_| all().find(|d| *d == name.of(self.text)));
        // Whatever it is called, this is how variables are declared.
        let has_kind = self.parser.tree.fields.iter().any(|field| field.key.of(self.text) == "v_type");
        let meant = similar.or(shorter).or(has_kind.then_some(".decl"));
        let mut diagnostic = Diagnostic::new(&UNKNOWN_DIRECTIVE, whole, format!("unknown directive `{word}`"));
        diagnostic = match meant.or_else(begins) {
            Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")).replace(
                whole,
                similar,
                similar.eq_ignore_ascii_case(word),
            ),
            None => diagnostic.note(format!("the directives are {}", spec::join_and(all().map(|d| format!("`{d}`"))))),
        };
        self.report(diagnostic);
        if glued.is_some() {
            self.parser.tree.fields.remove(0);
        }
        meant
    }

    /// The whole word of a directive that begins with another one: assemblers read `.declare x` as `.decl are x`. Nothing
    /// if what follows fits the shorter one.
    pub(super) fn glued_directive(&self, name: Span) -> Option<Span> {
        let [first, second, ..] = self.parser.tree.fields.as_slice() else { return None };
        let takes_one =
            matches!(name.of(self.text), ".kernel" | ".global_function" | ".function" | ".funcdecl" | ".kernel_attr");
        let is_word = match first.value {
            Value::Expr(id) => matches!(self.parser.tree.expr(id).kind, ExprKind::Name(_, Arguments::None)),
            _ => false,
        };
        let is_glued = first.span.start == name.end && first.key.is_empty() && is_word;
        (is_glued && (takes_one || second.key.is_empty())).then(|| name.to(first.span))
    }

    /// Reads the last `//Platform: NAME` of the text.
    pub(super) fn trailer(&mut self) {
        // Forwards, which is faster than backwards.
        let Some(start) = memchr::memmem::find_iter(self.text.as_bytes(), PLATFORM_MARK).last() else { return };
        let rest = &self.text[start + PLATFORM_MARK.len()..];
        let line = rest.lines().next().unwrap_or("");
        let name = line.trim();
        let offset = (start + PLATFORM_MARK.len() + line.len() - line.trim_start().len()) as u32;
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

    /// Reports what concerns the text as a whole.
    pub(super) fn report_text_facts(&mut self, lexer: &Lexer) {
        for join in lexer.joins() {
            self.report(
                Diagnostic::new(&COMMENT_JOINS_LINES, *join, "this comment joins two lines to one statement")
                    .note("a block comment takes the newlines in it away, and a newline is what ends a statement"),
            );
        }
        let facts = lexer.facts();
        if let Some((first, count)) = facts.carriage_return {
            let place = Span::new(first, first + 1);
            let is_one_line = count > 1 && !self.text.contains('\n');
            if is_one_line {
                // All of the text was read as one line, so that its other findings mean nothing.
                self.program.diagnostics.clear();
            }
            let message = if is_one_line {
                format!("{count} carriage returns stand in the text, and no newline (old Mac line ends)")
            } else if count == 1 {
                "a carriage return stands in the text".to_owned()
            } else {
                format!("{count} carriage returns stand in the text (Windows line ends)")
            };
            self.report(
                Diagnostic::new(&CARRIAGE_RETURN, place, message)
                    .note("the reference assembler stops at the first one")
                    .help("save the file with Unix line ends"),
            );
        }
        if facts.byte_order_mark {
            let mark = Span::new(0, 3);
            self.report(
                Diagnostic::new(&BYTE_ORDER_MARK, mark, "the text begins with a byte order mark")
                    .label("these three bytes")
                    .replace(mark, "", true),
            );
        }
        if let Some(span) = facts.unclosed_comment {
            let swallows_kernel = self.program.fragment.as_deref().is_some_and(|f| f.is_statement && !f.is_open);
            let (level, message) = if swallows_kernel {
                (Level::Error, "this comment is not closed: all that comes behind it in the kernel is left out")
            } else {
                (Level::Warning, "this comment is not closed and reaches to the end of the text")
            };
            let diagnostic = Diagnostic::new(&UNCLOSED_COMMENT, span, message).level(level);
            self.report(diagnostic.help("close it with `*/`"));
        }
    }
}

/// Whether a compiler printed the text: it lists the predefined variables in comments, or, where it passes inline
/// assembly through, heads each kernel with a comment.
pub(super) fn is_compiler_dump(text: &str) -> bool {
    let begins_line = |mark: &&str| memchr::memmem::find(text.as_bytes(), format!("\n{mark}").as_bytes()).is_some();
    MARKS_OF_DUMPS.iter().any(begins_line)
}

/// The language that a text seems to be written in, by what stands near its beginning.
fn other_language(text: &str) -> Option<&'static str> {
    const SIGNS: [(&str, &str); 11] = [
        (".address_size", "PTX"),
        (".visible .entry", "PTX"),
        ("|M0)", "assembler of the hardware: vISA is what it is made from"),
        ("|M16)", "assembler of the hardware: vISA is what it is made from"),
        ("OpCapability", "SPIR-V"),
        ("target triple", "LLVM IR"),
        ("define ", "LLVM IR"),
        ("#include", "C or C++"),
        ("__kernel", "OpenCL C"),
        (".amdgcn_target", "assembler for another GPU"),
        ("void ", "C or C++"),
    ];
    let end = (0..=text.len().min(65536)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    SIGNS.iter().find(|(sign, _)| text[..end].contains(sign)).map(|(_, language)| *language)
}
