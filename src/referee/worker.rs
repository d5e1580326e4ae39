//! Plays one game after another with processes of its own.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::command::{self, SEED};
use super::judge::parse_score;
use super::openings::{self, Opening};
use super::play::{Played, Terms, play_game, position_commands};
use super::player::Player;
use super::program::Program;
use super::report::{Entrant, Report};
use super::{MatchError, MatchOptions};
use crate::color::{Color, PerColor};
use crate::game::Game;
use crate::geometry::Point;
use crate::score::Score;
use crate::sgf::{self, Header};

/// What all workers of a match share.
pub(super) struct Match<'a> {
    pub(super) options: &'a MatchOptions,
    pub(super) openings: &'a [Opening],
    pub(super) names: [String; 2],
}

/// One of the games played at the same time.
pub(super) struct Worker<'a> {
    shared: &'a Match<'a>,
    number: usize,
    programs: [Option<Program>; 2],
    scorer: Option<Program>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Match<'a>, number: usize) -> Worker<'a> {
        Worker { shared, number, programs: [None, None], scorer: None }
    }

    /// Plays the game of this number, writes its record, and tells how it went and how many stray lines came.
    pub(super) fn play(&mut self, number: usize) -> Result<(Report, [usize; 2]), MatchError> {
        let options = self.shared.options;
        let black = if options.no_alternate || number.is_multiple_of(2) { Entrant::First } else { Entrant::Second };
        let (opening, start) = self.shared.start_of(number)?;
        for entrant in Entrant::BOTH {
            self.make_ready(entrant, number)?;
        }
        let terms = Terms {
            time: options.time_control(),
            grace: options.grace,
            limit: options.move_limit,
            move_cap: options.move_cap(),
        };
        let [Some(first), Some(second)] = &mut self.programs else {
            return Err(MatchError::Start { command: String::new(), reason: "not ready".into() });
        };
        let mut players: PerColor<&mut dyn Player> = match black {
            Entrant::First => PerColor([first, second]),
            Entrant::Second => PerColor([second, first]),
        };
        let (scorer, shared) = (&mut self.scorer, self.shared);
        let played = play_game(&start, &mut players, &terms, &mut |game| shared.third_opinion(scorer, game));
        let stray = [first.take_stray_lines(), second.take_stray_lines()];
        let report = report(number, opening, black, &played);
        if let Some(folder) = &options.sgf {
            self.shared.save(folder, &report, &played)?;
        }
        Ok((report, stray))
    }

    /// Starts the process of an engine unless there is one that can go on.
    fn make_ready(&mut self, entrant: Entrant, game: usize) -> Result<(), MatchError> {
        let command = self.shared.options.command(entrant);
        let slot = &mut self.programs[entrant.index()];
        if slot.as_ref().is_some_and(|program| !program.has_failed() && !command.contains(SEED)) {
            return Ok(());
        }
        // The old process goes before the new one comes.
        *slot = None;
        let file = format!("{}-{}.stderr", ["first", "second"][entrant.index()], self.number + 1);
        *slot = Some(self.shared.options.start(command, game, &file)?);
        Ok(())
    }
}

impl Match<'_> {
    /// The opening of a game, with its name.
    fn start_of(&self, number: usize) -> Result<(&str, Game), MatchError> {
        let options = self.options;
        if self.openings.is_empty() {
            return Ok(("", Game::new(options.size, options.rules, options.komi)));
        }
        let index = openings::index_for(number, options.opening_offset, self.openings.len(), !options.no_alternate);
        let opening = &self.openings[index];
        let game = opening.game(options.rules, options.komi).map_err(|error| MatchError::Opening(error.to_string()))?;
        Ok((&opening.name, game))
    }

    /// Asks the scorer, which is started when it is first needed.
    fn third_opinion(&self, slot: &mut Option<Program>, game: &Game) -> Option<Score> {
        let command = self.options.scorer.as_deref()?;
        if slot.as_ref().is_none_or(Program::has_failed) {
            *slot = match self.options.start(command, 0, "scorer.stderr") {
                Ok(program) => Some(program),
                Err(error) => {
                    log::error!("scorer: {error}");
                    None
                }
            };
        }
        let scorer = slot.as_mut()?;
        let limit = self.options.move_limit;
        let set_up =
            [format!("boardsize {}", game.geometry().size()), "clear_board".into(), format!("komi {}", game.komi())];
        for line in set_up.into_iter().chain(position_commands(game, scorer.knows("set_free_handicap"))) {
            if let Err(error) = scorer.ask(&line, limit) {
                log::error!("scorer: {line}: {error}");
                return None;
            }
        }
        match scorer.ask("final_score", limit) {
            Ok(text) => parse_score(&text),
            Err(error) => {
                log::error!("scorer: final_score: {error}");
                None
            }
        }
    }

    fn save(&self, folder: &Path, report: &Report, played: &Played) -> Result<(), MatchError> {
        let name = |color: Color| {
            let entrant = if color == Color::Black { report.black } else { report.black.other() };
            self.names[entrant.index()].clone()
        };
        let header = Header {
            black: name(Color::Black),
            white: name(Color::White),
            result: report.result.clone(),
            round: (report.game + 1).to_string(),
            event: if report.opening.is_empty() { String::new() } else { format!("opening {}", report.opening) },
            comment: report.detail.clone(),
            ..Header::default()
        };
        let path = folder.join(format!("game-{:04}.sgf", report.game + 1));
        let text = sgf::write_game(&played.game, &header, &played.comments);
        std::fs::write(&path, text).map_err(|error| MatchError::File { path, reason: error.to_string() })
    }
}

fn report(number: usize, opening: &str, black: Entrant, played: &Played) -> Report {
    let entrant = |color: Color| if color == Color::Black { black } else { black.other() };
    let color = |entrant: Entrant| if entrant == black { Color::Black } else { Color::White };
    let details = played.incidents.iter().map(|incident| incident.detail.as_str()).chain([played.note.as_str()]);
    Report {
        game: number,
        opening: opening.to_string(),
        black,
        winner: played.winner.map(entrant),
        result: played.result.clone(),
        ending: played.ending,
        moves: played.game.turns().len(),
        fingerprint: fingerprint(&played.game),
        thinking: Entrant::BOTH.map(|who| played.thinking[color(who)]),
        disputed: played.disputed,
        faults: played.incidents.iter().map(|incident| (entrant(incident.color), incident.fault)).collect(),
        detail: details.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; "),
    }
}

/// FNV-1a over the moves, beginning with the stones set up.
fn fingerprint(game: &Game) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325 ^ game.positions().first().copied().unwrap_or_default();
    game.turns().iter().fold(start, |hash, turn| {
        let code = 2 * turn.mv.point().map_or(0, Point::index) + turn.color.index();
        (hash ^ code as u64).wrapping_mul(0x100_0000_01B3)
    })
}

impl MatchOptions {
    /// The command line of an engine as given.
    pub(super) fn command(&self, entrant: Entrant) -> &str {
        match entrant {
            Entrant::First => &self.black,
            Entrant::Second => &self.white,
        }
    }

    /// Starts a process for a game; its standard error goes to a file of this name beside the game records.
    pub(super) fn start(&self, command: &str, game: usize, stderr: &str) -> Result<Program, MatchError> {
        let failed = |reason: String| MatchError::Start { command: command.to_string(), reason };
        let seed = self.seed.wrapping_add(game as u64).to_string();
        let words = command::split(command).map_err(|error| failed(error.to_string()))?;
        let words: Vec<String> = words.iter().map(|word| word.replace(SEED, &seed)).collect();
        let stderr = match &self.sgf {
            Some(folder) => open_log(folder.join(stderr))?,
            None => Stdio::null(),
        };
        Program::start(&words, stderr).map_err(|error| failed(error.to_string()))
    }
}

fn open_log(path: PathBuf) -> Result<Stdio, MatchError> {
    match OpenOptions::new().create(true).append(true).open(&path) {
        Ok(file) => Ok(Stdio::from(file)),
        Err(error) => Err(MatchError::File { path, reason: error.to_string() }),
    }
}
