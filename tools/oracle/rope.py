"""RoPE frequencies of published models, from transformers' own functions.

The tiny checkpoints show that a form is applied; this table pins the numbers at real sizes.
"""

import math

import torch
from transformers import AutoConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

LLAMA_1B = dict(hidden_size=2048, num_attention_heads=32, head_dim=64, max_position_embeddings=131072)
LLAMA_8B = dict(hidden_size=4096, num_attention_heads=32, head_dim=128, max_position_embeddings=131072)


def llama3(factor):
    return dict(rope_type="llama3", rope_theta=5e5, factor=factor, low_freq_factor=1.0, high_freq_factor=4.0,
                original_max_position_embeddings=8192)


def yarn(**more):
    return dict(rope_type="yarn", rope_theta=150000.0, factor=32.0, beta_fast=32.0, beta_slow=1.0,
                original_max_position_embeddings=4096) | more


def long_lists(pairs):
    return dict(short_factor=[1.0 + 0.01 * pair for pair in range(pairs)],
                long_factor=[1.0 + 0.5 * pair for pair in range(pairs)])


# name, config fields, RoPE parameters, sequence lengths
TABLE = [
    ("llama3_2_1b", LLAMA_1B, llama3(32.0), [None]),
    ("llama3_1_8b", LLAMA_8B, llama3(8.0), [None]),
    ("linear", LLAMA_1B, dict(rope_type="linear", rope_theta=1e4, factor=4.0), [None]),
    ("dynamic", dict(LLAMA_1B, max_position_embeddings=2048), dict(rope_type="dynamic", rope_theta=1e4, factor=2.0),
     [100, 2048, 2049, 5000]),
    ("yarn_untruncated", LLAMA_1B, yarn(truncate=False), [None]),
    ("yarn_truncated", LLAMA_1B, yarn(), [None]),
    ("yarn_attention_factor", LLAMA_1B, yarn(attention_factor=1.0), [None]),
    ("yarn_mscale", LLAMA_1B, yarn(mscale=1.0, mscale_all_dim=1.0), [None]),
    ("yarn_mscale_ratio", LLAMA_1B, yarn(mscale=0.707, mscale_all_dim=1.0), [None]),
    *[(f"yarn_factor_{factor}", LLAMA_1B, yarn(factor=float(factor)), [None]) for factor in (4, 8, 16, 40)],
    ("longrope_128k", dict(hidden_size=3072, num_attention_heads=32, head_dim=96, max_position_embeddings=131072),
     dict(rope_type="longrope", rope_theta=1e4, original_max_position_embeddings=4096, **long_lists(48)),
     [10, 4096, 4097]),
    ("partial_longrope", dict(hidden_size=3072, num_attention_heads=24, head_dim=128, max_position_embeddings=131072),
     dict(rope_type="longrope", rope_theta=1e4, original_max_position_embeddings=4096, partial_rotary_factor=0.75,
          **long_lists(48)), [10, 4097]),
]


def table():
    """One entry for each row and sequence length."""
    return [entry(*row[:3], length) for row in TABLE for length in row[3]]


def entry(name, fields, parameters, length):
    config = AutoConfig.for_model("llama", **fields, rope_parameters=dict(parameters))
    frequencies, factor = ROPE_INIT_FUNCTIONS[parameters["rope_type"]](config, torch.device("cpu"), seq_len=length)
    assert all(math.isfinite(value) for value in frequencies.tolist())
    return dict(name=name, head_dim=fields["head_dim"], max_position_embeddings=fields["max_position_embeddings"],
                rope_parameters=parameters, sequence_length=length, attention_factor=float(factor),
                inverse_frequencies=[float(f"{value:.9e}") for value in frequencies.tolist()])
