//! Windows of all sizes: no two parts overlap, and each has the room it needs.

use super::*;

const SIZES: [[f32; 2]; 14] = [
    [400.0, 300.0],
    [480.0, 320.0],
    [583.0, 500.0],
    [600.0, 900.0],
    [640.0, 360.0],
    [640.0, 480.0],
    [800.0, 600.0],
    [1024.0, 600.0],
    [1024.0, 768.0],
    [1280.0, 600.0],
    [1280.0, 720.0],
    [1920.0, 1080.0],
    [2560.0, 1080.0],
    [3840.0, 2160.0],
];

fn screens() -> impl Iterator<Item = Rect> {
    SIZES
        .into_iter()
        .map(|[width, height]| Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height)))
}

fn all_parts() -> impl Iterator<Item = ShownParts> {
    (0..64).map(|bits| {
        let [panel, legend, keys, edits, console, tools] =
            [1, 2, 4, 8, 16, 32].map(|bit| bits & bit > 0);
        ShownParts { panel, legend, keys, edits, console, tools, menu: false }
    })
}

fn named(areas: &Areas) -> Vec<(&'static str, Rect)> {
    let all = [
        ("panel", areas.panel),
        ("status", areas.status),
        ("notices", Some(areas.notices)),
        ("legend", areas.legend),
        ("keys", areas.keys),
        ("tools", areas.tools),
        ("bar", areas.bar),
        ("pill", areas.pill),
        ("edits", areas.edits),
        ("console", areas.console),
    ];
    all.into_iter().filter_map(|(name, area)| Some((name, area?))).collect()
}

fn assert_disjoint(areas: &[(&str, Rect)], what: &str) {
    for (i, (a, first)) in areas.iter().enumerate() {
        assert!(first.width() > 0.0 && first.height() > 0.0, "{what}: {a} {first}");
        for (b, second) in &areas[i + 1..] {
            assert!(
                !first.shrink(0.01).intersects(*second),
                "{what}: {a} {first} and {b} {second}"
            );
        }
    }
}

#[test]
fn no_two_parts_overlap() {
    for screen in screens() {
        let crosshair = Rect::from_center_size(screen.center(), Vec2::splat(20.0));
        for parts in all_parts() {
            let mut areas = named(&Areas::new(screen, parts));
            for (name, area) in &areas {
                assert!(screen.contains_rect(*area), "{screen} {parts:?}: {name} {area}");
            }
            areas.push(("crosshair", crosshair));
            assert_disjoint(&areas, &format!("{screen} {parts:?}"));
        }
    }
}

#[test]
fn each_part_has_the_room_it_needs() {
    for screen in screens() {
        for parts in all_parts().filter(|parts| !parts.console && !parts.edits) {
            let areas = Areas::new(screen, parts);
            let what = format!("{screen} {parts:?} {areas:?}");
            assert!(
                areas.notices.height() >= NOTICE - 0.01 && areas.notices.width() >= 200.0,
                "{what}"
            );
            assert!(areas.bar.is_some_and(|bar| bar.height() > 37.0), "{what}");
            assert_eq!(areas.panel.is_some(), parts.panel, "{what}");
            assert!(
                areas.panel.is_none_or(|panel| panel.height() > 120.0 && panel.width() > 260.0),
                "{what}"
            );
            // In the smallest windows, the panel leaves no room for a legend.
            if !(parts.panel && screen.height() < 400.0 && screen.width() < 584.0) {
                assert_eq!(areas.legend.is_some(), parts.legend, "{what}");
            }
            if screen.height() >= 600.0 && screen.width() >= 640.0 {
                assert!(areas.legend.is_none_or(|legend| legend.height() == LEGEND.max), "{what}");
                assert!(
                    areas.pill.is_some() && areas.keys.is_some() == (parts.keys && !parts.tools),
                    "{what}"
                );
                assert_eq!(areas.tools.is_some(), parts.tools, "{what}");
            }
            // Large windows have room for a report of damage and for the list of all keys.
            if screen.height() >= 720.0 && screen.width() >= 640.0 && !parts.legend {
                assert!(parts.tools || areas.notices.height() >= NOTICES_ABOVE_KEYS, "{what}");
                assert!(areas.keys.is_none_or(|keys| keys.height() >= ALL_KEYS), "{what}");
            }
        }
    }
}

#[test]
fn console_and_edits_have_room() {
    for screen in screens() {
        for parts in all_parts() {
            let areas = Areas::new(screen, parts);
            let what = format!("{screen} {parts:?} {areas:?}");
            assert!(
                areas.notices.height() >= NOTICE - 0.01 && areas.notices.width() >= 200.0,
                "{what}"
            );
            assert_eq!(areas.console.is_some(), parts.console, "{what}");
            assert!(
                areas.console.is_none_or(|area| area.height() > 60.0 && area.width() > 280.0),
                "{what}"
            );
            if screen.height() >= 600.0 && screen.width() >= 1024.0 {
                assert_eq!(areas.edits.is_some(), parts.edits, "{what}");
                assert!(areas.edits.is_none_or(|area| area.height() >= MIN_EDITS.y), "{what}");
            }
        }
    }
}

#[test]
fn notices_are_next_to_dialogs_and_the_panel() {
    for screen in screens() {
        for panel in [false, true] {
            let areas =
                Areas::new(screen, ShownParts { panel, menu: true, ..ShownParts::default() });
            assert!(areas.legend.or(areas.bar).or(areas.keys).or(areas.pill).is_none());
            for wanted in [336.0, 456.0, 516.0, 606.0] {
                let width = f32::min(wanted, areas.dialog.width() - 44.0);
                let DialogAreas { dialog: free, notices } = beside_dialog(areas.dialog, width);
                let dialog =
                    Rect::from_center_size(free.center(), vec2(width, free.height() - 16.0));
                let mut all = vec![("dialog", dialog), ("notices", notices)];
                all.extend(areas.panel.map(|panel| ("panel", panel)));
                assert_disjoint(&all, &format!("{screen}, dialog of {wanted}"));
                assert!(
                    notices.height() >= NOTICE - 0.01 && screen.contains_rect(notices),
                    "{screen} {notices}"
                );
                assert!(width >= 300.0, "{screen}: {width}");
            }
        }
    }
}

#[test]
fn hot_bar_moves_aside_but_stays_on_the_screen() {
    let bar = |width: f32, panel| {
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, 540.0));
        Areas::new(screen, ShownParts { panel, ..ShownParts::default() })
            .bar
            .expect("while playing")
    };
    assert_eq!(bar(1280.0, true).center().x, 640.0);
    assert!(bar(960.0, true).center().x < 480.0 && bar(960.0, false).center().x == 480.0);
    assert_eq!(bar(640.0, true).left(), MARGIN);
    assert!(bar(400.0, false).right() <= 392.0 && bar(400.0, false).height() < SLOT);
}
