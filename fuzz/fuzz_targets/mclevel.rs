#![no_main]

stonerun_fuzz::target!("mclevel", repacked);
