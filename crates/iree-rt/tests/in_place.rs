//! Arguments that are updated in place: the paged pool is never copied.

mod support;

use support::{compile, compile_async, compiler, cpu_flags, load, runtime};
use tyto_iree_rt::{Argument, Buffer, ElementType, Function, Phase, Value};

/// One row written into a pool of pages by a scatter with an index tensor.
fn pool_step(attribute: &str, pages: usize) -> String {
    format!(
        r#"
module @m {{
  func.func @step(%pool: tensor<{pages}x16x64xf16> {attribute}, %at: tensor<1x2xi32>, %row: tensor<1x64xf16>)
      -> (tensor<1x64xf16>, tensor<{pages}x16x64xf16>) {{
    %new = "stablehlo.scatter"(%pool, %at, %row) ({{
      ^bb0(%old: tensor<f16>, %value: tensor<f16>): stablehlo.return %value : tensor<f16>
    }}) {{indices_are_sorted = true, unique_indices = true,
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
          inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}
      : (tensor<{pages}x16x64xf16>, tensor<1x2xi32>, tensor<1x64xf16>) -> tensor<{pages}x16x64xf16>
    %twice = stablehlo.add %row, %row : tensor<1x64xf16>
    return %twice, %new : tensor<1x64xf16>, tensor<{pages}x16x64xf16>
  }}
}}
"#
    )
}

const CONSUME: &str = "{iree.abi.consume}";
const OUTPUT: &str = "{iree.abi.output = 1 : index}";

/// Runs `steps` steps over pages 0, 1, … and checks identity and every value at the end.
fn run_steps(function: &Function, pool: Buffer, pages: usize, steps: usize, lend: bool) {
    let runtime = runtime_of(&pool);
    // A second handle keeps the first allocation alive, so its identity cannot come again.
    let first = pool.clone();
    let mut pool = pool;
    for step in 0..steps {
        let at = [(step % pages) as i32, (step % 16) as i32];
        let at = runtime.upload_slice(&[1, 2], &at).expect("uploads");
        let row = [half::f16::from_f32(step as f32 + 1.0); 64];
        let row = runtime.upload_slice(&[1, 64], &row).expect("uploads");
        let given = if lend { Argument::Lend(&pool) } else { Argument::Give(pool.clone()) };
        let results = function.call(vec![given, (&at).into(), (&row).into()]).expect("runs");
        let mut results = results.into_iter().filter_map(Value::into_buffer);
        results.next().expect("two results");
        pool = results.next().expect("two results");
        assert_eq!(pool.allocation_id(), first.allocation_id(), "step {step} moved the pool");
    }
    let found = first.read::<half::f16>().expect("reads");
    let mut wanted = vec![0.0; pages * 16];
    for step in 0..steps {
        wanted[(step % pages) * 16 + step % 16] = step as f32 + 1.0;
    }
    for (row, wanted) in wanted.iter().enumerate() {
        let row_found = &found[row * 64..(row + 1) * 64];
        assert!(row_found.iter().all(|v| v.to_f32() == *wanted), "row {row}: {row_found:?}");
    }
}

thread_local! {
    static RUNTIME: tyto_iree_rt::Runtime = runtime();
}

fn runtime_of(_pool: &Buffer) -> tyto_iree_rt::Runtime {
    RUNTIME.with(Clone::clone)
}

fn check(code: Vec<u8>, lend: bool) {
    let runtime = RUNTIME.with(Clone::clone);
    let step = load(&runtime, code, &[]).function("m.step").expect("exported");
    let pool = runtime.zeros(&[64, 16, 64], ElementType::F16).expect("allocates");
    run_steps(&step, pool, 64, 100, lend);
}

#[test]
fn consumed_pool_stays_in_place() {
    check(compile(&pool_step(CONSUME, 64)), false);
}

#[test]
fn consumed_pool_stays_in_place_when_lent() {
    check(compile(&pool_step(CONSUME, 64)), true);
}

#[test]
fn output_pool_stays_in_place() {
    check(compile(&pool_step(OUTPUT, 64)), false);
}

#[test]
fn asynchronous_pool_stays_in_place() {
    check(compile_async(&pool_step(CONSUME, 64)), false);
    check(compile_async(&pool_step(OUTPUT, 64)), false);
}

#[test]
fn compiled_step_has_no_copy() {
    for attribute in [CONSUME, OUTPUT] {
        let flags = cpu_flags(&["--iree-execution-model=async-external"]);
        let source = pool_step(attribute, 64);
        let text = compiler().lower(source.as_bytes(), &flags, Phase::Stream).expect("lowers");
        assert!(text.contains("stream.cmd.dispatch"), "not at the stream phase:\n{text}");
        assert!(!text.contains("stream.cmd.copy"), "{attribute} copies:\n{text}");
        assert!(!text.contains("stream.resource.load"), "{attribute} reads back:\n{text}");
    }
}

#[test]
fn check_for_copies_sees_one() {
    // Reading the old pool after the update forces a copy.
    let source = pool_step(CONSUME, 64).replace(
        "return %twice",
        "%i = stablehlo.constant dense<0> : tensor<i32>
    %old = stablehlo.dynamic_slice %pool, %i, %i, %i, sizes = [1, 1, 64]
      : (tensor<64x16x64xf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x64xf16>
    %flat = stablehlo.reshape %old : (tensor<1x1x64xf16>) -> tensor<1x64xf16>
    %sum = stablehlo.add %flat, %twice_ : tensor<1x64xf16>
    return %sum",
    );
    let source = source.replace("%twice = ", "%twice_ = ");
    let text = compiler().lower(source.as_bytes(), &cpu_flags(&[]), Phase::Stream).expect("lowers");
    assert!(text.contains("stream.cmd.copy"), "no copy where one is needed:\n{text}");
}
