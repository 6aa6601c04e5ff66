//! The variables that a state holds: made when they are accessed first, saved, forgotten.

use crate::interp::domain::atom::{AtomKind, Origin};
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, LANES, Value, mask};
use crate::interp::launch::{Base, InputByte};
use crate::interp::state::content::{Content, Element, NO_WRITER, PredicateContent};
use crate::interp::state::memory::{THREAD_NUMBERS, pointer};
use crate::interp::state::{Machine, Reader};
use crate::program::variable::FLAG_INPUT_ATTRIBUTE;
use crate::program::{ObjectKind, VariableId};
use crate::spec::Type;
use crate::spec::layout::{GROUP_ID_BYTES, THREAD_NUMBER_BYTE};
use crate::spec::predefined;
use crate::spec::predefined::VariableKind;

/// No program has a variable of more bytes.
const MAX_REGISTER_BYTES: u32 = 1 << 16;

impl Reader<'_> {
    /// Makes the content of an input, so that what it holds at the start is known.
    pub fn make_input(&mut self, root: usize) {
        let variable = self.cx.variable_of(root);
        let row = &self.cx.program.variables[variable];
        if row.kind == VariableKind::General
            && self.state.contents[root].is_none()
            && self.state.may_be_assigned[root].is_false()
            && self.is_input(variable)
        {
            let bytes = row.element_bytes().clamp(1, 8) as u8;
            self.content(root, 0, bytes);
        }
    }

    /// Bytes of a variable.
    #[must_use]
    pub fn content_bytes(&self, index: usize) -> u32 {
        let variable = self.cx.variable_of(index);
        let row = &self.cx.program.variables[variable];
        let n_elements = self.cx.program.n_elements(variable, self.cx.grf_bytes);
        let element_bytes = match row.kind {
            VariableKind::Address => 2,
            VariableKind::Surface | VariableKind::Sampler => 4,
            VariableKind::General | VariableKind::Predicate => row.element_bytes(),
        };
        // A size that no program can have is not worth its memory.
        n_elements.saturating_mul(element_bytes).min(MAX_REGISTER_BYTES)
    }

    /// The content of a variable, made on its first access in elements of `unit` bytes.
    pub fn content(&mut self, index: usize, offset: u32, bytes: u8) -> &Content {
        self.content_mut(index, offset, bytes)
    }

    pub(in crate::interp::state) fn content_mut(&mut self, index: usize, offset: u32, bytes: u8) -> &mut Content {
        if self.state.contents[index].is_none() {
            let variable = self.cx.variable_of(index);
            let n_bytes = self.content_bytes(index);
            let unit = Content::unit_at(offset, bytes);
            let is_assigned = (self.state.n_forgotten > 0) || !self.state.may_be_assigned[index].is_false();
            let defined = self.first_defined(index, variable);
            let is_followed = self.cx.is_followed(index);
            // What is here now may not be what was here at the start.
            let origin = if self.state.n_forgotten > 0 { Origin::Result } else { Origin::Loop };
            let origin = (is_assigned && !is_read_only(variable)).then_some(origin);
            let mut content = Content::new(&mut self.domain, variable.0, n_bytes, unit, defined, is_followed, origin);
            if origin.is_none() {
                self.divide(variable, &mut content);
            }
            if is_followed
                && !is_assigned
                && let Some(thread) = self.cx.thread
            {
                let launch = self.cx.launch;
                let chosen = launch.offsets.iter().chain(&launch.arguments).filter(|_| self.cx.knows_group);
                for known in thread.ids.iter().chain(&launch.sizes).chain(chosen).filter(|g| g.variable == variable) {
                    let base = match known.base {
                        Some(Base { dimension, zeros, high }) => {
                            self.domain.atom(AtomKind::LocalId(dimension), known.bytes, zeros, 0, u64::from(high))
                        }
                        None => Value::known(0, known.bytes),
                    };
                    content.refine(known.offset, known.bytes);
                    content.write(known.offset, base.plus(known.number), Condition::TRUE, NO_WRITER);
                }
            }
            self.state.contents[index] = Some(content);
            self.state.touched.push(index);
        }
        let content = self.state.contents[index].as_mut().unwrap_or_else(|| unreachable!("it was just made"));
        content.refine(offset, bytes);
        content
    }

    /// Where a variable that is accessed for the first time has been written.
    fn first_defined(&self, index: usize, variable: VariableId) -> Condition {
        if (self.state.n_forgotten > 0) || self.is_input(variable) {
            Condition::TRUE
        } else {
            self.state.may_be_assigned[index]
        }
    }

    /// Whether a variable is an input that all threads of a group have in common, where threads are compared.
    #[must_use]
    pub fn is_shared_input(&self, variable: VariableId) -> bool {
        let range = &self.cx.object.inputs;
        let inputs = &self.cx.program.inputs[range.start as usize..range.end as usize];
        let is_shared = |from: i64| inputs.iter().any(|i| i.variable == variable && i.offset >= from);
        self.cx.shared_from.is_some_and(is_shared)
    }

    /// What a variable holds that is not the same in all threads of a group.
    pub(in crate::interp) fn divide(&mut self, variable: VariableId, content: &mut Content) {
        if self.cx.shared_from.is_none() || self.cx.program.variables[variable].kind != VariableKind::General {
            return;
        }
        let is_shared = if let Some(predefined) = variable.predefined() {
            predefined.name.starts_with("%group_id")
        } else {
            self.is_shared_input(variable)
        };
        if is_shared {
            if self.cx.knows_group {
                self.choose(variable, content);
            }
            return;
        }
        content.forget(&mut self.domain, Condition::TRUE, Origin::Result);
        if self.cx.knows_group && variable.predefined().is_some_and(|p| THREAD_NUMBERS.contains(&p.name)) {
            content.refine(0, 4);
            let number = numbered(self.cx.thread_number);
            content.write(0, Value::known(u64::from(number), 4), Condition::TRUE, NO_WRITER);
        }
        if Some(variable) == VariableId::of_predefined("%r0") {
            if let Some(number) = self.cx.number_in_group {
                content.refine(THREAD_NUMBER_BYTE, 1);
                content.write(THREAD_NUMBER_BYTE, Value::known(u64::from(number), 1), Condition::TRUE, NO_WRITER);
            }
            let initial = self.domain.atom(AtomKind::Initial(variable.0, 0), 4, 0, 0, mask(4));
            for (element, number) in GROUP_IDS.into_iter().zip(self.cx.group_ids) {
                content.refine(4 * element, 4);
                let id = if self.cx.knows_group { Value::known(u64::from(number), 4) } else { initial.at(element) };
                content.write(4 * element, id, Condition::TRUE, NO_WRITER);
            }
        }
    }

    /// What all threads of a known group have in common and is taken to be a known number: the group ids, and pointers,
    /// which are taken to lie far from each other.
    fn choose(&mut self, variable: VariableId, content: &mut Content) {
        if let Some(predefined) = variable.predefined() {
            let dimension = GROUP_ID_NAMES.iter().position(|n| *n == predefined.name);
            let number = dimension.map_or(0, |d| self.cx.group_ids[d]);
            content.refine(0, 4);
            content.write(0, Value::known(u64::from(number), 4), Condition::TRUE, NO_WRITER);
        } else if self.cx.program.variables[variable].element_type == Type::UQ {
            content.refine(0, 8);
            for element in 0..content.n_bytes() / 8 {
                let at = InputByte { variable, offset: 8 * element };
                content.write(at.offset, Value::known(pointer(at.number()), 8), Condition::TRUE, NO_WRITER);
            }
        }
    }

    /// An element of a variable; nothing if it reaches beyond the end.
    pub fn element(&mut self, root: usize, offset: u32, bytes: u8) -> Option<Element> {
        self.content(root, offset, bytes);
        self.state.contents[root].as_ref()?.read(&mut self.domain, offset, bytes)
    }

    /// The content of a variable, if anything has accessed it yet, together with the values.
    pub fn existing_with_values(&mut self, root: usize) -> Option<(&Content, &mut Domain)> {
        Some((self.state.contents.get(root)?.as_ref()?, &mut self.domain))
    }

    /// The content of a variable, if anything has accessed it yet.
    #[must_use]
    pub fn existing(&self, index: usize) -> Option<&Content> {
        self.state.contents.get(index)?.as_ref()
    }

    /// Whether a variable holds something when the kernel begins.
    pub(in crate::interp) fn is_input(&self, variable: VariableId) -> bool {
        let row = &self.cx.program.variables[variable];
        if let Some(predefined) = variable.predefined() {
            return match predefined.name {
                "%arg" | "%sp" | "%fp" => self.cx.object.kind == ObjectKind::Function,
                "%retval" => false,
                _ => true,
            };
        }
        row.is(crate::program::variable::FLAG_INPUT | FLAG_INPUT_ATTRIBUTE | crate::program::variable::FLAG_BROKEN)
    }

    /// The content of a predicate variable.
    pub fn predicate(&mut self, variable: VariableId) -> Option<&PredicateContent> {
        self.make_predicate(variable).map(|predicate| &*predicate)
    }

    pub(in crate::interp::state) fn make_predicate(&mut self, variable: VariableId) -> Option<&mut PredicateContent> {
        let (index, _) = self.cx.root(variable)?;
        if self.state.predicates[index].is_none() {
            let defined = Lanes::run(self.first_defined(index, variable), LANES);
            self.state.touched.push(index);
            let bits = Lanes::run(self.domain.unknown_condition(), LANES);
            self.state.predicates[index] = Some(PredicateContent { bits, defined, writer: NO_WRITER });
        }
        self.state.predicates[index].as_mut()
    }

    /// A copy of a predicate, to be put back.
    #[must_use]
    pub fn saved_predicate(&self, index: usize) -> Option<PredicateContent> {
        self.state.predicates.get(index)?.clone()
    }

    /// Where something may have been written to a variable that nothing has accessed yet.
    #[must_use]
    pub fn assumed_assigned(&self, root: usize) -> Condition {
        self.state.may_be_assigned.get(root).copied().unwrap_or(Condition::FALSE)
    }

    /// A copy of a content, to be put back.
    #[must_use]
    pub fn saved_content(&self, index: usize) -> Option<Content> {
        self.state.contents.get(index)?.clone()
    }
}

impl Machine<'_> {
    /// Where `earlier` holds, something may have been written to a variable by an earlier pass of a loop.
    pub fn assume_assigned(&mut self, root: usize, earlier: Condition) {
        if let Some(assumed) = self.reader.state.may_be_assigned.get_mut(root) {
            *assumed = self.reader.domain.or(*assumed, earlier);
        }
    }

    /// Where something may have been written to a variable that nothing has accessed yet; to be put back.
    pub fn set_assumed_assigned(&mut self, root: usize, earlier: Condition) {
        if let Some(assumed) = self.reader.state.may_be_assigned.get_mut(root) {
            *assumed = earlier;
        }
    }

    /// The content of a variable, if anything has accessed it yet, together with the values.
    pub fn existing_mut(&mut self, index: usize) -> Option<(&mut Content, &mut Domain)> {
        let content = self.reader.state.contents.get_mut(index)?.as_mut()?;
        Some((content, &mut self.reader.domain))
    }

    /// The predicate of that index, if anything has accessed it yet.
    pub fn existing_predicate_mut(&mut self, index: usize) -> Option<(&mut PredicateContent, &mut Domain)> {
        let predicate = self.reader.state.predicates.get_mut(index)?.as_mut()?;
        Some((predicate, &mut self.reader.domain))
    }

    /// The content of a predicate variable, to be changed.
    pub fn predicate_mut(&mut self, variable: VariableId) -> Option<&mut PredicateContent> {
        self.reader.make_predicate(variable)
    }

    /// Puts back what was saved.
    pub fn put_back(&mut self, index: usize, content: Option<Content>, predicate: Option<PredicateContent>) {
        self.state_mut().contents[index] = content;
        self.state_mut().predicates[index] = predicate;
        self.state_mut().touched.push(index);
    }

    /// An instruction that is not understood: every variable may hold anything.
    pub fn forget_everything(&mut self) {
        for index in std::mem::take(&mut self.state_mut().touched) {
            if !is_read_only(self.reader.cx.variable_of(index)) {
                self.state_mut().contents[index] = None;
                self.state_mut().predicates[index] = None;
            }
        }
        self.state_mut().n_forgotten += 1;
        self.forget_memory();
        self.forget_recent();
    }

    /// A store through an unknown address: every variable whose address is taken may have changed.
    pub fn forget_addressed(&mut self, writer: u32) {
        for i in 0..self.reader.cx.addressed.len() {
            let root = self.reader.cx.addressed[i];
            let end = self.reader.cx.program.variable_bytes(self.reader.cx.variable_of(root), self.reader.cx.grf_bytes);
            self.forget(root, 0, end, Condition::TRUE, writer, Origin::Indirect);
        }
    }

    /// Bytes of a variable hold something unknown from now on, where `active` holds.
    pub fn forget(&mut self, root: usize, start: u32, end: u32, active: Condition, writer: u32, origin: Origin) {
        if active.is_false() {
            return;
        }
        let unit = self.reader.existing(root).map_or_else(
            || {
                let row = &self.reader.cx.program.variables[self.reader.cx.variable_of(root)];
                (row.element_bytes().clamp(1, 8)) as u8
            },
            Content::unit,
        );
        let unit = Content::unit_at(start, unit).min(Content::unit_at(end, unit));
        self.reader.content(root, start, unit);
        let is_followed = self.reader.cx.is_followed(root);
        let Some((held, domain)) = self.existing_mut(root) else { return };
        let unit = held.unit();
        let end = end.min(held.n_bytes());
        let mut offset = start;
        while offset < end {
            let unknown = if is_followed { domain.unknown(unit, origin) } else { Value::known(0, unit) };
            for lane in 0..LANES {
                if offset >= end {
                    break;
                }
                if let Some(old) = held.presence(domain, offset, unit) {
                    let defined = domain.or(active, old.defined);
                    if !is_followed {
                        held.define(offset, unit, defined, writer);
                    } else if active.is_true() || old.defined.is_false() {
                        held.write(offset, unknown.at(lane), defined, writer);
                    } else if let Some(old) = held.read(domain, offset, unit) {
                        held.write(offset, domain.select(active, unknown.at(lane), old.value), defined, writer);
                    }
                }
                offset += u32::from(unit);
            }
        }
    }

    /// A variable holds something unknown from now on.
    pub fn forget_variable(&mut self, variable: VariableId, writer: u32) {
        let Some((root, _)) = self.reader.cx.root(variable) else { return };
        let whole = self.reader.cx.variable_of(root);
        if self.reader.cx.program.variables[whole].kind == VariableKind::Predicate {
            let unknown = self.reader.domain.unknown_condition();
            if let Some(predicate) = self.predicate_mut(whole) {
                predicate.bits = Lanes::run(unknown, LANES);
                predicate.defined = Lanes::run(Condition::TRUE, LANES);
                predicate.writer = writer;
            }
            return;
        }
        let (program, grf_bytes) = (self.reader.cx.program, self.reader.cx.grf_bytes);
        let end = program.n_elements(whole, grf_bytes).saturating_mul(program.variables[whole].element_bytes());
        let active = self.reader.state.reached;
        self.forget(root, 0, end, active, writer, Origin::Result);
    }
}

/// Whether nothing can change a variable.
pub(in crate::interp) fn is_read_only(variable: VariableId) -> bool {
    variable.predefined().is_some_and(|p| p.writable == predefined::Writable::No)
}

/// The variables with the id of the group.
pub(in crate::interp) const GROUP_ID_NAMES: [&str; 3] = ["%group_id_x", "%group_id_y", "%group_id_z"];

/// The elements of `%r0` with the id of the group.
pub(in crate::interp) const GROUP_IDS: [u32; 3] = [GROUP_ID_BYTES[0] / 4, GROUP_ID_BYTES[1] / 4, GROUP_ID_BYTES[2] / 4];

/// What the hardware would call a thread of a group, if it gave out its numbers in turn: the thread of the execution unit in
/// the low bits, the unit in those above, with gaps where machines have them.
const fn numbered(thread: u32) -> u32 {
    thread & 7 | (thread >> 3 & 3) << 4 | (thread >> 5) << 8
}
