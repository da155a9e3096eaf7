"""One matrix in each published form: what its files hold, and the values that they mean.

Every function takes a float32 matrix and gives `(tensors, values)`: stored tensors by the end of
their name, and the float32 values of the format's own decoding, with scales in float32 so that
nothing is lost to computing in a narrow type. Where a format's tools run on a CPU, they pack and
decode; where not (FP8 blocks, AWQ, GPTQ, ModelOpt), packing is written here from the published
layout and decoding is the published formula in torch.
"""

import torch
from compressed_tensors.compressors import BaseCompressor, unpack_fp4_from_uint8
from compressed_tensors.quantization import QuantizationScheme
from compressed_tensors.quantization.lifecycle.forward import dequantize
from compressed_tensors.quantization.utils import calculate_qparams, generate_gparam
from transformers.integrations.finegrained_fp8 import Fp8Dequantize

E2M1 = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
FP8 = torch.float8_e4m3fn


def fp8_blocks(weight, block=128):
    """transformers' `fp8`: a float32 factor for each block of rows and columns."""
    rows, columns = weight.shape
    down, across = -(-rows // block), -(-columns // block)
    scales = torch.zeros(down, across)
    codes = torch.empty(rows, columns, dtype=FP8)
    for row in range(down):
        for column in range(across):
            part = weight[row * block:(row + 1) * block, column * block:(column + 1) * block]
            scales[row, column] = part.abs().max() / 448
            codes[row * block:(row + 1) * block, column * block:(column + 1) * block] = (
                part / scales[row, column]).to(FP8)
    # It takes a block's size from the shapes, which must agree.
    assert all(size // count in (block, size) for size, count in [(rows, down), (columns, across)])
    values = Fp8Dequantize(None)._dequantize_one(codes, scales)
    return {"weight": codes, "weight_scale_inv": scales}, values


def compressed(weight, scheme: QuantizationScheme):
    """compressed-tensors: its own parameters, compressor and decompressor."""
    arguments = scheme.weights
    rows, columns = weight.shape
    global_scale = None
    group = arguments.group_size or columns
    if arguments.strategy == "tensor":
        parts = weight.reshape(1, -1)
    elif arguments.strategy == "block":
        down, across = arguments.block_structure
        parts = weight.reshape(rows // down, down, columns // across, across).transpose(1, 2).flatten(2)
    else:
        parts = weight.reshape(rows, columns // group, group)
    if arguments.strategy == "tensor_group":
        global_scale = generate_gparam(weight.min(), weight.max())
    scale, zero = calculate_qparams(parts.amin(-1), parts.amax(-1), arguments, global_scale=global_scale)
    state = {"weight": weight, "weight_scale": scale, "weight_zero_point": zero}
    if global_scale is not None:
        state["weight_global_scale"] = global_scale
    compressor = BaseCompressor.get_value_from_registry(scheme.format)
    tensors = compressor.compress(state, scheme)
    wide = dict(tensors)
    if wide["weight_scale"].dtype in (torch.bfloat16, torch.float16):
        wide["weight_scale"] = wide["weight_scale"].float()
    if global_scale is None:
        values = compressor.decompress(wide, scheme)["weight"]
    else:
        # What decompress does, in float32 where it computes in bfloat16.
        codes = unpack_fp4_from_uint8(wide["weight_packed"], rows, columns, dtype=torch.float32)
        values = dequantize(codes, wide["weight_scale"].float(), args=arguments, dtype=torch.float32,
                            global_scale=global_scale)
    return {name: tensor.contiguous() for name, tensor in tensors.items()}, values.float()


def groups_of(weight, bits, group, symmetric):
    """Codes `[rows, columns]`, and scales (f16) and zeros `[rows, groups]`, by minimum and maximum."""
    rows, columns = weight.shape
    parts = weight.reshape(rows, columns // group, group)
    last = 2**bits - 1
    if symmetric:
        scales = (parts.abs().amax(-1) * 2 / last).half()
        zeros = torch.full(scales.shape, 2 ** (bits - 1), dtype=torch.int32)
    else:
        least = parts.amin(-1).clamp(max=0)
        scales = ((parts.amax(-1).clamp(min=0) - least) / last).half()
        zeros = (-least / scales.float()).round().clamp(0, last).int()
    codes = (parts / scales.float()[..., None]).round().int() + zeros[..., None]
    return codes.clamp(0, last).reshape(rows, columns), scales, zeros


def words(codes, bits):
    """The last axis as one string of bits in words of 32, the lowest first."""
    count = codes.shape[-1] * bits // 32
    string = (codes[..., None].long() >> torch.arange(bits)) & 1
    string = string.reshape(*codes.shape[:-1], count, 32)
    packed = (string << torch.arange(32)).sum(-1)
    return torch.where(packed >= 2**31, packed - 2**32, packed).int()


AWQ_ORDER = [0, 2, 4, 6, 1, 3, 5, 7]


def awq(weight, group):
    """AutoAWQ's gemm: everything transposed, eight rows in a word in AWQ's order."""
    codes, scales, zeros = groups_of(weight, 4, group, False)

    def interleaved(matrix):
        rows = matrix.T.reshape(matrix.shape[1], -1, 8)[..., AWQ_ORDER]
        return words(rows.reshape(matrix.shape[1], -1), 4)

    values = (codes - zeros.repeat_interleave(group, 1)).float() * scales.float().repeat_interleave(group, 1)
    tensors = {"qweight": interleaved(codes), "qzeros": interleaved(zeros), "scales": scales.T.contiguous()}
    return tensors, values


def gptq(weight, bits, group, symmetric, version, order=None):
    """AutoGPTQ's packing. `order` assigns columns to groups as `desc_act` does."""
    rows, columns = weight.shape
    order = torch.arange(columns) if order is None else order
    codes, scales, zeros = groups_of(weight[:, order], bits, group, symmetric)
    index = torch.empty(columns, dtype=torch.int32)
    index[order] = torch.arange(columns, dtype=torch.int32) // group
    back = torch.empty_like(codes)
    back[:, order] = codes
    stored = zeros - 1 if version == "gptq" else zeros
    values = (back - zeros[:, index.long()]).float() * scales.float()[:, index.long()]
    tensors = {
        "qweight": words(back, bits).T.contiguous(),
        "qzeros": words((stored % 2**bits).T.contiguous(), bits),
        "scales": scales.T.contiguous(),
        "g_idx": index,
    }
    return tensors, values


def e2m1_codes(values):
    """The nearest 4-bit floats, as codes."""
    distance = (values.abs()[..., None] - E2M1).abs()
    return distance.argmin(-1) | (values < 0).long() << 3


def modelopt_nvfp4(weight):
    """ModelOpt: E4M3 scales of 16 columns under one float32."""
    rows, columns = weight.shape
    parts = weight.reshape(rows, columns // 16, 16)
    factor = weight.abs().max() / (6 * 448)
    scales = (parts.abs().amax(-1) / 6 / factor).to(FP8)
    codes = e2m1_codes(parts / (scales.float() * factor)[..., None]).reshape(rows, columns)
    packed = (codes[:, 0::2] | codes[:, 1::2] << 4).to(torch.uint8)
    numbers = torch.where(codes >= 8, -E2M1[codes % 8], E2M1[codes % 8])
    values = numbers * (scales.float() * factor).repeat_interleave(16, 1)
    tensors = {"weight": packed, "weight_scale": scales, "weight_scale_2": factor.float()}
    return tensors, values


def modelopt_fp8(weight):
    """ModelOpt: one float32 for the matrix."""
    scale = weight.abs().max() / 448
    codes = (weight / scale).to(FP8)
    return {"weight": codes, "weight_scale": scale}, codes.float() * scale
