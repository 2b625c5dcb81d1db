//! Renders a fixed map from a fixed position on any Vulkan driver (in CI a software driver), and
//! compares the picture with a stored one: coarsely enough for rounding differences of drivers,
//! finely enough that a missing texture, sky or panel fails (which is tested too).
//!
//! `STONERUN_STORE_PICTURE=1 cargo test --test game picture` stores a new picture. Look at the
//! picture before you commit it.

use std::path::{Path, PathBuf};
use std::process::Command;

const PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/game/demo.png");
const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/saves/demo.stonerun");
/// Maximum difference of a tile's mean colour channels and of its contrast, on a scale of 255.
const TOLERANCE: f32 = 12.0;
/// Side of a tile, in pixels.
const TILE: u32 = 20;

/// Takes the picture; `None` if there is no driver and none is required.
fn take(out: &Path) -> Option<image::RgbImage> {
    // A copy, so that the map in the repository stays unchanged.
    let map = out.with_extension("stonerun");
    std::fs::copy(MAP, &map).expect("the demo map is in the repository");
    let config = tempfile::tempdir().expect("a folder");
    std::fs::write(config.path().join("settings.ron"), "(view_distance: 4, field_of_view: 75.0)")
        .expect("settings");
    let run = Command::new(env!("CARGO_BIN_EXE_stonerun"))
        .env("STONERUN_CONFIG", config.path())
        .args(["shot".as_ref(), map.as_os_str(), out.as_os_str()])
        .args(["--size", "640x360", "--panel", "frame", "--at", "20,40,30", "--look", "40,-14"])
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&run.stderr);
    if said.contains("no graphics adapter") && std::env::var_os("STONERUN_REQUIRE_ALL").is_none() {
        println!("skipped: no graphics adapter");
        return None;
    }
    assert!(run.status.success(), "{said}");
    assert!(!said.contains("ERROR"), "a shader or a texture failed: {said}");
    Some(image::open(out).expect("a picture").to_rgb8())
}

/// Weight of a tile's contrast. It makes the loss of fine grain, which haze weakens, exceed the
/// limit.
const CONTRAST: f32 = 3.0;

/// Mean colour of the tile at `tx`, `ty`, and its contrast: the average difference of its
/// brightness from the mean, times [`CONTRAST`].
fn tile(p: &image::RgbImage, tx: u32, ty: u32) -> [f32; 4] {
    let pixels =
        || (0..TILE * TILE).map(|i| p.get_pixel(tx + i % TILE, ty + i / TILE).0.map(f32::from));
    let count = (TILE * TILE) as f32;
    let mean = [0, 1, 2].map(|c: usize| pixels().map(|p| p[c]).sum::<f32>() / count);
    let bright = |p: [f32; 3]| p.iter().sum::<f32>() / 3.0;
    let contrast = pixels().map(|p| (bright(p) - bright(mean)).abs()).sum::<f32>() / count;
    [mean[0], mean[1], mean[2], CONTRAST * contrast]
}

/// Largest difference between the tiles' mean colours and contrasts.
fn difference(a: &image::RgbImage, b: &image::RgbImage) -> f32 {
    assert_eq!(a.dimensions(), b.dimensions());
    let mut worst = 0.0f32;
    for ty in (0..a.height() - TILE + 1).step_by(TILE as usize) {
        for tx in (0..a.width() - TILE + 1).step_by(TILE as usize) {
            for (a, b) in tile(a, tx, ty).into_iter().zip(tile(b, tx, ty)) {
                worst = worst.max((a - b).abs());
            }
        }
    }
    worst
}

/// Paints over a part of the picture.
fn without(
    picture: &image::RgbImage,
    area: (u32, u32, u32, u32),
    colour: [u8; 3],
) -> image::RgbImage {
    let mut out = picture.clone();
    for y in area.1..area.3 {
        for x in area.0..area.2 {
            out.put_pixel(x, y, image::Rgb(colour));
        }
    }
    out
}

/// Replaces each tile of a part of the picture by its mean colour, like textures of one flat
/// colour.
fn blurred(picture: &image::RgbImage, area: (u32, u32, u32, u32)) -> image::RgbImage {
    let mut out = picture.clone();
    for ty in (area.1..area.3).step_by(TILE as usize) {
        for tx in (area.0..area.2).step_by(TILE as usize) {
            let [r, g, b, _] = tile(picture, tx, ty);
            out = without(&out, (tx, ty, tx + TILE, ty + TILE), [r, g, b].map(|c| c as u8));
        }
    }
    out
}

#[test]
fn demo_map_matches_the_stored_picture() {
    let _turn = crate::drawing_turn();
    let folder = tempfile::tempdir().expect("a folder");
    let Some(mut picture) = take(&folder.path().join("shot.png")) else { return };
    // The panel shows times, which vary, so only its frame is compared.
    let panel = (352, 40, 630, 300);
    let bright = |x: u32, y: u32| picture.get_pixel(x, y).0.iter().all(|&c| c > 120);
    let text = (panel.1..panel.3)
        .map(|y| (panel.0..panel.2).filter(|&x| bright(x, y)).count())
        .sum::<usize>();
    assert!(text > 500, "the panel has no text: {text} bright pixels");
    picture = without(&picture, panel, [20, 20, 24]);
    if std::env::var_os("STONERUN_STORE_PICTURE").is_some() {
        std::fs::create_dir_all(Path::new(PICTURE).parent().expect("a folder")).expect("a folder");
        picture.save(PICTURE).expect("stored");
    }
    let stored = image::open(PICTURE).expect("the stored picture").to_rgb8();
    let off = difference(&picture, &stored);
    if off > TOLERANCE {
        let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("picture.png");
        picture.save(&kept).expect("kept");
        panic!("the picture differs by {off} of 255 somewhere; it is kept as {}", kept.display());
    }

    // The tolerance must reject each of these changes.
    let sky = without(&stored, (100, 0, 300, 60), [0, 0, 0]);
    let magenta = without(&stored, (100, 240, 300, 340), [255, 0, 255]);
    let flat = without(&stored, (20, 240, 120, 340), [128, 128, 128]);
    let bare = without(&stored, (364, 0, 640, 44), [140, 175, 225]);
    let plain = blurred(&stored, (20, 240, 120, 340));
    for (what, spoilt) in
        [("sky", sky), ("textures", magenta), ("ground", flat), ("grain", plain), ("panel", bare)]
    {
        assert!(difference(&picture, &spoilt) > TOLERANCE, "a picture without {what} would pass");
    }
}
