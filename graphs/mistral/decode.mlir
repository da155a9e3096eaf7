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
      %234 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
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
    %30 = "stablehlo.slice"(%29) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %31 = "stablehlo.slice"(%29) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %32 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %33 = "stablehlo.reshape"(%32) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x4x1x6xf32>
    %35 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x4x1x6xf32>
    %38 = "stablehlo.multiply"(%30, %34) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %39 = "stablehlo.multiply"(%31, %37) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %40 = "stablehlo.subtract"(%38, %39) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %41 = "stablehlo.multiply"(%31, %34) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %42 = "stablehlo.multiply"(%30, %37) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %43 = "stablehlo.add"(%41, %42) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %44 = "stablehlo.concatenate"(%40, %43) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %45 = "stablehlo.reshape"(%44) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %46 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %48 = "stablehlo.reshape"(%47) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %49 = "stablehlo.slice"(%48) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %50 = "stablehlo.slice"(%48) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %51 = "stablehlo.broadcast_in_dim"(%33) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x2x1x6xf32>
    %52 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x2x1x6xf32>
    %53 = "stablehlo.multiply"(%49, %51) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %54 = "stablehlo.multiply"(%50, %52) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %55 = "stablehlo.subtract"(%53, %54) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %56 = "stablehlo.multiply"(%50, %51) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %57 = "stablehlo.multiply"(%49, %52) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %58 = "stablehlo.add"(%56, %57) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %59 = "stablehlo.concatenate"(%55, %58) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %60 = "stablehlo.reshape"(%59) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %61 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %62 = "stablehlo.reshape"(%61) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %63 = "stablehlo.scatter"(%arg5, %arg2, %60) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %64 = "stablehlo.scatter"(%arg6, %arg2, %62) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %65 = "stablehlo.gather"(%63, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %66 = "stablehlo.reshape"(%65) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %67 = "stablehlo.gather"(%64, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %68 = "stablehlo.reshape"(%67) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %69 = "stablehlo.constant"() {value = dense<0.288675129> : tensor<2x4x12xf32>} : () -> tensor<2x4x12xf32>
    %70 = "stablehlo.multiply"(%45, %69) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %71 = "stablehlo.reshape"(%70) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %72 = "stablehlo.dot_general"(%71, %66) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %73 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %74 = "stablehlo.broadcast_in_dim"(%73) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<2x1x16xi32>
    %75 = "stablehlo.reshape"(%arg1) : (tensor<2xi32>) -> tensor<2x1xi32>
    %76 = "stablehlo.broadcast_in_dim"(%75) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %77 = "stablehlo.compare"(%74, %76) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %78 = "stablehlo.constant"() {value = dense<7> : tensor<2x1xi32>} : () -> tensor<2x1xi32>
    %79 = "stablehlo.subtract"(%75, %78) : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %80 = "stablehlo.broadcast_in_dim"(%79) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %81 = "stablehlo.compare"(%74, %80) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %82 = "stablehlo.and"(%77, %81) : (tensor<2x1x16xi1>, tensor<2x1x16xi1>) -> tensor<2x1x16xi1>
    %83 = "stablehlo.broadcast_in_dim"(%82) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %84 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %85 = "stablehlo.select"(%83, %72, %84) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %86 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %87 = "stablehlo.reduce"(%85, %86) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %234 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %88 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2xf32>} : () -> tensor<2x2x1x2xf32>
    %89 = "stablehlo.compare"(%87, %88) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %90 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2xf32>} : () -> tensor<2x2x1x2xf32>
    %91 = "stablehlo.select"(%89, %90, %87) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %92 = "stablehlo.broadcast_in_dim"(%91) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %93 = "stablehlo.subtract"(%85, %92) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %94 = "stablehlo.exponential"(%93) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %95 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %96 = "stablehlo.reduce"(%94, %95) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %234 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %97 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x2x1x2xf32>} : () -> tensor<2x2x1x2xf32>
    %98 = "stablehlo.select"(%89, %97, %96) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %99 = "stablehlo.broadcast_in_dim"(%98) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %100 = "stablehlo.divide"(%94, %99) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %101 = "stablehlo.dot_general"(%100, %68) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %102 = "stablehlo.transpose"(%101) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %103 = "stablehlo.reshape"(%102) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %104 = "stablehlo.reshape"(%103) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %105 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<40x48xf32>
    %106 = "stablehlo.dot_general"(%104, %105) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<40x48xf32>) -> tensor<2x40xf32>
    %107 = "stablehlo.add"(%11, %106) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %108 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %109 = "stablehlo.multiply"(%107, %107) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %110 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %111 = "stablehlo.reduce"(%109, %110) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %234 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %112 = "stablehlo.divide"(%111, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %113 = "stablehlo.add"(%112, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %114 = "stablehlo.rsqrt"(%113) : (tensor<2xf32>) -> tensor<2xf32>
    %115 = "stablehlo.broadcast_in_dim"(%114) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %116 = "stablehlo.multiply"(%107, %115) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %117 = "stablehlo.broadcast_in_dim"(%108) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %118 = "stablehlo.multiply"(%116, %117) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %119 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %120 = "stablehlo.dot_general"(%118, %119) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<144x40xf32>) -> tensor<2x144xf32>
    %121 = "stablehlo.slice"(%120) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %122 = "stablehlo.slice"(%120) {limit_indices = array<i64: 2, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %123 = "stablehlo.logistic"(%121) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %124 = "stablehlo.multiply"(%121, %123) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %125 = "stablehlo.multiply"(%124, %122) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %126 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %127 = "stablehlo.dot_general"(%125, %126) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x72xf32>, tensor<40x72xf32>) -> tensor<2x40xf32>
    %128 = "stablehlo.add"(%107, %127) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %129 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %130 = "stablehlo.multiply"(%128, %128) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %131 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %132 = "stablehlo.reduce"(%130, %131) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %234 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %133 = "stablehlo.divide"(%132, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %134 = "stablehlo.add"(%133, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %135 = "stablehlo.rsqrt"(%134) : (tensor<2xf32>) -> tensor<2xf32>
    %136 = "stablehlo.broadcast_in_dim"(%135) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %137 = "stablehlo.multiply"(%128, %136) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %138 = "stablehlo.broadcast_in_dim"(%129) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %139 = "stablehlo.multiply"(%137, %138) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %140 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x40xf32>
    %141 = "stablehlo.dot_general"(%139, %140) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<96x40xf32>) -> tensor<2x96xf32>
    %142 = "stablehlo.slice"(%141) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %143 = "stablehlo.reshape"(%142) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %144 = "stablehlo.reshape"(%143) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %145 = "stablehlo.slice"(%144) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %146 = "stablehlo.slice"(%144) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %147 = "stablehlo.multiply"(%145, %34) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %148 = "stablehlo.multiply"(%146, %37) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %149 = "stablehlo.subtract"(%147, %148) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %150 = "stablehlo.multiply"(%146, %34) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %151 = "stablehlo.multiply"(%145, %37) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %152 = "stablehlo.add"(%150, %151) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %153 = "stablehlo.concatenate"(%149, %152) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %154 = "stablehlo.reshape"(%153) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %155 = "stablehlo.slice"(%141) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %156 = "stablehlo.reshape"(%155) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %157 = "stablehlo.reshape"(%156) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %158 = "stablehlo.slice"(%157) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %159 = "stablehlo.slice"(%157) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %160 = "stablehlo.multiply"(%158, %51) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %161 = "stablehlo.multiply"(%159, %52) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %162 = "stablehlo.subtract"(%160, %161) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %163 = "stablehlo.multiply"(%159, %51) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %164 = "stablehlo.multiply"(%158, %52) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %165 = "stablehlo.add"(%163, %164) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %166 = "stablehlo.concatenate"(%162, %165) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %167 = "stablehlo.reshape"(%166) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %168 = "stablehlo.slice"(%141) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %169 = "stablehlo.reshape"(%168) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %170 = "stablehlo.scatter"(%arg7, %arg2, %167) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %171 = "stablehlo.scatter"(%arg8, %arg2, %169) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %172 = "stablehlo.gather"(%170, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %173 = "stablehlo.reshape"(%172) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %174 = "stablehlo.gather"(%171, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xf32>
    %175 = "stablehlo.reshape"(%174) : (tensor<2x2x8x2x12xf32>) -> tensor<2x16x2x12xf32>
    %176 = "stablehlo.multiply"(%154, %69) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %177 = "stablehlo.reshape"(%176) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %178 = "stablehlo.dot_general"(%177, %173) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %179 = "stablehlo.select"(%83, %178, %84) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %180 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %181 = "stablehlo.reduce"(%179, %180) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %234 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %182 = "stablehlo.compare"(%181, %88) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %183 = "stablehlo.select"(%182, %90, %181) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %184 = "stablehlo.broadcast_in_dim"(%183) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %185 = "stablehlo.subtract"(%179, %184) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %186 = "stablehlo.exponential"(%185) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %187 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %188 = "stablehlo.reduce"(%186, %187) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %234 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %189 = "stablehlo.select"(%182, %97, %188) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %190 = "stablehlo.broadcast_in_dim"(%189) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %191 = "stablehlo.divide"(%186, %190) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %192 = "stablehlo.dot_general"(%191, %175) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %193 = "stablehlo.transpose"(%192) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %194 = "stablehlo.reshape"(%193) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %195 = "stablehlo.reshape"(%194) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %196 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<40x48xf32>
    %197 = "stablehlo.dot_general"(%195, %196) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<40x48xf32>) -> tensor<2x40xf32>
    %198 = "stablehlo.add"(%128, %197) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %199 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %200 = "stablehlo.multiply"(%198, %198) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %201 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %202 = "stablehlo.reduce"(%200, %201) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %234 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %203 = "stablehlo.divide"(%202, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %204 = "stablehlo.add"(%203, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %205 = "stablehlo.rsqrt"(%204) : (tensor<2xf32>) -> tensor<2xf32>
    %206 = "stablehlo.broadcast_in_dim"(%205) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %207 = "stablehlo.multiply"(%198, %206) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %208 = "stablehlo.broadcast_in_dim"(%199) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %209 = "stablehlo.multiply"(%207, %208) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %210 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %211 = "stablehlo.dot_general"(%209, %210) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<144x40xf32>) -> tensor<2x144xf32>
    %212 = "stablehlo.slice"(%211) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %213 = "stablehlo.slice"(%211) {limit_indices = array<i64: 2, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %214 = "stablehlo.logistic"(%212) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %215 = "stablehlo.multiply"(%212, %214) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %216 = "stablehlo.multiply"(%215, %213) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %217 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %218 = "stablehlo.dot_general"(%216, %217) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x72xf32>, tensor<40x72xf32>) -> tensor<2x40xf32>
    %219 = "stablehlo.add"(%198, %218) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %220 = "stablehlo.gather"(%219, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<2x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %221 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %222 = "stablehlo.multiply"(%220, %220) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %223 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %224 = "stablehlo.reduce"(%222, %223) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %234 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %225 = "stablehlo.divide"(%224, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %226 = "stablehlo.add"(%225, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %227 = "stablehlo.rsqrt"(%226) : (tensor<2xf32>) -> tensor<2xf32>
    %228 = "stablehlo.broadcast_in_dim"(%227) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %229 = "stablehlo.multiply"(%220, %228) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %230 = "stablehlo.broadcast_in_dim"(%221) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %231 = "stablehlo.multiply"(%229, %230) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %232 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x40xf32>
    %233 = "stablehlo.dot_general"(%231, %232) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<128x40xf32>) -> tensor<2x128xf32>
    return %233, %63, %64, %170, %171 : tensor<2x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>
  }
}
