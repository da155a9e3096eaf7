module @qwen2 {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<128x40xf32>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x40xf32>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.0.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj+up_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.0.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.0.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<40x40xf32>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x40xf32>, sym_name = "model.layers.0.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.0.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.0.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.1.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj+up_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.1.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.1.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<40x40xf32>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x40xf32>, sym_name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.1.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.1.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.2.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.down_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.2.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.mlp.gate_proj+up_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.2.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.2.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.2.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.o_proj.weight"> : tensor<40x40xf32>, sym_name = "model.layers.2.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x40xf32>, sym_name = "model.layers.2.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.2.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.2.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.2.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.3.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.down_proj.weight"> : tensor<40x56xf32>, sym_name = "model.layers.3.mlp.down_proj.weight", sym_visibility = "private", type = tensor<40x56xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.mlp.gate_proj+up_proj.weight"> : tensor<112x40xf32>, sym_name = "model.layers.3.mlp.gate_proj+up_proj.weight", sym_visibility = "private", type = tensor<112x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.3.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.k_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.3.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.o_proj.weight"> : tensor<40x40xf32>, sym_name = "model.layers.3.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<40x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.q_proj+k_proj+v_proj.weight"> : tensor<80x40xf32>, sym_name = "model.layers.3.self_attn.q_proj+k_proj+v_proj.weight", sym_visibility = "private", type = tensor<80x40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.q_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.3.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.3.self_attn.v_proj.bias"> : tensor<20xf32>, sym_name = "model.layers.3.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<20xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<40xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  func.func @prefill(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>, %arg2: tensor<8x2xi32>, %arg3: tensor<1x2xi32>, %arg4: tensor<1xi32>, %arg5: tensor<?x8x2x10xf32> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x10xf32> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x10xf32> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x10xf32> {iree.abi.output = 4 : index}, %arg9: tensor<?x8x2x10xf32> {iree.abi.output = 5 : index}, %arg10: tensor<?x8x2x10xf32> {iree.abi.output = 6 : index}, %arg11: tensor<?x8x2x10xf32> {iree.abi.output = 7 : index}, %arg12: tensor<?x8x2x10xf32> {iree.abi.output = 8 : index}) -> (tensor<1x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>) {
    %0 = "stablehlo.constant"() {value = dense<[1.000000e+00, 0.158489317, 0.0251188651, 0.00398107152, 6.30957366E-4]> : tensor<5xf32>} : () -> tensor<5xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<5xf32>) -> tensor<8x5xf32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<8xi32>) -> tensor<8xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x5xf32>
    %4 = "stablehlo.multiply"(%3, %1) : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %5 = "stablehlo.cosine"(%4) : (tensor<8x5xf32>) -> tensor<8x5xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<8x5xf32>) -> tensor<1x8x5xf32>
    %7 = "stablehlo.sine"(%4) : (tensor<8x5xf32>) -> tensor<8x5xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<8x5xf32>) -> tensor<1x8x5xf32>
    %9 = "stablehlo.concatenate"(%6, %8) {dimension = 0 : i64} : (tensor<1x8x5xf32>, tensor<1x8x5xf32>) -> tensor<2x8x5xf32>
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x40xf32>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<128x40xf32>, tensor<8xi32>) -> tensor<8x40xf32>
    %12 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<40xf32>
    %13 = "stablehlo.multiply"(%11, %11) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
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
    %25 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x40xf32>
    %26 = "stablehlo.dot_general"(%24, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<80x40xf32>) -> tensor<8x80xf32>
    %27 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x40xf32>
    %28 = "util.global.load"() {global = @model.layers.0.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %30 = "stablehlo.add"(%27, %29) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %31 = "stablehlo.reshape"(%30) : (tensor<8x40xf32>) -> tensor<8x4x10xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<8x4x10xf32>) -> tensor<8x4x2x5xf32>
    %33 = "stablehlo.slice"(%32) {limit_indices = array<i64: 8, 4, 1, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x1x5xf32>
    %34 = "stablehlo.slice"(%32) {limit_indices = array<i64: 8, 4, 2, 5>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x1x5xf32>
    %35 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 8, 5>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x5xf32>) -> tensor<1x8x5xf32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1x8x5xf32>) -> tensor<8x5xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x5xf32>) -> tensor<8x4x1x5xf32>
    %38 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 8, 5>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x5xf32>) -> tensor<1x8x5xf32>
    %39 = "stablehlo.reshape"(%38) : (tensor<1x8x5xf32>) -> tensor<8x5xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x5xf32>) -> tensor<8x4x1x5xf32>
    %41 = "stablehlo.multiply"(%33, %37) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %42 = "stablehlo.multiply"(%34, %40) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %43 = "stablehlo.subtract"(%41, %42) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %44 = "stablehlo.multiply"(%34, %37) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %45 = "stablehlo.multiply"(%33, %40) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %46 = "stablehlo.add"(%44, %45) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %47 = "stablehlo.concatenate"(%43, %46) {dimension = 2 : i64} : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x2x5xf32>
    %48 = "stablehlo.reshape"(%47) : (tensor<8x4x2x5xf32>) -> tensor<8x4x10xf32>
    %49 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %50 = "util.global.load"() {global = @model.layers.0.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<8x20xf32>
    %52 = "stablehlo.add"(%49, %51) : (tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<8x20xf32>
    %53 = "stablehlo.reshape"(%52) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<8x2x10xf32>) -> tensor<8x2x2x5xf32>
    %55 = "stablehlo.slice"(%54) {limit_indices = array<i64: 8, 2, 1, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x1x5xf32>
    %56 = "stablehlo.slice"(%54) {limit_indices = array<i64: 8, 2, 2, 5>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x1x5xf32>
    %57 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x5xf32>) -> tensor<8x2x1x5xf32>
    %58 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<8x5xf32>) -> tensor<8x2x1x5xf32>
    %59 = "stablehlo.multiply"(%55, %57) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %60 = "stablehlo.multiply"(%56, %58) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %61 = "stablehlo.subtract"(%59, %60) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %62 = "stablehlo.multiply"(%56, %57) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %63 = "stablehlo.multiply"(%55, %58) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %64 = "stablehlo.add"(%62, %63) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %65 = "stablehlo.concatenate"(%61, %64) {dimension = 2 : i64} : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x2x5xf32>
    %66 = "stablehlo.reshape"(%65) : (tensor<8x2x2x5xf32>) -> tensor<8x2x10xf32>
    %67 = "stablehlo.slice"(%26) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %68 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<8x20xf32>
    %70 = "stablehlo.add"(%67, %69) : (tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<8x20xf32>
    %71 = "stablehlo.reshape"(%70) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %72 = "stablehlo.scatter"(%arg5, %arg2, %66) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %73 = "stablehlo.scatter"(%arg6, %arg2, %71) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %74 = "stablehlo.gather"(%72, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 10>} : (tensor<?x8x2x10xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x10xf32>
    %75 = "stablehlo.reshape"(%74) : (tensor<1x2x8x2x10xf32>) -> tensor<1x16x2x10xf32>
    %76 = "stablehlo.gather"(%73, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 10>} : (tensor<?x8x2x10xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x10xf32>
    %77 = "stablehlo.reshape"(%76) : (tensor<1x2x8x2x10xf32>) -> tensor<1x16x2x10xf32>
    %78 = "stablehlo.constant"() {value = dense<0.316227764> : tensor<8x4x10xf32>} : () -> tensor<8x4x10xf32>
    %79 = "stablehlo.multiply"(%48, %78) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %80 = "stablehlo.reshape"(%79) : (tensor<8x4x10xf32>) -> tensor<1x8x2x2x10xf32>
    %81 = "stablehlo.dot_general"(%80, %75) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x10xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x16xf32>
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
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
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
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %101 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<1x2x8x2xf32>} : () -> tensor<1x2x8x2xf32>
    %102 = "stablehlo.select"(%93, %101, %100) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %103 = "stablehlo.broadcast_in_dim"(%102) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %104 = "stablehlo.divide"(%98, %103) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %105 = "stablehlo.dot_general"(%104, %77) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x10xf32>
    %106 = "stablehlo.transpose"(%105) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x10xf32>) -> tensor<1x8x2x2x10xf32>
    %107 = "stablehlo.reshape"(%106) : (tensor<1x8x2x2x10xf32>) -> tensor<8x4x10xf32>
    %108 = "stablehlo.reshape"(%107) : (tensor<8x4x10xf32>) -> tensor<8x40xf32>
    %109 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<40x40xf32>
    %110 = "stablehlo.dot_general"(%108, %109) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
    %111 = "stablehlo.add"(%11, %110) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %112 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %113 = "stablehlo.multiply"(%111, %111) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %114 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %115 = "stablehlo.reduce"(%113, %114) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %116 = "stablehlo.divide"(%115, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %117 = "stablehlo.add"(%116, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %118 = "stablehlo.rsqrt"(%117) : (tensor<8xf32>) -> tensor<8xf32>
    %119 = "stablehlo.broadcast_in_dim"(%118) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %120 = "stablehlo.multiply"(%111, %119) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %121 = "stablehlo.broadcast_in_dim"(%112) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %122 = "stablehlo.multiply"(%120, %121) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %123 = "util.global.load"() {global = @"model.layers.0.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x40xf32>
    %124 = "stablehlo.dot_general"(%122, %123) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<112x40xf32>) -> tensor<8x112xf32>
    %125 = "stablehlo.slice"(%124) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %126 = "stablehlo.slice"(%124) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %127 = "stablehlo.logistic"(%125) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %128 = "stablehlo.multiply"(%125, %127) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %129 = "stablehlo.multiply"(%128, %126) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %130 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<40x56xf32>
    %131 = "stablehlo.dot_general"(%129, %130) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<40x56xf32>) -> tensor<8x40xf32>
    %132 = "stablehlo.add"(%111, %131) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %133 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %134 = "stablehlo.multiply"(%132, %132) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %135 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %136 = "stablehlo.reduce"(%134, %135) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %137 = "stablehlo.divide"(%136, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %138 = "stablehlo.add"(%137, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %139 = "stablehlo.rsqrt"(%138) : (tensor<8xf32>) -> tensor<8xf32>
    %140 = "stablehlo.broadcast_in_dim"(%139) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %141 = "stablehlo.multiply"(%132, %140) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %142 = "stablehlo.broadcast_in_dim"(%133) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %143 = "stablehlo.multiply"(%141, %142) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %144 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x40xf32>
    %145 = "stablehlo.dot_general"(%143, %144) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<80x40xf32>) -> tensor<8x80xf32>
    %146 = "stablehlo.slice"(%145) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x40xf32>
    %147 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %148 = "stablehlo.broadcast_in_dim"(%147) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %149 = "stablehlo.add"(%146, %148) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %150 = "stablehlo.reshape"(%149) : (tensor<8x40xf32>) -> tensor<8x4x10xf32>
    %151 = "stablehlo.reshape"(%150) : (tensor<8x4x10xf32>) -> tensor<8x4x2x5xf32>
    %152 = "stablehlo.slice"(%151) {limit_indices = array<i64: 8, 4, 1, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x1x5xf32>
    %153 = "stablehlo.slice"(%151) {limit_indices = array<i64: 8, 4, 2, 5>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x1x5xf32>
    %154 = "stablehlo.multiply"(%152, %37) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %155 = "stablehlo.multiply"(%153, %40) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %156 = "stablehlo.subtract"(%154, %155) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %157 = "stablehlo.multiply"(%153, %37) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %158 = "stablehlo.multiply"(%152, %40) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %159 = "stablehlo.add"(%157, %158) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %160 = "stablehlo.concatenate"(%156, %159) {dimension = 2 : i64} : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x2x5xf32>
    %161 = "stablehlo.reshape"(%160) : (tensor<8x4x2x5xf32>) -> tensor<8x4x10xf32>
    %162 = "stablehlo.slice"(%145) {limit_indices = array<i64: 8, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %163 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %164 = "stablehlo.broadcast_in_dim"(%163) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<8x20xf32>
    %165 = "stablehlo.add"(%162, %164) : (tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<8x20xf32>
    %166 = "stablehlo.reshape"(%165) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %167 = "stablehlo.reshape"(%166) : (tensor<8x2x10xf32>) -> tensor<8x2x2x5xf32>
    %168 = "stablehlo.slice"(%167) {limit_indices = array<i64: 8, 2, 1, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x1x5xf32>
    %169 = "stablehlo.slice"(%167) {limit_indices = array<i64: 8, 2, 2, 5>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x1x5xf32>
    %170 = "stablehlo.multiply"(%168, %57) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %171 = "stablehlo.multiply"(%169, %58) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %172 = "stablehlo.subtract"(%170, %171) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %173 = "stablehlo.multiply"(%169, %57) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %174 = "stablehlo.multiply"(%168, %58) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %175 = "stablehlo.add"(%173, %174) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %176 = "stablehlo.concatenate"(%172, %175) {dimension = 2 : i64} : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x2x5xf32>
    %177 = "stablehlo.reshape"(%176) : (tensor<8x2x2x5xf32>) -> tensor<8x2x10xf32>
    %178 = "stablehlo.slice"(%145) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %179 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %180 = "stablehlo.broadcast_in_dim"(%179) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<8x20xf32>
    %181 = "stablehlo.add"(%178, %180) : (tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<8x20xf32>
    %182 = "stablehlo.reshape"(%181) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %183 = "stablehlo.scatter"(%arg7, %arg2, %177) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %184 = "stablehlo.scatter"(%arg8, %arg2, %182) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %185 = "stablehlo.gather"(%183, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 10>} : (tensor<?x8x2x10xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x10xf32>
    %186 = "stablehlo.reshape"(%185) : (tensor<1x2x8x2x10xf32>) -> tensor<1x16x2x10xf32>
    %187 = "stablehlo.gather"(%184, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 10>} : (tensor<?x8x2x10xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x10xf32>
    %188 = "stablehlo.reshape"(%187) : (tensor<1x2x8x2x10xf32>) -> tensor<1x16x2x10xf32>
    %189 = "stablehlo.multiply"(%161, %78) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %190 = "stablehlo.reshape"(%189) : (tensor<8x4x10xf32>) -> tensor<1x8x2x2x10xf32>
    %191 = "stablehlo.dot_general"(%190, %186) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x10xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x16xf32>
    %192 = "stablehlo.select"(%87, %191, %88) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %193 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %194 = "stablehlo.reduce"(%192, %193) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %195 = "stablehlo.compare"(%194, %92) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xi1>
    %196 = "stablehlo.select"(%195, %94, %194) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %197 = "stablehlo.broadcast_in_dim"(%196) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %198 = "stablehlo.subtract"(%192, %197) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %199 = "stablehlo.exponential"(%198) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %200 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %201 = "stablehlo.reduce"(%199, %200) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %202 = "stablehlo.select"(%195, %101, %201) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %203 = "stablehlo.broadcast_in_dim"(%202) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %204 = "stablehlo.divide"(%199, %203) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %205 = "stablehlo.dot_general"(%204, %188) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x10xf32>
    %206 = "stablehlo.transpose"(%205) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x10xf32>) -> tensor<1x8x2x2x10xf32>
    %207 = "stablehlo.reshape"(%206) : (tensor<1x8x2x2x10xf32>) -> tensor<8x4x10xf32>
    %208 = "stablehlo.reshape"(%207) : (tensor<8x4x10xf32>) -> tensor<8x40xf32>
    %209 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<40x40xf32>
    %210 = "stablehlo.dot_general"(%208, %209) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
    %211 = "stablehlo.add"(%132, %210) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %212 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %213 = "stablehlo.multiply"(%211, %211) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %214 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %215 = "stablehlo.reduce"(%213, %214) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %216 = "stablehlo.divide"(%215, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %217 = "stablehlo.add"(%216, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %218 = "stablehlo.rsqrt"(%217) : (tensor<8xf32>) -> tensor<8xf32>
    %219 = "stablehlo.broadcast_in_dim"(%218) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %220 = "stablehlo.multiply"(%211, %219) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %221 = "stablehlo.broadcast_in_dim"(%212) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %222 = "stablehlo.multiply"(%220, %221) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %223 = "util.global.load"() {global = @"model.layers.1.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x40xf32>
    %224 = "stablehlo.dot_general"(%222, %223) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<112x40xf32>) -> tensor<8x112xf32>
    %225 = "stablehlo.slice"(%224) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %226 = "stablehlo.slice"(%224) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %227 = "stablehlo.logistic"(%225) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %228 = "stablehlo.multiply"(%225, %227) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %229 = "stablehlo.multiply"(%228, %226) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %230 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<40x56xf32>
    %231 = "stablehlo.dot_general"(%229, %230) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<40x56xf32>) -> tensor<8x40xf32>
    %232 = "stablehlo.add"(%211, %231) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %233 = "util.global.load"() {global = @model.layers.2.input_layernorm.weight} : () -> tensor<40xf32>
    %234 = "stablehlo.multiply"(%232, %232) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %235 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %236 = "stablehlo.reduce"(%234, %235) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %237 = "stablehlo.divide"(%236, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %238 = "stablehlo.add"(%237, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %239 = "stablehlo.rsqrt"(%238) : (tensor<8xf32>) -> tensor<8xf32>
    %240 = "stablehlo.broadcast_in_dim"(%239) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %241 = "stablehlo.multiply"(%232, %240) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %242 = "stablehlo.broadcast_in_dim"(%233) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %243 = "stablehlo.multiply"(%241, %242) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %244 = "util.global.load"() {global = @"model.layers.2.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x40xf32>
    %245 = "stablehlo.dot_general"(%243, %244) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<80x40xf32>) -> tensor<8x80xf32>
    %246 = "stablehlo.slice"(%245) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x40xf32>
    %247 = "util.global.load"() {global = @model.layers.2.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %248 = "stablehlo.broadcast_in_dim"(%247) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %249 = "stablehlo.add"(%246, %248) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %250 = "stablehlo.reshape"(%249) : (tensor<8x40xf32>) -> tensor<8x4x10xf32>
    %251 = "stablehlo.reshape"(%250) : (tensor<8x4x10xf32>) -> tensor<8x4x2x5xf32>
    %252 = "stablehlo.slice"(%251) {limit_indices = array<i64: 8, 4, 1, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x1x5xf32>
    %253 = "stablehlo.slice"(%251) {limit_indices = array<i64: 8, 4, 2, 5>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x1x5xf32>
    %254 = "stablehlo.multiply"(%252, %37) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %255 = "stablehlo.multiply"(%253, %40) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %256 = "stablehlo.subtract"(%254, %255) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %257 = "stablehlo.multiply"(%253, %37) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %258 = "stablehlo.multiply"(%252, %40) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %259 = "stablehlo.add"(%257, %258) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %260 = "stablehlo.concatenate"(%256, %259) {dimension = 2 : i64} : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x2x5xf32>
    %261 = "stablehlo.reshape"(%260) : (tensor<8x4x2x5xf32>) -> tensor<8x4x10xf32>
    %262 = "stablehlo.slice"(%245) {limit_indices = array<i64: 8, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %263 = "util.global.load"() {global = @model.layers.2.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %264 = "stablehlo.broadcast_in_dim"(%263) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<8x20xf32>
    %265 = "stablehlo.add"(%262, %264) : (tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<8x20xf32>
    %266 = "stablehlo.reshape"(%265) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %267 = "stablehlo.reshape"(%266) : (tensor<8x2x10xf32>) -> tensor<8x2x2x5xf32>
    %268 = "stablehlo.slice"(%267) {limit_indices = array<i64: 8, 2, 1, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x1x5xf32>
    %269 = "stablehlo.slice"(%267) {limit_indices = array<i64: 8, 2, 2, 5>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x1x5xf32>
    %270 = "stablehlo.multiply"(%268, %57) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %271 = "stablehlo.multiply"(%269, %58) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %272 = "stablehlo.subtract"(%270, %271) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %273 = "stablehlo.multiply"(%269, %57) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %274 = "stablehlo.multiply"(%268, %58) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %275 = "stablehlo.add"(%273, %274) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %276 = "stablehlo.concatenate"(%272, %275) {dimension = 2 : i64} : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x2x5xf32>
    %277 = "stablehlo.reshape"(%276) : (tensor<8x2x2x5xf32>) -> tensor<8x2x10xf32>
    %278 = "stablehlo.slice"(%245) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %279 = "util.global.load"() {global = @model.layers.2.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %280 = "stablehlo.broadcast_in_dim"(%279) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<8x20xf32>
    %281 = "stablehlo.add"(%278, %280) : (tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<8x20xf32>
    %282 = "stablehlo.reshape"(%281) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %283 = "stablehlo.scatter"(%arg9, %arg2, %277) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %284 = "stablehlo.scatter"(%arg10, %arg2, %282) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %285 = "stablehlo.gather"(%283, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 10>} : (tensor<?x8x2x10xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x10xf32>
    %286 = "stablehlo.reshape"(%285) : (tensor<1x2x8x2x10xf32>) -> tensor<1x16x2x10xf32>
    %287 = "stablehlo.gather"(%284, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 10>} : (tensor<?x8x2x10xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x10xf32>
    %288 = "stablehlo.reshape"(%287) : (tensor<1x2x8x2x10xf32>) -> tensor<1x16x2x10xf32>
    %289 = "stablehlo.multiply"(%261, %78) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %290 = "stablehlo.reshape"(%289) : (tensor<8x4x10xf32>) -> tensor<1x8x2x2x10xf32>
    %291 = "stablehlo.dot_general"(%290, %286) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x10xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x16xf32>
    %292 = "stablehlo.constant"() {value = dense<7> : tensor<1x8xi32>} : () -> tensor<1x8xi32>
    %293 = "stablehlo.subtract"(%84, %292) : (tensor<1x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi32>
    %294 = "stablehlo.broadcast_in_dim"(%293) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %295 = "stablehlo.compare"(%83, %294) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %296 = "stablehlo.and"(%86, %295) : (tensor<1x8x16xi1>, tensor<1x8x16xi1>) -> tensor<1x8x16xi1>
    %297 = "stablehlo.broadcast_in_dim"(%296) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x2x8x2x16xi1>
    %298 = "stablehlo.select"(%297, %291, %88) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %299 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %300 = "stablehlo.reduce"(%298, %299) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %301 = "stablehlo.compare"(%300, %92) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xi1>
    %302 = "stablehlo.select"(%301, %94, %300) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %303 = "stablehlo.broadcast_in_dim"(%302) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %304 = "stablehlo.subtract"(%298, %303) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %305 = "stablehlo.exponential"(%304) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %306 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %307 = "stablehlo.reduce"(%305, %306) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %308 = "stablehlo.select"(%301, %101, %307) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %309 = "stablehlo.broadcast_in_dim"(%308) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %310 = "stablehlo.divide"(%305, %309) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %311 = "stablehlo.dot_general"(%310, %288) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x10xf32>
    %312 = "stablehlo.transpose"(%311) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x10xf32>) -> tensor<1x8x2x2x10xf32>
    %313 = "stablehlo.reshape"(%312) : (tensor<1x8x2x2x10xf32>) -> tensor<8x4x10xf32>
    %314 = "stablehlo.reshape"(%313) : (tensor<8x4x10xf32>) -> tensor<8x40xf32>
    %315 = "util.global.load"() {global = @model.layers.2.self_attn.o_proj.weight} : () -> tensor<40x40xf32>
    %316 = "stablehlo.dot_general"(%314, %315) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
    %317 = "stablehlo.add"(%232, %316) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %318 = "util.global.load"() {global = @model.layers.2.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %319 = "stablehlo.multiply"(%317, %317) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %320 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %321 = "stablehlo.reduce"(%319, %320) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %322 = "stablehlo.divide"(%321, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %323 = "stablehlo.add"(%322, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %324 = "stablehlo.rsqrt"(%323) : (tensor<8xf32>) -> tensor<8xf32>
    %325 = "stablehlo.broadcast_in_dim"(%324) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %326 = "stablehlo.multiply"(%317, %325) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %327 = "stablehlo.broadcast_in_dim"(%318) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %328 = "stablehlo.multiply"(%326, %327) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %329 = "util.global.load"() {global = @"model.layers.2.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x40xf32>
    %330 = "stablehlo.dot_general"(%328, %329) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<112x40xf32>) -> tensor<8x112xf32>
    %331 = "stablehlo.slice"(%330) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %332 = "stablehlo.slice"(%330) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %333 = "stablehlo.logistic"(%331) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %334 = "stablehlo.multiply"(%331, %333) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %335 = "stablehlo.multiply"(%334, %332) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %336 = "util.global.load"() {global = @model.layers.2.mlp.down_proj.weight} : () -> tensor<40x56xf32>
    %337 = "stablehlo.dot_general"(%335, %336) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<40x56xf32>) -> tensor<8x40xf32>
    %338 = "stablehlo.add"(%317, %337) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %339 = "util.global.load"() {global = @model.layers.3.input_layernorm.weight} : () -> tensor<40xf32>
    %340 = "stablehlo.multiply"(%338, %338) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %341 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %342 = "stablehlo.reduce"(%340, %341) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %343 = "stablehlo.divide"(%342, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %344 = "stablehlo.add"(%343, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %345 = "stablehlo.rsqrt"(%344) : (tensor<8xf32>) -> tensor<8xf32>
    %346 = "stablehlo.broadcast_in_dim"(%345) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %347 = "stablehlo.multiply"(%338, %346) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %348 = "stablehlo.broadcast_in_dim"(%339) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %349 = "stablehlo.multiply"(%347, %348) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %350 = "util.global.load"() {global = @"model.layers.3.self_attn.q_proj+k_proj+v_proj.weight"} : () -> tensor<80x40xf32>
    %351 = "stablehlo.dot_general"(%349, %350) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<80x40xf32>) -> tensor<8x80xf32>
    %352 = "stablehlo.slice"(%351) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x40xf32>
    %353 = "util.global.load"() {global = @model.layers.3.self_attn.q_proj.bias} : () -> tensor<40xf32>
    %354 = "stablehlo.broadcast_in_dim"(%353) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %355 = "stablehlo.add"(%352, %354) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %356 = "stablehlo.reshape"(%355) : (tensor<8x40xf32>) -> tensor<8x4x10xf32>
    %357 = "stablehlo.reshape"(%356) : (tensor<8x4x10xf32>) -> tensor<8x4x2x5xf32>
    %358 = "stablehlo.slice"(%357) {limit_indices = array<i64: 8, 4, 1, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x1x5xf32>
    %359 = "stablehlo.slice"(%357) {limit_indices = array<i64: 8, 4, 2, 5>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x4x2x5xf32>) -> tensor<8x4x1x5xf32>
    %360 = "stablehlo.multiply"(%358, %37) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %361 = "stablehlo.multiply"(%359, %40) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %362 = "stablehlo.subtract"(%360, %361) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %363 = "stablehlo.multiply"(%359, %37) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %364 = "stablehlo.multiply"(%358, %40) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %365 = "stablehlo.add"(%363, %364) : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x1x5xf32>
    %366 = "stablehlo.concatenate"(%362, %365) {dimension = 2 : i64} : (tensor<8x4x1x5xf32>, tensor<8x4x1x5xf32>) -> tensor<8x4x2x5xf32>
    %367 = "stablehlo.reshape"(%366) : (tensor<8x4x2x5xf32>) -> tensor<8x4x10xf32>
    %368 = "stablehlo.slice"(%351) {limit_indices = array<i64: 8, 60>, start_indices = array<i64: 0, 40>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %369 = "util.global.load"() {global = @model.layers.3.self_attn.k_proj.bias} : () -> tensor<20xf32>
    %370 = "stablehlo.broadcast_in_dim"(%369) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<8x20xf32>
    %371 = "stablehlo.add"(%368, %370) : (tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<8x20xf32>
    %372 = "stablehlo.reshape"(%371) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %373 = "stablehlo.reshape"(%372) : (tensor<8x2x10xf32>) -> tensor<8x2x2x5xf32>
    %374 = "stablehlo.slice"(%373) {limit_indices = array<i64: 8, 2, 1, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x1x5xf32>
    %375 = "stablehlo.slice"(%373) {limit_indices = array<i64: 8, 2, 2, 5>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<8x2x2x5xf32>) -> tensor<8x2x1x5xf32>
    %376 = "stablehlo.multiply"(%374, %57) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %377 = "stablehlo.multiply"(%375, %58) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %378 = "stablehlo.subtract"(%376, %377) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %379 = "stablehlo.multiply"(%375, %57) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %380 = "stablehlo.multiply"(%374, %58) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %381 = "stablehlo.add"(%379, %380) : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x1x5xf32>
    %382 = "stablehlo.concatenate"(%378, %381) {dimension = 2 : i64} : (tensor<8x2x1x5xf32>, tensor<8x2x1x5xf32>) -> tensor<8x2x2x5xf32>
    %383 = "stablehlo.reshape"(%382) : (tensor<8x2x2x5xf32>) -> tensor<8x2x10xf32>
    %384 = "stablehlo.slice"(%351) {limit_indices = array<i64: 8, 80>, start_indices = array<i64: 0, 60>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x20xf32>
    %385 = "util.global.load"() {global = @model.layers.3.self_attn.v_proj.bias} : () -> tensor<20xf32>
    %386 = "stablehlo.broadcast_in_dim"(%385) {broadcast_dimensions = array<i64: 1>} : (tensor<20xf32>) -> tensor<8x20xf32>
    %387 = "stablehlo.add"(%384, %386) : (tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<8x20xf32>
    %388 = "stablehlo.reshape"(%387) : (tensor<8x20xf32>) -> tensor<8x2x10xf32>
    %389 = "stablehlo.scatter"(%arg11, %arg2, %383) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %390 = "stablehlo.scatter"(%arg12, %arg2, %388) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      "stablehlo.return"(%arg14) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x10xf32>, tensor<8x2xi32>, tensor<8x2x10xf32>) -> tensor<?x8x2x10xf32>
    %391 = "stablehlo.gather"(%389, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 10>} : (tensor<?x8x2x10xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x10xf32>
    %392 = "stablehlo.reshape"(%391) : (tensor<1x2x8x2x10xf32>) -> tensor<1x16x2x10xf32>
    %393 = "stablehlo.gather"(%390, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 10>} : (tensor<?x8x2x10xf32>, tensor<1x2xi32>) -> tensor<1x2x8x2x10xf32>
    %394 = "stablehlo.reshape"(%393) : (tensor<1x2x8x2x10xf32>) -> tensor<1x16x2x10xf32>
    %395 = "stablehlo.multiply"(%367, %78) : (tensor<8x4x10xf32>, tensor<8x4x10xf32>) -> tensor<8x4x10xf32>
    %396 = "stablehlo.reshape"(%395) : (tensor<8x4x10xf32>) -> tensor<1x8x2x2x10xf32>
    %397 = "stablehlo.dot_general"(%396, %392) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x10xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x16xf32>
    %398 = "stablehlo.select"(%297, %397, %88) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %399 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %400 = "stablehlo.reduce"(%398, %399) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %401 = "stablehlo.compare"(%400, %92) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xi1>
    %402 = "stablehlo.select"(%401, %94, %400) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %403 = "stablehlo.broadcast_in_dim"(%402) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %404 = "stablehlo.subtract"(%398, %403) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %405 = "stablehlo.exponential"(%404) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %406 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %407 = "stablehlo.reduce"(%405, %406) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %408 = "stablehlo.select"(%401, %101, %407) : (tensor<1x2x8x2xi1>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x8x2xf32>
    %409 = "stablehlo.broadcast_in_dim"(%408) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %410 = "stablehlo.divide"(%405, %409) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %411 = "stablehlo.dot_general"(%410, %394) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xf32>, tensor<1x16x2x10xf32>) -> tensor<1x2x8x2x10xf32>
    %412 = "stablehlo.transpose"(%411) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x10xf32>) -> tensor<1x8x2x2x10xf32>
    %413 = "stablehlo.reshape"(%412) : (tensor<1x8x2x2x10xf32>) -> tensor<8x4x10xf32>
    %414 = "stablehlo.reshape"(%413) : (tensor<8x4x10xf32>) -> tensor<8x40xf32>
    %415 = "util.global.load"() {global = @model.layers.3.self_attn.o_proj.weight} : () -> tensor<40x40xf32>
    %416 = "stablehlo.dot_general"(%414, %415) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
    %417 = "stablehlo.add"(%338, %416) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %418 = "util.global.load"() {global = @model.layers.3.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %419 = "stablehlo.multiply"(%417, %417) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %420 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %421 = "stablehlo.reduce"(%419, %420) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %422 = "stablehlo.divide"(%421, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %423 = "stablehlo.add"(%422, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %424 = "stablehlo.rsqrt"(%423) : (tensor<8xf32>) -> tensor<8xf32>
    %425 = "stablehlo.broadcast_in_dim"(%424) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %426 = "stablehlo.multiply"(%417, %425) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %427 = "stablehlo.broadcast_in_dim"(%418) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %428 = "stablehlo.multiply"(%426, %427) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %429 = "util.global.load"() {global = @"model.layers.3.mlp.gate_proj+up_proj.weight"} : () -> tensor<112x40xf32>
    %430 = "stablehlo.dot_general"(%428, %429) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x40xf32>, tensor<112x40xf32>) -> tensor<8x112xf32>
    %431 = "stablehlo.slice"(%430) {limit_indices = array<i64: 8, 56>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %432 = "stablehlo.slice"(%430) {limit_indices = array<i64: 8, 112>, start_indices = array<i64: 0, 56>, strides = array<i64: 1, 1>} : (tensor<8x112xf32>) -> tensor<8x56xf32>
    %433 = "stablehlo.logistic"(%431) : (tensor<8x56xf32>) -> tensor<8x56xf32>
    %434 = "stablehlo.multiply"(%431, %433) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %435 = "stablehlo.multiply"(%434, %432) : (tensor<8x56xf32>, tensor<8x56xf32>) -> tensor<8x56xf32>
    %436 = "util.global.load"() {global = @model.layers.3.mlp.down_proj.weight} : () -> tensor<40x56xf32>
    %437 = "stablehlo.dot_general"(%435, %436) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<8x56xf32>, tensor<40x56xf32>) -> tensor<8x40xf32>
    %438 = "stablehlo.add"(%417, %437) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %439 = "stablehlo.gather"(%438, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<8x40xf32>, tensor<1xi32>) -> tensor<1x40xf32>
    %440 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %441 = "stablehlo.multiply"(%439, %439) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %442 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %443 = "stablehlo.reduce"(%441, %442) ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %455 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%455) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x40xf32>, tensor<f32>) -> tensor<1xf32>
    %444 = "stablehlo.constant"() {value = dense<4.000000e+01> : tensor<1xf32>} : () -> tensor<1xf32>
    %445 = "stablehlo.divide"(%443, %444) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %446 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<1xf32>} : () -> tensor<1xf32>
    %447 = "stablehlo.add"(%445, %446) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %448 = "stablehlo.rsqrt"(%447) : (tensor<1xf32>) -> tensor<1xf32>
    %449 = "stablehlo.broadcast_in_dim"(%448) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x40xf32>
    %450 = "stablehlo.multiply"(%439, %449) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %451 = "stablehlo.broadcast_in_dim"(%440) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<1x40xf32>
    %452 = "stablehlo.multiply"(%450, %451) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %453 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<128x40xf32>
    %454 = "stablehlo.dot_general"(%452, %453) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<1x40xf32>, tensor<128x40xf32>) -> tensor<1x128xf32>
    return %454, %72, %73, %183, %184, %283, %284, %389, %390 : tensor<1x128xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>, tensor<?x8x2x10xf32>
  }
}
