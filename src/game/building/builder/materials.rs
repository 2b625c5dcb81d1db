//! Patterns and masks of the tools: typed as text, as in the console.

use crate::game::building::console::GameConsole;
use crate::game::state::player::Player;
use crate::game::state::session::growing_materials::GrowingMaterials;
use crate::game::state::session::{Edits, OpenMap};
use bevy::ecs::system::SystemParam;
use bevy::prelude::Res;
use serde::{Deserialize, Serialize};
use stonerun_engine::edit::console::{
    CommandError, Console, SeedUser, Seeds, parse_mask, parse_pattern,
};
use stonerun_engine::edit::{Mask, Pattern};
use stonerun_engine::voxel::{MaterialId, MaterialTable, Voxel};

/// The text fields of a pattern and a mask. An empty pattern is the block in hand, an empty mask
/// accepts everything.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MaterialFields {
    /// The pattern.
    pub pattern: String,
    /// The mask.
    pub mask: String,
}

/// Materials, console and seeds that the words of the fields refer to.
#[derive(Clone, Copy)]
pub struct FieldContext<'a> {
    /// The map's materials.
    pub materials: &'a MaterialTable,
    /// The table that gets shapes of blocks which the words name and the map lacks; `None` if the
    /// fields are only checked.
    pub growing: Option<&'a GrowingMaterials>,
    /// The console with the selection and the clipboard, for `#selection` and `#clipboard`; `None`
    /// if the fields are only checked.
    pub console: Option<&'a Console>,
    /// Seeds of random choices.
    pub seeds: &'a Seeds,
}

impl FieldContext<'_> {
    /// Parses a field, and adds shapes of blocks that the map lacks. Each attempt draws the same
    /// seeds.
    fn parsed<T>(
        &self,
        parse: impl Fn(&MaterialTable, &Seeds) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let before = self.seeds.clone();
        let mut parsed = parse(self.materials, self.seeds);
        while let (Err(CommandError::NeedsMaterials(missing)), Some(growing)) =
            (&parsed, self.growing)
        {
            let first = missing.first().map(|material| material.name.clone()).unwrap_or_default();
            match growing.add(missing.iter().cloned()) {
                Ok(table) => parsed = parse(&table, &before.clone()),
                Err(_) => return Err(CommandError::TableFull(first)),
            }
        }
        parsed
    }
}

/// The parts of the game that patterns and masks refer to.
#[derive(SystemParam)]
pub struct PatternSources<'w> {
    /// The open map.
    pub map: Res<'w, OpenMap>,
    /// The player, with the block in hand.
    pub player: Res<'w, Player>,
    edits: Res<'w, Edits>,
    console: Res<'w, GameConsole>,
}

impl PatternSources<'_> {
    /// Seeds of a tool for the next step of the history. `before` is the number of earlier edits by
    /// the tool that may become the same step.
    #[must_use]
    pub fn seeds(&self, user: SeedUser, before: u64) -> Seeds {
        Seeds::from_step(user, self.edits.history().number_of_next_edit(), before)
    }

    /// The context of fields that draw from `seeds`.
    #[must_use]
    pub fn context<'a>(&'a self, seeds: &'a Seeds) -> FieldContext<'a> {
        FieldContext {
            materials: &self.map.materials,
            growing: Some(&self.map.growing),
            console: Some(&self.console.console),
            seeds,
        }
    }
}

impl MaterialFields {
    /// The pattern; the block in hand if the field is empty.
    ///
    /// # Errors
    /// The text is no pattern.
    pub fn pattern(
        &self,
        in_hand: MaterialId,
        context: &FieldContext<'_>,
    ) -> Result<Pattern, CommandError> {
        let text = self.pattern.trim();
        if text.is_empty() {
            let table = context.growing.map(GrowingMaterials::table);
            let materials = table.as_deref().unwrap_or(context.materials);
            let shape = materials.get(in_hand).map(|material| material.shape.row());
            let fill = shape.and_then(|row| row.fill).unwrap_or(u8::MAX);
            return Ok(Pattern::Voxel(match in_hand {
                0 => Voxel::AIR,
                _ => Voxel::new(in_hand, fill),
            }));
        }
        context.parsed(|materials, seeds| parse_pattern(text, materials, context.console, seeds))
    }

    /// The mask; it accepts everything if the field is empty.
    ///
    /// # Errors
    /// The text is no mask.
    pub fn mask(&self, context: &FieldContext<'_>) -> Result<Mask, CommandError> {
        let text = self.mask.trim();
        if text.is_empty() {
            return Ok(Mask::Any);
        }
        context.parsed(|materials, seeds| parse_mask(text, materials, context.console, seeds))
    }
}

/// The mask of all voxels but air.
#[must_use]
pub fn existing() -> Mask {
    Mask::Not(Box::new(Mask::Materials(vec![0])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use stonerun_engine::edit::selection::Selection;
    use stonerun_engine::voxel::Box3;

    #[test]
    fn empty_fields_mean_the_block_in_hand_and_everything() {
        let materials = MaterialTable::builtin();
        let stone = materials.find("stone").expect("stone");
        let fields = MaterialFields::default();
        let seeds = Seeds::new(1);
        let context =
            FieldContext { materials: &materials, growing: None, console: None, seeds: &seeds };
        assert_eq!(fields.pattern(stone, &context), Ok(Pattern::Voxel(Voxel::full(stone))));
        assert_eq!(fields.pattern(0, &context), Ok(Pattern::Voxel(Voxel::AIR)));
        assert_eq!(fields.mask(&context), Ok(Mask::Any));
        let typed = MaterialFields { pattern: "stone".into(), mask: "!air".into() };
        assert_eq!(typed.pattern(0, &context), Ok(Pattern::Voxel(Voxel::full(stone))));
        assert!(typed.mask(&context).is_ok());
        let wrong = MaterialFields { pattern: "no such block".into(), mask: "nothing".into() };
        assert!(wrong.pattern(0, &context).is_err() && wrong.mask(&context).is_err());
    }

    #[test]
    fn fields_refer_to_the_selection_and_the_clipboard_of_the_console() {
        let materials = MaterialTable::builtin();
        let seeds = Seeds::new(1);
        let mut console = Console::new(IVec3::ZERO);
        let fields = MaterialFields { pattern: "#clipboard".into(), mask: "#selection".into() };
        {
            let context = FieldContext {
                materials: &materials,
                growing: None,
                console: Some(&console),
                seeds: &seeds,
            };
            assert_eq!(fields.pattern(1, &context), Err(CommandError::EmptyClipboard));
            assert!(matches!(fields.mask(&context), Err(CommandError::Selection(_))));
        }
        let area = Box3::spanning(IVec3::ZERO, IVec3::splat(4));
        console.set_selection(Selection::from(area));
        let context = FieldContext {
            materials: &materials,
            growing: None,
            console: Some(&console),
            seeds: &seeds,
        };
        assert_eq!(fields.mask(&context), Ok(Mask::Inside(area)));
    }
}
