"""The room for inline PTX: an instruction becomes statements."""

from __future__ import annotations

import pytest

from simt2simd.frontend.parse.ptx_text import Instruction, PtxFault, read
from simt2simd.frontend.sema.ptx.instructions import Instructions
from simt2simd.lang.ctype import INT, UINT
from simt2simd.source import NOWHERE
from simt2simd.tree.nodes import Assign, Constant, If, Stmt, VarRef
from simt2simd.tree.walk import walk


def translated(text: str) -> list[Stmt]:
    """Return what one instruction does, with registers a and b, integers, and p, a predicate."""
    made = Instructions(NOWHERE)
    for name, kind in (("a", "s32"), ("b", "u32"), ("p", "pred")):
        made.declare(name, kind)
    (line,) = read(text)
    assert isinstance(line, Instruction)
    return made.statements(line)


def test_an_instruction_writes_its_first_operand() -> None:
    (statement,) = translated("add.s32 a, a, 3;")
    assert [node.variable.type for node in walk(statement) if isinstance(node, VarRef)] == [
        UINT,
        UINT,
    ]  # a register is bits
    assert [node.value for node in walk(statement) if isinstance(node, Constant)] == [3]
    assert any(isinstance(node, Assign) for node in walk(statement))


def test_a_guard_becomes_a_branch() -> None:
    (statement,) = translated("@p mov.u32 b, 1;")
    assert isinstance(statement, If)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("frob.u32 a, b;", "the PTX instruction 'frob.u32' is not supported"),
        ("mov.u32 c, b;", "'c' is no register"),
    ],
)
def test_what_cannot_be_translated_is_refused(text: str, message: str) -> None:
    with pytest.raises(PtxFault, match=message):
        translated(text)


def test_registers_are_read_as_the_instruction_says() -> None:
    made = Instructions(NOWHERE)
    made.declare("a", "s32")
    assert made.value("a", UINT).type == UINT
    assert made.value("a", INT).type == INT
    assert made.is_register("a")
    assert not made.is_register("b")
