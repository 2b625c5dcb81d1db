use super::*;
use crate::random::Random;
use std::collections::BTreeMap;

/// Compares a count with the sums of the runs. Callers pass the same counter each time, so counters
/// that are left non-zero fail the next check.
fn check(counter: &mut VoxelCounter, what: &str, tree: &RunTree) {
    let mut counted = BTreeMap::new();
    let mut expected = BTreeMap::new();
    counter.count(tree, |voxel, n| *counted.entry(voxel).or_insert(0) += n);
    counted.retain(|_, n| *n > 0);
    tree.runs().for_each(|run| *expected.entry(run.voxel).or_insert(0) += run.len);
    assert_eq!(counted, expected, "{what}");
}

/// Material of the voxel at a linear index.
type ValueAt<'a> = &'a dyn Fn(usize) -> u16;

/// Base that the counter chooses for `tree`.
fn base_of(tree: &RunTree) -> Option<Voxel> {
    let Repr::Table(table) = &tree.0 else { return None };
    find_base(TableRef::new(table)).map(|code| TableRef::new(table).voxel(code.into()))
}

fn tree_of(material: impl Fn(usize) -> u16) -> RunTree {
    RunTree::from_runs((0..CHUNK_VOLUME).map(|i| (1, Voxel::full(material(i)))))
}

#[test]
fn counts_match_a_walk_over_the_runs() {
    let mut counter = VoxelCounter::default();
    let mut random = Random::new(3);
    for values in [1, 2, 5, 60, 256, 300] {
        for longest in [1, 3, 50, 3000] {
            let mut left = CHUNK_VOLUME as u32;
            let runs = std::iter::from_fn(|| {
                let len = (1 + random.below(longest)).min(left);
                left -= len;
                (len > 0).then(|| (len, Voxel::full(random.below(values) as u16)))
            });
            check(
                &mut counter,
                &format!("{values} values, runs of up to {longest}"),
                &RunTree::from_runs(runs),
            );
        }
    }
}

#[test]
fn scattered_voxels_are_counted_around_their_base() {
    let mut counter = VoxelCounter::default();
    let scattered: [(&str, bool, ValueAt<'_>); 6] = [
        ("one in 300", true, &|i| if i % 300 == 5 { 1 + (i / 300 % 5) as u16 } else { 7 }),
        ("from the first voxel to the last", true, &|i| {
            if i % 137 == 0 || i == 32767 { (i % 3) as u16 } else { 7 }
        }),
        ("at the ends of blocks", true, &|i| if i % 512 == 511 || i % 1024 == 256 { 0 } else { 7 }),
        ("two values side by side", false, &|i| [1, 2, 7][(i % 400).min(2)]),
        ("256 of one value", true, &|i| {
            if (3000..3256).contains(&i) || i % 300 == 5 { 1 } else { 7 }
        }),
        ("3000 of one value", true, &|i| {
            if (3000..6000).contains(&i) || i % 300 == 5 { 1 } else { 7 }
        }),
    ];
    for (what, has_base, material) in scattered {
        let mut tree = tree_of(material);
        assert_eq!(base_of(&tree), has_base.then_some(Voxel::full(7)), "{what}");
        check(&mut counter, what, &tree);
        // A few long runs in addition, at and across the ends of blocks.
        for (at, len) in [(0, 1), (300, 256), (600, 511), (5000, 257), (32000, 768), (100, 20000)] {
            tree.set_range(at..at + len, Voxel::full(9));
            check(&mut counter, &format!("{what}, {len} of another"), &tree);
        }
    }
}

/// Any code may be the base, also an unsuitable one or one without a run.
#[test]
fn any_code_can_be_the_base() {
    let flips = tree_of(|i| if i % 300 == 5 { 3 } else { 1 + (i > 16000) as u16 });
    let mut rare = tree_of(|i| (i / 30 % 5 + 1) as u16);
    rare.set_range(0..1, Voxel::full(1));
    let long = RunTree::from_runs(
        [(256, 1), (256, 2), (1, 3), (512, 1), (31000, 2), (743, 3)].map(of_material),
    );
    let mut gone = tree_of(|i| if i % 1000 == 7 { 4 } else { 5 });
    (0..33).for_each(|i| {
        gone.set_range(
            i * 1000 + 7..(i * 1000 + 8).min(CHUNK_VOLUME),
            Voxel::full(5 + (i % 2) as u16),
        )
    });
    for tree in [flips, rare, long, gone] {
        let Repr::Table(table) = &tree.0 else { panic!("the tree has more than one run") };
        let table_ref = TableRef::new(table);
        for code in 0..table_ref.palette_len() {
            let mut counter = VoxelCounter::default();
            counter.count_around(code as u8, table_ref);
            let mut expected = vec![0; table_ref.palette_len()];
            let codes = tree.runs().map(|run| {
                (
                    table_ref.find_code(run.voxel).expect("the palette has every voxel") as usize,
                    run.len,
                )
            });
            for (code, len) in codes.filter(|(other, _)| *other != code) {
                expected[code] += len as u16;
            }
            assert_eq!(counter.banks[0][..expected.len()], expected, "around {code}");
            assert!(counter.banks[1..].iter().flatten().all(|&n| n == 0));
        }
    }
}

fn of_material((len, material): (u32, u16)) -> (u32, Voxel) {
    (len, Voxel::full(material))
}
