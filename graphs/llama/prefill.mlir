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
  func.func @prefill(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>, %arg2: tensor<8x2xi32>, %arg3: tensor<1x2xi32>, %arg4: tensor<1xi32>, %arg5: tensor<?x8x2x12xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x12xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x12xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x12xf32> {iree.abi.output = 4 : index}) -> (tensor<1x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.112246208, 0.0125992103, 0.00141421356, 1.58740106E-4, 1.78179744E-5]> : tensor<6xf32>} : () -> tensor<6xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<8x6xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<8xi32>) -> tensor<8xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x8x6xf32>, tensor<1x8x6xf32>) -> tensor<2x8x6xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x40xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<128x40xf32>, tensor<8xi32>) -> tensor<8x40xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<40xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %273 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
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
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x40xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<96x40xf32>) -> tensor<8x96xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x48xf32>
    %28 = "util.global.load"() {global = @model.layers.0.self_attn.q_proj.bias} : () -> tensor<48xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %30 = "stablehlo.add"(%27, %29) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %31 = "stablehlo.reshape"(%30) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %33 = "stablehlo.slice"(%32) {limit_indices = array<i64: 8, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x1x6xf32>
    %34 = "stablehlo.slice"(%32) {limit_indices = array<i64: 8, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x1x6xf32>
    %35 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 8, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x6xf32>) -> tensor<8x4x1x6xf32>
    %38 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 8, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %39 = "stablehlo.reshape"(%38) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x6xf32>) -> tensor<8x4x1x6xf32>
    %41 = "stablehlo.multiply"(%33, %37) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %42 = "stablehlo.multiply"(%34, %40) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %43 = "stablehlo.subtract"(%41, %42) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %44 = "stablehlo.multiply"(%34, %37) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %45 = "stablehlo.multiply"(%33, %40) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %46 = "stablehlo.add"(%44, %45) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %47 = "stablehlo.concatenate"(%43, %46) {dimension = 2 : i64} : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x2x6xf32>
    %48 = "stablehlo.reshape"(%47) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %49 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %50 = "util.global.load"() {global = @model.layers.0.self_attn.k_proj.bias} : () -> tensor<24xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %52 = "stablehlo.add"(%49, %51) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %53 = "stablehlo.reshape"(%52) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %55 = "stablehlo.slice"(%54) {limit_indices = array<i64: 8, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x1x6xf32>
    %56 = "stablehlo.slice"(%54) {limit_indices = array<i64: 8, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x1x6xf32>
    %57 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x6xf32>) -> tensor<8x2x1x6xf32>
    %58 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x6xf32>) -> tensor<8x2x1x6xf32>
    %59 = "stablehlo.multiply"(%55, %57) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %60 = "stablehlo.multiply"(%56, %58) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %61 = "stablehlo.subtract"(%59, %60) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %62 = "stablehlo.multiply"(%56, %57) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %63 = "stablehlo.multiply"(%55, %58) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %64 = "stablehlo.add"(%62, %63) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %65 = "stablehlo.concatenate"(%61, %64) {dimension = 2 : i64} : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x2x6xf32>
    %66 = "stablehlo.reshape"(%65) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %67 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %68 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %70 = "stablehlo.add"(%67, %69) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %71 = "stablehlo.reshape"(%70) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %72 = "stablehlo.scatter"(%arg5, %arg2, %66) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %73 = "stablehlo.scatter"(%arg6, %arg2, %71) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %74 = "stablehlo.gather"(%72, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x12xf32>
    %75 = "stablehlo.reshape"(%74) : (tensor<1x2x8x2x12xf32>) -> tensor<1x16x2x12xf32>
    %76 = "stablehlo.gather"(%73, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x12xf32>
    %77 = "stablehlo.reshape"(%76) : (tensor<1x2x8x2x12xf32>) -> tensor<1x16x2x12xf32>
    %78 = "stablehlo.constant"() {value = dense<0.288675129> : tensor<8x4x12xf32>} : () -> tensor<8x4x12xf32>
    %79 = "stablehlo.multiply"(%48, %78) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %80 = "stablehlo.reshape"(%79) : (tensor<8x4x12xf32>) -> tensor<1x8x2x2x12xf32>
    %81 = "stablehlo.dot_general"(%80, %75) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x16xf32>
    %82 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %83 = "stablehlo.broadcast_in_dim"(%82) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<1x8x16xi32>
    %84 = "stablehlo.reshape"(%arg1) : (tensor<8xi32>) -> tensor<1x8xi32>
    %85 = "stablehlo.broadcast_in_dim"(%84) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %86 = "stablehlo.compare"(%83, %85) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %87 = "stablehlo.broadcast_in_dim"(%86) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x2x8x2x16xi1>
    %88 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %89 = "stablehlo.select"(%87, %81, %88) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %90 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %91 = "stablehlo.reduce"(%89, %90) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %273 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %92 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x2x8x2xf32>} : () -> tensor<1x2x8x2xf32>
    %93 = "stablehlo.compare"(%91, %92) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xi1>
    %94 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x8x2xf32>} : () -> tensor<1x2x8x2xf32>
    %95 = "stablehlo.select"(%93, %94, %91) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %96 = "stablehlo.broadcast_in_dim"(%95) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %97 = "stablehlo.subtract"(%89, %96) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %98 = "stablehlo.exponential"(%97) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %99 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %100 = "stablehlo.reduce"(%98, %99) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %273 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %101 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<1x2x8x2xf32>} : () -> tensor<1x2x8x2xf32>
    %102 = "stablehlo.select"(%93, %101, %100) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %103 = "stablehlo.broadcast_in_dim"(%102) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %104 = "stablehlo.divide"(%98, %103) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %105 = "stablehlo.dot_general"(%104, %77) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x12xf32>
    %106 = "stablehlo.transpose"(%105) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %107 = "stablehlo.reshape"(%106) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %108 = "stablehlo.reshape"(%107) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %109 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<40x48xf32>
    %110 = "stablehlo.dot_general"(%108, %109) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<40x48xf32>) -> tensor<8x40xf32>
    %111 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %112 = "stablehlo.broadcast_in_dim"(%111) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %113 = "stablehlo.add"(%110, %112) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %114 = "stablehlo.add"(%11, %113) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %115 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %116 = "stablehlo.multiply"(%114, %114) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %117 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %118 = "stablehlo.reduce"(%116, %117) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %273 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %119 = "stablehlo.divide"(%118, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %120 = "stablehlo.add"(%119, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %121 = "stablehlo.rsqrt"(%120) : (tensor<8xf32>) -> tensor<8xf32>
    %122 = "stablehlo.broadcast_in_dim"(%121) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %123 = "stablehlo.multiply"(%114, %122) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %124 = "stablehlo.broadcast_in_dim"(%115) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %125 = "stablehlo.multiply"(%123, %124) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %126 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %127 = "stablehlo.dot_general"(%125, %126) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<144x40xf32>) -> tensor<8x144xf32>
    %128 = "stablehlo.slice"(%127) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x144xf32>) -> tensor<8x72xf32>
    %129 = "util.global.load"() {global = @model.layers.0.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %130 = "stablehlo.broadcast_in_dim"(%129) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<8x72xf32>
    %131 = "stablehlo.add"(%128, %130) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %132 = "stablehlo.slice"(%127) {limit_indices = array<i64: 8, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x144xf32>) -> tensor<8x72xf32>
    %133 = "util.global.load"() {global = @model.layers.0.mlp.up_proj.bias} : () -> tensor<72xf32>
    %134 = "stablehlo.broadcast_in_dim"(%133) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<8x72xf32>
    %135 = "stablehlo.add"(%132, %134) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %136 = "stablehlo.logistic"(%131) : (tensor<8x72xf32>) -> tensor<8x72xf32>
    %137 = "stablehlo.multiply"(%131, %136) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %138 = "stablehlo.multiply"(%137, %135) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %139 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %140 = "stablehlo.dot_general"(%138, %139) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x72xf32>, tensor<40x72xf32>) -> tensor<8x40xf32>
    %141 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.bias} : () -> tensor<40xf32>
    %142 = "stablehlo.broadcast_in_dim"(%141) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %143 = "stablehlo.add"(%140, %142) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %144 = "stablehlo.add"(%114, %143) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %145 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %146 = "stablehlo.multiply"(%144, %144) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %147 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %148 = "stablehlo.reduce"(%146, %147) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %273 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %149 = "stablehlo.divide"(%148, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %150 = "stablehlo.add"(%149, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %151 = "stablehlo.rsqrt"(%150) : (tensor<8xf32>) -> tensor<8xf32>
    %152 = "stablehlo.broadcast_in_dim"(%151) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %153 = "stablehlo.multiply"(%144, %152) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %154 = "stablehlo.broadcast_in_dim"(%145) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %155 = "stablehlo.multiply"(%153, %154) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %156 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<96x40xf32>
    %157 = "stablehlo.dot_general"(%155, %156) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<96x40xf32>) -> tensor<8x96xf32>
    %158 = "stablehlo.slice"(%157) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x48xf32>
    %159 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.bias} : () -> tensor<48xf32>
    %160 = "stablehlo.broadcast_in_dim"(%159) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %161 = "stablehlo.add"(%158, %160) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %162 = "stablehlo.reshape"(%161) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %163 = "stablehlo.reshape"(%162) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %164 = "stablehlo.slice"(%163) {limit_indices = array<i64: 8, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x1x6xf32>
    %165 = "stablehlo.slice"(%163) {limit_indices = array<i64: 8, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x1x6xf32>
    %166 = "stablehlo.multiply"(%164, %37) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %167 = "stablehlo.multiply"(%165, %40) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %168 = "stablehlo.subtract"(%166, %167) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %169 = "stablehlo.multiply"(%165, %37) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %170 = "stablehlo.multiply"(%164, %40) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %171 = "stablehlo.add"(%169, %170) : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x1x6xf32>
    %172 = "stablehlo.concatenate"(%168, %171) {dimension = 2 : i64} : (tensor<8x4x1x6xf32>, tensor<8x4x1x6xf32>) -> tensor<8x4x2x6xf32>
    %173 = "stablehlo.reshape"(%172) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %174 = "stablehlo.slice"(%157) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %175 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.bias} : () -> tensor<24xf32>
    %176 = "stablehlo.broadcast_in_dim"(%175) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %177 = "stablehlo.add"(%174, %176) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %178 = "stablehlo.reshape"(%177) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %179 = "stablehlo.reshape"(%178) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %180 = "stablehlo.slice"(%179) {limit_indices = array<i64: 8, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x1x6xf32>
    %181 = "stablehlo.slice"(%179) {limit_indices = array<i64: 8, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x1x6xf32>
    %182 = "stablehlo.multiply"(%180, %57) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %183 = "stablehlo.multiply"(%181, %58) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %184 = "stablehlo.subtract"(%182, %183) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %185 = "stablehlo.multiply"(%181, %57) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %186 = "stablehlo.multiply"(%180, %58) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %187 = "stablehlo.add"(%185, %186) : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x1x6xf32>
    %188 = "stablehlo.concatenate"(%184, %187) {dimension = 2 : i64} : (tensor<8x2x1x6xf32>, tensor<8x2x1x6xf32>) -> tensor<8x2x2x6xf32>
    %189 = "stablehlo.reshape"(%188) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %190 = "stablehlo.slice"(%157) {limit_indices = array<i64: 8, 96>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x96xf32>) -> tensor<8x24xf32>
    %191 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %192 = "stablehlo.broadcast_in_dim"(%191) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %193 = "stablehlo.add"(%190, %192) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %194 = "stablehlo.reshape"(%193) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %195 = "stablehlo.scatter"(%arg7, %arg2, %189) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %196 = "stablehlo.scatter"(%arg8, %arg2, %194) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xf32>, tensor<8x2xi32>, tensor<8x2x12xf32>) -> tensor<?x8x2x12xf32>
    %197 = "stablehlo.gather"(%195, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x12xf32>
    %198 = "stablehlo.reshape"(%197) : (tensor<1x2x8x2x12xf32>) -> tensor<1x16x2x12xf32>
    %199 = "stablehlo.gather"(%196, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x12xf32>
    %200 = "stablehlo.reshape"(%199) : (tensor<1x2x8x2x12xf32>) -> tensor<1x16x2x12xf32>
    %201 = "stablehlo.multiply"(%173, %78) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %202 = "stablehlo.reshape"(%201) : (tensor<8x4x12xf32>) -> tensor<1x8x2x2x12xf32>
    %203 = "stablehlo.dot_general"(%202, %198) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x16xf32>
    %204 = "stablehlo.select"(%87, %203, %88) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %205 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %206 = "stablehlo.reduce"(%204, %205) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %273 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %207 = "stablehlo.compare"(%206, %92) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xi1>
    %208 = "stablehlo.select"(%207, %94, %206) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %209 = "stablehlo.broadcast_in_dim"(%208) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %210 = "stablehlo.subtract"(%204, %209) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %211 = "stablehlo.exponential"(%210) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %212 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %213 = "stablehlo.reduce"(%211, %212) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %273 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %214 = "stablehlo.select"(%207, %101, %213) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %215 = "stablehlo.broadcast_in_dim"(%214) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %216 = "stablehlo.divide"(%211, %215) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %217 = "stablehlo.dot_general"(%216, %200) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x12xf32>) -> tensor<1x2x8x2x12xf32>
    %218 = "stablehlo.transpose"(%217) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %219 = "stablehlo.reshape"(%218) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %220 = "stablehlo.reshape"(%219) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %221 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<40x48xf32>
    %222 = "stablehlo.dot_general"(%220, %221) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<40x48xf32>) -> tensor<8x40xf32>
    %223 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %224 = "stablehlo.broadcast_in_dim"(%223) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %225 = "stablehlo.add"(%222, %224) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %226 = "stablehlo.add"(%144, %225) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %227 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %228 = "stablehlo.multiply"(%226, %226) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %229 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %230 = "stablehlo.reduce"(%228, %229) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %273 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %231 = "stablehlo.divide"(%230, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %232 = "stablehlo.add"(%231, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %233 = "stablehlo.rsqrt"(%232) : (tensor<8xf32>) -> tensor<8xf32>
    %234 = "stablehlo.broadcast_in_dim"(%233) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %235 = "stablehlo.multiply"(%226, %234) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %236 = "stablehlo.broadcast_in_dim"(%227) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %237 = "stablehlo.multiply"(%235, %236) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %238 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<144x40xf32>
    %239 = "stablehlo.dot_general"(%237, %238) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<144x40xf32>) -> tensor<8x144xf32>
    %240 = "stablehlo.slice"(%239) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x144xf32>) -> tensor<8x72xf32>
    %241 = "util.global.load"() {global = @model.layers.1.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %242 = "stablehlo.broadcast_in_dim"(%241) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<8x72xf32>
    %243 = "stablehlo.add"(%240, %242) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %244 = "stablehlo.slice"(%239) {limit_indices = array<i64: 8, 144>, start_indices = array<i64: 0, 72>, strides = array<i64: 1, 1>} : (tensor<8x144xf32>) -> tensor<8x72xf32>
    %245 = "util.global.load"() {global = @model.layers.1.mlp.up_proj.bias} : () -> tensor<72xf32>
    %246 = "stablehlo.broadcast_in_dim"(%245) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<8x72xf32>
    %247 = "stablehlo.add"(%244, %246) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %248 = "stablehlo.logistic"(%243) : (tensor<8x72xf32>) -> tensor<8x72xf32>
    %249 = "stablehlo.multiply"(%243, %248) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %250 = "stablehlo.multiply"(%249, %247) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %251 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<40x72xf32>
    %252 = "stablehlo.dot_general"(%250, %251) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x72xf32>, tensor<40x72xf32>) -> tensor<8x40xf32>
    %253 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.bias} : () -> tensor<40xf32>
    %254 = "stablehlo.broadcast_in_dim"(%253) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %255 = "stablehlo.add"(%252, %254) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %256 = "stablehlo.add"(%226, %255) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %257 = "stablehlo.gather"(%256, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<8x40xf32>, tensor<1xi32>) -> tensor<1x40xf32>
    %258 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %259 = "stablehlo.multiply"(%257, %257) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %260 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %261 = "stablehlo.reduce"(%259, %260) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %273 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x40xf32>, tensor<f32>) -> tensor<1xf32>
    %262 = "stablehlo.constant"() {value = dense<4.000000e+01> : tensor<1xf32>} : () -> tensor<1xf32>
    %263 = "stablehlo.divide"(%261, %262) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %264 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<1xf32>} : () -> tensor<1xf32>
    %265 = "stablehlo.add"(%263, %264) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %266 = "stablehlo.rsqrt"(%265) : (tensor<1xf32>) -> tensor<1xf32>
    %267 = "stablehlo.broadcast_in_dim"(%266) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x40xf32>
    %268 = "stablehlo.multiply"(%257, %267) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %269 = "stablehlo.broadcast_in_dim"(%258) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<1x40xf32>
    %270 = "stablehlo.multiply"(%268, %269) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %271 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x40xf32>
    %272 = "stablehlo.dot_general"(%270, %271) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<1x40xf32>, tensor<128x40xf32>) -> tensor<1x128xf32>
    return %272, %72, %73, %195, %196 : tensor<1x128xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>, tensor<?x8x2x12xf32>
  }
}
