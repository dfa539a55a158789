"""@remote: announcement, schema and the lane of calls."""

from __future__ import annotations

from .kernel import KernelTest


class RemoteTest(KernelTest):
    def offer(self, source: str, name: str) -> dict:
        """Defines a function in a cell and accepts its announcement."""
        id = self.kernel.execute(source)
        announced = self.kernel.wait(
            lambda frame: frame["event"] == "host_request" and frame["data"].get("name") == name
        )
        self.kernel.done(id)
        self.kernel.reply(announced["id"], status="ok", result=None)
        return announced["data"]

    def call(self, id: str, function: str, **args: object) -> None:
        self.kernel.send(type="call", id=id, module="__main__", function=function, args=args)

    def test_the_announcement_names_the_function_its_doc_and_the_schema_of_its_arguments(self):
        data = self.offer(
            "from typing import Literal, Annotated\n"
            "@remote\ndef pick(a: int, b: list[str] = [], *, how: Literal['x', 'y'] = 'x', c: float | None = None,"
            " d: dict[str, bool] = {}, e=None, f: tuple[int, str] = (1, 'z'), g: Annotated[str, 'the word'] = ''):\n"
            "    '''Picks one.'''\n    return a",
            "pick",
        )
        self.assertEqual(
            ("remote.register", "pick", "__main__", "pick", "Picks one."),
            tuple(data[key] for key in ("type", "name", "module", "function", "doc")),
        )
        self.assertEqual(
            {
                "type": "object",
                "required": ["a"],
                "additionalProperties": False,
                "properties": {
                    "a": {"type": "integer"},
                    "b": {"type": "array", "items": {"type": "string"}, "default": []},
                    "how": {"enum": ["x", "y"], "default": "x"},
                    "c": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": None},
                    "d": {"type": "object", "additionalProperties": {"type": "boolean"}, "default": {}},
                    "e": {"default": None},
                    "f": {
                        "type": "array",
                        "prefixItems": [{"type": "integer"}, {"type": "string"}],
                        "minItems": 2,
                        "maxItems": 2,
                        "default": [1, "z"],
                    },
                    "g": {"type": "string", "description": "the word", "default": ""},
                },
            },
            data["schema"],
        )

    def test_a_parameter_that_cannot_be_given_by_keyword_is_refused(self):
        self.assertEqual("TypeError", self.kernel.fails("@remote\ndef f(a, /): pass")["ename"])
        self.assertEqual("TypeError", self.kernel.fails("@remote\ndef f(*a): pass")["ename"])
        self.assertEqual("ValueError", self.kernel.fails("@remote(name='a b')\ndef f(): pass")["ename"])

    def test_a_refused_announcement_is_told(self):
        self.kernel.run("@remote(name='taken')\ndef f(): pass")
        self.kernel.reply(self.kernel.event("host_request")["id"], status="error", error="taken already")
        self.kernel.wait(lambda frame: frame["event"] == "stderr" and "taken already" in frame["text"])

    def test_a_call_gives_the_result_and_prints_for_the_call(self):
        self.offer("@remote\ndef add(a, b):\n    print('adding')\n    return {'sum': a + b}", "add")
        self.call("c", "add", a=2, b=3)
        self.assertEqual({"sum": 5}, self.kernel.done("c")["result"])
        self.assertEqual("adding\n", self.kernel.text("stdout", "c"))

    def test_a_call_does_not_wait_for_a_cell_that_holds_the_loop(self):
        self.offer("@remote\ndef one(): return 1", "one")
        cell = self.kernel.execute("print('in')\nwhile True: pass")
        self.kernel.event("stdout", cell)
        self.call("c", "one")
        self.assertEqual(1, self.kernel.done("c")["result"])
        self.kernel.send(type="interrupt", id=cell)
        self.kernel.done(cell)

    def test_a_function_that_hangs_costs_its_thread_only(self):
        self.offer("import threading\n@remote\ndef hang(): threading.Event().wait()", "hang")
        self.call("h", "hang")
        self.assertEqual("2", self.kernel.value("2"))
        self.offer("@remote\ndef one(): return 1", "one")
        self.call("c", "one")
        self.assertEqual(1, self.kernel.done("c")["result"])
        self.assertEqual([], [frame for frame in self.kernel.of("h") if frame["event"] == "done"])
        self.kernel.send(type="shutdown", id="end")
        self.assertEqual("unreachable", self.kernel.done("h")["reason"])
        self.assertEqual("ok", self.kernel.done("end")["status"])

    def test_an_async_function_runs_on_the_loop(self):
        self.offer("import asyncio\n@remote\nasync def f(n: int):\n    await asyncio.sleep(0)\n    return n", "f")
        self.call("c", "f", n=4)
        self.assertEqual(4, self.kernel.done("c")["result"])

    def test_every_failure_is_typed_and_the_kernel_goes_on(self):
        self.offer("@remote\ndef bad(): raise KeyError('k')", "bad")
        self.offer("@remote\ndef nan(): return [float('nan')]", "nan")
        self.offer("@remote\ndef odd(): return object()", "odd")
        self.offer("@remote\ndef leave(): raise SystemExit(3)", "leave")
        self.offer("@remote\nasync def one(a): return a", "one")
        for function, args, reason, text in (
            ("bad", {}, "failed", "KeyError: 'k'"),
            ("nan", {}, "unencodable", "not strict JSON"),
            ("odd", {}, "unencodable", "not strict JSON"),
            ("leave", {}, "failed", "SystemExit: 3"),
            ("one", {"b": 1}, "failed", "TypeError: one() got an unexpected keyword argument 'b'"),
            ("one", {}, "failed", "TypeError: one() missing 1 required positional argument: 'a'"),
            ("none", {}, "unknown", "none"),
        ):
            with self.subTest(function=function, args=args):
                id = f"{function}{args}"
                self.call(id, function, **args)
                done = self.kernel.done(id)
                self.assertEqual(("error", reason), (done["status"], done["reason"]))
                self.assertIn(text, done["error"])
        self.call("last", "one", a=1)
        self.assertEqual(1, self.kernel.done("last")["result"])
        self.assertEqual("2", self.kernel.value("2"))

    def test_a_call_of_what_was_never_offered_is_unknown(self):
        self.kernel.send(type="call", id="c", module="os", function="getcwd", args={})
        self.assertEqual("unknown", self.kernel.done("c")["reason"])
        self.kernel.send(type="call", id="d", module=["os"], function={}, args={})
        self.assertEqual("unknown", self.kernel.done("d")["reason"])
