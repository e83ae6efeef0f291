"""ONNX's own node cases, built one module of the installed onnx at a time."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any

from onnx_cts_generator.errors import GenerateError

if TYPE_CHECKING:
    import onnx

_CASES = "onnx.backend.test.case"
_NODE = f"{_CASES}.node"


@dataclass(frozen=True)
class OfficialCase:
    """A node case as ONNX's builder leaves it.

    Attributes:
        name: Its name, such as ``test_abs``.
        domain: Domain of the operator that it tests; "" is the default one.
        operator: That operator, also where the model holds its expansion.
        model: The model.
        data_sets: Inputs and expected outputs: arrays, tensor protos, lists, dictionaries, None.
    """

    name: str
    domain: str
    operator: str
    model: onnx.ModelProto
    data_sets: Sequence[tuple[Sequence[Any], Sequence[Any]]]


class OfficialCases:
    """All node cases of the installed onnx, or those of some operators.

    ONNX builds its cases when the modules that hold them are imported, once a process, into a list
    that is never emptied. Here the modules are imported as copies, whatever the process imported
    before, and each module's cases are handed on and dropped. Not sooner, since a module may still
    write into an array that a case of it refers to.
    """

    def __init__(self, operators: Sequence[str] = ()) -> None:
        self._operators = frozenset(operators)
        self._copies: dict[str, ModuleType] = {}
        with self._swapped_in():
            # The source of each case is for documentation, and takes a seventh of the time.
            _imported(f"{_CASES}.base").process_snippet = lambda *_: ("", "")
            self._node = _imported(_NODE)
            self._modules = list(_submodules(self._node))
        self._owners: dict[str, tuple[str, str]] = {}
        self._seen: set[str] = set()
        self._node.expect = self._labelling(self._node.expect)

    def __len__(self) -> int:
        """Number of modules, each of which gives one batch."""
        return len(self._modules)

    def __iter__(self) -> Iterator[list[OfficialCase]]:
        """The cases of each module in turn; to be taken once.

        Raises:
            GenerateError: ONNX fails to build its cases, or an operator has none.
        """
        import numpy as np

        for name in self._modules:
            state = np.random.get_state()
            with self._swapped_in():
                _imported(name)
            np.random.set_state(state)
            batch = [self._official(case) for case in self._node._NodeTestCases]
            self._node._NodeTestCases.clear()
            yield batch
        self._refuse_unknown()

    def _official(self, case: Any) -> OfficialCase:
        domain, operator = self._owners.pop(case.name)
        return OfficialCase(case.name, domain, operator, case.model, case.data_sets)

    def _labelling(self, expect: Callable[..., None]) -> Callable[..., None]:
        cases = self._node._NodeTestCases

        def labelled(node_op: onnx.NodeProto, *args: Any, **kwargs: Any) -> None:
            self._seen.add(node_op.op_type)
            if self._operators and node_op.op_type not in self._operators:
                return
            known = len(cases)
            expect(node_op, *args, **kwargs)
            for case in cases[known:]:
                if case.name in self._owners:
                    raise ValueError(f"two cases have the name {case.name}")
                self._owners[case.name] = (node_op.domain, node_op.op_type)

        return labelled

    @contextmanager
    def _swapped_in(self) -> Iterator[None]:
        import onnx.backend.test as parent

        kept, attribute = _taken_out(), vars(parent).pop("case", None)
        sys.modules.update(self._copies)
        try:
            yield
        finally:
            self._copies = _taken_out()
            sys.modules.update(kept)
            vars(parent).pop("case", None)
            if attribute is not None:
                vars(parent)["case"] = attribute

    def _refuse_unknown(self) -> None:
        import onnx

        for missing in sorted(self._operators - self._seen):
            close = get_close_matches(missing, self._seen, n=3)
            hint = f"; did you mean {' or '.join(close)}?" if close else ""
            raise GenerateError(f"onnx {onnx.__version__} has no node case of {missing}{hint}")


def _taken_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name == _CASES or name.startswith(f"{_CASES}.")]
    return {name: sys.modules.pop(name) for name in names}


def _submodules(package: ModuleType) -> Iterator[str]:
    for _, name, is_package in iter_modules(package.__path__, f"{package.__name__}."):
        yield name
        if is_package:
            yield from _submodules(_imported(name))


def _imported(name: str) -> Any:
    import onnx

    with warnings.catch_warnings():
        # NumPy warns of the infinities and NaN that some cases compute on purpose.
        warnings.simplefilter("ignore")
        try:
            return import_module(name)
        except Exception as error:  # importing runs any code of ONNX's
            raise GenerateError(
                f"onnx {onnx.__version__} cannot build the cases of {name}: "
                f"{type(error).__name__}: {error}"
            ) from error
