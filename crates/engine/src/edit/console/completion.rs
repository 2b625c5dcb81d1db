//! Completion of partly typed commands.

use super::entry::{CommandRow, Kind, Parameter};
use super::table;
use super::words::{DIRECTIONS, MASKS, PATTERNS};
use crate::voxel::{Face, Material, MaterialTable, Shape, SurfaceRule};
use std::ops::Range;

/// Maximum number of completions.
const MAX_PROPOSALS: usize = 64;
/// Characters in front of a material name or `#` word in patterns and masks. A completion replaces
/// the text after the last of them.
const BEFORE_NAMES: &[char] = &[',', '%', '!', '>', '<', '~', '[', ' ', '"'];

/// A completion of the last word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// Text to insert for the completed part.
    pub text: String,
    /// Explanation; may be empty.
    pub hint: String,
}

/// Completions for the end of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completions {
    /// Byte range that a completion replaces, which ends at the end of the text.
    pub replace: Range<usize>,
    /// Completions, best first, at most 64.
    pub choices: Vec<Completion>,
    /// Usage of the command; `None` until its name is complete.
    pub usage: Option<String>,
}

/// Finds completions for the end of the command `text`.
#[must_use]
pub fn complete(text: &str, materials: &MaterialTable) -> Completions {
    let words = raw_words(text);
    // After a space, the last word is empty.
    let (before, last) = words.split_at(words.len().saturating_sub(1));
    let last = last.first().cloned().unwrap_or(text.len()..text.len());
    let Some(name) = before.first() else {
        let typed = text[last.clone()].trim_start_matches('/');
        return Completions {
            replace: last.start..text.len(),
            choices: matching(command_names(), &format!("//{typed}")),
            usage: None,
        };
    };
    let Some(row) = table::find(&text[name.clone()]) else {
        return Completions { replace: text.len()..text.len(), choices: Vec::new(), usage: None };
    };
    let typed = &text[last.clone()];
    let usage = Some(row.usage());
    if let Some(letters) =
        typed.strip_prefix('-').filter(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        let flags = row.flags.iter().filter(|flag| !letters.contains(flag.letter));
        let flags = flags.map(|flag| (format!("-{letters}{}", flag.letter), flag.help.to_owned()));
        return Completions {
            replace: last.start..text.len(),
            choices: matching(flags, typed),
            usage,
        };
    }
    let before: Vec<&str> = before[1..].iter().map(|range| &text[range.clone()]).collect();
    let parameters = next_parameters(row, &before);
    let takes_materials =
        parameters.iter().all(|parameter| matches!(parameter.kind, Kind::Pattern | Kind::Mask));
    let separators = if takes_materials { BEFORE_NAMES } else { &[','] };
    let part = last.start + typed.rfind(separators).map_or(0, |at| at + 1);
    if let Some(words) = takes_materials.then(|| shape_words(typed, materials)).flatten() {
        let start = last.start + typed.rfind(['[', ',', ':']).map_or(0, |at| at + 1);
        let choices = matching(plain(&words), &text[start..]);
        return Completions { replace: start..text.len(), choices, usage };
    }
    let proposals = parameters.iter().flat_map(|parameter| proposals(parameter.kind, materials));
    Completions { replace: part..text.len(), choices: matching(proposals, &text[part..]), usage }
}

/// Words of shapes that may follow if `typed` ends within the brackets of a block, or of `#shape`,
/// or after a block and a colon.
fn shape_words(typed: &str, materials: &MaterialTable) -> Option<Vec<&'static str>> {
    let name = |text: &'_ str| text.rfind(BEFORE_NAMES).map_or(0, |at| at + 1);
    let is_block = |text: &str| {
        let block = materials.find(&text[name(text)..]).and_then(|id| materials.get(id));
        block.is_some_and(Material::is_shapeable)
    };
    if let Some((before, _)) = typed.rsplit_once('[').filter(|(_, inside)| !inside.contains(']')) {
        if !is_block(before) && !before.ends_with("#shape") {
            return None;
        }
        let is_first = !typed[before.len()..].contains(',');
        let families = Shape::families().filter(|_| is_first);
        let sides = Face::SIDES.map(Face::word).into_iter().filter(|_| !is_first);
        let halves = ["top", "bottom"].into_iter().filter(|_| !is_first);
        return Some(families.chain(sides).chain(halves).collect());
    }
    let (before, _) = typed.rsplit_once(':').filter(|(_, after)| !after.contains(BEFORE_NAMES))?;
    is_block(before).then(|| Shape::families().collect())
}

/// Names of all commands of the table, with their help.
fn command_names() -> impl Iterator<Item = (String, String)> {
    table::rows().flat_map(|row| {
        row.names.iter().map(move |name| (format!("//{name}"), row.help.to_owned()))
    })
}

/// True for words such as `-m`, but not for negative numbers.
fn is_flag(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Parameters that the word after the words `before` may belong to.
fn next_parameters<'a>(row: &'a CommandRow, before: &[&str]) -> Vec<&'a Parameter> {
    if let Some(flag) = before.last().filter(|word| is_flag(word)) {
        let flag = row.flags.iter().find(|known| flag.ends_with(known.letter));
        if let Some(value) = flag.and_then(|flag| flag.value.as_ref()) {
            return vec![value];
        }
    }
    let mut parameters = row.parameters.iter().peekable();
    let mut mask = None;
    for word in before.iter().filter(|word| !is_flag(word)) {
        while parameters
            .next_if(|parameter| parameter.is_optional && !parameter.kind.fits(word))
            .is_some()
        {}
        match parameters.next() {
            Some(parameter) if matches!(parameter.kind, Kind::Mask) => mask = Some(parameter),
            _ => {}
        }
    }
    // The first required parameter is the last candidate. A mask stays a candidate, because it may
    // consist of several words.
    let mut next: Vec<&Parameter> = mask.into_iter().collect();
    for parameter in parameters {
        next.push(parameter);
        if !parameter.is_optional {
            break;
        }
    }
    next
}

/// Completions with hints.
fn hinted(words: &[(&str, &str)]) -> Vec<(String, String)> {
    words.iter().map(|(form, hint)| ((*form).to_owned(), (*hint).to_owned())).collect()
}

/// Completions without hints.
fn plain(words: &[&str]) -> Vec<(String, String)> {
    words.iter().map(|word| ((*word).to_owned(), String::new())).collect()
}

/// All possible words for a kind of parameter, with their hints.
fn proposals(kind: Kind, materials: &MaterialTable) -> Vec<(String, String)> {
    let names = materials.iter().map(|(_, material)| (material.name.clone(), String::new()));
    match kind {
        Kind::Pattern => names.chain(hinted(&PATTERNS)).collect(),
        Kind::Mask => names.chain(hinted(&MASKS)).collect(),
        Kind::Material => {
            let can_be_shaped = |material: &Material| material.can_have(SurfaceRule::Smooth);
            let shaped = materials.iter().filter(|(_, material)| can_be_shaped(material));
            shaped
                .map(|(_, material)| (material.name.clone(), material.surface.to_string()))
                .collect()
        }
        Kind::Direction | Kind::Directions => plain(&DIRECTIONS),
        Kind::Choice(words) => plain(words),
        Kind::Command => plain(&table::names().collect::<Vec<_>>()),
        Kind::Position
        | Kind::Radii
        | Kind::FlatRadii
        | Kind::Number(..)
        | Kind::Amount
        | Kind::Name => Vec::new(),
    }
}

/// Completions that begin with the typed text, then completions that contain it; shorter ones
/// first. Ignores case, because names of imported materials may have capitals.
fn matching(proposals: impl IntoIterator<Item = (String, String)>, typed: &str) -> Vec<Completion> {
    let typed = typed.to_lowercase();
    let rated = proposals.into_iter().filter(|(text, _)| text.to_lowercase().contains(&typed));
    let mut choices: Vec<Completion> = Vec::new();
    for (text, hint) in rated {
        if choices.iter().all(|choice| choice.text != text) {
            choices.push(Completion { text, hint });
        }
    }
    choices.sort_by_cached_key(|choice| {
        (!choice.text.to_lowercase().starts_with(&typed), choice.text.len())
    });
    choices.truncate(MAX_PROPOSALS);
    choices
}

/// Byte ranges of the words of an unfinished command, in which brackets and quotation marks may be
/// open. The last range is empty after a space.
fn raw_words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut depth = 0i32;
    let mut is_quoted = false;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Material;

    #[test]
    fn words_of_shapes_are_proposed_after_a_block() {
        let table = MaterialTable::builtin();
        let first = |text: &str| {
            let Completions { replace, choices, .. } = complete(text, &table);
            (text[replace].to_owned(), choices.into_iter().next().map(|choice| choice.text))
        };
        for (text, typed, choice) in [
            ("//set stone[sl", "sl", "slab"),
            ("//set 50%stone[stai", "stai", "stairs"),
            ("//set stone[stairs,no", "no", "north"),
            ("//set stone[slab,t", "t", "top"),
            ("//set stone:fen", "fen", "fence"),
            ("//replace #shape[st", "st", "step"),
            ("//set stone[slab],dir", "dir", "dirt"),
            ("//set #clouds[20][sto", "sto", "stone"),
        ] {
            assert_eq!(first(text), (typed.to_owned(), Some(choice.to_owned())), "{text}");
        }
    }

    #[test]
    fn names_with_capitals_are_proposed() {
        let name = "IndustrialCraft:Copper_Wall";
        let mut table = MaterialTable::builtin();
        table.add(Material::unknown(name)).unwrap();
        for typed in ["Copper_W", "copper_w", "IndustrialCraft:copper"] {
            let choices = complete(&format!("//set {typed}"), &table).choices;
            assert!(choices.iter().any(|choice| choice.text == name), "{typed}: {choices:?}");
        }
        // Names that begin with the typed text come first.
        table.add(Material::unknown("a:Industrial")).unwrap();
        assert_eq!(complete("//set industrial", &table).choices[0].text, name);
    }
}
