//! Spawning of creatures: once in each chunk, by the habitats of the kinds.

use super::creatures::Creatures;
use super::kinds::{CreatureKind, Gait};
use super::nav::NavClass;
use super::view::CreatureView;
use crate::random::Random;
use crate::voxel::ChunkPos;
use glam::IVec3;

/// Maximum number of chunks populated per tick.
const CHUNKS_PER_TICK: usize = 4;
/// Maximum number of waiting chunks checked per tick.
const CHECKS_PER_TICK: usize = 64;
/// Number of random places tried for each creature.
const TRIES: u32 = 24;
/// Maximum distance of the members of a group from the first one, in voxels.
const GROUP_REACH: i32 = 8;

impl Creatures {
    /// Populates some of the waiting chunks and returns the number of new creatures.
    ///
    /// A chunk is populated once it and the chunks above and below it are loaded, because its
    /// places depend on them. A chunk that has to wait is checked again only after another chunk
    /// was loaded or unloaded.
    pub(super) fn populate(&mut self, view: &CreatureView<'_>) -> usize {
        let before = self.len();
        let mut populated = 0;
        if self.loads_seen != view.nav.loads() {
            self.loads_seen = view.nav.loads();
            self.looks_left = self.waiting.len();
        }
        for _ in 0..self.looks_left.min(CHECKS_PER_TICK) {
            self.looks_left -= 1;
            let Some(pos) = self.waiting.pop_front() else { break };
            if !view.nav.is_loaded(pos) || self.populated.contains(pos) {
                continue;
            }
            let mut above_and_below =
                [1, -1].map(|dy| ChunkPos::new(pos.x, pos.y + dy, pos.z)).into_iter();
            if !above_and_below.all(|other| view.nav.is_loaded(other) || !other.in_world()) {
                self.waiting.push_back(pos);
                continue;
            }
            if !self.populated.insert(pos) {
                continue;
            }
            self.spawn_in(pos, view);
            populated += 1;
            if populated == CHUNKS_PER_TICK {
                break;
            }
        }
        self.len() - before
    }

    fn spawn_in(&mut self, pos: ChunkPos, view: &CreatureView<'_>) {
        let places = view.nav.place_count(pos);
        if places == 0 {
            return;
        }
        let hash = [pos.x, pos.y, pos.z].into_iter().fold(0u64, |hash, part| {
            (hash ^ u64::from(part.cast_unsigned()))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(23)
        });
        for kind in 0..self.kinds.list().len() {
            let mut random = Random::with_parts(self.seed, [hash, kind as u64]);
            let habitat = &self.kinds.list()[kind].habitat;
            if !random.draw().is_multiple_of(habitat.one_in_chunks) {
                continue;
            }
            let min = *habitat.group.start();
            let max = (*habitat.group.end()).max(min);
            let members = min + random.below(u32::from(max - min) + 1) as u16;
            let mut first: Option<IVec3> = None;
            for _ in 0..members {
                for _ in 0..TRIES {
                    let Some(at) = view.nav.nth_place(pos, random.index(places)) else { break };
                    let is_near =
                        first.is_none_or(|first| (at - first).abs().max_element() <= GROUP_REACH);
                    if !is_near || !fits(&self.kinds.list()[kind], at, view) || self.is_full() {
                        continue;
                    }
                    let at = if self.kinds.list()[kind].gait == Gait::Hover {
                        at + IVec3::Y
                    } else {
                        at
                    };
                    if self.is_free(at) {
                        first.get_or_insert(at);
                        self.place(kind, at);
                        break;
                    }
                }
            }
        }
    }
}

/// True if a place meets the conditions of a kind's habitat.
fn fits(kind: &CreatureKind, at: IVec3, view: &CreatureView<'_>) -> bool {
    let habitat = &kind.habitat;
    let wanted = if kind.gait == Gait::Swim { NavClass::Water } else { NavClass::Open };
    habitat.heights.contains(&at.y)
        && view.nav.class(at) == wanted
        && (habitat.on.is_empty() || habitat.on.contains(&view.world.get(at - IVec3::Y).material()))
        && habitat.light.contains(&(view.light)(at).sun)
}
