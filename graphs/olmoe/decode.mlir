module @olmoe {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x24xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x24xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.experts.down.weight"> : tensor<192x16xf32>, sym_name = "model.layers.0.mlp.experts.down.weight", sym_visibility = "private", type = tensor<192x16xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.experts.gate+up.weight"> : tensor<256x24xf32>, sym_name = "model.layers.0.mlp.experts.gate+up.weight", sym_visibility = "private", type = tensor<256x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate.weight"> : tensor<8x24xf32>, sym_name = "model.layers.0.mlp.gate.weight", sym_visibility = "private", type = tensor<8x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.0.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<24x24xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_norm.weight"> : tensor<24xf32>, sym_name = "model.layers.0.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<48x24xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<48x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.experts.down.weight"> : tensor<192x16xf32>, sym_name = "model.layers.1.mlp.experts.down.weight", sym_visibility = "private", type = tensor<192x16xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.experts.gate+up.weight"> : tensor<256x24xf32>, sym_name = "model.layers.1.mlp.experts.gate+up.weight", sym_visibility = "private", type = tensor<256x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate.weight"> : tensor<8x24xf32>, sym_name = "model.layers.1.mlp.gate.weight", sym_visibility = "private", type = tensor<8x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_norm.weight"> : tensor<12xf32>, sym_name = "model.layers.1.self_attn.k_norm.weight", sym_visibility = "private", type = tensor<12xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<24x24xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<24x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_norm.weight"> : tensor<24xf32>, sym_name = "model.layers.1.self_attn.q_norm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<48x24xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<48x24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<24xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  func.func @decode(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xi32>, %arg3: tensor<2x2xi32>, %arg4: tensor<2xi32>, %arg5: tensor<?x8x2x6xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x6xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x6xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x6xf32> {iree.abi.output = 4 : index}) -> (tensor<2x128xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.0464158878, 0.0021544348]> : tensor<3xf32>} : () -> tensor<3xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<2x3xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<2xi32>) -> tensor<2xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x3xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<2x2x3xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x24xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<128x24xf32>, tensor<2xi32>) -> tensor<2x24xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<24xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
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
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<48x24xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<48x24xf32>) -> tensor<2x48xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x24xf32>
    %28 = "util.global.load"() {global = @model.layers.0.self_attn.q_norm.weight} : () -> tensor<24xf32>
    %29 = "stablehlo.multiply"(%27, %27) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %30 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %31 = "stablehlo.reduce"(%29, %30) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %32 = "stablehlo.divide"(%31, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %33 = "stablehlo.add"(%32, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %34 = "stablehlo.rsqrt"(%33) : (tensor<2xf32>) -> tensor<2xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %36 = "stablehlo.multiply"(%27, %35) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %37 = "stablehlo.broadcast_in_dim"(%28) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %38 = "stablehlo.multiply"(%36, %37) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %39 = "stablehlo.constant"() {value = dense<-2.000000e+00> : tensor<2x24xf32>} : () -> tensor<2x24xf32>
    %40 = "stablehlo.maximum"(%38, %39) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %41 = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<2x24xf32>} : () -> tensor<2x24xf32>
    %42 = "stablehlo.minimum"(%40, %41) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %43 = "stablehlo.reshape"(%42) : (tensor<2x24xf32>) -> tensor<2x4x6xf32>
    %44 = "stablehlo.reshape"(%43) : (tensor<2x4x6xf32>) -> tensor<2x4x2x3xf32>
    %45 = "stablehlo.reverse"(%44) {dimensions = array<i64: 2>} : (tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
    %46 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 3>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    %48 = "stablehlo.broadcast_in_dim"(%47) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x3xf32>) -> tensor<2x2x3xf32>
    %49 = "stablehlo.broadcast_in_dim"(%48) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x3xf32>) -> tensor<2x4x2x3xf32>
    %50 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 3>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
    %51 = "stablehlo.reshape"(%50) : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    %52 = "stablehlo.broadcast_in_dim"(%51) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x3xf32>) -> tensor<2x2x3xf32>
    %53 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2x3xf32>
    %55 = "stablehlo.multiply"(%52, %54) : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
    %56 = "stablehlo.broadcast_in_dim"(%55) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x3xf32>) -> tensor<2x4x2x3xf32>
    %57 = "stablehlo.multiply"(%44, %49) : (tensor<2x4x2x3xf32>, tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
    %58 = "stablehlo.multiply"(%45, %56) : (tensor<2x4x2x3xf32>, tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
    %59 = "stablehlo.add"(%57, %58) : (tensor<2x4x2x3xf32>, tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
    %60 = "stablehlo.reshape"(%59) : (tensor<2x4x2x3xf32>) -> tensor<2x4x6xf32>
    %61 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 36>, start_indices = array<i64: 0, 24>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x12xf32>
    %62 = "util.global.load"() {global = @model.layers.0.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %63 = "stablehlo.multiply"(%61, %61) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %64 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %65 = "stablehlo.reduce"(%63, %64) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x12xf32>, tensor<f32>) -> tensor<2xf32>
    %66 = "stablehlo.constant"() {value = dense<1.200000e+01> : tensor<2xf32>} : () -> tensor<2xf32>
    %67 = "stablehlo.divide"(%65, %66) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %68 = "stablehlo.add"(%67, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %69 = "stablehlo.rsqrt"(%68) : (tensor<2xf32>) -> tensor<2xf32>
    %70 = "stablehlo.broadcast_in_dim"(%69) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x12xf32>
    %71 = "stablehlo.multiply"(%61, %70) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %72 = "stablehlo.broadcast_in_dim"(%62) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<2x12xf32>
    %73 = "stablehlo.multiply"(%71, %72) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %74 = "stablehlo.constant"() {value = dense<-2.000000e+00> : tensor<2x12xf32>} : () -> tensor<2x12xf32>
    %75 = "stablehlo.maximum"(%73, %74) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %76 = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<2x12xf32>} : () -> tensor<2x12xf32>
    %77 = "stablehlo.minimum"(%75, %76) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %78 = "stablehlo.reshape"(%77) : (tensor<2x12xf32>) -> tensor<2x2x6xf32>
    %79 = "stablehlo.reshape"(%78) : (tensor<2x2x6xf32>) -> tensor<2x2x2x3xf32>
    %80 = "stablehlo.reverse"(%79) {dimensions = array<i64: 2>} : (tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %81 = "stablehlo.broadcast_in_dim"(%48) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %82 = "stablehlo.broadcast_in_dim"(%55) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %83 = "stablehlo.multiply"(%79, %81) : (tensor<2x2x2x3xf32>, tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %84 = "stablehlo.multiply"(%80, %82) : (tensor<2x2x2x3xf32>, tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %85 = "stablehlo.add"(%83, %84) : (tensor<2x2x2x3xf32>, tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<2x2x2x3xf32>) -> tensor<2x2x6xf32>
    %87 = "stablehlo.slice"(%26) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 36>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x12xf32>
    %88 = "stablehlo.maximum"(%87, %74) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %89 = "stablehlo.minimum"(%88, %76) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %90 = "stablehlo.reshape"(%89) : (tensor<2x12xf32>) -> tensor<2x2x6xf32>
    %91 = "stablehlo.scatter"(%arg5, %arg2, %86) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<2x2xi32>, tensor<2x2x6xf32>) -> tensor<?x8x2x6xf32>
    %92 = "stablehlo.scatter"(%arg6, %arg2, %90) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<2x2xi32>, tensor<2x2x6xf32>) -> tensor<?x8x2x6xf32>
    %93 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %94 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %95 = "stablehlo.reduce"(%93, %94) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %96 = "stablehlo.broadcast_in_dim"(%95) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %97 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %98 = "stablehlo.broadcast_in_dim"(%97) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %99 = "stablehlo.compare"(%98, %96) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %100 = "stablehlo.optimization_barrier"(%99) : (tensor<2x2xi1>) -> tensor<2x2xi1>
    %collapsed = tensor.collapse_shape %91 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %101 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<2x2xi32>) -> tensor<2x2x96xf32>
    %102 = "stablehlo.broadcast_in_dim"(%100) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xi1>) -> tensor<2x2x96xi1>
    %103 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x96xf32>} : () -> tensor<2x2x96xf32>
    %104 = "stablehlo.select"(%102, %101, %103) : (tensor<2x2x96xi1>, tensor<2x2x96xf32>, tensor<2x2x96xf32>) -> tensor<2x2x96xf32>
    %105 = "stablehlo.optimization_barrier"(%104) : (tensor<2x2x96xf32>) -> tensor<2x2x96xf32>
    %106 = "stablehlo.reshape"(%105) : (tensor<2x2x96xf32>) -> tensor<2x16x2x6xf32>
    %collapsed_0 = tensor.collapse_shape %92 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %107 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<2x2xi32>) -> tensor<2x2x96xf32>
    %108 = "stablehlo.select"(%102, %107, %103) : (tensor<2x2x96xi1>, tensor<2x2x96xf32>, tensor<2x2x96xf32>) -> tensor<2x2x96xf32>
    %109 = "stablehlo.optimization_barrier"(%108) : (tensor<2x2x96xf32>) -> tensor<2x2x96xf32>
    %110 = "stablehlo.reshape"(%109) : (tensor<2x2x96xf32>) -> tensor<2x16x2x6xf32>
    %111 = "stablehlo.constant"() {value = dense<0.408248305> : tensor<2x4x6xf32>} : () -> tensor<2x4x6xf32>
    %112 = "stablehlo.multiply"(%60, %111) : (tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %113 = "stablehlo.reshape"(%112) : (tensor<2x4x6xf32>) -> tensor<2x1x2x2x6xf32>
    %114 = "stablehlo.dot_general"(%113, %106) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x6xf32>, tensor<2x16x2x6xf32>) -> tensor<2x2x1x2x16xf32>
    %115 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %116 = "stablehlo.broadcast_in_dim"(%115) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<2x1x16xi32>
    %117 = "stablehlo.reshape"(%arg1) : (tensor<2xi32>) -> tensor<2x1xi32>
    %118 = "stablehlo.broadcast_in_dim"(%117) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %119 = "stablehlo.compare"(%116, %118) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %120 = "stablehlo.broadcast_in_dim"(%119) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %121 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %122 = "stablehlo.select"(%120, %114, %121) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %123 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %124 = "stablehlo.reduce"(%122, %123) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %125 = "stablehlo.broadcast_in_dim"(%124) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %126 = "stablehlo.subtract"(%122, %125) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %127 = "stablehlo.exponential"(%126) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %128 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %129 = "stablehlo.reduce"(%127, %128) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %130 = "stablehlo.broadcast_in_dim"(%129) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %131 = "stablehlo.divide"(%127, %130) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %132 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %133 = "stablehlo.select"(%120, %131, %132) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %134 = "stablehlo.dot_general"(%133, %110) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x6xf32>) -> tensor<2x2x1x2x6xf32>
    %135 = "stablehlo.transpose"(%134) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x6xf32>) -> tensor<2x1x2x2x6xf32>
    %136 = "stablehlo.reshape"(%135) : (tensor<2x1x2x2x6xf32>) -> tensor<2x4x6xf32>
    %137 = "stablehlo.reshape"(%136) : (tensor<2x4x6xf32>) -> tensor<2x24xf32>
    %138 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<24x24xf32>
    %139 = "stablehlo.dot_general"(%137, %138) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<24x24xf32>) -> tensor<2x24xf32>
    %140 = "stablehlo.add"(%11, %139) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %141 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %142 = "stablehlo.multiply"(%140, %140) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %143 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %144 = "stablehlo.reduce"(%142, %143) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %145 = "stablehlo.divide"(%144, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %146 = "stablehlo.add"(%145, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %147 = "stablehlo.rsqrt"(%146) : (tensor<2xf32>) -> tensor<2xf32>
    %148 = "stablehlo.broadcast_in_dim"(%147) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %149 = "stablehlo.multiply"(%140, %148) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %150 = "stablehlo.broadcast_in_dim"(%141) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %151 = "stablehlo.multiply"(%149, %150) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %152 = "util.global.load"() {global = @model.layers.0.mlp.gate.weight} : () -> tensor<8x24xf32>
    %153 = "stablehlo.dot_general"(%151, %152) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<8x24xf32>) -> tensor<2x8xf32>
    %154 = "stablehlo.compare"(%153, %153) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %155 = "stablehlo.constant"() {value = dense<0x7F800000> : tensor<2x8xf32>} : () -> tensor<2x8xf32>
    %156 = "stablehlo.select"(%154, %153, %155) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %157 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x8xf32>} : () -> tensor<2x8xf32>
    %158 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x8xf32>
    %159 = "stablehlo.negate"(%158) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %160 = "stablehlo.compare"(%158, %158) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %161 = "stablehlo.select"(%160, %156, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %162 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %163 = "stablehlo.reduce"(%161, %162) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %164 = "stablehlo.broadcast_in_dim"(%163) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %165 = "stablehlo.compare"(%156, %164) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %166 = "stablehlo.and"(%165, %160) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %167 = "stablehlo.select"(%166, %159, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %168 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %169 = "stablehlo.reduce"(%167, %168) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %170 = "stablehlo.negate"(%169) : (tensor<2xf32>) -> tensor<2xf32>
    %171 = "stablehlo.broadcast_in_dim"(%170) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %172 = "stablehlo.compare"(%158, %171) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %173 = "stablehlo.and"(%160, %172) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %174 = "stablehlo.select"(%173, %156, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %175 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %176 = "stablehlo.reduce"(%174, %175) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %177 = "stablehlo.broadcast_in_dim"(%176) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %178 = "stablehlo.compare"(%156, %177) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %179 = "stablehlo.and"(%178, %173) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %180 = "stablehlo.select"(%179, %159, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %181 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %182 = "stablehlo.reduce"(%180, %181) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %183 = "stablehlo.negate"(%182) : (tensor<2xf32>) -> tensor<2xf32>
    %184 = "stablehlo.broadcast_in_dim"(%183) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %185 = "stablehlo.compare"(%158, %184) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %186 = "stablehlo.and"(%173, %185) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %187 = "stablehlo.select"(%186, %156, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %188 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %189 = "stablehlo.reduce"(%187, %188) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %190 = "stablehlo.broadcast_in_dim"(%189) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %191 = "stablehlo.compare"(%156, %190) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %192 = "stablehlo.and"(%191, %186) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %193 = "stablehlo.select"(%192, %159, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %194 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %195 = "stablehlo.reduce"(%193, %194) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %196 = "stablehlo.negate"(%195) : (tensor<2xf32>) -> tensor<2xf32>
    %197 = "stablehlo.broadcast_in_dim"(%196) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %198 = "stablehlo.compare"(%158, %197) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %199 = "stablehlo.and"(%186, %198) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %200 = "stablehlo.select"(%199, %156, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %201 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %202 = "stablehlo.reduce"(%200, %201) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %203 = "stablehlo.broadcast_in_dim"(%202) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %204 = "stablehlo.compare"(%156, %203) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %205 = "stablehlo.and"(%204, %199) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %206 = "stablehlo.select"(%205, %159, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %207 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %208 = "stablehlo.reduce"(%206, %207) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %209 = "stablehlo.negate"(%208) : (tensor<2xf32>) -> tensor<2xf32>
    %210 = "stablehlo.reshape"(%170) : (tensor<2xf32>) -> tensor<2x1xf32>
    %211 = "stablehlo.reshape"(%183) : (tensor<2xf32>) -> tensor<2x1xf32>
    %212 = "stablehlo.reshape"(%196) : (tensor<2xf32>) -> tensor<2x1xf32>
    %213 = "stablehlo.reshape"(%209) : (tensor<2xf32>) -> tensor<2x1xf32>
    %214 = "stablehlo.concatenate"(%210, %211, %212, %213) {dimension = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
    %215 = "stablehlo.convert"(%214) : (tensor<2x4xf32>) -> tensor<2x4xi32>
    %216 = "stablehlo.constant"() {value = dense<true> : tensor<2x8xi1>} : () -> tensor<2x8xi1>
    %217 = "stablehlo.select"(%216, %153, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %218 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %219 = "stablehlo.reduce"(%217, %218) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %220 = "stablehlo.broadcast_in_dim"(%219) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %221 = "stablehlo.subtract"(%217, %220) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %222 = "stablehlo.exponential"(%221) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %223 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %224 = "stablehlo.reduce"(%222, %223) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %225 = "stablehlo.broadcast_in_dim"(%224) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %226 = "stablehlo.divide"(%222, %225) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %227 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x8xf32>} : () -> tensor<2x8xf32>
    %228 = "stablehlo.select"(%216, %226, %227) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %229 = "stablehlo.reshape"(%228) : (tensor<2x8xf32>) -> tensor<16xf32>
    %230 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2x4xi32>
    %231 = "stablehlo.constant"() {value = dense<8> : tensor<2x4xi32>} : () -> tensor<2x4xi32>
    %232 = "stablehlo.multiply"(%230, %231) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %233 = "stablehlo.add"(%232, %215) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %234 = "stablehlo.gather"(%229, %233) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<16xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
    %235 = "util.global.load"() {global = @"model.layers.0.mlp.experts.gate+up.weight"} : () -> tensor<256x24xf32>
    %236 = "stablehlo.dot_general"(%151, %235) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<256x24xf32>) -> tensor<2x256xf32>
    %237 = "stablehlo.reshape"(%236) : (tensor<2x256xf32>) -> tensor<2x8x32xf32>
    %238 = "stablehlo.reshape"(%237) : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %239 = "stablehlo.gather"(%238, %233) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>} : (tensor<16x32xf32>, tensor<2x4xi32>) -> tensor<2x4x32xf32>
    %240 = "stablehlo.slice"(%239) {limit_indices = array<i64: 2, 4, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x4x32xf32>) -> tensor<2x4x16xf32>
    %241 = "stablehlo.slice"(%239) {limit_indices = array<i64: 2, 4, 32>, start_indices = array<i64: 0, 0, 16>, strides = array<i64: 1, 1, 1>} : (tensor<2x4x32xf32>) -> tensor<2x4x16xf32>
    %242 = "stablehlo.logistic"(%240) : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %243 = "stablehlo.multiply"(%240, %242) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %244 = "stablehlo.multiply"(%243, %241) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %245 = "util.global.load"() {global = @model.layers.0.mlp.experts.down.weight} : () -> tensor<192x16xf32>
    %246 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x8x4xi32>
    %247 = "stablehlo.broadcast_in_dim"(%215) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x4xi32>) -> tensor<2x8x4xi32>
    %248 = "stablehlo.compare"(%246, %247) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8x4xi32>, tensor<2x8x4xi32>) -> tensor<2x8x4xi1>
    %249 = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<2x8x4xf32>
    %250 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x8x4xf32>} : () -> tensor<2x8x4xf32>
    %251 = "stablehlo.select"(%248, %249, %250) : (tensor<2x8x4xi1>, tensor<2x8x4xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %252 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %253 = "stablehlo.reduce"(%251, %252) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x8x4xf32>, tensor<f32>) -> tensor<2x8xf32>
    %254 = "stablehlo.convert"(%253) : (tensor<2x8xf32>) -> tensor<2x8xi32>
    %255 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<2x8xi32>
    %256 = "stablehlo.constant"() {value = dense<4> : tensor<2x8xi32>} : () -> tensor<2x8xi32>
    %257 = "stablehlo.multiply"(%255, %256) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %258 = "stablehlo.add"(%257, %254) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %259 = "stablehlo.reshape"(%244) : (tensor<2x4x16xf32>) -> tensor<8x16xf32>
    %260 = "stablehlo.gather"(%259, %258) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>} : (tensor<8x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
    %261 = "stablehlo.reshape"(%245) : (tensor<192x16xf32>) -> tensor<8x24x16xf32>
    %262 = "stablehlo.dot_general"(%260, %261) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<2x8x16xf32>, tensor<8x24x16xf32>) -> tensor<8x2x24xf32>
    %263 = "stablehlo.transpose"(%262) {permutation = array<i64: 1, 0, 2>} : (tensor<8x2x24xf32>) -> tensor<2x8x24xf32>
    %264 = "stablehlo.reshape"(%263) : (tensor<2x8x24xf32>) -> tensor<16x24xf32>
    %265 = "stablehlo.gather"(%264, %233) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<16x24xf32>, tensor<2x4xi32>) -> tensor<2x4x24xf32>
    %266 = "stablehlo.broadcast_in_dim"(%234) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x24xf32>
    %267 = "stablehlo.multiply"(%265, %266) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %268 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %269 = "stablehlo.reduce"(%267, %268) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x4x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %270 = "stablehlo.add"(%140, %269) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %271 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<24xf32>
    %272 = "stablehlo.multiply"(%270, %270) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %273 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %274 = "stablehlo.reduce"(%272, %273) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %275 = "stablehlo.divide"(%274, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %276 = "stablehlo.add"(%275, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %277 = "stablehlo.rsqrt"(%276) : (tensor<2xf32>) -> tensor<2xf32>
    %278 = "stablehlo.broadcast_in_dim"(%277) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %279 = "stablehlo.multiply"(%270, %278) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %280 = "stablehlo.broadcast_in_dim"(%271) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %281 = "stablehlo.multiply"(%279, %280) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %282 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<48x24xf32>
    %283 = "stablehlo.dot_general"(%281, %282) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<48x24xf32>) -> tensor<2x48xf32>
    %284 = "stablehlo.slice"(%283) {limit_indices = array<i64: 2, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x24xf32>
    %285 = "util.global.load"() {global = @model.layers.1.self_attn.q_norm.weight} : () -> tensor<24xf32>
    %286 = "stablehlo.multiply"(%284, %284) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %287 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %288 = "stablehlo.reduce"(%286, %287) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %289 = "stablehlo.divide"(%288, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %290 = "stablehlo.add"(%289, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %291 = "stablehlo.rsqrt"(%290) : (tensor<2xf32>) -> tensor<2xf32>
    %292 = "stablehlo.broadcast_in_dim"(%291) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %293 = "stablehlo.multiply"(%284, %292) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %294 = "stablehlo.broadcast_in_dim"(%285) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %295 = "stablehlo.multiply"(%293, %294) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %296 = "stablehlo.maximum"(%295, %39) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %297 = "stablehlo.minimum"(%296, %41) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %298 = "stablehlo.reshape"(%297) : (tensor<2x24xf32>) -> tensor<2x4x6xf32>
    %299 = "stablehlo.reshape"(%298) : (tensor<2x4x6xf32>) -> tensor<2x4x2x3xf32>
    %300 = "stablehlo.reverse"(%299) {dimensions = array<i64: 2>} : (tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
    %301 = "stablehlo.multiply"(%299, %49) : (tensor<2x4x2x3xf32>, tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
    %302 = "stablehlo.multiply"(%300, %56) : (tensor<2x4x2x3xf32>, tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
    %303 = "stablehlo.add"(%301, %302) : (tensor<2x4x2x3xf32>, tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
    %304 = "stablehlo.reshape"(%303) : (tensor<2x4x2x3xf32>) -> tensor<2x4x6xf32>
    %305 = "stablehlo.slice"(%283) {limit_indices = array<i64: 2, 36>, start_indices = array<i64: 0, 24>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x12xf32>
    %306 = "util.global.load"() {global = @model.layers.1.self_attn.k_norm.weight} : () -> tensor<12xf32>
    %307 = "stablehlo.multiply"(%305, %305) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %308 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %309 = "stablehlo.reduce"(%307, %308) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x12xf32>, tensor<f32>) -> tensor<2xf32>
    %310 = "stablehlo.divide"(%309, %66) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %311 = "stablehlo.add"(%310, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %312 = "stablehlo.rsqrt"(%311) : (tensor<2xf32>) -> tensor<2xf32>
    %313 = "stablehlo.broadcast_in_dim"(%312) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x12xf32>
    %314 = "stablehlo.multiply"(%305, %313) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %315 = "stablehlo.broadcast_in_dim"(%306) {broadcast_dimensions = array<i64: 1>} : (tensor<12xf32>) -> tensor<2x12xf32>
    %316 = "stablehlo.multiply"(%314, %315) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %317 = "stablehlo.maximum"(%316, %74) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %318 = "stablehlo.minimum"(%317, %76) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %319 = "stablehlo.reshape"(%318) : (tensor<2x12xf32>) -> tensor<2x2x6xf32>
    %320 = "stablehlo.reshape"(%319) : (tensor<2x2x6xf32>) -> tensor<2x2x2x3xf32>
    %321 = "stablehlo.reverse"(%320) {dimensions = array<i64: 2>} : (tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %322 = "stablehlo.multiply"(%320, %81) : (tensor<2x2x2x3xf32>, tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %323 = "stablehlo.multiply"(%321, %82) : (tensor<2x2x2x3xf32>, tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %324 = "stablehlo.add"(%322, %323) : (tensor<2x2x2x3xf32>, tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %325 = "stablehlo.reshape"(%324) : (tensor<2x2x2x3xf32>) -> tensor<2x2x6xf32>
    %326 = "stablehlo.slice"(%283) {limit_indices = array<i64: 2, 48>, start_indices = array<i64: 0, 36>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x12xf32>
    %327 = "stablehlo.maximum"(%326, %74) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %328 = "stablehlo.minimum"(%327, %76) : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
    %329 = "stablehlo.reshape"(%328) : (tensor<2x12xf32>) -> tensor<2x2x6xf32>
    %330 = "stablehlo.scatter"(%arg7, %arg2, %325) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<2x2xi32>, tensor<2x2x6xf32>) -> tensor<?x8x2x6xf32>
    %331 = "stablehlo.scatter"(%arg8, %arg2, %329) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x6xf32>, tensor<2x2xi32>, tensor<2x2x6xf32>) -> tensor<?x8x2x6xf32>
    %collapsed_1 = tensor.collapse_shape %330 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %332 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<2x2xi32>) -> tensor<2x2x96xf32>
    %333 = "stablehlo.select"(%102, %332, %103) : (tensor<2x2x96xi1>, tensor<2x2x96xf32>, tensor<2x2x96xf32>) -> tensor<2x2x96xf32>
    %334 = "stablehlo.optimization_barrier"(%333) : (tensor<2x2x96xf32>) -> tensor<2x2x96xf32>
    %335 = "stablehlo.reshape"(%334) : (tensor<2x2x96xf32>) -> tensor<2x16x2x6xf32>
    %collapsed_2 = tensor.collapse_shape %331 [[0], [1, 2, 3]] : tensor<?x8x2x6xf32> into tensor<?x96xf32>
    %336 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 96>} : (tensor<?x96xf32>, tensor<2x2xi32>) -> tensor<2x2x96xf32>
    %337 = "stablehlo.select"(%102, %336, %103) : (tensor<2x2x96xi1>, tensor<2x2x96xf32>, tensor<2x2x96xf32>) -> tensor<2x2x96xf32>
    %338 = "stablehlo.optimization_barrier"(%337) : (tensor<2x2x96xf32>) -> tensor<2x2x96xf32>
    %339 = "stablehlo.reshape"(%338) : (tensor<2x2x96xf32>) -> tensor<2x16x2x6xf32>
    %340 = "stablehlo.multiply"(%304, %111) : (tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %341 = "stablehlo.reshape"(%340) : (tensor<2x4x6xf32>) -> tensor<2x1x2x2x6xf32>
    %342 = "stablehlo.dot_general"(%341, %335) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x6xf32>, tensor<2x16x2x6xf32>) -> tensor<2x2x1x2x16xf32>
    %343 = "stablehlo.select"(%120, %342, %121) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %344 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %345 = "stablehlo.reduce"(%343, %344) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %346 = "stablehlo.broadcast_in_dim"(%345) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %347 = "stablehlo.subtract"(%343, %346) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %348 = "stablehlo.exponential"(%347) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %349 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %350 = "stablehlo.reduce"(%348, %349) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %351 = "stablehlo.broadcast_in_dim"(%350) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %352 = "stablehlo.divide"(%348, %351) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %353 = "stablehlo.select"(%120, %352, %132) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %354 = "stablehlo.dot_general"(%353, %339) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xf32>, tensor<2x16x2x6xf32>) -> tensor<2x2x1x2x6xf32>
    %355 = "stablehlo.transpose"(%354) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x6xf32>) -> tensor<2x1x2x2x6xf32>
    %356 = "stablehlo.reshape"(%355) : (tensor<2x1x2x2x6xf32>) -> tensor<2x4x6xf32>
    %357 = "stablehlo.reshape"(%356) : (tensor<2x4x6xf32>) -> tensor<2x24xf32>
    %358 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<24x24xf32>
    %359 = "stablehlo.dot_general"(%357, %358) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<24x24xf32>) -> tensor<2x24xf32>
    %360 = "stablehlo.add"(%270, %359) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %361 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<24xf32>
    %362 = "stablehlo.multiply"(%360, %360) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %363 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %364 = "stablehlo.reduce"(%362, %363) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %365 = "stablehlo.divide"(%364, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %366 = "stablehlo.add"(%365, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %367 = "stablehlo.rsqrt"(%366) : (tensor<2xf32>) -> tensor<2xf32>
    %368 = "stablehlo.broadcast_in_dim"(%367) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %369 = "stablehlo.multiply"(%360, %368) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %370 = "stablehlo.broadcast_in_dim"(%361) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %371 = "stablehlo.multiply"(%369, %370) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %372 = "util.global.load"() {global = @model.layers.1.mlp.gate.weight} : () -> tensor<8x24xf32>
    %373 = "stablehlo.dot_general"(%371, %372) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<8x24xf32>) -> tensor<2x8xf32>
    %374 = "stablehlo.compare"(%373, %373) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %375 = "stablehlo.select"(%374, %373, %155) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %376 = "stablehlo.select"(%160, %375, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %377 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %378 = "stablehlo.reduce"(%376, %377) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %379 = "stablehlo.broadcast_in_dim"(%378) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %380 = "stablehlo.compare"(%375, %379) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %381 = "stablehlo.and"(%380, %160) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %382 = "stablehlo.select"(%381, %159, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %383 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %384 = "stablehlo.reduce"(%382, %383) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %385 = "stablehlo.negate"(%384) : (tensor<2xf32>) -> tensor<2xf32>
    %386 = "stablehlo.broadcast_in_dim"(%385) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %387 = "stablehlo.compare"(%158, %386) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %388 = "stablehlo.and"(%160, %387) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %389 = "stablehlo.select"(%388, %375, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %390 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %391 = "stablehlo.reduce"(%389, %390) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %392 = "stablehlo.broadcast_in_dim"(%391) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %393 = "stablehlo.compare"(%375, %392) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %394 = "stablehlo.and"(%393, %388) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %395 = "stablehlo.select"(%394, %159, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %396 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %397 = "stablehlo.reduce"(%395, %396) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %398 = "stablehlo.negate"(%397) : (tensor<2xf32>) -> tensor<2xf32>
    %399 = "stablehlo.broadcast_in_dim"(%398) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %400 = "stablehlo.compare"(%158, %399) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %401 = "stablehlo.and"(%388, %400) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %402 = "stablehlo.select"(%401, %375, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %403 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %404 = "stablehlo.reduce"(%402, %403) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %405 = "stablehlo.broadcast_in_dim"(%404) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %406 = "stablehlo.compare"(%375, %405) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %407 = "stablehlo.and"(%406, %401) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %408 = "stablehlo.select"(%407, %159, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %409 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %410 = "stablehlo.reduce"(%408, %409) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %411 = "stablehlo.negate"(%410) : (tensor<2xf32>) -> tensor<2xf32>
    %412 = "stablehlo.broadcast_in_dim"(%411) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %413 = "stablehlo.compare"(%158, %412) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %414 = "stablehlo.and"(%401, %413) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %415 = "stablehlo.select"(%414, %375, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %416 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %417 = "stablehlo.reduce"(%415, %416) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %418 = "stablehlo.broadcast_in_dim"(%417) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %419 = "stablehlo.compare"(%375, %418) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
    %420 = "stablehlo.and"(%419, %414) : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %421 = "stablehlo.select"(%420, %159, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %422 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %423 = "stablehlo.reduce"(%421, %422) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %424 = "stablehlo.negate"(%423) : (tensor<2xf32>) -> tensor<2xf32>
    %425 = "stablehlo.reshape"(%385) : (tensor<2xf32>) -> tensor<2x1xf32>
    %426 = "stablehlo.reshape"(%398) : (tensor<2xf32>) -> tensor<2x1xf32>
    %427 = "stablehlo.reshape"(%411) : (tensor<2xf32>) -> tensor<2x1xf32>
    %428 = "stablehlo.reshape"(%424) : (tensor<2xf32>) -> tensor<2x1xf32>
    %429 = "stablehlo.concatenate"(%425, %426, %427, %428) {dimension = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
    %430 = "stablehlo.convert"(%429) : (tensor<2x4xf32>) -> tensor<2x4xi32>
    %431 = "stablehlo.select"(%216, %373, %157) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %432 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %433 = "stablehlo.reduce"(%431, %432) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %434 = "stablehlo.broadcast_in_dim"(%433) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %435 = "stablehlo.subtract"(%431, %434) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %436 = "stablehlo.exponential"(%435) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %437 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %438 = "stablehlo.reduce"(%436, %437) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
    %439 = "stablehlo.broadcast_in_dim"(%438) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x8xf32>
    %440 = "stablehlo.divide"(%436, %439) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %441 = "stablehlo.select"(%216, %440, %227) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %442 = "stablehlo.reshape"(%441) : (tensor<2x8xf32>) -> tensor<16xf32>
    %443 = "stablehlo.add"(%232, %430) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %444 = "stablehlo.gather"(%442, %443) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>} : (tensor<16xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
    %445 = "util.global.load"() {global = @"model.layers.1.mlp.experts.gate+up.weight"} : () -> tensor<256x24xf32>
    %446 = "stablehlo.dot_general"(%371, %445) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<256x24xf32>) -> tensor<2x256xf32>
    %447 = "stablehlo.reshape"(%446) : (tensor<2x256xf32>) -> tensor<2x8x32xf32>
    %448 = "stablehlo.reshape"(%447) : (tensor<2x8x32xf32>) -> tensor<16x32xf32>
    %449 = "stablehlo.gather"(%448, %443) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>} : (tensor<16x32xf32>, tensor<2x4xi32>) -> tensor<2x4x32xf32>
    %450 = "stablehlo.slice"(%449) {limit_indices = array<i64: 2, 4, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x4x32xf32>) -> tensor<2x4x16xf32>
    %451 = "stablehlo.slice"(%449) {limit_indices = array<i64: 2, 4, 32>, start_indices = array<i64: 0, 0, 16>, strides = array<i64: 1, 1, 1>} : (tensor<2x4x32xf32>) -> tensor<2x4x16xf32>
    %452 = "stablehlo.logistic"(%450) : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %453 = "stablehlo.multiply"(%450, %452) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %454 = "stablehlo.multiply"(%453, %451) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %455 = "util.global.load"() {global = @model.layers.1.mlp.experts.down.weight} : () -> tensor<192x16xf32>
    %456 = "stablehlo.broadcast_in_dim"(%430) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x4xi32>) -> tensor<2x8x4xi32>
    %457 = "stablehlo.compare"(%246, %456) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x8x4xi32>, tensor<2x8x4xi32>) -> tensor<2x8x4xi1>
    %458 = "stablehlo.select"(%457, %249, %250) : (tensor<2x8x4xi1>, tensor<2x8x4xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %459 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %460 = "stablehlo.reduce"(%458, %459) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x8x4xf32>, tensor<f32>) -> tensor<2x8xf32>
    %461 = "stablehlo.convert"(%460) : (tensor<2x8xf32>) -> tensor<2x8xi32>
    %462 = "stablehlo.add"(%257, %461) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %463 = "stablehlo.reshape"(%454) : (tensor<2x4x16xf32>) -> tensor<8x16xf32>
    %464 = "stablehlo.gather"(%463, %462) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>} : (tensor<8x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
    %465 = "stablehlo.reshape"(%455) : (tensor<192x16xf32>) -> tensor<8x24x16xf32>
    %466 = "stablehlo.dot_general"(%464, %465) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>} : (tensor<2x8x16xf32>, tensor<8x24x16xf32>) -> tensor<8x2x24xf32>
    %467 = "stablehlo.transpose"(%466) {permutation = array<i64: 1, 0, 2>} : (tensor<8x2x24xf32>) -> tensor<2x8x24xf32>
    %468 = "stablehlo.reshape"(%467) : (tensor<2x8x24xf32>) -> tensor<16x24xf32>
    %469 = "stablehlo.gather"(%468, %443) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<16x24xf32>, tensor<2x4xi32>) -> tensor<2x4x24xf32>
    %470 = "stablehlo.broadcast_in_dim"(%444) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x4xf32>) -> tensor<2x4x24xf32>
    %471 = "stablehlo.multiply"(%469, %470) : (tensor<2x4x24xf32>, tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %472 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %473 = "stablehlo.reduce"(%471, %472) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x4x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %474 = "stablehlo.add"(%360, %473) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %475 = "stablehlo.gather"(%474, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 24>} : (tensor<2x24xf32>, tensor<2xi32>) -> tensor<2x24xf32>
    %476 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<24xf32>
    %477 = "stablehlo.multiply"(%475, %475) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %478 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %479 = "stablehlo.reduce"(%477, %478) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %489 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x24xf32>, tensor<f32>) -> tensor<2xf32>
    %480 = "stablehlo.divide"(%479, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %481 = "stablehlo.add"(%480, %18) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %482 = "stablehlo.rsqrt"(%481) : (tensor<2xf32>) -> tensor<2xf32>
    %483 = "stablehlo.broadcast_in_dim"(%482) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x24xf32>
    %484 = "stablehlo.multiply"(%475, %483) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %485 = "stablehlo.broadcast_in_dim"(%476) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %486 = "stablehlo.multiply"(%484, %485) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %487 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x24xf32>
    %488 = "stablehlo.dot_general"(%486, %487) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<2x24xf32>, tensor<128x24xf32>) -> tensor<2x128xf32>
    return %488, %91, %92, %330, %331 : tensor<2x128xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>, tensor<?x8x2x6xf32>
  }
}
