"""Requests to the host, and the files that go through it."""

from __future__ import annotations

import json

from .kernel import KernelTest


class HostRequestTest(KernelTest):
    def test_a_request_carries_its_type_and_payload_and_gives_the_replys_result(self):
        id = self.kernel.execute("r = await host_request('job.list', {'a': 1})\nprint(r['n'])")
        request = self.kernel.event("host_request")
        self.assertEqual({"type": "job.list", "a": 1}, request["data"])
        self.kernel.reply(request["id"], status="ok", result={"n": 5})
        self.kernel.done(id)
        self.assertEqual("5\n", self.kernel.text("stdout", id))

    def test_an_error_reply_is_an_error_of_the_cell(self):
        id = self.kernel.execute("await host_request('x')")
        self.kernel.reply(self.kernel.event("host_request")["id"], status="error", error="not served")
        self.kernel.done(id)
        error = next(frame for frame in self.kernel.of(id) if frame["event"] == "error")
        self.assertEqual(("HostError", "not served"), (error["ename"], error["evalue"]))

    def test_a_duplicate_reply_does_not_settle_the_request_in_flight(self):
        id = self.kernel.execute("await host_request('x')")
        request = self.kernel.event("host_request")
        self.kernel.reply(request["id"], status="duplicate", error="used id")
        self.kernel.reply("unknown", status="ok", result="no")
        self.kernel.reply(request["id"], status="ok", result="yes")
        self.kernel.reply(request["id"], status="ok", result="late")
        self.kernel.done(id)
        self.assertEqual("'yes'", next(f["text"] for f in self.kernel.of(id) if f["event"] == "result"))

    def test_a_short_request_is_not_held_back_by_a_long_one(self):
        id = self.kernel.execute(
            "import asyncio\nlong = asyncio.create_task(host_request('long'))\nawait asyncio.sleep(0)\n"
            "print(await host_request('short'))\nprint(await long)"
        )
        long = self.kernel.wait(lambda f: f["event"] == "host_request" and f["data"]["type"] == "long")
        short = self.kernel.wait(lambda f: f["event"] == "host_request" and f["data"]["type"] == "short")
        self.kernel.reply(short["id"], status="ok", result="s")
        self.kernel.wait(lambda f: f.get("text") == "s")
        self.kernel.reply(long["id"], status="ok", result="l")
        self.kernel.done(id)
        self.assertEqual("s\nl\n", self.kernel.text("stdout", id))

    def test_a_payload_over_the_limit_fails_the_cell_before_a_byte_is_written(self):
        error = self.kernel.fails("await host_request('x', {'text': 'y' * (16 * 1024 * 1024)})")
        self.assertEqual("PayloadTooLarge", error["ename"])
        self.assertEqual([], [frame for frame in self.kernel.frames if frame["event"] == "host_request"])

    def test_an_interrupted_request_lets_its_late_reply_fall(self):
        id = self.kernel.execute("await host_request('x')")
        request = self.kernel.event("host_request")
        self.kernel.send(type="interrupt", id=id)
        self.assertEqual("error", self.kernel.done(id)["status"])
        self.kernel.reply(request["id"], status="ok", result=1)
        self.assertEqual("2", self.kernel.value("2"))

    def test_a_thread_may_block_on_the_host_and_the_loop_may_not(self):
        self.kernel.run("from berth_kernel import host_request_blocking")
        self.assertEqual("RuntimeError", self.kernel.fails("host_request_blocking('x')")["ename"])
        id = self.kernel.execute("import asyncio\nawait asyncio.to_thread(host_request_blocking, 'x')")
        self.kernel.reply(self.kernel.event("host_request")["id"], status="ok", result=3)
        self.kernel.done(id)
        self.assertEqual("3", next(f["text"] for f in self.kernel.of(id) if f["event"] == "result"))

    def test_event_and_id_are_the_first_bytes_of_a_large_request(self):
        id = self.kernel.execute("await host_request('x', {'text': 'y' * 1000000})")
        request = self.kernel.event("host_request")
        line = self.kernel.lines[self.kernel.frames.index(request)]
        head = json.dumps({"event": "host_request", "id": request["id"]}, separators=(",", ":"))
        self.assertTrue(line.decode().startswith(head[:-1]))
        self.kernel.reply(request["id"], status="ok", result=None)
        self.kernel.done(id)


class FilesTest(KernelTest):
    def asks(self, code: str, **reply: object) -> tuple[dict, str]:
        """Runs a cell that asks once; the request's data and the cell's id."""
        known = len(self.kernel.frames)
        id = self.kernel.execute(code)
        request = self.kernel.wait(
            lambda frame: frame["event"] == "host_request" and self.kernel.frames.index(frame) >= known
        )
        self.kernel.reply(request["id"], **reply)
        self.kernel.done(id)
        return request["data"], id

    def test_each_helper_sends_its_request_with_the_working_directory(self):
        cwd = json.loads(self.kernel.value("import os, json\njson.dumps(os.getcwd())")[1:-1])
        ok = {"status": "ok", "result": {}}
        for code, expected in (
            ("fs.read('a', offset=2)", {"type": "fs.read", "path": "a", "offset": 2}),
            ("fs.write('a', 'text')", {"type": "fs.write", "path": "a", "text": "text"}),
            (
                "fs.edit('a', [{'old': '1', 'new': '2'}], destination='b')",
                {"type": "fs.edit", "path": "a", "edits": [{"oldText": "1", "newText": "2"}], "destination": "b"},
            ),
            ("fs.grep('x+', 'dir', limit=3)", {"type": "fs.grep", "pattern": "x+", "path": "dir", "limit": 3}),
            ("fs.glob('*.py')", {"type": "fs.glob", "pattern": "*.py", "path": "."}),
        ):
            with self.subTest(code):
                self.assertEqual({**expected, "cwd": cwd}, self.asks(f"await {code}", **ok)[0])

    def test_a_typed_refusal_is_an_fs_error_with_its_reason(self):
        refusal = {"status": "error", "error": "/etc is outside", "kind": "FsError", "reason": "outside"}
        code = (
            "from berth_kernel import FsError\ntry:\n    await fs.read('/etc/passwd')\n"
            "except FsError as e:\n    print(e.reason, e.version)"
        )
        _, id = self.asks(code, **refusal, version="transport@1")
        self.assertEqual("outside transport@1\n", self.kernel.text("stdout", id))
