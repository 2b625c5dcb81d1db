#![no_main]

stonerun_fuzz::target!("r16");
