//! Calls: all walkers of a kind go to one place along a shared flow field.

use super::creatures::Creatures;
use super::kinds::Gait;
use super::mind::{Call, Mood};
use super::nav::{FlowField, Navigation};
use glam::IVec3;

/// Maximum cost of a path to the destination. Bounds the flow field, which would otherwise cover
/// every place in reach.
const MAX_CALL_COST: u32 = 192;
/// Minimum age in ticks at which an outdated flow field is rebuilt: a second. A field of 200,000
/// places takes 30 ms, so rebuilding after every edit would slow the ticks down.
const RENEWED_EVERY: u64 = 20;
/// Duration of a call in ticks: a minute.
const CALL_TICKS: u64 = 1200;

impl Creatures {
    /// Calls the creatures of a kind to the place `to`. Returns the number of creatures that can
    /// get there, which is 0 for kinds that do not walk.
    ///
    /// Creatures with a path of cost 192 or less follow the call for a minute, unless they flee or
    /// sleep. After an edit on their path they wait a second or two for the flow field to be
    /// rebuilt.
    pub fn call(&mut self, nav: &Navigation, kind: usize, to: IVec3) -> usize {
        if self.kinds.list().get(kind).is_none_or(|kind| kind.gait != Gait::Walk) {
            return 0;
        }
        let field = FlowField::new(nav, to, MAX_CALL_COST);
        let mut called = 0;
        for (motion, mind) in self.motions.iter_mut().zip(&mut self.minds) {
            if usize::from(motion.kind) == kind && field.next(nav, motion.from).is_some() {
                motion.wake_at = 0;
                motion.think_at = 0;
                mind.mood = Mood::Rest;
                called += 1;
            }
        }
        self.calls.retain(|call| usize::from(call.kind) != kind);
        self.calls.push(Call {
            kind: kind as u8,
            field,
            made_at: self.tick,
            until: self.tick + CALL_TICKS,
        });
        called
    }

    /// Drops calls that have ended, and rebuilds the oldest outdated flow field.
    pub(super) fn renew_calls(&mut self, nav: &Navigation) {
        let tick = self.tick;
        self.calls.retain(|call| tick < call.until);
        let due = self.calls.iter_mut().filter(|call| tick >= call.made_at + RENEWED_EVERY);
        // At most one per tick, because rebuilding several fields could take longer than a tick.
        if let Some(call) =
            due.filter(|call| !call.field.is_current(nav)).min_by_key(|call| call.made_at)
        {
            call.field = FlowField::new(nav, call.field.destination(), MAX_CALL_COST);
            call.made_at = tick;
        }
    }
}
