"""Write tiny GGUF models in block formats, and the logits of their decoded weights.

    python tools/oracle/gguf_models.py [--out tests/oracle]

The `gguf` package quantizes where it can (Q5_0, Q5_1, Q8_0); elsewhere blocks are seeded random
bytes under scales that give the matrix unit gain, and the package's decoding is the reference.
transformers computes the logits in float32. `tools/oracle/regenerate-published` runs this.
"""

import argparse
import shutil
import zlib
from pathlib import Path

import gguf
import numpy
import torch
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type
from safetensors.torch import save_file

from cases import EPSILON, TOKENS, Case
from gguf_blocks import HALVES
from models import make_config, seeded_state
from published import reference

LLAMA = dict(
    TOKENS, hidden_size=256, intermediate_size=256, num_hidden_layers=1, num_attention_heads=4,
    num_key_value_heads=1, head_dim=64, max_position_embeddings=256, rms_norm_eps=EPSILON,
    tie_word_embeddings=True, rope_parameters=dict(rope_type="default", rope_theta=1e4),
)
NAMES = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}
CASES = {
    "llama_gguf_k": dict(token_embd="Q6_K", attn_q="Q3_K", attn_k="Q2_K", attn_v="Q6_K", attn_output="Q4_K",
                         ffn_gate="Q4_K", ffn_up="Q5_K", ffn_down="Q3_K"),
    "llama_gguf_small": dict(token_embd="Q8_0", attn_q="IQ4_XS", attn_k="IQ4_NL", attn_v="Q5_0", attn_output="Q5_1",
                             ffn_gate="MXFP4", ffn_up="IQ4_NL", ffn_down="IQ4_XS"),
}
# The minimum's size beside the scale's, so that values are about zero: half the largest code.
MINIMA = {"Q2_K": 1.5, "Q4_K": 7.5, "Q5_K": 15.5}
SALTS = {"llama_gguf_k": 0, "llama_gguf_small": 0}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("tests/oracle"))
    out = arguments.parse_args().out
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    for name, formats in CASES.items():
        write_case(name, formats, out / name)


def write_case(name: str, formats: dict, directory: Path):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    case = Case(name, "llama", LLAMA, salt=SALTS[name])
    config = make_config("llama", LLAMA)
    random = numpy.random.Generator(numpy.random.PCG64(zlib.crc32(name.encode())))
    writer = gguf.GGUFWriter(directory / "model.gguf", "llama")
    write_metadata(writer)
    meant = {}
    for tensor, values in seeded_state(case, config).items():
        values = values.numpy()
        place = name_of(tensor)
        heads = {"attn_q": LLAMA["num_attention_heads"], "attn_k": LLAMA["num_key_value_heads"]}.get(place.split(".")[-1])
        if heads:
            # llama.cpp interleaves the halves of each head.
            values = values.reshape(heads, 2, -1, values.shape[1]).swapaxes(1, 2).reshape(values.shape)
        if values.ndim == 1:
            writer.add_tensor(place + ".weight", values)
            decoded = values
        else:
            stored, kind = packed(random, values, formats[place.split(".")[-1]])
            decoded = gguf.dequantize(stored, kind).astype(numpy.float32)
            writer.add_tensor(place + ".weight", stored, raw_dtype=kind)
        if heads:
            decoded = decoded.reshape(heads, -1, 2, decoded.shape[1]).swapaxes(1, 2).reshape(decoded.shape)
        meant[tensor] = torch.from_numpy(numpy.ascontiguousarray(decoded))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with torch.no_grad():
        result = reference(case, config, meant)
    save_file(result, directory / "reference.safetensors")
    size = sum(file.stat().st_size for file in directory.iterdir())
    print(f"{name:18} {size / 1024:6.0f} KiB  top-2 gap {result['top2_gap'].min():.3f} at least", flush=True)


def write_metadata(writer):
    writer.add_block_count(LLAMA["num_hidden_layers"])
    writer.add_embedding_length(LLAMA["hidden_size"])
    writer.add_feed_forward_length(LLAMA["intermediate_size"])
    writer.add_head_count(LLAMA["num_attention_heads"])
    writer.add_head_count_kv(LLAMA["num_key_value_heads"])
    writer.add_key_length(LLAMA["head_dim"])
    writer.add_value_length(LLAMA["head_dim"])
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_freq_base(1e4)
    writer.add_context_length(LLAMA["max_position_embeddings"])


def name_of(tensor: str) -> str:
    stem = tensor.removesuffix(".weight")
    if stem in NAMES:
        return NAMES[stem]
    _, _, layer, rest = stem.split(".", 3)
    return f"blk.{layer}.{NAMES[rest]}"


def packed(random, values, name: str):
    """A matrix's blocks, `[rows, bytes]`."""
    kind = Type[name]
    if name in ("Q5_0", "Q5_1", "Q8_0"):
        return gguf.quantize(values, kind), kind
    elements, size = GGML_QUANT_SIZES[kind]
    rows, columns = values.shape
    blocks = random.integers(0, 256, size=(rows * columns // elements, size), dtype=numpy.uint8)
    sizes = random.uniform(0.5, 1.5, size=len(blocks))
    if name == "MXFP4":
        blocks[:, 0] = random.integers(122, 126, size=len(blocks))
    else:
        set_scales(blocks, name, sizes)
        gain = gguf.dequantize(blocks.reshape(rows, -1), kind).std()
        set_scales(blocks, name, sizes * (values.std() / gain))
    return blocks.reshape(rows, -1), kind


def set_scales(blocks, name: str, sizes):
    for at, factor in zip(HALVES[name], [1.0, MINIMA.get(name, 0.0)]):
        blocks[:, at : at + 2] = (sizes * factor).astype(numpy.float16).view(numpy.uint8).reshape(-1, 2)


if __name__ == "__main__":
    main()
