//! Thinking: which search is run, what its answer means, and when to pass or resign.

use std::time::Instant;

use super::{DEFAULT_MOVE_TIME, Decision, Engine, StopFlag, TimeBudget, chooser, explain, memory};
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Move, Point, PointMap};
use crate::level::{Judge, Level, Style};
use crate::life::Text;
use crate::rng::Rng;
use crate::rules::DeadStones;
use crate::search::{Limits, Listener, Question, Report, Restriction, Search, Situation, decide, is_tempted_to_pass};
use crate::status::{beyond_play, playout_ownership, proven_dead};

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

impl Engine {
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
}
