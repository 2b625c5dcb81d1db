//! Typed access to the arguments of a running command.

use super::argument_words::ArgumentWords;
use super::error::CommandError;
use super::job::{ConsoleJob, ConsoleTask, JobResult};
use super::schema::{Kind, Parameter};
use super::state::Console;
use super::words::{self, Context, Seeds};
use crate::edit::{EditError, Mask, Pattern, VoxelEdit};
use crate::voxel::{Face, Material, MaterialId, MaterialTable, Matter, Voxel};
use glam::{DVec3, IVec3};
use std::cell::Cell;

/// Arguments of a running command.
pub(super) struct Arguments<'a> {
    /// Parameters of the command's row.
    pub parameters: &'static [Parameter],
    /// The command as it was typed.
    pub text: &'a str,
    /// Checked words by parameter.
    pub words: &'a ArgumentWords,
    /// The map's materials.
    pub materials: &'a MaterialTable,
    /// Source of seeds for the command's random patterns and masks.
    pub seeds: Seeds,
    /// Note on the pattern, for the answer of the job.
    pub pattern_note: Cell<Option<&'static str>>,
    /// Explains a command, or lists all commands. A function pointer, because the function reads
    /// the table whose rows use it.
    pub help: fn(Option<&str>) -> Result<String, CommandError>,
}

impl Arguments<'_> {
    /// Parameter with a name, and its word; `None` if the word was left out.
    fn word(&self, name: &str) -> Option<(&Parameter, &str)> {
        let at = self.parameters.iter().position(|parameter| parameter.name == name)?;
        Some((&self.parameters[at], self.words.parameters.get(at)?.as_deref()?))
    }

    fn context<'c>(&'c self, console: &'c Console) -> Context<'c> {
        Context { materials: self.materials, console: Some(console), seeds: &self.seeds }
    }

    /// True if the flag was given.
    pub(crate) fn has_flag(&self, letter: char) -> bool {
        self.words.flags.iter().any(|(given, _)| *given == letter)
    }

    /// Fails if a word was given that has no effect next to another argument, `other`.
    ///
    /// # Errors
    /// Returns [`CommandError::NoEffect`] if parameter `name` has a word.
    pub fn refuse(&self, name: &str, other: &str) -> Result<(), CommandError> {
        let Some((_, word)) = self.word(name) else { return Ok(()) };
        Err(CommandError::NoEffect { argument: word.to_owned(), other: other.to_owned() })
    }

    /// Value of a flag as it was typed; `None` without the flag.
    pub(crate) fn flag_value(&self, letter: char) -> Option<&str> {
        let mut flags = self.words.flags.iter();
        flags.find(|(given, _)| *given == letter).map(|(_, value)| value.as_str())
    }

    /// Number of a flag; `None` without the flag.
    pub(crate) fn flag_number(
        &self,
        letter: char,
        value: Parameter,
    ) -> Result<Option<i32>, CommandError> {
        let Kind::Number(from, to) = value.kind else { return Ok(None) };
        let word = self.flag_value(letter);
        word.map(|word| words::number(word, value.name, from, to)).transpose()
    }

    /// Fails if a flag was given that has no effect, as the phrase `other` explains.
    ///
    /// # Errors
    /// Returns [`CommandError::NoEffect`] if the flag was given.
    pub(crate) fn refuse_flag(&self, letter: char, other: &str) -> Result<(), CommandError> {
        if !self.has_flag(letter) {
            return Ok(());
        }
        Err(CommandError::NoEffect { argument: format!("-{letter}"), other: other.to_owned() })
    }

    /// Mask of flag `-m`; [`Mask::Any`] without the flag.
    pub(crate) fn flag_mask(&self, console: &Console) -> Result<Mask, CommandError> {
        let value = self.words.flags.iter().find(|(letter, _)| *letter == 'm');
        value.map_or(Ok(Mask::Any), |(_, value)| words::mask(value, &self.context(console)))
    }

    /// Word of a parameter as it was typed; `None` if it was left out.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.word(name).map(|(_, word)| word)
    }

    /// Fails if the map lacks materials, so that the caller adds them.
    ///
    /// # Errors
    /// Materials are missing, or the table has no room for them.
    pub fn need(&self, missing: Vec<Material>) -> Result<(), CommandError> {
        match missing.first() {
            None => Ok(()),
            Some(first) if self.materials.len() + missing.len() > Voxel::MAX_MATERIALS => {
                Err(CommandError::TableFull(first.name.clone()))
            }
            Some(_) => Err(CommandError::NeedsMaterials(missing)),
        }
    }

    /// Pattern of the command; air if it was left out.
    pub fn pattern(&self, console: &Console) -> Result<Pattern, CommandError> {
        let Some((_, word)) = self.word("PATTERN") else { return Ok(Pattern::Voxel(Voxel::AIR)) };
        let pattern = words::pattern(word, &self.context(console))?;
        self.pattern_note.set(words::shallow_ground_note(&pattern, self.materials));
        Ok(pattern)
    }

    /// Mask of the command; `None` if it was left out.
    pub fn mask(&self, console: &Console) -> Result<Option<Mask>, CommandError> {
        self.word("MASK").map(|(_, word)| words::mask(word, &self.context(console))).transpose()
    }

    /// Coordinates of the command; `None` if they were left out.
    pub fn position(&self) -> Result<Option<IVec3>, CommandError> {
        self.word("X,Y,Z").map(|(_, word)| words::position(word)).transpose()
    }

    /// Radii along x, y and z; 0 if they are left out.
    pub fn radii(&self) -> Result<DVec3, CommandError> {
        self.word("RADII").map_or(Ok(DVec3::ZERO), |(_, word)| words::radii(word))
    }

    /// Factors along x, y and z; 1 if they are left out.
    pub fn factors(&self) -> Result<DVec3, CommandError> {
        self.word("FACTORS").map_or(Ok(DVec3::ONE), |(_, word)| words::radii(word))
    }

    /// Radii along x and z; 0 if they are left out.
    pub(crate) fn flat_radii(&self) -> Result<[f64; 2], CommandError> {
        self.word("RADII").map_or(Ok([0.0; 2]), |(_, word)| words::flat_radii(word))
    }

    /// Number of a parameter; `default` if it was left out.
    pub fn number(&self, name: &str, default: i32) -> Result<i32, CommandError> {
        match self.word(name) {
            Some((&Parameter { name, kind: Kind::Number(from, to), .. }, word)) => {
                words::number(word, name, from, to)
            }
            _ => Ok(default),
        }
    }

    /// Number of a parameter whose limits, both included, depend on other words; `None` if it was
    /// left out. `what` is its noun in the error.
    pub(crate) fn amount(
        &self,
        name: &str,
        what: &'static str,
        from: u8,
        to: u8,
    ) -> Result<Option<u8>, CommandError> {
        let Some((_, word)) = self.word(name) else { return Ok(None) };
        let amount = word.parse().ok().filter(|amount| (from..=to).contains(amount));
        let error = || CommandError::Number {
            word: word.to_owned(),
            what,
            from: from.into(),
            to: to.into(),
        };
        amount.map(Some).ok_or_else(error)
    }

    /// Material of a required parameter.
    pub(crate) fn material(&self, name: &str) -> Result<(MaterialId, &Material), CommandError> {
        let missing =
            |word: &str| CommandError::Material { name: word.to_owned(), similar: String::new() };
        let word = self.text(name).unwrap_or_default().trim();
        let id = self.materials.find(word).ok_or_else(|| missing(word))?;
        let material = self.materials.get(id).ok_or_else(|| missing(word))?;
        Ok((id, material))
    }

    /// Direction of the command; `default` if it was left out.
    pub fn direction(&self, console: &Console, default: Face) -> Result<Face, CommandError> {
        self.word("DIRECTION")
            .map_or(Ok(default), |(_, word)| words::one_direction(word, Some(console)))
    }

    /// Directions of the command; the direction that the player looks in if they were left out.
    pub fn directions(&self, console: &Console) -> Result<Vec<Face>, CommandError> {
        match self.word("DIRECTIONS") {
            Some((_, word)) => words::directions(word, Some(console)),
            None => Ok(vec![console.forward()]),
        }
    }

    /// Full voxel of one of the game's materials.
    ///
    /// # Errors
    /// The map lacks the material, as imported maps may.
    pub fn built_in(&self, name: &str) -> Result<Voxel, CommandError> {
        let missing = || CommandError::Material { name: name.to_owned(), similar: String::new() };
        self.materials.find(name).map(Voxel::full).ok_or_else(missing)
    }

    /// Mask of all materials of the given kinds of matter.
    pub fn matter(&self, kinds: &[Matter]) -> Mask {
        let of_kind =
            self.materials.iter().filter(|(_, material)| kinds.contains(&material.matter));
        Mask::Materials(of_kind.map(|(id, _)| id).collect())
    }

    /// Job that changes voxels and answers with their number.
    pub fn change(
        &self,
        console: &Console,
        work: impl FnOnce(&mut VoxelEdit<'_>) -> Result<u64, EditError> + Send + 'static,
    ) -> ConsoleTask {
        self.job(console, |edit| Ok(JobResult::changed(work(edit)?)))
    }

    /// Job that leaves the console unchanged.
    pub fn job(
        &self,
        console: &Console,
        work: impl FnOnce(&mut VoxelEdit<'_>) -> Result<JobResult, EditError> + Send + 'static,
    ) -> ConsoleTask {
        self.console_job(console, false, work)
    }

    /// Job that may change the selection, the clipboard or the named regions if `changes_console`
    /// is set.
    pub(crate) fn console_job(
        &self,
        console: &Console,
        changes_console: bool,
        work: impl FnOnce(&mut VoxelEdit<'_>) -> Result<JobResult, EditError> + Send + 'static,
    ) -> ConsoleTask {
        let name = self.text.trim().to_owned();
        let note = self.pattern_note.get();
        let work = move |edit: &mut VoxelEdit<'_>| {
            let mut result = work(edit)?;
            if let Some(note) = note.filter(|_| result.voxels > 0) {
                result.answer = format!("{}; {note}", result.answer);
            }
            Ok(result)
        };
        ConsoleTask::Job(ConsoleJob {
            name,
            mask: console.mask().clone(),
            changes_console,
            work: Box::new(work),
        })
    }
}
