//! `stonerun compact MAP`: makes a map's file as small as possible.

use super::{Outcome, line, map_path, open_for_writing, output};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stonerun_engine::save::{ChunkCodec, CodecTotals, CompactReport, Totals};

/// Arguments of `compact`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Sizes before and after. Field names appear in the JSON output.
#[derive(Serialize, Debug)]
struct CompactSummary {
    /// Number of chunks whose records became smaller.
    chunks: u64,
    /// Size of the data of all chunks before and after, in bytes.
    data_bytes: [u64; 2],
    /// Size of the file before and after, in bytes.
    file_bytes: [u64; 2],
    /// Number of chunks per codec, after compaction.
    codecs: Vec<CodecChunks>,
}

/// Number of chunks of one codec.
#[derive(Serialize, Debug)]
pub(super) struct CodecChunks {
    codec: ChunkCodec,
    #[serde(flatten)]
    totals: CodecTotals,
}

/// The codecs that have chunks, with their number of chunks.
pub(super) fn chunks_by_codec(totals: &Totals) -> Vec<CodecChunks> {
    let all = ChunkCodec::ALL.into_iter().zip(totals.codecs);
    all.map(|(codec, totals)| CodecChunks { codec, totals })
        .filter(|c| c.totals.chunks > 0)
        .collect()
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    let mut map = open_for_writing(&path, "compacting")?;
    let report = output::with_progress("Compacting (safe to interrupt)", |progress| {
        map.compact(&mut |done| {
            progress(done);
            ControlFlow::Continue(())
        })
    })
    .map_err(line)?;
    map.close().map_err(line)?;
    if args.json {
        let CompactReport { chunks, before, after, .. } = report;
        let summary = CompactSummary {
            chunks,
            data_bytes: [before.data_bytes, after.data_bytes],
            file_bytes: [before.file_bytes, after.file_bytes],
            codecs: chunks_by_codec(&after),
        };
        return output::print_json(&summary);
    }
    output::print(&text(&path, &report))
}

fn text(path: &Path, report: &CompactReport) -> String {
    let number = output::thousands;
    let CompactReport { chunks, before, after, .. } = report;
    let ratio = match before.data_bytes {
        0 => String::new(),
        bytes => format!(" ({:.3})", after.data_bytes as f64 / bytes as f64),
    };
    format!(
        "{}: {} of {} chunks are smaller; chunk data {} bytes, before {}{ratio}; file {} bytes, before {}",
        path.display(),
        number(*chunks),
        number(before.chunks),
        number(after.data_bytes),
        number(before.data_bytes),
        number(after.file_bytes),
        number(before.file_bytes),
    )
}
