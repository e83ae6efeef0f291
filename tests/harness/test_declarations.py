"""What an adapter declares is checked when it starts; refusals are told apart by its rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness_suites import SuiteBuilder, fake, tensor

from onnx_cts_harness.backend import Backend
from onnx_cts_harness.declarations import Declarations, declarations
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.lines import finding
from onnx_cts_harness.record_line import case_line, result_of
from onnx_cts_harness.registry import resolve
from onnx_cts_harness.run import run_suite
from onnx_cts_harness.verify import Result

RULES = [
    {"kind": "unsupported", "pattern": "(?i)not implemented"},
    {"kind": "unsupported", "stage": "parse", "pattern": "^RuntimeError: unknown operator"},
    {"kind": "obscure", "pattern": "KeyError|unknown|^broken$"},
]


def declaring(**declared: Any) -> str:
    """The name of a backend that declares this."""
    return f"{fake('declaring')}:{json.dumps(declared)}"


def refused(builder: SuiteBuilder, message: str, **declared: Any) -> Result:
    """What a model gives that the backend refuses with a message."""
    builder.value("a", [tensor([1.0])], [tensor([1.0])])
    (result,) = run_suite(builder.write(), declaring(message=message, **declared))
    return result


@pytest.mark.parametrize(
    ("message", "kind", "stage"),
    [
        ("this is Not Implemented", "unsupported", "load"),
        ("first line\nnot implemented", "unsupported", "load"),
        ("unknown operator", "unsupported", "parse"),
        ("broken", "obscure", "load"),
        ("an unknown thing", "obscure", "load"),
        ("KeyError: 5", "obscure", "load"),
        ("something else", "", "load"),
    ],
)
def test_the_first_rule_that_fits_says_the_kind_and_perhaps_the_stage(
    builder: SuiteBuilder, message: str, kind: str, stage: str
) -> None:
    result = refused(builder, message, refusals=RULES)
    assert (result.verdict, result.refusal, result.stage) == ("refused", kind, stage)
    assert result.message == f"RuntimeError: {message.splitlines()[0]}"
    assert result_of(case_line(result)) == result
    assert finding(result) == f"at {stage}{kind and f' ({kind})'} {result.message}"


def test_without_rules_a_refusal_has_its_stage_and_first_line_alone(builder: SuiteBuilder) -> None:
    result = refused(builder, "not implemented")
    assert (result.refusal, result.stage) == ("", "load")
    assert "refusal" not in case_line(result)


def test_an_adapter_that_declares_nothing_takes_every_type() -> None:
    assert declarations(None, None, None) == Declarations()
    with Backend(resolve(fake("echo"))) as backend:
        assert backend.identity.declared == Declarations()


def test_documentation_is_an_address() -> None:
    with Backend(resolve(declaring(documentation="https://example.org/"))) as backend:
        assert backend.identity.declared.documentation == "https://example.org/"


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ({"documentation": 3}, "its documentation is to be a string"),
        ({"feeds": [1]}, "its feeds are to be a dict with no keys but constant_parameters, init"),
        ({"feeds": {"input": [1]}}, "its feeds are to be a dict with no keys but"),
        ({"feeds": {"inputs": ["float"]}}, "inputs of its feeds are to be numbers of onnx.Tens"),
        ({"feeds": {"initializers": 1}}, "initializers of its feeds are to be numbers"),
        ({"feeds": {"initializers": [True]}}, "initializers of its feeds are to be numbers"),
        ({"feeds": {"constant_parameters": 1}}, "constant_parameters of its feeds is to be True"),
        ({"refusals": "no"}, "its refusals are to be a list of rules"),
        ({"refusals": [{"kind": "obscure"}]}, "rule 0 of its refusals is to be a dict with kind"),
        ({"refusals": [{"kind": "x", "pattern": "", "at": 1}]}, "rule 0 .* has a key 'at'"),
        ({"refusals": [{"kind": "Un Clear", "pattern": ""}]}, "kind of rule 0 of its refusals is"),
        ({"refusals": [{"kind": "", "pattern": ""}]}, "kind of rule 0 of its refusals is to be"),
        ({"refusals": [{"kind": "x", "stage": "A", "pattern": ""}]}, "stage of rule 0 of its ref"),
        ({"refusals": [{"kind": "x", "pattern": "("}]}, "pattern of rule 0 .* no regular express"),
        ({"refusals": [{"kind": "x", "pattern": 3}]}, "pattern of rule 0 .* no regular expression"),
    ],
)
def test_what_is_declared_wrongly_is_one_clear_error(declared: dict[str, Any], says: str) -> None:
    with pytest.raises(BackendError, match=f"declaring.*: {says}"):
        Backend(resolve(declaring(**declared)))


def test_what_json_cannot_carry_is_one_clear_error(tmp_path: Any) -> None:
    adapter = tmp_path / "sets.py"
    adapter.write_text(
        "class Adapter:\n    version = '1'\n    feeds = {'inputs': {1}}\n"
        "    def __init__(self, variant): pass\n"
    )
    with pytest.raises(BackendError, match=r"could not be started: TypeError: .*set.*JSON"):
        Backend(resolve(str(adapter)))
