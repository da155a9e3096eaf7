//! Parameters are used where the file is mapped. Alone in its process: it weighs the process.

mod support;

use std::io::Write;

use support::{compile, load, runtime};
use tyto_iree_rt::{ElementType, MappedFile, ParameterEntry, Parameters, Value};

const ROWS: usize = 4096;
const COLUMNS: usize = 4096;
const BYTES: usize = ROWS * COLUMNS * 4;
const MIB: usize = 1 << 20;

const SOURCE: &str = r#"
module @m {
  util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<4096x4096xf32>
  func.func @NAME(%x: tensor<4096xf32>) -> tensor<4096xf32> {
    %w = util.global.load @w : tensor<4096x4096xf32>
    %y = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0]
      : (tensor<4096x4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
    return %y : tensor<4096xf32>
  }
}
"#;

fn weight(row: usize) -> f32 {
    (row % 7) as f32
}

/// A file laid out as safetensors are: length, JSON header, data; the data aligned.
fn write_file(path: &std::path::Path) -> u64 {
    let mut header = format!(
        r#"{{"w":{{"dtype":"F32","shape":[{ROWS},{COLUMNS}],"data_offsets":[0,{BYTES}]}}}}"#
    );
    while !(header.len() + 8).is_multiple_of(64) {
        header.push(' ');
    }
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).expect("creates"));
    file.write_all(&(header.len() as u64).to_le_bytes()).expect("writes");
    file.write_all(header.as_bytes()).expect("writes");
    for row in 0..ROWS {
        let row = [weight(row); COLUMNS].map(f32::to_le_bytes);
        file.write_all(row.as_flattened()).expect("writes");
    }
    file.flush().expect("writes");
    header.len() as u64 + 8
}

/// Anonymous memory of this process: what is not backed by a file.
fn anonymous_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find(|l| l.starts_with("RssAnon:")).expect("Linux has it");
    let kib: usize = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number");
    kib * 1024
}

#[test]
fn parameters_are_not_copied() {
    let directory = tempfile::tempdir().expect("creates");
    let path = directory.path().join("model.safetensors");
    let offset = write_file(&path);
    let code = ["first", "second"].map(|name| compile(&SOURCE.replace("NAME", name)));
    let runtime = runtime();
    let x = runtime.upload_slice(&[COLUMNS], &vec![1.0f32; COLUMNS]).expect("uploads");

    let before = anonymous_bytes();
    let parameters = {
        let file = MappedFile::open(&path).expect("opens");
        let entry = ParameterEntry { name: "w".into(), file, offset, length: BYTES as u64 };
        Parameters::new("model", [entry]).expect("is valid")
    };
    // Two programs share the one scope; the file's name is gone, the mapping is not.
    let programs = code.map(|code| load(&runtime, code, std::slice::from_ref(&parameters)));
    drop(parameters);
    drop(directory);
    for (program, name) in programs.iter().zip(["m.first", "m.second"]) {
        let function = program.function(name).expect("exported");
        let mut results = function.call(vec![(&x).into()]).expect("runs");
        let y = results.pop().and_then(Value::into_buffer).expect("one buffer");
        let y = y.read::<f32>().expect("reads");
        assert!(
            y.iter().enumerate().all(|(i, y)| *y == weight(i) * COLUMNS as f32),
            "{:?}",
            &y[..8]
        );
    }
    let grown = anonymous_bytes().saturating_sub(before);
    assert!(grown < 8 * MIB, "{grown} bytes of anonymous memory for {BYTES} bytes of parameters");

    // The scale works: a real copy weighs what it should.
    let before = anonymous_bytes();
    let copy =
        runtime.upload(&[ROWS, COLUMNS], ElementType::F32, &vec![1; BYTES]).expect("uploads");
    assert!(anonymous_bytes() - before > BYTES - 4 * MIB, "a copy was not seen");
    drop(copy);

    // Zeros weigh nothing until they are touched.
    let before = anonymous_bytes();
    let zeros = runtime.zeros(&[ROWS, COLUMNS], ElementType::F32).expect("allocates");
    assert!(anonymous_bytes().saturating_sub(before) < 8 * MIB, "untouched zeros take memory");
    assert!(zeros.read::<f32>().expect("reads").iter().all(|v| *v == 0.0));
}
