//! The overlay *paths*: paths of the creatures near the player, by purpose.

use crate::game::drawing::box_mesh::BoxMesh;
use crate::game::inspect::overlay::explained::{self, Explained};
use crate::game::inspect::overlay::frames::{BuiltFrames, ChunkFrames, FrameCanvas};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::life::creatures::CreatureLife;
use crate::game::state::format;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::views::OverlayKind;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::prelude::*;
use stonerun_engine::creatures::{CreaturePath, Purpose};
use stonerun_engine::voxel::{ChunkPos, Face};

/// Maximum number of dots drawn.
const MAX_DOTS: usize = 6000;
/// Distance between dots, in voxels.
const SPACING: f32 = 0.5;
/// Half the side of a dot, in voxels.
const HALF: f32 = 0.07;
/// Height of the dots above the feet, in voxels.
const ABOVE: f32 = 0.3;
/// Colours of the purposes, and their names.
const COLOURS: [(Purpose, Srgba, &str); 4] = [
    (Purpose::Wander, Srgba::rgb(0.55, 0.85, 0.45), "Wander"),
    (Purpose::Flee, Srgba::rgb(0.98, 0.82, 0.25), "Flee"),
    (Purpose::Hunt, Srgba::rgb(0.82, 0.45, 0.95), "Hunt"),
    (Purpose::Gather, Srgba::rgb(0.30, 0.62, 0.98), "Gather"),
];

/// The dots, keyed by the number of ticks.
#[derive(Resource, Default)]
pub(super) struct PathsOverlay(pub ChunkFrames<u64>);

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<PathsOverlay>(app);
    app.add_systems(PostUpdate, draw.before(TransformSystems::Propagate));
}

impl Explained for PathsOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.0.legend.as_ref()
    }
}

/// Dots along the lines from voxel to voxel.
fn dots(path: &CreaturePath, origin: IVec3) -> impl Iterator<Item = Vec3> + '_ {
    path.voxels.windows(2).flat_map(move |pair| {
        let [from, to] =
            [pair[0], pair[1]].map(|at| (at - origin).as_vec3() + Vec3::new(0.5, ABOVE, 0.5));
        let steps = (from.distance(to) / SPACING).ceil().max(1.0) as u32;
        (0..steps).map(move |step| from.lerp(to, step as f32 / steps as f32))
    })
}

fn mesh(paths: &[CreaturePath], centre: ChunkPos) -> Option<Mesh> {
    let origin = centre.origin();
    let mut mesh = BoxMesh::default();
    let all = paths.iter().flat_map(|path| dots(path, origin).map(|dot| (path.purpose, dot)));
    for (purpose, dot) in all.take(MAX_DOTS) {
        let colour = COLOURS
            .iter()
            .find(|(of, ..)| *of == purpose)
            .map_or(Srgba::WHITE, |(_, colour, _)| *colour);
        let [r, g, b] = LinearRgba::from(colour).to_f32_array_no_alpha();
        for face in Face::ALL {
            mesh.side(dot - HALF, dot + HALF, face, [r, g, b, 0.9]);
        }
    }
    mesh.mesh()
}

fn legend(paths: &[CreaturePath]) -> Legend {
    let count = |purpose| paths.iter().filter(|path| path.purpose == purpose).count();
    let counted = |purpose, what| {
        (count(purpose) > 0).then(|| format!("{} {what}", format::count(count(purpose) as u64)))
    };
    let lines = [
        counted(Purpose::Wander, "wander, hide or land"),
        counted(Purpose::Flee, "flee"),
        counted(Purpose::Hunt, "hunt along a path"),
        counted(Purpose::Gather, "were called and follow a flow field"),
    ];
    Legend {
        title: "Paths: where creatures are going",
        key: ColourKey::Named(COLOURS.map(|(_, colour, name)| (colour, name)).into()),
        lines: vec![format!("{} on the way", format::counted(paths.len() as u64, "creature"))]
            .into_iter()
            .chain(lines.into_iter().flatten())
            .collect(),
    }
}

/// Draws the overlay while it is shown.
fn draw(
    to_draw: OverlayToDraw,
    life: Option<Res<CreatureLife>>,
    player: Res<Player>,
    mut overlay: ResMut<PathsOverlay>,
    mut canvas: FrameCanvas,
) {
    let Some((life, OverlayKind::Paths)) = life.zip(to_draw.kind()) else {
        return overlay.0.hide(&mut canvas);
    };
    let centre = player.chunk();
    overlay.0.update(life.figures.ticks, &mut canvas, || BuiltFrames {
        centre,
        mesh: mesh(life.ways(), centre),
        legend: legend(life.ways()),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::creatures::CreatureId;

    #[test]
    fn dots_lead_from_voxel_to_voxel_without_gaps() {
        let voxels = vec![IVec3::new(10, 5, 0), IVec3::new(11, 5, 0), IVec3::new(11, 6, 3)];
        let path = CreaturePath { id: CreatureId(1), purpose: Purpose::Hunt, voxels };
        let dots: Vec<Vec3> = dots(&path, IVec3::new(10, 0, 0)).collect();
        assert_eq!(dots[0], Vec3::new(0.5, 5.0 + ABOVE, 0.5));
        assert!(dots.windows(2).all(|pair| pair[0].distance(pair[1]) <= SPACING + 1e-5));
        assert!(dots[dots.len() - 1].distance(Vec3::new(1.5, 6.0 + ABOVE, 3.5)) <= SPACING + 1e-5);
    }
}
