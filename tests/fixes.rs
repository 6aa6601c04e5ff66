//! Certain fixes settle: a second `--fix` changes nothing, and no fix adds an error.

use crate::rules::{examples, program};
use crate::support::{as_excerpt, asked, blessed, files, kernel, laws, tests_folder};
use visa_lint::base::rule::Level;
use visa_lint::checks::{Options, RULES};
use visa_lint::cli::fix::{diff, fix_all};
use visa_lint::host::Language;

/// What is wrong with mending a text.
fn fault(text: &str, options: &Options) -> Option<String> {
    laws::fix(text, options).or_else(|| laws::fix_adds_no_error(text, options))
}

/// The texts of the tests, with their names.
pub fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for folder in ["cases", "recovery"] {
        for file in files(&tests_folder().join(folder), "visaasm") {
            texts.push((file.display().to_string(), std::fs::read_to_string(&file).expect("a readable file")));
        }
    }
    for rule in RULES {
        for example in examples(rule, "bad") {
            texts.push((format!("the page of {}", rule.name), program(&example)));
        }
    }
    texts
}

#[test]
fn findings_can_be_shown() {
    let faults: Vec<String> = texts()
        .iter()
        .filter_map(|(name, text)| Some(format!("{name}: {}", laws::check(text, &laws::pedantic())?)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn what_is_fixed_once_stays() {
    let mut faults = Vec::new();
    let texts = texts();
    assert!(texts.len() > 300, "{} texts", texts.len());
    for (name, text) in &texts {
        for pedantic in [false, true] {
            let mut options = as_excerpt(asked(text), "");
            options.pedantic |= pedantic;
            faults.extend(fault(text, &options).map(|fault| format!("{name}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// A text after the changes of a unified diff, which must say in which lines they stand.
fn patched(text: &str, changes: &str) -> String {
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let mut new: Vec<&str> = Vec::new();
    let mut n_read = 0;
    for line in changes.split_inclusive('\n').skip(2) {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (from, to) = header.trim_end_matches(" @@\n").split_once(" +").expect("two places");
            let [from, to] = [from, to].map(|place| -> usize {
                let (first, n) = place.split_once(',').expect("a line and a number of lines");
                first.parse::<usize>().expect("a number") - usize::from(n != "0")
            });
            new.extend(&old[n_read..from]);
            n_read = from;
            assert_eq!(new.len(), to, "{line}");
            continue;
        }
        match line.split_at(1) {
            ("\\", _) => *new.last_mut().expect("a line") = new[new.len() - 1].trim_end_matches('\n'),
            ("+", line) => new.push(line),
            (mark, line) => {
                assert_eq!(old[n_read].trim_end_matches('\n'), line.trim_end_matches('\n'));
                n_read += 1;
                if mark == " " {
                    new.push(line);
                }
            }
        }
    }
    new.extend(&old[n_read..]);
    new.concat()
}

/// What certain fixes make of the texts of the tests: the lines that change, after those that were there.
#[test]
fn certain_fixes_are_as_blessed() {
    let mut all = String::new();
    for (name, text) in texts() {
        let Some((fixed, _)) = fix_all(&text, &as_excerpt(asked(&text), "")) else { continue };
        let name = name.replace(&format!("{}/", tests_folder().display()), "");
        all += &format!("{name}\n");
        let changes = diff("", &text, &fixed);
        assert_eq!(patched(&text, &changes), fixed, "{name}:\n{changes}");
        for line in changes.split('\n').skip(2).filter(|line| line.starts_with(['-', '+'])) {
            let (mark, line) = line.split_at(1);
            all += &format!("{mark}{line:?}\n");
        }
    }
    blessed(&tests_folder().join("snapshots/fixes.txt"), &all);
}

#[test]
fn fixes_that_once_came_to_no_end() {
    for (line, expected) in [
        ("scatter4_scaled.RG (M1, 16) T6 0x0:ud[A(0),0] VUD.0 VUD.0", None),
        ("LOC 4294967296", None),
        ("LOC 0x100000000", None),
        ("LOC 0x10", Some("LOC 16")),
        ("mov (M1, 8) VD(0,0)<1> VD[VA(0),0]<1,0>:d", None),
        ("mov (M1, 8) VD(0,0)<1> VD[0,0]<1;1,0>", Some("mov (M1, 8) VD(0,0)<1> VD(0,0)<1;1,0>")),
        ("mov (M1, 8) VD(0,0)<1> [VA(0),0]<1,0>:d", Some("mov (M1, 8) VD(0,0)<1> r[VA(0),0]<1,0>:d")),
    ] {
        let text = kernel("", &format!("    {line}\n"));
        let options = Options::default();
        assert_eq!(fault(&text, &options), None, "{line}");
        let fixed = fix_all(&text, &options).map(|(new, _)| new);
        let expected = expected.map(|expected| kernel("", &format!("    {expected}\n")));
        assert_eq!(fixed, expected, "{line}");
    }
}

/// The same in hosts: each text with what it becomes, if anything.
#[test]
fn fixes_of_hosts_that_once_came_to_no_end() {
    let kernel = |head: &str| {
        format!(
            "out = []\nout.append(\".version 4.2\")\nout.append('.kernel \"k\"')\nout.append('{head} SimdSize=16')\nout.append(\"ret (M1_NM, 1)\")\nprint(\"\\n\".join(out))\n"
        )
    };
    let printed = "void emit(FILE *f, const char *type) {\n  fprintf(f,\n    \"kernel void k(global %s *p) {\\n\"\n    \
                   \"  __asm__(\\\"shr (M1, 8) %%bss(0,0)<1> %%0(0,0)<1;1,0> 0x2:uw\\\" : \\\"+rw\\\"(v));\\n\"\n    \"}\", type);\n}\n";
    let ordered = "Value *emit(IRBuilder<> &b, FunctionType *type, Value *v) {\n  const std::string lanes = \"(M1, 16).sat\";\n  \
                   const std::string text = \"mov \" + lanes + \" $0(0,0)<1> $1(0,0)<1;1,0>\\n\";\n  \
                   return b.CreateCall(InlineAsm::get(type, text, \"=rw,rw\", true), {v});\n}\n";
    for (language, text, wanted) in [
        (Language::Python, kernel("kernel_attr"), Some(kernel(".kernel_attr"))),
        (Language::C, printed.to_owned(), None),
        (Language::C, ordered.to_owned(), None),
    ] {
        let options = laws::pedantic_host(language);
        assert_eq!(laws::fix(&text, &options), None, "{text}");
        assert!(visa_lint::host::read(&text, language, None).fragments.len() == 1, "{text}");
        assert_eq!(fix_all(&text, &options).map(|(new, _)| new), wanted);
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_are_mended() {
    let text = kernel("", "    mov (M1, 8) VD(0,0)<1> 1:d\n");
    let options = Options::default();
    for bad in [
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
        // Old Mac line ends; a comment would not end.
        text[text.find(".version").expect("a version")..].replace('\n', "\r"),
    ] {
        let fixed = fix_all(&bad, &options).map(|(new, _)| new);
        assert!(fixed.is_some_and(|fixed| text.ends_with(&fixed) && fixed.contains(".version")), "{:?}", &bad[..40]);
        assert_eq!(fault(&bad, &options), None);
    }
    // One that ends no line is a blank.
    let (fixed, n) = fix_all(&text.replace("1:d", "\r1:d"), &options).expect("something to mend");
    assert_eq!((fixed, n), (text.replace("1:d", " 1:d"), 1));
    let mut off = Options::default();
    off.levels.insert("carriage-return", Level::Off);
    assert_eq!(fix_all(&text.replace('\n', "\r\n"), &off), None, "what is allowed stays");
}

#[test]
fn long_chains_of_fixes_settle() {
    let mods = ".sat".repeat(90);
    for line in [
        format!("mov{mods} (M1, 8) VD(0,0)<1> 1:d"),
        format!("mov (M1, 8) VD(0,0)<1> {}VD(0,0)<1;1,0>", "(-)".repeat(90)),
        format!("ret (M1, 1) // visa-lint: allow({}) why", ["unknown-instruction"; 300].join(",")),
    ] {
        let text = kernel("", &format!("    {line}\n"));
        assert_eq!(fault(&text, &Options::default()), None, "{line}");
    }
}
