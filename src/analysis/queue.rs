//! Positions waiting for a worker, the most urgent first, and those being searched, which can be stopped.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::query::Job;
use crate::time::StopFlag;

/// A higher priority comes first, and of equal ones the earlier.
type Place = (Reverse<i64>, u64);

#[derive(Default)]
struct State {
    waiting: BTreeMap<Place, Arc<Job>>,
    running: BTreeMap<u64, (Arc<Job>, Arc<StopFlag>)>,
    count: u64,
    closed: bool,
    abandoned: bool,
}

/// A position handed to a worker.
pub struct Ticket {
    pub job: Arc<Job>,
    /// Raised when the search is to end.
    pub stop: Arc<StopFlag>,
    number: u64,
}

/// The queue; workers wait at it.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds positions.
    pub fn add(&self, jobs: Vec<Job>) {
        let mut state = self.lock();
        for job in jobs {
            let place = (Reverse(job.priority), state.count);
            state.count += 1;
            state.waiting.insert(place, Arc::new(job));
        }
        self.changed.notify_all();
    }

    /// The next position, as soon as there is one; `None` when there will be none.
    pub fn next(&self) -> Option<Ticket> {
        let mut state = self.lock();
        loop {
            if state.abandoned {
                return None;
            }
            if let Some(((_, number), job)) = state.waiting.pop_first() {
                let stop = Arc::new(StopFlag::default());
                state.running.insert(number, (Arc::clone(&job), Arc::clone(&stop)));
                return Some(Ticket { job, stop, number });
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes that a position is answered.
    pub fn finish(&self, ticket: &Ticket) {
        self.lock().running.remove(&ticket.number);
    }

    /// Stops the chosen positions where they are searched, and returns those for which no search had begun.
    pub fn terminate(&self, chosen: impl Fn(&Job) -> bool) -> Vec<Arc<Job>> {
        let mut state = self.lock();
        for (job, stop) in state.running.values() {
            if chosen(job) {
                stop.raise();
            }
        }
        let (gone, kept) = std::mem::take(&mut state.waiting).into_iter().partition(|(_, job)| chosen(job));
        state.waiting = kept;
        let gone: BTreeMap<Place, Arc<Job>> = gone;
        gone.into_values().collect()
    }

    /// Nothing more will be added; what was asked is answered first if that is wished.
    pub fn close(&self, answer_first: bool) {
        if !answer_first {
            return self.abandon();
        }
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Forgets everything and stops all searches.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.abandoned = true;
        state.waiting.clear();
        state.running.values().for_each(|(_, stop)| stop.raise());
        self.changed.notify_all();
    }

    pub fn is_abandoned(&self) -> bool {
        self.lock().abandoned
    }
}
