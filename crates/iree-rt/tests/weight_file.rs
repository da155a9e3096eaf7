//! Programs that take a whole weight file as one parameter of bytes and update their arguments
//! in place, on the driver that runs in the calling thread. Alone in its process: it weighs the
//! process.

mod support;

use std::io::Write;

use support::{compile, compile_async, load};
use tyto_iree_rt::{
    Argument, Buffer, Driver, ElementType, MappedFile, ParameterEntry, Parameters, Runtime,
    RuntimeOptions, Value,
};

const MIB: usize = 1 << 20;
const BYTES: usize = 64 * MIB;

/// Reads four bytes of the weights at `at`, and adds the team's number to the pool's block
/// `at`; the rows are bytes, and both are updated in place.
fn source() -> String {
    format!(
        r#"
module @m {{
  util.global private @w = #flow.parameter.named<"model"::"weights"> : tensor<{BYTES}xi8>
  func.func @step(%at: tensor<1xi32>, %team: tensor<1xi64>,
      %cache: tensor<?x64xi8> {{iree.abi.output = 0 : index}},
      %logits: tensor<2x4xf32> {{iree.abi.output = 1 : index}}) -> (tensor<?x64xi8>, tensor<2x4xf32>) {{
    %w = util.global.load @w : tensor<{BYTES}xi8>
    %i = stablehlo.reshape %at : (tensor<1xi32>) -> tensor<i32>
    %four = stablehlo.dynamic_slice %w, %i, sizes = [4] : (tensor<{BYTES}xi8>, tensor<i32>) -> tensor<4xi8>
    %float = stablehlo.convert %four : (tensor<4xi8>) -> tensor<4xf32>
    %both = stablehlo.broadcast_in_dim %float, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    %byte = stablehlo.convert %team : (tensor<1xi64>) -> tensor<1xi8>
    %row = stablehlo.broadcast_in_dim %byte, dims = [0] : (tensor<1xi8>) -> tensor<1x64xi8>
    %index = stablehlo.reshape %at : (tensor<1xi32>) -> tensor<1x1xi32>
    %new = "stablehlo.scatter"(%cache, %index, %row) ({{
      ^bb0(%old: tensor<i8>, %value: tensor<i8>):
        %sum = stablehlo.add %old, %value : tensor<i8>
        stablehlo.return %sum : tensor<i8>
    }}) {{indices_are_sorted = true, unique_indices = true,
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}
      : (tensor<?x64xi8>, tensor<1x1xi32>, tensor<1x64xi8>) -> tensor<?x64xi8>
    return %new, %both : tensor<?x64xi8>, tensor<2x4xf32>
  }}
}}
"#
    )
}

fn weight(at: usize) -> u8 {
    (at % 127) as u8
}

/// Anonymous memory of this process: what is not backed by a file.
fn anonymous_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find(|l| l.starts_with("RssAnon:")).expect("Linux has it");
    let kib: usize = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number");
    kib * 1024
}

fn check(code: Vec<u8>, path: &std::path::Path) {
    let options = RuntimeOptions { driver: Driver::CpuInline, ..Default::default() };
    let runtime = Runtime::new(&options).expect("the CPU is always there");
    let before = anonymous_bytes();
    let file = MappedFile::open(path).expect("opens");
    file.will_need();
    let length = file.len() as u64;
    let whole = ParameterEntry { name: "weights".into(), file, offset: 0, length };
    let parameters = Parameters::new("model", [whole]).expect("is valid");
    let function = load(&runtime, code, &[parameters]).function("m.step").expect("exported");

    // Larger than what is taken from the heap; bytes are signless to a program.
    let cache = runtime.zeros(&[1 << 20, 64], ElementType::I8).expect("allocates");
    let logits = runtime.zeros(&[2, 4], ElementType::F32).expect("allocates");
    let at = runtime.zeros(&[1], ElementType::I32).expect("allocates");
    let team = runtime.upload_slice(&[1], &[(1i64 << 40) + 3]).expect("uploads");
    for (step, place) in [0, 77, MIB - 1, 77].into_iter().enumerate() {
        at.write(0, &[place as i32]).expect("writes");
        let arguments = [&at, &team, &cache, &logits].map(Argument::Lend).to_vec();
        let results: Vec<Buffer> =
            function.call(arguments).expect("runs").into_iter().map(buffer).collect();
        for (result, lent) in results.iter().zip([&cache, &logits]) {
            assert_eq!(result.allocation_id(), lent.allocation_id(), "step {step} is not in place");
        }
        // The caller's own buffer holds the result, and can be read where it is.
        let expected: Vec<f32> = (0..8).map(|i| f32::from(weight(place + i % 4))).collect();
        assert_eq!(logits.read::<f32>().expect("reads"), expected);
        logits
            .map(|bytes| assert_eq!(bytes, bytemuck::cast_slice::<f32, u8>(&expected)))
            .expect("maps");
        let mut block = [0; 64];
        cache.read_bytes(place * 64, &mut block).expect("reads");
        assert_eq!(block, [if step == 3 { 6 } else { 3 }; 64]);
    }
    let grown = anonymous_bytes().saturating_sub(before);
    assert!(grown < 8 * MIB, "{grown} bytes of anonymous memory beside {BYTES} of weights");
}

fn buffer(value: Value) -> Buffer {
    value.into_buffer().expect("results are buffers")
}

#[test]
fn a_weight_file_is_one_parameter_without_a_copy() {
    let directory = tempfile::tempdir().expect("creates");
    let path = directory.path().join("model.bin");
    let bytes: Vec<u8> = (0..BYTES).map(weight).collect();
    std::fs::File::create(&path).and_then(|mut file| file.write_all(&bytes)).expect("writes");
    drop(bytes);
    check(compile(&source()), &path);
    check(compile_async(&source()), &path);
}
