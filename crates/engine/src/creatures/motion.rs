//! Motion of a creature from one voxel to the next. Uses integers only, so that all machines
//! compute the same.

use super::kinds::VOXEL;
use glam::{DVec3, IVec3};

/// Position and motion of a creature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Motion {
    /// Voxel of the feet; while the creature moves, the voxel that it leaves.
    pub from: IVec3,
    /// Voxel that the creature enters; equal to `from` while the creature does not move.
    pub to: IVec3,
    pub id: u32,
    /// Progress to the next voxel, in 1/[`VOXEL`] of the step.
    pub progress: u16,
    /// Progress per tick.
    pub speed: u16,
    pub kind: u8,
    /// Direction that the creature faces, in 256ths of a turn: 0 north (-z), 64 east.
    pub heading: u8,
    /// True for a creature that never leaves its voxel.
    pub is_pinned: bool,
    /// True while the creature sleeps.
    pub is_asleep: bool,
    /// Voxels walked so far, the current step included, modulo 65,536.
    pub distance: u16,
    /// Length of the current or last step, in voxels.
    pub cost: u16,
    /// Tick until which a creature that does not move is skipped, unless an event wakes it.
    pub(crate) wake_at: u64,
    /// Tick at which the creature next chooses a mood.
    pub(crate) think_at: u64,
}

/// Maximum turn per tick, in 256ths of a full turn.
const MAX_TURN: i8 = 24;

impl Motion {
    /// Creates a creature at rest.
    pub fn new(id: u32, kind: u8, at: IVec3, heading: u8) -> Motion {
        Motion {
            from: at,
            to: at,
            id,
            progress: 0,
            speed: 0,
            kind,
            heading,
            is_pinned: false,
            is_asleep: false,
            distance: 0,
            cost: 1,
            wake_at: 0,
            think_at: 0,
        }
    }

    #[inline(always)]
    pub fn is_moving(&self) -> bool {
        self.from != self.to
    }

    /// Starts a step into another voxel. A step of cost `cost` takes as long as that many voxels.
    /// The length walked beyond the end of the last step counts as progress.
    pub fn start(&mut self, to: IVec3, speed: u16, cost: u16) {
        let cost = cost.max(1);
        self.to = to;
        self.speed = speed / cost;
        // The progress is less than one tick of the last step, which is at most one voxel.
        self.progress = (u32::from(self.progress) * u32::from(self.cost) / u32::from(cost)) as u16;
        self.distance = self.distance.wrapping_add(cost);
        self.cost = cost;
    }

    /// Advances by one tick. True if the creature has arrived in `to`.
    #[inline(always)]
    pub fn advance(&mut self) -> bool {
        let by = self.to - self.from;
        if by.x | by.z != 0 {
            let wanted = heading(by.x, by.z).wrapping_sub(self.heading).cast_signed();
            self.heading =
                self.heading.wrapping_add(wanted.clamp(-MAX_TURN, MAX_TURN).cast_unsigned());
        }
        self.progress += self.speed;
        if self.progress < VOXEL {
            return false;
        }
        self.progress -= VOXEL;
        true
    }

    /// Part of the current step, 0 to 1, a fraction `part_of_tick` (0 to 1) after the last tick.
    fn part(&self, part_of_tick: f64) -> f64 {
        let part =
            (f64::from(self.progress) + part_of_tick * f64::from(self.speed)) / f64::from(VOXEL);
        part.min(1.0)
    }

    /// Voxels walked so far, modulo 4096, a fraction `part_of_tick` (0 to 1) after the last tick.
    /// Negative by at most one step when the count starts again.
    pub fn walked(&self, part_of_tick: f64) -> f32 {
        let left = if self.is_moving() { 1.0 - self.part(part_of_tick) } else { 0.0 };
        f32::from(self.distance % 4096) - f32::from(self.cost) * left as f32
    }

    /// Position of the middle of the feet, a fraction `part_of_tick` (0 to 1) after the last tick.
    pub fn position(&self, part_of_tick: f64) -> DVec3 {
        let start = self.from.as_dvec3() + DVec3::new(0.5, 0.0, 0.5);
        if !self.is_moving() {
            return start;
        }
        let part = self.part(part_of_tick);
        let by = (self.to - self.from).as_dvec3();
        let is_oblique = by.y != 0.0 && (by.x != 0.0 || by.z != 0.0);
        // Rises in the first half of the step and sinks in the second, so that the feet never cut
        // through the edge of the higher voxel.
        let rise = match by.y {
            y if !is_oblique => y * part,
            y if y > 0.0 => y * (2.0 * part).min(1.0),
            y => y * (2.0 * part - 1.0).max(0.0),
        };
        start + DVec3::new(by.x * part, rise, by.z * part)
    }
}

/// Heading of a step along x and z, one of eight directions, in 256ths of a turn.
fn heading(x: i32, z: i32) -> u8 {
    match (x.signum(), z.signum()) {
        (0, -1) => 0,
        (1, -1) => 32,
        (1, 0) => 64,
        (1, 1) => 96,
        (0, 1) => 128,
        (-1, 1) => 160,
        (-1, 0) => 192,
        (-1, -1) => 224,
        _ => 0,
    }
}

/// True if a step leads more than 80/256 of a turn away from the heading `facing`.
pub(super) fn turns_back(by: IVec3, facing: u8) -> bool {
    by.x | by.z != 0 && heading(by.x, by.z).wrapping_sub(facing).cast_signed().unsigned_abs() > 80
}
