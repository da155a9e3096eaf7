"""Write a matrix and what MLX quantizes it to in its float modes.

    python tools/oracle/mlx_quantize.py [OUT]

Writes crates/frontend/tests/fixtures/mlx_quantize.safetensors: `plain.weight` F32, and for each mode
MODE `MODE.weight` and `MODE.scales` as mlx.core.quantize gives them on a CPU. Runs in the environment
of mlx-requirements.txt; the tests need neither: they read the committed file.
"""

import sys
from pathlib import Path

import mlx.core as mx
import numpy

MODES = {"mxfp4": (32, 4), "mxfp8": (32, 8), "nvfp4": (16, 4)}


def matrix():
    """Rows of all sizes, groups of zeros and of one value, ties of 4-bit floats, both zeros."""
    random = numpy.random.Generator(numpy.random.PCG64(7))
    rows = random.standard_normal((40, 128)) * numpy.exp2(random.integers(-16, 8, (40, 1)))
    rows[0] = 0
    rows[1, ::3] = -0.0
    rows[2, 32:64] = 0
    rows[3] = 2.5
    rows[4] = random.integers(-24, 25, 128) / 4
    rows[4, ::16] = 6
    rows[5] = random.integers(-1792, 1793, 128) / 4
    rows[6] *= 2.0**-90
    rows[7] = numpy.where(random.random(128) < 0.9, 0, rows[7])
    return rows.astype(numpy.float32)


def main(out: Path):
    mx.set_default_device(mx.cpu)
    weight = mx.array(matrix())
    tensors = {"plain.weight": weight}
    for mode, (group, bits) in MODES.items():
        codes, scales = mx.quantize(weight, group_size=group, bits=bits, mode=mode)
        tensors[f"{mode}.weight"], tensors[f"{mode}.scales"] = codes, scales
    out.parent.mkdir(parents=True, exist_ok=True)
    mx.save_safetensors(str(out), tensors)
    print(out, out.stat().st_size, "bytes")


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[2]
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else root / "crates/frontend/tests/fixtures/mlx_quantize.safetensors")
