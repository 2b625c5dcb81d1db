//! Real full disks and read-only folders: behaviour of the command line and of an open map.
//!
//! Root may write anywhere, so permissions do not suffice for a test; a file system of a few
//! kilobytes, or a read-only mount, does. Mounting happens in a namespace of its own where the
//! system allows that; otherwise these tests print a note and are skipped. A limit on file sizes
//! works on every Unix.

use crate::common::{Sandbox, vox};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;
use stonerun_engine::save::{Header, MapChanges, MapFile, MapWriter, verify};
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::Chunk;

const PROGRAM: &str = env!("CARGO_BIN_EXE_stonerun");
/// Names the folder in which a process saves until the disk is full.
const FOLDER: &str = "STONERUN_FULL_FOLDER";

/// The `unshare` flags for a private mount; `None` where mounting is not allowed.
static MOUNTING: LazyLock<Option<&'static str>> = LazyLock::new(|| {
    let may = |flags: &str| {
        let script = "mount -t tmpfs -o size=100k none /tmp";
        Command::new("unshare")
            .args([flags, "sh", "-c", script])
            .output()
            .is_ok_and(|o| o.status.success())
    };
    ["-m", "-rm"].into_iter().find(|flags| may(flags))
});

/// Runs `script` in `folder`, in a mount namespace of its own. Prints a note and returns `None` if
/// that is not possible.
fn mounted(folder: &Path, script: &str) -> Option<Output> {
    let Some(flags) = *MOUNTING else {
        println!("skipped: mounting is not allowed here");
        return None;
    };
    let mut command = Command::new("unshare");
    command.args([flags, "sh", "-euc", script]).current_dir(folder);
    Some(
        command
            .env("STONERUN", PROGRAM)
            .env("SELF", std::env::current_exe().unwrap())
            .output()
            .unwrap(),
    )
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Asserts exit code 1 and one line on standard error that starts with `begin` and ends with `end`.
#[track_caller]
fn must_say(output: &Output, begin: &str, end: &str) {
    let err = text(&output.stderr);
    let line = err.strip_suffix('\n').unwrap_or(err);
    let clear = line.starts_with(begin) && line.ends_with(end) && !line.contains('\n');
    assert!(
        clear && output.status.code() == Some(1),
        "{:?}: {err}{}",
        output.status,
        text(&output.stdout)
    );
}

fn files(folder: &Path) -> Vec<String> {
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    all.sort();
    all
}

/// Runs the program with file sizes limited to `blocks` of 512 bytes.
fn limited(place: &Sandbox, blocks: u32, arguments: &[&str]) -> Output {
    // Without the trap the system would kill the program instead of failing the write.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, PROGRAM]).args(arguments).current_dir(place.file(""));
    command.env("XDG_DATA_HOME", place.file("data")).output().unwrap()
}

#[test]
fn failed_write_leaves_no_new_map() {
    let place = Sandbox::new();
    std::fs::write(place.file("dot.vox"), vox([1, 1, 1], &[[0, 0, 0, 1]])).unwrap();
    let new = ["new", "home", "--seed", "7", "--radius", "1"];
    let import = ["import", "dot.vox", "home"];
    for blocks in [0, 1, 4, 16, 40, 64, 100] {
        for arguments in [&new[..], &import] {
            let output = limited(&place, blocks, arguments);
            if output.status.success() {
                assert!(blocks >= 40, "{arguments:?} in {blocks} blocks");
                assert!(verify(&place.file("saves/home.stonerun")).unwrap().is_sound());
                std::fs::remove_file(place.file("saves/home.stonerun")).unwrap();
            } else {
                must_say(&output, "stonerun: saves/home.stonerun.unfinished: cannot ", ")");
            }
            assert_eq!(files(&place.file("saves")), [""; 0], "{arguments:?} in {blocks} blocks");
        }
    }
}

#[test]
fn failed_write_leaves_the_map_unchanged() {
    let place = Sandbox::with_home();
    let path = place.file("saves/home.stonerun");
    let sound = std::fs::read(&path).unwrap();
    let mut damaged = sound.clone();
    // Damages SQLite's header, so that the map has to be rebuilt.
    damaged[20..60].fill(0x55);
    for blocks in [0, 1, 16, 64] {
        for (bytes, arguments) in [
            (&sound, &["bake", "home", "--view", "3"][..]),
            (&damaged, &["verify", "home", "--repair"]),
        ] {
            let what = format!("{arguments:?} in {blocks} blocks");
            std::fs::write(&path, bytes).unwrap();
            let output = limited(&place, blocks, arguments);
            must_say(&output, "stonerun: saves/home.stonerun", ")");
            // An opened map may keep a log, which is part of the map.
            assert!(verify(&path).unwrap().is_sound() == (bytes == &sound), "{what}");
            if bytes == &damaged {
                assert!(std::fs::read(&path).unwrap() == damaged, "{what}");
                assert_eq!(files(&place.file("saves")), ["home.stonerun"], "{what}");
            }
            for name in files(&place.file("saves")) {
                std::fs::remove_file(place.file("saves").join(name)).unwrap();
            }
        }
    }
}

#[test]
fn full_disk_is_reported_as_full() {
    let place = Sandbox::with_home();
    let script = |size, command: &str| {
        format!(
            "cp saves/home.stonerun whole; mount -t tmpfs -o size={size}k none saves; \
             {command} || code=$?; test \"$(ls saves)\" = \"${{left-}}\" || exit 9; exit $code"
        )
    };
    // Too small for the first pages, then too small for the chunks, and finally large enough.
    let new = "\"$STONERUN\" new saves/big --seed 7 --radius 1 >out";
    let mut doings = std::collections::BTreeSet::new();
    for size in (8..2000).step_by(20) {
        let Some(output) = mounted(&place.file(""), &script(size, &format!("code=0; {new}")))
        else {
            return;
        };
        // If a map was left behind, the script fails.
        if std::fs::read_to_string(place.file("out")).is_ok_and(|out| out.contains("chunks of")) {
            break;
        }
        let is_beside =
            text(&output.stderr).contains(": the disk has no room for a file next to it (");
        must_say(
            &output,
            "stonerun: saves/big.stonerun.unfinished: cannot ",
            if is_beside { ")" } else { ": the disk is full" },
        );
        doings.extend(text(&output.stderr).split(": ").nth(2).map(str::to_owned));
    }
    assert!(
        doings.contains("cannot create the map") && doings.contains("cannot save"),
        "{doings:?}"
    );
    // The disk has no room left for the results.
    let fill =
        "cp whole saves/home.stonerun; head -c 10M /dev/zero 2>/dev/null >saves/rest || true;";
    let bake = format!(
        "{fill} \"$STONERUN\" bake saves/home --view 3 || code=$?; rm saves/rest; \"$STONERUN\" verify saves/home >out; exit $code"
    );
    if let Some(output) = mounted(&place.file(""), &script(400, &bake)) {
        must_say(&output, "stonerun: saves/home.stonerun: cannot ", ": the disk is full");
        assert!(std::fs::read_to_string(place.file("out")).unwrap().ends_with(": sound\n"));
    }
    let repair = format!(
        "{fill} printf UUUUUUUUUUUUUUUUUUUU | dd of=saves/home.stonerun bs=1 seek=20 conv=notrunc 2>/dev/null; \
         cp saves/home.stonerun damaged; \"$STONERUN\" verify saves/home --repair || code=$?; \
         cmp saves/home.stonerun damaged || exit 9; rm saves/rest; left=home.stonerun; test $code = 1"
    );
    if let Some(output) = mounted(&place.file(""), &script(400, &repair)) {
        must_say(&output, "stonerun: saves/home.stonerun", ": the disk is full");
    }
}

#[test]
fn read_only_folder_can_be_read() {
    let place = Sandbox::with_home();
    let script = |command: &str| {
        format!(
            "mount --bind saves saves; mount -o remount,bind,ro saves; exec \"$STONERUN\" {command}"
        )
    };
    for (command, begin) in [
        (
            "new saves/other",
            "stonerun: saves/other.stonerun: cannot write to its folder, which an open map needs: ",
        ),
        (
            "bake saves/home",
            "stonerun: saves/home.stonerun: cannot write to its folder, which an open map needs: ",
        ),
        (
            "verify saves/home --repair",
            "stonerun: saves/home.stonerun: cannot write to its folder, which an open map needs: ",
        ),
    ] {
        let Some(output) = mounted(&place.file(""), &script(command)) else { return };
        must_say(&output, begin, "the disk is read-only");
    }
    for command in ["verify saves/home", "info saves/home"] {
        let output = mounted(&place.file(""), &script(command)).unwrap();
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
    }
    assert_eq!(files(&place.file("saves")), ["home.stonerun"]);
}

fn chunk(save: u64) -> Chunk {
    let voxel = |i: u64| Voxel::full(((i * i + save) % 60) as u16);
    Chunk::from_runs((0..8192).map(|i| ((CHUNK_VOLUME / 8192) as u32, voxel(i))))
}

/// Saves until the disk is full, sees the error, frees space and saves the rest.
fn fill(folder: &Path) {
    let path = folder.join("home.stonerun");
    let header = Header::new(1, "void", 0);
    let ballast = folder.join("ballast");
    std::fs::write(&ballast, [1; 200_000]).unwrap();
    let map = MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap();
    let reader = map.reader().unwrap();
    let mut writer = MapWriter::spawn(map, || ()).unwrap();
    let at = |save| ChunkPos::new(save as i32, 0, 0);
    let save = |save: u64| {
        let chunks = vec![(at(save), chunk(save))];
        let header = header.clone();
        let materials = MaterialTable::builtin();
        writer.save(MapChanges::new(chunks, header, materials));
        loop {
            match writer.poll() {
                Some(result) => return result,
                None => std::thread::yield_now(),
            }
        }
    };
    let (full, error) = (1..1000).find_map(|n| save(n).err().map(|error| (n, error))).unwrap();
    let line = format!("{}: cannot save: the disk is full", path.display());
    assert_eq!(error.to_string(), line);
    assert_eq!(save(full + 1).unwrap_err().to_string(), line);
    for n in 1..full {
        assert!(reader.load(at(n)).unwrap() == Some(chunk(n)), "play goes on");
    }
    std::fs::remove_file(ballast).unwrap();
    assert_eq!(save(full + 2).unwrap().chunks_written, 3);
    writer.close().unwrap();
    assert!(verify(&path).unwrap().is_sound());
    let map = MapFile::open(&path).unwrap().map;
    for n in 1..=full + 2 {
        assert!(map.load(at(n)).unwrap() == Some(chunk(n)));
    }
}

#[test]
#[ignore = "started by the other test, on a small disk"]
fn filler() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        fill(Path::new(&folder));
    }
}

#[test]
fn open_map_survives_a_full_disk() {
    let place = Sandbox::new();
    let script = format!(
        "mount -t tmpfs -o size=1500k none saves; {FOLDER}=$PWD/saves exec \"$SELF\" --ignored --exact disks::filler --nocapture"
    );
    if let Some(output) = mounted(&place.file(""), &script) {
        let stdout = text(&output.stdout);
        let stderr = text(&output.stderr);
        assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}{stderr}");
    }
}
