//! How much may still be looked at.

use super::Exhausted;

/// How many positions may still be looked at, over all games of one question.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left: u64,
    used: u64,
}

impl Budget {
    /// A budget of this many positions.
    pub fn new(states: u64) -> Budget {
        Budget { left: states, used: 0 }
    }

    /// Positions looked at so far.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Does something with one part in `parts` of what is left.
    pub fn with_part<T>(&mut self, parts: u64, what: impl FnOnce(&mut Budget) -> T) -> T {
        let mut part = Budget { left: self.left / parts, used: 0 };
        let result = what(&mut part);
        self.left -= part.used;
        self.used += part.used;
        result
    }

    /// Pays for one position.
    ///
    /// # Errors
    /// When nothing is left.
    pub fn spend(&mut self) -> Result<(), Exhausted> {
        self.left = self.left.checked_sub(1).ok_or(Exhausted)?;
        self.used += 1;
        Ok(())
    }
}
