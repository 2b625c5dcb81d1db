#![no_main]

stonerun_fuzz::target!("png", repacked);
