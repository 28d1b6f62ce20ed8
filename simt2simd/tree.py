"""The typed tree: what the checker makes of a CUDA-C file, and what every later stage works on.

Every conversion is a node, every read of a place is a `Load`, every name is resolved. The tree is
made of frozen dataclasses and prints back as CUDA-C (`show`).

A *place* (an lvalue) is somewhere in memory or a variable: `VarRef`, `Deref`, `Index`, `Member`.
It is not a value until a `Load` reads it. Arrays are never values: `Decay` gives the address of
the first element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, get_args, get_type_hints

from .ctype import INT, UINT, CType, Pointer, Struct, is_integer
from .cuda import Builtin, ThreadVariable
from .source import Span

StorageKind = Literal["local", "param", "launch", "shared", "constant"]
FunctionKind = Literal["kernel", "device"]
Inline = Literal["always", "never"]
Comparison = Literal["==", "!=", "<", "<=", ">", ">="]
Arithmetic = Literal["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]
LogicalOp = Literal["&&", "||"]
UnaryOp = Literal["-", "~", "!"]
BinaryOp = Arithmetic | Comparison

COMPARISONS: tuple[Comparison, ...] = ("==", "!=", "<", "<=", ">", ">=")
ARITHMETIC: tuple[Arithmetic, ...] = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")


@dataclass(frozen=True, eq=False, slots=True)
class Variable:
    """A named object. Two variables are the same only if they are the same object.

    `storage` is "local" (one per thread), "param", "launch" (a parameter of a kernel, where the launch has put it),
    "shared" (one per block) or "constant" (file scope, initialised, never written; `initial` holds its bytes).
    `const` says that the program may not assign to it. `restrict`: a pointer parameter, to memory that the function
    reaches in no other way as long as anybody changes it.
    """

    name: str
    type: CType
    span: Span = field(repr=False)
    storage: StorageKind
    const: bool = False
    initial: bytes | None = field(default=None, repr=False)
    restrict: bool = False


# ---------------------------------------------------------------------------------------------- places


@dataclass(frozen=True, eq=False, slots=True)
class VarRef:
    """The variable itself."""

    span: Span = field(repr=False)
    type: CType
    variable: Variable


@dataclass(frozen=True, eq=False, slots=True)
class Deref:
    """`*pointer`"""

    span: Span = field(repr=False)
    type: CType
    pointer: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Index:
    """`pointer[index]`; `index` has a promoted integer type and counts elements."""

    span: Span = field(repr=False)
    type: CType
    pointer: Expr
    index: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Member:
    """`base.name`; `p->name` is `Member(Deref(p))`. `offset` is in bytes."""

    span: Span = field(repr=False)
    type: CType
    base: Place
    name: str
    offset: int


@dataclass(frozen=True, eq=False, slots=True)
class Temporary:
    """A struct value that has no name (the result of a call), used as a place: `f().x`."""

    span: Span = field(repr=False)
    type: CType
    value: Expr


Place = VarRef | Deref | Index | Member | Temporary

# ----------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, eq=False, slots=True)
class Constant:
    """A number, a bool, or the null pointer (0). Integers are stored as their mathematical value."""

    span: Span = field(repr=False)
    type: CType
    value: int | float | bool


@dataclass(frozen=True, eq=False, slots=True)
class ThreadIndex:
    """`threadIdx.x` and its kin. `name` is "threadIdx", "blockIdx", "blockDim" or "gridDim"; `axis` 0, 1 or 2."""

    span: Span = field(repr=False)
    type: CType  # unsigned int
    name: ThreadVariable
    axis: int


@dataclass(frozen=True, eq=False, slots=True)
class Load:
    """The value that a place holds now. `type` may be a struct."""

    span: Span = field(repr=False)
    type: CType
    place: Place


@dataclass(frozen=True, eq=False, slots=True)
class AddressOf:
    """`&place`"""

    span: Span = field(repr=False)
    type: CType
    place: Place


@dataclass(frozen=True, eq=False, slots=True)
class Decay:
    """The address of an array's first element; `place` has an array type."""

    span: Span = field(repr=False)
    type: CType
    place: Place


@dataclass(frozen=True, eq=False, slots=True)
class Unary:
    """`-x`, `~x` on a promoted type (`op` "-", "~"), or `!x` on a bool (`op` "!")."""

    span: Span = field(repr=False)
    type: CType
    op: UnaryOp
    operand: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Binary:
    """An arithmetic, bitwise, shift or comparison operator; comparisons give `bool`.

    `op` is one of `+ - * / % & | ^ << >> == != < <= > >=`. Both operands have the same scalar type, except
    that a shift count has a promoted type of its own. Pointers are only compared here.
    """

    span: Span = field(repr=False)
    type: CType
    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class PointerAdd:
    """`pointer + index` (`negative`: `pointer - index`); `index` has a promoted integer type and counts elements."""

    span: Span = field(repr=False)
    type: CType
    pointer: Expr
    index: Expr
    negative: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class PointerDiff:
    """`left - right` in elements, as `long`."""

    span: Span = field(repr=False)
    type: CType
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Logical:
    """`left && right` or `left || right` on bools; `right` runs only in the lanes that need it."""

    span: Span = field(repr=False)
    type: CType
    op: LogicalOp
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Conditional:
    """`cond ? then : other`; each arm runs only in the lanes that chose it."""

    span: Span = field(repr=False)
    type: CType
    cond: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Convert:
    """`operand` converted to `type`: between arithmetic types, to `bool` (`x != 0`), between pointers and integers.

    `type` is `void` where a cast discards the value. `explicit` says that the program wrote a cast.
    """

    span: Span = field(repr=False)
    type: CType
    operand: Expr
    explicit: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Assign:
    """`place = value`; its value is the value assigned. The value is evaluated before the place."""

    span: Span = field(repr=False)
    type: CType
    place: Place
    value: Expr


@dataclass(frozen=True, eq=False, slots=True)
class CompoundAssign:
    """`place op= value`, the place evaluated once, after the value.

    The place's value is converted to `compute`, combined with `value` and converted back to `type`.
    `op` is a `Binary` arithmetic, bitwise or shift operator. For a pointer place `op` is "+" or "-",
    `compute` is the pointer type and `value` an index in elements.
    """

    span: Span = field(repr=False)
    type: CType
    place: Place
    op: Arithmetic
    value: Expr
    compute: CType


@dataclass(frozen=True, eq=False, slots=True)
class Increment:
    """`++place`, `place--` and so on.

    `delta` is 1 or -1, in elements for a pointer. With `prefix` the value is the new one.
    """

    span: Span = field(repr=False)
    type: CType
    place: Place
    delta: int
    prefix: bool


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """A call of a `__device__` function of this module, by name; arguments have the parameters' types."""

    span: Span = field(repr=False)
    type: CType
    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class BuiltinCall:
    """A call of a CUDA built-in; arguments have the types of `builtin.params`."""

    span: Span = field(repr=False)
    type: CType
    builtin: Builtin
    args: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Comma:
    """`left, right`"""

    span: Span = field(repr=False)
    type: CType
    left: Expr
    right: Expr


Expr = (
    Constant | ThreadIndex | Load | AddressOf | Decay | Unary | Binary | PointerAdd | PointerDiff | Logical
    | Conditional | Convert | Assign | CompoundAssign | Increment | Call | BuiltinCall | Comma
)  # fmt: skip

# ------------------------------------------------------------------------------------------ statements


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """`{ ... }`: a scope."""

    span: Span = field(repr=False)
    statements: tuple[Stmt, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Declare:
    """A local or shared variable comes to life. `initial` is a value (also for a struct) or a braced list."""

    span: Span = field(repr=False)
    variable: Variable
    initial: Expr | Braces | None


@dataclass(frozen=True, eq=False, slots=True)
class Braces:
    """A braced initialiser, flattened: byte offset, type and value of each scalar, in source order; else zero."""

    span: Span = field(repr=False)
    items: tuple[tuple[int, CType, Expr], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Evaluate:
    """An expression for its effects."""

    span: Span = field(repr=False)
    expr: Expr


@dataclass(frozen=True, eq=False, slots=True)
class If:
    """`if (cond) then else other`; `cond` is bool, `other` may be empty."""

    span: Span = field(repr=False)
    cond: Expr
    then: Block
    other: Block


@dataclass(frozen=True, eq=False, slots=True)
class Loop:
    """`for`, `while` and `do`. `cond` is bool; `None` means for ever.

    `test_first` is False for `do`. `init` and `step` are empty but for `for`. `continue` goes to `step`.
    `unroll` is the count of `#pragma unroll N`, 0 for a bare `#pragma unroll`, None without one.
    `swept`: better if all gangs of a block run a round before any runs the next (`sweep`).
    """

    span: Span = field(repr=False)
    init: tuple[Stmt, ...]
    cond: Expr | None
    step: tuple[Expr, ...]
    body: Block
    test_first: bool = True
    unroll: int | None = None
    swept: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Section:
    """The statements from one group of labels to the next; `None` is `default`. It falls through into the next."""

    span: Span = field(repr=False)
    labels: tuple[int | None, ...]
    body: Block


@dataclass(frozen=True, eq=False, slots=True)
class Switch:
    """`switch (value)`; `value` has a promoted integer type and the labels are values of it.

    The sections' blocks share one scope: a variable declared in one is visible in the later ones.
    """

    span: Span = field(repr=False)
    value: Expr
    sections: tuple[Section, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Break:
    span: Span = field(repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class Continue:
    span: Span = field(repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class Return:
    span: Span = field(repr=False)
    value: Expr | None


Stmt = Block | Declare | Evaluate | If | Loop | Switch | Break | Continue | Return

# ------------------------------------------------------------------------------------------- functions


@dataclass(frozen=True, eq=False, slots=True)
class Function:
    """`kind` is "kernel" or "device". `inline` is "always", "never" or None.

    `max_threads` and `min_blocks` come from `__launch_bounds__`, None without it.
    `static` is C's linkage of a kernel: its name is private to the file. `outlined`: made from a loop by `outline`.
    `looped`: a recursive walk that a loop over a stack may run (`preorder`).
    """

    name: str
    span: Span = field(repr=False)
    kind: FunctionKind
    params: tuple[Variable, ...]
    result: CType
    body: Block
    inline: Inline | None = None
    max_threads: int | None = None
    min_blocks: int | None = None
    static: bool = False
    outlined: bool = False
    looped: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class LaneLoop:
    """A loop that may run lane by lane, or in a narrower gang (`outline`): the function that runs it.

    The function's parameters are `captured`, the variables that the loop uses; the scalars that it returns are the new
    values of `results`.
    """

    function: str
    captured: tuple[Variable, ...]
    results: tuple[Variable, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Module:
    """The device part of one program file. `functions` holds kernels and device functions, in source order.

    `structs` has those that are only declared last. `constants` and `shared` are the variables at file scope.
    """

    name: str
    structs: tuple[Struct, ...]
    constants: tuple[Variable, ...]
    functions: dict[str, Function]
    shared: tuple[Variable, ...] = ()
    lane_loops: dict[Loop, LaneLoop] = field(default_factory=dict)
    squeezed_loops: dict[Loop, LaneLoop] = field(default_factory=dict)

    @property
    def kernels(self) -> tuple[Function, ...]:
        return tuple(f for f in self.functions.values() if f.kind == "kernel")


def functions_reaching(module: Module, wanted: Callable[[Node], bool]) -> frozenset[str]:
    """Return the functions with a node that is `wanted` in them or in a function that they reach by calls."""
    found: set[str] = set()
    callers: dict[str, list[str]] = {}
    for name, function in module.functions.items():
        for node in walk(function.body):
            if isinstance(node, Call):
                callers.setdefault(node.function, []).append(name)
            if name not in found and wanted(node):
                found.add(name)
    todo = list(found)
    while todo:
        more = set(callers.get(todo.pop(), ())) - found
        found |= more
        todo += more
    return frozenset(found)


def expanded_nodes(module: Module, most: int) -> dict[str, int]:
    """Return how many nodes each function has with the bodies of what it calls in place of the calls, at most `most`.

    A function does not stand in its own place.
    """
    counts: dict[str, int] = {}

    def count(name: str) -> int:
        if name not in counts:
            counts[name] = 1
            below = (
                count(node.function) if isinstance(node, Call) else 1 for node in walk(module.functions[name].body)
            )
            counts[name] = min(most, sum(below))
        return counts[name]

    for name in module.functions:
        count(name)
    return counts


def is_global_index(node: Binary, axis: int) -> bool:
    """`blockIdx.x * blockDim.x + threadIdx.x`, or the same along another axis."""
    if node.op != "+":
        return False
    for product, thread in ((node.left, node.right), (node.right, node.left)):
        if not isinstance(thread, ThreadIndex) or (thread.name, thread.axis) != ("threadIdx", axis):
            continue
        if isinstance(product, Binary) and product.op == "*":
            factors = [f for f in (product.left, product.right) if isinstance(f, ThreadIndex)]
            if {f.name for f in factors if f.axis == axis} == {"blockIdx", "blockDim"}:
                return True
    return False


def is_barrier(node: Node) -> bool:
    """Whether `node` is a call of a barrier."""
    return isinstance(node, BuiltinCall) and node.builtin.synchronises


def synchronising_functions(module: Module) -> frozenset[str]:
    """Return the functions that may reach a barrier, directly or through calls."""
    return functions_reaching(module, is_barrier)


def may_wait(node: Node) -> bool:
    """Whether `node` lets a thread see what another block writes meanwhile, so that it could wait for it."""
    match node:
        case Deref() | Index():
            return isinstance(node.pointer.type, Pointer) and node.pointer.type.volatile
        case BuiltinCall(builtin=Builtin(op="fence")):
            return True
        case Evaluate():
            return False
    return any(isinstance(child, BuiltinCall) and child.builtin.atomic for child in children(node))


def recursive_functions(module: Module) -> frozenset[str]:
    """Return the functions that may call themselves, directly or through others."""
    return frozenset(name for name, found in reached_functions(module).items() if name in found)


def reached_functions(module: Module) -> dict[str, set[str]]:
    """Return, for each function, those that it may call, directly or through others."""
    calls = {
        name: {node.function for node in walk(function.body) if isinstance(node, Call)}
        for name, function in module.functions.items()
    }
    reached: dict[str, set[str]] = {}
    for name, direct in calls.items():
        found, todo = set(direct), list(direct)
        while todo:
            more = calls[todo.pop()] - found
            found |= more
            todo += more
        reached[name] = found
    return reached


def narrow_index(index: Expr) -> Expr:
    """Return an index without a conversion from 32 to 64 bits, which address arithmetic does anyway."""
    if isinstance(index, Convert) and index.operand.type in (INT, UINT) and index.type.size == 8:
        return index.operand
    return index


def without_resigning(node: Expr) -> Expr:
    """Return what is below conversions between signed and unsigned integers of one size."""
    while isinstance(node, Convert) and is_integer(node.type) and is_integer(node.operand.type):
        if node.type.size != node.operand.type.size:
            break
        node = node.operand
    return node


def same_value(left: Expr, right: Expr) -> bool:
    """Whether two expressions, evaluated one after the other, are made alike of constants, variables and memory."""
    match left, right:
        case Constant(), Constant():
            return left.type == right.type and left.value == right.value
        case ThreadIndex(), ThreadIndex():
            return (left.name, left.axis) == (right.name, right.axis)
        case Load(), Load():
            return left.type == right.type and _same_place(left.place, right.place)
        case AddressOf() | Decay(), AddressOf() | Decay():
            return left.type == right.type and _same_place(left.place, right.place)
        case PointerAdd(), PointerAdd():
            alike = left.negative == right.negative and same_value(left.pointer, right.pointer)
            return alike and same_value(left.index, right.index)
        case Convert(), Convert():
            return left.type == right.type and same_value(left.operand, right.operand)
        case Unary(), Unary():
            return left.op == right.op and same_value(left.operand, right.operand)
        case Binary(), Binary():
            alike = left.op == right.op and left.type == right.type
            return alike and same_value(left.left, right.left) and same_value(left.right, right.right)
    return False


def _same_place(left: Place, right: Place) -> bool:
    match left, right:
        case VarRef(), VarRef():
            return left.variable is right.variable
        case Deref(), Deref():
            return _same_pointer(left.pointer, right.pointer)
        case Index(), Index():
            return _same_pointer(left.pointer, right.pointer) and same_value(left.index, right.index)
        case Member(), Member():
            return left.offset == right.offset and left.type == right.type and _same_place(left.base, right.base)
    return False


def _same_pointer(left: Expr, right: Expr) -> bool:
    volatile = any(isinstance(p.type, Pointer) and p.type.volatile for p in (left, right))
    return not volatile and same_value(left, right)


def repeats(node: Expr) -> bool:
    """Whether an expression may be evaluated once more, before its turn, while its variables keep their values.

    It has no effects, and it reads no memory: the address may be one that is stored only meanwhile.
    """
    return all(map(_repeats, walk(node)))


def _repeats(node: Node) -> bool:
    match node:
        case Load():
            return isinstance(node.place, VarRef | Member)
        case VarRef():
            return node.variable.storage != "shared"
        case BuiltinCall():
            return node.builtin.pure
        case Constant() | ThreadIndex() | Member() | Unary() | Binary() | Logical() | Conditional() | Convert():
            return True
    return False


MAX_REPEATED = 500  # nodes


def only_repeats(arm: Expr, cond: Expr) -> bool:
    """Whether `arm` changes nothing and reads only what all lanes read for `cond`: `a[i] < b ? a[i] : b`.

    Looks at short ones only.
    """
    nodes = [*islice(walk(arm), MAX_REPEATED), *islice(walk(cond), MAX_REPEATED)]
    changing = Call | BuiltinCall | Assign | CompoundAssign | Increment | Temporary
    if len(nodes) >= MAX_REPEATED or any(isinstance(node, changing) for node in nodes):
        return False
    read = list(_certain_loads(cond))
    again = [node for node in walk(arm) if isinstance(node, Load) and not isinstance(node.place, VarRef)]
    return all(any(same_value(node, load) for load in read) for node in again)


def _certain_loads(node: Node) -> Iterator[Load]:
    """Yield the loads that all lanes make which evaluate `node`."""
    if isinstance(node, Load):
        yield node
    certain = {Conditional: "cond", Logical: "left"}.get(type(node))
    for below in children(node) if certain is None else [getattr(node, certain)]:
        yield from _certain_loads(below)


Node = Expr | Place | Stmt | Braces | Section


def children(node: Node) -> list[Node]:
    """Return the direct sub-nodes of `node`, in the order of its fields."""
    found: list[Node] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name)
        if type(value) is tuple:
            found.extend(_nodes(value))
        elif value is not None:
            found.append(value)
    return found


def walk(node: Node) -> Iterator[Node]:
    """Yield `node` and everything below it, parents first."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        if below := children(node):
            below.reverse()
            left += below


def walk_loops(node: Node, loops: int = 0) -> Iterator[tuple[Node, int]]:
    """`walk`, with the number of loops round each node. A loop is inside itself, its start values are not."""
    if isinstance(node, Loop):
        for below in node.init:
            yield from walk_loops(below, loops)
        yield node, loops + 1
        inner = (*((node.cond,) if node.cond is not None else ()), *node.step, node.body)
        for child in inner:
            yield from walk_loops(child, loops + 1)
        return
    yield node, loops
    for child in children(node):
        yield from walk_loops(child, loops)


def loop_depth(node: Node) -> int:
    """Return how deep loops lie in each other in a statement."""
    deepest, left = 0, [(node, 0)]
    while left:
        node, depth = left.pop()
        deepest = max(deepest, depth)
        inside = depth + isinstance(node, Loop)
        left += ((child, inside) for child in children(node) if isinstance(child, Stmt | Section))
    return deepest


_KINDS = frozenset(get_args(Node))


def _may_hold_nodes(hint: Any) -> bool:
    return hint in _KINDS or any(map(_may_hold_nodes, get_args(hint)))


# The fields of each kind of node that hold a node, None, or a tuple with nodes in it.
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name, hint in get_type_hints(kind).items() if _may_hold_nodes(hint)) for kind in _KINDS
}


def _nodes(items: tuple[Any, ...]) -> Iterator[Node]:
    """Yield the nodes in a tuple; items may be tuples of a node and what is said of it."""
    for item in items:
        if type(item) in _KINDS:
            yield item
        elif type(item) is tuple:
            yield from _nodes(item)
