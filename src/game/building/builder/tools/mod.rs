//! The tools, one file each: what clicks and the wheel mean while the tool is in hand.

pub mod brush;
pub mod line;
pub mod paste;
pub mod select;
pub mod shift;
