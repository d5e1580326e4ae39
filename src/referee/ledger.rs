//! The results file: written line by line, so that it is valid whenever the match is interrupted, and read again when
//! the match is resumed.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::report::{COLUMNS, Report};

/// An open results file.
#[derive(Debug)]
pub(super) struct Ledger {
    file: File,
}

/// Why a results file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LedgerError {
    /// The system says why.
    File(String),
    /// It is of a match with other settings; the first line that differs.
    OtherMatch(String),
    /// This line is no result.
    BadLine(usize),
}

impl Ledger {
    /// Opens the file, makes it if it does not exist, and returns the games it holds.
    ///
    /// `settings` are what makes it this match: they are written at the start of the file and compared when resuming.
    pub(super) fn open(path: &Path, settings: &[String]) -> Result<(Ledger, Vec<Report>), LedgerError> {
        let failed = |error: std::io::Error| LedgerError::File(error.to_string());
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        // An interrupted write leaves a line without its end: that game is played again.
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        let head: Vec<String> = settings.iter().map(|line| format!("# {line}")).chain([COLUMNS.to_string()]).collect();
        let mut lines = text[..complete].lines();
        let mut reports = Vec::new();
        let mut end = complete;
        let present: Vec<&str> = lines.by_ref().take(head.len()).collect();
        if present.len() < head.len() && head.iter().zip(&present).all(|(ours, theirs)| ours == theirs) {
            // Empty, or interrupted before the first game.
            end = 0;
        } else if let Some((ours, _)) = head.iter().zip(&present).find(|(ours, theirs)| ours != *theirs) {
            return Err(LedgerError::OtherMatch(ours.clone()));
        } else {
            for (i, line) in lines.enumerate() {
                reports.push(Report::from_line(line).ok_or(LedgerError::BadLine(head.len() + i + 1))?);
            }
        }
        file.set_len(end as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut ledger = Ledger { file };
        if end == 0 {
            ledger.append(&head.join("\n")).map_err(failed)?;
        }
        Ok((ledger, reports))
    }

    /// Adds a game.
    pub(super) fn add(&mut self, report: &Report) -> std::io::Result<()> {
        self.append(&report.to_line())
    }

    /// Writes a line at once and as a whole.
    fn append(&mut self, line: &str) -> std::io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())?;
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{Ledger, LedgerError};
    use crate::referee::report::Entrant;
    use crate::referee::report::tests::won;

    #[test]
    fn a_results_file_survives_interruption() {
        let path = std::env::temp_dir().join(format!("keima-ledger-{}.tsv", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let settings = ["black: a".to_string(), "size: 9".to_string()];
        let (mut ledger, reports) = Ledger::open(&path, &settings).expect("new file");
        assert!(reports.is_empty());
        for game in 0..3 {
            ledger.add(&won(game, Entrant::First)).expect("writable");
        }
        drop(ledger);
        let mut file = std::fs::OpenOptions::new().append(true).open(&path).expect("there");
        file.write_all(b"3\t001\t1\t1").expect("writable");
        drop(file);
        let (mut ledger, reports) = Ledger::open(&path, &settings).expect("same match");
        assert_eq!(reports.len(), 3);
        ledger.add(&won(3, Entrant::Second)).expect("writable");
        drop(ledger);
        let (_, reports) = Ledger::open(&path, &settings).expect("same match");
        assert_eq!(reports.iter().map(|report| report.game).collect::<Vec<_>>(), [0, 1, 2, 3]);

        let other = ["black: a".to_string(), "size: 7".to_string()];
        assert_eq!(Ledger::open(&path, &other).err(), Some(LedgerError::OtherMatch("# size: 7".into())));
        std::fs::write(&path, "# black: a\n").expect("writable");
        assert!(Ledger::open(&path, &settings).is_ok_and(|(_, reports)| reports.is_empty()));
        let text = std::fs::read_to_string(&path).expect("there");
        std::fs::write(&path, format!("{text}garbage\n")).expect("writable");
        assert_eq!(Ledger::open(&path, &settings).err(), Some(LedgerError::BadLine(4)));
        std::fs::remove_file(&path).expect("there");
    }
}
