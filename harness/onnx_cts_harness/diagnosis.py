"""Name the plausible mistakes that explain a wrong answer.

Each deviation of the catalogue is computed on the inputs of the failed case; one that gives just
what the backend gave is named. The harness knows no operator itself: the reference does.
"""

from __future__ import annotations

from collections.abc import Callable, Container

import numpy as np

from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.compare import canonical
from onnx_cts_harness.outcome import Outputs, Refused
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference.deviations.catalog import Deviation, catalogue
from onnx_cts_reference.deviations.steps import Implementation, Refusal, Situation, situation
from onnx_cts_reference.formats import Array, Codes, codes_of, format_of_dtype, pack
from onnx_cts_reference.model_calls import ModelCallError, call_of


def diagnosed(
    loaded: LoadedCase, tensors: tuple[Tensor, ...], among: Container[str] | None = None
) -> tuple[str, ...] | None:
    """The names of the deviations that give these outputs on the inputs of a case.

    The sign of a zero is no mistake, and does not tell one from another.

    Args:
        loaded: The case.
        tensors: The outputs.
        among: Names of the deviations that are tried; None for all.

    Returns:
        Names in the order of the catalogue, none if no known deviation explains the outputs; None
        where the case cannot be diagnosed, because its operator has no catalogue.
    """
    try:
        at = loaded_situation(loaded)
        deviations = catalogue(at.spec.operator, at.spec.domain)
    except (ModelCallError, ModuleNotFoundError):
        return None
    named = (d for d in deviations if among is None or d.name in among)
    tried = (d for d in named if d.computes_otherwise(at))
    try:
        wanted = [canonical(tensor.codes, tensor.format) for tensor in tensors]
    except ValueError:
        return ()  # What cannot be read, no deviation gives.
    codes = [tensor.code for tensor in tensors]
    return tuple(d.name for d in tried if _gives(d, at, codes, wanted))


def _gives(deviation: Deviation, at: Situation, types: list[int], wanted: list[Codes]) -> bool:
    try:
        outputs = deviation.make(at).run()
    except Exception:  # noqa: BLE001 - a wrong implementation may fail in any way
        return False
    forms = [format_of_dtype(y.dtype) for y in outputs]
    return [form.code for form in forms] == types and all(
        y.shape == codes.shape and np.array_equal(canonical(codes_of(y), form), codes)
        for y, form, codes in zip(outputs, forms, wanted, strict=True)
    )


def loaded_situation(loaded: LoadedCase) -> Situation:
    """The call that a case makes.

    Raises:
        ModelCallError: Its model is not one node of an operator with a spec.
    """
    import onnx

    feeds = {
        name: tensor.array for name, tensor in zip(loaded.case.inputs, loaded.inputs, strict=True)
    }
    call = call_of(onnx.ModelProto.FromString(loaded.model), feeds, loaded.files)
    return situation(call.spec, call.inputs, call.attributes)


def outcome_of(make: Callable[[Situation], Implementation], at: Situation) -> Outputs | Refused:
    """What an implementation does with a call; whatever it raises counts as a refusal."""
    try:
        return Outputs(tuple(tensor_of(y) for y in make(at).run()))
    except Refusal as refusal:
        return Refused("load", "Refusal", str(refusal))
    except Exception as error:  # noqa: BLE001 - a wrong implementation may fail in any way
        return Refused("run", type(error).__name__, str(error))


def tensor_of(array: Array) -> Tensor:
    """An array as it crosses to and from backends."""
    form = format_of_dtype(array.dtype)
    return Tensor(form.code, array.shape, pack(codes_of(array), form))
