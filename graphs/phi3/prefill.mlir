module @phi3 {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x48xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x48xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<48xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.weight"> : tensor<48x56xf32>, sym_name = "model.layers.0.mlp.down_proj.weight", sym_visibility = "private", type = tensor<48x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_up_proj.weight"> : tensor<112x48xf32>, sym_name = "model.layers.0.mlp.gate_up_proj.weight", sym_visibility = "private", type = tensor<112x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<48xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<48x48xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<48x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.qkv_proj.weight"> : tensor<80x48xf32>, sym_name = "model.layers.0.self_attn.qkv_proj.weight", sym_visibility = "private", type = tensor<80x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<48xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.weight"> : tensor<48x56xf32>, sym_name = "model.layers.1.mlp.down_proj.weight", sym_visibility = "private", type = tensor<48x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_up_proj.weight"> : tensor<112x48xf32>, sym_name = "model.layers.1.mlp.gate_up_proj.weight", sym_visibility = "private", type = tensor<112x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<48xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<48x48xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<48x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.qkv_proj.weight"> : tensor<80x48xf32>, sym_name = "model.layers.1.self_attn.qkv_proj.weight", sym_visibility = "private", type = tensor<80x48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<48xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  func.func @prefill(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>, %arg2: tensor<8x2xi32>, %arg3: tensor<1x2xi32>, %arg4: tensor<1xi32>, %arg5: tensor<?x8x1x16xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x1x16xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x1x16xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x1x16xf32> {iree.abi.output = 4 : index}) -> (tensor<1x128xf32>, tensor<?x8x1x16xf32>, tensor<?x8x1x16xf32>, tensor<?x8x1x16xf32>, tensor<?x8x1x16xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.215443462, 0.0464158878, 0.00999999977, 0.0021544348, 4.64158889E-4]> : tensor<6xf32>} : () -> tensor<6xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<6xf32>) -> tensor<8x6xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<8xi32>) -> tensor<8xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x6xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<8x6xf32>) -> tensor<1x8x6xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x8x6xf32>, tensor<1x8x6xf32>) -> tensor<2x8x6xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x48xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 48>} : (tensor<128x48xf32>, tensor<8xi32>) -> tensor<8x48xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<48xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x48xf32>, tensor<f32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() {value = dense<4.800000e+01> : tensor<8xf32>} : () -> tensor<8xf32>
    %17 = "stablehlo.divide"(%15, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8xf32>} : () -> tensor<8xf32>
    %19 = "stablehlo.add"(%17, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %20 = "stablehlo.rsqrt"(%19) : (tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x48xf32>
    %22 = "stablehlo.multiply"(%11, %21) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %23 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %24 = "stablehlo.multiply"(%22, %23) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %25 = "util.global.load"() {global = @model.layers.0.self_attn.qkv_proj.weight} : () -> tensor<80x48xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<80x48xf32>) -> tensor<8x80xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x48xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<8x48xf32>) -> tensor<8x3x16xf32>
    %29 = "stablehlo.slice"(%28) {limit_indices = array<i64: 8, 3, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x16xf32>) -> tensor<8x3x12xf32>
    %30 = "stablehlo.reshape"(%29) : (tensor<8x3x12xf32>) -> tensor<8x3x2x6xf32>
    %31 = "stablehlo.reverse"(%30) {dimensions = array<i64: 2>} : (tensor<8x3x2x6xf32>) -> tensor<8x3x2x6xf32>
    %32 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 8, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %33 = "stablehlo.reshape"(%32) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x6xf32>) -> tensor<8x2x6xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x3x2x6xf32>
    %36 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 8, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %37 = "stablehlo.reshape"(%36) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x6xf32>) -> tensor<8x2x6xf32>
    %39 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<8x2x6xf32>
    %41 = "stablehlo.multiply"(%38, %40) : (tensor<8x2x6xf32>, tensor<8x2x6xf32>) -> tensor<8x2x6xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x3x2x6xf32>
    %43 = "stablehlo.multiply"(%30, %35) : (tensor<8x3x2x6xf32>, tensor<8x3x2x6xf32>) -> tensor<8x3x2x6xf32>
    %44 = "stablehlo.multiply"(%31, %42) : (tensor<8x3x2x6xf32>, tensor<8x3x2x6xf32>) -> tensor<8x3x2x6xf32>
    %45 = "stablehlo.add"(%43, %44) : (tensor<8x3x2x6xf32>, tensor<8x3x2x6xf32>) -> tensor<8x3x2x6xf32>
    %46 = "stablehlo.reshape"(%45) : (tensor<8x3x2x6xf32>) -> tensor<8x3x12xf32>
    %47 = "stablehlo.slice"(%28) {limit_indices = array<i64: 8, 3, 16>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x16xf32>) -> tensor<8x3x4xf32>
    %48 = "stablehlo.concatenate"(%46, %47) {dimension = 2 : i64} : (tensor<8x3x12xf32>, tensor<8x3x4xf32>) -> tensor<8x3x16xf32>
    %49 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 64>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x16xf32>
    %50 = "stablehlo.reshape"(%49) : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %51 = "stablehlo.slice"(%50) {limit_indices = array<i64: 8, 1, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x1x16xf32>) -> tensor<8x1x12xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<8x1x12xf32>) -> tensor<8x1x2x6xf32>
    %53 = "stablehlo.reverse"(%52) {dimensions = array<i64: 2>} : (tensor<8x1x2x6xf32>) -> tensor<8x1x2x6xf32>
    %54 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x1x2x6xf32>
    %55 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x1x2x6xf32>
    %56 = "stablehlo.multiply"(%52, %54) : (tensor<8x1x2x6xf32>, tensor<8x1x2x6xf32>) -> tensor<8x1x2x6xf32>
    %57 = "stablehlo.multiply"(%53, %55) : (tensor<8x1x2x6xf32>, tensor<8x1x2x6xf32>) -> tensor<8x1x2x6xf32>
    %58 = "stablehlo.add"(%56, %57) : (tensor<8x1x2x6xf32>, tensor<8x1x2x6xf32>) -> tensor<8x1x2x6xf32>
    %59 = "stablehlo.reshape"(%58) : (tensor<8x1x2x6xf32>) -> tensor<8x1x12xf32>
    %60 = "stablehlo.slice"(%50) {limit_indices = array<i64: 8, 1, 16>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>} : (tensor<8x1x16xf32>) -> tensor<8x1x4xf32>
    %61 = "stablehlo.concatenate"(%59, %60) {dimension = 2 : i64} : (tensor<8x1x12xf32>, tensor<8x1x4xf32>) -> tensor<8x1x16xf32>
    %62 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 64>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x16xf32>
    %63 = "stablehlo.reshape"(%62) : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %64 = "stablehlo.scatter"(%arg5, %arg2, %61) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x1x16xf32>, tensor<8x2xi32>, tensor<8x1x16xf32>) -> tensor<?x8x1x16xf32>
    %65 = "stablehlo.scatter"(%arg6, %arg2, %63) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x1x16xf32>, tensor<8x2xi32>, tensor<8x1x16xf32>) -> tensor<?x8x1x16xf32>
    %66 = "stablehlo.reshape"(%2) : (tensor<8xf32>) -> tensor<1x8xf32>
    %67 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %68 = "stablehlo.reduce"(%66, %67) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x8xf32>, tensor<f32>) -> tensor<1xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x2xf32>
    %70 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %71 = "stablehlo.broadcast_in_dim"(%70) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<1x2xf32>
    %72 = "stablehlo.compare"(%71, %69) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xi1>
    %73 = "stablehlo.optimization_barrier"(%72) : (tensor<1x2xi1>) -> tensor<1x2xi1>
    %collapsed = tensor.collapse_shape %64 [[0], [1, 2, 3]] : tensor<?x8x1x16xf32> into tensor<?x128xf32>
    %74 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>} : (tensor<?x128xf32>, tensor<1x2xi32>) -> tensor<1x2x128xf32>
    %75 = "stablehlo.broadcast_in_dim"(%73) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x2xi1>) -> tensor<1x2x128xi1>
    %76 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x128xf32>} : () -> tensor<1x2x128xf32>
    %77 = "stablehlo.select"(%75, %74, %76) : (tensor<1x2x128xi1>, tensor<1x2x128xf32>, tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %78 = "stablehlo.optimization_barrier"(%77) : (tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %79 = "stablehlo.reshape"(%78) : (tensor<1x2x128xf32>) -> tensor<1x16x1x16xf32>
    %collapsed_0 = tensor.collapse_shape %65 [[0], [1, 2, 3]] : tensor<?x8x1x16xf32> into tensor<?x128xf32>
    %80 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>} : (tensor<?x128xf32>, tensor<1x2xi32>) -> tensor<1x2x128xf32>
    %81 = "stablehlo.select"(%75, %80, %76) : (tensor<1x2x128xi1>, tensor<1x2x128xf32>, tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %82 = "stablehlo.optimization_barrier"(%81) : (tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %83 = "stablehlo.reshape"(%82) : (tensor<1x2x128xf32>) -> tensor<1x16x1x16xf32>
    %84 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<8x3x16xf32>} : () -> tensor<8x3x16xf32>
    %85 = "stablehlo.multiply"(%48, %84) : (tensor<8x3x16xf32>, tensor<8x3x16xf32>) -> tensor<8x3x16xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<8x3x16xf32>) -> tensor<1x8x1x3x16xf32>
    %87 = "stablehlo.dot_general"(%86, %79) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x1x3x16xf32>, tensor<1x16x1x16xf32>) -> tensor<1x1x8x3x16xf32>
    %88 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %89 = "stablehlo.broadcast_in_dim"(%88) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<1x8x16xi32>
    %90 = "stablehlo.reshape"(%arg1) : (tensor<8xi32>) -> tensor<1x8xi32>
    %91 = "stablehlo.broadcast_in_dim"(%90) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %92 = "stablehlo.compare"(%89, %91) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %93 = "stablehlo.constant"() {value = dense<7> : tensor<1x8xi32>} : () -> tensor<1x8xi32>
    %94 = "stablehlo.subtract"(%90, %93) : (tensor<1x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
    %95 = "stablehlo.broadcast_in_dim"(%94) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %96 = "stablehlo.compare"(%89, %95) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %97 = "stablehlo.and"(%92, %96) : (tensor<1x8x16xi1>, tensor<1x8x16xi1>) -> tensor<1x8x16xi1>
    %98 = "stablehlo.broadcast_in_dim"(%97) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x1x8x3x16xi1>
    %99 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x1x8x3x16xf32>} : () -> tensor<1x1x8x3x16xf32>
    %100 = "stablehlo.select"(%98, %87, %99) : (tensor<1x1x8x3x16xi1>, tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %101 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %102 = "stablehlo.reduce"(%100, %101) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x1x8x3x16xf32>, tensor<f32>) -> tensor<1x1x8x3xf32>
    %103 = "stablehlo.broadcast_in_dim"(%102) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x8x3x16xf32>
    %104 = "stablehlo.subtract"(%100, %103) : (tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %105 = "stablehlo.exponential"(%104) : (tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %106 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %107 = "stablehlo.reduce"(%105, %106) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x1x8x3x16xf32>, tensor<f32>) -> tensor<1x1x8x3xf32>
    %108 = "stablehlo.broadcast_in_dim"(%107) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x8x3x16xf32>
    %109 = "stablehlo.divide"(%105, %108) : (tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %110 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x1x8x3x16xf32>} : () -> tensor<1x1x8x3x16xf32>
    %111 = "stablehlo.select"(%98, %109, %110) : (tensor<1x1x8x3x16xi1>, tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %112 = "stablehlo.dot_general"(%111, %83) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x1x8x3x16xf32>, tensor<1x16x1x16xf32>) -> tensor<1x1x8x3x16xf32>
    %113 = "stablehlo.transpose"(%112) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x1x8x3x16xf32>) -> tensor<1x8x1x3x16xf32>
    %114 = "stablehlo.reshape"(%113) : (tensor<1x8x1x3x16xf32>) -> tensor<8x3x16xf32>
    %115 = "stablehlo.reshape"(%114) : (tensor<8x3x16xf32>) -> tensor<8x48xf32>
    %116 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<48x48xf32>
    %117 = "stablehlo.dot_general"(%115, %116) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<48x48xf32>) -> tensor<8x48xf32>
    %118 = "stablehlo.add"(%11, %117) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %119 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<48xf32>
    %120 = "stablehlo.multiply"(%118, %118) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %121 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %122 = "stablehlo.reduce"(%120, %121) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x48xf32>, tensor<f32>) -> tensor<8xf32>
    %123 = "stablehlo.divide"(%122, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %124 = "stablehlo.add"(%123, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %125 = "stablehlo.rsqrt"(%124) : (tensor<8xf32>) -> tensor<8xf32>
    %126 = "stablehlo.broadcast_in_dim"(%125) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x48xf32>
    %127 = "stablehlo.multiply"(%118, %126) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %128 = "stablehlo.broadcast_in_dim"(%119) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %129 = "stablehlo.multiply"(%127, %128) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %130 = "util.global.load"() {global = @model.layers.0.mlp.gate_up_proj.weight} : () -> tensor<112x48xf32>
    %131 = "stablehlo.dot_general"(%129, %130) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<112x48xf32>) -> tensor<8x112xf32>
    %132 = "stablehlo.slice"(%131) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %133 = "stablehlo.slice"(%131) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %134 = "stablehlo.logistic"(%132) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %135 = "stablehlo.multiply"(%132, %134) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %136 = "stablehlo.multiply"(%135, %133) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %137 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<48x56xf32>
    %138 = "stablehlo.dot_general"(%136, %137) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<48x56xf32>) -> tensor<8x48xf32>
    %139 = "stablehlo.add"(%118, %138) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %140 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<48xf32>
    %141 = "stablehlo.multiply"(%139, %139) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %142 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %143 = "stablehlo.reduce"(%141, %142) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x48xf32>, tensor<f32>) -> tensor<8xf32>
    %144 = "stablehlo.divide"(%143, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %145 = "stablehlo.add"(%144, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %146 = "stablehlo.rsqrt"(%145) : (tensor<8xf32>) -> tensor<8xf32>
    %147 = "stablehlo.broadcast_in_dim"(%146) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x48xf32>
    %148 = "stablehlo.multiply"(%139, %147) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %149 = "stablehlo.broadcast_in_dim"(%140) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %150 = "stablehlo.multiply"(%148, %149) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %151 = "util.global.load"() {global = @model.layers.1.self_attn.qkv_proj.weight} : () -> tensor<80x48xf32>
    %152 = "stablehlo.dot_general"(%150, %151) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<80x48xf32>) -> tensor<8x80xf32>
    %153 = "stablehlo.slice"(%152) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x48xf32>
    %154 = "stablehlo.reshape"(%153) : (tensor<8x48xf32>) -> tensor<8x3x16xf32>
    %155 = "stablehlo.slice"(%154) {limit_indices = array<i64: 8, 3, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x16xf32>) -> tensor<8x3x12xf32>
    %156 = "stablehlo.reshape"(%155) : (tensor<8x3x12xf32>) -> tensor<8x3x2x6xf32>
    %157 = "stablehlo.reverse"(%156) {dimensions = array<i64: 2>} : (tensor<8x3x2x6xf32>) -> tensor<8x3x2x6xf32>
    %158 = "stablehlo.multiply"(%156, %35) : (tensor<8x3x2x6xf32>, tensor<8x3x2x6xf32>) -> tensor<8x3x2x6xf32>
    %159 = "stablehlo.multiply"(%157, %42) : (tensor<8x3x2x6xf32>, tensor<8x3x2x6xf32>) -> tensor<8x3x2x6xf32>
    %160 = "stablehlo.add"(%158, %159) : (tensor<8x3x2x6xf32>, tensor<8x3x2x6xf32>) -> tensor<8x3x2x6xf32>
    %161 = "stablehlo.reshape"(%160) : (tensor<8x3x2x6xf32>) -> tensor<8x3x12xf32>
    %162 = "stablehlo.slice"(%154) {limit_indices = array<i64: 8, 3, 16>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x16xf32>) -> tensor<8x3x4xf32>
    %163 = "stablehlo.concatenate"(%161, %162) {dimension = 2 : i64} : (tensor<8x3x12xf32>, tensor<8x3x4xf32>) -> tensor<8x3x16xf32>
    %164 = "stablehlo.slice"(%152) {limit_indices = array<i64: 8, 64>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x16xf32>
    %165 = "stablehlo.reshape"(%164) : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %166 = "stablehlo.slice"(%165) {limit_indices = array<i64: 8, 1, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x1x16xf32>) -> tensor<8x1x12xf32>
    %167 = "stablehlo.reshape"(%166) : (tensor<8x1x12xf32>) -> tensor<8x1x2x6xf32>
    %168 = "stablehlo.reverse"(%167) {dimensions = array<i64: 2>} : (tensor<8x1x2x6xf32>) -> tensor<8x1x2x6xf32>
    %169 = "stablehlo.multiply"(%167, %54) : (tensor<8x1x2x6xf32>, tensor<8x1x2x6xf32>) -> tensor<8x1x2x6xf32>
    %170 = "stablehlo.multiply"(%168, %55) : (tensor<8x1x2x6xf32>, tensor<8x1x2x6xf32>) -> tensor<8x1x2x6xf32>
    %171 = "stablehlo.add"(%169, %170) : (tensor<8x1x2x6xf32>, tensor<8x1x2x6xf32>) -> tensor<8x1x2x6xf32>
    %172 = "stablehlo.reshape"(%171) : (tensor<8x1x2x6xf32>) -> tensor<8x1x12xf32>
    %173 = "stablehlo.slice"(%165) {limit_indices = array<i64: 8, 1, 16>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>} : (tensor<8x1x16xf32>) -> tensor<8x1x4xf32>
    %174 = "stablehlo.concatenate"(%172, %173) {dimension = 2 : i64} : (tensor<8x1x12xf32>, tensor<8x1x4xf32>) -> tensor<8x1x16xf32>
    %175 = "stablehlo.slice"(%152) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 64>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x16xf32>
    %176 = "stablehlo.reshape"(%175) : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %177 = "stablehlo.scatter"(%arg7, %arg2, %174) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x1x16xf32>, tensor<8x2xi32>, tensor<8x1x16xf32>) -> tensor<?x8x1x16xf32>
    %178 = "stablehlo.scatter"(%arg8, %arg2, %176) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x1x16xf32>, tensor<8x2xi32>, tensor<8x1x16xf32>) -> tensor<?x8x1x16xf32>
    %collapsed_1 = tensor.collapse_shape %177 [[0], [1, 2, 3]] : tensor<?x8x1x16xf32> into tensor<?x128xf32>
    %179 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>} : (tensor<?x128xf32>, tensor<1x2xi32>) -> tensor<1x2x128xf32>
    %180 = "stablehlo.select"(%75, %179, %76) : (tensor<1x2x128xi1>, tensor<1x2x128xf32>, tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %181 = "stablehlo.optimization_barrier"(%180) : (tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %182 = "stablehlo.reshape"(%181) : (tensor<1x2x128xf32>) -> tensor<1x16x1x16xf32>
    %collapsed_2 = tensor.collapse_shape %178 [[0], [1, 2, 3]] : tensor<?x8x1x16xf32> into tensor<?x128xf32>
    %183 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>} : (tensor<?x128xf32>, tensor<1x2xi32>) -> tensor<1x2x128xf32>
    %184 = "stablehlo.select"(%75, %183, %76) : (tensor<1x2x128xi1>, tensor<1x2x128xf32>, tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %185 = "stablehlo.optimization_barrier"(%184) : (tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %186 = "stablehlo.reshape"(%185) : (tensor<1x2x128xf32>) -> tensor<1x16x1x16xf32>
    %187 = "stablehlo.multiply"(%163, %84) : (tensor<8x3x16xf32>, tensor<8x3x16xf32>) -> tensor<8x3x16xf32>
    %188 = "stablehlo.reshape"(%187) : (tensor<8x3x16xf32>) -> tensor<1x8x1x3x16xf32>
    %189 = "stablehlo.dot_general"(%188, %182) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x1x3x16xf32>, tensor<1x16x1x16xf32>) -> tensor<1x1x8x3x16xf32>
    %190 = "stablehlo.select"(%98, %189, %99) : (tensor<1x1x8x3x16xi1>, tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %191 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %192 = "stablehlo.reduce"(%190, %191) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x1x8x3x16xf32>, tensor<f32>) -> tensor<1x1x8x3xf32>
    %193 = "stablehlo.broadcast_in_dim"(%192) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x8x3x16xf32>
    %194 = "stablehlo.subtract"(%190, %193) : (tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %195 = "stablehlo.exponential"(%194) : (tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %196 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %197 = "stablehlo.reduce"(%195, %196) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x1x8x3x16xf32>, tensor<f32>) -> tensor<1x1x8x3xf32>
    %198 = "stablehlo.broadcast_in_dim"(%197) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x8x3x16xf32>
    %199 = "stablehlo.divide"(%195, %198) : (tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %200 = "stablehlo.select"(%98, %199, %110) : (tensor<1x1x8x3x16xi1>, tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %201 = "stablehlo.dot_general"(%200, %186) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x1x8x3x16xf32>, tensor<1x16x1x16xf32>) -> tensor<1x1x8x3x16xf32>
    %202 = "stablehlo.transpose"(%201) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x1x8x3x16xf32>) -> tensor<1x8x1x3x16xf32>
    %203 = "stablehlo.reshape"(%202) : (tensor<1x8x1x3x16xf32>) -> tensor<8x3x16xf32>
    %204 = "stablehlo.reshape"(%203) : (tensor<8x3x16xf32>) -> tensor<8x48xf32>
    %205 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<48x48xf32>
    %206 = "stablehlo.dot_general"(%204, %205) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<48x48xf32>) -> tensor<8x48xf32>
    %207 = "stablehlo.add"(%139, %206) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %208 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<48xf32>
    %209 = "stablehlo.multiply"(%207, %207) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %210 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %211 = "stablehlo.reduce"(%209, %210) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x48xf32>, tensor<f32>) -> tensor<8xf32>
    %212 = "stablehlo.divide"(%211, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %213 = "stablehlo.add"(%212, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %214 = "stablehlo.rsqrt"(%213) : (tensor<8xf32>) -> tensor<8xf32>
    %215 = "stablehlo.broadcast_in_dim"(%214) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x48xf32>
    %216 = "stablehlo.multiply"(%207, %215) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %217 = "stablehlo.broadcast_in_dim"(%208) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %218 = "stablehlo.multiply"(%216, %217) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %219 = "util.global.load"() {global = @model.layers.1.mlp.gate_up_proj.weight} : () -> tensor<112x48xf32>
    %220 = "stablehlo.dot_general"(%218, %219) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<112x48xf32>) -> tensor<8x112xf32>
    %221 = "stablehlo.slice"(%220) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %222 = "stablehlo.slice"(%220) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %223 = "stablehlo.logistic"(%221) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %224 = "stablehlo.multiply"(%221, %223) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %225 = "stablehlo.multiply"(%224, %222) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %226 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<48x56xf32>
    %227 = "stablehlo.dot_general"(%225, %226) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<48x56xf32>) -> tensor<8x48xf32>
    %228 = "stablehlo.add"(%207, %227) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %229 = "stablehlo.gather"(%228, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 48>} : (tensor<8x48xf32>, tensor<1xi32>) -> tensor<1x48xf32>
    %230 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<48xf32>
    %231 = "stablehlo.multiply"(%229, %229) : (tensor<1x48xf32>, tensor<1x48xf32>) -> tensor<1x48xf32>
    %232 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %233 = "stablehlo.reduce"(%231, %232) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %245 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%245) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x48xf32>, tensor<f32>) -> tensor<1xf32>
    %234 = "stablehlo.constant"() {value = dense<4.800000e+01> : tensor<1xf32>} : () -> tensor<1xf32>
    %235 = "stablehlo.divide"(%233, %234) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %236 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<1xf32>} : () -> tensor<1xf32>
    %237 = "stablehlo.add"(%235, %236) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %238 = "stablehlo.rsqrt"(%237) : (tensor<1xf32>) -> tensor<1xf32>
    %239 = "stablehlo.broadcast_in_dim"(%238) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x48xf32>
    %240 = "stablehlo.multiply"(%229, %239) : (tensor<1x48xf32>, tensor<1x48xf32>) -> tensor<1x48xf32>
    %241 = "stablehlo.broadcast_in_dim"(%230) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<1x48xf32>
    %242 = "stablehlo.multiply"(%240, %241) : (tensor<1x48xf32>, tensor<1x48xf32>) -> tensor<1x48xf32>
    %243 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x48xf32>
    %244 = "stablehlo.dot_general"(%242, %243) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<1x48xf32>, tensor<128x48xf32>) -> tensor<1x128xf32>
    return %244, %64, %65, %177, %178 : tensor<1x128xf32>, tensor<?x8x1x16xf32>, tensor<?x8x1x16xf32>, tensor<?x8x1x16xf32>, tensor<?x8x1x16xf32>
  }
}
