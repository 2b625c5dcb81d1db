//! Commands that measure the selection and count its voxels.

use super::selection::answer;
use crate::edit::VoxelEdit;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, TaskResult, flag};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::JobResult;
use crate::edit::console::state::Console;
use crate::edit::operations::Distribution;
use crate::edit::region::RegionPlan;
use crate::metrics::{counted, thousands};
use crate::voxel::{ChunkPos, MaterialId, Voxel};
use glam::IVec3;
use std::fmt::Write as _;

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["size"],
        parameters: &[],
        flags: &[flag('c', "of what was copied")],
        help: "Says how large the selection is.",
        example: "//size",
        run: size,
    },
    CommandRow {
        names: &["distr"],
        parameters: &[],
        flags: &[flag('c', "the player's chunk"), flag('d', "by occupancy, too")],
        help: "Counts the materials of the selection.",
        example: "//distr",
        run: distribution,
    },
];

fn size(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    if !args.has_flag('c') {
        return answer(&console.selection().description()?);
    }
    let clipboard = console.clipboard().ok_or(CommandError::EmptyClipboard)?;
    let IVec3 { x, y, z } = clipboard.size();
    answer(&format!(
        "the clipboard has {x} x {y} x {z} voxels, {} in all",
        thousands(clipboard.volume())
    ))
}

fn distribution(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let region = if args.has_flag('c') {
        RegionPlan::from_shape(ChunkPos::containing(console.placement).bounds())?
    } else {
        console.region()?
    };
    let names: Vec<String> =
        args.materials.iter().map(|(_, material)| material.name.clone()).collect();
    let name = move |material: MaterialId| {
        names.get(usize::from(material)).map_or("unknown", String::as_str).to_owned()
    };
    let with_occupancies = args.has_flag('d');
    let work = move |edit: &mut VoxelEdit<'_>| {
        let found = Distribution::count(edit, &region.make()?)?;
        let counts: Vec<(String, u64)> = if with_occupancies {
            let matter = |voxel: Voxel| match voxel.dry().parts() {
                parts @ 1..256 => format!("{}:{parts}", name(voxel.material())),
                _ => name(voxel.material()),
            };
            let full_name = |voxel: Voxel| match voxel.liquid() {
                0 => matter(voxel),
                liquid => format!("{}~water:{liquid}", matter(voxel)),
            };
            found.voxels.iter().map(|&(voxel, count)| (full_name(voxel), count)).collect()
        } else {
            found
                .by_material()
                .into_iter()
                .map(|(material, count)| (name(material), count))
                .collect()
        };
        let mut answer = counted(found.total, "voxel");
        for (name, count) in counts {
            // Writing to a string cannot fail.
            let _ = write!(
                answer,
                "\n{:8.3}% {:>13} {name}",
                100.0 * found.share(count),
                thousands(count)
            );
        }
        Ok(JobResult { voxels: found.total, answer, change: None })
    };
    Ok(args.job(console, work))
}
