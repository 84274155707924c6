"""The page of `gannet board` in a real Chromium: what people do with it, at the width of a desk and of a phone.

Usage: board_page.py GANNET [NAME...]. With names, only the walks whose names contain one of them. Needs Chromium; CHROMIUM
names another one than the first that is found. PICTURES names a folder for a picture of the page after every walk.
"""

import os
import subprocess
import sys
import tempfile
import time

from browser import Browser, find_browser

WIDTHS = [(1280, 800), (390, 844)]


class Server:
    """`gannet board` on a port of its own, with a data folder of its own."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        self.port = 0
        self.start()

    def start(self):
        environment = {**os.environ, "XDG_DATA_HOME": self.folder.name}
        self.process = subprocess.Popen([self.program, "board", "--hash", "4", "--port", str(self.port)], text=True,
                                        stdout=subprocess.PIPE, env=environment)
        self.url = self.process.stdout.readline().split(" is at ")[1].split(" ")[0]
        self.port = int(self.url.rsplit(":", 1)[1].strip("/"))

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def square(name):
    return f'[data-square="{name}"]'


def piece(page, name):
    """The piece on a square, as in a FEN."""
    return page.run(f"document.querySelector('{square(name)}').dataset.piece")


def moves(page):
    return page.texts("#moves button")


def choose(page, selector, value):
    """Chooses in a list, or sets a slider or a box, as the keyboard would."""
    page.run(f"""(() => {{
        const element = document.querySelector('{selector}');
        if (element.type === "checkbox" || element.type === "radio") element.checked = {str(value).lower()};
        else element.value = "{value}";
        element.dispatchEvent(new Event("input", {{ bubbles: true }}));
        element.dispatchEvent(new Event("change", {{ bubbles: true }}));
    }})()""")


def new_game(page, you, time="200"):
    page.click("#new")
    page.wait("document.querySelector('#new-dialog').open")
    page.click(f"[name=you][value='{you}']")
    choose(page, "#time", time)
    page.click("#new-dialog button[value=start]")
    page.wait(f"location.hash.includes('you={you}&') && location.hash.includes('time={time}')")


def paste(page, text):
    page.click("#import")
    page.wait("document.querySelector('#text-dialog').open")
    page.type(text)
    page.click("#read")
    page.wait("!document.querySelector('#text-dialog').open")


def play_against_gannet(page, server):
    """A move by clicks, an answer, a move by dragging, another answer, and all of it taken back."""
    new_game(page, "w")
    page.click(square("e2"))
    page.click(square("e4"))
    page.wait("document.querySelectorAll('#moves button').length === 2")
    assert moves(page)[0] == "e4" and piece(page, "e4") == "P", moves(page)
    page.wait("document.querySelector('#status').innerText.includes('White to move')")
    page.drag(square("d2"), square("d3"))
    page.wait("document.querySelectorAll('#moves button').length === 4")
    page.click("#take-back")
    page.wait("document.querySelectorAll('#moves button').length === 2")
    assert piece(page, "d2") == "P" and piece(page, "e4") == "P"


def play_with_the_keyboard_only(page, server):
    """Squares are reached with the arrow keys, moves are typed, and nothing needs the pointer."""
    page.run("document.activeElement.blur()")
    for _ in range(30):
        page.key("Tab")
        if page.run("document.activeElement.dataset.square"):
            break
    assert page.run("document.activeElement.dataset.square") == "a1"
    for key in ["ArrowUp"] + ["ArrowRight"] * 3 + ["Enter", "ArrowUp", "ArrowUp", "Enter"]:
        page.key(key)
    page.wait("document.querySelectorAll('#moves button').length === 2")
    assert moves(page)[0] == "d4", moves(page)
    page.wait("document.querySelector('#status').innerText.includes('White to move')")
    page.run("document.querySelector('#move').focus()")
    page.type("Nf3")
    page.key("Enter")
    page.wait("document.querySelectorAll('#moves button').length === 4")
    page.type("Nf9")
    page.key("Enter")
    page.wait("document.querySelector('#message').innerText === '3.Nf9 is not written like a move'")


def after_a_paste_a_new_game_is_played(page, server):
    """What was pasted is both sides'; a new game is again that of the colour chosen last."""
    paste(page, "1. e4 e5 2. Nf3")
    page.wait("document.querySelectorAll('#moves button').length === 3")
    page.click("#new")
    page.wait("document.querySelector('#new-dialog').open")
    assert page.run("document.querySelector('[name=you]:checked').value") == "w"
    choose(page, "#time", "200")
    page.key("Enter")
    page.wait("document.querySelectorAll('#moves button').length === 0")
    page.click(square("e2"))
    page.click(square("e4"))
    page.wait("document.querySelectorAll('#moves button').length === 2")


def the_server_goes_and_comes_back(page, server):
    """A reload and a server that ends cost nothing."""
    paste(page, "1. e4 e5 2. Nf3")
    page.wait("document.querySelectorAll('#moves button').length === 3")
    page.reload()
    page.wait("document.querySelectorAll('#moves button').length === 3")
    choose(page, "#analyse", True)
    page.wait("document.querySelectorAll('#variations li').length === 3")
    server.stop()
    page.wait("!document.querySelector('#lost').hidden")
    server.start()
    page.wait("document.querySelector('#lost').hidden")
    page.wait("document.querySelectorAll('#variations li').length === 3")
    # Questions to a server that is not there fail, and the browser says so.
    page.faults.clear()


WALKS = [play_against_gannet, play_with_the_keyboard_only, after_a_paste_a_new_game_is_played, the_server_goes_and_comes_back]


def main():
    program = find_browser()
    if program is None:
        print("board page test: SKIPPED, no Chromium here (Debian: apt-get install chromium)")
        return
    wanted = sys.argv[2:]
    walks = [walk for walk in WALKS if not wanted or any(name in walk.__name__ for name in wanted)]
    pictures = os.environ.get("PICTURES")
    server, browser, began = Server(sys.argv[1]), Browser(program), time.monotonic()
    try:
        for width, height in WIDTHS:
            for walk in walks:
                page = browser.open(server.url, width, height)
                page.wait("document.querySelector('#status').innerText !== ''")
                try:
                    walk(page, server)
                    assert not page.faults, page.faults
                    elsewhere = [url for url in page.addresses if not url.startswith((server.url, "data:", "blob:"))]
                    assert not elsewhere, f"something is loaded from elsewhere: {elsewhere}"
                    wide = page.run("document.documentElement.scrollWidth")
                    assert wide <= width, f"the page is {wide} pixels wide on a screen of {width}"
                except Exception:
                    print(f"{walk.__name__} at {width} pixels has failed; the page reports {page.faults}", file=sys.stderr)
                    if pictures:
                        page.picture(os.path.join(pictures, f"failed-{walk.__name__}-{width}.png"))
                    raise
                if pictures:
                    page.picture(os.path.join(pictures, f"{walk.__name__}-{width}.png"))
                page.close()
    finally:
        browser.close()
        server.stop()
    print(f"board page test: {len(walks)} walks at {len(WIDTHS)} widths in {time.monotonic() - began:.0f} s: passed")


main()
