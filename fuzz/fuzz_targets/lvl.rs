#![no_main]

stonerun_fuzz::target!("lvl", repacked);
