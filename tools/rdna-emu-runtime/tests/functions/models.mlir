// The pieces of language models, one function each. models.rs says what their inputs are and how exact they must be.

func.func @softmax(%x: tensor<32x1024xf16>) -> tensor<32x1024xf16> {
  %wide = stablehlo.convert %x : (tensor<32x1024xf16>) -> tensor<32x1024xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%wide init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<32x1024xf32>, tensor<f32>) -> tensor<32xf32>
  %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<32xf32>) -> tensor<32x1024xf32>
  %shifted = stablehlo.subtract %wide, %maxes : tensor<32x1024xf32>
  %e = stablehlo.exponential %shifted : tensor<32x1024xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x1024xf32>, tensor<f32>) -> tensor<32xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<32xf32>) -> tensor<32x1024xf32>
  %parts = stablehlo.divide %e, %sums : tensor<32x1024xf32>
  %0 = stablehlo.convert %parts : (tensor<32x1024xf32>) -> tensor<32x1024xf16>
  return %0 : tensor<32x1024xf16>
}

func.func @root_mean_square_norm(%x: tensor<4x2048xf16>, %weight: tensor<2048xf16>) -> tensor<4x2048xf16> {
  %wide = stablehlo.convert %x : (tensor<4x2048xf16>) -> tensor<4x2048xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %squares = stablehlo.multiply %wide, %wide : tensor<4x2048xf32>
  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x2048xf32>, tensor<f32>) -> tensor<4xf32>
  %part = stablehlo.constant dense<4.8828125e-4> : tensor<4xf32>
  %epsilon = stablehlo.constant dense<1.0e-5> : tensor<4xf32>
  %mean = stablehlo.multiply %sum, %part : tensor<4xf32>
  %positive = stablehlo.add %mean, %epsilon : tensor<4xf32>
  %scale = stablehlo.rsqrt %positive : tensor<4xf32>
  %scales = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<4xf32>) -> tensor<4x2048xf32>
  %normal = stablehlo.multiply %wide, %scales : tensor<4x2048xf32>
  %wide_weight = stablehlo.convert %weight : (tensor<2048xf16>) -> tensor<2048xf32>
  %weights = stablehlo.broadcast_in_dim %wide_weight, dims = [1] : (tensor<2048xf32>) -> tensor<4x2048xf32>
  %weighted = stablehlo.multiply %normal, %weights : tensor<4x2048xf32>
  %0 = stablehlo.convert %weighted : (tensor<4x2048xf32>) -> tensor<4x2048xf16>
  return %0 : tensor<4x2048xf16>
}

func.func @layer_norm(%x: tensor<4x512xf32>, %weight: tensor<512xf32>, %bias: tensor<512xf32>) -> tensor<4x512xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %part = stablehlo.constant dense<0.001953125> : tensor<4xf32>
  %epsilon = stablehlo.constant dense<1.0e-5> : tensor<4xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x512xf32>, tensor<f32>) -> tensor<4xf32>
  %mean = stablehlo.multiply %sum, %part : tensor<4xf32>
  %means = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4xf32>) -> tensor<4x512xf32>
  %centred = stablehlo.subtract %x, %means : tensor<4x512xf32>
  %squares = stablehlo.multiply %centred, %centred : tensor<4x512xf32>
  %spread = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x512xf32>, tensor<f32>) -> tensor<4xf32>
  %variance = stablehlo.multiply %spread, %part : tensor<4xf32>
  %positive = stablehlo.add %variance, %epsilon : tensor<4xf32>
  %scale = stablehlo.rsqrt %positive : tensor<4xf32>
  %scales = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<4xf32>) -> tensor<4x512xf32>
  %weights = stablehlo.broadcast_in_dim %weight, dims = [1] : (tensor<512xf32>) -> tensor<4x512xf32>
  %biases = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<512xf32>) -> tensor<4x512xf32>
  %normal = stablehlo.multiply %centred, %scales : tensor<4x512xf32>
  %weighted = stablehlo.multiply %normal, %weights : tensor<4x512xf32>
  %0 = stablehlo.add %weighted, %biases : tensor<4x512xf32>
  return %0 : tensor<4x512xf32>
}

func.func @gather_rows(%table: tensor<3200x256xf16>, %rows: tensor<16xi32>) -> tensor<16x256xf16> {
  %0 = "stablehlo.gather"(%table, %rows) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>, indices_are_sorted = false} : (tensor<3200x256xf16>, tensor<16xi32>) -> tensor<16x256xf16>
  return %0 : tensor<16x256xf16>
}

func.func @gather_eight_bit_rows(%table: tensor<3200x256xi8>, %scales: tensor<3200xf32>, %rows: tensor<16xi32>) -> tensor<16x256xf32> {
  %whole = "stablehlo.gather"(%table, %rows) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>, indices_are_sorted = false} : (tensor<3200x256xi8>, tensor<16xi32>) -> tensor<16x256xi8>
  %scale = "stablehlo.gather"(%scales, %rows) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false} : (tensor<3200xf32>, tensor<16xi32>) -> tensor<16xf32>
  %wide = stablehlo.convert %whole : (tensor<16x256xi8>) -> tensor<16x256xf32>
  %each = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<16xf32>) -> tensor<16x256xf32>
  %0 = stablehlo.multiply %wide, %each : tensor<16x256xf32>
  return %0 : tensor<16x256xf32>
}

func.func @scatter_rows(%cache: tensor<64x16x128xf16>, %places: tensor<4x2xi32>, %rows: tensor<4x128xf16>) -> tensor<64x16x128xf16> {
  %0 = "stablehlo.scatter"(%cache, %places, %rows) ({
    ^bb0(%old: tensor<f16>, %new: tensor<f16>):
      stablehlo.return %new : tensor<f16>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = true} : (tensor<64x16x128xf16>, tensor<4x2xi32>, tensor<4x128xf16>) -> tensor<64x16x128xf16>
  return %0 : tensor<64x16x128xf16>
}

func.func @scatter_sums(%x: tensor<32x64xf32>, %places: tensor<8x1xi32>, %rows: tensor<8x64xf32>) -> tensor<32x64xf32> {
  %0 = "stablehlo.scatter"(%x, %places, %rows) ({
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      %sum = stablehlo.add %old, %new : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<32x64xf32>, tensor<8x1xi32>, tensor<8x64xf32>) -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}

func.func @largest_index(%x: tensor<1x8000xf32>) -> tensor<1xi32> {
  %index = stablehlo.iota dim = 1 : tensor<1x8000xi32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %lowest), (%index init: %zero) across dimensions = [1] : (tensor<1x8000xf32>, tensor<1x8000xi32>, tensor<f32>, tensor<i32>) -> (tensor<1xf32>, tensor<1xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
     %first = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
     %value = stablehlo.select %first, %a, %b : tensor<i1>, tensor<f32>
     %place = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
     stablehlo.return %value, %place : tensor<f32>, tensor<i32>
   }
  return %0#1 : tensor<1xi32>
}

func.func @silu_times(%x: tensor<1x5632xf16>, %y: tensor<1x5632xf16>) -> tensor<1x5632xf16> {
  %wide = stablehlo.convert %x : (tensor<1x5632xf16>) -> tensor<1x5632xf32>
  %gate = stablehlo.logistic %wide : tensor<1x5632xf32>
  %silu = stablehlo.multiply %wide, %gate : tensor<1x5632xf32>
  %narrow = stablehlo.convert %silu : (tensor<1x5632xf32>) -> tensor<1x5632xf16>
  %0 = stablehlo.multiply %narrow, %y : tensor<1x5632xf16>
  return %0 : tensor<1x5632xf16>
}

func.func @gelu(%x: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %root = stablehlo.constant dense<0.707106769> : tensor<1x4096xf32>
  %half = stablehlo.constant dense<0.5> : tensor<1x4096xf32>
  %one = stablehlo.constant dense<1.0> : tensor<1x4096xf32>
  %scaled = stablehlo.multiply %x, %root : tensor<1x4096xf32>
  %erf = chlo.erf %scaled : tensor<1x4096xf32> -> tensor<1x4096xf32>
  %more = stablehlo.add %erf, %one : tensor<1x4096xf32>
  %part = stablehlo.multiply %more, %half : tensor<1x4096xf32>
  %0 = stablehlo.multiply %x, %part : tensor<1x4096xf32>
  return %0 : tensor<1x4096xf32>
}

// Two elements a byte, in blocks of 32 with a scale.
func.func @four_bit_product(%pairs: tensor<512x256xui8>, %scales: tensor<512x16xf16>, %x: tensor<1x512xf16>) -> tensor<1x512xf32> {
  %four = stablehlo.constant dense<4> : tensor<512x256xui8>
  %fifteen = stablehlo.constant dense<15> : tensor<512x256xui8>
  %high = stablehlo.shift_right_logical %pairs, %four : tensor<512x256xui8>
  %low = stablehlo.and %pairs, %fifteen : tensor<512x256xui8>
  %high_column = stablehlo.reshape %high : (tensor<512x256xui8>) -> tensor<512x256x1xui8>
  %low_column = stablehlo.reshape %low : (tensor<512x256xui8>) -> tensor<512x256x1xui8>
  %both = stablehlo.concatenate %low_column, %high_column, dim = 2 : (tensor<512x256x1xui8>, tensor<512x256x1xui8>) -> tensor<512x256x2xui8>
  %blocks = stablehlo.reshape %both : (tensor<512x256x2xui8>) -> tensor<512x16x32xui8>
  %floats = stablehlo.convert %blocks : (tensor<512x16x32xui8>) -> tensor<512x16x32xf16>
  %each = stablehlo.broadcast_in_dim %scales, dims = [0, 1] : (tensor<512x16xf16>) -> tensor<512x16x32xf16>
  %scaled = stablehlo.multiply %floats, %each : tensor<512x16x32xf16>
  %weights = stablehlo.reshape %scaled : (tensor<512x16x32xf16>) -> tensor<512x512xf16>
  %0 = stablehlo.dot_general %x, %weights, contracting_dims = [1] x [1] : (tensor<1x512xf16>, tensor<512x512xf16>) -> tensor<1x512xf32>
  return %0 : tensor<1x512xf32>
}

// Scales that are powers of two, as exponents of f32.
func.func @power_of_two_scales(%whole: tensor<64x8x32xi8>, %exponents: tensor<64x8xui8>) -> tensor<64x8x32xf32> {
  %floats = stablehlo.convert %whole : (tensor<64x8x32xi8>) -> tensor<64x8x32xf32>
  %bits = stablehlo.convert %exponents : (tensor<64x8xui8>) -> tensor<64x8xui32>
  %shift = stablehlo.constant dense<23> : tensor<64x8xui32>
  %placed = stablehlo.shift_left %bits, %shift : tensor<64x8xui32>
  %scale = stablehlo.bitcast_convert %placed : (tensor<64x8xui32>) -> tensor<64x8xf32>
  %each = stablehlo.broadcast_in_dim %scale, dims = [0, 1] : (tensor<64x8xf32>) -> tensor<64x8x32xf32>
  %0 = stablehlo.multiply %floats, %each : tensor<64x8x32xf32>
  return %0 : tensor<64x8x32xf32>
}

func.func @causal_convolution(%x: tensor<1x64x128xf16>, %window: tensor<4x1x128xf16>) -> tensor<1x64x128xf16> {
  %0 = stablehlo.convolution(%x, %window) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[3, 0]]} {batch_group_count = 1 : i64, feature_group_count = 128 : i64} : (tensor<1x64x128xf16>, tensor<4x1x128xf16>) -> tensor<1x64x128xf16>
  return %0 : tensor<1x64x128xf16>
}

func.func @convolution(%x: tensor<1x40x100xf32>, %window: tensor<3x40x96xf32>) -> tensor<1x100x96xf32> {
  %0 = stablehlo.convolution(%x, %window) dim_numbers = [b, f, 0]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x40x100xf32>, tensor<3x40x96xf32>) -> tensor<1x100x96xf32>
  return %0 : tensor<1x100x96xf32>
}

func.func @top_k(%x: tensor<4x128xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
  %values, %places = chlo.top_k(%x, k = 8) : tensor<4x128xf32> -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %values, %places : tensor<4x8xf32>, tensor<4x8xi32>
}

func.func @sort(%x: tensor<128xf32>) -> tensor<128xf32> {
  %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<128xf32>) -> tensor<128xf32>
  return %0 : tensor<128xf32>
}

// One token's query is rotated to its position and attends to the cache up to there.
func.func @rotated_attention(%query: tensor<1x8x64xf32>, %keys: tensor<128x8x64xf16>, %values: tensor<128x8x64xf16>, %position: tensor<i32>) -> tensor<8x64xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %place = stablehlo.convert %position : (tensor<i32>) -> tensor<f32>
  %pair = stablehlo.iota dim = 0 : tensor<32xf32>
  %logarithm = stablehlo.constant dense<-0.28782314> : tensor<32xf32>
  %exponent = stablehlo.multiply %pair, %logarithm : tensor<32xf32>
  %frequency = stablehlo.exponential %exponent : tensor<32xf32>
  %places = stablehlo.broadcast_in_dim %place, dims = [] : (tensor<f32>) -> tensor<32xf32>
  %angle = stablehlo.multiply %frequency, %places : tensor<32xf32>
  %cosine = stablehlo.cosine %angle : tensor<32xf32>
  %sine = stablehlo.sine %angle : tensor<32xf32>
  %cosines = stablehlo.broadcast_in_dim %cosine, dims = [2] : (tensor<32xf32>) -> tensor<1x8x32xf32>
  %sines = stablehlo.broadcast_in_dim %sine, dims = [2] : (tensor<32xf32>) -> tensor<1x8x32xf32>
  %a = stablehlo.slice %query [0:1, 0:8, 0:32] : (tensor<1x8x64xf32>) -> tensor<1x8x32xf32>
  %b = stablehlo.slice %query [0:1, 0:8, 32:64] : (tensor<1x8x64xf32>) -> tensor<1x8x32xf32>
  %a_cosine = stablehlo.multiply %a, %cosines : tensor<1x8x32xf32>
  %b_sine = stablehlo.multiply %b, %sines : tensor<1x8x32xf32>
  %a_sine = stablehlo.multiply %a, %sines : tensor<1x8x32xf32>
  %b_cosine = stablehlo.multiply %b, %cosines : tensor<1x8x32xf32>
  %first = stablehlo.subtract %a_cosine, %b_sine : tensor<1x8x32xf32>
  %second = stablehlo.add %a_sine, %b_cosine : tensor<1x8x32xf32>
  %rotated = stablehlo.concatenate %first, %second, dim = 2 : (tensor<1x8x32xf32>, tensor<1x8x32xf32>) -> tensor<1x8x64xf32>
  %wide_keys = stablehlo.convert %keys : (tensor<128x8x64xf16>) -> tensor<128x8x64xf32>
  %wide_values = stablehlo.convert %values : (tensor<128x8x64xf16>) -> tensor<128x8x64xf32>
  %all_scores = stablehlo.dot_general %rotated, %wide_keys, batching_dims = [1] x [1], contracting_dims = [2] x [2] : (tensor<1x8x64xf32>, tensor<128x8x64xf32>) -> tensor<8x1x128xf32>
  %index = stablehlo.iota dim = 2 : tensor<8x1x128xi32>
  %limit = stablehlo.broadcast_in_dim %position, dims = [] : (tensor<i32>) -> tensor<8x1x128xi32>
  %seen = stablehlo.compare LE, %index, %limit : (tensor<8x1x128xi32>, tensor<8x1x128xi32>) -> tensor<8x1x128xi1>
  %hidden = stablehlo.broadcast_in_dim %lowest, dims = [] : (tensor<f32>) -> tensor<8x1x128xf32>
  %scores = stablehlo.select %seen, %all_scores, %hidden : tensor<8x1x128xi1>, tensor<8x1x128xf32>
  %max = stablehlo.reduce(%scores init: %lowest) applies stablehlo.maximum across dimensions = [2] : (tensor<8x1x128xf32>, tensor<f32>) -> tensor<8x1xf32>
  %maxes = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x1x128xf32>
  %shifted = stablehlo.subtract %scores, %maxes : tensor<8x1x128xf32>
  %e = stablehlo.exponential %shifted : tensor<8x1x128xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<8x1x128xf32>, tensor<f32>) -> tensor<8x1xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x1x128xf32>
  %parts = stablehlo.divide %e, %sums : tensor<8x1x128xf32>
  %weighted = stablehlo.dot_general %parts, %wide_values, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<8x1x128xf32>, tensor<128x8x64xf32>) -> tensor<8x1x64xf32>
  %0 = stablehlo.reshape %weighted : (tensor<8x1x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// A row's products in linalg, with the scale of each block of 32 applied to a whole sum.
func.func @eight_bit_product(%weights: tensor<256x8x32xi8>, %scales: tensor<256x8xf32>, %x: tensor<8x32xi8>) -> tensor<256xf32> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x8xi32>
  %cleared = linalg.fill ins(%zero : i32) outs(%empty : tensor<256x8xi32>) -> tensor<256x8xi32>
  %sums = linalg.generic {
    indexing_maps = [affine_map<(r, b, i) -> (r, b, i)>, affine_map<(r, b, i) -> (b, i)>, affine_map<(r, b, i) -> (r, b)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%weights, %x : tensor<256x8x32xi8>, tensor<8x32xi8>) outs(%cleared : tensor<256x8xi32>) {
    ^bb0(%weight: i8, %factor: i8, %before: i32):
      %w = arith.extsi %weight : i8 to i32
      %f = arith.extsi %factor : i8 to i32
      %product = arith.muli %w, %f : i32
      %after = arith.addi %before, %product : i32
      linalg.yield %after : i32
  } -> tensor<256x8xi32>
  %row = tensor.empty() : tensor<256xf32>
  %start = linalg.fill ins(%none : f32) outs(%row : tensor<256xf32>) -> tensor<256xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(r, b) -> (r, b)>, affine_map<(r, b) -> (r, b)>, affine_map<(r, b) -> (r)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%sums, %scales : tensor<256x8xi32>, tensor<256x8xf32>) outs(%start : tensor<256xf32>) {
    ^bb0(%whole: i32, %scale: f32, %before: f32):
      %float = arith.sitofp %whole : i32 to f32
      %scaled = arith.mulf %float, %scale : f32
      %after = arith.addf %before, %scaled : f32
      linalg.yield %after : f32
  } -> tensor<256xf32>
  return %0 : tensor<256xf32>
}
