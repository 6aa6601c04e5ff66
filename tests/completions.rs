//! The completions of each shell, asked for in that shell itself. A shell that is not installed is left out, with a word.

use crate::support::process::{Scratch, run};
use rayon::prelude::*;
use std::process::Command;

/// What is typed, and one of the words that are offered.
const OFFERED: [(&str, &str); 11] = [
    ("visa-lint expl", "explain"),
    ("visa-lint --format s", "sarif"),
    ("visa-lint --format ", "junit"),
    ("visa-lint --platform DG", "DG2"),
    ("visa-lint -A overlapping-lane", "overlapping-lane-writes"),
    ("visa-lint explain --f", "--format"),
    ("visa-lint explain scatter4_s", "scatter4_scaled"),
    ("visa-lint explain --platform P", "PVC"),
    ("visa-lint diff --format h", "html"),
    ("visa-lint completions fi", "fish"),
    ("visa-lint k.visaasm --pedan", "--pedantic"),
];

/// Completes every line of [`OFFERED`]; `complete` says what a shell that works in a folder prints for a line.
fn each_is_offered(shell: &str, complete: impl Fn(&Scratch, &str) -> Command + Sync) {
    if Command::new(shell).args(["-c", ""]).status().is_err() {
        eprintln!("{shell} is not installed: its completions are not tried");
        return;
    }
    let (_, script, _) = run(&Scratch::new(&format!("{shell}-completions")).0, &["completions", shell]);
    OFFERED.par_iter().enumerate().for_each(|(i, (line, expected))| {
        let scratch = Scratch::new(&format!("{shell}-completions-{i}"));
        scratch.file("_visa-lint", script.as_str());
        let output = complete(&scratch, line).current_dir(&scratch.0).output().expect("the shell starts");
        let offered = String::from_utf8_lossy(&output.stdout);
        let words: Vec<&str> = offered.split_whitespace().collect();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains(expected), "{shell}, `{line}`: {words:?} {errors}");
    });
}

#[test]
fn bash() {
    each_is_offered("bash", |_, line| {
        let mut words: Vec<&str> = line.split(' ').collect();
        let (last, previous) = (words.len() - 1, words[words.len() - 2]);
        let call = format!("_visa__lint visa-lint '{}' '{previous}'", words[last]);
        for word in &mut words {
            if word.is_empty() {
                *word = "''";
            }
        }
        let set = format!("COMP_WORDS=({}); COMP_CWORD={last}", words.join(" "));
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("source ./_visa-lint; {set}; {call}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")]);
        bash
    });
}

#[test]
fn fish() {
    each_is_offered("fish", |_, line| {
        let mut fish = Command::new("fish");
        fish.args(["--no-config", "-c", &format!("source ./_visa-lint; complete -C '{line}'")]);
        fish
    });
}

/// A shell that types the line and a tab into another one, in which every match is written to a file.
const ZSH: &str = r#"
zmodload zsh/zpty
print -r 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D
compadd() {
    if [[ " ${@[1,(i)(-|--)]} " != *" -"(O|A|D)" "* ]]; then
        typeset -a matches
        builtin compadd -A matches "$@"
        print -rl -- $matches >> matches
    fi
    builtin compadd "$@"
}
leave() { exit }
compprefuncs=() comppostfuncs=(leave)
PROMPT="" RPROMPT=""
print REA''DY' > setup
rm -f matches; touch matches
zpty z zsh -f -i
zpty -w z 'source ./setup'
zpty -r z out '*READY*'
zpty -n -w z "$1"$'\t'
while zpty -r z out; do :; done
sort -u matches
"#;

#[test]
fn zsh() {
    each_is_offered("zsh", |_, line| {
        let mut zsh = Command::new("zsh");
        zsh.args(["-f", "-c", ZSH, "zsh", line]);
        zsh
    });
}
