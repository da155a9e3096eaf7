module @mistral {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x40xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x40xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.weight"> : tensor<40x72xf32>, sym_name = "model.layers.0.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj+up_proj.weight"> : tensor<144x40xf32>, sym_name = "model.layers.0.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<144x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<40x48xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x40xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.weight"> : tensor<40x72xf32>, sym_name = "model.layers.1.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj+up_proj.weight"> : tensor<144x40xf32>, sym_name = "model.layers.1.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<144x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<40x48xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x40xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<40xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  func.func @decode(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xi32>, %arg3: tensor<2x2xi32>, %arg4: tensor<2xi32>, %arg5: tensor<?x8x2x12xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x12xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x12xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x12xf32> {iree.abi.output = 4 : index}) -> (tensor<2x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>) {
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
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x40xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<128x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<40xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %231 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
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
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x40xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<96x40xf32>) -> tensor<2x96xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %29 = "stablehlo.reshape"(%28) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %30 = "stablehlo.reverse"(%29) {dimensions = array<i64: 2>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %31 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x6xf32>) -> tensor<2x2x6xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x4x2x6xf32>
    %35 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x6xf32>) -> tensor<2x2x6xf32>
    %38 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2x6xf32>
    %40 = "stablehlo.multiply"(%37, %39) : (tensor<2x2x6xf32>, tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x4x2x6xf32>
    %42 = "stablehlo.multiply"(%29, %34) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %43 = "stablehlo.multiply"(%30, %41) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %44 = "stablehlo.add"(%42, %43) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %45 = "stablehlo.reshape"(%44) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %46 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %48 = "stablehlo.reshape"(%47) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %49 = "stablehlo.reverse"(%48) {dimensions = array<i64: 2>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %50 = "stablehlo.broadcast_in_dim"(%33) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %51 = "stablehlo.broadcast_in_dim"(%40) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %52 = "stablehlo.multiply"(%48, %50) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %53 = "stablehlo.multiply"(%49, %51) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %54 = "stablehlo.add"(%52, %53) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %55 = "stablehlo.reshape"(%54) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %56 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %57 = "stablehlo.reshape"(%56) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %58 = "stablehlo.scatter"(%arg5, %arg2, %55) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %59 = "stablehlo.scatter"(%arg6, %arg2, %57) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %60 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %61 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %62 = "stablehlo.reduce"(%60, %61) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %231 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %63 = "stablehlo.broadcast_in_dim"(%62) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %64 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %66 = "stablehlo.compare"(%65, %63) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %67 = "stablehlo.optimization_barrier"(%66) : (tensor<2x2xi1>) -> tensor<2x2xi1>
    %collapsed = tensor.collapse_shape %58 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %68 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<2x2xi32>) -> tensor<2x2x192xf32>
    %69 = "stablehlo.broadcast_in_dim"(%67) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xi1>) -> tensor<2x2x192xi1>
    %70 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x192xf32>} : () -> tensor<2x2x192xf32>
    %71 = "stablehlo.select"(%69, %68, %70) : (tensor<2x2x192xi1>, tensor<2x2x192xf32>, tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %72 = "stablehlo.optimization_barrier"(%71) : (tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %73 = "stablehlo.reshape"(%72) : (tensor<2x2x192xf32>) -> tensor<2x16x2x12xf32>
    %collapsed_0 = tensor.collapse_shape %59 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %74 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<2x2xi32>) -> tensor<2x2x192xf32>
    %75 = "stablehlo.select"(%69, %74, %70) : (tensor<2x2x192xi1>, tensor<2x2x192xf32>, tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %76 = "stablehlo.optimization_barrier"(%75) : (tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %77 = "stablehlo.reshape"(%76) : (tensor<2x2x192xf32>) -> tensor<2x16x2x12xf32>
    %78 = "stablehlo.constant"() {value = dense<0.288675129> : tensor<2x4x12xf32>} : () -> tensor<2x4x12xf32>
    %79 = "stablehlo.multiply"(%45, %78) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %80 = "stablehlo.reshape"(%79) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %81 = "stablehlo.dot_general"(%80, %73) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
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
      %231 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %97 = "stablehlo.broadcast_in_dim"(%96) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %98 = "stablehlo.subtract"(%94, %97) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %99 = "stablehlo.exponential"(%98) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %100 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %101 = "stablehlo.reduce"(%99, %100) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %231 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %102 = "stablehlo.broadcast_in_dim"(%101) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %103 = "stablehlo.divide"(%99, %102) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %104 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %105 = "stablehlo.select"(%92, %103, %104) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %106 = "stablehlo.dot_general"(%105, %77) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %107 = "stablehlo.transpose"(%106) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %108 = "stablehlo.reshape"(%107) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %109 = "stablehlo.reshape"(%108) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %110 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<40x48xf32>
    %111 = "stablehlo.dot_general"(%109, %110) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<40x48xf32>) -> tensor<2x40xf32>
    %112 = "stablehlo.add"(%11, %111) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %113 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %114 = "stablehlo.multiply"(%112, %112) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %115 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %116 = "stablehlo.reduce"(%114, %115) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %231 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %117 = "stablehlo.divide"(%116, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %118 = "stablehlo.add"(%117, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %119 = "stablehlo.rsqrt"(%118) : (tensor<2xf32>) -> tensor<2xf32>
    %120 = "stablehlo.broadcast_in_dim"(%119) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %121 = "stablehlo.multiply"(%112, %120) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %122 = "stablehlo.broadcast_in_dim"(%113) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %123 = "stablehlo.multiply"(%121, %122) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %124 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %125 = "stablehlo.dot_general"(%123, %124) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<144x40xf32>) -> tensor<2x144xf32>
    %126 = "stablehlo.slice"(%125) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %127 = "stablehlo.slice"(%125) {limit_indices = array<i64: 2, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %128 = "stablehlo.logistic"(%126) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %129 = "stablehlo.multiply"(%126, %128) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %130 = "stablehlo.multiply"(%129, %127) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %131 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %132 = "stablehlo.dot_general"(%130, %131) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x72xf32>, tensor<40x72xf32>) -> tensor<2x40xf32>
    %133 = "stablehlo.add"(%112, %132) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %134 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %135 = "stablehlo.multiply"(%133, %133) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %136 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %137 = "stablehlo.reduce"(%135, %136) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %231 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %138 = "stablehlo.divide"(%137, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %139 = "stablehlo.add"(%138, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %140 = "stablehlo.rsqrt"(%139) : (tensor<2xf32>) -> tensor<2xf32>
    %141 = "stablehlo.broadcast_in_dim"(%140) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %142 = "stablehlo.multiply"(%133, %141) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %143 = "stablehlo.broadcast_in_dim"(%134) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %144 = "stablehlo.multiply"(%142, %143) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %145 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x40xf32>
    %146 = "stablehlo.dot_general"(%144, %145) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<96x40xf32>) -> tensor<2x96xf32>
    %147 = "stablehlo.slice"(%146) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %148 = "stablehlo.reshape"(%147) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %149 = "stablehlo.reshape"(%148) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %150 = "stablehlo.reverse"(%149) {dimensions = array<i64: 2>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %151 = "stablehlo.multiply"(%149, %34) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %152 = "stablehlo.multiply"(%150, %41) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %153 = "stablehlo.add"(%151, %152) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %154 = "stablehlo.reshape"(%153) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %155 = "stablehlo.slice"(%146) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %156 = "stablehlo.reshape"(%155) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %157 = "stablehlo.reshape"(%156) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %158 = "stablehlo.reverse"(%157) {dimensions = array<i64: 2>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %159 = "stablehlo.multiply"(%157, %50) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %160 = "stablehlo.multiply"(%158, %51) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %161 = "stablehlo.add"(%159, %160) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %162 = "stablehlo.reshape"(%161) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %163 = "stablehlo.slice"(%146) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %164 = "stablehlo.reshape"(%163) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %165 = "stablehlo.scatter"(%arg7, %arg2, %162) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %166 = "stablehlo.scatter"(%arg8, %arg2, %164) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %collapsed_1 = tensor.collapse_shape %165 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %167 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<2x2xi32>) -> tensor<2x2x192xf32>
    %168 = "stablehlo.select"(%69, %167, %70) : (tensor<2x2x192xi1>, tensor<2x2x192xf32>, tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %169 = "stablehlo.optimization_barrier"(%168) : (tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %170 = "stablehlo.reshape"(%169) : (tensor<2x2x192xf32>) -> tensor<2x16x2x12xf32>
    %collapsed_2 = tensor.collapse_shape %166 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %171 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<2x2xi32>) -> tensor<2x2x192xf32>
    %172 = "stablehlo.select"(%69, %171, %70) : (tensor<2x2x192xi1>, tensor<2x2x192xf32>, tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %173 = "stablehlo.optimization_barrier"(%172) : (tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %174 = "stablehlo.reshape"(%173) : (tensor<2x2x192xf32>) -> tensor<2x16x2x12xf32>
    %175 = "stablehlo.multiply"(%154, %78) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %176 = "stablehlo.reshape"(%175) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %177 = "stablehlo.dot_general"(%176, %170) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %178 = "stablehlo.select"(%92, %177, %93) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %179 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %180 = "stablehlo.reduce"(%178, %179) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %231 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %181 = "stablehlo.broadcast_in_dim"(%180) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %182 = "stablehlo.subtract"(%178, %181) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %183 = "stablehlo.exponential"(%182) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %184 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %185 = "stablehlo.reduce"(%183, %184) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %231 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %186 = "stablehlo.broadcast_in_dim"(%185) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %187 = "stablehlo.divide"(%183, %186) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %188 = "stablehlo.select"(%92, %187, %104) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %189 = "stablehlo.dot_general"(%188, %174) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %190 = "stablehlo.transpose"(%189) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %191 = "stablehlo.reshape"(%190) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %192 = "stablehlo.reshape"(%191) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %193 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<40x48xf32>
    %194 = "stablehlo.dot_general"(%192, %193) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<40x48xf32>) -> tensor<2x40xf32>
    %195 = "stablehlo.add"(%133, %194) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %196 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %197 = "stablehlo.multiply"(%195, %195) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %198 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %199 = "stablehlo.reduce"(%197, %198) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %231 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %200 = "stablehlo.divide"(%199, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %201 = "stablehlo.add"(%200, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %202 = "stablehlo.rsqrt"(%201) : (tensor<2xf32>) -> tensor<2xf32>
    %203 = "stablehlo.broadcast_in_dim"(%202) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %204 = "stablehlo.multiply"(%195, %203) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %205 = "stablehlo.broadcast_in_dim"(%196) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %206 = "stablehlo.multiply"(%204, %205) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %207 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %208 = "stablehlo.dot_general"(%206, %207) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<144x40xf32>) -> tensor<2x144xf32>
    %209 = "stablehlo.slice"(%208) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %210 = "stablehlo.slice"(%208) {limit_indices = array<i64: 2, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %211 = "stablehlo.logistic"(%209) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %212 = "stablehlo.multiply"(%209, %211) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %213 = "stablehlo.multiply"(%212, %210) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %214 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %215 = "stablehlo.dot_general"(%213, %214) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x72xf32>, tensor<40x72xf32>) -> tensor<2x40xf32>
    %216 = "stablehlo.add"(%195, %215) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %217 = "stablehlo.gather"(%216, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<2x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %218 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %219 = "stablehlo.multiply"(%217, %217) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %220 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %221 = "stablehlo.reduce"(%219, %220) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %231 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %222 = "stablehlo.divide"(%221, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %223 = "stablehlo.add"(%222, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %224 = "stablehlo.rsqrt"(%223) : (tensor<2xf32>) -> tensor<2xf32>
    %225 = "stablehlo.broadcast_in_dim"(%224) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %226 = "stablehlo.multiply"(%217, %225) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %227 = "stablehlo.broadcast_in_dim"(%218) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %228 = "stablehlo.multiply"(%226, %227) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %229 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x40xf32>
    %230 = "stablehlo.dot_general"(%228, %229) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<128x40xf32>) -> tensor<2x128xf32>
    return %230, %58, %59, %165, %166 : tensor<2x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>
  }
}
