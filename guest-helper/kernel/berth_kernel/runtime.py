"""The one runtime of this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .server import Server

_server: "Server | None" = None


def serve(server: "Server") -> None:
    """Makes the server the one that helpers talk through."""
    global _server
    _server = server


def active() -> bool:
    """False where the package is imported outside a kernel."""
    return _server is not None


def current() -> "Server":
    """The server. Raises RuntimeError outside a kernel."""
    if _server is None:
        raise RuntimeError("no kernel runs in this process")
    return _server
