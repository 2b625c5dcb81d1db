//! What an entered line asks for.

use super::state::{Entry, Wait};
use crate::game::state::settings::rules_speed::RulesSpeed;
use stonerun_engine::edit::console::{CommandError, Console, ConsoleCommand, ConsoleTask, GameCommand};
use stonerun_engine::voxel::MaterialTable;

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Asked {
    /// Nothing.
    Nothing,
    /// To cancel all jobs.
    Cancel,
    /// To change the speed of the world's rules.
    RulesSpeed(RulesSpeed),
    /// To let the rules do some steps.
    RulesSteps(u32),
    /// To make the file of the map's own rules.
    OwnRules,
    /// To let the rules act on all of the selection.
    WakeRules,
    /// To do something with creatures.
    Creatures(CreaturesAsked),
    /// A command of the console.
    Command(ConsoleCommand),
}

/// What a line asks of creatures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CreaturesAsked {
    /// To live, or to disappear.
    Live(bool),
    /// To be placed: name of the kind, how many.
    Place(String, u32),
    /// To come: name of the kind.
    Call(String),
    /// To be pinned or let go within a radius.
    Pin(bool, i32),
    /// To be removed within a radius.
    Remove(i32),
    /// To flee from within a radius.
    Scare(i32),
}

/// Most creatures that one command places, and the largest radius.
const MOST_PLACED: i32 = 500;
const MOST_RADIUS: i32 = 512;
/// Radius without a number.
const RADIUS: i32 = 8;
/// Most steps that one command asks for.
const MOST_STEPS: i32 = 100_000;

/// A line without the mark of a preview: a command whose name ends with `?` is shown first.
pub(super) fn entry(line: &str, preview: bool) -> Entry {
    let line = line.trim();
    let (name, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    match name.strip_suffix('?') {
        Some(name) => Entry { preview: true, is_marked: true, ..Entry::new(format!("{name}{rest}"), preview) },
        None => Entry::new(line.to_owned(), preview),
    }
}

/// Jobs that a command waits for. Undo and redo wait for all, too.
pub(super) fn wait(asked: &Asked) -> Option<Wait> {
    match asked {
        Asked::Command(_) => Some(Wait::Console),
        Asked::RulesSteps(_) | Asked::WakeRules | Asked::Creatures(CreaturesAsked::Place(..)) => Some(Wait::All),
        Asked::Nothing | Asked::Cancel | Asked::RulesSpeed(_) | Asked::OwnRules | Asked::Creatures(_) => None,
    }
}

/// True if a preview of it has something to show: voxels that the job of a command would change.
pub(super) fn has_preview(asked: &Asked, console: &Console, materials: &MaterialTable) -> bool {
    let Asked::Command(command) = asked else { return false };
    // A command that fails says why.
    matches!(console.clone().task(command, materials), Ok(ConsoleTask::Job(_)) | Err(_))
}

/// True if the line cancels all jobs.
pub(super) fn cancels(entry: &Entry) -> bool {
    // One with arguments is refused.
    game_command(&entry.text) == Some(GameCommand::Cancel) && entry.text.split_whitespace().nth(1).is_none()
}

/// The command of the game that a line begins with.
fn game_command(text: &str) -> Option<GameCommand> {
    GameCommand::find(text.split_whitespace().next()?)
}

/// Reads a line.
///
/// # Errors
/// There is no such command, or an argument is malformed.
pub(super) fn read(entry: &Entry, materials: &MaterialTable) -> Result<Asked, CommandError> {
    let text = entry.text.as_str();
    if matches!(text, "" | "/" | "//") {
        return Ok(Asked::Nothing);
    }
    match game_command(text) {
        Some(GameCommand::Cancel) if text.split_whitespace().nth(1).is_some() => {
            Err(CommandError::Usage(GameCommand::Cancel.usage().to_owned()))
        }
        Some(GameCommand::Cancel) => Ok(Asked::Cancel),
        Some(GameCommand::Rules) => rules(text),
        Some(GameCommand::Creatures) => creatures(text).map(Asked::Creatures),
        None => ConsoleCommand::parse(text, materials).map(Asked::Command),
    }
}

/// Reads `//rules`.
fn rules(text: &str) -> Result<Asked, CommandError> {
    let usage = || CommandError::Usage(GameCommand::Rules.usage().to_owned());
    let mut words = text.split_whitespace().skip(1);
    let asked = match words.next() {
        Some("own") => Asked::OwnRules,
        Some("wake") => Asked::WakeRules,
        Some("step") => {
            Asked::RulesSteps(words.next().map_or(Ok(1), |word| number(word, "number of steps", MOST_STEPS))?)
        }
        Some(name) => {
            let speed = RulesSpeed::ALL.iter().copied().find(|speed| speed.name() == name);
            Asked::RulesSpeed(speed.ok_or_else(|| action(name, GameCommand::Rules.usage()))?)
        }
        None => return Err(usage()),
    };
    if words.next().is_some() { Err(usage()) } else { Ok(asked) }
}

/// The error of a word that is no action of the command with this usage: while it may become one,
/// the usage alone.
fn action(word: &str, usage: &'static str) -> CommandError {
    let actions = usage.split([' ', '|']).skip(1).filter(|known| known.chars().all(char::is_lowercase));
    let is_begun = actions.into_iter().any(|known| known.starts_with(word));
    match is_begun {
        true => CommandError::Usage(usage.to_owned()),
        false => CommandError::Action { word: word.to_owned(), usage: usage.to_owned() },
    }
}

/// Reads a number from 1 to `most`.
fn number<N: TryFrom<i32>>(word: &str, what: &'static str, most: i32) -> Result<N, CommandError> {
    let number = word.parse().ok().filter(|number| (1..=most).contains(number));
    let error = || CommandError::Number { word: word.to_owned(), what, from: 1, to: most };
    number.and_then(|number| number.try_into().ok()).ok_or_else(error)
}

/// Reads `//creatures`.
fn creatures(text: &str) -> Result<CreaturesAsked, CommandError> {
    let usage = || CommandError::Usage(GameCommand::Creatures.usage().to_owned());
    let words: Vec<&str> = text.split_whitespace().skip(1).collect();
    let radius = |word: Option<&&str>| match word {
        None => Ok(RADIUS),
        Some(word) => number(word, "radius", MOST_RADIUS),
    };
    match words.as_slice() {
        ["on"] => Ok(CreaturesAsked::Live(true)),
        ["off"] => Ok(CreaturesAsked::Live(false)),
        ["call", kind] => Ok(CreaturesAsked::Call((*kind).to_owned())),
        ["place", kind] => Ok(CreaturesAsked::Place((*kind).to_owned(), 1)),
        ["place", kind, count] => {
            let count = number(count, "number of creatures", MOST_PLACED)?;
            Ok(CreaturesAsked::Place((*kind).to_owned(), count))
        }
        [action @ ("pin" | "free" | "remove" | "scare"), rest @ ..] if rest.len() <= 1 => {
            let radius = radius(rest.first())?;
            Ok(match *action {
                "pin" => CreaturesAsked::Pin(true, radius),
                "free" => CreaturesAsked::Pin(false, radius),
                "remove" => CreaturesAsked::Remove(radius),
                _ => CreaturesAsked::Scare(radius),
            })
        }
        [name, ..] => Err(action(name, GameCommand::Creatures.usage())),
        [] => Err(usage()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use stonerun_engine::edit::selection::Selection;
    use stonerun_engine::voxel::Box3;

    #[test]
    fn question_mark_after_the_name_asks_for_a_preview() {
        let entry = |line, preview| {
            let Entry { text, preview, .. } = entry(line, preview);
            (text, preview)
        };
        assert_eq!(entry(" //set? stone ", false), ("//set stone".to_owned(), true));
        assert_eq!(entry("//set stone?", false), ("//set stone?".to_owned(), false));
        assert_eq!(entry("//walls glass", true), ("//walls glass".to_owned(), true));
        assert_eq!(entry("", false), (String::new(), false));
    }

    #[test]
    fn only_commands_that_change_voxels_have_a_preview() {
        let materials = MaterialTable::builtin();
        let mut console = Console::new(IVec3::ZERO);
        console.set_selection(Selection::from(Box3::spanning(IVec3::ZERO, IVec3::ONE)));
        for (line, expected) in [
            ("//set? stone", true),
            ("//sphere? stone 5", true),
            ("//paste?", true),
            ("//pos1?", false),
            ("//undo?", false),
            ("//help?", false),
            ("//rules? off", false),
        ] {
            let entry = entry(line, false);
            assert!(entry.is_marked && entry.preview);
            let asked = read(&entry, &materials).expect(line);
            let before = console.selection().clone();
            assert_eq!(has_preview(&asked, &console, &materials), expected, "{line}");
            assert_eq!(*console.selection(), before, "{line}");
        }
        assert!(!entry("//pos1", true).is_marked, "the setting asks for previews where there are any");
    }

    #[test]
    fn lines_are_read_as_commands() {
        let materials = MaterialTable::builtin();
        let read = |line: &str| read(&entry(line, false), &materials);
        assert_eq!((read("/"), read("//cancel")), (Ok(Asked::Nothing), Ok(Asked::Cancel)));
        assert_eq!(read("//undo? 3"), ConsoleCommand::parse("//undo 3", &materials).map(Asked::Command));
        assert!(matches!(read("//nothing"), Err(CommandError::Unknown { .. })));
        assert_eq!(read("//rules slow"), Ok(Asked::RulesSpeed(RulesSpeed::Slow)));
        assert_eq!(
            (read("//rules step"), read("//rules step 20")),
            (Ok(Asked::RulesSteps(1)), Ok(Asked::RulesSteps(20)))
        );
        let creatures = |asked| Ok(Asked::Creatures(asked));
        assert_eq!(read("//creatures place deer"), creatures(CreaturesAsked::Place("deer".to_owned(), 1)));
        assert_eq!(read("//creatures place fish 20"), creatures(CreaturesAsked::Place("fish".to_owned(), 20)));
        assert_eq!(read("//creatures call deer"), creatures(CreaturesAsked::Call("deer".to_owned())));
        assert_eq!(read("//creatures free"), creatures(CreaturesAsked::Pin(false, RADIUS)));
        assert_eq!(read("//creatures remove 30"), creatures(CreaturesAsked::Remove(30)));
        assert_eq!(read("//rules own"), Ok(Asked::OwnRules));
        assert_eq!(read("//rules wake"), Ok(Asked::WakeRules));
        for wrong in ["//creatures", "//creatures place", "//creatures pin 0", "//creatures feed", "//creatures on 3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        for (line, word) in [("//rules fast", "fast"), ("//creatures fly", "fly")] {
            assert!(matches!(read(line), Err(CommandError::Action { word: found, .. }) if found == word), "{line}");
        }
        for begun in ["//rules o", "//creatures pla", "//creatures place"] {
            assert!(matches!(read(begun), Err(CommandError::Usage(_))), "{begun}");
        }
        let too_many = read("//rules step 100001").unwrap_err().to_string();
        assert_eq!(too_many, "\"100001\" is no number of steps from 1 to 100000");
        // One slash is enough, as for all commands; what follows is not ignored.
        assert_eq!((read("/rules own"), read("/cancel")), (Ok(Asked::OwnRules), Ok(Asked::Cancel)));
        assert!(matches!(read("//cancel all"), Err(CommandError::Usage(_))));
        for wrong in ["//rules", "//rules fast", "//rules step 0", "//rules step x", "//rules off now"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
