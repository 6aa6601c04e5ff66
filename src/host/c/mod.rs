//! Asm statements in C, C++ and OpenCL C. No preprocessor runs: both branches of an `#if` are read, macros of literals that
//! the same file defines are expanded, and all others are holes.

mod directive;
mod generator;
mod lexer;
mod literal;
mod macro_types;
mod macros;
mod statement;
mod stream;
mod sub_group;
mod types;
mod uses;

use super::map::Mapped;
use super::statement::{Expansion, HOLE, Parts, RawStatement, Value, WIDE_HOLE};
use super::{nested, sign};
use crate::base::span::Span;
use lexer::{Kind, Token};
use macros::Macro;
use rustc_hash::{FxHashMap, FxHashSet};
use statement::Around;
use sub_group::Sizes;
use types::{Declarations, Names, closing};

pub(super) use literal::{escaped, lines};

/// What a pair of braces holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// A function or lambda: its place in [`Reader::functions`].
    Function(usize),
    /// A branch or a loop.
    Control { is_loop: bool, is_optional: bool },
    /// A class: the place of its brace in [`Reader::code`].
    Class(usize),
    /// A namespace, a list of values.
    Other,
}

/// A pair of braces that is open, or the file around all of them.
#[derive(Clone, Copy)]
struct Braces {
    scope: Scope,
    /// The innermost function that they stand in, and how many there are.
    function: Option<usize>,
    n_functions: u32,
    /// What the braces between that function and here are.
    is_loop: bool,
    is_conditional: bool,
    is_optional: bool,
    /// Parentheses that are open since the last brace.
    n_open: u32,
}

impl Braces {
    const FILE: Self = Self {
        scope: Scope::Other,
        function: None,
        n_functions: 0,
        is_loop: false,
        is_conditional: false,
        is_optional: false,
        n_open: 0,
    };

    /// The braces of `scope` inside of these.
    const fn inside(self, scope: Scope) -> Self {
        match scope {
            Scope::Function(function) => {
                Self { scope, function: Some(function), n_functions: self.n_functions + 1, ..Self::FILE }
            }
            Scope::Control { is_loop, is_optional } => Self {
                scope,
                is_loop: self.is_loop || is_loop,
                is_conditional: true,
                is_optional: self.is_optional || is_optional,
                n_open: 0,
                ..self
            },
            Scope::Class(_) | Scope::Other => Self { scope, n_open: 0, ..self },
        }
    }
}

#[derive(Clone)]
struct Function<'a> {
    name: &'a str,
    /// Its header and everything up to here, in [`Reader::code`].
    header: usize,
    body: usize,
    parent: Option<usize>,
    /// The brace of the class that it is a member of.
    class: Option<usize>,
    sub_group: Option<u32>,
    is_kernel: bool,
    is_vector: bool,
}

impl<'a> Function<'a> {
    /// The body of a macro, which may be used anywhere.
    const fn of_macro(name: &'a str, is_vector: bool) -> Self {
        Self { name, header: 0, body: 0, parent: None, class: None, sub_group: None, is_kernel: false, is_vector }
    }
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// The tokens without directives, newlines and what is skipped.
    code: Vec<Token>,
    /// Under which conditions each token of `code` stands: a place in `paths`.
    path_of: Vec<u32>,
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
    /// Where the list of constraints stands that follows a name.
    constraints: FxHashMap<&'a str, usize>,
    /// Those that hold asm statements and whose uses were read.
    used_macros: FxHashSet<&'a str>,
    /// What they may still become.
    expansion: Expansion,
    functions: Vec<Function<'a>>,
    names: Names<'a>,
    found: Vec<RawStatement>,
    declarations: FxHashMap<usize, Declarations<'a>>,
    /// What the class with that brace declares.
    members: FxHashMap<usize, Declarations<'a>>,
    file_is_vector: bool,
    /// Macros that are defined behind this place do not count.
    before: u32,
    /// The parameters of the macro whose body is being read.
    parameters: Vec<&'a str>,
    /// Whether strings outside of asm statements may be templates.
    may_generate: bool,
    /// The literals of templates that statements put together, by their places.
    built: FxHashSet<u32>,
    /// Statements that were not closed so far.
    n_unclosed: usize,
}

/// Finds the asm statements of a text behind `from`, and of sources that it holds in raw strings; comments go to `comment`.
pub(super) fn read(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    let (found, raw, plain) = read_part(text, from, comment);
    let mut parts = Parts::default();
    parts.append(found);
    for source in plain {
        parts.append(nested::read(text, &source, comment));
    }
    for token in raw {
        if let Some(inside) = literal::raw_inside(text, token).filter(|inside| sign::is_source(inside.of(text))) {
            let (more, ..) = read_part(&text[..inside.end as usize], inside.start as usize, comment);
            parts.append(more);
        }
    }
    parts.sorted()
}

/// Finds the asm statements of a text behind `from`. Also returns the raw strings, and other strings that hold sources.
fn read_part(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> (Vec<RawStatement>, Vec<Token>, Vec<Mapped>) {
    let tokens = lexer::tokens(text, from, |token| comment(token.span()));
    let raw = tokens.iter().filter(|t| t.kind == Kind::Raw).copied().collect();
    let plain = sources(text, &tokens);
    let own = &text[from..];
    let has = |word: &str| memchr::memmem::find(own.as_bytes(), word.as_bytes()).is_some();
    let mut reader = Reader {
        text,
        code: Vec::with_capacity(tokens.len()),
        path_of: Vec::with_capacity(tokens.len()),
        tokens,
        paths: vec![(0, 0, 0)],
        macros: FxHashMap::default(),
        asm_macros: FxHashSet::default(),
        size_macros: FxHashSet::default(),
        sizes: Sizes::default(),
        texts: FxHashMap::default(),
        constraints: FxHashMap::default(),
        used_macros: FxHashSet::default(),
        expansion: Expansion::of(own),
        functions: Vec::new(),
        names: Names { text, ..Names::default() },
        found: Vec::new(),
        declarations: FxHashMap::default(),
        members: FxHashMap::default(),
        file_is_vector: ["esimd", "ESIMD", "cm/cm.h", "_GENX_", "CM_BUILTIN"].iter().any(|w| has(w)),
        before: 0,
        parameters: Vec::new(),
        may_generate: sign::may_be_generator(own.as_bytes()),
        built: FxHashSet::default(),
        n_unclosed: 0,
    };
    let bodies = reader.preprocess();
    let code = std::mem::take(&mut reader.code);
    reader.asm_macros = bodies.iter().map(|(name, ..)| *name).collect();
    reader.collect_macro_types();
    reader.names.collect(&code);
    reader.collect_macro_types();
    reader.collect_joined_types(&code);
    reader.collect_texts(&code);
    reader.collect_sizes(&code);
    if !bodies.is_empty() {
        reader.collect_asm_macros(&code);
    }
    if reader.may_generate {
        reader.built_templates(&code);
    }
    reader.statements(&code);
    reader.unused_macros(&code);
    for (name, start, end) in bodies {
        reader.macro_body(name, start, end);
    }
    (reader.found, raw, plain)
}

/// The literals that may hold sources, each with those behind it.
fn sources(text: &str, tokens: &[Token]) -> Vec<Mapped> {
    let is_asm = |t: &Token| t.kind == Kind::Text && memchr::memmem::find(t.of(text).as_bytes(), b"asm").is_some();
    let (mut found, built): (Vec<Mapped>, Vec<Vec<u32>>) =
        if tokens.iter().any(is_asm) { stream::sources(text, tokens).into_iter().unzip() } else { Default::default() };
    let built: FxHashSet<u32> = built.into_iter().flatten().collect();
    let is_literal = |t: &&Token| t.kind == Kind::Text;
    let mut at = 0;
    for run in tokens.split(|t| !matches!(t.kind, Kind::Text | Kind::Newline)) {
        let before = &tokens[..at];
        at += run.len() + 1;
        if run.iter().filter(is_literal).any(|t| built.contains(&t.start)) {
            continue;
        }
        if run.iter().filter(is_literal).any(|t| sign::has_statement(t.of(text).as_bytes())) {
            let mut source = Mapped::default();
            for token in run.iter().filter(is_literal) {
                literal::append(text, *token, &mut source);
            }
            // A statement without a function around it that is printed is meant for a reader.
            let is_printed = matches!(before, [.., name, open]
                if open.kind == Kind::Open && matches!(name.of(text), "puts" | "printf" | "fputs" | "perror" | "println"));
            if is_printed && !source.text.contains('{') {
                continue;
            }
            found.push(if stream::is_format(text, before) { stream::printed(text, &source) } else { source });
        }
    }
    found
}

impl<'a> Reader<'a> {
    fn word(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// Finds the statements in the text proper.
    fn statements(&mut self, code: &[Token]) {
        let mut outer: Vec<Braces> = Vec::new();
        let mut inner = Braces::FILE;
        let mut header = 0;
        let mut at = 0;
        while at < code.len() {
            let token = code[at];
            match token.kind {
                Kind::BraceOpen => {
                    let is_read = inner.n_functions < MOST_FUNCTIONS;
                    let scope = if is_read { self.scope(code, header, at, inner) } else { Scope::Other };
                    outer.push(inner);
                    inner = inner.inside(scope);
                    header = at + 1;
                }
                Kind::BraceClose => {
                    inner = outer.pop().unwrap_or(Braces::FILE);
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
                Kind::Word if is_asm(self.word(token)) || self.asm_macros.contains(self.word(token)) => {
                    let mut around = Around {
                        function: inner.function,
                        is_loop: inner.is_loop,
                        is_conditional: inner.is_conditional,
                        path: Some(self.path_of[at]),
                    };
                    let mut is_optional = inner.is_optional;
                    let head = &code[header..at];
                    if let Some(word) = head.iter().find(|t| t.kind == Kind::Word) {
                        let word = self.word(*word);
                        is_optional |= word == "else" || self.is_constant_branch(head);
                        around.is_loop |= matches!(word, "for" | "while" | "do");
                        around.is_conditional |= matches!(word, "for" | "while" | "do" | "if" | "else");
                    }
                    let n = self.found.len();
                    let end = if is_asm(self.word(token)) {
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

    /// Notes what the function with this header returns.
    fn prototype(&mut self, head: &[Token]) {
        let is_alias = head.first().is_some_and(|t| matches!(self.word(*t), "typedef" | "using" | "friend"));
        let has_value = head.iter().any(|t| t.kind == Kind::Equal);
        let head = &head[..head.len().min(MOST_HEADER)];
        let is_list = |i: &usize| head[*i].kind == Kind::Open && *i > 0 && !self.is_attribute(head, *i);
        if let Some(open) = (0..head.len()).find(is_list).filter(|_| !is_alias && !has_value) {
            self.names.function(head, open);
        }
    }

    /// Whether the parenthesis at `open` is that of an attribute.
    fn is_attribute(&self, head: &[Token], open: usize) -> bool {
        let mut depth = 0i32;
        for token in &head[..open] {
            depth += match token.kind {
                Kind::Open | Kind::BracketOpen => 1,
                Kind::Close | Kind::BracketClose => -1,
                _ => 0,
            };
        }
        depth > 0 || ATTRIBUTES.contains(&self.word(head[open - 1]))
    }

    /// Whether a statement begins with `if constexpr`.
    fn is_constant_branch(&self, head: &[Token]) -> bool {
        let head = &head[..head.len().min(MOST_HEADER)];
        head.windows(2).any(|w| self.word(w[0]) == "if" && self.word(w[1]) == "constexpr")
    }

    /// What the brace at `brace` opens inside of the braces `outer`; `header` is where its statement begins.
    fn scope(&mut self, code: &[Token], header: usize, brace: usize, outer: Braces) -> Scope {
        let head = &code[header..brace];
        let first = head.iter().find(|t| t.kind == Kind::Word).map_or("", |t| self.word(*t));
        match first {
            "for" | "while" | "do" => return Scope::Control { is_loop: true, is_optional: false },
            "if" | "else" | "switch" | "try" | "catch" | "case" | "default" => {
                // The `else` of an `if constexpr` does not say so.
                let is_optional = first == "else" || self.is_constant_branch(head);
                return Scope::Control { is_loop: false, is_optional };
            }
            "namespace" | "enum" | "union" => return Scope::Other,
            // `extern "C" {`, and no function.
            "extern" if !head.iter().any(|t| t.kind == Kind::Open) => return Scope::Other,
            _ => {}
        }
        let Some(last) = head.last() else { return Scope::Other };
        let closes_list = match last.kind {
            Kind::Close | Kind::BracketClose => true,
            Kind::Word => {
                matches!(self.word(*last), "const" | "noexcept" | "override" | "mutable" | "final" | "constexpr")
            }
            _ => false,
        };
        // `-> int {` of a lambda.
        let has_arrow = head.iter().rev().take(6).any(|t| t.kind == Kind::Arrow);
        let has_list = head.iter().any(|t| t.kind == Kind::Open);
        let is_class = matches!(first, "class" | "struct") && !closes_list;
        if !has_list || is_class || !(closes_list || has_arrow) {
            let names_class = |t: &Token| t.kind == Kind::Word && matches!(self.word(*t), "class" | "struct");
            let ends_list = matches!(last.kind, Kind::Word | Kind::Greater) && !has_arrow;
            return if ends_list && head.iter().any(names_class) { Scope::Class(brace) } else { Scope::Other };
        }
        let open = head.iter().position(|t| {
            t.kind == Kind::Open && {
                let before = t.start as usize;
                !self.text[..before].ends_with("__attribute__")
            }
        });
        let name = self.function_name(head, open);
        let parent = outer.function;
        if parent.is_none() {
            self.prototype(head);
        }
        let class = match outer.scope {
            Scope::Class(brace) => Some(brace),
            _ => None,
        };
        let own = self.sub_group_of(head).or_else(|| self.sub_group_of_class(code, class?));
        let words = || head.iter().filter(|t| t.kind == Kind::Word).map(|t| self.word(*t));
        // A lambda is what SYCL makes a kernel of; a function with a name may be inlined anywhere.
        let is_kernel = name.is_empty() || words().any(|w| matches!(w, "kernel" | "__kernel"));
        let is_vector =
            words().any(|w| matches!(w, "SYCL_ESIMD_KERNEL" | "sycl_explicit_simd" | "_GENX_MAIN_" | "_GENX_"));
        let around = parent.map(|p| &self.functions[p]);
        let function = Function {
            name: if name.is_empty() { around.map_or("", |a| a.name) } else { name },
            header,
            body: brace,
            parent,
            class,
            sub_group: own.or(around.and_then(|a| a.sub_group)),
            is_kernel,
            is_vector: is_vector || around.is_some_and(|a| a.is_vector),
        };
        self.functions.push(function);
        Scope::Function(self.functions.len() - 1)
    }

    /// The word before the parameters; empty for a lambda.
    fn function_name(&self, head: &[Token], open: Option<usize>) -> &'a str {
        let mut from = open;
        while let Some(open) = from {
            let before = open.checked_sub(1).map(|i| head[i]);
            if let Some(before) = before {
                if before.kind == Kind::BracketClose {
                    return "";
                }
                if before.kind == Kind::Word && !ATTRIBUTES.contains(&self.word(before)) {
                    // A call that a lambda is handed to is not what holds the statement.
                    let is_lambda =
                        head[open..].windows(2).any(|w| w[0].kind == Kind::BracketClose && w[1].kind == Kind::Open);
                    return if is_lambda { "" } else { self.word(before) };
                }
            }
            let Some(close) = closing(head, open) else { return "" };
            from = head[close..].iter().position(|t| t.kind == Kind::Open).map(|i| close + i);
        }
        ""
    }

    /// Finds the statements in the body of a macro.
    fn macro_body(&mut self, name: &'a str, start: usize, end: usize) {
        let body: Vec<Token> = self.tokens[start..end].to_vec();
        let mut at = 0;
        self.functions.push(Function::of_macro(name, self.file_is_vector));
        let function = self.functions.len() - 1;
        self.declarations.insert(function, self.names.declarations(&body, None));
        let definition = self.macros.get(name).and_then(|all| all.iter().find(|m| m.body == (start, end)));
        self.parameters = self.parameters_of(definition.and_then(|m| m.parameters));
        while at < body.len() {
            if body[at].kind == Kind::Word && is_asm(self.word(body[at])) {
                let n = self.found.len();
                let around = Around { function: Some(function), is_loop: true, is_conditional: false, path: None };
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

/// Functions and lambdas inside of each other that are told apart: what each declares is read up to its end.
const MOST_FUNCTIONS: u32 = 64;

/// Statements that are not closed, behind which each is searched for its end in [`LONG_STATEMENT`] tokens only.
const MOST_UNCLOSED: usize = 64;
const LONG_STATEMENT: usize = 1024;

/// Tokens of a header that are read.
const MOST_HEADER: usize = 256;

/// Words before a parenthesis that is not that of parameters.
const ATTRIBUTES: [&str; 9] = [
    "__attribute__",
    "__declspec",
    "alignas",
    "noexcept",
    "decltype",
    "requires",
    "intel_reqd_sub_group_size",
    "reqd_work_group_size",
    "reqd_sub_group_size",
];

/// Words between `asm` and its parenthesis.
fn is_qualifier(word: &str) -> bool {
    matches!(word, "volatile" | "__volatile__" | "__volatile" | "inline" | "goto" | "const")
}

fn is_asm(word: &str) -> bool {
    matches!(word, "asm" | "__asm__" | "__asm")
}
