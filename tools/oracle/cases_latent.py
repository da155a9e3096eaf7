"""Decoders with latent attention, one case for each architecture and kind of configuration.

No two widths are equal: rows of 32, heads of 10 plain and 6 turned columns, values of 16.
"""

from cases import BOUNDARY, EPSILON, LONG_FACTOR, SHORT_FACTOR, SHORT_PROMPT, TOKENS, Case, Variant

LATENT = dict(
    TOKENS, hidden_size=24, intermediate_size=28, num_hidden_layers=2, num_attention_heads=3, num_key_value_heads=3,
    max_position_embeddings=256, rms_norm_eps=EPSILON, q_lora_rank=20, kv_lora_rank=32, qk_nope_head_dim=10,
    qk_rope_head_dim=6, v_head_dim=16,
)
ROUTED = dict(
    LATENT, moe_intermediate_size=8, n_routed_experts=8, num_experts_per_tok=3, n_shared_experts=2, n_group=4,
    topk_group=2, routed_scaling_factor=1.8, first_k_dense_replace=1,
)
YARN = dict(rope_type="yarn", rope_theta=1e3, factor=4.0, original_max_position_embeddings=64, beta_fast=4.0,
            beta_slow=1.0, mscale=0.8, mscale_all_dim=1.5)

CASES = [
    Case("deepseek_v2", "deepseek_v2",
         dict(ROUTED, topk_method="group_limited_greedy", attention_bias=True, rope_parameters=YARN),
         [Variant("v4", v4="type"), Variant("greedy", changes=dict(topk_method="greedy"))], apart=True),
    # Queries without a row of their own, as the small model has them; experts as transformers holds them.
    Case("deepseek_v2_lite", "deepseek_v2",
         dict(ROUTED, q_lora_rank=None, topk_method="greedy", n_group=1, topk_group=1)),
    Case("deepseek_v3", "deepseek_v3", dict(ROUTED, norm_topk_prob=True, attention_bias=True, rope_parameters=YARN),
         [Variant("v4", v4="type"),
          Variant("halves", changes=dict(rope_interleave=False)),
          Variant("of_all", changes=dict(norm_topk_prob=False, n_group=1, topk_group=1))], apart=True, salt=1),
    Case("glm4_moe_lite", "glm4_moe_lite",
         dict({name: value for name, value in ROUTED.items() if name != "first_k_dense_replace"}, n_group=1, topk_group=1),
         [Variant("v4", v4="rope_type")], apart=True),
    Case("minicpm3", "minicpm3",
         dict(LATENT, tie_word_embeddings=True, scale_emb=1.7, scale_depth=1.2, dim_model_base=16,
              max_position_embeddings=4 * BOUNDARY,
              rope_parameters=dict(rope_type="longrope", rope_theta=1e4, original_max_position_embeddings=BOUNDARY,
                                   short_factor=SHORT_FACTOR[:3], long_factor=LONG_FACTOR[:3])),
         [Variant("short", prompt=SHORT_PROMPT)]),
    Case("youtu", "youtu", dict(LATENT, tie_word_embeddings=True), [Variant("v4", v4="rope_type")]),
]
