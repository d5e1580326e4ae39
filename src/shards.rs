//! `keima shards`: labelled positions as the network sees them, for the training scripts.
//!
//! A shard is a header of 16 bytes (the magic, then board size, planes, scalars and record length as 16-bit numbers) and records of one
//! length, all little endian. A record has the planes bit by bit (plane by plane, row by row from the bottom), the scalars (f32), the
//! policy (a byte for each point and the pass: the square root of the probability in 255ths), the owners (a signed byte for each point, 127 for
//! the player to move), the probability to win and the lead (f32) and a byte of flags: 1 if there is a win label, 2 if lead and owners
//! are labels. All of it is seen from the player to move.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::color::Color;
use crate::geometry::Geometry;
use crate::net::{InputReader, PLANES, SCALARS};
use crate::playout::Recent;
use crate::teacher::{self, Labelled, TeacherError};

#[cfg(test)]
mod tests;

/// First bytes of a shard.
const MAGIC: &[u8; 8] = b"KEIMASH1";
/// Flags of a record whose labels are all there.
const ALL_LABELS: u8 = 3;

/// Options of `keima shards`.
#[derive(clap::Args, Clone, Debug)]
pub struct ShardOptions {
    /// Files of labelled games on boards of one size
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
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
    let games = teacher::read_games(&options.files).map_err(ShardError::Teacher)?;
    let failed = |error| ShardError::Output(options.output.clone(), error);
    let mut out = BufWriter::new(File::create(&options.output).map_err(failed)?);
    let mut reader = InputReader::new();
    let mut record = Vec::new();
    let mut size = None;
    let mut positions = 0;
    let mut result = Ok(());
    for game in &games {
        game.each_position(
            |_| true,
            |labelled| {
                let geometry = labelled.game.geometry();
                record.clear();
                encode(labelled, &mut reader, &mut record);
                if result.is_ok() && size.is_none() {
                    size = Some(geometry);
                    result = write_header(&mut out, geometry, record.len()).map_err(failed);
                }
                if result.is_ok() {
                    result = if size == Some(geometry) {
                        out.write_all(&record).map_err(failed)
                    } else {
                        Err(ShardError::Sizes)
                    };
                }
                positions += 1;
            },
        )
        .map_err(ShardError::Teacher)?;
    }
    result?;
    out.flush().map_err(failed)?;
    Ok(positions)
}

fn write_header(out: &mut impl Write, geometry: Geometry, record: usize) -> io::Result<()> {
    out.write_all(MAGIC)?;
    for number in [geometry.size(), PLANES, SCALARS, record] {
        out.write_all(&(number as u16).to_le_bytes())?;
    }
    Ok(())
}

/// Appends the record of a position.
fn encode(labelled: &Labelled, reader: &mut InputReader, record: &mut Vec<u8>) {
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
    record.push(ALL_LABELS);
}
