"""Checking objects of classes: how they are made, copied, converted and destroyed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import BOOL, INT, VOID, Array, CType, Pointer, Struct
from ....lang.vectors import DIM3
from ....source import Span
from ....tree.nodes import (
    AddressOf,
    Assign,
    Binary,
    Block,
    Call,
    Comma,
    Constant,
    Convert,
    Decay,
    Declare,
    Evaluate,
    Expr,
    Increment,
    Index,
    Load,
    Loop,
    Place,
    Stmt,
    Temporary,
    Variable,
    VarRef,
)
from ....tree.rewrite import copied
from ....tree.value_category import is_xvalue
from ...parse import cxx
from ..argument import Argument
from ..class_info import VPTR, ClassInfo, FieldInfo, is_pure
from ..context import Part
from ..scopes import FunctionName, Functions, TemplateName


class Construction(Part):
    """The checker's part for objects of classes."""

    # -------------------------------------------------------------------------------------- what is needed

    def info(self, ctype: CType) -> ClassInfo | None:
        """Return what is known of a class, or of that of an array's elements; None for other types."""
        while isinstance(ctype, Array):
            ctype = ctype.element
        if not isinstance(ctype, Struct):
            return None
        self.s.classes.complete(ctype)
        return self.s.structs.classes.get(ctype)

    def parts_of(self, info: ClassInfo) -> Iterator[tuple[str, CType]]:
        """Yield the name and type of each base and member, in the order of their initialisation."""
        for base in info.bases:
            yield base.field, base.struct
        bases = {base.field for base in info.bases}
        for field in info.struct.fields or ():
            if field.name not in bases:
                yield field.name, field.type

    def needs_construction(self, ctype: CType) -> bool:
        """Whether an object without an initialiser is more than memory."""
        info = self.info(ctype)
        if info is None:
            return False
        if info.constructors is not None or info.polymorphic:
            return True
        return any(field.init is not None for field in info.fields.values()) or any(
            self.needs_construction(part) for _, part in self.parts_of(info)
        )

    def needs_initialiser(self, ctype: CType) -> bool:
        """Whether a const object without an initialiser would have a part without a value ([dcl.init.general]/8)."""
        info = self.info(ctype)
        if info is None:
            return not isinstance(ctype, Struct) or bool(ctype.fields)
        if info.constructors is not None:
            return False
        given = {VPTR, *(name for name, field in info.fields.items() if field.init is not None)}
        return any(name not in given and self.needs_initialiser(part) for name, part in self.parts_of(info))

    def is_class(self, target: Struct) -> bool:
        """Whether a constructor makes objects of this type, rather than a list of values."""
        return self.has_constructors(target)

    def has_constructors(self, ctype: CType) -> bool:
        info = self.info(ctype)
        return info is not None and info.constructors is not None

    def copy_constructor(self, info: ClassInfo) -> FunctionName | None:
        """Return the program's own copy constructor."""
        return self._own(info.constructors, info.struct)

    def copy_assignment(self, info: ClassInfo) -> FunctionName | None:
        entry = info.scope.names.get("operator=")
        return self._own(entry, info.struct) if isinstance(entry, Functions) else None

    def _own(self, functions: Functions | None, struct: Struct) -> FunctionName | None:
        """Return the one of `functions` that takes another object of its class by reference, and is no `= default`."""
        for function in functions.candidates if functions is not None else ():
            if isinstance(function, FunctionName) and function.params and "=default" not in function.words:
                first, *others = function.params
                if first.type is struct and all(other.default is not None for other in others):
                    return function
        return None

    def copies_trivially(self, ctype: CType, how: str = "copy") -> bool:
        """Whether to copy (or "assign") an object is to copy its bytes."""
        info = self.info(ctype)
        if info is None:
            return True
        return not self.s.classes.prvalues.holds_objects(ctype) and self.has_trivial(ctype, how)

    def has_trivial(self, ctype: CType, how: str) -> bool:
        """Whether the constructor that copies objects, or the operator that assigns them, is trivial ([class.copy])."""
        info = self.info(ctype)
        if info is None:
            return True
        own = self.copy_constructor(info) if how == "copy" else self.copy_assignment(info)
        if own is not None or info.polymorphic:
            return False
        return all(self.has_trivial(part, how) for _, part in self.parts_of(info))

    def needs_destruction(self, ctype: CType) -> bool:
        """Whether more than its memory ends with an object."""
        info = self.info(ctype)
        if info is None:
            return False
        if info.destructor is not None and "=default" not in info.destructor.words:
            return True
        if info.virtual_destructor is not None:
            return True
        return any(self.needs_destruction(part) for _, part in self.parts_of(info))

    # --------------------------------------------------------------------------------------- construction

    def construct(self, place: Place, args: list[Argument], span: Span, *, braced: bool = False) -> list[Stmt]:
        """Return what makes an object of a class, or an array of them, at `place`."""
        if isinstance(place.type, Array):
            return self._construct_elements(place, span)
        expr = self.construction_of(place, args, span, braced=braced)
        return [] if expr is None else [Evaluate(span, expr)]

    def _construct_elements(self, place: Place, span: Span) -> list[Stmt]:
        return self.for_elements(place, span, lambda element: self.construct(element, [], span))

    def for_elements(
        self, place: Place, span: Span, body: Callable[[Index], list[Stmt]], *, backwards: bool = False
    ) -> list[Stmt]:
        """Return a loop that does something to each element of an array, from the first or from the last."""
        assert isinstance(place.type, Array)
        counter = Variable("element", INT, span, "local")

        def read() -> Expr:
            return Load(span, INT, VarRef(span, INT, counter))

        element = place.type.element
        first = Decay(span, Pointer(element), copied(place))
        statements = self.s.statements.with_hidden(lambda: body(Index(span, element, first, read())))
        if not statements:
            return []
        first_index, last_index = (place.type.count - 1, 0) if backwards else (0, place.type.count - 1)
        start = Declare(span, counter, Constant(span, INT, first_index))
        test = Binary(span, BOOL, ">=" if backwards else "<=", read(), Constant(span, INT, last_index))
        step = Increment(span, INT, VarRef(span, INT, counter), -1 if backwards else 1, True)
        return [Loop(span, (start,), test, (step,), Block(span, tuple(statements)))]

    def construction_of(self, place: Place, args: list[Argument], span: Span, *, braced: bool = False) -> Expr | None:
        """Return what makes an object of a class at `place`; None where nothing is to be done."""
        struct = place.type
        assert isinstance(struct, Struct)
        self.s.types.records.require_complete(struct, span)
        info = self.s.structs.classes.get(struct)
        made = self._made_of_one(place, info, args, span)
        if made is not None:
            return made
        if info is None or info.constructors is None:
            return self.construct_plainly(place, args, span, braced=braced)
        candidates = list(info.constructors.candidates)
        if len(args) == 1 and (args[0].term is None or isinstance(args[0].term.type, Struct)):
            candidates += self.s.classes.implicit.constructors(info)
        if not candidates and info.name in info.host_members:
            self.s.classes.members.refuse_member(struct, info.name, span)
        function = self.s.calls.overloads.choose(str(struct), candidates, args, span, made=struct)
        assert isinstance(function, FunctionName)
        return self.constructed_by(function, place, info, args, span)

    def constructed_by(
        self, function: FunctionName, place: Place, info: ClassInfo, args: list[Argument], span: Span
    ) -> Expr | None:
        """Return what a constructor makes at `place`."""
        struct = info.struct
        self.s.templates.outside.find(function)
        if "=default" in function.words:
            return self._defaulted(place, function, args, span)
        self.s.calls.functions.require_usable(function, span)
        this = self.address_for_writing(place, span)
        if function.owner is not struct and function.owner is not None:
            return self.constructor_call(self.s.classes.inherited.function(info, function), this, args, span)
        return self.constructor_call(function, this, args, span)

    def _made_of_one(self, place: Place, info: ClassInfo | None, args: list[Argument], span: Span) -> Expr | None:
        """Return what makes an object of one argument that needs no constructor of the program; None for others.

        A prvalue of the class makes the object itself ([dcl.init.general]/16.6.1). So does one that a conversion
        function returns, as in g++ and clang++ (CWG 2327).
        """
        struct = place.type
        assert isinstance(struct, Struct)
        if len(args) != 1 or args[0].term is None:
            return None
        term = args[0].term
        if term.type is struct and not (isinstance(term, Place) and not isinstance(term, Temporary)):
            return self.s.classes.prvalues.initialised(place, self.s.expr.load(term), span)
        if self.is_kind_of(term.type, struct):
            if isinstance(term, Place) and (info is None or not self._may_choose(info)):
                return self.copy(place, self.s.classes.members.as_base(term, struct, span), span)
            return None
        value = self.s.classes.conversions.converted_object(args[0], struct, span)
        return None if value is None else self.s.classes.prvalues.initialised(place, value, span)

    def _may_choose(self, info: ClassInfo) -> bool:
        """Whether another constructor than an implicit one may take an object of the class."""
        candidates = info.constructors.candidates if info.constructors is not None else []
        return self.copy_constructor(info) is not None or any(isinstance(one, TemplateName) for one in candidates)

    def _defaulted(self, place: Place, function: FunctionName, args: list[Argument], span: Span) -> Expr | None:
        """Return what a constructor does that the compiler makes: without arguments, or out of another object."""
        if not args:
            return self.default_construction(place, span)
        term, struct = args[0].term, place.type
        assert isinstance(struct, Struct)
        if isinstance(term, Place) and self.is_kind_of(term.type, struct):
            source = self.s.classes.members.as_base(self.s.classes.prvalues.as_place(term), struct, span)
            return self.member_copy(place, source, span, moved=function.params[0].reference == "&&")
        value = self.s.calls.arguments.converted(args[0], struct, "in an initialiser")
        return self.s.classes.prvalues.initialised(place, value, span)

    def constructor_call(self, function: FunctionName, this: Expr, args: list[Argument], span: Span) -> Expr:
        """Return the call of a constructor for the object at `this`."""
        made = self.s.calls.functions.call_with(function, [this], args, span)
        assert not isinstance(made, Place)
        return made

    def is_kind_of(self, ctype: CType, struct: Struct) -> bool:
        return isinstance(ctype, Struct) and self.s.classes.members.base_path(ctype, struct) is not None

    def construct_plainly(self, place: Place, args: list[Argument], span: Span, *, braced: bool) -> Expr | None:
        made = self.s.half.pair_construction(place, args, span)
        if made is not None:
            return made
        if not args:
            return self.default_construction(place, span)
        match args:
            case [Argument(term=term)] if term is not None and isinstance(term.type, Struct):
                converted = self.s.classes.conversions.user_conversion(self.s.expr.load(term), place.type, span)
                if converted is not None:
                    return self.s.classes.prvalues.initialised(place, converted, span)
        note = Note(place.type.span, f"'{place.type}' is declared here") if isinstance(place.type, Struct) else None
        help = "write '{...}' to initialise its members"
        self.fail(span, f"'{place.type}' has no constructor that takes arguments", *([note] if note else []), help=help)

    def require_concrete(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype` is a class of which there can be no objects: a function of it is pure."""
        info = self.info(ctype)
        pure = next((one for one in info.virtual if is_pure(one, info.struct)), None) if info is not None else None
        if pure is not None:
            note = Note(pure.span, f"'{pure.shown}' is declared here")
            self.fail(span, f"'{ctype}' is abstract: nothing defines its function '{pure.name}'", note)

    def require_default(self, ctype: CType, span: Span) -> None:
        """Fail if an object without an initialiser would have a reference or a constant without a value."""
        info = self.info(ctype)
        if info is None or info.constructors is not None:
            return
        for name, field in info.fields.items():
            self.require_first_value(name, field, span, f"the members of '{info.struct}' need values")

    def require_first_value(self, name: str, field: FieldInfo, span: Span, why: str) -> None:
        """Fail if a member that nothing initialises has to be."""
        declared = field.type
        needed = declared.reference or (declared.const and not isinstance(declared.type, Struct | Array))
        if needed and field.init is None:
            word = "a reference" if declared.reference else "const"
            note = Note(field.span, f"'{name}' is declared here")
            self.fail(span, f"{why}: '{name}' is {word}", note)

    def default_construction(self, place: Place, span: Span) -> Expr | None:
        """Return what the constructor without parameters does that the compiler makes."""
        struct = place.type
        assert isinstance(struct, Struct)
        info = self.s.structs.classes.get(struct)
        if info is None or not (
            self.needs_construction(struct) or any(field.init is not None for field in info.fields.values())
        ):
            return None
        function = self.s.classes.implicit.made(info, "construct")
        return Call(span, VOID, function.key, (self.address_for_writing(place, span),)) if function else None

    def address_for_writing(self, place: Place, span: Span) -> Expr:
        """Return the address of an object that is being made, const or not."""
        return AddressOf(span, Pointer(place.type), copied(place))

    def source_address(self, source: Place, span: Span, *, moved: bool = False) -> Expr:
        """Return the address of an object that is copied or moved."""
        return self.s.expr.pointers.pointer_as(
            self.s.expr.pointers.address(source, span), Pointer(source.type, const=not moved)
        )

    def copy(self, place: Place, source: Place, span: Span) -> Expr:
        """Return what makes `place` a copy of `source`, out of which an xvalue is moved."""
        struct = place.type
        assert isinstance(struct, Struct)
        if self.copies_trivially(struct) or self.copy_constructor(self.s.structs.classes[struct]) is None:
            return self.member_copy(place, source, span)
        made = self.construction_of(place, [self.object_argument(source)], span)
        assert made is not None
        return made

    def object_argument(self, source: Place) -> Argument:
        return Argument(c_ast.ID("other", source.span), source)

    def member_copy(self, place: Place, source: Place, span: Span, *, moved: bool | None = None) -> Expr:
        """Return what copies or moves an object as a constructor does that the compiler makes."""
        struct = place.type
        assert isinstance(struct, Struct)
        source = self.s.classes.members.as_base(source, struct, span)
        if self.copies_trivially(struct):
            self.s.types.require_copyable(struct, source.span)
            return Assign(span, struct, copied(place), self.s.expr.load(source))
        info = self.s.structs.classes[struct]
        if moved is None:
            moved = self.moves_from(source, info, info.name)
        function = self.s.classes.implicit.made(info, "move" if moved else "copy")
        assert function is not None
        self.s.calls.functions.require_usable(function, span)
        to, origin = self.address_for_writing(place, span), self.source_address(source, span, moved=moved)
        return Call(span, VOID, self.s.calls.functions.use(function, span), (to, origin))

    def moves_from(self, source: Place, info: ClassInfo, name: str) -> bool:
        """Whether the compiler's own constructor or assignment of a class moves `source`: it is no const object."""
        const = self.s.classes.conversions.is_const_place(source)
        return is_xvalue(source) and not const and self.is_moved(info, name)

    def is_moved(self, info: ClassInfo, name: str) -> bool:
        """Whether the compiler makes the function of a class that moves members: a constructor, or `operator=`.

        It does so where that is defaulted, and where the class neither copies nor destroys objects itself.
        """
        if any(
            self._is_defaulted_move(one) and (one.name == "operator=") == (name == "operator=")
            for one in self.copying(info)
        ):
            return True
        return info.destructor is None and not self.copying(info)

    def copying(self, info: ClassInfo) -> list[FunctionName]:
        """Return the constructors and assignments of a class that take another object of it by reference."""
        assigning = info.scope.names.get("operator=")
        known = [info.constructors, assigning if isinstance(assigning, Functions) else None]
        return [
            one
            for functions in known
            for one in (functions.candidates if functions is not None else ())
            if isinstance(one, FunctionName) and one.params and one.params[0].type is info.struct
        ]

    def _is_defaulted_move(self, function: FunctionName) -> bool:
        return "=default" in function.words and function.params[0].reference == "&&"

    def object_value(
        self,
        struct: Struct,
        args: list[Argument],
        span: Span,
        *,
        braced: bool = False,
        chosen: FunctionName | None = None,
    ) -> Expr:
        """Return a new object of a class as a value. `chosen`: the constructor, where it is known."""
        match args:
            case [Argument(term=Temporary(type=ctype, value=value))] if ctype is struct:
                return value
        self.s.types.records.require_complete(struct, span)
        self.require_concrete(struct, span)
        self.s.types.require_copyable(struct, span)
        if struct == DIM3 and len(args) <= 3:
            return self.s.expr.conversions.dim3([self.s.calls.builtins.bind_value(arg) for arg in args], span)
        place = self.s.expr.objects.hidden_variable(struct, span)
        if not args and self.zeroes_first(struct):
            self.s.classes.temporaries.destroy_later(place, span)
            return self.zeroed(place, span)
        info = self.info(struct) if chosen is not None else None
        if chosen is not None and info is not None:
            made = self.constructed_by(chosen, place, info, args, span)
        else:
            made = self.construction_of(place, args, span, braced=braced)
        return self.s.classes.prvalues.prvalue(place, made, span)

    def zeroes_first(self, struct: Struct) -> bool:
        """Whether `T()` and `T{}` are zeros before anything else: no constructor without parameters is written."""
        info = self.info(struct)
        if info is None or info.constructors is None:
            return True
        return any(
            isinstance(one, FunctionName) and not one.params and "=default" in one.words
            for one in info.constructors.candidates
        )

    def zeroed(self, place: VarRef, span: Span) -> Expr:
        """Return `T()` of a class that `zeroes_first`: zeros, and what its members' initialisers say."""
        struct = place.type
        result: Expr = Load(span, struct, place)
        made = self.default_construction(place, span)
        if made is not None:
            result = Comma(span, struct, made, result)
        for store in reversed(self.s.expr.objects.stores(VarRef(span, struct, place.variable), [], span)):
            result = Comma(span, struct, store, result)
        return result

    def construction(self, node: cxx.Construct) -> Expr | Place:
        """Check `T(a, b)`."""
        span = node.coord
        target = self.s.templates.functions.made_type(node.type, node.args, span).type
        if isinstance(target, Struct):
            return self.object_value(target, self.s.calls.arguments.arguments(node.args), span)
        if not node.args:
            if target is VOID:
                return Convert(span, VOID, Constant(span, INT, 0), explicit=True)
            return self.s.expr.initialisers.zero(target, span)
        nodes = self.s.templates.packs.spread_nodes(node.args)
        if not nodes:
            return self.s.expr.initialisers.zero(target, span)
        if len(nodes) > 1:
            self.fail(span, f"'{target}' is no class: it is made of one value")
        return self.s.expr.operators.cast_expression(c_ast.Cast(node.type, nodes[0], span))

    # --------------------------------------------------------------------------------------- destruction

    def require_destructor(self, ctype: CType, span: Span) -> None:
        """Fail if the destructor of a class, or of an array's elements, is deleted or only the host's."""
        while isinstance(ctype, Array):
            ctype = ctype.element
        info = self.info(ctype)
        if info is not None and info.destructor is not None:
            self.s.calls.functions.require_usable(info.destructor, span)

    def destruction(self, place: Place, span: Span) -> list[Stmt]:
        """Return what destroys the object, or the array of objects, at `place`."""
        if not self.needs_destruction(place.type):
            return []
        if isinstance(place.type, Array):
            return self.for_elements(place, span, lambda element: self.destruction(element, span), backwards=True)
        info = self.info(place.type)
        assert info is not None
        self.require_destructor(place.type, span)
        function = self.s.classes.implicit.made(info, "destroy")
        assert function is not None
        return [Evaluate(span, Call(span, VOID, function.key, (self.address_for_writing(place, span),)))]

    def destruction_of(self, place: Place, span: Span) -> Expr | None:
        """Return what destroys an object; None where nothing is to be done."""
        found = self.destruction(place, span)
        if not found:
            return None
        only = found[0]
        assert isinstance(only, Evaluate)
        return only.expr
