//! Binary glTF 2.0: one file with everything in it.
//!
//! A header, the JSON that describes the scene, and the bytes it speaks of: for each part its vertices, interleaved, then its
//! indices; in the end the textures, PNG. The JSON comes first and knows where everything is, so lengths are computed before
//! the first byte is written. (Khronos, glTF 2.0 specification, "GLB File Format Specification".)

use super::surfaces::{Appearance, COLLECTING, Corner, MeshPart, MeshPass, Surfaces};
use crate::exchange::scene::{Scene, WriterError, WriterReport};
use crate::exchange::{Progress, report};
use crate::mesh::{TextureStrip, srgb_to_linear};
use crate::voxel::MAX_LIGHT;
use glam::Vec3;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;

const FLOAT: u32 = 5126;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const TRIANGLES: u32 = 4;
const NEAREST: u32 = 9728;
const LINEAR_MIPMAP_LINEAR: u32 = 9987;
const REPEAT: u32 = 10497;

/// Bytes of position, normal and texture coordinates, as floats.
const PLAIN_VERTEX: u64 = 12 + 12 + 8;
/// Bytes of a colour: three of it, and alpha.
const COLOUR: u64 = 4;
/// Bytes of the indices of a quad.
const QUAD_INDICES: u64 = 6 * 4;

/// Writes `scene`.
pub(in crate::exchange) fn write(
    scene: &Scene,
    progress: &mut Progress,
    out: &mut impl Write,
) -> Result<WriterReport, WriterError> {
    let tiles = TextureStrip::embedded().map_err(|e| WriterError::Unfit(e.to_string()))?;
    let surfaces = Surfaces::new(scene, &tiles, progress)?;
    let mut document = Document::default();
    for (appearance, part) in &surfaces.parts {
        document.add(&surfaces, appearance, part, &tiles)?;
    }
    let mut json = serde_json::to_vec(&document.json()).map_err(|error| WriterError::Unfit(error.to_string()))?;
    // Both chunks are of whole words.
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = length(json.len() as u64, document.bytes, surfaces.quads())?;
    let word = |n: usize| (n as u32).to_le_bytes();
    out.write_all(b"glTF\x02\0\0\0")?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&word(json.len()))?;
    out.write_all(b"JSON")?;
    out.write_all(&json)?;
    out.write_all(&word(document.bytes as usize))?;
    out.write_all(b"BIN\0")?;
    let mut done = 0;
    for part in surfaces.parts.values() {
        report(progress, COLLECTING + (1.0 - COLLECTING) * done as f32 / surfaces.quads() as f32)?;
        write_part(&surfaces, part, out)?;
        done += part.quads.len() as u64;
    }
    for png in &document.pictures {
        out.write_all(png)?;
    }
    report(progress, 1.0)?;
    Ok(surfaces.written())
}

/// Bytes of the whole file: its header, and two chunks with theirs.
fn length(json: u64, bytes: u64, quads: u64) -> Result<u32, WriterError> {
    let total = 12 + 8 + json + 8 + bytes;
    u32::try_from(total).map_err(|_| {
        let reason = format!("its {quads} quads take {total} bytes; a .glb file has room for {}", u32::MAX);
        WriterError::Unfit(format!("{reason}: choose a part with --from and --to"))
    })
}

/// The vertices of a part, then its indices.
fn write_part(surfaces: &Surfaces, part: &MeshPart, out: &mut impl Write) -> Result<(), WriterError> {
    for &placed in &part.quads {
        for Corner { position, normal, uv, ao } in surfaces.corners(placed) {
            for number in position.to_array().into_iter().chain(normal.to_array()).chain(uv.to_array()) {
                out.write_all(&number.to_le_bytes())?;
            }
            if part.shaded {
                let shade = shade(ao);
                out.write_all(&[shade, shade, shade, 255])?;
            }
        }
    }
    for (i, placed) in part.quads.iter().enumerate() {
        for corner in placed.quad.triangles() {
            out.write_all(&(4 * i as u32 + u32::from(corner)).to_le_bytes())?;
        }
    }
    Ok(())
}

/// How much of the light reaches a corner, of 255: as in the game's shader.
fn shade(ao: u8) -> u8 {
    ((0.42 + 0.58 * f32::from(ao) / 3.0) * 255.0).round() as u8
}

/// The JSON while parts are added to it.
#[derive(Default)]
struct Document {
    views: Vec<Value>,
    accessors: Vec<Value>,
    primitives: Vec<Value>,
    materials: Vec<Value>,
    images: Vec<Value>,
    /// The PNG files, padded to whole words, and which texture is which of them.
    pictures: Vec<Vec<u8>>,
    picture_of: BTreeMap<usize, usize>,
    /// Bytes that the views cover, without the pictures until [`Document::json`] adds these.
    bytes: u64,
}

impl Document {
    fn add(
        &mut self,
        surfaces: &Surfaces,
        look: &Appearance,
        part: &MeshPart,
        tiles: &TextureStrip,
    ) -> Result<(), WriterError> {
        let texture = self.texture(look.tile, tiles)?;
        let (vertices, stride) = (4 * part.quads.len() as u64, PLAIN_VERTEX + if part.shaded { COLOUR } else { 0 });
        let first = self.view(vertices * stride, json!({ "byteStride": stride, "target": ARRAY_BUFFER }));
        let (min, max) = extent(surfaces, part);
        let position = json!({ "min": min.to_array(), "max": max.to_array() });
        let mut attributes = json!({
            "POSITION": self.accessor((first, 0), (FLOAT, "VEC3", vertices), position),
            "NORMAL": self.accessor((first, 12), (FLOAT, "VEC3", vertices), json!({})),
            "TEXCOORD_0": self.accessor((first, 24), (FLOAT, "VEC2", vertices), json!({})),
        });
        if part.shaded {
            let bytes = (UNSIGNED_BYTE, "VEC4", vertices);
            attributes["COLOR_0"] = self.accessor((first, PLAIN_VERTEX), bytes, json!({ "normalized": true })).into();
        }
        let indices = part.quads.len() as u64 * QUAD_INDICES;
        let second = self.view(indices, json!({ "target": ELEMENT_ARRAY_BUFFER }));
        let indices = self.accessor((second, 0), (UNSIGNED_INT, "SCALAR", indices / 4), json!({}));
        self.primitives.push(json!({
            "attributes": attributes,
            "indices": indices,
            "material": self.materials.len(),
            "mode": TRIANGLES,
        }));
        self.materials.push(material(look, texture, tiles));
        Ok(())
    }

    /// The texture with this picture; each is there once.
    fn texture(&mut self, tile: usize, tiles: &TextureStrip) -> Result<usize, WriterError> {
        if let Some(&index) = self.picture_of.get(&tile) {
            return Ok(index);
        }
        let png = tiles.png(tile, |texel| texel).map_err(|error| WriterError::Unfit(error.to_string()))?;
        self.images.push(json!({ "name": tiles.names[tile], "mimeType": "image/png" }));
        self.pictures.push(png);
        self.picture_of.insert(tile, self.pictures.len() - 1);
        Ok(self.pictures.len() - 1)
    }

    /// Adds a view of the bytes that come next; returns its number.
    fn view(&mut self, length: u64, mut view: Value) -> usize {
        view["buffer"] = 0.into();
        view["byteOffset"] = self.bytes.into();
        view["byteLength"] = length.into();
        self.views.push(view);
        self.bytes += length.next_multiple_of(4);
        self.views.len() - 1
    }

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

    /// The whole of it; pictures come last.
    fn json(&mut self) -> Value {
        for i in 0..self.pictures.len() {
            let view = self.view(self.pictures[i].len() as u64, json!({}));
            self.images[i]["bufferView"] = view.into();
            let padded = self.pictures[i].len().next_multiple_of(4);
            self.pictures[i].resize(padded, 0);
        }
        let textures: Vec<Value> = (0..self.images.len()).map(|i| json!({ "source": i, "sampler": 0 })).collect();
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

fn extent(surfaces: &Surfaces, part: &MeshPart) -> (Vec3, Vec3) {
    let corners = part.quads.iter().flat_map(|&placed| surfaces.corners(placed)).map(|corner| corner.position);
    // No part is without a quad.
    corners.fold((Vec3::MAX, Vec3::MIN), |(min, max), at| (min.min(at), max.max(at)))
}

fn material(look: &Appearance, texture: usize, tiles: &TextureStrip) -> Value {
    // Factors are srgb_to_linear, whatever the texture's encoding.
    let [r, g, b] = look.tint.map(srgb_to_linear);
    let mut material = json!({
        "name": look.name(tiles),
        "pbrMetallicRoughness": {
            "baseColorTexture": { "index": texture },
            "baseColorFactor": [r, g, b, 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 1.0,
        },
    });
    match look.pass {
        MeshPass::Opaque => {}
        MeshPass::CutOut => {
            material["alphaMode"] = "MASK".into();
            material["alphaCutoff"] = 0.5.into();
        }
        MeshPass::Translucent => material["alphaMode"] = "BLEND".into(),
    }
    if look.pass != MeshPass::Opaque {
        material["doubleSided"] = true.into();
    }
    if look.light > 0 {
        let glow = f32::from(look.light) / f32::from(MAX_LIGHT);
        material["emissiveFactor"] = json!([r * glow, g * glow, b * glow]);
        material["emissiveTexture"] = json!({ "index": texture });
    }
    material
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_than_a_file_can_be_is_refused() {
        assert_eq!(length(1000, (1 << 32) - 1032, 7).unwrap(), u32::MAX - 3);
        let Err(WriterError::Unfit(reason)) = length(1000, (1 << 32) - 1028, 7) else { panic!("it is 4 GiB") };
        let line = "its 7 quads take 4294967296 bytes; a .glb file has room for 4294967295: choose a part with --from and --to";
        assert_eq!(reason, line);
    }
}
