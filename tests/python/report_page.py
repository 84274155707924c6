"""The report of `gannet analyse --html` in a real Chromium, opened from disk: at the width of a desk and of a phone.

Usage: report_page.py GANNET. Needs Chromium; CHROMIUM names another one than the first that is found. PICTURES names a folder for
pictures of the page.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

from browser import Browser, find_browser

WIDTHS = [(1280, 900), (390, 844)]

# The second game's tags try to break out of the page.
GAMES = """
[White "A & B"]
[Black "C"]
[TimeControl "60+1"]
[Result "0-1"]

1. e4 {[%clk 0:00:59]} e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1

[White "</script><script>document.title='broken'</script>"]
[Black "\\"<b>"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]
[Result "1-0"]

1. a8=Q+ Kd7 1-0
"""


def piece(page, square):
    return page.run(f"document.querySelector('#board [data-square=\"{square}\"]').dataset.piece")


def walk(page):
    page.wait("document.querySelectorAll('#moves button').length === 14")
    assert page.text("#title") == "A & B – C, 0-1", page.text("#title")
    assert "Blackburne Shilling" in page.text("#place"), page.text("#place")
    assert len(page.texts("#summary tbody tr")) == 2 and "%" in page.text("#summary")
    assert piece(page, "e2") == "P" and page.run("document.querySelectorAll('#board [data-square]').length") == 64
    # Keys go through the moves and the mistakes.
    page.key("ArrowRight")
    assert piece(page, "e4") == "P" and "0:02, 0:59 left" in page.text("#worth"), page.text("#worth")
    page.key("End")
    assert "7... Nf3#" in page.text("#worth") and piece(page, "f3") == "n"
    page.key("ArrowUp")
    assert "5. Nxf7?" in page.text("#worth"), page.text("#worth")
    assert page.run("document.querySelector('#moves .here').textContent").startswith("5. Nxf7?")
    reasons = page.texts("#moves .why")
    assert any("Refuted by 5... Qxg2" in reason for reason in reasons), reasons
    # The refutation can be played through on the board.
    lines = page.texts("#reason .line")
    assert len(lines) == 2 and "5... Qxg2" in lines[1], lines
    page.click("#reason .line:last-child button")
    assert piece(page, "g2") == "q" and "line" in page.text("#worth")
    page.key("ArrowLeft")
    assert piece(page, "f7") == "N" and "line" not in page.text("#worth")
    # The graph leads to where it is clicked, and marks what was bad.
    assert page.run("document.querySelectorAll('#graph .g-blunder, #graph .g-mistake').length") >= 1
    page.click("#graph svg")
    assert page.run("state.ply") == 7, page.run("state.ply")
    page.key("f")
    assert page.run("document.querySelector('#board .square').dataset.square") == "h1"
    page.click("#first")
    assert piece(page, "e2") == "P" and page.text("#worth").startswith("Start")
    assert page.run("document.querySelectorAll('#diagrams figure').length") >= 1
    # What stands in a tag is text and nothing else.
    page.run("""(() => { const games = document.getElementById("games"); games.value = "1";
                 games.dispatchEvent(new Event("change")); })()""")
    assert page.text("#title").startswith("</script><script>") and not page.run("document.title").startswith("broken")
    page.key("ArrowRight")
    assert piece(page, "a8") == "Q"


def main():
    program = find_browser()
    if not program:
        print("report page test: SKIPPED, no Chromium here (apt-get install chromium)")
        return
    pictures = os.environ.get("PICTURES")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report, graph = (pathlib.Path(folder, name) for name in ("report.html", "graph.svg"))
        command = [sys.argv[1], "analyse", "--nodes", "5000", "--html", report, "--graph", graph]
        done = subprocess.run(command, input=GAMES.encode(), capture_output=True, timeout=120)
        assert done.returncode == 0 and not done.stdout, (done.returncode, done.stdout, done.stderr)
        browser = Browser(program)
        try:
            for width, height in WIDTHS:
                page = browser.open(report.as_uri(), width, height)
                walk(page)
                assert not page.faults, page.faults
                assert all(url == report.as_uri() for url in page.addresses), page.addresses
                wide = page.run("document.documentElement.scrollWidth")
                assert wide <= width, f"the page is {wide} pixels wide on a screen of {width}"
                if pictures:
                    page.picture(os.path.join(pictures, f"report-{width}.png"))
                page.close()
            page = browser.open(graph.as_uri(), 640, 200)
            page.wait("document.querySelectorAll('circle').length >= 1 && document.querySelector('.g-line') !== null")
            page.close()
        finally:
            browser.close()
    print(f"report page test: at {len(WIDTHS)} widths in {time.monotonic() - began:.0f} s: passed")


if __name__ == "__main__":
    main()
