"""Write tiny seeded checkpoints and the logits that transformers gives for them.

    python tools/oracle/models.py [--out tests/oracle] [CASE ...]

`tools/oracle/regenerate` runs this in its own pinned environment. The output is a function of the
case table, the pinned versions and the kind of CPU; tests/oracle/README.md describes the files.
"""

import argparse
import copy
import json
import shutil
import sys
import zlib
from pathlib import Path

import numpy
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.core_model_loading import revert_weight_conversion
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
from transformers.models.gemma3 import modeling_gemma3

import experts
import rope
import rwkv7  # Makes its model known to transformers.
import ternary
import tokenizer
from cases import CASES, NULL, PROMPT, VOCABULARY, Case, Variant
from groups import GROUPS

NEW_TOKENS = 12
# The least top-2 gap of a greedy step, far above float32's error and below a wrong model's.
DECIDED = 0.02
DTYPES = dict(float32=torch.float32, bfloat16=torch.bfloat16)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("tests/oracle"))
    arguments.add_argument("cases", nargs="*", help="names from cases.py; all when absent")
    options = arguments.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    everything = CASES + [case for cases in GROUPS.values() for case in cases]
    unknown = set(options.cases) - {case.name for case in everything}
    if unknown:
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    for case in everything:
        if not options.cases or case.name in options.cases:
            write_case(case, options.out / case.name)
    write_json(options.out / "rope.json", rope.table())
    for file, cases in [("index.json", CASES), *((f"index.of.{group}.json", cases) for group, cases in GROUPS.items())]:
        write_json(options.out / file, [entry for case in cases for entry in index_of(case)])


def write_case(case: Case, directory: Path):
    """One directory: weights, configs, tokenizer, references."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    config = make_config(case.model_type, case.config)
    state = seeded_state(case, config)
    stored = {name: tensor.to(DTYPES[case.dtype]) for name, tensor in state.items()}
    if case.apart:
        stored = experts.apart(stored, case.model_type)
    if case.ternary:
        stored = ternary.apart(stored)
    if case.renamed:
        stored = renamed(stored, *case.renamed)
    stored.update({name: torch.ones(shape, dtype=DTYPES[case.dtype]) for name, shape in case.unread.items()})
    as_dict = config_dict(config, case.dtype)
    if case.published:
        stored = revert_weight_conversion(AutoModelForCausalLM.from_config(config), stored)
    if case.inside:
        stored, as_dict = inside(stored, as_dict, case)
    write_weights(stored, directory, case.shards)
    write_json(directory / "config.json", as_dict)
    write_json(directory / "generation_config.json",
               {"_from_model_config": True, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0})
    tokenizer.write(directory, VOCABULARY)
    main_reference = reference(directory, "config.json", case, PROMPT)
    save_file(main_reference, directory / "reference.safetensors")
    for variant in case.variants:
        write_variant(case, variant, config, directory, main_reference)
    if case.apart or case.renamed:
        check_published(directory, main_reference)
    for file in directory.glob("config*.json") if case.written_as else []:
        write_json(file, written_as(json.loads(file.read_text()), *case.written_as))
    gap = main_reference["top2_gap"]
    size = sum(file.stat().st_size for file in directory.iterdir())
    print(f"{case.name:18} {size / 1024:6.0f} KiB  logits {main_reference['logits'].std():.2f} std, "
          f"top-2 gap {gap.min():.3f} at least, {gap.median():.2f} median", flush=True)


def write_variant(case: Case, variant: Variant, config, directory: Path, main_reference: dict):
    file = "config.json"
    if variant.v4 or variant.changes or variant.spelling:
        file = f"config.{variant.name}.json"
        as_dict = json.loads((directory / "config.json").read_text())
        as_dict = older_form(as_dict, variant.v4) if variant.v4 else changed(as_dict, variant.changes)
        as_dict = variant.spelling(as_dict) if variant.spelling else as_dict
        write_json(directory / file, as_dict)
    result = reference(directory, file, case, variant.prompt or PROMPT, variant.softcap)
    same = torch.equal(result["input_ids"], main_reference["input_ids"]) and \
        torch.equal(result["logits"], main_reference["logits"])
    if variant.v4 or variant.spelling:
        # The two spellings are one model: this is a check of `older_form` by transformers itself.
        assert same, f"{case.name}: {file} is another model than config.json"
    else:
        assert not same, f"{case.name}: variant {variant.name} changes nothing"
        save_file(result, directory / f"reference.{variant.name}.safetensors")


@torch.no_grad()
def check_published(directory: Path, main_reference: dict):
    """transformers' own loader reads the files as the same model."""
    model = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32, attn_implementation="eager")
    logits = model(main_reference["input_ids"], use_cache=False).logits
    assert torch.allclose(logits, main_reference["logits"], atol=1e-5), f"{directory.name}: another model"


def index_of(case: Case):
    """The (config, reference) pairs of a case, as tests read them."""
    model_type = case.written_as[0]["model_type"] if case.written_as else case.model_type
    entry = dict(case=case.name, model_type=model_type, dtype=case.dtype)
    yield dict(entry, config="config.json", reference="reference.safetensors")
    for variant in case.variants:
        own_config = variant.v4 or variant.changes or variant.spelling
        yield dict(entry,
                   config=f"config.{variant.name}.json" if own_config else "config.json",
                   reference="reference.safetensors" if variant.v4 or variant.spelling else f"reference.{variant.name}.safetensors")


# ---- weights ----------------------------------------------------------------------------------


def seeded_state(case: Case, config) -> dict:
    """Weights that cancel nothing: every vector perturbed, every matrix of about unit gain."""
    model = AutoModelForCausalLM.from_config(config)
    # numpy's stream is fixed by its documentation; torch's is not.
    random = numpy.random.Generator(numpy.random.PCG64(zlib.crc32((case.weights_of or case.name).encode())))
    tied = config.tie_word_embeddings
    state = {}
    for name, parameter in sorted(model.state_dict().items()):
        # What stands twice in a model stands once in its files.
        if tied and name == "lm_head.weight" or name in model.all_tied_weights_keys:
            continue
        if name.endswith(case.kept):
            state[name] = parameter.contiguous()
            continue
        noise = random.standard_normal(tuple(parameter.shape))
        state[name] = torch.from_numpy(shaped(name, noise, case, config)).to(torch.float32).contiguous()
    return state


def shaped(name: str, noise, case: Case, config):
    """The distribution of one tensor, by its role."""
    own = case.shape(name, noise) if case.shape else None
    if own is not None:
        return own
    if noise.ndim == 1:
        if name.endswith(".bias"):
            return 0.4 * noise
        # Rates and lengths of time steps under which states last for about ten tokens.
        if name.endswith(("A_log", "dt_bias")):
            return 0.5 * noise - 1.0
        # Norms of Gemma and Qwen 3 Next, but for the latter's gated ones, multiply by 1 + weight. Query and key norms set how decided attention is.
        centre = case.decided if "q_norm" in name or "k_norm" in name else 1.0
        less_one = case.model_type in ("gemma3_text", "qwen3_next") and "linear_attn" not in name
        centre -= 1.0 if less_one else 0.0
        return centre + 0.3 * noise
    if name.endswith(("embed_tokens.weight", "backbone.embeddings.weight")):
        # A tied embedding is the head too. Gemma scales it by sqrt(hidden) on the way in.
        scale = 0.45 if config.tie_word_embeddings else 1.0
        return scale * noise
    # Experts stand in stacks of matrices, those of gpt-oss transposed; their biases are rows.
    if name.endswith("_proj_bias"):
        return 0.4 * noise
    transposed = case.model_type == "gpt_oss" and noise.ndim == 3
    gain = 1.0 / numpy.sqrt(noise.shape[1 if transposed else -1])
    if name.endswith("lm_head.weight"):
        return 2.5 * gain * noise
    if name.endswith(("q_proj.weight", "k_proj.weight", "qkv_proj.weight")):
        return case.decided * gain * noise
    return 1.4 * gain * noise


def renamed(state: dict, old: str, new: str) -> dict:
    """Names that begin with `old` begin with `new`."""
    return {new + name[len(old):] if name.startswith(old) else name: tensor for name, tensor in state.items()}


def write_weights(state: dict, directory: Path, shards: int):
    if shards == 1:
        save_file(state, directory / "model.safetensors", metadata={"format": "pt"})
        return
    names = sorted(state)
    weight_map = {}
    for shard in range(shards):
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        # Every other tensor, so that each layer is spread over all shards.
        part = {name: state[name] for name in names[shard::shards]}
        save_file(part, directory / file, metadata={"format": "pt"})
        weight_map.update(dict.fromkeys(part, file))
    total = sum(tensor.numel() * tensor.element_size() for tensor in state.values())
    write_json(directory / "model.safetensors.index.json",
               {"metadata": {"total_size": total}, "weight_map": dict(sorted(weight_map.items()))})


# ---- configs ----------------------------------------------------------------------------------


def make_config(model_type: str, fields: dict):
    return AutoConfig.for_model(model_type, **copy.deepcopy(fields))


def config_dict(config, dtype: str) -> dict:
    """config.json as transformers 5 writes it."""
    as_dict = config.to_dict()
    model_class = type(AutoModelForCausalLM.from_config(config)).__name__
    as_dict.update(architectures=[model_class], dtype=dtype)
    return dict(sorted(as_dict.items()))


def inside(state: dict, text: dict, case: Case):
    """The text model's tensors and config as files of a model that also sees have them."""
    model_type, architecture = case.inside
    names, fields = case.beside
    moved = {name.replace("model.", "model.language_model.", 1): tensor for name, tensor in state.items()}
    # Parts that are none of the text model.
    extra = {name: torch.ones(3) for name in names}
    dtype, tied = text.pop("dtype"), text["tie_word_embeddings"]
    text.pop("architectures")
    whole = dict(fields, architectures=[architecture], dtype=dtype, model_type=model_type, text_config=text,
                 tie_word_embeddings=tied)
    return moved | extra, dict(sorted(whole.items()))


def changed(as_dict: dict, changes: dict) -> dict:
    result = copy.deepcopy(as_dict)
    for key, value in changes.items():
        if isinstance(value, dict):
            result[key].update(value)
        elif value is None:
            result.pop(key)
        else:
            result[key] = None if value is NULL else value
    return result


def written_as(as_dict: dict, fields: dict, names: dict) -> dict:
    """The same model as another architecture writes it."""
    kept = {names.get(key, key): value for key, value in as_dict.items() if names.get(key, key) is not None}
    return dict(sorted({**kept, **fields}.items()))


def older_form(as_dict: dict, spelling: str) -> dict:
    """The form on the hub before transformers 5: top-level theta and `rope_scaling`."""
    result = copy.deepcopy(as_dict)
    result["torch_dtype"] = result.pop("dtype")
    result["transformers_version"] = "4.46.0"
    parameters = result.pop("rope_parameters")
    if "full_attention" in parameters:
        local = parameters["sliding_attention"]["rope_theta"]
        parameters = parameters["full_attention"]
        # With one base for both kinds of layers, files name no other and list the layers.
        if local != parameters["rope_theta"]:
            result["rope_local_base_freq"] = local
            result["sliding_window_pattern"] = result.pop("layer_types").index("full_attention") + 1
    else:
        result.pop("layer_types", None)
    result["rope_theta"] = parameters.pop("rope_theta")
    partial = parameters.pop("partial_rotary_factor", None)
    if partial is not None:
        result["partial_rotary_factor"] = partial
    kind = parameters.pop("rope_type")
    keys = dict(type=["type"], rope_type=["rope_type"], both=["rope_type", "type"], su=["type"])[spelling]
    # Phi-3 has this at top level; transformers looks there for "longrope", but not for "su".
    if "original_max_position_embeddings" in as_dict and spelling != "su":
        parameters.pop("original_max_position_embeddings", None)
    scaling = {key: "su" if spelling == "su" else kind for key in keys} | parameters
    result["rope_scaling"] = None if kind == "default" else scaling
    return dict(sorted(result.items()))


# ---- references -------------------------------------------------------------------------------


@torch.no_grad()
def reference(directory: Path, config_file: str, case: Case, prompt: int, softcap: bool = False) -> dict:
    """Logits of the stored files, computed in float32, with eager attention."""
    ids = prompt_ids(case, prompt)
    model = load(directory, config_file, torch.float32, softcap, case)
    if case.change:
        case.change(model)
    logits = model(ids, use_cache=False).logits.float()
    top = logits.topk(2, dim=-1).values
    tokens, least_gap = greedy(model, ids)
    # A continuation that hangs on a rounding error would test nothing. Choose another `salt` then.
    assert least_gap > DECIDED, f"{case.name}, {config_file}, {prompt} tokens: greedy hangs on {least_gap}"
    result = dict(input_ids=ids, logits=logits.contiguous(), top2_gap=(top[..., 0] - top[..., 1]).contiguous(),
                  greedy=tokens)
    if case.dtype != "float32":
        # How far transformers itself strays when it computes in the stored type.
        low = load(directory, config_file, DTYPES[case.dtype], softcap, case)
        result["logits_low"] = low(ids, use_cache=False).logits.contiguous()
    return result


def greedy(model, ids):
    """The prompt and NEW_TOKENS more, each from a full pass over everything before it.

    Without a cache: a cache would keep keys rotated by the frequencies of a shorter sequence, where
    dynamic and longrope change them.
    """
    least_gap = float("inf")
    for _ in range(NEW_TOKENS):
        top = model(ids, use_cache=False).logits[:, -1:].topk(2)
        least_gap = min(least_gap, float(top.values[..., 0] - top.values[..., 1]))
        ids = torch.cat([ids, top.indices[..., 0]], dim=1)
    return ids.contiguous(), least_gap


def load(directory: Path, config_file: str, dtype, softcap: bool, case: Case):
    """A fresh model: dynamic RoPE keeps state between calls."""
    fields = json.loads((directory / config_file).read_text())
    config = AutoConfig.for_model(**fields)
    config._attn_implementation = "gemma3_softcap" if softcap else case.attention
    if case.published or case.inside:
        # transformers' own loader knows these names.
        return AutoModelForCausalLM.from_pretrained(directory, config=config, dtype=dtype).eval()
    model = AutoModelForCausalLM.from_config(config, dtype=dtype).eval()
    assert model.config._attn_implementation == config._attn_implementation
    state = {}
    for file in sorted(directory.glob("model*.safetensors")):
        state.update(load_file(file))
    state = ternary.together(experts.together(state, fields["model_type"]))
    if case.renamed:
        state = renamed(state, *reversed(case.renamed))
    missing = set(model.state_dict()) - set(state)
    assert missing <= {"lm_head.weight"} and (not missing or config.tie_word_embeddings), missing
    model.load_state_dict({name: tensor.to(dtype) for name, tensor in state.items()}, strict=False)
    model.tie_weights()
    return model


def gemma3_softcap(module, *tensors, **options):
    """Gemma 3's own eager attention, given the soft-cap that its caller in transformers leaves out."""
    return modeling_gemma3.eager_attention_forward(
        module, *tensors, softcap=module.attn_logit_softcapping, **options)


ALL_ATTENTION_FUNCTIONS.register("gemma3_softcap", gemma3_softcap)
# Without a mask of its own an attention function gets none: no causality and no window.
ALL_MASK_ATTENTION_FUNCTIONS.register("gemma3_softcap", eager_mask)


def prompt_ids(case: Case, length: int):
    """Ids of ordinary tokens. The first is the beginning-of-sequence token, as in real prompts."""
    random = numpy.random.Generator(numpy.random.PCG64(zlib.crc32(f"prompt {case.salt} {case.weights_of or case.name}".encode())))
    ids = random.integers(5, VOCABULARY, size=PROMPT)[:length]
    ids[0] = 1
    return torch.from_numpy(ids)[None].contiguous()


def write_json(path: Path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    main()
