//! Pictures for maps that have none, computed by casting rays: imported maps, maps from the command
//! line, and their backups.
//!
//! The picture shows the player's view when the map is opened, with block textures, sun and shadow.
//! Drawing needs no graphics card, so it runs on any thread.

use crate::game::pictures::ray_picture::{RayMaterials, RayView, draw};
use image::RgbaImage;
use std::path::Path;
use stonerun_engine::save::{Header, MapFile, MapReader};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{ChunkPos, Voxel};
use stonerun_engine::world::view::load_offsets;
use stonerun_engine::world::{Chunk, World};
use stonerun_exchange::Progress;

/// Distance at which the fog is full, in voxels.
const FAR: f32 = 176.0;
/// View distance of pictures, in chunks.
pub const VIEW: i32 = 6;
/// Maximum size of a map file that is shown behind the title screen or drawn here, in bytes.
/// Opening a map reads the whole file, and the window cannot close before that ends.
pub const MAX_BYTES: u64 = 64 << 20;

/// Computes the picture of the map at `path`; `None` if the map is too large or cannot be read, or
/// `progress` cancels.
#[must_use]
pub fn sketch(path: &Path, progress: &mut Progress) -> Option<RgbaImage> {
    if path.metadata().ok()?.len() > MAX_BYTES {
        return None;
    }
    let map = MapFile::open_read_only(path).ok()?.map;
    let header = map.header().clone();
    let materials = map.materials().clone();
    let reader = map.reader().ok()?;
    let view = view_of_player(&header);
    let kind = header.terrain.parse().unwrap_or(TerrainKind::Void);
    let generator = header.generator(&materials);
    let world = load(&reader, &generator, &view, progress)?;
    let materials = RayMaterials::new(&materials, kind == TerrainKind::Caverns)?;
    draw(&world, &materials, &view, progress)
}

/// The player's view when the map is opened.
fn view_of_player(header: &Header) -> RayView {
    let view = header.player.viewpoint();
    RayView::new(view.eyes(), view.yaw, view.pitch, FAR)
}

/// The chunks in view, read from the map or generated where the map has none. A chunk that cannot
/// be read counts as air.
fn load(
    reader: &MapReader,
    generator: &Generator,
    view: &RayView,
    progress: &mut Progress,
) -> Option<World> {
    let centre = ChunkPos::containing(view.eyes().floor().as_ivec3());
    let mut world = World::new();
    for offset in load_offsets(VIEW) {
        let pos = centre.offset(offset);
        if !view.may_see(offset.as_dvec3()) || !pos.in_world() {
            continue;
        }
        if progress(0.0).is_break() {
            return None;
        }
        let chunk = reader.load(pos).unwrap_or_else(|_| Some(Chunk::uniform(Voxel::AIR)));
        world.insert(pos, chunk.unwrap_or_else(|| generator.chunk(pos)));
    }
    Some(world)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::pictures::ray_picture::SIZE;
    use std::ops::ControlFlow;
    use stonerun_engine::save::unix_now;
    use stonerun_engine::voxel::MaterialTable;
    use stonerun_exchange::ignore_progress;

    #[test]
    fn new_map_gets_a_picture_of_ground_and_sky() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flat.stonerun");
        let mut header = Header::new(1, "flat", unix_now());
        header.player.position = [0.5, 0.0, 0.5];
        MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap().close().unwrap();
        let before = std::fs::read(&path).unwrap();
        let picture = sketch(&path, &mut ignore_progress).unwrap();
        assert_eq!(picture.dimensions(), SIZE.into());
        let [r, g, b, _] = picture.get_pixel(128, 4).0;
        assert!(b > g && g > r, "sky: {r} {g} {b}");
        let [r, g, b, _] = picture.get_pixel(128, 140).0;
        assert!(g > r && g > b, "grass: {r} {g} {b}");
        // Reading creates no files next to the map. A cancelled sketch gives no picture.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(std::fs::read(&path).unwrap() == before);
        assert!(sketch(&path, &mut |_| ControlFlow::Break(())).is_none());
        assert!(sketch(&folder.path().join("none.stonerun"), &mut ignore_progress).is_none());
    }
}
