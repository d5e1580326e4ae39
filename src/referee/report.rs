//! What is known about a finished game, also as a line of the results file.

use std::fmt;
use std::time::Duration;

use crate::color::Color;

/// One of the two engines of a match, whatever its color.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entrant {
    /// The engine of `--black`.
    First,
    /// The engine of `--white`.
    Second,
}

impl Entrant {
    /// Both of them.
    pub const BOTH: [Entrant; 2] = [Entrant::First, Entrant::Second];

    /// The other one.
    pub fn other(self) -> Entrant {
        Entrant::BOTH[1 - self.index()]
    }

    /// 0 for the first, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// What an engine can do wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A move that the rules forbid.
    Illegal,
    /// A move that only superko forbids: the engine may be right under rules of its own.
    Superko,
    /// An answer that cannot be understood.
    Malformed,
    /// A legal move or a command of the set-up was refused.
    Refused,
    /// The process ended or closed its pipes.
    Crash,
    /// Too slow, by the clock or by the limit per command.
    Timeout,
}

impl Fault {
    /// Every kind.
    pub const ALL: [Fault; 6] =
        [Fault::Illegal, Fault::Superko, Fault::Malformed, Fault::Refused, Fault::Crash, Fault::Timeout];

    /// The word in the results file.
    fn word(self) -> &'static str {
        match self {
            Fault::Illegal => "illegal",
            Fault::Superko => "superko",
            Fault::Malformed => "malformed",
            Fault::Refused => "refused",
            Fault::Crash => "crash",
            Fault::Timeout => "timeout",
        }
    }
}

/// The words of the summary.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Illegal => "illegal moves",
            Fault::Superko => "superko disagreements",
            Fault::Malformed => "malformed answers",
            Fault::Refused => "refused commands",
            Fault::Crash => "crashes",
            Fault::Timeout => "time-outs",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Two passes; counted.
    Passes,
    /// Stopped at the largest number of moves; counted.
    MoveCap,
    /// Given up.
    Resignation,
    /// Lost by a fault.
    Forfeit,
}

impl Ending {
    const ALL: [Ending; 4] = [Ending::Passes, Ending::MoveCap, Ending::Resignation, Ending::Forfeit];

    fn word(self) -> &'static str {
        match self {
            Ending::Passes => "passes",
            Ending::MoveCap => "move-cap",
            Ending::Resignation => "resignation",
            Ending::Forfeit => "forfeit",
        }
    }
}

/// Thinking time of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thinking {
    /// Moves asked for.
    pub moves: u32,
    /// Time for all of them.
    pub total: Duration,
    /// Time for the slowest.
    pub longest: Duration,
}

impl Thinking {
    /// Adds one move.
    pub(super) fn add(&mut self, time: Duration) {
        self.merge(Thinking { moves: 1, total: time, longest: time });
    }

    /// Adds the moves of another game.
    pub(super) fn merge(&mut self, other: Thinking) {
        self.moves += other.moves;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    /// Mean time of a move.
    pub fn mean(self) -> Duration {
        self.total.checked_div(self.moves).unwrap_or_default()
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Number of the game, counted from 0.
    pub game: usize,
    /// Name of the opening; empty for the empty board.
    pub opening: String,
    /// Who had Black.
    pub black: Entrant,
    /// Who won, or `None` for a draw.
    pub winner: Option<Entrant>,
    /// The result as in SGF.
    pub result: String,
    /// How it ended.
    pub ending: Ending,
    /// Number of moves, those of the opening included.
    pub moves: usize,
    /// Stands for the moves: games with the same number are one game played twice.
    pub fingerprint: u64,
    /// Thinking times of the first and the second engine.
    pub thinking: [Thinking; 2],
    /// Whether the opinions about the winner differed.
    pub disputed: bool,
    /// What went wrong, and who did it.
    pub faults: Vec<(Entrant, Fault)>,
    /// More about faults and disputes.
    pub detail: String,
}

/// Names of the columns of the results file.
pub(super) const COLUMNS: &str = "game\topening\tblack\twinner\tresult\tending\tmoves\tfingerprint\tmoves_1\tseconds_1\tlongest_1\
\tmoves_2\tseconds_2\tlongest_2\tdisputed\tfaults\tdetail";

impl Report {
    /// The color of an engine in this game.
    pub fn color(&self, entrant: Entrant) -> Color {
        if entrant == self.black { Color::Black } else { Color::White }
    }

    /// One line of the results file, without its end.
    pub(super) fn to_line(&self) -> String {
        let thinking =
            |t: Thinking| format!("{}\t{:.3}\t{:.3}", t.moves, t.total.as_secs_f64(), t.longest.as_secs_f64());
        let faults: Vec<String> =
            self.faults.iter().map(|(entrant, fault)| format!("{}:{}", entrant.index() + 1, fault.word())).collect();
        let fields = [
            self.game.to_string(),
            one_field(&self.opening),
            (self.black.index() + 1).to_string(),
            self.winner.map_or(0, |winner| winner.index() + 1).to_string(),
            one_field(&self.result),
            self.ending.word().to_string(),
            self.moves.to_string(),
            format!("{:016x}", self.fingerprint),
            thinking(self.thinking[0]),
            thinking(self.thinking[1]),
            u8::from(self.disputed).to_string(),
            faults.join(","),
            one_field(&self.detail),
        ];
        fields.join("\t")
    }

    /// Reads back such a line; `None` if it is none.
    pub(super) fn from_line(line: &str) -> Option<Report> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[
            game,
            opening,
            black,
            winner,
            result,
            ending,
            moves,
            fingerprint,
            m1,
            t1,
            l1,
            m2,
            t2,
            l2,
            disputed,
            faults,
            detail,
        ] = fields.as_slice()
        else {
            return None;
        };
        let faults =
            faults.split(',').filter(|fault| !fault.is_empty()).map(parse_fault).collect::<Option<Vec<_>>>()?;
        Some(Report {
            game: game.parse().ok()?,
            opening: opening.to_string(),
            black: parse_entrant(black)?,
            winner: if winner == "0" { None } else { Some(parse_entrant(winner)?) },
            result: result.to_string(),
            ending: Ending::ALL.into_iter().find(|e| e.word() == ending)?,
            moves: moves.parse().ok()?,
            fingerprint: u64::from_str_radix(fingerprint, 16).ok()?,
            thinking: [parse_thinking(m1, t1, l1)?, parse_thinking(m2, t2, l2)?],
            disputed: disputed == "1",
            faults,
            detail: detail.to_string(),
        })
    }
}

/// Text that cannot break the line or its columns.
fn one_field(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn parse_entrant(text: &str) -> Option<Entrant> {
    match text {
        "1" => Some(Entrant::First),
        "2" => Some(Entrant::Second),
        _ => None,
    }
}

fn parse_fault(text: &str) -> Option<(Entrant, Fault)> {
    let (entrant, word) = text.split_once(':')?;
    Some((parse_entrant(entrant)?, Fault::ALL.into_iter().find(|fault| fault.word() == word)?))
}

fn parse_thinking(moves: &str, total: &str, longest: &str) -> Option<Thinking> {
    let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
    Some(Thinking { moves: moves.parse().ok()?, total: seconds(total)?, longest: seconds(longest)? })
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use super::{COLUMNS, Ending, Entrant, Fault, Report, Thinking};

    /// A game that the first engine won with these stones.
    pub(in crate::referee) fn won(game: usize, black: Entrant) -> Report {
        Report {
            game,
            opening: "001".into(),
            black,
            winner: Some(Entrant::First),
            result: "B+3.5".into(),
            ending: Ending::Passes,
            moves: 50,
            fingerprint: u64::MAX - game as u64,
            thinking: [Thinking { moves: 25, total: Duration::from_millis(2500), longest: Duration::from_millis(300) };
                2],
            disputed: false,
            faults: Vec::new(),
            detail: String::new(),
        }
    }

    #[test]
    fn a_line_can_be_read_back() {
        let mut report = won(3, Entrant::Second);
        assert_eq!(Report::from_line(&report.to_line()), Some(report.clone()));
        report.faults = vec![(Entrant::First, Fault::Crash), (Entrant::Second, Fault::Superko)];
        report.winner = None;
        report.disputed = true;
        report.detail = "has ended: signal: 9".into();
        let line = report.to_line();
        assert_eq!(Report::from_line(&line), Some(report.clone()));
        assert_eq!(line.split('\t').count(), COLUMNS.split('\t').count());
        let shorter = line.rsplit_once('\t').expect("columns").0;
        assert_eq!(Report::from_line(shorter), None);
        report.detail = "a\tb\nc".into();
        assert_eq!(Report::from_line(&report.to_line()).map(|r| r.detail), Some("a b c".into()));
    }
}
