//! The mesh of a cut: its bars on a dark ground, and the borders of chunks.

use super::bars::CellRect;
use super::cells::{ChunkLayer, SIDE};
use super::section::CutSection;
use crate::game::drawing::box_mesh::{BoxMesh, Colour};
use crate::game::state::cutaway::CutPlane;
use bevy::prelude::Vec3;
use stonerun_engine::voxel::ChunkPos;

/// Distance of a bar from the edges of its cells, in voxels.
const INSET: f32 = 0.07;
/// Brightness of the ground between bars, relative to the bars.
const GROUND: f32 = 0.35;
/// Thickness of the border of a chunk, in voxels.
const BORDER: f32 = 0.12;
/// Colour of the border of a chunk.
const BORDER_COLOUR: Colour = [0.9, 0.92, 0.95, 0.75];
/// Distance by which bars are drawn in front of their ground, in voxels.
const RAISED: f32 = 0.004;

/// The mesh of `sections`, relative to the lowest corner of the chunk `centre`.
#[must_use]
pub fn draw(plane: CutPlane, centre: ChunkPos, sections: &[CutSection]) -> BoxMesh {
    let canvas = CutCanvas { plane, layer: ChunkLayer::new(plane) };
    let mut mesh = BoxMesh::default();
    for section in sections {
        let origin = (section.pos.origin() - centre.origin()).as_vec3();
        for bar in &section.bars {
            let rect = Rectangle::from_cells(bar.rect);
            let [red, green, blue, cover] = bar.colour;
            if cover == 1.0 {
                let ground = [red * GROUND, green * GROUND, blue * GROUND, 1.0];
                canvas.fill(&mut mesh, origin, rect, 0.0, ground);
            }
            // Bars of figure 0 (rows in which no run begins, darkness) need no gaps between them.
            let inset = if bar.figure == 0 { 0.0 } else { INSET };
            canvas.fill(&mut mesh, origin, rect.inset(inset), RAISED, bar.colour);
        }
        // Borders in the sky would cover the land behind them.
        if !section.is_air {
            canvas.border(&mut mesh, origin);
        }
    }
    mesh
}

/// A rectangle on the cut through a chunk, in columns and rows.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Rectangle {
    left: f32,
    right: f32,
    low: f32,
    high: f32,
}

impl Rectangle {
    fn from_cells(rect: CellRect) -> Rectangle {
        let CellRect { left, right, low, high, .. } = rect;
        Rectangle { left: left.into(), right: right.into(), low: low.into(), high: high.into() }
    }

    fn inset(self, by: f32) -> Rectangle {
        Rectangle {
            left: self.left + by,
            right: self.right - by,
            low: self.low + by,
            high: self.high - by,
        }
    }
}

/// Draws rectangles on a cut.
struct CutCanvas {
    plane: CutPlane,
    layer: ChunkLayer,
}

impl CutCanvas {
    fn fill(&self, mesh: &mut BoxMesh, origin: Vec3, rect: Rectangle, raised: f32, colour: Colour) {
        let low = self.layer.corner(rect.left, rect.low, raised);
        let high = self.layer.corner(rect.right, rect.high, raised);
        mesh.side(origin + low, origin + high, self.plane.face(), colour);
    }

    /// Draws the border of a chunk, inside it.
    fn border(&self, mesh: &mut BoxMesh, origin: Vec3) {
        let side = SIDE as f32;
        let whole = Rectangle { left: 0.0, right: side, low: 0.0, high: side };
        let lines = [
            Rectangle { right: BORDER, ..whole },
            Rectangle { left: side - BORDER, ..whole },
            Rectangle { high: BORDER, ..whole },
            Rectangle { low: side - BORDER, ..whole },
        ];
        for line in lines {
            self.fill(mesh, origin, line, 2.0 * RAISED, BORDER_COLOUR);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::state::cutaway::CutAxis;
    use glam::DVec3;

    #[test]
    fn everything_lies_on_the_plane_and_faces_the_eye() {
        for axis in [CutAxis::X, CutAxis::Y, CutAxis::Z] {
            for eye in [-500.0, 500.0] {
                let plane = CutPlane::seen_from(axis, 70, DVec3::splat(eye));
                let rect = CellRect { left: 3, right: 20, low: 4, high: 5, group: 0 };
                let canvas = CutCanvas { plane, layer: ChunkLayer::new(plane) };
                let mut mesh = BoxMesh::default();
                let origin = Vec3::splat(64.0);
                canvas.fill(&mut mesh, origin, Rectangle::from_cells(rect), 0.0, [1.0; 4]);
                let [a, b, c, _] = mesh.corners().next().expect("one");
                let normal = plane.face().normal().as_vec3();
                assert!((b - a).cross(c - a).dot(normal) > 0.0, "{plane}");
                assert_eq!(f64::from(a[axis as usize]), plane.coordinate(), "{plane}");
                assert_eq!((c - a).abs().element_product(), 0.0);
                assert_eq!((b - a).abs().max_element() * (c - b).abs().max_element(), 17.0);
            }
        }
    }
}
