//! An instruction's row in words: for `visa-lint explain`, the editor's hover, and the snapshot of the tables.

use super::PlatformSet;
use super::expression::{Expression, Operator, Variable};
use super::instruction::{
    Access, AccessKind, Alignment, Custom, Each, Effect, Execution, Flow, Instruction, KindSet, Memory, Modifier,
    ModifierKind, ModifierValue, NoMask, Notation, NullUse, OperandKind, OperandSlot, OutOfBounds, Predication, Role,
    SameAddress, Saturation, Sizes, SourceModifiers, SurfaceClass,
};
use std::fmt::Write as _;

/// The text form: `[(P)] scatter4_scaled.channels (M, n) surface offset element_offset src`.
#[must_use]
pub fn signature(row: &Instruction) -> String {
    let mut text = String::new();
    match row.predicate {
        Predication::Allowed | Predication::Dropped => text += "[(P)] ",
        Predication::Required => text += "(P) ",
        Predication::Forbidden => {}
    }
    text += row.mnemonic;
    for modifier in row.modifiers.iter().filter(|m| !m.after_execution) {
        text += &modifier_form(modifier);
    }
    if row.saturate != Saturation::Forbidden {
        text += "[.sat]";
    }
    let n_inside = row.execution.n_operands();
    match row.execution {
        Execution::MaskAndSize => text += " (mask, exec_size)",
        Execution::BlockCount => text += " (mask, blocks)",
        Execution::OptionalSize => text += " [(exec_size)]",
        Execution::None => {}
        Execution::Pair | Execution::Triple => {
            let names: Vec<&str> = row.operands.iter().take(n_inside).map(|o| o.name.text()).collect();
            let _ = write!(text, " ({})", names.join(", "));
        }
    }
    for modifier in row.modifiers.iter().filter(|m| m.after_execution) {
        text += &modifier_form(modifier);
    }
    for operand in row.operands.iter().skip(n_inside) {
        text += " ";
        text += &operand_form(operand);
    }
    text
}

fn modifier_form(modifier: &Modifier) -> String {
    let only = match modifier.values {
        [only] => format!(".{}", only.text),
        _ => format!(".<{}>", modifier.name),
    };
    if modifier.optional { format!("[{only}]") } else { only }
}

fn operand_form(operand: &OperandSlot) -> String {
    match (operand.optional, operand.variadic) {
        (false, false) => operand.name.to_string(),
        (true, false) => format!("[{}]", operand.name),
        (_, true) => format!("{}...", operand.name),
    }
}

/// A formula as it stands in the tables.
#[must_use]
pub fn formula(expression: &Expression, row: &Instruction) -> String {
    write_formula(expression, row, 0)
}

fn write_formula(expression: &Expression, row: &Instruction, outer: u8) -> String {
    match expression {
        Expression::Number(n) => n.to_string(),
        Expression::Variable(v) => variable(*v, row),
        Expression::Element(operand, index) => {
            format!("{}[{}]", row.operands[usize::from(*operand)].name, write_formula(index, row, 0))
        }
        Expression::Choose(c, a, b) => {
            format!("choose({}, {}, {})", write_formula(c, row, 0), write_formula(a, row, 0), write_formula(b, row, 0))
        }
        Expression::Binary(operator, a, b) => {
            let (symbol, strength) = match operator {
                Operator::Max => ("max", 0),
                Operator::Min => ("min", 0),
                Operator::RoundUp => ("round_up", 0),
                Operator::Equal => ("==", 1),
                Operator::NotEqual => ("!=", 1),
                Operator::Less => ("<", 1),
                Operator::LessEqual => ("<=", 1),
                Operator::Greater => (">", 1),
                Operator::GreaterEqual => (">=", 1),
                Operator::Add => ("+", 2),
                Operator::Subtract => ("-", 2),
                Operator::Multiply => ("*", 3),
                Operator::Divide => ("/", 3),
            };
            if strength == 0 {
                return format!("{symbol}({}, {})", write_formula(a, row, 0), write_formula(b, row, 0));
            }
            let inner = format!("{} {symbol} {}", write_formula(a, row, strength), write_formula(b, row, strength + 1));
            if strength < outer { format!("({inner})") } else { inner }
        }
    }
}

fn variable(variable: Variable, row: &Instruction) -> String {
    match variable {
        Variable::ExecSize => "exec_size".into(),
        Variable::GrfBytes => "grf_bytes".into(),
        Variable::NChannels => "n_channels".into(),
        Variable::Channel => "channel".into(),
        Variable::ChannelPosition => "channel_position".into(),
        Variable::Lane => "lane".into(),
        Variable::Block => "block".into(),
        Variable::TypeBytes => "type_bytes".into(),
        Variable::Modifier(slot) => row.modifiers[usize::from(slot)].name.to_string(),
        Variable::Operand(slot) => row.operands[usize::from(slot)].name.to_string(),
    }
}

/// The whole row as a page of plain text.
#[must_use]
pub fn page(row: &Instruction) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", row.mnemonic);
    let _ = writeln!(out, "{}", row.summary);
    let _ = writeln!(out, "\n    {}\n", signature(row));
    if !row.modifiers.is_empty() {
        out += "Modifiers\n";
        for modifier in row.modifiers {
            modifier_lines(modifier, row, &mut out);
        }
    }
    if !row.operands.is_empty() {
        out += "\nOperands\n";
        for operand in row.operands {
            operand_lines(operand, row, &mut out);
        }
    }
    out.push('\n');
    if let Some(opcode) = row.opcode {
        let _ = writeln!(out, "opcode       {opcode:#04x}");
    }
    if !row.document.is_empty() {
        let _ = writeln!(out, "document     {}", row.document);
    }
    platforms(row, &mut out);
    sizes(row, &mut out);
    switches(row, &mut out);
    flow(row, &mut out);
    if row.operation.is_some() {
        out += "values       followed by abstract execution\n";
    }
    if let Some(custom) = row.custom {
        let _ = writeln!(out, "more checks  {}", more_checks(custom));
    }
    if !row.accesses.is_empty() || !row.effects.is_empty() {
        memory(row, &mut out);
    }
    let has_choice = formulas(row).any(|f| f.any(&|e| matches!(e, Expression::Choose(..))));
    if has_choice {
        out += "\nIn formulas choose(condition, a, b) is a where the condition holds, and else b.\n";
    }
    let _ = writeln!(out, "\nExample ({})\n  {}", row.example_platform.name(), row.example);
    if !row.notes.is_empty() {
        out += "\nNotes\n";
        for note in row.notes {
            let _ = writeln!(out, "  - {note}");
        }
    }
    out
}

/// Where it exists, and where it is only tolerated.
fn platforms(row: &Instruction, out: &mut String) {
    let _ = writeln!(out, "platforms    {}", row.platforms.legal.describe());
    for (set, words) in [
        (
            row.platforms.seen,
            if row.asked_for { "pedantic in compiler dumps, an error in other text" } else { "pedantic" },
        ),
        (row.platforms.tolerated, "warning"),
    ] {
        if !set.is_empty() {
            let _ = writeln!(out, "             {} ({words})", set.describe());
        }
    }
}

/// What may be switched on: predicate, saturation, `NoMask`.
fn switches(row: &Instruction, out: &mut String) {
    let _ = writeln!(
        out,
        "predicate    {}",
        match row.predicate {
            Predication::Allowed => "allowed",
            Predication::Forbidden => "not allowed",
            Predication::Dropped => "read and thrown away",
            Predication::Required => "required",
        }
    );
    let saturation = match row.saturate {
        Saturation::Allowed => Some("allowed"),
        Saturation::Floats => Some("floats only"),
        Saturation::Seen => Some("pedantic"),
        Saturation::Tolerated => Some("a warning"),
        Saturation::Forbidden => None,
    };
    if let Some(saturation) = saturation {
        let platforms = match row.saturate_platforms {
            PlatformSet::ALL => String::new(),
            platforms => format!(" ({})", platforms.describe()),
        };
        let _ = writeln!(out, "saturation   {saturation}{platforms}");
    }
    match row.no_mask {
        NoMask::Free => {}
        NoMask::Recommended => *out += "mask         should be NoMask\n",
        NoMask::Required => *out += "mask         has to be NoMask\n",
    }
}

/// Where it goes on.
fn flow(row: &Instruction, out: &mut String) {
    let flow = match row.flow {
        Flow::Next => None,
        Flow::Jump => Some("jumps"),
        Flow::Goto => Some("jumps lane by lane"),
        Flow::Call => Some("calls a subroutine"),
        Flow::Return => Some("returns from a subroutine, or ends the kernel"),
        Flow::FunctionCall => Some("calls a function"),
        Flow::FunctionReturn => Some("returns from a function"),
        Flow::Switch => Some("jumps to one of several labels"),
        Flow::Barrier => Some("waits for other threads"),
    };
    if let Some(flow) = flow {
        let _ = writeln!(out, "flow         {flow}");
    }
}

/// What it does to memory.
fn memory(row: &Instruction, out: &mut String) {
    *out += "\nMemory\n";
    for access in row.accesses {
        access_lines(access, row, out);
    }
    for effect in row.effects {
        let _ = writeln!(
            out,
            "  {}",
            match effect {
                Effect::ReadsMemory => "reads memory",
                Effect::WritesMemory => "writes memory",
                Effect::Fence => "orders accesses to memory",
                Effect::Barrier => "waits for the other threads of the group",
                Effect::EndOfThread => "ends the thread",
                Effect::FlushesSampler => "empties the cache of the sampler",
            }
        );
    }
}

/// What hand-written checks look at.
fn more_checks(custom: Custom) -> &'static str {
    match custom {
        Custom::Alu => "types that go together, regions, overlap",
        Custom::Lsc => "address, data shape, cache options",
        Custom::Dpas => "precisions, placement of operands, overlap",
        Custom::Sampler => "parameters and their types, surface, sampler",
        Custom::Media => "block sizes, planes, operands",
        Custom::Vme => "modes, sizes of inputs and outputs",
        Custom::RenderTarget => "options and the operands that they need",
        Custom::RawSend => "descriptors and lengths",
        Custom::Fence => "options",
        Custom::Atomic => "operation, its sources and their types",
        Custom::Barrier => "barriers in divergent control flow, named barriers",
        Custom::Typed => "coordinates, surface",
        Custom::Svm => "blocks, addresses, types",
        Custom::Urb => "handles, offsets, lengths",
        Custom::Qword => "number of blocks, surface",
        Custom::Flow => "labels, calls, paths through the program",
    }
}

fn sizes(row: &Instruction, out: &mut String) {
    if !row.execution.has_mask() && row.execution != Execution::OptionalSize {
        return;
    }
    let name = if row.execution == Execution::BlockCount { "blocks" } else { "exec sizes" };
    let mut lines = Vec::new();
    if row.exec_sizes.legal != Sizes::default() {
        lines.push(row.exec_sizes.legal.describe());
    }
    for more in row.exec_sizes_by_platform {
        lines.push(format!("{} ({})", more.value.describe(), more.platforms.describe()));
    }
    let elsewhere = if row.exec_sizes_by_platform.is_empty() { "" } else { "elsewhere " };
    for (set, words) in [(row.exec_sizes.seen, "pedantic"), (row.exec_sizes.tolerated, "warning")] {
        if set != Sizes::default() {
            lines.push(format!("{} ({elsewhere}{words})", set.describe()));
        }
    }
    for (n, line) in lines.iter().enumerate() {
        let _ = writeln!(out, "{:<12} {line}", if n == 0 { name } else { "" });
    }
}

fn modifier_lines(modifier: &Modifier, row: &Instruction, out: &mut String) {
    let optional = if modifier.optional { ", optional" } else { "" };
    let glued = if modifier.glued { ", no blank before it" } else { "" };
    let after = if modifier.after_execution { ", after the execution size" } else { "" };
    let what = match modifier.kind {
        ModifierKind::ChannelMask => "selection of R, G, B, A in this order".to_owned(),
        ModifierKind::BooleanFunction => "x and two hexadecimal digits".to_owned(),
        ModifierKind::FenceOptions => "selection of E, I, S, C, R, L1 in this order".to_owned(),
        ModifierKind::RenderTargetOptions => "options in angle brackets".to_owned(),
        ModifierKind::Word | ModifierKind::Number => values(modifier),
    };
    let _ = writeln!(out, "  .{:<18} {what}{optional}{glued}{after}", modifier.name);
    let is_in_formula = row.modifiers.iter().position(|m| std::ptr::eq(m, modifier)).is_some_and(|slot| {
        formulas(row)
            .any(|f| f.any(&|e| matches!(e, Expression::Variable(Variable::Modifier(m)) if usize::from(*m) == slot)))
    });
    if modifier.kind != ModifierKind::Word || !is_in_formula {
        return;
    }
    let mut counts: Vec<(i64, Vec<&str>)> = Vec::new();
    for value in modifier.values {
        match counts.iter_mut().find(|(number, _)| *number == value.number) {
            Some((_, texts)) if texts.contains(&value.text) => {}
            Some((_, texts)) => texts.push(value.text),
            None => counts.push((value.number, vec![value.text])),
        }
    }
    let counts: Vec<String> =
        counts.iter().map(|(number, texts)| format!("{number} for {}", texts.join(" "))).collect();
    let _ = writeln!(out, "  {:<19}   in formulas {}", "", counts.join(", "));
}

/// The formulas of a row.
fn formulas(row: &Instruction) -> impl Iterator<Item = &'static Expression> {
    let operands = row.operands.iter().flat_map(|o| [o.bytes, o.bytes_tolerated, o.limit]);
    let accesses = row.accesses.iter().flat_map(|a| [a.address, a.bytes, a.value, a.address_alignment, a.when]);
    operands.chain(accesses).flatten()
}

/// The values of a modifier, each with the platforms and levels that it has; `0, 1, 2, 3` become `0 to 3`.
fn values(modifier: &Modifier) -> String {
    let is_plain = |v: &ModifierValue| v.tier == 0 && v.platforms == PlatformSet::ALL;
    if modifier.kind == ModifierKind::Number
        && let [first, _, .., last] = modifier.values
        && modifier.values.iter().zip(first.number..).all(|(v, number)| is_plain(v) && v.number == number)
    {
        return format!("{} to {}", first.text, last.text);
    }
    let mut texts: Vec<String> = Vec::new();
    for (n, value) in modifier.values.iter().enumerate() {
        let same = || modifier.values.iter().filter(|v| v.text == value.text);
        if modifier.values[..n].iter().any(|v| v.text == value.text) {
            continue;
        }
        let mut remarks: Vec<String> =
            same().filter(|v| v.tier == 0 && v.platforms != PlatformSet::ALL).map(|v| v.platforms.describe()).collect();
        for v in same().filter(|v| v.tier > 0) {
            let elsewhere = if remarks.is_empty() { "" } else { "else " };
            let level = if v.tier == 1 { "pedantic" } else { "warning" };
            let platforms =
                if v.platforms == PlatformSet::ALL { String::new() } else { format!(" {}", v.platforms.on()) };
            remarks.push(format!("{elsewhere}{level}{platforms}"));
        }
        let remarks = if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join("; ")) };
        texts.push(format!("{}{remarks}", value.text));
    }
    texts.join(", ")
}

fn operand_lines(operand: &OperandSlot, row: &Instruction, out: &mut String) {
    let role = match operand.role {
        Role::Source => "read",
        Role::Destination => "written",
        Role::Both => "read and written",
    };
    let mut words = vec![role.to_owned()];
    if operand.optional {
        words.push("optional".into());
    }
    if operand.variadic {
        words.push("any number".into());
    }
    match operand.null {
        NullUse::Allowed => words.push("may be %null".into()),
        NullUse::Tolerated => words.push("%null is a warning".into()),
        NullUse::Required => words.push("has to be %null".into()),
        NullUse::Forbidden => {}
    }
    match operand.alignment {
        Alignment::Grf => words.push("at a register boundary".into()),
        Alignment::Bytes(n) => words.push(format!("at a multiple of {n} bytes")),
        Alignment::None => {}
    }
    match operand.notation {
        Notation::Decimal => words.push("in decimal".into()),
        Notation::Hexadecimal => words.push("in hexadecimal".into()),
        Notation::Any => {}
    }
    match operand.source_modifiers {
        SourceModifiers::Arithmetic => words.push("takes (-) (abs) (-abs)".into()),
        SourceModifiers::Logic => words.push("takes (~)".into()),
        SourceModifiers::None => {}
    }
    let _ = writeln!(out, "  {:<19} {}: {}", operand.name, kinds(operand.kinds, operand.scalar), words.join(", "));
    let mut line = |name: &str, text: String| {
        if !text.is_empty() {
            let _ = writeln!(out, "  {:<19}   {name} {text}", "");
        }
    };
    let types = |set: super::TypeSet| set.iter().map(super::Type::text).collect::<Vec<_>>().join(" ");
    line("types", types(operand.types.legal));
    for more in operand.types_by_platform {
        line("types", format!("{} ({})", types(more.value), more.platforms.describe()));
    }
    let elsewhere = if operand.types_by_platform.is_empty() { "" } else { "else " };
    for (set, level) in [(operand.types.seen, "pedantic"), (operand.types.tolerated, "warning")] {
        if set != super::TypeSet::default() {
            line("types", format!("{} ({elsewhere}{level})", types(set)));
        }
    }
    if let Some(bytes) = operand.bytes {
        line("bytes", formula(bytes, row));
    }
    if let Some(bytes) = operand.bytes_tolerated {
        line("bytes (warning)", format!("down to {}", formula(bytes, row)));
    }
    match (operand.minimum, operand.maximum) {
        (None, None) => {}
        (Some(a), Some(b)) => line("range", format!("{a} to {b}")),
        (Some(a), None) => line("at least", a.to_string()),
        (None, Some(b)) => line("at most", b.to_string()),
    }
    if let Some(limit) = operand.limit {
        line("at most", formula(limit, row));
    }
    let numbers = |set: &[i64]| set.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    line("values", numbers(operand.values.legal));
    line("values (pedantic)", numbers(operand.values.seen));
    line("values (warning)", numbers(operand.values.tolerated));
    line("words", operand.words.join(" "));
    let surfaces: Vec<&str> = operand
        .surfaces_forbidden
        .iter()
        .map(|s| match s {
            SurfaceClass::Slm => "%slm",
            SurfaceClass::Scratch => "%scratch",
            SurfaceClass::Bindless => "%bss",
            SurfaceClass::Predefined => "a predefined surface",
        })
        .collect();
    if !surfaces.is_empty() {
        line("not", surfaces.join(", "));
    }
}

fn kinds(kinds: KindSet, is_scalar: bool) -> String {
    let vector = KindSet::of(&[OperandKind::General, OperandKind::Indirect]);
    let all = KindSet::of(&[OperandKind::General, OperandKind::Indirect, OperandKind::Immediate]);
    let prefix = if is_scalar { "scalar, " } else { "" };
    if kinds == all {
        return format!("{prefix}register or immediate");
    }
    if kinds == vector {
        return format!("{prefix}register");
    }
    let words: Vec<String> = kinds
        .iter()
        .map(|k| {
            match k {
                OperandKind::General => "general",
                OperandKind::Indirect => "indirect",
                OperandKind::Immediate => "immediate",
                OperandKind::Raw => "raw",
                OperandKind::Address | OperandKind::LscAddress => "address",
                OperandKind::AddressOf => "address-of",
                OperandKind::Predicate => "predicate",
                OperandKind::Surface => "surface",
                OperandKind::Sampler => "sampler",
                OperandKind::State => "state",
                OperandKind::Element => "element",
                OperandKind::Number => "number",
                OperandKind::Label => "label",
                OperandKind::LabelList => "list of labels",
                OperandKind::Function => "function",
                OperandKind::String => "string",
                OperandKind::Variable => "variable",
                OperandKind::Keyword => "keyword",
                OperandKind::LscData => "data with shape",
                OperandKind::LscChannels => "data with channels",
                OperandKind::LscBlock => "data of a block",
                OperandKind::LscTypedBlock => "data of a typed block",
                OperandKind::LscStridedAddress => "address with pitch",
                OperandKind::LscBlockAddress => "address of a block",
                OperandKind::LscCoordinates => "coordinates",
                OperandKind::LscTypedBlockAddress => "coordinates of a block",
                OperandKind::LscRegister => "register",
                OperandKind::LscSurface => "surface model",
                OperandKind::WithLength => "raw with length",
            }
            .to_owned()
        })
        .collect();
    format!("{prefix}{}", super::join_or(words))
}

fn access_lines(access: &Access, row: &Instruction, out: &mut String) {
    let verb = match access.kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
        AccessKind::Atomic => "changes atomically",
    };
    let memory = match access.memory {
        Memory::Surface => "the surface",
        Memory::Svm => "virtual memory",
        Memory::Slm => "shared local memory",
        Memory::Typed => "a texel",
        Memory::Urb => "a URB entry",
        Memory::Lsc => "the memory that the address names",
    };
    let each: Vec<&str> = access
        .each
        .iter()
        .map(|e| match e {
            Each::Lane => "each active lane",
            Each::Channel => "each enabled channel",
            Each::Block => "each block",
        })
        .collect();
    let per = if each.is_empty() { "once".to_owned() } else { each.join(" and ") };
    let _ = writeln!(out, "  {verb} {memory}, {per}");
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "    {name:<14} {text}");
    };
    if let Some(address) = access.address {
        line("address", formula(address, row));
    }
    if !access.coordinates.is_empty() {
        line("coordinates", access.coordinates.iter().map(|name| name.text()).collect::<Vec<_>>().join(", "));
    }
    if let Some(bytes) = access.bytes {
        line("bytes", formula(bytes, row));
    }
    if let Some(value) = access.value {
        line("value", format!("{} ({} bytes each)", formula(value, row), access.value_bytes));
    }
    if let Some(alignment) = access.address_alignment {
        line("alignment", formula(alignment, row));
    }
    if let Some(when) = access.when {
        line("when", formula(when, row));
    }
    line(
        "out of bounds",
        match access.out_of_bounds {
            OutOfBounds::Dropped => "dropped",
            OutOfBounds::Zero => "zero",
            OutOfBounds::Undefined => "undefined",
        }
        .into(),
    );
    line(
        "same address",
        match access.same_address {
            SameAddress::Undefined => "undefined if two active lanes touch one byte",
            SameAddress::UndefinedIfDifferent => "undefined if two active lanes write different values to one byte",
            SameAddress::Serialized => "one lane after the other",
            SameAddress::Defined => "harmless",
        }
        .into(),
    );
}
