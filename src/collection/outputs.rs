//! Where reviews go: standard output, and files that are complete or not there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::inputs::{self, Item};
use super::options::{Format, ReviewOptions};
use super::{Plan, RunError};
use crate::review::annotate::{Threshold, annotate};
use crate::review::picture::curve;
use crate::review::{Review, html, table};
use crate::sgf::Property;

/// The outputs of a run.
pub struct Outputs {
    formats: Vec<Format>,
    folder: Option<PathBuf>,
    threshold: Threshold,
}

impl Outputs {
    pub fn new(options: &ReviewOptions) -> Outputs {
        Outputs { formats: options.formats(), folder: options.folder(), threshold: options.threshold() }
    }

    /// Writes a review in every form that is asked for.
    pub fn write(&self, item: &Item, review: &Review, plan: &Plan) -> Result<(), RunError> {
        for &format in &self.formats {
            match format {
                Format::Table => print(&format!("{}\n", table::table(review)))?,
                Format::Json => {
                    let line = serde_json::to_string(review).map_err(|error| RunError::Standard(error.into()))?;
                    print(&format!("{line}\n"))?;
                }
                Format::Sgf => self.save(item, "review.sgf", || Ok(self.annotated(item, review).into_bytes()))?,
                Format::Html => self.save(item, "html", || {
                    let before = |number| plan.record.game_at(plan.rules, number).ok();
                    Ok(html::page(review, &before).into_bytes())
                })?,
                Format::Svg => self.save(item, "svg", || Ok(curve(review).svg_file().into_bytes()))?,
                Format::Png => self.save(item, "png", || curve(review).png().map_err(io::Error::other))?,
            }
        }
        Ok(())
    }

    fn annotated(&self, item: &Item, review: &Review) -> String {
        let Ok(mut tree) = inputs::tree(item) else { return item.text.clone() };
        annotate(&mut tree, review, self.threshold);
        // Whatever it was read from, it is written in UTF-8.
        tree.nodes[0].set(Property::with_text("CA", "UTF-8"));
        tree.write()
    }

    /// Writes a file under another name and gives it its own when it is complete.
    fn save(&self, item: &Item, ending: &str, make: impl FnOnce() -> io::Result<Vec<u8>>) -> Result<(), RunError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut name = folder.join(&item.stem).into_os_string();
        name.push(".");
        name.push(ending);
        let path = PathBuf::from(name);
        make().and_then(|bytes| replace(&path, &bytes)).map_err(|error| RunError::Output(path.clone(), error))
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut part = path.as_os_str().to_os_string();
    part.push(".part");
    fs::write(&part, bytes)?;
    fs::rename(&part, path)
}

fn print(text: &str) -> Result<(), RunError> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(RunError::Standard)
}
