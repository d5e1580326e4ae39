//! How much memory Keima, and its search tree, may take.

/// Largest tree unless more is asked for, in MiB.
const DEFAULT_MIB: usize = 1024;
/// Smallest share of an engine, in MiB: room for a search of some ten thousand simulations.
const SMALLEST_MIB: usize = 16;

/// What the rest of the program takes, in MiB: on 19x19 with two threads, a network and a tree of 44 the process came to 65.7 within nine minutes, and what the
/// allocator cannot reuse between compacted trees still grew.
const PROGRAM_MIB: usize = 28;

/// Bytes for the tree: what is left by the rest of the program of what was asked for, else of 1 GiB but never more than half of what is free.
pub fn tree_bytes(asked_mib: Option<usize>) -> usize {
    let mib = process_mib(asked_mib);
    (mib - PROGRAM_MIB.min(mib / 2)) << 20
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
