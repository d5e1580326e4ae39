//! What the engine is asked, and whose turn it is: moves before hints, and among those who wait one after the other by where they come from.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::engine::StopFlag;
use crate::game::Game;
use crate::geometry::{Move, Point};
use crate::level::Level;

/// Where a request comes from: an address, of which half is enough with IPv6, where a household has that much.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Client(IpAddr);

impl Client {
    /// Whoever has this address.
    pub fn at(address: IpAddr) -> Client {
        match address.to_canonical() {
            IpAddr::V4(address) => Client(address.into()),
            IpAddr::V6(address) => Client(IpAddr::V6((address.to_bits() >> 64 << 64).into())),
        }
    }
}

/// What the engine is to find.
#[derive(Clone, Debug)]
pub enum Task {
    /// A move for whoever is to move.
    Move {
        /// The game so far.
        game: Box<Game>,
        /// How strong.
        level: Level,
        /// The chance of the game.
        seed: u64,
        /// Stones to capture for a win, or 0.
        first_capture: usize,
    },
    /// Which stones are dead.
    Judgement(Box<Game>),
    /// Moves to think about.
    Hint {
        /// The game so far.
        game: Box<Game>,
        /// Stones to capture for a win, or 0.
        first_capture: usize,
    },
}

/// What the engine has found.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// This move.
    Move(Move),
    /// These stones are dead.
    Dead(Vec<Point>),
    /// These moves, with their share of the reading.
    Hints(Vec<(Move, f64)>),
}

/// A task handed to a worker.
#[derive(Debug)]
pub struct Job {
    /// What to find.
    pub task: Task,
    /// Who waits for it.
    pub answer: oneshot::Sender<Answer>,
    /// Raised when nobody needs it any more.
    pub stop: Arc<StopFlag>,
    number: u64,
}

/// What whoever waits has in hand. Dropping it withdraws the question.
#[derive(Debug)]
pub struct Ticket {
    queue: Arc<Queue>,
    number: u64,
    stop: Arc<StopFlag>,
    /// Where the answer comes.
    pub answer: oneshot::Receiver<Answer>,
}

impl Ticket {
    /// How many come first; 0 when a worker has it.
    pub fn ahead(&self) -> usize {
        self.queue.ahead(self.number)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop.raise();
        self.queue.withdraw(self.number);
    }
}

/// How much each question matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// Somebody waits for it to go on.
    Move,
    /// Only when no move waits.
    Hint,
}

/// Questions of one importance.
#[derive(Default, Debug)]
struct Waiting {
    /// Those who wait, whoever is next first.
    turns: VecDeque<Client>,
    jobs: HashMap<Client, VecDeque<Job>>,
    count: usize,
}

impl Waiting {
    fn add(&mut self, client: Client, job: Job) {
        let jobs = self.jobs.entry(client).or_default();
        if jobs.is_empty() {
            self.turns.push_back(client);
        }
        jobs.push_back(job);
        self.count += 1;
    }

    fn take(&mut self) -> Option<Job> {
        let client = self.turns.pop_front()?;
        let jobs = self.jobs.get_mut(&client)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.jobs.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        self.count -= usize::from(job.is_some());
        job
    }

    /// How many are taken before this one.
    fn before(&self, number: u64) -> Option<usize> {
        let find = |client: &Client| self.jobs.get(client)?.iter().position(|job| job.number == number);
        let (turn, round) = self.turns.iter().enumerate().find_map(|(turn, client)| Some((turn, find(client)?)))?;
        let taken = |(other, client): (usize, &Client)| {
            let rounds = round + usize::from(other < turn);
            self.jobs.get(client).map_or(0, |jobs| jobs.len().min(rounds))
        };
        Some(self.turns.iter().enumerate().map(taken).sum())
    }

    fn withdraw(&mut self, number: u64) {
        for jobs in self.jobs.values_mut() {
            let before = jobs.len();
            jobs.retain(|job| job.number != number);
            self.count -= before - jobs.len();
        }
        self.jobs.retain(|_, jobs| !jobs.is_empty());
        let jobs = &self.jobs;
        self.turns.retain(|client| jobs.contains_key(client));
    }
}

#[derive(Default, Debug)]
struct State {
    moves: Waiting,
    hints: Waiting,
    running: Vec<u64>,
    count: u64,
    closed: bool,
}

/// The queue; workers wait at it.
#[derive(Debug)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    /// Questions of each importance that may wait.
    limit: usize,
}

impl Queue {
    /// A queue with room for so many questions of each importance.
    pub fn new(limit: usize) -> Queue {
        Queue { state: Mutex::default(), changed: Condvar::new(), limit }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks; `None` when too many wait.
    pub fn ask(self: &Arc<Queue>, client: Client, lane: Lane, task: Task) -> Option<Ticket> {
        let (sender, answer) = oneshot::channel();
        let stop = Arc::new(StopFlag::default());
        let mut state = self.lock();
        let number = state.count;
        let waiting = match lane {
            Lane::Move => &mut state.moves,
            Lane::Hint => &mut state.hints,
        };
        if waiting.count >= self.limit {
            return None;
        }
        waiting.add(client, Job { task, answer: sender, stop: Arc::clone(&stop), number });
        state.count += 1;
        drop(state);
        self.changed.notify_one();
        Some(Ticket { queue: Arc::clone(self), number, stop, answer })
    }

    /// Whether another move would find no room.
    pub fn is_full(&self) -> bool {
        self.lock().moves.count >= self.limit
    }

    /// Moves that wait.
    pub fn moves_waiting(&self) -> usize {
        self.lock().moves.count
    }

    /// The next question, as soon as there is one; `None` when there will be none.
    pub fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            let next = state.moves.take();
            if let Some(job) = next.or_else(|| state.hints.take()) {
                state.running.push(job.number);
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes that a worker is free again.
    pub fn finish(&self, number: u64) {
        self.lock().running.retain(|&running| running != number);
    }

    fn ahead(&self, number: u64) -> usize {
        let state = self.lock();
        let waiting = state.moves.before(number).or_else(|| Some(state.moves.count + state.hints.before(number)?));
        waiting.map_or(0, |before| before + state.running.len())
    }

    fn withdraw(&self, number: u64) {
        let mut state = self.lock();
        state.moves.withdraw(number);
        state.hints.withdraw(number);
    }

    /// Sends the workers home; outside tests the process ends with them.
    #[cfg(test)]
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

impl Job {
    /// The number under which the queue knows it.
    pub fn number(&self) -> u64 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Client, Lane, Queue, Task, Ticket};
    use crate::game::Game;
    use crate::geometry::Geometry;
    use crate::rules::Rules;
    use crate::score::Komi;

    fn task() -> Task {
        let geometry = Geometry::new(5).expect("valid");
        Task::Judgement(Box::new(Game::new(geometry, Rules::AS_IS, Komi::DEFAULT)))
    }

    fn client(last: u8) -> Client {
        Client::at([192, 0, 2, last].into())
    }

    fn ask(queue: &Arc<Queue>, last: u8, lane: Lane) -> Ticket {
        queue.ask(client(last), lane, task()).expect("room")
    }

    #[test]
    fn clients_take_turns_however_much_each_asks_and_each_is_told_how_many_come_first() {
        let queue = Arc::new(Queue::new(10));
        let tickets: Vec<Ticket> = [1, 1, 1, 2, 3, 2].into_iter().map(|last| ask(&queue, last, Lane::Move)).collect();
        let ahead: Vec<usize> = tickets.iter().map(Ticket::ahead).collect();
        assert_eq!(ahead, [0, 3, 5, 1, 2, 4]);
        let order: Vec<u64> = (0..6).filter_map(|_| queue.next()).map(|job| job.number()).collect();
        assert_eq!(order, [0, 3, 4, 1, 5, 2]);
        assert_eq!(tickets[0].ahead(), 0);
    }

    #[test]
    fn hints_wait_until_no_move_does() {
        let queue = Arc::new(Queue::new(10));
        let hint = ask(&queue, 1, Lane::Hint);
        let first = ask(&queue, 2, Lane::Move);
        assert_eq!((hint.ahead(), first.ahead()), (1, 0));
        assert_eq!(queue.next().expect("a move").number(), 1);
        assert_eq!(hint.ahead(), 1, "the worker is busy");
        queue.finish(1);
        assert_eq!(queue.next().expect("the hint").number(), 0);
    }

    #[test]
    fn a_full_queue_refuses_and_a_withdrawn_question_makes_room() {
        let queue = Arc::new(Queue::new(2));
        let (_first, second) = (ask(&queue, 1, Lane::Move), ask(&queue, 1, Lane::Move));
        assert!(queue.is_full() && queue.ask(client(2), Lane::Move, task()).is_none());
        let stop = Arc::clone(&second.stop);
        drop(second);
        assert!(stop.is_raised() && !queue.is_full());
        let _third = ask(&queue, 2, Lane::Move);
        let order: Vec<u64> = (0..2).filter_map(|_| queue.next()).map(|job| job.number()).collect();
        assert_eq!(order, [0, 2]);
    }

    #[test]
    fn half_an_address_of_the_new_kind_is_one_client() {
        let at = |text: &str| Client::at(text.parse().expect("an address"));
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff"));
        assert!(at("2001:db8::1") != at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
    }
}
