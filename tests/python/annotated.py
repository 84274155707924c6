"""python-chess reads what `gannet analyse` has written: every game, move, evaluation and variation.

Usage: annotated.py ENGINE. Needs python-chess (`pip install chess`).
"""

import io
import subprocess
import sys

import chess.pgn

GAMES = """
[Event "A trap"]
[White "Müller \\"M\\""]
[Result "0-1"]

{Before the game.} 1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4!? {a trap} (3... Bc5 4. c3 (4. O-O Nf6) 4... Nf6 $14) 4. Nxe5 Qg5
5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1

[Event "Chess960"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1"]
[Result "*"]

1. O-O O-O-O 2. d3 *

[Event "From a position"]
[SetUp "1"]
[FEN "8/1P4k1/8/8/8/8/6K1/3r4 b - - 0 60"]
[Result "0-1"]

60... Rd2+ 61. Kf3 Rd3+ 62. Ke4 Rb3 63. b8=Q Rxb8 0-1
"""


def read(text):
    stream = io.StringIO(text)
    games = iter(lambda: chess.pgn.read_game(stream), None)
    return list(games)


def moves(node):
    """The moves of all variations, too."""
    return sum(1 + moves(child) for child in node.variations)


def main():
    command = [sys.argv[1], "analyse", "--nodes", "30000"]
    done = subprocess.run(command, input=GAMES.encode(), capture_output=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
    before, after = read(GAMES), read(done.stdout.decode())
    assert len(before) == len(after) == 3, len(after)
    evaluated = 0
    for source, game in zip(before, after):
        assert not game.errors, game.errors
        assert list(game.mainline_moves()) == list(source.mainline_moves()), game
        assert game.board().fen() == source.board().fen() and game.board().chess960 == source.board().chess960
        assert all(game.headers[name] == value for name, value in source.headers.items()), game.headers
        assert game.headers["Annotator"].startswith("Gannet"), game.headers
        for node in game.mainline():
            over = node.board().is_checkmate()
            assert (node.eval() is None) == over, (node.san(), node.comment)
            evaluated += not over
    trap = after[0]
    assert trap.comment == "Before the game."
    blunder = next(node for node in trap.mainline() if node.san() == "Nxf7")
    assert chess.pgn.NAG_BLUNDER in blunder.nags and "Better is 5." in blunder.comment.replace("\n", " "), blunder.comment
    assert len(blunder.parent.variations) == 2, "the better move is a variation"
    print(f"annotated games test: 3 games, {evaluated} evaluations, {sum(map(moves, after))} moves with variations: passed")


main()
