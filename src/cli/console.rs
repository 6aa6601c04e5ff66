//! Standard output and standard error: what cannot be written is an error on the one, and never a fault on the other.

use super::status::{CLEAN, UNUSABLE};
use crate::base::{printable, wrap};
use std::fmt::Display;
use std::io::{BufWriter, ErrorKind, IsTerminal as _, Write};

/// Says something to the user, on one line. That standard error is full or closed changes nothing else.
pub(super) fn say(message: impl Display) {
    let message = message.to_string();
    let _ = writeln!(std::io::stderr().lock(), "{}", printable::line(&message));
}

/// Shows text of several lines to the user, which holds nothing harmful.
pub(super) fn show(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Says why nothing can be done.
pub(super) fn refuse(message: impl Display) -> u8 {
    say(format_args!("visa-lint: {message}"));
    UNUSABLE
}

/// Columns of the terminal that standard output is; nothing if it is none.
pub(super) fn columns() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
}

/// Writes to standard output; returns the exit status. That a reader has closed its end is no error; that the output
/// cannot be kept is.
pub(super) fn write(content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> u8 {
    let mut out = BufWriter::new(std::io::stdout().lock());
    match content(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            // The buffer is not flushed a second time.
            let _ = out.into_parts();
            refuse(format_args!("cannot write standard output: {}", super::input::reason(&error)))
        }
        _ => CLEAN,
    }
}

/// Prints a text that holds nothing harmful; returns the exit status.
pub(super) fn print(text: &str) -> u8 {
    write(|out| out.write_all(text.as_bytes()))
}

/// Prints a page for reading, in lines as wide as the terminal; returns the exit status.
pub(super) fn print_page(text: &str) -> u8 {
    match columns() {
        Some(columns) => print(&wrap::page(text, columns)),
        None => print(text),
    }
}

/// Prints text of the user as it is, for other programs; a terminal gets nothing that is harmful to it.
pub(super) fn print_raw<'a>(mut texts: impl Iterator<Item = &'a str>) -> u8 {
    let is_terminal = std::io::stdout().is_terminal();
    write(|out| {
        texts.try_for_each(|text| {
            let text = if is_terminal { printable::lines(text) } else { text.into() };
            out.write_all(text.as_bytes())
        })
    })
}
