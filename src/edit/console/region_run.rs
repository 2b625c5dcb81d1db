//! Carries out commands about named regions.

use super::region_task::{MOST, RegionTask, RegionTaskError};
use super::state::Console;
use crate::edit::region::Region;
use crate::edit::selection::{Selection, SelectionError};
use crate::save::{MAX_REGION_BYTES, MapReader, RegionChange};

impl RegionTask {
    /// Carries out the command. Returns the answer, and a change that the next save must write.
    ///
    /// # Errors
    /// There is no such region, it is damaged or too large, or the map cannot be read. Nothing has
    /// changed.
    pub fn run(
        self,
        console: &mut Console,
        map: &MapReader,
    ) -> Result<(String, Option<RegionChange>), RegionTaskError> {
        match self {
            RegionTask::Save(name, bytes) => {
                let names = console.regions.names(map)?;
                let is_new = !names.contains(&name);
                if is_new && names.sound.len() >= MOST {
                    return Err(RegionTaskError::Full);
                }
                if bytes.len() > MAX_REGION_BYTES {
                    return Err(RegionTaskError::TooLarge(bytes.len()));
                }
                let answer = format!("region {name:?} {}", if is_new { "saved" } else { "replaced" });
                Ok((answer, Some(console.regions.change(name, Some(bytes), map)?)))
            }
            RegionTask::Load(name) => {
                let bytes = console.regions.bytes(&name, map)?;
                let region = Region::from_bytes(&bytes).map_err(|reason| RegionTaskError::Bytes { name, reason })?;
                if region.is_empty() {
                    return Err(SelectionError::Empty.into());
                }
                console.set_selection(Selection::from_region(region));
                console.note_selection();
                Ok((format!("selected: {}", console.selection().description()?), None))
            }
            RegionTask::Delete(name) => {
                if !console.regions.names(map)?.contains(&name) {
                    return Err(console.regions.missing(&name, map)?);
                }
                Ok((format!("region {name:?} deleted"), Some(console.regions.change(name, None, map)?)))
            }
            RegionTask::Undo => Ok(taken_back(console.regions.undo(map)?, "no change of a named region to take back")),
            RegionTask::Redo => Ok(taken_back(console.regions.redo(map)?, "no change of a named region to make again")),
            RegionTask::List => {
                let names = console.regions.names(map)?;
                let mut lines: Vec<String> =
                    names.sound.iter().map(|(name, bytes)| format!("{name}: {bytes} bytes")).collect();
                if lines.is_empty() {
                    lines.push("the map has no named regions".to_owned());
                }
                lines.extend(names.damaged);
                Ok((lines.join("\n"), None))
            }
        }
    }
}

/// The answer to a change that was taken back or made again, and the change.
fn taken_back(change: Option<RegionChange>, none: &str) -> (String, Option<RegionChange>) {
    let answer = match &change {
        None => none.to_owned(),
        Some(RegionChange { name, bytes: Some(_) }) => format!("region {name:?} is back as it was"),
        Some(RegionChange { name, bytes: None }) => format!("region {name:?} deleted"),
    };
    (answer, change)
}
