"""Which instances of other functions a function needs: for its calls, and for loops that few lanes run alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from ..lang.ctype import is_integer
from ..target import LANES
from ..tree import nodes as tree
from ..tree.nodes import Variable
from .divergence import Here
from .lattice import UNIFORM, VARYING, Kind, Known, Shape, is_unknown
from .liveness import Liveness
from .shapes import FunctionShapes, Instance
from .storage import Storage


class Program(Protocol):
    """What the walk of one function asks of the others."""

    storage: Storage
    unknown_is_varying: bool
    likely: bool  # whether it matters what holds in nearly all gangs
    meetings: frozenset[tree.BuiltinCall]  # warp functions that get values from other calls, too
    ragged: frozenset[str]  # the functions for which rows of a block may end within a gang

    def live_in(self, name: str) -> Liveness: ...
    def outlined(self, node: tree.Loop) -> tree.OutlinedLoop | None: ...
    def instance(
        self, caller: Instance, name: str, args: list[Known], divergent: bool, constants: list[int | None]
    ) -> Instance: ...
    def get(self, instance: Instance) -> FunctionShapes: ...


def call(program: Program, shapes: FunctionShapes, node: tree.Call, args: list[Known], here: Here) -> Known:
    """Note which instance serves a call; return the shape of its result."""
    if any(map(is_unknown, args)) and not program.unknown_is_varying:
        return None
    constants = [_constant_argument(shapes, arg) for arg in node.args]
    divergent = here.control != Kind.BLOCK
    instance = program.instance(shapes.instance, node.function, args, divergent, constants)
    shapes.calls[node] = instance
    return program.get(instance).result


def _constant_argument(shapes: FunctionShapes, node: tree.Expr) -> int | None:
    """The value of an argument that is a number, or a parameter whose value is known."""
    if isinstance(node, tree.Constant) and is_integer(node.type):
        return int(node.value)
    if isinstance(node, tree.Load) and isinstance(node.place, tree.VarRef):
        known = zip(shapes.function.params, shapes.instance.constants, strict=False)
        return next((value for param, value in known if param is node.place.variable), None)
    return None


def run_alone(program: Program, shapes: FunctionShapes, node: tree.Loop) -> None:
    """If a divergent loop may run lane by lane, see to it that there is code for one: all its variables uniform."""
    outlined = program.outlined(node)
    if outlined is None or not outlined.alone:
        return
    known = [shape for variable in outlined.captured if (shape := _shape_now(shapes, variable))]
    if any(shape.interleave for shape in known):
        return
    args: list[Known] = [UNIFORM] * len(outlined.captured)
    instance = program.instance(shapes.instance, outlined.function, args, False, [None] * len(args))
    shapes.lane_loops[node] = (outlined, instance)
    program.get(instance)


def _shape_now(shapes: FunctionShapes, variable: Variable) -> Shape | None:
    """The shape of a captured variable, as far as the walk has found it."""
    shapes.asked.add((variable, 0))
    return shapes.variables.get((variable, 0))


def run_narrow(program: Program, shapes: FunctionShapes, node: tree.Loop) -> None:
    """If a loop may run in a narrower gang, see to it that there is code for one."""
    outlined = program.outlined(node)
    if outlined is None:
        return
    known = [_shape_now(shapes, variable) or VARYING for variable in outlined.captured]
    if any(shape.interleave for shape in known):
        return
    args: list[Known] = [UNIFORM if shape.uniform else VARYING for shape in known]
    narrow = replace(shapes.instance, lanes=LANES)
    instance = program.instance(narrow, outlined.function, args, False, [None] * len(args))
    shapes.compacted_loops[node] = (outlined, instance)
    program.get(instance)
