//! `--timings`: where the time of a run went.

use crate::checks::timing::{Part, Timings};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many of the texts that took longest are named.
const N_SLOWEST: usize = 10;
/// Columns of a line with names of rules.
const COLUMNS: usize = 100;

/// What measures a run.
#[derive(Default)]
pub(super) struct Stopwatch {
    /// The parts of the work.
    pub(super) parts: Arc<Timings>,
    /// The texts that took longest, the quickest of them first.
    slowest: Mutex<BinaryHeap<Reverse<(Duration, String)>>>,
}

impl Stopwatch {
    /// Notes what a text took since `start`.
    pub(super) fn note(&self, start: Instant, name: String) {
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        slowest.push(Reverse((start.elapsed(), name)));
        if slowest.len() > N_SLOWEST {
            slowest.pop();
        }
    }

    /// What is said at the end of a run.
    pub(super) fn text(&self) -> String {
        let mut parts: Vec<(Duration, Part)> = Part::ALL.map(|part| (self.parts.of(part), part)).to_vec();
        parts.retain(|(time, _)| !time.is_zero());
        parts.sort_by_key(|(time, _)| Reverse(*time));
        let sum: Duration = parts.iter().map(|(time, _)| *time).sum();
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let mut out = String::from("time of all threads, by part of the work and the rules that share it\n");
        for (time, part) in parts {
            let share = 100.0 * time.as_secs_f64() / sum.as_secs_f64();
            let front = format!("{:>10.1} ms {share:>5.1} %  {:<13} ", milliseconds(time), part.name());
            let rules: Vec<&str> = part.rules().map(|rule| rule.name).collect();
            let blank = " ".repeat(front.len());
            let rules = crate::base::wrap::wrapped(&rules.join(", "), COLUMNS, &front, &blank);
            let _ = writeln!(out, "{}", rules.trim_end());
        }
        let slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        let mut slowest: Vec<_> = slowest.iter().map(|Reverse(text)| text).collect();
        slowest.sort_by_key(|text| Reverse(*text));
        if slowest.len() > 1 {
            out += "texts that took longest, with reading them\n";
            for (time, name) in slowest {
                let _ =
                    writeln!(out, "{:>10.1} ms          {}", milliseconds(*time), crate::base::printable::line(name));
            }
        }
        out
    }
}
