//! Maps whose content depends only on the number of the save, and checks of that content.

use super::dice::Dice;
use super::disk::{Disk, Image, Moment};
use super::vfs;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use stonerun_engine::save::{Header, MapChanges, MapFile, OpenedMap, verify};
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

/// Number of chunk positions in a row to which saves write.
const PLACES: u64 = 12;
/// Name of the map file.
pub const NAME: &str = "home.stonerun";

/// The chunks that save number `save` writes. Some are small, some longer than a page.
fn written(save: u64) -> BTreeMap<ChunkPos, Chunk> {
    let mut dice = Dice::new(save);
    (0..1 + dice.below(5))
        .map(|_| {
            let pos = ChunkPos::new(dice.below(PLACES) as i32, -1, 3);
            let runs = if dice.one_in(5) { 8192 } else { 16 };
            let voxel = Voxel::full;
            let chunk =
                (0..runs).map(|_| ((CHUNK_VOLUME / runs) as u32, voxel(dice.below(30) as u16)));
            (pos, Chunk::from_runs(chunk))
        })
        .collect()
}

/// The chunks of the map after save number `save`.
pub fn after(save: u64) -> BTreeMap<ChunkPos, Chunk> {
    (1..=save).flat_map(written).collect()
}

pub fn header(save: u64) -> Header {
    Header { played_seconds: save as f64, ..Header::new(1, "void", 0) }
}

pub fn changes(save: u64) -> MapChanges {
    MapChanges::new(written(save).into_iter().collect(), header(save), MaterialTable::builtin())
}

/// The files of a closed map after this many saves.
pub fn base(saves: u64) -> Image {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    let mut map = MapFile::create(&path, &header(0), &MaterialTable::builtin()).unwrap();
    for save in 1..=saves {
        _ = map.save(&changes(save)).unwrap();
    }
    map.close().unwrap();
    Image::from([(NAME.to_owned(), std::fs::read(path).unwrap())])
}

pub fn lay_out(image: &Image, folder: &Path) {
    for (name, bytes) in image.iter() {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}

/// Checks that an open map equals the result of one of the saves `first` to `last`. Returns the
/// number of that save.
pub fn compare(opened: &OpenedMap, first: u64, last: u64) -> Result<u64, String> {
    if let Some(damage) = &opened.damage {
        return Err(format!("damaged: {damage}"));
    }
    let map = &opened.map;
    let save = map.header().played_seconds as u64;
    if !(first..=last).contains(&save) {
        return Err(format!("it holds save {save}, expected one of {first} to {last}"));
    }
    let expected = after(save);
    if !map.positions().iter().eq(expected.keys()) {
        return Err(format!("not the chunks of save {save}"));
    }
    for (pos, chunk) in &expected {
        match map.load(*pos) {
            Ok(Some(found)) if found == *chunk => {}
            Ok(_) => return Err(format!("chunk {pos} differs from save {save}")),
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(save)
}

/// Writes the folder as the power loss left it, and checks that its map is sound and complete,
/// whether opened for reading or for writing. Returns the number of the save that the map holds.
pub fn examine(moment: &Moment) -> Result<u64, String> {
    let folder = tempfile::tempdir().unwrap();
    lay_out(&moment.image, folder.path());
    // A watched folder without faults is faster than the real disk.
    vfs::watch(folder.path(), &Arc::new(Disk::new(0, &moment.image)));
    let examined = examine_in(folder.path(), moment);
    vfs::forget(folder.path());
    examined
}

fn examine_in(folder: &Path, moment: &Moment) -> Result<u64, String> {
    let path = folder.join(NAME);
    let report = verify(&path).map_err(|e| e.to_string())?;
    if !report.is_sound() {
        return Err(format!("not sound: {report:?}"));
    }
    let save = compare(
        &MapFile::open_read_only(&path).map_err(|e| e.to_string())?,
        moment.reported,
        moment.started,
    )?;
    let opened = MapFile::open(&path).map_err(|e| e.to_string())?;
    compare(&opened, save, save)?;
    let mut map = opened.map;
    // The map must also accept another save.
    map.save(&changes(save + 1)).map_err(|e| e.to_string())?;
    map.close().map_err(|e| e.to_string())?;
    compare(&MapFile::open_read_only(&path).map_err(|e| e.to_string())?, save + 1, save + 1)?;
    Ok(save)
}
