//! Tests that commands only plan their work in a frame, and that jobs carry it out.

use super::*;
use crate::edit::region::{Ellipsoid, made};

/// Radius of a ball of 10^9 voxels.
const RADIUS: i32 = 620;

/// A console with a large ball selected and a copy in the clipboard.
fn console() -> Console {
    let mut console = Console::new(IVec3::new(4, 7, 12));
    let mut world = World::new();
    console.set_selection(Selection::from(Box3::spanning(IVec3::ZERO, IVec3::splat(3))));
    run(&mut console, &mut world, "//copy");
    console.target = Some(IVec3::ZERO);
    select_ball(&mut console);
    console
}

fn select_ball(console: &mut Console) {
    let radii = IVec3::splat(RADIUS);
    console.set_selection(Selection::Ellipsoid {
        centre: Some(IVec3::new(3, 5, -9)),
        radii,
        is_sphere: true,
    });
}

/// Examples of all commands, and commands with large shapes and selections.
fn lines() -> impl Iterator<Item = &'static str> {
    let large = [
        "//sphere stone 600",
        "//hsphere stone 600",
        "//cyl stone 600 900",
        "//hcyl stone 600 900",
        "//cone -h stone 600 900",
        "//pyramid stone 500",
        "//set -m #selection stone",
        "//replace \"#selection #solid\" stone",
        "//count !#selection",
        "//gmask #selection",
        "//walls stone",
        "//replacenear 800 stone",
        "//snow 900 500",
        "//shift 3 up",
        "//region save ball",
    ];
    table::rows().map(|row| row.example).chain(large)
}

#[test]
fn no_command_makes_a_region_in_a_frame() {
    let mut console = console();
    for line in lines() {
        select_ball(&mut console);
        let before = made::count();
        // Some commands refuse a ball as the selection.
        let _ = task(&mut console, line);
        let _ = (console.selection().bounds(), console.selection().description());
        assert_eq!(made::count(), before, "{line}");
    }
    let points = (0..40).map(|i| IVec3::new(i % 2 * 40_000, i, i * 30)).collect();
    console.set_selection(Selection::Path { points });
    let before = made::count();
    for line in
        ["//count #selection", "//gmask #selection", "//set -m #selection stone", "//shift 5 up"]
    {
        task(&mut console, line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(made::count(), before, "{line}");
    }
    // Moving a region selection does not move its voxels in a frame either.
    let ball = Ellipsoid { centre: IVec3::new(1, 2, 3), radii: DVec3::splat(40.0) };
    console.set_selection(Selection::from_region(Region::from_shape(&ball)));
    let volume = console.selection().region().unwrap().volume();
    let before = made::count();
    for line in [
        "//shift 5 up",
        "//set stone",
        "//set -m #selection stone",
        "//gmask #selection",
        "//shift 32 e",
    ] {
        task(&mut console, line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(made::count(), before, "{line}");
    }
    let moved = Ellipsoid { centre: ball.centre + IVec3::new(32, 5, 0), ..ball };
    assert_eq!(console.selection().region(), Ok(Region::from_shape(&moved)));
    assert_eq!(volume, Region::from_shape(&moved).volume());
}

#[test]
fn mask_of_a_selection_accepts_its_voxels() {
    let mut world = World::new();
    let kinds =
        [("sphere", "20,9,9"), ("cyl", "20,30,9"), ("poly", "40,30,9"), ("path", "40,30,9")];
    for (kind, second) in kinds {
        let mut console = Console::new(IVec3::ZERO);
        answer(&mut console, &format!("//sel {kind}"));
        answer(&mut console, "//pos1 9,9,9");
        answer(&mut console, &format!("//pos2 {second}"));
        answer(&mut console, "//pos2 9,20,40");
        let volume = console.selection().region().unwrap().volume();
        assert_eq!(run(&mut console, &mut world, "//count #selection"), volume, "{kind}");
        answer(&mut console, "//gmask #selection");
        console.set_selection(Selection::from(Box3::spanning(IVec3::splat(-40), IVec3::splat(80))));
        assert_eq!(run(&mut console, &mut world, "//set stone"), volume, "{kind}");
        assert_eq!(run(&mut console, &mut world, "//set air"), volume, "{kind}");
    }
}

/// Prints the longest time that a command takes in a frame and, for comparison, the time to make
/// the selected region:
/// `cargo test -p stonerun-engine --release --lib frame_part_of_commands -- --ignored --nocapture`.
#[test]
#[ignore = "asserts nothing: prints times, to be read from a run with --release"]
fn frame_part_of_commands() {
    let mut console = console();
    let started = std::time::Instant::now();
    let region = console.selection().region().unwrap();
    let whole = started.elapsed();
    println!(
        "{:>10.3} ms to make the ball of {} voxels",
        whole.as_secs_f64() * 1e3,
        region.volume()
    );
    let materials = MaterialTable::builtin();
    let mut longest = std::time::Duration::ZERO;
    let mut slowest = "";
    for line in lines() {
        select_ball(&mut console);
        let command = parse(line).unwrap();
        let started = std::time::Instant::now();
        let task = console.task(&command, &materials);
        let took = started.elapsed();
        drop(task);
        if took > longest {
            longest = took;
            slowest = line;
        }
    }
    println!(
        "{:>10.3} ms the longest part of a command in a frame, of {slowest}",
        longest.as_secs_f64() * 1e3
    );
    let bytes = region.to_bytes();
    let started = std::time::Instant::now();
    let read = Region::from_bytes(&bytes).unwrap();
    let selection = Selection::from_region(read);
    println!("{:>10.3} ms to read it as a named region", started.elapsed().as_secs_f64() * 1e3);
    drop(selection);
}
