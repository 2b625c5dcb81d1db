//! The 0fps text's benchmark table: the cost of a random access and of iteration in each store.
//!
//! All stores do the same work and must agree on the result: iteration of radius 0 counts the
//! voxels of each ID, radius 1 the faces towards air. Each time is the median of several rounds.
//! The stores take turns in every round, so that a machine that slows down affects all of them.

use super::input::{Lcg, NumberedWorld, VoxelId};
use super::rivals::{
    FlatArray, IntervalTree, Octree, PaletteStore, RowPacked, RunTreeStore, Store, VirtualArray,
};
use glam::IVec3;
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// Number of independent reads per round.
const READS: usize = 1 << 20;
/// Number of reads per round at positions that depend on the read before.
const DEPENDENT_READS: usize = 1 << 18;
/// Number of writes per round.
const WRITES: usize = 1 << 15;
/// Number of rounds of each measurement, the median of which counts.
const ROUNDS: usize = 9;

/// Times and size of one store. Times are in nanoseconds, for iteration per voxel of the input's
/// box. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StoreMeasurement {
    /// Name of the input.
    pub input: String,
    /// Name of the store.
    pub store: &'static str,
    /// Read at a random position that does not depend on the read before.
    pub random_read_ns: f64,
    /// Read at a position that depends on the result of the read before.
    pub dependent_read_ns: f64,
    /// Write of a random ID at a random position.
    pub random_write_ns: f64,
    /// Counting the voxels of each ID.
    pub iterate_r0_ns: f64,
    /// Counting the faces towards air.
    pub iterate_r1_ns: f64,
    /// Heap memory before the writes, in bytes.
    pub heap_bytes: u64,
}

/// Two stores that should hold the same voxels give different results, so one of them has a defect.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{input}: the stores \"{}\" and \"{}\" give different results", stores[0], stores[1])]
pub struct StoresDisagree {
    /// Name of the input.
    pub input: String,
    /// Names of the stores.
    pub stores: [&'static str; 2],
}

/// Maps random numbers to positions in a box, equally for all stores.
#[derive(Clone, Copy)]
struct PositionSampler {
    min: IVec3,
    size: IVec3,
}

impl PositionSampler {
    /// The position for a random number.
    #[inline]
    fn position(self, random: u64) -> IVec3 {
        // The upper half of a 32-bit product, which is uniform and needs no division.
        let part = |bits: u64, size: i32| (((bits & 0xF_FFFF) * size as u64) >> 20) as i32;
        self.min
            + IVec3::new(
                part(random, self.size.x),
                part(random >> 20, self.size.y),
                part(random >> 40, self.size.z),
            )
    }
}

/// A store under test as a trait object, so that the stores can take turns.
trait StoreBench {
    fn name(&self) -> &'static str;
    fn heap_bytes(&self) -> usize;
    /// Sums the IDs at random positions.
    fn reads(&self, sampler: PositionSampler) -> u64;
    /// Sums the IDs at positions that each depend on the ID at the position before.
    fn dependent_reads(&self, sampler: PositionSampler) -> u64;
    fn voxel_counts(&self) -> Vec<u64>;
    fn face_counts(&self) -> Vec<u64>;
    /// Writes at random positions, and returns nanoseconds per write. Restoring the voxels is not
    /// timed.
    fn time_writes(&mut self, seed: u64) -> f64;
}

struct BenchedStore<S> {
    store: S,
    id_count: usize,
    /// Lowest corners of the input's chunks, in order.
    origins: Vec<IVec3>,
}

impl<S: Store> StoreBench for BenchedStore<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn heap_bytes(&self) -> usize {
        self.store.heap_bytes()
    }

    #[inline(never)]
    fn reads(&self, sampler: PositionSampler) -> u64 {
        let mut random = Lcg(1);
        (0..READS)
            .map(|_| u64::from(self.store.get(sampler.position(random.draw().rotate_right(20)))))
            .sum()
    }

    #[inline(never)]
    fn dependent_reads(&self, sampler: PositionSampler) -> u64 {
        let mut random = Lcg(1);
        let mut last = 0;
        for _ in 0..DEPENDENT_READS {
            random.0 = random.0.wrapping_add(last);
            last = u64::from(self.store.get(sampler.position(random.draw().rotate_right(20))));
        }
        random.0
    }

    fn voxel_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.id_count];
        self.store.count_voxels(&mut counts);
        counts
    }

    fn face_counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.id_count];
        self.store.count_faces(&mut counts);
        counts
    }

    fn time_writes(&mut self, seed: u64) -> f64 {
        let mut random = Lcg(seed);
        let edits: Vec<(IVec3, VoxelId)> = (0..WRITES)
            .map(|_| {
                let bits = random.draw().rotate_right(20);
                // Stores accept writes only to chunks of the input.
                let origin =
                    self.origins[(((bits >> 32) * self.origins.len() as u64) >> 32) as usize];
                let position = origin
                    + IVec3::new(
                        bits as i32 & 31,
                        (bits >> 5) as i32 & 31,
                        (bits >> 10) as i32 & 31,
                    );
                (position, (((bits >> 15 & 0xFFFF) * self.id_count as u64) >> 16) as VoxelId)
            })
            .collect();
        let before: Vec<VoxelId> =
            edits.iter().map(|&(position, _)| self.store.get(position)).collect();
        let elapsed = time_ns(|| {
            for &(position, id) in &edits {
                self.store.set(position, id);
            }
        });
        // Voxels are restored in reverse order, so that every round writes to the same world.
        for (&(position, _), id) in edits.iter().zip(before).rev() {
            self.store.set(position, id);
        }
        elapsed / WRITES as f64
    }
}

/// Builds a store; `None` if it would need too much memory.
fn build<S: Store + 'static>(input: &NumberedWorld) -> Option<Box<dyn StoreBench>> {
    let mut origins: Vec<IVec3> = input.world.chunks().map(|(pos, _)| pos.origin()).collect();
    origins.sort_unstable_by_key(|origin| (origin.y, origin.z, origin.x));
    Some(Box::new(BenchedStore { store: S::build(input)?, id_count: input.id_count, origins }))
}

/// Duration of `work`, in nanoseconds.
fn time_ns<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64() * 1e9
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Measures all stores on `input`. `progress` receives the completed share, from 0 to 1.
///
/// # Errors
/// Two stores give different results.
pub fn measure(
    input: &NumberedWorld,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<StoreMeasurement>, StoresDisagree> {
    let stores = [
        build::<FlatArray>(input),
        build::<VirtualArray>(input),
        build::<Octree>(input),
        build::<RowPacked>(input),
        build::<PaletteStore>(input),
        build::<IntervalTree>(input),
        build::<RunTreeStore>(input),
    ];
    let mut stores: Vec<Box<dyn StoreBench>> = stores.into_iter().flatten().collect();
    let sampler = PositionSampler { min: input.bounds.min, size: input.bounds.size() };
    check_agreement(input, &stores, sampler)?;
    let heap: Vec<usize> = stores.iter().map(|store| store.heap_bytes()).collect();
    let volume = input.volume() as f64;
    let mut times: Vec<[Vec<f64>; 5]> = stores.iter().map(|_| Default::default()).collect();
    for round in 0..ROUNDS {
        for (store, times) in stores.iter().zip(&mut times) {
            times[0].push(time_ns(|| store.reads(sampler)) / READS as f64);
            times[1].push(time_ns(|| store.dependent_reads(sampler)) / DEPENDENT_READS as f64);
            times[2].push(time_ns(|| store.voxel_counts()) / volume);
            times[3].push(time_ns(|| store.face_counts()) / volume);
            progress((round as f32 + 0.5) / (ROUNDS + 1) as f32);
        }
    }
    // Writes come last, because a store may represent restored voxels in another way than built
    // voxels.
    for round in 0..ROUNDS {
        for (store, times) in stores.iter_mut().zip(&mut times) {
            times[4].push(store.time_writes(round as u64));
        }
    }
    check_agreement(input, &stores, sampler)?;
    progress(1.0);
    let measurements = stores.iter().zip(times).zip(heap).map(|((store, times), heap)| {
        let [random_read_ns, dependent_read_ns, iterate_r0_ns, iterate_r1_ns, random_write_ns] =
            times.map(median);
        StoreMeasurement {
            input: input.name.clone(),
            store: store.name(),
            random_read_ns,
            dependent_read_ns,
            random_write_ns,
            iterate_r0_ns,
            iterate_r1_ns,
            heap_bytes: heap as u64,
        }
    });
    Ok(measurements.collect())
}

/// Checks that all stores give the same results.
fn check_agreement(
    input: &NumberedWorld,
    stores: &[Box<dyn StoreBench>],
    sampler: PositionSampler,
) -> Result<(), StoresDisagree> {
    let results = |store: &dyn StoreBench| {
        let mut counts = store.voxel_counts();
        // Air is left out of the comparison, because stores without air chunks do not count their
        // voxels.
        counts[0] = 0;
        (store.reads(sampler), store.dependent_reads(sampler), counts, store.face_counts())
    };
    let Some((first, others)) = stores.split_first() else { return Ok(()) };
    let expected = results(&**first);
    match others.iter().find(|store| results(&***store) != expected) {
        Some(store) => {
            Err(StoresDisagree { input: input.name.clone(), stores: [first.name(), store.name()] })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::generated_world;
    use stonerun_engine::terrain::TerrainKind;

    #[test]
    fn all_stores_are_measured_and_agree() {
        let world = generated_world(3, TerrainKind::Continents, 1, 1);
        let input = NumberedWorld::from_world("terrain".to_owned(), &world)
            .expect("terrain is not only air");
        let measurements = measure(&input, &mut |_| ()).expect("the stores agree");
        assert_eq!(measurements.len(), 7);
        for row in &measurements {
            assert!(
                row.random_read_ns > 0.0 && row.iterate_r1_ns > 0.0 && row.heap_bytes > 0,
                "{row:?}"
            );
        }
    }

    #[test]
    fn sampled_positions_cover_exactly_the_box() {
        let sampler = PositionSampler { min: IVec3::new(-5, 3, 100), size: IVec3::new(3, 1, 7) };
        let mut seen = std::collections::BTreeSet::new();
        let mut random = Lcg(9);
        for _ in 0..2000 {
            seen.insert(sampler.position(random.draw().rotate_right(20)).to_array());
        }
        assert_eq!(seen.len(), 21);
        assert!(
            seen.iter()
                .all(|&[x, y, z]| (-5..-2).contains(&x) && y == 3 && (100..107).contains(&z))
        );
    }
}
