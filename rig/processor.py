"""What processes have taken of the processors, from /proc."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


class Stat(NamedTuple):
    """Of one process: its parent, and seconds with those of its children that have ended."""

    parent: int
    seconds: float


def processes() -> dict[int, Stat]:
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            line = (folder / "stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
        fields = line.rpartition(")")[2].split()  # its name may hold anything
        found[int(folder.name)] = Stat(int(fields[1]), sum(map(int, fields[11:15])) / TICKS)
    return found


def seconds(roots: Iterable[int]) -> float:
    """Of these processes and all that came of them, ever."""
    every = processes()
    children: dict[int, list[int]] = {}
    for pid, stat in every.items():
        children.setdefault(stat.parent, []).append(pid)
    family = [pid for pid in roots if pid in every]
    for pid in family:  # it grows
        family += children.get(pid, [])
    return sum(every[pid].seconds for pid in family)


def busy() -> float:
    """What all processes of this machine have taken, and the system itself."""
    fields = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    user, nice, system, _idle, _waiting, irq, soft_irq, _stolen = fields
    return (user + nice + system + irq + soft_irq) / TICKS
