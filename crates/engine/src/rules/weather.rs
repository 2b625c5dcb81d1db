//! Weather: what happens to the voxels that the sky sees, by temperature, height and hour.
//!
//! In each step a rule acts on at most one column of voxels of each column of chunks, drawn by the
//! hash of seed, step, rule and place. So its cost does not depend on what the world holds.

use super::active_chunks::{ActiveChunks, Source};
use super::chance;
use super::change::Product;
use super::columns::{self, Column, Columns, TopVoxel};
use super::kinds::KindSet;
use super::patch::{Patch, RuleCount};
use super::phase::Draws;
use crate::voxel::{ChunkPos, chunk_coord, local};
use glam::IVec3;
use std::ops::RangeInclusive;

/// What a rule of the weather does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// The top voxel becomes another material.
    Becomes(Product),
    /// A layer comes to lie on it, or on a layer of the same.
    Lays {
        /// Its material.
        product: Product,
        /// Amount that is added, in 256ths of a voxel.
        amount: u32,
        /// Largest amount of the layer.
        most: u32,
    },
    /// It loses this amount.
    Takes(u32),
}

/// A rule of the weather.
#[derive(Clone, Debug)]
pub(super) struct Weather {
    /// Number of the rule.
    pub rule: usize,
    /// Top voxels on which it acts.
    pub of: KindSet,
    /// Hours of the day between which it acts, 0 to 24; over midnight if the first is larger.
    pub hours: Option<[f32; 2]>,
    /// Temperatures at which it acts.
    pub temperatures: Option<RangeInclusive<f32>>,
    /// Heights at which it acts.
    pub heights: RangeInclusive<i32>,
    /// Turns of a column of chunks: one in this many steps.
    pub every: u64,
    /// What it does.
    pub effect: Effect,
}

/// A voxel after a rule has acted on it.
struct NewVoxel {
    at: IVec3,
    code: Option<u8>,
    amount: u32,
    /// Its kind, which may come into the chunk.
    kind: KindSet,
}

impl Weather {
    /// True if it acts at this hour.
    pub fn is_due(&self, hour: f32) -> bool {
        self.hours.is_none_or(
            |[from, to]| {
                if from <= to { (from..to).contains(&hour) } else { hour >= from || hour < to }
            },
        )
    }

    /// False if it cannot act in a column of chunks at any hour that is due.
    pub fn may_act(&self, column: &Column) -> bool {
        let is_warm = self.temperatures.as_ref().is_none_or(|wanted| {
            let is_near = |there: &RangeInclusive<f32>| there.start() <= wanted.end() && there.end() >= wanted.start();
            column.temperatures.as_ref().is_some_and(is_near)
        });
        is_warm && self.on().meets(column.kinds)
    }

    /// What may lie at the top where it acts.
    fn on(&self) -> KindSet {
        match self.effect {
            Effect::Lays { product, .. } => self.of.union(product.kind),
            _ => self.of,
        }
    }

    /// What becomes of a top voxel.
    fn act(&self, top: TopVoxel) -> Option<NewVoxel> {
        let new = |at, code, amount, kind| Some(NewVoxel { at, code, amount, kind });
        match self.effect {
            Effect::Lays { product, amount, most } if top.kind == product.kind => {
                let sum = (top.amount + amount).min(most);
                if sum > top.amount { new(top.at, None, sum, top.kind) } else { None }
            }
            _ if !self.of.meets(top.kind) => None,
            Effect::Lays { product, amount, most } => {
                new(top.at + IVec3::Y, Some(product.code), amount.min(most), product.kind)
            }
            Effect::Becomes(product) => {
                new(top.at, Some(product.code), if product.is_air { 0 } else { top.amount }, product.kind)
            }
            Effect::Takes(amount) => new(top.at, None, top.amount.saturating_sub(amount), top.kind),
        }
    }
}

/// Lets the weather act in one step. `count` gets what each rule has done.
pub(super) fn step(
    rules: &[Weather],
    hour: f32,
    draws: Draws,
    (columns, chunks): (&mut Columns, &mut ActiveChunks),
    source: Source<'_>,
    mut count: impl FnMut(RuleCount),
) {
    if !rules.is_empty() {
        columns.refresh_some(chunks, source);
    }
    for weather in rules.iter().filter(|weather| weather.is_due(hour)) {
        let hash = chance::draws(draws.seed, draws.step, weather.rule);
        let (mut found, mut idle) = (Vec::new(), Vec::new());
        for (place, column) in columns.iter() {
            let Some([x, z]) = columns::drawn(place, hash, weather.every) else { continue };
            if !weather.may_act(column) {
                continue;
            }
            let temperature = columns.climate().map(|climate| climate.temperature(x, z));
            let is_warm = weather
                .temperatures
                .as_ref()
                .is_none_or(|wanted| temperature.is_some_and(|temperature| wanted.contains(&temperature)));
            let top = column.top(x, z, chunks, source).filter(|top| is_warm && weather.heights.contains(&top.at.y));
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
        // What is gone need not be looked for again.
        idle.into_iter().for_each(|place| columns.refresh(place, chunks, source));
    }
}

/// Puts a voxel into its chunk; false if that is not loaded.
fn put(voxel: &NewVoxel, columns: &mut Columns, chunks: &mut ActiveChunks, source: Source<'_>) -> bool {
    let pos = ChunkPos::new(chunk_coord(voxel.at.x), chunk_coord(voxel.at.y), chunk_coord(voxel.at.z));
    let Some(number) = chunks.number(pos, source) else { return false };
    let kinds = source.kinds;
    let at = local(voxel.at);
    let (block, row) = ((at.y * 4 + at.z / 8) as usize, (at.z % 8) as usize);
    let mut patch = Patch::new(kinds.planes());
    let air = kinds.air_code();
    let chunk = chunks.get_mut(number);
    let before = chunk.planes(kinds).block(block);
    let code = if voxel.amount == 0 { Some(air) } else { voxel.code };
    let deficit = if voxel.amount == 0 { 0 } else { 256 - voxel.amount };
    patch.push(block, before, kinds.planes() + super::planes::DEFICIT_BITS, |plane| {
        let rows = super::view::plane_of(before, plane);
        let bit = match plane.checked_sub(kinds.planes()) {
            Some(bit) => deficit >> bit & 1 == 1,
            None => code.map_or(rows.0[row] >> at.x & 1 == 1, |code| code >> plane & 1 == 1),
        };
        let mut rows = rows;
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
