//! Searches the blocks of a map by name, for the inventory and the palette of the builder mode.

use stonerun_engine::voxel::{Material, MaterialId, MaterialTable};

/// The materials whose names match `search`. Air is left out, and so are materials that players do
/// not choose: further states of a block, and shapes that placing selects, such as torches on
/// walls. Shapes of blocks are chosen for the block in hand.
#[must_use]
pub fn found(materials: &MaterialTable, search: &str) -> Vec<MaterialId> {
    let is_offered = |material: &Material| {
        material.is_listed()
            && material.shape.row().is_offered
            && material.block_of_shape().is_none()
    };
    let found = materials.iter().skip(1).filter(|(_, m)| is_offered(m) && matches(&m.name, search));
    found.map(|(id, _)| id).collect()
}

/// True if the material's name contains every word of `search`.
fn matches(name: &str, search: &str) -> bool {
    let name = name.replace('_', " ").to_lowercase();
    search.to_lowercase().replace('_', " ").split_whitespace().all(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_matches_words_in_any_order_and_case() {
        assert!(matches("mossy_cobblestone", ""));
        assert!(matches("mossy_cobblestone", "cobble MOSSY"));
        assert!(matches("oak_log", "oak_l"));
        assert!(!matches("oak_log", "oak planks"));
    }

    #[test]
    fn torch_is_offered_once() {
        let materials = MaterialTable::builtin();
        let names: Vec<&str> = found(&materials, "torch")
            .into_iter()
            .map(|id| materials.get(id).unwrap().name.as_str())
            .collect();
        assert_eq!(names, ["torch", "blue_torch", "red_torch"]);
    }
}
