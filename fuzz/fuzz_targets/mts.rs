#![no_main]

stonerun_fuzz::target!("mts", repacked);
