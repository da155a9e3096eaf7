"""Run llama-bench and `tyto bench` in turn on the same weights; print medians and ratios.

Called by tools/bench-peers, which builds both.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path


def main():
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    models = {kind: prepare(kind, options) for kind in options.formats.split(",")}
    tests = [f"pp{options.prompt}", f"tg{options.generate}"]
    samples = {(kind, engine, test): [] for kind in models for engine in ("llama.cpp", "tyto") for test in tests}
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}, load average {os.getloadavg()[0]:.1f}", flush=True)
        for kind, (gguf, artifact) in models.items():
            for engine, rates in (("llama.cpp", run_llama(gguf, options)), ("tyto", run_tyto(artifact, options))):
                for test in tests:
                    samples[kind, engine, test].append(rates[test])
    rows = [row(kind, test, samples) for kind in models for test in tests]
    print_table(rows)
    if options.json:
        report = dict(threads=options.threads, rounds=options.rounds, cpu=cpu_name(), rows=rows)
        options.json.write_text(json.dumps(report, indent=1) + "\n")
        print(f"written to {options.json}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--prompt", type=int, default=512, help="prompt tokens of the prefill test")
    parser.add_argument("--generate", type=int, default=128, help="tokens of the decode test")
    parser.add_argument("--formats", default="F16,BF16", help="GGUF types, separated by commas")
    parser.add_argument("--json", type=Path, help="also write the samples here")
    for name in ("model", "work", "llama", "tyto"):
        parser.add_argument(f"--{name}", type=Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def prepare(kind: str, options):
    """The model as GGUF of one type, and Tyto's artifact of that very file."""
    gguf = options.work / f"{options.model.name.split('.')[0]}.{kind}.gguf"
    if not gguf.exists():
        partial = gguf.with_suffix(".partial")
        run(options.llama / "llama-quantize", "--allow-requantize", options.model, partial, kind)
        partial.rename(gguf)
    artifact = gguf.with_suffix(".tyto")
    # Compiling reuses what has not changed, so an artifact of an older build is not measured by mistake.
    run(options.tyto, "compile", gguf, "-o", artifact, "--force")
    return gguf, artifact


def run_llama(gguf: Path, options) -> dict:
    output = run(options.llama / "llama-bench", "-m", gguf, "-t", options.threads, "-p", options.prompt,
                 "-n", options.generate, "-r", 1, "-o", "json")
    rates = {}
    for result in json.loads(output):
        prefill = result["n_gen"] == 0
        test = f"pp{result['n_prompt']}" if prefill else f"tg{result['n_gen']}"
        rates[test] = result["avg_ts"]
    return rates


def run_tyto(artifact: Path, options) -> dict:
    output = run(options.tyto, "bench", artifact, "--threads", options.threads, "--prompt-tokens", options.prompt,
                 "--generate-tokens", options.generate, "--repetitions", 1, "--json")
    return {result["name"]: result["median"] for result in json.loads(output)["results"]}


def run(*command) -> str:
    command = [str(part) for part in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"bench-peers: {' '.join(command)}\nfailed with status {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def row(kind: str, test: str, samples: dict) -> dict:
    peer, ours = samples[kind, "llama.cpp", test], samples[kind, "tyto", test]
    ratio = statistics.median(ours) / statistics.median(peer)
    return dict(format=kind, test=test, llama_cpp=peer, tyto=ours, ratio=ratio)


def print_table(rows):
    print(f"\n{'format':7} {'test':7} {'llama.cpp tok/s':>26} {'tyto tok/s':>26} {'ratio':>6}")
    for entry in rows:
        print(f"{entry['format']:7} {entry['test']:7} {spread(entry['llama_cpp']):>26} {spread(entry['tyto']):>26} "
              f"{entry['ratio']:6.2f}")


def spread(values) -> str:
    return f"{statistics.median(values):.1f} ({min(values):.1f}-{max(values):.1f})"


def cpu_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


if __name__ == "__main__":
    main()
