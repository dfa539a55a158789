"""The kernel runtime of Berth: a Python that serves cells over the REPL protocol, version 3.

Started by ``python -m berth_kernel.repl``. Cells find ``bash``, ``display``, ``fs``, ``host_request`` and ``remote`` in
their namespace; a module that cells import gets them from here. The frames are described in ``../README.md``.
"""

from . import fs
from .bridge import HostError, host_request, host_request_blocking
from .display import display
from .fs import FsError
from .remote import remote
from .shell import BashResult, bash

__all__ = [
    "BashResult",
    "FsError",
    "HostError",
    "bash",
    "display",
    "fs",
    "host_request",
    "host_request_blocking",
    "remote",
]
