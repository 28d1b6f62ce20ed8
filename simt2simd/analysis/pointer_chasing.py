"""Chases: loops in which a value read in one iteration leads to what the next iteration reads.

**Known as:** pointer chasing, dependent loads.

    while (feature[n] >= 0)
        n = row[feature[n]] <= threshold[n] ? left[n] : right[n];

An iteration waits for the reads of the iteration before it. Searches of trees and lists are such loops, and binary
searches of arrays too, where what is read decides which half is next. A loop that keeps the best place so far is none:
that place is not made of the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..tree import nodes as tree
from ..tree.calls import functions_reaching
from ..tree.effects import is_local, root
from ..tree.nodes import Function, Loop, Module, Variable
from ..tree.walk import children, walk


@dataclass(frozen=True)
class Chase:
    """A loop, and the variables that lead from one iteration's reads to the next one's."""

    loop: Loop
    variables: frozenset[Variable]


def find(module: Module) -> dict[str, tuple[Chase, ...]]:
    """Return the chases of each function that has some; a call of a function that reads memory is a read."""
    reading = functions_reaching(module, reads_memory)
    found = {name: tuple(_in_function(function, reading)) for name, function in module.functions.items()}
    return {name: chases for name, chases in found.items() if chases}


def reads_memory(node: tree.Node) -> bool:
    """Whether a node is a read of memory that threads have not each for themselves."""
    if not isinstance(node, tree.Load):
        return False
    variable = root(node.place)
    return variable is None or not is_local(variable)


def _in_function(function: Function, reading: frozenset[str]) -> Iterator[Chase]:
    for node in walk(function.body):
        if isinstance(node, Loop):
            flow = _Flow(reading)
            for part in (*node.step, node.body):
                flow.follow(part, frozenset())
            if node.cond is not None:
                flow.follow(node.cond, frozenset())
            if variables := flow.turning():
                yield Chase(node, variables)


Source = tuple[Variable, bool]  # whether the variable leads to the value by way of memory


@dataclass
class _Flow:
    """Which variables the values assigned in a loop are made of, and which decide whether they are assigned."""

    reading: frozenset[str]
    sources: dict[Variable, set[Source]] = field(default_factory=dict)
    deciders: dict[Variable, set[Source]] = field(default_factory=dict)

    def follow(self, node: tree.Node, deciding: frozenset[Source]) -> None:
        """Note the assignments below a node; `deciding` are the variables that decide whether it runs."""
        match node:
            case tree.Declare(variable=variable, initial=initial) if initial is not None:
                self._assigned(variable, initial, deciding)
            case tree.Assign(place=place, value=value) | tree.CompoundAssign(place=place, value=value):
                target = root(place)
                if target is not None and is_local(target):
                    self._assigned(target, value, deciding)
            case tree.If(cond=cond) | tree.Conditional(cond=cond):
                deciding |= self._named(cond)
        for below in children(node):
            self.follow(below, deciding)

    def _assigned(self, variable: Variable, value: tree.Node, deciding: frozenset[Source]) -> None:
        self.sources.setdefault(variable, set()).update(self._named(value))
        self.deciders.setdefault(variable, set()).update(deciding)

    def _named(self, node: tree.Node, read: bool = False) -> frozenset[Source]:
        """Return the variables below a node; `read`: the address of a read depends on them."""
        if isinstance(node, tree.VarRef):
            return frozenset({(node.variable, read)}) if is_local(node.variable) else frozenset()
        if reads_memory(node) or (isinstance(node, tree.Call) and node.function in self.reading):
            read = True
        return frozenset().union(*(self._named(below, read) for below in children(node)))

    def turning(self) -> frozenset[Variable]:
        """Return the variables through which values go around by way of memory."""
        given = (*self.sources.values(), *self.deciders.values())
        reads = {variable for sources in given for variable, read in sources if read}
        led = {variable: self._leading_to(variable) for variable in reads & self.sources.keys()}
        by_value = {
            variable
            for target, sources in self.sources.items()
            for variable, read in sources
            if read and target in led.get(variable, ())
        }
        by_choice = {
            variable
            for target, deciders in self.deciders.items()
            for variable, read in deciders
            if read and target in led.get(variable, ()) and variable in self._made_of(target)
        }
        return frozenset(by_value | by_choice)

    def _leading_to(self, variable: Variable) -> set[Variable]:
        """Return a variable, and those that values assigned to it are made of."""
        return {variable} | self._made_of(variable)

    def _made_of(self, variable: Variable) -> set[Variable]:
        """Return those that values assigned to a variable are made of."""
        found: set[Variable] = set()
        left = [variable]
        while left:
            more = {each for each, _ in self.sources.get(left.pop(), ())} - found
            found |= more
            left += more
        return found
