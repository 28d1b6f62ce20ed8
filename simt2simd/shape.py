"""The shape of every expression and variable: block-uniform, uniform, affine or varying (see `lattice`).

The analysis is interprocedural: a function is analysed once per combination of argument shapes
(`Instance`), recursion by fixpoint. "Active" is the point: in a traversal
`visit(p, node->left); visit(p, node->right);` each call passes one node to a subset of the lanes, so
the node is UNIFORM by construction and its fields are scalar loads.
"""

from __future__ import annotations

from dataclasses import replace

from . import liveness, outcome, storage, tree
from .ctype import is_integer
from .divergence import FunctionAnalysis
from .instance import FunctionShapes, Instance, Shapes, kernel_instance
from .lattice import UNIFORM, VARYING, Kind, Known, Shape, plain
from .liveness import Liveness
from .outline import outline
from .storage import REGISTER
from .tree import Function, Module, Variable


def analyse(module: Module) -> Shapes:
    """Find the shapes of every kernel of `module` and of all that they call."""
    return _Program(module).run()


MUCH_BETTER = 0.8
MAX_INSTANCES = 16  # of one function; past that, affine arguments count as varying


class _Program:
    """Iterates over all instances until no result changes."""

    def __init__(self, module: Module) -> None:
        self.module = module = outline(module)
        self.storage = storage.decide(module)
        self.liveness = {name: liveness.analyse(function) for name, function in module.functions.items()}
        self.instances: dict[Instance, FunctionShapes] = {}
        self.counts: dict[str, int] = {}
        self.placed = tree.reaching(module, _reads_thread_index)
        self.fixed = {name: _fixed_parameters(function) for name, function in module.functions.items()}
        self.unknown_is_varying = False

    def run(self) -> Shapes:
        roots = [kernel_instance(kernel, along) for kernel in self.module.kernels for along in ("x", "")]
        roots += [kernel_instance(kernel, "y") for kernel in self.module.kernels if self.may_run_along_y(kernel)]
        for root in roots:
            self.get(root)
        self.settle()
        self.unknown_is_varying = True  # what is still unknown was never assigned, or never returns
        self.settle()
        along_y = frozenset(root.name for root in roots if root.along == "y" and self.better_along_y(root))
        kept = [root for root in roots if root.along != "y" or root.name in along_y]
        return Shapes(self.storage, self.reachable(kept), along_y)

    def may_run_along_y(self, kernel: Function) -> bool:
        """Whether a kernel uses both axes of its blocks, and has no barriers: those are left as they are."""
        axes = {
            node.axis
            for node in tree.walk(kernel.body)
            if isinstance(node, tree.ThreadIndex) and _reads_thread_index(node)
        }
        return axes >= {0, 1} and kernel.name not in self.storage.synchronising

    def better_along_y(self, root: Instance) -> bool:
        """Whether gangs along y access memory clearly better than gangs along x."""
        across, along = (outcome.access_costs(self.instances[replace(root, along=a)], self.storage) for a in "xy")
        return along < MUCH_BETTER * across

    def live_in(self, name: str) -> Liveness:
        return self.liveness[name]

    def lane_loop(self, node: tree.Loop) -> tree.LaneLoop | None:
        """What is known of a loop that may run lane by lane; None if it may not: it needs variables in memory."""
        found = self.module.lane_loops.get(node)
        if found is None or any(self.storage.of(variable) != REGISTER for variable in found.captured):
            return None
        return found

    def settle(self) -> None:
        while True:
            before = [shapes.result for shapes in self.instances.values()]
            for shapes in list(self.instances.values()):
                FunctionAnalysis(self, shapes).run()
            if before == [shapes.result for shapes in self.instances.values()]:
                break

    def get(self, instance: Instance) -> FunctionShapes:
        if instance not in self.instances:
            self.counts[instance.name] = self.counts.get(instance.name, 0) + 1
            function = self.module.functions[instance.name]
            self.instances[instance] = FunctionShapes(instance, function, instance.args)
        return self.instances[instance]

    def reachable(self, roots: list[Instance]) -> dict[Instance, FunctionShapes]:
        found: dict[Instance, FunctionShapes] = {}
        todo = list(reversed(roots))
        while todo:
            instance = todo.pop()
            if instance not in found:
                found[instance] = self.instances[instance]
                inside = found[instance]
                todo += reversed([*inside.calls.values(), *(alone for _, alone in inside.lane_loops.values())])
        return found

    def instance(
        self, name: str, args: list[Known], along: str, divergent: bool, constants: list[int | None]
    ) -> Instance:
        """Return the instance that serves a call; few instances are better than precise ones."""
        synchronises = name in self.storage.synchronising
        crowded = self.counts.get(name, 0) >= MAX_INSTANCES

        def simplify(shape: Shape | None) -> Shape | None:
            if shape is None:
                return VARYING
            if shape.uniform:
                return UNIFORM if not synchronises else Shape(shape.kind)
            if shape.kind == Kind.AFFINE and crowded and not shape.interleave:
                return VARYING
            return plain(shape) if shape.scalar else replace(VARYING, interleave=shape.interleave)

        simple = tuple(tuple(simplify(p) for p in arg) if isinstance(arg, tuple) else simplify(arg) for arg in args)
        fixed = tuple(value if i in self.fixed[name] and not crowded else None for i, value in enumerate(constants))
        return Instance(
            name,
            simple,
            along if name in self.placed else "x",
            divergent and synchronises,
            fixed if any(value is not None for value in fixed) else (),
        )


def _reads_thread_index(node: tree.Node) -> bool:
    return isinstance(node, tree.ThreadIndex) and node.name == "threadIdx"


def _fixed_parameters(function: Function) -> frozenset[int]:
    """Return the integer parameters, by number, that a recursive function never changes: it hands them on to itself."""
    nodes = list(tree.walk(function.body))
    calls = [node for node in nodes if isinstance(node, tree.Call) and node.function == function.name]
    changing = (tree.Assign, tree.CompoundAssign, tree.Increment, tree.AddressOf)
    changed = {storage.root(node.place) for node in nodes if isinstance(node, changing)}

    def fixed(i: int, param: Variable) -> bool:
        handed_on = all(
            isinstance(arg := call.args[i], tree.Load)
            and isinstance(arg.place, tree.VarRef)
            and arg.place.variable is param
            for call in calls
        )
        return bool(calls) and handed_on and param not in changed and is_integer(param.type)

    return frozenset(i for i, param in enumerate(function.params) if fixed(i, param))
