//! Mesh files read back by independent code: no reader here uses the writers.

use super::Export;
use crate::ignore_progress;
use crate::meshes::glb;
use crate::scene::{Scene, SceneBuilder, WriterError};
use glam::{IVec3, Vec2, Vec3};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use stonerun_engine::mesh::TextureStrip;
use stonerun_engine::voxel::{
    Box3, ChunkPos, Face, Material, MaterialTable, Matter, Opacity, Shape, Voxel,
};
use stonerun_engine::world::{Chunk, World};

mod read;

use read::{Triangle, halves, read_glb, read_obj};

/// Name of the mesh part that holds `face` of a material.
fn name(material: &Material, face: Face) -> String {
    let [r, g, b] = material.tint;
    let mut name = material.faces.texture(face).to_owned();
    if material.tint != [255; 3] {
        name += &format!("_{r:02x}{g:02x}{b:02x}");
    }
    if material.light > 0 {
        name += &format!("_light{}", material.light);
    }
    name + match material.opacity {
        _ if material.shape.is_model() => "_cutout",
        Opacity::CutOut => "_cutout",
        Opacity::Opaque => "",
        Opacity::Translucent => "_translucent",
    }
}

/// Area of the visible faces of each part in a world of full voxels, computed voxel by voxel.
fn areas(scene: &Scene) -> BTreeMap<String, f64> {
    let at = |p: IVec3| match scene.world.get(p) {
        Voxel::NOT_LOADED => Voxel::AIR,
        voxel => voxel,
    };
    let material = |voxel: Voxel| scene.materials.get(voxel.material()).unwrap();
    let opaque = |voxel: Voxel| scene.materials.is_opaque(voxel.material());
    let mut areas = BTreeMap::new();
    let min = scene.matter.min;
    let max = scene.matter.max;
    for x in min.x..max.x {
        for y in min.y..max.y {
            for z in min.z..max.z {
                let p = IVec3::new(x, y, z);
                let own = material(at(p));
                if at(p).is_air() {
                    continue;
                }
                if own.shape == Shape::Cross {
                    *areas.entry(name(own, Face::East)).or_default() += 2.0 * 2f64.sqrt();
                    continue;
                }
                for face in Face::ALL {
                    let other = at(p + face.normal());
                    let neighbour = material(other);
                    let rank = |m: &Material, v: Voxel| (m.matter == Matter::Liquid, v.material());
                    let alike = !opaque(at(p))
                        && own.opacity == neighbour.opacity
                        && !neighbour.shape.is_model();
                    let hidden = opaque(other)
                        || other == at(p)
                        || (!other.is_air() && alike && rank(neighbour, other) < rank(own, at(p)));
                    if !hidden {
                        *areas.entry(name(own, face)).or_default() += 1.0;
                    }
                }
            }
        }
    }
    areas
}

/// Checks triangles against the voxels of the scene.
fn check(scene: &Scene, triangles: &[Triangle], what: &str) {
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    let middle = |a: i32, b: i32| (a + b).div_euclid(2);
    let min = scene.bounds.min;
    let max = scene.bounds.max;
    let origin = IVec3::new(middle(min.x, max.x), min.y, middle(min.z, max.z)).as_dvec3();
    for triangle in triangles {
        let [a, b, c] = triangle.at.map(|p| p.as_dvec3());
        let cross = (b - a).cross(c - a);
        *found.entry(triangle.material.clone()).or_default() += cross.length() / 2.0;
        let normal = triangle.normals[0].as_dvec3();
        assert!(triangle.normals.iter().all(|n| *n == triangle.normals[0]));
        assert!(
            (cross.normalize() - normal).length() < 1e-6,
            "{what}: winding {cross}, normal {normal}"
        );
        // A texture covers one voxel, so distances in texture and world are equal.
        let [u, v, w] = triangle.uv;
        let flat = normal.abs().max_element() > 0.99;
        for (p, q, along) in [(a, b, v - u), (a, c, w - u), (b, c, w - v)] {
            let apart = if flat {
                (q - p).length()
            } else {
                ((q - p) / glam::DVec3::new(2f64.sqrt(), 1.0, 2f64.sqrt())).length()
            };
            assert!((f64::from(along.length()) - apart).abs() < 0.05, "{what}: {along} of {apart}");
        }
        // On vertical faces textures are upright and not mirrored: u points right as seen from
        // outside.
        if flat && normal.y == 0.0 {
            let right = glam::DVec3::Y.cross(normal);
            for (p, along) in [(b, v - u), (c, w - u)] {
                let expected = glam::DVec2::new((p - a).dot(right), -(p - a).y);
                assert!(
                    (along.as_dvec2() - expected).length() < 1e-6,
                    "{what}: {along}, {expected}"
                );
            }
        }
        // The voxel on the inner side of a face has the face's material; the sheets of plants have
        // none.
        if flat {
            let behind = ((a + b + c) / 3.0 - normal * 0.25 + origin).floor().as_ivec3();
            let voxel = scene.world.get(behind);
            let face = Face::ALL.into_iter().find(|f| f.normal().as_dvec3() == normal).unwrap();
            assert_eq!(
                name(scene.materials.get(voxel.material()).unwrap(), face),
                triangle.material,
                "{what}: {behind}"
            );
        }
    }
    let expected = areas(scene);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{what}");
    for (name, area) in expected {
        assert!((found[&name] - area).abs() < 1e-3, "{what}: {name}: {} of {area}", found[&name]);
    }
}

fn glb_of(scene: &Scene) -> Vec<u8> {
    let mut file = Vec::new();
    glb::write(scene, &mut ignore_progress, &mut file).unwrap();
    file
}

fn scene_of(
    area: Option<Box3>,
    materials: &MaterialTable,
    voxels: impl IntoIterator<Item = (IVec3, Voxel)>,
) -> Scene {
    let mut world = World::new();
    for (at, voxel) in voxels {
        if !world.is_loaded(ChunkPos::containing(at)) {
            world.insert(ChunkPos::containing(at), Chunk::uniform(Voxel::AIR));
        }
        world.set(at, voxel);
    }
    let mut builder = SceneBuilder::new(area);
    for (pos, chunk) in world.chunks() {
        builder.add(pos, chunk.clone());
    }
    builder.finish(materials.clone()).expect("there is matter")
}

/// The built-in materials and two tinted ones.
fn materials() -> MaterialTable {
    let mut table = MaterialTable::builtin();
    table.add(Material::plain("red", [255, 0, 0])).unwrap();
    table.add(Material { light: 9, ..Material::plain("neon", [128, 255, 64]) }).unwrap();
    table
}

const NAMES: [&str; 11] = [
    "stone",
    "stone",
    "dirt",
    "grass",
    "oak_leaves",
    "birch_leaves",
    "water",
    "ice",
    "tall_grass",
    "red",
    "neon",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_small_world_is_written_as_its_visible_surface(
        boxes in prop::collection::vec(((-6i32..6, -6i32..6, -6i32..6), (1i32..5, 1i32..4, 1i32..5), 0..NAMES.len()), 1..14),
        corner in (-6i32..2, -6i32..2, -6i32..2),
        cut in any::<bool>(),
    ) {
        let materials = materials();
        let voxels = boxes.iter().flat_map(|&(at, size, kind)| {
            let min = IVec3::from(at);
            let voxel = Voxel::full(materials.find(NAMES[kind]).unwrap());
            let size = IVec3::from(size);
            (0..size.x * size.y * size.z).map(move |i| (min + IVec3::new(i % size.x, i / size.x % size.y, i / size.x / size.y), voxel))
        });
        let voxels: Vec<_> = voxels.collect();
        let area = Box3 { min: IVec3::from(corner), max: IVec3::from(corner) + IVec3::new(5, 6, 7) };
        let inside = voxels.iter().any(|(at, _)| area.contains(*at));
        let scene = scene_of((cut && inside).then_some(area), &materials, voxels);
        check(&scene, &read_glb(&glb_of(&scene)), "glb");
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.obj");
        Export::begin(&target, false).unwrap().write(&scene, &mut ignore_progress).unwrap();
        check(&scene, &read_obj(&std::fs::read_to_string(&target).unwrap()), "obj");
        check_library(&target);
    }
}

/// Checks that the library describes every used material and that every named picture exists.
fn check_library(target: &Path) {
    let text = std::fs::read_to_string(target).unwrap();
    let named = |text: &str, key: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix(key)).map(str::to_owned).collect()
    };
    let library =
        std::fs::read_to_string(target.with_file_name(&named(&text, "mtllib ")[0])).unwrap();
    assert_eq!(named(&text, "usemtl "), named(&library, "newmtl "));
    for key in ["map_Kd ", "map_d ", "map_Ke "] {
        for picture in named(&library, key) {
            assert_eq!(
                image::open(target.with_file_name(&picture)).unwrap().width(),
                16,
                "{picture}"
            );
        }
    }
}

#[test]
fn tints_are_in_pictures_and_factors() {
    let materials = materials();
    let lamp = Voxel::full(materials.find("neon").unwrap());
    let leaves = Voxel::full(materials.find("oak_leaves").unwrap());
    let scene = scene_of(None, &materials, [(IVec3::ZERO, lamp), (IVec3::Y * 3, leaves)]);
    let file = glb_of(&scene);
    let (json, _) = halves(&file);
    let list = json["materials"].as_array().unwrap();
    let of = |name: &str| {
        list.iter().find(|m| m["name"] == name).unwrap_or_else(|| panic!("no {name} in {list:?}"))
    };
    let lamp = of("plain_80ff40_light9");
    // sRGB 128 is 0.2159 in linear light, 64 is 0.0513.
    let near = |value: &Value, wanted: [f64; 3]| {
        for i in 0..3 {
            assert!((value[i].as_f64().unwrap() - wanted[i]).abs() < 1e-4, "{value}");
        }
    };
    near(&lamp["pbrMetallicRoughness"]["baseColorFactor"], [0.21586, 1.0, 0.05127]);
    near(&lamp["emissiveFactor"], [0.12952, 0.6, 0.03076]);
    assert!(lamp.get("alphaMode").is_none() && lamp.get("doubleSided").is_none());
    let leaves = of("oak_leaves_cutout");
    assert_eq!(
        (leaves["alphaMode"].as_str(), leaves["doubleSided"].as_bool()),
        (Some("MASK"), Some(true))
    );
    assert!(leaves.get("emissiveFactor").is_none());

    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a.obj");
    Export::begin(&target, false).unwrap().write(&scene, &mut ignore_progress).unwrap();
    let mtl = std::fs::read_to_string(folder.path().join("a.mtl")).unwrap();
    let lamp = "newmtl plain_80ff40_light9\nKa 0 0 0\nKd 1 1 1\nKs 0 0 0\nillum 1\nmap_Kd a_plain_80ff40.png\nKe 0.6 0.6 0.6\n";
    assert!(mtl.contains(lamp), "{mtl}");
    let picture = |name: &str| image::open(folder.path().join(name)).unwrap().to_rgba8();
    let tinted = picture("a_plain_80ff40.png");
    let tiles = TextureStrip::embedded().unwrap();
    for (texel, plain) in tinted.pixels().zip(tiles.texels(0)) {
        assert_eq!((texel[1], texel[3]), (plain[1], 255));
        assert!(texel[0] < 129 && texel[2] < 65, "{texel:?} of {plain:?}");
    }
    let leaves = picture("a_oak_leaves.png");
    let holes = picture("a_oak_leaves_alpha.png");
    assert!(leaves.pixels().zip(holes.pixels()).all(|(a, b)| b.0 == [a[3]; 4]));
    assert!(holes.pixels().any(|p| p[0] == 0) && holes.pixels().any(|p| p[0] == 255));
}

#[test]
fn torch_has_the_corners_that_are_drawn() {
    let materials = materials();
    let at = IVec3::new(-40, 33, 31);
    for (name, low, high) in [
        // The bounds include the transparent parts of the sides, which are as wide and high as the
        // voxel.
        ("torch", Vec3::ZERO, Vec3::ONE),
        ("torch_wall_west", Vec3::new(-0.4375, 0.1875, 0.0), Vec3::new(1.0, 1.1875, 1.0)),
    ] {
        let scene = scene_of(None, &materials, [(at, Voxel::full(materials.find(name).unwrap()))]);
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.obj");
        Export::begin(&target, false).unwrap().write(&scene, &mut ignore_progress).unwrap();
        check_library(&target);
        for triangles in
            [read_glb(&glb_of(&scene)), read_obj(&std::fs::read_to_string(&target).unwrap())]
        {
            assert_eq!(triangles.len(), 10, "{name}");
            assert!(triangles.iter().all(|t| t.material == "torch_light14_cutout"));
            let corners: Vec<Vec3> = triangles.iter().flat_map(|t| t.at).collect();
            assert!(
                corners.iter().all(|at| at.cmpge(low).all() && at.cmple(high).all()),
                "{corners:?}"
            );
            let top = triangles.iter().filter(|t| t.normals[0] == Vec3::Y);
            let top: Vec<(Vec3, Vec2)> = top.flat_map(|t| t.at.into_iter().zip(t.uv)).collect();
            assert_eq!(top.len(), 6);
            for (at, uv) in top {
                // A torch on a wall leans away from it.
                let middle = if name == "torch" { 0.5 } else { 0.0625 + 0.4 * 0.625 };
                assert!(((at.x - middle).abs() - 0.0625).abs() < 1e-6, "{name}: {at}");
                assert!(
                    ((at.z - 0.5).abs() - 0.0625).abs() < 1e-6
                        && (at.y - low.y - 0.625).abs() < 1e-6,
                    "{at}"
                );
                assert!(
                    uv.cmpge(Vec2::new(7.0, 6.0) / 16.0).all()
                        && uv.cmple(Vec2::new(9.0, 8.0) / 16.0).all()
                );
            }
        }
    }
}

#[test]
fn partly_filled_voxel_keeps_its_height() {
    let materials = materials();
    let snow = materials.find("snow").unwrap();
    let scene = scene_of(None, &materials, [(IVec3::new(500, 70, -500), Voxel::new(snow, 63))]);
    let triangles = read_glb(&glb_of(&scene));
    assert_eq!(triangles.len(), 12);
    let corners = || triangles.iter().flat_map(|t| t.at);
    // The origin is the middle of the box, which for one voxel is rounded down to its corner.
    assert_eq!(corners().fold(Vec3::MAX, Vec3::min), Vec3::ZERO);
    assert_eq!(corners().fold(Vec3::MIN, Vec3::max), Vec3::new(1.0, 0.25, 1.0));
}

/// A ball of smooth ground around the corner of eight chunks is a closed surface of its volume.
#[test]
fn smooth_ground_is_written_as_a_closed_surface() {
    const RADIUS: f32 = 9.0;
    let materials = MaterialTable::builtin_smooth();
    let grass = materials.find("grass").unwrap();
    let side = -12..12;
    let places = side.clone().flat_map(|y| {
        let side = side.clone();
        side.clone().flat_map(move |z| side.clone().map(move |x| IVec3::new(x, y, z)))
    });
    let voxels = places.filter_map(|at| {
        let depth = RADIUS - (at.as_vec3() + 0.5).length();
        let density = (127.5 + 127.5 * depth).clamp(0.0, 255.0) as u8;
        let voxel = Voxel::new(grass, density.saturating_sub(u8::from(density < 255)));
        (density > 0).then_some((at, voxel))
    });
    let scene = scene_of(None, &materials, voxels);
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a.obj");
    Export::begin(&target, false).unwrap().write(&scene, &mut ignore_progress).unwrap();
    check_library(&target);
    for (what, triangles) in [
        ("glb", read_glb(&glb_of(&scene))),
        ("obj", read_obj(&std::fs::read_to_string(&target).unwrap())),
    ] {
        let mut edges: BTreeMap<[[i32; 3]; 2], i32> = BTreeMap::new();
        let mut volume = 0.0;
        for Triangle { at, normals, .. } in &triangles {
            let corners = at.map(|at| (at * 256.0).round().as_ivec3().to_array());
            for [from, to] in [[0, 1], [1, 2], [2, 0]] {
                *edges.entry([corners[from], corners[to]]).or_default() += 1;
                *edges.entry([corners[to], corners[from]]).or_default() -= 1;
            }
            let plane = (at[1] - at[0]).cross(at[2] - at[0]);
            assert!(normals.iter().all(|normal| normal.is_normalized() && normal.dot(plane) > 0.0));
            volume += f64::from(at[0].dot(at[1].cross(at[2]))) / 6.0;
        }
        assert!(edges.values().all(|&count| count == 0), "{what}: the surface is open");
        let expected = 4.0 / 3.0 * std::f64::consts::PI * f64::from(RADIUS).powi(3);
        assert!((volume / expected - 1.0).abs() < 0.03, "{what}: {volume} of {expected}");
        for part in ["grass_top", "grass_side", "dirt"] {
            assert!(triangles.iter().any(|triangle| triangle.material == part), "{what}: {part}");
        }
    }
}

#[test]
fn coordinates_are_exact_or_refused() {
    let materials = materials();
    let stone = Voxel::full(1);
    let near = 1 << 19;
    let far = (1 << 20) - 40;
    for x in [near, far] {
        let ends = [IVec3::new(-x, 0, 0), IVec3::new(x - 1, 0, 0)].map(|at| (at, stone));
        let scene = scene_of(None, &materials, ends);
        let x: Vec<f32> =
            read_glb(&glb_of(&scene)).iter().flat_map(|t| t.at.map(|p| p.x)).collect();
        let expected = [
            -scene.matter.max.x,
            1 - scene.matter.max.x,
            scene.matter.max.x - 1,
            scene.matter.max.x,
        ];
        assert!(x.iter().all(|x| expected.map(|e| e as f32).contains(x)));
    }
    let ends = [IVec3::new(-(1 << 20), 0, 0), IVec3::new(1 << 20, 0, 0)].map(|at| (at, stone));
    let error = glb::write(&scene_of(None, &materials, ends), &mut ignore_progress, &mut vec![])
        .unwrap_err();
    assert!(
        matches!(&error, WriterError::Unfit(reason) if reason.contains("coordinates are exact up to 1048576")),
        "{error:?}"
    );
}

#[test]
fn block_has_twelve_triangles_and_gas_has_none() {
    let mut materials = materials();
    let block =
        (0..32 * 32 * 32).map(|i| (IVec3::new(i % 32, i / 32 % 32, i / 1024), Voxel::full(1)));
    assert_eq!(read_glb(&glb_of(&scene_of(None, &materials, block))).len(), 12);
    let mist = materials
        .add(Material { matter: Matter::Gas, ..Material::plain("mist", [255; 3]) })
        .unwrap();
    let scene = scene_of(None, &materials, [(IVec3::ZERO, Voxel::full(mist))]);
    let error = glb::write(&scene, &mut ignore_progress, &mut vec![]).unwrap_err();
    assert!(
        matches!(&error, WriterError::Unfit(reason) if reason == "nothing in it is visible"),
        "{error:?}"
    );
}
