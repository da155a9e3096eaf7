"""Mixtures of experts, one case for each architecture, alphabetical.

Experts are chosen from few, so that every branch of a choice is met: groups are fewer than experts,
some are left out, and corrections change who is chosen.
"""

from cases import EPSILON, MIXTURE, WINDOW, Case, Variant

ROUTED = dict(
    MIXTURE, intermediate_size=28, moe_intermediate_size=8, num_hidden_layers=2, n_routed_experts=8,
    num_experts_per_tok=3, n_shared_experts=2, n_group=4, topk_group=2, routed_scaling_factor=1.8, norm_topk_prob=True,
)
OF_ALL = Variant("of_all", changes=dict(norm_topk_prob=False))
ONE_GROUP = Variant("one_group", changes=dict(n_group=1, topk_group=1))
GRANITE = dict(
    MIXTURE, intermediate_size=12, num_hidden_layers=2, num_local_experts=5, num_experts_per_tok=2,
    tie_word_embeddings=True, attention_bias=True, embedding_multiplier=1.7, residual_multiplier=0.6,
    attention_multiplier=0.3, logits_scaling=0.4,
)

CASES = [
    # The first layer has no experts, the second has, sees everything and turns nothing.
    Case("afmoe", "afmoe",
         dict(MIXTURE, intermediate_size=28, moe_intermediate_size=8, num_hidden_layers=2, num_dense_layers=1,
              head_dim=10, num_experts=6, num_experts_per_tok=2, num_shared_experts=2, route_scale=1.6,
              sliding_window=WINDOW, global_attn_every_n_layers=2, mup_enabled=True),
         [Variant("v4", v4="rope_type")], apart=True),
    # Files as Ling's, which transformers reads under another name.
    Case("bailing_moe", "sarvam_moe",
         dict(ROUTED, first_k_dense_replace=1, head_dim=12, attention_bias=True, partial_rotary_factor=0.5),
         [Variant("v4", v4="rope_type"), OF_ALL], apart=True, salt=4),
    Case("dots1", "dots1",
         dict(ROUTED, first_k_dense_replace=1, sliding_window=WINDOW, max_window_layers=1,
              attention_bias=True),
         [Variant("v4", v4="rope_type"), OF_ALL, ONE_GROUP], apart=True, salt=1),
    # Experts in the second layer of three.
    Case("ernie4_5_moe", "ernie4_5_moe",
         dict(MIXTURE, intermediate_size=20, moe_intermediate_size=8, num_hidden_layers=3, moe_num_experts=5, moe_k=2,
              moe_num_shared_experts=2, moe_layer_start_index=1, moe_layer_end_index=2, moe_layer_interval=2,
              moe_norm_min=0.6),
         [Variant("v4", v4="rope_type")], apart=True),
    Case("exaone_moe", "exaone_moe",
         dict(MIXTURE, intermediate_size=28, moe_intermediate_size=8, num_hidden_layers=2, first_k_dense_replace=1,
              head_dim=10, num_experts=8, num_experts_per_tok=3, num_shared_experts=2, n_group=4, topk_group=2,
              sliding_window=WINDOW, sliding_window_pattern=2),
         [Variant("all_turn", changes=dict(layer_types=["full_attention"] * 2))], apart=True, salt=1),
    Case("flex_olmo", "flex_olmo",
         dict(MIXTURE, intermediate_size=8, num_hidden_layers=2, num_experts=7, num_experts_per_tok=3,
              attention_bias=True),
         [Variant("v4", v4="rope_type"), Variant("of_chosen", changes=dict(norm_topk_prob=True))], apart=True),
    Case("glm4_moe", "glm4_moe",
         dict(ROUTED, first_k_dense_replace=1, head_dim=12, attention_bias=True, use_qk_norm=True),
         [Variant("v4", v4="rope_type"), OF_ALL, ONE_GROUP], apart=True, salt=2),
    Case("granitemoe", "granitemoe", GRANITE, [Variant("v4", v4="rope_type")], apart=True),
    Case("granitemoeshared", "granitemoeshared", dict(GRANITE, shared_intermediate_size=28)),
    Case("hunyuan_v1_moe", "hunyuan_v1_moe",
         dict(MIXTURE, intermediate_size=12, num_hidden_layers=2, head_dim=10, num_experts=5, moe_topk=2,
              attention_bias=True, rope_parameters=dict(rope_type="dynamic", rope_theta=1e2, alpha=30.0, factor=1.0)),
         [Variant("topk_list", changes=dict(moe_topk=[3, 3]))], apart=True),
    # Two layers with a window and sinks, one without; the first has no experts.
    Case("mimo_v2_flash", "mimo_v2_flash",
         dict({name: value for name, value in ROUTED.items() if name != "n_shared_experts"}, num_hidden_layers=3,
              num_key_value_heads=1, head_dim=12, v_head_dim=8, attention_bias=True, attention_value_scale=0.7,
              sliding_window=WINDOW, layer_types=["sliding_attention", "full_attention", "sliding_attention"],
              mlp_layer_types=["dense", "sparse", "sparse"],
              rope_parameters=dict(
                  sliding_attention=dict(rope_type="default", rope_theta=1e2, partial_rotary_factor=0.334),
                  full_attention=dict(rope_type="default", rope_theta=1e4, partial_rotary_factor=0.334))),
         [OF_ALL], apart=True),
    Case("minimax_m2", "minimax_m2",
         dict(MIXTURE, intermediate_size=8, num_hidden_layers=2, head_dim=10, num_local_experts=6,
              num_experts_per_tok=3,
              rope_parameters=dict(rope_type="default", rope_theta=1e4, partial_rotary_factor=0.4)),
         [Variant("v4", v4="rope_type")], apart=True),
    Case("solar_open", "solar_open",
         dict({name: value for name, value in ROUTED.items() if name != "intermediate_size"}, head_dim=10,
              attention_bias=True),
         [Variant("v4", v4="rope_type")], apart=True),
]
