//! Thinking time: what each player is given, and what is left of it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Time for one player and game: a main time, and after it overtime in which so many stones must be played in each
/// period. Without overtime the main time is all there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Time for the whole game or up to the overtime.
    pub main: Duration,
    /// Length of one period of overtime; zero for none.
    pub period: Duration,
    /// Stones to play in each period; 0 for no overtime.
    pub stones: u32,
}

impl TimeControl {
    /// So much time for the whole game.
    pub fn sudden_death(main: Duration) -> TimeControl {
        TimeControl { main, period: Duration::ZERO, stones: 0 }
    }
}

/// The arguments of GTP's `time_settings`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.main.as_secs(), self.period.as_secs(), self.stones)
    }
}

/// `MAIN+PERIOD/STONES` in whole seconds.
impl FromStr for TimeControl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<TimeControl, &'static str> {
        let form = "expected MAIN+PERIOD/STONES in whole seconds, such as 60+30/10";
        let (main, rest) = text.split_once('+').ok_or(form)?;
        let (period, stones) = rest.split_once('/').ok_or(form)?;
        let seconds = |text: &str| text.parse::<u32>().map(|n| Duration::from_secs(n.into())).map_err(|_| form);
        let control = TimeControl {
            main: seconds(main)?,
            period: seconds(period)?,
            stones: stones.parse::<u32>().map_err(|_| form)?,
        };
        // GTP reads a period without stones as "no limit at all", which is never what is meant here.
        if control.period.is_zero() || control.stones == 0 {
            Err("period and stones must be positive")
        } else {
            Ok(control)
        }
    }
}

/// One player's clock in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    control: TimeControl,
    main: Duration,
    /// Left of the current period and of its stones; both full while main time runs.
    period: Duration,
    stones: u32,
}

impl Clock {
    pub(super) fn new(control: TimeControl) -> Clock {
        Clock { control, main: control.main, period: control.period, stones: control.stones }
    }

    /// The longest time that the next move may take.
    pub(super) fn available(&self) -> Duration {
        self.main + self.period
    }

    /// Takes off the time of one move; false when the flag has fallen, up to `grace` being forgiven.
    pub(super) fn spend(&mut self, used: Duration, grace: Duration) -> bool {
        if used > self.available() + grace {
            return false;
        }
        let over = used.saturating_sub(self.main);
        let in_overtime = self.main.is_zero() || !over.is_zero();
        self.main = self.main.saturating_sub(used);
        if in_overtime && self.control.stones > 0 {
            self.period = self.period.saturating_sub(over);
            self.stones -= 1;
            if self.stones == 0 {
                self.period = self.control.period;
                self.stones = self.control.stones;
            }
        }
        true
    }

    /// Seconds and stones for GTP's `time_left`, rounded down so that no engine counts on time it does not have.
    pub(super) fn time_left(&self) -> (u64, u32) {
        if self.main.is_zero() && self.control.stones > 0 {
            (self.period.as_secs(), self.stones)
        } else {
            (self.main.as_secs(), 0)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Clock, TimeControl};

    const GRACE: Duration = Duration::from_millis(500);

    fn seconds(n: f64) -> Duration {
        Duration::from_secs_f64(n)
    }

    #[test]
    fn sudden_death_ends_with_the_main_time_and_the_grace() {
        let mut clock = Clock::new(TimeControl::sudden_death(seconds(10.0)));
        assert!(clock.spend(seconds(7.5), GRACE));
        assert_eq!(clock.time_left(), (2, 0));
        assert!(clock.spend(seconds(2.9), GRACE));
        assert_eq!(clock.time_left(), (0, 0));
        assert!(clock.spend(seconds(0.4), GRACE));
        assert!(!clock.spend(seconds(0.6), GRACE));
    }

    #[test]
    fn overtime_renews_itself_after_its_stones() {
        let control: TimeControl = "5+10/2".parse().expect("well formed");
        assert_eq!(control.to_string(), "5 10 2");
        let mut clock = Clock::new(control);
        assert_eq!(clock.available(), seconds(15.0));
        assert!(clock.spend(seconds(8.0), GRACE));
        assert_eq!(clock.time_left(), (7, 1));
        assert!(clock.spend(seconds(6.0), GRACE));
        assert_eq!(clock.time_left(), (10, 2));
        assert!(clock.spend(seconds(9.0), GRACE));
        assert!(!clock.spend(seconds(2.0), GRACE));
    }

    #[test]
    fn odd_time_controls_are_refused() {
        for text in ["", "5", "5+10", "5+10/0", "5+0/3", "a+1/1", "1+-1/1", "1.5+1/1"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
