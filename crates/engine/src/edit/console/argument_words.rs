//! Assignment of a command's words to its parameters.

use super::error::CommandError;
use super::schema::{Flag, Kind, Parameter};
use super::words::{self, Context, Seeds};
use crate::save::places::clean_name;
use crate::voxel::MaterialTable;

/// Words of a command by parameter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ArgumentWords {
    /// Word of each parameter; `None` if it was left out.
    pub parameters: Vec<Option<String>>,
    /// Flags with their values, which are empty for flags that take none.
    pub flags: Vec<(char, String)>,
    /// For each parameter, the kinds of earlier optional parameters that its word resembles but
    /// does not fit. Named in error messages.
    unfit: Vec<Vec<&'static str>>,
}

impl ArgumentWords {
    /// Assigns the words that follow a command's name to its parameters.
    ///
    /// # Errors
    /// A word is missing or surplus, or a flag is unknown, repeated or without its value.
    pub(crate) fn assign(
        parameters: &[Parameter],
        flags: &[Flag],
        usage_text: &str,
        words: &[&str],
    ) -> Result<ArgumentWords, CommandError> {
        let known = flags;
        let mut flags = Vec::new();
        let mut rest = Vec::new();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let letters = word
                .strip_prefix('-')
                .filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
            let Some(letters) = letters else {
                rest.push(word);
                continue;
            };
            for letter in letters.chars() {
                let flag = known.iter().find(|flag| flag.letter == letter);
                let flag =
                    flag.ok_or_else(|| CommandError::Flag(word.to_owned(), usage_text.to_owned()))?;
                if flags.iter().any(|(given, _)| *given == letter) {
                    return Err(match flag.value {
                        Some(Parameter { kind: Kind::Mask, .. }) => CommandError::MaskTwice(letter),
                        _ => CommandError::FlagTwice(letter),
                    });
                }
                let value = match flag.value {
                    Some(_) => {
                        let value = words
                            .next()
                            .ok_or_else(|| CommandError::Usage(usage_text.to_owned()))?;
                        (*value).to_owned()
                    }
                    None => String::new(),
                };
                flags.push((letter, value));
            }
        }
        let (counts, unfit) = distribute(parameters, &rest, usage_text)?;
        let mut rest = rest.into_iter();
        let words = counts.into_iter().map(|count| {
            let words: Vec<&str> = rest.by_ref().take(count).collect();
            (!words.is_empty()).then(|| words.join(" "))
        });
        Ok(ArgumentWords { parameters: words.collect(), flags, unfit })
    }

    /// Checks every word. Only the form of words that refer to the selection or the clipboard is
    /// checked.
    ///
    /// # Errors
    /// Returns the error of the first invalid word.
    pub fn check(
        &self,
        parameters: &[Parameter],
        flags: &[Flag],
        materials: &MaterialTable,
    ) -> Result<(), CommandError> {
        let seeds = Seeds::new(0);
        let context = Context { materials, console: None, seeds: &seeds };
        // First, because a flag without its value takes the word of a parameter.
        for (letter, value) in &self.flags {
            let flag = flags.iter().find(|flag| flag.letter == *letter);
            if let Some(parameter) = flag.and_then(|flag| flag.value) {
                check(&parameter, value, &context)?;
            }
        }
        for ((parameter, word), unfit) in parameters.iter().zip(&self.parameters).zip(&self.unfit) {
            let Some(word) = word else { continue };
            match check(parameter, word, &context) {
                Err(reason) if !unfit.is_empty() => {
                    let kinds =
                        [unfit.as_slice(), &[parameter.kind.noun()]].concat().join(" and no ");
                    return Err(CommandError::Unfit {
                        word: word.clone(),
                        kinds,
                        reason: Box::new(reason),
                    });
                }
                checked => checked?,
            }
        }
        Ok(())
    }
}

/// Distributes words among parameters. Returns the number of words of each parameter, and
/// [`ArgumentWords::unfit`].
///
/// Parameters before the mask take words from the front, parameters after it from the back, and the
/// mask takes all words in between. An optional parameter takes a word only if the word has its
/// form and required parameters do not need it.
///
/// # Errors
/// A word is missing, or a word is left that fits no parameter.
fn distribute(
    parameters: &[Parameter],
    words: &[&str],
    usage: &str,
) -> Result<(Vec<usize>, Vec<Vec<&'static str>>), CommandError> {
    let needed = parameters.iter().filter(|parameter| !parameter.is_optional).count();
    let mut extra =
        words.len().checked_sub(needed).ok_or_else(|| CommandError::Usage(usage.to_owned()))?;
    let mut counts = vec![0; parameters.len()];
    let mut unfit = vec![Vec::new(); parameters.len()];
    let is_mask = |parameter: &Parameter| matches!(parameter.kind, Kind::Mask);
    let mask = parameters.iter().position(is_mask).unwrap_or(parameters.len());
    // Optional parameters skipped because the next word does not fit them.
    let mut passed: Vec<&Parameter> = Vec::new();
    // Error of a malformed number that a pattern or mask took as its word.
    let mut malformed = None;
    let mut first = 0;
    for (number, parameter) in parameters[..mask].iter().enumerate() {
        let word = words.get(first).filter(|_| extra > 0 || !parameter.is_optional);
        let Some(word) = word else { continue };
        if parameter.is_optional && !parameter.kind.fits(word) {
            passed.push(parameter);
            continue;
        }
        extra -= usize::from(parameter.is_optional);
        unfit[number] = nouns(&passed, word);
        let for_numbers = passed
            .iter()
            .find(|parameter| parameter.kind.is_for_numbers() && parameter.kind.may_mean(word));
        malformed =
            malformed.or(for_numbers.and_then(|parameter| check_form(parameter, word).err()));
        passed.clear();
        counts[number] = 1;
        first += 1;
    }
    let mut end = words.len();
    for (number, parameter) in parameters.iter().enumerate().skip(mask + 1).rev() {
        let word = words[first..end].last().filter(|_| extra > 0 || !parameter.is_optional);
        if word.is_some_and(|word| !parameter.is_optional || parameter.kind.fits(word)) {
            extra -= usize::from(parameter.is_optional);
            counts[number] = 1;
            end -= 1;
        }
    }
    let Some(&word) = words[first..end].first() else { return Ok((counts, unfit)) };
    if mask < parameters.len() {
        counts[mask] = end - first;
        unfit[mask] = nouns(&passed, word);
        return Ok((counts, unfit));
    }
    if let Some(malformed) = malformed {
        return Err(malformed);
    }
    // Reports why the word does not fit the parameter that it was most likely meant for.
    let likely = passed.iter().find(|parameter| parameter.kind.may_mean(word)).or(passed.last());
    Err(match likely.map(|parameter| check_form(parameter, word)) {
        Some(Err(reason)) => reason,
        Some(Ok(())) | None => {
            CommandError::Surplus { word: word.to_owned(), usage: usage.to_owned() }
        }
    })
}

/// Kinds of the skipped parameters that a word resembles, without duplicates.
fn nouns(passed: &[&Parameter], word: &str) -> Vec<&'static str> {
    let mut nouns: Vec<&str> = Vec::new();
    for parameter in passed.iter().filter(|parameter| parameter.kind.may_mean(word)) {
        if !nouns.contains(&parameter.kind.noun()) {
            nouns.push(parameter.kind.noun());
        }
    }
    nouns
}

/// Checks the form of a word. Patterns, masks and names have no form to check.
fn check_form(parameter: &Parameter, word: &str) -> Result<(), CommandError> {
    match parameter.kind {
        Kind::Position => words::position(word).map(drop),
        Kind::Radii => words::radii(word).map(drop),
        Kind::FlatRadii => words::flat_radii(word).map(drop),
        Kind::Number(from, to) => words::number(word, parameter.name, from, to).map(drop),
        Kind::Direction => words::one_direction(word, None).map(drop),
        Kind::Directions => words::directions(word, None).map(drop),
        Kind::Amount if word.parse::<i32>().is_err() => Err(CommandError::Word {
            word: word.to_owned(),
            what: "whole number",
            similar: String::new(),
        }),
        Kind::Pattern
        | Kind::Mask
        | Kind::Material
        | Kind::Amount
        | Kind::Choice(_)
        | Kind::Command
        | Kind::Name => Ok(()),
    }
}

/// Checks the word of a parameter.
fn check(parameter: &Parameter, word: &str, context: &Context<'_>) -> Result<(), CommandError> {
    match parameter.kind {
        Kind::Pattern => words::pattern(word, context).map(drop),
        Kind::Mask => words::mask(word, context).map(drop),
        Kind::Material => words::material(word, context).map(drop),
        Kind::Choice(choices) if !choices.contains(&word) => Err(CommandError::Choice {
            word: word.to_owned(),
            what: parameter.name.to_lowercase(),
            words: choices.join(", "),
        }),
        Kind::Name if clean_name(word).is_empty() => {
            Err(CommandError::Word { word: word.to_owned(), what: "name", similar: String::new() })
        }
        _ => check_form(parameter, word),
    }
}
