//! Continuity of the day: sky and light change without jumps.

use crate::scene;
use glam::IVec3;
use stonerun::game::app::shot::CameraView;
use stonerun_engine::save::TimeOfDay;
use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};

/// Side of the tiles whose colours are compared, in pixels.
const TILE: u32 = 16;
/// Maximum change of a tile's mean colour within a minute of the day, on a scale of 255.
const MAX_STEP: f32 = 6.0;

/// Ground and a wall.
fn material_at(at: IVec3) -> &'static str {
    match () {
        () if (0..4).contains(&at.y) => "marble",
        () if (10..20).contains(&at.x) && (12..14).contains(&at.z) && (4..12).contains(&at.y) => {
            "granite"
        }
        () => "air",
    }
}

/// Mean colours of a picture's tiles.
fn tiles(picture: &image::RgbImage) -> Vec<[f32; 3]> {
    let tile = |tx: u32, ty: u32| {
        let pixels = (0..TILE * TILE)
            .map(move |i| picture.get_pixel(tx + i % TILE, ty + i / TILE).0.map(f32::from));
        pixels.fold([0.0; 3], |sum, pixel| {
            [0, 1, 2].map(|c| sum[c] + pixel[c] / (TILE * TILE) as f32)
        })
    };
    let starts = |size: u32| (0..=size - TILE).step_by(TILE as usize);
    starts(picture.height())
        .flat_map(|y| starts(picture.width()).map(move |x| tile(x, y)))
        .collect()
}

/// Largest difference of a colour channel between the tiles of two pictures.
fn difference(a: &[[f32; 3]], b: &[[f32; 3]]) -> f32 {
    let channels = a.as_flattened().iter().zip(b.as_flattened());
    channels.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn dusk_and_dawn_change_the_picture_without_jumps() {
    let _turn = crate::drawing_turn();
    if !scene::can_draw() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("dusk.stonerun");
    let materials = MaterialTable::builtin();
    let voxel = |at| Voxel::full(materials.find(material_at(at)).expect("a material"));
    scene::write(
        &map,
        &materials,
        scene::chunks_within(Box3 { min: IVec3::NEG_ONE, max: IVec3::splat(2) }),
        voxel,
    );
    // Looks sideways to sun and moon, because their discs move through tiles.
    let view = |minutes| CameraView {
        at: Some([15.5, 9.5, 26.5]),
        look: Some([0.0, -12.0]),
        time: Some(TimeOfDay::from_minutes(minutes)),
        ..CameraView::default()
    };
    for (what, minutes) in [("dusk", 1000..1150), ("dawn", 290..440)] {
        let pictures =
            scene::draw(&map, minutes.clone().map(view).collect(), scene::settings(), |_| ());
        let tiles: Vec<_> = pictures.iter().map(tiles).collect();
        let steps = tiles.windows(2).map(|pair| difference(&pair[0], &pair[1]));
        let (step, at) = steps
            .zip(minutes)
            .fold((0.0, 0), |worst, step| if step.0 > worst.0 { step } else { worst });
        let whole = difference(&tiles[0], &tiles[tiles.len() - 1]);
        println!(
            "{what}: at most {step} within a minute, at {}; {whole} in all",
            TimeOfDay::from_minutes(at)
        );
        assert!(
            step < MAX_STEP,
            "{what} jumps by {step} of 255 at {}",
            TimeOfDay::from_minutes(at)
        );
        assert!(whole > 60.0, "{what} changes the picture by {whole} only");
    }
}
