//! Commands that only the running game carries out. They are read there; this is what help says.

/// A command of the running game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameCommand {
    /// Cancels jobs.
    Cancel,
    /// Controls the world's rules.
    Rules,
    /// Controls creatures.
    Creatures,
}

impl GameCommand {
    /// All of them, in the order of the help.
    pub const ALL: [GameCommand; 3] = [GameCommand::Cancel, GameCommand::Rules, GameCommand::Creatures];

    /// The command with a name, which starts with one slash or two.
    #[must_use]
    pub fn find(name: &str) -> Option<GameCommand> {
        let name = name.strip_prefix('/')?;
        let name = name.strip_prefix('/').unwrap_or(name);
        GameCommand::ALL.into_iter().find(|command| command.name() == name)
    }

    /// Name without slashes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GameCommand::Cancel => "cancel",
            GameCommand::Rules => "rules",
            GameCommand::Creatures => "creatures",
        }
    }

    /// Name and arguments.
    #[must_use]
    pub fn usage(self) -> &'static str {
        match self {
            GameCommand::Cancel => "//cancel",
            GameCommand::Rules => "//rules on|slow|off|step [STEPS]|wake|own",
            GameCommand::Creatures => "//creatures on|off|place KIND [COUNT]|call KIND|pin|free|remove|scare [RADIUS]",
        }
    }

    /// Description in one line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            GameCommand::Cancel => "Cancels all jobs and the preview.",
            GameCommand::Rules => "Sets how fast sand, water and growth act.",
            GameCommand::Creatures => "Lets creatures live or disappear, and places, calls or removes them.",
        }
    }

    /// Descriptions of its actions, one line each.
    #[must_use]
    pub fn actions(self) -> &'static [&'static str] {
        match self {
            GameCommand::Cancel => &[],
            GameCommand::Rules => &[
                "on, slow, off: the speed of the rules",
                "step: the rules do STEPS steps at once, 1 without a number",
                "wake: the rules act on all of the selection",
                "own: makes a file of rules for this map alone",
            ],
            GameCommand::Creatures => &[
                "on, off: creatures live, or disappear",
                "place: puts COUNT of a KIND in front of the block in sight, 1 without a number",
                "call: creatures of a KIND come",
                "pin, free: creatures within RADIUS stay where they are, or walk again; 8 without a number",
                "remove, scare: creatures within RADIUS go, or flee",
            ],
        }
    }
}
