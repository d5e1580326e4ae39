//! How much may still be looked at.

use super::Exhausted;

/// Positions looked at between two questions whether to stop.
const PATIENCE: u64 = 1024;

/// How much may be looked at for one chain, and who may end it before.
#[derive(Clone, Copy)]
pub struct Allowance<'a> {
    /// Positions for each chain, at most [`super::MOST_STATES`].
    pub states: u64,
    /// Positions for all chains together.
    pub total: u64,
    /// Points of the largest part of the board that is looked at; none has more than 63.
    pub points: usize,
    /// Asked from time to time; when it says true the rest stays unknown.
    pub stop: &'a dyn Fn() -> bool,
}

impl Allowance<'_> {
    /// So many positions for each chain, whatever the number of chains, and nobody who ends it.
    pub fn per_chain(states: u64) -> Allowance<'static> {
        Allowance { states, total: u64::MAX, points: usize::MAX, stop: &|| false }
    }
}

/// How many positions may still be looked at, over all games of one question.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    left: u64,
    used: u64,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> Budget<'a> {
    /// A budget of this many positions, which ends as well when `stop` says so.
    pub fn new(states: u64, stop: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget { left: states, used: 0, stop }
    }

    /// Positions looked at so far.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Does something with one part in `parts` of what is left.
    pub fn with_part<T>(&mut self, parts: u64, what: impl FnOnce(&mut Budget) -> T) -> T {
        self.with_at_least(0, parts, what)
    }

    /// Does something with one part in `parts` of what is left, or with `states` where that is more and there are so many.
    pub fn with_at_least<T>(&mut self, states: u64, parts: u64, what: impl FnOnce(&mut Budget) -> T) -> T {
        let mut part = Budget { left: (self.left / parts).max(states.min(self.left)), used: 0, stop: self.stop };
        let result = what(&mut part);
        self.left -= part.used;
        self.used += part.used;
        result
    }

    /// Pays for one position.
    ///
    /// # Errors
    /// When nothing is left, or somebody wants it to end.
    pub fn spend(&mut self) -> Result<(), Exhausted> {
        self.left = self.left.checked_sub(1).ok_or(Exhausted)?;
        self.used += 1;
        if self.used.is_multiple_of(PATIENCE) { self.check() } else { Ok(()) }
    }

    /// To be asked before long work that looks at no new position.
    ///
    /// # Errors
    /// When somebody wants it to end.
    pub fn check(&self) -> Result<(), Exhausted> {
        if (self.stop)() { Err(Exhausted) } else { Ok(()) }
    }
}
