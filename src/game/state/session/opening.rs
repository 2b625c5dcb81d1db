//! Opening a map.

use super::edits::Edits;
use super::growing_materials::GrowingMaterials;
use super::open_map::{self, OpenMap, ReadOnlyReason};
use super::save_queue::SaveQueue;
use crate::game::platform::task_pools;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use stonerun_engine::edit::EditableWorld;
use stonerun_engine::history::History;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::save::{
    MapFile, MapReader, MapWriter, Places, SaveError, SavedAwake, SavedRules, catalogue,
};
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::visibility::OccluderMaterials;
use stonerun_engine::voxel::CHUNK_SIDE;

/// A map that was opened.
pub struct OpenedSession {
    /// The map.
    pub map: OpenMap,
    /// World of the map, without loaded chunks.
    pub edits: Edits,
    /// Queue of the saves of the map.
    pub saves: SaveQueue,
    /// Problems of the map that do not prevent opening it, one line each.
    pub warnings: Vec<String>,
}

/// Purpose for which a map is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenPurpose {
    /// Opens for playing; read-only if the file cannot be written.
    Play,
    /// Opens for a picture, read-only. The map may be open elsewhere.
    Picture,
    /// Opens for the background of the title screen, read-only. The map may be open elsewhere.
    Look,
}

/// Opens the map at `path`.
///
/// # Errors
/// The map cannot be opened.
pub fn open(path: &Path, purpose: OpenPurpose) -> Result<OpenedSession, SaveError> {
    let read_only = if purpose == OpenPurpose::Play { read_only_reason(path) } else { None };
    let writable = purpose == OpenPurpose::Play && read_only.is_none();
    let opened = if writable { MapFile::open(path) } else { MapFile::open_read_only(path) }?;
    let mut warnings: Vec<String> = opened.damage.iter().map(ToString::to_string).collect();
    let file = opened.map;
    let header = file.header().clone();
    let mut materials = file.materials().clone();
    if writable {
        // A map made by an older version lacks newer materials. They are added here, and the next
        // save writes them.
        materials.add_missing(header.ground.materials());
    }
    let materials = Arc::new(materials);
    let terrain = header.terrain.parse().unwrap_or_else(|unknown| {
        warnings.push(format!(
            "{}: {unknown}; chunks that were never saved stay empty",
            path.display()
        ));
        TerrainKind::Void
    });
    let lowest = (terrain == TerrainKind::Void).then(|| {
        let chunks = file.positions();
        chunks
            .iter()
            .map(|pos| f64::from(pos.y) * f64::from(CHUNK_SIDE))
            .fold(header.spawn[1], f64::min)
    });
    let reader = file.reader()?;
    let history = match file.history() {
        Ok(saved) => History::from_saved(saved, materials.len(), usize::MAX, reader.clone()),
        Err(reason) => {
            warnings.push(format!("{}: the undo history is lost: {reason}", path.display()));
            History::replacing_saved(usize::MAX, reader.clone())
        }
    };
    let places = file.places().unwrap_or_else(|reason| {
        warnings.push(format!("{}: the named places are lost: {reason}", path.display()));
        Places::default()
    });
    let rules = file.rules().unwrap_or_else(|reason| {
        warnings.push(format!("{}: the map's own rules are lost: {reason}", path.display()));
        SavedRules::default()
    });
    let awake = file.awake().unwrap_or_else(|reason| {
        warnings.push(format!(
            "{}: what was falling or flowing stands still: {reason}",
            path.display()
        ));
        SavedAwake::default()
    });
    let open = (terrain == TerrainKind::Void).then(|| file.positions().into_iter().collect());
    let creatures = file.creatures().unwrap_or_else(|reason| {
        warnings.push(format!("{}: the creatures are lost: {reason}", path.display()));
        None
    });
    if purpose == OpenPurpose::Play {
        warnings.extend(
            damaged_regions(&reader).into_iter().map(|line| format!("{}: {line}", path.display())),
        );
    }
    let map = OpenMap {
        places,
        rules,
        creatures,
        name: path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
        target_boxes: Arc::new(open_map::target_boxes(&materials)),
        face_materials: Arc::new(FaceMaterials::new(&materials)),
        occluders: Arc::new(OccluderMaterials::new(&materials)),
        generator: Arc::new(header.generator(&materials)),
        terrain,
        growing: GrowingMaterials::new(Arc::clone(&materials)),
        materials,
        reader,
        read_only,
        view_limit: None,
        header,
    };
    let writer = MapWriter::spawn(file, task_pools::lower_priority)?;
    let saves = if read_only.is_some() || purpose == OpenPurpose::Look {
        SaveQueue::without_saves(writer)
    } else {
        SaveQueue::new(writer)
    };
    let saves = saves.with_saved_rules(map.rules.clone());
    let world = EditableWorld::new(history).with_awake(&awake, open);
    Ok(OpenedSession { map, edits: Edits::new(world, lowest), saves, warnings })
}

/// A line for each named region that is damaged.
fn damaged_regions(reader: &MapReader) -> Vec<String> {
    match reader.regions() {
        Ok(regions) => regions
            .bad
            .into_iter()
            .map(|(_, reason)| format!("a named region is lost: {reason}"))
            .collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// Reason why the map at `path` can only be opened read-only; `None` if there is none. Other
/// problems are reported when it is opened.
fn read_only_reason(path: &Path) -> Option<ReadOnlyReason> {
    if path.metadata().is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Some(ReadOnlyReason::Protected);
    }
    match catalogue::must_be_free(path) {
        Err(SaveError::InUse { .. }) => Some(ReadOnlyReason::InUse),
        Err(SaveError::Io { source, .. })
            if matches!(
                source.kind(),
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            Some(ReadOnlyReason::Protected)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::save::Header;
    use stonerun_engine::voxel::{ChunkPos, Material, MaterialTable, Voxel};
    use stonerun_engine::world::Chunk;

    #[test]
    fn map_that_cannot_be_written_is_opened_for_looking() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("home.stonerun");
        MapFile::create(&path, &Header::new(1, "flat", 0), &MaterialTable::builtin())
            .unwrap()
            .close()
            .unwrap();
        let opened = open(&path, OpenPurpose::Play).unwrap();
        assert_eq!(opened.map.read_only, None);
        // While the map is open here, a second session of it is read-only.
        let mut second = open(&path, OpenPurpose::Play).unwrap();
        assert_eq!(second.map.read_only, Some(ReadOnlyReason::InUse));
        second.saves.note_generated(ChunkPos::new(0, 0, 0));
        assert!(
            !second.saves.needs(ChunkPos::new(0, 0, 0)),
            "chunks that cannot be saved must not stay loaded"
        );
        assert!(!second.saves.is_due(std::time::Duration::from_secs(3600)));
        drop((opened, second));
        assert_eq!(open(&path, OpenPurpose::Play).unwrap().map.read_only, None);

        let mut permissions = path.metadata().unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&path, permissions).unwrap();
        let before = std::fs::read(&path).unwrap();
        let OpenedSession { mut map, mut edits, mut saves, .. } =
            open(&path, OpenPurpose::Play).unwrap();
        assert_eq!(map.read_only, Some(ReadOnlyReason::Protected));
        let closed = saves.close(&mut map, &mut edits, &mut Default::default()).unwrap();
        assert!(closed.report.is_none(), "nothing is saved");
        assert!(std::fs::read(&path).unwrap() == before);
        assert!(open(&folder.path().join("none.stonerun"), OpenPurpose::Play).is_err());
    }

    #[test]
    fn map_without_newer_materials_gets_them_when_it_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.stonerun");
        let names = ["air", "stone", "other:thing"].map(Material::unknown);
        let table = MaterialTable::from_list(names.to_vec()).unwrap();
        MapFile::create(&path, &Header::new(1, "flat", 0), &table).unwrap().close().unwrap();
        let looked_at = open(&path, OpenPurpose::Picture).unwrap();
        assert_eq!(looked_at.map.materials.len(), 3);
        drop(looked_at);

        let OpenedSession { mut map, mut edits, mut saves, .. } =
            open(&path, OpenPurpose::Play).unwrap();
        let names: Vec<&str> = map.materials.iter().map(|(_, m)| m.name.as_str()).take(4).collect();
        assert_eq!(names, ["air", "stone", "other:thing", "deepstone"]);
        let torch = map.materials.find("torch").unwrap();
        assert_eq!(
            MapFile::open_read_only(&path).unwrap().map.materials().len(),
            3,
            "opening writes nothing"
        );
        let pos = ChunkPos::new(0, 0, 0);
        assert!(edits.load_chunk(pos, Chunk::uniform(Voxel::full(torch))));
        saves.note_edit(pos);
        saves.close(&mut map, &mut edits, &mut Default::default()).unwrap();
        let saved = MapFile::open_read_only(&path).unwrap().map;
        assert_eq!(
            (saved.materials().find("torch"), saved.materials().find("other:thing")),
            (Some(torch), Some(2))
        );
        assert_eq!(saved.load(pos).unwrap(), Some(Chunk::uniform(Voxel::full(torch))));
    }

    #[test]
    fn map_behind_the_title_screen_is_never_written_and_can_be_played_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("home.stonerun");
        MapFile::create(&path, &Header::new(1, "flat", 0), &MaterialTable::builtin())
            .unwrap()
            .close()
            .unwrap();
        let before = std::fs::read(&path).unwrap();
        let OpenedSession { mut map, mut edits, mut saves, .. } =
            open(&path, OpenPurpose::Look).unwrap();
        saves.note_generated(ChunkPos::new(0, 0, 0));
        saves.set_places(Places::default());
        saves.set_picture(vec![1, 2, 3]);
        assert!(!saves.is_due(std::time::Duration::from_secs(3600)));
        assert!(std::fs::read(&path).unwrap() == before);
        // The map can be opened to play while the title screen still has it open.
        let played = open(&path, OpenPurpose::Play).unwrap();
        assert_eq!(played.map.read_only, None);
        drop(played);
        let before = std::fs::read(&path).unwrap();
        assert!(
            saves.close(&mut map, &mut edits, &mut Default::default()).unwrap().report.is_none()
        );
        assert!(std::fs::read(&path).unwrap() == before);
    }
}
