//! What the parameters of templates stand for, where a file gives each one value.

use super::Reader;
use super::brackets::{angle, split};
use super::lexer::{Kind, Token};
use crate::host::statement::HostType;
use rustc_hash::FxHashMap;

/// What names around a statement stand for: parameters of templates that are known, types and numbers, and aliases of classes.
#[derive(Clone, Default)]
pub(super) struct Bound<'a> {
    pub(super) types: FxHashMap<&'a str, HostType>,
    pub(super) numbers: FxHashMap<&'a str, i64>,
    /// The classes around, from the outside, whose aliases come before all other types: the name of each, and its place among
    /// those of the name.
    pub(super) classes: Vec<(&'a str, usize)>,
}

/// Where a template is used.
#[derive(Default)]
pub(super) struct Instances {
    /// Where its name stands before arguments.
    uses: Vec<usize>,
    /// How many bodies of functions have its name.
    n_bodies: u32,
}

/// An argument of a template.
#[derive(Clone, PartialEq)]
pub(super) enum Argument {
    Type(HostType),
    Number(i64),
}

/// Parameters of a template that are read.
const MOST_PARAMETERS: usize = 16;

/// Uses of a template that are compared.
const MOST_USES: usize = 64;

impl Bound<'_> {
    /// Takes over parameters of a template inside of this one.
    pub(super) fn extend(&mut self, inner: Option<&Self>) {
        if let Some(inner) = inner {
            self.types.extend(inner.types.iter().map(|(name, read)| (*name, read.clone())));
            self.numbers.extend(&inner.numbers);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty() && self.numbers.is_empty() && self.classes.is_empty()
    }
}

impl<'a> Reader<'a> {
    /// Notes where names stand that arguments of templates follow, and how many functions have each name.
    fn collect_instances(&mut self, code: &[Token]) {
        for at in self.index.angles() {
            self.instances.entry(self.word(code[at])).or_default().uses.push(at);
        }
        for open in self.index.lists() {
            if let Some(name) = open.checked_sub(1).map(|at| code[at]) {
                self.instances.entry(self.word(name)).or_default().n_bodies += 1;
            }
        }
    }

    /// What the parameters of the template with this header stand for, if all uses of its name in the file agree: of
    /// `template <class T, int N> ...`, which has the name `name`.
    pub(super) fn bound(&mut self, code: &[Token], head: &[Token], name: &str) -> Option<Bound<'a>> {
        let begin = head.iter().position(|t| t.is(self.text, "template"))?;
        if !std::mem::replace(&mut self.has_instances, true) {
            self.collect_instances(code);
            self.collect_calls(code);
        }
        self.bound_from(code, head, begin, name)
    }

    /// The same, of a header in which the template begins at `begin`.
    fn bound_from(&self, code: &[Token], head: &[Token], begin: usize, name: &str) -> Option<Bound<'a>> {
        let n = angle(&head[begin + 1..])?;
        let parameters = split(&head[begin + 2..begin + n]);
        // Which of several functions a use means is not known.
        let Instances { uses, .. } = self.instances.get(name).filter(|i| i.n_bodies < 2)?;
        let calls = self.calls.by_name.get(name).map_or(&[][..], Vec::as_slice);
        if parameters.len() > MOST_PARAMETERS || uses.len() + calls.len() > MOST_USES {
            return None;
        }
        let named: Vec<&'a str> = parameters.iter().map(|parameter| self.parameter_name(parameter)).collect();
        let list = self.list_of(&head[begin + 1 + n..]);
        let mut all: Option<Vec<Option<Argument>>> = None;
        let mut note = |own: Vec<Option<Argument>>| match &mut all {
            None => all = Some(own),
            Some(all) => {
                for (known, own) in all.iter_mut().zip(own) {
                    *known = known.take().filter(|known| own.as_ref() == Some(known));
                }
            }
        };
        let default = |parameter: &[Token]| {
            let equal = parameter.iter().position(|t| t.kind == Kind::Equal)?;
            self.argument(&parameter[equal + 1..])
        };
        for at in uses {
            let before = at.checked_sub(1).map_or("", |i| self.word(code[i]));
            // A specialisation: its arguments have a body of their own.
            if matches!(before, "struct" | "class" | "union") {
                return None;
            }
            let n = angle(&code[at + 1..])?;
            let given = split(&code[at + 2..at + n]);
            let open = at + 1 + n;
            let is_call = given.len() < parameters.len() && code.get(open).is_some_and(|t| t.kind == Kind::Open);
            let deduced = if is_call { self.deduced(code, open, &list, &named) } else { Vec::new() };
            let own = parameters.iter().enumerate().map(|(i, parameter)| match given.get(i) {
                Some(given) => self.argument(given),
                None => deduced.get(i).cloned().flatten().or_else(|| default(parameter)),
            });
            note(own.collect());
        }
        for at in calls.iter().filter(|at| !self.is_declared_at(code, **at)) {
            let is_of_other = at.checked_sub(1).is_some_and(|i| matches!(code[i].kind, Kind::Dot | Kind::Arrow));
            let deduced = self.deduced(code, at + 1, &list, &named);
            let own = deduced.into_iter().zip(&parameters);
            note(own.map(|(own, parameter)| own.or_else(|| default(parameter)).filter(|_| !is_of_other)).collect());
        }
        let all = all.unwrap_or_default();
        let mut found = Bound::default();
        for (parameter, argument) in parameters.iter().zip(all) {
            let name = self.parameter_name(parameter);
            if name.is_empty() {
                continue;
            }
            let takes_type = matches!(self.word(parameter[0]), "class" | "typename");
            match argument {
                Some(Argument::Type(read)) if takes_type => drop(found.types.insert(name, read)),
                Some(Argument::Number(number)) if !takes_type => drop(found.numbers.insert(name, number)),
                _ => {}
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// The name of a parameter of a template.
    fn parameter_name(&self, parameter: &[Token]) -> &'a str {
        let end = parameter.iter().position(|t| t.kind == Kind::Equal).unwrap_or(parameter.len());
        parameter[..end].last().map_or("", |t| self.word(*t))
    }

    fn argument(&self, given: &[Token]) -> Option<Argument> {
        if let Some(number) = self.names.constant_of(given, &[], 0) {
            return Some(Argument::Number(number));
        }
        let (read, n) = self.names.read_type(given)?;
        (n == given.len() && read != HostType::Open).then_some(Argument::Type(read))
    }
}
