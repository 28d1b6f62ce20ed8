"""Which variables code writes, also through pointers: all others keep the value with which they begin.

**Known as:** mod/ref analysis.

A pointer is followed from variable to variable: where one is initialised or assigned, and into the functions that it is
passed to. What is stored elsewhere, returned, converted to a number or given to a built-in function may be written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..lang.ctype import Pointer
from ..tree import nodes as tree
from ..tree.effects import is_local, root
from ..tree.nodes import Module, Variable
from ..tree.walk import children, walk
from .storage import pointer_below


def written_variables(module: Module) -> frozenset[Variable]:
    """Return the variables whose value may change after their declaration or, of parameters, their function's begin."""
    uses = _Uses(module)
    for function in module.functions.values():
        for node in walk(function.body):
            uses.visit(node)
    return uses.closed()


@dataclass
class _Uses:
    """What happens to variables (`written`), to what pointer variables lead to (`through`), and what gets a pointer.

    `addresses`: a variable, and a pointer variable that gets its address or that of a part. `copies`: a pointer
    variable, and one that gets its value or one computed from it.
    """

    module: Module
    written: set[Variable] = field(default_factory=set)
    through: set[Variable] = field(default_factory=set)
    addresses: list[tuple[Variable, Variable]] = field(default_factory=list)
    copies: list[tuple[Variable, Variable]] = field(default_factory=list)

    def closed(self) -> frozenset[Variable]:
        through = set(self.through)
        while more := {source for source, target in self.copies if target in through} - through:
            through |= more
        return frozenset(self.written | {variable for variable, target in self.addresses if target in through})

    def visit(self, node: tree.Node) -> None:
        match node:
            case tree.Assign():
                self.write(node.place)
                held = node.place.variable if isinstance(node.place, tree.VarRef) else None
                self.move(node.value, held)
            case tree.CompoundAssign() | tree.Increment():
                self.write(node.place)
            case tree.Declare(initial=tree.Braces(items=items)):
                for _, _, item in items:
                    self.move(item, None)
            case tree.Declare(initial=initial) if isinstance(initial, tree.Expr):
                self.move(initial, node.variable)
            case tree.Call():
                for param, arg in zip(self.module.functions[node.function].params, node.args, strict=True):
                    self.move(arg, param)
            case tree.AddressOf() | tree.Decay():
                held = root(node.place)
                if held is not None and isinstance(held.type, Pointer):
                    self.through.add(held)  # code that has the address may read the pointer
            case tree.Convert() if isinstance(node.type, Pointer):
                pass  # it leads where its operand does
            case tree.BuiltinCall() | tree.Convert() | tree.Return():
                for child in children(node):
                    if isinstance(child, tree.Expr):
                        self.move(child, None)

    def write(self, place: tree.Place) -> None:
        held = root(place)
        if held is not None:
            self.written.add(held)
        below = pointer_below(place)
        if below is not None:
            self.move(below, None)

    def move(self, value: tree.Expr, target: Variable | None) -> None:
        """Note that the pointer `value` goes to a variable or, without one, that what it leads to may be written."""
        if not isinstance(value.type, Pointer):
            return
        followed = target is not None and is_local(target)
        for source, is_address in _sources(value):
            if followed:
                assert target is not None
                (self.addresses if is_address else self.copies).append((source, target))
            else:
                (self.written if is_address else self.through).add(source)


def _sources(pointer: tree.Expr) -> Iterator[tuple[Variable, bool]]:
    """Yield the variables that a pointer may come from, and whether it is their address and not their value."""
    match pointer:
        case tree.AddressOf() | tree.Decay():
            variable, below = root(pointer.place), pointer_below(pointer.place)
            if variable is not None:
                yield variable, True
            elif below is not None:
                yield from _sources(below)
        case tree.PointerAdd():
            yield from _sources(pointer.pointer)
        case tree.Load(place=tree.VarRef(variable=variable)):
            yield variable, False
        case tree.Conditional():
            yield from _sources(pointer.then)
            yield from _sources(pointer.other)
        case tree.Comma():
            yield from _sources(pointer.right)
        case tree.Assign():
            yield from _sources(pointer.value)
        case (
            tree.CompoundAssign(place=tree.VarRef(variable=variable))
            | tree.Increment(place=tree.VarRef(variable=variable))
        ):
            yield variable, False
        case tree.Convert() if isinstance(pointer.operand.type, Pointer):
            yield from _sources(pointer.operand)
