"""Checking `new` and `delete`: memory of the device's heap, and objects made and destroyed in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from pycparser import c_ast

from ....lang.ctype import BOOL, INT, LONG, UCHAR, ULONG, VOID, Array, CType, Pointer, Struct, is_integer
from ....source import Span
from ....tree.nodes import (
    Assign,
    Binary,
    Block,
    Call,
    Comma,
    Conditional,
    Constant,
    Convert,
    Declare,
    Deref,
    Evaluate,
    Expr,
    Function,
    If,
    Increment,
    Index,
    Load,
    Loop,
    Place,
    PointerAdd,
    Return,
    Stmt,
    Variable,
    VarRef,
)
from ....tree.rewrite import copied
from ...parse import cxx
from ...parse.words import Node
from ..context import Part, Sema
from ..scopes import FunctionName
from .allocation_functions import heap_memory


def _header_bytes(target: CType) -> int:
    """Return how many bytes before an array end with the number of its objects: the array cookie of the Itanium ABI."""
    return max(ULONG.size, target.align)


class NewDelete(Part):
    """The checker's part for `new` and `delete`."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.array_makers: dict[tuple[CType, bool, int | None], str] = {}
        self.array_fillers: dict[tuple[CType, bool], str] = {}
        self.deleters: dict[tuple[CType, bool, bool], str] = {}
        self.numberer: str | None = None

    def new(self, node: cxx.New) -> Expr:
        """Check `new`."""
        span = node.coord
        asked = self.s.types.qualified(node.type)
        target = asked.type
        count = node.count
        if isinstance(target, Array):  # `new int[4][8]` makes 4 arrays, by the name of a typedef too
            count = count or c_ast.Constant("int", str(target.count), span)
            target = target.element if node.count is None else target
        self.s.types.records.require_complete(target, span)
        self.s.classes.construction.require_concrete(target, span)
        if asked.const and node.init is None and not self._has_default(target):
            self.fail(span, f"a const object of '{target}' needs a value", help="write 'new const T()'")
        size = Constant(span, ULONG, target.size)
        if self.s.classes.allocation.has_own(target, node) and (made := self._made_by_own(node, target, count)):
            return made
        if node.placement and not self.s.classes.allocation.is_nothrow(node.placement):
            place = self.s.expr.conversions.cast(self.s.expr.value(node.placement[0]), Pointer(VOID), span)
            memory: Expr = Convert(span, Pointer(target), place, explicit=True)
            if count is not None:
                if node.init is None and not self.s.classes.construction.needs_construction(target):
                    return memory
                before, number = self._number(count)
                return self._before(before, self._with_elements(memory, node, target, number))
            return self._made_at(memory, target, node.init, span)
        if count is not None:
            return self._new_array(node, target, count)
        memory = Convert(span, Pointer(target), heap_memory(size, span), explicit=True)
        return self._made_at(memory, target, node.init, span)

    def _made_by_own(self, node: cxx.New, target: CType, count: Node | None) -> Expr | None:
        """Return `new` in memory that a function of the program gives; None if none fits."""
        span = node.coord
        allocation = self.s.classes.allocation
        if count is None:
            memory = allocation.own_new(target, Constant(span, ULONG, target.size), node)
            if memory is None:
                return None
            return self._made_at(Convert(span, Pointer(target), memory, explicit=True), target, node.init, span)
        header = _header_bytes(target) if self.s.classes.construction.needs_destruction(target) else 0
        before, number = self._number(count)
        size = Binary(span, ULONG, "*", copied(number), Constant(span, ULONG, target.size))
        whole = Binary(span, ULONG, "+", size, Constant(span, ULONG, header))
        memory = allocation.own_new(target, whole, node)
        if memory is None:
            return None
        if header:
            bytes_before = Constant(span, ULONG, header)
            memory = Call(span, Pointer(VOID), self._numberer(span), (memory, bytes_before, copied(number)))
        memory = Convert(span, Pointer(target), memory, explicit=True)
        if node.init is None and not self.s.classes.construction.needs_construction(target):
            return self._before(before, memory)
        return self._before(before, self._with_elements(memory, node, target, number))

    def _has_default(self, ctype: CType) -> bool:
        """Whether a const object of this type needs no initialiser ([dcl.init.general]/7)."""
        info = self.s.classes.construction.info(ctype)
        if info is None:
            return False
        own = info.constructors.candidates if info.constructors is not None else ()
        if any(isinstance(one, FunctionName) and not one.params and "=default" not in one.words for one in own):
            return True
        return all(
            (name in info.fields and info.fields[name].init is not None) or self._has_default(part)
            for name, part in self.s.classes.construction.parts_of(info)
        )

    def _made_at(self, memory: Expr, target: CType, init: Node | None, span: Span) -> Expr:
        return self._filled(memory, lambda pointer: self._steps(Deref(span, target, pointer()), init, span), span)

    def _filled(self, memory: Expr, fill: Callable[[Callable[[], Expr]], list[Expr]], span: Span) -> Expr:
        """Return the pointer to new memory after what `fill` makes there; nothing is made where there is none."""
        pointer = self.s.expr.objects.hidden_variable(memory.type, span)

        def read() -> Expr:
            return Load(span, memory.type, VarRef(span, memory.type, pointer.variable))

        store = Assign(span, memory.type, pointer, memory)
        steps = fill(read)
        if not steps:
            return Comma(span, memory.type, store, read())
        done: Expr = Constant(span, INT, 0)
        for step in reversed(steps):
            done = Comma(span, INT, step, done)
        done = self.s.classes.temporaries.guarded(done)
        there = Convert(span, BOOL, read())
        made = Conditional(span, INT, there, done, Constant(span, INT, 0))
        return Comma(span, memory.type, store, Comma(span, memory.type, made, read()))

    def _steps(self, place: Place, init: Node | None, span: Span) -> list[Expr]:
        if init is None:
            if not isinstance(place.type, Struct):
                return []
            made = self.s.classes.construction.construction_of(place, [], span)
            return [made] if made is not None else []
        statements = self.s.classes.implicit.initialise(place, init, span)
        if not all(isinstance(one, Evaluate) for one in statements):
            self.fail(span, "this initialiser is not supported for an object on the heap")
        return [cast(Evaluate, one).expr for one in statements]

    def _new_array(self, node: cxx.New, target: CType, count: Node) -> Expr:
        """`new T[n]`: objects with a destructor have their number before them."""
        span = node.coord
        header = _header_bytes(target) if self.s.classes.construction.needs_destruction(target) else 0
        listed = len(self._listed(node))
        if not listed:
            key = self._array_maker(target, header, zero=self._is_valued(node), listed=None, span=span)
            number = self.s.expr.conversions.convert(self.integer(count), ULONG)
            return Call(span, Pointer(target), key, (number,))
        before, number = self._number(count)
        if isinstance(number, Constant) and number.value < listed:
            self.fail(span, f"{listed} values are given for {number.value} elements")
        key = self._array_maker(target, header, zero=False, listed=listed, span=span)
        memory = Call(span, Pointer(target), key, (number,))
        return self._before(before, self._with_elements(memory, node, target, copied(number)))

    def _is_valued(self, node: cxx.New) -> bool:
        """Whether what is not listed is value-initialised."""
        return isinstance(node.init, c_ast.InitList | cxx.Arguments)

    def _listed(self, node: cxx.New) -> list[Node]:
        """Return the initialisers of the first elements of a new array ([expr.new], [dcl.init.aggr])."""
        if not isinstance(node.init, c_ast.InitList | cxx.Arguments):
            return []
        return self.s.templates.packs.spread_nodes(node.init.exprs)

    def _number(self, count: Node) -> tuple[Expr | None, Expr]:
        """Return what evaluates the number of elements, and the number, which may be read more than once."""
        number = self.s.expr.conversions.convert(self.integer(count), ULONG)
        if isinstance(number, Constant):
            return None, number
        place = self.s.expr.objects.hidden_variable(ULONG, number.span)
        read = Load(number.span, ULONG, VarRef(number.span, ULONG, place.variable))
        return Assign(number.span, ULONG, place, number), read

    def _before(self, before: Expr | None, value: Expr) -> Expr:
        return value if before is None else Comma(value.span, value.type, before, value)

    def _with_elements(self, memory: Expr, node: cxx.New, target: CType, number: Expr) -> Expr:
        """Return the pointer to an array after its elements are made: first those that are listed."""
        span = node.coord
        given = self._listed(node)

        def fill(pointer: Callable[[], Expr]) -> list[Expr]:
            places = [Index(span, target, pointer(), Constant(span, INT, at)) for at in range(len(given))]
            steps = [step for place, init in zip(places, given, strict=True) for step in self._steps(place, init, span)]
            if isinstance(number, Constant) and number.value == len(given):
                return steps
            key = self._array_filler(target, zero=self._is_valued(node), span=span)
            rest = (pointer(), Constant(span, ULONG, len(given)), copied(number))
            return [*steps, Call(span, VOID, key, rest)]

        return self._filled(memory, fill, span)

    def integer(self, node: Node) -> Expr:
        value = self.s.classes.conversions.to_number(self.s.expr.value(node))
        if not is_integer(value.type):
            self.fail(node.coord, f"the number of elements must be an integer, not '{value.type}'")
        return value

    def _array_maker(self, target: CType, header: int, *, zero: bool, listed: int | None, span: Span) -> str:
        """Return the function that makes an array on the heap; one with `listed` elements is not initialised yet."""
        key = self.array_makers.get((target, zero, listed))
        if key is not None:
            return key
        key = self.s.linkage.unique_key(f"new_{target}".replace(" ", "_"))
        self.array_makers[target, zero, listed] = key
        number = Variable("count", ULONG, span, "param")
        with self.s.statements.bodies.a_body(self._function(key, span)):
            body = self._array_body(target, header, number, span, zero=zero, listed=listed)
        self.s.functions.checked[key] = Function(
            key, span, "device", (number,), Pointer(target), Block(span, tuple(body)), shown=f"new {target}[]"
        )
        return key

    def _numberer(self, span: Span) -> str:
        """Return the function that writes the number of objects before them, and gives their address."""
        if self.numberer is None:
            params = (
                Variable("memory", Pointer(VOID), span, "param"),
                Variable("header", ULONG, span, "param"),
                Variable("count", ULONG, span, "param"),
            )
            memory, header, count = (Load(span, param.type, VarRef(span, param.type, param)) for param in params)
            octets = Convert(span, Pointer(UCHAR), memory, explicit=True)
            moved = PointerAdd(span, Pointer(UCHAR), octets, header)
            first = Variable("first", Pointer(ULONG), span, "local")
            start = Declare(span, first, Convert(span, Pointer(ULONG), moved, explicit=True))
            read = Load(span, first.type, VarRef(span, first.type, first))
            place = Deref(span, ULONG, PointerAdd(span, Pointer(ULONG), read, Constant(span, INT, 1), True))
            store = Evaluate(span, Assign(span, ULONG, place, count))
            there = (start, store, Return(span, Convert(span, Pointer(VOID), copied(read))))
            none = Block(span, (Return(span, Constant(span, Pointer(VOID), 0)),))
            body = Block(span, (If(span, Convert(span, BOOL, copied(memory)), Block(span, there), none),))
            key = self.numberer = self.s.linkage.unique_key("number_objects")
            self.s.functions.checked[key] = Function(key, span, "device", params, Pointer(VOID), body, shown="new[]")
        return self.numberer

    def _function(self, key: str, span: Span) -> FunctionName:
        return FunctionName(span, key, "device", (), None, span, key, key, tuple(self.s.scopes.stack))

    def _array_filler(self, target: CType, *, zero: bool, span: Span) -> str:
        """Return the function that makes the elements of an array from an index on."""
        key = self.array_fillers.get((target, zero))
        if key is not None:
            return key
        key = self.array_fillers[target, zero] = self.s.linkage.unique_key(f"fill_{target}".replace(" ", "_"))
        first = Variable("first", Pointer(target), span, "param")
        start, number = Variable("start", ULONG, span, "param"), Variable("count", ULONG, span, "param")
        with self.s.statements.bodies.a_body(self._function(key, span)):
            begin = Load(span, ULONG, VarRef(span, ULONG, start))
            body = Block(span, tuple(self._elements(first, begin, number, span, zero=zero)))
        self.s.functions.checked[key] = Function(
            key, span, "device", (first, start, number), VOID, body, shown=f"new {target}[]"
        )
        return key

    def _elements(self, first: Variable, start: Expr, number: Variable, span: Span, *, zero: bool) -> list[Stmt]:
        """Return the loop that makes the elements of an array from `start` on."""
        assert isinstance(first.type, Pointer)
        target = first.type.target
        index = Variable("i", ULONG, span, "local")

        def read(variable: Variable) -> Expr:
            return Load(span, variable.type, VarRef(span, variable.type, variable))

        element = Index(span, target, read(first), read(index))
        body: list[Stmt] = []
        if zero:
            body += [Evaluate(span, store) for store in self.s.expr.objects.stores(element, [], span)]
        if self.s.classes.construction.info(target) is not None:
            body += self.s.classes.construction.construct(copied(element), [], span)
        if not body:
            return []
        test = Binary(span, BOOL, "<", read(index), read(number))
        step = Increment(span, ULONG, VarRef(span, ULONG, index), 1, True)
        return [Loop(span, (Declare(span, index, start),), test, (step,), Block(span, tuple(body)))]

    def _array_body(
        self, target: CType, header: int, number: Variable, span: Span, *, zero: bool, listed: int | None
    ) -> list[Stmt]:
        octets, words = Pointer(UCHAR), Pointer(ULONG)
        memory = Variable("memory", octets, span, "local")
        first = Variable("first", Pointer(target), span, "local")

        def read(variable: Variable) -> Expr:
            return Load(span, variable.type, VarRef(span, variable.type, variable))

        size = Binary(span, ULONG, "+", Binary(span, ULONG, "*", read(number), Constant(span, ULONG, target.size)),
                      Constant(span, ULONG, header))  # fmt: skip
        start = Declare(span, memory, Convert(span, octets, heap_memory(size, span), explicit=True))
        nothing = If(
            span, Binary(span, BOOL, "==", read(memory), Constant(span, octets, 0)),
            Block(span, (Return(span, Constant(span, Pointer(target), 0)),)), Block(span, ()),
        )  # fmt: skip
        result: list[Stmt] = [start, nothing]
        if listed is not None:  # fewer elements than are listed are no array ([expr.new])
            few = Binary(span, BOOL, "<", read(number), Constant(span, ULONG, listed))
            none = Return(span, Constant(span, Pointer(target), 0))
            result.insert(0, If(span, few, Block(span, (none,)), Block(span, ())))
        if header:
            before = PointerAdd(span, octets, read(memory), Constant(span, INT, header - ULONG.size))
            count_at = Deref(span, ULONG, Convert(span, words, before, explicit=True))
            result.append(Evaluate(span, Assign(span, ULONG, count_at, read(number))))
        moved = PointerAdd(span, octets, read(memory), Constant(span, INT, header))
        result.append(Declare(span, first, Convert(span, Pointer(target), moved, explicit=True)))
        if listed is None:
            result += self._elements(first, Constant(span, ULONG, 0), number, span, zero=zero)
        return [*result, Return(span, read(first))]

    # ------------------------------------------------------------------------------------------- delete

    def delete(self, node: cxx.Delete) -> Expr:
        """Check `delete`."""
        span = node.coord
        pointer = self.s.expr.value(node.expr)
        if not isinstance(pointer.type, Pointer):
            self.fail(span, f"'delete' needs a pointer, not '{pointer.type}'")
        target = pointer.type.target
        if isinstance(target, Struct):
            self.s.types.records.require_complete(target, span)
        if target is VOID or not self.s.classes.construction.needs_destruction(target):
            return self._free(self.s.expr.conversions.convert(pointer, Pointer(VOID)), target, node)
        key = self._deleter(target, node)
        return Call(span, VOID, key, (self.s.expr.conversions.cast(pointer, Pointer(target), span),))

    def _free(self, pointer: Expr, target: CType, node: cxx.Delete) -> Expr:
        return self.s.classes.allocation.free(target, pointer, node)

    def _deleter(self, target: CType, node: cxx.Delete) -> str:
        """Return the function that destroys an object on the heap, or an array of them, and frees its memory."""
        span, array = node.coord, node.array
        key = self.deleters.get((target, array, node.rooted))
        if key is not None:
            return key
        key = self.deleters[target, array, node.rooted] = self.s.linkage.unique_key(
            f"delete_{target}".replace(" ", "_")
        )
        pointer = Variable("pointer", Pointer(target), span, "param")
        with self.s.statements.bodies.a_body(self._function(key, span)):
            body = self._delete_array(pointer, target, node) if array else self._delete_one(pointer, target, node)

        def read() -> Expr:
            return Load(span, pointer.type, VarRef(span, pointer.type, pointer))

        nothing = If(
            span, Binary(span, BOOL, "==", read(), Constant(span, pointer.type, 0)),
            Block(span, (Return(span, None),)), Block(span, ()),
        )  # fmt: skip
        whole = Block(span, (nothing, *body))
        self.s.functions.checked[key] = Function(key, span, "device", (pointer,), VOID, whole, shown=f"delete {target}")
        return key

    def _delete_one(self, pointer: Variable, target: CType, node: cxx.Delete) -> list[Stmt]:
        span = node.coord

        def read() -> Expr:
            return Load(span, pointer.type, VarRef(span, pointer.type, pointer))

        place = Deref(span, target, read())
        info = self.s.classes.construction.info(target)
        virtual = info.virtual_destructor if info is not None else None
        if virtual is not None:
            if "=default" not in virtual.words:
                self.s.calls.functions.use(virtual, span)
            chooser = self.s.calls.indirect.deleting_chooser(virtual, rooted=node.rooted)
            object = self.s.expr.conversions.cast(read(), virtual.this_type, span)
            return [Evaluate(span, Call(span, VOID, chooser, (object,)))]
        ends = self.s.classes.construction.destruction(place, span)
        freed = self._free(self.s.expr.conversions.convert(read(), Pointer(VOID)), target, node)
        return [*ends, Evaluate(span, freed)]

    def _delete_array(self, pointer: Variable, target: CType, node: cxx.Delete) -> list[Stmt]:
        span = node.coord
        octets, header = Pointer(UCHAR), _header_bytes(target)
        memory, index = Variable("memory", octets, span, "local"), Variable("i", LONG, span, "local")

        def read(variable: Variable) -> Expr:
            return Load(span, variable.type, VarRef(span, variable.type, variable))

        begin = PointerAdd(
            span, octets, Convert(span, octets, read(pointer), explicit=True), Constant(span, INT, header), True
        )
        number_at = PointerAdd(span, octets, read(memory), Constant(span, INT, header - LONG.size))
        words = Convert(span, Pointer(LONG), number_at, explicit=True)
        last = Binary(span, LONG, "-", Load(span, LONG, Deref(span, LONG, words)), Constant(span, LONG, 1))
        test = Binary(span, BOOL, ">=", read(index), Constant(span, LONG, 0))
        step = Increment(span, LONG, VarRef(span, LONG, index), -1, True)
        body = self.s.classes.construction.destruction(Index(span, target, read(pointer), read(index)), span)
        loop = Loop(span, (Declare(span, index, last),), test, (step,), Block(span, tuple(body)))
        freed = Evaluate(span, self._free(self.s.expr.conversions.convert(read(memory), Pointer(VOID)), target, node))
        return [Declare(span, memory, begin), loop, freed]
