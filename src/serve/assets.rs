//! The files of the page: inside the program, under an address that changes with their content.

use std::path::PathBuf;

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
}

/// A file as it is sent.
#[derive(Debug)]
pub struct Asset {
    /// What it holds.
    pub bytes: Vec<u8>,
    /// What it is.
    pub kind: &'static str,
    /// Whether it may be kept for ever.
    pub lasting: bool,
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
        let hash = all.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        Assets { folder, hash, language: language.unwrap_or_default().to_string() }
    }

    /// The page.
    pub fn index(&self) -> Option<Asset> {
        let text = match &self.folder {
            Some(folder) => std::fs::read_to_string(folder.join(INDEX)).ok()?,
            None => INDEX_TEXT.to_string(),
        };
        let text = text.replace("@ASSETS@", &format!("/a/{}", self.hash)).replace("@LANG@", &self.language);
        Some(Asset { bytes: text.into_bytes(), kind: kind(INDEX), lasting: false })
    }

    /// A file by its name; a page from before an update asks under an old hash and gets what there is now.
    pub fn get(&self, hash: &str, name: &str) -> Option<Asset> {
        let bytes = match &self.folder {
            Some(folder) if is_plain(name) => std::fs::read(folder.join(name)).ok()?,
            Some(_) => return None,
            None => FILES.iter().find(|(known, _)| *known == name)?.1.to_vec(),
        };
        Some(Asset { bytes, kind: kind(name), lasting: self.folder.is_none() && hash == self.hash })
    }

    /// Bytes of the whole page.
    pub fn total(&self) -> usize {
        INDEX_TEXT.len() + FILES.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
    }
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
        let index = String::from_utf8(assets.index().expect("the page").bytes).expect("text");
        assert!(!index.contains("@ASSETS@") && !index.contains("@LANG@"));
        for (name, _) in FILES {
            let file = assets.get(&assets.hash, name).expect("a file");
            assert!(file.lasting && !assets.get("old", name).expect("a file").lasting, "{name}");
        }
        assert!(
            assets.get(&assets.hash, "index.html").is_none() && assets.get(&assets.hash, "../Cargo.toml").is_none()
        );
        assert!(assets.total() <= 100_000, "{} bytes", assets.total());
    }

    #[test]
    fn nothing_outside_a_folder_is_served_from_it() {
        let assets = Assets::new(Some(std::env::temp_dir()), None);
        for bad in ["..", "../x", "/etc/passwd", ".hidden", "a/b", ""] {
            assert!(assets.get("x", bad).is_none(), "{bad}");
        }
    }
}
