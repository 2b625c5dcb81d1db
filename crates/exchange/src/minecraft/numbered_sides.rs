//! Sides and shapes of blocks by the numbers that Minecraft before 1.13 and the Bedrock Edition give
//! them.

/// Directions of most blocks with six.
pub(crate) const DIRECTIONS: [&str; 6] = ["down", "up", "north", "south", "west", "east"];
/// Sides of chests, ladders and signs on walls, from number 2 on.
pub(crate) const SIDES: [&str; 4] = ["north", "south", "west", "east"];
/// Sides of most blocks with four, such as beds and gates.
pub(crate) const FROM_SOUTH: [&str; 4] = ["south", "west", "north", "east"];
/// Sides of doors.
pub(crate) const FROM_EAST: [&str; 4] = ["east", "south", "west", "north"];
/// Sides to which stairs rise.
pub(crate) const STAIRS: [&str; 4] = ["east", "west", "south", "north"];
/// Sides that trapdoors face.
pub(crate) const TRAPDOORS: [&str; 4] = ["north", "south", "west", "east"];
/// Shapes of rails.
pub(crate) const RAILS: [&str; 10] = [
    "north_south",
    "east_west",
    "ascending_east",
    "ascending_west",
    "ascending_north",
    "ascending_south",
    "south_east",
    "south_west",
    "north_west",
    "north_east",
];
