"""Experts' matrices as published files hold them, one by one, and as transformers does, in stacks."""

import re

import torch

# The place of a layer's experts, then gate, up and down.
PUBLISHED = dict(
    mixtral=("block_sparse_moe", ("w1", "w3", "w2")),
    olmoe=("mlp", ("gate_proj", "up_proj", "down_proj")),
    qwen2_moe=("mlp", ("gate_proj", "up_proj", "down_proj")),
    qwen3_moe=("mlp", ("gate_proj", "up_proj", "down_proj")),
    qwen3_next=("mlp", ("gate_proj", "up_proj", "down_proj")),
)


def apart(state: dict, model_type: str) -> dict:
    """The names and tensors of a published file."""
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
