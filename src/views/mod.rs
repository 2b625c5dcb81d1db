//! Names of the panel's pages and of the overlays.
//!
//! Each name is one row of a table, from which the keys, the command line, its help and the tests
//! of the manual derive. Independent of Bevy, so that every build of the command line knows the
//! names.

mod overlay_kind;
mod panel_page;

pub use overlay_kind::{OverlayKind, UnknownOverlay};
pub use panel_page::{PanelPage, UnknownPage};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manual_describes_every_page_and_overlay() {
        let manual = include_str!("../../docs/playing.md");
        for title in PanelPage::ALL.iter().map(|page| page.title()).chain(OverlayKind::names()) {
            assert!(
                manual.contains(&format!("\n| *{title}* | ")),
                "docs/playing.md has no row for {title}"
            );
        }
    }
}
