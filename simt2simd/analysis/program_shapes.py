"""The shape of every expression and variable: block-uniform, uniform, affine or varying (see `lattice`).

**Known as:** interprocedural uniformity analysis (divergence analysis).

The analysis is interprocedural: a function is analysed once per combination of argument shapes
(`Instance`), recursion by fixpoint. "Active" is the point: in a traversal
`visit(p, node->left); visit(p, node->right);` each call passes one node to a subset of the lanes, so
the node is UNIFORM by construction and its fields are scalar loads.
"""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..lang.ctype import VOID, is_integer
from ..tree import nodes as tree
from ..tree.calls import functions_reaching, reached_functions, recursive_functions
from ..tree.effects import addressed_variables, written_variables
from ..tree.nodes import Module, Variable
from ..tree.walk import walk
from . import liveness
from .function_shapes import find_shapes
from .lattice import VARYING, Kind, Known, Shape, is_unknown, plain
from .liveness import Liveness
from .shapes import FunctionShapes, Instance, Shapes, reachable
from .storage import REGISTER, Storage


def analyse(
    module: Module,
    storage: Storage,
    lives: liveness.Table,
    kernels: Mapping[str, tuple[Instance, ...]],
    *,
    likely: bool,
    ragged: frozenset[str] = frozenset(),
    meetings: frozenset[tree.BuiltinCall] = frozenset(),
) -> Shapes:
    """Find the shapes of the versions of every kernel of `module`, and of all that they call.

    `likely`: also what holds in nearly all gangs (see `speculative_stride`). `ragged`: the functions of kernels with
    rows of which some are no whole gangs. `meetings`: warp functions that get values from other calls, too.
    """
    return _Program(module, storage, lives, kernels, likely=likely, ragged=ragged, meetings=meetings).run()


MAX_INSTANCES = 16  # of one function; past that, affine arguments count as varying


class _Program:
    """Iterates over all instances until no result changes."""

    def __init__(
        self,
        module: Module,
        storage: Storage,
        lives: liveness.Table,
        kernels: Mapping[str, tuple[Instance, ...]],
        *,
        likely: bool,
        ragged: frozenset[str],
        meetings: frozenset[tree.BuiltinCall],
    ) -> None:
        self.module = module
        self.ragged = ragged
        self.meetings = meetings
        self.storage = storage
        self.kernels = kernels
        self.lives = lives
        self.likely = likely
        self.instances: dict[Instance, FunctionShapes] = {}
        self.order: list[Instance] = []  # in which they were found
        self.counts: dict[str, int] = {}
        self.crowded: list[str] = []  # functions that have MAX_INSTANCES as of now
        self.recursive = recursive_functions(module)
        self.placed = functions_reaching(module, _reads_thread_index)
        self.fixed = _fixed_parameters(module)
        self.unknown_is_varying = False

    def run(self) -> Shapes:
        versions = list(itertools.chain.from_iterable(self.kernels.values()))
        for version in versions:
            self.get(version)
        self.settle(range(len(self.order)))
        self.unknown_is_varying = True  # what is still unknown was never assigned, or never returns
        self.settle([at for at, instance in enumerate(self.order) if _leaves_unknown(self.instances[instance])])
        return Shapes(self.storage, reachable(self.instances, versions), self.kernels)

    def live_in(self, name: str) -> Liveness:
        return self.lives.of(self.module.functions[name])

    def outlined(self, node: tree.Loop) -> tree.OutlinedLoop | None:
        """What is known of a loop that may run in a narrower gang; None if it may not: it needs variables in memory."""
        loop = self.module.outlined.get(node)
        if loop is None or any(self.storage.of(variable) != REGISTER for variable in loop.captured):
            return None
        return loop

    def settle(self, first: Iterable[int]) -> None:
        """Analyse instances by a worklist, in the order in which they were found, until no result changes.

        The first iteration takes the instances with the numbers `first`. Later iterations revisit new instances,
        callers of an instance whose result changed, and callers of a function that hit the limit of instances.
        """
        due = [(0, number) for number in first]  # a heap of iterations, and numbers in the order
        callers: defaultdict[Instance | str, set[int]] = defaultdict(set)
        for number, instance in enumerate(self.order):
            for called in self.instances[instance].calls.values():
                callers[called].add(number)
                callers[called.name].add(number)
        while due:
            turn, number = heapq.heappop(due)
            if due and due[0] == (turn, number):
                continue
            shapes = self.instances[self.order[number]]
            result, found = shapes.result, len(self.order)
            find_shapes(self, shapes)
            for called in shapes.calls.values():
                callers[called].add(number)
                callers[called.name].add(number)
            changed: list[Instance | str] = [*self.crowded]
            self.crowded.clear()
            changed += [shapes.instance] if shapes.result != result else []
            for caller in set().union(*(callers[called] for called in changed)):
                heapq.heappush(due, (turn if caller > number else turn + 1, caller))
            for other in range(found, len(self.order)):
                heapq.heappush(due, (turn + 1, other))

    def get(self, instance: Instance) -> FunctionShapes:
        if instance not in self.instances:
            self.order.append(instance)
            self.counts[instance.name] = self.counts.get(instance.name, 0) + 1
            if self.counts[instance.name] == MAX_INSTANCES:
                self.crowded.append(instance.name)
            function = self.module.functions[instance.name]
            self.instances[instance] = FunctionShapes(instance, function, instance.args)
            alone = self.alone(instance)
            if alone != instance:
                self.get(alone)
                self.instances[instance].alone = alone
        return self.instances[instance]

    def alone(self, instance: Instance) -> Instance:
        """Return the instance of a recursive function for a single lane, for which every argument is uniform.

        Lanes that search a tree diverge until each is alone: then scalar code is quicker.
        """
        name = instance.name
        function = self.module.functions[name]
        if name not in self.recursive or function.inline == "always" or function.result != VOID:
            return instance
        if name in self.storage.synchronising:
            return instance
        parts = [part for arg in instance.args for part in (arg if isinstance(arg, tuple) else (arg,))]
        if function.looped and all(part is None or part.uniform or part.interleave for part in parts):
            return instance  # with scalars for all but the lanes' own objects, which a loop keeps in registers

        def one(shape: Shape | None) -> Shape:
            return Shape(Kind.UNIFORM, interleave=shape.interleave if shape is not None else 0)

        args = tuple(tuple(one(part) for part in arg) if isinstance(arg, tuple) else one(arg) for arg in instance.args)
        return replace(instance, args=args)

    def instance(
        self, caller: Instance, name: str, args: list[Known], divergent: bool, constants: list[int | None]
    ) -> Instance:
        """Return the instance that serves a call; few instances are better than precise ones."""
        synchronises = name in self.storage.synchronising
        crowded = self.counts.get(name, 0) >= MAX_INSTANCES

        def simplify(shape: Shape | None) -> Shape | None:
            if shape is None:
                return VARYING
            if shape.uniform:
                return Shape(shape.kind if synchronises else Kind.UNIFORM, interleave=shape.interleave)
            if shape.kind == Kind.AFFINE and crowded and not shape.interleave:
                return VARYING
            return plain(shape, caller.lanes) if shape.scalar else replace(VARYING, interleave=shape.interleave)

        simple = tuple(tuple(simplify(p) for p in arg) if isinstance(arg, tuple) else simplify(arg) for arg in args)
        fixed = tuple(value if i in self.fixed[name] and not crowded else None for i, value in enumerate(constants))
        return Instance(
            name,
            simple,
            caller.along if name in self.placed else "x",
            caller.lanes,
            divergent and synchronises,
            fixed if any(value is not None for value in fixed) else (),
        )


def _leaves_unknown(shapes: FunctionShapes) -> bool:
    """Whether some value of an instance is not known."""
    return any(is_unknown(shape) and node.type != VOID for node, shape in shapes.expressions.items())


def _reads_thread_index(node: tree.Node) -> bool:
    return isinstance(node, tree.ThreadIndex) and node.name == "threadIdx"


def _fixed_parameters(module: Module) -> dict[str, frozenset[int]]:
    """Return the integer parameters, by number, that recursive functions never change: they hand them on, and only so.

    A function may call itself through others. All parameters are taken for fixed until something else is seen.
    """
    reached = reached_functions(module)
    calls = [
        (caller, node)
        for caller, function in module.functions.items()
        for node in walk(function.body)
        if isinstance(node, tree.Call) and caller in reached[node.function]
    ]
    fixed: dict[str, dict[Variable, int]] = {}
    for name, function in module.functions.items():
        changed = written_variables(function.body) | addressed_variables(function.body)
        numbered = {param: i for i, param in enumerate(function.params) if name in reached[name]}
        fixed[name] = {param: i for param, i in numbered.items() if is_integer(param.type) and param not in changed}
    while other := [
        (called, param)
        for caller, call in calls
        for called in [call.function]
        for param, i in fixed[called].items()
        if _named(call.args[i]) not in fixed[caller]
    ]:
        for called, param in other:
            fixed[called].pop(param, None)
    return {name: frozenset(params.values()) for name, params in fixed.items()}


def _named(node: tree.Expr) -> Variable | None:
    """Return the variable whose value `node` is."""
    if isinstance(node, tree.Load) and isinstance(node.place, tree.VarRef):
        return node.place.variable
    return None
