#!/usr/bin/env python3
"""Computes the figures that the tests of crates/lab/src/stats.rs expect, in another way, and compares them.

The laboratory finds the likeliest distribution under a hypothesis with one multiplier and, for normalised Elo, by
replacing the condition with its tangent again and again. Here the conditions of the maximum are solved as they stand:
Newton's method on the five shares and the two multipliers (sum of shares, and the hypothesis) together.

    python3 tests/python/statistics.py
"""

import math
import re
import sys
from pathlib import Path

SCORES = [0.0, 0.25, 0.5, 0.75, 1.0]
NORMAL_95 = 1.959963984540054
NORMALISED = 800 / math.log(10)


def moments(p):
    mean = sum(a * s for a, s in zip(p, SCORES))
    return mean, sum(a * (s - mean) ** 2 for a, s in zip(p, SCORES))


def elo(score):
    return -400 * math.log10(1 / score - 1)


def estimates(counts):
    """Elo, its error, normalised Elo, its error."""
    pairs = sum(counts)
    mean, variance = moments([n / pairs for n in counts])
    half = NORMAL_95 * math.sqrt(variance / pairs)
    games = 2 * pairs
    normalised = (mean - 0.5) / math.sqrt(2 * variance) * NORMALISED
    return [elo(mean), (elo(mean + half) - elo(mean - half)) / 2, normalised, NORMAL_95 * NORMALISED / math.sqrt(games)]


def solve(matrix, right):
    """Gaussian elimination with the largest pivot."""
    n = len(right)
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][k] * x[k] for k in range(i + 1, n))) / rows[i][i]
    return x


def likeliest(observed, hypothesis):
    """The maximum of sum(observed log p) where sum(p) = 1 and the hypothesis g(p) = 0, which comes as a function that
    returns g, its gradient and its second derivatives."""
    p, a, b = observed[:], 1.0, 0.0
    for _ in range(500):
        g, gradient, second = hypothesis(p)
        # Conditions: observed / p = a + b * gradient, and both constraints.
        residual = [o / x - a - b * d for o, x, d in zip(observed, p, gradient)] + [1 - sum(p), -g]
        matrix = []
        for i in range(5):
            row = [-b * second[i][k] - (observed[i] / p[i] ** 2 if i == k else 0.0) for k in range(5)]
            matrix.append(row + [-1.0, -gradient[i]])
        matrix.append([-1.0] * 5 + [0.0, 0.0])
        matrix.append([-d for d in gradient] + [0.0, 0.0])
        step = solve(matrix, [-r for r in residual])
        length = 1.0
        while any(x + length * s <= 0.0 for x, s in zip(p, step)):
            length /= 2
        p = [x + length * s for x, s in zip(p, step)]
        a, b = a + length * step[5], b + length * step[6]
        if length == 1.0 and max(abs(s) for s in step) < 1e-14:
            break
    return p


def logistic(bound):
    score = 1 / (1 + 10 ** (-bound / 400))
    return lambda p: (moments(p)[0] - score, SCORES, [[0.0] * 5 for _ in range(5)])


def normalised(bound):
    t = bound / NORMALISED * math.sqrt(2)

    def hypothesis(p):
        # The variance as the mean square less the square of the mean; its derivatives are s_i^2 - 2 m s_i and -2 s_i s_k.
        mean = sum(a * s for a, s in zip(p, SCORES))
        variance = sum(a * s * s for a, s in zip(p, SCORES)) - mean**2
        root = math.sqrt(variance)
        slope = [s * s - 2 * mean * s for s in SCORES]
        gradient = [s - t * d / (2 * root) for s, d in zip(SCORES, slope)]
        second = [
            [-t * (-2 * SCORES[i] * SCORES[k] / (2 * root) - slope[i] * slope[k] / (4 * root**3)) for k in range(5)]
            for i in range(5)
        ]
        return mean - 0.5 - t * root, gradient, second

    return hypothesis


def ratios(counts):
    """The log-likelihood ratios of normalised [0, 5] and [-3, 1] and of logistic [0, 5] and [0, 20]."""
    pairs = sum(counts)
    observed = [(n + 0.5) / (pairs + 2.5) for n in counts]

    def ratio(model, elo0, elo1):
        p0, p1 = likeliest(observed, model(elo0)), likeliest(observed, model(elo1))
        return sum(n * math.log(b / a) for n, a, b in zip(counts, p0, p1))

    return [ratio(normalised, 0, 5), ratio(normalised, -3, 1), ratio(logistic, 0, 5), ratio(logistic, 0, 20)]


def main():
    source = Path(__file__).resolve().parents[2] / "crates/lab/src/stats.rs"
    text = source.read_text(encoding="utf-8")
    compared, wrong = 0, 0
    for name, compute in [("estimates", estimates), ("likelihood_ratios", ratios)]:
        body = text.split(f"fn {name}_are_those_computed_elsewhere")[1].split("#[test]")[0]
        for counts, expected in re.findall(r"\(\[([\d, ]+)\], \[([-\d., ]+)\]\)", body):
            counts = [int(n) for n in counts.split(",")]
            for ours, theirs in zip(compute(counts), (float(x) for x in expected.split(","))):
                compared += 1
                if abs(ours - theirs) > 2e-6 * (1 + abs(theirs)):
                    wrong += 1
                    print(f"{name} of {counts}: {ours:.6f}, but the tests expect {theirs}")
    print(f"{compared} figures compared, {wrong} differ")
    sys.exit(1 if wrong or compared < 40 else 0)


if __name__ == "__main__":
    main()
