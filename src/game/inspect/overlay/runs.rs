//! The overlay *runs*: the stored runs of one chunk.

use crate::game::inspect::overlay::bars::Stretch;
use crate::game::state::format;
use stonerun_engine::metrics::ChunkStats;
use stonerun_engine::runs::{Run, RunTree};
use stonerun_engine::voxel::CHUNK_VOLUME;

/// The runs of `tree`; air is not drawn.
#[must_use]
pub fn stretches(tree: &RunTree) -> Vec<Stretch> {
    let stretch = |run: Run| Stretch {
        start: run.start,
        len: run.len,
        voxel: run.voxel,
        drawn: !run.voxel.is_air(),
    };
    tree.runs().map(stretch).collect()
}

/// Lines of the legend.
#[must_use]
pub fn lines(tree: &RunTree, stretches: &[Stretch]) -> Vec<String> {
    let stats = ChunkStats::from_chunk(tree);
    let longest = stretches.iter().map(|s| s.len).max().unwrap_or(0);
    vec![
        format!(
            "{} of {} voxels on average",
            format::counted(stats.runs, "run"),
            format::decimal(CHUNK_VOLUME as f64 / stats.runs as f64)
        ),
        format!(
            "Longest {}, {}",
            format::count(u64::from(longest)),
            format::counted(stats.palette, "different voxel")
        ),
        format!(
            "{} of tree, {} B/voxel",
            format::bytes(stats.heap_bytes),
            format::per_voxel(stats.heap_bytes as f64 / CHUNK_VOLUME as f64)
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::Voxel;

    #[test]
    fn legend_matches_a_plain_count() {
        let mut tree = RunTree::uniform(Voxel::AIR);
        tree.set_range(0..2000, Voxel::full(1));
        tree.set_range(2040..2050, Voxel::full(2));
        let all = stretches(&tree);
        let plain: Vec<Voxel> = (0..CHUNK_VOLUME).map(|i| tree.get(i)).collect();
        let runs = 1 + plain.windows(2).filter(|w| w[0] != w[1]).count();
        assert_eq!((all.len(), runs), (4, 4));
        for (index, voxel) in plain.iter().enumerate() {
            let of: Vec<&Stretch> = all
                .iter()
                .filter(|s| (s.start..s.start + s.len).contains(&(index as u32)))
                .collect();
            assert!(
                of.len() == 1 && of[0].voxel == *voxel && of[0].drawn != voxel.is_air(),
                "{index}: {of:?}"
            );
        }
        let lines = lines(&tree, &all);
        assert_eq!(lines[0], "4 runs of 8,192 voxels on average");
        assert_eq!(lines[1], "Longest 30,718, 3 different voxels");
        let bytes = tree.heap_bytes();
        assert!(bytes > 0 && lines[2].starts_with(&format!("{bytes} B of tree, 0.0")), "{lines:?}");
    }
}
