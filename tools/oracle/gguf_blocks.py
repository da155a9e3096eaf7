"""Block formats of GGUF and the 8-bit floats, decoded by the reference implementations.

    python tools/oracle/gguf_blocks.py [OUT]

Writes crates/checkpoint/tests/fixtures/blocks.safetensors: for each format NAME, `NAME.bytes` (whole
blocks of seeded random bytes) and `NAME.values` (what the `gguf` package decodes them to, f32); for
each 8-bit float, all 256 codes decoded by torch. Needs this folder's requirements.txt
and gguf==0.19.0; the tests need neither: they read the committed file.
"""

import sys
from pathlib import Path

import gguf
import numpy
import torch
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type
from safetensors.numpy import save_file

FORMATS = "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS MXFP4 BF16".split()
FLOATS = {"F8_E4M3": torch.float8_e4m3fn, "F8_E5M2": torch.float8_e5m2, "F8_E8M0": torch.float8_e8m0fnu}
# Where in a block the half-precision scales lie: they are kept finite, as any writer would.
HALVES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108],
          "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0]}


def random_blocks(random, name: str) -> numpy.ndarray:
    elements, size = GGML_QUANT_SIZES[Type[name]]
    count = 3 if elements >= 256 else 6
    if name == "BF16":
        return random.normal(size=24).astype(numpy.float32).view(numpy.uint16)[1::2].copy().view(numpy.uint8)
    blocks = random.integers(0, 256, size=(count, size), dtype=numpy.uint8)
    for at in HALVES.get(name, []):
        scales = random.normal(size=count).astype(numpy.float16)
        scales[-1] = 3e-6  # a subnormal half
        blocks[:, at : at + 2] = scales.view(numpy.uint8).reshape(count, 2)
    if name == "MXFP4":
        blocks[:, 0] = [0, 1, 2, 127, 140, 254]
    return blocks.reshape(-1)


def main(out: Path):
    random = numpy.random.default_rng(20261129)
    tensors = {}
    for name in FORMATS:
        stored = random_blocks(random, name)
        with numpy.errstate(over="ignore", invalid="ignore"):
            values = gguf.dequantize(stored, Type[name])
        tensors[f"{name}.bytes"] = stored
        tensors[f"{name}.values"] = values.astype(numpy.float32).reshape(-1)
    codes = torch.arange(256, dtype=torch.int32).to(torch.uint8)
    for name, dtype in FLOATS.items():
        tensors[f"{name}.bytes"] = codes.numpy()
        tensors[f"{name}.values"] = codes.view(dtype).to(torch.float32).numpy()
    out.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, out)
    print(out, out.stat().st_size, "bytes,", len(tensors), "tensors")


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[2]
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else root / "crates/checkpoint/tests/fixtures/blocks.safetensors")
