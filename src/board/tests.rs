//! The fast board and the game against the naive reference, in random games on every size under every rule set.

mod rules;
mod text;

use std::collections::{BTreeSet, HashMap};

use super::reference::{Cells, Reference};
use super::{Board, Cell};
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, MAX_SIZE, MIN_SIZE, Move, Point};
use crate::rng::Rng;
use crate::rules::{Repetition, Rules};
use crate::score::Komi;
use crate::scoring::area_margin;
use crate::zobrist::Hash;

/// One random game: what is played how long, and how often the costly comparisons are made.
#[derive(Clone, Copy, Debug)]
struct Plan {
    size: usize,
    rules: Rules,
    seed: u64,
    attempts: usize,
    /// Moves fall into a square of this side, so that large boards see fights and captures early too.
    window: usize,
    /// Every how many attempts the legality of all points is compared.
    stride: usize,
}

/// A fast game and a slow one in step, with what is needed to compare them.
struct Pair {
    game: Game,
    slow: Reference,
    points: Vec<Point>,
    /// Reused for every copy without being cleared, as the scratch boards of playouts are.
    scratch: Board,
    hash_of: HashMap<Cells, Hash>,
    cells_of: HashMap<Hash, Cells>,
}

impl Pair {
    fn new(size: usize, rules: Rules) -> Pair {
        let geometry = Geometry::new(size).expect("a board size");
        Pair {
            game: Game::new(geometry, rules, Komi::DEFAULT),
            slow: Reference::new(size, rules.suicide),
            points: geometry.points().collect(),
            scratch: Board::new(geometry),
            hash_of: HashMap::new(),
            cells_of: HashMap::new(),
        }
    }

    /// Tries the move on both sides and returns whether it was legal.
    fn play(&mut self, color: Color, point: Option<usize>) -> bool {
        let mv = point.map_or(Move::Pass, |i| Move::Play(self.points[i]));
        let fast = self.game.play(color, mv);
        assert_eq!(fast, self.slow.play(color, point), "{color} {}", self.game.geometry().move_name(mv));
        fast.is_ok()
    }

    fn numbers(&self, points: impl Iterator<Item = Point>) -> BTreeSet<usize> {
        points.map(|p| self.points.binary_search(&p).expect("on the board")).collect()
    }

    /// Compares everything except legality.
    fn compare_position(&mut self) {
        let board = self.game.board();
        board.check_invariants().expect("invariants");
        for (i, &p) in self.points.iter().enumerate() {
            assert_eq!(board.cell(p).color(), self.slow.cells()[i]);
            assert_eq!(board.is_empty(p), self.slow.cells()[i].is_none());
            assert_eq!(board.around(p).empty_neighbor_count() as usize, self.slow.empty_neighbor_count(i));
        }
        for color in Color::BOTH {
            let stones = self.slow.cells().iter().filter(|&&cell| cell == Some(color)).count();
            assert_eq!(board.stones_on_board(color), stones);
            assert_eq!(self.game.captures(color), self.slow.captures(color));
        }
        self.compare_chains();
        assert_eq!(area_margin(board, &[]), self.slow.area_margin());
        let (hash, cells) = (board.hash(), self.slow.cells().clone());
        assert_eq!(*self.hash_of.entry(cells.clone()).or_insert(hash), hash, "one position, two hashes");
        assert_eq!(*self.cells_of.entry(hash).or_insert(cells.clone()), cells, "one hash, two positions");
        self.scratch.copy_from(board);
        assert_same(&self.scratch, board);
    }

    fn compare_chains(&self) {
        let board = self.game.board();
        let mut done = BTreeSet::new();
        for (i, &p) in self.points.iter().enumerate() {
            if self.slow.cells()[i].is_none() || done.contains(&i) {
                continue;
            }
            let (stones, liberties) = (self.slow.chain(i), self.slow.liberties(i));
            assert_eq!(self.numbers(board.chain(p)), stones);
            assert_eq!(self.numbers(board.liberties(p)), liberties);
            assert_eq!(board.chain_size(p), stones.len());
            assert_eq!(board.liberty_count(p), liberties.len());
            assert_eq!(Some(board.first_liberty(p)), liberties.first().map(|&l| self.points[l]));
            for (j, &q) in self.points.iter().enumerate() {
                assert_eq!(board.is_liberty(p, q), liberties.contains(&j));
            }
            done.extend(stones);
        }
    }

    /// Takes moves back that were recorded: each where little can be played, some where much can.
    fn compare_taking_back(&self, rng: &mut Rng) {
        let board = self.game.board();
        for color in Color::BOTH {
            let playable: Vec<Point> =
                board.empty_points().iter().copied().filter(|&p| board.is_playable(p, color, false)).collect();
            for &point in playable.iter().step_by(1 + playable.len() / 8) {
                play_and_take_back(board, (point, color), rng);
            }
        }
    }

    /// Compares what both colors may play, and the foreseen hash with that of the move played.
    fn compare_legality(&mut self) {
        let board = self.game.board();
        for color in Color::BOTH {
            assert!(self.game.check(color, Move::Pass).is_ok());
            let ko = self.slow.ko_point(color).map(|i| self.points[i]);
            assert_eq!(board.ko_point(color), ko);
            for (i, &p) in self.points.iter().enumerate() {
                let legal = self.slow.check(color, i);
                assert_eq!(self.game.check(color, Move::Play(p)), legal, "{color} {}", board.geometry().point_name(p));
                if legal.is_ok() {
                    assert!(board.is_playable(p, color, self.game.rules().suicide));
                    self.scratch.copy_from(board);
                    self.scratch.play(p, color);
                    assert_eq!(board.hash_after(p, color), self.scratch.hash());
                }
            }
        }
    }
}

/// A line of random moves, played and taken back: every position on the way back is the one on the way there.
fn play_and_take_back(board: &Board, first: (Point, Color), rng: &mut Rng) {
    let mut board = board.clone();
    let (mut before, mut records) = (Vec::new(), Vec::new());
    let mut next = Some(first);
    while let Some((point, color)) = next {
        before.push(board.clone());
        records.push(board.play_recorded(point, color));
        board.check_invariants().expect("invariants");
        let color = if rng.percent(20) { color } else { color.opponent() };
        let playable: Vec<Point> =
            board.empty_points().iter().copied().filter(|&p| board.is_playable(p, color, false)).collect();
        next = (!playable.is_empty() && before.len() < 8).then(|| (playable[rng.below(playable.len())], color));
    }
    for (before, record) in before.iter().zip(&records).rev() {
        board.take_back(record);
        board.check_invariants().expect("invariants");
        assert_same(&board, before);
    }
}

/// Boards that cannot be told apart, now or after any further moves.
fn assert_same(a: &Board, b: &Board) {
    assert_eq!(a.geometry(), b.geometry());
    assert_eq!((a.hash(), a.ko, a.ko_color), (b.hash(), b.ko, b.ko_color));
    assert_eq!(a.empty_points(), b.empty_points());
    assert_eq!(a.on_board, b.on_board);
    for p in a.geometry().points() {
        assert_eq!((a.cell(p), a.around(p)), (b.cell(p), b.around(p)));
        match a.cell(p) {
            Cell::Empty => assert_eq!(a.empty_index[p], b.empty_index[p]),
            _ => {
                assert_eq!(a.nodes[p], b.nodes[p]);
                assert_eq!((a.chain_size(p), a.liberty_count(p)), (b.chain_size(p), b.liberty_count(p)));
                assert!(a.liberties(p).eq(b.liberties(p)));
            }
        }
    }
}

/// Plays by the plan, comparing all the way, then takes everything back.
fn play_and_compare(plan: Plan) {
    println!("{plan:?}");
    let mut pair = Pair::new(plan.size, plan.rules);
    let mut rng = Rng::new(plan.seed);
    let corner = (rng.below(plan.size + 1 - plan.window), rng.below(plan.size + 1 - plan.window));
    for attempt in 0..plan.attempts {
        // Now and then a color moves twice: set-up commands and strange clients do that too.
        let color = if rng.percent(10) { pair.game.to_move().opponent() } else { pair.game.to_move() };
        let (x, y) = (corner.0 + rng.below(plan.window), corner.1 + rng.below(plan.window));
        let point = (!rng.percent(3)).then_some(y * plan.size + x);
        if pair.play(color, point) {
            pair.compare_position();
        }
        if attempt.is_multiple_of(plan.stride) {
            pair.compare_legality();
            pair.compare_taking_back(&mut rng);
        }
    }
    let mut left = pair.game.turns().len();
    while left > 0 {
        assert!(pair.game.undo() && pair.slow.undo());
        left -= 1;
        if left.is_multiple_of(plan.stride) {
            pair.compare_position();
            pair.compare_legality();
        }
    }
    assert!(!pair.game.undo() && !pair.slow.undo());
    assert_eq!(pair.game.positions().len(), 1);
}

/// A plan for each size and rule set with superko, the only one that the reference knows.
fn plans(sizes: impl Iterator<Item = usize> + Clone) -> impl Iterator<Item = (usize, Rules)> {
    let with_superko = || Rules::ALL.into_iter().filter(|rules| rules.repetition == Repetition::Superko);
    sizes.flat_map(move |size| with_superko().map(move |rules| (size, rules)))
}

#[test]
fn random_games_on_small_boards_match_the_reference() {
    for (size, rules) in plans(MIN_SIZE..=5) {
        for seed in 0..8 {
            play_and_compare(Plan { size, rules, seed, attempts: 120, window: size, stride: 1 });
        }
    }
}

#[test]
fn random_games_on_larger_boards_match_the_reference() {
    for (size, rules) in plans(6..=MAX_SIZE) {
        play_and_compare(Plan { size, rules, seed: size as u64, attempts: 120, window: 6, stride: 12 });
    }
}

#[test]
#[ignore = "a minute: whole games"]
fn long_random_games_match_the_reference() {
    for (size, rules) in plans(MIN_SIZE..=MAX_SIZE) {
        let attempts = 3 * size * size;
        play_and_compare(Plan { size, rules, seed: 1_000, attempts, window: size, stride: 1 + size * size / 16 });
    }
}
