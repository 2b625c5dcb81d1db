//! The stored corpus, `tests/corpus/KIND/*`, and changes of it, fed to every decoder and importer.
//!
//! [`fuzzing::feed`] states what must hold. `cargo test` feeds each file and a fixed set of some
//! hundred changes of it. `STONERUN_FUZZ_SECONDS=60 cargo test --release --test limits fuzz_corpus
//! -- --nocapture` continues for a minute per kind with random changes, also of the real files in
//! `STONERUN_DATA`, and prints their number. A failing input is kept in the target folder; once its
//! cause is fixed, add it to the corpus.

use crate::fuzzing::{DECODERS, counting, feed, import_extensions, kinds};
use crate::mutate;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use stonerun_lab::input::Random;

/// Number of changes of a kind's stored files per test run, chosen to take about a second. Files
/// take longer than input that is decoded in memory.
fn changes(kind: &str) -> usize {
    match kind {
        "rle" | "lz4" | "predicted" | "packed_voxels" | "region" | "sets" | "quake"
        | "zero_one" | "seven_bit" | "packed" => 10_000,
        "map" | "mca" | "mcr" => 150,
        "step" => 500,
        _ => 1000,
    }
}

/// Maximum duration of an input, even on a busy machine.
const MAX_TIME: Duration = Duration::from_secs(60);
/// Maximum size of real files that are changed, in bytes. Changes of a larger file take too long.
const MAX_REAL_BYTES: u64 = 1 << 20;

fn corpus(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(kind)
}

/// The files in a folder, sorted by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Real files of a kind; none if the data folder does not exist.
fn real(kind: &str) -> Vec<PathBuf> {
    let data = std::env::var_os("STONERUN_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    let Ok(folders) = std::fs::read_dir(&data) else { return vec![] };
    let folders =
        folders.filter_map(|folder| Some(folder.ok()?.path())).filter(|path| path.is_dir());
    let all = folders.flat_map(|folder| files(&folder));
    let fits = |file: &PathBuf| {
        file.extension().is_some_and(|e| e == kind)
            && file.metadata().is_ok_and(|m| m.len() <= MAX_REAL_BYTES)
    };
    all.filter(fits).collect()
}

fn keep(kind: &str, input: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("failed-{kind}-{:08x}", crc32fast::hash(input)));
    std::fs::write(&path, input).expect("the failing input is written");
    path
}

/// Feeds inputs, and keeps an input that fails.
struct Feeder {
    kind: &'static str,
    fed: u64,
    slowest: Duration,
    /// Channel to the thread that ends the program when an input takes too long.
    watch: Sender<Vec<u8>>,
}

impl Feeder {
    fn new(kind: &'static str) -> Feeder {
        let (watch, inputs) = mpsc::channel::<Vec<u8>>();
        std::thread::spawn(move || {
            let mut last = Vec::new();
            loop {
                match inputs.recv_timeout(MAX_TIME) {
                    Ok(input) => last = input,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        eprintln!(
                            "{kind}: {} takes more than {MAX_TIME:?}",
                            keep(kind, &last).display()
                        );
                        std::process::abort();
                    }
                }
            }
        });
        Feeder { kind, fed: 0, slowest: Duration::ZERO, watch }
    }

    fn feed(&mut self, input: &[u8], origin: &str) {
        self.watch.send(input.to_vec()).expect("the watching thread outlives this sender");
        let start = Instant::now();
        if let Err(reason) = catch_unwind(AssertUnwindSafe(|| feed(self.kind, input))) {
            eprintln!("{}: {} fails ({origin})", self.kind, keep(self.kind, input).display());
            resume_unwind(reason);
        }
        self.slowest = self.slowest.max(start.elapsed());
        self.fed += 1;
    }
}

/// A random change of one of the files.
fn next(random: &mut Random, kind: &str, files: &[Vec<u8>]) -> Vec<u8> {
    let mut any = || &files[(random.draw() >> 8) as usize % files.len()];
    let file = any();
    let other = any();
    mutate::mutated(random, kind, file, other)
}

fn run(kind: &'static str) {
    let _turn = (kind == "map").then(crate::sqlite_turn);
    let start = Instant::now();
    let mut feeder = Feeder::new(kind);
    let mut all = Vec::new();
    for path in files(&corpus(kind)) {
        let file = std::fs::read(&path).unwrap();
        feeder.feed(&file, &path.display().to_string());
        all.push(file);
    }
    assert!(!all.is_empty(), "there is no {kind} in the corpus");
    let mut random = Random::new(1);
    for i in 0..changes(kind) {
        feeder.feed(&next(&mut random, kind, &all), &format!("change {i}"));
    }
    println!(
        "{kind}: {} inputs in {:.1?}, none longer than {:.1?}",
        feeder.fed,
        start.elapsed(),
        feeder.slowest
    );
    if let Some(seconds) = std::env::var_os("STONERUN_FUZZ_SECONDS") {
        let seconds = seconds
            .to_str()
            .and_then(|s| s.parse().ok())
            .expect("STONERUN_FUZZ_SECONDS is a number");
        fuzz_for(feeder, all, Duration::from_secs(seconds));
    }
}

/// Feeds real files, then random changes of all files, until `duration` has passed.
fn fuzz_for(mut feeder: Feeder, mut all: Vec<Vec<u8>>, duration: Duration) {
    let kind = feeder.kind;
    let start = Instant::now();
    feeder.fed = 0;
    feeder.slowest = Duration::ZERO;
    for path in real(kind) {
        let file = std::fs::read(&path).unwrap();
        feeder.feed(&file, &path.display().to_string());
        all.push(file);
    }
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(2, |now| now.as_nanos() as u64);
    let mut random = Random::new(seed);
    while start.elapsed() < duration {
        feeder.feed(&next(&mut random, kind, &all), &format!("seed {seed}"));
    }
    let files = all.len();
    println!(
        "{kind}: of {files} files {} new inputs in {:.0?}, none longer than {:.1?}",
        feeder.fed,
        start.elapsed(),
        feeder.slowest
    );
}

/// Makes one test per decoder, so that they run in parallel.
macro_rules! decoders {
    ($($kind:ident)*) => {
        $(#[test] fn $kind() { run(stringify!($kind)); })*
        const TESTED: &[&str] = &[$(stringify!($kind)),*];
    };
}

decoders!(rle lz4 predicted packed_voxels step region sets quake zero_one seven_bit packed map pvs bsp);

#[test]
fn every_decoder_is_tested() {
    assert_eq!(TESTED, DECODERS);
}

/// Runs the import formats in parallel, as many at a time as there are cores. With
/// `STONERUN_FUZZ_KIND` runs only the named format.
#[test]
fn import_formats() {
    let mut extensions = import_extensions();
    if let Ok(only) = std::env::var("STONERUN_FUZZ_KIND") {
        extensions.retain(|extension| *extension == only);
    }
    let waiting = Mutex::new(extensions);
    let next = || waiting.lock().expect("nothing panics while it holds the lock").pop();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some(extension) = next() {
                    run(extension);
                }
            });
        }
    });
}

#[test]
fn corpus_has_a_folder_for_every_kind_and_no_other() {
    let folders = files(&corpus(""));
    let mut kinds = kinds();
    kinds.sort_unstable();
    assert!(folders.iter().filter_map(|path| path.file_name()?.to_str()).eq(kinds), "{folders:?}");
}

#[test]
fn counter_measures_peak_allocation() {
    let ((), most) = counting::most(|| drop(vec![1u8; 5_000_000]));
    assert!((5_000_000..5_100_000).contains(&most), "{most}");
    assert_eq!(counting::most(|| ()).1, 0);
}
