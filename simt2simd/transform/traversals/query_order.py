"""Tree-to-tree: what a launch needs to run the threads of a traversal in another order.

**Known as:** query reordering, point sorting.

Threads that search near each other in space visit the same nodes: in one gang they share the visits. A program need not
ask its queries in such an order. So a kernel whose threads search a tree gets two kernels more, and a launch that finds
neighbouring threads far from each other (runtime/exec/query_sort.c) sorts its threads by what they search for:

    __global__ void k(..., int n) {              __global__ void k_coordinates(..., int n, float *coordinates,
        int i = blockIdx.x * blockDim.x +                                      unsigned int count) {
                threadIdx.x;                         *coordinates = coordinates[count] = NAN;
        if (i >= n) return;                          int i = ...;
        Query q = {x[i], y[i], 0};                   if (i >= n) return;
        visit(nodes, 0, &q);                         Query q = {x[i], y[i], 0};
        found[i] = q.count;                          *coordinates = q.x; coordinates[count] = q.y; return;
    }                                            }
                                                 __global__ void k_in_order(..., int n, const unsigned int *order) {
                                                     ... as k, but threadIdx and blockIdx are those of
                                                     thread order[i] in place of thread i
                                                 }

The coordinates are what the first call of a recursive function is handed and what no visit changes: the scalars among
its arguments, and those in structs and arrays of the thread's own. They only decide an order: where they say nothing,
nothing is gained, and the result is the same.

`k_coordinates` runs what the thread does before that call, for a second time. So that may change nothing but the
thread's own variables. And threads must not know of each other: no shared memory, no barriers, no function that does
more than give a result.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...analysis.thread_independence import are_independent
from ...analysis.walks import Pointers
from ...lang.ctype import BOOL, FLOAT, INT, UINT, VOID, Array, Pointer, Scalar, Struct
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.calls import reached_functions, recursive_functions
from ...tree.companions import MOST_COORDINATES, AnyCompanion, Companion, RunsInOrder, StoresCoordinates
from ...tree.effects import declared_variables, is_local, only_reads, writes
from ...tree.names import free_name
from ...tree.nodes import Function, Module, Variable
from ...tree.rewrite import copied
from ...tree.threads import Places, companion, thread_index, thread_number, threads_of_block
from ...tree.walk import children, map_children, walk

MOST_ELEMENTS = 16  # of an array, that are coordinates


def query_order(module: Module) -> Module:
    """Return a module in which each such kernel has its two companions."""
    recursive = recursive_functions(module)
    if not recursive:
        return module
    reached = reached_functions(module)
    pointers = Pointers(module)
    functions = dict(module.functions)
    companions: list[AnyCompanion] = []
    for kernel in module.kernels:
        walks = reached[kernel.name] & recursive
        if not walks or not are_independent(module, kernel, reached[kernel.name]):
            continue
        way = reached[kernel.name] - recursive
        way = {name for name in way if reached[name] & recursive}
        try:
            made = _Coordinates(
                module, pointers, recursive, way, _changed_in(module, walks, reached), functions.keys()
            ).of(kernel)
        except _CannotTell:
            continue
        if made.count == 0:
            continue
        in_order = _in_order(kernel, functions.keys())
        functions |= {function.name: function for function in (*made.functions, in_order)}
        companions += [
            Companion(made.functions[-1].name, kernel.name, StoresCoordinates(made.count)),
            Companion(in_order.name, kernel.name, RunsInOrder()),
        ]
    return replace(module, functions=functions, companions=(*module.companions, *companions)) if companions else module


class _CannotTell(Exception):
    """It is not known what the threads of a kernel search for, or it cannot be computed ahead."""


def _changed_in(module: Module, walks: set[str], reached: dict[str, set[str]]) -> set[object]:
    """Return what visits change through pointers: members, as their struct and name, and elements, as their type."""
    changed: set[object] = set()
    for name in walks.union(*(reached[walk_] for walk_ in walks)):
        for write in writes(module.functions[name].body):
            if write.variable is None:
                members = [node for node in walk(write.place) if isinstance(node, tree.Member)]
                changed.update((str(node.base.type), node.name) for node in members)
                changed.add(write.place.type)
    return changed


# ------------------------------------------------------------------------------------------- what threads search for


@dataclass
class _Coordinates:
    """Makes the kernel that stores what the threads of a kernel search for.

    `way`: the functions by which calls reach the `recursive` ones. `changed`: what visits change. `taken`: names of
    functions. `names`: those of what is made, by what it is made from.
    """

    module: Module
    pointers: Pointers
    recursive: frozenset[str]
    way: set[str]
    changed: set[object]
    taken: Collection[str]
    names: dict[str, str] = field(default_factory=dict)
    count: int = 0
    functions: list[Function] = field(default_factory=list)  # those that are made, the kernel last

    def of(self, kernel: Function) -> _Coordinates:
        way = [name for name in self.module.functions if name in self.way]
        self.names = {name: free_name(f"{name}_coordinates", self.taken) for name in (*way, kernel.name)}
        for name in way:
            self.function(self.module.functions[name])
        to = Variable("coordinates", Pointer(FLOAT), kernel.span, "param")
        where = replace(to, name="where", storage="local")
        made = self.function(kernel, where)
        stride = made.params[-1]
        build = Build(kernel.span)
        there = tree.PointerAdd(kernel.span, to.type, build.read(to), thread_number(build))
        # Threads that make no call have no place in space.
        none = (_store(build, where, stride, i, build.number(FLOAT, math.nan)) for i in range(self.count))
        body = replace(made.body, statements=(build.declare(where, there), *none, *made.body.statements))
        self.functions[-1] = replace(made, params=(*made.params[:-2], to, stride), body=body)
        return self

    def function(self, function: Function, where: Variable | None = None) -> Function:
        """Make the part of a function that comes before the first call of a recursive one.

        Its last parameters say where coordinates go, and how far apart those of a thread are.
        """
        where = where or Variable("where", Pointer(FLOAT), function.span, "param")
        stride = Variable("count", UINT, function.span, "param")
        cut = _Cut(self, where, stride).block(function.body)
        new = {param: replace(param) for param in function.params}
        new |= {variable: replace(variable) for variable in declared_variables(function.body)}
        made = replace(
            function,
            name=self.names[function.name],
            params=(*(new[param] for param in function.params), where, stride),
            result=VOID,
            body=copied(cut, new),
            helps=function.name,
        )
        self.functions.append(made)
        return made

    # ------------------------------------------------------------------------------------ the call of a walk

    def values(self, call: tree.Call) -> list[tree.Expr]:
        """Return what distinguishes one call from another: the floating numbers, or the integers if there are none."""
        found = [value for arg in call.args for value in self.scalars(arg)]
        floats = [value for value in found if isinstance(value.type, Scalar) and value.type.kind == "float"]
        return (floats or found)[:MOST_COORDINATES]

    def scalars(self, arg: tree.Expr) -> Iterator[tree.Expr]:
        """Yield the scalars that an argument hands on, as it is or through a pointer to the thread's own memory."""
        build = Build(arg.span)
        match arg:
            case tree.Constant():
                return
            case tree.AddressOf(place=tree.VarRef() as place) if is_local(place.variable):
                yield from self.leaves(build, place)
            case tree.Decay(place=tree.VarRef() as place) if is_local(place.variable):
                if isinstance(place.type, Array) and place.type.element not in self.changed:
                    yield from self.leaves(build, place)
            case tree.Load() if isinstance(arg.type, Struct):
                if only_reads(arg):
                    yield from self.leaves(build, arg.place)
            case tree.Load() if isinstance(arg.type, Pointer) and self.pointers.is_own(arg):
                yield from self.leaves(build, tree.Deref(arg.span, arg.type.target, arg))
            case _ if isinstance(arg.type, Scalar) and arg.type not in (BOOL, VOID) and only_reads(arg):
                yield arg

    def leaves(self, build: Build, place: tree.Place) -> Iterator[tree.Expr]:
        match place.type:
            case Struct(union=False, fields=fields):
                for part in fields or ():
                    if (str(place.type), part.name) not in self.changed:
                        yield from self.leaves(build, build.member(copied(place), part))
            case Array(element=element, count=count):
                for i in range(min(count, MOST_ELEMENTS)):
                    yield from self.leaves(build, build.element(copied(place), element, build.number(INT, i)))
            case Scalar() as ctype if ctype not in (BOOL, VOID):
                yield tree.Load(build.span, ctype, place)


@dataclass(frozen=True)
class _Cut:
    """Cuts a function off after the first call on the way to a recursive function, which stores coordinates instead.

    Value number i goes to `where[i * stride]`.
    """

    made: _Coordinates
    where: Variable
    stride: Variable

    def block(self, block: tree.Block) -> tree.Block:
        """Return a block up to the call. A thread that comes after it without having called has done enough."""
        done: list[tree.Stmt] = []
        for i, node in enumerate(block.statements):
            calls = self.calls(node)
            if calls:
                done += self.last(node, calls)
                if block.statements[i + 1 :] and not isinstance(done[-1], tree.Return):
                    done.append(tree.Return(node.span, None))
                break
            done.append(self.kept(node))
        return replace(block, statements=tuple(done))

    def calls(self, node: tree.Node) -> list[tree.Call]:
        wanted = self.made.recursive | self.made.way
        return [below for below in walk(node) if isinstance(below, tree.Call) and below.function in wanted]

    def kept(self, node: tree.Stmt) -> tree.Stmt:
        """Return a statement that comes before the call: it may only change what is the thread's own.

        Memory that it does not initialise begins as zeros: it may be a coordinate.
        """
        self._require_own(node)
        return self._without_results(node)

    def _leaves_by(self, node: tree.Node) -> bool:
        """Whether `node` calls a function that may change more, or that takes a value back from its caller."""
        if not isinstance(node, tree.Call):
            return False
        bodies = (self.made.module.functions[name].body for name in (node.function, *self._below(node.function)))
        return not all(self.made.pointers.keeps_to_itself(below) for body in bodies for below in walk(body))

    def _below(self, name: str) -> set[str]:
        return self.made.pointers.reached[name]

    def _without_results(self, node: tree.Stmt) -> tree.Stmt:
        if isinstance(node, tree.Return):
            return replace(node, value=None)
        if isinstance(node, tree.Declare):
            own = node.variable.storage == "local"
            empty = own and node.initial is None and isinstance(node.variable.type, Struct | Array)
            return replace(node, initial=tree.Braces(node.span, ())) if empty else node
        return map_children(node, lambda below: self._without_results(below) if isinstance(below, tree.Stmt) else below)

    def last(self, node: tree.Stmt, calls: Sequence[tree.Call]) -> list[tree.Stmt]:
        """Return what takes the place of a statement with such calls in it; nothing after it is left."""
        match node:
            case tree.If() if not self.calls(node.cond):
                self._require_own(node.cond)
                return [replace(node, then=self.block(node.then), other=self.block(node.other))]
            case tree.Block():
                return [self.block(node)]
            case tree.Loop() if all(self.calls(part) == [] for part in children(node) if part is not node.body):
                for part in children(node):
                    if part is not node.body:
                        self._require_own(part)
                return [replace(node, body=self.block(node.body))]
            case tree.Switch() if not self.calls(node.value):
                self._require_own(node.value)
                sections = (replace(section, body=self.block(section.body)) for section in node.sections)
                return [replace(node, sections=tuple(sections))]
            case tree.Evaluate(expr=value) | tree.Declare(initial=value) | tree.Return(value=value):
                if len(calls) == 1 and isinstance(value, tree.Expr) and _is_first(value, calls[0]):
                    return [*self.instead(calls[0]), tree.Return(node.span, None)]
        raise _CannotTell

    def _require_own(self, node: tree.Node) -> None:
        """Raise `_CannotTell` if `node` may change what is not the thread's own: it would be changed twice."""
        for below in walk(node):
            if not self.made.pointers.keeps_to_itself(below) or self._leaves_by(below):
                raise _CannotTell

    def instead(self, call: tree.Call) -> Iterator[tree.Stmt]:
        """What a call becomes: stores of the coordinates, or the call of the function that stores them."""
        build = Build(call.span)
        if call.function in self.made.way:
            if not all(map(only_reads, call.args)):
                raise _CannotTell
            args = (*call.args, build.read(self.where), build.read(self.stride))
            yield build.evaluate(tree.Call(call.span, VOID, self.made.names[call.function], args))
            return
        values = self.made.values(call)
        self.made.count = max(self.made.count, len(values))
        for i, value in enumerate(values):
            yield _store(build, self.where, self.stride, i, build.convert(FLOAT, copied(value)))


def _store(build: Build, where: Variable, stride: Variable, i: int, value: tree.Expr) -> tree.Stmt:
    """`where[i * stride] = value`"""
    at = build.binary(build.number(UINT, i), "*", build.read(stride))
    return build.assign(tree.Index(build.span, FLOAT, build.read(where), at), value)


def _is_first(node: tree.Node, call: tree.Call) -> bool:
    """Whether `call`, somewhere in `node`, is evaluated whenever `node` is, and before all that has an effect."""
    if node is call:
        return True
    match node:
        case tree.Logical():
            return _is_first(node.left, call)
        case tree.Conditional():
            return _is_first(node.cond, call)
        case tree.Assign() | tree.CompoundAssign():
            return _is_first(node.value, call)
    for part in children(node):
        if any(below is call for below in walk(part)):
            return _is_first(part, call)
        if not only_reads(part):
            return False
    return False


# ------------------------------------------------------------------------------------------- threads in another order


def _in_order(kernel: Function, taken: Collection[str]) -> Function:
    """Return the kernel whose threads are those that a list names, in the list's order."""
    build = Build(kernel.span)
    order = Variable("order", Pointer(UINT, const=True), kernel.span, "param")
    number = tree.Load(kernel.span, UINT, tree.Index(kernel.span, UINT, build.read(order), thread_number(build)))
    first, places = _places(build, number)
    return companion(kernel, free_name(f"{kernel.name}_in_order", taken), first, places, order)


def _places(build: Build, number: tree.Expr) -> tuple[list[tree.Stmt], Places]:
    """Declare the place of thread `number` of the launch: `threadIdx` and `blockIdx`, by name and axis."""
    statements: list[tree.Stmt] = []
    places: Places = {}

    def declared(name: str, value: tree.Expr) -> Variable:
        variable = Variable(name, UINT, build.span, "local", const=True)
        statements.append(build.declare(variable, value))
        return variable

    def divided(left: Variable, right: Variable) -> tuple[tree.Expr, tree.Expr]:
        quotient = build.binary(build.read(left), "/", build.read(right))
        return quotient, build.binary(build.read(left), "%", build.read(right))

    thread = declared("thread", number)
    threads = declared("threads", threads_of_block(build))
    block, inside = divided(thread, threads)
    whole = {"blockIdx": declared("block", block), "threadIdx": declared("thread_of_block", inside)}
    for name, size in (("blockIdx", "gridDim"), ("threadIdx", "blockDim")):
        left = whole[name]
        for axis in (0, 1):
            length = declared(f"{size}_{'xy'[axis]}", thread_index(build, size, axis))
            quotient, rest = divided(left, length)
            places[name, axis] = declared(f"{name}_{'xy'[axis]}", rest)
            left = declared(f"{name}_rest", quotient)
        places[name, 2] = left
    return statements, places
