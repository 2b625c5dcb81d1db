//! Position of a TIFF's cells on the Earth: the order of rows and columns, the width of a cell, and
//! the unit of heights.
//!
//! ```text
//! 274    orientation of a picture, used if no position is stated
//! 33550  width, height of a cell; rows run from north to south
//! 34264  4 x 4 matrix that converts column and row to east and north
//! 34735  GeoKeyDirectory: entries of four numbers: key, location, number of values, value
//! ```

use super::tiff_directory::TiffDirectory;
use super::tiff_file::TiffFile;
use super::turn::Turn;

/// Length of a degree along a meridian, in metres.
const METRES_PER_DEGREE: f64 = 111_320.0;
const METRES_PER_FOOT: f64 = 0.3048;
const METRES_PER_SURVEY_FOOT: f64 = 1200.0 / 3937.0;

/// Angle between rows and east up to which a map counts as upright, in degrees. In a map of a
/// thousand columns it shifts a row by two cells.
const MAX_SKEW_DEGREES: f64 = 0.1;

// Keys of tag 34735 (GeoKeyDirectory), as in the GeoTIFF standard.
const MODEL_TYPE: u64 = 1024;
const ANGULAR_UNIT: u64 = 2054;
const LINEAR_UNIT: u64 = 3076;
const VERTICAL_SYSTEM: u64 = 4096;
const VERTICAL_UNIT: u64 = 4099;

/// Position and scale of a picture on the Earth.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Georeference {
    pub(super) turn: Turn,
    /// Width of a cell, if known.
    pub(super) cell_metres: Option<f32>,
    /// Metres per unit of height.
    pub(super) metres_per_unit: f64,
    /// Statements of the file that are not applied, one line each.
    pub(super) warnings: Vec<String>,
}

/// Change of east and north per column and per row.
#[derive(Clone, Copy, Debug)]
struct Axes {
    column: [f64; 2],
    row: [f64; 2],
}

impl Georeference {
    /// Reads the position. `unit` is the name of the unit of heights, if the metadata states one.
    pub(super) fn read(
        file: &TiffFile,
        directory: &TiffDirectory,
        unit: Option<&str>,
    ) -> Georeference {
        let mut warnings = vec![];
        let keys = GeoKeys { file, directory };
        let metres_per_unit = keys.metres_of_height(unit, &mut warnings);
        let axes = axes(file, directory, &mut warnings);
        let orientation = directory.number(file, 274).unwrap_or(1);
        let turn = match axes {
            Some(axes) => {
                if orientation != 1 {
                    warnings
                        .push(format!("its orientation (tag 274) of {orientation} is not followed; its position is"));
                }
                axes.turn(&mut warnings)
            }
            None => Turn::from_orientation(orientation).unwrap_or_else(|| {
                warnings.push(format!(
                    "its orientation (tag 274) of {orientation} is unknown and not followed"
                ));
                Turn::default()
            }),
        };
        let cell_units = axes.map(|axes| axes.column[0].hypot(axes.column[1]));
        let metres = cell_units.and_then(|units| Some(units * keys.metres_of_width()?));
        let cell_metres =
            metres.filter(|metres| metres.is_finite() && *metres > 0.0).map(|metres| metres as f32);
        Georeference { turn, cell_metres, metres_per_unit, warnings }
    }
}

/// The axes of the picture, if the file states them.
fn axes(file: &TiffFile, directory: &TiffDirectory, warnings: &mut Vec<String>) -> Option<Axes> {
    let reals =
        |tag: u64, index: usize| directory.find(tag).and_then(|entry| entry.real(file, index));
    let scale = [0, 1, 2].map(|index| reals(33550, index).unwrap_or_default());
    if ![0.0, 1.0].contains(&scale[2]) {
        warnings.push(format!("its vertical scale (tag 33550) of {} is not applied", scale[2]));
    }
    let is_usable = |axes: &Axes| {
        let [[a, e], [b, f]] = [axes.column, axes.row];
        let area = a * f - b * e;
        area.is_finite() && area != 0.0
    };
    let scaled = Axes { column: [scale[0], 0.0], row: [0.0, -scale[1]] };
    if is_usable(&scaled) {
        if scale[1] < 0.0 {
            warnings
                .push("its cells have a negative height (tag 33550): its first row is taken for the south".to_owned());
        }
        return Some(scaled);
    }
    let number = |index: usize| reals(34264, index).unwrap_or_default();
    let matrix = Axes { column: [number(0), number(4)], row: [number(1), number(5)] };
    if is_usable(&matrix) {
        return Some(matrix);
    }
    let is_located = |tag: u64| directory.find(tag).is_some_and(|entry| entry.count > 6);
    if directory.find(34264).is_some() || is_located(33922) || directory.find(33920).is_some() {
        warnings.push(
            "its position is not stated by scale or matrix; north is taken to be up".to_owned(),
        );
    }
    None
}

impl Axes {
    /// The nearest turn by a multiple of 90 degrees.
    fn turn(self, warnings: &mut Vec<String>) -> Turn {
        let [[column_east, column_north], [row_east, row_north]] = [self.column, self.row];
        let is_transposed =
            column_north.abs() * row_east.abs() > column_east.abs() * row_north.abs();
        let across = if is_transposed { row_east } else { column_east };
        let along = if is_transposed { column_north } else { row_north };
        let turn = Turn { is_transposed, flips_columns: across < 0.0, flips_rows: along > 0.0 };
        let skews = if is_transposed {
            [column_east.atan2(column_north.abs()), row_north.atan2(row_east.abs())]
        } else {
            [column_north.atan2(column_east.abs()), row_east.atan2(row_north.abs())]
        };
        let degrees = skews.map(|skew| skew.abs().to_degrees());
        if degrees.iter().any(|degrees| *degrees > MAX_SKEW_DEGREES) {
            warnings.push(format!(
                "its rows and columns are {:.1} and {:.1} degrees off east and north (tag 34264); it is turned by quarters only",
                degrees[0], degrees[1]
            ));
        }
        turn
    }
}

/// Access to the keys of tag 34735 (GeoKeyDirectory).
#[derive(Clone, Copy)]
struct GeoKeys<'a> {
    file: &'a TiffFile<'a>,
    directory: &'a TiffDirectory,
}

impl GeoKeys<'_> {
    /// The number of a key, if the key exists and holds the number itself.
    fn find(self, key: u64) -> Option<u64> {
        let entry = self.directory.find(34735)?;
        let number = |index: usize| entry.number(self.file, index).ok();
        // The first four numbers are a header.
        let keys = (4..entry.count as usize).step_by(4);
        let mut found = keys.filter(|at| number(*at) == Some(key) && number(at + 1) == Some(0));
        found.next().and_then(|at| number(at + 3))
    }

    /// Metres per unit of a cell's width; `None` for an unknown unit.
    fn metres_of_width(self) -> Option<f64> {
        const GEOGRAPHIC: u64 = 2;
        if self.find(MODEL_TYPE) == Some(GEOGRAPHIC) {
            return match self.find(ANGULAR_UNIT) {
                None | Some(9102 | 9122) => Some(METRES_PER_DEGREE),
                Some(9101) => Some(METRES_PER_DEGREE * 1f64.to_degrees()),
                Some(_) => None,
            };
        }
        self.find(LINEAR_UNIT).map_or(Some(1.0), metres_of_epsg)
    }

    /// Metres per unit of height. An unknown unit counts as metres, with a warning.
    fn metres_of_height(self, unit: Option<&str>, warnings: &mut Vec<String>) -> f64 {
        let (name, metres) = if let Some(unit) = unit {
            (format!("\"{}\"", crate::bounded_read::short_reason(unit)), metres_of_name(unit))
        } else if let Some(code) = self.find(VERTICAL_UNIT).filter(|code| *code != 0) {
            (format!("of number {code} (key {VERTICAL_UNIT})"), metres_of_epsg(code))
        } else {
            return match self.find(VERTICAL_SYSTEM) {
                // NGVD29 and NAVD88 in US survey feet; NAVD88 in international feet.
                Some(5702 | 6360) => METRES_PER_SURVEY_FOOT,
                Some(8228) => METRES_PER_FOOT,
                _ => 1.0,
            };
        };
        metres.unwrap_or_else(|| {
            warnings.push(format!(
                "its unit of height {name} is unknown; heights are taken to be in metres"
            ));
            1.0
        })
    }
}

/// Metres per unit of length, by the unit's name.
fn metres_of_name(name: &str) -> Option<f64> {
    match name.trim().to_ascii_lowercase().as_str() {
        "m" | "metre" | "metres" | "meter" | "meters" => Some(1.0),
        "ft" | "foot" | "feet" | "international foot" => Some(METRES_PER_FOOT),
        "us_ft" | "us-ft" | "ft_us" | "ftus" | "us survey foot" | "foot_us" => {
            Some(METRES_PER_SURVEY_FOOT)
        }
        "cm" | "centimetre" | "centimeter" => Some(0.01),
        "mm" | "millimetre" | "millimeter" => Some(0.001),
        "dm" | "decimetre" | "decimeter" => Some(0.1),
        "km" | "kilometre" | "kilometer" => Some(1000.0),
        _ => None,
    }
}

/// Metres per unit of length, by the unit's EPSG code.
fn metres_of_epsg(code: u64) -> Option<f64> {
    match code {
        9001 => Some(1.0),
        9002 => Some(METRES_PER_FOOT),
        9003 => Some(METRES_PER_SURVEY_FOOT),
        9036 => Some(1000.0),
        1025 => Some(0.001),
        1033 => Some(0.01),
        _ => None,
    }
}
