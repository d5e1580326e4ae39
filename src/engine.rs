//! The player: a game, a level, a clock and a search behind one interface for every front end.

mod account;
mod chooser;
mod danger;
mod explain;
mod memory;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use crate::color::Color;
use crate::features::FeatureReader;
use crate::game::{Game, IllegalMove, SetUpError};
use crate::geometry::{Geometry, Move, Point, PointMap};
use crate::level::{Judge, Level, Style};
use crate::life::Text;
use crate::move_model::MoveModel;
use crate::net::NetSource;
use crate::playout::candidates::Suggestion;
use crate::playout::{Policy, Recent};
use crate::rng::Rng;
use crate::rules::{DeadStones, Rules};
use crate::score::{Komi, Score};
use crate::scoring::{self, Tally};
use crate::search::{
    Limits, Listener, Question, Report, Restriction, Search, SearchParams, Situation, decide, is_tempted_to_pass,
};
use crate::status::{ChainStatus, Statuses, beyond_play, playout_ownership, proven_dead};
pub use crate::time::{StopFlag, TimeBudget};
use crate::zobrist::Hash;
pub use account::Detail;
pub use danger::Danger;
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
/// Playouts from which stones are judged dead before a search.
const QUICK_PLAYOUTS: u32 = 120;
/// Win rate below which a game counts as lost, for this many own moves in a row.
const LOST: (f64, u32) = (0.06, 3);

/// How a move is chosen, besides level and clock.
#[derive(Default)]
struct Manner<'r, 'l> {
    /// Everything dead is to be captured before passing, whatever the rules.
    clean_up: bool,
    /// Moves to leave out.
    restrictions: &'r [Restriction],
    /// Who is told what is known meanwhile.
    listener: Option<Listener<'l>>,
}

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

    /// Chooses a move for `color` and plays it; `stop` ends the thinking early with the best move so far.
    ///
    /// `time` is what the clock allows: the search aims at `time.target` and never exceeds `time.limit`.
    pub fn genmove(&mut self, color: Color, time: Option<TimeBudget>, stop: &StopFlag) -> Decision {
        let decision = self.choose(color, time, stop);
        self.carry_out(color, decision)
    }

    fn carry_out(&mut self, color: Color, decision: Decision) -> Decision {
        let Decision::Move(mv) = decision else { return decision };
        match self.game.play(color, mv) {
            Ok(_) => decision,
            Err(why) => {
                log::error!("the choice {} is illegal: {why}", self.game.geometry().move_name(mv));
                self.game.play(color, Move::Pass).map_or(decision, |_| Decision::Move(Move::Pass))
            }
        }
    }

    /// As [`Engine::genmove`], without playing the move.
    pub fn choose(&mut self, color: Color, time: Option<TimeBudget>, stop: &StopFlag) -> Decision {
        self.choose_with(color, time, stop, &mut Manner::default())
    }

    /// As [`Engine::genmove`], thinking aloud: `listener` is told what is known from time to time and once at the end. `restrictions` are moves to leave out.
    pub fn genmove_aloud(
        &mut self,
        color: Color,
        time: Option<TimeBudget>,
        restrictions: &[Restriction],
        listener: Listener<'_>,
        stop: &StopFlag,
    ) -> Decision {
        let decision = self.choose_aloud(color, time, restrictions, listener, stop);
        self.carry_out(color, decision)
    }

    /// As [`Engine::genmove_aloud`], without playing the move.
    pub fn choose_aloud(
        &mut self,
        color: Color,
        time: Option<TimeBudget>,
        restrictions: &[Restriction],
        listener: Listener<'_>,
        stop: &StopFlag,
    ) -> Decision {
        let mut manner = Manner { clean_up: false, restrictions, listener: Some(listener) };
        self.choose_with(color, time, stop, &mut manner)
    }

    /// Searches the position at full strength, whatever the level, until a limit is reached or `stop` is raised, and plays nothing. Of more than two
    /// passes in a row the last are ignored, so that a finished game can be looked at, too.
    pub fn analyze(
        &mut self,
        color: Color,
        limits: Limits,
        restrictions: &[Restriction],
        listener: Option<Listener<'_>>,
        stop: &StopFlag,
    ) -> Report {
        // Where two passes are near everything hangs on it; elsewhere it may take only a small part of a short search. Whoever interrupts at
        // once need not wait for a judgement that the one simulation left would hardly use.
        let dead = match limits.simulations {
            _ if stop.is_raised() => Vec::new(),
            Some(n) if self.game.passes() == 0 => {
                self.quick_dead(color, (n / 16).clamp(8, u64::from(QUICK_PLAYOUTS)) as u32)
            }
            _ => self.quick_dead(color, QUICK_PLAYOUTS),
        };
        let params = self.settings.search.clone();
        let (search, game) = self.search_and_game(self.settings.threads, Level::Advanced);
        *search.params_mut() = params;
        search.think_aloud(&Question { game, color, dead: &dead, limits, restrictions }, stop, listener)
    }

    /// As [`Engine::genmove`], capturing everything dead before passing, whatever the rules.
    pub fn genmove_cleanup(&mut self, color: Color, time: Option<TimeBudget>, stop: &StopFlag) -> Decision {
        let decision = self.choose_with(color, time, stop, &mut Manner { clean_up: true, ..Manner::default() });
        self.carry_out(color, decision)
    }

    fn choose_with(
        &mut self,
        color: Color,
        time: Option<TimeBudget>,
        stop: &StopFlag,
        manner: &mut Manner<'_, '_>,
    ) -> Decision {
        let style = self.settings.level.style(self.settings.geometry.size());
        let begin = Instant::now();
        let report = self.search_position(color, style.as_ref(), time, stop, manner);
        if let Some(listener) = &mut manner.listener {
            (listener.tell)(&report);
        }
        let situation = self.situation(&report.ownership);
        let after_pass = if is_tempted_to_pass(&self.game, color, &situation) {
            let exact = style.is_some() || self.settings.playouts.is_some();
            let limits = if exact {
                Limits { simulations: Some((report.simulations / 4).max(100)), time: None }
            } else {
                let spent = begin.elapsed();
                let left = time.map_or(spent, |budget| budget.limit.saturating_sub(spent));
                let second = (spent / 4).min(left / 2);
                Limits { simulations: None, time: Some(TimeBudget { target: second, limit: second }) }
            };
            self.situation_after_pass(color, &limits, stop)
        } else {
            None
        };
        let choice = decide(&self.game, color, &report, &situation, after_pass.as_ref(), manner.clean_up);
        let mut mv = choice.mv();
        if let (Some(style), crate::search::Choice::Best(_)) = (&style, choice) {
            let mut rng = Rng::derived(self.seed ^ self.game.board().hash(), 77);
            let played = self.game.turns().len();
            let point = chooser::choose_like_a_person(self.game.board(), color, &report, style, played, &mut rng);
            mv = point.map_or(mv, Move::Play);
        }
        self.explanation = explain::explain(&self.game, color, mv, choice, &report);
        log::info!("{}", self.explanation.replace('\n', "; "));
        if self.is_lost(&report, style.as_ref()) {
            return Decision::Resign;
        }
        Decision::Move(mv)
    }

    fn search_position(
        &mut self,
        color: Color,
        style: Option<&Style>,
        time: Option<TimeBudget>,
        stop: &StopFlag,
        manner: &mut Manner<'_, '_>,
    ) -> Report {
        let dead = self.quick_dead(color, QUICK_PLAYOUTS);
        let limits = match (style, self.settings.playouts) {
            (Some(style), _) => Limits { simulations: Some(style.simulations), time: None },
            (None, Some(playouts)) => Limits { simulations: Some(playouts), time: None },
            (None, None) => {
                let usual = self.settings.move_time.unwrap_or(DEFAULT_MOVE_TIME);
                let budget = time.unwrap_or(TimeBudget { target: usual, limit: usual });
                Limits { simulations: None, time: Some(budget) }
            }
        };
        let threads = if style.is_some() { 1 } else { self.settings.threads };
        let mut params = self.settings.search.clone();
        if style.is_some_and(|style| style.judge == Judge::Points) {
            params.score_weight = 1.0;
        }
        let (search, game) = self.search_and_game(threads, self.settings.level);
        *search.params_mut() = params;
        let question = Question { game, color, dead: &dead, limits, restrictions: manner.restrictions };
        let listener = manner.listener.as_mut().map(|l| Listener { tell: &mut *l.tell, ..*l });
        search.think_aloud(&question, stop, listener)
    }

    /// The situation if `color` passed now; `None` when dead stones come off and the status that would be told if the game ended
    /// takes back what the situation promises: a win that is not counted is not won.
    fn situation_after_pass(&mut self, color: Color, limits: &Limits, stop: &StopFlag) -> Option<Situation> {
        self.game.play(color, Move::Pass).ok()?;
        let opponent = color.opponent();
        let dead = self.quick_dead(opponent, QUICK_PLAYOUTS);
        let (search, game) = self.search_and_game(self.search_shape.0, self.settings.level);
        let question = Question { game, color: opponent, dead: &dead, limits: *limits, restrictions: &[] };
        let report = search.think(&question, stop);
        let situation = self.situation(&report.ownership);
        let told = self.tally().score;
        let kept = situation.is_kept_by(&self.game, color, told);
        self.game.undo();
        (kept || self.game.rules().dead_stones == DeadStones::Counted).then_some(situation)
    }

    /// The search, made anew when threads or memory have changed, and the game it is to look at.
    fn search_and_game(&mut self, threads: usize, level: Level) -> (&mut Search, &Game) {
        let shape = (threads, self.settings.memory_mib);
        if self.search_shape != shape {
            self.search = None;
            self.search_shape = shape;
        }
        let seed = self.seed;
        let params = &self.settings.search;
        let make = || Search::new(params.clone(), threads, memory::tree_bytes(shape.1), seed);
        let search = self.search.get_or_insert_with(make);
        let advanced = level == Level::Advanced;
        search.set_network(self.settings.net.network(self.game.geometry()).filter(|_| advanced).cloned());
        (search, &self.game)
    }

    /// Stones that look dead after a few playouts: what two passes inside the tree would take off. Nothing while the board is open.
    fn quick_dead(&self, color: Color, playouts: u32) -> Vec<Point> {
        let board = self.game.board();
        if self.is_board_open() {
            return Vec::new();
        }
        let evidence = playout_ownership(board, color, playouts, &self.settings.search.playout);
        let mut dead = Situation::new(board, &evidence).dead;
        if let Some(text) = Text::by_name(self.game.rules().name) {
            let proven = proven_dead(board, text, &evidence);
            dead.extend(proven.into_iter().filter(|stone| !dead.contains(stone)).collect::<Vec<_>>());
        }
        dead
    }

    /// The situation as the ownership of a search tells it and, where the rules confirm life and death, as it is proven.
    fn situation(&self, ownership: &PointMap<f32>) -> Situation {
        let board = self.game.board();
        let mut ownership = *ownership;
        if Text::by_name(self.game.rules().name).is_some() && !self.is_board_open() {
            for (stone, owner) in beyond_play(board, &ownership) {
                ownership[stone] = owner.sign() as f32;
            }
        }
        Situation::new(board, &ownership)
    }

    fn is_board_open(&self) -> bool {
        let board = self.game.board();
        board.empty_count() * 3 > board.geometry().area() * 2
    }

    /// How often the playout policy chooses which move here, and for which reason, the most frequent first; `None` is a pass. The shares add up to 1.
    pub fn playout_moves(&self, color: Color) -> Vec<(Option<Suggestion>, f64)> {
        const DRAWS: u32 = 2000;
        let mut policy = Policy::new(&self.settings.search.playout);
        let mut rng = Rng::derived(self.game.board().hash(), 6);
        let mut board = self.game.board().clone();
        let recent = Recent::of_moves(self.game.turns().iter().map(|turn| turn.mv));
        let mut counts: Vec<(Option<Suggestion>, u32)> = Vec::new();
        for _ in 0..DRAWS {
            let drawn = policy.suggest(&mut board, color, recent, &mut rng);
            match counts.iter_mut().find(|(known, _)| *known == drawn) {
                Some((_, count)) => *count += 1,
                None => counts.push((drawn, 1)),
            }
        }
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        counts.into_iter().map(|(drawn, count)| (drawn, f64::from(count) / f64::from(DRAWS))).collect()
    }

    /// What the move model thinks of every legal move but a pass: its probability, the most likely first.
    pub fn move_probabilities(&self, color: Color) -> Vec<(Point, f32)> {
        let board = self.game.board();
        let recent = Recent::of_moves(self.game.turns().iter().map(|turn| turn.mv));
        let is_legal = |&p: &Point| self.game.check(color, Move::Play(p)).is_ok();
        let points: Vec<Point> = board.geometry().points().filter(is_legal).collect();
        let mut values = Vec::new();
        MoveModel::shipped().probabilities(&mut FeatureReader::new(), board, color, recent, &points, &mut values);
        let mut found: Vec<(Point, f32)> = points.into_iter().zip(values).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found
    }

    fn is_lost(&mut self, report: &Report, style: Option<&Style>) -> bool {
        let allowed = self.settings.resign && style.is_none_or(|s| s.resigns);
        let played = self.game.turns().len() * 3 >= self.game.geometry().area();
        let best = report.moves.first().map_or(0.0, |m| m.value);
        let lost = report.win_rate < LOST.0 && (style.is_some() || best < LOST.0 * 2.0) && report.simulations > 100;
        self.lost_in_a_row = if lost { self.lost_in_a_row + 1 } else { 0 };
        allowed && played && self.game.passes() == 0 && self.lost_in_a_row >= LOST.1
    }

    /// Thinks about the current position until `stop` is raised or nothing is left to think about.
    pub fn ponder(&mut self, stop: &StopFlag) {
        if self.settings.level != Level::Advanced || self.settings.playouts.is_some() || self.game.is_over() {
            return;
        }
        self.analyze(self.game.to_move(), Limits::default(), &[], None, stop);
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
