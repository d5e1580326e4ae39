//! A review written into its game record: comments, a graph for Sabaki, and the better moves as variations.

use super::{Choice, Judgement, Review};
use crate::sgf::{GameTree, Property};

/// From what loss on a move gets a variation, and how much of it is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Threshold {
    /// Points.
    pub points: f64,
    /// Chance to win, 0 to 1.
    pub win_rate: f64,
}

impl Threshold {
    fn is_passed_by(self, judgement: &Judgement) -> bool {
        judgement.points_lost >= self.points || judgement.win_rate_lost >= self.win_rate
    }
}

/// What follows a comment that was there before.
const SEPARATOR: &str = "\n\n";
/// What a comment of a review begins with; a record that is reviewed again gets the old one replaced.
const MARK: &str = "Keima: ";

/// Writes the review into the tree of its record.
///
/// Each position searched gets `SBKV` (Black's chance to win in percent) and `SBKS` (Black's lead) for Sabaki's graph and a line in its comment; a move
/// that lost more than the threshold a mark (`DO` doubtful, `BM` bad) and the better line as a variation behind the others. Everything else stays.
pub fn annotate(tree: &mut GameTree<'_>, review: &Review, threshold: Threshold) {
    let nodes = tree.move_nodes();
    let node_after = |turn: usize| if turn == 0 { Some(0) } else { nodes.get(turn - 1).copied() };
    for position in &review.positions {
        let Some(node) = node_after(position.turn) else { continue };
        tree.nodes[node].set(Property::with_text("SBKV", &format!("{:.2}", position.black_win_rate * 100.0)));
        tree.nodes[node].set(Property::with_text("SBKS", &format!("{:.2}", position.black_lead)));
        let judgement = review.moves.iter().find(|judgement| judgement.number == position.turn);
        let text = comment(position.black_win_rate, position.black_lead, position.visits, judgement);
        add_comment(tree, node, &text);
        if let Some(judgement) = judgement.filter(|judgement| threshold.is_passed_by(judgement)) {
            mark(tree, node, judgement, threshold);
            let before = review.position(position.turn - 1);
            let better = before.and_then(|look| look.choices.iter().find(|choice| choice.line == judgement.better));
            if let (Some(choice), Some(parent)) = (better, node_after(position.turn - 1)) {
                add_line(tree, parent, review.size, judgement, choice);
            }
        }
    }
}

fn comment(win_rate: f64, lead: f64, visits: u64, judgement: Option<&Judgement>) -> String {
    let leader = if lead < 0.0 { 'W' } else { 'B' };
    let mut text = format!("{MARK}B {:.1}%, {leader}+{:.1}, {visits} visits", win_rate * 100.0, lead.abs());
    if let Some(judgement) = judgement.filter(|judgement| !judgement.better.is_empty()) {
        let (points, chance) = (judgement.points_lost, judgement.win_rate_lost * 100.0);
        let better = judgement.better.join(" ");
        text.push_str(&format!("\n{} lost {points:.1} points and {chance:.1}%. Better: {better}", judgement.mv));
    }
    text
}

fn add_comment(tree: &mut GameTree<'_>, node: usize, text: &str) {
    let old = tree.nodes[node].get("C").and_then(|property| property.values.first());
    // Escapes stay as they are: the old text is kept as it was written.
    let old = old.map(|value| value.split(MARK).next().unwrap_or_default().trim_end().to_string()).unwrap_or_default();
    let mut property = Property::with_text("C", text);
    if !old.is_empty() {
        property.values[0] = format!("{old}{SEPARATOR}{}", property.values[0]).into();
    }
    tree.nodes[node].set(property);
}

/// Marks a move as doubtful or bad, unless somebody has judged it already.
fn mark(tree: &mut GameTree<'_>, node: usize, judgement: &Judgement, threshold: Threshold) {
    let judged = ["BM", "DO", "IT", "TE"].iter().any(|name| tree.nodes[node].get(name).is_some());
    if !judged {
        let bad =
            judgement.points_lost >= 3.0 * threshold.points || judgement.win_rate_lost >= 3.0 * threshold.win_rate;
        let property = if bad { Property::with_text("BM", "1") } else { Property::with_text("DO", "") };
        tree.nodes[node].set(property);
    }
}

/// Adds a line after a node, unless a variation begins with its first move already.
fn add_line(tree: &mut GameTree<'_>, parent: usize, size: usize, judgement: &Judgement, choice: &Choice) {
    let colors = if judgement.player == 'B' { ["B", "W"] } else { ["W", "B"] };
    let Some(first) = choice.line.first().and_then(|mv| point_letters(size, mv)) else { return };
    let is_there = tree.nodes[parent].children.iter().any(|&child| {
        tree.nodes[child].get(colors[0]).is_some_and(|property| property.values.iter().any(|value| **value == *first))
    });
    if is_there {
        return;
    }
    let win_rate = if judgement.player == 'B' { choice.win_rate } else { 1.0 - choice.win_rate };
    let lead = if judgement.player == 'B' { choice.lead } else { -choice.lead };
    let mut node = parent;
    for (i, mv) in choice.line.iter().enumerate() {
        let Some(letters) = point_letters(size, mv) else { break };
        let mut properties = vec![Property::with_text(colors[i % 2], &letters)];
        if i == 0 {
            properties.push(Property::with_text("SBKV", &format!("{:.2}", win_rate * 100.0)));
            properties.push(Property::with_text("SBKS", &format!("{lead:.2}")));
            properties.push(Property::with_text("C", &comment(win_rate, lead, u64::from(choice.visits), None)));
        }
        node = tree.add(node, properties);
    }
}

/// The letters of a move in a record: column from the left and row from the top, nothing for a pass.
fn point_letters(size: usize, mv: &str) -> Option<String> {
    let geometry = crate::geometry::Geometry::new(size)?;
    let Some(point) = geometry.parse_move(mv).ok()?.point() else { return Some(String::new()) };
    let (x, y) = geometry.xy(point);
    let letter = |index: usize| char::from(b'a' + index as u8);
    Some([letter(x), letter(size - 1 - y)].iter().collect())
}
