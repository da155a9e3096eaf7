module @llama {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x40xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x40xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.0.mlp.down_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.weight"> : tensor<40x72xf32>, sym_name = "model.layers.0.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj+up_proj.weight"> : tensor<144x40xf32>, sym_name = "model.layers.0.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<144x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj.bias"> : tensor<72xf32>, sym_name = "model.layers.0.mlp.gate_proj.bias", sym_visibility = "private", type = tensor<72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.up_proj.bias"> : tensor<72xf32>, sym_name = "model.layers.0.mlp.up_proj.bias", sym_visibility = "private", type = tensor<72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.0.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.0.self_attn.o_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<40x48xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x40xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj.bias"> : tensor<48xf32>, sym_name = "model.layers.0.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.v_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.0.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.1.mlp.down_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.weight"> : tensor<40x72xf32>, sym_name = "model.layers.1.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj+up_proj.weight"> : tensor<144x40xf32>, sym_name = "model.layers.1.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<144x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj.bias"> : tensor<72xf32>, sym_name = "model.layers.1.mlp.gate_proj.bias", sym_visibility = "private", type = tensor<72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.up_proj.bias"> : tensor<72xf32>, sym_name = "model.layers.1.mlp.up_proj.bias", sym_visibility = "private", type = tensor<72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.1.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.1.self_attn.o_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<40x48xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<96x40xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<96x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj.bias"> : tensor<48xf32>, sym_name = "model.layers.1.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.v_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.1.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<40xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  func.func @decode(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xi32>, %arg3: tensor<2x2xi32>, %arg4: tensor<2xi32>, %arg5: tensor<?x8x2x12xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x12xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x12xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x12xf32> {iree.abi.output = 4 : index}) -> (tensor<2x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.112246208, 0.0125992103, 0.00141421356, 1.58740106E-4, 1.78179744E-5]> : tensor<6xf32>} : () -> tensor<6xf32>
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
      %268 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
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
    %28 = "util.global.load"() {global = @model.layers.0.self_attn.q_proj.bias} : () -> tensor<48xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<2x48xf32>
    %30 = "stablehlo.add"(%27, %29) : (tensor<2x48xf32>, tensor<2x48xf32>) -> tensor<2x48xf32>
    %31 = "stablehlo.reshape"(%30) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %33 = "stablehlo.reverse"(%32) {dimensions = array<i64: 2>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %34 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %35 = "stablehlo.reshape"(%34) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x6xf32>) -> tensor<2x2x6xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x4x2x6xf32>
    %38 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %39 = "stablehlo.reshape"(%38) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x6xf32>) -> tensor<2x2x6xf32>
    %41 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2x6xf32>
    %43 = "stablehlo.multiply"(%40, %42) : (tensor<2x2x6xf32>, tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x4x2x6xf32>
    %45 = "stablehlo.multiply"(%32, %37) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %46 = "stablehlo.multiply"(%33, %44) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %47 = "stablehlo.add"(%45, %46) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %48 = "stablehlo.reshape"(%47) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %49 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %50 = "util.global.load"() {global = @model.layers.0.self_attn.k_proj.bias} : () -> tensor<24xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %52 = "stablehlo.add"(%49, %51) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %53 = "stablehlo.reshape"(%52) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %55 = "stablehlo.reverse"(%54) {dimensions = array<i64: 2>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %56 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %57 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %58 = "stablehlo.multiply"(%54, %56) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %59 = "stablehlo.multiply"(%55, %57) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %60 = "stablehlo.add"(%58, %59) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %61 = "stablehlo.reshape"(%60) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %62 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %63 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %65 = "stablehlo.add"(%62, %64) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %66 = "stablehlo.reshape"(%65) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %67 = "stablehlo.scatter"(%arg5, %arg2, %61) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %68 = "stablehlo.scatter"(%arg6, %arg2, %66) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %69 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %70 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %71 = "stablehlo.reduce"(%69, %70) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %268 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %72 = "stablehlo.broadcast_in_dim"(%71) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %73 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %74 = "stablehlo.broadcast_in_dim"(%73) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %75 = "stablehlo.compare"(%74, %72) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %76 = "stablehlo.optimization_barrier"(%75) : (tensor<2x2xi1>) -> tensor<2x2xi1>
    %collapsed = tensor.collapse_shape %67 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %77 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<2x2xi32>) -> tensor<2x2x192xf32>
    %78 = "stablehlo.broadcast_in_dim"(%76) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xi1>) -> tensor<2x2x192xi1>
    %79 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x192xf32>} : () -> tensor<2x2x192xf32>
    %80 = "stablehlo.select"(%78, %77, %79) : (tensor<2x2x192xi1>, tensor<2x2x192xf32>, tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %81 = "stablehlo.optimization_barrier"(%80) : (tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %82 = "stablehlo.reshape"(%81) : (tensor<2x2x192xf32>) -> tensor<2x16x2x12xf32>
    %collapsed_0 = tensor.collapse_shape %68 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %83 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<2x2xi32>) -> tensor<2x2x192xf32>
    %84 = "stablehlo.select"(%78, %83, %79) : (tensor<2x2x192xi1>, tensor<2x2x192xf32>, tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %85 = "stablehlo.optimization_barrier"(%84) : (tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<2x2x192xf32>) -> tensor<2x16x2x12xf32>
    %87 = "stablehlo.constant"() {value = dense<0.288675129> : tensor<2x4x12xf32>} : () -> tensor<2x4x12xf32>
    %88 = "stablehlo.multiply"(%48, %87) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %89 = "stablehlo.reshape"(%88) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %90 = "stablehlo.dot_general"(%89, %82) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
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
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %268 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %101 = "stablehlo.broadcast_in_dim"(%100) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %102 = "stablehlo.subtract"(%98, %101) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %103 = "stablehlo.exponential"(%102) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %104 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %105 = "stablehlo.reduce"(%103, %104) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %268 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %106 = "stablehlo.broadcast_in_dim"(%105) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %107 = "stablehlo.divide"(%103, %106) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %108 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %109 = "stablehlo.select"(%96, %107, %108) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %110 = "stablehlo.dot_general"(%109, %86) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %111 = "stablehlo.transpose"(%110) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %112 = "stablehlo.reshape"(%111) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %113 = "stablehlo.reshape"(%112) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %114 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<40x48xf32>
    %115 = "stablehlo.dot_general"(%113, %114) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<40x48xf32>) -> tensor<2x40xf32>
    %116 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %117 = "stablehlo.broadcast_in_dim"(%116) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %118 = "stablehlo.add"(%115, %117) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %119 = "stablehlo.add"(%11, %118) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %120 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %121 = "stablehlo.multiply"(%119, %119) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %122 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %123 = "stablehlo.reduce"(%121, %122) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %268 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %124 = "stablehlo.divide"(%123, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %125 = "stablehlo.add"(%124, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %126 = "stablehlo.rsqrt"(%125) : (tensor<2xf32>) -> tensor<2xf32>
    %127 = "stablehlo.broadcast_in_dim"(%126) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %128 = "stablehlo.multiply"(%119, %127) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %129 = "stablehlo.broadcast_in_dim"(%120) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %130 = "stablehlo.multiply"(%128, %129) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %131 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %132 = "stablehlo.dot_general"(%130, %131) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<144x40xf32>) -> tensor<2x144xf32>
    %133 = "stablehlo.slice"(%132) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %134 = "util.global.load"() {global = @model.layers.0.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %135 = "stablehlo.broadcast_in_dim"(%134) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %136 = "stablehlo.add"(%133, %135) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %137 = "stablehlo.slice"(%132) {limit_indices = array<i64: 2, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %138 = "util.global.load"() {global = @model.layers.0.mlp.up_proj.bias} : () -> tensor<72xf32>
    %139 = "stablehlo.broadcast_in_dim"(%138) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %140 = "stablehlo.add"(%137, %139) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %141 = "stablehlo.logistic"(%136) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %142 = "stablehlo.multiply"(%136, %141) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %143 = "stablehlo.multiply"(%142, %140) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %144 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %145 = "stablehlo.dot_general"(%143, %144) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x72xf32>, tensor<40x72xf32>) -> tensor<2x40xf32>
    %146 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.bias} : () -> tensor<40xf32>
    %147 = "stablehlo.broadcast_in_dim"(%146) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %148 = "stablehlo.add"(%145, %147) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %149 = "stablehlo.add"(%119, %148) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %150 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %151 = "stablehlo.multiply"(%149, %149) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %152 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %153 = "stablehlo.reduce"(%151, %152) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %268 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %154 = "stablehlo.divide"(%153, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %155 = "stablehlo.add"(%154, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %156 = "stablehlo.rsqrt"(%155) : (tensor<2xf32>) -> tensor<2xf32>
    %157 = "stablehlo.broadcast_in_dim"(%156) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %158 = "stablehlo.multiply"(%149, %157) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %159 = "stablehlo.broadcast_in_dim"(%150) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %160 = "stablehlo.multiply"(%158, %159) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %161 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x40xf32>
    %162 = "stablehlo.dot_general"(%160, %161) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<96x40xf32>) -> tensor<2x96xf32>
    %163 = "stablehlo.slice"(%162) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x48xf32>
    %164 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.bias} : () -> tensor<48xf32>
    %165 = "stablehlo.broadcast_in_dim"(%164) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<2x48xf32>
    %166 = "stablehlo.add"(%163, %165) : (tensor<2x48xf32>, tensor<2x48xf32>) -> tensor<2x48xf32>
    %167 = "stablehlo.reshape"(%166) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %168 = "stablehlo.reshape"(%167) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %169 = "stablehlo.reverse"(%168) {dimensions = array<i64: 2>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %170 = "stablehlo.multiply"(%168, %37) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %171 = "stablehlo.multiply"(%169, %44) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %172 = "stablehlo.add"(%170, %171) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %173 = "stablehlo.reshape"(%172) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %174 = "stablehlo.slice"(%162) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %175 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.bias} : () -> tensor<24xf32>
    %176 = "stablehlo.broadcast_in_dim"(%175) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %177 = "stablehlo.add"(%174, %176) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %178 = "stablehlo.reshape"(%177) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %179 = "stablehlo.reshape"(%178) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %180 = "stablehlo.reverse"(%179) {dimensions = array<i64: 2>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %181 = "stablehlo.multiply"(%179, %56) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %182 = "stablehlo.multiply"(%180, %57) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %183 = "stablehlo.add"(%181, %182) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %184 = "stablehlo.reshape"(%183) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %185 = "stablehlo.slice"(%162) {limit_indices = array<i64: 2, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x96xf32>) -> tensor<2x24xf32>
    %186 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %187 = "stablehlo.broadcast_in_dim"(%186) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %188 = "stablehlo.add"(%185, %187) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %189 = "stablehlo.reshape"(%188) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %190 = "stablehlo.scatter"(%arg7, %arg2, %184) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %191 = "stablehlo.scatter"(%arg8, %arg2, %189) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<2x2xi32>, tensor<2x2x12xf32>) -> tensor<?x8x2x12xf32>
    %collapsed_1 = tensor.collapse_shape %190 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %192 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<2x2xi32>) -> tensor<2x2x192xf32>
    %193 = "stablehlo.select"(%78, %192, %79) : (tensor<2x2x192xi1>, tensor<2x2x192xf32>, tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %194 = "stablehlo.optimization_barrier"(%193) : (tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %195 = "stablehlo.reshape"(%194) : (tensor<2x2x192xf32>) -> tensor<2x16x2x12xf32>
    %collapsed_2 = tensor.collapse_shape %191 [[0], [1, 2, 3]] : tensor<?x8x2x12xf32> into tensor<?x192xf32>
    %196 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xf32>, tensor<2x2xi32>) -> tensor<2x2x192xf32>
    %197 = "stablehlo.select"(%78, %196, %79) : (tensor<2x2x192xi1>, tensor<2x2x192xf32>, tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %198 = "stablehlo.optimization_barrier"(%197) : (tensor<2x2x192xf32>) -> tensor<2x2x192xf32>
    %199 = "stablehlo.reshape"(%198) : (tensor<2x2x192xf32>) -> tensor<2x16x2x12xf32>
    %200 = "stablehlo.multiply"(%173, %87) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %201 = "stablehlo.reshape"(%200) : (tensor<2x4x12xf32>) -> tensor<2x1x2x2x12xf32>
    %202 = "stablehlo.dot_general"(%201, %195) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x16xf32>
    %203 = "stablehlo.select"(%96, %202, %97) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %204 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %205 = "stablehlo.reduce"(%203, %204) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %268 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %206 = "stablehlo.broadcast_in_dim"(%205) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %207 = "stablehlo.subtract"(%203, %206) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %208 = "stablehlo.exponential"(%207) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %209 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %210 = "stablehlo.reduce"(%208, %209) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %268 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %211 = "stablehlo.broadcast_in_dim"(%210) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %212 = "stablehlo.divide"(%208, %211) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %213 = "stablehlo.select"(%96, %212, %108) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %214 = "stablehlo.dot_general"(%213, %199) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x12xf32>) -> tensor<2x2x1x2x12xf32>
    %215 = "stablehlo.transpose"(%214) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %216 = "stablehlo.reshape"(%215) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %217 = "stablehlo.reshape"(%216) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %218 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<40x48xf32>
    %219 = "stablehlo.dot_general"(%217, %218) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x48xf32>, tensor<40x48xf32>) -> tensor<2x40xf32>
    %220 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %221 = "stablehlo.broadcast_in_dim"(%220) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %222 = "stablehlo.add"(%219, %221) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %223 = "stablehlo.add"(%149, %222) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %224 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %225 = "stablehlo.multiply"(%223, %223) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %226 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %227 = "stablehlo.reduce"(%225, %226) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %268 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %228 = "stablehlo.divide"(%227, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %229 = "stablehlo.add"(%228, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %230 = "stablehlo.rsqrt"(%229) : (tensor<2xf32>) -> tensor<2xf32>
    %231 = "stablehlo.broadcast_in_dim"(%230) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %232 = "stablehlo.multiply"(%223, %231) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %233 = "stablehlo.broadcast_in_dim"(%224) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %234 = "stablehlo.multiply"(%232, %233) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %235 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %236 = "stablehlo.dot_general"(%234, %235) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<144x40xf32>) -> tensor<2x144xf32>
    %237 = "stablehlo.slice"(%236) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %238 = "util.global.load"() {global = @model.layers.1.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %239 = "stablehlo.broadcast_in_dim"(%238) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %240 = "stablehlo.add"(%237, %239) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %241 = "stablehlo.slice"(%236) {limit_indices = array<i64: 2, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<2x144xf32>) -> tensor<2x72xf32>
    %242 = "util.global.load"() {global = @model.layers.1.mlp.up_proj.bias} : () -> tensor<72xf32>
    %243 = "stablehlo.broadcast_in_dim"(%242) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %244 = "stablehlo.add"(%241, %243) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %245 = "stablehlo.logistic"(%240) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %246 = "stablehlo.multiply"(%240, %245) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %247 = "stablehlo.multiply"(%246, %244) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %248 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %249 = "stablehlo.dot_general"(%247, %248) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x72xf32>, tensor<40x72xf32>) -> tensor<2x40xf32>
    %250 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.bias} : () -> tensor<40xf32>
    %251 = "stablehlo.broadcast_in_dim"(%250) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %252 = "stablehlo.add"(%249, %251) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %253 = "stablehlo.add"(%223, %252) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %254 = "stablehlo.gather"(%253, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<2x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %255 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %256 = "stablehlo.multiply"(%254, %254) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %257 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %258 = "stablehlo.reduce"(%256, %257) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %268 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %259 = "stablehlo.divide"(%258, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %260 = "stablehlo.add"(%259, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %261 = "stablehlo.rsqrt"(%260) : (tensor<2xf32>) -> tensor<2xf32>
    %262 = "stablehlo.broadcast_in_dim"(%261) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %263 = "stablehlo.multiply"(%254, %262) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %264 = "stablehlo.broadcast_in_dim"(%255) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %265 = "stablehlo.multiply"(%263, %264) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %266 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x40xf32>
    %267 = "stablehlo.dot_general"(%265, %266) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x40xf32>, tensor<128x40xf32>) -> tensor<2x128xf32>
    return %267, %67, %68, %190, %191 : tensor<2x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>
  }
}
