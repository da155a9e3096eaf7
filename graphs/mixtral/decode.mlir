module @mixtral {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x24xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x24xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.block_sparse_moe.experts.down.weight"> : tensor<120x20xf32>, sym_name = "model.layers.0.block_sparse_moe.experts.down.weight", sym_visibility = "private", type = tensor<120x20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.block_sparse_moe.experts.gate+up.weight"> : tensor<200x24xf32>, sym_name = "model.layers.0.block_sparse_moe.experts.gate+up.weight", sym_visibility = "private", type = tensor<200x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.block_sparse_moe.gate.weight"> : tensor<5x24xf32>, sym_name = "model.layers.0.block_sparse_moe.gate.weight", sym_visibility = "private", type = tensor<5x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<24x40xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x24xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.block_sparse_moe.experts.down.weight"> : tensor<120x20xf32>, sym_name = "model.layers.1.block_sparse_moe.experts.down.weight", sym_visibility = "private", type = tensor<120x20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.block_sparse_moe.experts.gate+up.weight"> : tensor<200x24xf32>, sym_name = "model.layers.1.block_sparse_moe.experts.gate+up.weight", sym_visibility = "private", type = tensor<200x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.block_sparse_moe.gate.weight"> : tensor<5x24xf32>, sym_name = "model.layers.1.block_sparse_moe.gate.weight", sym_visibility = "private", type = tensor<5x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<24x40xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x24xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<24xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  func.func @decode(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xi32>, %arg3: tensor<2x2xi32>, %arg4: tensor<2xi32>, %arg5: tensor<?x8x2x10xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x10xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x10xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x10xf32> {iree.abi.output = 4 : index}) -> (tensor<2x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.0630957335, 0.00398107152, 2.51188641E-4, 1.58489311E-5]> : tensor<5xf32>} : () -> tensor<5xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<5xf32>) -> tensor<2x5xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<2xi32>) -> tensor<2xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x2x5xf32>, tensor<1x2x5xf32>) -> tensor<2x2x5xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x24xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<128x24xf32>, tensor<2xi32>) -> tensor<2x24xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<24xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %16 = "stablehlo.constant"() {value = dense<2.400000e+01> : tensor<2xf32>} : () -> tensor<2xf32>
    %17 = "stablehlo.divide"(%15, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %18 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<2xf32>} : () -> tensor<2xf32>
    %19 = "stablehlo.add"(%17, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %20 = "stablehlo.rsqrt"(%19) : (tensor<2xf32>) -> tensor<2xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %22 = "stablehlo.multiply"(%11, %21) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %23 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %24 = "stablehlo.multiply"(%22, %23) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x24xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<80x24xf32>) -> tensor<2x80xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x40xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<2x40xf32>) -> tensor<2x4x10xf32>
    %29 = "stablehlo.reshape"(%28) : (tensor<2x4x10xf32>) -> tensor<2x4x2x5xf32>
    %30 = "stablehlo.reverse"(%29) {dimensions = array<i64: 2>} : (tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %31 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 5>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x5xf32>) -> tensor<2x2x5xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x4x2x5xf32>
    %35 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 5>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x5xf32>) -> tensor<2x2x5xf32>
    %38 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2x5xf32>
    %40 = "stablehlo.multiply"(%37, %39) : (tensor<2x2x5xf32>, tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x4x2x5xf32>
    %42 = "stablehlo.multiply"(%29, %34) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %43 = "stablehlo.multiply"(%30, %41) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %44 = "stablehlo.add"(%42, %43) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %45 = "stablehlo.reshape"(%44) : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
    %46 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %48 = "stablehlo.reshape"(%47) : (tensor<2x2x10xf32>) -> tensor<2x2x2x5xf32>
    %49 = "stablehlo.reverse"(%48) {dimensions = array<i64: 2>} : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %50 = "stablehlo.broadcast_in_dim"(%33) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %51 = "stablehlo.broadcast_in_dim"(%40) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %52 = "stablehlo.multiply"(%48, %50) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %53 = "stablehlo.multiply"(%49, %51) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %54 = "stablehlo.add"(%52, %53) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %55 = "stablehlo.reshape"(%54) : (tensor<2x2x2x5xf32>) -> tensor<2x2x10xf32>
    %56 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %57 = "stablehlo.reshape"(%56) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %58 = "stablehlo.scatter"(%arg5, %arg2, %55) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %59 = "stablehlo.scatter"(%arg6, %arg2, %57) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %60 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %61 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %62 = "stablehlo.reduce"(%60, %61) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %63 = "stablehlo.broadcast_in_dim"(%62) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %64 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %66 = "stablehlo.compare"(%65, %63) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %67 = "stablehlo.optimization_barrier"(%66) : (tensor<2x2xi1>) -> tensor<2x2xi1>
    %collapsed = tensor.collapse_shape %58 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %68 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %69 = "stablehlo.broadcast_in_dim"(%67) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xi1>) -> tensor<2x2x160xi1>
    %70 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x160xf32>} : () -> tensor<2x2x160xf32>
    %71 = "stablehlo.select"(%69, %68, %70) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %72 = "stablehlo.optimization_barrier"(%71) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %73 = "stablehlo.reshape"(%72) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %collapsed_0 = tensor.collapse_shape %59 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %74 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %75 = "stablehlo.select"(%69, %74, %70) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %76 = "stablehlo.optimization_barrier"(%75) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %77 = "stablehlo.reshape"(%76) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %78 = "stablehlo.constant"() {value = dense<0.316227764> : tensor<2x4x10xf32>} : () -> tensor<2x4x10xf32>
    %79 = "stablehlo.multiply"(%45, %78) : (tensor<2x4x10xf32>, tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %80 = "stablehlo.reshape"(%79) : (tensor<2x4x10xf32>) -> tensor<2x1x2x2x10xf32>
    %81 = "stablehlo.dot_general"(%80, %73) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x10xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x16xf32>
    %82 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %83 = "stablehlo.broadcast_in_dim"(%82) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<2x1x16xi32>
    %84 = "stablehlo.reshape"(%arg1) : (tensor<2xi32>) -> tensor<2x1xi32>
    %85 = "stablehlo.broadcast_in_dim"(%84) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %86 = "stablehlo.compare"(%83, %85) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %87 = "stablehlo.constant"() {value = dense<7> : tensor<2x1xi32>} : () -> tensor<2x1xi32>
    %88 = "stablehlo.subtract"(%84, %87) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %89 = "stablehlo.broadcast_in_dim"(%88) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %90 = "stablehlo.compare"(%83, %89) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %91 = "stablehlo.and"(%86, %90) : (tensor<2x1x16xi1>, tensor<2x1x16xi1>) -> tensor<2x1x16xi1>
    %92 = "stablehlo.broadcast_in_dim"(%91) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %93 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %94 = "stablehlo.select"(%92, %81, %93) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %95 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %96 = "stablehlo.reduce"(%94, %95) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %97 = "stablehlo.broadcast_in_dim"(%96) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %98 = "stablehlo.subtract"(%94, %97) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %99 = "stablehlo.exponential"(%98) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %100 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %101 = "stablehlo.reduce"(%99, %100) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %102 = "stablehlo.broadcast_in_dim"(%101) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %103 = "stablehlo.divide"(%99, %102) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %104 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %105 = "stablehlo.select"(%92, %103, %104) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %106 = "stablehlo.dot_general"(%105, %77) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x10xf32>
    %107 = "stablehlo.transpose"(%106) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x10xf32>) -> tensor<2x1x2x2x10xf32>
    %108 = "stablehlo.reshape"(%107) : (tensor<2x1x2x2x10xf32>) -> tensor<2x4x10xf32>
    %109 = "stablehlo.reshape"(%108) : (tensor<2x4x10xf32>) -> tensor<2x40xf32>
    %110 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<24x40xf32>
    %111 = "stablehlo.dot_general"(%109, %110) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<24x40xf32>) -> tensor<2x24xf32>
    %112 = "stablehlo.add"(%11, %111) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %113 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %114 = "stablehlo.multiply"(%112, %112) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %115 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %116 = "stablehlo.reduce"(%114, %115) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %117 = "stablehlo.divide"(%116, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %118 = "stablehlo.add"(%117, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %119 = "stablehlo.rsqrt"(%118) : (tensor<2xf32>) -> tensor<2xf32>
    %120 = "stablehlo.broadcast_in_dim"(%119) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %121 = "stablehlo.multiply"(%112, %120) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %122 = "stablehlo.broadcast_in_dim"(%113) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %123 = "stablehlo.multiply"(%121, %122) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %124 = "util.global.load"() {global = @model.layers.0.block_sparse_moe.gate.weight} : () -> tensor<5x24xf32>
    %125 = "stablehlo.dot_general"(%123, %124) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<5x24xf32>) -> tensor<2x5xf32>
    %126 = "stablehlo.compare"(%125, %125) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %127 = "stablehlo.constant"() {value = dense<0x7F800000> : tensor<2x5xf32>} : () -> tensor<2x5xf32>
    %128 = "stablehlo.select"(%126, %125, %127) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %129 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x5xf32>} : () -> tensor<2x5xf32>
    %130 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x5xf32>
    %131 = "stablehlo.negate"(%130) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %132 = "stablehlo.compare"(%130, %130) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %133 = "stablehlo.select"(%132, %128, %129) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %134 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %135 = "stablehlo.reduce"(%133, %134) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %136 = "stablehlo.broadcast_in_dim"(%135) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %137 = "stablehlo.compare"(%128, %136) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %138 = "stablehlo.and"(%137, %132) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %139 = "stablehlo.select"(%138, %131, %129) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %140 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %141 = "stablehlo.reduce"(%139, %140) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %142 = "stablehlo.negate"(%141) : (tensor<2xf32>) -> tensor<2xf32>
    %143 = "stablehlo.broadcast_in_dim"(%142) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %144 = "stablehlo.compare"(%130, %143) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %145 = "stablehlo.and"(%132, %144) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %146 = "stablehlo.select"(%145, %128, %129) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %147 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %148 = "stablehlo.reduce"(%146, %147) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %149 = "stablehlo.broadcast_in_dim"(%148) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %150 = "stablehlo.compare"(%128, %149) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %151 = "stablehlo.and"(%150, %145) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %152 = "stablehlo.select"(%151, %131, %129) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %153 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %154 = "stablehlo.reduce"(%152, %153) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %155 = "stablehlo.negate"(%154) : (tensor<2xf32>) -> tensor<2xf32>
    %156 = "stablehlo.reshape"(%142) : (tensor<2xf32>) -> tensor<2x1xf32>
    %157 = "stablehlo.reshape"(%155) : (tensor<2xf32>) -> tensor<2x1xf32>
    %158 = "stablehlo.concatenate"(%156, %157) {dimension = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %159 = "stablehlo.convert"(%158) : (tensor<2x2xf32>) -> tensor<2x2xi32>
    %160 = "stablehlo.reshape"(%125) : (tensor<2x5xf32>) -> tensor<10xf32>
    %161 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2x2xi32>
    %162 = "stablehlo.constant"() {value = dense<5> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %163 = "stablehlo.multiply"(%161, %162) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %164 = "stablehlo.add"(%163, %159) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %165 = "stablehlo.gather"(%160, %164) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<10xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
    %166 = "stablehlo.constant"() {value = dense<true> : tensor<2x2xi1>} : () -> tensor<2x2xi1>
    %167 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %168 = "stablehlo.select"(%166, %165, %167) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %169 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %170 = "stablehlo.reduce"(%168, %169) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %171 = "stablehlo.broadcast_in_dim"(%170) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %172 = "stablehlo.subtract"(%168, %171) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %173 = "stablehlo.exponential"(%172) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %174 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %175 = "stablehlo.reduce"(%173, %174) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %176 = "stablehlo.broadcast_in_dim"(%175) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %177 = "stablehlo.divide"(%173, %176) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %178 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %179 = "stablehlo.select"(%166, %177, %178) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %180 = "util.global.load"() {global = @"model.layers.0.block_sparse_moe.experts.gate+up.weight"} : () -> tensor<200x24xf32>
    %181 = "stablehlo.dot_general"(%123, %180) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<200x24xf32>) -> tensor<2x200xf32>
    %182 = "stablehlo.reshape"(%181) : (tensor<2x200xf32>) -> tensor<2x5x40xf32>
    %183 = "stablehlo.reshape"(%182) : (tensor<2x5x40xf32>) -> tensor<10x40xf32>
    %184 = "stablehlo.gather"(%183, %164) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<10x40xf32>, tensor<2x2xi32>) -> tensor<2x2x40xf32>
    %185 = "stablehlo.slice"(%184) {limit_indices = array<i64: 2, 2, 20>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %186 = "stablehlo.slice"(%184) {limit_indices = array<i64: 2, 2, 40>, start_indices = array<i64: 0, 0, 20>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %187 = "stablehlo.logistic"(%185) : (tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %188 = "stablehlo.multiply"(%185, %187) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %189 = "stablehlo.multiply"(%188, %186) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %190 = "util.global.load"() {global = @model.layers.0.block_sparse_moe.experts.down.weight} : () -> tensor<120x20xf32>
    %191 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x5x2xi32>
    %192 = "stablehlo.broadcast_in_dim"(%159) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x2xi32>) -> tensor<2x5x2xi32>
    %193 = "stablehlo.compare"(%191, %192) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5x2xi32>, tensor<2x5x2xi32>) -> tensor<2x5x2xi1>
    %194 = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<2x5x2xf32>
    %195 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x5x2xf32>} : () -> tensor<2x5x2xf32>
    %196 = "stablehlo.select"(%193, %194, %195) : (tensor<2x5x2xi1>, tensor<2x5x2xf32>, tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %197 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %198 = "stablehlo.reduce"(%196, %197) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x5x2xf32>, tensor<f32>) -> tensor<2x5xf32>
    %199 = "stablehlo.convert"(%198) : (tensor<2x5xf32>) -> tensor<2x5xi32>
    %200 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2x5xi32>
    %201 = "stablehlo.constant"() {value = dense<2> : tensor<2x5xi32>} : () -> tensor<2x5xi32>
    %202 = "stablehlo.multiply"(%200, %201) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %203 = "stablehlo.add"(%202, %199) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %204 = "stablehlo.reshape"(%189) : (tensor<2x2x20xf32>) -> tensor<4x20xf32>
    %205 = "stablehlo.gather"(%204, %203) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>} : (tensor<4x20xf32>, tensor<2x5xi32>) -> tensor<2x5x20xf32>
    %206 = "stablehlo.reshape"(%190) : (tensor<120x20xf32>) -> tensor<5x24x20xf32>
    %207 = "stablehlo.dot_general"(%205, %206) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<2x5x20xf32>, tensor<5x24x20xf32>) -> tensor<5x2x24xf32>
    %208 = "stablehlo.transpose"(%207) {permutation = array<i64: 1, 0, 2>} : (tensor<5x2x24xf32>) -> tensor<2x5x24xf32>
    %209 = "stablehlo.reshape"(%208) : (tensor<2x5x24xf32>) -> tensor<10x24xf32>
    %210 = "stablehlo.gather"(%209, %164) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<10x24xf32>, tensor<2x2xi32>) -> tensor<2x2x24xf32>
    %211 = "stablehlo.broadcast_in_dim"(%179) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x24xf32>
    %212 = "stablehlo.multiply"(%210, %211) : (tensor<2x2x24xf32>, tensor<2x2x24xf32>) -> tensor<2x2x24xf32>
    %213 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %214 = "stablehlo.reduce"(%212, %213) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %215 = "stablehlo.add"(%112, %214) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %216 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<24xf32>
    %217 = "stablehlo.multiply"(%215, %215) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %218 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %219 = "stablehlo.reduce"(%217, %218) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %220 = "stablehlo.divide"(%219, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %221 = "stablehlo.add"(%220, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %222 = "stablehlo.rsqrt"(%221) : (tensor<2xf32>) -> tensor<2xf32>
    %223 = "stablehlo.broadcast_in_dim"(%222) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %224 = "stablehlo.multiply"(%215, %223) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %225 = "stablehlo.broadcast_in_dim"(%216) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %226 = "stablehlo.multiply"(%224, %225) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %227 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x24xf32>
    %228 = "stablehlo.dot_general"(%226, %227) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<80x24xf32>) -> tensor<2x80xf32>
    %229 = "stablehlo.slice"(%228) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x40xf32>
    %230 = "stablehlo.reshape"(%229) : (tensor<2x40xf32>) -> tensor<2x4x10xf32>
    %231 = "stablehlo.reshape"(%230) : (tensor<2x4x10xf32>) -> tensor<2x4x2x5xf32>
    %232 = "stablehlo.reverse"(%231) {dimensions = array<i64: 2>} : (tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %233 = "stablehlo.multiply"(%231, %34) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %234 = "stablehlo.multiply"(%232, %41) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %235 = "stablehlo.add"(%233, %234) : (tensor<2x4x2x5xf32>, tensor<2x4x2x5xf32>) -> tensor<2x4x2x5xf32>
    %236 = "stablehlo.reshape"(%235) : (tensor<2x4x2x5xf32>) -> tensor<2x4x10xf32>
    %237 = "stablehlo.slice"(%228) {limit_indices = array<i64: 2, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %238 = "stablehlo.reshape"(%237) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %239 = "stablehlo.reshape"(%238) : (tensor<2x2x10xf32>) -> tensor<2x2x2x5xf32>
    %240 = "stablehlo.reverse"(%239) {dimensions = array<i64: 2>} : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %241 = "stablehlo.multiply"(%239, %50) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %242 = "stablehlo.multiply"(%240, %51) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %243 = "stablehlo.add"(%241, %242) : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %244 = "stablehlo.reshape"(%243) : (tensor<2x2x2x5xf32>) -> tensor<2x2x10xf32>
    %245 = "stablehlo.slice"(%228) {limit_indices = array<i64: 2, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x20xf32>
    %246 = "stablehlo.reshape"(%245) : (tensor<2x20xf32>) -> tensor<2x2x10xf32>
    %247 = "stablehlo.scatter"(%arg7, %arg2, %244) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %248 = "stablehlo.scatter"(%arg8, %arg2, %246) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<2x2xi32>, tensor<2x2x10xf32>) -> tensor<?x8x2x10xf32>
    %collapsed_1 = tensor.collapse_shape %247 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %249 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %250 = "stablehlo.select"(%69, %249, %70) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %251 = "stablehlo.optimization_barrier"(%250) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %252 = "stablehlo.reshape"(%251) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %collapsed_2 = tensor.collapse_shape %248 [[0], [1, 2, 3]] : tensor<?x8x2x10xf32> into tensor<?x160xf32>
    %253 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 160>} : (tensor<?x160xf32>, tensor<2x2xi32>) -> tensor<2x2x160xf32>
    %254 = "stablehlo.select"(%69, %253, %70) : (tensor<2x2x160xi1>, tensor<2x2x160xf32>, tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %255 = "stablehlo.optimization_barrier"(%254) : (tensor<2x2x160xf32>) -> tensor<2x2x160xf32>
    %256 = "stablehlo.reshape"(%255) : (tensor<2x2x160xf32>) -> tensor<2x16x2x10xf32>
    %257 = "stablehlo.multiply"(%236, %78) : (tensor<2x4x10xf32>, tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %258 = "stablehlo.reshape"(%257) : (tensor<2x4x10xf32>) -> tensor<2x1x2x2x10xf32>
    %259 = "stablehlo.dot_general"(%258, %252) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x10xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x16xf32>
    %260 = "stablehlo.select"(%92, %259, %93) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %261 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %262 = "stablehlo.reduce"(%260, %261) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %263 = "stablehlo.broadcast_in_dim"(%262) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %264 = "stablehlo.subtract"(%260, %263) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %265 = "stablehlo.exponential"(%264) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %266 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %267 = "stablehlo.reduce"(%265, %266) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %268 = "stablehlo.broadcast_in_dim"(%267) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %269 = "stablehlo.divide"(%265, %268) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %270 = "stablehlo.select"(%92, %269, %104) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %271 = "stablehlo.dot_general"(%270, %256) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x10xf32>) -> tensor<2x2x1x2x10xf32>
    %272 = "stablehlo.transpose"(%271) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x10xf32>) -> tensor<2x1x2x2x10xf32>
    %273 = "stablehlo.reshape"(%272) : (tensor<2x1x2x2x10xf32>) -> tensor<2x4x10xf32>
    %274 = "stablehlo.reshape"(%273) : (tensor<2x4x10xf32>) -> tensor<2x40xf32>
    %275 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<24x40xf32>
    %276 = "stablehlo.dot_general"(%274, %275) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<24x40xf32>) -> tensor<2x24xf32>
    %277 = "stablehlo.add"(%215, %276) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %278 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %279 = "stablehlo.multiply"(%277, %277) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %280 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %281 = "stablehlo.reduce"(%279, %280) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %282 = "stablehlo.divide"(%281, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %283 = "stablehlo.add"(%282, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %284 = "stablehlo.rsqrt"(%283) : (tensor<2xf32>) -> tensor<2xf32>
    %285 = "stablehlo.broadcast_in_dim"(%284) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %286 = "stablehlo.multiply"(%277, %285) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %287 = "stablehlo.broadcast_in_dim"(%278) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %288 = "stablehlo.multiply"(%286, %287) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %289 = "util.global.load"() {global = @model.layers.1.block_sparse_moe.gate.weight} : () -> tensor<5x24xf32>
    %290 = "stablehlo.dot_general"(%288, %289) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<5x24xf32>) -> tensor<2x5xf32>
    %291 = "stablehlo.compare"(%290, %290) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %292 = "stablehlo.select"(%291, %290, %127) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %293 = "stablehlo.select"(%132, %292, %129) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %294 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %295 = "stablehlo.reduce"(%293, %294) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %296 = "stablehlo.broadcast_in_dim"(%295) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %297 = "stablehlo.compare"(%292, %296) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %298 = "stablehlo.and"(%297, %132) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %299 = "stablehlo.select"(%298, %131, %129) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %300 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %301 = "stablehlo.reduce"(%299, %300) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %302 = "stablehlo.negate"(%301) : (tensor<2xf32>) -> tensor<2xf32>
    %303 = "stablehlo.broadcast_in_dim"(%302) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %304 = "stablehlo.compare"(%130, %303) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %305 = "stablehlo.and"(%132, %304) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %306 = "stablehlo.select"(%305, %292, %129) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %307 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %308 = "stablehlo.reduce"(%306, %307) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %309 = "stablehlo.broadcast_in_dim"(%308) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x5xf32>
    %310 = "stablehlo.compare"(%292, %309) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %311 = "stablehlo.and"(%310, %305) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %312 = "stablehlo.select"(%311, %131, %129) : (tensor<2x5xi1>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %313 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %314 = "stablehlo.reduce"(%312, %313) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %315 = "stablehlo.negate"(%314) : (tensor<2xf32>) -> tensor<2xf32>
    %316 = "stablehlo.reshape"(%302) : (tensor<2xf32>) -> tensor<2x1xf32>
    %317 = "stablehlo.reshape"(%315) : (tensor<2xf32>) -> tensor<2x1xf32>
    %318 = "stablehlo.concatenate"(%316, %317) {dimension = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %319 = "stablehlo.convert"(%318) : (tensor<2x2xf32>) -> tensor<2x2xi32>
    %320 = "stablehlo.reshape"(%290) : (tensor<2x5xf32>) -> tensor<10xf32>
    %321 = "stablehlo.add"(%163, %319) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %322 = "stablehlo.gather"(%320, %321) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<10xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
    %323 = "stablehlo.select"(%166, %322, %167) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %324 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %325 = "stablehlo.reduce"(%323, %324) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %326 = "stablehlo.broadcast_in_dim"(%325) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %327 = "stablehlo.subtract"(%323, %326) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %328 = "stablehlo.exponential"(%327) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %329 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %330 = "stablehlo.reduce"(%328, %329) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %331 = "stablehlo.broadcast_in_dim"(%330) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %332 = "stablehlo.divide"(%328, %331) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %333 = "stablehlo.select"(%166, %332, %178) : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %334 = "util.global.load"() {global = @"model.layers.1.block_sparse_moe.experts.gate+up.weight"} : () -> tensor<200x24xf32>
    %335 = "stablehlo.dot_general"(%288, %334) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<200x24xf32>) -> tensor<2x200xf32>
    %336 = "stablehlo.reshape"(%335) : (tensor<2x200xf32>) -> tensor<2x5x40xf32>
    %337 = "stablehlo.reshape"(%336) : (tensor<2x5x40xf32>) -> tensor<10x40xf32>
    %338 = "stablehlo.gather"(%337, %321) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<10x40xf32>, tensor<2x2xi32>) -> tensor<2x2x40xf32>
    %339 = "stablehlo.slice"(%338) {limit_indices = array<i64: 2, 2, 20>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %340 = "stablehlo.slice"(%338) {limit_indices = array<i64: 2, 2, 40>, start_indices = array<i64: 0, 0, 20>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x40xf32>) -> tensor<2x2x20xf32>
    %341 = "stablehlo.logistic"(%339) : (tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %342 = "stablehlo.multiply"(%339, %341) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %343 = "stablehlo.multiply"(%342, %340) : (tensor<2x2x20xf32>, tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %344 = "util.global.load"() {global = @model.layers.1.block_sparse_moe.experts.down.weight} : () -> tensor<120x20xf32>
    %345 = "stablehlo.broadcast_in_dim"(%319) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x2xi32>) -> tensor<2x5x2xi32>
    %346 = "stablehlo.compare"(%191, %345) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x5x2xi32>, tensor<2x5x2xi32>) -> tensor<2x5x2xi1>
    %347 = "stablehlo.select"(%346, %194, %195) : (tensor<2x5x2xi1>, tensor<2x5x2xf32>, tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %348 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %349 = "stablehlo.reduce"(%347, %348) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x5x2xf32>, tensor<f32>) -> tensor<2x5xf32>
    %350 = "stablehlo.convert"(%349) : (tensor<2x5xf32>) -> tensor<2x5xi32>
    %351 = "stablehlo.add"(%202, %350) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %352 = "stablehlo.reshape"(%343) : (tensor<2x2x20xf32>) -> tensor<4x20xf32>
    %353 = "stablehlo.gather"(%352, %351) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 20>} : (tensor<4x20xf32>, tensor<2x5xi32>) -> tensor<2x5x20xf32>
    %354 = "stablehlo.reshape"(%344) : (tensor<120x20xf32>) -> tensor<5x24x20xf32>
    %355 = "stablehlo.dot_general"(%353, %354) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<2x5x20xf32>, tensor<5x24x20xf32>) -> tensor<5x2x24xf32>
    %356 = "stablehlo.transpose"(%355) {permutation = array<i64: 1, 0, 2>} : (tensor<5x2x24xf32>) -> tensor<2x5x24xf32>
    %357 = "stablehlo.reshape"(%356) : (tensor<2x5x24xf32>) -> tensor<10x24xf32>
    %358 = "stablehlo.gather"(%357, %321) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<10x24xf32>, tensor<2x2xi32>) -> tensor<2x2x24xf32>
    %359 = "stablehlo.broadcast_in_dim"(%333) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2x24xf32>
    %360 = "stablehlo.multiply"(%358, %359) : (tensor<2x2x24xf32>, tensor<2x2x24xf32>) -> tensor<2x2x24xf32>
    %361 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %362 = "stablehlo.reduce"(%360, %361) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x2x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %363 = "stablehlo.add"(%277, %362) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %364 = "stablehlo.gather"(%363, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<2x24xf32>, tensor<2xi32>) -> tensor<2x24xf32>
    %365 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<24xf32>
    %366 = "stablehlo.multiply"(%364, %364) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %367 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %368 = "stablehlo.reduce"(%366, %367) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %378 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%378) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %369 = "stablehlo.divide"(%368, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %370 = "stablehlo.add"(%369, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %371 = "stablehlo.rsqrt"(%370) : (tensor<2xf32>) -> tensor<2xf32>
    %372 = "stablehlo.broadcast_in_dim"(%371) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %373 = "stablehlo.multiply"(%364, %372) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %374 = "stablehlo.broadcast_in_dim"(%365) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %375 = "stablehlo.multiply"(%373, %374) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %376 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x24xf32>
    %377 = "stablehlo.dot_general"(%375, %376) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<128x24xf32>) -> tensor<2x128xf32>
    return %377, %58, %59, %247, %248 : tensor<2x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>
  }
}
