"""How often `gannet analyse` is right about mistakes, by the word of another engine.

Usage: judge.py GANNET JUDGE PGN [--nodes N] [--scan N] [--verify N]. JUDGE is a UCI engine with UCI_ShowWDL, Stockfish for one; it
is asked and nothing else. Needs python-chess.

Every game of the file is annotated by Gannet with N nodes a position. The judge looks at every position with the nodes of
--scan; where Gannet has marked a move as ? or ??, or the scan sees a loss of 0.15 points, it looks at the positions before and
after the move again with the nodes of --verify and an empty table. A mark is confirmed if the move costs 0.10 points by the judge. The
judge's blunders cost 0.30 points; they are found if Gannet has marked them as ? or ??. A forced mate is worth a whole point.

A line is written for each game as soon as it is done, so that a run can be cut short.
"""

import argparse
import io
import subprocess

import chess.engine
import chess.pgn

MARKS = {chess.pgn.NAG_MISTAKE: "?", chess.pgn.NAG_BLUNDER: "??"}
CONFIRMED, BLUNDER, SUSPICIOUS = 0.10, 0.30, 0.15


class Judge:
    def __init__(self, program):
        self.engine = chess.engine.SimpleEngine.popen_uci(program, timeout=None)
        self.engine.configure({"UCI_ShowWDL": True, "Hash": 64, "Threads": 1})
        self.games = 0

    def expected(self, board, nodes):
        """The points that White can expect."""
        if board.is_game_over():
            return {"1-0": 1.0, "0-1": 0.0}.get(board.result(), 0.5)
        # Another game is an empty table.
        self.games += 1
        info = self.engine.analyse(board, chess.engine.Limit(nodes=nodes), game=self.games)
        if info["score"].is_mate():
            return 1.0 if info["score"].white().mate() > 0 else 0.0
        return info["wdl"].white().expectation()

    def loss(self, node, nodes):
        """The points that a move costs."""
        before = self.expected(node.parent.board(), nodes)
        after = self.expected(node.board(), nodes)
        return (before - after) * (1 if node.parent.turn() == chess.WHITE else -1)


def annotated(program, game, nodes):
    done = subprocess.run([program, "analyse", "--nodes", str(nodes), "--threads", "1"], input=str(game).encode(),
                          capture_output=True, check=True)
    return chess.pgn.read_game(io.StringIO(done.stdout.decode()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gannet")
    parser.add_argument("judge")
    parser.add_argument("pgn")
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--scan", type=int, default=100_000)
    parser.add_argument("--verify", type=int, default=3_000_000)
    arguments = parser.parse_args()
    judge = Judge(arguments.judge)
    totals = {"games": 0, "moves": 0, "marked": 0, "confirmed": 0, "blunders": 0, "found": 0}
    with open(arguments.pgn, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            game = annotated(arguments.gannet, game, arguments.nodes)
            nodes = list(game.mainline())
            seen = [judge.expected(board, arguments.scan) for board in [game.board()] + [node.board() for node in nodes]]
            doubts = []
            for index, node in enumerate(nodes):
                mark = next((MARKS[nag] for nag in node.nags if nag in MARKS), "")
                sign = 1 if node.parent.turn() == chess.WHITE else -1
                if not mark and sign * (seen[index] - seen[index + 1]) < SUSPICIOUS:
                    continue
                loss = judge.loss(node, arguments.verify)
                totals["marked"] += bool(mark)
                totals["confirmed"] += bool(mark) and loss >= CONFIRMED
                totals["blunders"] += loss >= BLUNDER
                totals["found"] += loss >= BLUNDER and bool(mark)
                if (mark and loss < CONFIRMED) or (not mark and loss >= BLUNDER):
                    number = f"{(node.ply() + 1) // 2}{'.' if sign > 0 else '...'}"
                    doubts.append(f"{number}{node.san()}{mark} costs {loss:.2f}")
            totals["games"] += 1
            totals["moves"] += len(nodes)
            print(f"{game.headers['White']} - {game.headers['Black']}: {'; '.join(doubts) or 'agreed'}; {totals}", flush=True)
    judge.engine.quit()


main()
