//! Comparison of the run tree with a plain array of 32768 voxels, through long random edit
//! sequences.
//!
//! After every step the tree must pass its own check, have exactly the array's runs, and equal a
//! tree built from the array, because saving, comparing and counting rely on the canonical form.

use proptest::prelude::*;
use std::ops::Range;
use stonerun_engine::random::Random;
use stonerun_engine::runs::{Run, RunBuilder, RunTree};
use stonerun_engine::voxel::{CHUNK_VOLUME, Voxel};

type Model = Box<[Voxel; CHUNK_VOLUME]>;

fn model_of(voxel: Voxel) -> Model {
    vec![voxel; CHUNK_VOLUME].into_boxed_slice().try_into().expect("the length is CHUNK_VOLUME")
}

/// The `k`th value. Three each share a material, so some values differ only in occupancy, or only
/// in liquid.
fn value(k: usize) -> Voxel {
    let material = k.div_ceil(3);
    let partial = Voxel::new(material as u16, (material % 251) as u8);
    match k % 3 {
        0 => Voxel::full(material as u16),
        1 => partial,
        _ => partial.with_liquid(3),
    }
}

fn runs_of(model: &[Voxel]) -> Vec<Run> {
    let mut start = 0;
    let run = |same: &[Voxel]| {
        let run = Run { start, len: same.len() as u32, voxel: same[0] };
        start += run.len;
        run
    };
    model.chunk_by(|a, b| a == b).map(run).collect()
}

/// Asserts everything that must hold after a step.
fn assert_same(tree: &RunTree, model: &Model) {
    tree.check().unwrap();
    let runs = runs_of(&model[..]);
    assert!(tree.runs().eq(runs.iter().copied()), "the runs differ");
    assert_eq!(tree.run_count(), runs.len());
    assert_eq!(tree.as_uniform(), (runs.len() == 1).then_some(model[0]));
    let fresh = RunTree::from_voxels(model);
    fresh.check().unwrap();
    assert!(*tree == fresh, "not equal to a fresh tree");
    assert!(runs.len() > 1000 || runs.iter().all(|r| tree.values().any(|v| v == r.voxel)));
}

/// One step. Numbers are taken modulo the number of choices.
#[derive(Clone, Debug)]
enum Step {
    Set(usize, usize),
    /// Sets a range with any start and length.
    SetRange(usize, usize, usize),
    /// Sets whole blocks of 256.
    SetBlocks(usize, usize, usize),
    SetWhole(usize),
    /// Sets the run around an index, each end moved by -1, 0 or 1, to the value before or after the
    /// run or to any value, so that runs join and vanish.
    SetRun(usize, i32, i32, usize),
    Shrink,
    /// Continues with an edited copy, and checks that the original is unchanged.
    Clone(usize, usize),
    /// Rebuilds the tree from its runs, each pushed in pieces of at most this many voxels.
    Rebuild(u32),
    FromVoxels,
    /// Sets several ranges in one pass: start of the first, then gap, length and value of each.
    SetRanges(usize, Vec<(usize, usize, usize)>),
    Read(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let at = || prop_oneof![4 => 0..CHUNK_VOLUME, 1 => Just(0), 1 => Just(CHUNK_VOLUME - 1), 2 => (0..128usize).prop_map(|b| b * 256)];
    let len = prop_oneof![4 => 1..40usize, 3 => 40..600usize, 1 => 600..CHUNK_VOLUME];
    let k = || any::<prop::sample::Index>().prop_map(|i| i.index(1 << 20));
    prop_oneof![
        8 => (at(), k()).prop_map(|(i, k)| Step::Set(i, k)),
        8 => (at(), len, k()).prop_map(|(i, n, k)| Step::SetRange(i, n, k)),
        3 => (0..128usize, 1..6usize, k()).prop_map(|(b, n, k)| Step::SetBlocks(b, n, k)),
        1 => k().prop_map(Step::SetWhole),
        8 => (at(), -1..2i32, -1..2i32, k()).prop_map(|(i, a, b, k)| Step::SetRun(i, a, b, k)),
        1 => Just(Step::Shrink),
        1 => (at(), k()).prop_map(|(i, k)| Step::Clone(i, k)),
        1 => (1..5000u32).prop_map(Step::Rebuild),
        1 => Just(Step::FromVoxels),
        2 => (at(), prop::collection::vec((0..300usize, 0..300usize, k()), 0..60)).prop_map(|(i, r)| Step::SetRanges(i, r)),
        4 => (at(), 0..CHUNK_VOLUME).prop_map(|(i, n)| Step::Read(i, n)),
    ]
}

fn edit(tree: &mut RunTree, model: &mut Model, range: Range<usize>, voxel: Voxel) {
    tree.set_range(range.clone(), voxel);
    model[range].fill(voxel);
}

fn apply(tree: &mut RunTree, model: &mut Model, step: &Step, values: usize) {
    let pick = |k: usize| value(k % values);
    match *step {
        Step::Set(i, k) => {
            assert_eq!(tree.set(i, pick(k)), model[i]);
            model[i] = pick(k);
        }
        Step::SetRange(i, n, k) => edit(tree, model, i..(i + n).min(CHUNK_VOLUME), pick(k)),
        Step::SetBlocks(b, n, k) => {
            edit(tree, model, b * 256..((b + n) * 256).min(CHUNK_VOLUME), pick(k))
        }
        Step::SetWhole(k) => edit(tree, model, 0..CHUNK_VOLUME, pick(k)),
        Step::SetRun(i, a, b, k) => {
            let run = tree.run_at(i);
            let start = (run.start as i32 + a).max(0) as usize;
            let end = ((run.end() as i32 + b).max(0) as usize).min(CHUNK_VOLUME);
            let voxel = match k % 3 {
                0 if start > 0 => model[start - 1],
                1 if end < CHUNK_VOLUME => model[end],
                _ => pick(k),
            };
            // The range may be empty or reversed, and then must change nothing.
            tree.set_range(start..end, voxel);
            if start < end {
                model[start..end].fill(voxel);
            }
        }
        Step::Shrink => tree.shrink_to_fit(),
        Step::Clone(i, k) => {
            let before = tree.clone();
            let before_model = model.clone();
            edit(tree, model, i..(i + 300).min(CHUNK_VOLUME), pick(k));
            assert_same(&before, &before_model);
        }
        Step::Rebuild(piece) => {
            let mut builder = RunBuilder::new();
            for run in tree.runs() {
                let mut left = run.len;
                while left > 0 {
                    assert_eq!(builder.position(), (run.end() - left) as usize);
                    builder.push(left.min(piece), run.voxel);
                    builder.push(0, Voxel::full(9));
                    left -= left.min(piece);
                }
            }
            *tree = builder.finish();
        }
        Step::FromVoxels => *tree = RunTree::from_voxels(model),
        Step::SetRanges(first, ref parts) => {
            let mut at = first;
            let ranges = parts.iter().map(|&(gap, len, k)| {
                let start = (at + gap % 40).min(CHUNK_VOLUME);
                at = (start + len).min(CHUNK_VOLUME);
                (start..at, pick(k))
            });
            let ranges: Vec<_> = ranges.collect();
            tree.set_ranges(ranges.iter().cloned());
            for (range, voxel) in ranges {
                model[range].fill(voxel);
            }
        }
        Step::Read(i, n) => {
            let range = i..(i + n).min(CHUNK_VOLUME);
            let mut expected = runs_of(&model[range.clone()]);
            for r in expected.iter_mut() {
                r.start += i as u32;
            }
            assert!(tree.runs_in(range.clone()).eq(expected), "runs_in({range:?})");
            assert_eq!(tree.runs_in(i..i).next(), None);
            let mut row = [Voxel::NOT_LOADED; 32];
            tree.read_row(i / 32, &mut row);
            assert_eq!(row[..], model[i / 32 * 32..][..32], "row {}", i / 32);
            for i in [i, i / 2, CHUNK_VOLUME - 1 - i] {
                assert_eq!(tree.get(i), model[i], "get({i})");
                let run = tree.run_at(i);
                let start = run.start as usize;
                let end = run.end() as usize;
                assert!(
                    (start..end).contains(&i) && model[start..end].iter().all(|&v| v == run.voxel)
                );
                assert!(start == 0 || model[start - 1] != run.voxel);
                assert!(end == CHUNK_VOLUME || model[end] != run.voxel);
            }
        }
    }
}

/// An initial chunk: one value, or noise in stretches of up to `stretch` voxels.
fn begin(values: usize, stretch: usize, seed: u64) -> Model {
    let mut model = model_of(value(seed as usize % values));
    let mut random = Random::new(seed);
    let mut at = 0;
    while stretch > 0 && at < CHUNK_VOLUME {
        let end = (at + 1 + random.index(stretch)).min(CHUNK_VOLUME);
        model[at..end].fill(value(random.index(values)));
        at = end;
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tree_equals_the_array_after_every_step(
        values in prop::sample::select(vec![2usize, 3, 5, 30, 255, 256, 257, 258, 300, 2000]),
        stretch in prop::sample::select(vec![0usize, 2, 40, 1000]),
        seed in any::<u64>(),
        steps in prop::collection::vec(step(), 1..120),
    ) {
        let mut model = begin(values, stretch, seed);
        let mut tree = RunTree::from_voxels(&model);
        assert_same(&tree, &model);
        for step in &steps {
            apply(&mut tree, &mut model, step, values);
            assert_same(&tree, &model);
        }
    }
}

/// A random number from 1 to 2^`bits`. Each power of two is equally likely as its limit.
fn log_uniform(random: &mut Random, bits: usize) -> usize {
    let bits = random.index(bits + 1);
    1 + random.index(1 << bits)
}

#[test]
fn tree_equals_the_array_through_a_million_edits() {
    const STEPS: usize = 1_000_000;
    let mut random = Random::new(0x5706_e2a1);
    let mut model = model_of(Voxel::AIR);
    let mut tree = RunTree::uniform(Voxel::AIR);
    let mut most_runs = 0;
    let mut most_values = 0;
    let mut sum_of_runs = 0u64;
    for step in 0..STEPS {
        // Usually a chunk of a few hundred runs and few values. Phases of single voxels of many
        // values drive the runs into the thousands and the palette past a byte.
        let wild = step % 250_000 < 4_000;
        let values = if wild { 700 } else { 24 };
        let voxel = value(random.index(values));
        let range = if wild || random.index(2) == 0 {
            let i = random.index(CHUNK_VOLUME);
            assert_eq!(tree.set(i, voxel), model[i], "step {step}");
            i..i + 1
        } else {
            let bits = if random.index(5000) == 0 { 15 } else { 12 };
            let start = random.index(CHUNK_VOLUME);
            let range = start..(start + log_uniform(&mut random, bits)).min(CHUNK_VOLUME);
            tree.set_range(range.clone(), voxel);
            range
        };
        model[range.clone()].fill(voxel);

        tree.check().unwrap_or_else(|e| panic!("step {step}, {range:?} to {voxel:?}: {e}"));
        let near = [
            range.start.saturating_sub(1),
            range.start,
            range.end - 1,
            range.end.min(CHUNK_VOLUME - 1),
        ];
        for i in near.into_iter().chain([random.index(CHUNK_VOLUME)]) {
            assert_eq!(tree.get(i), model[i], "step {step}, at {i}");
        }
        if step % 4000 == 3999 {
            // As before saving. It also keeps the palette short, which every check walks.
            tree.shrink_to_fit();
            assert_same(&tree, &model);
        }
        most_runs = most_runs.max(tree.run_count());
        most_values = most_values.max(tree.values().len());
        sum_of_runs += tree.run_count() as u64;
    }
    assert_same(&tree, &model);
    assert!(
        most_runs > 2000 && most_values > 256,
        "{most_runs} runs and {most_values} values at most: too few to be a test"
    );
    println!(
        "at most {most_runs} runs and {most_values} values; {} runs on average",
        sum_of_runs / STEPS as u64
    );
}

/// Gives every voxel a run and value of its own, then sets some to other values: counts, starts and
/// palette indices reach the ends of their ranges.
#[test]
fn chunk_of_single_voxels_with_different_values_is_exact() {
    let distinct = |k: usize| Voxel::new(1 + (k % 60_000) as u16, (k / 60_000) as u8);
    let mut model = model_of(Voxel::AIR);
    for (i, voxel) in model.iter_mut().enumerate() {
        *voxel = distinct(i);
    }
    let mut tree = RunTree::from_voxels(&model);
    assert_same(&tree, &model);
    assert_eq!((tree.run_count(), tree.values().len()), (CHUNK_VOLUME, CHUNK_VOLUME));
    // Each of these edits rebuilds the chunk, so only a few are tried.
    for i in 0..400 {
        // In an order that jumps through the chunk.
        let at = i * 12_345 % CHUNK_VOLUME;
        let voxel = distinct(CHUNK_VOLUME + i);
        assert_eq!(tree.set(at, voxel), model[at]);
        model[at] = voxel;
        if i % 40 == 0 {
            assert_same(&tree, &model);
        }
    }
    assert_same(&tree, &model);
    tree.shrink_to_fit();
    assert_same(&tree, &model);
    assert_eq!(tree.values().len(), CHUNK_VOLUME);
    // Sets the chunk back to one run, from both ends.
    for i in (0..CHUNK_VOLUME / 2).step_by(100) {
        tree.set_range(0..i + 100, Voxel::AIR);
        tree.set_range(CHUNK_VOLUME - 100 - i..CHUNK_VOLUME, Voxel::AIR);
    }
    assert_eq!((tree.as_uniform(), tree.heap_bytes()), (Some(Voxel::AIR), 0));
}

/// Uses one value after another beyond 256, then removes them.
#[test]
fn palette_grows_beyond_256_values_and_shrinks_again() {
    let mut model = model_of(Voxel::AIR);
    let mut tree = RunTree::uniform(Voxel::AIR);
    for k in 2..600 {
        edit(&mut tree, &mut model, k * 50..k * 50 + 7, value(k));
        assert_same(&tree, &model);
    }
    for k in (2..600).rev() {
        edit(&mut tree, &mut model, k * 50..k * 50 + 7, value(2));
        if k % 20 == 0 {
            tree.shrink_to_fit();
        }
        assert_same(&tree, &model);
    }
    tree.shrink_to_fit();
    assert_eq!(tree.values().len(), 2);
}

/// Unused values must not accumulate: the palette stays close to the number of values in use.
#[test]
fn palette_stays_bounded_under_changing_values() {
    let mut tree = RunTree::uniform(Voxel::AIR);
    tree.set_range(0..1000, Voxel::full(1));
    for k in 0..50_000 {
        tree.set(20_000 + k % 5, value(2 + k));
        assert!(tree.values().len() <= 16, "{} entries for 7 values", tree.values().len());
    }
    tree.check().unwrap();
    // The bound also holds after a phase with many values.
    for k in 0..1500 {
        tree.set(k * 2, value(2 + k));
    }
    tree.set_range(0..30_000, Voxel::full(1));
    for k in 0..5000 {
        tree.set(20_000, value(2 + k));
    }
    assert!(tree.values().len() <= 16, "{} entries for 3 values", tree.values().len());
    let bytes = tree.heap_bytes();
    tree.shrink_to_fit();
    assert!(tree.heap_bytes() <= bytes && tree.values().len() == 3);
}

#[test]
#[should_panic(expected = "past the chunk")]
fn range_past_the_end_is_refused() {
    RunTree::uniform(Voxel::AIR).set_range(5..CHUNK_VOLUME + 1, Voxel::full(1));
}

#[test]
#[should_panic(expected = "begins before")]
fn ranges_that_overlap_are_refused() {
    RunTree::uniform(Voxel::AIR).set_ranges([(5..9, Voxel::full(1)), (8..10, Voxel::full(2))]);
}

#[test]
#[should_panic(expected = "passes the end")]
fn builder_takes_no_run_past_the_end() {
    let mut builder = RunBuilder::new();
    builder.push(CHUNK_VOLUME as u32, Voxel::AIR);
    builder.push(u32::MAX, Voxel::AIR);
}
