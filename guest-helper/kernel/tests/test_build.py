"""The wheel that an installation makes of the sources, without a network."""

from __future__ import annotations

import base64
import hashlib
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "build_backend"))

import berth_build  # noqa: E402


class BuildTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def build(self):
        return Path(self.directory.name) / berth_build.build_wheel(self.directory.name)

    def test_it_needs_nothing_and_holds_every_module(self):
        self.assertEqual([], berth_build.get_requires_for_build_wheel())
        with zipfile.ZipFile(self.build()) as wheel:
            modules = {name for name in wheel.namelist() if name.endswith(".py")}
        self.assertEqual({f"berth_kernel/{path.name}" for path in (ROOT / "berth_kernel").glob("*.py")}, modules)

    def test_its_record_names_every_file_with_its_digest(self):
        with zipfile.ZipFile(self.build()) as wheel:
            record = next(name for name in wheel.namelist() if name.endswith("/RECORD"))
            rows = dict(line.split(",", 1) for line in wheel.read(record).decode().splitlines())
            self.assertEqual(set(wheel.namelist()), set(rows))
            for name in set(rows) - {record}:
                content = wheel.read(name)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual(f"sha256={digest},{len(content)}", rows[name])

    def test_the_same_sources_make_the_same_wheel(self):
        self.assertEqual(self.build().read_bytes(), self.build().read_bytes())

    def test_an_archive_of_sources_is_refused(self):
        with self.assertRaises(berth_build.UnsupportedOperation):
            berth_build.build_sdist(self.directory.name)
