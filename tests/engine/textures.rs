//! Checks that the committed block textures equal the painter's, and that every material has one.
//!
//! The painter is the example `paint_textures`. Its gallery is included by path, so that the game
//! does not contain it.

#[path = "../../examples/paint_textures/gallery/mod.rs"]
mod gallery;

use std::path::Path;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::voxel::{Face, Faces, MaterialTable};

/// A file under `assets/textures`.
fn asset(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/textures").join(name)
}

/// The names in `blocks.ron`.
fn listed() -> Vec<String> {
    let text = std::fs::read_to_string(asset("blocks.ron")).expect("blocks.ron is there");
    ron::from_str(&text).expect("blocks.ron is a list of names")
}

#[test]
fn stored_strip_equals_the_painted_one() {
    let strip = image::open(asset("blocks.png")).expect("blocks.png is a picture").to_rgba8();
    let painted = gallery::paint_all();
    assert_eq!(strip.dimensions(), (16, 16 * painted.len() as u32));
    for ((name, texels), shown) in painted.iter().zip(strip.as_raw().chunks_exact(4 * 256)) {
        assert!(texels.as_flattened() == shown, "{name} differs: run the example paint_textures");
    }
}

#[test]
fn names_have_the_order_of_the_strip() {
    let painted: Vec<_> = gallery::paint_all().into_iter().map(|(name, _)| name).collect();
    assert_eq!(listed(), painted);
    let mut once = painted.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), painted.len(), "no name twice");
}

#[test]
fn every_texture_a_material_uses_is_painted() {
    let listed = listed();
    for (_, material) in MaterialTable::builtin().iter() {
        for face in [Face::Up, Face::Down, Face::North] {
            let texture = material.faces.texture(face);
            assert!(
                listed.iter().any(|name| name == texture),
                "{}: no texture {texture}",
                material.name
            );
        }
    }
}

#[test]
fn every_painted_texture_is_used() {
    let table = MaterialTable::builtin();
    let faces = FaceMaterials::new(&table);
    let uses = |faces: &Faces, texture: &str| match faces {
        Faces::Same(name) => name == texture,
        Faces::Column { top, bottom, side } => {
            [top, bottom, side].iter().any(|name| *name == texture)
        }
        Faces::Lying { end, side, .. } => [end, side].iter().any(|name| *name == texture),
    };
    for texture in listed() {
        // The faces of a signal have textures of their own.
        let is_on_a_face = faces.list().iter().any(|face| face.texture == texture);
        let is_used = is_on_a_face || table.iter().any(|(_, m)| uses(&m.faces, &texture));
        assert!(is_used, "{texture} is on no material");
    }
}

#[test]
fn leaves_have_holes_of_their_own_colour() {
    for (name, texels) in gallery::paint_all().iter().filter(|(name, _)| name.ends_with("_leaves"))
    {
        let holes: Vec<_> = texels.iter().filter(|texel| texel[3] == 0).collect();
        assert!((50..=66).contains(&holes.len()), "{name}: {} holes of 256 texels", holes.len());
        assert!(
            holes.iter().all(|[r, g, b, _]| g > r && g > b),
            "{name}: smaller mips would get a fringe"
        );
    }
}
