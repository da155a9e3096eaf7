"""Run llama.cpp's benches and `tyto bench` in turn on the same weights; print medians, spreads and ratios.

Called by tools/bench-peers, which builds both.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

FORMATS = "Q4_0,Q4_1,Q8_0,F16,BF16"
ENGINES = ("llama.cpp", "tyto")
# A prompt of so many tokens comes before texts that are written at once: the least that llama.cpp's bench reads well.
BATCH_PROMPT = 8


def main():
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    models = {kind: prepare(kind, options) for kind in options.formats.split(",")}
    samples = {}
    for _, order in rounds(options):
        for kind, files in models.items():
            for part in (basic, deep, batched):
                for engine in order:
                    for test, value in part(engine, files, options).items():
                        samples.setdefault((kind, test), {}).setdefault(engine, []).append(value)
    rows = [row(kind, test, found) for (kind, test), found in samples.items()]
    print_table(rows)
    if options.json:
        report = dict(threads=options.threads, rounds=options.rounds, cpu=cpu_name(), rows=rows)
        options.json.write_text(json.dumps(report, indent=1) + "\n")
        print(f"written to {options.json}")


def rounds(options):
    """The number of each round, and the engines in its order: each goes first in every other one."""
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}, load average {os.getloadavg()[0]:.1f}", flush=True)
        yield number, ENGINES if number % 2 == 0 else ENGINES[::-1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--prompt", type=int, default=512, help="prompt tokens of the prefill test")
    parser.add_argument("--generate", type=int, default=128, help="tokens of the decode tests")
    parser.add_argument("--depth", type=int, default=1800, help="tokens before those of the deep decode test; 0 leaves it out")
    parser.add_argument("--sequences", type=int, default=4, help="texts written at once; 1 leaves the test out")
    parser.add_argument("--formats", default=FORMATS, help=f"GGUF types, separated by commas ({FORMATS})")
    parser.add_argument("--json", type=Path, help="also write the samples here")
    for name in ("model", "work", "llama", "tyto"):
        parser.add_argument(f"--{name}", type=Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def prepare(kind: str, options):
    """The model as GGUF of one type, and Tyto's artifact of that very file."""
    name, published, _ = options.model.name.split(".")
    gguf = options.model if kind == published else options.work / f"{name}.{kind}.gguf"
    if not gguf.exists():
        partial = gguf.with_suffix(".partial")
        run(options.llama / "llama-quantize", "--allow-requantize", options.model, partial, kind)
        partial.rename(gguf)
    artifact = options.work / f"{name}.{kind}.tyto"
    context = max(2048, options.prompt + 1, options.depth + options.generate + 1)
    # Compiling reuses what has not changed. With --force an artifact of an older build is not measured by mistake.
    print(f"compiling {gguf.name}", flush=True)
    run(options.tyto, "compile", gguf, "-o", artifact, "--ctx", context, "--force")
    return gguf, artifact


# ---- the tests: each gives figures by name, tok/s or MiB -----------------------------------------


def basic(engine: str, files, options) -> dict:
    """Prefill, decode, and the memory that the two took."""
    if engine == "tyto":
        output, memory = tyto_bench(files, options, "-p", options.prompt, "-n", options.generate)
    else:
        output, memory = llama_bench(files, options, "-p", options.prompt, "-n", options.generate)
    return output | {"memory": memory}


def deep(engine: str, files, options) -> dict:
    """Decode after a long prompt."""
    if options.depth == 0:
        return {}
    bench = tyto_bench if engine == "tyto" else llama_bench
    return bench(files, options, "-p", 0, "-n", options.generate, "-d", options.depth)[0]


def batched(engine: str, files, options) -> dict:
    """Decode of several texts at once, all together."""
    if options.sequences < 2:
        return {}
    name = f"tg{options.generate}x{options.sequences}"
    if engine == "tyto":
        found, _ = tyto_bench(files, options, "-p", 0, "-n", options.generate, "-d", BATCH_PROMPT,
                              "--at-once", options.sequences)
        return {name: speed for speed in found.values()}
    context = options.sequences * (BATCH_PROMPT + options.generate)
    output, _ = run(options.llama / "llama-batched-bench", "-m", files[0], "-t", options.threads, "-c", context,
                    "-npp", BATCH_PROMPT, "-ntg", options.generate, "-npl", options.sequences,
                    "--output-format", "jsonl")
    results = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {name: results[0]["speed_tg"]}


def llama_bench(files, options, *tests):
    output, memory = run(options.llama / "llama-bench", "-m", files[0], "-t", options.threads, "-r", 1, "-o", "json", *tests)
    found = {}
    for result in json.loads(output):
        name = f"tg{result['n_gen']}" if result["n_gen"] else f"pp{result['n_prompt']}"
        depth = f"@{result['n_depth']}" if result["n_depth"] else ""
        found[name + depth] = result["avg_ts"]
    return found, memory


def tyto_bench(files, options, *tests):
    output, memory = run(options.tyto, "bench", files[1], "--threads", options.threads, "-r", 1, "--json", *tests)
    return {result["name"]: result["median"] for result in json.loads(output)["results"]}, memory


def run(*command):
    """The output of a command, and the most memory that it had in use, in MiB."""
    command = [str(part) for part in command]
    # Into a file: a pipe that nobody reads would fill.
    with tempfile.TemporaryFile(mode="w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        with process.stdout:
            output = process.stdout.read()
        # Popen's own wait() does not tell what the process used.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read()[-2000:]
    if process.returncode != 0:
        sys.exit(f"bench-peers: {' '.join(command)}\nfailed with status {process.returncode}:\n{said}")
    return output, usage.ru_maxrss / 1024


# ---- the report ----------------------------------------------------------------------------------


def row(kind: str, test: str, found: dict) -> dict:
    peer, ours = found["llama.cpp"], found["tyto"]
    ratios = [mine / its for mine, its in zip(ours, peer)]
    ratio = statistics.median(ours) / statistics.median(peer)
    return dict(format=kind, test=test, unit=unit_of(test), llama_cpp=peer, tyto=ours,
                ratio=ratio, ratios=ratios)


def unit_of(test: str) -> str:
    """Of a figure with this name: those in ms and the memory are better the smaller they are."""
    if test == "memory":
        return "MiB"
    return "ms" if test.endswith("first") else "tok/s"


def print_table(rows):
    print(f"\n{'format':7} {'test':14} {'unit':5} {'llama.cpp':>24} {'tyto':>24} {'tyto / llama.cpp':>18}")
    for entry in rows:
        ratio = f"{entry['ratio']:.2f} ({min(entry['ratios']):.2f}-{max(entry['ratios']):.2f})"
        print(f"{entry['format']:7} {entry['test']:14} {entry['unit']:5} {spread(entry['llama_cpp']):>24} "
              f"{spread(entry['tyto']):>24} {ratio:>18}")


def spread(values) -> str:
    return f"{statistics.median(values):.1f} ({min(values):.1f}-{max(values):.1f})"


def cpu_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


if __name__ == "__main__":
    main()
