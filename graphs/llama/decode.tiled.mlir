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
      %381 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
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
    %39 = "stablehlo.reverse"(%38) {dimensions = array<i64: 2>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %40 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 2, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %41 = "stablehlo.reshape"(%40) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x6xf32>) -> tensor<2x2x6xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x4x2x6xf32>
    %44 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 2, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x2x6xf32>) -> tensor<1x2x6xf32>
    %45 = "stablehlo.reshape"(%44) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x6xf32>) -> tensor<2x2x6xf32>
    %47 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %48 = "stablehlo.broadcast_in_dim"(%47) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2x6xf32>
    %49 = "stablehlo.multiply"(%46, %48) : (tensor<2x2x6xf32>, tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x4x2x6xf32>
    %51 = "stablehlo.multiply"(%38, %43) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %52 = "stablehlo.multiply"(%39, %50) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %53 = "stablehlo.add"(%51, %52) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
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
    %69 = "stablehlo.reverse"(%68) {dimensions = array<i64: 2>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %70 = "stablehlo.broadcast_in_dim"(%42) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %71 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %72 = "stablehlo.multiply"(%68, %70) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %73 = "stablehlo.multiply"(%69, %71) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %74 = "stablehlo.add"(%72, %73) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %75 = "stablehlo.reshape"(%74) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %76 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.weight} : () -> tensor<2x20x16x2xbf16>
    %77 = "stablehlo.convert"(%25) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %78 = "stablehlo.reshape"(%77) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %79 = "stablehlo.transpose"(%78) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %80 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x2x16xf32>} : () -> tensor<1x2x2x16xf32>
    %81 = linalg.mmt4d ins(%79, %76 : tensor<1x20x2x2xbf16>, tensor<2x20x16x2xbf16>) outs(%80 : tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %82 = "stablehlo.transpose"(%81) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %83 = "stablehlo.reshape"(%82) : (tensor<1x2x2x16xf32>) -> tensor<2x32xf32>
    %84 = "stablehlo.slice"(%83) {limit_indices = array<i64: 2, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x24xf32>
    %85 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %86 = "stablehlo.broadcast_in_dim"(%85) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %87 = "stablehlo.add"(%84, %86) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %88 = "stablehlo.reshape"(%87) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %89 = "stablehlo.convert"(%75) : (tensor<2x2x12xf32>) -> tensor<2x2x12xbf16>
    %90 = "stablehlo.scatter"(%arg5, %arg2, %89) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>, tensor<2x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %91 = "stablehlo.convert"(%88) : (tensor<2x2x12xf32>) -> tensor<2x2x12xbf16>
    %92 = "stablehlo.scatter"(%arg6, %arg2, %91) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>, tensor<2x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %93 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %94 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %95 = "stablehlo.reduce"(%93, %94) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %381 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %96 = "stablehlo.broadcast_in_dim"(%95) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %97 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %98 = "stablehlo.broadcast_in_dim"(%97) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2x2xf32>
    %99 = "stablehlo.compare"(%98, %96) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %100 = "stablehlo.optimization_barrier"(%99) : (tensor<2x2xi1>) -> tensor<2x2xi1>
    %collapsed = tensor.collapse_shape %90 [[0], [1, 2, 3]] : tensor<?x8x2x12xbf16> into tensor<?x192xbf16>
    %101 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xbf16>, tensor<2x2xi32>) -> tensor<2x2x192xbf16>
    %102 = "stablehlo.broadcast_in_dim"(%100) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x2xi1>) -> tensor<2x2x192xi1>
    %103 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x192xbf16>} : () -> tensor<2x2x192xbf16>
    %104 = "stablehlo.select"(%102, %101, %103) : (tensor<2x2x192xi1>, tensor<2x2x192xbf16>, tensor<2x2x192xbf16>) -> tensor<2x2x192xbf16>
    %105 = "stablehlo.optimization_barrier"(%104) : (tensor<2x2x192xbf16>) -> tensor<2x2x192xbf16>
    %106 = "stablehlo.reshape"(%105) : (tensor<2x2x192xbf16>) -> tensor<2x16x2x12xbf16>
    %collapsed_0 = tensor.collapse_shape %92 [[0], [1, 2, 3]] : tensor<?x8x2x12xbf16> into tensor<?x192xbf16>
    %107 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xbf16>, tensor<2x2xi32>) -> tensor<2x2x192xbf16>
    %108 = "stablehlo.select"(%102, %107, %103) : (tensor<2x2x192xi1>, tensor<2x2x192xbf16>, tensor<2x2x192xbf16>) -> tensor<2x2x192xbf16>
    %109 = "stablehlo.optimization_barrier"(%108) : (tensor<2x2x192xbf16>) -> tensor<2x2x192xbf16>
    %110 = "stablehlo.reshape"(%109) : (tensor<2x2x192xbf16>) -> tensor<2x16x2x12xbf16>
    %111 = "stablehlo.constant"() {value = dense<0.288675129> : tensor<2x4x12xf32>} : () -> tensor<2x4x12xf32>
    %112 = "stablehlo.multiply"(%54, %111) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %113 = "stablehlo.convert"(%112) : (tensor<2x4x12xf32>) -> tensor<2x4x12xbf16>
    %114 = "stablehlo.reshape"(%113) : (tensor<2x4x12xbf16>) -> tensor<2x1x2x2x12xbf16>
    %115 = "stablehlo.dot_general"(%114, %106) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xbf16>, tensor<2x16x2x12xbf16>) -> tensor<2x2x1x2x16xf32>
    %116 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %117 = "stablehlo.broadcast_in_dim"(%116) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<2x1x16xi32>
    %118 = "stablehlo.reshape"(%arg1) : (tensor<2xi32>) -> tensor<2x1xi32>
    %119 = "stablehlo.broadcast_in_dim"(%118) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xi32>) -> tensor<2x1x16xi32>
    %120 = "stablehlo.compare"(%117, %119) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<2x1x16xi32>, tensor<2x1x16xi32>) -> tensor<2x1x16xi1>
    %121 = "stablehlo.broadcast_in_dim"(%120) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<2x1x16xi1>) -> tensor<2x2x1x2x16xi1>
    %122 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %123 = "stablehlo.select"(%121, %115, %122) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %124 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %125 = "stablehlo.reduce"(%123, %124) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %381 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %126 = "stablehlo.broadcast_in_dim"(%125) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %127 = "stablehlo.subtract"(%123, %126) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %128 = "stablehlo.exponential"(%127) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %129 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %130 = "stablehlo.reduce"(%128, %129) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %381 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %131 = "stablehlo.broadcast_in_dim"(%130) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %132 = "stablehlo.divide"(%128, %131) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %133 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x2x1x2x16xf32>} : () -> tensor<2x2x1x2x16xf32>
    %134 = "stablehlo.select"(%121, %132, %133) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %135 = "stablehlo.convert"(%134) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xbf16>
    %136 = "stablehlo.dot_general"(%135, %110) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xbf16>, tensor<2x16x2x12xbf16>) -> tensor<2x2x1x2x12xf32>
    %137 = "stablehlo.transpose"(%136) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %138 = "stablehlo.reshape"(%137) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %139 = "stablehlo.reshape"(%138) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %140 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<3x24x16x2xbf16>
    %141 = "stablehlo.convert"(%139) : (tensor<2x48xf32>) -> tensor<2x48xbf16>
    %142 = "stablehlo.reshape"(%141) : (tensor<2x48xbf16>) -> tensor<1x2x24x2xbf16>
    %143 = "stablehlo.transpose"(%142) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x24x2xbf16>) -> tensor<1x24x2x2xbf16>
    %144 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %145 = linalg.mmt4d ins(%143, %140 : tensor<1x24x2x2xbf16>, tensor<3x24x16x2xbf16>) outs(%144 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %146 = "stablehlo.transpose"(%145) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %147 = "stablehlo.reshape"(%146) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %148 = "stablehlo.slice"(%147) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x40xf32>
    %149 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %150 = "stablehlo.broadcast_in_dim"(%149) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %151 = "stablehlo.add"(%148, %150) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %152 = "stablehlo.add"(%12, %151) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %153 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %154 = "stablehlo.multiply"(%152, %152) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %155 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %156 = "stablehlo.reduce"(%154, %155) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %381 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %157 = "stablehlo.divide"(%156, %17) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %158 = "stablehlo.add"(%157, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %159 = "stablehlo.rsqrt"(%158) : (tensor<2xf32>) -> tensor<2xf32>
    %160 = "stablehlo.broadcast_in_dim"(%159) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %161 = "stablehlo.multiply"(%152, %160) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %162 = "stablehlo.broadcast_in_dim"(%153) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %163 = "stablehlo.multiply"(%161, %162) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %164 = "util.global.load"() {global = @model.layers.0.mlp.gate_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %165 = "stablehlo.convert"(%163) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %166 = "stablehlo.reshape"(%165) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %167 = "stablehlo.transpose"(%166) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %168 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x2x16xf32>} : () -> tensor<1x5x2x16xf32>
    %169 = linalg.mmt4d ins(%167, %164 : tensor<1x20x2x2xbf16>, tensor<5x20x16x2xbf16>) outs(%168 : tensor<1x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %170 = "stablehlo.transpose"(%169) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x2x16xf32>) -> tensor<1x2x5x16xf32>
    %171 = "stablehlo.reshape"(%170) : (tensor<1x2x5x16xf32>) -> tensor<2x80xf32>
    %172 = "stablehlo.slice"(%171) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x72xf32>
    %173 = "util.global.load"() {global = @model.layers.0.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %174 = "stablehlo.broadcast_in_dim"(%173) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %175 = "stablehlo.add"(%172, %174) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %176 = "util.global.load"() {global = @model.layers.0.mlp.up_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %177 = "stablehlo.convert"(%163) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %178 = "stablehlo.reshape"(%177) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %179 = "stablehlo.transpose"(%178) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %180 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x2x16xf32>} : () -> tensor<1x5x2x16xf32>
    %181 = linalg.mmt4d ins(%179, %176 : tensor<1x20x2x2xbf16>, tensor<5x20x16x2xbf16>) outs(%180 : tensor<1x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %182 = "stablehlo.transpose"(%181) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x2x16xf32>) -> tensor<1x2x5x16xf32>
    %183 = "stablehlo.reshape"(%182) : (tensor<1x2x5x16xf32>) -> tensor<2x80xf32>
    %184 = "stablehlo.slice"(%183) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x72xf32>
    %185 = "util.global.load"() {global = @model.layers.0.mlp.up_proj.bias} : () -> tensor<72xf32>
    %186 = "stablehlo.broadcast_in_dim"(%185) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %187 = "stablehlo.add"(%184, %186) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %188 = "stablehlo.logistic"(%175) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %189 = "stablehlo.multiply"(%175, %188) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %190 = "stablehlo.multiply"(%189, %187) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %191 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<3x36x16x2xbf16>
    %192 = "stablehlo.convert"(%190) : (tensor<2x72xf32>) -> tensor<2x72xbf16>
    %193 = "stablehlo.reshape"(%192) : (tensor<2x72xbf16>) -> tensor<1x2x36x2xbf16>
    %194 = "stablehlo.transpose"(%193) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x36x2xbf16>) -> tensor<1x36x2x2xbf16>
    %195 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %196 = linalg.mmt4d ins(%194, %191 : tensor<1x36x2x2xbf16>, tensor<3x36x16x2xbf16>) outs(%195 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %197 = "stablehlo.transpose"(%196) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %198 = "stablehlo.reshape"(%197) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %199 = "stablehlo.slice"(%198) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x40xf32>
    %200 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.bias} : () -> tensor<40xf32>
    %201 = "stablehlo.broadcast_in_dim"(%200) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %202 = "stablehlo.add"(%199, %201) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %203 = "stablehlo.add"(%152, %202) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %204 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %205 = "stablehlo.multiply"(%203, %203) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %206 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %207 = "stablehlo.reduce"(%205, %206) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %381 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %208 = "stablehlo.divide"(%207, %17) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %209 = "stablehlo.add"(%208, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %210 = "stablehlo.rsqrt"(%209) : (tensor<2xf32>) -> tensor<2xf32>
    %211 = "stablehlo.broadcast_in_dim"(%210) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %212 = "stablehlo.multiply"(%203, %211) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %213 = "stablehlo.broadcast_in_dim"(%204) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %214 = "stablehlo.multiply"(%212, %213) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %215 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.weight} : () -> tensor<3x20x16x2xbf16>
    %216 = "stablehlo.convert"(%214) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %217 = "stablehlo.reshape"(%216) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %218 = "stablehlo.transpose"(%217) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %219 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %220 = linalg.mmt4d ins(%218, %215 : tensor<1x20x2x2xbf16>, tensor<3x20x16x2xbf16>) outs(%219 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %221 = "stablehlo.transpose"(%220) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %222 = "stablehlo.reshape"(%221) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %223 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.bias} : () -> tensor<48xf32>
    %224 = "stablehlo.broadcast_in_dim"(%223) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<2x48xf32>
    %225 = "stablehlo.add"(%222, %224) : (tensor<2x48xf32>, tensor<2x48xf32>) -> tensor<2x48xf32>
    %226 = "stablehlo.reshape"(%225) : (tensor<2x48xf32>) -> tensor<2x4x12xf32>
    %227 = "stablehlo.reshape"(%226) : (tensor<2x4x12xf32>) -> tensor<2x4x2x6xf32>
    %228 = "stablehlo.reverse"(%227) {dimensions = array<i64: 2>} : (tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %229 = "stablehlo.multiply"(%227, %43) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %230 = "stablehlo.multiply"(%228, %50) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %231 = "stablehlo.add"(%229, %230) : (tensor<2x4x2x6xf32>, tensor<2x4x2x6xf32>) -> tensor<2x4x2x6xf32>
    %232 = "stablehlo.reshape"(%231) : (tensor<2x4x2x6xf32>) -> tensor<2x4x12xf32>
    %233 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.weight} : () -> tensor<2x20x16x2xbf16>
    %234 = "stablehlo.convert"(%214) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
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
    %247 = "stablehlo.reverse"(%246) {dimensions = array<i64: 2>} : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %248 = "stablehlo.multiply"(%246, %70) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %249 = "stablehlo.multiply"(%247, %71) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %250 = "stablehlo.add"(%248, %249) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %251 = "stablehlo.reshape"(%250) : (tensor<2x2x2x6xf32>) -> tensor<2x2x12xf32>
    %252 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.weight} : () -> tensor<2x20x16x2xbf16>
    %253 = "stablehlo.convert"(%214) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %254 = "stablehlo.reshape"(%253) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %255 = "stablehlo.transpose"(%254) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %256 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x2x16xf32>} : () -> tensor<1x2x2x16xf32>
    %257 = linalg.mmt4d ins(%255, %252 : tensor<1x20x2x2xbf16>, tensor<2x20x16x2xbf16>) outs(%256 : tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %258 = "stablehlo.transpose"(%257) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %259 = "stablehlo.reshape"(%258) : (tensor<1x2x2x16xf32>) -> tensor<2x32xf32>
    %260 = "stablehlo.slice"(%259) {limit_indices = array<i64: 2, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x32xf32>) -> tensor<2x24xf32>
    %261 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %262 = "stablehlo.broadcast_in_dim"(%261) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<2x24xf32>
    %263 = "stablehlo.add"(%260, %262) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %264 = "stablehlo.reshape"(%263) : (tensor<2x24xf32>) -> tensor<2x2x12xf32>
    %265 = "stablehlo.convert"(%251) : (tensor<2x2x12xf32>) -> tensor<2x2x12xbf16>
    %266 = "stablehlo.scatter"(%arg7, %arg2, %265) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>, tensor<2x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %267 = "stablehlo.convert"(%264) : (tensor<2x2x12xf32>) -> tensor<2x2x12xbf16>
    %268 = "stablehlo.scatter"(%arg8, %arg2, %267) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<2x2xi32>, tensor<2x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %collapsed_1 = tensor.collapse_shape %266 [[0], [1, 2, 3]] : tensor<?x8x2x12xbf16> into tensor<?x192xbf16>
    %269 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xbf16>, tensor<2x2xi32>) -> tensor<2x2x192xbf16>
    %270 = "stablehlo.select"(%102, %269, %103) : (tensor<2x2x192xi1>, tensor<2x2x192xbf16>, tensor<2x2x192xbf16>) -> tensor<2x2x192xbf16>
    %271 = "stablehlo.optimization_barrier"(%270) : (tensor<2x2x192xbf16>) -> tensor<2x2x192xbf16>
    %272 = "stablehlo.reshape"(%271) : (tensor<2x2x192xbf16>) -> tensor<2x16x2x12xbf16>
    %collapsed_2 = tensor.collapse_shape %268 [[0], [1, 2, 3]] : tensor<?x8x2x12xbf16> into tensor<?x192xbf16>
    %273 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xbf16>, tensor<2x2xi32>) -> tensor<2x2x192xbf16>
    %274 = "stablehlo.select"(%102, %273, %103) : (tensor<2x2x192xi1>, tensor<2x2x192xbf16>, tensor<2x2x192xbf16>) -> tensor<2x2x192xbf16>
    %275 = "stablehlo.optimization_barrier"(%274) : (tensor<2x2x192xbf16>) -> tensor<2x2x192xbf16>
    %276 = "stablehlo.reshape"(%275) : (tensor<2x2x192xbf16>) -> tensor<2x16x2x12xbf16>
    %277 = "stablehlo.multiply"(%232, %111) : (tensor<2x4x12xf32>, tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
    %278 = "stablehlo.convert"(%277) : (tensor<2x4x12xf32>) -> tensor<2x4x12xbf16>
    %279 = "stablehlo.reshape"(%278) : (tensor<2x4x12xbf16>) -> tensor<2x1x2x2x12xbf16>
    %280 = "stablehlo.dot_general"(%279, %272) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<2x1x2x2x12xbf16>, tensor<2x16x2x12xbf16>) -> tensor<2x2x1x2x16xf32>
    %281 = "stablehlo.select"(%121, %280, %122) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %282 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %283 = "stablehlo.reduce"(%281, %282) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %381 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %284 = "stablehlo.broadcast_in_dim"(%283) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %285 = "stablehlo.subtract"(%281, %284) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %286 = "stablehlo.exponential"(%285) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %287 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %288 = "stablehlo.reduce"(%286, %287) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %381 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<2x2x1x2x16xf32>, tensor<f32>) -> tensor<2x2x1x2xf32>
    %289 = "stablehlo.broadcast_in_dim"(%288) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<2x2x1x2xf32>) -> tensor<2x2x1x2x16xf32>
    %290 = "stablehlo.divide"(%286, %289) : (tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %291 = "stablehlo.select"(%121, %290, %133) : (tensor<2x2x1x2x16xi1>, tensor<2x2x1x2x16xf32>, tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xf32>
    %292 = "stablehlo.convert"(%291) : (tensor<2x2x1x2x16xf32>) -> tensor<2x2x1x2x16xbf16>
    %293 = "stablehlo.dot_general"(%292, %276) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<2x2x1x2x16xbf16>, tensor<2x16x2x12xbf16>) -> tensor<2x2x1x2x12xf32>
    %294 = "stablehlo.transpose"(%293) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x1x2x12xf32>) -> tensor<2x1x2x2x12xf32>
    %295 = "stablehlo.reshape"(%294) : (tensor<2x1x2x2x12xf32>) -> tensor<2x4x12xf32>
    %296 = "stablehlo.reshape"(%295) : (tensor<2x4x12xf32>) -> tensor<2x48xf32>
    %297 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<3x24x16x2xbf16>
    %298 = "stablehlo.convert"(%296) : (tensor<2x48xf32>) -> tensor<2x48xbf16>
    %299 = "stablehlo.reshape"(%298) : (tensor<2x48xbf16>) -> tensor<1x2x24x2xbf16>
    %300 = "stablehlo.transpose"(%299) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x24x2xbf16>) -> tensor<1x24x2x2xbf16>
    %301 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %302 = linalg.mmt4d ins(%300, %297 : tensor<1x24x2x2xbf16>, tensor<3x24x16x2xbf16>) outs(%301 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %303 = "stablehlo.transpose"(%302) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %304 = "stablehlo.reshape"(%303) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %305 = "stablehlo.slice"(%304) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x40xf32>
    %306 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %307 = "stablehlo.broadcast_in_dim"(%306) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %308 = "stablehlo.add"(%305, %307) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %309 = "stablehlo.add"(%203, %308) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %310 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %311 = "stablehlo.multiply"(%309, %309) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %312 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %313 = "stablehlo.reduce"(%311, %312) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %381 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %314 = "stablehlo.divide"(%313, %17) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %315 = "stablehlo.add"(%314, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %316 = "stablehlo.rsqrt"(%315) : (tensor<2xf32>) -> tensor<2xf32>
    %317 = "stablehlo.broadcast_in_dim"(%316) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %318 = "stablehlo.multiply"(%309, %317) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %319 = "stablehlo.broadcast_in_dim"(%310) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %320 = "stablehlo.multiply"(%318, %319) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %321 = "util.global.load"() {global = @model.layers.1.mlp.gate_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %322 = "stablehlo.convert"(%320) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %323 = "stablehlo.reshape"(%322) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %324 = "stablehlo.transpose"(%323) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %325 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x2x16xf32>} : () -> tensor<1x5x2x16xf32>
    %326 = linalg.mmt4d ins(%324, %321 : tensor<1x20x2x2xbf16>, tensor<5x20x16x2xbf16>) outs(%325 : tensor<1x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %327 = "stablehlo.transpose"(%326) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x2x16xf32>) -> tensor<1x2x5x16xf32>
    %328 = "stablehlo.reshape"(%327) : (tensor<1x2x5x16xf32>) -> tensor<2x80xf32>
    %329 = "stablehlo.slice"(%328) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x72xf32>
    %330 = "util.global.load"() {global = @model.layers.1.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %331 = "stablehlo.broadcast_in_dim"(%330) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %332 = "stablehlo.add"(%329, %331) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %333 = "util.global.load"() {global = @model.layers.1.mlp.up_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %334 = "stablehlo.convert"(%320) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %335 = "stablehlo.reshape"(%334) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %336 = "stablehlo.transpose"(%335) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %337 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x2x16xf32>} : () -> tensor<1x5x2x16xf32>
    %338 = linalg.mmt4d ins(%336, %333 : tensor<1x20x2x2xbf16>, tensor<5x20x16x2xbf16>) outs(%337 : tensor<1x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %339 = "stablehlo.transpose"(%338) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x2x16xf32>) -> tensor<1x2x5x16xf32>
    %340 = "stablehlo.reshape"(%339) : (tensor<1x2x5x16xf32>) -> tensor<2x80xf32>
    %341 = "stablehlo.slice"(%340) {limit_indices = array<i64: 2, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x80xf32>) -> tensor<2x72xf32>
    %342 = "util.global.load"() {global = @model.layers.1.mlp.up_proj.bias} : () -> tensor<72xf32>
    %343 = "stablehlo.broadcast_in_dim"(%342) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<2x72xf32>
    %344 = "stablehlo.add"(%341, %343) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %345 = "stablehlo.logistic"(%332) : (tensor<2x72xf32>) -> tensor<2x72xf32>
    %346 = "stablehlo.multiply"(%332, %345) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %347 = "stablehlo.multiply"(%346, %344) : (tensor<2x72xf32>, tensor<2x72xf32>) -> tensor<2x72xf32>
    %348 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<3x36x16x2xbf16>
    %349 = "stablehlo.convert"(%347) : (tensor<2x72xf32>) -> tensor<2x72xbf16>
    %350 = "stablehlo.reshape"(%349) : (tensor<2x72xbf16>) -> tensor<1x2x36x2xbf16>
    %351 = "stablehlo.transpose"(%350) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x36x2xbf16>) -> tensor<1x36x2x2xbf16>
    %352 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x2x16xf32>} : () -> tensor<1x3x2x16xf32>
    %353 = linalg.mmt4d ins(%351, %348 : tensor<1x36x2x2xbf16>, tensor<3x36x16x2xbf16>) outs(%352 : tensor<1x3x2x16xf32>) -> tensor<1x3x2x16xf32>
    %354 = "stablehlo.transpose"(%353) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x2x16xf32>) -> tensor<1x2x3x16xf32>
    %355 = "stablehlo.reshape"(%354) : (tensor<1x2x3x16xf32>) -> tensor<2x48xf32>
    %356 = "stablehlo.slice"(%355) {limit_indices = array<i64: 2, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x48xf32>) -> tensor<2x40xf32>
    %357 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.bias} : () -> tensor<40xf32>
    %358 = "stablehlo.broadcast_in_dim"(%357) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %359 = "stablehlo.add"(%356, %358) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %360 = "stablehlo.add"(%309, %359) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %361 = "stablehlo.gather"(%360, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<2x40xf32>, tensor<2xi32>) -> tensor<2x40xf32>
    %362 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %363 = "stablehlo.multiply"(%361, %361) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %364 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %365 = "stablehlo.reduce"(%363, %364) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %381 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%381) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<2x40xf32>, tensor<f32>) -> tensor<2xf32>
    %366 = "stablehlo.divide"(%365, %17) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %367 = "stablehlo.add"(%366, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %368 = "stablehlo.rsqrt"(%367) : (tensor<2xf32>) -> tensor<2xf32>
    %369 = "stablehlo.broadcast_in_dim"(%368) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x40xf32>
    %370 = "stablehlo.multiply"(%361, %369) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %371 = "stablehlo.broadcast_in_dim"(%362) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<2x40xf32>
    %372 = "stablehlo.multiply"(%370, %371) : (tensor<2x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
    %373 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<8x20x16x2xbf16>
    %374 = "stablehlo.convert"(%372) : (tensor<2x40xf32>) -> tensor<2x40xbf16>
    %375 = "stablehlo.reshape"(%374) : (tensor<2x40xbf16>) -> tensor<1x2x20x2xbf16>
    %376 = "stablehlo.transpose"(%375) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x20x2xbf16>) -> tensor<1x20x2x2xbf16>
    %377 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x8x2x16xf32>} : () -> tensor<1x8x2x16xf32>
    %378 = linalg.mmt4d ins(%376, %373 : tensor<1x20x2x2xbf16>, tensor<8x20x16x2xbf16>) outs(%377 : tensor<1x8x2x16xf32>) -> tensor<1x8x2x16xf32>
    %379 = "stablehlo.transpose"(%378) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x2x16xf32>) -> tensor<1x2x8x16xf32>
    %380 = "stablehlo.reshape"(%379) : (tensor<1x2x8x16xf32>) -> tensor<2x128xf32>
    return %380, %90, %92, %266, %268 : tensor<2x128xf32>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>
  }
}
