#![no_main]

stonerun_fuzz::target!("cw", repacked);
