//! The overlay *light*: faces in the colours of their light levels, drawn by the shader of the
//! chunks, and the levels around the crosshair as numbers.

use crate::game::drawing::lighting::ChunkLights;
use crate::game::inspect::overlay::explained::{self, Explained, LegendsShown};
use crate::game::inspect::overlay::labels::{self, WorldToScreen};
use crate::game::inspect::overlay::legend::{ColourKey, Legend};
use crate::game::player::crosshair;
use crate::game::state::cutaway::Cutaway;
use crate::game::state::format;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use crate::game::ui_kit::layout::AreasKnown;
use crate::views::OverlayKind;
use bevy::color::{Mix, Srgba};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{Align2, Id, LayerId, Order};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use stonerun_engine::light::{Channel, LightLevels, LightTraits};
use stonerun_engine::voxel::{Face, Voxel};
use stonerun_engine::world::{RayHit, World as VoxelWorld};

/// Maximum distance from the crosshair of faces with numbers, in voxels.
const NUMBERED: i32 = 5;
/// Maximum distance from the eyes of faces with numbers, in voxels.
const LEGIBLE: f64 = 24.0;

/// Colours of the sun's levels 0, 3, 6, 9, 12 and 15. `light_levels.wgsl` has the same values.
const SUN: [Srgba; 6] = [
    Srgba::rgb(0.09, 0.07, 0.22),
    Srgba::rgb(0.20, 0.20, 0.58),
    Srgba::rgb(0.11, 0.46, 0.62),
    Srgba::rgb(0.22, 0.66, 0.45),
    Srgba::rgb(0.72, 0.80, 0.30),
    Srgba::rgb(0.99, 0.93, 0.55),
];

/// Colour of a level of the sun, given as a fraction of the highest level. `light_levels.wgsl` has
/// the same function.
#[must_use]
pub(super) fn level_colour(part: f32) -> Srgba {
    let at = part.clamp(0.0, 1.0) * (SUN.len() - 1) as f32;
    let first = (at as usize).min(SUN.len() - 2);
    SUN[first].mix(&SUN[first + 1], at - first as f32)
}

/// The legend while the overlay is shown.
#[derive(Resource, Default)]
pub(super) struct LightOverlay {
    legend: Option<Legend>,
}

/// Adds the overlay.
pub(super) fn add(app: &mut App) {
    explained::add::<LightOverlay>(app);
    app.add_systems(EguiPrimaryContextPass, draw.after(AreasKnown).before(LegendsShown));
}

impl Explained for LightOverlay {
    fn legend(&self) -> Option<&Legend> {
        self.legend.as_ref()
    }
}

/// The open map with its light.
#[derive(SystemParam)]
pub(super) struct LitWorld<'w> {
    map: Option<Res<'w, OpenMap>>,
    edits: Option<Res<'w, Edits>>,
    lights: Option<Res<'w, ChunkLights>>,
}

/// Draws the numbers, and updates the legend.
fn draw(
    mut contexts: EguiContexts,
    to_draw: OverlayToDraw,
    lit: LitWorld,
    player: Res<Player>,
    settings: Res<Settings>,
    cutaway: Res<Cutaway>,
    to_screen: WorldToScreen,
    mut overlay: ResMut<LightOverlay>,
    mut timings: ResMut<FrameTimings>,
) {
    overlay.legend = None;
    // A cut draws numbers of its own instead.
    let shown = to_draw.kind() == Some(OverlayKind::Light) && cutaway.choice.is_none();
    let LitWorld { map: Some(map), edits: Some(edits), lights: Some(lights) } = lit else { return };
    if !shown {
        return;
    }
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let hit = crosshair::surface(
            edits.world(),
            &map.materials,
            &player,
            map.view_distance(&settings),
        );
        let aimed = hit.and_then(|hit| Some((hit, hit.face?)));
        let levels = aimed.and_then(|(hit, face)| lights.at(hit.voxel_pos + face.normal()));
        overlay.legend = Some(legend(levels));
        let Some((hit, face)) = aimed.filter(|(hit, _)| hit.distance <= LEGIBLE) else { return };
        let painter = ctx.layer_painter(LayerId::new(Order::Background, Id::new("light levels")));
        let screen = ctx.viewport_rect();
        // The text is as high as two fifths of a voxel at the crosshair, within limits.
        let height = screen.height() / (2.0 * (settings.field_of_view.to_radians() / 2.0).tan());
        let size = (0.4 * height / hit.distance.max(1.0) as f32).clamp(9.0, 22.0);
        for voxel in faces_around(edits.world(), &lights.traits, &hit, face) {
            let Some(levels) = lights.at(voxel + face.normal()) else { continue };
            let middle = voxel.as_dvec3() + 0.5 + face.normal().as_dvec3() * 0.52;
            let Some(at) = to_screen.point(middle, screen) else { continue };
            let words = words(levels);
            // Two levels take up to five letters, so they are smaller.
            let size = if words.len() > 2 { 0.7 * size } else { size };
            labels::draw_line(&painter, at, Align2::CENTER_CENTER, &words, size);
        }
    });
}

/// The voxels near the one under the crosshair whose faces lie in the same plane and receive light.
fn faces_around(
    world: &VoxelWorld,
    traits: &LightTraits,
    hit: &RayHit,
    face: Face,
) -> impl Iterator<Item = IVec3> {
    let lets_light_in = |voxel: Voxel| traits.loss(voxel).is_some();
    let normal = face.normal();
    let u = normal.yzx().abs();
    let v = normal.zxy().abs();
    let near = (-NUMBERED..=NUMBERED)
        .flat_map(move |a| (-NUMBERED..=NUMBERED).map(move |b| u * a + v * b));
    near.map(|offset| hit.voxel_pos + offset)
        .filter(move |&at| !world.get(at).is_air() && lets_light_in(world.get(at + normal)))
}

/// Text of the levels on a face: sun and brightest lamp, "15+11"; a single level if the other is 0.
fn words(levels: LightLevels) -> String {
    let [sun, red, green, blue] = levels_of(levels);
    match (sun, red.max(green).max(blue)) {
        (sun, 0) => sun.to_string(),
        (0, lamp) => lamp.to_string(),
        (sun, lamp) => format!("{sun}+{lamp}"),
    }
}

/// Levels of the sun, red, green and blue.
fn levels_of(levels: LightLevels) -> [u8; 4] {
    Channel::ALL.map(|channel| levels.get(channel))
}

/// The legend. `levels` is the light in front of the face under the crosshair.
fn legend(levels: Option<LightLevels>) -> Legend {
    let [sun, lamps] = match levels.map(levels_of) {
        Some([sun, red, green, blue]) => {
            [sun.to_string(), format!("red {red}, green {green}, blue {blue}")]
        }
        None => [format::NONE; 2].map(str::to_owned),
    };
    Legend {
        title: "Light of the sun and of lamps",
        key: ColourKey::Named(SUN.into_iter().zip(["0", "3", "6", "9", "12", "15"]).collect()),
        // The levels take two lines, because a small window shows only 36 characters of each line.
        lines: vec![
            format!("Crosshair: sun {sun}"),
            format!("lamps {lamps}"),
            "Lamplight is drawn in its own colour".to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::{ChunkPos, MaterialTable};
    use stonerun_engine::world::Chunk;

    #[test]
    fn numbers_lie_on_open_faces_of_the_same_plane() {
        let materials = MaterialTable::builtin();
        let stone = Voxel::full(materials.find("stone").expect("stone"));
        let mut world = VoxelWorld::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        world.fill(
            stonerun_engine::voxel::Box3::spanning(IVec3::ZERO, IVec3::new(31, 0, 31)),
            stone,
        );
        world.set(IVec3::new(16, 1, 16), stone);
        world.set(IVec3::new(14, 0, 16), Voxel::AIR);
        let hit = RayHit {
            voxel_pos: IVec3::new(15, 0, 15),
            voxel: stone,
            face: Some(Face::Up),
            distance: 3.0,
            ground_normal: None,
        };
        let traits = LightTraits::new(&materials);
        let faces: Vec<IVec3> = faces_around(&world, &traits, &hit, Face::Up).collect();
        let side = 2 * NUMBERED as usize + 1;
        assert_eq!(faces.len(), side * side - 2, "one is covered, one is missing");
        assert!(
            faces.iter().all(|at| at.y == 0
                && (at.x - 15).abs() <= NUMBERED
                && (at.z - 15).abs() <= NUMBERED)
        );
        assert!(!faces.contains(&IVec3::new(16, 0, 16)) && !faces.contains(&IVec3::new(14, 0, 16)));
    }

    #[test]
    fn levels_of_sun_and_lamps_are_written() {
        let levels = LightLevels::DARK.with(Channel::Sun, 4).with(Channel::Green, 11);
        assert_eq!(words(levels), "4+11");
        assert_eq!(words(levels.with(Channel::Sun, 0)), "11");
        assert_eq!([LightLevels::SUNLIT, LightLevels::DARK].map(words), ["15", "0"]);
        assert_eq!(
            legend(Some(levels)).lines[..2],
            ["Crosshair: sun 4", "lamps red 0, green 11, blue 0"]
        );
        assert_eq!(legend(None).lines[..2], ["Crosshair: sun –", "lamps –"]);
    }
}
