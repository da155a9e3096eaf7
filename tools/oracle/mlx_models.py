"""Write tiny checkpoints that mlx-lm quantized, and the logits of their dequantized weights.

    python tools/oracle/mlx_models.py [--out tests/oracle] [CASE ...]

`tools/oracle/regenerate-mlx` runs this in its own pinned environment. The reference is
mlx-lm's own model in float32, with every quantized layer replaced by a plain one whose weights
`mx.dequantize` gave from scales in float32: what the checkpoint means, without the rounding of
computing in bf16. tests/oracle/README.md describes the files.
"""

import argparse
import json
import shutil
import tempfile
import zlib
from pathlib import Path

import mlx.core as mx
import mlx.nn as nn
import numpy
from mlx.utils import tree_flatten, tree_map
from mlx_lm import convert, load
from mlx_lm.utils import _get_classes

import tokenizer
from cases import EPSILON, PROMPT, VOCABULARY

NEW_TOKENS = 12
# The least top-2 gap of a greedy step, as in models.py.
DECIDED = 0.02

# Columns in groups of 64 and, for the heads' output, in groups of 128 as well.
LLAMA = dict(
    architectures=["LlamaForCausalLM"], model_type="llama", vocab_size=VOCABULARY, hidden_size=64,
    intermediate_size=192, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=32,
    max_position_embeddings=256, rms_norm_eps=EPSILON, rope_theta=10000.0, hidden_act="silu",
    attention_bias=False, mlp_bias=False, bos_token_id=1, eos_token_id=2, pad_token_id=0,
)
# Layers whose settings differ from the general ones, by the end of their name.
OVERRIDES = {
    "layers.0.mlp.down_proj": dict(group_size=32, bits=8),
    "layers.1.self_attn.o_proj": dict(group_size=128, bits=4),
    "layers.1.mlp.up_proj": False,
}
MODES = {
    "self_attn.q_proj": dict(group_size=32, bits=4, mode="mxfp4"),
    "self_attn.k_proj": dict(group_size=16, bits=4, mode="nvfp4"),
    "self_attn.v_proj": dict(group_size=32, bits=8, mode="mxfp8"),
    "layers.0.self_attn.o_proj": dict(group_size=64, bits=3),
    "layers.1.self_attn.o_proj": dict(group_size=128, bits=5),
    "mlp.gate_proj": dict(group_size=64, bits=6),
    "mlp.down_proj": dict(group_size=32, bits=2),
}

# Name: the general settings, overrides, whether the head is tied, the stored type, the prompt's salt.
CASES = {
    "llama_mlx_4bit": (dict(q_bits=4, q_group_size=64), OVERRIDES, True, "bfloat16", 0),
    "llama_mlx_8bit": (dict(q_bits=8, q_group_size=32), {}, False, "float16", 0),
    "llama_mlx_modes": (dict(q_bits=4, q_group_size=32), MODES, False, "bfloat16", 0),
}

# Other architectures, all of 4 bits in groups of 32: what differs is which rows and norms they have.
NARROW = dict(
    vocab_size=VOCABULARY, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=256, rms_norm_eps=EPSILON, rope_theta=500.0, hidden_act="silu",
    tie_word_embeddings=False, bos_token_id=1, eos_token_id=2, pad_token_id=0,
)
OTHERS = {
    # Rows of queries and keys are read in another order than they stand.
    "glm4_mlx_4bit": (dict(NARROW, architectures=["Glm4ForCausalLM"], model_type="glm4", head_dim=24,
                           attention_bias=True, partial_rotary_factor=0.5), 1),
    "olmo2_mlx_4bit": (dict(NARROW, architectures=["Olmo2ForCausalLM"], model_type="olmo2", attention_bias=False), 0),
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("tests/oracle"))
    arguments.add_argument("cases", nargs="*", help="names of cases; all when absent")
    options = arguments.parse_args()
    out, wanted = options.out, lambda name: not options.cases or name in options.cases
    mx.set_default_device(mx.cpu)
    for name, (settings, overrides, tied, dtype, salt) in CASES.items():
        if wanted(name):
            write_case(name, out / name, lambda plain: write_plain(name, plain, tied), settings, overrides, dtype, salt)
    for name, (config, salt) in OTHERS.items():
        if wanted(name):
            write_case(name, out / name, lambda plain: write_drawn(name, plain, config),
                       dict(q_bits=4, q_group_size=32), {}, "bfloat16", salt)
    types = {name: "llama" for name in CASES} | {name: config["model_type"] for name, (config, _) in OTHERS.items()}
    index = [dict(case=name, model_type=model_type, dtype="quantized", config="config.json",
                  reference="reference.safetensors") for name, model_type in types.items()]
    write_json(out / "index.mlx.json", index)


def write_case(name, directory, write, settings, overrides, dtype, salt):
    """One directory: what mlx-lm wrote, without the tokenizer, and the reference."""
    shutil.rmtree(directory, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain, quantized = Path(scratch) / "plain", Path(scratch) / "quantized"
        plain.mkdir()
        write(plain)
        convert(str(plain), str(quantized), quantize=True, dtype=dtype, quant_predicate=predicate(overrides),
                **settings)
        directory.mkdir(parents=True)
        for file in ["config.json", "model.safetensors"]:
            shutil.copy(quantized / file, directory / file)
        result = reference(quantized, salt, name)
        mx.save_safetensors(str(directory / "reference.safetensors"), result, metadata={"format": "mlx"})
    size = sum(file.stat().st_size for file in directory.iterdir())
    print(f"{name:18} {size / 1024:6.0f} KiB  top-2 gap {result['top2_gap'].min().item():.3f} at least", flush=True)


def predicate(overrides):
    def settings(path, module):
        found = [value for end, value in overrides.items() if path.endswith(end)]
        return dict(found[0]) if found and found[0] else not found
    return settings


def write_plain(name, directory, tied):
    """Seeded weights of about unit gain, as models.py has them."""
    random = numpy.random.Generator(numpy.random.PCG64(zlib.crc32(name.encode())))
    heads, keys, width = (LLAMA[key] for key in ["num_attention_heads", "num_key_value_heads", "head_dim"])
    hidden, inner = LLAMA["hidden_size"], LLAMA["intermediate_size"]
    state = {"model.norm.weight": 1 + 0.3 * random.standard_normal(hidden)}
    scale = 0.45 if tied else 1.0
    state["model.embed_tokens.weight"] = scale * random.standard_normal((VOCABULARY, hidden))
    if not tied:
        state["lm_head.weight"] = 2.5 * random.standard_normal((VOCABULARY, hidden)) / hidden**0.5
    for layer in range(LLAMA["num_hidden_layers"]):
        for norm in ["input_layernorm", "post_attention_layernorm"]:
            state[f"model.layers.{layer}.{norm}.weight"] = 1 + 0.3 * random.standard_normal(hidden)
        for place, gain, rows, columns in [
            ("self_attn.q_proj", 1.6, heads * width, hidden), ("self_attn.k_proj", 1.6, keys * width, hidden),
            ("self_attn.v_proj", 1.4, keys * width, hidden), ("self_attn.o_proj", 1.4, hidden, heads * width),
            ("mlp.gate_proj", 1.4, inner, hidden), ("mlp.up_proj", 1.4, inner, hidden),
            ("mlp.down_proj", 1.4, hidden, inner),
        ]:
            weight = gain * random.standard_normal((rows, columns)) / columns**0.5
            state[f"model.layers.{layer}.{place}.weight"] = weight
    arrays = {key: mx.array(value.astype(numpy.float32)) for key, value in sorted(state.items())}
    mx.save_safetensors(str(directory / "model.safetensors"), arrays, metadata={"format": "pt"})
    write_json(directory / "config.json", dict(LLAMA, tie_word_embeddings=tied))
    tokenizer.write(directory, VOCABULARY)


def write_drawn(name, directory, config):
    """Seeded weights for every parameter of mlx-lm's own model."""
    random = numpy.random.Generator(numpy.random.PCG64(zlib.crc32(name.encode())))
    model_class, args_class = _get_classes(config)
    model = model_class(args_class.from_dict(config))
    arrays = {}
    for key, array in sorted(tree_flatten(model.parameters())):
        noise = random.standard_normal(array.shape)
        if key.endswith("bias"):
            value = 0.4 * noise
        elif noise.ndim == 1:
            value = 1 + 0.3 * noise
        elif key.endswith("embed_tokens.weight"):
            value = noise
        else:
            gain = 2.5 if "lm_head" in key else 1.6 if "q_proj" in key or "k_proj" in key else 1.4
            value = gain * noise / array.shape[-1] ** 0.5
        arrays[key] = mx.array(value.astype(numpy.float32))
    mx.save_safetensors(str(directory / "model.safetensors"), arrays, metadata={"format": "pt"})
    write_json(directory / "config.json", config)
    tokenizer.write(directory, VOCABULARY)


def reference(directory, salt, name):
    """The logits of what the quantized files mean, in float32."""
    model, _ = load(str(directory))
    leaves = model.leaf_modules()
    model.update_modules(tree_map(plain_layer, leaves, is_leaf=nn.Module.is_module))
    model.update(tree_map(lambda array: array.astype(mx.float32), model.parameters()))
    random = numpy.random.Generator(numpy.random.PCG64(zlib.crc32(f"prompt {salt} {name}".encode())))
    ids = random.integers(5, VOCABULARY, size=PROMPT)
    ids[0] = 1
    logits = model(mx.array(ids)[None])
    tokens, least = ids.tolist(), float("inf")
    for _ in range(NEW_TOKENS):
        last = model(mx.array(tokens)[None])[0, -1]
        top = mx.argsort(last)[-2:]
        least = min(least, (last[top[1]] - last[top[0]]).item())
        tokens.append(top[1].item())
    assert least > DECIDED, f"{name}: greedy hangs on {least}; choose another salt"
    ordered = mx.sort(logits, axis=-1)
    as_ids = lambda values: mx.array(numpy.array(values, numpy.int64)[None])
    return dict(input_ids=as_ids(ids), logits=logits, top2_gap=ordered[..., -1] - ordered[..., -2],
                greedy=as_ids(tokens))


def plain_layer(layer):
    """A plain layer with the values of a quantized one, computed in float32."""
    if not isinstance(layer, (nn.QuantizedLinear, nn.QuantizedEmbedding)):
        return layer
    affine = layer.mode == "affine"
    scales = layer.scales.astype(mx.float32) if affine else layer.scales
    biases = layer.biases.astype(mx.float32) if affine else None
    weight = mx.dequantize(layer.weight, scales, biases, layer.group_size, layer.bits, layer.mode)
    rows, columns = weight.shape
    if isinstance(layer, nn.QuantizedEmbedding):
        plain = nn.Embedding(rows, columns)
    else:
        plain = nn.Linear(columns, rows, bias="bias" in layer)
        if "bias" in layer:
            plain.bias = layer.bias.astype(mx.float32)
    plain.weight = weight.astype(mx.float32)
    return plain


def write_json(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    main()
