//! A map's material table, assembled from its records.
//!
//! Each record holds everything that drawing its material needs, so a map is self-contained. For a
//! name that the game knows, the game's own appearance is used; the index is always the map's.

use crate::voxel::{MAX_LIGHT, Material, MaterialId, MaterialTable, Voxel};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Builds a table of `len` materials from the `found` ones. Returns it with the indices of lost
/// materials, each of which gets a name of its own, `lost_material_N`, so their voxels stay
/// distinct.
pub(in crate::save) fn assemble(
    mut found: BTreeMap<MaterialId, Material>,
    len: usize,
) -> (MaterialTable, Vec<MaterialId>) {
    let builtin = MaterialTable::builtin();
    let mut names = FxHashSet::default();
    let mut lost = Vec::new();
    let mut list = Vec::new();
    for id in 0..len.clamp(1, Voxel::MAX_MATERIALS) as MaterialId {
        // Air is index 0 and no other index, even in a hostile map.
        let material = match found.remove(&id) {
            Some(m) if (m.name == "air") == (id == 0) && !names.contains(&m.name) => m,
            _ => {
                lost.push(id);
                let mut name =
                    if id == 0 { "air".to_owned() } else { format!("lost_material_{id}") };
                while names.contains(&name) {
                    name.push('_');
                }
                Material::unknown(&name)
            }
        };
        names.insert(material.name.clone());
        // A hostile map may have any light level.
        let material = Material { light: material.light.min(MAX_LIGHT), ..material };
        let known = builtin.find(&material.name).and_then(|k| builtin.get(k)).cloned();
        // An old map keeps its cubes if the game later gives a material another surface.
        let surface = material.surface;
        list.push(known.map_or(material, |known| Material { surface, ..known }));
    }
    // The names are unique, the first is "air", and no light is too bright, so `from_list` accepts
    // the list. A fallback to the built-in table avoids a panic here.
    (MaterialTable::from_list(list).unwrap_or(builtin), lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_get_the_games_appearance_at_the_maps_indices() {
        let named = |name: &str| Material::plain(name, [1, 2, 3]);
        let glaring = Material { light: 200, ..named("theirs") };
        let found = [(0, named("air")), (1, glaring), (2, named("stone")), (4, named("theirs"))];
        let (table, lost) = assemble(found.into(), 5);
        assert_eq!(lost, [3, 4], "index 3 is missing, and index 4 repeats a name");
        assert_eq!(table.len(), 5);
        assert_eq!(table.get(1), Some(&Material { light: 15, ..named("theirs") }));
        let builtin = MaterialTable::builtin();
        assert_eq!(table.get(2), builtin.find("stone").and_then(|id| builtin.get(id)));
        assert_eq!(table.find("lost_material_3"), Some(3));
    }

    #[test]
    fn misplaced_air_is_lost() {
        let (table, lost) =
            assemble([(0, Material::unknown("x")), (1, Material::unknown("air"))].into(), 2);
        assert_eq!((table.find("air"), lost), (Some(0), vec![0, 1]));
        assert_eq!(assemble(BTreeMap::new(), 0).0.len(), 1);
    }
}
