"""A line chart as SVG, drawn by hand: a grid, a line per series and some words."""

import math

WIDTH, HEIGHT = 800, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 110, 40, 45
COLOURS = ("#1f6fb4", "#d1495b", "#2e933c")


def svg(title, x_label, series):
    """The chart as text; `series` is a list of (name, [(x, y), …])."""
    points = [point for _, line in series for point in line if math.isfinite(point[1])]
    xs, ys = bounds([x for x, _ in points]), bounds([y for _, y in points])

    def at(x, y):
        across = (x - xs[0]) / (xs[1] - xs[0]) * (WIDTH - LEFT - RIGHT)
        up = (y - ys[0]) / (ys[1] - ys[0]) * (HEIGHT - TOP - BOTTOM)
        return LEFT + across, HEIGHT - BOTTOM - up

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             text(LEFT, TOP - 15, "start", title, size=14), text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "middle", x_label)]
    for tick in ticks(ys):
        y = at(xs[0], tick)[1]
        parts += [rule(LEFT, y, WIDTH - RIGHT, y), text(LEFT - 6, y + 4, "end", f"{tick:.6g}")]
    for tick in ticks(xs):
        x = at(tick, ys[0])[0]
        parts += [rule(x, TOP, x, HEIGHT - BOTTOM), text(x, HEIGHT - BOTTOM + 16, "middle", f"{tick:g}")]
    ends = []
    for (name, line), colour in zip(series, COLOURS):
        places = [at(x, y) for x, y in line if math.isfinite(y)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>')
        if places:
            ends.append([places[-1][1], places[-1][0], name, colour])
    # Names stand at the ends of their lines, but never on each other.
    ends.sort()
    for above, below in zip(ends, ends[1:]):
        below[0] = max(below[0], above[0] + 14)
    parts += [text(x + 6, y + 4, "start", name, colour) for y, x, name, colour in ends]
    return "\n".join(parts + ["</svg>", ""])


def bounds(numbers):
    """The least and the greatest number, never the same."""
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def ticks(between):
    """Round numbers in a range, about five."""
    low, high = between
    rough = (high - low) / 5
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= rough)
    first = math.ceil(low / step)
    return [index * step for index in range(first, math.floor(high / step) + 1)]


def text(x, y, anchor, words, colour="black", size=12):
    """A few words."""
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{words}</text>'


def rule(x1, y1, x2, y2):
    """A line of the grid."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#dddddd"/>'
