//! Code objects: reading, loading, and the symbols in them.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use super::agents::{GPU, is_gpu};
use super::runtime::{self, Runtime};
use super::types::Status;
use super::{exports, put, put_text, text};
use crate::device::{Level, LoadError, Loaded, lock};

/// An executable: code objects of an agent.
#[derive(Debug, Default)]
pub struct Executable {
    /// Whether no more can be loaded.
    pub is_frozen: bool,
    /// Its code objects, each with its handle.
    pub loaded: Vec<(u64, Arc<Loaded>)>,
}

/// A symbol of an executable.
#[derive(Debug, Clone)]
pub struct Symbol {
    loaded: Arc<Loaded>,
    name: String,
    address: u64,
    size: u64,
    /// The kernel's number in its code object; none for a variable.
    kernel: Option<usize>,
}

/// The symbol of that name: of a kernel's descriptor, or a variable.
fn find(executable: &Executable, name: &str) -> Option<Symbol> {
    executable.loaded.iter().find_map(|(_, loaded)| {
        let (address, size) = loaded.symbol(name)?;
        let kernels = &loaded.code.module.kernels;
        let kernel = kernels.iter().position(|kernel| kernel.metadata.symbol == name);
        Some(Symbol { loaded: Arc::clone(loaded), name: name.to_owned(), address, size, kernel })
    })
}

/// Tells an attribute of a symbol.
///
/// # Safety
/// `value` has room for the attribute's type, or is null.
unsafe fn tell(symbol: &Symbol, attribute: u32, value: *mut c_void) -> Result<(), Status> {
    let kernel = symbol.kernel.and_then(|index| symbol.loaded.code.module.kernels.get(index));
    // SAFETY: the caller promises the room.
    unsafe {
        match (attribute, kernel) {
            // The kind: a kernel or a variable.
            (0, _) => put(value, u32::from(kernel.is_some())),
            (1, _) => put(value, symbol.name.len() as u32),
            (2, _) => put_text(value, &symbol.name),
            // No module's name; defined, and for the whole program.
            (3, _) => put(value, 0u32),
            (5, _) => put(value, 1u32),
            (17, _) => put(value, 1u8),
            (20, _) => put(value, GPU),
            // A variable: for the agent, in the global segment.
            (6, None) => put(value, 0u32),
            (7, None) => put(value, 0u32),
            (8, None) => put(value, 16u32),
            (9, None) => put(value, symbol.size as u32),
            (10, None) => put(value, 0u8),
            (21, None) => put(value, symbol.address),
            (11, Some(kernel)) => put(value, kernel.metadata.kernarg_size as u32),
            (12, Some(_)) => put(value, 16u32),
            (13, Some(kernel)) => put(value, kernel.descriptor.lds_size),
            (14, Some(kernel)) => put(value, kernel.descriptor.scratch_size),
            (15, Some(_)) => put(value, 0u8),
            (18, Some(_)) => put(value, 0u32),
            (22, Some(_)) => put(value, symbol.address),
            _ => Err(Status::INVALID_ARGUMENT),
        }
    }
}

fn load(runtime: &Runtime, executable: u64, reader: u64) -> Result<u64, Status> {
    let file = lock(&runtime.readers).get(&reader).cloned();
    let file = file.ok_or(Status::INVALID_CODE_OBJECT_READER)?;
    let mut executables = lock(&runtime.executables);
    let executable = executables.get_mut(&executable).ok_or(Status::INVALID_EXECUTABLE)?;
    if executable.is_frozen {
        return Err(Status::FROZEN_EXECUTABLE);
    }
    let loaded = runtime.device.load(&file).map_err(|error| {
        runtime.device.log.write(Level::Errors, || format!("code object: {error}"));
        match error {
            LoadError::Object(_) => Status::INVALID_CODE_OBJECT,
            LoadError::Memory(error) => error.into(),
        }
    })?;
    for (_, text, reason) in loaded.code.unknown() {
        let message = || format!("code object has `{text}`, which cannot be run: {reason}");
        runtime.device.log.write(Level::Packets, message);
    }
    let handle = runtime.handle();
    executable.loaded.push((handle, loaded));
    Ok(handle)
}

exports! {
    /// Takes a code object that lies in memory. It is copied.
    fn hsa_code_object_reader_create_from_memory(bytes: *const c_void, size: usize, reader: *mut u64) {
        let runtime = runtime::current()?;
        if bytes.is_null() || size == 0 || reader.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: it is not null, and the caller promises the bytes.
        let file = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), size) }.to_vec();
        let handle = runtime.handle();
        lock(&runtime.readers).insert(handle, file);
        // SAFETY: the caller's place has room for a handle.
        unsafe { put(reader.cast(), handle) }
    }

    /// Lets go of a code object that was given for reading.
    fn hsa_code_object_reader_destroy(reader: u64) {
        let runtime = runtime::current()?;
        let removed = lock(&runtime.readers).remove(&reader);
        removed.map(|_| ()).ok_or(Status::INVALID_CODE_OBJECT_READER)
    }

    /// Makes an executable.
    fn hsa_executable_create_alt(_profile: u32, _rounding: u32, _options: *const c_char, executable: *mut u64) {
        let runtime = runtime::current()?;
        let handle = runtime.handle();
        lock(&runtime.executables).insert(handle, Executable::default());
        // SAFETY: the caller's place has room for a handle.
        unsafe { put(executable.cast(), handle) }
    }

    /// Ends an executable with its code objects.
    fn hsa_executable_destroy(executable: u64) {
        let runtime = runtime::current()?;
        let removed = lock(&runtime.executables).remove(&executable);
        let removed = removed.ok_or(Status::INVALID_EXECUTABLE)?;
        for (_, loaded) in removed.loaded {
            lock(&runtime.symbols).retain(|_, symbol| !Arc::ptr_eq(&symbol.loaded, &loaded));
            runtime.device.codes.unload(&loaded, &runtime.device)?;
        }
        Ok(())
    }

    /// Loads a code object for the device.
    fn hsa_executable_load_agent_code_object(
        executable: u64,
        agent: u64,
        reader: u64,
        _options: *const c_char,
        loaded: *mut u64,
    ) {
        let runtime = runtime::current()?;
        if !is_gpu(agent)? {
            return Err(Status::INVALID_AGENT);
        }
        let handle = load(&runtime, executable, reader)?;
        if loaded.is_null() {
            return Ok(());
        }
        // SAFETY: it is not null, and the caller's place has room for a handle.
        unsafe { put(loaded.cast(), handle) }
    }

    /// Ends loading.
    fn hsa_executable_freeze(executable: u64, _options: *const c_char) {
        let runtime = runtime::current()?;
        let mut executables = lock(&runtime.executables);
        let executable = executables.get_mut(&executable).ok_or(Status::INVALID_EXECUTABLE)?;
        if executable.is_frozen {
            return Err(Status::FROZEN_EXECUTABLE);
        }
        executable.is_frozen = true;
        Ok(())
    }

    /// Says that an executable is in order: what is not was refused when it was loaded.
    fn hsa_executable_validate_alt(executable: u64, _options: *const c_char, result: *mut u32) {
        let runtime = runtime::current()?;
        if !lock(&runtime.executables).contains_key(&executable) {
            return Err(Status::INVALID_EXECUTABLE);
        }
        // SAFETY: the caller's place has room for the result.
        unsafe { put(result.cast(), 0u32) }
    }

    /// Finds a symbol by its name.
    fn hsa_executable_get_symbol_by_name(
        executable: u64,
        name: *const c_char,
        _agent: *const u64,
        symbol: *mut u64,
    ) {
        let runtime = runtime::current()?;
        // SAFETY: the caller's name has an end.
        let name = unsafe { text(name)? };
        let executables = lock(&runtime.executables);
        let executable = executables.get(&executable).ok_or(Status::INVALID_EXECUTABLE)?;
        let found = find(executable, &name).ok_or(Status::INVALID_SYMBOL_NAME)?;
        let handle = runtime.handle();
        lock(&runtime.symbols).insert(handle, found);
        // SAFETY: the caller's place has room for a handle.
        unsafe { put(symbol.cast(), handle) }
    }

    /// Tells an attribute of a symbol.
    fn hsa_executable_symbol_get_info(symbol: u64, attribute: u32, value: *mut c_void) {
        let runtime = runtime::current()?;
        let symbol = lock(&runtime.symbols).get(&symbol).cloned();
        let symbol = symbol.ok_or(Status::INVALID_EXECUTABLE_SYMBOL)?;
        // SAFETY: the caller's place has room for the attribute's type, as HSA says.
        unsafe { tell(&symbol, attribute, value) }
    }
}
