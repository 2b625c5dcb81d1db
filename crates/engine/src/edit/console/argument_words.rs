//! The words of a command, assigned to its parameters when it is read.

use super::error::CommandError;
use super::schema::{Flag, Kind, Parameter};
use super::words::{self, Context, Seeds};
use crate::save::places::clean_name;
use crate::voxel::MaterialTable;

/// The words of a command by parameter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ArgumentWords {
    /// A word per parameter of the command, as far as it is given.
    pub parameters: Vec<Option<String>>,
    /// Flags with their values; an empty value for flags without.
    pub flags: Vec<(char, String)>,
    /// For each parameter, nouns of the optional ones before it that its word may have been meant
    /// for, and does not fit.
    unfit: Vec<Vec<&'static str>>,
}

impl ArgumentWords {
    /// Assigns the words after a command's name to its parameters.
    ///
    /// # Errors
    /// A word is missing, or there are too many; a flag is unknown.
    pub fn assign(
        parameters: &[Parameter],
        flags: &[Flag],
        usage_text: &str,
        words: &[&str],
    ) -> Result<ArgumentWords, CommandError> {
        let known = flags;
        let usage = || CommandError::Usage(usage_text.to_owned());
        let (mut flags, mut rest, mut words) = (Vec::new(), Vec::new(), words.iter());
        while let Some(&word) = words.next() {
            let letters = word.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
            let Some(letters) = letters else {
                rest.push(word);
                continue;
            };
            for letter in letters.chars() {
                let flag = known.iter().find(|flag| flag.letter == letter);
                let flag = flag.ok_or_else(|| CommandError::Flag(word.to_owned(), usage_text.to_owned()))?;
                if flags.iter().any(|(given, _)| *given == letter) {
                    return Err(match flag.value {
                        Some(_) => CommandError::MaskTwice(letter),
                        None => CommandError::FlagTwice(letter),
                    });
                }
                let value = match flag.value {
                    Some(_) => (*words.next().ok_or_else(usage)?).to_owned(),
                    None => String::new(),
                };
                flags.push((letter, value));
            }
        }
        let (counts, unfit) = shared_out(parameters, &rest, usage_text)?;
        let mut rest = rest.into_iter();
        let words = counts.into_iter().map(|count| {
            let words: Vec<&str> = rest.by_ref().take(count).collect();
            (!words.is_empty()).then(|| words.join(" "))
        });
        Ok(ArgumentWords { parameters: words.collect(), flags, unfit })
    }

    /// Checks every word without a console.
    ///
    /// # Errors
    /// The first word that cannot be understood.
    pub fn check(
        &self,
        parameters: &[Parameter],
        flags: &[Flag],
        materials: &MaterialTable,
    ) -> Result<(), CommandError> {
        let seeds = Seeds::new(0);
        let context = Context { materials, console: None, seeds: &seeds };
        for ((parameter, word), unfit) in parameters.iter().zip(&self.parameters).zip(&self.unfit) {
            let Some(word) = word else { continue };
            match check(parameter, word, &context) {
                Err(reason) if !unfit.is_empty() => {
                    let kinds = [unfit.as_slice(), &[parameter.kind.noun()]].concat().join(" and no ");
                    return Err(CommandError::Unfit { word: word.clone(), kinds, reason: Box::new(reason) });
                }
                checked => checked?,
            }
        }
        for (letter, value) in &self.flags {
            let flag = flags.iter().find(|flag| flag.letter == *letter);
            if let Some(parameter) = flag.and_then(|flag| flag.value) {
                check(&parameter, value, &context)?;
            }
        }
        Ok(())
    }
}

/// Number of words of each parameter, in their order, and [`ArgumentWords::unfit`].
///
/// Words belong to the parameters before the mask from the front, to those after it from the back;
/// what remains between belongs to the mask. An optional parameter takes a word of its form, unless
/// the parameters that must be given need it.
///
/// # Errors
/// A word is missing, or one is left that fits no parameter.
fn shared_out(
    parameters: &[Parameter],
    words: &[&str],
    usage: &str,
) -> Result<(Vec<usize>, Vec<Vec<&'static str>>), CommandError> {
    let needed = parameters.iter().filter(|parameter| !parameter.is_optional).count();
    let mut extra = words.len().checked_sub(needed).ok_or_else(|| CommandError::Usage(usage.to_owned()))?;
    let mut counts = vec![0; parameters.len()];
    let mut unfit = vec![Vec::new(); parameters.len()];
    let is_mask = |parameter: &Parameter| matches!(parameter.kind, Kind::Mask);
    let mask = parameters.iter().position(is_mask).unwrap_or(parameters.len());
    // Optional parameters that the next word does not fit.
    let mut passed: Vec<&Parameter> = Vec::new();
    // A malformed number, which a pattern or mask takes.
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
        let for_numbers =
            passed.iter().find(|parameter| parameter.kind.is_for_numbers() && parameter.kind.may_mean(word));
        malformed = malformed.or(for_numbers.and_then(|parameter| check_form(parameter, word).err()));
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
    // The reason why it does not fit the parameter that it is most likely meant for.
    let likely = passed.iter().find(|parameter| parameter.kind.may_mean(word)).or(passed.last());
    Err(match likely.map(|parameter| check_form(parameter, word)) {
        Some(Err(reason)) => reason,
        Some(Ok(())) | None => CommandError::Surplus { word: word.to_owned(), usage: usage.to_owned() },
    })
}

/// Nouns of the parameters that a word may have been meant for.
fn nouns(passed: &[&Parameter], word: &str) -> Vec<&'static str> {
    let mut nouns: Vec<&str> = Vec::new();
    for parameter in passed.iter().filter(|parameter| parameter.kind.may_mean(word)) {
        if !nouns.contains(&parameter.kind.noun()) {
            nouns.push(parameter.kind.noun());
        }
    }
    nouns
}

/// Checks the form of a word, for a parameter that names nothing in the map.
fn check_form(parameter: &Parameter, word: &str) -> Result<(), CommandError> {
    match parameter.kind {
        Kind::Position => words::position(word).map(drop),
        Kind::Radii => words::radii(word).map(drop),
        Kind::FlatRadii => words::flat_radii(word).map(drop),
        Kind::Number(from, to) => words::number(word, parameter.name, from, to).map(drop),
        Kind::Direction => words::one_direction(word, None).map(drop),
        Kind::Directions => words::directions(word, None).map(drop),
        Kind::Pattern | Kind::Mask | Kind::Choice(_) | Kind::Command | Kind::Name => Ok(()),
    }
}

/// Checks the word of a parameter.
fn check(parameter: &Parameter, word: &str, context: &Context<'_>) -> Result<(), CommandError> {
    match parameter.kind {
        Kind::Pattern => words::pattern(word, context).map(drop),
        Kind::Mask => words::mask(word, context).map(drop),
        Kind::Choice(choices) if !choices.contains(&word) => {
            Err(CommandError::Word { word: word.to_owned(), what: "kind", similar: choices.join(", ") })
        }
        Kind::Name if clean_name(word).is_empty() => {
            Err(CommandError::Word { word: word.to_owned(), what: "name", similar: String::new() })
        }
        _ => check_form(parameter, word),
    }
}
