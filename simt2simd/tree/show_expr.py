"""Print expressions of the tree as CUDA-C: as few parentheses and casts as keep the meaning."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from ..lang.builtins import BUILTINS, Builtin
from ..lang.compiler_calls import UNREACHABLE
from ..lang.ctype import (
    BOOL,
    FLOAT,
    INT,
    ULONG,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    Scalar,
    Struct,
    common,
    is_arithmetic,
    is_scalar,
    is_short_float,
    promote,
    used_size,
)
from ..lang.device_runtime import NAMED_STREAMS
from ..lang.numbers import round_to
from ..lang.overload import CMATH, Ambiguous, resolve
from .names import assignment_name
from .nodes import (
    AddressOf,
    Assign,
    Binary,
    BuiltinCall,
    Call,
    Comma,
    CompoundAssign,
    Conditional,
    Constant,
    Convert,
    Decay,
    Deref,
    Expr,
    Increment,
    Index,
    Load,
    Logical,
    LogicalOp,
    Member,
    Place,
    PointerAdd,
    PointerDiff,
    Temporary,
    ThreadIndex,
    Unary,
    Variable,
    VarRef,
)

# How tightly an operator binds; an operand that binds less tightly than its place demands gets parentheses.
COMMA, ASSIGNMENT, CONDITIONAL, UNARY, POSTFIX, PRIMARY = 0, 1, 2, 20, 21, 22
_BINDING = {
    "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "<": 9, "<=": 9, ">": 9, ">=": 9, "<<": 10, ">>": 10,
    "+": 11, "-": 11, "*": 12, "/": 12, "%": 12,
}  # fmt: skip
_SHIFTS = ("<<", ">>")
_SUFFIX = {
    "unsigned int": "u",
    "long": "l",
    "unsigned long": "ul",
    "long long": "ll",
    "unsigned long long": "ull",
    "int": "",
}

Names = Callable[[Variable], str]


def show_type(ctype: CType, inner: str = "", *, const: bool = False, volatile: bool = False) -> str:
    """Return a declaration of `inner` (a name, or nothing) of type `ctype`; `const` qualifies the object itself."""
    match ctype:
        case Pointer(target=target):
            own = "const " * const + "volatile " * volatile
            inner = f"*{own}{inner}".rstrip() if not inner else f"*{own}{inner}"
            if isinstance(target, Array | FunctionType):
                inner = f"({inner})"
            return show_type(target, inner, const=ctype.const, volatile=ctype.volatile)
        case Array():
            return show_type(ctype.element, f"{inner}[{ctype.count or ''}]", const=const, volatile=volatile)
        case FunctionType():
            return show_type(ctype.result, f"{inner}({', '.join(map(show_type, ctype.params))})")
        case Scalar(name=name) | Struct(tag=name):
            return ("const " * const + "volatile " * volatile + f"{name} {inner}").rstrip()


class ExprPrinter:
    """Prints expressions; `names` says how a variable is called where the expression is."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def show(self, expr: Expr | Place, binding: int = COMMA) -> str:
        """Return `expr` as text, in parentheses if it binds less tightly than `binding`."""
        text, own = self._text(expr)
        return f"({text})" if own < binding else text

    def as_type(self, expr: Expr, target: CType, binding: int = ASSIGNMENT) -> str:
        """Return `expr` for a place that converts to `target` by itself: an assignment, an argument, a result."""
        inner = _implicit(expr)
        if inner is not None and expr.type == target:
            return self.show(inner, binding)
        if isinstance(expr, Constant) and isinstance(target, Pointer) and expr.type == target and expr.value == 0:
            return "nullptr"
        return self.show(expr, binding)

    def as_condition(self, expr: Expr, binding: int = COMMA) -> str:
        """Return `expr` for a place that converts to bool by itself."""
        inner = _implicit(expr)
        return self.show(inner if inner is not None and expr.type == BOOL and is_scalar(inner.type) else expr, binding)

    def _text(self, expr: Expr | Place) -> tuple[str, int]:
        match expr:
            case Constant():
                return _constant(expr)
            case ThreadIndex():
                return f"{expr.name}.{'xyz'[expr.axis]}", POSTFIX
            case VarRef(variable=Variable(literal=True, initial=bytes(data))):
                return string_literal(data[:-1]), PRIMARY
            case VarRef():
                return self.names(expr.variable), PRIMARY
            case Load() | Decay():
                return self._text(expr.place)
            case Temporary():
                return self._text(expr.value)
            case Deref():
                return f"*{self.show(expr.pointer, UNARY)}", UNARY
            case Index():
                return f"{self.show(expr.pointer, POSTFIX)}[{self._promoted(expr.index, COMMA)}]", POSTFIX
            case Member(name=""):
                return self._text(expr.base)
            case Member(base=Member(name="", base=base)):
                return self._text(replace(expr, base=base))
            case Member(base=Deref(pointer=pointer)):
                return f"{self.show(pointer, POSTFIX)}->{expr.name}", POSTFIX
            case Member():
                return f"{self.show(expr.base, POSTFIX)}.{expr.name}", POSTFIX
            case AddressOf(place=Deref(pointer=pointer)) if pointer.type == expr.type:
                return self._text(pointer)
            case AddressOf(type=Pointer(const=False)) if _is_const(expr.place):  # of a mutable member
                return f"({show_type(expr.type)})&{self.show(expr.place, UNARY)}", UNARY
            case AddressOf():
                return f"&{self.show(expr.place, UNARY)}", UNARY
            case Unary():
                operand = (
                    self.as_condition(expr.operand, UNARY) if expr.op == "!" else self._promoted(expr.operand, UNARY)
                )
                space = " " if operand.startswith(expr.op) else ""  # not `--x`
                return f"{expr.op}{space}{operand}", UNARY
            case Binary():
                return self._binary(expr)
            case PointerAdd():
                sign = "-" if expr.negative else "+"
                return f"{self.show(expr.pointer, 11)} {sign} {self._promoted(expr.index, 12)}", 11
            case PointerDiff():
                return f"{self.show(expr.left, 11)} - {self.show(expr.right, 12)}", 11
            case Logical():
                own = _BINDING[expr.op]
                # Other operators of the family in parentheses: compilers warn about `a || b && c`.
                left = self.as_condition(expr.left, own if _same_logical(expr.left, expr.op) else _BINDING["|"])
                return f"{left} {expr.op} {self.as_condition(expr.right, _BINDING['|'])}", own
            case Conditional():
                return self._conditional(expr), CONDITIONAL
            case Convert() if isinstance(expr.type, Scalar) and _is_as_shown(expr.operand.type, expr.type):
                return self._text(expr.operand)  # an enumeration, of which the text has the number, or a packed word
            case Convert(type=Pointer(), operand=Constant(value=int(value))) if expr.operand.type == ULONG:
                return _constant(Constant(expr.span, expr.type, value))
            case Convert():
                return f"({show_type(expr.type)}){self.show(expr.operand, UNARY)}", UNARY
            case Assign(place=place) if isinstance(place.type, Struct) and needs_function(place.type):
                address = AddressOf(place.span, Pointer(place.type), place)
                arguments = f"{self.show(address, ASSIGNMENT)}, {self.as_type(expr.value, place.type)}"
                return f"{assignment_name(place.type)}({arguments})", POSTFIX
            case Assign():
                return f"{self._written(expr.place)} = {self.as_type(expr.value, expr.place.type)}", ASSIGNMENT
            case CompoundAssign():
                return f"{self._written(expr.place)} {expr.op}= {self._operand_of_compound(expr)}", ASSIGNMENT
            case Increment():
                sign = "++" if expr.delta > 0 else "--"
                if expr.prefix:
                    return f"{sign}{self._written(expr.place)}", UNARY
                return f"{self._written(expr.place, POSTFIX)}{sign}", POSTFIX
            case Call():
                return f"{expr.function}({', '.join(self.as_type(arg, arg.type) for arg in expr.args)})", POSTFIX
            case BuiltinCall() if expr.builtin.op == "launch":
                return self._launch(expr), POSTFIX
            case BuiltinCall() if expr.builtin.op == "vote":  # shown by the pragma before an `if`
                return self._text(expr.args[0])
            case BuiltinCall() if is_braced(expr):
                return f"{expr.type}{{{', '.join(self.show(arg, ASSIGNMENT) for arg in expr.args)}}}", POSTFIX
            case BuiltinCall():
                return f"{expr.builtin.name}({', '.join(self._builtin_arguments(expr))})", POSTFIX
            case Comma():
                return f"{self.show(expr.left, COMMA)}, {self.show(expr.right, ASSIGNMENT)}", COMMA
            case _:
                assert_never(expr)

    def _written(self, place: Place, binding: int = UNARY) -> str:
        """Return a place that is written; a mutable member of a const object is reached by its address."""
        if not isinstance(place, Member) or not _is_const(place):
            return self.show(place, binding)
        return self.show(Deref(place.span, place.type, AddressOf(place.span, Pointer(place.type), place)), binding)

    # --------------------------------------------------- conversions that the text need not spell out

    def _promoted(self, expr: Expr, binding: int) -> str:
        """Return the operand of an operator that promotes integers by itself."""
        inner = _implicit(expr)
        strip = inner is not None and isinstance(inner.type, Scalar) and promote(inner.type) == expr.type
        return self.show(inner if strip and inner is not None else expr, binding)

    def _balanced(self, left: Expr, right: Expr) -> tuple[Expr, Expr]:
        """Return two operands without the conversions that balancing them puts back."""
        target = left.type
        for a, b in ((_implicit(left), _implicit(right)), (_implicit(left), right), (left, _implicit(right))):
            if a is None or b is None or not (isinstance(a.type, Scalar) and isinstance(b.type, Scalar)):
                continue
            if is_arithmetic(a.type) and is_arithmetic(b.type) and common(a.type, b.type) == target:
                return a, b
        return left, right

    def _binary(self, expr: Binary) -> tuple[str, int]:
        own = _BINDING[expr.op]
        # Bitwise operators and shifts bind in ways that few know by heart: their compound operands get parentheses.
        tight = 13 if expr.op in ("&", "|", "^", "<<", ">>") else own
        if expr.op in _SHIFTS:
            return f"{self._promoted(expr.left, tight)} {expr.op} {self._promoted(expr.right, tight)}", own
        left, right = expr.left, expr.right
        if isinstance(left.type, Pointer):
            return f"{self._compared(left, right, own)} {expr.op} {self._compared(right, left, own + 1)}", own
        left, right = self._balanced(left, right)
        same = isinstance(left, Binary) and left.op == expr.op
        return f"{self.show(left, own if same else tight)} {expr.op} {self.show(right, max(tight, own + 1))}", own

    def _compared(self, expr: Expr, other: Expr, binding: int) -> str:
        if _is_null(expr) and not _is_null(other):
            return "nullptr"
        return self.show(expr, binding)

    def _conditional(self, expr: Conditional) -> str:
        then, other = expr.then, expr.other
        if is_arithmetic(expr.type):
            then, other = self._balanced_arms(then, other)
        elif _is_null(then) != _is_null(other):
            arms = ["nullptr" if _is_null(arm) else self.show(arm, CONDITIONAL) for arm in (then, other)]
            return f"{self.as_condition(expr.cond, CONDITIONAL + 1)} ? {arms[0]} : {arms[1]}"
        return f"{self.as_condition(expr.cond, CONDITIONAL + 1)} ? {self.show(then)} : {self.show(other, CONDITIONAL)}"

    def _balanced_arms(self, then: Expr, other: Expr) -> tuple[Expr, Expr]:
        """Return the arms of `?:` bare where that gives the same type: arms of one type are not even promoted."""
        a, b = self._balanced(then, other)
        return (then, other) if a.type == b.type else (a, b)

    def _operand_of_compound(self, expr: CompoundAssign) -> str:
        if expr.op in _SHIFTS or isinstance(expr.compute, Pointer):
            return self._promoted(expr.value, ASSIGNMENT)
        inner, own = _implicit(expr.value), expr.place.type
        if inner is None or not isinstance(own, Scalar) or not isinstance(inner.type, Scalar):
            return self.show(expr.value, ASSIGNMENT)
        return self.show(inner if common(own, inner.type) == expr.compute else expr.value, ASSIGNMENT)

    def _launch(self, launch: BuiltinCall) -> str:
        """Return `kernel<<<grid, block, shared, stream>>>(...)`, without what is left as it is by default."""
        grid, block, shared, stream, *args = launch.args
        given = [self._extent(grid), self._extent(block)]
        if not _is_zero(stream):
            given += [str(shared.value) if isinstance(shared, Constant) else self.as_type(shared, shared.type)]
            given.append(_named_stream(stream) or self.show(stream, ASSIGNMENT))
        elif not _is_zero(shared):
            given.append(self.as_type(shared, shared.type))
        return (
            f"{launch.builtin.kernel}<<<{', '.join(given)}>>>({', '.join(self.as_type(arg, arg.type) for arg in args)})"
        )

    def _enumerated(self, arg: Expr, wanted: CType) -> str:
        """Return an argument of a function, with a cast where that takes an enumeration: the tree has the number."""
        if isinstance(wanted, Scalar) and wanted.enum is not None:
            return f"({wanted}){self.show(arg, UNARY)}"
        return self.as_type(arg, arg.type)

    def _extent(self, size: Expr) -> str:
        """Return a grid or a block; one along x alone is a number."""
        match size:
            case BuiltinCall(builtin=Builtin(op="make"), args=(x, Constant(value=1), Constant(value=1))):
                return self.as_type(x, x.type)
            case _:
                return self.show(size, ASSIGNMENT)

    def _builtin_arguments(self, call: BuiltinCall) -> list[str]:
        """Return the arguments bare where C++ still picks the same overload, and one that nvcc has for the device."""
        row = call.builtin
        if call.builtin.op == "assert_fail":
            return [self.show(arg, ASSIGNMENT) for arg in call.args[:_TOLD_OF_ASSERTIONS]]
        if call.builtin.service:
            return [self._enumerated(arg, wanted) for arg, wanted in zip(call.args, row.params, strict=True)]
        overloaded = row.name in BUILTINS and row.name not in CMATH  # by programs; our own functions have one form
        if not overloaded or row.op == "prefetch" or row.counts or row.queries_address or row is UNREACHABLE:
            return [self.show(arg, ASSIGNMENT) for arg in call.args]
        bare = [inner if (inner := _implicit(arg)) is not None else arg for arg in call.args]
        try:
            same = resolve(call.builtin.name, [arg.type for arg in bare]) == call.builtin
        except Ambiguous:
            same = False
        return [self.show(arg, ASSIGNMENT) for arg in (bare if same else call.args)]


_TOLD_OF_ASSERTIONS = 4  # arguments that a program gives: where the thread is, every thread knows itself


def string_literal(text: bytes) -> str:
    """Return a literal that holds `text`."""
    return '"' + "".join(map(_character, text)) + '"'


def _character(code: int) -> str:
    if chr(code) in _ESCAPED:
        return _ESCAPED[chr(code)]
    return chr(code) if 32 <= code < 127 else f"\\{code:03o}"


_ESCAPED = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def _implicit(expr: Expr) -> Expr | None:
    """Return the operand of a conversion that the program did not write; None if `expr` is something else."""
    if not isinstance(expr, Convert) or expr.explicit or expr.type is VOID:
        return None
    return expr.operand if _converts_alone(expr.operand.type, expr.type) else None


def is_braced(call: BuiltinCall) -> bool:
    """Whether a call that makes a struct is `S{a, b}` in the text: there is no function for it."""
    return call.builtin.op == "make" and call.builtin.name not in BUILTINS


def needs_function(struct: Struct) -> bool:
    """Whether a function assigns to a struct in the text, and not `=`: what lies in its padding has to stay."""
    return struct.lends_padding and used_size(struct) > 0


def _is_const(place: Expr | Place) -> bool:
    """Whether the text takes a place for a const one."""
    match place:
        case VarRef(variable=variable):
            return variable.const
        case Deref(pointer=pointer) | Index(pointer=pointer):
            return isinstance(pointer.type, Pointer) and pointer.type.const
        case Member(base=base):
            return _is_const(base)
    return False


def _converts_alone(source: CType, target: CType) -> bool:
    """Whether a value becomes one of type `target` without a cast; the types of structs have no bases in the text."""
    if not isinstance(source, Pointer) or not isinstance(target, Pointer):
        return isinstance(source, Pointer) == isinstance(target, Pointer) or target == BOOL
    loses = (source.const and not target.const) or (source.volatile and not target.volatile)
    return not loses and (source.target == target.target or target.target is VOID)


def _is_null(expr: Expr) -> bool:
    return isinstance(expr, Constant) and isinstance(expr.type, Pointer) and not expr.value


def _is_as_shown(ctype: CType, other: Scalar) -> bool:
    """Whether the text has the same words for both types."""
    return isinstance(ctype, Scalar) and replace(ctype, packed=False) == replace(other, packed=False)


def _same_logical(expr: Expr, op: LogicalOp) -> bool:
    return isinstance(expr, Logical) and expr.op == op


def _named_stream(stream: Expr) -> str | None:
    """Return the name of one of CUDA's own streams, None for others."""
    match stream:
        case Convert(operand=Constant(value=value)):
            return next((name for name, number in NAMED_STREAMS.items() if number == value), None)
    return None


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Constant) and expr.value == 0


def _constant(node: Constant) -> tuple[str, int]:
    ctype, value = node.type, node.value
    if isinstance(ctype, Pointer) and value:
        return f"({show_type(ctype)}){int(value):#x}ul", UNARY
    if isinstance(ctype, Pointer):
        return ("nullptr", PRIMARY) if ctype.target is VOID else (f"({show_type(ctype)})nullptr", UNARY)
    assert isinstance(ctype, Scalar)
    if ctype is BOOL:
        return ("true" if value else "false"), PRIMARY
    if ctype.kind == "float":
        return _float(float(value), ctype)
    value = int(value)
    if not -(1 << 63) < value < 1 << 63 and ctype.bits == 128:  # C has no literal of so many bits
        high, low = value >> 64, value & (1 << 64) - 1
        return f"({ctype.name})({high}{'' if ctype.signed else 'u'}) << 64 | {low:#x}ul", _BINDING["|"]
    suffix = _SUFFIX.get(ctype.name)
    if suffix is None:
        return f"({ctype.name}){f'({value})' if value < 0 else value}", UNARY
    if ctype.signed and value == -(1 << ctype.bits - 1):
        return f"{value + 1}{suffix} - 1{suffix}", _BINDING["-"]  # C has no literal for it
    return f"{value}{suffix}", UNARY if value < 0 else PRIMARY


def _float(value: float, ctype: Scalar) -> tuple[str, int]:
    """Return the shortest text that reads back as exactly `value`."""
    if is_short_float(ctype):
        return f"{ctype}({_float(value, FLOAT)[0]})", POSTFIX
    single = ctype.bits == 32
    if math.isnan(value):
        return ('nanf("")' if single else 'nan("")'), POSTFIX
    sign, magnitude = ("-", -value) if math.copysign(1.0, value) < 0 else ("", value)
    own = UNARY if sign else POSTFIX
    if math.isinf(value):
        text = "__int_as_float(0x7f800000)" if single else "__longlong_as_double(0x7ff0000000000000ll)"
        return sign + text, own
    text = repr(magnitude)
    if single:
        text = next(
            text for digits in range(1, 10) if round_to(float(text := f"{magnitude:.{digits}g}"), ctype) == magnitude
        )
    if not any(char in text for char in ".e"):
        text += ".0"
    return f"{sign}{text}{'f' if single else ''}", own


assert INT.name in _SUFFIX
