//! Clipboards from other programs' files and back, as callers combine `edit` and `exchange`.

use glam::{DVec3, IVec3};
use std::path::Path;
use stonerun_engine::edit::clipboard::{Clipboard, Transform};
use stonerun_engine::edit::operations::PasteOptions;
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{JobProgress, Mask, VoxelEdit};
use stonerun_engine::voxel::{Box3, ChunkPos, Material, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, World};
use stonerun_exchange::export::{Export, SceneBuilder};
use stonerun_exchange::{ignore_progress, import};

/// A small building, and its box.
fn building(materials: &MaterialTable) -> (World, Box3) {
    let id = |name| Voxel::full(materials.find(name).expect("a built-in material"));
    let bounds = Box3 { min: IVec3::new(-3, 29, 28), max: IVec3::new(6, 36, 37) };
    let mut world = World::new();
    for pos in bounds.chunks() {
        drop(world.insert(pos, Chunk::uniform(Voxel::AIR)));
    }
    world.fill(bounds, id("stone"));
    world.fill(Box3 { min: bounds.min + 1, max: bounds.max - 1 }, Voxel::AIR);
    world.fill(Box3 { min: IVec3::new(0, 30, 28), max: IVec3::new(2, 33, 29) }, id("glass"));
    (world, bounds)
}

/// Imports a file as a clipboard whose origin is its lowest corner.
fn import_clipboard(path: &Path, materials: &mut MaterialTable) -> Clipboard {
    let imported = import(path, &mut ignore_progress).expect("the file can be read");
    let chunks = imported.world.chunks().map(|(pos, chunk)| (pos, chunk.clone()));
    let region = Region::from_shape(&imported.bounds);
    Clipboard::with_materials(chunks, region, imported.bounds.min, &imported.materials, materials)
        .expect("there is room")
}

#[test]
fn clipboard_survives_other_programs_files() {
    let materials = MaterialTable::builtin();
    let (world, bounds) = building(&materials);
    let progress = JobProgress::default();
    let edit = VoxelEdit::new(&world, 0, &progress);
    let clipboard =
        edit.copy(&Region::from_shape(&bounds), &Mask::Any, bounds.min).expect("nothing is read");
    let quarter = Transform::turn(DVec3::Y, 90.0).expect("an axis");
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["building.schem", "building.vox"] {
        let target = folder.path().join(name);
        let mut scene = SceneBuilder::new(Some(clipboard.grid_bounds()));
        for (pos, chunk) in clipboard.clipped_chunks() {
            scene.add(pos, chunk);
        }
        let scene = scene.finish(materials.clone()).expect("there is stone");
        Export::begin(&target, false)
            .and_then(|export| export.write(&scene, &mut ignore_progress))
            .expect("written");

        // A map that numbers its materials differently.
        let mut others =
            MaterialTable::from_list(vec![Material::unknown("air"), Material::unknown("other")])
                .unwrap();
        let imported = import_clipboard(&target, &mut others);
        assert_eq!(
            (imported.bounds(), others.find("other")),
            (clipboard.bounds(), Some(1)),
            "{name}"
        );
        for index in 0..bounds.volume() as i32 {
            let offset = IVec3::new(index % 9, index / 81, index / 9 % 9);
            let [before, after] =
                [&clipboard, &imported].map(|clipboard| clipboard.voxel(offset).expect("inside"));
            assert_eq!(before.is_air(), after.is_air(), "{name} {offset}");
            if name.ends_with("schem") {
                let kind = |table: &MaterialTable, voxel: Voxel| {
                    table.get(voxel.material()).map(|m| m.name.clone())
                };
                assert_eq!(kind(&materials, before), kind(&others, after), "{offset}");
            }
        }

        let target = IVec3::new(100, 3, -77);
        let turned = imported.transformed(&quarter, Some(&others), &progress).expect("it is small");
        let mut edit = VoxelEdit::new(&world, 0, &progress);
        edit.paste(&turned, target, &PasteOptions::default()).expect("it is small");
        let corner = edit.voxel(target).expect("nothing is read");
        assert_eq!(Some(corner), imported.voxel(IVec3::ZERO), "{name}");
        let across = IVec3::new(8, 0, -8);
        assert_eq!(edit.voxel(target + across).expect("nothing is read"), corner, "{name}");
        assert_eq!(
            edit.voxel(target + IVec3::new(4, 4, -4)).expect("nothing is read"),
            Voxel::AIR,
            "{name}"
        );
        assert!(
            edit.finish("paste").changes.iter().all(|change| change.pos != ChunkPos::new(0, 0, 0))
        );
    }
}
