//! Culling hides nothing visible: from random positions in caves and on land, pictures must be
//! equal whether the potentially visible set of the camera's cell decides what is drawn, or only
//! the frustum does.

use crate::scene;
use glam::UVec2;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use stonerun::game::app::shot::{CameraView, pictures};
use stonerun::game::drawing::culling::state::CullingMode;
use stonerun::game::platform::adapter;
use stonerun::game::state::settings::Settings;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::save::MapFile;
use stonerun_engine::voxel::ChunkPos;
use stonerun_lab::input::Random;

/// Number of camera positions per map.
const PLACES: usize = 100;
/// Maximum distance of a camera from the middle of the map, in voxels.
const AROUND: u64 = 64;

#[test]
fn pictures_with_and_without_culling_are_equal() {
    let _turn = crate::drawing_turn();
    if adapter::check().is_err() && std::env::var_os("STONERUN_REQUIRE_ALL").is_none() {
        println!("skipped: no graphics adapter");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for terrain in ["caverns", "continents"] {
        let map = folder.path().join(terrain).with_extension("stonerun");
        let made = Command::new(env!("CARGO_BIN_EXE_stonerun"))
            .args(["new".as_ref(), map.as_os_str()])
            .args(["--seed", "5", "--terrain", terrain, "--radius", "4"])
            .output()
            .expect("the program starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        compare(&map);
    }
}

fn compare(map: &Path) {
    let places = places(map);
    let views: Vec<CameraView> = places
        .iter()
        .flat_map(|view| {
            [CullingMode::Pvs, CullingMode::Frustum]
                .map(|culled_by| CameraView { culled_by, ..*view })
        })
        .collect();
    let count = views.len();
    let before = Arc::new(Mutex::new((None::<image::RgbImage>, 0, 0usize)));
    let seen = Arc::clone(&before);
    let take = move |number: usize, picture: image::RgbImage| {
        let mut before = before.lock().map_err(|e| e.to_string())?;
        before.1 += 1;
        if number.is_multiple_of(2) {
            // The pictures must show something, because empty pictures would always be equal.
            let colours: std::collections::HashSet<_> =
                picture.pixels().map(|pixel| pixel.0).collect();
            before.2 += usize::from(colours.len() > 20);
            before.0 = Some(picture);
            return Ok(());
        }
        let with = before.0.take().ok_or("the other picture is missing")?;
        let differ = with.pixels().zip(picture.pixels()).filter(|(a, b)| a != b).count();
        if differ == 0 {
            return Ok(());
        }
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR"));
        for (picture, name) in [(with, "culled.png"), (picture, "whole.png")] {
            picture.save(kept.join(name)).map_err(|e| e.to_string())?;
        }
        let CameraView { at, look, .. } = places[number / 2];
        Err(format!(
            "{differ} pixels differ, seen from {at:?} to {look:?}: the pictures are in {}",
            kept.display()
        )
        .into())
    };
    let settings = Settings { view_distance: 3, ..scene::settings() };
    let dress = |app: &mut bevy::app::App| {
        app.insert_resource(settings);
    };
    let done = pictures(map, UVec2::new(192, 108), views, dress, Box::new(take));
    assert!(done.is_ok(), "{}: {done:?}", map.display());
    let seen = seen.lock().expect("no test panicked");
    assert_eq!(seen.1, count);
    assert!(seen.2 > PLACES / 2, "only {} pictures of {PLACES} show something", seen.2);
}

/// Random positions in open voxels near a voxel that hides.
fn places(map: &Path) -> Vec<CameraView> {
    let opened = MapFile::open_read_only(map).expect("the map").map;
    let face_materials = FaceMaterials::new(opened.materials());
    let reader = opened.reader().expect("a reader");
    let mut random = Random::new(7);
    let mut below = |n: u64| ((random.draw() >> 33) % n) as i32;
    let mut places = Vec::new();
    while places.len() < PLACES {
        let half = AROUND as i32 / 2;
        let spawn = opened.header().spawn.map(|c| c.floor() as i32);
        let [x, y, z] = spawn.map(|c| c + below(AROUND) - half);
        let hides =
            |y: i32| {
                let at = glam::IVec3::new(x, y, z);
                let chunk = reader.load(ChunkPos::containing(at)).ok().flatten();
                chunk.map(|chunk| {
                    face_materials.hides(chunk.get(stonerun_engine::voxel::linear_index(
                        stonerun_engine::voxel::local(at),
                    )))
                })
            };
        if hides(y) != Some(false) || !(1..12).any(|down| hides(y - down) == Some(true)) {
            continue;
        }
        // Away from walls, so that the camera does not look into one.
        let middle = |c: i32, random: i32| f64::from(c) + 0.2 + 0.6 * f64::from(random) / 100.0;
        let at = [middle(x, below(100)), middle(y, below(100)), middle(z, below(100))];
        places.push(CameraView {
            at: Some(at),
            look: Some([below(360) as f32, below(120) as f32 - 60.0]),
            time: None,
            culled_by: CullingMode::Pvs,
        });
    }
    places
}
