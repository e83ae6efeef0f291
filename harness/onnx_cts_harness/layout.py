"""The names of a suite on disk: one place for the writer in the generator and the reader here.

A suite is a folder with a manifest. Each case is a folder of its own::

    manifest.json
    ai.onnx/<Operator>/v<version>/test_<case>/
        model.onnx
        case.json
        test_data_set_0/input_<i>.pb, output_<i>.pb
        permitted/output_<i>.lower.pb, output_<i>.upper.pb
        readings/<reading>/output_<i>.pb

A folder in ONNX's classic layout has no manifest. Its cases are folders anywhere below it, or the
folder itself, with ``model.onnx`` and data sets ``test_data_set_<k>``.
"""

from __future__ import annotations

FORMAT_VERSION = 1

MANIFEST = "manifest.json"
MODEL = "model.onnx"
CASE = "case.json"
DATA_SETS = "test_data_set_"
DATA_SET = f"{DATA_SETS}0"
PERMITTED = "permitted"
READINGS = "readings"

#: The reading of an open case that is to refuse the model; it has no outputs.
REFUSED = "refused"

#: How the name of a case's folder starts, by its expectation.
PREFIXES = {"value": "test_", "reject": "reject_", "open": "open_"}


def version_folder(domain: str, operator: str, version: int) -> str:
    """The folder, relative to the suite, that holds the cases of one operator version."""
    # The names alone are to be had without a reader of specs: pytest loads them in every project.
    from onnx_cts_specs.locations import domain_name

    return f"{domain_name(domain)}/{operator}/v{version}"


def input_name(index: int) -> str:
    """File of the graph input at this index, relative to the data set."""
    return f"input_{index}.pb"


def output_name(index: int) -> str:
    """File of the graph output at this index, relative to the data set or to a reading."""
    return f"output_{index}.pb"


def input_path(index: int) -> str:
    """File of the graph input at this index, relative to the case."""
    return f"{DATA_SET}/{input_name(index)}"


def output_path(index: int) -> str:
    """File of the expected output at this index, relative to the case."""
    return f"{DATA_SET}/{output_name(index)}"


def lower_path(index: int) -> str:
    """File of the least permitted values of an output, relative to the case."""
    return f"{PERMITTED}/output_{index}.lower.pb"


def upper_path(index: int) -> str:
    """File of the greatest permitted values of an output, relative to the case."""
    return f"{PERMITTED}/output_{index}.upper.pb"


def reading_path(reading: str, index: int) -> str:
    """File of an output under one reading of an open case, relative to the case."""
    return f"{READINGS}/{reading}/{output_name(index)}"
