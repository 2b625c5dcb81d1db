//! Strokes of the tool *Shape* while frames are measured.

use super::measure::FrameBenchmark;
use super::mode::Mode;
use super::scenes::highest;
use bevy::prelude::*;
use std::sync::Arc;
use stonerun::game::building::builder::shape_options::{ShapeForce, ShapeOperation, ShapeOptions};
use stonerun::game::building::builder::shape_stroke::{
    ShapeDab, ShapeStroke, StrokeSettings, UNIT,
};
use stonerun::game::building::builder::symmetry::Symmetry;
use stonerun::game::editing::edit_jobs::{EditJobs, EditPreview, PreviewState, WhenDone};
use stonerun::game::state::player::Player;
use stonerun::game::state::session::Editor;
use stonerun_engine::edit::shaping::{MAX_SHAPING_RADIUS, Shaping, ShapingMaterials, ShapingTool};

/// Seconds of a stroke, from press to release of the button.
const STROKE_SECONDS: f64 = 2.0;
/// Seconds after which a brush that rests shapes again.
const REST_SECONDS: f64 = 0.25;
/// Voxels from one stroke to the next, along x.
const STROKE_STEP: i32 = 48;

/// The stroke of the held button.
pub struct HeldStroke {
    stroke: ShapeStroke,
    at: IVec3,
    /// Second of the measurement in which it began.
    began: f64,
    /// Second in which its last place was added.
    last: f64,
}

/// Smooths the ground around the player with the largest brush, one stroke after the other. Places,
/// previews and edits are requested as the tool *Shape* requests them.
pub fn shape(
    mut bench: ResMut<FrameBenchmark>,
    player: Res<Player>,
    editor: Editor,
    mut jobs: ResMut<EditJobs>,
    mut preview: ResMut<EditPreview>,
    mut stroke: Local<Option<HeldStroke>>,
) {
    if bench.mode != Mode::Shaping || bench.measured_s == 0.0 {
        return;
    }
    let now = bench.measured_s;
    let held = stroke.get_or_insert_with(|| {
        let ground = ShapingMaterials::from_materials(&editor.map().materials);
        let number = bench.edits as i32;
        bench.edits += 1;
        let column = player.walker.position.floor().as_ivec3()
            + IVec3::new((number % 5 - 2) * STROKE_STEP, 0, (number / 5 - 1) * STROKE_STEP);
        let at = highest(&editor, column, |voxel| ground.is_ground(voxel));
        let at = at.unwrap_or(column);
        HeldStroke { stroke: smoothing(ground), at, began: now, last: f64::NEG_INFINITY }
    });
    let is_computing = matches!(preview.state(), PreviewState::Computing { .. });
    if now - held.last > REST_SECONDS && !is_computing {
        held.last = now;
        held.stroke.add(ShapeDab { at: held.at, normal: IVec3::Y * UNIT });
        preview.request_prepared(held.stroke.name().to_owned(), held.stroke.work());
    }
    if now - held.began > STROKE_SECONDS {
        preview.discard();
        let name = held.stroke.name().to_owned();
        jobs.start_prepared(name, held.stroke.work(), WhenDone::Commit);
        *stroke = None;
    }
}

/// A stroke without places.
fn smoothing(materials: ShapingMaterials) -> ShapeStroke {
    let gentle = ShapeForce { strength: 100, falloff: 50 };
    let options = ShapeOptions {
        operation: ShapeOperation::Smooth,
        radius: MAX_SHAPING_RADIUS as i32,
        gentle,
        ..ShapeOptions::default()
    };
    ShapeStroke::new(StrokeSettings {
        options,
        takes: false,
        images: Symmetry::default().images(),
        shaping: Shaping {
            strength: options.strength(),
            ..Shaping::new(ShapingTool::Add, Arc::new(materials))
        },
        seed: 0,
    })
}
