//! An artifact appears whole or not at all.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::common::{MODULE, TOKENIZER, WEIGHTS, fill, names_in, small, write_at};
use tyto_artifact::{Artifact, ArtifactWriter, CancelFlag, Disk, Error, OpenedFile, SystemDisk};

fn start(path: &Path) -> ArtifactWriter {
    ArtifactWriter::new(path, CancelFlag::default()).expect("the writer starts")
}

/// The module of an artifact, to tell one from another.
fn module_of(path: &Path) -> Vec<u8> {
    Artifact::open(path).expect("the artifact opens").read(MODULE).expect("the module")
}

#[test]
fn a_writer_dropped_half_way_leaves_nothing() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("tiny.tyto");
    let mut writer = start(&path);
    fill(&mut writer).expect("the files are written");
    assert_eq!(names_in(directory.path()).len(), 1);
    assert!(names_in(directory.path())[0].starts_with("tiny.tyto.partial-"));
    drop(writer);
    assert!(names_in(directory.path()).is_empty());
}

/// A killed writer removes nothing itself; the next one for the same place does.
#[test]
fn what_a_killed_writer_left_is_removed_by_the_next() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("tiny.tyto");
    // What a kill leaves: the directory with files, and no lock on it.
    let stale = directory.path().join("tiny.tyto.partial-0123456789abcdef");
    std::fs::create_dir_all(stale.join("weights")).expect("a directory");
    std::fs::write(stale.join(WEIGHTS), "half").expect("a file");
    // What is not such a directory stays.
    let others = ["other.tyto.partial-0123456789abcdef", "tiny.tyto.partial-mine"];
    for other in others {
        std::fs::create_dir(directory.path().join(other)).expect("a directory");
    }
    let link = directory.path().join("tiny.tyto.partial-fedcba9876543210");
    std::os::unix::fs::symlink(directory.path(), &link).expect("a link");

    let first = start(&path);
    assert_eq!(first.removed(), [stale.as_path()]);
    // The first writer lives, so the second leaves its directory alone.
    let mut second = start(&path);
    assert!(second.removed().is_empty());
    let manifest = fill(&mut second).expect("the files are written");
    second.finish(manifest).expect("it is finished");
    drop(first);
    let mut names = names_in(directory.path());
    names.sort();
    let mut expected = vec!["tiny.tyto", "tiny.tyto.partial-fedcba9876543210"];
    expected.extend(others);
    expected.sort();
    assert_eq!(names, expected);
}

#[test]
fn until_the_end_the_old_artifact_is_untouched() {
    let (directory, path) = small();
    let mut writer = start(&path);
    writer.write(MODULE, b"other code").expect("a file is written");
    assert_eq!(module_of(&path), b"compiled code");
    drop(writer);
    assert_eq!(module_of(&path), b"compiled code");
    assert_eq!(names_in(directory.path()), ["tiny.tyto"]);
}

#[test]
fn a_second_artifact_replaces_the_first() {
    let (directory, path) = small();
    let mut writer = start(&path);
    writer.write("tokenizer/added.json", b"[]").expect("a file is written");
    let manifest = fill(&mut writer).expect("the files are written");
    // A process that has the old one open keeps it.
    let old = Artifact::open(&path).expect("the old one opens");
    let mapped = old.map_weights(&old.manifest().targets[0]).expect("its weights map");
    let artifact = writer.finish(manifest).expect("it is finished");
    artifact.verify(|_| {}).expect("it is whole");
    assert!(artifact.manifest().files.contains_key("tokenizer/added.json"));
    assert_eq!(mapped.tensor("a").expect("tensor a").1, [1; 12]);
    assert_eq!(names_in(directory.path()), ["tiny.tyto"]);
}

#[test]
fn what_is_no_artifact_is_not_replaced() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("notes.tyto");
    std::fs::write(&file, "mine").expect("a file");
    let folder = directory.path().join("folder.tyto");
    std::fs::create_dir(&folder).expect("a directory");
    std::fs::write(folder.join("photo"), "mine").expect("a file");
    for path in [&file, &folder] {
        let error = ArtifactWriter::new(path, CancelFlag::default()).expect_err("it is refused");
        assert!(matches!(error, Error::InTheWay { .. }));
    }
    assert_eq!(std::fs::read_to_string(file).expect("still there"), "mine");
    assert_eq!(names_in(directory.path()), ["folder.tyto", "notes.tyto"]);

    let empty = directory.path().join("empty.tyto");
    std::fs::create_dir(&empty).expect("a directory");
    write_at(&empty).expect("an empty directory may be filled");
}

#[test]
fn a_file_that_appears_meanwhile_is_not_replaced() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("tiny.tyto");
    let mut writer = start(&path);
    let manifest = fill(&mut writer).expect("the files are written");
    std::fs::write(&path, "mine").expect("a file appears");
    assert!(matches!(writer.finish(manifest), Err(Error::InTheWay { .. })));
    assert_eq!(names_in(directory.path()), ["tiny.tyto"]);
}

#[test]
fn cancelling_stops_the_write_and_leaves_nothing() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("tiny.tyto");
    let cancel = CancelFlag::default();
    let from_progress = cancel.clone();
    // As a Ctrl-C would, in the middle of a file: after the second of four megabytes.
    let mut writer = ArtifactWriter::new(&path, cancel).expect("the writer starts").with_progress(
        move |progress| {
            assert_eq!(progress.announced_bytes, 4 << 20);
            if progress.file_bytes == 2 << 20 {
                from_progress.cancel();
            }
            assert!(progress.file_bytes <= 2 << 20, "nothing is written after the cancel");
        },
    );
    assert!(matches!(writer.write(WEIGHTS, &vec![7; 4 << 20]), Err(Error::Cancelled { .. })));
    drop(writer);
    assert!(names_in(directory.path()).is_empty());
}

#[test]
fn a_cancel_after_the_last_file_still_counts() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("tiny.tyto");
    let cancel = CancelFlag::default();
    let mut writer = ArtifactWriter::new(&path, cancel.clone()).expect("the writer starts");
    let manifest = fill(&mut writer).expect("the files are written");
    cancel.cancel();
    assert!(matches!(writer.finish(manifest), Err(Error::Cancelled { .. })));
    assert!(names_in(directory.path()).is_empty());
}

/// A disk with room for so many bytes, that may also only notice when synced.
struct SmallDisk {
    room: Arc<AtomicU64>,
    notices_when_synced: bool,
}

struct SmallFile {
    file: Box<dyn OpenedFile>,
    room: Arc<AtomicU64>,
    notices_when_synced: bool,
    overdrawn: bool,
}

impl Disk for SmallDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn OpenedFile>> {
        Ok(Box::new(SmallFile {
            file: SystemDisk.create(path)?,
            room: self.room.clone(),
            notices_when_synced: self.notices_when_synced,
            overdrawn: false,
        }))
    }
}

impl Write for SmallFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.room.load(Ordering::Relaxed);
        let fits = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        if fits == 0 && !bytes.is_empty() {
            self.overdrawn = true;
            return if self.notices_when_synced { Ok(bytes.len()) } else { Err(full()) };
        }
        self.room.fetch_sub(fits as u64, Ordering::Relaxed);
        self.file.write(&bytes[..fits])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl OpenedFile for SmallFile {
    fn sync(&mut self) -> io::Result<()> {
        if self.overdrawn { Err(full()) } else { self.file.sync() }
    }
}

fn full() -> io::Error {
    io::Error::from(io::ErrorKind::StorageFull)
}

fn write_on_small_disk(
    path: &Path,
    room: u64,
    notices_when_synced: bool,
) -> Result<Artifact, Error> {
    let disk = SmallDisk { room: Arc::new(AtomicU64::new(room)), notices_when_synced };
    let mut writer = ArtifactWriter::on_disk(path, CancelFlag::default(), Arc::new(disk))?;
    let manifest = fill(&mut writer)?;
    writer.finish(manifest)
}

/// Whatever byte the disk is full at, the old artifact stays and nothing else does.
#[test]
fn a_full_disk_leaves_nothing_behind_and_says_what_it_needs() {
    let (directory, path) = small();
    let mut succeeded = false;
    for room in (0..).step_by(700).take(18) {
        for notices_when_synced in [false, true] {
            match write_on_small_disk(&path, room, notices_when_synced) {
                Ok(_) => succeeded = true,
                Err(Error::DiskFull { path: file, needed }) => {
                    assert!(needed > 0);
                    assert!(file.to_string_lossy().contains("tiny.tyto.partial-"));
                }
                Err(other) => panic!("{other}"),
            }
            assert_eq!(module_of(&path), b"compiled code");
            assert_eq!(names_in(directory.path()), ["tiny.tyto"], "with room for {room} bytes");
        }
    }
    assert!(succeeded, "with enough room it is written");
}

#[test]
fn a_full_disk_names_the_bytes_still_needed() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let disk = SmallDisk { room: Arc::new(AtomicU64::new(100)), notices_when_synced: false };
    let path = directory.path().join("tiny.tyto");
    let mut writer = ArtifactWriter::on_disk(&path, CancelFlag::default(), Arc::new(disk))
        .expect("the writer starts");
    let mut file = writer.file(WEIGHTS, 1000).expect("a file");
    file.write(&[0; 100]).expect("that much fits");
    let error = file.write(&[0; 200]).expect_err("the disk is full");
    assert!(matches!(error, Error::DiskFull { needed: 900, .. }), "{error}");
}

/// The real thing: a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_system_that_says_full_is_understood() {
    struct FullDisk;
    impl Disk for FullDisk {
        fn create(&self, _: &Path) -> io::Result<Box<dyn OpenedFile>> {
            Ok(Box::new(std::fs::File::options().write(true).open("/dev/full")?))
        }
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("tiny.tyto");
    let mut writer = ArtifactWriter::on_disk(&path, CancelFlag::default(), Arc::new(FullDisk))
        .expect("the writer starts");
    assert!(matches!(writer.write(MODULE, b"code"), Err(Error::DiskFull { needed: 4, .. })));
    drop(writer);
    assert!(names_in(directory.path()).is_empty());
}

#[test]
fn a_file_not_finished_is_not_in_the_artifact() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("tiny.tyto");
    let mut writer = start(&path);
    let mut file = writer.file("tokenizer/half.json", 10).expect("a file");
    file.write(b"{").expect("a byte");
    drop(file);
    let manifest = fill(&mut writer).expect("the files are written");
    let artifact = writer.finish(manifest).expect("it is finished");
    assert_eq!(names_in(&artifact.tokenizer_directory()), ["tokenizer.json"]);
}

#[test]
fn a_manifest_that_names_what_was_not_written_is_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("tiny.tyto");
    let mut writer = start(&path);
    let mut manifest = fill(&mut writer).expect("the files are written");
    manifest.targets[0].modules.push("code/cpu/forgotten.vmfb".to_owned());
    assert!(matches!(writer.finish(manifest), Err(Error::BadField { .. })));
    assert!(names_in(directory.path()).is_empty());
}

#[test]
fn names_outside_or_taken_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut writer = start(&directory.path().join("tiny.tyto"));
    assert!(matches!(writer.write("../escaped", b""), Err(Error::UnsafePath { .. })));
    writer.write(TOKENIZER, b"{}").expect("a file");
    assert!(matches!(writer.write(TOKENIZER, b"{}"), Err(Error::Duplicate { .. })));
    assert!(matches!(writer.write("manifest.json", b"{}"), Err(Error::Duplicate { .. })));
}

#[test]
fn a_file_of_another_artifact_is_reused_after_a_check() {
    let (directory, path) = small();
    let old = Artifact::open(&path).expect("the artifact opens");
    let mut writer = start(&directory.path().join("new.tyto"));
    let entry = writer.reuse(WEIGHTS, &old).expect("the weights are reused");
    assert_eq!(entry, old.manifest().files[WEIGHTS]);
    drop(writer);
    old.verify(|_| {}).expect("dropping the writer leaves the old one whole");

    let mut bytes = std::fs::read(path.join(WEIGHTS)).expect("the weights");
    bytes[0] ^= 1;
    std::fs::write(path.join(WEIGHTS), bytes).expect("the weights are damaged");
    let mut writer = start(&directory.path().join("new.tyto"));
    assert!(matches!(writer.reuse(WEIGHTS, &old), Err(Error::WrongHash { .. })));
}

#[test]
fn a_file_is_copied_in_with_its_hash() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = directory.path().join("source.bin");
    std::fs::write(&source, vec![9; 3_000_000]).expect("a source");
    let seen = Arc::new(Mutex::new(0));
    let counter = seen.clone();
    let mut writer = start(&directory.path().join("new.tyto")).with_progress(move |progress| {
        *counter.lock().expect("the lock") = progress.file_bytes;
    });
    let entry = writer.copy("tokenizer/source.bin", &source).expect("it is copied");
    assert_eq!(entry.bytes, 3_000_000);
    assert_eq!(entry.blake3, blake3::hash(&vec![9; 3_000_000]).to_hex().to_string());
    assert_eq!(*seen.lock().expect("the lock"), 3_000_000);
}

#[test]
fn tensors_are_aligned_and_must_have_their_size() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut writer = start(&directory.path().join("new.tyto"));
    let mut weights = writer.weights(WEIGHTS, 0).expect("a weight file");
    for (index, length) in [1, 64, 65, 0, 4096].into_iter().enumerate() {
        let offset = weights
            .tensor(&format!("t{index}"), "i8", &[length], "plain", &vec![1; length])
            .expect("a tensor");
        assert_eq!(offset % 64, 0);
    }
    assert!(matches!(weights.tensor("t0", "i8", &[0], "plain", &[]), Err(Error::Duplicate { .. })));
    let file = weights.finish().expect("the file is finished");
    let offsets: Vec<u64> = file.tensors.iter().map(|tensor| tensor.offset).collect();
    assert_eq!(offsets, [0, 64, 128, 256, 256]);

    let mut weights = writer.weights("weights/other.bin", 0).expect("a weight file");
    weights.begin("short", "i8", &[4], 4, "plain").expect("a tensor");
    weights.write(&[0; 3]).expect("three bytes");
    let error = weights.finish().expect_err("a byte is missing");
    assert!(matches!(error, Error::TensorSize { found: 3, expected: 4, .. }), "{error}");
    let mut weights = writer.weights("weights/other.bin", 0).expect("the file was removed");
    weights.begin("long", "i8", &[4], 4, "plain").expect("a tensor");
    assert!(matches!(weights.write(&[0; 5]), Err(Error::TensorSize { found: 5, expected: 4, .. })));
}
