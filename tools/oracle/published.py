"""Write tiny checkpoints in the published quantized forms, and the logits of what they mean.

    python tools/oracle/published.py [--out tests/oracle] [CASE ...]

`tools/oracle/regenerate-published` runs this in its own pinned environment. The reference is
transformers' model in float32 with the decoded weights; `packing.py` says who decodes what.
tests/oracle/README.md describes the files.
"""

import argparse
import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import torch
from compressed_tensors.quantization import QuantizationArgs, QuantizationConfig, QuantizationScheme
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

import packing
from cases import EPSILON, TOKENS, Case
from models import DECIDED, config_dict, greedy, make_config, prompt_ids, seeded_state, write_json

LLAMA = dict(
    TOKENS, hidden_size=128, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, head_dim=32, max_position_embeddings=256, rms_norm_eps=EPSILON,
    tie_word_embeddings=True,
)
ONE_LAYER = dict(LLAMA, num_hidden_layers=1, intermediate_size=256)
PHI3 = dict(
    TOKENS, hidden_size=128, intermediate_size=96, num_hidden_layers=1, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=256, rms_norm_eps=EPSILON,
)


@dataclass
class Published:
    """A directory: its settings, and how each module is packed (None: it stays plain)."""

    name: str
    quantization: dict
    pack: Callable
    config: dict = field(default_factory=lambda: LLAMA)
    model_type: str = "llama"
    salt: int = 0


def scheme(targets, format, **weights):
    return QuantizationScheme(targets=targets, weights=QuantizationArgs(**weights), format=format)


def compressed(name, schemes, **more):
    """A case of compressed-tensors with these groups."""
    groups = {f"group_{at}": scheme for at, scheme in enumerate(schemes)}
    formats = {scheme.format for scheme in schemes}
    whole = formats.pop() if len(formats) == 1 else "mixed-precision"
    settings = QuantizationConfig(config_groups=groups, format=whole, quantization_status="compressed",
                                  ignore=["lm_head"]).to_dict()

    def pack(module, weight):
        for scheme in schemes:
            if any(re.match(target.removeprefix("re:"), module) for target in scheme.targets):
                return packing.compressed(weight, scheme)
        return None

    return Published(name, json.loads(json.dumps(settings, default=str)), pack, **more)


def by_layer(first, second):
    """One way to pack layer 0, another for layer 1."""
    return lambda module, weight: (first if ".layers.0." in module else second)(weight)


def shuffled(columns):
    generator = torch.Generator().manual_seed(columns)
    return torch.randperm(columns, generator=generator)


INT, FLOAT = dict(type="int"), dict(type="float", num_bits=8)
CASES = [
    Published("llama_fp8", dict(quant_method="fp8", activation_scheme="dynamic", fmt="e4m3",
                                weight_block_size=[128, 128], modules_to_not_convert=["lm_head"]),
              lambda module, weight: packing.fp8_blocks(weight), config=ONE_LAYER),
    compressed("llama_ct_fp8", [
        scheme(["re:.*self_attn.[qk]"], "float-quantized", strategy="channel", **FLOAT),
        scheme(["re:.*self_attn.[vo]"], "float-quantized", strategy="tensor", **FLOAT),
        scheme(["re:.*gate_proj"], "float-quantized", strategy="block", block_structure=[64, 32], **FLOAT),
        scheme(["re:.*down_proj"], "float-quantized", strategy="group", group_size=64, **FLOAT),
    ], config=ONE_LAYER),
    compressed("llama_ct_int", [
        scheme(["re:.*0.self_attn"], "pack-quantized", num_bits=4, strategy="group", group_size=32, **INT),
        scheme(["re:.*0.mlp"], "pack-quantized", num_bits=4, strategy="group", group_size=64, symmetric=False, **INT),
        scheme(["re:.*1.self_attn"], "pack-quantized", num_bits=4, strategy="channel", symmetric=False, **INT),
        scheme(["re:.*1.mlp.gate"], "pack-quantized", num_bits=8, strategy="group", group_size=128, **INT),
        scheme(["re:.*1.mlp.up"], "int-quantized", num_bits=8, strategy="channel", **INT),
        scheme(["re:.*1.mlp.down"], "int-quantized", num_bits=8, strategy="channel", symmetric=False, **INT),
    ]),
    compressed("llama_ct_fp4", [
        scheme(["re:.*self_attn"], "nvfp4-pack-quantized", num_bits=4, type="float", strategy="tensor_group",
               group_size=16, scale_dtype=torch.float8_e4m3fn),
        scheme(["re:.*0.mlp"], "mxfp4-pack-quantized", num_bits=4, type="float", strategy="group", group_size=32,
               scale_dtype=torch.uint8),
        scheme(["re:.*1.mlp"], "mxfp8-quantized", strategy="group", group_size=32, scale_dtype=torch.uint8, **FLOAT),
    ], salt=1),
    compressed("phi3_ct_int", [
        scheme(["re:.*proj"], "pack-quantized", num_bits=4, strategy="group", group_size=32, **INT),
    ], config=PHI3, model_type="phi3"),
    Published("llama_awq", dict(quant_method="awq", bits=4, group_size=32, zero_point=True, version="gemm",
                                modules_to_not_convert=None),
              lambda module, weight: packing.awq(weight, 32)),
    Published("llama_gptq", dict(quant_method="gptq", bits=4, group_size=64, desc_act=False, sym=True,
                                 checkpoint_format="gptq"),
              by_layer(lambda weight: packing.gptq(weight, 4, 64, True, "gptq"),
                       lambda weight: packing.gptq(weight, 4, 64, False, "gptq"))),
    Published("llama_gptq_act", dict(quant_method="gptq", bits=4, group_size=32, desc_act=True, sym=False,
                                     checkpoint_format="gptq_v2"),
              lambda module, weight: packing.gptq(weight, 4, 32, False, "gptq_v2", shuffled(weight.shape[1]))),
    Published("llama_nvfp4", dict(quant_method="modelopt", quant_algo="NVFP4", ignore=["lm_head"],
                                  kv_cache_scheme=dict(num_bits=8, type="float", dynamic=False)),
              lambda module, weight: packing.modelopt_nvfp4(weight)),
    Published("llama_modelopt_fp8", dict(quant_method="modelopt", quant_algo="FP8", exclude_modules=["lm_head"]),
              lambda module, weight: packing.modelopt_fp8(weight), config=ONE_LAYER, salt=1),
]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("tests/oracle"))
    arguments.add_argument("cases", nargs="*", help="names of cases; all when absent")
    options = arguments.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    for case in CASES:
        if not options.cases or case.name in options.cases:
            write_case(case, options.out / case.name)
    index = [dict(case=case.name, model_type=case.model_type, dtype="quantized", config="config.json",
                  reference="reference.safetensors") for case in CASES]
    write_json(options.out / "index.published.json", index)
    write_gpt_oss(options.out / "../../crates/checkpoint/tests/fixtures/gpt_oss.safetensors")


@torch.no_grad()
def write_case(published: Published, directory: Path):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    case = Case(published.name, published.model_type, published.config, salt=published.salt)
    config = make_config(published.model_type, published.config)
    stored, meant = {}, {}
    for name, tensor in seeded_state(case, config).items():
        module = name.removesuffix(".weight")
        packed = published.pack(module, tensor) if name.endswith("_proj.weight") else None
        if packed is None:
            stored[name] = tensor.bfloat16()
            meant[name] = stored[name].float()
        else:
            tensors, meant[name] = packed
            stored.update({f"{module}.{end}": part for end, part in tensors.items()})
            error = (meant[name] - tensor).norm() / tensor.norm()
            assert error < 0.2, f"{published.name}: {name} is off by {error}"
    save_file(stored, directory / "model.safetensors", metadata={"format": "pt"})
    as_dict = dict(config_dict(config, "bfloat16"), quantization_config=published.quantization)
    write_json(directory / "config.json", as_dict)
    result = reference(case, config, meant)
    save_file(result, directory / "reference.safetensors")
    size = sum(file.stat().st_size for file in directory.iterdir())
    print(f"{case.name:18} {size / 1024:6.0f} KiB  top-2 gap {result['top2_gap'].min():.3f} at least", flush=True)


def reference(case: Case, config, state: dict) -> dict:
    """The logits of these weights in float32."""
    config._attn_implementation = "eager"
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    missing = set(model.state_dict()) - set(state)
    assert missing <= {"lm_head.weight"}, missing
    model.load_state_dict(state, strict=False)
    model.tie_weights()
    ids = prompt_ids(case, 40)
    logits = model(ids, use_cache=False).logits
    top = logits.topk(2, dim=-1).values
    tokens, least = greedy(model, ids)
    assert least > DECIDED, f"{case.name}: greedy hangs on {least}; choose another salt"
    return dict(input_ids=ids, logits=logits.contiguous(), greedy=tokens,
                top2_gap=(top[..., 0] - top[..., 1]).contiguous())


def write_gpt_oss(file: Path):
    """Stacked MXFP4 experts, every code under scales of all sizes, decoded by transformers."""
    generator = torch.Generator().manual_seed(1)
    tensors = {}
    for name, shape in {"gate_up_proj": (2, 12, 3), "down_proj": (2, 6, 2)}.items():
        blocks = torch.randint(0, 256, (*shape, 16), generator=generator, dtype=torch.uint8)
        scales = torch.randint(1, 250, shape, generator=generator, dtype=torch.uint8)
        values = convert_moe_packed_tensors(blocks, scales, dtype=torch.float32)
        tensors[f"{name}_blocks"], tensors[f"{name}_scales"] = blocks, scales
        # transformers transposes them; a file's rows are the outputs.
        tensors[f"{name}.values"] = values.transpose(1, 2).contiguous()
    save_file(tensors, file)
    print(file.resolve().name, file.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
