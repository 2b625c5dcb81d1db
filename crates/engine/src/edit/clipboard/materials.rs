//! Conversion of clipboards between the material tables of maps, blueprints and imports.

use super::{Clipboard, Source, Transform, turned_materials};
use crate::edit::region::Region;
use crate::save::{Blueprint, BlueprintChunk};
use crate::voxel::{ChunkPos, Material, MaterialError, MaterialId, MaterialTable, Voxel};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};

impl Clipboard {
    /// Clipboard of voxels whose materials are indices into another table `theirs`, such as an
    /// import's. Materials that `materials` lacks by name are added to it. [`Clipboard::new`]
    /// describes the other arguments.
    ///
    /// # Errors
    /// Fails if the table is full. The table is then unchanged.
    pub fn with_materials(
        chunks: impl IntoIterator<Item = (ChunkPos, Chunk)>,
        region: Region,
        origin: IVec3,
        theirs: &MaterialTable,
        materials: &mut MaterialTable,
    ) -> Result<Clipboard, MaterialError> {
        Clipboard::new(chunks, region, origin).for_table(theirs, materials)
    }

    /// The clipboard, whose materials are indices into `theirs`, with indices into `materials`.
    /// Materials that `materials` lacks by name are added to it.
    ///
    /// # Errors
    /// Fails if the table is full. The table is then unchanged.
    pub fn for_table(
        &self,
        theirs: &MaterialTable,
        materials: &mut MaterialTable,
    ) -> Result<Clipboard, MaterialError> {
        let mut grown = materials.clone();
        let mut ids = FxHashMap::default();
        for id in self.used_materials() {
            ids.insert(id, grown.add(material(theirs, id))?);
        }
        *materials = grown;
        if ids.iter().all(|(before, after)| before == after) {
            return Ok(self.clone());
        }
        let is_fluid = |id| materials.get(id).is_some_and(Material::is_fluid);
        Ok(self.with_ids(&ids, is_fluid))
    }

    /// Blueprint with the voxels of the clipboard. `materials` is the table of the clipboard's
    /// voxels.
    #[must_use]
    pub fn to_blueprint(&self, materials: &MaterialTable) -> Blueprint {
        let mut used = self.used_materials();
        used.retain(|&id| id != 0);
        let list: Vec<Material> = std::iter::once(0)
            .chain(used.iter().copied())
            .map(|id| material(materials, id))
            .collect();
        let ids: FxHashMap<MaterialId, MaterialId> = used.into_iter().zip(1..).collect();
        let is_fluid = |id| list.get(usize::from(id)).is_some_and(Material::is_fluid);
        let renumbered = self.with_ids(&ids, is_fluid);
        let chunks = renumbered.clipped_chunks().map(|(pos, voxels)| {
            let inside =
                renumbered.0.region.chunk(pos).cloned().unwrap_or(Chunk::uniform(Voxel::AIR));
            BlueprintChunk { pos, voxels, inside }
        });
        Blueprint { materials: list, origin: self.0.origin, chunks: chunks.collect() }
    }

    /// Clipboard with the voxels of a blueprint. Materials that `materials` lacks are added to it.
    ///
    /// # Errors
    /// Fails if the table is full, or if the blueprint lists a material twice. The table is then
    /// unchanged.
    pub fn from_blueprint(
        blueprint: &Blueprint,
        materials: &mut MaterialTable,
    ) -> Result<Clipboard, MaterialError> {
        let theirs = MaterialTable::from_list(blueprint.materials.clone())?;
        let inside = blueprint.chunks.iter().map(|chunk| (chunk.pos, chunk.inside.clone()));
        let voxels = blueprint.chunks.iter().map(|chunk| (chunk.pos, chunk.voxels.clone()));
        Clipboard::with_materials(
            voxels,
            Region::from_chunks(inside),
            blueprint.origin,
            &theirs,
            materials,
        )
    }

    /// Materials that the table of the clipboard's voxels lacks, and into which blocks with a state
    /// or shape would turn by a transform. Add them before [`Clipboard::transformed`], which leaves
    /// such blocks as they are otherwise.
    #[must_use]
    pub fn missing_when_transformed(
        &self,
        transform: &Transform,
        materials: &MaterialTable,
    ) -> Vec<Material> {
        let Source { original, transform } = Source::followed_by(self, *transform);
        turned_materials::missing(materials, transform.affine().matrix3, || {
            original.used_materials()
        })
    }

    /// Materials of the clipboard's voxels, ascending.
    fn used_materials(&self) -> Vec<MaterialId> {
        let mut used = FxHashSet::default();
        self.for_each_run(|_, run| _ = used.insert(run.voxel.material()));
        let mut used: Vec<MaterialId> = used.into_iter().collect();
        used.sort_unstable();
        used
    }

    /// Copy of the clipboard with material indices replaced. Voxels that do not belong to the
    /// clipboard become air. Liquid is dropped from materials that are fluid in the other table,
    /// although a solid of the same name held it in this one.
    fn with_ids(
        &self,
        ids: &FxHashMap<MaterialId, MaterialId>,
        is_fluid: impl Fn(MaterialId) -> bool,
    ) -> Clipboard {
        let change = |voxel: Voxel| {
            let id = ids.get(&voxel.material()).copied().unwrap_or(0);
            let changed = voxel.with_material(id);
            if changed.is_wet() && is_fluid(id) { changed.dry() } else { changed }
        };
        let chunks = self.clipped_chunks().map(|(pos, chunk)| (pos, chunk.map(change)));
        Clipboard::new(chunks, self.0.region.clone(), self.0.origin)
    }
}

/// Material `id` of a table. If the table lacks it, a plain material named after the index.
fn material(table: &MaterialTable, id: MaterialId) -> Material {
    table.get(id).cloned().unwrap_or_else(|| Material::unknown(&format!("unknown_material_{id}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Box3, Matter};

    fn table(names: &[&str]) -> MaterialTable {
        MaterialTable::from_list(names.iter().map(|name| Material::unknown(name)).collect())
            .unwrap()
    }

    /// Clipboard of a table with the materials a, b and c, of which c lies outside its region.
    fn clipboard() -> (Clipboard, MaterialTable) {
        let runs = [
            (100, Voxel::full(1)),
            (100, Voxel::new(2, 9).with_liquid(7)),
            (100, Voxel::AIR),
            (32_468, Voxel::full(3)),
        ];
        let region =
            Region::from_shape(&Box3 { min: IVec3::new(-30, 0, 0), max: IVec3::new(-8, 1, 9) });
        let clipboard = Clipboard::new(
            [(ChunkPos::new(-1, 0, 0), Chunk::from_runs(runs))],
            region,
            IVec3::new(4, 5, 6),
        );
        (clipboard, table(&["air", "a", "b", "c"]))
    }

    /// Name, occupancy and liquid of every voxel.
    fn named(clipboard: &Clipboard, table: &MaterialTable) -> Vec<(IVec3, String, [u8; 2])> {
        let mut named = Vec::new();
        clipboard.for_each_run(|pos, run| {
            for index in run.start..run.end() {
                let at =
                    pos.origin() + crate::voxel::linear_offset(index as usize) - clipboard.origin();
                named.push((
                    at,
                    table.get(run.voxel.material()).unwrap().name.clone(),
                    [run.voxel.occupancy(), run.voxel.liquid()],
                ));
            }
        });
        named
    }

    #[test]
    fn blueprint_keeps_voxels_by_name() {
        let (clipboard, before) = clipboard();
        let blueprint = clipboard.to_blueprint(&before);
        let names: Vec<&str> =
            blueprint.materials.iter().map(|material| material.name.as_str()).collect();
        assert_eq!(names, ["air", "a", "b"], "c does not belong to the clipboard");
        let mut other = table(&["air", "x", "b"]);
        let read = Clipboard::from_blueprint(&blueprint, &mut other).unwrap();
        assert_eq!(
            other.iter().map(|(_, material)| material.name.as_str()).collect::<Vec<_>>(),
            ["air", "x", "b", "a"]
        );
        assert_eq!(named(&read, &other), named(&clipboard, &before));
        // A table that has grown otherwise meanwhile has other indices.
        let mut later = table(&["air", "x", "b", "y"]);
        let moved = read.for_table(&other, &mut later).unwrap();
        assert_eq!(later.find("a"), Some(4));
        assert_eq!(named(&moved, &later), named(&clipboard, &before));
        assert_eq!(
            (read.bounds(), read.origin(), read.volume()),
            (clipboard.bounds(), clipboard.origin(), 22 * 9)
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.blueprint");
        blueprint.save(&path, false).unwrap();
        assert_eq!(Blueprint::load(&path).unwrap(), blueprint);
    }

    #[test]
    fn liquid_is_dropped_where_the_material_is_fluid() {
        let (clipboard, before) = clipboard();
        let b = Material { matter: Matter::Liquid, ..Material::unknown("b") };
        let mut other = MaterialTable::from_list(vec![Material::unknown("air"), b]).unwrap();
        let blueprint = clipboard.to_blueprint(&before);
        assert!(blueprint.chunks[0].voxels.values().any(Voxel::is_wet));
        let read = Clipboard::from_blueprint(&blueprint, &mut other).unwrap();
        let mut dry = named(&clipboard, &before);
        for (_, _, [_, liquid]) in &mut dry {
            *liquid = 0;
        }
        assert_eq!(named(&read, &other), dry);
    }

    #[test]
    fn material_that_no_table_has_gets_a_name() {
        let (clipboard, _) = clipboard();
        let blueprint = clipboard.to_blueprint(&table(&["air", "a"]));
        assert_eq!(blueprint.materials[2].name, "unknown_material_2");
    }

    #[test]
    fn full_table_is_refused_and_stays_as_it_is() {
        let (clipboard, before) = clipboard();
        let names: Vec<String> = (1..Voxel::MAX_MATERIALS).map(|n| n.to_string()).collect();
        let mut full = table(
            &std::iter::once("air").chain(names.iter().map(String::as_str)).collect::<Vec<_>>(),
        );
        let refused = Clipboard::from_blueprint(&clipboard.to_blueprint(&before), &mut full);
        assert!(matches!(refused, Err(MaterialError::TooMany)));
        assert_eq!(full.len(), Voxel::MAX_MATERIALS);
    }
}
