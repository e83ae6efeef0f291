"""Export under another onnx, where the rest of the package need not be installed.

Run as ``PYTHONPATH=generator:harness python -m onnx_cts_generator.upstream DIR``.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.upstream.export import export


def main() -> None:
    """Write all node cases of the installed onnx to the folder that is named."""
    parser = ArgumentParser("python -m onnx_cts_generator.upstream", description=main.__doc__)
    parser.add_argument("out", metavar="DIR", type=Path, help="Folder of the export.")
    out = parser.parse_args().out
    try:
        done = export(out)
    except GenerateError as error:
        sys.exit(f"onnx-cts: {error}")
    sys.stdout.write(f"{done.cases} cases in {done.files} files written to {out}\n")


if __name__ == "__main__":
    main()
