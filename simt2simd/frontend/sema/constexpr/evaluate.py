"""Evaluating constant expressions: the tree of an expression becomes a Python function that computes its value.

[expr.const]: whatever a machine would not do in one defined way is no constant, nor is what reads or changes anything
outside the evaluation. Floating-point operations round as on the device; no product and sum become one operation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, assert_never

from ....lang.ctype import BOOL, BitField, CType, Pointer, Scalar, Struct, is_scalar, promote
from ....source import Span
from ....tree.nodes import (
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
from ..restore import restoring
from .memory import (
    Address,
    Cell,
    Object,
    new_object,
    part_name,
    read,
    read_bits,
    read_struct,
    scalars,
    write,
    write_bits,
    write_struct,
    zero,
)
from .ops import NotConstant, Operation, binary, builtin, conversion, unary

MOST_STEPS = 1_000_000  # statements, iterations of loops and calls
MOST_CALLS = 512  # inside each other, as other compilers have it

Value = Cell | Object | None  # an object is the value of a struct, None that of a void expression
Frame = dict[Variable, Object]
Code = Callable[[Frame], Value]
Where = Callable[[Frame], Address]


class Signal:
    """How a statement ends, if that is not at its end."""

    def __init__(self, value: Value = None) -> None:
        self.value = value


BREAK, CONTINUE = Signal(), Signal()
Run = Callable[[Frame], Signal | None]


class Program(Protocol):
    """What an evaluation asks the checker for; each may raise `NotConstant`."""

    def function_to_evaluate(self, key: str, span: Span) -> Function: ...

    def object_to_read(self, variable: Variable, span: Span) -> Object: ...

    def is_call_by_pointer(self, key: str) -> bool: ...

    def pointed_function(self, number: int, span: Span) -> str: ...


class Evaluator:
    """Evaluates expressions and statements; what it made of functions, and what these returned, is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.left = self.calls = 0
        self.bodies: dict[str, tuple[Function, Run]] = {}
        self.results: dict[tuple[object, ...], Value] = {}

    def value(self, expr: Expr, frame: Frame) -> Value:
        """Return the value of an expression. Raises `NotConstant`."""
        return self._begin(lambda: self.expr(expr)(frame), expr.span)

    def run(self, statements: Sequence[Stmt], frame: Frame, span: Span) -> None:
        """Run statements that fill the objects of `frame`. Raises `NotConstant`."""
        self._begin(lambda: self.block(statements)(frame), span)

    def _begin(self, work: Callable[[], Value | Signal], span: Span) -> Value:
        """Do something with the full number of steps, unless it is a part of another evaluation."""
        if not self.calls:
            self.left = MOST_STEPS
        with restoring(self, calls=self.calls + 1):
            try:
                found = work()
            except RecursionError:
                raise NotConstant(span, "calls and expressions are nested too deeply") from None
        return None if isinstance(found, Signal) else found

    def spend(self, steps: int, span: Span) -> None:
        self.left -= steps
        if self.left < 0:
            raise NotConstant(span, f"the evaluation takes more than {MOST_STEPS} steps")

    # ------------------------------------------------------------------------------------------ calls

    def call(self, key: str, args: Sequence[Value], span: Span) -> Value:
        if key not in self.bodies:
            function = self.program.function_to_evaluate(key, span)
            self.bodies[key] = function, self.block(function.body.statements)
        function, body = self.bodies[key]
        known = _memo_key(key, args)
        if known is not None and known in self.results:
            return _own(self.results[known])
        self.spend(1, span)
        if self.calls >= MOST_CALLS:
            raise NotConstant(span, f"more than {MOST_CALLS} calls are inside each other")
        frame = {param: _holding(param, arg) for param, arg in zip(function.params, args, strict=True)}
        self.calls += 1
        try:
            signal = body(frame)
        except NotConstant as why:
            why.function = why.function or function.shown or function.name
            raise
        finally:
            self.calls -= 1
        if signal is None and not (isinstance(function.result, Scalar) and function.result.kind == "void"):
            raise NotConstant(span, f"'{function.shown or function.name}' ends without a 'return'")
        result = signal.value if signal is not None else None
        if known is not None and not isinstance(result, Address):
            self.results[known] = result
            return _own(result)
        return result

    # ------------------------------------------------------------------------------------- statements

    def block(self, statements: Sequence[Stmt]) -> Run:
        runs = [self.statement(one) for one in statements]
        count = len(runs)
        if not statements:
            return lambda frame: None
        span = statements[0].span

        def run(frame: Frame) -> Signal | None:
            self.left -= count
            if self.left < 0:
                self.spend(0, span)
            for one in runs:
                signal = one(frame)
                if signal is not None:
                    return signal
            return None

        return run

    def statement(self, node: Stmt) -> Run:
        match node:
            case Block(statements=statements):
                return self.block(statements)
            case Declare():
                return self._declare(node)
            case Evaluate(expr=expr):
                return self._discard(self.expr(expr))
            case If():
                return self._if(node)
            case Loop():
                return self._loop(node)
            case Switch():
                return self._switch(node)
            case Break():
                return lambda frame: BREAK
            case Continue():
                return lambda frame: CONTINUE
            case Return(value=None):
                return lambda frame: Signal()
            case Return(value=expr):
                assert expr is not None
                code = self.expr(expr)
                return lambda frame: Signal(code(frame))
            case _:
                assert_never(node)

    def _discard(self, code: Code) -> Run:
        def run(frame: Frame) -> None:
            code(frame)

        return run

    def _declare(self, node: Declare) -> Run:
        variable, initial = node.variable, node.initial
        if variable.storage == "shared":
            return self._never(node.span, f"'{variable.name}' is shared memory")
        if initial is None:
            return lambda frame: frame.update({variable: new_object(variable.name, variable.type)})
        if isinstance(initial, Braces):
            return self._declare_braces(variable, initial)
        code = self.expr(initial)

        def run(frame: Frame) -> None:
            frame[variable] = _holding(variable, code(frame))

        return run

    def _declare_braces(self, variable: Variable, initial: Braces) -> Run:
        items = [(offset, ctype, self.expr(value)) for offset, ctype, value in initial.items]
        span = initial.span

        def run(frame: Frame) -> None:
            target = frame[variable] = new_object(variable.name, variable.type)
            zero(target)
            for offset, ctype, code in items:
                at = Address(target, offset, offset, offset + ctype.size)
                _store(at, ctype, code(frame), span)

        return run

    def _if(self, node: If) -> Run:
        cond, then, other = self.expr(node.cond), self.block(node.then.statements), self.block(node.other.statements)
        return lambda frame: then(frame) if cond(frame) else other(frame)

    def _loop(self, node: Loop) -> Run:
        init, body = self.block(node.init), self.block(node.body.statements)
        cond = self.expr(node.cond) if node.cond is not None else None
        steps = [self.expr(step) for step in node.step]
        test_first, span = node.test_first, node.span

        def run(frame: Frame) -> Signal | None:
            init(frame)
            test = test_first
            while not test or cond is None or cond(frame):
                test = True
                self.spend(1, span)
                signal = body(frame)
                if signal is BREAK:
                    return None
                if signal is not None and signal is not CONTINUE:
                    return signal
                for step in steps:
                    step(frame)
            return None

        return run

    def _switch(self, node: Switch) -> Run:
        value = self.expr(node.value)
        bodies = [self.block(section.body.statements) for section in node.sections]
        begins = {label: i for i, section in enumerate(node.sections) for label in section.labels}

        def run(frame: Frame) -> Signal | None:
            chosen = value(frame)
            assert isinstance(chosen, int)
            first = begins.get(chosen, begins.get(None, len(bodies)))
            for body in bodies[first:]:
                signal = body(frame)
                if signal is BREAK:
                    return None
                if signal is not None:
                    return signal
            return None

        return run

    # ---------------------------------------------------------------------------------------- expressions

    def expr(self, node: Expr) -> Code:
        """Return the function that computes an expression."""
        match node:
            case Constant(value=number):
                return lambda frame: number
            case Load():
                return self._load(node)
            case Binary():
                return self._binary(node)
            case Convert():
                return self._convert(node)
            case Assign(place=place, value=value):
                return self._assign(place, self.expr(value), node.span)
            case CompoundAssign():
                return self._compound(node)
            case Increment():
                return self._increment(node)
            case Call():
                return self._call(node)
            case BuiltinCall():
                return self._builtin(node)
            case AddressOf(place=place):
                return self.place(place)
            case Decay(place=place):
                at = self.place(place)
                return lambda frame: _inside(at(frame), 0, place.type.size, node.span)
            case PointerAdd():
                return self._moved(node.pointer, node.index, -1 if node.negative else 1, node.span)
            case PointerDiff():
                return self._difference(node)
            case Unary(op=op, operand=operand):
                compute, code = unary(op, _scalar(node.type), node.span), self.expr(operand)
                return lambda frame: compute(code(frame))
            case Logical(op=op):
                left, right = self.expr(node.left), self.expr(node.right)
                if op == "&&":
                    return lambda frame: bool(left(frame)) and bool(right(frame))
                return lambda frame: bool(left(frame)) or bool(right(frame))
            case Conditional():
                cond, then, other = self.expr(node.cond), self.expr(node.then), self.expr(node.other)
                return lambda frame: then(frame) if cond(frame) else other(frame)
            case Comma():
                left, right = self.expr(node.left), self.expr(node.right)
                return lambda frame: (left(frame), right(frame))[1]
            case ThreadIndex():
                return self._never(node.span, f"'{node.name}' is known only to a running thread")
            case _:
                assert_never(node)

    def _call(self, node: Call) -> Code:
        key, codes, span = node.function, [self.expr(arg) for arg in node.args], node.span
        if not self.program.is_call_by_pointer(key):
            return lambda frame: self.call(key, [code(frame) for code in codes], span)

        def call(frame: Frame) -> Value:
            number, *args = (code(frame) for code in codes)
            assert isinstance(number, int)
            return self.call(self.program.pointed_function(number, span), args, span)

        return call

    def _never(self, span: Span, reason: str) -> Callable[[Frame], None]:
        def fail(frame: Frame) -> None:
            raise NotConstant(span, reason)

        return fail

    def _load(self, node: Load) -> Code:
        place, ctype, span = node.place, node.type, node.span
        if isinstance(place, VarRef) and not place.variable.volatile and isinstance(ctype, Scalar | Pointer):
            return self._load_variable(place, ctype)
        if _is_volatile(place):
            return self._never(span, "a volatile object is read")
        at = self.place(place)
        if is_scalar(ctype):
            get = _reader(place)
            return lambda frame: get(at(frame), span)
        return lambda frame: read_struct(at(frame), ctype, span)

    def _load_variable(self, place: VarRef, ctype: CType) -> Code:
        variable, span = place.variable, place.span

        def load(frame: Frame) -> Value:
            target = frame.get(variable)
            if target is not None:
                value = target.cells.get(0)
                if value is not None:
                    return value
            else:
                target = self.program.object_to_read(variable, span)
            return read(target.whole, ctype, span)

        return load

    def _binary(self, node: Binary) -> Code:
        left, right, span = self.expr(node.left), self.expr(node.right), node.span
        if isinstance(node.left.type, Pointer):
            compare = _pointer_comparison(node.op, span)
        else:
            compare = binary(node.op, _scalar(node.left.type), span)
        return lambda frame: compare(left(frame), right(frame))

    def _convert(self, node: Convert) -> Code:
        source, target, code, span = node.operand.type, node.type, self.expr(node.operand), node.span
        if isinstance(target, Scalar) and target.kind == "void":
            return lambda frame: (code(frame), None)[1]
        if isinstance(source, Scalar) and isinstance(target, Scalar):
            compute = conversion(source, target, span)
            return code if compute is None else lambda frame: compute(code(frame))
        if isinstance(source, Struct):
            return code
        return lambda frame: _converted_pointer(code(frame), source, target, span)

    # -------------------------------------------------------------------------------------- assignments

    def _assign(self, place: Place, code: Code, span: Span) -> Code:
        at, put = self.place(place), _writer(place)

        def assign(frame: Frame) -> Value:
            value = code(frame)
            return put(at(frame), value, span)

        return assign

    def _compound(self, node: CompoundAssign) -> Code:
        code, at, ctype, span = self.expr(node.value), self.place(node.place), node.type, node.span
        get, put = _reader(node.place), _writer(node.place)
        if isinstance(ctype, Pointer):
            size, sign = ctype.target.size, 1 if node.op == "+" else -1

            def combine(old: Value, value: Value) -> Value:
                return _step(old, sign, value, size, span)
        else:
            combine = _compound_operation(node)

        def assign(frame: Frame) -> Value:
            value, where = code(frame), at(frame)
            return put(where, combine(get(where, span), value), span)

        return assign

    def _increment(self, node: Increment) -> Code:
        at, ctype, delta, prefix, span = self.place(node.place), node.type, node.delta, node.prefix, node.span
        get, put = _reader(node.place), _writer(node.place)
        if isinstance(ctype, Pointer):
            size = ctype.target.size

            def add(old: Value) -> Value:
                return _step(old, delta, 1, size, span)
        else:
            add = _adding(_scalar(ctype), delta, span)

        def increment(frame: Frame) -> Value:
            where = at(frame)
            old = get(where, span)
            new = put(where, add(old), span)
            return new if prefix else old

        return increment

    # ------------------------------------------------------------------------------------------- pointers

    def place(self, node: Place) -> Where:
        """Return the function that finds a place."""
        match node:
            case VarRef(variable=variable, span=span):
                return lambda frame: self._variable(variable, frame, span).whole
            case Deref(pointer=pointer, span=span):
                code = self.expr(pointer)
                return lambda frame: _object_at(code(frame), span)
            case Index():
                element, span = self._moved(node.pointer, node.index, 1, node.span), node.span
                return lambda frame: _object_at(element(frame), span)
            case Member(base=base, bits=BitField()):
                return self.place(base)
            case Member(base=base, offset=offset, type=ctype, span=span):
                at = self.place(base)
                return lambda frame: _inside(at(frame), offset, ctype.size, span)
            case Temporary(value=value):
                made = self.expr(value)
                return lambda frame: _temporary(made(frame))
            case _:
                assert_never(node)

    def _variable(self, variable: Variable, frame: Frame, span: Span) -> Object:
        target = frame.get(variable)
        return target if target is not None else self.program.object_to_read(variable, span)

    def _moved(self, pointer: Expr, index: Expr, sign: int, span: Span) -> Code:
        base, count = self.expr(pointer), self.expr(index)
        assert isinstance(pointer.type, Pointer)
        size = pointer.type.target.size
        return lambda frame: _step(base(frame), sign, count(frame), size, span)

    def _difference(self, node: PointerDiff) -> Code:
        left, right = self.expr(node.left), self.expr(node.right)
        assert isinstance(node.left.type, Pointer)
        size, span = node.left.type.target.size, node.span

        def difference(frame: Frame) -> int:
            a, b = left(frame), right(frame)
            if isinstance(a, Address) and isinstance(b, Address) and a.object is b.object:
                return (a.offset - b.offset) // size
            if a == 0 and b == 0:  # two null pointers ([expr.add]/5)
                return 0
            raise NotConstant(span, "the pointers do not point into one array")

        return difference

    def _builtin(self, node: BuiltinCall) -> Code:
        codes = [self.expr(arg) for arg in node.args]
        if node.builtin.op == "make":
            offsets = [offset for offset, _ in scalars(node.type)]
            return lambda frame: Object("", node.type, dict(zip(offsets, _cells(codes, frame), strict=True)))
        try:
            compute = builtin(node.builtin, node.span)
        except NotConstant as why:
            return self._never(why.span, why.reason)
        return lambda frame: compute(*[code(frame) for code in codes])


# ------------------------------------------------------------------------------------------------ helpers


def _scalar(ctype: CType) -> Scalar:
    assert isinstance(ctype, Scalar)
    return ctype


def _cells(codes: Sequence[Code], frame: Frame) -> list[Cell]:
    values = [code(frame) for code in codes]
    return [value for value in values if value is not None and not isinstance(value, Object)]


def _holding(variable: Variable, value: Value) -> Object:
    """Return the object of a variable that has just got its first value."""
    if isinstance(value, Object):
        value.name = variable.name
        return value
    assert value is not None
    return Object(variable.name, variable.type, {0: value})


def _store(at: Address, ctype: CType, value: Value, span: Span) -> None:
    if isinstance(value, Object):
        write_struct(at, value, span)
    else:
        assert value is not None
        write(at, ctype, value, span)


def _reader(place: Place) -> Callable[[Address, Span], Cell]:
    """Return what reads a scalar; the address of a bit-field is that of its struct."""
    if isinstance(place, Member) and place.bits is not None:
        bits = place.bits
        return lambda at, span: read_bits(at, bits, span)
    ctype = place.type
    return lambda at, span: read(at, ctype, span)


def _writer(place: Place) -> Callable[[Address, Value, Span], Value]:
    """Return what writes a value, and returns it as the place then holds it."""
    ctype = place.type
    bits = place.bits if isinstance(place, Member) else None

    def put(at: Address, value: Value, span: Span) -> Value:
        if bits is None:
            _store(at, ctype, value, span)
            return value
        assert isinstance(value, int)
        write_bits(at, bits, value, span)
        return read_bits(at, bits, span)

    return put


def _temporary(value: Value) -> Address:
    assert isinstance(value, Object)
    return value.whole


def _memo_key(key: str, args: Sequence[Value]) -> tuple[object, ...] | None:
    """Return what identifies a call whose arguments are numbers; such a call always gives the same.

    Zero and NaN are left out: -0.0 equals 0.0.
    """
    for arg in args:
        if type(arg) not in (int, bool, float) or (type(arg) is float and (arg == 0.0 or arg != arg)):
            return None
    return (key, *args)


def _own(value: Value) -> Value:
    """Return a kept result: of an object, a copy."""
    if not isinstance(value, Object):
        return value
    return Object(value.name, value.type, dict(value.cells), kinds=dict(value.kinds) if value.kinds else value.kinds)


def _is_volatile(place: Place) -> bool:
    match place:
        case VarRef(variable=variable):
            return variable.volatile
        case Deref(pointer=pointer) | Index(pointer=pointer):
            return isinstance(pointer.type, Pointer) and pointer.type.volatile
        case Member(base=base):
            return _is_volatile(base)
        case Temporary():
            return False


def _object_at(value: Value, span: Span) -> Address:
    if isinstance(value, Address):
        return value
    raise NotConstant(span, "a null pointer is followed" if value == 0 else "a pointer that leads to no object")


def _inside(at: Address, offset: int, size: int, span: Span) -> Address:
    """Return a part of the object at an address."""
    begin = at.offset + offset
    if begin < at.low or begin + size > at.high:
        raise NotConstant(span, "a member of what lies beside an array")
    return Address(at.object, begin, begin, begin + size)


def _step(base: Value, sign: int, count: Value, size: int, span: Span) -> Value:
    """Return the address `count` elements away, which is in the array or at its end ([expr.add]/4)."""
    assert isinstance(count, int)
    if base == 0 and count == 0:  # a null pointer plus zero is a null pointer
        return base
    if not isinstance(base, Address):
        raise NotConstant(span, "arithmetic on a null pointer")
    offset = base.offset + sign * count * size
    if base.low <= offset <= base.high:
        return Address(base.object, offset, base.low, base.high)
    elements, index = (base.high - base.low) // size, (offset - base.low) // size
    what = f"'{part_name(base.object, base.low)}'" if elements == 1 else f"an array of {elements}"
    raise NotConstant(span, f"element {index} of {what}")


def _converted_pointer(value: Value, source: CType, target: CType, span: Span) -> Value:
    if isinstance(target, Scalar) and target.kind == "bool":
        return value != 0
    if isinstance(value, Address):
        if not isinstance(target, Pointer) or not isinstance(source, Pointer):
            raise NotConstant(span, "an address is used as a number")
        if source.target == target.target or "void" in (str(source.target), str(target.target)):
            return value
        return value._replace(low=0, high=value.object.type.size)
    return value


def _pointer_comparison(op: str, span: Span) -> Operation:
    def compare(left: Value, right: Value) -> bool:
        if isinstance(left, Address) and isinstance(right, Address):
            if left.object is right.object:
                return bool(_ORDER[op](left.offset, right.offset))
            same = False
        else:
            same = left == right
        if op in ("==", "!="):
            return same == (op == "==")
        raise NotConstant(span, "pointers into different objects are compared")

    return compare


_ORDER: dict[str, Operation] = {
    op: binary(op, BOOL, None)  # type: ignore[arg-type]
    for op in ("==", "!=", "<", "<=", ">", ">=")
}


def _compound_operation(node: CompoundAssign) -> Operation:
    ctype, computed = _scalar(node.type), _scalar(node.compute)
    before, after = conversion(ctype, computed, node.span), conversion(computed, ctype, node.span)
    combine = binary(node.op, computed, node.span)

    def operation(old: Value, value: Value) -> Value:
        result: Value = combine(before(old) if before is not None else old, value)
        return after(result) if after is not None else result

    return operation


def _adding(ctype: Scalar, delta: int, span: Span) -> Operation:
    """Return `++`: an integer narrower than `int` is added to as an `int`."""
    computed = promote(ctype)
    before, after = conversion(ctype, computed, span), conversion(computed, ctype, span)
    combine, amount = binary("+", computed, span), float(delta) if computed.kind == "float" else delta

    def operation(old: Value) -> Value:
        result: Value = combine(before(old) if before is not None else old, amount)
        return after(result) if after is not None else result

    return operation
