#![no_main]

stonerun_fuzz::target!("mcr", repacked);
