//! A map's material table, put together from its records.
//!
//! Each record holds all that is needed to draw the material, so a map is complete in itself. Where the game
//! knows the name, its own look is taken; the index is always the map's.

use crate::voxel::{MAX_LIGHT, Material, MaterialId, MaterialTable, Voxel};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A table of `len` materials from the `found` ones, and the indices that were not found. A lost one is
/// called `lost_material_N`, so that its voxels stay and can be told apart.
pub(super) fn assemble(mut found: BTreeMap<MaterialId, Material>, len: usize) -> (MaterialTable, Vec<MaterialId>) {
    let known = MaterialTable::builtin();
    let mut names = FxHashSet::default();
    let mut lost = Vec::new();
    let mut list = Vec::new();
    for id in 0..len.clamp(1, Voxel::MAX_MATERIALS) as MaterialId {
        // Air is always index 0 and only there, also in a map that somebody made to confuse us.
        let material = match found.remove(&id) {
            Some(m) if (m.name == "air") == (id == 0) && !names.contains(&m.name) => m,
            _ => {
                lost.push(id);
                let mut name = if id == 0 { "air".to_owned() } else { format!("lost_material_{id}") };
                while names.contains(&name) {
                    name.push('_');
                }
                Material::unknown(&name)
            }
        };
        names.insert(material.name.clone());
        // A stranger's map may say anything; brighter than bright is bright.
        let material = Material { light: material.light.min(MAX_LIGHT), ..material };
        let look = known.find(&material.name).and_then(|k| known.get(k)).cloned();
        list.push(look.unwrap_or(material));
    }
    // The names are unique, the first is "air", and none is too bright, so the list cannot be refused; the game's own list
    // stands in all the same rather than a panic.
    (MaterialTable::from_list(list).unwrap_or(known), lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_keeps_its_indices_and_takes_the_games_looks() {
        let named = |name: &str| Material::plain(name, [1, 2, 3]);
        let glaring = Material { light: 200, ..named("theirs") };
        let found = [(0, named("air")), (1, glaring), (2, named("stone")), (4, named("theirs"))];
        let (table, lost) = assemble(found.into(), 5);
        assert_eq!(lost, [3, 4], "index 3 is missing, and index 4 has a name twice");
        assert_eq!(table.len(), 5);
        assert_eq!(table.get(1), Some(&Material { light: 15, ..named("theirs") }));
        let builtin = MaterialTable::builtin();
        assert_eq!(table.get(2), builtin.find("stone").and_then(|id| builtin.get(id)));
        assert_eq!(table.find("lost_material_3"), Some(3));
    }

    #[test]
    fn air_is_where_it_must_be_or_nowhere() {
        let (table, lost) = assemble([(0, Material::unknown("x")), (1, Material::unknown("air"))].into(), 2);
        assert_eq!((table.find("air"), lost), (Some(0), vec![0, 1]));
        assert_eq!(assemble(BTreeMap::new(), 0).0.len(), 1);
    }
}
