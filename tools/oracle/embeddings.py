"""Write tiny seeded models that make vectors of texts, and what transformers gives for them.

    python tools/oracle/embeddings.py [--out tests/oracle] [CASE ...]

Each directory is as sentence-transformers has them: the model of transformers, and beside it the files
that say how one vector is made of its hidden states. Hidden states are transformers'; the steps behind
them (pooling, matrices, length) are written out here. `index.embeddings.json` lists the cases.
"""

import argparse
import json
import shutil
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import AutoConfig, AutoModel, AutoModelForSequenceClassification

import tokenizer
from cases import EPSILON, PROMPT, TOKENS, VOCABULARY

# Lengths of the texts of a reference: one token, fewer than a chunk, all.
LENGTHS = [1, 11, PROMPT]


@dataclass
class Case:
    """One directory below tests/oracle."""

    name: str
    model_type: str
    config: dict
    pooling: str
    # Widths of matrices behind the pooling, from that of the model to that of the vector.
    dense: list[int] = field(default_factory=list)
    prompts: dict = field(default_factory=dict)
    # A head that gives one number, on pairs of texts.
    scores: bool = False
    max_length: int | None = None


CASES = [
    Case("embed_qwen3", "qwen3",
         dict(TOKENS, hidden_size=20, intermediate_size=28, num_hidden_layers=2, num_attention_heads=4,
              num_key_value_heads=2, head_dim=8, max_position_embeddings=256, rms_norm_eps=EPSILON,
              tie_word_embeddings=True, rope_parameters=dict(rope_type="default", rope_theta=500.0)),
         "lasttoken", prompts={"query": "find: ", "document": ""}),
    # Heads and widths that differ; six positions more than the texts have.
    Case("embed_bert", "bert",
         dict(vocab_size=VOCABULARY, pad_token_id=0, hidden_size=16, intermediate_size=28, num_hidden_layers=2,
              num_attention_heads=4, max_position_embeddings=46, type_vocab_size=2, layer_norm_eps=EPSILON),
         "mean", max_length=42),
    # Half a window of 3 of a text of 40; the first and the fourth layer see everything.
    Case("embed_modernbert", "modernbert",
         dict(vocab_size=VOCABULARY, pad_token_id=0, bos_token_id=1, eos_token_id=2, cls_token_id=1, sep_token_id=2,
              hidden_size=16, intermediate_size=20, num_hidden_layers=4, num_attention_heads=4,
              max_position_embeddings=256, local_attention=6, norm_eps=EPSILON,
              rope_parameters=dict(sliding_attention=dict(rope_type="default", rope_theta=300.0),
                                   full_attention=dict(rope_type="default", rope_theta=2000.0))),
         "cls"),
    Case("embed_gemma3", "gemma3_text",
         dict(TOKENS, hidden_size=20, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
              num_key_value_heads=2, head_dim=8, max_position_embeddings=256, sliding_window=8, rms_norm_eps=EPSILON,
              query_pre_attn_scalar=12, use_bidirectional_attention=True,
              rope_parameters=dict(sliding_attention=dict(rope_type="default", rope_theta=300.0),
                                   full_attention=dict(rope_type="default", rope_theta=2000.0)),
              layer_types=["sliding_attention", "full_attention"]),
         "mean", dense=[28, 20], prompts={"query": "task: search result | query: "}),
    Case("rerank_bert", "bert",
         dict(vocab_size=VOCABULARY, pad_token_id=0, hidden_size=16, intermediate_size=28, num_hidden_layers=2,
              num_attention_heads=4, max_position_embeddings=46, type_vocab_size=2, layer_norm_eps=EPSILON,
              num_labels=1), "cls", scores=True),
    Case("rerank_qwen3", "qwen3",
         dict(TOKENS, hidden_size=20, intermediate_size=28, num_hidden_layers=2, num_attention_heads=4,
              num_key_value_heads=2, head_dim=8, max_position_embeddings=256, rms_norm_eps=EPSILON,
              tie_word_embeddings=True, num_labels=1, rope_parameters=dict(rope_type="default", rope_theta=500.0)),
         "lasttoken", scores=True),
]

# A query and what may answer it.
QUERY = "where the cat is"
DOCUMENTS = ["the cat is in the house", "1 + 1 = 2", "it rains and"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("tests/oracle"))
    arguments.add_argument("cases", nargs="*", help="names; all when absent")
    options = arguments.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    for case in CASES:
        if not options.cases or case.name in options.cases:
            write_case(case, options.out / case.name)
    entries = [dict(case=case.name, model_type=case.model_type, dtype="float32", config="config.json",
                    reference="reference.safetensors") for case in CASES if not case.scores]
    write_json(options.out / "index.embeddings.json", entries)


def write_case(case: Case, directory: Path):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    config = AutoConfig.for_model(case.model_type, **case.config)
    config._attn_implementation = "eager"
    kind = AutoModelForSequenceClassification if case.scores else AutoModel
    model = kind.from_config(config, dtype=torch.float32).eval()
    random = numpy.random.Generator(numpy.random.PCG64(zlib.crc32(case.name.encode())))
    state = {name: tensor(name, parameter, random) for name, parameter in sorted(model.state_dict().items())
             if parameter.is_floating_point()}
    model.load_state_dict(state, strict=False)
    save_file(state, directory / "model.safetensors", metadata={"format": "pt"})
    as_dict = dict(config.to_dict(), architectures=[type(model).__name__], dtype="float32")
    write_json(directory / "config.json", dict(sorted(as_dict.items())))
    tokenizer.write(directory, VOCABULARY)
    (directory / "chat_template.jinja").unlink()
    if case.scores:
        pair_template(directory / "tokenizer.json")
        save_file(scores(directory, model), directory / "reference.safetensors")
    else:
        matrices = write_modules(case, directory, config.hidden_size, random)
        save_file(reference(case, model, matrices), directory / "reference.safetensors")
    size = sum(file.stat().st_size for file in directory.rglob("*") if file.is_file())
    print(f"{case.name:18} {size / 1024:6.0f} KiB", flush=True)


def tensor(name: str, parameter, random):
    """Values that cancel nothing, of about unit gain."""
    noise = random.standard_normal(tuple(parameter.shape))
    if noise.ndim == 1:
        centre = 0.0 if name.endswith("bias") else 1.6 if "q_norm" in name or "k_norm" in name else 1.0
        values = centre + 0.3 * noise
    elif "embed" in name:
        values = noise
    else:
        values = 1.6 * noise / numpy.sqrt(noise.shape[-1])
    return torch.from_numpy(values).to(torch.float32).contiguous()


def write_modules(case: Case, directory: Path, width: int, random) -> list:
    """The files of sentence-transformers; gives the matrices behind the pooling."""
    kinds = [("", "Transformer"), ("1_Pooling", "Pooling")]
    kinds += [(f"{number + 2}_Dense", "Dense") for number in range(len(case.dense))]
    kinds.append((f"{len(kinds)}_Normalize", "Normalize"))
    modules = [dict(idx=number, name=str(number), path=path, type=f"sentence_transformers.models.{kind}")
               for number, (path, kind) in enumerate(kinds)]
    write_json(directory / "modules.json", modules)
    modes = ["cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken"]
    pooling = {f"pooling_mode_{mode}": mode.split("_")[0] == case.pooling and "sqrt" not in mode for mode in modes}
    (directory / "1_Pooling").mkdir()
    write_json(directory / "1_Pooling/config.json", dict(word_embedding_dimension=width, **pooling, include_prompt=True))
    matrices = []
    for number, outputs in enumerate(case.dense):
        inputs = case.dense[number - 1] if number else width
        matrix = torch.from_numpy(random.standard_normal((outputs, inputs)) / inputs ** 0.5).to(torch.float32)
        folder = directory / f"{number + 2}_Dense"
        folder.mkdir()
        save_file({"linear.weight": matrix.contiguous()}, folder / "model.safetensors")
        write_json(folder / "config.json", dict(in_features=inputs, out_features=outputs, bias=False,
                                                activation_function="torch.nn.modules.linear.Identity"))
        matrices.append(matrix)
    write_json(directory / "config_sentence_transformers.json",
               dict(prompts=case.prompts, default_prompt_name=None, similarity_fn_name="cosine"))
    write_json(directory / "sentence_bert_config.json", dict(max_seq_length=case.max_length, do_lower_case=False))
    return matrices


@torch.no_grad()
def reference(case: Case, model, matrices: list) -> dict:
    """Hidden states of the longest text, through all matrices, and the vectors of all texts by every pooling."""
    random = numpy.random.Generator(numpy.random.PCG64(zlib.crc32(f"text {case.name}".encode())))
    ids = torch.from_numpy(random.integers(5, VOCABULARY, size=PROMPT))[None].contiguous()
    rows = {}
    for length in LENGTHS:
        hidden = model(input_ids=ids[:, :length]).last_hidden_state[0]
        for name, pooled in [("last", hidden[-1]), ("mean", hidden.mean(dim=0)), ("first", hidden[0])]:
            for matrix in matrices:
                pooled = matrix @ pooled
            rows.setdefault(name, []).append(pooled / pooled.norm())
    for matrix in matrices:
        hidden = hidden @ matrix.T
    result = dict(input_ids=ids, rows=hidden[None].contiguous())
    return dict(result, **{name: torch.stack(vectors) for name, vectors in rows.items()})


def pair_template(file: Path):
    """Two texts as BERT's tokenizers put them together."""
    def special(text, kind):
        return dict(SpecialToken=dict(id=text, type_id=kind))

    def text(name, kind):
        return dict(Sequence=dict(id=name, type_id=kind))

    whole = json.loads(file.read_text())
    whole["post_processor"] = dict(
        type="TemplateProcessing",
        single=[special("<s>", 0), text("A", 0), special("</s>", 0)],
        pair=[special("<s>", 0), text("A", 0), special("</s>", 0), text("B", 1), special("</s>", 1)],
        special_tokens={name: dict(id=name, ids=[number], tokens=[name])
                        for number, name in [(1, "<s>"), (2, "</s>")]})
    file.write_text(json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n")


@torch.no_grad()
def scores(directory: Path, model) -> dict:
    """What the head gives for the query beside each document, and the first pair's ids."""
    encoder = Tokenizer.from_file(str(directory / "tokenizer.json"))
    found, first = [], None
    for document in DOCUMENTS:
        pair = encoder.encode(QUERY, document)
        ids, kinds = torch.tensor([pair.ids]), torch.tensor([pair.type_ids])
        more = dict(token_type_ids=kinds) if model.config.model_type == "bert" else {}
        found.append(model(input_ids=ids, **more).logits[0, 0])
        first = first or dict(input_ids=ids.contiguous(), token_type_ids=kinds.contiguous())
    return dict(first, scores=torch.stack(found))


def write_json(path: Path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    main()
