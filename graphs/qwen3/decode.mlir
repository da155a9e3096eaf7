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
  func.func @decode(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xi32>, %arg3: tensor<2x2xi32>, %arg4: tensor<2xi32>, %arg5: tensor<?x8x2x14xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x14xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x14xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x14xf32> {iree.abi.output = 4 : index}) -> (tensor<2x128xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.138949543, 0.0193069782, 0.00268269586, 3.72759358E-4, 5.17947483E-5, 7.19685658E-6]> : tensor<7xf32>} : () -> tensor<7xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<7xf32>) -> tensor<2x7xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<2xi32>) -> tensor<2xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x7xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<2x7xf32>, tensor<2x7xf32>) -> tensor<2x7xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<2x7xf32>) -> tensor<2x7xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<2x7xf32>) -> tensor<1x2x7xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<2x7xf32>) -> tensor<2x7xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x7xf32>) -> tensor<1x2x7xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x2x7xf32>, tensor<1x2x7xf32>) -> tensor<2x2x7xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x40xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<128x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<40xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
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
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<112x40xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<112x40xf32>) -> tensor<2x112xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<2x56xf32>) -> tensor<2x4x14xf32>
    %29 = "util.global.load"() {global = @model.layers.0.self_attn.q_norm.weight} : () -> tensor<14xf32>
    %30 = "stablehlo.multiply"(%28, %28) : (tensor<2x4x14xf32>, tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
    %31 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%30, %31) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x4x14xf32>, tensor<f32>) -> tensor<2x4xf32>
    %33 = "stablehlo.constant"() {value = dense<1.400000e+01> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
    %34 = "stablehlo.divide"(%32, %33) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %35 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
    %36 = "stablehlo.add"(%34, %35) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %37 = "stablehlo.rsqrt"(%36) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x14xf32>
    %39 = "stablehlo.multiply"(%28, %38) : (tensor<2x4x14xf32>, tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
    %40 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64: 2>} : (tensor<14xf32>) -> tensor<2x4x14xf32>
    %41 = "stablehlo.multiply"(%39, %40) : (tensor<2x4x14xf32>, tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<2x4x14xf32>) -> tensor<2x4x2x7xf32>
    %43 = "stablehlo.reverse"(%42) {dimensions = array<i64: 2>} : (tensor<2x4x2x7xf32>) -> tensor<2x4x2x7xf32>
    %44 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 7>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x7xf32>) -> tensor<1x2x7xf32>
    %45 = "stablehlo.reshape"(%44) : (tensor<1x2x7xf32>) -> tensor<2x7xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x7xf32>) -> tensor<2x2x7xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x7xf32>) -> tensor<2x4x2x7xf32>
    %48 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 7>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x7xf32>) -> tensor<1x2x7xf32>
    %49 = "stablehlo.reshape"(%48) : (tensor<1x2x7xf32>) -> tensor<2x7xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x7xf32>) -> tensor<2x2x7xf32>
    %51 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %52 = "stablehlo.broadcast_in_dim"(%51) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2x7xf32>
    %53 = "stablehlo.multiply"(%50, %52) : (tensor<2x2x7xf32>, tensor<2x2x7xf32>) -> tensor<2x2x7xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x7xf32>) -> tensor<2x4x2x7xf32>
    %55 = "stablehlo.multiply"(%42, %47) : (tensor<2x4x2x7xf32>, tensor<2x4x2x7xf32>) -> tensor<2x4x2x7xf32>
    %56 = "stablehlo.multiply"(%43, %54) : (tensor<2x4x2x7xf32>, tensor<2x4x2x7xf32>) -> tensor<2x4x2x7xf32>
    %57 = "stablehlo.add"(%55, %56) : (tensor<2x4x2x7xf32>, tensor<2x4x2x7xf32>) -> tensor<2x4x2x7xf32>
    %58 = "stablehlo.reshape"(%57) : (tensor<2x4x2x7xf32>) -> tensor<2x4x14xf32>
    %59 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 84>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x28xf32>
    %60 = "stablehlo.reshape"(%59) : (tensor<2x28xf32>) -> tensor<2x2x14xf32>
    %61 = "util.global.load"() {global = @model.layers.0.self_attn.k_norm.weight} : () -> tensor<14xf32>
    %62 = "stablehlo.multiply"(%60, %60) : (tensor<2x2x14xf32>, tensor<2x2x14xf32>) -> tensor<2x2x14xf32>
    %63 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %64 = "stablehlo.reduce"(%62, %63) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x2x14xf32>, tensor<f32>) -> tensor<2x2xf32>
    %65 = "stablehlo.constant"() {value = dense<1.400000e+01> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %66 = "stablehlo.divide"(%64, %65) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %67 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %68 = "stablehlo.add"(%66, %67) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %69 = "stablehlo.rsqrt"(%68) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %70 = "stablehlo.broadcast_in_dim"(%69) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x14xf32>
    %71 = "stablehlo.multiply"(%60, %70) : (tensor<2x2x14xf32>, tensor<2x2x14xf32>) -> tensor<2x2x14xf32>
    %72 = "stablehlo.broadcast_in_dim"(%61) {broadcast_dimensions = array<i64: 2>} : (tensor<14xf32>) -> tensor<2x2x14xf32>
    %73 = "stablehlo.multiply"(%71, %72) : (tensor<2x2x14xf32>, tensor<2x2x14xf32>) -> tensor<2x2x14xf32>
    %74 = "stablehlo.reshape"(%73) : (tensor<2x2x14xf32>) -> tensor<2x2x2x7xf32>
    %75 = "stablehlo.reverse"(%74) {dimensions = array<i64: 2>} : (tensor<2x2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %76 = "stablehlo.broadcast_in_dim"(%46) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %77 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %78 = "stablehlo.multiply"(%74, %76) : (tensor<2x2x2x7xf32>, tensor<2x2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %79 = "stablehlo.multiply"(%75, %77) : (tensor<2x2x2x7xf32>, tensor<2x2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %80 = "stablehlo.add"(%78, %79) : (tensor<2x2x2x7xf32>, tensor<2x2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %81 = "stablehlo.reshape"(%80) : (tensor<2x2x2x7xf32>) -> tensor<2x2x14xf32>
    %82 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 84>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x28xf32>
    %83 = "stablehlo.reshape"(%82) : (tensor<2x28xf32>) -> tensor<2x2x14xf32>
    %84 = "stablehlo.scatter"(%arg5, %arg2, %81) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x14xf32>, tensor<2x2xi32>, tensor<2x2x14xf32>) -> tensor<?x8x2x14xf32>
    %85 = "stablehlo.scatter"(%arg6, %arg2, %83) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x14xf32>, tensor<2x2xi32>, tensor<2x2x14xf32>) -> tensor<?x8x2x14xf32>
    %86 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %87 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %88 = "stablehlo.reduce"(%86, %87) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %89 = "stablehlo.broadcast_in_dim"(%88) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %90 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %92 = "stablehlo.compare"(%91, %89) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %93 = "stablehlo.optimization_barrier"(%92) : (tensor<2x2xi1>) -> tensor<2x2xi1>
    %collapsed = tensor.collapse_shape %84 [[0], [1, 2, 3]] : tensor<?x8x2x14xf32> into tensor<?x224xf32>
    %94 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 224>} : (tensor<?x224xf32>, tensor<2x2xi32>) -> tensor<2x2x224xf32>
    %95 = "stablehlo.broadcast_in_dim"(%93) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xi1>) -> tensor<2x2x224xi1>
    %96 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x224xf32>} : () -> tensor<2x2x224xf32>
    %97 = "stablehlo.select"(%95, %94, %96) : (tensor<2x2x224xi1>, tensor<2x2x224xf32>, tensor<2x2x224xf32>) -> tensor<2x2x224xf32>
    %98 = "stablehlo.optimization_barrier"(%97) : (tensor<2x2x224xf32>) -> tensor<2x2x224xf32>
    %99 = "stablehlo.reshape"(%98) : (tensor<2x2x224xf32>) -> tensor<2x16x2x14xf32>
    %collapsed_0 = tensor.collapse_shape %85 [[0], [1, 2, 3]] : tensor<?x8x2x14xf32> into tensor<?x224xf32>
    %100 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 224>} : (tensor<?x224xf32>, tensor<2x2xi32>) -> tensor<2x2x224xf32>
    %101 = "stablehlo.select"(%95, %100, %96) : (tensor<2x2x224xi1>, tensor<2x2x224xf32>, tensor<2x2x224xf32>) -> tensor<2x2x224xf32>
    %102 = "stablehlo.optimization_barrier"(%101) : (tensor<2x2x224xf32>) -> tensor<2x2x224xf32>
    %103 = "stablehlo.reshape"(%102) : (tensor<2x2x224xf32>) -> tensor<2x16x2x14xf32>
    %104 = "stablehlo.constant"() {value = dense<0.267261237> : tensor<2x4x14xf32>} : () -> tensor<2x4x14xf32>
    %105 = "stablehlo.multiply"(%58, %104) : (tensor<2x4x14xf32>, tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
    %106 = "stablehlo.reshape"(%105) : (tensor<2x4x14xf32>) -> tensor<2x1x2x2x14xf32>
    %107 = "stablehlo.dot_general"(%106, %99) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x14xf32>, tensor<2x16x2x14xf32>) -> tensor<2x2x1x2x16xf32>
    %108 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %109 = "stablehlo.broadcast_in_dim"(%108) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<2x1x16xi32>
    %110 = "stablehlo.reshape"(%arg1) : (tensor<2xi32>) -> tensor<2x1xi32>
    %111 = "stablehlo.broadcast_in_dim"(%110) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %112 = "stablehlo.compare"(%109, %111) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %113 = "stablehlo.broadcast_in_dim"(%112) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %114 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %115 = "stablehlo.select"(%113, %107, %114) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %116 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %117 = "stablehlo.reduce"(%115, %116) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %118 = "stablehlo.broadcast_in_dim"(%117) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %119 = "stablehlo.subtract"(%115, %118) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %120 = "stablehlo.exponential"(%119) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %121 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %122 = "stablehlo.reduce"(%120, %121) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %123 = "stablehlo.broadcast_in_dim"(%122) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %124 = "stablehlo.divide"(%120, %123) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %125 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %126 = "stablehlo.select"(%113, %124, %125) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %127 = "stablehlo.dot_general"(%126, %103) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x14xf32>) -> tensor<2x2x1x2x14xf32>
    %128 = "stablehlo.transpose"(%127) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x14xf32>) -> tensor<2x1x2x2x14xf32>
    %129 = "stablehlo.reshape"(%128) : (tensor<2x1x2x2x14xf32>) -> tensor<2x4x14xf32>
    %130 = "stablehlo.reshape"(%129) : (tensor<2x4x14xf32>) -> tensor<2x56xf32>
    %131 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<40x56xf32>
    %132 = "stablehlo.dot_general"(%130, %131) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<40x56xf32>) -> tensor<2x40xf32>
    %133 = "stablehlo.add"(%11, %132) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %134 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %135 = "stablehlo.multiply"(%133, %133) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %136 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %137 = "stablehlo.reduce"(%135, %136) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %138 = "stablehlo.divide"(%137, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %139 = "stablehlo.add"(%138, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %140 = "stablehlo.rsqrt"(%139) : (tensor<2xf32>) -> tensor<2xf32>
    %141 = "stablehlo.broadcast_in_dim"(%140) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %142 = "stablehlo.multiply"(%133, %141) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %143 = "stablehlo.broadcast_in_dim"(%134) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %144 = "stablehlo.multiply"(%142, %143) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %145 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %146 = "stablehlo.dot_general"(%144, %145) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<144x40xf32>) -> tensor<2x144xf32>
    %147 = "stablehlo.slice"(%146) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %148 = "stablehlo.slice"(%146) {limit_indices = array<i64: 2, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %149 = "stablehlo.logistic"(%147) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %150 = "stablehlo.multiply"(%147, %149) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %151 = "stablehlo.multiply"(%150, %148) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %152 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %153 = "stablehlo.dot_general"(%151, %152) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x72xf32>, tensor<40x72xf32>) -> tensor<2x40xf32>
    %154 = "stablehlo.add"(%133, %153) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %155 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %156 = "stablehlo.multiply"(%154, %154) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %157 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %158 = "stablehlo.reduce"(%156, %157) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %159 = "stablehlo.divide"(%158, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %160 = "stablehlo.add"(%159, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %161 = "stablehlo.rsqrt"(%160) : (tensor<2xf32>) -> tensor<2xf32>
    %162 = "stablehlo.broadcast_in_dim"(%161) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %163 = "stablehlo.multiply"(%154, %162) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %164 = "stablehlo.broadcast_in_dim"(%155) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %165 = "stablehlo.multiply"(%163, %164) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %166 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<112x40xf32>
    %167 = "stablehlo.dot_general"(%165, %166) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<112x40xf32>) -> tensor<2x112xf32>
    %168 = "stablehlo.slice"(%167) {limit_indices = array<i64: 2, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x56xf32>
    %169 = "stablehlo.reshape"(%168) : (tensor<2x56xf32>) -> tensor<2x4x14xf32>
    %170 = "util.global.load"() {global = @model.layers.1.self_attn.q_norm.weight} : () -> tensor<14xf32>
    %171 = "stablehlo.multiply"(%169, %169) : (tensor<2x4x14xf32>, tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
    %172 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %173 = "stablehlo.reduce"(%171, %172) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x4x14xf32>, tensor<f32>) -> tensor<2x4xf32>
    %174 = "stablehlo.divide"(%173, %33) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %175 = "stablehlo.add"(%174, %35) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %176 = "stablehlo.rsqrt"(%175) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %177 = "stablehlo.broadcast_in_dim"(%176) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x14xf32>
    %178 = "stablehlo.multiply"(%169, %177) : (tensor<2x4x14xf32>, tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
    %179 = "stablehlo.broadcast_in_dim"(%170) {broadcast_dimensions = array<i64: 2>} : (tensor<14xf32>) -> tensor<2x4x14xf32>
    %180 = "stablehlo.multiply"(%178, %179) : (tensor<2x4x14xf32>, tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
    %181 = "stablehlo.reshape"(%180) : (tensor<2x4x14xf32>) -> tensor<2x4x2x7xf32>
    %182 = "stablehlo.reverse"(%181) {dimensions = array<i64: 2>} : (tensor<2x4x2x7xf32>) -> tensor<2x4x2x7xf32>
    %183 = "stablehlo.multiply"(%181, %47) : (tensor<2x4x2x7xf32>, tensor<2x4x2x7xf32>) -> tensor<2x4x2x7xf32>
    %184 = "stablehlo.multiply"(%182, %54) : (tensor<2x4x2x7xf32>, tensor<2x4x2x7xf32>) -> tensor<2x4x2x7xf32>
    %185 = "stablehlo.add"(%183, %184) : (tensor<2x4x2x7xf32>, tensor<2x4x2x7xf32>) -> tensor<2x4x2x7xf32>
    %186 = "stablehlo.reshape"(%185) : (tensor<2x4x2x7xf32>) -> tensor<2x4x14xf32>
    %187 = "stablehlo.slice"(%167) {limit_indices = array<i64: 2, 84>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x28xf32>
    %188 = "stablehlo.reshape"(%187) : (tensor<2x28xf32>) -> tensor<2x2x14xf32>
    %189 = "util.global.load"() {global = @model.layers.1.self_attn.k_norm.weight} : () -> tensor<14xf32>
    %190 = "stablehlo.multiply"(%188, %188) : (tensor<2x2x14xf32>, tensor<2x2x14xf32>) -> tensor<2x2x14xf32>
    %191 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %192 = "stablehlo.reduce"(%190, %191) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x2x14xf32>, tensor<f32>) -> tensor<2x2xf32>
    %193 = "stablehlo.divide"(%192, %65) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %194 = "stablehlo.add"(%193, %67) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %195 = "stablehlo.rsqrt"(%194) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %196 = "stablehlo.broadcast_in_dim"(%195) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x14xf32>
    %197 = "stablehlo.multiply"(%188, %196) : (tensor<2x2x14xf32>, tensor<2x2x14xf32>) -> tensor<2x2x14xf32>
    %198 = "stablehlo.broadcast_in_dim"(%189) {broadcast_dimensions = array<i64: 2>} : (tensor<14xf32>) -> tensor<2x2x14xf32>
    %199 = "stablehlo.multiply"(%197, %198) : (tensor<2x2x14xf32>, tensor<2x2x14xf32>) -> tensor<2x2x14xf32>
    %200 = "stablehlo.reshape"(%199) : (tensor<2x2x14xf32>) -> tensor<2x2x2x7xf32>
    %201 = "stablehlo.reverse"(%200) {dimensions = array<i64: 2>} : (tensor<2x2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %202 = "stablehlo.multiply"(%200, %76) : (tensor<2x2x2x7xf32>, tensor<2x2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %203 = "stablehlo.multiply"(%201, %77) : (tensor<2x2x2x7xf32>, tensor<2x2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %204 = "stablehlo.add"(%202, %203) : (tensor<2x2x2x7xf32>, tensor<2x2x2x7xf32>) -> tensor<2x2x2x7xf32>
    %205 = "stablehlo.reshape"(%204) : (tensor<2x2x2x7xf32>) -> tensor<2x2x14xf32>
    %206 = "stablehlo.slice"(%167) {limit_indices = array<i64: 2, 112>, start_indices = array<i64: 0, 84>, strides = array<i64: 1, 1>} : (tensor<2x112xf32>) -> tensor<2x28xf32>
    %207 = "stablehlo.reshape"(%206) : (tensor<2x28xf32>) -> tensor<2x2x14xf32>
    %208 = "stablehlo.scatter"(%arg7, %arg2, %205) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x14xf32>, tensor<2x2xi32>, tensor<2x2x14xf32>) -> tensor<?x8x2x14xf32>
    %209 = "stablehlo.scatter"(%arg8, %arg2, %207) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x14xf32>, tensor<2x2xi32>, tensor<2x2x14xf32>) -> tensor<?x8x2x14xf32>
    %collapsed_1 = tensor.collapse_shape %208 [[0], [1, 2, 3]] : tensor<?x8x2x14xf32> into tensor<?x224xf32>
    %210 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 224>} : (tensor<?x224xf32>, tensor<2x2xi32>) -> tensor<2x2x224xf32>
    %211 = "stablehlo.select"(%95, %210, %96) : (tensor<2x2x224xi1>, tensor<2x2x224xf32>, tensor<2x2x224xf32>) -> tensor<2x2x224xf32>
    %212 = "stablehlo.optimization_barrier"(%211) : (tensor<2x2x224xf32>) -> tensor<2x2x224xf32>
    %213 = "stablehlo.reshape"(%212) : (tensor<2x2x224xf32>) -> tensor<2x16x2x14xf32>
    %collapsed_2 = tensor.collapse_shape %209 [[0], [1, 2, 3]] : tensor<?x8x2x14xf32> into tensor<?x224xf32>
    %214 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 224>} : (tensor<?x224xf32>, tensor<2x2xi32>) -> tensor<2x2x224xf32>
    %215 = "stablehlo.select"(%95, %214, %96) : (tensor<2x2x224xi1>, tensor<2x2x224xf32>, tensor<2x2x224xf32>) -> tensor<2x2x224xf32>
    %216 = "stablehlo.optimization_barrier"(%215) : (tensor<2x2x224xf32>) -> tensor<2x2x224xf32>
    %217 = "stablehlo.reshape"(%216) : (tensor<2x2x224xf32>) -> tensor<2x16x2x14xf32>
    %218 = "stablehlo.multiply"(%186, %104) : (tensor<2x4x14xf32>, tensor<2x4x14xf32>) -> tensor<2x4x14xf32>
    %219 = "stablehlo.reshape"(%218) : (tensor<2x4x14xf32>) -> tensor<2x1x2x2x14xf32>
    %220 = "stablehlo.dot_general"(%219, %213) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x14xf32>, tensor<2x16x2x14xf32>) -> tensor<2x2x1x2x16xf32>
    %221 = "stablehlo.select"(%113, %220, %114) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %222 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %223 = "stablehlo.reduce"(%221, %222) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %224 = "stablehlo.broadcast_in_dim"(%223) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %225 = "stablehlo.subtract"(%221, %224) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %226 = "stablehlo.exponential"(%225) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %227 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %228 = "stablehlo.reduce"(%226, %227) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %229 = "stablehlo.broadcast_in_dim"(%228) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %230 = "stablehlo.divide"(%226, %229) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %231 = "stablehlo.select"(%113, %230, %125) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %232 = "stablehlo.dot_general"(%231, %217) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x14xf32>) -> tensor<2x2x1x2x14xf32>
    %233 = "stablehlo.transpose"(%232) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x14xf32>) -> tensor<2x1x2x2x14xf32>
    %234 = "stablehlo.reshape"(%233) : (tensor<2x1x2x2x14xf32>) -> tensor<2x4x14xf32>
    %235 = "stablehlo.reshape"(%234) : (tensor<2x4x14xf32>) -> tensor<2x56xf32>
    %236 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<40x56xf32>
    %237 = "stablehlo.dot_general"(%235, %236) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x56xf32>, tensor<40x56xf32>) -> tensor<2x40xf32>
    %238 = "stablehlo.add"(%154, %237) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %239 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %240 = "stablehlo.multiply"(%238, %238) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %241 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %242 = "stablehlo.reduce"(%240, %241) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %243 = "stablehlo.divide"(%242, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %244 = "stablehlo.add"(%243, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %245 = "stablehlo.rsqrt"(%244) : (tensor<2xf32>) -> tensor<2xf32>
    %246 = "stablehlo.broadcast_in_dim"(%245) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %247 = "stablehlo.multiply"(%238, %246) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %248 = "stablehlo.broadcast_in_dim"(%239) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %249 = "stablehlo.multiply"(%247, %248) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %250 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %251 = "stablehlo.dot_general"(%249, %250) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<144x40xf32>) -> tensor<2x144xf32>
    %252 = "stablehlo.slice"(%251) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %253 = "stablehlo.slice"(%251) {limit_indices = array<i64: 2, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %254 = "stablehlo.logistic"(%252) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %255 = "stablehlo.multiply"(%252, %254) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %256 = "stablehlo.multiply"(%255, %253) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %257 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %258 = "stablehlo.dot_general"(%256, %257) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x72xf32>, tensor<40x72xf32>) -> tensor<2x40xf32>
    %259 = "stablehlo.add"(%238, %258) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %260 = "stablehlo.gather"(%259, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<2x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %261 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %262 = "stablehlo.multiply"(%260, %260) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %263 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %264 = "stablehlo.reduce"(%262, %263) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %274 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %265 = "stablehlo.divide"(%264, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %266 = "stablehlo.add"(%265, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %267 = "stablehlo.rsqrt"(%266) : (tensor<2xf32>) -> tensor<2xf32>
    %268 = "stablehlo.broadcast_in_dim"(%267) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %269 = "stablehlo.multiply"(%260, %268) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %270 = "stablehlo.broadcast_in_dim"(%261) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %271 = "stablehlo.multiply"(%269, %270) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %272 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x40xf32>
    %273 = "stablehlo.dot_general"(%271, %272) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<128x40xf32>) -> tensor<2x128xf32>
    return %273, %84, %85, %208, %209 : tensor<2x128xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>, tensor<?x8x2x14xf32>
  }
}
