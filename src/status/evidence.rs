//! What playouts and searches say of a position: for each point, its mean owner at the end.

use crate::board::Board;
use crate::color::Color;
use crate::geometry::PointMap;
use crate::playout::{FirstPlays, PlayoutParams, Policy, Recent, final_owner, play_out};
use crate::rng::Rng;

/// Mean final owner of each point (1 Black, -1 White) over playouts that either color begins in turn, `first` the first.
///
/// The random numbers come from the position, so that asking again gives the same answer.
pub fn playout_ownership(root: &Board, first: Color, playouts: u32, params: &PlayoutParams) -> PointMap<f32> {
    let mut policy = Policy::new(params);
    let mut rng = Rng::derived(root.hash(), 5);
    let mut first_plays = FirstPlays::new();
    let mut board = root.clone();
    let mut sums = PointMap::new(0.0);
    for i in 0..playouts {
        board.copy_from(root);
        first_plays.clear();
        let color = if i % 2 == 0 { first } else { first.opponent() };
        play_out(&mut board, color, Recent::NONE, &mut policy, &mut rng, &mut first_plays);
        for p in root.geometry().points() {
            sums[p] += final_owner(&board, p).map_or(0.0, |c| c.sign() as f32);
        }
    }
    for p in root.geometry().points() {
        sums[p] /= playouts.max(1) as f32;
    }
    sums
}
