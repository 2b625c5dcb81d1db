//! Edits of large boxes of terrain compared with a flat array, and undo compared with another
//! history format.
//!
//! `cargo bench --no-default-features --bench edit [-- SIDE]` prints the rows of `stonerun lab edit
//! --side SIDE` with more rounds. The default is 512 voxels.

use stonerun_lab::edit::{EditFigures, EditInput, measure};

/// Number of rounds, the median of which counts.
const ROUNDS: usize = 5;

fn main() {
    let mut arguments = std::env::args().skip(1);
    // Only `cargo bench` passes `--bench`; test runners do not.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let side = arguments.find_map(|argument| argument.parse().ok()).unwrap_or(512);
    let input = EditInput::terrain(side).expect("terrain can be numbered");
    println!("{side}^3 voxels: {:?}", input.size());
    println!("{:<40} {:>14} {:>14} {:>9} {:>6}", "workload", "ours", "rival", "ratio", "equal");
    for row in measure(&input, ROUNDS, &mut |_| ()).expect("all edits are carried out") {
        let [ours, rival] = match row.figures {
            EditFigures::Time { ours_ms, rival_ms } => {
                [ours_ms, rival_ms].map(|ms| format!("{ms:.3} ms"))
            }
            EditFigures::Memory { ours_bytes, rival_bytes } => {
                [ours_bytes, rival_bytes].map(|bytes| bytes.to_string())
            }
        };
        println!("{:<40} {ours:>14} {rival:>14} {:>9.2} {:>6}", row.workload, row.ratio, row.equal);
    }
}
