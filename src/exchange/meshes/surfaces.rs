//! Scenes as triangles, for programs that know no voxels: glTF ([`glb`]) and Wavefront ([`obj`]).
//!
//! What is written is what the game draws: the quads of [`crate::mesh`], one voxel a metre, y up, x east and z south. The
//! middle of the box's bottom is the origin, so that coordinates stay small enough to be exact. Quads of one appearance make one
//! *part* with a material of its own. What lies outside the box hides nothing, so the box is closed on all sides.
//!
//! Quads are collected first, 16 bytes each, for a file says how long its parts are before they come; they take about a tenth of
//! what is written of them.

use crate::exchange::scene::{ExportFigure, Scene, WriterError, WriterReport};
use crate::exchange::{Progress, report};
use crate::mesh::vertex::{SHEET, STEPS, Vertex};
use crate::mesh::{ChunkMesh, FaceMaterial, FaceMaterials, Quad, TextureStrip, build};
use crate::voxel::Face;
use glam::{IVec3, Vec2, Vec3};
use std::collections::BTreeMap;

/// The farthest that matter may lie from the origin along an axis, in voxels: sixteenths are exact in `f32` up to there.
const FARTHEST: i64 = 1 << 20;
/// The part of the work that collecting quads is.
pub(super) const COLLECTING: f32 = 0.5;

/// How a part is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum MeshPass {
    Opaque,
    /// Texels are there or not; from both sides.
    CutOut,
    /// Mixed with what is behind; from both sides.
    Translucent,
}

/// What the quads of a part have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Appearance {
    pub(super) pass: MeshPass,
    /// The number of the texture.
    pub(super) tile: usize,
    /// Colour it is multiplied with, sRGB.
    pub(super) tint: [u8; 3],
    /// Light given off, 0 to 15.
    pub(super) light: u8,
}

impl Appearance {
    fn new(pass: MeshPass, look: &FaceMaterial, tiles: &TextureStrip) -> Appearance {
        Appearance { pass, tile: tiles.index_of(&look.texture), tint: look.tint, light: look.light }
    }

    /// The texture's name, and the tint's where there is one: `stone`, `plain_ff8000`.
    pub(super) fn picture(&self, tiles: &TextureStrip) -> String {
        let [r, g, b] = self.tint;
        let tint = if self.tint == [255; 3] { String::new() } else { format!("_{r:02x}{g:02x}{b:02x}") };
        tiles.names[self.tile].clone() + &tint
    }

    /// A name that no other part has.
    pub(super) fn name(&self, tiles: &TextureStrip) -> String {
        let light = if self.light == 0 { String::new() } else { format!("_light{}", self.light) };
        let pass = match self.pass {
            MeshPass::Opaque => "",
            MeshPass::CutOut => "_cutout",
            MeshPass::Translucent => "_translucent",
        };
        self.picture(tiles) + &light + pass
    }
}

/// A quad, and which chunk it is of.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedQuad {
    chunk: u32,
    pub(super) quad: Quad,
}

/// All quads of one appearance.
#[derive(Clone, Default, Debug)]
pub(super) struct MeshPart {
    pub(super) quads: Vec<PlacedQuad>,
    /// Some corner of some quad is darker than others.
    pub(super) shaded: bool,
}

/// A corner of a quad as it is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Corner {
    /// Metres from the origin.
    pub(super) position: Vec3,
    /// Out of the surface.
    pub(super) normal: Vec3,
    /// From the texture's upper left, one a voxel: repeated beyond 0 to 1.
    pub(super) uv: Vec2,
    /// Ambient occlusion, 0 (darkest) to 3 (none).
    pub(super) ao: u8,
}

/// The surface of a scene.
pub(super) struct Surfaces {
    /// The lowest corner of each chunk, from the origin.
    corners: Vec<IVec3>,
    pub(super) parts: BTreeMap<Appearance, MeshPart>,
}

impl Surfaces {
    /// Collects the quads of all chunks; this is the first [`COLLECTING`] of the work.
    pub(super) fn new(scene: &Scene, tiles: &TextureStrip, progress: &mut Progress) -> Result<Surfaces, WriterError> {
        let looks = FaceMaterials::new(&scene.materials);
        let origin = origin(scene)?;
        let positions = scene.positions();
        let mut corners = Vec::new();
        let mut parts: BTreeMap<Appearance, MeshPart> = BTreeMap::new();
        for (chunk, &pos) in positions.iter().enumerate() {
            report(progress, COLLECTING * chunk as f32 / positions.len() as f32)?;
            let chunk = u32::try_from(chunk).map_err(|_| WriterError::Unfit("it holds too many chunks".to_owned()))?;
            corners.push(pos.origin() - origin);
            let ChunkMesh { opaque, cutout, translucent, .. } =
                build(&scene.world.neighbourhood(pos).borrowed(), &looks);
            for (pass, quads) in
                [(MeshPass::Opaque, opaque), (MeshPass::CutOut, cutout), (MeshPass::Translucent, translucent)]
            {
                for quad in quads {
                    let appearance = Appearance::new(pass, &looks.list()[usize::from(quad.material)], tiles);
                    let part = parts.entry(appearance).or_default();
                    part.shaded |= quad.ao != u8::MAX;
                    part.quads.push(PlacedQuad { chunk, quad });
                }
            }
        }
        if parts.is_empty() {
            return Err(WriterError::Unfit("nothing of it can be seen".to_owned()));
        }
        Ok(Surfaces { corners, parts })
    }

    /// The corners of a quad, by corner number.
    pub(super) fn corners(&self, placed: PlacedQuad) -> [Corner; 4] {
        let chunk = self.corners[placed.chunk as usize].as_vec3();
        placed.quad.vertices().map(|vertex| {
            let inside = local(&vertex);
            Corner { position: chunk + inside, normal: normal(vertex.face), uv: uv(&vertex, inside), ao: vertex.ao }
        })
    }

    pub(super) fn quads(&self) -> u64 {
        self.parts.values().map(|part| part.quads.len() as u64).sum()
    }

    /// What there is to say of it, whichever the format.
    pub(super) fn written(&self) -> WriterReport {
        let figure = |name, text, count| ExportFigure { name, text, count };
        let figures = vec![
            figure("quads", "quads", self.quads()),
            figure("triangles", "triangles", 2 * self.quads()),
            figure("materials", "materials", self.parts.len() as u64),
        ];
        WriterReport { figures, warnings: vec![] }
    }
}

/// The middle of the box's bottom, a corner of voxels.
fn origin(scene: &Scene) -> Result<IVec3, WriterError> {
    let (min, max) = (scene.bounds.min.as_i64vec3(), scene.bounds.max.as_i64vec3());
    let middle = |a: i64, b: i64| (a + b).div_euclid(2);
    let origin = glam::I64Vec3::new(middle(min.x, max.x), min.y, middle(min.z, max.z));
    let away = (scene.matter.min.as_i64vec3() - origin).abs().max((scene.matter.max.as_i64vec3() - origin).abs());
    // A chunk's corner may lie a chunk farther.
    if away.max_element() + 32 > FARTHEST {
        let reason = format!("it reaches {} voxels from the middle of its bottom", away.max_element());
        return Err(WriterError::Unfit(format!("{reason}; coordinates are exact up to {FARTHEST}")));
    }
    Ok(origin.as_ivec3())
}

/// Where a vertex is in its chunk, in metres.
fn local(vertex: &Vertex) -> Vec3 {
    Vec3::new(f32::from(vertex.x), f32::from(vertex.y) / f32::from(STEPS), f32::from(vertex.z))
}

/// A sheet's normal is that of the side it is seen from in the order of its corners; it is drawn from both.
pub(super) fn normal(face: u8) -> Vec3 {
    const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
    match Face::ALL.get(usize::from(face)) {
        Some(face) => face.normal().as_vec3(),
        None if face == SHEET => Vec3::new(DIAGONAL, 0.0, -DIAGONAL),
        None => Vec3::new(DIAGONAL, 0.0, DIAGONAL),
    }
}

/// The texture's place: from the position in the chunk, as the game's shader has it (`face_uv` in `chunk.wgsl`).
fn uv(vertex: &Vertex, p: Vec3) -> Vec2 {
    match vertex.face {
        0 => Vec2::new(-p.z, -p.y),
        1 => Vec2::new(p.z, -p.y),
        2 | 3 => Vec2::new(p.x, p.z),
        4 => Vec2::new(p.x, -p.y),
        5 => Vec2::new(-p.x, -p.y),
        // A little off the edge, so that the root row does not show at the top.
        _ => Vec2::new(f32::from(vertex.corner & 1), 0.98 - 0.96 * f32::from(vertex.corner >> 1)),
    }
}
