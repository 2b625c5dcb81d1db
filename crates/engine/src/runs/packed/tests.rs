use super::super::repr::Repr;
use super::super::run::CodedRun;
use super::super::{RunTree, RunTreeError};
use super::span::CodedSpan;
use super::*;
use crate::random::Random;
use crate::voxel::CHUNK_VOLUME;

/// Runs of up to `longest` voxels, dense in some parts of the chunk and sparse in others, and their
/// palette of `values` voxels.
fn runs(values: u32, longest: usize) -> (Vec<CodedRun>, Vec<Voxel>) {
    let voxel = |k: u32| {
        let dry = Voxel::new(1 + k as u16 / 200, (k % 200) as u8);
        if k == 3 % values { Voxel::AIR } else { dry.with_liquid((k % 3) as u8) }
    };
    let palette: Vec<Voxel> = (0..values).map(voxel).collect();
    let mut runs = vec![];
    let mut last = 0;
    let mut at = 0;
    let mut random = Random::new(9);
    while at < CHUNK_VOLUME {
        last = (last + 1 + random.below(values - 1)) % values;
        runs.push(CodedRun { start: at as u16, code: last as u16 });
        let max_len = if at / 5000 % 2 == 0 { longest } else { 3 };
        at += 1 + random.index(max_len);
    }
    (runs, palette)
}

#[test]
fn packed_runs_read_back() {
    for (values, longest) in
        [(2, 1), (2, 4000), (16, 9), (17, 9), (256, 40), (257, 40), (5000, 2), (30_000, 1)]
    {
        let (runs, palette) = runs(values, longest);
        let bytes = pack(&runs, &palette);
        let packed = PackedRef::new(&bytes);
        packed.check().expect("a packed chunk is sound");
        let mut next = 0;
        packed.for_each(0..CHUNK_VOLUME, |start, end, code| {
            assert_eq!((start, code), (runs[next].start.into(), runs[next].code.into()));
            next += 1;
            assert_eq!(end, runs.get(next).map_or(CHUNK_VOLUME, |run| run.start.into()));
            for index in [start, end - 1, (start + end) / 2] {
                assert_eq!(packed.get(index), palette[code], "{values} values, {index}");
                assert_eq!(packed.span_at(index), CodedSpan { start, end, code });
            }
        });
        assert_eq!(
            (next, packed.len(), packed.palette_len()),
            (runs.len(), runs.len(), palette.len())
        );
        for range in [0..1, 5..5, 250..260, 300..9000, 32767..32768, 255..256, 256..512] {
            let mut at = range.start;
            let end = range.end;
            packed.for_each(range, |start, stop, code| {
                assert!(
                    start == at && stop > start && (start..stop).all(|i| packed.code_at(i) == code)
                );
                at = stop;
            });
            assert_eq!(at, end);
        }
    }
}

#[test]
fn check_reports_each_broken_invariant() {
    let (runs, palette) = runs(20, 30);
    let bytes = pack(&runs, &palette);
    let broken = |at: usize, damage: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= damage;
        PackedRef::new(&bytes).check().expect_err("the damage is detected")
    };
    let found = runs.len();
    let palette_len = palette.len();
    assert_eq!(broken(0, 1), RunTreeError::Directory);
    assert_eq!(broken(RUNS, 1), RunTreeError::RunCount { found, stored: found ^ 1 });
    assert_eq!(broken(MIPS, 1), RunTreeError::Mips);
    assert_eq!(broken(HEAD + 4 * palette_len + 1, 0xFF), RunTreeError::Starts { block: 0 });
    let code = usize::from(runs[found - 1].code ^ 0x80);
    assert_eq!(broken(bytes.len() - 1, 0x80), RunTreeError::Code { block: 127, code, palette_len });
    let with_liquid = |liquid: u8| {
        let mut bytes = bytes.to_vec();
        // The highest byte of palette entry 5, whose occupancy is 5.
        bytes[HEAD + 4 * 5 + 3] = liquid;
        RunTree(Repr::Packed(bytes.into())).check()
    };
    assert_eq!(with_liquid(250), Ok(()));
    let error = with_liquid(251).expect_err("it does not fit");
    assert_eq!(error.to_string(), "the palette holds the impossible voxel m1@5~251");
}

#[test]
fn block_starts_take_at_most_a_bit_map() {
    let runs: Vec<CodedRun> =
        (0..CHUNK_VOLUME as u16).map(|start| CodedRun { start, code: start % 2 }).collect();
    let palette = [Voxel::AIR, Voxel::full(1)];
    // Blocks with maps: one bit per voxel, and half a byte per code.
    assert_eq!(pack(&runs, &palette).len(), HEAD + 8 + BLOCKS * MAP + CHUNK_VOLUME / 2);
}
