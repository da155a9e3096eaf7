"""Cases of decoders with layer norms: crates/frontend/src/models/classic.

Widths are small multiples of odd numbers, so that the files stay small: the residual stream has 24 or 32
columns, heads have 8. Tables of positions have 64 rows, of which a prompt and its continuation read 52.
"""

from functools import partial

import numpy

from cases import EPSILON, TOKENS, WINDOW, Case, Variant

POSITIONS = 64

# Three heads: no power of two, which linear biases know as a case of its own.
NARROW = dict(TOKENS, hidden_size=24, num_hidden_layers=2, num_attention_heads=3, max_position_embeddings=256)
MODERN = dict(NARROW, intermediate_size=36)
GPT = dict(TOKENS, n_embd=24, n_inner=36, n_layer=2, n_head=3, n_positions=POSITIONS, layer_norm_epsilon=EPSILON)

EMBEDDINGS = ("embed_in.weight", "embed_tokens.weight", "wte.weight", "word_embeddings.weight")
PLACES = ("wpe.weight", "embed_positions.weight")
FUSED = ("query_key_value.weight", "c_attn.weight", "qkv_proj.weight", "Wqkv.weight")
HEAD_NORMS = ("q_layernorm", "k_layernorm", "q_norm", "k_norm")


def shape(name, noise, tied=False, decided=1.6, less_one=False, transposed=False):
    """The distribution of tensors that the common rules do not know; None where they do."""
    if noise.ndim == 1 and name.endswith(".bias"):
        return None
    if any(norm in name for norm in HEAD_NORMS):
        return decided + 0.3 * noise
    if noise.ndim == 1:
        return (0.0 if less_one else 1.0) + 0.3 * noise
    if name.endswith(EMBEDDINGS):
        return (0.45 if tied else 1.0) * noise
    if name.endswith(PLACES):
        return 0.4 * noise
    # Conv1D of GPT-2 has a row for each column of what it multiplies.
    gain = 1.0 / numpy.sqrt(noise.shape[0 if transposed else -1])
    if name.endswith(FUSED):
        return decided * gain * noise
    return 1.4 * gain * noise if transposed else None


def rope(factor=1.0, theta=1e4):
    whole = {} if factor == 1.0 else dict(partial_rotary_factor=factor)
    return dict(rope_parameters=dict(rope_type="default", rope_theta=theta, **whole))


def neox_fields(config):
    """As files of GPT-NeoX had it before transformers 5."""
    parameters = config.pop("rope_parameters")
    return dict(config, rotary_emb_base=parameters["rope_theta"], rotary_pct=parameters["partial_rotary_factor"])


PLAIN = shape
TIED = partial(shape, tied=True)

CASES = [
    Case("bloom", "bloom", dict(TOKENS, hidden_size=24, n_layer=2, n_head=3, layer_norm_epsilon=EPSILON),
         [Variant("from_norms", changes=dict(apply_residual_connection_post_layernorm=True))],
         shape=TIED, renamed=("transformer.", "")),
    # Each of the four parts has two heads.
    Case("codegen", "codegen", dict(GPT, n_embd=32, n_head=8, rotary_dim=2), shape=PLAIN),
    Case("cohere", "cohere",
         dict(MODERN, hidden_size=32, num_attention_heads=4, num_key_value_heads=2, layer_norm_eps=EPSILON,
              logit_scale=1.3, **rope(theta=2e3)),
         [Variant("v4", v4="rope_type")], shape=TIED),
    Case("cohere_norm", "cohere",
         dict(MODERN, hidden_size=32, num_attention_heads=4, num_key_value_heads=2, layer_norm_eps=EPSILON,
              use_qk_norm=True, attention_bias=True, logit_scale=1.3, **rope(theta=2e3)), shape=TIED),
    Case("cohere2", "cohere2",
         dict(MODERN, num_hidden_layers=4, num_key_value_heads=1, layer_norm_eps=EPSILON, sliding_window=WINDOW,
              logit_scale=1.3, **rope(theta=2e3)),
         [Variant("v4", v4="rope_type")], shape=TIED),
    Case("falcon", "falcon", dict(NARROW, ffn_hidden_size=40, layer_norm_epsilon=EPSILON, **rope()),
         [Variant("v4", v4="rope_type")], shape=TIED),
    Case("falcon_grouped", "falcon",
         dict(NARROW, hidden_size=32, num_attention_heads=4, num_kv_heads=2, new_decoder_architecture=True,
              ffn_hidden_size=40, layer_norm_epsilon=EPSILON, **rope()), shape=TIED),
    Case("falcon_one_norm", "falcon",
         dict(NARROW, hidden_size=32, num_attention_heads=4, num_kv_heads=2, new_decoder_architecture=True,
              num_ln_in_parallel_attn=1, ffn_hidden_size=40, layer_norm_epsilon=EPSILON,
              tie_word_embeddings=False, **rope()), shape=PLAIN),
    # transformers' eager attention adds the linear biases twice: once as part of the mask.
    Case("falcon_serial", "falcon",
         dict(NARROW, multi_query=False, parallel_attn=False, alibi=True, bias=True, ffn_hidden_size=40,
              layer_norm_epsilon=EPSILON), shape=TIED, attention="sdpa"),
    Case("gpt2", "gpt2", GPT,
         [Variant("exact", changes=dict(activation_function="gelu")),
          Variant("by_layer", changes=dict(scale_attn_by_inverse_layer_idx=True)),
          Variant("unscaled", changes=dict(scale_attn_weights=False))],
         shape=partial(shape, tied=True, transposed=True), renamed=("transformer.", ""), salt=1),
    Case("gpt_bigcode", "gpt_bigcode", GPT, shape=TIED),
    Case("gpt_bigcode_heads", "gpt_bigcode", dict(GPT, multi_query=False), shape=TIED),
    Case("gpt_neox", "gpt_neox", dict(MODERN, layer_norm_eps=EPSILON, **rope(0.5)),
         [Variant("older", spelling=neox_fields),
          Variant("serial", changes=dict(use_parallel_residual=False))],
         shape=PLAIN, renamed=("lm_head.", "embed_out.")),
    # The window is shorter than the prompt; nothing divides scores.
    Case("gpt_neo", "gpt_neo",
         dict(TOKENS, hidden_size=24, num_layers=2, num_heads=3, intermediate_size=36, max_position_embeddings=POSITIONS,
              attention_types=[[["global", "local"], 1]], window_size=WINDOW, layer_norm_epsilon=EPSILON),
         shape=partial(shape, tied=True, decided=0.8), decided=0.8),
    Case("gptj", "gptj", dict(GPT, rotary_dim=4), shape=PLAIN, salt=2),
    Case("jais2", "jais2",
         dict(MODERN, head_dim=10, num_key_value_heads=1, layer_norm_eps=EPSILON, hidden_act="relu2", **rope()),
         [Variant("v4", v4="rope_type"), Variant("gelu", changes=dict(hidden_act="gelu"))], shape=PLAIN),
    Case("mpt", "mpt",
         dict(TOKENS, d_model=24, n_heads=3, n_layers=2, max_seq_len=256, layer_norm_epsilon=EPSILON,
              attn_config=dict(clip_qkv=1.5)),
         [Variant("scale", changes=dict(attn_config=dict(softmax_scale=0.7)))], shape=TIED, salt=2),
    Case("nemotron", "nemotron",
         dict(MODERN, head_dim=10, num_key_value_heads=1, norm_eps=EPSILON, **rope(0.4)),
         [Variant("v4", v4="rope_type")], shape=partial(shape, less_one=True)),
    Case("olmo", "olmo", dict(MODERN, num_key_value_heads=1, clip_qkv=1.5, **rope()),
         [Variant("v4", v4="rope_type"), Variant("unclipped", changes=dict(clip_qkv=None))], shape=PLAIN),
    Case("opt", "opt", dict(NARROW, ffn_dim=40, max_position_embeddings=POSITIONS), shape=TIED),
    Case("opt_narrow", "opt",
         dict(NARROW, ffn_dim=40, max_position_embeddings=POSITIONS, word_embed_proj_dim=16,
              do_layer_norm_before=False, enable_bias=False), shape=TIED),
    Case("persimmon", "persimmon", dict(MODERN, layer_norm_eps=EPSILON, **rope(0.5)),
         [Variant("v4", v4="rope_type")], shape=PLAIN),
    Case("phi", "phi", dict(MODERN, num_key_value_heads=1, layer_norm_eps=EPSILON, **rope(0.5)),
         [Variant("v4", v4="rope_type")], shape=PLAIN),
    Case("phi_norm", "phi", dict(MODERN, layer_norm_eps=EPSILON, qk_layernorm=True, **rope(0.5)), shape=PLAIN),
    Case("stablelm", "stablelm",
         dict(MODERN, num_key_value_heads=1, layer_norm_eps=EPSILON, use_qkv_bias=True, **rope(0.5)),
         [Variant("v4", v4="rope_type")], shape=PLAIN),
    Case("stablelm_norm", "stablelm",
         dict(MODERN, hidden_size=32, num_attention_heads=4, num_key_value_heads=2, layer_norm_eps=EPSILON,
              qk_layernorm=True, use_parallel_residual=True, **rope(0.5)), shape=PLAIN),
    Case("starcoder2", "starcoder2",
         dict(MODERN, num_key_value_heads=1, norm_epsilon=EPSILON, sliding_window=WINDOW, **rope()),
         [Variant("v4", v4="rope_type"), Variant("full", changes=dict(sliding_window=None))], shape=TIED),
]
