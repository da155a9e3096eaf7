//! Artifacts written and read, whole and damaged.
//! One program: several would each link what all need.

mod common;
mod reading;
mod writing;
