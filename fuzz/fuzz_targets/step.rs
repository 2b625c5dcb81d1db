#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stonerun_fuzz::feed("step", bytes));
