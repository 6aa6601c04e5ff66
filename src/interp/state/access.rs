//! Reading and writing elements of variables.

use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{LANES, Value};
use crate::interp::state::content::{Element, NO_WRITER, Presence, later};
use crate::interp::state::{Machine, Reader};
use crate::program::{InstructionIndex, Operand, Region, RegionForm, VariableId};
use crate::spec::Type;
use crate::spec::predefined::VariableKind;

/// What is read where nothing is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// The lane that reads it.
    pub lane: u32,
    /// Whether some of its bytes are defined.
    pub is_partial: bool,
    /// Whether it is defined on another path, and undefined on one.
    pub is_possible: bool,
    /// The instruction that left it undefined; nothing if none has written it.
    pub left_by: Option<InstructionIndex>,
    /// The variable that an address leads to, or that stands in the address of an LSC message; nothing where the operand
    /// names it.
    pub pointed: Option<VariableId>,
}

/// Where elements of a variable stand.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// The variable, which is no alias.
    pub root: usize,
    /// The first byte.
    pub start: i64,
    /// Bytes of an element.
    pub bytes: u8,
    /// The elements of the lanes.
    pub region: Region,
}

impl Location {
    /// The first byte of a lane's element.
    #[must_use]
    pub fn start_of(&self, lane: u32) -> i64 {
        self.start + i64::from(self.region.element(lane)) * i64::from(self.bytes)
    }
}

/// Consecutive elements, one for each lane.
#[must_use]
pub const fn lane_after_lane() -> Region {
    Region { vertical_stride: 0, width: 1, horizontal_stride: 1, form: RegionForm::Stride }
}

impl Reader<'_> {
    /// What an element holds for a lane that is executed under `active`.
    pub(in crate::interp) fn settled(&mut self, value: Value, defined: Condition, active: Condition) -> Value {
        if !defined.is_true() && !defined.is_false() {
            let is_there = self.domain.implies(active, defined) || self.domain.implies(self.state.reached, defined);
            if !is_there {
                let unknown = self.domain.unknown(value.bytes, Origin::Result);
                return if value.steps() || active.steps() { unknown } else { unknown.at(0) };
            }
        }
        if self.state.is_certain && active.is_true() {
            return value;
        }
        let value = self.domain.assume(value, self.state.reached);
        self.domain.assume(value, active)
    }

    /// What branches and predicates say of a value that a lane reads under `active`.
    pub(in crate::interp) fn learned(&mut self, value: Value, active: Condition) -> Value {
        if self.state.is_certain && active.is_true() || value.is_known() {
            return value;
        }
        let uniform = self.state.flow.uniform;
        let given = self.domain.and(uniform, active);
        self.domain.learned(value, given)
    }

    /// Reads the first element of a region for a lane that is executed under `active`: what it holds, and which instruction wrote it.
    /// Nothing if it is not known to have been written.
    pub fn read_one(&mut self, at: Location, active: Condition) -> Option<(Value, u32)> {
        if self.cx.changes(at.root) {
            return Some((self.domain.unknown_one(at.bytes, Origin::Clock), NO_WRITER));
        }
        self.needs_all |= !self.cx.is_followed(at.root);
        let start = u32::try_from(at.start).ok()?;
        self.content(at.root, start, at.bytes);
        let content = self.state.contents[at.root].as_ref()?;
        let Element { value, presence } = content.read(&mut self.domain, start, at.bytes)?;
        presence.defined.is_true().then(|| (self.settled(value, presence.defined, active), presence.writer))
    }

    /// Reads the elements of a region. `exec_mask` are the lanes that read.
    pub fn read_at(&mut self, at: Location, exec_mask: &Lanes<Condition>) -> (Lanes<Value>, u32, Option<Undefined>) {
        let n = exec_mask.len();
        let bytes = at.bytes;
        let is_scalar = at.region.is_scalar() || n == 1;
        if self.cx.changes(at.root) {
            let unknown = self.domain.unknown(bytes, Origin::Clock);
            return (Lanes::run(if is_scalar { unknown.at(0) } else { unknown }, n), NO_WRITER, None);
        }
        let n_read = if is_scalar { 1 } else { n };
        let is_one = n == 1 || is_scalar && self.state.is_certain && exec_mask.all_true();
        if is_one && let Some((value, writer)) = self.read_one(at, exec_mask.at(0)) {
            return (Lanes::run(value, n), writer, None);
        }
        self.needs_all |= !self.cx.is_followed(at.root);
        if let Ok(start) = u32::try_from(at.start) {
            self.content(at.root, start, bytes);
        }
        let Some((content, domain)) = self.state.contents[at.root].as_mut().map(|r| (r, &mut self.domain)) else {
            let unknown = self.domain.unknown(bytes, Origin::Result);
            return (Lanes::run(unknown, n), NO_WRITER, None);
        };
        if !is_scalar
            && at.region.is_contiguous(n)
            && let Ok(start) = u32::try_from(at.start)
            && let Some((values, defined, writer)) = content.read_run(start, bytes, n)
            && defined.all_true()
        {
            if self.state.is_certain && exec_mask.all_true() {
                return (values, writer, None);
            }
            let values = values.zip(exec_mask, |v, g| self.settled(v, Condition::TRUE, g));
            return (values, writer, None);
        }
        // Strides keep the alignment of the first element, as far as it is one of the element size.
        let mut writer = NO_WRITER;
        let mut elements = [Element { value: Value::known(0, bytes), presence: Presence::GIVEN }; LANES as usize];
        for lane in 0..n_read {
            let element = u32::try_from(at.start_of(lane)).ok().and_then(|o| content.read(domain, o, bytes));
            let element = element.unwrap_or_else(|| Element {
                value: domain.unknown_one(bytes, Origin::Result),
                presence: Presence::GIVEN,
            });
            writer = later(writer, element.presence.writer);
            elements[lane as usize] = element;
        }
        let all_true = elements[..n_read as usize].iter().all(|e| e.presence.defined.is_true());
        let at = |lane: u32| elements[if is_scalar { 0 } else { lane as usize }];
        let mut undefined = None;
        if !all_true {
            undefined = first_undefined(n, exec_mask, |l| at(l).presence)
                .or_else(|| self.lacking(exec_mask, |l| at(l).presence));
        }
        let values = if is_scalar { Lanes::run(elements[0].value, n) } else { Lanes::of(n, |l| at(l).value) };
        if all_true && self.state.is_certain && exec_mask.all_true() {
            return (values, writer, undefined);
        }
        let defined = if is_scalar {
            Lanes::run(elements[0].presence.defined, n)
        } else {
            Lanes::of(n, |l| at(l).presence.defined)
        };
        let values = values.zip3(&defined, exec_mask, |v, d, g| self.settled(v, d, g));
        (values, writer, undefined)
    }

    /// The elements of an operand that names a variable directly; nothing for other operands and for variables that are not
    /// known.
    #[must_use]
    pub fn direct_location(&self, operand: &Operand) -> Option<(Location, Type)> {
        let (variable, row, column, region) = match *operand {
            Operand::General { variable, row, column, region, .. } => (variable, row, column, region),
            Operand::Element { variable, row, column } => (variable, row, column, Region::SCALAR),
            _ => return None,
        };
        let info = self.cx.program.variables.get(variable)?;
        if info.kind != VariableKind::General || region.has_illegal_number() {
            return None;
        }
        let (root, root_offset) = self.cx.root(variable)?;
        let kind = info.element_type;
        let start =
            root_offset + i64::from(row) * i64::from(self.cx.grf_bytes) + i64::from(column) * i64::from(kind.bytes());
        Some((Location { root, start, bytes: kind.bytes() as u8, region }, kind))
    }

    /// Where a raw operand begins.
    #[must_use]
    pub fn raw_location(&self, operand: &Operand) -> Option<Location> {
        let (variable, start) = match *operand {
            Operand::Raw { variable, byte_offset }
            | Operand::LscData { variable, byte_offset, .. }
            | Operand::WithLength { variable, byte_offset, .. } => (variable, i64::from(byte_offset)),
            Operand::Element { .. } | Operand::General { .. } => {
                return self.direct_location(operand).map(|(at, _)| Location { region: Region::SCALAR, ..at });
            }
            _ => return None,
        };
        if self.cx.program.variables.get(variable)?.kind != VariableKind::General || variable == VariableId::NULL {
            return None;
        }
        let (root, root_offset) = self.cx.root(variable)?;
        Some(Location { root, start: root_offset + start, bytes: 4, region: Region::SCALAR })
    }
}

impl Machine<'_> {
    /// Notes that the elements of a region have been written in the lanes of `exec_mask`, but not with what.
    pub(in crate::interp::state) fn define_at(&mut self, at: Location, exec_mask: &Lanes<Condition>, writer: u32) {
        if exec_mask.all_false() {
            return;
        }
        let bytes = at.bytes;
        if let Ok(start) = u32::try_from(at.start) {
            self.reader.content(at.root, start, bytes);
        }
        let Some((content, domain)) = self.existing_mut(at.root) else { return };
        if at.region.is_contiguous(exec_mask.len())
            && let Ok(start) = u32::try_from(at.start)
            && content.define_run(domain, start, bytes, exec_mask, writer)
        {
            return;
        }
        for lane in 0..exec_mask.len() {
            let Ok(offset) = u32::try_from(at.start_of(lane)) else { continue };
            let mut defined = exec_mask.at(lane);
            if defined.is_false() {
                continue;
            }
            if !defined.is_true() {
                let Some(old) = content.presence(domain, offset, bytes) else { continue };
                defined = domain.or(defined, old.defined);
            }
            content.define(offset, bytes, defined, writer);
        }
    }

    /// Writes the elements of a region in the lanes of `exec_mask`.
    pub(in crate::interp::state) fn write_at(
        &mut self,
        at: Location,
        values: &Lanes<Value>,
        exec_mask: &Lanes<Condition>,
        writer: u32,
    ) {
        if !self.reader.cx.is_followed(at.root) {
            return self.define_at(at, exec_mask, writer);
        }
        let n = exec_mask.len();
        let bytes = at.bytes;
        if let Ok(start) = u32::try_from(at.start) {
            self.reader.content(at.root, start, bytes);
        }
        let Some((content, domain)) = self.existing_mut(at.root) else { return };
        let offset_of = |lane: u32| u32::try_from(at.start_of(lane)).ok();
        if exec_mask.all_true() {
            if values.at(0).bytes == bytes
                && at.region.is_contiguous(n)
                && let Ok(start) = u32::try_from(at.start)
                && content.write_run(start, values, &Lanes::run(Condition::TRUE, n), exec_mask, writer)
            {
                return;
            }
            for lane in 0..n {
                if let Some(offset) = offset_of(lane) {
                    content.write(offset, values.at(lane), Condition::TRUE, writer);
                }
            }
            return;
        }
        if exec_mask.all_false() {
            return;
        }
        let start = u32::try_from(at.start).ok().filter(|_| at.region.is_contiguous(n));
        let (old_values, old_defined) = if let Some(run) = start.and_then(|o| content.read_run(o, bytes, n)) {
            (run.0, run.1)
        } else {
            let mut old = [(Value::known(0, bytes), Condition::FALSE); LANES as usize];
            for lane in 0..n {
                if let Some(element) = offset_of(lane).and_then(|o| content.read(domain, o, bytes)) {
                    old[lane as usize] = (element.value, element.presence.defined);
                }
            }
            (Lanes::of(n, |l| old[l as usize].0), Lanes::of(n, |l| old[l as usize].1))
        };
        let defined = exec_mask.zip(&old_defined, |g, d| domain.or(g, d));
        let new = values.zip4(&old_values, exec_mask, &old_defined, |new, old, g, d| {
            // Where it has not been written before, there is nothing to keep.
            if d.is_false() || domain.implies(d, g) && !d.is_true() { new } else { domain.select(g, new, old) }
        });
        if new.at(0).bytes == bytes
            && let Some(start) = start
            && content.write_run(start, &new, &defined, exec_mask, writer)
        {
            return;
        }
        for lane in 0..n {
            if let Some(offset) = offset_of(lane).filter(|_| !exec_mask.at(lane).is_false()) {
                content.write(offset, new.at(lane), defined.at(lane), writer);
            }
        }
    }

    /// Writes bits of a predicate in the lanes of `exec_mask`.
    pub(in crate::interp::state) fn write_predicate(
        &mut self,
        variable: VariableId,
        first: u32,
        bits: &Lanes<Condition>,
        exec_mask: &Lanes<Condition>,
        writer: u32,
    ) {
        let n = exec_mask.len();
        let Some(held) = self.predicate_mut(variable) else { return };
        let (old, was_defined) = (held.bits.slice(first, n), held.defined.slice(first, n));
        let is_new = was_defined.all_false();
        let bits = if exec_mask.all_true() || is_new {
            bits.clone()
        } else {
            let domain = &mut self.reader.domain;
            bits.zip3(&old, exec_mask, |new, old, g| {
                if g.is_true() {
                    return new;
                }
                let taken = domain.and(g, new);
                let kept = domain.and(g.not(), old);
                domain.or(taken, kept)
            })
        };
        let defined = if exec_mask.all_true() {
            exec_mask.clone()
        } else {
            let domain = &mut self.reader.domain;
            was_defined.zip(exec_mask, |old, g| domain.or(old, g))
        };
        if let Some(held) = self.predicate_mut(variable) {
            held.bits.replace(first, &bits);
            held.defined.replace(first, &defined);
            held.writer = writer;
        }
    }
}

/// The first lane that reads something undefined.
pub(in crate::interp) fn first_undefined(
    n: u32,
    exec_mask: &Lanes<Condition>,
    at: impl Fn(u32) -> Presence,
) -> Option<Undefined> {
    (0..n).find(|l| at(*l).defined.is_false() && !exec_mask.at(*l).is_false()).map(|lane| {
        let Presence { partly, writer, .. } = at(lane);
        Undefined {
            lane,
            is_partial: !partly.is_false(),
            is_possible: false,
            left_by: (writer != NO_WRITER).then_some(InstructionIndex(writer)),
            pointed: None,
        }
    })
}
