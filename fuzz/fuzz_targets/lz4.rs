#![no_main]

stonerun_fuzz::target!("lz4", repacked);
