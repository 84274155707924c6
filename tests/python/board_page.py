"""The page of `gannet board` in a real Chromium: what people do with it, at the width of a desk and of a phone.

Usage: board_page.py GANNET [NAME...]. With names, only the walks whose names contain one of them. Needs Chromium; CHROMIUM
names another one than the first that is found. PICTURES names a folder for a picture of the page after every walk.
"""

import json
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
        if (element.type === "checkbox" || element.type === "radio") element.checked = {json.dumps(value)} === true;
        else element.value = {json.dumps(value)};
        element.dispatchEvent(new Event("input", {{ bubbles: true }}));
        element.dispatchEvent(new Event("change", {{ bubbles: true }}));
    }})()""")


def new_game(page, you, time="200", **chosen):
    """Starts a game; what is `chosen` beyond colour and time are lists of the dialog and what to choose there."""
    page.click("#new")
    page.wait("document.querySelector('#new-dialog').open")
    page.click(f"[name=you][value='{you}']")
    choose(page, "#time", time)
    for name, value in chosen.items():
        choose(page, f"#{name}", value)
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
    # So it is where nothing is asked for otherwise.
    choose(page, "#analyse", False)
    server.stop()
    page.wait("!document.querySelector('#lost').hidden", 4)
    server.start()
    page.wait("document.querySelector('#lost').hidden", 4)
    choose(page, "#analyse", True)
    page.wait("document.querySelectorAll('#variations li').length === 3")
    # Questions to a server that is not there fail, and the browser says so.
    page.faults.clear()


ANNOTATED = """[Event "A \\"trap\\""]
[Site "?"]
[Date "1750.??.??"]
[Round "?"]
[White "Légal"]
[Black "Saint Brie"]
[Result "1-0"]
[ECO "C41"]

{Before the game.} 1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 $6 {[%clk 0:05:00] a pin that
is none} (3... Be7 4. O-O (4. d4 exd4 $10) 4... Nf6 {and Black is fine}) (3...
h6) 4. Nc3 g6 $2 5. Nxe5 $3 Bxd1 $4 6. Bxf7+ {[%csl Gf7][%cal Ge5f7]} 6... Ke7
7. Nd5# 1-0
"""


def copied(page):
    page.click("#copy-pgn")
    page.wait("document.querySelector('#status').innerText === 'PGN copied.'")
    return page.clipboard()


def a_game_with_variations_comes_out_as_it_went_in(page, server):
    """Tags, result, comments, marks, variations and drawings are kept and shown; a reload keeps them too."""
    paste(page, ANNOTATED)
    page.wait("document.querySelectorAll('#moves button').length === 19")
    assert page.text("#title") == 'Légal – Saint Brie, A "trap", 1750', page.text("#title")
    shown = page.text("#moves")
    for part in ["Before the game.", "Bg4", "?!", "a pin that is none", "and Black is fine", "!!", "1-0"]:
        assert part in shown, (part, shown)
    assert "%clk" not in shown
    assert copied(page) == ANNOTATED, copied(page)
    for _ in range(5):
        page.key("ArrowRight")
    assert page.text("#status").startswith("3. Bc4."), page.text("#status")
    page.key("ArrowRight")
    page.key("ArrowDown")
    assert page.text("#status").startswith("3... Be7."), page.text("#status")
    page.reload()
    page.wait("document.querySelectorAll('#moves button').length === 19")
    assert page.text("#status").startswith("3... Be7."), page.text("#status")
    assert copied(page) == ANNOTATED
    page.click("#promote")
    page.wait("document.querySelectorAll('#moves .pair button').length === 8")
    assert "3. Bc4 Be7 (3... Bg4" in copied(page).replace("\n", " ")
    page.click("#delete")
    page.wait("document.querySelectorAll('#moves button').length === 14")
    page.run("history.back()")
    page.wait("document.querySelectorAll('#moves button').length === 19")


def variations_and_drawings_are_added(page, server):
    """A move in an earlier position is a variation; the right button draws; the wheel goes through the game."""
    paste(page, "1. e4 e5 2. Nf3 Nc6")
    page.wait("document.querySelectorAll('#moves button').length === 4")
    page.key("ArrowLeft")
    page.key("ArrowLeft")
    page.drag(square("f2"), square("f4"))
    page.wait("document.querySelectorAll('#moves .variation button').length === 1")
    page.drag(square("e5"), square("f4"), "right")
    page.click(square("e4"), "right")
    page.wait("document.querySelectorAll('#board .drawings path').length === 1")
    assert page.run("document.querySelectorAll('#board .drawings circle').length") == 1
    assert "(2. f4 {[%csl Ge4] [%cal Ge5f4]})" in copied(page).replace("\n", " "), copied(page)
    page.wheel("#board", -120)
    page.wait("document.querySelector('#status').innerText.startsWith('1... e5.')")
    page.wheel("#board", 120)
    page.wait("document.querySelector('#status').innerText.startsWith('2. Nf3.')")
    page.key("ArrowDown")
    page.drag(square("e5"), square("f4"), "right")
    page.wait("document.querySelectorAll('#board .drawings path').length === 0")


def a_broken_game_is_kept_up_to_there(page, server):
    """What could be read is shown, and where it broke off is told as score sheets do."""
    paste(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Rhe8 Nf6")
    page.wait("document.querySelectorAll('#moves button').length === 6")
    assert page.text("#message") == "4.Rhe8 is not a legal move here; the rest is left out", page.text("#message")
    paste(page, "hello")
    page.wait("document.querySelector('#message').innerText === '1.hello is not written like a move'")
    assert len(moves(page)) == 6


def files_are_opened_dropped_and_saved(page, server):
    """A file with several games shows the first, and the others can be chosen; what is saved is what is shown."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "games.pgn")
        with open(path, "wb") as file:
            file.write((ANNOTATED + '\n[White "M\xfcller"]\n[Black "B"]\n\n1. d4 *\n').encode("iso-8859-1"))
        page.choose_file("#chosen-file", path)
        page.wait("document.querySelectorAll('#moves button').length === 19")
        assert page.text("#games option:nth-child(2)") == "2. Müller – B, *", page.texts("#games option")
        choose(page, "#games", 2)
        page.wait("document.querySelectorAll('#moves button').length === 1")
        assert page.text("#title").startswith("Müller – B")
        page.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder, browserContextId=page.context)
        page.click("#save")
        saved = os.path.join(folder, "Müller-B.pgn")
        deadline = time.monotonic() + 10
        while not os.path.exists(saved):
            assert time.monotonic() < deadline, os.listdir(folder)
            page.run("new Promise((done) => setTimeout(done, 50))")
        with open(saved, encoding="utf-8") as file:
            assert file.read().endswith('[Result "*"]\n\n1. d4 *\n')
    page.run("""(() => {
        const carried = new DataTransfer();
        carried.items.add(new File(["1. c4 c5 2. Nc3"], "moves.txt"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
    })()""")
    page.wait("document.querySelectorAll('#moves button').length === 3")


def lines_unfold_and_are_shown_on_the_board(page, server):
    """Five lines with arrows; a move of one is shown, followed with the keys, and put into the game."""
    paste(page, "1. e4 e5")
    choose(page, "#lines", 5)
    choose(page, "#analyse", True)
    page.wait("document.querySelectorAll('#variations li').length === 5 && document.querySelectorAll('.hints path').length === 5")
    page.wait("document.querySelectorAll('#variations li:first-child button').length > 5")
    page.click("#variations li:first-child button")
    page.wait("document.querySelector('#variations li:first-child').className === 'open'")
    assert page.run("document.querySelector('#bar-score').innerText") != ""
    page.click("#variations li:first-child button:nth-of-type(3)")
    page.wait("!document.querySelector('#preview').hidden")
    page.key("ArrowLeft")
    page.wait("document.querySelectorAll('.square.last').length === 2")
    assert len(moves(page)) == 2, "looking changes nothing"
    page.key("Escape")
    page.wait("document.querySelector('#preview').hidden")
    page.click("#variations li:first-child button:last-child")
    page.wait("document.querySelectorAll('#moves button').length > 4")


def a_game_has_a_level_a_clock_and_an_end(page, server):
    """A level by name, clocks that run and stand in the game, a draw that is declined, and resigning."""
    new_game(page, "w", level=1200, clock="180+2")
    assert page.text("#opponent") == "Hobby player, 1200 Elo", page.text("#opponent")
    assert page.text("#clock-you b") == "3:00" and page.text("#clock-gannet b") == "3:00"
    page.drag(square("e2"), square("e4"))
    page.wait("document.querySelectorAll('#moves button').length === 2")
    page.wait("document.querySelector('#clock-you').className === 'runs'")
    page.wait("document.querySelector('#clock-you b').innerText === '3:00'")
    before = page.text("#clock-gannet b")
    page.reload()
    page.wait("document.querySelector('#clock-you b').innerText === '2:59'")
    assert page.text("#clock-gannet b") == before
    page.click("#draw-offer")
    page.wait("document.querySelector('#status').innerText === 'Gannet declines the draw.'")
    page.click("#resign")
    page.wait("document.querySelector('#confirm').open")
    page.click("#confirm button[value=yes]")
    page.wait("document.querySelector('#status').innerText.endsWith('0-1: White resigns.')")
    game = copied(page)
    assert '[TimeControl "180+2"]' in game and '[Result "0-1"]' in game and "{White resigns.}" in game, game
    assert game.count("[%clk 0:0") == 2, game
    assert page.run("document.querySelector('#resign').hidden")


def a_clock_that_runs_out_ends_the_game(page, server):
    """Who has no time left has lost."""
    new_game(page, "b", clock="own", minutes="0.5", increment="0")
    page.wait("document.querySelectorAll('#moves button').length === 1")
    # Half a minute later, without waiting for it.
    page.run("(() => { const now = Date.now; Date.now = () => now() + 31000; })()")
    page.wait("document.querySelector('#status').innerText.endsWith('1-0: Black has no time left.')")


def a_draw_is_agreed(page, server):
    """A draw is taken that is no worse than what Gannet expects, once the game is under way."""
    bare = "4k3/8/8/8/8/8/8/R3K3+w+-+-+0+1"
    shuffle = ["a1a2+e8d8+a2a1+d8e8", "a1a3+e8d8+a3a1+d8e8", "a1a4+e8d8+a4a1+d8e8", "a1a5+e8d8+a5a1+d8c8", "a1a6+c8d8+a6a5+d8c8"]
    page.go(f"{server.url}?more#start={bare}&moves={'+'.join(shuffle)}&you=w&time=200&elo=0")
    page.wait("document.querySelectorAll('#moves button').length === 20")
    page.click("#draw-offer")
    page.wait("document.querySelector('#status').innerText.endsWith('1/2-1/2: Draw agreed.')")


def games_are_kept_and_found_again(page, server):
    """The server keeps what was played and pasted; another browser finds it, goes on with it, exports it and throws it away."""
    new_game(page, "w", level=1000)
    page.drag(square("b2"), square("b4"))
    page.wait("document.querySelectorAll('#moves button').length === 2")
    # Other walks have left games here.
    game = ANNOTATED.replace("Saint Brie", f"Keeper {page.run('innerWidth')}")
    paste(page, game)
    page.wait("document.querySelectorAll('#moves button').length === 19")
    width, height = page.run("[innerWidth, innerHeight]")
    other = page.browser.open(server.url, width, height)
    other.wait("document.querySelector('#status').innerText !== ''")
    other.wait("fetch('/games.pgn').then((answer) => answer.text()).then((text) => text.includes('Keeper') && text.includes('1. b4'))")
    other.click("#show-games")
    other.wait("document.querySelector('#games-list li') !== null")
    other.click("#games-search")
    other.type(f"légal keeper {width}")
    other.wait("document.querySelector('#games-count').innerText === '1 game'")
    other.click("#games-list button")
    other.wait("document.querySelectorAll('#moves button').length === 19")
    assert copied(other) == game
    other.click("#show-games")
    choose(other, "#games-search", "gannet (1000)")
    other.wait("document.querySelectorAll('#games-list li').length >= 1 && !document.querySelector('#games-list').innerText.includes('Keeper')")
    picture = os.environ.get("PICTURES")
    if picture:
        other.picture(os.path.join(picture, f"games-{width}.png"))
    other.key("Tab")
    other.key("Enter")
    other.wait("document.querySelectorAll('#moves button').length === 2")
    assert other.text("#opponent") == "Learner, 1000 Elo"
    other.drag(square("c1"), square("b2"))
    other.wait("document.querySelectorAll('#moves button').length === 4")
    other.click("#show-games")
    choose(other, "#games-search", f"keeper {width}")
    # One game was found before, too.
    other.wait("document.querySelector('#games-count').innerText === '1 game' && document.querySelector('#games-list').innerText.includes('Keeper')")
    other.click("#games-list li button:last-child")
    other.wait("document.querySelector('#confirm').open")
    other.click("#confirm button[value=yes]")
    other.wait("document.querySelector('#games-count').innerText === '0 games'")
    assert not other.faults, other.faults
    other.close()


def a_position_is_set_up(page, server):
    """Pieces from the palette with the pointer and with the keyboard; what is no position is refused with a reason."""
    page.click("#edit")
    page.wait("document.querySelector('#editor').open")
    on = lambda name: f'#editor-board [data-square="{name}"]'
    page.click("#editor-empty")
    for letter, name in [("K", "g1"), ("k", "g8"), ("Q", "d4"), ("Q", "d5")]:
        page.click(f"#palette label:has([value={letter}])")
        page.click(on(name))
    page.click(on("d5"))
    page.click("#palette label:has([value=P])")
    page.click(on("c8"))
    page.click("#editor-use")
    page.wait("document.querySelector('#editor-message').innerText.includes('pawn on c8; pawns stand on ranks 2 to 7')")
    page.click("#palette label:has([value=''])")
    page.drag(on("c8"), on("c7"))
    page.run(f"document.querySelector('{on('d5')}').focus()")
    page.run("document.querySelector('[name=tool][value=r]').click()")
    page.run(f"document.querySelector('{on('d5')}').focus()")
    page.key("ArrowUp")
    page.key("Enter")
    picture = os.environ.get("PICTURES")
    if picture:
        page.picture(os.path.join(picture, f"editor-{page.run('innerWidth')}.png"))
    page.click("#editor-use")
    page.wait("!document.querySelector('#editor').open")
    page.click("#copy-fen")
    page.wait("document.querySelector('#status').innerText === 'FEN copied.'")
    assert page.clipboard() == "6k1/2P5/3r4/8/3Q4/8/8/6K1 w - - 0 1", page.clipboard()
    page.drag(square("c7"), square("c8"))
    page.wait("document.querySelector('#promotion').open")
    page.key("Enter")
    page.wait("document.querySelector('#moves').innerText.includes('c8=Q+')")
    assert not page.run("document.querySelector('#sound').checked"), "it is silent unless somebody wants it"
    page.click("#sound")
    page.click("#back")
    page.reload()
    page.wait("document.querySelector('#sound').checked")


BLUNDERS = """[White "A"]
[Black "B"]

1. e4 c5 2. d4 cxd4 3. Nf3 e5 {a trap} 4. Nxe5 Qa5+ 5. Bd2 Qxe5 6. Bd3 Nf6 7. O-O Nxe4 *
"""


def a_game_is_reviewed_and_mistakes_are_tried_again(page, server):
    """One click; then graph, marks, reasons and numbers, the mistakes one after the other, and a better move for one of them."""
    paste(page, BLUNDERS)
    page.wait("document.querySelectorAll('#moves button').length === 14")
    page.run("document.querySelector('#review-depth').append(new Option('at once', '30000', true, true))")
    page.click("#start-review")
    page.wait("!document.querySelector('#review').hidden", 60)
    assert page.run("document.querySelectorAll('#graph ellipse').length") >= 2
    assert len(page.texts("#accuracy tr")) == 2 and "%" in page.text("#accuracy"), page.text("#accuracy")
    shown = page.text("#moves")
    assert "a trap" in shown and "Better is" in shown and "accuracy" in shown, shown
    once = copied(page)
    assert "[%eval" in once and '[Annotator "Gannet' in once, once
    page.click("#next-mistake")
    page.wait("document.querySelector('#status').innerText.startsWith('4. Nxe5.')")
    page.click("#next-mistake")
    page.wait("document.querySelector('#status').innerText.startsWith('7... Nxe4.')")
    page.click("#previous-mistake")
    page.wait("document.querySelector('#status').innerText.startsWith('4. Nxe5.')")
    page.click("#retry")
    page.wait("document.querySelector('#trial-text').innerText === 'White played 4. Nxe5. Find a better move.'")
    assert page.run("getComputedStyle(document.querySelector('#moves').firstElementChild).visibility") == "hidden"
    page.click(square("f3"))
    page.click(square("e5"))
    page.wait("document.querySelector('#trial-text').innerText === '4. Nxe5 is what was played. Try another move.'")
    page.wait(f"document.querySelector('{square('f3')}').dataset.piece === 'N'")
    page.drag(square("f1"), square("a6"))
    page.wait("document.querySelector('#trial-text').innerText === '4. Ba6 is not good enough. Try another move.'")
    page.wait(f"document.querySelector('{square('f1')}').dataset.piece === 'B'")
    page.drag(square("c2"), square("c3"))
    page.wait("/4. c3 is (best|good)/.test(document.querySelector('#trial-text').innerText)")
    page.click("#trial-answer")
    page.wait("document.querySelector('#status').innerText.startsWith('4. Nxe5.')")
    page.reload()
    page.wait("!document.querySelector('#review').hidden")
    page.run("document.querySelector('#review-depth').append(new Option('at once', '30000', true, true))")
    page.click("#start-review")
    page.wait("!document.querySelector('#reviewing').hidden")
    page.wait("document.querySelector('#reviewing').hidden", 60)
    again = copied(page)
    assert again == once, f"what was said is said twice:\n{once}\n{again}"


WALKS = [play_against_gannet, play_with_the_keyboard_only, after_a_paste_a_new_game_is_played, the_server_goes_and_comes_back,
         a_game_with_variations_comes_out_as_it_went_in, variations_and_drawings_are_added, a_broken_game_is_kept_up_to_there,
         files_are_opened_dropped_and_saved, lines_unfold_and_are_shown_on_the_board,
         a_game_is_reviewed_and_mistakes_are_tried_again, a_game_has_a_level_a_clock_and_an_end,
         a_clock_that_runs_out_ends_the_game, a_draw_is_agreed, games_are_kept_and_found_again, a_position_is_set_up]


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


if __name__ == "__main__":
    main()
