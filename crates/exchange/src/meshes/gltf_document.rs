//! The JSON of a glTF file: its meshes, materials and textures, and where their bytes are.

use super::surfaces::{Appearance, MeshPart, MeshPass, Surfaces};
use crate::scene::WriterError;
use glam::Vec3;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use stonerun_engine::mesh::{TextureStrip, srgb_to_linear};
use stonerun_engine::voxel::MAX_LIGHT;

// Constants that glTF takes from OpenGL.
const FLOAT: u32 = 5126;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const TRIANGLES: u32 = 4;
const NEAREST: u32 = 9728;
const LINEAR_MIPMAP_LINEAR: u32 = 9987;
const REPEAT: u32 = 10497;

/// Bytes of a vertex without colour: position, normal and texture coordinates, as floats.
const PLAIN_VERTEX_BYTES: u64 = 12 + 12 + 8;
/// Bytes of a vertex colour, RGBA.
const COLOUR_BYTES: u64 = 4;
/// Bytes of the six indices of a quad.
const QUAD_INDEX_BYTES: u64 = 6 * 4;
/// Bytes of the three indices of a triangle.
const TRIANGLE_INDEX_BYTES: u64 = 3 * 4;

/// Builder of the JSON.
#[derive(Default)]
pub(super) struct GltfDocument {
    views: Vec<Value>,
    accessors: Vec<Value>,
    primitives: Vec<Value>,
    materials: Vec<Value>,
    images: Vec<Value>,
    /// PNG files. [`GltfDocument::json`] pads each to a multiple of four bytes.
    pub(super) pictures: Vec<Vec<u8>>,
    /// Index of the picture of each texture.
    picture_of: BTreeMap<usize, usize>,
    /// Total length of all buffer views, in bytes. [`GltfDocument::json`] adds the pictures.
    pub(super) bytes: u64,
}

impl GltfDocument {
    /// Adds a part.
    pub(super) fn add(
        &mut self,
        surfaces: &Surfaces,
        appearance: &Appearance,
        part: &MeshPart,
        tiles: &TextureStrip,
    ) -> Result<(), WriterError> {
        let texture = self.texture(appearance.tile, tiles)?;
        let (vertices, stride) = (
            (4 * part.quads.len() + 3 * part.ground.len()) as u64,
            PLAIN_VERTEX_BYTES + if part.shaded { COLOUR_BYTES } else { 0 },
        );
        let first =
            self.view(vertices * stride, json!({ "byteStride": stride, "target": ARRAY_BUFFER }));
        let (min, max) = extent(surfaces, part);
        let position = json!({ "min": min.to_array(), "max": max.to_array() });
        let mut attributes = json!({
            "POSITION": self.accessor((first, 0), (FLOAT, "VEC3", vertices), position),
            "NORMAL": self.accessor((first, 12), (FLOAT, "VEC3", vertices), json!({})),
            "TEXCOORD_0": self.accessor((first, 24), (FLOAT, "VEC2", vertices), json!({})),
        });
        if part.shaded {
            let bytes = (UNSIGNED_BYTE, "VEC4", vertices);
            attributes["COLOR_0"] = self
                .accessor((first, PLAIN_VERTEX_BYTES), bytes, json!({ "normalized": true }))
                .into();
        }
        let indices = part.quads.len() as u64 * QUAD_INDEX_BYTES
            + part.ground.len() as u64 * TRIANGLE_INDEX_BYTES;
        let second = self.view(indices, json!({ "target": ELEMENT_ARRAY_BUFFER }));
        let indices = self.accessor((second, 0), (UNSIGNED_INT, "SCALAR", indices / 4), json!({}));
        self.primitives.push(json!({
            "attributes": attributes,
            "indices": indices,
            "material": self.materials.len(),
            "mode": TRIANGLES,
        }));
        self.materials.push(material(appearance, texture, tiles));
        Ok(())
    }

    /// Index of the texture of `tile`. The first call adds the texture.
    fn texture(&mut self, tile: usize, tiles: &TextureStrip) -> Result<usize, WriterError> {
        if let Some(&index) = self.picture_of.get(&tile) {
            return Ok(index);
        }
        let png = tiles
            .png(tile, |texel| texel)
            .map_err(|error| WriterError::Unfit(error.to_string()))?;
        self.images.push(json!({ "name": tiles.names[tile], "mimeType": "image/png" }));
        self.pictures.push(png);
        self.picture_of.insert(tile, self.pictures.len() - 1);
        Ok(self.pictures.len() - 1)
    }

    /// Adds a view of the next `length` bytes of the buffer, and returns its index.
    fn view(&mut self, length: u64, mut view: Value) -> usize {
        view["buffer"] = 0.into();
        view["byteOffset"] = self.bytes.into();
        view["byteLength"] = length.into();
        self.views.push(view);
        self.bytes += length.next_multiple_of(4);
        self.views.len() - 1
    }

    /// Adds an accessor and returns its index.
    fn accessor(
        &mut self,
        (view, offset): (usize, u64),
        (component, kind, count): (u32, &str, u64),
        mut accessor: Value,
    ) -> usize {
        accessor["bufferView"] = view.into();
        accessor["byteOffset"] = offset.into();
        accessor["componentType"] = component.into();
        accessor["type"] = kind.into();
        accessor["count"] = count.into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds the pictures and returns the complete JSON.
    pub(super) fn json(&mut self) -> Value {
        for i in 0..self.pictures.len() {
            let view = self.view(self.pictures[i].len() as u64, json!({}));
            self.images[i]["bufferView"] = view.into();
            let padded = self.pictures[i].len().next_multiple_of(4);
            self.pictures[i].resize(padded, 0);
        }
        let textures: Vec<Value> =
            (0..self.images.len()).map(|i| json!({ "source": i, "sampler": 0 })).collect();
        json!({
            "asset": { "version": "2.0", "generator": concat!("Stonerun ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "mesh": 0, "name": "world" }],
            "meshes": [{ "name": "world", "primitives": self.primitives }],
            "materials": self.materials,
            "textures": textures,
            "images": self.images,
            "samplers": [{
                "magFilter": NEAREST,
                "minFilter": LINEAR_MIPMAP_LINEAR,
                "wrapS": REPEAT,
                "wrapT": REPEAT,
            }],
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.bytes }],
        })
    }
}

/// Lowest and highest coordinates of a part.
fn extent(surfaces: &Surfaces, part: &MeshPart) -> (Vec3, Vec3) {
    let quads = part.quads.iter().flat_map(|&placed| surfaces.corners(placed));
    let ground = part.ground.iter().flat_map(|triangle| surfaces.ground_corners(triangle));
    let corners = quads.chain(ground).map(|corner| corner.position);
    // Never empty: every part has a face.
    corners.fold((Vec3::MAX, Vec3::MIN), |(min, max), at| (min.min(at), max.max(at)))
}

/// The JSON of a material.
fn material(appearance: &Appearance, texture: usize, tiles: &TextureStrip) -> Value {
    // Colour factors are linear, although textures are sRGB.
    let [r, g, b] = appearance.tint.map(srgb_to_linear);
    let mut material = json!({
        "name": appearance.name(tiles),
        "pbrMetallicRoughness": {
            "baseColorTexture": { "index": texture },
            "baseColorFactor": [r, g, b, 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 1.0,
        },
    });
    match appearance.pass {
        MeshPass::Opaque => {}
        MeshPass::CutOut => {
            material["alphaMode"] = "MASK".into();
            material["alphaCutoff"] = 0.5.into();
        }
        MeshPass::Translucent => material["alphaMode"] = "BLEND".into(),
    }
    if appearance.pass != MeshPass::Opaque {
        material["doubleSided"] = true.into();
    }
    if appearance.light > 0 {
        let glow = f32::from(appearance.light) / f32::from(MAX_LIGHT);
        material["emissiveFactor"] = json!([r * glow, g * glow, b * glow]);
        material["emissiveTexture"] = json!({ "index": texture });
    }
    material
}
