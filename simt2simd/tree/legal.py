"""The laws of the tree, and a check that a module keeps them. The checker's modules do, and so do those of every pass.

- Every node appears once. (A loop and the function that `outline` made of it share theirs.)
- A variable is declared once and named only where it is in scope: from its declaration to the end of the block, the
  loop or the switch around it. A parameter is one of one function. A shared variable may be declared in several
  functions, once in each; an outlined function may name those of the function that it comes from.
- A const variable gets its value where it is declared.
- The types of a node agree as its docstring says: operands with each other and with the result, values with the places,
  parameters and results that they go to. Conditions are bool. Constants are values of their types.
- A `break` is in a loop or switch, a `continue` in a loop. The first part of a `for` declares or evaluates.
- Calls are of device functions of the module, under their names, and have an argument for every parameter. Launches are
  of its kernels, likewise.
- Labels of a switch differ.
- An object of a class that is `by_address` is no value: it is not read, stored, chosen, passed or returned whole.
  Only a launch copies its bytes.
- What is noted of loops (`Module.outlined`) is of loops of the module, and of functions of what these capture.

A law that is broken is a fault of the compiler: `check` raises `InternalError` with the statement in which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NoReturn, assert_never, cast

from ..diag import InternalError
from ..lang.compiler_calls import CONFIGURATION
from ..lang.ctype import (
    BOOL,
    LONG,
    UINT,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    Scalar,
    Struct,
    has_union,
    is_arithmetic,
    is_integer,
    is_scalar,
    leaves,
    overlapping_parts,
)
from .calls import reached_functions
from .effects import write_of
from .nodes import (
    COMPARISONS,
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
    Load,
    Logical,
    Loop,
    Member,
    Module,
    Node,
    OutlinedLoop,
    Place,
    PointerAdd,
    PointerDiff,
    Return,
    Stmt,
    Switch,
    Temporary,
    ThreadIndex,
    Unary,
    Variable,
    VarRef,
)
from .show import show_statement
from .walk import walk

_SHIFTS = ("<<", ">>")


class IllegalTree(Exception):
    """A law of the tree is broken; the text says which one, and where."""


def check(module: Module, stage: str) -> None:
    """Raise `InternalError` if `module`, which `stage` has made, breaks a law of the tree."""
    try:
        _check_module(module)
    except IllegalTree as fault:
        raise InternalError(stage, fault) from fault


def _check_module(module: Module) -> None:
    seen: set[Node] = set()
    declared: set[Variable] = {*module.constants, *module.variables, *module.shared}
    shared = _shared_around(module)
    for name, function in module.functions.items():
        if name != function.name:
            raise IllegalTree(f"'{function.name}' is listed as '{name}'")
        own = set[Node]() if function.outlined else seen
        outside = shared.get(name, frozenset())
        _Function(module, function, own, set() if function.outlined else declared, outside).run()
    for loop, outlined in module.outlined.items():
        _check_outlined(module, loop, outlined, seen)


def _shared_around(module: Module) -> dict[str, frozenset[Variable]]:
    """Return the shared variables that functions may name which others declare: a lambda does, which these call."""
    found: dict[str, frozenset[Variable]] = {}
    own = {name: shared for name, function in module.functions.items() if (shared := _shared_in(function))}
    reached = reached_functions(module) if own else {}
    for name, shared in own.items():
        for called in reached[name]:
            found[called] = found.get(called, frozenset()) | shared
    return found


def _shared_in(function: Function) -> frozenset[Variable]:
    declared = (node.variable for node in walk(function.body) if isinstance(node, Declare))
    return frozenset(variable for variable in declared if variable.storage == "shared")


def _check_outlined(module: Module, loop: Loop, outlined: OutlinedLoop, seen: set[Node]) -> None:
    function = module.functions.get(outlined.function)
    if loop not in seen:
        raise IllegalTree(f"'{outlined.function}' is of a loop that is no more")
    if function is None or not function.outlined or function.params != outlined.captured:
        raise IllegalTree(f"'{outlined.function}' is not the function of a loop with these variables")


@dataclass
class _Function:
    """Checks one function. `scope` are the variables that may be named where the check is."""

    module: Module
    function: Function
    seen: set[Node]
    declared: set[Variable]
    outside: frozenset[Variable]  # shared variables that it may name
    own: set[Variable] = field(default_factory=set)  # declared here
    scope: set[Variable] = field(default_factory=set)
    loops: int = 0
    switches: int = 0
    statement: Stmt | None = None  # the innermost one

    def run(self) -> None:
        for ctype in (*(param.type for param in self.function.params), self.function.result):
            if self.function.kind == "device":
                self.require(not _is_object(ctype), f"it passes an object of '{ctype}' as a value")
        self.scope = {*self.module.constants, *self.module.variables, *self.module.shared, *self.function.params}
        for param in self.function.params:
            self.require(
                param.storage in ("param", "launch") or self.function.outlined, f"'{param.name}' is no parameter"
            )
            self.require(param not in self.declared, f"'{param.name}' is declared twice")
        self.declared |= set(self.function.params)
        if self.function.outlined:
            used = {below.variable for below in walk(self.function.body) if isinstance(below, VarRef)}
            self.scope |= {variable for variable in used if variable.storage == "shared"}
        self.visit(self.function.body)

    def require(self, holds: bool, fault: str) -> None:
        if not holds:
            self.fail(fault)

    def fail(self, fault: str) -> NoReturn:
        where = f"in '{self.function.name}'"
        if self.statement is not None:
            where += f", line {self.statement.span.line}, `{_shown(self.statement)}`"
        raise IllegalTree(f"{where}: {fault}")

    # -------------------------------------------------------------------------------------- statements

    def visit(self, node: Stmt) -> None:
        outside, self.statement = self.statement, node
        self.stands_once(node)
        match node:
            case Block():
                self.in_scope(lambda: self.visit_all(node.statements))
            case Declare():
                self.declare(node)
            case Evaluate():
                self.expression(node.expr)
            case If():
                self.condition(node.cond)
                self.visit(node.then)
                self.visit(node.other)
            case Loop():
                self.in_scope(lambda: self.loop(node))
            case Switch():
                self.expression(node.value)
                self.in_scope(lambda: self.switch(node))
            case Break():
                self.require(self.loops + self.switches > 0, "a 'break' outside loops and switches")
            case Continue():
                self.require(self.loops > 0, "a 'continue' outside loops")
            case Return():
                if node.value is not None:
                    self.expression(node.value)
                result = VOID if node.value is None else node.value.type
                self.require(result == self.function.result, f"it gives back '{result}'")
            case _:
                assert_never(node)
        self.statement = outside

    def visit_all(self, nodes: Iterable[Stmt]) -> None:
        for node in nodes:
            self.visit(node)

    def in_scope(self, visit: Callable[[], None]) -> None:
        outside, self.scope = self.scope, set(self.scope)
        visit()
        self.scope = outside

    def declare(self, node: Declare) -> None:
        variable, initial = node.variable, node.initial
        shared = variable.storage == "shared"
        self.require(shared or variable.storage == "local", f"'{variable.name}' is {variable.storage}")
        self.require(
            variable not in self.scope and (shared or variable not in self.declared),
            f"'{variable.name}' is declared twice",
        )
        self.declared.add(variable)
        if isinstance(initial, Braces):
            self.stands_once(initial)
            for _, _, value in initial.items:
                self.expression(value)
            places: set[tuple[int, CType]] = set(leaves(variable.type))
            if has_union(variable.type):
                places |= set(overlapping_parts(variable.type))
            self.require(
                all((offset, ctype) in places and value.type == ctype for offset, ctype, value in initial.items),
                "the list does not fit the variable",
            )
        elif initial is not None:
            self.require(not _is_object(variable.type), f"'{variable.name}' is an object with a value")
            self.expression(initial)
            self.require(initial.type == variable.type, f"the value is '{initial.type}', not '{variable.type}'")
        self.require(not shared or initial is None, f"'{variable.name}' is shared and has a value")
        self.scope.add(variable)

    def condition(self, node: Expr) -> None:
        self.expression(node)
        self.require(node.type == BOOL, f"the condition is '{node.type}'")

    def loop(self, node: Loop) -> None:
        plain = all(isinstance(below, Declare | Evaluate) for below in node.init)
        self.require(plain, "the first part of a 'for' holds another statement")
        self.visit_all(node.init)
        self.statement = node
        if node.cond is not None:
            self.condition(node.cond)
        for step in node.step:
            self.expression(step)
        self.loops += 1
        self.visit(node.body)
        self.loops -= 1

    def switch(self, node: Switch) -> None:
        labels = [label for section in node.sections for label in section.labels]
        self.require(_is_promoted(node.value.type), f"the value is '{node.value.type}'")
        self.require(len(labels) == len(set(labels)), "two labels are the same")
        self.require(all(label is None or _fits(label, node.value.type) for label in labels), "no such value")
        self.switches += 1
        for section in node.sections:
            self.stands_once(section)
            self.stands_once(section.body)
            self.visit_all(section.body.statements)
        self.switches -= 1

    # ------------------------------------------------------------------------------------- expressions

    def stands_once(self, node: Node) -> None:
        self.require(node not in self.seen, f"{_text(node)} appears twice")
        self.seen.add(node)

    def expression(self, top: Expr) -> None:
        launched = {arg for node in walk(top) if _is_launch(node) for arg in cast(BuiltinCall, node).args}
        for node in walk(top):
            if isinstance(node, Load | Assign | Conditional | Comma | Call | Temporary | Convert | BuiltinCall):
                self.require(not _is_object(node.type) or node in launched, f"{_text(node)} is an object as a value")
            self.stands_once(node)
            if isinstance(node, VarRef):
                known = node.variable in self.scope or node.variable in self.outside
                self.require(known, f"'{node.variable.name}' is not declared here")
            if (write := write_of(node)) is not None and (variable := write.variable) is not None:
                self.require(not variable.const, f"'{variable.name}' is const")
            if isinstance(node, Call):
                self.call(node)
            elif _is_launch(node):
                self.launch(cast(BuiltinCall, node))
            elif not _agrees(cast("Expr | Place", node)):
                self.fail(f"types do not agree in {_text(node)}")

    def call(self, node: Call) -> None:
        called = self.module.functions.get(node.function)
        if called is None or called.kind != "device":
            self.fail(f"there is no device function '{node.function}'")
        given, wanted = [arg.type for arg in node.args], [param.type for param in called.params]
        self.require(given == wanted and node.type == called.result, f"'{node.function}' is called with other types")

    def launch(self, node: BuiltinCall) -> None:
        launched = self.module.functions.get(node.builtin.kernel)
        if launched is None or launched.kind != "kernel":
            self.fail(f"there is no kernel '{node.builtin.kernel}'")
        wanted = (*CONFIGURATION, *(param.type for param in launched.params))
        given = tuple(arg.type for arg in node.args)
        self.require(given == wanted == node.builtin.params, f"'{launched.name}' is launched with other types")


def _is_object(ctype: CType) -> bool:
    return isinstance(ctype, Struct) and ctype.by_address


def _is_launch(node: Node) -> bool:
    return isinstance(node, BuiltinCall) and node.builtin.op == "launch"


def _shown(node: Stmt) -> str:
    """The text of a statement, or what it is if a fault leaves it none."""
    try:
        return show_statement(node)
    except Exception:
        return _text(node)


def _text(node: Node) -> str:
    return type(node).__name__


# ----------------------------------------------------------------------------------------------- types


def _agrees(node: Expr | Place) -> bool:
    """Whether the types of an expression or place fit those of its operands."""
    match node:
        case VarRef():
            return node.type == node.variable.type
        case Deref():
            return _leads_to(node.pointer.type, node.type)
        case Index():
            return _leads_to(node.pointer.type, node.type) and _is_promoted(node.index.type)
        case Member():
            return _has_member(node.base.type, node)
        case Temporary():
            return isinstance(node.type, Struct) and node.value.type == node.type
        case Constant():
            return _fits(node.value, node.type)
        case ThreadIndex():
            return node.type == UINT
        case Load():
            return node.type == node.place.type and not isinstance(node.type, Array)
        case AddressOf():
            return _leads_to(node.type, node.place.type)
        case Decay():
            return isinstance(node.place.type, Array) and _leads_to(node.type, node.place.type.element)
        case Unary(op="!"):
            return node.type == node.operand.type == BOOL
        case Unary():
            return node.type == node.operand.type and is_arithmetic(node.type) and node.type.size >= 4
        case Binary():
            return _binary_agrees(node)
        case PointerAdd():
            return isinstance(node.type, Pointer) and node.type == node.pointer.type and _is_promoted(node.index.type)
        case PointerDiff():
            return node.type == LONG and all(isinstance(side.type, Pointer) for side in (node.left, node.right))
        case Logical():
            return node.type == node.left.type == node.right.type == BOOL
        case Conditional():
            return node.cond.type == BOOL and node.type == node.then.type == node.other.type
        case Convert():
            if isinstance(node.type, Struct):  # of the same scalars
                return isinstance(node.operand.type, Struct) and [*leaves(node.type)] == [*leaves(node.operand.type)]
            return node.type == VOID or (is_scalar(node.type) and is_scalar(node.operand.type))
        case Assign():
            return node.type == node.place.type == node.value.type
        case CompoundAssign():
            return _compound_agrees(node)
        case Increment():
            return node.type == node.place.type and is_scalar(node.type) and node.delta in (1, -1)
        case BuiltinCall():
            params, args = node.builtin.params, tuple(arg.type for arg in node.args)
            return node.type == node.builtin.result and args == params
        case Comma():
            return node.type == node.right.type
        case Call():
            return True  # see `_Function.call`
        case _:
            assert_never(node)


def _leads_to(pointer: CType, target: CType) -> bool:
    return isinstance(pointer, Pointer) and pointer.target == target


def _is_promoted(ctype: CType) -> bool:
    return is_integer(ctype) and ctype.size >= 4


def _has_member(base: CType, node: Member) -> bool:
    if not isinstance(base, Struct):
        return False
    return any((m.name, m.offset, m.type) == (node.name, node.offset, node.type) for m in base.fields or ())


def _fits(value: int | float | bool, ctype: CType) -> bool:
    """Whether a number is a value of a type."""
    if isinstance(ctype, Pointer):
        return value == 0 or isinstance(ctype.target, FunctionType)
    if not isinstance(ctype, Scalar):
        return False
    match ctype.kind:
        case "bool":
            return isinstance(value, bool)
        case "int":
            least = -(1 << ctype.bits - 1) if ctype.signed else 0
            return isinstance(value, int) and least <= value < least + (1 << ctype.bits)
        case "float":
            return isinstance(value, float)
        case "void":
            return False
        case _:
            assert_never(ctype.kind)


def _binary_agrees(node: Binary) -> bool:
    left, right = node.left.type, node.right.type
    if node.op in _SHIFTS:
        return node.type == left and _is_promoted(left) and _is_promoted(right)
    if left != right or not is_scalar(left):
        return False
    if node.op in COMPARISONS:
        return node.type == BOOL
    return node.type == left and is_arithmetic(left)


def _compound_agrees(node: CompoundAssign) -> bool:
    if node.type != node.place.type:
        return False
    if isinstance(node.compute, Pointer):
        return node.compute == node.type and node.op in "+-" and _is_promoted(node.value.type)
    return _is_promoted(node.value.type) if node.op in _SHIFTS else node.value.type == node.compute
