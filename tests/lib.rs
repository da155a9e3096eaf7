//! What the tests of the whole workspace share.

pub mod markdown;
pub mod workspace;
