"""Talk to a running server with the stock Anthropic client, and check what it understood.

    python tests/anthropic_client.py BASE_URL MODEL

BASE_URL has no /v1. The model's template must have a place for tools. Prints one line for each check and exits non-zero
at the first that fails.
"""

import sys

import anthropic

MESSAGES = [{"role": "user", "content": "The weather?"}]
TOOLS = [{"name": "weather", "description": "The weather of a city", "input_schema": {
    "type": "object", "properties": {"city": {"enum": ["Bonn", "Rome"]}}, "required": ["city"],
    "additionalProperties": False}}]


def main():
    base_url, model = sys.argv[1:]
    client = anthropic.Anthropic(base_url=base_url, api_key="none", max_retries=0, timeout=120)
    for check in (answers, streams, counts, calls_and_goes_on, streams_a_call, refuses):
        check(client, model)
        print(f"ok {check.__name__}", flush=True)


# Sampling is no argument of newer clients; the server reads it all the same.
GREEDY = {"temperature": 0}


def create(client, model, **more):
    return client.messages.create(**(dict(model=model, messages=MESSAGES, max_tokens=8, extra_body=GREEDY) | more))


def answers(client, model):
    reply = create(client, model, system="Be brief.")
    assert reply.type == "message" and reply.role == "assistant", reply
    assert reply.content[0].type == "text" and reply.stop_reason in ("end_turn", "max_tokens"), reply
    assert reply.usage.input_tokens > 0 and 0 < reply.usage.output_tokens <= 8, reply.usage


def streams(client, model):
    with client.messages.stream(model=model, messages=MESSAGES, max_tokens=8, extra_body=GREEDY) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    assert text == create(client, model).content[0].text == final.content[0].text
    assert final.stop_reason in ("end_turn", "max_tokens") and final.usage.output_tokens > 0, final


def counts(client, model):
    reply = create(client, model)
    used = reply.usage.input_tokens + (reply.usage.cache_read_input_tokens or 0)
    assert client.messages.count_tokens(model=model, messages=MESSAGES).input_tokens == used


def calls_and_goes_on(client, model):
    reply = create(client, model, tools=TOOLS, tool_choice={"type": "tool", "name": "weather"}, max_tokens=100)
    assert reply.stop_reason == "tool_use", reply
    (call,) = [block for block in reply.content if block.type == "tool_use"]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": {"Bonn": "rain", "Rome": "sun"}[call.input["city"]]}
    messages = MESSAGES + [{"role": "assistant", "content": reply.content}, {"role": "user", "content": [result]}]
    reply = create(client, model, messages=messages, tools=TOOLS, tool_choice={"type": "none"})
    assert reply.stop_reason in ("end_turn", "max_tokens") and reply.content[0].type == "text", reply


def streams_a_call(client, model):
    choice = {"type": "any", "disable_parallel_tool_use": True}
    with client.messages.stream(model=model, messages=MESSAGES, max_tokens=100, extra_body=GREEDY, tools=TOOLS,
                                tool_choice=choice) as stream:
        kinds = [event.type for event in stream]
        (call,) = stream.get_final_message().content
    assert "content_block_delta" in kinds and call.input["city"] in ("Bonn", "Rome"), (kinds, call)


def refuses(client, model):
    for wrong in (dict(messages=[]), dict(extra_body={"temperature": 7}), dict(tools=[{"name": "two words", "input_schema": {}}])):
        try:
            create(client, model, **wrong)
        except anthropic.BadRequestError as error:
            assert error.body["error"]["type"] == "invalid_request_error", error.body
        else:
            raise AssertionError(f"accepted: {wrong}")
    try:
        create(client, "other")
    except anthropic.NotFoundError:
        pass
    else:
        raise AssertionError("accepted another model")


if __name__ == "__main__":
    main()
