//! An instruction's row in words: for `visa-lint explain`, the editor's hover, and the snapshot of the tables.

use super::expression::{Expression, Operator, Variable};
use super::instruction::{
    Access, AccessKind, Alignment, Each, Effect, Execution, Flow, Instruction, KindSet, Memory, Modifier, ModifierKind,
    NoMask, Notation, NullUse, OperandKind, OperandSlot, OutOfBounds, Predication, Role, SameAddress, Saturation,
    SourceModifiers, SurfaceClass,
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
            let names: Vec<&str> = row.operands.iter().take(n_inside).map(|o| o.name).collect();
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
        (false, false) => operand.name.to_owned(),
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
        Variable::Modifier(slot) => row.modifiers[usize::from(slot)].name.into(),
        Variable::Operand(slot) => row.operands[usize::from(slot)].name.into(),
    }
}

/// The whole row as a page of plain text.
#[must_use]
pub fn page(row: &Instruction) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", row.mnemonic);
    let _ = writeln!(out, "{}", row.summary);
    let _ = writeln!(out, "\n    {}\n", signature(row));
    if let Some(opcode) = row.opcode {
        let _ = writeln!(out, "opcode       {opcode:#04x}");
    }
    if !row.document.is_empty() {
        let _ = writeln!(out, "document     {}", row.document);
    }
    let _ = writeln!(out, "platforms    {}", row.platforms.legal.describe());
    let seen = if row.only_in_dumps { "pedantic in compiler dumps only" } else { "pedantic" };
    for (set, words) in [(row.platforms.seen, seen), (row.platforms.tolerated, "warning")] {
        if !set.is_empty() {
            let _ = writeln!(out, "             {} ({words})", set.describe());
        }
    }
    sizes(row, &mut out);
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
        Saturation::Dropped => Some("read and thrown away"),
        Saturation::Forbidden => None,
    };
    if let Some(saturation) = saturation {
        let _ = writeln!(out, "saturation   {saturation}");
    }
    match row.no_mask {
        NoMask::Free => {}
        NoMask::Recommended => out += "mask         should be NoMask\n",
        NoMask::Required => out += "mask         has to be NoMask\n",
    }
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
    if let Some(operation) = row.operation {
        let _ = writeln!(out, "operation    {operation:?}");
    }
    if let Some(custom) = row.custom {
        let _ = writeln!(out, "checked too  as {custom:?}");
    }
    if !row.modifiers.is_empty() {
        out += "\nModifiers\n";
        for modifier in row.modifiers {
            modifier_line(modifier, &mut out);
        }
    }
    if !row.operands.is_empty() {
        out += "\nOperands\n";
        for operand in row.operands {
            operand_lines(operand, row, &mut out);
        }
    }
    if !row.accesses.is_empty() || !row.effects.is_empty() {
        out += "\nMemory\n";
        for access in row.accesses {
            access_lines(access, row, &mut out);
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
                }
            );
        }
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

fn sizes(row: &Instruction, out: &mut String) {
    if !row.execution.has_mask() && row.execution != Execution::OptionalSize {
        return;
    }
    let name = if row.execution == Execution::BlockCount { "blocks      " } else { "exec sizes  " };
    let legal = row.exec_sizes.legal.describe();
    let _ = writeln!(out, "{name} {}", if legal.is_empty() { "none everywhere".into() } else { legal });
    for (set, words) in [(row.exec_sizes.seen, "pedantic"), (row.exec_sizes.tolerated, "warning")] {
        if !set.is_empty() {
            let _ = writeln!(out, "             {} ({words})", set.describe());
        }
    }
    for more in row.exec_sizes_by_platform {
        let _ = writeln!(out, "             {} on {}", more.value.describe(), more.platforms.describe());
    }
}

fn modifier_line(modifier: &Modifier, out: &mut String) {
    let optional = if modifier.optional { ", optional" } else { "" };
    let glued = if modifier.glued { ", no blank before it" } else { "" };
    let after = if modifier.after_execution { ", after the execution size" } else { "" };
    let what = match modifier.kind {
        ModifierKind::ChannelMask => "selection of R, G, B, A in this order".to_owned(),
        ModifierKind::BooleanFunction => "x and two hexadecimal digits".to_owned(),
        ModifierKind::FenceOptions => "selection of E, I, S, C, R, L1 in this order".to_owned(),
        ModifierKind::RenderTargetOptions => "options in angle brackets".to_owned(),
        ModifierKind::Word | ModifierKind::Number => String::new(),
    };
    let mut values: Vec<String> = Vec::new();
    for value in modifier.values {
        let mut text = value.text.to_owned();
        if modifier.kind == ModifierKind::Word && value.number != 0 {
            let _ = write!(text, "={}", value.number);
        }
        if value.platforms != super::PlatformSet::ALL {
            let _ = write!(text, " ({})", value.platforms.describe());
        }
        text += ["", " (pedantic)", " (warning)"][usize::from(value.tier.min(2))];
        values.push(text);
    }
    let _ = writeln!(out, "  .{:<18} {what}{}{optional}{glued}{after}", modifier.name, values.join(", "));
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
    line("types (pedantic)", types(operand.types.seen));
    line("types (warning)", types(operand.types.tolerated));
    for more in operand.types_by_platform {
        line("types", format!("{} on {}", types(more.value), more.platforms.describe()));
    }
    if let Some(bytes) = operand.bytes {
        line("bytes", formula(bytes, row));
    }
    if let Some(bytes) = operand.bytes_tolerated {
        line("bytes at least", formula(bytes, row));
    }
    match (operand.minimum, operand.maximum) {
        (None, None) => {}
        (a, b) => line(
            "range",
            format!("{} to {}", a.map_or("any".into(), |a| a.to_string()), b.map_or("any".into(), |b| b.to_string())),
        ),
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
                OperandKind::Address => "address",
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
                OperandKind::LscAddress => "address",
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
        Memory::Scratch => "scratch space",
        Memory::Lsc => "what the address says",
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
        line("coordinates", access.coordinates.join(", "));
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
