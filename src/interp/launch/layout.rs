//! Where a kernel finds its local ids, and the size of its group.

use super::threads::{Group, Shape, n_items, shape_of, shapes};
use super::{Given, Launch, Thread};
use crate::program::variable::VariableId;
use crate::program::{Input, Object, Operand, Program, View};
use crate::spec::layout::{self, Factor, Held, LayoutRow};
use crate::spec::operation::Operation;
use crate::spec::{PlatformSet, Type};
use rustc_hash::FxHashSet;

/// Where the compiler puts local ids, and the group size, among the inputs of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// Byte offset of the local ids: one word for each lane, dimension after dimension.
    pub local_ids: u32,
    /// Dimensions whose local ids are handed over, x first.
    pub n_dimensions: u32,
    /// Byte offsets of three dwords with the group size, wherever it is handed over: that of this group, or that of most.
    pub sizes: Vec<u32>,
    /// Byte offset of three dwords with the offset of global ids, if it is handed over.
    pub offset: Option<u32>,
    /// Byte offset of the number of dimensions of the launch, if it is handed over.
    pub dimensions: Option<u32>,
}

/// A kernel and a group of it: which threads there are, and where they find their local ids.
pub struct Layout<'p> {
    pub(super) program: &'p Program,
    pub(super) object: &'p Object,
    /// Work-items in each dimension.
    size: [u32; 3],
    n_lanes: u32,
    /// Bytes from the local ids of one dimension to those of the next.
    stride: u32,
    places: Option<Places>,
    /// Bytes of the inputs that threads have for themselves, if that is known.
    thread_bytes: Option<u32>,
    grf_bytes: u32,
    platforms: PlatformSet,
}

/// What the compiler says of the payload of a kernel. Offsets are in bytes; register 0 is no part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    /// Bytes of the inputs that each thread has for itself; they come first.
    pub per_thread_bytes: u32,
    /// Byte offset of the local ids among those, and their bytes.
    pub local_ids: Option<(u32, u32)>,
    /// Byte offset of the offset of global ids among the inputs that all threads have in common.
    pub global_offset: Option<u32>,
    /// Byte offsets of the size of the group among the inputs that all threads have in common: in the header, and behind
    /// the arguments.
    pub local_sizes: [Option<u32>; 2],
    /// Byte offset of the size of most groups among the inputs that all threads have in common.
    pub enqueued_local_size: Option<u32>,
    /// Byte offset of the number of dimensions of the launch among the inputs that all threads have in common.
    pub work_dimensions: Option<u32>,
    /// Bytes of the first register of inputs that all threads have in common, if it is not filled up.
    pub inline_bytes: u32,
}

impl Payload {
    /// Byte offset, counted as those of inputs are, of what lies so far behind the beginning of what all threads have in
    /// common.
    #[must_use]
    pub fn place(&self, at: u32, grf_bytes: u32) -> u32 {
        // What does not fit into the first register of inputs stands in the next one.
        let inline = self.inline_bytes;
        let at = if at < inline { at } else { at - inline + inline.next_multiple_of(grf_bytes) };
        grf_bytes + self.per_thread_bytes + at
    }
}

impl Launch {
    /// Takes the size of a group.
    pub fn set_group(&mut self, layout: &Layout) {
        let (shapes, has_all) = shapes(layout.size, layout.n_lanes);
        self.has_all_threads = has_all;
        self.threads = shapes.into_iter().map(|shape| layout.thread(&shape)).collect();
        let given = |first: u32, of_dimensions: [u32; 3]| {
            (0..).zip(of_dimensions).filter_map(move |(i, n)| {
                let (variable, offset) = layout.input_at(first + 4 * i, &[Type::D, Type::UD])?;
                Some(Given { variable, offset, bytes: 4, number: u64::from(n), base: None })
            })
        };
        if let Some(places) = &layout.places {
            self.sizes = places.sizes.iter().flat_map(|first| given(*first, layout.size)).collect();
            self.offsets = places.offset.into_iter().flat_map(|first| given(first, [0; 3])).collect();
            let dimensions = places.dimensions.and_then(|at| layout.input_at(at, &[Type::D, Type::UD]));
            match dimensions {
                // A launch has no more than three.
                Some((variable, offset)) if layout.size[2] > 1 => {
                    self.sizes.push(Given { variable, offset, bytes: 4, number: 3, base: None });
                }
                Some((variable, _)) => self.dimensions = Some(variable),
                None => self.dimensions = layout.dimensions_by_use(),
            }
        }
    }
}

impl<'p> Layout<'p> {
    /// Takes the size of a group in work-items. `said` is what the compiler says of the payload; without it local ids are
    /// looked for where compilers put them, after the first register. `None` for a kernel that has no lanes of its own, as
    /// the target `cm` has none.
    #[must_use]
    pub fn new(
        size: [u32; 3],
        said: Option<&Payload>,
        (program, object): (&'p Program, &'p Object),
        grf_bytes: u32,
        platforms: PlatformSet,
    ) -> Option<Self> {
        let n_lanes = simd_size(program, object)?;
        if size.contains(&0) {
            return None;
        }
        let stride = (n_lanes.max(layout::LEAST_LANES) * layout::LOCAL_ID_BYTES).next_multiple_of(grf_bytes);
        let mut layout =
            Self { program, object, size, n_lanes, stride, places: None, thread_bytes: None, grf_bytes, platforms };
        layout.thread_bytes =
            program.attribute_number(object, "PerThreadInputSize").and_then(|n| u32::try_from(n).ok());
        // What the compiler says may be about another compilation of the kernel, with other inputs.
        let said = said.filter(|said| layout.thread_bytes.is_none_or(|bytes| bytes == said.per_thread_bytes));
        layout.places = said.and_then(|said| layout.said_places(said)).or_else(|| layout.usual_places());
        if layout.thread_bytes.is_none() {
            layout.thread_bytes = match (said, &layout.places) {
                (Some(said), _) => Some(said.per_thread_bytes),
                (None, Some(places)) => Some(places.local_ids + places.n_dimensions * stride - grf_bytes),
                // Without local ids threads have no inputs of their own.
                (None, None) => (!layout.has_words_in_front()).then_some(0),
            };
        }
        Some(layout)
    }

    /// Work-items of a group in each dimension.
    #[must_use]
    pub const fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Whether the local ids have been found among the inputs.
    #[must_use]
    pub const fn has_ids(&self) -> bool {
        self.places.is_some()
    }

    /// Byte offset of the inputs that all threads of a group have in common; nothing if that is not known.
    #[must_use]
    pub fn shared_from(&self) -> Option<i64> {
        self.thread_bytes.map(|bytes| i64::from(self.grf_bytes) + i64::from(bytes))
    }

    /// Where local ids, sizes and offsets were found among the inputs.
    #[must_use]
    pub const fn places(&self) -> Option<&Places> {
        self.places.as_ref()
    }

    /// Where the local ids are, as the compiler says.
    fn said_places(&self, said: &Payload) -> Option<Places> {
        let (offset, bytes) = said.local_ids?;
        let (n_dimensions, rest) = (bytes / self.stride, bytes % self.stride);
        let place = |at: u32| said.place(at, self.grf_bytes);
        let is_there = (1..=3).contains(&n_dimensions) && rest == 0;
        is_there.then(|| Places {
            local_ids: self.grf_bytes + offset,
            n_dimensions,
            sizes: said.local_sizes.into_iter().flatten().chain(said.enqueued_local_size).map(place).collect(),
            offset: said.global_offset.map(place),
            dimensions: said.work_dimensions.map(place),
        })
    }

    pub(super) fn inputs(&self) -> &'p [Input] {
        self.program.inputs_of(self.object)
    }

    fn kind_of(&self, input: &Input) -> Option<Type> {
        self.program.variables.get(input.variable).map(|v| v.element_type)
    }

    /// Whether the first inputs could be local ids.
    fn has_words_in_front(&self) -> bool {
        let end = i64::from(self.grf_bytes + 3 * self.stride);
        let mut first = self.inputs().iter().filter(|i| i.offset < end);
        first.any(|i| matches!(self.kind_of(i), Some(Type::W | Type::UW)))
    }

    /// Where `OpenCL` kernels have local ids: words for each lane and dimension after register 0. What all threads have in
    /// common comes after them, in the order of the first row of `rules/launch.toml` that fits.
    fn usual_places(&self) -> Option<Places> {
        let Self { grf_bytes, stride, .. } = *self;
        let n_dimensions = match self.thread_bytes {
            Some(bytes) if bytes.is_multiple_of(stride) => bytes / stride,
            Some(_) => return None,
            None => 3,
        };
        let end = i64::from(grf_bytes + n_dimensions * stride);
        let is_word = |i: &Input| self.kind_of(i) == Some(Type::W);
        let begins = (0..n_dimensions).all(|d| {
            let offset = i64::from(grf_bytes + d * stride);
            self.inputs().iter().any(|i| i.offset == offset && i.size >= 2 && is_word(i))
        });
        let only_words =
            self.inputs().iter().filter(|i| i.offset < end).all(|i| i.offset >= i64::from(grf_bytes) && is_word(i));
        if !(1..=3).contains(&n_dimensions) || !begins || !only_words {
            return None;
        }
        let mut places =
            Places { local_ids: grf_bytes, n_dimensions, sizes: Vec::new(), offset: None, dimensions: None };
        let version = self.program.version.map(|(major, minor, _)| (major, minor));
        let rows: Vec<&LayoutRow> = layout::layouts(version, self.platforms).collect();
        let vectors =
            rows.iter().map(|row| self.front(row, end)).find(|vectors| !vectors.is_empty()).unwrap_or_default();
        let by_use = rows.first().map(|row| self.by_use(row, end, &places)).unwrap_or_default();
        for (held, at) in vectors.into_iter().chain(by_use) {
            match held {
                Held::GlobalOffset => places.offset = Some(at),
                Held::LocalSize | Held::EnqueuedLocalSize if !places.sizes.contains(&at) => places.sizes.push(at),
                Held::LocalSize | Held::EnqueuedLocalSize => {}
            }
        }
        Some(places)
    }

    /// The vectors that come first of what all threads have in common, with their byte offsets.
    fn front(&self, row: &LayoutRow, end: i64) -> Vec<(Held, u32)> {
        let mut at = end;
        let at_offset = |at: i64| self.inputs().iter().find(|i| i.offset == at);
        for _ in 0..row.system_pointers {
            let is_unread = |i: &&Input| i.size == 8 && !self.is_read(i.variable);
            match at_offset(at).filter(is_unread) {
                Some(input) => at += input.size,
                None => break,
            }
        }
        let mut found = Vec::new();
        for front in row.front {
            let is_it = |i: &&Input| i.size == i64::from(front.bytes) && self.kind_of(i) == Some(Type::D);
            if !at_offset(at).is_some_and(|input| is_it(&input)) {
                break;
            }
            found.extend(
                (at as u32..).step_by(3 * Type::D.bytes() as usize).zip(front.holds).map(|(at, held)| (*held, at)),
            );
            at += i64::from(front.bytes);
        }
        found
    }

    /// The vectors of three dwords that are told by what they are multiplied by.
    fn by_use(&self, row: &LayoutRow, end: i64, places: &Places) -> Vec<(Held, u32)> {
        let is_vector = |i: &&Input| i.offset >= end && i.size == 12 && self.kind_of(i) == Some(Type::D);
        let vectors: Vec<&Input> = self.inputs().iter().filter(is_vector).collect();
        if vectors.is_empty() {
            return Vec::new();
        }
        // The byte of a variable that an operand begins with.
        let place = |operand: &Operand| match *operand {
            Operand::General { variable, row, column, .. } => {
                let of = self.program.variables.get(variable)?;
                let within =
                    i64::from(row) * i64::from(self.grf_bytes) + i64::from(column) * i64::from(of.element_bytes());
                Some((of.root, i64::from(of.root_offset) + within))
            }
            _ => None,
        };
        let group = VariableId::of_predefined("%r0");
        let last = i64::from(places.local_ids + 2 * self.stride);
        let is_last_id =
            |v: VariableId| self.inputs().iter().any(|i| i.variable == v && i.offset >= last && i.offset < end);
        // What is copied from local ids of the last dimension.
        let mut copies: FxHashSet<VariableId> = FxHashSet::default();
        let written = |view: &View| -> Vec<VariableId> {
            let written = view.numbered_operands().filter(|(_, _, slot)| slot.role.writes());
            written.filter_map(|(_, operand, _)| place(operand)).map(|(v, _)| v).collect()
        };
        let mut found = Vec::new();
        for (index, _) in self.program.instructions_in(self.object) {
            let Some(view) = View::new(self.program, index) else { continue };
            let sources: Vec<(VariableId, i64)> = view
                .numbered_operands()
                .filter(|(_, _, slot)| slot.role.reads())
                .filter_map(|(_, operand, _)| place(operand))
                .collect();
            match view.row.operation {
                Some(Operation::Mov) if sources.iter().any(|(v, _)| is_last_id(*v)) => {
                    copies.extend(written(&view));
                    continue;
                }
                Some(Operation::Mul | Operation::Mulh | Operation::Mad | Operation::Madw) => {
                    for (d, input) in (0..3).flat_map(|d| vectors.iter().map(move |input| (d, input))) {
                        if !sources.contains(&(input.variable, 4 * d as i64)) {
                            continue;
                        }
                        let is_by = |factor: Factor| {
                            sources.iter().any(|(v, at)| match factor {
                                Factor::GroupId => Some(*v) == group && *at == i64::from(layout::GROUP_ID_BYTES[d]),
                                Factor::LocalId => d == 1 && (is_last_id(*v) || copies.contains(v)),
                            })
                        };
                        let held = row.by_use.iter().filter(|by| is_by(by.factor));
                        found.extend(held.map(|by| (by.holds, input.offset as u32)));
                    }
                }
                _ => {}
            }
            // What is computed from a copy in its place is none: a global id is multiplied by the size of the launch.
            for variable in written(&view) {
                copies.remove(&variable);
            }
        }
        found
    }

    /// Whether any instruction reads a variable, or an alias of it.
    fn is_read(&self, variable: VariableId) -> bool {
        let root = |v: VariableId| self.program.variables.get(v).map(|row| row.root);
        let mut operands = self.program.instructions_in(self.object).flat_map(|(_, i)| self.program.operands_of(i));
        operands.any(|operand| operand.variable().and_then(root) == root(variable))
    }

    /// All threads of the group, if there are no more than `most`.
    #[must_use]
    pub fn group(&self, most: u32) -> Option<Group> {
        let n_threads = n_items(self.size).div_ceil(self.n_lanes);
        if n_threads > most {
            return None;
        }
        let threads = (0..n_threads).map(|t| self.thread(&shape_of(self.size, self.n_lanes, t))).collect();
        let shared_from = self.shared_from();
        let is_numbered = self.platforms.without(layout::THREAD_NUMBER_PLATFORMS).is_empty();
        Some(Group { threads, shared_from, is_numbered, size: self.size, n_lanes: self.n_lanes })
    }

    /// The input at a byte offset, if it is of one of these types, and the byte in it.
    fn input_at(&self, offset: u32, kinds: &[Type]) -> Option<(VariableId, u32)> {
        self.inputs().iter().find_map(|input| {
            let within = i64::from(offset) - input.offset;
            let kind = self.program.variables.get(input.variable)?.element_type;
            let is_there = (0..input.size).contains(&within) && kinds.contains(&kind);
            is_there.then_some((input.variable, within as u32))
        })
    }

    fn thread(&self, shape: &Shape) -> Thread {
        let mut ids = Vec::new();
        for (dimension, of_lanes) in shape.ids.iter().enumerate() {
            for (lane, number) in (0..).zip(of_lanes) {
                let place = self.places.as_ref().filter(|p| (dimension as u32) < p.n_dimensions);
                let place = place.map(|p| p.local_ids + dimension as u32 * self.stride + layout::LOCAL_ID_BYTES * lane);
                let Some((variable, offset)) = place.and_then(|p| self.input_at(p, &[Type::W, Type::UW])) else {
                    continue;
                };
                let base = shape.bases[dimension];
                ids.push(Given { variable, offset, bytes: 2, number: u64::from(*number), base });
            }
        }
        Thread { n_lanes: shape.n_lanes, ids }
    }
}

/// The lanes that a kernel says it has.
fn simd_size(program: &Program, object: &Object) -> Option<u32> {
    program
        .attribute_number(object, "SimdSize")
        .and_then(|n| u32::try_from(n).ok())
        .filter(|n| matches!(n, 8 | 16 | 32))
}
