//! Measurements of the clipboard on terrain:
//! `cargo test --release --no-default-features --lib operations::measure -- --ignored --nocapture`.

use super::PasteOptions;
use crate::edit::clipboard::Transform;
use crate::edit::region::Region;
use crate::edit::{JobProgress, Mask, VoxelEdit};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{Box3, ChunkPos, MaterialTable};
use crate::world::World;
use glam::{DVec3, IVec3};
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// Sides of the copied box: 10^8 voxels.
const SIZE: IVec3 = IVec3::new(464, 464, 464);

/// Result and time of the quickest of several runs.
fn quickest<T>(mut work: impl FnMut() -> T) -> (T, Duration) {
    let mut tries = (0..5).map(|_| {
        let begin = Instant::now();
        let result = work();
        (result, begin.elapsed())
    });
    let first = tries.next().expect("five tries");
    tries.fold(first, |best, other| if other.1 < best.1 { other } else { best })
}

#[test]
#[ignore = "asserts nothing: prints times, to be read from a run with --release"]
fn measure_clipboard_on_terrain() {
    let materials = MaterialTable::builtin();
    let generator = Generator::new(42, TerrainKind::Continents, &materials);
    let area = Box3 { min: IVec3::new(0, -240, 0), max: IVec3::new(0, -240, 0) + SIZE };
    let chunks: Vec<ChunkPos> = Box3 { min: area.min - 64, max: area.max + 64 }.chunks().collect();
    let made: Vec<_> = chunks.into_par_iter().map(|pos| (pos, generator.chunk(pos))).collect();
    let mut world = World::new();
    for (pos, chunk) in made {
        _ = world.insert(pos, chunk);
    }
    let progress = JobProgress::default();
    let flat = area.volume() * 2;
    let aligned = Box3 { min: IVec3::new(0, -256, 0), max: IVec3::new(480, 224, 480) };
    for (name, area) in [("box of 464^3", area), ("aligned box of 480^3", aligned)] {
        let region = Region::from_shape(&area);
        let edit = VoxelEdit::new(&world, 0, &progress);
        let (clipboard, copy) = quickest(|| edit.copy(&region, &Mask::Any, area.min).unwrap());
        let mut runs = 0u64;
        clipboard.for_each_run(|_, _| runs += 1);
        let bytes = clipboard.bytes() as u64;
        println!(
            "{name}: {runs} runs, clipboard {bytes} bytes, 1/{} of 2 bytes per voxel",
            flat / bytes
        );
        let turn = Transform::turn(DVec3::Y, 90.0).unwrap();
        let (turned, rotate) =
            quickest(|| clipboard.transformed(&turn, Some(&materials), &progress).unwrap());
        let slant = Transform::turn(DVec3::Y, 30.0).unwrap();
        let (_, any) =
            quickest(|| clipboard.transformed(&slant, Some(&materials), &progress).unwrap());
        let paste = |clipboard, target| {
            let paste = super::Paste::new(clipboard, [target], PasteOptions::default()).unwrap();
            let (_, operation) = quickest(|| {
                let positions = crate::edit::Operation::chunks(&paste);
                progress.map(&positions, |&pos| {
                    paste.pasted(pos, &crate::edit::ChunkSource::chunk(&world, pos)?, &world)
                })
            });
            let (_, edit) =
                quickest(|| VoxelEdit::new(&world, 0, &progress).apply(&paste).unwrap());
            (operation, edit)
        };
        let off_grid = paste(turned, area.min + IVec3::new(13, 5, 470));
        let on_grid = paste(clipboard.clone(), area.min + IVec3::new(32, 0, 32));
        println!("copy {copy:?}, turn {rotate:?}, by 30 degrees {any:?}");
        println!(
            "paste off the grid {:?} (with the differences for undo {:?})",
            off_grid.0, off_grid.1
        );
        println!(
            "paste on the grid {:?} (with the differences for undo {:?})",
            on_grid.0, on_grid.1
        );
    }
}
