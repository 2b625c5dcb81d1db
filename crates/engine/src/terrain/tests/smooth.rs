//! Tests of smooth ground.

use super::*;
use crate::contour::{ContourMaterials, crossing};
use std::collections::BTreeSet;

fn smooth(seed: u64, kind: TerrainKind) -> Generator {
    Generator::with_ground(seed, kind, GroundStyle::Smooth, &MaterialTable::builtin_smooth())
}

fn world(g: &Generator, area: Box3) -> World {
    let mut world = World::new();
    for pos in area.chunks() {
        world.insert(pos, g.chunk(pos));
    }
    world
}

#[test]
fn smooth_chunks_depend_only_on_seed_kind_and_position() {
    for kind in TerrainKind::ALL {
        let [forth, back] = [(); 2].map(|()| smooth(7, kind));
        let positions = sample_positions();
        let first: Vec<Chunk> = positions.iter().map(|&pos| forth.chunk(pos)).collect();
        for (&pos, chunk) in positions.iter().zip(&first).rev() {
            assert_eq!(back.chunk(pos), *chunk, "{kind} {pos}");
            assert_eq!(chunk.check(), Ok(()), "{kind} {pos}");
        }
    }
}

/// Over each column the surface lies within a sixteenth of a voxel of the planned height, which
/// blocks round down.
#[test]
fn surface_of_smooth_land_is_at_the_planned_height() {
    let materials = ContourMaterials::new(&MaterialTable::builtin_smooth());
    for kind in [TerrainKind::Continents, TerrainKind::Islands] {
        let g = smooth(11, kind);
        let WorldGenerator::Overworld(overworld) = &g.world else { unreachable!() };
        let [mut columns, mut off] = [0u32; 2];
        let mut sum = 0.0;
        for (x, z) in (-3..3).flat_map(|z| (-3..3).map(move |x| (x * 5, z * 5))) {
            let tile = overworld.tile(&g.palette, x, z);
            let stack = world(
                &g,
                Box3 { min: IVec3::new(x, -3, z) * 32, max: IVec3::new(x + 1, 8, z + 1) * 32 },
            );
            for (dx, dz) in (0..32).flat_map(|z| (0..32).map(move |x| (x, z))) {
                let column = tile.column(dx, dz);
                // Trees, boulders and caves may take its place.
                if column.smooth.mouth > -2.0 || column.top < -90 {
                    continue;
                }
                let at = |y: i32| {
                    let at = IVec3::new(x * 32 + dx, y, z * 32 + dz);
                    materials.voxel(stack.get(at))
                };
                let above = (column.top - 2..column.free + 2).rev().find(|&y| at(y).is_inside());
                let Some(inside) = above.filter(|&y| at(y).is_ground()) else { continue };
                let height = f64::from(inside)
                    + 0.5
                    + f64::from(crossing(at(inside), at(inside + 1))) / 256.0;
                let error = (height - f64::from(column.smooth.height)).abs();
                // On steep slopes, heights differ by more than the distance to the surface.
                let flatness = f64::from(column.smooth.flatness);
                let steep = flatness < 1.0;
                let part = if steep { flatness / (1.0 + flatness * flatness).sqrt() } else { 1.0 };
                columns += 1;
                off += u32::from(error * part > 1.0 / 16.0);
                sum += error;
            }
        }
        assert!(columns > 20_000, "{columns}");
        // Boulders raise the ground.
        assert!(
            off * 200 < columns,
            "{kind}: {off} of {columns} columns, {}",
            sum / f64::from(columns)
        );
    }
}

/// A top layer of soil on each step of a column would stripe the cliff.
#[test]
fn bare_rock_of_smooth_land_has_no_soil() {
    let g = smooth(7, TerrainKind::Continents);
    let p = &g.palette;
    let WorldGenerator::Overworld(overworld) = &g.world else { unreachable!() };
    let soils = [p.grass, p.dirt, p.snowy_grass, p.dry_grass].map(Voxel::material);
    let mut bare = 0u32;
    for (x, z) in (-3..3).flat_map(|z| (-3..3).map(move |x| (x * 7, z * 7))) {
        let tile = overworld.tile(p, x, z);
        let stack = world(
            &g,
            Box3 { min: IVec3::new(x, -1, z) * 32, max: IVec3::new(x + 1, 8, z + 1) * 32 },
        );
        for (dx, dz) in (0..32).flat_map(|z| (0..32).map(move |x| (x, z))) {
            let column = tile.column(dx, dz);
            if column.soil_depth > 0 || column.top < 0 {
                continue;
            }
            bare += 1;
            for y in column.top - 3..column.free {
                let voxel = stack.get(IVec3::new(x * 32 + dx, y, z * 32 + dz));
                assert!(!soils.contains(&voxel.material()), "{voxel:?} at {dx}, {y}, {dz}");
            }
        }
    }
    assert!(bare > 500, "{bare}");
}

/// Beside water, ground that leaves room is wet up to the water's level. Below the water's surface
/// this holds for thin ground: thick ground may be the wall of a dry cave, and hides the water.
#[test]
fn shores_of_smooth_land_have_no_gap() {
    let table = MaterialTable::builtin_smooth();
    let contour = ContourMaterials::new(&table);
    let water = table.find("water").unwrap();
    let places = [
        (
            TerrainKind::Islands,
            Box3 { min: IVec3::new(-160, -32, -160), max: IVec3::new(160, 32, 160) },
        ),
        (
            TerrainKind::Caverns,
            Box3 { min: IVec3::new(-96, -96, -96), max: IVec3::new(96, 96, 96) },
        ),
    ];
    for (kind, area) in places {
        let world = world(&smooth(3, kind), area);
        let mut beside = 0;
        for y in area.min.y..area.max.y {
            for (z, x) in (area.min.z + 1..area.max.z - 1)
                .flat_map(|z| (area.min.x + 1..area.max.x - 1).map(move |x| (z, x)))
            {
                let at = IVec3::new(x, y, z);
                let here = world.get(at);
                if here.material() != water {
                    continue;
                }
                for side in [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z] {
                    let ground = world.get(at + side);
                    let is_seen = !here.is_full() || !contour.voxel(ground).is_inside();
                    if is_seen && contour.is_ground(ground) && !ground.is_full() {
                        assert!(
                            ground.parts() >= here.parts(),
                            "{kind} {at}: {here:?}, {ground:?}"
                        );
                        beside += 1;
                    }
                }
            }
        }
        assert!(beside > 100, "{kind}: {beside}");
    }
}

/// No material of the land stands as a cube in smooth rock.
#[test]
fn only_plants_ice_and_crystals_of_smooth_terrain_are_cubes() {
    let table = MaterialTable::builtin_smooth();
    let mut cubes = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (kind, seeds, y) in [
        (TerrainKind::Continents, 0..12, -6..6),
        (TerrainKind::Islands, 0..3, -6..5),
        (TerrainKind::Caverns, 0..6, -1..4),
        (TerrainKind::Flat, 0..1, -2..1),
    ] {
        for seed in seeds {
            let g = smooth(seed, kind);
            for (x, z) in (0..16).map(|i| (i % 4 * 23, i / 4 * 23)) {
                for run in y
                    .clone()
                    .flat_map(|y| g.chunk(ChunkPos::new(x, y, z)).runs().collect::<Vec<_>>())
                {
                    let material = table.get(run.voxel.material()).unwrap();
                    if !material.is_solid() || seen.contains(&material.name) {
                        continue;
                    }
                    seen.insert(material.name.clone());
                    if material.surface.is_cube() {
                        cubes.insert(material.name.clone());
                    }
                }
            }
        }
    }
    let natural = |name: &String| {
        name.ends_with("_log")
            || name.ends_with("_leaves_grown")
            || ["cactus", "crystal_block", "ice"].contains(&name.as_str())
    };
    assert!(cubes.iter().all(natural), "{cubes:?}");
    for name in ["granite", "coal_ore", "sandstone", "mossy_cobblestone", "snow", "red_sandstone"] {
        assert!(seen.contains(name), "no {name} in {seen:?}");
    }
}

#[test]
fn first_view_of_smooth_land_is_in_air_above_ground() {
    let table = MaterialTable::builtin_smooth();
    for kind in TerrainKind::ALL {
        for seed in 0..4 {
            let g = smooth(seed, kind);
            for feet in [g.spawn(), g.first_view(&table).feet] {
                let feet = feet.floor().as_ivec3();
                let voxel =
                    |at: IVec3| g.chunk(ChunkPos::containing(at)).get(linear_index(local(at)));
                assert!(voxel(feet).is_air() && voxel(feet + IVec3::Y).is_air(), "{kind} {seed}");
                assert!(table.is_solid(voxel(feet - IVec3::Y).material()), "{kind} {seed}: {feet}");
            }
        }
    }
}

#[test]
fn smooth_chunks_match_recorded_checksums() {
    let found = TerrainKind::ALL.map(|kind| {
        let g = smooth(2026, kind);
        let home = ChunkPos::containing(g.spawn().floor().as_ivec3());
        [(home.x, home.z), (5, -7)].map(|(x, z)| checksum(&g, x, z))
    });
    assert_eq!(found, CHECKSUMS, "found {found:#010x?}");
}

/// Expected checksums by kind of terrain, then by position.
const CHECKSUMS: [[u32; 2]; 4] = [
    [0x8a65_34ed, 0xa8c5_deab],
    [0xb3dc_2de0, 0x2a09_b151],
    [0xb7e7_d184, 0x4641_4728],
    [0x7d53_5746, 0x7d53_5746],
];
