//! What the tools put, and where: patterns and masks as text, as in the console.

use crate::edit::console::{Seeds, parse_mask, parse_pattern};
use crate::edit::{Mask, Pattern};
use crate::voxel::{MaterialId, MaterialTable, Voxel};
use serde::{Deserialize, Serialize};

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

impl MaterialFields {
    /// The pattern. Random choices draw from `seeds`.
    ///
    /// # Errors
    /// The text is no pattern, in one line.
    pub fn pattern(&self, materials: &MaterialTable, in_hand: MaterialId, seeds: &Seeds) -> Result<Pattern, String> {
        let text = self.pattern.trim();
        if text.is_empty() {
            return Ok(Pattern::Voxel(if in_hand == 0 { Voxel::AIR } else { Voxel::full(in_hand) }));
        }
        parse_pattern(text, materials, None, seeds).map_err(|error| error.to_string())
    }

    /// The mask. Random choices draw from `seeds`.
    ///
    /// # Errors
    /// The text is no mask, in one line.
    pub fn mask(&self, materials: &MaterialTable, seeds: &Seeds) -> Result<Mask, String> {
        let text = self.mask.trim();
        if text.is_empty() {
            return Ok(Mask::Any);
        }
        parse_mask(text, materials, None, seeds).map_err(|error| error.to_string())
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

    #[test]
    fn empty_fields_mean_the_block_in_hand_and_everything() {
        let materials = MaterialTable::builtin();
        let stone = materials.find("stone").expect("stone");
        let (fields, seeds) = (MaterialFields::default(), Seeds::new(1));
        assert_eq!(fields.pattern(&materials, stone, &seeds), Ok(Pattern::Voxel(Voxel::full(stone))));
        assert_eq!(fields.pattern(&materials, 0, &seeds), Ok(Pattern::Voxel(Voxel::AIR)));
        assert_eq!(fields.mask(&materials, &seeds), Ok(Mask::Any));
        let typed = MaterialFields { pattern: "stone".into(), mask: "!air".into() };
        assert_eq!(typed.pattern(&materials, 0, &seeds), Ok(Pattern::Voxel(Voxel::full(stone))));
        assert!(typed.mask(&materials, &seeds).is_ok());
        let wrong = MaterialFields { pattern: "no such block".into(), mask: "nothing".into() };
        assert!(wrong.pattern(&materials, 0, &seeds).is_err() && wrong.mask(&materials, &seeds).is_err());
    }
}
