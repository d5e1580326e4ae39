//! Lines on their way in: a thread that reads, and a queue that the session takes from.
//!
//! Reading has to go on while the engine thinks, for two reasons: `# interrupt` ends a move that is being chosen, and any
//! line at all ends an analysis or thinking on the opponent's time. Which of the two the engine is doing changes only under the lock of
//! the queue, so a line can never stop a search that began after it.

use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::engine::StopFlag;

/// A line as it was read, with its line end.
#[derive(Debug)]
pub(super) struct Line {
    /// The bytes.
    pub(super) bytes: Vec<u8>,
    /// Place in the input, counted from 1.
    pub(super) number: u64,
    /// When it arrived.
    pub(super) arrived: Instant,
}

/// What there is to do.
#[derive(Debug)]
pub(super) enum Next {
    /// A line to answer.
    Line(Line),
    /// Nothing now: thinking on the opponent's time may begin, and the stop flag will end it.
    Idle,
    /// Nothing any more.
    End,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Line>,
    /// Lines read so far.
    read: u64,
    /// Every line up to this number has been interrupted.
    interrupted: u64,
    /// Whether a line should end what the engine does.
    yielding: bool,
    ended: bool,
}

/// The queue between the reading thread and the session.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
    stop: StopFlag,
}

impl Inbox {
    /// A queue that a new thread fills from `input` until its end.
    pub(super) fn fill_from(mut input: impl BufRead + Send + 'static) -> Arc<Inbox> {
        let inbox = Arc::new(Inbox::default());
        let filled = Arc::clone(&inbox);
        // The thread ends with its input, or with the process: it may wait for a line forever, so nobody joins it.
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // An error while reading is the end of the input.
            while input.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                filled.push(std::mem::take(&mut bytes));
            }
            filled.end();
        });
        inbox
    }

    /// Raised when the search that is running should end.
    pub(super) fn stop(&self) -> &StopFlag {
        &self.stop
    }

    /// Prepares the stop flag for the search that the line of this number asks for.
    ///
    /// An interrupt that arrived after that line counts, even when it came before the search began.
    pub(super) fn begin_search(&self, number: u64) {
        let state = self.lock();
        self.stop.lower();
        if state.interrupted >= number {
            self.stop.raise();
        }
    }

    /// Prepares the stop flag for a search that any line ends, and the end of the input: one that came in already, too.
    pub(super) fn begin_yielding_search(&self) {
        let mut state = self.lock();
        state.yielding = true;
        self.stop.lower();
        if !state.lines.is_empty() || state.ended {
            self.stop.raise();
        }
    }

    /// Waits until there is a line to answer, or the input has ended.
    pub(super) fn wait_for_input(&self) {
        let mut state = self.lock();
        while state.lines.is_empty() && !state.ended {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next thing to do; does not wait.
    pub(super) fn poll(&self) -> Next {
        let mut state = self.lock();
        self.take(&mut state)
    }

    /// The next line or the end, waiting for it.
    pub(super) fn wait(&self) -> Next {
        let mut state = self.lock();
        loop {
            match self.take(&mut state) {
                Next::Idle => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                next => return next,
            }
        }
    }

    fn take(&self, state: &mut State) -> Next {
        state.yielding = false;
        match state.lines.pop_front() {
            Some(line) => Next::Line(line),
            None if state.ended => Next::End,
            None => {
                state.yielding = true;
                self.stop.lower();
                Next::Idle
            }
        }
    }

    fn push(&self, mut bytes: Vec<u8>) {
        let mut state = self.lock();
        if state.read == 0 && bytes.starts_with(b"\xef\xbb\xbf") {
            // Some Windows programs begin what they write with a byte order mark.
            bytes.drain(..3);
        }
        if bytes.trim_ascii() == b"# interrupt" {
            state.interrupted = state.read;
            self.stop.raise();
        }
        state.read += 1;
        let line = Line { bytes, number: state.read, arrived: Instant::now() };
        state.lines.push_back(line);
        self.wake(&state);
    }

    fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        self.wake(&state);
    }

    fn wake(&self, state: &State) {
        if state.yielding {
            self.stop.raise();
        }
        self.changed.notify_one();
    }

    /// The state; a panic of the other thread leaves it as valid as any moment does.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Inbox, Next};

    fn line(next: Next) -> Option<Vec<u8>> {
        if let Next::Line(line) = next { Some(line.bytes) } else { None }
    }

    #[test]
    fn an_interrupt_counts_for_the_lines_before_it_only() {
        let inbox = Inbox::default();
        inbox.push(b"genmove b\n".to_vec());
        inbox.push(b" # interrupt\r\n".to_vec());
        inbox.push(b"genmove w\n".to_vec());
        inbox.begin_search(1);
        assert!(inbox.stop().is_raised());
        inbox.begin_search(3);
        assert!(!inbox.stop().is_raised());
    }

    #[test]
    fn any_line_ends_pondering_and_none_ends_a_move() {
        let inbox = Inbox::default();
        inbox.push(b"genmove b\n".to_vec());
        assert!(line(inbox.poll()).is_some());
        inbox.begin_search(1);
        inbox.push(b"name\n".to_vec());
        assert!(!inbox.stop().is_raised());
        assert!(line(inbox.poll()).is_some());
        assert!(matches!(inbox.poll(), Next::Idle));
        assert!(!inbox.stop().is_raised());
        inbox.push(b"\n".to_vec());
        assert!(inbox.stop().is_raised());
        assert!(line(inbox.wait()).is_some());
        inbox.poll();
        inbox.end();
        assert!(inbox.stop().is_raised() && matches!(inbox.wait(), Next::End));
    }

    #[test]
    fn any_line_ends_an_analysis_also_one_that_was_there_before() {
        let inbox = Inbox::default();
        inbox.begin_yielding_search();
        assert!(!inbox.stop().is_raised());
        inbox.push(b"\n".to_vec());
        assert!(inbox.stop().is_raised());
        inbox.begin_yielding_search();
        assert!(inbox.stop().is_raised());
        inbox.wait_for_input();
        assert!(line(inbox.poll()).is_some());
        inbox.begin_yielding_search();
        assert!(!inbox.stop().is_raised());
        inbox.end();
        assert!(inbox.stop().is_raised());
        inbox.wait_for_input();
    }

    #[test]
    fn a_byte_order_mark_is_dropped_from_the_first_line_only() {
        let inbox = Inbox::fill_from(&b"\xef\xbb\xbfname\n\xef\xbb\xbfname"[..]);
        assert_eq!(line(inbox.wait()).as_deref(), Some(&b"name\n"[..]));
        assert_eq!(line(inbox.wait()).as_deref(), Some(&b"\xef\xbb\xbfname"[..]));
        assert!(matches!(inbox.wait(), Next::End));
    }
}
