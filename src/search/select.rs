//! Which child a simulation goes to.

use super::params::SearchParams;
use crate::tree::{Children, Node, Tree, VALUE_ONE};

/// Everything about a node's children that one choice among them needs.
pub(super) struct Selector<'s> {
    params: &'s SearchParams,
    log_visits: f32,
}

impl<'s> Selector<'s> {
    /// A choice below a node with this many visits.
    pub(super) fn new(params: &'s SearchParams, visits: u32) -> Selector<'s> {
        Selector { params, log_visits: (visits.max(1) as f32).ln() }
    }

    /// Place of the most urgent child in its block. The first of equals wins, so the choice is reproducible.
    pub(super) fn best(&self, tree: &Tree, children: Children) -> usize {
        let mut best = 0;
        let mut best_urgency = f32::NEG_INFINITY;
        for (i, child) in tree.nodes(children).iter().enumerate() {
            let urgency = self.urgency(child);
            if urgency > best_urgency {
                (best, best_urgency) = (i, urgency);
            }
        }
        best
    }

    /// Mean of real and prior visits, blended with RAVE, plus exploration. Threads below the child count as losses here, and only here:
    /// nothing virtual is ever stored.
    #[inline]
    fn urgency(&self, child: &Node) -> f32 {
        const UNIT: f32 = 1.0 / VALUE_ONE as f32;
        let (root_of_probability, even_value) = child.prior();
        let good = self.params.prior_wins * root_of_probability;
        let prior_visits = self.params.prior_even + good;
        let prior_wins = self.params.prior_even * even_value + good;
        let visits = child.visits() as f32 + child.pending() as f32 + prior_visits;
        let mean = (child.value_sum() as f32 * UNIT + prior_wins) / visits.max(1e-3);
        let (rave_count, rave_sum) = child.rave();
        let rave_visits = rave_count as f32 + prior_visits;
        let rave_mean = (rave_sum as f32 * UNIT + prior_wins) / rave_visits.max(1e-3);
        let beta = rave_visits / (rave_visits + visits + rave_visits * visits / self.params.rave_equivalence);
        let explore = self.params.exploration * (self.log_visits / (visits + 1.0)).sqrt();
        mean + beta * (rave_mean - mean) + explore
    }
}
