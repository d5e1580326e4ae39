//! From what the search found to what is played: pass, clean up, or the most visited move.

use super::{Report, RootMove};
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Move, Point, PointMap};
use crate::rules::{DeadStones, Scoring};
use crate::score::Score;
use crate::scoring;
use crate::tactics::is_bad_self_atari;

/// Ownership beyond which a chain or a point counts as decided.
const DECIDED: f32 = 0.7;

/// The fate of the stones on the board as ownership tells it.
#[derive(Clone, Debug, Default)]
pub struct Situation {
    /// Stones that an opponent would agree are dead.
    pub dead: Vec<Point>,
    /// Stones of which that is unclear.
    pub unclear: Vec<Point>,
    /// Every chain and every area is decided.
    pub decided: bool,
    /// Neutral points that somebody may take without harm.
    pub open_dame: Vec<Point>,
}

impl Situation {
    /// Reads the situation off the mean final owner of each point (1 Black, -1 White).
    pub fn new(board: &Board, ownership: &PointMap<f32>) -> Situation {
        let g = board.geometry();
        let mut situation = Situation::default();
        for p in board.chain_heads() {
            let sign = board.cell(p).color().map_or(0.0, |c| c.sign() as f32);
            let mean = board.chain(p).map(|s| ownership[s] * sign).sum::<f32>() / board.chain_size(p) as f32;
            if mean < -DECIDED {
                situation.dead.extend(board.chain(p));
            } else if mean < DECIDED {
                situation.unclear.extend(board.chain(p));
            }
        }
        let owner = scoring::ownership(board, &situation.dead);
        let empty = || g.points().filter(|&p| board.is_empty(p));
        let is_decided = |p| owner[p].is_none_or(|color| ownership[p] * color.sign() as f32 > DECIDED);
        situation.decided = situation.unclear.is_empty() && empty().all(is_decided);
        let may_be_taken = |&p: &Point| owner[p].is_none() && Color::BOTH.iter().any(|&c| is_worth_taking(board, p, c));
        situation.open_dame = empty().filter(may_be_taken).collect();
        situation
    }

    /// Nothing is left to gain: everything is decided and, by area, no neutral point is worth taking.
    fn is_settled(&self, scoring: Scoring) -> bool {
        self.decided && (scoring == Scoring::Territory || self.open_dame.is_empty())
    }

    /// Stones of `color` that are dead.
    fn dead_of<'s>(&'s self, board: &'s Board, color: Color) -> impl Iterator<Item = Point> + 's {
        self.dead.iter().copied().filter(move |&p| board.cell(p).color() == Some(color))
    }

    /// Whether the score that would be told gives `color` no less than this situation promises.
    pub fn is_kept_by(&self, game: &Game, color: Color, told: Score) -> bool {
        told.for_color(color) >= self.worst_score(game, color, false).for_color(color)
    }

    /// The score if the game ended now, whatever is unclear counting for the opponent of `color`: stones, and points that border on both
    /// and that the opponent could still take. A count calls those neutral, a fair opponent or referee may not.
    fn worst_score(&self, game: &Game, color: Color, as_it_stands: bool) -> Score {
        let board = game.board();
        let off: Vec<Point> = if as_it_stands {
            Vec::new()
        } else {
            let own_unclear = self.unclear.iter().copied().filter(|&p| board.cell(p).color() == Some(color));
            self.dead.iter().copied().chain(own_unclear).collect()
        };
        if game.rules().scoring == Scoring::Territory {
            return scoring::score(game, &off);
        }
        let owner = scoring::ownership(board, &off);
        let opponent = color.opponent();
        let open = |p: Point| board.is_empty(p) && is_worth_taking(board, p, opponent);
        let holder = |p: Point| owner[p].or_else(|| open(p).then_some(opponent));
        let margin = board.geometry().points().filter_map(holder).map(Color::sign).sum();
        Score::from_margin(margin, game.compensation())
    }
}

/// Whether `color` can play on a neutral point without giving stones away.
fn is_worth_taking(board: &Board, point: Point, color: Color) -> bool {
    board.is_playable(point, color, false) && !is_bad_self_atari(board, point, color)
}

/// What to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// End the game, or agree to end it.
    Pass,
    /// The move the search prefers.
    Best(Point),
    /// A move that takes dead stones off before the count.
    Clean(Point),
    /// A neutral point, worth nothing.
    Fill(Point),
}

impl Choice {
    /// The move to make.
    pub fn mv(self) -> Move {
        match self {
            Choice::Pass => Move::Pass,
            Choice::Best(p) | Choice::Clean(p) | Choice::Fill(p) => Move::Play(p),
        }
    }
}

/// Whether [`decide`] may pass because all is settled or won, if it learns what the position is like after a pass.
pub fn is_tempted_to_pass(game: &Game, color: Color, situation: &Situation) -> bool {
    let wins = || situation.worst_score(game, color, false).winner() == Some(color);
    situation.is_settled(game.rules().scoring) || (game.passes() > 0 && wins())
}

/// Chooses between passing, cleaning up and the best move. `clean_up` demands that dead stones be captured whatever the rules say.
///
/// The ownership of a search assumes that its best move is played: of a group that this move kills it says that it is dead. A pass is
/// therefore only made when `after_pass`, the situation as a search with the opponent to move sees it, shows that nothing was given away;
/// none is made without it.
/// It is needed where [`is_tempted_to_pass`] says so. `situation` is what the ownership of `report` shows.
pub fn decide(
    game: &Game,
    color: Color,
    report: &Report,
    situation: &Situation,
    after_pass: Option<&Situation>,
    clean_up: bool,
) -> Choice {
    let board = game.board();
    let as_it_stands = clean_up || game.rules().dead_stones == DeadStones::Counted;
    let score = |s: &Situation| s.worst_score(game, color, as_it_stands);
    let wins = after_pass.is_some_and(|passed| score(passed).winner() == Some(color));
    if game.passes() > 0 && wins && !(clean_up && situation.dead_of(board, color.opponent()).next().is_some()) {
        return Choice::Pass;
    }
    let scoring = game.rules().scoring;
    let gives_nothing = |passed: &Situation| {
        passed.is_settled(scoring) && score(passed).for_color(color) >= score(situation).for_color(color)
    };
    if situation.is_settled(scoring) && after_pass.is_some_and(gives_nothing) {
        let prey: Vec<Point> =
            if as_it_stands { situation.dead_of(board, color.opponent()).collect() } else { Vec::new() };
        if prey.is_empty() {
            // By territory neutral points are worth nothing, but left open they leave doubt about who lives.
            return dame_move(game, color, situation, report).map_or(Choice::Pass, Choice::Fill);
        }
        if let Some(point) = cleaning_move(game, color, &prey, report) {
            return Choice::Clean(point);
        }
    }
    let plays = || report.moves.iter().filter_map(|m| m.mv.point().map(|p| (p, m)));
    let Some((point, best)) = plays().next() else { return Choice::Pass };
    match report.moves.first() {
        // The tree itself prefers passing, and clearly: every move would do harm.
        Some(RootMove { mv: Move::Pass, value, .. }) if *value > best.value + 0.02 && game.passes() > 0 => Choice::Pass,
        Some(RootMove { mv: Move::Pass, value, .. }) if *value > best.value + 0.1 => Choice::Pass,
        _ => Choice::Best(point),
    }
}

/// The most visited neutral point that `color` may take without harm.
fn dame_move(game: &Game, color: Color, situation: &Situation, report: &Report) -> Option<Point> {
    let is_open = |p: &Point| situation.open_dame.contains(p) && is_worth_taking(game.board(), *p, color);
    report.moves.iter().filter_map(|m| m.mv.point()).filter(is_open).find(|&p| game.check(color, Move::Play(p)).is_ok())
}

/// The most visited move on a liberty of dead stones that is safe.
fn cleaning_move(game: &Game, color: Color, prey: &[Point], report: &Report) -> Option<Point> {
    let board = game.board();
    report.moves.iter().filter_map(|m| m.mv.point()).find(|&p| {
        prey.iter().any(|&s| board.is_liberty(s, p))
            && !is_bad_self_atari(board, p, color)
            && game.check(color, Move::Play(p)).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::{Situation, is_tempted_to_pass};
    use crate::board::Board;
    use crate::color::Color;
    use crate::game::Game;
    use crate::geometry::{Move, PointMap};
    use crate::rules::Rules;
    use crate::score::Komi;

    #[test]
    fn an_open_border_wins_no_game() {
        // White has eight points and Black as many as soon as the border is closed; while it is open a count finds three.
        let board = Board::from_diagram(". O X . / O O X . / O O X . / O O . .").expect("valid");
        let komi = Komi::from_points(-2.5).expect("finite");
        let mut game = Game::from_board(&board, Rules::CHINESE, komi).expect("legal");
        game.play(Color::Black, Move::Pass).expect("a pass is legal");
        let mut ownership = PointMap::new(0.0);
        for p in board.geometry().points() {
            let (x, _) = board.geometry().xy(p);
            ownership[p] = if x < 2 { -1.0 } else { 0.9 };
        }
        let situation = Situation::new(&board, &ownership);
        assert!(situation.dead.is_empty() && situation.unclear.is_empty());
        assert!(!is_tempted_to_pass(&game, Color::White, &situation));
    }
}
