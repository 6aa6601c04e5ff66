//! Two versions of texts: which kernel of the one is which of the other, and what changed in it.

use super::shape::{Kind, Shape};
use crate::base::span::Span;
use crate::program::{ObjectKind, Program};
use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// A text, read.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Its path, relative to what is compared.
    pub path: &'a str,
    /// The text.
    pub text: &'a str,
    /// The program that was read from it.
    pub program: &'a Program,
    /// Its shape.
    pub shape: &'a Shape,
}

/// A kernel or function of one of several texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel<'a> {
    /// The text, by number.
    pub file: usize,
    /// Its path.
    pub path: &'a str,
    /// The name.
    pub name: &'a str,
    /// What `.kernel_attr SimdSize` says.
    pub simd_size: Option<i64>,
    /// The directive that opens it.
    pub span: Span,
    /// The kernel or function in its text, by number.
    pub object: u32,
    /// Its statements in the shape of the text.
    pub statements: Range<usize>,
}

/// The kernels and functions of texts, in order.
#[must_use]
pub fn kernels<'a>(files: &[Side<'a>]) -> Vec<Kernel<'a>> {
    let mut all = Vec::new();
    for (file, side) in files.iter().enumerate() {
        for (object, row) in side.program.objects.as_slice().iter().enumerate() {
            if row.kind == ObjectKind::Missing {
                continue;
            }
            let statements = &side.shape.statements;
            let start = statements.partition_point(|s| s.span.start < row.span.start);
            let n = statements[start..].partition_point(|s| s.object == Some(object as u32));
            all.push(Kernel {
                file,
                path: side.path,
                name: side.program.names.name(row.name),
                simd_size: side.program.attribute_number(row, "SimdSize"),
                span: row.span,
                object: object as u32,
                statements: start..start + n,
            });
        }
    }
    all
}

/// A kernel of the old texts and one of the new ones, by number; one of them where it has no partner.
pub type Pair = (Option<usize>, Option<usize>);

/// At least that part of the statements of two kernels has to be the same, in percent, if only that speaks for them.
const MIN_SIMILARITY: usize = 50;

/// A statement that more kernels than this have says nothing of which two are alike.
const MAX_SHARED: usize = 32;

/// Finds partners: kernels with the same path, name and SIMD size, then with the same name and SIMD size, then with the
/// same name, and of the rest those that are most alike. In the order of the old kernels, then of the new ones.
#[must_use]
pub fn pairs(old: (&[Side], &[Kernel]), new: (&[Side], &[Kernel])) -> Vec<Pair> {
    let mut partner_of_old = vec![None; old.1.len()];
    let mut is_taken = vec![false; new.1.len()];
    // What has to agree: the path, the SIMD size.
    for wanted in [(true, true), (false, true), (false, false)] {
        let mut free: FxHashMap<Key<'_>, Vec<usize>> = FxHashMap::default();
        for (i, kernel) in new.1.iter().enumerate().rev().filter(|(i, _)| !is_taken[*i]) {
            free.entry(key(kernel, wanted)).or_default().push(i);
        }
        for (i, kernel) in old.1.iter().enumerate() {
            if partner_of_old[i].is_none()
                && let Some(partner) = free.get_mut(&key(kernel, wanted)).and_then(Vec::pop)
            {
                partner_of_old[i] = Some(partner);
                is_taken[partner] = true;
            }
        }
    }
    pair_by_likeness(old, new, &mut partner_of_old, &mut is_taken);
    let mut pairs: Vec<Pair> = partner_of_old.iter().enumerate().map(|(i, partner)| (Some(i), *partner)).collect();
    pairs.extend(is_taken.iter().enumerate().filter(|(_, taken)| !**taken).map(|(i, _)| (None, Some(i))));
    pairs
}

/// The path, if it has to agree; the name; and the SIMD size, if it has to.
type Key<'a> = (Option<&'a str>, &'a str, Option<Option<i64>>);

fn key<'a>(kernel: &Kernel<'a>, (with_path, with_size): (bool, bool)) -> Key<'a> {
    (with_path.then_some(kernel.path), kernel.name, with_size.then_some(kernel.simd_size))
}

fn pair_by_likeness(
    old: (&[Side], &[Kernel]),
    new: (&[Side], &[Kernel]),
    partner_of_old: &mut [Option<usize>],
    is_taken: &mut [bool],
) {
    let hashes = |side: (&[Side], &[Kernel]), kernel: usize| -> FxHashSet<u64> {
        let kernel = &side.1[kernel];
        let statements = &side.0[kernel.file].shape.statements[kernel.statements.clone()];
        statements.iter().filter(|s| s.kind == Kind::Instruction).map(|s| s.hash).collect()
    };
    let mut holders: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut n_of_new: FxHashMap<usize, usize> = FxHashMap::default();
    for i in (0..new.1.len()).filter(|i| !is_taken[*i]) {
        let hashes = hashes(new, i);
        n_of_new.insert(i, hashes.len());
        for hash in hashes {
            holders.entry(hash).or_default().push(i);
        }
    }
    let mut candidates = Vec::new();
    for i in (0..old.1.len()).filter(|i| partner_of_old[*i].is_none()) {
        let hashes = hashes(old, i);
        let mut shared: FxHashMap<usize, usize> = FxHashMap::default();
        for hash in &hashes {
            let all = holders.get(hash).map_or(&[][..], Vec::as_slice);
            if all.len() <= MAX_SHARED {
                for other in all {
                    *shared.entry(*other).or_default() += 1;
                }
            }
        }
        for (other, n_shared) in shared {
            let likeness = 100 * n_shared / (hashes.len() + n_of_new[&other] - n_shared).max(1);
            if likeness >= MIN_SIMILARITY {
                candidates.push((std::cmp::Reverse(likeness), i, other));
            }
        }
    }
    candidates.sort_unstable();
    for (_, i, other) in candidates {
        if partner_of_old[i].is_none() && !is_taken[other] {
            partner_of_old[i] = Some(other);
            is_taken[other] = true;
        }
    }
}

/// What became of a statement. Statements are numbered as in the shape of their text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Row {
    /// It stayed, whatever the numbers in its names are.
    Same(usize, usize),
    /// It stayed, but it names other variables or labels.
    Renamed(usize, usize),
    /// It is gone.
    Gone(usize),
    /// It is new.
    New(usize),
}

/// What changed in a kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    /// Instructions and labels, in order.
    pub rows: Vec<Row>,
    /// Directives that are gone, wherever they stood.
    pub gone_directives: Vec<usize>,
    /// Directives that are new.
    pub new_directives: Vec<usize>,
}

impl Comparison {
    /// Whether nothing changed but numbers and places of declarations.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let is_same = |row: &Row| matches!(row, Row::Same(..));
        self.gone_directives.is_empty() && self.new_directives.is_empty() && self.rows.iter().all(is_same)
    }
}

/// Compares two kernels.
#[must_use]
pub fn compare(old: (&Side, &Kernel), new: (&Side, &Kernel)) -> Comparison {
    let lines = |(side, kernel): (&Side, &Kernel)| -> Vec<usize> {
        let is_line = |i: &usize| side.shape.statements[*i].kind != Kind::Directive;
        kernel.statements.clone().filter(is_line).collect()
    };
    let (old_lines, new_lines) = (lines(old), lines(new));
    let mut input = InternedInput::default();
    input.update_before(old_lines.iter().map(|i| old.0.shape.statements[*i].hash));
    input.update_after(new_lines.iter().map(|i| new.0.shape.statements[*i].hash));
    let mut rows = Vec::with_capacity(old_lines.len().max(new_lines.len()));
    let (mut old_rest, mut new_rest) = (old_lines.iter(), new_lines.iter());
    for hunk in Diff::compute(Algorithm::Myers, &input).hunks() {
        let n_same = hunk.before.start as usize - (old_lines.len() - old_rest.len());
        rows.extend(old_rest.by_ref().zip(new_rest.by_ref()).take(n_same).map(|(old, new)| Row::Same(*old, *new)));
        rows.extend(old_rest.by_ref().take(hunk.before.len()).map(|i| Row::Gone(*i)));
        rows.extend(new_rest.by_ref().take(hunk.after.len()).map(|i| Row::New(*i)));
    }
    rows.extend(old_rest.zip(new_rest).map(|(old, new)| Row::Same(*old, *new)));
    mark_renamed(old.0, new.0, &mut rows);
    let (gone_directives, new_directives) = directives(old, new);
    Comparison { rows, gone_directives, new_directives }
}

/// Finds out which name became which, by what most statements say, and marks the statements that say something else.
fn mark_renamed(old: &Side, new: &Side, rows: &mut [Row]) {
    let names = |row: &Row| {
        let (Row::Same(a, b) | Row::Renamed(a, b)) = *row else { return Vec::new() };
        let of = |side: &Side, i: usize| -> Vec<Span> {
            let statement = &side.shape.statements[i];
            side.shape.names[statement.names.start as usize..statement.names.end as usize].to_vec()
        };
        of(old, a).into_iter().zip(of(new, b)).map(|(a, b)| (a.of(old.text), b.of(new.text))).collect()
    };
    let mut votes: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    for row in &*rows {
        for pair in names(row) {
            *votes.entry(pair).or_default() += 1;
        }
    }
    let mut ranked: Vec<_> = votes.into_iter().map(|(pair, n)| (std::cmp::Reverse(n), pair)).collect();
    ranked.sort_unstable();
    let (mut became, mut was) = (FxHashMap::default(), FxHashMap::default());
    for (_, (a, b)) in ranked {
        if !became.contains_key(a) && !was.contains_key(b) {
            became.insert(a, b);
            was.insert(b, a);
        }
    }
    for row in rows {
        let agrees = names(row).into_iter().all(|(a, b)| became.get(a) == Some(&b));
        if let (Row::Same(a, b), false) = (*row, agrees) {
            *row = Row::Renamed(a, b);
        }
    }
}

/// The directives that are gone and those that are new; their order means nothing.
fn directives(old: (&Side, &Kernel), new: (&Side, &Kernel)) -> (Vec<usize>, Vec<usize>) {
    let all = |(side, kernel): (&Side, &Kernel)| -> Vec<usize> {
        let attributes = side.program.objects.as_slice()[kernel.object as usize].attributes.clone();
        // Where a compiler writes its output says nothing of what it wrote.
        let is_output = |statement: Span| {
            side.program.attributes[attributes.start as usize..attributes.end as usize].iter().any(|attribute| {
                attribute.statement.start == statement.start
                    && matches!(side.program.names.name(attribute.name), "OutputAsmPath" | "AsmName")
            })
        };
        let is_directive = |i: &usize| {
            let statement = &side.shape.statements[*i];
            statement.kind == Kind::Directive && !is_output(statement.span)
        };
        kernel.statements.clone().filter(is_directive).collect()
    };
    let mut left: FxHashMap<u64, usize> = FxHashMap::default();
    for i in all(old) {
        *left.entry(old.0.shape.statements[i].hash).or_default() += 1;
    }
    let mut take = |hash: u64| match left.get_mut(&hash) {
        Some(n) if *n > 0 => {
            *n -= 1;
            true
        }
        _ => false,
    };
    let new_ones = all(new).into_iter().filter(|i| !take(new.0.shape.statements[*i].hash)).collect();
    let gone = all(old).into_iter().rev().filter(|i| take(old.0.shape.statements[*i].hash));
    let mut gone: Vec<usize> = gone.collect();
    gone.reverse();
    (gone, new_ones)
}
