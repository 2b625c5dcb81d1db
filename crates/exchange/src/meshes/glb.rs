//! Writes binary glTF 2.0 as a single file. Source: Khronos, glTF 2.0 specification, "GLB File
//! Format Specification".
//!
//! ```text
//! header      "glTF", version 2, length of the file
//! JSON chunk  length, "JSON", scene description, padded with spaces
//! BIN chunk   length, "BIN\0", per part: interleaved vertices, then indices; then PNG textures
//! ```
//!
//! The JSON comes first and contains all offsets, so all lengths are computed before a byte is
//! written.

use super::corner::Corner;
use super::gltf_document::GltfDocument;
use super::surfaces::{COLLECTING_SHARE, MeshPart, Surfaces};
use crate::scene::{Scene, WriterError, WriterReport};
use crate::{Progress, report};
use std::io::Write;
use stonerun_engine::mesh::TextureStrip;

/// Writes `scene`.
///
/// # Errors
/// The file would exceed 4 GiB, `out` fails, or `progress` cancels.
pub(crate) fn write(
    scene: &Scene,
    progress: &mut Progress,
    out: &mut impl Write,
) -> Result<WriterReport, WriterError> {
    let tiles = TextureStrip::embedded().map_err(|e| WriterError::Unfit(e.to_string()))?;
    let surfaces = Surfaces::new(scene, &tiles, progress)?;
    let mut document = GltfDocument::default();
    for (appearance, part) in &surfaces.parts {
        document.add(&surfaces, appearance, part, &tiles)?;
    }
    let mut json = serde_json::to_vec(&document.json())
        .map_err(|error| WriterError::Unfit(error.to_string()))?;
    // Both chunks must have lengths that are multiples of four.
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = file_length(json.len() as u64, document.bytes, surfaces.faces())?;
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
        report(
            progress,
            COLLECTING_SHARE + (1.0 - COLLECTING_SHARE) * done as f32 / surfaces.faces() as f32,
        )?;
        write_part(&surfaces, part, out)?;
        done += (part.quads.len() + part.ground.len()) as u64;
    }
    for png in &document.pictures {
        out.write_all(png)?;
    }
    report(progress, 1.0)?;
    Ok(surfaces.report())
}

/// Length of the file: a header of 12 bytes, and two chunks with headers of 8 bytes each.
fn file_length(json: u64, bytes: u64, faces: u64) -> Result<u32, WriterError> {
    let total = 12 + 8 + json + 8 + bytes;
    u32::try_from(total).map_err(|_| {
        let reason =
            format!("its {faces} faces take {total} bytes; a .glb file has room for {}", u32::MAX);
        WriterError::Unfit(format!("{reason}: choose a part with --from and --to"))
    })
}

/// Writes the vertices of a part, then its indices.
fn write_part(
    surfaces: &Surfaces,
    part: &MeshPart,
    out: &mut impl Write,
) -> Result<(), WriterError> {
    for &placed in &part.quads {
        for corner in surfaces.corners(placed) {
            write_corner(corner, part.shaded, out)?;
        }
    }
    for triangle in &part.ground {
        for corner in surfaces.ground_corners(triangle) {
            write_corner(corner, part.shaded, out)?;
        }
    }
    for (i, placed) in part.quads.iter().enumerate() {
        for corner in placed.shaded.triangles() {
            out.write_all(&(4 * i as u32 + u32::from(corner)).to_le_bytes())?;
        }
    }
    let first = 4 * part.quads.len() as u32;
    for corner in 0..3 * part.ground.len() as u32 {
        out.write_all(&(first + corner).to_le_bytes())?;
    }
    Ok(())
}

/// Writes a vertex, with its shade if the part `is_shaded`.
fn write_corner(
    Corner { position, normal, uv, ao }: Corner,
    is_shaded: bool,
    out: &mut impl Write,
) -> Result<(), WriterError> {
    for number in position.to_array().into_iter().chain(normal.to_array()).chain(uv.to_array()) {
        out.write_all(&number.to_le_bytes())?;
    }
    if is_shaded {
        let shade = shade(ao);
        out.write_all(&[shade, shade, shade, 255])?;
    }
    Ok(())
}

/// Light that reaches a corner with ambient occlusion `ao`, out of 255, as in the game's shader.
fn shade(ao: u8) -> u8 {
    ((0.42 + 0.58 * f32::from(ao) / 3.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_longer_than_4_gib_is_refused() {
        assert_eq!(file_length(1000, (1 << 32) - 1032, 7).unwrap(), u32::MAX - 3);
        let Err(WriterError::Unfit(reason)) = file_length(1000, (1 << 32) - 1028, 7) else {
            panic!("it is 4 GiB")
        };
        let line = "its 7 faces take 4294967296 bytes; a .glb file has room for 4294967295: choose a part with --from and --to";
        assert_eq!(reason, line);
    }
}
