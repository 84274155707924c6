"""The 32-byte training record: reading files of them, and unpacking them into network inputs on any device.

A record shows a position from the side to move's view: occupied squares (8 bytes), a nibble per piece (16), score (2),
result (1), ply (1), number of the game (4). docs/training.md has the table. Records stay packed in memory; every function
here works on a whole batch with tensor operations, so a GPU unpacks them as it goes.
"""

import os

import numpy
import torch

SIZE = 32
EMPTY = 15  # the code of an empty square; a piece is kind + 8 if it is the opponent's
KINGS = (5, 13)
CODES = (0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, EMPTY)
CHUNK = 1 << 20


class BadRecords(Exception):
    """A file that does not hold records; the message says which and why."""


def load(paths, device, share, seed):
    """Reads files into the memory of `device`: (training records, validation records, [(file name, count)]).

    About `share` of the games, chosen by their numbers and `seed`, are kept for validation.
    """
    training, validation, sources = [], [], []
    for index, path in enumerate(paths):
        size = os.path.getsize(path)
        if size == 0 or size % SIZE:
            raise BadRecords(f"{path}: {size} bytes are not a whole number of {SIZE}-byte records")
        records = torch.from_numpy(numpy.fromfile(path, dtype=numpy.uint8)).view(-1, SIZE).to(device)
        check(records, path)
        held = held_out(records, share, seed + index)
        training.append(records[~held])
        validation.append(records[held])
        sources.append((os.path.basename(path), len(records)))
    return torch.cat(training), torch.cat(validation), sources


def check(records, path):
    """Refuses records that no position can have: other than one king a side, unknown pieces or results."""
    known = torch.tensor(CODES, dtype=torch.uint8, device=records.device)
    for start in range(0, len(records), CHUNK):
        batch = records[start : start + CHUNK]
        codes, men = unpack(batch)
        good = (men <= 32) & (batch[:, 26] <= 2)
        for king in KINGS:
            good &= (codes == king).sum(1) == 1
        good &= (codes.unsqueeze(2) == known).any(2).all(1)
        if not bool(good.all()):
            number = start + int((~good).nonzero()[0])
            raise BadRecords(f"{path}: record {number} is not a position with a result; expected 32-byte records "
                             "as written by 'gannet-lab data expand'")


def held_out(records, share, seed):
    """Which records belong to games kept for validation: a hash of the game's number decides."""
    game = records[:, 28:32].contiguous().view(torch.int32).view(-1).to(torch.int64) & 0xFFFFFFFF
    mixed = (game * 0x9E3779B1 + seed * 0x85EBCA6B) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    mixed = mixed ^ (mixed >> 16)
    return mixed < int(share * 2**32)


def unpack(records):
    """The codes of all 64 squares, and the number of men, for a batch of records."""
    bits = torch.arange(8, dtype=torch.uint8, device=records.device)
    occupied = ((records[:, :8].unsqueeze(2) >> bits) & 1).view(-1, 64)
    rank = occupied.cumsum(1, dtype=torch.int64)
    men = rank[:, 63]
    packed = records[:, 8:24]
    nibbles = torch.stack((packed & 15, packed >> 4), 2).view(-1, 32)
    codes = nibbles.gather(1, (rank - 1).clamp(0, 31))
    return torch.where(occupied.bool(), codes, torch.full_like(codes, EMPTY)), men


def inputs(codes, king_map, king_buckets, dtype):
    """The network's inputs: one row of 0 and 1 per position for the side to move, then one per position for the other side.

    Each side sees the board from its own end, mirrored so that its king stands on the files a to d.
    """
    device = codes.device
    squares = torch.arange(64, device=device)
    # The other side's view: colours swapped (bit 3 of the code), ranks flipped.
    codes = torch.cat((codes, codes ^ 8))
    kings = ((codes == KINGS[0]) * squares).sum(1)
    vertical = (torch.arange(len(codes), device=device) >= len(codes) // 2) * 56
    flips = ((kings >> 2) & 1) * 7 + vertical
    seen = codes.gather(1, squares ^ flips.unsqueeze(1))
    # Made on the device: a copy from the host could not be part of a recorded step.
    channels = torch.arange(12, device=device)
    channels = (channels + 2 * (channels >= 6)).to(torch.uint8).view(12, 1)
    boards = (seen.unsqueeze(1) == channels).view(-1, 768).to(dtype)
    if king_buckets == 1:
        return boards
    bucket = king_map[kings ^ flips].unsqueeze(1)
    chosen = (bucket == torch.arange(king_buckets, device=device)).to(dtype)
    return (chosen.unsqueeze(2) * boards.unsqueeze(1)).view(-1, king_buckets * 768)


def labels(records):
    """Score in centipawns and result (0, ½, 1), both for the side to move."""
    score = records[:, 24:26].contiguous().view(torch.int16).view(-1).float()
    return score, records[:, 26].float() * 0.5


def synthetic(count, device, seed, games=1000):
    """Records of random pieces on random squares whose score is the material: for tests and measurements, not for chess."""
    generator = torch.Generator(device=device)
    generator.manual_seed(seed)
    parts = [_synthetic(min(CHUNK, count - at), device, generator, games) for at in range(0, count, CHUNK)]
    return torch.cat(parts)


def _synthetic(count, device, generator, games):
    def uniform(*shape):
        return torch.rand(*shape, device=device, generator=generator)

    order = uniform(count, 64).argsort(1).argsort(1)
    men = 2 + (uniform(count, 1) * 31).long()
    # Pawns are commonest; none stands on the first or last rank.
    kinds = (uniform(count, 64) ** 2 * 5).long()
    ranks = torch.arange(64, device=device) // 8
    kinds = torch.where((kinds == 0) & ((ranks == 0) | (ranks == 7)), kinds + 1, kinds)
    codes = kinds + (uniform(count, 64) < 0.5).long() * 8
    codes = torch.where(order == 0, torch.full_like(codes, KINGS[0]), codes)
    codes = torch.where(order == 1, torch.full_like(codes, KINGS[1]), codes)
    occupied = order < men
    values = torch.zeros(16, device=device)
    values[:5] = torch.tensor([100.0, 300.0, 300.0, 500.0, 900.0], device=device)
    values[8:] = -values[:8]
    score = (values[codes] * occupied).sum(1).clamp(-3000, 3000)
    luck = score + (uniform(count) - 0.5) * 800
    result = 1 + (luck > 150).long() - (luck < -150).long()

    records = torch.zeros(count, SIZE, dtype=torch.uint8, device=device)
    powers = 2 ** torch.arange(8, device=device)
    records[:, :8] = (occupied.view(-1, 8, 8) * powers).sum(2).to(torch.uint8)
    place = torch.where(occupied, occupied.cumsum(1) - 1, torch.full_like(order, 32))
    nibbles = torch.zeros(count, 33, dtype=torch.int64, device=device).scatter_(1, place, codes)[:, :32].view(-1, 16, 2)
    records[:, 8:24] = (nibbles[:, :, 0] + 16 * nibbles[:, :, 1]).to(torch.uint8)
    records[:, 24:26] = score.to(torch.int16).view(-1, 1).view(torch.uint8)
    records[:, 26] = result.to(torch.uint8)
    game = (uniform(count) * games).to(torch.int32)
    records[:, 28:32] = game.view(-1, 1).view(torch.uint8)
    return records
