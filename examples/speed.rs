use keima::color::Color;
use keima::geometry::*;
use keima::playout::*;
use keima::rng::Rng;
use keima::*;
fn main() {
    for size in [9usize] {
        for (name, params) in [("full", PlayoutParams::default())] {
            for start in [0] {
                let g = Geometry::new(size).unwrap();
                let mut base = Board::new(g);
                let mut rng = Rng::new(1);
                let mut pol = Policy::new(&params);
                let mut fp = FirstPlays::new();
                let mut c = Color::Black;
                let mut recent = Recent::NONE;
                let fullp = PlayoutParams::default();
                let mut fpol = Policy::new(&fullp);
                for _ in 0..start {
                    let m = fpol.choose(&mut base, c, recent, &mut rng);
                    if let Move::Play(p) = m {
                        base.play(p, c);
                    }
                    recent = recent.after(m);
                    c = c.opponent();
                }
                let mut b = Board::new(g);
                let mut best = 0f64;
                let n = if size == 9 { 20000 } else { 4000 };
                let mut moves = 0u64;
                let mut sum = 0i64;
                for _ in 0..5 {
                    let t = std::time::Instant::now();
                    moves = 0;
                    for _ in 0..n {
                        b.copy_from(&base);
                        fp.clear();
                        sum += play_out(&mut b, c, recent, &mut pol, &mut rng, &mut fp).0 as i64;
                        moves += (base.empty_count() as u64 - b.empty_count() as u64);
                    }
                    best = best.max(n as f64 / t.elapsed().as_secs_f64());
                }
                println!(
                    "{size} {name} start {start}: {best:.0}/s  net moves {} mean {:.2}",
                    moves / n,
                    sum as f64 / (5 * n) as f64
                );
            }
        }
    }
}
