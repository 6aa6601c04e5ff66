//! Keys of an instruction: platforms, text version, predicate, saturation, execution size and mask.

use super::{Example, Faults, Line, each_row, each_row_but};
use visa_lint::base::rule::Level;
use visa_lint::base::span::Span;
use visa_lint::spec::family::Check;
use visa_lint::spec::instruction::{Execution, Flow, NoMask, Predication, Saturation};
use visa_lint::spec::{Platform, words};

#[test]
fn platforms() {
    each_row(|example, faults| {
        let row = example.row;
        for platform in Platform::all() {
            let line = Line::example(row).on(platform);
            let tiers = &row.platforms;
            let named = |faults: &mut Faults, level| faults.faulty(&line, "unsupported-instruction", level);
            if !words::platforms_of(row).contains(platform) {
                named(faults, Level::Error);
            } else if tiers.legal.contains(platform) {
                faults.level(&line, "unsupported-instruction", None);
            } else if row.has(Check::LocalFence) {
                // A fence of one kind of memory, where there is but one kind.
                faults.faulty(&line, "unsupported-instruction", Level::Warning);
            } else if example_is_the_same_on(example, platform) {
                named(
                    faults,
                    match (tiers.tolerated.contains(platform), row.asked_for) {
                        (true, _) => Level::Warning,
                        (false, true) => Level::Error,
                        (false, false) => Level::Pedantic,
                    },
                );
            }
        }
    });
}

/// Whether registers have as many bytes there as where the example is known to be legal.
fn example_is_the_same_on(example: &Example, platform: Platform) -> bool {
    platform.grf_bytes() == example.row.example_platform.grf_bytes()
}

#[test]
fn older_text_does_not_know_newer_mnemonics() {
    each_row(|example, faults| {
        let line = Line::example(example.row);
        let text = line.program().replacen(".version 4.2", ".version 4.1", 1);
        let mut options = crate::support::as_excerpt(crate::support::on(line.platform), "");
        options.pedantic = true;
        let found = visa_lint::checks::check(&text, &options);
        let mnemonic = example.row.mnemonic;
        let is_told = found.iter().any(|d| d.rule.name == "wrong-text-version");
        if example.row.newer_text && !is_told {
            faults.add(format!("{mnemonic}: older assemblers do not know it"));
        }
    });
}

#[test]
fn predicates() {
    each_row(|example, faults| {
        let row = example.row;
        let mut with = Line::example(row);
        if row.predicate != Predication::Required && example.spans().predicate.is_empty() {
            with.text = format!("(P1) {}", row.example);
        }
        match row.predicate {
            Predication::Forbidden => faults.faulty(&with, "predicate-not-allowed", Level::Error),
            Predication::Dropped => faults.faulty(&with, "dropped-modifier", Level::Error),
            Predication::Allowed if row.has(Check::LostPredicate) => {
                faults.faulty(&with, "dropped-modifier", Level::Warning);
            }
            Predication::Allowed if row.flow == Flow::Jump => {
                // A jump tests one element.
                with.text = with.text.replacen("P1", "Pone", 1);
                faults.legal(&with.and_declare(".decl Pone v_type=P num_elts=1\n"));
            }
            Predication::Allowed if row.flow == Flow::FunctionReturn => {
                with.text += &format!("\n    {}", row.example);
                faults.legal(&with);
            }
            Predication::Allowed => faults.legal(&with),
            Predication::Required => {
                faults.legal(&with);
                let predicate = Span::new(example.spans().predicate.start, example.spans().mnemonic.start);
                faults.faulty(&example.with(predicate, ""), "missing-predicate", Level::Error);
            }
        }
    });
}

/// The example with `.sat` after its modifiers.
fn saturated(example: &Example) -> Option<Line> {
    let spans = example.spans();
    let end = if spans.exec.is_empty() { return None } else { spans.exec.start };
    let before = &example.row.example[..(end - example.line.start) as usize];
    (!before.contains(".sat"))
        .then(|| example.with(Span::at(example.line.start + before.trim_end().len() as u32), ".sat"))
}

#[test]
fn saturation() {
    const RULE: &str = "saturation-not-allowed";
    each_row(|example, faults| {
        let row = example.row;
        let Some(line) = saturated(example) else { return };
        match row.saturate {
            Saturation::Tolerated => faults.faulty(&line, RULE, Level::Warning),
            // Stochastic rounding is seen to saturate 8-bit floats; the example writes another type.
            Saturation::Seen if !row.has(Check::StochasticRounding) => faults.faulty(&line, RULE, Level::Pedantic),
            Saturation::Forbidden | Saturation::Seen => faults.faulty(&line, RULE, Level::Error),
            Saturation::Allowed | Saturation::Floats => {
                for platform in words::platforms_of(row).iter().filter(|p| row.platforms.legal.contains(*p)) {
                    let line = line.clone().on(platform);
                    if row.saturate_platforms.contains(platform) {
                        faults.level(&line, RULE, None);
                    } else {
                        faults.faulty(&line, RULE, Level::Error);
                    }
                }
            }
        }
    });
}

#[test]
fn execution_sizes() {
    each_row(|example, faults| {
        let row = example.row;
        let spans = example.spans();
        if spans.size.is_empty() {
            if row.execution == Execution::None && !row.mnemonic.chars().all(char::is_uppercase) {
                let last = example.view().modifiers.iter().map(|m| m.span.end).max().unwrap_or(0);
                let line = example.with(Span::at(spans.mnemonic.end.max(last)), " (M1, 8)");
                faults.faulty(&line, "unexpected-exec-size", Level::Error);
            }
            return;
        }
        for platform in row.platforms.legal.iter() {
            for size in [1, 2, 4, 8, 16, 32] {
                let here = |x: &&visa_lint::spec::instruction::OnPlatforms<_>| x.platforms.contains(platform);
                let is_legal = row.exec_sizes.legal.contains(size)
                    || row.exec_sizes_by_platform.iter().filter(here).any(|x| x.value.contains(size));
                let line = example.with(spans.size, &size.to_string()).on(platform);
                if is_legal {
                    // What an LSC message takes depends on its unit.
                    let alike = || example.with_all_beside_others(&[(spans.size, size.to_string())]).into_iter();
                    if line.level_of("unsupported-exec-size").is_some()
                        && alike().all(|line| line.on(platform).level_of("unsupported-exec-size").is_some())
                    {
                        faults.level(&line, "unsupported-exec-size", None);
                    }
                    faults.level(&line, "invalid-exec-size", None);
                } else if platform.grf_bytes() == row.example_platform.grf_bytes() {
                    let level = match () {
                        () if row.exec_sizes.seen.contains(size) => Level::Pedantic,
                        () if row.exec_sizes.tolerated.contains(size) => Level::Warning,
                        () => Level::Error,
                    };
                    // A form of media kernels, and the example is one.
                    let is_of_media = level == Level::Warning && row.has(Check::PredicateFromBits);
                    if is_of_media {
                        faults.level(&line, "unsupported-exec-size", None);
                    } else {
                        faults.faulty(&line, "unsupported-exec-size", level);
                    }
                }
            }
        }
        faults.faulty(&example.with(spans.size, "5"), "invalid-exec-size", Level::Error);
        if !spans.mask.is_empty() {
            faults.faulty(&example.with(spans.mask, "M0"), "unknown-exec-mask", Level::Error);
            faults.faulty(&example.with(spans.exec, ""), "missing-exec-size", Level::Error);
        }
    });
}

/// Instructions of which a rule of their own asks for an execution mask that is ignored.
const WITH_OWN_RULE: &[(&str, &str)] = &[
    ("fcvt", "of conversions to and from floats of eight bits every lane is converted"),
    ("ret", "with the execution size 1 all lanes return"),
];

#[test]
fn masks() {
    each_row_but(WITH_OWN_RULE, |example, faults| {
        let (row, spans) = (example.row, example.spans());
        if spans.mask.is_empty() {
            return;
        }
        let masked = example.with(spans.mask, "M1");
        match row.no_mask {
            NoMask::Required => faults.faulty(&masked, "missing-no-mask", Level::Error),
            NoMask::Recommended => faults.faulty(&masked, "missing-no-mask", Level::Pedantic),
            NoMask::Free => {
                let said = masked.level_of("missing-no-mask");
                let problem = said.map(|said| masked.problem(&format!("expected nothing, not {said:?}"), &[]));
                faults.unless(row.mnemonic.to_owned(), problem);
            }
        }
        let unmasked = example.with(spans.mask, "M1_NM");
        faults.level(&unmasked, "missing-no-mask", None);
        if row.execution != Execution::MaskAndSize {
            return;
        }
        let size = u32::from(example.view().instruction.exec_size);
        for mask in 1..=8 {
            let line = example.with(spans.mask, &format!("M{mask}_NM"));
            let first = 4 * (mask - 1);
            if first % size != 0 || first + size > 32 {
                faults.faulty(&line, "misaligned-exec-mask", Level::Error);
            } else {
                faults.level(&line, "misaligned-exec-mask", None);
            }
        }
    });
}
