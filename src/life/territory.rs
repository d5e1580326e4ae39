//! Dame and seki under the rules of 1989, article 8, once it is known who is alive.
//!
//! An empty point enclosed by live stones of one player only is an eye point, any other a dame; a live chain that has a dame is in seki.
//! Dead stones do not enclose: areas reach through them.

use super::{Status, Verdict};
use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Point, PointMap};

/// Changes `Alive` to `Seki` for chains with a dame, and to `Unknown` where that hangs on a chain that is unknown.
pub fn mark_seki(board: &Board, verdicts: &mut [Verdict]) {
    let mut owner: PointMap<Option<usize>> = PointMap::new(None);
    for (i, verdict) in verdicts.iter().enumerate() {
        verdict.stones.iter().for_each(|&stone| owner[stone] = Some(i));
    }
    let mut seen = PointMap::new(false);
    let mut areas = Vec::new();
    let mut seki = Vec::new();
    let mut unsure = Vec::new();
    for start in board.geometry().points().filter(|&point| board.is_empty(point)) {
        if seen[start] {
            continue;
        }
        let border = border(board, verdicts, &owner, start, &mut seen);
        areas.push(border.clone());
        let is_live = |&&i: &&usize| verdicts[i].lives == Some(true);
        let has = |color: Color| border.iter().filter(is_live).any(|&i| verdicts[i].color == color);
        let one_color = |color: Color| border.iter().all(|&i| verdicts[i].color == color);
        if Color::BOTH.into_iter().all(has) {
            seki.extend(border.iter().filter(is_live).copied());
        } else if !Color::BOTH.into_iter().any(one_color) {
            // A chain of unknown status may turn out to be alive, which makes dame of this area.
            unsure.extend(border.iter().filter(is_live).copied());
        }
    }
    // Chains around a common area of eye points are one group: a dame of one is a dame of all.
    spread(&areas, verdicts, &mut seki);
    spread(&areas, verdicts, &mut unsure);
    for i in unsure {
        verdicts[i].status = Status::Unknown;
    }
    for i in seki {
        verdicts[i].status = Status::Seki;
    }
}

/// Adds to `group` the live chains that share an area with one of its chains of the same color.
fn spread(areas: &[Vec<usize>], verdicts: &[Verdict], group: &mut Vec<usize>) {
    let mut next = 0;
    while let Some(&i) = group.get(next) {
        next += 1;
        for &j in areas.iter().filter(|area| area.contains(&i)).flatten() {
            let joins = verdicts[j].color == verdicts[i].color && verdicts[j].lives == Some(true);
            if joins && !group.contains(&j) {
                group.push(j);
            }
        }
    }
}

/// The chains not known to be dead around the area of an empty point, which reaches through dead ones.
fn border(
    board: &Board,
    verdicts: &[Verdict],
    owner: &PointMap<Option<usize>>,
    start: Point,
    seen: &mut PointMap<bool>,
) -> Vec<usize> {
    let mut border = Vec::new();
    board.geometry().connected(start, seen, |near| match owner[near].filter(|_| !board.is_empty(near)) {
        Some(i) if verdicts[i].lives != Some(false) => {
            border.push(i);
            false
        }
        Some(_) => true,
        None => board.is_empty(near),
    });
    border.sort_unstable();
    border.dedup();
    border
}
