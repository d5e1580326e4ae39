//! Reviews of made-up positions with known values, and what is made of them.

use super::annotate::{Threshold, annotate};
use super::picture::curve;
use super::{Choice, Effort, Judgement, Look, Review, html, judge, look, table};
use crate::color::Color;
use crate::engine::{Engine, Settings};
use crate::rules::Rules;
use crate::sgf::{read_games, read_trees};

fn choice(mv: &str, visits: u32, win_rate: f64, lead: f64) -> Choice {
    Choice { mv: mv.into(), visits, win_rate, lead, prior: 0.1, line: vec![mv.into(), "E5".into()] }
}

fn position(turn: usize, to_move: char, black_win_rate: f64, black_lead: f64, choices: Vec<Choice>) -> Look {
    Look { turn, to_move, visits: 1 << 40, black_win_rate, black_lead, lead_deviation: 20.0, choices }
}

#[test]
fn a_loss_counts_as_far_as_both_searches_see_it() {
    let choices = vec![choice("D4", 60, 0.6, 3.0), choice("C3", 30, 0.5, 1.0), choice("A1", 1, 0.7, 9.0)];
    let before = position(4, 'W', 0.45, -2.0, choices);
    let lost = |played: &str, black_win_rate, black_lead| {
        let judged = judge(&before, &position(5, 'B', black_win_rate, black_lead, vec![]), played);
        (judged.points_lost, judged.win_rate_lost, judged.better.len())
    };
    // White led by 2 and now by 0.5: the difference of positions is the smaller one.
    assert_eq!(lost("C3", 0.5, -0.5), (1.5, 0.05, 2));
    // The position before thought C3 only 2 points worse.
    assert_eq!(lost("C3", 0.9, 20.0), (2.0, 0.1, 2));
    // The first choice loses nothing, nor does a move that turns out better, nor one with a better value.
    assert_eq!(lost("D4", 0.9, 20.0), (0.0, 0.0, 0));
    assert_eq!(lost("C3", 0.2, -9.0), (0.0, 0.0, 0));
    assert_eq!(lost("A1", 0.9, 20.0), (0.0, 0.0, 0));
    // Nobody had looked at J9: positions alone tell.
    assert_eq!(lost("J9", 0.95, 8.0), (10.0, 0.5, 2));
}

#[test]
fn what_chance_explains_is_no_loss() {
    let few = |look: Look| Look { visits: 200, ..look };
    let before = few(position(4, 'B', 0.5, 2.0, vec![choice("D4", 60, 0.9, 30.0), choice("C3", 60, 0.1, -30.0)]));
    let lost = |black_win_rate, black_lead| {
        let judged = judge(&before, &few(position(5, 'W', black_win_rate, black_lead, vec![])), "C3");
        (judged.points_lost, judged.win_rate_lost)
    };
    // Two means of 200 numbers with a deviation of 20: an error of 2 points; of 200 games each: of 5 %.
    assert_eq!(lost(0.46, 0.1), (0.0, 0.0));
    assert_eq!(lost(0.5, -3.0), (3.0, 0.0));
    assert_eq!(lost(0.3, 2.0).0, 0.0);
    assert!((0.14..0.16).contains(&lost(0.3, 2.0).1));
}

fn review(moves: Vec<Judgement>) -> Review {
    let choices = || vec![choice("C3", 60, 0.6, 3.0), choice("E5", 30, 0.5, 1.0)];
    Review {
        source: "a<b>.sgf".into(),
        game: 1,
        fingerprint: 1,
        keima: "0".into(),
        effort: Effort::Visits(100),
        size: 9,
        komi: 6.5,
        rules: "chinese".into(),
        handicap: 0,
        black: Some("A & B".into()),
        white: None,
        result: None,
        positions: vec![
            position(0, 'B', 0.6, 1.0, choices()),
            position(1, 'W', 0.5, -5.0, vec![choice("G7", 9, 0.5, 5.0)]),
            position(2, 'B', 0.4, 2.0, choices()),
        ],
        moves,
    }
}

fn judgement(number: usize, points_lost: f64, win_rate_lost: f64) -> Judgement {
    let (player, mv) = if number % 2 == 1 { ('B', "E5") } else { ('W', "G7") };
    let better = if points_lost > 0.0 { vec!["C3".to_string(), "E5".to_string()] } else { vec![] };
    Judgement {
        number,
        player,
        mv: mv.into(),
        points_lost,
        win_rate_lost,
        better,
        black_win_rate: 0.5,
        black_lead: -5.0,
    }
}

#[test]
fn figures_are_kept_for_each_player() {
    let mut all = vec![judgement(1, 6.0, 0.1), judgement(2, 0.0, 0.0)];
    all.push(Judgement { number: 3, ..judgement(1, 9.0, 0.3) });
    let review = review(all);
    let figures = review.figures();
    assert_eq!((figures[Color::Black].moves, figures[Color::White].moves), (2, 1));
    assert_eq!(figures[Color::Black].mean_points, 7.5);
    assert_eq!((figures[Color::Black].mistakes, figures[Color::Black].blunders), (2, 1));
    assert_eq!((figures[Color::Black].first_choices, figures[Color::White].first_choices), (0, 1));
    assert_eq!(review.worst(1)[0].number, 3);
    assert_eq!(review.worst(9).len(), 2);
}

#[test]
fn a_review_survives_json() {
    let review = review(vec![judgement(1, 6.0, 0.1)]);
    let text = serde_json::to_string(&review).expect("writable");
    assert!(text.contains(r#""effort":{"visits":100}"#) && !text.contains('\n'), "{text}");
    assert_eq!(serde_json::from_str::<Review>(&text).expect("readable"), review);
}

const RECORD: &str =
    "(;GM[1]SZ[9]KM[6.5]PB[A & B]ZZ[kept \\] as it is]C[old: a\\]b];B[ee]TE[1];W[gc]C[hm](;B[aa])(;B[bb]N[side]))";

const THRESHOLD: Threshold = Threshold { points: 2.0, win_rate: 0.1 };

fn annotated(review: &Review) -> String {
    let mut trees = read_trees(RECORD);
    let tree = trees[0].as_mut().expect("readable");
    annotate(tree, review, THRESHOLD);
    tree.write()
}

#[test]
fn an_annotated_record_keeps_everything_and_gets_values_marks_and_better_lines() {
    let text = annotated(&review(vec![judgement(1, 6.5, 0.05), judgement(2, 0.0, 0.0)]));
    for kept in [
        "ZZ[kept \\] as it is]",
        "C[old: a\\]b\n\nKeima: B 60.0%, B+1.0, 1099511627776 visits]",
        "N[side]",
        "TE[1]",
        "C[hm\n\nKeima:",
    ] {
        assert!(text.contains(kept), "{kept} is missing in {text}");
    }
    assert!(text.contains("SBKV[50.00]SBKS[-5.00]"), "{text}");
    // Somebody had called E5 a good move, which stays.
    assert!(text.contains("TE[1]") && !text.contains("BM["), "{text}");
    let trees = read_trees(&text);
    let tree = trees[0].as_ref().expect("readable again");
    let root = &tree.nodes[0];
    assert_eq!(root.children.len(), 2);
    let better = &tree.nodes[root.children[1]];
    assert_eq!(better.get("B").expect("a move").values[0], "cg");
    assert_eq!(tree.nodes[better.children[0]].get("W").expect("an answer").values[0], "ee");
    // The main line is what it was.
    let moves = |text: &str| read_games(text.as_bytes()).expect("readable")[0].moves.clone();
    assert_eq!(moves(&text), moves(RECORD));
    // A loss below the threshold gets no variation, and a doubtful move a mark.
    let mild = annotated(&review(vec![judgement(1, 1.9, 0.05)]));
    assert_eq!(read_trees(&mild)[0].as_ref().expect("readable").nodes[0].children.len(), 1);
    let bad = annotated(&review(vec![Judgement { mv: "G7".into(), ..judgement(2, 6.0, 0.0) }]));
    assert!(bad.contains("BM[1]"), "{bad}");
}

#[test]
fn annotating_twice_changes_nothing_more() {
    let review = review(vec![judgement(1, 6.5, 0.05), judgement(2, 0.0, 0.0)]);
    let once = annotated(&review);
    let mut trees = read_trees(&once);
    let tree = trees[0].as_mut().expect("readable");
    annotate(tree, &review, THRESHOLD);
    assert_eq!(tree.write(), once);
}

#[test]
fn names_cannot_break_a_page_or_a_picture() {
    let review = review(vec![judgement(1, 6.5, 0.05), judgement(2, 0.0, 0.0)]);
    let record = read_games(RECORD.as_bytes()).expect("readable").remove(0);
    let page = html::page(&review, &|number| record.game_at(Rules::CHINESE, number).ok());
    assert!(page.contains("A &amp; B") && page.contains("a&lt;b&gt;.sgf") && !page.contains("A & B"), "{page}");
    assert_eq!(page.matches("<figure>").count(), 1);
    assert!(page.contains("Move 1, A &amp; B: <span class=\"bad\">E5</span> lost 6.5 points"));
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org/2000/svg").count()
    );
    let picture = curve(&review);
    assert!(picture.svg_file().contains("A &amp; B against White"));
    let png = picture.png().expect("drawable");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 1000);
}

#[test]
fn a_table_has_a_line_a_move() {
    let table = table::table(&review(vec![judgement(1, 6.5, 0.05), judgement(2, 0.0, 0.0)]));
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "a<b>.sgf: A & B (B) against White (W), 9x9, komi 6.5");
    assert_eq!(lines[2], "   1  B E5     50.0%    -5.0    -6.5   -5.0%  C3 E5");
    assert_eq!(lines[3], "   2  W G7     50.0%    -5.0");
}

#[test]
fn a_search_tells_the_values_of_black_whoever_is_to_move() {
    // White owns all of the board.
    let text = "(;SZ[5]KM[0.5]AW[ba][bb][ab][cb][db][eb][ca][bc][cc][dc][ec][ac][ad][bd][cd][dd])";
    let game = read_games(text.as_bytes()).expect("readable")[0].to_game(Rules::CHINESE).expect("playable");
    let settings = Settings { threads: 1, seed: Some(1), memory_mib: Some(16), ..Settings::default() };
    let mut engine = Engine::new(&settings);
    for color in Color::BOTH {
        let look = look(&mut engine, game.clone(), 0, color, None, Effort::Visits(200));
        assert_eq!((look.to_move, look.visits, look.turn), (color.letter(), 200, 0));
        assert!(look.black_win_rate < 0.2 && look.black_lead < -10.0, "{look:?}");
        let own = if color == Color::White { look.choices[0].lead } else { -look.choices[0].lead };
        assert!(own > 5.0, "{look:?}");
    }
}
