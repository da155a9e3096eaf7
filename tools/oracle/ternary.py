"""Matrices of -1, 0 and 1 as BitNet's files hold them, packed and unpacked by transformers itself."""

import torch
from transformers.integrations.bitnet import pack_weights, unpack_weights


def apart(state: dict) -> dict:
    """Every projection rounded to the nearest of -1, 0 and 1 of its mean magnitude, and packed."""
    stored = {}
    for name, tensor in state.items():
        if not name.endswith("_proj.weight"):
            stored[name] = tensor
            continue
        scale = tensor.abs().mean().bfloat16()
        codes = (tensor / scale.float()).round().clamp(-1, 1)
        stored[name] = pack_weights(codes.clone())
        stored[f"{name}_scale"] = scale[None]
        with torch.compiler.set_stance("force_eager"):
            assert torch.equal(unpack_weights(stored[name], dtype=torch.float32), codes), name
    return stored


def together(state: dict) -> dict:
    """The values of packed matrices; others as they are."""
    scales = {name.removesuffix("_scale"): tensor.float() for name, tensor in state.items() if name.endswith(".weight_scale")}
    with torch.compiler.set_stance("force_eager"):
        return {name: unpack_weights(tensor, dtype=torch.float32) * scales[name] if name in scales else tensor
                for name, tensor in state.items() if not name.endswith(".weight_scale")}
