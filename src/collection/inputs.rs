//! Where games come from: files, folders, standard input, as SGF or as JSON lines.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::options::ReviewOptions;
use crate::lines::{LARGEST_FILE, read_at_most, read_file};
use crate::rules::Rules;
use crate::sgf::{GameTree, Record, ReplayError, SgfError, decode, read_trees};

/// More moves than any game has: each is compared with all positions before it.
const MAX_MOVES: usize = 20_000;

/// A game as it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Where it came from, for people: a file name or an id.
    pub label: String,
    /// Which game of its file, from 1.
    pub number: usize,
    /// Name of its output files without their endings, relative to the folder.
    pub stem: PathBuf,
    /// The record as text.
    pub text: String,
    /// Line of its file on which it begins, counted from 1.
    pub line: usize,
    /// Bytes of the input that it stands for.
    pub bytes: u64,
}

/// A game in a line of JSON: the record, or where it is.
#[derive(Deserialize)]
struct JsonLine {
    id: Option<String>,
    sgf: Option<String>,
    file: Option<PathBuf>,
}

/// Who gets the games one by one, or what is wrong with one; its answer says whether to go on.
type Taker<'t> = dyn FnMut(Result<Item, String>) -> bool + 't;

/// An input to read.
struct Source {
    /// As it was given.
    path: PathBuf,
    /// Relative to the folder that it was found in.
    relative: PathBuf,
}

/// Finds every game of the input, in order.
pub fn each_game(options: &ReviewOptions, take: &mut Taker<'_>) {
    let mut stems = HashSet::new();
    for path in &options.games {
        let found = match sources(path) {
            Ok(found) if found.is_empty() => {
                vec![Err(format!("{}: no records (*.sgf) in this folder", path.display()))]
            }
            Ok(found) => found,
            Err(error) => vec![Err(format!("{}: {error}", path.display()))],
        };
        for source in found {
            let go_on = match source {
                Ok(source) => read_source(&source, &mut stems, take),
                Err(reason) => take(Err(reason)),
            };
            if !go_on {
                return;
            }
        }
    }
}

/// Bytes of all inputs together; `None` if that is not known.
pub fn total_bytes(options: &ReviewOptions) -> Option<u64> {
    let mut total = 0;
    for path in &options.games {
        if path.as_os_str() == "-" {
            return None;
        }
        for source in sources(path).ok()? {
            total += std::fs::metadata(source.ok()?.path).ok()?.len();
        }
    }
    Some(total)
}

/// The files that a path stands for, those of a folder and of the folders in it by name.
fn sources(path: &Path) -> io::Result<Vec<Result<Source, String>>> {
    if path.as_os_str() == "-" || !std::fs::metadata(path)?.is_dir() {
        let relative = path.file_name().map_or_else(|| PathBuf::from("game"), PathBuf::from);
        return Ok(vec![Ok(Source { path: path.to_path_buf(), relative })]);
    }
    let mut found = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let mut entries = match std::fs::read_dir(&folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>()) {
            Ok(entries) => entries,
            Err(error) => {
                found.push(Err(format!("{}: {error}", folder.display())));
                continue;
            }
        };
        entries.sort_by_key(std::fs::DirEntry::file_name);
        let mut below = Vec::new();
        for entry in entries {
            let entry_path = entry.path();
            // A link to a folder is not followed: it may lead back.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                below.push(entry_path);
            } else if entry_path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgf")) {
                let relative = entry_path.strip_prefix(path).unwrap_or(&entry_path).to_path_buf();
                found.push(Ok(Source { path: entry_path, relative }));
            }
        }
        folders.extend(below.into_iter().rev());
    }
    Ok(found)
}

fn read_source(source: &Source, stems: &mut HashSet<PathBuf>, take: &mut Taker<'_>) -> bool {
    let is_standard = source.path.as_os_str() == "-";
    let label = if is_standard { "standard input".to_string() } else { source.path.display().to_string() };
    let reader: io::Result<Box<dyn Read>> = match is_standard {
        true => Ok(Box::new(io::stdin())),
        false => File::open(&source.path).map(|file| Box::new(file) as Box<dyn Read>),
    };
    let result = reader.and_then(|reader| {
        let mut reader = BufReader::new(reader);
        let is_json = reader.fill_buf()?.trim_ascii_start().first() == Some(&b'{');
        let stem = if is_standard { PathBuf::from("game") } else { source.relative.with_extension("") };
        if is_json {
            return read_json_lines(reader, &label, stems, take);
        }
        let bytes = read_at_most(reader, LARGEST_FILE)?;
        Ok(read_record(&bytes, &label, &stem, stems, take))
    });
    result.unwrap_or_else(|error| take(Err(format!("{label}: {error}"))))
}

/// The games of one file.
fn read_record(bytes: &[u8], label: &str, stem: &Path, stems: &mut HashSet<PathBuf>, take: &mut Taker<'_>) -> bool {
    let (text, _) = decode(bytes);
    let trees = read_trees(&text);
    let share = bytes.len() as u64 / trees.len().max(1) as u64;
    let several = trees.len() > 1;
    for (number, tree) in (1..).zip(trees) {
        let found = match tree {
            Ok(tree) => {
                let stem = if several { with_number(stem, number) } else { stem.to_path_buf() };
                let stem = unused(&stem, stems);
                Ok(Item {
                    label: label.to_string(),
                    number,
                    stem,
                    text: tree.source.to_string(),
                    line: tree.line,
                    bytes: share,
                })
            }
            Err(error) => Err(format!("{label}: {error}")),
        };
        if !take(found) {
            return false;
        }
    }
    true
}

/// Games that come one a line, each an object with `sgf` (the record) or `file` (its name), and an `id` where one is wanted.
fn read_json_lines(
    reader: impl BufRead,
    label: &str,
    stems: &mut HashSet<PathBuf>,
    take: &mut Taker<'_>,
) -> io::Result<bool> {
    for (number, line) in (1..).zip(reader.split(b'\n')) {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let failed = |reason: String| Err(format!("{label}: line {number}: {reason}"));
        let go_on = match serde_json::from_slice::<JsonLine>(&line) {
            Ok(JsonLine { id, sgf: Some(sgf), .. }) => {
                let label = id.unwrap_or_else(|| format!("{label}, line {number}"));
                read_record(sgf.as_bytes(), &label, &file_name(&label), stems, take)
            }
            Ok(JsonLine { id, sgf: None, file: Some(file) }) => match read_file(file.as_ref()) {
                Ok(bytes) => {
                    let label = id.unwrap_or_else(|| file.display().to_string());
                    let stem = file.file_stem().map_or_else(|| file_name(&label), PathBuf::from);
                    read_record(&bytes, &label, &stem, stems, take)
                }
                Err(error) => take(failed(format!("{}: {error}", file.display()))),
            },
            Ok(_) => take(failed("neither \"sgf\" nor \"file\" is given".to_string())),
            Err(error) => take(failed(error.to_string())),
        };
        if !go_on {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A text as the name of a file: without anything that could lead elsewhere.
fn file_name(text: &str) -> PathBuf {
    let clean = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = text.chars().take(100).map(clean).collect();
    let name = name.trim_start_matches('.');
    PathBuf::from(if name.is_empty() { "game" } else { name })
}

fn with_number(stem: &Path, number: usize) -> PathBuf {
    let name = stem.file_name().unwrap_or_default().to_string_lossy();
    stem.with_file_name(format!("{name}-{number}"))
}

/// The name, or the first one like it that no earlier game has.
fn unused(stem: &Path, stems: &mut HashSet<PathBuf>) -> PathBuf {
    let mut chosen = stem.to_path_buf();
    let mut number = 2;
    while !stems.insert(chosen.clone()) {
        chosen = with_number(stem, number);
        number += 1;
    }
    chosen
}

/// The main line of a game, known to be playable, and the rules to judge it by.
///
/// # Errors
/// What is wrong with it, and where.
pub fn record(options: &ReviewOptions, item: &Item) -> Result<(Record, Rules), String> {
    // Lines are counted from the beginning of the file.
    let at_line = |line: usize| line + item.line - 1;
    let failed = |error: SgfError| format!("{}: line {}: {}", item.label, at_line(error.line), error.kind);
    let tree = tree(item).map_err(failed)?;
    let mut record = tree.record().map_err(failed)?;
    if record.moves.len() > MAX_MOVES {
        return Err(format!("{}: line {}: more than {MAX_MOVES} moves", item.label, item.line));
    }
    if let Some(komi) = options.komi {
        record.komi = Some(komi);
    }
    let rules = options.rules.or_else(|| record.rules()).unwrap_or_default();
    record.to_game(rules).map_err(|error| {
        let line = match error {
            ReplayError::Move { number, .. } => tree.line_of_move(number).unwrap_or(1),
            ReplayError::SetUp { after, .. } => tree.line_of_move(after).unwrap_or(1),
        };
        format!("{}: line {}: {error}", item.label, at_line(line))
    })?;
    Ok((record, rules))
}

/// The tree of a game.
///
/// # Errors
/// Never for an item that was found: it was read before.
pub fn tree(item: &Item) -> Result<GameTree<'_>, SgfError> {
    read_trees(&item.text).swap_remove(0)
}
