module @llama {
  "util.global"() {initial_value = #flow.parameter.named<"model"::"lm_head.weight"> : tensor<8x20x16x2xbf16>, sym_name = "lm_head.weight", sym_visibility = "private", type = tensor<8x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.embed_tokens.weight"> : tensor<128x40xbf16>, sym_name = "model.embed_tokens.weight", sym_visibility = "private", type = tensor<128x40xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.0.mlp.down_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.down_proj.weight"> : tensor<3x36x16x2xbf16>, sym_name = "model.layers.0.mlp.down_proj.weight", sym_visibility = "private", type = tensor<3x36x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj.bias"> : tensor<72xf32>, sym_name = "model.layers.0.mlp.gate_proj.bias", sym_visibility = "private", type = tensor<72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.gate_proj.weight"> : tensor<5x20x16x2xbf16>, sym_name = "model.layers.0.mlp.gate_proj.weight", sym_visibility = "private", type = tensor<5x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.up_proj.bias"> : tensor<72xf32>, sym_name = "model.layers.0.mlp.up_proj.bias", sym_visibility = "private", type = tensor<72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.mlp.up_proj.weight"> : tensor<5x20x16x2xbf16>, sym_name = "model.layers.0.mlp.up_proj.weight", sym_visibility = "private", type = tensor<5x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.0.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.0.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.k_proj.weight"> : tensor<2x20x16x2xbf16>, sym_name = "model.layers.0.self_attn.k_proj.weight", sym_visibility = "private", type = tensor<2x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.0.self_attn.o_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<3x24x16x2xbf16>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<3x24x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj.bias"> : tensor<48xf32>, sym_name = "model.layers.0.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj.weight"> : tensor<3x20x16x2xbf16>, sym_name = "model.layers.0.self_attn.q_proj.weight", sym_visibility = "private", type = tensor<3x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.v_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.0.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.v_proj.weight"> : tensor<2x20x16x2xbf16>, sym_name = "model.layers.0.self_attn.v_proj.weight", sym_visibility = "private", type = tensor<2x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.input_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.input_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.1.mlp.down_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.down_proj.weight"> : tensor<3x36x16x2xbf16>, sym_name = "model.layers.1.mlp.down_proj.weight", sym_visibility = "private", type = tensor<3x36x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj.bias"> : tensor<72xf32>, sym_name = "model.layers.1.mlp.gate_proj.bias", sym_visibility = "private", type = tensor<72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.gate_proj.weight"> : tensor<5x20x16x2xbf16>, sym_name = "model.layers.1.mlp.gate_proj.weight", sym_visibility = "private", type = tensor<5x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.up_proj.bias"> : tensor<72xf32>, sym_name = "model.layers.1.mlp.up_proj.bias", sym_visibility = "private", type = tensor<72xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.mlp.up_proj.weight"> : tensor<5x20x16x2xbf16>, sym_name = "model.layers.1.mlp.up_proj.weight", sym_visibility = "private", type = tensor<5x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.post_attention_layernorm.weight"> : tensor<40xf32>, sym_name = "model.layers.1.post_attention_layernorm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.1.self_attn.k_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.k_proj.weight"> : tensor<2x20x16x2xbf16>, sym_name = "model.layers.1.self_attn.k_proj.weight", sym_visibility = "private", type = tensor<2x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.1.self_attn.o_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<3x24x16x2xbf16>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<3x24x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj.bias"> : tensor<48xf32>, sym_name = "model.layers.1.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj.weight"> : tensor<3x20x16x2xbf16>, sym_name = "model.layers.1.self_attn.q_proj.weight", sym_visibility = "private", type = tensor<3x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.v_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.1.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.v_proj.weight"> : tensor<2x20x16x2xbf16>, sym_name = "model.layers.1.self_attn.v_proj.weight", sym_visibility = "private", type = tensor<2x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<40xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  func.func @decode(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2xi32>, %arg3: tensor<2x2xi32>, %arg4: tensor<2xi32>, %arg5: tensor<?x8x2x12xbf16> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x12xbf16> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x12xbf16> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x12xbf16> {iree.abi.output = 4 : index}) -> (tensor<2x128xf32>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>) {
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
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x40xbf16>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<128x40xbf16>, tensor<2xi32>) -> tensor<2x40xbf16>
    %12 = "stablehlo.convert"(%11) : (tensor<2x40xbf16>) -> tensor<2x40xf32>
    %13 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<40xf32>
    %14 = "stablehlo.multiply"(%12, %12) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %15 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %16 = "stablehlo.reduce"(%14, %15) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %384 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %17 = "stablehlo.constant"() {value = dense<4.000000e+01> : tensor<2xf32>} : () -> tensor<2xf32>
    %18 = "stablehlo.divide"(%16, %17) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %19 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<2xf32>} : () -> tensor<2xf32>
    %20 = "stablehlo.add"(%18, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %21 = "stablehlo.rsqrt"(%20) : (tensor<2xf32>) -> tensor<2xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %23 = "stablehlo.multiply"(%12, %22) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %24 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %25 = "stablehlo.multiply"(%23, %24) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %26 = "util.global.load"() {global = @model.layers.0.self_attn.q_proj.weight} : () -> tensor<3x20x16x2xbf16>
    %27 = "stablehlo.convert"(%25) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %28 = "stablehlo.reshape"(%27) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %29 = "stablehlo.transpose"(%28) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %30 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %31 = linalg.mmt4d ins(%29, %26 : tensor<1x20x2x2xbf16>, tensor<3x20x16x2xbf16>) outs(%30 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %32 = "stablehlo.transpose"(%31) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %33 = "stablehlo.reshape"(%32) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %34 = "util.global.load"() {global = @model.layers.0.self_attn.q_proj.bias} : () -> tensor<48xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<2x48xf32>
    %36 = "stablehlo.add"(%33, %35) : (tensor<2x48xf32>, tensor<2x48xf32>) -> tensor<2x48xf32>
    %37 = "stablehlo.reshape"(%36) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %38 = "stablehlo.reshape"(%37) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %39 = "stablehlo.slice"(%38) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %40 = "stablehlo.slice"(%38) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %41 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x4x1x6xf32>
    %44 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %45 = "stablehlo.reshape"(%44) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x4x1x6xf32>
    %47 = "stablehlo.multiply"(%39, %43) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %48 = "stablehlo.multiply"(%40, %46) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %49 = "stablehlo.subtract"(%47, %48) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %50 = "stablehlo.multiply"(%40, %43) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %51 = "stablehlo.multiply"(%39, %46) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %52 = "stablehlo.add"(%50, %51) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %53 = "stablehlo.concatenate"(%49, %52) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %55 = "util.global.load"() {global = @model.layers.0.self_attn.k_proj.weight} : () -> tensor<2x20x16x2xbf16>
    %56 = "stablehlo.convert"(%25) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %57 = "stablehlo.reshape"(%56) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %58 = "stablehlo.transpose"(%57) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %59 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x2x16xf32>} : () -> tensor<1x2x2x16xf32>
    %60 = linalg.mmt4d ins(%58, %55 : tensor<1x20x2x2xbf16>, tensor<2x20x16x2xbf16>) outs(%59 : tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %61 = "stablehlo.transpose"(%60) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %62 = "stablehlo.reshape"(%61) : (tensor<1x2x2x16xf32>) -> tensor<2x32xf32>
    %63 = "stablehlo.slice"(%62) {limit_indices = array<i64: 2, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x24xf32>
    %64 = "util.global.load"() {global = @model.layers.0.self_attn.k_proj.bias} : () -> tensor<24xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %66 = "stablehlo.add"(%63, %65) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %67 = "stablehlo.reshape"(%66) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %68 = "stablehlo.reshape"(%67) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %69 = "stablehlo.slice"(%68) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %70 = "stablehlo.slice"(%68) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %71 = "stablehlo.broadcast_in_dim"(%42) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x2x1x6xf32>
    %72 = "stablehlo.broadcast_in_dim"(%45) {broadcast_dimensions = array<i64: 0, 3>} : (tensor<2x6xf32>) -> tensor<2x2x1x6xf32>
    %73 = "stablehlo.multiply"(%69, %71) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %74 = "stablehlo.multiply"(%70, %72) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %75 = "stablehlo.subtract"(%73, %74) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %76 = "stablehlo.multiply"(%70, %71) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %77 = "stablehlo.multiply"(%69, %72) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %78 = "stablehlo.add"(%76, %77) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %79 = "stablehlo.concatenate"(%75, %78) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %80 = "stablehlo.reshape"(%79) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %81 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.weight} : () -> tensor<2x20x16x2xbf16>
    %82 = "stablehlo.convert"(%25) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %83 = "stablehlo.reshape"(%82) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %84 = "stablehlo.transpose"(%83) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %85 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x2x16xf32>} : () -> tensor<1x2x2x16xf32>
    %86 = linalg.mmt4d ins(%84, %81 : tensor<1x20x2x2xbf16>, tensor<2x20x16x2xbf16>) outs(%85 : tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %87 = "stablehlo.transpose"(%86) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %88 = "stablehlo.reshape"(%87) : (tensor<1x2x2x16xf32>) -> tensor<2x32xf32>
    %89 = "stablehlo.slice"(%88) {limit_indices = array<i64: 2, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x24xf32>
    %90 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %92 = "stablehlo.add"(%89, %91) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %93 = "stablehlo.reshape"(%92) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %94 = "stablehlo.convert"(%80) : (tensor<2x2x12xf32>) -> tensor<2x2x12xbf16>
    %95 = "stablehlo.scatter"(%arg5, %arg2, %94) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>, tensor<2x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %96 = "stablehlo.convert"(%93) : (tensor<2x2x12xf32>) -> tensor<2x2x12xbf16>
    %97 = "stablehlo.scatter"(%arg6, %arg2, %96) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>, tensor<2x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %98 = "stablehlo.gather"(%95, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xbf16>
    %99 = "stablehlo.reshape"(%98) : (tensor<2x2x8x2x12xbf16>) -> tensor<2x16x2x12xbf16>
    %100 = "stablehlo.gather"(%97, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xbf16>
    %101 = "stablehlo.reshape"(%100) : (tensor<2x2x8x2x12xbf16>) -> tensor<2x16x2x12xbf16>
    %102 = "stablehlo.constant"() {value = dense<0.288675129> : tensor<2x4x12xf32>} : () -> tensor<2x4x12xf32>
    %103 = "stablehlo.multiply"(%54, %102) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %104 = "stablehlo.convert"(%103) : (tensor<2x4x12xf32>) -> tensor<2x4x12xbf16>
    %105 = "stablehlo.reshape"(%104) : (tensor<2x4x12xbf16>) -> tensor<2x1x2x2x12xbf16>
    %106 = "stablehlo.dot_general"(%105, %99) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xbf16>, tensor<2x16x2x12xbf16>) -> tensor<2x2x1x2x16xf32>
    %107 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %108 = "stablehlo.broadcast_in_dim"(%107) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<2x1x16xi32>
    %109 = "stablehlo.reshape"(%arg1) : (tensor<2xi32>) -> tensor<2x1xi32>
    %110 = "stablehlo.broadcast_in_dim"(%109) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %111 = "stablehlo.compare"(%108, %110) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %112 = "stablehlo.broadcast_in_dim"(%111) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %113 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %114 = "stablehlo.select"(%112, %106, %113) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %115 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %116 = "stablehlo.reduce"(%114, %115) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %384 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %117 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2xf32>} : () -> tensor<2x2x1x2xf32>
    %118 = "stablehlo.compare"(%116, %117) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %119 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2xf32>} : () -> tensor<2x2x1x2xf32>
    %120 = "stablehlo.select"(%118, %119, %116) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %121 = "stablehlo.broadcast_in_dim"(%120) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %122 = "stablehlo.subtract"(%114, %121) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %123 = "stablehlo.exponential"(%122) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %124 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %125 = "stablehlo.reduce"(%123, %124) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %384 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %126 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x2x1x2xf32>} : () -> tensor<2x2x1x2xf32>
    %127 = "stablehlo.select"(%118, %126, %125) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %128 = "stablehlo.broadcast_in_dim"(%127) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %129 = "stablehlo.divide"(%123, %128) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %130 = "stablehlo.convert"(%129) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xbf16>
    %131 = "stablehlo.dot_general"(%130, %101) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xbf16>, tensor<2x16x2x12xbf16>) -> tensor<2x2x1x2x12xf32>
    %132 = "stablehlo.transpose"(%131) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %133 = "stablehlo.reshape"(%132) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %134 = "stablehlo.reshape"(%133) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %135 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<3x24x16x2xbf16>
    %136 = "stablehlo.convert"(%134) : (tensor<2x48xf32>) -> tensor<2x48xbf16>
    %137 = "stablehlo.reshape"(%136) : (tensor<2x48xbf16>) -> tensor<1x2x24x2xbf16>
    %138 = "stablehlo.transpose"(%137) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x24x2xbf16>) -> tensor<1x24x2x2xbf16>
    %139 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %140 = linalg.mmt4d ins(%138, %135 : tensor<1x24x2x2xbf16>, tensor<3x24x16x2xbf16>) outs(%139 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %141 = "stablehlo.transpose"(%140) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %142 = "stablehlo.reshape"(%141) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %143 = "stablehlo.slice"(%142) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x40xf32>
    %144 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %145 = "stablehlo.broadcast_in_dim"(%144) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %146 = "stablehlo.add"(%143, %145) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %147 = "stablehlo.add"(%12, %146) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %148 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %149 = "stablehlo.multiply"(%147, %147) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %150 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %151 = "stablehlo.reduce"(%149, %150) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %384 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %152 = "stablehlo.divide"(%151, %17) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %153 = "stablehlo.add"(%152, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %154 = "stablehlo.rsqrt"(%153) : (tensor<2xf32>) -> tensor<2xf32>
    %155 = "stablehlo.broadcast_in_dim"(%154) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %156 = "stablehlo.multiply"(%147, %155) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %157 = "stablehlo.broadcast_in_dim"(%148) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %158 = "stablehlo.multiply"(%156, %157) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %159 = "util.global.load"() {global = @model.layers.0.mlp.gate_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %160 = "stablehlo.convert"(%158) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %161 = "stablehlo.reshape"(%160) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %162 = "stablehlo.transpose"(%161) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %163 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x2x16xf32>} : () -> tensor<1x5x2x16xf32>
    %164 = linalg.mmt4d ins(%162, %159 : tensor<1x20x2x2xbf16>, tensor<5x20x16x2xbf16>) outs(%163 : tensor<1x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %165 = "stablehlo.transpose"(%164) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x2x16xf32>) -> tensor<1x2x5x16xf32>
    %166 = "stablehlo.reshape"(%165) : (tensor<1x2x5x16xf32>) -> tensor<2x80xf32>
    %167 = "stablehlo.slice"(%166) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x72xf32>
    %168 = "util.global.load"() {global = @model.layers.0.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %169 = "stablehlo.broadcast_in_dim"(%168) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %170 = "stablehlo.add"(%167, %169) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %171 = "util.global.load"() {global = @model.layers.0.mlp.up_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %172 = "stablehlo.convert"(%158) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %173 = "stablehlo.reshape"(%172) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %174 = "stablehlo.transpose"(%173) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %175 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x2x16xf32>} : () -> tensor<1x5x2x16xf32>
    %176 = linalg.mmt4d ins(%174, %171 : tensor<1x20x2x2xbf16>, tensor<5x20x16x2xbf16>) outs(%175 : tensor<1x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %177 = "stablehlo.transpose"(%176) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x2x16xf32>) -> tensor<1x2x5x16xf32>
    %178 = "stablehlo.reshape"(%177) : (tensor<1x2x5x16xf32>) -> tensor<2x80xf32>
    %179 = "stablehlo.slice"(%178) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x72xf32>
    %180 = "util.global.load"() {global = @model.layers.0.mlp.up_proj.bias} : () -> tensor<72xf32>
    %181 = "stablehlo.broadcast_in_dim"(%180) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %182 = "stablehlo.add"(%179, %181) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %183 = "stablehlo.logistic"(%170) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %184 = "stablehlo.multiply"(%170, %183) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %185 = "stablehlo.multiply"(%184, %182) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %186 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<3x36x16x2xbf16>
    %187 = "stablehlo.convert"(%185) : (tensor<2x72xf32>) -> tensor<2x72xbf16>
    %188 = "stablehlo.reshape"(%187) : (tensor<2x72xbf16>) -> tensor<1x2x36x2xbf16>
    %189 = "stablehlo.transpose"(%188) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x36x2xbf16>) -> tensor<1x36x2x2xbf16>
    %190 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %191 = linalg.mmt4d ins(%189, %186 : tensor<1x36x2x2xbf16>, tensor<3x36x16x2xbf16>) outs(%190 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %192 = "stablehlo.transpose"(%191) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %193 = "stablehlo.reshape"(%192) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %194 = "stablehlo.slice"(%193) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x40xf32>
    %195 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.bias} : () -> tensor<40xf32>
    %196 = "stablehlo.broadcast_in_dim"(%195) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %197 = "stablehlo.add"(%194, %196) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %198 = "stablehlo.add"(%147, %197) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %199 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %200 = "stablehlo.multiply"(%198, %198) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %201 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %202 = "stablehlo.reduce"(%200, %201) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %384 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %203 = "stablehlo.divide"(%202, %17) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %204 = "stablehlo.add"(%203, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %205 = "stablehlo.rsqrt"(%204) : (tensor<2xf32>) -> tensor<2xf32>
    %206 = "stablehlo.broadcast_in_dim"(%205) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %207 = "stablehlo.multiply"(%198, %206) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %208 = "stablehlo.broadcast_in_dim"(%199) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %209 = "stablehlo.multiply"(%207, %208) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %210 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.weight} : () -> tensor<3x20x16x2xbf16>
    %211 = "stablehlo.convert"(%209) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %212 = "stablehlo.reshape"(%211) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %213 = "stablehlo.transpose"(%212) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %214 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %215 = linalg.mmt4d ins(%213, %210 : tensor<1x20x2x2xbf16>, tensor<3x20x16x2xbf16>) outs(%214 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %216 = "stablehlo.transpose"(%215) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %217 = "stablehlo.reshape"(%216) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %218 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.bias} : () -> tensor<48xf32>
    %219 = "stablehlo.broadcast_in_dim"(%218) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<2x48xf32>
    %220 = "stablehlo.add"(%217, %219) : (tensor<2x48xf32>, tensor<2x48xf32>) -> tensor<2x48xf32>
    %221 = "stablehlo.reshape"(%220) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %222 = "stablehlo.reshape"(%221) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %223 = "stablehlo.slice"(%222) {limit_indices = array<i64: 2, 4, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %224 = "stablehlo.slice"(%222) {limit_indices = array<i64: 2, 4, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x1x6xf32>
    %225 = "stablehlo.multiply"(%223, %43) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %226 = "stablehlo.multiply"(%224, %46) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %227 = "stablehlo.subtract"(%225, %226) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %228 = "stablehlo.multiply"(%224, %43) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %229 = "stablehlo.multiply"(%223, %46) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %230 = "stablehlo.add"(%228, %229) : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
    %231 = "stablehlo.concatenate"(%227, %230) {dimension = 2 : i64} : (tensor<2x4x1x6xf32>, tensor<2x4x1x6xf32>) -> tensor<2x4x2x6xf32>
    %232 = "stablehlo.reshape"(%231) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %233 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.weight} : () -> tensor<2x20x16x2xbf16>
    %234 = "stablehlo.convert"(%209) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %235 = "stablehlo.reshape"(%234) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %236 = "stablehlo.transpose"(%235) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %237 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x2x16xf32>} : () -> tensor<1x2x2x16xf32>
    %238 = linalg.mmt4d ins(%236, %233 : tensor<1x20x2x2xbf16>, tensor<2x20x16x2xbf16>) outs(%237 : tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %239 = "stablehlo.transpose"(%238) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %240 = "stablehlo.reshape"(%239) : (tensor<1x2x2x16xf32>) -> tensor<2x32xf32>
    %241 = "stablehlo.slice"(%240) {limit_indices = array<i64: 2, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x24xf32>
    %242 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.bias} : () -> tensor<24xf32>
    %243 = "stablehlo.broadcast_in_dim"(%242) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %244 = "stablehlo.add"(%241, %243) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %245 = "stablehlo.reshape"(%244) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %246 = "stablehlo.reshape"(%245) : (tensor<2x2x12xf32>) -> tensor<2x2x2x6xf32>
    %247 = "stablehlo.slice"(%246) {limit_indices = array<i64: 2, 2, 1, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %248 = "stablehlo.slice"(%246) {limit_indices = array<i64: 2, 2, 2, 6>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x1x6xf32>
    %249 = "stablehlo.multiply"(%247, %71) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %250 = "stablehlo.multiply"(%248, %72) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %251 = "stablehlo.subtract"(%249, %250) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %252 = "stablehlo.multiply"(%248, %71) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %253 = "stablehlo.multiply"(%247, %72) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %254 = "stablehlo.add"(%252, %253) : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>
    %255 = "stablehlo.concatenate"(%251, %254) {dimension = 2 : i64} : (tensor<2x2x1x6xf32>, tensor<2x2x1x6xf32>) -> tensor<2x2x2x6xf32>
    %256 = "stablehlo.reshape"(%255) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %257 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.weight} : () -> tensor<2x20x16x2xbf16>
    %258 = "stablehlo.convert"(%209) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %259 = "stablehlo.reshape"(%258) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %260 = "stablehlo.transpose"(%259) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %261 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x2x16xf32>} : () -> tensor<1x2x2x16xf32>
    %262 = linalg.mmt4d ins(%260, %257 : tensor<1x20x2x2xbf16>, tensor<2x20x16x2xbf16>) outs(%261 : tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %263 = "stablehlo.transpose"(%262) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %264 = "stablehlo.reshape"(%263) : (tensor<1x2x2x16xf32>) -> tensor<2x32xf32>
    %265 = "stablehlo.slice"(%264) {limit_indices = array<i64: 2, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x24xf32>
    %266 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %267 = "stablehlo.broadcast_in_dim"(%266) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %268 = "stablehlo.add"(%265, %267) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %269 = "stablehlo.reshape"(%268) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %270 = "stablehlo.convert"(%256) : (tensor<2x2x12xf32>) -> tensor<2x2x12xbf16>
    %271 = "stablehlo.scatter"(%arg7, %arg2, %270) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>, tensor<2x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %272 = "stablehlo.convert"(%269) : (tensor<2x2x12xf32>) -> tensor<2x2x12xbf16>
    %273 = "stablehlo.scatter"(%arg8, %arg2, %272) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>, tensor<2x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %274 = "stablehlo.gather"(%271, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xbf16>
    %275 = "stablehlo.reshape"(%274) : (tensor<2x2x8x2x12xbf16>) -> tensor<2x16x2x12xbf16>
    %276 = "stablehlo.gather"(%273, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 12>} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>) -> tensor<2x2x8x2x12xbf16>
    %277 = "stablehlo.reshape"(%276) : (tensor<2x2x8x2x12xbf16>) -> tensor<2x16x2x12xbf16>
    %278 = "stablehlo.multiply"(%232, %102) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %279 = "stablehlo.convert"(%278) : (tensor<2x4x12xf32>) -> tensor<2x4x12xbf16>
    %280 = "stablehlo.reshape"(%279) : (tensor<2x4x12xbf16>) -> tensor<2x1x2x2x12xbf16>
    %281 = "stablehlo.dot_general"(%280, %275) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xbf16>, tensor<2x16x2x12xbf16>) -> tensor<2x2x1x2x16xf32>
    %282 = "stablehlo.select"(%112, %281, %113) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %283 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %284 = "stablehlo.reduce"(%282, %283) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %384 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %285 = "stablehlo.compare"(%284, %117) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xi1>
    %286 = "stablehlo.select"(%285, %119, %284) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %287 = "stablehlo.broadcast_in_dim"(%286) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %288 = "stablehlo.subtract"(%282, %287) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %289 = "stablehlo.exponential"(%288) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %290 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %291 = "stablehlo.reduce"(%289, %290) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %384 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %292 = "stablehlo.select"(%285, %126, %291) : (tensor<2x2x1x2xi1>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x2x1x2xf32>
    %293 = "stablehlo.broadcast_in_dim"(%292) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %294 = "stablehlo.divide"(%289, %293) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %295 = "stablehlo.convert"(%294) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xbf16>
    %296 = "stablehlo.dot_general"(%295, %277) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xbf16>, tensor<2x16x2x12xbf16>) -> tensor<2x2x1x2x12xf32>
    %297 = "stablehlo.transpose"(%296) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %298 = "stablehlo.reshape"(%297) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %299 = "stablehlo.reshape"(%298) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %300 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<3x24x16x2xbf16>
    %301 = "stablehlo.convert"(%299) : (tensor<2x48xf32>) -> tensor<2x48xbf16>
    %302 = "stablehlo.reshape"(%301) : (tensor<2x48xbf16>) -> tensor<1x2x24x2xbf16>
    %303 = "stablehlo.transpose"(%302) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x24x2xbf16>) -> tensor<1x24x2x2xbf16>
    %304 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %305 = linalg.mmt4d ins(%303, %300 : tensor<1x24x2x2xbf16>, tensor<3x24x16x2xbf16>) outs(%304 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %306 = "stablehlo.transpose"(%305) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %307 = "stablehlo.reshape"(%306) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %308 = "stablehlo.slice"(%307) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x40xf32>
    %309 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %310 = "stablehlo.broadcast_in_dim"(%309) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %311 = "stablehlo.add"(%308, %310) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %312 = "stablehlo.add"(%198, %311) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %313 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %314 = "stablehlo.multiply"(%312, %312) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %315 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %316 = "stablehlo.reduce"(%314, %315) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %384 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %317 = "stablehlo.divide"(%316, %17) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %318 = "stablehlo.add"(%317, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %319 = "stablehlo.rsqrt"(%318) : (tensor<2xf32>) -> tensor<2xf32>
    %320 = "stablehlo.broadcast_in_dim"(%319) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %321 = "stablehlo.multiply"(%312, %320) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %322 = "stablehlo.broadcast_in_dim"(%313) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %323 = "stablehlo.multiply"(%321, %322) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %324 = "util.global.load"() {global = @model.layers.1.mlp.gate_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %325 = "stablehlo.convert"(%323) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %326 = "stablehlo.reshape"(%325) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %327 = "stablehlo.transpose"(%326) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %328 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x2x16xf32>} : () -> tensor<1x5x2x16xf32>
    %329 = linalg.mmt4d ins(%327, %324 : tensor<1x20x2x2xbf16>, tensor<5x20x16x2xbf16>) outs(%328 : tensor<1x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %330 = "stablehlo.transpose"(%329) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x2x16xf32>) -> tensor<1x2x5x16xf32>
    %331 = "stablehlo.reshape"(%330) : (tensor<1x2x5x16xf32>) -> tensor<2x80xf32>
    %332 = "stablehlo.slice"(%331) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x72xf32>
    %333 = "util.global.load"() {global = @model.layers.1.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %334 = "stablehlo.broadcast_in_dim"(%333) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %335 = "stablehlo.add"(%332, %334) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %336 = "util.global.load"() {global = @model.layers.1.mlp.up_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %337 = "stablehlo.convert"(%323) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %338 = "stablehlo.reshape"(%337) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %339 = "stablehlo.transpose"(%338) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %340 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x2x16xf32>} : () -> tensor<1x5x2x16xf32>
    %341 = linalg.mmt4d ins(%339, %336 : tensor<1x20x2x2xbf16>, tensor<5x20x16x2xbf16>) outs(%340 : tensor<1x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %342 = "stablehlo.transpose"(%341) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x2x16xf32>) -> tensor<1x2x5x16xf32>
    %343 = "stablehlo.reshape"(%342) : (tensor<1x2x5x16xf32>) -> tensor<2x80xf32>
    %344 = "stablehlo.slice"(%343) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x72xf32>
    %345 = "util.global.load"() {global = @model.layers.1.mlp.up_proj.bias} : () -> tensor<72xf32>
    %346 = "stablehlo.broadcast_in_dim"(%345) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %347 = "stablehlo.add"(%344, %346) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %348 = "stablehlo.logistic"(%335) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %349 = "stablehlo.multiply"(%335, %348) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %350 = "stablehlo.multiply"(%349, %347) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %351 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<3x36x16x2xbf16>
    %352 = "stablehlo.convert"(%350) : (tensor<2x72xf32>) -> tensor<2x72xbf16>
    %353 = "stablehlo.reshape"(%352) : (tensor<2x72xbf16>) -> tensor<1x2x36x2xbf16>
    %354 = "stablehlo.transpose"(%353) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x36x2xbf16>) -> tensor<1x36x2x2xbf16>
    %355 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %356 = linalg.mmt4d ins(%354, %351 : tensor<1x36x2x2xbf16>, tensor<3x36x16x2xbf16>) outs(%355 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %357 = "stablehlo.transpose"(%356) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %358 = "stablehlo.reshape"(%357) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %359 = "stablehlo.slice"(%358) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x40xf32>
    %360 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.bias} : () -> tensor<40xf32>
    %361 = "stablehlo.broadcast_in_dim"(%360) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %362 = "stablehlo.add"(%359, %361) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %363 = "stablehlo.add"(%312, %362) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %364 = "stablehlo.gather"(%363, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<2x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %365 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %366 = "stablehlo.multiply"(%364, %364) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %367 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %368 = "stablehlo.reduce"(%366, %367) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %384 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%384) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %369 = "stablehlo.divide"(%368, %17) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %370 = "stablehlo.add"(%369, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %371 = "stablehlo.rsqrt"(%370) : (tensor<2xf32>) -> tensor<2xf32>
    %372 = "stablehlo.broadcast_in_dim"(%371) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %373 = "stablehlo.multiply"(%364, %372) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %374 = "stablehlo.broadcast_in_dim"(%365) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %375 = "stablehlo.multiply"(%373, %374) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %376 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<8x20x16x2xbf16>
    %377 = "stablehlo.convert"(%375) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %378 = "stablehlo.reshape"(%377) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %379 = "stablehlo.transpose"(%378) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %380 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x8x2x16xf32>} : () -> tensor<1x8x2x16xf32>
    %381 = linalg.mmt4d ins(%379, %376 : tensor<1x20x2x2xbf16>, tensor<8x20x16x2xbf16>) outs(%380 : tensor<1x8x2x16xf32>) -> tensor<1x8x2x16xf32>
    %382 = "stablehlo.transpose"(%381) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x2x16xf32>) -> tensor<1x2x8x16xf32>
    %383 = "stablehlo.reshape"(%382) : (tensor<1x2x8x16xf32>) -> tensor<2x128xf32>
    return %383, %95, %97, %271, %273 : tensor<2x128xf32>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>
  }
}
