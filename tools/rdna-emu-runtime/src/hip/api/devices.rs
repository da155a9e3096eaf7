//! The one device, and what it says of itself.

use crate::hip::error::Error;
use crate::hip::pointer::Out;
use crate::hip::{properties, runtime};

/// The version of HIP whose calls these are: 6.2.
const VERSION: i32 = 60_200_000;

/// Fails for numbers other than the only device's.
pub fn check_device(number: i32) -> Result<(), Error> {
    if number == 0 { Ok(()) } else { Err(Error::InvalidDevice) }
}

exports! {
    /// Begins; every other call does so too.
    fn hipInit(runtime, flags: u32) {
        if flags == 0 { Ok(()) } else { Err(Error::InvalidValue) }
    }

    /// The version of the driver.
    fn hipDriverGetVersion(runtime, version: Out<i32>) {
        version.set(VERSION)
    }

    /// The version of the runtime.
    fn hipRuntimeGetVersion(runtime, version: Out<i32>) {
        version.set(VERSION)
    }

    /// One device.
    fn hipGetDeviceCount(runtime, count: Out<i32>) {
        count.set(1)
    }

    /// The device with that number, which is its handle.
    fn hipDeviceGet(runtime, device: Out<i32>, number: i32) {
        device.check()?;
        check_device(number)?;
        device.set(number)
    }

    /// The device that calls of this thread mean.
    fn hipGetDevice(runtime, device: Out<i32>) {
        device.set(0)
    }

    /// Chooses it.
    fn hipSetDevice(runtime, device: i32) {
        check_device(device)
    }

    /// Waits for all of its work.
    fn hipDeviceSynchronize(runtime) {
        runtime.synchronize_all()
    }

    /// Ends everything: handles, memory and faults. The report is written.
    fn hipDeviceReset(runtime) {
        runtime::reset();
        Ok(())
    }

    /// An attribute by its number.
    fn hipDeviceGetAttribute(runtime, value: Out<i32>, attribute: u32, device: i32) {
        check_device(device)?;
        value.set(properties::attribute(&runtime.device, attribute))
    }

    /// The name, cut to `size` bytes with a zero at the end.
    fn hipDeviceGetName(runtime, name: Out<u8>, size: i32, device: i32) {
        check_device(device)?;
        let room = usize::try_from(size).ok().filter(|&size| size > 0).ok_or(Error::InvalidValue)?;
        let mut bytes = properties::name(&runtime.device).into_bytes();
        bytes.truncate(room - 1);
        bytes.push(0);
        name.fill(&bytes)
    }

    /// 16 bytes.
    fn hipDeviceGetUuid(runtime, uuid: Out<u8>, device: i32) {
        check_device(device)?;
        uuid.fill(&properties::uuid(&runtime.device))
    }

    /// All memory, in bytes.
    fn hipDeviceTotalMem(runtime, bytes: Out<usize>, device: i32) {
        check_device(device)?;
        bytes.set(runtime.device.heap.budget().total() as usize)
    }

    /// A name on a bus.
    fn hipDeviceGetPCIBusId(runtime, name: Out<u8>, size: i32, device: i32) {
        check_device(device)?;
        let bus = b"0000:00:00.0\0";
        if size < bus.len() as i32 {
            return Err(Error::InvalidValue);
        }
        name.fill(bus)
    }

    /// The properties of ROCm 5, which this name has kept.
    fn hipGetDeviceProperties(runtime, properties: Out<u8>, device: i32) {
        check_device(device)?;
        properties.fill(&properties::properties_r0000(&runtime.device))
    }

    /// The same by its own name.
    fn hipGetDevicePropertiesR0000(runtime, properties: Out<u8>, device: i32) {
        check_device(device)?;
        properties.fill(&properties::properties_r0000(&runtime.device))
    }

    /// The properties of ROCm 6.
    fn hipGetDevicePropertiesR0600(runtime, properties: Out<u8>, device: i32) {
        check_device(device)?;
        properties.fill(&properties::properties_r0600(&runtime.device))
    }

    /// Whether a device reaches another's memory: there is no other.
    fn hipDeviceCanAccessPeer(runtime, can: Out<i32>, device: i32, peer: i32) {
        check_device(device)?;
        check_device(peer)?;
        can.set(0)
    }

    /// There is no other device.
    fn hipDeviceEnablePeerAccess(runtime, peer: i32, flags: u32) {
        check_device(peer)?;
        if flags == 0 { Err(Error::PeerAccessUnsupported) } else { Err(Error::InvalidValue) }
    }
}
