//! Rule files: lists of rules in RON.

use super::error::{RuleError, RuleProblem};
use crate::ron_text::{self, RonError};
use serde::Deserialize;

/// A rule as a file describes it.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename = "rule")]
pub(super) enum RuleText {
    /// Materials whose voxels fall and slide.
    Powder {
        /// Name of the rule, in statistics and for `Remove`. By default, the names of the
        /// materials.
        #[serde(default)]
        name: String,
        /// Names of the materials.
        materials: Names,
        /// The rule acts in one of this many steps.
        #[serde(default)]
        every: Every,
        /// True if the voxels slide down where they cannot fall.
        #[serde(default = "yes")]
        slides: bool,
    },
    /// A liquid, whose level is its occupancy.
    Liquid {
        /// Name of the rule, in statistics and for `Remove`. By default, the name of the material.
        #[serde(default)]
        name: String,
        /// Name of the material.
        material: String,
        /// Minimum amount that spreads on flat ground, in 256ths of a voxel.
        #[serde(default)]
        least_depth: Depth,
        /// The rule acts in one of this many steps.
        #[serde(default)]
        every: Every,
    },
    /// Voxels that become another material.
    Change {
        /// Name of the rule, in statistics and for `Remove`.
        name: String,
        /// Materials that change.
        of: Names,
        /// Conditions that must all hold.
        #[serde(default)]
        when: Vec<ConditionText>,
        /// Chance that a voxel changes in each step of the rule: numerator and denominator.
        #[serde(default)]
        chance: ChanceText,
        /// The rule acts in one of this many steps.
        #[serde(default)]
        every: Every,
        /// Material that the voxel becomes. The occupancy stays.
        becomes: String,
    },
    /// Voxels that need a hold nearby, reached through voxels of the same rule.
    Support {
        /// Name of the rule, in statistics and for `Remove`.
        name: String,
        /// Materials that need a hold.
        of: Names,
        /// Materials that are a hold.
        by: Names,
        /// Maximum number of steps to the hold, each to one of 26 neighbours.
        #[serde(default)]
        within: Within,
        /// Chance that a voxel without a hold changes in each step of the rule: numerator and
        /// denominator.
        #[serde(default)]
        chance: ChanceText,
        /// The rule acts in one of this many steps.
        #[serde(default)]
        every: Every,
        /// Material that a voxel without a hold becomes. The occupancy stays.
        becomes: String,
    },
    /// Circuits: wires and the parts that they connect.
    Signal {
        /// Name of the rule, in statistics and for `Remove`.
        name: String,
        /// Name of the material of wires, whose amount is their level.
        wire: String,
        /// Amount of a wire at level 0, in 256ths of a voxel.
        off: Amount,
        /// Amount that each level adds.
        step: Amount,
        /// Full level, and so the number of wires in a row that carry a signal.
        reach: Amount,
        /// Sources: off and on.
        sources: Vec<StatesText>,
        /// Inverters: off and on.
        #[serde(default)]
        inverters: Vec<StatesText>,
        /// Parts that signals switch: off and on.
        #[serde(default)]
        switches: Vec<StatesText>,
        /// Switches that consist of two voxels above each other: off and on.
        #[serde(default)]
        tall_switches: Vec<StatesText>,
        /// The rule acts in one of this many steps.
        #[serde(default)]
        every: Every,
    },
    /// Effects of the weather on the top voxels of columns.
    Weather {
        /// Name of the rule, in statistics and for `Remove`.
        name: String,
        /// Materials of top voxels on which the rule acts.
        of: Names,
        /// Materials in `of` on which the rule does not act.
        #[serde(default)]
        except: Vec<String>,
        /// Hours between which the rule acts, 0 to 24, over midnight if the first is larger.
        #[serde(default)]
        hours: Option<Hours>,
        /// Temperatures at which the rule acts, from about -1 (frozen) to 1 (hot). A map without a
        /// climate has none.
        #[serde(default)]
        temperature: Option<RangeText>,
        /// Heights at which the rule acts.
        #[serde(default)]
        height: Option<(i32, i32)>,
        /// Mean number of steps between two turns of a column of chunks. In each turn the rule acts
        /// on one of its 1024 columns of voxels.
        #[serde(default)]
        every: Every,
        /// Effect on the top voxel.
        effect: EffectText,
    },
    /// Removes the earlier rules of this name.
    Remove(String),
}

/// Hours of the day: from, to.
#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(try_from = "(f32, f32)")]
pub(super) struct Hours(pub f32, pub f32);

impl TryFrom<(f32, f32)> for Hours {
    type Error = String;
    fn try_from((from, to): (f32, f32)) -> Result<Hours, String> {
        let is_hour = |hour: f32| (0.0..=24.0).contains(&hour);
        if !is_hour(from) || !is_hour(to) {
            Err(format!("expected hours from 0 to 24, not ({from}, {to})"))
        } else if from == to {
            Err(format!("expected two different hours, not ({from}, {to})"))
        } else {
            Ok(Hours(from, to))
        }
    }
}

/// A range of temperatures, both ends included.
#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(try_from = "(f32, f32)")]
pub(super) struct RangeText(pub f32, pub f32);

impl TryFrom<(f32, f32)> for RangeText {
    type Error = String;
    fn try_from((from, to): (f32, f32)) -> Result<RangeText, String> {
        if from <= to {
            Ok(RangeText(from, to))
        } else {
            Err(format!("expected a range like (-0.5, 0.5), not ({from}, {to})"))
        }
    }
}

/// Effect of a rule of the weather.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename = "effect")]
pub(super) enum EffectText {
    /// The top voxel becomes another material. The occupancy stays.
    Becomes(String),
    /// A layer is added on top.
    Lays {
        /// Name of the material.
        material: String,
        /// Amount that is added, in 256ths of a voxel.
        amount: Amount,
        /// Largest amount of the layer.
        most: Amount,
    },
    /// The top voxel loses an amount, in 256ths of a voxel.
    Takes(Amount),
}

/// Names of the two states of a part: off and on.
pub(super) type StatesText = (String, String);

/// Names of materials, at least one.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(try_from = "Vec<String>")]
pub(super) struct Names(pub Vec<String>);

impl TryFrom<Vec<String>> for Names {
    type Error = &'static str;
    fn try_from(names: Vec<String>) -> Result<Names, &'static str> {
        if names.is_empty() { Err("expected at least one material") } else { Ok(Names(names)) }
    }
}

fn yes() -> bool {
    true
}

/// A condition as a file describes it.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename = "condition")]
pub(super) enum ConditionText {
    /// The voxel above is one of these materials.
    Above(Names),
    /// The voxel above is none of these materials.
    NotAbove(Names),
    /// The voxel below is one of these materials.
    Below(Names),
    /// The voxel below is none of these materials.
    NotBelow(Names),
    /// All voxels above, up to a height, are of these materials.
    ClearAbove {
        /// The materials.
        of: Names,
        /// Number of voxels above.
        height: Height,
    },
    /// The number of neighbours of some materials is in a range.
    Near {
        /// The materials.
        of: Names,
        /// The neighbours that count.
        #[serde(default)]
        among: NeighboursText,
        /// Smallest number.
        #[serde(default = "one")]
        at_least: NeighbourCount,
        /// Largest number.
        #[serde(default = "all")]
        at_most: NeighbourCount,
    },
    /// The amount of the voxel that changes, in 256ths, is in a range.
    Amount {
        /// Smallest amount.
        #[serde(default = "drop")]
        at_least: Amount,
        /// Largest amount.
        #[serde(default = "full")]
        at_most: Amount,
    },
}

fn one() -> NeighbourCount {
    NeighbourCount(1)
}

fn all() -> NeighbourCount {
    NeighbourCount(26)
}

fn drop() -> Amount {
    Amount(1)
}

fn full() -> Amount {
    Amount(256)
}

/// The neighbours that a condition counts.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename = "neighbours")]
pub(super) enum NeighboursText {
    /// The six neighbours that share a face.
    #[default]
    Faces,
    /// The four neighbours to the sides.
    Sides,
    /// All 26 neighbours.
    All,
}

macro_rules! number {
    ($name:ident, $default:expr, $range:expr, $doc:literal) => {
        #[doc = $doc]
        #[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
        #[serde(try_from = "u32")]
        pub(super) struct $name(pub u32);

        impl Default for $name {
            fn default() -> $name {
                $name($default)
            }
        }

        impl TryFrom<u32> for $name {
            type Error = String;
            fn try_from(number: u32) -> Result<$name, String> {
                let range: std::ops::RangeInclusive<u32> = $range;
                if range.contains(&number) {
                    Ok($name(number))
                } else {
                    Err(format!(
                        "expected a number from {} to {}, not {number}",
                        range.start(),
                        range.end()
                    ))
                }
            }
        }
    };
}

number!(Every, 1, 1..=10_000, "Number of steps.");
number!(Depth, 16, 2..=256, "Depth of a film, in 256ths of a voxel.");
number!(NeighbourCount, 1, 0..=26, "Number of neighbours.");
number!(Within, 6, 1..=8, "Steps to a hold.");
number!(Height, 1, 1..=32, "Number of voxels above.");
number!(Amount, 1, 1..=256, "Amount of a voxel, in 256ths.");

/// A chance: numerator and denominator.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(try_from = "(u32, u32)")]
pub(super) struct ChanceText(pub u32, pub u32);

impl Default for ChanceText {
    fn default() -> ChanceText {
        ChanceText(1, 1)
    }
}

impl TryFrom<(u32, u32)> for ChanceText {
    type Error = String;
    fn try_from((times, of): (u32, u32)) -> Result<ChanceText, String> {
        if (1..=of).contains(&times) {
            Ok(ChanceText(times, of))
        } else {
            Err(format!(
                "expected a chance like (1, 64), of which the first number is 1 to the second, not ({times}, {of})"
            ))
        }
    }
}

/// Reads the rules of one file.
///
/// # Errors
/// The text is not a list of rules.
pub(super) fn parse(text: &str, file: &str) -> Result<Vec<RuleText>, RuleError> {
    ron_text::read(text, file).map_err(|RonError { file, place, reason }| RuleError {
        file,
        place,
        problem: RuleProblem::Syntax(reason),
    })
}
