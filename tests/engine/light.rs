//! Comparison of `LightMap` with a breadth-first search from voxel to voxel.

use glam::{IVec3, Vec3Swizzles as _};
use std::collections::{HashMap, VecDeque};
use stonerun_engine::light::{
    Channel, ChunkLight, DifferentSides, Dimming, LightLevels, LightMap, LightTraits,
};
use stonerun_engine::random::Random;
use stonerun_engine::runs::RunTree;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{
    Box3, CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, Face, Material, MaterialTable, Voxel, linear_index,
    linear_offset, local,
};

type Chunks = HashMap<ChunkPos, RunTree>;

/// Built-in materials, and a white and a red lamp.
fn materials() -> MaterialTable {
    let mut table = MaterialTable::builtin();
    for (name, light, tint) in [("white lamp", 15, [255, 255, 255]), ("red lamp", 11, [240, 60, 0])]
    {
        table.add(Material { light, ..Material::plain(name, tint) }).expect("a new name");
    }
    table
}

fn voxel(chunks: &Chunks, at: IVec3) -> Voxel {
    chunks
        .get(&ChunkPos::containing(at))
        .map_or(Voxel::NOT_LOADED, |chunk| chunk.get(linear_index(local(at))))
}

/// Light levels computed with a queue of voxels, one channel after the other.
fn reference(chunks: &Chunks, traits: &LightTraits, sky: i32) -> HashMap<IVec3, LightLevels> {
    let mut all: HashMap<IVec3, LightLevels> = HashMap::new();
    for channel in Channel::ALL {
        let mut levels: HashMap<IVec3, u8> = HashMap::new();
        let mut queue = VecDeque::new();
        for (&pos, chunk) in chunks {
            let is_under_sky = pos.y + 1 >= sky && !chunks.contains_key(&pos.offset(IVec3::Y));
            for index in 0..CHUNK_VOLUME {
                let at = pos.origin() + linear_offset(index);
                let emitted = traits.emission(chunk.get(index), channel);
                if emitted > 0 {
                    levels.insert(at, emitted);
                    queue.push_back((at, emitted));
                }
                if channel == Channel::Sun && is_under_sky && at.y == pos.origin().y + 31 {
                    queue.push_back((at + IVec3::Y, 15));
                }
            }
        }
        while let Some((from, level)) = queue.pop_front() {
            for face in Face::ALL {
                let at = from + face.normal();
                let Some(dimming) = traits.dimming(voxel(chunks, at)) else { continue };
                // Positions in the sky give light only straight down.
                if !chunks.contains_key(&ChunkPos::containing(from)) && face != Face::Down {
                    continue;
                }
                let falls = channel == Channel::Sun
                    && face == Face::Down
                    && level == 15
                    && dimming == Dimming::Clear;
                let next = if falls { 15 } else { level.saturating_sub(dimming.loss()) };
                let known = levels.entry(at).or_default();
                if next > *known {
                    *known = next;
                    queue.push_back((at, next));
                }
            }
        }
        for (at, level) in levels {
            let before = all.entry(at).or_default();
            *before = before.with(channel, level);
        }
    }
    all
}

/// Compares all voxels. Returns the numbers of voxels with light of the sun and with light of
/// lamps.
fn compare(map: &LightMap, chunks: &Chunks, traits: &LightTraits, sky: i32) -> (usize, usize) {
    let expected = reference(chunks, traits, sky);
    let mut sunlit = 0;
    let mut by_lamps = 0;
    for &pos in chunks.keys() {
        for index in 0..CHUNK_VOLUME {
            let at = pos.origin() + linear_offset(index);
            let wanted = expected.get(&at).copied().unwrap_or_default();
            assert_eq!(map.get(at), Some(wanted), "{at}");
            sunlit += usize::from(wanted.get(Channel::Sun) > 0);
            by_lamps += usize::from(wanted.with(Channel::Sun, 0) != LightLevels::DARK);
        }
    }
    (sunlit, by_lamps)
}

/// Inserts the chunks in a random order. Lights the map now and then, or once at the end.
fn load(map: &mut LightMap, chunks: &Chunks, random: &mut Random) {
    let mut left: Vec<ChunkPos> = chunks.keys().copied().collect();
    left.sort_unstable();
    while !left.is_empty() {
        let pos = left.swap_remove(random.index(left.len()));
        map.insert(pos, chunks[&pos].clone());
        if random.index(3) == 0 {
            map.settle();
        }
    }
    map.settle();
}

/// A world of dust: single voxels of several materials in air.
fn dust(table: &MaterialTable, density: usize, random: &mut Random) -> Chunks {
    let names =
        ["stone", "stone", "oak_leaves", "water", "ice", "white lamp", "red lamp", "glow_mushroom"];
    let full = names.map(|name| Voxel::full(table.find(name).expect("a material")));
    let low = Voxel::new(full[0].material(), 127);
    let area = Box3 { min: IVec3::splat(-32), max: IVec3::new(32, 64, 32) };
    let chunk = |random: &mut Random| {
        let voxels: Vec<Voxel> = (0..CHUNK_VOLUME)
            .map(|_| match random.index(1000) {
                n if n >= density => Voxel::AIR,
                // Lamps are rare, so that there is darkness.
                n if n % 40 < 38 => [full[0], full[1], full[2], full[3], full[4], low][n % 6],
                _ => full[5 + random.index(3)],
            })
            .collect();
        RunTree::from_runs(voxels.into_iter().map(|voxel| (1, voxel)))
    };
    area.chunks().map(|pos| (pos, chunk(random))).collect()
}

#[test]
fn dust_is_lit_like_by_a_queue_in_any_order() {
    let table = materials();
    let traits = LightTraits::new(&table);
    let mut random = Random::new(3);
    for density in [40, 500] {
        let chunks = dust(&table, density, &mut random);
        for _ in 0..2 {
            let mut map = LightMap::new(traits.clone(), 1);
            load(&mut map, &chunks, &mut random);
            let (sunlit, by_lamps) = compare(&map, &chunks, &traits, 1);
            assert!(sunlit > 1000 && by_lamps > 1000, "{sunlit}, {by_lamps}");
        }
    }
}

#[test]
fn terrain_is_lit_like_by_a_queue() {
    let table = MaterialTable::builtin();
    let traits = LightTraits::new(&table);
    for kind in [TerrainKind::Continents, TerrainKind::Caverns] {
        let generator = Generator::new(5, kind, &table);
        let area = Box3 { min: IVec3::new(-32, -32, -32), max: IVec3::new(32, 128, 32) };
        let chunks: Chunks = area.chunks().map(|pos| (pos, generator.chunk(pos))).collect();
        let mut map = LightMap::new(traits.clone(), 4);
        load(&mut map, &chunks, &mut Random::new(11));
        let (sunlit, _) = compare(&map, &chunks, &traits, 4);
        assert!(sunlit > 1000, "{kind:?}: {sunlit}");
    }
}

#[test]
fn edited_removed_and_reloaded_chunks_leave_no_ghost_light() {
    let table = materials();
    let traits = LightTraits::new(&table);
    let mut random = Random::new(8);
    let mut chunks = dust(&table, 5, &mut random);
    let mut map = LightMap::new(traits.clone(), 1);
    load(&mut map, &chunks, &mut random);
    let positions: Vec<ChunkPos> = chunks.keys().copied().collect();
    let lamp = Voxel::full(table.find("white lamp").expect("a material"));
    let mut placed: Vec<(ChunkPos, usize)> = Vec::new();
    for round in 0..4 {
        // Lamps at chunk borders; the next round removes them.
        let edits: Vec<(ChunkPos, usize, Voxel)> = if placed.is_empty() {
            let places = (0..20)
                .map(|_| (positions[random.index(positions.len())], random.index(1024) * 32));
            placed.extend(places);
            placed.iter().map(|&(pos, index)| (pos, index, lamp)).collect()
        } else {
            placed.drain(..).map(|(pos, index)| (pos, index, Voxel::AIR)).collect()
        };
        for (pos, index, voxel) in edits {
            let Some(chunk) = chunks.get_mut(&pos) else { continue };
            chunk.set(index, voxel);
            map.insert(pos, chunk.clone());
        }
        map.settle();
        compare(&map, &chunks, &traits, 1);
        let pos = positions[random.index(positions.len())];
        match chunks.remove(&pos) {
            Some(_) => map.remove(pos),
            None => {
                let chunk = RunTree::uniform(Voxel::AIR);
                chunks.insert(pos, chunk.clone());
                map.insert(pos, chunk);
            }
        }
        map.settle();
        let (sunlit, by_lamps) = compare(&map, &chunks, &traits, 1);
        assert!(
            sunlit > 1000 && (by_lamps > 1000) == (round % 2 == 0),
            "round {round}: {sunlit}, {by_lamps}"
        );
    }
}

#[test]
fn depth_of_water_takes_a_level_per_voxel() {
    let table = materials();
    let water = Voxel::full(table.find("water").expect("a material"));
    let lake = RunTree::uniform(water);
    let chunks = Chunks::from([(ChunkPos::new(0, 0, 0), lake)]);
    let mut map = LightMap::new(LightTraits::new(&table), 1);
    for (&pos, chunk) in chunks.iter() {
        map.insert(pos, chunk.clone());
    }
    map.settle();
    let sun = |depth: i32| {
        map.get(IVec3::new(9, CHUNK_SIDE - depth, 7)).map(|levels| levels.get(Channel::Sun))
    };
    assert_eq!([1, 2, 6, 14, 15, 20].map(sun), [14, 13, 9, 1, 0, 0].map(Some));
    compare(&map, &chunks, &LightTraits::new(&table), 1);
}

/// Checks that sides that are not reported as changed have not changed.
fn check_sides(sides: DifferentSides, before: Option<&ChunkLight>, after: Option<&ChunkLight>) {
    let (Some(before), Some(after)) = (before, after) else { panic!("the chunk is loaded") };
    for face in Face::ALL.into_iter().filter(|&face| !sides.contains(face)) {
        let normal = face.normal();
        // Two directions along the side, and the lowest voxel of the side.
        let u = normal.abs().yzx();
        let v = normal.abs().zxy();
        let low = normal.max(IVec3::ZERO) * (CHUNK_SIDE - 1);
        for i in 0..CHUNK_SIDE * CHUNK_SIDE {
            let at = low + u * (i % CHUNK_SIDE) + v * (i / CHUNK_SIDE);
            let index = linear_index(at);
            assert!(before.get(index) == after.get(index), "{at} {face:?}");
        }
    }
}

#[test]
fn random_edits_lit_in_batches_equal_light_from_scratch() {
    let table = materials();
    let traits = LightTraits::new(&table);
    let mut random = Random::new(21);
    let mut chunks = dust(&table, 40, &mut random);
    let mut map = LightMap::new(traits.clone(), 1);
    load(&mut map, &chunks, &mut random);
    let mut positions: Vec<ChunkPos> = chunks.keys().copied().collect();
    positions.sort_unstable();
    let names = ["white lamp", "red lamp", "stone", "stone", "water", "oak_leaves"];
    let mut values: Vec<Voxel> =
        names.map(|name| Voxel::full(table.find(name).expect("a material"))).into();
    values.extend([Voxel::AIR; 6]);
    for edit in 1..=2000 {
        let pos = positions[random.index(positions.len())];
        // Half of the edits are near the middle, where many chunks meet.
        let at = match edit % 2 {
            0 => {
                IVec3::from_array(std::array::from_fn(|_| random.index(12) as i32 - 6))
                    + IVec3::Y * 6
            }
            _ => pos.origin() + linear_offset(random.index(CHUNK_VOLUME)),
        };
        let pos = ChunkPos::containing(at);
        let Some(chunk) = chunks.get_mut(&pos) else { continue };
        chunk.set(linear_index(local(at)), values[random.index(values.len())]);
        let known = |map: &LightMap| -> Vec<_> {
            positions.iter().map(|&pos| map.chunk(pos).cloned()).collect()
        };
        let mut before = known(&map);
        map.insert(pos, chunk.clone());
        // Only a few chunks wait for light at a time, so that most batches have neighbours with
        // light.
        let is_check = edit % 25 == 0;
        loop {
            let changed: HashMap<ChunkPos, DifferentSides> =
                map.settle_some(1 + random.index(4)).into_iter().collect();
            for (&pos, before) in positions.iter().zip(before) {
                match changed.get(&pos) {
                    Some(sides) => check_sides(*sides, before.as_ref(), map.chunk(pos)),
                    None => assert!(map.chunk(pos) == before.as_ref(), "{pos:?} is not reported"),
                }
            }
            if map.is_settled() || !is_check && random.index(4) == 0 {
                break;
            }
            before = known(&map);
        }
        if is_check {
            map.settle_some(9);
            assert!(map.settle_some(9).is_empty());
            let mut scratch = LightMap::new(traits.clone(), 1);
            for (&pos, chunk) in chunks.iter() {
                scratch.insert(pos, chunk.clone());
            }
            scratch.settle();
            for &pos in &positions {
                assert!(map.chunk(pos) == scratch.chunk(pos), "{pos:?} after {edit} edits");
            }
        }
    }
    compare(&map, &chunks, &traits, 1);
}

/// Number of voxels whose light differs from light that is computed from scratch.
fn differing_voxels(map: &LightMap, chunks: &Chunks, traits: &LightTraits, sky: i32) -> usize {
    let mut scratch = LightMap::new(traits.clone(), sky);
    for (&pos, chunk) in chunks.iter() {
        scratch.insert(pos, chunk.clone());
    }
    scratch.settle();
    let differs = |pos: ChunkPos, index: usize| {
        map.chunk(pos).map(|light| light.get(index))
            != scratch.chunk(pos).map(|light| light.get(index))
    };
    chunks.keys().map(|&pos| (0..CHUNK_VOLUME).filter(|&index| differs(pos, index)).count()).sum()
}

/// Edits voxels at random: places and removes lamps, blocks, glass, leaves and water, half of them
/// where many chunks meet. Now and then edits a column or a cube, or unloads or loads a whole
/// chunk. Updates the light after most edits, and compares it with light from scratch ten times.
fn edit_at_random(count: usize) {
    let table = materials();
    let traits = LightTraits::new(&table);
    let mut random = Random::new(77);
    let mut chunks = dust(&table, 12, &mut random);
    let mut map = LightMap::new(traits.clone(), 1);
    load(&mut map, &chunks, &mut random);
    let mut positions: Vec<ChunkPos> = chunks.keys().copied().collect();
    positions.sort_unstable();
    let mut unloaded: Chunks = Chunks::new();
    let names = [
        "white lamp",
        "red lamp",
        "glow_mushroom",
        "lava",
        "stone",
        "stone",
        "ice",
        "water",
        "oak_leaves",
    ];
    let mut values: Vec<Voxel> =
        names.map(|name| Voxel::full(table.find(name).expect("a material"))).into();
    values.extend([Voxel::AIR; 9]);
    values.push(Voxel::new(values[4].material(), 127));
    for edit in 1..=count {
        let at = match edit % 2 {
            0 => {
                IVec3::from_array(std::array::from_fn(|_| random.index(12) as i32 - 6))
                    + IVec3::Y * 6
            }
            _ => {
                positions[random.index(positions.len())].origin()
                    + linear_offset(random.index(CHUNK_VOLUME))
            }
        };
        let value = values[random.index(values.len())];
        // A column and a cube may reach into other chunks, which are edited one after another.
        let size = match random.index(300) {
            0 => IVec3::new(1, 40, 1),
            1 | 2 => IVec3::splat(3),
            _ => IVec3::ONE,
        };
        for pos in (Box3 { min: at, max: at + size }).chunks() {
            let Some(chunk) = chunks.get_mut(&pos) else { continue };
            for index in 0..size.element_product() {
                let voxel = at
                    + IVec3::new(
                        index % size.x,
                        index / (size.x * size.z),
                        index / size.x % size.z,
                    );
                if ChunkPos::containing(voxel) == pos {
                    chunk.set(linear_index(local(voxel)), value);
                }
            }
            map.insert(pos, chunk.clone());
        }
        if random.index(400) == 0 {
            let pos = positions[random.index(positions.len())];
            match (chunks.remove(&pos), unloaded.remove(&pos)) {
                (Some(chunk), _) => {
                    unloaded.insert(pos, chunk);
                    map.remove(pos);
                }
                (None, Some(chunk)) => {
                    map.insert(pos, chunk.clone());
                    chunks.insert(pos, chunk);
                }
                (None, None) => unreachable!("each chunk is in one of both"),
            }
        }
        let is_check = edit % (count / 10) == 0;
        if is_check || random.index(20) > 0 {
            map.settle();
        }
        if is_check {
            assert_eq!(differing_voxels(&map, &chunks, &traits, 1), 0, "after {edit} edits");
        }
    }
    compare(&map, &chunks, &traits, 1);
}

#[test]
fn five_thousand_random_edits_differ_in_no_voxel_from_scratch() {
    edit_at_random(5_000);
}

#[test]
#[ignore = "takes minutes without optimization; run it with --release after changes of light"]
fn hundred_thousand_random_edits_differ_in_no_voxel_from_scratch() {
    edit_at_random(100_000);
}

#[test]
fn lamps_glass_and_lava_everywhere_are_lit_like_by_a_queue() {
    let table = materials();
    let traits = LightTraits::new(&table);
    let full = |name: &str| Voxel::full(table.find(name).expect("a material"));
    let lamp = full("red lamp");
    let ice = full("ice");
    let lava = full("lava");
    let stone = full("stone");
    // The worlds: a lamp at every second voxel along each axis; glass; a lava sea with pillars
    // under rock.
    let lattice = |at: IVec3| if (at & 1) == IVec3::ZERO { lamp } else { Voxel::AIR };
    let glass = |_: IVec3| ice;
    let sea = |at: IVec3| match at.y {
        ..8 if at.x % 5 == 0 && at.z % 7 == 0 => stone,
        ..8 => lava,
        50.. => stone,
        _ => Voxel::AIR,
    };
    let worlds: [(&str, &dyn Fn(IVec3) -> Voxel); 3] =
        [("lamps", &lattice), ("glass", &glass), ("lava", &sea)];
    let area = Box3 { min: IVec3::new(-32, 0, -32), max: IVec3::new(32, 64, 32) };
    for (name, voxel) in worlds {
        let mut random = Random::new(5);
        let tree = |pos: ChunkPos| {
            RunTree::from_runs(
                (0..CHUNK_VOLUME).map(|index| (1, voxel(pos.origin() + linear_offset(index)))),
            )
        };
        let mut chunks: Chunks = area.chunks().map(|pos| (pos, tree(pos))).collect();
        let mut map = LightMap::new(traits.clone(), 2);
        load(&mut map, &chunks, &mut random);
        compare(&map, &chunks, &traits, 2);
        let mut positions: Vec<ChunkPos> = chunks.keys().copied().collect();
        positions.sort_unstable();
        for _ in 0..200 {
            let pos = positions[random.index(positions.len())];
            let chunk = chunks.get_mut(&pos).expect("all chunks are loaded");
            chunk.set(
                random.index(CHUNK_VOLUME),
                [lamp, ice, lava, stone, Voxel::AIR][random.index(5)],
            );
            map.insert(pos, chunk.clone());
            map.settle();
        }
        assert_eq!(differing_voxels(&map, &chunks, &traits, 2), 0, "{name}");
    }
}
