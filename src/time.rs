//! How long to think: the clocks of a game and the budget of one move.
//!
//! Pure functions of what the controller said and of durations that the caller measured; no clock is read here, so that
//! whole games can be simulated in tests. What a budget is spent on is the search's business. The front end owns a
//! [`Clock`] and tells it about every `time_settings`, `time_left` and answered `genmove`.
//!
//! Many controllers announce a time limit and never say how much is left (gogui-twogtp is one), so the clock keeps its
//! own books: each answer is charged, plus an overhead for what happens outside the engine. A `time_left`, where one
//! comes, replaces the books.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::color::{Color, PerColor};

/// Raised from another thread to end a search early.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

impl StopFlag {
    /// Asks the search to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Allows the next search.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the search should end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long to think about one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBudget {
    /// Time to aim at: the search may stop earlier or, when undecided, go on up to the limit.
    pub target: Duration,
    /// Time never to exceed.
    pub limit: Duration,
}

/// Longest time that is taken literally, a thousand days; longer ones are cut, so that sums cannot overflow.
const LONGEST: Duration = Duration::from_secs(1000 * 24 * 3600);
/// Shortest budget: with less than this the clock is lost anyway, and the search needs some time to answer at all.
const SHORTEST: TimeBudget = TimeBudget { target: Duration::from_millis(2), limit: Duration::from_millis(5) };
/// Assumed time per move that passes outside the engine: pipes, the controller, a network. A guess.
const LAG: Duration = Duration::from_millis(100);
/// Time never planned for, against a busy machine. A guess.
const KEPT: Duration = Duration::from_millis(500);

/// What follows when the main time is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Overtime {
    /// The game is lost.
    None,
    /// `stones` moves in each `period`; with one stone this is a fixed time per move.
    Canadian { period: Duration, stones: u32 },
    /// `periods` times `period`; a period is lost only when a move takes all of it.
    ByoYomi { period: Duration, periods: u32 },
    /// None, but `increment` is added after each move, up to `cap`; no move may take more than `most`.
    Fischer { increment: Duration, cap: Duration, most: Duration },
}

/// A time limit for a game, the same for both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimit {
    main: Duration,
    overtime: Overtime,
}

impl TimeLimit {
    /// The limit that GTP's `time_settings` describes, or `None` where its numbers mean "no limit".
    ///
    /// Overtime without stones is the protocol's way to say "no limit". Overtime of no length is none, and a game
    /// without any time at all cannot be meant, so that is no limit either.
    pub fn canadian(main: Duration, period: Duration, stones: u32) -> Option<TimeLimit> {
        let main = main.min(LONGEST);
        if period.is_zero() {
            return (!main.is_zero()).then_some(TimeLimit { main, overtime: Overtime::None });
        }
        let overtime = Overtime::Canadian { period: period.min(LONGEST), stones };
        (stones > 0).then_some(TimeLimit { main, overtime })
    }

    /// Main time and then Japanese overtime, or `None` where the numbers leave no time at all.
    pub fn byo_yomi(main: Duration, period: Duration, periods: u32) -> Option<TimeLimit> {
        if period.is_zero() || periods == 0 {
            return TimeLimit::canadian(main, Duration::ZERO, 0);
        }
        let overtime = Overtime::ByoYomi { period: period.min(LONGEST), periods };
        Some(TimeLimit { main: main.min(LONGEST), overtime })
    }

    /// Main time that grows by `increment` with each move, but not beyond `cap`; no move may take more than `most`. `None` where the numbers
    /// leave no time at all.
    pub fn fischer(
        main: Duration,
        increment: Duration,
        cap: Option<Duration>,
        most: Option<Duration>,
    ) -> Option<TimeLimit> {
        let [main, increment] = [main, increment].map(|time| time.min(LONGEST));
        let [cap, most] = [cap, most].map(|time| time.unwrap_or(LONGEST).min(LONGEST));
        if main.is_zero() && increment.is_zero() {
            return None;
        }
        // A player who had no time for the first move would have lost before it.
        let main = if main.is_zero() { increment.min(cap) } else { main };
        Some(TimeLimit { main, overtime: Overtime::Fischer { increment, cap, most } })
    }

    /// The clock of a player who has not moved yet.
    fn start(self) -> Side {
        let side = Side { left: self.main, count: 0, whole: self.main, overtime: self.overtime };
        if self.main.is_zero() { side.in_overtime() } else { side }
    }
}

/// The clock of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Side {
    /// Time left of the main time, or of the current period.
    left: Duration,
    /// Moves still to be made in the current period (or periods left, in byo-yomi); 0 during the main time.
    count: u32,
    /// The most time that `left` was in this phase: says whether the clock is a fast one.
    whole: Duration,
    overtime: Overtime,
}

impl Side {
    /// The same clock at the beginning of its overtime; without overtime, with nothing left.
    fn in_overtime(self) -> Side {
        let (left, count) = match self.overtime {
            Overtime::None | Overtime::Fischer { .. } => (Duration::ZERO, 0),
            Overtime::Canadian { period, stones } => (period, stones),
            Overtime::ByoYomi { period, periods } => (period, periods),
        };
        Side { left, count, whole: left, ..self }
    }

    /// What the controller said is left.
    fn told(self, left: Duration, count: u32) -> Side {
        if count == 0 {
            // At the end of the main time some controllers say "0 0" for "overtime begins".
            let ended = left.is_zero() && self.has_periods();
            let whole = if self.count == 0 { self.whole.max(left) } else { left };
            return if ended { self.in_overtime() } else { Side { left, count, whole, ..self } };
        }
        // Stones although no overtime was agreed on: believed, as a period that is never renewed.
        let whole = match self.overtime {
            Overtime::None | Overtime::Fischer { .. } => left,
            Overtime::Canadian { period, .. } | Overtime::ByoYomi { period, .. } => period,
        };
        Side { left, count, whole, ..self }
    }

    /// The clock after a move that took `used`.
    fn after(self, used: Duration) -> Side {
        if let Overtime::Fischer { increment, cap, .. } = self.overtime {
            let left = self.left.saturating_sub(used);
            // Who has more than the cap already keeps it.
            return Side { left: (left + increment).min(cap.max(left)), ..self };
        }
        if self.count == 0 {
            return match used.checked_sub(self.left) {
                Some(over) if self.has_periods() => self.in_overtime().after(over),
                _ => Side { left: self.left.saturating_sub(used), ..self },
            };
        }
        match self.overtime {
            Overtime::ByoYomi { period, .. } => {
                // Every period that the move used up is gone, but the last one is all there ever is.
                let lost = match used.checked_sub(self.left) {
                    Some(over) if !over.is_zero() => 1 + over.as_nanos().saturating_sub(1) / period.as_nanos().max(1),
                    _ => 0,
                };
                let lost = u32::try_from(lost).unwrap_or(u32::MAX);
                Side { left: period, count: self.count.saturating_sub(lost).max(1), ..self }
            }
            _ if self.count > 1 => Side { left: self.left.saturating_sub(used), count: self.count - 1, ..self },
            Overtime::Canadian { .. } => self.in_overtime(),
            Overtime::None | Overtime::Fischer { .. } => Side { left: self.left.saturating_sub(used), ..self },
        }
    }

    /// Whether the game goes on in periods when the main time is used up.
    fn has_periods(self) -> bool {
        matches!(self.overtime, Overtime::Canadian { .. } | Overtime::ByoYomi { .. })
    }

    /// Assumed time per move outside the engine: a tenth of a second, less on a clock on which that would be much.
    fn lag(self) -> Duration {
        if self.count == 0 {
            return LAG.min(self.whole / 400);
        }
        let moves = if matches!(self.overtime, Overtime::ByoYomi { .. }) { 1 } else { self.count };
        LAG.min(self.left / 10 / moves)
    }

    /// Time that may be planned for: what is left without a reserve.
    fn available(self) -> Duration {
        let reserve = if self.count == 0 {
            // Unlike the lag of each move, this covers the moves of a game that is longer than any plan.
            (KEPT + 60 * self.lag()).min(self.whole / 5)
        } else {
            // The same for every move of the period: the last one must not be lost for being late just once.
            KEPT.min(self.whole / 4)
        };
        self.left.saturating_sub(reserve)
    }

    /// The most that one move may take in the current period of overtime; without overtime, nothing.
    fn share(self) -> Duration {
        let moves = match self.overtime {
            Overtime::ByoYomi { .. } => 1,
            _ => self.count,
        };
        let share = self.available().checked_div(moves).unwrap_or(Duration::ZERO);
        share.saturating_sub(self.lag())
    }

    /// The budget of a move on a board with that many empty points.
    fn budget(self, empties: usize, area: usize) -> TimeBudget {
        let budget = if self.count > 0 {
            // A share that is not used is there for the next stones, or for nobody where a stone is a period.
            TimeBudget { target: self.share().mul_f64(1.0 / 1.1), limit: self.share() }
        } else {
            let overtime = if self.has_periods() { self.in_overtime().share() } else { Duration::ZERO };
            let moves = moves_left(empties, area);
            let available = if overtime.is_zero() { self.available() } else { self.left };
            let even = (available / moves).saturating_sub(self.lag());
            // Faster than in overtime there is no reason to play.
            let target = even.mul_f64(phase_weight(empties, area)).max(overtime.mul_f64(1.0 / 1.1));
            // What is planned for one move never takes more than a quarter of what all others must share.
            let most = (available / 4).saturating_sub(self.lag()).max(overtime);
            match self.overtime {
                // What a move brings can be spent on it, as far as it is on the clock already.
                Overtime::Fischer { increment, most: longest, .. } if self.count == 0 => {
                    let brought = increment.saturating_sub(self.lag());
                    let most = (most + brought).min(self.available()).min(longest.saturating_sub(self.lag()));
                    let target = (target + brought.mul_f64(0.9)).min(most);
                    TimeBudget { target, limit: (target.mul_f64(2.25)).min(most) }
                }
                _ => TimeBudget { target: target.min(most), limit: target.mul_f64(2.25).min(most) },
            }
        };
        TimeBudget { target: budget.target.max(SHORTEST.target), limit: budget.limit.max(SHORTEST.limit) }
    }
}

/// How many moves one player may still have to make: half of the points that get filled, and never so few that a long
/// endgame or a fight after it would find the clock empty.
fn moves_left(empties: usize, area: usize) -> u32 {
    let filled_at_the_end = empties.saturating_sub(area / 5) / 2;
    // Boards have at most a few hundred points.
    filled_at_the_end.max(area / 7 + 8) as u32
}

/// Weight of the current phase: the middle game decides and gets more than its even share.
fn phase_weight(empties: usize, area: usize) -> f64 {
    let stones = 100 * area.saturating_sub(empties) / area.max(1);
    match stones {
        0..6 => 0.8,
        6..45 => 1.2,
        _ => 1.0,
    }
}

/// The clocks of both players.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    limit: Option<TimeLimit>,
    /// `None` for a player of whose time nothing is known.
    sides: PerColor<Option<Side>>,
}

impl Clock {
    /// A clock without a limit.
    pub fn new() -> Clock {
        Clock::default()
    }

    /// Sets the limit for both players and starts over, also when it is the one already in force.
    pub fn set_limit(&mut self, limit: Option<TimeLimit>) {
        self.limit = limit;
        self.reset();
    }

    /// Starts over, as for a new game.
    pub fn reset(&mut self) {
        self.sides = PerColor([self.limit.map(TimeLimit::start); 2]);
    }

    /// What the controller says `color` has left: the time, and the number of stones (or of periods, in byo-yomi), 0
    /// during the main time.
    pub fn time_left(&mut self, color: Color, left: Duration, count: u32) {
        let left = left.min(LONGEST);
        self.sides[color] = match self.sides[color] {
            Some(side) => Some(side.told(left, count)),
            // Without a limit "nothing left" is what controllers without a clock say.
            None if left.is_zero() => None,
            None => Some(Side { left, count, whole: left, overtime: Overtime::None }),
        };
    }

    /// Charges `color` for a move that took `used` to answer, and for what passes outside the engine.
    pub fn charge(&mut self, color: Color, used: Duration) {
        self.sides[color] = self.sides[color].map(|side| side.after(used + side.lag()));
    }

    /// What `color` may spend on a move when `empties` of the `area` points are empty; `None` where there is no limit.
    pub fn budget(&self, color: Color, empties: usize, area: usize) -> Option<TimeBudget> {
        self.sides[color].map(|side| side.budget(empties, area))
    }
}

#[cfg(test)]
mod tests;
