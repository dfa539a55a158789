"""The program: ``python -m berth_kernel.repl``."""

from .server import main

if __name__ == "__main__":
    raise SystemExit(main())
