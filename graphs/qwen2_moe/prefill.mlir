module @qwen2_moe {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x24xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x24xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.weight"> : tensor<24x36xf32>, sym_name = "model.layers.0.mlp.down_proj.weight", sym_visibility = "private", type = tensor<24x36xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj+up_proj.weight"> : tensor<72x24xf32>, sym_name = "model.layers.0.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<72x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_proj.bias"> : tensor<12xf32>, sym_name = "model.layers.0.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<24x24xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<48x24xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<48x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.0.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.v_proj.bias"> : tensor<12xf32>, sym_name = "model.layers.0.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.experts.down.weight"> : tensor<120x20xf32>, sym_name = "model.layers.1.mlp.experts.down.weight", sym_visibility = "private", type = tensor<120x20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.experts.gate+up.weight"> : tensor<200x24xf32>, sym_name = "model.layers.1.mlp.experts.gate+up.weight", sym_visibility = "private", type = tensor<200x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate.weight+model.layers.1.mlp.shared_expert.gate_proj.weight+model.layers.1.mlp.shared_expert.up_proj.weight+model.layers.1.mlp.shared_expert_gate.weight"> : tensor<62x24xf32>, sym_name = "model.layers.1.mlp.gate.weight+model.layers.1.mlp.shared_expert.gate_proj.weight+model.layers.1.mlp.shared_expert.up_proj.weight+model.layers.1.mlp.shared_expert_gate.weight", sym_visibility = "private", type = tensor<62x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.shared_expert.down_proj.weight"> : tensor<24x28xf32>, sym_name = "model.layers.1.mlp.shared_expert.down_proj.weight", sym_visibility = "private", type = tensor<24x28xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_proj.bias"> : tensor<12xf32>, sym_name = "model.layers.1.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<24x24xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<48x24xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<48x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.1.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.v_proj.bias"> : tensor<12xf32>, sym_name = "model.layers.1.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.2.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.down_proj.weight"> : tensor<24x36xf32>, sym_name = "model.layers.2.mlp.down_proj.weight", sym_visibility = "private", type = tensor<24x36xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.gate_proj+up_proj.weight"> : tensor<72x24xf32>, sym_name = "model.layers.2.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<72x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.2.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.k_proj.bias"> : tensor<12xf32>, sym_name = "model.layers.2.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.o_proj.weight"> : tensor<24x24xf32>, sym_name = "model.layers.2.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<48x24xf32>, sym_name = "model.layers.2.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<48x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.2.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.v_proj.bias"> : tensor<12xf32>, sym_name = "model.layers.2.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.3.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.experts.down.weight"> : tensor<120x20xf32>, sym_name = "model.layers.3.mlp.experts.down.weight", sym_visibility = "private", type = tensor<120x20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.experts.gate+up.weight"> : tensor<200x24xf32>, sym_name = "model.layers.3.mlp.experts.gate+up.weight", sym_visibility = "private", type = tensor<200x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.gate.weight+model.layers.3.mlp.shared_expert.gate_proj.weight+model.layers.3.mlp.shared_expert.up_proj.weight+model.layers.3.mlp.shared_expert_gate.weight"> : tensor<62x24xf32>, sym_name = "model.layers.3.mlp.gate.weight+model.layers.3.mlp.shared_expert.gate_proj.weight+model.layers.3.mlp.shared_expert.up_proj.weight+model.layers.3.mlp.shared_expert_gate.weight", sym_visibility = "private", type = tensor<62x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.shared_expert.down_proj.weight"> : tensor<24x28xf32>, sym_name = "model.layers.3.mlp.shared_expert.down_proj.weight", sym_visibility = "private", type = tensor<24x28xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.3.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.k_proj.bias"> : tensor<12xf32>, sym_name = "model.layers.3.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.o_proj.weight"> : tensor<24x24xf32>, sym_name = "model.layers.3.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<48x24xf32>, sym_name = "model.layers.3.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<48x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.q_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.3.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.v_proj.bias"> : tensor<12xf32>, sym_name = "model.layers.3.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<24xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  func.func @prefill(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>, %arg2: tensor<8x2xi32>, %arg3: tensor<1x2xi32>, %arg4: tensor<1xi32>, %arg5: tensor<?x8x2x6xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x6xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x6xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x6xf32> {iree.abi.output = 4 : index}, %arg9: tensor<?x8x2x6xf32> {iree.abi.output = 5 : index}, %arg10: tensor<?x8x2x6xf32> {iree.abi.output = 6 : index}, %arg11: tensor<?x8x2x6xf32> {iree.abi.output = 7 : index}, %arg12: tensor<?x8x2x6xf32> {iree.abi.output = 8 : index}) -> (tensor<1x128xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.0464158878, 0.0021544348]> : tensor<3xf32>} : () -> tensor<3xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<8x3xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<8xi32>) -> tensor<8xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x3xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<8x3xf32>) -> tensor<1x8x3xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<8x3xf32>) -> tensor<1x8x3xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x8x3xf32>, tensor<1x8x3xf32>) -> tensor<2x8x3xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x24xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<128x24xf32>, tensor<8xi32>) -> tensor<8x24xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<24xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() {value = dense<2.400000e+01> : tensor<8xf32>} : () -> tensor<8xf32>
    %17 = "stablehlo.divide"(%15, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8xf32>} : () -> tensor<8xf32>
    %19 = "stablehlo.add"(%17, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %20 = "stablehlo.rsqrt"(%19) : (tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %22 = "stablehlo.multiply"(%11, %21) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %23 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %24 = "stablehlo.multiply"(%22, %23) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<48x24xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<48x24xf32>) -> tensor<8x48xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x24xf32>
    %28 = "util.global.load"() {global = @model.layers.0.self_attn.q_proj.bias} : () -> tensor<24xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %30 = "stablehlo.add"(%27, %29) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %31 = "stablehlo.reshape"(%30) : (tensor<8x24xf32>) -> tensor<8x4x6xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<8x4x6xf32>) -> tensor<8x4x2x3xf32>
    %33 = "stablehlo.reverse"(%32) {dimensions = array<i64: 2>} : (tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %34 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 8, 3>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
    %35 = "stablehlo.reshape"(%34) : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x3xf32>) -> tensor<8x2x3xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x3xf32>) -> tensor<8x4x2x3xf32>
    %38 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 8, 3>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x3xf32>) -> tensor<1x8x3xf32>
    %39 = "stablehlo.reshape"(%38) : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x3xf32>) -> tensor<8x2x3xf32>
    %41 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<8x2x3xf32>
    %43 = "stablehlo.multiply"(%40, %42) : (tensor<8x2x3xf32>, tensor<8x2x3xf32>) -> tensor<8x2x3xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x3xf32>) -> tensor<8x4x2x3xf32>
    %45 = "stablehlo.multiply"(%32, %37) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %46 = "stablehlo.multiply"(%33, %44) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %47 = "stablehlo.add"(%45, %46) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %48 = "stablehlo.reshape"(%47) : (tensor<8x4x2x3xf32>) -> tensor<8x4x6xf32>
    %49 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 36>, start_indices = array<i64: 0, 24>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x12xf32>
    %50 = "util.global.load"() {global = @model.layers.0.self_attn.k_proj.bias} : () -> tensor<12xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<8x12xf32>
    %52 = "stablehlo.add"(%49, %51) : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
    %53 = "stablehlo.reshape"(%52) : (tensor<8x12xf32>) -> tensor<8x2x6xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<8x2x6xf32>) -> tensor<8x2x2x3xf32>
    %55 = "stablehlo.reverse"(%54) {dimensions = array<i64: 2>} : (tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %56 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x3xf32>) -> tensor<8x2x2x3xf32>
    %57 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x3xf32>) -> tensor<8x2x2x3xf32>
    %58 = "stablehlo.multiply"(%54, %56) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %59 = "stablehlo.multiply"(%55, %57) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %60 = "stablehlo.add"(%58, %59) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %61 = "stablehlo.reshape"(%60) : (tensor<8x2x2x3xf32>) -> tensor<8x2x6xf32>
    %62 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 36>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x12xf32>
    %63 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.bias} : () -> tensor<12xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<8x12xf32>
    %65 = "stablehlo.add"(%62, %64) : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
    %66 = "stablehlo.reshape"(%65) : (tensor<8x12xf32>) -> tensor<8x2x6xf32>
    %67 = "stablehlo.scatter"(%arg5, %arg2, %61) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<8x2xi32>, tensor<8x2x6xf32>) -> tensor<?x8x2x6xf32>
    %68 = "stablehlo.scatter"(%arg6, %arg2, %66) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<8x2xi32>, tensor<8x2x6xf32>) -> tensor<?x8x2x6xf32>
    %69 = "stablehlo.reshape"(%2) : (tensor<8xf32>) -> tensor<1x8xf32>
    %70 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %71 = "stablehlo.reduce"(%69, %70) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x8xf32>, tensor<f32>) -> tensor<1xf32>
    %72 = "stablehlo.broadcast_in_dim"(%71) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x2xf32>
    %73 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %74 = "stablehlo.broadcast_in_dim"(%73) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<1x2xf32>
    %75 = "stablehlo.compare"(%74, %72) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xi1>
    %76 = "stablehlo.optimization_barrier"(%75) : (tensor<1x2xi1>) -> tensor<1x2xi1>
    %collapsed = tensor.collapse_shape %67 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %77 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<1x2xi32>) -> tensor<1x2x96xf32>
    %78 = "stablehlo.broadcast_in_dim"(%76) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x2xi1>) -> tensor<1x2x96xi1>
    %79 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x96xf32>} : () -> tensor<1x2x96xf32>
    %80 = "stablehlo.select"(%78, %77, %79) : (tensor<1x2x96xi1>, tensor<1x2x96xf32>, tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %81 = "stablehlo.optimization_barrier"(%80) : (tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %82 = "stablehlo.reshape"(%81) : (tensor<1x2x96xf32>) -> tensor<1x16x2x6xf32>
    %collapsed_0 = tensor.collapse_shape %68 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %83 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<1x2xi32>) -> tensor<1x2x96xf32>
    %84 = "stablehlo.select"(%78, %83, %79) : (tensor<1x2x96xi1>, tensor<1x2x96xf32>, tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %85 = "stablehlo.optimization_barrier"(%84) : (tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<1x2x96xf32>) -> tensor<1x16x2x6xf32>
    %87 = "stablehlo.constant"() {value = dense<0.408248305> : tensor<8x4x6xf32>} : () -> tensor<8x4x6xf32>
    %88 = "stablehlo.multiply"(%48, %87) : (tensor<8x4x6xf32>, tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
    %89 = "stablehlo.reshape"(%88) : (tensor<8x4x6xf32>) -> tensor<1x8x2x2x6xf32>
    %90 = "stablehlo.dot_general"(%89, %82) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x6xf32>, tensor<1x16x2x6xf32>) -> tensor<1x2x8x2x16xf32>
    %91 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %92 = "stablehlo.broadcast_in_dim"(%91) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<1x8x16xi32>
    %93 = "stablehlo.reshape"(%arg1) : (tensor<8xi32>) -> tensor<1x8xi32>
    %94 = "stablehlo.broadcast_in_dim"(%93) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %95 = "stablehlo.compare"(%92, %94) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %96 = "stablehlo.constant"() {value = dense<7> : tensor<1x8xi32>} : () -> tensor<1x8xi32>
    %97 = "stablehlo.subtract"(%93, %96) : (tensor<1x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
    %98 = "stablehlo.broadcast_in_dim"(%97) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %99 = "stablehlo.compare"(%92, %98) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %100 = "stablehlo.and"(%95, %99) : (tensor<1x8x16xi1>, tensor<1x8x16xi1>) -> tensor<1x8x16xi1>
    %101 = "stablehlo.broadcast_in_dim"(%100) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x2x8x2x16xi1>
    %102 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %103 = "stablehlo.select"(%101, %90, %102) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %104 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %105 = "stablehlo.reduce"(%103, %104) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %106 = "stablehlo.broadcast_in_dim"(%105) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %107 = "stablehlo.subtract"(%103, %106) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %108 = "stablehlo.exponential"(%107) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %109 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %110 = "stablehlo.reduce"(%108, %109) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %111 = "stablehlo.broadcast_in_dim"(%110) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %112 = "stablehlo.divide"(%108, %111) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %113 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %114 = "stablehlo.select"(%101, %112, %113) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %115 = "stablehlo.dot_general"(%114, %86) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x6xf32>) -> tensor<1x2x8x2x6xf32>
    %116 = "stablehlo.transpose"(%115) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x6xf32>) -> tensor<1x8x2x2x6xf32>
    %117 = "stablehlo.reshape"(%116) : (tensor<1x8x2x2x6xf32>) -> tensor<8x4x6xf32>
    %118 = "stablehlo.reshape"(%117) : (tensor<8x4x6xf32>) -> tensor<8x24xf32>
    %119 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<24x24xf32>
    %120 = "stablehlo.dot_general"(%118, %119) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<24x24xf32>) -> tensor<8x24xf32>
    %121 = "stablehlo.add"(%11, %120) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %122 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %123 = "stablehlo.multiply"(%121, %121) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %124 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %125 = "stablehlo.reduce"(%123, %124) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %126 = "stablehlo.divide"(%125, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %127 = "stablehlo.add"(%126, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %128 = "stablehlo.rsqrt"(%127) : (tensor<8xf32>) -> tensor<8xf32>
    %129 = "stablehlo.broadcast_in_dim"(%128) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %130 = "stablehlo.multiply"(%121, %129) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %131 = "stablehlo.broadcast_in_dim"(%122) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %132 = "stablehlo.multiply"(%130, %131) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %133 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<72x24xf32>
    %134 = "stablehlo.dot_general"(%132, %133) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<72x24xf32>) -> tensor<8x72xf32>
    %135 = "stablehlo.slice"(%134) {limit_indices = array<i64: 8, 36>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x72xf32>) -> tensor<8x36xf32>
    %136 = "stablehlo.slice"(%134) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 36>, strides = array<i64: 1, 1>} : (tensor<8x72xf32>) -> tensor<8x36xf32>
    %137 = "stablehlo.logistic"(%135) : (tensor<8x36xf32>) -> tensor<8x36xf32>
    %138 = "stablehlo.multiply"(%135, %137) : (tensor<8x36xf32>, tensor<8x36xf32>) -> tensor<8x36xf32>
    %139 = "stablehlo.multiply"(%138, %136) : (tensor<8x36xf32>, tensor<8x36xf32>) -> tensor<8x36xf32>
    %140 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<24x36xf32>
    %141 = "stablehlo.dot_general"(%139, %140) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x36xf32>, tensor<24x36xf32>) -> tensor<8x24xf32>
    %142 = "stablehlo.add"(%121, %141) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %143 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<24xf32>
    %144 = "stablehlo.multiply"(%142, %142) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %145 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %146 = "stablehlo.reduce"(%144, %145) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %147 = "stablehlo.divide"(%146, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %148 = "stablehlo.add"(%147, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %149 = "stablehlo.rsqrt"(%148) : (tensor<8xf32>) -> tensor<8xf32>
    %150 = "stablehlo.broadcast_in_dim"(%149) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %151 = "stablehlo.multiply"(%142, %150) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %152 = "stablehlo.broadcast_in_dim"(%143) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %153 = "stablehlo.multiply"(%151, %152) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %154 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<48x24xf32>
    %155 = "stablehlo.dot_general"(%153, %154) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<48x24xf32>) -> tensor<8x48xf32>
    %156 = "stablehlo.slice"(%155) {limit_indices = array<i64: 8, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x24xf32>
    %157 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.bias} : () -> tensor<24xf32>
    %158 = "stablehlo.broadcast_in_dim"(%157) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %159 = "stablehlo.add"(%156, %158) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %160 = "stablehlo.reshape"(%159) : (tensor<8x24xf32>) -> tensor<8x4x6xf32>
    %161 = "stablehlo.reshape"(%160) : (tensor<8x4x6xf32>) -> tensor<8x4x2x3xf32>
    %162 = "stablehlo.reverse"(%161) {dimensions = array<i64: 2>} : (tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %163 = "stablehlo.multiply"(%161, %37) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %164 = "stablehlo.multiply"(%162, %44) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %165 = "stablehlo.add"(%163, %164) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %166 = "stablehlo.reshape"(%165) : (tensor<8x4x2x3xf32>) -> tensor<8x4x6xf32>
    %167 = "stablehlo.slice"(%155) {limit_indices = array<i64: 8, 36>, start_indices = array<i64: 0, 24>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x12xf32>
    %168 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.bias} : () -> tensor<12xf32>
    %169 = "stablehlo.broadcast_in_dim"(%168) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<8x12xf32>
    %170 = "stablehlo.add"(%167, %169) : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
    %171 = "stablehlo.reshape"(%170) : (tensor<8x12xf32>) -> tensor<8x2x6xf32>
    %172 = "stablehlo.reshape"(%171) : (tensor<8x2x6xf32>) -> tensor<8x2x2x3xf32>
    %173 = "stablehlo.reverse"(%172) {dimensions = array<i64: 2>} : (tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %174 = "stablehlo.multiply"(%172, %56) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %175 = "stablehlo.multiply"(%173, %57) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %176 = "stablehlo.add"(%174, %175) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %177 = "stablehlo.reshape"(%176) : (tensor<8x2x2x3xf32>) -> tensor<8x2x6xf32>
    %178 = "stablehlo.slice"(%155) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 36>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x12xf32>
    %179 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.bias} : () -> tensor<12xf32>
    %180 = "stablehlo.broadcast_in_dim"(%179) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<8x12xf32>
    %181 = "stablehlo.add"(%178, %180) : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
    %182 = "stablehlo.reshape"(%181) : (tensor<8x12xf32>) -> tensor<8x2x6xf32>
    %183 = "stablehlo.scatter"(%arg7, %arg2, %177) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<8x2xi32>, tensor<8x2x6xf32>) -> tensor<?x8x2x6xf32>
    %184 = "stablehlo.scatter"(%arg8, %arg2, %182) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<8x2xi32>, tensor<8x2x6xf32>) -> tensor<?x8x2x6xf32>
    %collapsed_1 = tensor.collapse_shape %183 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %185 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<1x2xi32>) -> tensor<1x2x96xf32>
    %186 = "stablehlo.select"(%78, %185, %79) : (tensor<1x2x96xi1>, tensor<1x2x96xf32>, tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %187 = "stablehlo.optimization_barrier"(%186) : (tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %188 = "stablehlo.reshape"(%187) : (tensor<1x2x96xf32>) -> tensor<1x16x2x6xf32>
    %collapsed_2 = tensor.collapse_shape %184 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %189 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<1x2xi32>) -> tensor<1x2x96xf32>
    %190 = "stablehlo.select"(%78, %189, %79) : (tensor<1x2x96xi1>, tensor<1x2x96xf32>, tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %191 = "stablehlo.optimization_barrier"(%190) : (tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %192 = "stablehlo.reshape"(%191) : (tensor<1x2x96xf32>) -> tensor<1x16x2x6xf32>
    %193 = "stablehlo.multiply"(%166, %87) : (tensor<8x4x6xf32>, tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
    %194 = "stablehlo.reshape"(%193) : (tensor<8x4x6xf32>) -> tensor<1x8x2x2x6xf32>
    %195 = "stablehlo.dot_general"(%194, %188) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x6xf32>, tensor<1x16x2x6xf32>) -> tensor<1x2x8x2x16xf32>
    %196 = "stablehlo.broadcast_in_dim"(%95) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x2x8x2x16xi1>
    %197 = "stablehlo.select"(%196, %195, %102) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %198 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %199 = "stablehlo.reduce"(%197, %198) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %200 = "stablehlo.broadcast_in_dim"(%199) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %201 = "stablehlo.subtract"(%197, %200) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %202 = "stablehlo.exponential"(%201) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %203 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %204 = "stablehlo.reduce"(%202, %203) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %205 = "stablehlo.broadcast_in_dim"(%204) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %206 = "stablehlo.divide"(%202, %205) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %207 = "stablehlo.select"(%196, %206, %113) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %208 = "stablehlo.dot_general"(%207, %192) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x6xf32>) -> tensor<1x2x8x2x6xf32>
    %209 = "stablehlo.transpose"(%208) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x6xf32>) -> tensor<1x8x2x2x6xf32>
    %210 = "stablehlo.reshape"(%209) : (tensor<1x8x2x2x6xf32>) -> tensor<8x4x6xf32>
    %211 = "stablehlo.reshape"(%210) : (tensor<8x4x6xf32>) -> tensor<8x24xf32>
    %212 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<24x24xf32>
    %213 = "stablehlo.dot_general"(%211, %212) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<24x24xf32>) -> tensor<8x24xf32>
    %214 = "stablehlo.add"(%142, %213) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %215 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %216 = "stablehlo.multiply"(%214, %214) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %217 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %218 = "stablehlo.reduce"(%216, %217) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %219 = "stablehlo.divide"(%218, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %220 = "stablehlo.add"(%219, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %221 = "stablehlo.rsqrt"(%220) : (tensor<8xf32>) -> tensor<8xf32>
    %222 = "stablehlo.broadcast_in_dim"(%221) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %223 = "stablehlo.multiply"(%214, %222) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %224 = "stablehlo.broadcast_in_dim"(%215) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %225 = "stablehlo.multiply"(%223, %224) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %226 = "util.global.load"() {global = @"model.layers.1.mlp.gate.weight+model.layers.1.mlp.shared_expert.gate_proj.weight+model.layers.1.mlp.shared_expert.up_proj.weight+model.layers.1.mlp.shared_expert_gate.weight"} : () -> tensor<62x24xf32>
    %227 = "stablehlo.dot_general"(%225, %226) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<62x24xf32>) -> tensor<8x62xf32>
    %228 = "stablehlo.slice"(%227) {limit_indices = array<i64: 8, 5>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x62xf32>) -> tensor<8x5xf32>
    %229 = "stablehlo.compare"(%228, %228) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
    %230 = "stablehlo.constant"() {value = dense<0x7F800000> : tensor<8x5xf32>} : () -> tensor<8x5xf32>
    %231 = "stablehlo.select"(%229, %228, %230) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %232 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<8x5xf32>} : () -> tensor<8x5xf32>
    %233 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<8x5xf32>
    %234 = "stablehlo.negate"(%233) : (tensor<8x5xf32>) -> tensor<8x5xf32>
    %235 = "stablehlo.compare"(%233, %233) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
    %236 = "stablehlo.select"(%235, %231, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %237 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %238 = "stablehlo.reduce"(%236, %237) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %239 = "stablehlo.broadcast_in_dim"(%238) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %240 = "stablehlo.compare"(%231, %239) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
    %241 = "stablehlo.and"(%240, %235) : (tensor<8x5xi1>, tensor<8x5xi1>) -> tensor<8x5xi1>
    %242 = "stablehlo.select"(%241, %234, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %243 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %244 = "stablehlo.reduce"(%242, %243) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %245 = "stablehlo.negate"(%244) : (tensor<8xf32>) -> tensor<8xf32>
    %246 = "stablehlo.broadcast_in_dim"(%245) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %247 = "stablehlo.compare"(%233, %246) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
    %248 = "stablehlo.and"(%235, %247) : (tensor<8x5xi1>, tensor<8x5xi1>) -> tensor<8x5xi1>
    %249 = "stablehlo.select"(%248, %231, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %250 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %251 = "stablehlo.reduce"(%249, %250) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %252 = "stablehlo.broadcast_in_dim"(%251) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %253 = "stablehlo.compare"(%231, %252) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
    %254 = "stablehlo.and"(%253, %248) : (tensor<8x5xi1>, tensor<8x5xi1>) -> tensor<8x5xi1>
    %255 = "stablehlo.select"(%254, %234, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %256 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %257 = "stablehlo.reduce"(%255, %256) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %258 = "stablehlo.negate"(%257) : (tensor<8xf32>) -> tensor<8xf32>
    %259 = "stablehlo.reshape"(%245) : (tensor<8xf32>) -> tensor<8x1xf32>
    %260 = "stablehlo.reshape"(%258) : (tensor<8xf32>) -> tensor<8x1xf32>
    %261 = "stablehlo.concatenate"(%259, %260) {dimension = 1 : i64} : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x2xf32>
    %262 = "stablehlo.convert"(%261) : (tensor<8x2xf32>) -> tensor<8x2xi32>
    %263 = "stablehlo.constant"() {value = dense<true> : tensor<8x5xi1>} : () -> tensor<8x5xi1>
    %264 = "stablehlo.select"(%263, %228, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %265 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %266 = "stablehlo.reduce"(%264, %265) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %267 = "stablehlo.broadcast_in_dim"(%266) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %268 = "stablehlo.subtract"(%264, %267) : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %269 = "stablehlo.exponential"(%268) : (tensor<8x5xf32>) -> tensor<8x5xf32>
    %270 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %271 = "stablehlo.reduce"(%269, %270) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %272 = "stablehlo.broadcast_in_dim"(%271) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %273 = "stablehlo.divide"(%269, %272) : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %274 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<8x5xf32>} : () -> tensor<8x5xf32>
    %275 = "stablehlo.select"(%263, %273, %274) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %276 = "stablehlo.reshape"(%275) : (tensor<8x5xf32>) -> tensor<40xf32>
    %277 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<8x2xi32>
    %278 = "stablehlo.constant"() {value = dense<5> : tensor<8x2xi32>} : () -> tensor<8x2xi32>
    %279 = "stablehlo.multiply"(%277, %278) : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi32>
    %280 = "stablehlo.add"(%279, %262) : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi32>
    %281 = "stablehlo.gather"(%276, %280) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<40xf32>, tensor<8x2xi32>) -> tensor<8x2xf32>
    %282 = "util.global.load"() {global = @"model.layers.1.mlp.experts.gate+up.weight"} : () -> tensor<200x24xf32>
    %283 = "stablehlo.dot_general"(%225, %282) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<200x24xf32>) -> tensor<8x200xf32>
    %284 = "stablehlo.reshape"(%283) : (tensor<8x200xf32>) -> tensor<8x5x40xf32>
    %285 = "stablehlo.reshape"(%284) : (tensor<8x5x40xf32>) -> tensor<40x40xf32>
    %286 = "stablehlo.gather"(%285, %280) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<40x40xf32>, tensor<8x2xi32>) -> tensor<8x2x40xf32>
    %287 = "stablehlo.slice"(%286) {limit_indices = array<i64: 8, 2, 20>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x2x40xf32>) -> tensor<8x2x20xf32>
    %288 = "stablehlo.slice"(%286) {limit_indices = array<i64: 8, 2, 40>, start_indices = array<i64: 0, 0, 20>, strides = array<i64: 1, 1, 1>} : (tensor<8x2x40xf32>) -> tensor<8x2x20xf32>
    %289 = "stablehlo.logistic"(%287) : (tensor<8x2x20xf32>) -> tensor<8x2x20xf32>
    %290 = "stablehlo.multiply"(%287, %289) : (tensor<8x2x20xf32>, tensor<8x2x20xf32>) -> tensor<8x2x20xf32>
    %291 = "stablehlo.multiply"(%290, %288) : (tensor<8x2x20xf32>, tensor<8x2x20xf32>) -> tensor<8x2x20xf32>
    %292 = "util.global.load"() {global = @model.layers.1.mlp.experts.down.weight} : () -> tensor<120x20xf32>
    %293 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<8x5x2xi32>
    %294 = "stablehlo.broadcast_in_dim"(%262) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x2xi32>) -> tensor<8x5x2xi32>
    %295 = "stablehlo.compare"(%293, %294) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x5x2xi32>, tensor<8x5x2xi32>) -> tensor<8x5x2xi1>
    %296 = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<8x5x2xf32>
    %297 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<8x5x2xf32>} : () -> tensor<8x5x2xf32>
    %298 = "stablehlo.select"(%295, %296, %297) : (tensor<8x5x2xi1>, tensor<8x5x2xf32>, tensor<8x5x2xf32>) -> tensor<8x5x2xf32>
    %299 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %300 = "stablehlo.reduce"(%298, %299) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x5x2xf32>, tensor<f32>) -> tensor<8x5xf32>
    %301 = "stablehlo.convert"(%300) : (tensor<8x5xf32>) -> tensor<8x5xi32>
    %302 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<8x5xi32>
    %303 = "stablehlo.constant"() {value = dense<2> : tensor<8x5xi32>} : () -> tensor<8x5xi32>
    %304 = "stablehlo.multiply"(%302, %303) : (tensor<8x5xi32>, tensor<8x5xi32>) -> tensor<8x5xi32>
    %305 = "stablehlo.add"(%304, %301) : (tensor<8x5xi32>, tensor<8x5xi32>) -> tensor<8x5xi32>
    %306 = "stablehlo.reshape"(%291) : (tensor<8x2x20xf32>) -> tensor<16x20xf32>
    %307 = "stablehlo.gather"(%306, %305) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>} : (tensor<16x20xf32>, tensor<8x5xi32>) -> tensor<8x5x20xf32>
    %308 = "stablehlo.reshape"(%292) : (tensor<120x20xf32>) -> tensor<5x24x20xf32>
    %309 = "stablehlo.dot_general"(%307, %308) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<8x5x20xf32>, tensor<5x24x20xf32>) -> tensor<5x8x24xf32>
    %310 = "stablehlo.transpose"(%309) {permutation = array<i64: 1, 0, 2>} : (tensor<5x8x24xf32>) -> tensor<8x5x24xf32>
    %311 = "stablehlo.reshape"(%310) : (tensor<8x5x24xf32>) -> tensor<40x24xf32>
    %312 = "stablehlo.gather"(%311, %280) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<40x24xf32>, tensor<8x2xi32>) -> tensor<8x2x24xf32>
    %313 = "stablehlo.broadcast_in_dim"(%281) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x24xf32>
    %314 = "stablehlo.multiply"(%312, %313) : (tensor<8x2x24xf32>, tensor<8x2x24xf32>) -> tensor<8x2x24xf32>
    %315 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %316 = "stablehlo.reduce"(%314, %315) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x2x24xf32>, tensor<f32>) -> tensor<8x24xf32>
    %317 = "stablehlo.slice"(%227) {limit_indices = array<i64: 8, 33>, start_indices = array<i64: 0, 5>, strides = array<i64: 1, 1>} : (tensor<8x62xf32>) -> tensor<8x28xf32>
    %318 = "stablehlo.slice"(%227) {limit_indices = array<i64: 8, 61>, start_indices = array<i64: 0, 33>, strides = array<i64: 1, 1>} : (tensor<8x62xf32>) -> tensor<8x28xf32>
    %319 = "stablehlo.logistic"(%317) : (tensor<8x28xf32>) -> tensor<8x28xf32>
    %320 = "stablehlo.multiply"(%317, %319) : (tensor<8x28xf32>, tensor<8x28xf32>) -> tensor<8x28xf32>
    %321 = "stablehlo.multiply"(%320, %318) : (tensor<8x28xf32>, tensor<8x28xf32>) -> tensor<8x28xf32>
    %322 = "util.global.load"() {global = @model.layers.1.mlp.shared_expert.down_proj.weight} : () -> tensor<24x28xf32>
    %323 = "stablehlo.dot_general"(%321, %322) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x28xf32>, tensor<24x28xf32>) -> tensor<8x24xf32>
    %324 = "stablehlo.slice"(%227) {limit_indices = array<i64: 8, 62>, start_indices = array<i64: 0, 61>, strides = array<i64: 1, 1>} : (tensor<8x62xf32>) -> tensor<8x1xf32>
    %325 = "stablehlo.logistic"(%324) : (tensor<8x1xf32>) -> tensor<8x1xf32>
    %326 = "stablehlo.reshape"(%323) : (tensor<8x24xf32>) -> tensor<8x1x24xf32>
    %327 = "stablehlo.broadcast_in_dim"(%325) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x1xf32>) -> tensor<8x1x24xf32>
    %328 = "stablehlo.multiply"(%326, %327) : (tensor<8x1x24xf32>, tensor<8x1x24xf32>) -> tensor<8x1x24xf32>
    %329 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %330 = "stablehlo.reduce"(%328, %329) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x1x24xf32>, tensor<f32>) -> tensor<8x24xf32>
    %331 = "stablehlo.add"(%316, %330) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %332 = "stablehlo.add"(%214, %331) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %333 = "util.global.load"() {global = @model.layers.2.input_layernorm.weight} : () -> tensor<24xf32>
    %334 = "stablehlo.multiply"(%332, %332) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %335 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %336 = "stablehlo.reduce"(%334, %335) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %337 = "stablehlo.divide"(%336, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %338 = "stablehlo.add"(%337, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %339 = "stablehlo.rsqrt"(%338) : (tensor<8xf32>) -> tensor<8xf32>
    %340 = "stablehlo.broadcast_in_dim"(%339) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %341 = "stablehlo.multiply"(%332, %340) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %342 = "stablehlo.broadcast_in_dim"(%333) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %343 = "stablehlo.multiply"(%341, %342) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %344 = "util.global.load"() {global = @"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<48x24xf32>
    %345 = "stablehlo.dot_general"(%343, %344) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<48x24xf32>) -> tensor<8x48xf32>
    %346 = "stablehlo.slice"(%345) {limit_indices = array<i64: 8, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x24xf32>
    %347 = "util.global.load"() {global = @model.layers.2.self_attn.q_proj.bias} : () -> tensor<24xf32>
    %348 = "stablehlo.broadcast_in_dim"(%347) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %349 = "stablehlo.add"(%346, %348) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %350 = "stablehlo.reshape"(%349) : (tensor<8x24xf32>) -> tensor<8x4x6xf32>
    %351 = "stablehlo.reshape"(%350) : (tensor<8x4x6xf32>) -> tensor<8x4x2x3xf32>
    %352 = "stablehlo.reverse"(%351) {dimensions = array<i64: 2>} : (tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %353 = "stablehlo.multiply"(%351, %37) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %354 = "stablehlo.multiply"(%352, %44) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %355 = "stablehlo.add"(%353, %354) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %356 = "stablehlo.reshape"(%355) : (tensor<8x4x2x3xf32>) -> tensor<8x4x6xf32>
    %357 = "stablehlo.slice"(%345) {limit_indices = array<i64: 8, 36>, start_indices = array<i64: 0, 24>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x12xf32>
    %358 = "util.global.load"() {global = @model.layers.2.self_attn.k_proj.bias} : () -> tensor<12xf32>
    %359 = "stablehlo.broadcast_in_dim"(%358) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<8x12xf32>
    %360 = "stablehlo.add"(%357, %359) : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
    %361 = "stablehlo.reshape"(%360) : (tensor<8x12xf32>) -> tensor<8x2x6xf32>
    %362 = "stablehlo.reshape"(%361) : (tensor<8x2x6xf32>) -> tensor<8x2x2x3xf32>
    %363 = "stablehlo.reverse"(%362) {dimensions = array<i64: 2>} : (tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %364 = "stablehlo.multiply"(%362, %56) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %365 = "stablehlo.multiply"(%363, %57) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %366 = "stablehlo.add"(%364, %365) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %367 = "stablehlo.reshape"(%366) : (tensor<8x2x2x3xf32>) -> tensor<8x2x6xf32>
    %368 = "stablehlo.slice"(%345) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 36>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x12xf32>
    %369 = "util.global.load"() {global = @model.layers.2.self_attn.v_proj.bias} : () -> tensor<12xf32>
    %370 = "stablehlo.broadcast_in_dim"(%369) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<8x12xf32>
    %371 = "stablehlo.add"(%368, %370) : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
    %372 = "stablehlo.reshape"(%371) : (tensor<8x12xf32>) -> tensor<8x2x6xf32>
    %373 = "stablehlo.scatter"(%arg9, %arg2, %367) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<8x2xi32>, tensor<8x2x6xf32>) -> tensor<?x8x2x6xf32>
    %374 = "stablehlo.scatter"(%arg10, %arg2, %372) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<8x2xi32>, tensor<8x2x6xf32>) -> tensor<?x8x2x6xf32>
    %collapsed_3 = tensor.collapse_shape %373 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %375 = "stablehlo.gather"(%collapsed_3, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<1x2xi32>) -> tensor<1x2x96xf32>
    %376 = "stablehlo.select"(%78, %375, %79) : (tensor<1x2x96xi1>, tensor<1x2x96xf32>, tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %377 = "stablehlo.optimization_barrier"(%376) : (tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %378 = "stablehlo.reshape"(%377) : (tensor<1x2x96xf32>) -> tensor<1x16x2x6xf32>
    %collapsed_4 = tensor.collapse_shape %374 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %379 = "stablehlo.gather"(%collapsed_4, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<1x2xi32>) -> tensor<1x2x96xf32>
    %380 = "stablehlo.select"(%78, %379, %79) : (tensor<1x2x96xi1>, tensor<1x2x96xf32>, tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %381 = "stablehlo.optimization_barrier"(%380) : (tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %382 = "stablehlo.reshape"(%381) : (tensor<1x2x96xf32>) -> tensor<1x16x2x6xf32>
    %383 = "stablehlo.multiply"(%356, %87) : (tensor<8x4x6xf32>, tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
    %384 = "stablehlo.reshape"(%383) : (tensor<8x4x6xf32>) -> tensor<1x8x2x2x6xf32>
    %385 = "stablehlo.dot_general"(%384, %378) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x6xf32>, tensor<1x16x2x6xf32>) -> tensor<1x2x8x2x16xf32>
    %386 = "stablehlo.select"(%101, %385, %102) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %387 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %388 = "stablehlo.reduce"(%386, %387) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %389 = "stablehlo.broadcast_in_dim"(%388) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %390 = "stablehlo.subtract"(%386, %389) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %391 = "stablehlo.exponential"(%390) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %392 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %393 = "stablehlo.reduce"(%391, %392) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %394 = "stablehlo.broadcast_in_dim"(%393) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %395 = "stablehlo.divide"(%391, %394) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %396 = "stablehlo.select"(%101, %395, %113) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %397 = "stablehlo.dot_general"(%396, %382) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x6xf32>) -> tensor<1x2x8x2x6xf32>
    %398 = "stablehlo.transpose"(%397) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x6xf32>) -> tensor<1x8x2x2x6xf32>
    %399 = "stablehlo.reshape"(%398) : (tensor<1x8x2x2x6xf32>) -> tensor<8x4x6xf32>
    %400 = "stablehlo.reshape"(%399) : (tensor<8x4x6xf32>) -> tensor<8x24xf32>
    %401 = "util.global.load"() {global = @model.layers.2.self_attn.o_proj.weight} : () -> tensor<24x24xf32>
    %402 = "stablehlo.dot_general"(%400, %401) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<24x24xf32>) -> tensor<8x24xf32>
    %403 = "stablehlo.add"(%332, %402) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %404 = "util.global.load"() {global = @model.layers.2.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %405 = "stablehlo.multiply"(%403, %403) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %406 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %407 = "stablehlo.reduce"(%405, %406) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %408 = "stablehlo.divide"(%407, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %409 = "stablehlo.add"(%408, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %410 = "stablehlo.rsqrt"(%409) : (tensor<8xf32>) -> tensor<8xf32>
    %411 = "stablehlo.broadcast_in_dim"(%410) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %412 = "stablehlo.multiply"(%403, %411) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %413 = "stablehlo.broadcast_in_dim"(%404) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %414 = "stablehlo.multiply"(%412, %413) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %415 = "util.global.load"() {global = @"model.layers.2.mlp.gate_proj+up_proj.weight"} : () -> tensor<72x24xf32>
    %416 = "stablehlo.dot_general"(%414, %415) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<72x24xf32>) -> tensor<8x72xf32>
    %417 = "stablehlo.slice"(%416) {limit_indices = array<i64: 8, 36>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x72xf32>) -> tensor<8x36xf32>
    %418 = "stablehlo.slice"(%416) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 36>, strides = array<i64: 1, 1>} : (tensor<8x72xf32>) -> tensor<8x36xf32>
    %419 = "stablehlo.logistic"(%417) : (tensor<8x36xf32>) -> tensor<8x36xf32>
    %420 = "stablehlo.multiply"(%417, %419) : (tensor<8x36xf32>, tensor<8x36xf32>) -> tensor<8x36xf32>
    %421 = "stablehlo.multiply"(%420, %418) : (tensor<8x36xf32>, tensor<8x36xf32>) -> tensor<8x36xf32>
    %422 = "util.global.load"() {global = @model.layers.2.mlp.down_proj.weight} : () -> tensor<24x36xf32>
    %423 = "stablehlo.dot_general"(%421, %422) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x36xf32>, tensor<24x36xf32>) -> tensor<8x24xf32>
    %424 = "stablehlo.add"(%403, %423) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %425 = "util.global.load"() {global = @model.layers.3.input_layernorm.weight} : () -> tensor<24xf32>
    %426 = "stablehlo.multiply"(%424, %424) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %427 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %428 = "stablehlo.reduce"(%426, %427) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %429 = "stablehlo.divide"(%428, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %430 = "stablehlo.add"(%429, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %431 = "stablehlo.rsqrt"(%430) : (tensor<8xf32>) -> tensor<8xf32>
    %432 = "stablehlo.broadcast_in_dim"(%431) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %433 = "stablehlo.multiply"(%424, %432) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %434 = "stablehlo.broadcast_in_dim"(%425) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %435 = "stablehlo.multiply"(%433, %434) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %436 = "util.global.load"() {global = @"model.layers.3.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<48x24xf32>
    %437 = "stablehlo.dot_general"(%435, %436) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<48x24xf32>) -> tensor<8x48xf32>
    %438 = "stablehlo.slice"(%437) {limit_indices = array<i64: 8, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x24xf32>
    %439 = "util.global.load"() {global = @model.layers.3.self_attn.q_proj.bias} : () -> tensor<24xf32>
    %440 = "stablehlo.broadcast_in_dim"(%439) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %441 = "stablehlo.add"(%438, %440) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %442 = "stablehlo.reshape"(%441) : (tensor<8x24xf32>) -> tensor<8x4x6xf32>
    %443 = "stablehlo.reshape"(%442) : (tensor<8x4x6xf32>) -> tensor<8x4x2x3xf32>
    %444 = "stablehlo.reverse"(%443) {dimensions = array<i64: 2>} : (tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %445 = "stablehlo.multiply"(%443, %37) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %446 = "stablehlo.multiply"(%444, %44) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %447 = "stablehlo.add"(%445, %446) : (tensor<8x4x2x3xf32>, tensor<8x4x2x3xf32>) -> tensor<8x4x2x3xf32>
    %448 = "stablehlo.reshape"(%447) : (tensor<8x4x2x3xf32>) -> tensor<8x4x6xf32>
    %449 = "stablehlo.slice"(%437) {limit_indices = array<i64: 8, 36>, start_indices = array<i64: 0, 24>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x12xf32>
    %450 = "util.global.load"() {global = @model.layers.3.self_attn.k_proj.bias} : () -> tensor<12xf32>
    %451 = "stablehlo.broadcast_in_dim"(%450) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<8x12xf32>
    %452 = "stablehlo.add"(%449, %451) : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
    %453 = "stablehlo.reshape"(%452) : (tensor<8x12xf32>) -> tensor<8x2x6xf32>
    %454 = "stablehlo.reshape"(%453) : (tensor<8x2x6xf32>) -> tensor<8x2x2x3xf32>
    %455 = "stablehlo.reverse"(%454) {dimensions = array<i64: 2>} : (tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %456 = "stablehlo.multiply"(%454, %56) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %457 = "stablehlo.multiply"(%455, %57) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %458 = "stablehlo.add"(%456, %457) : (tensor<8x2x2x3xf32>, tensor<8x2x2x3xf32>) -> tensor<8x2x2x3xf32>
    %459 = "stablehlo.reshape"(%458) : (tensor<8x2x2x3xf32>) -> tensor<8x2x6xf32>
    %460 = "stablehlo.slice"(%437) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 36>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x12xf32>
    %461 = "util.global.load"() {global = @model.layers.3.self_attn.v_proj.bias} : () -> tensor<12xf32>
    %462 = "stablehlo.broadcast_in_dim"(%461) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<8x12xf32>
    %463 = "stablehlo.add"(%460, %462) : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
    %464 = "stablehlo.reshape"(%463) : (tensor<8x12xf32>) -> tensor<8x2x6xf32>
    %465 = "stablehlo.scatter"(%arg11, %arg2, %459) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<8x2xi32>, tensor<8x2x6xf32>) -> tensor<?x8x2x6xf32>
    %466 = "stablehlo.scatter"(%arg12, %arg2, %464) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<8x2xi32>, tensor<8x2x6xf32>) -> tensor<?x8x2x6xf32>
    %collapsed_5 = tensor.collapse_shape %465 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %467 = "stablehlo.gather"(%collapsed_5, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<1x2xi32>) -> tensor<1x2x96xf32>
    %468 = "stablehlo.select"(%78, %467, %79) : (tensor<1x2x96xi1>, tensor<1x2x96xf32>, tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %469 = "stablehlo.optimization_barrier"(%468) : (tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %470 = "stablehlo.reshape"(%469) : (tensor<1x2x96xf32>) -> tensor<1x16x2x6xf32>
    %collapsed_6 = tensor.collapse_shape %466 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %471 = "stablehlo.gather"(%collapsed_6, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<1x2xi32>) -> tensor<1x2x96xf32>
    %472 = "stablehlo.select"(%78, %471, %79) : (tensor<1x2x96xi1>, tensor<1x2x96xf32>, tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %473 = "stablehlo.optimization_barrier"(%472) : (tensor<1x2x96xf32>) -> tensor<1x2x96xf32>
    %474 = "stablehlo.reshape"(%473) : (tensor<1x2x96xf32>) -> tensor<1x16x2x6xf32>
    %475 = "stablehlo.multiply"(%448, %87) : (tensor<8x4x6xf32>, tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
    %476 = "stablehlo.reshape"(%475) : (tensor<8x4x6xf32>) -> tensor<1x8x2x2x6xf32>
    %477 = "stablehlo.dot_general"(%476, %470) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x6xf32>, tensor<1x16x2x6xf32>) -> tensor<1x2x8x2x16xf32>
    %478 = "stablehlo.select"(%196, %477, %102) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %479 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %480 = "stablehlo.reduce"(%478, %479) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %481 = "stablehlo.broadcast_in_dim"(%480) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %482 = "stablehlo.subtract"(%478, %481) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %483 = "stablehlo.exponential"(%482) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %484 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %485 = "stablehlo.reduce"(%483, %484) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %486 = "stablehlo.broadcast_in_dim"(%485) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %487 = "stablehlo.divide"(%483, %486) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %488 = "stablehlo.select"(%196, %487, %113) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %489 = "stablehlo.dot_general"(%488, %474) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x6xf32>) -> tensor<1x2x8x2x6xf32>
    %490 = "stablehlo.transpose"(%489) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x6xf32>) -> tensor<1x8x2x2x6xf32>
    %491 = "stablehlo.reshape"(%490) : (tensor<1x8x2x2x6xf32>) -> tensor<8x4x6xf32>
    %492 = "stablehlo.reshape"(%491) : (tensor<8x4x6xf32>) -> tensor<8x24xf32>
    %493 = "util.global.load"() {global = @model.layers.3.self_attn.o_proj.weight} : () -> tensor<24x24xf32>
    %494 = "stablehlo.dot_general"(%492, %493) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<24x24xf32>) -> tensor<8x24xf32>
    %495 = "stablehlo.add"(%424, %494) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %496 = "util.global.load"() {global = @model.layers.3.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %497 = "stablehlo.multiply"(%495, %495) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %498 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %499 = "stablehlo.reduce"(%497, %498) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %500 = "stablehlo.divide"(%499, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %501 = "stablehlo.add"(%500, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %502 = "stablehlo.rsqrt"(%501) : (tensor<8xf32>) -> tensor<8xf32>
    %503 = "stablehlo.broadcast_in_dim"(%502) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %504 = "stablehlo.multiply"(%495, %503) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %505 = "stablehlo.broadcast_in_dim"(%496) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %506 = "stablehlo.multiply"(%504, %505) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %507 = "util.global.load"() {global = @"model.layers.3.mlp.gate.weight+model.layers.3.mlp.shared_expert.gate_proj.weight+model.layers.3.mlp.shared_expert.up_proj.weight+model.layers.3.mlp.shared_expert_gate.weight"} : () -> tensor<62x24xf32>
    %508 = "stablehlo.dot_general"(%506, %507) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<62x24xf32>) -> tensor<8x62xf32>
    %509 = "stablehlo.slice"(%508) {limit_indices = array<i64: 8, 5>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x62xf32>) -> tensor<8x5xf32>
    %510 = "stablehlo.compare"(%509, %509) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
    %511 = "stablehlo.select"(%510, %509, %230) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %512 = "stablehlo.select"(%235, %511, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %513 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %514 = "stablehlo.reduce"(%512, %513) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %515 = "stablehlo.broadcast_in_dim"(%514) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %516 = "stablehlo.compare"(%511, %515) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
    %517 = "stablehlo.and"(%516, %235) : (tensor<8x5xi1>, tensor<8x5xi1>) -> tensor<8x5xi1>
    %518 = "stablehlo.select"(%517, %234, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %519 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %520 = "stablehlo.reduce"(%518, %519) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %521 = "stablehlo.negate"(%520) : (tensor<8xf32>) -> tensor<8xf32>
    %522 = "stablehlo.broadcast_in_dim"(%521) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %523 = "stablehlo.compare"(%233, %522) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
    %524 = "stablehlo.and"(%235, %523) : (tensor<8x5xi1>, tensor<8x5xi1>) -> tensor<8x5xi1>
    %525 = "stablehlo.select"(%524, %511, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %526 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %527 = "stablehlo.reduce"(%525, %526) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %528 = "stablehlo.broadcast_in_dim"(%527) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %529 = "stablehlo.compare"(%511, %528) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
    %530 = "stablehlo.and"(%529, %524) : (tensor<8x5xi1>, tensor<8x5xi1>) -> tensor<8x5xi1>
    %531 = "stablehlo.select"(%530, %234, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %532 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %533 = "stablehlo.reduce"(%531, %532) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %534 = "stablehlo.negate"(%533) : (tensor<8xf32>) -> tensor<8xf32>
    %535 = "stablehlo.reshape"(%521) : (tensor<8xf32>) -> tensor<8x1xf32>
    %536 = "stablehlo.reshape"(%534) : (tensor<8xf32>) -> tensor<8x1xf32>
    %537 = "stablehlo.concatenate"(%535, %536) {dimension = 1 : i64} : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x2xf32>
    %538 = "stablehlo.convert"(%537) : (tensor<8x2xf32>) -> tensor<8x2xi32>
    %539 = "stablehlo.select"(%263, %509, %232) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %540 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %541 = "stablehlo.reduce"(%539, %540) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %542 = "stablehlo.broadcast_in_dim"(%541) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %543 = "stablehlo.subtract"(%539, %542) : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %544 = "stablehlo.exponential"(%543) : (tensor<8x5xf32>) -> tensor<8x5xf32>
    %545 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %546 = "stablehlo.reduce"(%544, %545) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %547 = "stablehlo.broadcast_in_dim"(%546) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %548 = "stablehlo.divide"(%544, %547) : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %549 = "stablehlo.select"(%263, %548, %274) : (tensor<8x5xi1>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %550 = "stablehlo.reshape"(%549) : (tensor<8x5xf32>) -> tensor<40xf32>
    %551 = "stablehlo.add"(%279, %538) : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi32>
    %552 = "stablehlo.gather"(%550, %551) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<40xf32>, tensor<8x2xi32>) -> tensor<8x2xf32>
    %553 = "util.global.load"() {global = @"model.layers.3.mlp.experts.gate+up.weight"} : () -> tensor<200x24xf32>
    %554 = "stablehlo.dot_general"(%506, %553) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<200x24xf32>) -> tensor<8x200xf32>
    %555 = "stablehlo.reshape"(%554) : (tensor<8x200xf32>) -> tensor<8x5x40xf32>
    %556 = "stablehlo.reshape"(%555) : (tensor<8x5x40xf32>) -> tensor<40x40xf32>
    %557 = "stablehlo.gather"(%556, %551) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<40x40xf32>, tensor<8x2xi32>) -> tensor<8x2x40xf32>
    %558 = "stablehlo.slice"(%557) {limit_indices = array<i64: 8, 2, 20>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x2x40xf32>) -> tensor<8x2x20xf32>
    %559 = "stablehlo.slice"(%557) {limit_indices = array<i64: 8, 2, 40>, start_indices = array<i64: 0, 0, 20>, strides = array<i64: 1, 1, 1>} : (tensor<8x2x40xf32>) -> tensor<8x2x20xf32>
    %560 = "stablehlo.logistic"(%558) : (tensor<8x2x20xf32>) -> tensor<8x2x20xf32>
    %561 = "stablehlo.multiply"(%558, %560) : (tensor<8x2x20xf32>, tensor<8x2x20xf32>) -> tensor<8x2x20xf32>
    %562 = "stablehlo.multiply"(%561, %559) : (tensor<8x2x20xf32>, tensor<8x2x20xf32>) -> tensor<8x2x20xf32>
    %563 = "util.global.load"() {global = @model.layers.3.mlp.experts.down.weight} : () -> tensor<120x20xf32>
    %564 = "stablehlo.broadcast_in_dim"(%538) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x2xi32>) -> tensor<8x5x2xi32>
    %565 = "stablehlo.compare"(%293, %564) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x5x2xi32>, tensor<8x5x2xi32>) -> tensor<8x5x2xi1>
    %566 = "stablehlo.select"(%565, %296, %297) : (tensor<8x5x2xi1>, tensor<8x5x2xf32>, tensor<8x5x2xf32>) -> tensor<8x5x2xf32>
    %567 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %568 = "stablehlo.reduce"(%566, %567) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x5x2xf32>, tensor<f32>) -> tensor<8x5xf32>
    %569 = "stablehlo.convert"(%568) : (tensor<8x5xf32>) -> tensor<8x5xi32>
    %570 = "stablehlo.add"(%304, %569) : (tensor<8x5xi32>, tensor<8x5xi32>) -> tensor<8x5xi32>
    %571 = "stablehlo.reshape"(%562) : (tensor<8x2x20xf32>) -> tensor<16x20xf32>
    %572 = "stablehlo.gather"(%571, %570) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>} : (tensor<16x20xf32>, tensor<8x5xi32>) -> tensor<8x5x20xf32>
    %573 = "stablehlo.reshape"(%563) : (tensor<120x20xf32>) -> tensor<5x24x20xf32>
    %574 = "stablehlo.dot_general"(%572, %573) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<8x5x20xf32>, tensor<5x24x20xf32>) -> tensor<5x8x24xf32>
    %575 = "stablehlo.transpose"(%574) {permutation = array<i64: 1, 0, 2>} : (tensor<5x8x24xf32>) -> tensor<8x5x24xf32>
    %576 = "stablehlo.reshape"(%575) : (tensor<8x5x24xf32>) -> tensor<40x24xf32>
    %577 = "stablehlo.gather"(%576, %551) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<40x24xf32>, tensor<8x2xi32>) -> tensor<8x2x24xf32>
    %578 = "stablehlo.broadcast_in_dim"(%552) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x24xf32>
    %579 = "stablehlo.multiply"(%577, %578) : (tensor<8x2x24xf32>, tensor<8x2x24xf32>) -> tensor<8x2x24xf32>
    %580 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %581 = "stablehlo.reduce"(%579, %580) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x2x24xf32>, tensor<f32>) -> tensor<8x24xf32>
    %582 = "stablehlo.slice"(%508) {limit_indices = array<i64: 8, 33>, start_indices = array<i64: 0, 5>, strides = array<i64: 1, 1>} : (tensor<8x62xf32>) -> tensor<8x28xf32>
    %583 = "stablehlo.slice"(%508) {limit_indices = array<i64: 8, 61>, start_indices = array<i64: 0, 33>, strides = array<i64: 1, 1>} : (tensor<8x62xf32>) -> tensor<8x28xf32>
    %584 = "stablehlo.logistic"(%582) : (tensor<8x28xf32>) -> tensor<8x28xf32>
    %585 = "stablehlo.multiply"(%582, %584) : (tensor<8x28xf32>, tensor<8x28xf32>) -> tensor<8x28xf32>
    %586 = "stablehlo.multiply"(%585, %583) : (tensor<8x28xf32>, tensor<8x28xf32>) -> tensor<8x28xf32>
    %587 = "util.global.load"() {global = @model.layers.3.mlp.shared_expert.down_proj.weight} : () -> tensor<24x28xf32>
    %588 = "stablehlo.dot_general"(%586, %587) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x28xf32>, tensor<24x28xf32>) -> tensor<8x24xf32>
    %589 = "stablehlo.slice"(%508) {limit_indices = array<i64: 8, 62>, start_indices = array<i64: 0, 61>, strides = array<i64: 1, 1>} : (tensor<8x62xf32>) -> tensor<8x1xf32>
    %590 = "stablehlo.logistic"(%589) : (tensor<8x1xf32>) -> tensor<8x1xf32>
    %591 = "stablehlo.reshape"(%588) : (tensor<8x24xf32>) -> tensor<8x1x24xf32>
    %592 = "stablehlo.broadcast_in_dim"(%590) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x1xf32>) -> tensor<8x1x24xf32>
    %593 = "stablehlo.multiply"(%591, %592) : (tensor<8x1x24xf32>, tensor<8x1x24xf32>) -> tensor<8x1x24xf32>
    %594 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %595 = "stablehlo.reduce"(%593, %594) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x1x24xf32>, tensor<f32>) -> tensor<8x24xf32>
    %596 = "stablehlo.add"(%581, %595) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %597 = "stablehlo.add"(%495, %596) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %598 = "stablehlo.gather"(%597, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<8x24xf32>, tensor<1xi32>) -> tensor<1x24xf32>
    %599 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<24xf32>
    %600 = "stablehlo.multiply"(%598, %598) : (tensor<1x24xf32>, tensor<1x24xf32>) -> tensor<1x24xf32>
    %601 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %602 = "stablehlo.reduce"(%600, %601) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %614 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%614) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x24xf32>, tensor<f32>) -> tensor<1xf32>
    %603 = "stablehlo.constant"() {value = dense<2.400000e+01> : tensor<1xf32>} : () -> tensor<1xf32>
    %604 = "stablehlo.divide"(%602, %603) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %605 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<1xf32>} : () -> tensor<1xf32>
    %606 = "stablehlo.add"(%604, %605) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %607 = "stablehlo.rsqrt"(%606) : (tensor<1xf32>) -> tensor<1xf32>
    %608 = "stablehlo.broadcast_in_dim"(%607) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x24xf32>
    %609 = "stablehlo.multiply"(%598, %608) : (tensor<1x24xf32>, tensor<1x24xf32>) -> tensor<1x24xf32>
    %610 = "stablehlo.broadcast_in_dim"(%599) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<1x24xf32>
    %611 = "stablehlo.multiply"(%609, %610) : (tensor<1x24xf32>, tensor<1x24xf32>) -> tensor<1x24xf32>
    %612 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x24xf32>
    %613 = "stablehlo.dot_general"(%611, %612) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<1x24xf32>, tensor<128x24xf32>) -> tensor<1x128xf32>
    return %613, %67, %68, %183, %184, %373, %374, %465, %466 : tensor<1x128xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>
  }
}
