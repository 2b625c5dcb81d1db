//! Creatures: where bodies can go, and the animals that go there.
//!
//! [`nav`] derives ledges and water volumes from runs and answers "can it get there" with one bit.

pub mod nav;
