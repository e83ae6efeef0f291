from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from onnx_cts_generator.cases import Chapter
from onnx_cts_generator.emit import File, SuiteFiles
from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.writing import differences, write_suite
from onnx_cts_specs import spec_for

FILES: tuple[File, ...] = (
    ("ai.onnx/Op/v1/test_a", "model.onnx", b"model"),
    ("ai.onnx/Op/v1/test_a", "test_data_set_0/input_0.pb", b"input"),
    (".", "manifest.json", b"{}"),
)


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


WRITTEN = {
    "ai.onnx/Op/v1/test_a/model.onnx": b"model",
    "ai.onnx/Op/v1/test_a/test_data_set_0/input_0.pb": b"input",
    "manifest.json": b"{}",
}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A suite, in a folder with nothing else."""
    folder = tmp_path / "suite"
    write_suite(FILES, folder)
    return folder


def failing(error: BaseException) -> Iterator[File]:
    yield "ai.onnx/Op/v1/test_new", "model.onnx", b"half"
    raise error


def test_a_suite_is_written_file_by_file_in_folders_that_are_made(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there" / "yet"
    write_suite(FILES, folder)
    assert files_in(folder) == WRITTEN
    assert [path.name for path in folder.parent.iterdir()] == ["yet"]


def test_an_older_suite_is_replaced_whole(out: Path) -> None:
    write_suite([FILES[-1], ("other", "model.onnx", b"new")], out)
    assert files_in(out) == {"manifest.json": b"{}", "other/model.onnx": b"new"}
    assert list(out.parent.iterdir()) == [out]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    write_suite(FILES, folder)
    assert files_in(folder) == WRITTEN


@pytest.mark.parametrize("error", [AssertionError("in the middle"), KeyboardInterrupt()])
def test_generation_that_ends_in_the_middle_leaves_nothing_behind(
    tmp_path: Path, error: BaseException
) -> None:
    with pytest.raises(type(error)):
        write_suite(failing(error), tmp_path / "suite")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [AssertionError("in the middle"), KeyboardInterrupt()])
def test_generation_that_ends_in_the_middle_leaves_an_older_suite_as_it_was(
    out: Path, error: BaseException
) -> None:
    with pytest.raises(type(error)):
        write_suite(failing(error), out)
    assert files_in(out) == WRITTEN
    assert list(out.parent.iterdir()) == [out]


def test_a_rule_that_fails_in_the_middle_of_a_chapter_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_late(*arguments: object) -> Iterator[object]:
        raise ZeroDivisionError("after the value cases")
        yield

    monkeypatch.setattr("onnx_cts_generator.cases.undecided_cases", fails_late)
    with pytest.raises(ZeroDivisionError):
        write_suite(SuiteFiles([Chapter(spec_for("DequantizeLinear", 10), "core")]), tmp_path / "s")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_take_its_place_leaves_the_older_suite(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def full(self: Path, target: Path) -> Path:
        if ".partial-" in self.name:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(GenerateError, match="suite cannot be written: No space left on device"):
        write_suite(FILES, out)
    assert files_in(out) == WRITTEN
    assert list(out.parent.iterdir()) == [out]


def occupied_folder(place: Path) -> None:
    place.mkdir()
    (place / "notes.txt").write_text("mine", "utf-8")


def occupied_by_a_file(place: Path) -> None:
    place.write_text("mine", "utf-8")


@pytest.mark.parametrize("occupy", [occupied_folder, occupied_by_a_file])
def test_what_is_no_suite_is_never_replaced(tmp_path: Path, occupy: object) -> None:
    place = tmp_path / "place"
    occupy(place)
    before = files_in(tmp_path)
    with pytest.raises(GenerateError) as raised:
        write_suite(FILES, place)
    assert files_in(tmp_path) == before
    message = str(raised.value)
    assert message.startswith(f"{place} is not a suite")
    assert "\n" not in message


def test_a_folder_below_a_file_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    with pytest.raises(GenerateError) as raised:
        write_suite(FILES, tmp_path / "file" / "suite")
    assert str(raised.value) == (
        f"{tmp_path / 'file' / 'suite'} cannot be written: Not a directory; "
        "check the folder and its permissions"
    )


def test_a_link_to_a_suite_stays_a_link_and_leaves_nothing_beside_it(
    out: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(out)
    write_suite([FILES[-1]], link)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "suite"]
    assert files_in(out) == {"manifest.json": b"{}"}


def changed(out: Path) -> str:
    path = out / "ai.onnx/Op/v1/test_a/model.onnx"
    path.write_bytes(b"edited")
    return f"differs: {path}"


def missing(out: Path) -> str:
    path = out / "manifest.json"
    path.unlink()
    return f"missing: {path}"


def extra(out: Path) -> str:
    path = out / "ai.onnx/Op/v1/test_b/model.onnx"
    path.parent.mkdir()
    path.write_bytes(b"more")
    return f"not of the suite: {path}"


def folder_in_place_of_a_file(out: Path) -> str:
    path = out / "ai.onnx/Op/v1/test_a/model.onnx"
    path.unlink()
    path.mkdir()
    return f"missing: {path}"


CHANGES = [changed, missing, extra, folder_in_place_of_a_file]


@pytest.mark.parametrize("change", CHANGES)
def test_a_comparison_names_each_file_that_differs_and_writes_nothing(
    out: Path, change: object
) -> None:
    line = change(out)
    before = files_in(out.parent)
    assert list(differences(FILES, out)) == [line]
    assert files_in(out.parent) == before


def test_several_differences_are_all_named(out: Path) -> None:
    lines = {changed(out), missing(out), extra(out)}
    assert set(differences(FILES, out)) == lines


def test_a_suite_that_is_as_it_was_written_does_not_differ(out: Path) -> None:
    assert list(differences(FILES, out)) == []


def test_what_pytest_and_python_leave_in_a_suite_is_no_difference(out: Path) -> None:
    for name in ("__pycache__", ".pytest_cache"):
        (out / "ai.onnx" / name).mkdir()
        (out / "ai.onnx" / name / "left").write_text("", "utf-8")
    assert list(differences(FILES, out)) == []


def test_a_comparison_with_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GenerateError, match="nowhere is no folder; generate the suite there"):
        list(differences(FILES, tmp_path / "nowhere"))


def test_a_suite_below_a_folder_with_an_ignored_name_is_compared_in_full(tmp_path: Path) -> None:
    out = tmp_path / ".pytest_cache" / "suite"
    write_suite(FILES, out)
    line = extra(out)
    assert list(differences(FILES, out)) == [line]
