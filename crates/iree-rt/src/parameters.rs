//! Named weights inside mapped files.

use std::collections::HashSet;
use std::ffi::c_void;
use std::ptr::null_mut;

use tyto_iree_runtime_sys as sys;

use crate::handle::{FileHandle, ParameterIndex, ParameterProvider};
use crate::in_place::{InPlace, Refusal};
use crate::kept::Kept;
use crate::provider::provider;
use crate::status::{check, host_allocator, view};
use crate::{Error, MappedFile, Runtime};

/// Offsets of parameters are multiples of this, so that they can be used where they are.
pub const PARAMETER_ALIGNMENT: u64 = 64;

/// Operations that loading may have in flight.
const CONCURRENT_LOADS: usize = 16;

/// One parameter: a name and where its bytes are.
#[derive(Debug, Clone)]
pub struct ParameterEntry {
    /// Its name in the scope, as the program spells it.
    pub name: String,
    /// The file.
    pub file: MappedFile,
    /// First byte in the file; a multiple of [`PARAMETER_ALIGNMENT`].
    pub offset: u64,
    /// Number of bytes; at least what the program's type needs.
    pub length: u64,
}

/// A scope of named parameters. Programs loaded with it use the mapped bytes where they are,
/// with no copy on the CPU, and keep the files mapped. Clones are the same scope.
#[derive(Debug, Clone)]
pub struct Parameters {
    pub(crate) provider: ParameterProvider,
    scope: String,
    refusal: Refusal,
}

impl Parameters {
    /// A scope, spelled in programs as `#flow.parameter.named<"scope"::"name">`.
    pub fn new(
        scope: &str,
        entries: impl IntoIterator<Item = ParameterEntry>,
    ) -> Result<Parameters, Error> {
        Self::limited(scope, entries, None)
    }

    /// The same, with no more than `max_inflight` bytes on their way to a device at a time, as far
    /// as whole parameters allow.
    pub fn limited(
        scope: &str,
        entries: impl IntoIterator<Item = ParameterEntry>,
        max_inflight: Option<u64>,
    ) -> Result<Parameters, Error> {
        let mut raw = null_mut();
        // SAFETY: the pointer is to a local.
        let status = unsafe { sys::iree_io_parameter_index_create(host_allocator(), &mut raw) };
        check(status, || format!("creating parameter scope {scope}"))?;
        let index = ParameterIndex::from_raw(raw);
        let entries: Vec<ParameterEntry> = entries.into_iter().collect();
        let mut names = HashSet::new();
        let mut largest = 1;
        for entry in &entries {
            largest = largest.max(entry.length);
            if !names.insert(&entry.name) {
                let name = entry.name.clone();
                return Err(Error::DuplicateParameter { scope: scope.into(), name });
            }
            add(&index, entry)?;
        }
        let mut raw = null_mut();
        // SAFETY: the index is live and is retained by the provider.
        let status = unsafe {
            sys::iree_io_parameter_index_provider_create(
                view(scope),
                index.raw(),
                concurrent_loads(largest, max_inflight),
                host_allocator(),
                &mut raw,
            )
        };
        check(status, || format!("creating parameter scope {scope}"))?;
        let provider = ParameterProvider::from_raw(raw);
        Ok(Parameters { provider, scope: scope.to_owned(), refusal: Refusal::default() })
    }

    /// The same of one parameter, for a GPU that reads the pages in which its file is mapped instead
    /// of a copy of them. Where the driver refuses that it is copied, and [`Parameters::refusal`] says why.
    pub fn in_place(scope: &str, entry: ParameterEntry) -> Result<Parameters, Error> {
        let copying = Self::new(scope, [entry.clone()])?;
        let refusal = Refusal::default();
        let in_place = InPlace::new(vec![entry], refusal.clone());
        let provider = provider(copying.provider, in_place);
        Ok(Parameters { provider, scope: scope.to_owned(), refusal })
    }

    /// The same, for the GPU of one runtime: once loaded they stay in its memory as long as a program or a
    /// clone of this is there, and [`Program::on`](crate::Program::on) gives them to the same GPU opened anew.
    pub fn kept(self, runtime: &Runtime) -> Parameters {
        Parameters { provider: provider(self.provider, Kept::new(runtime.0.clone())), ..self }
    }

    /// Why a parameter that was to be read in place has been copied; `None` before a program is
    /// loaded, and where nothing was refused.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.get().map(String::as_str)
    }

    /// The scope's name.
    pub fn scope(&self) -> &str {
        &self.scope
    }
}

/// So many parameters of the largest size at once as the bytes allow, at least one.
fn concurrent_loads(largest: u64, max_inflight: Option<u64>) -> usize {
    let allowed = max_inflight.map_or(u64::MAX, |bytes| bytes / largest);
    usize::try_from(allowed).unwrap_or(usize::MAX).clamp(1, CONCURRENT_LOADS)
}

/// Adds one entry. Each has a file handle of its own over exactly its bytes: IREE imports from
/// an entry's offset to the end of its handle, which for the whole file would be too much.
fn add(index: &ParameterIndex, entry: &ParameterEntry) -> Result<(), Error> {
    let handle = wrap(entry)?;
    let mut raw = sys::iree_io_parameter_index_entry_t {
        key: view(&entry.name),
        length: entry.length,
        type_: sys::iree_io_parameter_index_entry_storage_type_e_IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE,
        ..Default::default()
    };
    raw.storage.file = sys::iree_io_parameter_index_entry_t__bindgen_ty_1__bindgen_ty_2 {
        handle: handle.raw(),
        offset: 0,
    };
    // SAFETY: the index copies the name and retains the handle.
    let status = unsafe { sys::iree_io_parameter_index_add(index.raw(), &raw) };
    check(status, || format!("adding parameter {}", entry.name))
}

fn wrap(entry: &ParameterEntry) -> Result<FileHandle, Error> {
    let bytes = range(entry)?;
    let span = sys::iree_byte_span_t { data: bytes.as_ptr().cast_mut(), data_length: bytes.len() };
    let keep = Box::into_raw(Box::new(entry.file.clone()));
    let release = sys::iree_io_file_handle_release_callback_t {
        fn_: Some(release_file),
        user_data: keep.cast(),
    };
    let read = sys::iree_io_file_access_bits_t_IREE_IO_FILE_ACCESS_READ;
    let mut raw = null_mut();
    // SAFETY: the mapping lives until IREE calls the release function.
    let status = unsafe {
        let access = read as sys::iree_io_file_access_t;
        sys::iree_io_file_handle_wrap_host_allocation(
            access,
            span,
            release,
            host_allocator(),
            &mut raw,
        )
    };
    if !status.is_null() {
        // SAFETY: on failure IREE does not call the release function, so it is still ours.
        drop(unsafe { Box::from_raw(keep) });
    }
    check(status, || format!("wrapping parameter {}", entry.name))?;
    Ok(FileHandle::from_raw(raw))
}

/// The entry's bytes, if they are where it says.
pub(crate) fn range(entry: &ParameterEntry) -> Result<&[u8], Error> {
    let path = || entry.file.path().to_owned();
    let (name, offset, length) = (entry.name.clone(), entry.offset, entry.length);
    if !offset.is_multiple_of(PARAMETER_ALIGNMENT) {
        return Err(Error::Misaligned {
            path: path(),
            name,
            offset,
            alignment: PARAMETER_ALIGNMENT,
        });
    }
    let end = offset.checked_add(length).and_then(|end| usize::try_from(end).ok());
    end.and_then(|end| entry.file.get(offset as usize..end)).ok_or_else(|| Error::OutsideFile {
        path: path(),
        name,
        offset,
        length,
        file_length: entry.file.len() as u64,
    })
}

/// Called once, when the last user of a handle is gone.
unsafe extern "C" fn release_file(
    user_data: *mut c_void,
    _primitive: sys::iree_io_file_handle_primitive_t,
) {
    // SAFETY: `user_data` is the box that `wrap` gave up.
    drop(unsafe { Box::from_raw(user_data.cast::<MappedFile>()) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_flight_limit_how_many_parameters_load_at_once() {
        let mebibyte = 1 << 20;
        for (largest, limit, expected) in [
            (mebibyte, None, CONCURRENT_LOADS),
            (mebibyte, Some(1024 * mebibyte), CONCURRENT_LOADS),
            (256 * mebibyte, Some(1024 * mebibyte), 4),
            (1500 * mebibyte, Some(1024 * mebibyte), 1),
            (mebibyte, Some(0), 1),
        ] {
            assert_eq!(concurrent_loads(largest, limit), expected);
        }
    }
}
