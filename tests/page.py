"""The server's page in a headless Chromium, against a running `tyto serve` of tests/table_model.py:

    python3 tests/page.py URL KEY CHROMIUM

Prints one line for each check and exits non-zero at the first that fails. The checks follow each other in one page, as a
person would go on.
"""

import json
import sys

from browser import Browser

TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}]
LAST = "document.querySelector('#chat article:last-child')"
STATUS = "document.getElementById('status').textContent"


def main():
    url, key, program = sys.argv[1:]
    browser = Browser(program)
    try:
        browser.open(url)
        takes_a_key(browser, key)
        for check in (shows_models_and_figures, answers, shows_text_as_text, shows_reasoning, shows_calls, stops, edits,
                      begins_anew, says_what_failed, works_with_keys_alone, has_names_for_readers,
                      is_readable_in_light_and_dark, has_no_faults):
            check(browser)
            print(f"ok {check.__name__}", flush=True)
    finally:
        browser.close()


def takes_a_key(browser, key):
    browser.until(f"{STATUS}.includes('models are not known')")
    # The browser itself reports replies of 401; they were meant.
    browser.faults.clear()
    assert "API key" in browser.value(STATUS)
    browser.click("document.getElementById('key')")
    browser.type(key)
    browser.key("Tab")
    browser.until("document.getElementById('model').options.length === 1")
    browser.faults.clear()
    print("ok takes_a_key", flush=True)


def say(browser, text):
    browser.value("document.getElementById('prompt').focus()")
    browser.type(text)
    browser.key("Enter")


def ask(browser, text):
    """Says something and gives the texts of the answer's parts once it is whole."""
    said = browser.value("document.querySelectorAll('#chat article').length")
    say(browser, text)
    browser.until(f"document.querySelectorAll('#chat article').length === {said + 2}"
                  f" && !{LAST}.hasAttribute('aria-busy') && !document.getElementById('send').disabled")
    return browser.value(f"[...{LAST}.querySelectorAll('.text, pre')].map((part) => part.textContent)")


def shows_models_and_figures(browser):
    browser.click("document.querySelectorAll('aside summary')[1]")
    cells = browser.value("[...document.querySelectorAll('#models td')].map((cell) => cell.textContent)")
    name, state, context, memory = cells
    assert name == "table" and state == "loaded" and int(context) > 1000, cells
    assert float(memory.split()[0]) > 0 and memory.endswith("iB"), cells
    browser.until("/^[0-9.]+ tokens.s, 0 running, 0 waiting, cache [0-9]+ %$/"
                  ".test(document.getElementById('figures').textContent)")


def answers(browser):
    assert ask(browser, "hello") == ["Hello there, human."]
    assert browser.value(STATUS) == "The answer is complete."
    facts = browser.value(f"{LAST}.querySelector('.facts').textContent")
    assert "tokens read, 4 written" in facts, facts
    # The question is shown, and the field is empty for the next.
    assert browser.value("document.querySelector('#chat article.user .text').textContent") == "hello"
    assert browser.value("document.getElementById('prompt').value") == ""


def shows_text_as_text(browser):
    assert ask(browser, "<i>b") == ["<b>bold</b> & <img src=x onerror=alert(1)>"]
    assert browser.value("document.querySelectorAll('#chat b, #chat i, #chat img').length") == 0


def shows_reasoning(browser):
    assert ask(browser, "think") == ["Hm, let me see.", "It is so."]
    assert browser.value(f"{LAST}.querySelector('summary').textContent") == "Reasoning"


def shows_calls(browser):
    browser.click("document.getElementById('tools')")
    browser.type(json.dumps(TOOLS))
    (arguments,) = ask(browser, "call")
    assert json.loads(arguments) == {"city": "Bonn"}
    assert browser.value(f"{LAST}.querySelector('summary').textContent") == "Call of weather"
    # The call goes back to the model in the next turn, which the server would refuse if it were none.
    assert ask(browser, "hello") == ["Hello there, human."]
    browser.value("document.getElementById('tools').value = ''")


def stops(browser):
    """An answer without end, ended by the key and by the button; the server lets go of it."""
    for stop in (lambda: browser.key("Escape"), lambda: browser.click("document.getElementById('stop')")):
        say(browser, "loop")
        browser.until(f"{LAST}.textContent.includes('again again')")
        follows_the_end(browser)
        stop()
        browser.until(f"{STATUS} === 'The answer was stopped.' && document.getElementById('stop').disabled")
    browser.until("/ 0 running, 0 waiting/.test(document.getElementById('figures').textContent)")
    assert ask(browser, "hello") == ["Hello there, human."]


def follows_the_end(browser):
    """The end of a growing answer stays in sight, until somebody scrolls back to read."""
    browser.value("window.chat = document.getElementById('chat')")
    browser.until("chat.scrollHeight > 2 * chat.clientHeight")
    browser.until("Math.abs(chat.scrollHeight - chat.scrollTop - chat.clientHeight) < 2")
    grown = browser.value("chat.scrollTop = 0, chat.scrollHeight")
    browser.until(f"chat.scrollHeight > {grown}")
    assert browser.value("chat.scrollTop") == 0


def edits(browser):
    before = browser.value("document.querySelectorAll('#chat article').length")
    browser.click("[...document.querySelectorAll('#chat article.user button')].at(-1)")
    assert browser.value("document.querySelectorAll('#chat article').length") == before - 2
    assert browser.value("document.getElementById('prompt').value") == "hello"
    assert browser.value("document.activeElement.id") == "prompt"
    browser.value("document.getElementById('prompt').value = ''")
    assert ask(browser, "think")[-1] == "It is so."
    assert browser.value("document.querySelectorAll('#chat article').length") == before


def begins_anew(browser):
    browser.click("document.getElementById('new')")
    assert browser.value("document.querySelectorAll('#chat article').length") == 0
    assert ask(browser, "hello") == ["Hello there, human."]
    facts = browser.value(f"{LAST}.querySelector('.facts').textContent")
    # "[user]hello": nothing of the old chat is sent.
    assert facts.startswith("11 tokens read"), facts


def says_what_failed(browser):
    browser.value("document.getElementById('temperature').value = 9")
    ask(browser, "hello")
    error = browser.value(f"{LAST}.querySelector('.error').textContent")
    assert "temperature" in error, error
    # The browser's own line about the reply of 400.
    browser.faults = [fault for fault in browser.faults if "400" not in str(fault)]
    browser.value("document.getElementById('temperature').value = ''")
    browser.click("document.getElementById('new')")


def works_with_keys_alone(browser):
    """From the top of the page, Tab reaches everything, and each place shows that it is reached."""
    assert ask(browser, "think")[-1] == "It is so."
    browser.value("document.activeElement.blur(); window.getSelection().removeAllRanges();"
                  "document.querySelector('.skip').focus()")
    reached = []
    for _ in range(30):
        reached.append(browser.value(
            "document.activeElement.id || document.activeElement.className || document.activeElement.textContent"))
        outline = browser.value("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid", (reached[-1], outline)
        browser.key("Tab")
        if browser.value("document.activeElement === document.body"
                         " || document.activeElement.classList.contains('skip')"):
            break
    # Stop is disabled while nothing is written.
    expected = ["skip", "model", "new", "chat", "Edit", "Reasoning", "prompt", "send", "Settings", "system",
                "temperature", "limit", "effort", "tools", "key", "Models"]
    assert reached == expected, reached
    # A summary opens by the key, a new line is none of Enter's.
    browser.value(f"{LAST}.querySelector('summary').focus()")
    browser.key("Enter")
    assert browser.value(f"{LAST}.querySelector('details').open")
    browser.value("document.getElementById('prompt').focus()")
    browser.type("a")
    browser.key("Enter", shift=True)
    assert browser.value("document.getElementById('prompt').value") == "a\n"
    browser.value("document.getElementById('prompt').value = ''")


def has_names_for_readers(browser):
    """What a screen reader is told: every control has a name, the chat is a log, the state is spoken."""
    nodes = [node for node in browser.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
    seen = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if "role" in node}
    for expected in [("log", "Conversation"), ("textbox", "Message"), ("button", "Send"), ("button", "Stop"),
                     ("combobox", "Model"), ("button", "Edit this message and answer it anew"), ("heading", "Tyto"),
                     ("columnheader", "Memory"), ("spinbutton", "Temperature (empty: the model's own)")]:
        assert expected in seen, (expected, sorted(seen))
    assert any(role == "status" for role, _ in seen), sorted(seen)
    controls = {"button", "textbox", "combobox", "spinbutton", "link", "DisclosureTriangle"}
    assert not [one for one in seen if one[0] in controls and not one[1].strip()], sorted(seen)
    assert browser.value("document.documentElement.lang") == "en"


def is_readable_in_light_and_dark(browser):
    """The contrast of every text with what is behind it, as WCAG 2 counts it, is at least 4.5 in both."""
    backs = []
    for scheme in ("light", "dark"):
        browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        backs.append(browser.value("getComputedStyle(document.body).backgroundColor"))
        low = browser.value("""(() => {
            const parts = (color) => color.match(/[0-9.]+/g).map(Number);
            const light = (color) => {
              const [r, g, b] = parts(color).map((part) => part / 255)
                .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const behind = (node) => {
              const color = getComputedStyle(node).backgroundColor;
              return parts(color)[3] === 0 && node.parentElement ? behind(node.parentElement) : color;
            };
            const low = [];
            for (const node of document.body.querySelectorAll("*")) {
              const has_text = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
              if (!has_text || node.disabled || !node.checkVisibility()) continue;
              const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((a, b) => b - a);
              const contrast = (a + 0.05) / (b + 0.05);
              if (contrast < 4.5) low.push([node.tagName, node.textContent.slice(0, 20), contrast]);
            }
            return low;
        })()""")
        assert low == [], (scheme, low)
    assert backs[0] != backs[1], backs


def has_no_faults(browser):
    assert browser.faults == [], browser.faults


if __name__ == "__main__":
    main()
