"""A recursive function that a warp may run in lockstep: its calls, and what of them is the same for the warp."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ....analysis import liveness, storage
from ....analysis.call_sets import Table
from ....analysis.frames import Frames, RefusedError
from ....analysis.program_shapes import analyse
from ....analysis.shapes import FunctionShapes, Instance, Shapes, kernel_instance
from ....analysis.walks import calls, handed_on, parts
from ....lang.builtins import WARP_SIZE
from ....lang.compiler_calls import VOTE
from ....lang.ctype import Pointer, Scalar
from ....tree import nodes as tree
from ....tree.calls import reached_functions
from ....tree.effects import is_barrier, is_of_warp, is_vote, named_variables, written_variables
from ....tree.nodes import Function, Module, Variable
from ....tree.walk import map_children, walk
from ..pseudo_tail import Converted, Refused, pseudo_tail, put_in_place
from ..ropes import is_tail_recursive, tail_calls, without_votes

MOST_SITES = 32  # a bit of a word for each


@dataclass(frozen=True)
class Site:
    """A recursive call in the text of a visit. `certain`: lanes that make another call of its group make this one."""

    index: int
    group: int
    call: tree.Call
    certain: bool


class Traversal:
    """A recursive function in pseudo-tail form, or one that calls itself only to return. Raises `RefusedError`.

    `function`: the form; `begin`: what its added parameters are in the first call. `sites`: its calls, in order. Those
    of one group are made by the same lanes, each by all of these or by none. `common`: the parameters that change from
    call to call and are the same in all lanes that make a call; `own`: the others that change. `votes`: the `if`s of
    which a warp may choose one arm for all its lanes.
    """

    def __init__(self, module: Module, name: str) -> None:
        self.module, self.name = module, name
        self.kernels = [kernel for kernel in module.kernels if name in reached_functions(module)[kernel.name]]
        self._require_alone()
        self._require_unguided()
        function, self.begin = self._converted()
        self.votes: set[tree.If] = set()
        self.function = replace(function, body=self._without_votes(function.body))
        self.in_place = self._in_place()
        self._require_types()
        self.common, self.own = self._divided()
        self.sites = tuple(self._sites())

    # ------------------------------------------------------------------------------------------ what is refused

    def _refuse(self, why: str) -> RefusedError:
        return RefusedError(self.module.functions[self.name].span, why)

    def _require_alone(self) -> None:
        """Require that the warp's stack is for this traversal alone as long as it runs."""
        functions, reached = self.module.functions, reached_functions(self.module)
        inside = reached[self.name] | {self.name}
        for other in sorted(inside - {self.name}):
            if other in reached[other]:
                raise self._refuse(f"'{other}', which it calls, is recursive too")
        for called in sorted(inside):
            nodes = list(walk(functions[called].body))
            if any(map(is_barrier, nodes)) or any(map(is_of_warp, nodes)):
                raise self._refuse(f"'{self.name}' meets other threads itself")
        for kernel in self.kernels:
            for called in (kernel.name, *sorted(reached[kernel.name])):
                if any(variable.dynamic for variable in _shared(functions[called])):
                    raise self._refuse(f"kernel '{kernel.name}' uses dynamic shared memory itself")

    def _require_unguided(self) -> None:
        """Require that lanes meet the nodes in one order, or may (`#pragma s2s any_order`)."""
        arms: tuple[Literal["then", "other"], ...] = ("then", "other")
        for arm in arms:
            found = {sets.function.name: sets for sets in Table(_decided(self.module, arm)).found}[self.name]
            if found.kind == "guided":
                vote = "; '#pragma s2s any_order' before the 'if' that chooses lets warps vote"
                raise self._refuse(f"it is guided: {found.why}{vote * ('on the order' in found.why)}")

    def _require_types(self) -> None:
        for param in _changing(self.function):
            if not isinstance(param.type, Scalar | Pointer):
                raise RefusedError(
                    param.span, f"'{param.name}', which changes from call to call, is no number or pointer"
                )

    # -------------------------------------------------------------------------------------------- the form

    def _converted(self) -> tuple[Function, Mapping[Variable, tree.Constant]]:
        function = self.module.functions[self.name]
        if is_tail_recursive(function):
            return function, {}
        functions = {name: _with_pure_votes(other) for name, other in self.module.functions.items()}
        converted = pseudo_tail(replace(self.module, functions=functions), self.name)
        if isinstance(converted, Refused):
            raise RefusedError(converted.span, converted.why)
        old = len(function.params)
        return converted.function, dict(zip(converted.function.params[old:], converted.root_args, strict=True))

    def _without_votes(self, body: tree.Block) -> tree.Block:
        """Return the body in which each lane decides for itself, and note where warps may."""

        def change(node: tree.Node) -> tree.Node:
            if is_vote(node):
                return change(node.args[0])
            new = map_children(node, change)
            if isinstance(node, tree.If) and is_vote(node.cond):
                assert isinstance(new, tree.If)
                self.votes.add(new)
            return new

        return map_children(body, change)

    def _in_place(self) -> Module:
        """Return the module with the form in the place of the function."""
        return put_in_place(self.module, Converted(self.function, tuple(self.begin.values())))

    # ------------------------------------------------------------------------------- the same for all lanes

    @cached_property
    def _shapes(self) -> Shapes:
        module = without_votes(self.in_place)
        versions = {kernel.name: (kernel_instance(kernel, "", WARP_SIZE),) for kernel in self.kernels}
        return analyse(module, storage.decide(module), liveness.Table(), versions, likely=False)

    @cached_property
    def _instances(self) -> list[FunctionShapes]:
        """What is known of the function, for each combination of arguments that warps call it with."""
        todo: list[Instance] = [self._shapes.kernels[kernel.name][0] for kernel in self.kernels]
        found = dict.fromkeys(todo)
        while todo:
            for called in self._shapes.instances[todo.pop()].calls.values():
                if called not in found:
                    found[called] = None
                    todo.append(called)
        return [self._shapes.instances[instance] for instance in found if instance.name == self.name]

    def is_common(self, expr: tree.Expr) -> bool:
        """Whether an expression in a visit has one value in all lanes that evaluate it together."""
        return all(shapes.of(expr).uniform for shapes in self._instances)

    def _divided(self) -> tuple[tuple[Variable, ...], tuple[Variable, ...]]:
        common: list[Variable] = []
        own: list[Variable] = []
        for i, param in enumerate(self.function.params):
            if param in _changing(self.function):
                args = [shapes.args[i] for shapes in self._instances]
                same = all(arg is not None and not isinstance(arg, tuple) and arg.uniform for arg in args)
                (common if same else own).append(param)
        if not common:
            raise self._refuse("no argument of its calls is the same in all lanes: they are at nodes of their own")
        return tuple(common), tuple(own)

    # --------------------------------------------------------------------------------------------- the calls

    def _sites(self) -> Iterator[Site]:
        found = list(self._grouped())
        if len(found) > MOST_SITES:
            raise self._refuse(f"a visit makes {len(found)} calls, of which no more than {MOST_SITES} can be noted")
        numbers: dict[object, int] = {}
        for index, (call, group, certain) in enumerate(found):
            yield Site(index, numbers.setdefault(group, len(numbers)), call, certain)

    def _grouped(self) -> Iterator[tuple[tree.Call, object, bool]]:
        """Yield each call with its group, and whether a lane that makes a call of the group makes this one."""
        if not self.begin and is_tail_recursive(self.function):
            for call in calls(self.function.body, self.name):
                yield call, call, True
            return
        frames = Frames(self.in_place, self.function)
        yield from self._of_arm(self.function.body.statements, object(), frames.is_stable, certain=True)

    def _of_arm(
        self, statements: Sequence[tree.Stmt], group: object, is_stable: Callable[[tree.Node], bool], *, certain: bool
    ) -> Iterator[tuple[tree.Call, object, bool]]:
        found = parts(statements, self.name, is_stable)
        assert found is not None
        if found.fork is not None:
            together = found.fork not in self.votes and self.is_common(found.fork.cond)
            for arm in (found.fork.then, found.fork.other):
                inside = group if together else object()
                yield from self._of_arm(arm.statements, inside, is_stable, certain=not together)
        for node in found.steps:
            yield from self._of_step(node, group, certain=certain)

    def _of_step(self, node: tree.Stmt, group: object, *, certain: bool) -> Iterator[tuple[tree.Call, object, bool]]:
        match node:
            case tree.Evaluate(expr=tree.Call() as call):
                yield call, group, certain
            case tree.Block():
                for below in node.statements:
                    yield from self._of_step(below, group, certain=certain)
            case tree.If():
                together = self.is_common(node.cond)
                for arm in (node.then, node.other):
                    inside = group if together else object()
                    for below in arm.statements:
                        yield from self._of_step(below, inside, certain=not together)

    @property
    def tail(self) -> set[tree.Call]:
        """The calls whose values the function returns, or after which it does nothing."""
        if self.begin or not is_tail_recursive(self.function):
            return set()
        return set(tail_calls(self.function))

    def changing(self, site: Site) -> list[tuple[Variable, tree.Expr]]:
        """Return the parameters that change from call to call, and their values in a call."""
        among = {*self.common, *self.own}
        pairs = zip(self.function.params, site.call.args, strict=True)
        return [(param, arg) for param, arg in pairs if param in among]

    def is_known(self, param: Variable, arg: tree.Expr) -> bool:
        """Whether every lane can compute an argument, also one that makes no call: of parameters and numbers alone."""
        if param in self.own:
            return isinstance(arg, tree.Constant)
        changed = written_variables(self.function.body)
        named = named_variables(arg)
        known = set(self.function.params) - changed - set(self.own)
        plain = tree.Constant | tree.VarRef | tree.Binary | tree.Convert
        reads = tree.Load
        return named <= known and all(
            isinstance(below, plain) or (isinstance(below, reads) and isinstance(below.place, tree.VarRef))
            for below in walk(arg)
        )


def _changing(function: Function) -> list[Variable]:
    return [param for param, kept in zip(function.params, handed_on(function), strict=True) if not kept]


def _shared(function: Function) -> set[Variable]:
    return {variable for variable in named_variables(function.body) if variable.storage == "shared"}


_PURE_VOTE = replace(VOTE, pure=True)


def _with_pure_votes(function: Function) -> Function:
    """Return a function whose votes may be moved as other conditions may: what comes out is any order at all."""

    def change(node: tree.Node) -> tree.Node:
        new = map_children(node, change)
        return replace(new, builtin=_PURE_VOTE) if is_vote(new) else new

    return replace(function, body=map_children(function.body, change))


def _decided(module: Module, arm: Literal["then", "other"]) -> Module:
    """Return a module in which all votes end alike."""

    def change(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.If) and is_vote(node.cond):
            return change(node.then if arm == "then" else node.other)
        return map_children(node, change)

    functions = {name: replace(f, body=map_children(f.body, change)) for name, f in module.functions.items()}
    return replace(module, functions=functions)
