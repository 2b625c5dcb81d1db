use super::super::RunTree;
use super::super::repr::Repr;
use super::*;
use crate::random::Random;
use crate::voxel::{CHUNK_SIDE, linear_index, linear_offset};
use glam::IVec3;

/// Compares all three mips of `tree` with its voxels.
fn check(tree: &RunTree) {
    for mip in [Mip::Cells16, Mip::Cells8, Mip::Cells4] {
        let side = mip.cell_side();
        let cells = CHUNK_SIDE / mip.cell_side();
        for i in 0..cells * cells * cells {
            let cell = IVec3::new(i % cells, i / cells / cells, i / cells % cells);
            let mut voxels = (0..side * side * side)
                .map(|i| cell * side + IVec3::new(i % side, i / side / side, i / side % side));
            let empty = voxels.all(|at| tree.get(linear_index(at)).is_air());
            assert_eq!(tree.is_air(mip, cell), empty, "{mip:?} {cell}");
            if mip != Mip::Cells16 && tree.as_uniform().is_none() {
                let found = tree.empty_side(cell * side);
                assert_eq!(found >= side, empty, "{mip:?} {cell}: {found}");
            }
        }
    }
}

#[test]
fn packed_chunk_keeps_exact_mips() {
    // Scattered matter below y = 16, so that some cells are full and some are empty, and air above;
    // with few and with many different voxels.
    for values in [2, 40, 300] {
        let voxel = |i: usize| {
            let hash = (i as u32).wrapping_mul(0x9E37_79B1) >> 16;
            let dust = i < 16384 && i % 32 < 20 && hash.is_multiple_of(3);
            if dust { Voxel::full(1 + (hash % values) as u16) } else { Voxel::AIR }
        };
        let mut tree = RunTree::from_runs((0..CHUNK_VOLUME).map(|i| (1, voxel(i))));
        assert!(matches!(tree.0, Repr::Packed(_)));
        check(&tree);
        for voxel in [Voxel::full(1), Voxel::AIR] {
            tree.set(20_000, voxel);
            check(&tree);
        }
    }
}

#[test]
fn random_edits_keep_mips_exact() {
    let mut tree = RunTree::uniform(Voxel::AIR);
    let mut random = Random::new(5);
    for step in 0..600 {
        let state = random.draw();
        // Two of three edits are in the first 2200 voxels, so cells fill up and become empty again.
        let at = (state >> 33) as usize % if step % 3 == 0 { CHUNK_VOLUME } else { 2200 };
        // Alternates between phases in which matter prevails and phases in which air does.
        let matter = (state >> 20) % 10 < if step / 150 % 2 == 0 { 8 } else { 2 };
        let voxel = if matter { Voxel::new(1 + step as u16 / 2, 7) } else { Voxel::AIR };
        match state % 5 {
            0 => tree.set_range(at..(at + (state >> 50) as usize % 2500).min(CHUNK_VOLUME), voxel),
            _ => drop(tree.set(at, voxel)),
        }
        tree.check().expect("edits keep the invariants");
        if step % 20 == 19 {
            check(&tree);
        }
    }
}

#[test]
fn single_voxel_is_seen_by_all_mips() {
    for at in (0..CHUNK_VOLUME).step_by(97) {
        let mut tree = RunTree::uniform(Voxel::AIR);
        tree.set(at, Voxel::full(1));
        for mip in [Mip::Cells16, Mip::Cells8, Mip::Cells4] {
            assert!(!tree.is_air(mip, linear_offset(at) / mip.cell_side()), "{at}");
        }
        tree.set(at, Voxel::full(2));
        tree.set((at + 1) % CHUNK_VOLUME, Voxel::full(3));
        tree.set(at, Voxel::AIR);
        check(&tree);
    }
}

#[test]
fn runs_of_any_length_give_exact_mips() {
    for (start, len) in [
        (0, 33),
        (31, 2),
        (40, 60),
        (1000, 30),
        (1020, 2000),
        (1024, 1024),
        (3, 9000),
        (4096, 4096),
    ] {
        let mut tree = RunTree::uniform(Voxel::AIR);
        tree.set_range(start..start + len, Voxel::full(2));
        check(&tree);
    }
    check(&RunTree::uniform(Voxel::AIR));
    check(&RunTree::uniform(Voxel::full(1)));
}
