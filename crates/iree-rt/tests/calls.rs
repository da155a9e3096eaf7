//! Scalars, several modules, element types, fences, threads.

mod support;

use half::{bf16, f16};
use support::{compile, compile_async, compile_with, load, runtime};
use tyto_iree_rt::{
    Argument, Buffer, Code, Driver, Element, ElementType, Fence, Function, Parameters, Program,
    Runtime, RuntimeOptions, Value,
};

fn only_buffer(mut values: Vec<Value>) -> Buffer {
    assert_eq!(values.len(), 1);
    values.pop().and_then(Value::into_buffer).expect("a buffer")
}

/// Bytes, at whatever address, as elements.
fn elements<T: Element>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}

#[test]
fn scalars_go_in_and_out() {
    let source = r#"
module @m {
  func.func @mix(%i: i32, %l: i64, %f: f32, %n: index) -> (i32, i64, f32, index) {
    %i2 = arith.addi %i, %i : i32
    %l2 = arith.addi %l, %l : i64
    %f2 = arith.addf %f, %f : f32
    %n2 = arith.addi %n, %n : index
    return %i2, %l2, %f2, %n2 : i32, i64, f32, index
  }
}
"#;
    let function = load(&runtime(), compile(source), &[]).function("m.mix").expect("exported");
    let arguments =
        vec![Argument::I32(-21), Argument::I64(1 << 40), Argument::F32(0.25), Argument::I64(7)];
    let results = function.call(arguments).expect("runs");
    let [Value::I32(i), Value::I64(l), Value::F32(f), Value::I64(n)] = results[..] else {
        panic!("{results:?}");
    };
    assert_eq!((i, l, f, n), (-42, 1 << 41, 0.5, 14));
}

#[test]
fn scalar_becomes_a_tensor() {
    let source = r#"
module @m {
  func.func @fill(%i: i32) -> tensor<4xi32> {
    %t = tensor.from_elements %i : tensor<i32>
    %b = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<i32>) -> tensor<4xi32>
    return %b : tensor<4xi32>
  }
}
"#;
    let function = load(&runtime(), compile(source), &[]).function("m.fill").expect("exported");
    let filled = only_buffer(function.call(vec![Argument::I32(9)]).expect("runs"));
    assert_eq!(filled.shape(), [4]);
    assert_eq!(filled.read::<i32>().expect("reads"), [9; 4]);
}

#[test]
fn modules_of_one_program_call_each_other() {
    let library = r#"
module @library {
  func.func @double(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = stablehlo.add %x, %x : tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
"#;
    let main = r#"
module @main {
  func.func private @library.double(%x: tensor<4xf32>) -> tensor<4xf32>
  func.func @quadruple(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = call @library.double(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %z = call @library.double(%y) : (tensor<4xf32>) -> tensor<4xf32>
    return %z : tensor<4xf32>
  }
}
"#;
    let runtime = runtime();
    let code = [library, main].map(|source| Code::from(compile(source)));
    let program = Program::load(&runtime, code, &[]).expect("loads");
    assert_eq!(program.modules(), ["library", "main"]);
    let names: Vec<_> = program.functions().iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["library.double", "main.quadruple"]);
    let x = runtime.upload_slice(&[4], &[1.0f32, 2.0, 3.0, 4.0]).expect("uploads");
    for (name, factor) in [("library.double", 2.0), ("main.quadruple", 4.0)] {
        let function = program.function(name).expect("exported");
        let y = only_buffer(function.call(vec![(&x).into()]).expect("runs"));
        assert_eq!(y.read::<f32>().expect("reads"), [1.0, 2.0, 3.0, 4.0].map(|v| v * factor));
    }
}

/// Adds a value to itself in its own type, so that the bytes are really read and written.
fn doubled(mlir_type: &str, bytes: &[u8], element_type: ElementType) -> Vec<u8> {
    let source = format!(
        "module @m {{ func.func @f(%x: tensor<4x{mlir_type}>) -> tensor<4x{mlir_type}> {{
           %y = stablehlo.add %x, %x : tensor<4x{mlir_type}>
           return %y : tensor<4x{mlir_type}> }} }}"
    );
    let runtime = runtime();
    let function = load(&runtime, compile(&source), &[]).function("m.f").expect("exported");
    let x = runtime.upload(&[4], element_type, bytes).expect("uploads");
    let y = only_buffer(function.call(vec![x.into()]).expect("runs"));
    assert_eq!((y.element_type(), y.shape()), (element_type, &[4][..]));
    let mut found = vec![0; y.byte_length()];
    y.read_bytes(0, &mut found).expect("reads");
    found
}

#[test]
fn half_precision_goes_in_and_out() {
    let x = [0.5f32, -1.5, 3.0, 100.0];
    let halves = x.map(f16::from_f32);
    let found = doubled("f16", bytemuck::cast_slice(&halves), ElementType::F16);
    assert_eq!(elements::<f16>(&found), x.map(|v| f16::from_f32(2.0 * v)));
    let brains = x.map(bf16::from_f32);
    let found = doubled("bf16", bytemuck::cast_slice(&brains), ElementType::Bf16);
    assert_eq!(elements::<bf16>(&found), x.map(|v| bf16::from_f32(2.0 * v)));
}

#[test]
fn integers_go_in_and_out() {
    assert_eq!(doubled("i8", &[1, 2, 0xff, 0x40], ElementType::I8), [2, 4, 0xfe, 0x80]);
    assert_eq!(doubled("ui8", &[1, 2, 100, 127], ElementType::U8), [2, 4, 200, 254]);
    let x = [1i64, -2, 1 << 40, 0];
    let found = doubled("i64", bytemuck::cast_slice(&x), ElementType::I64);
    assert_eq!(elements::<i64>(&found), x.map(|v| 2 * v));
}

#[test]
fn eight_bit_floats_and_booleans_convert() {
    let source = r#"
module @m {
  func.func @f(%e4: tensor<4xf8E4M3FN>, %e5: tensor<4xf8E5M2>, %b: tensor<4xi1>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf8E4M3FN>, tensor<4xi1>) {
    %f4 = stablehlo.convert %e4 : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
    %f5 = stablehlo.convert %e5 : (tensor<4xf8E5M2>) -> tensor<4xf32>
    %sum = stablehlo.add %f4, %f4 : tensor<4xf32>
    %e = stablehlo.convert %sum : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
    %not = stablehlo.not %b : tensor<4xi1>
    return %f4, %f5, %e, %not : tensor<4xf32>, tensor<4xf32>, tensor<4xf8E4M3FN>, tensor<4xi1>
  }
}
"#;
    let runtime = runtime();
    let function = load(&runtime, compile(source), &[]).function("m.f").expect("exported");
    let upload = |t, bytes: &[u8]| Argument::Give(runtime.upload(&[4], t, bytes).expect("uploads"));
    let results = function.call(vec![
        upload(ElementType::F8E4M3Fn, &[0x38, 0x40, 0xb8, 0x30]),
        upload(ElementType::F8E5M2, &[0x3c, 0x40, 0xbc, 0x38]),
        upload(ElementType::Bool, &[0, 1, 1, 0]),
    ]);
    let results: Vec<_> =
        results.expect("runs").into_iter().filter_map(Value::into_buffer).collect();
    assert_eq!(results[0].read::<f32>().expect("reads"), [1.0, 2.0, -1.0, 0.5]);
    assert_eq!(results[1].read::<f32>().expect("reads"), [1.0, 2.0, -1.0, 0.5]);
    assert_eq!(results[2].element_type(), ElementType::F8E4M3Fn);
    assert_eq!(results[2].read::<u8>().expect("reads"), [0x40, 0x48, 0xc0, 0x38]);
    assert_eq!(results[3].element_type(), ElementType::Bool);
    assert_eq!(results[3].read::<u8>().expect("reads"), [1, 0, 0, 1]);
}

const ADD_ONE: &str = r#"
module @m {
  func.func @step(%x: tensor<1000xi32> {iree.abi.consume}) -> tensor<1000xi32> {
    %one = stablehlo.constant dense<1> : tensor<1000xi32>
    %y = stablehlo.add %x, %one : tensor<1000xi32>
    return %y : tensor<1000xi32>
  }
}
"#;

/// Starts 50 dependent steps and waits for the last only.
fn chain(runtime: &Runtime, step: &Function) -> (Vec<Fence>, Buffer) {
    let mut x = runtime.zeros(&[1000], ElementType::I32).expect("allocates");
    let mut fences = Vec::new();
    for _ in 0..50 {
        let (values, fence) = step.start(vec![x.into()]).expect("starts");
        x = only_buffer(values);
        fences.push(fence);
    }
    (fences, x)
}

#[test]
fn started_calls_run_in_order() {
    for driver in [Driver::CpuThreads, Driver::CpuInline] {
        let runtime =
            Runtime::new(&RuntimeOptions { driver, ..Default::default() }).expect("opens");
        let step =
            load(&runtime, compile_async(ADD_ONE), &[]).function("m.step").expect("exported");
        assert!(step.info().asynchronous);
        assert_eq!((step.info().arguments, step.info().results), (1, 1));
        let (fences, x) = chain(&runtime, &step);
        fences.last().expect("50 steps").wait().expect("succeeds");
        assert!(fences.iter().all(|f| f.is_done().expect("succeeds")));
        assert_eq!(x.read::<i32>().expect("reads"), vec![50; 1000]);
        // Host access waits by itself.
        let (fences, x) = chain(&runtime, &step);
        assert_eq!(x.read::<i32>().expect("reads"), vec![50; 1000]);
        assert!(fences[49].is_done().expect("succeeds"));
    }
}

#[test]
fn things_move_between_threads() {
    fn sendable<T: Send + Sync>() {}
    sendable::<(Runtime, Program, Function, Buffer, Fence, Parameters)>();
    let runtime = runtime();
    let step = load(&runtime, compile_async(ADD_ONE), &[]).function("m.step").expect("exported");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let (_, x) = chain(&runtime, &step);
                assert_eq!(x.read::<i32>().expect("reads"), vec![50; 1000]);
            });
        }
    });
}

#[test]
fn results_outlive_their_program_and_runtime() {
    let source = r#"
module @m {
  func.func @table() -> tensor<1024xi32> {
    %t = stablehlo.iota dim = 0 : tensor<1024xi32>
    %c = stablehlo.constant dense<[3, 1, 4, 1]> : tensor<4xi32>
    return %t : tensor<1024xi32>
  }
  func.func @constant() -> tensor<4xi32> {
    %c = stablehlo.constant dense<[3, 1, 4, 1]> : tensor<4xi32>
    return %c : tensor<4xi32>
  }
}
"#;
    let [table, constant] = {
        let program = load(&runtime(), compile_with(source, &[]), &[]);
        ["m.table", "m.constant"].map(|name| {
            let function = program.function(name).expect("exported");
            only_buffer(function.call(Vec::new()).expect("runs"))
        })
    };
    assert_eq!(constant.read::<i32>().expect("reads"), [3, 1, 4, 1]);
    assert!(table.read::<i32>().expect("reads").into_iter().eq(0..1024));
}

#[test]
fn buffers_are_written_and_mapped_in_part() {
    let runtime = runtime();
    let buffer = runtime.upload_slice(&[2, 3], &[0i32, 1, 2, 3, 4, 5]).expect("uploads");
    buffer.write(4, &[40i32]).expect("writes");
    buffer.write_bytes(0, &7i32.to_le_bytes()).expect("writes");
    let mut two = [0; 8];
    buffer.read_bytes(12, &mut two).expect("reads");
    assert_eq!(elements::<i32>(&two), [3, 40]);
    buffer.map_mut(|bytes| bytes[4] = 9).expect("maps");
    let sum = buffer.map(|bytes| bytes.iter().map(|b| u32::from(*b)).sum::<u32>());
    assert_eq!(sum.expect("maps"), 7 + 9 + 2 + 3 + 40 + 5);
    let copy = runtime.zeros(&[4], ElementType::I32).expect("allocates");
    copy.copy_from(4, &buffer, 12, 8).expect("copies");
    assert_eq!(copy.read::<i32>().expect("reads"), [0, 3, 40, 0]);
    assert!(
        copy.copy_from(12, &buffer, 0, 8).is_err() && copy.copy_from(0, &buffer, 20, 8).is_err()
    );
    buffer.fill_zero().expect("zeroes");
    assert_eq!(buffer.read::<i32>().expect("reads"), [0; 6]);
    let twin = buffer.clone();
    assert_eq!(twin.allocation_id(), buffer.allocation_id());
    let other = runtime.zeros(&[2, 3], ElementType::I32).expect("allocates");
    assert_ne!(other.allocation_id(), buffer.allocation_id());
    let scalar = runtime.upload_slice(&[], &[5.0f32]).expect("uploads");
    assert_eq!((scalar.shape(), scalar.byte_length()), (&[][..], 4));
    let empty = runtime.upload_slice::<f32>(&[0, 8], &[]).expect("uploads");
    assert_eq!(empty.read::<f32>().expect("reads"), [0.0; 0]);
}

#[test]
fn statistics_count_what_the_host_made() {
    let runtime = runtime();
    let start = runtime.statistics();
    let small = runtime.zeros(&[1000], ElementType::U8).expect("allocates");
    let large = runtime.zeros(&[1 << 22], ElementType::U8).expect("allocates");
    let full = runtime.statistics();
    assert_eq!(full.bytes_in_use - start.bytes_in_use, 1000 + (1 << 22));
    drop((small, large));
    runtime.trim().expect("trims");
    let end = runtime.statistics();
    assert_eq!((end.bytes_in_use, end.bytes_allocated), (start.bytes_in_use, full.bytes_allocated));
}
