//! What is refused, in which words; and that everything works afterwards.

mod support;

use std::path::Path;

use support::{compile, compile_async, compiler, load, runtime};
use tyto_iree_rt::{
    Argument, Code, Compiler, ElementType, Error, Function, MappedFile, ParameterEntry, Parameters,
    Program, Runtime, StatusCode, Value,
};

const ADD: &str = r#"
module @m {
  func.func @add(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %z = stablehlo.add %x, %y : tensor<4xf32>
    return %z : tensor<4xf32>
  }
}
"#;

const WITH_PARAMETER: &str = r#"
module @m {
  util.global private @w = #flow.parameter.named<"model"::"layer.0.weight"> : tensor<64xf32>
  func.func @get() -> tensor<64xf32> {
    %w = util.global.load @w : tensor<64xf32>
    %y = stablehlo.add %w, %w : tensor<64xf32>
    return %y : tensor<64xf32>
  }
}
"#;

fn works(runtime: &Runtime, add: &Function) {
    let x = runtime.upload_slice(&[4], &[1.0f32; 4]).expect("uploads");
    let mut values = add.call(vec![(&x).into(), (&x).into()]).expect("runs");
    let sum = values.pop().and_then(Value::into_buffer).expect("a buffer");
    assert_eq!(sum.read::<f32>().expect("reads"), [2.0; 4]);
}

#[test]
fn wrong_arguments_are_refused_and_harm_nothing() {
    for code in [compile(ADD), compile_async(ADD)] {
        let runtime = runtime();
        let add = load(&runtime, code, &[]).function("m.add").expect("exported");
        let x = runtime.zeros(&[4], ElementType::F32).expect("allocates");
        let error = add.call(vec![(&x).into()]).expect_err("one is too few").to_string();
        assert_eq!(error, "m.add takes 2 arguments, found 1");
        let error = add.call(vec![(&x).into(), Argument::I32(1)]).expect_err("wrong kind");
        assert_eq!(error.to_string(), "m.add: argument 1: expected a buffer, found an i32");
        let stranger = support::runtime().zeros(&[4], ElementType::F32).expect("allocates");
        let error = add.call(vec![(&x).into(), stranger.into()]).expect_err("another runtime's");
        assert!(matches!(error, Error::OtherRuntime { index: 1, .. }), "{error}");
        works(&runtime, &add);
        // These reach the program's own checks.
        let long = runtime.zeros(&[5], ElementType::F32).expect("allocates");
        let halves = runtime.zeros(&[4], ElementType::F16).expect("allocates");
        for wrong in [long, halves] {
            let error = add.call(vec![(&x).into(), wrong.into()]).expect_err("wrong tensor");
            let Error::Status { action, code, message } = error else { panic!("{error}") };
            assert_eq!((action.as_str(), code), ("calling m.add", StatusCode::InvalidArgument));
            assert!(message.contains("input1"), "{message}");
            works(&runtime, &add);
        }
    }
}

#[test]
fn unknown_function_lists_the_known() {
    let program = load(&runtime(), compile(ADD), &[]);
    let error = program.function("m.sub").expect_err("not there").to_string();
    assert_eq!(error, "the program has no function m.sub; it has: m.add");
    let add = program.function("m.add").expect("exported");
    let error = add.start(Vec::new()).expect_err("blocking").to_string();
    assert_eq!(error, "m.add was not compiled for asynchronous calls; use call");
}

#[test]
fn bad_code_is_refused() {
    let good = compile(ADD);
    let runtime = runtime();
    let mut headless = good.clone();
    headless[..64].fill(0xa5);
    for bad in [
        Vec::new(),
        vec![0; 4096],
        b"not a program".to_vec(),
        good[..good.len() / 2].to_vec(),
        headless,
    ] {
        let error = Program::load(&runtime, [Code::from(bad)], &[]).expect_err("bad bytes");
        assert!(matches!(error, Error::Status { .. }), "{error}");
    }
    let add = load(&runtime, good, &[]).function("m.add").expect("exported");
    works(&runtime, &add);
}

fn file_of(bytes: usize) -> (tempfile::NamedTempFile, MappedFile) {
    let file = tempfile::NamedTempFile::new().expect("creates");
    std::fs::write(file.path(), vec![0; bytes]).expect("writes");
    let mapped = MappedFile::open(file.path()).expect("opens");
    (file, mapped)
}

fn entry(name: &str, file: &MappedFile, offset: u64, length: u64) -> ParameterEntry {
    ParameterEntry { name: name.into(), file: file.clone(), offset, length }
}

#[test]
fn missing_parameter_is_named() {
    let (_keep, file) = file_of(256);
    let runtime = runtime();
    let code = compile(WITH_PARAMETER);
    let load = |parameters: &[Parameters]| {
        Program::load(&runtime, [Code::from(code.clone())], parameters).map(|_| ())
    };
    let other = Parameters::new("model", [entry("layer.1.weight", &file, 0, 256)]).expect("valid");
    let error = load(&[other]).expect_err("the parameter is missing").to_string();
    assert!(error.contains("layer.0.weight"), "{error}");
    let elsewhere =
        Parameters::new("draft", [entry("layer.0.weight", &file, 0, 256)]).expect("valid");
    let error = load(&[elsewhere]).expect_err("the scope is missing").to_string();
    assert!(error.contains("model"), "{error}");
    let error = load(&[]).expect_err("there are none").to_string();
    assert!(error.contains("model"), "{error}");
    let short = Parameters::new("model", [entry("layer.0.weight", &file, 0, 128)]).expect("valid");
    let error = load(&[short]).expect_err("the parameter is short").to_string();
    assert!(error.contains("layer.0.weight"), "{error}");
    let right = Parameters::new("model", [entry("layer.0.weight", &file, 0, 256)]).expect("valid");
    load(&[right]).expect("loads after the failures");
}

#[test]
fn bad_entries_are_refused() {
    let (keep, file) = file_of(256);
    let name = keep.path().display().to_string();
    let refused = |entries: Vec<ParameterEntry>| {
        Parameters::new("model", entries).expect_err("bad entry").to_string()
    };
    let error = refused(vec![entry("w", &file, 8, 16)]);
    assert!(error.contains(&name) && error.contains("parameter w: offset 8"), "{error}");
    for (offset, length) in [(0, 257), (192, 65), (256, 1), (u64::MAX - 63, 64), (64, u64::MAX)] {
        let error = refused(vec![entry("w", &file, offset, length)]);
        assert!(error.contains("outside the file of 256 bytes"), "{error}");
    }
    let error = refused(vec![entry("w", &file, 0, 4), entry("w", &file, 64, 4)]);
    assert_eq!(error, "parameter model::w is given twice");
    let error = MappedFile::open("/nonexistent/weights").expect_err("no file").to_string();
    assert!(error.starts_with("/nonexistent/weights: cannot be mapped"), "{error}");
}

#[test]
fn bad_buffers_are_refused() {
    let runtime = runtime();
    let error = runtime.upload(&[2, 2], ElementType::F32, &[0; 15]).expect_err("15 bytes");
    assert_eq!(error.to_string(), "a f32 buffer of shape [2, 2] has 16 bytes, found 15");
    for shape in [&[usize::MAX, 2][..], &[1 << 62, 4]] {
        let error = runtime.zeros(shape, ElementType::F32).expect_err("no such size");
        assert!(matches!(error, Error::Shape { .. }), "{error}");
    }
    assert!(matches!(runtime.zeros(&[3], ElementType::I4), Err(Error::Shape { .. })));
    let buffer = runtime.zeros(&[4], ElementType::F32).expect("allocates");
    assert!(matches!(
        buffer.read::<i32>(),
        Err(Error::ElementType { expected: "i32", found: "f32" })
    ));
    assert!(matches!(buffer.write(3, &[0.0f32; 2]), Err(Error::OutsideBuffer { .. })));
    assert!(matches!(buffer.read_bytes(usize::MAX, &mut [0; 2]), Err(Error::OutsideBuffer { .. })));
}

#[test]
fn host_mappings_exclude_what_conflicts() {
    let runtime = runtime();
    let add = load(&runtime, compile_async(ADD), &[]).function("m.add").expect("exported");
    let x = runtime.zeros(&[4], ElementType::F32).expect("allocates");
    let y = runtime.zeros(&[4], ElementType::F32).expect("allocates");
    x.map(|_| {
        assert!(matches!(add.call(vec![(&x).into(), (&y).into()]), Err(Error::Mapped)));
        assert!(matches!(x.clone().write(0, &[1.0f32]), Err(Error::Mapped)));
        x.map(|_| ()).expect("readers share");
        y.map_mut(|_| ()).expect("another allocation");
    })
    .expect("maps");
    x.map_mut(|_| assert!(matches!(x.map(|_| ()), Err(Error::Mapped)))).expect("maps");
    works(&runtime, &add);
}

#[test]
fn bad_source_is_refused_with_diagnostics() {
    let compiler = compiler();
    let wrong_type = r#"func.func @f(%x: tensor<4xf32>) -> tensor<5xf32> {
      %y = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
      return %y : tensor<5xf32> }"#;
    let no_such_op = r#"func.func @f() { "stablehlo.nonsense"() : () -> () return }"#;
    for (bad, reason) in [
        (wrong_type, "requires the same shape for all operands and results"),
        (no_such_op, "stablehlo.nonsense"),
        ("func.func @f(", "expected"),
        ("\u{1}\u{2}", "unexpected character"),
    ] {
        for result in
            [compiler.verify(bad.as_bytes()), compiler.compile(bad.as_bytes(), &[]).map(|_| ())]
        {
            let Err(Error::Compile { diagnostics }) = result else { panic!("{bad}: {result:?}") };
            assert!(diagnostics.contains(reason), "{bad}: {diagnostics}");
        }
    }
    compiler.verify(ADD.as_bytes()).expect("is valid");
    let flag = ["--iree-no-such-flag".to_owned()];
    let error = compiler.compile(ADD.as_bytes(), &flag).expect_err("no such flag").to_string();
    assert!(error.contains("iree-no-such-flag"), "{error}");
}

#[test]
fn compilations_run_side_by_side() {
    let alone = compile(ADD);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| compile(ADD))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("compiles"), alone);
        }
    });
}

#[test]
fn missing_compiler_says_how_to_install_it() {
    let error =
        Compiler::find(Some(Path::new("/nonexistent/lib.so"))).expect_err("no file").to_string();
    assert!(error.contains("/nonexistent/lib.so"), "{error}");
    assert!(error.contains("pip install iree-base-compiler==3.13.0"), "{error}");
}

#[test]
fn compiler_says_its_version() {
    let version = compiler().version().expect("answers");
    assert!(version.revision.starts_with("3.13.0"), "{version:?}");
}
