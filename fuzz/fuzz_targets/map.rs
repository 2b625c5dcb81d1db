#![no_main]

stonerun_fuzz::target!("map", repacked);
