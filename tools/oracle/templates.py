"""What transformers renders from the chat templates in crates/text/tests/fixtures.

Run in the oracle's environment (see regenerate): python tools/oracle/templates.py
Reads   templates/*.jinja, conversations.json, expressions.json and variables.json
Writes  rendered.json   every conversation through every template, with tools and without
        expressions.json   the `result` of each expression, in place
"""

import datetime as datetime_module
import json
from pathlib import Path

import jinja2
from transformers import PreTrainedTokenizerFast
from transformers.utils import chat_template_utils
from tokenizers import Tokenizer, models

FIXTURES = Path(__file__).parents[2] / "crates/text/tests/fixtures"
TOKENS = dict(bos_token="<bos>", eos_token="<eos>", unk_token="<unk>")
NOW = datetime_module.datetime(2025, 3, 7, 9, 5, 2)


class FrozenDatetime(datetime_module.datetime):
    @classmethod
    def now(cls, tz=None):
        return NOW


def decoded(messages):
    """Tool call arguments as mappings, which is how transformers wants them."""
    messages = json.loads(json.dumps(messages))
    for message in messages:
        for call in message.get("tool_calls") or []:
            function = call.get("function", call)
            if isinstance(function["arguments"], str):
                function["arguments"] = json.loads(function["arguments"])
    return messages


def fitting(template, content):
    """The form of content that a template shows, where that is not the form it came in."""
    if isinstance(content, str) and template == "typed_only.jinja":
        return [{"type": "text", "text": content}]
    if isinstance(content, list) and template not in ("typed_only.jinja", "alternating.jinja"):
        return "\n".join(part["text"] for part in content)
    return content


def render(tokenizer, template, case, as_string):
    messages = case["messages"] if as_string else decoded(case["messages"])
    messages = [message | {"content": fitting(template, message.get("content"))} for message in messages]
    source = (FIXTURES / "templates" / template).read_text()
    try:
        text = tokenizer.apply_chat_template(
            messages, tools=case.get("tools"), chat_template=source, tokenize=False,
            add_generation_prompt=case.get("add_generation_prompt", True), **case.get("extra", {}),
        )
        return dict(text=text)
    except jinja2.exceptions.UndefinedError as error:
        return dict(invalid=str(error))
    except jinja2.exceptions.TemplateError as error:
        return dict(raised=str(error))
    except TypeError as error:
        return dict(invalid=str(error))


def evaluate(expression, variables):
    try:
        compiled = chat_template_utils._compile_jinja_template(expression["template"])
        expression["result"] = compiled.render(**variables)
        expression.pop("fails", None)
    except Exception as error:  # any failure is the expected outcome to record
        expression.pop("result", None)
        expression["fails"] = type(error).__name__


def write(name, value):
    (FIXTURES / name).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def main():
    chat_template_utils.datetime = FrozenDatetime
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE()), **TOKENS)
    conversations = json.loads((FIXTURES / "conversations.json").read_text())
    rendered = []
    for path in sorted((FIXTURES / "templates").glob("*.jinja")):
        # DeepSeek's kind of template joins the arguments to other strings.
        as_string = path.name.startswith("string_arguments")
        for name, case in conversations.items():
            rendered.append(dict(template=path.name, conversation=name) | render(tokenizer, path.name, case, as_string))
    write("rendered.json", rendered)
    expressions = json.loads((FIXTURES / "expressions.json").read_text())
    variables = json.loads((FIXTURES / "variables.json").read_text())
    for expression in expressions:
        evaluate(expression, variables)
    write("expressions.json", expressions)
    print(f"{len(rendered)} renderings, {len(expressions)} expressions")


if __name__ == "__main__":
    main()
