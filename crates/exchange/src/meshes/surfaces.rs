//! The surface of a scene as quads, and triangles of smooth ground, grouped by appearance.
//!
//! The origin is the middle of the box's bottom, which keeps coordinates small enough to be exact.
//! All faces of one appearance form a *part* with its own material. Voxels outside the box hide no
//! faces, so the surface is closed on all sides.
//!
//! All quads are collected before the first is written, because a file states the length of a part
//! before its content. A quad takes 20 bytes, about an eighth of its size in the file.

use super::corner::{Corner, uv};
use super::ground::{self, DrawnWorld, GroundTriangle};
use crate::scene::{ExportFigure, Scene, WriterError, WriterReport};
use crate::{Progress, report};
use glam::{IVec3, Vec3};
use std::collections::BTreeMap;
use stonerun_engine::contour::ContourMaterials;
use stonerun_engine::mesh::quad::{SHEET, STEPS, Vertex};
use stonerun_engine::mesh::{FaceMaterial, FaceMaterials, Quad, ShadedQuad, TextureStrip, build};
use stonerun_engine::voxel::{CornerRule, Face, Opacity};

/// Largest distance of matter from the origin along an axis, in voxels. Up to there `f32`
/// represents sixteenths exactly.
const MAX_DISTANCE: i64 = 1 << 20;
/// Share of the progress for collecting quads.
pub(super) const COLLECTING_SHARE: f32 = 0.5;

/// Blending of a part with the surfaces behind it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum MeshPass {
    /// Every texel is opaque.
    Opaque,
    /// Texels are opaque or absent; visible from both sides.
    CutOut,
    /// Colours mix with the surfaces behind; visible from both sides.
    Translucent,
}

/// Properties shared by the quads of a part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Appearance {
    /// Blending with the surfaces behind.
    pub(super) pass: MeshPass,
    /// Index of the texture.
    pub(super) tile: usize,
    /// Colour that multiplies the texture, sRGB.
    pub(super) tint: [u8; 3],
    /// Emitted light, 0 to 15.
    pub(super) light: u8,
}

impl Appearance {
    fn new(pass: MeshPass, material: &FaceMaterial, tiles: &TextureStrip) -> Appearance {
        Appearance {
            pass,
            tile: tiles.index_of(&material.texture),
            tint: material.tint,
            light: material.light,
        }
    }

    /// Name of the texture, with the tint if there is one: `stone`, `plain_ff8000`.
    pub(super) fn picture_name(&self, tiles: &TextureStrip) -> String {
        let [r, g, b] = self.tint;
        let tint =
            if self.tint == [255; 3] { String::new() } else { format!("_{r:02x}{g:02x}{b:02x}") };
        tiles.names[self.tile].clone() + &tint
    }

    /// Unique name of the part.
    pub(super) fn name(&self, tiles: &TextureStrip) -> String {
        let light = if self.light == 0 { String::new() } else { format!("_light{}", self.light) };
        let pass = match self.pass {
            MeshPass::Opaque => "",
            MeshPass::CutOut => "_cutout",
            MeshPass::Translucent => "_translucent",
        };
        self.picture_name(tiles) + &light + pass
    }
}

/// A quad and the index of its chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct SceneQuad {
    chunk: u32,
    pub(super) shaded: ShadedQuad,
    corners: CornerRule,
    is_turned: bool,
}

/// All faces of one appearance.
#[derive(Clone, Default, Debug)]
pub(super) struct MeshPart {
    pub(super) quads: Vec<SceneQuad>,
    /// Smooth ground.
    pub(super) ground: Vec<GroundTriangle>,
    /// True if ambient occlusion darkens a corner of any quad.
    pub(super) shaded: bool,
}

/// The surface of a scene.
pub(super) struct Surfaces {
    /// Lowest corner of each chunk, relative to the origin.
    chunk_origins: Vec<IVec3>,
    /// The parts by appearance.
    pub(super) parts: BTreeMap<Appearance, MeshPart>,
}

impl Surfaces {
    /// Collects the quads of all chunks, which is the first [`COLLECTING_SHARE`] of the progress.
    ///
    /// # Errors
    /// The scene is too large, nothing in it is visible, or `progress` cancels.
    pub(super) fn new(
        scene: &Scene,
        tiles: &TextureStrip,
        progress: &mut Progress,
    ) -> Result<Surfaces, WriterError> {
        let materials = FaceMaterials::new(&scene.materials);
        let origin = origin(scene)?;
        let contour = ContourMaterials::new(&scene.materials);
        let DrawnWorld { world, positions } = DrawnWorld::new(scene, &contour);
        let mut chunk_origins = Vec::new();
        let mut parts: BTreeMap<Appearance, MeshPart> = BTreeMap::new();
        for (chunk, &pos) in positions.iter().enumerate() {
            report(progress, COLLECTING_SHARE * chunk as f32 / positions.len() as f32)?;
            let chunk = u32::try_from(chunk)
                .map_err(|_| WriterError::Unfit("it holds too many chunks".to_owned()))?;
            chunk_origins.push(pos.origin() - origin);
            let mesh = build(pos, &world.neighbourhood(pos).borrowed(), &materials);
            let passes = [MeshPass::Opaque, MeshPass::CutOut, MeshPass::Translucent];
            for (pass, list) in passes.into_iter().zip(mesh.lists()) {
                for shaded in mesh.split_by_shade(list) {
                    let material = &materials.list()[usize::from(shaded.quad.material)];
                    let part = parts.entry(Appearance::new(pass, material, tiles)).or_default();
                    part.shaded |= shaded.is_darkened();
                    let FaceMaterial { corners, is_turned, .. } = *material;
                    part.quads.push(SceneQuad { chunk, shaded, corners, is_turned });
                }
            }
            for triangle in ground::triangles(&world, pos, &contour, chunk) {
                let face = materials.face(triangle.material(), triangle.face);
                let material = &materials.list()[usize::from(face)];
                let opacity = scene.materials.get(triangle.material()).map(|its| its.opacity);
                let pass = match opacity.unwrap_or_default() {
                    Opacity::Opaque => MeshPass::Opaque,
                    Opacity::CutOut => MeshPass::CutOut,
                    Opacity::Translucent => MeshPass::Translucent,
                };
                let part = parts.entry(Appearance::new(pass, material, tiles)).or_default();
                part.ground.push(triangle);
            }
        }
        if parts.is_empty() {
            return Err(WriterError::Unfit("nothing in it is visible".to_owned()));
        }
        Ok(Surfaces { chunk_origins, parts })
    }

    /// The corners of a quad in the order of its vertices.
    pub(super) fn corners(&self, placed: SceneQuad) -> [Corner; 4] {
        let chunk = self.chunk_origins[placed.chunk as usize].as_vec3();
        let SceneQuad { shaded, corners, is_turned, .. } = placed;
        let face = shaded.quad.face;
        let vertices = shaded.quad.vertices();
        let side = Face::ALL.get(usize::from(face)).copied();
        [0u8, 1, 2, 3].map(|corner| {
            let inside = position_in_chunk(vertices[usize::from(corner)]);
            let (inside, uv) = match side.and_then(|side| corners.moved(side, corner)) {
                Some(moved) => (voxel_of(shaded.quad) + moved.position, moved.uv),
                None => (inside, uv(face, corner, inside)),
            };
            let uv = if is_turned { glam::Vec2::new(uv.y, uv.x) } else { uv };
            Corner { position: chunk + inside, normal: normal(face), uv, ao: shaded.ao_at(corner) }
        })
    }

    /// The corners of a triangle of ground.
    pub(super) fn ground_corners(&self, triangle: &GroundTriangle) -> [Corner; 3] {
        triangle.corners(self.chunk_origins[triangle.chunk as usize].as_vec3())
    }

    /// Number of quads and triangles of ground.
    pub(super) fn faces(&self) -> u64 {
        self.quads() + self.ground_triangles()
    }

    /// Number of triangles of smooth ground.
    pub(super) fn ground_triangles(&self) -> u64 {
        self.parts.values().map(|part| part.ground.len() as u64).sum()
    }

    /// Number of quads.
    pub(super) fn quads(&self) -> u64 {
        self.parts.values().map(|part| part.quads.len() as u64).sum()
    }

    /// Number of quads that ambient occlusion darkens.
    pub(super) fn shaded_quads(&self) -> u64 {
        let quads = self.parts.values().flat_map(|part| &part.quads);
        quads.filter(|placed| placed.shaded.is_darkened()).count() as u64
    }

    /// The counts that all mesh formats report.
    pub(super) fn report(&self) -> WriterReport {
        let figure = |name, text, count| ExportFigure { name, text, count };
        let figures = vec![
            figure("quads", "quads", self.quads()),
            figure("triangles", "triangles", 2 * self.quads() + self.ground_triangles()),
            figure("materials", "materials", self.parts.len() as u64),
        ];
        WriterReport { figures, ..WriterReport::default() }
    }
}

/// The middle of the box's bottom, rounded down to a corner of voxels.
fn origin(scene: &Scene) -> Result<IVec3, WriterError> {
    let min = scene.bounds.min.as_i64vec3();
    let max = scene.bounds.max.as_i64vec3();
    let middle = |a: i64, b: i64| (a + b).div_euclid(2);
    let origin = glam::I64Vec3::new(middle(min.x, max.x), min.y, middle(min.z, max.z));
    let distance = (scene.matter.min.as_i64vec3() - origin)
        .abs()
        .max((scene.matter.max.as_i64vec3() - origin).abs());
    // A chunk may begin up to one chunk farther away than its matter.
    if distance.max_element() + 32 > MAX_DISTANCE {
        let reason =
            format!("it reaches {} voxels from the middle of its bottom", distance.max_element());
        return Err(WriterError::Unfit(format!(
            "{reason}; coordinates are exact up to {MAX_DISTANCE}"
        )));
    }
    Ok(origin.as_ivec3())
}

/// Position of a vertex in its chunk, in metres.
fn position_in_chunk(vertex: Vertex) -> Vec3 {
    Vec3::from([vertex.x, vertex.y, vertex.z].map(f32::from)) / f32::from(STEPS)
}

/// The lowest corner, in its chunk, of the voxel of a quad whose corners lie off the voxel's faces;
/// lower or higher than the voxel's own on smooth ground.
fn voxel_of(quad: Quad) -> Vec3 {
    // Faces along a positive axis lie on the far side of their voxel.
    let far = Face::ALL
        .get(usize::from(quad.face))
        .map_or(IVec3::ZERO, |face| face.normal().max(IVec3::ZERO));
    let y = f32::from(quad.y) / f32::from(STEPS);
    Vec3::new(quad.x.into(), y, quad.z.into()) - far.as_vec3()
}

/// Normal of a face, also of a side of a leaning torch. A sheet is drawn from both sides; its
/// normal points to the side from which its corners run counter-clockwise.
pub(super) fn normal(face: u8) -> Vec3 {
    const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
    match Face::ALL.get(usize::from(face)) {
        Some(face) => face.normal().as_vec3(),
        None if face == SHEET => Vec3::new(DIAGONAL, 0.0, -DIAGONAL),
        None => Vec3::new(DIAGONAL, 0.0, DIAGONAL),
    }
}
