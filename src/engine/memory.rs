//! How much memory Keima, and its search tree, may take.

use crate::tree::Tree;

/// Largest tree unless more is asked for, in MiB.
const DEFAULT_MIB: usize = 1024;
/// Smallest share of an engine, in MiB: room for a search of some ten thousand simulations.
const SMALLEST_MIB: usize = 16;

/// What the rest of the program takes, in MiB: the network, the boards of two threads, and what the allocator cannot use again. With a tree of
/// 36, and so 45 at most, the process came to 62.6 in fifteen minutes on 19x19.
const PROGRAM_MIB: usize = 22;

/// Bytes for the tree, so that its copy has room too when it is compacted: from what the rest of the program leaves of what was asked for, else of 1 GiB
/// but never more than half of what is free.
pub fn tree_bytes(asked_mib: Option<usize>) -> usize {
    let mib = process_mib(asked_mib);
    let with_copy = (mib - PROGRAM_MIB.min(mib / 2)) << 20;
    with_copy / (Tree::COMPACTION + 1) * Tree::COMPACTION
}

/// MiB for each of several engines that share what one would take.
pub fn share_mib(asked_mib: Option<usize>, engines: usize) -> usize {
    (process_mib(asked_mib) / engines.max(1)).max(SMALLEST_MIB)
}

fn process_mib(asked_mib: Option<usize>) -> usize {
    asked_mib.unwrap_or_else(|| available_mib().map_or(DEFAULT_MIB / 4, |free| (free / 2).clamp(16, DEFAULT_MIB)))
}

/// Free memory as the kernel estimates it; `None` where it does not say.
fn available_mib() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::{PROGRAM_MIB, tree_bytes};
    use crate::tree::Tree;

    #[test]
    fn a_tree_and_its_compacted_copy_fit_beside_the_program() {
        for mib in [64, 100, 1024, 10_000] {
            let tree = tree_bytes(Some(mib));
            assert!(tree + tree / Tree::COMPACTION + (PROGRAM_MIB << 20) <= mib << 20, "--memory {mib}");
            assert!(tree > (mib << 20) / 2, "--memory {mib} is made use of");
        }
    }
}
