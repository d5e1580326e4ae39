//! Command lines: split into words as a shell would, without a shell.

use std::fmt;

/// What is replaced by the number of the game in a command line.
pub(super) const SEED: &str = "%SEED";

/// Splits at blanks; `'...'` and `"..."` keep blanks, a backslash keeps the next character (within double quotes only
/// `"` and `\`). Nothing else has a meaning: no variables, no wildcards.
///
/// # Errors
/// When a quote is not closed or nothing is left.
pub(super) fn split(text: &str) -> Result<Vec<String>, CommandError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or(CommandError::OpenQuote)? {
                        end if end == c => break,
                        '\\' if c == '"' && matches!(chars.peek(), Some('"' | '\\')) => word.extend(chars.next()),
                        other => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next().ok_or(CommandError::OpenQuote)?),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if words.is_empty() { Err(CommandError::Empty) } else { Ok(words) }
}

/// Why a command line cannot be split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// There is no word in it.
    Empty,
    /// A quote is not closed, or a backslash stands at the end.
    OpenQuote,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CommandError::Empty => "the command is empty",
            CommandError::OpenQuote => "a quote in the command is not closed",
        })
    }
}

impl std::error::Error for CommandError {}

#[cfg(test)]
mod tests {
    use super::{CommandError, split};

    #[test]
    fn commands_are_split_as_a_shell_would() {
        let words = |text| split(text).expect("well formed");
        assert_eq!(words("  gnugo --mode\tgtp "), ["gnugo", "--mode", "gtp"]);
        assert_eq!(words(r#"a 'b  c' "d \"e\" $f" g\ h '' x"y"z"#), ["a", "b  c", r#"d "e" $f"#, "g h", "", "xyz"]);
        assert_eq!(words(r#"'\' "\n""#), ["\\", "\\n"]);
        assert_eq!(split("   "), Err(CommandError::Empty));
        assert_eq!(split("a 'b"), Err(CommandError::OpenQuote));
        assert_eq!(split("a \\"), Err(CommandError::OpenQuote));
    }
}
