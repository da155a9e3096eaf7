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
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.0.self_attn.o_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.o_proj.weight"> : tensor<3x24x16x2xbf16>, sym_name = "model.layers.0.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<3x24x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj+k_proj.weight"> : tensor<5x20x16x2xbf16>, sym_name = "model.layers.0.self_attn.q_proj+k_proj.weight", sym_visibility = "private", type = tensor<5x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.0.self_attn.q_proj.bias"> : tensor<48xf32>, sym_name = "model.layers.0.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
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
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.bias"> : tensor<40xf32>, sym_name = "model.layers.1.self_attn.o_proj.bias", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.o_proj.weight"> : tensor<3x24x16x2xbf16>, sym_name = "model.layers.1.self_attn.o_proj.weight", sym_visibility = "private", type = tensor<3x24x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj+k_proj.weight"> : tensor<5x20x16x2xbf16>, sym_name = "model.layers.1.self_attn.q_proj+k_proj.weight", sym_visibility = "private", type = tensor<5x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.q_proj.bias"> : tensor<48xf32>, sym_name = "model.layers.1.self_attn.q_proj.bias", sym_visibility = "private", type = tensor<48xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.v_proj.bias"> : tensor<24xf32>, sym_name = "model.layers.1.self_attn.v_proj.bias", sym_visibility = "private", type = tensor<24xf32>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.layers.1.self_attn.v_proj.weight"> : tensor<2x20x16x2xbf16>, sym_name = "model.layers.1.self_attn.v_proj.weight", sym_visibility = "private", type = tensor<2x20x16x2xbf16>} : () -> ()
  "util.global"() {initial_value = #flow.parameter.named<"model"::"model.norm.weight"> : tensor<40xf32>, sym_name = "model.norm.weight", sym_visibility = "private", type = tensor<40xf32>} : () -> ()
  func.func @prefill(%arg0: tensor<8xi32>, %arg1: tensor<8xi32>, %arg2: tensor<8x2xi32>, %arg3: tensor<1x2xi32>, %arg4: tensor<1xi32>, %arg5: tensor<?x8x2x12xbf16> {iree.abi.output = 1 : index}, %arg6: tensor<?x8x2x12xbf16> {iree.abi.output = 2 : index}, %arg7: tensor<?x8x2x12xbf16> {iree.abi.output = 3 : index}, %arg8: tensor<?x8x2x12xbf16> {iree.abi.output = 4 : index}) -> (tensor<1x128xf32>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>) {
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
    %10 = "util.global.load"() {global = @model.embed_tokens.weight} : () -> tensor<128x40xbf16>
    %11 = "stablehlo.gather"(%10, %arg0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<128x40xbf16>, tensor<8xi32>) -> tensor<8x40xbf16>
    %12 = "stablehlo.convert"(%11) : (tensor<8x40xbf16>) -> tensor<8x40xf32>
    %13 = "util.global.load"() {global = @model.layers.0.input_layernorm.weight} : () -> tensor<40xf32>
    %14 = "stablehlo.multiply"(%12, %12) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %15 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %16 = "stablehlo.reduce"(%14, %15) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %17 = "stablehlo.constant"() {value = dense<4.000000e+01> : tensor<8xf32>} : () -> tensor<8xf32>
    %18 = "stablehlo.divide"(%16, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<8xf32>} : () -> tensor<8xf32>
    %20 = "stablehlo.add"(%18, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.rsqrt"(%20) : (tensor<8xf32>) -> tensor<8xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %23 = "stablehlo.multiply"(%12, %22) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %24 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %25 = "stablehlo.multiply"(%23, %24) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %26 = "util.global.load"() {global = @"model.layers.0.self_attn.q_proj+k_proj.weight"} : () -> tensor<5x20x16x2xbf16>
    %27 = "stablehlo.convert"(%25) : (tensor<8x40xf32>) -> tensor<8x40xbf16>
    %28 = "stablehlo.reshape"(%27) : (tensor<8x40xbf16>) -> tensor<1x8x20x2xbf16>
    %29 = "stablehlo.transpose"(%28) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x20x2xbf16>) -> tensor<1x20x8x2xbf16>
    %30 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x8x16xf32>} : () -> tensor<1x5x8x16xf32>
    %31 = linalg.mmt4d ins(%29, %26 : tensor<1x20x8x2xbf16>, tensor<5x20x16x2xbf16>) outs(%30 : tensor<1x5x8x16xf32>) -> tensor<1x5x8x16xf32>
    %32 = "stablehlo.transpose"(%31) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x8x16xf32>) -> tensor<1x8x5x16xf32>
    %33 = "stablehlo.reshape"(%32) : (tensor<1x8x5x16xf32>) -> tensor<8x80xf32>
    %34 = "stablehlo.slice"(%33) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x72xf32>
    %35 = "stablehlo.slice"(%34) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x72xf32>) -> tensor<8x48xf32>
    %36 = "util.global.load"() {global = @model.layers.0.self_attn.q_proj.bias} : () -> tensor<48xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %38 = "stablehlo.add"(%35, %37) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %39 = "stablehlo.reshape"(%38) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %40 = "stablehlo.reshape"(%39) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %41 = "stablehlo.reverse"(%40) {dimensions = array<i64: 2>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %42 = "stablehlo.slice"(%9) {limit_indices = array<i64: 1, 8, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %43 = "stablehlo.reshape"(%42) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x6xf32>) -> tensor<8x2x6xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x4x2x6xf32>
    %46 = "stablehlo.slice"(%9) {limit_indices = array<i64: 2, 8, 6>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<2x8x6xf32>) -> tensor<1x8x6xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
    %48 = "stablehlo.broadcast_in_dim"(%47) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<8x6xf32>) -> tensor<8x2x6xf32>
    %49 = "stablehlo.constant"() {value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<8x2x6xf32>
    %51 = "stablehlo.multiply"(%48, %50) : (tensor<8x2x6xf32>, tensor<8x2x6xf32>) -> tensor<8x2x6xf32>
    %52 = "stablehlo.broadcast_in_dim"(%51) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x4x2x6xf32>
    %53 = "stablehlo.multiply"(%40, %45) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %54 = "stablehlo.multiply"(%41, %52) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %55 = "stablehlo.add"(%53, %54) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %56 = "stablehlo.reshape"(%55) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %57 = "stablehlo.slice"(%34) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x72xf32>) -> tensor<8x24xf32>
    %58 = "util.global.load"() {global = @model.layers.0.self_attn.k_proj.bias} : () -> tensor<24xf32>
    %59 = "stablehlo.broadcast_in_dim"(%58) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %60 = "stablehlo.add"(%57, %59) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %61 = "stablehlo.reshape"(%60) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %62 = "stablehlo.reshape"(%61) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %63 = "stablehlo.reverse"(%62) {dimensions = array<i64: 2>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %64 = "stablehlo.broadcast_in_dim"(%44) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x2x2x6xf32>
    %65 = "stablehlo.broadcast_in_dim"(%51) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<8x2x6xf32>) -> tensor<8x2x2x6xf32>
    %66 = "stablehlo.multiply"(%62, %64) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %67 = "stablehlo.multiply"(%63, %65) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %68 = "stablehlo.add"(%66, %67) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %69 = "stablehlo.reshape"(%68) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %70 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.weight} : () -> tensor<2x20x16x2xbf16>
    %71 = "stablehlo.convert"(%25) : (tensor<8x40xf32>) -> tensor<8x40xbf16>
    %72 = "stablehlo.reshape"(%71) : (tensor<8x40xbf16>) -> tensor<1x8x20x2xbf16>
    %73 = "stablehlo.transpose"(%72) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x20x2xbf16>) -> tensor<1x20x8x2xbf16>
    %74 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x8x16xf32>} : () -> tensor<1x2x8x16xf32>
    %75 = linalg.mmt4d ins(%73, %70 : tensor<1x20x8x2xbf16>, tensor<2x20x16x2xbf16>) outs(%74 : tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
    %76 = "stablehlo.transpose"(%75) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x8x16xf32>) -> tensor<1x8x2x16xf32>
    %77 = "stablehlo.reshape"(%76) : (tensor<1x8x2x16xf32>) -> tensor<8x32xf32>
    %78 = "stablehlo.slice"(%77) {limit_indices = array<i64: 8, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x32xf32>) -> tensor<8x24xf32>
    %79 = "util.global.load"() {global = @model.layers.0.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %80 = "stablehlo.broadcast_in_dim"(%79) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %81 = "stablehlo.add"(%78, %80) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %82 = "stablehlo.reshape"(%81) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %83 = "stablehlo.convert"(%69) : (tensor<8x2x12xf32>) -> tensor<8x2x12xbf16>
    %84 = "stablehlo.scatter"(%arg5, %arg2, %83) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<8x2xi32>, tensor<8x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %85 = "stablehlo.convert"(%82) : (tensor<8x2x12xf32>) -> tensor<8x2x12xbf16>
    %86 = "stablehlo.scatter"(%arg6, %arg2, %85) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<8x2xi32>, tensor<8x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %87 = "stablehlo.reshape"(%2) : (tensor<8xf32>) -> tensor<1x8xf32>
    %88 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %89 = "stablehlo.reduce"(%87, %88) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x8xf32>, tensor<f32>) -> tensor<1xf32>
    %90 = "stablehlo.broadcast_in_dim"(%89) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x2xf32>
    %91 = "stablehlo.constant"() {value = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %92 = "stablehlo.broadcast_in_dim"(%91) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<1x2xf32>
    %93 = "stablehlo.compare"(%92, %90) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xi1>
    %94 = "stablehlo.optimization_barrier"(%93) : (tensor<1x2xi1>) -> tensor<1x2xi1>
    %collapsed = tensor.collapse_shape %84 [[0], [1, 2, 3]] : tensor<?x8x2x12xbf16> into tensor<?x192xbf16>
    %95 = "stablehlo.gather"(%collapsed, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xbf16>, tensor<1x2xi32>) -> tensor<1x2x192xbf16>
    %96 = "stablehlo.broadcast_in_dim"(%94) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x2xi1>) -> tensor<1x2x192xi1>
    %97 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x192xbf16>} : () -> tensor<1x2x192xbf16>
    %98 = "stablehlo.select"(%96, %95, %97) : (tensor<1x2x192xi1>, tensor<1x2x192xbf16>, tensor<1x2x192xbf16>) -> tensor<1x2x192xbf16>
    %99 = "stablehlo.optimization_barrier"(%98) : (tensor<1x2x192xbf16>) -> tensor<1x2x192xbf16>
    %100 = "stablehlo.reshape"(%99) : (tensor<1x2x192xbf16>) -> tensor<1x16x2x12xbf16>
    %collapsed_0 = tensor.collapse_shape %86 [[0], [1, 2, 3]] : tensor<?x8x2x12xbf16> into tensor<?x192xbf16>
    %101 = "stablehlo.gather"(%collapsed_0, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xbf16>, tensor<1x2xi32>) -> tensor<1x2x192xbf16>
    %102 = "stablehlo.select"(%96, %101, %97) : (tensor<1x2x192xi1>, tensor<1x2x192xbf16>, tensor<1x2x192xbf16>) -> tensor<1x2x192xbf16>
    %103 = "stablehlo.optimization_barrier"(%102) : (tensor<1x2x192xbf16>) -> tensor<1x2x192xbf16>
    %104 = "stablehlo.reshape"(%103) : (tensor<1x2x192xbf16>) -> tensor<1x16x2x12xbf16>
    %105 = "stablehlo.constant"() {value = dense<0.288675129> : tensor<8x4x12xf32>} : () -> tensor<8x4x12xf32>
    %106 = "stablehlo.multiply"(%56, %105) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %107 = "stablehlo.convert"(%106) : (tensor<8x4x12xf32>) -> tensor<8x4x12xbf16>
    %108 = "stablehlo.reshape"(%107) : (tensor<8x4x12xbf16>) -> tensor<1x8x2x2x12xbf16>
    %109 = "stablehlo.dot_general"(%108, %100) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xbf16>, tensor<1x16x2x12xbf16>) -> tensor<1x2x8x2x16xf32>
    %110 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<16xi32>
    %111 = "stablehlo.broadcast_in_dim"(%110) {broadcast_dimensions = array<i64: 2>} : (tensor<16xi32>) -> tensor<1x8x16xi32>
    %112 = "stablehlo.reshape"(%arg1) : (tensor<8xi32>) -> tensor<1x8xi32>
    %113 = "stablehlo.broadcast_in_dim"(%112) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x8xi32>) -> tensor<1x8x16xi32>
    %114 = "stablehlo.compare"(%111, %113) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<1x8x16xi32>, tensor<1x8x16xi32>) -> tensor<1x8x16xi1>
    %115 = "stablehlo.broadcast_in_dim"(%114) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<1x8x16xi1>) -> tensor<1x2x8x2x16xi1>
    %116 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %117 = "stablehlo.select"(%115, %109, %116) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %118 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %119 = "stablehlo.reduce"(%117, %118) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %120 = "stablehlo.broadcast_in_dim"(%119) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %121 = "stablehlo.subtract"(%117, %120) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %122 = "stablehlo.exponential"(%121) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %123 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %124 = "stablehlo.reduce"(%122, %123) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %125 = "stablehlo.broadcast_in_dim"(%124) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %126 = "stablehlo.divide"(%122, %125) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %127 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x8x2x16xf32>} : () -> tensor<1x2x8x2x16xf32>
    %128 = "stablehlo.select"(%115, %126, %127) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %129 = "stablehlo.convert"(%128) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xbf16>
    %130 = "stablehlo.dot_general"(%129, %104) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xbf16>, tensor<1x16x2x12xbf16>) -> tensor<1x2x8x2x12xf32>
    %131 = "stablehlo.transpose"(%130) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %132 = "stablehlo.reshape"(%131) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %133 = "stablehlo.reshape"(%132) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %134 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.weight} : () -> tensor<3x24x16x2xbf16>
    %135 = "stablehlo.convert"(%133) : (tensor<8x48xf32>) -> tensor<8x48xbf16>
    %136 = "stablehlo.reshape"(%135) : (tensor<8x48xbf16>) -> tensor<1x8x24x2xbf16>
    %137 = "stablehlo.transpose"(%136) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x24x2xbf16>) -> tensor<1x24x8x2xbf16>
    %138 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x8x16xf32>} : () -> tensor<1x3x8x16xf32>
    %139 = linalg.mmt4d ins(%137, %134 : tensor<1x24x8x2xbf16>, tensor<3x24x16x2xbf16>) outs(%138 : tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32>
    %140 = "stablehlo.transpose"(%139) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x8x16xf32>) -> tensor<1x8x3x16xf32>
    %141 = "stablehlo.reshape"(%140) : (tensor<1x8x3x16xf32>) -> tensor<8x48xf32>
    %142 = "stablehlo.slice"(%141) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x40xf32>
    %143 = "util.global.load"() {global = @model.layers.0.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %144 = "stablehlo.broadcast_in_dim"(%143) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %145 = "stablehlo.add"(%142, %144) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %146 = "stablehlo.add"(%12, %145) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %147 = "util.global.load"() {global = @model.layers.0.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %148 = "stablehlo.multiply"(%146, %146) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %149 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %150 = "stablehlo.reduce"(%148, %149) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %151 = "stablehlo.divide"(%150, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %152 = "stablehlo.add"(%151, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %153 = "stablehlo.rsqrt"(%152) : (tensor<8xf32>) -> tensor<8xf32>
    %154 = "stablehlo.broadcast_in_dim"(%153) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %155 = "stablehlo.multiply"(%146, %154) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %156 = "stablehlo.broadcast_in_dim"(%147) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %157 = "stablehlo.multiply"(%155, %156) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %158 = "util.global.load"() {global = @model.layers.0.mlp.gate_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %159 = "stablehlo.convert"(%157) : (tensor<8x40xf32>) -> tensor<8x40xbf16>
    %160 = "stablehlo.reshape"(%159) : (tensor<8x40xbf16>) -> tensor<1x8x20x2xbf16>
    %161 = "stablehlo.transpose"(%160) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x20x2xbf16>) -> tensor<1x20x8x2xbf16>
    %162 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x8x16xf32>} : () -> tensor<1x5x8x16xf32>
    %163 = linalg.mmt4d ins(%161, %158 : tensor<1x20x8x2xbf16>, tensor<5x20x16x2xbf16>) outs(%162 : tensor<1x5x8x16xf32>) -> tensor<1x5x8x16xf32>
    %164 = "stablehlo.transpose"(%163) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x8x16xf32>) -> tensor<1x8x5x16xf32>
    %165 = "stablehlo.reshape"(%164) : (tensor<1x8x5x16xf32>) -> tensor<8x80xf32>
    %166 = "stablehlo.slice"(%165) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x72xf32>
    %167 = "util.global.load"() {global = @model.layers.0.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %168 = "stablehlo.broadcast_in_dim"(%167) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<8x72xf32>
    %169 = "stablehlo.add"(%166, %168) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %170 = "util.global.load"() {global = @model.layers.0.mlp.up_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %171 = "stablehlo.convert"(%157) : (tensor<8x40xf32>) -> tensor<8x40xbf16>
    %172 = "stablehlo.reshape"(%171) : (tensor<8x40xbf16>) -> tensor<1x8x20x2xbf16>
    %173 = "stablehlo.transpose"(%172) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x20x2xbf16>) -> tensor<1x20x8x2xbf16>
    %174 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x8x16xf32>} : () -> tensor<1x5x8x16xf32>
    %175 = linalg.mmt4d ins(%173, %170 : tensor<1x20x8x2xbf16>, tensor<5x20x16x2xbf16>) outs(%174 : tensor<1x5x8x16xf32>) -> tensor<1x5x8x16xf32>
    %176 = "stablehlo.transpose"(%175) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x8x16xf32>) -> tensor<1x8x5x16xf32>
    %177 = "stablehlo.reshape"(%176) : (tensor<1x8x5x16xf32>) -> tensor<8x80xf32>
    %178 = "stablehlo.slice"(%177) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x72xf32>
    %179 = "util.global.load"() {global = @model.layers.0.mlp.up_proj.bias} : () -> tensor<72xf32>
    %180 = "stablehlo.broadcast_in_dim"(%179) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<8x72xf32>
    %181 = "stablehlo.add"(%178, %180) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %182 = "stablehlo.logistic"(%169) : (tensor<8x72xf32>) -> tensor<8x72xf32>
    %183 = "stablehlo.multiply"(%169, %182) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %184 = "stablehlo.multiply"(%183, %181) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %185 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.weight} : () -> tensor<3x36x16x2xbf16>
    %186 = "stablehlo.convert"(%184) : (tensor<8x72xf32>) -> tensor<8x72xbf16>
    %187 = "stablehlo.reshape"(%186) : (tensor<8x72xbf16>) -> tensor<1x8x36x2xbf16>
    %188 = "stablehlo.transpose"(%187) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x36x2xbf16>) -> tensor<1x36x8x2xbf16>
    %189 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x8x16xf32>} : () -> tensor<1x3x8x16xf32>
    %190 = linalg.mmt4d ins(%188, %185 : tensor<1x36x8x2xbf16>, tensor<3x36x16x2xbf16>) outs(%189 : tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32>
    %191 = "stablehlo.transpose"(%190) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x8x16xf32>) -> tensor<1x8x3x16xf32>
    %192 = "stablehlo.reshape"(%191) : (tensor<1x8x3x16xf32>) -> tensor<8x48xf32>
    %193 = "stablehlo.slice"(%192) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x40xf32>
    %194 = "util.global.load"() {global = @model.layers.0.mlp.down_proj.bias} : () -> tensor<40xf32>
    %195 = "stablehlo.broadcast_in_dim"(%194) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %196 = "stablehlo.add"(%193, %195) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %197 = "stablehlo.add"(%146, %196) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %198 = "util.global.load"() {global = @model.layers.1.input_layernorm.weight} : () -> tensor<40xf32>
    %199 = "stablehlo.multiply"(%197, %197) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %200 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %201 = "stablehlo.reduce"(%199, %200) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %202 = "stablehlo.divide"(%201, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %203 = "stablehlo.add"(%202, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %204 = "stablehlo.rsqrt"(%203) : (tensor<8xf32>) -> tensor<8xf32>
    %205 = "stablehlo.broadcast_in_dim"(%204) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %206 = "stablehlo.multiply"(%197, %205) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %207 = "stablehlo.broadcast_in_dim"(%198) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %208 = "stablehlo.multiply"(%206, %207) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %209 = "util.global.load"() {global = @"model.layers.1.self_attn.q_proj+k_proj.weight"} : () -> tensor<5x20x16x2xbf16>
    %210 = "stablehlo.convert"(%208) : (tensor<8x40xf32>) -> tensor<8x40xbf16>
    %211 = "stablehlo.reshape"(%210) : (tensor<8x40xbf16>) -> tensor<1x8x20x2xbf16>
    %212 = "stablehlo.transpose"(%211) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x20x2xbf16>) -> tensor<1x20x8x2xbf16>
    %213 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x8x16xf32>} : () -> tensor<1x5x8x16xf32>
    %214 = linalg.mmt4d ins(%212, %209 : tensor<1x20x8x2xbf16>, tensor<5x20x16x2xbf16>) outs(%213 : tensor<1x5x8x16xf32>) -> tensor<1x5x8x16xf32>
    %215 = "stablehlo.transpose"(%214) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x8x16xf32>) -> tensor<1x8x5x16xf32>
    %216 = "stablehlo.reshape"(%215) : (tensor<1x8x5x16xf32>) -> tensor<8x80xf32>
    %217 = "stablehlo.slice"(%216) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x72xf32>
    %218 = "stablehlo.slice"(%217) {limit_indices = array<i64: 8, 48>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x72xf32>) -> tensor<8x48xf32>
    %219 = "util.global.load"() {global = @model.layers.1.self_attn.q_proj.bias} : () -> tensor<48xf32>
    %220 = "stablehlo.broadcast_in_dim"(%219) {broadcast_dimensions = array<i64: 1>} : (tensor<48xf32>) -> tensor<8x48xf32>
    %221 = "stablehlo.add"(%218, %220) : (tensor<8x48xf32>, tensor<8x48xf32>) -> tensor<8x48xf32>
    %222 = "stablehlo.reshape"(%221) : (tensor<8x48xf32>) -> tensor<8x4x12xf32>
    %223 = "stablehlo.reshape"(%222) : (tensor<8x4x12xf32>) -> tensor<8x4x2x6xf32>
    %224 = "stablehlo.reverse"(%223) {dimensions = array<i64: 2>} : (tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %225 = "stablehlo.multiply"(%223, %45) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %226 = "stablehlo.multiply"(%224, %52) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %227 = "stablehlo.add"(%225, %226) : (tensor<8x4x2x6xf32>, tensor<8x4x2x6xf32>) -> tensor<8x4x2x6xf32>
    %228 = "stablehlo.reshape"(%227) : (tensor<8x4x2x6xf32>) -> tensor<8x4x12xf32>
    %229 = "stablehlo.slice"(%217) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>} : (tensor<8x72xf32>) -> tensor<8x24xf32>
    %230 = "util.global.load"() {global = @model.layers.1.self_attn.k_proj.bias} : () -> tensor<24xf32>
    %231 = "stablehlo.broadcast_in_dim"(%230) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %232 = "stablehlo.add"(%229, %231) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %233 = "stablehlo.reshape"(%232) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %234 = "stablehlo.reshape"(%233) : (tensor<8x2x12xf32>) -> tensor<8x2x2x6xf32>
    %235 = "stablehlo.reverse"(%234) {dimensions = array<i64: 2>} : (tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %236 = "stablehlo.multiply"(%234, %64) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %237 = "stablehlo.multiply"(%235, %65) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %238 = "stablehlo.add"(%236, %237) : (tensor<8x2x2x6xf32>, tensor<8x2x2x6xf32>) -> tensor<8x2x2x6xf32>
    %239 = "stablehlo.reshape"(%238) : (tensor<8x2x2x6xf32>) -> tensor<8x2x12xf32>
    %240 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.weight} : () -> tensor<2x20x16x2xbf16>
    %241 = "stablehlo.convert"(%208) : (tensor<8x40xf32>) -> tensor<8x40xbf16>
    %242 = "stablehlo.reshape"(%241) : (tensor<8x40xbf16>) -> tensor<1x8x20x2xbf16>
    %243 = "stablehlo.transpose"(%242) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x20x2xbf16>) -> tensor<1x20x8x2xbf16>
    %244 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x8x16xf32>} : () -> tensor<1x2x8x16xf32>
    %245 = linalg.mmt4d ins(%243, %240 : tensor<1x20x8x2xbf16>, tensor<2x20x16x2xbf16>) outs(%244 : tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
    %246 = "stablehlo.transpose"(%245) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x8x16xf32>) -> tensor<1x8x2x16xf32>
    %247 = "stablehlo.reshape"(%246) : (tensor<1x8x2x16xf32>) -> tensor<8x32xf32>
    %248 = "stablehlo.slice"(%247) {limit_indices = array<i64: 8, 24>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x32xf32>) -> tensor<8x24xf32>
    %249 = "util.global.load"() {global = @model.layers.1.self_attn.v_proj.bias} : () -> tensor<24xf32>
    %250 = "stablehlo.broadcast_in_dim"(%249) {broadcast_dimensions = array<i64: 1>} : (tensor<24xf32>) -> tensor<8x24xf32>
    %251 = "stablehlo.add"(%248, %250) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %252 = "stablehlo.reshape"(%251) : (tensor<8x24xf32>) -> tensor<8x2x12xf32>
    %253 = "stablehlo.convert"(%239) : (tensor<8x2x12xf32>) -> tensor<8x2x12xbf16>
    %254 = "stablehlo.scatter"(%arg7, %arg2, %253) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<8x2xi32>, tensor<8x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %255 = "stablehlo.convert"(%252) : (tensor<8x2x12xf32>) -> tensor<8x2x12xbf16>
    %256 = "stablehlo.scatter"(%arg8, %arg2, %255) ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      "stablehlo.return"(%arg10) : (tensor<bf16>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false} : (tensor<?x8x2x12xbf16>, tensor<8x2xi32>, tensor<8x2x12xbf16>) -> tensor<?x8x2x12xbf16>
    %collapsed_1 = tensor.collapse_shape %254 [[0], [1, 2, 3]] : tensor<?x8x2x12xbf16> into tensor<?x192xbf16>
    %257 = "stablehlo.gather"(%collapsed_1, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xbf16>, tensor<1x2xi32>) -> tensor<1x2x192xbf16>
    %258 = "stablehlo.select"(%96, %257, %97) : (tensor<1x2x192xi1>, tensor<1x2x192xbf16>, tensor<1x2x192xbf16>) -> tensor<1x2x192xbf16>
    %259 = "stablehlo.optimization_barrier"(%258) : (tensor<1x2x192xbf16>) -> tensor<1x2x192xbf16>
    %260 = "stablehlo.reshape"(%259) : (tensor<1x2x192xbf16>) -> tensor<1x16x2x12xbf16>
    %collapsed_2 = tensor.collapse_shape %256 [[0], [1, 2, 3]] : tensor<?x8x2x12xbf16> into tensor<?x192xbf16>
    %261 = "stablehlo.gather"(%collapsed_2, %arg3) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 192>} : (tensor<?x192xbf16>, tensor<1x2xi32>) -> tensor<1x2x192xbf16>
    %262 = "stablehlo.select"(%96, %261, %97) : (tensor<1x2x192xi1>, tensor<1x2x192xbf16>, tensor<1x2x192xbf16>) -> tensor<1x2x192xbf16>
    %263 = "stablehlo.optimization_barrier"(%262) : (tensor<1x2x192xbf16>) -> tensor<1x2x192xbf16>
    %264 = "stablehlo.reshape"(%263) : (tensor<1x2x192xbf16>) -> tensor<1x16x2x12xbf16>
    %265 = "stablehlo.multiply"(%228, %105) : (tensor<8x4x12xf32>, tensor<8x4x12xf32>) -> tensor<8x4x12xf32>
    %266 = "stablehlo.convert"(%265) : (tensor<8x4x12xf32>) -> tensor<8x4x12xbf16>
    %267 = "stablehlo.reshape"(%266) : (tensor<8x4x12xbf16>) -> tensor<1x8x2x2x12xbf16>
    %268 = "stablehlo.dot_general"(%267, %260) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>} : (tensor<1x8x2x2x12xbf16>, tensor<1x16x2x12xbf16>) -> tensor<1x2x8x2x16xf32>
    %269 = "stablehlo.select"(%115, %268, %116) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %270 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %271 = "stablehlo.reduce"(%269, %270) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %272 = "stablehlo.broadcast_in_dim"(%271) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %273 = "stablehlo.subtract"(%269, %272) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %274 = "stablehlo.exponential"(%273) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %275 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %276 = "stablehlo.reduce"(%274, %275) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 4>} : (tensor<1x2x8x2x16xf32>, tensor<f32>) -> tensor<1x2x8x2xf32>
    %277 = "stablehlo.broadcast_in_dim"(%276) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x8x2xf32>) -> tensor<1x2x8x2x16xf32>
    %278 = "stablehlo.divide"(%274, %277) : (tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %279 = "stablehlo.select"(%115, %278, %127) : (tensor<1x2x8x2x16xi1>, tensor<1x2x8x2x16xf32>, tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xf32>
    %280 = "stablehlo.convert"(%279) : (tensor<1x2x8x2x16xf32>) -> tensor<1x2x8x2x16xbf16>
    %281 = "stablehlo.dot_general"(%280, %264) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>} : (tensor<1x2x8x2x16xbf16>, tensor<1x16x2x12xbf16>) -> tensor<1x2x8x2x12xf32>
    %282 = "stablehlo.transpose"(%281) {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x12xf32>) -> tensor<1x8x2x2x12xf32>
    %283 = "stablehlo.reshape"(%282) : (tensor<1x8x2x2x12xf32>) -> tensor<8x4x12xf32>
    %284 = "stablehlo.reshape"(%283) : (tensor<8x4x12xf32>) -> tensor<8x48xf32>
    %285 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.weight} : () -> tensor<3x24x16x2xbf16>
    %286 = "stablehlo.convert"(%284) : (tensor<8x48xf32>) -> tensor<8x48xbf16>
    %287 = "stablehlo.reshape"(%286) : (tensor<8x48xbf16>) -> tensor<1x8x24x2xbf16>
    %288 = "stablehlo.transpose"(%287) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x24x2xbf16>) -> tensor<1x24x8x2xbf16>
    %289 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x8x16xf32>} : () -> tensor<1x3x8x16xf32>
    %290 = linalg.mmt4d ins(%288, %285 : tensor<1x24x8x2xbf16>, tensor<3x24x16x2xbf16>) outs(%289 : tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32>
    %291 = "stablehlo.transpose"(%290) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x8x16xf32>) -> tensor<1x8x3x16xf32>
    %292 = "stablehlo.reshape"(%291) : (tensor<1x8x3x16xf32>) -> tensor<8x48xf32>
    %293 = "stablehlo.slice"(%292) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x40xf32>
    %294 = "util.global.load"() {global = @model.layers.1.self_attn.o_proj.bias} : () -> tensor<40xf32>
    %295 = "stablehlo.broadcast_in_dim"(%294) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %296 = "stablehlo.add"(%293, %295) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %297 = "stablehlo.add"(%197, %296) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %298 = "util.global.load"() {global = @model.layers.1.post_attention_layernorm.weight} : () -> tensor<40xf32>
    %299 = "stablehlo.multiply"(%297, %297) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %300 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %301 = "stablehlo.reduce"(%299, %300) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x40xf32>, tensor<f32>) -> tensor<8xf32>
    %302 = "stablehlo.divide"(%301, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %303 = "stablehlo.add"(%302, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %304 = "stablehlo.rsqrt"(%303) : (tensor<8xf32>) -> tensor<8xf32>
    %305 = "stablehlo.broadcast_in_dim"(%304) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x40xf32>
    %306 = "stablehlo.multiply"(%297, %305) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %307 = "stablehlo.broadcast_in_dim"(%298) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %308 = "stablehlo.multiply"(%306, %307) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %309 = "util.global.load"() {global = @model.layers.1.mlp.gate_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %310 = "stablehlo.convert"(%308) : (tensor<8x40xf32>) -> tensor<8x40xbf16>
    %311 = "stablehlo.reshape"(%310) : (tensor<8x40xbf16>) -> tensor<1x8x20x2xbf16>
    %312 = "stablehlo.transpose"(%311) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x20x2xbf16>) -> tensor<1x20x8x2xbf16>
    %313 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x8x16xf32>} : () -> tensor<1x5x8x16xf32>
    %314 = linalg.mmt4d ins(%312, %309 : tensor<1x20x8x2xbf16>, tensor<5x20x16x2xbf16>) outs(%313 : tensor<1x5x8x16xf32>) -> tensor<1x5x8x16xf32>
    %315 = "stablehlo.transpose"(%314) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x8x16xf32>) -> tensor<1x8x5x16xf32>
    %316 = "stablehlo.reshape"(%315) : (tensor<1x8x5x16xf32>) -> tensor<8x80xf32>
    %317 = "stablehlo.slice"(%316) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x72xf32>
    %318 = "util.global.load"() {global = @model.layers.1.mlp.gate_proj.bias} : () -> tensor<72xf32>
    %319 = "stablehlo.broadcast_in_dim"(%318) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<8x72xf32>
    %320 = "stablehlo.add"(%317, %319) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %321 = "util.global.load"() {global = @model.layers.1.mlp.up_proj.weight} : () -> tensor<5x20x16x2xbf16>
    %322 = "stablehlo.convert"(%308) : (tensor<8x40xf32>) -> tensor<8x40xbf16>
    %323 = "stablehlo.reshape"(%322) : (tensor<8x40xbf16>) -> tensor<1x8x20x2xbf16>
    %324 = "stablehlo.transpose"(%323) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x20x2xbf16>) -> tensor<1x20x8x2xbf16>
    %325 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x5x8x16xf32>} : () -> tensor<1x5x8x16xf32>
    %326 = linalg.mmt4d ins(%324, %321 : tensor<1x20x8x2xbf16>, tensor<5x20x16x2xbf16>) outs(%325 : tensor<1x5x8x16xf32>) -> tensor<1x5x8x16xf32>
    %327 = "stablehlo.transpose"(%326) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x8x16xf32>) -> tensor<1x8x5x16xf32>
    %328 = "stablehlo.reshape"(%327) : (tensor<1x8x5x16xf32>) -> tensor<8x80xf32>
    %329 = "stablehlo.slice"(%328) {limit_indices = array<i64: 8, 72>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x80xf32>) -> tensor<8x72xf32>
    %330 = "util.global.load"() {global = @model.layers.1.mlp.up_proj.bias} : () -> tensor<72xf32>
    %331 = "stablehlo.broadcast_in_dim"(%330) {broadcast_dimensions = array<i64: 1>} : (tensor<72xf32>) -> tensor<8x72xf32>
    %332 = "stablehlo.add"(%329, %331) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %333 = "stablehlo.logistic"(%320) : (tensor<8x72xf32>) -> tensor<8x72xf32>
    %334 = "stablehlo.multiply"(%320, %333) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %335 = "stablehlo.multiply"(%334, %332) : (tensor<8x72xf32>, tensor<8x72xf32>) -> tensor<8x72xf32>
    %336 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.weight} : () -> tensor<3x36x16x2xbf16>
    %337 = "stablehlo.convert"(%335) : (tensor<8x72xf32>) -> tensor<8x72xbf16>
    %338 = "stablehlo.reshape"(%337) : (tensor<8x72xbf16>) -> tensor<1x8x36x2xbf16>
    %339 = "stablehlo.transpose"(%338) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x36x2xbf16>) -> tensor<1x36x8x2xbf16>
    %340 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x3x8x16xf32>} : () -> tensor<1x3x8x16xf32>
    %341 = linalg.mmt4d ins(%339, %336 : tensor<1x36x8x2xbf16>, tensor<3x36x16x2xbf16>) outs(%340 : tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32>
    %342 = "stablehlo.transpose"(%341) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x3x8x16xf32>) -> tensor<1x8x3x16xf32>
    %343 = "stablehlo.reshape"(%342) : (tensor<1x8x3x16xf32>) -> tensor<8x48xf32>
    %344 = "stablehlo.slice"(%343) {limit_indices = array<i64: 8, 40>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x48xf32>) -> tensor<8x40xf32>
    %345 = "util.global.load"() {global = @model.layers.1.mlp.down_proj.bias} : () -> tensor<40xf32>
    %346 = "stablehlo.broadcast_in_dim"(%345) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<8x40xf32>
    %347 = "stablehlo.add"(%344, %346) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %348 = "stablehlo.add"(%297, %347) : (tensor<8x40xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
    %349 = "stablehlo.gather"(%348, %arg4) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 40>} : (tensor<8x40xf32>, tensor<1xi32>) -> tensor<1x40xf32>
    %350 = "util.global.load"() {global = @model.norm.weight} : () -> tensor<40xf32>
    %351 = "stablehlo.multiply"(%349, %349) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %352 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %353 = "stablehlo.reduce"(%351, %352) ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %371 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<1x40xf32>, tensor<f32>) -> tensor<1xf32>
    %354 = "stablehlo.constant"() {value = dense<4.000000e+01> : tensor<1xf32>} : () -> tensor<1xf32>
    %355 = "stablehlo.divide"(%353, %354) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %356 = "stablehlo.constant"() {value = dense<3.000000e-03> : tensor<1xf32>} : () -> tensor<1xf32>
    %357 = "stablehlo.add"(%355, %356) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %358 = "stablehlo.rsqrt"(%357) : (tensor<1xf32>) -> tensor<1xf32>
    %359 = "stablehlo.broadcast_in_dim"(%358) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<1x40xf32>
    %360 = "stablehlo.multiply"(%349, %359) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %361 = "stablehlo.broadcast_in_dim"(%350) {broadcast_dimensions = array<i64: 1>} : (tensor<40xf32>) -> tensor<1x40xf32>
    %362 = "stablehlo.multiply"(%360, %361) : (tensor<1x40xf32>, tensor<1x40xf32>) -> tensor<1x40xf32>
    %363 = "util.global.load"() {global = @lm_head.weight} : () -> tensor<8x20x16x2xbf16>
    %364 = "stablehlo.convert"(%362) : (tensor<1x40xf32>) -> tensor<1x40xbf16>
    %365 = "stablehlo.reshape"(%364) : (tensor<1x40xbf16>) -> tensor<1x1x20x2xbf16>
    %366 = "stablehlo.transpose"(%365) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x1x20x2xbf16>) -> tensor<1x20x1x2xbf16>
    %367 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x8x1x16xf32>} : () -> tensor<1x8x1x16xf32>
    %368 = linalg.mmt4d ins(%366, %363 : tensor<1x20x1x2xbf16>, tensor<8x20x16x2xbf16>) outs(%367 : tensor<1x8x1x16xf32>) -> tensor<1x8x1x16xf32>
    %369 = "stablehlo.transpose"(%368) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x8x1x16xf32>) -> tensor<1x1x8x16xf32>
    %370 = "stablehlo.reshape"(%369) : (tensor<1x1x8x16xf32>) -> tensor<1x128xf32>
    return %370, %84, %86, %254, %256 : tensor<1x128xf32>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>, tensor<?x8x2x12xbf16>
  }
}
