module @qwen2 {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x40xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x40xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.0.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj+up_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.0.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.0.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<40x40xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x40xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.0.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.0.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.1.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj+up_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.1.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.1.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<40x40xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x40xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.1.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.1.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.2.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.down_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.2.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.gate_proj+up_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.2.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.2.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.2.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.o_proj.weight"> : tensor<40x40xf32>, sym_name = "model.layers.2.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x40xf32>, sym_name = "model.layers.2.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.2.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.2.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.3.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.down_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.3.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.gate_proj+up_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.3.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.3.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.3.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.o_proj.weight"> : tensor<40x40xf32>, sym_name = "model.layers.3.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x40xf32>, sym_name = "model.layers.3.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.3.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.3.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<40xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  func.func @decode(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xi32>, %arg3: tensor<2x2xi32>, %arg4: tensor<2xi32>, %arg5: tensor<?x8x2x10xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x10xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x10xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x10xf32> {iree.abi.output = 4 : index}, %arg9: tensor<?x8x2x10xf32> {iree.abi.output = 5 : index}, %arg10: tensor<?x8x2x10xf32> {iree.abi.output = 6 : index}, %arg11: tensor<?x8x2x10xf32> {iree.abi.output = 7 : index}, %arg12: tensor<?x8x2x10xf32> {iree.abi.output = 8 : index}) -> (tensor<2x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.158489317, 0.0251188651, 0.00398107152, 6.30957366E-4]> : tensor<5xf32>} : () -> tensor<5xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<5xf32>) -> tensor<2x5xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<2xi32>) -> tensor<2xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x2x5xf32>, tensor<1x2x5xf32>) -> tensor<2x2x5xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x40xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<128x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<40xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %16 = "stablehlo.constant"() {value = dense<4.000000e+01> : tensor<2xf32>} : () -> tensor<2xf32>
    %17 = "stablehlo.divide"(%15, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %18 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<2xf32>} : () -> tensor<2xf32>
    %19 = "stablehlo.add"(%17, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %20 = "stablehlo.rsqrt"(%19) : (tensor<2xf32>) -> tensor<2xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %22 = "stablehlo.multiply"(%11, %21) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %23 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %24 = "stablehlo.multiply"(%22, %23) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x40xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<80x40xf32>) -> tensor<2x80xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x40xf32>
    %28 = "util.global.load"() {global = @model.layers.0.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %30 = "stablehlo.add"(%27, %29) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %31 = "stablehlo.reshape"(%30) : (tensor<2x40xf32>) -> tensor<2x4x10xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<2x4x10xf32>) -> tensor<2x4x2x5xf32>
    %33 = "stablehlo.reverse"(%32) {dimensions = array<i64: 2>} : (tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %34 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 5>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %35 = "stablehlo.reshape"(%34) : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x5xf32>) -> tensor<2x2x5xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x4x2x5xf32>
    %38 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 5>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %39 = "stablehlo.reshape"(%38) : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x5xf32>) -> tensor<2x2x5xf32>
    %41 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2x5xf32>
    %43 = "stablehlo.multiply"(%40, %42) : (tensor<2x2x5xf32>, tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x4x2x5xf32>
    %45 = "stablehlo.multiply"(%32, %37) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %46 = "stablehlo.multiply"(%33, %44) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %47 = "stablehlo.add"(%45, %46) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %48 = "stablehlo.reshape"(%47) : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
    %49 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %50 = "util.global.load"() {global = @model.layers.0.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %52 = "stablehlo.add"(%49, %51) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %53 = "stablehlo.reshape"(%52) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<2x2x10xf32>) -> tensor<2x2x2x5xf32>
    %55 = "stablehlo.reverse"(%54) {dimensions = array<i64: 2>} : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %56 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %57 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %58 = "stablehlo.multiply"(%54, %56) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %59 = "stablehlo.multiply"(%55, %57) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %60 = "stablehlo.add"(%58, %59) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %61 = "stablehlo.reshape"(%60) : (tensor<2x2x2x5xf32>) -> tensor<2x2x10xf32>
    %62 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %63 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %65 = "stablehlo.add"(%62, %64) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %66 = "stablehlo.reshape"(%65) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %67 = "stablehlo.scatter"(%arg5, %arg2, %61) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %68 = "stablehlo.scatter"(%arg6, %arg2, %66) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %69 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %70 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %71 = "stablehlo.reduce"(%69, %70) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %72 = "stablehlo.broadcast_in_dim"(%71) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %73 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %74 = "stablehlo.broadcast_in_dim"(%73) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %75 = "stablehlo.compare"(%74, %72) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %76 = "stablehlo.optimization_barrier"(%75) : (tensor<2x2xi1>) -> tensor<2x2xi1>
    %collapsed = tensor.collapse_shape %67 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %77 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %78 = "stablehlo.broadcast_in_dim"(%76) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xi1>) -> tensor<2x2x160xi1>
    %79 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x160xf32>} : () -> tensor<2x2x160xf32>
    %80 = "stablehlo.select"(%78, %77, %79) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %81 = "stablehlo.optimization_barrier"(%80) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %82 = "stablehlo.reshape"(%81) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %collapsed_0 = tensor.collapse_shape %68 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %83 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %84 = "stablehlo.select"(%78, %83, %79) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %85 = "stablehlo.optimization_barrier"(%84) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %87 = "stablehlo.constant"() {value = dense<0.316227764> : tensor<2x4x10xf32>} : () -> tensor<2x4x10xf32>
    %88 = "stablehlo.multiply"(%48, %87) : (tensor<2x4x10xf32>, tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %89 = "stablehlo.reshape"(%88) : (tensor<2x4x10xf32>) -> tensor<2x1x2x2x10xf32>
    %90 = "stablehlo.dot_general"(%89, %82) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x10xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x16xf32>
    %91 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %92 = "stablehlo.broadcast_in_dim"(%91) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<2x1x16xi32>
    %93 = "stablehlo.reshape"(%arg1) : (tensor<2xi32>) -> tensor<2x1xi32>
    %94 = "stablehlo.broadcast_in_dim"(%93) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %95 = "stablehlo.compare"(%92, %94) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %96 = "stablehlo.broadcast_in_dim"(%95) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %97 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %98 = "stablehlo.select"(%96, %90, %97) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %99 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %100 = "stablehlo.reduce"(%98, %99) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %101 = "stablehlo.broadcast_in_dim"(%100) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %102 = "stablehlo.subtract"(%98, %101) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %103 = "stablehlo.exponential"(%102) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %104 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %105 = "stablehlo.reduce"(%103, %104) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %106 = "stablehlo.broadcast_in_dim"(%105) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %107 = "stablehlo.divide"(%103, %106) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %108 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %109 = "stablehlo.select"(%96, %107, %108) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %110 = "stablehlo.dot_general"(%109, %86) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x10xf32>
    %111 = "stablehlo.transpose"(%110) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x10xf32>) -> tensor<2x1x2x2x10xf32>
    %112 = "stablehlo.reshape"(%111) : (tensor<2x1x2x2x10xf32>) -> tensor<2x4x10xf32>
    %113 = "stablehlo.reshape"(%112) : (tensor<2x4x10xf32>) -> tensor<2x40xf32>
    %114 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<40x40xf32>
    %115 = "stablehlo.dot_general"(%113, %114) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<40x40xf32>) -> tensor<2x40xf32>
    %116 = "stablehlo.add"(%11, %115) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %117 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %118 = "stablehlo.multiply"(%116, %116) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %119 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %120 = "stablehlo.reduce"(%118, %119) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %121 = "stablehlo.divide"(%120, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %122 = "stablehlo.add"(%121, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %123 = "stablehlo.rsqrt"(%122) : (tensor<2xf32>) -> tensor<2xf32>
    %124 = "stablehlo.broadcast_in_dim"(%123) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %125 = "stablehlo.multiply"(%116, %124) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %126 = "stablehlo.broadcast_in_dim"(%117) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %127 = "stablehlo.multiply"(%125, %126) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %128 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x40xf32>
    %129 = "stablehlo.dot_general"(%127, %128) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<112x40xf32>) -> tensor<2x112xf32>
    %130 = "stablehlo.slice"(%129) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %131 = "stablehlo.slice"(%129) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %132 = "stablehlo.logistic"(%130) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %133 = "stablehlo.multiply"(%130, %132) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %134 = "stablehlo.multiply"(%133, %131) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %135 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<40x56xf32>
    %136 = "stablehlo.dot_general"(%134, %135) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<40x56xf32>) -> tensor<2x40xf32>
    %137 = "stablehlo.add"(%116, %136) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %138 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %139 = "stablehlo.multiply"(%137, %137) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %140 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %141 = "stablehlo.reduce"(%139, %140) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %142 = "stablehlo.divide"(%141, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %143 = "stablehlo.add"(%142, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %144 = "stablehlo.rsqrt"(%143) : (tensor<2xf32>) -> tensor<2xf32>
    %145 = "stablehlo.broadcast_in_dim"(%144) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %146 = "stablehlo.multiply"(%137, %145) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %147 = "stablehlo.broadcast_in_dim"(%138) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %148 = "stablehlo.multiply"(%146, %147) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %149 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x40xf32>
    %150 = "stablehlo.dot_general"(%148, %149) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<80x40xf32>) -> tensor<2x80xf32>
    %151 = "stablehlo.slice"(%150) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x40xf32>
    %152 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %153 = "stablehlo.broadcast_in_dim"(%152) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %154 = "stablehlo.add"(%151, %153) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %155 = "stablehlo.reshape"(%154) : (tensor<2x40xf32>) -> tensor<2x4x10xf32>
    %156 = "stablehlo.reshape"(%155) : (tensor<2x4x10xf32>) -> tensor<2x4x2x5xf32>
    %157 = "stablehlo.reverse"(%156) {dimensions = array<i64: 2>} : (tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %158 = "stablehlo.multiply"(%156, %37) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %159 = "stablehlo.multiply"(%157, %44) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %160 = "stablehlo.add"(%158, %159) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %161 = "stablehlo.reshape"(%160) : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
    %162 = "stablehlo.slice"(%150) {limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %163 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %164 = "stablehlo.broadcast_in_dim"(%163) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %165 = "stablehlo.add"(%162, %164) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %166 = "stablehlo.reshape"(%165) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %167 = "stablehlo.reshape"(%166) : (tensor<2x2x10xf32>) -> tensor<2x2x2x5xf32>
    %168 = "stablehlo.reverse"(%167) {dimensions = array<i64: 2>} : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %169 = "stablehlo.multiply"(%167, %56) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %170 = "stablehlo.multiply"(%168, %57) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %171 = "stablehlo.add"(%169, %170) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %172 = "stablehlo.reshape"(%171) : (tensor<2x2x2x5xf32>) -> tensor<2x2x10xf32>
    %173 = "stablehlo.slice"(%150) {limit_indices = array<i64: 2, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %174 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %175 = "stablehlo.broadcast_in_dim"(%174) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %176 = "stablehlo.add"(%173, %175) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %177 = "stablehlo.reshape"(%176) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %178 = "stablehlo.scatter"(%arg7, %arg2, %172) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %179 = "stablehlo.scatter"(%arg8, %arg2, %177) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %collapsed_1 = tensor.collapse_shape %178 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %180 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %181 = "stablehlo.select"(%78, %180, %79) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %182 = "stablehlo.optimization_barrier"(%181) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %183 = "stablehlo.reshape"(%182) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %collapsed_2 = tensor.collapse_shape %179 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %184 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %185 = "stablehlo.select"(%78, %184, %79) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %186 = "stablehlo.optimization_barrier"(%185) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %187 = "stablehlo.reshape"(%186) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %188 = "stablehlo.multiply"(%161, %87) : (tensor<2x4x10xf32>, tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %189 = "stablehlo.reshape"(%188) : (tensor<2x4x10xf32>) -> tensor<2x1x2x2x10xf32>
    %190 = "stablehlo.dot_general"(%189, %183) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x10xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x16xf32>
    %191 = "stablehlo.select"(%96, %190, %97) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %192 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %193 = "stablehlo.reduce"(%191, %192) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %194 = "stablehlo.broadcast_in_dim"(%193) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %195 = "stablehlo.subtract"(%191, %194) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %196 = "stablehlo.exponential"(%195) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %197 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %198 = "stablehlo.reduce"(%196, %197) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %199 = "stablehlo.broadcast_in_dim"(%198) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %200 = "stablehlo.divide"(%196, %199) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %201 = "stablehlo.select"(%96, %200, %108) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %202 = "stablehlo.dot_general"(%201, %187) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x10xf32>
    %203 = "stablehlo.transpose"(%202) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x10xf32>) -> tensor<2x1x2x2x10xf32>
    %204 = "stablehlo.reshape"(%203) : (tensor<2x1x2x2x10xf32>) -> tensor<2x4x10xf32>
    %205 = "stablehlo.reshape"(%204) : (tensor<2x4x10xf32>) -> tensor<2x40xf32>
    %206 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<40x40xf32>
    %207 = "stablehlo.dot_general"(%205, %206) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<40x40xf32>) -> tensor<2x40xf32>
    %208 = "stablehlo.add"(%137, %207) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %209 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %210 = "stablehlo.multiply"(%208, %208) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %211 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %212 = "stablehlo.reduce"(%210, %211) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %213 = "stablehlo.divide"(%212, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %214 = "stablehlo.add"(%213, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %215 = "stablehlo.rsqrt"(%214) : (tensor<2xf32>) -> tensor<2xf32>
    %216 = "stablehlo.broadcast_in_dim"(%215) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %217 = "stablehlo.multiply"(%208, %216) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %218 = "stablehlo.broadcast_in_dim"(%209) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %219 = "stablehlo.multiply"(%217, %218) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %220 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x40xf32>
    %221 = "stablehlo.dot_general"(%219, %220) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<112x40xf32>) -> tensor<2x112xf32>
    %222 = "stablehlo.slice"(%221) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %223 = "stablehlo.slice"(%221) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %224 = "stablehlo.logistic"(%222) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %225 = "stablehlo.multiply"(%222, %224) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %226 = "stablehlo.multiply"(%225, %223) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %227 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<40x56xf32>
    %228 = "stablehlo.dot_general"(%226, %227) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<40x56xf32>) -> tensor<2x40xf32>
    %229 = "stablehlo.add"(%208, %228) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %230 = "util.global.load"() {global = @model.layers.2.input_layernorm.weight} : () -> tensor<40xf32>
    %231 = "stablehlo.multiply"(%229, %229) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %232 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %233 = "stablehlo.reduce"(%231, %232) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %234 = "stablehlo.divide"(%233, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %235 = "stablehlo.add"(%234, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %236 = "stablehlo.rsqrt"(%235) : (tensor<2xf32>) -> tensor<2xf32>
    %237 = "stablehlo.broadcast_in_dim"(%236) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %238 = "stablehlo.multiply"(%229, %237) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %239 = "stablehlo.broadcast_in_dim"(%230) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %240 = "stablehlo.multiply"(%238, %239) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %241 = "util.global.load"() {global = @"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x40xf32>
    %242 = "stablehlo.dot_general"(%240, %241) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<80x40xf32>) -> tensor<2x80xf32>
    %243 = "stablehlo.slice"(%242) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x40xf32>
    %244 = "util.global.load"() {global = @model.layers.2.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %245 = "stablehlo.broadcast_in_dim"(%244) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %246 = "stablehlo.add"(%243, %245) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %247 = "stablehlo.reshape"(%246) : (tensor<2x40xf32>) -> tensor<2x4x10xf32>
    %248 = "stablehlo.reshape"(%247) : (tensor<2x4x10xf32>) -> tensor<2x4x2x5xf32>
    %249 = "stablehlo.reverse"(%248) {dimensions = array<i64: 2>} : (tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %250 = "stablehlo.multiply"(%248, %37) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %251 = "stablehlo.multiply"(%249, %44) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %252 = "stablehlo.add"(%250, %251) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %253 = "stablehlo.reshape"(%252) : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
    %254 = "stablehlo.slice"(%242) {limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %255 = "util.global.load"() {global = @model.layers.2.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %256 = "stablehlo.broadcast_in_dim"(%255) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %257 = "stablehlo.add"(%254, %256) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %258 = "stablehlo.reshape"(%257) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %259 = "stablehlo.reshape"(%258) : (tensor<2x2x10xf32>) -> tensor<2x2x2x5xf32>
    %260 = "stablehlo.reverse"(%259) {dimensions = array<i64: 2>} : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %261 = "stablehlo.multiply"(%259, %56) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %262 = "stablehlo.multiply"(%260, %57) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %263 = "stablehlo.add"(%261, %262) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %264 = "stablehlo.reshape"(%263) : (tensor<2x2x2x5xf32>) -> tensor<2x2x10xf32>
    %265 = "stablehlo.slice"(%242) {limit_indices = array<i64: 2, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %266 = "util.global.load"() {global = @model.layers.2.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %267 = "stablehlo.broadcast_in_dim"(%266) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %268 = "stablehlo.add"(%265, %267) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %269 = "stablehlo.reshape"(%268) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %270 = "stablehlo.scatter"(%arg9, %arg2, %264) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %271 = "stablehlo.scatter"(%arg10, %arg2, %269) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %collapsed_3 = tensor.collapse_shape %270 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %272 = "stablehlo.gather"(%collapsed_3, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %273 = "stablehlo.select"(%78, %272, %79) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %274 = "stablehlo.optimization_barrier"(%273) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %275 = "stablehlo.reshape"(%274) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %collapsed_4 = tensor.collapse_shape %271 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %276 = "stablehlo.gather"(%collapsed_4, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %277 = "stablehlo.select"(%78, %276, %79) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %278 = "stablehlo.optimization_barrier"(%277) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %279 = "stablehlo.reshape"(%278) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %280 = "stablehlo.multiply"(%253, %87) : (tensor<2x4x10xf32>, tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %281 = "stablehlo.reshape"(%280) : (tensor<2x4x10xf32>) -> tensor<2x1x2x2x10xf32>
    %282 = "stablehlo.dot_general"(%281, %275) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x10xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x16xf32>
    %283 = "stablehlo.constant"() {value = dense<7> : tensor<2x1xi32>} : () -> tensor<2x1xi32>
    %284 = "stablehlo.subtract"(%93, %283) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %285 = "stablehlo.broadcast_in_dim"(%284) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %286 = "stablehlo.compare"(%92, %285) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %287 = "stablehlo.and"(%95, %286) : (tensor<2x1x16xi1>, tensor<2x1x16xi1>) -> tensor<2x1x16xi1>
    %288 = "stablehlo.broadcast_in_dim"(%287) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %289 = "stablehlo.select"(%288, %282, %97) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %290 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %291 = "stablehlo.reduce"(%289, %290) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %292 = "stablehlo.broadcast_in_dim"(%291) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %293 = "stablehlo.subtract"(%289, %292) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %294 = "stablehlo.exponential"(%293) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %295 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %296 = "stablehlo.reduce"(%294, %295) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %297 = "stablehlo.broadcast_in_dim"(%296) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %298 = "stablehlo.divide"(%294, %297) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %299 = "stablehlo.select"(%288, %298, %108) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %300 = "stablehlo.dot_general"(%299, %279) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x10xf32>
    %301 = "stablehlo.transpose"(%300) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x10xf32>) -> tensor<2x1x2x2x10xf32>
    %302 = "stablehlo.reshape"(%301) : (tensor<2x1x2x2x10xf32>) -> tensor<2x4x10xf32>
    %303 = "stablehlo.reshape"(%302) : (tensor<2x4x10xf32>) -> tensor<2x40xf32>
    %304 = "util.global.load"() {global = @model.layers.2.self_attn.o_proj.weight} : () -> tensor<40x40xf32>
    %305 = "stablehlo.dot_general"(%303, %304) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<40x40xf32>) -> tensor<2x40xf32>
    %306 = "stablehlo.add"(%229, %305) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %307 = "util.global.load"() {global = @model.layers.2.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %308 = "stablehlo.multiply"(%306, %306) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %309 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %310 = "stablehlo.reduce"(%308, %309) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %311 = "stablehlo.divide"(%310, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %312 = "stablehlo.add"(%311, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %313 = "stablehlo.rsqrt"(%312) : (tensor<2xf32>) -> tensor<2xf32>
    %314 = "stablehlo.broadcast_in_dim"(%313) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %315 = "stablehlo.multiply"(%306, %314) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %316 = "stablehlo.broadcast_in_dim"(%307) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %317 = "stablehlo.multiply"(%315, %316) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %318 = "util.global.load"() {global = @"model.layers.2.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x40xf32>
    %319 = "stablehlo.dot_general"(%317, %318) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<112x40xf32>) -> tensor<2x112xf32>
    %320 = "stablehlo.slice"(%319) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %321 = "stablehlo.slice"(%319) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %322 = "stablehlo.logistic"(%320) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %323 = "stablehlo.multiply"(%320, %322) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %324 = "stablehlo.multiply"(%323, %321) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %325 = "util.global.load"() {global = @model.layers.2.mlp.down_proj.weight} : () -> tensor<40x56xf32>
    %326 = "stablehlo.dot_general"(%324, %325) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<40x56xf32>) -> tensor<2x40xf32>
    %327 = "stablehlo.add"(%306, %326) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %328 = "util.global.load"() {global = @model.layers.3.input_layernorm.weight} : () -> tensor<40xf32>
    %329 = "stablehlo.multiply"(%327, %327) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %330 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %331 = "stablehlo.reduce"(%329, %330) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %332 = "stablehlo.divide"(%331, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %333 = "stablehlo.add"(%332, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %334 = "stablehlo.rsqrt"(%333) : (tensor<2xf32>) -> tensor<2xf32>
    %335 = "stablehlo.broadcast_in_dim"(%334) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %336 = "stablehlo.multiply"(%327, %335) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %337 = "stablehlo.broadcast_in_dim"(%328) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %338 = "stablehlo.multiply"(%336, %337) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %339 = "util.global.load"() {global = @"model.layers.3.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x40xf32>
    %340 = "stablehlo.dot_general"(%338, %339) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<80x40xf32>) -> tensor<2x80xf32>
    %341 = "stablehlo.slice"(%340) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x40xf32>
    %342 = "util.global.load"() {global = @model.layers.3.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %343 = "stablehlo.broadcast_in_dim"(%342) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %344 = "stablehlo.add"(%341, %343) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %345 = "stablehlo.reshape"(%344) : (tensor<2x40xf32>) -> tensor<2x4x10xf32>
    %346 = "stablehlo.reshape"(%345) : (tensor<2x4x10xf32>) -> tensor<2x4x2x5xf32>
    %347 = "stablehlo.reverse"(%346) {dimensions = array<i64: 2>} : (tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %348 = "stablehlo.multiply"(%346, %37) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %349 = "stablehlo.multiply"(%347, %44) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %350 = "stablehlo.add"(%348, %349) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %351 = "stablehlo.reshape"(%350) : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
    %352 = "stablehlo.slice"(%340) {limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %353 = "util.global.load"() {global = @model.layers.3.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %354 = "stablehlo.broadcast_in_dim"(%353) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %355 = "stablehlo.add"(%352, %354) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %356 = "stablehlo.reshape"(%355) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %357 = "stablehlo.reshape"(%356) : (tensor<2x2x10xf32>) -> tensor<2x2x2x5xf32>
    %358 = "stablehlo.reverse"(%357) {dimensions = array<i64: 2>} : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %359 = "stablehlo.multiply"(%357, %56) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %360 = "stablehlo.multiply"(%358, %57) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %361 = "stablehlo.add"(%359, %360) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %362 = "stablehlo.reshape"(%361) : (tensor<2x2x2x5xf32>) -> tensor<2x2x10xf32>
    %363 = "stablehlo.slice"(%340) {limit_indices = array<i64: 2, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %364 = "util.global.load"() {global = @model.layers.3.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %365 = "stablehlo.broadcast_in_dim"(%364) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<2x20xf32>
    %366 = "stablehlo.add"(%363, %365) : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xf32>
    %367 = "stablehlo.reshape"(%366) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %368 = "stablehlo.scatter"(%arg11, %arg2, %362) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %369 = "stablehlo.scatter"(%arg12, %arg2, %367) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %collapsed_5 = tensor.collapse_shape %368 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %370 = "stablehlo.gather"(%collapsed_5, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %371 = "stablehlo.select"(%78, %370, %79) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %372 = "stablehlo.optimization_barrier"(%371) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %373 = "stablehlo.reshape"(%372) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %collapsed_6 = tensor.collapse_shape %369 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %374 = "stablehlo.gather"(%collapsed_6, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %375 = "stablehlo.select"(%78, %374, %79) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %376 = "stablehlo.optimization_barrier"(%375) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %377 = "stablehlo.reshape"(%376) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %378 = "stablehlo.multiply"(%351, %87) : (tensor<2x4x10xf32>, tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %379 = "stablehlo.reshape"(%378) : (tensor<2x4x10xf32>) -> tensor<2x1x2x2x10xf32>
    %380 = "stablehlo.dot_general"(%379, %373) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x10xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x16xf32>
    %381 = "stablehlo.select"(%288, %380, %97) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %382 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %383 = "stablehlo.reduce"(%381, %382) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %384 = "stablehlo.broadcast_in_dim"(%383) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %385 = "stablehlo.subtract"(%381, %384) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %386 = "stablehlo.exponential"(%385) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %387 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %388 = "stablehlo.reduce"(%386, %387) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %389 = "stablehlo.broadcast_in_dim"(%388) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %390 = "stablehlo.divide"(%386, %389) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %391 = "stablehlo.select"(%288, %390, %108) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %392 = "stablehlo.dot_general"(%391, %377) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x10xf32>
    %393 = "stablehlo.transpose"(%392) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x10xf32>) -> tensor<2x1x2x2x10xf32>
    %394 = "stablehlo.reshape"(%393) : (tensor<2x1x2x2x10xf32>) -> tensor<2x4x10xf32>
    %395 = "stablehlo.reshape"(%394) : (tensor<2x4x10xf32>) -> tensor<2x40xf32>
    %396 = "util.global.load"() {global = @model.layers.3.self_attn.o_proj.weight} : () -> tensor<40x40xf32>
    %397 = "stablehlo.dot_general"(%395, %396) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<40x40xf32>) -> tensor<2x40xf32>
    %398 = "stablehlo.add"(%327, %397) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %399 = "util.global.load"() {global = @model.layers.3.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %400 = "stablehlo.multiply"(%398, %398) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %401 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %402 = "stablehlo.reduce"(%400, %401) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %403 = "stablehlo.divide"(%402, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %404 = "stablehlo.add"(%403, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %405 = "stablehlo.rsqrt"(%404) : (tensor<2xf32>) -> tensor<2xf32>
    %406 = "stablehlo.broadcast_in_dim"(%405) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %407 = "stablehlo.multiply"(%398, %406) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %408 = "stablehlo.broadcast_in_dim"(%399) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %409 = "stablehlo.multiply"(%407, %408) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %410 = "util.global.load"() {global = @"model.layers.3.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x40xf32>
    %411 = "stablehlo.dot_general"(%409, %410) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<112x40xf32>) -> tensor<2x112xf32>
    %412 = "stablehlo.slice"(%411) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %413 = "stablehlo.slice"(%411) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %414 = "stablehlo.logistic"(%412) : (tensor<2x56xf32>) -> tensor<2x56xf32>
    %415 = "stablehlo.multiply"(%412, %414) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %416 = "stablehlo.multiply"(%415, %413) : (tensor<2x56xf32>, tensor<2x56xf32>) -> tensor<2x56xf32>
    %417 = "util.global.load"() {global = @model.layers.3.mlp.down_proj.weight} : () -> tensor<40x56xf32>
    %418 = "stablehlo.dot_general"(%416, %417) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<40x56xf32>) -> tensor<2x40xf32>
    %419 = "stablehlo.add"(%398, %418) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %420 = "stablehlo.gather"(%419, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<2x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %421 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %422 = "stablehlo.multiply"(%420, %420) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %423 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %424 = "stablehlo.reduce"(%422, %423) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %434 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%434) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %425 = "stablehlo.divide"(%424, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %426 = "stablehlo.add"(%425, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %427 = "stablehlo.rsqrt"(%426) : (tensor<2xf32>) -> tensor<2xf32>
    %428 = "stablehlo.broadcast_in_dim"(%427) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %429 = "stablehlo.multiply"(%420, %428) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %430 = "stablehlo.broadcast_in_dim"(%421) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %431 = "stablehlo.multiply"(%429, %430) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %432 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x40xf32>
    %433 = "stablehlo.dot_general"(%431, %432) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<128x40xf32>) -> tensor<2x128xf32>
    return %433, %67, %68, %178, %179, %270, %271, %368, %369 : tensor<2x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>
  }
}
