module @qwen3_moe {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x24xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x24xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.experts.down.weight"> : tensor<144x20xf32>, sym_name = "model.layers.0.mlp.experts.down.weight", sym_visibility = "private", type = tensor<144x20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.experts.gate+up.weight"> : tensor<240x24xf32>, sym_name = "model.layers.0.mlp.experts.gate+up.weight", sym_visibility = "private", type = tensor<240x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate.weight"> : tensor<6x24xf32>, sym_name = "model.layers.0.mlp.gate.weight", sym_visibility = "private", type = tensor<6x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_norm.weight"> : tensor<10xf32>, sym_name = "model.layers.0.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<10xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<24x40xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_norm.weight"> : tensor<10xf32>, sym_name = "model.layers.0.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<10xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x24xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.weight"> : tensor<24x40xf32>, sym_name = "model.layers.1.mlp.down_proj.weight", sym_visibility = "private", type = tensor<24x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj+up_proj.weight"> : tensor<80x24xf32>, sym_name = "model.layers.1.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<80x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_norm.weight"> : tensor<10xf32>, sym_name = "model.layers.1.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<10xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<24x40xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_norm.weight"> : tensor<10xf32>, sym_name = "model.layers.1.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<10xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x24xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.2.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.experts.down.weight"> : tensor<144x20xf32>, sym_name = "model.layers.2.mlp.experts.down.weight", sym_visibility = "private", type = tensor<144x20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.experts.gate+up.weight"> : tensor<240x24xf32>, sym_name = "model.layers.2.mlp.experts.gate+up.weight", sym_visibility = "private", type = tensor<240x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.gate.weight"> : tensor<6x24xf32>, sym_name = "model.layers.2.mlp.gate.weight", sym_visibility = "private", type = tensor<6x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.2.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.k_norm.weight"> : tensor<10xf32>, sym_name = "model.layers.2.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<10xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.o_proj.weight"> : tensor<24x40xf32>, sym_name = "model.layers.2.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_norm.weight"> : tensor<10xf32>, sym_name = "model.layers.2.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<10xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x24xf32>, sym_name = "model.layers.2.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<24xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  func.func @prefill(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>, %arg2: tensor<8x2xi32>, %arg3: tensor<1x2xi32>, %arg4: tensor<1xi32>, %arg5: tensor<?x8x2x10xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x10xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x10xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x10xf32> {iree.abi.output = 4 : index}, %arg9: tensor<?x8x2x10xf32> {iree.abi.output = 5 : index}, %arg10: tensor<?x8x2x10xf32> {iree.abi.output = 6 : index}) -> (tensor<1x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.0630957335, 0.00398107152, 2.51188641E-4, 1.58489311E-5]> : tensor<5xf32>} : () -> tensor<5xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<5xf32>) -> tensor<8x5xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<8xi32>) -> tensor<8xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<8x5xf32>) -> tensor<8x5xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<8x5xf32>) -> tensor<1x8x5xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<8x5xf32>) -> tensor<8x5xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<8x5xf32>) -> tensor<1x8x5xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x8x5xf32>, tensor<1x8x5xf32>) -> tensor<2x8x5xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x24xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<128x24xf32>, tensor<8xi32>) -> tensor<8x24xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<24xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
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
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x24xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<80x24xf32>) -> tensor<8x80xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x40xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<8x40xf32>) -> tensor<8x4x10xf32>
    %29 = "util.global.load"() {global = @model.layers.0.self_attn.q_norm.weight} : () -> tensor<10xf32>
    %30 = "stablehlo.multiply"(%28, %28) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %31 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%30, %31) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %33 = "stablehlo.constant"() {value = dense<1.000000e+01> : tensor<8x4xf32>} : () -> tensor<8x4xf32>
    %34 = "stablehlo.divide"(%32, %33) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %35 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8x4xf32>} : () -> tensor<8x4xf32>
    %36 = "stablehlo.add"(%34, %35) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %37 = "stablehlo.rsqrt"(%36) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x10xf32>
    %39 = "stablehlo.multiply"(%28, %38) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %40 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64: 2>} : (tensor<10xf32>) -> tensor<8x4x10xf32>
    %41 = "stablehlo.multiply"(%39, %40) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<8x4x10xf32>) -> tensor<8x4x2x5xf32>
    %43 = "stablehlo.reverse"(%42) {dimensions = array<i64: 2>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %44 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 8, 5>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x5xf32>) -> tensor<1x8x5xf32>
    %45 = "stablehlo.reshape"(%44) : (tensor<1x8x5xf32>) -> tensor<8x5xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x5xf32>) -> tensor<8x2x5xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x5xf32>) -> tensor<8x4x2x5xf32>
    %48 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 8, 5>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x5xf32>) -> tensor<1x8x5xf32>
    %49 = "stablehlo.reshape"(%48) : (tensor<1x8x5xf32>) -> tensor<8x5xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x5xf32>) -> tensor<8x2x5xf32>
    %51 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %52 = "stablehlo.broadcast_in_dim"(%51) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<8x2x5xf32>
    %53 = "stablehlo.multiply"(%50, %52) : (tensor<8x2x5xf32>, tensor<8x2x5xf32>) -> tensor<8x2x5xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x5xf32>) -> tensor<8x4x2x5xf32>
    %55 = "stablehlo.multiply"(%42, %47) : (tensor<8x4x2x5xf32>, tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %56 = "stablehlo.multiply"(%43, %54) : (tensor<8x4x2x5xf32>, tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %57 = "stablehlo.add"(%55, %56) : (tensor<8x4x2x5xf32>, tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %58 = "stablehlo.reshape"(%57) : (tensor<8x4x2x5xf32>) -> tensor<8x4x10xf32>
    %59 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %60 = "stablehlo.reshape"(%59) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %61 = "util.global.load"() {global = @model.layers.0.self_attn.k_norm.weight} : () -> tensor<10xf32>
    %62 = "stablehlo.multiply"(%60, %60) : (tensor<8x2x10xf32>, tensor<8x2x10xf32>) -> tensor<8x2x10xf32>
    %63 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %64 = "stablehlo.reduce"(%62, %63) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x10xf32>, tensor<f32>) -> tensor<8x2xf32>
    %65 = "stablehlo.constant"() {value = dense<1.000000e+01> : tensor<8x2xf32>} : () -> tensor<8x2xf32>
    %66 = "stablehlo.divide"(%64, %65) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %67 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8x2xf32>} : () -> tensor<8x2xf32>
    %68 = "stablehlo.add"(%66, %67) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %69 = "stablehlo.rsqrt"(%68) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %70 = "stablehlo.broadcast_in_dim"(%69) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x10xf32>
    %71 = "stablehlo.multiply"(%60, %70) : (tensor<8x2x10xf32>, tensor<8x2x10xf32>) -> tensor<8x2x10xf32>
    %72 = "stablehlo.broadcast_in_dim"(%61) {broadcast_dimensions = array<i64: 2>} : (tensor<10xf32>) -> tensor<8x2x10xf32>
    %73 = "stablehlo.multiply"(%71, %72) : (tensor<8x2x10xf32>, tensor<8x2x10xf32>) -> tensor<8x2x10xf32>
    %74 = "stablehlo.reshape"(%73) : (tensor<8x2x10xf32>) -> tensor<8x2x2x5xf32>
    %75 = "stablehlo.reverse"(%74) {dimensions = array<i64: 2>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %76 = "stablehlo.broadcast_in_dim"(%46) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x5xf32>) -> tensor<8x2x2x5xf32>
    %77 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x5xf32>) -> tensor<8x2x2x5xf32>
    %78 = "stablehlo.multiply"(%74, %76) : (tensor<8x2x2x5xf32>, tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %79 = "stablehlo.multiply"(%75, %77) : (tensor<8x2x2x5xf32>, tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %80 = "stablehlo.add"(%78, %79) : (tensor<8x2x2x5xf32>, tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %81 = "stablehlo.reshape"(%80) : (tensor<8x2x2x5xf32>) -> tensor<8x2x10xf32>
    %82 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %83 = "stablehlo.reshape"(%82) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %84 = "stablehlo.scatter"(%arg5, %arg2, %81) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %85 = "stablehlo.scatter"(%arg6, %arg2, %83) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %86 = "stablehlo.reshape"(%2) : (tensor<8xf32>) -> tensor<1x8xf32>
    %87 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %88 = "stablehlo.reduce"(%86, %87) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x8xf32>, tensor<f32>) -> tensor<1xf32>
    %89 = "stablehlo.broadcast_in_dim"(%88) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x2xf32>
    %90 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<1x2xf32>
    %92 = "stablehlo.compare"(%91, %89) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xi1>
    %93 = "stablehlo.optimization_barrier"(%92) : (tensor<1x2xi1>) -> tensor<1x2xi1>
    %collapsed = tensor.collapse_shape %84 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %94 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<1x2xi32>) -> tensor<1x2x160xf32>
    %95 = "stablehlo.broadcast_in_dim"(%93) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x2xi1>) -> tensor<1x2x160xi1>
    %96 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x160xf32>} : () -> tensor<1x2x160xf32>
    %97 = "stablehlo.select"(%95, %94, %96) : (tensor<1x2x160xi1>, tensor<1x2x160xf32>, tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %98 = "stablehlo.optimization_barrier"(%97) : (tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %99 = "stablehlo.reshape"(%98) : (tensor<1x2x160xf32>) -> tensor<1x16x2x10xf32>
    %collapsed_0 = tensor.collapse_shape %85 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %100 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<1x2xi32>) -> tensor<1x2x160xf32>
    %101 = "stablehlo.select"(%95, %100, %96) : (tensor<1x2x160xi1>, tensor<1x2x160xf32>, tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %102 = "stablehlo.optimization_barrier"(%101) : (tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %103 = "stablehlo.reshape"(%102) : (tensor<1x2x160xf32>) -> tensor<1x16x2x10xf32>
    %104 = "stablehlo.constant"() {value = dense<0.316227764> : tensor<8x4x10xf32>} : () -> tensor<8x4x10xf32>
    %105 = "stablehlo.multiply"(%58, %104) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %106 = "stablehlo.reshape"(%105) : (tensor<8x4x10xf32>) -> tensor<1x8x2x2x10xf32>
    %107 = "stablehlo.dot_general"(%106, %99) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x10xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x16xf32>
    %108 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %109 = "stablehlo.broadcast_in_dim"(%108) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<1x8x16xi32>
    %110 = "stablehlo.reshape"(%arg1) : (tensor<8xi32>) -> tensor<1x8xi32>
    %111 = "stablehlo.broadcast_in_dim"(%110) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %112 = "stablehlo.compare"(%109, %111) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %113 = "stablehlo.broadcast_in_dim"(%112) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x2x8x2x16xi1>
    %114 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %115 = "stablehlo.select"(%113, %107, %114) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %116 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %117 = "stablehlo.reduce"(%115, %116) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %118 = "stablehlo.broadcast_in_dim"(%117) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %119 = "stablehlo.subtract"(%115, %118) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %120 = "stablehlo.exponential"(%119) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %121 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %122 = "stablehlo.reduce"(%120, %121) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %123 = "stablehlo.broadcast_in_dim"(%122) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %124 = "stablehlo.divide"(%120, %123) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %125 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %126 = "stablehlo.select"(%113, %124, %125) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %127 = "stablehlo.dot_general"(%126, %103) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x10xf32>
    %128 = "stablehlo.transpose"(%127) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x10xf32>) -> tensor<1x8x2x2x10xf32>
    %129 = "stablehlo.reshape"(%128) : (tensor<1x8x2x2x10xf32>) -> tensor<8x4x10xf32>
    %130 = "stablehlo.reshape"(%129) : (tensor<8x4x10xf32>) -> tensor<8x40xf32>
    %131 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<24x40xf32>
    %132 = "stablehlo.dot_general"(%130, %131) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<24x40xf32>) -> tensor<8x24xf32>
    %133 = "stablehlo.add"(%11, %132) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %134 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %135 = "stablehlo.multiply"(%133, %133) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %136 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %137 = "stablehlo.reduce"(%135, %136) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %138 = "stablehlo.divide"(%137, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %139 = "stablehlo.add"(%138, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %140 = "stablehlo.rsqrt"(%139) : (tensor<8xf32>) -> tensor<8xf32>
    %141 = "stablehlo.broadcast_in_dim"(%140) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %142 = "stablehlo.multiply"(%133, %141) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %143 = "stablehlo.broadcast_in_dim"(%134) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %144 = "stablehlo.multiply"(%142, %143) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %145 = "util.global.load"() {global = @model.layers.0.mlp.gate.weight} : () -> tensor<6x24xf32>
    %146 = "stablehlo.dot_general"(%144, %145) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<6x24xf32>) -> tensor<8x6xf32>
    %147 = "stablehlo.compare"(%146, %146) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %148 = "stablehlo.constant"() {value = dense<0x7F800000> : tensor<8x6xf32>} : () -> tensor<8x6xf32>
    %149 = "stablehlo.select"(%147, %146, %148) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %150 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<8x6xf32>} : () -> tensor<8x6xf32>
    %151 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<8x6xf32>
    %152 = "stablehlo.negate"(%151) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %153 = "stablehlo.compare"(%151, %151) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %154 = "stablehlo.select"(%153, %149, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %155 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %156 = "stablehlo.reduce"(%154, %155) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %157 = "stablehlo.broadcast_in_dim"(%156) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %158 = "stablehlo.compare"(%149, %157) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %159 = "stablehlo.and"(%158, %153) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %160 = "stablehlo.select"(%159, %152, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %161 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %162 = "stablehlo.reduce"(%160, %161) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %163 = "stablehlo.negate"(%162) : (tensor<8xf32>) -> tensor<8xf32>
    %164 = "stablehlo.broadcast_in_dim"(%163) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %165 = "stablehlo.compare"(%151, %164) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %166 = "stablehlo.and"(%153, %165) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %167 = "stablehlo.select"(%166, %149, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %168 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %169 = "stablehlo.reduce"(%167, %168) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %170 = "stablehlo.broadcast_in_dim"(%169) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %171 = "stablehlo.compare"(%149, %170) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %172 = "stablehlo.and"(%171, %166) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %173 = "stablehlo.select"(%172, %152, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %174 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %175 = "stablehlo.reduce"(%173, %174) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %176 = "stablehlo.negate"(%175) : (tensor<8xf32>) -> tensor<8xf32>
    %177 = "stablehlo.broadcast_in_dim"(%176) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %178 = "stablehlo.compare"(%151, %177) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %179 = "stablehlo.and"(%166, %178) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %180 = "stablehlo.select"(%179, %149, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %181 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %182 = "stablehlo.reduce"(%180, %181) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %183 = "stablehlo.broadcast_in_dim"(%182) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %184 = "stablehlo.compare"(%149, %183) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %185 = "stablehlo.and"(%184, %179) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %186 = "stablehlo.select"(%185, %152, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %187 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %188 = "stablehlo.reduce"(%186, %187) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %189 = "stablehlo.negate"(%188) : (tensor<8xf32>) -> tensor<8xf32>
    %190 = "stablehlo.reshape"(%163) : (tensor<8xf32>) -> tensor<8x1xf32>
    %191 = "stablehlo.reshape"(%176) : (tensor<8xf32>) -> tensor<8x1xf32>
    %192 = "stablehlo.reshape"(%189) : (tensor<8xf32>) -> tensor<8x1xf32>
    %193 = "stablehlo.concatenate"(%190, %191, %192) {dimension = 1 : i64} : (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x3xf32>
    %194 = "stablehlo.convert"(%193) : (tensor<8x3xf32>) -> tensor<8x3xi32>
    %195 = "stablehlo.reshape"(%146) : (tensor<8x6xf32>) -> tensor<48xf32>
    %196 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<8x3xi32>
    %197 = "stablehlo.constant"() {value = dense<6> : tensor<8x3xi32>} : () -> tensor<8x3xi32>
    %198 = "stablehlo.multiply"(%196, %197) : (tensor<8x3xi32>, tensor<8x3xi32>) -> tensor<8x3xi32>
    %199 = "stablehlo.add"(%198, %194) : (tensor<8x3xi32>, tensor<8x3xi32>) -> tensor<8x3xi32>
    %200 = "stablehlo.gather"(%195, %199) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<48xf32>, tensor<8x3xi32>) -> tensor<8x3xf32>
    %201 = "stablehlo.constant"() {value = dense<true> : tensor<8x3xi1>} : () -> tensor<8x3xi1>
    %202 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<8x3xf32>} : () -> tensor<8x3xf32>
    %203 = "stablehlo.select"(%201, %200, %202) : (tensor<8x3xi1>, tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %204 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %205 = "stablehlo.reduce"(%203, %204) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x3xf32>, tensor<f32>) -> tensor<8xf32>
    %206 = "stablehlo.broadcast_in_dim"(%205) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x3xf32>
    %207 = "stablehlo.subtract"(%203, %206) : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %208 = "stablehlo.exponential"(%207) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    %209 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %210 = "stablehlo.reduce"(%208, %209) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x3xf32>, tensor<f32>) -> tensor<8xf32>
    %211 = "stablehlo.broadcast_in_dim"(%210) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x3xf32>
    %212 = "stablehlo.divide"(%208, %211) : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %213 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<8x3xf32>} : () -> tensor<8x3xf32>
    %214 = "stablehlo.select"(%201, %212, %213) : (tensor<8x3xi1>, tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %215 = "util.global.load"() {global = @"model.layers.0.mlp.experts.gate+up.weight"} : () -> tensor<240x24xf32>
    %216 = "stablehlo.dot_general"(%144, %215) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<240x24xf32>) -> tensor<8x240xf32>
    %217 = "stablehlo.reshape"(%216) : (tensor<8x240xf32>) -> tensor<8x6x40xf32>
    %218 = "stablehlo.reshape"(%217) : (tensor<8x6x40xf32>) -> tensor<48x40xf32>
    %219 = "stablehlo.gather"(%218, %199) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<48x40xf32>, tensor<8x3xi32>) -> tensor<8x3x40xf32>
    %220 = "stablehlo.slice"(%219) {limit_indices = array<i64: 8, 3, 20>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x40xf32>) -> tensor<8x3x20xf32>
    %221 = "stablehlo.slice"(%219) {limit_indices = array<i64: 8, 3, 40>, start_indices = array<i64: 0, 0, 20>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x40xf32>) -> tensor<8x3x20xf32>
    %222 = "stablehlo.logistic"(%220) : (tensor<8x3x20xf32>) -> tensor<8x3x20xf32>
    %223 = "stablehlo.multiply"(%220, %222) : (tensor<8x3x20xf32>, tensor<8x3x20xf32>) -> tensor<8x3x20xf32>
    %224 = "stablehlo.multiply"(%223, %221) : (tensor<8x3x20xf32>, tensor<8x3x20xf32>) -> tensor<8x3x20xf32>
    %225 = "util.global.load"() {global = @model.layers.0.mlp.experts.down.weight} : () -> tensor<144x20xf32>
    %226 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<8x6x3xi32>
    %227 = "stablehlo.broadcast_in_dim"(%194) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x3xi32>) -> tensor<8x6x3xi32>
    %228 = "stablehlo.compare"(%226, %227) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6x3xi32>, tensor<8x6x3xi32>) -> tensor<8x6x3xi1>
    %229 = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<8x6x3xf32>
    %230 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<8x6x3xf32>} : () -> tensor<8x6x3xf32>
    %231 = "stablehlo.select"(%228, %229, %230) : (tensor<8x6x3xi1>, tensor<8x6x3xf32>, tensor<8x6x3xf32>) -> tensor<8x6x3xf32>
    %232 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %233 = "stablehlo.reduce"(%231, %232) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x6x3xf32>, tensor<f32>) -> tensor<8x6xf32>
    %234 = "stablehlo.convert"(%233) : (tensor<8x6xf32>) -> tensor<8x6xi32>
    %235 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<8x6xi32>
    %236 = "stablehlo.constant"() {value = dense<3> : tensor<8x6xi32>} : () -> tensor<8x6xi32>
    %237 = "stablehlo.multiply"(%235, %236) : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi32>
    %238 = "stablehlo.add"(%237, %234) : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi32>
    %239 = "stablehlo.reshape"(%224) : (tensor<8x3x20xf32>) -> tensor<24x20xf32>
    %240 = "stablehlo.gather"(%239, %238) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>} : (tensor<24x20xf32>, tensor<8x6xi32>) -> tensor<8x6x20xf32>
    %241 = "stablehlo.reshape"(%225) : (tensor<144x20xf32>) -> tensor<6x24x20xf32>
    %242 = "stablehlo.dot_general"(%240, %241) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<8x6x20xf32>, tensor<6x24x20xf32>) -> tensor<6x8x24xf32>
    %243 = "stablehlo.transpose"(%242) {permutation = array<i64: 1, 0, 2>} : (tensor<6x8x24xf32>) -> tensor<8x6x24xf32>
    %244 = "stablehlo.reshape"(%243) : (tensor<8x6x24xf32>) -> tensor<48x24xf32>
    %245 = "stablehlo.gather"(%244, %199) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<48x24xf32>, tensor<8x3xi32>) -> tensor<8x3x24xf32>
    %246 = "stablehlo.broadcast_in_dim"(%214) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x3xf32>) -> tensor<8x3x24xf32>
    %247 = "stablehlo.multiply"(%245, %246) : (tensor<8x3x24xf32>, tensor<8x3x24xf32>) -> tensor<8x3x24xf32>
    %248 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %249 = "stablehlo.reduce"(%247, %248) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x3x24xf32>, tensor<f32>) -> tensor<8x24xf32>
    %250 = "stablehlo.add"(%133, %249) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %251 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<24xf32>
    %252 = "stablehlo.multiply"(%250, %250) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %253 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %254 = "stablehlo.reduce"(%252, %253) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %255 = "stablehlo.divide"(%254, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %256 = "stablehlo.add"(%255, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %257 = "stablehlo.rsqrt"(%256) : (tensor<8xf32>) -> tensor<8xf32>
    %258 = "stablehlo.broadcast_in_dim"(%257) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %259 = "stablehlo.multiply"(%250, %258) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %260 = "stablehlo.broadcast_in_dim"(%251) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %261 = "stablehlo.multiply"(%259, %260) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %262 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x24xf32>
    %263 = "stablehlo.dot_general"(%261, %262) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<80x24xf32>) -> tensor<8x80xf32>
    %264 = "stablehlo.slice"(%263) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x40xf32>
    %265 = "stablehlo.reshape"(%264) : (tensor<8x40xf32>) -> tensor<8x4x10xf32>
    %266 = "util.global.load"() {global = @model.layers.1.self_attn.q_norm.weight} : () -> tensor<10xf32>
    %267 = "stablehlo.multiply"(%265, %265) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %268 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %269 = "stablehlo.reduce"(%267, %268) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %270 = "stablehlo.divide"(%269, %33) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %271 = "stablehlo.add"(%270, %35) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %272 = "stablehlo.rsqrt"(%271) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %273 = "stablehlo.broadcast_in_dim"(%272) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x10xf32>
    %274 = "stablehlo.multiply"(%265, %273) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %275 = "stablehlo.broadcast_in_dim"(%266) {broadcast_dimensions = array<i64: 2>} : (tensor<10xf32>) -> tensor<8x4x10xf32>
    %276 = "stablehlo.multiply"(%274, %275) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %277 = "stablehlo.reshape"(%276) : (tensor<8x4x10xf32>) -> tensor<8x4x2x5xf32>
    %278 = "stablehlo.reverse"(%277) {dimensions = array<i64: 2>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %279 = "stablehlo.multiply"(%277, %47) : (tensor<8x4x2x5xf32>, tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %280 = "stablehlo.multiply"(%278, %54) : (tensor<8x4x2x5xf32>, tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %281 = "stablehlo.add"(%279, %280) : (tensor<8x4x2x5xf32>, tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %282 = "stablehlo.reshape"(%281) : (tensor<8x4x2x5xf32>) -> tensor<8x4x10xf32>
    %283 = "stablehlo.slice"(%263) {limit_indices = array<i64: 8, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %284 = "stablehlo.reshape"(%283) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %285 = "util.global.load"() {global = @model.layers.1.self_attn.k_norm.weight} : () -> tensor<10xf32>
    %286 = "stablehlo.multiply"(%284, %284) : (tensor<8x2x10xf32>, tensor<8x2x10xf32>) -> tensor<8x2x10xf32>
    %287 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %288 = "stablehlo.reduce"(%286, %287) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x10xf32>, tensor<f32>) -> tensor<8x2xf32>
    %289 = "stablehlo.divide"(%288, %65) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %290 = "stablehlo.add"(%289, %67) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %291 = "stablehlo.rsqrt"(%290) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %292 = "stablehlo.broadcast_in_dim"(%291) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x10xf32>
    %293 = "stablehlo.multiply"(%284, %292) : (tensor<8x2x10xf32>, tensor<8x2x10xf32>) -> tensor<8x2x10xf32>
    %294 = "stablehlo.broadcast_in_dim"(%285) {broadcast_dimensions = array<i64: 2>} : (tensor<10xf32>) -> tensor<8x2x10xf32>
    %295 = "stablehlo.multiply"(%293, %294) : (tensor<8x2x10xf32>, tensor<8x2x10xf32>) -> tensor<8x2x10xf32>
    %296 = "stablehlo.reshape"(%295) : (tensor<8x2x10xf32>) -> tensor<8x2x2x5xf32>
    %297 = "stablehlo.reverse"(%296) {dimensions = array<i64: 2>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %298 = "stablehlo.multiply"(%296, %76) : (tensor<8x2x2x5xf32>, tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %299 = "stablehlo.multiply"(%297, %77) : (tensor<8x2x2x5xf32>, tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %300 = "stablehlo.add"(%298, %299) : (tensor<8x2x2x5xf32>, tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %301 = "stablehlo.reshape"(%300) : (tensor<8x2x2x5xf32>) -> tensor<8x2x10xf32>
    %302 = "stablehlo.slice"(%263) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %303 = "stablehlo.reshape"(%302) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %304 = "stablehlo.scatter"(%arg7, %arg2, %301) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %305 = "stablehlo.scatter"(%arg8, %arg2, %303) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %collapsed_1 = tensor.collapse_shape %304 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %306 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<1x2xi32>) -> tensor<1x2x160xf32>
    %307 = "stablehlo.select"(%95, %306, %96) : (tensor<1x2x160xi1>, tensor<1x2x160xf32>, tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %308 = "stablehlo.optimization_barrier"(%307) : (tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %309 = "stablehlo.reshape"(%308) : (tensor<1x2x160xf32>) -> tensor<1x16x2x10xf32>
    %collapsed_2 = tensor.collapse_shape %305 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %310 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<1x2xi32>) -> tensor<1x2x160xf32>
    %311 = "stablehlo.select"(%95, %310, %96) : (tensor<1x2x160xi1>, tensor<1x2x160xf32>, tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %312 = "stablehlo.optimization_barrier"(%311) : (tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %313 = "stablehlo.reshape"(%312) : (tensor<1x2x160xf32>) -> tensor<1x16x2x10xf32>
    %314 = "stablehlo.multiply"(%282, %104) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %315 = "stablehlo.reshape"(%314) : (tensor<8x4x10xf32>) -> tensor<1x8x2x2x10xf32>
    %316 = "stablehlo.dot_general"(%315, %309) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x10xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x16xf32>
    %317 = "stablehlo.select"(%113, %316, %114) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %318 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %319 = "stablehlo.reduce"(%317, %318) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %320 = "stablehlo.broadcast_in_dim"(%319) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %321 = "stablehlo.subtract"(%317, %320) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %322 = "stablehlo.exponential"(%321) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %323 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %324 = "stablehlo.reduce"(%322, %323) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %325 = "stablehlo.broadcast_in_dim"(%324) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %326 = "stablehlo.divide"(%322, %325) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %327 = "stablehlo.select"(%113, %326, %125) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %328 = "stablehlo.dot_general"(%327, %313) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x10xf32>
    %329 = "stablehlo.transpose"(%328) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x10xf32>) -> tensor<1x8x2x2x10xf32>
    %330 = "stablehlo.reshape"(%329) : (tensor<1x8x2x2x10xf32>) -> tensor<8x4x10xf32>
    %331 = "stablehlo.reshape"(%330) : (tensor<8x4x10xf32>) -> tensor<8x40xf32>
    %332 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<24x40xf32>
    %333 = "stablehlo.dot_general"(%331, %332) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<24x40xf32>) -> tensor<8x24xf32>
    %334 = "stablehlo.add"(%250, %333) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %335 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %336 = "stablehlo.multiply"(%334, %334) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %337 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %338 = "stablehlo.reduce"(%336, %337) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %339 = "stablehlo.divide"(%338, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %340 = "stablehlo.add"(%339, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %341 = "stablehlo.rsqrt"(%340) : (tensor<8xf32>) -> tensor<8xf32>
    %342 = "stablehlo.broadcast_in_dim"(%341) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %343 = "stablehlo.multiply"(%334, %342) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %344 = "stablehlo.broadcast_in_dim"(%335) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %345 = "stablehlo.multiply"(%343, %344) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %346 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<80x24xf32>
    %347 = "stablehlo.dot_general"(%345, %346) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<80x24xf32>) -> tensor<8x80xf32>
    %348 = "stablehlo.slice"(%347) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x40xf32>
    %349 = "stablehlo.slice"(%347) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x40xf32>
    %350 = "stablehlo.logistic"(%348) : (tensor<8x40xf32>) -> tensor<8x40xf32>
    %351 = "stablehlo.multiply"(%348, %350) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %352 = "stablehlo.multiply"(%351, %349) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %353 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<24x40xf32>
    %354 = "stablehlo.dot_general"(%352, %353) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<24x40xf32>) -> tensor<8x24xf32>
    %355 = "stablehlo.add"(%334, %354) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %356 = "util.global.load"() {global = @model.layers.2.input_layernorm.weight} : () -> tensor<24xf32>
    %357 = "stablehlo.multiply"(%355, %355) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %358 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %359 = "stablehlo.reduce"(%357, %358) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %360 = "stablehlo.divide"(%359, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %361 = "stablehlo.add"(%360, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %362 = "stablehlo.rsqrt"(%361) : (tensor<8xf32>) -> tensor<8xf32>
    %363 = "stablehlo.broadcast_in_dim"(%362) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %364 = "stablehlo.multiply"(%355, %363) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %365 = "stablehlo.broadcast_in_dim"(%356) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %366 = "stablehlo.multiply"(%364, %365) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %367 = "util.global.load"() {global = @"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x24xf32>
    %368 = "stablehlo.dot_general"(%366, %367) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<80x24xf32>) -> tensor<8x80xf32>
    %369 = "stablehlo.slice"(%368) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x40xf32>
    %370 = "stablehlo.reshape"(%369) : (tensor<8x40xf32>) -> tensor<8x4x10xf32>
    %371 = "util.global.load"() {global = @model.layers.2.self_attn.q_norm.weight} : () -> tensor<10xf32>
    %372 = "stablehlo.multiply"(%370, %370) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %373 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %374 = "stablehlo.reduce"(%372, %373) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x10xf32>, tensor<f32>) -> tensor<8x4xf32>
    %375 = "stablehlo.divide"(%374, %33) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %376 = "stablehlo.add"(%375, %35) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %377 = "stablehlo.rsqrt"(%376) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %378 = "stablehlo.broadcast_in_dim"(%377) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x10xf32>
    %379 = "stablehlo.multiply"(%370, %378) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %380 = "stablehlo.broadcast_in_dim"(%371) {broadcast_dimensions = array<i64: 2>} : (tensor<10xf32>) -> tensor<8x4x10xf32>
    %381 = "stablehlo.multiply"(%379, %380) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %382 = "stablehlo.reshape"(%381) : (tensor<8x4x10xf32>) -> tensor<8x4x2x5xf32>
    %383 = "stablehlo.reverse"(%382) {dimensions = array<i64: 2>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %384 = "stablehlo.multiply"(%382, %47) : (tensor<8x4x2x5xf32>, tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %385 = "stablehlo.multiply"(%383, %54) : (tensor<8x4x2x5xf32>, tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %386 = "stablehlo.add"(%384, %385) : (tensor<8x4x2x5xf32>, tensor<8x4x2x5xf32>) -> tensor<8x4x2x5xf32>
    %387 = "stablehlo.reshape"(%386) : (tensor<8x4x2x5xf32>) -> tensor<8x4x10xf32>
    %388 = "stablehlo.slice"(%368) {limit_indices = array<i64: 8, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %389 = "stablehlo.reshape"(%388) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %390 = "util.global.load"() {global = @model.layers.2.self_attn.k_norm.weight} : () -> tensor<10xf32>
    %391 = "stablehlo.multiply"(%389, %389) : (tensor<8x2x10xf32>, tensor<8x2x10xf32>) -> tensor<8x2x10xf32>
    %392 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %393 = "stablehlo.reduce"(%391, %392) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x10xf32>, tensor<f32>) -> tensor<8x2xf32>
    %394 = "stablehlo.divide"(%393, %65) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %395 = "stablehlo.add"(%394, %67) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %396 = "stablehlo.rsqrt"(%395) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %397 = "stablehlo.broadcast_in_dim"(%396) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x10xf32>
    %398 = "stablehlo.multiply"(%389, %397) : (tensor<8x2x10xf32>, tensor<8x2x10xf32>) -> tensor<8x2x10xf32>
    %399 = "stablehlo.broadcast_in_dim"(%390) {broadcast_dimensions = array<i64: 2>} : (tensor<10xf32>) -> tensor<8x2x10xf32>
    %400 = "stablehlo.multiply"(%398, %399) : (tensor<8x2x10xf32>, tensor<8x2x10xf32>) -> tensor<8x2x10xf32>
    %401 = "stablehlo.reshape"(%400) : (tensor<8x2x10xf32>) -> tensor<8x2x2x5xf32>
    %402 = "stablehlo.reverse"(%401) {dimensions = array<i64: 2>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %403 = "stablehlo.multiply"(%401, %76) : (tensor<8x2x2x5xf32>, tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %404 = "stablehlo.multiply"(%402, %77) : (tensor<8x2x2x5xf32>, tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %405 = "stablehlo.add"(%403, %404) : (tensor<8x2x2x5xf32>, tensor<8x2x2x5xf32>) -> tensor<8x2x2x5xf32>
    %406 = "stablehlo.reshape"(%405) : (tensor<8x2x2x5xf32>) -> tensor<8x2x10xf32>
    %407 = "stablehlo.slice"(%368) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %408 = "stablehlo.reshape"(%407) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %409 = "stablehlo.scatter"(%arg9, %arg2, %406) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %410 = "stablehlo.scatter"(%arg10, %arg2, %408) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      "stablehlo.return"(%arg12) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %collapsed_3 = tensor.collapse_shape %409 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %411 = "stablehlo.gather"(%collapsed_3, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<1x2xi32>) -> tensor<1x2x160xf32>
    %412 = "stablehlo.select"(%95, %411, %96) : (tensor<1x2x160xi1>, tensor<1x2x160xf32>, tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %413 = "stablehlo.optimization_barrier"(%412) : (tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %414 = "stablehlo.reshape"(%413) : (tensor<1x2x160xf32>) -> tensor<1x16x2x10xf32>
    %collapsed_4 = tensor.collapse_shape %410 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %415 = "stablehlo.gather"(%collapsed_4, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<1x2xi32>) -> tensor<1x2x160xf32>
    %416 = "stablehlo.select"(%95, %415, %96) : (tensor<1x2x160xi1>, tensor<1x2x160xf32>, tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %417 = "stablehlo.optimization_barrier"(%416) : (tensor<1x2x160xf32>) -> tensor<1x2x160xf32>
    %418 = "stablehlo.reshape"(%417) : (tensor<1x2x160xf32>) -> tensor<1x16x2x10xf32>
    %419 = "stablehlo.multiply"(%387, %104) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %420 = "stablehlo.reshape"(%419) : (tensor<8x4x10xf32>) -> tensor<1x8x2x2x10xf32>
    %421 = "stablehlo.dot_general"(%420, %414) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x10xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x16xf32>
    %422 = "stablehlo.select"(%113, %421, %114) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %423 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %424 = "stablehlo.reduce"(%422, %423) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %425 = "stablehlo.broadcast_in_dim"(%424) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %426 = "stablehlo.subtract"(%422, %425) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %427 = "stablehlo.exponential"(%426) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %428 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %429 = "stablehlo.reduce"(%427, %428) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %430 = "stablehlo.broadcast_in_dim"(%429) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %431 = "stablehlo.divide"(%427, %430) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %432 = "stablehlo.select"(%113, %431, %125) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %433 = "stablehlo.dot_general"(%432, %418) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x10xf32>
    %434 = "stablehlo.transpose"(%433) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x10xf32>) -> tensor<1x8x2x2x10xf32>
    %435 = "stablehlo.reshape"(%434) : (tensor<1x8x2x2x10xf32>) -> tensor<8x4x10xf32>
    %436 = "stablehlo.reshape"(%435) : (tensor<8x4x10xf32>) -> tensor<8x40xf32>
    %437 = "util.global.load"() {global = @model.layers.2.self_attn.o_proj.weight} : () -> tensor<24x40xf32>
    %438 = "stablehlo.dot_general"(%436, %437) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<24x40xf32>) -> tensor<8x24xf32>
    %439 = "stablehlo.add"(%355, %438) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %440 = "util.global.load"() {global = @model.layers.2.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %441 = "stablehlo.multiply"(%439, %439) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %442 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %443 = "stablehlo.reduce"(%441, %442) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x24xf32>, tensor<f32>) -> tensor<8xf32>
    %444 = "stablehlo.divide"(%443, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %445 = "stablehlo.add"(%444, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %446 = "stablehlo.rsqrt"(%445) : (tensor<8xf32>) -> tensor<8xf32>
    %447 = "stablehlo.broadcast_in_dim"(%446) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x24xf32>
    %448 = "stablehlo.multiply"(%439, %447) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %449 = "stablehlo.broadcast_in_dim"(%440) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %450 = "stablehlo.multiply"(%448, %449) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %451 = "util.global.load"() {global = @model.layers.2.mlp.gate.weight} : () -> tensor<6x24xf32>
    %452 = "stablehlo.dot_general"(%450, %451) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<6x24xf32>) -> tensor<8x6xf32>
    %453 = "stablehlo.compare"(%452, %452) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %454 = "stablehlo.select"(%453, %452, %148) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %455 = "stablehlo.select"(%153, %454, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %456 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %457 = "stablehlo.reduce"(%455, %456) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %458 = "stablehlo.broadcast_in_dim"(%457) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %459 = "stablehlo.compare"(%454, %458) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %460 = "stablehlo.and"(%459, %153) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %461 = "stablehlo.select"(%460, %152, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %462 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %463 = "stablehlo.reduce"(%461, %462) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %464 = "stablehlo.negate"(%463) : (tensor<8xf32>) -> tensor<8xf32>
    %465 = "stablehlo.broadcast_in_dim"(%464) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %466 = "stablehlo.compare"(%151, %465) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %467 = "stablehlo.and"(%153, %466) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %468 = "stablehlo.select"(%467, %454, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %469 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %470 = "stablehlo.reduce"(%468, %469) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %471 = "stablehlo.broadcast_in_dim"(%470) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %472 = "stablehlo.compare"(%454, %471) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %473 = "stablehlo.and"(%472, %467) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %474 = "stablehlo.select"(%473, %152, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %475 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %476 = "stablehlo.reduce"(%474, %475) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %477 = "stablehlo.negate"(%476) : (tensor<8xf32>) -> tensor<8xf32>
    %478 = "stablehlo.broadcast_in_dim"(%477) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %479 = "stablehlo.compare"(%151, %478) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %480 = "stablehlo.and"(%467, %479) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %481 = "stablehlo.select"(%480, %454, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %482 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %483 = "stablehlo.reduce"(%481, %482) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %484 = "stablehlo.broadcast_in_dim"(%483) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %485 = "stablehlo.compare"(%454, %484) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %486 = "stablehlo.and"(%485, %480) : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %487 = "stablehlo.select"(%486, %152, %150) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %488 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %489 = "stablehlo.reduce"(%487, %488) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    %490 = "stablehlo.negate"(%489) : (tensor<8xf32>) -> tensor<8xf32>
    %491 = "stablehlo.reshape"(%464) : (tensor<8xf32>) -> tensor<8x1xf32>
    %492 = "stablehlo.reshape"(%477) : (tensor<8xf32>) -> tensor<8x1xf32>
    %493 = "stablehlo.reshape"(%490) : (tensor<8xf32>) -> tensor<8x1xf32>
    %494 = "stablehlo.concatenate"(%491, %492, %493) {dimension = 1 : i64} : (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x3xf32>
    %495 = "stablehlo.convert"(%494) : (tensor<8x3xf32>) -> tensor<8x3xi32>
    %496 = "stablehlo.reshape"(%452) : (tensor<8x6xf32>) -> tensor<48xf32>
    %497 = "stablehlo.add"(%198, %495) : (tensor<8x3xi32>, tensor<8x3xi32>) -> tensor<8x3xi32>
    %498 = "stablehlo.gather"(%496, %497) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<48xf32>, tensor<8x3xi32>) -> tensor<8x3xf32>
    %499 = "stablehlo.select"(%201, %498, %202) : (tensor<8x3xi1>, tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %500 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %501 = "stablehlo.reduce"(%499, %500) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x3xf32>, tensor<f32>) -> tensor<8xf32>
    %502 = "stablehlo.broadcast_in_dim"(%501) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x3xf32>
    %503 = "stablehlo.subtract"(%499, %502) : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %504 = "stablehlo.exponential"(%503) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    %505 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %506 = "stablehlo.reduce"(%504, %505) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x3xf32>, tensor<f32>) -> tensor<8xf32>
    %507 = "stablehlo.broadcast_in_dim"(%506) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x3xf32>
    %508 = "stablehlo.divide"(%504, %507) : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %509 = "stablehlo.select"(%201, %508, %213) : (tensor<8x3xi1>, tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
    %510 = "util.global.load"() {global = @"model.layers.2.mlp.experts.gate+up.weight"} : () -> tensor<240x24xf32>
    %511 = "stablehlo.dot_general"(%450, %510) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x24xf32>, tensor<240x24xf32>) -> tensor<8x240xf32>
    %512 = "stablehlo.reshape"(%511) : (tensor<8x240xf32>) -> tensor<8x6x40xf32>
    %513 = "stablehlo.reshape"(%512) : (tensor<8x6x40xf32>) -> tensor<48x40xf32>
    %514 = "stablehlo.gather"(%513, %497) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<48x40xf32>, tensor<8x3xi32>) -> tensor<8x3x40xf32>
    %515 = "stablehlo.slice"(%514) {limit_indices = array<i64: 8, 3, 20>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x40xf32>) -> tensor<8x3x20xf32>
    %516 = "stablehlo.slice"(%514) {limit_indices = array<i64: 8, 3, 40>, start_indices = array<i64: 0, 0, 20>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x40xf32>) -> tensor<8x3x20xf32>
    %517 = "stablehlo.logistic"(%515) : (tensor<8x3x20xf32>) -> tensor<8x3x20xf32>
    %518 = "stablehlo.multiply"(%515, %517) : (tensor<8x3x20xf32>, tensor<8x3x20xf32>) -> tensor<8x3x20xf32>
    %519 = "stablehlo.multiply"(%518, %516) : (tensor<8x3x20xf32>, tensor<8x3x20xf32>) -> tensor<8x3x20xf32>
    %520 = "util.global.load"() {global = @model.layers.2.mlp.experts.down.weight} : () -> tensor<144x20xf32>
    %521 = "stablehlo.broadcast_in_dim"(%495) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x3xi32>) -> tensor<8x6x3xi32>
    %522 = "stablehlo.compare"(%226, %521) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<8x6x3xi32>, tensor<8x6x3xi32>) -> tensor<8x6x3xi1>
    %523 = "stablehlo.select"(%522, %229, %230) : (tensor<8x6x3xi1>, tensor<8x6x3xf32>, tensor<8x6x3xf32>) -> tensor<8x6x3xf32>
    %524 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %525 = "stablehlo.reduce"(%523, %524) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x6x3xf32>, tensor<f32>) -> tensor<8x6xf32>
    %526 = "stablehlo.convert"(%525) : (tensor<8x6xf32>) -> tensor<8x6xi32>
    %527 = "stablehlo.add"(%237, %526) : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi32>
    %528 = "stablehlo.reshape"(%519) : (tensor<8x3x20xf32>) -> tensor<24x20xf32>
    %529 = "stablehlo.gather"(%528, %527) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>} : (tensor<24x20xf32>, tensor<8x6xi32>) -> tensor<8x6x20xf32>
    %530 = "stablehlo.reshape"(%520) : (tensor<144x20xf32>) -> tensor<6x24x20xf32>
    %531 = "stablehlo.dot_general"(%529, %530) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<8x6x20xf32>, tensor<6x24x20xf32>) -> tensor<6x8x24xf32>
    %532 = "stablehlo.transpose"(%531) {permutation = array<i64: 1, 0, 2>} : (tensor<6x8x24xf32>) -> tensor<8x6x24xf32>
    %533 = "stablehlo.reshape"(%532) : (tensor<8x6x24xf32>) -> tensor<48x24xf32>
    %534 = "stablehlo.gather"(%533, %497) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<48x24xf32>, tensor<8x3xi32>) -> tensor<8x3x24xf32>
    %535 = "stablehlo.broadcast_in_dim"(%509) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x3xf32>) -> tensor<8x3x24xf32>
    %536 = "stablehlo.multiply"(%534, %535) : (tensor<8x3x24xf32>, tensor<8x3x24xf32>) -> tensor<8x3x24xf32>
    %537 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %538 = "stablehlo.reduce"(%536, %537) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x3x24xf32>, tensor<f32>) -> tensor<8x24xf32>
    %539 = "stablehlo.add"(%439, %538) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %540 = "stablehlo.gather"(%539, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<8x24xf32>, tensor<1xi32>) -> tensor<1x24xf32>
    %541 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<24xf32>
    %542 = "stablehlo.multiply"(%540, %540) : (tensor<1x24xf32>, tensor<1x24xf32>) -> tensor<1x24xf32>
    %543 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %544 = "stablehlo.reduce"(%542, %543) ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %556 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%556) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x24xf32>, tensor<f32>) -> tensor<1xf32>
    %545 = "stablehlo.constant"() {value = dense<2.400000e+01> : tensor<1xf32>} : () -> tensor<1xf32>
    %546 = "stablehlo.divide"(%544, %545) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %547 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<1xf32>} : () -> tensor<1xf32>
    %548 = "stablehlo.add"(%546, %547) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %549 = "stablehlo.rsqrt"(%548) : (tensor<1xf32>) -> tensor<1xf32>
    %550 = "stablehlo.broadcast_in_dim"(%549) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x24xf32>
    %551 = "stablehlo.multiply"(%540, %550) : (tensor<1x24xf32>, tensor<1x24xf32>) -> tensor<1x24xf32>
    %552 = "stablehlo.broadcast_in_dim"(%541) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<1x24xf32>
    %553 = "stablehlo.multiply"(%551, %552) : (tensor<1x24xf32>, tensor<1x24xf32>) -> tensor<1x24xf32>
    %554 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x24xf32>
    %555 = "stablehlo.dot_general"(%553, %554) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<1x24xf32>, tensor<128x24xf32>) -> tensor<1x128xf32>
    return %555, %84, %85, %304, %305, %409, %410 : tensor<1x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>
  }
}
