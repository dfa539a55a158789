"""Keeps an interrupt out of what must not be torn."""

from __future__ import annotations

import threading


class Shield:
    """While the main thread is inside, an interrupt waits; it is raised on the way out.

    Other threads pass through: signal handlers run in the main thread only.
    """

    def __init__(self) -> None:
        self._main = threading.main_thread().ident
        self._depth = 0
        self._held = False

    def hold(self) -> bool:
        """For the signal handler: true when the interrupt is kept for later."""
        if self._depth:
            self._held = True
            return True
        return False

    def __enter__(self) -> "Shield":
        if threading.get_ident() == self._main:
            self._depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        if threading.get_ident() != self._main:
            return
        self._depth -= 1
        if self._held and not self._depth:
            self._held = False
            raise KeyboardInterrupt
