//! The panel's state: open or not, and at which page.

use crate::views::PanelPage;
use bevy::prelude::Resource;

/// State of the panel: open or closed, and its page.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PanelState {
    /// True while the panel is shown.
    pub open: bool,
    /// The page shown while the panel is open.
    pub page: PanelPage,
}

impl PanelState {
    /// True while the panel is open at `page`.
    #[must_use]
    pub fn shows(self, page: PanelPage) -> bool {
        self.open && self.page == page
    }

    /// True while the panel is open at a page whose figures are measured chunk by chunk.
    #[must_use]
    pub fn shows_measured(self) -> bool {
        self.shows(PanelPage::World) || self.shows(PanelPage::Storage)
    }

    /// Switches to the previous state.
    pub fn cycle_back(&mut self) {
        let at = PanelPage::ALL.iter().position(|page| *page == self.page).filter(|_| self.open);
        let before = at.map_or(Some(PanelPage::ALL.len() - 1), |at| at.checked_sub(1));
        self.open = before.is_some();
        self.page = PanelPage::ALL[before.unwrap_or(0)];
    }

    /// Switches to the next state: closed, each page in turn, closed.
    pub fn cycle(&mut self) {
        let at = PanelPage::ALL.iter().position(|page| *page == self.page).filter(|_| self.open);
        let next = at.map_or(0, |i| i + 1);
        self.open = next < PanelPage::ALL.len();
        self.page = PanelPage::ALL[next % PanelPage::ALL.len()];
    }
}

/// Progress of the panel's figures. Pictures wait for them.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PanelFigures {
    /// True if all figures of the shown page are up to date with the loaded world.
    pub complete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycle_shows_each_page_then_closes() {
        let mut panel = PanelState::default();
        let mut seen = Vec::new();
        for _ in 0..PanelPage::ALL.len() + 2 {
            panel.cycle();
            seen.push(panel.open.then_some(panel.page));
        }
        let mut expected = PanelPage::ALL.iter().copied().map(Some).collect::<Vec<_>>();
        expected.extend([None, Some(PanelPage::World)]);
        assert_eq!(seen, expected);
    }

    #[test]
    fn back_undoes_each_step_of_the_cycle() {
        let mut panel = PanelState::default();
        for _ in 0..PanelPage::ALL.len() + 2 {
            let before = panel;
            panel.cycle();
            let mut back = panel;
            back.cycle_back();
            assert_eq!((back.open, back.page), (before.open, before.page));
        }
    }
}
