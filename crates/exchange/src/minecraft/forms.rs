//! Shapes of blocks by their states: the table `assets/minecraft/shapes.ron`.

use super::block_state::BlockProperties;
use serde::Deserialize;
use std::sync::LazyLock;
use stonerun_engine::ron_text;
use stonerun_engine::voxel::{Face, ModelForm, Turn};

/// The rules of the table.
static RULES: LazyLock<Vec<FormRule>> = LazyLock::new(|| {
    // A test reads the embedded table, so this cannot fail in a released program.
    let text = include_str!("../../../../assets/minecraft/shapes.ron");
    ron_text::read(text, "assets/minecraft/shapes.ron").expect("the embedded table is valid")
});

/// The shapes of some blocks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormRule {
    /// Names without namespace; `*` at one end stands for any text.
    blocks: Vec<String>,
    /// Names to which the rule does not apply.
    #[serde(default)]
    except: Vec<String>,
    /// Values of properties that a state lacks.
    defaults: String,
    cases: Vec<FormCase>,
}

/// A shape, and the states that have it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormCase {
    /// Condition of the case.
    #[serde(default)]
    when: String,
    model: String,
    /// True if the block takes its parts from its neighbours where its state says nothing
    /// about them, as before Minecraft 1.13.
    #[serde(default)]
    joins: bool,
    /// Parts of the model, each with its condition.
    #[serde(default)]
    parts: Vec<(String, String)>,
    #[serde(default)]
    turn: TurnRule,
}

/// Turn of a model by the properties of a state.
#[derive(Deserialize, Default, Clone, Copy, Debug)]
enum TurnRule {
    #[default]
    Unturned,
    /// Quarter turns from north to east.
    Quarters(u8),
    /// From north to the side that `facing` names.
    Facing,
    /// From up to the side that `facing` names, to the one at its right or at its left.
    UpToFacing,
    UpToRightOfFacing,
    UpToLeftOfFacing,
    /// From up to down.
    Down,
    /// From y to the `axis`.
    Axis,
    /// On the floor, the ceiling or a wall, as `face` says, and towards `facing`.
    OnFace,
    /// From north by the sixteenths of a turn from south, rounded to quarters.
    Rotation,
}

/// Value of a property that a shape depends on and does not know.
pub(super) type UnknownValue = &'static str;

/// The rule for a block by its full name; `None` for blocks of other shapes.
pub(super) fn rule_for(name: &str) -> Option<&'static FormRule> {
    let short = name.split_once(':').map_or(name, |(_, short)| short);
    let matches = |pattern: &String| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => short.ends_with(end),
        (None, Some(start)) => short.starts_with(start),
        (None, None) => short == pattern,
    };
    RULES.iter().find(|rule| {
        rule.blocks.iter().any(matches) && !rule.except.iter().any(|name| name == short)
    })
}

impl FormRule {
    /// The form of a state, and the name of a property with an unknown value, which is read as its
    /// default. `None` for states of another shape.
    pub(super) fn form(
        &self,
        properties: &BlockProperties,
    ) -> (Option<ModelForm>, Option<UnknownValue>) {
        let default = |name: &str| {
            pairs(&self.defaults).find(|(known, _)| *known == name).map_or("", |(_, value)| value)
        };
        let value = |name: &str| properties.get(name).unwrap_or_else(|| default(name));
        let holds = |condition: &str| {
            pairs(condition).all(|(name, values)| values.split('|').any(|one| one == value(name)))
        };
        let Some(case) = self.cases.iter().find(|case| holds(&case.when)) else {
            return (None, None);
        };
        let states_parts = || {
            let mut conditions = case.parts.iter().flat_map(|(_, condition)| pairs(condition));
            conditions.any(|(name, _)| properties.get(name).is_some())
        };
        if case.joins && !states_parts() {
            return (ModelForm::joined(&case.model).ok(), None);
        }
        let (turn, unknown) = match case.turn.turn(value) {
            Ok(turn) => (turn, None),
            Err(unknown) => (case.turn.turn(default).unwrap_or_default(), Some(unknown)),
        };
        let parts = case.parts.iter().filter(|(_, condition)| holds(condition));
        let parts: Vec<&str> = parts.map(|(part, _)| part.as_str()).collect();
        let form = ModelForm::new(&case.model, turn, &parts);
        // A state that leaves nothing of the model has its first part.
        let first = || ModelForm::new(&case.model, turn, &[case.parts.first()?.0.as_str()]).ok();
        (form.ok().or_else(first), unknown)
    }
}

impl TurnRule {
    /// The turn for values of properties.
    ///
    /// # Errors
    /// Name of a property with an unknown value.
    fn turn<'v>(self, value: impl Fn(&str) -> &'v str) -> Result<Turn, UnknownValue> {
        let side = || quarters(value("facing")).ok_or("facing");
        Ok(match self {
            TurnRule::Unturned => Turn::NONE,
            TurnRule::Quarters(count) => Turn::quarters(count),
            TurnRule::Facing => Turn::quarters(side()?),
            TurnRule::UpToFacing => match value("facing") {
                "up" => Turn::NONE,
                "down" => Turn::from_up(Face::Down),
                _ => Turn::from_up(Face::North).then(Turn::quarters(side()?)),
            },
            TurnRule::UpToRightOfFacing => {
                Turn::from_up(Face::North).then(Turn::quarters(side()? + 1))
            }
            TurnRule::UpToLeftOfFacing => {
                Turn::from_up(Face::North).then(Turn::quarters(side()? + 3))
            }
            TurnRule::Down => Turn::from_up(Face::Down),
            TurnRule::Axis => match value("axis") {
                "x" => Turn::from_up(Face::East),
                "y" => Turn::NONE,
                "z" => Turn::from_up(Face::South),
                _ => return Err("axis"),
            },
            TurnRule::OnFace => match value("face") {
                "floor" => Turn::quarters(side()?),
                "ceiling" => Turn::reflection(1).then(Turn::quarters(side()?)),
                "wall" => Turn::from_up(Face::North).then(Turn::quarters(side()?)),
                _ => return Err("face"),
            },
            TurnRule::Rotation => {
                let rotation: u8 = value("rotation").parse().map_err(|_| "rotation")?;
                if rotation > 15 {
                    return Err("rotation");
                }
                // Rotation 0 is south.
                Turn::quarters((rotation + 2) / 4 + 2)
            }
        })
    }
}

/// Quarter turns from north to a side.
fn quarters(side: &str) -> Option<u8> {
    ["north", "east", "south", "west"].iter().position(|known| *known == side).map(|at| at as u8)
}

/// Names and values of a list `name=value,name=value`.
fn pairs(list: &str) -> impl Iterator<Item = (&str, &str)> {
    list.split(',').filter_map(|pair| pair.split_once('='))
}

#[cfg(test)]
mod tests {
    use super::super::block_state::BlockState;
    use super::*;
    use stonerun_engine::voxel::{ShapeBox, SolidBoxes};

    fn form(text: &str) -> (Option<ModelForm>, Option<UnknownValue>) {
        let state = BlockState::parse(text).unwrap();
        rule_for(&state.name).expect("a rule").form(&state.properties())
    }

    /// The boxes that stop bodies, lowest corners first.
    fn boxes(text: &str) -> Vec<([u8; 3], [u8; 3])> {
        let SolidBoxes::Boxes(boxes) = form(text).0.expect("a form").row().solid else { panic!() };
        let mut corners: Vec<_> = boxes.iter().map(|one| (one.low, one.high)).collect();
        corners.sort_unstable();
        corners
    }

    #[test]
    fn rules_name_models_parts_and_properties_that_exist() {
        for rule in RULES.iter() {
            for case in &rule.cases {
                let parts: Vec<&str> = case.parts.iter().map(|(part, _)| part.as_str()).collect();
                ModelForm::new(&case.model, Turn::NONE, &parts).unwrap();
                assert_eq!(case.joins, ModelForm::joined(&case.model).is_ok(), "{}", case.model);
                let default = |name: &str| {
                    pairs(&rule.defaults).find(|(known, _)| *known == name).map_or("", |(_, v)| v)
                };
                // Hoppers down have a case of their own.
                let is_hopper = case.model == "hopper" && case.when.is_empty();
                assert_eq!(case.turn.turn(default).is_err(), is_hopper, "{}", case.model);
                let conditions = case.parts.iter().map(|(_, condition)| condition);
                for condition in conditions.chain([&case.when]).filter(|text| !text.is_empty()) {
                    assert_eq!(pairs(condition).count(), condition.split(',').count());
                }
            }
        }
    }

    #[test]
    fn boxes_are_those_of_minecraft() {
        let whole = |low: [u8; 3], high: [u8; 3]| vec![(low, high)];
        for (text, expected) in [
            (
                "oak_door[facing=east,half=lower,hinge=left,open=false]",
                whole([0, 0, 0], [3, 16, 16]),
            ),
            (
                "oak_door[facing=east,half=lower,hinge=left,open=true]",
                whole([0, 0, 0], [16, 16, 3]),
            ),
            (
                "oak_door[facing=east,half=lower,hinge=right,open=true]",
                whole([0, 0, 13], [16, 16, 16]),
            ),
            ("oak_door[facing=north]", whole([0, 0, 13], [16, 16, 16])),
            ("oak_door[facing=south]", whole([0, 0, 0], [16, 16, 3])),
            ("oak_door[facing=west]", whole([13, 0, 0], [16, 16, 16])),
            ("iron_trapdoor[half=bottom]", whole([0, 0, 0], [16, 3, 16])),
            ("iron_trapdoor[half=top]", whole([0, 13, 0], [16, 16, 16])),
            ("iron_trapdoor[facing=west,open=true]", whole([13, 0, 0], [16, 16, 16])),
            ("ladder[facing=south]", whole([0, 0, 0], [16, 16, 3])),
            (
                "chest[facing=east,type=left]",
                whole([1, 0, 1], [15, 14, 15])
                    .into_iter()
                    .chain(whole([1, 0, 15], [15, 14, 16]))
                    .collect(),
            ),
            ("end_rod[facing=west]", vec![([0, 7, 7], [15, 9, 9]), ([15, 6, 6], [16, 10, 10])]),
            ("chain[axis=x]", whole([0, 7, 7], [16, 9, 9])),
            ("skeleton_wall_skull[facing=east]", whole([0, 4, 4], [8, 12, 12])),
            (
                "piston[extended=true,facing=up]",
                vec![([0, 0, 0], [16, 12, 16]), ([6, 12, 6], [10, 16, 10])],
            ),
            ("cake[bites=6]", whole([13, 0, 1], [15, 8, 15])),
            ("oak_fence_gate[open=true]", vec![]),
        ] {
            assert_eq!(boxes(text), expected, "{text}");
        }
        // Blocks that hang on walls lie at the side opposite to where it faces.
        for (facing, axis, is_low) in
            [("north", 2, false), ("south", 2, true), ("east", 0, true), ("west", 0, false)]
        {
            for block in
                ["oak_wall_sign", "oak_button", "lever", "red_wall_banner", "tripwire_hook"]
            {
                let row = form(&format!("{block}[facing={facing}]")).0.unwrap().row();
                let SolidBoxes::Boxes(found) = row.solid else { panic!() };
                let touches =
                    |one: &ShapeBox| if is_low { one.low[axis] == 0 } else { one.high[axis] == 16 };
                assert!(found.iter().any(touches), "{block} {facing}");
            }
        }
    }

    #[test]
    fn parts_follow_the_state() {
        assert_eq!(boxes("oak_fence[north=false]").len(), 1);
        assert_eq!(boxes("oak_fence[east=true,north=true,south=false,west=false]").len(), 3);
        assert!(form("oak_fence").0.unwrap().is_joined());
        assert!(form("oak_fence[waterlogged=true]").0.unwrap().is_joined());
        assert_eq!(boxes("stone_wall[north=tall,south=low,up=false]").len(), 2);
        let first = ModelForm::new("sheets", Turn::NONE, &["north"]).unwrap();
        assert_eq!(form("vine[north=false]").0, Some(first));
        // A whole block.
        assert_eq!(form("piston[extended=false]").0, None);
        assert!(rule_for("minecraft:sea_lantern").is_none());
        assert!(rule_for("minecraft:oak_planks").is_none());
        assert!(rule_for("mod:marble_wall").is_some());
    }

    #[test]
    fn unknown_values_are_named() {
        assert_eq!(form("oak_door[facing=inside]").1, Some("facing"));
        assert_eq!(form("oak_sign[rotation=16]").1, Some("rotation"));
        assert_eq!(form("stone_button[face=edge]").1, Some("face"));
        assert_eq!(form("chain[axis=w]").1, Some("axis"));
        assert_eq!(form("oak_door[facing=south]").1, None);
    }
}
