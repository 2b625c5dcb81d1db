//! Parameters and flags of commands.

use super::words;

/// A parameter of a command.
#[derive(Clone, Copy)]
pub(super) struct Parameter {
    /// Name in the usage line.
    pub name: &'static str,
    pub kind: Kind,
    pub(crate) is_optional: bool,
}

impl Parameter {
    /// Form in the usage line: `PATTERN`, or `[MASK]` if optional.
    pub fn usage(&self) -> String {
        if self.is_optional { format!("[{}]", self.name) } else { self.name.to_owned() }
    }
}

/// A flag of a command, `-a`.
pub(super) struct Flag {
    pub letter: char,
    /// Parameter whose word follows the flag, if the flag takes one.
    pub value: Option<Parameter>,
    /// Description of the flag's effect.
    pub help: &'static str,
}

impl Flag {
    /// Form in the usage line: `[-a]`, or `[-m MASK]` if the flag takes a value.
    pub fn usage(&self) -> String {
        match self.value {
            Some(value) => format!("[-{} {}]", self.letter, value.name),
            None => format!("[-{}]", self.letter),
        }
    }
}

/// Kind of a parameter's value.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// A pattern: voxels to set.
    Pattern,
    /// A mask: voxels to accept. Takes several words if no other parameter needs them.
    Mask,
    /// Coordinates: `X,Y,Z`.
    Position,
    /// One to three radii.
    Radii,
    /// One or two radii, along x and z.
    FlatRadii,
    /// A whole number within limits, both included.
    Number(i32, i32),
    /// A whole number whose limits depend on other words. The command checks them.
    Amount,
    /// The name of a material.
    Material,
    /// A direction.
    Direction,
    /// One or several directions, separated by commas.
    Directions,
    /// One of the words of a list.
    Choice(&'static [&'static str]),
    /// The name of a command.
    Command,
    /// A name that the player chooses.
    Name,
}

/// Parameter that must be given.
pub(super) const fn required(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, is_optional: false }
}

/// Parameter that may be left out.
pub(super) const fn optional(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, is_optional: true }
}

/// Flag without a value.
pub(super) const fn flag(letter: char, help: &'static str) -> Flag {
    Flag { letter, value: None, help }
}

/// Flag `-m MASK`.
pub(super) const fn mask_flag(help: &'static str) -> Flag {
    Flag { letter: 'm', value: Some(required("MASK", Kind::Mask)), help }
}

impl Kind {
    /// True if a word has the form of this kind. Used to assign words to optional parameters.
    pub fn fits(self, word: &str) -> bool {
        match self {
            Kind::Number(..) | Kind::Amount => {
                word.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c))
            }
            Kind::Radii | Kind::FlatRadii | Kind::Position => is_numeric(word),
            Kind::Direction => words::one_direction(word, None).is_ok(),
            Kind::Directions => words::directions(word, None).is_ok(),
            Kind::Pattern
            | Kind::Mask
            | Kind::Material
            | Kind::Choice(_)
            | Kind::Command
            | Kind::Name => true,
        }
    }

    /// True if a word that does not fit may be a mistyped word of this kind.
    pub(crate) fn may_mean(self, word: &str) -> bool {
        self.is_for_numbers() == is_numeric(word) && !word.starts_with('#')
    }

    /// True for kinds that consist of numbers, alone or separated by commas.
    pub(crate) fn is_for_numbers(self) -> bool {
        matches!(
            self,
            Kind::Number(..) | Kind::Amount | Kind::Radii | Kind::FlatRadii | Kind::Position
        )
    }

    /// Words or limits of the kind, if it has fixed ones: `ball, cube or cylinder`, `1 to 64`.
    pub fn values(self) -> Option<String> {
        match self {
            Kind::Choice(words) => match words {
                [others @ .., last] if !others.is_empty() => {
                    Some(format!("{} or {last}", others.join(", ")))
                }
                _ => Some(words.join(", ")),
            },
            Kind::Number(from, to) => Some(format!("{from} to {to}")),
            _ => None,
        }
    }

    /// Name of the kind in error messages.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Pattern => "pattern",
            Kind::Mask => "mask",
            Kind::Position => "place",
            Kind::Radii | Kind::FlatRadii => "radius",
            Kind::Number(..) | Kind::Amount => "number",
            Kind::Material => "material",
            Kind::Direction | Kind::Directions => "direction",
            Kind::Choice(_) => "kind",
            Kind::Command => "command",
            Kind::Name => "name",
        }
    }
}

/// True if a word starts like a number.
fn is_numeric(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
}
