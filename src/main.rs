//! The command line.

fn main() -> std::process::ExitCode {
    visa_lint::cli::main()
}
