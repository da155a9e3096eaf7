"""Write a model whose every answer is known: tests/table_model.py FOLDER.

A llama of one layer that adds nothing: what goes in is one number of many, and the last matrix is a table of which token
comes after which. Tokens 0 to 255 are bytes, then come the end and pieces that only answers have. The template ends with
the last message's text, so its last letter chooses the answer (ANSWERS). Needs nothing but Python.
"""

import json
import struct
import sys
from pathlib import Path

END = 256
# The last letter of what is said, and the pieces of the answer. An answer of one piece that is None goes on for ever.
ANSWERS = {
    "o": ["Hello", " there", ", human."],
    "k": ["<think>", "Hm, ", "let me see.", "</think>", "It is ", "so."],
    "l": ["<tool_call>\n", '{"name": "weather", ', '"arguments": {"city": ', '"Bonn"}}', "\n</tool_call>"],
    "p": ["again ", None],
    "b": ["<b>bold</b> ", "& <img src=x onerror=alert(1)>"],
}
TEMPLATE = """\
{%- if tools %}<tools>{{ tools | tojson }}</tools> calls are <tool_call> and </tool_call>{% endif -%}
{%- for message in messages -%}
{%- set content = (message.content or '').split('</think>')[-1] -%}
[{{ message.role }}]{% for call in message.tool_calls or [] %}<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}
{{- content -}}
{%- endfor -%}"""
HEADS, HEAD_DIM, INTERMEDIATE, CONTEXT = 2, 16, 32, 131072


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    pieces, after = table()
    width = END + 1 + len(pieces)
    write(folder / "config.json", {
        "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_act": "silu", "hidden_size": width,
        "vocab_size": width, "num_hidden_layers": 1, "num_attention_heads": HEADS, "num_key_value_heads": 1,
        "head_dim": HEAD_DIM, "intermediate_size": INTERMEDIATE, "max_position_embeddings": CONTEXT,
        "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "tie_word_embeddings": False, "eos_token_id": END})
    write(folder / "tokenizer.json", tokenizer(pieces))
    write(folder / "tokenizer_config.json", {"eos_token": "<|end|>"})
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    (folder / "model.safetensors").write_bytes(safetensors(tensors(width, after)))


def table():
    """The pieces of all answers, and which token comes after which; the end comes after all others."""
    pieces, after = [], {}
    for letter, answer in ANSWERS.items():
        last = ord(letter)
        for piece in answer:
            if piece is not None:
                pieces.append(piece)
            after[last] = END + len(pieces)
            last = after[last]
    return pieces, after


def tokenizer(pieces):
    vocabulary = {spelled(bytes([byte])): byte for byte in range(256)} | {"<|end|>": END}
    vocabulary |= {spelled(piece.encode()): END + 1 + at for at, piece in enumerate(pieces)}
    assert len(vocabulary) == END + 1 + len(pieces), "two pieces are the same text"
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    end = {"id": END, "content": "<|end|>", "special": True, "single_word": False, "lstrip": False, "rstrip": False,
           "normalized": False}
    return {"version": "1.0", "added_tokens": [end], "pre_tokenizer": byte_level, "decoder": byte_level,
            "model": {"type": "BPE", "vocab": vocabulary, "merges": []}}


def spelled(text):
    """Bytes in the letters of byte-level BPE: themselves where they print, else the next ones from U+0100 on."""
    prints = [byte for byte in range(256) if 0x21 <= byte <= 0x7E or 0xA1 <= byte <= 0xAC or byte >= 0xAE]
    others = [byte for byte in range(256) if byte not in prints]
    return "".join(chr(byte) if byte in prints else chr(0x100 + others.index(byte)) for byte in text)


def tensors(width, after):
    def zeros(rows, columns):
        return [rows, columns], [0.0] * (rows * columns)

    def ones(count):
        return [count], [1.0] * count

    embeddings, head = zeros(width, width), zeros(width, width)
    for token in range(width):
        embeddings[1][token * width + token] = 1.0
        # Far enough from all others that no temperature finds another.
        head[1][after.get(token, END) * width + token] = 20.0
    layer = "model.layers.0."
    return {
        "model.embed_tokens.weight": embeddings,
        "lm_head.weight": head,
        "model.norm.weight": ones(width),
        layer + "input_layernorm.weight": ones(width),
        layer + "post_attention_layernorm.weight": ones(width),
        layer + "self_attn.q_proj.weight": zeros(HEADS * HEAD_DIM, width),
        layer + "self_attn.k_proj.weight": zeros(HEAD_DIM, width),
        layer + "self_attn.v_proj.weight": zeros(HEAD_DIM, width),
        layer + "self_attn.o_proj.weight": zeros(width, HEADS * HEAD_DIM),
        layer + "mlp.gate_proj.weight": zeros(INTERMEDIATE, width),
        layer + "mlp.up_proj.weight": zeros(INTERMEDIATE, width),
        layer + "mlp.down_proj.weight": zeros(width, INTERMEDIATE),
    }


def safetensors(all_tensors):
    header, data = {}, b""
    for name, (shape, values) in all_tensors.items():
        start = len(data)
        data += struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, len(data)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def write(path, value):
    path.write_text(json.dumps(value))


if __name__ == "__main__":
    main()
