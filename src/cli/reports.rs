//! The reports of a run, written while the results come in.

use super::args::{CheckArguments, Target};
use super::console;
use super::input::reason;
use super::status::CLEAN;
use crate::matching::Entry;
use crate::report::{Failure, Style};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// What would have gone to standard output.
#[derive(Clone, Default)]
pub(super) struct Captured(Arc<Mutex<Vec<u8>>>);

impl Captured {
    /// Takes what was written so far.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A report that is being written.
struct Report<'t> {
    target: &'t Target,
    /// Its place in the parts of a result.
    index: usize,
    /// Where it goes; nothing if that place takes no more.
    out: Option<BufWriter<Box<dyn Write>>>,
    has_parts: bool,
}

/// The reports of a run.
pub(super) struct Reports<'t> {
    open: Vec<Report<'t>>,
    style: &'t Style,
    status: u8,
}

impl<'t> Reports<'t> {
    /// Begins the reports that are wanted. Standard output gets none if `shows_text`; `stdout` takes its place.
    pub fn begin(
        targets: &'t [Target],
        style: &'t Style,
        arguments: &CheckArguments,
        shows_text: bool,
        stdout: Option<&Captured>,
    ) -> Self {
        let mut all = Self { open: Vec::new(), style, status: CLEAN };
        if arguments.statistics || arguments.write_baseline.is_some() {
            return all;
        }
        for (index, target) in targets.iter().enumerate() {
            let out: Box<dyn Write> = match &target.path {
                None if shows_text => continue,
                None => stdout.map_or_else(|| Box::new(io::stdout()) as Box<dyn Write>, |s| Box::new(s.clone())),
                Some(path) => match File::create(path) {
                    Ok(file) => Box::new(file),
                    Err(error) => {
                        all.status = refuse(target, &error);
                        continue;
                    }
                },
            };
            let mut report = Report { target, index, out: Some(BufWriter::new(out)), has_parts: false };
            let mut head = String::new();
            target.format.head(style, &mut head);
            all.status = all.status.max(report.write(&[&head]));
            all.open.push(report);
        }
        all
    }

    /// Whether people read what stands on standard output, so that other words may stand beside it.
    pub fn are_for_people(&self) -> bool {
        self.open.iter().all(|report| report.target.path.is_some() || report.target.format.is_for_people())
    }

    /// Adds the parts of a result: one for each target, in their order.
    pub fn add(&mut self, parts: &[String]) {
        for report in &mut self.open {
            self.status = self.status.max(report.add(&parts[report.index]));
        }
    }

    /// Writes what is not yet written, so that a reader sees what has been found so far.
    pub fn flush(&mut self) {
        for report in &mut self.open {
            self.status = self.status.max(report.flush());
        }
    }

    /// Ends the reports: with the findings that are gone, and with what could not be checked. Returns the exit status.
    pub fn finish<'g>(mut self, gone: &(impl Iterator<Item = &'g [Entry]> + Clone), failures: &[Failure]) -> u8 {
        for report in &mut self.open {
            let mut part = String::new();
            gone.clone().for_each(|gone| report.target.format.gone(gone, self.style, &mut part));
            let mut tail = String::new();
            report.target.format.tail(failures, &mut tail);
            let status = report.add(&part).max(report.write(&[&tail])).max(report.flush());
            self.status = self.status.max(status);
        }
        self.status
    }
}

impl Report<'_> {
    fn add(&mut self, part: &str) -> u8 {
        if part.is_empty() {
            return CLEAN;
        }
        let separator = if self.has_parts { self.target.format.separator() } else { "" };
        self.has_parts = true;
        self.write(&[separator, part])
    }

    fn write(&mut self, texts: &[&str]) -> u8 {
        let write = |out: &mut BufWriter<_>| texts.iter().try_for_each(|text| out.write_all(text.as_bytes()));
        let result = self.out.as_mut().map_or(Ok(()), write);
        self.settle(result)
    }

    fn flush(&mut self) -> u8 {
        let result = self.out.as_mut().map_or(Ok(()), Write::flush);
        self.settle(result)
    }

    /// After a failure the rest is not written. That a reader has closed its end is no error; that the output cannot be
    /// kept is.
    fn settle(&mut self, result: io::Result<()>) -> u8 {
        let Err(error) = result else { return CLEAN };
        // The buffer is not flushed a second time.
        let _ = self.out.take().map(BufWriter::into_parts);
        if self.target.path.is_none() && error.kind() == ErrorKind::BrokenPipe {
            return CLEAN;
        }
        refuse(self.target, &error)
    }
}

/// Says that a report cannot be written; returns the exit status.
fn refuse(target: &Target, error: &io::Error) -> u8 {
    let reason = reason(error);
    match &target.path {
        Some(path) => console::refuse(format_args!("cannot write `{}`: {reason}", path.display())),
        None => console::refuse(format_args!("cannot write standard output: {reason}")),
    }
}
