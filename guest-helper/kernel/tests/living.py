"""Whether processes live, by what /proc tells."""

from __future__ import annotations

import os
import select
import unittest

from .kernel import PATIENCE_SECONDS


def living(pid: int) -> bool:
    """False for a process that is gone or a zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def gone(test: unittest.TestCase, pid: int) -> None:
    """Waits for the end of a process."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ended, _, _ = select.select([descriptor], [], [], PATIENCE_SECONDS)
        test.assertTrue(ended, f"process {pid} lives")
    finally:
        os.close(descriptor)
