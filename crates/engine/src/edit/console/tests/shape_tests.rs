//! Shapes of blocks in patterns and masks.

use super::*;
use crate::voxel::Material;

/// A console over a world, with a material table that grows as the program's does.
struct Builder {
    console: Console,
    world: World,
    materials: MaterialTable,
}

impl Builder {
    fn new() -> Builder {
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        Builder { console: Console::new(IVec3::ZERO), world, materials: MaterialTable::builtin() }
    }

    fn try_run(&mut self, text: &str) -> Result<(u64, String), CommandError> {
        let command = ConsoleCommand::parse(text, &self.materials)?;
        loop {
            match self.console.task(&command, &self.materials) {
                Err(CommandError::NeedsMaterials(missing)) => {
                    for material in missing {
                        self.materials.add(material).unwrap();
                    }
                }
                Err(error) => return Err(error),
                Ok(ConsoleTask::Answer(answer)) => return Ok((0, answer)),
                Ok(ConsoleTask::Job(job)) => {
                    let outcome = job.run(&self.world, 0, &JobProgress::default()).unwrap();
                    self.console.accept(&outcome);
                    for change in outcome.edit.into_iter().flat_map(|edit| edit.changes) {
                        self.world.insert(change.pos, change.after);
                    }
                    return Ok((outcome.voxels, outcome.answer));
                }
                Ok(_) => panic!("{text} is another task"),
            }
        }
    }

    fn run(&mut self, text: &str) -> u64 {
        self.try_run(text).unwrap_or_else(|error| panic!("{text}: {error}")).0
    }

    /// Fills the voxel at `x`.
    fn put(&mut self, x: i32, pattern: &str) {
        self.run(&format!("//pos1 {x},0,0"));
        self.run(&format!("//pos2 {x},0,0"));
        assert_eq!(self.run(&format!("//set {pattern}")), 1, "{pattern}");
    }

    fn name(&self, x: i32) -> String {
        let voxel = self.world.get(IVec3::new(x, 0, 0));
        self.materials.get(voxel.material()).unwrap().name.clone()
    }
}

#[test]
fn patterns_put_shapes_as_full_as_they_are() {
    let mut builder = Builder::new();
    let before = builder.materials.len();
    for (x, pattern, name, occupancy) in [
        (0, "oak_planks[stairs,top,east]", "oak_planks[stairs,east,top]", 191),
        (1, "stone[slab]", "stone[slab]", 127),
        (2, "stone:slab", "stone[slab]", 127),
        (3, "glass[pane]", "glass[pane]", 3),
        (4, "stone[slab]~water", "stone[slab]", 127),
        (5, "bricks[post,south,west]", "bricks[post,south,west]", 63),
    ] {
        builder.put(x, pattern);
        let voxel = builder.world.get(IVec3::new(x, 0, 0));
        assert_eq!((builder.name(x).as_str(), voxel.occupancy()), (name, occupancy));
        assert_eq!(voxel.is_wet(), pattern.contains('~'));
    }
    builder.put(7, "stone[Slab,TOP]");
    assert_eq!(builder.name(7), "stone[slab,top]");
    assert_eq!(builder.materials.len(), before + 5, "each shape gets one material");
    builder.put(6, "50%oak_planks[slab],50%oak_planks[slab,top]");
    assert!(builder.name(6).starts_with("oak_planks[slab"));
}

#[test]
fn masks_choose_shapes_and_states() {
    let mut builder = Builder::new();
    let log = Material { name: "oak_log[axis=x]".to_owned(), ..Material::unknown("") };
    builder.materials.add(log).unwrap();
    let put = [
        "stone",
        "stone[slab]",
        "stone[slab,top]",
        "stone[stairs]",
        "bricks[slab]",
        "oak_log",
        "oak_log[axis=x]",
        "stone[slab]~water",
    ];
    for (x, pattern) in put.into_iter().enumerate() {
        builder.put(x as i32, pattern);
    }
    builder.run("//pos1 0,0,0");
    builder.run("//pos2 9,0,0");
    for (mask, count) in [
        ("stone", 1),
        ("stone[slab]", 2),
        ("stone:slab", 3),
        ("stone:slab #wet", 1),
        ("stone[slab]~water", 1),
        ("stone,stone:slab", 4),
        ("stone:stairs", 1),
        ("stone:gate", 0),
        ("#shape[slab]", 4),
        ("#shape[slab,bottom]", 3),
        ("#shape[slab,top]", 1),
        ("#shape[hewn,51]", 3),
        ("#shape[stairs,north,straight]", 1),
        ("#shape[stairs,inner_left]", 0),
        ("stone[gate]", 0),
        ("stone[gate],stone", 1),
        ("#shape[stairs,north]", 1),
        ("#shape[stairs,south]", 0),
        ("oak_log", 2),
        ("oak_log[axis=x]", 1),
        ("#state[axis=x]", 1),
        ("#state[axis=y]", 0),
        ("!#shape[slab] #existing", 4),
    ] {
        assert_eq!(builder.run(&format!("//count {mask}")), count, "{mask}");
    }
}

#[test]
fn every_word_of_a_shape_is_found() {
    let mut builder = Builder::new();
    let put = [
        "stone[stairs,north,inner_left]",
        "stone[gate]",
        "stone[gate,south,open]",
        "stone[bed]",
        "stone[lantern]",
        "stone[button,east]",
    ];
    for (x, pattern) in put.into_iter().enumerate() {
        builder.put(x as i32, pattern);
    }
    let before = builder.materials.len();
    builder.run("//pos1 0,0,0");
    builder.run("//pos2 9,0,0");
    for (words, count) in [
        ("stairs,inner_left", 1),
        ("stairs,inner_right", 1),
        ("stairs,west,inner_right", 1),
        ("stairs,west,inner_left", 0),
        ("stairs,straight", 0),
        ("gate", 2),
        ("gate,closed", 1),
        ("gate,open", 1),
        ("gate,north", 1),
        ("gate,south", 1),
        ("bed,head", 1),
        ("bed,foot", 0),
        ("lantern,standing", 1),
        ("lantern,hanging", 0),
        ("button,out", 1),
        ("button,up", 0),
    ] {
        assert_eq!(builder.run(&format!("//count #shape[{words}]")), count, "{words}");
    }
    assert_eq!(builder.run("//count stone[rail]"), 0);
    assert_eq!(builder.materials.len(), before, "masks add no materials");
}

#[test]
fn replacing_shapes_keeps_their_forms() {
    let mut builder = Builder::new();
    let put = ["stone[slab]", "stone[slab,top]", "stone", "bricks[slab,west]", "stone[stairs]"];
    for (x, pattern) in put.into_iter().enumerate() {
        builder.put(x as i32, pattern);
    }
    builder.run("//pos1 0,0,0");
    builder.run("//pos2 4,0,0");
    builder.put(9, "stone[slab]~water:10");
    builder.run("//pos1 0,0,0");
    builder.run("//pos2 9,0,0");
    assert_eq!(builder.run("//replace stone:slab cobblestone:slab"), 3);
    assert_eq!(builder.world.get(IVec3::new(9, 0, 0)).liquid(), 10, "water stays exact");
    builder.put(9, "air");
    builder.run("//pos1 0,0,0");
    builder.run("//pos2 4,0,0");
    assert_eq!(builder.run("//replace #shape[slab] glass:slab"), 3);
    let names = |builder: &Builder| [0, 1, 2, 3, 4].map(|x| builder.name(x));
    assert_eq!(
        names(&builder),
        ["glass[slab]", "glass[slab,top]", "stone", "glass[slab,west]", "stone[stairs,north]"]
    );
    // What is no slab becomes the first form.
    assert_eq!(builder.run("//replace sand:slab"), 5);
    assert_eq!(
        names(&builder),
        ["sand[slab]", "sand[slab,top]", "sand[slab]", "sand[slab,west]", "sand[slab]"]
    );
}

#[test]
fn replacing_forms_evaluates_the_mask_once() {
    let mut builder = Builder::new();
    builder.put(0, "stone");
    builder.put(1, "stone");
    builder.put(2, "stone[slab,top]");
    builder.run("//pos1 0,0,0");
    builder.run("//pos2 2,0,0");
    // The slab is next to stone, until the stone is replaced.
    assert_eq!(builder.run("//replace ~stone glass:slab"), 3);
    let names = [0, 1, 2].map(|x| builder.name(x));
    assert_eq!(names, ["glass[slab]", "glass[slab]", "glass[slab,top]"]);
}

#[test]
fn turned_copies_get_the_shapes_that_they_need() {
    let mut builder = Builder::new();
    builder.put(0, "oak_planks[stairs,north]");
    builder.run("//copy");
    builder.run("//rotate 90");
    builder.run("//paste");
    assert_eq!(builder.name(0), "oak_planks[stairs,east]");
    builder.run("//flip up");
    builder.run("//paste");
    assert_eq!(builder.name(0), "oak_planks[stairs,east,top]");
    builder.run("//rotate -90");
    builder.run("//flip up");
    builder.run("//paste");
    assert_eq!(builder.name(0), "oak_planks[stairs,north]");
}

#[test]
fn wrong_shapes_are_refused_with_reason() {
    let mut builder = Builder::new();
    builder.put(0, "stone");
    for (text, part) in [
        ("//set oak_planks[stares]", "\"stares\" is no shape; did you mean stairs?"),
        ("//set oak_planks[north,stairs]", "\"north\" is no shape; there are slab, stairs"),
        ("//set stone:stair", "\"stair\" is no shape; did you mean stairs?"),
        ("//set stone:slabs", "\"slabs\" is no shape; did you mean slab?"),
        ("//set oak_planks[stairs,facing=east]", "stairs has no \"facing=east\"; there are north"),
        ("//set oak_planks[fence,top]", "fence has no \"top\""),
        ("//set oak_planks[stairs,up]", "stairs has no \"up\"; there are north"),
        ("//set oak_planks[slab,north,south]", "\"north\" and \"south\" exclude each other"),
        ("//set oak_planks[]", "\"\" is no shape"),
        ("//set water[slab]", "\"water\" has no shapes"),
        ("//set torch:slab", "\"torch\" has no shapes"),
        ("//set oak_planks[stares]:100", "\"stares\" is no shape"),
        ("//set oak_planks[slab]:100", "always filled as much as it is"),
        ("//set oak_planks[slab]~water:200", "after ~ comes the water"),
        ("//set oak_plans[slab]", "there is no material \"oak_plans[slab]\""),
        ("//set stone[axis=x]", "there is no material \"stone[axis=x]\""),
        ("//count #shape[]", "\"\" is no shape"),
        ("//count #shape", "\"#shape\": write it like #shape[stairs,top]"),
        ("//count #state[axis]", "\"#state[axis]\": write it like #state[axis=x]"),
        ("//count #state[colour=red]", "\"colour\" is no state of a block of the map"),
    ] {
        let error = builder.try_run(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn full_table_refuses_a_shape_before_anything_changes() {
    let mut builder = Builder::new();
    builder.put(0, "stone");
    for number in builder.materials.len()..Voxel::MAX_MATERIALS {
        builder.materials.add(Material::unknown(&number.to_string())).unwrap();
    }
    let error = builder.try_run("//set stone[slab]").unwrap_err();
    assert_eq!(error, CommandError::TableFull("stone[slab]".to_owned()));
    assert!(error.to_string().contains("copy what you build into a new map"), "{error}");
    assert_eq!(builder.name(0), "stone");
}
