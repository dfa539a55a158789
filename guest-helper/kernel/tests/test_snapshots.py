"""The namespace on disk."""

from __future__ import annotations

import os
import tempfile

from .kernel import Kernel, KernelTest


class SnapshotTest(KernelTest):
    def setUp(self) -> None:
        super().setUp()
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "names")

    def ask(self, kernel: Kernel, kind: str, **fields: object) -> dict:
        id = f"{kind}-{next(kernel._ids)}"
        kernel.send(type=kind, id=id, **fields)
        return kernel.done(id)

    def test_names_come_back_in_another_kernel(self):
        self.kernel.run("import math as m\nx = {'a': [1, 2]}\n_private = 1\ny = m.pi")
        saved = self.ask(self.kernel, "snapshot", path=self.path)
        self.assertEqual(["m", "x", "y"], saved["saved"])
        self.assertEqual([], saved["skipped"])
        self.assertEqual(os.path.getsize(self.path), saved["bytes"])
        self.assertEqual(0o600, os.stat(self.path).st_mode & 0o777)
        other = self.start()
        self.assertEqual(["m", "x", "y"], self.ask(other, "restore", path=self.path)["restored"])
        self.assertEqual("({'a': [1, 2]}, True)", other.value("(x, m.pi == y)"))
        self.assertEqual(["m", "x", "y"], self.ask(other, "list_names")["names"])

    def test_what_cannot_be_kept_is_named_with_a_reason(self):
        self.kernel.run(
            "import threading\nlock = threading.Lock()\ngood = 1\n"
            "class Bad:\n    def __reduce__(self): raise ValueError('\\ud800')\nbad = Bad()"
        )
        saved = self.ask(self.kernel, "snapshot", path=self.path)
        self.assertIn("good", saved["saved"])
        skipped = {entry["name"]: entry["reason"] for entry in saved["skipped"]}
        self.assertIn("cannot pickle", skipped["lock"])
        self.assertIn("ValueError", skipped["bad"])
        names = self.ask(self.kernel, "list_names")["names"]
        self.assertEqual(sorted(names), sorted([*saved["saved"], *skipped]))

    def test_what_only_a_cells_code_could_revive_is_named_or_comes_back(self):
        self.kernel.run("class Point:\n    x = 1\np = Point()\ndef f(): return 7\ng = [f]")
        saved = self.ask(self.kernel, "snapshot", path=self.path)
        other = self.start()
        restored = self.ask(other, "restore", path=self.path)
        self.assertEqual([], restored["failed"])
        self.assertEqual(saved["saved"], restored["restored"])
        self.assertEqual(saved["skipped"], restored["skipped"])
        skipped = [entry["name"] for entry in saved["skipped"]]
        self.assertEqual(["Point", "f", "g", "p"], sorted([*skipped, *saved["saved"]]))

    def test_a_value_that_cannot_come_back_is_named_and_the_others_come(self):
        self.kernel.run(
            "import operator, fractions\nclass R:\n    def __reduce__(self): return (operator.truediv, (1, 0))\n"
            "r = R()\nx = fractions.Fraction(1, 3)\ndel R"
        )
        self.ask(self.kernel, "snapshot", path=self.path)
        other = self.start()
        restored = self.ask(other, "restore", path=self.path)
        self.assertEqual([("r", True)], [(f["name"], "division" in f["reason"]) for f in restored["failed"]])
        self.assertEqual("Fraction(1, 3)", other.value("x"))

    def test_names_over_the_byte_limit_are_named(self):
        self.kernel.run("big = b'x' * 100000\nsmall = 1")
        saved = self.ask(self.kernel, "snapshot", path=self.path, max_bytes=1000)
        self.assertEqual(["small"], saved["saved"])
        self.assertEqual(["big"], [entry["name"] for entry in saved["skipped"]])

    def test_a_missing_file_restores_nothing_and_a_foreign_one_is_refused(self):
        missing = self.ask(self.kernel, "restore", path=self.path)
        self.assertEqual(("ok", [], "snapshot not found"), (missing["status"], missing["restored"], missing["reason"]))
        with open(self.path, "wb") as file:
            file.write(b"no pickle")
        foreign = self.ask(self.kernel, "restore", path=self.path)
        self.assertEqual("error", foreign["status"])
        self.assertIn("no snapshot", foreign["reason"])

    def test_a_failed_write_leaves_the_old_file_and_no_other(self):
        self.kernel.run("x = 1")
        self.ask(self.kernel, "snapshot", path=self.path)
        self.kernel.run("import os\nos.replace = lambda *a: 1 / 0")
        self.assertEqual("error", self.ask(self.kernel, "snapshot", path=self.path)["status"])
        self.assertEqual(["names"], os.listdir(os.path.dirname(self.path)))

    def test_helpers_are_kept_only_when_a_cell_replaced_them(self):
        self.assertEqual([], self.ask(self.kernel, "list_names")["names"])
        self.kernel.run("bash = 3")
        self.assertEqual(["bash"], self.ask(self.kernel, "list_names")["names"])
