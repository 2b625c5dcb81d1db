//! Errors of the operating system and of SQLite in words for the player.

const DISK_FULL: &str = "the disk is full";

/// Text of a system error, with fixed texts for errors that a player can act on.
pub fn io_reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind as Kind;
    let reason = match error.kind() {
        Kind::StorageFull | Kind::QuotaExceeded => DISK_FULL,
        Kind::NotFound => "there is no such file or folder",
        Kind::NotADirectory => "a part of its path is a file, not a folder",
        Kind::PermissionDenied => "access is denied",
        Kind::ReadOnlyFilesystem => "the disk is read-only",
        _ => return error.to_string(),
    };
    reason.to_owned()
}

/// Text of an SQLite error for the player. SQLite's own texts speak of databases, and rusqlite's
/// texts of columns.
pub(in crate::save) fn sqlite_words(error: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode as Code;
    use rusqlite::ffi;
    match error {
        rusqlite::Error::ToSqlConversionFailure(reason) => return reason.to_string(),
        rusqlite::Error::QueryReturnedNoRows => return "a row is missing".to_owned(),
        _ => {}
    }
    let code = error.sqlite_extended_error_code().unwrap_or_default();
    let why = match error.sqlite_error_code() {
        Some(Code::DiskFull) => return DISK_FULL.to_owned(),
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => "another program is using it",
        Some(Code::CannotOpen) => "it, or a file next to it, cannot be opened or created",
        Some(Code::ReadOnly) => "it is read-only",
        Some(Code::NotADatabase) => return "it is not a Stonerun map".to_owned(),
        Some(Code::DatabaseCorrupt) => return "the file is damaged".to_owned(),
        Some(Code::SystemIoFailure) => match code {
            ffi::SQLITE_IOERR_READ | ffi::SQLITE_IOERR_SHORT_READ => "the disk could not be read",
            ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC => {
                "the disk did not confirm the write"
            }
            ffi::SQLITE_IOERR_SHMSIZE => "the disk has no room for a file next to it",
            ffi::SQLITE_IOERR_DELETE => "a file next to it could not be deleted",
            _ => "the disk could not be written",
        },
        // SQLite reports a missing table or column with this code.
        Some(Code::Unknown) => "a table of the map is missing or different",
        Some(Code::TypeMismatch) => "it holds another kind of value than a map",
        Some(Code::ConstraintViolation) => "its rows contradict each other",
        Some(Code::TooBig) => "a row is larger than any of a map",
        Some(Code::OutOfMemory) => "there is not enough memory",
        Some(Code::PermissionDenied | Code::AuthorizationForStatementDenied) => "access is denied",
        Some(_) => "it could not be read or written",
        // Without a code, the error is from rusqlite, which reads the rows.
        None => return "it holds another kind of value than a map".to_owned(),
    };
    format!("{why} (SQLite error {code})")
}
