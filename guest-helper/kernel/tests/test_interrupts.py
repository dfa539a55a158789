"""Interrupts: whatever a cell does, it gets KeyboardInterrupt, and only that cell."""

from __future__ import annotations

from .kernel import KernelTest


class InterruptTest(KernelTest):
    def interrupted(self, code: str, **fields: str) -> tuple[str, dict]:
        """Runs a cell that prints when it is ready, interrupts it; its id and error frame."""
        id = self.kernel.execute(code)
        self.kernel.event("stdout", id)
        self.kernel.send(type="interrupt", **fields)
        done = self.kernel.done(id)
        self.assertEqual("error", done["status"])
        return id, next(frame for frame in self.kernel.of(id) if frame["event"] == "error")

    def test_a_synchronous_loop_is_interrupted(self):
        _, error = self.interrupted("print(1)\nwhile True: pass")
        self.assertEqual("KeyboardInterrupt", error["ename"])
        self.assertEqual("3", self.kernel.value("1 + 2"))

    def test_a_blocking_call_is_interrupted(self):
        _, error = self.interrupted("import time\nprint(1)\ntime.sleep(1000)")
        self.assertEqual("KeyboardInterrupt", error["ename"])

    def test_an_await_is_interrupted(self):
        _, error = self.interrupted("import asyncio\nprint(1)\nawait asyncio.sleep(1000)")
        self.assertEqual("KeyboardInterrupt", error["ename"])
        self.assertEqual("3", self.kernel.value("1 + 2"))

    def test_a_cell_can_catch_the_interrupt_of_an_await_and_go_on(self):
        id = self.kernel.execute(
            "import asyncio\ntry:\n    print('ready ', end='')\n    await asyncio.sleep(1000)\n"
            "except KeyboardInterrupt:\n    print('caught')\nawait asyncio.sleep(0)\nprint('on')"
        )
        self.kernel.event("stdout", id)
        self.kernel.send(type="interrupt", id=id)
        self.assertEqual("ok", self.kernel.done(id)["status"])
        self.assertEqual("ready caught\non\n", self.kernel.text("stdout", id))

    def test_the_second_interrupt_of_a_cell_that_caught_the_first_arrives_too(self):
        id = self.kernel.execute(
            "try:\n    print('ready', end='')\n    while True: pass\nexcept KeyboardInterrupt:\n    print('caught')\nwhile True: pass"
        )
        self.kernel.event("stdout", id)
        self.kernel.send(type="interrupt", id=id)
        self.kernel.wait(lambda frame: frame.get("text") == "caught")
        self.kernel.send(type="interrupt", id=id)
        self.assertEqual("error", self.kernel.done(id)["status"])

    def test_a_genuine_cancellation_is_no_interrupt(self):
        error = self.kernel.fails(
            "import asyncio\nt = asyncio.create_task(asyncio.sleep(100))\nawait asyncio.sleep(0)\nt.cancel()\nawait t"
        )
        self.assertEqual("CancelledError", error["ename"])

    def test_a_slow_repr_is_interrupted(self):
        code = "class Slow:\n    def __repr__(self):\n        print(1)\n        while True: pass\nSlow()"
        self.assertEqual("KeyboardInterrupt", self.interrupted(code)[1]["ename"])

    def test_an_interrupt_that_names_another_request_changes_nothing(self):
        id = self.kernel.execute("import asyncio\ngo = asyncio.Event()\nprint(1)\nawait host_request('wait')")
        request = self.kernel.event("host_request")
        self.kernel.send(type="interrupt", id="another")
        self.kernel.reply(request["id"], status="ok", result=None)
        self.assertEqual("ok", self.kernel.done(id)["status"])

    def test_an_interrupt_with_nothing_to_interrupt_is_dropped(self):
        self.kernel.run("1")
        self.kernel.send(type="interrupt")
        self.assertEqual("2", self.kernel.value("2"))

    def test_a_queued_cell_that_is_interrupted_never_runs(self):
        first = self.kernel.execute("await host_request('wait')")
        request = self.kernel.event("host_request")
        second = self.kernel.execute("ran = True")
        self.kernel.send(type="interrupt", id=second)
        self.kernel.reply(request["id"], status="ok", result=None)
        self.assertEqual("ok", self.kernel.done(first)["status"])
        self.assertEqual("error", self.kernel.done(second)["status"])
        self.assertEqual("False", self.kernel.value("'ran' in globals()"))

    def test_a_task_that_holds_the_loop_does_not_protect_a_waiting_cell(self):
        id = self.kernel.execute(
            "import asyncio\nasync def hog():\n    print('hog')\n    while True: pass\n"
            "t = asyncio.create_task(hog())\nawait asyncio.sleep(1000)"
        )
        self.kernel.event("stdout", id)
        self.kernel.send(type="interrupt", id=id)
        self.assertEqual("error", self.kernel.done(id)["status"])
        self.assertEqual("2", self.kernel.value("2"))

    def test_a_task_beside_an_interrupted_cell_lives_on(self):
        self.kernel.run(
            "import asyncio\nn = 0\nasync def tick():\n    global n\n    while True:\n        n += 1\n        await asyncio.sleep(0)\n"
            "t = asyncio.create_task(tick())"
        )
        self.interrupted("print(1)\nawait asyncio.sleep(1000)")
        self.assertEqual("False", self.kernel.value("t.done()"))

    def test_no_interrupt_of_a_waiting_cell_is_lost(self):
        self.kernel.run("import asyncio")
        for _ in range(100):
            self.assertEqual("KeyboardInterrupt", self.interrupted("print(1)\nawait asyncio.sleep(1000)")[1]["ename"])

    def test_interrupts_of_a_cell_that_prints_tear_no_frame(self):
        for _ in range(20):
            id = self.kernel.execute("while True: print('x' * 1000)")
            self.kernel.event("stdout", id)
            self.kernel.send(type="interrupt", id=id)
            self.assertEqual("error", self.kernel.done(id)["status"])
        self.assertEqual("2", self.kernel.value("2"))
