//! What a controller asks of an analysis: `[COLOR] [INTERVAL] {KEY VALUE}...`.

use std::time::Duration;

use crate::color::Color;
use crate::geometry::Geometry;
use crate::gtp::parse::{self, Args};
use crate::gtp::reply::Failure;
use crate::search::Restriction;

/// Shortest time between two lines; a shorter one would leave the search no time.
const SHORTEST_INTERVAL: f64 = 0.01;
/// Longest time between two lines, a year.
const LONGEST_INTERVAL: f64 = 3e7;

/// How the values are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// As Leela Zero does: whole numbers, 10000 for certainty.
    Lz,
    /// As KataGo does: numbers with a decimal point, and more of them.
    Kata,
}

/// What is told beside the moves, by the name of its key; KataGo's dialect only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Extras {
    pub(super) root_info: bool,
    pub(super) ownership: bool,
    pub(super) ownership_deviation: bool,
    pub(super) moves_ownership: bool,
    pub(super) moves_ownership_deviation: bool,
    pub(super) line_visits: bool,
    pub(super) line_edge_visits: bool,
    pub(super) no_result: bool,
}

impl Extras {
    fn switch(&mut self, key: &str) -> Option<&mut bool> {
        Some(match key {
            "rootinfo" => &mut self.root_info,
            "ownership" => &mut self.ownership,
            "ownershipstdev" => &mut self.ownership_deviation,
            "movesownership" => &mut self.moves_ownership,
            "movesownershipstdev" => &mut self.moves_ownership_deviation,
            "pvvisits" => &mut self.line_visits,
            "pvedgevisits" => &mut self.line_edge_visits,
            "noresultvalue" => &mut self.no_result,
            _ => return None,
        })
    }
}

/// The arguments of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AnalysisArgs {
    pub(super) color: Color,
    /// Time between two lines; `None` for no line before the end.
    pub(super) interval: Option<Duration>,
    pub(super) min_moves: usize,
    pub(super) max_moves: usize,
    pub(super) restrictions: Vec<Restriction>,
    pub(super) extras: Extras,
}

impl AnalysisArgs {
    /// Reads the arguments for a board; without a color it is `to_move`'s turn.
    pub(super) fn parse(
        args: &Args,
        dialect: Dialect,
        geometry: Geometry,
        to_move: Color,
    ) -> Result<AnalysisArgs, Failure> {
        let mut words = args.0.iter().map(String::as_str).peekable();
        let color = words.peek().and_then(|word| parse::color(word));
        if color.is_some() {
            words.next();
        }
        let mut found = AnalysisArgs {
            color: color.unwrap_or(to_move),
            interval: None,
            min_moves: 0,
            max_moves: usize::MAX,
            restrictions: Vec::new(),
            extras: Extras::default(),
        };
        if words.peek().is_some_and(|word| word.parse::<f64>().is_ok()) {
            found.interval = Some(interval(words.next())?);
        }
        while let Some(key) = words.next() {
            let name = key.to_ascii_lowercase();
            match name.as_str() {
                "interval" => found.interval = Some(interval(words.next())?),
                "minmoves" => found.min_moves = number(words.next(), key)?,
                "maxmoves" => found.max_moves = number(words.next(), key)?,
                "avoid" | "allow" => {
                    let restriction = restriction(&mut words, geometry, name == "allow")?;
                    found.restrictions.push(restriction);
                }
                _ => {
                    let switch = found.extras.switch(&name).filter(|_| dialect == Dialect::Kata);
                    *switch.ok_or_else(|| wrong(&format!("{key:?} is no key of this command")))? =
                        truth(words.next(), key)?;
                }
            }
        }
        check_together(&found.restrictions)?;
        Ok(found)
    }
}

fn wrong(detail: &str) -> Failure {
    Failure::Other(format!("{}: {detail}", Failure::Syntax))
}

/// An interval in hundredths of a second.
fn interval(word: Option<&str>) -> Result<Duration, Failure> {
    let hundredths = word.and_then(|word| word.parse::<f64>().ok()).filter(|n| n.is_finite() && *n >= 0.0);
    let hundredths = hundredths.ok_or_else(|| wrong("the interval is a number of hundredths of a second"))?;
    Ok(Duration::from_secs_f64((hundredths / 100.0).clamp(SHORTEST_INTERVAL, LONGEST_INTERVAL)))
}

fn number(word: Option<&str>, key: &str) -> Result<usize, Failure> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| wrong(&format!("{key} takes a whole number")))
}

fn truth(word: Option<&str>, key: &str) -> Result<bool, Failure> {
    match word.map(str::to_ascii_lowercase).as_deref() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(wrong(&format!("{key} is true or false"))),
    }
}

/// `COLOR VERTEX,VERTEX... DEPTH`
fn restriction<'w>(
    words: &mut impl Iterator<Item = &'w str>,
    geometry: Geometry,
    only: bool,
) -> Result<Restriction, Failure> {
    let color = words.next().and_then(parse::color).ok_or_else(|| wrong("a color was expected"))?;
    let list = words.next().ok_or_else(|| wrong("vertices were expected"))?;
    let moves = list.split(',').map(|vertex| geometry.parse_move(vertex)).collect::<Result<Vec<_>, _>>();
    let moves = moves.map_err(|_| wrong(&format!("not vertices of this board: {list:?}")))?;
    let depth = words.next().and_then(|word| word.parse().ok()).filter(|&depth: &usize| depth > 0);
    let depth = depth.ok_or_else(|| wrong("a depth of 1 or more was expected"))?;
    Ok(Restriction { color, moves, only, depth })
}

/// `allow` may be given once for each color, and not beside `avoid`.
fn check_together(restrictions: &[Restriction]) -> Result<(), Failure> {
    let allows = |color: Color| restrictions.iter().filter(|r| r.only && r.color == color).count();
    let (any_allow, any_avoid) = (restrictions.iter().any(|r| r.only), restrictions.iter().any(|r| !r.only));
    if any_allow && any_avoid {
        return Err(wrong("allow and avoid exclude each other"));
    }
    match Color::BOTH.into_iter().find(|&color| allows(color) > 1) {
        Some(color) => Err(wrong(&format!("allow was given twice for {color}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{AnalysisArgs, Dialect, Extras};
    use crate::color::Color;
    use crate::geometry::{Geometry, Move};
    use crate::gtp::parse::Args;
    use crate::gtp::reply::Failure;

    fn read(text: &str, dialect: Dialect) -> Result<AnalysisArgs, Failure> {
        let args = Args(text.split_whitespace().map(str::to_string).collect());
        AnalysisArgs::parse(&args, dialect, Geometry::new(9).expect("valid"), Color::White)
    }

    #[test]
    fn color_and_interval_are_optional_and_in_hundredths() {
        for (text, color, interval) in [
            ("", Color::White, None),
            ("b", Color::Black, None),
            ("50", Color::White, Some(0.5)),
            ("black 12.5", Color::Black, Some(0.125)),
            ("b interval 100", Color::Black, Some(1.0)),
            ("b 10 interval 100", Color::Black, Some(1.0)),
            ("b 0", Color::Black, Some(0.01)),
        ] {
            let read = read(text, Dialect::Lz).expect(text);
            assert_eq!((read.color, read.interval.map(|i| i.as_secs_f64())), (color, interval), "{text}");
        }
    }

    #[test]
    fn keys_are_read_in_any_order_and_letter_case() {
        let all = "b 10 ownership true minmoves 3 pvVisits TRUE maxmoves 5 rootInfo true movesOwnership true \
                   ownershipStdev true movesOwnershipStdev true pvEdgeVisits true noResultValue true";
        let read_all = read(all, Dialect::Kata).expect("valid");
        assert_eq!((read_all.min_moves, read_all.max_moves), (3, 5));
        let everything = Extras {
            root_info: true,
            ownership: true,
            ownership_deviation: true,
            moves_ownership: true,
            moves_ownership_deviation: true,
            line_visits: true,
            line_edge_visits: true,
            no_result: true,
        };
        assert_eq!(read_all.extras, everything);
        assert!(!read("ownership false", Dialect::Kata).expect("valid").extras.ownership);
        // Leela Zero knows none of them.
        assert!(read(all, Dialect::Lz).is_err());
    }

    #[test]
    fn moves_are_avoided_or_allowed() {
        let read = |text| read(text, Dialect::Lz);
        let avoid = read("10 avoid b D4,pass 3 avoid w e5 1").expect("valid").restrictions;
        assert_eq!((avoid.len(), avoid[0].color, avoid[0].only, avoid[0].depth), (2, Color::Black, false, 3));
        assert_eq!(avoid[0].moves[1], Move::Pass);
        let allow = read("allow w c3,d4 1 allow b c3 2").expect("valid").restrictions;
        assert!(allow.len() == 2 && allow.iter().all(|restriction| restriction.only));
        for bad in [
            "avoid",
            "avoid b",
            "avoid b D4",
            "avoid b D4 0",
            "avoid b D4 -1",
            "avoid b D4 x",
            "avoid x D4 1",
            "avoid b K4,T19 1",
            "avoid b D4, 1",
            "avoid b D4 1 allow b D4 1",
            "allow b D4 1 allow b E5 1",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for bad in [
            "x",
            "b x",
            "b 10 20",
            "b -1",
            "b nan",
            "b interval",
            "b interval x",
            "minmoves",
            "minmoves -1",
            "maxmoves 1.5",
            "ownership",
            "ownership 1",
            "unknown true",
            "b b",
        ] {
            assert!(read(bad, Dialect::Kata).is_err(), "{bad}");
        }
    }
}
