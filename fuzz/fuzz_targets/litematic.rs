#![no_main]

stonerun_fuzz::target!("litematic", repacked);
