//! The result of a match, as numbers and as text.

use std::fmt;

use super::report::{Ending, Entrant, Fault, Report, Thinking};
use super::statistics::{Score, Sprt, Verdict, elo};
use crate::color::Color;

/// Who an engine is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Name for tables: chosen on the command line, or what the engine calls itself.
    pub name: String,
    /// What the engine calls itself, with its version.
    pub program: String,
    /// The command line as given.
    pub command: String,
}

/// A match so far.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The first and the second engine.
    pub identities: [Identity; 2],
    /// The games, in the order in which they ended.
    pub reports: Vec<Report>,
    /// Lines outside answers that each engine wrote to its standard output, in games played by this run.
    pub stray_lines: [usize; 2],
    /// The sequential test, if there is one.
    pub sprt: Option<Sprt>,
}

impl Summary {
    /// The score of the first engine.
    pub fn score(&self) -> Score {
        self.score_where(|_| true)
    }

    /// The score of the first engine in the games in which it had this color.
    pub fn score_as(&self, color: Color) -> Score {
        self.score_where(|report| report.color(Entrant::First) == color)
    }

    fn score_where(&self, condition: impl Fn(&Report) -> bool) -> Score {
        let mut score = Score::default();
        for report in self.reports.iter().filter(|report| condition(report)) {
            *match report.winner {
                Some(Entrant::First) => &mut score.wins,
                Some(Entrant::Second) => &mut score.losses,
                None => &mut score.draws,
            } += 1;
        }
        score
    }

    /// Number of faults of a kind by an engine.
    pub fn fault_count(&self, entrant: Entrant, fault: Fault) -> usize {
        self.reports
            .iter()
            .flat_map(|report| &report.faults)
            .filter(|&&(who, what)| (who, what) == (entrant, fault))
            .count()
    }

    /// Number of games with differing opinions about the winner.
    pub fn disputed_count(&self) -> usize {
        self.reports.iter().filter(|report| report.disputed).count()
    }

    /// Number of different games: engines without randomness repeat themselves, and repetition proves nothing.
    pub fn different_count(&self) -> usize {
        let keys = self.reports.iter().map(|report| (report.fingerprint, report.black.index()));
        keys.collect::<std::collections::HashSet<_>>().len()
    }

    /// Whether an engine made an illegal move, crashed, was too slow or could not be understood: the caller should exit
    /// with a failure. Disagreement about superko or the score is none.
    pub fn has_failures(&self) -> bool {
        self.reports.iter().flat_map(|report| &report.faults).any(|&(_, fault)| fault != Fault::Superko)
    }

    /// What the sequential test says; open without one.
    pub fn verdict(&self) -> Verdict {
        self.sprt.map_or(Verdict::Open, |sprt| sprt.verdict(self.score()))
    }

    fn thinking(&self, entrant: Entrant) -> Thinking {
        let mut sum = Thinking::default();
        self.reports.iter().for_each(|report| sum.merge(report.thinking[entrant.index()]));
        sum
    }

    /// One line about the newest game and the standing after it.
    pub(super) fn progress(&self, games: usize) -> String {
        let Some(report) = self.reports.last() else { return String::new() };
        let name = |entrant: Entrant| {
            format!("{} ({})", self.identities[entrant.index()].name, report.color(entrant).letter())
        };
        let what = match report.winner {
            Some(winner) => format!("{} beat {} by {}", name(winner), name(winner.other()), report.result),
            None => format!("{} drew with {}", name(Entrant::First), name(Entrant::Second)),
        };
        format!(
            "game {}/{games}: {what} in {} moves; {} {}",
            report.game + 1,
            report.moves,
            self.identities[0].name,
            standing(self.score())
        )
    }
}

/// `15-2 (88%, 95% 66..97), +350 Elo`.
fn standing(score: Score) -> String {
    let (low, high) = score.interval();
    let percent = |rate: f64| format!("{:.0}", 100.0 * rate);
    format!(
        "{score} ({}%, 95% {}..{}), {:+.0} Elo",
        percent(score.rate()),
        percent(low),
        percent(high),
        elo(score.rate())
    )
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (entrant, title) in Entrant::BOTH.into_iter().zip(["first", "second"]) {
            let identity = &self.identities[entrant.index()];
            writeln!(f, "{title:<8}{} [{}]: {}", identity.name, identity.program, identity.command)?;
        }
        let score = self.score();
        let (low, high) = score.interval();
        let (games, different) = (self.reports.len(), self.different_count());
        match different < games {
            true => writeln!(f, "games   {games}, only {different} different: give openings, or seeds by %SEED")?,
            false => writeln!(f, "games   {games}")?,
        }
        writeln!(f, "score   {} {}", self.identities[0].name, standing(score))?;
        writeln!(f, "elo     {:+.0}, 95% {:+.0}..{:+.0}", elo(score.rate()), elo(low), elo(high))?;
        for color in Color::BOTH {
            writeln!(f, "  as {color}: {}", standing(self.score_as(color)))?;
        }
        if let Some(sprt) = self.sprt {
            let verdict = match self.verdict() {
                Verdict::Accepted => format!("{:+} Elo accepted", sprt.elo1),
                Verdict::Rejected => format!("{:+} Elo accepted", sprt.elo0),
                Verdict::Open => "undecided".to_string(),
            };
            let bound = Sprt::bound();
            writeln!(
                f,
                "sprt    {:+} against {:+} Elo: LLR {:.2} in -{bound:.2}..{bound:.2}, {verdict}",
                sprt.elo1,
                sprt.elo0,
                sprt.llr(score)
            )?;
        }
        let moves: usize = self.reports.iter().map(|report| report.moves).sum();
        writeln!(f, "length  {:.1} moves on average", moves as f64 / self.reports.len().max(1) as f64)?;
        for entrant in Entrant::BOTH {
            let thinking = self.thinking(entrant);
            let (mean, longest) = (thinking.mean().as_secs_f64(), thinking.longest.as_secs_f64());
            writeln!(
                f,
                "time    {}: {mean:.3} s per move, longest {longest:.3} s",
                self.identities[entrant.index()].name
            )?;
        }
        self.write_counters(f)
    }
}

impl Summary {
    fn write_counters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = |ending: Ending| self.reports.iter().filter(|report| report.ending == ending).count();
        writeln!(
            f,
            "ended   {} by passes, {} by resignation, {} by forfeit, {} at the largest number of moves",
            ending(Ending::Passes),
            ending(Ending::Resignation),
            ending(Ending::Forfeit),
            ending(Ending::MoveCap)
        )?;
        writeln!(f, "disputed scores: {}", self.disputed_count())?;
        for fault in Fault::ALL {
            let [first, second] = Entrant::BOTH.map(|entrant| self.fault_count(entrant, fault));
            let [a, b] = [&self.identities[0].name, &self.identities[1].name];
            writeln!(f, "{fault}: {} ({a} {first}, {b} {second})", first + second)?;
        }
        let [first, second] = self.stray_lines;
        if first + second > 0 {
            writeln!(f, "stray lines of output: {} and {}", first, second)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Identity, Summary};
    use crate::color::Color;
    use crate::referee::report::tests::won;
    use crate::referee::report::{Entrant, Fault};
    use crate::referee::statistics::{Score, Verdict};

    fn summary() -> Summary {
        let identity =
            |name: &str| Identity { name: name.into(), program: format!("{name} 1"), command: format!("./{name}") };
        let mut reports: Vec<_> =
            (0..17).map(|game| won(game, if game % 2 == 0 { Entrant::First } else { Entrant::Second })).collect();
        reports[4].winner = Some(Entrant::Second);
        reports[7].winner = Some(Entrant::Second);
        Summary { identities: [identity("keima"), identity("gnugo")], reports, stray_lines: [0, 2], sprt: None }
    }

    #[test]
    fn the_score_is_told_by_color() {
        let summary = summary();
        assert_eq!(summary.score(), Score { wins: 15, losses: 2, draws: 0 });
        assert_eq!(summary.different_count(), 17);
        assert_eq!(summary.score_as(Color::White), Score { wins: 7, losses: 1, draws: 0 });
        assert_eq!(
            summary.progress(100),
            "game 17/100: keima (B) beat gnugo (W) by B+3.5 in 50 moves; keima 15-2 (88%, 95% 66..97), +350 Elo"
        );
        let text = summary.to_string();
        for part in ["./keima", "gnugo 1", "as white: 7-1", "disputed scores: 0", "crashes: 0", "0.100 s per move"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn faults_fail_the_match_but_superko_does_not() {
        let mut summary = summary();
        summary.reports[0].faults = vec![(Entrant::First, Fault::Superko)];
        assert!(!summary.has_failures());
        summary.reports[1].faults = vec![(Entrant::Second, Fault::Crash)];
        assert!(summary.has_failures());
        assert_eq!(summary.fault_count(Entrant::Second, Fault::Crash), 1);
    }

    #[test]
    fn the_sequential_test_is_reported() {
        let mut summary = summary();
        summary.sprt = "0,100".parse().ok();
        assert_eq!(summary.verdict(), Verdict::Accepted);
        assert!(summary.to_string().contains("+100 Elo accepted"));
        summary.reports.clear();
        assert_eq!(summary.verdict(), Verdict::Open);
        assert!(summary.to_string().contains("games   0"));
    }
}
