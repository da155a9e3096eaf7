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
      %248 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%248) : (tensor<f32>) -> ()
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
    %31 = "stablehlo.slice"(%30) {limit_indices = array<i64: 8, 3, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x3x2x6xf32>) -> tensor<8x3x1x6xf32>
    %32 = "stablehlo.slice"(%30) {limit_indices = array<i64: 8, 3, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x3x2x6xf32>) -> tensor<8x3x1x6xf32>
    %33 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 8, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %34 = "stablehlo.reshape"(%33) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x6xf32>) -> tensor<8x3x1x6xf32>
    %36 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 8, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %37 = "stablehlo.reshape"(%36) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x6xf32>) -> tensor<8x3x1x6xf32>
    %39 = "stablehlo.multiply"(%31, %35) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %40 = "stablehlo.multiply"(%32, %38) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %41 = "stablehlo.subtract"(%39, %40) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %42 = "stablehlo.multiply"(%32, %35) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %43 = "stablehlo.multiply"(%31, %38) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %44 = "stablehlo.add"(%42, %43) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %45 = "stablehlo.concatenate"(%41, %44) {dimension = 2 : i64} : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x2x6xf32>
    %46 = "stablehlo.reshape"(%45) : (tensor<8x3x2x6xf32>) -> tensor<8x3x12xf32>
    %47 = "stablehlo.slice"(%28) {limit_indices = array<i64: 8, 3, 16>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x16xf32>) -> tensor<8x3x4xf32>
    %48 = "stablehlo.concatenate"(%46, %47) {dimension = 2 : i64} : (tensor<8x3x12xf32>, tensor<8x3x4xf32>) -> tensor<8x3x16xf32>
    %49 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 64>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x16xf32>
    %50 = "stablehlo.reshape"(%49) : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %51 = "stablehlo.slice"(%50) {limit_indices = array<i64: 8, 1, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x1x16xf32>) -> tensor<8x1x12xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<8x1x12xf32>) -> tensor<8x1x2x6xf32>
    %53 = "stablehlo.slice"(%52) {limit_indices = array<i64: 8, 1, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x1x2x6xf32>) -> tensor<8x1x1x6xf32>
    %54 = "stablehlo.slice"(%52) {limit_indices = array<i64: 8, 1, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x1x2x6xf32>) -> tensor<8x1x1x6xf32>
    %55 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x6xf32>) -> tensor<8x1x1x6xf32>
    %56 = "stablehlo.broadcast_in_dim"(%37) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x6xf32>) -> tensor<8x1x1x6xf32>
    %57 = "stablehlo.multiply"(%53, %55) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %58 = "stablehlo.multiply"(%54, %56) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %59 = "stablehlo.subtract"(%57, %58) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %60 = "stablehlo.multiply"(%54, %55) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %61 = "stablehlo.multiply"(%53, %56) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %62 = "stablehlo.add"(%60, %61) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %63 = "stablehlo.concatenate"(%59, %62) {dimension = 2 : i64} : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x2x6xf32>
    %64 = "stablehlo.reshape"(%63) : (tensor<8x1x2x6xf32>) -> tensor<8x1x12xf32>
    %65 = "stablehlo.slice"(%50) {limit_indices = array<i64: 8, 1, 16>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>} : (tensor<8x1x16xf32>) -> tensor<8x1x4xf32>
    %66 = "stablehlo.concatenate"(%64, %65) {dimension = 2 : i64} : (tensor<8x1x12xf32>, tensor<8x1x4xf32>) -> tensor<8x1x16xf32>
    %67 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 64>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x16xf32>
    %68 = "stablehlo.reshape"(%67) : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %69 = "stablehlo.scatter"(%arg5, %arg2, %66) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x1x16xf32>, tensor<8x2xi32>, tensor<8x1x16xf32>) -> tensor<?x8x1x16xf32>
    %70 = "stablehlo.scatter"(%arg6, %arg2, %68) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x1x16xf32>, tensor<8x2xi32>, tensor<8x1x16xf32>) -> tensor<?x8x1x16xf32>
    %71 = "stablehlo.gather"(%69, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 1, 16>} : (tensor<?x8x1x16xf32>, tensor<1x2xi32>) -> tensor<1x2x8x1x16xf32>
    %72 = "stablehlo.reshape"(%71) : (tensor<1x2x8x1x16xf32>) -> tensor<1x16x1x16xf32>
    %73 = "stablehlo.gather"(%70, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 1, 16>} : (tensor<?x8x1x16xf32>, tensor<1x2xi32>) -> tensor<1x2x8x1x16xf32>
    %74 = "stablehlo.reshape"(%73) : (tensor<1x2x8x1x16xf32>) -> tensor<1x16x1x16xf32>
    %75 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<8x3x16xf32>} : () -> tensor<8x3x16xf32>
    %76 = "stablehlo.multiply"(%48, %75) : (tensor<8x3x16xf32>, tensor<8x3x16xf32>) -> tensor<8x3x16xf32>
    %77 = "stablehlo.reshape"(%76) : (tensor<8x3x16xf32>) -> tensor<1x8x1x3x16xf32>
    %78 = "stablehlo.dot_general"(%77, %72) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x1x3x16xf32>, tensor<1x16x1x16xf32>) -> tensor<1x1x8x3x16xf32>
    %79 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %80 = "stablehlo.broadcast_in_dim"(%79) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<1x8x16xi32>
    %81 = "stablehlo.reshape"(%arg1) : (tensor<8xi32>) -> tensor<1x8xi32>
    %82 = "stablehlo.broadcast_in_dim"(%81) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %83 = "stablehlo.compare"(%80, %82) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %84 = "stablehlo.constant"() {value = dense<7> : tensor<1x8xi32>} : () -> tensor<1x8xi32>
    %85 = "stablehlo.subtract"(%81, %84) : (tensor<1x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
    %86 = "stablehlo.broadcast_in_dim"(%85) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %87 = "stablehlo.compare"(%80, %86) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %88 = "stablehlo.and"(%83, %87) : (tensor<1x8x16xi1>, tensor<1x8x16xi1>) -> tensor<1x8x16xi1>
    %89 = "stablehlo.broadcast_in_dim"(%88) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x1x8x3x16xi1>
    %90 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x1x8x3x16xf32>} : () -> tensor<1x1x8x3x16xf32>
    %91 = "stablehlo.select"(%89, %78, %90) : (tensor<1x1x8x3x16xi1>, tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %92 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %93 = "stablehlo.reduce"(%91, %92) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %248 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%248) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x1x8x3x16xf32>, tensor<f32>) -> tensor<1x1x8x3xf32>
    %94 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x1x8x3xf32>} : () -> tensor<1x1x8x3xf32>
    %95 = "stablehlo.compare"(%93, %94) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x1x8x3xf32>, tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xi1>
    %96 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x1x8x3xf32>} : () -> tensor<1x1x8x3xf32>
    %97 = "stablehlo.select"(%95, %96, %93) : (tensor<1x1x8x3xi1>, tensor<1x1x8x3xf32>, tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xf32>
    %98 = "stablehlo.broadcast_in_dim"(%97) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x8x3x16xf32>
    %99 = "stablehlo.subtract"(%91, %98) : (tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %100 = "stablehlo.exponential"(%99) : (tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %101 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %102 = "stablehlo.reduce"(%100, %101) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %248 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%248) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x1x8x3x16xf32>, tensor<f32>) -> tensor<1x1x8x3xf32>
    %103 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<1x1x8x3xf32>} : () -> tensor<1x1x8x3xf32>
    %104 = "stablehlo.select"(%95, %103, %102) : (tensor<1x1x8x3xi1>, tensor<1x1x8x3xf32>, tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xf32>
    %105 = "stablehlo.broadcast_in_dim"(%104) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x8x3x16xf32>
    %106 = "stablehlo.divide"(%100, %105) : (tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %107 = "stablehlo.dot_general"(%106, %74) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x1x8x3x16xf32>, tensor<1x16x1x16xf32>) -> tensor<1x1x8x3x16xf32>
    %108 = "stablehlo.transpose"(%107) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x1x8x3x16xf32>) -> tensor<1x8x1x3x16xf32>
    %109 = "stablehlo.reshape"(%108) : (tensor<1x8x1x3x16xf32>) -> tensor<8x3x16xf32>
    %110 = "stablehlo.reshape"(%109) : (tensor<8x3x16xf32>) -> tensor<8x48xf32>
    %111 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<48x48xf32>
    %112 = "stablehlo.dot_general"(%110, %111) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<48x48xf32>) -> tensor<8x48xf32>
    %113 = "stablehlo.add"(%11, %112) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %114 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<48xf32>
    %115 = "stablehlo.multiply"(%113, %113) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %116 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %117 = "stablehlo.reduce"(%115, %116) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %248 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%248) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x48xf32>, tensor<f32>) -> tensor<8xf32>
    %118 = "stablehlo.divide"(%117, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %119 = "stablehlo.add"(%118, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %120 = "stablehlo.rsqrt"(%119) : (tensor<8xf32>) -> tensor<8xf32>
    %121 = "stablehlo.broadcast_in_dim"(%120) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x48xf32>
    %122 = "stablehlo.multiply"(%113, %121) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %123 = "stablehlo.broadcast_in_dim"(%114) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %124 = "stablehlo.multiply"(%122, %123) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %125 = "util.global.load"() {global = @model.layers.0.mlp.gate_up_proj.weight} : () -> tensor<112x48xf32>
    %126 = "stablehlo.dot_general"(%124, %125) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<112x48xf32>) -> tensor<8x112xf32>
    %127 = "stablehlo.slice"(%126) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %128 = "stablehlo.slice"(%126) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %129 = "stablehlo.logistic"(%127) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %130 = "stablehlo.multiply"(%127, %129) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %131 = "stablehlo.multiply"(%130, %128) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %132 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<48x56xf32>
    %133 = "stablehlo.dot_general"(%131, %132) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<48x56xf32>) -> tensor<8x48xf32>
    %134 = "stablehlo.add"(%113, %133) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %135 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<48xf32>
    %136 = "stablehlo.multiply"(%134, %134) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %137 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %138 = "stablehlo.reduce"(%136, %137) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %248 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%248) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x48xf32>, tensor<f32>) -> tensor<8xf32>
    %139 = "stablehlo.divide"(%138, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %140 = "stablehlo.add"(%139, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %141 = "stablehlo.rsqrt"(%140) : (tensor<8xf32>) -> tensor<8xf32>
    %142 = "stablehlo.broadcast_in_dim"(%141) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x48xf32>
    %143 = "stablehlo.multiply"(%134, %142) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %144 = "stablehlo.broadcast_in_dim"(%135) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %145 = "stablehlo.multiply"(%143, %144) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %146 = "util.global.load"() {global = @model.layers.1.self_attn.qkv_proj.weight} : () -> tensor<80x48xf32>
    %147 = "stablehlo.dot_general"(%145, %146) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<80x48xf32>) -> tensor<8x80xf32>
    %148 = "stablehlo.slice"(%147) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x48xf32>
    %149 = "stablehlo.reshape"(%148) : (tensor<8x48xf32>) -> tensor<8x3x16xf32>
    %150 = "stablehlo.slice"(%149) {limit_indices = array<i64: 8, 3, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x16xf32>) -> tensor<8x3x12xf32>
    %151 = "stablehlo.reshape"(%150) : (tensor<8x3x12xf32>) -> tensor<8x3x2x6xf32>
    %152 = "stablehlo.slice"(%151) {limit_indices = array<i64: 8, 3, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x3x2x6xf32>) -> tensor<8x3x1x6xf32>
    %153 = "stablehlo.slice"(%151) {limit_indices = array<i64: 8, 3, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x3x2x6xf32>) -> tensor<8x3x1x6xf32>
    %154 = "stablehlo.multiply"(%152, %35) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %155 = "stablehlo.multiply"(%153, %38) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %156 = "stablehlo.subtract"(%154, %155) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %157 = "stablehlo.multiply"(%153, %35) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %158 = "stablehlo.multiply"(%152, %38) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %159 = "stablehlo.add"(%157, %158) : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x1x6xf32>
    %160 = "stablehlo.concatenate"(%156, %159) {dimension = 2 : i64} : (tensor<8x3x1x6xf32>, tensor<8x3x1x6xf32>) -> tensor<8x3x2x6xf32>
    %161 = "stablehlo.reshape"(%160) : (tensor<8x3x2x6xf32>) -> tensor<8x3x12xf32>
    %162 = "stablehlo.slice"(%149) {limit_indices = array<i64: 8, 3, 16>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>} : (tensor<8x3x16xf32>) -> tensor<8x3x4xf32>
    %163 = "stablehlo.concatenate"(%161, %162) {dimension = 2 : i64} : (tensor<8x3x12xf32>, tensor<8x3x4xf32>) -> tensor<8x3x16xf32>
    %164 = "stablehlo.slice"(%147) {limit_indices = array<i64: 8, 64>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x16xf32>
    %165 = "stablehlo.reshape"(%164) : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %166 = "stablehlo.slice"(%165) {limit_indices = array<i64: 8, 1, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<8x1x16xf32>) -> tensor<8x1x12xf32>
    %167 = "stablehlo.reshape"(%166) : (tensor<8x1x12xf32>) -> tensor<8x1x2x6xf32>
    %168 = "stablehlo.slice"(%167) {limit_indices = array<i64: 8, 1, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x1x2x6xf32>) -> tensor<8x1x1x6xf32>
    %169 = "stablehlo.slice"(%167) {limit_indices = array<i64: 8, 1, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x1x2x6xf32>) -> tensor<8x1x1x6xf32>
    %170 = "stablehlo.multiply"(%168, %55) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %171 = "stablehlo.multiply"(%169, %56) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %172 = "stablehlo.subtract"(%170, %171) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %173 = "stablehlo.multiply"(%169, %55) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %174 = "stablehlo.multiply"(%168, %56) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %175 = "stablehlo.add"(%173, %174) : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x1x6xf32>
    %176 = "stablehlo.concatenate"(%172, %175) {dimension = 2 : i64} : (tensor<8x1x1x6xf32>, tensor<8x1x1x6xf32>) -> tensor<8x1x2x6xf32>
    %177 = "stablehlo.reshape"(%176) : (tensor<8x1x2x6xf32>) -> tensor<8x1x12xf32>
    %178 = "stablehlo.slice"(%165) {limit_indices = array<i64: 8, 1, 16>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>} : (tensor<8x1x16xf32>) -> tensor<8x1x4xf32>
    %179 = "stablehlo.concatenate"(%177, %178) {dimension = 2 : i64} : (tensor<8x1x12xf32>, tensor<8x1x4xf32>) -> tensor<8x1x16xf32>
    %180 = "stablehlo.slice"(%147) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 64>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x16xf32>
    %181 = "stablehlo.reshape"(%180) : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %182 = "stablehlo.scatter"(%arg7, %arg2, %179) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x1x16xf32>, tensor<8x2xi32>, tensor<8x1x16xf32>) -> tensor<?x8x1x16xf32>
    %183 = "stablehlo.scatter"(%arg8, %arg2, %181) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x1x16xf32>, tensor<8x2xi32>, tensor<8x1x16xf32>) -> tensor<?x8x1x16xf32>
    %184 = "stablehlo.gather"(%182, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 1, 16>} : (tensor<?x8x1x16xf32>, tensor<1x2xi32>) -> tensor<1x2x8x1x16xf32>
    %185 = "stablehlo.reshape"(%184) : (tensor<1x2x8x1x16xf32>) -> tensor<1x16x1x16xf32>
    %186 = "stablehlo.gather"(%183, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 1, 16>} : (tensor<?x8x1x16xf32>, tensor<1x2xi32>) -> tensor<1x2x8x1x16xf32>
    %187 = "stablehlo.reshape"(%186) : (tensor<1x2x8x1x16xf32>) -> tensor<1x16x1x16xf32>
    %188 = "stablehlo.multiply"(%163, %75) : (tensor<8x3x16xf32>, tensor<8x3x16xf32>) -> tensor<8x3x16xf32>
    %189 = "stablehlo.reshape"(%188) : (tensor<8x3x16xf32>) -> tensor<1x8x1x3x16xf32>
    %190 = "stablehlo.dot_general"(%189, %185) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x1x3x16xf32>, tensor<1x16x1x16xf32>) -> tensor<1x1x8x3x16xf32>
    %191 = "stablehlo.select"(%89, %190, %90) : (tensor<1x1x8x3x16xi1>, tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %192 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %193 = "stablehlo.reduce"(%191, %192) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %248 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%248) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x1x8x3x16xf32>, tensor<f32>) -> tensor<1x1x8x3xf32>
    %194 = "stablehlo.compare"(%193, %94) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x1x8x3xf32>, tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xi1>
    %195 = "stablehlo.select"(%194, %96, %193) : (tensor<1x1x8x3xi1>, tensor<1x1x8x3xf32>, tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xf32>
    %196 = "stablehlo.broadcast_in_dim"(%195) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x8x3x16xf32>
    %197 = "stablehlo.subtract"(%191, %196) : (tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %198 = "stablehlo.exponential"(%197) : (tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %199 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %200 = "stablehlo.reduce"(%198, %199) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %248 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%248) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x1x8x3x16xf32>, tensor<f32>) -> tensor<1x1x8x3xf32>
    %201 = "stablehlo.select"(%194, %103, %200) : (tensor<1x1x8x3xi1>, tensor<1x1x8x3xf32>, tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xf32>
    %202 = "stablehlo.broadcast_in_dim"(%201) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x1x8x3xf32>) -> tensor<1x1x8x3x16xf32>
    %203 = "stablehlo.divide"(%198, %202) : (tensor<1x1x8x3x16xf32>, tensor<1x1x8x3x16xf32>) -> tensor<1x1x8x3x16xf32>
    %204 = "stablehlo.dot_general"(%203, %187) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x1x8x3x16xf32>, tensor<1x16x1x16xf32>) -> tensor<1x1x8x3x16xf32>
    %205 = "stablehlo.transpose"(%204) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x1x8x3x16xf32>) -> tensor<1x8x1x3x16xf32>
    %206 = "stablehlo.reshape"(%205) : (tensor<1x8x1x3x16xf32>) -> tensor<8x3x16xf32>
    %207 = "stablehlo.reshape"(%206) : (tensor<8x3x16xf32>) -> tensor<8x48xf32>
    %208 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<48x48xf32>
    %209 = "stablehlo.dot_general"(%207, %208) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<48x48xf32>) -> tensor<8x48xf32>
    %210 = "stablehlo.add"(%134, %209) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %211 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<48xf32>
    %212 = "stablehlo.multiply"(%210, %210) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %213 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %214 = "stablehlo.reduce"(%212, %213) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %248 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%248) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x48xf32>, tensor<f32>) -> tensor<8xf32>
    %215 = "stablehlo.divide"(%214, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %216 = "stablehlo.add"(%215, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %217 = "stablehlo.rsqrt"(%216) : (tensor<8xf32>) -> tensor<8xf32>
    %218 = "stablehlo.broadcast_in_dim"(%217) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x48xf32>
    %219 = "stablehlo.multiply"(%210, %218) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %220 = "stablehlo.broadcast_in_dim"(%211) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %221 = "stablehlo.multiply"(%219, %220) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %222 = "util.global.load"() {global = @model.layers.1.mlp.gate_up_proj.weight} : () -> tensor<112x48xf32>
    %223 = "stablehlo.dot_general"(%221, %222) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x48xf32>, tensor<112x48xf32>) -> tensor<8x112xf32>
    %224 = "stablehlo.slice"(%223) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %225 = "stablehlo.slice"(%223) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %226 = "stablehlo.logistic"(%224) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %227 = "stablehlo.multiply"(%224, %226) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %228 = "stablehlo.multiply"(%227, %225) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %229 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<48x56xf32>
    %230 = "stablehlo.dot_general"(%228, %229) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<48x56xf32>) -> tensor<8x48xf32>
    %231 = "stablehlo.add"(%210, %230) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %232 = "stablehlo.gather"(%231, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 48>} : (tensor<8x48xf32>, tensor<1xi32>) -> tensor<1x48xf32>
    %233 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<48xf32>
    %234 = "stablehlo.multiply"(%232, %232) : (tensor<1x48xf32>, tensor<1x48xf32>) -> tensor<1x48xf32>
    %235 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %236 = "stablehlo.reduce"(%234, %235) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %248 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%248) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x48xf32>, tensor<f32>) -> tensor<1xf32>
    %237 = "stablehlo.constant"() {value = dense<4.800000e+01> : tensor<1xf32>} : () -> tensor<1xf32>
    %238 = "stablehlo.divide"(%236, %237) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %239 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<1xf32>} : () -> tensor<1xf32>
    %240 = "stablehlo.add"(%238, %239) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %241 = "stablehlo.rsqrt"(%240) : (tensor<1xf32>) -> tensor<1xf32>
    %242 = "stablehlo.broadcast_in_dim"(%241) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x48xf32>
    %243 = "stablehlo.multiply"(%232, %242) : (tensor<1x48xf32>, tensor<1x48xf32>) -> tensor<1x48xf32>
    %244 = "stablehlo.broadcast_in_dim"(%233) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<1x48xf32>
    %245 = "stablehlo.multiply"(%243, %244) : (tensor<1x48xf32>, tensor<1x48xf32>) -> tensor<1x48xf32>
    %246 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x48xf32>
    %247 = "stablehlo.dot_general"(%245, %246) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<1x48xf32>, tensor<128x48xf32>) -> tensor<1x128xf32>
    return %247, %69, %70, %182, %183 : tensor<1x128xf32>, tensor<?x8x1x16xf32>, tensor<?x8x1x16xf32>, tensor<?x8x1x16xf32>, tensor<?x8x1x16xf32>
  }
}
