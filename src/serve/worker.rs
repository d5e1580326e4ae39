//! A worker: a thread that answers one question after another, each with an engine of its own, so that no game leaves a trace in another.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::first_capture;
use super::queue::{Answer, Job, Queue, Task};
use crate::engine::{Decision, Engine, Settings, StopFlag, TimeBudget};
use crate::game::Game;
use crate::geometry::Move;
use crate::level::Level;
use crate::search::{Listener, Report, Restriction, RootMove};
use crate::status::Statuses;

/// How long the advanced level thinks about a move when nobody waits.
const FULL: Duration = Duration::from_secs(5);
/// ... and when others do.
const SHARED: Duration = Duration::from_secs(3);
/// How often it looks whether others do.
const GLANCE: Duration = Duration::from_millis(50);
/// Simulations behind a hint: a second or so.
const HINT_SIMULATIONS: u64 = 1500;
/// How long a hint is thought about when a move waits.
const HINT_SHARED: Duration = Duration::from_millis(400);
/// Points in a hint at most.
const HINTS: usize = 3;
/// The share of the best move's visits that a move needs to be called sensible, and the points that it may be worse by, per side of the board.
const SENSIBLE: (f64, f64) = (0.12, 0.12);
/// Room for a search tree: the largest search here has some ten thousand simulations.
const MEMORY_MIB: usize = 64;

/// Answers questions until the queue closes.
pub fn work(queue: &Queue) {
    while let Some(job) = queue.next() {
        let number = job.number();
        let Job { task, answer, stop, .. } = job;
        // A fault in the engine costs an answer, which is asked for again, and not the site.
        match catch_unwind(AssertUnwindSafe(|| find(&task, &Desk { queue, stop: &stop }))) {
            // Whoever does not listen any more has gone.
            Ok(found) => drop(answer.send(found)),
            Err(_) => log::error!("the engine failed at a question"),
        }
        queue.finish(number);
    }
}

/// What a worker keeps an eye on.
struct Desk<'d> {
    queue: &'d Queue,
    stop: &'d StopFlag,
}

impl Desk<'_> {
    /// Ends the thinking that has begun then, if it has had `enough` and others wait.
    fn glance(&self, begin: Instant, enough: Duration) {
        if begin.elapsed() >= enough && self.queue.moves_waiting() > 0 {
            self.stop.raise();
        }
    }
}

/// Answers a question.
fn find(task: &Task, desk: &Desk<'_>) -> Answer {
    match task {
        Task::Move { game, level, seed, first_capture: 0 } => Answer::Move(choose(game, *level, *seed, desk, &[])),
        Task::Move { game, level, seed, first_capture } => {
            let otherwise = |safe: &[_]| choose(game, *level, *seed, desk, safe);
            Answer::Move(first_capture::choose(game, *first_capture, *level, *seed, otherwise))
        }
        Task::Judgement(game) => Answer::Dead(Statuses::of(game).dead()),
        Task::Hint { game, first_capture } => Answer::Hints(hints(game, *first_capture, desk)),
    }
}

fn engine(game: &Game, level: Level, seed: u64) -> Engine {
    let mut engine = Engine::new(&Settings {
        level,
        threads: 1,
        seed: Some(seed),
        memory_mib: Some(MEMORY_MIB),
        // A person may always play on to the count.
        resign: false,
        playouts: None,
        ..Settings::default()
    });
    engine.set_game(game.clone());
    engine
}

/// A move of this level. The weak levels are limited by simulations alone; full strength has a time, and less of it as soon as others wait.
fn choose(game: &Game, level: Level, seed: u64, desk: &Desk<'_>, restrictions: &[Restriction]) -> Move {
    let begin = Instant::now();
    let is_timed = level.style(game.geometry().size()).is_none();
    let mut tell = |_: &Report| {
        if is_timed {
            desk.glance(begin, SHARED);
        }
    };
    let budget = Some(TimeBudget { target: FULL, limit: FULL });
    let listener = Listener { first: GLANCE, every: GLANCE, moves_ownership: false, tell: &mut tell };
    let mut engine = engine(game, level, seed);
    made(engine.choose_aloud(game.to_move(), budget, restrictions, listener, desk.stop))
}

fn made(decision: Decision) -> Move {
    match decision {
        Decision::Move(mv) => mv,
        Decision::Resign => Move::Pass,
    }
}

/// Two or three sensible moves, the best first, with their shares of the reading; only one where nothing else makes sense.
fn hints(game: &Game, needed: usize, desk: &Desk<'_>) -> Vec<(Move, f64)> {
    if needed > 0 {
        let otherwise = |safe: &[_]| choose(game, Level::Intermediate, 0, desk, safe);
        return vec![(first_capture::choose(game, needed, Level::Advanced, 0, otherwise), 1.0)];
    }
    let mut engine = engine(game, Level::Advanced, 0);
    engine.change_settings(|settings| settings.playouts = Some(HINT_SIMULATIONS));
    let begin = Instant::now();
    let mut seen = Vec::new();
    let mut tell = |report: &Report| {
        desk.glance(begin, HINT_SHARED);
        seen.clone_from(&report.moves);
    };
    let listener = Listener { first: GLANCE, every: GLANCE, moves_ownership: false, tell: &mut tell };
    let best = made(engine.choose_aloud(game.to_move(), None, &[], listener, desk.stop));
    sensible(game, best, &seen)
}

/// The chosen move, and those of the others that were read nearly as much and lose hardly anything.
fn sensible(game: &Game, best: Move, moves: &[RootMove]) -> Vec<(Move, f64)> {
    let all: f64 = moves.iter().map(|m| f64::from(m.visits)).sum::<f64>().max(1.0);
    let share = |mv: Move| moves.iter().find(|m| m.mv == mv).map_or(0.0, |m| f64::from(m.visits) / all);
    let mut chosen = vec![(best, share(best))];
    let Some(top) = moves.iter().find(|m| m.mv == best).or(moves.first()) else { return chosen };
    if best == Move::Pass {
        return chosen;
    }
    let may_lose = SENSIBLE.1 * game.geometry().size() as f64;
    let others = moves.iter().filter(|m| {
        let is_read = f64::from(m.visits) >= SENSIBLE.0 * f64::from(top.visits);
        m.mv != best && m.mv != Move::Pass && is_read && m.lead >= top.lead - may_lose
    });
    chosen.extend(others.take(HINTS - 1).map(|m| (m.mv, share(m.mv))));
    chosen
}

#[cfg(test)]
mod tests {
    use super::{Desk, Task, find, sensible};
    use crate::color::Color;
    use crate::engine::StopFlag;
    use crate::game::Game;
    use crate::geometry::{Geometry, Move};
    use crate::level::Level;
    use crate::rules::Rules;
    use crate::score::Komi;
    use crate::serve::queue::{Answer, Queue};

    fn game(size: usize) -> Game {
        Game::new(Geometry::new(size).expect("valid"), Rules::AS_IS, Komi::DEFAULT)
    }

    fn answer(task: &Task) -> Answer {
        find(task, &Desk { queue: &Queue::new(1), stop: &StopFlag::default() })
    }

    #[test]
    fn the_same_seed_gives_the_same_move() {
        let task = |seed| Task::Move { game: Box::new(game(7)), level: Level::Beginner, seed, first_capture: 0 };
        assert_eq!(answer(&task(3)), answer(&task(3)));
        let moves: Vec<Answer> = (0..12).map(|seed| answer(&task(seed))).collect();
        assert!(moves.iter().any(|found| *found != moves[0]), "{moves:?}");
    }

    #[test]
    fn a_hint_is_one_to_three_legal_moves() {
        let mut game = game(5);
        let center = game.geometry().point(2, 2).expect("on the board");
        game.play(Color::Black, Move::Play(center)).expect("legal");
        let Answer::Hints(hints) = answer(&Task::Hint { game: Box::new(game.clone()), first_capture: 0 }) else {
            panic!("hints");
        };
        assert!((1..=3).contains(&hints.len()), "{hints:?}");
        assert!(
            hints.iter().all(|&(mv, share)| { game.check(Color::White, mv).is_ok() && (0.0..=1.0).contains(&share) })
        );
        assert_eq!(sensible(&game, Move::Pass, &[]), [(Move::Pass, 0.0)]);
    }
}
