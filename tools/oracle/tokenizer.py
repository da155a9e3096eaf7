"""A tokenizer of 128 tokens for the tiny models: byte-level BPE over printable ASCII."""

import json
from pathlib import Path

SPECIAL = ["<pad>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
# Each merge joins two earlier tokens. "Ġ" is a space and "Ċ" a newline in the byte-level alphabet.
MERGES = [
    ("t", "h"), ("h", "e"), ("i", "n"), ("e", "r"), ("a", "n"), ("Ġ", "t"), ("Ġ", "a"), ("o", "n"), ("r", "e"),
    ("th", "e"), ("Ġ", "w"), ("Ġ", "s"), ("a", "t"), ("o", "r"), ("Ġt", "he"), ("in", "g"), ("an", "d"),
    ("Ġ", "o"), ("Ġ", "i"), ("e", "n"), ("l", "l"), ("u", "s"), ("i", "s"), ("Ġ", "and"), ("e", "s"), ("o", "u"),
    ("s", "t"),
]


def write(directory: Path, size: int):
    """tokenizer.json, tokenizer_config.json and chat_template.jinja with exactly `size` tokens."""
    letters = [chr(code) for code in range(33, 127)] + ["Ġ", "Ċ"]
    tokens = SPECIAL + letters + ["".join(pair) for pair in MERGES]
    assert len(tokens) == size == len(set(tokens)), (len(tokens), size)
    added = [
        dict(id=number, content=text, single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)
        for number, text in enumerate(SPECIAL)
    ]
    byte_level = dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True)
    model = dict(
        type="BPE", dropout=None, unk_token=None, continuing_subword_prefix=None, end_of_word_suffix=None,
        fuse_unk=False, byte_fallback=False, ignore_merges=False,
        vocab={text: number for number, text in enumerate(tokens)}, merges=[list(pair) for pair in MERGES],
    )
    whole = dict(version="1.0", truncation=None, padding=None, added_tokens=added, normalizer=None,
                 pre_tokenizer=byte_level, post_processor=None, decoder=byte_level, model=model)
    (directory / "tokenizer.json").write_text(json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n")
    settings = dict(tokenizer_class="PreTrainedTokenizerFast", bos_token="<s>", eos_token="</s>", pad_token="<pad>",
                    model_max_length=256, clean_up_tokenization_spaces=False)
    (directory / "tokenizer_config.json").write_text(json.dumps(settings, indent=1) + "\n")
    (directory / "chat_template.jinja").write_text(TEMPLATE)
