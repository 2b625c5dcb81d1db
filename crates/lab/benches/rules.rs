//! Rules compared with a vectorised scan over a flat array, as in `stonerun lab rules`.
//!
//! `cargo bench --no-default-features --bench rules [-- SIDE...]` measures cubes of these sides in
//! voxels; without a side, cubes of 128 and 256 voxels.

use stonerun_lab::rules::measure;

fn main() {
    let numbers = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let sides: Vec<i32> =
        numbers.filter(|side| (64..=512).contains(side) && side % 64 == 0).collect();
    let sides = if sides.is_empty() { vec![128, 256] } else { sides };
    for side in sides {
        println!(
            "\nside {side}, milliseconds per step\n{:<60} {:>10} {:>10} {:>9} {:>9}",
            "workload", "dense", "ours", "ratio", "identical"
        );
        for row in
            measure(side, &mut |_| ()).expect("the built-in rules fit the built-in materials")
        {
            let identical = if row.identical { "yes" } else { "no" };
            println!(
                "{:<60} {:>10.3} {:>10.3} {:>9.2} {identical:>9}",
                row.workload, row.dense_ms, row.runs_ms, row.ratio
            );
        }
    }
}
