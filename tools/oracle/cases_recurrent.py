"""Cases of models with recurrent layers. See cases.py for why sizes are what they are."""

import functools

import numpy

from cases import EPSILON, TOKENS, WINDOW, Case, Variant

# Six query heads on two of keys and values; no width is a multiple of 16.
NARROW = dict(TOKENS, hidden_size=24, num_attention_heads=6, num_key_value_heads=2, max_position_embeddings=256)
NORMED = dict(NARROW, rms_norm_eps=EPSILON)
DELTA = dict(
    NORMED, num_hidden_layers=2, layer_types=["linear_attention", "full_attention"], head_dim=16, linear_conv_kernel_dim=4, linear_num_key_heads=2,
    linear_num_value_heads=4, linear_key_head_dim=8, linear_value_head_dim=6,
    rope_parameters=dict(rope_type="default", rope_theta=1e6, partial_rotary_factor=0.25, mrope_section=[1, 1, 0],
                         mrope_interleaved=True),
)
# Mamba 2 under the names that most hybrids have for it: six heads in two groups.
MIXER = dict(mamba_n_heads=6, mamba_d_head=8, mamba_n_groups=2, mamba_d_state=10, mamba_d_conv=4, mamba_expand=2,
             mamba_chunk_size=16)
HYBRID = NORMED | MIXER
MAMBA = dict(
    TOKENS, hidden_size=24, state_size=5, num_hidden_layers=2, expand=2, conv_kernel=3, layer_norm_epsilon=EPSILON,
)

# The width of Mamba's heads follows from the others'.
ZAMBA2 = dict(
    TOKENS, hidden_size=12, num_attention_heads=4, intermediate_size=20, adapter_rank=4, mamba_d_state=5,
    mamba_d_conv=3, mamba_expand=2, mamba_ngroups=2, n_mamba_heads=6, chunk_size=16, time_step_min=0.2,
    max_position_embeddings=256, rms_norm_eps=EPSILON, hidden_act="gelu",
)


def scanned(name, noise):
    """Rates and lengths of time steps of Mamba, under which states last for about ten tokens."""
    if name.endswith(("A_log", "dt_proj.bias")):
        return 0.5 * noise - 1.0


def less_one(name, noise):
    """Norms that multiply by 1 + weight, those of delta nets aside."""
    if noise.ndim == 1 and "norm" in name and "linear_attn" not in name:
        return (0.6 if "q_norm" in name or "k_norm" in name else 0.0) + 0.3 * noise


def embedded(name, noise, ends, scale=1.0):
    """An embedding that models.py does not know by its name."""
    if name.endswith(ends):
        return scale * noise


def forgetful(name, noise):
    """Rates of decay of which there is one for each head, on four axes."""
    if name.endswith("A_log"):
        return 0.5 * noise - 1.0


def calm(name, noise):
    """Gains at which what is added to the stream is smaller than it: attention and mixers of Zamba 2 are normalized
    again and multiplied with each other, and at the usual gains transformers' own float32 strays from its float64 by
    2e-4."""
    gain = 1.0 / numpy.sqrt(noise.shape[-1])
    if "_adapter_list." in name:
        return 0.7 * gain * noise
    if name.endswith("in_proj.weight"):
        return gain * noise
    if name.endswith("mamba.out_proj.weight"):
        return 0.8 * gain * noise
    if name.endswith(".linear.weight"):
        return 0.7 * gain * noise
    if name.endswith(".D"):
        return 2.0 + 0.6 * noise


def griffin(name, noise):
    """Norms that multiply by 1 + weight, states that last for about ten tokens, and gates' biases on two axes."""
    if name.endswith("recurrent_param"):
        return 0.5 * noise - 3.0
    if name.endswith("_gate_bias"):
        return 0.4 * noise
    return less_one(name, noise)


def mixed(name, noise):
    """RWKV-7: shares between 0 and 1, and states that last for about ten tokens."""
    end = name.rsplit(".", 1)[-1]
    if end.startswith("x_"):
        return 0.5 + 0.25 * noise
    if end in ("k_k", "k_a"):
        return 1.0 + 0.3 * noise
    if end == "r_k":
        return 0.4 * noise
    if name.endswith("w_lora.lora.2.bias"):
        return 0.5 * noise - 1.5
    return embedded(name, noise, "embeddings.weight")


def kimi_fields(as_dict):
    """Kimi Linear's configuration as its authors write it: layers counted from 1, nothing said twice."""
    result = {name: value for name, value in as_dict.items()
              if not name.startswith("linear_") and name not in ("layer_types", "mlp_layer_types")}
    kda, full = ([at + 1 for at, kind in enumerate(as_dict["layer_types"]) if kind == wanted]
                 for wanted in ("linear_attention", "full_attention"))
    linear = dict(full_attn_layers=full, kda_layers=kda, head_dim=as_dict["linear_head_dim"],
                  num_heads=as_dict["linear_num_heads"], short_conv_kernel_size=as_dict["linear_conv_kernel_dim"])
    return dict(result, linear_attn_config=linear, first_k_dense_replace=1, moe_layer_freq=1, mla_use_nope=True,
                moe_router_activation_func="sigmoid", use_grouped_topk=True, rope_theta=10000.0, rope_scaling=None,
                num_nextn_predict_layers=0)


CASES = [
    # Half of a head is turned; layer 1 attends.
    Case("bamba", "bamba",
         dict(HYBRID, num_attention_heads=4, head_dim=8, intermediate_size=28, num_hidden_layers=2,
              attn_layer_indices=[1], attention_bias=True, mlp_bias=True, mamba_proj_bias=True),
         [Variant("limit", changes=dict(time_step_limit=[0.2, 0.4]))]),
    # Every constant differs from 1 and from the others.
    Case("falcon_h1", "falcon_h1",
         dict(HYBRID, head_dim=6, mamba_d_head=7, mamba_d_ssm=42, intermediate_size=28, num_hidden_layers=2,
              mamba_rms_norm=True, mamba_norm_before_gate=False, attention_in_multiplier=1.3,
              attention_out_multiplier=0.8, ssm_in_multiplier=1.2, ssm_out_multiplier=0.7, key_multiplier=1.4,
              embedding_multiplier=1.5, lm_head_multiplier=0.9, mlp_multipliers=[1.25, 0.6],
              ssm_multipliers=[0.85, 1.1, 1.35, 0.75, 1.15]),
         [Variant("before", changes=dict(mamba_norm_before_gate=True)), Variant("v4", v4="rope_type")], salt=1),
    Case("falcon_h1_plain", "falcon_h1",
         dict(HYBRID, head_dim=6, intermediate_size=28, num_hidden_layers=2, mamba_d_ssm=None,
              mamba_rms_norm=False, projectors_bias=True, mamba_conv_bias=False, tie_word_embeddings=True)),
    Case("falcon_mamba", "falcon_mamba", dict(MAMBA, tie_word_embeddings=False, use_bias=True, time_step_rank=4), shape=scanned),
    Case("granitemoehybrid", "granitemoehybrid",
         dict(HYBRID, num_attention_heads=4, num_hidden_layers=2, intermediate_size=12,
              shared_intermediate_size=28, num_local_experts=5, num_experts_per_tok=2,
              layer_types=["linear_attention", "full_attention"], attention_multiplier=0.3,
              embedding_multiplier=2.5, logits_scaling=1.6, residual_multiplier=0.7, position_embedding_type="nope"),
         [Variant("rope", changes=dict(position_embedding_type="rope"))], published=True),
    Case("granitemoehybrid_dense", "granitemoehybrid",
         dict(HYBRID, num_attention_heads=4, num_hidden_layers=2, intermediate_size=20,
              shared_intermediate_size=28, num_local_experts=0, layer_types=["linear_attention", "full_attention"],
              attention_multiplier=0.3, attention_bias=True, tie_word_embeddings=True)),
    # Layer 1 attends and has experts.
    Case("jamba", "jamba",
         dict(NORMED, num_attention_heads=4, num_hidden_layers=2, intermediate_size=20, attn_layer_period=2,
              attn_layer_offset=1, expert_layer_period=2, expert_layer_offset=1, num_experts=4, num_experts_per_tok=2,
              mamba_d_state=5, mamba_d_conv=3, mamba_expand=2, mamba_dt_rank=4, mamba_proj_bias=True), published=True,
         shape=scanned, salt=1),
    # Layer 0 has an MLP, layer 1 experts; three heads of states, four of attention, which fill whole tiles.
    Case("kimi_linear", "kimi_linear",
         dict(NORMED, hidden_size=16, num_attention_heads=4, num_key_value_heads=4, intermediate_size=20, moe_intermediate_size=8,
              num_hidden_layers=2, layer_types=["linear_attention", "full_attention"], linear_num_heads=3,
              linear_head_dim=8, linear_conv_kernel_dim=3, kv_lora_rank=16, qk_rope_head_dim=4, qk_nope_head_dim=6,
              v_head_dim=16, num_local_experts=6, num_experts_per_tok=2, n_group=3, topk_group=2),
         [Variant("published", spelling=kimi_fields)], published=True, shape=forgetful, salt=2),
    Case("lfm2", "lfm2",
         dict(NARROW, norm_eps=EPSILON, num_attention_heads=4, intermediate_size=60, num_hidden_layers=3,
              conv_L_cache=3, conv_bias=True, block_multiple_of=4, block_ffn_dim_multiplier=0.9,
              full_attn_idxs=[1], tie_word_embeddings=False),
         [Variant("v4", v4="rope_type")]),
    # Layer 0 has no experts.
    Case("lfm2_moe", "lfm2_moe",
         dict(NARROW, norm_eps=EPSILON, num_attention_heads=4, intermediate_size=20, moe_intermediate_size=8,
              num_hidden_layers=2, num_dense_layers=1, num_experts=6, num_experts_per_tok=3, conv_L_cache=3,
              routed_scaling_factor=1.7, layer_types=["conv", "full_attention"]),
         [Variant("plain", changes=dict(norm_topk_prob=False))], published=True, salt=3),
    Case("mamba", "mamba", MAMBA, shape=scanned, salt=1),
    # Layer 1 is a lightning attention, of twice as many heads as the others have keys; blocks of 8 tokens.
    Case("minimax", "minimax",
         dict(NORMED, hidden_size=16, num_attention_heads=4, num_key_value_heads=2, head_dim=6, intermediate_size=8,
              num_hidden_layers=3, num_local_experts=3, num_experts_per_tok=2, block_size=8, sliding_window=WINDOW,
              layer_types=["full_attention", "linear_attention", "full_attention"], linear_attn_alpha_factor=1.3,
              linear_attn_beta_factor=0.8, full_attn_alpha_factor=1.2, full_attn_beta_factor=0.7, mlp_alpha_factor=1.1,
              mlp_beta_factor=0.9, tie_word_embeddings=True),
         [Variant("v4", v4="rope_type")], published=True, kept=("slope_rate", "_decay"), salt=2),
    Case("nemotron_h", "nemotron_h",
         dict(NARROW, layer_norm_epsilon=EPSILON, head_dim=10, intermediate_size=28,
              layers_block_type=["linear_attention", "mlp", "full_attention"],
              mamba_num_heads=6, mamba_head_dim=7, n_groups=2, ssm_state_size=10, conv_kernel=4, mlp_bias=True,
              use_bias=True, chunk_size=16),
         published=True, shape=functools.partial(embedded, ends="model.embeddings.weight")),
    # The experts' row is narrower than the stream.
    Case("nemotron_h_moe", "nemotron_h",
         dict(NARROW, layer_norm_epsilon=EPSILON, head_dim=10, layers_block_type=["linear_attention", "moe", "full_attention", "moe"],
              mamba_num_heads=6, mamba_head_dim=7, n_groups=2, ssm_state_size=10, conv_kernel=4, chunk_size=16,
              n_routed_experts=6, num_experts_per_tok=2, n_group=3, topk_group=2, moe_intermediate_size=12,
              moe_shared_expert_intermediate_size=20, moe_latent_size=20, mlp_bias=True, routed_scaling_factor=1.6),
         [Variant("plain", changes=dict(n_group=1, topk_group=1, norm_topk_prob=False))],
         published=True, shape=functools.partial(embedded, ends="model.embeddings.weight")),
    # A state may turn round: what is written is up to twice an error. transformers takes published
    # convolutions apart into equal parts, so that keys and values are as wide.
    Case("olmo_hybrid", "olmo_hybrid",
         dict(NORMED, num_attention_heads=4, num_hidden_layers=2, intermediate_size=28,
              layer_types=["linear_attention", "full_attention"], linear_num_key_heads=2, linear_num_value_heads=4,
              linear_key_head_dim=8, linear_value_head_dim=4, linear_conv_kernel_dim=3,
              rope_parameters=dict(rope_type="default", rope_theta=1e4)),
         [Variant("plain", changes=dict(linear_allow_neg_eigval=False))], published=True, salt=1),
    Case("qwen3_5", "qwen3_5_text", dict(DELTA, intermediate_size=28, tie_word_embeddings=True), shape=less_one,
         inside=("qwen3_5", "Qwen3_5ForConditionalGeneration")),
    Case("qwen3_5_moe", "qwen3_5_moe_text",
         dict(DELTA, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=12,
              shared_expert_intermediate_size=20), shape=less_one, salt=2),
    # Layers 0 and 2 are recurrent. Heads of 12 of which half is turned, blocks of gates of 16; the root of the width
    # is no number of bfloat16.
    Case("recurrent_gemma", "recurrent_gemma",
         dict(TOKENS, hidden_size=24, num_attention_heads=2, num_key_value_heads=1, intermediate_size=40,
              num_hidden_layers=3, block_types=["recurrent", "attention"], lru_width=32, conv1d_width=3,
              attention_window_size=WINDOW, attention_bias=True, logits_soft_cap=5.0, rms_norm_eps=EPSILON),
         [Variant("v4", v4="rope_type")], shape=griffin),
    # Two blocks that three layers share, with what each layer adds to their matrices.
    Case("zamba2", "zamba2",
         dict(ZAMBA2, num_key_value_heads=4, num_mem_blocks=2, use_shared_attention_adapter=True, use_mem_rope=True,
              layers_block_type=["linear_attention", "hybrid", "hybrid", "hybrid"], num_hidden_layers=4),
         [Variant("v4", v4="rope_type")], published=True, shape=calm, decided=0.8, salt=5),
    # One block, without positions, and fewer heads of keys.
    Case("zamba2_plain", "zamba2",
         dict(ZAMBA2, num_key_value_heads=2, add_bias_linear=True, mamba_ngroups=1,
              layers_block_type=["hybrid", "linear_attention", "hybrid"], num_hidden_layers=3), published=True, shape=calm, decided=0.8, salt=1),
    # The reference is tools/oracle/rwkv7.py. Three heads whose values are wider than keys; four ranks.
    Case("rwkv7", "rwkv7",
         dict(TOKENS, hidden_size=18, num_hidden_layers=2, head_dim=6, num_heads=5, intermediate_size=40, hidden_ratio=4.0,
              value_dim=[36, 36], decay_low_rank_dim=4, a_low_rank_dim=6, v_low_rank_dim=2, gate_low_rank_dim=8,
              hidden_act="sqrelu", norm_first=True, norm_bias=True, norm_eps=EPSILON, fuse_norm=False, attn=None,
              attn_mode="chunk", fuse_cross_entropy=True, use_l2warp=True, tie_word_embeddings=False),
         shape=mixed),
]
