//! The judge: rays from a cell, and what they prove.
//!
//! Each chunk that a ray comes into is seen, and each room, whatever was computed. One that a set does not hold is *missed*.
//! The other way round, the chunks that rays have come into are a lower bound of what a set must hold.
//!
//! Rays in all directions find what is near and large. So others are aimed: at any chunk in view, which finds what a set
//! has left out; and at chunks that a set holds but no ray has come into, most of them close to a ray that came into the
//! chunk next to it, or that came closest of all (a search uphill).

use super::random::{below, direction, point};
use super::scene::{Entry, Hit, Scene};
use crate::lab::input::Random;
use crate::visibility::{Cell, Sweeper, VisibleSet, bitset, refine};
use crate::voxel::{CHUNK_SIDE, Face};
use glam::{DVec3, IVec3};
use rustc_hash::{FxHashMap, FxHashSet};

/// What visibility says that a cell sees.
#[derive(Clone, Debug)]
pub struct Sets {
    /// By the sweep.
    pub sweep: VisibleSet,
    /// Of the sweep's chunks what the refinement has left.
    pub refined: Vec<u64>,
}

impl Sets {
    /// Of a cell of the viewer's chunk.
    #[must_use]
    pub fn of(scene: &Scene, cell: &Cell, sweeper: &mut Sweeper) -> Sets {
        let Sets { sweep, .. } = Sets::swept(scene, cell, sweeper);
        let refined = refine(scene.window().occlusion(), scene.centre(), cell, &sweep.chunks);
        Sets { sweep, refined }
    }

    /// The same, not refined.
    #[must_use]
    pub fn swept(scene: &Scene, cell: &Cell, sweeper: &mut Sweeper) -> Sets {
        let sweep = sweeper.sweep(scene.window(), scene.centre(), cell, scene.view()).clone();
        Sets { refined: sweep.chunks.clone(), sweep }
    }
}

/// What was seen by rays and is not in a set.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Missed {
    /// Chunks that the sweep does not hold.
    pub chunks: u64,
    /// Rooms that the sweep does not hold.
    pub rooms: u64,
    /// Chunks that the refined set does not hold, though the sweep does.
    pub refined: u64,
    /// The first few of them, a line each.
    pub first: Vec<String>,
}

impl Missed {
    /// Lines that are kept.
    const LINES: usize = 5;

    /// All together.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.chunks + self.rooms + self.refined
    }

    /// Counts what `other` has as well.
    pub fn add(&mut self, other: Missed) {
        self.chunks += other.chunks;
        self.rooms += other.rooms;
        self.refined += other.refined;
        self.first.extend(other.first);
        self.first.truncate(Missed::LINES);
    }
}

/// Casts rays from a cell, and keeps what they prove.
pub struct Judge<'a> {
    scene: &'a mut Scene,
    sets: &'a Sets,
    random: &'a mut Random,
    /// The open voxels of the cell.
    voxels: Vec<IVec3>,
    /// Chunks that rays came into, a bit each, and rooms.
    chunks: Vec<u64>,
    nodes: Vec<u64>,
    /// For each chunk the first ray that came into it: its beginning and direction.
    rays: FxHashMap<usize, (DVec3, DVec3)>,
    /// For each chunk that no ray has come into the one that was aimed at it and came closest.
    closest: FxHashMap<usize, Closest>,
    /// The open voxels of the cell, once they are asked for.
    inside: FxHashSet<IVec3>,
    entries: Vec<Entry>,
    missed: Missed,
}

/// A ray that did not come to its end.
#[derive(Clone, Copy)]
struct Closest {
    from: DVec3,
    to: DVec3,
    /// How far from the chunk it hit something.
    gap: f64,
}

impl<'a> Judge<'a> {
    /// Of what is seen from a cell of the viewer's chunk.
    #[must_use]
    pub fn new(scene: &'a mut Scene, cell: &Cell, sets: &'a Sets, random: &'a mut Random) -> Judge<'a> {
        let voxels = scene.voxels_of(cell);
        let (chunks, nodes) = (scene.window().index().len(), scene.window().node_count());
        Judge {
            scene,
            sets,
            random,
            voxels,
            chunks: bitset::empty(chunks),
            nodes: bitset::empty(nodes),
            rays: FxHashMap::default(),
            closest: FxHashMap::default(),
            inside: FxHashSet::default(),
            entries: Vec::new(),
            missed: Missed::default(),
        }
    }

    /// The chunks that rays have come into, a bit for each of the window's, and what was missed.
    #[must_use]
    pub fn verdict(self) -> (Vec<u64>, Missed) {
        (self.chunks, self.missed)
    }

    /// Casts so many rays of all kinds: an eighth in all directions, an eighth at any chunk in view.
    pub fn cast(&mut self, rays: u64) {
        let few = rays.div_ceil(8);
        (0..few).for_each(|_| self.ray_anywhere());
        (few..rays.min(2 * few)).for_each(|_| self.ray_into_view());
        self.at_unproven(rays.saturating_sub(2 * few));
    }

    /// Casts a ray in any direction.
    pub fn ray_anywhere(&mut self) {
        let (from, way) = (self.start(), direction(self.random));
        self.ray(from, way);
    }

    /// Casts a ray to a point of the voxel at `at`, or beyond it.
    pub fn ray_to_voxel(&mut self, at: IVec3) {
        let (from, to) = (self.start(), point(self.random, at, 1));
        self.ray(from, to - from);
    }

    /// Casts a ray to a point of any chunk in view.
    pub fn ray_into_view(&mut self) {
        // Most chunks of the window are in view, the viewer's own always.
        let chunk = loop {
            let chunk = below(self.random, self.scene.window().index().len());
            if self.scene.is_in_view(chunk) {
                break chunk;
            }
        };
        let from = self.start();
        self.ray_to_chunk(from, chunk);
    }

    /// Casts rays at chunks that the sets hold and no ray has come into: round after round at those of the refined set, and
    /// now and then at those that were taken out.
    fn at_unproven(&mut self, rays: u64) {
        let [mut refined, mut swept] =
            [&self.sets.refined, &self.sets.sweep.chunks].map(|set| bitset::members(set).collect::<Vec<_>>());
        let mut left = rays;
        for round in 0.. {
            let list = if round % 6 == 5 { &mut swept } else { &mut refined };
            list.retain(|&chunk| !bitset::contains(&self.chunks, chunk));
            let now = left.min(list.len() as u64);
            list[..now as usize].iter().for_each(|&chunk| self.ray_at_unproven(chunk));
            left -= now;
            if left == 0 || refined.is_empty() && swept.is_empty() {
                break;
            }
        }
        // All are proven.
        (0..left).for_each(|_| self.ray_into_view());
    }

    fn start(&mut self) -> DVec3 {
        // No cell is without open voxels: the viewer is in one.
        let choice = below(self.random, self.voxels.len().max(1));
        let voxel = self.voxels.get(choice).copied().unwrap_or(self.scene.viewer());
        point(self.random, voxel, 1)
    }

    /// Casts a ray at a chunk that none has come into: one that is like another, as where one line goes through a gap, those
    /// close by do; or any.
    fn ray_at_unproven(&mut self, chunk: usize) {
        let face = Face::ALL[below(self.random, 6)];
        let next = self.scene.window().index().slot(self.scene.window().index().position(chunk).offset(face.normal()));
        let like = next.and_then(|next| self.rays.get(&next)).copied();
        let origin = self.scene.window().index().position(chunk).origin();
        let any = point(self.random, origin, CHUNK_SIDE);
        let (from, to) = match (below(self.random, 6), like, self.closest.get(&chunk).copied()) {
            // Beside one that came into a chunk next to it, to the same side or into this chunk.
            (0, Some((from, way)), _) => {
                let from = point(self.random, from.floor().as_ivec3(), 1);
                let turn = direction(self.random) * 0.5f64.powi(below(self.random, 10) as i32);
                self.ray(from, way.normalize() + turn);
                return;
            }
            (1, Some((from, _)), _) => (from, any),
            // Beside the one that came closest.
            (2.., _, Some(Closest { from, to, .. })) => {
                let scale = 2f64.powi(below(self.random, 8) as i32 - 3);
                let moved = from + direction(self.random) * scale;
                let from = if self.is_in_cell(moved) { moved } else { from };
                let (lo, hi) = (origin.as_dvec3(), (origin + CHUNK_SIDE).as_dvec3());
                (from, (to + direction(self.random) * scale).clamp(lo, hi))
            }
            _ => (self.start(), any),
        };
        let gap = self.ray(from, to - from).map_or(0.0, |hit| {
            let hit = hit.at.as_dvec3() + 0.5;
            hit.distance(hit.clamp(origin.as_dvec3(), (origin + CHUNK_SIDE).as_dvec3()))
        });
        if self.closest.get(&chunk).is_none_or(|closest| gap <= closest.gap) {
            self.closest.insert(chunk, Closest { from, to, gap });
        }
    }

    /// True if a point lies in an open voxel of the cell.
    fn is_in_cell(&mut self, at: DVec3) -> bool {
        if self.inside.is_empty() {
            self.inside = self.voxels.iter().copied().collect();
        }
        self.inside.contains(&at.floor().as_ivec3())
    }

    fn ray_to_chunk(&mut self, from: DVec3, chunk: usize) {
        let to = point(self.random, self.scene.window().index().position(chunk).origin(), CHUNK_SIDE);
        self.ray(from, to - from);
    }

    /// Casts a ray, and notes what it proves.
    fn ray(&mut self, from: DVec3, way: DVec3) -> Option<Hit> {
        if way == DVec3::ZERO {
            return None;
        }
        let mut entries = std::mem::take(&mut self.entries);
        let hit = self.scene.trace(from, way, &mut entries);
        for entry in &entries {
            if bitset::insert(&mut self.chunks, entry.chunk) {
                self.rays.insert(entry.chunk, (from, way));
                let (swept, refined) = (&self.sets.sweep.chunks, &self.sets.refined);
                if !bitset::contains(swept, entry.chunk) {
                    self.missed.chunks += 1;
                    self.note("the sweep's chunks", entry, from, way);
                } else if !bitset::contains(refined, entry.chunk) {
                    self.missed.refined += 1;
                    self.note("the refined chunks", entry, from, way);
                }
            }
            let Some(node) = self.scene.node(entry) else { continue };
            let is_new =
                (node as usize) < self.scene.window().node_count() && bitset::insert(&mut self.nodes, node as usize);
            if (is_new || node as usize >= self.scene.window().node_count())
                && !bitset::contains(&self.sets.sweep.nodes, node as usize)
            {
                self.missed.rooms += 1;
                self.note("the sweep's rooms", entry, from, way);
            }
        }
        self.entries = entries;
        hit
    }

    fn note(&mut self, set: &str, entry: &Entry, from: DVec3, way: DVec3) {
        if self.missed.first.len() < Missed::LINES {
            let (chunk, viewer) = (self.scene.window().index().position(entry.chunk), self.scene.viewer());
            self.missed.first.push(format!(
                "{set} from the cell of voxel {viewer} lack {chunk}: ray from {from} along {way} comes into it at {}",
                entry.voxel
            ));
        }
    }
}
