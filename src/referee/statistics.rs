//! What a score between two players says: confidence intervals, Elo differences, the sequential test.

use std::fmt;
use std::str::FromStr;

/// Two-sided 95 % point of the normal distribution.
const Z95: f64 = 1.959_964;

/// Probability of either wrong decision of the sequential test.
const SPRT_ERROR: f64 = 0.05;

/// Games seen from one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
}

impl Score {
    /// Number of games.
    pub fn games(self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// Points per game, a draw being half a point; one half without games.
    pub fn rate(self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / f64::from(self.games()) }
    }

    fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The 95 % interval of the rate (Wilson, "Probable inference, the law of succession, and statistical inference",
    /// 1927), which stays sensible for few games and for one-sided scores. Draws make it a little too wide.
    pub fn interval(self) -> (f64, f64) {
        let n = f64::from(self.games());
        if n == 0.0 {
            return (0.0, 1.0);
        }
        let (p, z2) = (self.rate(), Z95 * Z95);
        let center = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        // Exact at the ends, where rounding would turn an infinite Elo difference into an odd number.
        let low = if p == 0.0 { 0.0 } else { (center - half).max(0.0) };
        let high = if p == 1.0 { 1.0 } else { (center + half).min(1.0) };
        (low, high)
    }
}

/// `12-3`, or `12-3-1` with draws.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.wins, self.losses)?;
        if self.draws > 0 { write!(f, "-{}", self.draws) } else { Ok(()) }
    }
}

/// The Elo difference at which a player scores `rate`; infinite at 0 and 1.
pub fn elo(rate: f64) -> f64 {
    400.0 * (rate / (1.0 - rate)).log10()
}

/// The expected score of a player who is `elo` points stronger.
pub fn expected_rate(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test (Wald, 1945) of "stronger by `elo1`" against "stronger by `elo0`".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference that would be too little.
    pub elo0: f64,
    /// The difference that is hoped for.
    pub elo1: f64,
}

/// Result of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// `elo1` it is.
    Accepted,
    /// `elo0` it is.
    Rejected,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// The log-likelihood ratio. A draw counts as half a win and half a loss, which errs on the side of more games.
    pub fn llr(self, score: Score) -> f64 {
        let (p0, p1) = (expected_rate(self.elo0), expected_rate(self.elo1));
        let points = score.points();
        let lost = f64::from(score.games()) - points;
        points * (p1 / p0).ln() + lost * ((1.0 - p1) / (1.0 - p0)).ln()
    }

    /// The ratio beyond which the test is decided, on either side.
    pub fn bound() -> f64 {
        ((1.0 - SPRT_ERROR) / SPRT_ERROR).ln()
    }

    /// What the games say.
    pub fn verdict(self, score: Score) -> Verdict {
        match self.llr(score) {
            llr if llr >= Sprt::bound() => Verdict::Accepted,
            llr if llr <= -Sprt::bound() => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }
}

/// `ELO0,ELO1`.
impl FromStr for Sprt {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Sprt, &'static str> {
        let form = "expected ELO0,ELO1 with ELO0 below ELO1, such as 0,20";
        let (low, high) = text.split_once(',').ok_or(form)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 2000.0).ok_or(form);
        let sprt = Sprt { elo0: number(low)?, elo1: number(high)? };
        if sprt.elo0 < sprt.elo1 { Ok(sprt) } else { Err(form) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Score, Sprt, Verdict, elo, expected_rate};

    fn score(wins: u32, losses: u32, draws: u32) -> Score {
        Score { wins, losses, draws }
    }

    fn near(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() < tolerance
    }

    #[test]
    fn intervals_agree_with_published_values() {
        // Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
        for (wins, games, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)] {
            let (l, h) = score(wins, games - wins, 0).interval();
            assert!(near(l, low, 1e-4) && near(h, high, 1e-4), "{wins}/{games}: {l} {h}");
        }
        assert_eq!(score(0, 0, 0).interval(), (0.0, 1.0));
        let (low, high) = score(7, 0, 0).interval();
        assert!(low > 0.6 && elo(high) == f64::INFINITY);
        assert!(elo(score(0, 7, 0).interval().0) == f64::NEG_INFINITY);
    }

    #[test]
    fn elo_and_rate_are_inverse() {
        assert!(near(elo(0.75), 190.85, 0.01) && near(elo(0.5), 0.0, 1e-9));
        assert!(near(elo(expected_rate(-123.0)), -123.0, 1e-9));
        assert!(elo(1.0) == f64::INFINITY && elo(0.0) == f64::NEG_INFINITY);
        assert!(near(score(1, 1, 2).rate(), 0.5, 1e-9));
    }

    #[test]
    fn the_sequential_test_adds_up_evidence() {
        let sprt: Sprt = "0,100".parse().expect("well formed");
        // One win: ln(0.640065 / 0.5); one loss: ln(0.359935 / 0.5).
        assert!(near(sprt.llr(score(1, 0, 0)), 0.24696, 1e-4) && near(sprt.llr(score(0, 1, 0)), -0.32868, 1e-4));
        assert!(near(sprt.llr(score(0, 0, 2)), sprt.llr(score(1, 1, 0)), 1e-9));
        assert!(near(Sprt::bound(), 2.94444, 1e-4));
        assert_eq!(sprt.verdict(score(12, 0, 0)), Verdict::Accepted);
        assert_eq!(sprt.verdict(score(0, 9, 0)), Verdict::Rejected);
        assert_eq!(sprt.verdict(score(6, 5, 0)), Verdict::Open);
        for text in ["", "5", "10,0", "0,0", "a,b", "0,nan", "0,inf"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
