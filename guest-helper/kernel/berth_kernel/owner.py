"""Whose kernel this is: it ends when its owner does."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable

# How often a kernel without pidfd looks for its owner.
_LOOK_SECONDS = 1.0


def adopt(stop: Callable[[], None]) -> None:
    """Takes the owner from the environment, so that no child inherits the marks, and watches it.

    ``BERTH_KERNEL_OWNER=stdin``: the end of standard input, which the reader sees; the process becomes the leader of a
    group. ``BERTH_KERNEL_OWNER_PID``: that process.
    """
    mark = os.environ.pop("BERTH_KERNEL_OWNER", None)
    pid = os.environ.pop("BERTH_KERNEL_OWNER_PID", None)
    if mark == "stdin":
        try:
            os.setpgid(0, 0)
        except PermissionError:
            # A session's leader is the leader of its group already.
            return
    elif pid is not None:
        threading.Thread(target=_watch, args=(int(pid), stop), name="berth-owner", daemon=True).start()


def _watch(pid: int, stop: Callable[[], None]) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        stop()
        return
    except (AttributeError, OSError):
        _poll(pid)
        stop()
        return
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.poll()
    stop()


def _poll(pid: int) -> None:
    parent = os.getppid()
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        except PermissionError:
            pass
        if pid == parent and os.getppid() != parent:
            return
        time.sleep(_LOOK_SECONDS)
