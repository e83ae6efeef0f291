"""onnxruntime-node on the CPU: one Node process, which is asked in lines of JSON.

The package is found as Node finds its own: NODE_PATH, or the variable ONNX_CTS_NODE_MODULES, names
the folder ``node_modules``.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path
from typing import Any, ClassVar

PACKAGE = "onnxruntime-node"
#: Its name of each type that it takes as a tensor, by number in onnx.TensorProto.DataType. Of int4
#: it knows the name, and aborts on an output.
NAMES = {
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
}
CODES = {name: code for code, name in NAMES.items()}
#: What it can have in a model and not be fed, nor say of a model's inputs and outputs.
CONSTANT_TYPES = [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26]
STDERR_LINES = 10

SCRIPT = r"""
const ort = require("onnxruntime-node");
const ARRAYS = {
  float32: Float32Array, uint8: Uint8Array, int8: Int8Array, uint16: Uint16Array,
  int16: Int16Array, int32: Int32Array, int64: BigInt64Array, bool: Uint8Array,
  float16: Uint16Array, float64: Float64Array, uint32: Uint32Array, uint64: BigUint64Array,
};
const OPTIONS = {
  graphOptimizationLevel: "disabled", intraOpNumThreads: 1, interOpNumThreads: 1,
  logSeverityLevel: 4,
};
const KEPT = [];  // 1.30.0 aborts when some sessions are collected
let session;
const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");
async function load({ model, path }) {
  session = await ort.InferenceSession.create(path ?? Buffer.from(model, "base64"), OPTIONS);
  KEPT.push(session);
  // Looked up before the run, which aborts the process on an output of a type without a name here.
  const strange = session.outputMetadata.find((o) => o.isTensor && !ARRAYS[o.type]);
  return strange ? { notRunnable: `cannot be read in ${strange.type}` } : {};
}
async function run({ inputs }) {
  const feeds = {};
  for (const [name, type, dims, data] of inputs) {
    const bytes = Uint8Array.from(Buffer.from(data, "base64"));  // a copy is aligned
    feeds[name] = new ort.Tensor(type, new ARRAYS[type](bytes.buffer), dims);
  }
  const found = await session.run(feeds);
  return { outputs: session.outputNames.map((name) => {
    const { type, dims, data } = found[name];
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return [type, [...dims], bytes.toString("base64")];
  }) };
}
async function answer(line) {
  const request = JSON.parse(line);
  try {
    say(await (request.inputs ? run(request) : load(request)));
  } catch (error) {
    say({ refused: String(error.message ?? error) });
  }
}
console.log = console.error;
say({ version: ort.env.versions.node });
require("node:readline").createInterface({ input: process.stdin }).on("line", answer);
"""


class Refused(Exception):  # noqa: N818 - named for what it says
    """The runtime refuses the model."""


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """The runtime's JavaScript has no tensors of a type."""


class Crashed(Exception):  # noqa: N818 - the harness knows it by this name
    """The Node process died."""

    def __init__(self, how: str, stderr: list[str]) -> None:
        super().__init__(how)
        self.stderr = stderr


class Adapter:
    """Graph optimisation off, one thread; it has no variants."""

    documentation = "https://onnxruntime.ai/docs/get-started/with-javascript/node.html"
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(NAMES), "initializers": CONSTANT_TYPES}
    refusals: ClassVar[list[dict[str, str]]] = [
        {
            "kind": "unsupported",
            "pattern": "Could not find an implementation|Failed to find kernel"
            "|Unsupported model IR version"
            "|under development and support for this"
            "|Unhandled TensorProto_DataType",
        },
        {"kind": "obscure", "pattern": "InsertedPrecisionFreeCast|Tensor type mismatch"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"onnxruntime-node has no variant {variant!r}, nor any other")
        self.process = _Node()
        self.version = self.process.version

    def load(self, model: bytes, folder: str | None) -> Any:
        """Make a session."""
        if not self.process.alive:
            self.process = _Node()
        path = None if folder is None else str(Path(folder, "model.onnx"))
        self.process.ask({"model": base64.b64encode(model).decode(), "path": path})
        return self.process

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run the session on tensors."""
        feeds = []
        for name, code, shape, data in inputs:
            if code not in NAMES:
                raise NotRunnable(f"cannot be fed element type {code}")
            feeds.append([name, NAMES[code], shape, base64.b64encode(data).decode()])
        answer = loaded.ask({"inputs": feeds})
        return [
            (CODES[kind], tuple(shape), base64.b64decode(data))
            for kind, shape, data in answer["outputs"]
        ]


class _Node:
    """A running Node process; it ends with the worker's process group, or with its input."""

    def __init__(self) -> None:
        environment = dict(os.environ)
        modules = environment.get("ONNX_CTS_NODE_MODULES")
        if modules:
            environment["NODE_PATH"] = modules
        self.errors = Path("node-stderr").absolute()
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(  # noqa: S603 - its own script
                ["node", "-e", SCRIPT],  # noqa: S607 - the user's own Node
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
            )
        try:
            self.version = str(self._answer()["version"])
        except Crashed as error:
            said = next((line for line in self._errors() if "Error" in line), str(error))
            raise RuntimeError(f"Node could not load {PACKAGE}: {said}") from None

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The process's answer to a request."""
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]
        except BrokenPipeError:
            pass
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        line = self.process.stdout.readline()  # type: ignore[union-attr]
        if not line:
            status = self.process.wait()
            how = f"killed by signal {-status}" if status < 0 else f"exit code {status}"
            raise Crashed(how, self._errors()[-STDERR_LINES:])
        answer: dict[str, Any] = json.loads(line)
        if "notRunnable" in answer:
            raise NotRunnable(answer["notRunnable"])
        if "refused" in answer:
            message = answer["refused"]
            # What its JavaScript has no type for, it cannot even say of inputs and outputs.
            kind = NotRunnable if message.lower().startswith("unsupported data type") else Refused
            raise kind(message)
        return answer

    def _errors(self) -> list[str]:
        lines = self.errors.read_text("utf-8", "replace").splitlines()
        return [line for line in lines if line.strip()]
