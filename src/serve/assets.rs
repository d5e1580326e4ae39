//! The files of the page: inside the program, under an address that changes with their content.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use sha2::{Digest as _, Sha256};

/// The page itself; everything else is loaded by it.
pub const INDEX: &str = "index.html";

/// Every other file, one a line.
const FILES: &[(&str, &[u8])] = &[
    ("api.js", include_bytes!("web/api.js")),
    ("app.js", include_bytes!("web/app.js")),
    ("board.js", include_bytes!("web/board.js")),
    ("count.js", include_bytes!("web/count.js")),
    ("dom.js", include_bytes!("web/dom.js")),
    ("drawing.js", include_bytes!("web/drawing.js")),
    ("en.js", include_bytes!("web/en.js")),
    ("game.js", include_bytes!("web/game.js")),
    ("home.js", include_bytes!("web/home.js")),
    ("icon.svg", include_bytes!("web/icon.svg")),
    ("ja.js", include_bytes!("web/ja.js")),
    ("lesson.js", include_bytes!("web/lesson.js")),
    ("panels.js", include_bytes!("web/panels.js")),
    ("store.js", include_bytes!("web/store.js")),
    ("style.css", include_bytes!("web/style.css")),
    ("text.js", include_bytes!("web/text.js")),
    ("words.js", include_bytes!("web/words.js")),
    ("zh.js", include_bytes!("web/zh.js")),
];

const INDEX_TEXT: &str = include_str!("web/index.html");

/// The files, or a folder of them while the page is being made.
#[derive(Debug)]
pub struct Assets {
    folder: Option<PathBuf>,
    hash: String,
    language: String,
    index: Text,
    files: HashMap<&'static str, Text>,
}

/// What a file holds, as it is and compressed: once at the start, and sent as often as one likes.
#[derive(Clone, Debug)]
struct Text {
    plain: Bytes,
    gzip: Bytes,
}

impl Text {
    fn of(bytes: Vec<u8>) -> Text {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to memory does not fail; if it did, nothing but the compressed form would be missing.
        let gzip = encoder.write_all(&bytes).and_then(|()| encoder.finish()).unwrap_or_default();
        Text { plain: bytes.into(), gzip: gzip.into() }
    }
}

/// A file as it is sent.
#[derive(Debug)]
pub struct Asset {
    /// What it holds.
    pub bytes: Bytes,
    /// Whether that is compressed.
    pub is_gzip: bool,
    /// What it is.
    pub kind: &'static str,
    /// Whether it may be kept for ever.
    pub lasting: bool,
}

impl Asset {
    fn of(text: Text, name: &str, lasting: bool, takes_gzip: bool) -> Asset {
        let is_gzip = takes_gzip && !text.gzip.is_empty();
        Asset { bytes: if is_gzip { text.gzip } else { text.plain }, is_gzip, kind: kind(name), lasting }
    }
}

impl Assets {
    /// The files of the program, or those of a folder. `language` is what the page speaks unless the reader chooses.
    pub fn new(folder: Option<PathBuf>, language: Option<&str>) -> Assets {
        let mut all = Sha256::new();
        for (name, bytes) in FILES {
            all.update(name.as_bytes());
            all.update((bytes.len() as u64).to_le_bytes());
            all.update(bytes);
        }
        let hash: String = all.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let language = language.unwrap_or_default().to_string();
        let index = Text::of(filled_in(INDEX_TEXT, &hash, &language));
        let files = FILES.iter().map(|(name, bytes)| (*name, Text::of(bytes.to_vec()))).collect();
        Assets { folder, hash, language, index, files }
    }

    /// The page.
    pub fn index(&self, takes_gzip: bool) -> Option<Asset> {
        let text = match &self.folder {
            Some(folder) => {
                let text = std::fs::read_to_string(folder.join(INDEX)).ok()?;
                Text::of(filled_in(&text, &self.hash, &self.language))
            }
            None => self.index.clone(),
        };
        Some(Asset::of(text, INDEX, false, takes_gzip))
    }

    /// A file by its name; a page from before an update asks under an old hash and gets what there is now.
    pub fn get(&self, hash: &str, name: &str, takes_gzip: bool) -> Option<Asset> {
        let text = match &self.folder {
            Some(folder) if is_plain(name) => Text::of(std::fs::read(folder.join(name)).ok()?),
            Some(_) => return None,
            None => self.files.get(name)?.clone(),
        };
        Some(Asset::of(text, name, self.folder.is_none() && hash == self.hash, takes_gzip))
    }
}

/// The page with what is known only when the program runs.
fn filled_in(index: &str, hash: &str, language: &str) -> Vec<u8> {
    index.replace("@ASSETS@", &format!("/a/{hash}")).replace("@LANG@", language).into_bytes()
}

/// Whether a name leads nowhere but into the folder itself.
fn is_plain(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && !name.starts_with('.') && name.chars().all(allowed)
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::{Assets, FILES};

    #[test]
    fn the_page_names_its_files_by_their_content_and_is_small() {
        let assets = Assets::new(None, Some("ja"));
        let index = String::from_utf8(assets.index(false).expect("the page").bytes.to_vec()).expect("text");
        assert!(!index.contains("@ASSETS@") && !index.contains("@LANG@"));
        let mut sent = assets.index(true).expect("the page").bytes.len();
        for (name, bytes) in FILES {
            let file = assets.get(&assets.hash, name, false).expect("a file");
            assert!(file.lasting && !assets.get("old", name, false).expect("a file").lasting, "{name}");
            let compressed = assets.get(&assets.hash, name, true).expect("a file");
            assert!(file.bytes == *bytes && !file.is_gzip && compressed.is_gzip);
            sent += compressed.bytes.len();
        }
        assert!(assets.get(&assets.hash, "index.html", false).is_none());
        assert!(assets.get(&assets.hash, "../Cargo.toml", false).is_none());
        assert!(sent <= 100_000, "{sent} bytes");
    }

    #[test]
    fn nothing_outside_a_folder_is_served_from_it() {
        let assets = Assets::new(Some(std::env::temp_dir()), None);
        for bad in ["..", "../x", "/etc/passwd", ".hidden", "a/b", ""] {
            assert!(assets.get("x", bad, false).is_none(), "{bad}");
        }
    }
}
