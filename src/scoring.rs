//! Who has what: the owner of every point once given stones are off, and the count by area or by territory.

mod seki;

use crate::board::{Board, Cell};
use crate::color::{Color, PerColor};
use crate::game::Game;
use crate::geometry::{Point, PointMap};
use crate::rules::Scoring;
use crate::score::{Komi, Score};

pub use seki::{seki, seki_given};

/// For each point, whose it is; `None` for neutral points and the wall.
pub type Ownership = PointMap<Option<Color>>;

/// The owner of each point when `dead` stones are taken off: the color of the stone on it, or the only color that its
/// empty region touches.
pub fn ownership(board: &Board, dead: &[Point]) -> Ownership {
    let g = board.geometry();
    let mut cells = PointMap::new(Cell::Wall);
    for p in g.points() {
        cells[p] = board.cell(p);
    }
    for &p in dead {
        cells[p] = Cell::Empty;
    }
    let mut owner = PointMap::new(None);
    let mut seen = PointMap::new(false);
    for p in g.points() {
        if let Some(color) = cells[p].color() {
            owner[p] = Some(color);
        } else if !seen[p] {
            let mut touches = [false; 2];
            let region = g.connected(p, &mut seen, |n| {
                if let Some(color) = cells[n].color() {
                    touches[color.index()] = true;
                }
                cells[n] == Cell::Empty
            });
            let holder = match touches {
                [true, false] => Some(Color::Black),
                [false, true] => Some(Color::White),
                _ => None,
            };
            for q in region {
                owner[q] = holder;
            }
        }
    }
    owner
}

/// As [`ownership`], but the eyes of stones in seki are nobody's.
pub fn territory(board: &Board, dead: &[Point]) -> Ownership {
    territory_given(board, dead, &seki(board, dead))
}

/// As [`territory`], where it is known what is in seki. An area in which stones of either color are dead is nobody's: those of one are not
/// prisoners of the other then (example 9 of the Japanese rules of 1989).
pub fn territory_given(board: &Board, dead: &[Point], in_seki: &PointMap<bool>) -> Ownership {
    let mut owner = ownership(board, dead);
    let is_free = |p: Point| board.is_empty(p) || dead.contains(&p);
    for p in board.geometry().points().filter(|&p| in_seki[p] && is_free(p)) {
        owner[p] = None;
    }
    let mut void: Vec<Point> = dead.to_vec();
    void.retain(|&p| owner[p].is_some() && owner[p] == board.cell(p).color());
    while let Some(p) = void.pop() {
        owner[p] = None;
        void.extend(board.geometry().neighbors(p).into_iter().filter(|&n| owner[n].is_some() && is_free(n)));
    }
    owner
}

/// The owners that the rules count, by area or by territory.
pub fn counted_ownership(board: &Board, dead: &[Point], scoring: Scoring) -> Ownership {
    match scoring {
        Scoring::Area => ownership(board, dead),
        Scoring::Territory => territory(board, dead),
    }
}

/// Black's area minus White's when `dead` stones are taken off.
pub fn area_margin(board: &Board, dead: &[Point]) -> i32 {
    let owner = ownership(board, dead);
    board.geometry().points().filter_map(|p| owner[p]).map(Color::sign).sum()
}

/// Black's territory and prisoners minus White's when `dead` stones are taken off, after Black has placed so many stones more than White.
pub fn territory_margin(board: &Board, dead: &[Point], owner: &Ownership, placed_difference: i32) -> i32 {
    let on_board = board.stones_on_board(Color::Black) as i32 - board.stones_on_board(Color::White) as i32;
    // Stones that were placed and are gone are prisoners, and so are dead ones where they come off.
    dead_or_empty(board, dead).filter_map(|p| points_of(board, owner, p)).sum::<i32>() + on_board - placed_difference
}

/// The komi with which a count by area of the game played out from a position gives the score, if Black has placed so many stones more than
/// White.
///
/// By territory the margin is that by area less the difference of stones placed (every stone is a point of area or the opponent's
/// prisoner). Whoever plays on fills their own territory, for which nobody would be charged, so only stones placed up to here count, and half a
/// stone for the player to move, who may or may not make the last move that matters.
pub fn area_komi(komi: Komi, scoring: Scoring, placed_difference: i32, to_move: Color) -> Komi {
    match scoring {
        Scoring::Area => komi,
        Scoring::Territory => komi.plus_half_points(2 * placed_difference + to_move.sign()),
    }
}

fn dead_or_empty<'b>(board: &'b Board, dead: &'b [Point]) -> impl Iterator<Item = Point> + 'b {
    board.geometry().points().filter(|p| board.is_empty(*p) || dead.contains(p))
}

/// What a point without a living stone is worth to Black: its territory, and a prisoner if a dead stone comes off there.
fn points_of(board: &Board, owner: &Ownership, point: Point) -> Option<i32> {
    let holder = owner[point]?;
    Some(holder.sign() * if board.cell(point).color() == Some(holder.opponent()) { 2 } else { 1 })
}

/// What one player has at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Holding {
    /// Living stones on the board; counted by area.
    pub stones: usize,
    /// Points enclosed, those under dead stones included.
    pub territory: usize,
    /// Stones captured during the game; counted by territory.
    pub captured: usize,
    /// Dead stones of the opponent that come off inside the territory; counted by territory.
    pub dead: usize,
}

/// The count of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// What each player has.
    pub holdings: PerColor<Holding>,
    /// The points of each player before komi.
    pub points: PerColor<usize>,
    /// The score, komi and handicap included.
    pub score: Score,
}

/// Counts a game without the stones of `dead`.
pub fn count(game: &Game, dead: &[Point]) -> Tally {
    count_owned(game, dead, &counted_ownership(game.board(), dead, game.rules().scoring))
}

/// As [`count`], where it is known whose each point is.
pub fn count_owned(game: &Game, dead: &[Point], owner: &Ownership) -> Tally {
    let board = game.board();
    let scoring = game.rules().scoring;
    let mut holdings = PerColor(Color::BOTH.map(|c| Holding { captured: game.captures(c), ..Holding::default() }));
    for p in board.geometry().points() {
        let stone = board.cell(p).color();
        let Some(color) = owner[p] else { continue };
        let holding = &mut holdings[color];
        if stone == Some(color) && !dead.contains(&p) {
            holding.stones += 1;
        } else {
            holding.territory += 1;
            holding.dead += usize::from(stone == Some(color.opponent()));
        }
    }
    let points = PerColor(Color::BOTH.map(|color| {
        let held = holdings[color];
        match scoring {
            Scoring::Area => held.stones + held.territory,
            Scoring::Territory => held.territory + held.captured + held.dead,
        }
    }));
    let margin = points[Color::Black] as i32 - points[Color::White] as i32;
    Tally { holdings, points, score: Score::from_margin(margin, game.compensation()) }
}

/// The score of a game without the stones of `dead`.
pub fn score(game: &Game, dead: &[Point]) -> Score {
    count(game, dead).score
}

#[cfg(test)]
mod tests {
    use super::{area_margin, count, score, territory, territory_margin};
    use crate::board::Board;
    use crate::color::Color;
    use crate::game::Game;
    use crate::geometry::{Move, Point};
    use crate::rules::Rules;
    use crate::score::Komi;

    #[test]
    fn area_counts_stones_and_surrounded_points() {
        let board = Board::from_diagram(". X O . / X X O O / . X O X / X X O .").expect("valid");
        let dead: Vec<Point> = board.geometry().point(3, 1).into_iter().collect();
        // Black 8 against White's 6 stones, one point, and one point shared with the lone black stone.
        assert_eq!(area_margin(&board, &[]), 9 - 6);
        assert_eq!(area_margin(&board, &dead), 0);
        assert_eq!(area_margin(&Board::from_diagram(". . / . .").expect("valid"), &[]), 0);
    }

    fn game(diagram: &str, rules: Rules) -> Game {
        let board = Board::from_diagram(diagram).expect("valid");
        Game::from_board(&board, rules, Komi::from_points(0.5).expect("finite")).expect("valid")
    }

    #[test]
    fn territory_counts_enclosed_points_and_prisoners() {
        let mut game = game(". X O . / X X O O / . X O X / X X O .", Rules::JAPANESE);
        let point = |game: &Game, x, y| game.geometry().point(x, y).expect("on the board");
        let dead = [point(&game, 3, 1)];
        // Black has two points. White has three, one of them under the dead stone, which is a prisoner besides.
        let tally = count(&game, &dead);
        assert_eq!((tally.points[Color::Black], tally.points[Color::White]), (2, 4));
        assert_eq!(tally.score.to_string(), "W+2.5");
        // Capturing it and filling in an eye costs two points: one captures, one fills.
        game.play(Color::White, Move::Play(point(&game, 3, 0))).expect("legal");
        assert_eq!(game.captures(Color::White), 1);
        assert_eq!(score(&game, &[]).to_string(), "W+1.5");
        game.play(Color::White, Move::Play(point(&game, 3, 1))).expect("legal");
        assert_eq!(score(&game, &[]).to_string(), "W+0.5");
    }

    #[test]
    fn eyes_in_seki_count_by_area_and_not_by_territory() {
        let diagram = ". X . O . O X / X X X O O O X / O O O X X X X / . . O X . X . / O O O X X X X / . O . O X . X / O O O O X X X";
        let by = |rules| count(&game(diagram, rules), &[]).points;
        let (area, territory) = (by(Rules::CHINESE), by(Rules::JAPANESE));
        assert_eq!((area[Color::Black], area[Color::White]), (25, 23));
        assert_eq!((territory[Color::Black], territory[Color::White]), (3, 4));
    }

    #[test]
    fn an_area_with_dead_stones_of_both_is_nobodys() {
        let board = Board::from_diagram("X O . X O / . X X X O / X X O O O / O O O . O / O . O O O").expect("valid");
        let g = board.geometry();
        let dead: Vec<Point> = g.points().filter(|&p| board.cell(p).color() == Some(Color::Black)).collect();
        let own = g.point(1, 4).expect("on the board");
        assert_eq!(territory(&board, &dead)[own], Some(Color::White));
        let dead: Vec<Point> = dead.into_iter().chain([own]).collect();
        let owner = territory(&board, &dead);
        assert!(dead.iter().all(|&p| owner[p].is_none()));
        assert_eq!(owner[g.point(3, 1).expect("on the board")], Some(Color::White));
    }

    #[test]
    fn the_margin_by_territory_is_the_margin_by_area_less_the_stones_placed() {
        let mut game = game(". X O . / X X O O / . X O X / X X O .", Rules::JAPANESE);
        let g = game.geometry();
        game.play(Color::White, Move::Play(g.point(3, 0).expect("on the board"))).expect("legal");
        game.play(Color::Black, Move::Pass).expect("legal");
        game.play(Color::White, Move::Play(g.point(3, 3).expect("on the board"))).expect("legal");
        let (board, placed) = (game.board(), game.placed_difference());
        let counted = count(&game, &[]).points;
        let margin = territory_margin(board, &[], &territory(board, &[]), placed);
        assert_eq!(margin, counted[Color::Black] as i32 - counted[Color::White] as i32);
        assert_eq!(margin, area_margin(board, &[]) - placed);
    }
}
