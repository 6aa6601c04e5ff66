//! The completions of shells: what clap writes, and what it leaves out.

use super::args::{Arguments, CheckArguments};
use clap::{Args as _, Command, CommandFactory as _};
use clap_complete::Shell;
use std::fmt::Write as _;

/// The name of the program.
const PROGRAM: &str = "visa-lint";

/// The script that a shell reads.
pub(super) fn script(shell: Shell) -> String {
    match shell {
        // The name of a program with a dash is written in two ways, and only one of them is looked for.
        Shell::Bash => generated(shell, Arguments::command(), PROGRAM).replace("visa__subcmd__lint", "visa__lint"),
        Shell::Fish => fish(),
        Shell::Zsh => zsh(),
        _ => generated(shell, Arguments::command(), PROGRAM),
    }
}

fn generated(shell: Shell, mut command: Command, name: &str) -> String {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The generated script takes an option whose value is still to be typed for a fault and a path for a command, and knows
/// nothing of names that stand behind a command.
fn fish() -> String {
    let read = "argparse -s (__fish_visa_lint_global_optspecs) -- $cmd";
    let mut script = generated(Shell::Fish, Arguments::command(), PROGRAM)
        .replacen(
            &format!("    {read} 2>/dev/null\n    or return\n"),
            &format!("    {read} 2>/dev/null\n    or {read} '' 2>/dev/null\n    or return\n"),
            1,
        )
        .replacen("if set -q argv[1]", &format!("if contains -- \"$argv[1]\" {}", names()), 1);
    for command in Arguments::command().get_subcommands() {
        for values in command.get_positionals().filter_map(|name| name.get_value_parser().possible_values()) {
            let values: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
            let (command, values) = (command.get_name(), values.join(" "));
            let _ = writeln!(
                script,
                "complete -c {PROGRAM} -n \"__fish_visa_lint_using_subcommand {command}\" -f -a \"{values}\""
            );
        }
    }
    script
}

/// The names of the commands.
fn names() -> String {
    let arguments = Arguments::command();
    let names = arguments.get_subcommands().map(Command::get_name).chain(["help"]);
    names.collect::<Vec<_>>().join(" ")
}

/// The generated script takes the first word for a path, and never comes to what stands behind a command. So there are two:
/// one for commands, one for paths; the first word says which.
fn zsh() -> String {
    const CHECK: &str = "visa-lint-check";
    let check = CheckArguments::augment_args(Command::new(CHECK));
    let options = check.get_arguments().filter(|argument| !argument.is_positional()).cloned();
    let commands = Command::new(PROGRAM).args(options).subcommands(Arguments::command().get_subcommands().cloned());
    let by_first_word = format!(
        "_{PROGRAM}() {{\n    if (( CURRENT > 2 )) && [[ \" {} \" != *\" $words[2] \"* ]]; then\n        _{CHECK}\n        \
         return\n    fi\n",
        names()
    );
    let dispatch = generated(Shell::Zsh, commands, PROGRAM)
        .replacen(&format!("_{PROGRAM}() {{\n"), &by_first_word, 1)
        .replacen(&format!("\":: :_{PROGRAM}_commands\""), &format!("\":: :{{_{PROGRAM}_commands; _files}}\""), 1);
    // With two colons, no option is offered behind a path.
    let check = generated(Shell::Zsh, check, CHECK).replacen("'*::paths", "'*:paths", 1);
    // The functions without the lines that register them.
    let functions = check.find(&format!("_{CHECK}() {{")).zip(check.find("\nif [ \"$funcstack[1]\""));
    let functions = functions.map_or("", |(start, end)| &check[start..end]);
    dispatch.replacen(&format!("\n_{PROGRAM}() {{\n"), &format!("\n{functions}\n\n_{PROGRAM}() {{\n"), 1)
}
