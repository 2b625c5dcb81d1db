use super::*;
use crate::voxel::Face;
use crate::voxel::shape::shape_box::SolidBoxes;

#[test]
fn forms_round_trip_through_texts_and_records() {
    let config = bincode::config::standard();
    for form in ModelForm::all() {
        for form in [form, form.turned(Turn::quarters(1))] {
            let text = ron::to_string(&form).unwrap();
            assert_eq!(ron::from_str::<ModelForm>(&text), Ok(form), "{text}");
            let bytes = bincode::serde::encode_to_vec(form, config).unwrap();
            let (read, _): (ModelForm, usize) =
                bincode::serde::decode_from_slice(&bytes, config).unwrap();
            assert_eq!(read, form);
        }
    }
}

#[test]
fn unknown_forms_name_what_exists() {
    let error = |form: Result<ModelForm, ModelFormError>| form.unwrap_err().to_string();
    let unknown = error(ModelForm::new("fance", Turn::NONE, &[]));
    assert!(
        unknown.starts_with("there is no model \"fance\"; there are fence, wall, pane"),
        "{unknown}"
    );
    assert_eq!(
        error(ModelForm::new("gate", Turn::NONE, &["ajar"])),
        "the model \"gate\" has no part \"ajar\"; it has closed, open"
    );
    assert_eq!(
        error(ModelForm::new("wall", Turn::NONE, &[])),
        "the model \"wall\" needs at least one part"
    );
    assert_eq!(error(ModelForm::joined("gate")), "the model \"gate\" joins to nothing");
    for record in [
        (0u8, 0u8, 0u16, 0u8),
        (200, 0, 0, 0),
        (1, 48, 0, 0),
        (1, 0, 16, 0),
        (4, 0, 0, 1),
        (1, 0, 0, 2),
        (2, 0, 0, 0),
    ] {
        let config = bincode::config::standard();
        let bytes = bincode::serde::encode_to_vec(record, config).unwrap();
        assert!(
            bincode::serde::decode_from_slice::<ModelForm, _>(&bytes, config).is_err(),
            "{record:?}"
        );
    }
}

#[test]
fn joined_forms_have_the_parts_of_their_sides() {
    let fence = ModelForm::joined("fence").unwrap();
    let joined = fence.row().joined.unwrap();
    for (bit, side) in Face::SIDES.into_iter().enumerate() {
        let row = joined.row(|other| other == side);
        assert!(std::ptr::eq(row, joined.rows[1 << bit]));
        let name = ["north", "east", "south", "west"][bit];
        let stated = ModelForm::new("fence", Turn::NONE, &[name]).unwrap();
        assert!(std::ptr::eq(row, stated.row()));
        // The beam reaches the side.
        let SolidBoxes::Boxes(boxes) = row.solid else { panic!() };
        let axis = side as usize / 2;
        let reaches = |one: &crate::voxel::ShapeBox| match side {
            Face::East | Face::South => one.high[axis] == 16,
            _ => one.low[axis] == 0,
        };
        assert!(boxes.iter().any(reaches), "{side:?}");
    }
    // A straight wall has no post.
    let wall = ModelForm::joined("wall").unwrap().row().joined.unwrap();
    let solid = |sides: usize| wall.rows[sides].solid.bounds().unwrap();
    assert_eq!(solid(0b0101).high[1], 14);
    assert_eq!(solid(0b0001).high[1], 16);
    assert_eq!(solid(0).high, [12, 16, 12]);
    // Below another one, its sides are as high as the voxel.
    assert_eq!(solid(0b1_0101).high[1], 16);
}
