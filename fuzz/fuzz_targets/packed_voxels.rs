#![no_main]

stonerun_fuzz::target!("packed_voxels");
