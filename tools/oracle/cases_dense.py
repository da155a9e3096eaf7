"""Oracle cases of dense decoders with RMS norms, one for each architecture, alphabetical.

They are narrow, to keep the committed files small. `head_dim` differs from hidden_size / heads wherever
the modeling code allows it.
"""

import numpy

from cases import EPSILON, NULL, TOKENS, WINDOW, Case, Variant

NARROW = dict(
    TOKENS, hidden_size=24, intermediate_size=36, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, head_dim=10, max_position_embeddings=256, rms_norm_eps=EPSILON,
)
# Frequencies that differ from one pair to the next, and turn far within the prompt.
ROTARY = dict(rope_type="default", rope_theta=500.0)
V4 = [Variant("v4", v4="rope_type")]


def narrow(**changes):
    return {**NARROW, "rope_parameters": ROTARY, **changes}


def less_one(name, noise):
    """Norms that multiply by 1 + weight."""
    return 0.3 * noise if noise.ndim == 1 and name.endswith("norm.weight") else None


def routed(name, noise):
    """A router whose input is divided by its width."""
    return 1.4 * noise * noise.shape[-1] ** 0.5 if name.endswith("modality_router.weight") else None


def xielu(name, noise):
    """The constants of the activation are tensors; they differ from the published ones to show that they are read."""
    constants = {"act_fn.beta": 0.4, "act_fn.eps": -1e-6}
    found = [value for end, value in constants.items() if name.endswith(end)]
    return numpy.array(found[0]) if found else None


# Streams are kept before the layers of the first two lists and mixed in before those of the others.
SKIPS = dict(bskcn_1=[1, 2], bskcn_2=[1], bskcn_3=[3], bskcn_4=[3, 4], bskcn_tv=[0.9, 0.8])


def skip_layers(model):
    """Solar Pro's skips, as vLLM's solar.py has them, around the layers of Llama."""
    config, kept = model.config, {}

    def before(layer):
        def mix(module, args):
            stream = args[0]
            for keep, name in [(config.bskcn_1, 1), (config.bskcn_2, 2)]:
                if layer in keep:
                    kept[name] = stream
            for mixed, name in [(config.bskcn_3, 1), (config.bskcn_4, 2)]:
                if layer in mixed:
                    stream = kept[name] * config.bskcn_tv[1] + stream * (1 - config.bskcn_tv[1])
            return (stream, *args[1:])
        return mix

    for layer, module in enumerate(model.model.layers):
        module.register_forward_pre_hook(before(layer))


QWEN2_ONLY = dict(use_sliding_window=None, sliding_window=None, max_window_layers=None, layer_types=None)

GEMMA4 = narrow(
    hidden_size=16, intermediate_size=12, num_attention_heads=2, num_key_value_heads=1, head_dim=6, global_head_dim=8,
    sliding_window=WINDOW, tie_word_embeddings=True,
    rope_parameters=dict(sliding_attention=dict(rope_type="default", rope_theta=1e2),
                         full_attention=dict(rope_type="proportional", rope_theta=1e2, partial_rotary_factor=0.5)))


def global_fields(as_dict):
    """Gemma 4's configuration before transformers wrote the sizes of each layer."""
    result = dict(as_dict)
    (sizes,) = result.pop("per_layer_config").values()
    return dict(result, global_head_dim=sizes["head_dim"], num_global_key_value_heads=sizes["num_key_value_heads"])


CASES = [
    Case("apertus", "apertus",
         narrow(attention_bias=True,
                rope_parameters=dict(rope_type="llama3", rope_theta=5e3, factor=8.0, low_freq_factor=1.0,
                                     high_freq_factor=4.0, original_max_position_embeddings=64)), V4, salt=1, shape=xielu),
    Case("arcee", "arcee",
         narrow(attention_bias=True, mlp_bias=True,
                rope_parameters=dict(rope_type="yarn", rope_theta=1e3, factor=4.0, mscale=1.0,
                                     original_max_position_embeddings=64)), V4),
    Case("bitnet", "bitnet", narrow(hidden_size=40, attention_bias=True), V4),
    # Columns fill blocks.
    Case("bitnet_packed", "bitnet",
         narrow(hidden_size=64, intermediate_size=96, head_dim=16, tie_word_embeddings=True), ternary=True,
         written_as=(dict(model_type="bitnet", quantization_config=dict(
             quant_method="bitnet", linear_class="autobitlinear", quantization_mode="offline")), {})),
    Case("cwm", "cwm",
         narrow(sliding_window=WINDOW, layer_types=["full_attention", "sliding_attention"],
                rope_parameters=dict(rope_type="llama3", rope_theta=5e3, factor=8.0, low_freq_factor=1.0,
                                     high_freq_factor=4.0, original_max_position_embeddings=64)), V4),
    Case("ernie4_5", "ernie4_5", narrow(use_bias=True, tie_word_embeddings=True), V4),
    Case("exaone4", "exaone4",
         narrow(num_hidden_layers=4, sliding_window=WINDOW, layer_types=["sliding_attention"] * 3 + ["full_attention"]),
         [*V4, Variant("all_full", changes=dict(sliding_window=NULL, layer_types=["full_attention"] * 4))], salt=4),
    Case("gemma", "gemma", narrow(num_key_value_heads=1, tie_word_embeddings=True), V4, shape=less_one),
    Case("gemma2", "gemma2",
         narrow(sliding_window=WINDOW, query_pre_attn_scalar=20, attn_logit_softcapping=1.5, final_logit_softcapping=6.0,
                tie_word_embeddings=True),
         [*V4, Variant("uncapped", changes=dict(attn_logit_softcapping=NULL, final_logit_softcapping=NULL))],
         shape=less_one),
    # The upper two layers read the keys and values of the second and third; the last ids have no row in the second table.
    Case("gemma3n_text", "gemma3n_text",
         narrow(hidden_size=16, intermediate_size=[20, 28, 36, 20, 28], num_hidden_layers=5, num_attention_heads=2,
                num_key_value_heads=1, sliding_window=WINDOW, num_kv_shared_layers=2, laurel_rank=6,
                layer_types=[f"{kind}_attention" for kind in ["sliding", "full", "sliding", "sliding", "full"]],
                activation_sparsity_pattern=[0.6, 0.0, 0.3, 0.0, 0.0], altup_num_inputs=4, altup_active_idx=1,
                vocab_size_per_layer_input=100, hidden_size_per_layer_input=6, final_logit_softcapping=6.0,
                tie_word_embeddings=True,
                rope_parameters=dict(sliding_attention=dict(rope_type="default", rope_theta=1e2),
                                     full_attention=dict(rope_type="linear", rope_theta=1e3, factor=2.0))),
         [Variant("unscaled", changes=dict(altup_correct_scale=False))], decided=0.8, salt=2, shape=routed),
    # Upper layers read the keys and values of lower ones and are wider inside.
    Case("gemma4", "gemma4_text",
         dict(GEMMA4, num_hidden_layers=5, num_kv_shared_layers=2, use_double_wide_mlp=True,
              layer_types=[f"{kind}_attention" for kind in ["sliding", "full", "sliding", "sliding", "full"]],
              vocab_size_per_layer_input=128, hidden_size_per_layer_input=4, final_logit_softcapping=6.0),
         inside=("gemma4", "Gemma4ForConditionalGeneration"),
         beside=(("model.embed_vision.embedding_projection.weight", "model.layers.3.self_attn.k_norm.weight"),
                 dict(boi_token_id=5, image_token_id=6, audio_config=None, vision_config=None)), decided=0.8, salt=1),
    # Keys are values where there is no window.
    Case("gemma4_moe", "gemma4_text",
         dict(GEMMA4, num_hidden_layers=2, layer_types=["sliding_attention", "full_attention"], attention_bias=True,
              num_attention_heads=4, num_key_value_heads=2, num_global_key_value_heads=1, attention_k_eq_v=True, hidden_size_per_layer_input=0, enable_moe_block=True,
              num_experts=5, top_k_experts=2, moe_intermediate_size=12),
         [Variant("global", spelling=global_fields)]),
    Case("glm", "glm", narrow(head_dim=12, attention_bias=True, rope_parameters=dict(ROTARY, partial_rotary_factor=0.5)), V4),
    Case("glm4", "glm4", narrow(head_dim=12, attention_bias=True, rope_parameters=dict(ROTARY, partial_rotary_factor=0.5)), V4),
    Case("granite", "granite",
         narrow(attention_bias=True, mlp_bias=True, tie_word_embeddings=True, embedding_multiplier=3.0,
                attention_multiplier=0.2, residual_multiplier=0.6, logits_scaling=0.7), V4),
    # The output projection is square.
    Case("helium", "helium", narrow(hidden_size=40, attention_bias=True, mlp_bias=True), V4),
    Case("hyperclovax", "hyperclovax",
         narrow(attention_bias=True, mlp_bias=True, embedding_multiplier=3.0, attention_multiplier=0.2,
                residual_multiplier=0.6, logits_scaling=1.4, use_post_norm=True), V4, salt=1),
    Case("hunyuan_v1_dense", "hunyuan_v1_dense",
         narrow(attention_bias=True, rope_parameters=dict(rope_type="dynamic", rope_theta=100.0, alpha=20.0, factor=1.0)),
         [Variant("v4", v4="type")]),
    # Qwen 2 has biases on queries, keys and values only, Llama on all.
    Case("internlm3", "qwen2", narrow(),
         V4, written_as=(dict(model_type="internlm3", architectures=["InternLM3ForCausalLM"], qkv_bias=True, bias=False),
                        QWEN2_ONLY)),
    Case("internlm3_biases", "llama",
         narrow(attention_bias=True, mlp_bias=True, max_position_embeddings=24,
                rope_parameters=dict(rope_type="dynamic", rope_theta=500.0, factor=3.0)),
         [Variant("v4", v4="rope_type")],
         written_as=(dict(model_type="internlm3", architectures=["InternLM3ForCausalLM"]),
                    dict(attention_bias="qkv_bias", mlp_bias="bias"))),
    Case("mimo", "qwen2", narrow(),
         V4, written_as=(dict(model_type="mimo", architectures=["MiMoForCausalLM"], attention_bias=True,
                             num_nextn_predict_layers=1), dict(layer_types=None)),
         unread={"model.mtp_layers.0.input_layernorm.weight": [24], "model.mtp_layers.0.input_proj.weight": [24, 48]}),
    Case("ministral", "ministral", narrow(sliding_window=WINDOW, layer_types=["sliding_attention", "full_attention"])),
    # Queries grow with every eighth position.
    Case("ministral3", "ministral3",
         narrow(rope_parameters=dict(rope_type="yarn", rope_theta=1e3, factor=8.0, beta_fast=4.0, beta_slow=1.0,
                                     mscale=1.0, mscale_all_dim=1.0, original_max_position_embeddings=8,
                                     llama_4_scaling_beta=0.3)),
         [Variant("window", changes=dict(sliding_window=WINDOW))], salt=1),
    Case("nanochat", "nanochat", narrow(final_logit_softcapping=6.0, attention_bias=True),
         [*V4, Variant("uncapped", changes=dict(final_logit_softcapping=NULL))], salt=2),
    Case("olmo2", "olmo2", narrow(attention_bias=True), V4),
    Case("olmo3", "olmo3",
         narrow(num_hidden_layers=4, sliding_window=WINDOW,
                rope_parameters=dict(
                    sliding_attention=dict(rope_type="default", rope_theta=5e5),
                    full_attention=dict(rope_type="yarn", rope_theta=5e5, factor=4.0, beta_fast=4.0, beta_slow=1.0,
                                        original_max_position_embeddings=64))), V4),
    Case("seed_oss", "seed_oss", narrow(attention_bias=True, attention_out_bias=False, mlp_bias=True), V4),
    # Layers without rotary embedding have the window.
    Case("smollm3", "smollm3",
         narrow(num_hidden_layers=4, attention_bias=True, mlp_bias=True, tie_word_embeddings=True,
                no_rope_layer_interval=2, use_sliding_window=True, sliding_window=WINDOW),
         [*V4, Variant("off", changes=dict(use_sliding_window=False, layer_types=["full_attention"] * 4)),
          Variant("layers", changes=dict(no_rope_layers=[1, 1, 0, 1]))], salt=1),
    Case("solar", "llama",
         narrow(num_hidden_layers=5, intermediate_size=28, **SKIPS), V4, change=skip_layers,
         written_as=(dict(model_type="solar", architectures=["SolarForCausalLM"], sliding_window=None), {})),
    Case("vaultgemma", "vaultgemma",
         narrow(sliding_window=WINDOW, query_pre_attn_scalar=20, attn_logit_softcapping=1.5, final_logit_softcapping=6.0,
                tie_word_embeddings=True), V4, shape=less_one),
]
