#![no_main]

stonerun_fuzz::target!("schem", repacked);
