//! `docs/map-format.md` suffices to read a map: a Python program that shares no code with the
//! engine finds the same voxels, materials and header.

use glam::{DVec3, IVec3};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use stonerun_engine::edit::region::{Ellipsoid, Region};
use stonerun_engine::save::{
    Header, MapChanges, MapFile, NamedPlace, Places, RegionChange, SavedPlayer,
};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{
    Box3, CHUNK_VOLUME, ChunkPos, Faces, LyingAxis, Material, MaterialTable, Matter, ModelForm,
    Opacity, Shape, SurfaceRule, Turn, Voxel,
};
use stonerun_engine::world::Chunk;

/// A pseudorandom number below `most`.
fn below(index: u32, most: u32) -> u32 {
    (index.wrapping_mul(2_654_435_761) >> 8) % most
}

/// One chunk per kind of encoded bytes.
fn kinds(materials: u16) -> Vec<Chunk> {
    let all = 0..CHUNK_VOLUME as u32;
    let each = |voxel: &dyn Fn(u32) -> Voxel| Chunk::from_runs(all.clone().map(|i| (1, voxel(i))));
    vec![
        Chunk::uniform(Voxel::AIR),
        Chunk::uniform(Voxel::full(materials - 1)),
        Chunk::uniform(Voxel::new(3, 0)),
        // Lengths around 256, the limit of the length byte.
        Chunk::from_runs(
            [255, 256, 257, 1, 2, 511, 512, 513, 30461].into_iter().zip((1..).map(Voxel::full)),
        ),
        // More materials than the lead byte has codes for, and content that LZ4 cannot compress.
        each(&|i| Voxel::full(below(i, u32::from(materials)) as u16)),
        each(&|i| {
            if i % 3 == 0 {
                Voxel::AIR
            } else {
                Voxel::new(1 + below(i, 5) as u16, below(i * 7, 256) as u8)
            }
        }),
        // Liquid in single voxels, in long runs and in a whole chunk, also of materials beyond the
        // lead byte's codes.
        each(&|i| {
            Voxel::new(1 + below(i, 5) as u16, below(i * 7, 256) as u8)
                .with_liquid(below(i * 3, 4) as u8 * 50)
        }),
        each(&|i| Voxel::new(1 + below(i / 90, 3) as u16, 7).with_liquid((i / 90 % 3) as u8 * 124)),
        Chunk::from_runs((0..128).map(|i| {
            let material = materials - 1 - i as u16 % 4;
            (256, Voxel::new(material, i as u8).with_liquid(127))
        })),
        Chunk::uniform(Voxel::new(5, 0).with_liquid(255)),
        // Long matches for LZ4, and matches that overlap themselves.
        each(&|i| Voxel::full((i / 32 % 7) as u16)),
        each(&|i| Voxel::full(1 + (i % 2) as u16)),
    ]
}

/// The output expected from `tests/read_map.py`.
fn expected_output(map: &MapFile) -> String {
    let header = map.header();
    let mut out = String::new();
    let SavedPlayer { position, yaw, pitch, flying, hotbar, selected } = &header.player;
    let numbers = |three: &[f64; 3]| three.map(|n| format!("{n:?}")).join(" ");
    let mut line = |text: String| writeln!(out, "{text}").unwrap();
    line(format!("seed {}\nterrain {}", header.seed, header.terrain));
    line(format!("spawn {}\nposition {}", numbers(&header.spawn), numbers(position)));
    line(format!(
        "look {:?} {:?}\nflying {}",
        f64::from(*yaw),
        f64::from(*pitch),
        u8::from(*flying)
    ));
    line(format!("hotbar {}\nselected {selected}", hotbar.join(" ")));
    line(format!("time {:?}\nplayed {:?}", header.time_of_day, header.played_seconds));
    line(format!("saved {}\ncreated {}", header.saved_unix, header.created_unix));
    for NamedPlace { name, position, yaw, pitch } in map.places().unwrap().iter() {
        line(format!(
            "place {name} {} {:?} {:?}",
            numbers(position),
            f64::from(*yaw),
            f64::from(*pitch)
        ));
    }
    line(format!("digest 1 8 {} {}", map.positions().len(), map.materials().len()));
    for (id, m) in map.materials().iter() {
        let faces = match &m.faces {
            Faces::Same(name) => name.clone(),
            Faces::Column { top, bottom, side } => [top.as_str(), bottom, side].join(" "),
            Faces::Lying { axis, end, side } => format!("{} {end} {side}", *axis as u8),
        };
        let Material { name, light, .. } = m;
        let [r, g, b] = m.tint;
        let row = m.shape.row();
        let mut parameter = row.parameter.map_or_else(String::new, |number| format!(" {number}"));
        if let Some(form) = m.shape.model_form() {
            parameter = form.numbers().map(|number| format!(" {number}")).concat();
        }
        let shape = format!("{}{parameter}", row.code);
        let kinds = format!("{} {} {shape}", m.opacity as u8, m.matter as u8);
        let surface = match m.surface {
            SurfaceRule::Cube => "0".to_owned(),
            SurfaceRule::Smooth => "1".to_owned(),
            SurfaceRule::Facet => "2".to_owned(),
            SurfaceRule::Rough(amount) => format!("3 {amount}"),
            SurfaceRule::Terrace(heights) => format!("4 {heights}"),
        };
        line(format!("material {id} {name} {faces} {r} {g} {b} {kinds} {light} {surface}"));
    }
    let reader = map.reader().unwrap();
    for name in ["Der Würfel", "ball", "b"] {
        let region = Region::from_bytes(&reader.region(name).unwrap().unwrap()).unwrap();
        line(format!("region {name} {} {}", region.chunks().len(), region.volume()));
    }
    for pos in map.positions() {
        let chunk = map.load(pos).unwrap().unwrap();
        let mut bytes = Vec::new();
        for index in 0..CHUNK_VOLUME {
            let voxel = chunk.get(index);
            bytes.extend(voxel.material().to_le_bytes());
            bytes.extend([voxel.occupancy(), voxel.liquid()]);
        }
        let ChunkPos { x, y, z } = pos;
        line(format!("chunk {x} {y} {z} {}", crc32fast::hash(&bytes)));
    }
    out
}

#[test]
fn python_reader_finds_the_same_content() {
    if Command::new("python3").arg("--version").output().is_err() {
        assert!(std::env::var_os("STONERUN_REQUIRE_ALL").is_none(), "python3 is required");
        eprintln!("skipped: python3 is missing");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("format.stonerun");
    let mut materials = MaterialTable::builtin();
    let faces = |name: &str| Faces::Column {
        top: format!("{name}_t"),
        bottom: "plain".into(),
        side: name.into(),
    };
    for i in 0..300 {
        let name = format!("other:größe_{i}");
        let (opacity, matter) =
            [(Opacity::CutOut, Matter::Liquid), (Opacity::Translucent, Matter::Plant)][i % 2];
        let tint = [i as u8, 251, 252];
        let m = Material {
            faces: faces(&name),
            opacity,
            matter,
            shape: Shape::Cross,
            light: 7,
            ..Material::plain(&name, tint)
        };
        materials.add(m).unwrap();
    }
    for (name, surface) in [
        ("dune", SurfaceRule::Smooth),
        ("crystal", SurfaceRule::Facet),
        ("scree", SurfaceRule::Rough(127)),
        ("rice_field", SurfaceRule::Terrace(16)),
    ] {
        materials.add(Material { surface, ..Material::plain(name, [1, 2, 3]) }).unwrap();
    }
    for (name, form) in [
        ("pale[fence]", ModelForm::joined("fence")),
        ("wall[tall]", ModelForm::new("wall", Turn::quarters(3), &["tall_west", "post"])),
    ] {
        let shape = Shape::Model(form.unwrap());
        materials.add(Material { shape, ..Material::plain(name, [1, 2, 3]) }).unwrap();
    }
    let log = Faces::Lying { axis: LyingAxis::Z, end: "log_top".into(), side: "log".into() };
    materials.add(Material { faces: log, ..Material::plain("lying log", [1, 2, 3]) }).unwrap();
    let mut header = Header::new(u64::MAX - 5, "continents", 1_700_000_000);
    header.player.position = [-1234.5, 77.25, 3.0];
    header.player.yaw = 0.3;
    header.player.pitch = -1.25;
    header.player.flying = true;
    header.saved_unix = 1_800_000_000;
    header.player.hotbar = vec!["stone".into(), "other:größe_7".into()];
    header.player.selected = 8;
    header.time_of_day = 0.8125;
    header.played_seconds = 70_000.5;
    header.spawn = [0.5, 64.0, -0.5];
    let mut map = MapFile::create(&path, &header, &materials).unwrap();
    let generator = Generator::new(9, TerrainKind::Continents, &materials);
    let mut chunks: Vec<_> = kinds(materials.len() as u16)
        .into_iter()
        .zip(-3..)
        .map(|(chunk, x)| (ChunkPos::new(x, -7, 100_000), chunk))
        .collect();
    let random =
        |i: u32| i.wrapping_mul(0x9E37_79B9).rotate_left(11).wrapping_mul(0x85EB_CA6B) >> 20;
    for (x, values) in [(10, 2), (11, 3), (12, 7)] {
        let voxel = |i| match random(i) % values {
            0 => Voxel::AIR,
            1 => Voxel::new(1, 99).with_liquid(values as u8),
            other => Voxel::full(other as u16),
        };
        let noise = Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, voxel(i))));
        chunks.push((ChunkPos::new(x, 0, 0), noise));
    }
    chunks.extend((0..4).map(|y| ChunkPos::new(2, y, -1)).map(|pos| (pos, generator.chunk(pos))));
    // Two saves, the second of which writes some chunks again.
    for part in [&chunks[..], &chunks[2..5]] {
        let header = header.clone();
        let materials = materials.clone();
        let mut places = Places::default();
        for (name, x) in [("Die Mühle", -1.5), ("b", 1e6)] {
            let name = name.to_owned();
            places
                .add(NamedPlace { name, position: [x, 0.0, 7.25], yaw: 0.5, pitch: -0.75 })
                .unwrap();
        }
        let changes = MapChanges::new(part.to_vec(), header, materials);
        let cube =
            Region::from_shape(&Box3 { min: IVec3::new(-33, 0, 64), max: IVec3::new(32, 32, 128) });
        let ball = Region::from_shape(&Ellipsoid {
            centre: IVec3::new(-5, 9, 7),
            radii: DVec3::splat(40.5),
        });
        let regions = [("Der Würfel", cube), ("ball", ball), ("b", Region::default())].map(
            |(name, region)| RegionChange {
                name: name.to_owned(),
                bytes: Some(region.to_bytes().into()),
            },
        );
        map.save(&MapChanges { places: Some(places), regions: regions.into(), ..changes }).unwrap();
    }
    let codecs = read_by_python(&path, &expected_output(&map));
    // The writer chooses the codec of each chunk.
    assert!(["0", "1", "3"].iter().all(|codec| codecs.contains(*codec)), "{codecs:?}");
    let done = map.compact(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(done.complete && done.bad == 0 && done.chunks > 4, "{done:?}");
    let codecs = read_by_python(&path, &expected_output(&map));
    assert!(codecs.contains("1") && codecs.contains("2"), "{codecs:?}");
    map.close().unwrap();
}

/// Compares the output of `tests/read_map.py` with `expected`. Returns the codecs of the chunks.
fn read_by_python(path: &Path, expected: &str) -> BTreeSet<String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/read_map.py");
    let output =
        Command::new("python3").arg("-X").arg("utf8").arg(script).arg(path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = String::from_utf8(output.stdout).unwrap();
    let codec = |line: &str| {
        line.split(' ').nth(4).filter(|_| line.starts_with("chunk")).map(str::to_owned)
    };
    let codecs = found.lines().filter_map(codec).collect();
    let found: Vec<String> = found
        .lines()
        .map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
            ["chunk", x, y, z, _, sum] => ["chunk", x, y, z, sum].join(" "),
            _ => line.to_owned(),
        })
        .collect();
    for (ours, theirs) in expected.lines().zip(&found) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(found.len(), expected.lines().count());
    codecs
}
