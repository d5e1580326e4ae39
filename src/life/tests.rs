//! The worked examples of life and death, and small positions whose answer is known.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use super::budget::Budget;
use super::cost::LARGEST_LOSS;
use super::draft::{Outcome, verify};
use super::japanese::{Capture, Hold, Kill};
use super::local::{Local, State};
use super::reference::{Graph, Position, World};
use super::solve::Solver;
use super::{Allowance, By, Status, Text, confirm, confirm_chain, confirm_doubtful};
use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Move, Point, PointMap};
use crate::rng::Rng;

/// A worked example: its number, the position, and for each chain what is expected under either text and how sure that is.
struct Example {
    name: &'static str,
    board: Board,
    chains: Vec<(Point, [Expected; 2])>,
}

/// What the fixture says of a chain, and how sure it is.
struct Expected {
    status: String,
    confidence: String,
}

macro_rules! examples {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("examples/ex", $name, ".txt")))),*] };
}

fn examples() -> Vec<Example> {
    let files = examples!("01" "02" "03" "04" "05" "06" "07_1" "07_2" "08" "09" "10" "11" "12" "13" "14" "15" "16" "17" "18" "19" "20" "21" "22" "23" "24" "25");
    files.into_iter().map(|(name, text)| parse(name, text)).collect()
}

fn parse(name: &'static str, text: &str) -> Example {
    let (lines, rows): (Vec<&str>, Vec<&str>) =
        text.lines().filter(|line| !line.starts_with('#')).partition(|line| line.contains(' '));
    let board = Board::from_diagram(&rows.join("\n")).expect(name);
    let chains = lines.iter().map(|line| {
        let words: Vec<String> = line.split(' ').map(str::to_string).collect();
        let point = board.geometry().parse_move(&words[0]).expect(line).point().expect(line);
        let pair = |at: usize| Expected { status: words[at].clone(), confidence: words[at + 1].clone() };
        (point, [pair(1), pair(3)])
    });
    let chains = chains.collect();
    Example { name, board, chains }
}

/// The same rectangle as the solver sees it.
fn local_of(world: &World) -> Local {
    let set = |points: &[usize]| points.iter().fold(0, |sum, &point| sum | 1 << point);
    let edge = |flags: &[bool]| (0..flags.len()).filter(|&i| flags[i]).fold(0, |sum, i| sum | 1 << i);
    Local {
        points: vec![Point::NONE; world.near.len()],
        near: world.near.iter().map(|near| set(near)).collect(),
        edge: [edge(&world.edge[0]), edge(&world.edge[1])],
    }
}

/// Rectangles that are looked at every day, and those that take minutes.
const SMALL: [(usize, usize); 3] = [(2, 2), (3, 2), (4, 2)];
const LARGER: [(usize, usize); 3] = [(6, 1), (4, 2), (3, 3)];

/// A small rectangle with alive stones around it by chance.
fn random_world(rng: &mut Rng, sizes: &[(usize, usize)]) -> World {
    let (width, height) = sizes[rng.below(sizes.len())];
    let mut world = World::new(width, height);
    for point in 0..width * height {
        if world.near[point].len() < 4 {
            let kind = rng.below(6);
            (world.edge[0][point], world.edge[1][point]) = (kind == 0 || kind == 2, kind == 1 || kind == 2);
        }
    }
    world
}

fn stones_of(position: &Position) -> [u64; 2] {
    let set =
        |color| (0..position.cells.len()).filter(|&i| position.cells[i] == Some(color)).fold(0, |sum, i| sum | 1 << i);
    [set(Color::Black), set(Color::White)]
}

fn budget() -> Budget<'static> {
    Budget::new(10_000_000, &|| false)
}

/// Compares captures and renewals in so many random rectangles, from so many positions each.
fn compare_japanese(seed: u64, sizes: &[(usize, usize)], worlds: usize, roots: usize) {
    let mut rng = Rng::new(seed);
    let mut checked = [0; 4];
    for _ in 0..worlds {
        let world = random_world(&mut rng, sizes);
        let local = local_of(&world);
        let graph = Graph::new(&world, Text::Japanese);
        let area = world.near.len();
        for owner in Color::BOTH {
            let attacker = owner.opponent();
            let lost =
                |point| graph.forced(attacker, |_, position| (position.cells[point] != Some(owner)).then_some(true));
            let captured: Vec<Vec<bool>> = (0..area).map(lost).collect();
            for _ in 0..roots {
                let root = rng.below(graph.positions.len());
                let position = &graph.positions[root];
                let Some(point) = (0..area).find(|&point| position.cells[point] == Some(owner)) else { continue };
                if position.to_move == owner || !position.barred.is_empty() {
                    continue;
                }
                let state = State::new(stones_of(position), attacker);
                let capture = Capture { point, owner };
                let mut solver = Solver::new(Text::Japanese, capture);
                let found = solver.solve(&local, &state, &mut budget());
                assert_eq!(found, Ok(captured[point][root]), "{world:?} {position:?} {point}");
                if found == Ok(false) {
                    let bounded = graph.bounded_loss(owner, &captured[point], LARGEST_LOSS * area as u32)[root];
                    let found = solver.holds_without_loss(&local, &state, &mut budget());
                    assert_eq!(found, Ok(bounded), "{world:?} {position:?} {point} at a cost");
                }
                checked[usize::from(captured[point][root])] += 1;
                let chain = local.connected(1 << point, state.stones[owner.index()]);
                for points in [chain, local.all() & !(state.stones[owner.index()] & !chain)] {
                    let renewed = graph.forced(owner, |id, position| {
                        let lasts =
                            |q: usize| points >> q & 1 == 1 && position.cells[q] == Some(owner) && !captured[q][id];
                        (0..area).any(lasts).then_some(true)
                    });
                    let lost =
                        |id: usize, position: &Position| (position.cells[point] != Some(owner)).then(|| !renewed[id]);
                    let killed = graph.forced(attacker, lost);
                    let goal = Kill::new(Rc::new(solver.clone()), points, false, true);
                    let found = Solver::new(Text::Japanese, goal).solve(&local, &state, &mut budget());
                    assert_eq!(found, Ok(killed[root]), "{world:?} {position:?} {point} renewed on {points:b}");
                    checked[2 + usize::from(killed[root])] += 1;
                    let goal = Kill::new(Rc::new(solver.clone()), points, true, true);
                    let found = Solver::new(Text::Japanese, goal).solve(&local, &state, &mut budget());
                    assert!(
                        found == Ok(true) || !killed[root],
                        "{world:?} {position:?} {point} strictly on {points:b}"
                    );
                    let goal = Hold { owner, points };
                    let held = Solver::new(Text::Japanese, goal).solve(&local, &state, &mut budget());
                    assert!(held == Ok(false) || killed[root], "{world:?} {position:?} {point} held {points:b}");
                }
            }
        }
    }
    assert!(checked.iter().all(|&count| count > 10), "{checked:?}");
}

#[test]
fn captures_and_renewals_agree_with_the_slow_truth_in_small_rectangles() {
    compare_japanese(5, &SMALL, 12, 6);
}

#[test]
#[ignore = "takes minutes"]
fn captures_and_renewals_agree_with_the_slow_truth_in_larger_rectangles() {
    compare_japanese(6, &LARGER, 60, 12);
}

/// Compares verification in so many random rectangles, from so many positions each.
fn compare_draft(seed: u64, sizes: &[(usize, usize)], worlds: usize, roots: usize) {
    let mut rng = Rng::new(seed);
    let mut checked = [0; 3];
    for _ in 0..worlds {
        let world = random_world(&mut rng, sizes);
        let local = local_of(&world);
        let graph = Graph::new(&world, Text::Draft);
        for _ in 0..roots {
            let root = rng.below(graph.positions.len());
            let position = &graph.positions[root];
            let owner = position.to_move;
            let Some(point) = position.cells.iter().position(|&cell| cell == Some(owner)) else { continue };
            if !position.barred.is_empty() {
                continue;
            }
            let stones = stones_of(position);
            let chain = local.connected(1 << point, stones[owner.index()]);
            let held = |by: Color, position: &Position| {
                local.unconditional(&State::new(stones_of(position), position.to_move), by).all()
            };
            let lives = graph.forced(owner, |_, position| (chain & !held(owner, position) == 0).then_some(true))[root];
            let opponent = owner.opponent();
            let dies =
                graph.forced(opponent, |_, position| (chain & held(opponent, position) != 0).then_some(true))[root];
            let expected = match (lives, dies) {
                (true, _) => Outcome::Alive,
                (_, true) => Outcome::Dead,
                _ => Outcome::Seki,
            };
            let found = verify(&local, stones, chain, owner, &mut budget()).expect("a budget that is enough").0;
            assert_eq!(found, expected, "{world:?} {position:?} {point}");
            checked[found as usize] += 1;
        }
    }
    assert!(checked.iter().all(|&count| count > 5), "{checked:?}");
}

#[test]
fn verification_agrees_with_the_slow_truth_in_small_rectangles() {
    compare_draft(7, &SMALL, 30, 20);
}

#[test]
#[ignore = "takes minutes"]
fn verification_agrees_with_the_slow_truth_in_larger_rectangles() {
    compare_draft(8, &LARGER, 60, 20);
}

#[test]
fn unconditional_life_is_what_no_number_of_moves_in_a_row_can_take() {
    let mut rng = Rng::new(9);
    let mut alive = [0; 2];
    for _ in 0..20 {
        let world = random_world(&mut rng, &SMALL);
        let local = local_of(&world);
        let graph = Graph::new(&world, Text::Draft);
        let area = world.near.len();
        for color in Color::BOTH {
            // The opponent alone moves: what it reaches when the owner always passes.
            let taken: Vec<Vec<bool>> = (0..area).map(|point| graph.reachable_alone(color.opponent(), point)).collect();
            for (id, position) in graph.positions.iter().enumerate().filter(|(_, position)| position.barred.is_empty())
            {
                let stones = stones_of(position);
                let found = local.unconditional(&State::new(stones, position.to_move), color);
                for point in (0..area).filter(|&point| stones[color.index()] >> point & 1 == 1) {
                    let lasts = found.alive >> point & 1 == 1;
                    assert_eq!(lasts, !taken[point][id], "{world:?} {position:?} {point}");
                    alive[usize::from(lasts)] += 1;
                }
            }
        }
    }
    assert!(alive.iter().all(|&count| count > 1000), "{alive:?}");
}

/// Checks every group of these examples whose status is published or derived exactly, under both texts.
fn check_examples(names: &[&str], states: u64) {
    let mut checked = 0;
    for example in examples().iter().filter(|example| names.contains(&example.name)) {
        for (which, text) in [Text::Japanese, Text::Draft].into_iter().enumerate() {
            let is_hard = |expected: &Expected| matches!(expected.confidence.as_str(), "published" | "derived-exact");
            for (point, expected) in example.chains.iter().filter(|(_, expected)| is_hard(&expected[which])) {
                let verdict =
                    confirm_chain(&example.board, *point, text, &Allowance::per_chain(states)).expect("a stone");
                let name = example.name;
                assert_eq!(verdict.status.to_string(), expected[which].status, "example {name} {text}: {verdict:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > names.len(), "{checked}");
}

#[test]
fn easy_examples_of_the_rules_are_proved() {
    let names = ["01", "02", "05", "07_1", "08", "09", "10", "11", "12", "13", "14", "22", "24", "25"];
    check_examples(&names, 400_000);
}

#[test]
#[ignore = "takes a minute"]
fn the_example_of_eternal_life_is_proved() {
    check_examples(&["06"], 4_000_000);
}

#[test]
#[ignore = "takes a minute"]
fn who_escapes_only_at_a_price_is_dead_in_example_23() {
    let example = examples().into_iter().find(|example| example.name == "23").expect("example 23");
    let chain = example.board.geometry().parse_move("D13").ok().and_then(Move::point).expect("a point");
    let verdict =
        confirm_chain(&example.board, chain, Text::Japanese, &Allowance::per_chain(4_000_000)).expect("a stone");
    assert_eq!(verdict.status, Status::Dead, "{verdict:?}");
    assert!(verdict.reason.contains("losing more than it takes"), "{verdict:?}");
}

#[test]
fn a_budget_that_is_too_small_is_said_to_be_so() {
    let example = examples().into_iter().find(|example| example.name == "22").expect("example 22");
    let point = example.chains[0].0;
    for text in [Text::Japanese, Text::Draft] {
        let verdict = confirm_chain(&example.board, point, text, &Allowance::per_chain(100)).expect("a stone");
        assert_eq!((verdict.status, verdict.lives), (Status::Unknown, None));
        assert!(verdict.states <= 100);
    }
}

#[test]
fn a_part_that_is_too_large_is_said_to_be_so() {
    let board = Board::from_diagram(
        &[
            ".........",
            "...X.....",
            ".........",
            ".........",
            ".........",
            ".....O...",
            ".........",
            ".........",
            ".........",
        ]
        .join("/"),
    );
    let board = board.expect("a diagram");
    let verdicts = confirm(&board, Text::Japanese, &Allowance::per_chain(100));
    assert!(
        verdicts.len() == 2
            && verdicts.iter().all(|verdict| verdict.status == Status::Unknown && verdict.reason.contains("too large"))
    );
}

#[test]
fn boards_without_stones_and_of_one_color_give_sensible_answers() {
    let empty = Board::from_diagram("... / ... / ...").expect("a diagram");
    let one = Board::from_diagram("XXX / X.X / XX.").expect("a diagram");
    let lonely = Board::from_diagram("... / .X. / ...").expect("a diagram");
    for text in [Text::Japanese, Text::Draft] {
        assert!(confirm(&empty, text, &Allowance::per_chain(1000)).is_empty());
        assert_eq!(confirm(&one, text, &Allowance::per_chain(1000))[0].status, Status::Alive);
        assert_eq!(confirm(&lonely, text, &Allowance::per_chain(100_000))[0].status, Status::Alive);
    }
}

#[test]
fn by_area_only_that_is_known_which_hangs_neither_on_the_first_move_nor_on_a_ko() {
    // White's corner: three points in a row, which whoever moves first makes one eye or two.
    let unsettled = ". . . O X / O O O O X / X X X X X / . X X . X / X X X X X";
    let alive = ". O . O X / O O O O X / X X X X X / . X X . X / X X X X X";
    let status = |diagram: &str, by: By| {
        let board = Board::from_diagram(diagram).expect("a diagram");
        let stone = board.geometry().parse_move("D5").ok().and_then(Move::point).expect("a point");
        let nothing = PointMap::new(None);
        let verdicts = confirm_doubtful(&board, by, &nothing, &|_| true, &Allowance::per_chain(100_000));
        verdicts.into_iter().find(|verdict| verdict.stones.contains(&stone)).map(|verdict| verdict.status)
    };
    assert_eq!(status(unsettled, By::Area), Some(Status::Unknown));
    assert_eq!(status(unsettled, By::Text(Text::Japanese)), Some(Status::Dead));
    assert_eq!(status(unsettled, By::Text(Text::Draft)), Some(Status::Alive));
    // Unconditional life is no question.
    assert_eq!(status(alive, By::Area), None);
    let bent_four = examples().into_iter().find(|example| example.name == "07_1").expect("example 7-1");
    let nothing = PointMap::new(None);
    let allowance = Allowance::per_chain(400_000);
    let verdicts = confirm_doubtful(&bent_four.board, By::Area, &nothing, &|_| true, &allowance);
    assert!(verdicts.iter().all(|verdict| verdict.status != Status::Dead), "{verdicts:?}");
}

#[test]
fn a_solution_ends_when_it_is_told_to() {
    let example = examples().into_iter().find(|example| example.name == "23").expect("example 23");
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    let allowance = Allowance { stop: &stop, ..Allowance::per_chain(4_000_000) };
    let verdicts = confirm(&example.board, Text::Japanese, &allowance);
    assert!(verdicts.iter().map(|verdict| verdict.states).sum::<u64>() < 50_000);
    assert!(verdicts.iter().any(|verdict| verdict.reason.contains("interrupted")));
}

/// The table of all examples: run with `cargo test --release --lib life::tests::table -- --ignored --nocapture`, and `STATES=4000000` for another
/// budget a chain, `ONLY=23` for one example, `LINES=1` for the lines of play.
#[test]
#[ignore = "takes minutes; prints the table of all examples"]
fn table() {
    let setting = |name: &str| std::env::var(name).unwrap_or_default();
    let states = setting("STATES").parse().unwrap_or(1_000_000);
    println!(
        "| example | rules | found (fixture where it says otherwise) | positions | seconds |\n|---|---|---|---|---|"
    );
    for example in examples().iter().filter(|example| example.name.starts_with(&setting("ONLY"))) {
        for (which, text) in [Text::Japanese, Text::Draft].into_iter().enumerate() {
            let start = Instant::now();
            let verdicts = confirm(&example.board, text, &Allowance::per_chain(states));
            let seconds = start.elapsed().as_secs_f64();
            let total: u64 = verdicts.iter().map(|verdict| verdict.states).sum();
            let mut found = Vec::new();
            for (point, expected) in &example.chains {
                let verdict = verdicts.iter().find(|verdict| verdict.stones.contains(point)).expect("a verdict");
                let name = example.board.geometry().point_name(*point);
                let Expected { status, confidence } = &expected[which];
                let bound = match (verdict.status, verdict.lives) {
                    (Status::Unknown, Some(true)) => "not dead".to_string(),
                    (status, _) => status.to_string(),
                };
                let differs = verdict.status != Status::Unknown && bound != *status && status != "unknown";
                let note = if differs { format!(" ({status}, {confidence})") } else { String::new() };
                found.push(format!("{name} {bound}{note}"));
                if !setting("LINES").is_empty() {
                    println!("  {name} {}: {}, {} positions: {}", bound, verdict.reason, verdict.states, verdict.line);
                }
            }
            println!("| {} | {text} | {} | {total} | {seconds:.2} |", example.name, found.join(", "));
        }
    }
}
