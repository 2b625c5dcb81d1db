//! History of selections, for `//undosel` and `//redosel`.

use crate::edit::selection::Selection;
use std::collections::VecDeque;

/// Maximum number of selections kept.
const MAX_SELECTIONS: usize = 100;

/// Recent selections, and the position of the current one.
#[derive(Clone, Debug)]
pub(super) struct SelectionHistory {
    /// Selections, oldest first. Never empty.
    steps: VecDeque<Selection>,
    /// Index of the current selection.
    current: usize,
}

impl Default for SelectionHistory {
    fn default() -> SelectionHistory {
        SelectionHistory { steps: VecDeque::from([Selection::default()]), current: 0 }
    }
}

impl SelectionHistory {
    /// Adds a selection if it differs from the current one, and drops undone selections.
    pub fn note(&mut self, selection: &Selection) {
        if self.steps[self.current] == *selection {
            return;
        }
        self.steps.truncate(self.current + 1);
        self.steps.push_back(selection.clone());
        if self.steps.len() > MAX_SELECTIONS {
            self.steps.pop_front();
        }
        self.current = self.steps.len() - 1;
    }

    /// Goes back to the previous selection; `None` if there is none.
    pub fn undo(&mut self) -> Option<Selection> {
        self.current = self.current.checked_sub(1)?;
        Some(self.steps[self.current].clone())
    }

    /// Goes forward to the last undone selection; `None` if there is none.
    pub fn redo(&mut self) -> Option<Selection> {
        let selection = self.steps.get(self.current + 1)?.clone();
        self.current += 1;
        Some(selection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Box3;
    use glam::IVec3;

    fn cube(side: i32) -> Selection {
        Selection::from(Box3 { min: IVec3::ZERO, max: IVec3::splat(side) })
    }

    #[test]
    fn undone_selections_are_redone_and_oldest_are_dropped() {
        let mut history = SelectionHistory::default();
        assert_eq!((history.undo(), history.redo()), (None, None));
        for side in 1..=3 {
            history.note(&cube(side));
        }
        history.note(&cube(3));
        assert_eq!(history.undo(), Some(cube(2)));
        assert_eq!(history.undo(), Some(cube(1)));
        assert_eq!(history.redo(), Some(cube(2)));
        history.note(&cube(9));
        assert_eq!(history.redo(), None);
        assert_eq!(
            [history.undo(), history.undo(), history.undo()],
            [Some(cube(2)), Some(cube(1)), Some(Selection::default())]
        );
        assert_eq!(history.undo(), None);
        for side in 10..10 + 2 * MAX_SELECTIONS as i32 {
            history.note(&cube(side));
        }
        assert_eq!((1..).map_while(|_| history.undo()).count(), MAX_SELECTIONS - 1);
        assert_eq!(
            (1..).map_while(|_| history.redo()).last(),
            Some(cube(9 + 2 * MAX_SELECTIONS as i32))
        );
    }
}
