"""Checking inherited constructors: which of them a class has, and what they do ([class.inhctor.init])."""

from __future__ import annotations

from dataclasses import replace

from ....lang.ctype import VOID, Pointer
from ....source import Span
from ....tree.nodes import AddressOf, Block, Call, Deref, Evaluate, Expr, Function, Load, Variable, VarRef
from ..class_info import ClassInfo
from ..context import Part
from ..scopes import FunctionName, Functions
from ..statements.functions import hides


class InheritedConstructors(Part):
    """The checker's part for constructors that a class inherits."""

    def declare(self, info: ClassInfo, base: ClassInfo, span: Span) -> None:
        """Add a base's constructors to those of a class, which hide them ([namespace.udecl]/14)."""
        if base.constructors is None:
            return
        own = info.constructors or Functions(span, info.name, [])
        inherited = base.constructors.candidates
        own.candidates += [one for one in inherited if not any(hides(mine, one) for mine in own.candidates)]
        info.constructors = own

    def function(self, info: ClassInfo, constructor: FunctionName) -> FunctionName:
        """Return the function that makes an object of a class as an inherited constructor does.

        Its parameters are the constructor's, so that the arguments come first. Then the bases are made in order: one by
        the constructor, which that base may have inherited too. Last the members, as they are declared.
        """
        struct = info.struct
        what = f"inherited {constructor.key}"
        known = info.made.get(what)
        if known is not None:
            return known
        assert constructor.owner is not None
        base = (self.s.classes.members.base_path(struct, constructor.owner) or [])[0]
        span, key = struct.span, self.s.linkage.unique_key(f"{struct.tag}_inherited_{constructor.owner.tag}")
        function = replace(
            constructor, span=span, defined=span, key=key, owner=struct, scopes=info.scopes, node=None, pattern=None
        )
        info.made[what] = function
        this = Variable("self", Pointer(struct), span, "param")
        passed = self.s.classes.prvalues.passed_type
        params = [Variable(p.name, passed(p.qualified.stored), p.span, "param") for p in constructor.params]
        with self.s.scopes.instead((*info.scopes, info.scope)), self.s.statements.bodies.a_body(function):
            self.s.current.body.this = this
            inner = constructor
            if constructor.owner is not base:
                inner = self.function(self.s.classes.info_of(base), constructor)
            place = Deref(span, struct, _read(this, span))
            part = self.s.classes.members.as_base(place, base, span)
            address = AddressOf(span, Pointer(base), part)
            values = (address, *(_read(one, span) for one in params))
            made = Evaluate(span, Call(span, VOID, self.s.calls.functions.use(inner, span), values))
            (field,) = (one.field for one in info.bases if one.struct is base)
            body = self.s.classes.implicit.construct_members(info, place, {}, span, (field, made))
        self.s.functions.checked[key] = Function(
            key, span, "device", (this, *params), VOID, Block(span, tuple(body)), shown=constructor.shown
        )
        self.s.functions.only_checked.add(key)
        return function


def _read(variable: Variable, span: Span) -> Expr:
    return Load(span, variable.type, VarRef(span, variable.type, variable))
