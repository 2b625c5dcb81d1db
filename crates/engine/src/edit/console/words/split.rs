//! Splitting of commands into words.

use crate::edit::console::error::CommandError;
use std::ops::Range;

/// Splits a command at white space outside of brackets and quotation marks. Returns words with
/// their byte ranges. Quotation marks around a word are in the range, but not in the word.
///
/// # Errors
/// A bracket or a quotation mark is not closed.
pub(in crate::edit::console) fn words(
    text: &str,
) -> Result<Vec<(Range<usize>, &str)>, CommandError> {
    let mut words = Vec::new();
    let mut start = None;
    let mut depth = 0usize;
    let mut is_quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && depth == 0 && !is_quoted {
            words.extend(start.take().map(|start| start..at));
        } else if start.is_none() {
            start = Some(at);
        }
    }
    if is_quoted || depth > 0 {
        return Err(CommandError::Unclosed(if is_quoted { '"' } else { '[' }));
    }
    words.extend(start.map(|start| start..text.len()));
    let word = |range: Range<usize>| {
        let word = &text[range.clone()];
        (range, word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).unwrap_or(word))
    };
    Ok(words.into_iter().map(word).collect())
}

/// Parts of a word between separators outside of brackets.
pub(super) fn split_outside_brackets(
    text: &str,
    is_separator: impl Fn(char) -> bool,
) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    text.split(move |c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth == 0 && is_separator(c)
    })
}

/// Arguments in brackets: `20` and `stone,dirt` of `[20][stone,dirt]`. `None` if the text is not a
/// sequence of bracketed arguments.
pub(super) fn bracketed(text: &str) -> Option<Vec<&str>> {
    let mut arguments = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                }
            }
            ']' if depth == 0 => return None,
            ']' => {
                depth -= 1;
                if depth == 0 {
                    arguments.push(&text[start..at]);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    (depth == 0).then_some(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_white_space_outside_of_brackets_and_quotation_marks() {
        let split = |text| {
            words(text).map(|words| words.into_iter().map(|(_, word)| word).collect::<Vec<_>>())
        };
        assert_eq!(
            split("  //set  a[b c] \"d e\" f\"g h\""),
            Ok(vec!["//set", "a[b c]", "d e", "f\"g h\""])
        );
        assert_eq!(split(""), Ok(vec![]));
        assert_eq!(words(" a bc").unwrap(), [(1..2, "a"), (3..5, "bc")]);
        assert_eq!(split("a [b"), Err(CommandError::Unclosed('[')));
        assert_eq!(split("a \"b"), Err(CommandError::Unclosed('"')));
        assert_eq!(split("a ]b"), Ok(vec!["a", "]b"]));
    }

    #[test]
    fn brackets_hold_arguments() {
        assert_eq!(bracketed("[20][stone,dirt]"), Some(vec!["20", "stone,dirt"]));
        assert_eq!(bracketed("[a[b]][]"), Some(vec!["a[b]", ""]));
        assert_eq!(bracketed(""), Some(vec![]));
        for bad in ["a", "[a", "[a]b", "]", "[a]]"] {
            assert_eq!(bracketed(bad), None, "{bad}");
        }
        assert!(split_outside_brackets("a,b[c,d],e", |c| c == ',').eq(["a", "b[c,d]", "e"]));
    }
}
