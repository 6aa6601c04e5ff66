//! The names that a formula may use.

use super::super::catalog::Catalog;
use super::super::checked::{Formula, Modifier, Operand};
use super::super::expression::{Expression, parse};
use super::super::model::Scalar;
use super::super::words::suggest;
use super::Checker;
use toml::Spanned;

/// What the formulas of an instruction can see.
pub struct Scope<'a> {
    catalog: &'a Catalog,
    operands: Vec<Slot>,
    modifiers: Vec<(String, bool)>,
    has_channels: bool,
    has_size: bool,
}

/// What a formula has to know of an operand.
struct Slot {
    name: String,
    role: String,
    /// Its kinds are not known, because they are faulty; then nothing is wrong with its uses.
    is_vague: bool,
    is_scalar: bool,
    may_be_number: bool,
    has_elements: bool,
}

/// Where a formula stands.
#[derive(Clone, Copy)]
pub enum Place<'a> {
    /// In an operand: its size, before anything is executed.
    Operand,
    /// In an access that is repeated for each of those, given as Rust paths.
    Access(&'a [String]),
}

const NUMBERS: [&str; 2] = ["OperandKind::Immediate", "OperandKind::Number"];
/// Forms that stand for registers with elements.
const REGISTERS: [&str; 7] = [
    "OperandKind::General",
    "OperandKind::Indirect",
    "OperandKind::Raw",
    "OperandKind::Element",
    "OperandKind::LscData",
    "OperandKind::LscRegister",
    "OperandKind::WithLength",
];

impl Slot {
    fn new(operand: &Operand) -> Self {
        let any = |known: &[&str]| operand.kinds.iter().any(|kind| known.contains(&kind.as_str()));
        let only_numbers = operand.kinds.iter().all(|kind| NUMBERS.contains(&kind.as_str()));
        Self {
            name: operand.name.clone(),
            role: operand.role.clone(),
            is_vague: operand.kinds.is_empty(),
            is_scalar: operand.scalar || only_numbers,
            may_be_number: any(&NUMBERS),
            has_elements: any(&REGISTERS),
        }
    }
}

impl<'a> Scope<'a> {
    /// For an instruction with those operands and modifiers.
    pub fn new(catalog: &'a Catalog, operands: &[Operand], modifiers: &[Modifier], execution: &str) -> Self {
        Self {
            catalog,
            operands: operands.iter().map(Slot::new).collect(),
            modifiers: modifiers.iter().map(|modifier| (modifier.name.clone(), modifier.has_number)).collect(),
            has_channels: modifiers.iter().any(|modifier| modifier.kind == "ModifierKind::ChannelMask"),
            has_size: !["Execution::None", "Execution::Pair", "Execution::Triple"].contains(&execution),
        }
    }

    /// The name and the role of the operand in a slot that [`Expression::Element`] names.
    pub fn operand(&self, slot: &str) -> Option<(&str, &str)> {
        let slot = self.operands.get(slot.parse::<usize>().ok()?)?;
        Some((&slot.name, &slot.role))
    }

    /// Whether there is an operand with that name.
    pub fn has_operand(&self, name: &str) -> bool {
        self.operands.iter().any(|slot| slot.name == name)
    }

    /// The Rust text that a name stands for: a variable, or the slot of an operand that is indexed.
    fn lookup(&self, name: &str, is_indexed: bool, place: Place<'_>) -> Result<String, String> {
        if let Some((i, slot)) = self.operands.iter().enumerate().find(|(_, slot)| slot.name == name) {
            return if is_indexed {
                slot.element(place).map(|()| i.to_string())
            } else {
                slot.value(place).map(|()| format!("Variable::Operand({i})"))
            };
        }
        if is_indexed {
            let known = self.operands.iter().map(|slot| slot.name.as_str());
            return Err(format!("there is no operand `{name}`{}", suggest(name, known)));
        }
        if let Some((i, (_, has_number))) = self.modifiers.iter().enumerate().find(|(_, (n, _))| n == name) {
            return if *has_number {
                Ok(format!("Variable::Modifier({i})"))
            } else {
                Err(format!("the modifier `{name}` has no number: it is not a number, nor a word with `numbers`"))
            };
        }
        let path = self.catalog.words.path("Variable", name).ok_or_else(|| self.unknown(name))?;
        self.is_defined(name, place).map(|()| path)
    }

    fn unknown(&self, name: &str) -> String {
        let variables = self.catalog.words.words("Variable");
        let known = variables
            .iter()
            .chain(self.operands.iter().map(|slot| &slot.name))
            .chain(self.modifiers.iter().map(|(name, _)| name));
        format!("unknown name `{name}`{}", suggest(name, known.map(String::as_str)))
    }

    /// Whether one of the names that every formula knows has a meaning in that place.
    fn is_defined(&self, name: &str, place: Place<'_>) -> Result<(), String> {
        let each = |word: &str| match place {
            Place::Operand => Err(format!("`{name}` has no meaning in the size of an operand")),
            Place::Access(each) if each.iter().any(|e| Some(e) == self.catalog.words.path("Each", word).as_ref()) => {
                Ok(())
            }
            Place::Access(_) => Err(format!("`{name}` needs `{word}` in `each`")),
        };
        match name {
            "lane" | "block" => each(name),
            "channel" | "channel_position" => each("channel"),
            "n_channels" if !self.has_channels => Err(format!("`{name}` needs a modifier of kind `channel_mask`")),
            "exec_size" if !self.has_size => Err(format!("an instruction of this `execution` has no `{name}`")),
            "type_bytes" if matches!(place, Place::Access(_)) => {
                Err(format!("`{name}` belongs to an operand's own formulas: here it has no operand"))
            }
            _ => Ok(()),
        }
    }
}

impl Slot {
    fn value(&self, place: Place<'_>) -> Result<(), String> {
        let name = &self.name;
        match place {
            _ if self.is_vague => Ok(()),
            Place::Operand if !self.may_be_number => {
                Err(format!("`{name}` is never an immediate or a number: a size cannot depend on it"))
            }
            Place::Access(_) if !self.is_scalar => {
                Err(format!("the operand `{name}` is not scalar: write `{name}[lane]`"))
            }
            _ => Ok(()),
        }
    }

    fn element(&self, place: Place<'_>) -> Result<(), String> {
        let name = &self.name;
        if matches!(place, Place::Operand) {
            Err(format!("`{name}[...]`: a size cannot depend on the content of a register"))
        } else if !self.is_vague && (self.is_scalar || !self.has_elements) {
            Err(format!("the operand `{name}` has no elements: write `{name}`"))
        } else {
            Ok(())
        }
    }
}

impl Checker<'_, '_, '_> {
    /// Reads a formula and looks up its names; all that it does not know is reported.
    pub fn formula(
        &mut self,
        key: &str,
        given: Option<&Spanned<Scalar>>,
        scope: &Scope<'_>,
        place: Place<'_>,
    ) -> Option<Formula> {
        let given = given?;
        let at = given.span();
        let parsed = match given.get_ref() {
            Scalar::Number(number) => Expression::Number(*number),
            Scalar::Text(text) => match parse(text) {
                Ok(parsed) => parsed,
                Err(message) => {
                    self.reporter.report(&at, format!("`{key}`: {message}"));
                    return None;
                }
            },
        };
        parsed.resolve(&mut |name: &String, is_indexed| {
            scope
                .lookup(name, is_indexed, place)
                .map_err(|message| self.reporter.report(&at, format!("`{key}`: {message}")))
                .ok()
        })
    }
}
