module @gemma3_text {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x32xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.weight"> : tensor<32x56xf32>, sym_name = "model.layers.0.mlp.down_proj.weight", sym_visibility = "private", type = tensor<32x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj+up_proj.weight"> : tensor<112x32xf32>, sym_name = "model.layers.0.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.0.post_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.pre_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.0.pre_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.0.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<32x48xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<32x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.0.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x32xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.weight"> : tensor<32x56xf32>, sym_name = "model.layers.1.mlp.down_proj.weight", sym_visibility = "private", type = tensor<32x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj+up_proj.weight"> : tensor<112x32xf32>, sym_name = "model.layers.1.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.1.post_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.pre_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.1.pre_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.1.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<32x48xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<32x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.1.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x32xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.input_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.2.input_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.down_proj.weight"> : tensor<32x56xf32>, sym_name = "model.layers.2.mlp.down_proj.weight", sym_visibility = "private", type = tensor<32x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.gate_proj+up_proj.weight"> : tensor<112x32xf32>, sym_name = "model.layers.2.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.post_attention_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.2.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.post_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.2.post_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.pre_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.2.pre_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.k_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.2.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.o_proj.weight"> : tensor<32x48xf32>, sym_name = "model.layers.2.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<32x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.2.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x32xf32>, sym_name = "model.layers.2.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.input_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.3.input_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.down_proj.weight"> : tensor<32x56xf32>, sym_name = "model.layers.3.mlp.down_proj.weight", sym_visibility = "private", type = tensor<32x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.gate_proj+up_proj.weight"> : tensor<112x32xf32>, sym_name = "model.layers.3.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.post_attention_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.3.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.post_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.3.post_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.pre_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.3.pre_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.k_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.3.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.o_proj.weight"> : tensor<32x48xf32>, sym_name = "model.layers.3.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<32x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.q_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.3.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x32xf32>, sym_name = "model.layers.3.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.input_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.4.input_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.mlp.down_proj.weight"> : tensor<32x56xf32>, sym_name = "model.layers.4.mlp.down_proj.weight", sym_visibility = "private", type = tensor<32x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.mlp.gate_proj+up_proj.weight"> : tensor<112x32xf32>, sym_name = "model.layers.4.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.post_attention_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.4.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.post_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.4.post_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.pre_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.4.pre_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.self_attn.k_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.4.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.self_attn.o_proj.weight"> : tensor<32x48xf32>, sym_name = "model.layers.4.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<32x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.self_attn.q_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.4.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.4.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x32xf32>, sym_name = "model.layers.4.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.input_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.5.input_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.mlp.down_proj.weight"> : tensor<32x56xf32>, sym_name = "model.layers.5.mlp.down_proj.weight", sym_visibility = "private", type = tensor<32x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.mlp.gate_proj+up_proj.weight"> : tensor<112x32xf32>, sym_name = "model.layers.5.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.post_attention_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.5.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.post_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.5.post_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.pre_feedforward_layernorm.weight"> : tensor<32xf32>, sym_name = "model.layers.5.pre_feedforward_layernorm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.self_attn.k_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.5.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.self_attn.o_proj.weight"> : tensor<32x48xf32>, sym_name = "model.layers.5.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<32x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.self_attn.q_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.5.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.5.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x32xf32>, sym_name = "model.layers.5.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x32xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<32xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<32xf32>} : () -> ()
  func.func @prefill(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>, %arg2: tensor<8x2xi32>, %arg3: tensor<1x2xi32>, %arg4: tensor<1xi32>, %arg5: tensor<?x8x2x12xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x12xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x12xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x12xf32> {iree.abi.output = 4 : index}, %arg9: tensor<?x8x2x12xf32> {iree.abi.output = 5 : index}, %arg10: tensor<?x8x2x12xf32> {iree.abi.output = 6 : index}, %arg11: tensor<?x8x2x12xf32> {iree.abi.output = 7 : index}, %arg12: tensor<?x8x2x12xf32> {iree.abi.output = 8 : index}, %arg13: tensor<?x8x2x12xf32> {iree.abi.output = 9 : index}, %arg14: tensor<?x8x2x12xf32> {iree.abi.output = 10 : index}, %arg15: tensor<?x8x2x12xf32> {iree.abi.output = 11 : index}, %arg16: tensor<?x8x2x12xf32> {iree.abi.output = 12 : index}) -> (tensor<1x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.215443462, 0.0464158878, 0.00999999977, 0.0021544348, 4.64158889E-4]> : tensor<6xf32>} : () -> tensor<6xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<8x6xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<8xi32>) -> tensor<8xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x8x6xf32>, tensor<1x8x6xf32>) -> tensor<2x8x6xf32>
    %10 = "stablehlo.constant"() {value = dense<[1.250000e-01, 1.250000e-02, 1.250000e-03, 1.250000e-04, 1.250000e-05, 1.250000e-06]> : tensor<6xf32>} : () -> tensor<6xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<8x6xf32>
    %12 = "stablehlo.multiply"(%3, %11) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %13 = "stablehlo.cosine"(%12) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
    %15 = "stablehlo.sine"(%12) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %16 = "stablehlo.reshape"(%15) : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
    %17 = "stablehlo.concatenate"(%14, %16) {dimension = 0 : i64} : (tensor<1x8x6xf32>, tensor<1x8x6xf32>) -> tensor<2x8x6xf32>
    %18 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x32xf32>
    %19 = "stablehlo.gather"(%18, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>} : (tensor<128x32xf32>, tensor<8xi32>) -> tensor<8x32xf32>
    %20 = "stablehlo.constant"() {value = dense<5.65685415> : tensor<8x32xf32>} : () -> tensor<8x32xf32>
    %21 = "stablehlo.multiply"(%19, %20) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %22 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<32xf32>
    %23 = "stablehlo.multiply"(%21, %21) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %24 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%23, %24) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.constant"() {value = dense<3.200000e+01> : tensor<8xf32>} : () -> tensor<8xf32>
    %27 = "stablehlo.divide"(%25, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8xf32>} : () -> tensor<8xf32>
    %29 = "stablehlo.add"(%27, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.rsqrt"(%29) : (tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %32 = "stablehlo.multiply"(%21, %31) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %33 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<32xf32>} : () -> tensor<32xf32>
    %34 = "stablehlo.add"(%22, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %36 = "stablehlo.multiply"(%32, %35) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %37 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %38 = "stablehlo.dot_general"(%36, %37) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<96x32xf32>) -> tensor<8x96xf32>
    %39 = "stablehlo.slice"(%38) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x48xf32>
    %40 = "stablehlo.reshape"(%39) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %41 = "util.global.load"() {global = @model.layers.0.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %42 = "stablehlo.multiply"(%40, %40) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %43 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %44 = "stablehlo.reduce"(%42, %43) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x12xf32>, tensor<f32>) -> tensor<8x4xf32>
    %45 = "stablehlo.constant"() {value = dense<1.200000e+01> : tensor<8x4xf32>} : () -> tensor<8x4xf32>
    %46 = "stablehlo.divide"(%44, %45) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %47 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8x4xf32>} : () -> tensor<8x4xf32>
    %48 = "stablehlo.add"(%46, %47) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %49 = "stablehlo.rsqrt"(%48) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x12xf32>
    %51 = "stablehlo.multiply"(%40, %50) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %52 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<12xf32>} : () -> tensor<12xf32>
    %53 = "stablehlo.add"(%41, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x4x12xf32>
    %55 = "stablehlo.multiply"(%51, %54) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %56 = "stablehlo.reshape"(%55) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %57 = "stablehlo.reverse"(%56) {dimensions = array<i64: 2>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %58 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 8, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %59 = "stablehlo.reshape"(%58) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %60 = "stablehlo.broadcast_in_dim"(%59) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x6xf32>) -> tensor<8x2x6xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x4x2x6xf32>
    %62 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 8, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %63 = "stablehlo.reshape"(%62) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x6xf32>) -> tensor<8x2x6xf32>
    %65 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %66 = "stablehlo.broadcast_in_dim"(%65) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<8x2x6xf32>
    %67 = "stablehlo.multiply"(%64, %66) : (tensor<8x2x6xf32>, tensor<8x2x6xf32>) -> tensor<8x2x6xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x4x2x6xf32>
    %69 = "stablehlo.multiply"(%56, %61) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %70 = "stablehlo.multiply"(%57, %68) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %71 = "stablehlo.add"(%69, %70) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %72 = "stablehlo.reshape"(%71) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %73 = "stablehlo.slice"(%38) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %74 = "stablehlo.reshape"(%73) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %75 = "util.global.load"() {global = @model.layers.0.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %76 = "stablehlo.multiply"(%74, %74) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %77 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %78 = "stablehlo.reduce"(%76, %77) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x12xf32>, tensor<f32>) -> tensor<8x2xf32>
    %79 = "stablehlo.constant"() {value = dense<1.200000e+01> : tensor<8x2xf32>} : () -> tensor<8x2xf32>
    %80 = "stablehlo.divide"(%78, %79) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %81 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8x2xf32>} : () -> tensor<8x2xf32>
    %82 = "stablehlo.add"(%80, %81) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %83 = "stablehlo.rsqrt"(%82) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %84 = "stablehlo.broadcast_in_dim"(%83) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x12xf32>
    %85 = "stablehlo.multiply"(%74, %84) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %86 = "stablehlo.add"(%75, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %87 = "stablehlo.broadcast_in_dim"(%86) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x2x12xf32>
    %88 = "stablehlo.multiply"(%85, %87) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %89 = "stablehlo.reshape"(%88) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %90 = "stablehlo.reverse"(%89) {dimensions = array<i64: 2>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %91 = "stablehlo.broadcast_in_dim"(%60) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x2x2x6xf32>
    %92 = "stablehlo.broadcast_in_dim"(%67) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x2x2x6xf32>
    %93 = "stablehlo.multiply"(%89, %91) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %94 = "stablehlo.multiply"(%90, %92) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %95 = "stablehlo.add"(%93, %94) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %96 = "stablehlo.reshape"(%95) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %97 = "stablehlo.slice"(%38) {limit_indices = array<i64: 8, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %98 = "stablehlo.reshape"(%97) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %99 = "stablehlo.scatter"(%arg5, %arg2, %96) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %100 = "stablehlo.scatter"(%arg6, %arg2, %98) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %101 = "stablehlo.reshape"(%2) : (tensor<8xf32>) -> tensor<1x8xf32>
    %102 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %103 = "stablehlo.reduce"(%101, %102) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x8xf32>, tensor<f32>) -> tensor<1xf32>
    %104 = "stablehlo.broadcast_in_dim"(%103) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x2xf32>
    %105 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %106 = "stablehlo.broadcast_in_dim"(%105) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<1x2xf32>
    %107 = "stablehlo.compare"(%106, %104) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xi1>
    %108 = "stablehlo.optimization_barrier"(%107) : (tensor<1x2xi1>) -> tensor<1x2xi1>
    %collapsed = tensor.collapse_shape %99 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %109 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %110 = "stablehlo.broadcast_in_dim"(%108) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x2xi1>) -> tensor<1x2x192xi1>
    %111 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x192xf32>} : () -> tensor<1x2x192xf32>
    %112 = "stablehlo.select"(%110, %109, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %113 = "stablehlo.optimization_barrier"(%112) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %114 = "stablehlo.reshape"(%113) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %collapsed_0 = tensor.collapse_shape %100 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %115 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %116 = "stablehlo.select"(%110, %115, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %117 = "stablehlo.optimization_barrier"(%116) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %118 = "stablehlo.reshape"(%117) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %119 = "stablehlo.constant"() {value = dense<0.223606795> : tensor<8x4x12xf32>} : () -> tensor<8x4x12xf32>
    %120 = "stablehlo.multiply"(%72, %119) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %121 = "stablehlo.reshape"(%120) : (tensor<8x4x12xf32>) -> tensor<1x8x2x2x12xf32>
    %122 = "stablehlo.dot_general"(%121, %114) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x16xf32>
    %123 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %124 = "stablehlo.broadcast_in_dim"(%123) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<1x8x16xi32>
    %125 = "stablehlo.reshape"(%arg1) : (tensor<8xi32>) -> tensor<1x8xi32>
    %126 = "stablehlo.broadcast_in_dim"(%125) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %127 = "stablehlo.compare"(%124, %126) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %128 = "stablehlo.constant"() {value = dense<7> : tensor<1x8xi32>} : () -> tensor<1x8xi32>
    %129 = "stablehlo.subtract"(%125, %128) : (tensor<1x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
    %130 = "stablehlo.broadcast_in_dim"(%129) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %131 = "stablehlo.compare"(%124, %130) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %132 = "stablehlo.and"(%127, %131) : (tensor<1x8x16xi1>, tensor<1x8x16xi1>) -> tensor<1x8x16xi1>
    %133 = "stablehlo.broadcast_in_dim"(%132) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x2x8x2x16xi1>
    %134 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %135 = "stablehlo.select"(%133, %122, %134) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %136 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %137 = "stablehlo.reduce"(%135, %136) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %138 = "stablehlo.broadcast_in_dim"(%137) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %139 = "stablehlo.subtract"(%135, %138) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %140 = "stablehlo.exponential"(%139) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %141 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %142 = "stablehlo.reduce"(%140, %141) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %143 = "stablehlo.broadcast_in_dim"(%142) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %144 = "stablehlo.divide"(%140, %143) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %145 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %146 = "stablehlo.select"(%133, %144, %145) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %147 = "stablehlo.dot_general"(%146, %118) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x12xf32>
    %148 = "stablehlo.transpose"(%147) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %149 = "stablehlo.reshape"(%148) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %150 = "stablehlo.reshape"(%149) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %151 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %152 = "stablehlo.dot_general"(%150, %151) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<32x48xf32>) -> tensor<8x32xf32>
    %153 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %154 = "stablehlo.multiply"(%152, %152) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %155 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %156 = "stablehlo.reduce"(%154, %155) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %157 = "stablehlo.divide"(%156, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %158 = "stablehlo.add"(%157, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %159 = "stablehlo.rsqrt"(%158) : (tensor<8xf32>) -> tensor<8xf32>
    %160 = "stablehlo.broadcast_in_dim"(%159) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %161 = "stablehlo.multiply"(%152, %160) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %162 = "stablehlo.add"(%153, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %163 = "stablehlo.broadcast_in_dim"(%162) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %164 = "stablehlo.multiply"(%161, %163) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %165 = "stablehlo.add"(%21, %164) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %166 = "util.global.load"() {global = @model.layers.0.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %167 = "stablehlo.multiply"(%165, %165) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %168 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %169 = "stablehlo.reduce"(%167, %168) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %170 = "stablehlo.divide"(%169, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %171 = "stablehlo.add"(%170, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %172 = "stablehlo.rsqrt"(%171) : (tensor<8xf32>) -> tensor<8xf32>
    %173 = "stablehlo.broadcast_in_dim"(%172) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %174 = "stablehlo.multiply"(%165, %173) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %175 = "stablehlo.add"(%166, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %176 = "stablehlo.broadcast_in_dim"(%175) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %177 = "stablehlo.multiply"(%174, %176) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %178 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %179 = "stablehlo.dot_general"(%177, %178) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<112x32xf32>) -> tensor<8x112xf32>
    %180 = "stablehlo.slice"(%179) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %181 = "stablehlo.slice"(%179) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %182 = "stablehlo.multiply"(%180, %180) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %183 = "stablehlo.multiply"(%182, %180) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %184 = "stablehlo.constant"() {value = dense<4.471500e-02> : tensor<8x56xf32>} : () -> tensor<8x56xf32>
    %185 = "stablehlo.multiply"(%183, %184) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %186 = "stablehlo.add"(%180, %185) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %187 = "stablehlo.constant"() {value = dense<0.797884583> : tensor<8x56xf32>} : () -> tensor<8x56xf32>
    %188 = "stablehlo.multiply"(%186, %187) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %189 = "stablehlo.tanh"(%188) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %190 = "stablehlo.constant"() {value = dense<5.000000e-01> : tensor<8x56xf32>} : () -> tensor<8x56xf32>
    %191 = "stablehlo.multiply"(%180, %190) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %192 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<8x56xf32>} : () -> tensor<8x56xf32>
    %193 = "stablehlo.add"(%189, %192) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %194 = "stablehlo.multiply"(%191, %193) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %195 = "stablehlo.multiply"(%194, %181) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %196 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %197 = "stablehlo.dot_general"(%195, %196) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<32x56xf32>) -> tensor<8x32xf32>
    %198 = "util.global.load"() {global = @model.layers.0.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %199 = "stablehlo.multiply"(%197, %197) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %200 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %201 = "stablehlo.reduce"(%199, %200) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %202 = "stablehlo.divide"(%201, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %203 = "stablehlo.add"(%202, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %204 = "stablehlo.rsqrt"(%203) : (tensor<8xf32>) -> tensor<8xf32>
    %205 = "stablehlo.broadcast_in_dim"(%204) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %206 = "stablehlo.multiply"(%197, %205) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %207 = "stablehlo.add"(%198, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %208 = "stablehlo.broadcast_in_dim"(%207) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %209 = "stablehlo.multiply"(%206, %208) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %210 = "stablehlo.add"(%165, %209) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %211 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<32xf32>
    %212 = "stablehlo.multiply"(%210, %210) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %213 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %214 = "stablehlo.reduce"(%212, %213) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %215 = "stablehlo.divide"(%214, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %216 = "stablehlo.add"(%215, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %217 = "stablehlo.rsqrt"(%216) : (tensor<8xf32>) -> tensor<8xf32>
    %218 = "stablehlo.broadcast_in_dim"(%217) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %219 = "stablehlo.multiply"(%210, %218) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %220 = "stablehlo.add"(%211, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %221 = "stablehlo.broadcast_in_dim"(%220) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %222 = "stablehlo.multiply"(%219, %221) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %223 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %224 = "stablehlo.dot_general"(%222, %223) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<96x32xf32>) -> tensor<8x96xf32>
    %225 = "stablehlo.slice"(%224) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x48xf32>
    %226 = "stablehlo.reshape"(%225) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %227 = "util.global.load"() {global = @model.layers.1.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %228 = "stablehlo.multiply"(%226, %226) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %229 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %230 = "stablehlo.reduce"(%228, %229) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x12xf32>, tensor<f32>) -> tensor<8x4xf32>
    %231 = "stablehlo.divide"(%230, %45) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %232 = "stablehlo.add"(%231, %47) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %233 = "stablehlo.rsqrt"(%232) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %234 = "stablehlo.broadcast_in_dim"(%233) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x12xf32>
    %235 = "stablehlo.multiply"(%226, %234) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %236 = "stablehlo.add"(%227, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %237 = "stablehlo.broadcast_in_dim"(%236) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x4x12xf32>
    %238 = "stablehlo.multiply"(%235, %237) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %239 = "stablehlo.reshape"(%238) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %240 = "stablehlo.reverse"(%239) {dimensions = array<i64: 2>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %241 = "stablehlo.multiply"(%239, %61) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %242 = "stablehlo.multiply"(%240, %68) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %243 = "stablehlo.add"(%241, %242) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %244 = "stablehlo.reshape"(%243) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %245 = "stablehlo.slice"(%224) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %246 = "stablehlo.reshape"(%245) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %247 = "util.global.load"() {global = @model.layers.1.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %248 = "stablehlo.multiply"(%246, %246) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %249 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %250 = "stablehlo.reduce"(%248, %249) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x12xf32>, tensor<f32>) -> tensor<8x2xf32>
    %251 = "stablehlo.divide"(%250, %79) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %252 = "stablehlo.add"(%251, %81) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %253 = "stablehlo.rsqrt"(%252) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %254 = "stablehlo.broadcast_in_dim"(%253) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x12xf32>
    %255 = "stablehlo.multiply"(%246, %254) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %256 = "stablehlo.add"(%247, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %257 = "stablehlo.broadcast_in_dim"(%256) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x2x12xf32>
    %258 = "stablehlo.multiply"(%255, %257) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %259 = "stablehlo.reshape"(%258) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %260 = "stablehlo.reverse"(%259) {dimensions = array<i64: 2>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %261 = "stablehlo.multiply"(%259, %91) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %262 = "stablehlo.multiply"(%260, %92) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %263 = "stablehlo.add"(%261, %262) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %264 = "stablehlo.reshape"(%263) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %265 = "stablehlo.slice"(%224) {limit_indices = array<i64: 8, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %266 = "stablehlo.reshape"(%265) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %267 = "stablehlo.scatter"(%arg7, %arg2, %264) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %268 = "stablehlo.scatter"(%arg8, %arg2, %266) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %collapsed_1 = tensor.collapse_shape %267 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %269 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %270 = "stablehlo.select"(%110, %269, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %271 = "stablehlo.optimization_barrier"(%270) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %272 = "stablehlo.reshape"(%271) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %collapsed_2 = tensor.collapse_shape %268 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %273 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %274 = "stablehlo.select"(%110, %273, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %275 = "stablehlo.optimization_barrier"(%274) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %276 = "stablehlo.reshape"(%275) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %277 = "stablehlo.multiply"(%244, %119) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %278 = "stablehlo.reshape"(%277) : (tensor<8x4x12xf32>) -> tensor<1x8x2x2x12xf32>
    %279 = "stablehlo.dot_general"(%278, %272) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x16xf32>
    %280 = "stablehlo.select"(%133, %279, %134) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %281 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %282 = "stablehlo.reduce"(%280, %281) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %283 = "stablehlo.broadcast_in_dim"(%282) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %284 = "stablehlo.subtract"(%280, %283) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %285 = "stablehlo.exponential"(%284) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %286 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %287 = "stablehlo.reduce"(%285, %286) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %288 = "stablehlo.broadcast_in_dim"(%287) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %289 = "stablehlo.divide"(%285, %288) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %290 = "stablehlo.select"(%133, %289, %145) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %291 = "stablehlo.dot_general"(%290, %276) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x12xf32>
    %292 = "stablehlo.transpose"(%291) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %293 = "stablehlo.reshape"(%292) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %294 = "stablehlo.reshape"(%293) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %295 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %296 = "stablehlo.dot_general"(%294, %295) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<32x48xf32>) -> tensor<8x32xf32>
    %297 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %298 = "stablehlo.multiply"(%296, %296) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %299 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %300 = "stablehlo.reduce"(%298, %299) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %301 = "stablehlo.divide"(%300, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %302 = "stablehlo.add"(%301, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %303 = "stablehlo.rsqrt"(%302) : (tensor<8xf32>) -> tensor<8xf32>
    %304 = "stablehlo.broadcast_in_dim"(%303) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %305 = "stablehlo.multiply"(%296, %304) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %306 = "stablehlo.add"(%297, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %307 = "stablehlo.broadcast_in_dim"(%306) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %308 = "stablehlo.multiply"(%305, %307) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %309 = "stablehlo.add"(%210, %308) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %310 = "util.global.load"() {global = @model.layers.1.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %311 = "stablehlo.multiply"(%309, %309) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %312 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %313 = "stablehlo.reduce"(%311, %312) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %314 = "stablehlo.divide"(%313, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %315 = "stablehlo.add"(%314, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %316 = "stablehlo.rsqrt"(%315) : (tensor<8xf32>) -> tensor<8xf32>
    %317 = "stablehlo.broadcast_in_dim"(%316) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %318 = "stablehlo.multiply"(%309, %317) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %319 = "stablehlo.add"(%310, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %320 = "stablehlo.broadcast_in_dim"(%319) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %321 = "stablehlo.multiply"(%318, %320) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %322 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %323 = "stablehlo.dot_general"(%321, %322) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<112x32xf32>) -> tensor<8x112xf32>
    %324 = "stablehlo.slice"(%323) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %325 = "stablehlo.slice"(%323) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %326 = "stablehlo.multiply"(%324, %324) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %327 = "stablehlo.multiply"(%326, %324) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %328 = "stablehlo.multiply"(%327, %184) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %329 = "stablehlo.add"(%324, %328) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %330 = "stablehlo.multiply"(%329, %187) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %331 = "stablehlo.tanh"(%330) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %332 = "stablehlo.multiply"(%324, %190) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %333 = "stablehlo.add"(%331, %192) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %334 = "stablehlo.multiply"(%332, %333) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %335 = "stablehlo.multiply"(%334, %325) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %336 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %337 = "stablehlo.dot_general"(%335, %336) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<32x56xf32>) -> tensor<8x32xf32>
    %338 = "util.global.load"() {global = @model.layers.1.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %339 = "stablehlo.multiply"(%337, %337) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %340 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %341 = "stablehlo.reduce"(%339, %340) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %342 = "stablehlo.divide"(%341, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %343 = "stablehlo.add"(%342, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %344 = "stablehlo.rsqrt"(%343) : (tensor<8xf32>) -> tensor<8xf32>
    %345 = "stablehlo.broadcast_in_dim"(%344) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %346 = "stablehlo.multiply"(%337, %345) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %347 = "stablehlo.add"(%338, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %348 = "stablehlo.broadcast_in_dim"(%347) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %349 = "stablehlo.multiply"(%346, %348) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %350 = "stablehlo.add"(%309, %349) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %351 = "util.global.load"() {global = @model.layers.2.input_layernorm.weight} : () -> tensor<32xf32>
    %352 = "stablehlo.multiply"(%350, %350) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %353 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %354 = "stablehlo.reduce"(%352, %353) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %355 = "stablehlo.divide"(%354, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %356 = "stablehlo.add"(%355, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %357 = "stablehlo.rsqrt"(%356) : (tensor<8xf32>) -> tensor<8xf32>
    %358 = "stablehlo.broadcast_in_dim"(%357) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %359 = "stablehlo.multiply"(%350, %358) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %360 = "stablehlo.add"(%351, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %361 = "stablehlo.broadcast_in_dim"(%360) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %362 = "stablehlo.multiply"(%359, %361) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %363 = "util.global.load"() {global = @"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %364 = "stablehlo.dot_general"(%362, %363) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<96x32xf32>) -> tensor<8x96xf32>
    %365 = "stablehlo.slice"(%364) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x48xf32>
    %366 = "stablehlo.reshape"(%365) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %367 = "util.global.load"() {global = @model.layers.2.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %368 = "stablehlo.multiply"(%366, %366) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %369 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %370 = "stablehlo.reduce"(%368, %369) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x12xf32>, tensor<f32>) -> tensor<8x4xf32>
    %371 = "stablehlo.divide"(%370, %45) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %372 = "stablehlo.add"(%371, %47) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %373 = "stablehlo.rsqrt"(%372) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %374 = "stablehlo.broadcast_in_dim"(%373) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x12xf32>
    %375 = "stablehlo.multiply"(%366, %374) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %376 = "stablehlo.add"(%367, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %377 = "stablehlo.broadcast_in_dim"(%376) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x4x12xf32>
    %378 = "stablehlo.multiply"(%375, %377) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %379 = "stablehlo.reshape"(%378) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %380 = "stablehlo.reverse"(%379) {dimensions = array<i64: 2>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %381 = "stablehlo.slice"(%17) {limit_indices = array<i64: 1, 8, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %382 = "stablehlo.reshape"(%381) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %383 = "stablehlo.broadcast_in_dim"(%382) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x6xf32>) -> tensor<8x2x6xf32>
    %384 = "stablehlo.broadcast_in_dim"(%383) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x4x2x6xf32>
    %385 = "stablehlo.slice"(%17) {limit_indices = array<i64: 2, 8, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %386 = "stablehlo.reshape"(%385) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %387 = "stablehlo.broadcast_in_dim"(%386) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x6xf32>) -> tensor<8x2x6xf32>
    %388 = "stablehlo.multiply"(%387, %66) : (tensor<8x2x6xf32>, tensor<8x2x6xf32>) -> tensor<8x2x6xf32>
    %389 = "stablehlo.broadcast_in_dim"(%388) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x4x2x6xf32>
    %390 = "stablehlo.multiply"(%379, %384) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %391 = "stablehlo.multiply"(%380, %389) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %392 = "stablehlo.add"(%390, %391) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %393 = "stablehlo.reshape"(%392) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %394 = "stablehlo.slice"(%364) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %395 = "stablehlo.reshape"(%394) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %396 = "util.global.load"() {global = @model.layers.2.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %397 = "stablehlo.multiply"(%395, %395) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %398 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %399 = "stablehlo.reduce"(%397, %398) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x12xf32>, tensor<f32>) -> tensor<8x2xf32>
    %400 = "stablehlo.divide"(%399, %79) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %401 = "stablehlo.add"(%400, %81) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %402 = "stablehlo.rsqrt"(%401) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %403 = "stablehlo.broadcast_in_dim"(%402) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x12xf32>
    %404 = "stablehlo.multiply"(%395, %403) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %405 = "stablehlo.add"(%396, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %406 = "stablehlo.broadcast_in_dim"(%405) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x2x12xf32>
    %407 = "stablehlo.multiply"(%404, %406) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %408 = "stablehlo.reshape"(%407) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %409 = "stablehlo.reverse"(%408) {dimensions = array<i64: 2>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %410 = "stablehlo.broadcast_in_dim"(%383) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x2x2x6xf32>
    %411 = "stablehlo.broadcast_in_dim"(%388) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x2x2x6xf32>
    %412 = "stablehlo.multiply"(%408, %410) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %413 = "stablehlo.multiply"(%409, %411) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %414 = "stablehlo.add"(%412, %413) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %415 = "stablehlo.reshape"(%414) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %416 = "stablehlo.slice"(%364) {limit_indices = array<i64: 8, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %417 = "stablehlo.reshape"(%416) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %418 = "stablehlo.scatter"(%arg9, %arg2, %415) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %419 = "stablehlo.scatter"(%arg10, %arg2, %417) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %collapsed_3 = tensor.collapse_shape %418 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %420 = "stablehlo.gather"(%collapsed_3, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %421 = "stablehlo.select"(%110, %420, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %422 = "stablehlo.optimization_barrier"(%421) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %423 = "stablehlo.reshape"(%422) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %collapsed_4 = tensor.collapse_shape %419 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %424 = "stablehlo.gather"(%collapsed_4, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %425 = "stablehlo.select"(%110, %424, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %426 = "stablehlo.optimization_barrier"(%425) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %427 = "stablehlo.reshape"(%426) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %428 = "stablehlo.multiply"(%393, %119) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %429 = "stablehlo.reshape"(%428) : (tensor<8x4x12xf32>) -> tensor<1x8x2x2x12xf32>
    %430 = "stablehlo.dot_general"(%429, %423) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x16xf32>
    %431 = "stablehlo.broadcast_in_dim"(%127) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x2x8x2x16xi1>
    %432 = "stablehlo.select"(%431, %430, %134) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %433 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %434 = "stablehlo.reduce"(%432, %433) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %435 = "stablehlo.broadcast_in_dim"(%434) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %436 = "stablehlo.subtract"(%432, %435) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %437 = "stablehlo.exponential"(%436) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %438 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %439 = "stablehlo.reduce"(%437, %438) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %440 = "stablehlo.broadcast_in_dim"(%439) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %441 = "stablehlo.divide"(%437, %440) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %442 = "stablehlo.select"(%431, %441, %145) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %443 = "stablehlo.dot_general"(%442, %427) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x12xf32>
    %444 = "stablehlo.transpose"(%443) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %445 = "stablehlo.reshape"(%444) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %446 = "stablehlo.reshape"(%445) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %447 = "util.global.load"() {global = @model.layers.2.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %448 = "stablehlo.dot_general"(%446, %447) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<32x48xf32>) -> tensor<8x32xf32>
    %449 = "util.global.load"() {global = @model.layers.2.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %450 = "stablehlo.multiply"(%448, %448) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %451 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %452 = "stablehlo.reduce"(%450, %451) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %453 = "stablehlo.divide"(%452, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %454 = "stablehlo.add"(%453, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %455 = "stablehlo.rsqrt"(%454) : (tensor<8xf32>) -> tensor<8xf32>
    %456 = "stablehlo.broadcast_in_dim"(%455) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %457 = "stablehlo.multiply"(%448, %456) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %458 = "stablehlo.add"(%449, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %459 = "stablehlo.broadcast_in_dim"(%458) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %460 = "stablehlo.multiply"(%457, %459) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %461 = "stablehlo.add"(%350, %460) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %462 = "util.global.load"() {global = @model.layers.2.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %463 = "stablehlo.multiply"(%461, %461) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %464 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %465 = "stablehlo.reduce"(%463, %464) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %466 = "stablehlo.divide"(%465, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %467 = "stablehlo.add"(%466, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %468 = "stablehlo.rsqrt"(%467) : (tensor<8xf32>) -> tensor<8xf32>
    %469 = "stablehlo.broadcast_in_dim"(%468) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %470 = "stablehlo.multiply"(%461, %469) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %471 = "stablehlo.add"(%462, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %472 = "stablehlo.broadcast_in_dim"(%471) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %473 = "stablehlo.multiply"(%470, %472) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %474 = "util.global.load"() {global = @"model.layers.2.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %475 = "stablehlo.dot_general"(%473, %474) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<112x32xf32>) -> tensor<8x112xf32>
    %476 = "stablehlo.slice"(%475) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %477 = "stablehlo.slice"(%475) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %478 = "stablehlo.multiply"(%476, %476) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %479 = "stablehlo.multiply"(%478, %476) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %480 = "stablehlo.multiply"(%479, %184) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %481 = "stablehlo.add"(%476, %480) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %482 = "stablehlo.multiply"(%481, %187) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %483 = "stablehlo.tanh"(%482) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %484 = "stablehlo.multiply"(%476, %190) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %485 = "stablehlo.add"(%483, %192) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %486 = "stablehlo.multiply"(%484, %485) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %487 = "stablehlo.multiply"(%486, %477) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %488 = "util.global.load"() {global = @model.layers.2.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %489 = "stablehlo.dot_general"(%487, %488) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<32x56xf32>) -> tensor<8x32xf32>
    %490 = "util.global.load"() {global = @model.layers.2.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %491 = "stablehlo.multiply"(%489, %489) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %492 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %493 = "stablehlo.reduce"(%491, %492) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %494 = "stablehlo.divide"(%493, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %495 = "stablehlo.add"(%494, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %496 = "stablehlo.rsqrt"(%495) : (tensor<8xf32>) -> tensor<8xf32>
    %497 = "stablehlo.broadcast_in_dim"(%496) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %498 = "stablehlo.multiply"(%489, %497) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %499 = "stablehlo.add"(%490, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %500 = "stablehlo.broadcast_in_dim"(%499) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %501 = "stablehlo.multiply"(%498, %500) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %502 = "stablehlo.add"(%461, %501) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %503 = "util.global.load"() {global = @model.layers.3.input_layernorm.weight} : () -> tensor<32xf32>
    %504 = "stablehlo.multiply"(%502, %502) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %505 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %506 = "stablehlo.reduce"(%504, %505) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %507 = "stablehlo.divide"(%506, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %508 = "stablehlo.add"(%507, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %509 = "stablehlo.rsqrt"(%508) : (tensor<8xf32>) -> tensor<8xf32>
    %510 = "stablehlo.broadcast_in_dim"(%509) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %511 = "stablehlo.multiply"(%502, %510) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %512 = "stablehlo.add"(%503, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %513 = "stablehlo.broadcast_in_dim"(%512) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %514 = "stablehlo.multiply"(%511, %513) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %515 = "util.global.load"() {global = @"model.layers.3.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %516 = "stablehlo.dot_general"(%514, %515) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<96x32xf32>) -> tensor<8x96xf32>
    %517 = "stablehlo.slice"(%516) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x48xf32>
    %518 = "stablehlo.reshape"(%517) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %519 = "util.global.load"() {global = @model.layers.3.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %520 = "stablehlo.multiply"(%518, %518) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %521 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %522 = "stablehlo.reduce"(%520, %521) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x12xf32>, tensor<f32>) -> tensor<8x4xf32>
    %523 = "stablehlo.divide"(%522, %45) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %524 = "stablehlo.add"(%523, %47) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %525 = "stablehlo.rsqrt"(%524) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %526 = "stablehlo.broadcast_in_dim"(%525) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x12xf32>
    %527 = "stablehlo.multiply"(%518, %526) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %528 = "stablehlo.add"(%519, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %529 = "stablehlo.broadcast_in_dim"(%528) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x4x12xf32>
    %530 = "stablehlo.multiply"(%527, %529) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %531 = "stablehlo.reshape"(%530) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %532 = "stablehlo.reverse"(%531) {dimensions = array<i64: 2>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %533 = "stablehlo.multiply"(%531, %61) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %534 = "stablehlo.multiply"(%532, %68) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %535 = "stablehlo.add"(%533, %534) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %536 = "stablehlo.reshape"(%535) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %537 = "stablehlo.slice"(%516) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %538 = "stablehlo.reshape"(%537) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %539 = "util.global.load"() {global = @model.layers.3.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %540 = "stablehlo.multiply"(%538, %538) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %541 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %542 = "stablehlo.reduce"(%540, %541) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x12xf32>, tensor<f32>) -> tensor<8x2xf32>
    %543 = "stablehlo.divide"(%542, %79) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %544 = "stablehlo.add"(%543, %81) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %545 = "stablehlo.rsqrt"(%544) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %546 = "stablehlo.broadcast_in_dim"(%545) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x12xf32>
    %547 = "stablehlo.multiply"(%538, %546) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %548 = "stablehlo.add"(%539, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %549 = "stablehlo.broadcast_in_dim"(%548) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x2x12xf32>
    %550 = "stablehlo.multiply"(%547, %549) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %551 = "stablehlo.reshape"(%550) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %552 = "stablehlo.reverse"(%551) {dimensions = array<i64: 2>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %553 = "stablehlo.multiply"(%551, %91) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %554 = "stablehlo.multiply"(%552, %92) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %555 = "stablehlo.add"(%553, %554) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %556 = "stablehlo.reshape"(%555) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %557 = "stablehlo.slice"(%516) {limit_indices = array<i64: 8, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %558 = "stablehlo.reshape"(%557) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %559 = "stablehlo.scatter"(%arg11, %arg2, %556) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %560 = "stablehlo.scatter"(%arg12, %arg2, %558) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %collapsed_5 = tensor.collapse_shape %559 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %561 = "stablehlo.gather"(%collapsed_5, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %562 = "stablehlo.select"(%110, %561, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %563 = "stablehlo.optimization_barrier"(%562) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %564 = "stablehlo.reshape"(%563) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %collapsed_6 = tensor.collapse_shape %560 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %565 = "stablehlo.gather"(%collapsed_6, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %566 = "stablehlo.select"(%110, %565, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %567 = "stablehlo.optimization_barrier"(%566) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %568 = "stablehlo.reshape"(%567) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %569 = "stablehlo.multiply"(%536, %119) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %570 = "stablehlo.reshape"(%569) : (tensor<8x4x12xf32>) -> tensor<1x8x2x2x12xf32>
    %571 = "stablehlo.dot_general"(%570, %564) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x16xf32>
    %572 = "stablehlo.select"(%133, %571, %134) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %573 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %574 = "stablehlo.reduce"(%572, %573) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %575 = "stablehlo.broadcast_in_dim"(%574) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %576 = "stablehlo.subtract"(%572, %575) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %577 = "stablehlo.exponential"(%576) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %578 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %579 = "stablehlo.reduce"(%577, %578) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %580 = "stablehlo.broadcast_in_dim"(%579) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %581 = "stablehlo.divide"(%577, %580) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %582 = "stablehlo.select"(%133, %581, %145) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %583 = "stablehlo.dot_general"(%582, %568) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x12xf32>
    %584 = "stablehlo.transpose"(%583) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %585 = "stablehlo.reshape"(%584) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %586 = "stablehlo.reshape"(%585) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %587 = "util.global.load"() {global = @model.layers.3.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %588 = "stablehlo.dot_general"(%586, %587) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<32x48xf32>) -> tensor<8x32xf32>
    %589 = "util.global.load"() {global = @model.layers.3.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %590 = "stablehlo.multiply"(%588, %588) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %591 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %592 = "stablehlo.reduce"(%590, %591) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %593 = "stablehlo.divide"(%592, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %594 = "stablehlo.add"(%593, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %595 = "stablehlo.rsqrt"(%594) : (tensor<8xf32>) -> tensor<8xf32>
    %596 = "stablehlo.broadcast_in_dim"(%595) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %597 = "stablehlo.multiply"(%588, %596) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %598 = "stablehlo.add"(%589, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %599 = "stablehlo.broadcast_in_dim"(%598) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %600 = "stablehlo.multiply"(%597, %599) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %601 = "stablehlo.add"(%502, %600) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %602 = "util.global.load"() {global = @model.layers.3.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %603 = "stablehlo.multiply"(%601, %601) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %604 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %605 = "stablehlo.reduce"(%603, %604) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %606 = "stablehlo.divide"(%605, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %607 = "stablehlo.add"(%606, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %608 = "stablehlo.rsqrt"(%607) : (tensor<8xf32>) -> tensor<8xf32>
    %609 = "stablehlo.broadcast_in_dim"(%608) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %610 = "stablehlo.multiply"(%601, %609) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %611 = "stablehlo.add"(%602, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %612 = "stablehlo.broadcast_in_dim"(%611) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %613 = "stablehlo.multiply"(%610, %612) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %614 = "util.global.load"() {global = @"model.layers.3.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %615 = "stablehlo.dot_general"(%613, %614) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<112x32xf32>) -> tensor<8x112xf32>
    %616 = "stablehlo.slice"(%615) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %617 = "stablehlo.slice"(%615) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %618 = "stablehlo.multiply"(%616, %616) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %619 = "stablehlo.multiply"(%618, %616) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %620 = "stablehlo.multiply"(%619, %184) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %621 = "stablehlo.add"(%616, %620) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %622 = "stablehlo.multiply"(%621, %187) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %623 = "stablehlo.tanh"(%622) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %624 = "stablehlo.multiply"(%616, %190) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %625 = "stablehlo.add"(%623, %192) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %626 = "stablehlo.multiply"(%624, %625) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %627 = "stablehlo.multiply"(%626, %617) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %628 = "util.global.load"() {global = @model.layers.3.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %629 = "stablehlo.dot_general"(%627, %628) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<32x56xf32>) -> tensor<8x32xf32>
    %630 = "util.global.load"() {global = @model.layers.3.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %631 = "stablehlo.multiply"(%629, %629) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %632 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %633 = "stablehlo.reduce"(%631, %632) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %634 = "stablehlo.divide"(%633, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %635 = "stablehlo.add"(%634, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %636 = "stablehlo.rsqrt"(%635) : (tensor<8xf32>) -> tensor<8xf32>
    %637 = "stablehlo.broadcast_in_dim"(%636) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %638 = "stablehlo.multiply"(%629, %637) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %639 = "stablehlo.add"(%630, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %640 = "stablehlo.broadcast_in_dim"(%639) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %641 = "stablehlo.multiply"(%638, %640) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %642 = "stablehlo.add"(%601, %641) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %643 = "util.global.load"() {global = @model.layers.4.input_layernorm.weight} : () -> tensor<32xf32>
    %644 = "stablehlo.multiply"(%642, %642) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %645 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %646 = "stablehlo.reduce"(%644, %645) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %647 = "stablehlo.divide"(%646, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %648 = "stablehlo.add"(%647, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %649 = "stablehlo.rsqrt"(%648) : (tensor<8xf32>) -> tensor<8xf32>
    %650 = "stablehlo.broadcast_in_dim"(%649) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %651 = "stablehlo.multiply"(%642, %650) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %652 = "stablehlo.add"(%643, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %653 = "stablehlo.broadcast_in_dim"(%652) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %654 = "stablehlo.multiply"(%651, %653) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %655 = "util.global.load"() {global = @"model.layers.4.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %656 = "stablehlo.dot_general"(%654, %655) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<96x32xf32>) -> tensor<8x96xf32>
    %657 = "stablehlo.slice"(%656) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x48xf32>
    %658 = "stablehlo.reshape"(%657) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %659 = "util.global.load"() {global = @model.layers.4.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %660 = "stablehlo.multiply"(%658, %658) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %661 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %662 = "stablehlo.reduce"(%660, %661) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x12xf32>, tensor<f32>) -> tensor<8x4xf32>
    %663 = "stablehlo.divide"(%662, %45) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %664 = "stablehlo.add"(%663, %47) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %665 = "stablehlo.rsqrt"(%664) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %666 = "stablehlo.broadcast_in_dim"(%665) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x12xf32>
    %667 = "stablehlo.multiply"(%658, %666) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %668 = "stablehlo.add"(%659, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %669 = "stablehlo.broadcast_in_dim"(%668) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x4x12xf32>
    %670 = "stablehlo.multiply"(%667, %669) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %671 = "stablehlo.reshape"(%670) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %672 = "stablehlo.reverse"(%671) {dimensions = array<i64: 2>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %673 = "stablehlo.multiply"(%671, %61) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %674 = "stablehlo.multiply"(%672, %68) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %675 = "stablehlo.add"(%673, %674) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %676 = "stablehlo.reshape"(%675) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %677 = "stablehlo.slice"(%656) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %678 = "stablehlo.reshape"(%677) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %679 = "util.global.load"() {global = @model.layers.4.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %680 = "stablehlo.multiply"(%678, %678) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %681 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %682 = "stablehlo.reduce"(%680, %681) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x12xf32>, tensor<f32>) -> tensor<8x2xf32>
    %683 = "stablehlo.divide"(%682, %79) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %684 = "stablehlo.add"(%683, %81) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %685 = "stablehlo.rsqrt"(%684) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %686 = "stablehlo.broadcast_in_dim"(%685) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x12xf32>
    %687 = "stablehlo.multiply"(%678, %686) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %688 = "stablehlo.add"(%679, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %689 = "stablehlo.broadcast_in_dim"(%688) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x2x12xf32>
    %690 = "stablehlo.multiply"(%687, %689) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %691 = "stablehlo.reshape"(%690) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %692 = "stablehlo.reverse"(%691) {dimensions = array<i64: 2>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %693 = "stablehlo.multiply"(%691, %91) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %694 = "stablehlo.multiply"(%692, %92) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %695 = "stablehlo.add"(%693, %694) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %696 = "stablehlo.reshape"(%695) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %697 = "stablehlo.slice"(%656) {limit_indices = array<i64: 8, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %698 = "stablehlo.reshape"(%697) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %699 = "stablehlo.scatter"(%arg13, %arg2, %696) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %700 = "stablehlo.scatter"(%arg14, %arg2, %698) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %collapsed_7 = tensor.collapse_shape %699 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %701 = "stablehlo.gather"(%collapsed_7, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %702 = "stablehlo.select"(%110, %701, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %703 = "stablehlo.optimization_barrier"(%702) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %704 = "stablehlo.reshape"(%703) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %collapsed_8 = tensor.collapse_shape %700 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %705 = "stablehlo.gather"(%collapsed_8, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %706 = "stablehlo.select"(%110, %705, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %707 = "stablehlo.optimization_barrier"(%706) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %708 = "stablehlo.reshape"(%707) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %709 = "stablehlo.multiply"(%676, %119) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %710 = "stablehlo.reshape"(%709) : (tensor<8x4x12xf32>) -> tensor<1x8x2x2x12xf32>
    %711 = "stablehlo.dot_general"(%710, %704) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x16xf32>
    %712 = "stablehlo.select"(%133, %711, %134) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %713 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %714 = "stablehlo.reduce"(%712, %713) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %715 = "stablehlo.broadcast_in_dim"(%714) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %716 = "stablehlo.subtract"(%712, %715) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %717 = "stablehlo.exponential"(%716) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %718 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %719 = "stablehlo.reduce"(%717, %718) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %720 = "stablehlo.broadcast_in_dim"(%719) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %721 = "stablehlo.divide"(%717, %720) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %722 = "stablehlo.select"(%133, %721, %145) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %723 = "stablehlo.dot_general"(%722, %708) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x12xf32>
    %724 = "stablehlo.transpose"(%723) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %725 = "stablehlo.reshape"(%724) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %726 = "stablehlo.reshape"(%725) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %727 = "util.global.load"() {global = @model.layers.4.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %728 = "stablehlo.dot_general"(%726, %727) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<32x48xf32>) -> tensor<8x32xf32>
    %729 = "util.global.load"() {global = @model.layers.4.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %730 = "stablehlo.multiply"(%728, %728) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %731 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %732 = "stablehlo.reduce"(%730, %731) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %733 = "stablehlo.divide"(%732, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %734 = "stablehlo.add"(%733, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %735 = "stablehlo.rsqrt"(%734) : (tensor<8xf32>) -> tensor<8xf32>
    %736 = "stablehlo.broadcast_in_dim"(%735) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %737 = "stablehlo.multiply"(%728, %736) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %738 = "stablehlo.add"(%729, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %739 = "stablehlo.broadcast_in_dim"(%738) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %740 = "stablehlo.multiply"(%737, %739) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %741 = "stablehlo.add"(%642, %740) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %742 = "util.global.load"() {global = @model.layers.4.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %743 = "stablehlo.multiply"(%741, %741) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %744 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %745 = "stablehlo.reduce"(%743, %744) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %746 = "stablehlo.divide"(%745, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %747 = "stablehlo.add"(%746, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %748 = "stablehlo.rsqrt"(%747) : (tensor<8xf32>) -> tensor<8xf32>
    %749 = "stablehlo.broadcast_in_dim"(%748) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %750 = "stablehlo.multiply"(%741, %749) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %751 = "stablehlo.add"(%742, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %752 = "stablehlo.broadcast_in_dim"(%751) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %753 = "stablehlo.multiply"(%750, %752) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %754 = "util.global.load"() {global = @"model.layers.4.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %755 = "stablehlo.dot_general"(%753, %754) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<112x32xf32>) -> tensor<8x112xf32>
    %756 = "stablehlo.slice"(%755) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %757 = "stablehlo.slice"(%755) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %758 = "stablehlo.multiply"(%756, %756) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %759 = "stablehlo.multiply"(%758, %756) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %760 = "stablehlo.multiply"(%759, %184) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %761 = "stablehlo.add"(%756, %760) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %762 = "stablehlo.multiply"(%761, %187) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %763 = "stablehlo.tanh"(%762) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %764 = "stablehlo.multiply"(%756, %190) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %765 = "stablehlo.add"(%763, %192) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %766 = "stablehlo.multiply"(%764, %765) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %767 = "stablehlo.multiply"(%766, %757) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %768 = "util.global.load"() {global = @model.layers.4.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %769 = "stablehlo.dot_general"(%767, %768) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<32x56xf32>) -> tensor<8x32xf32>
    %770 = "util.global.load"() {global = @model.layers.4.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %771 = "stablehlo.multiply"(%769, %769) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %772 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %773 = "stablehlo.reduce"(%771, %772) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %774 = "stablehlo.divide"(%773, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %775 = "stablehlo.add"(%774, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %776 = "stablehlo.rsqrt"(%775) : (tensor<8xf32>) -> tensor<8xf32>
    %777 = "stablehlo.broadcast_in_dim"(%776) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %778 = "stablehlo.multiply"(%769, %777) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %779 = "stablehlo.add"(%770, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %780 = "stablehlo.broadcast_in_dim"(%779) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %781 = "stablehlo.multiply"(%778, %780) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %782 = "stablehlo.add"(%741, %781) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %783 = "util.global.load"() {global = @model.layers.5.input_layernorm.weight} : () -> tensor<32xf32>
    %784 = "stablehlo.multiply"(%782, %782) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %785 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %786 = "stablehlo.reduce"(%784, %785) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %787 = "stablehlo.divide"(%786, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %788 = "stablehlo.add"(%787, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %789 = "stablehlo.rsqrt"(%788) : (tensor<8xf32>) -> tensor<8xf32>
    %790 = "stablehlo.broadcast_in_dim"(%789) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %791 = "stablehlo.multiply"(%782, %790) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %792 = "stablehlo.add"(%783, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %793 = "stablehlo.broadcast_in_dim"(%792) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %794 = "stablehlo.multiply"(%791, %793) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %795 = "util.global.load"() {global = @"model.layers.5.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %796 = "stablehlo.dot_general"(%794, %795) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<96x32xf32>) -> tensor<8x96xf32>
    %797 = "stablehlo.slice"(%796) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x48xf32>
    %798 = "stablehlo.reshape"(%797) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %799 = "util.global.load"() {global = @model.layers.5.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %800 = "stablehlo.multiply"(%798, %798) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %801 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %802 = "stablehlo.reduce"(%800, %801) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x12xf32>, tensor<f32>) -> tensor<8x4xf32>
    %803 = "stablehlo.divide"(%802, %45) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %804 = "stablehlo.add"(%803, %47) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %805 = "stablehlo.rsqrt"(%804) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %806 = "stablehlo.broadcast_in_dim"(%805) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x12xf32>
    %807 = "stablehlo.multiply"(%798, %806) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %808 = "stablehlo.add"(%799, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %809 = "stablehlo.broadcast_in_dim"(%808) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x4x12xf32>
    %810 = "stablehlo.multiply"(%807, %809) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %811 = "stablehlo.reshape"(%810) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %812 = "stablehlo.reverse"(%811) {dimensions = array<i64: 2>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %813 = "stablehlo.multiply"(%811, %384) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %814 = "stablehlo.multiply"(%812, %389) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %815 = "stablehlo.add"(%813, %814) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %816 = "stablehlo.reshape"(%815) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %817 = "stablehlo.slice"(%796) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %818 = "stablehlo.reshape"(%817) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %819 = "util.global.load"() {global = @model.layers.5.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %820 = "stablehlo.multiply"(%818, %818) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %821 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %822 = "stablehlo.reduce"(%820, %821) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x12xf32>, tensor<f32>) -> tensor<8x2xf32>
    %823 = "stablehlo.divide"(%822, %79) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %824 = "stablehlo.add"(%823, %81) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %825 = "stablehlo.rsqrt"(%824) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %826 = "stablehlo.broadcast_in_dim"(%825) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x12xf32>
    %827 = "stablehlo.multiply"(%818, %826) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %828 = "stablehlo.add"(%819, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %829 = "stablehlo.broadcast_in_dim"(%828) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<8x2x12xf32>
    %830 = "stablehlo.multiply"(%827, %829) : (tensor<8x2x12xf32>, tensor<8x2x12xf32>) -> tensor<8x2x12xf32>
    %831 = "stablehlo.reshape"(%830) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %832 = "stablehlo.reverse"(%831) {dimensions = array<i64: 2>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %833 = "stablehlo.multiply"(%831, %410) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %834 = "stablehlo.multiply"(%832, %411) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %835 = "stablehlo.add"(%833, %834) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %836 = "stablehlo.reshape"(%835) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %837 = "stablehlo.slice"(%796) {limit_indices = array<i64: 8, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %838 = "stablehlo.reshape"(%837) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %839 = "stablehlo.scatter"(%arg15, %arg2, %836) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %840 = "stablehlo.scatter"(%arg16, %arg2, %838) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %collapsed_9 = tensor.collapse_shape %839 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %841 = "stablehlo.gather"(%collapsed_9, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %842 = "stablehlo.select"(%110, %841, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %843 = "stablehlo.optimization_barrier"(%842) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %844 = "stablehlo.reshape"(%843) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %collapsed_10 = tensor.collapse_shape %840 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %845 = "stablehlo.gather"(%collapsed_10, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<1x2xi32>) -> tensor<1x2x192xf32>
    %846 = "stablehlo.select"(%110, %845, %111) : (tensor<1x2x192xi1>, tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %847 = "stablehlo.optimization_barrier"(%846) : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
    %848 = "stablehlo.reshape"(%847) : (tensor<1x2x192xf32>) -> tensor<1x16x2x12xf32>
    %849 = "stablehlo.multiply"(%816, %119) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %850 = "stablehlo.reshape"(%849) : (tensor<8x4x12xf32>) -> tensor<1x8x2x2x12xf32>
    %851 = "stablehlo.dot_general"(%850, %844) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x16xf32>
    %852 = "stablehlo.select"(%431, %851, %134) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %853 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %854 = "stablehlo.reduce"(%852, %853) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %855 = "stablehlo.broadcast_in_dim"(%854) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %856 = "stablehlo.subtract"(%852, %855) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %857 = "stablehlo.exponential"(%856) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %858 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %859 = "stablehlo.reduce"(%857, %858) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %860 = "stablehlo.broadcast_in_dim"(%859) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %861 = "stablehlo.divide"(%857, %860) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %862 = "stablehlo.select"(%431, %861, %145) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %863 = "stablehlo.dot_general"(%862, %848) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x12xf32>
    %864 = "stablehlo.transpose"(%863) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %865 = "stablehlo.reshape"(%864) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %866 = "stablehlo.reshape"(%865) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %867 = "util.global.load"() {global = @model.layers.5.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %868 = "stablehlo.dot_general"(%866, %867) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<32x48xf32>) -> tensor<8x32xf32>
    %869 = "util.global.load"() {global = @model.layers.5.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %870 = "stablehlo.multiply"(%868, %868) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %871 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %872 = "stablehlo.reduce"(%870, %871) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %873 = "stablehlo.divide"(%872, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %874 = "stablehlo.add"(%873, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %875 = "stablehlo.rsqrt"(%874) : (tensor<8xf32>) -> tensor<8xf32>
    %876 = "stablehlo.broadcast_in_dim"(%875) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %877 = "stablehlo.multiply"(%868, %876) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %878 = "stablehlo.add"(%869, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %879 = "stablehlo.broadcast_in_dim"(%878) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %880 = "stablehlo.multiply"(%877, %879) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %881 = "stablehlo.add"(%782, %880) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %882 = "util.global.load"() {global = @model.layers.5.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %883 = "stablehlo.multiply"(%881, %881) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %884 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %885 = "stablehlo.reduce"(%883, %884) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %886 = "stablehlo.divide"(%885, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %887 = "stablehlo.add"(%886, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %888 = "stablehlo.rsqrt"(%887) : (tensor<8xf32>) -> tensor<8xf32>
    %889 = "stablehlo.broadcast_in_dim"(%888) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %890 = "stablehlo.multiply"(%881, %889) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %891 = "stablehlo.add"(%882, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %892 = "stablehlo.broadcast_in_dim"(%891) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %893 = "stablehlo.multiply"(%890, %892) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %894 = "util.global.load"() {global = @"model.layers.5.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %895 = "stablehlo.dot_general"(%893, %894) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x32xf32>, tensor<112x32xf32>) -> tensor<8x112xf32>
    %896 = "stablehlo.slice"(%895) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %897 = "stablehlo.slice"(%895) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %898 = "stablehlo.multiply"(%896, %896) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %899 = "stablehlo.multiply"(%898, %896) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %900 = "stablehlo.multiply"(%899, %184) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %901 = "stablehlo.add"(%896, %900) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %902 = "stablehlo.multiply"(%901, %187) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %903 = "stablehlo.tanh"(%902) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %904 = "stablehlo.multiply"(%896, %190) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %905 = "stablehlo.add"(%903, %192) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %906 = "stablehlo.multiply"(%904, %905) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %907 = "stablehlo.multiply"(%906, %897) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %908 = "util.global.load"() {global = @model.layers.5.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %909 = "stablehlo.dot_general"(%907, %908) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<32x56xf32>) -> tensor<8x32xf32>
    %910 = "util.global.load"() {global = @model.layers.5.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %911 = "stablehlo.multiply"(%909, %909) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %912 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %913 = "stablehlo.reduce"(%911, %912) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %914 = "stablehlo.divide"(%913, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %915 = "stablehlo.add"(%914, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %916 = "stablehlo.rsqrt"(%915) : (tensor<8xf32>) -> tensor<8xf32>
    %917 = "stablehlo.broadcast_in_dim"(%916) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x32xf32>
    %918 = "stablehlo.multiply"(%909, %917) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %919 = "stablehlo.add"(%910, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %920 = "stablehlo.broadcast_in_dim"(%919) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<8x32xf32>
    %921 = "stablehlo.multiply"(%918, %920) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %922 = "stablehlo.add"(%881, %921) : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    %923 = "stablehlo.gather"(%922, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>} : (tensor<8x32xf32>, tensor<1xi32>) -> tensor<1x32xf32>
    %924 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<32xf32>
    %925 = "stablehlo.multiply"(%923, %923) : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x32xf32>
    %926 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %927 = "stablehlo.reduce"(%925, %926) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %944 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %928 = "stablehlo.constant"() {value = dense<3.200000e+01> : tensor<1xf32>} : () -> tensor<1xf32>
    %929 = "stablehlo.divide"(%927, %928) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %930 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<1xf32>} : () -> tensor<1xf32>
    %931 = "stablehlo.add"(%929, %930) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %932 = "stablehlo.rsqrt"(%931) : (tensor<1xf32>) -> tensor<1xf32>
    %933 = "stablehlo.broadcast_in_dim"(%932) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x32xf32>
    %934 = "stablehlo.multiply"(%923, %933) : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x32xf32>
    %935 = "stablehlo.add"(%924, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %936 = "stablehlo.broadcast_in_dim"(%935) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<1x32xf32>
    %937 = "stablehlo.multiply"(%934, %936) : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x32xf32>
    %938 = "stablehlo.dot_general"(%937, %18) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<1x32xf32>, tensor<128x32xf32>) -> tensor<1x128xf32>
    %939 = "stablehlo.constant"() {value = dense<0.166666672> : tensor<1x128xf32>} : () -> tensor<1x128xf32>
    %940 = "stablehlo.multiply"(%938, %939) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %941 = "stablehlo.tanh"(%940) : (tensor<1x128xf32>) -> tensor<1x128xf32>
    %942 = "stablehlo.constant"() {value = dense<6.000000e+00> : tensor<1x128xf32>} : () -> tensor<1x128xf32>
    %943 = "stablehlo.multiply"(%941, %942) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    return %943, %99, %100, %267, %268, %418, %419, %559, %560, %699, %700, %839, %840 : tensor<1x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>
  }
}
