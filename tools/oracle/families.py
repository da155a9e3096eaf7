"""What transformers makes of text and conversations with the tokenizers of real model families.

Run in the oracle's environment (see regenerate), after tools/fetch-tokenizers: python tools/oracle/families.py
Reads   models/tokenizers/*, and conversations.json of crates/text/tests/fixtures
Writes  families.json there: `texts`, and for each family the ids of each text, and each conversation rendered by the
        family's own template
"""

import json
import random
from pathlib import Path

import jinja2
from transformers import PreTrainedTokenizerFast
from transformers.utils import chat_template_utils

import templates

ROOT = Path(__file__).parents[2]
TOKENIZERS = ROOT / "models/tokenizers"
# Families whose template takes content in parts; the others take one text.
PARTS = ["gemma3"]
FIXED = [
    "", " ", "  ", "\n", "\n\n\n", "\t", " \n \t ", "Hello, world!", " leading", "trailing ", "two  spaces   three",
    "don't I'm it's we'll YOU'RE they've", "naïve café déjà vu", "ÀÉÎÕÜ", "ß ẞ ﬁ ﬀ", "e\u0301 vs é", "Ω≈ç√∫˜µ≤≥÷",
    "1", "12", "123", "1234", "12345678901234567890", "3.14159e-10", "$1,234.56", "2025-03-07T09:05:02Z", "1/2 ½ ²³",
    "щётка ёлка Москва", "今天天气很好。", "東京都に住んでいます", "한국어를 공부합니다", "مرحبا بالعالم", "שלום עולם",
    "नमस्ते दुनिया", "สวัสดีชาวโลก", "Γειά σου Κόσμε", "👋🌍", "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪", "🤷🏽‍♀️", "\u200b\u200d\ufeff", "\u00a0\u2003\u3000",
    "\u0000\u0001\u007f", "\ufffd", "a\rb\r\nc", "<s>", "</s>", "<|endoftext|>", "<|im_start|>user\nhi<|im_end|>",
    "<|begin_of_text|>", "<bos>", "<pad>", "[INST] x [/INST]", "<unk>", "<0x0A>", "▁", "▁▁word", "<|eot_id|>",
    "def f(x):\n    return x + 1\n", "for (int i = 0; i < n; ++i) { a[i] += b[i]; }", "SELECT * FROM t WHERE a='b';",
    "https://example.org/a?b=c&d=%20#e", "C:\\Users\\x\\y.txt", "{\"a\": [1, 2, {\"b\": null}]}", "# Title\n\n- item\n- [ ] task\n",
    "| a | b |\n|---|---|\n| 1 | 2 |", "\\frac{a}{b} \\sum_{i=0}^{n}", "camelCaseWord snake_case_word kebab-case", "ALLCAPS lower",
    "!!!???...", "--- === ***", "''\"\"``", "@user #tag &amp;", "x" * 70, " " * 33, "\n" * 9, "ab" * 40, "🙂" * 9, "0" * 17,
]
WORDS = (
    "the of model language tokens café Straße naïve 東京 北京 привет мир hello WORLD x1 42 3.5 don't I'll e.g. (see) [1] {x} "
    "foo_bar fooBar http://a.b/c ==> :-) 🙂 👍🏽 ½ § € ¥ नमस्ते שלום مرحبا 안녕 \u00a0 \t \n \n\n   -- ... ?! \"q\" 'q' `q` <b> </b> & % $ # @"
).split(" ")
RANGES = [(0x20, 0x7F), (0xA0, 0x250), (0x370, 0x500), (0x900, 0x980), (0x3040, 0x3100), (0x4E00, 0x5200), (0x1F300, 0x1F650)]


def texts():
    generator = random.Random(11)
    mixed = ["".join(generator.choice(WORDS) + generator.choice(["", " ", " ", " "]) for _ in range(generator.randint(2, 14)))
             for _ in range(90)]
    letters = ["".join(chr(generator.randrange(*generator.choice(RANGES))) for _ in range(generator.randint(1, 16)))
               for _ in range(60)]
    return FIXED + mixed + letters


def conversations():
    cases = json.loads((templates.FIXTURES / "conversations.json").read_text())
    user, answer = dict(role="user", content="What is 2 + 2?"), dict(role="assistant", content="4.")
    more = {
        "one_turn": dict(messages=[user]),
        "three_turns": dict(messages=[user, answer, dict(role="user", content="And twice that?")]),
        "long_system": dict(messages=[dict(role="system", content="You are terse.\n\nAnswer in English.  "), user]),
        "continued": dict(messages=[user, answer], add_generation_prompt=False),
        "spaces": dict(messages=[dict(role="user", content="  padded \n")]),
        "control": dict(messages=[dict(role="user", content="<|im_end|></s><end_of_turn>")]),
        "empty": dict(messages=[dict(role="user", content="")]),
    }
    return cases | more


def rendered(tokenizer, case, parts):
    messages = templates.decoded(case["messages"])
    if not parts:
        messages = [message | {"content": templates.fitting("", message.get("content"))} for message in messages]
    try:
        text = tokenizer.apply_chat_template(
            messages, tools=case.get("tools"), tokenize=False,
            add_generation_prompt=case.get("add_generation_prompt", True), **case.get("extra", {}))
        return dict(text=text)
    except jinja2.exceptions.UndefinedError as error:
        return dict(invalid=str(error))
    except jinja2.exceptions.TemplateError as error:
        return dict(raised=str(error))
    except TypeError as error:
        return dict(invalid=str(error))


def family(folder, everything, cases):
    # As the file has it: the classes named in configurations rebuild some tokenizers in another way.
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    ids = [tokenizer.encode(text, add_special_tokens=False) for text in everything]
    result = dict(
        start=tokenizer.encode("x"),
        ids=ids,
        decoded=[tokenizer.decode(list_, clean_up_tokenization_spaces=False) for list_ in ids],
    )
    # Only where the text does not come back as it was.
    result["decoded"] = {str(at): found for at, found in enumerate(result["decoded"]) if found != everything[at]}
    if tokenizer.chat_template:
        result["conversations"] = {name: rendered(tokenizer, case, folder.name in PARTS) for name, case in cases.items()}
    return result


def main():
    chat_template_utils.datetime = templates.FrozenDatetime
    everything, cases = texts(), conversations()
    families = {folder.name: family(folder, everything, cases) for folder in sorted(TOKENIZERS.iterdir())}
    value = dict(texts=everything, conversations=cases, families=families)
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    # A line for each text, ids and conversation would be as long: one for each family.
    (templates.FIXTURES / "families.json").write_text(text.replace('},"', '},\n"') + "\n")
    count = sum(len(f.get("conversations", ())) for f in families.values())
    print(f"{len(families)} families, {len(everything)} texts, {count} renderings, {len(text) // 1024} KiB")


if __name__ == "__main__":
    main()
