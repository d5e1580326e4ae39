//! From a query to the positions that it asks about, with everything that is wrong with it named by its field.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::fields::{Complaint, Fields, PAIRS, pairs, player, vertex};
use super::rules;
use super::settings::{AnalysisSettings, Perspective};
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, MAX_SIZE, MIN_SIZE, Move, Point};
use crate::score::Komi;
use crate::search::{Restriction, SearchParams};

/// Every field of a query that means something here.
const KNOWN: &[&str] = &[
    "id",
    "moves",
    "initialStones",
    "initialPlayer",
    "rules",
    "komi",
    "whiteHandicapBonus",
    "boardXSize",
    "boardYSize",
    "analyzeTurns",
    "maxVisits",
    "analysisPVLen",
    "includeOwnership",
    "includePolicy",
    "includePVVisits",
    "includeMovesOwnership",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
    "priority",
    "priorities",
];
/// Fields of KataGo's that ask for what Keima has not.
const UNSUPPORTED: &[&str] = &[
    "includeOwnershipStdev",
    "includeMovesOwnershipStdev",
    "includeNoResultValue",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
];
/// Longest number of seconds that is taken for one.
const MAX_SECONDS: f64 = 1e6;
const MAX_KOMI: f64 = 400.0;
/// More moves than any game has: each is compared with all positions before it.
const MAX_MOVES: usize = 20_000;
const MAX_PRIORITY: i64 = (1 << 62) - 1;

/// What is wanted of each position of a query.
#[derive(Clone, PartialEq, Debug)]
pub struct Wanted {
    pub visits: u64,
    pub time: Option<Duration>,
    pub perspective: Perspective,
    /// Longest line told, the first move not counted.
    pub line: usize,
    pub ownership: bool,
    /// The same after each move.
    pub moves_ownership: bool,
    pub policy: bool,
    pub line_visits: bool,
    pub restrictions: Vec<Restriction>,
    /// After how much time to report for the first time, and how often from then on.
    pub report: Option<(Duration, Duration)>,
    pub search: SearchParams,
}

/// The moves of a query, known to be possible, and the position they begin from.
#[derive(Clone, Debug)]
struct Course {
    start: Game,
    moves: Vec<(Color, Move)>,
}

/// One position to search.
#[derive(Clone, Debug)]
pub struct Job {
    pub id: String,
    /// Number of moves before the position.
    pub turn: usize,
    pub priority: i64,
    pub wanted: Arc<Wanted>,
    course: Arc<Course>,
}

impl Job {
    /// The game up to the position.
    pub fn game(&self) -> Game {
        let mut game = self.course.start.clone();
        for &(color, mv) in &self.course.moves[..self.turn] {
            // Checked when the query was read.
            let _ = game.follow(color, mv);
        }
        game
    }

    /// Who is to move.
    pub fn color(&self) -> Color {
        match self.course.moves[..self.turn].last() {
            Some((color, _)) => color.opponent(),
            None => self.course.start.to_move(),
        }
    }

    pub fn geometry(&self) -> Geometry {
        self.course.start.geometry()
    }

    /// A number that tells positions and who is to move apart.
    pub fn fingerprint(&self) -> u64 {
        self.game().board().hash() ^ if self.color() == Color::White { u64::MAX } else { 0 }
    }
}

/// The turns that a terminating action is restricted to.
pub fn turn_numbers(object: &Map<String, Value>) -> Result<Option<BTreeSet<usize>>, Complaint> {
    let Some(value) = object.get("turnNumbers") else { return Ok(None) };
    let wrong = || Complaint::error("turnNumbers", "must be an array of integers, the turns to end");
    let numbers = value.as_array().ok_or_else(wrong)?.iter();
    // A turn that cannot be has no query.
    let turns: Option<Vec<i64>> = numbers.map(Value::as_i64).collect();
    Ok(Some(turns.ok_or_else(wrong)?.into_iter().filter_map(|turn| usize::try_from(turn).ok()).collect()))
}

/// Reads one query.
pub struct Reader<'q> {
    settings: &'q AnalysisSettings,
    object: Fields<'q>,
    warnings: Vec<Complaint>,
}

impl<'q> Reader<'q> {
    pub fn new(settings: &'q AnalysisSettings, object: &'q Map<String, Value>) -> Reader<'q> {
        Reader { settings, object: Fields(object), warnings: Vec::new() }
    }

    /// What the query gets told although it is answered.
    pub fn warnings(&self) -> &[Complaint] {
        &self.warnings
    }

    /// The positions that the query asks about.
    pub fn jobs(&mut self, id: &str) -> Result<Vec<Job>, Complaint> {
        let geometry = self.geometry()?;
        let course = self.course(geometry)?;
        let turns = self.turns(course.moves.len())?;
        let wanted = Arc::new(self.wanted(geometry)?);
        self.warn_of_unused();
        let course = Arc::new(course);
        let job = |(turn, priority)| {
            let (id, wanted, course) = (id.to_string(), Arc::clone(&wanted), Arc::clone(&course));
            Job { id, turn, priority, wanted, course }
        };
        Ok(turns.into_iter().map(job).collect())
    }

    fn geometry(&self) -> Result<Geometry, Complaint> {
        let side = |field| {
            let size = self.object.integer(field, MIN_SIZE as i64, MAX_SIZE as i64)?;
            size.ok_or_else(|| Complaint::error(field, format!("must be an integer from {MIN_SIZE} to {MAX_SIZE}")))
        };
        let (width, height) = (side("boardXSize")?, side("boardYSize")?);
        let square = usize::try_from(width).ok().filter(|_| width == height).and_then(Geometry::new);
        square.ok_or_else(|| Complaint::error("boardYSize", "must be the same as boardXSize: the board must be square"))
    }

    /// The position that the moves begin from, and the moves.
    fn course(&mut self, geometry: Geometry) -> Result<Course, Complaint> {
        let stones = self.stones(geometry)?;
        let Some(moves) = self.object.get("moves") else {
            return Err(Complaint::error("moves", format!("must be {PAIRS}")));
        };
        let moves = pairs("moves", moves, geometry)?;
        if moves.len() > MAX_MOVES {
            return Err(Complaint::error("moves", format!("must not be more than {MAX_MOVES}")));
        }
        let first = match self.object.get("initialPlayer") {
            Some(value) => Some(player("initialPlayer", value)?),
            None => moves.first().map(|&(color, _)| color),
        };
        let all_black = stones.iter().all(|&(_, color)| color == Color::Black);
        let leading = moves.iter().take_while(|&&(color, mv)| color == Color::Black && mv != Move::Pass).count();
        let handicap = match (stones.len(), leading) {
            (0, 2..) => leading,
            (2.., _) if all_black => stones.len(),
            _ => 0,
        };
        let komi = self.object.number("komi", -MAX_KOMI, MAX_KOMI)?;
        let (rules, bonus) = self.rules()?;
        let komi = komi.unwrap_or_else(|| Komi::DEFAULT.points()) + bonus.points(handicap);
        let komi = Komi::from_points(komi).ok_or_else(|| Complaint::error("komi", "must be a number"))?;
        let mut start = Game::new(geometry, rules, komi);
        start
            .set_up(&stones)
            .map_err(|why| Complaint::error("initialStones", format!("impossible position: {why}")))?;
        let by_handicap = if stones.len() > 1 && all_black { Color::White } else { Color::Black };
        start.set_first_to_move(first.unwrap_or(by_handicap));
        let mut game = start.clone();
        for (turn, &(color, mv)) in moves.iter().enumerate() {
            game.follow(color, mv).map_err(|why| {
                let name = geometry.move_name(mv);
                Complaint::error("moves", format!("Illegal move {turn}: {name}, {why}"))
            })?;
        }
        Ok(Course { start, moves })
    }

    /// The stones of the first position; the last word on a point counts.
    fn stones(&self, geometry: Geometry) -> Result<Vec<(Point, Color)>, Complaint> {
        let mut stones: Vec<(Point, Color)> = Vec::new();
        let Some(value) = self.object.get("initialStones") else { return Ok(stones) };
        let mut seen = crate::geometry::PointMap::new(false);
        for (color, mv) in pairs("initialStones", value, geometry)?.into_iter().rev() {
            let Move::Play(point) = mv else {
                return Err(Complaint::error("initialStones", "a stone cannot be on \"pass\""));
            };
            if !std::mem::replace(&mut seen[point], true) {
                stones.push((point, color));
            }
        }
        stones.reverse();
        Ok(stones)
    }

    fn rules(&mut self) -> Result<(crate::rules::Rules, rules::Bonus), Complaint> {
        let Some(value) = self.object.get("rules") else {
            return Err(Complaint::error("rules", "must be the name of a rule set such as \"chinese\", or an object"));
        };
        let read = rules::read(value).map_err(|text| Complaint::error("rules", text))?;
        if let Some(text) = read.warning {
            self.warnings.push(Complaint::warning("rules", text));
        }
        let bonus = match self.object.get("whiteHandicapBonus") {
            None => read.bonus,
            Some(value) => rules::Bonus::read(value)
                .ok_or_else(|| Complaint::error("whiteHandicapBonus", "must be \"0\", \"N\" or \"N-1\""))?,
        };
        Ok((read.rules, bonus))
    }

    /// The turns to search, each once, with their priorities.
    fn turns(&self, moves: usize) -> Result<Vec<(usize, i64)>, Complaint> {
        let priority = self.object.integer("priority", -MAX_PRIORITY, MAX_PRIORITY)?;
        if priority.is_some() && self.object.has("priorities") {
            return Err(Complaint::error("priority", "cannot be given together with priorities"));
        }
        let integers = |field: &str, value: &Value| -> Result<Vec<i64>, Complaint> {
            let list: Option<Vec<i64>> = value.as_array().and_then(|list| list.iter().map(Value::as_i64).collect());
            list.ok_or_else(|| Complaint::error(field, "must be an array of integers"))
        };
        let turns = match self.object.get("analyzeTurns") {
            Some(value) => integers("analyzeTurns", value)?,
            None => Vec::new(),
        };
        let given = self.object.has("analyzeTurns");
        let priorities = match self.object.get("priorities") {
            None => vec![priority.unwrap_or(0); turns.len()],
            Some(_) if !given => return Err(Complaint::error("priorities", "needs analyzeTurns")),
            Some(value) => integers("priorities", value)?,
        };
        if priorities.len() != turns.len() {
            return Err(Complaint::error("priorities", "must be as many as analyzeTurns"));
        }
        if priorities.iter().any(|p| !(-MAX_PRIORITY..=MAX_PRIORITY).contains(p)) {
            return Err(Complaint::error("priorities", "must be between -2^62 and 2^62"));
        }
        if !given {
            return Ok(vec![(moves, priority.unwrap_or(0))]);
        }
        let mut chosen = std::collections::BTreeMap::new();
        for (turn, priority) in turns.into_iter().zip(priorities) {
            let number = usize::try_from(turn).ok().filter(|&number| number <= moves);
            let number =
                number.ok_or_else(|| Complaint::error("analyzeTurns", format!("Invalid turn number: {turn}")))?;
            chosen.insert(number, priority);
        }
        Ok(chosen.into_iter().collect())
    }

    fn wanted(&mut self, geometry: Geometry) -> Result<Wanted, Complaint> {
        let settings = self.overridden()?;
        let seconds = |field| {
            let time = self.object.number(field, 0.001, MAX_SECONDS)?;
            Ok(time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()))
        };
        let (every, first) = (seconds("reportDuringSearchEvery")?, seconds("firstReportDuringSearchAfter")?);
        let never = Duration::from_secs(MAX_SECONDS as u64);
        let report = match (first, every) {
            (None, None) => None,
            (first, every) => Some((first.or(every).unwrap_or(never), every.unwrap_or(never))),
        };
        for field in UNSUPPORTED.iter().filter(|field| field.starts_with("include")) {
            self.object.boolean(field)?;
        }
        Ok(Wanted {
            visits: self.object.integer("maxVisits", 1, 1 << 50)?.map_or(settings.visits, i64::unsigned_abs),
            time: settings.time,
            perspective: settings.perspective,
            line: self.object.integer("analysisPVLen", 1, 1000)?.map_or(settings.line, |n| n.unsigned_abs() as usize),
            ownership: self.object.boolean("includeOwnership")?,
            moves_ownership: self.object.boolean("includeMovesOwnership")?,
            policy: self.object.boolean("includePolicy")?,
            line_visits: self.object.boolean("includePVVisits")?,
            restrictions: self.restrictions(geometry)?,
            report,
            search: settings.search,
        })
    }

    /// The settings with what the query changes of them.
    fn overridden(&mut self) -> Result<AnalysisSettings, Complaint> {
        let mut settings = self.settings.clone();
        let Some(value) = self.object.get("overrideSettings") else { return Ok(settings) };
        let Some(object) = value.as_object() else {
            return Err(Complaint::error("overrideSettings", "must be an object"));
        };
        let mut unknown = Vec::new();
        for (key, value) in object {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            match settings.set(key, &text) {
                Ok(true) => {}
                Ok(false) => unknown.push(key.as_str()),
                Err(right) => {
                    return Err(Complaint::error("overrideSettings", format!("{key} is {text}, must be {right}")));
                }
            }
        }
        if !unknown.is_empty() {
            let text = format!("settings that Keima does not have: {}", unknown.join(", "));
            self.warnings.push(Complaint::warning("overrideSettings", text));
        }
        Ok(settings)
    }

    fn restrictions(&self, geometry: Geometry) -> Result<Vec<Restriction>, Complaint> {
        let (field, value, only) = match (self.object.get("avoidMoves"), self.object.get("allowMoves")) {
            (None, None) => return Ok(Vec::new()),
            (Some(_), Some(_)) => {
                return Err(Complaint::error("allowMoves", "cannot be given together with avoidMoves"));
            }
            (Some(value), None) => ("avoidMoves", value, false),
            (None, Some(value)) => ("allowMoves", value, true),
        };
        let wrong = || Complaint::error(field, "must be a list of objects with player, moves and untilDepth");
        let mut restrictions: Vec<Restriction> = Vec::new();
        for entry in value.as_array().ok_or_else(wrong)? {
            let entry = entry.as_object().ok_or_else(wrong)?;
            let part = |name: &str| entry.get(name).ok_or_else(wrong);
            let color = player("player", part("player")?).map_err(|_| wrong())?;
            let depth = part("untilDepth")?.as_i64().filter(|depth| (1..=1_000_000_000).contains(depth));
            let depth = depth.ok_or_else(|| Complaint::error(field, "untilDepth must be a positive integer"))?;
            let names = part("moves")?.as_array().ok_or_else(wrong)?;
            let moves: Result<Vec<Move>, Complaint> =
                names.iter().map(|name| vertex(field, name.as_str().ok_or_else(wrong)?, geometry)).collect();
            if only && restrictions.iter().any(|other| other.color == color) {
                return Err(Complaint::error(field, "only one entry a player is possible"));
            }
            restrictions.push(Restriction { color, moves: moves?, only, depth: depth.unsigned_abs() as usize });
        }
        Ok(restrictions)
    }

    fn warn_of_unused(&mut self) {
        for field in self.object.0.keys().filter(|field| !KNOWN.contains(&field.as_str())) {
            if UNSUPPORTED.contains(&field.as_str()) {
                if self.object.0[field] != Value::Bool(false) {
                    self.warnings.push(Complaint::warning(field, "Keima does not have this; the field is ignored"));
                }
            } else {
                self.warnings.push(Complaint::warning(field, "unknown field, ignored; perhaps a typing error"));
            }
        }
    }
}
