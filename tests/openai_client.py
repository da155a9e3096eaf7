"""Talk to a running server with the stock OpenAI client, and check what it understood.

    python tests/openai_client.py BASE_URL MODEL

BASE_URL ends in /v1. Prints one line for each check and exits non-zero at the first that fails. It looks at the shape of
answers, not at their words, so it works with the tiny random models too.
"""

import json
import sys

import openai

MESSAGES = [{"role": "user", "content": "What is the capital of France?"}]


def main():
    base_url, model = sys.argv[1:]
    client = openai.OpenAI(base_url=base_url, api_key="none", max_retries=0, timeout=120)
    if next(card for card in client.models.list().data if card.id == model).kind == "embedding":
        for check in (lists_model, embeds, refuses_to_write):
            run(check, client, model)
        return
    for check in (lists_model, answers, streams, streams_usage_on_request, reads_content_parts, completes,
                  streams_completion, same_greedy_text, several_answers, follows_schema, responds, streams_response,
                  refuses_empty_messages, survives_bad_request):
        run(check, client, model)
    # A template without a place for tools refuses them; what the model can do is in its card.
    if next(card for card in client.models.list().data if card.id == model).tool_call_format:
        for check in (calls_a_tool, streams_a_call, agent_loop, agent_loop_of_responses):
            run(check, client, model)


def run(check, client, model):
    check(client, model)
    print(f"ok {check.__name__}", flush=True)


def chat(client, model, **more):
    return client.chat.completions.create(**(dict(model=model, messages=MESSAGES, max_tokens=8, temperature=0) | more))


def text_of(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def lists_model(client, model):
    assert model in [entry.id for entry in client.models.list().data]


def embeds(client, model):
    # The client asks for base64 by itself, and makes numbers of it.
    reply = client.embeddings.create(model=model, input=["a text", "another one"])
    assert [item.index for item in reply.data] == [0, 1], reply
    assert reply.usage.prompt_tokens == reply.usage.total_tokens > 0, reply.usage
    plain = client.embeddings.create(model=model, input="a text", encoding_format="float").data[0].embedding
    assert all(abs(one - other) < 1e-6 for one, other in zip(reply.data[0].embedding, plain, strict=True))
    short = client.embeddings.create(model=model, input="a text", dimensions=4).data[0].embedding
    assert len(short) == 4 and abs(sum(value * value for value in short) - 1) < 1e-3, short


def refuses_to_write(client, model):
    try:
        chat(client, model)
    except openai.BadRequestError as error:
        assert "/v1/embeddings" in error.message and error.param == "model", error
    else:
        raise AssertionError("a model that makes vectors has written something")


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


def several_answers(client, model):
    reply = chat(client, model, n=2, temperature=1, seed=7)
    assert [choice.index for choice in reply.choices] == [0, 1], reply
    again = chat(client, model, n=2, temperature=1, seed=7)
    assert [c.message.content for c in reply.choices] == [c.message.content for c in again.choices]


YES_OR_NO = {"type": "object", "properties": {"answer": {"enum": ["yes", "no"]}}, "required": ["answer"],
             "additionalProperties": False}


def follows_schema(client, model):
    schema = {"type": "json_schema", "json_schema": {"name": "a", "strict": True, "schema": YES_OR_NO}}
    reply = chat(client, model, max_tokens=100, response_format=schema)
    assert json.loads(reply.choices[0].message.content)["answer"] in ("yes", "no"), reply
    refused(client, model, response_format={"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "x"}}})


def responds(client, model):
    reply = client.responses.create(model=model, input="Hi", max_output_tokens=4, temperature=0)
    assert reply.status in ("completed", "incomplete") and reply.output[-1].type == "message", reply
    assert reply.usage.input_tokens > 0 and reply.usage.output_tokens > 0, reply.usage


def streams_response(client, model):
    request = dict(model=model, input="Hi", max_output_tokens=4, temperature=0)
    events = list(client.responses.create(**request, stream=True))
    assert events[0].type == "response.created" and events[-1].type in ("response.completed", "response.incomplete")
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert text == events[-1].response.output_text == client.responses.create(**request).output_text


WEATHER = {"name": "weather", "description": "The weather of a city", "parameters": {
    "type": "object", "properties": {"city": {"enum": ["Bonn", "Rome"]}}, "required": ["city"],
    "additionalProperties": False}}
TOOLS = [{"type": "function", "function": WEATHER}]


def weather(city):
    return {"Bonn": "rain", "Rome": "sun"}[city]


def calls_a_tool(client, model):
    reply = chat(client, model, max_tokens=100, tools=TOOLS, tool_choice="required", parallel_tool_calls=False)
    choice = reply.choices[0]
    assert choice.finish_reason == "tool_calls" and choice.message.content is None, reply
    (call,) = choice.message.tool_calls
    assert call.id and call.function.name == "weather" and weather(**json.loads(call.function.arguments)), call


def streams_a_call(client, model):
    named = {"type": "function", "function": {"name": "weather"}}
    request = dict(max_tokens=100, tools=TOOLS, tool_choice=named, parallel_tool_calls=False)
    calls = {}
    for chunk in chat(client, model, stream=True, **request):
        for delta in chunk.choices[0].delta.tool_calls or []:
            call = calls.setdefault(delta.index, {"id": delta.id, "name": delta.function.name, "arguments": ""})
            call["arguments"] += delta.function.arguments or ""
    assert list(calls) == [0] and calls[0]["id"] and calls[0]["name"] == "weather", calls
    whole = chat(client, model, **request).choices[0].message.tool_calls[0].function.arguments
    assert calls[0]["arguments"] == whole, (calls, whole)


def agent_loop(client, model):
    messages, answers = list(MESSAGES), []
    for choice in ("required", "none"):
        reply = chat(client, model, messages=messages, max_tokens=60, tools=TOOLS, tool_choice=choice,
                     parallel_tool_calls=False).choices[0]
        messages.append(reply.message)
        for call in reply.message.tool_calls or []:
            answers.append(weather(**json.loads(call.function.arguments)))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": answers[-1]})
    assert len(answers) == 1 and reply.finish_reason in ("stop", "length") and not reply.message.tool_calls, reply


def agent_loop_of_responses(client, model):
    tools = [{"type": "function", "strict": True} | WEATHER]
    items = [{"role": "user", "content": "The weather?"}]
    reply = client.responses.create(model=model, input=items, tools=tools, tool_choice="required", temperature=0,
                                    parallel_tool_calls=False, max_output_tokens=100)
    (call,) = [item for item in reply.output if item.type == "function_call"]
    items += [item.model_dump() for item in reply.output]
    items.append({"type": "function_call_output", "call_id": call.call_id, "output": weather(**json.loads(call.arguments))})
    reply = client.responses.create(model=model, input=items, tools=tools, tool_choice="none", temperature=0,
                                    max_output_tokens=8)
    assert [item.type for item in reply.output] == ["message"], reply


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
