"""What the evaluation of a node changes, what may change it, and where it jumps to.

All these questions are about the node and what is below it; a call is a call, whatever the function does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard, assert_never, cast

from ..lang.builtins import Builtin
from ..lang.ctype import VOID, Pointer, Struct
from .nodes import (
    AddressOf,
    Assign,
    Binary,
    Block,
    Braces,
    Break,
    BuiltinCall,
    Call,
    Comma,
    CompoundAssign,
    Conditional,
    Constant,
    Continue,
    Convert,
    Decay,
    Declare,
    Deref,
    Evaluate,
    Expr,
    Function,
    If,
    Increment,
    Index,
    Jump,
    Load,
    Logical,
    Loop,
    Member,
    Node,
    Place,
    PointerAdd,
    PointerDiff,
    Return,
    Section,
    Stmt,
    Switch,
    Temporary,
    ThreadIndex,
    Unary,
    Variable,
    VarRef,
)
from .walk import children, walk

# ------------------------------------------------------------------------------------------ variables


def is_local(variable: Variable) -> bool:
    """Whether each thread has a `variable` of its own: a local one or a parameter."""
    return variable.storage in ("local", "param")


def is_changeable(variable: Variable) -> bool:
    """Whether other threads may change `variable`, in its block or anywhere."""
    return variable.storage in ("shared", "device")


def root(place: Place) -> Variable | None:
    """Return the variable that `place` is a part of, None if it is reached through a pointer value."""
    match place:
        case VarRef():
            return place.variable
        case Member():
            return root(place.base)
        case Index():
            return root(place.pointer.place) if isinstance(place.pointer, Decay) else None
        case Deref():
            return root(place.pointer.place) if isinstance(place.pointer, Decay | AddressOf) else None
        case Temporary():
            return None
        case _:
            assert_never(place)


def outermost(place: Place) -> tuple[Place, int]:
    """Return the place that `place` is a member of, or a member's member, and how many bytes into it.

    `s.a.b` leads to `s`, `p->x` to `*p`; what is no member leads to itself.
    """
    offset = 0
    while isinstance(place, Member):
        offset += place.offset
        place = place.base
    return place, offset


def in_union(node: Node) -> bool:
    """Whether `node` is a place in a union, or its address: others of its members are there too."""
    match node:
        case Member():
            return isinstance(node.base.type, Struct) and (node.base.type.union or in_union(node.base))
        case Index(pointer=Decay(place=place)) | AddressOf(place=place) | Decay(place=place):
            return in_union(place)
        case _:
            return False


def named_variables(node: Node) -> set[Variable]:
    """Return the variables that `node` reads, writes or takes the address of, by their names."""
    return {below.variable for below in walk(node) if isinstance(below, VarRef)}


def declared_variables(node: Node) -> set[Variable]:
    """Return the variables that are declared in `node`."""
    return {below.variable for below in walk(node) if isinstance(below, Declare)}


def names_in(function: Function) -> set[str]:
    """Return the names of the variables of a function."""
    body = function.body
    return {each.name for each in (*function.params, *declared_variables(body), *named_variables(body))}


def addressed_variables(node: Node) -> set[Variable]:
    """Return the variables to which `node` makes a pointer, or to a part: they may change without being named.

    An array that is only indexed is not among them.
    """
    found: set[Variable | None] = set()
    used: set[Expr] = set()  # pointers that an index or a star follows at once
    for below in walk(node):
        if isinstance(below, Deref | Index):
            used.add(below.pointer)
        elif isinstance(below, AddressOf | Decay) and below not in used:
            found.add(root(below.place))
    return {variable for variable in found if variable is not None}


def is_text(node: Expr) -> bool:
    """Whether `node` is the address of a string literal."""
    return isinstance(node, Decay) and isinstance(node.place, VarRef) and node.place.variable.literal


# ------------------------------------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class Write:
    """`place` gets a value by an assignment: `value`, or its own combined with `value`; None: plus or minus one."""

    place: Place
    value: Expr | None

    @property
    def variable(self) -> Variable | None:
        """The variable that changes, if it is known by its name."""
        return root(self.place)


def write_of(node: Node) -> Write | None:
    """Return the assignment that `node` itself is, None if it is something else, such as a declaration."""
    match node:
        case Load() | VarRef() | Binary() | Member() | Index() | Constant() | Decay() | Convert() | ThreadIndex():
            return None
        case Assign() | CompoundAssign():
            return Write(node.place, node.value)
        case Increment():
            return Write(node.place, None)
        case Call() | BuiltinCall():
            return None  # what a function writes, it writes through pointers
        case Deref() | Temporary() | AddressOf() | Unary() | PointerAdd() | PointerDiff() | Logical() | Conditional():
            return None
        case Comma() | Block() | Declare() | Braces() | Evaluate() | If() | Loop() | Section() | Switch():
            return None
        case Break() | Continue() | Return():
            return None
        case _:
            assert_never(node)


def writes(node: Node) -> Iterator[Write]:
    """Yield every assignment in `node`."""
    for below in walk(node):
        if (write := write_of(below)) is not None:
            yield write


def written_variables(node: Node) -> set[Variable]:
    """Return the variables that `node` assigns to by their names, in whole or in part."""
    return {variable for write in writes(node) if (variable := write.variable) is not None}


def own_written(node: Node) -> Variable | None:
    """Return the variable of the thread's own that `node` itself assigns to, in whole or in part; None of others."""
    write = write_of(node)
    variable = None if write is None else write.variable
    return variable if variable is not None and is_local(variable) else None


def is_effect(node: Node) -> bool:
    """Whether `node` itself, without the nodes below it, may change something.

    It is an assignment, a call, or a built-in function that is more than its result.
    """
    match node:
        case Load() | VarRef() | Binary() | Member() | Index() | Constant() | Decay() | Convert() | ThreadIndex():
            return False
        case Assign() | CompoundAssign() | Increment() | Call():
            return True
        case BuiltinCall():
            return not node.builtin.pure
        case Deref() | Temporary() | AddressOf() | Unary() | PointerAdd() | PointerDiff() | Logical() | Conditional():
            return False
        case Comma() | Block() | Declare() | Braces() | Evaluate() | If() | Loop() | Section() | Switch():
            return False
        case Break() | Continue() | Return():
            return False
        case _:
            assert_never(node)


def has_effects(node: Node) -> bool:
    """Whether the evaluation of `node` may change something. What has no effects may be left out."""
    return any(map(is_effect, walk(node)))


def is_volatile(place: Place) -> bool:
    """Whether every access to `place` counts, and none may be merged with another one.

    Its pointer, its variable or the member says so. Only the thread sees accesses to its own variables.
    """
    match place:
        case VarRef():
            return place.variable.volatile and not is_local(place.variable)
        case Temporary():
            return False
        case Deref() | Index():
            return isinstance(place.pointer.type, Pointer) and place.pointer.type.volatile
        case Member():
            owner = place.base.type
            member = owner.field(place.name) if isinstance(owner, Struct) else None
            return is_volatile(place.base) or (member is not None and member.volatile)
        case _:
            assert_never(place)


def only_reads(node: Node) -> bool:
    """Whether `node` gives the same value twice if nothing else is written between: no effects, nothing volatile."""
    return not any(is_effect(below) or (isinstance(below, Place) and is_volatile(below)) for below in walk(node))


def order_matters(left: Expr, right: Expr) -> bool:
    """Whether it may matter which of two operands is evaluated first: one has effects that the other may see."""
    effects = [not only_reads(operand) for operand in (left, right)]
    reads = [any(isinstance(below, Load) for below in walk(operand)) for operand in (left, right)]
    return all(effects) or (effects[0] and reads[1]) or (effects[1] and reads[0])


def repeats(node: Expr) -> bool:
    """Whether `node` may be evaluated once more, at another time, while its variables keep their values.

    It has no effects and reads no memory, where a value or an address may be found only later.
    """
    return all(_repeats(cast("Expr | Place", below)) for below in walk(node))


def _repeats(node: Expr | Place) -> bool:
    match node:
        case VarRef():
            return not is_changeable(node.variable)
        case Load():
            return isinstance(node.place, VarRef | Member)
        case BuiltinCall():
            return node.builtin.pure
        case Constant() | ThreadIndex() | Member() | Unary() | Binary() | Logical() | Conditional() | Convert():
            return True
        case Deref() | Index() | Temporary() | AddressOf() | Decay() | PointerAdd() | PointerDiff():
            return False
        case Assign() | CompoundAssign() | Increment() | Call() | Comma():
            return False
        case _:
            assert_never(node)


# ------------------------------------------------------------------------------------- other threads


def is_vote(node: Node) -> TypeGuard[BuiltinCall]:
    """Whether the lanes at work vote on a condition, and all get what most of them say (`#pragma s2s any_order`)."""
    return isinstance(node, BuiltinCall) and node.builtin.op == "vote"


def is_of_warp(node: Node) -> TypeGuard[BuiltinCall]:
    """Whether the threads of a warp do it together."""
    return isinstance(node, BuiltinCall) and node.builtin.of_warp


def is_barrier(node: Node) -> bool:
    """Whether `node` is a call of a barrier."""
    return isinstance(node, BuiltinCall) and node.builtin.synchronises


def is_plain_barrier(node: Node) -> bool:
    """Whether `node` is a call of `__syncthreads()`, which returns nothing about other threads."""
    return is_barrier(node) and isinstance(node, BuiltinCall) and node.builtin.op == "barrier" and not node.args


def is_barrier_alone(node: Node) -> bool:
    """Whether a node is a statement that is a barrier and nothing else."""
    if not isinstance(node, Evaluate):
        return False
    expr = node.expr
    while isinstance(expr, Convert) and expr.type == VOID:
        expr = expr.operand
    return is_barrier(expr)


def may_wait(node: Node) -> bool:
    """Whether `node` lets a thread see what another block writes meanwhile, so that it could wait for it."""
    match node:
        case VarRef() | Deref() | Index() | Member():
            return is_volatile(node)
        case BuiltinCall(builtin=Builtin(op="fence")):
            return True
        case Evaluate():
            return False
    return any(isinstance(child, BuiltinCall) and child.builtin.atomic for child in children(node))


# --------------------------------------------------------------------------------------------- jumps


def jumps_out(node: Stmt | Section) -> list[Jump]:
    """Return the jumps in `node` that lead out of it.

    These are every `return`, and each `break` and `continue` of a loop or switch around `node`.
    """
    match node:
        case Break() | Continue() | Return():
            return [node]
        case Declare() | Evaluate():
            return []
        case Block():
            return [jump for statement in node.statements for jump in jumps_out(statement)]
        case If():
            return jumps_out(node.then) + jumps_out(node.other)
        case Loop():
            return [jump for jump in jumps_out(node.body) if isinstance(jump, Return)]
        case Section():
            return jumps_out(node.body)
        case Switch():
            jumps = (jump for section in node.sections for jump in jumps_out(section))
            return [jump for jump in jumps if not isinstance(jump, Break)]
        case _:
            assert_never(node)


def continues_out(node: Stmt | Section) -> bool:
    """Whether a `continue` in `node` is of a loop around it."""
    return any(isinstance(jump, Continue) for jump in jumps_out(node))


def returns(node: Node) -> bool:
    """Whether a thread may return from its function in `node`."""
    return any(isinstance(below, Return) for below in walk(node))
