//! Text from outside, of which only so much is kept in memory: lines and files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The largest file of game records that is read at once, in bytes: some 100,000 games.
pub const LARGEST_FILE: u64 = 256 << 20;

/// How a line was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineRead {
    /// All of it is there, with its line end unless the input ended.
    Whole,
    /// It was too long: what is there is its beginning, and the rest was thrown away.
    Cut,
    /// The input has ended.
    End,
}

/// Reads a line into `line`, whose former content is dropped, and keeps at most `longest` bytes of it.
///
/// # Errors
/// When reading fails.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, longest: usize) -> io::Result<LineRead> {
    line.clear();
    if input.by_ref().take(longest as u64).read_until(b'\n', line)? == 0 {
        return Ok(LineRead::End);
    }
    if line.len() < longest || line.ends_with(b"\n") {
        return Ok(LineRead::Whole);
    }
    skip_line(input)?;
    Ok(LineRead::Cut)
}

/// Hands over each line of a file that is added to line by line, with the place where it begins, and cuts off what follows the last line end:
/// a line that was not finished.
///
/// # Errors
/// When the file cannot be read or cut.
pub fn read_whole_lines(file: &File, mut take: impl FnMut(u64, &[u8])) -> io::Result<()> {
    let mut reader = BufReader::new(file);
    let (mut at, mut line) = (0, Vec::new());
    while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        take(at, &line);
        at += line.len() as u64;
        line.clear();
    }
    if !line.is_empty() {
        file.set_len(at)?;
    }
    Ok(())
}

/// Reads a whole file of game records, unless it has more than [`LARGEST_FILE`] bytes.
///
/// # Errors
/// When the file cannot be read or is too large.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(File::open(path)?, LARGEST_FILE)
}

/// Reads all of `input`, unless it has more than `most` bytes.
///
/// # Errors
/// When it cannot be read or is too long.
pub fn read_at_most(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if input.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        let text = format!("larger than {} MiB; split it", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (used, found) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if found {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineRead, read_at_most, read_line};

    #[test]
    fn what_is_too_large_is_refused_and_what_just_fits_is_read() {
        assert_eq!(read_at_most(&[7; 100][..], 100).expect("it fits"), [7; 100]);
        assert!(read_at_most(std::io::repeat(7), 1 << 20).is_err_and(|error| error.to_string().contains("1 MiB")));
    }

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let mut input = &b"ab\nabcdefgh\n\nabcd\nabcde"[..];
        let mut line = Vec::new();
        let mut next = || (read_line(&mut input, &mut line, 5).expect("readable"), line.clone());
        assert_eq!(next(), (LineRead::Whole, b"ab\n".to_vec()));
        assert_eq!(next(), (LineRead::Cut, b"abcde".to_vec()));
        assert_eq!(next(), (LineRead::Whole, b"\n".to_vec()));
        assert_eq!(next(), (LineRead::Whole, b"abcd\n".to_vec()));
        assert_eq!(next(), (LineRead::Cut, b"abcde".to_vec()));
        assert_eq!(next(), (LineRead::End, Vec::new()));
    }
}
