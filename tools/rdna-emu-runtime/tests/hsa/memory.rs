//! Memory of the device and of the host, copies and reserved addresses.

use crate::driver::{COARSE, Driver, GPU, ORDERED, buffer, signal, values};
use crate::functions::{
    hsa_amd_memory_async_copy, hsa_amd_memory_lock, hsa_amd_memory_pool_allocate,
    hsa_amd_memory_pool_free, hsa_amd_memory_unlock, hsa_amd_vmem_address_free,
    hsa_amd_vmem_address_reserve_align, hsa_amd_vmem_handle_create, hsa_amd_vmem_handle_release,
    hsa_amd_vmem_map, hsa_amd_vmem_set_access, hsa_amd_vmem_unmap, hsa_signal_store_screlease,
    hsa_signal_wait_scacquire,
};

#[test]
fn the_devices_memory_has_an_end_and_locked_memory_is_the_hosts() {
    let mut driver = Driver::new(&[("TYTO_EMU_VRAM", "1M"), ("TYTO_EMU_GTT", "1M")], 64);
    let mut place = std::ptr::null_mut();
    // SAFETY: the places have room for pointers; the block is freed once.
    unsafe {
        assert_eq!(hsa_amd_memory_pool_allocate(COARSE, 3 << 20, 0, &mut place), 0x1008);
        assert_eq!(hsa_amd_memory_pool_allocate(COARSE, 1 << 20, 0, &mut place), 0);
        assert_eq!(hsa_amd_memory_pool_free(place), 0);
        assert_eq!(hsa_amd_memory_pool_free(place), 0x1003, "twice");
        assert_eq!(hsa_amd_memory_pool_allocate(77, 64, 0, &mut place), 40);
        assert_eq!(hsa_amd_memory_pool_allocate(COARSE, 64, 0, std::ptr::null_mut()), 0x1001);
    }
    let mut host = vec![7i32; 128];
    let pointer = host.as_mut_ptr();
    let done = signal(1);
    // SAFETY: the vector lives longer than its lock.
    unsafe {
        assert_eq!(hsa_amd_memory_lock(pointer.cast(), 512, std::ptr::null(), 0, &mut place), 0);
        driver.launch(ORDERED, "add_one", &[place as u64], done);
        driver.ring();
        driver.finish(done);
        assert_eq!(hsa_amd_memory_unlock(pointer.cast()), 0);
    }
    assert_eq!(values(pointer, 128), vec![8; 128]);
    // Without the lock it is foreign memory.
    driver.launch(ORDERED, "add_one", &[pointer as u64], done);
    driver.ring();
    assert_eq!(driver.error(), 43);
    assert_eq!(values(pointer, 128), vec![8; 128]);
}

#[test]
fn copies_wait_for_their_signals() {
    let driver = Driver::new(&[], 64);
    let (source, target) = (buffer::<i32>(COARSE, 64), buffer::<i32>(COARSE, 64));
    let (before, done) = (signal(1), signal(1));
    // SAFETY: both blocks have 256 bytes, and the signals were made here.
    unsafe {
        source.write(5);
        let status = hsa_amd_memory_async_copy(
            target.cast(),
            GPU,
            source.cast(),
            GPU,
            256,
            1,
            &before,
            done,
        );
        assert_eq!(status, 0);
        assert_eq!(hsa_signal_wait_scacquire(done, 0, 0, 20_000_000, 0), 1);
        source.write(6);
        hsa_signal_store_screlease(before, 0);
        driver.finish(done);
        assert_eq!(target.read(), 6);
        assert_eq!(
            hsa_amd_memory_async_copy(std::ptr::null_mut(), GPU, source.cast(), GPU, 4, 0, &0, 0),
            0x1001
        );
        assert_eq!(
            hsa_amd_memory_async_copy(target.cast(), 9, source.cast(), GPU, 4, 0, &0, 0),
            0x1004
        );
    }
}

#[test]
fn a_piece_of_memory_is_seen_at_two_reserved_addresses() {
    let mut driver = Driver::new(&[], 64);
    let (mut base, mut handle) = (std::ptr::null_mut(), 0);
    const SIZE: usize = 4096;
    // SAFETY: the places have room, the range is reserved here, and it is used between mapping and unmapping.
    unsafe {
        assert_eq!(hsa_amd_vmem_address_reserve_align(&mut base, 2 * SIZE, 0, 1 << 16, 0), 0);
        assert!((base as usize).is_multiple_of(1 << 16));
        assert_eq!(hsa_amd_vmem_handle_create(COARSE, SIZE, 0, 0, &mut handle), 0);
        for half in [base, base.byte_add(SIZE)] {
            assert_eq!(hsa_amd_vmem_map(half, SIZE, 0, handle, 0), 0);
            assert_eq!(hsa_amd_vmem_set_access(half, SIZE, &[3, GPU], 1), 0);
        }
        let done = signal(1);
        driver.launch(ORDERED, "add_one", &[base as u64 + SIZE as u64], done);
        driver.ring();
        driver.finish(done);
        assert_eq!(values(base.cast(), 128), vec![1; 128]);
        for half in [base, base.byte_add(SIZE)] {
            assert_eq!(hsa_amd_vmem_unmap(half, SIZE), 0);
        }
        assert_eq!(hsa_amd_vmem_handle_release(handle), 0);
        assert_eq!(hsa_amd_vmem_handle_release(handle), 0x1001);
        assert_eq!(hsa_amd_vmem_address_free(base, 2 * SIZE), 0);
    }
}
