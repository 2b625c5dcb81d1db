//! What the player may see, right at every moment: while chunks come and go, and while the player digs.
//!
//! The player's cell is swept when it is entered, and when something was opened that its set holds; in the background the set
//! is then taken from what a map has baked, if it has, and refined, and those of the cells around. Sets are kept by cell. What
//! closes leaves them as they are, too large but right; what opens throws away those that hold its chunk, and no others: no
//! line came there.

use super::bits;
use super::job::{Done, Job};
use super::rooms::Cell;
use super::sights::Sights;
use super::{Places, Sight, Sweeper, Window};
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos};
use crate::world::view::vertical_reach;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Sets are kept of cells in chunks as far from the player's as this: the window holds all within view of them.
const MARGIN: i32 = 1;
/// The most sets that are kept.
const MOST_KEPT: usize = 512;

/// A cell, and the chunk it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The chunk.
    pub chunk: ChunkPos,
    /// The cell, one of the chunk's.
    pub cell: Cell,
}

/// How a set was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Made {
    /// Swept: to be made smaller in the background.
    Swept,
    /// As a map has it baked: soon there, but not as small as can be.
    Baked,
    /// Refined: as small as can be computed.
    Refined,
}

/// The set of one cell.
struct Kept {
    /// A bit for each chunk, by its place in the window.
    chunks: Vec<u64>,
    made: Made,
    /// Something that it holds has closed since: it may be too large.
    loose: bool,
    /// When it was last looked at: the greater, the later.
    used: u64,
}

/// A job that is out.
struct Out {
    chunk: ChunkPos,
    /// The places that have opened since it began.
    opened: Vec<usize>,
    /// It does not count: its cell, or its places, may not be what they were.
    spoiled: bool,
}

/// The player's surroundings, and the sets of cells.
pub struct Around {
    window: Window,
    centre: ChunkPos,
    view: i32,
    sweeper: Sweeper,
    /// The voxel that was looked from last, and its cell; no cell in rock.
    here: Option<(IVec3, Option<Place>)>,
    kept: FxHashMap<Place, Kept>,
    looks: u64,
    revision: u64,
    /// The job that is out.
    out: Option<Out>,
    /// How long the last sweep took.
    pub sweep_time: Duration,
    /// How long the last refinement took.
    pub refine_time: Duration,
}

impl Around {
    /// Of a player in the chunk `centre` who sees as far as `view` chunks. `sight` knows the chunks that are loaded.
    #[must_use]
    pub fn new(centre: ChunkPos, view: i32, sight: impl FnMut(ChunkPos) -> Option<Sight>) -> Around {
        let reach = Self::reach(view);
        let bounds = Box3 { min: centre.as_ivec3() - reach, max: centre.as_ivec3() + reach + 1 };
        Around {
            window: Window::new(bounds, sight),
            centre,
            view,
            sweeper: Sweeper::default(),
            here: None,
            kept: FxHashMap::default(),
            looks: 0,
            revision: 0,
            out: None,
            sweep_time: Duration::ZERO,
            refine_time: Duration::ZERO,
        }
    }

    /// The same, in the place of another, whose revisions it goes on from: none of its own is one that the other had.
    #[must_use]
    pub fn instead_of(mut self, other: &Around) -> Around {
        self.revision = other.revision + 1;
        self
    }

    fn reach(view: i32) -> IVec3 {
        IVec3::new(view, vertical_reach(view), view) + MARGIN
    }

    /// How far one sees, in chunks.
    #[must_use]
    pub fn view(&self) -> i32 {
        self.view
    }

    /// What is known of the chunks around.
    #[must_use]
    pub fn sights(&self) -> &Sights {
        self.window.sights()
    }

    /// The player is in the chunk `centre` now. `sight` knows the loaded ones of the chunks that come into the window.
    pub fn follow(&mut self, centre: ChunkPos, sight: impl FnMut(ChunkPos) -> Option<Sight>) {
        if self.centre == centre {
            return;
        }
        self.centre = centre;
        self.window.move_to(centre.as_ivec3() - Self::reach(self.view), sight);
        self.tidy_window();
        // Of cells farther away the window does not hold all within view: places stand for other chunks by now.
        let is_near = |chunk: ChunkPos| (chunk.as_ivec3() - centre.as_ivec3()).abs().max_element() <= MARGIN;
        self.here = self.here.filter(|(at, _)| is_near(ChunkPos::containing(*at)));
        self.kept.retain(|place, _| is_near(place.chunk));
        if let Some(out) = &mut self.out {
            out.spoiled |= !is_near(out.chunk);
        }
    }

    /// Another chunk is at `pos`, or none if it is not loaded any more.
    pub fn set(&mut self, pos: ChunkPos, sight: Option<Sight>) {
        let Some(index) = self.window.places().index(pos) else { return };
        let sight = sight.unwrap_or(Sight::OPEN);
        let before = self.window.sights().chunk(index);
        let opens = before.blockers.any_beyond(&sight.blockers);
        let closes = sight.blockers.any_beyond(&before.blockers);
        if !opens && !closes {
            return;
        }
        self.window.set(pos, Some(sight));
        self.tidy_window();
        // Numbers of rooms, and with them cells, are no longer what they were.
        self.here = self.here.filter(|(at, _)| ChunkPos::containing(*at) != pos);
        self.kept.retain(|place, kept| {
            let holds = bits::has(&kept.chunks, index);
            kept.loose |= closes && holds;
            place.chunk != pos && !(opens && holds)
        });
        if let Some(out) = &mut self.out {
            out.spoiled |= out.chunk == pos;
            out.opened.extend(opens.then_some(index));
        }
    }

    fn tidy_window(&mut self) {
        if self.window.waste() > 0.6 {
            self.window.compact();
        }
    }

    /// The chunk at `pos` is not what the map holds, from which sets may have been taken: those that hold it are thrown away.
    pub fn doubt(&mut self, pos: ChunkPos) {
        let Some(index) = self.window.places().index(pos) else { return };
        self.kept.retain(|place, kept| place.chunk != pos && !bits::has(&kept.chunks, index));
        if let Some(out) = &mut self.out {
            out.opened.push(index);
        }
    }

    /// Makes sure that the set of the cell at `eye`, a voxel of the player's chunk, is right. `tidy` takes what has closed out of it,
    /// too. Nothing is culled in rock: none.
    pub fn look(&mut self, eye: IVec3, tidy: bool) -> Option<Place> {
        let place = match self.here {
            Some((at, place)) if at == eye => place,
            _ => {
                let chunk = ChunkPos::containing(eye);
                let index = self.window.places().index(chunk)?;
                let cell = self.window.sights().chunk(index).cell_at(eye & (CHUNK_SIDE - 1));
                let place = cell.map(|cell| Place { chunk, cell });
                if self.here.is_none_or(|(at, before)| before != place || ChunkPos::containing(at) != chunk) {
                    self.revision += 1;
                }
                self.here = Some((eye, place));
                place
            }
        }?;
        self.looks += 1;
        let stale = match self.kept.get_mut(&place) {
            Some(kept) => {
                kept.used = self.looks;
                kept.loose && tidy
            }
            None => true,
        };
        if stale {
            self.sweep(place);
            self.revision += 1;
        }
        Some(place)
    }

    /// Sweeps a cell. What its set did not hold before, it does not now: it may only have closed.
    fn sweep(&mut self, place: Place) {
        let start = Instant::now();
        let swept = self.sweeper.sweep(&self.window, place.chunk, &place.cell, self.view);
        let mut chunks = swept.chunks.clone();
        self.sweep_time = start.elapsed();
        let mut made = Made::Swept;
        if let Some(before) = self.kept.get(&place) {
            chunks.iter_mut().zip(&before.chunks).for_each(|(word, before)| *word &= before);
            // The map would say the same of it again; shafts may find more.
            made = if before.made == Made::Baked { Made::Baked } else { Made::Swept };
        }
        if self.kept.len() >= MOST_KEPT
            && let Some(oldest) = self.kept.iter().min_by_key(|(_, kept)| kept.used).map(|(place, _)| *place)
        {
            self.kept.remove(&oldest);
        }
        self.kept.insert(place, Kept { chunks, made, loose: false, used: self.looks });
    }

    /// The cell that was looked at last; none in rock.
    #[must_use]
    pub fn here(&self) -> Option<Place> {
        self.here?.1
    }

    /// Another number after each change of the set that is looked at.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The set of the cell that was looked at last, a bit for each chunk by place, and how it was made; none in rock.
    #[must_use]
    pub fn set_here(&self) -> Option<(&[u64], Made)> {
        let kept = self.kept.get(&self.here()?)?;
        Some((&kept.chunks, kept.made))
    }

    /// Sets that are kept, those of them that are refined, and their bytes.
    #[must_use]
    pub fn kept(&self) -> (usize, usize, usize) {
        let refined = self.kept.values().filter(|kept| kept.made == Made::Refined).count();
        (self.kept.len(), refined, self.kept.values().map(|kept| kept.chunks.len() * 8).sum())
    }

    /// The next set to refine in the background: that of the cell looked at, then those of cells around it. None if there is
    /// nothing to do, or a job is out.
    pub fn job(&mut self) -> Option<Job> {
        if self.out.is_some() {
            return None;
        }
        let (eye, here) = self.here?;
        let is_due =
            |around: &Around, place: &Place| around.kept.get(place).is_none_or(|kept| kept.made != Made::Refined);
        let place = here.filter(|here| is_due(self, here)).or_else(|| self.next_around(eye, is_due))?;
        if !self.kept.contains_key(&place) {
            self.sweep(place);
        }
        self.out = Some(Out { chunk: place.chunk, opened: Vec::new(), spoiled: false });
        let kept = self.kept.get(&place)?;
        Some(Job { sights: self.window.sights().clone(), place, chunks: kept.chunks.clone(), made: kept.made })
    }

    /// The nearest cell whose set is due, among those in the chunks around.
    fn next_around(&self, eye: IVec3, is_due: impl Fn(&Around, &Place) -> bool) -> Option<Place> {
        let home = ChunkPos::containing(eye);
        let near = (0..27).map(|i| home.offset(IVec3::new(i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1)));
        let cells = near.filter(|pos| (pos.as_ivec3() - self.centre.as_ivec3()).abs().max_element() <= MARGIN);
        let cells = cells.filter_map(|chunk| Some((chunk, self.window.places().index(chunk)?)));
        let cells = cells.flat_map(|(chunk, index)| {
            self.window.sights().chunk(index).rooms.cells().iter().map(move |&cell| Place { chunk, cell })
        });
        let distance = |place: &Place| {
            let corner = |at: [u8; 3]| place.chunk.origin() + IVec3::from_array(at.map(i32::from));
            let nearest = eye.clamp(corner(place.cell.lo), corner(place.cell.hi) - 1);
            (nearest - eye).length_squared()
        };
        // Farther than this nobody is before it would be done.
        let due = cells.filter(|place| distance(place) <= CHUNK_SIDE * CHUNK_SIDE && is_due(self, place));
        due.min_by_key(distance)
    }

    /// Takes in what came of a job, if nothing has opened in its set since.
    pub fn finish(&mut self, done: Done) {
        let Some(out) = self.out.take() else { return };
        if done.made == Made::Refined {
            self.refine_time = done.time;
        }
        let Some(kept) = self.kept.get_mut(&done.place) else { return };
        if out.spoiled || out.opened.iter().any(|&index| bits::has(&done.swept, index)) {
            return;
        }
        // A sweep may have taken out what has closed meanwhile.
        kept.chunks.iter_mut().zip(&done.refined).for_each(|(word, refined)| *word &= refined);
        kept.made = done.made;
        if self.here.is_some_and(|(_, here)| here == Some(done.place)) {
            self.revision += 1;
        }
    }

    /// Where the bits of sets belong.
    #[must_use]
    pub fn places(&self) -> Places {
        *self.window.places()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visibility::{Blockers, Rooms};
    use crate::voxel::{CHUNK_VOLUME, linear_offset};

    fn sight(hides: impl Fn(IVec3) -> bool) -> Sight {
        let mut words = [0u64; CHUNK_VOLUME / 64];
        for index in (0..CHUNK_VOLUME).filter(|&index| hides(linear_offset(index))) {
            words[index / 64] |= 1 << (index % 64);
        }
        let blockers = Blockers::Some(words.into());
        Sight { rooms: Rooms::of(&blockers), blockers }
    }

    fn sees(around: &Around, x: i32) -> bool {
        let index = around.places().index(ChunkPos::new(x, 0, 0)).expect("in the window");
        bits::has(around.set_here().expect("a cell").0, index)
    }

    /// A row of chunks along x, each with a wall across its middle, and rock all around.
    fn walled() -> Around {
        Around::new(ChunkPos::default(), 4, walled_sight)
    }

    fn walled_sight(pos: ChunkPos) -> Option<Sight> {
        Some(if pos.y == 0 && pos.z == 0 { sight(|at| at.x == 16) } else { sight(|_| true) })
    }

    #[test]
    fn what_opens_is_seen_at_once_and_what_closes_when_there_is_time() {
        let mut around = walled();
        let eye = IVec3::splat(20);
        around.look(eye, false).expect("a cell");
        assert!(sees(&around, 0) && sees(&around, 1) && !sees(&around, 2));
        let before = around.revision();
        around.look(eye + IVec3::X, false);
        assert_eq!(around.revision(), before, "the same cell");
        // A chunk that the set does not hold, then one that it does.
        around.set(ChunkPos::new(2, 0, 0), Some(Sight::OPEN));
        assert_eq!(around.kept().0, 1, "its set is kept");
        around.set(ChunkPos::new(1, 0, 0), Some(Sight::OPEN));
        assert_eq!(around.kept().0, 0);
        around.look(eye, false);
        assert!(sees(&around, 2) && sees(&around, 3) && !sees(&around, 4));
        assert!(around.revision() > before);
        around.set(ChunkPos::new(1, 0, 0), Some(sight(|at| at.x == 16)));
        around.look(eye, false);
        assert!(sees(&around, 3), "too much, not wrong");
        around.look(eye, true);
        assert!(!sees(&around, 2));
        assert_eq!(around.look(IVec3::splat(16), true), None, "in rock");
    }

    #[test]
    fn refined_sets_count_only_if_nothing_opened() {
        for opens in [false, true] {
            let mut around = walled();
            let eye = IVec3::splat(20);
            around.look(eye, true);
            let job = around.job().expect("the cell's set");
            assert!(around.job().is_none(), "one at a time");
            if opens {
                around.set(ChunkPos::new(1, 0, 0), Some(Sight::OPEN));
                // Its set is a new one, that what comes of the job must not touch.
                around.look(eye, true);
            }
            around.finish(job.run());
            around.look(eye, true);
            assert_eq!(sees(&around, 2), opens);
            assert_eq!(around.set_here().expect("a cell").1 == Made::Refined, !opens);
        }
    }

    #[test]
    fn revisions_go_on_in_the_place_of_another() {
        let (mut before, eye) = (walled(), IVec3::splat(20));
        before.look(eye, true);
        let mut seen = vec![before.revision()];
        for _ in 0..2 {
            let mut next = walled().instead_of(&before);
            seen.push(next.revision());
            next.look(eye, true);
            seen.push(next.revision());
            before = next;
        }
        assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
    }

    #[test]
    fn what_a_map_said_stays_when_something_closes() {
        for (made, then) in [(Made::Baked, Made::Baked), (Made::Refined, Made::Swept)] {
            let mut around = walled();
            let eye = IVec3::splat(20);
            around.look(eye, true);
            let done = Done { made, ..around.job().expect("the cell's set").leave() };
            around.finish(done);
            around.set(ChunkPos::new(1, 0, 0), Some(sight(|at| at.x == 16 || at.y == 0)));
            around.look(eye, true);
            assert_eq!(around.set_here().expect("a cell").1, then);
        }
    }

    #[test]
    fn what_is_no_longer_trusted_goes() {
        let mut around = walled();
        let eye = IVec3::splat(20);
        around.look(eye, true);
        let job = around.job().expect("the cell's set");
        around.doubt(ChunkPos::new(2, 0, 0));
        assert_eq!(around.kept().0, 1, "it does not hold that");
        around.doubt(ChunkPos::new(1, 0, 0));
        assert_eq!(around.kept().0, 0);
        around.look(eye, true);
        around.finish(job.run());
        assert_eq!(around.set_here().expect("a cell").1, Made::Swept, "what began before does not count");
        // Nor what began before the cell's own chunk changed, be it only closed, or was left far behind.
        for leave in [false, true] {
            let job = around.job().expect("the cell's set");
            if leave {
                around.follow(ChunkPos::new(9, 0, 0), |_| None);
                around.follow(ChunkPos::default(), walled_sight);
            } else {
                around.set(ChunkPos::default(), Some(sight(|at| at.x == 16 || at.y == 0)));
            }
            around.look(eye, true);
            around.finish(job.run());
            assert_eq!(around.set_here().expect("a cell").1, Made::Swept);
        }
    }

    #[test]
    fn cells_around_are_refined_ahead_and_kept_while_near() {
        let mut around = walled();
        around.look(IVec3::splat(20), true);
        while let Some(job) = around.job() {
            around.finish(job.run());
        }
        let (kept, refined, _) = around.kept();
        assert!(kept > 8 && kept == refined, "{kept} sets, {refined} refined");
        around.follow(ChunkPos::new(1, 0, 0), |_| Some(sight(|_| true)));
        assert!(around.kept().0 > 8 && around.kept().0 < kept);
        let before = around.sweep_time;
        around.look(IVec3::new(36, 20, 20), true);
        assert_eq!(around.sweep_time, before, "no sweep was needed");
        assert!(around.set_here().expect("a cell").1 == Made::Refined && sees(&around, 0) && !sees(&around, 2));
        around.follow(ChunkPos::new(9, 0, 0), |_| None);
        assert_eq!(around.kept().0, 0);
    }
}
