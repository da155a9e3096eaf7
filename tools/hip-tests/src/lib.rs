//! The kernels of `kernels-hip/` on the emulator, against the graph's interpreter: see `tests/`.
