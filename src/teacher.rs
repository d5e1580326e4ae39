//! Positions that a stronger player has labelled: KataGo's opinion of each position of its own games, one JSON object a line.
//!
//! The format is that of the script which makes the games: `size`, `komi`, `setup` (black stones), `moves` (vertices, Black first), `first`
//! (the number of moves before the first labelled position) and `pos`, the labels of that position and of those after it. Keima's own games
//! to learn from are written in the same format.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Move, Point, PointMap};
use crate::rules::Rules;
use crate::score::Komi;

/// Why labelled positions could not be read.
#[derive(Debug)]
pub enum TeacherError {
    /// A file could not be read.
    File(PathBuf, std::io::Error),
    /// A line of a file, counted from 1, is not a labelled game.
    Line(PathBuf, usize, String),
}

impl fmt::Display for TeacherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TeacherError::File(path, error) => write!(f, "{}: {error}", path.display()),
            TeacherError::Line(path, line, what) => write!(f, "{}, line {line}: {what}", path.display()),
        }
    }
}

impl std::error::Error for TeacherError {}

/// A game as its line has it.
#[derive(Serialize, Deserialize)]
struct Record {
    size: usize,
    komi: f64,
    setup: Vec<String>,
    moves: Vec<String>,
    first: usize,
    pos: Vec<Labels>,
}

/// What the teacher says of one position.
#[derive(Serialize, Deserialize)]
struct Labels {
    /// Probability that Black wins.
    w: f32,
    /// Black's lead in points, komi counted.
    s: f32,
    /// Probability of each move, as squares of 255ths, row by row from the top, the pass last.
    p: String,
    /// Owner of each point, in 127ths, row by row from the top.
    o: String,
}

/// A labelled game.
pub struct LabelledGame {
    path: PathBuf,
    line: usize,
    record: Record,
}

/// A position with its labels, all of them as Black sees them.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The position and what led to it.
    pub game: Game,
    /// Probability that Black wins.
    pub win: f32,
    /// Black's lead in points, komi counted.
    pub lead: f32,
    /// Owner of each point in 127ths, 127 for Black.
    pub owner: PointMap<i8>,
    /// The square root of the probability of a stone of the player to move on each point, in 255ths.
    pub policy: PointMap<u8>,
    /// The same of a pass.
    pub pass: u8,
}

impl Labelled {
    /// The probability of a move.
    pub fn probability(&self, mv: Move) -> f32 {
        (f32::from(mv.point().map_or(self.pass, |p| self.policy[p])) / 255.0).powi(2)
    }
}

/// Reads the games of these files.
///
/// # Errors
/// When a file cannot be read or a line is no labelled game.
pub fn read_games(paths: &[PathBuf]) -> Result<Vec<LabelledGame>, TeacherError> {
    let mut games = Vec::new();
    for path in paths {
        read_file(path, &mut games)?;
    }
    Ok(games)
}

fn read_file(path: &Path, games: &mut Vec<LabelledGame>) -> Result<(), TeacherError> {
    let failed = |error| TeacherError::File(path.to_path_buf(), error);
    for (line, text) in (1..).zip(BufReader::new(File::open(path).map_err(failed)?).lines()) {
        let record = serde_json::from_str(&text.map_err(failed)?)
            .map_err(|error| TeacherError::Line(path.to_path_buf(), line, error.to_string()))?;
        games.push(LabelledGame { path: path.to_path_buf(), line, record });
    }
    Ok(())
}

/// What is said of a position that is to be written.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Probability that Black wins.
    pub win: f64,
    /// Black's lead in points, komi counted.
    pub lead: f64,
    /// Probabilities of the moves that have any.
    pub policy: Vec<(Move, f64)>,
    /// Owner of each point, 1 for Black and -1 for White.
    pub owner: PointMap<f32>,
}

/// The line of a game that began on an empty board with Black, with verdicts on its position after `first` moves and those that followed.
pub fn game_line(game: &Game, first: usize, verdicts: &[Verdict]) -> String {
    let geometry = game.geometry();
    let record = Record {
        size: geometry.size(),
        komi: game.komi().points(),
        setup: Vec::new(),
        moves: game.turns().iter().map(|turn| geometry.move_name(turn.mv)).collect(),
        first,
        pos: verdicts.iter().map(|verdict| labels(geometry, verdict)).collect(),
    };
    serde_json::to_string(&record).expect("numbers and text can be written")
}

/// The place of a point row by row from the top.
fn place_from_top(geometry: Geometry, p: Point) -> usize {
    let (x, y) = geometry.xy(p);
    (geometry.size() - 1 - y) * geometry.size() + x
}

fn labels(geometry: Geometry, verdict: &Verdict) -> Labels {
    let (mut policy, mut owners) = (vec![0u8; geometry.area() + 1], vec![0u8; geometry.area()]);
    for &(mv, probability) in &verdict.policy {
        let place = mv.point().map_or(geometry.area(), |p| place_from_top(geometry, p));
        policy[place] = (255.0 * probability.clamp(0.0, 1.0).sqrt()).round() as u8;
    }
    for p in geometry.points() {
        let owner = (127.0 * verdict.owner[p].clamp(-1.0, 1.0)).round() as i8;
        owners[place_from_top(geometry, p)] = owner.cast_unsigned();
    }
    Labels {
        w: (verdict.win * 1e4).round() as f32 / 1e4,
        s: (verdict.lead * 100.0).round() as f32 / 100.0,
        p: BASE64.encode(policy),
        o: BASE64.encode(owners),
    }
}

impl LabelledGame {
    /// Number of labelled positions.
    pub fn count(&self) -> usize {
        self.record.pos.len()
    }

    /// Calls `work` with each labelled position for whose number `wanted` holds.
    ///
    /// # Errors
    /// When a move is illegal or labels do not fit the board; positions before that have been seen.
    pub fn each_position(
        &self,
        mut wanted: impl FnMut(usize) -> bool,
        mut work: impl FnMut(&Labelled),
    ) -> Result<(), TeacherError> {
        self.replay(&mut wanted, &mut work).map_err(|what| TeacherError::Line(self.path.clone(), self.line, what))
    }

    fn replay(&self, wanted: &mut impl FnMut(usize) -> bool, work: &mut impl FnMut(&Labelled)) -> Result<(), String> {
        let record = &self.record;
        let geometry = Geometry::new(record.size).ok_or("no such board size")?;
        let komi = Komi::from_points(record.komi).ok_or("no such komi")?;
        let parse = |text: &String| geometry.parse_move(text).map_err(|error| format!("{text}: {error:?}"));
        let mut game = Game::new(geometry, Rules::CHINESE, komi);
        let mut stones = Vec::new();
        for text in &record.setup {
            stones.extend(parse(text)?.point().map(|point| (point, Color::Black)));
        }
        game.set_up(&stones).map_err(|error| format!("{error:?}"))?;
        game.set_first_to_move(Color::Black);
        for (number, labels) in record.pos.iter().enumerate() {
            while game.turns().len() < record.first + number {
                let text = record.moves.get(game.turns().len()).ok_or_else(|| "fewer moves than labels".to_string())?;
                game.play(game.to_move(), parse(text)?).map_err(|error| format!("{text}: {error:?}"))?;
            }
            if wanted(number) {
                work(&labelled(&game, labels)?);
            }
        }
        Ok(())
    }
}

fn labelled(game: &Game, labels: &Labels) -> Result<Labelled, String> {
    let geometry = game.geometry();
    let decode = |text: &str| BASE64.decode(text).map_err(|error| error.to_string());
    let (policy, owners) = (decode(&labels.p)?, decode(&labels.o)?);
    if policy.len() != geometry.area() + 1 || owners.len() != geometry.area() {
        return Err("labels of another board size".to_string());
    }
    let mut labelled = Labelled {
        game: game.clone(),
        win: labels.w,
        lead: labels.s,
        owner: PointMap::new(0),
        policy: PointMap::new(0),
        pass: policy[geometry.area()],
    };
    for p in geometry.points() {
        let i = place_from_top(geometry, p);
        labelled.owner[p] = owners[i].cast_signed();
        labelled.policy[p] = policy[i];
    }
    Ok(labelled)
}
