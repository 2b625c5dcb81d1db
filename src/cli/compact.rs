//! `stonerun compact MAP`: a map's file as small as it gets.

use super::{Outcome, line, map_path, output};
use crate::save::{ChunkCodec, CodecTotals, CompactReport, MapFile, Totals};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Arguments of `compact`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// Print JSON instead of a line
    #[arg(long)]
    json: bool,
}

/// The figures, under the names they have as JSON.
#[derive(Serialize, Debug)]
struct Figures {
    /// Chunks whose records became smaller.
    chunks: u64,
    /// Bytes of all chunks' data, before and after.
    data_bytes: [u64; 2],
    /// Bytes of the file, before and after.
    file_bytes: [u64; 2],
    /// The chunks by codec, as they are now.
    codecs: Vec<ByCodec>,
}

/// The chunks of one codec.
#[derive(Serialize, Debug)]
pub(super) struct ByCodec {
    codec: ChunkCodec,
    #[serde(flatten)]
    totals: CodecTotals,
}

/// The chunks by codec, where there are any.
pub(super) fn by_codec(totals: &Totals) -> Vec<ByCodec> {
    let all = ChunkCodec::ALL.into_iter().zip(totals.codecs);
    all.map(|(codec, totals)| ByCodec { codec, totals }).filter(|c| c.totals.chunks > 0).collect()
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    // To open it for writing would mend it, and what cannot be read is not to be lost by the way.
    if let Some(damage) = MapFile::open_read_only(&path).map_err(line)?.damage {
        return Err(format!("{damage}; `stonerun verify --repair` comes before compacting"));
    }
    let mut map = MapFile::open(&path).map_err(line)?.map;
    let bar = output::progress("Compacting (stop it at any time)", 1000);
    let done = map.compact(&mut |done| {
        bar.set_position((done * 1000.0) as u64);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let done = done.map_err(line)?;
    map.close().map_err(line)?;
    if args.json {
        let CompactReport { chunks, before, after, .. } = done;
        let figures = Figures {
            chunks,
            data_bytes: [before.data_bytes, after.data_bytes],
            file_bytes: [before.file_bytes, after.file_bytes],
            codecs: by_codec(&after),
        };
        return output::print(&serde_json::to_string_pretty(&figures).map_err(line)?);
    }
    output::print(&text(&path, &done))
}

fn text(path: &Path, done: &CompactReport) -> String {
    let number = output::thousands;
    let CompactReport { chunks, before, after, .. } = done;
    let ratio = match before.data_bytes {
        0 => String::new(),
        bytes => format!(" ({:.3})", after.data_bytes as f64 / bytes as f64),
    };
    format!(
        "{}: {} of {} chunks are smaller, {} bytes instead of {}{ratio}; the file has {} instead of {}",
        path.display(),
        number(*chunks),
        number(before.chunks),
        number(after.data_bytes),
        number(before.data_bytes),
        number(after.file_bytes),
        number(before.file_bytes),
    )
}
