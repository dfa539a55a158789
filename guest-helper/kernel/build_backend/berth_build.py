"""Builds the wheel of the kernel runtime with the standard library alone, so that its installation needs no network.

Source: PEP 517 (hooks), PEP 427 (the wheel's files).
"""

import base64
import hashlib
import tomllib
import zipfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = "berth_kernel"
# Zip has no earlier time; a fixed one makes the same wheel of the same sources.
_TIME = (1980, 1, 1, 0, 0, 0)


class UnsupportedOperation(Exception):
    """What PEP 517 has a backend raise for an archive that it does not make."""


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    name = f"{project['name'].replace('-', '_')}-{project['version']}"
    info = f"{name}.dist-info"
    files = {
        path.relative_to(_ROOT).as_posix(): path.read_bytes()
        for path in sorted((_ROOT / _PACKAGE).rglob("*.py"))
    }
    files[f"{info}/METADATA"] = _lines(
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
    )
    files[f"{info}/WHEEL"] = _lines(
        "Wheel-Version: 1.0", "Generator: berth_build", "Root-Is-Purelib: true", "Tag: py3-none-any"
    )
    record = f"{info}/RECORD"
    files[record] = _lines(*(_recorded(path, content) for path, content in files.items()), f"{record},,")
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, _TIME)
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise UnsupportedOperation("the kernel runtime is installed from its directory")


def _recorded(path, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
    return f"{path},sha256={digest},{len(content)}"


def _lines(*lines):
    return ("\n".join(lines) + "\n").encode("utf-8")
