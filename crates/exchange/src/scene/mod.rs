//! Parts shared by the export formats: the scene to export, the output files, and the results.

mod builder;
mod error;
mod losses;
mod output;
mod report;
mod whole_blocks;

pub use builder::{Scene, SceneBuilder};
pub use error::ExportError;
pub use losses::ExportLosses;
pub use report::ExportFigure;

pub(super) use error::WriterError;
pub(super) use output::OutputFiles;
pub(super) use report::WriterReport;
pub(super) use whole_blocks::as_whole_block;
