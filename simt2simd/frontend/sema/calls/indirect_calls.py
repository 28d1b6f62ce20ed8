"""Checking pointers to functions and virtual functions: both become calls of a function that chooses.

    f(x)  ->  call_int_int((unsigned long)f, x)     switch (pointer) { case 0x8c...: return square(x); ... }

A pointer to a function is a number made of the function's name. A class with virtual functions has a first member that
holds the number of its class: the constructor stores it there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from pycparser import c_ast

from ....diag import Note
from ....lang.builtins import BUILTINS, Builtin
from ....lang.ctype import ULONG, VOID, Array, CType, FunctionType, Pointer, Struct
from ....source import NOWHERE, Span
from ....tree.nodes import (
    Assign,
    Block,
    BuiltinCall,
    Call,
    Comma,
    Constant,
    Convert,
    Declare,
    Deref,
    Evaluate,
    Expr,
    Function,
    Load,
    Member,
    Place,
    Return,
    Section,
    Stmt,
    Switch,
    Variable,
    VarRef,
)
from ....tree.rewrite import copied
from ...parse import cxx
from ...parse.words import HOST_ONLY
from ..argument import Argument
from ..class_info import VPTR, ClassInfo, is_pure, overrides
from ..constexpr.ops import NotConstant
from ..context import Part, Sema
from ..identifiers import identifier
from ..qualified import Qualified, function_type, may_throw, signature_of, type_key
from ..scopes import FunctionName, Functions, Parameter


@dataclass(frozen=True)
class VirtualDelete:
    """What a function destroys and frees: `delete p`, or `::delete p` if `rooted`, by a virtual destructor."""

    destructor: FunctionName
    rooted: bool


class IndirectCalls(Part):
    """The checker's part for calls whose function only the running program knows."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.addressed: dict[FunctionName, None] = {}  # functions to which pointers may point
        self.dispatchers: dict[object, str] = {}  # the functions that call by a pointer or a table, by what they choose
        self.builtin_functions: dict[Builtin, FunctionName] = {}  # what calls a built-in function by a pointer
        self.pointer_calls: dict[str, FunctionType] = {}  # functions that call by a pointer, by their keys
        self.virtual_calls: dict[str, FunctionName] = {}  # functions that call a virtual one, by their keys
        self.virtual_deletes: dict[str, VirtualDelete] = {}  # functions that delete an object, by their keys

    # ------------------------------------------------------------------------------- pointers to functions

    def function_address(self, function: FunctionName, span: Span) -> Expr:
        """Return a pointer to a function."""
        if function.kind == "kernel":
            note = Note(function.span, f"'{function.shown}' is declared here")
            self.fail(span, f"device code cannot take the address of a kernel: '{function.shown}'", note)
        if function.is_method:
            self.fail(span, f"'{function.shown}' is a method: it must be called", help=f"write '&{function.shown}'")
        self.s.calls.functions.require_usable(function, span)
        self.s.calls.functions.result_of(function, span)
        self.s.calls.functions.use(function, span)
        self.s.templates.exceptions.is_noexcept(function)  # which is a part of its type
        self.addressed[function] = None
        return Constant(span, Pointer(function.type), self._number(function))

    def builtin_function(self, row: Builtin, span: Span) -> FunctionName:
        """Return a function that calls a built-in one, for a pointer to that."""
        if row in self.builtin_functions:
            return self.builtin_functions[row]
        key = self.s.linkage.unique_key(f"{row.name}_pointed")
        params = tuple(Variable(f"a{i}", param, span, "param") for i, param in enumerate(row.params))
        call = BuiltinCall(span, row.result, row, tuple(map(_read, params)))
        self.s.functions.checked[key] = Function(
            key, span, "device", params, row.result, _returning(call), shown=row.name
        )
        own = tuple(Parameter(param.name, span, param.type, False) for param in params)
        made = FunctionName(span, row.name, "device", own, Qualified(row.result), span, key, row.name, checked=True)
        self.builtin_functions[row] = made
        return made

    def builtin_functions_named(self, name: str, span: Span) -> Functions | None:
        """Return the built-in functions of a name, of which pointers can be made."""
        rows = [row for row in BUILTINS.get(name, ()) if row.pure]
        if not rows:
            return None
        return Functions(span, name, [self.builtin_function(rows[0], span)] if len(rows) == 1 else [], builtins=True)

    def matching_builtin(self, functions: Functions, target: CType) -> FunctionName | None:
        """Return the built-in function to which a pointer of type `target` may point."""
        wanted = target.target if isinstance(target, Pointer) else target
        if not functions.builtins or not isinstance(wanted, FunctionType) or wanted.references:
            return None
        rows = BUILTINS.get(functions.name, ())
        found = [row for row in rows if row.pure and row.params == wanted.params and row.result == wanted.result]
        return self.builtin_function(found[0], functions.span) if found else None

    def pointed_function(self, number: int, span: Span) -> str:
        """Return the key of the function to which a pointer points whose value is known."""
        for function in self.addressed:
            if self._number(function) == number:
                return function.key
        raise NotConstant(span, "a null pointer is called")

    def chosen_function(self, functions: Functions, target: CType, span: Span) -> Expr:
        """Return a pointer of type `target` to one of `functions`."""
        found = self.s.calls.overloads.matching_function(functions, target)
        if found is None and functions.given is not None:
            found = self.s.templates.functions.only_instance(functions, span)
        if found is None:
            self.fail(span, f"no '{functions.name}' has the type '{target}'")
        return self.s.expr.conversions.implicit(self.pointer_to(found, span), target, "in a pointer to a function")

    def call_pointer(self, pointer: Expr, ctype: FunctionType, args: list[Argument], span: Span) -> Expr | Place:
        """Return a call through a pointer to a function."""
        if len(args) != len(ctype.params):
            few = "few" if len(args) < len(ctype.params) else "many"
            self.fail(span, f"too {few} arguments: {len(args)} given, {len(ctype.params)} expected")
        result, params = signature_of(ctype)
        values = tuple(
            self.s.calls.arguments.passed(arg, param, f"in argument {number + 1}")
            for number, (arg, param) in enumerate(zip(args, params, strict=True))
        )
        call = self.call_by_number(pointer, ctype, values, span)
        return Deref(span, result.type, call, xvalue=result.reference == "&&") if result.reference else call

    def surrogates(self, object: Place) -> dict[FunctionName, FunctionName]:
        """Return the conversion functions of an object to pointers to functions, by what calls those.

        Among these a call of the object chooses beside its `operator()` ([over.call.object]/2).
        """
        assert isinstance(object.type, Struct)
        conversions = self.s.classes.user_conversions
        found: dict[FunctionName, FunctionName] = {}
        for one in conversions.functions_of(object.type):
            if not isinstance(one, FunctionName) or one.result is None or "explicit" in one.words:
                continue
            if (ctype := called_type(one.result.type)) is None:
                continue
            if self.s.calls.overloads.rank_object(one, object, ()) is not None:
                params = tuple(
                    Parameter("", one.span, p.type, p.const, None, p.restrict, p.reference, p.volatile)
                    for p in signature_of(ctype)[1]
                )
                call = FunctionName(one.span, one.name, "device", params, Qualified(ctype.result), shown=one.shown)
                found[call] = one
        return found

    def call_surrogate(
        self, surrogates: dict[FunctionName, FunctionName], object: Place, args: list[Argument], span: Span
    ) -> Expr | Place:
        """Return the call of the function to which an object converts that takes the arguments."""
        chosen = self.s.calls.overloads.choose("operator()", list(surrogates), args, span)
        assert isinstance(chosen, FunctionName)
        pointer = self.s.expr.load(self.s.classes.conversions.call_conversion(surrogates[chosen], object, span))
        ctype = called_type(pointer.type)
        assert ctype is not None
        return self.call_pointer(pointer, ctype, args, span)

    def pointer_to(self, function: FunctionName, span: Span) -> Expr:
        """Return the pointer to a function or a method."""
        if function.is_method:
            return self.s.classes.member_pointers.method_address(function, span)
        return self.function_address(function, span)

    def call_by_number(self, pointer: Expr, ctype: FunctionType, values: tuple[Expr, ...], span: Span) -> Expr:
        """Return the call of the function of type `ctype` whose number `pointer` is."""
        if isinstance(pointer, Constant) and not self.s.current.unevaluated:  # a template argument
            for function in self.addressed:
                if pointer.value == self._number(function):
                    key = self.s.calls.functions.use(function, span)
                    return self.s.classes.prvalues.call(key, ctype.result, values, span)
        chosen = Convert(span, ULONG, pointer, explicit=True)
        return self.s.classes.prvalues.call(self._pointer_chooser(ctype), ctype.result, (chosen, *values), span)

    def _number(self, function: FunctionName) -> int:
        """Return the number that represents a function in pointers."""
        mark = [] if function.key in self.s.linkage.agreed_keys else [self.s.linkage.mark]
        return number_of(function.shown, str(may_throw(function.type)), *filter(None, mark))

    def _class_number(self, struct: Struct) -> int:
        """Return the number that represents a class in its objects."""
        mark = [self.s.linkage.mark] if self.s.linkage.mark and self.s.linkage.is_private_type(struct) else []
        return number_of(str(struct), "class", *mark)

    def _pointer_chooser(self, ctype: FunctionType) -> str:
        """Return the key of the function that calls a function of this type by a pointer."""
        key = self.dispatchers.get(type_key(ctype))
        if key is None:
            private = bool(self.s.linkage.mark) and self.s.linkage.is_private_type(ctype)
            key = self.s.linkage.chooser_key(
                f"call_{identifier(str(ctype))}", self.s.linkage.spelled(ctype), private=private
            )
            self.dispatchers[type_key(ctype)] = key
            self.pointer_calls[key] = ctype
        return key

    def virtual_chooser(self, function: FunctionName) -> str:
        """Return the key of the function that calls the last overrider of a virtual function."""
        key = self.dispatchers.get(function)
        if key is None:
            name = f"{function.key}_virtual"
            key = self.s.linkage.chooser_key(name, function.key, private=function.key not in self.s.linkage.agreed_keys)
            self.dispatchers[function] = key
            self.virtual_calls[key] = function
        return key

    def deleting_chooser(self, destructor: FunctionName, *, rooted: bool) -> str:
        """Return the key of the function that destroys an object and frees its memory, whatever its class is.

        The memory begins where the whole object does, which may be before the base that has the destructor. It is
        freed by the `operator delete` of the object's class, or by `::delete` if `rooted` ([expr.delete]/9).
        """
        key = self.dispatchers.get(("delete", destructor, rooted))
        if key is None:
            name, private = f"{destructor.key}_deleting", destructor.key not in self.s.linkage.agreed_keys
            key = self.s.linkage.chooser_key(name, f"{'::' * rooted}delete {destructor.key}", private=private)
            self.dispatchers["delete", destructor, rooted] = key
            self.virtual_deletes[key] = VirtualDelete(destructor, rooted)
        return key

    def _open_choices(self) -> None:
        """Make the functions that choose among what other files may call, too."""
        for function in list(self.addressed):
            self._pointer_chooser(function.type)
        for info in list(self.s.structs.classes.values()):
            for function in info.virtual if info.polymorphic else ():
                if "__device__" in function.words:
                    self.s.calls.functions.result_of(function, function.span)
                    self.virtual_chooser(function)
                    if function.name.startswith("~"):
                        self.deleting_chooser(function, rooted=False)
                        self.deleting_chooser(function, rooted=True)

    # ----------------------------------------------------------------------------------- virtual functions

    def set_vptr(self, info: ClassInfo, place: Place, span: Span) -> Expr:
        """Return what stores the number of a class in an object that is being made."""
        number = self._class_number(info.struct)
        stores: list[Expr] = [
            Assign(span, ULONG, holder, Constant(span, ULONG, number)) for holder in self._vptrs(place, span)
        ]
        return reduce(lambda first, then: Comma(span, ULONG, first, then), stores)

    def _vptrs(self, place: Place, span: Span) -> Iterator[Member]:
        """Yield the members that hold the number of an object's class: one for each base that needs its own."""
        struct = place.type
        assert isinstance(struct, Struct)
        found = struct.field(VPTR)
        if found is not None:
            yield Member(span, ULONG, copied(place), VPTR, found.offset)
        for base in self.s.structs.classes[struct].bases:
            if self.s.structs.classes[base.struct].polymorphic:
                yield from self._vptrs(Member(span, base.struct, copied(place), base.field, base.offset), span)

    def call_virtual(
        self, function: FunctionName, this: Expr, args: list[Argument], span: Span, *, right_first: bool = False
    ) -> Expr | Place:
        """Return the call of whatever overrides a virtual function in the class of the object.

        `right_first` as in `call_with`.
        """
        functions = self.s.calls.functions
        functions.use(function, span)
        chooser = self.virtual_chooser(function)
        return functions.call_with(function, [this], args, span, chooser=chooser, right_first=right_first)

    def call_virtual_destructor(self, destructor: FunctionName, object: Place, span: Span) -> Expr:
        """Return what destroys an object, whatever its class is."""
        if "=default" not in destructor.words:
            self.s.calls.functions.use(destructor, span)
        this = self.s.expr.conversions.cast(self.s.expr.pointers.address(object, span), destructor.this_type, span)
        return Call(span, VOID, self.virtual_chooser(destructor), (this,))

    # ------------------------------------------------------------------------------------------ at the end

    def make_dispatchers(self) -> None:
        """Make the functions that choose, now that all functions and classes are known."""
        done: dict[str, int] = {}
        while True:
            self.s.statements.bodies.drain()
            if self.s.linkage.mark:
                self._open_choices()
            todo = {key: len(self.addressed) for key in self.pointer_calls}
            todo |= {key: len(self.s.structs.classes) for key in (*self.virtual_calls, *self.virtual_deletes)}
            if todo == done:
                return
            done = todo
            for key, ctype in list(self.pointer_calls.items()):
                self.s.functions.checked[key] = self._choose_pointer(key, ctype)
            for key, function in list(self.virtual_calls.items()):
                self.s.functions.checked[key] = self._choose_virtual(key, function)
            for key, deleted in list(self.virtual_deletes.items()):
                self.s.functions.checked[key] = self._choose_virtual(key, deleted.destructor, deleted)

    def _choose_pointer(self, key: str, ctype: FunctionType) -> Function:
        pointer = Variable("function", ULONG, NOWHERE, "param")
        made, result = self._result(ctype.result)
        params = self._passed_params(ctype.params)
        sections: list[Section] = []
        pointed = may_throw(ctype)
        for function in self.addressed:
            own = may_throw(function.type)
            if self._leads_to(pointed, own):
                values = list(map(_read, params))
                if type_key(own) != type_key(pointed):
                    values[0] = self.s.expr.conversions.cast(values[0], own.params[0], NOWHERE)
                call = Call(NOWHERE, result, function.key, (*map(_read, made), *values))
                sections.append(Section(NOWHERE, (self._number(function),), _returning(call)))
        body = self._switch(_read(pointer), sections, result)
        return Function(key, NOWHERE, "device", (*made, pointer, *params), result, body, shown=str(ctype))

    def _result(self, result: CType) -> tuple[list[Variable], CType]:
        """Return the parameter that holds the address of a result, if a function makes it there; what is returned."""
        made, returned = self.s.classes.prvalues.returned_types(result)
        return [Variable("result", ctype, NOWHERE, "param") for ctype in made], returned

    def _passed_params(self, params: Sequence[CType]) -> tuple[Variable, ...]:
        passed = map(self.s.classes.prvalues.passed_type, params)
        return tuple(Variable(f"a{i}", param, NOWHERE, "param") for i, param in enumerate(passed))

    def _leads_to(self, pointed: FunctionType, function: FunctionType) -> bool:
        """Whether a pointer to functions of a type may hold one of another: of a base's method, which it was given."""
        if type_key(pointed) == type_key(function):
            return True
        match pointed.params[:1], function.params[:1]:
            case [Pointer(target=Struct() as owner, const=const)], [Pointer(target=Struct() as base, const=same)]:
                if const != same or owner is base or self.s.classes.members.base_path(owner, base) is None:
                    return False
                (result, params), (same_result, others) = signature_of(pointed), signature_of(function)
                without_first = function_type(result, params[1:]), function_type(same_result, others[1:])
                return type_key(without_first[0]) == type_key(without_first[1])
        return False

    def _choose_virtual(self, key: str, function: FunctionName, deleted: VirtualDelete | None = None) -> Function:
        assert function.owner is not None and function.result is not None
        made, result = self._result(function.result.stored)
        this = Variable("self", function.this_type, NOWHERE, "param")
        params = self._passed_params([param.qualified.stored for param in function.params])
        sections: list[Section] = []
        for struct, info in list(self.s.structs.classes.items()):
            if not info.polymorphic or self.s.classes.members.base_path(struct, function.owner) is None:
                continue
            target = next((one for one in info.virtual if one is function or overrides(one, function)), None)
            if target is None or target.owner is None or is_pure(target, struct) or HOST_ONLY in target.words:
                continue
            if target.node is None and function.name.startswith("~") is False:
                self.s.templates.outside.find(target)
            call = self._overrider(target, struct, function, this, (*made, this, *params), result)
            chosen = _returning(call)
            if deleted is not None:
                whole = self.s.expr.conversions.cast(_read(this), Pointer(struct), NOWHERE)
                memory = self.s.expr.conversions.convert(whole, Pointer(VOID))
                node = cxx.Delete(c_ast.ID("self", NOWHERE), False, NOWHERE, deleted.rooted)
                freed = Evaluate(NOWHERE, self.s.classes.allocation.free(struct, memory, node))
                chosen = Block(NOWHERE, (Evaluate(NOWHERE, call), freed, Return(NOWHERE, None)))
            sections.append(Section(NOWHERE, (self._class_number(struct),), chosen))
        place = Deref(NOWHERE, function.owner, _read(this))
        body = self._switch(Load(NOWHERE, ULONG, next(self._vptrs(place, NOWHERE))), sections, result)
        return Function(key, NOWHERE, "device", (*made, this, *params), result, body,
                        shown=f"{'delete' if deleted else 'virtual'} {function.shown}")  # fmt: skip

    def _overrider(
        self,
        target: FunctionName,
        struct: Struct,
        function: FunctionName,
        this: Variable,
        params: tuple[Variable, ...],
        result: CType,
    ) -> Expr:
        assert target.owner is not None
        pointer = target.this_type
        own = self.s.expr.conversions.cast(_read(this), pointer, NOWHERE)
        if target.name.startswith("~"):
            made = self.s.classes.implicit.made(self.s.structs.classes[struct], "destroy")
            assert made is not None
            whole = self.s.expr.conversions.cast(_read(this), Pointer(struct), NOWHERE)
            return Call(NOWHERE, VOID, made.key, (whole,))
        own_result = self.s.calls.functions.result_of(target, NOWHERE).stored
        call: Expr = Call(
            NOWHERE,
            self.s.classes.prvalues.returned_types(own_result)[1],
            self.s.calls.functions.use(target, NOWHERE),
            tuple(own if param is this else _read(param) for param in params),
        )
        return call if call.type == result else self.s.expr.conversions.cast(call, result, NOWHERE)

    def _switch(self, value: Expr, sections: list[Section], result: CType) -> Block:
        trap = BUILTINS["__trap"][0]
        last: list[Stmt] = [Evaluate(NOWHERE, BuiltinCall(NOWHERE, VOID, trap, ()))]
        if result is not VOID and not isinstance(result, Struct | Array):
            last.append(Return(NOWHERE, self.s.expr.initialisers.zero(result, NOWHERE)))
        elif isinstance(result, Struct):
            empty = Variable("nothing", result, NOWHERE, "local")
            last = [
                *last,
                Declare(NOWHERE, empty, None),
                Return(NOWHERE, Load(NOWHERE, result, VarRef(NOWHERE, result, empty))),
            ]
        unique = {section.labels: section for section in sections}
        default = Section(NOWHERE, (None,), Block(NOWHERE, tuple(last)))
        return Block(NOWHERE, (Switch(NOWHERE, value, (*unique.values(), default)),))


def _read(variable: Variable) -> Expr:
    return Load(NOWHERE, variable.type, VarRef(NOWHERE, variable.type, variable))


def _returning(call: Expr) -> Block:
    if call.type is VOID:
        return Block(NOWHERE, (Evaluate(NOWHERE, call), Return(NOWHERE, None)))
    return Block(NOWHERE, (Return(NOWHERE, call),))


def called_type(ctype: CType) -> FunctionType | None:
    """Return the type of the function that a value of type `ctype` calls: a function, or a pointer to one."""
    target = ctype.target if isinstance(ctype, Pointer) else ctype
    return target if isinstance(target, FunctionType) else None


def number_of(*words: str) -> int:
    """Return the number by which a running program knows a function or a class: 63 bits of its name, never 0."""
    digest = hashlib.sha256("\0".join(words).encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1 | 1
