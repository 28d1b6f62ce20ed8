"""What a `switch` over a constant does: the statements from the label on, up to the `break`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .effects import jumps_out
from .nodes import Block, Break, Constant, Continue, Declare, Return, Stmt, Switch


def chosen_statements(node: Switch, value: Constant) -> Block | None:
    """Return what a `switch` over `value` does; None if that is no block.

    It is none where a `break` leaves the middle of it, and where a section that is not entered declares a variable:
    later sections may use it.
    """
    sections = node.sections
    first = next((i for i, section in enumerate(sections) if value.value in section.labels), None)
    if first is None:
        first = next((i for i, section in enumerate(sections) if None in section.labels), len(sections))
    if any(isinstance(below, Declare) for section in sections[:first] for below in section.body.statements):
        return None
    statements = list(_up_to_jump([below for section in sections[first:] for below in section.body.statements]))
    if statements and isinstance(statements[-1], Break):
        statements.pop()
    block = Block(node.span, tuple(statements))
    return None if any(isinstance(jump, Break) for jump in jumps_out(block)) else block


def spliced(block: Block) -> Sequence[Stmt]:
    """Return the statements of a block, where none of them declares a variable; else the block."""
    declares = any(isinstance(node, Declare) for node in block.statements)
    return [block] if declares else block.statements


def _up_to_jump(nodes: Sequence[Stmt]) -> Iterator[Stmt]:
    """Yield statements up to the first jump, those of blocks that declare nothing one by one."""
    for node in nodes:
        inside = spliced(node) if isinstance(node, Block) else [node]
        for below in inside if len(inside) == 1 and inside[0] is node else _up_to_jump(inside):
            yield below
            if isinstance(below, Return | Break | Continue):
                return
