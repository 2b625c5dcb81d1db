//! How a command that is being typed can go on.

use super::entry::{Entry, Kind, Parameter};
use super::table;
use super::words::{DIRECTIONS, MASKS, PATTERNS};
use crate::voxel::MaterialTable;
use std::ops::Range;

/// Most proposals.
const MOST: usize = 64;
/// Characters after which a material or a word with `#` begins in patterns and masks.
const BEFORE_NAMES: &[char] = &[',', '%', '!', '>', '<', '~', '[', ' ', '"'];

/// One way to go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// What is put in.
    pub text: String,
    /// What it means; may be empty.
    pub hint: String,
}

/// How a command can go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completions {
    /// Bytes of the text that a proposal replaces: up to its end.
    pub replace: Range<usize>,
    /// The proposals, best first, at most 64.
    pub choices: Vec<Completion>,
    /// Usage of the command, once its name is complete.
    pub usage: Option<String>,
}

/// How the command `text` can go on at its end.
#[must_use]
pub fn complete(text: &str, materials: &MaterialTable) -> Completions {
    let words = raw_words(text);
    // The last word is empty after a space.
    let (before, last) = words.split_at(words.len().saturating_sub(1));
    let last = last.first().cloned().unwrap_or(text.len()..text.len());
    let Some(name) = before.first() else {
        let typed = text[last.clone()].trim_start_matches('/');
        let names = table::THEMES.iter().copied().flatten();
        let names =
            names.flat_map(|entry| entry.names.iter().map(move |name| (format!("//{name}"), entry.help.to_owned())));
        return Completions {
            replace: last.start..text.len(),
            choices: matching(names, &format!("//{typed}")),
            usage: None,
        };
    };
    let Some(entry) = table::find(&text[name.clone()]) else {
        return Completions { replace: text.len()..text.len(), choices: Vec::new(), usage: None };
    };
    let typed = &text[last.clone()];
    let usage = Some(entry.usage());
    if let Some(letters) = typed.strip_prefix('-').filter(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())) {
        let flags = entry.flags.iter().filter(|flag| !letters.contains(flag.letter));
        let flags = flags.map(|flag| (format!("-{letters}{}", flag.letter), flag.help.to_owned()));
        return Completions { replace: last.start..text.len(), choices: matching(flags, typed), usage };
    }
    let before: Vec<&str> = before[1..].iter().map(|range| &text[range.clone()]).collect();
    let parameters = next_parameters(entry, &before);
    let is_text = |parameter: &&Parameter| matches!(parameter.kind, Kind::Pattern | Kind::Mask);
    // Patterns and masks go on after their last separator, other words as a whole.
    let part = match parameters.iter().all(is_text) {
        true => last.start + typed.rfind(BEFORE_NAMES).map_or(0, |at| at + 1),
        false => last.start + typed.rfind([',']).map_or(0, |at| at + 1),
    };
    let proposals = parameters.iter().flat_map(|parameter| proposals(parameter.kind, materials));
    Completions { replace: part..text.len(), choices: matching(proposals, &text[part..]), usage }
}

/// Parameters that the word after `before` may belong to.
fn next_parameters<'a>(entry: &'a Entry, before: &[&str]) -> Vec<&'a Parameter> {
    let is_flag =
        |word: &&&str| word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    if let Some(flag) = before.last().filter(|word| is_flag(word)) {
        let flag = entry.flags.iter().find(|known| flag.ends_with(known.letter));
        if let Some(value) = flag.and_then(|flag| flag.value.as_ref()) {
            return vec![value];
        }
    }
    let mut parameters = entry.parameters.iter().peekable();
    let mut mask = None;
    for word in before.iter().filter(|word| !is_flag(word)) {
        while parameters.next_if(|parameter| parameter.is_optional && !parameter.kind.fits(word)).is_some() {}
        match parameters.next() {
            Some(parameter) if matches!(parameter.kind, Kind::Mask) => mask = Some(parameter),
            _ => {}
        }
    }
    // Up to the first that must be given; a mask may go on.
    let mut next: Vec<&Parameter> = mask.into_iter().collect();
    for parameter in parameters {
        next.push(parameter);
        if !parameter.is_optional {
            break;
        }
    }
    next
}

/// All words for a kind of parameter, with what they mean.
fn proposals(kind: Kind, materials: &MaterialTable) -> Vec<(String, String)> {
    let plain = |words: &[&str]| words.iter().map(|word| ((*word).to_owned(), String::new())).collect::<Vec<_>>();
    let hinted = |words: &[(&str, &str)]| -> Vec<(String, String)> {
        words.iter().map(|(form, hint)| ((*form).to_owned(), (*hint).to_owned())).collect()
    };
    let names = materials.iter().map(|(_, material)| (material.name.clone(), String::new()));
    match kind {
        Kind::Pattern => names.chain(hinted(&PATTERNS)).collect(),
        Kind::Mask => names.chain(hinted(&MASKS)).collect(),
        Kind::Direction | Kind::Directions => plain(&DIRECTIONS),
        Kind::Choice(words) => plain(words),
        Kind::Command => plain(&table::names().collect::<Vec<_>>()),
        Kind::Position | Kind::Radii | Kind::FlatRadii | Kind::Number(..) | Kind::Name => Vec::new(),
    }
}

/// The proposals that go on from what is typed, then those that contain it; short ones first.
fn matching(proposals: impl IntoIterator<Item = (String, String)>, typed: &str) -> Vec<Completion> {
    let typed = typed.to_lowercase();
    let rated = proposals.into_iter().filter(|(text, _)| text.contains(&typed));
    let mut choices: Vec<Completion> = Vec::new();
    for (text, hint) in rated {
        if choices.iter().all(|choice| choice.text != text) {
            choices.push(Completion { text, hint });
        }
    }
    choices.sort_by_key(|choice| (!choice.text.starts_with(&typed), choice.text.len()));
    choices.truncate(MOST);
    choices
}

/// The words of an unfinished command: brackets and quotation marks may be open. The last one is empty
/// after a space.
fn raw_words(text: &str) -> Vec<Range<usize>> {
    let (mut words, mut start, mut depth, mut is_quoted) = (Vec::new(), 0, 0i32, false);
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '[') - i32::from(c == ']');
        is_quoted ^= c == '"';
        if c.is_whitespace() && depth <= 0 && !is_quoted {
            if start < at {
                words.push(start..at);
            }
            start = at + c.len_utf8();
        }
    }
    words.push(start..text.len());
    words
}
