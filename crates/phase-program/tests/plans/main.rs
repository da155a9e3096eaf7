//! What the planner makes of graphs: the phases of a small decoder, the memory that they use,
//! and the graphs that it refuses.

mod accesses;
mod decoder;
mod memory;
mod phases;
mod recurrent;
mod refusals;
