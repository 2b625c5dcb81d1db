//! Tests of the hands with mouse buttons, in an app without a window.

use super::*;
use crate::game::state::cutaway::Cutaway;
use crate::game::state::frame::chunk_messages;
use crate::game::state::held_shape;
use crate::game::state::session::SaveQueue;
use crate::game::state::session::save_queue::tests::opened;
use bevy::ecs::system::RunSystemOnce;
use glam::{DVec3, Vec3Swizzles};
use std::time::Duration;
use stonerun_engine::body::target_box::TargetBoxes;
use stonerun_engine::body::walking::Walker;
use stonerun_engine::voxel::{Box3, ChunkPos, Material, SurfaceRule};
use stonerun_engine::world::Chunk;
use stonerun_engine::world::viewpoint::EYES;

const RIGHT: MouseButton = MouseButton::Right;
const LEFT: MouseButton = MouseButton::Left;

/// A floor of stone below y = 0. The player flies above it, looks down and to the east, and has a
/// solid block in hand.
fn game(folder: &std::path::Path) -> App {
    let (map, mut edits, saves) = opened(folder);
    for x in 0..8 {
        assert!(edits.load_chunk(ChunkPos::new(x, -1, 0), Chunk::uniform(Voxel::full(1))));
        assert!(edits.load_chunk(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR)));
    }
    let mut app = App::new();
    chunk_messages::add(&mut app);
    let walker = Walker { flying: true, ..Walker::at(DVec3::new(4.5, 3.0 - EYES, 16.5)) };
    let mut player = Player {
        walker,
        yaw: -std::f32::consts::FRAC_PI_2,
        pitch: -std::f32::consts::FRAC_PI_4,
        ..Player::default()
    };
    player.hotbar[0] = map.materials.find("oak_planks").unwrap();
    app.insert_resource(map).insert_resource(edits).insert_resource(saves).insert_resource(player);
    app.init_resource::<WorkCounters>().init_resource::<Cutaway>().init_resource::<Notices>();
    app.init_resource::<ButtonInput<MouseButton>>().init_resource::<KeyInput>();
    app.insert_resource(Time::<Real>::default())
        .add_systems(Update, (aim, break_and_place).chain());
    app
}

/// Runs one frame of `ms` milliseconds, after `change`.
fn frame(app: &mut App, ms: u64, change: impl FnOnce(&mut Player, &mut ButtonInput<MouseButton>)) {
    app.world_mut().resource_mut::<Time<Real>>().update_with_duration(Duration::from_millis(ms));
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
    app.world_mut().resource_scope(|world, mut player: Mut<Player>| {
        change(&mut player, &mut world.resource_mut::<ButtonInput<MouseButton>>());
    });
    app.update();
}

/// Positions along x of the blocks placed on the floor, and of the blocks above them.
fn placed(app: &App) -> [Vec<i32>; 2] {
    let world = app.world().resource::<Edits>().world();
    [0, 1].map(|y| (0..256).filter(|&x| !world.get(IVec3::new(x, y, 16)).is_air()).collect())
}

fn steps(app: &App) -> usize {
    app.world().resource::<Edits>().history().undo_count()
}

#[test]
fn placing_leaves_no_gaps_at_any_speed_and_is_one_stroke() {
    // Voxels per frame: slow flight, flight, fast flight at a low frame rate.
    for (speed, frames) in [(0.02, 1000), (0.2, 100), (2.7, 40)] {
        let folder = tempfile::tempdir().unwrap();
        let mut app = game(folder.path());
        frame(&mut app, 16, |_, buttons| buttons.press(RIGHT));
        for _ in 0..frames {
            frame(&mut app, 16, |player, _| player.walker.position.x += speed);
        }
        assert!(app.world().resource::<Edits>().history().in_stroke());
        frame(&mut app, 16, |_, buttons| buttons.release(RIGHT));
        let [row, above] = placed(&app);
        let expected = (7..8 + (speed * f64::from(frames)).floor() as i32).collect::<Vec<_>>();
        if speed > 0.1 {
            assert_eq!((row, above), (expected, vec![]), "{speed} voxels a frame");
        } else {
            assert!(row.windows(2).all(|pair| pair[1] == pair[0] + 1), "{row:?}");
        }
        assert_eq!(steps(&app), 1);
        app.world_mut()
            .run_system_once(|mut editor: Editor| assert!(editor.undo().unwrap()))
            .unwrap();
        assert_eq!(placed(&app), [vec![0i32; 0], vec![]]);
    }
}

#[test]
fn held_button_without_motion_builds_towards_the_player() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    frame(&mut app, 16, |_, buttons| buttons.press(RIGHT));
    for _ in 0..15 {
        frame(&mut app, 16, |_, _| {});
    }
    assert_eq!(placed(&app), [vec![7], vec![]], "a click places one block");
    for _ in 0..6 {
        frame(&mut app, 16, |_, _| {});
    }
    let world = app.world().resource::<Edits>().world();
    let count = (0..32)
        .flat_map(|x| (0..4).map(move |y| (x, y)))
        .filter(|&(x, y)| !world.get(IVec3::new(x, y, 16)).is_air());
    assert_eq!(count.count(), 2);
}

#[test]
fn tower_below_a_rising_player_has_no_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    frame(&mut app, 16, |player, buttons| {
        player.pitch = -1.553;
        buttons.press(RIGHT);
    });
    for _ in 0..120 {
        frame(&mut app, 16, |player, _| player.walker.position.y += 0.18);
    }
    let top = app.world().resource::<Player>().walker.position.y as i32;
    let world = app.world().resource::<Edits>().world();
    assert!((0..top - 5).all(|y| !world.get(IVec3::new(4, y, 16)).is_air()), "up to {top}");
}

#[test]
fn click_breaks_at_once_and_holding_is_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let air = |app: &App| {
        let world = app.world().resource::<Edits>().world();
        let floor = Box3::spanning(IVec3::new(0, -16, 10), IVec3::new(31, -1, 20));
        (floor.min.y..floor.max.y)
            .flat_map(|y| (floor.min.x..floor.max.x).map(move |x| IVec3::new(x, y, 16)))
            .filter(|&at| world.get(at).is_air())
            .count()
    };
    // Pressed and released within one frame.
    frame(&mut app, 16, |_, buttons| {
        buttons.press(LEFT);
        buttons.release(LEFT);
    });
    assert_eq!(air(&app), 1);
    for _ in 0..60 {
        frame(&mut app, 16, |_, _| {});
    }
    assert_eq!((air(&app), steps(&app)), (1, 1));
    // The player digs straight down from the floor.
    frame(&mut app, 16, |player, buttons| {
        player.walker.position.y = 0.0;
        player.pitch = -1.553;
        buttons.press(LEFT);
    });
    for _ in 0..120 {
        frame(&mut app, 16, |_, _| {});
    }
    assert!(air(&app) >= 4, "{}", air(&app));
    // A menu opens while the button is held.
    app.world_mut().run_system_once(end_stroke).unwrap();
    assert_eq!(steps(&app), 2);
    assert!(app.world().resource::<SaveQueue>().unsaved() > 0);
    app.world_mut().run_system_once(|mut editor: Editor| assert!(editor.undo().unwrap())).unwrap();
    assert_eq!(air(&app), 1);
}

/// Places a block against a voxel of stone in air, clicking it along `direction` from two voxels
/// away. Returns the names of the placed blocks.
fn placed_against(app: &mut App, direction: IVec3, in_hand: &str) -> Vec<String> {
    placed_against_block(app, direction, in_hand, Voxel::full(1))
}

/// Does the same as [`placed_against`], with `block` instead of stone.
fn placed_against_block(
    app: &mut App,
    direction: IVec3,
    in_hand: &str,
    block: Voxel,
) -> Vec<String> {
    let middle = IVec3::new(4, 8, 16);
    app.world_mut()
        .run_system_once(move |mut editor: Editor| assert!(editor.set(middle, block)))
        .unwrap();
    let material = app.world().resource::<OpenMap>().materials.find(in_hand).unwrap();
    frame(app, 16, |player, buttons| {
        let eyes = middle.as_dvec3() + 0.5 - direction.as_dvec3() * 2.5;
        player.walker.position = eyes - DVec3::Y * EYES;
        player.yaw = f64::atan2(-f64::from(direction.x), -f64::from(direction.z)) as f32;
        player.pitch = direction.y as f32 * 1.57;
        player.hotbar[0] = material;
        buttons.press(RIGHT);
    });
    frame(app, 16, |_, buttons| buttons.release(RIGHT));
    let world = app.world().resource::<Edits>().world();
    let map = app.world().resource::<OpenMap>();
    let around = Box3::spanning(middle - 2, middle + 2);
    let all = (0..125)
        .map(|i| around.min + IVec3::new(i % 5, i / 5 % 5, i / 25))
        .filter(|at| *at != middle);
    let materials = all.map(|at| world.get(at).material()).filter(|&id| id != 0);
    materials.map(|id| map.materials.get(id).unwrap().name.clone()).collect()
}

#[test]
fn torch_stands_or_hangs_by_the_face_it_is_placed_against() {
    for (direction, expected) in [
        (IVec3::NEG_Y, Some("torch")),
        (IVec3::X, Some("torch_wall_east")),
        (IVec3::NEG_X, Some("torch_wall_west")),
        (IVec3::Z, Some("torch_wall_south")),
        (IVec3::NEG_Z, Some("torch_wall_north")),
        // At a ceiling, with no floor below to stand on.
        (IVec3::Y, None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut app = game(folder.path());
        let placed = placed_against(&mut app, direction, "torch");
        assert_eq!(
            placed.iter().map(String::as_str).collect::<Vec<_>>(),
            Vec::from_iter(expected),
            "{direction}"
        );
    }
}

#[test]
fn torch_on_a_wall_is_picked_as_the_torch_and_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    assert_eq!(placed_against(&mut app, IVec3::X, "torch"), ["torch_wall_east"]);
    // The crosshair is on the torch that was just placed.
    let torch = app.world().resource::<OpenMap>().materials.find("torch").unwrap();
    frame(&mut app, 16, |player, buttons| {
        player.hotbar[0] = 1;
        buttons.press(MouseButton::Middle);
    });
    assert_eq!(app.world().resource::<Player>().in_hand(), torch);
    frame(&mut app, 16, |_, buttons| buttons.release(MouseButton::Middle));
    let placed = placed_against(&mut app, IVec3::X, "stone");
    assert!(placed.contains(&"torch_wall_east".to_owned()), "{placed:?}");
}

#[test]
fn small_move_of_the_mouse_during_a_click_places_no_second_block() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    frame(&mut app, 16, |_, buttons| buttons.press(RIGHT));
    // In 0.13 seconds, the crosshair moves from the block to the one in front of it.
    for _ in 0..8 {
        frame(&mut app, 16, |player, _| player.pitch -= 0.03);
    }
    frame(&mut app, 16, |_, buttons| buttons.release(RIGHT));
    assert_eq!(placed(&app), [vec![7], vec![]]);
}

#[test]
fn water_is_reached_with_the_key_for_careful_work_or_a_liquid_in_hand() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let water = app.world().resource::<OpenMap>().materials.find("water").unwrap();
    let pour = move |mut editor: Editor| {
        assert!((0..32).all(|x| editor.set(IVec3::new(x, 0, 16), Voxel::full(water))))
    };
    app.world_mut().run_system_once(pour).unwrap();
    let target = |app: &mut App| {
        frame(app, 16, |_, _| {});
        app.world().resource::<Player>().target.map(|hit| hit.voxel.material())
    };
    assert_eq!(target(&mut app), Some(1), "the floor below");
    app.world_mut().resource_mut::<KeyInput>().press_action(KeyAction::Careful);
    assert_eq!(target(&mut app), Some(water));
    app.world_mut().resource_mut::<KeyInput>().reset();
    assert_eq!(target(&mut app), Some(1));
    app.world_mut().resource_mut::<Player>().hotbar[0] = water;
    assert_eq!(target(&mut app), Some(water));
}

/// Texts of the notices.
fn said(app: &App) -> Vec<String> {
    app.world().resource::<Notices>().list.iter().map(|notice| notice.text.clone()).collect()
}

#[test]
fn torch_stands_on_smooth_ground_of_at_least_half_a_voxel() {
    for (rule, occupancy, direction, is_placed) in [
        (SurfaceRule::Smooth, 127, IVec3::NEG_Y, true),
        (SurfaceRule::Facet, 200, IVec3::NEG_Y, true),
        (SurfaceRule::Cube, 200, IVec3::NEG_Y, false),
        // A wall that is not full may end before its face.
        (SurfaceRule::Smooth, 200, IVec3::X, false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut app = game(folder.path());
        app.world_mut().resource_scope(|_, mut map: Mut<OpenMap>| {
            let mut materials: Vec<_> = map.materials.iter().map(|(_, m)| m.clone()).collect();
            materials[1].surface = rule;
            map.set_materials(MaterialTable::from_list(materials).unwrap());
        });
        // A floor or a wall, because smooth ground alone would be a small ball.
        let ground = Voxel::new(1, occupancy);
        let middle = IVec3::new(4, 8, 16);
        let build = move |mut editor: Editor| {
            let places = (0..9).map(|i| IVec3::new(i % 3 - 1, 0, i / 3 - 1));
            for offset in places.map(|at| if direction.y == 0 { at.yxz() } else { at }) {
                assert!(editor.set(middle + offset, ground));
                assert!(editor.set(middle + offset + direction, Voxel::full(1)));
            }
        };
        app.world_mut().run_system_once(build).unwrap();
        let placed = placed_against_block(&mut app, direction, "torch", ground);
        let torches = placed.iter().filter(|name| name.starts_with("torch")).count();
        assert_eq!(torches, usize::from(is_placed), "{rule:?} {occupancy} {direction}");
        assert_eq!(said(&app).len(), usize::from(!is_placed), "{:?}", said(&app));
    }
}

#[test]
fn torch_is_not_placed_on_a_layer() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let layer = Voxel::new(1, 31);
    assert_eq!(placed_against_block(&mut app, IVec3::NEG_Y, "torch", layer), [""; 0]);
    assert_eq!(
        placed_against_block(&mut app, IVec3::NEG_Y, "glow_mushroom", layer),
        ["glow_mushroom"]
    );
}

#[test]
fn torch_is_not_placed_into_water() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    assert_eq!(placed_against(&mut app, IVec3::X, "water"), ["water"]);
    assert_eq!(placed_against(&mut app, IVec3::X, "torch"), ["water"]);
    assert_eq!(said(&app), ["Not placed: a torch does not burn in water"]);
    assert_eq!(placed_against(&mut app, IVec3::X, "granite"), ["granite"]);
}

#[test]
fn lever_stays_if_a_block_is_placed_past_its_outline() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let materials = app.world().resource::<OpenMap>().materials.clone();
    let lever = materials.find("lever").unwrap();
    let boxes = TargetBoxes::new(&materials, |_| Some([0.3, 0.3, 0.5]));
    app.world_mut().resource_mut::<OpenMap>().target_boxes = boxes.into();
    let at = IVec3::new(6, 0, 16);
    let wall = IVec3::new(7, 0, 16);
    let put = move |mut editor: Editor| {
        assert!(editor.set(at, Voxel::full(lever)) && editor.set(wall, Voxel::full(1)));
    };
    app.world_mut().run_system_once(put).unwrap();
    frame(&mut app, 16, |player, buttons| {
        // The crosshair is on the wall, through the upper tenth of the lever's voxel.
        player.walker.position = DVec3::new(4.5, 0.95 - EYES, 16.5);
        player.pitch = 0.0;
        player.yaw = -std::f32::consts::FRAC_PI_2;
        buttons.press(RIGHT);
    });
    assert_eq!(app.world().resource::<Player>().target.map(|hit| hit.voxel_pos), Some(wall));
    frame(&mut app, 16, |_, buttons| buttons.release(RIGHT));
    assert_eq!(app.world().resource::<Edits>().world().get(at), Voxel::full(lever));
}

#[test]
fn halves_of_a_door_are_placed_opened_and_broken_together() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let materials = app.world().resource::<OpenMap>().materials.clone();
    let [door, open] = ["door", "door_open"].map(|name| materials.find(name).unwrap());
    let column = |app: &App| {
        let world = app.world().resource::<Edits>().world();
        [0, 1, 2].map(|y| world.get(IVec3::new(7, y, 16)).material())
    };
    let before = steps(&app);
    frame(&mut app, 16, |player, buttons| {
        player.hotbar[0] = door;
        buttons.press(RIGHT);
    });
    frame(&mut app, 16, |_, buttons| buttons.release(RIGHT));
    assert_eq!((column(&app), steps(&app)), ([door, door, 0], before + 1));
    // A click on the upper half.
    frame(&mut app, 16, |player, buttons| {
        player.walker.position = DVec3::new(4.5, 1.5 - EYES, 16.5);
        player.pitch = 0.0;
        buttons.press(RIGHT);
    });
    frame(&mut app, 16, |_, buttons| buttons.release(RIGHT));
    assert_eq!((column(&app), steps(&app)), ([open, open, 0], before + 2));
    frame(&mut app, 16, |_, buttons| buttons.press(LEFT));
    frame(&mut app, 16, |_, buttons| buttons.release(LEFT));
    assert_eq!((column(&app), steps(&app)), ([0; 3], before + 3));
    app.world_mut().run_system_once(|mut editor: Editor| assert!(editor.undo().unwrap())).unwrap();
    assert_eq!(column(&app), [open, open, 0]);
}

/// The material in the voxel at `at`.
fn material_at(app: &App, at: IVec3) -> String {
    let voxel = app.world().resource::<Edits>().world().get(at);
    let table = app.world().resource::<OpenMap>().growing.table();
    table.get(voxel.material()).map_or_else(String::new, |material| material.name.clone())
}

/// Gives the player a shape of planks in hand.
fn hold_shape(app: &mut App, words: &str) {
    let map = app.world().resource::<OpenMap>();
    let planks = map.materials.find("oak_planks").unwrap();
    let shaped = held_shape::shaped(&map.materials, planks, words).unwrap();
    let id = map.growing.index_of(shaped).unwrap();
    app.world_mut().resource_mut::<Player>().hotbar[0] = id;
}

fn click(app: &mut App, button: MouseButton) {
    frame(app, 16, |_, buttons| buttons.press(button));
    frame(app, 16, |_, buttons| buttons.release(button));
}

#[test]
fn shapes_turn_to_the_player_join_and_are_undone() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    hold_shape(&mut app, "stairs");
    click(&mut app, RIGHT);
    let at = IVec3::new(7, 0, 16);
    assert_eq!(material_at(&app, at), "oak_planks[stairs,east]");
    let undo = |mut editor: Editor| assert!(editor.undo().unwrap());
    app.world_mut().run_system_once(undo).unwrap();
    assert_eq!(material_at(&app, at), "air");
    app.world_mut().resource_mut::<Player>().shape_turns = 1;
    click(&mut app, RIGHT);
    assert_eq!(material_at(&app, at), "oak_planks[stairs,south]");
    app.world_mut().run_system_once(undo).unwrap();
    hold_shape(&mut app, "slab");
    // The ray meets the floor, and then the upper face of the slab.
    app.world_mut().resource_mut::<Player>().walker.position.x = 4.8;
    click(&mut app, RIGHT);
    assert_eq!(material_at(&app, at), "oak_planks[slab]");
    click(&mut app, RIGHT);
    assert_eq!(material_at(&app, at), "oak_planks");
    assert_eq!(steps(&app), 2);
    let whole = app.world().resource::<Edits>().world().get(at);
    assert!(whole.is_full());
}

#[test]
fn shapes_keep_the_water_in_which_they_are_placed() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let at = IVec3::new(7, 0, 16);
    let water = app.world().resource::<OpenMap>().materials.water().unwrap();
    let set = move |mut editor: Editor| assert!(editor.set(at, Voxel::full(water)));
    app.world_mut().run_system_once(set).unwrap();
    hold_shape(&mut app, "slab");
    click(&mut app, RIGHT);
    let slab = app.world().resource::<Edits>().world().get(at);
    assert_eq!((material_at(&app, at).as_str(), slab.liquid()), ("oak_planks[slab]", 128));
}

#[test]
fn gates_and_both_halves_of_doors_open_and_close() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = game(folder.path());
    let map = app.world().resource::<OpenMap>();
    let name = |half: &str| format!("x:oak_door[facing=east,half={half},hinge=left,open=false]");
    let halves = ["lower", "upper"].map(|half| {
        let shape = stonerun_engine::voxel::Shape::from_words("panel,east").unwrap();
        let door = Material { shape, ..Material::plain(&name(half), [9; 3]) };
        map.growing.index_of(door).unwrap()
    });
    let table = map.growing.table();
    app.world_mut().resource_mut::<OpenMap>().set_materials((*table).clone());
    let at = IVec3::new(6, 0, 16);
    let set = move |mut editor: Editor| {
        for (y, id) in (0..).zip(halves) {
            editor.set(at + IVec3::Y * y, Voxel::new(id, 47));
        }
    };
    app.world_mut().run_system_once(set).unwrap();
    let before = steps(&app);
    // The closed door crosses the view, the open one is at the north of its voxels.
    for (state, z) in [("true", 16.5), ("false", 16.1)] {
        app.world_mut().resource_mut::<Player>().walker.position.z = z;
        click(&mut app, RIGHT);
        let expected = |half: &str| name(half).replace("open=false", &format!("open={state}"));
        assert_eq!(material_at(&app, at), expected("lower"));
        assert_eq!(material_at(&app, at + IVec3::Y), expected("upper"));
        let table = app.world().resource::<OpenMap>().growing.table();
        app.world_mut().resource_mut::<OpenMap>().set_materials((*table).clone());
    }
    assert_eq!(steps(&app), before + 2);
}
