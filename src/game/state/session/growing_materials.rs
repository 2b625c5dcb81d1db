//! The material table of the open map as it grows: shapes and turned states get a material when
//! they are first used.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stonerun_engine::edit::clipboard::{Clipboard, Transform};
use stonerun_engine::edit::{EditError, JobProgress};
use stonerun_engine::voxel::{Material, MaterialError, MaterialId, MaterialTable};

/// A handle on the growing table, for systems and for the threads of jobs. The table begins with
/// the materials of the open map, which gets the further ones at the end of the frame. So an index
/// of this table can be put into voxels at once.
#[derive(Clone, Debug)]
pub struct GrowingMaterials(Arc<Mutex<Arc<MaterialTable>>>);

impl GrowingMaterials {
    /// A handle on a table that has not grown yet.
    #[must_use]
    pub fn new(table: Arc<MaterialTable>) -> GrowingMaterials {
        GrowingMaterials(Arc::new(Mutex::new(table)))
    }

    /// The table with all materials that were added.
    #[must_use]
    pub fn table(&self) -> Arc<MaterialTable> {
        Arc::clone(&self.lock())
    }

    /// Adds materials that the table lacks by name. Returns the table with them.
    ///
    /// # Errors
    /// The table has no room for all of them. It is then unchanged.
    pub fn add(
        &self,
        materials: impl IntoIterator<Item = Material>,
    ) -> Result<Arc<MaterialTable>, MaterialError> {
        let mut table = self.lock();
        let mut grown = (**table).clone();
        for material in materials {
            grown.add(material)?;
        }
        if grown.len() > table.len() {
            *table = Arc::new(grown);
        }
        Ok(Arc::clone(&table))
    }

    /// Index of a material, which is added if the table lacks its name.
    ///
    /// # Errors
    /// The table has no room.
    pub fn index_of(&self, material: Material) -> Result<MaterialId, MaterialError> {
        let found = self.lock().find(&material.name);
        match found {
            Some(id) => Ok(id),
            None => {
                let name = material.name.clone();
                let table = self.add([material])?;
                // It was added just now, and materials are never removed.
                table.find(&name).ok_or(MaterialError::TooMany)
            }
        }
    }

    /// A clipboard, whose materials are indices into `theirs`, with indices into this table, which
    /// gets the materials that it lacks.
    ///
    /// # Errors
    /// The table has no room. It is then unchanged.
    pub fn adopted(
        &self,
        clipboard: &Clipboard,
        theirs: &MaterialTable,
    ) -> Result<Clipboard, MaterialError> {
        let mut table = self.lock();
        let mut grown = (**table).clone();
        let adopted = clipboard.for_table(theirs, &mut grown)?;
        *table = Arc::new(grown);
        Ok(adopted)
    }

    /// A clipboard after a transform. The table gets the turned states and shapes that it lacks.
    ///
    /// # Errors
    /// The table has no room, the result lies in too many chunks, or the job was cancelled.
    pub fn transformed(
        &self,
        clipboard: &Clipboard,
        transform: &Transform,
        progress: &JobProgress,
    ) -> Result<Clipboard, EditError> {
        let missing = clipboard.missing_when_transformed(transform, &self.table());
        let table = self.add(missing).map_err(|_| EditError::TooManyMaterials)?;
        clipboard.transformed(transform, Some(&table), progress)
    }

    /// Takes over a table of the open map, whose surfaces have changed. Added materials that it
    /// lacks stay.
    pub(super) fn renew(&self, table: &MaterialTable) {
        let mut before = self.lock();
        let mut renewed = table.clone();
        for (_, material) in before.iter().skip(table.len()) {
            // The longer table shows that there is room.
            let _ = renewed.add(material.clone());
        }
        *before = Arc::new(renewed);
    }

    fn lock(&self) -> MutexGuard<'_, Arc<MaterialTable>> {
        // A panic between the steps of `add` leaves the table as it was.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::{SurfaceRule, Voxel};

    #[test]
    fn added_materials_stay_when_surfaces_change() {
        let map = Arc::new(MaterialTable::builtin());
        let growing = GrowingMaterials::new(Arc::clone(&map));
        let id = growing.index_of(Material::unknown("velvet")).unwrap();
        assert_eq!(usize::from(id), map.len());
        assert_eq!(growing.clone().index_of(Material::unknown("velvet")).unwrap(), id);
        let mut changed = (*map).clone();
        let stone = changed.find("stone").unwrap();
        changed.set_surface(stone, SurfaceRule::Smooth).unwrap();
        growing.renew(&changed);
        let table = growing.table();
        assert_eq!(table.find("velvet"), Some(id));
        assert!(table.get(stone).unwrap().is_smooth());
    }

    #[test]
    fn table_without_room_for_all_stays_as_it_is() {
        let mut table = MaterialTable::builtin();
        for number in table.len()..Voxel::MAX_MATERIALS - 1 {
            table.add(Material::unknown(&number.to_string())).unwrap();
        }
        let growing = GrowingMaterials::new(Arc::new(table));
        let two = ["a", "b"].map(Material::unknown);
        assert!(matches!(growing.add(two), Err(MaterialError::TooMany)));
        assert_eq!(growing.table().len(), Voxel::MAX_MATERIALS - 1);
        assert!(growing.index_of(Material::unknown("a")).is_ok());
    }
}
