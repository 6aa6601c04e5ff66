//! Functions, lambdas, classes and branches around a statement.

use super::Reader;
use super::bound::Bound;
use super::brackets::{angle, closing, outermost};
use super::lexer::{Kind, Token};
use super::words::WordList;

/// Tokens of a header that are read.
const MOST_HEADER: usize = 256;

/// Words before a parenthesis that is not that of parameters.
pub(super) const ATTRIBUTES: [&str; 9] = [
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

/// Words that make a kernel of a function, and one of the vector backend.
static KERNEL: WordList<2> = WordList::of(["kernel", "__kernel"]);
static VECTOR: WordList<4> = WordList::of(["SYCL_ESIMD_KERNEL", "sycl_explicit_simd", "_GENX_MAIN_", "_GENX_"]);

/// What a pair of braces holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// A function or lambda: its place in [`Reader::functions`].
    Function(usize),
    /// A branch or a loop.
    Control { is_loop: bool, is_optional: bool },
    /// A class: the place of its brace among the tokens of the text proper.
    Class(usize),
    /// A namespace, a list of values.
    Other,
}

/// What stands before a brace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Header {
    /// Of a function or a lambda.
    Function,
    /// Of a branch or a loop.
    Control { is_loop: bool, is_optional: bool },
    /// Of a class, whose name stands there.
    Class { name: usize },
    /// Of a namespace, a list of values.
    Other,
}

/// A pair of braces that is open, or the file around all of them.
#[derive(Clone, Copy)]
pub(super) struct Braces {
    pub(super) scope: Scope,
    /// The innermost function that they stand in, and how many there are.
    pub(super) function: Option<usize>,
    pub(super) n_functions: u32,
    /// What the braces between that function and here are.
    pub(super) is_loop: bool,
    pub(super) is_conditional: bool,
    pub(super) is_branch: bool,
    pub(super) is_optional: bool,
    /// Parentheses that are open since the last brace.
    pub(super) n_open: u32,
}

#[derive(Clone)]
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    /// Its header and everything up to here, as tokens of the text proper.
    pub(super) header: usize,
    pub(super) body: usize,
    pub(super) parent: Option<usize>,
    /// The brace of the class that it is a member of.
    pub(super) class: Option<usize>,
    pub(super) sub_group: Option<u32>,
    /// If a macro says that, the conditions around the function: in others the macro may be another number.
    pub(super) size_path: Option<u32>,
    /// What the parameters of its template, and of those around it, stand for.
    pub(super) bound: Bound<'a>,
    pub(super) is_kernel: bool,
    pub(super) is_vector: bool,
}

impl Braces {
    pub(super) const FILE: Self = Self {
        scope: Scope::Other,
        function: None,
        n_functions: 0,
        is_loop: false,
        is_conditional: false,
        is_branch: false,
        is_optional: false,
        n_open: 0,
    };

    /// The braces of `scope` inside of these.
    pub(super) const fn inside(self, scope: Scope) -> Self {
        match scope {
            Scope::Function(function) => {
                let n_functions = self.n_functions + 1;
                Self { scope, function: Some(function), n_functions, is_branch: self.is_branch, ..Self::FILE }
            }
            Scope::Control { is_loop, is_optional } => Self {
                scope,
                is_loop: self.is_loop || is_loop,
                is_conditional: true,
                is_branch: self.is_branch || !is_loop,
                is_optional: self.is_optional || is_optional,
                n_open: 0,
                ..self
            },
            Scope::Class(_) | Scope::Other => Self { scope, n_open: 0, ..self },
        }
    }
}

impl<'a> Function<'a> {
    /// The body of a macro, which may be used anywhere.
    pub(super) fn of_macro(name: &'a str, is_vector: bool) -> Self {
        let (class, sub_group, size_path, bound) = (None, None, None, Bound::default());
        Self { name, header: 0, body: 0, parent: None, class, sub_group, size_path, bound, is_kernel: false, is_vector }
    }
}

impl<'a> Reader<'a> {
    /// Notes what the function with this header returns.
    pub(super) fn prototype(&mut self, head: &[Token]) {
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

    /// The first word of a statement behind its attributes: `[[clang::unroll]] for (...)`.
    pub(super) fn first_word(&self, mut head: &[Token]) -> &'a str {
        loop {
            let open = match head {
                [open, inner, ..] if (open.kind, inner.kind) == (Kind::BracketOpen, Kind::BracketOpen) => 0,
                [name, open, ..] if open.kind == Kind::Open && self.word(*name) == "__attribute__" => 1,
                _ => break,
            };
            let Some(close) = closing(head, open) else { break };
            head = &head[close + 1..];
        }
        head.iter().find(|t| t.kind == Kind::Word).map_or("", |t| self.word(*t))
    }

    /// Whether a statement begins with `if constexpr`.
    pub(super) fn is_constant_branch(&self, head: &[Token]) -> bool {
        let head = &head[..head.len().min(MOST_HEADER)];
        head.windows(2).any(|w| self.word(w[0]) == "if" && self.word(w[1]) == "constexpr")
    }

    /// What the header before a brace is of.
    fn header(&self, head: &[Token]) -> Header {
        let first = self.first_word(head);
        match first {
            "for" | "while" | "do" => return Header::Control { is_loop: true, is_optional: false },
            "if" | "else" | "switch" | "try" | "catch" | "case" | "default" => {
                // The `else` of an `if constexpr` does not say so.
                let is_optional = first == "else" || self.is_constant_branch(head);
                return Header::Control { is_loop: false, is_optional };
            }
            "namespace" | "enum" | "union" => return Header::Other,
            _ => {}
        }
        let Some(last) = head.last() else { return Header::Other };
        let closes_list = match last.kind {
            Kind::Close | Kind::BracketClose => true,
            Kind::Word => {
                matches!(self.word(*last), "const" | "noexcept" | "override" | "mutable" | "final" | "constexpr")
                    || self.ends_with_macro(head)
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
            let class = head.iter().rposition(names_class).filter(|_| ends_list);
            return class.map_or(Header::Other, |at| Header::Class { name: at + 1 });
        }
        Header::Function
    }

    /// Whether braces behind a header need not be looked at if they hold no statement. Notes what a function returns.
    pub(super) fn is_done_with(&mut self, head: &[Token], outer: &Braces) -> bool {
        if outer.function.is_some() {
            return true;
        }
        let is_function = self.header(head) == Header::Function;
        if is_function {
            self.prototype(head);
        }
        is_function
    }

    /// What the brace at `brace` opens inside of the braces `outer`; `header` is where its statement begins.
    pub(super) fn scope(&mut self, code: &[Token], header: usize, brace: usize, outer: Braces) -> Scope {
        let head = &code[header..brace];
        match self.header(head) {
            Header::Control { is_loop, is_optional } => return Scope::Control { is_loop, is_optional },
            Header::Class { name } => {
                if let Some(name) = head.get(name)
                    && let Some(bound) = self.bound(code, head, self.word(*name))
                {
                    self.bound_classes.insert(brace, bound);
                }
                return Scope::Class(brace);
            }
            Header::Function => {}
            Header::Other => return Scope::Other,
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
        let mut bound =
            parent.filter(|_| !outer.is_branch).map(|f| self.functions[f].bound.clone()).unwrap_or_default();
        bound.extend(class.and_then(|brace| self.bound_classes.get(&brace)));
        bound.extend(self.bound(code, head, name).as_ref());
        self.names.bound = bound;
        let own = self.sub_group_of(head).or_else(|| self.sub_group_of_class(class?));
        let bound = std::mem::take(&mut self.names.bound);
        // A lambda is what SYCL makes a kernel of; a function with a name may be inlined anywhere.
        let is_kernel = name.is_empty() || head.iter().any(|t| t.is_one_of(self.text, &KERNEL));
        let is_vector = head.iter().any(|t| t.is_one_of(self.text, &VECTOR));
        let around = parent.map(|p| &self.functions[p]);
        let size_path = own.filter(|_| self.is_sized_by_macro(head)).map(|_| self.path_of.at(header));
        let function = Function {
            name: if name.is_empty() { around.map_or("", |a| a.name) } else { name },
            header,
            body: brace,
            parent,
            class,
            sub_group: own.or(around.and_then(|a| a.sub_group)),
            size_path: if own.is_some() { size_path } else { around.and_then(|a| a.size_path) },
            bound,
            is_kernel,
            is_vector: is_vector || around.is_some_and(|a| a.is_vector),
        };
        self.functions.push(function);
        Scope::Function(self.functions.len() - 1)
    }

    /// Whether words follow the parameters of a function, which macros stand for: `void f(int x) SYCL_ESIMD_FUNCTION`.
    fn ends_with_macro(&self, head: &[Token]) -> bool {
        let n_words = head.iter().rev().take_while(|t| t.kind == Kind::Word).count();
        let own = match head {
            [first, rest @ ..] if first.is(self.text, "template") => &rest[angle(rest).unwrap_or(0)..],
            _ => head,
        };
        let is_other = |t: &Token| matches!(self.word(*t), "class" | "struct" | "union" | "enum" | "namespace");
        head.len().checked_sub(n_words + 1).is_some_and(|at| head[at].kind == Kind::Close)
            && !outermost(own).any(|(_, t)| is_other(&t))
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
}
