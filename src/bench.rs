//! `keima bench`: a fingerprint of how Keima plays, and how fast it does so.
//!
//! The signature sums up what a fixed search of fixed positions found: it changes when play changes, and
//! with nothing else. It is therefore compared in every change that should not alter play. Its searches have no network: the last bits of what one says
//! differ from processor to processor.

mod positions;
mod speed;

use std::io::{self, Write};
use std::time::Instant;

use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Move};
use crate::rules::Rules;
use crate::score::Komi;
use crate::search::{Limits, Question, Report, Search, SearchParams, Situation, decide};
use crate::time::StopFlag;

use positions::{POSITIONS, Position};

/// Seed of every search here.
const SEED: u64 = 1;
/// Memory of every search here, in bytes: more than it needs, so that no tree is ever compacted.
const MEMORY: usize = 64 << 20;
/// Sizes that the table of speeds has when none is asked for.
const SIZES: [usize; 3] = [9, 13, 19];

/// What to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The only board size to measure speed on; the usual three where `None`.
    pub size: Option<Geometry>,
    /// Print the signature and nothing else.
    pub signature_only: bool,
}

/// Prints the table of speeds and the signature.
///
/// # Errors
/// When `out` cannot be written, or a position does not fit the code that reads it.
pub fn run(options: Options, out: &mut impl Write) -> io::Result<()> {
    if options.signature_only {
        return writeln!(out, "{:016x}", signature()?.hash);
    }
    writeln!(out, "{}", speed::HEADING)?;
    let sizes = SIZES.iter().filter_map(|&size| Geometry::new(size));
    for geometry in options.size.map_or_else(|| sizes.collect(), |size| vec![size]) {
        for moves in [0, 30] {
            writeln!(out, "{}", speed::measure(geometry, moves))?;
            out.flush()?;
        }
    }
    let begin = Instant::now();
    let Signature { hash, simulations } = signature()?;
    let rate = simulations as f64 / begin.elapsed().as_secs_f64();
    writeln!(out, "Bench: {hash:016x} {simulations} sims {rate:.0} sims/s")
}

/// The fingerprint of all searches, and how many simulations it took.
struct Signature {
    hash: u64,
    simulations: u64,
}

fn signature() -> io::Result<Signature> {
    let mut sum = Fnv::new();
    let mut simulations = 0;
    for position in &POSITIONS {
        let (game, report) = search(position, 1)?;
        let color = game.to_move();
        let situation = Situation::new(game.board(), &report.ownership);
        sum.add_move(&game, decide(&game, color, &report, &situation, None, false).mv());
        for root_move in &report.moves {
            sum.add_move(&game, root_move.mv);
            sum.add(u64::from(root_move.visits));
        }
        sum.add(report.nodes as u64);
        sum.add(report.playout_moves);
        simulations += report.simulations;
    }
    Ok(Signature { hash: sum.0, simulations })
}

/// Searches a position with a share of its simulations and a new tree.
fn search(position: &Position, share: u64) -> io::Result<(Game, Report)> {
    let game = game_of(position).map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))?;
    let limits = Limits { simulations: Some(position.simulations / share), time: None };
    let mut search = Search::new(SearchParams::default(), 1, MEMORY, SEED);
    let report = search.think(&Question::new(&game, limits), &StopFlag::default());
    Ok((game, report))
}

/// Plays the moves of a position, or places its stones.
fn game_of(position: &Position) -> Result<Game, String> {
    let named = |reason: String| format!("{}: {reason}", position.name);
    if let Some(diagram) = position.diagram {
        let board = crate::board::Board::from_diagram(diagram).map_err(named)?;
        let started = Game::from_board(&board, Rules::CHINESE, Komi::DEFAULT);
        let mut game = started.map_err(|error| named(error.to_string()))?;
        game.set_first_to_move(position.first);
        return play_moves(game, position.moves).map_err(named);
    }
    let geometry = Geometry::new(position.size).ok_or_else(|| named("size out of range".to_string()))?;
    play_moves(Game::new(geometry, Rules::CHINESE, Komi::DEFAULT), position.moves).map_err(named)
}

fn play_moves(mut game: Game, moves: &str) -> Result<Game, String> {
    for text in moves.split_whitespace() {
        let mv = game.geometry().parse_move(text).map_err(|error| format!("{text}: {error}"))?;
        let color: Color = game.to_move();
        game.play(color, mv).map_err(|error| format!("{text}: {error}"))?;
    }
    Ok(game)
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo), which is short and the same everywhere.
struct Fnv(u64);

impl Fnv {
    const fn new() -> Fnv {
        Fnv(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    /// Adds a move by its coordinates, so that how the board is laid out in memory does not matter.
    fn add_move(&mut self, game: &Game, mv: Move) {
        for byte in game.geometry().move_name(mv).bytes() {
            self.add(u64::from(byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fnv, POSITIONS, search};

    #[test]
    fn every_position_can_be_searched() {
        for position in &POSITIONS {
            let (game, report) = search(position, 40).expect("a position that can be set up");
            assert_eq!(game.geometry().size(), position.size, "{}", position.name);
            assert!(!game.is_over(), "{}", position.name);
            assert_eq!(report.simulations, position.simulations / 40, "{}", position.name);
        }
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Fnv::new();
        hash.add(0x676E_6F6E_676F_6E6F);
        assert_ne!(hash.0, Fnv::new().0);
        // Eight zero bytes only multiply.
        let mut zeros = Fnv::new();
        zeros.add(0);
        assert_eq!(zeros.0, 0xA8C7_F832_281A_39C5);
    }
}
