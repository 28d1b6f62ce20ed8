"""How many operations of straight code can run side by side.

**Known as:** instruction-level parallelism: the work over the span, or critical path.

Code without loops whose operations hardly depend on each other fills the CPU's issue slots by itself. Wider gangs would
add nothing to that, and need registers that there are not.
"""

from __future__ import annotations

from .. import costs
from ..tree.effects import root
from ..tree.nodes import (
    Assign,
    Block,
    Call,
    CompoundAssign,
    Declare,
    Function,
    If,
    Increment,
    Loop,
    Node,
    Switch,
    Variable,
    VarRef,
)
from ..tree.walk import children, walk


def fills_a_core(function: Function) -> bool:
    """Whether a function is long straight code that has enough to do side by side with one register for each value.

    Every node takes as long as any other, and a struct or an array is one value. What memory hands from a store to a
    load is not seen.
    """
    nodes = list(walk(function.body))
    if len(nodes) <= costs.MANY_NODES or any(isinstance(node, Loop | Call | Switch) for node in nodes):
        return False
    chains = _Chains()
    chains.statement(function.body, 0)
    return len(nodes) >= costs.MANY_CHAINS * chains.longest


class _Chains:
    """The lengths of chains that end in the variables' present values, and of the longest one."""

    def __init__(self) -> None:
        self.ends: dict[Variable, int] = {}
        self.longest = 0

    def statement(self, node: Node, after: int) -> None:
        """Go through a statement that runs once a chain of length `after` has."""
        match node:
            case Block():
                for each in node.statements:
                    self.statement(each, after)
            case If():
                after = max(after, self.length(node.cond))
                self.statement(node.then, after)
                self.statement(node.other, after)
            case _:
                self.longest = max(self.longest, after + self.length(node))

    def length(self, node: Node) -> int:
        """Return the length of the chain that ends in a node; note what it gives to variables."""
        match node:
            case VarRef():
                return self.ends.get(node.variable, 0)
            case Assign(place=VarRef() as place):
                return self.give(place.variable, self.length(node.value))
            case Declare():
                return self.give(node.variable, max(map(self.length, children(node)), default=0))
        length = 1 + max(map(self.length, children(node)), default=0)
        if isinstance(node, Assign | CompoundAssign | Increment) and (variable := root(node.place)) is not None:
            return self.give(variable, length)
        return length

    def give(self, variable: Variable, length: int) -> int:
        self.ends[variable] = length
        self.longest = max(self.longest, length)
        return length
