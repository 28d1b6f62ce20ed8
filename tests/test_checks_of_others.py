"""`microbench conformance`: self-checking programs run as device code, and each verdict says what became of one."""

from __future__ import annotations

import sys
import textwrap
import zlib
from pathlib import Path

import pytest

from apps.records import read_records
from microbench.__main__ import main
from microbench.conformance.find import find_checks, main_has_parameters, sample
from microbench.conformance.report import summary
from microbench.conformance.verdict import LATE, OUTSIDE, PASSED, REFUSED, WRONG, Verdict, first_error, most_frequent

CHECKS = {
    "right.pass.cpp": '#include "beside.h"\nint main(int, char **) { assert(number() == 4); return 0; }\n',
    "deep/bare.pass.cpp": "int main() { return sizeof(int) == 4 ? 0 : 1; }\n",
    "deep/of_one_thread.pass.cpp": "#ifdef __CUDA_ARCH__\n#define NUMBER threadIdx.x\n#else\n#define NUMBER 0\n#endif\n"
    "int main(int, char **) { return NUMBER; }\n",
    "wrong.pass.cpp": "#include <cassert>\nint main(int, char **) { assert(1 == 2); return 0; }\n",
    "refused.pass.cpp": "int main(int, char **) {\n  int n = undeclared_name;\n  return n;\n}\n",
    "other.pass.cpp": "int main(int, char **) { return no_cuda_at_all; }\n",
}
BESIDE = "#include <cassert>\n__host__ __device__ inline int number() { return 4; }\n"
REFERENCE = "import sys; sys.exit(any('no_cuda' in open(word).read() for word in sys.argv[1:] if word.endswith('.cu')))"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    for name, text in (CHECKS | {"beside.h": BESIDE, "no_main.pass.cpp": "int x;\n"}).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def test_only_files_with_a_main_are_checks(suite: Path) -> None:
    assert {check.name for check in find_checks(suite, "*.pass.cpp")} == CHECKS.keys()
    assert find_checks(suite, "*.cu") == []


def test_a_parity_divides_the_checks_by_the_crc_of_their_names(suite: Path) -> None:
    halves = [[check.name for check in find_checks(suite, "*.pass.cpp", parity)] for parity in (0, 1)]
    assert sorted(halves[0] + halves[1]) == sorted(CHECKS)
    assert all(zlib.crc32(name.encode()) % 2 == 0 for name in halves[0])


def test_a_sample_is_the_same_for_the_same_seed(suite: Path) -> None:
    checks = find_checks(suite, "*.pass.cpp")
    assert sample(checks, 3, 5) == sample(checks, 3, 5) != sample(checks, 3, 6)
    assert sample(checks, 99, 5) == sample(checks, None, 5) == checks


def test_a_main_with_and_without_parameters() -> None:
    assert main_has_parameters("int main(int, char**)")
    assert not main_has_parameters("int main()")
    assert not main_has_parameters("int main( void )")


def test_the_first_error_is_found_among_other_messages() -> None:
    text = "a.cu:1:2: warning: w\na.cu:3:4: error: 'x' is not declared\nb.cu:5:6: error: later\n"
    assert first_error(text) == "a.cu:3:4: error: 'x' is not declared"
    assert first_error("no such thing\nat all\n") == "at all"
    assert first_error("") == ""


def test_causes_are_counted_without_places_and_names() -> None:
    verdicts = [
        Verdict("a", REFUSED, "a.cu:1:2: error: 'x' is not declared"),
        Verdict("b", REFUSED, "b.h:30:4: error: 'y' is not declared"),
        Verdict("c", WRONG, "assertion failed"),
        Verdict("d", PASSED),
        Verdict("e", OUTSIDE, "e.cu:1:2: error: 'z' is not declared"),
    ]
    assert [(count, one.kind) for count, one in most_frequent(verdicts, (REFUSED, WRONG))] == [
        (2, "error: '...' is not declared"),
        (1, "assertion failed"),
    ]
    assert summary(verdicts) == "1 of 4 passed (25.0 %), 2 refused, 1 wrong, 1 not CUDA"
    assert summary([Verdict("f", LATE)]) == "0 of 1 passed (0.0 %), 1 timed out"


def test_each_check_gets_a_verdict(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, records = tmp_path / "reference.py", tmp_path / "verdicts.json"
    script.write_text(REFERENCE)
    reference = f"{sys.executable} {script}"
    command = ["conformance", str(suite), "--pattern", "*.pass.cpp", "--json", str(records), "--reference", reference]
    assert main([*command, "--work", str(tmp_path / "work"), "--", "-std=c++17", "-O0"]) == 1
    kept = read_records(records, Verdict)
    assert kept is not None
    found = {one.name: one for one in kept[1]}
    assert {name: one.state for name, one in found.items()} == {
        "right.pass.cpp": PASSED,
        "deep/bare.pass.cpp": PASSED,
        "deep/of_one_thread.pass.cpp": WRONG,
        "wrong.pass.cpp": WRONG,
        "refused.pass.cpp": REFUSED,
        "other.pass.cpp": OUTSIDE,
    }
    assert found["deep/of_one_thread.pass.cpp"].threads == 33 and found["wrong.pass.cpp"].threads == 1
    assert ":2:11: error: 'undeclared_name' is not declared" in found["refused.pass.cpp"].cause
    printed = capsys.readouterr().out
    assert "2 of 5 passed (40.0 %), 1 refused, 2 wrong, 1 not CUDA" in printed
    assert list((tmp_path / "work").glob("*.reference"))


@pytest.mark.parametrize(
    "words, text",
    [
        (["nowhere"], "nowhere: no such folder"),
        (["."], "no file '*.nothing' there has a main"),
    ],
)
def test_what_cannot_be_run_is_said(
    words: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["conformance", *words, "--pattern", "*.nothing"]) == 1
    assert text in capsys.readouterr().err


def test_help_names_the_flags_of_the_compiler(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["conformance", "--help"])
    assert "-- -I include" in textwrap.dedent(capsys.readouterr().out)
