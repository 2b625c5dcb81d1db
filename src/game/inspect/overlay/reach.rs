//! The overlay *reach*: places that the creature under the crosshair, or else the player, can
//! reach.

use crate::game::drawing::box_mesh::BoxMesh;
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::frames::{BuiltFrames, ChunkFrames, FrameCanvas};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::life::creatures::{CreatureLife, ReachShown};
use crate::game::state::format;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::settings::Settings;
use crate::views::OverlayKind;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::prelude::*;
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos, Face};

/// Maximum number of strips drawn, nearest first.
const MAX_STRIPS: usize = 12_000;
/// Height of a strip above its ground, in voxels.
const ABOVE: f32 = 0.04;
/// Distance of a strip's edges from the edges of its voxels, in voxels.
const INSET: f32 = 0.12;
/// Colour of the strips.
const COLOUR: Srgba = Srgba::rgb(0.22, 0.84, 0.72);

/// The strips, keyed by the starting place, the revision of navigation, and whether creatures are
/// on.
#[derive(Resource, Default)]
pub(super) struct ReachOverlay(pub ChunkFrames<(IVec3, u64, bool)>);

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<ReachOverlay>(app);
    app.add_systems(PostUpdate, draw.before(TransformSystems::Propagate));
}

impl Explained for ReachOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.0.legend.as_ref()
    }
}

/// The stretches of set bits, each as its first bit and one past its last.
fn stretches(mut bits: u32) -> impl Iterator<Item = (u32, u32)> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let first = bits.trailing_zeros();
        let length = (!(bits >> first)).trailing_zeros().min(32 - first);
        bits &= !((((1u64 << length) - 1) as u32) << first);
        Some((first, first + length))
    })
}

/// Ends of the strip for a stretch of places, in voxels along x in its chunk. An end at the side of
/// the chunk is not inset, because the strip may continue in the next chunk.
fn drawn_ends((first, end): (u32, u32)) -> [f32; 2] {
    let west = if first == 0 { 0.0 } else { INSET };
    let east = if end == CHUNK_SIDE as u32 { 0.0 } else { INSET };
    [first as f32 + west, end as f32 - east]
}

fn mesh(shown: &ReachShown, centre: ChunkPos) -> Option<Mesh> {
    let origin = centre.origin();
    let mut rows = shown.rows.clone();
    rows.sort_by_key(|(at, _)| (*at + IVec3::X * 16 - shown.from).as_i64vec3().length_squared());
    let [r, g, b] = LinearRgba::from(COLOUR).to_f32_array_no_alpha();
    let mut mesh = BoxMesh::default();
    let strips =
        rows.into_iter().flat_map(|(at, bits)| stretches(bits).map(move |ends| (at, ends)));
    for (at, ends) in strips.take(MAX_STRIPS) {
        let [west, east] = drawn_ends(ends);
        let low = (at - origin).as_vec3() + Vec3::new(west, 0.0, INSET);
        let high = (at - origin).as_vec3() + Vec3::new(east, ABOVE, 1.0 - INSET);
        for face in Face::ALL.into_iter().filter(|face| *face != Face::Down) {
            mesh.side(low, high, face, [r, g, b, 0.55]);
        }
    }
    mesh.mesh()
}

fn legend(shown: &ReachShown, is_alive: bool) -> Legend {
    let strips: usize = shown.rows.iter().map(|(_, bits)| stretches(*bits).count()).sum();
    let places: u64 = shown.rows.iter().map(|(_, bits)| u64::from(bits.count_ones())).sum();
    let IVec3 { x, y, z } = shown.from;
    Legend {
        title: "Reach: where a body can get to",
        key: ColourKey::Named([(COLOUR, "Places that can be reached")].into()),
        lines: match (places, shown.revision) {
            _ if !is_alive => vec!["creatures are off; this is from before".to_owned()],
            (0, 0) => vec!["not known yet".to_owned()],
            (0, _) => vec!["no body can stand or swim at".to_owned(), format!("{x}, {y}, {z}")],
            _ => vec![
                format!("{} from {x}, {y}, {z}", format::counted(places, "place")),
                "by steps, jumps, falls and swimming".to_owned(),
                match strips {
                    0..=MAX_STRIPS => "all are drawn".to_owned(),
                    _ => "the nearest ones are drawn".to_owned(),
                },
            ],
        },
    }
}

/// Draws the overlay while it is shown.
fn draw(
    to_draw: OverlayToDraw,
    life: Option<Res<CreatureLife>>,
    settings: Res<Settings>,
    mut overlay: ResMut<ReachOverlay>,
    mut canvas: FrameCanvas,
) {
    let Some((life, OverlayKind::Reach)) = life.zip(to_draw.kind()) else {
        return overlay.0.hide(&mut canvas);
    };
    let shown = life.reach();
    let centre = ChunkPos::containing(shown.from);
    let is_alive = settings.creatures;
    overlay.0.update((shown.from, shown.revision, is_alive), &mut canvas, || BuiltFrames {
        centre,
        mesh: mesh(shown, centre),
        legend: legend(shown, is_alive),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_the_set_bits_in_their_order() {
        let all = |bits| stretches(bits).collect::<Vec<_>>();
        assert_eq!(all(0), []);
        assert_eq!(all(u32::MAX), [(0, 32)]);
        assert_eq!(all(0b1011_1001), [(0, 1), (3, 6), (7, 8)]);
        assert_eq!(all(1 << 31 | 3), [(0, 2), (31, 32)]);
    }

    #[test]
    fn strip_has_no_inset_at_the_side_of_its_chunk() {
        assert_eq!(drawn_ends((0, 32)), [0.0, 32.0]);
        assert_eq!(drawn_ends((3, 6)), [3.0 + INSET, 6.0 - INSET]);
        assert_eq!(
            [drawn_ends((0, 4)), drawn_ends((30, 32))],
            [[0.0, 4.0 - INSET], [30.0 + INSET, 32.0]]
        );
    }
}
