//! Tests of commands that change the ground and liquids, or draw lines and shapes.

use super::*;

/// Stone up to layer 3. Above it, a pond four layers deep between walls of dirt eight layers high.
fn pond() -> World {
    let mut world = World::new();
    let voxel = |at: IVec3| match at.y {
        ..4 => full("stone"),
        4..12 if !(8..20).contains(&at.x) || !(8..20).contains(&at.z) => full("dirt"),
        4..8 => full("water"),
        _ => Voxel::AIR,
    };
    let pos = ChunkPos::new(0, 0, 0);
    world.insert(pos, Chunk::from_runs((0..32768).map(|i| (1, voxel(linear_offset(i))))));
    world
}

fn select(console: &mut Console, min: [i32; 3], max: [i32; 3]) {
    console.set_selection(Selection::from(Box3::spanning(min.into(), max.into())));
}

#[test]
fn liquid_commands_change_the_connected_lake_alone() {
    let mut console = Console::new(IVec3::new(12, 8, 12));
    let mut world = pond();
    let surface = 12 * 12;
    assert_eq!(run(&mut console, &mut world, "//drain 40"), surface * 4);
    assert_eq!(run(&mut console, &mut world, "//drain 40"), 0);
    // Without a depth, one layer is filled; then the rest, down to the ground.
    console.placement = IVec3::new(12, 7, 12);
    assert_eq!(run(&mut console, &mut world, "//fill ice 40"), surface);
    console.placement = IVec3::new(12, 6, 12);
    assert_eq!(run(&mut console, &mut world, "//fill glass 40 2"), surface * 2);
    console.placement = IVec3::new(12, 4, 12);
    assert_eq!(run(&mut console, &mut world, "//fillr stone 40"), surface);
    // A lake spreads from one voxel of lava up to the level of the player's feet, and no higher.
    console.placement = IVec3::new(12, 10, 12);
    select(&mut console, [15, 9, 15], [15, 9, 15]);
    run(&mut console, &mut world, "//set lava:77");
    assert_eq!(run(&mut console, &mut world, "//fixwater 40"), 0);
    console.placement = IVec3::new(15, 10, 15);
    assert_eq!(run(&mut console, &mut world, "//fixwater 40"), 0);
    assert_eq!(run(&mut console, &mut world, "//fixlava 40"), surface * 2);
    assert_eq!(world.get(IVec3::new(8, 9, 19)), full("lava"));
    assert_eq!(world.get(IVec3::new(15, 10, 15)), Voxel::AIR);
    assert_eq!(run(&mut console, &mut world, "//ex 2"), 5 * 5 * 2);
}

#[test]
fn surface_commands_change_expected_layers() {
    let mut console = Console::new(IVec3::ZERO);
    let mut world = pond();
    select(&mut console, [0, 0, 0], [7, 20, 7]);
    assert_eq!(
        run(&mut console, &mut world, "//naturalize"),
        8 * 8 * 5,
        "a layer of grass, four of dirt become stone"
    );
    assert_eq!(run(&mut console, &mut world, "//overlay 50%lamp,50%glass"), 8 * 8);
    assert_eq!(world.get(IVec3::new(3, 11, 3)), full("grass"));
    assert_eq!(world.get(IVec3::new(3, 8, 3)), full("dirt"));
    assert_eq!(world.get(IVec3::new(3, 7, 3)), full("stone"));
    assert_eq!(run(&mut console, &mut world, "//trim lamp,glass"), 8 * 8);
    assert_eq!(console.selection().bounds().unwrap().min, IVec3::new(0, 12, 0));
    assert_eq!(run(&mut console, &mut world, "//trim stone"), 0);
    // A step from layer 11 to layer 20 becomes less steep. Without a mask, water is not ground.
    select(&mut console, [0, 0, 0], [7, 25, 31]);
    let flat = world.clone();
    assert_eq!(
        run(&mut console, &mut world, "//smooth 3"),
        run(&mut console, &mut flat.clone(), "//smooth 3 #solid")
    );
    select(&mut console, [0, 12, 0], [31, 20, 15]);
    run(&mut console, &mut world, "//set stone");
    select(&mut console, [0, 0, 0], [31, 25, 31]);
    assert!(run(&mut console, &mut world, "//smooth") > 0);
    select(&mut console, [0, 0, 20], [9, 3, 29]);
    assert_eq!(run(&mut console, &mut world, "//hollow"), 8 * 2 * 8);
    assert_eq!(run(&mut console, &mut world, "//hollow -m dirt 1 lamp"), 0);
    select(&mut console, [20, 0, 20], [29, 9, 29]);
    assert!(run(&mut console, &mut world, "//set stone") > 0);
    assert_eq!(run(&mut console, &mut world, "//hollow 3 lamp"), 4 * 4 * 4);
    assert_eq!(run(&mut console, &mut world, "//hollow -m stone,lamp 2 glass"), 6 * 6 * 6);
}

#[test]
fn lines_and_curves_go_through_the_points_of_the_selection() {
    let mut console = Console::new(IVec3::ZERO);
    let mut world = World::new();
    assert!(answer(&mut console, "//line stone").contains("//pos1"));
    select(&mut console, [-40, 5, 0], [39, 5, 0]);
    assert_eq!(run(&mut console, &mut world, "//line stone"), 80);
    let near = |at: IVec3| (-40..40).any(|x| (at - IVec3::new(x, 5, 0)).length_squared() <= 4);
    let around = (-45..45)
        .flat_map(|x| (0..11).flat_map(move |y| (-5..6).map(move |z| IVec3::new(x, y, z))));
    let mut all = 0;
    let mut inner = 0;
    for at in around.filter(|&at| near(at)) {
        all += 1;
        inner += u64::from(crate::voxel::Face::ALL.iter().all(|face| near(at + face.normal())));
    }
    assert_eq!(run(&mut console, &mut world, "//line lamp 2"), all);
    assert_eq!(run(&mut console, &mut world, "//line -h glass 2"), all - inner);
    assert!(answer(&mut console, "//sel path").starts_with("path: "));
    assert!(answer(&mut console, "//curve stone").contains("//pos1"));
    answer(&mut console, "//pos1 0,100,0");
    answer(&mut console, "//pos2 20,100,0");
    assert_eq!(
        answer(&mut console, "//pos2 20,100,20"),
        "point 3 is 20, 100, 20: a path of 3 points in 21 x 1 x 21 voxels"
    );
    assert_eq!(run(&mut console, &mut world, "//set stone"), 41);
    let points = console.selection().points().unwrap();
    let curve = Region::curve(&points, crate::edit::region::Bend::default(), 3.0).unwrap();
    assert_eq!(run(&mut console, &mut world, "//curve sand 3"), curve.volume());
    answer(&mut console, "//shift 5 up");
    assert_eq!(
        console.selection().bounds().unwrap(),
        Box3::spanning(IVec3::new(0, 105, 0), IVec3::new(20, 105, 20))
    );
    answer(&mut console, "//sel sphere");
    answer(&mut console, "//pos1 0,0,0");
    assert!(answer(&mut console, "//line stone").starts_with("lines need a selection with points"));
}

#[test]
fn hollow_cones_and_pyramids_have_fewer_voxels_in_the_same_bounds() {
    let mut console = Console::new(IVec3::new(0, 10, 0));
    let layer = |size: i32| u64::from((2 * size - 1).unsigned_abs()).pow(2);
    assert_eq!(filled(&mut console, "//pyramid stone 5").0, (1..=5).map(layer).sum::<u64>());
    assert_eq!(
        filled(&mut console, "//hpyramid stone 5").0,
        (1..=5).map(|size| layer(size) - if size > 1 { layer(size - 1) } else { 0 }).sum::<u64>()
    );
    let cone = filled(&mut console, "//cone stone 9,6 12");
    let shell = filled(&mut console, "//cone -h stone 9,6 12");
    assert_eq!(cone.1, shell.1);
    assert!(shell.0 < cone.0 && shell.0 > cone.0 / 4);
    assert_eq!(cone.1.unwrap().size(), IVec3::new(19, 12, 13));
}

#[test]
fn size_and_distribution_report_clipboard_and_occupancies() {
    let mut console = Console::new(IVec3::ZERO);
    let mut world = pond();
    assert!(answer(&mut console, "//size -c").starts_with("the clipboard is empty"));
    select(&mut console, [0, 0, 0], [3, 4, 5]);
    run(&mut console, &mut world, "//copy");
    assert_eq!(answer(&mut console, "//size -c"), "the clipboard has 4 x 5 x 6 voxels, 120 in all");
    answer(&mut console, "//clearclipboard");
    assert!(console.clipboard().is_none());
    run(&mut console, &mut world, "//set water:128,water:64,air,stone");
    let Ok(ConsoleTask::Job(job)) = task(&mut console, "//distr -d") else { panic!("no job") };
    let answer = job.run(&world, 0, &JobProgress::default()).unwrap().answer;
    let said = |console: &mut Console, world: &World, text: &str| {
        let Ok(ConsoleTask::Job(job)) = task(console, text) else { panic!("no job") };
        job.run(world, 0, &JobProgress::default()).unwrap().answer
    };
    run(&mut console, &mut world, "//set water:96");
    assert_eq!(
        said(&mut console, &world, "//count water"),
        "120 voxels, content of 45.00 full voxels"
    );
    assert_eq!(said(&mut console, &world, "//count air"), "0 voxels");
    assert!(
        ["water:128\n", "water:64", "air", "stone"]
            .iter()
            .all(|name| format!("{answer}\n").contains(name)),
        "{answer}"
    );
}
