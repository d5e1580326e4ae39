//! The player: a game, a level, a clock and a search behind one interface for every front end.

mod account;
mod chooser;
mod danger;
mod explain;
mod impressions;
mod memory;
#[cfg(test)]
mod tests;
mod think;

use std::time::Duration;

use crate::color::Color;
use crate::game::{Game, IllegalMove, SetUpError};
use crate::geometry::{Geometry, Move, Point};
use crate::level::Level;
use crate::net::NetSource;
use crate::rules::{DeadStones, Rules};
use crate::score::{Komi, Score};
use crate::scoring::{self, Tally};
use crate::search::{Search, SearchParams};
use crate::status::{ChainStatus, Statuses};
pub use crate::time::{StopFlag, TimeBudget};
use crate::zobrist::Hash;
pub use account::Detail;
pub use danger::Danger;
pub use impressions::Glance;
pub use memory::share_mib;

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
    /// Most memory that the process may take, in MiB, from 40 on; `None` to choose by what is free.
    pub memory_mib: Option<usize>,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// Whether to resign lost games.
    pub resign: bool,
    /// The network of the advanced level.
    pub net: NetSource,
    /// What to call itself: some programs treat an engine by its name.
    pub name: String,
    /// The numbers of the search, for tuning.
    pub search: SearchParams,
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
            net: NetSource::default(),
            name: "Keima".to_string(),
            search: SearchParams::default(),
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

/// Thinking time of the advanced level when nothing else limits it.
pub const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(5);
/// The player. One object serves one session.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    game: Game,
    seed: u64,
    /// Made when first needed, so that starting costs nothing.
    search: Option<Search>,
    /// Threads and memory the search was made with.
    search_shape: (usize, Option<usize>),
    lost_in_a_row: u32,
    explanation: String,
    /// Who lives in the position last asked about.
    statuses: Option<(Hash, Color, Rules, Statuses)>,
}

impl Engine {
    /// A player at an empty board.
    pub fn new(settings: &Settings) -> Engine {
        let game = Game::new(settings.geometry, settings.rules, settings.komi);
        Engine {
            seed: settings.seed.unwrap_or_else(random_seed),
            settings: settings.clone(),
            game,
            search: None,
            search_shape: (0, None),
            lost_in_a_row: 0,
            explanation: String::new(),
            statuses: None,
        }
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
        let (seed, numbers) = (self.settings.seed, self.settings.search.clone());
        change(&mut self.settings);
        if self.settings.seed != seed {
            self.seed = self.settings.seed.unwrap_or_else(random_seed);
            self.search = None;
        }
        if self.settings.search != numbers {
            // A tree grown with other numbers would still show them.
            self.search = None;
        }
        self.game.set_komi(self.settings.komi);
        self.game.set_rules(self.settings.rules);
    }

    /// Starts a new game on an empty board of the size, komi and rules in force.
    pub fn clear(&mut self) {
        let game = Game::new(self.settings.geometry, self.settings.rules, self.settings.komi);
        self.take_over(game);
        if self.settings.seed.is_none() {
            // Another game, other random numbers.
            self.seed = random_seed();
            self.search = None;
        }
    }

    /// Takes over a game from elsewhere; its size, komi and rules become those in force.
    pub fn set_game(&mut self, game: Game) {
        self.settings.geometry = game.geometry();
        self.settings.komi = game.komi();
        self.settings.rules = game.rules();
        self.take_over(game);
        if let Some(search) = &mut self.search {
            search.clear();
        }
    }

    fn take_over(&mut self, game: Game) {
        self.game = game;
        self.lost_in_a_row = 0;
        self.explanation.clear();
    }

    /// Makes a move for either player.
    ///
    /// # Errors
    /// When the move is illegal; nothing has changed then.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(color, mv).map(|_| ())
    }

    /// Makes a move that was already made elsewhere: see [`Game::follow`].
    ///
    /// # Errors
    /// When the move is impossible; nothing has changed then.
    pub fn follow(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.game.follow(color, mv).map(|_| ())
    }

    /// Takes back one move; false when there is none.
    pub fn undo(&mut self) -> bool {
        self.lost_in_a_row = 0;
        self.game.undo()
    }

    /// Places black handicap stones on an empty board.
    ///
    /// # Errors
    /// See [`Game::place_handicap`].
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), SetUpError> {
        self.game.place_handicap(points)
    }

    /// Points for `count` handicap stones of the engine's own choice: the usual ones where there are any, else as far from one another and
    /// from the edge as there is room. `None` if the board is too small.
    pub fn free_handicap(&mut self, count: usize) -> Option<Vec<Point>> {
        let g = self.game.geometry();
        if count < 2 || count >= g.area() {
            return None;
        }
        let mut chosen = (2..=count).rev().find_map(|n| g.handicap_points(n)).unwrap_or_default();
        while chosen.len() < count {
            let free = g.points().filter(|p| !chosen.contains(p));
            let room = |p: Point| {
                let nearest = chosen.iter().map(|&c| g.distance(c, p)).min().unwrap_or(100).min(12);
                nearest + 3 * g.line(p).min(3)
            };
            let next = free.max_by_key(|&p| (room(p), std::cmp::Reverse(p)))?;
            chosen.push(next);
        }
        // Never without a liberty: the stones must leave one another room to stand.
        self.game.clone().place_handicap(&chosen).is_ok().then_some(chosen)
    }

    /// The count under the rules in force, dead stones removed where they say so.
    pub fn tally(&mut self) -> Tally {
        let (dead, owner) = (self.dead_at_the_end(), self.final_ownership());
        scoring::count_owned(&self.game, &dead, &owner)
    }

    /// The score under the rules in force; even where they leave the game without a result.
    pub fn final_score(&mut self) -> Score {
        if self.game.has_no_result() { Score::EVEN } else { self.tally().score }
    }

    /// The status of every chain.
    pub fn final_status(&mut self) -> &[ChainStatus] {
        self.statuses().chains()
    }

    fn statuses(&mut self) -> &Statuses {
        let (position, to_move, rules) = (self.game.board().hash(), self.game.to_move(), self.game.rules());
        let is_known =
            |known: &(Hash, Color, Rules, Statuses)| (known.0, known.1, known.2) == (position, to_move, rules);
        let known = self.statuses.take().filter(is_known);
        let (.., statuses) =
            self.statuses.insert(known.unwrap_or_else(|| (position, to_move, rules, Statuses::of(&self.game))));
        statuses
    }

    /// The owner of every point at the end: stones, territory, and `None` for dame and, where the rules count territory, for eyes in seki.
    pub fn final_ownership(&mut self) -> scoring::Ownership {
        let rules = self.game.rules();
        if rules.dead_stones == DeadStones::Counted {
            return scoring::counted_ownership(self.game.board(), &[], rules.scoring);
        }
        let statuses = self.statuses().clone();
        statuses.ownership(self.game.board(), rules.scoring)
    }

    /// The stones that come off before counting.
    pub fn dead_at_the_end(&mut self) -> Vec<Point> {
        match self.game.rules().dead_stones {
            DeadStones::Counted => Vec::new(),
            DeadStones::Removed => self.statuses().dead(),
        }
    }

    /// Every chain in danger of capture, by its first stone.
    pub fn dangers(&self) -> Vec<(Point, Danger)> {
        danger::dangers(self.game.board())
    }

    /// Why the last move was chosen, in a few lines without blank ones.
    pub fn explain_last_move(&self) -> String {
        self.explanation.clone()
    }
}

/// A seed that differs from process to process.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
