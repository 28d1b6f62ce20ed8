"""Checking lambdas: objects of classes that the compiler makes, whose members are what they capture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import VOID, Array, CType, FunctionType, Pointer, Struct, count_leaves
from ....lang.layout import Declared, lay_out
from ....source import Span
from ....tree.nodes import (
    AddressOf,
    Assign,
    Block,
    Call,
    Comma,
    Decay,
    Declare,
    Deref,
    Evaluate,
    Expr,
    Function,
    Load,
    Member,
    Place,
    Return,
    Variable,
    VarRef,
)
from ...parse import cxx
from ...parse.constraints import WithoutAuto, all_of
from ...parse.words import Node
from ..argument import Argument
from ..class_info import ClassInfo, FieldInfo
from ..context import Part, Sema
from ..expr.initialisers import parts
from ..qualified import Qualified, function_type, may_throw, signature_of, type_key
from ..scopes import FunctionName, Functions, MemberName, Name, PackName, Parameter, Scope, TemplateName, VariableName
from ..types.types import MOST_COPIED_SCALARS
from .captured_names import captured_names

CAPTURED_THIS = "captured_this"


class Lambdas(Part):
    """The checker's part for lambdas."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.lambda_count = 0

    def lambda_value(self, node: cxx.Lambda) -> Expr | Place:
        """Return the object that a lambda is: a hidden variable with what is captured stored in it."""
        span = node.coord
        captured = list(self._captures(node))
        struct = self.closure(node, [(name, declared) for name, declared, _ in captured])
        place = self.s.expr.objects.hidden_variable(struct, span)
        result = self.s.classes.prvalues.prvalue(place, None, span)
        for name, declared, value in reversed(captured):
            field = struct.field(name)
            assert field is not None
            member = Member(span, declared.stored, VarRef(span, struct, place.variable), name, field.offset)
            for store in reversed(self._stores(member, value)):
                result = Comma(span, struct, store, result)
        return result

    def closure(self, node: cxx.Lambda, captured: list[tuple[str, Qualified]]) -> Struct:
        """Return the class of a lambda, whose members are what it has captured: the same each time it is checked."""
        known = self.s.current.body.closures if self.s.current.bodies else {}
        where = (node, tuple(self.s.scopes.stack))
        if where not in known:
            known[where] = self._make_closure(node, captured)
        return known[where]

    def _make_closure(self, node: cxx.Lambda, captured: list[tuple[str, Qualified]]) -> Struct:
        span = node.coord
        self.lambda_count += 1
        struct = Struct(
            self.s.types.records.unique_tag(f"lambda_{self.lambda_count}"), span, shown=f"lambda at line {span.line}"
        )
        self.s.structs.homes[struct] = tuple(self.s.scopes.stack)
        placed = lay_out([Declared(name, one.stored, one.stored.align) for name, one in captured], False)
        size = -(-placed.size // placed.align) * placed.align
        struct.fields, struct.size, struct.align = placed.fields, max(size, 1), placed.align
        self.s.structs.all.append(struct)
        scope = Scope(kind="class", owner=struct, shown="lambda::")
        info = ClassInfo(struct, scope, tuple(self.s.scopes.stack), is_lambda=True)
        info.plain = all(not one.reference and self.s.classes.is_plain_type(one.type) for _, one in captured)
        info.empty, info.base_size = not captured, struct.size if info.plain else max(placed.size, 1)
        info.fields.update({name: FieldInfo(declared, span) for name, declared in captured})
        # A copy of what is const is const, also in a mutable lambda ([expr.prim.lambda.capture]).
        self.s.structs.const_members.update((struct, name) for name, one in captured if one.const and not one.reference)
        self.s.structs.classes[struct] = info
        self._add_call(info, node, [name for name, _ in captured])
        return struct

    def _captures(self, node: cxx.Lambda) -> Iterator[tuple[str, Qualified, Expr]]:
        """Yield the name, the type and the value of each member of a lambda's object."""
        seen: set[str] = set()
        for capture in node.captures:
            seen.add(capture.name)
            if capture.name in ("this", "*this"):
                yield self._capture_this(node.coord, by_value=capture.name == "*this")
            elif capture.init is not None:
                yield self._capture_value(capture.name, capture.init, capture.by_reference)
            else:
                yield from self._capture_name(capture.name, capture.span, by_reference=capture.by_reference)
        if not node.default:
            return
        for named in captured_names(node):
            name = named.name
            if name in seen:
                continue
            entry = self.s.scopes.lookup(name)
            if self._is_local(name, entry):
                if not named.evaluated:
                    continue
                seen.add(name)
                yield from self._capture_name(name, node.coord, by_reference=node.default == "&")
            elif self._belongs_to_this(name, entry) and not seen & {"this", "*this"} and self._has_this(node.coord):
                seen.add("this")
                yield self._capture_this(node.coord, by_value=False)

    def _has_this(self, span: Span) -> bool:
        return bool(self.s.current.bodies) and self.s.statements.bodies.this(span) is not None

    def _belongs_to_this(self, name: str, entry: Name | None) -> bool:
        if name == "this" or isinstance(entry, MemberName):
            return True
        return isinstance(entry, Functions) and any(c.owner is not None for c in entry.candidates)

    def _is_local(self, name: str, entry: Name | None) -> bool:
        """Whether a name is a variable of the function around, of which each thread has one."""
        if isinstance(entry, PackName):
            return any(self._is_local(name, item) for item in entry.items)
        if isinstance(entry, MemberName):
            return entry.owner in self.s.structs.classes and self.s.structs.classes[entry.owner].is_lambda
        if not isinstance(entry, VariableName):
            return False
        if entry.value is not None and entry.alias is None:
            return False
        return entry.alias is not None or entry.variable.storage in ("local", "param")

    def _capture_name(self, name: str, span: Span, *, by_reference: bool) -> Iterator[tuple[str, Qualified, Expr]]:
        entry = self.s.scopes.lookup(name)
        if isinstance(entry, PackName):
            for number, item in enumerate(entry.items):
                term = self.s.expr.names.entry_term(c_ast.ID(name, span), item)
                yield self._captured(f"{name}_{number}", term, span, by_reference)
            return
        if not self._is_local(name, entry):
            if isinstance(entry, VariableName):
                return  # a constant, or what all threads share: it needs no capture
            self.fail(span, f"'{name}' is no variable of the function around: it cannot be captured")
        assert entry is not None
        yield self._captured(name, self.s.expr.names.entry_term(c_ast.ID(name, span), entry), span, by_reference)

    def _captured(self, name: str, term: Expr | Place, span: Span, by_reference: bool) -> tuple[str, Qualified, Expr]:
        const = self.s.classes.conversions.is_const_place(term)
        if isinstance(term, Place) and by_reference:
            return name, Qualified(term.type, const, reference="&"), self.s.expr.pointers.address(term, span)
        if isinstance(term.type, Array):
            self.require_elementwise(term.type, span)
        return name, Qualified(term.type, const), self.s.classes.prvalues.own(self.s.expr.load(term))

    def require_elementwise(self, ctype: Array, span: Span) -> None:
        """Fail unless an array can be captured by copying its elements one by one."""
        if not self.s.classes.construction.copies_trivially(ctype) or count_leaves(ctype) > MOST_COPIED_SCALARS:
            self.fail(span, f"'{ctype}' cannot be captured by value", help="capture it by reference, with '&'")

    def _capture_value(self, name: str, init: Node, by_reference: bool) -> tuple[str, Qualified, Expr]:
        """Return what `name = init` captures: the type is that of `auto name = init`, which is not const."""
        _, declared, value = self._captured(name, self.s.expr.term(init), init.coord, by_reference)
        return name, declared if by_reference else Qualified(declared.type), value

    def _capture_this(self, span: Span, *, by_value: bool) -> tuple[str, Qualified, Expr]:
        this = self.s.statements.bodies.this(span)
        if this is None:
            self.fail(span, "'this' exists only in methods")
        if by_value:
            assert isinstance(this.type, Pointer)
            whole = Load(span, this.type.target, Deref(span, this.type.target, this))
            return CAPTURED_THIS, Qualified(this.type.target), self.s.classes.prvalues.own(whole)
        return CAPTURED_THIS, Qualified(this.type), this

    # ------------------------------------------------------------------------------------------------ calls

    def _add_call(self, info: ClassInfo, node: cxx.Lambda, names: list[str]) -> None:
        """Give the class its `operator()`, which is a template if a parameter is `auto`."""
        signature = node.signature or cxx.Signature(None, None, node.coord)
        result = signature.type or c_ast.TypeDecl(None, [], None, c_ast.InferredType(node.coord), coord=node.coord)
        generic = WithoutAuto(signature.args, node.params)
        own = cxx.Signature(
            generic.args, result, node.coord, const=not node.mutable, requires=signature.requires,
            noexcept=signature.noexcept,
        )  # fmt: skip
        words = list(node.words)
        if not words and self.s.current.bodies and self.s.current.body.function.of_both_sides:
            words = ["__host__", "__device__"]  # as the function around
        decl = c_ast.Decl("operator()", [], [], [], words, own, None, None, node.coord)
        definition = cxx.Definition(decl, node.body, node.coord)
        around = (*self.s.scopes.stack, info.scope, self._capture_scope(info, names))
        if generic.params:
            template = cxx.Template(tuple(generic.params), definition, node.coord, all_of(generic.conditions))
            entry: FunctionName | TemplateName = TemplateName(
                node.coord, "operator()", "function", template, around, owner=info.struct, shown="lambda"
            )
        else:
            with self.s.scopes.instead(around):
                entry = self.s.statements.functions.function_entry(decl, "operator()", owner=info.struct)
            entry.scopes, entry.node, entry.defined = around, definition, node.coord
            entry.shown, entry.key = info.struct.shown, self.s.linkage.unique_key(f"{info.struct.tag}_call")
            if self.s.diagnostics.faults is self.s.diagnostics.visible:
                self.s.functions.lambdas.append(entry)
        info.scope.names["operator()"] = Functions(node.coord, "operator()", [entry])

    def _capture_scope(self, info: ClassInfo, names: list[str]) -> Scope:
        """Return the scope in which captured names are members of the lambda's object."""
        scope = Scope(kind="block", owner=None)
        packs: dict[str, list[Name]] = {}
        for name in names:
            entry = MemberName(info.struct.span, info.struct, name)
            scope.names[name] = entry
            head, _, number = name.rpartition("_")
            pack = self.s.scopes.lookup(head) if number.isdigit() else None
            if isinstance(pack, PackName) and self.s.scopes.lookup(name) in (None, *pack.items):
                packs.setdefault(head, []).append(entry)
        for head, items in packs.items():
            scope.names[head] = PackName(info.struct.span, tuple(items))
        return scope

    def _stores(self, member: Member, value: Expr) -> list[Expr]:
        """Return what stores a captured value into a member of the lambda's object; of an array, its elements."""
        if not isinstance(member.type, Array):
            return [self.s.classes.prvalues.initialised(member, value, member.span)]
        assert isinstance(value, Decay)
        pairs = zip(parts(member, member.span), parts(value.place, value.span), strict=True)
        return [Assign(to.span, to.type, to, Load(origin.span, origin.type, origin)) for (to, _), (origin, _) in pairs]

    def plain_pointer(self, source: CType, span: Span) -> Expr | None:
        """Return the pointer that a lambda without captures converts to ([expr.prim.lambda.closure]).

        None of anything else, and of a generic lambda.
        """
        info = self.s.structs.classes.get(source) if isinstance(source, Struct) else None
        if info is None or not info.is_lambda:
            return None
        entry = info.scope.names["operator()"]
        assert isinstance(entry, Functions)
        function = entry.candidates[0]
        if not isinstance(function, FunctionName):
            return None
        result = self.s.calls.functions.result_of(function, span)
        noexcept = self.s.templates.exceptions.is_noexcept(function)
        wanted = function_type(result, [p.qualified for p in function.params], noexcept=noexcept)
        assert isinstance(source, Struct)
        return self.lambda_pointer(source, Pointer(wanted), span)

    def lambda_pointer(self, source: Struct, target: CType, span: Span) -> Expr | None:
        info = self.s.structs.classes.get(source)
        if info is None or not info.is_lambda or source.fields:
            return None
        if not isinstance(target, Pointer) or not isinstance(target.target, FunctionType):
            return None
        entry = info.scope.names["operator()"]
        assert isinstance(entry, Functions)
        wanted = target.target
        params = tuple(Variable(f"a{i}", param, span, "param") for i, param in enumerate(wanted.params))
        declared, taken = signature_of(wanted)
        args = [Argument(c_ast.ID(p.name, span), _given(p, one)) for p, one in zip(params, taken, strict=True)]
        function = self.s.calls.overloads.choose("operator()", entry.candidates, args, span)
        assert isinstance(function, FunctionName)
        result = self.s.calls.functions.result_of(function, span)
        own = function_type(result, [p.qualified for p in function.params])
        if type_key(own) != type_key(may_throw(wanted)):
            return None
        if wanted.noexcept and not self.s.templates.exceptions.is_noexcept(function):
            return None
        key = self.s.linkage.unique_key(f"{source.tag}_pointer")
        closure = Variable("closure", source, span, "local")
        this = AddressOf(span, Pointer(source, function.const), VarRef(span, source, closure))
        prvalues = self.s.classes.prvalues
        first, plain = prvalues.returned_types(wanted.result)
        made = [Variable("result", ctype, span, "param") for ctype in first]
        given = [replace(param, type=prvalues.passed_type(param.type)) for param in params]
        before, values = ([Load(span, p.type, VarRef(span, p.type, p)) for p in some] for some in (made, given))
        call = Call(span, plain, self.s.calls.functions.use(function, span), (*before, this, *values))
        ends = [Evaluate(span, call), Return(span, None)] if plain is VOID else [Return(span, call)]
        body = Block(span, (Declare(span, closure, None), *ends))
        self.s.functions.checked[key] = Function(key, span, "device", (*made, *given), plain, body, shown=source.shown)
        parameters = tuple(
            Parameter(p.name, span, one.type, one.const, reference=one.reference, volatile=one.volatile)
            for p, one in zip(params, taken, strict=True)
        )
        pointed = FunctionName(span, key, "device", parameters, declared, span, key, key, checked=True)
        pointed.noexcept = self.s.templates.exceptions.is_noexcept(function)
        return self.s.calls.indirect.function_address(pointed, span)


def _given(variable: Variable, declared: Qualified) -> Expr | Place:
    """Return what a parameter names: the object whose address its variable holds, if it is a reference."""
    span = variable.span
    value = Load(span, variable.type, VarRef(span, variable.type, variable))
    if not declared.reference:
        return value
    return Deref(span, declared.type, value, xvalue=declared.reference == "&&")
