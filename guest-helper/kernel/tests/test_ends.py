"""How kernels end, and what they take with them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest

from .kernel import PATIENCE_SECONDS, KernelTest
from .living import gone, living


class ShutdownTest(KernelTest):
    def test_shutdown_answers_last_and_exits_with_zero(self):
        self.kernel.send(type="shutdown", id="s")
        self.assertEqual("ok", self.kernel.done("s")["status"])
        self.assertEqual(0, self.kernel.process.wait(PATIENCE_SECONDS))
        self.kernel._reader.join(PATIENCE_SECONDS)
        self.assertEqual("s", self.kernel.frames[-1]["id"])

    def test_shutdown_ends_what_runs_and_what_waits_with_one_done_each(self):
        first = self.kernel.execute("print(1)\nimport asyncio\nawait asyncio.sleep(1000)")
        self.kernel.event("stdout", first)
        second = self.kernel.execute("1")
        self.kernel.send(type="shutdown", id="s")
        self.kernel.done("s")
        for id in (first, second):
            self.assertEqual("error", self.kernel.done(id)["status"])

    def test_shutdown_fails_the_requests_that_wait_for_the_host(self):
        id = self.kernel.execute("try:\n    await host_request('x')\nexcept Exception as e:\n    print(e)")
        self.kernel.event("host_request")
        self.kernel.send(type="shutdown", id="s")
        self.kernel.done("s")
        self.kernel.done(id)

    def test_the_end_of_the_input_ends_the_kernel(self):
        self.kernel.run("x = 1")
        self.assertEqual(0, self.kernel.close())

    def test_a_synchronous_cell_does_not_survive_the_end_of_the_input(self):
        id = self.kernel.execute("print(1)\nwhile True: pass")
        self.kernel.event("stdout", id)
        self.assertEqual(0, self.kernel.close())

    def test_a_cell_that_holds_the_loop_is_cut_off_after_the_grace(self):
        kernel = self.start(BERTH_KERNEL_EXIT_GRACE_MILLIS="300")
        id = kernel.execute(
            "while True:\n    try:\n        print(1)\n        while True: pass\n    except KeyboardInterrupt: pass"
        )
        kernel.event("stdout", id)
        self.assertEqual(1, kernel.close())

    def test_exit_handlers_of_cells_run(self):
        with tempfile.TemporaryDirectory() as directory:
            mark = os.path.join(directory, "mark")
            self.kernel.run(f"import atexit\natexit.register(lambda: open({mark!r}, 'w').close())")
            self.assertEqual(0, self.kernel.close())
            self.assertTrue(os.path.exists(mark))


class OwnerTest(KernelTest):
    def test_a_kernel_ends_with_the_process_that_owns_it(self):
        owner = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        self.addCleanup(owner.stdin.close)
        kernel = self.start(BERTH_KERNEL_OWNER_PID=str(owner.pid))
        id = kernel.execute("import asyncio\nprint(1)\nawait asyncio.sleep(1000)")
        kernel.event("stdout", id)
        owner.kill()
        owner.wait()
        self.assertEqual(0, kernel.process.wait(PATIENCE_SECONDS))

    def test_a_kernel_whose_owner_is_gone_already_ends(self):
        owner = subprocess.Popen(["true"])
        owner.wait()
        kernel = self.start(BERTH_KERNEL_OWNER_PID=str(owner.pid))
        self.assertEqual(0, kernel.process.wait(PATIENCE_SECONDS))

    def test_a_wrapped_kernel_leads_a_group_of_its_own_and_hides_the_mark_from_children(self):
        kernel = self.start(BERTH_KERNEL_OWNER="stdin")
        value = kernel.value("import os\n(os.getpid() == os.getpgid(0), 'BERTH_KERNEL_OWNER' in os.environ)")
        self.assertEqual("(True, False)", value)
        self.assertEqual("False", self.kernel.value("import os\nos.getpid() == os.getpgid(0)"))

    def test_a_wrapped_kernel_ends_at_the_end_of_its_input_with_its_commands(self):
        kernel = self.start(BERTH_KERNEL_OWNER="stdin")
        pid = int(kernel.value("(await bash('sleep 1000 >/dev/null 2>&1 & echo $!')).output")[1:-3])
        self.assertTrue(living(pid))
        self.assertEqual(0, kernel.close())
        gone(self, pid)


class BashTest(KernelTest):
    def test_a_command_gives_its_exit_code_and_both_outputs(self):
        self.assertEqual(
            "BashResult(exit_code=3, output='out\\nerr\\n', dropped_bytes=0)",
            self.kernel.value("await bash('echo out; echo err >&2; exit 3')"),
        )

    def test_a_signal_is_a_negative_exit_code(self):
        self.assertEqual("-9", self.kernel.value("(await bash('kill -9 $$')).exit_code"))

    def test_output_past_the_bound_is_counted(self):
        value = self.kernel.value("r = await bash('head -c 3000000 /dev/zero')\n(len(r.output), r.dropped_bytes)")
        self.assertEqual(f"(1048576, {3000000 - 1048576})", value)

    def test_the_environment_and_the_directory_can_be_given(self):
        self.assertEqual("'1 /\\n'", self.kernel.value("(await bash('echo $A $PWD', cwd='/', env={'A': '1'})).output"))

    def test_an_interrupt_kills_the_group(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "pid")
            os.mkfifo(path)
            id = self.kernel.execute(f"await bash('sleep 1000 & echo $! > {path}; wait')")
            with open(path, encoding="ascii") as file:
                pid = int(file.read())
            self.kernel.send(type="interrupt", id=id)
            self.assertEqual("error", self.kernel.done(id)["status"])
            gone(self, pid)

    def test_a_timeout_kills_the_group(self):
        self.assertEqual("TimeoutError", self.kernel.fails("await bash('sleep 1000', timeout=0.05)")["ename"])

    def test_what_a_command_left_behind_lives_until_the_kernel_ends(self):
        pid = int(self.kernel.value("(await bash('sleep 1000 & echo $!')).output")[1:-3])
        self.assertEqual("'again\\n'", self.kernel.value("(await bash('echo again')).output"))
        self.assertTrue(living(pid))
        self.kernel.send(type="shutdown", id="s")
        self.kernel.done("s")
        gone(self, pid)

    def test_the_journal_names_each_group_and_its_end(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "groups")
            kernel = self.start(BERTH_KERNEL_PROCESS_JOURNAL=path)
            kernel.run("await bash('true')\nawait bash('sleep 1000 >/dev/null & true')")
            kernel.run("await bash('true')")
            with open(path, encoding="ascii") as file:
                notes = [json.loads(line) for line in file]
            started = {note["pid"]: note["ticks"] for note in notes if note["state"] == "started"}
            ended = {note["pid"] for note in notes if note["state"] == "ended"}
            self.assertEqual(3, len(started))
            self.assertEqual(2, len(ended))
            self.assertTrue(all(isinstance(ticks, int) for ticks in started.values()))
            kernel.close()


if __name__ == "__main__":
    unittest.main()
