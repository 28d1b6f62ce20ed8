"""What may be evaluated at another place of a function than where the program does so: earlier, or again.

**Known as:** safety of speculation and of code motion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..lang.ctype import Array, Pointer, Scalar
from ..tree import nodes as tree
from ..tree.effects import addressed_variables, is_changeable, named_variables, only_reads, written_variables
from ..tree.nodes import Function, Variable
from ..tree.same import same_text
from ..tree.walk import children, count_nodes, walk
from .walks import calls

MOST_AGAIN = 16  # nodes of a value that is computed again


def is_harmless(node: tree.Expr, there: Sequence[tree.Place] = ()) -> bool:
    """Whether an expression may be evaluated where the program does not.

    It reads variables, and of memory no more than parts of objects that are `there`.
    """
    return all(_may_be_read(below.place, there) for below in walk(node) if isinstance(below, tree.Load))


def _may_be_read(place: tree.Place, there: Sequence[tree.Place]) -> bool:
    if isinstance(place, tree.VarRef):
        return not is_changeable(place.variable)
    whole = _whole(place)
    return any(same_text(whole, known) for known in there)


def _whole(place: tree.Place) -> tree.Place:
    """Return the object that `place` is a part of: by members, and elements of arrays at constant places."""
    match place:
        case tree.Member(base=base):
            return _whole(base)
        case tree.Index(pointer=tree.Decay(place=array), index=tree.Constant(value=index)):
            assert isinstance(array.type, Array)
            return _whole(array) if 0 <= index < array.type.count else place
    return place


def read_for_certain(function: Function) -> list[tree.Place]:
    """Return the objects that a function reads before its first recursive call, whenever it makes one."""
    changed = addressed_variables(function.body) | written_variables(function.body)
    found: list[tree.Place] = []
    for node in function.body.statements:
        top = node.cond if isinstance(node, tree.If) else node
        for below in _evaluated(top) if isinstance(node, tree.If | tree.Declare | tree.Evaluate) else ():
            if isinstance(below, tree.Load) and not isinstance(below.place, tree.VarRef):
                whole = _whole(below.place)
                address = [part for part in children(whole) if isinstance(part, tree.Expr)]
                if not named_variables(whole) & changed and all(map(is_harmless, address)):
                    found.append(whole)
        if calls(node, function.name):
            break
    return found


def _evaluated(node: tree.Node) -> Iterator[tree.Node]:
    """Yield what is evaluated whenever `node` is."""
    yield node
    match node:
        case tree.Logical(left=first) | tree.Conditional(cond=first):
            yield from _evaluated(first)
        case _:
            for child in children(node):
                yield from _evaluated(child)


def computed_again(function: Function, excluded: Callable[[Variable], bool]) -> dict[Variable, tree.Expr]:
    """Return the variables that may be computed again wherever parameters are available, and their values."""
    changed = addressed_variables(function.body) | written_variables(function.body)
    params = set(function.params) - changed
    found: dict[Variable, tree.Expr] = {}
    for node in walk(function.body):
        match node:
            case tree.Declare(variable=variable, initial=initial) if isinstance(initial, tree.Expr):
                small = isinstance(variable.type, Scalar | Pointer) and count_nodes(initial) <= MOST_AGAIN
                fixed = variable not in changed and named_variables(initial) <= params | found.keys()
                if small and fixed and is_harmless(initial) and only_reads(initial) and not excluded(variable):
                    found[variable] = initial
    return found
