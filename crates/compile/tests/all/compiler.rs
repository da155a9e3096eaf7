//! What IREE is asked to compile beyond what the product needs today: forms that broke other
//! engines, under every choice that changes how they are compiled. The programs are tiny.

use tyto_artifact::EntryKind;
use tyto_compile::{Target, module_flags};
use tyto_iree_rt::{Code, Compiler, ElementType, Program, Runtime, RuntimeOptions, Value};

/// Batches, rows, inner size and columns of the product.
const SIZES: [usize; 4] = [32, 5, 64, 7];

fn compiler() -> Compiler {
    Compiler::find(None).unwrap_or_else(|error| panic!("{error}"))
}

/// A batched product whose rows and columns are `rows` and `columns`, `?` for any.
fn product(rows: &str, columns: &str) -> String {
    let [batch, _, inner, _] = SIZES;
    let left = format!("tensor<{batch}x{rows}x{inner}xf32>");
    let right = format!("tensor<{batch}x{inner}x{columns}xf32>");
    let result = format!("tensor<{batch}x{rows}x{columns}xf32>");
    format!(
        "module @m {{
           func.func @product(%a: {left}, %b: {right}) -> {result} {{
             %c = stablehlo.dot_general %a, %b, batching_dims = [0] x [0],
               contracting_dims = [2] x [1] : ({left}, {right}) -> {result}
             return %c : {result}
           }}
         }}"
    )
}

/// F4: batched products compile and are right, of known and of unknown sizes, with and without
/// data tiling (prefill and decode), with and without IREE's own micro-kernels. Values are
/// small integers, so that every order of summation gives the same.
#[test]
fn batched_products_of_any_size_compile_and_are_right_f4() {
    let [batch, rows, inner, columns] = SIZES;
    let values = |count: usize| (0..count).map(|index| (index * 7 % 11) as f32 - 5.0).collect();
    let left: Vec<f32> = values(batch * rows * inner);
    let right: Vec<f32> = values(batch * inner * columns);
    let element = |index: usize| {
        let (row, column) = (index / columns, index % columns);
        let batch = row / rows;
        let term = |k: usize| left[row * inner + k] * right[(batch * inner + k) * columns + column];
        (0..inner).map(term).sum::<f32>()
    };
    let expected: Vec<f32> = (0..batch * rows * columns).map(element).collect();
    for text in [product("?", "?"), product("5", "7")] {
        for kind in [EntryKind::Decode, EntryKind::Prefill] {
            for kernels in ["none", "all"] {
                let mut flags = module_flags(Target::CpuHost, kind, 32);
                flags.push(format!("--iree-llvmcpu-enable-ukernels={kernels}"));
                let found = multiply(&text, &flags, &left, &right);
                assert!(found == expected, "wrong with {flags:?}:\n{text}");
            }
        }
    }
}

/// Compiles a product and runs it.
fn multiply(text: &str, flags: &[String], left: &[f32], right: &[f32]) -> Vec<f32> {
    let [batch, rows, inner, columns] = SIZES;
    let code = compiler().compile(text.as_bytes(), flags);
    let code = code.unwrap_or_else(|error| panic!("{flags:?}: {error}"));
    let options = RuntimeOptions { threads: Some(2), ..Default::default() };
    let runtime = Runtime::new(&options).expect("the CPU is always there");
    let program = Program::load(&runtime, [Code::from(code)], &[]).expect("loads");
    let upload = |shape: &[usize], values: &[f32]| {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        runtime.upload(shape, ElementType::F32, &bytes).expect("uploads")
    };
    let (left, right) =
        (upload(&[batch, rows, inner], left), upload(&[batch, inner, columns], right));
    let function = program.function("m.product").expect("is there");
    let results = function.call(vec![left.into(), right.into()]);
    let result = results.unwrap_or_else(|error| panic!("{flags:?}: {error}")).remove(0);
    let floats = |bytes: &[u8]| -> Vec<f32> {
        let values = bytes.chunks_exact(4);
        values.map(|value| f32::from_le_bytes(value.try_into().expect("4 bytes"))).collect()
    };
    Value::into_buffer(result).expect("a tensor").map(floats).expect("reads")
}

/// A softmax over the last axis of a tensor with any number of rows.
/// As IREE's own op: StableHLO's dynamic broadcasts are refused before any target is asked.
const SOFTMAX: &str = "module @m {
  func.func @softmax(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
    %zero = arith.constant 0 : index
    %rows = tensor.dim %x, %zero : tensor<?x64xf32>
    %empty = tensor.empty(%rows) : tensor<?x64xf32>
    %y = linalg.softmax dimension(1) ins(%x : tensor<?x64xf32>) outs(%empty : tensor<?x64xf32>)
      -> tensor<?x64xf32>
    return %y : tensor<?x64xf32>
  }
}";

/// F5: a softmax with any number of rows compiles for the GPUs that later targets are for; no
/// GPU is needed to compile.
#[test]
fn a_softmax_of_any_number_of_rows_compiles_for_gpus_f5() {
    let compiler = compiler();
    for target in [
        ["--iree-hal-target-backends=rocm", "--iree-rocm-target=gfx1151"],
        ["--iree-hal-target-backends=cuda", "--iree-cuda-target=sm_80"],
    ] {
        let flags = target.map(str::to_owned);
        let code = compiler.compile(SOFTMAX.as_bytes(), &flags);
        let code = code.unwrap_or_else(|error| panic!("{target:?}: {error}"));
        assert!(!code.is_empty(), "{target:?}");
    }
}

/// F5: what the compiler refuses is an error that names the op and the place in the program,
/// and the process goes on.
#[test]
fn what_cannot_be_compiled_names_the_op_f5() {
    let compiler = compiler();
    let wrong = "func.func @f(%x: tensor<4xf32>) -> tensor<5xf32> {
      %y = stablehlo.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
      return %y : tensor<5xf32>
    }";
    let flags = module_flags(Target::CpuHost, EntryKind::Decode, 1);
    let message = compiler.compile(wrong.as_bytes(), &flags).expect_err("refused").to_string();
    assert!(message.contains("stablehlo.add") && message.contains(":2:"), "{message}");
    compiler.compile(product("5", "7").as_bytes(), &flags).expect("the next one compiles");
}
