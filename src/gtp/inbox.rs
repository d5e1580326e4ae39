//! Lines on their way in: a thread that reads, and a queue that the session takes from.
//!
//! Reading has to go on while the engine thinks, for two reasons: `# interrupt` ends a move that is being chosen, and any
//! line at all ends an analysis or thinking on the opponent's time. Which of the two the engine is doing changes only under the lock of
//! the queue, so a line can never stop a search that began after it.
//!
//! A solution of life and death is ended by `stop` and by any line that comes in while it is already at work for a while: a
//! person's. The lines of a script are there at once and wait for their answers.

use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::engine::StopFlag;
use crate::lines::{LineRead, read_line};

/// The longest line that is answered, in bytes: a hundred times what any command needs. Of longer ones only the beginning is kept.
const LONGEST_LINE: usize = 1 << 20;
/// Bytes of lines that wait to be answered before no more are read.
const MOST_WAITING: usize = 64 << 20;

/// A line as it was read, with its line end.
#[derive(Debug)]
pub(super) struct Line {
    /// The bytes.
    pub(super) bytes: Vec<u8>,
    /// Whether it is there in full length.
    pub(super) is_whole: bool,
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
    /// Bytes of these lines.
    waiting: usize,
    /// Lines read so far.
    read: u64,
    /// Every line up to this number has been interrupted.
    interrupted: u64,
    /// Whether a line should end what the engine does.
    yielding: bool,
    /// From when on a line should end it.
    yielding_from: Option<Instant>,
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
            while let Ok(read @ (LineRead::Whole | LineRead::Cut)) = read_line(&mut input, &mut bytes, LONGEST_LINE) {
                filled.push_when_there_is_room(std::mem::take(&mut bytes), read == LineRead::Whole);
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

    /// Prepares the stop flag for what `stop` ends at any time, and any other line that arrives later than `patience` from now.
    pub(super) fn begin_patient_work(&self, number: u64, patience: Duration) {
        self.begin_search(number);
        self.lock().yielding_from = Some(Instant::now() + patience);
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
        state.yielding_from = None;
        match state.lines.pop_front() {
            Some(line) => {
                state.waiting -= line.bytes.len();
                self.changed.notify_all();
                Next::Line(line)
            }
            None if state.ended => Next::End,
            None => {
                state.yielding = true;
                self.stop.lower();
                Next::Idle
            }
        }
    }

    /// Waits while too much waits already: a controller that sends faster than it is answered shall not fill the memory.
    fn push_when_there_is_room(&self, bytes: Vec<u8>, is_whole: bool) {
        let state = self.lock();
        let full = |state: &mut State| state.waiting > MOST_WAITING;
        let state = self.changed.wait_while(state, full).unwrap_or_else(PoisonError::into_inner);
        self.add(state, bytes, is_whole);
    }

    #[cfg(test)]
    fn push(&self, bytes: Vec<u8>) {
        self.add(self.lock(), bytes, true);
    }

    fn add(&self, mut state: MutexGuard<'_, State>, mut bytes: Vec<u8>, is_whole: bool) {
        if state.read == 0 && bytes.starts_with(b"\xef\xbb\xbf") {
            // Some Windows programs begin what they write with a byte order mark.
            bytes.drain(..3);
        }
        if bytes.trim_ascii() == b"# interrupt" {
            state.interrupted = state.read;
            self.stop.raise();
        }
        state.read += 1;
        state.waiting += bytes.len();
        let line = Line { bytes, is_whole, number: state.read, arrived: Instant::now() };
        if state.yielding_from.is_some_and(|from| line.arrived >= from || line.bytes.trim_ascii() == b"stop") {
            self.stop.raise();
        }
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
        self.changed.notify_all();
    }

    /// The state; a panic of the other thread leaves it as valid as any moment does.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::time::Duration;

    use super::{Inbox, LONGEST_LINE, MOST_WAITING, Next};

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
    fn a_line_that_never_ends_takes_no_more_memory_than_a_long_one() {
        let endless = std::io::repeat(b'x').take(40 << 20).chain(&b"\nname\n"[..]);
        let inbox = Inbox::fill_from(std::io::BufReader::new(endless));
        let Next::Line(line) = inbox.wait() else { panic!("a line is there") };
        assert!(!line.is_whole && line.bytes.capacity() <= 2 * LONGEST_LINE);
        assert!(matches!(inbox.wait(), Next::Line(line) if line.is_whole && line.bytes == b"name\n"));
    }

    #[test]
    fn reading_pauses_while_too_much_waits_to_be_answered_and_loses_nothing() {
        let line = [vec![b'x'; LONGEST_LINE - 1], vec![b'\n']].concat();
        let lines = 80;
        let inbox = Inbox::fill_from(std::io::Cursor::new(line.repeat(lines)));
        inbox.wait_for_input();
        let mut most = 0;
        for _ in 0..lines {
            assert!(matches!(inbox.wait(), Next::Line(found) if found.bytes == line));
            most = most.max(inbox.lock().waiting);
        }
        assert!(most <= MOST_WAITING + LONGEST_LINE, "{most}");
        assert!(matches!(inbox.wait(), Next::End));
    }

    #[test]
    fn stop_ends_patient_work_at_once_and_other_lines_only_later() {
        let inbox = Inbox::default();
        inbox.begin_patient_work(1, Duration::from_secs(1000));
        inbox.push(b"name\n".to_vec());
        inbox.end();
        assert!(!inbox.stop().is_raised());
        inbox.push(b"stop\n".to_vec());
        assert!(inbox.stop().is_raised());
        inbox.begin_patient_work(4, Duration::ZERO);
        assert!(!inbox.stop().is_raised());
        inbox.push(b"name\n".to_vec());
        assert!(inbox.stop().is_raised());
    }

    #[test]
    fn a_byte_order_mark_is_dropped_from_the_first_line_only() {
        let inbox = Inbox::fill_from(&b"\xef\xbb\xbfname\n\xef\xbb\xbfname"[..]);
        assert_eq!(line(inbox.wait()).as_deref(), Some(&b"name\n"[..]));
        assert_eq!(line(inbox.wait()).as_deref(), Some(&b"\xef\xbb\xbfname"[..]));
        assert!(matches!(inbox.wait(), Next::End));
    }
}
