//! How many playouts a second does one thread make from the empty board, uniform ("light") and with the full policy?

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use keima::Board;
use keima::color::Color;
use keima::geometry::Geometry;
use keima::playout::{FirstPlays, PlayoutParams, Policy, Recent, play_out};
use keima::rng::Rng;

fn playouts(criterion: &mut Criterion) {
    for (name, params) in [("light", PlayoutParams::light()), ("full", PlayoutParams::default())] {
        let mut group = criterion.benchmark_group(format!("{name} playouts"));
        // One element is one playout, so that "elem/s" are playouts per second.
        group.throughput(Throughput::Elements(1));
        for size in [9, 13, 19] {
            let start = Board::new(Geometry::new(size).expect("an accepted size"));
            let mut board = start.clone();
            let (mut policy, mut rng, mut first_plays) = (Policy::new(&params), Rng::new(1), FirstPlays::new());
            group.bench_function(format!("{size}x{size}"), |bencher| {
                bencher.iter(|| {
                    board.copy_from(&start);
                    first_plays.clear();
                    let black = Color::Black;
                    black_box(play_out(&mut board, black, Recent::NONE, &mut policy, &mut rng, &mut first_plays))
                });
            });
        }
    }
}

criterion_group!(benches, playouts);
criterion_main!(benches);
