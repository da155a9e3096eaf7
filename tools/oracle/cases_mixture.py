"""Mixtures of experts, one case for each architecture, alphabetical.

Experts are chosen from few, so that every branch of a choice is met: groups are fewer than experts,
some are left out, and corrections change who is chosen.
"""

from cases import BOUNDARY, EPSILON, LONG_FACTOR, MIXTURE, SHORT_FACTOR, SHORT_PROMPT, WINDOW, Case, Variant

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

def stacked(name, noise):
    """Experts' matrices that stand transposed."""
    if noise.ndim == 3:
        return 1.4 * noise / noise.shape[1] ** 0.5


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
    # Files hold a layer more, which predicts further tokens.
    Case("glm4_moe", "glm4_moe",
         dict(ROUTED, first_k_dense_replace=1, head_dim=12, attention_bias=True, use_qk_norm=True,
              num_nextn_predict_layers=1),
         [Variant("v4", v4="rope_type"), OF_ALL, ONE_GROUP], apart=True, salt=2,
         unread={"model.layers.2.eh_proj.weight": [24, 48]}),
    Case("granitemoe", "granitemoe", GRANITE, [Variant("v4", v4="rope_type")], apart=True),
    Case("granitemoeshared", "granitemoeshared", dict(GRANITE, shared_intermediate_size=28)),
    Case("hunyuan_v1_moe", "hunyuan_v1_moe",
         dict(MIXTURE, intermediate_size=12, num_hidden_layers=2, head_dim=10, num_experts=5, moe_topk=2,
              attention_bias=True, rope_parameters=dict(rope_type="dynamic", rope_theta=1e2, alpha=30.0, factor=1.0)),
         [Variant("topk_list", changes=dict(moe_topk=[3, 3]))], apart=True),
    # Layer 0 turns and sees its chunk, layer 1 turns nothing, sees everything and has experts.
    Case("llama4", "llama4_text",
         dict(MIXTURE, intermediate_size=12, intermediate_size_mlp=20, num_hidden_layers=2, head_dim=10,
              num_local_experts=4, num_experts_per_tok=2, interleave_moe_layer_step=2, no_rope_layers=[1, 0],
              attention_chunk_size=WINDOW, attn_scale=0.4, floor_scale=6, attention_bias=True,
              rope_parameters=dict(rope_type="llama3", rope_theta=5e2, factor=16.0, low_freq_factor=1.0,
                                   high_freq_factor=1.0, original_max_position_embeddings=64)),
         [Variant("plain", changes=dict(use_qk_norm=False, attn_temperature_tuning=False))], shape=stacked, salt=4),
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
    # Scores come near each other.
    Case("phimoe", "phimoe",
         dict(MIXTURE, intermediate_size=8, num_hidden_layers=2, num_local_experts=5, attention_bias=True,
              lm_head_bias=True, router_jitter_noise=0.2, sliding_window=WINDOW,
              rope_parameters=dict(rope_type="default", rope_theta=1e4)),
         [Variant("longrope", prompt=SHORT_PROMPT,
                  changes=dict(rope_parameters=dict(rope_type="longrope", short_factor=SHORT_FACTOR[:3],
                                                    long_factor=LONG_FACTOR[:3], short_mscale=1.2, long_mscale=1.2,
                                                    original_max_position_embeddings=BOUNDARY, factor=4.0)))],
         apart=True, salt=1),
    Case("solar_open", "solar_open",
         dict({name: value for name, value in ROUTED.items() if name != "intermediate_size"}, head_dim=10,
              attention_bias=True),
         [Variant("v4", v4="rope_type")], apart=True),
]
