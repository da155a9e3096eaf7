//! Modules: code objects in memory.

use std::ffi::c_void;
use std::sync::Arc;

use crate::device::Level;
use crate::hip::error::Error;
use crate::hip::image;
use crate::hip::kernel::Function;
use crate::hip::memory::heap_error;
use crate::hip::pointer::{Out, Text};
use crate::hip::runtime::Runtime;
use crate::hip::table::Handle;

fn load(runtime: &Runtime, module: Out<Handle>, file: &[u8]) -> Result<(), Error> {
    let loaded = runtime.device.load(file).map_err(|error| {
        runtime.device.log.write(Level::Errors, || error.to_string());
        match error {
            crate::device::LoadError::Memory(error) => heap_error(&error),
            crate::device::LoadError::Object(_) => Error::InvalidImage,
        }
    })?;
    module.set(runtime.modules.insert(Arc::new(loaded)))
}

/// # Safety
/// A whole code object or bundle is there.
unsafe fn load_data(
    runtime: &Runtime,
    module: Out<Handle>,
    address: *const c_void,
) -> Result<(), Error> {
    runtime.check()?;
    module.check()?;
    // SAFETY: the caller promises it.
    let file = unsafe { image::code_object(address, &runtime.device.config.gfx)? };
    load(runtime, module, &file)
}

exports! {
    /// Loads a code object, or the device's one of a bundle.
    fn hipModuleLoadData(runtime, module: Out<Handle>, address: *const c_void) {
        // SAFETY: the caller promises a whole file.
        unsafe { load_data(runtime, module, address) }
    }

    /// The same: options of a compiler say nothing of code that is compiled.
    fn hipModuleLoadDataEx(
        runtime,
        module: Out<Handle>,
        address: *const c_void,
        option_count: u32,
        options: *const c_void,
        values: *const c_void,
    ) {
        // SAFETY: the caller promises a whole file.
        unsafe { load_data(runtime, module, address) }
    }

    /// Loads a file.
    fn hipModuleLoad(runtime, module: Out<Handle>, path: Text) {
        runtime.check()?;
        module.check()?;
        let file = std::fs::read(path.get()?).map_err(|_| Error::FileNotFound)?;
        load(runtime, module, &image::code_object_of_file(&file, &runtime.device.config.gfx)?)
    }

    /// Ends a module, after all work, and its functions with it.
    fn hipModuleUnload(runtime, module: Handle) {
        let loaded = runtime.modules.remove(module)?;
        runtime.functions.remove_all(|function| Arc::ptr_eq(&function.loaded, &loaded));
        let _ = runtime.synchronize_all();
        runtime.device.codes.unload(&loaded, &runtime.device).map_err(|error| heap_error(&error))
    }

    /// A kernel by its name.
    fn hipModuleGetFunction(runtime, function: Out<Handle>, module: Handle, name: Text) {
        function.check()?;
        let loaded = runtime.modules.get(module)?;
        let found = Function::named(&loaded, &name.get()?).ok_or(Error::NotFound)?;
        function.set(runtime.functions.insert(Arc::new(found)))
    }

    /// A variable by its name: address and bytes, either of which may be left out.
    fn hipModuleGetGlobal(runtime, address: Out<u64>, bytes: Out<usize>, module: Handle, name: Text) {
        let loaded = runtime.modules.get(module)?;
        let (found, size) = loaded.symbol(&name.get()?).ok_or(Error::NotFound)?;
        if !address.is_null() {
            address.set(found)?;
        }
        if bytes.is_null() { Ok(()) } else { bytes.set(size as usize) }
    }
}
