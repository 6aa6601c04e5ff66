//! Running the program as a user does.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A scratch folder that goes away with the test.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// An empty folder.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("visa-lint-test-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a scratch folder");
        Self(path)
    }

    /// Writes a file and the folders around it.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, content).expect("a file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program with arguments, in a folder; without colours, links or the settings of the user's account.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_visa-lint"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1");
    for variable in ["CLICOLOR_FORCE", "FORCE_HYPERLINK"] {
        command.env_remove(variable);
    }
    command
}

/// Runs it: exit status, standard output, standard error.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    finish(command(folder, arguments).output().expect("the program starts"))
}

/// Runs it with standard input.
pub fn run_with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("the input is read");
    finish(child.wait_with_output().expect("the program ends"))
}

/// What a process left behind.
pub fn finish(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit status"), text(output.stdout), text(output.stderr))
}
