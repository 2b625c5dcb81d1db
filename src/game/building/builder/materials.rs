//! What the tools put, and where: patterns and masks as text, as in the console.

use serde::{Deserialize, Serialize};
use stonerun_engine::edit::console::{CommandError, Console, Seeds, parse_mask, parse_pattern};
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

/// Names that the words of the fields refer to.
#[derive(Clone, Copy)]
pub struct FieldContext<'a> {
    /// The map's materials.
    pub materials: &'a MaterialTable,
    /// The console with the selection and the clipboard, for `#selection` and `#clipboard`; without
    /// it the fields are only checked.
    pub console: Option<&'a Console>,
    /// Seeds of random choices.
    pub seeds: &'a Seeds,
}

impl MaterialFields {
    /// The pattern.
    ///
    /// # Errors
    /// The text is no pattern.
    pub fn pattern(&self, in_hand: MaterialId, context: &FieldContext<'_>) -> Result<Pattern, CommandError> {
        let text = self.pattern.trim();
        if text.is_empty() {
            return Ok(Pattern::Voxel(if in_hand == 0 { Voxel::AIR } else { Voxel::full(in_hand) }));
        }
        let FieldContext { materials, console, seeds } = *context;
        parse_pattern(text, materials, console, seeds)
    }

    /// The mask.
    ///
    /// # Errors
    /// The text is no mask.
    pub fn mask(&self, context: &FieldContext<'_>) -> Result<Mask, CommandError> {
        let text = self.mask.trim();
        if text.is_empty() {
            return Ok(Mask::Any);
        }
        let FieldContext { materials, console, seeds } = *context;
        parse_mask(text, materials, console, seeds)
    }
}

/// Everything but air.
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
        let (fields, seeds) = (MaterialFields::default(), Seeds::new(1));
        let context = FieldContext { materials: &materials, console: None, seeds: &seeds };
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
        let (materials, seeds) = (MaterialTable::builtin(), Seeds::new(1));
        let mut console = Console::new(IVec3::ZERO);
        let fields = MaterialFields { pattern: "#clipboard".into(), mask: "#selection".into() };
        {
            let context = FieldContext { materials: &materials, console: Some(&console), seeds: &seeds };
            assert!(fields.pattern(1, &context).is_err_and(|error| error == CommandError::EmptyClipboard));
            assert!(fields.mask(&context).is_err_and(|error| error.to_string().starts_with("nothing is selected")));
        }
        let area = Box3::spanning(IVec3::ZERO, IVec3::splat(4));
        console.set_selection(Selection::from(area));
        let context = FieldContext { materials: &materials, console: Some(&console), seeds: &seeds };
        assert_eq!(fields.mask(&context), Ok(Mask::Inside(area)));
    }
}
