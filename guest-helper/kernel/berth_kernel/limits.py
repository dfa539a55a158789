"""Every limit of the runtime, in one place."""

# Source: harness.md, "Kernel and transport".
PROTOCOL = 3
# A display or host_request payload above this many encoded bytes fails the cell. Source: harness.md, S3.
PAYLOAD_BYTES = 16 * 1024 * 1024
# A print of more characters becomes several frames, so that stream frames stay small for the host.
STREAM_CHARS = 64 * 1024
# One read of a captured descriptor: the size of a Linux pipe.
PIPE_BYTES = 64 * 1024
# A result's or an error's text is cut here; the cut names how much is missing.
TEXT_CHARS = 1024 * 1024
# A snapshot of more bytes keeps the names that fit and reports the others.
SNAPSHOT_BYTES = 256 * 1024 * 1024
# What bash() keeps of a command's output; the rest is counted.
BASH_BYTES = 1024 * 1024
# How long a cell may hold the loop after the owner is gone. Source: harness.md, "Kernel and transport".
EXIT_GRACE_SECONDS = 30.0
# How long a task may hold the loop before an interrupt of a waiting cell is raised in that task.
HOG_SECONDS = 0.5


def cut(text: str) -> str:
    """The text, or its first TEXT_CHARS characters and how many are missing."""
    if len(text) <= TEXT_CHARS:
        return text
    return f"{text[:TEXT_CHARS]}\n… {len(text) - TEXT_CHARS} more characters"
