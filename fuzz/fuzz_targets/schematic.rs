#![no_main]

stonerun_fuzz::target!("schematic", repacked);
