"""The network file (`.gnet`): writing, reading, and evaluating a position in exact integers, as the engine does.

docs/training.md has the table of the file. Nothing here needs PyTorch, and the features are computed square by square rather
than with the trainer's tensor operations, so that a mistake in either shows as a difference.
"""

import struct
import zlib
from dataclasses import dataclass

import numpy

MAGIC = b"GANNETNN"
VERSION = 1
QA, QB, SCALE = 255, 64, 400
FEATURE_LIMIT = 504  # 1.98 * QA: the weights of 32 men and a bias fit sixteen bits
OUTPUT_LIMIT = 126  # 1.98 * QB: a weight times an activation (at most QA) fits sixteen bits
BIAS_LIMIT = 16000
OUTPUT_BIAS_LIMIT = 1 << 24
PROVENANCE_LIMIT = 65536


class BadNetwork(Exception):
    """A file that is not a whole network; the message says why."""


@dataclass
class Network:
    """A quantised network."""

    king_map: numpy.ndarray  # u8[64]: the bucket of the own king's square
    features: numpy.ndarray  # i16[K * 768][H]
    biases: numpy.ndarray  # i16[H]
    outputs: numpy.ndarray  # i16[B][2 * H]
    output_biases: numpy.ndarray  # i32[B]
    provenance: str

    @property
    def hidden(self):
        """The width H of the hidden layer."""
        return self.features.shape[1]

    @property
    def king_buckets(self):
        """The number K of king buckets."""
        return self.features.shape[0] // 768

    @property
    def output_buckets(self):
        """The number B of output buckets."""
        return self.outputs.shape[0]

    def write(self, path):
        """Writes the file."""
        text = self.provenance.encode()
        if len(text) > PROVENANCE_LIMIT:
            text = text[:PROVENANCE_LIMIT].decode(errors="ignore").encode()
        header = MAGIC + struct.pack("<7I", VERSION, self.hidden, self.king_buckets, self.output_buckets, QA, QB, SCALE)
        header += self.king_map.astype("u1").tobytes() + struct.pack("<I", len(text)) + text
        header += bytes(-len(header) % 64)
        body = self.features.astype("<i2").tobytes() + self.biases.astype("<i2").tobytes()
        body += self.outputs.astype("<i2").tobytes() + self.output_biases.astype("<i4").tobytes()
        data = header + body
        with open(path, "wb") as file:
            file.write(data + struct.pack("<I", zlib.crc32(data)))

    @staticmethod
    def read(path):
        """Reads a file, or says what is wrong with it."""
        with open(path, "rb") as file:
            data = file.read()
        if len(data) < 104 or data[:8] != MAGIC:
            raise BadNetwork(f"{path}: not a network of Gannet's (it should begin with {MAGIC.decode()})")
        version, hidden, kings, buckets, qa, qb, scale = struct.unpack_from("<7I", data, 8)
        if (version, qa, qb, scale) != (VERSION, QA, QB, SCALE):
            raise BadNetwork(f"{path}: version {version}, QA {qa}, QB {qb}, scale {scale}; expected 1, 255, 64, 400")
        if hidden % 32 or not 32 <= hidden <= 4096 or not 1 <= kings <= 32 or not 1 <= buckets <= 32:
            raise BadNetwork(f"{path}: impossible sizes: {hidden} neurons, {kings} king and {buckets} output buckets")
        length = struct.unpack_from("<I", data, 100)[0]
        start = (104 + length + 63) // 64 * 64
        counts = kings * 768 * hidden, hidden, buckets * 2 * hidden
        expected = start + 2 * sum(counts) + 4 * buckets + 4
        if length > PROVENANCE_LIMIT or len(data) != expected:
            raise BadNetwork(f"{path}: {len(data)} bytes, expected {expected}")
        if zlib.crc32(data[:-4]) != struct.unpack_from("<I", data, len(data) - 4)[0]:
            raise BadNetwork(f"{path}: the checksum does not fit the contents")
        weights = numpy.frombuffer(data, "<i2", sum(counts), start)
        features, biases, outputs = numpy.split(weights, numpy.cumsum(counts)[:2])
        return Network(
            king_map=numpy.frombuffer(data, "u1", 64, 36),
            features=features.reshape(kings * 768, hidden),
            biases=biases,
            outputs=outputs.reshape(buckets, 2 * hidden),
            output_biases=numpy.frombuffer(data, "<i4", buckets, start + 2 * sum(counts)),
            provenance=data[104 : 104 + length].decode(),
        )

    def evaluate(self, record):
        """The value of a record's position for the side to move, in centipawns."""
        men = pieces(record)
        ours = self.accumulator(men)
        theirs = self.accumulator([(square ^ 56, kind, not own) for square, kind, own in men])
        bucket = min((len(men) - 2) * self.output_buckets // 32, self.output_buckets - 1)
        activation = numpy.clip(numpy.concatenate((ours, theirs)), 0, QA)
        total = int((activation * activation * self.outputs[bucket].astype(numpy.int64)).sum())
        return truncate((truncate(total, QA) + int(self.output_biases[bucket])) * SCALE, QA * QB)

    def accumulator(self, men):
        """The hidden layer before activation, for the side whose men are `own`."""
        king = next(square for square, kind, own in men if own and kind == 5)
        mirror = 7 if king % 8 >= 4 else 0
        base = int(self.king_map[king ^ mirror]) * 768
        rows = [base + (0 if own else 384) + kind * 64 + (square ^ mirror) for square, kind, own in men]
        return self.biases.astype(numpy.int64) + self.features[rows].astype(numpy.int64).sum(0)


def truncate(number, divisor):
    """Integer division towards zero, as in Rust."""
    return number // divisor if number >= 0 else -(-number // divisor)


def pieces(record):
    """The men of a record as (square, kind, own)."""
    record = bytes(record)
    occupied = int.from_bytes(record[:8], "little")
    men = []
    for square in range(64):
        if occupied >> square & 1:
            index = len(men)
            nibble = record[8 + index // 2] >> 4 * (index % 2) & 15
            men.append((square, nibble & 7, nibble < 8))
    return men


def fen(record, black):
    """The position with White to move, or turned round with Black to move. Castling and clocks are not in a record."""
    board = {}
    for square, kind, own in pieces(record):
        letter = "pnbrqk"[kind]
        board[square ^ 56 if black else square] = letter.upper() if own != black else letter
    ranks = []
    for rank in range(7, -1, -1):
        text, gap = "", 0
        for file in range(8):
            letter = board.get(rank * 8 + file)
            if letter is None:
                gap += 1
            else:
                text, gap = text + (str(gap) if gap else "") + letter, 0
        ranks.append(text + (str(gap) if gap else ""))
    return "/".join(ranks) + f" {'b' if black else 'w'} - - 0 1"


def write_reference(network, records, path):
    """Writes `FEN|value` lines, White and Black to move by turns: what any other implementation must reproduce."""
    with open(path, "w", encoding="ascii") as file:
        for index, record in enumerate(records):
            file.write(f"{fen(record, index % 2 == 1)}|{network.evaluate(record)}\n")
