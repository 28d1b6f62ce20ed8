"""Exchanges: kernels whose threads hand each other values through shared memory without a barrier.

**Known as:** implicit warp-synchronous programming.

    s[i] = x;                  the store
    __threadfence_block();     the fence; a volatile access needs none
    y = s[i - 1];              the load of another element, before any barrier

Such code was written for GPUs on which the 32 threads of a warp run in step. Gangs of 32 do so, narrower ones do not.
Without a fence and without volatile, only a load counts that certainly reads what another thread of the warp wrote:
code that is correct has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..lang.ctype import Pointer
from ..tree import nodes as tree
from ..tree.calls import functions_reaching, reached_functions
from ..tree.effects import is_volatile
from ..tree.nodes import Function, Module, Variable
from ..tree.same import same_value
from ..tree.walk import children
from . import warp_values
from .warp_values import Elements, Known, Threads


@dataclass(frozen=True)
class Exchange:
    """Where a thread writes an element of shared `variable`, and where a thread may read what another one wrote."""

    variable: Variable
    store: tree.Place
    load: tree.Place


def find(module: Module) -> dict[str, Exchange]:
    """Return the first exchange of each kernel that has one."""
    found: dict[str, Exchange] = {}
    using = functions_reaching(module, _is_shared)
    reached = reached_functions(module) if using else {}
    for kernel in module.kernels:
        if kernel.name in using:
            known = warp_values.known_of(kernel, (module.functions[name] for name in reached[kernel.name]))
            search = _Search(module, known)
            search.function(kernel)
            if search.found:
                found[kernel.name] = search.found[0]
    return found


def _is_shared(node: tree.Node) -> bool:
    return isinstance(node, tree.VarRef) and node.variable.storage == "shared"


def _orders(node: tree.Node) -> bool:
    """Whether a store before `node`, or made by it, is to be seen by the other threads."""
    match node:
        case tree.VarRef() | tree.Index() | tree.Deref() | tree.Member():
            return is_volatile(node)
        case tree.BuiltinCall():
            return node.builtin.op == "fence"
    return False


@dataclass(frozen=True)
class _Store:
    """A store to a shared variable. `seen`: the other threads may count on it. `elements`: which threads write what."""

    variable: Variable
    seen: bool
    elements: Elements | None


@dataclass
class _Search:
    """Follows the text of a kernel, and of what it calls, from barrier to barrier."""

    module: Module
    known: Known
    threads: Threads | None = warp_values.ALL  # that may run the statement, None: not known
    found: list[Exchange] = field(default_factory=list)
    stores: dict[tree.Place, _Store] = field(default_factory=dict)  # since the last barrier
    pointees: dict[Variable, Variable] = field(default_factory=dict)  # the shared arrays that pointers point into
    inside: list[str] = field(default_factory=list)  # functions, outermost first

    def function(self, function: Function) -> None:
        if function.name not in self.inside:
            self.inside.append(function.name)
            self.visit(function.body)
            self.inside.pop()

    def visit_all(self, nodes: Iterable[tree.Node | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit(self, node: tree.Node) -> None:
        match node:
            case tree.Block():
                self.block(node)
            case tree.If():
                self.visit(node.cond)
                before = self.threads
                self.either((node.then, node.other), self.split(node.cond))
                self.threads = before
            case tree.Loop():
                self.visit_all(node.init)
                self.known.count(node)
                self.iterations(node)
            case tree.Switch():
                self.visit(node.value)
                before = self.threads
                self.either([section.body for section in node.sections], [None] * len(node.sections))
                self.threads = before
            case tree.Declare():
                self.visit_all([node.initial])
                if node.initial is not None and not isinstance(node.initial, tree.Braces):
                    self.bind(node.variable, node.initial)
            case tree.Assign():
                self.visit(node.value)
                self.write(node.place)
                if isinstance(node.place, tree.VarRef):
                    self.bind(node.place.variable, node.value)
            case tree.CompoundAssign():
                self.visit(node.value)
                self.read(node.place)
                self.write(node.place)
            case tree.Increment():
                self.read(node.place)
                self.write(node.place)
            case tree.Load():
                self.read(node.place)
            case tree.Call():
                self.visit_all(node.args)
                called = self.module.functions[node.function]
                for param, arg in zip(called.params, node.args, strict=True):
                    self.bind(param, arg)
                self.function(called)
            case tree.BuiltinCall():
                self.visit_all(node.args)
                if node.builtin.synchronises:
                    self.stores = {}
                elif _orders(node):
                    self.stores = {place: replace(store, seen=True) for place, store in self.stores.items()}
            case _:
                self.visit_all(children(node))

    def block(self, node: tree.Block) -> None:
        """Visit statements one after the other: threads that jump away run none of the rest."""
        before = self.threads
        for statement in node.statements:
            self.visit(statement)
            if isinstance(statement, tree.If) and _leaves(statement.then):
                self.threads = self.split(statement.cond)[1]
        self.threads = before

    def split(self, condition: tree.Expr) -> tuple[Threads | None, Threads | None]:
        return (None, None) if self.threads is None else self.known.split(condition, self.threads)

    def either(self, ways: Sequence[tree.Node], threads: Sequence[Threads | None]) -> None:
        """Visit statements of which only one, or none, may run, each by some threads."""
        before = after = self.stores
        for way, some in zip(ways, threads, strict=True):
            self.stores, self.threads = before, some
            self.visit(way)
            unseen = {place for place, store in self.stores.items() if not store.seen and place in after}
            after = after | {place: store for place, store in self.stores.items() if place not in unseen}
        self.stores = after

    def iterations(self, node: tree.Loop) -> None:
        """Visit the iterations of a loop until one ends as the one before it did."""
        before = None
        while before != self.stores:
            before = self.stores
            self.visit_all([node.cond, node.body, *node.step] if node.test_first else [node.body, node.cond])

    def read(self, place: tree.Place) -> None:
        self.visit_all(children(place))
        variable = self.shared(place)
        if variable is None or not self.stores:
            return
        elements = self.elements(place)
        for written, store in self.stores.items():
            if not _overlap(store.variable, variable):
                continue
            if (store.seen and not _same_element(written, place)) or _reaches(elements, store.elements):
                self.found.append(Exchange(store.variable, written, place))

    def write(self, place: tree.Place) -> None:
        self.visit_all(children(place))
        variable = self.shared(place)
        if variable is not None:
            self.stores = self.stores | {place: _Store(variable, _orders(place), self.elements(place))}

    def elements(self, place: tree.Place) -> Elements | None:
        """Return which threads access which bytes of a shared variable, None if that is not known."""
        address = self.known.address(place)[1]
        return None if address is None or self.threads is None else self.known.elements(address, self.threads)

    def bind(self, pointer: Variable, value: tree.Expr) -> None:
        self.known.bind(pointer, value)
        variable = self.shared(value) if isinstance(pointer.type, Pointer) else None
        if variable is not None:
            self.pointees[pointer] = variable

    def shared(self, node: tree.Expr | tree.Place) -> Variable | None:
        """The shared variable that a place is in, or a pointer points into; None if there is none, or none is known."""
        match node:
            case tree.VarRef():
                return node.variable if node.variable.storage == "shared" else None
            case tree.Deref() | tree.Index() | tree.PointerAdd():
                return self.shared(node.pointer)
            case tree.Member():
                return self.shared(node.base)
            case tree.Decay() | tree.AddressOf():
                return self.shared(node.place)
            case tree.Convert():
                return self.shared(node.operand)
            case tree.Load(place=tree.VarRef(variable=pointer)):
                return self.pointees.get(pointer)
        return None


def _leaves(block: tree.Block) -> bool:
    return bool(block.statements) and isinstance(block.statements[-1], tree.Return | tree.Continue | tree.Break)


def _reaches(loaded: Elements | None, stored: Elements | None) -> bool:
    return loaded is not None and stored is not None and loaded.reach_others(stored)


def _overlap(left: Variable, right: Variable) -> bool:
    return left is right or (left.dynamic and right.dynamic)


def _same_element(left: tree.Place, right: tree.Place) -> bool:
    """Whether two places of one array are written alike."""
    match left, right:
        case tree.VarRef(), tree.VarRef():
            return True
        case tree.Deref(), tree.Deref():
            return same_value(left.pointer, right.pointer)
        case tree.Index(), tree.Index():
            return same_value(left.pointer, right.pointer) and same_value(left.index, right.index)
        case tree.Member(), tree.Member():
            return left.offset == right.offset and _same_element(left.base, right.base)
    return False
