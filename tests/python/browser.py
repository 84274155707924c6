"""A real Chromium, driven as a person would: pointer, wheel, keys, and a look at what the page shows.

Commands and answers are JSON over two pipes (the DevTools protocol), so nothing needs to be installed but the browser.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

# What the keys are called: code and virtual key number; letters and digits follow from themselves.
KEYS = {
    "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), "Tab": ("Tab", 9, ""), " ": ("Space", 32, " "),
    "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowUp": ("ArrowUp", 38, ""), "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""), "Home": ("Home", 36, ""), "End": ("End", 35, ""), "Delete": ("Delete", 46, ""),
}
MODIFIERS = {"Alt": 1, "Control": 2, "Shift": 8}


def find_browser():
    """The browser's program, or None."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A headless browser with a profile of its own, which is deleted with it."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # The pipes have to be file descriptors 3 and 4.
        script = 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1'
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-background-networking", "--mute-audio", f"--user-data-dir={self.folder.name}",
                   "--remote-debugging-pipe", "about:blank"]
        self.process = subprocess.Popen(["sh", "-c", script, program, *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, bufsize=0)
        self.buffer = b""
        self.number = 0
        self.pages = {}
        self.call("Target.getTargets")

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (BrokenPipeError, EOFError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def call(self, method, session=None, patience=30, **parameters):
        """Sends a command and waits for its answer; what happens meanwhile goes to the pages."""
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + patience
        while True:
            answer = self.receive(deadline - time.monotonic())
            if answer is None:
                raise TimeoutError(f"{method} is not answered")
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self, seconds):
        """The next message, after it was told to its page; None if there is none in time."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(seconds, 0))
            if not ready:
                return None
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                raise EOFError("the browser has ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        page = self.pages.get(message.get("sessionId"))
        if page and "method" in message:
            page.hear(message["method"], message["params"])
        return message

    def open(self, url, width, height):
        """A new window of this size without history or stored things of others."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        self.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"], browserContextId=context)
        return self.page(url, width, height, context)

    def page(self, url, width, height, context):
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session, target, context)
        for domain in ["Page", "Runtime", "Log", "Network"]:
            page.call(f"{domain}.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        # A page that nobody looks at rests.
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        page.go(url)
        return page


class Page:
    """A page in a tab."""

    def __init__(self, browser, session, target, context):
        self.browser, self.session, self.target, self.context = browser, session, target, context
        self.faults = []
        self.addresses = []
        self.pointer = (0, 0)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def hear(self, method, event):
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.faults.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error" and "400" not in event["entry"]["text"]:
            # An answer with the number 400 tells somebody what was wrong with what they wrote.
            self.faults.append(f"{event['entry']['text']} {event['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.addresses.append(event["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.faults.append(f"the page asks {event['message']}")

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def go(self, url):
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def reload(self):
        self.run("document.old = true")
        self.call("Page.reload")
        self.wait("!document.old && document.readyState === 'complete'")

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(f"{script}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def wait(self, script, seconds=20):
        """Waits until an expression is true, and returns what it is."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = self.run(script)
            except RuntimeError as error:
                # While a page is left for another one there is nothing to ask.
                if "context" not in str(error):
                    raise
                value = None
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"waited {seconds} s for {script}; message: {self.text('#message')}")
            time.sleep(0.03)

    def text(self, selector):
        """What is written in an element, '' if it is not there."""
        return self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def texts(self, selector):
        return self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((element) => element.innerText)")

    def place(self, selector):
        """The middle of an element, which is scrolled into view."""
        script = f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            if (!element) throw new Error("there is no {selector}");
            element.scrollIntoView({{ block: "nearest" }});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()"""
        return self.run(script.replace('no ' + selector, 'no ' + selector.replace('"', "'")))

    def mouse(self, kind, place, button="left", **more):
        x, y = place
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, **more)

    def click(self, where, button="left"):
        place = self.place(where) if isinstance(where, str) else where
        self.mouse("mouseMoved", place, "none")
        self.mouse("mousePressed", place, button, clickCount=1)
        self.mouse("mouseReleased", place, button, clickCount=1)

    def drag(self, start, end, button="left"):
        # Both are scrolled into view before their places are taken.
        self.place(start)
        end, start = self.place(end), self.place(start)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        held = {"left": 1, "right": 2}[button]
        self.mouse("mouseMoved", start, "none")
        self.mouse("mousePressed", start, button, clickCount=1, buttons=held)
        self.mouse("mouseMoved", middle, button, buttons=held)
        self.mouse("mouseMoved", end, button, buttons=held)
        self.mouse("mouseReleased", end, button, clickCount=1)

    def wheel(self, selector, amount):
        self.mouse("mouseWheel", self.place(selector), "none", deltaX=0, deltaY=amount)

    def key(self, key, *modifiers):
        """Presses a key, as `key("ArrowLeft")` or `key("z", "Control")`."""
        code, number, text = KEYS.get(key) or (f"Key{key.upper()}", ord(key.upper()), key)
        bits = sum(MODIFIERS[name] for name in modifiers)
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": bits}
        text = "" if bits & ~8 else text
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        """Writes into whatever has the focus."""
        self.call("Input.insertText", text=text)

    def choose_file(self, selector, path):
        """What the browser's own dialog does with a file."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[path])

    def clipboard(self):
        """What is in the clipboard."""
        return self.run("navigator.clipboard.readText()")

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
