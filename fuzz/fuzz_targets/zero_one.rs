#![no_main]

stonerun_fuzz::target!("zero_one");
