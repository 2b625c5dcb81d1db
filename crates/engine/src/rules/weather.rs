//! Weather: changes of top voxels by temperature, height and hour.
//!
//! In each step a rule acts on at most one column of voxels per column of chunks, drawn by the hash
//! of seed, step, rule and place. So its cost does not depend on the contents of the world. Wet
//! voxels have no weather: layers that grow would push their water out.

use super::active_chunks::{ActiveChunks, ChunkSource};
use super::amounts::DEFICIT_BITS;
use super::chance;
use super::columns::{self, Column, Columns, TopVoxel};
use super::kinds::RuleKindSet;
use super::patch::{PhasePatch, RuleCount};
use super::phase::Draws;
use super::product::Product;
use super::view::plane_of;
use crate::voxel::{ChunkPos, chunk_coord, local};
use glam::IVec3;
use std::ops::RangeInclusive;

/// Effect of a rule of the weather.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// The top voxel becomes another material.
    Becomes(Product),
    /// A layer is added on top, or a layer of the same material grows.
    Lays {
        /// Material of the layer.
        product: Product,
        /// Amount that is added to the layer, in 256ths of a voxel.
        amount: u32,
        /// Maximum amount of the layer, in 256ths of a voxel.
        most: u32,
    },
    /// The top voxel loses an amount.
    Takes(u32),
}

/// A rule of the weather.
#[derive(Clone, Debug)]
pub(super) struct Weather {
    /// Number of the rule.
    pub rule: usize,
    /// Kinds of top voxels on which the rule acts.
    pub of: RuleKindSet,
    /// Hours of the day between which the rule acts, 0 to 24; over midnight if the first is larger.
    pub hours: Option<[f32; 2]>,
    /// Temperatures at which the rule acts.
    pub temperatures: Option<RangeInclusive<f32>>,
    /// Heights at which the rule acts.
    pub heights: RangeInclusive<i32>,
    /// Steps from one turn of a column of chunks to the next, on average.
    pub every: u64,
    /// Effect on the top voxel.
    pub effect: Effect,
}

/// A voxel after a rule has acted on it.
struct NewVoxel {
    at: IVec3,
    /// Code of the voxel's new kind; `None` if the kind stays.
    code: Option<u8>,
    amount: u32,
    /// Kind of the voxel, which may be new in the chunk.
    kind: RuleKindSet,
}

impl Weather {
    /// True if the rule acts at this hour.
    pub fn is_due(&self, hour: f32) -> bool {
        self.hours.is_none_or(|[from, to]| {
            if from <= to { (from..to).contains(&hour) } else { hour >= from || hour < to }
        })
    }

    /// False if the rule cannot act in a column of chunks at any hour that is due.
    pub(crate) fn may_act(&self, column: &Column) -> bool {
        let is_warm = self.temperatures.as_ref().is_none_or(|wanted| {
            let is_near = |there: &RangeInclusive<f32>| {
                there.start() <= wanted.end() && there.end() >= wanted.start()
            };
            column.temperatures.as_ref().is_some_and(is_near)
        });
        is_warm && self.on().meets(column.kinds)
    }

    /// Kinds of top voxels that the rule may change or cover.
    fn on(&self) -> RuleKindSet {
        match self.effect {
            Effect::Lays { product, .. } => self.of.union(product.kind),
            _ => self.of,
        }
    }

    /// The voxel that results from a top voxel; `None` if nothing changes.
    fn act(&self, top: TopVoxel) -> Option<NewVoxel> {
        match self.effect {
            Effect::Lays { product, amount, most } if top.kind == product.kind => {
                let sum = (top.amount + amount).min(most);
                (sum > top.amount).then_some(NewVoxel {
                    at: top.at,
                    code: None,
                    amount: sum,
                    kind: top.kind,
                })
            }
            _ if !self.of.meets(top.kind) => None,
            Effect::Lays { product, amount, most } => Some(NewVoxel {
                at: top.at + IVec3::Y,
                code: Some(product.code),
                amount: amount.min(most),
                kind: product.kind,
            }),
            Effect::Becomes(product) => Some(NewVoxel {
                at: top.at,
                code: Some(product.code),
                amount: if product.is_air { 0 } else { top.amount },
                kind: product.kind,
            }),
            Effect::Takes(amount) => Some(NewVoxel {
                at: top.at,
                code: None,
                amount: top.amount.saturating_sub(amount),
                kind: top.kind,
            }),
        }
    }
}

/// The parts of a world that the weather reads and changes.
pub(super) struct WeatherPlaces<'a> {
    /// The columns of loaded chunks.
    pub columns: &'a mut Columns,
    /// The active chunks, to which changed chunks are added.
    pub chunks: &'a mut ActiveChunks,
    /// The loaded chunks and the rules.
    pub source: ChunkSource<'a>,
}

/// Applies the weather of one step. Calls `count` with the effects of each rule.
pub(super) fn step(
    rules: &[Weather],
    hour: f32,
    draws: Draws,
    places: WeatherPlaces<'_>,
    mut count: impl FnMut(RuleCount),
) {
    let WeatherPlaces { columns, chunks, source } = places;
    if !rules.is_empty() {
        columns.refresh_some(chunks, source);
    }
    for weather in rules.iter().filter(|weather| weather.is_due(hour)) {
        let hash = chance::draws(draws.seed, draws.step, weather.rule);
        let mut found = Vec::new();
        let mut idle = Vec::new();
        for (place, column) in columns.iter() {
            let Some([x, z]) = columns::drawn(place, hash, weather.every) else { continue };
            if !weather.may_act(column) {
                continue;
            }
            let temperature = columns.climate().map(|climate| climate.temperature(x, z));
            let is_warm = weather.temperatures.as_ref().is_none_or(|wanted| {
                temperature.is_some_and(|temperature| wanted.contains(&temperature))
            });
            let top = column
                .top(x, z, chunks, source)
                .filter(|top| is_warm && !top.is_wet && weather.heights.contains(&top.at.y));
            match top.and_then(|top| weather.act(top)) {
                Some(voxel) => found.push(voxel),
                None => idle.push(place),
            }
        }
        for voxel in &found {
            if put(voxel, columns, chunks, source) {
                count(RuleCount { rule: weather.rule, voxels: 1, amount: 0 });
            }
        }
        // Refreshed columns that have lost the rule's kinds are skipped until such kinds return.
        for place in idle {
            columns.refresh(place, chunks, source);
        }
    }
}

/// Puts a voxel into its chunk. False if the chunk is not loaded, or the voxel is the same as
/// before.
fn put(
    voxel: &NewVoxel,
    columns: &mut Columns,
    chunks: &mut ActiveChunks,
    source: ChunkSource<'_>,
) -> bool {
    let pos =
        ChunkPos::new(chunk_coord(voxel.at.x), chunk_coord(voxel.at.y), chunk_coord(voxel.at.z));
    let Some(number) = chunks.number(pos, source) else { return false };
    let kinds = source.kinds;
    let at = local(voxel.at);
    let block = (at.y * 4 + at.z / 8) as usize;
    let row = (at.z % 8) as usize;
    let mut patch = PhasePatch::new(kinds.planes());
    let air = kinds.air_code();
    let chunk = chunks.get_mut(number);
    let before = chunk.planes(kinds).block(block);
    let code = if voxel.amount == 0 { Some(air) } else { voxel.code };
    let deficit = if voxel.amount == 0 { 0 } else { 256 - voxel.amount };
    let count = before.len().max(kinds.planes() + DEFICIT_BITS);
    patch.push(block, before, count, |plane| {
        let mut rows = plane_of(before, plane);
        let bit = match plane.checked_sub(kinds.planes()) {
            // The voxel is dry, so its bits after the deficit are 0.
            Some(bit) => deficit >> bit & 1 == 1,
            None => code.map_or(rows.0[row] >> at.x & 1 == 1, |code| code >> plane & 1 == 1),
        };
        rows.0[row] = rows.0[row] & !(1 << at.x) | u32::from(bit) << at.x;
        rows
    });
    if patch.changed.blocks == 0 {
        return false;
    }
    let brings = voxel.kind.union(kinds.set_of(crate::voxel::Voxel::AIR));
    chunk.kinds = chunk.kinds.union(brings);
    columns.add(pos, brings);
    chunks.apply(number, &patch, source);
    chunks.wake_around(pos, &patch.changed, source);
    true
}
