//! Parameters that stay where they have been loaded when their GPU is opened anew.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tyto_iree_runtime_sys as sys;

use crate::handle::HalBuffer;
use crate::provider::{Asked, Before};
use crate::runtime::RuntimeInner;

/// What has been loaded. Fields drop from top to bottom: memory before its device.
pub(crate) struct Kept {
    buffers: Mutex<HashMap<Asked, HalBuffer>>,
    _runtime: Arc<RuntimeInner>,
}

impl Kept {
    pub(crate) fn new(runtime: Arc<RuntimeInner>) -> Kept {
        Kept { buffers: Mutex::default(), _runtime: runtime }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Asked, HalBuffer>> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Before for Kept {
    fn buffers(
        &self,
        _device: *mut sys::iree_hal_device_t,
        _wanted: sys::iree_hal_buffer_params_t,
        asked: &[Asked],
    ) -> Option<Vec<HalBuffer>> {
        let kept = self.lock();
        asked.iter().map(|asked| kept.get(asked).cloned()).collect()
    }

    fn note(&self, asked: &Asked, buffer: HalBuffer) {
        self.lock().insert(asked.clone(), buffer);
    }
}
