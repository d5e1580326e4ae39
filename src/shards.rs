//! `keima shards`: labelled positions as the network sees them, for the training scripts.
//!
//! A shard is a header of 16 bytes (the magic, then board size, planes, scalars and record length as 16-bit numbers) and records of one
//! length, all little endian. A record has the planes bit by bit (plane by plane, row by row from the bottom), the scalars (f32), the
//! policy (a byte for each point and the pass: the square root of the probability in 255ths), the owners (a signed byte for each point, 127 for
//! the player to move), the probability to win and the lead (f32) and a byte of flags: 1 if there is a win label, 2 if lead and owners
//! are labels. All of it is seen from the player to move.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Move, PointMap};
use crate::learn::parse_share;
use crate::net::{InputReader, PLANES, SCALARS};
use crate::playout::Recent;
use crate::rng::Rng;
use crate::rules::Rules;
use crate::score::Komi;
use crate::sgf;
use crate::teacher::{self, Labelled, TeacherError};

#[cfg(test)]
mod tests;

/// First bytes of a shard.
const MAGIC: &[u8; 8] = b"KEIMASH1";
/// Flag of a record with a win label.
const WIN: u8 = 1;
/// Flag of a record with labels of lead and owners.
const LEAD_AND_OWNER: u8 = 2;

/// Options of `keima shards`.
#[derive(clap::Args, Clone, Debug)]
pub struct ShardOptions {
    /// Files of games on boards of one size: labelled ones, or records (NAME.sgf, one game a line)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Use this share of the positions of game records
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = parse_share)]
    pub share: f64,
    /// Seed of the choice of positions
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// The shard to write
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Why a shard was not written.
#[derive(Debug)]
pub enum ShardError {
    /// The labelled positions could not be read.
    Teacher(TeacherError),
    /// The shard could not be written.
    Output(PathBuf, io::Error),
    /// The games are on boards of different sizes.
    Sizes,
}

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShardError::Teacher(error) => error.fmt(f),
            ShardError::Output(path, error) => write!(f, "{}: {error}", path.display()),
            ShardError::Sizes => f.write_str("the games are on boards of different sizes"),
        }
    }
}

impl std::error::Error for ShardError {}

/// Writes the shard and tells how many positions it has.
///
/// # Errors
/// When a file cannot be read or written, or the games are not of one size.
pub fn write_shard(options: &ShardOptions) -> Result<usize, ShardError> {
    let failed = |error| ShardError::Output(options.output.clone(), error);
    let mut writer = Writer {
        out: BufWriter::new(File::create(&options.output).map_err(failed)?),
        reader: InputReader::new(),
        record: Vec::new(),
        size: None,
        positions: 0,
        result: Ok(()),
    };
    let (records, labelled): (Vec<_>, Vec<_>) =
        options.files.iter().cloned().partition(|path| path.extension().is_some_and(|name| name == "sgf"));
    for game in teacher::read_games(&labelled).map_err(ShardError::Teacher)? {
        game.each_position(|_| true, |position| writer.add(position, WIN | LEAD_AND_OWNER))
            .map_err(ShardError::Teacher)?;
    }
    let mut rng = Rng::new(options.seed);
    for path in records {
        let failed = |error| ShardError::Teacher(TeacherError::File(path.clone(), error));
        for line in BufReader::new(File::open(&path).map_err(failed)?).lines() {
            add_record(&line.map_err(failed)?, options.share, &mut rng, &mut writer);
        }
    }
    match writer.result.and_then(|()| writer.out.flush().map_err(Failure::Output)) {
        Ok(()) => Ok(writer.positions),
        Err(Failure::Sizes) => Err(ShardError::Sizes),
        Err(Failure::Output(error)) => Err(failed(error)),
    }
}

/// Why a position was not written.
enum Failure {
    Sizes,
    Output(io::Error),
}

/// A shard in the making. After the first failure nothing more is written.
struct Writer {
    out: BufWriter<File>,
    reader: InputReader,
    record: Vec<u8>,
    size: Option<Geometry>,
    positions: usize,
    result: Result<(), Failure>,
}

impl Writer {
    fn add(&mut self, position: &Labelled, flags: u8) {
        if self.result.is_ok() {
            self.result = self.write(position, flags);
        }
    }

    fn write(&mut self, position: &Labelled, flags: u8) -> Result<(), Failure> {
        let geometry = position.game.geometry();
        self.record.clear();
        encode(position, flags, &mut self.reader, &mut self.record);
        if self.size.is_none() {
            self.size = Some(geometry);
            write_header(&mut self.out, geometry, self.record.len()).map_err(Failure::Output)?;
        }
        if self.size != Some(geometry) {
            return Err(Failure::Sizes);
        }
        self.positions += 1;
        self.out.write_all(&self.record).map_err(Failure::Output)
    }
}

fn write_header(out: &mut impl Write, geometry: Geometry, record: usize) -> io::Result<()> {
    out.write_all(MAGIC)?;
    for number in [geometry.size(), PLANES, SCALARS, record] {
        out.write_all(&(number as u16).to_le_bytes())?;
    }
    Ok(())
}

/// Adds a share of the positions of a game record: the policy is the move played, the winner that of the game. Games with handicap are left
/// out, and a game counts up to the first move that is not legal.
fn add_record(line: &str, share: f64, rng: &mut Rng, writer: &mut Writer) {
    let Some(record) = sgf::read_games(line.as_bytes()).ok().and_then(|mut games| games.pop()) else { return };
    if !record.set_up.is_empty() || !record.edits.is_empty() {
        return;
    }
    let won = black_won(record.result.as_deref().unwrap_or_default());
    let mut position = Labelled {
        game: Game::new(record.geometry, Rules::CHINESE, record.komi.unwrap_or(Komi::DEFAULT)),
        win: won.map_or(0.5, |black| f32::from(u8::from(black))),
        lead: 0.0,
        owner: PointMap::new(0),
        policy: PointMap::new(0),
        pass: 0,
    };
    for &(color, mv) in &record.moves {
        if position.game.to_move() != color {
            position.game.set_first_to_move(color);
        }
        if position.game.to_move() != color || position.game.check(color, mv).is_err() {
            return;
        }
        if rng.unit() < share {
            (position.policy, position.pass) = (PointMap::new(0), 0);
            match mv {
                Move::Play(point) => position.policy[point] = u8::MAX,
                Move::Pass => position.pass = u8::MAX,
            }
            writer.add(&position, if won.is_some() { WIN } else { 0 });
        }
        if position.game.play(color, mv).is_err() {
            return;
        }
    }
}

/// Whether Black won, by a result as SGF has it; `None` where it is unknown or says nothing about the position, as on time.
fn black_won(result: &str) -> Option<bool> {
    let (winner, how) = result.split_once('+')?;
    if how.starts_with(['T', 't', 'F', 'f']) {
        return None;
    }
    match winner {
        "B" | "b" => Some(true),
        "W" | "w" => Some(false),
        _ => None,
    }
}

/// Appends the record of a position.
fn encode(labelled: &Labelled, flags: u8, reader: &mut InputReader, record: &mut Vec<u8>) {
    let game = &labelled.game;
    let geometry = game.geometry();
    let color = game.to_move();
    let recent = Recent::of_moves(game.turns().iter().map(|turn| turn.mv));
    reader.read(game.board(), color, recent, game.passes() > 0, game.komi());
    let area = geometry.area();
    let mut bits = vec![0u8; (PLANES * area).div_ceil(8)];
    for (i, p) in geometry.points().enumerate() {
        let planes = reader.input.planes[p];
        for plane in (0..PLANES).filter(|plane| planes >> plane & 1 != 0) {
            let bit = plane * area + i;
            bits[bit / 8] |= 1 << (bit % 8);
        }
    }
    record.extend(bits);
    record.extend(reader.input.scalars.iter().flat_map(|scalar| scalar.to_le_bytes()));
    record.extend(geometry.points().map(|p| labelled.policy[p]));
    record.push(labelled.pass);
    let sign = color.sign() as i8;
    record.extend(geometry.points().map(|p| labelled.owner[p].saturating_mul(sign).cast_unsigned()));
    let win = if color == Color::Black { labelled.win } else { 1.0 - labelled.win };
    record.extend(win.to_le_bytes());
    record.extend((labelled.lead * f32::from(sign)).to_le_bytes());
    record.push(flags);
}
