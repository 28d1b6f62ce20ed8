"""Checking objects of classes: how they are made, copied, converted and destroyed."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from pycparser import c_ast

from ...diag import Note
from ...lang.ctype import BOOL, INT, UCHAR, VOID, Array, BitField, CType, FunctionType, Pointer, Struct, is_scalar
from ...lang.vectors import DIM3
from ...source import NOWHERE, Span
from ...tree.nodes import (
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
    Deref,
    Evaluate,
    Expr,
    Function,
    Increment,
    Index,
    Load,
    Loop,
    Member,
    Place,
    PointerAdd,
    Stmt,
    Temporary,
    Variable,
    VarRef,
)
from ...tree.rewrite import copied
from .. import cxx
from ..words import Node
from .argument import Argument
from .class_info import VPTR, ClassInfo, FieldInfo
from .initialisers import Initialisers
from .scopes import (
    FunctionName,
    Functions,
    Qualified,
    TemplateName,
)


class Objects(Initialisers):
    """The checker's part for objects of classes."""

    # -------------------------------------------------------------------------------------- what is needed

    def info(self, ctype: CType) -> ClassInfo | None:
        """Return what is known of a class, or of that of an array's elements; None for other types."""
        while isinstance(ctype, Array):
            ctype = ctype.element
        if not isinstance(ctype, Struct):
            return None
        self.complete(ctype)
        return self.classes.get(ctype)

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

    def is_class(self, target: Struct) -> bool:
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
        own = self.copy_constructor(info) if how == "copy" else self.copy_assignment(info)
        return own is None and all(self.copies_trivially(part, how) for _, part in self.parts_of(info))

    def needs_destruction(self, ctype: CType) -> bool:
        info = self.info(ctype)
        if info is None:
            return False
        if info.destructor is not None and "=default" not in info.destructor.words:
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
        statements = body(Index(span, element, first, read()))
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
        self.require_complete(struct, span)
        info = self.classes.get(struct)
        match args:
            case [Argument(term=Temporary(type=ctype, value=value))] if ctype is struct:
                return Assign(span, struct, copied(place), self.taken(value))
            case [Argument(term=term)] if isinstance(term, Place) and self.is_kind_of(term.type, struct):
                if info is None or self.copy_constructor(info) is None:
                    return self.copy(place, self.as_base(term, struct, span), span)
        if info is None or info.constructors is None:
            return self.construct_plainly(place, args, span, braced=braced)
        function = self.choose(str(struct), info.constructors.candidates, args, span)
        assert isinstance(function, FunctionName)
        if "=default" in function.words:
            return self.default_construction(place, span) if not args else None
        self.require_usable(function, span)
        this = self.address_for_writing(place, span)
        if function.owner is not struct and function.owner is not None:
            return self._inherited(place, info, function, args, span)
        return self.constructor_call(function, this, args, span)

    def constructor_call(self, function: FunctionName, this: Expr, args: list[Argument], span: Span) -> Expr:
        made = self.call_with(function, [this], args, span)
        assert not isinstance(made, Place)
        return made

    def _inherited(
        self, place: Place, info: ClassInfo, function: FunctionName, args: list[Argument], span: Span
    ) -> Expr:
        """Return what an inherited constructor does: it makes the base, and the members as they are declared."""
        assert function.owner is not None
        this = self.address_for_writing(self.as_base(copied(place), function.owner, span), span)
        made = self.call_with(function, [this], args, span)
        result: Expr = self.load(made)
        path = self.base_path(info.struct, function.owner) or []
        done = {base.field for base in info.bases if base.struct is path[0]}
        whole, self.being_made = self.being_made, place
        with self.instead((*info.scopes, info.scope)):
            statements = self.construct_members(info, place, {}, span, done)
        self.being_made = whole
        for statement in statements:
            if not isinstance(statement, Evaluate):
                self.fail(span, f"an inherited constructor of '{info.struct}' is not supported", help="write it out")
            result = Comma(span, statement.expr.type, result, statement.expr)
        return result

    def is_kind_of(self, ctype: CType, struct: Struct) -> bool:
        return isinstance(ctype, Struct) and self.base_path(ctype, struct) is not None

    def construct_plainly(self, place: Place, args: list[Argument], span: Span, *, braced: bool) -> Expr | None:
        if not args:
            return self.default_construction(place, span)
        note = Note(place.type.span, f"'{place.type}' is declared here") if isinstance(place.type, Struct) else None
        help = "write '{...}' to initialise its members"
        self.fail(span, f"'{place.type}' has no constructor that takes arguments", *([note] if note else []), help=help)

    def require_concrete(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype` is a class of which there can be no objects: a function of it is pure."""
        info = self.info(ctype)
        pure = next((one for one in info.virtual if "=0" in one.words), None) if info is not None else None
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
        info = self.classes.get(struct)
        if info is None or not (
            self.needs_construction(struct) or any(field.init is not None for field in info.fields.values())
        ):
            return None
        function = self.made(info, "construct")
        return Call(span, VOID, function.key, (self.address_for_writing(place, span),)) if function else None

    def address_for_writing(self, place: Place, span: Span) -> Expr:
        """Return the address of an object that is being made, const or not."""
        return AddressOf(span, Pointer(place.type), copied(place))

    def source_address(self, source: Place, span: Span) -> Expr:
        """Return the address of an object that is copied."""
        return self.pointer_as(self.address(source, span), Pointer(source.type, const=True))

    def copy(self, place: Place, source: Place, span: Span) -> Expr:
        """Return what makes `place` a copy of `source`."""
        struct = place.type
        assert isinstance(struct, Struct)
        if self.copies_trivially(struct):
            self.require_copyable(struct, source.span)
            return Assign(span, struct, copied(place), Load(span, struct, source))
        info = self.classes[struct]
        function = self.copy_constructor(info) or self.made(info, "copy")
        assert function is not None
        self.require_usable(function, span)
        return Call(
            span,
            VOID,
            self.use(function, span),
            (self.address_for_writing(place, span), self.source_address(source, span)),
        )

    def own_copy(self, expr: Expr) -> Expr:
        """Return the value for a new object: what another object holds is copied as its class wants."""
        if not isinstance(expr, Load) or isinstance(expr.place, Temporary) or self.copies_trivially(expr.type):
            return expr
        place = self.hidden_variable(expr.type, expr.span)
        return Comma(expr.span, expr.type, self.copy(place, expr.place, expr.span), Load(expr.span, expr.type, place))

    def object_value(self, struct: Struct, args: list[Argument], span: Span, *, braced: bool = False) -> Expr:
        """Return a new object of a class as a value."""
        match args:
            case [Argument(term=Temporary(type=ctype, value=value))] if ctype is struct:
                return value
        self.require_complete(struct, span)
        self.require_concrete(struct, span)
        self.require_copyable(struct, span)
        if struct == DIM3 and len(args) <= 3:
            return self.dim3([self.bind_value(arg) for arg in args], span)
        place = self.hidden_variable(struct, span)
        if not args and not self.has_constructors(struct):
            return self.zeroed(place, span)
        made = self.construction_of(place, args, span, braced=braced)
        value = Load(span, struct, place)
        self.destroy_later(place, span)
        return value if made is None else Comma(span, struct, made, value)

    def zeroed(self, place: VarRef, span: Span) -> Expr:
        """`T()` of a class without constructors: zeros, and what its members' initialisers say."""
        struct = place.type
        result: Expr = Load(span, struct, place)
        made = self.default_construction(place, span)
        if made is not None:
            result = Comma(span, struct, made, result)
        for store in reversed(self.stores(VarRef(span, struct, place.variable), [], span)):
            result = Comma(span, struct, store, result)
        return result

    def construction(self, node: cxx.Construct) -> Expr | Place:
        target = self.qualified(node.type)
        span = node.coord
        if isinstance(target.type, Struct):
            return self.object_value(target.type, self.arguments(node.args), span)
        if not node.args:
            if target.type is VOID:
                return Convert(span, VOID, Constant(span, INT, 0), explicit=True)
            return self.zero(target.type, span)
        if len(node.args) > 1:
            self.fail(span, f"'{target.type}' is no class: it is made of one value")
        return self.cast_expression(c_ast.Cast(node.type, node.args[0], span))

    # --------------------------------------------------------------------------------------- destruction

    def destruction(self, place: Place, span: Span) -> list[Stmt]:
        """Return what destroys the object, or the array of objects, at `place`."""
        if not self.needs_destruction(place.type):
            return []
        if isinstance(place.type, Array):
            return self.for_elements(place, span, lambda element: self.destruction(element, span), backwards=True)
        info = self.info(place.type)
        assert info is not None
        function = self.made(info, "destroy")
        assert function is not None
        return [Evaluate(span, Call(span, VOID, function.key, (self.address_for_writing(place, span),)))]

    def destruction_of(self, place: Place, span: Span) -> Expr | None:
        found = self.destruction(place, span)
        if not found:
            return None
        only = found[0]
        assert isinstance(only, Evaluate)
        return only.expr

    # ------------------------------------------------------------------------- functions the compiler makes

    def made(self, info: ClassInfo, what: str) -> FunctionName | None:
        """Return the function that the compiler makes: "construct", "copy", "assign" or "destroy"."""
        if what in info.made:
            return info.made[what]
        struct = info.struct
        key = self.unique_key(f"{struct.tag}_{what}")
        this = Variable("self", Pointer(struct), struct.span, "param")
        other = Variable("other", Pointer(struct, const=True), struct.span, "param")
        params = (this,) if what in ("construct", "destroy") else (this, other)
        function = FunctionName(struct.span, key, "device", (), Qualified(VOID), struct.span, key, key, info.scopes)
        info.made[what] = function
        with self.instead((*info.scopes, info.scope)), self.a_body(function):
            place = Deref(struct.span, struct, Load(struct.span, this.type, VarRef(struct.span, this.type, this)))
            source = Deref(struct.span, struct, Load(struct.span, other.type, VarRef(struct.span, other.type, other)))
            match what:
                case "construct":
                    body = self.construct_members(info, place, {}, struct.span)
                case "destroy":
                    body = self.destroy_members(info, place, struct.span)
                case _:
                    body = self._copy_members(info, place, source, what)
        self.functions[key] = Function(
            key, struct.span, "device", params, VOID, Block(struct.span, tuple(body)), shown=f"{struct}::{what}"
        )
        self.only_checked.add(key)
        return function

    def member_place(self, place: Place, name: str, span: Span) -> Place:
        struct = place.type
        assert isinstance(struct, Struct)
        member: Place = copied(place)
        for part in struct.path(name):
            bits = part if isinstance(part, BitField) else None
            member = Member(span, part.type, member, part.name, part.offset, bits)
        return member

    def construct_members(
        self,
        info: ClassInfo,
        place: Place,
        given: dict[str, cxx.MemberInit],
        span: Span,
        done: Container[str] = (),
    ) -> list[Stmt]:
        """Return what initialises the bases and members of the object at `place`, in the order of their declaration."""
        result: list[Stmt] = []
        bases = {base.field for base in info.bases}
        ordered = sorted(self.parts_of(info), key=lambda part: part[0] not in bases)
        for name, ctype in ordered:
            if name == VPTR or name in done:
                continue
            if not name:  # of a struct or union without a name, what is initialised
                assert isinstance(ctype, Struct)
                for inner in [one for one in ctype.member_names() if one in given]:
                    result += self.initialise_member(self.member_place(place, inner, span), None, given[inner].init)
                continue
            member = self.member_place(place, name, span)
            field = info.fields.get(name)
            init = given.get(name)
            if init is not None:
                result += self.initialise_member(member, field, init.init)
            elif field is not None and field.init is not None:
                result += self.initialise_member(member, field, field.init)
            elif self.needs_construction(ctype):
                result += self.construct(member, [], span)
            elif field is not None:
                self.require_first_value(name, field, span, f"a constructor of '{info.struct}' leaves out a member")
        if info.polymorphic:
            result.append(Evaluate(span, self.set_vptr(info, place, span)))
        return result

    def initialise_member(self, member: Place, field: object, init: Node) -> list[Stmt]:
        """Return what an initialiser of a member does: `m(a, b)`, `m{...}`, `m = a`."""
        span = init.coord
        reference = getattr(getattr(field, "type", None), "reference", "")
        if reference:
            nodes = init.exprs if isinstance(init, cxx.Arguments | c_ast.InitList) else [init]
            if len(nodes) != 1:
                self.fail(span, "a reference needs one object")
            target: Qualified = field.type  # type: ignore[attr-defined]
            address = self.bind(self.argument_of(nodes[0]), target, "in an initialiser")
            return [Evaluate(span, Assign(span, member.type, member, address))]
        return self.initialise(member, init, span)

    def initialise(self, place: Place, init: Node, span: Span) -> list[Stmt]:
        """Return what gives the object at `place` its first value."""
        ctype = place.type
        if isinstance(init, cxx.Arguments) and not isinstance(ctype, Struct):
            return self.initialise(place, self.only_argument(init, ctype), span) if init.exprs else self._zeros(place)
        if isinstance(ctype, Struct):
            return self._initialise_object(place, init, span)
        if isinstance(ctype, Array):
            if isinstance(init, c_ast.InitList) and self.needs_construction(ctype.element):
                return self._initialise_elements(place, init, span)
            leaves = self.initialiser(init, ctype, "in an initialiser")
            items = list(leaves.items) if hasattr(leaves, "items") else []
            return [Evaluate(span, store) for store in self.stores(place, items, span)]
        value = self.initialiser(init, ctype, "in an initialiser")
        assert not hasattr(value, "items")
        return [Evaluate(span, Assign(span, ctype, copied(place), value))]

    def _initialise_elements(self, place: Place, init: c_ast.InitList, span: Span) -> list[Stmt]:
        """Return what makes the objects of an array: those that the list gives, and the rest without arguments."""
        ctype = place.type
        assert isinstance(ctype, Array)
        nodes = self.spread_nodes(init.exprs)
        if len(nodes) > ctype.count:
            self.fail(nodes[ctype.count].coord, f"too many values for '{ctype}'")
        result: list[Stmt] = []
        for number in range(ctype.count):
            first = Decay(span, Pointer(ctype.element), copied(place))
            element = Index(span, ctype.element, first, Constant(span, INT, number))
            if number < len(nodes):
                result += self.initialise(element, nodes[number], span)
            elif isinstance(ctype.element, Array):
                result += self._initialise_elements(element, c_ast.InitList([], span), span)
            else:
                result += self.initialise(element, c_ast.InitList([], span), span)
        return result

    def _zeros(self, place: Place) -> list[Stmt]:
        return [Evaluate(place.span, store) for store in self.stores(place, [], place.span)]

    def only_argument(self, init: cxx.Arguments, ctype: CType) -> Node:
        if len(init.exprs) != 1:
            self.fail(init.coord, f"'{ctype}' is no class: it is made of one value")
        return init.exprs[0]

    def _initialise_object(self, place: Place, init: Node, span: Span) -> list[Stmt]:
        struct = place.type
        assert isinstance(struct, Struct)
        if isinstance(init, cxx.Arguments):
            args = self.arguments(init.exprs)
            if struct == DIM3:
                return [Evaluate(span, Assign(span, struct, copied(place), self.object_value(struct, args, span)))]
            if not args and not self.has_constructors(struct):
                return [*self._zeros(place), *self.construct(place, [], span)]
            return self.construct(place, args, span)
        if isinstance(init, c_ast.InitList):
            if self.has_constructors(struct):
                return self.construct(place, self.arguments(init.exprs), span, braced=True)
            made = self.same_object(init, struct)
            if made is not None:
                return self.construct(place, [made], span)
            if self.needs_construction(struct) and not init.exprs:
                return self.construct(place, [], span)
            whole, self.being_made = self.being_made, place
            leaves = self.braces(init, struct, 0)
            self.being_made = whole
            return [Evaluate(span, store) for store in self.stores(place, leaves, span)]
        value = self.initialiser(init, struct, "in an initialiser")
        if hasattr(value, "items"):
            return [Evaluate(span, store) for store in self.stores(place, list(value.items), span)]
        return [Evaluate(span, Assign(span, struct, copied(place), value))]

    def same_object(self, init: c_ast.InitList, struct: Struct) -> Argument | None:
        """Return the argument of `T x{y}`, where y is an object of class T."""
        if len(init.exprs) != 1 or isinstance(init.exprs[0], c_ast.InitList | c_ast.NamedInitializer):
            return None
        if not isinstance(init.exprs[0], c_ast.ID | c_ast.FuncCall | cxx.Construct | c_ast.UnaryOp | c_ast.ArrayRef):
            return None
        if not self.is_kind_of(self.type_of(init.exprs[0]).type, struct):
            return None
        return self.argument_of(init.exprs[0])

    def destroy_members(self, info: ClassInfo, place: Place, span: Span) -> list[Stmt]:
        """Return what destroys an object: its destructor's body, then its members and bases, last first."""
        result: list[Stmt] = []
        if info.destructor is not None and "=default" not in info.destructor.words:
            body = info.destructor
            result.append(
                Evaluate(span, Call(span, VOID, self.use(body, span), (self.address_for_writing(place, span),)))
            )
        bases = {base.field for base in info.bases}
        backwards = [*self.parts_of(info)][::-1]
        for name, _ in sorted(backwards, key=lambda part: part[0] in bases):
            result += self.destruction(self.member_place(place, name, span), span)
        return result

    def _copy_members(self, info: ClassInfo, place: Place, source: Place, what: str) -> list[Stmt]:
        span = place.span
        result: list[Stmt] = []
        for name, ctype in self.parts_of(info):
            to, origin = self.member_place(place, name, span), self.member_place(source, name, span)
            result += self._copy_part(to, origin, ctype, what, span)
        return result

    def _copy_part(self, to: Place, origin: Place, ctype: CType, what: str, span: Span) -> list[Stmt]:
        if isinstance(ctype, Array):
            counterpart = Decay(span, Pointer(ctype.element), origin)

            def one(element: Index) -> list[Stmt]:
                other = Index(span, element.type, copied(counterpart), copied(element.index))
                return self._copy_part(element, other, element.type, what, span)

            return self.for_elements(to, span, one)
        if isinstance(ctype, Struct) and not self.copies_trivially(ctype, what):
            expr = self.copy(to, origin, span) if what == "copy" else self.assign_object(to, origin, span)
            return [Evaluate(span, expr)]
        return [Evaluate(span, Assign(span, ctype, to, Load(span, ctype, origin)))]

    def assign_object(self, place: Place, source: Place, span: Span) -> Expr:
        """Return `place = source` for objects of one class, as the compiler makes it."""
        struct = place.type
        assert isinstance(struct, Struct)
        if self.copies_trivially(struct, "assign"):
            self.require_copyable(struct, source.span)
            return Assign(span, struct, place, Load(span, struct, source))
        info = self.classes[struct]
        function = self.copy_assignment(info) or self.made(info, "assign")
        assert function is not None
        self.require_usable(function, span)
        key = self.use(function, span)
        result = function.result.stored if function.result is not None else VOID
        return Call(span, result, key, (self.address_for_writing(place, span), self.source_address(source, span)))

    # --------------------------------------------------------------------------------------- conversions

    def user_conversion(self, expr: Expr, target: CType, span: Span) -> Expr | None:
        source = expr.type
        if isinstance(source, Struct) and isinstance(target, Struct) and self.base_path(source, target):
            place = expr.place if isinstance(expr, Load) else Temporary(span, source, expr)
            return self.own_copy(Load(span, target, self.as_base(place, target, span)))
        node = c_ast.ID("value", span)
        term: Expr | Place = expr.place if isinstance(expr, Load) else self.as_term(expr)
        if isinstance(target, Struct) and self._converting(term, target) is not None:
            return self.object_value(target, [Argument(node, term)], span)
        if isinstance(source, Struct):
            pointer = self.lambda_pointer(source, target, span)
            if pointer is not None:
                return pointer
            operator = self.conversion_operator(term, target)
            if operator is not None:
                return self.implicit_after(self.call_conversion(operator, term, span), target, span)
        return None

    def implicit_after(self, expr: Expr | Place, target: CType, span: Span) -> Expr:
        value = self.load(expr)
        return value if isinstance(target, Struct) else self.implicit(value, target, "in a conversion", span=span)

    def call_conversion(self, operator: FunctionName, term: Expr | Place, span: Span) -> Expr | Place:
        place = term if isinstance(term, Place) else Temporary(span, term.type, term)
        assert operator.owner is not None
        return self.call_with(operator, [self.object_address(place, operator.owner, span)], [], span)

    def lambda_pointer(self, source: Struct, target: CType, span: Span) -> Expr | None:
        """Return a pointer to a function that does what a lambda without captures does: the part for lambdas."""
        raise NotImplementedError

    def converts_by_user(self, term: Expr | Place, target: CType) -> bool:
        if isinstance(term.type, Struct) and isinstance(target, Pointer) and isinstance(target.target, FunctionType):
            info = self.classes.get(term.type)
            if info is not None and info.is_lambda and not term.type.fields:
                return True
        if isinstance(target, Struct) and self._converting(term, target) is not None:
            return True
        return isinstance(term.type, Struct) and self.conversion_operator(term, target) is not None

    def _converting(self, term: Expr | Place, target: Struct) -> FunctionName | None:
        """Return the constructor of `target` that makes an object of `term` where nobody asks for it."""
        info = self.info(target)
        if info is None or info.constructors is None or self.is_kind_of(term.type, target):
            return None
        arg = Argument(c_ast.ID("value", term.span), term)
        before, self.standard_only = self.standard_only, True
        try:
            found = self.viable([c for c in info.constructors.candidates if not _explicit(c)], [arg], None)
        finally:
            self.standard_only = before
        return next((c.function for c in found if isinstance(c.function, FunctionName)), None)

    def conversion_operator(self, term: Expr | Place, target: CType) -> FunctionName | None:
        """Return the conversion operator of an object's class that gives a `target`, or what becomes one."""
        assert isinstance(term.type, Struct)
        found = [f for f in self._conversions(term.type) if isinstance(f, FunctionName) and f.result is not None]
        const = self.is_const_place(term)
        usable = [f for f in found if f.const or not const]
        exact = [f for f in usable if f.result is not None and f.result.type == target]
        if exact:
            return exact[0]
        if is_scalar(target):
            near = [f for f in usable if f.result is not None and self._becomes(f.result.type, target)]
            if len(near) == 1 or (near and all(isinstance(f.result.type, Pointer) for f in near if f.result)):
                return near[0]
        return None

    def detour(self, term: Expr | Place, target: CType) -> int:
        operator = self.conversion_operator(term, target) if isinstance(term.type, Struct) else None
        if operator is None or operator.result is None or isinstance(target, Struct):
            return 0
        probe = Constant(term.span, operator.result.type, 1)
        rank = self.rank(Argument(c_ast.ID("value", term.span), probe), Qualified(target), user=False)
        return rank.kind if rank is not None else 0

    def _becomes(self, source: CType, target: CType) -> bool:
        probe = Constant(NOWHERE, source, 1)
        return self.rank(Argument(c_ast.ID("value", probe.span), probe), Qualified(target), user=False) is not None

    def _conversions(self, struct: Struct) -> Iterator[FunctionName | TemplateName]:
        info = self.info(struct)
        if info is not None:
            yield from info.conversions
            for base in info.bases:
                yield from self._conversions(base.struct)

    def to_number(self, expr: Expr) -> Expr:
        if not isinstance(expr.type, Struct):
            return expr
        found = [f for f in self._conversions(expr.type) if isinstance(f, FunctionName) and f.result is not None]
        usable = [f for f in found if "explicit" not in f.words and f.result is not None]
        numbers = [f for f in usable if f.result is not None and is_scalar(f.result.type)]
        if len(numbers) == 1:
            term: Expr | Place = expr.place if isinstance(expr, Load) else self.as_term(expr)
            return self.load(self.call_conversion(numbers[0], term, expr.span))
        return expr

    def fits_braces(self, node: Node, target: Struct) -> bool:
        self.complete(target)
        if not isinstance(node, c_ast.InitList):
            return False
        info = self.classes.get(target)
        if info is not None and info.constructors is not None:
            return bool(self.viable(info.constructors.candidates, self.arguments(node.exprs), None))
        return len(node.exprs) <= max(1, len(target.fields or ()))

    # ---------------------------------------------------------------------------------------------- helpers

    def is_const_place(self, term: Expr | Place) -> bool:
        from .conversions import place_type

        return isinstance(term, Place) and not isinstance(term, Temporary) and place_type(term, self.const_members)[0]

    def moved_pointer(self, expr: Expr, offset: int, target: Pointer) -> Expr:
        if not offset:
            return Convert(expr.span, target, expr, explicit=True)
        octets = Pointer(UCHAR, target.const, target.volatile)
        moved = PointerAdd(
            expr.span, octets, Convert(expr.span, octets, expr, explicit=True), Constant(expr.span, INT, offset)
        )
        return Convert(expr.span, target, moved, explicit=True)

    def cast_reference(self, term: Expr | Place, target: Qualified, span: Span) -> Expr | Place:
        if not isinstance(term, Place) or isinstance(term, Temporary):
            value = self.implicit(self.load(term), target.type, "in a cast", span=span)
            return self.as_term(value)
        if isinstance(term.type, Struct) and isinstance(target.type, Struct) and self.base_path(term.type, target.type):
            return self.as_base(term, target.type, span)
        address = self.address(term, span)
        pointer = self.cast(address, Pointer(target.type, target.const, target.volatile), span)
        place: Place = Deref(span, target.type, pointer)
        if target.type == term.type and target.const == self.is_const_place(term):
            place = term if not isinstance(term, Deref) else place  # the same object, in registers if it was there
        if target.reference == "&&":
            place = copied(place)
            self.xvalues.add(place)
        return place


def _explicit(candidate: FunctionName | TemplateName) -> bool:
    if isinstance(candidate, TemplateName):
        inner = candidate.node.declaration
        decl = inner.decl if isinstance(inner, cxx.Definition) else inner
        return "explicit" in getattr(decl, "funcspec", ())
    return "explicit" in candidate.words
