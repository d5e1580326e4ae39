//! What was found before: a file of JSON lines that is read to know what is done, and added to.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;

use super::RunError;
use super::inputs::Item;
use super::options::ReviewOptions;
use crate::lines::read_whole_lines;
use crate::review::Review;

/// What tells games apart.
#[derive(Deserialize, PartialEq, Eq, Hash, Clone)]
struct Key {
    source: String,
    game: usize,
    fingerprint: u32,
}

/// Where a line begins, and its length.
type Place = (u64, usize);

/// The file, if reviews are kept in one.
pub struct Kept {
    path: PathBuf,
    file: Option<Mutex<File>>,
    places: HashMap<Key, Place>,
}

impl Kept {
    /// Opens the file of the options' folder, making what does not exist, and cuts off a last line that was not finished.
    pub fn open(options: &ReviewOptions) -> Result<Kept, RunError> {
        let Some(folder) = options.folder() else {
            return Ok(Kept { path: PathBuf::new(), file: None, places: HashMap::new() });
        };
        // Shards write files of their own: they may run at the same time on a folder that machines share.
        let name = match options.shard {
            None => "reviews.jsonl".to_string(),
            Some((shard, shards)) => format!("reviews-{shard}-of-{shards}.jsonl"),
        };
        let path = folder.join(name);
        let failed = |error| RunError::Output(path.clone(), error);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let file = File::options().read(true).append(true).create(true).open(&path).map_err(failed)?;
        let places = index(&file, options.redo).map_err(failed)?;
        Ok(Kept { path, file: Some(Mutex::new(file)), places })
    }

    /// The review of a game, if it is there.
    pub fn find(&self, item: &Item, fingerprint: u32) -> Option<Review> {
        let key = Key { source: item.label.clone(), game: item.number, fingerprint };
        let &(at, length) = self.places.get(&key)?;
        let mut file = self.file.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let mut line = vec![0; length];
        file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut line)).ok()?;
        serde_json::from_slice(&line).ok()
    }

    /// Adds a review.
    pub fn add(&self, review: &Review) -> Result<(), RunError> {
        let Some(file) = &self.file else { return Ok(()) };
        let failed = |error: io::Error| RunError::Output(self.path.clone(), error);
        let mut line = serde_json::to_vec(review).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).and_then(|()| file.flush()).map_err(failed)
    }
}

/// Where every review is in a file.
fn index(file: &File, redo: bool) -> io::Result<HashMap<Key, Place>> {
    let mut places = HashMap::new();
    read_whole_lines(file, |at, line| {
        // Whatever else is in the file stays there.
        if let (Ok(key), false) = (serde_json::from_slice::<Key>(line), redo) {
            places.insert(key, (at, line.len()));
        }
    })?;
    Ok(places)
}
