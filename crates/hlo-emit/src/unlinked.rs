//! What MLIR could register, and nobody here asks for.
//!
//! melior has one function that registers every dialect and one that registers every pass; MLIR keeps both in one object,
//! and that object needs the passes of all dialects and LLVM's code generators for all processors. A linker takes the whole
//! of it along, because melior's module that holds them is also the one that prints: some 100 MB in every binary, whose
//! constructors run at every start. Defined here, the two names lead nowhere, and nothing of it is linked. We load our few
//! dialects by their handles.

/// In place of MLIR's function of this name.
#[unsafe(no_mangle)]
extern "C" fn mlirRegisterAllDialects() -> ! {
    panic!("not all dialects of MLIR are linked: see crates/hlo-emit/src/unlinked.rs")
}

/// In place of MLIR's function of this name.
#[unsafe(no_mangle)]
extern "C" fn mlirRegisterAllPasses() -> ! {
    panic!("not all passes of MLIR are linked: see crates/hlo-emit/src/unlinked.rs")
}

/// In place of MLIR's function of this name.
#[unsafe(no_mangle)]
extern "C" fn mlirRegisterAllLLVMTranslations() -> ! {
    panic!("no translations of MLIR to LLVM are linked: see crates/hlo-emit/src/unlinked.rs")
}
