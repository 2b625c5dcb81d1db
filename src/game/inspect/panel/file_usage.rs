//! Usage of the map's file. It is counted in the background while the page *Save* is shown: after
//! each save, but at most once per second.

use crate::game::state::panel_page::PanelState;
use crate::game::state::session::{OpenMap, SaveQueue};
use crate::views::PanelPage;
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use stonerun_engine::save::{SaveError, TableBytes, Totals};

/// Minimum time between two counts, in seconds.
const PAUSE: f32 = 1.0;

/// Usage of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileUsage {
    /// Sums over the chunks, and the file's size.
    pub totals: Totals,
    /// Tables of the file, largest first.
    pub tables: Vec<TableBytes>,
}

/// The last count, and the running one.
#[derive(Resource, Default)]
pub struct FileUsageCount {
    /// The last result.
    pub last: Option<Result<FileUsage, SaveError>>,
    task: Option<Task<Result<FileUsage, SaveError>>>,
    /// Revision of the save after which usage was last counted; `None` before the first save.
    of: Option<u32>,
    since: f32,
}

/// Starts a count when it is due.
pub fn count(
    time: Res<Time<Real>>,
    map: Res<OpenMap>,
    saves: Res<SaveQueue>,
    panel: Res<PanelState>,
    mut counting: ResMut<FileUsageCount>,
) {
    if map.is_added() {
        *counting = FileUsageCount::default();
    }
    counting.since += time.delta_secs();
    if let Some(task) = &mut counting.task
        && let Some(result) = check_ready(task)
    {
        counting.task = None;
        counting.last = Some(result);
    }
    let shown = panel.open && panel.page == PanelPage::Save;
    let save = saves.last_save().map(|save| save.report.revision);
    let is_new = counting.last.is_none() || counting.of != save;
    if !(shown && is_new)
        || counting.task.is_some()
        || counting.last.is_some() && counting.since < PAUSE
    {
        return;
    }
    counting.of = save;
    counting.since = 0.0;
    let reader = map.reader.clone();
    let counted = move || {
        let totals = reader.totals()?;
        Ok(FileUsage { totals, tables: reader.tables()? })
    };
    counting.task = Some(AsyncComputeTaskPool::get().spawn(async move { counted() }));
}
