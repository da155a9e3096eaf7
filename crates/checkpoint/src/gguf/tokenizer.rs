//! placeholder to be replaced
pub(crate) struct TokenizerFiles;
