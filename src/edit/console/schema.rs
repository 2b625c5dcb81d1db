//! Parameters and flags of commands.

/// A parameter of a command.
#[derive(Clone, Copy)]
pub(super) struct Parameter {
    /// Name in the usage line.
    pub name: &'static str,
    pub kind: Kind,
    pub is_optional: bool,
}

/// A flag of a command, `-a`.
pub(super) struct Flag {
    pub letter: char,
    /// The parameter that follows it, if it has one.
    pub value: Option<Parameter>,
    /// What it does.
    pub help: &'static str,
}

/// What a parameter may be.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// What is put.
    Pattern,
    /// Where. Takes several words if no other parameter needs them.
    Mask,
    /// A place, `X,Y,Z`.
    Position,
    /// One to three radii.
    Radii,
    /// One or two radii, along x and z.
    FlatRadii,
    /// A whole number from the first to the second.
    Number(i32, i32),
    /// A direction.
    Direction,
    /// Several directions with commas.
    Directions,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The name of a command.
    Command,
    /// A name that the player chooses.
    Name,
}

/// A parameter that must be given.
pub(super) const fn required(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, is_optional: false }
}

/// A parameter that may be left out.
pub(super) const fn optional(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, is_optional: true }
}

/// A flag without a value.
pub(super) const fn flag(letter: char, help: &'static str) -> Flag {
    Flag { letter, value: None, help }
}

/// A flag that a mask follows, `-m MASK`.
pub(super) const fn mask_flag(help: &'static str) -> Flag {
    Flag { letter: 'm', value: Some(required("MASK", Kind::Mask)), help }
}

impl Kind {
    /// True if a word may be meant for a parameter of this kind. Decides between optional parameters.
    pub fn fits(self, word: &str) -> bool {
        let starts = |is_start: fn(char) -> bool| word.starts_with(is_start);
        match self {
            Kind::Number(..) | Kind::Radii | Kind::FlatRadii | Kind::Position => {
                starts(|c| c.is_ascii_digit() || c == '-' || c == '+' || c == '.')
            }
            Kind::Direction | Kind::Directions => !starts(|c| c.is_ascii_digit() || c == '-' || c == '#'),
            Kind::Pattern | Kind::Mask | Kind::Choice(_) | Kind::Command | Kind::Name => true,
        }
    }
}
