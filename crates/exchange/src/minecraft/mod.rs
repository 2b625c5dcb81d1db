//! Shared parts of the Minecraft formats: blocks and their voxels, and NBT data.
//!
//! Regions, schematics and early worlds differ in how they pack blocks. The meaning of a block is
//! the same in all of them.
//!
//! | file | content |
//! |---|---|
//! | `block_state` | a block's name and properties |
//! | `palette_entry` | palette entries of every version |
//! | `forms`, `hewn` | shapes of blocks by their states; stairs |
//! | `block_table` | blocks that are built-in materials, and blocks that are air |
//! | `block_names` | block states for export, and names in earlier exports |
//! | `block_versions` | the blocks of Minecraft, and the release each came with |
//! | `substitute`, `substitute_table` | blocks for materials, for export |
//! | `shaped_block` | blocks and states for shapes of blocks, for export |
//! | `state_palette` | the block states of all voxels of an export |
//! | `export_rows`, `joined_sides` | rows of an export, and the sides to which fences and walls join |
//! | `block_mapper` | block states to voxels |
//! | `numeric_ids`, `numeric_id_table`, `numeric_states`, `old_names` | block numbers, data and names before 1.13 |
//! | `numbered_sides` | sides and shapes by number, before 1.13 and in the Bedrock Edition |
//! | `appearance`, `colours`, `colour_tables` | the look of blocks without a built-in material |
//! | `liquid` | surfaces of liquids |
//! | `entities` | counts of entities and of block entities with content |
//! | `nbt_format`, `nbt_check` | NBT tags and errors; a check before deserialisation |
//! | `nbt_stream` | NBT data, read while it is unpacked |
//! | `nbt_writer` | a writer of NBT data |
//! | `nbt_file`, `array_bytes` | a file of NBT data and its arrays, unpacked for each reading |

pub(super) mod appearance;
pub(super) mod array_bytes;
pub(super) mod block_error;
pub(super) mod block_mapper;
pub(super) mod block_names;
pub(super) mod block_state;
mod block_table;
pub(super) mod block_versions;
mod colour_tables;
mod colours;
pub(super) mod entities;
pub(super) mod export_rows;
mod forms;
mod hewn;
pub(super) mod joined_sides;
pub(super) mod liquid;
pub(super) mod nbt_check;
pub(super) mod nbt_file;
pub(super) mod nbt_format;
pub(super) mod nbt_stream;
pub(super) mod nbt_writer;
pub(super) mod numbered_sides;
mod numeric_id_table;
pub(super) mod numeric_ids;
mod numeric_states;
mod old_names;
pub(super) mod palette_entry;
mod shaped_block;
pub(super) mod state_palette;
pub(super) mod substitute;
mod substitute_table;
