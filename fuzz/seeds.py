"""Write small valid files for the fuzz targets to start from, into fuzz/corpus/TARGET.

Called by tools/fuzz. Needs nothing but Python.
"""

import json
import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ORACLE = ROOT.parent / "tests" / "oracle"

# Type number, elements and bytes of a block, for each type that GGUF files are read in.
BLOCKS = [(0, 1, 4), (1, 1, 2), (2, 32, 18), (3, 32, 20), (6, 32, 22), (7, 32, 24), (8, 32, 34), (10, 256, 84),
          (11, 256, 110), (12, 256, 144), (13, 256, 176), (14, 256, 210), (20, 32, 18), (23, 256, 136), (30, 1, 2),
          (39, 32, 17)]


TOOL = {"name": "find", "description": "finds", "parameters": {"type": "object", "properties": {"what": {"type": "string"}}}}

BODIES = {
    "completion": {"model": "m", "prompt": ["one", "two"], "max_tokens": 5, "temperature": 0.5, "seed": 7, "stop": ["a"],
                   "logit_bias": {"5": -1.5}, "n": 2, "logprobs": 3, "stream": True},
    "chat": {"model": "m", "messages": [{"role": "system", "content": "s"},
                                        {"role": "user", "content": [{"type": "text", "text": "q"}]}],
             "tools": [{"type": "function", "function": TOOL}], "tool_choice": "auto", "top_logprobs": 2, "logprobs": True,
             "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}},
    "messages": {"model": "m", "max_tokens": 9, "system": [{"type": "text", "text": "s"}],
                 "messages": [{"role": "user", "content": "q"}], "stop_sequences": ["x"], "tool_choice": {"type": "any"},
                 "tools": [{"name": "find", "input_schema": {"type": "object"}}]},
    "responses": {"model": "m", "instructions": "s", "max_output_tokens": 9, "text": {"format": {"type": "text"}},
                  "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "q"}]},
                            {"type": "function_call_output", "call_id": "c", "output": "r"}]},
}


def main():
    for number, header in enumerate(safetensors_headers()):
        write("safetensors", f"{number}", header)
    for path in sorted(ORACLE.glob("*/config*.json")):
        write("config", f"{path.parent.name}-{path.stem}", path.read_bytes())
    write("config", "index", b'{"metadata":{"total_size":8},"weight_map":{"a":"one.safetensors","b":"two.safetensors"}}')
    write("config", "numbers", rb'{"s":"\u00e9\ud83e\udd89 NaN","limit":[Infinity,-1e9],"deep":[[[[{"x":null}]]]]}')
    for name, file in gguf_files():
        write("gguf", name, file)
    for name, file in templates():
        write("template", name, file)
    for name, value in BODIES.items():
        write("body", name, json.dumps(value).encode())


def write(target: str, name: str, content: bytes):
    folder = ROOT / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"seed-{name}").write_bytes(content)


def templates():
    """A template, a zero byte, and messages for it."""
    fixtures = ROOT.parent / "crates" / "text" / "tests" / "fixtures"
    conversations = list(json.loads((fixtures / "conversations.json").read_text()).items())
    for path in sorted(fixtures.glob("templates/*.jinja")):
        for name, conversation in conversations:
            yield f"{path.stem}-{name}", path.read_bytes() + b"\0" + json.dumps(conversation["messages"]).encode()


def safetensors_headers():
    plain = {"a": dict(dtype="F32", shape=[2, 2], data_offsets=[0, 16]),
             "b": dict(dtype="BF16", shape=[], data_offsets=[16, 18]),
             "c": dict(dtype="F8_E4M3", shape=[0], data_offsets=[18, 18])}
    packed = {"__metadata__": {"format": "pt"}, "x": dict(dtype="F4", shape=[4], data_offsets=[0, 2])}
    for header, size in ((plain, 18), (packed, 2)):
        text = json.dumps(header).encode()
        yield struct.pack("<Q", len(text)) + text + bytes(size)


def gguf_files():
    byte_level = {
        "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": ["<s>", "a", "b", "ab", "\u0120", "\u0120a"],
        "tokenizer.ggml.token_type": [3, 1, 1, 1, 1, 1], "tokenizer.ggml.merges": ["a b", "\u0120 a"],
        "tokenizer.ggml.bos_token_id": 0, "tokenizer.ggml.eos_token_id": 0,
    }
    sentence_piece = {
        "tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": ["<unk>", "<0x61>", "\u2581", "\u00e9", "\u2581\u00e9"],
        "tokenizer.ggml.token_type": [2, 6, 1, 1, 1], "tokenizer.ggml.scores": [0.0, 0.0, -1.0, -2.0, -3.0],
        "tokenizer.chat_template": "{{ messages }}", "tokenizer.ggml.add_bos_token": True,
    }
    rope = {"llama.rope.scaling.type": "yarn", "llama.rope.scaling.factor": 4.0, "llama.rope.freq_base": 10000.0}
    rotary = [("blk.0.attn_q.weight", [8, 8], 0, bytes(256)), ("rope_freqs.weight", [2], 0, bytes(8))]
    blocks = [(f"blk.0.{name}.weight", [1, elements], kind, bytes(size))
              for name, (kind, elements, size) in zip(["ffn_down", "ffn_up", "ffn_gate", "attn_output"] * 4, BLOCKS)]
    yield "llama", gguf("llama", byte_level | rope, rotary)
    for start in range(0, len(blocks), 4):
        yield f"blocks{start}", gguf("qwen2", byte_level, blocks[start:start + 4])
    yield "qwen3", gguf("qwen3", byte_level, [])
    yield "gemma", gguf("gemma3", sentence_piece | {"gemma3.attention.sliding_window": 16},
                        [("output_norm.weight", [8], 0, bytes(32))])
    factors = [(f"rope_factors_{kind}.weight", [2], 0, bytes(8)) for kind in ("long", "short")]
    yield "phi3", gguf("phi3", sentence_piece, factors)


def gguf(architecture: str, metadata: dict, tensors: list) -> bytes:
    sizes = {"block_count": 1, "embedding_length": 8, "feed_forward_length": 16, "attention.head_count": 2,
             "attention.head_count_kv": 1, "attention.layer_norm_rms_epsilon": 1e-5, "context_length": 64}
    metadata = {"general.architecture": architecture} | {f"{architecture}.{k}": v for k, v in sizes.items()} | metadata
    tensors = [("token_embd.weight", [12, 8], 0, bytes(384)), *tensors]
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    out += b"".join(text(key) + value(item) for key, item in metadata.items())
    data = b""
    for name, shape, kind, content in tensors:
        dims = struct.pack(f"<{len(shape)}Q", *reversed(shape))
        out += text(name) + struct.pack("<I", len(shape)) + dims + struct.pack("<IQ", kind, len(data))
        data += padded(content)
    return padded(out) + data


def value(item) -> bytes:
    if isinstance(item, list):
        return struct.pack("<I", 9) + value(item[0])[:4] + struct.pack("<Q", len(item)) + b"".join(
            value(element)[4:] for element in item)
    if isinstance(item, bool):
        return struct.pack("<I?", 7, item)
    if isinstance(item, str):
        return struct.pack("<I", 8) + text(item)
    return struct.pack("<If", 6, item) if isinstance(item, float) else struct.pack("<Ii", 5, item)


def text(string: str) -> bytes:
    content = string.encode()
    return struct.pack("<Q", len(content)) + content


def padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % 32)


if __name__ == "__main__":
    main()
