//! The phases of a decoder, as print-outs.

use tyto_graph::{
    Binary, BlockCode, BlockForm, BlockLayout, BlockScale, DType, Layout, Literal, Op, Unary,
};

use tyto_phase_program::{GpuOptions, Program, plan_for_gpu};

use crate::decoder::{Decoder, LAYERS, Options, VOCABULARY, places, planned};

fn printed(options: &Options) -> String {
    planned(&Decoder::whole(options), options).expect("every op is native").to_string()
}

#[test]
fn a_layer_of_a_decoding_step_is_five_phases() {
    let options = Options::new(2, 1, 2);
    let program = planned(&Decoder::whole(&options), &options).expect("every op is native");
    assert_eq!(program.phase_count(), 5 * LAYERS + 1);
    assert_eq!(program.to_string(), include_str!("decode.txt"));
}

#[test]
fn a_prompt_has_row_operations_in_phases_of_their_own() {
    assert_eq!(printed(&Options::new(1, 48, 1)), include_str!("prefill.txt"));
}

/// The phases are the same whatever the format of weights and cache.
#[test]
fn formats_do_not_change_the_phases() {
    let blocks = BlockLayout {
        code: BlockCode::Unsigned(4),
        group: 32,
        scale: BlockScale::F16,
        form: BlockForm::Middle,
        row_scale: false,
    };
    let formats = [
        (Layout::Tiled { n: 16, k: 1 }, DType::F16, DType::F16),
        (Layout::Tiled { n: 16, k: 2 }, DType::BF16, DType::BF16),
    ];
    for (layout, weight, cache) in formats {
        let options = Options { layout, weight, cache, ..Options::new(2, 1, 2) };
        assert_eq!(printed(&options), include_str!("decode.txt"), "{layout} {weight}");
    }
    // Inner sizes of the decoder are no multiple of the group, so one product stands for all.
    let options =
        Options { layout: Layout::Blocks(blocks), weight: DType::U8, ..Options::new(2, 1, 2) };
    let mut decoder = Decoder::new(&options);
    let x = decoder.embedded();
    let y = decoder.linear("w", x, 40);
    let program = decoder.planned(y).expect("blocks are native").to_string();
    assert_eq!(program, "0: [embed(32) pack(32)] linear w 40x32\n");
}

/// Beyond eight sequences, workers divide the rows of a decoding step, too.
#[test]
fn large_batches_have_phases_of_rows() {
    let few = planned(&Decoder::whole(&Options::new(8, 1, 8)), &Options::new(8, 1, 8));
    let many = planned(&Decoder::whole(&Options::new(9, 1, 9)), &Options::new(9, 1, 9));
    let (few, many) = (few.expect("native"), many.expect("native"));
    assert_eq!(few.phase_count(), 5 * LAYERS + 1);
    assert!(many.phase_count() > few.phase_count());
    assert!(many.to_string().lines().any(|line| line.ends_with(']')), "{many}");
}

/// What a later phase reads through a slice is stored, not computed again.
#[test]
fn a_value_is_computed_once_for_several_phases() {
    let options = Options::new(2, 1, 2);
    let mut decoder = Decoder::new(&options);
    let x = decoder.embedded();
    let normal = decoder.norm("norm", x);
    let half = decoder.columns(normal, 0, 16);
    let first = decoder.linear("first", half, 16);
    let bent = decoder.add(Op::Unary(Unary::Tanh), &[half]);
    let second = decoder.linear("second", bent, 16);
    let sum = decoder.binary(Binary::Add, first, second);
    let program = decoder.planned(sum).expect("native").to_string();
    let expected = "0: [embed(32) norm(32) copy!(32) pack(16)] linear first 16x16\n\
                    1: [unary(16) pack(16)] linear second 16x16\n\
                    2: [binary(16) copy(16)]\n";
    assert_eq!(program, expected);
}

/// What a trial has placed is not taken for placed when it is planned after all.
#[test]
fn constants_of_a_trial_are_in_the_program_on_a_gpu() {
    let options = Options::new(1, 1, 1);
    let mut decoder = Decoder::new(&options);
    let x = decoder.embedded();
    let first = decoder.linear("first", x, 16);
    let scales: Vec<f32> = (0..16).map(|index| 0.625 + index as f32).collect();
    let bytes: Vec<u8> = scales.iter().flat_map(|scale| scale.to_le_bytes()).collect();
    let scales = decoder.add(Op::Constant(Literal::Vector(scales)), &[]);
    // A norm, which no product computes behind its own rows: the attempt to do so is given up.
    let normal = decoder.add(Op::RmsNorm { epsilon: 1e-5, offset: 0.0 }, &[first, scales]);
    let second = decoder.linear("second", normal, 16);
    decoder.graph.add_output("logits", second);
    let graph = decoder.graph;
    let program = plan_for_gpu(&graph, options.sizes, &places(&graph), GpuOptions::default())
        .expect("native");
    assert!(program.bytes.windows(bytes.len()).any(|window| window == bytes), "{program}");
}

/// Two launches of workgroups for each 1024 logits of each row, behind the product that writes the logits.
#[test]
fn digests_follow_the_logits_on_a_gpu() {
    const PITCH: usize = 160;
    let options = Options::new(3, 1, 3);
    let graph = Decoder::whole(&options);
    let plain = plan_for_gpu(&graph, options.sizes, &places(&graph), GpuOptions::default())
        .expect("native");
    let digests = GpuOptions { digest_pitch: Some(PITCH), ..GpuOptions::default() };
    let program = plan_for_gpu(&graph, options.sizes, &places(&graph), digests);
    let program = program.expect("native");
    let count = plain.phase_count();
    let behind = format!("{count}: sampled [] digest of 40\n{}: sampled [] weigh 40\n", count + 1);
    assert_eq!(program.to_string(), format!("{plain}{behind}"));
    let launches: Vec<(&str, [u32; 3])> =
        program.launches.iter().map(|one| (&*one.kernel, one.grid)).collect();
    assert_eq!(launches[count..], [("ty_digest", [1, 3, 1]), ("ty_weigh", [1, 3, 1])]);
    assert!(PITCH > VOCABULARY && plain.shared_bytes <= program.shared_bytes);
}

/// Rows of one step may be tokens of one sequence, which see each other: all of them are appended in the
/// launch before attention. One row is appended in attention's own launch.
#[test]
fn several_rows_are_appended_before_attention_on_a_gpu() {
    let lines = |batch: usize| -> Vec<String> {
        let options = Options::new(batch, 1, batch);
        let graph = Decoder::whole(&options);
        let program: Program =
            plan_for_gpu(&graph, options.sizes, &places(&graph), GpuOptions::default())
                .expect("native");
        program
            .to_string()
            .lines()
            .map(|line| line.split_once(": ").expect("a number").1.to_owned())
            .collect()
    };
    let (one, several) = (lines(1), lines(4));
    assert!(one.iter().all(|line| !line.contains("append")), "{one:#?}");
    for layer in 0..LAYERS {
        let attention = format!("[] decode attention {layer}");
        let at = several.iter().position(|line| *line == attention).expect("it has no prologue");
        assert!(several[at - 1].ends_with(" append(16)]"), "{several:#?}");
        let attention = format!("rope(16)] decode attention {layer}");
        assert!(one.iter().any(|line| line.ends_with(&attention)), "{one:#?}");
    }
}

/// Two rows of LDS do for a chain of element-wise operations and the norm behind it: with three, the
/// product would need a launch of rows before it.
#[test]
fn a_gpu_overwrites_rows_that_only_one_operation_reads() {
    const WIDE: usize = 2880;
    let options = Options::new(1, 1, 1);
    let mut decoder = Decoder::new(&options);
    let x = decoder.embedded();
    let first = decoder.linear("first", x, WIDE);
    let bent = decoder.add(Op::Unary(Unary::Tanh), &[first]);
    let sum = decoder.binary(Binary::Add, bent, first);
    let weight = decoder.weight("norm", DType::F32, &[WIDE]);
    let norm = Op::RmsNorm { epsilon: 1e-5, offset: 0.0 };
    let normal = decoder.add(norm, &[sum, weight]);
    let second = decoder.linear("second", normal, 16);
    decoder.graph.add_output("logits", second);
    let places = ["embed", "first", "norm", "second"].into_iter().map(Into::into);
    let places = places.zip((0..).map(|index| index << 20)).collect();
    let program = plan_for_gpu(&decoder.graph, options.sizes, &places, GpuOptions::default())
        .expect("every op is native");
    let expected = "0: [embed(32)] linear first 2880x32\n\
                    1: [unary(2880) binary(2880) norm(2880)] linear second 16x2880\n";
    assert_eq!(program.to_string(), expected);
    assert_eq!(program.private_bytes, 2 * 4 * WIDE as u64);
}
