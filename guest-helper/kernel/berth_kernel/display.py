"""Rich output of cells."""

from __future__ import annotations

from typing import Any

from . import runtime
from .capture import current_origin
from .frames import checked_payload, printable


def display(value: Any) -> None:
    """Shows a value: a dict of MIME type to JSON payload as it is, anything else by its repr.

    Raises ValueError over 16 MiB, before anything is written.
    """
    if isinstance(value, dict):
        if not value or not all(isinstance(key, str) and "/" in key for key in value):
            raise TypeError("display() takes a dict of MIME types, or a value that has a repr")
        data = value
    else:
        data = {"text/plain": printable(repr(value))}
    runtime.current().writer.send_payload("display", current_origin.get(), checked_payload("display", data))
