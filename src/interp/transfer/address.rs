//! Address variables and what is accessed through them.

use crate::interp::domain::atom::{Atom, AtomKind, Origin};
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, Value, mask, sign_extended};
use crate::interp::state::content::{Element, NO_WRITER};
use crate::interp::state::{Location, Path, Reader, Undefined};
use crate::interp::transfer::effects::{Effects, IndirectFault, Observed};
use crate::program::{Operand, Region, RegionForm, VariableId, View};
use crate::spec::Type;

/// An indirect operand.
#[derive(Clone, Copy)]
pub(in crate::interp) struct IndirectAddress {
    /// Its place among the operands.
    pub place: usize,
    /// The address variable.
    pub variable: VariableId,
    /// The first element of it.
    pub element: i32,
    /// What is added to the address, in bytes.
    pub offset: i32,
    /// The elements of the lanes.
    pub region: Region,
    /// Their type.
    pub element_type: Type,
}

impl IndirectAddress {
    /// The operand with that number, if it is an indirect one.
    pub fn of(view: &View, place: usize) -> Option<Self> {
        match *view.operands.get(place)? {
            Operand::Indirect { address, element, offset, region, element_type, .. } => {
                Some(Self { place, variable: address, element, offset, region, element_type })
            }
            _ => None,
        }
    }

    /// How many of `n` lanes share an element of the address variable.
    pub fn row_lanes(&self, n: u32) -> u32 {
        match self.region.form {
            RegionForm::Rows => u32::from(self.region.width).max(1),
            _ => n.max(1),
        }
    }

    /// How far the element of a lane lies behind the address, in bytes.
    fn distance(&self, lane: u32, n: u32) -> i64 {
        let in_row = if self.region.form == RegionForm::Rows {
            i64::from(lane % self.row_lanes(n)) * i64::from(self.region.horizontal_stride)
        } else {
            i64::from(self.region.element(lane))
        };
        i64::from(self.offset) + in_row * i64::from(self.element_type.bytes())
    }
}

impl Reader<'_> {
    /// The variable and byte that an address points to.
    #[must_use]
    pub fn pointed_to(&self, address: Value) -> Option<(usize, i64)> {
        let atom = address.sum.as_single()?;
        match self.domain.kind(atom) {
            AtomKind::AddressOf(root) => Some((root as usize, i64::from(address.constant as u16 as i16))),
            _ => None,
        }
    }

    /// The variable that an address points into, of which not all need be known.
    #[must_use]
    pub fn addressed_root(&self, address: Value) -> Option<usize> {
        self.target_of(address).map(|(_, root)| root)
    }

    /// The variable whose address is a part of an address, with the unknown that stands for it.
    fn target_of(&self, address: Value) -> Option<(Atom, usize)> {
        self.domain.terms(address.sum).iter().find_map(|term| match self.domain.kind(term.atom) {
            AtomKind::AddressOf(root) if term.coefficient == 1 => Some((term.atom, root as usize)),
            _ => None,
        })
    }

    /// What is wrong with an access of so many bytes at an address of which not all is known, wherever it is.
    fn fault_wherever(&mut self, address: Value, offset: i64, bytes: i64, lane: u32) -> Option<Observed> {
        let (atom, root) = self.target_of(address)?;
        let begin = Domain::value_of(atom, address.bytes);
        let distance = self.domain.subtract(address, begin);
        let (low, high) = self.domain.signed_range(distance);
        let (low, high) = (low + offset, high + offset);
        let variable = self.cx().variable_of(root);
        let size = i64::from(self.cx().program.variable_bytes(variable, self.cx().grf_bytes));
        let fault = |byte, limit| IndirectFault { lane, variable, byte, limit, is_exact: false, path: None };
        let outside = |byte| Some(Observed::IndirectOutOfBounds(fault(byte, size)));
        if low + bytes > size {
            return outside(low);
        }
        if high < 0 {
            return outside(high);
        }
        // Behind the end, or so far behind it that it is before the begin.
        let (least, greatest) = self.domain.range(distance);
        let (least, greatest) = (least as i64 + offset, greatest as i64 + offset);
        if distance.bytes == 2 && least + bytes > size && greatest <= i64::from(u16::MAX) {
            return outside(least);
        }
        let step = 1_i64 << self.domain.sum_zeros(distance.sum).min(3);
        let byte = (sign_extended(distance.constant, distance.bytes) + offset).rem_euclid(step.min(bytes));
        (byte != 0).then(|| Observed::MisalignedIndirect(fault(byte, bytes)))
    }

    /// What is wrong with what lanes of a row access, from the same address on, of which not all is known: each of the
    /// addresses that it may be is wrong, or one of them that some path leads to.
    fn row_fault(
        &mut self,
        indirect: IndirectAddress,
        value: Value,
        row: std::ops::Range<u32>,
        exec_mask: &Lanes<Condition>,
    ) -> Option<Observed> {
        let n = exec_mask.len();
        let bytes = i64::from(indirect.element_type.bytes());
        let is_active = |lane: &u32| !exec_mask.at(*lane).is_false();
        let (least, last) = (row.clone().find(is_active)?, row.clone().rev().find(is_active)?);
        let user = exec_mask.at(least);
        let value = self.learned(value, user);
        let cases = self.domain.paths(value);
        let n_cases = cases.len();
        let mut faults = Vec::new();
        for (given, address) in cases {
            let is_exact = self.pointed_to(address).is_some();
            let fault =
                |reader: &mut Self, lane: u32| reader.fault_wherever(address, indirect.distance(lane, n), bytes, lane);
            // The ends of a row lie farthest out.
            if fault(self, last).is_some() || last != least && fault(self, least).is_some() {
                let first = row.clone().filter(is_active).find_map(|lane| fault(self, lane));
                faults.extend(first.map(|first| (given, is_exact, first)));
            }
        }
        let is_one_path = faults.len() < n_cases;
        if is_one_path && self.cx().launch.trusts_paths {
            return None;
        }
        if faults.is_empty() {
            return self.fault_at_second(value, (least, last), bytes, |lane| indirect.distance(lane, n), user);
        }
        let (_, exact, mut fault) =
            faults.into_iter().find(|(given, ..)| !is_one_path || self.may_lack(user, given.not()))?;
        if let Some(fault) = fault.as_indirect_mut() {
            fault.path = is_one_path.then_some(Path::One);
            fault.is_exact = is_one_path && exact;
        }
        Some(fault)
    }

    /// What is wrong with what the lanes at the ends of a row access in the second pass of a loop, if some path leads there.
    fn fault_at_second(
        &mut self,
        value: Value,
        (least, last): (u32, u32),
        bytes: i64,
        distance: impl Fn(u32) -> i64,
        user: Condition,
    ) -> Option<Observed> {
        let (second, back) = self.values_at_second(&[value], user)?;
        let address = *second.first()?;
        let mut fault =
            [least, last].into_iter().find_map(|lane| self.fault_wherever(address, distance(lane), bytes, lane))?;
        if let Some(fault) = fault.as_indirect_mut() {
            fault.path = Some(Path::SecondPass(back));
            fault.is_exact = self.pointed_to(address).is_some();
        }
        Some(fault)
    }

    /// An element of an address variable.
    pub fn address(
        &mut self,
        variable: VariableId,
        element: i64,
        active: Condition,
    ) -> Option<(Value, Condition, u32)> {
        let (index, _) = self.cx().root(variable)?;
        let offset = u32::try_from(element * 2).ok()?;
        let Element { value, presence } = self.element(index, offset, 2)?;
        Some((self.settled(value, presence.defined, active), presence.defined, presence.writer))
    }

    /// An element of an address variable that is read under `active` and set where `defined` holds, if it may be read where
    /// it is not set.
    fn unset_address(&mut self, element: i32, active: Condition, defined: Condition) -> Option<Observed> {
        if defined.is_true() || active.is_false() {
            return None;
        }
        let is_possible = !defined.is_false();
        if is_possible && (self.cx().launch.skips_paths || !self.may_lack(active, defined)) {
            return None;
        }
        Some(Observed::UndefinedAddress { element, is_possible })
    }

    /// The places that an indirect operand names, one for each lane; nothing where the address is not known.
    pub(in crate::interp) fn indirect_locations(
        &mut self,
        view: &View,
        address: IndirectAddress,
        exec_mask: &Lanes<Condition>,
        mut effects: Option<&mut Effects>,
    ) -> Vec<Option<(usize, i64)>> {
        let IndirectAddress { place, variable, element, element_type, .. } = address;
        let n = exec_mask.len();
        let bytes = i64::from(element_type.bytes());
        let row_lanes = address.row_lanes(n);
        let mut places = Vec::with_capacity(n as usize);
        let mut base = None;
        let mut reported = false;
        let mut is_unset = false;
        let mut doubtful = None;
        for lane in 0..n {
            if lane % row_lanes == 0 {
                let row = i64::from(lane / row_lanes);
                // Lanes of a row share an address, whichever of them are active.
                let first = exec_mask.at(lane);
                let is_shared = (lane..n.min(lane + row_lanes)).any(|l| exec_mask.at(l) != first);
                let user = if is_shared { self.state().reached } else { first };
                let read = self.address(variable, i64::from(element) + row, user);
                base = read.and_then(|(value, _, _)| self.pointed_to(value));
                if let Some((value, _, _)) = read.filter(|_| base.is_none() && doubtful.is_none() && effects.is_some())
                {
                    let row = lane..n.min(lane + row_lanes);
                    doubtful = self.row_fault(address, value, row, exec_mask);
                }
                if let (Some((_, defined, writer)), Some(effects)) = (read, &mut effects) {
                    if !reported
                        && let Some(unset) =
                            self.unset_address(element.saturating_add(row as i32), exec_mask.at(lane), defined)
                    {
                        effects.observe(place, unset);
                        reported = true;
                    }
                    if lane == 0 {
                        effects.note_writer(2, writer);
                    }
                    let is_off = !exec_mask.at(lane).is_true() && !view.instruction.no_mask;
                    // Whether the thread comes here is not the question.
                    let reached = self.state().reached;
                    let defined = self.domain.given(defined, reached);
                    is_unset |= row_lanes == 1 && is_off && !defined.is_true() && !defined.is_false();
                }
            }
            places.push(base.map(|(root, start)| (root, start + address.distance(lane, n))));
        }
        if let Some(effects) = effects {
            if let Some(since) = self.state().divided_at.filter(|_| is_unset) {
                effects.observe(place, Observed::UnsetInactiveAddress { since });
            }
            if let Some(fault) = self.indirect_fault(&places, bytes, exec_mask).or(doubtful) {
                effects.observe(place, fault);
            }
        }
        places
    }

    /// The first element that is outside of the variable, or not at a multiple of its size.
    fn indirect_fault(
        &self,
        places: &[Option<(usize, i64)>],
        bytes: i64,
        exec_mask: &Lanes<Condition>,
    ) -> Option<Observed> {
        (0..).zip(places).filter(|(lane, _)| !exec_mask.at(*lane).is_false()).find_map(|(lane, at)| {
            let (root, byte) = (*at)?;
            let variable = self.cx().variable_of(root);
            let size = i64::from(self.cx().program.variable_bytes(variable, self.cx().grf_bytes));
            let fault = |limit| IndirectFault { lane, variable, byte, limit, is_exact: true, path: None };
            if byte < 0 || byte + bytes > size {
                Some(Observed::IndirectOutOfBounds(fault(size)))
            } else {
                (byte % bytes != 0).then(|| Observed::MisalignedIndirect(fault(bytes)))
            }
        })
    }

    /// Reads the elements that an indirect source names, and says what is undefined of them.
    pub(in crate::interp) fn read_indirect(
        &mut self,
        view: &View,
        address: IndirectAddress,
        exec_mask: &Lanes<Condition>,
        effects: Option<&mut Effects>,
    ) -> (Lanes<Value>, Option<Undefined>) {
        let places = self.indirect_locations(view, address, exec_mask, effects);
        let bytes = address.element_type.bytes() as u8;
        let n = exec_mask.len();
        let mut values = Vec::with_capacity(n as usize);
        let mut first: Option<Undefined> = None;
        let mut has_looked = false;
        for (lane, at) in (0..n).zip(&places) {
            let active = exec_mask.at(lane);
            let (value, undefined) = if let Some((root, start)) = at {
                let one = Location { root: *root, start: *start, bytes, region: Region::SCALAR };
                let (values, _, undefined) = self.read_at(one, &Lanes::run(active, 1));
                let pointed = Some(self.cx().variable_of(*root));
                (values.at(0), undefined.map(|u| Undefined { lane, pointed, ..u }))
            } else {
                // Lanes that go somewhere go to the same variable: one is looked at.
                let is_looked_at = !active.is_false() && !std::mem::replace(&mut has_looked, true);
                let undefined = is_looked_at.then(|| self.unwritten_target(address, lane, n, active)).flatten();
                (self.domain.unknown_one(bytes, Origin::Indirect), undefined)
            };
            // What is undefined on every path goes first.
            if undefined.is_some_and(|new| first.is_none_or(|old| old.is_possible && !new.is_possible)) {
                first = undefined;
            }
            values.push(value);
        }
        (Lanes::of(n, |l| values[l as usize]), first)
    }

    /// What a lane reads somewhere in a variable of which nothing at all has been written.
    fn unwritten_target(
        &mut self,
        address: IndirectAddress,
        lane: u32,
        n: u32,
        active: Condition,
    ) -> Option<Undefined> {
        let row = i64::from(lane / address.row_lanes(n));
        let (value, ..) = self.address(address.variable, i64::from(address.element) + row, active)?;
        let (_, root) = self.target_of(value)?;
        if self.existing(root).is_none() {
            let row = &self.cx().program.variables[self.cx().variable_of(root)];
            let bytes = row.element_bytes().clamp(1, 8) as u8;
            self.content(root, 0, bytes);
        }
        let (held, domain) = self.existing_with_values(root)?;
        let unit = held.unit();
        let is_unwritten = (0..held.n_bytes()).step_by(usize::from(unit)).all(|start| {
            let presence = held.presence(domain, start, unit);
            presence.is_some_and(|p| p.defined.is_false() && p.writer == NO_WRITER)
        });
        let pointed = Some(self.cx().variable_of(root));
        is_unwritten.then_some(Undefined { lane, is_partial: false, is_possible: false, left_by: None, pointed })
    }

    /// Where a variable lies, as an address.
    pub(in crate::interp) fn address_of(&mut self, variable: VariableId, offset: i32) -> Value {
        match self.cx().root(variable) {
            Some((root, root_offset)) => {
                let start = self.domain.atom(AtomKind::AddressOf(root as u32), 2, 0, 0, mask(2));
                start.plus((root_offset + i64::from(offset)) as u64)
            }
            None => self.domain.unknown_one(2, Origin::Result),
        }
    }
}

impl Reader<'_> {
    /// Notes an indirect destination that changes what the instruction reads in another lane.
    pub(super) fn check_overwritten(
        &self,
        view: &View,
        places: &[Option<(usize, i64)>],
        bytes: i64,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) {
        for (place, operand) in view.operands.iter().enumerate().skip(1) {
            let Some((at, _)) = self.direct_location(operand) else { continue };
            let read = |lane: u32| at.start_of(lane);
            let n = exec_mask.len();
            let meets = |written: u32| {
                let Some((root, start)) = places[written as usize] else { return false };
                !exec_mask.at(written).is_false()
                    && root == at.root
                    && (0..n).any(|l| l != written && read(l) < start + bytes && start < read(l) + i64::from(at.bytes))
            };
            if (0..n).any(meets) {
                let variable = self.cx().variable_of(at.root);
                effects.observe(0, Observed::OverwritesSource { source: place as u8, variable });
            }
        }
    }

    /// The elements of an address operand, or of a general one that is used as an address.
    pub(super) fn address_source(
        &mut self,
        view: &View,
        place: usize,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) -> Lanes<Value> {
        let n = exec_mask.len();
        match view.operands[place] {
            Operand::AddressOf { variable, offset } => Lanes::run(self.address_of(variable, offset), n),
            Operand::Address { variable, element, width } => {
                let mut values = Vec::with_capacity(n as usize);
                let mut reported = false;
                for lane in 0..n {
                    let step = if width <= 1 { 0 } else { lane };
                    let read = self.address(variable, i64::from(element) + i64::from(step), exec_mask.at(lane));
                    let (value, defined, writer) = read
                        .unwrap_or_else(|| (self.domain.unknown_one(2, Origin::Result), Condition::TRUE, NO_WRITER));
                    if !reported
                        && let Some(unset) =
                            self.unset_address(element.saturating_add(step as i32), exec_mask.at(lane), defined)
                    {
                        effects.observe(place, unset);
                        reported = true;
                    }
                    if lane == 0 {
                        effects.note_writer(place - 1, writer);
                    }
                    values.push(value);
                }
                Lanes::of(n, |l| values[l as usize])
            }
            _ => {
                let source = self.observed_source(view, place, exec_mask, effects);
                effects.note_writer(place - 1, source.writer);
                let signed = source.kind.is_signed();
                source.lanes.map(|v| self.domain.resize_as(v, 2, signed))
            }
        }
    }

    pub(super) fn write_addresses(
        &self,
        variable: VariableId,
        element: i32,
        lanes: Lanes<Value>,
        exec_mask: Lanes<Condition>,
        effects: &mut Effects,
    ) {
        let Some((root, _)) = self.cx().root(variable) else { return };
        let region = Region { vertical_stride: 0, width: 1, horizontal_stride: 1, form: RegionForm::Stride };
        let at = Location { root, start: 2 * i64::from(element), bytes: 2, region };
        effects.write(at, lanes, exec_mask);
    }

    pub(super) fn add_address(&mut self, view: &View, effects: &mut Effects) {
        let Some(Operand::Address { variable, element, .. }) = view.operands.first() else { return };
        if view.operands.len() < 3 {
            return;
        }
        let exec_mask = self.mask(view);
        let base = self.address_source(view, 1, &exec_mask, effects);
        let offset = self.observed_source(view, 2, &exec_mask, effects);
        effects.note_writer(1, offset.writer);
        self.note_undefined(view, 2, offset.undefined, effects);
        let signed = offset.kind.is_signed();
        let sum = base.zip(&offset.lanes, |a, b| {
            let b = self.domain.resize_as(b, 2, signed);
            self.domain.add(a, b)
        });
        self.write_addresses(*variable, *element, sum, exec_mask, effects);
    }
}
