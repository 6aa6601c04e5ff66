//! Asm statements in C, C++ and OpenCL C. No preprocessor runs: both branches of an `#if` are read, macros of literals that
//! the same file defines are expanded, and all others are holes.

mod bound;
mod brackets;
mod callers;
mod deduced;
mod directive;
mod generator;
mod lexer;
mod literal;
mod loose;
mod macro_types;
mod macros;
mod operands;
mod scope;
mod source;
mod statement;
mod stream;
mod sub_group;
mod sum;
mod target;
mod types;
mod uses;
mod written;

use super::map::Mapped;
use super::sign;
use super::statement::{Expansion, HOLE, Parts, RawStatement, SEVERAL, Value, WIDE_HOLE};
use crate::base::span::Span;
use bound::{Bound, Instances};
use deduced::Calls;
use directive::Paths;
use lexer::{Kind, Token};
use macros::Macro;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Braces, Function, Scope};
use statement::Around;
use sub_group::Sizes;
use types::{Declarations, Names, WordList};

pub(super) use literal::{escaped, lines, literals};
pub(super) use loose::quoted;

struct Reader<'a> {
    text: &'a str,
    /// The tokens of directives.
    directives: Vec<Token>,
    /// For each token of the text proper, the index of what closes it.
    closings: Vec<u32>,
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
    constants: stream::Constants<'a>,
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
    /// How templates are used.
    instances: FxHashMap<&'a str, Instances>,
    calls: Calls<'a>,
    /// What the parameters of the class template with that brace stand for.
    bound_classes: FxHashMap<usize, Bound<'a>>,
    file_is_vector: bool,
    /// Macros that are defined behind this place do not count.
    before: u32,
    /// The parameters of the macro whose body is being read.
    parameters: Vec<&'a str>,
    /// Whether strings outside of asm statements may be templates.
    may_generate: bool,
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
    let (found, raw, plain) = read_part(text, from, comment);
    let mut parts = Parts::default();
    parts.append(found);
    for token in raw {
        if let Some(inside) = literal::raw_inside(text, token).filter(|inside| sign::is_source(inside.of(text))) {
            let (more, _, _) = read_part(&text[..inside.end as usize], inside.start as usize, comment);
            parts.append(more);
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
        closings: Vec::new(),
        path_of: Paths::default(),
        paths: vec![(0, 0, 0)],
        macros: FxHashMap::default(),
        asm_macros: FxHashSet::default(),
        size_macros: FxHashSet::default(),
        sizes: Sizes::default(),
        texts: FxHashMap::default(),
        constants: stream::Constants::of(own),
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
        bound_classes: FxHashMap::default(),
        file_is_vector: ["esimd", "ESIMD", "cm/cm.h", "_GENX_", "CM_BUILTIN"].iter().any(|w| has(w)),
        before: 0,
        parameters: Vec::new(),
        may_generate: sign::may_be_generator(own.as_bytes()),
        additions: Vec::new(),
        built: FxHashSet::default(),
        n_unclosed: 0,
    };
    let bodies = reader.preprocess(&mut tokens);
    let code = tokens;
    reader.closings = brackets::closings(&code);
    reader.asm_macros = bodies.iter().map(|(name, ..)| *name).collect();
    reader.collect_macro_types();
    reader.names.collect(&code);
    reader.collect_macro_types();
    reader.collect_joined_types(&code);
    reader.collect_texts(&code);
    if has("sub_group_size") || has("properties_tag") {
        reader.collect_sizes(&code);
    }
    if has("template") {
        reader.collect_instances(&code);
        reader.collect_calls(&code);
    }
    if !bodies.is_empty() {
        reader.collect_asm_macros(&code);
    }
    if reader.may_generate {
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
    }
    (reader.found, raw, plain)
}

/// Functions and lambdas inside of each other that are told apart: what each declares is read up to its end.
const MOST_FUNCTIONS: u32 = 64;

impl<'a> Reader<'a> {
    fn word(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// Finds the statements in the text proper.
    fn statements(&mut self, code: &[Token]) {
        let text = self.text;
        let has_macros = !self.asm_macros.is_empty();
        let mut outer: Vec<Braces> = Vec::new();
        // In a place of its own: most tokens do not look at it.
        let mut inner = Box::new(Braces::FILE);
        let mut header = 0;
        let mut at = 0;
        while at < code.len() {
            let token = code[at];
            match token.kind {
                Kind::BraceOpen => {
                    let is_read = inner.n_functions < MOST_FUNCTIONS;
                    let scope = if is_read { self.scope(code, header, at, *inner) } else { Scope::Other };
                    outer.push(*inner);
                    *inner = inner.inside(scope);
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
                Kind::Word if ASM.holds(text, token) || has_macros && self.asm_macros.contains(self.word(token)) => {
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
                    let end = if ASM.holds(text, token) {
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
            if ASM.holds(self.text, body[at]) {
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

/// Words that begin a statement.
static ASM: WordList<3> = WordList::of(["asm", "__asm__", "__asm"]);
