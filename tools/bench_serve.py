"""Ask llama-server and `tyto serve` the same in turn on the same weights; print medians, spreads and ratios.

Called by tools/bench-serve, which builds both. Prompts are random ids, so that no text is found in a cache unless it was
meant to be; answers have a fixed number of tokens.
"""

import argparse
import contextlib
import http.client
import json
import random
import re
import statistics
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench_peers import ENGINES, cpu_name, prepare, print_table, rounds, row, run

# Ids of ordinary words in the model's vocabulary.
IDS = range(200, 40000)
# A server that is not ready by then never will be.
START_SECONDS = 120


def main():
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    models = {kind: prepare(kind, options) for kind in options.formats.split(",")}
    samples = {}
    for number, order in rounds(options):
        for kind, files in models.items():
            for engine in order:
                # Both are asked the same texts.
                found = measure(engine, files, options, random.Random(number))
                for test, value in found.items():
                    samples.setdefault((kind, test), {}).setdefault(engine, []).append(value)
    rows = [row(kind, test, found) for (kind, test), found in samples.items() if len(found) == len(ENGINES)]
    print_table(rows)
    own = {f"{kind} {test}": found["tyto"] for (kind, test), found in samples.items() if len(found) == 1}
    for name, values in own.items():
        print(f"{name}: {statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})")
    if options.json:
        report = dict(threads=options.threads, rounds=options.rounds, cpu=cpu_name(), rows=rows, own=own)
        options.json.write_text(json.dumps(report, indent=1) + "\n")
        print(f"written to {options.json}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--prompt", type=int, default=512, help="tokens of each prompt")
    parser.add_argument("--generate", type=int, default=128, help="tokens of each answer")
    parser.add_argument("--shared", type=int, default=2000, help="tokens that two requests begin with")
    parser.add_argument("--formats", default="Q4_0", help="GGUF types, separated by commas")
    parser.add_argument("--json", type=Path, help="also write the samples here")
    for name in ("model", "work", "llama", "tyto"):
        parser.add_argument(f"--{name}", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    # What `prepare` makes the artifact's context of.
    options.depth = options.shared
    return options


def measure(engine: str, files, options, texts: random.Random) -> dict:
    """Figures of one server, by name: tokens per second, and milliseconds to the first token."""
    found = {}
    with server(engine, files, options) as port:
        prompt = lambda length: [texts.choice(IDS) for _ in range(length)]
        at_once = lambda clients: [prompt(options.prompt) for _ in range(clients)]
        # What a server does for the first time is not counted.
        ask_all(port, at_once(1), 8)
        for clients in (1, options.clients):
            name = f"{clients}x{options.prompt}+{options.generate}"
            seconds, answers = ask_all(port, at_once(clients), options.generate)
            found[name] = clients * options.generate / seconds
            found[f"{name} first"] = 1000 * statistics.mean(answer.first for answer in answers)
            if clients == 1:
                found["stream"] = answers[0].speed
        wholes = [time_whole(port, prompt(options.prompt), options.generate) for _ in range(5)]
        shared = prompt(options.shared)
        cold, warm = (ask(port, shared + prompt(8), 4).first for _ in range(2))
        found["cold first"], found["warm first"] = 1000 * cold, 1000 * warm
    if engine == "tyto":
        reading, writing = bench(files, options)
        found["cold over warm"] = cold / warm
        found["stream over bench"] = found["stream"] / writing
        expected = options.prompt / reading + (options.generate - 1) / writing
        found["whole over bench"] = expected / statistics.median(wholes)
    return found


def bench(files, options):
    """Tokens per second of such a prompt and of such an answer, without HTTP."""
    output, _ = run(options.tyto, "bench", files[1], "--threads", options.threads, "-r", 2, "--json",
                    "-p", options.prompt, "-n", options.generate, "-d", options.prompt)
    return [result["median"] for result in json.loads(output)["results"]]


@contextlib.contextmanager
def server(engine: str, files, options):
    """A server of the engine on a port of its own; ends with the block."""
    slots, room = options.clients, options.shared + options.prompt + options.generate
    if engine == "tyto":
        # No guesses: answers to random prompts repeat themselves, as real ones do not.
        command = [options.tyto, "serve", files[1], "--port", 0, "--threads", options.threads, "--speculate", "never"]
    else:
        command = [options.llama / "llama-server", "-m", files[0], "--port", 0, "-t", options.threads, "-np", slots,
                   "-c", slots * room, "--no-slots"]
    log = options.work / f"{engine}.serve.log"
    with log.open("w") as output:
        process = subprocess.Popen([str(part) for part in command], stdout=output, stderr=subprocess.STDOUT)
    try:
        yield wait_until_ready(process, log)
    finally:
        process.terminate()
        process.wait()


def wait_until_ready(process, log: Path) -> int:
    """The port that the server says it listens on, once it answers there."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        said = re.search(r"(?:http://)?127\.0\.0\.1:(\d+)", log.read_text(errors="replace"))
        if said and is_ready(int(said[1])):
            return int(said[1])
        time.sleep(0.1)
    raise SystemExit(f"bench-serve: no server: see {log}")


def is_ready(port: int) -> bool:
    with contextlib.suppress(OSError):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    return False


class Answer:
    """When an answer's first and last tokens came, in seconds after it was asked for."""

    def __init__(self, first: float, last: float, tokens: int):
        self.first = first
        self.speed = (tokens - 1) / (last - first)


def ask_all(port: int, prompts, tokens: int):
    """All at once: the seconds until the last is done, and the answers."""
    begun = time.monotonic()
    with ThreadPoolExecutor(len(prompts)) as clients:
        answers = list(clients.map(lambda prompt: ask(port, prompt, tokens), prompts))
    return time.monotonic() - begun, answers


def post(port: int, prompt, tokens: int, **more):
    """The response to a request; without the name of a model, since each server has one."""
    body = dict(prompt=prompt, max_tokens=tokens, temperature=0, ignore_eos=True, **more)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request("POST", "/v1/completions", json.dumps(body), {"Content-Type": "application/json"})
    response = connection.getresponse()
    if response.status != 200:
        raise RuntimeError(f"bench-serve: status {response.status}: {response.read()[:500]}")
    return response


def time_whole(port: int, prompt, tokens: int) -> float:
    """Seconds of an answer that comes in one piece."""
    begun = time.monotonic()
    json.load(post(port, prompt, tokens))
    return time.monotonic() - begun


def ask(port: int, prompt, tokens: int) -> Answer:
    """A streamed answer. It is read while it comes and understood afterwards: the servers compute on the same cores."""
    begun = time.monotonic()
    response = post(port, prompt, tokens, stream=True, stream_options=dict(include_usage=True))
    pieces = []
    while piece := response.read1(1 << 16):
        pieces.append((time.monotonic() - begun, piece))
    first = last = written = None
    for at, event in events(pieces):
        if event.get("usage"):
            written = event["usage"]["completion_tokens"]
        if event["choices"]:
            first, last = at if first is None else first, at
    if written != tokens:
        raise RuntimeError(f"bench-serve: {written} tokens where {tokens} were asked for")
    return Answer(first, last, tokens)


def events(pieces):
    """The events of a stream, each with the time at which its end came."""
    begun = b""
    for at, piece in pieces:
        *whole, begun = (begun + piece).split(b"\n")
        for line in whole:
            if line.startswith(b"data: {"):
                yield at, json.loads(line[6:])


if __name__ == "__main__":
    main()
