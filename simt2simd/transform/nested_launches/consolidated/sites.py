"""The launches of a kernel that are consolidated, and what must hold for that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast

from ....lang.consolidation import Consolidation, Level
from ....lang.device_runtime import NAMED_STREAMS
from ....source import Span
from ....tree import nodes as tree
from ....tree.calls import reached_functions
from ....tree.effects import is_barrier, is_of_warp, named_variables, returns
from ....tree.launches import Launch, awaits_children, is_launch, parts_of, stream_number
from ....tree.nodes import Function, Module
from ....tree.walk import walk, walk_loops
from .refusal import RefusedError
from .values import Axes, CommonValues, is_one

# How work items become threads. "threads": an item is a thread's (the child is one thread). "block": it is a block's
# (the child is one block). "blocks": the blocks of all items are dealt to the blocks of the grid.
Form = Literal["threads", "block", "blocks"]

DEFAULT, FIRE_AND_FORGET = 0, NAMED_STREAMS["cudaStreamFireAndForget"]


@dataclass(frozen=True)
class Child:
    """A kernel that is launched once for many items. Which of its parameters differ between these: `differing`.

    `loose`: blocks of items differ in their sizes, or threads need no block of their size: any block runs them.
    `flat`: grids of items lie along x.
    """

    kernel: str
    form: Form
    differing: tuple[int, ...]
    loose: bool
    flat: bool


@dataclass(frozen=True)
class Site:
    """A launch that is consolidated. `number` is its own among those of its kernel; `repeats`: it is in a loop.

    `common`: what arguments have in common that are no parts of items, by their numbers.
    """

    number: int
    statement: tree.Evaluate
    launch: Launch
    how: Consolidation
    level: Level
    child: Child
    grid: Axes
    block: Axes
    common_block: Axes | None
    common: dict[int, tree.Expr]
    shared: tree.Expr
    repeats: bool

    @property
    def span(self) -> Span:
        return self.statement.span


class Sites:
    """Finds the launches of kernels that are consolidated. Raises `RefusedError`."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.reached = reached_functions(module)

    def of(self, kernel: Function, loops_around: int = 0) -> list[Site]:
        """Return the launches of a kernel that a pragma consolidates; its text is in so many loops over items."""
        found = [
            (node, loops)
            for node, loops in walk_loops(kernel.body)
            if isinstance(node, tree.Evaluate) and is_launch(node.expr) and wanted(node.expr) is not None
        ]
        self._require_statements(kernel, {node.expr for node, _ in found})
        if not found:
            return []
        values = CommonValues(kernel)
        sites = [self._site(values, i, node, loops > loops_around) for i, (node, loops) in enumerate(found)]
        self._require_order(kernel, sites)
        self._require_no_waits(kernel)
        _require_returns_behind_barriers(self.module, self.reached, kernel)
        return sites

    def _require_statements(self, kernel: Function, found: set[tree.Expr]) -> None:
        for node in walk(kernel.body):
            if is_launch(node) and wanted(node) is not None and node not in found:
                raise RefusedError(node.span, "a launch in an expression cannot be consolidated", "make it a statement")

    # ------------------------------------------------------------------------------------------ a launch

    def _site(self, values: CommonValues, number: int, node: tree.Evaluate, repeats: bool) -> Site:
        assert is_launch(node.expr)
        launch, how = parts_of(node.expr), node.expr.builtin.consolidation
        assert how is not None
        child = self.module.functions[launch.kernel]
        self._require_stream(launch)
        grid, block = values.axes(launch.grid), values.axes(launch.block)
        if grid is None or block is None:
            part = launch.grid if grid is None else launch.block
            help = "write 'dim3(x, y, z)', a number or a variable there"
            raise RefusedError(part.span, "the configuration of a launch to consolidate is computed by a call", help)
        shared = values.of(launch.shared)
        if shared is None:
            help = "let it be a constant, or depend on the kernel's parameters alone"
            what = "the size of shared memory differs between the launches to consolidate"
            raise RefusedError(launch.shared.span, what, help)
        common_block = cast("Axes | None", values.all_of(block))
        form: Form = "blocks"
        if all(map(is_one, grid)):
            form = "threads" if all(map(is_one, block)) else "block"
        loose = form != "threads" and common_block is None
        if loose and not all(map(is_one, block[1:])):
            help = "let blocks lie along x: 'kernel<<<grid, threads>>>'"
            raise RefusedError(launch.block.span, "blocks that differ in size differ along y or z", help)
        try:
            self._require_child(child, launch, form, loose)
        except RefusedError as why:
            raise RefusedError(why.span, why.why, why.help, node.span) from None
        common = self._common(values, launch, how)
        differing = tuple(i for i in range(len(launch.args)) if i not in common)
        flat = form != "blocks" or all(map(is_one, grid[1:]))
        made = Child(child.name, form, differing, loose, flat)
        return Site(number, node, launch, how, how.level, made, grid, block, common_block, common, shared, repeats)

    def _require_stream(self, launch: Launch) -> None:
        if stream_number(launch.stream) in (DEFAULT, FIRE_AND_FORGET):
            return
        help = "launch into the default stream, or into 'cudaStreamFireAndForget'"
        raise RefusedError(
            launch.stream.span, "launches into another stream than the default cannot be consolidated", help
        )

    def _common(self, values: CommonValues, launch: Launch, how: Consolidation) -> dict[int, tree.Expr]:
        """Return the arguments that are no parts of items: the same for all threads, or so named by the pragma."""
        common: dict[int, tree.Expr] = {}
        for i, arg in enumerate(launch.args):
            named = how.work is not None and any(v.name in how.work for v in named_variables(arg))
            value = None if named else values.of(arg)
            if value is not None:
                common[i] = value
            elif how.work is not None and not named:
                help = f"add a variable of it to 'work({', '.join(how.work)})'"
                what = f"argument {i + 1} may differ between threads, and 'work(...)' names nothing in it"
                raise RefusedError(arg.span, what, help)
        if how.work is not None:
            known = {variable.name for arg in launch.args for variable in named_variables(arg)}
            for name in how.work:
                if name not in known:
                    assert how.span is not None
                    raise RefusedError(how.span, f"'work(...)' names '{name}', which no argument of the launch does")
        return common

    # ------------------------------------------------------------------------------------------- the child

    def _require_child(self, child: Function, launch: Launch, form: Form, loose: bool) -> None:
        bodies = [child, *(self.module.functions[name] for name in sorted(self.reached[child.name]))]
        for function in bodies:
            for node in walk(function.body):
                self._require_node(child, function, node, launch, form, loose)
        _require_returns_behind_barriers(self.module, self.reached, child)

    def _require_node(
        self, child: Function, function: Function, node: tree.Node, launch: Launch, form: Form, loose: bool
    ) -> None:
        whole = form != "threads" and not loose
        title = child.title
        match node:
            case tree.BuiltinCall(builtin=builtin) if builtin.op == "grid_barrier":
                raise RefusedError(node.span, f"'{title}' has a barrier of its grid, which items share", None)
            case tree.BuiltinCall() if awaits_children(node):
                raise RefusedError(node.span, f"'{title}' waits for its own children", None)
            case tree.BuiltinCall() if is_barrier(node) and loose:
                help = "launch blocks of one size, and let the threads that are too many do nothing"
                what = f"'{title}' has barriers, and its blocks differ in size between items"
                raise RefusedError(node.span, what, help)
            case tree.BuiltinCall() if is_of_warp(node) and not whole:
                help = "launch blocks of one size"
                raise RefusedError(node.span, f"'{title}' uses warps, and an item has no warps of its own here", help)
            case tree.VarRef(variable=variable) if variable.storage == "shared" and not whole:
                help = "launch blocks of one size"
                what = f"'{title}' uses shared memory, and an item has no block of its own here"
                raise RefusedError(node.span, what, help)
            case tree.ThreadIndex(name=name) if function is not child and self._is_moved(name, form, loose):
                help = f"hand '{name}' on as an argument"
                what = f"'{function.title}', called by '{title}', uses '{name}', which is another one for each item"
                raise RefusedError(node.span, what, help)

    def _is_moved(self, name: str, form: Form, loose: bool) -> bool:
        return name in ("blockIdx", "gridDim") or form == "threads" or loose

    # ------------------------------------------------------------------------------------------- the parent

    def _require_order(self, kernel: Function, sites: list[Site]) -> None:
        """Fail where launches would come in another order than they do now, and that may matter."""
        ordered = [site for site in sites if stream_number(site.launch.stream) == DEFAULT]
        levels = {site.level for site in sites}
        if len(levels) > 1:
            raise RefusedError(
                sites[1].span, f"launches of '{kernel.title}' are consolidated by different levels", None
            )
        others = [
            node
            for node in walk(kernel.body)
            if is_launch(node) and wanted(node) is None and stream_number(parts_of(node).stream) != FIRE_AND_FORGET
        ]
        if ordered and others:
            help = "consolidate both, or launch it into 'cudaStreamFireAndForget'"
            what = "this launch is not consolidated, and comes before or after one that is, in the same stream"
            raise RefusedError(others[0].span, what, help)
        if len(ordered) > 1 and any(site.repeats for site in ordered):
            help = "launch into 'cudaStreamFireAndForget'"
            what = "several launches into the default stream, of which one is in a loop, would change their order"
            raise RefusedError(ordered[1].span, what, help)

    def _require_no_waits(self, kernel: Function) -> None:
        for name in (kernel.name, *sorted(self.reached[kernel.name])):
            for node in walk(self.module.functions[name].body):
                if awaits_children(node):
                    help = "do what follows in a kernel of its own"
                    what = f"'{kernel.title}' waits for its children, which are launched at its end if consolidated"
                    raise RefusedError(node.span, what, help)
                if isinstance(node, tree.BuiltinCall) and node.builtin.op in _IN_STREAMS:
                    what = f"'{kernel.title}' uses streams, in which launches to consolidate would come too late"
                    raise RefusedError(node.span, what, None)


_IN_STREAMS = frozenset(
    "create_stream stream_wait record_event copy_async copy_2d_async set_async set_2d_async device_free".split()
)


def wanted(node: tree.BuiltinCall) -> Consolidation | None:
    """Return how a launch is to be consolidated, if it is."""
    return node.builtin.consolidation


def require_kernels(module: Module) -> None:
    """Fail for a launch with a pragma that is in a device function."""
    for function in module.functions.values():
        for node in walk(function.body):
            if is_launch(node) and wanted(node) is not None and function.kind != "kernel":
                help = "launch from the kernel itself"
                raise RefusedError(
                    node.span, f"'{function.title}' is no kernel: its launches cannot be consolidated", help
                )


def _require_returns_behind_barriers(module: Module, reached: dict[str, set[str]], kernel: Function) -> None:
    """Fail if threads may return from a kernel before others reach a barrier: they would wait at another one."""
    synchronising = {name for name in reached[kernel.name] if any(map(is_barrier, walk(module.functions[name].body)))}

    def waits(node: tree.Node) -> bool:
        return any(
            is_barrier(below) or (isinstance(below, tree.Call) and below.function in synchronising)
            for below in walk(node)
        )

    statements = kernel.body.statements
    first = next((i for i, node in enumerate(statements) if returns(node)), len(statements))
    late = next((node for node in statements[first:] if waits(node)), None)
    if late is not None:
        leaves = next(node for node in walk(statements[first]) if isinstance(node, tree.Return))
        what = f"threads may return from '{kernel.title}' before others reach its barrier"
        raise RefusedError(leaves.span, what, "let all threads reach the barrier")


def without_pragma(node: tree.BuiltinCall) -> tree.BuiltinCall:
    return replace(node, builtin=replace(node.builtin, consolidation=None))
