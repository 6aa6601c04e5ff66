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
enum Argument {
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
    pub(super) fn collect_instances(&mut self, code: &[Token]) {
        let mut open: Vec<usize> = Vec::new();
        for (at, pair) in code.windows(2).enumerate() {
            let before =
                || open.last().and_then(|open| code.get(open.checked_sub(1)?)).filter(|t| t.kind == Kind::Word);
            match (pair[0].kind, pair[1].kind) {
                (Kind::Word, Kind::Less) if pair[0].end == pair[1].start => {
                    self.instances.entry(self.word(pair[0])).or_default().uses.push(at);
                }
                (Kind::Open, _) => open.push(at),
                (Kind::Close, next) => {
                    let is_body = next == Kind::BraceOpen || matches!(self.word(pair[1]), "const" | "noexcept");
                    if let Some(name) = before().filter(|_| is_body) {
                        self.instances.entry(self.word(*name)).or_default().n_bodies += 1;
                    }
                    open.pop();
                }
                _ => {}
            }
        }
    }

    /// What the parameters of the template with this header stand for, if all uses of its name in the file agree: of
    /// `template <class T, int N> ...`, which has the name `name`.
    pub(super) fn bound(&self, code: &[Token], head: &[Token], name: &str) -> Option<Bound<'a>> {
        let begin = head.iter().position(|t| t.kind == Kind::Word && self.word(*t) == "template")?;
        let n = angle(&head[begin + 1..])?;
        let parameters = split(&head[begin + 2..begin + n]);
        // Which of several functions a use means is not known.
        let Instances { uses, .. } = self.instances.get(name).filter(|i| i.n_bodies < 2)?;
        if parameters.len() > MOST_PARAMETERS || uses.len() > MOST_USES {
            return None;
        }
        let mut all: Vec<Option<Argument>> = Vec::new();
        for (i, at) in uses.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", |i| self.word(code[i]));
            // A specialisation: its arguments have a body of their own.
            if matches!(before, "struct" | "class" | "union") {
                return None;
            }
            let n = angle(&code[at + 1..])?;
            let given = split(&code[at + 2..at + n]);
            let own = parameters.iter().enumerate().map(|(i, parameter)| {
                let default =
                    || parameter.iter().position(|t| t.kind == Kind::Equal).map(|equal| &parameter[equal + 1..]);
                self.argument(given.get(i).copied().or_else(default)?)
            });
            let own: Vec<_> = own.collect();
            if i == 0 {
                all = own;
            } else {
                for (known, own) in all.iter_mut().zip(own) {
                    *known = known.take().filter(|known| own.as_ref() == Some(known));
                }
            }
        }
        let mut found = Bound::default();
        for (parameter, argument) in parameters.iter().zip(all) {
            let end = parameter.iter().position(|t| t.kind == Kind::Equal).unwrap_or(parameter.len());
            let Some(name) = parameter[..end].last().filter(|t| t.kind == Kind::Word).map(|t| self.word(*t)) else {
                continue;
            };
            let takes_type = matches!(self.word(parameter[0]), "class" | "typename");
            match argument {
                Some(Argument::Type(read)) if takes_type => drop(found.types.insert(name, read)),
                Some(Argument::Number(number)) if !takes_type => drop(found.numbers.insert(name, number)),
                _ => {}
            }
        }
        (!found.is_empty()).then_some(found)
    }

    fn argument(&self, given: &[Token]) -> Option<Argument> {
        if let Some(number) = self.names.constant_of(given, &[], 0) {
            return Some(Argument::Number(number));
        }
        let (read, n) = self.names.read_type(given)?;
        (n == given.len() && read != HostType::Open).then_some(Argument::Type(read))
    }
}
