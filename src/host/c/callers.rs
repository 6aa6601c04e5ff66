//! The sub-groups of functions that kernels of the file call.

use super::Reader;
use super::lexer::{Kind, Token};
use rustc_hash::FxHashMap;

/// Functions between a kernel and a statement that are followed.
const DEPTH: usize = 4;

/// Where a function is named.
#[derive(Default)]
struct Uses {
    /// The functions that call it, as places in [`Reader::functions`].
    callers: Vec<usize>,
    /// Whether others may call it: it is named without a call, or another function has its name.
    is_open: bool,
}

impl Reader<'_> {
    /// Gives a statement of a function without a size that of the kernels which call the function, if the file calls it, and all
    /// of them have one size. What stands in a branch may be meant for another size.
    pub(super) fn sizes_by_callers(&mut self, code: &[Token]) {
        let wants_size = |found: &crate::host::statement::RawStatement| {
            found.sub_group.is_none() && found.function > 0 && !found.is_branched
        };
        if !self.may_have_sizes || !self.found.iter().any(wants_size) {
            return;
        }
        self.complete_functions(code);
        if self.functions.iter().all(|f| f.sub_group.is_none()) {
            return;
        }
        // In the order of the text.
        let mut order: Vec<usize> = (0..self.functions.len()).collect();
        order.sort_by_key(|f| self.functions[*f].body);
        let uses = self.uses(code, &order);
        let mut sizes: Vec<Option<u32>> = self.functions.iter().map(|f| f.sub_group).collect();
        for _ in 0..DEPTH {
            for index in order.iter().copied() {
                let function = &self.functions[index];
                if sizes[index].is_some() {
                    continue;
                }
                sizes[index] = match function.parent {
                    // A lambda has the name of the function around it.
                    Some(parent) => sizes[parent],
                    None => uses.get(function.name).and_then(|uses| of_all(&uses.callers, &sizes, index)),
                };
            }
        }
        for statement in self.found.iter_mut().filter(|s| wants_size(s)) {
            let function = statement.function as usize - 1;
            let is_known = self.functions.get(function).is_none_or(|f| f.size_path.is_none());
            statement.sub_group = sizes.get(function).copied().flatten().filter(|_| is_known);
        }
    }

    /// Where each function is called that alone has its name, and is only called.
    fn uses(&self, code: &[Token], order: &[usize]) -> FxHashMap<&str, Uses> {
        let mut all: FxHashMap<&str, Uses> = FxHashMap::default();
        for function in self.functions.iter().filter(|f| f.parent.is_none() && f.body > 0 && !f.name.is_empty()) {
            all.entry(function.name).and_modify(|uses| uses.is_open = true).or_default();
        }
        let mut inside: Vec<(usize, usize)> = Vec::new();
        let mut next = order.iter().map(|f| (*f, &self.functions[*f])).filter(|(_, f)| f.body > 0).peekable();
        for (at, token) in code.iter().enumerate() {
            inside.pop_if(|(_, end)| *end <= at);
            while let Some((index, function)) = next.next_if(|(_, f)| f.body <= at) {
                inside.push((index, self.index.closing(function.body)));
            }
            let Some((caller, _)) = inside.last() else { continue };
            if let Some(uses) = all.get_mut(self.word(*token)) {
                let is_call = code.get(at + 1).is_some_and(|t| matches!(t.kind, Kind::Open | Kind::Less));
                uses.is_open |= !is_call;
                uses.callers.push(*caller);
            }
        }
        all.retain(|_, uses| !uses.is_open);
        all
    }
}

/// The one size of all callers but the function itself.
fn of_all(callers: &[usize], sizes: &[Option<u32>], own: usize) -> Option<u32> {
    let mut all = callers.iter().filter(|caller| **caller != own).map(|caller| sizes[*caller]);
    let first = all.next()??;
    all.all(|size| size == Some(first)).then_some(first)
}
