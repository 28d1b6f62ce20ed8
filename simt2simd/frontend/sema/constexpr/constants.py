"""Checking constants: what is computed while the program is compiled, because it must be known then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ....diag import Note
from ....lang.ctype import Array, CType, Scalar, Struct, is_arithmetic, is_scalar
from ....source import Span
from ....tree.nodes import (
    Braces,
    Constant,
    Content,
    Decay,
    Declare,
    Expr,
    Function,
    Index,
    Member,
    Place,
    Stmt,
    Variable,
    VarRef,
)
from ...parse import cxx
from ...parse.words import Node
from ..context import Part, Sema
from ..restore import restoring
from ..scopes import FunctionName, Reported
from .constant_data import constant_address
from .evaluate import Evaluator, Frame
from .memory import Address, Object, constant_object, content_of, foreign_object, new_object, scalars, unpack
from .ops import NotConstant

if TYPE_CHECKING:
    from .constant_data import ConstantData


class Constants(Part):
    """The checker's part for constant expressions."""

    data: ConstantData

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.evaluator = Evaluator(self)
        self.constexpr_only = True
        self.why: NotConstant | None = None  # the last expression was no constant
        self.const_values: dict[Variable, Expr] = {}  # of const integers: computed if they must be known
        self.known_objects: dict[Variable, Object] = {}

    def pointed_function(self, number: int, span: Span) -> str:
        """Return the key of the function to which a pointer points whose value is known."""
        return self.s.calls.indirect.pointed_function(number, span)

    # ------------------------------------------------------------------------------------------ values

    def constant(self, node: Node) -> Expr:
        """Check an expression whose value must be known now; return it as it is if it is no constant."""
        hidden, later = len(self.s.current.hidden), list(self.s.current.temporaries)
        self.why = None
        value = self.s.expr.value(node)
        if isinstance(value.type, Struct):
            value = self.s.classes.conversions.to_number(value)
        known = self.known(value)
        if known is None:
            return value
        del self.s.current.hidden[hidden:]
        self.s.current.temporaries = later
        return known

    def constant_condition(self, node: Node, what: str) -> bool:
        """Check a condition that must be known now; `what` names it in messages."""
        hidden, later = len(self.s.current.hidden), list(self.s.current.temporaries)
        known = self.known(self.s.expr.conversions.to_bool(self.s.expr.value(node)))
        if known is None:
            self.refuse_constant(node.coord, f"{what} must be a constant")
        del self.s.current.hidden[hidden:]
        self.s.current.temporaries = later
        return bool(known.value)

    def known(self, value: Expr) -> Constant | None:
        """Return what a number is, if that can be computed now; if not, `why` says why."""
        self.why = None
        if isinstance(value, Constant):
            return value
        if not is_scalar(value.type):
            return None
        try:
            found = self.evaluator.value(value, self._frame())
        except NotConstant as why:
            self.why = why
            return None
        if isinstance(found, bool | int | float):
            return Constant(value.span, value.type, found)
        return None

    def _frame(self) -> Frame:
        """Return the objects of the hidden variables that the current expression may use."""
        return {node.variable: new_object(node.variable.name, node.variable.type) for node in self.s.current.hidden}

    def refuse_constant(self, span: Span, message: str, help: str | None = None) -> NoReturn:
        """Fail because of an expression that is no constant, and say why."""
        if self.why is None:
            self.fail(span, message, help=help)
        notes = [Note(self.why.span, f"in '{self.why.function}', here")] if self.why.function else []
        self.fail(span, f"{message}: {self.why.reason}", *notes, help=help)

    # ----------------------------------------------------------------------------------------- objects

    def constant_data(
        self, init: Node | None, ctype: CType, name: str, span: Span, *, strict: bool = True
    ) -> tuple[Content, Constant | None]:
        """Return what a constant object holds, and its value if that is a number; not `strict`: any function runs."""
        with restoring(self.s.current, hidden=list(self.s.current.hidden), temporaries=[]):
            try:
                return self._constant_data(init, ctype, name, span, strict=strict)
            except NotConstant as why:
                self.why = why
                self.refuse_constant(init.coord if init is not None else span, f"'{name}' is not a constant")

    def _constant_data(
        self, init: Node | None, ctype: CType, name: str, span: Span, *, strict: bool
    ) -> tuple[Content, Constant | None]:
        variable = Variable(name, ctype, span, "local")
        statements: list[Stmt]
        if isinstance(ctype, Struct | Array) and self.is_made(ctype, init):
            place = VarRef(span, ctype, variable)
            if init is None:
                made = self.s.classes.construction.construct(place, [], span)
            else:
                made = self.s.classes.implicit.initialise(place, init, span)
            statements = [Declare(span, variable, None), *made]
        else:
            assert init is not None
            initial = self.s.expr.initialisers.initialiser(init, ctype, f"in the initialiser of '{name}'")
            if _is_plain(initial):
                known = initial if isinstance(initial, Constant) and is_arithmetic(ctype) else None
                return self.data.content(initial, ctype, span), known
            statements = [Declare(span, variable, initial)]
        frame = self._frame()
        with restoring(self, constexpr_only=strict):
            self.evaluator.run(statements, frame, span)
        found = frame[variable]
        content = content_of(found, span, partly=not strict)
        number = found.cells[0] if is_arithmetic(ctype) else None
        return content, None if number is None or isinstance(number, Address) else Constant(span, ctype, number)

    def require_constant_address(self, variable: Variable, initial: Expr) -> None:
        """Fail unless the first value of a constexpr pointer is the same in every thread, and note what it is."""
        try:
            value = self.evaluator.value(initial, self._frame())
            assert isinstance(value, int | Address)
            holder = Object(variable.name, variable.type, {0: value}, data=b"")
            content_of(holder, variable.span)
        except NotConstant as why:
            self.why = why
            self.refuse_constant(initial.span, f"'{variable.name}' is not a constant")
        self.known_objects[variable] = holder

    def is_made(self, ctype: CType, init: Node | None) -> bool:
        """Whether code makes the object, rather than a list of values or a copy of bytes."""
        if self.s.classes.construction.needs_construction(ctype) or self.s.classes.construction.needs_destruction(
            ctype
        ):
            return True
        return isinstance(init, cxx.Arguments)

    # ------------------------------------------------------------------------------------ parts of constants

    def known_part(self, place: Place, ctype: Scalar) -> Constant | None:
        """Return the number in a part of a constant, if the text says which part."""
        offset, inner = 0, place
        while not isinstance(inner, VarRef):
            match inner:
                case Member(base=base):
                    offset += inner.offset
                    inner = base
                case Index(pointer=Decay(place=array), index=Constant(value=index)):
                    assert isinstance(array.type, Array)
                    if not 0 <= index < array.type.count:
                        return None
                    offset += int(index) * inner.type.size
                    inner = array
                case _:
                    return None
        data = self._bytes_of(inner.variable)
        if data is None or self.s.calls.arguments.is_bit_field(place):
            return None
        value = unpack(data, offset, ctype)
        return None if isinstance(value, Address) else Constant(place.span, ctype, value)

    def _bytes_of(self, variable: Variable) -> bytes | None:
        if variable.volatile:
            return None
        if variable.initial is not None:
            return variable.initial
        known = self.known_objects.get(variable)
        return known.data if known is not None and variable.storage == "local" else None

    def keep_object(self, variable: Variable, content: Content) -> Braces:
        """Note what a constexpr object of a function holds; return the values of its parts."""
        kept = self.known_objects[variable] = constant_object(variable, content.data)
        parts = new_object(variable.name, variable.type)
        assert parts.kinds is None
        items = []
        for offset, ctype in scalars(variable.type):
            value = unpack(kept.data or b"", offset, ctype)
            assert not isinstance(value, Address)
            items.append((offset, ctype, Constant(variable.span, ctype, value)))
        return Braces(variable.span, tuple(items))

    # -------------------------------------------------------------------------- what the evaluator asks for

    def function_to_evaluate(self, key: str, span: Span) -> Function:
        entry = self.s.functions.used.get(key)
        if entry is not None and self.constexpr_only and not self.is_constexpr(entry):
            raise NotConstant(span, f"'{entry.shown or entry.name}' is not constexpr")
        if key not in self.s.functions.checked and entry is not None:
            self._check_now(entry)
        if key not in self.s.functions.checked:
            shown = entry.shown or entry.name if entry is not None else key
            defined = entry is not None and entry.node is not None
            raise NotConstant(
                span, f"'{shown}' is {'called in its own declaration' if defined else 'not defined here'}"
            )
        return self.s.functions.checked[key]

    def _check_now(self, function: FunctionName) -> None:
        faults, known = len(self.s.diagnostics.faults), set(self.s.functions.checked)
        self.s.statements.bodies.require_body(function)
        self.s.functions.only_checked |= set(self.s.functions.checked) - known
        if len(self.s.diagnostics.faults) > faults:
            raise Reported

    def is_constexpr(self, function: FunctionName) -> bool:
        """Whether a function may run while the program is compiled; a lambda need not say so."""
        if function.words & {"constexpr", "consteval"}:
            return True
        info = self.s.structs.classes.get(function.owner) if function.owner is not None else None
        return info is not None and info.is_lambda

    def object_to_read(self, variable: Variable, span: Span) -> Object:
        known = self.known_objects.get(variable)
        if known is None:
            known = self.known_objects[variable] = self._object_of(variable)
        return known

    def _object_of(self, variable: Variable) -> Object:
        if variable.initial is not None and not variable.volatile:
            return constant_object(variable, variable.initial)
        if variable in self.const_values:
            value = self.evaluator.value(self.const_values[variable], {})
            assert isinstance(value, bool | int)
            return Object(variable.name, variable.type, {0: value}, data=b"")
        content = self.s.variables.contents.get(variable)
        if content is None or not variable.const or variable.space or variable.storage != "constant":
            return foreign_object(variable)
        found = constant_object(variable, content.data)
        for offset, other, past in content.addresses:
            found.cells[offset] = self.object_to_read(other, variable.span).whole._replace(offset=past)
        return found

    def is_call_by_pointer(self, key: str) -> bool:
        return key in self.s.calls.indirect.pointer_calls


def _is_plain(initial: Expr | Braces) -> bool:
    """Whether the values of an initialiser are numbers and addresses as they are."""
    values = [value for _, _, value in initial.items] if isinstance(initial, Braces) else [initial]
    return all(isinstance(value, Constant) or constant_address(value) is not None for value in values)
