//! Calls: walkers of a kind go to one place, along one flow field.

use super::creatures::Creatures;
use super::kinds::Gait;
use super::mind::{Call, Mood};
use super::nav::{FlowField, Navigation};
use glam::IVec3;

/// Most cost of a way to the place.
const MOST_COST: u32 = 192;
/// Ticks after which ways are found again if something on them has changed: a second. 200,000
/// places take 30 ms.
const RENEWED_EVERY: u64 = 20;
/// Ticks for which a call is followed: a minute.
const CALL_TICKS: u64 = 1200;

impl Creatures {
    /// Calls the creatures of a kind to the place `to`. Those that can get there at a cost of at
    /// most 192 go there for a minute, unless they flee or sleep. Returns how many can; 0 for kinds
    /// that do not walk. Where an edit has changed places, they wait for a second or two.
    pub fn call(&mut self, nav: &Navigation, kind: usize, to: IVec3) -> usize {
        if self.kinds.list().get(kind).is_none_or(|kind| kind.gait != Gait::Walk) {
            return 0;
        }
        let field = FlowField::new(nav, to, MOST_COST);
        let mut called = 0;
        for (motion, mind) in self.motions.iter_mut().zip(&mut self.minds) {
            if usize::from(motion.kind) == kind && field.next(nav, motion.from).is_some() {
                (motion.wake_at, motion.think_at) = (0, 0);
                mind.mood = Mood::Rest;
                called += 1;
            }
        }
        self.calls.retain(|call| usize::from(call.kind) != kind);
        self.calls.push(Call { kind: kind as u8, field, made_at: self.tick, until: self.tick + CALL_TICKS });
        called
    }

    /// Drops calls that are over. Finds the ways of one other call again, if something on them has
    /// changed.
    pub(super) fn renew_calls(&mut self, nav: &Navigation) {
        let tick = self.tick;
        self.calls.retain(|call| tick < call.until);
        let due = self.calls.iter_mut().filter(|call| tick >= call.made_at + RENEWED_EVERY);
        // One in a tick: several could take longer than a tick.
        if let Some(call) = due.filter(|call| !call.field.is_current(nav)).min_by_key(|call| call.made_at) {
            call.field = FlowField::new(nav, call.field.destination(), MOST_COST);
            call.made_at = tick;
        }
    }
}
