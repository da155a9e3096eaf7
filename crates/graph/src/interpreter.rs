//! Slow evaluation.
