//! Calling functions of a program.

use std::ptr::{null, null_mut};
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

use tyto_iree_runtime_sys as sys;

use crate::access::{LastUse, Point, State};
use crate::buffer::Origins;
use crate::handle::{BufferView, HalFence, List};
use crate::program::ProgramInner;
use crate::runtime::RuntimeInner;
use crate::signature::Kind;
use crate::status::{check, host_allocator};
use crate::{Buffer, Error, FunctionInfo};

/// What is passed to a function.
#[derive(Debug, Clone)]
pub enum Argument<'a> {
    /// A buffer that the caller keeps. If the function updates that argument in place, the
    /// caller's buffer is the updated one too.
    Lend(&'a Buffer),
    /// A buffer that the caller gives up, for arguments updated in place.
    Give(Buffer),
    /// An `i32`.
    I32(i32),
    /// An `i64`, or an `index`.
    I64(i64),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
}

/// What a function returns.
#[derive(Debug, Clone)]
pub enum Value {
    /// A buffer.
    Buffer(Buffer),
    /// An `i32`.
    I32(i32),
    /// An `i64`, or an `index`.
    I64(i64),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
}

impl Value {
    /// The buffer, if it is one.
    pub fn into_buffer(self) -> Option<Buffer> {
        match self {
            Value::Buffer(buffer) => Some(buffer),
            _ => None,
        }
    }
}

impl<'a> From<&'a Buffer> for Argument<'a> {
    fn from(buffer: &'a Buffer) -> Self {
        Argument::Lend(buffer)
    }
}

impl From<Buffer> for Argument<'_> {
    fn from(buffer: Buffer) -> Self {
        Argument::Give(buffer)
    }
}

/// One function of a loaded program, ready to be called. Holds the program.
#[derive(Debug, Clone)]
pub struct Function {
    program: Arc<ProgramInner>,
    info: FunctionInfo,
    /// The program alone, as the origin of results.
    origin: Arc<[Arc<ProgramInner>]>,
}

/// The end of the work that one [`Function::start`] began.
#[derive(Debug, Clone)]
pub struct Fence {
    point: Point,
    runtime: Arc<RuntimeInner>,
}

impl Function {
    /// Name and signature.
    pub fn info(&self) -> &FunctionInfo {
        &self.info
    }

    /// Calls the function and waits for its end. Works for both kinds of function.
    ///
    /// On an error, given buffers are gone and buffers that were to be updated in place have
    /// undefined contents; the runtime and the program can be used on.
    pub fn call(&self, arguments: Vec<Argument<'_>>) -> Result<Vec<Value>, Error> {
        if self.info.asynchronous {
            let (values, fence) = self.start(arguments)?;
            fence.wait()?;
            return Ok(values);
        }
        self.check(&arguments)?;
        let access = &self.program.runtime.access;
        access.quiesce()?;
        let state = access.begin_call()?;
        // Another thread may have started a call in between.
        state.newest().wait(access.waiting(), None)?;
        self.invoke(arguments, None, &state)
    }

    /// Starts the function after everything started before on this runtime, and returns at
    /// once. The values can be passed to further calls at once; host access to them waits.
    pub fn start(&self, arguments: Vec<Argument<'_>>) -> Result<(Vec<Value>, Fence), Error> {
        if !self.info.asynchronous {
            return Err(Error::NotAsynchronous { function: self.info.name.clone() });
        }
        self.check(&arguments)?;
        let access = &self.program.runtime.access;
        let mut state = access.begin_call()?;
        let end = state.next();
        let uses = shared_uses(&arguments);
        match self.invoke(arguments, Some(&end), &state) {
            Ok(mut values) => {
                state.advance(end.clone());
                note_uses(&uses, &end, &mut values);
                Ok((values, Fence { point: end, runtime: self.program.runtime.clone() }))
            }
            Err(error) => {
                access.abandon(&mut state)?;
                Err(error)
            }
        }
    }

    pub(crate) fn new(program: Arc<ProgramInner>, info: FunctionInfo) -> Function {
        let origin = Arc::from([program.clone()]);
        Function { program, info, origin }
    }

    fn check(&self, arguments: &[Argument<'_>]) -> Result<(), Error> {
        let function = || self.info.name.clone();
        let (expected, found) = (self.info.arguments, arguments.len());
        if expected != found {
            return Err(Error::ArgumentCount { function: function(), expected, found });
        }
        for (index, argument) in arguments.iter().enumerate() {
            let (expected, found) = (self.info.argument_kinds[index], argument.kind());
            if expected != found {
                let (expected, found) = (expected.name(), found.name());
                return Err(Error::ArgumentKind { function: function(), index, expected, found });
            }
            let runtime = &self.program.runtime;
            if argument.buffer().is_some_and(|b| !Arc::ptr_eq(&b.runtime, runtime)) {
                return Err(Error::OtherRuntime { function: function(), index });
            }
        }
        Ok(())
    }

    /// The call itself; `_state` proves that it is the only one on this runtime.
    fn invoke(
        &self,
        arguments: Vec<Argument<'_>>,
        end: Option<&Point>,
        state: &MutexGuard<'_, State>,
    ) -> Result<Vec<Value>, Error> {
        let origins = self.origins(&arguments);
        let inputs = list(self.info.arguments + 2)?;
        let outputs = list(self.info.results)?;
        for argument in arguments {
            push(&inputs, argument)?;
        }
        if let Some(end) = end {
            push_fence(&inputs, state.newest())?;
            push_fence(&inputs, end)?;
        }
        // SAFETY: the context, which owns the function's module, and the lists are live.
        let status = unsafe {
            let (context, function) = (self.program.context.raw(), self.info.raw);
            let (inputs, outputs) = (inputs.raw(), outputs.raw());
            sys::iree_vm_invoke(context, function, 0, null(), inputs, outputs, host_allocator())
        };
        check(status, || format!("calling {}", self.info.name))?;
        let kinds = self.info.result_kinds.iter().enumerate();
        kinds.map(|(i, kind)| self.result(&outputs, i, *kind, &origins)).collect()
    }

    /// Programs in whose code results may lie: this one, and those of the arguments, which can
    /// come back as results.
    fn origins(&self, arguments: &[Argument<'_>]) -> Arc<[Arc<ProgramInner>]> {
        let mut more: Vec<Arc<ProgramInner>> = Vec::new();
        for origins in arguments.iter().filter_map(|a| a.buffer()?.origins.as_ref()) {
            if Arc::ptr_eq(origins, &self.origin) {
                continue;
            }
            for program in origins.iter().filter(|p| !Arc::ptr_eq(p, &self.program)) {
                if !more.iter().any(|p| Arc::ptr_eq(p, program)) {
                    more.push(program.clone());
                }
            }
        }
        if more.is_empty() {
            return self.origin.clone();
        }
        more.push(self.program.clone());
        more.into()
    }

    fn result(
        &self,
        outputs: &List,
        index: usize,
        kind: Kind,
        origins: &Arc<[Arc<ProgramInner>]>,
    ) -> Result<Value, Error> {
        let action = || format!("reading result {index} of {}", self.info.name);
        if kind == Kind::Buffer {
            let mut reference = sys::iree_vm_ref_t::default();
            let mut raw = null_mut();
            // SAFETY: the reference is owned by us once moved out, and the view takes it over.
            unsafe {
                let status = sys::iree_vm_list_get_ref_move(outputs.raw(), index, &mut reference);
                check(status, action)?;
                let status = sys::iree_hal_buffer_view_check_deref(reference, &mut raw);
                if !status.is_null() {
                    sys::iree_vm_ref_release(&mut reference);
                }
                check(status, action)?;
            }
            let (view, runtime) = (BufferView::from_raw(raw), self.program.runtime.clone());
            let origins: Origins = Some(origins.clone());
            return Buffer::from_view(view, runtime, origins).map(Value::Buffer);
        }
        let mut value = sys::iree_vm_value_t::default();
        // SAFETY: the list is live; the union's member is the one that the convention names.
        unsafe {
            let status = sys::iree_vm_list_get_value(outputs.raw(), index, &mut value);
            check(status, action)?;
            let value = value.__bindgen_anon_1;
            Ok(match kind {
                Kind::I32 => Value::I32(value.i32_),
                Kind::I64 => Value::I64(value.i64_),
                Kind::F32 => Value::F32(value.f32_),
                Kind::F64 | Kind::Buffer => Value::F64(value.f64_),
            })
        }
    }
}

impl Fence {
    /// Waits for the end. The error is the failure of the work; it is reported here, and the
    /// runtime can be used on.
    pub fn wait(&self) -> Result<(), Error> {
        self.wait_until(None).map(|_| ())
    }

    /// Waits for the end for at most this long; tells whether it has come.
    pub fn wait_for(&self, time: Duration) -> Result<bool, Error> {
        self.wait_until(Instant::now().checked_add(time))
    }

    /// Whether the end has come, without waiting.
    pub fn is_done(&self) -> Result<bool, Error> {
        self.report(self.point.reached())
    }

    fn wait_until(&self, deadline: Option<Instant>) -> Result<bool, Error> {
        self.report(self.point.wait(self.runtime.access.waiting(), deadline))
    }

    fn report(&self, outcome: Result<bool, Error>) -> Result<bool, Error> {
        if outcome.is_err() {
            self.runtime.access.recover(&self.point)?;
        }
        outcome
    }
}

impl Argument<'_> {
    fn kind(&self) -> Kind {
        match self {
            Argument::Lend(_) | Argument::Give(_) => Kind::Buffer,
            Argument::I32(_) => Kind::I32,
            Argument::I64(_) => Kind::I64,
            Argument::F32(_) => Kind::F32,
            Argument::F64(_) => Kind::F64,
        }
    }

    fn buffer(&self) -> Option<&Buffer> {
        match self {
            Argument::Lend(buffer) => Some(buffer),
            Argument::Give(buffer) => Some(buffer),
            _ => None,
        }
    }
}

/// Allocations of shared memory among the arguments, with what is known of their use.
fn shared_uses(arguments: &[Argument<'_>]) -> Vec<(usize, LastUse)> {
    let buffers = arguments.iter().filter_map(Argument::buffer);
    let shared = buffers.filter_map(|b| Some((b.allocation_id(), b.last_use.clone()?)));
    shared.collect()
}

/// A call that has been started uses shared memory until its end; so may its results' users.
fn note_uses(uses: &[(usize, LastUse)], end: &Point, values: &mut [Value]) {
    uses.iter().for_each(|(_, last_use)| last_use.set(end));
    for value in values {
        if let Value::Buffer(buffer) = value {
            let id = buffer.allocation_id();
            buffer.last_use =
                uses.iter().find(|(other, _)| *other == id).map(|(_, last)| last.clone());
        }
    }
}

fn list(capacity: usize) -> Result<List, Error> {
    let mut raw = null_mut();
    // SAFETY: the pointer is to a local; the default element type is "any".
    let status = unsafe {
        let any = sys::iree_vm_type_def_t::default();
        sys::iree_vm_list_create(any, capacity, host_allocator(), &mut raw)
    };
    check(status, || "creating an argument list".to_owned())?;
    Ok(List::from_raw(raw))
}

fn push(inputs: &List, argument: Argument<'_>) -> Result<(), Error> {
    // SAFETY: scalars are plain; buffers are handled below.
    let value = unsafe {
        match &argument {
            Argument::Lend(buffer) => return push_view(inputs, buffer.view()),
            Argument::Give(buffer) => return push_view(inputs, buffer.view()),
            Argument::I32(v) => sys::iree_vm_value_make_i32(*v),
            Argument::I64(v) => sys::iree_vm_value_make_i64(*v),
            Argument::F32(v) => sys::iree_vm_value_make_f32(*v),
            Argument::F64(v) => sys::iree_vm_value_make_f64(*v),
        }
    };
    // SAFETY: the list is live.
    let status = unsafe { sys::iree_vm_list_push_value(inputs.raw(), &value) };
    check(status, || "passing a scalar".to_owned())
}

fn push_view(inputs: &List, view: &BufferView) -> Result<(), Error> {
    // SAFETY: the reference is retained for the list, which takes it over.
    let status = unsafe {
        let mut reference = sys::iree_hal_buffer_view_retain_ref(view.raw());
        sys::iree_vm_list_push_ref_move(inputs.raw(), &mut reference)
    };
    check(status, || "passing a buffer".to_owned())
}

/// Passes a moment as a fence; the start of a timeline is no fence.
fn push_fence(inputs: &List, point: &Point) -> Result<(), Error> {
    let mut reference = sys::iree_vm_ref_t::default();
    if point.value > 0 {
        let mut raw = null_mut();
        let (semaphore, value) = (point.semaphore.raw(), point.value);
        // SAFETY: the semaphore is live and retained by the fence.
        let status =
            unsafe { sys::iree_hal_fence_create_at(semaphore, value, host_allocator(), &mut raw) };
        check(status, || "creating a fence".to_owned())?;
        let fence = HalFence::from_raw(raw);
        // SAFETY: the reference is retained for the list.
        reference = unsafe { sys::iree_hal_fence_retain_ref(fence.raw()) };
    }
    // SAFETY: the list takes the reference over.
    let status = unsafe { sys::iree_vm_list_push_ref_move(inputs.raw(), &mut reference) };
    check(status, || "passing a fence".to_owned())
}
