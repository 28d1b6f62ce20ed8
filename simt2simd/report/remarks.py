"""What the compiler made of a program, for the programmer: remarks, worst first, and the listing of every shape.

A remark says what an access, a branch or a call became and why. Inside loops and recursion every one gets a remark,
elsewhere those that cost much. A remark is about blocks whose gangs do not span two rows, the common case. Where a
function is compiled for several combinations of argument shapes, the dearest outcome counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from ..analysis import storage
from ..analysis.boundary_guards import is_guard
from ..analysis.call_sets import CallSets
from ..analysis.lattice import Kind, Known, Shape
from ..analysis.shapes import FunctionShapes, Instance, Shapes, access_shape
from ..analysis.stack.explicit_stack import Judged
from ..costs import CALL_NS, GATHER_NS, SLOW_NS, TRIP_COUNT, VECTOR_NS, AccessKind, Form
from ..diag import Diagnostic
from ..lang.ctype import Struct
from ..mapping.plans import Plans
from ..source import NOWHERE, Span
from ..target import LANES
from ..tree import nodes as tree
from ..tree.calls import closure
from ..tree.companions import IN_STEP, FollowsRopes, StoresCoordinates, with_role
from ..tree.walk import children, walk, walk_loops
from . import helps, missed
from .missed import KernelSummary, Missed, Tally, summaries
from .outcome import Outcomes
from .work import is_written

MAX_DEPTH = 6  # deeper nests rank alike


@dataclass(frozen=True)
class Remark:
    """One outcome. `loops` counts the loops and recursions around it; `cost_ns` and `good` as in `costs`.

    `shape` is that of the address or of the condition, "" for a call. `why` may be empty. `missed` says how it costs
    more than it might, and `access` of which kind it is, if it is one.
    """

    function: str
    span: Span
    kind: str
    shape: str
    instruction: str
    why: str
    loops: int
    cost_ns: float
    help: str | None = None
    good: str = ""
    missed: Missed | None = None
    access: AccessKind | None = None

    @property
    def weight(self) -> float:
        return self.cost_ns * float(TRIP_COUNT**self.loops)

    def diagnostic(self) -> Diagnostic:
        """The remark as a message for people."""
        nest = "" if not self.loops else " (in a loop)" if self.loops == 1 else f" (in {self.loops} loops)"
        why = f"; {self.why}" if self.why else ""
        of = f" (in '{self.function}')" if "<" in self.function else ""  # other instances may do better
        return Diagnostic(
            self.span, f"{self.kind}: {self.instruction}{why}{nest}{of}", help=self.help, severity="remark"
        )

    def record(self) -> dict[str, object]:
        """The remark as plain data for programs."""
        place = {"file": self.span.source.name, "line": self.span.line, "column": self.span.column}
        rest = asdict(self)
        del rest["span"]
        return place | rest


def messages(found: Sequence[Remark]) -> list[Diagnostic]:
    """Return what to report: each thing that costs, worst first, and how much is as good as it can be."""
    shown = [remark.diagnostic() for remark in found if not remark.good]
    counts = Counter(remark.good for remark in found if remark.good)
    if counts:
        good = ", ".join(_counted(count, what) for what, count in counts.most_common())
        shown.append(Diagnostic(NOWHERE, f"as good as possible: {good}", severity="remark"))
    return shown


def missed_messages(found: Sequence[Remark], kernels: Sequence[KernelSummary]) -> list[Diagnostic]:
    """Return only what costs, the most expensive first, and each kernel in short."""
    costly = sorted((remark for remark in found if remark.missed), key=lambda remark: -remark.weight)
    return [*(remark.diagnostic() for remark in costly), *(kernel.diagnostic() for kernel in kernels)]


def _counted(count: int, what: str) -> str:
    head, space, rest = what.partition(" without ") if " without " in what else (what, "", "")
    plural = "" if count == 1 or head.startswith("`") else "es" if head.endswith("ch") else "s"
    return f"{count} {head}{plural}{space}{rest}"


def remarks(shapes: Shapes, plans: Plans, outcomes: Outcomes) -> list[Remark]:
    """Return what became of the accesses, branches, calls and barriers, those that cost most first."""
    found = _all(shapes, plans, outcomes)
    shown = [*filter(_is_shown, found), *_rows_in_step(shapes, plans)]
    titles = {function.function.name: function.function.title for function in shapes.instances.values()}
    shown = [replace(remark, function=titles.get(remark.function, remark.function)) for remark in shown]
    shown.sort(key=lambda r: (-r.weight, r.span.source.name, r.span.line, r.span.column))
    return shown


def _is_shown(remark: Remark) -> bool:
    return remark.loops > 0 or remark.cost_ns >= SLOW_NS


def kernels_in_short(shapes: Shapes, plans: Plans, outcomes: Outcomes) -> list[KernelSummary]:
    """Return the kernels with how often each has what costs, itself or in what it calls."""
    found = _all(shapes, plans, outcomes)
    functions = {function.function.name: function.function for function in shapes.instances.values()}
    called = closure({name: {callee for callee, _ in _calls(each.body, 0)} for name, each in functions.items()})
    tallies = []
    for name, function in functions.items():
        if function.kind == "kernel" and not function.helps:
            names = {_shown(functions[other]) for other in (name, *called[name]) if other in functions}
            tallies.append((function.title, function.span, _tally(each for each in found if each.function in names)))
    return summaries(tallies)


def _tally(found: Iterable[Remark]) -> Tally:
    tally = Tally()
    for remark in found:
        if remark.missed and _is_shown(remark):
            tally.missed[remark.missed] += 1
            tally.wide += "64-bit addresses" in remark.instruction
        if remark.access is not None:
            tally.memory[remark.access] = tally.memory.get(remark.access, 0.0) + remark.weight
        tally.all_ns += remark.weight
    return tally


def _all(shapes: Shapes, plans: Plans, outcomes: Outcomes) -> list[Remark]:
    """Return the remarks about everything; of several about one place, the dearest."""
    depths = function_depths(shapes)
    found: dict[tuple[str, Span, str], Remark] = {}
    for instance, function in shapes.instances.items():
        if function.function.outlined or function.function.helps or not is_best(instance, plans):
            continue
        for remark in (
            *_of_function(function, shapes, outcomes, depths[instance.name]),
            *_of_variables(function, shapes),
            *_of_kernel(function, shapes, plans),
        ):
            key = (remark.function, remark.span, remark.kind)
            if key not in found or remark.weight > found[key].weight:
                found[key] = remark
    return list(found.values())


@dataclass(frozen=True)
class Traversals:
    """What is known of traversals: recursive functions, loops over stacks, and kernels whose threads are sorted."""

    visits: Iterable[CallSets]
    stacks: Iterable[Judged]
    module: tree.Module

    def remarks(self) -> list[Remark]:
        return [
            *map(_stack_loop, self.stacks),
            *map(_traversal, self.visits),
            *_sorted_kernels(self.module),
            *_with_ropes(self.module),
        ]


def stays_recursive(name: str, span: Span, why: str) -> Remark:
    """Say why a function does not become the loop that was asked for."""
    return Remark(name, span, "ropes", "", "it stays recursive", why, 0, 0.0)


def launches_itself(name: str, span: Span, why: str) -> Remark:
    """Return that a kernel launches itself for each node of a tree, as it is written, and why."""
    return Remark(name, span, "levels", "", "it launches itself for each node", why, 0, 0.0)


def takes_no_more(name: str, span: Span, why: str) -> Remark:
    """Say why the lanes of a kernel do not take one query after the other, which was asked for."""
    return Remark(name, span, "refill", "", "its lanes take one query each", why, 0, 0.0)


def _sorted_kernels(module: tree.Module) -> Iterator[Remark]:
    for each in with_role(module.companions, StoresCoordinates):
        name, count = each.of, each.role.count
        what = f"{count} coordinate{'s'[: count - 1]}"
        text = f"launches may sort its threads by what they search for: {what}"
        yield Remark(name, module.functions[name].span, "order", "", text, "", 0, 0.0)


def _with_ropes(module: tree.Module) -> Iterator[Remark]:
    for each in with_role(module.companions, FollowsRopes):
        text = f"launches install ropes in the tree of '{each.role.traversal}', and follow them"
        yield Remark(each.of, module.functions[each.of].span, "ropes", "", text, "", 0, 0.0)


def _traversal(visits: CallSets) -> Remark:
    function = visits.function
    chooses = visits.kind == "guided" and "decides on the order, and depends" in visits.why
    return Remark(
        function.name, function.span, "traversal", "", str(visits), visits.why, 0, 0.0, _ANY_ORDER if chooses else None
    )


_ANY_ORDER = (
    "if the order does not matter, `#pragma s2s any_order` before that `if` lets lanes go where most want to go first"
)


def _stack_loop(judged: Judged) -> Remark:
    kind = "loop over a stack"
    if judged.why is None:
        text, why = "runs as a recursive walk", "lanes that visit a node do it together"
        return Remark(judged.where, judged.loop.span, kind, "", text, why, 0, 0.0)
    span = judged.loop.span if judged.at is None else judged.at.span
    text = "each lane works off a stack of its own, and gathers the nodes"
    return Remark(
        judged.where, span, kind, "", text, judged.why, 1, GATHER_NS, _STACK_HELP, missed="stack for each lane"
    )


_STACK_HELP = (
    "an iteration that pops one node, at its start or where a path of it ends, and else only pushes, would run as a"
    " recursive walk; so would a recursive function"
)


def is_best(instance: Instance, plans: Plans) -> bool:
    """Whether most launches use this instance: no better version of its kernel replaces it."""
    versions = plans.versions.get(instance.name)
    if versions is None:
        return bool(instance.along)
    return instance == max(versions, key=lambda version: (version.along, version.lanes))


# ---------------------------------------------------------------------------------------------- depth


def function_depths(shapes: Shapes) -> dict[str, int]:
    """How many loops and recursions enclose the body of each function, by way of its callers."""
    functions = {instance.name: inside.function for instance, inside in shapes.instances.items()}
    calls = {name: list(_calls(function.body, 0)) for name, function in functions.items()}
    reached = closure({name: {callee for callee, _ in found} for name, found in calls.items()})
    depths = {name: int(name in reached[name]) for name in functions}
    for _ in range(MAX_DEPTH):
        for name in functions:
            for callee, loops in calls[name]:
                if name not in reached[callee]:
                    own = int(callee in reached[callee])
                    depths[callee] = min(max(depths[callee], depths[name] + loops + own), MAX_DEPTH)
    return depths


def _calls(node: tree.Node, loops: int) -> Iterator[tuple[str, int]]:
    for below, depth in walk_loops(node, loops):
        if isinstance(below, tree.Call):
            yield below.function, depth


# ------------------------------------------------------------------------------------------ one function


def _of_function(function: FunctionShapes, shapes: Shapes, outcomes: Outcomes, depth: int) -> Iterator[Remark]:
    name = _shown(function.function)
    dropped = {node.expr for node in walk(function.function.body) if isinstance(node, tree.Evaluate)}
    for node, loops in walk_loops(function.function.body, depth):
        loops = min(loops, MAX_DEPTH)
        form = outcomes.forms.get((function.instance, node))
        if isinstance(node, tree.Call) and node in function.calls:
            yield from _call(function, shapes, node, form, loops)
            continue
        if form is None:
            continue
        match node:
            case tree.Load() | tree.Assign() | tree.CompoundAssign() | tree.Increment():
                shape = access_shape(function, node.place, shapes.storage)
                yield Remark(
                    name, node.place.span, _ACCESSES[type(node)], str(shape), form.text,
                    _why_address(function, node.place, shape), loops, form.cost_ns,
                    helps.of_access(function, node, form, shape), form.good, missed.of_access(form), form.kind,
                )  # fmt: skip
            case tree.BuiltinCall() if not node.builtin.atomic:
                yield Remark(
                    name, node.span, node.builtin.name, "", form.text, "", loops, form.cost_ns,
                    helps.of_service(node.builtin.op), missed="call lane by lane",
                )  # fmt: skip
            case tree.BuiltinCall():
                shape = function.of(node.args[0])
                why = _why_value(function, node.args[0], shape, "address")
                cure = helps.of_atomic(form, loops, used=node not in dropped)
                yield Remark(
                    name, node.span, node.builtin.name, str(shape), form.text, why, loops, form.cost_ns, cure,
                    missed=missed.of_access(form), access="atomic",
                )  # fmt: skip
            case tree.If() if is_written(node):
                yield _branch(function, node.span, "if", node.cond, form, loops)
            case tree.Loop():
                yield _branch(function, node.span, "loop", node.cond, form, loops)
            case tree.Conditional():
                yield _branch(function, node.span, "conditional", node.cond, form, loops)
            case tree.Logical():
                yield _branch(function, node.span, node.op, node.left, form, loops)
            case tree.Switch():
                yield _branch(function, node.span, "switch", node.value, form, loops)
            case tree.If():
                continue
            case _:
                raise AssertionError(f"an outcome of {type(node).__name__}")


_ACCESSES: dict[type[tree.Node], str] = {
    tree.Load: "load",
    tree.Assign: "store",
    tree.CompoundAssign: "update",
    tree.Increment: "update",
}


def _rows_in_step(shapes: Shapes, plans: Plans) -> Iterator[Remark]:
    """Report the rows, or the columns where gangs lie along y: launches prefer these."""
    for (name, along), rows in plans.rows.items():
        versions = shapes.kernels[name]
        if along == ("y" if any(version.along == "y" for version in versions) else "x"):
            span = shapes.instances[versions[0]].function.span
            text = f"{rows[0].role.rows} {IN_STEP[along]} of a block run in step, and share what they read"
            yield Remark(name, span, "rows", "", text, "", 0, 0.0)


def _branch(function: FunctionShapes, span: Span, kind: str, cond: tree.Expr | None, form: Form, loops: int) -> Remark:
    shape = Shape(Kind.BLOCK) if cond is None else function.of(cond)
    why = "" if cond is None else _why_value(function, cond, shape, "value" if kind == "switch" else "condition")
    lost = missed.of_branch(kind, form)
    if kind == "if" and lost is not None and cond is not None and is_guard(function, cond):
        lost = None  # of most gangs, all lanes go the same way
    return Remark(
        _shown(function.function), span, kind, str(shape), form.text, why, loops, form.cost_ns, good=form.good,
        missed=lost,
    )  # fmt: skip


def _shown(function: tree.Function) -> str:
    """Return how messages call a function, if a rewrite has made it: that of the program from which it is."""
    return function.shown or _written(function.name, function.span)


def _call(function: FunctionShapes, shapes: Shapes, node: tree.Call, form: Form | None, loops: int) -> Iterator[Remark]:
    """A call, or what else it became: `form`."""
    instance = function.calls[node]
    callee = shapes.instances[instance].function
    params = callee.params
    if not params or node.span == callee.span:  # the two parts of a function that was divided
        return
    same = [f"'{own_name(p)}'" for p, arg in zip(params, instance.args, strict=True) if _is_uniform(arg)]
    text = f"lockstep in {', '.join(same)}" if same else "not lockstep in any argument"
    differing = [f"'{own_name(p)}'" for p, arg in zip(params, instance.args, strict=True) if not _is_uniform(arg)]
    why = f"{', '.join(differing)} may differ among the active lanes" if differing else ""
    name = _shown(function.function)
    kind, cost_ns, good = f"call of '{_written(callee.name, callee.span)}'", CALL_NS, "lockstep call" if same else ""
    if form is not None:
        kind, text, cost_ns, good = "recursion", f"{form.text}, {text}", form.cost_ns, form.good
    lost: Missed | None = None if same or form is not None else "call without lockstep"
    yield Remark(name, node.span, kind, "", text, why, loops, cost_ns, good=good, missed=lost)


def _of_variables(function: FunctionShapes, shapes: Shapes) -> Iterator[Remark]:
    """Variables of which each thread's lies after the last one's, because it is unknown what gets their addresses."""
    for node in walk(function.function.body):
        if isinstance(node, tree.Declare) and shapes.storage.of(node.variable) == storage.FLAT:
            size = node.variable.type.size
            text = f"each thread has a copy of its {size} bytes in memory, and neighbouring ones are as far apart"
            why = f"the address of '{own_name(node.variable)}' is handed on"
            yield Remark(
                _shown(function.function), node.variable.span, "variable", "", text, why, 0, COPY_NS * size,
                helps.FLAT, missed="copy for each thread",
            )  # fmt: skip


def _of_kernel(function: FunctionShapes, shapes: Shapes, plans: Plans) -> Iterator[Remark]:
    """What costs a kernel as a whole: barriers, and parameters that every thread copies."""
    kernel = function.function
    if kernel.kind != "kernel":
        return
    name, plan = _shown(kernel), plans.division(function.instance)
    if kernel.name in shapes.storage.synchronising:
        depth = min(max((d for node, d in walk_loops(kernel.body) if _is_barrier(node)), default=0), MAX_DEPTH)
        if plan is None:
            text = "at each one the gangs of a block take turns, in contexts of their own"
            why = plans.why_whole(function.instance)
            yield Remark(
                name, kernel.span, "barriers", "", text, why, depth, SWITCHES_NS, helps.of_barriers(why),
                missed="barrier with turns",
            )  # fmt: skip
        elif plan.kept:
            yield _kept(name, kernel.span, plan.kept, depth)
    for param in kernel.params:
        if shapes.storage.of(param) in (storage.INTERLEAVED, storage.FLAT):
            text = f"each thread has a copy of its {param.type.size} bytes in memory"
            why = f"'{own_name(param)}' is changed, or its address is taken"
            yield Remark(
                name, param.span, "parameter", "", text, why, 0, COPY_NS * param.type.size, helps.PARAMETER,
                missed="copy for each thread",
            )  # fmt: skip


def _kept(name: str, span: Span, kept: Sequence[tree.Variable], depth: int) -> Remark:
    names = list(dict.fromkeys(f"'{own}'" for variable in kept if (own := own_name(variable))))
    text = f"{len(names)} variable{'s' * (len(names) != 1)} of each thread wait{'s' * (len(names) == 1)} in memory"
    why = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} used on both sides of one"
    cost = 2 * VECTOR_NS * len(names)
    return Remark(
        name, span, "barriers", "", text, why, depth, cost, helps.KEPT, missed="variable kept across barriers"
    )


SWITCHES_NS = 5.0  # of four gangs
COPY_NS = 0.25  # a byte, for the lanes of a gang


def _is_barrier(node: tree.Node) -> bool:
    return isinstance(node, tree.BuiltinCall) and node.builtin.synchronises


def _is_uniform(shape: Known) -> bool:
    parts = shape if isinstance(shape, tuple) else (shape,)
    return all(part is not None and part.uniform for part in parts)


# ------------------------------------------------------------------------------------------------- why


def _why_address(function: FunctionShapes, place: tree.Place, shape: Shape) -> str:
    if shape.uniform:
        return "all active lanes use one address"
    if shape.kind == Kind.AFFINE:
        distance = f"{abs(shape.stride)} byte{'s' * (abs(shape.stride) != 1)} apart"
        return f"neighbouring lanes are {distance}" + (", backwards" if shape.stride < 0 else "")
    return _because(_sources(function, _parts(place)), "address")


def _why_value(function: FunctionShapes, node: tree.Expr, shape: Shape, what: str) -> str:
    if shape.uniform:
        return f"the {what} is the same in all {'threads of the block' if shape.kind == Kind.BLOCK else 'active lanes'}"
    return _because(_sources(function, [node]), what)


def _because(sources: list[str], what: str) -> str:
    if not sources:
        return f"the {what} differs among lanes"
    shown = " and ".join(f"'{source}'" for source in sources[:2])
    return f"the {what} varies with {shown}" + (" and others" if len(sources) > 2 else "")


def _sources(function: FunctionShapes, nodes: Iterable[tree.Expr]) -> list[str]:
    """Return the smallest expressions in `nodes` that differ among lanes: the first ones, up to `_MOST_SOURCES`."""
    found: dict[str, None] = {}
    left = list(nodes)[::-1]
    while left and len(found) < _MOST_SOURCES:
        node = left.pop()
        if _is_uniform(function.expressions.get(node)):
            continue
        is_whole = isinstance(node, tree.Load | tree.Call | tree.BuiltinCall)
        below = [] if is_whole else [part for part in _parts(node) if not _is_uniform(function.expressions.get(part))]
        if below:
            left += below[::-1]
        else:
            found[_text_of(node)] = None
    return list(found)


_MOST_SOURCES = 3


def _parts(node: tree.Expr | tree.Place) -> Iterator[tree.Expr]:
    """The expressions that a node or its address is computed from."""
    for child in children(node):
        if isinstance(child, tree.Place):
            yield from _parts(child)
        elif isinstance(child, tree.Expr):
            yield child


def _text_of(node: tree.Expr) -> str:
    """The program's own text of an expression, or its variable's name inside a macro."""
    if isinstance(node, tree.Load) and isinstance(node.place, tree.VarRef):
        return _written(node.place.variable.name, node.place.variable.span)
    return _written("an expression of a macro", node.span)


def _written(name: str, span: Span) -> str:
    """The program's own text for something that we may have given another `name`, or may have made."""
    text = span.source.line(span.line)[span.column - 1 :][: span.length] if span.column else ""
    return " ".join(text.split()) or name


def own_name(variable: tree.Variable) -> str:
    """Return the program's own name of a variable, also of one that a rewrite has made of it; "" if there is none."""
    span = variable.span
    line = span.source.line(span.line)
    if re.search(rf"(?<!\w){re.escape(variable.name)}(?!\w)", line):
        return variable.name
    found = re.match(r"[A-Za-z_]\w*", line[max(0, span.column - 1) :])
    return found[0] if found is not None else ""


# --------------------------------------------------------------------------------------------- listing


def listing(shapes: Shapes) -> str:
    """Return every instance with the shapes of its parameters, variables and result."""
    parts: list[str] = []
    for instance, function in shapes.instances.items():
        parts.append(_header(instance, function))
        for (variable, offset), shape in function.variables.items():
            if variable.storage == "local":
                member = f"+{offset}" if isinstance(variable.type, Struct) else ""
                parts.append(f"  {variable.name}{member}: {shape}  [line {variable.span.line}]")
        for node in function.divergent_loops:
            parts.append(f"  divergent loop  [line {node.span.line}]")
        for call, callee in function.calls.items():
            args = ", ".join(map(_text, callee.args))
            parts.append(f"  call of {callee.name}({args})  [line {call.span.line}]")
    return "\n".join(parts)


def _header(instance: Instance, function: FunctionShapes) -> str:
    params = zip(function.function.params, instance.args, strict=True)
    args = ", ".join(f"{param.name}: {_text(shape)}" for param, shape in params)
    rows = {"x": "", "y": ", gangs along y", "xy": ", gangs are tiles", "": ", gangs may span rows"}[instance.along]
    where = ", in divergent control" if instance.divergent else ""
    lanes = f", {instance.lanes} lanes" if instance.lanes > LANES else ""
    return f"{instance.name}({args}) -> {_text(function.result)}{rows}{lanes}{where}"


def _text(shape: Known) -> str:
    if isinstance(shape, tuple):
        return "{" + ", ".join(map(_text, shape)) + "}"
    return "none" if shape is None else str(shape)
