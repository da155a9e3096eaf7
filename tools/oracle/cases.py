"""The table of oracle cases: which tiny models exist, and why each has the shape it has.

Every size is chosen so that a mistake shows: heads differ from key-value heads, `head_dim` differs
from hidden_size / heads wherever the architecture allows it, windows are shorter than the prompt,
and no two dimensions that could be swapped are equal.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

VOCABULARY = 128
PROMPT = 40
WINDOW = 7
# Prompts on the near side of a RoPE boundary of 24 positions.
SHORT_PROMPT = 17
BOUNDARY = 24

# Of a variant's changes: a field that is null, where None takes the field away.
NULL = object()

# Large enough to show in the logits, and nobody's default.
EPSILON = 3e-3

TOKENS = dict(vocab_size=VOCABULARY, pad_token_id=0, bos_token_id=1, eos_token_id=2)

LLAMA = dict(
    TOKENS, hidden_size=40, intermediate_size=72, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, head_dim=12, max_position_embeddings=256, rms_norm_eps=EPSILON,
)
# The RoPE cases are narrow and tied, to keep the committed files small, with eight rotary pairs.
ROPE = dict(
    TOKENS, hidden_size=32, intermediate_size=56, num_hidden_layers=2, num_attention_heads=2,
    num_key_value_heads=1, head_dim=16, max_position_embeddings=256, tie_word_embeddings=True,
)
QWEN2 = dict(
    TOKENS, hidden_size=40, intermediate_size=56, num_hidden_layers=4, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=256, sliding_window=WINDOW, max_window_layers=2,
    rms_norm_eps=EPSILON,
)
QWEN3 = dict(
    TOKENS, hidden_size=40, intermediate_size=72, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, head_dim=14, max_position_embeddings=256, rms_norm_eps=EPSILON,
    rope_parameters=dict(rope_type="default", rope_theta=1e6),
)
PHI3 = dict(
    TOKENS, hidden_size=48, intermediate_size=56, num_hidden_layers=2, num_attention_heads=3,
    num_key_value_heads=1, max_position_embeddings=256, rms_norm_eps=EPSILON,
)
# Mixtures of experts. Widths of experts are no multiple of a tile's 16 rows, but for OLMoE's.
MIXTURE = dict(
    TOKENS, hidden_size=24, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=256,
    rms_norm_eps=EPSILON,
)
QWEN3_MOE = dict(
    MIXTURE, intermediate_size=40, moe_intermediate_size=20, num_hidden_layers=3, head_dim=10,
    num_experts=6, num_experts_per_tok=3, norm_topk_prob=True, mlp_only_layers=[1],
    rope_parameters=dict(rope_type="default", rope_theta=1e6),
)
# Chunks are shorter than the prompt. Six heads in two groups; no width is a multiple of 16.
MAMBA2 = dict(
    TOKENS, hidden_size=24, num_heads=6, head_dim=8, state_size=10, n_groups=2, num_hidden_layers=2,
    conv_kernel=4, chunk_size=16, layer_norm_epsilon=EPSILON,
)
# Every fourth layer attends; two heads of values for each of queries; a quarter of a head is turned.
QWEN3_NEXT = dict(
    MIXTURE, intermediate_size=28, moe_intermediate_size=12, shared_expert_intermediate_size=20,
    num_hidden_layers=4, head_dim=16, num_experts=4, num_experts_per_tok=2, mlp_only_layers=[1],
    linear_conv_kernel_dim=4, linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=8,
    linear_value_head_dim=6, rope_parameters=dict(rope_type="default", rope_theta=1e6, partial_rotary_factor=0.25),
)
# Two lists that differ from each other and from one pair to the next.
SHORT_FACTOR = [1.0, 1.05, 1.1, 1.2, 1.4, 1.7, 2.1, 2.6]
LONG_FACTOR = [1.3, 1.9, 2.7, 3.1, 4.9, 6.5, 8.3, 10.9]


@dataclass
class Variant:
    """A second config.json for the same weights.

    `v4` writes the older hub form of the same model, spelling the RoPE kind with the given key;
    `changes` alters config fields. `prompt` asks for a reference with another prompt length.
    """

    name: str
    v4: str | None = None
    changes: dict = field(default_factory=dict)
    prompt: int | None = None
    softcap: bool = False
    # The same model's configuration in another spelling than `v4`: a function of the dictionary.
    spelling: Callable | None = None


@dataclass
class Case:
    """One directory below tests/oracle."""

    name: str
    model_type: str
    config: dict
    variants: list[Variant] = field(default_factory=list)
    # The case whose weights this one repeats in another storage.
    weights_of: str | None = None
    dtype: str = "float32"
    shards: int = 1
    # Another value draws another prompt.
    salt: int = 0
    # Multiplies the standard deviation of the query and key projections.
    decided: float = 1.6
    # Whether the files hold the matrices of experts as published models do, one by one, and not as
    # transformers holds them.
    apart: bool = False
    # Whether the files have the names of published models, by transformers' own table of them.
    published: bool = False
    # The type and class of a model of several kinds of input that the files hold this one inside of.
    inside: tuple[str, str] | None = None
    # What such files hold beside it: names of tensors, and fields of the configuration.
    beside: tuple[tuple, dict] = (("model.visual.merger.norm.weight", "mtp.norm.weight"),
                                  dict(image_token_id=5, vision_config=dict(depth=1, hidden_size=8)))
    # The distribution of tensors that the common rules of models.py do not fit: a function of a name
    # and its unit noise, None where the rules hold.
    shape: Callable | None = None
    # How an architecture that transformers does not have writes the config of the one that it has and
    # that computes the same: fields that are set, and new names of fields, None for those that go.
    written_as: tuple[dict, dict] | None = None
    # Whether files hold the matrices of layers as BitNet's do; their values are -1, 0 and 1, scaled.
    ternary: bool = False
    # What changes the model of transformers into the one that is meant.
    change: Callable | None = None
    # Prefixes of names that published files have in place of transformers' own: (own, published).
    renamed: tuple | None = None
    # transformers' attention function.
    attention: str = "eager"
    # Ends of the names of tensors that keep the values that transformers makes them with.
    kept: tuple = ()
    # Tensors, name to shape, that files have and models do not read.
    unread: dict = field(default_factory=dict)


def rope(**parameters):
    return dict(ROPE, rope_parameters=parameters)


CASES = [
    Case("llama", "llama", dict(LLAMA, attention_bias=True, mlp_bias=True,
                                rope_parameters=dict(rope_type="default", rope_theta=5e5)),
         [Variant("v4", v4="rope_type")]),
    Case("llama_sharded", "llama", dict(LLAMA, attention_bias=True, mlp_bias=True,
                                        rope_parameters=dict(rope_type="default", rope_theta=5e5)),
         weights_of="llama", shards=2),
    Case("llama_bf16", "llama", dict(LLAMA, attention_bias=True, mlp_bias=True,
                                     rope_parameters=dict(rope_type="default", rope_theta=5e5)),
         weights_of="llama", dtype="bfloat16"),
    Case("llama_tied", "llama", dict(LLAMA, tie_word_embeddings=True, num_key_value_heads=1)),
    Case("llama_linear", "llama", rope(rope_type="linear", rope_theta=1e4, factor=4.0),
         [Variant("v4_type", v4="type"), Variant("v4_rope_type", v4="rope_type"), Variant("v4_both", v4="both")]),
    Case("llama_dynamic", "llama",
         dict(rope(rope_type="dynamic", rope_theta=1e4, factor=3.0), max_position_embeddings=BOUNDARY),
         [Variant("short", prompt=SHORT_PROMPT), Variant("v4", v4="type")], salt=2),
    # Wave lengths from 6 to 1000 positions: pairs lie below, between and above the two bounds.
    Case("llama_llama3", "llama",
         rope(rope_type="llama3", rope_theta=5e3, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=64),
         [Variant("v4", v4="rope_type")]),
    Case("llama_yarn", "llama",
         rope(rope_type="yarn", rope_theta=1e3, factor=4.0, original_max_position_embeddings=64,
              beta_fast=4.0, beta_slow=1.0),
         [Variant("v4", v4="rope_type"),
          Variant("attention_factor", changes=dict(rope_parameters=dict(attention_factor=0.7))),
          Variant("truncate_false", changes=dict(rope_parameters=dict(truncate=False))),
          Variant("mscale", changes=dict(rope_parameters=dict(mscale=0.8, mscale_all_dim=1.5)))], salt=2),
    Case("llama_longrope", "llama",
         dict(rope(rope_type="longrope", rope_theta=1e4, factor=4.0, original_max_position_embeddings=BOUNDARY,
                   short_factor=SHORT_FACTOR, long_factor=LONG_FACTOR), max_position_embeddings=4 * BOUNDARY),
         [Variant("short", prompt=SHORT_PROMPT)], salt=1),
    Case("mistral", "mistral", dict(LLAMA, sliding_window=WINDOW), [Variant("v4", v4="rope_type")]),
    Case("qwen2", "qwen2", dict(QWEN2, use_sliding_window=True),
         [Variant("v4", v4="rope_type"),
          Variant("layer_types", changes=dict(layer_types=["sliding_attention", "full_attention"] * 2)),
          Variant("all_full", changes=dict(max_window_layers=4, layer_types=None))]),
    Case("qwen2_window_off", "qwen2", dict(QWEN2, num_hidden_layers=2, use_sliding_window=False, max_window_layers=0),
         [Variant("v4", v4="rope_type")]),
    Case("qwen3", "qwen3", QWEN3, [Variant("v4", v4="rope_type")]),
    Case("qwen3_bf16", "qwen3", QWEN3, weights_of="qwen3", dtype="bfloat16"),
    Case("gemma3_text", "gemma3_text",
         dict(TOKENS, hidden_size=32, intermediate_size=56, num_hidden_layers=6, num_attention_heads=4,
              num_key_value_heads=2, head_dim=12, max_position_embeddings=256, sliding_window=WINDOW, rms_norm_eps=EPSILON,
              query_pre_attn_scalar=20, final_logit_softcapping=6.0, tie_word_embeddings=True,
              rope_parameters=dict(
                  sliding_attention=dict(rope_type="default", rope_theta=1e4),
                  full_attention=dict(rope_type="linear", rope_theta=1e6, factor=8.0)),
              layer_types=["sliding_attention", "sliding_attention", "full_attention"] * 2),
         [Variant("v4", v4="rope_type"),
          Variant("attn_softcap", changes=dict(attn_logit_softcapping=1.5), softcap=True)]),
    Case("phi3", "phi3",
         dict(PHI3, sliding_window=WINDOW,
              rope_parameters=dict(rope_type="default", rope_theta=1e4, partial_rotary_factor=0.75)),
         [Variant("v4", v4="rope_type")]),
    Case("phi3_longrope", "phi3",
         dict(PHI3, max_position_embeddings=4 * BOUNDARY, original_max_position_embeddings=BOUNDARY,
              tie_word_embeddings=True,
              rope_parameters=dict(rope_type="longrope", rope_theta=1e4, partial_rotary_factor=0.75,
                                   original_max_position_embeddings=BOUNDARY,
                                   short_factor=SHORT_FACTOR[:6], long_factor=LONG_FACTOR[:6])),
         [Variant("short", prompt=SHORT_PROMPT), Variant("v4", v4="type"), Variant("v4_su", v4="su")]),
    Case("qwen3_moe", "qwen3_moe", QWEN3_MOE,
         [Variant("v4", v4="rope_type"),
          Variant("of_all", changes=dict(norm_topk_prob=False)),
          Variant("window", changes=dict(use_sliding_window=True, sliding_window=WINDOW))], apart=True, salt=1),
    Case("qwen3_moe_fused", "qwen3_moe", QWEN3_MOE, weights_of="qwen3_moe", salt=1),
    # Queries have a bias and outputs none; every second layer has experts, and one that all tokens share.
    Case("qwen2_moe", "qwen2_moe",
         dict(MIXTURE, intermediate_size=36, moe_intermediate_size=20, shared_expert_intermediate_size=28,
              num_hidden_layers=4, num_experts=5, num_experts_per_tok=2, norm_topk_prob=False,
              decoder_sparse_step=2, use_sliding_window=True, sliding_window=WINDOW, max_window_layers=3),
         [Variant("v4", v4="rope_type"), Variant("of_chosen", changes=dict(norm_topk_prob=True))], apart=True),
    Case("mixtral", "mixtral",
         dict(MIXTURE, intermediate_size=20, num_hidden_layers=2, head_dim=10, num_local_experts=5,
              num_experts_per_tok=2, sliding_window=WINDOW),
         [Variant("v4", v4="rope_type")], apart=True),
    Case("mixtral_fused", "mixtral",
         dict(MIXTURE, intermediate_size=20, num_hidden_layers=2, head_dim=10, num_local_experts=5,
              num_experts_per_tok=2, sliding_window=WINDOW), weights_of="mixtral"),
    Case("olmoe", "olmoe",
         dict(MIXTURE, intermediate_size=16, num_hidden_layers=2, num_experts=8, num_experts_per_tok=4,
              clip_qkv=2.0, norm_topk_prob=False),
         [Variant("v4", v4="rope_type"), Variant("of_chosen", changes=dict(norm_topk_prob=True))], apart=True, salt=2),
    # The limit is far below the published 7, so that it is met.
    Case("gpt_oss", "gpt_oss",
         dict(MIXTURE, intermediate_size=20, num_hidden_layers=3, head_dim=10, num_local_experts=5,
              num_experts_per_tok=2, sliding_window=WINDOW, swiglu_limit=0.8,
              rope_parameters=dict(rope_type="yarn", rope_theta=1e3, factor=4.0, beta_fast=4.0, beta_slow=1.0,
                                   truncate=False, original_max_position_embeddings=64)),
         [Variant("v4", v4="rope_type"), Variant("alpha", changes=dict(swiglu_alpha=0.9, swiglu_limit=7.0))]),
    # The limits are met on both sides.
    Case("mamba2", "mamba2", MAMBA2, [Variant("limit", changes=dict(time_step_limit=[0.2, 0.4]))]),
    Case("mamba2_tied", "mamba2",
         dict(MAMBA2, n_groups=1, conv_kernel=3, use_bias=True, use_conv_bias=False, tie_word_embeddings=True)),
    Case("qwen3_next", "qwen3_next", QWEN3_NEXT,
         [Variant("v4", v4="rope_type"), Variant("of_all", changes=dict(norm_topk_prob=False))], apart=True, salt=2),
]
