//! A game in the terminal: for a person without a graphical program.
//!
//! The person types moves and words, Keima answers with its move and a picture of the board. Everything goes through the
//! reader and writer handed in, so that a whole game can be tested.

mod options;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use crate::color::Color;
use crate::engine::{Decision, Engine, StopFlag};
use crate::game::Game;
use crate::geometry::Move;
use crate::lines::{LineRead, read_file, read_line};
use crate::search::{Limits, RootMove};
use crate::sgf::{Header, ReplayError, SgfError, read_games, write_game};

pub use options::PlayOptions;
use options::{LONGEST_LINE, Plan, ask_for};
use words::Input;

/// Simulations behind a hint: a second or so on a large board.
const HINT_SIMULATIONS: u64 = 3000;
/// Moves in a hint.
const HINTS: usize = 3;

const HELP: &str = "\
Type a point such as D4 to play there, or one of these words (the first letters are enough):
  pass         make no move; two passes in a row end the game
  undo         take back your last move and the answer
  hint         three moves that Keima would think about
  score        who would win if the game ended now
  board        show the board again
  save FILE    keep the game as an SGF record
  resign       give the game up
  quit         leave";

/// Why no game could be played.
#[derive(Debug)]
pub enum PlayError {
    /// Standard input or output failed.
    Terminal(io::Error),
    /// The file of the game cannot be read or written.
    File(PathBuf, io::Error),
    /// The file is no record of a game.
    Record(PathBuf, SgfError),
    /// The game in the file breaks the rules.
    Replay(PathBuf, ReplayError),
    /// The board has no room for so many handicap stones.
    Handicap(usize),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Terminal(error) => error.fmt(f),
            PlayError::File(path, error) => write!(f, "{}: {error}", path.display()),
            PlayError::Record(path, error) => write!(f, "{}: {error}", path.display()),
            PlayError::Replay(path, error) => write!(f, "{}: {error}", path.display()),
            PlayError::Handicap(count) => write!(f, "there is no place for {count} handicap stones on this board"),
        }
    }
}

impl std::error::Error for PlayError {}

impl From<io::Error> for PlayError {
    fn from(error: io::Error) -> PlayError {
        PlayError::Terminal(error)
    }
}

/// Plays a game. What the options leave open is asked for where `asks` says that a person is there to answer.
///
/// # Errors
/// When the file of the game cannot be used, or reading or writing fails. That nobody reads the output any more is no error.
pub fn play(
    options: &PlayOptions,
    asks: bool,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<(), PlayError> {
    match prepare(options, asks, input, output).and_then(|table| table.map_or(Ok(()), |table| table.run(input, output)))
    {
        Err(PlayError::Terminal(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Sets up the game, or takes up the one in the file; nothing if the input ended before all was known.
fn prepare(
    options: &PlayOptions,
    asks: bool,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Option<Table>, PlayError> {
    let begun = options.file.as_deref().filter(|path| path.exists()).map(|path| load(path, options)).transpose()?;
    let Some(plan) = ask_for(options, begun.as_ref().map(|begun| begun.1), asks, input, output)? else {
        return Ok(None);
    };
    let mut engine = Engine::new(&plan.settings);
    match begun {
        Some((game, _)) => engine.set_game(game),
        None if plan.handicap > 0 => {
            let points = engine.free_handicap(plan.handicap).ok_or(PlayError::Handicap(plan.handicap))?;
            engine.place_handicap(&points).map_err(|_| PlayError::Handicap(plan.handicap))?;
        }
        None => {}
    }
    let Plan { person, .. } = plan;
    Ok(Some(Table { engine, person, file: options.file.clone(), resigned: None, saved: true }))
}

/// The game in a file, and the color of the person in it where the names tell.
fn load(path: &Path, options: &PlayOptions) -> Result<(Game, Option<Color>), PlayError> {
    let bytes = read_file(path).map_err(|error| PlayError::File(path.to_owned(), error))?;
    let records = read_games(&bytes).map_err(|error| PlayError::Record(path.to_owned(), error))?;
    let Some(record) = records.first() else {
        let error = io::Error::new(io::ErrorKind::InvalidData, "no game record found");
        return Err(PlayError::File(path.to_owned(), error));
    };
    let rules = record.rules().unwrap_or(options.rules);
    let game = record.to_game(rules).map_err(|error| PlayError::Replay(path.to_owned(), error))?;
    let is_keima = |color: Color| record.names[color].as_deref().is_some_and(|name| name.starts_with("Keima"));
    let person = Color::BOTH.into_iter().find(|&color| !is_keima(color) && is_keima(color.opponent()));
    Ok((game, person))
}

/// What happens after a line of input.
#[derive(PartialEq, Eq)]
enum Next {
    /// The board has changed: show it, and let Keima move if it is its turn.
    Position,
    /// Ask again.
    Prompt,
    /// Leave.
    End,
}

/// A game going on.
struct Table {
    engine: Engine,
    person: Color,
    /// Where the game is kept, move by move.
    file: Option<PathBuf>,
    /// Who has given the game up.
    resigned: Option<Color>,
    /// Whether all of the game is in a file, or there is nothing to keep.
    saved: bool,
}

impl Table {
    fn run(mut self, input: &mut impl BufRead, output: &mut impl Write) -> Result<(), PlayError> {
        writeln!(output, "You play {} ({}). Type help for what you can do.", self.person, stone(self.person))?;
        let mut next = Next::Position;
        let mut line = Vec::new();
        while next != Next::End {
            if next == Next::Position {
                while !self.is_over() && self.engine.game().to_move() != self.person {
                    self.answer(output)?;
                }
                self.show(output)?;
            }
            write!(output, "{}> ", if self.is_over() { "game over" } else { "your move" })?;
            output.flush()?;
            if read_line(input, &mut line, LONGEST_LINE)? == LineRead::End {
                writeln!(output)?;
                break;
            }
            let text = String::from_utf8_lossy(&line);
            next = self.obey(text.trim(), output)?;
        }
        if !self.saved {
            writeln!(output, "The game is not kept; 'keima play FILE' keeps it in a file.")?;
        }
        Ok(())
    }

    /// Lets Keima move.
    fn answer(&mut self, output: &mut impl Write) -> Result<(), PlayError> {
        write!(output, "Keima thinks ...")?;
        output.flush()?;
        let color = self.engine.game().to_move();
        match self.engine.genmove(color, None, &StopFlag::default()) {
            Decision::Move(Move::Pass) => writeln!(output, " and passes.")?,
            Decision::Move(mv) => writeln!(output, " and plays {}.", self.engine.game().geometry().move_name(mv))?,
            Decision::Resign => {
                self.resigned = Some(color);
                writeln!(output, " and resigns.")?;
            }
        }
        self.keep()
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str, output: &mut impl Write) -> Result<Next, PlayError> {
        let input = match words::read(line, self.engine.game().geometry()) {
            Ok(input) => input,
            Err(why) => {
                writeln!(output, "{why}; type help for what you can do.")?;
                return Ok(Next::Prompt);
            }
        };
        match input {
            Input::Nothing => return Ok(Next::Prompt),
            Input::Help => writeln!(output, "{HELP}")?,
            Input::Board => self.show(output)?,
            Input::Quit => return Ok(Next::End),
            Input::Score => self.tell_score(output)?,
            Input::Save(file) => self.save(file, output)?,
            Input::Undo => return self.undo(output),
            Input::Hint | Input::Resign | Input::Move(_) if self.is_over() => {
                writeln!(output, "The game is over; undo takes the last move back.")?;
            }
            Input::Hint => self.hint(output)?,
            Input::Resign => {
                self.resigned = Some(self.person);
                self.keep()?;
                return Ok(Next::Position);
            }
            Input::Move(mv) => match self.engine.play(self.person, mv) {
                Ok(()) => {
                    self.keep()?;
                    return Ok(Next::Position);
                }
                Err(why) => {
                    let name = self.engine.game().geometry().move_name(mv);
                    writeln!(output, "{name} is not allowed: {why}.")?;
                }
            },
        }
        Ok(Next::Prompt)
    }

    /// Takes back moves until the person is to move again with at least one own move less.
    fn undo(&mut self, output: &mut impl Write) -> Result<Next, PlayError> {
        let game = self.engine.game();
        let Some(last_own) = game.turns().iter().rposition(|turn| turn.color == self.person) else {
            writeln!(output, "There is no move of yours to take back.")?;
            return Ok(Next::Prompt);
        };
        // After a resignation the board is as it was: only the resignation is taken back.
        if self.resigned.take().is_none_or(|_| game.to_move() != self.person) {
            for _ in last_own..game.turns().len() {
                self.engine.undo();
            }
        }
        self.keep()?;
        Ok(Next::Position)
    }

    fn hint(&mut self, output: &mut impl Write) -> Result<(), PlayError> {
        let limits = Limits { simulations: Some(HINT_SIMULATIONS), time: None };
        let report = self.engine.analyze(self.person, limits, &[], None, &StopFlag::default());
        let geometry = self.engine.game().geometry();
        for RootMove { mv, win_rate, lead, .. } in report.moves.iter().take(HINTS).filter(|m| m.visits > 0) {
            let side = if *lead < 0.0 { "behind" } else { "ahead" };
            let name = geometry.move_name(*mv);
            writeln!(output, "  {name}: wins {:.0} %, {side} by {:.1} points", win_rate * 100.0, lead.abs())?;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.engine.game().is_over()
    }

    fn show(&mut self, output: &mut impl Write) -> Result<(), PlayError> {
        let game = self.engine.game();
        let last = game.turns().last().and_then(|turn| turn.mv.point());
        writeln!(output, "\n{}", game.board().to_diagram(last))?;
        let [black, white] = Color::BOTH.map(|color| game.captures(color));
        writeln!(output, "captured by black (X): {black}, by white (O): {white}\n")?;
        match self.resigned {
            Some(color) => writeln!(output, "{color} has resigned: {} wins.", color.opponent())?,
            None if self.engine.game().is_over() => self.tell_score(output)?,
            None => {}
        }
        Ok(())
    }

    /// Who wins as the board stands, and what is dead.
    fn tell_score(&mut self, output: &mut impl Write) -> Result<(), PlayError> {
        let over = self.engine.game().is_over();
        let score = self.engine.final_score();
        let points = f64::from(score.half_points().abs()) / 2.0;
        let ended = if over { "" } else { "If the game ended now: " };
        match score.winner() {
            Some(color) => writeln!(output, "{ended}{color} wins by {points} points.")?,
            None => writeln!(output, "{ended}a draw.")?,
        }
        let owner = self.engine.final_ownership();
        let game = self.engine.game();
        let board = game.board();
        let is_dead = |p: &_| board.cell(*p).color().is_some_and(|color| owner[*p] == Some(color.opponent()));
        let dead: Vec<String> =
            game.geometry().points().filter(is_dead).map(|p| game.geometry().point_name(p)).collect();
        if !dead.is_empty() {
            writeln!(output, "Taken for dead: {}", dead.join(" "))?;
        }
        Ok(())
    }

    fn save(&mut self, file: Option<PathBuf>, output: &mut impl Write) -> Result<(), PlayError> {
        let Some(path) = file.or_else(|| self.file.clone()) else {
            writeln!(output, "Save where? Type save and the name of a file.")?;
            return Ok(());
        };
        match self.write(&path) {
            Ok(()) => {
                self.saved = true;
                writeln!(output, "Saved as {}.", path.display())?;
            }
            // The person can try another name; the game goes on.
            Err(error) => writeln!(output, "{} cannot be written: {error}", path.display())?,
        }
        Ok(())
    }

    /// Writes the game to its file after a move.
    fn keep(&mut self) -> Result<(), PlayError> {
        let Some(path) = self.file.clone() else {
            self.saved = false;
            return Ok(());
        };
        self.write(&path).map_err(|error| PlayError::File(path, error))
    }

    /// Writes the game beside the file and then into its place, so that no moment leaves half a game.
    fn write(&mut self, path: &Path) -> io::Result<()> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".new");
        fs::write(&beside, self.record())?;
        fs::rename(&beside, path)
    }

    fn record(&mut self) -> String {
        let keima = format!("Keima {}", self.engine.settings().level);
        let [black, white] = Color::BOTH.map(|c| if c == self.person { "You".to_string() } else { keima.clone() });
        let result = match self.resigned {
            Some(color) => format!("{}+R", color.opponent().letter()),
            None if self.engine.game().is_over() => self.engine.final_score().to_string(),
            None => String::new(),
        };
        write_game(self.engine.game(), &Header { black, white, result, ..Header::default() }, &[])
    }
}

/// How the board shows stones of this color.
fn stone(color: Color) -> char {
    match color {
        Color::Black => 'X',
        Color::White => 'O',
    }
}
