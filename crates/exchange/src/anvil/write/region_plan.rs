//! The regions of an export: which files, and which Minecraft chunks are in each.

use crate::anvil::region_file::REGION_SIDE;
use crate::anvil::world_folder::region_coordinates;
use crate::scene::Scene;
use glam::IVec2;
use std::collections::BTreeMap;
use std::path::Path;

/// Maximum number of names that an error lists.
const MAX_LISTED: usize = 4;

/// The region files of an export.
pub(super) struct RegionPlan {
    /// Offset from the map's Minecraft chunks to the files', in chunks.
    pub offset: IVec2,
    /// The files, one of which is the target.
    pub regions: Vec<PlannedRegion>,
}

/// A region file.
pub(super) struct PlannedRegion {
    /// Name of a file next to the target; `None` for the target.
    pub sibling: Option<String>,
    /// The Minecraft chunks (x, z) of the map, by z, then x.
    pub chunks: Vec<IVec2>,
}

impl RegionPlan {
    /// The files for `target`.
    ///
    /// # Errors
    /// The target is named after a region without blocks, or has no region's name and the blocks do
    /// not fit into one region.
    pub(super) fn new(target: &Path, scene: &Scene) -> Result<RegionPlan, String> {
        let chunks = chunks(scene);
        let mut regions: BTreeMap<(i32, i32), Vec<IVec2>> = BTreeMap::new();
        for &chunk in &chunks {
            let region = chunk.div_euclid(IVec2::splat(REGION_SIDE));
            regions.entry((region.y, region.x)).or_default().push(chunk);
        }
        let Some(own) = region_coordinates(target) else {
            return one_region(chunks, &regions);
        };
        if !regions.contains_key(&(own.1, own.0)) {
            let there = names(&regions);
            return Err(format!("its name is that of another region: the blocks lie in {there}"));
        }
        let planned = |((z, x), chunks): ((i32, i32), Vec<IVec2>)| PlannedRegion {
            sibling: ((x, z) != own).then(|| name(x, z)),
            chunks,
        };
        Ok(RegionPlan { offset: IVec2::ZERO, regions: regions.into_iter().map(planned).collect() })
    }
}

/// The plan for a file that no place belongs to.
fn one_region(
    chunks: Vec<IVec2>,
    regions: &BTreeMap<(i32, i32), Vec<IVec2>>,
) -> Result<RegionPlan, String> {
    // A scene has matter.
    let min = chunks.iter().copied().reduce(IVec2::min).unwrap_or_default();
    let max = chunks.iter().copied().reduce(IVec2::max).unwrap_or_default();
    // In 64 bits, because two positions may be far apart.
    let size = max.as_i64vec2() - min.as_i64vec2() + 1;
    if size.max_element() > i64::from(REGION_SIDE) {
        return Err(format!(
            "{} x {} chunks of Minecraft: a region file has {REGION_SIDE} x {REGION_SIDE} of them; \
             name it {} to write several files next to each other",
            size.x,
            size.y,
            names(regions)
        ));
    }
    Ok(RegionPlan { offset: -min, regions: vec![PlannedRegion { sibling: None, chunks }] })
}

/// The Minecraft chunks of the map's chunks with matter, as far as they are in the box, by z, then
/// x.
fn chunks(scene: &Scene) -> Vec<IVec2> {
    let bounds = scene.bounds;
    let [low, high] = [bounds.min, bounds.max - 1].map(|at| at.div_euclid(glam::IVec3::splat(16)));
    let columns = scene.world.chunks().flat_map(|(pos, _)| {
        let first = IVec2::new(pos.x, pos.z) * 2;
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| first + IVec2::new(x, z))
    });
    let is_inside =
        |at: &IVec2| (low.x..=high.x).contains(&at.x) && (low.z..=high.z).contains(&at.y);
    let mut chunks: Vec<IVec2> = columns.filter(is_inside).collect();
    chunks.sort_unstable_by_key(|at| (at.y, at.x));
    chunks.dedup();
    chunks
}

fn name(x: i32, z: i32) -> String {
    format!("r.{x}.{z}.mca")
}

/// The names of regions for people: `r.0.0.mca, r.1.0.mca`.
fn names(regions: &BTreeMap<(i32, i32), Vec<IVec2>>) -> String {
    let listed = regions.keys().take(MAX_LISTED).map(|&(z, x)| name(x, z));
    let listed = listed.collect::<Vec<_>>().join(" or ");
    match regions.len().saturating_sub(MAX_LISTED) {
        0 => listed,
        more => format!("{listed} or one of {more} others"),
    }
}
