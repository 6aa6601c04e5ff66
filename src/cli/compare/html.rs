//! What changed, side by side on one page.

use super::text::{summary, title};
use super::{Changed, Line, Report, Told, Version, Written};
use crate::report::html::{escaped, page};
use std::fmt::Write as _;
use std::path::Path;

/// So many lines that stayed are shown around those that changed.
const N_CONTEXT: usize = 3;

/// The whole page.
pub(super) fn write(report: &Report, old: &Path, new: &Path) -> String {
    let mut body = format!("<p class=\"summary\">{}</p>\n", escaped(&summary(report)));
    write_findings("New findings", &report.new_findings, &mut body);
    write_findings("Findings that are gone", &report.gone_findings, &mut body);
    for kernel in report.kernels.iter().filter(|kernel| !kernel.is_same) {
        write_kernel(kernel, &mut body);
    }
    page(&format!("{} and {}", old.display(), new.display()), &body)
}

fn write_findings(title: &str, findings: &[Told], out: &mut String) {
    if findings.is_empty() {
        return;
    }
    // Writing into a string does not fail.
    let _ = writeln!(out, "<h2>{title} ({})</h2>\n<table class=\"findings\">", findings.len());
    for told in findings {
        let _ = writeln!(
            out,
            "<tr class=\"{}\"><td>{}:{}</td><td>{}</td><td>{}</td></tr>",
            told.level,
            escaped(told.place.path),
            told.place.line,
            told.rule,
            escaped(told.message)
        );
    }
    out.push_str("</table>\n");
}

fn write_kernel(kernel: &Changed, out: &mut String) {
    let name = |version: &Option<Version>| version.as_ref().map(title).unwrap_or_default();
    let place = |version: &Option<Version>| {
        version.as_ref().map_or_else(String::new, |v| {
            format!("{}:{}, {} instructions", v.place.path, v.place.line, v.n_instructions)
        })
    };
    let word = match (&kernel.old, &kernel.new) {
        (Some(_), None) => "gone",
        (None, Some(_)) => "new",
        _ => "changed",
    };
    let (old, new) = (name(&kernel.old), name(&kernel.new));
    let both = if old == new || new.is_empty() {
        old
    } else if old.is_empty() {
        new
    } else {
        format!("{old}, now {new}")
    };
    let _ = writeln!(out, "<details open class=\"kernel\"><summary>{word}: {}</summary>", escaped(&both));
    let messages = kernel.messages.iter().map(|m| (m.mnemonic, m.old, m.new));
    let live = kernel.live_registers().map(|(old, new)| ("live registers, at most", old as usize, new as usize));
    let mut items = String::new();
    for (name, old, new) in messages.chain(live) {
        let _ = write!(items, "<li>{name}: {old} &rarr; {new}</li>");
    }
    if !items.is_empty() {
        let _ = writeln!(out, "<ul class=\"messages\">{items}</ul>");
    }
    let _ = writeln!(
        out,
        "<table class=\"diff\"><thead><tr><th colspan=\"2\">{}</th><th colspan=\"2\">{}</th></tr></thead>",
        escaped(&place(&kernel.old)),
        escaped(&place(&kernel.new))
    );
    for gone in &kernel.gone_directives {
        write_row(Some(*gone), None, "gone", "", out);
    }
    for new in &kernel.new_directives {
        write_row(None, Some(*new), "", "new", out);
    }
    write_lines(&kernel.lines, out);
    out.push_str("</table></details>\n");
}

/// The lines that changed and those near them. In a run of lines that are gone and lines that are new, the first of each
/// stand side by side.
fn write_lines(lines: &[Line], out: &mut String) {
    let changed: Vec<usize> = (0..lines.len()).filter(|i| !lines[*i].is_same).collect();
    let is_near = |i: usize| {
        let next = changed.partition_point(|at| at + N_CONTEXT < i);
        changed.get(next).is_some_and(|at| *at <= i + N_CONTEXT)
    };
    let mut i = 0;
    let mut is_cut = false;
    while i < lines.len() {
        let line = lines[i];
        if line.is_same && !is_near(i) {
            is_cut = true;
            i += 1;
            continue;
        }
        if is_cut {
            out.push_str("<tr class=\"cut\"><td colspan=\"4\">&hellip;</td></tr>\n");
            is_cut = false;
        }
        if line.is_same {
            write_row(line.old, line.new, "", "", out);
            i += 1;
            continue;
        }
        if line.old.is_some() && line.new.is_some() {
            write_row(line.old, line.new, "gone", "new", out);
            i += 1;
            continue;
        }
        let n = lines[i..].iter().take_while(|l| !l.is_same && l.old.is_some() != l.new.is_some()).count();
        let run = &lines[i..i + n];
        let (old, new): (Vec<Written>, Vec<Written>) =
            (run.iter().filter_map(|l| l.old).collect(), run.iter().filter_map(|l| l.new).collect());
        for k in 0..old.len().max(new.len()) {
            let (a, b) = (old.get(k).copied(), new.get(k).copied());
            write_row(a, b, if a.is_some() { "gone" } else { "" }, if b.is_some() { "new" } else { "" }, out);
        }
        i += n;
    }
}

fn write_row(old: Option<Written>, new: Option<Written>, old_class: &str, new_class: &str, out: &mut String) {
    let mut cells = String::new();
    for (written, class) in [(old, old_class), (new, new_class)] {
        let (line, text) = written.map_or((String::new(), String::new()), |w| (w.line.to_string(), escaped(w.text)));
        let _ = write!(cells, "<td class=\"line\">{line}</td><td class=\"{class}\"><code>{text}</code></td>");
    }
    let _ = writeln!(out, "<tr>{cells}</tr>");
}
