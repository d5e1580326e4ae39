//! How long is a copy of the board? Every playout begins with one.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use keima::Board;
use keima::color::Color;
use keima::geometry::{Geometry, Move};
use keima::playout::{PlayoutParams, Policy, Recent};
use keima::rng::Rng;

/// A position in mid-game: a third of the points played, by the full policy.
fn mid_game(geometry: Geometry) -> Board {
    let params = PlayoutParams::default();
    let (mut policy, mut rng) = (Policy::new(&params), Rng::new(1));
    let (mut board, mut color, mut recent) = (Board::new(geometry), Color::Black, Recent::NONE);
    for _ in 0..geometry.area() / 3 {
        let mv = policy.choose(&mut board, color, recent, &mut rng);
        if let Move::Play(point) = mv {
            board.play(point, color);
        }
        recent = recent.after(mv);
        color = color.opponent();
    }
    board
}

fn copies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("board copy");
    for size in [9, 13, 19] {
        let geometry = Geometry::new(size).expect("an accepted size");
        let from = mid_game(geometry);
        let mut to = Board::new(geometry);
        group.bench_function(format!("{size}x{size}"), |bencher| {
            bencher.iter(|| {
                to.copy_from(black_box(&from));
                black_box(&mut to);
            });
        });
    }
}

criterion_group!(benches, copies);
criterion_main!(benches);
