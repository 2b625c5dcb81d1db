//! Earlier selections, to go back to.

use crate::edit::selection::Selection;
use std::collections::VecDeque;

/// Most selections that are kept.
const MOST: usize = 100;

/// The latest selections.
#[derive(Clone, Debug)]
pub(super) struct SelectionHistory {
    /// The selections, the oldest first; at least one.
    steps: VecDeque<Selection>,
    /// Which of them is the current one.
    current: usize,
}

impl Default for SelectionHistory {
    fn default() -> SelectionHistory {
        SelectionHistory { steps: VecDeque::from([Selection::default()]), current: 0 }
    }
}

impl SelectionHistory {
    /// Adds a selection, if it differs from the current one, in place of those that were undone.
    pub fn note(&mut self, selection: &Selection) {
        if self.steps[self.current] == *selection {
            return;
        }
        self.steps.truncate(self.current + 1);
        self.steps.push_back(selection.clone());
        if self.steps.len() > MOST {
            self.steps.pop_front();
        }
        self.current = self.steps.len() - 1;
    }

    /// Goes back to the selection before; `None` if it is forgotten.
    pub fn undo(&mut self) -> Option<Selection> {
        self.current = self.current.checked_sub(1)?;
        Some(self.steps[self.current].clone())
    }

    /// Goes to the selection that was undone last.
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
    fn history_goes_back_and_forth_and_forgets_the_oldest() {
        let mut history = SelectionHistory::default();
        assert_eq!((history.undo(), history.redo()), (None, None));
        (1..=3).for_each(|side| history.note(&cube(side)));
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
        (10..10 + 2 * MOST as i32).for_each(|side| history.note(&cube(side)));
        assert_eq!((1..).map_while(|_| history.undo()).count(), MOST - 1);
        assert_eq!((1..).map_while(|_| history.redo()).last(), Some(cube(9 + 2 * MOST as i32)));
    }
}
