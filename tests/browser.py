"""A headless Chromium, driven over the pipe of its DevTools protocol. Needs nothing but Python and Chromium.

The page's text and state are read by expressions that run in the page; what a person does is done by keys and clicks that
the browser itself hands to the page.
"""

import json
import os
import select
import subprocess
import tempfile
import time

# Nothing here takes a second; a machine that is busy with other things may take its time.
LONGEST_WAIT = 60
KEYS = {"Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), "Space": (32, " ")}


class Browser:
    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_commands, self.commands = os.pipe()
        self.replies, write_replies = os.pipe()

        def connect():
            # The browser reads commands from 3 and writes replies to 4. Copies first: these may be 3 and 4 already.
            copies = os.dup(read_commands), os.dup(write_replies)
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)

        # The sandbox needs rights that containers and root do not have; only our own page is shown.
        options = ["--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--no-first-run", "--disable-background-networking", "--no-proxy-server", "--window-size=1000,800",
                   f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen([program, *options], preexec_fn=connect, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_commands)
        os.close(write_replies)
        self.rest, self.next_id, self.session, self.faults = b"", 1, None, []

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=LONGEST_WAIT)
        self.folder.cleanup()

    def open(self, url):
        """A page of its own, whose faults are noted from its first script on."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Accessibility"):
            self.send(f"{domain}.enable")
        self.send("Page.navigate", url=url)

    def send(self, method, **parameters):
        """A command, and its result. What the page says of itself in between is noted."""
        number, self.next_id = self.next_id, self.next_id + 1
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.receive(method)
            if reply.get("id") == number:
                assert "error" not in reply, (method, reply["error"])
                return reply["result"]
            self.note(reply)

    def receive(self, waiting_for):
        deadline = time.monotonic() + LONGEST_WAIT
        while b"\0" not in self.rest:
            left = max(0, deadline - time.monotonic())
            ready, _, _ = select.select([self.replies], [], [], left)
            read = os.read(self.replies, 1 << 16) if ready else b""
            assert read, f"the browser says nothing to {waiting_for}"
            self.rest += read
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        if event.get("method") == "Runtime.exceptionThrown":
            self.faults.append(event["params"]["exceptionDetails"])
        if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.faults.append(event["params"]["entry"])

    def value(self, expression):
        """What an expression gives in the page; a promise is waited for."""
        result = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, (expression, result)
        return result["result"].get("value")

    def until(self, expression):
        """Waits, frame by frame, until an expression is true in the page."""
        seconds = LONGEST_WAIT / 2
        found = self.value(f"""new Promise((done) => {{
            const end = performance.now() + {1000 * seconds};
            const look = () => {{
              let is_so = false;
              try {{ is_so = Boolean({expression}); }} catch {{ /* Not there yet. */ }}
              if (is_so || performance.now() > end) done(is_so); else setTimeout(look, 10);
            }};
            look();
        }})""")
        if not found:
            raise AssertionError(f"not within {seconds:.0f} s: {expression}\n{self.value('document.body?.innerText')}")

    def key(self, name, shift=False):
        code, text = KEYS[name]
        event = {"key": " " if name == "Space" else name, "code": name, "windowsVirtualKeyCode": code,
                 "modifiers": 8 if shift else 0}
        self.send("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def click(self, expression):
        """Clicks the middle of an element."""
        x, y = self.value(f"""(() => {{
            const element = {expression};
            element.scrollIntoView({{ block: "center", behavior: "instant" }});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
