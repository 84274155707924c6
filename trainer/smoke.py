#!/usr/bin/env python3
"""Tests the trainer on a CPU in seconds: made-up records, a tiny net, and everything that must hold afterwards."""

import contextlib
import io
import os
import sys
import tempfile
import time

import numpy
import torch

import network
import records as packed
import train


def check(condition, words):
    """Ends the test unless the condition holds."""
    if not condition:
        raise SystemExit(f"trainer test: {words}: FAILED")
    print(f"trainer test: {words}: ok")


def features_agree(records):
    """The tensor operations set the same inputs as the square-by-square code."""
    net = train.Net(32, 8, train.KING_MAPS[4], torch.float32)
    codes, men = packed.unpack(records)
    rows = packed.inputs(codes, net.king_map, net.king_buckets, torch.float32)
    # With the feature's own number as its only weight, the two must give the same sums.
    numbers = numpy.arange(4 * 768).reshape(-1, 1)
    probe = network.Network(net.king_map.numpy(), numbers, numpy.zeros(1, numpy.int64), None, None, "")
    for index, record in enumerate(records.numpy()):
        found = network.pieces(record)
        turned = [(square ^ 56, kind, not own) for square, kind, own in found]
        for row, men_seen in ((index, found), (index + len(records), turned)):
            if int(men[index]) != len(found) or int(rows[row].sum()) != len(found):
                return False
            if int((rows[row].double() * torch.arange(4 * 768)).sum()) != int(probe.accumulator(men_seen)[0]):
                return False
    return True


def trains(folder, data, kings, epochs, floor):
    """A short training learns, and its files are whole."""
    name = os.path.join(folder, f"net{kings}")
    words = ["--data", data, "--out", name, "--hidden", "32", "--output-buckets", "8", "--kings", str(kings), "--batch", "256",
             "--epochs", str(epochs), "--lr", "0.01", "--wdl", "0.2:0.4", "--validation", "0.05", "--device", "cpu"]
    result = train.run(train.arguments(words), log=lambda line: None)
    first, last = result["epochs"][0]["validation"], result["epochs"][-1]["validation"]
    check(last < 0.6 * first and last < floor, f"{kings} king buckets: validation loss falls, {first:.4f} to {last:.4f}")
    check(abs(result["quantised"] - result["before_quantising"]) < 0.001,
          f"quantising is harmless, {result['before_quantising']:.5f} to {result['quantised']:.5f}")
    net = network.Network.read(name + ".gnet")
    check((net.hidden, net.king_buckets, net.output_buckets) == (32, kings, 8), "the file is read back")
    with open(name + ".reference.txt", encoding="ascii") as file:
        lines = file.read().splitlines()
    check(len(lines) == train.REFERENCES and all(evaluate_fen(net, line) for line in lines), "reference outputs are met")
    with open(name + ".gnet", "rb") as file:
        damaged = bytearray(file.read())
    damaged[len(damaged) // 2] ^= 1
    with open(name + ".bad", "wb") as file:
        file.write(damaged)
    try:
        network.Network.read(name + ".bad")
        check(False, "a damaged file is refused")
    except network.BadNetwork:
        check(True, "a damaged file is refused")


def evaluate_fen(net, line):
    """Whether a line `FEN|value` agrees with the network, starting from the FEN's text."""
    text, _, value = line.partition("|")
    board, side = text.split()[:2]
    men = []
    for rank, row in zip(range(7, -1, -1), board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            square = rank * 8 + file
            own = letter.isupper() == (side == "w")
            men.append((square ^ 56 if side == "b" else square, "pnbrqk".index(letter.lower()), own))
            file += 1
    men.sort()
    record = bytearray(packed.SIZE)
    record[:8] = sum(1 << square for square, _, _ in men).to_bytes(8, "little")
    for index, (_, kind, own) in enumerate(men):
        record[8 + index // 2] |= (kind + (0 if own else 8)) << 4 * (index % 2)
    return net.evaluate(record) == int(value)


def refuses_nonsense(folder, records):
    """Files that are no records are refused with a message."""
    bad = records[:10].numpy().copy()
    bad[7, 26] = 3
    for name, data in (("cut.bin32", records[:10].numpy().tobytes()[:-1]), ("bad.bin32", bad.tobytes())):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data)
        try:
            packed.load([path], torch.device("cpu"), 0.1, 1)
            check(False, f"{name} is refused")
        except packed.BadRecords as error:
            check(name in str(error), f"{name} is refused")


def refuses_bad_options(data):
    """Options that make no sense are refused with a message that names them, as argparse does."""
    cases = [("--superbatches", "-1"), ("--superbatches", "0"), ("--lr", "-1"), ("--lr", "nan"), ("--final-lr", "x"),
             ("--decay", "-0.1"), ("--device", "foo"), ("--wdl", "x"), ("--wdl", "0.2:2"), ("--epochs", "0"), ("--hidden", "33")]
    if not torch.cuda.is_available():
        cases.append(("--device", "cuda"))
    for option, value in cases:
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said):
                train.arguments(["--data", data, "--out", "unused", f"{option}={value}"])
            status = 0
        except SystemExit as end:
            status = end.code
        check(status == 2 and option in said.getvalue(), f"{option} {value} is refused")


def main():
    """All tests."""
    torch.set_num_threads(1)  # threads that wait for each other are slow on a busy machine
    began = time.monotonic()
    records = packed.synthetic(12_000, torch.device("cpu"), seed=7)
    check(features_agree(records[:200]), "features agree")
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "made-up.bin32")
        with open(data, "wb") as file:
            file.write(records.numpy().tobytes())
        refuses_nonsense(folder, records)
        refuses_bad_options(data)
        trains(folder, data, 1, 6, 0.02)
        trains(folder, data, 2, 3, 0.03)
    print(f"trainer test: passed in {time.monotonic() - began:.1f} s (PyTorch {torch.__version__})")


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    main()
