#![no_main]

stonerun_fuzz::target!("region");
