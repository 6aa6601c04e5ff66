//! What is found when something small is changed: a line of a case holds another number, or is left out, a token of a
//! statement is left out or stands twice, a message has another size. What is found then is blessed in
//! `tests/snapshots/variations`, so that a change of any limit, of any meaning and of any recovery shows. After a change
//! that is meant, `BLESS=1 cargo test variations` writes the files anew: read the difference. Behind the name of a case stand
//! the number of findings in all its variations, and a check sum of all that they say; behind that of a host source another one of
//! what it is read as, behind a statement one of all that is held of the programs with its changes.

use crate::support::{
    A_TO_L, HostSource, M_TO_T, U, V_TO_Z, as_excerpt, asked, blessed, check_sum, check_sum_of, files, host_sources,
    kernel, on, tests_folder,
};
use crate::words::Said;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::checks::{self, Options};
use visa_lint::host::expand;
use visa_lint::lower::lower;
use visa_lint::spec::{self, Platform};

/// Findings in few words: line, level and rule.
fn brief(text: &str, d: &Diagnostic) -> String {
    let line = text[..d.primary.span.start as usize].matches('\n').count() + 1;
    format!("{line} {}[{}]", &d.level.word()[..1], d.rule.name)
}

/// What a check says of the text, with lines as they are in the text that it was made from.
fn findings(text: &str, options: &Options) -> Vec<String> {
    briefly(text, &checks::check(text, options))
}

fn briefly(text: &str, found: &[Diagnostic]) -> Vec<String> {
    let mut all: Vec<String> = found.iter().map(|d| brief(text, d)).collect();
    all.sort();
    all
}

/// What has gone from `before`, and what has come.
fn difference(before: &[String], after: &[String]) -> String {
    let count = |all: &[String], one: &String| all.iter().filter(|x| *x == one).count();
    let mut out = String::new();
    for (sign, from, to) in [('-', before, after), ('+', after, before)] {
        let mut last = None;
        for one in from.iter().filter(|one| count(from, one) > count(to, one)) {
            if last != Some(one) {
                let _ = write!(out, " {sign}{one}");
            }
            last = Some(one);
        }
    }
    out
}

/// The last number of a line that is no part of a name.
fn number(line: &str) -> Option<Range<usize>> {
    let bytes = line.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    let starts = (0..bytes.len()).rev().filter(|i| bytes[*i].is_ascii_digit() && (*i == 0 || !is_word(bytes[*i - 1])));
    starts
        .map(|start| {
            let end = (start..bytes.len()).find(|i| !bytes[*i].is_ascii_alphanumeric()).unwrap_or(bytes.len());
            start..end
        })
        .find(|place| increased(&line[place.clone()]).is_some())
}

/// The number after it, in the same notation.
fn increased(number: &str) -> Option<String> {
    match number.strip_prefix("0x") {
        Some(digits) => Some(format!("{:#x}", u64::from_str_radix(digits, 16).ok()?.checked_add(1)?)),
        None => Some((number.parse::<u64>().ok()? + 1).to_string()),
    }
}

/// The case without a line, and with a greater number in it.
fn variations(lines: &[&str], at: usize) -> Vec<(char, String)> {
    let with = |line: &str| -> String {
        lines.iter().enumerate().flat_map(|(i, own)| [if i == at { line } else { own }, "\n"]).collect()
    };
    // Without its declaration, each use of a variable is the same fault.
    let mut all = if lines[at].starts_with('.') { Vec::new() } else { vec![('-', with(""))] };
    if let Some(place) = number(lines[at]) {
        let mut changed = lines[at].to_owned();
        let next = increased(&changed[place.clone()]).expect("a number");
        changed.replace_range(place, &next);
        all.push(('+', with(&changed)));
    }
    all
}

#[test]
fn lines_of_cases_a_to_l() {
    lines_changed_or_left_out(&A_TO_L);
}

#[test]
fn lines_of_cases_m_to_t() {
    lines_changed_or_left_out(&M_TO_T);
}

#[test]
fn lines_of_cases_u() {
    lines_changed_or_left_out(&U);
}

#[test]
fn lines_of_cases_v_to_z() {
    lines_changed_or_left_out(&V_TO_Z);
}

fn lines_changed_or_left_out(letters: &RangeInclusive<char>) {
    let cases = tests_folder().join("cases");
    let inner = |file: &Path| -> String {
        file.strip_prefix(&cases).expect("a file of the folder").to_string_lossy().replace('\\', "/")
    };
    let all: Vec<(String, String)> = files(&cases, "visaasm")
        .par_iter()
        .filter(|file| inner(file).starts_with(|c| letters.contains(&c)))
        .map(|file| {
            let inner = inner(file);
            let about = inner.split('/').next().unwrap_or_default().to_owned();
            let whole = std::fs::read_to_string(file).expect("a readable case");
            let options = as_excerpt(asked(&whole), &about);
            // Annotations say nothing of the changed text.
            let lines: Vec<&str> = whole.lines().map(|l| if l.starts_with("//~") { "" } else { l }).collect();
            let text: String = lines.iter().flat_map(|l| [*l, "\n"]).collect();
            let before = findings(&text, &options);
            let changed_lines =
                (0..lines.len()).filter(|i| !lines[*i].trim().is_empty() && !lines[*i].starts_with("//"));
            let changes: Vec<(usize, char, String)> = changed_lines
                .flat_map(|at| variations(&lines, at).into_iter().map(move |(sign, changed)| (at + 1, sign, changed)))
                .collect();
            let (out, said): (Vec<String>, Vec<Said>) = changes
                .par_iter()
                .map(|(line, sign, changed)| {
                    let found = checks::check(changed, &options);
                    let mut said = Said::default();
                    said.note(changed, &found);
                    let change = difference(&before, &briefly(changed, &found));
                    let out = if change.is_empty() { String::new() } else { format!("{line}{sign}:{change}\n") };
                    (out, said)
                })
                .unzip();
            let (out, said) = (out.concat(), said.iter().fold(Said::default(), Said::and));
            (about, format!("== {inner} {said}\n{out}"))
        })
        .collect();
    let mut by_rule: BTreeMap<&str, String> = BTreeMap::new();
    for (about, text) in &all {
        by_rule.entry(about).or_default().push_str(text);
    }
    let changed: Vec<&str> = by_rule
        .iter()
        .filter(|(rule, text)| {
            let path = tests_folder().join("snapshots/variations").join(format!("{rule}.txt"));
            std::panic::catch_unwind(|| blessed(&path, text)).is_err()
        })
        .map(|(rule, _)| *rule)
        .collect();
    assert!(changed.is_empty(), "variations of these cases have other findings now: {}", changed.join(", "));
}

#[test]
fn lines_of_hosts_in_cpp() {
    lines_of_hosts("cpp", |ending| ending == "cpp");
}

#[test]
fn lines_of_hosts_in_python() {
    lines_of_hosts("python", |ending| ending == "py");
}

#[test]
fn lines_of_hosts_in_other_languages() {
    lines_of_hosts("other", |ending| ending != "cpp" && ending != "py");
}

/// The same in host sources: each line of them, with a greater number in it or left out.
fn lines_of_hosts(part: &str, is_part: impl Fn(&str) -> bool + Sync) {
    let texts: Vec<String> = host_sources()
        .par_iter()
        .filter(|source| is_part(source.name.rsplit('.').next().unwrap_or_default()))
        .map(|HostSource { name, language, text: whole }| {
            let options = Options { pedantic: true, ..Options::default() };
            let read = |text: &str| visa_lint::host::read(text, *language, None);
            let found = |text: &str, host: &_| checks::fragment::check_host(text, host, &options, None).diagnostics;
            let lines: Vec<&str> = whole.lines().map(|l| if l.contains("//~") { "" } else { l }).collect();
            let whole: String = lines.iter().flat_map(|l| [*l, "\n"]).collect();
            let before = briefly(&whole, &found(&whole, &read(&whole)));
            let (mut out, mut said, mut sum) = (String::new(), Said::default(), 0_u32);
            for at in (0..lines.len()).filter(|i| !lines[*i].trim().is_empty()) {
                for (sign, changed) in variations(&lines, at) {
                    let host = read(&changed);
                    let found = found(&changed, &host);
                    said.note(&changed, &found);
                    sum = sum.wrapping_add(check_sum(&expand::expand(name, &changed, &host)));
                    let change = difference(&before, &briefly(&changed, &found));
                    if !change.is_empty() {
                        let _ = writeln!(out, "{}{sign}:{change}", at + 1);
                    }
                }
            }
            format!("== {name} {said}, {sum:08x}\n{out}")
        })
        .collect();
    assert!(!texts.is_empty(), "no host source in {part}");
    blessed(&tests_folder().join(format!("snapshots/variations/hosts/{part}.txt")), &texts.concat());
}

/// The tokens of a line.
pub fn tokens(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let is_word = |i: usize| bytes[i].is_ascii_alphanumeric() || matches!(bytes[i], b'_' | b'%' | 0x80..);
    let mut all = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        i += 1;
        if bytes[start] == b' ' {
            continue;
        }
        while i < bytes.len() && is_word(start) && is_word(i) {
            i += 1;
        }
        all.push(start..i);
    }
    all
}

/// What a statement becomes if one of its tokens is changed: the change in words, and the statement.
fn respelt(line: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for token in tokens(line) {
        let written = &line[token.clone()];
        let mut changes = vec![String::new(), written.repeat(2), format!(" {written}")];
        if written.starts_with(|c: char| c.is_ascii_digit()) {
            changes.extend(["-1", "0x10000", "0x100000000", "9999999999999999999999"].map(str::to_owned));
        } else if written.starts_with(|c: char| c.is_ascii_alphabetic()) {
            changes.extend([
                written.to_uppercase(),
                format!("{written}q"),
                format!("{written}:d"),
                "VUD".into(),
                "0x1".into(),
            ]);
        } else {
            changes.extend([",", "."].map(str::to_owned));
        }
        all.extend(changes.into_iter().filter(|c| c != written).map(|c| {
            let mut changed = line.to_owned();
            changed.replace_range(token.clone(), &c);
            (format!("{} `{written}` `{c}`", token.start), changed)
        }));
    }
    all
}

/// Statements of every shape.
const STATEMENTS: &[&str] = &[
    "(!P1.any) add.sat (M1_NM, 16) VD(0,0)<1> (-)VD(4,0)<8;8,1> 0x4:d",
    "mov (M5, 16) r[A0(0),32]<1>:d r[A0(1),-4]<0;1,0>:w",
    "mov (M1, 8) VF(1,2)<2> 1.5:f",
    "cmp.lt (M1, 8) P1 VD(0,0)<1;1,0> -0x10:d",
    "setp (M1_NM, 16) P1 0xffff:uw",
    "addr_add (M1_NM, 1) A0(0)<1> &VUD[32] 0x4:uw",
    "movs (M1_NM, 1) T7(1) 0x1:ud",
    "bfn.x80 (M1, 16) VUD(0,0)<1> VUD(4,0)<1;1,0> VUD(8,0)<1;1,0> VUD(12,0)<1;1,0>",
    "dpas.s8.s8.8.8 (M1, 8) VD.0 VD.0 VD.512 VD(32,0)",
    "gather4_scaled.RG (M1, 8) T6 0x0:ud VUD.0 VF.64",
    "gather.4 (M1, 8) .mod T6 0x0:ud VUD.0 VF.0",
    "oword_ld (4) T6 0x10:ud VUD.0",
    "media_st.nomod (16, 4) T6 0 0x4:ud 0x0:ud VUB.0",
    "sample_3d.RGBA (M1, 8) 0x0:uw S0 T6 VF.0 %null.0 VF2.0 VF2.64",
    "rt_write_3d.<RTI><LRTW> (M1, 16) T6 %null.0 0x2:ub VF.0 VF.64 VF.128 VF.192",
    "raw_sends.10.1.1.1 (M1, 8) 0x4a:ud 0x02180200:ud VUD.0 VUD.64 VUD.128",
    "dword_atomic.add (M1, 8) T6 VUD.0 VUD.64 %null.0 VUD.128",
    "fence_global.EI",
    "lsc_load.ugm.ca.ca (M1, 16) VF:d32x2 flat[VUQ+0x100]:a64",
    "lsc_store.slm (M1, 8) flat[4*VUD-0x10]:a32 VUD.64:d32",
    "lsc_load_quad.ugm (M1, 8) VF:d32.xy bti(0x4)[VUD]:a32",
    "lsc_atomic_iadd.ugm (M1, 8) VD:d32 flat[VUQ]:a64 VD2 %null",
    "goto (M1, 8) label_2\nlabel_2:",
    ".decl Vnew v_type=G type=ud num_elts=16 align=GRF alias=<VUD, 64>",
    ".decl Pnew v_type=P num_elts=16",
    ".input VUD offset=32 size=64",
    ".kernel_attr SimdSize=16",
    ".loc 12",
];

#[test]
fn spellings() {
    let options = as_excerpt(on(Platform::DG2), "");
    let texts: Vec<String> = STATEMENTS
        .par_iter()
        .map(|line| {
            let is_declaration = line.starts_with(".decl") || line.starts_with(".input") || line.starts_with(".kernel");
            let program = |line: &str| {
                let line = format!("{line}\n");
                if is_declaration { kernel(&line, "") } else { kernel("", &line) }
            };
            let before = findings(&program(line), &options);
            let (mut out, mut sum) = (String::new(), 0_u32);
            for (what, changed) in respelt(line) {
                let text = program(&changed);
                let change = difference(&before, &findings(&text, &options));
                let _ = writeln!(out, "{}:{change}", what.replace('\n', " / "));
                sum = sum.wrapping_add(check_sum_of(&lower(&text)));
            }
            format!("== {line} {sum:08x}\n{out}")
        })
        .collect();
    blessed(&tests_folder().join("snapshots/variations/spellings.txt"), &texts.concat());
}

/// What stands in the place of a part of an LSC message.
const PARTS: &[(&str, &[&str])] = &[
    (".", &["ugm", "ugml", "slm", "tgm", "urb"]),
    (
        ":d",
        &[
            "d8", "d16", "d32", "d64", "d8c32", "d8u32", "d16c32", "d16u32", "d32x2", "d32x3", "d32x4", "d32x5",
            "d32x8", "d32x16", "d32x32", "d32x64", "d32x1t", "d32x8t", "d32x64t", "d64x2", "d64x32t", "d64x64t",
            "d8x4t", "d32.x", "d32.xz", "d32.xyzw", "d16.xy", "d64.x",
        ],
    ),
    (":a", &["a16", "a32", "a64", "a32u", "a32s", "a64u"]),
    (", ", &["1", "2", "4", "8", "16", "32"]),
    ("[", &["flat", "ss(A0(0))", "bss(A0(0))", "bti(0x1)", "bti(0xf1)", "surf(T6)", "arg", "ss(0x1)"]),
];
const CACHES: [&str; 14] = [
    "",
    ".df.df",
    ".uc.uc",
    ".ca.ca",
    ".ca.uc",
    ".uc.ca",
    ".st.ca",
    ".ri.ca",
    ".wb.wb",
    ".wt.wt",
    ".uc.wb",
    ".st.st",
    ".uc",
    ".uc.uc.uc",
];

/// An LSC message with another unit, data, address size, execution size, address model or caching.
fn messages(line: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut replace = |place: Range<usize>, with: &str| {
        let what = format!("`{}` `{with}`", &line[place.clone()]);
        let mut changed = line.to_owned();
        changed.replace_range(place, with);
        all.push((what, changed));
    };
    let word_end = |start: usize| {
        start + line[start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(line.len() - start)
    };
    let mnemonic_end = line.find('.').unwrap_or(line.len());
    let unit_end = mnemonic_end + 1 + line[mnemonic_end + 1..].find(['.', ' ']).unwrap_or(0);
    let modifiers_end = line.find(' ').unwrap_or(line.len());
    for (mark, words) in PARTS {
        let place = match *mark {
            "." => mnemonic_end + 1..unit_end,
            "[" => {
                let Some(end) = line.find('[') else { continue };
                line[..end].rfind(' ').map_or(0, |i| i + 1)..end
            }
            ", " => {
                let (Some(open), Some(close)) = (line.find(", "), line.find(')')) else { continue };
                if open > close {
                    continue;
                }
                open + 2..close
            }
            mark => {
                let Some(start) = line.find(mark) else { continue };
                start + 1..word_end(start + 1)
            }
        };
        for word in *words {
            replace(place.clone(), word);
        }
    }
    for cache in CACHES {
        replace(unit_end..modifiers_end, cache);
    }
    all
}

/// The platforms that differ in LSC messages.
const PLATFORMS: [Platform; 4] = [Platform::DG2, Platform::PVC, Platform::XE2, Platform::XE3P_CRI];

#[test]
fn messages_of_the_load_store_cache() {
    let alike = [
        "isub", "smin", "smax", "umin", "umax", "fsub", "fmin", "fmax", "and", "or", "xor", "idec", "bfsub", "bfmin",
        "bfmax",
    ];
    let rows = spec::instructions().iter().filter(|row| row.mnemonic.starts_with("lsc_"));
    let rows: Vec<_> =
        rows.filter(|row| !alike.iter().any(|word| row.mnemonic.ends_with(&format!("atomic_{word}")))).collect();
    let texts: Vec<String> = rows
        .par_iter()
        .map(|row| {
            let mut out = format!("== {}\n", row.example);
            for (what, line) in messages(row.example) {
                let text = kernel("", &format!("    {line}\n"));
                let mut said: Vec<(String, Vec<&str>)> = Vec::new();
                for platform in PLATFORMS {
                    let found = findings(&text, &as_excerpt(on(platform), ""));
                    let found: Vec<&str> = found.iter().filter_map(|f| f.split_once(' ')).map(|(_, f)| f).collect();
                    let found = found.join(" ");
                    match said.iter_mut().find(|(f, _)| *f == found) {
                        Some((_, platforms)) => platforms.push(platform.name()),
                        None => said.push((found, vec![platform.name()])),
                    }
                }
                let _ = write!(out, "{what}:");
                for (found, platforms) in said {
                    let _ =
                        write!(out, " {}: {};", platforms.join(" "), if found.is_empty() { "legal" } else { &found });
                }
                out.push('\n');
            }
            out
        })
        .collect();
    blessed(&tests_folder().join("snapshots/variations/lsc.txt"), &texts.concat());
}

/// 2D blocks of all shapes: a row of letters for each height, a letter for each width.
#[test]
fn blocks() {
    const WIDTHS: [u32; 11] = [0, 1, 2, 4, 8, 9, 16, 17, 32, 64, 65];
    const HEIGHTS: [u32; 9] = [0, 1, 2, 8, 16, 32, 33, 64, 65];
    let mut shapes = Vec::new();
    for platform in [Platform::PVC, Platform::XE3P_CRI] {
        for bits in [8, 16, 32, 64] {
            for n_blocks in [1, 2, 3, 4, 8] {
                shapes.push((platform, bits, n_blocks, "nn", "prefetch"));
                for order in ["nn", "tn", "nt", "tt"] {
                    shapes.extend(["load", "store"].map(|kind| (platform, bits, n_blocks, order, kind)));
                }
            }
        }
    }
    let texts: Vec<String> = shapes
        .into_par_iter()
        .map(|(platform, bits, n_blocks, order, kind)| {
            let mut out = format!("{} {kind} d{bits}.{n_blocks}x..{order}:", platform.name());
            for height in HEIGHTS {
                out.push(' ');
                for width in WIDTHS {
                    let shape = format!("d{bits}.{n_blocks}x{width}x{height}{order}");
                    let address = "flat[VUQ,0xff,0x3f,0xff,VD,VD2]";
                    let line = match kind {
                        "load" => format!("lsc_load_block2d.ugm (M1_NM, 1) VUB:{shape} {address}"),
                        "store" => format!("lsc_store_block2d.ugm (M1_NM, 1) {address} VUB:{shape}"),
                        _ => format!("lsc_load_block2d.ugm.ca.ca (M1_NM, 1) %null:{shape} {address}"),
                    };
                    let found = checks::check(&kernel("", &format!("    {line}\n")), &as_excerpt(on(platform), ""));
                    let worst = found.iter().max_by_key(|d| d.level);
                    out.push_str(match worst.map(|d| (d.rule.name, d.level.word())) {
                        None => ".",
                        Some(("operand-out-of-bounds", _)) => "o",
                        Some((_, level)) => &level[..1],
                    });
                }
            }
            out + "\n"
        })
        .collect();
    let head = "# Widths 0 1 2 4 8 9 16 17 32 64 65; heights 0 1 2 8 16 32 33 64 65.\n";
    blessed(&tests_folder().join("snapshots/variations/blocks.txt"), &(head.to_owned() + &texts.concat()));
}
