//! Tests of patterns and masks as text.

use super::*;
use crate::edit::{Checker, Mask, Mix, Pattern};
use crate::voxel::Matter;
use std::sync::Arc;

fn of(names: &[&str]) -> Mask {
    Mask::Materials(names.iter().map(|name| full(name).material()).collect())
}

#[test]
fn pattern_texts_are_parsed_or_refused_with_reason() {
    let table = MaterialTable::builtin();
    let water = full("water").material();
    let half_sand = Voxel::new(full("sand").material(), 127);
    let mix = |parts: &[(f64, Voxel)]| Pattern::Mix(Mix::new(parts, Seeds::new(0).draw()).unwrap());
    for (text, pattern) in [
        ("stone", Pattern::Voxel(full("stone"))),
        ("water:128", Pattern::Voxel(Voxel::new(water, 127))),
        ("water:256", Pattern::Voxel(full("water"))),
        ("air:7", Pattern::Voxel(Voxel::AIR)),
        ("sand:128~water:100", Pattern::Voxel(half_sand.with_liquid(100))),
        ("sand:128~water", Pattern::Voxel(half_sand.with_liquid(128))),
        ("sand:128~water:1,air", mix(&[(1.0, half_sand.with_liquid(1)), (1.0, Voxel::AIR)])),
        (
            "50%stone,25%dirt:1,air",
            mix(&[
                (50.0, full("stone")),
                (25.0, Voxel::new(full("dirt").material(), 0)),
                (1.0, Voxel::AIR),
            ]),
        ),
        (
            "#checker[2][stone,dirt]",
            Pattern::Checker(Checker { side: 2, voxels: vec![full("stone"), full("dirt")] }),
        ),
    ] {
        assert_eq!(parse_pattern(text, &table, None, &Seeds::new(0)), Ok(pattern), "{text}");
    }
    for text in ["#clouds[20][stone,2%dirt]", "#gradient[y][0][-64][stone,dirt,grass]"] {
        assert!(parse_pattern(text, &table, None, &Seeds::new(0)).is_ok(), "{text}");
    }
    for (text, message) in [
        ("", "there is no material \"\""),
        ("stne", "there is no material \"stne\"; did you mean stone"),
        ("sand:128~lava:100", "\"sand:128~lava:100\": after ~ comes the water"),
        ("sand:128~water:129", "\"sand:128~water:129\": after ~ comes the water"),
        ("sand:128~water:0", "\"sand:128~water:0\": after ~ comes the water"),
        ("sand:128~water:x", "\"sand:128~water:x\": after ~ comes the water"),
        ("sand:128~", "\"sand:128~\": after ~ comes the water"),
        ("sand~water", "\"sand~water\": after ~ comes the water"),
        ("#checker[2][sand~water,air]", "\"sand~water\": after ~ comes the water"),
        ("water:128~water:100", "\"water:128~water:100\": only solid materials"),
        ("air~water", "\"air~water\": only solid materials"),
        ("sand:300~water", "\"sand:300\" has an occupancy that is no number"),
        ("oak", "there is no material \"oak\"; did you mean oak_"),
        ("x%stone,dirt", "\"x%stone\" has a share"),
        ("-5%stone,dirt", "\"-5%stone\" has a share"),
        ("inf%stone,dirt", "\"inf%stone\" has a share"),
        ("water:0", "\"water:0\" has an occupancy"),
        ("water:257", "\"water:257\" has an occupancy"),
        ("#clouds[20]", "\"#clouds[20]\": write it like"),
        ("#clouds[0][stone]", "\"#clouds[0][stone]\": write it like"),
        ("#gradient[w][0][9][stone]", "\"#gradient[w][0][9][stone]\": write it like"),
        ("#checker[99999999999][stone]", "\"#checker[99999999999][stone]\": write it like"),
        ("#clipboard@", "\"#clipboard@\": write it like"),
        ("#clipboard[1,2,3]", "\"#clipboard[1,2,3]\": write it like"),
        ("#clipboard@[1,2]", "\"1,2\" is no place"),
        ("#nothing", "\"#nothing\" is no pattern; did you mean #clouds"),
    ] {
        let error = parse_pattern(text, &table, None, &Seeds::new(0)).expect_err(text).to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

#[test]
fn mask_texts_are_parsed_or_refused_with_reason() {
    let table = MaterialTable::builtin();
    let not = Mask::inverse;
    let half_sand = Voxel::new(full("sand").material(), 127);
    for (text, mask) in [
        ("stone,dirt", of(&["stone", "dirt"])),
        ("!air", not(of(&["air"]))),
        ("#existing", Mask::existing()),
        (">grass !air", Mask::All(vec![Mask::above(of(&["grass"])), not(of(&["air"]))])),
        ("<!#solid", Mask::below(not(Mask::matter(Matter::Solid, &table)))),
        ("~water", Mask::near(of(&["water"]))),
        ("%30", Mask::Share { share: 0.3, seed: Seeds::new(0).draw() }),
        ("#height[-5][9]", Mask::Heights(-5..10)),
        (
            "#box[9,9,9][-1,0,3]",
            Mask::Inside(Box3::spanning(IVec3::splat(9), IVec3::new(-1, 0, 3))),
        ),
        ("#exposed", Mask::exposed(&table)),
        ("#clouds[9][10][60]", Mask::clouds(Seeds::new(0).draw() as u32, 9.0, [0.1, 0.6])),
        ("#liquid,stone", Mask::AnyOf(vec![Mask::matter(Matter::Liquid, &table), of(&["stone"])])),
        ("water:128", Mask::Voxels(vec![Voxel::new(full("water").material(), 127)])),
        ("sand:128~water:100", Mask::Voxels(vec![half_sand.with_liquid(100)])),
        ("sand:128~water", Mask::All(vec![Mask::Voxels(vec![half_sand]), Mask::Wet])),
        ("sand~water", Mask::All(vec![of(&["sand"]), Mask::Wet])),
        ("~sand~water", Mask::near(Mask::All(vec![of(&["sand"]), Mask::Wet]))),
        ("#solid #wet", Mask::All(vec![Mask::matter(Matter::Solid, &table), Mask::Wet])),
        ("#selection", Mask::Region(Arc::new(Region::default()))),
    ] {
        assert_eq!(parse_mask(text, &table, None, &Seeds::new(0)), Ok(mask), "{text}");
    }
    for (text, message) in [
        ("", "\"\": write it like"),
        ("!", "there is no material \"\""),
        ("stone,,dirt", "there is no material \"\""),
        ("%101", "\"%101\": write it like"),
        ("sand~water:100", "\"sand~water:100\": after ~ comes the water"),
        ("sand:256~water", "\"sand:256~water\": after ~ comes the water"),
        ("air~water", "\"air~water\": only solid materials"),
        ("#height[1]", "\"#height[1]\": write it like"),
        ("#height[1", "[ is never closed"),
        ("#slope[a][b]", "\"#slope[a][b]\": write it like"),
        ("#clouds[0][0][9]", "\"#clouds[0][0][9]\": write it like"),
        ("#clouds[9][0][101]", "\"#clouds[9][0][101]\": write it like"),
        ("#clouds[99999][0][9]", "\"#clouds[99999][0][9]\": write it like"),
        (
            "#clouds[9][60][10]",
            "\"#clouds[9][60][10]\": the first number must not be above the second",
        ),
        ("#slope[-1][9]", "\"#slope[-1][9]\": write it like"),
        ("#slope[0][181]", "\"#slope[0][181]\": write it like"),
        ("#slope[9][8]", "\"#slope[9][8]\": the first number must not be above the second"),
        ("#height[64][0]", "\"#height[64][0]\": the first number must not be above the second"),
        ("#thing", "\"#thing\" is no mask; did you mean #existing"),
        ("!!!!!!stone", "a mask can be nested"),
    ] {
        let error = parse_mask(text, &table, None, &Seeds::new(0)).expect_err(text).to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
    let error = parse_mask(&"~".repeat(1 << 20), &table, None, &Seeds::new(0)).unwrap_err();
    assert!(matches!(error, CommandError::Nesting(_)));
    // With a console, `#sel` refers to the selection.
    let mut console = Console::new(IVec3::ZERO);
    assert!(parse_mask("#sel", &table, Some(&console), &Seeds::new(0)).is_err());
    console.set_selection(Selection::from(Box3::spanning(IVec3::ZERO, IVec3::ONE)));
    let area = console.selection().bounds().unwrap();
    assert_eq!(parse_mask("#sel", &table, Some(&console), &Seeds::new(0)), Ok(Mask::Inside(area)));
}
