//! Where games are kept: two files each, written and synced before anybody is told.
//!
//! `games/ab/ID.sgf` is the game (see `notes.rs`), `games/ab/ID.json` the charter. A file is written beside its place, synced, renamed into
//! it, and the folder is synced: at any instant the old or the new file is there, whole. What cannot be read at the start goes to `broken/` and is reported,
//! never deleted.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::charter::Charter;
use super::notes::{self, BrokenGame};
use super::seats::is_id;
use super::table::Table;

/// Which of the two files of a game has to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Moves and notes.
    Game,
    /// Seats.
    Charter,
}

/// Why games cannot be kept or taken up.
#[derive(Debug)]
pub enum StoreError {
    /// The folder cannot be used.
    Folder(PathBuf, io::Error),
    /// Another process uses the folder.
    InUse(PathBuf),
    /// A file cannot be read or written.
    File(io::Error),
    /// A file is damaged.
    Broken(BrokenGame),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Folder(path, error) => write!(f, "cannot keep games in {}: {error}", path.display()),
            StoreError::InUse(path) => write!(f, "another keima serve keeps its games in {}", path.display()),
            StoreError::File(error) => error.fmt(f),
            StoreError::Broken(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        StoreError::File(error)
    }
}

impl From<BrokenGame> for StoreError {
    fn from(error: BrokenGame) -> StoreError {
        StoreError::Broken(error)
    }
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The folder with the games.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// Held as long as the folder is used.
    _lock: File,
}

impl Store {
    /// Takes a folder into use, making it if need be.
    ///
    /// # Errors
    /// When it cannot be written, or another process uses it.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let named = |error| StoreError::Folder(folder.to_path_buf(), error);
        fs::create_dir_all(folder.join("games")).map_err(named)?;
        let lock = File::options().create(true).truncate(false).write(true).open(folder.join("lock")).map_err(named)?;
        lock.try_lock().map_err(|error| match error {
            fs::TryLockError::WouldBlock => StoreError::InUse(folder.to_path_buf()),
            fs::TryLockError::Error(error) => named(error),
        })?;
        Ok(Store { folder: folder.to_path_buf(), _lock: lock })
    }

    /// Reads every game and tells `found` of it with the time of its last change; sets aside what cannot be read, and returns how many games that were.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn scan(&self, mut found: impl FnMut(&Table, u64)) -> Result<usize, StoreError> {
        let mut ids: BTreeMap<String, usize> = BTreeMap::new();
        for shelf in fs::read_dir(self.folder.join("games"))? {
            let shelf = shelf?.path();
            if !shelf.is_dir() {
                continue;
            }
            for file in fs::read_dir(&shelf)? {
                let path = file?.path();
                let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_id(stem));
                match (stem, path.extension().and_then(|extension| extension.to_str())) {
                    (Some(id), Some("sgf" | "json")) => *ids.entry(id.to_string()).or_default() += 1,
                    // What a crash left before it was renamed; nobody was told of it.
                    (_, Some("new")) => fs::remove_file(&path)?,
                    _ => {}
                }
            }
        }
        let mut broken = 0;
        for id in ids.into_keys() {
            match self.load(&id) {
                Ok(table) => found(&table, self.last_change(&id)),
                Err(StoreError::Broken(error)) => {
                    log::warn!("game {id} is set aside: {error}");
                    self.set_aside(&id)?;
                    broken += 1;
                }
                // One of the two is missing: a crash while it was made, of which nobody was told.
                Err(StoreError::File(error)) if error.kind() == io::ErrorKind::NotFound => {
                    self.set_aside(&id)?;
                    broken += 1;
                }
                Err(error) => log::error!("game {id}: {error}"),
            }
        }
        Ok(broken)
    }

    fn path(&self, id: &str, extension: &str) -> PathBuf {
        self.folder.join("games").join(&id[..2]).join(id).with_extension(extension)
    }

    fn last_change(&self, id: &str) -> u64 {
        let modified = fs::metadata(self.path(id, "sgf")).and_then(|data| data.modified());
        let since = modified.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        since.map_or(0, |since| since.as_secs())
    }

    /// Reads a game.
    ///
    /// # Errors
    /// When a file is missing or damaged.
    pub fn load(&self, id: &str) -> Result<Table, StoreError> {
        let (record, charter) = (fs::read(self.path(id, "sgf"))?, fs::read(self.path(id, "json"))?);
        Ok(notes::read(id, &record, &charter)?)
    }

    /// Keeps a new game.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn create(&self, table: &Table) -> Result<(), StoreError> {
        let shelf = self.folder.join("games").join(&table.id[..2]);
        if !shelf.is_dir() {
            fs::create_dir_all(&shelf)?;
            sync_folder(&self.folder.join("games"))?;
        }
        self.keep(table, Part::Charter)?;
        self.keep(table, Part::Game)
    }

    /// Keeps a change of one part of a game. When this returns, the change has reached the disk.
    ///
    /// # Errors
    /// When the disk does not take it; what was kept before is still there.
    pub fn keep(&self, table: &Table, part: Part) -> Result<(), StoreError> {
        let (text, extension) = match part {
            Part::Game => (notes::write(table)?, "sgf"),
            Part::Charter => (charter_text(&table.charter)?, "json"),
        };
        let path = self.path(&table.id, extension);
        let beside = self.path(&table.id, &format!("{extension}.new"));
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, &path)?;
        path.parent().map_or(Ok(()), sync_folder)?;
        Ok(())
    }

    /// Forgets a game that has expired.
    pub fn remove(&self, id: &str) {
        for extension in ["json", "sgf"] {
            if let Err(error) = fs::remove_file(self.path(id, extension)) {
                log::error!("game {id} cannot be removed: {error}");
            }
        }
    }

    fn set_aside(&self, id: &str) -> io::Result<()> {
        let aside = self.folder.join("broken");
        fs::create_dir_all(&aside)?;
        for extension in ["sgf", "json"] {
            let path = self.path(id, extension);
            if path.exists() {
                fs::rename(&path, aside.join(id).with_extension(extension))?;
            }
        }
        Ok(())
    }
}

fn charter_text(charter: &Charter) -> Result<String, BrokenGame> {
    serde_json::to_string_pretty(charter).map_err(BrokenGame::Charter)
}

/// Makes the names in a folder last. Elsewhere than on Unix a folder cannot be opened, and renaming is all there is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
