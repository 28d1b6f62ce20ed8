"""State that is something else for as long as a part of the program is checked."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def restoring(record: object, **fields: object) -> Iterator[None]:
    """Give fields of a record these values, and at the end, after a fault too, those that they had.

    restoring(current, hidden=[])        before = current.hidden; current.hidden = []; ...; current.hidden = before
    """
    before = {name: getattr(record, name) for name in fields}
    try:
        for name, value in fields.items():
            setattr(record, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(record, name, value)
