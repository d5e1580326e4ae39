use std::time::Duration;

use super::{Clock, TimeLimit};
use crate::color::Color::{Black, White};
use crate::rng::Rng;

fn secs(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn canadian(main: f64, period: f64, stones: u32) -> Clock {
    let mut clock = Clock::new();
    clock.set_limit(TimeLimit::canadian(secs(main), secs(period), stones));
    clock
}

/// The controller's side of a clock, by which a game is lost.
struct Judge {
    main: Duration,
    period: Duration,
    stones: u32,
    left: Duration,
    count: u32,
}

impl Judge {
    fn new(main: f64, period: f64, stones: u32) -> Judge {
        let mut judge = Judge { main: secs(main), period: secs(period), stones, left: secs(main), count: 0 };
        if judge.main.is_zero() {
            judge.left = judge.period;
            judge.count = stones;
        }
        judge
    }

    /// False when the flag has fallen.
    fn press(&mut self, mut used: Duration) -> bool {
        if self.count == 0 {
            if used <= self.left {
                self.left -= used;
                return true;
            }
            used -= self.left;
            self.left = self.period;
            self.count = self.stones;
        }
        if self.count == 0 || used > self.left {
            return false;
        }
        self.left -= used;
        self.count -= 1;
        if self.count == 0 {
            self.left = self.period;
            self.count = self.stones;
        }
        true
    }
}

/// How a simulated machine behaves: the most that a search overshoots, the most that passes outside the engine, and
/// whether the controller says what is left.
#[derive(Clone, Copy, Debug)]
struct Machine {
    overshoot_ms: usize,
    lag_ms: usize,
    tells: bool,
    seed: u64,
}

/// Plays `moves` moves of one player and returns what was left, or the number of the move that lost on time.
fn simulate(
    main: f64,
    period: f64,
    stones: u32,
    size: usize,
    moves: usize,
    machine: Machine,
) -> Result<Duration, usize> {
    let area = size * size;
    let mut clock = canadian(main, period, stones);
    let mut judge = Judge::new(main, period, stones);
    let mut rng = Rng::derived(machine.seed, moves as u64);
    for number in 0..moves {
        if machine.tells {
            clock.time_left(Black, judge.left, judge.count);
        }
        let empties = area.saturating_sub(2 * number).max(area / 6);
        let budget = clock.budget(Black, empties, area).expect("a limit is set");
        assert!(budget.target <= budget.limit);
        // Every third search is undecided and goes to the limit.
        let thought = if number % 3 == 0 { budget.limit } else { budget.target };
        // Most searches end in time; one in ten finds the machine busy.
        let late = if rng.percent(10) { rng.below(machine.overshoot_ms + 1) } else { rng.below(5) };
        let used = thought + Duration::from_millis(late as u64);
        clock.charge(Black, used);
        if !judge.press(used + Duration::from_millis(rng.below(machine.lag_ms + 1) as u64)) {
            return Err(number);
        }
    }
    Ok(judge.left)
}

/// Machines from idle to badly overloaded, each with several runs of luck.
fn machines() -> impl Iterator<Item = Machine> {
    let kinds = [(0, 0, false), (100, 20, false), (150, 30, true), (20, 40, true), (300, 10, true)];
    kinds.into_iter().flat_map(|(overshoot_ms, lag_ms, tells)| {
        (0..50).map(move |seed| Machine { overshoot_ms, lag_ms, tells, seed })
    })
}

#[test]
fn ten_seconds_last_for_a_long_game_on_a_small_board() {
    for machine in machines() {
        for moves in [30, 50, 75] {
            let left = simulate(10.0, 0.0, 0, 9, moves, machine);
            assert!(left.is_ok(), "lost at move {left:?} of {moves} on {machine:?}");
        }
    }
}

#[test]
fn no_usual_time_limit_is_ever_exceeded() {
    for machine in machines() {
        for (main, period, stones) in [
            (60.0, 0.0, 0),
            (300.0, 0.0, 0),
            (1800.0, 0.0, 0),
            (0.0, 5.0, 10),
            (0.0, 5.0, 1),
            (0.0, 1.0, 1),
            (0.0, 300.0, 25),
            (10.0, 5.0, 10),
            (60.0, 30.0, 1),
            (600.0, 30.0, 25),
            (1.0, 30.0, 25),
        ] {
            for (size, moves) in [(9, 75), (13, 120), (19, 200)] {
                let left = simulate(main, period, stones, size, moves, machine);
                assert!(left.is_ok(), "{main} {period} {stones}, size {size}: {left:?} on {machine:?}");
            }
        }
    }
}

#[test]
fn most_of_an_absolute_limit_is_used_in_a_game_of_usual_length() {
    let idle = Machine { overshoot_ms: 0, lag_ms: 0, tells: false, seed: 0 };
    for (main, size, moves) in [(300.0, 9, 30), (900.0, 13, 70), (1800.0, 19, 140)] {
        let left = simulate(main, 0.0, 0, size, moves, idle).expect("not lost");
        assert!(left < secs(main / 2.0), "size {size}: {left:?} of {main} s left");
    }
}

#[test]
fn nearly_out_of_time_means_milliseconds() {
    let mut clock = canadian(300.0, 0.0, 0);
    for left in [0.0, 0.01, 0.1, 0.4] {
        clock.time_left(White, secs(left), 0);
        let budget = clock.budget(White, 200, 361).expect("a limit is set");
        assert!(budget.limit <= Duration::from_millis(5), "{left} s left gave {budget:?}");
    }
    clock.time_left(White, secs(3.0), 0);
    assert!(clock.budget(White, 200, 361).expect("a limit is set").limit < secs(0.2));
}

#[test]
fn a_fixed_time_per_move_is_used_almost_entirely() {
    for period in [1.0, 5.0, 30.0] {
        let budget = canadian(0.0, period, 1).budget(Black, 361, 361).expect("a limit is set");
        assert!(budget.limit < secs(period) && budget.limit > secs(period * 0.6), "{budget:?} of {period} s");
    }
}

#[test]
fn settings_that_mean_no_limit_give_no_budget() {
    for (main, period, stones) in [(0.0, 1.0, 0), (1.0, 1.0, 0), (600.0, 30.0, 0), (0.0, 0.0, 0), (0.0, 0.0, 1)] {
        assert_eq!(canadian(main, period, stones).budget(Black, 81, 81), None);
    }
    assert_eq!(Clock::new().budget(Black, 81, 81), None);
    assert!(canadian(60.0, 0.0, 5).budget(Black, 81, 81).is_some());
}

#[test]
fn new_settings_and_new_games_start_the_clocks_over() {
    let mut clock = canadian(100.0, 0.0, 0);
    let fresh = clock.budget(Black, 81, 81);
    clock.charge(Black, secs(60.0));
    assert_ne!(clock.budget(Black, 81, 81), fresh);
    assert_eq!(clock.budget(White, 81, 81), fresh);
    clock.set_limit(TimeLimit::canadian(secs(100.0), Duration::ZERO, 0));
    assert_eq!(clock.budget(Black, 81, 81), fresh);
    clock.charge(Black, secs(60.0));
    clock.reset();
    assert_eq!(clock.budget(Black, 81, 81), fresh);
}

#[test]
fn what_the_controller_says_replaces_the_books() {
    let mut clock = canadian(100.0, 0.0, 0);
    clock.charge(Black, secs(90.0));
    clock.time_left(Black, secs(100.0), 0);
    assert_eq!(clock.budget(Black, 81, 81), canadian(100.0, 0.0, 0).budget(Black, 81, 81));
}

#[test]
fn overtime_begins_when_the_main_time_is_said_to_be_over() {
    let mut clock = canadian(600.0, 30.0, 5);
    clock.time_left(Black, Duration::ZERO, 0);
    let begun = clock.budget(Black, 81, 81);
    clock.time_left(Black, secs(30.0), 5);
    assert_eq!(clock.budget(Black, 81, 81), begun);
    assert_eq!(canadian(0.0, 30.0, 5).budget(Black, 81, 81), begun);
}

#[test]
fn stones_are_believed_where_no_overtime_was_set() {
    let mut clock = canadian(600.0, 0.0, 0);
    clock.time_left(Black, secs(10.0), 1);
    assert!(clock.budget(Black, 81, 81).expect("a limit is set").limit < secs(10.0));
    clock.charge(Black, secs(1.0));
    assert!(clock.budget(Black, 81, 81).is_some());
}

#[test]
fn time_left_without_settings_is_a_clock_unless_it_is_nothing() {
    let mut clock = Clock::new();
    clock.time_left(Black, Duration::ZERO, 0);
    assert_eq!(clock.budget(Black, 81, 81), None);
    clock.time_left(Black, secs(20.0), 0);
    assert!(clock.budget(Black, 81, 81).expect("told").limit < secs(5.0));
    assert_eq!(clock.budget(White, 81, 81), None);
}

#[test]
fn byo_yomi_periods_are_lost_one_by_one_and_never_planned_with() {
    let mut clock = Clock::new();
    clock.set_limit(TimeLimit::byo_yomi(Duration::ZERO, secs(10.0), 3));
    let budget = clock.budget(Black, 81, 81).expect("a limit is set");
    assert!(budget.limit < secs(10.0) && budget.target > secs(7.0), "{budget:?}");
    clock.charge(Black, secs(15.0));
    assert_eq!(clock.sides[Black].map(|side| side.count), Some(2));
    clock.charge(Black, secs(9.0));
    assert_eq!(clock.sides[Black].map(|side| side.count), Some(2));
    clock.charge(Black, secs(1000.0));
    assert_eq!(clock.sides[Black].map(|side| side.count), Some(1));
    assert_eq!(TimeLimit::byo_yomi(Duration::ZERO, Duration::ZERO, 3), None);
}

#[test]
fn absurd_numbers_are_harmless() {
    for (main, period, stones) in [(1e18, 1e18, u32::MAX), (1e18, 0.0, 0), (1e-9, 1e-9, 1)] {
        let mut clock = canadian(main, period, stones);
        for _ in 0..5 {
            assert!(clock.budget(Black, 0, 4).is_some());
            clock.charge(Black, secs(1e15));
            clock.time_left(Black, secs(1e18), u32::MAX);
        }
    }
}

#[test]
fn the_middle_game_gets_more_than_the_opening() {
    let clock = canadian(1000.0, 0.0, 0);
    let target = |empties| clock.budget(Black, empties, 361).expect("a limit is set").target;
    assert!(target(300) > target(361));
    assert!(clock.budget(Black, 300, 361).expect("a limit is set").limit > target(300).mul_f64(2.0));
}

#[test]
fn increments_are_spent_and_the_flag_never_falls() {
    for (main, increment, cap, longest) in
        [(300.0, 10.0, None, None), (30.0, 5.0, Some(60.0), None), (10.0, 1.0, None, Some(3.0)), (2.0, 0.5, None, None)]
    {
        let mut clock = Clock::new();
        clock.set_limit(TimeLimit::fischer(secs(main), secs(increment), cap.map(secs), longest.map(secs)));
        let (mut left, mut thought, mut longest_move) = (secs(main), Duration::ZERO, Duration::ZERO);
        for played in 0..150_usize {
            let budget = clock.budget(Black, 361 - 2 * played, 361).expect("a limit is set");
            // As undecided as can be, and a little late.
            let used = budget.limit;
            clock.charge(Black, used);
            let charged = used + Duration::from_millis(5);
            assert!(charged < left, "move {played}: {charged:?} of {left:?}");
            left = (left - charged + secs(increment)).min(cap.map_or(Duration::MAX, secs));
            thought += used;
            longest_move = longest_move.max(used);
        }
        // At least what the increments alone allow, nearly.
        assert!(thought.as_secs_f64() > 0.8 * 150.0 * increment.min(longest.unwrap_or(increment)), "{thought:?}");
        assert!(longest.is_none_or(|longest| longest_move < secs(longest)));
    }
}

#[test]
fn a_clock_with_increments_needs_some_time() {
    let fischer = |main, increment| TimeLimit::fischer(secs(main), secs(increment), None, None);
    assert!(fischer(0.0, 0.0).is_none());
    let mut clock = Clock::new();
    clock.set_limit(fischer(0.0, 10.0));
    assert!(clock.budget(Black, 300, 361).expect("a limit is set").target > secs(0.05));
    clock.time_left(Black, Duration::ZERO, 0);
    assert!(clock.budget(Black, 300, 361).expect("a limit is set").target < secs(0.01));
}
