//! The fuzz target for all kinds of input. `STONERUN_FUZZ_KIND` names the kind.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use stonerun_fuzz::{feed, kind, mutate};

fuzz_target!(|bytes: &[u8]| feed(kind(), bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(kind(), data, size, max_size, seed)
});
