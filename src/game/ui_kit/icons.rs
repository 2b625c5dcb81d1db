//! Block pictures for hot bar and inventory: small cubes painted from the block textures.
//!
//! Icons are egui triangles, not rendered images: every material of every map has an icon at any
//! size, without preparation or caching.

use crate::game::drawing::render::textures::BlockTextures;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{self, Color32, Pos2, Rect, Vec2, pos2, vec2};
use stonerun_engine::voxel::{
    Face, Material, PartFace, ShapeFaces, ShapeIcon, ShapeRow, TexturePart,
};

/// The strip of block textures as an egui texture; `None` before the first frame.
#[derive(Resource, Default)]
pub struct IconStrip(Option<egui::TextureHandle>);

impl IconStrip {
    /// Uploads the strip to egui, once.
    pub fn load(&mut self, ctx: &egui::Context, textures: &BlockTextures) {
        self.0.get_or_insert_with(|| {
            let size = [textures.strip.width() as usize, textures.strip.height() as usize];
            let pixels = egui::ColorImage::from_rgba_unmultiplied(size, textures.strip.as_raw());
            ctx.load_texture("block textures", pixels, egui::TextureOptions::NEAREST)
        });
    }
}

/// Paints blocks.
#[derive(SystemParam)]
pub struct BlockIcons<'w> {
    strip: Res<'w, IconStrip>,
    textures: Res<'w, BlockTextures>,
}

/// Texture coordinates of a whole texture.
const WHOLE: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(1.0, 1.0) };
/// Faces of an icon that are seen.
const SEEN: [Face; 3] = [Face::Up, Face::South, Face::East];
/// Brightness of the top, left and right face of an icon.
const SHADES: [f32; 3] = [1.0, 0.8, 0.6];

impl BlockIcons<'_> {
    /// Paints `material` into `rect`.
    pub fn paint(&self, painter: &egui::Painter, rect: Rect, material: &Material) {
        let Some(strip) = &self.strip.0 else { return };
        let mut mesh = egui::Mesh::with_texture(strip.id());
        let side = rect.width().min(rect.height());
        if let ShapeIcon::Flat(TexturePart { low, high }) = material.shape.row().icon {
            let part = Rect::from_min_max(low.into(), high.into());
            let flat = Rect::from_center_size(rect.center(), Vec2::splat(side * 0.9));
            let corners =
                [flat.left_top(), flat.right_top(), flat.right_bottom(), flat.left_bottom()];
            self.quad(
                &mut mesh,
                corners,
                material.faces.texture(Face::South),
                part,
                shaded(material.tint, 1.0),
            );
        } else if let ShapeFaces::Parts(faces) = drawn_row(material).faces {
            for part in seen_parts(faces) {
                let (corners, texels) = projected(rect.center(), side / 2.0, part);
                let shade = SHADES[SEEN.iter().position(|face| *face == part.face).unwrap_or(0)];
                let texture = material.faces.texture(part.face);
                self.quad(&mut mesh, corners, texture, texels, shaded(material.tint, shade));
            }
        } else {
            for (corners, (face, shade)) in
                cube(rect.center(), side / 2.0).into_iter().zip(SEEN.into_iter().zip(SHADES))
            {
                self.quad(
                    &mut mesh,
                    corners,
                    material.faces.texture(face),
                    WHOLE,
                    shaded(material.tint, shade),
                );
            }
        }
        painter.add(mesh);
    }

    /// Paints a part of a texture into `rect`, multiplied by `colour`. `part` is in texture
    /// coordinates, 0 to 1.
    pub fn paint_part(
        &self,
        painter: &egui::Painter,
        rect: Rect,
        texture: &str,
        part: Rect,
        colour: Color32,
    ) {
        let Some(strip) = &self.strip.0 else { return };
        let mut mesh = egui::Mesh::with_texture(strip.id());
        let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
        self.quad(&mut mesh, corners, texture, part, colour);
        painter.add(mesh);
    }

    /// Adds a parallelogram with a part of a texture, corners clockwise from the upper left.
    fn quad(
        &self,
        mesh: &mut egui::Mesh,
        corners: [Pos2; 4],
        texture: &str,
        part: Rect,
        colour: Color32,
    ) {
        let rows = self.textures.layer.len() as f32;
        let row = self.textures.layer_of(texture) as f32;
        // The part is slightly shrunk, because at its edge the sampler may read texels of its
        // neighbour.
        let part = part.shrink(0.02 / 16.0);
        let left = part.left();
        let right = part.right();
        let top = (row + part.top()) / rows;
        let bottom = (row + part.bottom()) / rows;
        let first = mesh.vertices.len() as u32;
        let uvs = [pos2(left, top), pos2(right, top), pos2(right, bottom), pos2(left, bottom)];
        mesh.vertices.extend(corners.into_iter().zip(uvs).map(|(pos, uv)| egui::epaint::Vertex {
            pos,
            uv,
            color: colour,
        }));
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
    }
}

/// The row of the shape as it is drawn: one that joins, as part of a row from west to east.
fn drawn_row(material: &Material) -> &'static ShapeRow {
    let row = material.shape.row();
    row.joined.map_or(row, |forms| forms.row(|side| matches!(side, Face::East | Face::West)))
}

/// The faces of a shape that are seen, the farthest first.
fn seen_parts(faces: &[PartFace]) -> Vec<PartFace> {
    let mut seen: Vec<PartFace> =
        faces.iter().copied().filter(|part| SEEN.contains(&part.face)).collect();
    seen.sort_by_key(|part| {
        let (u, v) = part.face.axes();
        let across = u * i32::from(part.size[0]) + v * i32::from(part.size[1]);
        // Twice the middle of the face, along the diagonal towards the viewer.
        2 * part.low.iter().map(|low| i32::from(*low)).sum::<i32>() + across.element_sum()
    });
    seen
}

/// Corners of a face of a shape in the picture, and the part of the texture there, as for the cube
/// of [`cube`]. `edge` is the length of the voxel's edges in points.
fn projected(centre: Pos2, edge: f32, part: PartFace) -> ([Pos2; 4], Rect) {
    let across = edge * 0.866;
    let half = edge / 2.0;
    let (u, v) = part.face.axes();
    let low = part.low.map(|at| f32::from(at) / 16.0);
    let size = (u * i32::from(part.size[0]) + v * i32::from(part.size[1])).as_vec3() / 16.0;
    let high = [low[0] + size.x, low[1] + size.y, low[2] + size.z];
    let at = |[x, y, z]: [f32; 3]| centre + vec2((x - z) * across, (x + z) * half - y * edge);
    match part.face {
        Face::East | Face::West => (
            [
                at([low[0], high[1], high[2]]),
                at([low[0], high[1], low[2]]),
                at(low),
                at([low[0], low[1], high[2]]),
            ],
            Rect::from_min_max(
                pos2(1.0 - high[2], 1.0 - high[1]),
                pos2(1.0 - low[2], 1.0 - low[1]),
            ),
        ),
        Face::Up | Face::Down => (
            [
                at([low[0], low[1], high[2]]),
                at(low),
                at([high[0], low[1], low[2]]),
                at([high[0], low[1], high[2]]),
            ],
            Rect::from_min_max(pos2(1.0 - high[2], low[0]), pos2(1.0 - low[2], high[0])),
        ),
        Face::South | Face::North => (
            [
                at([low[0], high[1], low[2]]),
                at([high[0], high[1], low[2]]),
                at([high[0], low[1], low[2]]),
                at(low),
            ],
            Rect::from_min_max(pos2(low[0], 1.0 - high[1]), pos2(high[0], 1.0 - low[1])),
        ),
    }
}

fn shaded(tint: [u8; 3], shade: f32) -> Color32 {
    let [r, g, b] = tint.map(|c| (f32::from(c) * shade) as u8);
    Color32::from_rgb(r, g, b)
}

/// Top, left and right face of a cube seen along its diagonal; `edge` is the length of its edges in
/// points.
fn cube(centre: Pos2, edge: f32) -> [[Pos2; 4]; 3] {
    let across = edge * 0.866;
    let half = edge / 2.0;
    let top = centre - vec2(0.0, edge);
    let bottom = centre + vec2(0.0, edge);
    let left_up = centre + vec2(-across, -half);
    let right_up = centre + vec2(across, -half);
    let left_down = centre + vec2(-across, half);
    let right_down = centre + vec2(across, half);
    [
        [left_up, top, right_up, centre],
        [left_up, centre, bottom, left_down],
        [centre, right_up, right_down, bottom],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_faces_of_shapes_lie_where_those_of_a_cube_do() {
        let centre = pos2(16.0, 16.0);
        for (corners, face) in cube(centre, 16.0).into_iter().zip(SEEN) {
            let mut low = [0; 3];
            low[face as usize / 2] = 16;
            let part = PartFace { face, low, size: [16; 2], is_sheet: false };
            let (found, texels) = projected(centre, 16.0, part);
            assert_eq!(texels, WHOLE);
            for (found, expected) in found.into_iter().zip(corners) {
                assert!(found.distance(expected) < 0.01, "{face:?} {found} {expected}");
            }
        }
    }

    #[test]
    fn cube_fills_its_square_and_its_faces_meet() {
        let [top, left, right] = cube(pos2(16.0, 16.0), 16.0);
        let all: Vec<Pos2> = [top, left, right].concat();
        let bounds = Rect::from_points(&all);
        assert!(Rect::from_min_max(pos2(0.0, 0.0), pos2(32.0, 32.0)).contains_rect(bounds));
        assert_eq!(bounds.height(), 32.0);
        assert_eq!(
            (top[3], left[1], right[0]),
            (left[1], right[0], top[3]),
            "all meet in the middle"
        );
        assert_eq!((top[0], left[0]), (left[0], top[0]));
    }
}
