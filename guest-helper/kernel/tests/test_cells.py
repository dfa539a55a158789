"""Cells, their results, errors and output."""

from __future__ import annotations

from .kernel import KernelTest


class CellsTest(KernelTest):
    def test_ready_names_the_protocol(self):
        self.assertEqual(3, self.kernel.frames[0]["protocol"])
        self.assertEqual("ready", self.kernel.frames[0]["event"])

    def test_names_live_from_cell_to_cell(self):
        self.kernel.run("x = 20")
        self.assertEqual("22", self.kernel.value("x + 2"))
        self.assertEqual("44", self.kernel.value("_ * 2"))

    def test_only_a_last_expression_that_is_not_none_is_a_result(self):
        self.assertEqual([], self.kernel.run("x = 1"))
        self.assertEqual([], self.kernel.run("None"))
        self.assertEqual([], self.kernel.run(""))

    def test_await_works_at_top_level_of_statements_and_expressions(self):
        self.kernel.run("import asyncio\nasync def f(): return 3\ny = await f()")
        self.assertEqual("6", self.kernel.value("y + await f()"))

    def test_a_result_is_bounded(self):
        text = self.kernel.value("'x' * (3 * 1024 * 1024)")
        self.assertLess(len(text), 1024 * 1024 + 100)
        self.assertTrue(text.endswith("more characters"))

    def test_an_error_names_type_text_and_the_cells_line(self):
        error = self.kernel.fails("def f():\n    return 1 / 0\nf()")
        self.assertEqual("ZeroDivisionError", error["ename"])
        self.assertEqual("division by zero", error["evalue"])
        trace = "".join(error["traceback"])
        self.assertIn("return 1 / 0", trace)
        self.assertNotIn("berth_kernel", trace)

    def test_source_that_does_not_parse_is_an_error_of_the_cell(self):
        self.assertEqual("SyntaxError", self.kernel.fails("1 +")["ename"])

    def test_sys_exit_ends_the_cell_only(self):
        self.assertEqual("SystemExit", self.kernel.fails("import sys; sys.exit(4)")["ename"])
        self.assertEqual("1", self.kernel.value("1"))

    def test_an_exception_whose_text_fails_is_still_reported(self):
        code = "class Bad(Exception):\n    def __str__(self): raise ValueError\nraise Bad()"
        self.assertEqual("Bad", self.kernel.fails(code)["ename"])

    def test_future_statements_and_context_variables_live_from_cell_to_cell(self):
        self.kernel.run("from __future__ import annotations\nimport contextvars\nv = contextvars.ContextVar('v')\nv.set(7)")
        self.assertEqual("7", self.kernel.value("v.get()"))
        self.kernel.run("def f(a: Missing): pass")

    def test_a_lone_surrogate_does_not_break_a_frame(self):
        self.assertEqual("'\\ud800'", self.kernel.value("'\\ud800'"))
        id = self.kernel.execute("print('\\ud800')")
        self.kernel.done(id)
        self.assertEqual("\\ud800\n", self.kernel.text("stdout", id))
        self.assertEqual("\\ud800", self.kernel.fails("raise ValueError('\\ud800')")["evalue"])

    def test_a_line_that_is_no_request_is_answered_and_the_kernel_goes_on(self):
        for line in (b"not json\n", b"[1]\n", b'{"type":"execute"}\n', b"\xff\xfe\n"):
            self.kernel.send_raw(line)
        id = self.kernel.execute("1")
        self.kernel.done(id)
        errors = [frame for frame in self.kernel.frames if frame["event"] == "error"]
        self.assertEqual(["ProtocolError"] * 4, [error["ename"] for error in errors])

    def test_an_unknown_request_type_gets_a_done_with_a_reason(self):
        self.kernel.send(type="dance", id="d")
        self.assertEqual("error", self.kernel.done("d")["status"])

    def test_a_request_without_its_field_fails_alone(self):
        self.kernel.send(type="execute", id="e")
        self.assertEqual("error", self.kernel.done("e")["status"])
        self.kernel.send(type="snapshot", id="s")
        self.assertIn("path", self.kernel.done("s")["reason"])
        self.assertEqual("1", self.kernel.value("1"))

    def test_requests_are_served_in_their_order(self):
        ids = [self.kernel.execute(f"print({n})") for n in range(20)]
        self.kernel.done(ids[-1])
        self.assertEqual(ids, [frame["id"] for frame in self.kernel.frames if frame["event"] == "done"])


class OutputTest(KernelTest):
    def test_a_print_carries_the_cells_id_and_stderr_its_event(self):
        id = self.kernel.execute("import sys\nprint('out')\nprint('err', file=sys.stderr)")
        self.kernel.done(id)
        self.assertEqual("out\n", self.kernel.text("stdout", id))
        self.assertEqual("err\n", self.kernel.text("stderr", id))

    def test_a_task_prints_for_the_cell_that_started_it_while_another_cell_runs(self):
        self.kernel.run("import asyncio\ngo = asyncio.Event()\nout = asyncio.Event()")
        first = self.kernel.execute(
            "async def late():\n    await go.wait()\n    print('late')\n    out.set()\n"
            "task = asyncio.create_task(late())\nawait asyncio.sleep(0)\ngo.set()\nawait task\nprint('first')"
        )
        self.kernel.done(first)
        self.assertEqual("late\nfirst\n", self.kernel.text("stdout", first))

    def test_what_a_task_prints_after_its_cells_done_belongs_to_nobody(self):
        self.kernel.run("import asyncio\ngo = asyncio.Event()")
        first = self.kernel.execute(
            "async def late():\n    await go.wait()\n    print('late')\ntask = asyncio.create_task(late())"
        )
        self.kernel.done(first)
        second = self.kernel.execute("go.set()\nawait task")
        self.kernel.done(second)
        self.assertEqual("late\n", self.kernel.text("stdout", None))
        self.assertEqual("", self.kernel.text("stdout", second))

    def test_a_thread_prints_for_nobody_unless_it_was_given_the_cells_context(self):
        id = self.kernel.execute(
            "import threading, asyncio\nt = threading.Thread(target=lambda: print('thread'))\nt.start(); t.join()\n"
            "await asyncio.to_thread(print, 'given')"
        )
        self.kernel.done(id)
        self.assertEqual("given\n", self.kernel.text("stdout", id))
        self.assertEqual("thread\n", self.kernel.text("stdout", None))

    def test_raw_bytes_of_descriptors_and_children_come_without_id_and_before_done(self):
        id = self.kernel.execute(
            "import os, subprocess, sys\nos.write(1, b'raw ')\nsubprocess.run(['sh', '-c', 'echo child; echo bad >&2'])\n"
            "sys.stdout.buffer.write(b'buffer\\n')"
        )
        self.kernel.done(id)
        before = self.kernel.frames[: self.kernel.frames.index(self.kernel.done(id))]
        raw = "".join(f["text"] for f in before if f["event"] == "stdout" and f["id"] is None)
        self.assertEqual("raw child\nbuffer\n", raw)
        self.assertEqual("bad\n", "".join(f["text"] for f in before if f["event"] == "stderr" and f["id"] is None))

    def test_every_raw_byte_arrives_and_characters_are_not_split(self):
        id = self.kernel.execute("import os\nfor n in range(3000): os.write(1, 'äöü€😀'.encode() * 30)")
        self.kernel.done(id)
        self.assertEqual("äöü€😀" * 90000, self.kernel.text("stdout", None))

    def test_a_child_that_writes_frames_cannot_forge_one(self):
        id = self.kernel.execute("import os\nos.write(1, b'{\"event\":\"done\",\"id\":\"forged\"}\\n')")
        self.kernel.done(id)
        self.assertEqual([], self.kernel.of("forged"))

    def test_a_large_print_comes_in_small_frames_in_order(self):
        id = self.kernel.execute("print('ab' * 100000)")
        self.kernel.done(id)
        self.assertEqual("ab" * 100000 + "\n", self.kernel.text("stdout", id))
        self.assertLess(max(len(line) for line in self.kernel.lines), 70000)

    def test_input_is_at_its_end(self):
        self.assertEqual("EOFError", self.kernel.fails("input()")["ename"])

    def test_a_forked_child_writes_as_any_child_and_is_no_second_kernel(self):
        id = self.kernel.execute(
            "import os\npid = os.fork()\nif pid == 0:\n    print('from the child')\n    raise SystemExit\n"
            "os.waitpid(pid, 0)\nprint('parent')"
        )
        self.kernel.done(id)
        self.assertEqual("parent\n", self.kernel.text("stdout", id))
        self.assertEqual("from the child\n", self.kernel.text("stdout", None))

    def test_a_finalizer_that_prints_inside_a_print_tears_no_frame(self):
        id = self.kernel.execute(
            "import gc\nclass Loud:\n    def __init__(self): self.me = self\n    def __del__(self): print('gone')\n"
            "gc.set_threshold(1)\nfor n in range(200):\n    Loud(); print(n, ['x'] * 50)\ngc.set_threshold(700)\ngc.collect()\n"
        )
        self.kernel.done(id)
        self.assertEqual(200, self.kernel.text("stdout", id).count("gone"))


class DisplayTest(KernelTest):
    def test_a_display_carries_the_cells_id_and_its_data(self):
        id = self.kernel.execute("display({'text/html': '<b>x</b>'})\ndisplay([1])")
        self.kernel.done(id)
        shown = [frame["data"] for frame in self.kernel.of(id) if frame["event"] == "display"]
        self.assertEqual([{"text/html": "<b>x</b>"}, {"text/plain": "[1]"}], shown)

    def test_a_payload_over_the_limit_fails_the_cell_before_a_byte_is_written(self):
        error = self.kernel.fails("display({'text/plain': 'x' * (16 * 1024 * 1024)})")
        self.assertEqual("PayloadTooLarge", error["ename"])
        self.assertEqual([], [frame for frame in self.kernel.frames if frame["event"] == "display"])
        self.kernel.run("display({'text/plain': 'x' * (16 * 1024 * 1024 - 17)})")

    def test_what_json_cannot_carry_fails_the_cell(self):
        for value in ("float('nan')", "float('inf')", "{1, 2}", "'\\ud800'"):
            self.kernel.fails(f"display({{'a/b': {value}}})")
        self.assertEqual([], [frame for frame in self.kernel.frames if frame["event"] == "display"])
