//! The numbers of the search, each with its meaning and where it comes from.

use crate::playout::PlayoutParams;

/// Parameters of the tree search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchParams {
    /// Equivalence of RAVE: the number of visits at which RAVE and the mean weigh the same, in the sense of Gelly and Silver
    /// ("Monte-Carlo tree search and rapid action value estimation in computer Go", 2011).
    pub rave_equivalence: f32,
    /// Exploration constant of the UCB term; small, since RAVE explores.
    pub exploration: f32,
    /// Visits a node needs before it gets children.
    pub expand_visits: u32,
    /// Share of the result that comes from the score instead of from winning.
    pub score_weight: f64,
    /// Prior visits of any move.
    pub prior_even: f32,
    /// Multiplies the visits of every prior suggestion.
    pub prior_scale: f32,
    /// The playout policy.
    pub playout: PlayoutParams,
}

impl Default for SearchParams {
    fn default() -> SearchParams {
        SearchParams {
            rave_equivalence: 3000.0,
            exploration: 0.02,
            expand_visits: 6,
            score_weight: 0.04,
            prior_even: 10.0,
            prior_scale: 1.0,
            playout: PlayoutParams::default(),
        }
    }
}
