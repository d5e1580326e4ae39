//! What a search found, as the lines that clients read.
//!
//! Every value is the player to move's. A line has all moves, best first: `info move D4 visits 12 ... pv D4 Q16 info move ...`, and
//! the clients want `pv` last where nothing was asked to follow it.

use std::fmt::Write as _;

use super::args::{AnalysisArgs, Dialect};
use crate::geometry::{Geometry, PointMap};
use crate::search::{Report, RootMove, Variation};

/// One line.
pub(super) fn line(report: &Report, args: &AnalysisArgs, dialect: Dialect, geometry: Geometry) -> String {
    let writer = Writer { report, args, geometry };
    let mut text = String::new();
    for (order, mv) in candidates(report, args).iter().enumerate() {
        if order > 0 {
            text.push(' ');
        }
        match dialect {
            Dialect::Lz => writer.lz_move(&mut text, order, mv),
            Dialect::Kata => writer.kata_move(&mut text, order, mv),
        }
    }
    writer.extras(&mut text);
    text
}

/// The moves to tell of: those visited, and as many others as are asked for; never none.
pub(super) fn candidates(report: &Report, args: &AnalysisArgs) -> Vec<RootMove> {
    let mut moves: Vec<RootMove> = report.moves.iter().filter(|m| m.visits > 0).cloned().collect();
    let least = args.min_moves.max(1);
    if moves.len() < least {
        let mut others: Vec<RootMove> = report.moves.iter().filter(|m| m.visits == 0).cloned().collect();
        others.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        others.truncate(least - moves.len());
        // Nothing is known of them but that they are moves of this position.
        moves.extend(others.into_iter().map(|m| RootMove {
            win_rate: report.win_rate,
            lead: report.score,
            line: Variation { moves: vec![m.mv], visits: vec![0] },
            ..m
        }));
    }
    moves.truncate(args.max_moves.max(1));
    moves
}

/// Chance to win and lead of the whole tree, earlier searches included: the mean over its moves.
pub(super) fn root_values(report: &Report) -> (f64, f64) {
    let visits: f64 = report.moves.iter().map(|m| f64::from(m.visits)).sum();
    if visits == 0.0 {
        return (report.win_rate, report.score);
    }
    let mean =
        |value: fn(&RootMove) -> f64| report.moves.iter().map(|m| f64::from(m.visits) * value(m)).sum::<f64>() / visits;
    (mean(|m| m.win_rate), mean(|m| m.lead))
}

/// The points row by row from the upper left corner, with their values for the player to move.
pub(super) fn rows(report: &Report, geometry: Geometry, ownership: &PointMap<f32>) -> Vec<f32> {
    let sign = report.color.sign() as f32;
    let size = geometry.size();
    let points = (0..size).rev().flat_map(|y| (0..size).filter_map(move |x| geometry.point(x, y)));
    // Adding zero makes a negative zero positive.
    points.map(|p| ownership[p] * sign + 0.0).collect()
}

/// Standard deviation of a final owner with this mean, if each playout gives the point to somebody.
fn deviation(mean: f32) -> f32 {
    (1.0 - mean * mean).max(0.0).sqrt()
}

struct Writer<'a> {
    report: &'a Report,
    args: &'a AnalysisArgs,
    geometry: Geometry,
}

impl Writer<'_> {
    fn lz_move(&self, text: &mut String, order: usize, mv: &RootMove) {
        let whole = |value: f64| (value.clamp(0.0, 1.0) * 10_000.0).round() as u32;
        let _ = write!(
            text,
            "info move {} visits {} winrate {} prior {} lcb {} order {order} pv{}",
            self.geometry.move_name(mv.mv),
            mv.visits,
            whole(mv.win_rate),
            whole(mv.prior),
            whole(mv.lower_bound()),
            self.line_of(mv),
        );
    }

    fn kata_move(&self, text: &mut String, order: usize, mv: &RootMove) {
        let extras = &self.args.extras;
        let visits = mv.visits;
        // What the search compares, from -1 to 1.
        let utility = if visits > 0 { 2.0 * mv.value - 1.0 } else { 2.0 * mv.win_rate - 1.0 };
        let cautious = mv.lower_bound();
        let _ = write!(
            text,
            "info move {} visits {visits} edgeVisits {visits} utility {:.6} winrate {:.6} scoreMean {:.6} scoreStdev {:.6} \
             scoreLead {:.6} scoreSelfplay {:.6} prior {:.6} lcb {cautious:.6} utilityLcb {:.6} weight {:.1}",
            self.geometry.move_name(mv.mv),
            utility + 0.0,
            mv.win_rate,
            mv.lead + 0.0,
            self.report.score_deviation,
            mv.lead + 0.0,
            mv.lead + 0.0,
            mv.prior,
            utility - 2.0 * (mv.win_rate - cautious),
            f64::from(visits),
        );
        if extras.no_result {
            // The rules leave no game without a result: superko ends every cycle.
            text.push_str(" noResultValue 0.000000");
        }
        let _ = write!(text, " order {order} pv{}", self.line_of(mv));
        for (wanted, key) in [(extras.line_visits, "pvVisits"), (extras.line_edge_visits, "pvEdgeVisits")] {
            if wanted {
                let _ = write!(text, " {key}");
                mv.line.visits.iter().for_each(|visits| {
                    let _ = write!(text, " {visits}");
                });
            }
        }
        if let Some(ownership) = &mv.ownership {
            self.ownership(text, extras.moves_ownership, "movesOwnership", ownership, |mean| mean);
            self.ownership(text, extras.moves_ownership_deviation, "movesOwnershipStdev", ownership, deviation);
        }
    }

    fn line_of(&self, mv: &RootMove) -> String {
        mv.line.moves.iter().map(|&next| format!(" {}", self.geometry.move_name(next))).collect()
    }

    fn ownership(&self, text: &mut String, wanted: bool, key: &str, ownership: &PointMap<f32>, shown: fn(f32) -> f32) {
        if !wanted {
            return;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(key);
        for mean in rows(self.report, self.geometry, ownership) {
            let _ = write!(text, " {:.3}", shown(mean));
        }
    }

    fn extras(&self, text: &mut String) {
        let extras = &self.args.extras;
        if extras.root_info {
            let visits = self.report.visits;
            let (win_rate, lead) = root_values(self.report);
            let _ = write!(
                text,
                " rootInfo visits {visits} utility {:.6} winrate {win_rate:.6} scoreMean {lead:.6} scoreStdev {:.6} \
                 scoreLead {lead:.6} scoreSelfplay {lead:.6} weight {:.1}",
                2.0 * win_rate - 1.0,
                self.report.score_deviation,
                f64::from(visits),
            );
        }
        let ownership = &self.report.ownership;
        self.ownership(text, extras.ownership, "ownership", ownership, |mean| mean);
        self.ownership(text, extras.ownership_deviation, "ownershipStdev", ownership, deviation);
    }
}
