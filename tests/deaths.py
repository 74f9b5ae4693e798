"""Dying at every moment that matters: before and after each transaction of what is run."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, event


class Death(BaseException):
    """The process is no more: nothing that would be done about an error is done about this."""


class Moments:
    """Lets what uses an engine die at its n-th moment: a transaction's begin or the moment before its commit."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._left = 0

    def _pass(self, *_: Any) -> None:
        self._left -= 1
        if self._left < 0:
            raise Death

    def dies(self, work: Callable[[], Any], after: int) -> bool:
        """Runs it; whether it has died at the moment after so many."""
        self._left = after
        for name in ("begin", "commit"):
            event.listen(self._engine, name, self._pass, insert=True)
        try:
            work()
        except Death:
            self._engine.dispose()  # its connections end with it
            return True
        finally:
            for name in ("begin", "commit"):
                event.remove(self._engine, name, self._pass)
        return False
