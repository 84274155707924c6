"""python-chess drives the engine: plays, analyses, ponders, sets every option.

Usage: drive.py ENGINE [TABLE]. With TABLE (docs/reliability.tsv) what came of it is left there as a line. SYZYGY=folder in the
environment is where endgame tables are. Needs python-chess (`pip install chess`). Most GUIs and bots written in Python use this
library, so what it takes for granted, they do too.
"""

import asyncio
import logging
import os
import pathlib
import re
import subprocess
import sys
import time

import chess
import chess.engine

QUICK = chess.engine.Limit(nodes=2000)
NETWORK = pathlib.Path(__file__).resolve().parents[2] / "nets" / "gannet.gnet"
TABLES = os.environ.get("SYZYGY", "")
# What the engine says about endgame tables, where the library waits for nothing but readyok.
FOUND = re.compile(r"info string \d+ (WDL and \d+ DTZ tables found, up to \d men|of the \d+ (WDL|DTZ) tables of \d men are missing.*)")


class Complaints(logging.Handler):
    """Collects what the library complains about: lines it could not read, moves that are not legal."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        text = record.getMessage()
        unexpected = re.search(r": Unexpected engine output: '(.*)'$", text)
        if not (unexpected and FOUND.fullmatch(unexpected[1])):
            self.texts.append(text)


class Lines(logging.Handler):
    """Keeps what the engines say in words. The library drops what comes while it waits for nothing, errors too."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.texts = []

    def emit(self, record):
        _, _, line = record.getMessage().partition(": >> ")
        if line.startswith("info string "):
            self.texts.append(line)

    def errors(self):
        return [text for text in self.texts if text.startswith("info string error")]


class Commands(logging.Handler):
    """Counts how often a command goes to the engine."""

    def __init__(self, command):
        super().__init__(logging.DEBUG)
        self.end = f"<< {command}"
        self.count = 0

    def emit(self, record):
        self.count += record.getMessage().endswith(self.end)


def plays_a_game(engine, chess960=False):
    board = chess.Board.from_chess960_pos(42) if chess960 else chess.Board()
    board.chess960 = chess960
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 120:
        result = engine.play(board, QUICK, game=game, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves, (board.fen(), result.move)
        assert "score" in result.info and "pv" in result.info, result.info
        assert result.info["pv"][0] == result.move, result.info
        board.push(result.move)
    return board.ply()


def plays_with_every_limit(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    for limit in [
        chess.engine.Limit(depth=5),
        chess.engine.Limit(nodes=1000),
        chess.engine.Limit(time=0.05),
        chess.engine.Limit(mate=2, nodes=3000),
        chess.engine.Limit(white_clock=1, black_clock=1),
        chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01, remaining_moves=5),
    ]:
        assert engine.play(board, limit).move in board.legal_moves, limit
    only = [chess.Move.from_uci("a7a6"), chess.Move.from_uci("h7h6")]
    assert engine.play(board, QUICK, root_moves=only).move in only


def analyses(engine):
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    lines = engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    scores = [line["score"].relative for line in lines]
    assert scores == sorted(scores, reverse=True), scores
    for line in lines:
        follow = board.copy()
        for move in line["pv"]:
            assert follow.is_legal(move), line
            follow.push(move)
    mate = chess.Board("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    info = engine.analyse(mate, chess.engine.Limit(depth=6))
    assert info["score"].relative == chess.engine.Mate(2), info
    # A stream of analysis that is ended from outside.
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 7 and "pv" in info:
                break
    # Nothing to move.
    over = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.analyse(over, chess.engine.Limit(depth=3))["score"].relative == chess.engine.Cp(0)


def shows_chances(engine):
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1")
    assert "wdl" not in engine.analyse(board, QUICK)
    engine.configure({"UCI_ShowWDL": True})
    for fen in [board.fen(), chess.STARTING_FEN, "4k2r/4p3/8/8/8/8/8/4K3 w k - 0 1"]:
        info = engine.analyse(chess.Board(fen), QUICK)
        wdl = info["wdl"].relative
        assert wdl.total() == 1000 and min(wdl) >= 0, info
        assert (wdl.wins > wdl.losses) == (info["score"].relative > chess.engine.Cp(0)) or wdl.wins == wdl.losses, info
    engine.configure({"UCI_ShowWDL": False})


def ponders(engine):
    """The guesses that come true are told with ponderhit, and answered; the others are given up."""
    hits, logger = Commands("ponderhit"), logging.getLogger("chess.engine")
    logger.addHandler(hits)
    board, expected = chess.Board(), 0
    for hit in [True, False, True, False, True]:
        result = engine.play(board, chess.engine.Limit(white_clock=2, black_clock=2), ponder=True)
        assert result.move in board.legal_moves, (board.fen(), result.move)
        assert hits.count == expected, (hits.count, expected)
        board.push(result.move)
        assert result.ponder in board.legal_moves, (board.fen(), result.ponder)
        others = [move for move in board.legal_moves if move != result.ponder]
        hit = hit or not others
        board.push(result.ponder if hit else others[0])
        expected += hit
    result = engine.play(board, chess.engine.Limit(white_clock=2, black_clock=2), ponder=True)
    assert result.move in board.legal_moves
    assert hits.count == expected > 0, (hits.count, expected)
    logger.removeHandler(hits)
    # Ends the last guess.
    assert engine.play(chess.Board(), QUICK).move in chess.Board().legal_moves
    return hits.count


def values(option):
    """Good values for an option, its default last."""
    if option.type == "check":
        return [not option.default, option.default]
    if option.type == "spin":
        # A table of a tebibyte, or a thousand threads, are another test's business.
        largest = min(option.max, {"Hash": 64, "Threads": 8}.get(option.name, option.max))
        return [option.min, largest, option.default]
    if option.type == "combo":
        return [*option.var, option.default]
    if option.type == "string":
        real = {"EvalFile": [str(NETWORK), "<bootstrap>"], "SyzygyPath": [TABLES] if TABLES else []}
        return [*real.get(option.name, []), "", option.default]
    return [None]


def sets_every_option(engine, lines):
    """After each setting it searches, and it complains about none."""
    count = 0
    for name, option in engine.options.items():
        # The library sets these itself, from the board and from what it is asked for.
        if option.is_managed():
            continue
        for value in values(option):
            engine.configure({name: value})
            engine.ping()
            count += 1
            move = engine.play(chess.Board(), chess.engine.Limit(nodes=300)).move
            assert move in chess.Board().legal_moves, name
            assert not lines.errors(), (name, value, lines.errors())
    assert not TABLES or any(FOUND.fullmatch(text) for text in lines.texts), lines.texts
    for name in ["Hash", "Clear Hash", "Threads", "Move Overhead", "MultiPV", "Ponder", "UCI_Chess960", "UCI_AnalyseMode",
                 "UCI_LimitStrength", "UCI_Elo", "UCI_ShowWDL", "EvalFile", "SyzygyPath", "SyzygyProbeDepth", "SyzygyProbeLimit",
                 "Syzygy50MoveRule", "Expose", "UseNullMove", "CountermoveBonus"]:
        assert name in engine.options, name
    return count


async def two_at_once(path):
    """Two engines in one event loop, stopped and restarted."""
    engines = [(await chess.engine.popen_uci(path))[1] for _ in range(2)]
    moves = await asyncio.gather(*(engine.play(chess.Board(), chess.engine.Limit(time=0.1)) for engine in engines))
    assert all(result.move for result in moves)
    await asyncio.gather(*(engine.quit() for engine in engines))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = sys.argv[1]
    complaints, lines = Complaints(), Lines()
    logger = logging.getLogger("chess.engine")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(complaints)
    logger.addHandler(lines)
    # Left when an assertion fails, too: nothing else would end the library's thread.
    # With every option, so that each is set.
    everything = {**os.environ, "GANNET_EXPOSE": "1"}
    with chess.engine.SimpleEngine.popen_uci(path, timeout=30, env=everything) as engine:
        assert engine.id["name"].startswith("Gannet"), engine.id
        print(f"plays: {plays_a_game(engine)} plies, Chess960: {plays_a_game(engine, chess960=True)} plies")
        plays_with_every_limit(engine)
        print("plays with every limit")
        analyses(engine)
        print("analyses")
        shows_chances(engine)
        print("shows chances")
        print(f"ponders: {ponders(engine)} ponderhits")
        print(f"sets every option: {sets_every_option(engine, lines)} settings")
        engine.quit()
    asyncio.run(two_at_once(path))
    print("two at once")
    assert not complaints.texts, complaints.texts
    assert not lines.errors(), lines.errors()
    print("neither python-chess nor the engine has anything to complain about")


def bench(engine):
    """The node count that names the engine's version."""
    result = subprocess.run([engine, "bench"], capture_output=True, text=True, check=False)
    found = re.search(r"^(\d+) nodes ", result.stdout, re.MULTILINE)
    return found[1] if found else "unknown"


def leave_line(path, engine, sent, faults):
    """Puts a line into the table of what other tools found, in the place of the last one."""
    searches, options = (sum(line.startswith(word) for line in sent) for word in ("go", "setoption"))
    version = f"python-chess {chess.__version__}, Python {sys.version.split()[0]}, bench {bench(engine)}"
    fields = ["python-chess", f"{searches} searches, {options} settings", str(faults),
              "plays, analyses, ponders, sets every option, two engines at once", time.strftime("%Y.%m.%d"), version]
    table = pathlib.Path(path)
    lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    lines = [line for line in lines if not line.startswith(fields[0] + "\t")] + ["\t".join(fields)]
    table.write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")


def main_with_table(path):
    """Does the same, counting what is sent to the engines."""
    sent = []
    send_line = chess.engine.UciProtocol.send_line

    def send_and_count(self, line):
        sent.append(line)
        send_line(self, line)

    chess.engine.UciProtocol.send_line = send_and_count
    faults = 1
    try:
        main()
        faults = 0
    finally:
        leave_line(path, sys.argv[1], sent, faults)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main_with_table(sys.argv.pop())
    else:
        main()
