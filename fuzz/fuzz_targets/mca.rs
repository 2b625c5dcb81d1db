#![no_main]

stonerun_fuzz::target!("mca", repacked);
