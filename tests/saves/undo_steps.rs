//! Records of undo steps in a map: invalid ones are refused, and unreachable ones do not stay.

use super::lifecycle::{changes, new_map};
use std::fs;
use std::sync::Arc;
use stonerun_engine::save::{
    HistoryChange, HistoryError, MapChanges, MapFile, RecordError, SaveError, SavedHistory,
    SavedStep, StepBody, StepHeader, UnsavedStep, repair, verify,
};

/// A step of `bytes` bytes. A step without bytes cannot be written.
#[derive(Debug)]
struct Step {
    header: StepHeader,
    bytes: usize,
}

impl UnsavedStep for Step {
    fn header(&self) -> &StepHeader {
        &self.header
    }

    fn body(&self) -> Option<StepBody> {
        (self.bytes > 0).then(|| StepBody { version: 2, bytes: vec![7; self.bytes].into() })
    }

    fn mark_saved(&self) {}
}

#[test]
fn undo_step_with_an_impossible_number_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let number = i64::MAX as u64;
    let step: Arc<dyn UnsavedStep> = Arc::new(Step { header: StepHeader::default(), bytes: 9 });
    let added = vec![(number, step)];
    let change = HistoryChange {
        first: number,
        unchanged_below: number,
        added,
        rewritten: vec![],
        last_done: number,
    };
    map.save(&MapChanges { history: Some(change), ..changes(&map, vec![]) }).unwrap();
    assert_eq!(map.history(), Err(HistoryError::Step { number, reason: RecordError::BadNumber }));
}

#[test]
fn step_that_cannot_be_written_takes_unreachable_steps_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    for (missing, last_done, expected) in
        [(2, 4, vec![3, 4, 5]), (4, 2, vec![1, 2, 3]), (5, 5, vec![])]
    {
        let step = |n: u64| -> (u64, Arc<dyn UnsavedStep>) {
            (
                n,
                Arc::new(Step {
                    header: StepHeader::default(),
                    bytes: if n == missing { 0 } else { 9 },
                }),
            )
        };
        let change = HistoryChange {
            first: 1,
            unchanged_below: 1,
            added: (1..6).map(step).collect(),
            rewritten: vec![],
            last_done,
        };
        map.save(&MapChanges { history: Some(change), ..changes(&map, vec![]) }).unwrap();
        let history = map.history().unwrap();
        assert_eq!(history.steps.iter().map(|step| step.number).collect::<Vec<_>>(), expected);
        assert_eq!(history.last_done, if expected.is_empty() { 0 } else { last_done });
    }
}

#[test]
fn history_is_stored_and_validated() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = new_map(folder.path(), "home");
    let path = map.path().to_owned();
    assert_eq!(map.history(), Ok(SavedHistory::default()));
    let header = |n: u64| StepHeader {
        name: format!("edit {n}"),
        unix: n << 33,
        voxels: n << 41,
        chunks: n,
        surface: None,
    };
    let step = |n: u64| -> (u64, Arc<dyn UnsavedStep>) {
        (n, Arc::new(Step { header: header(n), bytes: 9 }))
    };
    let saved = |n: u64| SavedStep { number: n, header: header(n), bytes: 9 };
    let mut save =
        |change| map.save(&MapChanges { history: Some(change), ..changes(&map, vec![]) }).unwrap();
    save(HistoryChange {
        first: 1,
        unchanged_below: 1,
        added: (1..6).map(step).collect(),
        rewritten: vec![],
        last_done: 3,
    });
    // A new step discards the two undone steps. The first step exceeds the limit and is dropped.
    save(HistoryChange {
        first: 2,
        unchanged_below: 4,
        added: vec![step(6)],
        rewritten: vec![],
        last_done: 6,
    });
    let expected = SavedHistory { steps: [2, 3, 6].map(saved).to_vec(), last_done: 6 };
    assert_eq!(map.history(), Ok(expected.clone()));
    // A save without history changes keeps the history.
    map.save(&changes(&map, vec![])).unwrap();
    let reader = map.reader().unwrap();
    assert_eq!(reader.step(3).unwrap(), Some(StepBody { version: 2, bytes: vec![7; 9].into() }));
    assert_eq!(reader.step(4).unwrap(), None);
    map.close().unwrap();
    assert!(matches!(reader.step(3), Err(SaveError::Closed { .. })));
    assert_eq!(MapFile::open_read_only(&path).unwrap().map.history(), Ok(expected.clone()));
    assert!(verify(&path).unwrap().is_sound());
    let sound = fs::read(&path).unwrap();
    for (damage, says) in [
        ("DELETE FROM history WHERE id = 3", "2 of 3 steps found"),
        (
            "UPDATE history SET id = 4 WHERE id = 3",
            "step 4: record of history (3, 0, 0) in place of history (4, 0, 0)",
        ),
        ("UPDATE history SET record = x'5352' WHERE id = 3", "step 3: record is cut short"),
        ("UPDATE history SET record = 'text' WHERE id = 3", "step 3: column holds no bytes"),
        ("DELETE FROM meta WHERE kind = 7", "3 of 0 steps found"),
        ("UPDATE meta SET record = zeroblob(9) WHERE kind = 7", "summary: "),
    ] {
        fs::write(&path, &sound).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute(damage, []).unwrap();
        let opened = MapFile::open_read_only(&path).unwrap();
        let reason = opened.map.history().unwrap_err().to_string();
        assert!(opened.damage.is_none() && reason.contains(says), "{damage}: {reason}");
        drop(opened);
        assert_eq!(verify(&path).unwrap().bad[0].place, "history");
        assert_eq!(repair(&path).unwrap().deleted.len(), 1);
        assert!(verify(&path).unwrap().is_sound());
        assert_eq!(MapFile::open(&path).unwrap().map.history(), Ok(SavedHistory::default()));
    }
}
