// Talks to a running server with the stock OpenAI client for Node, and checks what it understood.
//
//     node openai_client.mjs BASE_URL MODEL
//
// BASE_URL ends in /v1; the model's template must have a place for tools. Runs where `openai` is installed. Prints one line
// for each check and exits non-zero at the first that fails.

import assert from "node:assert/strict";
import OpenAI from "openai";

const [baseURL, model] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0, timeout: 120_000 });
const messages = [{ role: "user", content: "The weather?" }];
const parameters = {
  type: "object", properties: { city: { enum: ["Bonn", "Rome"] } }, required: ["city"], additionalProperties: false,
};
const tools = [{ type: "function", function: { name: "weather", parameters } }];
const request = { model, messages, max_tokens: 8, temperature: 0 };

const checks = {
  async answers() {
    const reply = await client.chat.completions.create(request);
    assert.equal(reply.choices[0].message.role, "assistant");
    assert.ok(["stop", "length"].includes(reply.choices[0].finish_reason));
  },
  async streams() {
    const whole = await client.chat.completions.create(request);
    let text = "";
    for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
      text += chunk.choices[0]?.delta?.content ?? "";
    }
    assert.equal(text, whole.choices[0].message.content);
  },
  async callsATool() {
    const choice = { tools, tool_choice: "required", parallel_tool_calls: false, max_tokens: 100 };
    const stream = client.chat.completions.stream({ ...request, ...choice });
    const final = await stream.finalChatCompletion();
    const [call] = final.choices[0].message.tool_calls;
    assert.equal(final.choices[0].finish_reason, "tool_calls");
    assert.ok(["Bonn", "Rome"].includes(JSON.parse(call.function.arguments).city));
    const next = [...messages, final.choices[0].message, { role: "tool", tool_call_id: call.id, content: "rain" }];
    const last = await client.chat.completions.create({ ...request, messages: next, tools, tool_choice: "none" });
    assert.equal(last.choices[0].message.tool_calls, undefined);
  },
  async responds() {
    const reply = await client.responses.create({ model, input: "Hi", max_output_tokens: 4, temperature: 0 });
    assert.equal(reply.output.at(-1).type, "message");
    assert.equal(typeof reply.output_text, "string");
  },
  async refuses() {
    await assert.rejects(client.chat.completions.create({ ...request, messages: [] }), OpenAI.BadRequestError);
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`ok ${name}`);
}
