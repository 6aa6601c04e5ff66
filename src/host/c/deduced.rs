//! Parameters of function templates that calls do not write, and compilers deduce from what the calls hand over.

use super::Reader;
use super::bound::Argument;
use super::brackets::{closing, span_of, split};
use super::lexer::{Kind, Token};
use super::types::{Declarations, QUALIFIERS};
use crate::host::statement::HostType;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Tokens between `template <...>` and the parameters of a function.
const MOST_HEAD: usize = 64;

/// What is known of the calls of a file.
#[derive(Default)]
pub(super) struct Calls<'a> {
    /// Where the names of function templates stand before a parenthesis.
    pub(super) by_name: FxHashMap<&'a str, Vec<usize>>,
    /// The functions that are not inside of others, in order: where the header of each begins, and its body ends.
    bodies: Vec<(usize, usize)>,
    /// What those declare, by their places in `bodies`.
    declarations: std::cell::RefCell<FxHashMap<usize, Rc<Declarations<'a>>>>,
}

impl<'a> Reader<'a> {
    /// Notes the calls of function templates, and which functions they stand in.
    pub(super) fn collect_calls(&mut self, code: &[Token]) {
        let templates = self.index.declaring().filter(|at| code[*at].is(self.text, "template"));
        let templates: FxHashSet<&str> = templates.filter_map(|at| self.template_name(code, at)).collect();
        if templates.is_empty() {
            return;
        }
        for (at, pair) in code.windows(2).enumerate() {
            let is_call = (pair[0].kind, pair[1].kind) == (Kind::Word, Kind::Open);
            if is_call && templates.contains(self.word(pair[0])) {
                self.calls.by_name.entry(self.word(pair[0])).or_default().push(at);
            }
        }
        self.calls.bodies = self.bodies(code);
    }

    /// The name of the function of the template at `at`.
    fn template_name(&self, code: &[Token], at: usize) -> Option<&'a str> {
        let n = super::brackets::angle(&code[at + 1..])?;
        let head = &code[at + 1 + n..code.len().min(at + 1 + n + MOST_HEAD)];
        let open = self.parameters(head)?;
        Some(self.word(head[open - 1]))
    }

    /// Where the parameters of a function open in its header.
    fn parameters(&self, head: &[Token]) -> Option<usize> {
        let mut at = 0;
        loop {
            let open = at
                + head[at..].iter().position(|t| matches!(t.kind, Kind::Open | Kind::Semicolon | Kind::BraceOpen))?;
            let is_name =
                |i: usize| head[i].kind == Kind::Word && !super::scope::ATTRIBUTES.contains(&self.word(head[i]));
            if head[open].kind != Kind::Open {
                return None;
            }
            if open > 0 && is_name(open - 1) {
                return Some(open);
            }
            at = closing(head, open)? + 1;
        }
    }

    /// The functions that are not inside of others.
    fn bodies(&self, code: &[Token]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let (mut header, mut at) = (0, 0);
        while at < code.len() {
            match code[at].kind {
                Kind::Semicolon | Kind::BraceClose => header = at + 1,
                Kind::BraceOpen => {
                    let head = &code[header..at];
                    let has_list = head.iter().any(|t| t.kind == Kind::Close);
                    let is_class =
                        matches!(self.first_word(head), "namespace" | "class" | "struct" | "union" | "extern");
                    let closes_list = head.last().is_some_and(|t| t.kind == Kind::Close);
                    if has_list && (!is_class || closes_list) {
                        let end = self.index.closing(at);
                        found.push((header, end));
                        at = end;
                    }
                    header = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// What the function around a call declares.
    fn declared_around(&self, code: &[Token], at: usize) -> Option<Rc<Declarations<'a>>> {
        let bodies = &self.calls.bodies;
        let index = bodies.partition_point(|(header, _)| *header <= at).checked_sub(1)?;
        let (header, end) = bodies[index];
        if at >= end {
            return None;
        }
        let mut known = self.calls.declarations.borrow_mut();
        let found = known.entry(index).or_insert_with(|| Rc::new(self.names.declarations(&code[header..end], None)));
        Some(found.clone())
    }

    /// What the call whose parenthesis stands at `open` hands over for the parameters of a template that `list` takes.
    pub(super) fn deduced(
        &self,
        code: &[Token],
        open: usize,
        list: &[&[Token]],
        parameters: &[&'a str],
    ) -> Vec<Option<Argument>> {
        let mut all = vec![None; parameters.len()];
        let given = closing(code, open)
            .and_then(|close| Some((split(&code[open + 1..close]), self.declared_around(code, open)?)));
        let Some((given, declared)) = given else { return all };
        for (parameter, argument) in list.iter().zip(given) {
            let Some(form) = self.form(parameter, parameters) else { continue };
            let read = match (self.names.type_of(argument, &declared), form.is_pointer) {
                (HostType::Pointer { target, .. } | HostType::Array { target, .. }, true) => *target,
                (HostType::Array { target, is_local }, false) if !form.is_reference => {
                    HostType::Pointer { target, is_local }
                }
                (HostType::Array { .. }, false) | (_, true) => continue,
                (read, false) => read,
            };
            let own = (read != HostType::Open).then_some(Argument::Type(read));
            let slot = &mut all[form.index];
            // What two arguments make of it differently is an error, or no template.
            *slot = if slot.is_none() || *slot == own { own } else { None };
        }
        all
    }

    /// The parameter of a template that a parameter of its function is made of: `T *p`, `const T &v`.
    fn form(&self, parameter: &[Token], names: &[&str]) -> Option<Form> {
        let end = parameter.iter().position(|t| t.kind == Kind::Equal).unwrap_or(parameter.len());
        let is_qualifier = |t: &Token| QUALIFIERS.contains(self.word(*t));
        let own: Vec<Token> = parameter[..end].iter().filter(|t| !is_qualifier(t)).copied().collect();
        let (first, rest) = own.split_first()?;
        let index = names.iter().position(|name| *name == self.word(*first))?;
        let signs = rest.iter().take_while(|t| matches!(t.kind, Kind::Star | Kind::Ampersand)).count();
        let is_named = rest.len() == signs || rest.len() == signs + 1 && rest[signs].kind == Kind::Word;
        let written = span_of(&rest[..signs]).of(self.text);
        is_named.then_some(())?;
        match written {
            "" => Some(Form { index, is_pointer: false, is_reference: false }),
            "&" | "&&" => Some(Form { index, is_pointer: false, is_reference: true }),
            "*" => Some(Form { index, is_pointer: true, is_reference: false }),
            _ => None,
        }
    }

    /// The parameters of the function with this header.
    pub(super) fn list_of<'t>(&self, head: &'t [Token]) -> Vec<&'t [Token]> {
        let open = self.parameters(head);
        let close = open.and_then(|open| closing(head, open));
        open.zip(close).map(|(open, close)| split(&head[open + 1..close])).unwrap_or_default()
    }

    /// Whether the name at `at` is declared there, and not called.
    pub(super) fn is_declared_at(&self, code: &[Token], at: usize) -> bool {
        let near = code[at.saturating_sub(MOST_HEAD)..at].iter().rev();
        let ends = |t: &&Token| !matches!(t.kind, Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose);
        near.take_while(ends).any(|t| self.word(*t) == "template")
    }
}

/// How a parameter of a function is made of one of its template.
struct Form {
    index: usize,
    is_pointer: bool,
    is_reference: bool,
}
