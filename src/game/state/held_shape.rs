//! The shape of the block in hand.

use super::player::Player;
use super::session::OpenMap;
use stonerun_engine::voxel::{Material, MaterialError, MaterialId, MaterialTable, Shape};

/// Words of the shapes that the ring shows, clockwise from the top. The first is the whole block.
pub const RING: [&str; 12] = [
    "", "slab", "stairs", "step", "post", "eighth", "fence", "wall", "pane", "gate", "panel",
    "ladder",
];
/// Words of the further shapes that the inventory offers.
pub const FURTHER: [&str; 12] = [
    "plate",
    "button",
    "lever",
    "chain",
    "rod",
    "lantern",
    "pot",
    "bed",
    "sign",
    "wall_sign",
    "banner",
    "rail",
];

/// True if a material has the shape with these words, in any form: `stairs,east` is `stairs`.
#[must_use]
pub fn is_held(material: &Material, words: &str) -> bool {
    material.shape.family().unwrap_or_default() == words
}

/// The block `held` in the shape with these words; no words make it whole. `None` if the block can
/// have no shapes.
#[must_use]
pub fn shaped(materials: &MaterialTable, held: MaterialId, words: &str) -> Option<Material> {
    let shape = if words.is_empty() { Shape::Cube } else { Shape::from_words(words).ok()? };
    materials.reshaped(held, shape)
}

/// Gives the block in hand the shape with these words. Nothing changes if it can have no shapes.
///
/// # Errors
/// The map has no room for the material.
pub fn choose(player: &mut Player, map: &OpenMap, words: &str) -> Result<(), MaterialError> {
    if let Some(material) = shaped(&map.growing.table(), player.in_hand(), words) {
        let slot = player.selected;
        player.hotbar[slot] = map.growing.index_of(material)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offered_shape_exists_and_leads_back_to_the_block() {
        let mut table = MaterialTable::builtin();
        let stone = table.find("stone").expect("built in");
        for words in RING.into_iter().chain(FURTHER).filter(|words| !words.is_empty()) {
            let material = shaped(&table, stone, words).expect("stone has every shape");
            assert!(is_held(&material, words), "{words}");
            let id = table.add(material).expect("there is room");
            let whole = shaped(&table, id, "").expect("it is a block");
            assert_eq!(whole.name, "stone");
            assert!(is_held(&whole, ""));
        }
        let water = table.find("water").expect("built in");
        assert_eq!(shaped(&table, water, "slab"), None);
    }
}
