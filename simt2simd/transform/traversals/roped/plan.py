"""How a kernel calls a traversal by ropes: the tree is known at the launch, and lasts as long as it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ....analysis.call_sets import fixed_values, quoted
from ....analysis.frames import RefusedError
from ....analysis.walks import Pointers, calls
from ....lang.ctype import INT, VOID, Pointer, Scalar, leaves
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.calls import reached_functions
from ....tree.effects import (
    addressed_variables,
    in_union,
    is_changeable,
    is_volatile,
    only_reads,
    root,
    write_of,
    written_variables,
)
from ....tree.nodes import Function, Module, Variable
from ....tree.same import same_text
from ....tree.walk import children, map_children, walk
from .expressions import NoPlaceError, renewed, substituted
from .links import ropes_of
from .traversal import Traversal, by_ropes


class Plan:
    """How a kernel calls a traversal by ropes. Raises `RefusedError` if it cannot.

    `way`: the functions by which its calls come there.
    """

    def __init__(self, module: Module, traversal: Traversal, kernel: Function) -> None:
        self.module, self.traversal, self.kernel = module, traversal, kernel
        self.reached = reached_functions(module)
        below = self.reached[kernel.name] - {traversal.name}
        self.way = {name for name in below if traversal.name in self.reached[name]}
        self.callers = [module.functions[name] for name in (kernel.name, *sorted(self.way))]
        for name in self.way:
            if name in self.reached[name]:
                raise RefusedError(traversal.function.span, f"'{name}', which calls it, is recursive")
        begin = traversal.function.params[traversal.place]
        places = {param: i for i, param in enumerate(traversal.function.params)}
        self.values = {param: self.at_launch(traversal.name, places[param]) for param in (*traversal.needed, begin)}
        self._require_lasting()

    # ------------------------------------------------------------------------- what calls from outside pass

    def at_launch(self, name: str, place: int) -> tree.Expr:
        """Return the argument that all calls of a function pass, in terms of the kernel's parameters."""
        param = self.module.functions[name].params[place]
        found = [self.value(caller, call.args[place]) for caller in self.callers for call in calls(caller.body, name)]
        if not all(same_text(found[0], other) for other in found[1:]):
            raise RefusedError(param.span, f"the calls of '{name}' pass different values of '{param.name}'")
        return found[0]

    def value(self, function: Function, node: tree.Expr) -> tree.Expr:
        changed = written_variables(function.body) | addressed_variables(function.body)
        fixed = fixed_values(function)

        def of(variable: Variable) -> tree.Expr:
            if variable in function.params and variable not in changed:
                if function is self.kernel:
                    return Build(node.span).read(variable)
                return self.at_launch(function.name, function.params.index(variable))
            if variable in fixed:
                return self.value(function, fixed[variable])
            raise self.may_differ(node)

        if not only_reads(node) or any(isinstance(below, tree.ThreadIndex) for below in walk(node)):
            raise self.may_differ(node)
        try:
            return substituted(node, of)
        except NoPlaceError:
            raise self.may_differ(node) from None

    def may_differ(self, node: tree.Expr) -> RefusedError:
        name = self.traversal.name
        return RefusedError(
            node.span, f"{quoted(node)}, which '{name}' is called with, may differ from thread to thread"
        )

    # ------------------------------------------------------------------------------- the tree stays the same

    def _require_lasting(self) -> None:
        """Refuse kernels that may change the tree between the beginning of the launch and a traversal."""
        traversal = self.traversal
        nodes: list[tree.Node] = [*traversal.empty, *traversal.structure, *self.values.values()]
        loads = [
            node for top in nodes for node in walk(top) if isinstance(node, tree.Load) and root(node.place) is None
        ]
        if not loads:
            return
        for place in self._written():
            if any(_may_overlap(place, load) for load in loads):
                span = place.span
                why = f"kernel '{self.kernel.name}' writes, before a traversal, to memory in which the tree may lie"
                raise RefusedError(span, why)

    def _written(self) -> Iterator[tree.Node]:
        """What the kernel may write before a traversal begins, of memory that is not the thread's own."""
        pointers = self.traversal.frames.pointers
        reached = [self.module.functions[name] for name in (self.kernel.name, *sorted(self.reached[self.kernel.name]))]
        if any(_may_know_of_others(node, pointers) for function in reached for node in walk(function.body)):
            yield from (
                place for function in reached for node in walk(function.body) for place in _places(node, pointers)
            )
            return
        way = {*self.way, self.traversal.name}
        for caller in self.callers:
            for node in _before(caller.body, lambda node: isinstance(node, tree.Call) and node.function in way):
                yield from _places(node, pointers)
                if isinstance(node, tree.Call):
                    for name in (node.function, *self.reached[node.function]):
                        body = self.module.functions[name].body
                        yield from (place for below in walk(body) for place in _places(below, pointers))

    # ------------------------------------------------------------------------------------- what is made of it

    def by_block(self) -> list[Function]:
        """Return the functions by which the threads of a block install the ropes: one begins, all link."""
        return [self._step("begin_ropes", None), self._step("link_ropes", replace(self.traversal.node, name="n"))]

    def _step(self, what: str, node: Variable | None) -> Function:
        """Return a function of the kernel's parameters that does a step for a node, or for the root."""
        kernel, build, traversal = self.kernel, Build(self.kernel.span), self.traversal
        own = [replace(param) for param in traversal.links.params]
        new = [*([] if node is None else [node]), *own]
        begin = self.values[traversal.node] if node is None else build.read(node)
        args = [*(self.values[param] for param in traversal.needed), begin, *map(build.read, own)]
        call = tree.Call(build.span, INT, f"{traversal.name}_{what}", tuple(args))
        made = replace(
            kernel,
            name=f"{kernel.name}_{what}",
            kind="device",
            params=(*kernel.params, *new),
            result=INT,
            body=build.block(tree.Return(build.span, call)),
            max_threads=None,
            min_blocks=None,
            static=False,
            helps=kernel.name,
        )
        return renewed(made)

    def installer(self) -> Function:
        """Return the kernel that installs the ropes, with one thread."""
        kernel, build, traversal = self.kernel, Build(self.kernel.span), self.traversal
        ropes, room = ropes_of(kernel, const=False), Variable("room", INT, kernel.span, "param")
        state = Variable("state", Pointer(INT), kernel.span, "param")
        args = [*(self.values[param] for param in (*traversal.needed, traversal.node)), build.read(ropes)]
        call = tree.Call(build.span, INT, f"{traversal.name}_install_ropes", (*args, build.read(room)))
        body = build.block(build.assign(tree.Deref(build.span, INT, build.read(state)), call))
        made = replace(
            kernel,
            name=f"{kernel.name}_install_ropes",
            params=(*kernel.params, ropes, room, state),
            body=body,
            max_threads=None,
            min_blocks=None,
            helps=kernel.name,
        )
        return renewed(made)


def _before(body: tree.Block, wanted: Callable[[tree.Node], bool]) -> Iterator[tree.Node]:
    """What may be evaluated before one of the `wanted` nodes in a function: it precedes it, or is in a loop with it."""
    nodes = list(_in_order(body))
    last = max((i for i, node in enumerate(nodes) if wanted(node)), default=-1)
    yield from nodes[: max(last, 0)]
    loops = [node for node in nodes if isinstance(node, tree.Loop) and any(map(wanted, walk(node)))]
    yield from (below for loop in loops for below in walk(loop))


def _in_order(node: tree.Node) -> Iterator[tree.Node]:
    """All nodes, those below a node before it."""
    for child in children(node):
        yield from _in_order(child)
    yield node


def _may_know_of_others(node: tree.Node, pointers: Pointers) -> bool:
    """Whether a thread may find out by `node` what another one has done meanwhile."""
    match node:
        case tree.VarRef(variable=variable):
            return is_changeable(variable)
        case tree.Deref() | tree.Index():
            return is_volatile(node)
        case tree.BuiltinCall(builtin=builtin):
            return not builtin.pure and builtin.op != "trap" and not pointers.keeps_to_itself(node)
    return False


def _places(node: tree.Node, pointers: Pointers) -> Iterator[tree.Node]:
    """The places, or pointers to them, that `node` itself writes to, if they are not the thread's own."""
    if pointers.keeps_to_itself(node):
        return
    write = write_of(node)
    if write is not None:
        yield write.place
    elif isinstance(node, tree.BuiltinCall):
        yield from (arg for arg in node.args if isinstance(arg.type, Pointer))


def _may_overlap(written: tree.Node, load: tree.Load) -> bool:
    """Whether memory that is written may be what is read, by the rule that an object is accessed as what it is."""
    assert isinstance(written, tree.Place | tree.Expr)
    ctype = written.type
    if isinstance(written, tree.Expr) and isinstance(ctype, Pointer):
        ctype = ctype.target
    if ctype == VOID or in_union(written) or in_union(load.place):
        return True
    return any(_may_be(one, other) for _, one in leaves(ctype) for _, other in leaves(load.type))


def _may_be(written: Scalar | Pointer, read: Scalar | Pointer) -> bool:
    if isinstance(written, Scalar) and isinstance(read, Scalar):
        return written.size == 1 or (written.size == read.size and written.kind == read.kind)
    return isinstance(written, Pointer) == isinstance(read, Pointer) or written.size == 1


def with_ropes(function: Function, ways: set[str], name: str, place: int | None = None) -> Function:
    """Return a function that hands ropes on to the traversal `name` and to those by which it comes there.

    The new parameter is at `place`, or the last one.
    """
    ropes = ropes_of(function)

    def change(node: tree.Node) -> tree.Node:
        node = map_children(node, change)
        if isinstance(node, tree.Call) and (node.function in ways or node.function == name):
            read = Build(node.span).read(ropes)
            return replace(node, function=by_ropes(node.function), args=(*node.args, read))
        return node

    params = list(function.params)
    params.insert(len(params) if place is None else place, ropes)
    body = map_children(function.body, change)
    helps = function.helps or function.name
    return renewed(replace(function, name=by_ropes(function.name), params=tuple(params), body=body, helps=helps))


def with_unused_ropes(function: Function, place: int) -> Function:
    params = list(function.params)
    params.insert(place, ropes_of(function))
    return renewed(replace(function, name=by_ropes(function.name), params=tuple(params)))
