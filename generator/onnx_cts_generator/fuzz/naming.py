"""What the case of a fault is called, and its features."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from onnx_cts_generator.case import Case
from onnx_cts_generator.features import value_features
from onnx_cts_generator.judged import loaded_case
from onnx_cts_generator.values import evaluated
from onnx_cts_harness import layout
from onnx_cts_harness.verify import Result

FEATURE = "fuzz"


def named_case(case: Case, result: Result) -> Case:
    """The case under a name that says what it shows, with its features.

    The name follows from the case and what the backend did with it, and from nothing else.
    """
    shown = result.rule or next(iter(result.diagnosis or ()), "")
    words = re.sub(r"[^a-z0-9]+", "_", f"{result.verdict}_{shown}".lower()).strip("_")
    _, loaded = loaded_case(case)
    digest = hashlib.sha256(loaded.model)
    for content in (*loaded.files.values(), *(tensor.data for tensor in loaded.inputs)):
        digest.update(content)
    features: tuple[str, ...] = ()
    if case.expectation == "value":
        features = tuple(value_features(case.node, evaluated(case.node)))
    name = f"{layout.PREFIXES[case.expectation]}fuzz_{words}_{digest.hexdigest()[:8]}"
    return replace(case, name=name, features=(FEATURE, *features))
