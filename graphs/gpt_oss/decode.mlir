module @gpt_oss {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x24xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x24xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.experts.down_proj"> : tensor<120x20xf32>, sym_name = "model.layers.0.mlp.experts.down_proj", sym_visibility = "private", type = tensor<120x20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.experts.down_proj_bias"> : tensor<5x24xf32>, sym_name = "model.layers.0.mlp.experts.down_proj_bias", sym_visibility = "private", type = tensor<5x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.experts.gate_up_proj"> : tensor<200x24xf32>, sym_name = "model.layers.0.mlp.experts.gate_up_proj", sym_visibility = "private", type = tensor<200x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.experts.gate_up_proj_bias"> : tensor<5x40xf32>, sym_name = "model.layers.0.mlp.experts.gate_up_proj_bias", sym_visibility = "private", type = tensor<5x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.router.bias"> : tensor<5xf32>, sym_name = "model.layers.0.mlp.router.bias", sym_visibility = "private", type = tensor<5xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.router.weight"> : tensor<5x24xf32>, sym_name = "model.layers.0.mlp.router.weight", sym_visibility = "private", type = tensor<5x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.0.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.0.self_attn.o_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<24x40xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x24xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.0.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.sinks"> : tensor<4xf32>, sym_name = "model.layers.0.self_attn.sinks", sym_visibility = "private", type = tensor<4xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.0.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.experts.down_proj"> : tensor<120x20xf32>, sym_name = "model.layers.1.mlp.experts.down_proj", sym_visibility = "private", type = tensor<120x20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.experts.down_proj_bias"> : tensor<5x24xf32>, sym_name = "model.layers.1.mlp.experts.down_proj_bias", sym_visibility = "private", type = tensor<5x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.experts.gate_up_proj"> : tensor<200x24xf32>, sym_name = "model.layers.1.mlp.experts.gate_up_proj", sym_visibility = "private", type = tensor<200x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.experts.gate_up_proj_bias"> : tensor<5x40xf32>, sym_name = "model.layers.1.mlp.experts.gate_up_proj_bias", sym_visibility = "private", type = tensor<5x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.router.bias"> : tensor<5xf32>, sym_name = "model.layers.1.mlp.router.bias", sym_visibility = "private", type = tensor<5xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.router.weight"> : tensor<5x24xf32>, sym_name = "model.layers.1.mlp.router.weight", sym_visibility = "private", type = tensor<5x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.1.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.1.self_attn.o_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<24x40xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x24xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.1.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.sinks"> : tensor<4xf32>, sym_name = "model.layers.1.self_attn.sinks", sym_visibility = "private", type = tensor<4xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.1.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.2.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.experts.down_proj"> : tensor<120x20xf32>, sym_name = "model.layers.2.mlp.experts.down_proj", sym_visibility = "private", type = tensor<120x20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.experts.down_proj_bias"> : tensor<5x24xf32>, sym_name = "model.layers.2.mlp.experts.down_proj_bias", sym_visibility = "private", type = tensor<5x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.experts.gate_up_proj"> : tensor<200x24xf32>, sym_name = "model.layers.2.mlp.experts.gate_up_proj", sym_visibility = "private", type = tensor<200x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.experts.gate_up_proj_bias"> : tensor<5x40xf32>, sym_name = "model.layers.2.mlp.experts.gate_up_proj_bias", sym_visibility = "private", type = tensor<5x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.router.bias"> : tensor<5xf32>, sym_name = "model.layers.2.mlp.router.bias", sym_visibility = "private", type = tensor<5xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.router.weight"> : tensor<5x24xf32>, sym_name = "model.layers.2.mlp.router.weight", sym_visibility = "private", type = tensor<5x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.2.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.2.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.o_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.2.self_attn.o_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.o_proj.weight"> : tensor<24x40xf32>, sym_name = "model.layers.2.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x24xf32>, sym_name = "model.layers.2.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.2.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.sinks"> : tensor<4xf32>, sym_name = "model.layers.2.self_attn.sinks", sym_visibility = "private", type = tensor<4xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.2.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<24xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  func.func @decode(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xi32>, %arg3: tensor<2x2xi32>, %arg4: tensor<2xi32>, %arg5: tensor<?x8x2x10xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x10xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x10xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x10xf32> {iree.abi.output = 4 : index}, %arg9: tensor<?x8x2x10xf32> {iree.abi.output = 5 : index}, %arg10: tensor<?x8x2x10xf32> {iree.abi.output = 6 : index}) -> (tensor<2x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.190465078, 0.0157739334, 0.0039622332, 9.95267881E-4]> : tensor<5xf32>} : () -> tensor<5xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<5xf32>) -> tensor<2x5xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<2xi32>) -> tensor<2xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %6 = "stablehlo.constant"() {value = dense<1.13862944> : tensor<2x5xf32>} : () -> tensor<2x5xf32>
    %7 = "stablehlo.multiply"(%5, %6) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %9 = "stablehlo.sine"(%4) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %10 = "stablehlo.multiply"(%9, %6) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %11 = "stablehlo.reshape"(%10) : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %12 = "stablehlo.concatenate"(%8, %11) {dimension = 0 : i64} : (tensor<1x2x5xf32>, tensor<1x2x5xf32>) -> tensor<2x2x5xf32>
    %13 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x24xf32>
    %14 = "stablehlo.gather"(%13, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<128x24xf32>, tensor<2xi32>) -> tensor<2x24xf32>
    %15 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<24xf32>
    %16 = "stablehlo.multiply"(%14, %14) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %17 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %18 = "stablehlo.reduce"(%16, %17) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %19 = "stablehlo.constant"() {value = dense<2.400000e+01> : tensor<2xf32>} : () -> tensor<2xf32>
    %20 = "stablehlo.divide"(%18, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %21 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<2xf32>} : () -> tensor<2xf32>
    %22 = "stablehlo.add"(%20, %21) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %23 = "stablehlo.rsqrt"(%22) : (tensor<2xf32>) -> tensor<2xf32>
    %24 = "stablehlo.broadcast_in_dim"(%23) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %25 = "stablehlo.multiply"(%14, %24) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %26 = "stablehlo.broadcast_in_dim"(%15) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %27 = "stablehlo.multiply"(%25, %26) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %28 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x24xf32>
    %29 = "stablehlo.dot_general"(%27, %28) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<80x24xf32>) -> tensor<2x80xf32>
    %30 = "stablehlo.slice"(%29) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x40xf32>
    %31 = "util.global.load"() {global = @model.layers.0.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %33 = "stablehlo.add"(%30, %32) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %34 = "stablehlo.reshape"(%33) : (tensor<2x40xf32>) -> tensor<2x4x10xf32>
    %35 = "stablehlo.reshape"(%34) : (tensor<2x4x10xf32>) -> tensor<2x4x2x5xf32>
    %36 = "stablehlo.reverse"(%35) {dimensions = array<i64: 2>} : (tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %37 = "stablehlo.slice"(%12) {limit_indices = array<i64: 1, 2, 5>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %38 = "stablehlo.reshape"(%37) : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x5xf32>) -> tensor<2x2x5xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x4x2x5xf32>
    %41 = "stablehlo.slice"(%12) {limit_indices = array<i64: 2, 2, 5>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x5xf32>) -> tensor<2x2x5xf32>
    %44 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2x5xf32>
    %46 = "stablehlo.multiply"(%43, %45) : (tensor<2x2x5xf32>, tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x4x2x5xf32>
    %48 = "stablehlo.multiply"(%35, %40) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %49 = "stablehlo.multiply"(%36, %47) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %50 = "stablehlo.add"(%48, %49) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %51 = "stablehlo.reshape"(%50) : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
    %52 = "stablehlo.slice"(%29) {limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %53 = "util.global.load"() {global = @model.layers.0.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %55 = "stablehlo.add"(%52, %54) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %56 = "stablehlo.reshape"(%55) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %57 = "stablehlo.reshape"(%56) : (tensor<2x2x10xf32>) -> tensor<2x2x2x5xf32>
    %58 = "stablehlo.reverse"(%57) {dimensions = array<i64: 2>} : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %59 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %60 = "stablehlo.broadcast_in_dim"(%46) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %61 = "stablehlo.multiply"(%57, %59) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %62 = "stablehlo.multiply"(%58, %60) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %63 = "stablehlo.add"(%61, %62) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %64 = "stablehlo.reshape"(%63) : (tensor<2x2x2x5xf32>) -> tensor<2x2x10xf32>
    %65 = "stablehlo.slice"(%29) {limit_indices = array<i64: 2, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %66 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %67 = "stablehlo.broadcast_in_dim"(%66) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %68 = "stablehlo.add"(%65, %67) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %69 = "stablehlo.reshape"(%68) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %70 = "util.global.load"() {global = @model.layers.0.self_attn.sinks} : () -> tensor<4xf32>
    %71 = "stablehlo.scatter"(%arg5, %arg2, %64) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %72 = "stablehlo.scatter"(%arg6, %arg2, %69) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %73 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %74 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %75 = "stablehlo.reduce"(%73, %74) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %76 = "stablehlo.broadcast_in_dim"(%75) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %77 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %78 = "stablehlo.broadcast_in_dim"(%77) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %79 = "stablehlo.compare"(%78, %76) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %80 = "stablehlo.optimization_barrier"(%79) : (tensor<2x2xi1>) -> tensor<2x2xi1>
    %collapsed = tensor.collapse_shape %71 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %81 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %82 = "stablehlo.broadcast_in_dim"(%80) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xi1>) -> tensor<2x2x160xi1>
    %83 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x160xf32>} : () -> tensor<2x2x160xf32>
    %84 = "stablehlo.select"(%82, %81, %83) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %85 = "stablehlo.optimization_barrier"(%84) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %collapsed_0 = tensor.collapse_shape %72 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %87 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %88 = "stablehlo.select"(%82, %87, %83) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %89 = "stablehlo.optimization_barrier"(%88) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %90 = "stablehlo.reshape"(%89) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %91 = "stablehlo.constant"() {value = dense<0.316227764> : tensor<2x4x10xf32>} : () -> tensor<2x4x10xf32>
    %92 = "stablehlo.multiply"(%51, %91) : (tensor<2x4x10xf32>, tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %93 = "stablehlo.reshape"(%92) : (tensor<2x4x10xf32>) -> tensor<2x1x2x2x10xf32>
    %94 = "stablehlo.dot_general"(%93, %86) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x10xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x16xf32>
    %95 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %96 = "stablehlo.broadcast_in_dim"(%95) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<2x1x16xi32>
    %97 = "stablehlo.reshape"(%arg1) : (tensor<2xi32>) -> tensor<2x1xi32>
    %98 = "stablehlo.broadcast_in_dim"(%97) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %99 = "stablehlo.compare"(%96, %98) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %100 = "stablehlo.constant"() {value = dense<7> : tensor<2x1xi32>} : () -> tensor<2x1xi32>
    %101 = "stablehlo.subtract"(%97, %100) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %102 = "stablehlo.broadcast_in_dim"(%101) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %103 = "stablehlo.compare"(%96, %102) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %104 = "stablehlo.and"(%99, %103) : (tensor<2x1x16xi1>, tensor<2x1x16xi1>) -> tensor<2x1x16xi1>
    %105 = "stablehlo.broadcast_in_dim"(%104) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %106 = "stablehlo.reshape"(%70) : (tensor<4xf32>) -> tensor<2x2xf32>
    %107 = "stablehlo.broadcast_in_dim"(%106) {broadcast_dimensions = array<i64: 1, 3>} : (tensor<2x2xf32>) -> tensor<2x2x1x2xf32>
    %108 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %109 = "stablehlo.select"(%105, %94, %108) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %110 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %111 = "stablehlo.reduce"(%109, %110) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %112 = "stablehlo.maximum"(%111, %107) : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %113 = "stablehlo.broadcast_in_dim"(%112) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %114 = "stablehlo.subtract"(%109, %113) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %115 = "stablehlo.exponential"(%114) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %116 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %117 = "stablehlo.reduce"(%115, %116) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %118 = "stablehlo.subtract"(%107, %112) : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %119 = "stablehlo.exponential"(%118) : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %120 = "stablehlo.add"(%117, %119) : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %121 = "stablehlo.broadcast_in_dim"(%120) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %122 = "stablehlo.divide"(%115, %121) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %123 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %124 = "stablehlo.select"(%105, %122, %123) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %125 = "stablehlo.dot_general"(%124, %90) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x10xf32>
    %126 = "stablehlo.transpose"(%125) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x10xf32>) -> tensor<2x1x2x2x10xf32>
    %127 = "stablehlo.reshape"(%126) : (tensor<2x1x2x2x10xf32>) -> tensor<2x4x10xf32>
    %128 = "stablehlo.reshape"(%127) : (tensor<2x4x10xf32>) -> tensor<2x40xf32>
    %129 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<24x40xf32>
    %130 = "stablehlo.dot_general"(%128, %129) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<24x40xf32>) -> tensor<2x24xf32>
    %131 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.bias} : () -> tensor<24xf32>
    %132 = "stablehlo.broadcast_in_dim"(%131) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %133 = "stablehlo.add"(%130, %132) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %134 = "stablehlo.add"(%14, %133) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %135 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %136 = "stablehlo.multiply"(%134, %134) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %137 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %138 = "stablehlo.reduce"(%136, %137) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %139 = "stablehlo.divide"(%138, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %140 = "stablehlo.add"(%139, %21) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %141 = "stablehlo.rsqrt"(%140) : (tensor<2xf32>) -> tensor<2xf32>
    %142 = "stablehlo.broadcast_in_dim"(%141) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %143 = "stablehlo.multiply"(%134, %142) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %144 = "stablehlo.broadcast_in_dim"(%135) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %145 = "stablehlo.multiply"(%143, %144) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %146 = "util.global.load"() {global = @model.layers.0.mlp.router.weight} : () -> tensor<5x24xf32>
    %147 = "stablehlo.dot_general"(%145, %146) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<5x24xf32>) -> tensor<2x5xf32>
    %148 = "util.global.load"() {global = @model.layers.0.mlp.router.bias} : () -> tensor<5xf32>
    %149 = "stablehlo.broadcast_in_dim"(%148) {broadcast_dimensions = array<i64: 1>} : (tensor<5xf32>) -> tensor<2x5xf32>
    %150 = "stablehlo.add"(%147, %149) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %151 = "stablehlo.compare"(%150, %150) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %152 = "stablehlo.constant"() {value = dense<0x7F800000> : tensor<2x5xf32>} : () -> tensor<2x5xf32>
    %153 = "stablehlo.select"(%151, %150, %152) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %154 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x5xf32>} : () -> tensor<2x5xf32>
    %155 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x5xf32>
    %156 = "stablehlo.negate"(%155) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %157 = "stablehlo.compare"(%155, %155) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %158 = "stablehlo.select"(%157, %153, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %159 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %160 = "stablehlo.reduce"(%158, %159) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %161 = "stablehlo.broadcast_in_dim"(%160) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %162 = "stablehlo.compare"(%153, %161) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %163 = "stablehlo.and"(%162, %157) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %164 = "stablehlo.select"(%163, %156, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %165 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %166 = "stablehlo.reduce"(%164, %165) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %167 = "stablehlo.negate"(%166) : (tensor<2xf32>) -> tensor<2xf32>
    %168 = "stablehlo.broadcast_in_dim"(%167) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %169 = "stablehlo.compare"(%155, %168) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %170 = "stablehlo.and"(%157, %169) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %171 = "stablehlo.select"(%170, %153, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %172 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %173 = "stablehlo.reduce"(%171, %172) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %174 = "stablehlo.broadcast_in_dim"(%173) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %175 = "stablehlo.compare"(%153, %174) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %176 = "stablehlo.and"(%175, %170) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %177 = "stablehlo.select"(%176, %156, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %178 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %179 = "stablehlo.reduce"(%177, %178) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %180 = "stablehlo.negate"(%179) : (tensor<2xf32>) -> tensor<2xf32>
    %181 = "stablehlo.reshape"(%167) : (tensor<2xf32>) -> tensor<2x1xf32>
    %182 = "stablehlo.reshape"(%180) : (tensor<2xf32>) -> tensor<2x1xf32>
    %183 = "stablehlo.concatenate"(%181, %182) {dimension = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %184 = "stablehlo.convert"(%183) : (tensor<2x2xf32>) -> tensor<2x2xi32>
    %185 = "stablehlo.reshape"(%150) : (tensor<2x5xf32>) -> tensor<10xf32>
    %186 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2x2xi32>
    %187 = "stablehlo.constant"() {value = dense<5> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %188 = "stablehlo.multiply"(%186, %187) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %189 = "stablehlo.add"(%188, %184) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %190 = "stablehlo.gather"(%185, %189) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<10xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
    %191 = "stablehlo.constant"() {value = dense<true> : tensor<2x2xi1>} : () -> tensor<2x2xi1>
    %192 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %193 = "stablehlo.select"(%191, %190, %192) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %194 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %195 = "stablehlo.reduce"(%193, %194) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %196 = "stablehlo.broadcast_in_dim"(%195) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %197 = "stablehlo.subtract"(%193, %196) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %198 = "stablehlo.exponential"(%197) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %199 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %200 = "stablehlo.reduce"(%198, %199) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %201 = "stablehlo.broadcast_in_dim"(%200) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %202 = "stablehlo.divide"(%198, %201) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %203 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %204 = "stablehlo.select"(%191, %202, %203) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %205 = "util.global.load"() {global = @model.layers.0.mlp.experts.gate_up_proj} : () -> tensor<200x24xf32>
    %206 = "stablehlo.dot_general"(%145, %205) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<200x24xf32>) -> tensor<2x200xf32>
    %207 = "stablehlo.reshape"(%206) : (tensor<2x200xf32>) -> tensor<2x5x40xf32>
    %208 = "stablehlo.reshape"(%207) : (tensor<2x5x40xf32>) -> tensor<10x40xf32>
    %209 = "stablehlo.gather"(%208, %189) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<10x40xf32>, tensor<2x2xi32>) -> tensor<2x2x40xf32>
    %210 = "util.global.load"() {global = @model.layers.0.mlp.experts.gate_up_proj_bias} : () -> tensor<5x40xf32>
    %211 = "stablehlo.gather"(%210, %184) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<5x40xf32>, tensor<2x2xi32>) -> tensor<2x2x40xf32>
    %212 = "stablehlo.add"(%209, %211) : (tensor<2x2x40xf32>, tensor<2x2x40xf32>) -> tensor<2x2x40xf32>
    %213 = "stablehlo.slice"(%212) {limit_indices = array<i64: 2, 2, 20>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %214 = "stablehlo.slice"(%212) {limit_indices = array<i64: 2, 2, 40>, start_indices = array<i64: 0, 0, 20>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %215 = "stablehlo.constant"() {value = dense<8.000000e-01> : tensor<2x2x20xf32>} : () -> tensor<2x2x20xf32>
    %216 = "stablehlo.minimum"(%213, %215) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %217 = "stablehlo.constant"() {value = dense<-8.000000e-01> : tensor<2x2x20xf32>} : () -> tensor<2x2x20xf32>
    %218 = "stablehlo.maximum"(%214, %217) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %219 = "stablehlo.minimum"(%218, %215) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %220 = "stablehlo.constant"() {value = dense<1.702000e+00> : tensor<2x2x20xf32>} : () -> tensor<2x2x20xf32>
    %221 = "stablehlo.multiply"(%216, %220) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %222 = "stablehlo.logistic"(%221) : (tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %223 = "stablehlo.multiply"(%216, %222) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %224 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x2x20xf32>} : () -> tensor<2x2x20xf32>
    %225 = "stablehlo.add"(%219, %224) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %226 = "stablehlo.multiply"(%225, %223) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %227 = "util.global.load"() {global = @model.layers.0.mlp.experts.down_proj} : () -> tensor<120x20xf32>
    %228 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x5x2xi32>
    %229 = "stablehlo.broadcast_in_dim"(%184) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x2xi32>) -> tensor<2x5x2xi32>
    %230 = "stablehlo.compare"(%228, %229) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5x2xi32>, tensor<2x5x2xi32>) -> tensor<2x5x2xi1>
    %231 = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<2x5x2xf32>
    %232 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x5x2xf32>} : () -> tensor<2x5x2xf32>
    %233 = "stablehlo.select"(%230, %231, %232) : (tensor<2x5x2xi1>, tensor<2x5x2xf32>, tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %234 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %235 = "stablehlo.reduce"(%233, %234) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x5x2xf32>, tensor<f32>) -> tensor<2x5xf32>
    %236 = "stablehlo.convert"(%235) : (tensor<2x5xf32>) -> tensor<2x5xi32>
    %237 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2x5xi32>
    %238 = "stablehlo.constant"() {value = dense<2> : tensor<2x5xi32>} : () -> tensor<2x5xi32>
    %239 = "stablehlo.multiply"(%237, %238) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %240 = "stablehlo.add"(%239, %236) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %241 = "stablehlo.reshape"(%226) : (tensor<2x2x20xf32>) -> tensor<4x20xf32>
    %242 = "stablehlo.gather"(%241, %240) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>} : (tensor<4x20xf32>, tensor<2x5xi32>) -> tensor<2x5x20xf32>
    %243 = "stablehlo.reshape"(%227) : (tensor<120x20xf32>) -> tensor<5x24x20xf32>
    %244 = "stablehlo.dot_general"(%242, %243) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<2x5x20xf32>, tensor<5x24x20xf32>) -> tensor<5x2x24xf32>
    %245 = "stablehlo.transpose"(%244) {permutation = array<i64: 1, 0, 2>} : (tensor<5x2x24xf32>) -> tensor<2x5x24xf32>
    %246 = "stablehlo.reshape"(%245) : (tensor<2x5x24xf32>) -> tensor<10x24xf32>
    %247 = "stablehlo.gather"(%246, %189) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<10x24xf32>, tensor<2x2xi32>) -> tensor<2x2x24xf32>
    %248 = "util.global.load"() {global = @model.layers.0.mlp.experts.down_proj_bias} : () -> tensor<5x24xf32>
    %249 = "stablehlo.gather"(%248, %184) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<5x24xf32>, tensor<2x2xi32>) -> tensor<2x2x24xf32>
    %250 = "stablehlo.add"(%247, %249) : (tensor<2x2x24xf32>, tensor<2x2x24xf32>) -> tensor<2x2x24xf32>
    %251 = "stablehlo.broadcast_in_dim"(%204) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x24xf32>
    %252 = "stablehlo.multiply"(%250, %251) : (tensor<2x2x24xf32>, tensor<2x2x24xf32>) -> tensor<2x2x24xf32>
    %253 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %254 = "stablehlo.reduce"(%252, %253) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %255 = "stablehlo.add"(%134, %254) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %256 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<24xf32>
    %257 = "stablehlo.multiply"(%255, %255) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %258 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %259 = "stablehlo.reduce"(%257, %258) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %260 = "stablehlo.divide"(%259, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %261 = "stablehlo.add"(%260, %21) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %262 = "stablehlo.rsqrt"(%261) : (tensor<2xf32>) -> tensor<2xf32>
    %263 = "stablehlo.broadcast_in_dim"(%262) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %264 = "stablehlo.multiply"(%255, %263) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %265 = "stablehlo.broadcast_in_dim"(%256) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %266 = "stablehlo.multiply"(%264, %265) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %267 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x24xf32>
    %268 = "stablehlo.dot_general"(%266, %267) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<80x24xf32>) -> tensor<2x80xf32>
    %269 = "stablehlo.slice"(%268) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x40xf32>
    %270 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %271 = "stablehlo.broadcast_in_dim"(%270) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %272 = "stablehlo.add"(%269, %271) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %273 = "stablehlo.reshape"(%272) : (tensor<2x40xf32>) -> tensor<2x4x10xf32>
    %274 = "stablehlo.reshape"(%273) : (tensor<2x4x10xf32>) -> tensor<2x4x2x5xf32>
    %275 = "stablehlo.reverse"(%274) {dimensions = array<i64: 2>} : (tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %276 = "stablehlo.multiply"(%274, %40) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %277 = "stablehlo.multiply"(%275, %47) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %278 = "stablehlo.add"(%276, %277) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %279 = "stablehlo.reshape"(%278) : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
    %280 = "stablehlo.slice"(%268) {limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %281 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %282 = "stablehlo.broadcast_in_dim"(%281) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %283 = "stablehlo.add"(%280, %282) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %284 = "stablehlo.reshape"(%283) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %285 = "stablehlo.reshape"(%284) : (tensor<2x2x10xf32>) -> tensor<2x2x2x5xf32>
    %286 = "stablehlo.reverse"(%285) {dimensions = array<i64: 2>} : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %287 = "stablehlo.multiply"(%285, %59) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %288 = "stablehlo.multiply"(%286, %60) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %289 = "stablehlo.add"(%287, %288) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %290 = "stablehlo.reshape"(%289) : (tensor<2x2x2x5xf32>) -> tensor<2x2x10xf32>
    %291 = "stablehlo.slice"(%268) {limit_indices = array<i64: 2, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %292 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %293 = "stablehlo.broadcast_in_dim"(%292) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %294 = "stablehlo.add"(%291, %293) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %295 = "stablehlo.reshape"(%294) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %296 = "util.global.load"() {global = @model.layers.1.self_attn.sinks} : () -> tensor<4xf32>
    %297 = "stablehlo.scatter"(%arg7, %arg2, %290) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %298 = "stablehlo.scatter"(%arg8, %arg2, %295) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %collapsed_1 = tensor.collapse_shape %297 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %299 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %300 = "stablehlo.select"(%82, %299, %83) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %301 = "stablehlo.optimization_barrier"(%300) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %302 = "stablehlo.reshape"(%301) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %collapsed_2 = tensor.collapse_shape %298 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %303 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %304 = "stablehlo.select"(%82, %303, %83) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %305 = "stablehlo.optimization_barrier"(%304) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %306 = "stablehlo.reshape"(%305) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %307 = "stablehlo.multiply"(%279, %91) : (tensor<2x4x10xf32>, tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %308 = "stablehlo.reshape"(%307) : (tensor<2x4x10xf32>) -> tensor<2x1x2x2x10xf32>
    %309 = "stablehlo.dot_general"(%308, %302) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x10xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x16xf32>
    %310 = "stablehlo.broadcast_in_dim"(%99) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %311 = "stablehlo.reshape"(%296) : (tensor<4xf32>) -> tensor<2x2xf32>
    %312 = "stablehlo.broadcast_in_dim"(%311) {broadcast_dimensions = array<i64: 1, 3>} : (tensor<2x2xf32>) -> tensor<2x2x1x2xf32>
    %313 = "stablehlo.select"(%310, %309, %108) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %314 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %315 = "stablehlo.reduce"(%313, %314) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %316 = "stablehlo.maximum"(%315, %312) : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %317 = "stablehlo.broadcast_in_dim"(%316) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %318 = "stablehlo.subtract"(%313, %317) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %319 = "stablehlo.exponential"(%318) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %320 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %321 = "stablehlo.reduce"(%319, %320) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %322 = "stablehlo.subtract"(%312, %316) : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %323 = "stablehlo.exponential"(%322) : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %324 = "stablehlo.add"(%321, %323) : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %325 = "stablehlo.broadcast_in_dim"(%324) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %326 = "stablehlo.divide"(%319, %325) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %327 = "stablehlo.select"(%310, %326, %123) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %328 = "stablehlo.dot_general"(%327, %306) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x10xf32>
    %329 = "stablehlo.transpose"(%328) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x10xf32>) -> tensor<2x1x2x2x10xf32>
    %330 = "stablehlo.reshape"(%329) : (tensor<2x1x2x2x10xf32>) -> tensor<2x4x10xf32>
    %331 = "stablehlo.reshape"(%330) : (tensor<2x4x10xf32>) -> tensor<2x40xf32>
    %332 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<24x40xf32>
    %333 = "stablehlo.dot_general"(%331, %332) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<24x40xf32>) -> tensor<2x24xf32>
    %334 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.bias} : () -> tensor<24xf32>
    %335 = "stablehlo.broadcast_in_dim"(%334) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %336 = "stablehlo.add"(%333, %335) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %337 = "stablehlo.add"(%255, %336) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %338 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %339 = "stablehlo.multiply"(%337, %337) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %340 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %341 = "stablehlo.reduce"(%339, %340) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %342 = "stablehlo.divide"(%341, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %343 = "stablehlo.add"(%342, %21) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %344 = "stablehlo.rsqrt"(%343) : (tensor<2xf32>) -> tensor<2xf32>
    %345 = "stablehlo.broadcast_in_dim"(%344) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %346 = "stablehlo.multiply"(%337, %345) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %347 = "stablehlo.broadcast_in_dim"(%338) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %348 = "stablehlo.multiply"(%346, %347) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %349 = "util.global.load"() {global = @model.layers.1.mlp.router.weight} : () -> tensor<5x24xf32>
    %350 = "stablehlo.dot_general"(%348, %349) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<5x24xf32>) -> tensor<2x5xf32>
    %351 = "util.global.load"() {global = @model.layers.1.mlp.router.bias} : () -> tensor<5xf32>
    %352 = "stablehlo.broadcast_in_dim"(%351) {broadcast_dimensions = array<i64: 1>} : (tensor<5xf32>) -> tensor<2x5xf32>
    %353 = "stablehlo.add"(%350, %352) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %354 = "stablehlo.compare"(%353, %353) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %355 = "stablehlo.select"(%354, %353, %152) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %356 = "stablehlo.select"(%157, %355, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %357 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %358 = "stablehlo.reduce"(%356, %357) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %359 = "stablehlo.broadcast_in_dim"(%358) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %360 = "stablehlo.compare"(%355, %359) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %361 = "stablehlo.and"(%360, %157) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %362 = "stablehlo.select"(%361, %156, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %363 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %364 = "stablehlo.reduce"(%362, %363) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %365 = "stablehlo.negate"(%364) : (tensor<2xf32>) -> tensor<2xf32>
    %366 = "stablehlo.broadcast_in_dim"(%365) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %367 = "stablehlo.compare"(%155, %366) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %368 = "stablehlo.and"(%157, %367) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %369 = "stablehlo.select"(%368, %355, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %370 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %371 = "stablehlo.reduce"(%369, %370) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %372 = "stablehlo.broadcast_in_dim"(%371) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %373 = "stablehlo.compare"(%355, %372) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %374 = "stablehlo.and"(%373, %368) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %375 = "stablehlo.select"(%374, %156, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %376 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %377 = "stablehlo.reduce"(%375, %376) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %378 = "stablehlo.negate"(%377) : (tensor<2xf32>) -> tensor<2xf32>
    %379 = "stablehlo.reshape"(%365) : (tensor<2xf32>) -> tensor<2x1xf32>
    %380 = "stablehlo.reshape"(%378) : (tensor<2xf32>) -> tensor<2x1xf32>
    %381 = "stablehlo.concatenate"(%379, %380) {dimension = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %382 = "stablehlo.convert"(%381) : (tensor<2x2xf32>) -> tensor<2x2xi32>
    %383 = "stablehlo.reshape"(%353) : (tensor<2x5xf32>) -> tensor<10xf32>
    %384 = "stablehlo.add"(%188, %382) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %385 = "stablehlo.gather"(%383, %384) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<10xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
    %386 = "stablehlo.select"(%191, %385, %192) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %387 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %388 = "stablehlo.reduce"(%386, %387) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %389 = "stablehlo.broadcast_in_dim"(%388) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %390 = "stablehlo.subtract"(%386, %389) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %391 = "stablehlo.exponential"(%390) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %392 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %393 = "stablehlo.reduce"(%391, %392) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %394 = "stablehlo.broadcast_in_dim"(%393) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %395 = "stablehlo.divide"(%391, %394) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %396 = "stablehlo.select"(%191, %395, %203) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %397 = "util.global.load"() {global = @model.layers.1.mlp.experts.gate_up_proj} : () -> tensor<200x24xf32>
    %398 = "stablehlo.dot_general"(%348, %397) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<200x24xf32>) -> tensor<2x200xf32>
    %399 = "stablehlo.reshape"(%398) : (tensor<2x200xf32>) -> tensor<2x5x40xf32>
    %400 = "stablehlo.reshape"(%399) : (tensor<2x5x40xf32>) -> tensor<10x40xf32>
    %401 = "stablehlo.gather"(%400, %384) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<10x40xf32>, tensor<2x2xi32>) -> tensor<2x2x40xf32>
    %402 = "util.global.load"() {global = @model.layers.1.mlp.experts.gate_up_proj_bias} : () -> tensor<5x40xf32>
    %403 = "stablehlo.gather"(%402, %382) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<5x40xf32>, tensor<2x2xi32>) -> tensor<2x2x40xf32>
    %404 = "stablehlo.add"(%401, %403) : (tensor<2x2x40xf32>, tensor<2x2x40xf32>) -> tensor<2x2x40xf32>
    %405 = "stablehlo.slice"(%404) {limit_indices = array<i64: 2, 2, 20>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %406 = "stablehlo.slice"(%404) {limit_indices = array<i64: 2, 2, 40>, start_indices = array<i64: 0, 0, 20>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %407 = "stablehlo.minimum"(%405, %215) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %408 = "stablehlo.maximum"(%406, %217) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %409 = "stablehlo.minimum"(%408, %215) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %410 = "stablehlo.multiply"(%407, %220) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %411 = "stablehlo.logistic"(%410) : (tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %412 = "stablehlo.multiply"(%407, %411) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %413 = "stablehlo.add"(%409, %224) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %414 = "stablehlo.multiply"(%413, %412) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %415 = "util.global.load"() {global = @model.layers.1.mlp.experts.down_proj} : () -> tensor<120x20xf32>
    %416 = "stablehlo.broadcast_in_dim"(%382) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x2xi32>) -> tensor<2x5x2xi32>
    %417 = "stablehlo.compare"(%228, %416) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5x2xi32>, tensor<2x5x2xi32>) -> tensor<2x5x2xi1>
    %418 = "stablehlo.select"(%417, %231, %232) : (tensor<2x5x2xi1>, tensor<2x5x2xf32>, tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %419 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %420 = "stablehlo.reduce"(%418, %419) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x5x2xf32>, tensor<f32>) -> tensor<2x5xf32>
    %421 = "stablehlo.convert"(%420) : (tensor<2x5xf32>) -> tensor<2x5xi32>
    %422 = "stablehlo.add"(%239, %421) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %423 = "stablehlo.reshape"(%414) : (tensor<2x2x20xf32>) -> tensor<4x20xf32>
    %424 = "stablehlo.gather"(%423, %422) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>} : (tensor<4x20xf32>, tensor<2x5xi32>) -> tensor<2x5x20xf32>
    %425 = "stablehlo.reshape"(%415) : (tensor<120x20xf32>) -> tensor<5x24x20xf32>
    %426 = "stablehlo.dot_general"(%424, %425) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<2x5x20xf32>, tensor<5x24x20xf32>) -> tensor<5x2x24xf32>
    %427 = "stablehlo.transpose"(%426) {permutation = array<i64: 1, 0, 2>} : (tensor<5x2x24xf32>) -> tensor<2x5x24xf32>
    %428 = "stablehlo.reshape"(%427) : (tensor<2x5x24xf32>) -> tensor<10x24xf32>
    %429 = "stablehlo.gather"(%428, %384) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<10x24xf32>, tensor<2x2xi32>) -> tensor<2x2x24xf32>
    %430 = "util.global.load"() {global = @model.layers.1.mlp.experts.down_proj_bias} : () -> tensor<5x24xf32>
    %431 = "stablehlo.gather"(%430, %382) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<5x24xf32>, tensor<2x2xi32>) -> tensor<2x2x24xf32>
    %432 = "stablehlo.add"(%429, %431) : (tensor<2x2x24xf32>, tensor<2x2x24xf32>) -> tensor<2x2x24xf32>
    %433 = "stablehlo.broadcast_in_dim"(%396) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x24xf32>
    %434 = "stablehlo.multiply"(%432, %433) : (tensor<2x2x24xf32>, tensor<2x2x24xf32>) -> tensor<2x2x24xf32>
    %435 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %436 = "stablehlo.reduce"(%434, %435) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %437 = "stablehlo.add"(%337, %436) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %438 = "util.global.load"() {global = @model.layers.2.input_layernorm.weight} : () -> tensor<24xf32>
    %439 = "stablehlo.multiply"(%437, %437) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %440 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %441 = "stablehlo.reduce"(%439, %440) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %442 = "stablehlo.divide"(%441, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %443 = "stablehlo.add"(%442, %21) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %444 = "stablehlo.rsqrt"(%443) : (tensor<2xf32>) -> tensor<2xf32>
    %445 = "stablehlo.broadcast_in_dim"(%444) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %446 = "stablehlo.multiply"(%437, %445) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %447 = "stablehlo.broadcast_in_dim"(%438) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %448 = "stablehlo.multiply"(%446, %447) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %449 = "util.global.load"() {global = @"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x24xf32>
    %450 = "stablehlo.dot_general"(%448, %449) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<80x24xf32>) -> tensor<2x80xf32>
    %451 = "stablehlo.slice"(%450) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x40xf32>
    %452 = "util.global.load"() {global = @model.layers.2.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %453 = "stablehlo.broadcast_in_dim"(%452) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %454 = "stablehlo.add"(%451, %453) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %455 = "stablehlo.reshape"(%454) : (tensor<2x40xf32>) -> tensor<2x4x10xf32>
    %456 = "stablehlo.reshape"(%455) : (tensor<2x4x10xf32>) -> tensor<2x4x2x5xf32>
    %457 = "stablehlo.reverse"(%456) {dimensions = array<i64: 2>} : (tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %458 = "stablehlo.multiply"(%456, %40) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %459 = "stablehlo.multiply"(%457, %47) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %460 = "stablehlo.add"(%458, %459) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %461 = "stablehlo.reshape"(%460) : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
    %462 = "stablehlo.slice"(%450) {limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %463 = "util.global.load"() {global = @model.layers.2.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %464 = "stablehlo.broadcast_in_dim"(%463) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %465 = "stablehlo.add"(%462, %464) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %466 = "stablehlo.reshape"(%465) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %467 = "stablehlo.reshape"(%466) : (tensor<2x2x10xf32>) -> tensor<2x2x2x5xf32>
    %468 = "stablehlo.reverse"(%467) {dimensions = array<i64: 2>} : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %469 = "stablehlo.multiply"(%467, %59) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %470 = "stablehlo.multiply"(%468, %60) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %471 = "stablehlo.add"(%469, %470) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %472 = "stablehlo.reshape"(%471) : (tensor<2x2x2x5xf32>) -> tensor<2x2x10xf32>
    %473 = "stablehlo.slice"(%450) {limit_indices = array<i64: 2, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %474 = "util.global.load"() {global = @model.layers.2.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %475 = "stablehlo.broadcast_in_dim"(%474) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %476 = "stablehlo.add"(%473, %475) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %477 = "stablehlo.reshape"(%476) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %478 = "util.global.load"() {global = @model.layers.2.self_attn.sinks} : () -> tensor<4xf32>
    %479 = "stablehlo.scatter"(%arg9, %arg2, %472) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %480 = "stablehlo.scatter"(%arg10, %arg2, %477) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %collapsed_3 = tensor.collapse_shape %479 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %481 = "stablehlo.gather"(%collapsed_3, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %482 = "stablehlo.select"(%82, %481, %83) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %483 = "stablehlo.optimization_barrier"(%482) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %484 = "stablehlo.reshape"(%483) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %collapsed_4 = tensor.collapse_shape %480 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %485 = "stablehlo.gather"(%collapsed_4, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %486 = "stablehlo.select"(%82, %485, %83) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %487 = "stablehlo.optimization_barrier"(%486) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %488 = "stablehlo.reshape"(%487) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %489 = "stablehlo.multiply"(%461, %91) : (tensor<2x4x10xf32>, tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %490 = "stablehlo.reshape"(%489) : (tensor<2x4x10xf32>) -> tensor<2x1x2x2x10xf32>
    %491 = "stablehlo.dot_general"(%490, %484) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x10xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x16xf32>
    %492 = "stablehlo.reshape"(%478) : (tensor<4xf32>) -> tensor<2x2xf32>
    %493 = "stablehlo.broadcast_in_dim"(%492) {broadcast_dimensions = array<i64: 1, 3>} : (tensor<2x2xf32>) -> tensor<2x2x1x2xf32>
    %494 = "stablehlo.select"(%105, %491, %108) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %495 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %496 = "stablehlo.reduce"(%494, %495) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %497 = "stablehlo.maximum"(%496, %493) : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %498 = "stablehlo.broadcast_in_dim"(%497) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %499 = "stablehlo.subtract"(%494, %498) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %500 = "stablehlo.exponential"(%499) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %501 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %502 = "stablehlo.reduce"(%500, %501) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %503 = "stablehlo.subtract"(%493, %497) : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %504 = "stablehlo.exponential"(%503) : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %505 = "stablehlo.add"(%502, %504) : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %506 = "stablehlo.broadcast_in_dim"(%505) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %507 = "stablehlo.divide"(%500, %506) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %508 = "stablehlo.select"(%105, %507, %123) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %509 = "stablehlo.dot_general"(%508, %488) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x10xf32>
    %510 = "stablehlo.transpose"(%509) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x10xf32>) -> tensor<2x1x2x2x10xf32>
    %511 = "stablehlo.reshape"(%510) : (tensor<2x1x2x2x10xf32>) -> tensor<2x4x10xf32>
    %512 = "stablehlo.reshape"(%511) : (tensor<2x4x10xf32>) -> tensor<2x40xf32>
    %513 = "util.global.load"() {global = @model.layers.2.self_attn.o_proj.weight} : () -> tensor<24x40xf32>
    %514 = "stablehlo.dot_general"(%512, %513) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<24x40xf32>) -> tensor<2x24xf32>
    %515 = "util.global.load"() {global = @model.layers.2.self_attn.o_proj.bias} : () -> tensor<24xf32>
    %516 = "stablehlo.broadcast_in_dim"(%515) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %517 = "stablehlo.add"(%514, %516) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %518 = "stablehlo.add"(%437, %517) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %519 = "util.global.load"() {global = @model.layers.2.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %520 = "stablehlo.multiply"(%518, %518) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %521 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %522 = "stablehlo.reduce"(%520, %521) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %523 = "stablehlo.divide"(%522, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %524 = "stablehlo.add"(%523, %21) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %525 = "stablehlo.rsqrt"(%524) : (tensor<2xf32>) -> tensor<2xf32>
    %526 = "stablehlo.broadcast_in_dim"(%525) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %527 = "stablehlo.multiply"(%518, %526) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %528 = "stablehlo.broadcast_in_dim"(%519) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %529 = "stablehlo.multiply"(%527, %528) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %530 = "util.global.load"() {global = @model.layers.2.mlp.router.weight} : () -> tensor<5x24xf32>
    %531 = "stablehlo.dot_general"(%529, %530) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<5x24xf32>) -> tensor<2x5xf32>
    %532 = "util.global.load"() {global = @model.layers.2.mlp.router.bias} : () -> tensor<5xf32>
    %533 = "stablehlo.broadcast_in_dim"(%532) {broadcast_dimensions = array<i64: 1>} : (tensor<5xf32>) -> tensor<2x5xf32>
    %534 = "stablehlo.add"(%531, %533) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %535 = "stablehlo.compare"(%534, %534) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %536 = "stablehlo.select"(%535, %534, %152) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %537 = "stablehlo.select"(%157, %536, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %538 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %539 = "stablehlo.reduce"(%537, %538) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %540 = "stablehlo.broadcast_in_dim"(%539) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %541 = "stablehlo.compare"(%536, %540) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %542 = "stablehlo.and"(%541, %157) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %543 = "stablehlo.select"(%542, %156, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %544 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %545 = "stablehlo.reduce"(%543, %544) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %546 = "stablehlo.negate"(%545) : (tensor<2xf32>) -> tensor<2xf32>
    %547 = "stablehlo.broadcast_in_dim"(%546) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %548 = "stablehlo.compare"(%155, %547) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %549 = "stablehlo.and"(%157, %548) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %550 = "stablehlo.select"(%549, %536, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %551 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %552 = "stablehlo.reduce"(%550, %551) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %553 = "stablehlo.broadcast_in_dim"(%552) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %554 = "stablehlo.compare"(%536, %553) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %555 = "stablehlo.and"(%554, %549) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %556 = "stablehlo.select"(%555, %156, %154) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %557 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %558 = "stablehlo.reduce"(%556, %557) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %559 = "stablehlo.negate"(%558) : (tensor<2xf32>) -> tensor<2xf32>
    %560 = "stablehlo.reshape"(%546) : (tensor<2xf32>) -> tensor<2x1xf32>
    %561 = "stablehlo.reshape"(%559) : (tensor<2xf32>) -> tensor<2x1xf32>
    %562 = "stablehlo.concatenate"(%560, %561) {dimension = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %563 = "stablehlo.convert"(%562) : (tensor<2x2xf32>) -> tensor<2x2xi32>
    %564 = "stablehlo.reshape"(%534) : (tensor<2x5xf32>) -> tensor<10xf32>
    %565 = "stablehlo.add"(%188, %563) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %566 = "stablehlo.gather"(%564, %565) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<10xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
    %567 = "stablehlo.select"(%191, %566, %192) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %568 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %569 = "stablehlo.reduce"(%567, %568) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %570 = "stablehlo.broadcast_in_dim"(%569) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %571 = "stablehlo.subtract"(%567, %570) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %572 = "stablehlo.exponential"(%571) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %573 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %574 = "stablehlo.reduce"(%572, %573) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %575 = "stablehlo.broadcast_in_dim"(%574) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %576 = "stablehlo.divide"(%572, %575) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %577 = "stablehlo.select"(%191, %576, %203) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %578 = "util.global.load"() {global = @model.layers.2.mlp.experts.gate_up_proj} : () -> tensor<200x24xf32>
    %579 = "stablehlo.dot_general"(%529, %578) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<200x24xf32>) -> tensor<2x200xf32>
    %580 = "stablehlo.reshape"(%579) : (tensor<2x200xf32>) -> tensor<2x5x40xf32>
    %581 = "stablehlo.reshape"(%580) : (tensor<2x5x40xf32>) -> tensor<10x40xf32>
    %582 = "stablehlo.gather"(%581, %565) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<10x40xf32>, tensor<2x2xi32>) -> tensor<2x2x40xf32>
    %583 = "util.global.load"() {global = @model.layers.2.mlp.experts.gate_up_proj_bias} : () -> tensor<5x40xf32>
    %584 = "stablehlo.gather"(%583, %563) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<5x40xf32>, tensor<2x2xi32>) -> tensor<2x2x40xf32>
    %585 = "stablehlo.add"(%582, %584) : (tensor<2x2x40xf32>, tensor<2x2x40xf32>) -> tensor<2x2x40xf32>
    %586 = "stablehlo.slice"(%585) {limit_indices = array<i64: 2, 2, 20>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %587 = "stablehlo.slice"(%585) {limit_indices = array<i64: 2, 2, 40>, start_indices = array<i64: 0, 0, 20>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %588 = "stablehlo.minimum"(%586, %215) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %589 = "stablehlo.maximum"(%587, %217) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %590 = "stablehlo.minimum"(%589, %215) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %591 = "stablehlo.multiply"(%588, %220) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %592 = "stablehlo.logistic"(%591) : (tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %593 = "stablehlo.multiply"(%588, %592) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %594 = "stablehlo.add"(%590, %224) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %595 = "stablehlo.multiply"(%594, %593) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %596 = "util.global.load"() {global = @model.layers.2.mlp.experts.down_proj} : () -> tensor<120x20xf32>
    %597 = "stablehlo.broadcast_in_dim"(%563) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x2xi32>) -> tensor<2x5x2xi32>
    %598 = "stablehlo.compare"(%228, %597) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5x2xi32>, tensor<2x5x2xi32>) -> tensor<2x5x2xi1>
    %599 = "stablehlo.select"(%598, %231, %232) : (tensor<2x5x2xi1>, tensor<2x5x2xf32>, tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %600 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %601 = "stablehlo.reduce"(%599, %600) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x5x2xf32>, tensor<f32>) -> tensor<2x5xf32>
    %602 = "stablehlo.convert"(%601) : (tensor<2x5xf32>) -> tensor<2x5xi32>
    %603 = "stablehlo.add"(%239, %602) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %604 = "stablehlo.reshape"(%595) : (tensor<2x2x20xf32>) -> tensor<4x20xf32>
    %605 = "stablehlo.gather"(%604, %603) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>} : (tensor<4x20xf32>, tensor<2x5xi32>) -> tensor<2x5x20xf32>
    %606 = "stablehlo.reshape"(%596) : (tensor<120x20xf32>) -> tensor<5x24x20xf32>
    %607 = "stablehlo.dot_general"(%605, %606) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<2x5x20xf32>, tensor<5x24x20xf32>) -> tensor<5x2x24xf32>
    %608 = "stablehlo.transpose"(%607) {permutation = array<i64: 1, 0, 2>} : (tensor<5x2x24xf32>) -> tensor<2x5x24xf32>
    %609 = "stablehlo.reshape"(%608) : (tensor<2x5x24xf32>) -> tensor<10x24xf32>
    %610 = "stablehlo.gather"(%609, %565) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<10x24xf32>, tensor<2x2xi32>) -> tensor<2x2x24xf32>
    %611 = "util.global.load"() {global = @model.layers.2.mlp.experts.down_proj_bias} : () -> tensor<5x24xf32>
    %612 = "stablehlo.gather"(%611, %563) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<5x24xf32>, tensor<2x2xi32>) -> tensor<2x2x24xf32>
    %613 = "stablehlo.add"(%610, %612) : (tensor<2x2x24xf32>, tensor<2x2x24xf32>) -> tensor<2x2x24xf32>
    %614 = "stablehlo.broadcast_in_dim"(%577) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x24xf32>
    %615 = "stablehlo.multiply"(%613, %614) : (tensor<2x2x24xf32>, tensor<2x2x24xf32>) -> tensor<2x2x24xf32>
    %616 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %617 = "stablehlo.reduce"(%615, %616) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %618 = "stablehlo.add"(%518, %617) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %619 = "stablehlo.gather"(%618, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<2x24xf32>, tensor<2xi32>) -> tensor<2x24xf32>
    %620 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<24xf32>
    %621 = "stablehlo.multiply"(%619, %619) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %622 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %623 = "stablehlo.reduce"(%621, %622) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %633 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %624 = "stablehlo.divide"(%623, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %625 = "stablehlo.add"(%624, %21) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %626 = "stablehlo.rsqrt"(%625) : (tensor<2xf32>) -> tensor<2xf32>
    %627 = "stablehlo.broadcast_in_dim"(%626) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %628 = "stablehlo.multiply"(%619, %627) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %629 = "stablehlo.broadcast_in_dim"(%620) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %630 = "stablehlo.multiply"(%628, %629) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %631 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x24xf32>
    %632 = "stablehlo.dot_general"(%630, %631) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<128x24xf32>) -> tensor<2x128xf32>
    return %632, %71, %72, %297, %298, %479, %480 : tensor<2x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>
  }
}
