"""Every construct of C++ in cxx/ means the same to the interpreter, to compiled code, and to the C++ compiler."""

from __future__ import annotations

import pytest
from cxx.harness import Case, Table, all_compiled, assert_same_everywhere, tables

CASES = [
    pytest.param(table, case, id=f"{table.name}-{case.name}", marks=pytest.mark.xdist_group(f"cxx {table.name}"))
    for table in tables()
    for case in table.cases
]


@pytest.mark.parametrize(("table", "case"), CASES)
def test_same_everywhere(table: Table, case: Case) -> None:
    assert_same_everywhere(table, case)


@pytest.mark.parametrize("table", [pytest.param(t, id=t.name, marks=pytest.mark.slow(t.name)) for t in tables()])
def test_optimised_code_means_the_same(table: Table) -> None:
    for case in table.cases:
        assert_same_everywhere(table, case, "-O3")


@pytest.mark.parametrize(
    "table", [pytest.param(t, id=t.name, marks=pytest.mark.xdist_group(f"cxx {t.name}")) for t in tables()]
)
def test_the_cases_of_a_file_make_one_program(table: Table) -> None:
    """One that compiles alone must not be refused because of what another one declares in its own namespace."""
    assert all_compiled(table) is not None
