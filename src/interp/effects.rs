//! Instructions without an operation: messages, functions of one element, and what is not understood.

use super::domain::Value;
use super::domain::atom::{Function, Origin};
use super::domain::condition::Condition;
use super::facts::{ChannelMaskFault, Doubt, Exemption, FactKind, Verdict};
use super::lanes::Lanes;
use super::machine::{Machine, Place, Undefined};
use super::message::{Data, Message, Space};
use crate::program::View;
use crate::program::{Operand, VariableId};
use crate::spec::OperandName;
use crate::spec::expression::Expression;
use crate::spec::family::Check;
use crate::spec::instruction::{AccessKind, Memory};
use crate::spec::predefined::VariableKind;

/// Shared local memory that a group can have at most on any device.
const MAX_SLM_BYTES: u64 = 128 * 1024;
/// Compilers set this bit in pointers into shared local memory, so that none of them is null.
const SLM_TAG: u64 = 1 << 28;

impl<'p> Machine<'p> {
    /// Executes an instruction that has no operation.
    pub fn act(&mut self, view: &View<'p>) {
        if super::slice::is_elementwise(view) {
            return self.apply_elementwise(view);
        }
        let given = self.mask(view);
        if given.all_false() {
            return;
        }
        if view.row.touches_memory() {
            let messages = self.messages(view, &given);
            if messages.is_empty() {
                self.note_opaque(view);
            }
            for message in &messages {
                self.check_message(view, message);
                self.check_overlap(view, message);
                self.note_accesses(view, message);
            }
            self.check_payloads(view, &given);
            self.write_results(view, &messages, &given);
        } else {
            self.write_results(view, &[], &given);
        }
        if view.row.has(Check::EvenElements) {
            self.undefine_odd_elements(view, &given);
        }
    }

    /// Notes what is known of the lanes of a message whose addresses or shape are not understood.
    fn note_opaque(&mut self, view: &View<'p>) {
        let is_one = self.lsc_shape(view).is_some_and(|(_, shape)| super::lsc::is_block(&shape));
        for access in view.row.accesses.iter().filter(|a| !self.is_left_out_of(view, a)).collect::<Vec<_>>() {
            let verdict = match access.kind {
                AccessKind::Read => Verdict::Exempt(Exemption::Reads),
                AccessKind::Atomic => Verdict::Exempt(Exemption::Atomic),
                AccessKind::Write if is_one => Verdict::Exempt(Exemption::OneAccess),
                AccessKind::Write => Verdict::Unknown(Doubt::Message),
            };
            self.facts.note_verdict(view.index, verdict);
        }
    }

    /// `sad2` gives its results in even elements and leaves the odd ones undefined.
    fn undefine_odd_elements(&mut self, view: &View<'p>, given: &Lanes<Condition>) {
        let Some((at, _)) = view.operands.first().and_then(|o| self.direct_place(o)) else { return };
        for lane in (1..given.len()).step_by(2) {
            let start = at.start + i64::from(at.region.element(lane)) * i64::from(at.bytes);
            let Ok(start) = u32::try_from(start) else { return };
            if let Some((register, _)) = self.existing_mut(at.register) {
                register.undefine(start, u32::from(at.bytes), view.index.0);
            }
        }
    }

    /// Reports operations that need denormal numbers where these are known to be off.
    fn check_denormals(&mut self, view: &View<'p>, kind: crate::spec::Type) {
        use crate::spec::Type;
        let bit = match kind {
            Type::DF => 0x40,
            Type::HF => 0x400,
            _ => 0x80,
        };
        let Some((register, _)) = VariableId::of_predefined("%cr0").and_then(|v| self.root(v)) else { return };
        let Some(element) = self.existing_mut(register).and_then(|(r, domain)| r.read(domain, 0, 4)) else { return };
        let state = self.domain.bit_and(element.value, Value::known(bit, 4));
        let writer = element.presence.writer;
        if state.as_known() == Some(0) && writer != super::state::NOBODY {
            let since = crate::program::InstructionIndex(writer);
            let kind = FactKind::DenormalsOff { since };
            self.facts.add(super::facts::Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
    }

    /// A function of one element of each source.
    fn apply_elementwise(&mut self, view: &View<'p>) {
        let Some(to) = self.destination_type(&view.operands[0]) else { return self.forget_results(view) };
        if view.row.has(Check::Denormals) {
            self.check_denormals(view, to);
        }
        if self.is_left_out(view) {
            return self.write_without_value(view);
        }
        let given = self.mask(view);
        let sources = self.read_sources(view, 1, &given);
        let bytes = to.bytes() as u8;
        let from = sources.first().map_or(to, |s| s.kind);
        let is_plain = view.modifiers.is_empty() && sources.len() <= 3;
        let result = match view.instruction.spec {
            Some(id) if is_plain => {
                let function = Function::Instruction(id, to, from, view.instruction.saturate);
                let none = Lanes::run(Value::known(0, bytes), given.len());
                let at = |i: usize| sources.get(i).map_or(&none, |s| &s.lanes);
                let domain = &mut self.domain;
                at(0).zip3(at(1), at(2), |x, y, z| domain.applied(function, [x, y, z], bytes))
            }
            _ => Lanes::run(self.domain.unknown(bytes, Origin::Result), given.len()),
        };
        self.write(view, 0, &result, &given);
    }

    /// Everything that an instruction writes is unknown from now on.
    pub fn forget_results(&mut self, view: &View<'p>) {
        let given = Lanes::run(self.reached, view.n_lanes());
        self.write_results(view, &[], &given);
    }

    /// Writes what messages bring, and forgets other destinations.
    fn write_results(&mut self, view: &View<'p>, messages: &[Message], given: &Lanes<Condition>) {
        for place in 0..view.operands.len() {
            let slot = &view.row.operands[usize::from(view.slots[place])];
            if !slot.role.writes() || view.operands[place].is_null() {
                continue;
            }
            let is_loaded = messages.iter().any(|m| self.write_loaded(view, place, m));
            if !is_loaded {
                self.forget_result(view, place, given);
            }
        }
    }

    /// The elements that lanes load into a destination; false if they are not known one by one.
    fn write_loaded(&mut self, view: &View<'p>, place: usize, message: &Message) -> bool {
        let Some(start) = self.raw_place(&view.operands[place]) else { return false };
        if !message.is_per_lane {
            return false;
        }
        let n = message.given.len();
        let slot = &view.row.operands[usize::from(view.slots[place])];
        // Where each piece of each lane lands, and how much of it is defined.
        let (extent, element_bytes, skipped) = match message.data {
            Data::Table(access) => {
                let type_bytes =
                    view.operands[place].variable().map_or(4, |v| self.program.variables[v].element_bytes());
                let extent = slot.bytes.and_then(|f| view.evaluate(f, self.grf_bytes, type_bytes));
                (
                    extent,
                    if message.kind == AccessKind::Atomic { access.value_bytes.max(4) } else { access.value_bytes },
                    0,
                )
            }
            Data::Grouped { stride, skipped, .. } => {
                let extent = self.lsc_shape(view).and_then(|(_, s)| self.lsc_data_bytes(&s, n));
                (extent.map(i64::from), stride, skipped)
            }
            Data::None => return false,
        };
        let Some(extent) = extent.and_then(|e| u32::try_from(e).ok()) else { return false };
        let Ok(first) = u32::try_from(start.start) else { return false };
        // The rest of the last register is written, too, with nothing.
        let end = first.saturating_add(extent.next_multiple_of(self.grf_bytes));
        let n_bytes = self.program.variable_bytes(self.variable_of(start.register), self.grf_bytes);
        let writer = view.index.0;
        // What an extended element has beyond the bytes of memory: zeros for LSC, nothing for the others.
        let is_extended = matches!(message.data, Data::Grouped { .. });
        let mut targets = Vec::with_capacity(message.pieces.len());
        for (i, piece) in message.pieces.iter().enumerate() {
            let bytes = if is_extended { element_bytes } else { piece.bytes.min(element_bytes) };
            if !matches!(bytes, 1 | 2 | 4 | 8) || skipped > 0 {
                return false;
            }
            let stride = match message.data {
                Data::Grouped { group, stride, .. } => (i as u32 * group, stride),
                Data::Table(access) => {
                    let Some((offset, stride)) = self.table_target(view, access, message, i) else { return false };
                    (offset, stride)
                }
                Data::None => return false,
            };
            targets.push((stride, bytes as u8));
        }
        let is_covered = message.given.all_true() && !message.kind.eq(&AccessKind::Write);
        if is_covered {
            self.undefine(start.register, first, end.min(n_bytes), writer);
        }
        for (piece, ((offset, stride), bytes)) in targets.into_iter().enumerate() {
            let unknown = self.domain.unknown(bytes, Origin::Result);
            self.note_load(view, message, piece, unknown);
            let values = Lanes::run(unknown, n);
            let base = start.start + i64::from(offset);
            for lane in 0..n {
                let at = Place { start: base + i64::from(lane * stride), bytes, ..start };
                let given = Lanes::run(message.given.at(lane), 1);
                if lane == 0 && stride == u32::from(bytes) {
                    // Lane after lane: all at once.
                    let all = Place { region: super::message::lane_after_lane(), ..at };
                    self.write_place(all, &values, &message.given, writer);
                    break;
                }
                self.write_place(at, &Lanes::run(values.at(lane), 1), &given, writer);
            }
        }
        true
    }

    /// Where a piece of an access lands in the destination: the byte of lane 0, and bytes from lane to lane.
    fn table_target(
        &mut self,
        view: &View<'p>,
        access: &'static crate::spec::instruction::Access,
        message: &Message,
        piece: usize,
    ) -> Option<(u32, u32)> {
        let Expression::Element(_, index) = access.value? else { return None };
        let bytes = access.value_bytes;
        // Atomic operations give the old value where their source stands in the formula.
        let at = |machine: &mut Self, lane: u32| machine.value_index(view, access, index, message, lane, piece);
        let first = at(self, 0)?;
        let second = if message.given.len() > 1 { at(self, 1)? } else { first + 1 };
        Some((u32::try_from(first).ok()? * bytes, u32::try_from(second - first).ok()? * bytes))
    }

    fn undefine(&mut self, register: usize, first: u32, end: u32, writer: u32) {
        self.register(register, first, 1.max(if first.is_multiple_of(4) && end.is_multiple_of(4) { 4 } else { 1 }));
        if let Some((register, _)) = self.existing_mut(register) {
            register.undefine(first, end.saturating_sub(first), writer);
        }
    }

    /// A destination holds something unknown from now on.
    fn forget_result(&mut self, view: &View<'p>, place: usize, given: &Lanes<Condition>) {
        let writer = view.index.0;
        match view.operands[place] {
            Operand::Predicate { variable } => {
                let bits = Lanes::run(self.domain.unknown_condition(), given.len());
                self.write_predicate(view, variable, view.first_lane(), &bits, given);
            }
            Operand::Indirect { element_type, .. } => {
                let unknown = self.domain.unknown(element_type.bytes() as u8, Origin::Result);
                self.write(view, place, &Lanes::run(unknown, given.len()), given);
            }
            Operand::General { .. } => {
                if let Some((at, _)) = self.direct_place(&view.operands[place]) {
                    let unknown = self.domain.unknown(at.bytes, Origin::Result);
                    self.write_place(at, &Lanes::run(unknown, given.len()), given, writer);
                }
            }
            Operand::State { variable, .. } | Operand::Address { variable, .. } | Operand::Handle { variable, .. } => {
                self.forget_variable(variable, writer);
            }
            ref operand => {
                let Some(start) = self.raw_place(operand) else {
                    if let Some(variable) = operand.variable() {
                        self.forget_variable(variable, writer);
                    }
                    return;
                };
                let variable = operand.variable().unwrap_or(VariableId::NULL);
                let n_bytes = self.program.variable_bytes(self.variable_of(start.register), self.grf_bytes);
                let slot = &view.row.operands[usize::from(view.slots[place])];
                let type_bytes = self.program.variables[variable].element_bytes();
                let extent = match operand {
                    Operand::LscData { shape, .. } => self
                        .program
                        .lsc_shapes
                        .get(*shape as usize)
                        .and_then(|s| self.lsc_data_bytes(s, given.len()))
                        .map(i64::from),
                    _ => slot.bytes.and_then(|f| view.evaluate(f, self.grf_bytes, type_bytes)),
                };
                let first = u32::try_from(start.start).unwrap_or(0);
                // Where the extent is not known, everything to the end of the variable.
                let end = match extent.and_then(|e| u32::try_from(e).ok()) {
                    Some(extent) => first.saturating_add(extent.next_multiple_of(self.grf_bytes)).min(n_bytes),
                    None => n_bytes,
                };
                let given = given.as_same().unwrap_or(self.reached);
                self.forget(start.register, first, end, given, writer, Origin::Result);
            }
        }
    }

    /// A variable holds something unknown from now on.
    pub fn forget_variable(&mut self, variable: VariableId, writer: u32) {
        let Some((register, _)) = self.root(variable) else { return };
        let root = self.variable_of(register);
        match self.program.variables[root].kind {
            VariableKind::Predicate => {
                let unknown = self.domain.unknown_condition();
                if let Some(predicate) = self.predicate(root) {
                    predicate.bits = Lanes::run(unknown, super::domain::LANES);
                    predicate.may_be_written = u32::MAX;
                    predicate.writer = writer;
                }
            }
            kind => {
                let element =
                    if kind == VariableKind::Address { 2 } else { self.program.variables[root].element_bytes() };
                let end = self.program.n_elements(root, self.grf_bytes).saturating_mul(element);
                let given = self.reached;
                self.forget(register, 0, end, given, writer, Origin::Result);
            }
        }
    }

    /// Reports an element of a payload that nothing has written.
    pub fn note_undefined_payload(&mut self, view: &View, place: usize, undefined: Option<Undefined>, lane: u32) {
        if let Some(undefined) = undefined {
            let trail = undefined.left_by.into_iter().collect();
            self.report_with(view, place, FactKind::UndefinedRegister(Undefined { lane, ..undefined }), trail);
        }
    }

    /// Reports payloads of which nothing at all has been written.
    fn check_payloads(&mut self, view: &View<'p>, given: &Lanes<Condition>) {
        for (place, operand, slot) in view.numbered_operands() {
            if !slot.role.reads() || operand.is_null() {
                continue;
            }
            let Operand::Raw { variable, .. } = *operand else { continue };
            let (Some(at), Some(formula)) = (self.raw_place(operand), slot.bytes) else { continue };
            let type_bytes = self.program.variables[variable].element_bytes();
            let Some(extent) = view.evaluate(formula, self.grf_bytes, type_bytes).and_then(|e| u32::try_from(e).ok())
            else {
                continue;
            };
            let Ok(first) = u32::try_from(at.start) else { continue };
            if extent == 0 || given.all_false() {
                continue;
            }
            self.register(at.register, first, at.bytes);
            let Some(register) = self.existing(at.register) else { continue };
            if register.is_unwritten(first, first + extent) {
                self.report(
                    view,
                    place,
                    FactKind::UndefinedRegister(Undefined { lane: 0, is_partial: false, left_by: None }),
                );
            }
        }
    }

    /// Checks the addresses of a message: alignment, bounds of shared local memory, offsets that wrap around.
    fn check_message(&mut self, view: &View<'p>, message: &Message) {
        if message.space == Space::Urb {
            self.check_urb(view, message);
            return;
        }
        if message.space == Space::Typed {
            return;
        }
        let Some(addresses) = message.coordinates.first() else { return };
        let lanes = if addresses.as_same().is_some() { 1 } else { message.given.len() };
        for lane in 0..lanes {
            let given = message.given.at(lane);
            if given.is_false() {
                continue;
            }
            let address = addresses.at(lane);
            self.check_alignment(view, message, lane, address);
            if message.space == Space::Slm {
                self.check_slm(view, message, lane, address);
            }
        }
        self.check_wrapping(view, message);
    }

    fn check_alignment(&mut self, view: &View<'p>, message: &Message, lane: u32, address: Value) {
        let Some(alignment) = message.alignment.filter(|a| a.bytes > 1) else { return };
        let known_bits = self.domain.sum_zeros(address.sum).min(63);
        let modulus = u64::from(alignment.bytes).min(1 << known_bits);
        let remainder = address.constant % modulus;
        if remainder != 0 {
            let kind = FactKind::MisalignedAddress {
                lane: message.is_per_lane.then(|| lane + view.first_lane()),
                address: self.in_words(address),
                alignment: alignment.bytes,
                remainder: remainder as u32,
                is_tolerated: remainder.is_multiple_of(u64::from(alignment.tolerated.max(1))),
            };
            let trail = self.address_trail(view, message);
            self.report_with(view, message.address_place, kind, trail);
        }
    }

    fn check_slm(&mut self, view: &View<'p>, message: &Message, lane: u32, address: Value) {
        let (size, is_declared) = match self.launch.slm_bytes {
            Some(size) => (size, true),
            None => (MAX_SLM_BYTES, false),
        };
        let (low, high) = self.domain.range(address);
        // Without the bit, the least address that has it is zero.
        let low = if low < SLM_TAG && high >= SLM_TAG { 0 } else { low & !SLM_TAG };
        let end = message.span();
        if low.saturating_add(end) > size {
            let beyond = message.pieces.iter().map(|p| p.offset).find(|o| low + o >= size).unwrap_or(0);
            let kind = FactKind::SlmOutOfBounds {
                lane: message.is_per_lane.then(|| lane + view.first_lane()),
                byte: low + beyond,
                size,
                is_declared,
            };
            let trail = self.address_trail(view, message);
            self.report_with(view, message.address_place, kind, trail);
        }
    }

    /// `offset + element_offset` beyond 32 bits.
    fn check_wrapping(&mut self, view: &View<'p>, message: &Message) {
        let names = [OperandName::OFFSET, OperandName::GLOBAL_OFFSET];
        let is_surface = view.row.accesses.first().is_some_and(|a| a.memory == Memory::Surface);
        if !is_surface {
            return;
        }
        for global in names {
            let (Some((_, global_operand)), Some((place, _))) =
                (view.numbered_operand(global), view.numbered_operand(OperandName::ELEMENT_OFFSET))
            else {
                continue;
            };
            let Operand::Immediate { bits, .. } = *global_operand else { continue };
            let global_offset = bits & 0xffff_ffff;
            let Some(addresses) = message.coordinates.first() else { return };
            // Small negative offsets are a way of writing.
            for lane in 0..message.given.len() {
                if message.given.at(lane).is_false() {
                    continue;
                }
                let offset = self.domain.add(addresses.at(lane), Value::known(global_offset.wrapping_neg(), 4));
                let (low, _) = self.domain.range(offset);
                if offset.is_known() && low + global_offset > 0xffff_ffff {
                    let kind = FactKind::WrappingOffset {
                        lane: lane + view.first_lane(),
                        global: global_offset,
                        element: low,
                    };
                    return self.report(view, place, kind);
                }
            }
        }
    }

    /// Offsets and channel masks of URB writes.
    fn check_urb(&mut self, view: &View<'p>, message: &Message) {
        let number = |name| match view.numbered_operand(name) {
            Some((_, Operand::Number { value })) => Some(*value),
            _ => None,
        };
        let (Some(n_outputs), Some(global)) = (number(OperandName::NUM_OUT), number(OperandName::GLOBAL_OFFSET)) else {
            return;
        };
        if let Some((place, operand)) =
            view.numbered_operand(OperandName::PER_SLOT_OFFSET).filter(|(_, o)| !o.is_null())
        {
            let lanes = self.payload_lanes(operand, &message.given);
            if let Some(lanes) = lanes {
                for lane in 0..message.given.len() {
                    let (low, _) = self.domain.range(lanes.at(lane));
                    if message.given.at(lane).is_false() {
                        continue;
                    }
                    if low > 2047 {
                        self.report(view, place, FactKind::OutOfRange { value: low, maximum: 2047 });
                        break;
                    }
                    if low + global.max(0) as u64 > 2047 {
                        let kind = FactKind::WrappingOffset {
                            lane: lane + view.first_lane(),
                            global: global as u64,
                            element: low,
                        };
                        self.report(view, place, kind);
                        break;
                    }
                }
                let is_so = lanes.iter().all(|v| v.as_known() == Some(0));
                self.report_if_always(view, place, FactKind::AllZero, is_so);
            }
        }
        if let Some((place, operand)) = view.numbered_operand(OperandName::CHANNEL_MASK).filter(|(_, o)| !o.is_null()) {
            let Some(lanes) = self.payload_lanes(operand, &message.given) else { return };
            let outputs = (1_u64 << n_outputs.clamp(0, 8)) - 1;
            let is_so = lanes.iter().all(|v| v.as_known() == Some(outputs));
            self.report_if_always(view, place, FactKind::AllOn, is_so);
            let fault_of = |mask: u64| {
                if mask & !0xff != 0 {
                    Some(ChannelMaskFault::BeyondByte)
                } else if mask & outputs == 0 {
                    Some(ChannelMaskFault::Zero)
                } else if mask & !outputs != 0 {
                    Some(ChannelMaskFault::BeyondOutputs(n_outputs as u32))
                } else {
                    None
                }
            };
            for lane in 0..message.given.len() {
                let Some(mask) = lanes.at(lane).as_known().filter(|_| !message.given.at(lane).is_false()) else {
                    continue;
                };
                if let Some(fault) = fault_of(mask) {
                    return self.report(
                        view,
                        place,
                        FactKind::ChannelMask { lane: lane + view.first_lane(), mask, fault },
                    );
                }
            }
        }
    }

    /// The dwords of a raw operand, one for each lane.
    fn payload_lanes(&mut self, operand: &Operand, given: &Lanes<Condition>) -> Option<Lanes<Value>> {
        let at = self.raw_place(operand)?;
        let place = Place { bytes: 4, region: super::message::lane_after_lane(), ..at };
        Some(self.read_place(place, given).0)
    }

    /// A value in words: names of variables, numbers.
    pub fn in_words(&self, value: Value) -> String {
        let program = self.program;
        let grf = self.grf_bytes.max(1);
        let mut name = |variable: u32, element: u32, bytes: u8| {
            let id = VariableId(variable);
            let text = program.variable_name(id);
            let n_elements = program.n_elements(id, grf);
            let own = program.variables[id].element_bytes().max(1);
            let byte = element * u32::from(bytes);
            if n_elements <= 1 { text.to_owned() } else { format!("{text}({},{})", byte / grf, byte % grf / own) }
        };
        self.domain.describe(value, &mut name)
    }
}
