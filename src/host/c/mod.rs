//! Asm statements in C, C++ and OpenCL C. No preprocessor runs: both branches of an `#if` are read, macros of literals that
//! the same file defines are expanded, and all others are holes.

mod bound;
mod brackets;
mod branches;
mod callers;
mod candidates;
mod constants;
mod deduced;
mod directive;
mod generator;
mod index;
mod lexer;
mod literal;
mod loose;
mod macro_types;
mod macros;
mod operands;
mod part;
mod scope;
mod source;
mod statement;
mod stream;
mod sub_group;
mod sum;
mod target;
mod types;
mod uses;
mod variables;
mod words;
mod written;

use super::inner;
use super::map::Mapped;
use super::sign;
use super::statement::{Expansion, HOLE, Parts, RawStatement, SEVERAL, Value, WIDE_HOLE};
use crate::base::span::Span;
use bound::{Bound, Instances};
use deduced::Calls;
use directive::Paths;
use index::{Index, Marks};
use lexer::{Kind, Token};
use macros::Macro;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Braces, Function, Scope};
use statement::Around;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use sub_group::Sizes;
use types::{Declarations, Names};

pub(super) use literal::{escaped, lines, literals};
pub(super) use loose::quoted;

struct Reader<'a> {
    text: &'a str,
    /// The tokens of directives.
    directives: Vec<Token>,
    /// Where the tokens of the text proper stand.
    index: Rc<Index>,
    /// Under which conditions they stand.
    path_of: Paths,
    /// A condition, its branch, and the path around it.
    paths: Vec<(u32, u32, u32)>,
    /// The definitions of each macro, in the order of the text.
    macros: FxHashMap<&'a str, Vec<Macro>>,
    /// Those that hold asm statements, themselves or through others.
    asm_macros: FxHashSet<&'a str>,
    /// Macros whose bodies say the size of a sub-group.
    size_macros: FxHashSet<&'a str>,
    sizes: Sizes<'a>,
    /// Literals that are given a name; nothing for a name that stands for several texts.
    texts: FxHashMap<&'a str, Option<Vec<Token>>>,
    /// Those of them with `constexpr`.
    constants: constants::Constants<'a>,
    /// Where the list of constraints stands that follows a name.
    constraints: FxHashMap<&'a str, usize>,
    /// Those that hold asm statements and whose uses were read.
    used_macros: FxHashSet<&'a str>,
    /// Whether a macro does no more than hand its arguments on to a function.
    handing_on: FxHashMap<&'a str, bool>,
    /// What they may still become.
    expansion: Expansion,
    functions: Vec<Function<'a>>,
    names: Names<'a>,
    found: Vec<RawStatement>,
    /// What each function declares, with its template's parameters bound or not.
    declarations: FxHashMap<(usize, bool), Declarations<'a>>,
    /// What the class with that brace declares, likewise.
    members: FxHashMap<(usize, bool), Declarations<'a>>,
    /// How templates are used, once that is asked.
    instances: FxHashMap<&'a str, Instances>,
    calls: Calls<'a>,
    /// Whether that was asked.
    has_instances: bool,
    /// Functions that hold no statement and were not looked at: where the header and the brace of each stand, and what is around
    /// it. They are kept if the file may say the size of a sub-group.
    skipped: Vec<(usize, usize, Braces)>,
    may_have_sizes: bool,
    /// What the parameters of the class template with that brace stand for.
    bound_classes: FxHashMap<usize, Bound<'a>>,
    file_is_vector: bool,
    /// Macros that are defined behind this place do not count.
    before: u32,
    /// The parameters of the macro whose body is being read.
    parameters: Vec<&'a str>,
    /// Whether strings outside of asm statements may be templates.
    may_generate: bool,
    /// Names of strings with a sign of vISA, and of macros that hold one.
    spoken: FxHashSet<&'a str>,
    /// The strings that may be parts of vISA outside of asm statements, in order.
    candidates: Vec<usize>,
    /// Where statements begin that give a text to a name or add to it, of the text proper.
    additions: Vec<u32>,
    /// The literals of templates that statements put together, by their places.
    built: FxHashSet<u32>,
    /// Statements that were not closed so far.
    n_unclosed: usize,
}

/// Finds the asm statements of a text behind `from`, and of sources that it holds in raw strings; comments go to `comment`.
/// Also returns other strings that hold sources.
pub(super) fn read(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> (Vec<RawStatement>, Vec<Mapped>) {
    let (found, raw, mut plain) = read_part(text, from, comment);
    let mut parts = Parts::default();
    parts.append(found);
    for token in raw {
        let Some(inside) = literal::raw_inside(text, token) else { continue };
        if sign::is_source(inside.of(text)) {
            let (more, _, _) = read_part(&text[..inside.end as usize], inside.start as usize, comment);
            parts.append(more);
        } else if inner::is_ir(inside.of(text)) {
            let mut source = Mapped::default();
            source.push_run(inside.of(text), inside.start);
            plain.push(source);
        }
    }
    (parts.sorted(), plain)
}

/// Finds the asm statements of a text behind `from`. Also returns the raw strings, and other strings that hold sources.
fn read_part(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> (Vec<RawStatement>, Vec<Token>, Vec<Mapped>) {
    let mut tokens = lexer::tokens(text, from, |token| comment(token.span()));
    literal::conversions(text, &mut tokens);
    let own = &text[from..];
    let has = |word: &str| memchr::memmem::find(own.as_bytes(), word.as_bytes()).is_some();
    let raw = if has("R\"") { tokens.iter().filter(|t| t.kind == Kind::Raw).copied().collect() } else { Vec::new() };
    let plain = source::sources(text, &tokens);
    let mut reader = Reader {
        text,
        directives: Vec::new(),
        index: Rc::default(),
        path_of: Paths::default(),
        paths: vec![(0, 0, 0)],
        macros: FxHashMap::default(),
        asm_macros: FxHashSet::default(),
        size_macros: FxHashSet::default(),
        sizes: Sizes::default(),
        texts: FxHashMap::default(),
        constants: constants::Constants::of(own),
        constraints: FxHashMap::default(),
        used_macros: FxHashSet::default(),
        handing_on: FxHashMap::default(),
        expansion: Expansion::of(own),
        functions: Vec::new(),
        names: Names::of(text),
        found: Vec::new(),
        declarations: FxHashMap::default(),
        members: FxHashMap::default(),
        instances: FxHashMap::default(),
        calls: Calls::default(),
        has_instances: false,
        skipped: Vec::new(),
        may_have_sizes: has("sub_group_size") || has("properties_tag"),
        bound_classes: FxHashMap::default(),
        file_is_vector: ["esimd", "ESIMD", "cm/cm.h", "_GENX_", "CM_BUILTIN"].iter().any(|w| has(w)),
        before: 0,
        parameters: Vec::new(),
        may_generate: sign::may_be_generator(own.as_bytes()),
        spoken: FxHashSet::default(),
        candidates: Vec::new(),
        additions: Vec::new(),
        built: FxHashSet::default(),
        n_unclosed: 0,
    };
    let bodies = reader.preprocess(&mut tokens);
    let code = tokens;
    reader.asm_macros = bodies.iter().map(|(name, ..)| *name).collect();
    reader.collect_macro_types();
    reader.names.collect(&code, &reader.index);
    reader.collect_macro_types();
    reader.collect_joined_types(&code);
    reader.collect_texts(&code);
    if reader.may_generate {
        reader.collect_values(&code);
    }
    if reader.may_have_sizes {
        reader.collect_sizes(&code);
    }
    if !bodies.is_empty() {
        reader.collect_asm_macros(&code);
    }
    if reader.may_generate {
        reader.collect_candidates(&code);
        reader.built_templates(&code);
    }
    reader.statements(&code);
    reader.sizes_by_callers(&code);
    reader.unused_macros(&code);
    for (name, start, end) in bodies {
        reader.macro_body(name, start, end);
    }
    if reader.may_generate {
        reader.loose(&code, &plain);
        let numbers: Arc<[u32]> = reader.constants.numbers().into();
        reader.found.iter_mut().for_each(|statement| statement.numbers = numbers.clone());
    }
    (reader.found, raw, plain)
}

/// Functions and lambdas inside of each other that are told apart: what each declares is read up to its end.
const MOST_FUNCTIONS: u32 = 64;

impl<'a> Reader<'a> {
    fn word(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// Where what may be a statement begins in the text proper, in order.
    fn marks(&self, code: &[Token]) -> Vec<usize> {
        let mut all: Vec<usize> = self.index.asm().collect();
        all.extend(&self.candidates);
        if !self.asm_macros.is_empty() {
            let is_use = |t: &Token| t.kind == Kind::Word && self.asm_macros.contains(self.word(*t));
            all.extend((0..code.len()).filter(|at| is_use(&code[*at])));
        }
        all.sort_unstable();
        all
    }

    /// Finds the statements in the text proper.
    fn statements(&mut self, code: &[Token]) {
        let marks = self.marks(code);
        self.statements_in(code, Braces::FILE, 0, 0..code.len(), Some(&marks));
    }

    /// Notes all functions of the text proper, also of those that hold no statement.
    fn complete_functions(&mut self, code: &[Token]) {
        for (header, brace, outer) in std::mem::take(&mut self.skipped) {
            self.statements_in(code, outer, header, brace..self.index.closing(brace) + 1, None);
        }
    }

    /// Finds the statements in a part of the text proper inside of the braces `around`; the first of it begins at `header`. With
    /// `marks`, what holds none of them is not looked at.
    fn statements_in(
        &mut self,
        code: &[Token],
        around: Braces,
        mut header: usize,
        range: Range<usize>,
        marks: Option<&[usize]>,
    ) {
        let has_macros = !self.asm_macros.is_empty();
        let mut outer: Vec<Braces> = Vec::new();
        // In a place of its own: most tokens do not look at it.
        let mut inner = Box::new(around);
        let mut marks = marks.map(Marks::of);
        let mut at = range.start;
        while at < range.end {
            let token = code[at];
            match token.kind {
                Kind::BraceOpen => {
                    let close = self.index.closing(at);
                    let is_empty = close < range.end && marks.as_mut().is_some_and(|m| !m.has_within(at, close));
                    if is_empty && self.is_done_with(&code[header..at], &inner) {
                        if self.may_have_sizes {
                            self.skipped.push((header, at, *inner));
                        }
                        at = close;
                    } else {
                        let is_read = inner.n_functions < MOST_FUNCTIONS;
                        let scope = if is_read { self.scope(code, header, at, *inner) } else { Scope::Other };
                        outer.push(*inner);
                        *inner = inner.inside(scope);
                    }
                    header = at + 1;
                }
                Kind::BraceClose => {
                    *inner = outer.pop().unwrap_or(Braces::FILE);
                    header = at + 1;
                }
                Kind::Open => inner.n_open += 1,
                Kind::Close => inner.n_open = inner.n_open.saturating_sub(1),
                Kind::Text | Kind::Raw if self.may_generate => {
                    at = self.plain_template(code, at, inner.function);
                    continue;
                }
                // Those of a `for` do not end the statement.
                Kind::Semicolon if inner.n_open == 0 => {
                    if inner.function.is_none() {
                        self.prototype(&code[header..at]);
                    }
                    header = at + 1;
                }
                Kind::Word if token.is_asm() || has_macros && self.asm_macros.contains(self.word(token)) => {
                    let mut around = Around {
                        function: inner.function,
                        is_loop: inner.is_loop,
                        is_conditional: inner.is_conditional,
                        is_branch: inner.is_branch,
                        path: Some(self.path_of.at(at)),
                    };
                    let mut is_optional = inner.is_optional;
                    let head = &code[header..at];
                    let word = self.first_word(head);
                    is_optional |= word == "else" || self.is_constant_branch(head);
                    around.is_loop |= matches!(word, "for" | "while" | "do");
                    around.is_branch |= matches!(word, "if" | "else");
                    around.is_conditional |= matches!(word, "for" | "while" | "do" | "if" | "else");
                    let n = self.found.len();
                    let end = if token.is_asm() {
                        self.statement(code, at, around)
                    } else {
                        self.macro_use(code, at, around)
                    };
                    if let Some(end) = end {
                        for statement in &mut self.found[n..] {
                            statement.is_optional = is_optional;
                        }
                        at = end;
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Finds the statements in the body of a macro.
    fn macro_body(&mut self, name: &'a str, start: usize, end: usize) {
        let body: Vec<Token> = self.directives[start..end].to_vec();
        let mut at = 0;
        self.functions.push(Function::of_macro(name, self.file_is_vector));
        let function = self.functions.len() - 1;
        self.declarations.insert((function, false), self.names.declarations(&body, None));
        let definition = self.macros.get(name).and_then(|all| all.iter().find(|m| m.body == (start, end)));
        self.parameters = self.parameters_of(definition.and_then(|m| m.parameters));
        while at < body.len() {
            if body[at].is_asm() {
                let n = self.found.len();
                let around = Around { function: Some(function), ..Around::OF_MACRO };
                if let Some(next) = self.statement_of(&body, 0, at, around) {
                    for statement in &mut self.found[n..] {
                        statement.is_repeated = true;
                        statement.has_uses = self.used_macros.contains(name);
                        forget_parameters(statement);
                    }
                    at = next;
                    continue;
                }
            }
            at += 1;
        }
        self.parameters.clear();
    }
}

/// In a macro the same names may mean anything.
fn forget_parameters(statement: &mut RawStatement) {
    for operand in statement.operands.iter_mut().flatten() {
        if operand.value == Value::Varying {
            operand.value = Value::Open;
        }
    }
}

/// Statements that are not closed, behind which each is searched for its end in [`LONG_STATEMENT`] tokens only.
const MOST_UNCLOSED: usize = 64;
const LONG_STATEMENT: usize = 1024;

/// Words between `asm` and its parenthesis.
fn is_qualifier(word: &str) -> bool {
    matches!(word, "volatile" | "__volatile__" | "__volatile" | "inline" | "goto" | "const")
}
