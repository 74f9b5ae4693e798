"""Texts at a fixed rate over kept connections: each counts from the moment when it should have been sent.

The loop is open: a text goes out at its time whether or not those before it have been answered, so that a service that
falls behind shows all of it. The requests are whole and signed beforehand. `send` is meant to run in a process of its own.
"""

import asyncio
import resource
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

# Connections to one process; what finds none free waits for one, and its time counts.
CONNECTIONS = 256
# The carrier waits no longer for an answer.
ANSWER_SECONDS = 15.0


class Timed(NamedTuple):
    """One request and its time, in seconds after the first."""

    after: float
    port: int
    request: bytes


class Paced(NamedTuple):
    """What came of it."""

    seconds: list[float]  # of each text that was answered, from when it was due to the end of its answer
    statuses: Counter[int]  # 0: the connection broke, or no answer came
    whole: bool  # False: given up, because a text was overdue by more than the patience
    last: float  # how many seconds after the last text was due the last answer came
    cpu: float  # seconds that the sending itself took of a processor


class Wire(asyncio.Protocol):
    """One connection to a web process, with one request on it at a time."""

    def __init__(self, run: "Run", port: int) -> None:
        self.run, self.port = run, port
        self.number = -1  # of the text under way
        self._came = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def send(self, number: int, request: bytes) -> None:
        self.number, self._came = number, b""
        self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._came += data
        head, end, body = self._came.partition(b"\r\n\r\n")
        if not end:
            return
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        if len(body) < int(fields[b"content-length"]):
            return
        self.run.answered(self, int(head[9:12]))
        if fields.get(b"connection") == b"close":
            self.transport.close()
        else:
            self.run.free(self)

    def connection_lost(self, _: Exception | None) -> None:
        self.run.lost(self)


class Run:
    """All texts of one call."""

    def __init__(self, texts: Sequence[Timed], patience: float) -> None:
        self.texts, self.patience = texts, patience
        self.seconds: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.last = 0.0
        self._idle: dict[int, list[Wire]] = defaultdict(list)
        self._open: Counter[int] = Counter()
        self._waiting: dict[int, deque[int]] = defaultdict(deque)
        self._under_way: dict[int, None] = {}  # in the order in which they were due
        self._opening: set[asyncio.Task[None]] = set()
        self._dry = asyncio.Event()

    async def go(self) -> bool:
        """Whether all were sent."""
        loop = asyncio.get_running_loop()
        self._began = loop.time() + 0.1
        whole = True
        for number, text in enumerate(self.texts):
            wait = self._began + text.after - loop.time()
            await asyncio.sleep(max(0.0, wait))
            oldest = next(iter(self._under_way), None)
            if oldest is not None and loop.time() - self._began - self.texts[oldest].after > self.patience:
                whole = False
                break
            self._under_way[number] = None
            self._waiting[text.port].append(number)
            self._serve(text.port)
        if self._under_way:
            self._dry.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._dry.wait(), ANSWER_SECONDS)
        self.statuses[0] += len(self._under_way)
        self._under_way.clear()
        for wires in self._idle.values():
            for wire in wires:
                wire.transport.close()
        await asyncio.sleep(0)
        return whole

    def _serve(self, port: int) -> None:
        waiting, idle = self._waiting[port], self._idle[port]
        while waiting and idle:
            wire = idle.pop()
            if not wire.transport.is_closing():
                number = waiting.popleft()
                wire.send(number, self.texts[number].request)
        for _ in range(min(len(waiting), CONNECTIONS - self._open[port])):
            self._open[port] += 1
            task = asyncio.get_running_loop().create_task(self._connect(port))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _connect(self, port: int) -> None:
        try:
            _, wire = await asyncio.get_running_loop().create_connection(lambda: Wire(self, port), "127.0.0.1", port)
        except OSError:
            self._open[port] -= 1
            if self._waiting[port]:
                self._ended(self._waiting[port].popleft(), 0)
            return
        self.free(wire)

    def free(self, wire: Wire) -> None:
        wire.number = -1
        self._idle[wire.port].append(wire)
        self._serve(wire.port)

    def answered(self, wire: Wire, status: int) -> None:
        self.last = asyncio.get_running_loop().time() - self._began - self.texts[-1].after
        self.seconds.append(self.last + self.texts[-1].after - self.texts[wire.number].after)
        self._ended(wire.number, status)
        wire.number = -1

    def lost(self, wire: Wire) -> None:
        self._open[wire.port] -= 1
        if wire in self._idle[wire.port]:
            self._idle[wire.port].remove(wire)
        if wire.number >= 0:
            self._ended(wire.number, 0)

    def _ended(self, number: int, status: int) -> None:
        if number in self._under_way:
            del self._under_way[number]
            self.statuses[status] += 1
        if not self._under_way:
            self._dry.set()


def send(texts: Sequence[Timed], patience: float = 3.0) -> Paced:
    """Sends them all at their times, and waits for the answers. Gives up when one is overdue by more than `patience`."""

    async def run() -> Paced:
        one = Run(texts, patience)
        before = resource.getrusage(resource.RUSAGE_SELF)
        whole = await one.go()
        after = resource.getrusage(resource.RUSAGE_SELF)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Paced(one.seconds, +one.statuses, whole, one.last, cpu)

    return asyncio.run(run())
