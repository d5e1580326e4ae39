//! What is chosen before a game in the terminal: by flags, or by asking.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::color::Color;
use crate::engine::Settings;
use crate::geometry::Geometry;
use crate::gtp;
use crate::level::Level;
use crate::lines::{LineRead, read_line};
use crate::rules::Rules;
use crate::score::Komi;

/// Longest answer that is read, in bytes; of longer ones the beginning.
pub(super) const LONGEST_LINE: usize = 1 << 16;

/// Play a game against Keima in the terminal
///
/// What no option says is asked for before the game. Type 'help' during the game for what you can do.
#[derive(Args, Debug)]
pub struct PlayOptions {
    /// SGF file that keeps the game, move by move; a game that it holds already is gone on with
    pub file: Option<PathBuf>,
    /// Playing level: beginner, intermediate or advanced
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<Level>,
    /// Points along one side of the board, from 2 to 25
    #[arg(long, value_name = "N", value_parser = gtp::check_size)]
    pub size: Option<Geometry>,
    /// Your color: black or white
    #[arg(long, value_name = "COLOR", value_parser = parse_color)]
    pub color: Option<Color>,
    /// Black handicap stones, from 2 up; 0 for none
    #[arg(long, value_name = "STONES", value_parser = parse_handicap)]
    pub handicap: Option<usize>,
    /// Points for White, rounded to half points; half a point in a handicap game if not given
    #[arg(long, value_name = "POINTS", value_parser = gtp::check_komi, allow_hyphen_values = true)]
    pub komi: Option<Komi>,
    /// Rules: the GTP command keima-rules lists them
    #[arg(long, value_name = "RULES", default_value = Rules::CHINESE.name, value_parser = Rules::by_name)]
    pub rules: Rules,
    /// Seconds that the advanced level thinks about a move
    #[arg(long, value_name = "SECONDS", value_parser = gtp::check_time, default_value = "5")]
    pub time: std::time::Duration,
    /// Start of the random numbers
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// Everything decided.
pub(super) struct Plan {
    pub(super) settings: Settings,
    pub(super) person: Color,
    pub(super) handicap: usize,
}

/// Decides everything: by the options, by asking where somebody answers, or else as most people would. `person` is the color that the person has
/// in a game gone on with, if that is known; its size, komi and handicap are its own. Nothing if the input ends.
pub(super) fn ask_for(
    options: &PlayOptions,
    begun: Option<Option<Color>>,
    asks: bool,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<Option<Plan>> {
    let mut questions = Questions { asks, input, output };
    let new = begun.is_none();
    let level =
        questions.ask(true, options.level, "Level: beginner, intermediate or advanced", "beginner", parse_level)?;
    let geometry = questions.ask(new, options.size, "Board: points along one side", "9", gtp::check_size)?;
    let color = options.color.or(begun.flatten());
    let person = questions.ask(true, color, "Your color: black or white", "black", parse_color)?;
    let handicap = questions.ask(new, options.handicap, "Handicap stones for Black", "0", parse_handicap)?;
    let usual = if handicap.is_some_and(|stones| stones > 0) { "0.5" } else { "6.5" };
    let komi = questions.ask(new, options.komi, "Komi: points for White", usual, gtp::check_komi)?;
    let (Some(level), Some(geometry), Some(person), Some(handicap), Some(komi)) =
        (level, geometry, person, handicap, komi)
    else {
        return Ok(None);
    };
    let settings = Settings {
        level,
        geometry,
        komi,
        rules: options.rules,
        move_time: Some(options.time),
        seed: options.seed,
        ..Settings::default()
    };
    Ok(Some(Plan { settings, person, handicap }))
}

struct Questions<'q, R, W> {
    asks: bool,
    input: &'q mut R,
    output: &'q mut W,
}

impl<R: BufRead, W: Write> Questions<'_, R, W> {
    /// What was `given`, or the answer to a question where it `matters`; an empty answer is `usual`. Nothing if the input ends.
    fn ask<T, E: std::fmt::Display>(
        &mut self,
        matters: bool,
        given: Option<T>,
        question: &str,
        usual: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> io::Result<Option<T>> {
        if given.is_some() {
            return Ok(given);
        }
        if !matters || !self.asks {
            return Ok(parse(usual).ok());
        }
        loop {
            write!(self.output, "{question} [{usual}]: ")?;
            self.output.flush()?;
            let mut line = Vec::new();
            if read_line(&mut self.input, &mut line, LONGEST_LINE)? == LineRead::End {
                // No further question makes sense.
                self.asks = false;
                writeln!(self.output)?;
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            match parse(if text.is_empty() { usual } else { text }) {
                Ok(value) => return Ok(Some(value)),
                Err(why) => writeln!(self.output, "{why}")?,
            }
        }
    }
}

fn parse_level(text: &str) -> Result<Level, String> {
    Level::from_str(text).map_err(|error| error.to_string())
}

fn parse_color(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err("expected black or white".to_string()),
    }
}

fn parse_handicap(text: &str) -> Result<usize, String> {
    let stones = text.parse().ok().filter(|&stones| stones != 1);
    stones.ok_or_else(|| "expected a number of stones, 2 or more, or 0 for none".to_string())
}
