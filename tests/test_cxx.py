"""Every construct of C++ in cxx/ means the same to the interpreter, to compiled code, and to the C++ compiler."""

from __future__ import annotations

import pytest
from cxx.harness import Case, Table, assert_same_everywhere, tables

CASES = [
    pytest.param(table, case, id=f"{table.name}-{case.name}", marks=pytest.mark.xdist_group(f"cxx {table.name}"))
    for table in tables()
    for case in table.cases
]


@pytest.mark.parametrize(("table", "case"), CASES)
def test_same_everywhere(table: Table, case: Case) -> None:
    assert_same_everywhere(table, case)
