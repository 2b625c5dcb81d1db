//! Verification by rays: everything that a ray from a cell reaches must be in the cell's visible
//! sets.
//!
//! A chunk or room that a ray enters is *proven* visible. If a set lacks it, it is *missed*. The
//! number of proven chunks is also a lower bound for the size of any correct set.
//!
//! Rays in random directions mostly reach chunks that are near or large. Other rays are therefore
//! aimed: at any chunk in view, which finds chunks that a set lacks; and at chunks that a set
//! contains but no ray has entered. Most of the latter start near a ray that entered an adjacent
//! chunk, or near the ray that came closest so far (hill climbing).

use super::computed_sets::{ComputedSets, Misses};
use super::random::{below, direction, point};
use super::ray_scene::{OccluderHit, RayEntry, RayScene};
use crate::input::Random;
use glam::{DVec3, IVec3};
use rustc_hash::{FxHashMap, FxHashSet};
use stonerun_engine::visibility::{Cell, bitset};
use stonerun_engine::voxel::{CHUNK_SIDE, Face};

/// Casts rays from a cell, and records the chunks and rooms that they prove visible.
pub struct RayVerifier<'a> {
    scene: &'a mut RayScene,
    sets: &'a ComputedSets,
    random: &'a mut Random,
    /// Open voxels of the cell.
    voxels: Vec<IVec3>,
    /// Proven chunks, one bit per chunk of the graph.
    chunks: Vec<u64>,
    /// Proven rooms, one bit per node of the graph.
    nodes: Vec<u64>,
    /// First ray that entered each proven chunk.
    rays: FxHashMap<usize, ProvingRay>,
    /// The ray that came closest to each unproven chunk, among the rays aimed at it.
    closest: FxHashMap<usize, ClosestRay>,
    /// `voxels` as a set, filled on first use.
    voxel_set: FxHashSet<IVec3>,
    /// Buffer that [`RayScene::trace`] fills.
    entries: Vec<RayEntry>,
    misses: Misses,
}

#[derive(Clone, Copy)]
struct ProvingRay {
    from: DVec3,
    direction: DVec3,
}

/// A ray that was blocked before its target chunk.
#[derive(Clone, Copy)]
struct ClosestRay {
    from: DVec3,
    to: DVec3,
    /// Distance from the occluder to the target chunk, in voxels.
    gap: f64,
}

impl<'a> RayVerifier<'a> {
    /// Prepares rays from a cell of the viewer's chunk.
    #[must_use]
    pub fn new(
        scene: &'a mut RayScene,
        cell: &Cell,
        sets: &'a ComputedSets,
        random: &'a mut Random,
    ) -> RayVerifier<'a> {
        let voxels = scene.voxels_of(cell);
        let chunks = scene.graph().index().len();
        let nodes = scene.graph().node_count();
        RayVerifier {
            scene,
            sets,
            random,
            voxels,
            chunks: bitset::empty(chunks),
            nodes: bitset::empty(nodes),
            rays: FxHashMap::default(),
            closest: FxHashMap::default(),
            voxel_set: FxHashSet::default(),
            entries: Vec::new(),
            misses: Misses::default(),
        }
    }

    /// Returns the proven chunks, one bit per chunk of the graph, and the misses.
    #[must_use]
    pub fn finish(self) -> (Vec<u64>, Misses) {
        (self.chunks, self.misses)
    }

    /// Casts `rays` rays: an eighth in random directions, an eighth at any chunk in view, and the
    /// rest at unproven chunks.
    pub fn cast(&mut self, rays: u64) {
        let eighth = rays.div_ceil(8);
        for _ in 0..eighth {
            self.cast_anywhere();
        }
        for _ in eighth..rays.min(2 * eighth) {
            self.cast_into_view();
        }
        self.cast_at_unproven(rays.saturating_sub(2 * eighth));
    }

    /// Casts a ray in a random direction.
    pub fn cast_anywhere(&mut self) {
        let from = self.random_start();
        let direction = direction(self.random);
        self.trace(from, direction);
    }

    /// Casts a ray through a random point of `voxel`.
    pub fn cast_at_voxel(&mut self, voxel: IVec3) {
        let from = self.random_start();
        let to = point(self.random, voxel, 1);
        self.trace(from, to - from);
    }

    /// Casts a ray through a random point of a random chunk in view.
    pub fn cast_into_view(&mut self) {
        // The loop ends, because most chunks of the graph are in view, and the viewer's own always
        // is.
        let chunk = loop {
            let chunk = below(self.random, self.scene.graph().index().len());
            if self.scene.is_in_view(chunk) {
                break chunk;
            }
        };
        let from = self.random_start();
        let to =
            point(self.random, self.scene.graph().index().position(chunk).origin(), CHUNK_SIDE);
        self.trace(from, to - from);
    }

    /// Casts rays in rounds at the unproven chunks of the refined set, and in every sixth round at
    /// the unproven chunks of the sweep's set. Once all are proven, the remaining rays go to random
    /// chunks in view.
    fn cast_at_unproven(&mut self, rays: u64) {
        let [mut refined, mut swept] = [&self.sets.refined, &self.sets.sweep.chunks]
            .map(|set| bitset::members(set).collect::<Vec<_>>());
        let mut remaining = rays;
        for round in 0.. {
            let targets = if round % 6 == 5 { &mut swept } else { &mut refined };
            targets.retain(|&chunk| !bitset::contains(&self.chunks, chunk));
            let count = remaining.min(targets.len() as u64);
            for &chunk in &targets[..count as usize] {
                self.cast_at_unproven_chunk(chunk);
            }
            remaining -= count;
            if remaining == 0 || refined.is_empty() && swept.is_empty() {
                break;
            }
        }
        for _ in 0..remaining {
            self.cast_into_view();
        }
    }

    /// Chooses a random point in the open voxels of the cell.
    fn random_start(&mut self) -> DVec3 {
        // The list is never empty, because the viewer is in an open voxel. The viewer's voxel is
        // only a fallback.
        let choice = below(self.random, self.voxels.len().max(1));
        let voxel = self.voxels.get(choice).copied().unwrap_or(self.scene.viewer());
        point(self.random, voxel, 1)
    }

    /// Casts a ray at an unproven chunk: near an earlier ray, because rays close to a ray that
    /// passes a gap often pass the gap too, or from a random point to a random point.
    fn cast_at_unproven_chunk(&mut self, chunk: usize) {
        let face = Face::ALL[below(self.random, 6)];
        let adjacent = self
            .scene
            .graph()
            .index()
            .slot(self.scene.graph().index().position(chunk).offset(face.normal()));
        let adjacent_ray = adjacent.and_then(|adjacent| self.rays.get(&adjacent)).copied();
        let origin = self.scene.graph().index().position(chunk).origin();
        let any = point(self.random, origin, CHUNK_SIDE);
        let (from, to) =
            match (below(self.random, 6), adjacent_ray, self.closest.get(&chunk).copied()) {
                // Near the start of a ray that entered an adjacent chunk, in about the same
                // direction.
                (0, Some(ProvingRay { from, direction: along }), _) => {
                    let from = point(self.random, from.floor().as_ivec3(), 1);
                    let turn = direction(self.random) * 0.5f64.powi(below(self.random, 10) as i32);
                    self.trace(from, along.normalize() + turn);
                    return;
                }
                // From the start of that ray to a random point in the chunk.
                (1, Some(ProvingRay { from, .. }), _) => (from, any),
                // Near the ray that came closest.
                (2.., _, Some(ClosestRay { from, to, .. })) => {
                    let scale = 2f64.powi(below(self.random, 8) as i32 - 3);
                    let moved = from + direction(self.random) * scale;
                    let from = if self.is_in_cell(moved) { moved } else { from };
                    let lo = origin.as_dvec3();
                    let hi = (origin + CHUNK_SIDE).as_dvec3();
                    (from, (to + direction(self.random) * scale).clamp(lo, hi))
                }
                _ => (self.random_start(), any),
            };
        let gap = self.trace(from, to - from).map_or(0.0, |hit| {
            let hit = hit.voxel.as_dvec3() + 0.5;
            hit.distance(hit.clamp(origin.as_dvec3(), (origin + CHUNK_SIDE).as_dvec3()))
        });
        if self.closest.get(&chunk).is_none_or(|closest| gap <= closest.gap) {
            self.closest.insert(chunk, ClosestRay { from, to, gap });
        }
    }

    /// True if `point` lies in an open voxel of the cell.
    fn is_in_cell(&mut self, point: DVec3) -> bool {
        if self.voxel_set.is_empty() {
            self.voxel_set = self.voxels.iter().copied().collect();
        }
        self.voxel_set.contains(&point.floor().as_ivec3())
    }

    /// Follows a ray, and records the chunks and rooms that it proves visible.
    fn trace(&mut self, from: DVec3, direction: DVec3) -> Option<OccluderHit> {
        if direction == DVec3::ZERO {
            return None;
        }
        let mut entries = std::mem::take(&mut self.entries);
        let hit = self.scene.trace(from, direction, &mut entries);
        let ray = ProvingRay { from, direction };
        for entry in &entries {
            if bitset::insert(&mut self.chunks, entry.chunk) {
                self.rays.insert(entry.chunk, ray);
                let swept = &self.sets.sweep.chunks;
                let refined = &self.sets.refined;
                if !bitset::contains(swept, entry.chunk) {
                    self.misses.chunks += 1;
                    self.describe_miss("the sweep's chunks", entry, ray);
                } else if !bitset::contains(refined, entry.chunk) {
                    self.misses.refined += 1;
                    self.describe_miss("the refined chunks", entry, ray);
                }
            }
            let Some(node) = self.scene.node(entry) else { continue };
            let is_new = (node as usize) < self.scene.graph().node_count()
                && bitset::insert(&mut self.nodes, node as usize);
            if (is_new || node as usize >= self.scene.graph().node_count())
                && !bitset::contains(&self.sets.sweep.nodes, node as usize)
            {
                self.misses.rooms += 1;
                self.describe_miss("the sweep's rooms", entry, ray);
            }
        }
        self.entries = entries;
        hit
    }

    fn describe_miss(
        &mut self,
        set: &str,
        entry: &RayEntry,
        ProvingRay { from, direction }: ProvingRay,
    ) {
        if self.misses.first.len() < Misses::MAX_DESCRIPTIONS {
            let chunk = self.scene.graph().index().position(entry.chunk);
            let viewer = self.scene.viewer();
            self.misses.first.push(format!(
                "{set} from the cell of voxel {viewer} lack {chunk}: a ray from {from} along {direction} enters it at {}",
                entry.voxel
            ));
        }
    }
}
