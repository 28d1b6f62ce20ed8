"""State of the checker that is something else for a while has its value back afterwards."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from simt2simd.frontend.sema.restore import restoring


@dataclass
class Record:
    hidden: list[int]
    strict: bool = False


def test_fields_have_their_values_back() -> None:
    record = Record(before := [1])
    with restoring(record, hidden=[2], strict=True):
        assert record == Record([2], strict=True)
        record.hidden = [3]
    assert record.hidden is before
    assert not record.strict


def test_a_fault_restores_too() -> None:
    record = Record([1])
    with pytest.raises(KeyError), restoring(record, strict=True):
        raise KeyError
    assert not record.strict


def test_a_field_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(AttributeError, match="visible"), restoring(record := Record([1]), strict=True, visible=1):
        pass
    assert not record.strict
