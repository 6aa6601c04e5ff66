//! Every key of every instruction's row has an effect: for each instruction, key and slot programs are made of the
//! example, one that is legal and one that breaks the key, and the second has the finding of that key and no other.

mod accesses;
mod context;
mod extents;
mod families;
mod instruction;
mod keys;
mod kinds;
mod modifiers;
mod operands;
mod types;
mod words;

use crate::support::{as_excerpt, kernel, listing, loud, on};
use rayon::prelude::*;
use std::collections::BTreeSet;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::rule::Level;
use visa_lint::base::span::Span;
use visa_lint::checks;
use visa_lint::lower;
use visa_lint::program::{InstructionSpans, Operand, OperandSpans, Program, View};
use visa_lint::spec::instruction::{Instruction, ModifierKind, OperandSlot};
use visa_lint::spec::{self, Platform, Type};

/// An instruction's example as a program, with its place in the text.
struct Example {
    row: &'static Instruction,
    program: Program,
    line: Span,
}

/// An operand of an example.
#[derive(Clone, Copy)]
struct Given<'a> {
    operand: &'a Operand,
    spans: &'a OperandSpans,
    slot: &'static OperandSlot,
}

impl Example {
    fn of(row: &'static Instruction) -> Self {
        let text = Line::example(row).program();
        let start = text.find(row.example).expect("the example is in the text") as u32;
        let program = lower::lower(&text);
        Self { row, program, line: Span::new(start, start + row.example.len() as u32) }
    }

    /// The instruction of the example in the program.
    fn view(&self) -> View<'_> {
        let spans = &self.program.instruction_spans;
        let mut indices = self.program.instructions.entries().map(|(index, _)| index);
        let index = indices.find(|i| self.line.contains(spans[*i].statement.start)).expect("the example was read");
        View::new(&self.program, index).expect("its mnemonic is known")
    }

    fn spans(&self) -> &InstructionSpans {
        self.view().spans
    }

    fn operands(&self) -> Vec<Given<'_>> {
        self.view().each_operand().map(|(operand, spans, slot)| Given { operand, spans, slot }).collect()
    }

    /// The text of a place of the example.
    fn text(&self, span: Span) -> &'static str {
        &self.row.example[(span.start - self.line.start) as usize..(span.end - self.line.start) as usize]
    }

    /// The example with the text at some places replaced.
    fn with_all(&self, changes: &[(Span, String)]) -> Line {
        let mut sorted: Vec<&(Span, String)> = changes.iter().collect();
        sorted.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let mut line = Line::example(self.row);
        for (span, replacement) in sorted {
            let (start, end) = ((span.start - self.line.start) as usize, (span.end - self.line.start) as usize);
            line.text.replace_range(start..end, replacement);
        }
        line
    }

    /// The example with the text at some places replaced, with each value of each of its words, and on each platform that
    /// it is legal on: what is refused beside some of them may be legal beside others.
    fn with_all_beside_others(&self, changes: &[(Span, String)]) -> Vec<Line> {
        let mut lines = vec![self.with_all(changes)];
        let is_free = |span: Span| changes.iter().all(|(other, _)| *other != span);
        for modifier in self.view().modifiers.iter().filter(|m| is_free(m.span)) {
            let slot = &self.row.modifiers[usize::from(modifier.slot)];
            for value in slot.values.iter().filter(|_| slot.kind == ModifierKind::Word) {
                let mut changes = changes.to_vec();
                changes.push((modifier.span, modifiers::written(slot, value.text)));
                lines.push(self.with_all(&changes));
            }
        }
        lines.extend(self.row.platforms.legal.iter().map(|platform| self.with_all(changes).on(platform)));
        lines
    }

    /// The example with the text at one place replaced.
    fn with(&self, span: Span, replacement: &str) -> Line {
        self.with_all(&[(span, replacement.to_owned())])
    }
}

/// A variable of every type that one can be declared with; its name is `V` and that of the type.
fn variable_of(t: Type) -> String {
    format!("V{}", t.row().name)
}

/// Declarations of the types that the prelude has no variable of.
fn further_variables() -> String {
    let declared = |t: &Type| !crate::support::PRELUDE.contains(&format!(".decl {} ", variable_of(*t)));
    let rest = Type::ALL.iter().filter(|t| t.row().declarable && declared(t));
    rest.map(|t| format!(".decl {} v_type=G type={} num_elts=1024 align=GRF\n", variable_of(*t), t.text()))
        .collect::<Vec<_>>()
        .concat()
}

/// A line in the place of an instruction's example.
#[derive(Clone)]
struct Line {
    row: &'static Instruction,
    text: String,
    platform: Platform,
    declarations: String,
    version: &'static str,
}

impl Line {
    fn example(row: &'static Instruction) -> Self {
        Self {
            row,
            text: row.example.to_owned(),
            platform: row.example_platform,
            declarations: String::new(),
            version: "4.2",
        }
    }

    fn on(mut self, platform: Platform) -> Self {
        self.platform = platform;
        self
    }

    fn in_version(mut self, version: &'static str) -> Self {
        self.version = version;
        self
    }

    fn and_declare(mut self, declarations: &str) -> Self {
        self.declarations += declarations;
        self
    }

    /// The line in a program.
    fn program(&self) -> String {
        let text =
            context::program(self.row, &self.text).unwrap_or_else(|| kernel("", &format!("    {}\n", self.text)));
        let text = text.replacen(".version 4.2", &format!(".version {}", self.version), 1);
        text.replacen(".decl ", &format!("{}{}.decl ", further_variables(), self.declarations), 1)
    }

    /// Its findings down to a level.
    fn findings(&self, level: Level) -> Vec<Diagnostic> {
        let mut options = as_excerpt(on(self.platform), "");
        options.pedantic = level == Level::Pedantic;
        checks::check(&self.program(), &options)
    }

    /// Its findings down to a level, those of the line itself and those behind or before it.
    fn sorted_findings(&self, level: Level) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let text = self.program();
        let start = text.find(&self.text).expect("the line is in the program") as u32;
        let place = Span::new(start, start + self.text.len() as u32);
        let is_here = |d: &Diagnostic| place.start <= d.primary.span.start && d.primary.span.start <= place.end;
        self.findings(level).into_iter().partition(is_here)
    }

    /// The level at which the rule speaks of the line.
    fn level_of(&self, rule: &str) -> Option<Level> {
        let (here, _) = self.sorted_findings(Level::Pedantic);
        here.iter().filter(|d| d.rule.name == rule).map(|d| d.level).max()
    }

    /// Why the line is not legal, if it is not.
    fn refused(&self) -> Option<String> {
        let found = loud(self.findings(Level::Warning));
        (!found.is_empty()).then(|| self.problem("expected no finding", &found))
    }

    /// Why the line does not have one finding of one of those rules, and no other at that level or above.
    fn lacks(&self, rules: &[&str], level: Level) -> Option<String> {
        let (mut found, mut elsewhere) = self.sorted_findings(level);
        if level == Level::Pedantic {
            // What else is pedantic does not matter.
            found.retain(|d| d.level > level || rules.contains(&d.rule.name));
        }
        // The partner of a half may have the same fault.
        let is_partners = |d: &Diagnostic| rules.contains(&d.rule.name) || d.rule.name == "unpaired-lifetime";
        elsewhere.retain(|d| d.level >= Level::Warning && !is_partners(d));
        let is_right = matches!(&found[..], [d] if rules.contains(&d.rule.name) && d.level == level);
        found.extend(elsewhere);
        let is_right = is_right && found.len() == 1;
        (!is_right).then(|| self.problem(&format!("expected one {} {}", level.word(), rules.join(" or ")), &found))
    }

    fn problem(&self, expected: &str, found: &[Diagnostic]) -> String {
        let found = listing(&self.program(), found);
        format!("`{}` on {}: {expected}, found:\n    {found}", self.text, self.platform.name())
    }
}

/// What was not as expected.
#[derive(Default)]
struct Faults(Vec<String>, Vec<(String, String)>);

impl Faults {
    /// Expects that the line has no finding.
    fn legal(&mut self, line: &Line) {
        self.0.extend(line.refused());
    }

    /// Expects that the line has one finding of the rule and no other.
    fn faulty(&mut self, line: &Line, rule: &str, level: Level) {
        self.0.extend(line.lacks(&[rule], level));
    }

    /// The same where the form of the text decides which of several rules speaks.
    fn faulty_with_one_of(&mut self, line: &Line, rules: &[&str], level: Level) {
        self.0.extend(line.lacks(rules, level));
    }

    /// Expects that the rule speaks of the line at that level, or not at all, whatever others say.
    fn level(&mut self, line: &Line, rule: &str, level: Option<Level>) {
        let found = line.level_of(rule);
        if found != level {
            let word = |level: Option<Level>| level.map_or("nothing", Level::word);
            self.add(line.problem(&format!("expected {} from {rule}, not {}", word(level), word(found)), &[]));
        }
    }

    fn add(&mut self, problem: String) {
        self.0.push(problem);
    }

    /// Adds a problem, if there is one, that may be among the exemptions of the test under that key.
    fn unless(&mut self, key: String, problem: Option<String>) {
        self.1.extend(problem.map(|problem| (key, problem)));
    }
}

/// Runs `test` for each instruction.
fn each_row(test: impl Fn(&Example, &mut Faults) + Sync) {
    each_row_but(&[], test);
}

/// Runs `test` for each instruction. `exempt` names what does not hold for some of them, each with the reason; an exemption
/// that is not needed is a fault.
fn each_row_but(exempt: &[(&str, &str)], test: impl Fn(&Example, &mut Faults) + Sync) {
    let rows: Vec<&Instruction> = spec::instructions().iter().collect();
    let (mut faults, keyed): (Vec<String>, Vec<(String, String)>) = rows
        .par_iter()
        .map(|row| {
            let mut faults = Faults::default();
            test(&Example::of(row), &mut faults);
            (faults.0, faults.1)
        })
        .reduce(Default::default, |mut all, (faults, keyed)| {
            all.0.extend(faults);
            all.1.extend(keyed);
            all
        });
    let needed: BTreeSet<&str> = keyed.iter().map(|(key, _)| key.as_str()).collect();
    for (key, problem) in keyed.iter().filter(|(key, _)| exempt.iter().all(|(known, _)| known != key)) {
        faults.push(format!("[{key}] {problem}"));
    }
    for (key, _) in exempt.iter().filter(|(key, _)| !needed.contains(key)) {
        faults.push(format!("[{key}] is no exception any more"));
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn examples_are_legal() {
    each_row(|example, faults| faults.legal(&Line::example(example.row)));
}
