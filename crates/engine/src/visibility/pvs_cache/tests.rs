//! The cache in a row of walled chunks.

use super::*;
use crate::visibility::cell::Cell;
use crate::visibility::occluders::Occluders;
use crate::visibility::rooms::Rooms;
use crate::voxel::{CHUNK_VOLUME, linear_offset};

fn occlusion(hides: impl Fn(IVec3) -> bool) -> ChunkOcclusion {
    let mut words = [0u64; CHUNK_VOLUME / 64];
    for index in (0..CHUNK_VOLUME).filter(|&index| hides(linear_offset(index))) {
        words[index / 64] |= 1 << (index % 64);
    }
    let occluders = Occluders::Some(words.into());
    ChunkOcclusion { rooms: Rooms::from_occluders(&occluders), occluders }
}

fn sees(cache: &PvsCache, x: i32) -> bool {
    let slot = cache.index().slot(ChunkPos::new(x, 0, 0)).expect("in the graph");
    bitset::contains(cache.current_set().expect("a cell").chunks, slot)
}

/// A row of chunks along x, each with a wall across its middle, surrounded by rock.
fn walled() -> PvsCache {
    PvsCache::new(ChunkPos::default(), 4, walled_occlusion)
}

fn walled_occlusion(pos: ChunkPos) -> Option<ChunkOcclusion> {
    Some(if pos.y == 0 && pos.z == 0 { occlusion(|at| at.x == 16) } else { occlusion(|_| true) })
}

#[test]
fn opened_chunk_is_seen_at_once_and_closed_chunk_after_tightening() {
    let mut cache = walled();
    let eye = IVec3::splat(20);
    cache.select(eye, false).expect("a cell");
    assert!(sees(&cache, 0) && sees(&cache, 1) && !sees(&cache, 2));
    let before = cache.revision();
    cache.select(eye + IVec3::X, false);
    assert_eq!(cache.revision(), before, "the same cell");
    // A chunk that is not in the set, then one that is.
    cache.set_chunk(ChunkPos::new(2, 0, 0), Some(ChunkOcclusion::OPEN));
    assert_eq!(cache.stats().sets, 1, "the set is kept");
    cache.set_chunk(ChunkPos::new(1, 0, 0), Some(ChunkOcclusion::OPEN));
    assert_eq!(cache.stats().sets, 0);
    cache.select(eye, false);
    assert!(sees(&cache, 2) && sees(&cache, 3) && !sees(&cache, 4));
    assert!(cache.revision() > before);
    cache.set_chunk(ChunkPos::new(1, 0, 0), Some(occlusion(|at| at.x == 16)));
    cache.select(eye, false);
    assert!(sees(&cache, 3), "too large, but correct");
    cache.select(eye, true);
    assert!(!sees(&cache, 2));
    assert_eq!(cache.select(IVec3::splat(16), true), None, "in rock");
}

#[test]
fn job_result_is_ignored_if_set_opened_meanwhile() {
    for opens in [false, true] {
        let mut cache = walled();
        let eye = IVec3::splat(20);
        cache.select(eye, true);
        let job = cache.next_job().expect("the cell's set");
        assert!(cache.next_job().is_none(), "one at a time");
        if opens {
            cache.set_chunk(ChunkPos::new(1, 0, 0), Some(ChunkOcclusion::OPEN));
            // The cell has a new set, which the old job must not change.
            cache.select(eye, true);
        }
        cache.finish_job(job.run());
        cache.select(eye, true);
        assert_eq!(sees(&cache, 2), opens);
        assert_eq!(cache.current_set().expect("a cell").source == SetSource::Refined, !opens);
    }
}

#[test]
fn chunks_opened_together_are_seen_until_they_are_analysed() {
    let mut cache = walled();
    let eye = IVec3::splat(20);
    cache.select(eye, true);
    let job = cache.next_job().expect("the cell's set");
    // One in the set, one beyond it, one outside the graph.
    cache.open_chunks([1, 2, 90].map(|x| ChunkPos::new(x, 0, 0)));
    cache.select(eye, true);
    assert!(sees(&cache, 3) && !sees(&cache, 4));
    cache.finish_job(job.run());
    assert!(sees(&cache, 3), "the job started before");
    cache.set_chunk(ChunkPos::new(1, 0, 0), Some(occlusion(|at| at.x == 16)));
    cache.select(eye, true);
    assert!(sees(&cache, 1) && !sees(&cache, 2));
    let sets = cache.stats().sets;
    cache.open_chunks([ChunkPos::new(2, 0, 0)]);
    assert_eq!(cache.stats().sets, sets, "open already");
    cache.open_chunks([ChunkPos::default()]);
    assert_eq!(
        (cache.stats().sets, cache.current_cell()),
        (0, None),
        "the cells of the chunk changed"
    );
}

#[test]
fn replacing_cache_continues_revisions() {
    let mut before = walled();
    let eye = IVec3::splat(20);
    before.select(eye, true);
    let mut seen = vec![before.revision()];
    for _ in 0..2 {
        let mut next = walled().replacing(&before);
        seen.push(next.revision());
        next.select(eye, true);
        seen.push(next.revision());
        before = next;
    }
    assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
}

#[test]
fn tightened_set_stays_baked_but_not_refined() {
    for (source, then) in
        [(SetSource::Baked, SetSource::Baked), (SetSource::Refined, SetSource::Swept)]
    {
        let mut cache = walled();
        let eye = IVec3::splat(20);
        cache.select(eye, true);
        let result =
            RefineResult { source, ..cache.next_job().expect("the cell's set").keep_unchanged() };
        cache.finish_job(result);
        cache.set_chunk(ChunkPos::new(1, 0, 0), Some(occlusion(|at| at.x == 16 || at.y == 0)));
        cache.select(eye, true);
        assert_eq!(cache.current_set().expect("a cell").source, then);
    }
}

#[test]
fn invalidation_drops_sets_and_job_results() {
    let mut cache = walled();
    let eye = IVec3::splat(20);
    cache.select(eye, true);
    let job = cache.next_job().expect("the cell's set");
    cache.invalidate_baked(ChunkPos::new(2, 0, 0));
    assert_eq!(cache.stats().sets, 1, "the set does not hold that chunk");
    cache.invalidate_baked(ChunkPos::new(1, 0, 0));
    assert_eq!(cache.stats().sets, 0);
    cache.select(eye, true);
    cache.finish_job(job.run());
    assert_eq!(
        cache.current_set().expect("a cell").source,
        SetSource::Swept,
        "the job started before the invalidation"
    );
    // Results are also ignored if the cell's own chunk changed, or if the player was far away.
    for moves_away in [false, true] {
        let job = cache.next_job().expect("the cell's set");
        if moves_away {
            cache.move_to(ChunkPos::new(9, 0, 0), |_| None);
            cache.move_to(ChunkPos::default(), walled_occlusion);
        } else {
            cache.set_chunk(ChunkPos::default(), Some(occlusion(|at| at.x == 16 || at.y == 0)));
        }
        cache.select(eye, true);
        cache.finish_job(job.run());
        assert_eq!(cache.current_set().expect("a cell").source, SetSource::Swept);
    }
}

#[test]
fn nearby_cells_are_refined_ahead_and_kept_while_near() {
    let mut cache = walled();
    cache.select(IVec3::splat(20), true);
    while let Some(job) = cache.next_job() {
        cache.finish_job(job.run());
    }
    let stats = cache.stats();
    assert!(stats.sets > 8 && stats.sets == stats.refined, "{stats:?}");
    cache.move_to(ChunkPos::new(1, 0, 0), |_| Some(occlusion(|_| true)));
    assert!(cache.stats().sets > 8 && cache.stats().sets < stats.sets);
    let before = cache.sweep_time;
    cache.select(IVec3::new(36, 20, 20), true);
    assert_eq!(cache.sweep_time, before, "no sweep was needed");
    assert!(
        cache.current_set().expect("a cell").source == SetSource::Refined
            && sees(&cache, 0)
            && !sees(&cache, 2)
    );
    cache.move_to(ChunkPos::new(9, 0, 0), |_| None);
    assert_eq!(cache.stats().sets, 0);
}

#[test]
fn sweep_of_cached_cell_drops_no_other_set() {
    let mut cache = walled();
    let eye = IVec3::splat(20);
    let id = cache.select(eye, true).expect("a cell");
    let chunks = cache.current_set().expect("a cell").chunks.to_vec();
    for number in 1..MAX_SETS as u16 {
        let [low, high] = number.to_le_bytes();
        let other = CellId { cell: Cell { lo: [low, high, 99], ..id.cell }, ..id };
        let set = CachedSet {
            chunks: chunks.clone(),
            source: SetSource::Swept,
            loose: false,
            last_used: 0,
        };
        cache.sets.insert(other, set);
    }
    cache.sets.get_mut(&id).expect("cached").loose = true;
    cache.select(eye, true);
    assert!(!cache.sets[&id].loose, "swept again");
    assert_eq!(cache.stats().sets, MAX_SETS);
    // The set of another cell takes the place of the oldest set.
    let next = cache.select(IVec3::splat(10), true).expect("a cell");
    assert!(next != id && cache.sets.contains_key(&id));
    assert_eq!(cache.stats().sets, MAX_SETS);
}
