//! The overlay *neighbourhoods*: the Moore walk of one chunk.
//!
//! Each bar is a fused Moore run: its voxels have the same 26 neighbours, so a rule needs one
//! evaluation for all of them. Runs without a face, deep in rock or in open air, are the majority;
//! they are only counted.

use crate::game::inspect::overlay::bars::Stretch;
use crate::game::state::format;
use stonerun_engine::mesh::{FaceMaterials, has_face};
use stonerun_engine::runs::moore::{ChunkNeighbourhoodRef, walk};
use stonerun_engine::voxel::{CHUNK_VOLUME, MOORE_CENTRE};

/// The fused Moore runs of the middle chunk. Runs without a face are marked as not drawn.
#[must_use]
pub fn stretches(
    neighbourhood: &ChunkNeighbourhoodRef<'_>,
    face_materials: &FaceMaterials,
) -> Vec<Stretch> {
    let mut all = Vec::new();
    walk(neighbourhood, ChunkNeighbourhoodRef::BOUNDS, |run| {
        all.push(Stretch {
            start: run.start as u32,
            len: run.len as u32,
            voxel: run.neighbourhood[MOORE_CENTRE],
            drawn: has_face(face_materials, &run.neighbourhood),
        });
    });
    all
}

/// Lines of the legend. `plain` is the number of stored runs.
#[must_use]
pub fn lines(plain: usize, stretches: &[Stretch]) -> Vec<String> {
    let fused = stretches.len();
    let shown = stretches.iter().filter(|s| s.drawn).count();
    let longest = stretches.iter().map(|s| s.len).max().unwrap_or(0);
    vec![
        format!(
            "{}, {}",
            format::counted(plain as u64, "run"),
            format::counted(fused as u64, "fused run")
        ),
        format!(
            "{} voxels each, longest {}",
            format::decimal(CHUNK_VOLUME as f64 / fused as f64),
            format::count(u64::from(longest))
        ),
        format!(
            "{} with a face, {} without",
            format::count(shown as u64),
            format::count((fused - shown) as u64)
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use stonerun_engine::runs::RunTree;
    use stonerun_engine::voxel::{
        Face, MOORE_CENTRE, MaterialTable, Voxel, linear_index, linear_offset, neighbour_offsets,
    };

    #[test]
    fn only_runs_next_to_air_are_drawn() {
        let table = MaterialTable::builtin();
        let face_materials = FaceMaterials::new(&table);
        let stone = Voxel::full(table.find("stone").expect("stone"));
        let around: Vec<RunTree> =
            (0..27).map(|i| RunTree::uniform(if i < 9 { stone } else { Voxel::AIR })).collect();
        let mut chunks = std::array::from_fn(|i| Some(&around[i]));
        let mut tree = RunTree::uniform(Voxel::AIR);
        tree.set_range(0..5 * 1024, stone);
        tree.set(linear_index(IVec3::new(9, 5, 9)), stone);
        chunks[MOORE_CENTRE] = Some(&tree);
        let all = stretches(&ChunkNeighbourhoodRef { chunks }, &face_materials);

        let at = |p: IVec3| {
            if ChunkNeighbourhoodRef::BOUNDS.contains(p) {
                tree.get(linear_index(p))
            } else if p.y < 0 {
                stone
            } else {
                Voxel::AIR
            }
        };
        let neighbourhood = |index: usize| -> Vec<Voxel> {
            neighbour_offsets().map(|offset| at(linear_offset(index) + offset)).collect()
        };
        let mut next = 0;
        let mut last = Vec::new();
        for stretch in &all {
            assert_eq!(stretch.start, next);
            let voxels = stretch.start as usize..(stretch.start + stretch.len) as usize;
            let first = neighbourhood(voxels.start);
            assert_ne!(first, last, "{stretch:?} goes on with the one before");
            for index in voxels {
                assert_eq!(neighbourhood(index), first, "{stretch:?}");
                let here = linear_offset(index);
                let seen = !at(here).is_air()
                    && Face::ALL.iter().any(|face| at(here + face.normal()).is_air());
                assert_eq!((stretch.drawn, stretch.voxel), (seen, at(here)), "{stretch:?}");
            }
            next = stretch.start + stretch.len;
            last = first;
        }
        assert_eq!(next as usize, CHUNK_VOLUME);

        let shown = all.iter().filter(|s| s.drawn).count();
        let lines = lines(tree.run_count(), &all);
        assert_eq!(lines[0], format!("4 runs, {} fused runs", all.len()));
        let longest = all.iter().map(|s| s.len).max().expect("one");
        assert!(
            lines[1].ends_with(&format!("longest {},{:03}", longest / 1000, longest % 1000)),
            "{lines:?}"
        );
        assert_eq!(lines[2], format!("{shown} with a face, {} without", all.len() - shown));
    }
}
