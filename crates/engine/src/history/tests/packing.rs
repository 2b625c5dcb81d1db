//! Steps as bytes (packing and unpacking, older forms, malformed bytes), and selective undo.

use super::*;
use crate::random::Random;

/// Creates a chunk as edits leave them: uniform, layered, of single voxels, or `of` changed in
/// places.
fn varied(kind: u32, of: &Chunk, random: &mut Random) -> Chunk {
    let mut voxel = |materials| match random.below(materials) {
        0 => Voxel::AIR,
        1 => Voxel::new(1, random.below(250) as u8).with_liquid(random.below(3) as u8),
        material => Voxel::full(material as u16),
    };
    match kind {
        0 => Chunk::uniform(voxel(5)),
        1 => Chunk::from_runs((0..32).map(|_| (1024, voxel(4)))),
        2 => Chunk::from_runs((0..CHUNK_VOLUME).map(|_| (1, voxel(3)))),
        3 => Chunk::from_runs((0..CHUNK_VOLUME / 8).map(|_| (8, voxel(700)))),
        4 => {
            let mut chunk = of.clone();
            for i in 0..3 {
                _ = chunk.set(random.index(32768), Voxel::full(40 + i));
            }
            chunk
        }
        5 => {
            let sand = Voxel::full(9);
            let mut chunk = of.clone();
            let tenth: Vec<usize> = (0..CHUNK_VOLUME).filter(|_| random.below(10) == 0).collect();
            chunk.set_ranges(tenth.into_iter().map(|index| (index..index + 1, sand)));
            chunk
        }
        _ => {
            let mut chunk = of.clone();
            let rows: Vec<usize> =
                (3..20).flat_map(|y| (5..30).map(move |z| y * 1024 + z * 32)).collect();
            let after = Voxel::new(3, 90).with_liquid(random.below(2) as u8 * 60);
            chunk.set_ranges(rows.into_iter().map(|row| (row + 4..row + 28, after)));
            chunk
        }
    }
}

#[test]
fn packed_changes_are_the_differing_voxels() {
    let mut random = Random::new(5);
    for case in 0..24 {
        let count = 1 + random.below(5) as i32;
        let mut pairs = Vec::new();
        for x in 0..count {
            let kind = random.below(4);
            let of = Chunk::uniform(Voxel::full(2));
            let before = varied(kind, &of, &mut random);
            let after = varied(random.below(7), &before, &mut random);
            pairs.push((
                ChunkPos::new(3 - x, random.below(3) as i32 - 1, x * x * 99_999 - 5),
                before,
                after,
            ));
        }
        let change = |(pos, before, after): &(ChunkPos, Chunk, Chunk)| {
            ChunkChange::new(*pos, before.clone(), after.clone())
        };
        let changes: Vec<ChunkChange> = pairs.iter().filter_map(change).collect();
        let estimated = packed_step::estimated_bytes(&changes);
        let Some(step) = EditStep::new("random", 3, changes) else { continue };
        let body = step.pack().unwrap();
        assert!(
            body.bytes.len() as u64 <= estimated,
            "case {case}: {} bytes, estimated {estimated}",
            body.bytes.len()
        );
        let chunks = step.unpack(&body).unwrap();
        assert!(!chunks.are_whole);
        assert!(chunks.changes.is_sorted_by_key(|change| change.pos));
        pairs.retain(|(_, before, after)| before != after);
        assert_eq!(chunks.changes.len(), pairs.len());
        for (pos, before, after) in &pairs {
            let change = chunks
                .changes
                .iter()
                .find(|change| change.pos == *pos)
                .expect("the chunk is there");
            change.before.check().unwrap();
            change.after.check().unwrap();
            for index in 0..CHUNK_VOLUME {
                let old = change.before.get(index);
                let new = change.after.get(index);
                if before.get(index) == after.get(index) {
                    assert_eq!(old, new, "case {case}");
                } else {
                    assert_eq!((old, new), (before.get(index), after.get(index)), "case {case}");
                }
            }
        }
        // Damaged bytes give an error or other changes, but no invalid chunk.
        for _ in 0..10 {
            let mut bytes = body.bytes.to_vec();
            let at = random.index(bytes.len());
            bytes[at] ^= 1 << random.below(8);
            bytes.truncate(1 + random.index(bytes.len() * 4));
            let damaged = StepBody { version: 2, bytes: bytes.into() };
            for change in StepChanges::new(&damaged, 1000).map_while(Result::ok) {
                change.after.check().unwrap();
            }
        }
    }
}

/// Encodes a step as maps of format 4 and older hold it: one patch with the voxels of a box.
fn old_step(pos: ChunkPos, [min, max]: [IVec3; 2], before: &Chunk, after: &Chunk) -> Vec<u8> {
    let side = |chunk: &Chunk| {
        let mut voxels = Vec::new();
        for (y, z, x) in (min.y..max.y)
            .flat_map(|y| (min.z..max.z).flat_map(move |z| (min.x..max.x).map(move |x| (y, z, x))))
        {
            voxels.push(chunk.get((x + 32 * z + 1024 * y) as usize));
        }
        voxels.resize(CHUNK_VOLUME, Voxel::AIR);
        byte_rle::encode(&Chunk::from_runs(voxels.into_iter().map(|voxel| (1, voxel))))
    };
    let before = side(before);
    let after = side(after);
    let mut bytes: Vec<u8> = [pos.x, pos.y, pos.z].into_iter().flat_map(i32::to_le_bytes).collect();
    bytes.extend(min.to_array().into_iter().chain(max.to_array()).map(|c| c as u8));
    bytes.extend([&before, &after].into_iter().flat_map(|side| (side.len() as u32).to_le_bytes()));
    [bytes, before, after].concat()
}

fn old_changes(bytes: Vec<u8>, materials: usize) -> Result<Vec<ChunkChange>, StepError> {
    StepChanges::new(&StepBody { version: 1, bytes: bytes.into() }, materials).collect()
}

#[test]
fn steps_of_older_maps_are_read() {
    let pos = ChunkPos::new(1, 0, -1);
    let before = chunk(3);
    for (min, max) in
        [(IVec3::new(2, 3, 4), IVec3::new(31, 7, 32)), (IVec3::ZERO, IVec3::splat(32))]
    {
        let mut after = before.clone();
        let inside = |index: &usize| {
            let at = linear_offset(*index);
            at.cmpge(min).all() && at.cmplt(max).all() && !index.is_multiple_of(3)
        };
        after.set_ranges(
            (0..CHUNK_VOLUME).filter(inside).map(|index| (index..index + 1, Voxel::new(5, 77))),
        );
        let changes = old_changes(old_step(pos, [min, max], &before, &after), 6).unwrap();
        assert_eq!((changes.len(), changes[0].pos), (1, pos));
        assert_eq!(
            Direction::Redo.change_for(&changes[0]).rebased_on(before.clone()).unwrap().after,
            after
        );
        assert_eq!(
            Direction::Undo.change_for(&changes[0]).rebased_on(after).unwrap().after,
            before
        );
    }
}

#[test]
fn malformed_steps_are_rejected() {
    let pos = ChunkPos::new(1, 0, -1);
    let one = [IVec3::new(8, 2, 29), IVec3::new(9, 3, 30)];
    let sides = [Voxel::AIR, Voxel::full(5)].map(Chunk::uniform);
    let bytes = old_step(pos, one, &sides[0], &sides[1]);
    assert_eq!(old_changes(bytes.clone(), 6).unwrap().len(), 1);
    assert!(old_changes(bytes.clone(), 5).unwrap_err().to_string().contains("material 5"));
    for length in 1..bytes.len() {
        assert!(old_changes(bytes[..length].to_vec(), 6).is_err(), "cut at {length}");
    }
    for (at, value) in [(12, 32), (15, 0), (15, 33), (3, 127)] {
        let mut bad = bytes.clone();
        bad[at] = value;
        assert_eq!(old_changes(bad, 6), Err(StepError::InvalidBox { at: 0 }));
    }
    assert_eq!(old_changes(bytes.repeat(2), 6), Err(StepError::DuplicateChunk { pos }));

    let body =
        voxel_step(IVec3::new(40, 2, -3), Voxel::AIR, Voxel::full(5)).unwrap().pack().unwrap();
    let read = |version, bytes: &[u8], materials| {
        let body = StepBody { version, bytes: bytes.into() };
        StepChanges::new(&body, materials).collect::<Result<Vec<_>, _>>()
    };
    assert_eq!(read(2, &body.bytes, 6).unwrap().len(), 1);
    let source = PatchError::Material(5);
    assert_eq!(read(2, &body.bytes, 5), Err(StepError::Patch { pos, source }));
    assert_eq!(read(3, &body.bytes, 6), Err(StepError::Version(3)));
    assert_eq!(read(2, &body.bytes.repeat(2), 6), Err(StepError::DuplicateChunk { pos }));
    for length in 1..body.bytes.len() {
        assert_eq!(
            read(2, &body.bytes[..length], 6),
            Err(StepError::Truncated { at: 0 }),
            "cut at {length}"
        );
    }
    // A plain length of 1 MiB plus one byte, and data longer than the plain length.
    for lengths in [[(1 << 20) + 1, 1], [1, 2]] {
        let header = lengths.map(u32::to_le_bytes).concat();
        assert_eq!(read(2, &[&header[..], &[0; 2]].concat(), 6), Err(StepError::Block { at: 0 }));
    }
}

#[test]
fn liquid_of_one_voxel_takes_one_byte() {
    let pos = ChunkPos::new(1, 0, -1);
    let at = IVec3::new(40, 2, -3);
    let dry = Voxel::new(5, 100);
    let wet = dry.with_liquid(60);
    let packed = |before, after| voxel_step(at, before, after).unwrap().pack().unwrap();
    let read = |bytes: &[u8]| {
        let body = StepBody { version: 2, bytes: bytes.into() };
        StepChanges::new(&body, 6).collect::<Result<Vec<_>, _>>()
    };
    // Plain and data length, one patch, the chunk's position as zigzag, and the kind: ranges, and
    // one voxel before and after.
    let plain = packed(Voxel::AIR, dry).bytes;
    let length = plain[0];
    assert_eq!(plain[..13], [length, 0, 0, 0, length, 0, 0, 0, 1, 2, 0, 1, 1]);
    assert_eq!(plain[plain.len() - 6..], [0, 0, 0, 5, 0, 100]);
    let with_liquid = |kind: u8, sides: &[u8]| {
        let lengths = [u32::from(length) + 1; 2].map(u32::to_le_bytes).concat();
        [&lengths[..], &plain[8..12], &[kind], &plain[13..plain.len() - 6], sides].concat()
    };
    let after = with_liquid(0x81, &[0, 0, 0, 5, 0, 100, 60]);
    assert_eq!(packed(Voxel::AIR, wet).bytes[..], after);
    let before = with_liquid(0x41, &[5, 0, 100, 60, 0, 0, 0]);
    assert_eq!(packed(wet, Voxel::AIR).bytes[..], before);
    let index = linear_index(local(at));
    for (bytes, voxels) in [(&after, [Voxel::AIR, wet]), (&before, [wet, Voxel::AIR])] {
        let changes = read(bytes).unwrap();
        assert_eq!([&changes[0].before, &changes[0].after].map(|side| side.get(index)), voxels);
    }
    for liquid in [0, 156] {
        let source = LiquidError { material: 5, occupancy: 100, liquid }.into();
        let bytes = with_liquid(0x81, &[0, 0, 0, 5, 0, 100, liquid]);
        assert_eq!(read(&bytes), Err(StepError::Patch { pos, source }));
    }
    // Liquid on the other side, whose length then does not fit, and in values of another form.
    for kind in [0xC1, 0x91, 0x45] {
        let bytes = with_liquid(kind, &[0, 0, 0, 5, 0, 100, 60]);
        assert_eq!(read(&bytes), Err(StepError::Block { at: 0 }), "{kind:x}");
    }
}

#[test]
fn only_unchanged_voxels_are_taken_back() {
    let mut random = Random::new(9);
    for _ in 0..20 {
        let before = varied(random.below(4), &Chunk::uniform(Voxel::AIR), &mut random);
        let after = varied(random.below(7), &before, &mut random);
        let now = varied(4 + random.below(3), &after, &mut random);
        let Some(change) = ChunkChange::new(ChunkPos::default(), before.clone(), after.clone())
        else {
            continue;
        };
        let mut allowed: Vec<std::ops::Range<usize>> = Vec::new();
        while let Some(start) = Some(allowed.last().map_or(0, |last| last.end) + random.index(5000))
        {
            let end = start + 1 + random.index(3000);
            if end > CHUNK_VOLUME {
                break;
            }
            allowed.push(start..end);
        }
        let taken = change
            .taken_back_in(now.clone(), allowed.iter().cloned())
            .map_or(now.clone(), |change| change.after);
        for index in 0..CHUNK_VOLUME {
            let is_back = allowed.iter().any(|range| range.contains(&index))
                && now.get(index) == after.get(index);
            assert_eq!(taken.get(index), if is_back { before.get(index) } else { now.get(index) });
        }
    }
}

#[test]
fn steps_beyond_the_memory_limit_are_refused() {
    let changes = (0..20).filter_map(|x| {
        ChunkChange::new(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR), chunk(x))
    });
    let step = EditStep::new("", 0, changes.collect()).unwrap();
    let body = step.pack().unwrap();
    let chunks = step.unpack(&body).unwrap().changes;
    let bytes = |change: &ChunkChange| {
        (size_of::<ChunkChange>() + change.before.heap_bytes() + change.after.heap_bytes()) as u64
    };
    let needed: u64 = chunks.iter().map(bytes).sum();
    assert!(step.unpack_within(&body, needed).is_ok());
    let pos = chunks[chunks.len() - 1].pos;
    let limit = needed - 1;
    assert_eq!(step.unpack_within(&body, limit).unwrap_err(), StepError::TooLarge { pos, limit });
    let pos = chunks[0].pos;
    let limit = 0;
    assert_eq!(step.unpack_within(&body, limit).unwrap_err(), StepError::TooLarge { pos, limit });
}
