//! The strings of a RON text, with their places, fields and items.

use super::TextPlace;

/// A string of a RON text that is a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RonString<'a> {
    /// Text between the quotation marks, with escapes as they are written.
    pub(crate) content: &'a str,
    /// Last field before the string in its item; empty if there is none.
    pub(crate) field: &'a str,
    /// Index of the item of the list that contains the string.
    pub(crate) item: usize,
    /// Place of the string's first character, usually the quotation mark.
    pub(crate) place: TextPlace,
}

/// Finds the strings of a RON text that is a list, in order. Skips comments.
pub(crate) fn strings(text: &str) -> impl Iterator<Item = RonString<'_>> {
    Strings { rest: text, place: TextPlace::START, depth: 0, item: 0, word: "", field: "" }
}

/// Scanner for strings. Never fails: the text has been read as RON before.
struct Strings<'a> {
    /// Text that is not scanned yet.
    rest: &'a str,
    /// Place of its start.
    place: TextPlace,
    /// Number of open brackets.
    depth: usize,
    item: usize,
    /// The last word, a field if a colon follows.
    word: &'a str,
    field: &'a str,
}

impl<'a> Strings<'a> {
    /// Skips `len` bytes and returns them.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        for c in taken.chars() {
            if c == '\n' {
                self.place = TextPlace { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        taken
    }

    /// Interprets a character between words and strings.
    fn punctuation(&mut self, c: char) {
        match c {
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            ':' => self.field = self.word,
            ',' if self.depth == 1 => {
                self.item += 1;
                self.field = "";
            }
            _ => {}
        }
    }
}

impl<'a> Iterator for Strings<'a> {
    type Item = RonString<'a>;

    fn next(&mut self) -> Option<RonString<'a>> {
        while let Some(c) = self.rest.chars().next() {
            if let Some(len) = comment_len(self.rest) {
                self.take(len);
            } else if let Some(Quoted { content, len }) = quoted(self.rest) {
                let place = self.place;
                self.take(len.min(self.rest.len()));
                return Some(RonString { content, field: self.field, item: self.item, place });
            } else if is_word(c) {
                let len = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
                self.word = self.take(len);
            } else {
                self.take(c.len_utf8());
                self.punctuation(c);
            }
        }
        None
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length in bytes of the comment at the start of a text; `None` if there is none.
fn comment_len(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let mut at = text.strip_prefix("/*").map(|_| 2)?;
    // Block comments may be nested.
    let mut depth = 1u32;
    while depth > 0 {
        let Some(by) = text[at..].find(['/', '*']) else { return Some(text.len()) };
        at += by;
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += 1;
        }
    }
    Some(at)
}

/// A string with its quotation marks.
struct Quoted<'a> {
    content: &'a str,
    /// Length in bytes, with the marks.
    len: usize,
}

/// The string at the start of a text; `None` if there is none.
fn quoted(text: &str) -> Option<Quoted<'_>> {
    if let Some(rest) = text.strip_prefix('"') {
        let mut is_escaped = false;
        let end = rest.find(|c| {
            let is_end = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        });
        let content = &rest[..end.unwrap_or(rest.len())];
        return Some(Quoted { content, len: content.len() + 2 });
    }
    // A raw string: r#"..."#, with any number of hashes.
    let rest = text.strip_prefix('r')?;
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let content = rest[hashes..].strip_prefix('"')?;
    let end = content.find(&format!("\"{}", &rest[..hashes]));
    let content = &content[..end.unwrap_or(content.len())];
    Some(Quoted { content, len: content.len() + 2 * hashes + 3 })
}
