"""IREE: its ONNX importer, its compiler for the CPU, and its virtual machine on one thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import iree.compiler.version
import iree.runtime as rt
import numpy as np
import onnx
from iree.compiler.api import Output, Session, Source
from iree.compiler.extras import onnx_importer

#: IREE's name of each type that can be fed and read, by ONNX's number, and what holds an element.
TYPES = {
    1: ("FLOAT_32", "float32"),
    2: ("UINT_8", "uint8"),
    3: ("SINT_8", "int8"),
    4: ("UINT_16", "uint16"),
    5: ("SINT_16", "int16"),
    6: ("SINT_32", "int32"),
    7: ("SINT_64", "int64"),
    9: ("BOOL_8", "uint8"),
    10: ("FLOAT_16", "uint16"),
    11: ("FLOAT_64", "float64"),
    12: ("UINT_32", "uint32"),
    13: ("UINT_64", "uint64"),
    16: ("BFLOAT_16", "uint16"),
    17: ("FLOAT_8_E4M3_FN", "uint8"),
    18: ("FLOAT_8_E4M3_FNUZ", "uint8"),
    19: ("FLOAT_8_E5M2", "uint8"),
    20: ("FLOAT_8_E5M2_FNUZ", "uint8"),
    24: ("FLOAT_8_E8M0_FNU", "uint8"),
}
CODES = {int(getattr(rt.HalElementType, name)): code for code, (name, _) in TYPES.items()}
#: Its compiler may forget the sign of an integer, which is then the one that the model declares.
INTEGERS = {2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 12: 32, 13: 64}
SIGNLESS = {int(getattr(rt.HalElementType, f"INT_{bits}")): bits for bits in (8, 16, 32, 64)}
FLAGS = [
    "--iree-input-type=onnx",
    "--iree-hal-target-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
]


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """IREE has no buffers of this type."""


class Adapter:
    """A module and its context a model; it has no variants."""

    documentation = "https://iree.dev/guides/ml-frameworks/onnx/"
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(TYPES), "initializers": [21, 22]}
    refusals: ClassVar[list[dict[str, str]]] = [
        {
            "kind": "unsupported",
            "pattern": "Unknown ONNX tensor element type|Unhandled ONNX TensorProto data",
        },
        {"kind": "obscure", "pattern": "failed to legalize operation"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"iree has no variant {variant!r}, nor any other")
        self.version = str(iree.compiler.version.VERSION)
        self.compiler = _Compiler()
        self.instance = rt.VmInstance()
        self.device = rt.get_device("local-sync")
        self.hal = rt.create_hal_module(self.instance, self.device)

    def load(self, model: bytes, folder: str | None) -> Any:
        """Import and compile a model, as ``iree-import-onnx`` does."""
        if folder is None:
            proto = onnx.load_from_string(model)
        else:
            proto = onnx.load(str(Path(folder, "model.onnx")))
        onnx.checker.check_model(proto)
        compiled = self.compiler.compiled(onnx.shape_inference.infer_shapes(proto))
        module = rt.VmModule.copy_buffer(self.instance, compiled)
        context = rt.VmContext(self.instance, modules=[self.hal, module])
        declared = [o.type.tensor_type.elem_type for o in proto.graph.output]
        return context, _main(module), declared

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a compiled model on buffer views."""
        context, main, declared = loaded
        arguments = rt.VmVariantList(len(inputs))
        for _, code, shape, data in inputs:
            arguments.push_ref(self._view(code, shape, data))
        results = rt.VmVariantList(len(declared))
        context.invoke(main, arguments, results)
        views = [results.get_as_object(i, rt.HalBufferView) for i in range(len(declared))]
        return [_read(view, code) for view, code in zip(views, declared, strict=True)]

    def _view(self, code: int, shape: tuple[int, ...], data: bytes) -> Any:
        if code not in TYPES:
            raise NotRunnable(f"IREE has no buffers of element type {code}")
        name, holder = TYPES[code]
        return self.device.allocator.allocate_buffer_copy(
            memory_type=rt.MemoryType.DEVICE_LOCAL,
            allowed_usage=rt.BufferUsage.DEFAULT | rt.BufferUsage.MAPPING,
            device=self.device,
            buffer=np.frombuffer(data, holder).reshape(shape),
            element_type=getattr(rt.HalElementType, name),
        )


class _Compiler:
    """IREE's compiler in this process, which spares the start of another for each model."""

    def __init__(self) -> None:
        self.session = Session()
        self.session.set_flags(*FLAGS)
        self.errors: list[str] = []
        self.session.context.attach_diagnostic_handler(self._note)

    def compiled(self, proto: Any) -> bytes:
        """The module of a model."""
        info = onnx_importer.ModelInfo(proto)
        module = info.create_module(context=self.session.context).operation
        onnx_importer.NodeImporter.define_function(info.main_graph, module).import_all()
        self.errors.clear()
        module.verify()
        source = Source.wrap_buffer(self.session, str(module).encode() + b"\0")
        invocation = self.session.invocation()
        try:
            if not (invocation.parse_source(source) and invocation.execute()):
                raise RuntimeError(self.errors[0] if self.errors else "IREE does not say why")
            with Output.open_membuffer() as output:
                invocation.output_vm_bytecode(output)
                return bytes(output.map_memory())
        finally:
            invocation.close()

    def _note(self, diagnostic: Any) -> bool:
        if str(diagnostic.severity).endswith("ERROR"):
            self.errors.append(diagnostic.message)
        return True


def _main(module: Any) -> Any:
    names = [name for name in module.function_names if not name.startswith("__")]
    return module.lookup_function(next(name for name in names if "$" not in name))


def _read(view: Any, declared: int) -> tuple[int, tuple[int, ...], bytes]:
    found = int(view.element_type)
    code = CODES.get(found)
    bits = SIGNLESS.get(found) or INTEGERS.get(code or 0)
    if bits is not None and INTEGERS.get(declared) == bits:
        code = declared
    if code is None:
        raise NotRunnable(f"cannot be read in IREE's element type {found:#x}")
    size = view.byte_length
    data = view.map().asarray([size], np.dtype("uint8")).tobytes() if size else b""
    return code, tuple(view.shape), data
