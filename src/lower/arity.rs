//! Text that has too few or too many parts: which one is missing or surplus, so that one slip gives one finding.

use super::Lowering;
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::span::Span;
use crate::program::instruction::{Instruction, InstructionSpans};
use crate::program::operand::{Operand, OperandSpans};
use crate::program::variable::VariableId;
use crate::spec::PlatformSet;
use crate::spec::instruction::{KindSet, ModifierKind, OperandKind, OperandSlot};
use crate::spec::predefined::VariableKind;
use crate::spec::{self};
use crate::syntax::tree::{Arguments, Base, ExprKind, Item, ModifierSyntax, RegionSyntax};

crate::declare_rule! {
    /// An instruction with too few operands.
    ///
    /// ```visa bad
    /// add (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1>
    /// ```
    /// ```visa good
    /// add (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> 0x1:d
    /// ```
    pub MISSING_OPERAND = "missing-operand", Error, "5_instruction_set",
        help = "add the operand that is missing"
}

crate::declare_rule! {
    /// Something stands after the last operand of an instruction. A line holds one statement.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> 0x1:d 0x2:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub SURPLUS_OPERAND = "surplus-operand", Error | Warning, "5_instruction_set"
}

/// Operands whose forms are not compared here.
const OTHER: KindSet = KindSet::of(&[
    OperandKind::Sampler,
    OperandKind::LscData,
    OperandKind::LscAddress,
    OperandKind::LscRegister,
    OperandKind::LscSurface,
]);
const HANDLE: KindSet = KindSet::of(&[OperandKind::Surface, OperandKind::State]);
const VECTOR: KindSet = KindSet::of(&[OperandKind::General, OperandKind::Indirect]);
const NUMBER: KindSet = KindSet::of(&[OperandKind::Number, OperandKind::Immediate]);

/// How much of an operand is compared with a slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strictness {
    /// Its form.
    Forms,
    /// Also whether its region is that of a destination or of a source.
    Regions,
    /// Also the type of its variable.
    Types,
}

fn has_region(item: &Item) -> bool {
    item.region != RegionSyntax::None || matches!(item.base, Base::Source(_) | Base::Destination(_))
}

/// Whether the operands of these slots are told apart by their forms: then the text says which one is missing.
pub(super) fn is_plain(slots: &[OperandSlot]) -> bool {
    slots.iter().all(|s| !s.optional && !s.variadic && !s.kinds.intersects(OTHER))
}

impl Lowering<'_> {
    /// Reads operands of which there are too few or too many. Where the forms of the others tell which one it is, these are
    /// read as usual; otherwise all are given up.
    pub(super) fn odd_operands(
        &mut self,
        row: &'static spec::Instruction,
        slots: &'static [OperandSlot],
        first: usize,
        instruction: &mut Instruction,
        spans: &InstructionSpans,
    ) {
        instruction.is_broken = true;
        let items: Vec<Item> =
            self.parser.tree.operands[first..].iter().map(|id| *self.parser.tree.item(*id)).collect();
        let first_slot = row.operands.len() - slots.len();
        // The last place that works: of equal operands the last one was forgotten, or is one too many. Regions and types help
        // where forms leave a choice.
        let find = |n: usize, suits: &dyn Fn(usize, Strictness) -> bool| {
            use Strictness::{Forms, Regions, Types};
            [Types, Regions, Forms].iter().find_map(|strict| {
                let mut places = (0..n).rev().filter(|i| suits(*i, *strict));
                places.next().map(|place| (place, places.next().is_none()))
            })
        };
        let is_reported = self.has_doubtful_mnemonic(items.len().abs_diff(slots.len()));
        if items.len() + 1 == slots.len() {
            let gap = find(slots.len(), &|gap, strict| {
                (0..items.len()).all(|i| self.suits(&slots[i + usize::from(i >= gap)], &items[i], strict))
            });
            if let Some((gap, is_sure)) = gap {
                if !is_reported && (!items.is_empty() || !self.is_incomplete) {
                    self.report_gap(row, slots, gap, &items, spans);
                }
                for (i, slot) in slots.iter().enumerate() {
                    if i == gap {
                        self.push_operand(Operand::Broken, OperandSpans::default(), (first_slot + i) as u8);
                    } else {
                        self.fill(slot, (first_slot + i) as u8, first + i - usize::from(i > gap));
                    }
                }
                self.trust(is_sure, slots.len());
                return;
            }
        } else if items.len() == slots.len() + 1 {
            let surplus = find(items.len(), &|extra, strict| {
                (0..slots.len()).all(|s| self.suits(&slots[s], &items[s + usize::from(s >= extra)], strict))
            });
            if let Some((surplus, is_sure)) = surplus {
                if is_reported {
                    // Nothing more to say.
                } else if surplus + 1 == items.len() {
                    self.report_surplus(row, first + surplus, slots.len());
                } else {
                    self.report_intruder(row, slots, &items[surplus]);
                }
                for (i, slot) in slots.iter().enumerate() {
                    self.fill(slot, (first_slot + i) as u8, first + i + usize::from(i >= surplus));
                }
                self.trust(is_sure, slots.len());
                return;
            }
        }
        for i in 0..slots.len() {
            self.push_operand(Operand::Broken, OperandSpans::default(), (first_slot + i) as u8);
        }
        if is_reported {
            // Nothing more to say.
        } else if items.len() > slots.len() {
            self.report_surplus(row, first + slots.len(), slots.len());
        } else if !items.is_empty() || !self.is_incomplete {
            let place = items.last().map_or(spans.mnemonic, |item| item.span);
            let given =
                if items.is_empty() { "none is given".to_owned() } else { format!("{} given", counted(items.len())) };
            let message = format!("`{}` takes {}, but {given}", row.mnemonic, count(slots.len(), "operand"));
            self.report(
                Diagnostic::new(&MISSING_OPERAND, place, message)
                    .label("nothing follows")
                    .help(format!("the operands are {}", names(slots))),
            );
        }
    }

    /// Whether the modifiers, which were reported, and the wrong number of operands show that another instruction is meant.
    pub(super) fn has_doubtful_mnemonic(&self, n_wrong: usize) -> bool {
        use super::modifier::{EMPTY_CHANNEL_MASK, MISSING_MODIFIER, UNKNOWN_MODIFIER};
        self.program.diagnostics[self.n_before_instruction..].iter().any(|found| {
            [&MISSING_MODIFIER, &EMPTY_CHANNEL_MASK].contains(&found.rule)
                || found.rule == &UNKNOWN_MODIFIER && n_wrong > 1
        })
    }

    /// Gives the last `n` operands up unless it is sure which slots they belong to.
    fn trust(&mut self, is_sure: bool, n: usize) {
        if !is_sure {
            let first = self.program.operands.len() - n;
            self.program.operands[first..].fill(Operand::Broken);
        }
    }

    fn report_gap(
        &mut self,
        row: &spec::Instruction,
        slots: &[OperandSlot],
        gap: usize,
        items: &[Item],
        spans: &InstructionSpans,
    ) {
        let before = gap.checked_sub(1).and_then(|i| items.get(i));
        let place = before.map_or(spans.mnemonic, |item| item.span);
        let label = if gap == items.len() { "nothing follows" } else { "it should follow here" };
        let message = format!("the operand `{}` is missing in `{}`", slots[gap].name, row.mnemonic);
        self.report(
            Diagnostic::new(&MISSING_OPERAND, place, message)
                .label(label)
                .help(format!("the operands are {}", names(slots))),
        );
    }

    fn report_intruder(&mut self, row: &spec::Instruction, slots: &[OperandSlot], item: &Item) {
        let written = item.span.of(self.text);
        let message =
            format!("`{}` takes {}, and `{written}` is none of them", row.mnemonic, count(slots.len(), "operand"));
        self.report(
            Diagnostic::new(&SURPLUS_OPERAND, item.span, message)
                .help(format!("the operands are {}", names(slots)))
                .replace(item.span, "", false),
        );
    }

    /// Whether the text of an operand looks like what a slot takes. A raw operand without its offset, or an immediate
    /// without its type, is near enough.
    fn suits(&self, slot: &OperandSlot, item: &Item, strict: Strictness) -> bool {
        let has = |kind: OperandKind| slot.kinds.contains(kind);
        if strict >= Strictness::Regions && slot.kinds.intersects(VECTOR) && has_region(item) {
            let is_stride = matches!(item.base, Base::Destination(_))
                || matches!(item.region, RegionSyntax::Stride(_) | RegionSyntax::One(_));
            if is_stride != slot.role.writes() {
                return false;
            }
        }
        let id = match item.base {
            Base::Exec | Base::Empty | Base::Index => return false,
            Base::Broken => return true,
            Base::Indirect(..) => return has(OperandKind::Indirect),
            Base::AddressOf(_) => return has(OperandKind::AddressOf),
            Base::Source(_) if slot.kinds.intersects(super::operand::HANDLE) => {
                return slot.pointers != PlatformSet::NONE;
            }
            Base::Source(_) | Base::Destination(_) => return slot.kinds.intersects(VECTOR),
            Base::Expr(id) => id,
        };
        let expr = self.parser.tree.expr(id);
        let ExprKind::Name(name, arguments) = expr.kind else {
            return match expr.kind {
                ExprKind::String => has(OperandKind::String) || has(OperandKind::Label) || has(OperandKind::Function),
                _ if item.suffix.is_some() => has(OperandKind::Immediate),
                ExprKind::Group(_) => slot.kinds.intersects(NUMBER) || has(OperandKind::LabelList),
                _ => slot.kinds.intersects(NUMBER),
            };
        };
        // What is not declared may be anything.
        let Some(variable) = self.find_variable(name.of(self.text)) else { return true };
        let row = &self.program.variables[variable];
        let kind = row.kind;
        let types = slot.types.legal.or(slot.types.seen).or(slot.types.tolerated);
        if strict == Strictness::Types
            && kind == VariableKind::General
            && slot.has_types()
            && variable != VariableId::NULL
            && !types.contains(row.element_type)
        {
            return false;
        }
        match (kind, arguments, item.region) {
            (VariableKind::General, Arguments::Offset(_) | Arguments::OffsetExpr(_), _) => {
                has(OperandKind::Raw) || has(OperandKind::WithLength)
            }
            (VariableKind::General, Arguments::None, RegionSyntax::None) => {
                has(OperandKind::Raw) || has(OperandKind::WithLength) || has(OperandKind::Variable)
            }
            (VariableKind::General, Arguments::Pair(_) | Arguments::List(_), RegionSyntax::None) => {
                has(OperandKind::Element) || slot.kinds.intersects(VECTOR)
            }
            (VariableKind::General, ..) => slot.kinds.intersects(VECTOR),
            (VariableKind::Address, ..) => has(OperandKind::Address),
            (VariableKind::Predicate, ..) => has(OperandKind::Predicate),
            (VariableKind::Surface | VariableKind::Sampler, ..) => slot.kinds.intersects(HANDLE),
        }
    }

    /// Whether the operands from `first` on look like these slots, all of them: then what stands before is meant for the slot
    /// before.
    pub(super) fn are_in_place(&self, slots: &[OperandSlot], first: usize) -> bool {
        let rest = self.parser.tree.operands.get(first..).unwrap_or_default();
        rest.len() == slots.len()
            && !slots.is_empty()
            && slots.iter().zip(rest).all(|(slot, id)| self.suits(slot, self.parser.tree.item(*id), Strictness::Forms))
    }

    /// `T6 (4*4):ud`: a surface and an immediate in parentheses, which the grammar takes for arguments of the name.
    pub(super) fn split_immediates(&mut self, first: usize) {
        let mut place = first;
        while let Some(item) = self.parser.tree.operands.get(place).map(|id| *self.parser.tree.item(*id)) {
            if let Some((head, rest)) = self.handle_and_immediate(&item) {
                let tree = &mut self.parser.tree;
                tree.operands.insert(place + 1, tree.operands[place]);
                tree.replace_operand(place, head);
                tree.replace_operand(place + 1, rest);
                place += 1;
            }
            place += 1;
        }
    }

    fn handle_and_immediate(&mut self, item: &Item) -> Option<(Item, Item)> {
        let (Base::Expr(id), Some(_), RegionSyntax::None) = (item.base, item.suffix, item.region) else { return None };
        let ExprKind::Name(name, Arguments::List(list)) = self.parser.tree.expr(id).kind else { return None };
        let variable = self.find_variable(name.of(self.text))?;
        if !matches!(self.program.variables[variable].kind, VariableKind::Surface | VariableKind::Sampler) {
            return None;
        }
        let open = name.end + self.text[name.end as usize..].find('(')? as u32;
        let end = item.suffix.map_or(item.span.end, |suffix| suffix.start);
        let head = Item { modifier: item.modifier, ..Item::new(name, Base::Expr(self.parser.tree.add_name(name))) };
        let group = self.parser.tree.add_group(Span::new(open, end), list);
        Some((head, Item { span: Span::new(open, item.span.end), base: Base::Expr(group), modifier: None, ..*item }))
    }

    /// `raw_sends 10 1 1 1 (M1, 8)`, as the manual writes it: numbers that belong behind dots. They are read as if they stood
    /// there.
    pub(super) fn undotted_numbers(&mut self, row: &'static spec::Instruction, n_words: usize) {
        let n = row.modifiers.iter().filter(|m| m.kind == ModifierKind::Number && !m.optional).count();
        let tree = &self.parser.tree;
        if n == 0
            || n != row.modifiers.iter().filter(|m| !m.optional).count()
            || tree.modifiers.len() > n_words
            || tree.operands.len() <= n
        {
            return;
        }
        let item = |i: usize| *tree.item(tree.operands[i]);
        let is_number = |item: &Item| matches!(item.base, Base::Expr(e) if item.suffix.is_none() && tree.expr(e).kind == ExprKind::Dec);
        if !(0..n).all(|i| is_number(&item(i))) || !self.is_parenthesis(&item(n)) {
            return;
        }
        let places: Vec<Span> = (0..n).map(|i| item(i).span).collect();
        let whole = places[0].to(places[n - 1]);
        let edits = places
            .iter()
            .map(|place| Edit { span: Span::new(self.gap_before(*place), place.start), text: ".".into() })
            .collect();
        let dotted = places.iter().map(|place| place.of(self.text)).collect::<Vec<_>>().join(".");
        let title = format!("write `{}.{dotted}`", row.mnemonic);
        let message = format!("the numbers of `{}` are written behind dots", row.mnemonic);
        self.report(Diagnostic::new(&super::modifier::MISSING_MODIFIER, whole, message).fix(Fix {
            title,
            edits,
            certain: true,
        }));
        let tree = &mut self.parser.tree;
        tree.operands.drain(..n);
        tree.modifiers.extend(places.into_iter().map(|span| ModifierSyntax { span, is_number: true }));
    }

    /// Where the blanks before a place begin.
    fn gap_before(&self, place: Span) -> u32 {
        self.text[..place.start as usize].trim_end_matches([' ', '\t']).len() as u32
    }

    pub(super) fn report_surplus(&mut self, row: &spec::Instruction, place: usize, n_slots: usize) {
        let ids = &self.parser.tree.operands;
        let item = *self.parser.tree.item(ids[place]);
        let last = self.parser.tree.item(ids[ids.len() - 1]).span;
        let word = item.span.of(self.text);
        let length = word.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let first_word = Span::new(item.span.start, item.span.start + length as u32);
        if spec::lookup(first_word.of(self.text)).is_some() && place > 0 {
            let before = self.parser.tree.item(ids[place - 1]).span;
            let edit = Edit { span: Span::new(before.end, item.span.start), text: "\n".into() };
            let message = format!("a second instruction `{}` stands on the line", first_word.of(self.text));
            self.report(Diagnostic::new(&SURPLUS_OPERAND, first_word, message).fix(Fix {
                title: crate::base::fix::NEW_LINE.into(),
                edits: vec![edit],
                certain: true,
            }));
            return;
        }
        let takes = count(n_slots, "operand");
        let what =
            if place + 1 == ids.len() { format!("`{word}` is one too many") } else { "these are too many".to_owned() };
        let message = format!("`{}` takes {takes}, and {what}", row.mnemonic);
        let diagnostic = Diagnostic::new(&SURPLUS_OPERAND, item.span.to(last), message);
        self.report(if word.starts_with("--") {
            diagnostic.help("comments begin with `//`")
        } else {
            diagnostic.help(format!("the operands are {}", names(&row.operands[row.operands.len() - n_slots..])))
        });
    }

    pub(super) fn report_missing(
        &mut self,
        row: &spec::Instruction,
        slots: &[OperandSlot],
        n_filled: usize,
        spans: &InstructionSpans,
    ) {
        let missing: Vec<&str> = slots.iter().filter(|s| !s.optional).skip(n_filled).map(|s| s.name.text()).collect();
        let what = match missing.as_slice() {
            [] => "an operand is missing".to_owned(),
            [one] => format!("the operand `{one}` is missing"),
            many => format!("the operands {} are missing", spec::join_and(many.iter().map(|m| format!("`{m}`")))),
        };
        let place = self.program.operand_spans.last().filter(|_| n_filled > 0).map_or(spans.mnemonic, |s| s.whole);
        let label = if n_filled > 0 { "nothing follows" } else { "" };
        self.report(
            Diagnostic::new(&MISSING_OPERAND, place, format!("{what} in `{}`", row.mnemonic))
                .label(label)
                .help(format!("the operands are {}", names(slots))),
        );
    }
}

/// "1 is", "2 are".
fn counted(n: usize) -> String {
    if n == 1 { "1 is".to_owned() } else { format!("{n} are") }
}

/// "1 operand", "3 operands".
fn count(n: usize, noun: &str) -> String {
    match n {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

fn names(slots: &[OperandSlot]) -> String {
    if slots.is_empty() {
        return "none".to_owned();
    }
    slots
        .iter()
        .map(|s| match (s.optional, s.variadic) {
            (_, true) => format!("`{}`...", s.name),
            (true, false) => format!("`{}` (optional)", s.name),
            (false, false) => format!("`{}`", s.name),
        })
        .collect::<Vec<_>>()
        .join(", ")
}
