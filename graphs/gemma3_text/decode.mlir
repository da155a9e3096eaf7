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
  func.func @decode(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xi32>, %arg3: tensor<2x2xi32>, %arg4: tensor<2xi32>, %arg5: tensor<?x8x2x12xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x12xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x12xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x12xf32> {iree.abi.output = 4 : index}, %arg9: tensor<?x8x2x12xf32> {iree.abi.output = 5 : index}, %arg10: tensor<?x8x2x12xf32> {iree.abi.output = 6 : index}, %arg11: tensor<?x8x2x12xf32> {iree.abi.output = 7 : index}, %arg12: tensor<?x8x2x12xf32> {iree.abi.output = 8 : index}, %arg13: tensor<?x8x2x12xf32> {iree.abi.output = 9 : index}, %arg14: tensor<?x8x2x12xf32> {iree.abi.output = 10 : index}, %arg15: tensor<?x8x2x12xf32> {iree.abi.output = 11 : index}, %arg16: tensor<?x8x2x12xf32> {iree.abi.output = 12 : index}) -> (tensor<2x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.215443462, 0.0464158878, 0.00999999977, 0.0021544348, 4.64158889E-4]> : tensor<6xf32>} : () -> tensor<6xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<2x6xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<2xi32>) -> tensor<2xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x6xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<2x6xf32>) -> tensor<1x2x6xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x6xf32>) -> tensor<1x2x6xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> tensor<2x2x6xf32>
    %10 = "stablehlo.constant"() {value = dense<[1.250000e-01, 1.250000e-02, 1.250000e-03, 1.250000e-04, 1.250000e-05, 1.250000e-06]> : tensor<6xf32>} : () -> tensor<6xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<2x6xf32>
    %12 = "stablehlo.multiply"(%3, %11) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %13 = "stablehlo.cosine"(%12) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x6xf32>) -> tensor<1x2x6xf32>
    %15 = "stablehlo.sine"(%12) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %16 = "stablehlo.reshape"(%15) : (tensor<2x6xf32>) -> tensor<1x2x6xf32>
    %17 = "stablehlo.concatenate"(%14, %16) {dimension = 0 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> tensor<2x2x6xf32>
    %18 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x32xf32>
    %19 = "stablehlo.gather"(%18, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>} : (tensor<128x32xf32>, tensor<2xi32>) -> tensor<2x32xf32>
    %20 = "stablehlo.constant"() {value = dense<5.65685415> : tensor<2x32xf32>} : () -> tensor<2x32xf32>
    %21 = "stablehlo.multiply"(%19, %20) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %22 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<32xf32>
    %23 = "stablehlo.multiply"(%21, %21) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %24 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%23, %24) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %26 = "stablehlo.constant"() {value = dense<3.200000e+01> : tensor<2xf32>} : () -> tensor<2xf32>
    %27 = "stablehlo.divide"(%25, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %28 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<2xf32>} : () -> tensor<2xf32>
    %29 = "stablehlo.add"(%27, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %30 = "stablehlo.rsqrt"(%29) : (tensor<2xf32>) -> tensor<2xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %32 = "stablehlo.multiply"(%21, %31) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %33 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<32xf32>} : () -> tensor<32xf32>
    %34 = "stablehlo.add"(%22, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %36 = "stablehlo.multiply"(%32, %35) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %37 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %38 = "stablehlo.dot_general"(%36, %37) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<96x32xf32>) -> tensor<2x96xf32>
    %39 = "stablehlo.slice"(%38) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %40 = "stablehlo.reshape"(%39) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %41 = "util.global.load"() {global = @model.layers.0.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %42 = "stablehlo.multiply"(%40, %40) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %43 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %44 = "stablehlo.reduce"(%42, %43) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x4x12xf32>, tensor<f32>) -> tensor<2x4xf32>
    %45 = "stablehlo.constant"() {value = dense<1.200000e+01> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
    %46 = "stablehlo.divide"(%44, %45) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %47 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
    %48 = "stablehlo.add"(%46, %47) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %49 = "stablehlo.rsqrt"(%48) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x12xf32>
    %51 = "stablehlo.multiply"(%40, %50) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %52 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<12xf32>} : () -> tensor<12xf32>
    %53 = "stablehlo.add"(%41, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x4x12xf32>
    %55 = "stablehlo.multiply"(%51, %54) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %56 = "stablehlo.reshape"(%55) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %57 = "stablehlo.slice"(%56) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %58 = "stablehlo.slice"(%56) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %59 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %60 = "stablehlo.reshape"(%59) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x4x1x6xf32>
    %62 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %63 = "stablehlo.reshape"(%62) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x4x1x6xf32>
    %65 = "stablehlo.multiply"(%57, %61) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %66 = "stablehlo.multiply"(%58, %64) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %67 = "stablehlo.subtract"(%65, %66) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %68 = "stablehlo.multiply"(%58, %61) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %69 = "stablehlo.multiply"(%57, %64) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %70 = "stablehlo.add"(%68, %69) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %71 = "stablehlo.concatenate"(%67, %70) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %72 = "stablehlo.reshape"(%71) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %73 = "stablehlo.slice"(%38) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %74 = "stablehlo.reshape"(%73) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %75 = "util.global.load"() {global = @model.layers.0.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %76 = "stablehlo.multiply"(%74, %74) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %77 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %78 = "stablehlo.reduce"(%76, %77) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x2x12xf32>, tensor<f32>) -> tensor<2x2xf32>
    %79 = "stablehlo.constant"() {value = dense<1.200000e+01> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %80 = "stablehlo.divide"(%78, %79) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %81 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %82 = "stablehlo.add"(%80, %81) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %83 = "stablehlo.rsqrt"(%82) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %84 = "stablehlo.broadcast_in_dim"(%83) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x12xf32>
    %85 = "stablehlo.multiply"(%74, %84) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %86 = "stablehlo.add"(%75, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %87 = "stablehlo.broadcast_in_dim"(%86) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x2x12xf32>
    %88 = "stablehlo.multiply"(%85, %87) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %89 = "stablehlo.reshape"(%88) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %90 = "stablehlo.slice"(%89) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %91 = "stablehlo.slice"(%89) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %92 = "stablehlo.broadcast_in_dim"(%60) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x2x1x6xf32>
    %93 = "stablehlo.broadcast_in_dim"(%63) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x2x1x6xf32>
    %94 = "stablehlo.multiply"(%90, %92) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %95 = "stablehlo.multiply"(%91, %93) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %96 = "stablehlo.subtract"(%94, %95) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %97 = "stablehlo.multiply"(%91, %92) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %98 = "stablehlo.multiply"(%90, %93) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %99 = "stablehlo.add"(%97, %98) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %100 = "stablehlo.concatenate"(%96, %99) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %101 = "stablehlo.reshape"(%100) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %102 = "stablehlo.slice"(%38) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %103 = "stablehlo.reshape"(%102) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %104 = "stablehlo.scatter"(%arg5, %arg2, %101) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %105 = "stablehlo.scatter"(%arg6, %arg2, %103) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %106 = "stablehlo.gather"(%104, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %107 = "stablehlo.reshape"(%106) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %108 = "stablehlo.gather"(%105, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %109 = "stablehlo.reshape"(%108) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %110 = "stablehlo.constant"() {value = dense<0.223606795> : tensor<2x4x12xf32>} : () -> tensor<2x4x12xf32>
    %111 = "stablehlo.multiply"(%72, %110) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %112 = "stablehlo.reshape"(%111) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %113 = "stablehlo.dot_general"(%112, %107) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %114 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %115 = "stablehlo.broadcast_in_dim"(%114) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<2x1x16xi32>
    %116 = "stablehlo.reshape"(%arg1) : (tensor<2xi32>) -> tensor<2x1xi32>
    %117 = "stablehlo.broadcast_in_dim"(%116) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %118 = "stablehlo.compare"(%115, %117) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %119 = "stablehlo.constant"() {value = dense<7> : tensor<2x1xi32>} : () -> tensor<2x1xi32>
    %120 = "stablehlo.subtract"(%116, %119) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %121 = "stablehlo.broadcast_in_dim"(%120) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %122 = "stablehlo.compare"(%115, %121) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %123 = "stablehlo.and"(%118, %122) : (tensor<2x1x16xi1>, tensor<2x1x16xi1>) -> tensor<2x1x16xi1>
    %124 = "stablehlo.broadcast_in_dim"(%123) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %125 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %126 = "stablehlo.select"(%124, %113, %125) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %127 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %128 = "stablehlo.reduce"(%126, %127) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %129 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2xf32>} : () -> tensor<2x2x1x2xf32>
    %130 = "stablehlo.compare"(%128, %129) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %131 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2xf32>} : () -> tensor<2x2x1x2xf32>
    %132 = "stablehlo.select"(%130, %131, %128) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %133 = "stablehlo.broadcast_in_dim"(%132) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %134 = "stablehlo.subtract"(%126, %133) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %135 = "stablehlo.exponential"(%134) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %136 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %137 = "stablehlo.reduce"(%135, %136) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %138 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x2x1x2xf32>} : () -> tensor<2x2x1x2xf32>
    %139 = "stablehlo.select"(%130, %138, %137) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %140 = "stablehlo.broadcast_in_dim"(%139) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %141 = "stablehlo.divide"(%135, %140) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %142 = "stablehlo.dot_general"(%141, %109) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %143 = "stablehlo.transpose"(%142) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %144 = "stablehlo.reshape"(%143) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %145 = "stablehlo.reshape"(%144) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %146 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %147 = "stablehlo.dot_general"(%145, %146) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<32x48xf32>) -> tensor<2x32xf32>
    %148 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %149 = "stablehlo.multiply"(%147, %147) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %150 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %151 = "stablehlo.reduce"(%149, %150) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %152 = "stablehlo.divide"(%151, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %153 = "stablehlo.add"(%152, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %154 = "stablehlo.rsqrt"(%153) : (tensor<2xf32>) -> tensor<2xf32>
    %155 = "stablehlo.broadcast_in_dim"(%154) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %156 = "stablehlo.multiply"(%147, %155) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %157 = "stablehlo.add"(%148, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %158 = "stablehlo.broadcast_in_dim"(%157) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %159 = "stablehlo.multiply"(%156, %158) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %160 = "stablehlo.add"(%21, %159) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %161 = "util.global.load"() {global = @model.layers.0.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %162 = "stablehlo.multiply"(%160, %160) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %163 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %164 = "stablehlo.reduce"(%162, %163) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %165 = "stablehlo.divide"(%164, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %166 = "stablehlo.add"(%165, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %167 = "stablehlo.rsqrt"(%166) : (tensor<2xf32>) -> tensor<2xf32>
    %168 = "stablehlo.broadcast_in_dim"(%167) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %169 = "stablehlo.multiply"(%160, %168) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %170 = "stablehlo.add"(%161, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %171 = "stablehlo.broadcast_in_dim"(%170) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %172 = "stablehlo.multiply"(%169, %171) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %173 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %174 = "stablehlo.dot_general"(%172, %173) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<112x32xf32>) -> tensor<2x112xf32>
    %175 = "stablehlo.slice"(%174) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %176 = "stablehlo.slice"(%174) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %177 = "stablehlo.multiply"(%175, %175) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %178 = "stablehlo.multiply"(%177, %175) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %179 = "stablehlo.constant"() {value = dense<4.471500e-02> : tensor<2x56xf32>} : () -> tensor<2x56xf32>
    %180 = "stablehlo.multiply"(%178, %179) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %181 = "stablehlo.add"(%175, %180) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %182 = "stablehlo.constant"() {value = dense<0.797884583> : tensor<2x56xf32>} : () -> tensor<2x56xf32>
    %183 = "stablehlo.multiply"(%181, %182) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %184 = "stablehlo.tanh"(%183) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %185 = "stablehlo.constant"() {value = dense<5.000000e-01> : tensor<2x56xf32>} : () -> tensor<2x56xf32>
    %186 = "stablehlo.multiply"(%175, %185) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %187 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x56xf32>} : () -> tensor<2x56xf32>
    %188 = "stablehlo.add"(%184, %187) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %189 = "stablehlo.multiply"(%186, %188) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %190 = "stablehlo.multiply"(%189, %176) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %191 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %192 = "stablehlo.dot_general"(%190, %191) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<32x56xf32>) -> tensor<2x32xf32>
    %193 = "util.global.load"() {global = @model.layers.0.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %194 = "stablehlo.multiply"(%192, %192) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %195 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %196 = "stablehlo.reduce"(%194, %195) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %197 = "stablehlo.divide"(%196, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %198 = "stablehlo.add"(%197, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %199 = "stablehlo.rsqrt"(%198) : (tensor<2xf32>) -> tensor<2xf32>
    %200 = "stablehlo.broadcast_in_dim"(%199) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %201 = "stablehlo.multiply"(%192, %200) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %202 = "stablehlo.add"(%193, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %203 = "stablehlo.broadcast_in_dim"(%202) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %204 = "stablehlo.multiply"(%201, %203) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %205 = "stablehlo.add"(%160, %204) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %206 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<32xf32>
    %207 = "stablehlo.multiply"(%205, %205) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %208 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %209 = "stablehlo.reduce"(%207, %208) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %210 = "stablehlo.divide"(%209, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %211 = "stablehlo.add"(%210, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %212 = "stablehlo.rsqrt"(%211) : (tensor<2xf32>) -> tensor<2xf32>
    %213 = "stablehlo.broadcast_in_dim"(%212) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %214 = "stablehlo.multiply"(%205, %213) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %215 = "stablehlo.add"(%206, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %216 = "stablehlo.broadcast_in_dim"(%215) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %217 = "stablehlo.multiply"(%214, %216) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %218 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %219 = "stablehlo.dot_general"(%217, %218) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<96x32xf32>) -> tensor<2x96xf32>
    %220 = "stablehlo.slice"(%219) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %221 = "stablehlo.reshape"(%220) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %222 = "util.global.load"() {global = @model.layers.1.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %223 = "stablehlo.multiply"(%221, %221) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %224 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %225 = "stablehlo.reduce"(%223, %224) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x4x12xf32>, tensor<f32>) -> tensor<2x4xf32>
    %226 = "stablehlo.divide"(%225, %45) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %227 = "stablehlo.add"(%226, %47) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %228 = "stablehlo.rsqrt"(%227) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %229 = "stablehlo.broadcast_in_dim"(%228) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x12xf32>
    %230 = "stablehlo.multiply"(%221, %229) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %231 = "stablehlo.add"(%222, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %232 = "stablehlo.broadcast_in_dim"(%231) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x4x12xf32>
    %233 = "stablehlo.multiply"(%230, %232) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %234 = "stablehlo.reshape"(%233) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %235 = "stablehlo.slice"(%234) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %236 = "stablehlo.slice"(%234) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %237 = "stablehlo.multiply"(%235, %61) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %238 = "stablehlo.multiply"(%236, %64) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %239 = "stablehlo.subtract"(%237, %238) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %240 = "stablehlo.multiply"(%236, %61) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %241 = "stablehlo.multiply"(%235, %64) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %242 = "stablehlo.add"(%240, %241) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %243 = "stablehlo.concatenate"(%239, %242) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %244 = "stablehlo.reshape"(%243) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %245 = "stablehlo.slice"(%219) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %246 = "stablehlo.reshape"(%245) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %247 = "util.global.load"() {global = @model.layers.1.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %248 = "stablehlo.multiply"(%246, %246) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %249 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %250 = "stablehlo.reduce"(%248, %249) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x2x12xf32>, tensor<f32>) -> tensor<2x2xf32>
    %251 = "stablehlo.divide"(%250, %79) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %252 = "stablehlo.add"(%251, %81) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %253 = "stablehlo.rsqrt"(%252) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %254 = "stablehlo.broadcast_in_dim"(%253) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x12xf32>
    %255 = "stablehlo.multiply"(%246, %254) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %256 = "stablehlo.add"(%247, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %257 = "stablehlo.broadcast_in_dim"(%256) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x2x12xf32>
    %258 = "stablehlo.multiply"(%255, %257) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %259 = "stablehlo.reshape"(%258) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %260 = "stablehlo.slice"(%259) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %261 = "stablehlo.slice"(%259) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %262 = "stablehlo.multiply"(%260, %92) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %263 = "stablehlo.multiply"(%261, %93) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %264 = "stablehlo.subtract"(%262, %263) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %265 = "stablehlo.multiply"(%261, %92) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %266 = "stablehlo.multiply"(%260, %93) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %267 = "stablehlo.add"(%265, %266) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %268 = "stablehlo.concatenate"(%264, %267) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %269 = "stablehlo.reshape"(%268) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %270 = "stablehlo.slice"(%219) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %271 = "stablehlo.reshape"(%270) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %272 = "stablehlo.scatter"(%arg7, %arg2, %269) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %273 = "stablehlo.scatter"(%arg8, %arg2, %271) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %274 = "stablehlo.gather"(%272, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %275 = "stablehlo.reshape"(%274) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %276 = "stablehlo.gather"(%273, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %277 = "stablehlo.reshape"(%276) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %278 = "stablehlo.multiply"(%244, %110) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %279 = "stablehlo.reshape"(%278) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %280 = "stablehlo.dot_general"(%279, %275) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %281 = "stablehlo.select"(%124, %280, %125) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %282 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %283 = "stablehlo.reduce"(%281, %282) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %284 = "stablehlo.compare"(%283, %129) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %285 = "stablehlo.select"(%284, %131, %283) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %286 = "stablehlo.broadcast_in_dim"(%285) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %287 = "stablehlo.subtract"(%281, %286) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %288 = "stablehlo.exponential"(%287) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %289 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %290 = "stablehlo.reduce"(%288, %289) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %291 = "stablehlo.select"(%284, %138, %290) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %292 = "stablehlo.broadcast_in_dim"(%291) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %293 = "stablehlo.divide"(%288, %292) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %294 = "stablehlo.dot_general"(%293, %277) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %295 = "stablehlo.transpose"(%294) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %296 = "stablehlo.reshape"(%295) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %297 = "stablehlo.reshape"(%296) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %298 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %299 = "stablehlo.dot_general"(%297, %298) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<32x48xf32>) -> tensor<2x32xf32>
    %300 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %301 = "stablehlo.multiply"(%299, %299) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %302 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %303 = "stablehlo.reduce"(%301, %302) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %304 = "stablehlo.divide"(%303, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %305 = "stablehlo.add"(%304, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %306 = "stablehlo.rsqrt"(%305) : (tensor<2xf32>) -> tensor<2xf32>
    %307 = "stablehlo.broadcast_in_dim"(%306) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %308 = "stablehlo.multiply"(%299, %307) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %309 = "stablehlo.add"(%300, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %310 = "stablehlo.broadcast_in_dim"(%309) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %311 = "stablehlo.multiply"(%308, %310) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %312 = "stablehlo.add"(%205, %311) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %313 = "util.global.load"() {global = @model.layers.1.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %314 = "stablehlo.multiply"(%312, %312) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %315 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %316 = "stablehlo.reduce"(%314, %315) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %317 = "stablehlo.divide"(%316, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %318 = "stablehlo.add"(%317, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %319 = "stablehlo.rsqrt"(%318) : (tensor<2xf32>) -> tensor<2xf32>
    %320 = "stablehlo.broadcast_in_dim"(%319) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %321 = "stablehlo.multiply"(%312, %320) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %322 = "stablehlo.add"(%313, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %323 = "stablehlo.broadcast_in_dim"(%322) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %324 = "stablehlo.multiply"(%321, %323) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %325 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %326 = "stablehlo.dot_general"(%324, %325) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<112x32xf32>) -> tensor<2x112xf32>
    %327 = "stablehlo.slice"(%326) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %328 = "stablehlo.slice"(%326) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %329 = "stablehlo.multiply"(%327, %327) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %330 = "stablehlo.multiply"(%329, %327) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %331 = "stablehlo.multiply"(%330, %179) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %332 = "stablehlo.add"(%327, %331) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %333 = "stablehlo.multiply"(%332, %182) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %334 = "stablehlo.tanh"(%333) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %335 = "stablehlo.multiply"(%327, %185) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %336 = "stablehlo.add"(%334, %187) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %337 = "stablehlo.multiply"(%335, %336) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %338 = "stablehlo.multiply"(%337, %328) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %339 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %340 = "stablehlo.dot_general"(%338, %339) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<32x56xf32>) -> tensor<2x32xf32>
    %341 = "util.global.load"() {global = @model.layers.1.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %342 = "stablehlo.multiply"(%340, %340) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %343 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %344 = "stablehlo.reduce"(%342, %343) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %345 = "stablehlo.divide"(%344, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %346 = "stablehlo.add"(%345, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %347 = "stablehlo.rsqrt"(%346) : (tensor<2xf32>) -> tensor<2xf32>
    %348 = "stablehlo.broadcast_in_dim"(%347) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %349 = "stablehlo.multiply"(%340, %348) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %350 = "stablehlo.add"(%341, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %351 = "stablehlo.broadcast_in_dim"(%350) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %352 = "stablehlo.multiply"(%349, %351) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %353 = "stablehlo.add"(%312, %352) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %354 = "util.global.load"() {global = @model.layers.2.input_layernorm.weight} : () -> tensor<32xf32>
    %355 = "stablehlo.multiply"(%353, %353) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %356 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %357 = "stablehlo.reduce"(%355, %356) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %358 = "stablehlo.divide"(%357, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %359 = "stablehlo.add"(%358, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %360 = "stablehlo.rsqrt"(%359) : (tensor<2xf32>) -> tensor<2xf32>
    %361 = "stablehlo.broadcast_in_dim"(%360) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %362 = "stablehlo.multiply"(%353, %361) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %363 = "stablehlo.add"(%354, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %364 = "stablehlo.broadcast_in_dim"(%363) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %365 = "stablehlo.multiply"(%362, %364) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %366 = "util.global.load"() {global = @"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %367 = "stablehlo.dot_general"(%365, %366) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<96x32xf32>) -> tensor<2x96xf32>
    %368 = "stablehlo.slice"(%367) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %369 = "stablehlo.reshape"(%368) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %370 = "util.global.load"() {global = @model.layers.2.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %371 = "stablehlo.multiply"(%369, %369) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %372 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %373 = "stablehlo.reduce"(%371, %372) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x4x12xf32>, tensor<f32>) -> tensor<2x4xf32>
    %374 = "stablehlo.divide"(%373, %45) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %375 = "stablehlo.add"(%374, %47) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %376 = "stablehlo.rsqrt"(%375) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %377 = "stablehlo.broadcast_in_dim"(%376) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x12xf32>
    %378 = "stablehlo.multiply"(%369, %377) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %379 = "stablehlo.add"(%370, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %380 = "stablehlo.broadcast_in_dim"(%379) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x4x12xf32>
    %381 = "stablehlo.multiply"(%378, %380) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %382 = "stablehlo.reshape"(%381) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %383 = "stablehlo.slice"(%382) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %384 = "stablehlo.slice"(%382) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %385 = "stablehlo.slice"(%17) {limit_indices = array<i64: 1, 2, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %386 = "stablehlo.reshape"(%385) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %387 = "stablehlo.broadcast_in_dim"(%386) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x4x1x6xf32>
    %388 = "stablehlo.slice"(%17) {limit_indices = array<i64: 2, 2, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %389 = "stablehlo.reshape"(%388) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %390 = "stablehlo.broadcast_in_dim"(%389) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x4x1x6xf32>
    %391 = "stablehlo.multiply"(%383, %387) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %392 = "stablehlo.multiply"(%384, %390) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %393 = "stablehlo.subtract"(%391, %392) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %394 = "stablehlo.multiply"(%384, %387) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %395 = "stablehlo.multiply"(%383, %390) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %396 = "stablehlo.add"(%394, %395) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %397 = "stablehlo.concatenate"(%393, %396) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %398 = "stablehlo.reshape"(%397) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %399 = "stablehlo.slice"(%367) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %400 = "stablehlo.reshape"(%399) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %401 = "util.global.load"() {global = @model.layers.2.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %402 = "stablehlo.multiply"(%400, %400) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %403 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %404 = "stablehlo.reduce"(%402, %403) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x2x12xf32>, tensor<f32>) -> tensor<2x2xf32>
    %405 = "stablehlo.divide"(%404, %79) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %406 = "stablehlo.add"(%405, %81) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %407 = "stablehlo.rsqrt"(%406) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %408 = "stablehlo.broadcast_in_dim"(%407) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x12xf32>
    %409 = "stablehlo.multiply"(%400, %408) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %410 = "stablehlo.add"(%401, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %411 = "stablehlo.broadcast_in_dim"(%410) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x2x12xf32>
    %412 = "stablehlo.multiply"(%409, %411) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %413 = "stablehlo.reshape"(%412) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %414 = "stablehlo.slice"(%413) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %415 = "stablehlo.slice"(%413) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %416 = "stablehlo.broadcast_in_dim"(%386) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x2x1x6xf32>
    %417 = "stablehlo.broadcast_in_dim"(%389) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x2x1x6xf32>
    %418 = "stablehlo.multiply"(%414, %416) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %419 = "stablehlo.multiply"(%415, %417) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %420 = "stablehlo.subtract"(%418, %419) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %421 = "stablehlo.multiply"(%415, %416) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %422 = "stablehlo.multiply"(%414, %417) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %423 = "stablehlo.add"(%421, %422) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %424 = "stablehlo.concatenate"(%420, %423) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %425 = "stablehlo.reshape"(%424) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %426 = "stablehlo.slice"(%367) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %427 = "stablehlo.reshape"(%426) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %428 = "stablehlo.scatter"(%arg9, %arg2, %425) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %429 = "stablehlo.scatter"(%arg10, %arg2, %427) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %430 = "stablehlo.gather"(%428, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %431 = "stablehlo.reshape"(%430) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %432 = "stablehlo.gather"(%429, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %433 = "stablehlo.reshape"(%432) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %434 = "stablehlo.multiply"(%398, %110) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %435 = "stablehlo.reshape"(%434) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %436 = "stablehlo.dot_general"(%435, %431) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %437 = "stablehlo.broadcast_in_dim"(%118) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %438 = "stablehlo.select"(%437, %436, %125) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %439 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %440 = "stablehlo.reduce"(%438, %439) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %441 = "stablehlo.compare"(%440, %129) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %442 = "stablehlo.select"(%441, %131, %440) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %443 = "stablehlo.broadcast_in_dim"(%442) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %444 = "stablehlo.subtract"(%438, %443) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %445 = "stablehlo.exponential"(%444) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %446 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %447 = "stablehlo.reduce"(%445, %446) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %448 = "stablehlo.select"(%441, %138, %447) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %449 = "stablehlo.broadcast_in_dim"(%448) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %450 = "stablehlo.divide"(%445, %449) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %451 = "stablehlo.dot_general"(%450, %433) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %452 = "stablehlo.transpose"(%451) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %453 = "stablehlo.reshape"(%452) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %454 = "stablehlo.reshape"(%453) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %455 = "util.global.load"() {global = @model.layers.2.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %456 = "stablehlo.dot_general"(%454, %455) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<32x48xf32>) -> tensor<2x32xf32>
    %457 = "util.global.load"() {global = @model.layers.2.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %458 = "stablehlo.multiply"(%456, %456) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %459 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %460 = "stablehlo.reduce"(%458, %459) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %461 = "stablehlo.divide"(%460, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %462 = "stablehlo.add"(%461, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %463 = "stablehlo.rsqrt"(%462) : (tensor<2xf32>) -> tensor<2xf32>
    %464 = "stablehlo.broadcast_in_dim"(%463) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %465 = "stablehlo.multiply"(%456, %464) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %466 = "stablehlo.add"(%457, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %467 = "stablehlo.broadcast_in_dim"(%466) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %468 = "stablehlo.multiply"(%465, %467) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %469 = "stablehlo.add"(%353, %468) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %470 = "util.global.load"() {global = @model.layers.2.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %471 = "stablehlo.multiply"(%469, %469) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %472 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %473 = "stablehlo.reduce"(%471, %472) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %474 = "stablehlo.divide"(%473, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %475 = "stablehlo.add"(%474, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %476 = "stablehlo.rsqrt"(%475) : (tensor<2xf32>) -> tensor<2xf32>
    %477 = "stablehlo.broadcast_in_dim"(%476) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %478 = "stablehlo.multiply"(%469, %477) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %479 = "stablehlo.add"(%470, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %480 = "stablehlo.broadcast_in_dim"(%479) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %481 = "stablehlo.multiply"(%478, %480) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %482 = "util.global.load"() {global = @"model.layers.2.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %483 = "stablehlo.dot_general"(%481, %482) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<112x32xf32>) -> tensor<2x112xf32>
    %484 = "stablehlo.slice"(%483) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %485 = "stablehlo.slice"(%483) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %486 = "stablehlo.multiply"(%484, %484) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %487 = "stablehlo.multiply"(%486, %484) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %488 = "stablehlo.multiply"(%487, %179) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %489 = "stablehlo.add"(%484, %488) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %490 = "stablehlo.multiply"(%489, %182) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %491 = "stablehlo.tanh"(%490) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %492 = "stablehlo.multiply"(%484, %185) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %493 = "stablehlo.add"(%491, %187) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %494 = "stablehlo.multiply"(%492, %493) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %495 = "stablehlo.multiply"(%494, %485) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %496 = "util.global.load"() {global = @model.layers.2.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %497 = "stablehlo.dot_general"(%495, %496) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<32x56xf32>) -> tensor<2x32xf32>
    %498 = "util.global.load"() {global = @model.layers.2.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %499 = "stablehlo.multiply"(%497, %497) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %500 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %501 = "stablehlo.reduce"(%499, %500) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %502 = "stablehlo.divide"(%501, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %503 = "stablehlo.add"(%502, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %504 = "stablehlo.rsqrt"(%503) : (tensor<2xf32>) -> tensor<2xf32>
    %505 = "stablehlo.broadcast_in_dim"(%504) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %506 = "stablehlo.multiply"(%497, %505) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %507 = "stablehlo.add"(%498, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %508 = "stablehlo.broadcast_in_dim"(%507) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %509 = "stablehlo.multiply"(%506, %508) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %510 = "stablehlo.add"(%469, %509) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %511 = "util.global.load"() {global = @model.layers.3.input_layernorm.weight} : () -> tensor<32xf32>
    %512 = "stablehlo.multiply"(%510, %510) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %513 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %514 = "stablehlo.reduce"(%512, %513) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %515 = "stablehlo.divide"(%514, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %516 = "stablehlo.add"(%515, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %517 = "stablehlo.rsqrt"(%516) : (tensor<2xf32>) -> tensor<2xf32>
    %518 = "stablehlo.broadcast_in_dim"(%517) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %519 = "stablehlo.multiply"(%510, %518) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %520 = "stablehlo.add"(%511, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %521 = "stablehlo.broadcast_in_dim"(%520) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %522 = "stablehlo.multiply"(%519, %521) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %523 = "util.global.load"() {global = @"model.layers.3.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %524 = "stablehlo.dot_general"(%522, %523) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<96x32xf32>) -> tensor<2x96xf32>
    %525 = "stablehlo.slice"(%524) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %526 = "stablehlo.reshape"(%525) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %527 = "util.global.load"() {global = @model.layers.3.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %528 = "stablehlo.multiply"(%526, %526) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %529 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %530 = "stablehlo.reduce"(%528, %529) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x4x12xf32>, tensor<f32>) -> tensor<2x4xf32>
    %531 = "stablehlo.divide"(%530, %45) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %532 = "stablehlo.add"(%531, %47) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %533 = "stablehlo.rsqrt"(%532) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %534 = "stablehlo.broadcast_in_dim"(%533) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x12xf32>
    %535 = "stablehlo.multiply"(%526, %534) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %536 = "stablehlo.add"(%527, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %537 = "stablehlo.broadcast_in_dim"(%536) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x4x12xf32>
    %538 = "stablehlo.multiply"(%535, %537) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %539 = "stablehlo.reshape"(%538) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %540 = "stablehlo.slice"(%539) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %541 = "stablehlo.slice"(%539) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %542 = "stablehlo.multiply"(%540, %61) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %543 = "stablehlo.multiply"(%541, %64) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %544 = "stablehlo.subtract"(%542, %543) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %545 = "stablehlo.multiply"(%541, %61) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %546 = "stablehlo.multiply"(%540, %64) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %547 = "stablehlo.add"(%545, %546) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %548 = "stablehlo.concatenate"(%544, %547) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %549 = "stablehlo.reshape"(%548) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %550 = "stablehlo.slice"(%524) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %551 = "stablehlo.reshape"(%550) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %552 = "util.global.load"() {global = @model.layers.3.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %553 = "stablehlo.multiply"(%551, %551) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %554 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %555 = "stablehlo.reduce"(%553, %554) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x2x12xf32>, tensor<f32>) -> tensor<2x2xf32>
    %556 = "stablehlo.divide"(%555, %79) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %557 = "stablehlo.add"(%556, %81) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %558 = "stablehlo.rsqrt"(%557) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %559 = "stablehlo.broadcast_in_dim"(%558) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x12xf32>
    %560 = "stablehlo.multiply"(%551, %559) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %561 = "stablehlo.add"(%552, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %562 = "stablehlo.broadcast_in_dim"(%561) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x2x12xf32>
    %563 = "stablehlo.multiply"(%560, %562) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %564 = "stablehlo.reshape"(%563) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %565 = "stablehlo.slice"(%564) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %566 = "stablehlo.slice"(%564) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %567 = "stablehlo.multiply"(%565, %92) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %568 = "stablehlo.multiply"(%566, %93) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %569 = "stablehlo.subtract"(%567, %568) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %570 = "stablehlo.multiply"(%566, %92) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %571 = "stablehlo.multiply"(%565, %93) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %572 = "stablehlo.add"(%570, %571) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %573 = "stablehlo.concatenate"(%569, %572) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %574 = "stablehlo.reshape"(%573) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %575 = "stablehlo.slice"(%524) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %576 = "stablehlo.reshape"(%575) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %577 = "stablehlo.scatter"(%arg11, %arg2, %574) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %578 = "stablehlo.scatter"(%arg12, %arg2, %576) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %579 = "stablehlo.gather"(%577, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %580 = "stablehlo.reshape"(%579) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %581 = "stablehlo.gather"(%578, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %582 = "stablehlo.reshape"(%581) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %583 = "stablehlo.multiply"(%549, %110) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %584 = "stablehlo.reshape"(%583) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %585 = "stablehlo.dot_general"(%584, %580) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %586 = "stablehlo.select"(%124, %585, %125) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %587 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %588 = "stablehlo.reduce"(%586, %587) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %589 = "stablehlo.compare"(%588, %129) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %590 = "stablehlo.select"(%589, %131, %588) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %591 = "stablehlo.broadcast_in_dim"(%590) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %592 = "stablehlo.subtract"(%586, %591) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %593 = "stablehlo.exponential"(%592) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %594 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %595 = "stablehlo.reduce"(%593, %594) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %596 = "stablehlo.select"(%589, %138, %595) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %597 = "stablehlo.broadcast_in_dim"(%596) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %598 = "stablehlo.divide"(%593, %597) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %599 = "stablehlo.dot_general"(%598, %582) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %600 = "stablehlo.transpose"(%599) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %601 = "stablehlo.reshape"(%600) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %602 = "stablehlo.reshape"(%601) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %603 = "util.global.load"() {global = @model.layers.3.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %604 = "stablehlo.dot_general"(%602, %603) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<32x48xf32>) -> tensor<2x32xf32>
    %605 = "util.global.load"() {global = @model.layers.3.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %606 = "stablehlo.multiply"(%604, %604) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %607 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %608 = "stablehlo.reduce"(%606, %607) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %609 = "stablehlo.divide"(%608, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %610 = "stablehlo.add"(%609, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %611 = "stablehlo.rsqrt"(%610) : (tensor<2xf32>) -> tensor<2xf32>
    %612 = "stablehlo.broadcast_in_dim"(%611) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %613 = "stablehlo.multiply"(%604, %612) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %614 = "stablehlo.add"(%605, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %615 = "stablehlo.broadcast_in_dim"(%614) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %616 = "stablehlo.multiply"(%613, %615) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %617 = "stablehlo.add"(%510, %616) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %618 = "util.global.load"() {global = @model.layers.3.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %619 = "stablehlo.multiply"(%617, %617) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %620 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %621 = "stablehlo.reduce"(%619, %620) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %622 = "stablehlo.divide"(%621, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %623 = "stablehlo.add"(%622, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %624 = "stablehlo.rsqrt"(%623) : (tensor<2xf32>) -> tensor<2xf32>
    %625 = "stablehlo.broadcast_in_dim"(%624) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %626 = "stablehlo.multiply"(%617, %625) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %627 = "stablehlo.add"(%618, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %628 = "stablehlo.broadcast_in_dim"(%627) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %629 = "stablehlo.multiply"(%626, %628) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %630 = "util.global.load"() {global = @"model.layers.3.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %631 = "stablehlo.dot_general"(%629, %630) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<112x32xf32>) -> tensor<2x112xf32>
    %632 = "stablehlo.slice"(%631) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %633 = "stablehlo.slice"(%631) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %634 = "stablehlo.multiply"(%632, %632) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %635 = "stablehlo.multiply"(%634, %632) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %636 = "stablehlo.multiply"(%635, %179) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %637 = "stablehlo.add"(%632, %636) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %638 = "stablehlo.multiply"(%637, %182) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %639 = "stablehlo.tanh"(%638) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %640 = "stablehlo.multiply"(%632, %185) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %641 = "stablehlo.add"(%639, %187) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %642 = "stablehlo.multiply"(%640, %641) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %643 = "stablehlo.multiply"(%642, %633) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %644 = "util.global.load"() {global = @model.layers.3.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %645 = "stablehlo.dot_general"(%643, %644) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<32x56xf32>) -> tensor<2x32xf32>
    %646 = "util.global.load"() {global = @model.layers.3.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %647 = "stablehlo.multiply"(%645, %645) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %648 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %649 = "stablehlo.reduce"(%647, %648) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %650 = "stablehlo.divide"(%649, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %651 = "stablehlo.add"(%650, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %652 = "stablehlo.rsqrt"(%651) : (tensor<2xf32>) -> tensor<2xf32>
    %653 = "stablehlo.broadcast_in_dim"(%652) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %654 = "stablehlo.multiply"(%645, %653) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %655 = "stablehlo.add"(%646, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %656 = "stablehlo.broadcast_in_dim"(%655) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %657 = "stablehlo.multiply"(%654, %656) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %658 = "stablehlo.add"(%617, %657) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %659 = "util.global.load"() {global = @model.layers.4.input_layernorm.weight} : () -> tensor<32xf32>
    %660 = "stablehlo.multiply"(%658, %658) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %661 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %662 = "stablehlo.reduce"(%660, %661) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %663 = "stablehlo.divide"(%662, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %664 = "stablehlo.add"(%663, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %665 = "stablehlo.rsqrt"(%664) : (tensor<2xf32>) -> tensor<2xf32>
    %666 = "stablehlo.broadcast_in_dim"(%665) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %667 = "stablehlo.multiply"(%658, %666) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %668 = "stablehlo.add"(%659, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %669 = "stablehlo.broadcast_in_dim"(%668) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %670 = "stablehlo.multiply"(%667, %669) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %671 = "util.global.load"() {global = @"model.layers.4.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %672 = "stablehlo.dot_general"(%670, %671) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<96x32xf32>) -> tensor<2x96xf32>
    %673 = "stablehlo.slice"(%672) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %674 = "stablehlo.reshape"(%673) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %675 = "util.global.load"() {global = @model.layers.4.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %676 = "stablehlo.multiply"(%674, %674) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %677 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %678 = "stablehlo.reduce"(%676, %677) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x4x12xf32>, tensor<f32>) -> tensor<2x4xf32>
    %679 = "stablehlo.divide"(%678, %45) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %680 = "stablehlo.add"(%679, %47) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %681 = "stablehlo.rsqrt"(%680) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %682 = "stablehlo.broadcast_in_dim"(%681) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x12xf32>
    %683 = "stablehlo.multiply"(%674, %682) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %684 = "stablehlo.add"(%675, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %685 = "stablehlo.broadcast_in_dim"(%684) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x4x12xf32>
    %686 = "stablehlo.multiply"(%683, %685) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %687 = "stablehlo.reshape"(%686) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %688 = "stablehlo.slice"(%687) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %689 = "stablehlo.slice"(%687) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %690 = "stablehlo.multiply"(%688, %61) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %691 = "stablehlo.multiply"(%689, %64) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %692 = "stablehlo.subtract"(%690, %691) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %693 = "stablehlo.multiply"(%689, %61) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %694 = "stablehlo.multiply"(%688, %64) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %695 = "stablehlo.add"(%693, %694) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %696 = "stablehlo.concatenate"(%692, %695) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %697 = "stablehlo.reshape"(%696) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %698 = "stablehlo.slice"(%672) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %699 = "stablehlo.reshape"(%698) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %700 = "util.global.load"() {global = @model.layers.4.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %701 = "stablehlo.multiply"(%699, %699) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %702 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %703 = "stablehlo.reduce"(%701, %702) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x2x12xf32>, tensor<f32>) -> tensor<2x2xf32>
    %704 = "stablehlo.divide"(%703, %79) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %705 = "stablehlo.add"(%704, %81) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %706 = "stablehlo.rsqrt"(%705) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %707 = "stablehlo.broadcast_in_dim"(%706) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x12xf32>
    %708 = "stablehlo.multiply"(%699, %707) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %709 = "stablehlo.add"(%700, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %710 = "stablehlo.broadcast_in_dim"(%709) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x2x12xf32>
    %711 = "stablehlo.multiply"(%708, %710) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %712 = "stablehlo.reshape"(%711) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %713 = "stablehlo.slice"(%712) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %714 = "stablehlo.slice"(%712) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %715 = "stablehlo.multiply"(%713, %92) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %716 = "stablehlo.multiply"(%714, %93) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %717 = "stablehlo.subtract"(%715, %716) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %718 = "stablehlo.multiply"(%714, %92) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %719 = "stablehlo.multiply"(%713, %93) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %720 = "stablehlo.add"(%718, %719) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %721 = "stablehlo.concatenate"(%717, %720) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %722 = "stablehlo.reshape"(%721) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %723 = "stablehlo.slice"(%672) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %724 = "stablehlo.reshape"(%723) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %725 = "stablehlo.scatter"(%arg13, %arg2, %722) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %726 = "stablehlo.scatter"(%arg14, %arg2, %724) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %727 = "stablehlo.gather"(%725, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %728 = "stablehlo.reshape"(%727) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %729 = "stablehlo.gather"(%726, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %730 = "stablehlo.reshape"(%729) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %731 = "stablehlo.multiply"(%697, %110) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %732 = "stablehlo.reshape"(%731) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %733 = "stablehlo.dot_general"(%732, %728) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %734 = "stablehlo.select"(%124, %733, %125) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %735 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %736 = "stablehlo.reduce"(%734, %735) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %737 = "stablehlo.compare"(%736, %129) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %738 = "stablehlo.select"(%737, %131, %736) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %739 = "stablehlo.broadcast_in_dim"(%738) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %740 = "stablehlo.subtract"(%734, %739) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %741 = "stablehlo.exponential"(%740) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %742 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %743 = "stablehlo.reduce"(%741, %742) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %744 = "stablehlo.select"(%737, %138, %743) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %745 = "stablehlo.broadcast_in_dim"(%744) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %746 = "stablehlo.divide"(%741, %745) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %747 = "stablehlo.dot_general"(%746, %730) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %748 = "stablehlo.transpose"(%747) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %749 = "stablehlo.reshape"(%748) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %750 = "stablehlo.reshape"(%749) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %751 = "util.global.load"() {global = @model.layers.4.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %752 = "stablehlo.dot_general"(%750, %751) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<32x48xf32>) -> tensor<2x32xf32>
    %753 = "util.global.load"() {global = @model.layers.4.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %754 = "stablehlo.multiply"(%752, %752) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %755 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %756 = "stablehlo.reduce"(%754, %755) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %757 = "stablehlo.divide"(%756, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %758 = "stablehlo.add"(%757, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %759 = "stablehlo.rsqrt"(%758) : (tensor<2xf32>) -> tensor<2xf32>
    %760 = "stablehlo.broadcast_in_dim"(%759) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %761 = "stablehlo.multiply"(%752, %760) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %762 = "stablehlo.add"(%753, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %763 = "stablehlo.broadcast_in_dim"(%762) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %764 = "stablehlo.multiply"(%761, %763) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %765 = "stablehlo.add"(%658, %764) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %766 = "util.global.load"() {global = @model.layers.4.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %767 = "stablehlo.multiply"(%765, %765) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %768 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %769 = "stablehlo.reduce"(%767, %768) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %770 = "stablehlo.divide"(%769, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %771 = "stablehlo.add"(%770, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %772 = "stablehlo.rsqrt"(%771) : (tensor<2xf32>) -> tensor<2xf32>
    %773 = "stablehlo.broadcast_in_dim"(%772) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %774 = "stablehlo.multiply"(%765, %773) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %775 = "stablehlo.add"(%766, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %776 = "stablehlo.broadcast_in_dim"(%775) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %777 = "stablehlo.multiply"(%774, %776) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %778 = "util.global.load"() {global = @"model.layers.4.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %779 = "stablehlo.dot_general"(%777, %778) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<112x32xf32>) -> tensor<2x112xf32>
    %780 = "stablehlo.slice"(%779) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %781 = "stablehlo.slice"(%779) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %782 = "stablehlo.multiply"(%780, %780) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %783 = "stablehlo.multiply"(%782, %780) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %784 = "stablehlo.multiply"(%783, %179) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %785 = "stablehlo.add"(%780, %784) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %786 = "stablehlo.multiply"(%785, %182) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %787 = "stablehlo.tanh"(%786) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %788 = "stablehlo.multiply"(%780, %185) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %789 = "stablehlo.add"(%787, %187) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %790 = "stablehlo.multiply"(%788, %789) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %791 = "stablehlo.multiply"(%790, %781) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %792 = "util.global.load"() {global = @model.layers.4.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %793 = "stablehlo.dot_general"(%791, %792) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<32x56xf32>) -> tensor<2x32xf32>
    %794 = "util.global.load"() {global = @model.layers.4.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %795 = "stablehlo.multiply"(%793, %793) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %796 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %797 = "stablehlo.reduce"(%795, %796) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %798 = "stablehlo.divide"(%797, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %799 = "stablehlo.add"(%798, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %800 = "stablehlo.rsqrt"(%799) : (tensor<2xf32>) -> tensor<2xf32>
    %801 = "stablehlo.broadcast_in_dim"(%800) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %802 = "stablehlo.multiply"(%793, %801) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %803 = "stablehlo.add"(%794, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %804 = "stablehlo.broadcast_in_dim"(%803) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %805 = "stablehlo.multiply"(%802, %804) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %806 = "stablehlo.add"(%765, %805) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %807 = "util.global.load"() {global = @model.layers.5.input_layernorm.weight} : () -> tensor<32xf32>
    %808 = "stablehlo.multiply"(%806, %806) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %809 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %810 = "stablehlo.reduce"(%808, %809) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %811 = "stablehlo.divide"(%810, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %812 = "stablehlo.add"(%811, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %813 = "stablehlo.rsqrt"(%812) : (tensor<2xf32>) -> tensor<2xf32>
    %814 = "stablehlo.broadcast_in_dim"(%813) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %815 = "stablehlo.multiply"(%806, %814) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %816 = "stablehlo.add"(%807, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %817 = "stablehlo.broadcast_in_dim"(%816) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %818 = "stablehlo.multiply"(%815, %817) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %819 = "util.global.load"() {global = @"model.layers.5.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x32xf32>
    %820 = "stablehlo.dot_general"(%818, %819) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<96x32xf32>) -> tensor<2x96xf32>
    %821 = "stablehlo.slice"(%820) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %822 = "stablehlo.reshape"(%821) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %823 = "util.global.load"() {global = @model.layers.5.self_attn.q_norm.weight} : () -> tensor<12xf32>
    %824 = "stablehlo.multiply"(%822, %822) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %825 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %826 = "stablehlo.reduce"(%824, %825) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x4x12xf32>, tensor<f32>) -> tensor<2x4xf32>
    %827 = "stablehlo.divide"(%826, %45) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %828 = "stablehlo.add"(%827, %47) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %829 = "stablehlo.rsqrt"(%828) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %830 = "stablehlo.broadcast_in_dim"(%829) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x12xf32>
    %831 = "stablehlo.multiply"(%822, %830) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %832 = "stablehlo.add"(%823, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %833 = "stablehlo.broadcast_in_dim"(%832) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x4x12xf32>
    %834 = "stablehlo.multiply"(%831, %833) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %835 = "stablehlo.reshape"(%834) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %836 = "stablehlo.slice"(%835) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %837 = "stablehlo.slice"(%835) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %838 = "stablehlo.multiply"(%836, %387) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %839 = "stablehlo.multiply"(%837, %390) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %840 = "stablehlo.subtract"(%838, %839) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %841 = "stablehlo.multiply"(%837, %387) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %842 = "stablehlo.multiply"(%836, %390) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %843 = "stablehlo.add"(%841, %842) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %844 = "stablehlo.concatenate"(%840, %843) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %845 = "stablehlo.reshape"(%844) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %846 = "stablehlo.slice"(%820) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %847 = "stablehlo.reshape"(%846) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %848 = "util.global.load"() {global = @model.layers.5.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %849 = "stablehlo.multiply"(%847, %847) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %850 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %851 = "stablehlo.reduce"(%849, %850) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x2x12xf32>, tensor<f32>) -> tensor<2x2xf32>
    %852 = "stablehlo.divide"(%851, %79) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %853 = "stablehlo.add"(%852, %81) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %854 = "stablehlo.rsqrt"(%853) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %855 = "stablehlo.broadcast_in_dim"(%854) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x12xf32>
    %856 = "stablehlo.multiply"(%847, %855) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %857 = "stablehlo.add"(%848, %52) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %858 = "stablehlo.broadcast_in_dim"(%857) {broadcast_dimensions = array<i64: 2>} : (tensor<12xf32>) -> tensor<2x2x12xf32>
    %859 = "stablehlo.multiply"(%856, %858) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %860 = "stablehlo.reshape"(%859) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %861 = "stablehlo.slice"(%860) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %862 = "stablehlo.slice"(%860) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %863 = "stablehlo.multiply"(%861, %416) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %864 = "stablehlo.multiply"(%862, %417) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %865 = "stablehlo.subtract"(%863, %864) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %866 = "stablehlo.multiply"(%862, %416) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %867 = "stablehlo.multiply"(%861, %417) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %868 = "stablehlo.add"(%866, %867) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %869 = "stablehlo.concatenate"(%865, %868) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %870 = "stablehlo.reshape"(%869) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %871 = "stablehlo.slice"(%820) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %872 = "stablehlo.reshape"(%871) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %873 = "stablehlo.scatter"(%arg15, %arg2, %870) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %874 = "stablehlo.scatter"(%arg16, %arg2, %872) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      "stablehlo.return"(%arg18) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %875 = "stablehlo.gather"(%873, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %876 = "stablehlo.reshape"(%875) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %877 = "stablehlo.gather"(%874, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %878 = "stablehlo.reshape"(%877) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %879 = "stablehlo.multiply"(%845, %110) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %880 = "stablehlo.reshape"(%879) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %881 = "stablehlo.dot_general"(%880, %876) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %882 = "stablehlo.select"(%437, %881, %125) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %883 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %884 = "stablehlo.reduce"(%882, %883) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %885 = "stablehlo.compare"(%884, %129) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %886 = "stablehlo.select"(%885, %131, %884) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %887 = "stablehlo.broadcast_in_dim"(%886) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %888 = "stablehlo.subtract"(%882, %887) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %889 = "stablehlo.exponential"(%888) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %890 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %891 = "stablehlo.reduce"(%889, %890) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %892 = "stablehlo.select"(%885, %138, %891) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %893 = "stablehlo.broadcast_in_dim"(%892) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %894 = "stablehlo.divide"(%889, %893) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %895 = "stablehlo.dot_general"(%894, %878) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %896 = "stablehlo.transpose"(%895) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %897 = "stablehlo.reshape"(%896) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %898 = "stablehlo.reshape"(%897) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %899 = "util.global.load"() {global = @model.layers.5.self_attn.o_proj.weight} : () -> tensor<32x48xf32>
    %900 = "stablehlo.dot_general"(%898, %899) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<32x48xf32>) -> tensor<2x32xf32>
    %901 = "util.global.load"() {global = @model.layers.5.post_attention_layernorm.weight} : () -> tensor<32xf32>
    %902 = "stablehlo.multiply"(%900, %900) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %903 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %904 = "stablehlo.reduce"(%902, %903) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %905 = "stablehlo.divide"(%904, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %906 = "stablehlo.add"(%905, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %907 = "stablehlo.rsqrt"(%906) : (tensor<2xf32>) -> tensor<2xf32>
    %908 = "stablehlo.broadcast_in_dim"(%907) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %909 = "stablehlo.multiply"(%900, %908) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %910 = "stablehlo.add"(%901, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %911 = "stablehlo.broadcast_in_dim"(%910) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %912 = "stablehlo.multiply"(%909, %911) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %913 = "stablehlo.add"(%806, %912) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %914 = "util.global.load"() {global = @model.layers.5.pre_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %915 = "stablehlo.multiply"(%913, %913) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %916 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %917 = "stablehlo.reduce"(%915, %916) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %918 = "stablehlo.divide"(%917, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %919 = "stablehlo.add"(%918, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %920 = "stablehlo.rsqrt"(%919) : (tensor<2xf32>) -> tensor<2xf32>
    %921 = "stablehlo.broadcast_in_dim"(%920) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %922 = "stablehlo.multiply"(%913, %921) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %923 = "stablehlo.add"(%914, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %924 = "stablehlo.broadcast_in_dim"(%923) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %925 = "stablehlo.multiply"(%922, %924) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %926 = "util.global.load"() {global = @"model.layers.5.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x32xf32>
    %927 = "stablehlo.dot_general"(%925, %926) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<112x32xf32>) -> tensor<2x112xf32>
    %928 = "stablehlo.slice"(%927) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %929 = "stablehlo.slice"(%927) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %930 = "stablehlo.multiply"(%928, %928) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %931 = "stablehlo.multiply"(%930, %928) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %932 = "stablehlo.multiply"(%931, %179) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %933 = "stablehlo.add"(%928, %932) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %934 = "stablehlo.multiply"(%933, %182) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %935 = "stablehlo.tanh"(%934) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %936 = "stablehlo.multiply"(%928, %185) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %937 = "stablehlo.add"(%935, %187) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %938 = "stablehlo.multiply"(%936, %937) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %939 = "stablehlo.multiply"(%938, %929) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %940 = "util.global.load"() {global = @model.layers.5.mlp.down_proj.weight} : () -> tensor<32x56xf32>
    %941 = "stablehlo.dot_general"(%939, %940) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<32x56xf32>) -> tensor<2x32xf32>
    %942 = "util.global.load"() {global = @model.layers.5.post_feedforward_layernorm.weight} : () -> tensor<32xf32>
    %943 = "stablehlo.multiply"(%941, %941) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %944 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %945 = "stablehlo.reduce"(%943, %944) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %946 = "stablehlo.divide"(%945, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %947 = "stablehlo.add"(%946, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %948 = "stablehlo.rsqrt"(%947) : (tensor<2xf32>) -> tensor<2xf32>
    %949 = "stablehlo.broadcast_in_dim"(%948) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %950 = "stablehlo.multiply"(%941, %949) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %951 = "stablehlo.add"(%942, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %952 = "stablehlo.broadcast_in_dim"(%951) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %953 = "stablehlo.multiply"(%950, %952) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %954 = "stablehlo.add"(%913, %953) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %955 = "stablehlo.gather"(%954, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>} : (tensor<2x32xf32>, tensor<2xi32>) -> tensor<2x32xf32>
    %956 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<32xf32>
    %957 = "stablehlo.multiply"(%955, %955) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %958 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %959 = "stablehlo.reduce"(%957, %958) ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %974 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x32xf32>, tensor<f32>) -> tensor<2xf32>
    %960 = "stablehlo.divide"(%959, %26) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %961 = "stablehlo.add"(%960, %28) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %962 = "stablehlo.rsqrt"(%961) : (tensor<2xf32>) -> tensor<2xf32>
    %963 = "stablehlo.broadcast_in_dim"(%962) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x32xf32>
    %964 = "stablehlo.multiply"(%955, %963) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %965 = "stablehlo.add"(%956, %33) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %966 = "stablehlo.broadcast_in_dim"(%965) {broadcast_dimensions = array<i64: 1>} : (tensor<32xf32>) -> tensor<2x32xf32>
    %967 = "stablehlo.multiply"(%964, %966) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %968 = "stablehlo.dot_general"(%967, %18) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x32xf32>, tensor<128x32xf32>) -> tensor<2x128xf32>
    %969 = "stablehlo.constant"() {value = dense<0.166666672> : tensor<2x128xf32>} : () -> tensor<2x128xf32>
    %970 = "stablehlo.multiply"(%968, %969) : (tensor<2x128xf32>, tensor<2x128xf32>) -> tensor<2x128xf32>
    %971 = "stablehlo.tanh"(%970) : (tensor<2x128xf32>) -> tensor<2x128xf32>
    %972 = "stablehlo.constant"() {value = dense<6.000000e+00> : tensor<2x128xf32>} : () -> tensor<2x128xf32>
    %973 = "stablehlo.multiply"(%971, %972) : (tensor<2x128xf32>, tensor<2x128xf32>) -> tensor<2x128xf32>
    return %973, %104, %105, %272, %273, %428, %429, %577, %578, %725, %726, %873, %874 : tensor<2x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>
  }
}
