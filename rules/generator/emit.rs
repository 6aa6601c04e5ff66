//! Prints the tables as Rust.

use super::catalog::Catalog;
use super::checked::{
    Access, Formula, Instruction, Launch, Layout, Modifier, OnPlatforms, Operand, OtherName, Platform, Platforms,
    Predefined, Tiers, Type, Types, Words,
};
use super::expression::Expression;
use std::collections::BTreeSet;

/// All tables.
pub fn tables(catalog: &Catalog, predefined: &[Predefined], words: &Words, instructions: &[Instruction]) -> String {
    let operands = names(instructions.iter().flat_map(|row| row.operands.iter().map(|operand| operand.name.as_str())));
    let modifiers =
        names(instructions.iter().flat_map(|row| row.modifiers.iter().map(|modifier| modifier.name.as_str())));
    let printer = Printer {
        types: &catalog.types.rows,
        all_platforms: catalog.all_platforms(),
        operands: &operands,
        modifiers: &modifiers,
    };
    let kinds = catalog.words.variants("OperandKind").iter().map(|kind| format!("OperandKind::{kind}"));
    [
        table(
            "PLATFORMS",
            "pub const",
            "PlatformRow",
            "Platforms in the reference's order.",
            &catalog.platforms,
            platform,
        ),
        platform_constants(&catalog.platforms),
        table("TYPES", "pub static", "TypeRow", "Element types.", &catalog.types.rows, element_type),
        type_constants(&catalog.types.rows),
        table("PREDEFINED", "pub static", "Predefined", "Predefined variables.", predefined, variable),
        table(
            "RESERVED_WORDS",
            "pub static",
            "(&str, bool)",
            "Reserved words that are no mnemonics, and whether only newer text reserves them.",
            &words.reserved,
            |word| format!("({}, {})", text(word.word.get_ref()), word.newer_text),
        ),
        table(
            "OTHER_NAMES",
            "pub static",
            "(&str, &[&str])",
            "What instructions are called elsewhere, with the mnemonics that do the same.",
            &words.other_names,
            other_name,
        ),
        table(
            "OTHER_MODIFIERS",
            "pub static",
            "(&str, &[&str])",
            "What modifiers are called elsewhere, with those that do the same.",
            &words.other_modifiers,
            other_name,
        ),
        table(
            "OFTEN",
            "pub static",
            "&str",
            "The mnemonics that compilers print most often, the most frequent one first.",
            &words.often,
            |word| text(word.get_ref()),
        ),
        name_constants("OperandName", &operands),
        name_constants("ModifierName", &modifiers),
        table("OPERAND_NAMES", "pub static", "&str", "Names of operand slots.", &operands, text),
        table("MODIFIER_NAMES", "pub static", "&str", "Names of modifiers.", &modifiers, text),
        table("OPERAND_KINDS", "pub static", "OperandKind", "All kinds of operands.", kinds, |kind| kind),
        table("INSTRUCTIONS", "pub static", "Instruction", "All instructions by mnemonic.", instructions, |row| {
            printer.instruction(row)
        }),
    ]
    .join("\n")
}

/// The row of a word, with what it stands for.
fn other_name(name: &OtherName) -> String {
    format!("({}, {})", text(name.word.get_ref()), list(&name.meant, |m| text(m.get_ref())))
}

/// The table of `launch.toml`.
pub fn launch(launch: &Launch, all: Platforms) -> String {
    let platforms = |set: Platforms| match set {
        set if set == all => "PlatformSet::ALL".to_owned(),
        Platforms(set) => format!("PlatformSet({})", bits(set.into())),
    };
    let layout = |layout: &Layout| {
        let front = list(&layout.front, |(bytes, holds)| {
            row("Front", &[("bytes", bytes.to_string()), ("holds", list(holds, ToString::to_string))])
        });
        let by_use = list(&layout.by_use, |(factor, holds)| {
            row("ByUse", &[("factor", factor.clone()), ("holds", holds.clone())])
        });
        let version = |(major, minor): (u32, u32)| format!("({}, {})", number(major.into()), number(minor.into()));
        row(
            "LayoutRow",
            &[
                ("name", text(&layout.name)),
                ("text", format!("[{}, {}]", version(layout.text[0]), version(layout.text[1]))),
                ("platforms", platforms(layout.platforms)),
                ("system_pointers", layout.system_pointers.to_string()),
                ("front", front),
                ("by_use", by_use),
                ("source", text(&layout.source)),
            ],
        )
    };
    [
        format!(
            "/// Bytes of `%r0` at which the ids of the group stand.\npub const GROUP_ID_BYTES: [u32; 3] = {:?};\n",
            launch.group_ids
        ),
        format!(
            "/// The byte of `%r0` that holds the number of the thread in its group.\npub const THREAD_NUMBER_BYTE: u32 = {};\n",
            launch.thread_number.0
        ),
        format!(
            "/// The platforms on which it does.\npub const THREAD_NUMBER_PLATFORMS: PlatformSet = {};\n",
            platforms(launch.thread_number.1)
        ),
        format!("/// Bytes of a local id.\npub const LOCAL_ID_BYTES: u32 = {};\n", launch.local_id_bytes),
        format!(
            "/// Lanes for which there is a local id at least.\npub const LEAST_LANES: u32 = {};\n",
            launch.least_lanes
        ),
        table("LAYOUTS", "pub static", "LayoutRow", "Where inputs lie.", &launch.layouts, layout),
    ]
    .join("\n")
}

/// One table, a row on each line.
fn table<T>(
    name: &str,
    keyword: &str,
    row_type: &str,
    doc: &str,
    rows: impl IntoIterator<Item = T>,
    print: impl Fn(T) -> String,
) -> String {
    let rows = lines(rows, |row| format!("{},", print(row)));
    format!("/// {doc}\n{keyword} {name}: &[{row_type}] = &[\n{rows}];\n")
}

/// Indented lines.
fn lines<T>(items: impl IntoIterator<Item = T>, print: impl Fn(T) -> String) -> String {
    items.into_iter().fold(String::new(), |text, item| text + "    " + &print(item) + "\n")
}

/// `Name { key: value, ... }`
fn row(name: &str, fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    format!("{name} {{ {} }}", fields.join(", "))
}

/// `&[a, b]`
fn list<T>(items: impl IntoIterator<Item = T>, print: impl Fn(T) -> String) -> String {
    let items: Vec<String> = items.into_iter().map(print).collect();
    format!("&[{}]", items.join(", "))
}

/// A string literal.
fn text(text: impl AsRef<str>) -> String {
    format!("{:?}", text.as_ref())
}

fn texts(items: &[String]) -> String {
    list(items, text)
}

fn option<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({})", value.to_string()))
}

/// A number, with `_` where Clippy wants it.
fn number(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let grouped: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    format!("{}{}", if value < 0 { "-" } else { "" }, grouped.join("_"))
}

/// A bit set in hexadecimal.
fn bits(value: u64) -> String {
    let digits = format!("{value:x}");
    let grouped: Vec<&str> =
        digits.as_bytes().rchunks(4).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    format!("0x{}", grouped.join("_"))
}

fn platform(platform: &Platform) -> String {
    row(
        "PlatformRow",
        &[
            ("name", text(&platform.name)),
            ("full_name", text(&platform.full_name)),
            ("names", texts(&platform.names)),
            ("grf_bytes", platform.grf_bytes.to_string()),
            ("register_counts", format!("&{:?}", platform.register_counts)),
        ],
    )
}

fn platform_constants(platforms: &[Platform]) -> String {
    let constants = lines(platforms.iter().enumerate(), |(place, platform)| {
        let (name, constant) = (&platform.name, platform.name.to_uppercase());
        format!("/// `{name}`\n    pub const {constant}: Platform = Platform({place});")
    });
    format!("impl Platform {{\n{constants}}}\n")
}

fn element_type(row_of_type: &Type) -> String {
    row(
        "TypeRow",
        &[
            ("name", text(&row_of_type.name)),
            ("text", text(row_of_type.name.to_lowercase())),
            ("bytes", row_of_type.bytes.to_string()),
            ("class", row_of_type.class.clone()),
            ("declarable", row_of_type.declarable.to_string()),
            ("immediate", row_of_type.immediate.to_string()),
        ],
    )
}

fn type_constants(types: &[Type]) -> String {
    let constants = lines(types.iter().enumerate(), |(place, row)| {
        let (name, text) = (&row.name, row.name.to_lowercase());
        format!("/// `{text}`\n    pub const {name}: Type = Type({place});")
    });
    let all = list(types, |row| format!("Type::{}", row.name));
    format!("impl Type {{\n{constants}    /// All types.\n    pub const ALL: &[Type] = {all};\n}}\n")
}

/// All names in a group, each once.
fn names<'a>(given: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    given.collect::<BTreeSet<&str>>().into_iter().collect()
}

fn name_constants(type_name: &str, names: &[&str]) -> String {
    let constants = lines(names.iter().enumerate(), |(place, name)| {
        format!("/// `{name}`\n    pub const {}: {type_name} = {type_name}({place});", name.to_uppercase())
    });
    let count = names.len();
    format!("impl {type_name} {{\n{constants}    /// Number of names.\n    pub const COUNT: usize = {count};\n}}\n")
}

/// The constant of a name.
fn name(type_name: &str, name: &str) -> String {
    format!("{type_name}::{}", name.to_uppercase())
}

/// For each of all names the place in `own`; 255 for those that are not there.
fn places<'a>(all: &[&str], own: &(impl Iterator<Item = &'a String> + Clone)) -> String {
    list(all, |name| {
        own.clone().position(|own| own == name).map_or_else(|| "255".to_owned(), |place| place.to_string())
    })
}

fn variable(variable: &Predefined) -> String {
    row(
        "Predefined",
        &[
            ("name", text(&variable.name)),
            ("kind", variable.kind.clone()),
            ("element_type", format!("Type::{}", variable.element_type)),
            ("n_elements", format!("{:?}", variable.n_elements)),
            ("writable", variable.writable.clone()),
            (
                "writable_bits",
                variable.writable_bits.map_or_else(
                    || "None".to_owned(),
                    |(element, mask)| format!("Some(({element}, {}))", bits(mask.into())),
                ),
            ),
            ("changes", variable.changes.to_string()),
            ("aliasable", variable.aliasable.to_string()),
        ],
    )
}

fn tiers<T>(values: &Tiers<T>, print: impl Fn(&T) -> String) -> String {
    row(
        "Tiers",
        &[("legal", print(&values.legal)), ("seen", print(&values.seen)), ("tolerated", print(&values.tolerated))],
    )
}

fn sizes(sizes: u64) -> String {
    format!("Sizes({})", bits(sizes))
}

fn formula(formula: &Formula) -> String {
    match formula {
        Expression::Number(value) => format!("Expression::Number({})", number(*value)),
        Expression::Variable(name) => format!("Expression::Variable({name})"),
        Expression::Element(slot, index) => format!("Expression::Element({slot}, &{})", self::formula(index)),
        Expression::Binary(operator, a, b) => {
            format!("Expression::Binary(Operator::{operator:?}, &{}, &{})", self::formula(a), self::formula(b))
        }
        Expression::Choose(condition, a, b) => {
            let [condition, a, b] = [condition, a, b].map(|e| self::formula(e));
            format!("Expression::Choose(&{condition}, &{a}, &{b})")
        }
    }
}

fn optional_formula(value: Option<&Formula>) -> String {
    option(value.map(|value| format!("&{}", formula(value))))
}

/// Prints what needs to know all types and platforms.
struct Printer<'a> {
    types: &'a [Type],
    all_platforms: Platforms,
    operands: &'a [&'a str],
    modifiers: &'a [&'a str],
}

impl Printer<'_> {
    fn instruction(&self, x: &Instruction) -> String {
        row(
            "Instruction",
            &[
                ("mnemonic", text(&x.mnemonic)),
                ("opcode", option(x.opcode)),
                ("document", text(&x.document)),
                ("summary", text(&x.summary)),
                ("example", text(&x.example)),
                ("example_platform", format!("Platform({})", x.example_platform)),
                ("newer_text", x.newer_text.to_string()),
                ("predicate", x.predicate.clone()),
                ("saturate", x.saturate.clone()),
                ("saturate_platforms", self.platforms(x.saturate_platforms)),
                ("execution", x.execution.clone()),
                ("exec_sizes", tiers(&x.exec_sizes, |set| sizes(*set))),
                ("exec_sizes_by_platform", self.by_platform(&x.exec_sizes_by_platform, |set| sizes(*set))),
                ("no_mask", x.no_mask.clone()),
                ("platforms", tiers(&x.platforms, |set| self.platforms(*set))),
                ("asked_for", x.asked_for.to_string()),
                ("operand_places", places(self.operands, &x.operands.iter().map(|operand| &operand.name))),
                ("modifier_places", places(self.modifiers, &x.modifiers.iter().map(|modifier| &modifier.name))),
                ("modifiers", list(&x.modifiers, |modifier| self.modifier(modifier))),
                ("operands", list(&x.operands, |operand| self.operand(operand))),
                ("accesses", list(&x.accesses, access)),
                ("operation", option(x.operation.as_ref())),
                ("family", x.family.clone()),
                ("lanes", x.lanes.clone()),
                ("checks", list(&x.checks, String::clone)),
                ("barrier", option(x.barrier.as_ref())),
                ("marker", option(x.marker.as_ref())),
                ("parameters", texts(&x.parameters)),
                ("word_parameters", texts(&x.word_parameters)),
                ("parameter_types", option(x.parameter_types.as_ref())),
                ("immediate_bits", option(x.immediate_bits)),
                ("flow", x.flow.clone()),
                ("effects", list(&x.effects, String::clone)),
                ("custom", option(x.custom.as_ref())),
                ("notes", texts(&x.notes)),
            ],
        )
    }

    fn modifier(&self, modifier: &Modifier) -> String {
        let values = list(&modifier.values, |value| {
            row(
                "ModifierValue",
                &[
                    ("text", text(&value.text)),
                    ("number", number(value.number)),
                    ("platforms", self.platforms(value.platforms)),
                    ("tier", value.tier.to_string()),
                ],
            )
        });
        row(
            "Modifier",
            &[
                ("name", name("ModifierName", &modifier.name)),
                ("kind", modifier.kind.clone()),
                ("values", values),
                ("optional", modifier.optional.to_string()),
                ("glued", modifier.glued.to_string()),
                ("any_case", modifier.any_case.to_string()),
                ("after_execution", modifier.after_execution.to_string()),
            ],
        )
    }

    fn operand(&self, operand: &Operand) -> String {
        let numbers = |values: &Vec<i64>| list(values, |value| number(*value));
        row(
            "OperandSlot",
            &[
                ("name", name("OperandName", &operand.name)),
                ("role", operand.role.clone()),
                ("kinds", format!("KindSet::of({})", list(&operand.kinds, String::clone))),
                ("types", tiers(&operand.types, |set| self.types(*set))),
                ("types_by_platform", self.by_platform(&operand.types_by_platform, |set| self.types(*set))),
                ("asked_for", operand.asked_for.to_string()),
                ("sign_checked", operand.sign_checked.to_string()),
                ("scalar", operand.scalar.to_string()),
                ("source_modifiers", operand.source_modifiers.clone()),
                ("null", operand.null.clone()),
                ("notation", operand.notation.clone()),
                ("bytes", optional_formula(operand.bytes.as_ref())),
                ("bytes_tolerated", optional_formula(operand.bytes_tolerated.as_ref())),
                ("channel_bytes", optional_formula(operand.channel_bytes.as_ref())),
                ("row_bytes", optional_formula(operand.row_bytes.as_ref())),
                ("alignment", operand.alignment.clone()),
                ("optional", operand.optional.to_string()),
                ("variadic", operand.variadic.to_string()),
                ("minimum", option(operand.minimum.map(number))),
                ("maximum", option(operand.maximum.map(number))),
                ("limit", optional_formula(operand.limit.as_ref())),
                ("elements", optional_formula(operand.elements.as_ref())),
                ("packed", operand.packed.to_string()),
                ("second_block", operand.second_block.to_string()),
                ("values", tiers(&operand.values, numbers)),
                ("words", texts(&operand.words)),
                ("surfaces_forbidden", list(&operand.surfaces_forbidden, String::clone)),
                ("pointers", self.platforms(operand.pointers)),
            ],
        )
    }

    fn by_platform<T>(&self, rows: &[OnPlatforms<T>], print: impl Fn(&T) -> String) -> String {
        list(rows, |on| row("OnPlatforms", &[("platforms", self.platforms(on.platforms)), ("value", print(&on.value))]))
    }

    fn platforms(&self, set: Platforms) -> String {
        match set {
            Platforms(0) => "PlatformSet::NONE".to_owned(),
            set if set == self.all_platforms => "PlatformSet::ALL".to_owned(),
            Platforms(set) => format!("PlatformSet({})", bits(set.into())),
        }
    }

    fn types(&self, set: Types) -> String {
        if set == Types::default() {
            return "TypeSet::NONE".to_owned();
        }
        let members = self.types.iter().enumerate().filter(|(place, _)| set.0 >> place & 1 == 1);
        format!("TypeSet::of({})", list(members, |(_, row)| format!("Type::{}", row.name)))
    }
}

fn access(access: &Access) -> String {
    row(
        "Access",
        &[
            ("kind", access.kind.clone()),
            ("memory", access.memory.clone()),
            ("each", list(&access.each, String::clone)),
            ("address", optional_formula(access.address.as_ref())),
            ("coordinates", list(&access.coordinates, |operand| name("OperandName", operand))),
            ("bytes", optional_formula(access.bytes.as_ref())),
            ("value", optional_formula(access.value.as_ref())),
            ("value_bytes", access.value_bytes.to_string()),
            ("address_alignment", optional_formula(access.address_alignment.as_ref())),
            ("address_alignment_tolerated", optional_formula(access.address_alignment_tolerated.as_ref())),
            ("out_of_bounds", access.out_of_bounds.clone()),
            ("same_address", access.same_address.clone()),
            ("when", optional_formula(access.when.as_ref())),
        ],
    )
}
