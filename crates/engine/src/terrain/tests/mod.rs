//! Tests of whole chunks: deterministic, complete across borders, and stable over versions.

mod measure;
mod smooth;

use super::*;
use crate::voxel::{Box3, Matter, linear_index, local, local_coord};
use crate::world::World;

fn generator(seed: u64, kind: TerrainKind) -> Generator {
    Generator::new(seed, kind, &MaterialTable::builtin())
}

/// Chunks around sea level, one deep underground, and two far away.
fn sample_positions() -> Vec<ChunkPos> {
    let mut list: Vec<_> =
        Box3 { min: IVec3::new(-64, -64, -64), max: IVec3::new(64, 96, 64) }.chunks().collect();
    list.push(ChunkPos::new(3, -5, -9));
    // These chunks share slots of the tile cache with other chunks of the list.
    list.extend([ChunkPos::new(-34, 0, 0), ChunkPos::new(32, 0, 34)]);
    list
}

#[test]
fn chunks_depend_only_on_seed_kind_and_position() {
    for kind in TerrainKind::ALL {
        let forth = generator(7, kind);
        let back = generator(7, kind);
        let positions = sample_positions();
        let first: Vec<Chunk> = positions.iter().map(|&pos| forth.chunk(pos)).collect();
        for (&pos, chunk) in positions.iter().zip(&first).rev() {
            assert_eq!(back.chunk(pos), *chunk, "{kind} {pos}");
            assert_eq!(chunk.check(), Ok(()), "{kind} {pos}");
        }
        let shared = generator(7, kind);
        std::thread::scope(|scope| {
            for part in 0..4 {
                let shared = &shared;
                let positions = &positions;
                let first = &first;
                scope.spawn(move || {
                    for i in (0..positions.len()).filter(|i| i % 4 == part || i % 3 == 0) {
                        assert_eq!(shared.chunk(positions[i]), first[i], "{kind} {}", positions[i]);
                    }
                });
            }
        });
    }
}

#[test]
fn different_seeds_give_different_chunks() {
    for kind in [TerrainKind::Continents, TerrainKind::Islands, TerrainKind::Caverns] {
        let (a, b) = (generator(1, kind), generator(1 << 40 | 1, kind));
        assert!(sample_positions().into_iter().any(|pos| a.chunk(pos) != b.chunk(pos)), "{kind}");
    }
}

/// A world of 3 x 5 x 3 chunks around the middle of a forest.
fn forest() -> (World, Box3) {
    let g = generator(1, TerrainKind::Continents);
    let WorldGenerator::Overworld(overworld) = &g.world else { unreachable!() };
    let is_forest = |t: &tile::TerrainTile| {
        t.features.iter().filter(|f| f.kind == features::FeatureKind::Oak).count() > 12
    };
    let at = (0..400)
        .map(|i| [i % 20 * 3 - 30, i / 20 * 3 - 30])
        .find(|&[x, z]| is_forest(&overworld.tile(&g.palette, x, z)))
        .expect("a forest within a kilometre");
    let min = IVec3::new(at[0] - 1, -1, at[1] - 1) * 32;
    let area = Box3 { min, max: min + IVec3::new(96, 160, 96) };
    let mut world = World::new();
    for pos in area.chunks() {
        world.insert(pos, g.chunk(pos));
    }
    (world, area)
}

#[test]
fn trees_cross_chunk_borders_uncut() {
    let (world, area) = forest();
    let materials = MaterialTable::builtin();
    let id = |name: &str| materials.find(name).unwrap();
    let leaves = id("oak_leaves_grown");
    let log = id("oak_log");
    // Leaves next to the borders of the middle chunk, and in planes further inside. Cut crowns
    // would leave far fewer leaves at the borders.
    let count = |x: i32| {
        let mut n = 0;
        for y in area.min.y..area.max.y {
            for z in area.min.z..area.max.z {
                n += u32::from(world.get(IVec3::new(x, y, z)).material() == leaves);
            }
        }
        n
    };
    let border: u32 = [31, 32, 63, 64].map(|x| count(area.min.x + x)).iter().sum();
    let inside: u32 = [40, 45, 50, 55].map(|x| count(area.min.x + x)).iter().sum();
    assert!(border > 40 && border * 2 > inside, "{border} leaves at borders, {inside} inside");

    // At least one leaf has its only nearby trunk on the other side of the border.
    let mut across = 0;
    for y in area.min.y..area.max.y {
        for z in area.min.z + 8..area.max.z - 8 {
            let at = IVec3::new(area.min.x + 32, y, z);
            if world.get(at).material() != leaves {
                continue;
            }
            let trunk_in = |x0: i32, x1: i32| {
                (x0..x1).any(|x| {
                    (-4..=4).any(|dz| {
                        (-8..=4)
                            .any(|dy| world.get(IVec3::new(x, y + dy, z + dz)).material() == log)
                    })
                })
            };
            across += u32::from(!trunk_in(at.x, at.x + 5) && trunk_in(at.x - 5, at.x));
        }
    }
    assert!(across > 0, "no leaf crosses a border");
}

#[test]
fn every_voxel_of_a_tree_is_filled_on_both_sides_of_a_border() {
    let (world, area) = forest();
    let g = generator(1, TerrainKind::Continents);
    let WorldGenerator::Overworld(overworld) = &g.world else { unreachable!() };
    let mut leaves = 0;
    let middle = ChunkPos::containing(area.min + 32);
    for feature in &overworld.tile(&g.palette, middle.x, middle.z).features {
        for pos in area.chunks() {
            let mut overlay = feature_overlay::FeatureOverlay::new(pos);
            features::place(&g.palette, feature, pos.bounds(), &mut overlay);
            // In air every placement is accepted; in the world none of these voxels may be empty.
            let tree = overlay.into_writer(&g.palette).finish();
            for run in tree.runs().filter(|r| !r.voxel.is_air()) {
                for index in run.start..run.end() {
                    let at = pos.origin() + crate::voxel::linear_offset(index as usize);
                    let there = world.get(at);
                    assert!(
                        !there.is_air(),
                        "{:?} misses its {:?} at {at}",
                        feature.kind,
                        run.voxel
                    );
                    leaves += u32::from(pos != middle);
                }
            }
        }
    }
    assert!(leaves > 20, "trees cross the border of their chunk: {leaves}");
}

/// Chunks search features only this far from their roots; larger ones would be cut off.
#[test]
fn features_stay_within_declared_reach() {
    use features::FeatureKind;
    let palette = palette::TerrainPalette::new(&MaterialTable::builtin(), None);
    let kinds = [
        FeatureKind::Oak,
        FeatureKind::GreatOak,
        FeatureKind::Birch,
        FeatureKind::Pine,
        FeatureKind::SnowyPine,
        FeatureKind::Umbrella,
        FeatureKind::Palm,
        FeatureKind::Bush,
        FeatureKind::Cactus,
        FeatureKind::Boulder,
        FeatureKind::FallenLog,
    ];
    // In the middle of a chunk, so the whole feature is inside.
    let root = IVec3::new(16, 4, 16);
    let pos = ChunkPos::new(0, 0, 0);
    for kind in kinds {
        let mut sideways = 0;
        for seed in 0..2000u64 {
            let feature =
                features::Feature { kind, root, seed: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) };
            let mut overlay = feature_overlay::FeatureOverlay::new(pos);
            features::place(&palette, &feature, pos.bounds(), &mut overlay);
            for run in overlay.into_writer(&palette).finish().runs().filter(|r| !r.voxel.is_air()) {
                for index in run.start..run.end() {
                    let by = crate::voxel::linear_offset(index as usize) - root;
                    sideways = sideways.max(by.x.abs()).max(by.z.abs());
                    assert!(
                        (-features::DEEPEST..=features::TALLEST).contains(&by.y),
                        "{kind:?} {seed}: {by}"
                    );
                }
            }
        }
        assert!((1..=features::REACH).contains(&sideways), "{kind:?}: {sideways}");
    }
}

#[test]
fn palms_grow_on_sand() {
    let g = generator(1, TerrainKind::Continents);
    let WorldGenerator::Overworld(overworld) = &g.world else { unreachable!() };
    let mut palms = 0;
    for (x, z) in (-40..40).flat_map(|z| (-40..40).map(move |x| (x * 2, z * 2))) {
        let tile = overworld.tile(&g.palette, x, z);
        for palm in tile.features.iter().filter(|f| f.kind == features::FeatureKind::Palm) {
            let column = tile.column(local_coord(palm.root.x), local_coord(palm.root.z));
            assert_eq!(column.top_soil, g.palette.sand, "a palm at {}", palm.root);
            palms += 1;
        }
    }
    assert!(palms > 0, "no palm");
}

#[test]
fn spawn_is_in_air_above_solid_ground() {
    let materials = MaterialTable::builtin();
    for kind in TerrainKind::ALL {
        for seed in 0..20 {
            let g = generator(seed, kind);
            let feet = g.spawn().floor().as_ivec3();
            let voxel = |at: IVec3| g.chunk(ChunkPos::containing(at)).get(linear_index(local(at)));
            assert!(
                voxel(feet).is_air() && voxel(feet + IVec3::Y).is_air(),
                "{kind} {seed}: {feet}"
            );
            assert!(materials.is_solid(voxel(feet - IVec3::Y).material()), "{kind} {seed}: {feet}");
        }
    }
}

#[test]
fn no_liquid_is_next_to_or_above_air() {
    let materials = MaterialTable::builtin();
    for (kind, low) in
        [(TerrainKind::Caverns, -1), (TerrainKind::Continents, -2), (TerrainKind::Islands, -2)]
    {
        let mut liquid = 0;
        for (seed, ground) in (0..3).flat_map(|seed| GroundStyle::ALL.map(|ground| (seed, ground)))
        {
            let g = Generator::with_ground(seed, kind, ground, &materials);
            let area = Box3 { min: IVec3::new(-96, low * 32, -96), max: IVec3::new(96, 96, 96) };
            let mut world = World::new();
            for pos in area.chunks() {
                world.insert(pos, g.chunk(pos));
            }
            for (pos, chunk) in world.chunks() {
                for run in chunk.runs() {
                    if materials.get(run.voxel.material()).map(|m| m.matter) != Some(Matter::Liquid)
                    {
                        continue;
                    }
                    for index in run.start..run.end() {
                        liquid += 1;
                        let at = pos.origin() + crate::voxel::linear_offset(index as usize);
                        for side in [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z, IVec3::NEG_Y] {
                            assert!(
                                !world.get(at + side).is_air(),
                                "{kind} {ground} {seed}: {:?} at {at}, {side}",
                                run.voxel
                            );
                        }
                    }
                }
            }
        }
        assert!(liquid > 1000, "{kind}: {liquid}");
    }
}

#[test]
fn any_material_table_and_any_position_generate_valid_chunks() {
    /// The world's edge, in chunks.
    const LIMIT: i32 = crate::voxel::WORLD_LIMIT / 32;
    let bare = MaterialTable::from_list(vec![crate::voxel::Material::unknown("air")]).unwrap();
    let mut brick = bare.clone();
    let brick_id = brick.add(crate::voxel::Material::unknown("brick")).unwrap();
    for kind in TerrainKind::ALL.into_iter().chain([TerrainKind::Void]) {
        for pos in [ChunkPos::default(), ChunkPos::new(-1, -3, 5)] {
            assert_eq!(
                Generator::new(1, kind, &bare).chunk(pos).as_uniform(),
                Some(Voxel::AIR),
                "{kind}"
            );
            let chunk = Generator::new(1, kind, &brick).chunk(pos);
            assert!(chunk.runs().all(|r| r.voxel.material() <= brick_id), "{kind}");
        }
        let g = generator(1, kind);
        for part in [i32::MIN, -LIMIT, LIMIT - 1, i32::MAX] {
            for pos in
                [ChunkPos::new(part, 0, 0), ChunkPos::new(0, part, 0), ChunkPos::new(part, 1, part)]
            {
                assert_eq!(g.chunk(pos).check(), Ok(()));
            }
        }
    }
    assert_eq!(
        generator(3, TerrainKind::Void).chunk(ChunkPos::default()).as_uniform(),
        Some(Voxel::AIR)
    );
}

#[test]
fn caverns_have_ores_at_all_heights() {
    let g = generator(1, TerrainKind::Caverns);
    let ores: Vec<_> = MaterialTable::builtin()
        .iter()
        .filter(|(_, material)| material.name.ends_with("_ore"))
        .map(|(id, _)| id)
        .collect();
    for y in [-1000, -100, -6, -5, 0, 3, 100, 1000] {
        // A storey is three chunks high.
        let chunks = (0..12).map(|i| g.chunk(ChunkPos::new(i % 4, y * 3 + i / 4, 0)));
        let count: u32 = chunks
            .flat_map(|chunk| chunk.runs().collect::<Vec<_>>())
            .filter(|run| ores.contains(&run.voxel.material()))
            .map(|run| run.len)
            .sum();
        assert!(count > 500, "storey {y}: {count}");
    }
}

/// A checksum over length, material name and occupancy of all runs of a stack of chunks, from the
/// floor of the world to its hills. Names instead of indices, so new materials do not change it.
fn checksum(g: &Generator, x: i32, z: i32) -> u32 {
    let materials = MaterialTable::builtin();
    let mut crc = crc32fast::Hasher::new();
    for y in -6..4 {
        for run in g.chunk(ChunkPos::new(x, y, z)).runs() {
            crc.update(&run.len.to_le_bytes());
            crc.update(materials.get(run.voxel.material()).map_or("", |m| &m.name).as_bytes());
            crc.update(&[run.voxel.occupancy()]);
        }
    }
    crc.finalize()
}

/// A change of the generator makes seams in players' maps where new chunks meet saved ones. If such
/// a change is intended, announce it in the changelog and replace the numbers by the printed ones.
#[test]
fn generated_chunks_match_recorded_checksums() {
    let found = TerrainKind::ALL.map(|kind| {
        let g = generator(2026, kind);
        let home = ChunkPos::containing(g.spawn().floor().as_ivec3());
        [(home.x, home.z), (5, -7), (-12, 3), (40, 40)].map(|(x, z)| checksum(&g, x, z))
    });
    assert_eq!(found, CHECKSUMS, "found {found:#010x?}");
}

/// Expected checksums by kind of terrain, then by position.
const CHECKSUMS: [[u32; 4]; 4] = [
    [0xd3c6_0754, 0xfa8a_4180, 0x31ce_605f, 0x8e32_3353],
    [0x2186_dcdb, 0xdf60_6c47, 0x46ae_b6b1, 0xd1fa_1c8e],
    [0xf721_b2e9, 0xd120_6e71, 0x097a_e304, 0x5bd4_31df],
    [0x7d53_5746, 0x7d53_5746, 0x7d53_5746, 0x7d53_5746],
];
