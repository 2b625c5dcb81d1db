//! The bytes of a map file: its tables, the frame around every record, and the records' contents.

pub(super) mod awake_record;
pub(super) mod chunk_record;
pub(super) mod digest;
pub(super) mod frame;
pub(super) mod header;
pub(super) mod history_record;
pub(super) mod materials;
pub mod places;
pub(super) mod record_error;
pub(super) mod region_record;
pub(super) mod saved_rules;
pub(super) mod schema;
pub(super) mod small_records;
pub(super) mod unix_time;

pub use awake_record::{AwakeChunk, SavedAwake};
pub use chunk_record::{ChunkCodec, EncodedChunk, EncodedSizes, encoded_sizes};
pub use frame::{FrameError, RecordKind};
pub use header::{Header, SavedPlayer};
pub(crate) use history_record::MAX_STEP_BYTES;
pub use history_record::{HistoryError, StepBody, StepHeader};
pub use places::{NamedPlace, PlaceError, Places};
pub use record_error::RecordError;
pub use region_record::MAX_REGION_BYTES;
pub use saved_rules::{MAX_RULES_BYTES, SavedRules};
pub use schema::sqlite_version;
pub use unix_time::unix_now;
