"""Tree-to-tree: a loop that may run lane by lane, or in a narrower gang, is also a function of its own.

**Known as:** loop extraction, outlining.

Lanes of a gang that walk lists of different lengths leave the loop one by one, and the last few pay for gathers and
scatters of sixteen lanes. From some point on it is quicker to let each of them finish alone, in scalar code. That
code is nothing new to the compiler: the loop as a function, called with arguments that are uniform, for only one lane
is on. `outline` makes that function; `mapping/scalar_tail` decides when to call it, and so does
`mapping/lane_compaction` for few lanes of a wide gang. What it notes is keyed by loops, so it comes last: a later
rewrite would lose it.

A lane that runs alone must finish without the others of its gang. So a loop that stores has to end by a
count; a loop that stores nothing cannot let another lane continue anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis import liveness
from ..lang.ctype import VOID, CType, Pointer, Scalar, Struct
from ..lang.layout import Declared, lay_out
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import Write, continues_out, declared_variables, is_local, root, write_of, writes
from ..tree.nodes import Loop, Module, OutlinedLoop, Variable
from ..tree.same import without_conversions
from ..tree.walk import walk

MAX_NODES = 200  # of a loop; longer ones have better things to do than to wait for memory


def outline(module: Module, lives: liveness.Table) -> Module:
    """Add a function for each loop that may run lane by lane or in a narrower gang, and say which loop it is."""
    functions = dict(module.functions)
    loops: dict[Loop, OutlinedLoop] = {}
    for function in module.functions.values():
        found = [node for node in walk(function.body) if isinstance(node, Loop) and may_be_function(node)]
        live = lives.of(function).after if found else {}
        for node in found:
            made, loops[node] = _outlined(f"{function.name}.loop{len(loops)}", node, live[node])
            functions[made.name] = made
    return replace(module, functions=functions, outlined=loops)


# -------------------------------------------------------------------------------------------- legality


def may_be_function(node: Loop) -> bool:
    """Whether an innermost loop means the same in a function of its variables."""
    inside = list(_inside(node))
    if len(inside) > MAX_NODES:
        return False
    for below in inside:
        match below:
            case Loop() | tree.Call() | tree.Return() | tree.ThreadIndex(name="threadIdx") | tree.Temporary():
                return False
            case tree.BuiltinCall() if not below.builtin.pure:
                return False
            case tree.Declare() if below.variable.storage != "local":
                return False
            case tree.VarRef(type=ctype) if not isinstance(ctype, Scalar | Pointer):
                return False
    return True


def may_run_alone(node: Loop) -> bool:
    """Whether each lane may run such a loop to its end by itself, and may gain by it."""
    inside = list(_inside(node))
    if not any(isinstance(below, tree.Load) and _is_memory(below.place) for below in inside):
        return False
    return not any(_is_memory(write.place) for write in _written(node)) or _counts(node)


def _inside(node: Loop) -> Iterator[tree.Node]:
    """Return the nodes that run in every iteration of a loop."""
    for part in _parts(node):
        yield from walk(part)


def _parts(node: Loop) -> tuple[tree.Node, ...]:
    return (*(() if node.cond is None else (node.cond,)), *node.step, node.body)


def _written(node: Loop) -> list[Write]:
    return [write for part in _parts(node) for write in writes(part)]


def _is_memory(place: tree.Place) -> bool:
    return not isinstance(place, tree.VarRef) or not is_local(place.variable)


def _counts(node: Loop) -> bool:
    """Whether the loop ends by a count, whatever it loads: it tests a variable that each iteration steps once."""
    every_iteration: list[tree.Expr] = list(node.step)
    if not continues_out(node.body):
        every_iteration += [s.expr for s in node.body.statements if isinstance(s, tree.Evaluate)]
    changes = _written(node)
    changed = {write.variable for write in changes}
    moving = [write for expr in every_iteration if (write := write_of(expr)) is not None]
    steps = {write.place for write in moving if write.value is None or _is_fixed(write.value, changed)}
    assigned = {root(below.place) for below in _inside(node) if isinstance(below, tree.Assign)}

    def counter(operand: tree.Expr) -> bool:
        operand = without_conversions(operand)
        if not isinstance(operand, tree.Load) or _is_memory(operand.place):
            return False
        variable = root(operand.place)
        moves = [write.place for write in changes if write.variable is variable]
        return variable not in assigned and bool(moves) and all(place in steps for place in moves)

    def ends(cond: tree.Expr | None) -> bool:
        match cond:
            case tree.Logical(op="&&"):
                return ends(cond.left) or ends(cond.right)
            case tree.Binary(op="<" | "<=" | ">" | ">="):
                return counter(cond.left) or counter(cond.right)
            case _:
                return False

    return ends(node.cond)


def _is_fixed(node: tree.Expr, changed: set[Variable | None]) -> bool:
    """Whether a value is the same in every iteration."""
    loads = [below for below in walk(node) if isinstance(below, tree.Load)]
    return not any(_is_memory(load.place) or root(load.place) in changed for load in loads)


# ------------------------------------------------------------------------------------------ the function


def _outlined(name: str, node: Loop, live: frozenset[Variable]) -> tuple[tree.Function, OutlinedLoop]:
    """Return the loop, without its start values, as a function of the variables that it uses.

    It returns those that it changes and that are read after it. The variables are the same objects as in the loop.
    """
    own = declared_variables(node.body)
    used = dict.fromkeys(below.variable for below in _inside(node) if isinstance(below, tree.VarRef))
    captured = tuple(v for v in used if v not in own and is_local(v))
    changed = {write.variable for write in _written(node)}
    results = tuple(v for v in captured if v in changed and v in live)
    loop = replace(node, init=())
    build = Build(node.span)
    statements: list[tree.Stmt] = [loop]
    result: CType = VOID
    if results:
        fields = [Declared(f"{v.name}{i}", v.type, v.type.align) for i, v in enumerate(results)]
        layout = lay_out(fields, union=False)
        result = Struct(name, node.span, layout.fields, -(-layout.size // layout.align) * layout.align, layout.align)
        whole = Variable("results", result, node.span, "local")
        statements.append(build.declare(whole))
        for variable, field in zip(results, layout.fields, strict=True):
            part = tree.Member(node.span, field.type, build.place(whole), field.name, field.offset)
            statements.append(build.assign(part, build.read(variable)))
        statements.append(tree.Return(node.span, build.read(whole)))
    body = build.block(*statements)
    function = tree.Function(name, node.span, "device", captured, result, body, outlined=True)
    return function, OutlinedLoop(name, captured, results, may_run_alone(node))
