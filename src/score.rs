//! How much: komi and final scores, counted in half points so that they are exact.

use std::fmt;

use crate::color::Color;

/// Compensation for White, in half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Komi(i32);

impl Komi {
    /// The usual komi of area scoring here: 6.5 points.
    pub const DEFAULT: Komi = Komi(13);

    /// Komi from a number of points, rounded to the nearest half; beyond a million points it is
    /// clamped. `None` when not a finite number.
    pub fn from_points(points: f64) -> Option<Komi> {
        points.is_finite().then(|| Komi((points.clamp(-1e6, 1e6) * 2.0).round() as i32))
    }

    /// The komi with so many points more for White.
    pub const fn plus_points(self, points: i32) -> Komi {
        Komi(self.0 + 2 * points)
    }

    /// The komi with so many half points more for White.
    #[inline]
    pub const fn plus_half_points(self, half_points: i32) -> Komi {
        Komi(self.0 + half_points)
    }

    /// Komi in half points.
    pub const fn half_points(self) -> i32 {
        self.0
    }

    /// Komi in points.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 2.0
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.points())
    }
}

/// Black's points minus White's, komi included, in half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Score(i32);

impl Score {
    /// Nobody is ahead.
    pub const EVEN: Score = Score(0);

    /// The score when Black has `margin` points more than White before komi.
    #[inline]
    pub const fn from_margin(margin: i32, komi: Komi) -> Score {
        Score(2 * margin - komi.0)
    }

    /// Half points in favour of Black.
    #[inline]
    pub const fn half_points(self) -> i32 {
        self.0
    }

    /// Half points in favour of `color`.
    #[inline]
    pub const fn for_color(self, color: Color) -> i32 {
        self.0 * color.sign()
    }

    /// How much of a win this is for Black: 1, 0, or a half for a draw.
    #[inline]
    pub const fn black_win(self) -> f64 {
        match self.winner() {
            Some(Color::Black) => 1.0,
            Some(Color::White) => 0.0,
            None => 0.5,
        }
    }

    /// The player with more points, or `None` for a draw.
    #[inline]
    pub const fn winner(self) -> Option<Color> {
        match self.0 {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }
}

/// `B+3.5`, `W+12.0` or `0`: the form used by GTP's `final_score` and SGF's `RE`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner() {
            None => f.write_str("0"),
            Some(color) => write!(f, "{}+{:.1}", color.letter(), f64::from(self.0.abs()) / 2.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Komi, Score};

    #[test]
    fn scores_print_as_results() {
        let komi = |points| Komi::from_points(points).expect("finite");
        assert_eq!(Score::from_margin(10, komi(6.5)).to_string(), "B+3.5");
        assert_eq!(Score::from_margin(-5, komi(7.0)).to_string(), "W+12.0");
        assert_eq!(Score::from_margin(7, komi(7.0)).to_string(), "0");
        assert_eq!(komi(6.5), Komi::DEFAULT);
        assert!(Komi::from_points(f64::NAN).is_none() && Komi::from_points(f64::INFINITY).is_none());
    }
}
