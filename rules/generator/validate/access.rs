//! What an instruction does to memory.

use super::super::checked::{Access, Formula};
use super::super::expression::Expression;
use super::super::model::{self, Scalar};
use super::Checker;
use super::formula::{Place, Scope};
use std::ops::Range;
use toml::Spanned;

impl Checker<'_, '_, '_> {
    pub fn access(&mut self, access: &Spanned<model::Access>, scope: &Scope<'_>) -> Access {
        let (at, access) = (access.span(), access.get_ref());
        let kind = self.required_word("AccessKind", "kind", access.kind.as_ref(), &at);
        let memory = self.required_word("Memory", "memory", access.memory.as_ref(), &at);
        let each = self.words("Each", &access.each);
        self.address_fits_memory(access, &memory, &at);
        let mut formula =
            |key: &str, given: &Option<Spanned<Scalar>>| self.formula(key, given.as_ref(), scope, Place::Access(&each));
        let address = formula("address", &access.address);
        let bytes = formula("bytes", &access.bytes);
        let value = formula("value", &access.value);
        let address_alignment = formula("address_alignment", &access.address_alignment);
        let address_alignment_tolerated = formula("address_alignment_tolerated", &access.address_alignment_tolerated);
        let when = formula("when", &access.when);
        self.value_is_element(access, &kind, value.as_ref(), scope);
        Access {
            coordinates: self.coordinates(access, scope),
            value_bytes: self.value_bytes(access),
            out_of_bounds: self.out_of_bounds(access, &memory, &at),
            same_address: self.same_address(access, &kind, &at),
            kind,
            memory,
            each,
            address,
            bytes,
            value,
            address_alignment,
            address_alignment_tolerated,
            when,
        }
    }

    /// Texels have coordinates, LSC operands are their own formula, all else has an address and a size.
    fn address_fits_memory(&mut self, access: &model::Access, memory: &str, at: &Range<usize>) {
        let (is_typed, is_lsc) = (memory == "Memory::Typed", memory == "Memory::Lsc");
        if let Some(address) = access.address.as_ref().filter(|_| is_typed || is_lsc) {
            let instead = if is_typed { "`coordinates` stand for it" } else { "the operand says it" };
            self.reporter.report(&address.span(), format!("this memory has no `address`: {instead}"));
        }
        if is_typed {
            self.required("coordinates", access.coordinates.as_ref(), at);
        } else if let Some(coordinates) = &access.coordinates {
            self.reporter.report(&coordinates.span(), "`coordinates` are for the memory `typed`");
        }
        if !is_typed && !is_lsc && !memory.is_empty() {
            self.required("address", access.address.as_ref(), at);
            self.required("bytes", access.bytes.as_ref(), at);
        }
    }

    /// What is read goes to a destination, what is written comes from a source.
    fn value_is_element(&mut self, access: &model::Access, kind: &str, value: Option<&Formula>, scope: &Scope<'_>) {
        let (Some(given), Some(value)) = (&access.value, value) else { return };
        let mut slots = Vec::new();
        if !collect_elements(value, &mut slots) {
            self.reporter.report(&given.span(), "`value` is an element of an operand: `name[index]`");
        }
        let wrong = match kind {
            "AccessKind::Read" => "Role::Source",
            "AccessKind::Write" => "Role::Destination",
            _ => return,
        };
        for (name, _) in slots.iter().filter_map(|slot| scope.operand(slot)).filter(|(_, role)| *role == wrong) {
            self.reporter.report(&given.span(), format!("`value`: the `role` of `{name}` does not fit this `kind`"));
        }
    }

    fn value_bytes(&mut self, access: &model::Access) -> u32 {
        let Some(bytes) = &access.value_bytes else { return 4 };
        if ![1, 2, 4, 8].contains(bytes.get_ref()) {
            self.reporter.report(&bytes.span(), "an element has 1, 2, 4 or 8 bytes");
        }
        *bytes.get_ref()
    }

    fn coordinates(&mut self, access: &model::Access, scope: &Scope<'_>) -> Vec<String> {
        let Some(coordinates) = &access.coordinates else { return Vec::new() };
        self.distinct(coordinates.get_ref());
        for name in coordinates.get_ref().iter().filter(|name| !scope.has_operand(name.get_ref())) {
            self.reporter.unknown("operand", name, []);
        }
        coordinates.get_ref().iter().map(|name| name.get_ref().clone()).collect()
    }

    /// What lies behind an LSC operand differs by its surface, so there nothing is promised.
    fn out_of_bounds(&mut self, access: &model::Access, memory: &str, at: &Range<usize>) -> String {
        let given = access.out_of_bounds.as_ref();
        match memory {
            "Memory::Lsc" => self.word("OutOfBounds", given, "undefined"),
            _ => self.required_word("OutOfBounds", "out_of_bounds", given, at),
        }
    }

    /// Reads are harmless and atomics come one after the other, but a write has to say it.
    fn same_address(&mut self, access: &model::Access, kind: &str, at: &Range<usize>) -> String {
        let given = access.same_address.as_ref();
        match kind {
            "AccessKind::Read" => self.word("SameAddress", given, "defined"),
            "AccessKind::Atomic" => self.word("SameAddress", given, "serialized"),
            _ => self.required_word("SameAddress", "same_address", given, at),
        }
    }
}

/// Whether a formula is an element of an operand, whatever its conditions say; collects the slots.
fn collect_elements<'a>(formula: &'a Formula, slots: &mut Vec<&'a str>) -> bool {
    match formula {
        Expression::Element(slot, _) => {
            slots.push(slot);
            true
        }
        Expression::Choose(_, a, b) => collect_elements(a, slots) & collect_elements(b, slots),
        _ => false,
    }
}
