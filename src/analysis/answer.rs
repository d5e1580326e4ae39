//! From what a search found to an answer with KataGo's field names, units and signs.

use serde_json::{Map, Value, json};

use super::query::Job;
use super::settings::Perspective;
use crate::color::Color;
use crate::geometry::{Geometry, Point, PointMap};
use crate::search::{Report, RootMove};

/// Turns values of the player to move into those of whoever is to see them.
#[derive(Clone, Copy)]
struct View {
    flipped: bool,
}

impl View {
    fn new(perspective: Perspective, color: Color) -> View {
        let flipped = match perspective {
            Perspective::Black => color == Color::White,
            Perspective::White => color == Color::Black,
            Perspective::ToMove => false,
        };
        View { flipped }
    }

    /// A chance from 0 to 1.
    fn chance(self, chance: f64) -> f64 {
        if self.flipped { 1.0 - chance } else { chance }
    }

    /// A number whose opposite is the opponent's.
    fn signed(self, number: f64) -> f64 {
        // Adding zero turns a negative zero into a plain one.
        if self.flipped { -number + 0.0 } else { number }
    }
}

/// What a query gets that was ended before its search began.
pub fn nothing(job: &Job) -> Value {
    json!({"id": job.id, "turnNumber": job.turn, "isDuringSearch": false, "noResults": true})
}

/// What the search of a job has found, or has found so far.
pub fn opinion(job: &Job, report: &Report, during_search: bool) -> Value {
    let wanted = &job.wanted;
    let view = View::new(wanted.perspective, report.color);
    let visited = report.moves.iter().filter(|m| m.visits > 0).enumerate();
    let moves: Vec<Value> = visited.map(|(order, m)| move_info(job, view, report, order, m)).collect();
    let mut answer = Map::new();
    answer.insert("id".to_string(), json!(job.id));
    answer.insert("turnNumber".to_string(), json!(job.turn));
    answer.insert("isDuringSearch".to_string(), json!(during_search));
    answer.insert("moveInfos".to_string(), json!(moves));
    answer.insert("rootInfo".to_string(), root_info(job, view, report));
    if wanted.ownership {
        answer.insert("ownership".to_string(), json!(owners(job, view, report.color, &report.ownership)));
    }
    if wanted.policy {
        answer.insert("policy".to_string(), json!(policy(job, report)));
    }
    Value::Object(answer)
}

fn move_info(job: &Job, view: View, report: &Report, order: usize, m: &RootMove) -> Value {
    let geometry = job.geometry();
    let lower = m.lower_bound();
    let utility = |value: f64| view.signed(2.0 * value - 1.0);
    // The search's values mix winning and score; a bound on the one is taken for a bound on the other.
    let lower_value = m.value - (m.win_rate - lower).max(0.0);
    let lead = view.signed(m.lead);
    let length = m.line.moves.len().min(job.wanted.line + 1);
    let line: Vec<String> = m.line.moves[..length].iter().map(|&mv| geometry.move_name(mv)).collect();
    let mut info = json!({
        "move": geometry.move_name(m.mv), "order": order, "visits": m.visits, "edgeVisits": m.visits,
        "weight": m.visits, "edgeWeight": m.visits, "playSelectionValue": m.visits,
        "winrate": view.chance(m.win_rate), "lcb": view.chance(lower),
        "scoreLead": lead, "scoreMean": lead, "scoreSelfplay": lead,
        // Kept for the position only; it is much the same after each of its moves.
        "scoreStdev": report.score_deviation,
        "utility": utility(m.value), "utilityLcb": utility(lower_value), "prior": m.prior, "pv": line,
    });
    if job.wanted.line_visits {
        info["pvVisits"] = json!(m.line.visits[..length]);
        info["pvEdgeVisits"] = json!(m.line.visits[..length]);
    }
    if let Some(ownership) = m.ownership.as_ref().filter(|_| job.wanted.moves_ownership) {
        info["ownership"] = json!(owners(job, view, report.color, ownership));
    }
    info
}

fn root_info(job: &Job, view: View, report: &Report) -> Value {
    let best = report.moves.first();
    let value = best.map_or(report.win_rate, |m| m.value);
    let lead = view.signed(report.score);
    json!({
        "currentPlayer": report.color.letter().to_string(), "visits": report.visits, "weight": report.visits,
        "winrate": view.chance(report.win_rate), "scoreLead": lead, "scoreSelfplay": lead, "scoreStdev": report.score_deviation,
        "utility": view.signed(2.0 * value - 1.0),
        "thisHash": format!("{:032X}", job.fingerprint()),
    })
}

/// The owner of each point from the top left, 1 for whoever sees the values.
fn owners(job: &Job, view: View, color: Color, ownership: &PointMap<f32>) -> Vec<f64> {
    let for_color = |p| f64::from(ownership[p]) * f64::from(color.sign());
    from_the_top(job.geometry()).map(|p| view.signed(for_color(p)) + 0.0).collect()
}

/// The first impression of each point from the top left, and of a pass; -1 where a move is illegal.
fn policy(job: &Job, report: &Report) -> Vec<f64> {
    let game = job.game();
    let total: f64 = report.moves.iter().map(|m| m.prior).sum();
    let mut shares = PointMap::new(0.0);
    let mut pass = 0.0;
    for m in &report.moves {
        let share = m.prior / total.max(f64::MIN_POSITIVE);
        match m.mv.point() {
            Some(point) => shares[point] = share,
            None => pass = share,
        }
    }
    let is_legal = |p: Point| game.check(report.color, crate::geometry::Move::Play(p)).is_ok();
    let mut policy: Vec<f64> =
        from_the_top(job.geometry()).map(|p| if is_legal(p) { shares[p] } else { -1.0 }).collect();
    policy.push(pass);
    policy
}

/// Every point, row by row from the top left.
fn from_the_top(geometry: Geometry) -> impl Iterator<Item = Point> {
    let size = geometry.size();
    (0..geometry.area()).filter_map(move |i| geometry.point(i % size, size - 1 - i / size))
}
