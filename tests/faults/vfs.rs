//! Faulty storage for SQLite: a VFS that forwards to the system's own, reports each operation to a
//! [`Disk`], and fails where the disk says so. It becomes the default VFS of this process, so that
//! the shipped code opens maps through it.
//!
//! Operations on files in a folder without a disk go straight to the system's VFS. Files in a
//! watched folder are never synchronised: the disk decides what survives a power loss.
//!
//! This is the only file of the test with `unsafe`, because SQLite's interface is C. It relies on
//! SQLite calling the methods of a file only between `xOpen` and `xClose`, never two at a time for
//! the same file, with pointers to as many bytes as it states.

use super::disk::{Disk, Op};
use rusqlite::ffi::{self, sqlite3_file as RawFile, sqlite3_int64 as Offset, sqlite3_vfs as Vfs};
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};

/// The disks, by the folder that each watches.
static DISKS: LazyLock<Mutex<HashMap<PathBuf, Arc<Disk>>>> = LazyLock::new(Mutex::default);

/// An open file: SQLite's part and ours. The system's file follows directly in the same block of
/// memory.
#[repr(C)]
struct File {
    base: RawFile,
    /// Comes from `Box::into_raw` in `open` and lives until `close`; null if no disk watches the
    /// file.
    watched: *mut Watched,
}

struct Watched {
    disk: Arc<Disk>,
    number: usize,
}

/// Our VFS, which is never freed, and the system's VFS.
struct Both {
    ours: Vfs,
    system: *mut Vfs,
}

static METHODS: ffi::sqlite3_io_methods = methods(2);
/// Methods of a file system without shared memory, on which WAL is impossible.
static METHODS_WITHOUT_WAL: ffi::sqlite3_io_methods = methods(1);

const fn methods(version: c_int) -> ffi::sqlite3_io_methods {
    ffi::sqlite3_io_methods {
        iVersion: version,
        xClose: Some(close),
        xRead: Some(read),
        xWrite: Some(write),
        xTruncate: Some(truncate),
        xSync: Some(sync),
        xFileSize: Some(file_size),
        xLock: Some(lock),
        xUnlock: Some(unlock),
        xCheckReservedLock: Some(check_reserved_lock),
        xFileControl: Some(file_control),
        xSectorSize: Some(sector_size),
        xDeviceCharacteristics: Some(device_characteristics),
        xShmMap: Some(shm_map),
        xShmLock: Some(shm_lock),
        xShmBarrier: Some(shm_barrier),
        xShmUnmap: Some(shm_unmap),
        xFetch: None,
        xUnfetch: None,
    }
}

/// Makes `disk` watch `folder`.
pub fn watch(folder: &Path, disk: &Arc<Disk>) {
    install();
    let folder = folder.canonicalize().unwrap();
    DISKS.lock().unwrap_or_else(PoisonError::into_inner).insert(folder, Arc::clone(disk));
}

/// Stops watching `folder`. Open files stay watched.
pub fn forget(folder: &Path) {
    let folder = folder.canonicalize().unwrap();
    DISKS.lock().unwrap_or_else(PoisonError::into_inner).remove(&folder);
}

/// The disk that watches the file at `path`, and the file's name.
fn disk_of(path: &Path) -> Option<(Arc<Disk>, String)> {
    let disk = DISKS.lock().unwrap_or_else(PoisonError::into_inner).get(path.parent()?).cloned()?;
    Some((disk, path.file_name()?.to_string_lossy().into_owned()))
}

fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: SQLite returns its default VFS, which is valid for the whole process. It is
        // copied as plain data, so functions that are not replaced are the system's. The registered
        // VFS and its name are never freed.
        unsafe {
            let system = ffi::sqlite3_vfs_find(std::ptr::null());
            assert!(!system.is_null(), "SQLite has a VFS");
            let mut ours = *system;
            ours.szOsFile += size_of::<File>() as c_int;
            ours.pNext = std::ptr::null_mut();
            ours.zName = c"faults".as_ptr();
            ours.xOpen = Some(open);
            ours.xDelete = Some(delete);
            let both = Box::leak(Box::new(Both { ours, system }));
            let this: *mut Both = both;
            both.ours.pAppData = this.cast();
            assert_eq!(ffi::sqlite3_vfs_register(&raw mut both.ours, 1), ffi::SQLITE_OK);
        }
    });
}

/// The system's VFS.
///
/// # Safety
/// `vfs` must be the VFS that `install` made.
unsafe fn system(vfs: *mut Vfs) -> *mut Vfs {
    // SAFETY: `install` put a `Both` there that is never freed.
    unsafe { (*(*vfs).pAppData.cast::<Both>()).system }
}

/// The system's file, which follows ours in memory.
///
/// # Safety
/// `file` must have been passed to `open`.
unsafe fn behind(file: *mut RawFile) -> *mut RawFile {
    // SAFETY: SQLite reserved `szOsFile` bytes, for `File` and the system's file after it. `File`
    // consists of pointers, so its end is aligned for the system's file.
    unsafe { file.cast::<File>().add(1).cast() }
}

/// The watched state of `file`; `None` if no disk watches it.
///
/// # Safety
/// `file` must have been opened by `open` and not closed.
unsafe fn watched<'a>(file: *mut RawFile) -> Option<&'a Watched> {
    // SAFETY: `watched` is null, or comes from `Box::into_raw` and is freed only in `close`.
    unsafe { (*file.cast::<File>()).watched.as_ref() }
}

/// The error code if the disk fails `op` on `file`.
///
/// # Safety
/// As for `watched`.
unsafe fn fails(file: *mut RawFile, op: Op) -> Option<c_int> {
    // SAFETY: guaranteed by the caller.
    unsafe { watched(file) }.and_then(|w| w.disk.fails(op))
}

/// Calls a method of the system's file that belongs to `$file`.
macro_rules! hand_on {
    ($file:expr, $method:ident $(, $argument:expr)*) => {{
        let behind = behind($file);
        match (*(*behind).pMethods).$method {
            Some(method) => method(behind $(, $argument)*),
            None => ffi::SQLITE_MISUSE,
        }
    }};
}

/// The path that SQLite passes as `name`.
///
/// # Safety
/// `name` must be null or a C string.
unsafe fn path_of(name: *const c_char) -> Option<PathBuf> {
    if name.is_null() {
        return None;
    }
    // SAFETY: guaranteed by the caller.
    Some(PathBuf::from(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()))
}

unsafe extern "C" fn open(
    vfs: *mut Vfs,
    name: *const c_char,
    file: *mut RawFile,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: SQLite's contract for `xOpen`: `file` has `szOsFile` bytes. On an error `pMethods` is
    // null, so SQLite does not close a file that is not open.
    unsafe {
        let ours = file.cast::<File>();
        (*ours).base.pMethods = std::ptr::null();
        (*ours).watched = std::ptr::null_mut();
        let path = path_of(name);
        let disk = path.as_deref().and_then(disk_of);
        let is_new = path.is_some_and(|p| !p.exists()) && flags & ffi::SQLITE_OPEN_CREATE != 0;
        if let Some(code) = disk
            .as_ref()
            .and_then(|(disk, _)| disk.fails(if is_new { Op::Create } else { Op::Open }))
        {
            return code;
        }
        let Some(system_open) = (*system(vfs)).xOpen else { return ffi::SQLITE_MISUSE };
        let code = system_open(system(vfs), name, behind(file), flags, out);
        if code != ffi::SQLITE_OK {
            return code;
        }
        let has_wal = disk.as_ref().is_none_or(|(disk, _)| disk.has_wal());
        if let Some((disk, name)) = disk {
            let logs = ffi::SQLITE_OPEN_WAL
                | ffi::SQLITE_OPEN_MAIN_JOURNAL
                | ffi::SQLITE_OPEN_SUPER_JOURNAL;
            let number = disk.opened(&name, is_new && flags & logs != 0);
            (*ours).watched = Box::into_raw(Box::new(Watched { disk, number }));
        }
        (*ours).base.pMethods = if has_wal { &METHODS } else { &METHODS_WITHOUT_WAL };
        ffi::SQLITE_OK
    }
}

unsafe extern "C" fn delete(vfs: *mut Vfs, name: *const c_char, sync_folder: c_int) -> c_int {
    // SAFETY: SQLite's contract for `xDelete`; the system's function gets the same arguments.
    unsafe {
        let disk = path_of(name).as_deref().and_then(disk_of);
        if let Some(code) = disk.as_ref().and_then(|(disk, _)| disk.fails(Op::Delete)) {
            return code;
        }
        let Some(system_delete) = (*system(vfs)).xDelete else { return ffi::SQLITE_MISUSE };
        let code = system_delete(system(vfs), name, sync_folder);
        if let (Some((disk, name)), ffi::SQLITE_OK) = (disk, code) {
            disk.deleted(&name, sync_folder != 0);
        }
        code
    }
}

unsafe extern "C" fn close(file: *mut RawFile) -> c_int {
    // SAFETY: the file is open up to here and not used afterwards. The `Box` comes from `open`.
    unsafe {
        let code = hand_on!(file, xClose);
        let watched = std::mem::replace(&mut (*file.cast::<File>()).watched, std::ptr::null_mut());
        if !watched.is_null() {
            drop(Box::from_raw(watched));
        }
        code
    }
}

unsafe extern "C" fn read(file: *mut RawFile, to: *mut c_void, bytes: c_int, at: Offset) -> c_int {
    // SAFETY: see the header of this file.
    unsafe {
        match fails(file, Op::Read) {
            Some(code) => code,
            None => hand_on!(file, xRead, to, bytes, at),
        }
    }
}

unsafe extern "C" fn write(
    file: *mut RawFile,
    from: *const c_void,
    bytes: c_int,
    at: Offset,
) -> c_int {
    // SAFETY: see the header of this file; `from` is `bytes` long.
    unsafe {
        let fault = fails(file, Op::Write);
        // A failed write may be partial.
        let bytes = if fault.is_some() { bytes / 2 } else { bytes };
        let code = hand_on!(file, xWrite, from, bytes, at);
        if let (Some(w), ffi::SQLITE_OK) = (watched(file), code) {
            w.disk.wrote(
                w.number,
                at as usize,
                std::slice::from_raw_parts(from.cast(), bytes as usize),
            );
        }
        fault.unwrap_or(code)
    }
}

unsafe extern "C" fn truncate(file: *mut RawFile, size: Offset) -> c_int {
    // SAFETY: see the header of this file.
    unsafe {
        if let Some(code) = fails(file, Op::Truncate) {
            return code;
        }
        let code = hand_on!(file, xTruncate, size);
        if let (Some(w), ffi::SQLITE_OK) = (watched(file), code) {
            w.disk.truncated(w.number, size as usize);
        }
        code
    }
}

unsafe extern "C" fn sync(file: *mut RawFile, flags: c_int) -> c_int {
    // SAFETY: see the header of this file.
    unsafe {
        let Some(w) = watched(file) else { return hand_on!(file, xSync, flags) };
        let fault = w.disk.fails(Op::Sync);
        w.disk.synced(w.number, fault.is_none());
        fault.unwrap_or(ffi::SQLITE_OK)
    }
}

unsafe extern "C" fn shm_map(
    file: *mut RawFile,
    page: c_int,
    size: c_int,
    extend: c_int,
    to: *mut *mut c_void,
) -> c_int {
    // SAFETY: see the header of this file.
    unsafe {
        match fails(file, Op::Share) {
            Some(code) if extend != 0 => code,
            _ => hand_on!(file, xShmMap, page, size, extend, to),
        }
    }
}

// The methods below only forward.

unsafe extern "C" fn file_size(file: *mut RawFile, to: *mut Offset) -> c_int {
    // SAFETY: see the header of this file.
    unsafe { hand_on!(file, xFileSize, to) }
}

unsafe extern "C" fn lock(file: *mut RawFile, level: c_int) -> c_int {
    // SAFETY: see the header of this file.
    unsafe { hand_on!(file, xLock, level) }
}

unsafe extern "C" fn unlock(file: *mut RawFile, level: c_int) -> c_int {
    // SAFETY: see the header of this file.
    unsafe { hand_on!(file, xUnlock, level) }
}

unsafe extern "C" fn check_reserved_lock(file: *mut RawFile, to: *mut c_int) -> c_int {
    // SAFETY: see the header of this file.
    unsafe { hand_on!(file, xCheckReservedLock, to) }
}

unsafe extern "C" fn file_control(file: *mut RawFile, op: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: see the header of this file.
    unsafe { hand_on!(file, xFileControl, op, argument) }
}

unsafe extern "C" fn sector_size(file: *mut RawFile) -> c_int {
    // SAFETY: see the header of this file.
    unsafe { hand_on!(file, xSectorSize) }
}

unsafe extern "C" fn device_characteristics(file: *mut RawFile) -> c_int {
    // SAFETY: see the header of this file.
    unsafe { hand_on!(file, xDeviceCharacteristics) }
}

unsafe extern "C" fn shm_lock(file: *mut RawFile, at: c_int, count: c_int, flags: c_int) -> c_int {
    // SAFETY: see the header of this file.
    unsafe { hand_on!(file, xShmLock, at, count, flags) }
}

unsafe extern "C" fn shm_barrier(file: *mut RawFile) {
    // SAFETY: see the header of this file.
    unsafe {
        let behind = behind(file);
        if let Some(method) = (*(*behind).pMethods).xShmBarrier {
            method(behind);
        }
    }
}

unsafe extern "C" fn shm_unmap(file: *mut RawFile, delete: c_int) -> c_int {
    // SAFETY: see the header of this file.
    unsafe { hand_on!(file, xShmUnmap, delete) }
}
