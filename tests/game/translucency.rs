//! Translucent boxes in front of each other look as if each pixel were blended from back to front.
//!
//! Pictures of a box alone in front of two backgrounds give its colour and the share of light that
//! it lets through, for every pixel. All boxes together must look like these colours, blended in
//! the order of distance. A box must let through the same share where its quads meet.

use crate::scene::{self, cast, pixel_ray};
use glam::IVec3;
use std::path::{Path, PathBuf};
use stonerun::game::app::shot::CameraView;
use stonerun_engine::voxel::{Box3, Faces, Material, MaterialTable, Opacity, Voxel};

/// Boxes near and across chunk borders, with their tints. No two touch.
const BOXES: [([i32; 3], [i32; 3], [u8; 3]); 3] = [
    ([26, 4, 20], [37, 12, 21], [255, 90, 90]),
    ([30, 6, 22], [31, 15, 33], [90, 255, 90]),
    ([24, 16, 18], [40, 17, 34], [90, 90, 255]),
];
/// Index of the scene with all boxes. Scene 0 shows none, and scenes 1 to 3 show one each.
const ALL: usize = 4;

/// The box of a scene that contains a voxel.
fn box_at(shown: usize, at: IVec3) -> Option<usize> {
    let within = |i: &usize| {
        let (low, high, _) = BOXES[*i];
        at.cmpge(IVec3::from_array(low)).all() && at.cmplt(IVec3::from_array(high)).all()
    };
    (0..3).filter(|i| shown == ALL || shown == i + 1).find(within)
}

fn is_ground(at: IVec3) -> bool {
    (0..4).contains(&at.y) && (0..64).contains(&at.x) && (0..64).contains(&at.z)
}

fn table() -> MaterialTable {
    let mut materials = MaterialTable::builtin();
    for (i, (.., tint)) in BOXES.into_iter().enumerate() {
        let faces = Faces::Same("ice".to_owned());
        let glass = Material {
            faces,
            opacity: Opacity::Translucent,
            ..Material::plain(&format!("glass {i}"), tint)
        };
        materials.add(glass).expect("a new name");
    }
    for (name, tint) in [("dark", 12), ("light", 250)] {
        materials.add(Material::plain(name, [tint; 3])).expect("a new name");
    }
    materials
}

fn view(at: [f64; 3], look: [f32; 2]) -> CameraView {
    CameraView { at: Some(at), look: Some(look), ..CameraView::default() }
}

fn views() -> Vec<CameraView> {
    vec![
        view([33.2, 27.4, 50.3], [5.0, -42.0]),
        view([12.7, 24.1, 12.4], [-135.0, -38.0]),
        view([52.6, 22.8, 30.5], [95.0, -35.0]),
        view([33.4, 14.2, 30.8], [20.0, -30.0]),
        view([27.5, 9.6, 27.2], [-60.0, -20.0]),
    ]
}

/// The boxes in front of the ground in a pixel, farthest first; `None` if the pixel shows no
/// ground.
fn boxes_behind(view: &CameraView, x: u32, y: u32) -> Option<Vec<usize>> {
    let (from, towards) = pixel_ray(view, x, y);
    let reach = (cast(from, towards, 90.0, is_ground)?.at - from).length();
    let distance = |i: usize| {
        Some((cast(from, towards, reach, |at| box_at(i + 1, at).is_some())?.at - from).length())
    };
    let mut boxes: Vec<usize> = (0..3).filter(|&i| distance(i).is_some()).collect();
    boxes.sort_by(|&a, &b| {
        distance(b).partial_cmp(&distance(a)).unwrap_or(std::cmp::Ordering::Equal)
    });
    Some(boxes)
}

/// Linear red, green and blue of a pixel.
fn linear(picture: &image::RgbImage, x: u32, y: u32) -> [f32; 3] {
    picture.get_pixel(x, y).0.map(stonerun_engine::mesh::srgb_to_linear)
}

/// Writes a map that shows boxes on dark or light ground.
fn write(folder: &Path, materials: &MaterialTable, ground: &str, shown: usize) -> PathBuf {
    let voxel = |at: IVec3| {
        let name = match box_at(shown, at) {
            Some(i) => format!("glass {i}"),
            None if is_ground(at) => ground.to_owned(),
            None => "air".to_owned(),
        };
        Voxel::full(materials.find(&name).expect("a material"))
    };
    let map = folder.join(format!("{ground} {shown}.stonerun"));
    let area = Box3 { min: IVec3::ZERO, max: IVec3::new(2, 1, 2) };
    scene::write(&map, materials, scene::chunks_within(area), voxel);
    map
}

#[test]
fn translucent_quads_that_meet_do_not_overlap() {
    let _turn = crate::drawing_turn();
    if !scene::can_draw() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let materials = table();
    // The box whose tops and bottoms meet at two chunk borders.
    const LEVEL: usize = 3;
    let views: Vec<CameraView> = (0..6u8)
        .map(|i| f64::from(i) * 0.37)
        .map(|i| view([33.2 + i, 27.4 + i, 50.3 - i], [5.0, -42.0]))
        .collect();
    let draw = |ground, shown| {
        scene::draw(
            &write(folder.path(), &materials, ground, shown),
            views.clone(),
            scene::settings(),
            |_| (),
        )
    };
    let [dark, light, dark_alone, light_alone] =
        [("dark", LEVEL), ("light", LEVEL), ("dark", 0), ("light", 0)]
            .map(|(ground, shown)| draw(ground, shown));
    let mut passes = Vec::new();
    for (v, view) in views.iter().enumerate() {
        for (x, y) in scene::inner_pixels() {
            let is_level =
                |x, y| boxes_behind(view, x, y).is_some_and(|boxes| boxes.contains(&(LEVEL - 1)));
            if (0..9).all(|i| is_level(x + i % 3 - 1, y + i / 3 - 1)) {
                let green = |pictures: &[image::RgbImage]| linear(&pictures[v], x, y)[1];
                let range = |light, dark| green(light) - green(dark);
                passes.push(range(&light, &dark) / range(&light_alone, &dark_alone));
            }
        }
    }
    passes.sort_by(f32::total_cmp);
    let least = passes[0];
    let usual = passes[passes.len() / 2];
    let most = passes[passes.len() - 1];
    println!("{} pixels pass {least} to {most} of the light, usually {usual}", passes.len());
    assert!(passes.len() > 3000 && usual < 0.8, "{}, {usual}", passes.len());
    // Where two quads overlap, only a fifth of the light would pass. Haze and the tone curve vary
    // it less.
    assert!(least > usual * 0.75 && most < usual * 1.25, "{least}, {usual}, {most}");
}

#[test]
fn translucent_boxes_are_blended_from_back_to_front() {
    let _turn = crate::drawing_turn();
    if !scene::can_draw() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let materials = table();
    // Indexed by ground (dark or light), then by scene. Textures vary with the position, so each
    // scene has its own pictures.
    let pictures = ["dark", "light"].map(|ground| {
        [0, 1, 2, 3, ALL].map(|shown| {
            let map = write(folder.path(), &materials, ground, shown);
            scene::draw(&map, views(), scene::settings(), |_| ())
        })
    });
    let mut compared = 0;
    let mut differ = 0;
    let mut order_matters = 0;
    for (v, view) in views().iter().enumerate() {
        for (x, y) in scene::inner_pixels() {
            let Some(behind) = boxes_behind(view, x, y).filter(|boxes| boxes.len() > 1) else {
                continue;
            };
            // Pixels at an edge are skipped, because rounding decides there.
            if (0..9)
                .any(|i| boxes_behind(view, x + i % 3 - 1, y + i / 3 - 1).as_ref() != Some(&behind))
            {
                continue;
            }
            let seen = |light: usize, shown: usize| linear(&pictures[light][shown][v], x, y);
            let blended = |order: &mut dyn Iterator<Item = usize>| {
                let mut colour = seen(1, 0);
                for i in order {
                    for (channel, colour) in colour.iter_mut().enumerate() {
                        let alone =
                            |light: usize| (seen(light, 0)[channel], seen(light, i + 1)[channel]);
                        let dark = alone(0);
                        let light = alone(1);
                        let passes = (light.1 - dark.1) / (light.0 - dark.0);
                        *colour = dark.1 - passes * dark.0 + passes * *colour;
                    }
                }
                colour
            };
            let expected = blended(&mut behind.iter().copied());
            let reversed = blended(&mut behind.iter().rev().copied());
            let off = |wanted: [f32; 3]| {
                seen(1, ALL).iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
            };
            order_matters += u32::from(off(reversed) > 0.05);
            compared += 1;
            if off(expected) >= 0.02 {
                println!("view {v}, pixel {x}, {y}: {:?} for {expected:?}", seen(1, ALL));
                differ += 1;
            }
        }
    }
    println!("{compared} pixels, of which {order_matters} show the order");
    assert!(compared > 3000 && order_matters > 1500, "{compared}, {order_matters}");
    // A few pixels may differ, because rounding decides at the edges of texels.
    assert!(differ * 500 < compared, "{differ} of {compared} pixels differ");
}
