"""The programs of conformance/ pass; their table is true, and every feature has its programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from conformance.__main__ import main
from conformance.suite import FEATURES, README, Program, matrix, programs, run, selected, with_simt2simd

PROGRAMS = [pytest.param(program, id=program.name, marks=pytest.mark.slow(program.name)) for program in programs()]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_passes(program: Program, tmp_path: Path) -> None:
    outcome = run(program, with_simt2simd(), tmp_path)
    assert outcome.passed, f"{outcome.result}\n{outcome.output}"


def test_every_feature_has_a_program() -> None:
    named = {feature for program in programs() for feature in program.features}
    known = {feature for group in FEATURES.values() for feature in group.split()}
    assert named == known


def test_the_page_has_the_table() -> None:
    assert README.read_text().endswith(matrix()), "python -m tests.conformance --matrix prints the table"


def test_programs_are_chosen_by_name_and_by_feature(capsys: pytest.CaptureFixture[str]) -> None:
    assert [program.name for program in selected(["spmv_csr"])] == ["spmv_csr"]
    assert {"virtual_shapes", "raytracer"} <= {program.name for program in selected(["virtual"])}
    assert main(["nothing"]) == 2
    assert capsys.readouterr().err == "conformance: error: there is no program and no feature 'nothing'\n"
