#![no_main]

stonerun_fuzz::target!("seven_bit");
