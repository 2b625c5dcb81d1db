//! Terrain from heightmaps: grey pictures (`.png`), raw heights (`.r16`), SRTM tiles (`.hgt`) and
//! GeoTIFF (`.tif`).
//!
//! One cell of heights becomes one column of blocks, row 0 to the north unless the file says
//! otherwise. The only option is the number of metres of height per block ([`HeightmapOptions`]).
//! The default is the smallest whole number that keeps the terrain within [`DEFAULT_MAX_HEIGHT`]
//! blocks. Terrain of 90 m cells is therefore as many blocks wide as it has cells, and exaggerated
//! in height: in true proportions Aconcagua would be 74 blocks high.
//!
//! If heights are signed and some are 0 or less, y = 0 is sea level, and water fills everything
//! below it. Deserts below sea level are flooded too, because nothing in such a file tells them
//! from sea. Otherwise y = 0 is [`BOTTOM`] blocks below the lowest height. The ground always
//! reaches [`BOTTOM`] blocks below the lowest height.
//!
//! Cells without a height are filled from their neighbours, and a warning counts them. Files mark
//! such cells by a value, declared or not, by a mask, by transparency, or by leaving out a strip or
//! tile. A statement of the file that is not applied leads to a warning, or to a refusal where the
//! heights would be wrong.

mod columns;
mod gdal_metadata;
mod georeference;
mod geotiff;
mod grey;
mod grid;
mod hgt;
mod options;
mod packed_values;
mod png;
mod raw;
mod read;
mod sidecars;
mod terrain;
mod tiff_cells;
mod tiff_directory;
mod tiff_file;
mod tiff_pictures;
mod turn;
mod undeclared_voids;

pub use options::{
    BOTTOM, DEFAULT_MAX_HEIGHT, HeightmapOptions, METRES_PER_BLOCK, MetresPerBlockError,
    parse_metres_per_block,
};

pub(super) use geotiff::read as read_geotiff;
pub(super) use hgt::read as read_hgt;
pub(super) use png::read as read_png;
pub(super) use raw::read as read_raw;
pub(super) use read::{HeightReader, import_bytes, warn_of_sidecars};

#[cfg(test)]
mod tests;
