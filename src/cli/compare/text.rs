//! What changed, for the terminal.

use super::{Changed, Report, Told, Version};
use std::fmt::Write as _;

/// The whole report. Kernels in which nothing changed are only counted.
pub(super) fn write(report: &Report) -> String {
    let mut out = String::new();
    for kernel in report.kernels.iter().filter(|kernel| !kernel.is_same) {
        write_kernel(kernel, &mut out);
        out.push('\n');
    }
    write_findings("new", &report.new_findings, &mut out);
    write_findings("gone", &report.gone_findings, &mut out);
    out + &summary(report) + "\n"
}

/// How much changed, in one line.
pub(super) fn summary(report: &Report) -> String {
    let count = |matches: fn(&Changed) -> bool| report.kernels.iter().filter(|kernel| matches(kernel)).count();
    format!(
        "kernels: {} as before, {} changed, {} gone, {} new; findings: {} as before, {} gone, {} new",
        count(|k| k.is_same),
        count(|k| !k.is_same && k.old.is_some() && k.new.is_some()),
        count(|k| k.new.is_none()),
        count(|k| k.old.is_none()),
        report.n_same_findings,
        report.gone_findings.len(),
        report.new_findings.len(),
    )
}

/// A kernel with its SIMD size, if it says one.
pub(super) fn title(version: &Version) -> String {
    match version.simd_size {
        Some(size) => format!("{} (SIMD{size})", version.kernel),
        None => version.kernel.to_owned(),
    }
}

fn write_kernel(kernel: &Changed, out: &mut String) {
    // Writing into a string does not fail.
    let mut version = |mark: &str, version: Option<&Version>| {
        if let Some(v) = version {
            let (path, line) = (v.place.path, v.place.line);
            let _ = writeln!(out, "{mark} {path}:{line}: {}, {} instructions", title(v), v.n_instructions);
        }
    };
    version("---", kernel.old.as_ref());
    version("+++", kernel.new.as_ref());
    for gone in &kernel.gone_directives {
        let _ = writeln!(out, "-{:<6} {}", gone.line, gone.text);
    }
    for new in &kernel.new_directives {
        let _ = writeln!(out, "+{:<6} {}", new.line, new.text);
    }
    let mut was_changed = true;
    for line in &kernel.lines {
        if line.is_same {
            was_changed = false;
            continue;
        }
        if !was_changed {
            out.push_str("...\n");
            was_changed = true;
        }
        for (mark, written) in [('-', line.old), ('+', line.new)] {
            if let Some(written) = written {
                let _ = writeln!(out, "{mark}{:<6} {}", written.line, written.text);
            }
        }
    }
    for messages in &kernel.messages {
        let _ = writeln!(out, "messages: {} {} -> {}", messages.mnemonic, messages.old, messages.new);
    }
    if let Some((old, new)) = kernel.live_registers() {
        let _ = writeln!(out, "live registers, at most: {old} -> {new}");
    }
}

fn write_findings(word: &str, findings: &[Told], out: &mut String) {
    for told in findings {
        let (path, line) = (told.place.path, told.place.line);
        let _ = writeln!(out, "{word}: {path}:{line}: {}[{}]: {}", told.level, told.rule, told.message);
    }
}
