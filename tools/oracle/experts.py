"""Experts' matrices as published files hold them, one by one, and as transformers does, in stacks."""

import re

import torch

USUAL = ("mlp", ("gate_proj", "up_proj", "down_proj"))
# The place of a layer's experts, then gate, up and down.
PUBLISHED = dict(
    mixtral=("block_sparse_moe", ("w1", "w3", "w2")),
    olmoe=USUAL,
    qwen2_moe=USUAL,
    qwen3_moe=USUAL,
    qwen3_next=USUAL,
)
PUBLISHED |= dict.fromkeys((
    "afmoe", "deepseek_v2", "deepseek_v3", "dots1", "ernie4_5_moe", "exaone_moe", "flex_olmo", "glm4_moe",
    "glm4_moe_lite", "hunyuan_v1_moe", "mimo_v2_flash", "sarvam_moe", "solar_open",
), USUAL)
PUBLISHED |= dict(minimax_m2=PUBLISHED["mixtral"], phimoe=PUBLISHED["mixtral"])

# Other ends of names: in transformers, and in published files.
RENAMED = dict(
    ernie4_5_moe=[("mlp.gate.moe_statics.e_score_correction_bias", "mlp.moe_statics.e_score_correction_bias")],
    exaone_moe=[("mlp.gate.e_score_correction_bias", "mlp.e_score_correction_bias")],
    granitemoe=[("block_sparse_moe.experts.gate_up_proj", "block_sparse_moe.input_linear.weight"),
                ("block_sparse_moe.experts.down_proj", "block_sparse_moe.output_linear.weight"),
                ("block_sparse_moe.router.weight", "block_sparse_moe.router.layer.weight")],
    mimo_v2_flash=[("self_attn.sinks", "self_attn.attention_sink_bias")],
    phimoe=[("mlp.router.weight", "block_sparse_moe.gate.weight")],
    sarvam_moe=[("embed_tokens.weight", "word_embeddings.weight"), ("self_attn.o_proj.weight", "attention.dense.weight"),
                ("self_attn.q_norm.weight", "attention.query_layernorm.weight"),
                ("self_attn.k_norm.weight", "attention.key_layernorm.weight"),
                ("mlp.gate.e_score_correction_bias", "mlp.gate.expert_bias")],
)
RENAMED["granitemoeshared"] = RENAMED["granitemoe"]


# Queries, keys and values of these are one matrix in published files.
JOINED = {"sarvam_moe": ("self_attn", "attention.query_key_value")}


def joined(state: dict, model_type: str) -> dict:
    """The state with the three matrices of attention in one."""
    if model_type not in JOINED:
        return state
    own, other = JOINED[model_type]
    result = dict(state)
    for name in state:
        place, found, kind = name.partition(f".{own}.q_proj.")
        if found:
            parts = [result.pop(f"{place}.{own}.{which}_proj.{kind}") for which in "qkv"]
            result[f"{place}.{other}.{kind}"] = torch.cat(parts)
    return result


def split(state: dict, model_type: str) -> dict:
    """Back from `joined`: queries have as many rows as the output has columns."""
    if model_type not in JOINED:
        return state
    own, other = JOINED[model_type]
    result = dict(state)
    for name in state:
        place, found, kind = name.partition(f".{other}.")
        if found:
            rows = result.pop(name)
            queries = state[f"{place}.{own}.o_proj.weight"].shape[1]
            keys = (rows.shape[0] - queries) // 2
            for which, part in zip("qkv", rows.split([queries, keys, keys])):
                result[f"{place}.{own}.{which}_proj.{kind}"] = part.contiguous()
    return result


def renamed(state: dict, model_type: str, back: bool) -> dict:
    """The state with the names of published files, or back from them."""
    pairs = [pair[::-1] if back else pair for pair in RENAMED.get(model_type, [])]
    result = {}
    for name, tensor in state.items():
        for own, other in pairs:
            if name.endswith("." + own):
                name = name.removesuffix(own) + other
                break
        result[name] = tensor
    return result


def apart(state: dict, model_type: str) -> dict:
    """The names and tensors of a published file."""
    state = renamed(joined(state, model_type), model_type, back=False)
    if model_type not in PUBLISHED:
        return state
    place, names = PUBLISHED[model_type]
    result = {}
    for name, tensor in state.items():
        layer, _, rest = name.partition(".mlp.")
        if rest == "experts.gate_up_proj":
            gates, ups = tensor.chunk(2, dim=1)
            parts = list(zip((names[0], names[1]), (gates, ups)))
        elif rest == "experts.down_proj":
            parts = [(names[2], tensor)]
        else:
            result[f"{layer}.{place}.{rest}" if rest else name] = tensor
            continue
        for own, stack in parts:
            for expert, matrix in enumerate(stack):
                result[f"{layer}.{place}.experts.{expert}.{own}.weight"] = matrix.contiguous()
    return result


def together(state: dict, model_type: str) -> dict:
    """The names and tensors of transformers; a file that has them already stays as it is."""
    state = split(renamed(state, model_type, back=True), model_type)
    if model_type not in PUBLISHED:
        return state
    place, names = PUBLISHED[model_type]
    own = "|".join(names)
    pattern = re.compile(rf"(.*)\.{place}\.experts\.(\d+)\.({own})\.weight")
    result, matrices = {}, {}
    for name, tensor in state.items():
        if found := pattern.fullmatch(name):
            layer, expert, which = found[1], int(found[2]), names.index(found[3])
            matrices.setdefault(layer, {})[expert, which] = tensor
        else:
            result[name.replace(f".{place}.", ".mlp.")] = tensor
    for layer, of in matrices.items():
        count = len(of) // 3
        both = [torch.cat([of[expert, 0], of[expert, 1]]) for expert in range(count)]
        result[f"{layer}.mlp.experts.gate_up_proj"] = torch.stack(both)
        result[f"{layer}.mlp.experts.down_proj"] = torch.stack([of[expert, 2] for expert in range(count)])
    return result
