"""The loop in which a warp makes its visits, and the stack in shared memory that it has for that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ....lang.builtins import BUILTINS, WARP_SIZE
from ....lang.compiler_calls import STACK_OVERFLOW
from ....lang.ctype import INT, UINT, ULONGLONG, Array, CType, Pointer
from ....source import Span
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import names_in
from ....tree.names import free_name
from ....tree.nodes import Function, Variable
from ....tree.rewrite import copied
from ....tree.threads import number_in_block
from .traversal import Site, Traversal
from .visit import Visit

WORD = 8  # bytes: the stacks of all warps are an array of such words
LEVELS, MOST_PENDING = (
    256,
    8,
)  # of a tree, each with so many calls at most that wait, as `transform/traversals/ropes` has them
SHARED_LEVELS = 32  # of these, with what all lanes share in shared memory; deeper ones are in the threads' own
MOST_BYTES = 1536  # of a warp: the most that leaves room for 32 of them in 48 KiB


@dataclass(frozen=True)
class Layout:
    """Where the parts of a warp's stack lie. The first word: whether some of its threads use the stack.

    `entries`: how many there are in shared memory; then the threads' own memory has as many as make `most`. `offsets`:
    of the array of each parameter's values, in words; that of the lanes comes last.
    """

    entries: int
    most: int
    offsets: Mapping[Variable, int]
    lanes: int
    words: int


def layout_of(traversal: Traversal) -> Layout:
    pending = max(1, min(len(traversal.sites) - 1, MOST_PENDING))
    sizes = [param.type.size for param in traversal.common] + [UINT.size]
    entries = min(SHARED_LEVELS * pending, (MOST_BYTES - WORD) // sum(_padded(size) for size in sizes)) & ~1
    offsets, at = {}, 1
    for param in traversal.common:
        offsets[param] = at
        at += entries * param.type.size // WORD + bool(entries * param.type.size % WORD)
    return Layout(entries, LEVELS * pending, offsets, at, at + entries * UINT.size // WORD)


def _padded(size: int) -> int:
    return max(size, 4)


def stacks(span: Span) -> Variable:
    return Variable("s2s_stacks", Array(ULONGLONG, 0), span, "shared", dynamic=True)


def begin_kernel(kernel: Function, words: int) -> Function:
    """Return a kernel that first marks the stack of each warp as free."""
    build = Build(kernel.body.span)
    memory = stacks(kernel.span)
    thread = Variable(free_name("s2s_thread", names_in(kernel)), UINT, kernel.span, "local", const=True)
    first = build.binary(
        build.binary(build.read(thread), "%", build.number(UINT, WARP_SIZE)), "==", build.number(UINT, 0)
    )
    warp = build.binary(build.read(thread), "/", build.number(UINT, WARP_SIZE))
    place = build.element(build.place(memory), ULONGLONG, build.binary(warp, "*", build.number(UINT, words)))
    free = build.when(first, [build.assign(place, build.number(ULONGLONG, 0))])
    begin = build.block(
        build.declare(memory),
        build.declare(thread, number_in_block(build)),
        free,
        build.evaluate(_call(build, "__syncwarp")),
    )
    body = replace(kernel.body, statements=(begin, *kernel.body.statements))
    return replace(kernel, body=body)


def _call(build: Build, name: str, *args: tree.Expr) -> tree.BuiltinCall:
    """Return a call of a built-in function, of the overload for these arguments."""
    types = tuple(arg.type for arg in args)
    found = next(row for row in BUILTINS[name] if row.params == types)
    return build.call_builtin(found, *args)


def walk_of(traversal: Traversal, visit: Visit, words: int) -> Function:
    return _Walk(traversal, visit, layout_of(traversal), words).made()


class _Walk:
    def __init__(self, traversal: Traversal, visit: Visit, layout: Layout, words: int) -> None:
        self.traversal, self.visit, self.layout, self.words = traversal, visit, layout, words
        self.function = function = traversal.module.functions[traversal.name]
        self.build = Build(function.span)
        self.taken = names_in(traversal.function)
        self.memory = stacks(function.span)
        self.thread, self.lane = self.local("thread", UINT, const=True), self.local("lane", UINT, const=True)
        self.here, self.lanes = self.local("here", UINT, const=True), self.local("lanes", UINT)
        self.base = self.local("stack", Pointer(ULONGLONG), const=True)
        self.in_use = self.local("in_use", Pointer(UINT), const=True)
        self.depth, self.calls = self.local("depth", INT), self.local("calls", UINT)
        self.lanes_stack = self.local("lanes_stack", Pointer(UINT), const=True)
        self.stacks = {p: self.local(f"{p.name}_stack", Pointer(p.type), const=True) for p in traversal.common}
        more = layout.most - layout.entries
        self.deep_lanes = self.local("lanes_deep", Array(UINT, more))
        self.deep = {p: self.local(f"{p.name}_deep", Array(p.type, more)) for p in traversal.common}
        self.own = {p: self.local(f"{p.name}_stack", Array(p.type, layout.most)) for p in traversal.own}
        self.outputs = {key: self.local(f"{key[1].name}_{key[0]}", key[1].type) for key in visit.outputs}
        self.result = None if visit.result is None else self.local("result", function.result)
        self.params = {
            param: replace(param, const=False) for param in traversal.function.params[: len(function.params)]
        }
        self.added = {param: replace(param, storage="local", const=False) for param in traversal.begin}

    def local(self, name: str, ctype: CType, *, const: bool = False) -> Variable:
        name = free_name(name, self.taken)
        self.taken.add(name)
        return Variable(name, ctype, self.function.span, "local", const=const)

    @property
    def current(self) -> dict[Variable, Variable]:
        return {**self.params, **self.added}

    # ------------------------------------------------------------------------------------------ the function

    def made(self) -> Function:
        build = self.build
        statements: list[tree.Stmt] = [
            *self.begin(),
            tree.Loop(build.span, (), None, (), build.block(*self.iteration())),
            *self.end(),
        ]
        return replace(self.function, params=tuple(self.params.values()), body=build.block(*statements))

    def begin(self) -> Iterator[tree.Stmt]:
        build, layout = self.build, self.layout
        for param, own in self.added.items():
            yield build.declare(own, copied(self.traversal.begin[param]))
        yield build.declare(self.memory)
        yield build.declare(self.thread, number_in_block(build))
        yield build.declare(self.lane, self.binary(self.thread, "%", WARP_SIZE))
        yield build.declare(self.here, _call(build, "__activemask"))
        first = build.binary(self.binary(self.thread, "/", WARP_SIZE), "*", build.number(UINT, self.words))
        yield build.declare(self.base, self.address(build.first_element(self.memory), first))
        yield build.declare(self.in_use, build.convert(Pointer(UINT), build.read(self.base)))
        for param, stack in self.stacks.items():
            yield build.declare(stack, self.part(layout.offsets[param], param.type))
        yield build.declare(self.lanes_stack, self.part(layout.lanes, UINT))
        for array in (*self.deep.values(), self.deep_lanes, *self.own.values()):
            yield build.declare(array)
        if self.result is not None:
            yield build.declare(self.result)
        yield build.declare(self.lanes, build.read(self.here))
        yield build.declare(self.depth, build.number(INT, 0))
        # Others of the warp that have come here separately may be using the stack. The fences order
        # their accesses before those of these lanes: atomicExch alone orders nothing.
        wait = tree.Loop(build.span, (), build.binary(self.exchange(1), "!=", build.number(UINT, 0)), (), build.block())
        yield build.when(self.is_leader(self.here), [wait, self.fence()])
        yield self.meet()

    def end(self) -> Iterator[tree.Stmt]:
        build = self.build
        yield self.meet()
        yield build.when(self.is_leader(self.here), [self.fence(), build.evaluate(self.exchange(0))])
        if self.result is not None:
            yield tree.Return(build.span, build.read(self.result))

    def address(self, pointer: tree.Expr, index: tree.Expr) -> tree.Expr:
        return tree.PointerAdd(self.build.span, pointer.type, pointer, index)

    def part(self, offset: int, ctype: CType) -> tree.Expr:
        build = self.build
        at = self.address(build.read(self.base), build.number(INT, offset))
        return build.convert(Pointer(ctype), at)

    def binary(self, variable: Variable, op: tree.BinaryOp, number: int) -> tree.Expr:
        return self.build.binary(self.build.read(variable), op, self.build.number(variable.type, number))

    def exchange(self, value: int) -> tree.Expr:
        return _call(self.build, "atomicExch", self.build.read(self.in_use), self.build.number(UINT, value))

    def fence(self) -> tree.Stmt:
        return self.build.evaluate(_call(self.build, "__threadfence_block"))

    def meet(self) -> tree.Stmt:
        return self.build.evaluate(_call(self.build, "__syncwarp", self.build.read(self.here)))

    def leader(self, lanes: Variable) -> tree.Expr:
        """`__ffs(lanes) - 1`: the first of some lanes"""
        build = self.build
        return build.binary(_call(build, "__ffs", build.convert(INT, build.read(lanes))), "-", build.number(INT, 1))

    def is_leader(self, lanes: Variable) -> tree.Expr:
        build = self.build
        return build.binary(build.read(self.lane), "==", build.convert(UINT, self.leader(lanes)))

    # --------------------------------------------------------------------------------------------- an iteration

    def iteration(self) -> Iterator[tree.Stmt]:
        """A visit by those lanes that are to make it; then the calls that they make, the last one first."""
        build = self.build
        yield build.declare(self.calls, build.number(UINT, 0))
        yield from (build.declare(variable) for variable in self.outputs.values())
        bit = build.binary(
            build.binary(build.read(self.lanes), ">>", build.read(self.lane)), "&", build.number(UINT, 1)
        )
        yield build.when(
            build.binary(bit, "!=", build.number(UINT, 0)), [build.assign(self.calls, self.call_of_visit())]
        )
        groups = [list(group) for _, group in groupby(self.traversal.sites, key=lambda site: site.group)]
        for group in reversed(groups):
            yield from self.calls_of(group, at_once=group is groups[0] and (group[0].certain or len(group) == 1))
        yield build.when(self.binary(self.depth, "==", 0), [tree.Break(build.span)])
        yield from self.pop()

    def call_of_visit(self) -> tree.Expr:
        build = self.build
        params = (build.read(self.current[param]) for param in self.traversal.function.params)
        out = [*self.outputs.values(), *((self.result,) if self.result is not None else ())]
        addresses = (tree.AddressOf(build.span, Pointer(variable.type), build.place(variable)) for variable in out)
        return build.call(self.visit.function, *params, *addresses)

    def calls_of(self, group: Sequence[Site], *, at_once: bool) -> Iterator[tree.Stmt]:
        """Push the calls that lanes make together. `at_once`: the first one is the next iteration, if it is made."""
        build, number = self.build, group[0].group
        bits = sum(1 << site.index for site in group)
        going = self.local(f"going_{number}", UINT, const=True)
        made = build.binary(build.read(self.calls), "&", build.number(UINT, bits))
        goes = build.convert(INT, build.binary(made, "!=", build.number(UINT, 0)))
        yield build.declare(going, _call(build, "__ballot_sync", build.read(self.here), goes))
        inside: list[tree.Stmt] = []
        chosen = self.local(f"chosen_{number}", UINT, const=True)
        if not all(site.certain for site in group) and len(group) > 1:
            inside.append(build.declare(chosen, self.from_leader(build.read(self.calls), going)))
        for site in reversed(group[1:] if at_once else group):
            pushed = list(self.push(site, going))
            if site.certain or len(group) == 1:
                inside += pushed
            else:
                bit = build.binary(build.read(chosen), "&", build.number(UINT, 1 << site.index))
                inside.append(build.when(build.binary(bit, "!=", build.number(UINT, 0)), pushed))
        if at_once:
            inside += self.go_on(group[0], going)
        yield build.when(build.binary(build.read(going), "!=", build.number(UINT, 0)), inside)

    def argument(self, site: Site, param: Variable, arg: tree.Expr) -> tree.Expr:
        """The value of an argument in a lane that makes the call; in every lane, if it is known to all."""
        if (site.index, param) in self.outputs:
            return self.build.read(self.outputs[site.index, param])
        return copied(arg, self.current)

    def for_all(self, site: Site, param: Variable, arg: tree.Expr, going: Variable) -> tree.Expr:
        """The value of an argument in all lanes, which is the same in those that make the call."""
        value = self.argument(site, param, arg)
        return self.from_leader(value, going) if (site.index, param) in self.outputs else value

    def from_leader(self, value: tree.Expr, going: Variable) -> tree.Expr:
        """What the first lane that makes the call has."""
        build, ctype = self.build, value.type
        known = [row.params[1] for row in BUILTINS["__shfl_sync"] if len(row.params) == 3]
        handed = ctype if ctype in known else ULONGLONG if ctype.size == WORD else INT
        shared = _call(build, "__shfl_sync", build.read(self.here), build.convert(handed, value), self.leader(going))
        return build.convert(ctype, shared)

    def go_on(self, site: Site, going: Variable) -> Iterator[tree.Stmt]:
        """Make a call in the next iteration."""
        build = self.build
        values: dict[Variable, tree.Expr] = {}
        for param, arg in self.traversal.changing(site):
            common = param in self.traversal.common
            value = self.for_all(site, param, arg, going) if common else self.argument(site, param, arg)
            values[self.current[param]] = value
        computed = [to for to, value in values.items() if not isinstance(value, tree.Constant)]
        for to in computed if len(computed) > 1 else []:  # a value may name a parameter that gets another one
            new = self.local(f"{to.name}_next", to.type, const=True)
            yield build.declare(new, values[to])
            values[to] = build.read(new)
        yield from (build.assign(to, value) for to, value in values.items())
        yield build.assign(self.lanes, build.read(going))
        yield tree.Continue(build.span)

    # --------------------------------------------------------------------------------------------- the stack

    def element(self, array: Variable, index: tree.Expr, ctype: CType) -> tree.Index:
        build = self.build
        if isinstance(array.type, Array):
            return build.element(build.place(array), ctype, index)
        return tree.Index(build.span, ctype, build.read(array), index)

    def top(self) -> tree.Expr:
        return self.build.read(self.depth)

    def below(self) -> tree.Expr:
        """Whether the entry at the top of the stack is in shared memory."""
        return self.binary(self.depth, "<", self.layout.entries)

    def deep_index(self) -> tree.Expr:
        return self.binary(self.depth, "-", self.layout.entries)

    def push(self, site: Site, going: Variable) -> Iterator[tree.Stmt]:
        build = self.build
        args = dict(self.traversal.changing(site))
        common = [param for param in self.traversal.common if param in args]
        shared = [
            build.assign(self.element(self.stacks[p], self.top(), p.type), self.argument(site, p, args[p]))
            for p in common
        ]
        shared.append(build.assign(self.element(self.lanes_stack, self.top(), UINT), build.read(going)))
        deep = [
            build.assign(self.element(self.deep[p], self.deep_index(), p.type), self.for_all(site, p, args[p], going))
            for p in common
        ]
        deep.append(build.assign(self.element(self.deep_lanes, self.deep_index(), UINT), build.read(going)))
        full = self.binary(self.depth, "==", self.layout.most)
        overflow = build.when(full, [build.evaluate(build.call_builtin(STACK_OVERFLOW))])
        yield build.when(self.below(), [build.when(self.is_leader(going), shared)], [overflow, *deep])
        for param in self.traversal.own:
            place = self.element(self.own[param], self.top(), param.type)
            yield build.assign(place, self.argument(site, param, args[param]))
        yield build.evaluate(tree.Increment(build.span, INT, build.place(self.depth), 1, prefix=True))

    def pop(self) -> Iterator[tree.Stmt]:
        """Take the entry at the top. Lanes meet before one of them writes there again."""
        build = self.build
        yield build.evaluate(tree.Increment(build.span, INT, build.place(self.depth), -1, prefix=True))
        yield self.meet()

        def read(array: Variable, index: tree.Expr, ctype: CType) -> tree.Expr:
            return tree.Load(build.span, ctype, self.element(array, index, ctype))

        shared = [
            build.assign(self.current[p], read(self.stacks[p], self.top(), p.type)) for p in self.traversal.common
        ]
        shared.append(build.assign(self.lanes, read(self.lanes_stack, self.top(), UINT)))
        deep = [
            build.assign(self.current[p], read(self.deep[p], self.deep_index(), p.type)) for p in self.traversal.common
        ]
        deep.append(build.assign(self.lanes, read(self.deep_lanes, self.deep_index(), UINT)))
        yield build.when(self.below(), shared, deep)
        for param in self.traversal.own:
            yield build.assign(self.current[param], read(self.own[param], self.top(), param.type))
        yield self.meet()
