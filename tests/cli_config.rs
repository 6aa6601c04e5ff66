//! `visa-lint.toml`: where it is found, what it changes, and what is said when it is wrong.

use crate::cli::{BAD, GOOD};
use crate::support::process::{Scratch, command, finish, run, run_with_input};
use crate::support::{blessed, tests_folder};
use visa_lint::config::Settings;

/// A program that is right on DG2 and not on SKL.
const FENCE: &str = "    lsc_fence.ugm.none.group\n    ret (M1, 1)\n";

fn fence() -> String {
    GOOD.replace("    ret (M1, 1)\n", FENCE)
}

/// Paths of the findings of `--format short`.
fn paths(out: &str) -> Vec<&str> {
    out.lines().map(|l| l.split(':').next().expect("a path")).collect()
}

#[test]
fn the_nearest_file_above_a_text_holds() {
    let scratch = Scratch::new("nearest");
    scratch.file("visa-lint.toml", "[rules]\nunknown-instruction = \"off\"\n");
    scratch.file("inner/visa-lint.toml", "[rules]\nunknown-instruction = \"warning\"\n");
    scratch.file("a.visaasm", BAD);
    scratch.file("deep/er/b.visaasm", BAD);
    scratch.file("inner/deep/c.visaasm", BAD);
    let (status, out, _) = run(&scratch.0, &["--format", "short"]);
    assert_eq!(
        (status, out.as_str()),
        (
            0,
            "inner/deep/c.visaasm:6:5: warning[unknown-instruction]: unknown instruction `rett`; help: did you mean `ret`?\n"
        )
    );
    // From another folder, by name, and through `..`.
    let (_, out, _) =
        run(&scratch.0.join("inner"), &["--format", "short", "../a.visaasm", "../deep", "deep/c.visaasm"]);
    assert_eq!(paths(&out), ["deep/c.visaasm"]);
    // The command line wins, and may say that there are no settings.
    let (_, out, _) = run(&scratch.0, &["--format", "short", "-D", "unknown-instruction"]);
    assert_eq!(paths(&out).len(), 3);
    let (status, out, _) = run(&scratch.0, &["--format", "short", "--no-config"]);
    assert_eq!((status, paths(&out).len()), (1, 3));
}

#[test]
fn standard_input_has_the_settings_of_its_name() {
    let scratch = Scratch::new("stdin-config");
    scratch.file("quiet/visa-lint.toml", "rules.unknown-instruction = \"off\"\n");
    assert_eq!(run_with_input(&scratch.0, &["-"], BAD.as_bytes()).0, 1);
    assert_eq!(run_with_input(&scratch.0, &["--stdin-filename", "quiet/x.visaasm", "-"], BAD.as_bytes()).0, 0);
    assert_eq!(run_with_input(&scratch.0.join("quiet"), &["-"], BAD.as_bytes()).0, 0);
}

#[test]
fn one_file_can_be_named_for_all() {
    let scratch = Scratch::new("named-config");
    scratch.file("ci/lint.toml", "exclude = [\"skipped/\"]\nrules.unknown-instruction = \"warning\"\n");
    scratch.file("visa-lint.toml", "rules.unknown-instruction = \"off\"\n");
    scratch.file("a.visaasm", BAD);
    scratch.file("skipped/b.visaasm", BAD);
    let (status, out, _) = run(&scratch.0, &["--config", "ci/lint.toml", "--format", "short"]);
    assert_eq!((status, paths(&out)), (0, vec!["a.visaasm"]), "its patterns are relative to the current folder");
    let (status, _, err) = run(&scratch.0, &["--config", "gone.toml"]);
    assert_eq!(status, 2);
    assert!(err.contains("gone.toml"), "{err}");
    let (status, _, err) = run(&scratch.0, &["--config", "ci/lint.toml", "--no-config"]);
    assert_eq!(status, 2, "{err}");
}

#[test]
fn platforms_and_pedantic_come_from_settings() {
    let scratch = Scratch::new("platforms-config");
    scratch.file("visa-lint.toml", "platforms = [\"skl\"]\n[[overrides]]\npaths = [\"any/\"]\nplatforms = []\n");
    scratch.file("a.visaasm", fence());
    scratch.file("any/a.visaasm", fence());
    let (status, out, _) = run(&scratch.0, &["--format", "short"]);
    assert_eq!(status, 1);
    assert_eq!(out, "a.visaasm:6:5: error[unsupported-instruction]: `lsc_fence` does not exist on SKL\n");
    assert_eq!(run(&scratch.0, &["--platform", "DG2"]).0, 0, "the command line wins");
    let mut latin = GOOD.as_bytes().to_vec();
    latin.extend(b"// caf\xe9\n");
    scratch.file("p/latin.visaasm", latin);
    assert!(run(&scratch.0, &["--format", "short", "p"]).1.is_empty());
    scratch.file("p/visa-lint.toml", "pedantic = true\n");
    assert!(run(&scratch.0, &["--format", "short", "p"]).1.contains("pedantic[invalid-encoding]"));
}

#[test]
fn overrides_hold_for_their_paths_and_later_ones_win() {
    let scratch = Scratch::new("overrides");
    scratch.file(
        "visa-lint.toml",
        "[[overrides]]\npaths = [\"generated/\", \"*.isaasm\"]\nrules.unknown-instruction = \"warn\"\n\
         [[overrides]]\npaths = [\"generated/**/old_*\"]\nrules.unknown-instruction = \"allow\"\n",
    );
    for file in ["a.visaasm", "b.isaasm", "generated/x/c.visaasm", "generated/x/old_d.visaasm"] {
        scratch.file(file, BAD);
    }
    let (_, out, _) = run(&scratch.0, &["--format", "short"]);
    let found: Vec<(&str, bool)> =
        out.lines().map(|l| (l.split(':').next().expect("a path"), l.contains("error["))).collect();
    assert_eq!(found, [("a.visaasm", true), ("b.isaasm", false), ("generated/x/c.visaasm", false)]);
}

#[test]
fn what_is_excluded_is_left_out_of_folders() {
    let scratch = Scratch::new("exclude");
    scratch
        .file("visa-lint.toml", "exclude = [\"third_party/\", \"/top.visaasm\", \"!third_party_ours\", \"*_old.*\"]\n");
    for file in [
        "a.visaasm",
        "top.visaasm",
        "x/top.visaasm",
        "x/a_old.visaasm",
        "x/third_party/y/b.visaasm",
        "third_party_ours/c.visaasm",
    ] {
        scratch.file(file, BAD);
    }
    let (_, out, _) = run(&scratch.0, &["--format", "short"]);
    assert_eq!(paths(&out), ["a.visaasm", "third_party_ours/c.visaasm", "x/top.visaasm"]);
    // A file that is named is checked although an exclude matches it.
    let named = ["top.visaasm", "x/third_party/y/b.visaasm"];
    assert_eq!(paths(&run(&scratch.0, &[&["--format", "short"], &named[..]].concat()).1), named);
    let (status, out, err) = run(&scratch.0, &[&["--force-exclude", "--format", "short"], &named[..]].concat());
    assert_eq!((status, out.as_str()), (0, ""), "{err}");
    assert!(err.starts_with("checked 0 kernels in 0 files"), "{err}");
    // The folder that is named is looked into, and what it excludes is still left out.
    assert_eq!(paths(&run(&scratch.0, &["--format", "short", "x/third_party"]).1), ["x/third_party/y/b.visaasm"]);
}

#[test]
fn settings_are_shown_as_they_hold() {
    let scratch = Scratch::new("show-config");
    scratch.file(
        "visa-lint.toml",
        "platforms = [\"bmg\", \"PVC\"]\nexclude = [\"old/\"]\n[rules]\nunknown-instruction = \"off\"\n[[overrides]]\npaths = [\"x/\"]\npedantic = true\nrules.syntax-error = \"warning\"\n",
    );
    scratch.file("x/a.visaasm", GOOD);
    let shown = |arguments: &[&str]| {
        let (status, out, err) = run(&scratch.0, arguments);
        assert_eq!((status, err.as_str()), (0, ""));
        out.replace(&format!("{}/", scratch.0.display()), "")
    };
    let out = shown(&["--show-config", "x/a.visaasm", "old/b.visaasm", "--platform", "dg2"]);
    assert_eq!(
        out,
        "# x/a.visaasm\n# from visa-lint.toml\nplatforms = [\"DG2\"]  # --platform\npedantic = true  # visa-lint.toml, override 1\n\n\
         [rules]\nsyntax-error = \"warning\"  # visa-lint.toml, override 1\nunknown-instruction = \"off\"  # visa-lint.toml\n\n\
         # old/b.visaasm\n# from visa-lint.toml\n# excluded\nplatforms = [\"DG2\"]  # --platform\npedantic = false  # the default\n\n\
         [rules]\nunknown-instruction = \"off\"  # visa-lint.toml\n"
    );
    assert!(shown(&["--show-config", "x"]).contains("pedantic = true"), "the texts in a folder");
    assert_eq!(
        shown(&["--show-config", "--no-config", "x/a.visaasm"]),
        "# x/a.visaasm\n# no visa-lint.toml applies\npedantic = false  # the default\n"
    );
    let text: String = out.lines().take(8).map(|l| format!("{l}\n")).collect::<Vec<_>>().concat();
    assert!(toml::from_str::<Settings>(&text).is_ok(), "what is shown can be used:\n{text}");
}

/// Rules that are selected, and where their levels come from.
#[test]
fn what_is_selected_is_shown() {
    let scratch = Scratch::new("show-select");
    scratch.file("a.visaasm", GOOD);
    let shown = |settings: &str, arguments: &[&str]| {
        scratch.file("visa-lint.toml", settings);
        let (status, out, err) = run(&scratch.0, &[&["--show-config", "a.visaasm"], arguments].concat());
        assert_eq!((status, err.as_str()), (0, ""), "{settings}");
        out.replace(&format!("{}/", scratch.0.display()), "")
    };
    // What is off on its own is a warning if it is selected by its name.
    let out = shown("select = [\"syntax-error\", \"work-item-race\"]\n", &[]);
    for line in [
        "pedantic = true  # visa-lint.toml",
        "work-item-race = \"warning\"  # visa-lint.toml, select",
        "unreachable-code = \"off\"  # visa-lint.toml, select",
    ] {
        assert!(out.lines().any(|l| l == line), "{line} is missing:\n{out}");
    }
    assert!(!out.contains("\nsyntax-error ="), "{out}");
    let out = shown("", &["--select", "work-item-race", "--warn", "unreachable-code"]);
    for line in [
        "pedantic = true  # --select",
        "work-item-race = \"warning\"  # --select",
        "unreachable-code = \"warning\"  # --warn unreachable-code",
        "syntax-error = \"off\"  # --select",
    ] {
        assert!(out.lines().any(|l| l == line), "{line} is missing:\n{out}");
    }
    let out =
        shown("sub-group-size = 16\nrules.unreachable-code = \"error\"\nrules.syntax-error = \"pedantic\"\n", &[]);
    for line in [
        "sub-group-size = 16  # visa-lint.toml",
        "unreachable-code = \"error\"  # visa-lint.toml",
        "syntax-error = \"pedantic\"  # visa-lint.toml",
    ] {
        assert!(out.lines().any(|l| l == line), "{line} is missing:\n{out}");
    }
    scratch.file("visa-lint.toml", "sub-group-size = 7\n");
    let (status, _, err) = run(&scratch.0, &["a.visaasm"]);
    assert!(status == 2 && err.contains("a sub-group has 8, 16 or 32 lanes"), "{status} {err}");
}

#[test]
fn files_extend_and_inherit_each_other() {
    let scratch = Scratch::new("extend");
    scratch
        .file("shared/base.toml", "exclude = [\"/x/\"]\nplatforms = [\"PVC\"]\nrules.unknown-instruction = \"off\"\n");
    scratch.file("visa-lint.toml", "extend = \"shared/base.toml\"\npedantic = false\n");
    scratch.file("in/visa-lint.toml", "inherit = true\nplatforms = [\"DG2\"]\n");
    scratch.file("alone/visa-lint.toml", "");
    for file in ["a.visaasm", "in/b.visaasm", "alone/c.visaasm", "shared/x/d.visaasm", "x/e.visaasm"] {
        scratch.file(file, BAD);
    }
    // What a file says of its own folder does not reach others.
    let (_, out, _) = run(&scratch.0, &["--list-files"]);
    assert_eq!(out, "a.visaasm\nalone/c.visaasm\nin/b.visaasm\nx/e.visaasm\n");
    let (_, out, _) = run(&scratch.0, &["--format", "short"]);
    assert_eq!(paths(&out), ["alone/c.visaasm"]);
    let (_, out, _) = run(&scratch.0, &["--show-config", "in/b.visaasm"]);
    let out = out.replace(&format!("{}/", scratch.0.display()), "");
    for line in [
        "platforms = [\"DG2\"]  # in/visa-lint.toml",
        "pedantic = false  # visa-lint.toml",
        "unknown-instruction = \"off\"  # shared/base.toml",
    ] {
        assert!(out.lines().any(|l| l == line), "{line}\n{out}");
    }
    for (text, words) in [
        ("extend = \"gone.toml\"\n", "gone.toml"),
        ("extend = \"visa-lint.toml\"\n", "in a circle"),
        ("extend = \"shared/base.toml\"\ninherit = true\n", "names the settings to inherit"),
    ] {
        scratch.file("visa-lint.toml", text);
        let (status, _, err) = run(&scratch.0, &["a.visaasm"]);
        assert!(status == 2 && err.contains(words), "{text}{err}");
    }
}

#[test]
fn rules_are_chosen_by_group() {
    let scratch = Scratch::new("groups");
    scratch.file("a.visaasm", GOOD.replace("    ret", "    rett\n    jmp (M1, 1) nowhere\n    ret"));
    let found = |arguments: &[&str]| {
        let (_, out, _) = run(&scratch.0, &[&["--format", "short", "--no-config"], arguments].concat());
        ["unknown-instruction", "undefined-label"].map(|rule| out.contains(rule))
    };
    assert_eq!(found(&[]), [true, true]);
    assert_eq!(found(&["--select", "flow"]), [false, true]);
    assert_eq!(found(&["--select", "flow,unknown-instruction"]), [true, true]);
    assert_eq!(found(&["-A", "all"]), [false, false]);
    assert_eq!(found(&["-A", "all", "-W", "syntax"]), [true, false]);
    assert_eq!(found(&["-D", "all", "-A", "flow,unknown-instruction"]), [false, false]);
    // Of the keys of a file, what names fewer rules wins, wherever it stands.
    scratch.file("visa-lint.toml", "[rules]\nunknown-instruction = \"warning\"\nall = \"off\"\n");
    let (status, out, _) = run(&scratch.0, &["--format", "short"]);
    assert!(status == 0 && out.contains("warning[unknown-instruction]") && out.lines().count() == 1, "{out}");
    scratch.file("visa-lint.toml", "select = [\"flow\"]\n");
    let (_, out, _) = run(&scratch.0, &["--format", "short"]);
    assert!(out.contains("undefined-label") && !out.contains("unknown-instruction"), "{out}");
}

#[test]
fn the_exit_status_can_be_chosen() {
    let scratch = Scratch::new("exit");
    scratch.file("a.visaasm", BAD);
    let status = |arguments: &[&str]| run(&scratch.0, &[&["--no-config"], arguments].concat()).0;
    assert_eq!(status(&[]), 1);
    assert_eq!(status(&["--exit-zero"]), 0);
    assert_eq!(status(&["--exit-zero", "gone.visaasm"]), 2, "what cannot be read is no finding");
    let warned = ["-W", "unknown-instruction"];
    assert_eq!(status(&warned), 0);
    assert_eq!(status(&[&warned[..], &["--max-warnings", "1"]].concat()), 0);
    assert_eq!(status(&[&warned[..], &["--max-warnings", "0"]].concat()), 1);
}

/// The page of the settings is made of the schema.
#[test]
fn the_page_of_the_settings_is_up_to_date() {
    let schema = schemars::generate::SchemaSettings::draft07().into_generator().into_root_schema_for::<Settings>();
    let schema = serde_json::to_value(&schema).expect("JSON");
    let mut page = String::from(
        "# Settings\n\n`visa-lint.toml` holds for the files in its folder and below, down to folders with a file of their own.\n\
         `visa-lint --show-config PATH` shows what holds for a file, and where each value comes from.\n\n\
         <!-- made of the schema by BLESS=1 cargo test cli_config -->\n",
    );
    let mut table = |title: &str, place: &serde_json::Value| {
        page += &format!("\n## {title}\n\n| key | |\n|---|---|\n");
        for (key, value) in place["properties"].as_object().expect("keys") {
            let words = value["description"].as_str().expect("every key is described");
            page += &format!("| `{key}` | {} |\n", words.replace('\n', " ").replace('|', "\\|"));
        }
    };
    table("Keys", &schema);
    table("Keys of `[launch]`", &schema["definitions"]["LaunchSettings"]);
    table("Keys of `[[overrides]]`", &schema["definitions"]["Override"]);
    page += "\n## Groups of rules\n\n| group | rules about | |\n|---|---|---|\n";
    for group in visa_lint::checks::group::Group::ALL {
        let rules: Vec<String> = group.rules().map(|rule| format!("`{}`", rule.name)).collect();
        page += &format!("| `{}` | {} | {} |\n", group.name(), group.summary(), rules.join(", "));
    }
    page += "\n## Comments\n\nComments in a text suppress findings. The forms are\n\n";
    let forms = visa_lint::checks::rule("malformed-suppression").expect("a rule").documentation;
    let forms: Vec<&str> = forms.lines().map(str::trim).filter(|l| l.starts_with("* ")).collect();
    assert_eq!(forms.len(), 4);
    page += &forms.join("\n");
    page.push('\n');
    blessed(&tests_folder().join("../docs/settings.md"), &page);
}

/// Each wrong file with its full report.
#[test]
fn wrong_settings_are_reported_at_their_place() {
    const WRONG: &[&str] = &[
        "platfroms = [\"DG2\"]\n",
        "colour = true\n",
        "# a comment\nplatforms = [\"DG2\", \"DG3\"]\n",
        "platforms = [\"arm\"]\n",
        "platforms = \"DG2\"\n",
        "[rules]\nunknown-instruction = \"of\"\n",
        "[rules]\nunknown-instruction = \"loud\"\n",
        "[rules]\nsyntax-error = \"off\"\nunknown-instructoin = \"off\"\n",
        "[[overrides]]\nrules.syntax-error = \"off\"\n",
        "[[overrides]]\npaths = [\"a\"]\nexclude = [\"b\"]\n",
        "exclude = [\"a\", \"[z-a]\"]\n",
        "pedantic = yes\n",
        "pedantic = 1\n",
        "[rules\n",
        "pedantic = true\npedantic = true\n",
    ];
    let scratch = Scratch::new("wrong-config");
    scratch.file("a.visaasm", GOOD);
    let mut all = String::new();
    for text in WRONG {
        scratch.file("visa-lint.toml", text);
        let (status, out, err) = run(&scratch.0, &["."]);
        assert_eq!((status, out.as_str()), (2, ""), "{text}{err}");
        all += &err.replace(&format!("{}/", scratch.0.display()), "");
        all += "----\n";
    }
    blessed(&tests_folder().join("snapshots/wrong_settings.txt"), &all);
    // Nothing is checked, but the file is named once however many texts meet it.
    scratch.file("b.visaasm", BAD);
    let (_, out, err) = run(&scratch.0, &["."]);
    assert_eq!((out.as_str(), err.matches("visa-lint.toml").count()), ("", 1), "{err}");
    // Colours only where they are wanted.
    let coloured = finish(
        command(&scratch.0, &["."]).env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").output().expect("it starts"),
    )
    .2;
    assert!(coloured.contains("\u{1b}[") && !err.contains("\u{1b}["), "{coloured}");
}

/// A value may be as long as its file; what is said of it is not.
#[test]
fn long_values_are_cut_in_messages() {
    let scratch = Scratch::new("long-config");
    scratch.file("a.visaasm", GOOD);
    let long = "x\u{e4}".repeat(100_000);
    for (text, place) in [
        (format!("platforms = [\"{long}\"]\npedantic = true\n"), "visa-lint.toml:1:13"),
        (format!("# {long}\n[rules]\n\"{long}\" = \"off\"\n"), "visa-lint.toml:3:1"),
        (format!("[rules]\nall = \"{long}\"\n"), "visa-lint.toml:2:7"),
        (format!("# one\npedantic = \"{long}\"\n# {long}\n"), "visa-lint.toml:2:12"),
        (format!("# one\nplatforms = [\"{long}\n\"]\n"), "visa-lint.toml:"),
        (format!("[launch.buffers]\n\"{long}\" = -1\n"), "visa-lint.toml: line 2: invalid value: integer `-1`"),
        (format!("extend = \"{long}\"\n"), "name too long"),
        (format!("baseline = \"{long}\"\n"), "name too long"),
    ] {
        scratch.file("visa-lint.toml", &text);
        let (status, out, err) = run(&scratch.0, &["a.visaasm"]);
        assert_eq!((status, out.as_str()), (2, ""), "{place}: {}", err.len());
        assert!(err.contains(place) && err.len() < 20_000, "{place}: {} bytes: {err:.2000}", err.len());
    }
    scratch.file("visa-lint.toml", "");
    scratch.file("known.json", format!("{{\"{long}\": 1}}"));
    let (status, _, err) = run(&scratch.0, &["--baseline", "known.json", "a.visaasm"]);
    assert!(status == 2 && err.contains("this is no baseline: unknown field") && err.len() < 10_000, "{err:.2000}");
}

/// The schema that editors use is the one that the program has.
#[test]
fn the_schema_is_up_to_date() {
    let schema = schemars::generate::SchemaSettings::draft07().into_generator().into_root_schema_for::<Settings>();
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    blessed(&tests_folder().join("../editors/visa-lint.schema.json"), &text);
    let schema = serde_json::to_value(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let accepts = |text: &str| {
        let read = toml::from_str::<Settings>(text).is_ok();
        let settings: serde_json::Value = toml::from_str(text).expect("TOML");
        assert_eq!(validator.is_valid(&settings), read, "the schema and the program differ about\n{text}");
        read
    };
    for text in [
        "",
        "platforms = [\"DG2\", \"bmg\"]\npedantic = true\nexclude = [\"a/\"]\nrules.syntax-error = \"warning\"\n",
        "[[overrides]]\npaths = [\"a\"]\nplatforms = []\npedantic = false\nrules = { syntax-error = \"pedantic\", unknown-instruction = \"error\" }\n",
    ] {
        assert!(accepts(text));
    }
    for text in [
        "platfroms = []\n",
        "rules.none = \"off\"\n",
        "rules.syntax-error = \"loud\"\n",
        "pedantic = 1\n",
        "[[overrides]]\npedantic = true\n",
    ] {
        assert!(!accepts(text));
    }
}
