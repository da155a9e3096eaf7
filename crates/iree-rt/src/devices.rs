//! Opening devices: the long way from a driver's name to something that runs.

use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, PoisonError};

use tyto_iree_runtime_sys as sys;

use crate::handle::{
    Allocator, Device, DeviceGroup, Executor, FrontierTracker, HalDriver, Instance, Loader,
    PluginManager, ProactorPool,
};
use crate::status::{check, host_allocator, view};
use crate::{Error, gpu};

/// The process's one instance: type registrations are global to the process, and not safe to
/// repeat while another thread uses them.
pub(crate) fn instance() -> Result<Instance, Error> {
    static INSTANCE: Mutex<Option<Instance>> = Mutex::new(None);
    let mut slot = INSTANCE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(instance) = &*slot {
        return Ok(instance.clone());
    }
    let mut raw = null_mut();
    let capacity = sys::IREE_VM_TYPE_CAPACITY_DEFAULT as usize;
    // SAFETY: the pointer is to a local.
    let status = unsafe { sys::iree_vm_instance_create(capacity, host_allocator(), &mut raw) };
    check(status, || "creating the instance".to_owned())?;
    let instance = Instance::from_raw(raw);
    // SAFETY: the instance is live; the lock makes this the only registration.
    let status = unsafe { sys::iree_hal_module_register_all_types(instance.raw()) };
    check(status, || "registering types".to_owned())?;
    Ok(slot.insert(instance).clone())
}

/// A driver with its defaults.
pub(crate) fn registered_driver(name: &str) -> Result<HalDriver, Error> {
    let mut registry = null_mut();
    // SAFETY: the pointer is to a local.
    let status = unsafe { sys::iree_hal_driver_registry_allocate(host_allocator(), &mut registry) };
    check(status, || "creating the driver registry".to_owned())?;
    let mut raw = null_mut();
    // SAFETY: the registry lives until freed here, and a driver does not need it.
    let status = unsafe {
        let mut status = sys::iree_hal_register_all_available_drivers(registry);
        if status.is_null() {
            let host = host_allocator();
            status = sys::iree_hal_driver_registry_try_create(registry, view(name), host, &mut raw);
        }
        sys::iree_hal_driver_registry_free(registry);
        status
    };
    check(status, || format!("opening driver {name}")).map_err(|e| gpu::opening(name, e))?;
    Ok(HalDriver::from_raw(raw))
}

/// The driver `name` of the CPU's worker threads, with a chosen number of workers.
pub(crate) fn task_driver(name: &str, threads: usize) -> Result<HalDriver, Error> {
    let executors = [executor(threads)?];
    let plugins = plugin_manager()?;
    let loaders = executable_loaders(&plugins)?;
    let allocator = heap_allocator()?;
    let executors_raw = executors.each_ref().map(Executor::raw);
    let mut loaders_raw: Vec<_> = loaders.iter().map(Loader::raw).collect();
    let mut raw = null_mut();
    // SAFETY: all handles live through the call; the driver retains what it keeps.
    let status = unsafe {
        let mut parameters = sys::iree_hal_task_device_params_t::default();
        sys::iree_hal_task_device_params_initialize(&mut parameters);
        sys::iree_hal_task_driver_create(
            view(name),
            &parameters,
            executors_raw.len(),
            executors_raw.as_ptr(),
            loaders_raw.len(),
            loaders_raw.as_mut_ptr(),
            allocator.raw(),
            host_allocator(),
            &mut raw,
        )
    };
    check(status, || format!("opening driver {name} with {threads} threads"))?;
    Ok(HalDriver::from_raw(raw))
}

/// Worker threads, left to the system's scheduler. Pinned ones wait for whatever else runs on
/// their core, and a decode step hands work from one to the other hundreds of times.
fn executor(threads: usize) -> Result<Executor, Error> {
    let action = || format!("starting {threads} worker threads");
    let mut topology = Box::new(MaybeUninit::<sys::iree_task_topology_t>::uninit());
    let topology = topology.as_mut_ptr();
    let mut options = MaybeUninit::<sys::iree_task_executor_options_t>::uninit();
    let mut raw = null_mut();
    // SAFETY: both structures are initialized by IREE's own initializers before any other use,
    // and the topology is deinitialized once the executor has copied it.
    let status = unsafe {
        sys::iree_task_topology_initialize_from_group_count(threads, topology);
        sys::iree_task_executor_options_initialize(options.as_mut_ptr());
        let options = options.assume_init();
        let status = sys::iree_task_executor_create(options, topology, host_allocator(), &mut raw);
        sys::iree_task_topology_deinitialize(topology);
        status
    };
    check(status, action)?;
    Ok(Executor::from_raw(raw))
}

/// Cores that this process may keep busy, at least 1: physical ones, and no more than its
/// affinity and its control group's share of time allow.
pub fn usable_cores() -> usize {
    let allowed = std::thread::available_parallelism().map_or(usize::MAX, usize::from);
    physical_cores().min(allowed)
}

fn physical_cores() -> usize {
    let mut topology = Box::new(MaybeUninit::<sys::iree_task_topology_t>::uninit());
    let topology = topology.as_mut_ptr();
    // SAFETY: the topology is initialized before any other use and deinitialized at the end.
    unsafe {
        sys::iree_task_topology_initialize(topology);
        let status = sys::iree_task_topology_initialize_from_physical_cores(
            sys::iree_task_topology_node_id_t::MAX,
            sys::iree_task_topology_performance_level_e_IREE_TASK_TOPOLOGY_PERFORMANCE_LEVEL_ANY,
            sys::iree_task_topology_distribution_e_IREE_TASK_TOPOLOGY_DISTRIBUTION_SCATTER,
            usize::MAX,
            topology,
        );
        let cores =
            if status.is_null() { sys::iree_task_topology_group_count(topology) } else { 1 };
        sys::iree_status_free(status);
        sys::iree_task_topology_deinitialize(topology);
        cores.max(1)
    }
}

fn plugin_manager() -> Result<PluginManager, Error> {
    let mut raw = null_mut();
    // SAFETY: the pointer is to a local.
    let status =
        unsafe { sys::iree_hal_executable_plugin_manager_create(0, host_allocator(), &mut raw) };
    check(status, || "creating the plugin manager".to_owned())?;
    Ok(PluginManager::from_raw(raw))
}

fn executable_loaders(plugins: &PluginManager) -> Result<Vec<Loader>, Error> {
    let mut raw = [null_mut(); 8];
    let mut count = 0;
    // SAFETY: the array has the capacity that is passed; entries are owned on success.
    let status = unsafe {
        sys::iree_hal_create_all_available_executable_loaders(
            plugins.raw(),
            raw.len(),
            &mut count,
            raw.as_mut_ptr(),
            host_allocator(),
        )
    };
    check(status, || "creating the executable loaders".to_owned())?;
    Ok(raw[..count].iter().map(|r| Loader::from_raw(*r)).collect())
}

fn heap_allocator() -> Result<Allocator, Error> {
    let mut raw = null_mut();
    let host = host_allocator();
    // SAFETY: the pointer is to a local; the name is static.
    let status =
        unsafe { sys::iree_hal_allocator_create_heap(view("local"), host, host, &mut raw) };
    check(status, || "creating the allocator".to_owned())?;
    Ok(Allocator::from_raw(raw))
}

pub(crate) fn proactor_pool() -> Result<ProactorPool, Error> {
    let mut raw = null_mut();
    // SAFETY: the pointer is to a local; no node list is given for one node.
    let status = unsafe {
        let options = sys::iree_async_proactor_pool_options_default();
        sys::iree_async_proactor_pool_create(1, null(), options, host_allocator(), &mut raw)
    };
    check(status, || "creating the input and output pool".to_owned())?;
    Ok(ProactorPool::from_raw(raw))
}

pub(crate) fn default_device(
    driver: &HalDriver,
    pool: &ProactorPool,
    name: &str,
) -> Result<Device, Error> {
    let parameters =
        sys::iree_hal_device_create_params_t { proactor_pool: pool.raw(), ..Default::default() };
    let mut raw = null_mut();
    // SAFETY: handles are live; the device retains what it keeps.
    let status = unsafe {
        let host = host_allocator();
        sys::iree_hal_driver_create_default_device(driver.raw(), &parameters, host, &mut raw)
    };
    check(status, || format!("opening the default device of driver {name}"))?;
    Ok(Device::from_raw(raw))
}

pub(crate) fn device_group(device: &Device) -> Result<(FrontierTracker, DeviceGroup), Error> {
    let mut tracker = null_mut();
    // SAFETY: the pointer is to a local.
    let status = unsafe {
        let options = sys::iree_async_frontier_tracker_options_default();
        sys::iree_async_frontier_tracker_create(options, host_allocator(), &mut tracker)
    };
    check(status, || "creating the frontier tracker".to_owned())?;
    let tracker = FrontierTracker::from_raw(tracker);
    let mut group = null_mut();
    // SAFETY: both handles are live.
    let status = unsafe {
        let host = host_allocator();
        sys::iree_hal_device_group_create_from_device(device.raw(), tracker.raw(), host, &mut group)
    };
    check(status, || "creating the device group".to_owned())?;
    Ok((tracker, DeviceGroup::from_raw(group)))
}
