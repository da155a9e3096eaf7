module @qwen3 {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x40xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x40xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.weight"> : tensor<40x72xf32>, sym_name = "model.layers.0.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj+up_proj.weight"> : tensor<144x40xf32>, sym_name = "model.layers.0.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<144x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_norm.weight"> : tensor<14xf32>, sym_name = "model.layers.0.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<14xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_norm.weight"> : tensor<14xf32>, sym_name = "model.layers.0.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<14xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.weight"> : tensor<40x72xf32>, sym_name = "model.layers.1.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj+up_proj.weight"> : tensor<144x40xf32>, sym_name = "model.layers.1.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<144x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_norm.weight"> : tensor<14xf32>, sym_name = "model.layers.1.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<14xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_norm.weight"> : tensor<14xf32>, sym_name = "model.layers.1.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<14xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<40xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  func.func @prefill(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>, %arg2: tensor<8x2xi32>, %arg3: tensor<1x2xi32>, %arg4: tensor<1xi32>, %arg5: tensor<?x8x2x14xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x14xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x14xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x14xf32> {iree.abi.output = 4 : index}) -> (tensor<1x128xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.138949543, 0.0193069782, 0.00268269586, 3.72759358E-4, 5.17947483E-5, 7.19685658E-6]> : tensor<7xf32>} : () -> tensor<7xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<7xf32>) -> tensor<8x7xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<8xi32>) -> tensor<8xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x7xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<8x7xf32>, tensor<8x7xf32>) -> tensor<8x7xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<8x7xf32>) -> tensor<8x7xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<8x7xf32>) -> tensor<1x8x7xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<8x7xf32>) -> tensor<8x7xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<8x7xf32>) -> tensor<1x8x7xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x8x7xf32>, tensor<1x8x7xf32>) -> tensor<2x8x7xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x40xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<128x40xf32>, tensor<8xi32>) -> tensor<8x40xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<40xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() {value = dense<4.000000e+01> : tensor<8xf32>} : () -> tensor<8xf32>
    %17 = "stablehlo.divide"(%15, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8xf32>} : () -> tensor<8xf32>
    %19 = "stablehlo.add"(%17, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %20 = "stablehlo.rsqrt"(%19) : (tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %22 = "stablehlo.multiply"(%11, %21) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %23 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %24 = "stablehlo.multiply"(%22, %23) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<112x40xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<112x40xf32>) -> tensor<8x112xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<8x56xf32>) -> tensor<8x4x14xf32>
    %29 = "util.global.load"() {global = @model.layers.0.self_attn.q_norm.weight} : () -> tensor<14xf32>
    %30 = "stablehlo.multiply"(%28, %28) : (tensor<8x4x14xf32>, tensor<8x4x14xf32>) -> tensor<8x4x14xf32>
    %31 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%30, %31) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x14xf32>, tensor<f32>) -> tensor<8x4xf32>
    %33 = "stablehlo.constant"() {value = dense<1.400000e+01> : tensor<8x4xf32>} : () -> tensor<8x4xf32>
    %34 = "stablehlo.divide"(%32, %33) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %35 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8x4xf32>} : () -> tensor<8x4xf32>
    %36 = "stablehlo.add"(%34, %35) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %37 = "stablehlo.rsqrt"(%36) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x14xf32>
    %39 = "stablehlo.multiply"(%28, %38) : (tensor<8x4x14xf32>, tensor<8x4x14xf32>) -> tensor<8x4x14xf32>
    %40 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64: 2>} : (tensor<14xf32>) -> tensor<8x4x14xf32>
    %41 = "stablehlo.multiply"(%39, %40) : (tensor<8x4x14xf32>, tensor<8x4x14xf32>) -> tensor<8x4x14xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<8x4x14xf32>) -> tensor<8x4x2x7xf32>
    %43 = "stablehlo.slice"(%42) {limit_indices = array<i64: 8, 4, 1, 7>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x7xf32>) -> tensor<8x4x1x7xf32>
    %44 = "stablehlo.slice"(%42) {limit_indices = array<i64: 8, 4, 2, 7>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x7xf32>) -> tensor<8x4x1x7xf32>
    %45 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 8, 7>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x7xf32>) -> tensor<1x8x7xf32>
    %46 = "stablehlo.reshape"(%45) : (tensor<1x8x7xf32>) -> tensor<8x7xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x7xf32>) -> tensor<8x4x1x7xf32>
    %48 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 8, 7>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x7xf32>) -> tensor<1x8x7xf32>
    %49 = "stablehlo.reshape"(%48) : (tensor<1x8x7xf32>) -> tensor<8x7xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x7xf32>) -> tensor<8x4x1x7xf32>
    %51 = "stablehlo.multiply"(%43, %47) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %52 = "stablehlo.multiply"(%44, %50) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %53 = "stablehlo.subtract"(%51, %52) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %54 = "stablehlo.multiply"(%44, %47) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %55 = "stablehlo.multiply"(%43, %50) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %56 = "stablehlo.add"(%54, %55) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %57 = "stablehlo.concatenate"(%53, %56) {dimension = 2 : i64} : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x2x7xf32>
    %58 = "stablehlo.reshape"(%57) : (tensor<8x4x2x7xf32>) -> tensor<8x4x14xf32>
    %59 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 84>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x28xf32>
    %60 = "stablehlo.reshape"(%59) : (tensor<8x28xf32>) -> tensor<8x2x14xf32>
    %61 = "util.global.load"() {global = @model.layers.0.self_attn.k_norm.weight} : () -> tensor<14xf32>
    %62 = "stablehlo.multiply"(%60, %60) : (tensor<8x2x14xf32>, tensor<8x2x14xf32>) -> tensor<8x2x14xf32>
    %63 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %64 = "stablehlo.reduce"(%62, %63) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x14xf32>, tensor<f32>) -> tensor<8x2xf32>
    %65 = "stablehlo.constant"() {value = dense<1.400000e+01> : tensor<8x2xf32>} : () -> tensor<8x2xf32>
    %66 = "stablehlo.divide"(%64, %65) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %67 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8x2xf32>} : () -> tensor<8x2xf32>
    %68 = "stablehlo.add"(%66, %67) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %69 = "stablehlo.rsqrt"(%68) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %70 = "stablehlo.broadcast_in_dim"(%69) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x14xf32>
    %71 = "stablehlo.multiply"(%60, %70) : (tensor<8x2x14xf32>, tensor<8x2x14xf32>) -> tensor<8x2x14xf32>
    %72 = "stablehlo.broadcast_in_dim"(%61) {broadcast_dimensions = array<i64: 2>} : (tensor<14xf32>) -> tensor<8x2x14xf32>
    %73 = "stablehlo.multiply"(%71, %72) : (tensor<8x2x14xf32>, tensor<8x2x14xf32>) -> tensor<8x2x14xf32>
    %74 = "stablehlo.reshape"(%73) : (tensor<8x2x14xf32>) -> tensor<8x2x2x7xf32>
    %75 = "stablehlo.slice"(%74) {limit_indices = array<i64: 8, 2, 1, 7>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x7xf32>) -> tensor<8x2x1x7xf32>
    %76 = "stablehlo.slice"(%74) {limit_indices = array<i64: 8, 2, 2, 7>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x7xf32>) -> tensor<8x2x1x7xf32>
    %77 = "stablehlo.broadcast_in_dim"(%46) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x7xf32>) -> tensor<8x2x1x7xf32>
    %78 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x7xf32>) -> tensor<8x2x1x7xf32>
    %79 = "stablehlo.multiply"(%75, %77) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %80 = "stablehlo.multiply"(%76, %78) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %81 = "stablehlo.subtract"(%79, %80) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %82 = "stablehlo.multiply"(%76, %77) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %83 = "stablehlo.multiply"(%75, %78) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %84 = "stablehlo.add"(%82, %83) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %85 = "stablehlo.concatenate"(%81, %84) {dimension = 2 : i64} : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x2x7xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<8x2x2x7xf32>) -> tensor<8x2x14xf32>
    %87 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 84>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x28xf32>
    %88 = "stablehlo.reshape"(%87) : (tensor<8x28xf32>) -> tensor<8x2x14xf32>
    %89 = "stablehlo.scatter"(%arg5, %arg2, %86) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x14xf32>, tensor<8x2xi32>, tensor<8x2x14xf32>) -> tensor<?x8x2x14xf32>
    %90 = "stablehlo.scatter"(%arg6, %arg2, %88) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x14xf32>, tensor<8x2xi32>, tensor<8x2x14xf32>) -> tensor<?x8x2x14xf32>
    %91 = "stablehlo.gather"(%89, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 14>} : (tensor<?x8x2x14xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x14xf32>
    %92 = "stablehlo.reshape"(%91) : (tensor<1x2x8x2x14xf32>) -> tensor<1x16x2x14xf32>
    %93 = "stablehlo.gather"(%90, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 14>} : (tensor<?x8x2x14xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x14xf32>
    %94 = "stablehlo.reshape"(%93) : (tensor<1x2x8x2x14xf32>) -> tensor<1x16x2x14xf32>
    %95 = "stablehlo.constant"() {value = dense<0.267261237> : tensor<8x4x14xf32>} : () -> tensor<8x4x14xf32>
    %96 = "stablehlo.multiply"(%58, %95) : (tensor<8x4x14xf32>, tensor<8x4x14xf32>) -> tensor<8x4x14xf32>
    %97 = "stablehlo.reshape"(%96) : (tensor<8x4x14xf32>) -> tensor<1x8x2x2x14xf32>
    %98 = "stablehlo.dot_general"(%97, %92) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x14xf32>, tensor<1x16x2x14xf32>) -> tensor<1x2x8x2x16xf32>
    %99 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %100 = "stablehlo.broadcast_in_dim"(%99) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<1x8x16xi32>
    %101 = "stablehlo.reshape"(%arg1) : (tensor<8xi32>) -> tensor<1x8xi32>
    %102 = "stablehlo.broadcast_in_dim"(%101) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %103 = "stablehlo.compare"(%100, %102) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %104 = "stablehlo.broadcast_in_dim"(%103) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x2x8x2x16xi1>
    %105 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %106 = "stablehlo.select"(%104, %98, %105) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %107 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %108 = "stablehlo.reduce"(%106, %107) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %109 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x2x8x2xf32>} : () -> tensor<1x2x8x2xf32>
    %110 = "stablehlo.compare"(%108, %109) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xi1>
    %111 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x8x2xf32>} : () -> tensor<1x2x8x2xf32>
    %112 = "stablehlo.select"(%110, %111, %108) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %113 = "stablehlo.broadcast_in_dim"(%112) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %114 = "stablehlo.subtract"(%106, %113) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %115 = "stablehlo.exponential"(%114) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %116 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %117 = "stablehlo.reduce"(%115, %116) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %118 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<1x2x8x2xf32>} : () -> tensor<1x2x8x2xf32>
    %119 = "stablehlo.select"(%110, %118, %117) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %120 = "stablehlo.broadcast_in_dim"(%119) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %121 = "stablehlo.divide"(%115, %120) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %122 = "stablehlo.dot_general"(%121, %94) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x14xf32>) -> tensor<1x2x8x2x14xf32>
    %123 = "stablehlo.transpose"(%122) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x14xf32>) -> tensor<1x8x2x2x14xf32>
    %124 = "stablehlo.reshape"(%123) : (tensor<1x8x2x2x14xf32>) -> tensor<8x4x14xf32>
    %125 = "stablehlo.reshape"(%124) : (tensor<8x4x14xf32>) -> tensor<8x56xf32>
    %126 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<40x56xf32>
    %127 = "stablehlo.dot_general"(%125, %126) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<40x56xf32>) -> tensor<8x40xf32>
    %128 = "stablehlo.add"(%11, %127) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %129 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %130 = "stablehlo.multiply"(%128, %128) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %131 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %132 = "stablehlo.reduce"(%130, %131) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %133 = "stablehlo.divide"(%132, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %134 = "stablehlo.add"(%133, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %135 = "stablehlo.rsqrt"(%134) : (tensor<8xf32>) -> tensor<8xf32>
    %136 = "stablehlo.broadcast_in_dim"(%135) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %137 = "stablehlo.multiply"(%128, %136) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %138 = "stablehlo.broadcast_in_dim"(%129) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %139 = "stablehlo.multiply"(%137, %138) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %140 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %141 = "stablehlo.dot_general"(%139, %140) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<144x40xf32>) -> tensor<8x144xf32>
    %142 = "stablehlo.slice"(%141) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x144xf32>) -> tensor<8x72xf32>
    %143 = "stablehlo.slice"(%141) {limit_indices = array<i64: 8, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x144xf32>) -> tensor<8x72xf32>
    %144 = "stablehlo.logistic"(%142) : (tensor<8x72xf32>) -> tensor<8x72xf32>
    %145 = "stablehlo.multiply"(%142, %144) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %146 = "stablehlo.multiply"(%145, %143) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %147 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %148 = "stablehlo.dot_general"(%146, %147) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x72xf32>, tensor<40x72xf32>) -> tensor<8x40xf32>
    %149 = "stablehlo.add"(%128, %148) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %150 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %151 = "stablehlo.multiply"(%149, %149) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %152 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %153 = "stablehlo.reduce"(%151, %152) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %154 = "stablehlo.divide"(%153, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %155 = "stablehlo.add"(%154, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %156 = "stablehlo.rsqrt"(%155) : (tensor<8xf32>) -> tensor<8xf32>
    %157 = "stablehlo.broadcast_in_dim"(%156) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %158 = "stablehlo.multiply"(%149, %157) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %159 = "stablehlo.broadcast_in_dim"(%150) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %160 = "stablehlo.multiply"(%158, %159) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %161 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<112x40xf32>
    %162 = "stablehlo.dot_general"(%160, %161) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<112x40xf32>) -> tensor<8x112xf32>
    %163 = "stablehlo.slice"(%162) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %164 = "stablehlo.reshape"(%163) : (tensor<8x56xf32>) -> tensor<8x4x14xf32>
    %165 = "util.global.load"() {global = @model.layers.1.self_attn.q_norm.weight} : () -> tensor<14xf32>
    %166 = "stablehlo.multiply"(%164, %164) : (tensor<8x4x14xf32>, tensor<8x4x14xf32>) -> tensor<8x4x14xf32>
    %167 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %168 = "stablehlo.reduce"(%166, %167) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x4x14xf32>, tensor<f32>) -> tensor<8x4xf32>
    %169 = "stablehlo.divide"(%168, %33) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %170 = "stablehlo.add"(%169, %35) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %171 = "stablehlo.rsqrt"(%170) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %172 = "stablehlo.broadcast_in_dim"(%171) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4x14xf32>
    %173 = "stablehlo.multiply"(%164, %172) : (tensor<8x4x14xf32>, tensor<8x4x14xf32>) -> tensor<8x4x14xf32>
    %174 = "stablehlo.broadcast_in_dim"(%165) {broadcast_dimensions = array<i64: 2>} : (tensor<14xf32>) -> tensor<8x4x14xf32>
    %175 = "stablehlo.multiply"(%173, %174) : (tensor<8x4x14xf32>, tensor<8x4x14xf32>) -> tensor<8x4x14xf32>
    %176 = "stablehlo.reshape"(%175) : (tensor<8x4x14xf32>) -> tensor<8x4x2x7xf32>
    %177 = "stablehlo.slice"(%176) {limit_indices = array<i64: 8, 4, 1, 7>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x7xf32>) -> tensor<8x4x1x7xf32>
    %178 = "stablehlo.slice"(%176) {limit_indices = array<i64: 8, 4, 2, 7>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x7xf32>) -> tensor<8x4x1x7xf32>
    %179 = "stablehlo.multiply"(%177, %47) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %180 = "stablehlo.multiply"(%178, %50) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %181 = "stablehlo.subtract"(%179, %180) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %182 = "stablehlo.multiply"(%178, %47) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %183 = "stablehlo.multiply"(%177, %50) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %184 = "stablehlo.add"(%182, %183) : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x1x7xf32>
    %185 = "stablehlo.concatenate"(%181, %184) {dimension = 2 : i64} : (tensor<8x4x1x7xf32>, tensor<8x4x1x7xf32>) -> tensor<8x4x2x7xf32>
    %186 = "stablehlo.reshape"(%185) : (tensor<8x4x2x7xf32>) -> tensor<8x4x14xf32>
    %187 = "stablehlo.slice"(%162) {limit_indices = array<i64: 8, 84>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x28xf32>
    %188 = "stablehlo.reshape"(%187) : (tensor<8x28xf32>) -> tensor<8x2x14xf32>
    %189 = "util.global.load"() {global = @model.layers.1.self_attn.k_norm.weight} : () -> tensor<14xf32>
    %190 = "stablehlo.multiply"(%188, %188) : (tensor<8x2x14xf32>, tensor<8x2x14xf32>) -> tensor<8x2x14xf32>
    %191 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %192 = "stablehlo.reduce"(%190, %191) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<8x2x14xf32>, tensor<f32>) -> tensor<8x2xf32>
    %193 = "stablehlo.divide"(%192, %65) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %194 = "stablehlo.add"(%193, %67) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %195 = "stablehlo.rsqrt"(%194) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %196 = "stablehlo.broadcast_in_dim"(%195) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x2xf32>) -> tensor<8x2x14xf32>
    %197 = "stablehlo.multiply"(%188, %196) : (tensor<8x2x14xf32>, tensor<8x2x14xf32>) -> tensor<8x2x14xf32>
    %198 = "stablehlo.broadcast_in_dim"(%189) {broadcast_dimensions = array<i64: 2>} : (tensor<14xf32>) -> tensor<8x2x14xf32>
    %199 = "stablehlo.multiply"(%197, %198) : (tensor<8x2x14xf32>, tensor<8x2x14xf32>) -> tensor<8x2x14xf32>
    %200 = "stablehlo.reshape"(%199) : (tensor<8x2x14xf32>) -> tensor<8x2x2x7xf32>
    %201 = "stablehlo.slice"(%200) {limit_indices = array<i64: 8, 2, 1, 7>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x7xf32>) -> tensor<8x2x1x7xf32>
    %202 = "stablehlo.slice"(%200) {limit_indices = array<i64: 8, 2, 2, 7>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x7xf32>) -> tensor<8x2x1x7xf32>
    %203 = "stablehlo.multiply"(%201, %77) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %204 = "stablehlo.multiply"(%202, %78) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %205 = "stablehlo.subtract"(%203, %204) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %206 = "stablehlo.multiply"(%202, %77) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %207 = "stablehlo.multiply"(%201, %78) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %208 = "stablehlo.add"(%206, %207) : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x1x7xf32>
    %209 = "stablehlo.concatenate"(%205, %208) {dimension = 2 : i64} : (tensor<8x2x1x7xf32>, tensor<8x2x1x7xf32>) -> tensor<8x2x2x7xf32>
    %210 = "stablehlo.reshape"(%209) : (tensor<8x2x2x7xf32>) -> tensor<8x2x14xf32>
    %211 = "stablehlo.slice"(%162) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 84>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x28xf32>
    %212 = "stablehlo.reshape"(%211) : (tensor<8x28xf32>) -> tensor<8x2x14xf32>
    %213 = "stablehlo.scatter"(%arg7, %arg2, %210) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x14xf32>, tensor<8x2xi32>, tensor<8x2x14xf32>) -> tensor<?x8x2x14xf32>
    %214 = "stablehlo.scatter"(%arg8, %arg2, %212) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x14xf32>, tensor<8x2xi32>, tensor<8x2x14xf32>) -> tensor<?x8x2x14xf32>
    %215 = "stablehlo.gather"(%213, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 14>} : (tensor<?x8x2x14xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x14xf32>
    %216 = "stablehlo.reshape"(%215) : (tensor<1x2x8x2x14xf32>) -> tensor<1x16x2x14xf32>
    %217 = "stablehlo.gather"(%214, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 14>} : (tensor<?x8x2x14xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x14xf32>
    %218 = "stablehlo.reshape"(%217) : (tensor<1x2x8x2x14xf32>) -> tensor<1x16x2x14xf32>
    %219 = "stablehlo.multiply"(%186, %95) : (tensor<8x4x14xf32>, tensor<8x4x14xf32>) -> tensor<8x4x14xf32>
    %220 = "stablehlo.reshape"(%219) : (tensor<8x4x14xf32>) -> tensor<1x8x2x2x14xf32>
    %221 = "stablehlo.dot_general"(%220, %216) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x14xf32>, tensor<1x16x2x14xf32>) -> tensor<1x2x8x2x16xf32>
    %222 = "stablehlo.select"(%104, %221, %105) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %223 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %224 = "stablehlo.reduce"(%222, %223) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %225 = "stablehlo.compare"(%224, %109) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xi1>
    %226 = "stablehlo.select"(%225, %111, %224) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %227 = "stablehlo.broadcast_in_dim"(%226) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %228 = "stablehlo.subtract"(%222, %227) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %229 = "stablehlo.exponential"(%228) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %230 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %231 = "stablehlo.reduce"(%229, %230) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %232 = "stablehlo.select"(%225, %118, %231) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %233 = "stablehlo.broadcast_in_dim"(%232) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %234 = "stablehlo.divide"(%229, %233) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %235 = "stablehlo.dot_general"(%234, %218) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x14xf32>) -> tensor<1x2x8x2x14xf32>
    %236 = "stablehlo.transpose"(%235) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x14xf32>) -> tensor<1x8x2x2x14xf32>
    %237 = "stablehlo.reshape"(%236) : (tensor<1x8x2x2x14xf32>) -> tensor<8x4x14xf32>
    %238 = "stablehlo.reshape"(%237) : (tensor<8x4x14xf32>) -> tensor<8x56xf32>
    %239 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<40x56xf32>
    %240 = "stablehlo.dot_general"(%238, %239) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<40x56xf32>) -> tensor<8x40xf32>
    %241 = "stablehlo.add"(%149, %240) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %242 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %243 = "stablehlo.multiply"(%241, %241) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %244 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %245 = "stablehlo.reduce"(%243, %244) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %246 = "stablehlo.divide"(%245, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %247 = "stablehlo.add"(%246, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %248 = "stablehlo.rsqrt"(%247) : (tensor<8xf32>) -> tensor<8xf32>
    %249 = "stablehlo.broadcast_in_dim"(%248) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %250 = "stablehlo.multiply"(%241, %249) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %251 = "stablehlo.broadcast_in_dim"(%242) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %252 = "stablehlo.multiply"(%250, %251) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %253 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %254 = "stablehlo.dot_general"(%252, %253) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<144x40xf32>) -> tensor<8x144xf32>
    %255 = "stablehlo.slice"(%254) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x144xf32>) -> tensor<8x72xf32>
    %256 = "stablehlo.slice"(%254) {limit_indices = array<i64: 8, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x144xf32>) -> tensor<8x72xf32>
    %257 = "stablehlo.logistic"(%255) : (tensor<8x72xf32>) -> tensor<8x72xf32>
    %258 = "stablehlo.multiply"(%255, %257) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %259 = "stablehlo.multiply"(%258, %256) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %260 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %261 = "stablehlo.dot_general"(%259, %260) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x72xf32>, tensor<40x72xf32>) -> tensor<8x40xf32>
    %262 = "stablehlo.add"(%241, %261) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %263 = "stablehlo.gather"(%262, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<8x40xf32>, tensor<1xi32>) -> tensor<1x40xf32>
    %264 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %265 = "stablehlo.multiply"(%263, %263) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %266 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %267 = "stablehlo.reduce"(%265, %266) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %279 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%279) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x40xf32>, tensor<f32>) -> tensor<1xf32>
    %268 = "stablehlo.constant"() {value = dense<4.000000e+01> : tensor<1xf32>} : () -> tensor<1xf32>
    %269 = "stablehlo.divide"(%267, %268) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %270 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<1xf32>} : () -> tensor<1xf32>
    %271 = "stablehlo.add"(%269, %270) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %272 = "stablehlo.rsqrt"(%271) : (tensor<1xf32>) -> tensor<1xf32>
    %273 = "stablehlo.broadcast_in_dim"(%272) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x40xf32>
    %274 = "stablehlo.multiply"(%263, %273) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %275 = "stablehlo.broadcast_in_dim"(%264) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<1x40xf32>
    %276 = "stablehlo.multiply"(%274, %275) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %277 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x40xf32>
    %278 = "stablehlo.dot_general"(%276, %277) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<1x40xf32>, tensor<128x40xf32>) -> tensor<1x128xf32>
    return %278, %89, %90, %213, %214 : tensor<1x128xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>
  }
}
