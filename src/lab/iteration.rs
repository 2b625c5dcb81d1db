//! The 0fps text's benchmark table: what a random access and a step of an iteration cost in each store.
//!
//! All stores do the same work and must come to the same result, or there is no table: radius 0 counts the voxels of
//! each kind, radius 1 the faces that border on air. A figure is the median of several runs of the whole; the stores
//! take turns, so that a machine that gets slower meanwhile does so for all.

use super::input::{Input, Value};
use super::rivals::{Btree, Flat, Octree, Ours, Palette, RowPacked, Store, VirtualArray};
use glam::IVec3;
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// Reads of one run.
const READS: usize = 1 << 20;
/// Reads that wait for each other, of one run.
const DEPENDENT_READS: usize = 1 << 18;
/// Writes of one run.
const WRITES: usize = 1 << 15;
/// Runs of which the median is taken.
const RUNS: usize = 9;

/// What one store took. Times are in nanoseconds, those of iterations a voxel of the input's box.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// What the stores held.
    pub input: String,
    /// Which store.
    pub store: &'static str,
    /// A read at a random place, the next one known before it ends.
    pub random_read_ns: f64,
    /// A read at a place that depends on what the last one found.
    pub dependent_read_ns: f64,
    /// A write of a random value at a random place.
    pub random_write_ns: f64,
    /// Counting the voxels of each kind.
    pub iterate_r0_ns: f64,
    /// Counting the faces that border on air.
    pub iterate_r1_ns: f64,
    /// Bytes on the heap, before the writes.
    pub heap_bytes: u64,
}

/// A place in a box whose sides are known; the same places for all stores.
#[derive(Clone, Copy)]
struct Places {
    min: IVec3,
    size: IVec3,
}

impl Places {
    /// The place that a random number stands for.
    #[inline]
    fn at(self, random: u64) -> IVec3 {
        // The upper half of a product of 32 bits: even, without a division.
        let part = |bits: u64, size: i32| (((bits & 0xF_FFFF) * size as u64) >> 20) as i32;
        self.min
            + IVec3::new(part(random, self.size.x), part(random >> 20, self.size.y), part(random >> 40, self.size.z))
    }
}

/// One store under test. The measurements are methods of a trait without generics, so that stores can take turns.
trait Bench {
    fn name(&self) -> &'static str;
    fn heap_bytes(&self) -> usize;
    fn reads(&self, places: Places) -> u64;
    fn dependent_reads(&self, places: Places) -> u64;
    fn values(&self) -> Vec<u64>;
    fn faces(&self) -> Vec<u64>;
    /// Nanoseconds a write.
    fn writes(&mut self, seed: u64) -> f64;
}

struct Bed<S> {
    store: S,
    kinds: usize,
    /// The corners of the chunks that are there.
    chunks: Vec<IVec3>,
}

impl<S: Store> Bench for Bed<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn heap_bytes(&self) -> usize {
        self.store.heap_bytes()
    }

    #[inline(never)]
    fn reads(&self, places: Places) -> u64 {
        let mut random = Lcg(1);
        (0..READS).map(|_| u64::from(self.store.get(places.at(random.next())))).sum()
    }

    #[inline(never)]
    fn dependent_reads(&self, places: Places) -> u64 {
        let (mut random, mut last) = (Lcg(1), 0);
        for _ in 0..DEPENDENT_READS {
            random.0 = random.0.wrapping_add(last);
            last = u64::from(self.store.get(places.at(random.next())));
        }
        random.0
    }

    fn values(&self) -> Vec<u64> {
        let mut counts = vec![0; self.kinds];
        self.store.count_values(&mut counts);
        counts
    }

    fn faces(&self) -> Vec<u64> {
        let mut counts = vec![0; self.kinds];
        self.store.count_faces(&mut counts);
        counts
    }

    fn writes(&mut self, seed: u64) -> f64 {
        let mut random = Lcg(seed);
        let edits: Vec<(IVec3, Value)> = (0..WRITES)
            .map(|_| {
                let bits = random.next();
                // In a chunk that is there: the others cannot be written to.
                let corner = self.chunks[(((bits >> 32) * self.chunks.len() as u64) >> 32) as usize];
                let at = corner + IVec3::new(bits as i32 & 31, (bits >> 5) as i32 & 31, (bits >> 10) as i32 & 31);
                (at, (((bits >> 15 & 0xFFFF) * self.kinds as u64) >> 16) as Value)
            })
            .collect();
        // What was there is put back afterwards: each time the same world is written to.
        let before: Vec<Value> = edits.iter().map(|&(at, _)| self.store.get(at)).collect();
        let taken = timed(|| edits.iter().for_each(|&(at, value)| self.store.set(at, value)));
        let back = edits.iter().zip(before).rev();
        back.for_each(|(&(at, _), value)| self.store.set(at, value));
        taken / WRITES as f64
    }
}

/// The cheapest stream of numbers whose upper bits will do: making a place must not cost more than reading there.
struct Lcg(u64);

impl Lcg {
    #[inline]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0.rotate_right(20)
    }
}

fn bed<S: Store + 'static>(input: &Input) -> Option<Box<dyn Bench>> {
    let mut chunks: Vec<IVec3> = input.world.chunks().map(|(pos, _)| pos.origin()).collect();
    chunks.sort_unstable_by_key(|at| (at.y, at.z, at.x));
    Some(Box::new(Bed { store: S::build(input)?, kinds: input.values, chunks }))
}

/// Nanoseconds that `work` takes.
fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64() * 1e9
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Measures all stores on `input`; `progress` is told how much is done, from 0 to 1.
///
/// # Errors
/// Two stores come to different results: one line. That is a defect of one of them.
pub fn measure(input: &Input, progress: &mut dyn FnMut(f32)) -> Result<Vec<Row>, String> {
    let beds = [
        bed::<Flat>(input),
        bed::<VirtualArray>(input),
        bed::<Octree>(input),
        bed::<RowPacked>(input),
        bed::<Palette>(input),
        bed::<Btree>(input),
        bed::<Ours>(input),
    ];
    let mut beds: Vec<Box<dyn Bench>> = beds.into_iter().flatten().collect();
    let places = Places { min: input.bounds.min, size: input.bounds.size() };
    agree(input, &beds, places)?;
    let heap: Vec<usize> = beds.iter().map(|bed| bed.heap_bytes()).collect();
    let voxels = input.voxels() as f64;
    let mut times: Vec<[Vec<f64>; 5]> = beds.iter().map(|_| Default::default()).collect();
    for run in 0..RUNS {
        for (bed, times) in beds.iter().zip(&mut times) {
            times[0].push(timed(|| bed.reads(places)) / READS as f64);
            times[1].push(timed(|| bed.dependent_reads(places)) / DEPENDENT_READS as f64);
            times[2].push(timed(|| bed.values()) / voxels);
            times[3].push(timed(|| bed.faces()) / voxels);
            progress((run as f32 + 0.5) / (RUNS + 1) as f32);
        }
    }
    // Last: after writes and their undoing the same voxels may be kept in another way.
    for run in 0..RUNS {
        for (bed, times) in beds.iter_mut().zip(&mut times) {
            times[4].push(bed.writes(run as u64));
        }
    }
    agree(input, &beds, places)?;
    progress(1.0);
    let rows = beds.iter().zip(times).zip(heap).map(|((bed, times), heap)| {
        let [random_read_ns, dependent_read_ns, iterate_r0_ns, iterate_r1_ns, random_write_ns] = times.map(median);
        Row {
            input: input.name.clone(),
            store: bed.name(),
            random_read_ns,
            dependent_read_ns,
            random_write_ns,
            iterate_r0_ns,
            iterate_r1_ns,
            heap_bytes: heap as u64,
        }
    });
    Ok(rows.collect())
}

/// Checks that all stores come to the same results.
fn agree(input: &Input, beds: &[Box<dyn Bench>], places: Places) -> Result<(), String> {
    let results = |bed: &dyn Bench| {
        let mut values = bed.values();
        // Stores that leave out chunks without matter do not count their air.
        values[0] = 0;
        (bed.reads(places), bed.dependent_reads(places), values, bed.faces())
    };
    let Some((first, others)) = beds.split_first() else { return Ok(()) };
    let expected = results(&**first);
    for bed in others {
        if results(&**bed) != expected {
            return Err(format!("{}: {} and {} come to different results", input.name, first.name(), bed.name()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input;
    use crate::terrain::TerrainKind;

    #[test]
    fn every_store_has_a_row_and_they_agree() {
        let world = input::generated(3, TerrainKind::Continents, 1, 1);
        let input = input::numbered("land".to_owned(), &world).expect("matter");
        let rows = measure(&input, &mut |_| ()).expect("they agree");
        assert_eq!(rows.len(), 7);
        for row in &rows {
            assert!(row.random_read_ns > 0.0 && row.iterate_r1_ns > 0.0 && row.heap_bytes > 0, "{row:?}");
        }
    }

    #[test]
    fn places_cover_the_box_and_nothing_else() {
        let places = Places { min: IVec3::new(-5, 3, 100), size: IVec3::new(3, 1, 7) };
        let mut seen = std::collections::BTreeSet::new();
        let mut random = Lcg(9);
        (0..2000).for_each(|_| _ = seen.insert(places.at(random.next()).to_array()));
        assert_eq!(seen.len(), 21);
        assert!(seen.iter().all(|&[x, y, z]| (-5..-2).contains(&x) && y == 3 && (100..107).contains(&z)));
    }
}
