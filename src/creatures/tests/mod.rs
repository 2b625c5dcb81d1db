//! Creatures in small worlds.
