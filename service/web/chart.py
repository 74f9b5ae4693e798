"""How scores went, as a drawing: a line for each player or team. The table beside it has the same figures."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

TOP, BOTTOM = 14, 36
MOST_POINTS = 300  # of a line; more can't be told apart
LABEL = 18  # between two names at the ends of lines


class Size(NamedTuple):
    """How large it is drawn; on a phone without names at the ends of lines, for which there is no room."""

    css: str
    width: int
    height: int
    left: int
    right: int
    named: bool


LARGE, SMALL = Size("large", 640, 300, 58, 116, True), Size("small", 330, 230, 52, 12, False)


class Series(NamedTuple):
    """A line: whose it is, and the scores after each round (or game), from the first on; it begins at `start`."""

    name: str
    values: Sequence[int]
    start: int = 0


def chart(series: Sequence[Series], title: str, across: str, target: int | None = None) -> Markup:
    """The drawing, for a large and for a small screen; the style sheet shows one of them.

    `across` is what is counted below (`Round`); `target` a score that ends the game, drawn where it is near.
    """
    lines = [[one.start, *one.values] for one in series]
    said = "; ".join(f"{one.name} {line[-1]}" for one, line in zip(series, lines, strict=True))
    label = f"{title}, by {across.lower()}. At the end: {said}."
    names = [one.name for one in series]
    return Markup("").join(_drawn(size, names, lines, label, target) for size in (LARGE, SMALL))


def _drawn(size: Size, names: Sequence[str], lines: Sequence[Sequence[int]], label: str, target: int | None) -> Markup:
    count = max(map(len, lines)) - 1
    low, high = min(map(min, lines)), max(map(max, lines))
    reach = 0.6 * (high - low)
    if target is not None and low - reach <= target <= high + reach:
        low, high = min(low, target), max(high, target)
    else:
        target = None
    ticks = _ticks(low, high)
    low, high, end = min(ticks[0], low), max(ticks[-1], high), size.width - size.right

    def x(i: float) -> float:
        return round(size.left + (end - size.left) * i / max(count, 1), 1)

    def y(value: float) -> float:
        return round(TOP + (size.height - TOP - BOTTOM) * (1 - (value - low) / ((high - low) or 1)), 1)

    level = Markup('<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>')
    number = Markup('<text class="tick" x="{}" y="{}">{}</text>')
    below = Markup('<text class="tick below" x="{}" y="{}">{}</text>')
    parts = [level.format("grid" if tick else "grid zero", size.left, end, y(tick), y(tick)) for tick in ticks]
    parts += [number.format(size.left - 8, y(tick) + 5, str(tick).replace("-", "−")) for tick in ticks]
    parts += [below.format(x(i), size.height - 12, i) for i in _steps(count, 10 if size.named else 5)]
    if target is not None:
        parts.append(level.format("target", size.left, end, y(target), y(target)))
    heights = _apart([y(line[-1]) for line in lines], size.height - BOTTOM)
    for i, line in enumerate(lines):
        points = " ".join(f"{x(at)},{y(line[at])}" for at in _thinned(len(line)))
        name = Markup('<text x="{}" y="{}">{}</text>').format(end + 10, heights[i] + 5, names[i])
        dot = Markup('<circle cx="{}" cy="{}" r="4.5"/>').format(x(len(line) - 1), y(line[-1]))
        drawn = Markup('<g class="series {}"><polyline points="{}"/>{}{}</g>')
        parts.append(drawn.format(style_of(i), points, dot, name if size.named else ""))
    return Markup('<svg class="chart {}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        size.css, size.width, size.height, label, Markup("").join(parts)
    )


def style_of(i: int) -> str:
    """The classes by which the style sheet gives line `i` its colour and dashes: twelve can be told apart."""
    return f"s{i % 8} again" if i >= 8 else f"s{i}"


def _ticks(low: int, high: int) -> list[int]:
    """Round scores from `low` to `high`, some five of them."""
    span = max(high - low, 1)
    rough = span / 4
    size = 10 ** math.floor(math.log10(rough)) if rough >= 1 else 1
    step = int(max(1, next(size * n for n in (1, 2, 2.5, 5, 10) if size * n >= rough and (size * n) % 1 == 0)))
    return list(range(math.floor(low / step) * step, math.ceil(high / step) * step + 1, step))


def _steps(count: int, most: int) -> list[int]:
    """Which rounds are numbered below: at most so many, and the last."""
    step = max(1, math.ceil(count / most))
    numbers = list(range(step, count + 1, step))
    if numbers and numbers[-1] != count:
        numbers = [n for n in numbers if count - n >= step / 2] + [count]
    return numbers


def _thinned(length: int) -> list[int]:
    """Which points are drawn, the last always."""
    stride = max(1, math.ceil(length / MOST_POINTS))
    return [*range(0, length - 1, stride), length - 1]


def _apart(heights: Sequence[float], lowest: float) -> list[float]:
    """Where names stand, so that no two lie on each other, near where their lines end."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    placed = dict(zip(order, (heights[i] for i in order), strict=True))
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + LABEL)
    over = placed[order[-1]] - lowest
    if over > 0:
        placed[order[-1]] -= over
        for after, before in pairwise(reversed(order)):
            placed[before] = min(placed[before], placed[after] - LABEL)
    return [round(placed[i], 1) for i in range(len(heights))]
