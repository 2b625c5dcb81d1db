//! Flow fields: the paths to one destination from every place around it, for crowds.

use super::moves::{MoveCode, PlaceKey};
use super::navigation::Navigation;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// Marks a place that cannot reach the destination.
const UNREACHABLE: u8 = u8::MAX;
/// Marks the destination.
const ARRIVED: u8 = u8::MAX - 1;

/// First moves of cheapest paths to one destination: a byte for each place around it. One field
/// serves any number of creatures, which would otherwise search one path each.
pub struct FlowField {
    to: IVec3,
    /// Moves by the number of the place in its chunk, for each chunk slot.
    moves: FxHashMap<u32, Box<[u8]>>,
    revision: u64,
}

impl FlowField {
    /// Finds the paths to the place `to` that cost at most `max_cost`. The field is empty if `to`
    /// is not a place.
    #[must_use]
    pub fn new(nav: &Navigation, to: IVec3, max_cost: u32) -> FlowField {
        let mut field = FlowField { to, moves: FxHashMap::default(), revision: nav.revision() };
        let Some(goal) = nav.place_key(to) else { return field };
        // Places that are reached at each cost, with their first moves.
        let mut buckets: Vec<Vec<(PlaceKey, u8)>> = vec![vec![(goal, ARRIVED)]];
        let mut cost = 0;
        while cost < buckets.len() {
            for (place, code) in std::mem::take(&mut buckets[cost]) {
                let Some(first) = field.first_move(nav, place) else { continue };
                if *first != UNREACHABLE {
                    continue;
                }
                *first = code;
                nav.for_each_move_to(place, |code: MoveCode, from| {
                    let sum = cost + code.cost() as usize;
                    if sum <= max_cost as usize {
                        if buckets.len() <= sum {
                            buckets.resize_with(sum + 1, Vec::new);
                        }
                        buckets[sum].push((from, code.0));
                    }
                });
            }
            cost += 1;
        }
        field
    }

    /// The place that all paths of the field lead to.
    #[must_use]
    pub fn destination(&self) -> IVec3 {
        self.to
    }

    /// True if no place or move of the field's chunks has changed since it was computed. For an
    /// empty field, true if navigation has not changed at all.
    #[must_use]
    pub fn is_current(&self, nav: &Navigation) -> bool {
        let is_same = |slot| nav.chunk(slot).is_some_and(|chunk| chunk.changed_at <= self.revision);
        if self.moves.is_empty() {
            self.revision == nav.revision()
        } else {
            self.moves.keys().copied().all(is_same)
        }
    }

    /// True if the path from the place `from` is unknown because the places of its chunk have
    /// changed since the field was computed.
    #[must_use]
    pub(crate) fn is_outdated_at(&self, nav: &Navigation, from: IVec3) -> bool {
        nav.place_key(from).is_some_and(|key| {
            self.moves.contains_key(&key.slot()) && !self.has_places_of(nav, key.slot())
        })
    }

    fn has_places_of(&self, nav: &Navigation, slot: u32) -> bool {
        nav.chunk(slot).is_some_and(|chunk| chunk.places_changed_at <= self.revision)
    }

    /// Next place on the path from the place `from`, as it was when the field was computed: the
    /// move may no longer be possible. `None` at the destination, where the destination is out of
    /// reach, and where the field is outdated.
    #[must_use]
    pub fn next(&self, nav: &Navigation, from: IVec3) -> Option<IVec3> {
        let key = nav.place_key(from).filter(|key| self.has_places_of(nav, key.slot()))?;
        let code = self.moves.get(&key.slot())?[place_number(nav, key)?];
        (code < ARRIVED).then(|| from + MoveCode(code).offset())
    }

    /// Number of places with a path, the destination included.
    #[must_use]
    pub fn places(&self) -> usize {
        self.moves.values().flatten().filter(|&&code| code != UNREACHABLE).count()
    }

    fn first_move(&mut self, nav: &Navigation, place: PlaceKey) -> Option<&mut u8> {
        let number = place_number(nav, place)?;
        let count = usize::from(nav.chunk(place.slot())?.places.as_ref()?.places);
        let moves = self
            .moves
            .entry(place.slot())
            .or_insert_with(|| vec![UNREACHABLE; count].into_boxed_slice());
        moves.get_mut(number)
    }
}

/// Number of a place in its chunk, in linear order.
fn place_number(nav: &Navigation, place: PlaceKey) -> Option<usize> {
    let at = place.local();
    let row = nav.chunk(place.slot())?.places.as_ref()?.row((at.z + 32 * at.y) as usize);
    Some(row.place(at.x as u32))
}
