//! Labels, and the branches that name them.

use super::Scope;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::base::symbol::Symbol;
use crate::checks::context::Sink;
use crate::checks::declaration::TOO_MANY_DECLARATIONS;
use crate::lower::directive::UNPORTABLE_NAME;
use crate::lower::fragment::HOLES;
use crate::program::cfg::{Block, BlockEnd, SubroutineId, Target};
use crate::program::{Instruction, InstructionIndex, LabelId};
use crate::spec::instruction::Flow;

crate::declare_rule! {
    /// A branch or call to a label that the kernel or function does not define. Labels of another kernel of the same file
    /// do not count.
    ///
    /// ```visa bad
    /// (P1) goto (M1, 32) lable_1
    /// ```
    /// ```visa good
    /// (P1) goto (M1, 32) label_1
    /// ```
    pub UNDEFINED_LABEL = "undefined-label", Error, "JMP",
        help = "write the label in the same kernel or function, at the place where control shall go on"
}

crate::declare_rule! {
    /// A label, or a subroutine, that a kernel or function defines twice. Branches go to one of the two, and the text
    /// does not say to which.
    ///
    /// ```visa bad
    /// again:
    /// again:
    /// ```
    /// ```visa good
    /// again:
    /// once_more:
    /// ```
    pub DUPLICATE_LABEL = "duplicate-label", Error, "4_visa_header",
        help = "give one of them another name: a branch would go to either"
}

crate::declare_rule! {
    /// A branch to a place where it may not go. `jmp`, `goto` and `switchjmp` go to a label of their own subroutine;
    /// `call` goes to a `.function` of the same kernel, but not to the first one, where the kernel begins; `fccall`
    /// goes to a kernel that is not in the file.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// .function "main"
    /// main:
    ///     goto (M1, 16) helper
    /// .function "helper"
    /// helper:
    ///     ret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .function "main"
    /// main:
    ///     call (M1, 16) helper
    ///     ret (M1, 1)
    /// .function "helper"
    /// helper:
    ///     ret (M1, 16)
    /// ```
    pub ILLEGAL_BRANCH_TARGET = "illegal-branch-target", Error, "3_execution_model",
        help = "`jmp` and `goto` go to a label of their own subroutine, `call` to a `.function` of this kernel, `fccall` to another kernel"
}

crate::declare_rule! {
    /// A label that has the name of a subroutine, but does not stand at its beginning. Assemblers silently ignore such a
    /// label: nothing can branch to it.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// .function "main"
    /// main:
    ///     call (M1, 16) helper
    /// helper:
    ///     ret (M1, 1)
    /// .function "helper"
    /// helper:
    ///     ret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .function "main"
    /// main:
    ///     call (M1, 16) helper
    /// end:
    ///     ret (M1, 1)
    /// .function "helper"
    /// helper:
    ///     ret (M1, 16)
    /// ```
    pub IGNORED_LABEL = "ignored-label", Warning, "4_visa_header"
}

/// Longest name of a label.
const MAX_LABEL_LENGTH: u32 = 1024;
/// Greatest number of labels of a kernel or function.
const MAX_LABELS: usize = 4096;
/// How many reports of one object may look for a similar name; more would cost more than they help.
const MAX_SUGGESTIONS: usize = 20;

/// Checks the labels of an object and the branches in it.
pub fn check(scope: &Scope, sink: &mut Sink) {
    let duplicates = definitions(scope, sink);
    let undefined = branches(scope, sink, &duplicates);
    report(scope, sink, &duplicates, &undefined);
}

/// A label that is defined again.
struct Duplicate {
    name: Symbol,
    first: LabelId,
    second: LabelId,
}

/// Checks the definitions. Returns those that repeat an earlier one.
fn definitions(scope: &Scope, sink: &mut Sink) -> Vec<Duplicate> {
    let program = scope.program();
    let mut duplicates = Vec::new();
    let mut n_labels = 0;
    for id in scope.object.labels.clone().map(LabelId) {
        let label = &program.labels[id];
        if label.span.len() > MAX_LABEL_LENGTH {
            let message = format!("a label of {} characters", label.span.len());
            sink.report(
                Diagnostic::new(&UNPORTABLE_NAME, label.span, message)
                    .note(format!("the manual allows {MAX_LABEL_LENGTH}")),
            );
        }
        let first = match scope.flow.target(label.name) {
            Some(Target::Block(first, _)) => first,
            Some(Target::Subroutine(function, _)) if label.is_function => function,
            Some(Target::Subroutine(function, _)) => {
                if !opens_function(scope, id) {
                    let name = program.names.name(label.name);
                    let message = format!("the label `{name}` is ignored, because a subroutine has this name");
                    let diagnostic = Diagnostic::new(&IGNORED_LABEL, label.span, message);
                    sink.report(
                        diagnostic.also(program.labels[function].span, "the subroutine").help("rename the label"),
                    );
                }
                continue;
            }
            None => continue,
        };
        if first != id {
            duplicates.push(Duplicate { name: label.name, first, second: id });
        } else if !label.is_function {
            n_labels += 1;
            if n_labels == MAX_LABELS + 1 {
                let message = format!("this {} has more than {MAX_LABELS} labels", scope.noun());
                let diagnostic = Diagnostic::new(&TOO_MANY_DECLARATIONS, label.span, message).level(Level::Pedantic);
                sink.report(diagnostic.label("one too many"));
            }
        }
    }
    duplicates.sort_by_key(|d| (d.name, d.second));
    duplicates
}

/// Whether a label stands right below the `.function` whose name it has; debug information may stand between the two.
fn opens_function(scope: &Scope, label: LabelId) -> bool {
    let program = scope.program();
    let own = &program.labels[label];
    if label.0 == scope.object.labels.start {
        return false;
    }
    let above = &program.labels[LabelId(label.0 - 1)];
    let mut between = (above.instruction..own.instruction).map(InstructionIndex);
    above.is_function && above.name == own.name && between.all(|i| super::is_marker(program, i))
}

/// The branches and calls that could be read, each with a target that it names.
fn targets<'s>(scope: &'s Scope) -> impl Iterator<Item = (&'s Block, InstructionIndex, Symbol, Span)> {
    let of_block = move |block: &'s Block| {
        let branches = matches!(block.ends, BlockEnd::Jump | BlockEnd::Goto | BlockEnd::Switch | BlockEnd::Call);
        let last = block.last().filter(|i| branches && !scope.program().instructions[*i].is_broken);
        last.into_iter().flat_map(move |i| scope.targets(i).map(move |(name, span)| (block, i, name, span)))
    };
    scope.flow.blocks.iter().flat_map(of_block)
}

/// Checks the targets of all branches. Returns those that nothing defines.
fn branches(scope: &Scope, sink: &mut Sink, duplicates: &[Duplicate]) -> Vec<(Symbol, Span, InstructionIndex)> {
    let mut undefined = Vec::new();
    for (block, branch, name, span) in targets(scope) {
        let Some(target) = scope.flow.target(name) else {
            undefined.push((name, span, branch));
            continue;
        };
        // Which of two definitions is meant cannot be told.
        if duplicates.binary_search_by_key(&name, |d| d.name).is_err() {
            check_target(scope, sink, block, branch, target, span);
        }
    }
    undefined
}

/// Reports the targets that nothing defines in a text of which it is not known how often its lines are there.
pub fn check_undefined(scope: &Scope, sink: &mut Sink) {
    let is_undefined = |name: &Symbol| scope.flow.target(*name).is_none();
    let read = targets(scope).map(|(_, branch, name, span)| (name, span, branch));
    let mut undefined: Vec<_> = read.filter(|(name, ..)| is_undefined(name)).collect();
    undefined.extend(unread_targets(scope).filter(|(name, ..)| is_undefined(name)));
    undefined.sort_by_key(|(_, span, _)| span.start);
    report(scope, sink, &[], &undefined);
}

/// The targets of branches of which other parts are not known.
fn unread_targets(scope: &Scope) -> impl Iterator<Item = (Symbol, Span, InstructionIndex)> {
    let is_branch = |row: &Instruction| scope.program().row(row).is_some_and(|row| row.flow.goes_to_labels());
    scope.program().fragment.as_deref().into_iter().flat_map(move |fragment| {
        let unread = fragment.unread.iter().filter(move |(_, row)| is_branch(row));
        let all = unread.flat_map(|(index, row)| scope.targets_of(row).map(move |(name, span)| (name, span, *index)));
        all.filter(|(_, span, _)| !fragment.is_guessed(*span))
    })
}

/// Whether a text may define any label: one of which parts are not known.
#[must_use]
pub fn may_define_any(text: &str) -> bool {
    text.lines().any(|line| line.contains(HOLES) && line.trim_end().ends_with(':'))
}

fn check_target(scope: &Scope, sink: &mut Sink, block: &Block, branch: InstructionIndex, target: Target, span: Span) {
    let labels = &scope.program().labels;
    let written = scope.cx.text(span).trim_matches('"');
    let illegal = |message: String| Diagnostic::new(&ILLEGAL_BRANCH_TARGET, span, message);
    let diagnostic = match (block.ends, target) {
        (BlockEnd::Call, Target::Block(label, _)) => {
            illegal(format!("`{written}` is a label, and `call` needs a `.function`"))
                .also(labels[label].span, "a label, not a `.function`")
        }
        (BlockEnd::Call, Target::Subroutine(label, SubroutineId(0))) => {
            illegal(format!("`{written}` is where the {} begins, and cannot be called", scope.noun()))
                .also(labels[label].span, "the first subroutine is the entry")
        }
        (BlockEnd::Call, Target::Subroutine(..)) => return,
        (_, Target::Subroutine(label, _)) => {
            let mnemonic = scope.mnemonic(branch);
            illegal(format!("`{written}` is a subroutine, and `{mnemonic}` needs a label"))
                .also(labels[label].span, "a `.function`, not a label")
                .help("subroutines are entered by `call`")
        }
        (_, Target::Block(label, to)) => {
            let to = scope.flow.blocks[to].subroutine;
            if to == block.subroutine {
                return;
            }
            let message = match scope.flow.subroutines[to].label {
                Some(function) => format!(
                    "`{written}` lies in another subroutine, `{}`",
                    scope.program().names.name(labels[function].name)
                ),
                None => format!("`{written}` lies outside this subroutine"),
            };
            illegal(message)
                .also(labels[label].span, "defined here")
                .help("a branch can neither enter nor leave a subroutine")
        }
    };
    sink.report(diagnostic);
}

/// Reports labels that are defined twice, and labels that are not defined. Where there is one of each, the label is
/// misspelt, and that is one fault.
fn report(scope: &Scope, sink: &mut Sink, duplicates: &[Duplicate], undefined: &[(Symbol, Span, InstructionIndex)]) {
    let program = scope.program();
    let names = &program.names;
    let only_undefined = undefined.first().filter(|(name, ..)| undefined.iter().all(|(n, ..)| n == name));
    let misspelt = only_undefined.filter(|_| duplicates.len() == 1);
    for duplicate in duplicates {
        let label = &program.labels[duplicate.second];
        let noun = if label.is_function { "subroutine" } else { "label" };
        let message = format!("the {noun} `{}` is defined a second time", names.name(duplicate.name));
        let mut diagnostic = Diagnostic::new(&DUPLICATE_LABEL, label.span, message)
            .also(program.labels[duplicate.first].span, "the first definition");
        if let Some((name, span, _)) = misspelt {
            diagnostic = diagnostic.also(*span, format!("nothing defines `{}`", names.name(*name)));
        }
        sink.report(diagnostic);
    }
    if misspelt.is_some() {
        return;
    }
    let broken = if undefined.is_empty() { Vec::new() } else { broken_labels(scope) };
    for (i, (name, span, branch)) in undefined.iter().enumerate() {
        let written = names.name(*name);
        if is_broken(&broken, written) {
            continue;
        }
        let mut diagnostic =
            Diagnostic::new(&UNDEFINED_LABEL, *span, format!("`{written}` is not defined in this {}", scope.noun()));
        if i < MAX_SUGGESTIONS {
            diagnostic = explain(scope, diagnostic, *name, *span, *branch);
        }
        sink.report(diagnostic);
    }
}

/// Words of lines that could not be read and may have been meant as labels, and labels whose names are not legal.
fn broken_labels<'p>(scope: &Scope<'p>) -> Vec<String> {
    let program = scope.program();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_$@?.".contains(c);
    // What stands before the colon, or the first word of a line without operands.
    let before_colon = |line: &'p str| match line.split_once(':') {
        Some((before, _)) if !before.contains('(') => Some(before),
        _ => {
            let rest = line.trim_start_matches(is_of_name);
            (!rest.contains('(')).then(|| &line[..line.len() - rest.len()])
        }
    };
    let lines = program.instructions_in(scope.object).filter(|(_, i)| program.row(i).is_none());
    let lines = lines.map(|(index, _)| scope.cx.text(program.instruction_spans[index].statement));
    let is_name = |label: &&str| label.chars().all(is_of_name) && !label.starts_with(|c: char| c.is_ascii_digit());
    let labels = scope.object.labels.clone().filter(|_| scope.object.has_broken_lines);
    let labels = labels.map(|l| program.names.name(program.labels[LabelId(l)].name)).filter(|label| !is_name(label));
    let words = lines.filter_map(before_colon).chain(labels);
    words.map(|word| word.chars().filter(|c| is_of_name(*c)).collect()).take(MAX_BROKEN).collect()
}

/// Broken labels of a kernel or function that are compared with each name, so that very many of both stay linear.
const MAX_BROKEN: usize = 64;

/// Whether one of the broken labels looks like that name, cut or misspelt: very likely it is meant.
fn is_broken(broken: &[String], name: &str) -> bool {
    broken.iter().any(|word| {
        let is_cut = word.len() > 1 && (name.starts_with(word.as_str()) || word.starts_with(name));
        is_cut || word == name || closest(name, std::iter::once(word.as_str())).is_some()
    })
}

/// Says what may have been meant.
fn explain(scope: &Scope, diagnostic: Diagnostic, name: Symbol, span: Span, branch: InstructionIndex) -> Diagnostic {
    let program = scope.program();
    if let Some(object) = program.objects.iter().find(|o| o.name == name) {
        let diagnostic = diagnostic.also(object.name_span, "a function or kernel of its own");
        return if scope.flow_of(branch) == Some(Flow::Call) {
            diagnostic.help("functions are called by `fcall`")
        } else {
            diagnostic
        };
    }
    if let Some(elsewhere) = program.labels.iter().find(|l| l.name == name) {
        return diagnostic.also(elsewhere.span, "this one belongs to another kernel or function");
    }
    let own = scope.object.labels.clone().map(|l| program.names.name(program.labels[LabelId(l)].name));
    match closest(program.names.name(name), own) {
        Some(similar) => {
            let quoted =
                if scope.cx.text(span).starts_with('"') { format!("\"{similar}\"") } else { similar.to_owned() };
            diagnostic.help(format!("did you mean `{similar}`?")).replace(span, quoted, false)
        }
        None => diagnostic,
    }
}
