//! Commands that only the running game carries out.
//!
//! Their rows are part of the engine so that `stonerun edit`, in builds without the game, can list
//! the commands and explain that they need it. The game parses their arguments and carries them
//! out.

/// Row of a command that only the running game carries out.
#[derive(PartialEq, Eq, Debug)]
pub struct GameCommand {
    /// Name without slashes.
    pub name: &'static str,
    /// Name and arguments, as in the help.
    pub usage: &'static str,
    /// Description in one line.
    pub help: &'static str,
    /// Descriptions of the command's actions, one line each.
    pub actions: &'static [&'static str],
}

impl GameCommand {
    /// All commands of the game, in help order.
    pub const ALL: &[GameCommand] = &[
        GameCommand {
            name: "cancel",
            usage: "//cancel",
            help: "Cancels all jobs and the preview.",
            actions: &[],
        },
        GameCommand {
            name: "rules",
            usage: "//rules on|slow|off|step [STEPS]|wake|own",
            help: "Sets how fast sand, water and growth act.",
            actions: &[
                "on, slow, off: the speed of the rules",
                "step: the rules do STEPS steps at once, 1 without a number",
                "wake: the rules act on all of the selection",
                "own: makes a file of rules for this map alone",
            ],
        },
        GameCommand {
            name: "creatures",
            usage: "//creatures on|off|place KIND [COUNT]|call KIND|pin|free|remove|scare [RADIUS]",
            help: "Lets creatures live or disappear, and places, calls or removes them.",
            actions: &[
                "on, off: creatures live, or disappear",
                "place: puts COUNT of a KIND in front of the block in sight, 1 without a number",
                "call: creatures of a KIND come",
                "pin, free: creatures within RADIUS stay where they are, or walk again; 8 without a number",
                "remove, scare: creatures within RADIUS go, or flee",
            ],
        },
    ];

    /// Finds a command by its name, which starts with one or two slashes.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static GameCommand> {
        let name = name.strip_prefix('/')?;
        let name = name.strip_prefix('/').unwrap_or(name);
        GameCommand::ALL.iter().find(|command| command.name == name)
    }
}
