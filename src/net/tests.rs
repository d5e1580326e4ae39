//! The network against PyTorch's answers, and what it says of files that are none.

use super::{Evaluator, Input, InputReader, NetSource, Network, NetworkError, PLANES, Precision, SCALARS};
use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Geometry, Point};
use crate::playout::Recent;
use crate::score::Komi;

/// A file of weights that are all the same number.
fn file(shape: [u32; 4], value: f32) -> Vec<u8> {
    let [channels, blocks, head, width] = shape.map(|n| n as usize);
    let count = super::network::number_count(channels, blocks, head, width);
    let data: Vec<u8> = std::iter::repeat_n(value.to_le_bytes(), count).flatten().collect();
    let mut bytes = b"KEIMANET".to_vec();
    let [c, b, h, d] = shape;
    for number in [1, PLANES as u32, SCALARS as u32, c, b, h, d, count as u32, crc32fast::hash(&data)] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(data);
    bytes
}

#[test]
fn a_file_that_is_no_network_says_why() {
    let good = file([16, 2, 16, 8], 0.01);
    assert!(Network::from_bytes(&good).is_ok());
    let error = |bytes: &[u8]| Network::from_bytes(bytes).err();
    assert_eq!(error(b""), Some(NetworkError::NoWeights));
    assert_eq!(error(b"KEIMANUT and more"), Some(NetworkError::NoWeights));
    for cut in 8..44 {
        assert!(error(&good[..cut]).is_some(), "cut off after {cut} bytes");
    }
    assert_eq!(error(&good[..good.len() - 1]), Some(NetworkError::Length));
    assert_eq!(error(&[&good[..], &[0; 4]].concat()), Some(NetworkError::Length));
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        error(&bytes)
    };
    assert_eq!(changed(8, 2), Some(NetworkError::Version(2)));
    assert!(matches!(changed(12, 99), Some(NetworkError::Shape(_))), "planes");
    assert!(matches!(changed(20, 17), Some(NetworkError::Shape(_))), "channels");
    assert!(matches!(changed(27, 255), Some(NetworkError::Shape(_))), "blocks");
    assert_eq!(changed(24, 4), Some(NetworkError::Length), "more blocks than there are numbers");
    assert_eq!(changed(100, 1), Some(NetworkError::Checksum));
    assert!(NetSource::load("/no/such/file").is_err());
    let nine = Geometry::new(9).expect("an accepted size");
    assert!(NetSource::load("none").is_ok_and(|source| source.network(nine).is_none()));
    assert!(NetSource::load("built-in").is_ok_and(|source| source.network(nine).is_some()));
}

/// The planes of a point, by number.
fn planes(input: &Input, geometry: Geometry, name: &str) -> Vec<usize> {
    let point = geometry.parse_move(name).expect("a point").point().expect("no pass");
    (0..PLANES).filter(|plane| input.planes[point] >> plane & 1 != 0).collect()
}

#[test]
fn the_planes_show_the_position_to_the_player_to_move() {
    // Black can capture A1 at B1, and has a stone at C3 in atari that a ladder catches, or not.
    let board = Board::from_diagram(". . . . . / . . O . . / . O X . . / X . O . . / O . . . .").expect("valid");
    let g = board.geometry();
    let mut reader = InputReader::new();
    let last = g.parse_move("C2").expect("a point").point();
    reader.read(&board, Color::Black, Recent { last, before: None }, false, Komi::DEFAULT);
    let seen = |name| planes(&reader.input, g, name);
    assert_eq!(seen("E3"), [0]);
    assert_eq!(seen("A1"), [0, 2, 6], "the opponent's, in atari");
    assert_eq!(seen("B1")[..2], [0, 12], "captures");
    assert_eq!(seen("C3")[..3], [0, 1, 3], "own, in atari");
    assert_eq!(seen("C2")[..2], [0, 2]);
    assert!(seen("C2").contains(&10), "the last move");
    assert_eq!(reader.input.scalars[..3], [-0.65, -0.5, 0.0], "Black pays the komi");
    reader.read(&board, Color::White, Recent::NONE, true, Komi::DEFAULT);
    let seen = |name| planes(&reader.input, g, name);
    assert_eq!(seen("A1")[..3], [0, 1, 3], "own, in atari");
    assert_eq!(seen("D3")[..2], [0, 12], "captures C3");
    assert_eq!(reader.input.scalars[..3], [0.65, -0.5, 1.0], "White receives it, and Black has passed");
}

#[test]
fn one_evaluator_serves_networks_and_boards_of_all_sizes() {
    let shapes = [[16, 1, 16, 8], [32, 2, 16, 4], [32, 2, 32, 4], [32, 2, 32, 64]];
    let networks = shapes.map(|shape| Network::from_bytes(&file(shape, 0.01)).expect("valid"));
    let mut used = Evaluator::new();
    for size in [19, 9, 2, 25, 9] {
        for network in &networks {
            let g = Geometry::new(size).expect("an accepted size");
            let mut reader = InputReader::new();
            reader.read(&Board::new(g), Color::Black, Recent::NONE, false, Komi::DEFAULT);
            used.evaluate(network, g, &reader.input);
            let mut fresh = Evaluator::new();
            fresh.evaluate(network, g, &reader.input);
            assert_eq!(used.opinion.win, fresh.opinion.win);
            assert!(g.points().all(|p| used.opinion.policy[p] == fresh.opinion.policy[p]));
        }
    }
}

/// The weights in the program, and what PyTorch answered to some inputs: `export.py --check` wrote it beside them.
const SHIPPED: [(&[u8], &str); 2] = [
    (include_bytes!("weights/small.bin"), include_str!("weights/small.check")),
    (include_bytes!("weights/large.bin"), include_str!("weights/large.check")),
];

/// The numbers behind a word at the beginning of a line.
fn numbers<'t>(lines: &mut impl Iterator<Item = &'t str>, word: &str) -> Vec<f32> {
    let line = lines.next().and_then(|line| line.strip_prefix(word)).expect("the file has the word here");
    line.split_whitespace().map(|number| number.parse().expect("a number")).collect()
}

/// Calls `check` with each position in a file of answers and the answers to it: points, pass, win, lead and owner.
fn for_each_answer(answers: &str, mut check: impl FnMut(Geometry, &Input, &[Vec<f32>; 5])) {
    let mut lines = answers.lines().filter(|line| !line.starts_with('#')).peekable();
    let mut checked = 0;
    let mut g = Geometry::new(9).expect("an accepted size");
    while let Some(line) = lines.peek() {
        if line.starts_with("size") {
            let size = numbers(&mut lines, "size")[0] as usize;
            g = Geometry::new(size).expect("an accepted size");
            continue;
        }
        let hex = lines.next().and_then(|line| line.strip_prefix("planes ")).expect("planes");
        let bit = |i: usize| u32::from_str_radix(&hex[i / 8 * 2..][..2], 16).expect("hex digits") >> (i % 8) & 1;
        let mut input = Input::default();
        for (i, p) in g.points().enumerate() {
            input.planes[p] = (0..PLANES).map(|plane| bit(plane * g.area() + i) << plane).sum();
        }
        input.scalars.copy_from_slice(&numbers(&mut lines, "scalars"));
        check(g, &input, &["points", "pass", "win", "lead", "owner"].map(|word| numbers(&mut lines, word)));
        checked += 1;
    }
    assert_eq!(checked, 8, "two positions of each of four sizes");
}

#[test]
fn the_shipped_networks_answer_as_in_training() {
    for (weights, answers) in SHIPPED {
        let network = Network::from_bytes(weights).expect("a network");
        let mut evaluator = Evaluator::with_precision(Precision::Float);
        for_each_answer(answers, |g, input, [points, pass, win, lead, owners]| {
            evaluator.evaluate(&network, g, input);
            let seen = &evaluator.opinion;
            let near = |found: f32, expected: f32| (found - expected).abs() < 1e-3 * expected.abs().max(1.0);
            let first: Vec<_> = g.points().take(8).collect();
            assert!(first.iter().zip(points).all(|(&p, &logit)| near(seen.policy[p], logit)));
            assert!(near(seen.pass, pass[0]));
            assert!(near(seen.win, 1.0 / (1.0 + (-win[0]).exp())));
            assert!(near(seen.lead, lead[0]));
            assert!(first.iter().zip(owners).all(|(&p, &owner)| near(seen.owner[p], owner)));
        });
    }
}

#[test]
fn whole_numbers_hardly_change_an_opinion() {
    // On processors without the instructions both are the same.
    let [mut float, mut fastest] = [Precision::Float, Precision::default()].map(Evaluator::with_precision);
    let mut worst = [0.0_f32; 4];
    for (weights, answers) in SHIPPED {
        let network = Network::from_bytes(weights).expect("a network");
        for_each_answer(answers, |g, input, _| {
            float.evaluate(&network, g, input);
            fastest.evaluate(&network, g, input);
            let (a, b) = (&float.opinion, &fastest.opinion);
            let most = |difference: &dyn Fn(Point) -> f32| g.points().map(difference).fold(0.0, f32::max);
            let found = [
                (a.win - b.win).abs(),
                (a.lead - b.lead).abs(),
                most(&|p| (a.policy[p] - b.policy[p]).abs()),
                most(&|p| (a.owner[p] - b.owner[p]).abs()),
            ];
            for (worst, found) in worst.iter_mut().zip(found) {
                *worst = worst.max(found);
            }
        });
    }
    let [win, lead, policy, owner] = worst;
    let told = format!("win {win}, lead {lead}, policy {policy}, owner {owner}");
    assert!(win < 0.08 && lead < 1.0 && policy < 0.6 && owner < 0.1, "{told}");
}
