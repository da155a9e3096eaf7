"""Talk to a running server with the stock OpenAI client, and check what it understood.

    python tests/openai_client.py BASE_URL MODEL

BASE_URL ends in /v1. Prints one line for each check and exits non-zero at the first that fails. It looks at the shape of
answers, not at their words, so it works with the tiny random models too.
"""

import sys

import openai

MESSAGES = [{"role": "user", "content": "What is the capital of France?"}]


def main():
    base_url, model = sys.argv[1:]
    client = openai.OpenAI(base_url=base_url, api_key="none", max_retries=0, timeout=120)
    for check in (lists_model, answers, streams, streams_usage_on_request, reads_content_parts, completes,
                  streams_completion, same_greedy_text, refuses_empty_messages, survives_bad_request):
        check(client, model)
        print(f"ok {check.__name__}", flush=True)


def chat(client, model, **more):
    return client.chat.completions.create(**(dict(model=model, messages=MESSAGES, max_tokens=8, temperature=0) | more))


def text_of(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def lists_model(client, model):
    assert model in [entry.id for entry in client.models.list().data]


def answers(client, model):
    reply = chat(client, model)
    choice = reply.choices[0]
    assert reply.object == "chat.completion" and choice.message.role == "assistant", reply
    assert choice.finish_reason in ("stop", "length"), reply
    assert 0 < reply.usage.completion_tokens <= 8 and reply.usage.prompt_tokens > 0, reply.usage
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens, reply.usage


def streams(client, model):
    chunks = list(chat(client, model, stream=True))
    choices = [chunk.choices[0] for chunk in chunks]
    reasons = [choice.finish_reason for choice in choices]
    assert all(chunk.object == "chat.completion.chunk" and chunk.id == chunks[0].id for chunk in chunks)
    assert choices[0].delta.role == "assistant" and not any(choice.delta.role for choice in choices[1:]), chunks
    assert reasons[-1] in ("stop", "length") and not any(reasons[:-1]), reasons
    assert not choices[-1].delta.content, "the last chunk carries text beside its finish_reason"
    assert all(chunk.usage is None for chunk in chunks), "usage was not asked for"


def streams_usage_on_request(client, model):
    chunks = list(chat(client, model, stream=True, stream_options={"include_usage": True}))
    assert chunks[-1].choices == [] and chunks[-1].usage.completion_tokens > 0, chunks[-1]
    assert all(chunk.usage is None for chunk in chunks[:-1])


def reads_content_parts(client, model):
    # Parts are joined by a newline, as vLLM and llama-server join them.
    lines = ["Which city is it?", "What is the capital of France?"]
    parts = [{"type": "text", "text": line} for line in lines]
    whole, split = (chat(client, model, messages=[{"role": "user", "content": content}])
                    for content in ("\n".join(lines), parts))
    assert whole.usage.prompt_tokens == split.usage.prompt_tokens, (whole.usage, split.usage)
    assert whole.choices[0].message.content == split.choices[0].message.content


def completes(client, model):
    reply = client.completions.create(model=model, prompt="The capital of France", max_tokens=5, temperature=0)
    assert reply.object == "text_completion" and reply.choices[0].finish_reason in ("stop", "length"), reply
    assert reply.usage.completion_tokens <= 5, reply.usage


def streams_completion(client, model):
    request = dict(model=model, prompt="The capital of France", max_tokens=5, temperature=0)
    whole = client.completions.create(**request).choices[0].text
    chunks = list(client.completions.create(**request, stream=True))
    assert "".join(chunk.choices[0].text for chunk in chunks if chunk.choices) == whole
    assert chunks[-1].choices[0].finish_reason in ("stop", "length"), chunks[-1]


def same_greedy_text(client, model):
    assert text_of(chat(client, model, stream=True)) == chat(client, model).choices[0].message.content


def refuses_empty_messages(client, model):
    refused(client, model, messages=[])


def survives_bad_request(client, model):
    refused(client, model, max_tokens=-3)
    refused(client, model, temperature="warm")
    refused(client, model, logit_bias={"99999999": -100})
    answers(client, model)


def refused(client, model, **more):
    try:
        chat(client, model, **more)
    except openai.BadRequestError as error:
        assert error.status_code == 400 and error.body and error.body.get("message"), error.body
    else:
        raise AssertionError(f"accepted: {more}")


if __name__ == "__main__":
    main()
