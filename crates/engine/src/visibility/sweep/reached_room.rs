//! A room that the sweep has reached, and the beams that enter it.

use super::octant::{Octant, SweepRegion};
use crate::visibility::beam::{Beam, BeamSlopes, MirroredBox};

/// End of the list of reached rooms of a chunk.
pub(crate) const END_OF_LIST: u32 = u32::MAX;

/// A room that lines of sight enter, and the beam through the faces across each axis.
pub(crate) struct ReachedRoom {
    pub(crate) beams: [Beam; 3],
    /// Per axis: the number of whole chunk faces through which all possible lines enter. These
    /// lines may be missing from `beams`.
    pub(crate) complete_faces: [u8; 3],
    /// Number of the room in its chunk.
    pub number: u8,
    /// Index of the chunk's next reached room, or [`END_OF_LIST`].
    pub next: u32,
}

/// The beams in a region. `None` if all possible lines from the cell pass through it.
pub(crate) type Beams<'a> = Option<&'a [(Beam, BeamSlopes)]>;

impl ReachedRoom {
    /// The beams in `region`, and how many of the array's entries they fill. Returns `None` if the
    /// region is open and all possible lines from the cell enter it.
    #[inline]
    pub(crate) fn beams(
        &self,
        octant: &Octant,
        region: SweepRegion,
        open: bool,
    ) -> Option<([(Beam, BeamSlopes); 3], usize)> {
        let is_complete = |axis: usize| self.complete_faces[axis] >= region.faces();
        // No line enters along an axis on which the region is level with the cell.
        if open && (0..3).all(|axis| is_complete(axis) || region.at[axis] == 0) {
            return None;
        }
        let mut out = [(Beam::EMPTY, BeamSlopes::NONE); 3];
        let mut count = 0;
        for axis in 0..3 {
            let beam = if is_complete(axis) {
                let face = match axis {
                    0 => octant.face::<0>(region, 0),
                    1 => octant.face::<1>(region, 0),
                    _ => octant.face::<2>(region, 0),
                };
                let Some((beam, _)) = Beam::through(face).limited_to(octant.cell, face) else {
                    continue;
                };
                beam
            } else {
                self.beams[axis]
            };
            if !beam.is_empty() {
                out[count] = (beam, beam.slopes());
                count += 1;
            }
        }
        Some((out, count))
    }
}

/// The union of the beams of a room where they pass through `opening`.
#[inline]
pub(crate) fn leaving_through<const E: usize>(
    beams: &[(Beam, BeamSlopes)],
    opening: MirroredBox,
) -> Beam {
    let mut all = Beam::EMPTY;
    for (beam, slopes) in beams {
        if let Some(beam) = beam.carried_to::<E>(slopes, opening) {
            all.join(&beam);
        }
    }
    all
}
