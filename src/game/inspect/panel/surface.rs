//! The page *Surface*: smooth ground as triangles, in the loaded world and in one chunk.

use crate::game::drawing::meshing::SurfaceSize;
use crate::game::inspect::panel::bars::{self, BarLength};
use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::surface_counts::SurfaceCounts;
use crate::game::inspect::panel::typography;
use crate::game::inspect::panel::typography::{AMBER, BRIGHT, ROSE, TEAL};
use crate::game::player::crosshair::Crosshair;
use crate::game::state::format;
use bevy_egui::egui::Ui;
use stonerun_engine::surface::PackedSurfaceVertex;
use stonerun_engine::voxel::SurfaceRule;

/// Cells in which a chunk's surface may have vertices: one more than voxels along each axis.
const CELLS: u64 = 33 * 33 * 33;

/// Data of the page.
struct SurfacePage {
    /// Sizes of all surfaces.
    total: SurfaceSize,
    /// Numbers of materials that shape ground, smooth, facet, rough and terrace.
    materials: [u64; 4],
    /// The crosshair's chunk.
    crosshair: Crosshair,
    /// Counts of the crosshair's chunk, if it is loaded.
    chunk: Option<SurfaceCounts>,
}

impl SurfacePage {
    /// The data now; `None` while no map is open.
    fn new(sources: &Sources) -> Option<SurfacePage> {
        let mut materials = [0; 4];
        for (_, material) in sources.map.as_deref()?.materials.iter() {
            match material.surface {
                SurfaceRule::Cube => {}
                SurfaceRule::Smooth => materials[0] += 1,
                SurfaceRule::Facet => materials[1] += 1,
                SurfaceRule::Rough(_) => materials[2] += 1,
                SurfaceRule::Terrace(_) => materials[3] += 1,
            }
        }
        Some(SurfacePage {
            total: sources.meshes.as_deref()?.total.surface,
            materials,
            crosshair: *sources.crosshair,
            chunk: sources.counted_surface.counts,
        })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    if let Some(data) = SurfacePage::new(context.sources) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &SurfacePage) {
    typography::head(ui, "Materials that shape ground", "of this map");
    for (name, count) in ["Smooth", "Facet", "Rough", "Terrace"].into_iter().zip(shown.materials) {
        typography::single(ui, name, format::count(count), BRIGHT);
    }
    typography::head(ui, "Surface", "");
    typography::heads(ui, shown.crosshair);
    let SurfaceSize { vertices, triangles, bytes } = shown.total;
    let of_chunk = |figure: fn(&SurfaceCounts) -> String| {
        (shown.chunk.as_ref().map_or_else(|| format::NONE.into(), figure), AMBER)
    };
    typography::pair(
        ui,
        "Vertices",
        (format::count(vertices as u64), BRIGHT),
        of_chunk(|counts| format::count(counts.vertices)),
    );
    typography::pair(
        ui,
        "Triangles",
        (format::count(triangles as u64), TEAL),
        of_chunk(|counts| format::count(counts.triangles)),
    );
    typography::pair(
        ui,
        "Graphics memory",
        (format::bytes(bytes as u64), ROSE),
        of_chunk(|counts| format::bytes(counts.bytes)),
    );
    let per_vertex = PackedSurfaceVertex::BYTES as u64;
    typography::single(ui, "Bytes per vertex", format::count(per_vertex), BRIGHT);
    let place = if shown.crosshair.met { "Chunk at the crosshair" } else { "Chunk underfoot" };
    typography::head(ui, place, "Cells");
    let Some(counts) = shown.chunk else { return };
    let length = BarLength { value: counts.cells, full: CELLS };
    let figure = format!("{} of {}", format::count(counts.cells), format::count(CELLS));
    bars::labelled(ui, "Crossed", length, figure, AMBER);
    typography::single(ui, "Triangles saved by merging", format::count(counts.merged), BRIGHT);
    typography::single(ui, "Built in", format::millis(counts.time.as_secs_f64() * 1e3), BRIGHT);
}
