//! End-to-end tests; see ARCHITECTURE.md, "Rings of tests".
