//! Undo steps that change the surface of a material: their records.

use super::{MapChanges, changes, map_at};
use crate::save::format::record_error::RecordError;
use crate::save::{
    HistoryChange, HistoryError, MapFile, StepBody, StepHeader, UnsavedStep, repair, verify,
};
use crate::voxel::{MaterialTable, SurfaceChange, SurfaceRule};
use std::path::Path;
use std::sync::Arc;

#[derive(Debug)]
struct Step(StepHeader);

impl UnsavedStep for Step {
    fn header(&self) -> &StepHeader {
        &self.0
    }

    fn body(&self) -> Option<StepBody> {
        Some(StepBody { version: 2, bytes: vec![7; 3].into() })
    }

    fn mark_saved(&self) {}
}

fn header(surface: Option<SurfaceChange>) -> StepHeader {
    let name = "//surface stone facet".to_owned();
    StepHeader { name, unix: 5, voxels: 0, chunks: 0, surface }
}

/// Creates a map with one step for each change.
fn map_with(path: &Path, steps: &[Option<SurfaceChange>]) -> MapFile {
    let mut map = map_at(path);
    let added = steps.iter().enumerate().map(|(index, surface)| {
        let step: Arc<dyn UnsavedStep> = Arc::new(Step(header(*surface)));
        (index as u64 + 1, step)
    });
    let history = HistoryChange {
        first: 1,
        unchanged_below: 1,
        added: added.collect(),
        rewritten: Vec::new(),
        last_done: steps.len() as u64,
    };
    let next = changes(&map, Vec::new());
    map.save(&MapChanges { history: Some(history), ..next }).unwrap();
    map
}

fn change(name: &str, before: SurfaceRule, after: SurfaceRule) -> SurfaceChange {
    let material = MaterialTable::builtin().find(name).unwrap();
    SurfaceChange { material, before, after }
}

#[test]
fn changes_of_surfaces_round_trip_and_other_steps_keep_their_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home.stonerun");
    let rules = [
        SurfaceRule::Cube,
        SurfaceRule::Smooth,
        SurfaceRule::Facet,
        SurfaceRule::Rough(0),
        SurfaceRule::Rough(127),
        SurfaceRule::Terrace(1),
        SurfaceRule::Terrace(16),
    ];
    let pairs = rules.iter().flat_map(|before| rules.map(|after| (*before, after)));
    let mut steps: Vec<_> =
        pairs.map(|(before, after)| Some(change("stone", before, after))).collect();
    steps.push(None);
    let map = map_with(&path, &steps);
    let saved = map.history().unwrap();
    let surfaces: Vec<_> = saved.steps.iter().map(|step| step.header.surface).collect();
    assert_eq!(surfaces, steps);
    assert_eq!(saved.steps[9].header, header(steps[9]));
    assert_eq!(saved.steps[9].bytes, 3);
    let body = StepBody { version: 2, bytes: vec![7; 3].into() };
    assert_eq!(map.reader().unwrap().step(10).unwrap(), Some(body));
    let version = |id: i64| -> u8 {
        let record: Vec<u8> = map
            .state()
            .conn
            .query_row("SELECT record FROM history WHERE id = ?1", [id], |row| row.get(0))
            .unwrap();
        record[3]
    };
    assert_eq!([version(1), version(steps.len() as i64)], [3, 2]);
    assert!(verify(&path).unwrap().is_sound());
}

#[test]
fn surfaces_that_the_table_does_not_allow_damage_the_history() {
    let folder = tempfile::tempdir().unwrap();
    let beyond = MaterialTable::builtin().len() as u16;
    let smooth = |material| SurfaceChange {
        material,
        before: SurfaceRule::Cube,
        after: SurfaceRule::Smooth,
    };
    let water = change("water", SurfaceRule::Cube, SurfaceRule::Smooth);
    for (number, (bad, reason)) in [
        (smooth(beyond), RecordError::SurfaceOf(beyond)),
        (smooth(u16::MAX), RecordError::SurfaceOf(u16::MAX)),
        (smooth(0), RecordError::SurfaceOf(0)),
        (water, RecordError::SurfaceOf(water.material)),
        (water.reversed(), RecordError::SurfaceOf(water.material)),
        (change("stone", SurfaceRule::Rough(128), SurfaceRule::Cube), RecordError::Surface),
        (change("stone", SurfaceRule::Cube, SurfaceRule::Terrace(0)), RecordError::Surface),
        (change("stone", SurfaceRule::Cube, SurfaceRule::Terrace(17)), RecordError::Surface),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(format!("{number}.stonerun"));
        let map = map_with(&path, &[None, Some(bad)]);
        assert_eq!(map.history(), Err(HistoryError::Step { number: 2, reason }), "{bad:?}");
        map.close().unwrap();
        let report = verify(&path).unwrap();
        assert_eq!(report.bad[0].place, "history");
        assert_eq!(repair(&path).unwrap().deleted.len(), 1);
        assert!(verify(&path).unwrap().is_sound());
    }
}
