//! Drawings of the tools in the world: boxes, bars and rings, collected in every frame and meshed
//! when they change.

use crate::game::building::builder::handles::handle_half;
use crate::game::building::builder::ray::Ray;
use crate::game::drawing::box_mesh::{BoxMesh, Colour};
use crate::game::drawing::paint::{Paint, Paints};
use crate::game::state::frame::picture_target::not_in_pictures;
use crate::game::state::frame::render_origin::RenderOrigin;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::voxel::{Box3, Face};

/// Colour of the selection: sandstone.
pub const SELECTED: Colour = [0.75, 0.43, 0.12, 0.9];
/// Colour of the part that is pointed at or dragged.
pub const POINTED: Colour = [1.0, 0.85, 0.35, 1.0];
/// Colour of the outlines of brushes and ghosts.
pub const GHOST: Colour = [0.85, 0.9, 1.0, 0.75];
/// Colours of the axes x, y and z.
pub const AXES: [Colour; 3] =
    [[0.8, 0.06, 0.05, 0.95], [0.1, 0.6, 0.08, 0.95], [0.06, 0.2, 0.85, 0.95]];
/// Colour of the planes and the axis of the symmetry.
pub const SYMMETRY: Colour = [0.55, 0.1, 0.75, 0.8];

/// A drawn box, in voxels of the world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawnBox {
    low: DVec3,
    high: DVec3,
    colour: Colour,
    /// Half the thickness of bars along the edges; `None` for filled sides.
    edges: Option<f32>,
    paint: Paint,
}

/// Drawing of this frame.
#[derive(Resource, Default)]
pub struct Sketch {
    boxes: Vec<DrawnBox>,
    /// The ray from the eyes, for the thickness of bars.
    ray: Option<Ray>,
}

impl Sketch {
    /// Starts the drawing of a frame.
    pub fn begin(&mut self, ray: Option<Ray>) {
        self.boxes.clear();
        // Rounded to steps, so that a small move of the eyes changes no mesh.
        self.ray = ray.map(|ray| Ray { origin: (ray.origin / 4.0).round() * 4.0, ..ray });
    }

    /// Bars along the edges of a box, visible through the ground.
    pub fn outline(&mut self, low: DVec3, high: DVec3, colour: Colour) {
        self.boxes.push(DrawnBox {
            low,
            high,
            colour,
            edges: Some(self.bar(low, high)),
            paint: Paint::Through,
        });
    }

    /// Bars along the edges of a box of voxels, as by [`Sketch::outline`], slightly outside of it.
    pub fn area(&mut self, area: Box3, colour: Colour) {
        self.outline(area.min.as_dvec3() - 0.003, area.max.as_dvec3() + 0.003, colour);
    }

    /// A filled box.
    pub fn solid(&mut self, low: DVec3, high: DVec3, colour: Colour) {
        self.boxes.push(DrawnBox { low, high, colour, edges: None, paint: Paint::Through });
    }

    /// A filled box that is hidden behind the ground.
    pub fn veil(&mut self, low: DVec3, high: DVec3, colour: Colour) {
        self.boxes.push(DrawnBox { low, high, colour, edges: None, paint: Paint::Over });
    }

    /// A small cube, about as large on the screen at all distances.
    pub fn dot(&mut self, at: DVec3, colour: Colour, scale: f64) {
        let half = DVec3::splat(self.ray.map_or(0.0, |ray| handle_half(at, &ray)) * scale);
        self.solid(at - half, at + half, colour);
    }

    /// A line of small cubes.
    pub fn line(&mut self, from: DVec3, to: DVec3, colour: Colour) {
        let half = f64::from(self.bar(from.min(to), from.max(to)));
        let steps = (from.distance(to) / (4.0 * half)).ceil().clamp(1.0, 200.0) as u32;
        for step in 0..=steps {
            let at = from.lerp(to, f64::from(step) / f64::from(steps));
            self.solid(at - half, at + half, colour);
        }
    }

    /// A ring of cubes around `axis`, each `thickness` times as thick as the bars of boxes.
    pub fn ring(
        &mut self,
        centre: DVec3,
        radius: f64,
        axis: usize,
        colour: Colour,
        thickness: f64,
    ) {
        let [u, v] = [DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]];
        let half = f64::from(self.bar(centre - radius, centre + radius)) * thickness;
        let parts =
            (radius * std::f64::consts::TAU / (3.0 * half)).ceil().clamp(16.0, 160.0) as u32;
        for part in 0..parts {
            let (sine, cosine) =
                (f64::from(part) / f64::from(parts) * std::f64::consts::TAU).sin_cos();
            let at = centre + (u * cosine + v * sine) * radius;
            self.solid(at - half, at + half, colour);
        }
    }

    /// Half the thickness of bars: about two pixels at the nearest corner of their box.
    fn bar(&self, low: DVec3, high: DVec3) -> f32 {
        let distance = |ray: Ray| ray.apparent_distance(ray.origin.clamp(low, high));
        (self.ray.map_or(0.0, distance) * 0.0016).clamp(0.008, 0.5) as f32
    }
}

/// A drawn mesh.
#[derive(Component)]
pub struct DrawnSketch {
    /// Voxel that the positions of the mesh are relative to.
    anchor: IVec3,
    /// Frames since the drawing changed.
    outdated: u32,
}

/// Frames for which an outdated mesh stays, because a new one is drawn a frame later.
const OVERLAP: u32 = 2;

/// Draws the boxes if they have changed, and keeps them in place.
pub fn draw(
    sketch: Res<Sketch>,
    origin: Res<RenderOrigin>,
    paints: Res<Paints>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut commands: Commands,
    mut drawn: Query<(Entity, &mut DrawnSketch, &mut Transform)>,
    mut before: Local<Vec<DrawnBox>>,
) {
    let place = |anchor: IVec3| Transform::from_translation(origin.relative(anchor.as_dvec3()));
    let is_new = *before != sketch.boxes;
    for (entity, mut drawn, mut transform) in &mut drawn {
        transform.set_if_neq(place(drawn.anchor));
        if is_new || drawn.outdated > 0 {
            drawn.outdated += 1;
        }
        if drawn.outdated > OVERLAP || drawn.outdated > 0 && sketch.boxes.is_empty() {
            commands.entity(entity).despawn();
        }
    }
    if !is_new {
        return;
    }
    before.clone_from(&sketch.boxes);
    let Some(anchor) = sketch.boxes.first().map(|first| first.low.floor().as_ivec3()) else {
        return;
    };
    for paint in [Paint::Over, Paint::Through] {
        let mut mesh = BoxMesh::default();
        for drawn in sketch.boxes.iter().filter(|drawn| drawn.paint == paint) {
            let [low, high] = [drawn.low, drawn.high].map(|at| (at - anchor.as_dvec3()).as_vec3());
            match drawn.edges {
                Some(half) => mesh.edges(low, high, half, drawn.colour),
                None => {
                    for face in Face::ALL {
                        mesh.side(low, high, face, drawn.colour);
                    }
                }
            }
        }
        let Some(mesh) = mesh.mesh() else { continue };
        let look = (Mesh3d(meshes.add(mesh)), MeshMaterial3d(paints.get(paint)));
        let unlit = (NoFrustumCulling, NotShadowCaster, NotShadowReceiver, not_in_pictures());
        commands.spawn((DrawnSketch { anchor, outdated: 0 }, look, place(anchor), unlit));
    }
}

/// Removes all boxes, while the mode is off or a menu is open.
pub fn clear(mut sketch: ResMut<Sketch>) {
    if !sketch.boxes.is_empty() {
        sketch.boxes.clear();
    }
}
