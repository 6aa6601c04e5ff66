//! What variables hold.

use crate::interp::domain::atom::{AtomKind, Origin};
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::sum::Sum;
use crate::interp::domain::{Domain, LANES, Value, mask};

/// No instruction has written it.
pub const NO_WRITER: u32 = u32::MAX;

/// By what writers are ordered: [`NO_WRITER`] is the first of all.
const fn order_of(writer: u32) -> u32 {
    writer.wrapping_add(1)
}

/// The later one of two writers.
#[must_use]
pub fn later(a: u32, b: u32) -> u32 {
    std::cmp::max_by_key(a, b, |writer| order_of(*writer))
}

/// The last one of the instructions that wrote slots.
fn last_writer(slots: &[Slot]) -> u32 {
    slots.iter().map(|s| s.writer).fold(NO_WRITER, later)
}

/// Some bytes of a variable: those of a value, or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    constant: u64,
    sum: Sum,
    /// The instruction that wrote it last; [`NO_WRITER`] if none has.
    pub writer: u32,
    /// Where this holds, the slot holds the value; elsewhere nothing has ever been written there.
    pub defined: Condition,
    bytes: u8,
    /// The first byte of the value that is here.
    part: u8,
}

const _: () = assert!(size_of::<Slot>() == 24);

impl Slot {
    /// The value that it holds, or holds a part of.
    #[must_use]
    pub const fn value(&self) -> Value {
        Value { constant: self.constant, sum: self.sum, bytes: self.bytes }
    }

    /// A slot that holds a whole value of its own size.
    #[must_use]
    pub const fn whole(value: Value, defined: Condition, writer: u32) -> Self {
        Self::new(value, 0, defined, writer)
    }

    /// What is in one slot of a run of them.
    const fn at(&self, number: u32) -> Self {
        Self { sum: self.sum.at(number), defined: self.defined.at(number), ..*self }
    }

    /// Whether a run of it differs from slot to slot.
    const fn steps(&self) -> bool {
        self.sum.steps() || self.defined.steps()
    }

    /// The same part of another value.
    #[must_use]
    pub const fn holding(&self, value: Value) -> Self {
        Self::new(value, self.part, self.defined, self.writer)
    }

    /// Whether it holds the same part of a value of the same size.
    #[must_use]
    pub const fn is_shaped_like(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.part == other.part
    }

    const fn new(value: Value, part: u8, defined: Condition, writer: u32) -> Self {
        Self { constant: value.constant, sum: value.sum, writer, defined, bytes: value.bytes, part }
    }
}

/// What is known of the writing of an element.
#[derive(Clone, Copy, Debug)]
pub struct Presence {
    /// Where all of it has been written.
    pub defined: Condition,
    /// Where some of it has been written.
    pub partly: Condition,
    /// The instruction that wrote it last, or that left its first undefined byte undefined; [`NO_WRITER`] if none has.
    pub writer: u32,
}

impl Presence {
    /// Of what is there from the start.
    pub const GIVEN: Self = Self { defined: Condition::TRUE, partly: Condition::TRUE, writer: NO_WRITER };
}

/// An element as it is read.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// What it holds.
    pub value: Value,
    /// Where it has been written.
    pub presence: Presence,
}

/// The bytes of one variable that is no alias. Address, surface and sampler variables have elements of four bytes here.
#[derive(Clone, Debug)]
pub struct Content {
    n_bytes: u32,
    /// Bytes of a slot.
    unit: u8,
    /// Whether it is known what the slots hold, and not only where they have been written.
    is_followed: bool,
    /// The run that the slots are, which are not made then: each holds the whole value of its lane.
    run: Option<Slot>,
    slots: Vec<Slot>,
}

impl PartialEq for Content {
    /// Whether they hold the same in every slot, as a run or not.
    fn eq(&self, other: &Self) -> bool {
        let is_alike = (self.n_bytes, self.unit, self.is_followed) == (other.n_bytes, other.unit, other.is_followed);
        let is_same_run = self.run.is_some() && self.run == other.run;
        is_alike && (is_same_run || (0..self.n_slots()).all(|number| self.slot(number) == other.slot(number)))
    }
}

impl Content {
    /// The content of a variable that is accessed in elements of `unit` bytes first. Slots hold something where
    /// `defined` holds: what they held at the start, or, with an `origin`, something unknown. They are followed unless
    /// what they hold is unused.
    pub fn new(
        domain: &mut Domain,
        variable: u32,
        n_bytes: u32,
        unit: u8,
        defined: Condition,
        is_followed: bool,
        origin: Option<Origin>,
    ) -> Self {
        if !is_followed {
            let run = Slot::new(Value::known(0, unit), 0, defined, NO_WRITER);
            return Self { n_bytes, unit, is_followed, run: Some(run), slots: Vec::new() };
        }
        let mut first_values = |i: u32| match origin {
            Some(origin) => domain.unknown(unit, origin),
            None => domain.atom(AtomKind::Initial(variable, i), unit, 0, 0, mask(unit)),
        };
        let n_slots = n_bytes.div_ceil(u32::from(unit));
        if n_slots <= LANES {
            let run = Slot::new(first_values(0), 0, defined, NO_WRITER);
            return Self { n_bytes, unit, is_followed, run: Some(run), slots: Vec::new() };
        }
        let mut slots = Vec::with_capacity(n_slots as usize);
        let mut value = Value::known(0, unit);
        for i in 0..n_slots {
            if i % LANES == 0 {
                value = first_values(i);
            }
            slots.push(Slot::new(value.at(i % LANES), 0, defined, NO_WRITER));
        }
        Self { n_bytes, unit, is_followed, run: None, slots }
    }

    /// Bytes of the variable.
    #[must_use]
    pub const fn n_bytes(&self) -> u32 {
        self.n_bytes
    }

    /// All slots of a variable whose values are followed.
    pub fn slots(&mut self) -> &mut Vec<Slot> {
        if self.is_followed {
            self.divide();
        }
        &mut self.slots
    }

    fn slot(&self, number: usize) -> Slot {
        match self.run {
            Some(run) => run.at(number as u32),
            None => self.slots[number],
        }
    }

    /// Holds a run from now on.
    fn hold(&mut self, run: Slot) {
        self.run = Some(run);
        self.slots = Vec::new();
    }

    /// Of the slots between `first` and `end`, as far as they exist, those that are not known to have been written: where
    /// they have been, and by which instruction.
    pub fn gaps(&self, first: u32, end: u32) -> impl Iterator<Item = (Condition, u32)> + '_ {
        let unit = u32::from(self.unit);
        let (first, end) = ((first / unit) as usize, (end.div_ceil(unit) as usize).min(self.n_slots()));
        // Where values are not followed, one slot of a run stands for all.
        let end = if self.run.is_some() && !self.is_followed { end.min(first + 1) } else { end };
        (first..end)
            .map(|number| self.slot(number))
            .map(|s| (s.defined, s.writer))
            .filter(|(defined, _)| !defined.is_true())
    }

    const fn n_slots(&self) -> usize {
        self.n_bytes.div_ceil(self.unit as u32) as usize
    }

    /// Makes the slots, so that they can differ.
    fn divide(&mut self) {
        if let Some(run) = self.run.take() {
            let n_slots = self.n_slots();
            self.slots.clear();
            if run.steps() {
                self.slots.extend((0..n_slots as u32).map(|number| run.at(number)));
            } else {
                self.slots.resize(n_slots, run);
            }
        }
    }

    /// Bytes of a slot.
    #[must_use]
    pub const fn unit(&self) -> u8 {
        self.unit
    }

    /// The greatest slot size, in bytes, of which an element of `bytes` bytes at `offset` is made.
    #[must_use]
    pub fn unit_at(offset: u32, bytes: u8) -> u8 {
        bytes.min(1 << offset.trailing_zeros().min(3))
    }

    /// Cuts the slots so that elements there consist of whole ones.
    pub fn refine(&mut self, offset: u32, bytes: u8) {
        let unit = Self::unit_at(offset, bytes);
        if unit >= self.unit {
            return;
        }
        if let Some(run) = self.run.as_mut().filter(|_| !self.is_followed) {
            run.bytes = unit;
            self.unit = unit;
            return;
        }
        self.divide();
        let per_slot = self.unit / unit;
        let mut slots = Vec::with_capacity(self.slots.len() * usize::from(per_slot));
        for slot in &self.slots {
            slots.extend((0..per_slot).map(|i| Slot { part: slot.part + i * unit, ..*slot }));
        }
        slots.truncate(self.n_bytes.div_ceil(u32::from(unit)) as usize);
        self.slots = slots;
        self.unit = unit;
    }

    /// The slots of an element; nothing if it reaches beyond the end.
    fn slots_of(&self, offset: u32, bytes: u8) -> Option<std::ops::Range<usize>> {
        let first = (offset / u32::from(self.unit)) as usize;
        let n = usize::from(bytes.div_ceil(self.unit));
        (first + n <= self.n_slots()).then(|| first..first + n)
    }

    /// What is known of the writing of an element; nothing if it reaches beyond the end. Slots must have been refined for
    /// it.
    pub fn presence(&self, domain: &mut Domain, offset: u32, bytes: u8) -> Option<Presence> {
        let range = self.slots_of(offset, bytes)?;
        let Slot { defined, writer, .. } = self.slot(range.start);
        let mut presence = Presence { defined, partly: defined, writer };
        let mut is_left_out = defined.is_false();
        if self.run.is_some() && !self.is_followed {
            return Some(presence);
        }
        for slot in (range.start + 1..range.end).map(|number| self.slot(number)) {
            if slot.defined != presence.defined {
                presence.defined = domain.and(presence.defined, slot.defined);
            }
            if slot.defined != presence.partly {
                presence.partly = domain.or(presence.partly, slot.defined);
            }
            if !is_left_out && (slot.defined.is_false() || order_of(slot.writer) > order_of(presence.writer)) {
                presence.writer = slot.writer;
            }
            is_left_out |= slot.defined.is_false();
        }
        Some(presence)
    }

    /// Where the bytes of a slot have been written.
    #[must_use]
    pub fn defined_at(&self, place: usize) -> Condition {
        self.slot(place).defined
    }

    /// Slots side by side, if elements of that size are whole ones.
    fn side_by_side(&self, offset: u32, bytes: u8, n: u32) -> Option<std::ops::Range<usize>> {
        let unit = u32::from(self.unit);
        let first = (offset / unit) as usize;
        let end = first + n as usize;
        (self.unit == bytes && offset.is_multiple_of(unit) && end <= self.n_slots()).then_some(first..end)
    }

    /// What `n` elements side by side hold, where they have been written, and the instruction that wrote one of them last;
    /// nothing unless each is a slot that holds a whole value.
    #[must_use]
    pub fn read_run(&self, offset: u32, bytes: u8, n: u32) -> Option<(Lanes<Value>, Lanes<Condition>, u32)> {
        let places = self.side_by_side(offset, bytes, n)?;
        if let Some(run) = self.run {
            if !self.is_followed || run.bytes != bytes {
                return None;
            }
            let first = places.start as u32;
            let run = if n == 1 {
                run.at(first)
            } else {
                Slot { sum: run.sum.shifted(first), defined: run.defined.shifted(first), ..run }
            };
            return Some((Lanes::run(run.value(), n), Lanes::run(run.defined, n), run.writer));
        }
        let slots = &self.slots[places];
        let writer = last_writer(slots);
        let values = |lane: u32| slots[lane as usize].value();
        let defined = |lane: u32| slots[lane as usize].defined;
        slots.iter().all(|s| s.bytes == bytes).then(|| (Lanes::of(n, values), Lanes::of(n, defined), writer))
    }

    /// Writes elements side by side in the lanes of `exec_mask`; false if they have to be written one by one.
    pub fn write_run(
        &mut self,
        offset: u32,
        values: &Lanes<Value>,
        defined: &Lanes<Condition>,
        exec_mask: &Lanes<Condition>,
        writer: u32,
    ) -> bool {
        let Some(places) = self.side_by_side(offset, values.at(0).bytes, exec_mask.len()) else { return false };
        // The lanes of a run are either all known to be off, or none of them is.
        if places.len() == self.n_slots()
            && let (Some(value), Some(defined), Some(active)) = (values.as_run(), defined.as_run(), exec_mask.as_run())
        {
            if !active.is_false() {
                self.hold(Slot::new(value, 0, defined, writer));
            }
            return true;
        }
        self.divide();
        for (slot, lane) in self.slots[places].iter_mut().zip(0..) {
            if !exec_mask.at(lane).is_false() {
                *slot = Slot::new(values.at(lane), 0, defined.at(lane), writer);
            }
        }
        true
    }

    /// The instruction that wrote `n` elements side by side last, if all of them are known to have been written.
    #[must_use]
    pub fn writer_of_run(&self, offset: u32, bytes: u8, n: u32) -> Option<u32> {
        let places = self.side_by_side(offset, bytes, n)?;
        if let Some(run) = self.run {
            return run.defined.is_true().then_some(run.writer);
        }
        let slots = &self.slots[places];
        slots.iter().all(|s| s.defined.is_true()).then(|| last_writer(slots))
    }

    /// Notes that elements side by side have been written in the lanes of `exec_mask`, but not with what; false if they have to
    /// be told one by one.
    pub fn define_run(
        &mut self,
        domain: &mut Domain,
        offset: u32,
        bytes: u8,
        exec_mask: &Lanes<Condition>,
        writer: u32,
    ) -> bool {
        let Some(places) = self.side_by_side(offset, bytes, exec_mask.len()) else { return false };
        let mut with = |active: Condition, defined: Condition| domain.or(active, defined);
        if places.len() == self.n_slots()
            && !self.is_followed
            && let Some(active) = exec_mask.as_same()
        {
            let old = match self.run {
                Some(run) => Some(run.defined),
                None if active.is_true() => Some(Condition::TRUE),
                None => None,
            };
            if let Some(old) = old {
                if !active.is_false() {
                    self.hold(Slot::new(Value::known(0, self.unit), 0, with(active, old), writer));
                }
                return true;
            }
        }
        self.divide();
        for (slot, lane) in self.slots[places].iter_mut().zip(0..) {
            let active = exec_mask.at(lane);
            if !active.is_false() {
                slot.defined = with(active, slot.defined);
                slot.writer = writer;
            }
        }
        true
    }

    /// Reads an element; nothing if it reaches beyond the end. Slots must have been refined for it.
    pub fn read(&self, domain: &mut Domain, offset: u32, bytes: u8) -> Option<Element> {
        let presence = self.presence(domain, offset, bytes)?;
        if self.run.is_some() && !self.is_followed {
            return Some(Element { value: domain.unknown_one(bytes, Origin::Result), presence });
        }
        let range = self.slots_of(offset, bytes)?;
        let first = self.slot(range.start);
        if range.len() == 1 && self.unit == bytes && first.bytes == bytes {
            return Some(Element { value: first.value(), presence });
        }
        let divided: Vec<Slot>;
        let slots = if self.run.is_some() {
            divided = range.map(|number| self.slot(number)).collect();
            &divided
        } else {
            &self.slots[range]
        };
        let together = slots.iter().enumerate().all(|(i, s)| {
            s.value() == first.value() && u32::from(s.part) == u32::from(first.part) + i as u32 * u32::from(self.unit)
        });
        let value = if together && first.part + bytes <= first.bytes {
            domain.extract(first.value(), first.part, bytes)
        } else {
            self.pieced(domain, slots)
        };
        Some(Element { value, presence })
    }

    /// One value from slots of several: slots that belong together are one piece.
    fn pieced(&self, domain: &mut Domain, slots: &[Slot]) -> Value {
        let mut pieces = Vec::with_capacity(slots.len());
        let mut i = 0;
        while let Some(begin) = slots.get(i) {
            let fits = |n: usize| {
                slots.get(i + n).is_some_and(|s| {
                    s.value() == begin.value()
                        && usize::from(s.part) == usize::from(begin.part) + n * usize::from(self.unit)
                })
            };
            let together = 1 + (1..slots.len()).take_while(|n| fits(*n)).count();
            let n = 1_usize << together.ilog2();
            pieces.push(domain.extract(begin.value(), begin.part, n as u8 * self.unit));
            i += n;
        }
        domain.concatenate(&pieces)
    }

    /// Writes an element; one that reaches beyond the end is cut. Slots must have been refined for it.
    pub fn write(&mut self, offset: u32, value: Value, defined: Condition, writer: u32) {
        if self.n_slots() == 1 && offset == 0 && value.bytes == self.unit {
            return self.hold(Slot::new(value, 0, defined, writer));
        }
        self.divide();
        let first = (offset / u32::from(self.unit)) as usize;
        let n = usize::from(value.bytes.div_ceil(self.unit));
        for i in 0..n {
            if let Some(slot) = self.slots.get_mut(first + i) {
                *slot = Slot::new(value, i as u8 * self.unit, defined, writer);
            }
        }
    }

    /// Notes that an element has been written, but not with what; one that reaches beyond the end is cut.
    pub fn define(&mut self, offset: u32, bytes: u8, defined: Condition, writer: u32) {
        self.divide();
        let first = (offset / u32::from(self.unit)) as usize;
        let n = usize::from(bytes.div_ceil(self.unit));
        for slot in self.slots.iter_mut().skip(first).take(n) {
            slot.defined = defined;
            slot.writer = writer;
        }
    }

    /// Holds something unknown from now on, which may have been written where `written` holds.
    pub fn forget(&mut self, domain: &mut Domain, written: Condition, origin: Origin) {
        if let Some(run) = self.run {
            let value = if self.is_followed { domain.unknown(self.unit, origin) } else { run.value() };
            self.run = Some(Slot::new(value, 0, domain.or(run.defined, written), run.writer));
            return;
        }
        let mut last = None;
        for slot in &mut self.slots {
            slot.defined = match last {
                Some((before, after)) if before == slot.defined => after,
                _ => {
                    let after = domain.or(slot.defined, written);
                    last = Some((slot.defined, after));
                    after
                }
            };
        }
        if !self.is_followed {
            return;
        }
        let mut run = Value::known(0, self.unit);
        for (i, slot) in self.slots.iter_mut().enumerate() {
            let lane = i as u32 % LANES;
            if lane == 0 {
                run = domain.unknown(self.unit, origin);
            }
            *slot = Slot::new(run.at(lane), 0, slot.defined, slot.writer);
        }
    }

    /// Marks bytes as not written where `active` holds: what is there means nothing.
    pub fn undefine(&mut self, domain: &mut Domain, offset: u32, n_bytes: u32, active: Condition, writer: u32) {
        self.refine(offset, 1 << (offset | n_bytes | 8).trailing_zeros());
        let unit = u32::from(self.unit);
        let (first, end) = (offset.div_ceil(unit) as usize, (offset.saturating_add(n_bytes) / unit) as usize);
        let end = end.min(self.n_slots());
        if let Some(run) = self.run.as_mut().filter(|_| first == 0 && active.is_true())
            && end == self.n_bytes.div_ceil(unit) as usize
        {
            (run.defined, run.writer) = (Condition::FALSE, writer);
            return;
        }
        self.divide();
        for slot in self.slots.get_mut(first..end).unwrap_or_default() {
            slot.defined = domain.and(slot.defined, active.not());
            slot.writer = writer;
        }
    }
}

/// A predicate variable.
#[derive(Clone, PartialEq, Debug)]
pub struct PredicateContent {
    /// Its 32 bits.
    pub bits: Lanes<Condition>,
    /// Where each bit has been written.
    pub defined: Lanes<Condition>,
    /// The instruction that wrote it last; [`NO_WRITER`] if none has.
    pub writer: u32,
}
