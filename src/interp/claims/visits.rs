//! Barriers that threads of one group come to a different number of times: those that come more often wait for ever.
//!
//! Each thread is executed with its own local ids. How often it comes to barriers is known where nothing else decides
//! about it: each barrier is certainly reached, and no loop with one was executed once for all its passes.

use crate::interp::claims::facts::{Fact, FactKind, Parted};
use crate::program::InstructionIndex;
use std::collections::BTreeMap;

/// How often the threads of a group have come to barriers of all of them.
#[derive(Default)]
pub(super) struct Visits {
    threads: Vec<Visited>,
}

#[derive(Default)]
struct Visited {
    thread: u32,
    /// By the barrier.
    n: BTreeMap<u32, u32>,
    /// Whether there may be more or fewer.
    is_open: bool,
}

impl Visited {
    fn n_all(&self) -> u32 {
        self.n.values().sum()
    }
}

impl Visits {
    /// Another thread begins.
    pub fn begin(&mut self, thread: u32) {
        self.threads.push(Visited { thread, ..Visited::default() });
    }

    /// The thread comes to a barrier; whether it does so may not be known.
    pub fn comes_to(&mut self, barrier: InstructionIndex, is_certain: bool) {
        let Some(visited) = self.threads.last_mut() else { return };
        *visited.n.entry(barrier.0).or_default() += 1;
        visited.is_open |= !is_certain;
    }

    /// It is not known any more how often the thread comes to barriers.
    pub fn open(&mut self) {
        if let Some(visited) = self.threads.last_mut() {
            visited.is_open = true;
        }
    }

    /// How often the thread has come to barriers.
    pub fn n_of_thread(&self) -> u32 {
        self.threads.last().map_or(0, Visited::n_all)
    }

    /// The first barrier that two threads come to a different number of times, if that holds of all their barriers
    /// together, too. `first_item` is the first work-item of a thread.
    pub fn parted(&self, first_item: impl Fn(u32) -> Option<[u32; 3]>) -> Option<Fact> {
        let known = || self.threads.iter().filter(|visited| !visited.is_open);
        let least = known().min_by_key(|visited| (visited.n_all(), visited.thread))?;
        let most = known().max_by_key(|visited| (visited.n_all(), std::cmp::Reverse(visited.thread)))?;
        if least.n_all() == most.n_all() {
            return None;
        }
        let n_at = |visited: &Visited, barrier: u32| visited.n.get(&barrier).copied().unwrap_or(0);
        let mut barriers: Vec<u32> = least.n.keys().chain(most.n.keys()).copied().collect();
        barriers.sort_unstable();
        let at = barriers.into_iter().find(|barrier| n_at(least, *barrier) != n_at(most, *barrier))?;
        let mut pair = [least, most];
        pair.sort_by_key(|visited| visited.thread);
        let threads = pair.map(|visited| (first_item(visited.thread), n_at(visited, at)));
        let kind = FactKind::Parted(Box::new(Parted { threads }));
        Some(Fact::new(InstructionIndex(at), None, kind))
    }
}
