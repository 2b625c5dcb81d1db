//! The arguments of a command: assigned to parameters when it is read, and understood when it runs.

use super::error::CommandError;
use super::job::{ConsoleJob, ConsoleTask, JobResult};
use super::schema::{Flag, Kind, Parameter};
use super::state::Console;
use super::words::{self, Context, Seeds};
use crate::edit::{EditError, Mask, Pattern, VoxelEdit};
use crate::save::places::clean_name;
use crate::voxel::{Face, MaterialTable, Matter, Voxel};
use glam::{DVec3, IVec3};

/// The words of a command by parameter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ArgumentWords {
    /// A word per parameter of the command, as far as it is given.
    pub parameters: Vec<Option<String>>,
    /// Flags with their values; an empty value for flags without.
    pub flags: Vec<(char, String)>,
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
        let needed = parameters.iter().filter(|parameter| !parameter.is_optional).count();
        let mut extra = rest.len().checked_sub(needed).ok_or_else(usage)?;
        // Words belong to the parameters before the mask from the front, to those after it from the
        // back; what remains between belongs to the mask.
        let mut counts = vec![0; parameters.len()];
        let is_mask = |parameter: &Parameter| matches!(parameter.kind, Kind::Mask);
        let mask = parameters.iter().position(is_mask).unwrap_or(parameters.len());
        let mut take = |number: usize, word: Option<&&str>| {
            let Parameter { kind, is_optional, .. } = parameters[number];
            let is_given = !is_optional || (extra > 0 && word.is_some_and(|word| kind.fits(word)));
            extra -= usize::from(is_given && is_optional);
            counts[number] = usize::from(is_given);
            usize::from(is_given)
        };
        let (mut first, mut end) = (0, rest.len());
        for number in 0..mask {
            first += take(number, rest.get(first));
        }
        for number in (mask + 1..parameters.len()).rev() {
            end -= take(number, end.checked_sub(1).and_then(|last| rest.get(last)));
        }
        match counts.get_mut(mask) {
            Some(count) => *count = end - first,
            None if first < end => return Err(usage()),
            None => {}
        }
        let mut rest = rest.into_iter();
        let words = counts.into_iter().map(|count| {
            let words: Vec<&str> = rest.by_ref().take(count).collect();
            (!words.is_empty()).then(|| words.join(" "))
        });
        Ok(ArgumentWords { parameters: words.collect(), flags })
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
        for (parameter, word) in parameters.iter().zip(&self.parameters) {
            if let Some(word) = word {
                check(parameter, word, &context)?;
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

/// Checks the word of a parameter.
fn check(parameter: &Parameter, word: &str, context: &Context<'_>) -> Result<(), CommandError> {
    match parameter.kind {
        Kind::Pattern => words::pattern(word, context).map(drop),
        Kind::Mask => words::mask(word, context).map(drop),
        Kind::Position => words::position(word).map(drop),
        Kind::Radii => words::radii(word).map(drop),
        Kind::FlatRadii => words::flat_radii(word).map(drop),
        Kind::Number(from, to) => words::number(word, parameter.name, from, to).map(drop),
        Kind::Direction => words::one_direction(word, context).map(drop),
        Kind::Directions => words::directions(word, context).map(drop),
        Kind::Choice(choices) if !choices.contains(&word) => {
            Err(CommandError::Word { word: word.to_owned(), what: "kind", similar: choices.join(", ") })
        }
        Kind::Name if clean_name(word).is_empty() => {
            Err(CommandError::Word { word: word.to_owned(), what: "name", similar: String::new() })
        }
        Kind::Choice(_) | Kind::Command | Kind::Name => Ok(()),
    }
}

/// The arguments of a command that runs.
pub(super) struct Arguments<'a> {
    /// Parameters of the command.
    pub parameters: &'static [Parameter],
    /// The command as it was typed.
    pub text: &'a str,
    pub words: &'a ArgumentWords,
    pub materials: &'a MaterialTable,
    /// Seeds of its random patterns and masks.
    pub seeds: Seeds,
    /// Explains a command, or lists all.
    pub help: fn(Option<&str>) -> Result<String, CommandError>,
}

impl Arguments<'_> {
    /// The word of a parameter, with the number that the parameter has.
    fn word(&self, name: &str) -> Option<(&Parameter, &str)> {
        let at = self.parameters.iter().position(|parameter| parameter.name == name)?;
        Some((&self.parameters[at], self.words.parameters.get(at)?.as_deref()?))
    }

    fn context<'c>(&'c self, console: &'c Console) -> Context<'c> {
        Context { materials: self.materials, console: Some(console), seeds: &self.seeds }
    }

    /// True if a flag is given.
    pub fn has_flag(&self, letter: char) -> bool {
        self.words.flags.iter().any(|(given, _)| *given == letter)
    }

    /// Refuses the word of a parameter that another argument, named in `beside`, makes
    /// meaningless.
    ///
    /// # Errors
    /// The word is given.
    pub fn refuse(&self, name: &str, beside: &str) -> Result<(), CommandError> {
        let Some((_, word)) = self.word(name) else { return Ok(()) };
        Err(CommandError::NoEffect { argument: word.to_owned(), beside: beside.to_owned() })
    }

    /// The mask of flag `-m`; everything without it.
    pub fn flag_mask(&self, console: &Console) -> Result<Mask, CommandError> {
        let value = self.words.flags.iter().find(|(letter, _)| *letter == 'm');
        value.map_or(Ok(Mask::Any), |(_, value)| words::mask(value, &self.context(console)))
    }

    /// The word of a parameter as it was typed.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.word(name).map(|(_, word)| word)
    }

    /// The pattern; air if it is left out.
    pub fn pattern(&self, console: &Console) -> Result<Pattern, CommandError> {
        let Some((_, word)) = self.word("PATTERN") else { return Ok(Pattern::Voxel(Voxel::AIR)) };
        words::pattern(word, &self.context(console))
    }

    /// The mask, if it is given.
    pub fn mask(&self, console: &Console) -> Result<Option<Mask>, CommandError> {
        self.word("MASK").map(|(_, word)| words::mask(word, &self.context(console))).transpose()
    }

    /// A place, if it is given.
    pub fn position(&self) -> Result<Option<IVec3>, CommandError> {
        self.word("X,Y,Z").map(|(_, word)| words::position(word)).transpose()
    }

    /// Radii along x, y and z.
    pub fn radii(&self) -> Result<DVec3, CommandError> {
        self.word("RADII").map_or(Ok(DVec3::ZERO), |(_, word)| words::radii(word))
    }

    /// Factors along x, y and z.
    pub fn factors(&self) -> Result<DVec3, CommandError> {
        self.word("FACTORS").map_or(Ok(DVec3::ONE), |(_, word)| words::radii(word))
    }

    /// Radii along x and z.
    pub fn flat_radii(&self) -> Result<[f64; 2], CommandError> {
        self.word("RADII").map_or(Ok([0.0; 2]), |(_, word)| words::flat_radii(word))
    }

    /// The number of a parameter, or `default`.
    pub fn number(&self, name: &str, default: i32) -> Result<i32, CommandError> {
        match self.word(name) {
            Some((&Parameter { name, kind: Kind::Number(from, to), .. }, word)) => words::number(word, name, from, to),
            _ => Ok(default),
        }
    }

    /// The direction, or `default`.
    pub fn direction(&self, console: &Console, default: Face) -> Result<Face, CommandError> {
        self.word("DIRECTION").map_or(Ok(default), |(_, word)| words::one_direction(word, &self.context(console)))
    }

    /// The directions; where the player looks if none is given.
    pub fn directions(&self, console: &Console) -> Result<Vec<Face>, CommandError> {
        match self.word("DIRECTIONS") {
            Some((_, word)) => words::directions(word, &self.context(console)),
            None => Ok(vec![console.forward()]),
        }
    }

    /// The full voxel of one of the game's materials. Imported maps may lack it.
    pub fn built_in(&self, name: &str) -> Result<Voxel, CommandError> {
        let missing = || CommandError::Material { name: name.to_owned(), similar: String::new() };
        self.materials.find(name).map(Voxel::full).ok_or_else(missing)
    }

    /// The mask of the materials of some kinds of matter.
    pub fn matter(&self, kinds: &[Matter]) -> Mask {
        let of_kind = self.materials.iter().filter(|(_, material)| kinds.contains(&material.matter));
        Mask::Materials(of_kind.map(|(id, _)| id).collect())
    }

    /// A job that changes voxels and says how many.
    pub fn change(
        &self,
        console: &Console,
        work: impl FnOnce(&mut VoxelEdit<'_>) -> Result<u64, EditError> + Send + 'static,
    ) -> ConsoleTask {
        self.job(console, |edit| Ok(JobResult::changed(work(edit)?)))
    }

    /// A job that does `work`.
    pub fn job(
        &self,
        console: &Console,
        work: impl FnOnce(&mut VoxelEdit<'_>) -> Result<JobResult, EditError> + Send + 'static,
    ) -> ConsoleTask {
        let name = self.text.trim().to_owned();
        ConsoleTask::Job(ConsoleJob { name, mask: console.mask().clone(), work: Box::new(work) })
    }
}
