//! The decoders of chunks, edits and visibility.

use super::bounded;
use glam::IVec3;
use stonerun_engine::codec::{byte_rle, packed, predicted};
use stonerun_engine::edit::region::Region;
use stonerun_engine::history::{Direction, EditStep, StepChanges};
use stonerun_engine::save::{ChunkCodec, EncodedChunk, StepBody};
use stonerun_engine::visibility::Matrix;
use stonerun_engine::visibility::bake::BakedSets;
use stonerun_engine::visibility::codec::{PackedMatrix, RowCodec, ones};
use stonerun_engine::voxel::{CHUNK_VOLUME, Voxel};
use stonerun_engine::world::Chunk;

/// Size of the material table that inputs are read with. Small indices are valid, large ones are
/// not.
const MATERIALS: usize = 300;
/// Maximum number of chunks that are iterated. An input may name many, and each takes time.
const MAX_CHUNKS: usize = 64;
/// Maximum number of cells in a row that is read.
const MAX_CELLS: usize = 2048;

/// Asserts that a decoded chunk is sound and survives each codec.
fn check_chunk(chunk: &Chunk) {
    chunk.check().unwrap();
    for codec in ChunkCodec::ALL {
        let back = EncodedChunk::with_codec(codec, chunk)
            .decode(MATERIALS)
            .unwrap_or_else(|e| panic!("{codec:?}: {e}"));
        assert!(back == *chunk, "{codec:?} returns a different chunk");
    }
}

pub fn rle(bytes: &[u8]) {
    if let Ok(chunk) = bounded(bytes, || byte_rle::decode(bytes, MATERIALS)) {
        check_chunk(&chunk);
    }
}

pub fn predicted(bytes: &[u8]) {
    if let Ok(chunk) = bounded(bytes, || predicted::decode(bytes, MATERIALS)) {
        check_chunk(&chunk);
    }
}

pub fn packed_voxels(bytes: &[u8]) {
    for voxels in [1, 1000, CHUNK_VOLUME] {
        if let Ok(chunk) = bounded(bytes, || packed::decode(bytes, voxels, MATERIALS)) {
            check_chunk(&chunk);
        }
    }
}

/// Input: the length of the byte-RLE data as a u32, then an LZ4 block.
pub fn lz4(bytes: &[u8]) {
    let Some((length, data)) = bytes.split_first_chunk() else { return };
    let rle_len = u32::from_le_bytes(*length) as usize;
    let encoded = EncodedChunk { codec: ChunkCodec::RleLz4, rle_len, data: data.to_vec() };
    if let Ok(chunk) = bounded(bytes, || encoded.decode(MATERIALS)) {
        check_chunk(&chunk);
    }
}

/// A chunk whose voxels are all distinct, two thirds of them wet, which gives the maximum number of
/// runs.
fn rich() -> Chunk {
    let voxel = |i: u32| Voxel::new((i % 250) as u16 + 1, (i / 250) as u8).with_liquid(i as u8 % 3);
    Chunk::from_runs((0..CHUNK_VOLUME as u32).map(|i| (1, voxel(i))))
}

/// Input: the bytes of a region.
pub fn region(bytes: &[u8]) {
    let Ok(region) = bounded(bytes, || Region::from_bytes(bytes)) else { return };
    assert!(region.chunks().all(|pos| pos.in_world() && region.ranges(pos).next().is_some()));
    assert!(
        Region::from_bytes(&region.to_bytes()) == Ok(region),
        "the region does not survive its own bytes"
    );
}

/// Input: the bytes of an undo step. They are read as each version of the format.
pub fn step(bytes: &[u8]) {
    for version in [1, 2] {
        let body = StepBody { version, bytes: bytes.into() };
        let read =
            || StepChanges::new(&body, MATERIALS).take(MAX_CHUNKS).collect::<Result<Vec<_>, _>>();
        let Ok(changes) = bounded(bytes, read) else { continue };
        let rich = rich();
        for change in &changes {
            assert!(change.volume() > 0 && change.before != change.after);
            check_chunk(&change.before);
            check_chunk(&change.after);
            // All voxels of a rich chunk are distinct, so the chunk shows which voxels a step
            // changes.
            let redone = Direction::Redo
                .change_for(change)
                .rebased_on(rich.clone())
                .map_or(rich.clone(), |redone| redone.after);
            let undone = Direction::Undo
                .change_for(change)
                .rebased_on(redone.clone())
                .map_or(redone, |undone| undone.after);
            let again = Direction::Undo
                .change_for(change)
                .rebased_on(rich.clone())
                .map_or(rich.clone(), |undone| undone.after);
            assert!(undone == again, "chunk {} is not restored", change.pos);
        }
        let Some(step) = EditStep::new("fuzz", 0, changes) else { continue };
        let chunks = step.chunks().expect("it was just made");
        let back =
            step.unpack(&step.pack().expect("it is in memory")).expect("our own bytes are valid");
        assert_eq!(back.changes.len(), chunks.changes.len());
        for (ours, theirs) in back.changes.iter().zip(chunks.changes.iter()) {
            assert_eq!(
                (ours.pos, ours.area, ours.volume()),
                (theirs.pos, theirs.area, theirs.volume())
            );
            let redone = Direction::Redo
                .change_for(ours)
                .rebased_on(theirs.before.clone())
                .map(|redone| redone.after);
            assert!(redone.as_ref() == Some(&theirs.after), "chunk {} is packed wrongly", ours.pos);
        }
    }
}

pub fn sets(bytes: &[u8]) {
    let Ok(sets) = bounded(bytes, || BakedSets::from_bytes(bytes)) else { return };
    assert_eq!(BakedSets::from_bytes(&sets.to_bytes()), Ok(sets.clone()));
    let mut pairs = 0;
    for i in 0..sets.cells().len() {
        for (offset, sections) in sets.seen_by(i) {
            assert!(sets.contains_chunk(offset) && offset.abs().max_element() <= sets.view());
            pairs += u64::from(sections.count_ones());
        }
    }
    assert_eq!(sets.pairs(), pairs);
    assert!(!sets.contains_chunk(IVec3::splat(sets.view() + 1)));
}

/// Input: the number of cells of a row as a u16, then the encoded row.
pub fn row<C: RowCodec>(bytes: &[u8]) {
    let Some((cells, packed)) = bytes.split_first_chunk() else { return };
    let cells = usize::from(u16::from_le_bytes(*cells));
    let words = cells.div_ceil(64);
    let mut row = vec![0; words];
    let decoded = bounded(bytes, || C::decode(packed, cells, &mut row));
    let listed: Result<Vec<u32>, _> = C::cells(packed, cells).collect();
    let Ok(read) = decoded else {
        assert!(listed.is_err(), "a row invalid as bits is accepted as cells");
        return;
    };
    assert!(read <= packed.len());
    assert_eq!(listed, Ok(ones(&row).collect()));
    assert!(row.last().is_none_or(|last| cells % 64 == 0 || last >> (cells % 64) == 0));
    let mut again = Vec::new();
    let mut back = vec![0; words];
    C::encode(&row, cells, &mut again);
    assert_eq!(C::decode(&again, cells, &mut back), Ok(again.len()));
    assert!(back == row, "a different row comes back");
}

pub fn packed(bytes: &[u8]) {
    let input = bytes.to_vec();
    let Ok(packed) = bounded(bytes, || PackedMatrix::from_bytes(input)) else { return };
    assert_eq!(packed.as_bytes(), bytes);
    let cells = packed.cells();
    if cells > MAX_CELLS {
        return;
    }
    let mut reader = packed.reader();
    let mut matrix = Matrix::new(cells);
    let mut row = vec![0; matrix.row_words()];
    for i in 0..cells {
        reader.row(i, &mut row);
        assert!(reader.cells(i).eq(ones(&row)));
        assert!(reader.runs(i).flat_map(|run| run.start..run.end).eq(ones(&row)));
        matrix.set_row(i, &row);
        assert_eq!(matrix.row(i), row, "a cell past the last one is visible");
    }
    let again = PackedMatrix::from_bytes(PackedMatrix::encode(&matrix).as_bytes().to_vec())
        .expect("our own encoding is valid");
    let mut reader = again.reader();
    for i in 0..cells {
        reader.row(i, &mut row);
        assert_eq!(matrix.row(i), row, "row {i}");
    }
}
