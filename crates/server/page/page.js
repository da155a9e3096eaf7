// The page at /: a chat with the server that it came from. Everything that a model or a person wrote
// is put in as text, never as HTML.
"use strict";

const element = (id) => document.getElementById(id);

// The conversation as it is sent. Every message has the article that shows it.
let turns = [];
// Ends the answer that is being written.
let running = null;

function make(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function say(text) {
  element("status").textContent = text;
}

function headers() {
  const key = element("key").value.trim();
  const all = { "Content-Type": "application/json" };
  if (key) all.Authorization = `Bearer ${key}`;
  return all;
}

async function get(path) {
  const reply = await fetch(path, { headers: headers() });
  if (reply.status === 401) {
    // The field for it is closed until it is needed.
    element("key").closest("details").open = true;
    throw new Error("this server asks for an API key; give it in the settings");
  }
  if (!reply.ok) throw new Error(await errorOf(reply));
  return reply;
}

async function errorOf(reply) {
  try {
    return (await reply.json()).error.message;
  } catch {
    return `the server answers ${reply.status}`;
  }
}

// The end of the chat stays in sight while it grows. Growing never moves what is shown upwards: who
// sees that is somebody who scrolls back to read, and is left alone until they are at the end again.
let follows = true;
let last_top = 0;

function follow() {
  if (!follows) return;
  const chat = element("chat");
  chat.scrollTop = chat.scrollHeight;
  // Its event comes with the next frame; somebody may scroll back before that.
  last_top = chat.scrollTop;
}

element("chat").addEventListener("scroll", () => {
  const chat = element("chat");
  if (chat.scrollTop < last_top - 2) follows = false;
  else if (chat.scrollHeight - chat.scrollTop - chat.clientHeight < 2) follows = true;
  last_top = chat.scrollTop;
});

// One message and what belongs to it. `parts` are filled while an answer comes.
function show(role) {
  const article = make("article", role);
  const title = make("h2");
  title.append(make("span", "", role === "user" ? "You" : "Model"));
  article.append(title);
  element("chat").append(article);
  return article;
}

function showUser(text) {
  const article = show("user");
  article.append(make("div", "text", text));
  const edit = make("button", "", "Edit");
  edit.type = "button";
  edit.setAttribute("aria-label", "Edit this message and answer it anew");
  edit.addEventListener("click", () => editTurn(article));
  article.querySelector("h2").append(edit);
  turns.push({ message: { role: "user", content: text }, article });
}

// Takes a message and all that follows back into the message field.
function editTurn(article) {
  const at = turns.findIndex((turn) => turn.article === article);
  if (at < 0) return;
  discard();
  const [turn] = turns.splice(at);
  while (article.nextSibling) article.nextSibling.remove();
  article.remove();
  element("prompt").value = turn.message.content;
  element("prompt").focus();
  say("The message and what followed it are taken back.");
}

// The places of an answer's parts, made when their first text comes. What comes is put in once for
// each frame: a model may write faster than a browser can lay out.
class Answer {
  constructor() {
    this.article = show("assistant");
    this.article.setAttribute("aria-busy", "true");
    this.unpainted = new Map();
    this.frame = null;
    this.message = { role: "assistant", content: "" };
    this.calls = [];
  }

  put(place, text) {
    this.unpainted.set(place, (this.unpainted.get(place) ?? "") + text);
    this.frame ??= requestAnimationFrame(() => this.paint());
  }

  paint() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    for (const [place, text] of this.unpainted) place.append(text);
    this.unpainted.clear();
    follow();
  }

  reasoning(text) {
    if (!this.thoughts) {
      const details = make("details");
      details.append(make("summary", "", "Reasoning"));
      this.thoughts = make("div", "text", "");
      details.append(this.thoughts);
      this.article.append(details);
    }
    this.put(this.thoughts, text);
    this.message.reasoning_content = (this.message.reasoning_content ?? "") + text;
  }

  content(text) {
    if (!this.text) {
      this.text = make("div", "text", "");
      this.article.append(this.text);
    }
    this.put(this.text, text);
    this.message.content += text;
  }

  call(piece) {
    let call = this.calls[piece.index];
    if (!call) {
      const details = make("details");
      details.open = true;
      details.append(make("summary", "", `Call of ${piece.function?.name ?? "a tool"}`));
      const place = make("pre");
      details.append(place);
      this.article.append(details);
      call = this.calls[piece.index] = { id: piece.id, name: piece.function?.name, text: "", place };
    }
    const more = piece.function?.arguments ?? "";
    call.text += more;
    this.put(call.place, more);
  }

  end(facts) {
    this.paint();
    this.article.removeAttribute("aria-busy");
    if (facts) this.article.append(make("p", "facts", facts));
    follow();
    const called = this.calls.filter(Boolean);
    if (called.length > 0) {
      this.message.tool_calls = called.map(({ id, name, text }) => ({
        id, type: "function", function: { name, arguments: text },
      }));
    }
    // An answer that says nothing is no part of the conversation.
    if (this.message.content || called.length > 0) {
      turns.push({ message: this.message, article: this.article });
    }
  }

  fail(text) {
    this.article.append(make("p", "error", text));
  }
}

function requestBody() {
  const messages = turns.map((turn) => turn.message);
  const system = element("system").value.trim();
  if (system) messages.unshift({ role: "system", content: system });
  const body = { messages, stream: true, stream_options: { include_usage: true } };
  if (element("model").value) body.model = element("model").value;
  if (element("temperature").value) body.temperature = Number(element("temperature").value);
  if (element("limit").value) body.max_tokens = Number(element("limit").value);
  if (element("effort").value) body.reasoning_effort = element("effort").value;
  const tools = element("tools").value.trim();
  if (tools) body.tools = JSON.parse(tools);
  return body;
}

// The data of server-sent events, one at a time.
async function* events(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const whole = rest.split("\n\n");
    rest = whole.pop();
    for (const event of whole) {
      if (event.startsWith("data: ")) yield event.slice("data: ".length);
    }
  }
}

function take(answer, chunk, figures) {
  if (chunk.error) throw new Error(chunk.error.message);
  if (chunk.usage) figures.usage = chunk.usage;
  const choice = chunk.choices?.[0];
  if (!choice) return;
  if (choice.finish_reason) figures.reason = choice.finish_reason;
  const delta = choice.delta ?? {};
  const is_new = delta.reasoning_content || delta.content || delta.tool_calls;
  if (is_new && !figures.first) figures.first = performance.now();
  if (delta.reasoning_content) answer.reasoning(delta.reasoning_content);
  if (delta.content) answer.content(delta.content);
  for (const piece of delta.tool_calls ?? []) answer.call(piece);
}

function facts({ usage, reason, first }) {
  if (!usage) return reason === "length" ? "cut at the limit" : "stopped";
  const seconds = (performance.now() - first) / 1000;
  const speed = usage.completion_tokens > 1 && seconds > 0
    ? `, ${((usage.completion_tokens - 1) / seconds).toFixed(1)} tokens a second` : "";
  const cut = reason === "length" ? ", cut at the limit" : "";
  return `${usage.prompt_tokens} tokens read, ${usage.completion_tokens} written${speed}${cut}`;
}

async function answerTurns() {
  let body;
  try {
    body = requestBody();
  } catch (error) {
    say(`The tools are no JSON: ${error.message}`);
    return;
  }
  const answer = new Answer();
  const figures = {};
  const controller = running = new AbortController();
  setBusy(true);
  say("The model is answering.");
  try {
    const reply = await fetch("v1/chat/completions", {
      method: "POST", headers: headers(), body: JSON.stringify(body), signal: controller.signal,
    });
    if (!reply.ok) throw new Error(await errorOf(reply));
    for await (const data of events(reply)) {
      if (data === "[DONE]") break;
      take(answer, JSON.parse(data), figures);
    }
    say("The answer is complete.");
  } catch (error) {
    const was_stopped = error.name === "AbortError";
    if (controller.is_discarded) return;
    if (!was_stopped) answer.fail(error.message);
    say(was_stopped ? "The answer was stopped." : `The answer failed: ${error.message}`);
  } finally {
    if (controller.is_discarded) {
      answer.article.remove();
    } else {
      answer.end(facts(figures));
      running = null;
      setBusy(false);
    }
    showModels();
  }
}

function setBusy(is_busy) {
  element("send").disabled = is_busy;
  element("stop").disabled = !is_busy;
}

function stop() {
  running?.abort();
}

// Stops an answer whose question is gone.
function discard() {
  if (!running) return;
  running.is_discarded = true;
  running.abort();
  running = null;
  setBusy(false);
}

function send(event) {
  event?.preventDefault();
  const text = element("prompt").value;
  if (running || !text.trim()) return;
  element("prompt").value = "";
  follows = true;
  showUser(text);
  answerTurns();
}

const SIZES = ["B", "KiB", "MiB", "GiB", "TiB"];

function size(bytes) {
  if (!bytes) return "";
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), SIZES.length - 1);
  return `${(bytes / 1024 ** power).toPrecision(3)} ${SIZES[power]}`;
}

async function showModels() {
  try {
    const { data } = await (await get("v1/models")).json();
    const chosen = element("model").value;
    element("model").replaceChildren(...data.map((model) => new Option(model.id, model.id)));
    if (data.some((model) => model.id === chosen)) element("model").value = chosen;
    element("models").replaceChildren(...data.map((model) => {
      const row = make("tr");
      const cells = [model.id, model.last_error ?? model.state, model.context_length, size(model.memory_bytes)];
      row.append(...cells.map((text) => make("td", "", text)));
      return row;
    }));
  } catch (error) {
    say(`The models are not known: ${error.message}`);
  }
}

// The sums of figures of /metrics over all models, by name.
function sums(text) {
  const all = {};
  for (const line of text.split("\n")) {
    const found = /^(\w+)(?:\{.*\})? (\S+)$/.exec(line);
    if (found) all[found[1]] = (all[found[1]] ?? 0) + Number(found[2]);
  }
  return all;
}

let before = null;

async function showFigures() {
  if (document.hidden) return;
  try {
    const now = { ...sums(await (await get("metrics")).text()), time: performance.now() };
    const { tyto_cache_blocks: blocks = 0, tyto_cache_blocks_free: free = 0 } = now;
    const used = blocks > 0 ? Math.round(100 * (1 - free / blocks)) : 0;
    const since = before ? (now.time - before.time) / 1000 : 0;
    const written = (now.tyto_generated_tokens_total ?? 0) - (before?.tyto_generated_tokens_total ?? 0);
    const speed = since > 0 ? Math.max(0, written / since).toFixed(1) : "0.0";
    before = now;
    element("figures").textContent = `${speed} tokens/s, ${now.tyto_requests_running ?? 0} running, `
      + `${(now.tyto_requests_waiting ?? 0) + (now.tyto_requests_loading ?? 0)} waiting, cache ${used} %`;
  } catch {
    before = null;
    element("figures").textContent = "no figures";
  }
}

element("form").addEventListener("submit", send);
element("stop").addEventListener("click", stop);
element("new").addEventListener("click", () => {
  discard();
  turns = [];
  element("chat").replaceChildren();
  say("A new chat.");
  element("prompt").focus();
});
element("prompt").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") stop();
});
element("key").value = sessionStorage.getItem("key") ?? "";
element("key").addEventListener("change", () => {
  sessionStorage.setItem("key", element("key").value);
  showModels();
});
showModels();
showFigures();
setInterval(showFigures, 2000);
element("prompt").focus();
