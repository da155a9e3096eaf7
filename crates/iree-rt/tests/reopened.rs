//! A GPU that is opened anew, on the emulator of `tools/rdna-emu-runtime`. Alone in its process: the first
//! device never closes.
#![cfg(feature = "amdgpu")]

mod support;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use support::{compiler, emulator, load};
use tyto_iree_rt::{
    Argument, Driver, MappedFile, ParameterEntry, Parameters, Program, Runtime, RuntimeOptions,
    Value,
};

const SOURCE: &str = r#"
module @m {
  util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<256xf32>
  func.func @sum(%x: tensor<256xf32>) -> tensor<256xf32> {
    %w = util.global.load @w : tensor<256xf32>
    %y = stablehlo.add %w, %x : tensor<256xf32>
    return %y : tensor<256xf32>
  }
}
"#;

/// Writes the weights where the file's pages are, which a mapping sees.
fn write(path: &Path, weight: f32) {
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let bytes = [weight; 256].map(f32::to_le_bytes);
    file.as_mut().expect("opens").write_all(bytes.as_flattened()).expect("writes");
}

fn sum(program: &Program, argument: Argument<'_>) -> f32 {
    let mut results =
        program.function("m.sum").expect("exported").call(vec![argument]).expect("runs");
    let y = results.pop().and_then(Value::into_buffer).expect("one buffer");
    let y = y.read::<f32>().expect("reads");
    assert!(y.iter().all(|value| *value == y[0]), "{y:?}");
    y[0]
}

#[test]
fn kept_parameters_and_buffers_stay_where_they_are_and_others_are_loaded_again() {
    let flags = ["--iree-hal-target-device=amdgpu", "--iree-rocm-target=gfx1151"];
    let code = compiler().compile(SOURCE.as_bytes(), &flags.map(str::to_owned));
    let code = code.unwrap_or_else(|error| panic!("{error}"));
    let directory = tempfile::tempdir().expect("creates");
    let path = directory.path().join("weights");
    write(&path, 1.0);
    let parameters = || {
        let file = MappedFile::open(&path).expect("opens");
        let entry = ParameterEntry { name: "w".into(), file, offset: 0, length: 1024 };
        Parameters::new("model", [entry]).expect("is valid")
    };
    let library = Some(emulator().to_owned());
    let options = RuntimeOptions { driver: Driver::Amdgpu, library, ..Default::default() };
    let runtime = Runtime::new(&options).unwrap_or_else(|error| panic!("{error}"));
    let kept = load(&runtime, code.clone(), &[parameters().kept(&runtime)]);
    let other = load(&runtime, code, &[parameters()]);
    let x = runtime.upload_slice(&[256], &[10.0f32; 256]).expect("uploads");
    assert_eq!([&kept, &other].map(|program| sum(program, (&x).into())), [11.0, 11.0]);

    // Whoever reads the file again finds something else.
    write(&path, 2.0);
    let reopened = runtime.reopened().expect("the emulator has a device for all");
    let x = x.on(&reopened);
    let on = |program: &Program| program.on(&reopened).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!([on(&kept), on(&other)].map(|program| sum(&program, (&x).into())), [11.0, 12.0]);
}
