//! Writes a scene as a `.vox` file.
//!
//! MagicaVoxel's models have at most 256 voxels per side, so a scene is divided into a grid of
//! boxes of that size, starting at its lowest corner. Each box becomes a model as large as its
//! content, placed by a transform node. Axes and position are the inverse of the importer's: (x, y,
//! z) -> (x, -z, y), the lowest voxel on the ground and the middle at the origin. An imported file
//! is therefore exported to its original position if that was centred.
//!
//! A `.vox` voxel has no occupancy, so partly filled voxels become full, except that smooth ground
//! of less than half a voxel is left out. Models are written one by one, so memory holds the voxels
//! of only one model, at most 64 MiB.

use super::chunk_writer::{NO_ID, VoxChunkWriter, head};
use super::export_palette::ExportPalette;
use super::limits::{MAX_INSTANCES, MAX_SIDE, MAX_VOXELS};
use crate::scene::{ExportFigure, Scene, WriterError, WriterReport, as_whole_block};
use crate::{Progress, report};
use glam::{I64Vec3, IVec3};
use std::collections::BTreeMap;
use std::io::{Seek, SeekFrom, Write};
use stonerun_engine::mesh::TextureStrip;
use stonerun_engine::voxel::{Box3, ChunkPos, linear_offset};
use stonerun_engine::world::matter_bounds;

/// Longest side of a model, in voxels.
const MODEL_SIDE: i32 = 256;
/// Upper bound for the size of a model without its voxels, in bytes: chunk headers, nodes, group
/// entry.
const MODEL_BYTES: u64 = 256;
/// Upper bound for the size of palette and materials, in bytes.
const OTHER_BYTES: u64 = 1 << 20;
/// Widest scene that MagicaVoxel itself displays, in voxels.
const MAX_SHOWN_SIDE: i32 = 2000;

/// Writes `scene` to the empty `out`.
///
/// # Errors
/// The scene exceeds the format, `out` fails, or `progress` cancels.
pub(crate) fn write(
    scene: &Scene,
    progress: &mut Progress,
    out: &mut (impl Write + Seek),
) -> Result<WriterReport, WriterError> {
    let boxes = model_boxes(scene);
    check_limits(scene, boxes.len())?;
    let tiles = TextureStrip::embedded().map_err(|e| WriterError::Unfit(e.to_string()))?;
    let colours = ExportPalette::new(scene, &tiles);
    if colours.len() == 0 {
        let reason = "it holds only smooth ground of less than half a voxel, which is left out";
        return Err(WriterError::Unfit(reason.to_owned()));
    }
    let shift = centring(scene.matter);

    // The length is not known yet; it is written at the end.
    out.write_all(&head(0))?;
    let mut graph = Vec::new();
    let mut done = 0;
    for (index, chunks) in boxes {
        report(progress, done as f32 / scene.voxels as f32)?;
        let Some(model) = ExportModel::new(scene, &colours, index, &chunks) else { continue };
        let size = model.size.to_array().map(|side| side as usize);
        out.write_all(VoxChunkWriter::default().model(size, &model.voxels).bytes())?;
        done += model.voxels.len() as u64;
        graph.push(model_position(&model, shift));
    }
    let models = graph.len();
    // Nodes 0 and 1 are the root and its group. Each model adds two nodes.
    let ids: Vec<usize> = (0..models).map(|model| 2 + 2 * model).collect();
    let mut nodes = VoxChunkWriter::default().node_with(0, &[], 1, NO_ID, &[]).group(1, &ids);
    for (model, (&id, [x, y, z])) in ids.iter().zip(graph).enumerate() {
        nodes = nodes.node(id, id + 1, &[("_t", &format!("{x} {y} {z}"))]).shape(id + 1, model);
    }
    out.write_all(nodes.layer(0, &[]).bytes())?;
    out.write_all(colours.write().bytes())?;

    let length = out.stream_position()? - head(0).len() as u64;
    // Fits, because `check_limits` has bounded it.
    let length = u32::try_from(length)
        .map_err(|_| WriterError::Unfit("it takes more than 4 GiB".to_owned()))?;
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&head(length))?;
    report(progress, 1.0)?;

    let mut warnings = vec![];
    let size = scene.matter.size();
    if size.max_element() > MAX_SHOWN_SIDE {
        let size = format!("{} x {} x {}", size.x, size.y, size.z);
        warnings.push(format!(
            "it is {size} voxels large; MagicaVoxel itself shows at most {MAX_SHOWN_SIDE} per side"
        ));
    }
    if scene.voxels > MAX_VOXELS {
        warnings
            .push(format!("Stonerun itself imports at most {MAX_VOXELS} voxels of a .vox file"));
    }
    let figure = |name, text, count| ExportFigure { name, text, count };
    let figures = vec![
        figure("models", "models", models as u64),
        figure("colours", "colours", colours.len() as u64),
        figure("partly_filled", "", scene.partial),
        figure("merged_materials", "", colours.merged as u64),
    ];
    Ok(WriterReport { figures, losses: colours.losses, warnings })
}

/// The chunks of each model box. The grid of boxes, of [`MODEL_SIDE`] per side, starts at the
/// lowest corner of all matter; a key is y, z, x in boxes.
fn model_boxes(scene: &Scene) -> BTreeMap<[i32; 3], Vec<ChunkPos>> {
    let mut boxes: BTreeMap<[i32; 3], Vec<ChunkPos>> = BTreeMap::new();
    for pos in scene.positions() {
        let Some(own) = scene.world.chunk(pos).and_then(|chunk| matter_bounds(pos, chunk)) else {
            continue;
        };
        let lo = (own.min - scene.matter.min) / MODEL_SIDE;
        let hi = (own.max - 1 - scene.matter.min) / MODEL_SIDE;
        // A chunk is smaller than a box, so it intersects at most eight boxes.
        for y in lo.y..=hi.y {
            for z in lo.z..=hi.z {
                for x in lo.x..=hi.x {
                    boxes.entry([y, z, x]).or_default().push(pos);
                }
            }
        }
    }
    boxes
}

/// Refuses scenes that the format cannot hold.
fn check_limits(scene: &Scene, models: usize) -> Result<(), WriterError> {
    let size = scene.matter.size();
    if i64::from(size.max_element()) > MAX_SIDE {
        let size = format!("{} x {} x {}", size.x, size.y, size.z);
        return Err(WriterError::Unfit(format!(
            "it is {size} voxels large; a .vox file holds at most {MAX_SIDE} per side"
        )));
    }
    if models > MAX_INSTANCES {
        let reason = format!(
            "it takes {models} models of {MODEL_SIDE} voxels per side; at most {MAX_INSTANCES} are written"
        );
        return Err(WriterError::Unfit(reason));
    }
    let max = u64::from(u32::MAX) - OTHER_BYTES - models as u64 * MODEL_BYTES;
    if scene.voxels > max / 4 {
        let reason =
            format!("it holds {} voxels; a .vox file has room for {}", scene.voxels, max / 4);
        return Err(WriterError::Unfit(format!("{reason}: choose a part with --from and --to")));
    }
    Ok(())
}

/// The translation that moves the lowest voxel to y = 0 and the middle to x = z = 0, as in the
/// importer.
fn centring(matter: Box3) -> I64Vec3 {
    let min = matter.min.as_i64vec3();
    let max = matter.max.as_i64vec3();
    let middle = |a: i64, b: i64| (a + b).div_euclid(2);
    I64Vec3::new(-middle(min.x, max.x), -min.y, -middle(min.z, max.z))
}

/// A model: the voxels of one box.
struct ExportModel {
    /// Bounds in the world.
    bounds: Box3,
    /// Size in MagicaVoxel's axes.
    size: IVec3,
    /// x, y, z in MagicaVoxel's axes, and the colour index.
    voxels: Vec<[u8; 4]>,
}

impl ExportModel {
    /// Returns `None` if the box is empty because the matter of its chunks lies outside.
    fn new(
        scene: &Scene,
        colours: &ExportPalette,
        [y, z, x]: [i32; 3],
        chunks: &[ChunkPos],
    ) -> Option<ExportModel> {
        let min = scene.matter.min + IVec3::new(x, y, z) * MODEL_SIDE;
        let model_box = Box3 { min, max: min + MODEL_SIDE };
        let mut voxels: Vec<[u8; 4]> = Vec::new();
        for &pos in chunks {
            for run in scene.world.chunk(pos)?.runs() {
                let written = as_whole_block(run.voxel, &scene.materials);
                if written.is_air() {
                    continue;
                }
                let colour = colours.index_of(written.material());
                let positions =
                    (run.start..run.end()).map(|i| pos.origin() + linear_offset(i as usize));
                // Fits into a byte: the corner of the box is less than 256 voxels away.
                let bytes = |at: IVec3| (at - min).to_array().map(|part| part as u8);
                voxels.extend(positions.filter(|&at| model_box.contains(at)).map(|at| {
                    let [x, y, z] = bytes(at);
                    [x, y, z, colour]
                }));
            }
        }
        let position = |v: &[u8; 4]| IVec3::new(v[0].into(), v[1].into(), v[2].into());
        let corners = voxels.iter().map(|v| (position(v), position(v)));
        let (lo, hi) = corners.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let [low_x, low_y, high_z] = [lo.x as u8, lo.y as u8, hi.z as u8];
        for v in &mut voxels {
            // MagicaVoxel's y points north, so it starts at the southern end.
            *v = [v[0] - low_x, high_z - v[2], v[1] - low_y, v[3]];
        }
        let side = hi - lo + 1;
        Some(ExportModel {
            bounds: Box3 { min: min + lo, max: min + hi + 1 },
            size: IVec3::new(side.x, side.z, side.y),
            voxels,
        })
    }
}

/// Translation of a model's node in MagicaVoxel's axes: the position of the model's corner `size /
/// 2`, rounded down.
fn model_position(model: &ExportModel, shift: I64Vec3) -> [i64; 3] {
    let min = model.bounds.min.as_i64vec3() + shift;
    let max = model.bounds.max.as_i64vec3() + shift;
    let half = (model.size / 2).as_i64vec3();
    [min.x + half.x, -max.z + half.y, min.y + half.z]
}
