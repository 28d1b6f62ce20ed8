"""Implicit conversion sequences: how well an argument becomes a parameter ([over.best.ics], [over.ics.rank])."""

from __future__ import annotations

from typing import NamedTuple

from pycparser import c_ast

from ....lang.ctype import (
    BOOL,
    DOUBLE,
    FLOAT,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    Scalar,
    Struct,
    is_arithmetic,
    is_nullptr_t,
    promote,
)
from ....lang.vectors import DIM3, UINT3
from ....tree.nodes import Constant, Expr, Load, Place, Temporary
from ...parse.words import Node
from ..argument import Argument
from ..context import Part
from ..expr.conversions import is_null, place_type, pointer_obstacle, same_type
from ..qualified import Qualified, may_throw
from ..scopes import FunctionName
from ..types.member_types import members_of


class Rank(NamedTuple):
    """How well an argument fits a parameter; less is better. `kind` is one of the numbers below.

    `binding`: of a reference that is bound to the argument, how it suits it, from 1 on. It decides between references
    only: taking a value is neither better nor worse ([over.ics.rank]/3.2.3, /3.2.6). `via`: the function of a
    user-defined conversion, and `second` the rank of the standard conversion of what it returns. `bases`: of a
    conversion to a base class, that class and those from which it derives. `listed`: a braced list becomes a
    `std::initializer_list`, which is better than anything else that it becomes ([over.ics.rank]/3.1).
    """

    kind: int
    detail: int = 0
    binding: int = 0
    via: object = None
    second: Rank | None = None
    bases: tuple[Struct, ...] = ()
    listed: bool = False

    def is_better(self, other: Rank) -> bool:
        """Whether this conversion is better than `other` ([over.ics.rank])."""
        if self.listed != other.listed:
            return self.listed
        if self.kind == other.kind == USER:  # comparable only if the function is the same ([over.ics.rank]/3.3)
            if self.via is None or self.via is not other.via:
                return False
            if self.second is not None and other.second is not None and self.second[:2] != other.second[:2]:
                return self.second.is_better(other.second)
        elif self.bases and other.bases and self.bases[0] is not other.bases[0]:
            if other.bases[0] in self.bases or self.bases[0] in other.bases:  # the nearer class ([over.ics.rank]/4.4)
                return other.bases[0] in self.bases
            return self._binds_rvalue_better(other)
        elif self[:2] != other[:2]:
            return self[:2] < other[:2]
        return bool(self.binding and other.binding) and self.binding < other.binding

    def _binds_rvalue_better(self, other: Rank) -> bool:
        """Whether this binds `T &&` to an rvalue, and `other` an `U &`, whatever the types ([over.ics.rank]/3.2.3)."""
        return 0 < self.binding < _LVALUE_OF_RVALUE <= other.binding


EXACT, PROMOTION, CONVERSION, USER, ELLIPSIS = range(5)

_LVALUE_OF_RVALUE = 4  # the least `binding` of a `T &` that is bound to an rvalue

# Details of conversions of pointers, beyond the depth of any base class.
_TO_VOID, _TO_BOOL = 1 << 16, 1 << 20


class ConversionSequences(Part):
    """The checker's part for ranking conversions of arguments."""

    def rank(self, arg: Argument, param: Qualified, *, user: bool = True) -> Rank | None:
        """Return how `arg` becomes a parameter of type `param`; None if it cannot.

        `user`: constructors and conversion operators may help.
        """
        if arg.functions is not None:
            function = self.s.calls.overloads.matching_function(arg.functions, param.type)
            return Rank(EXACT) if function is not None else None
        if arg.term is None:
            return self._rank_braces(arg, param)
        term = arg.term
        const, volatile = place_type(term, self.s.structs.const_members) if isinstance(term, Place) else (False, False)
        const = arg.constant or const or self.s.classes.prvalues.is_const(term)
        if param.reference:
            term = arg.denoted
            found = self._rank_reference(arg, term, param, const, volatile)
            if found is None and user and not self.s.here.standard_only:
                conversions = self.s.classes.user_conversions
                found = conversions.rank(conversions.reference_conversions(term, param))
                if found is not None and found.second is not None:
                    found = found._replace(binding=found.second.binding)
            if found is not None or (param.reference == "&" and not param.const):
                return found
            unbound = arg.is_lvalue or (const and not param.const and isinstance(term.type, Struct))
            if param.reference == "&&" and unbound and self.base_depth(term.type, param.type) is not None:
                return None  # the types are reference-related ([dcl.init.ref]/5.4)
            made = self._rank_value(term, param.type, user=user)
            if made is None or (param.reference == "&&" and self._is_refused(made, param)):
                return None
            return made._replace(binding=binding_of(param, rvalue=True))
        return self._rank_value(term, param.type, user=user)

    def _rank_reference(
        self, arg: Argument, term: Expr | Place, param: Qualified, const: bool, volatile: bool
    ) -> Rank | None:
        """Return the rank where the parameter becomes another name of the object that `arg` is."""
        depth = self.base_depth(term.type, param.type)
        if depth is None:
            return None
        kind = CONVERSION if depth else EXACT
        if param.reference == "&&" and arg.is_lvalue:
            return None
        if param.reference == "&" and not arg.is_lvalue and not param.const:
            return None
        if (const and not param.const) or (volatile and not param.volatile):
            return None
        bases = self._with_bases(param.type) if depth else ()
        return Rank(kind, depth, binding_of(param, rvalue=not arg.is_lvalue), bases=bases)

    def _is_refused(self, made: Rank, target: Qualified) -> bool:
        """Whether what a conversion function makes suits no `target &&`: an lvalue, or const ([dcl.init.ref]/5.4.1)."""
        result = made.via.result if isinstance(made.via, FunctionName) else None
        if result is None or self.base_depth(result.type, target.type) is None:
            return False
        return result.reference == "&" or (result.const and not target.const and isinstance(result.type, Struct))

    def base_depth(self, source: CType, target: CType) -> int | None:
        """Return how many steps up `target` is among the classes that `source` derives from; None if it is not one."""
        if same_type(source, target):
            return 0
        if isinstance(source, FunctionType) and source.noexcept:
            return 0 if same_type(may_throw(source), target) else None
        if isinstance(source, Array) and isinstance(target, Array):
            return 0 if source == target else None
        if isinstance(source, Struct) and isinstance(target, Struct):
            path = self.s.classes.members.base_path(source, target)
            return len(path) if path is not None else None
        return None

    def _with_bases(self, base: CType) -> tuple[Struct, ...]:
        """Return a class and those from which it derives."""
        found = [base] if isinstance(base, Struct) else []
        for one in found:
            info = self.s.structs.classes.get(one)
            found += [more.struct for more in info.bases] if info is not None else []
        return tuple(found)

    def _rank_value(self, term: Expr | Place, target: CType, *, user: bool) -> Rank | None:
        source = term.type
        if isinstance(source, Array):
            members = self.s.structs.const_members
            const, volatile = place_type(term, members) if isinstance(term, Place) else (False, False)
            source = Pointer(source.element, const or self.s.classes.prvalues.is_const(term), volatile)
        if same_type(source, target):
            return Rank(EXACT)
        if {source, target} == {DIM3, UINT3} or (target == DIM3 and is_arithmetic(source)):
            return Rank(USER) if user else None
        if isinstance(target, Scalar) and members_of(target) is not None:
            return self._rank_member_pointer(term, target)
        if isinstance(target, Scalar) and members_of(source) is not None:
            return Rank(CONVERSION, 1) if target == BOOL else None
        if isinstance(source, Scalar) and isinstance(target, Scalar):
            return self._rank_scalar(source, target)
        if isinstance(target, Pointer):
            found = self._rank_pointer(term, source, target)
            if found is not None:
                return found
        if target == BOOL and isinstance(source, Pointer) and not is_nullptr_t(source):  # ([conv.bool])
            return Rank(CONVERSION, _TO_BOOL)
        if (
            isinstance(source, Struct)
            and isinstance(target, Struct)
            and (path := self.s.classes.members.base_path(source, target))
        ):
            return Rank(CONVERSION, len(path), bases=self._with_bases(target))
        if user and not self.s.here.standard_only and (isinstance(source, Struct) or isinstance(target, Struct)):
            if self.s.classes.conversions.is_special(term, target):
                return Rank(USER)
            conversions = self.s.classes.user_conversions
            return conversions.rank(conversions.conversions(term, target))
        return None

    def _rank_member_pointer(self, term: Expr | Place, target: Scalar) -> Rank | None:
        """Return the rank of a null pointer, or of a pointer to a base's member, for a pointer to a member."""
        probe = term.value if isinstance(term, Temporary) else term
        if isinstance(probe, Place):
            probe = Load(probe.span, probe.type, probe)
        with self.s.templates.deduction.attempt() as tried:
            found = self.s.classes.member_pointers.to_member_pointer(probe, target)
        return Rank(CONVERSION) if not tried.failed and found is not None else None

    def _rank_scalar(self, source: Scalar, target: Scalar) -> Rank | None:
        if not is_arithmetic(source) or not is_arithmetic(target) or target.enum is not None:
            return None
        if source.enum is not None and source.enum.scoped:
            return None
        plain = promote(source)
        if source != target and (plain == target or (source == FLOAT and target == DOUBLE)):
            return Rank(PROMOTION, int(source.enum is not None))  # its own integer suits an enumeration better
        if source.enum is not None and source == target:
            return Rank(PROMOTION)
        return Rank(CONVERSION)

    def _rank_pointer(self, term: Expr | Place, source: CType, target: Pointer) -> Rank | None:
        if is_nullptr_t(source) or (isinstance(term, Constant) and is_null(term)):
            return Rank(CONVERSION)
        if not isinstance(source, Pointer):
            return None
        more = (target.const and not source.const) + (target.volatile and not source.volatile)
        if isinstance(source.target, Struct) and isinstance(target.target, Struct) and source.target != target.target:
            path = self.s.classes.members.base_path(source.target, target.target)
            lost = (source.const and not target.const) or (source.volatile and not target.volatile)
            if not path or lost:
                return None
            return Rank(CONVERSION, len(path) * 3 + more, bases=self._with_bases(target.target))
        if isinstance(target.target, FunctionType):
            fits = isinstance(source.target, FunctionType) and may_throw(source.target) == target.target
            return Rank(EXACT, 1) if fits else None  # ([conv.fctptr])
        if pointer_obstacle(source, target) is not None:
            return None
        if source.target != target.target and target.target is VOID:
            return Rank(CONVERSION, _TO_VOID + more)  # a base suits better, however far ([over.ics.rank]/4.4)
        differs = source.target != target.target
        return Rank(EXACT, max(more, 1) + differs)  # fewer qualifiers are better ([over.ics.rank]/3.2.5)

    def _rank_braces(self, arg: Argument, param: Qualified) -> Rank | None:
        """Return the rank of a braced list; a reference is bound to an object that the list makes ([over.ics.list])."""
        if param.reference:
            with self.s.expr.operators.unevaluated():
                one = self.s.calls.arguments.without_braces(arg, param)
            if one is not arg:
                return self.rank(one, param)
        if param.reference == "&" and not param.const:
            return None
        made = self._rank_braced_value(arg, param)
        if made is None or not param.reference:
            return made
        return made._replace(binding=binding_of(param, rvalue=True), via=made.via or param.type)

    def _rank_braced_value(self, arg: Argument, param: Qualified) -> Rank | None:
        if isinstance(param.type, Struct):
            element = self.s.classes.lists.list_element(param.type)
            if element is not None:
                return self._rank_list(arg.node, element)
            return Rank(USER) if self.s.classes.conversions.fits_braces(arg.node, param.type) else None
        exprs: list[Node] = getattr(arg.node, "exprs", [])
        if isinstance(param.type, Array):
            return self._rank_array(exprs, param)
        if len(exprs) != 1 or isinstance(exprs[0], c_ast.InitList | c_ast.NamedInitializer):
            return Rank(EXACT) if len(exprs) <= 1 and not isinstance(param.type, Array) else None
        with self.s.expr.operators.unevaluated():
            ranks = [self.rank(one, Qualified(param.type)) for one in self.s.calls.arguments.arguments(exprs)]
        return ranks[0] if len(ranks) == 1 else None

    def _rank_array(self, exprs: list[Node], param: Qualified) -> Rank | None:
        """Return the rank of the worst element of a braced list that becomes an array ([over.ics.list]/6)."""
        assert isinstance(param.type, Array)
        exprs = self.s.templates.packs.spread_nodes(exprs)
        if not param.reference or (param.reference == "&" and not param.const) or len(exprs) > param.type.count:
            return None
        with self.s.expr.operators.unevaluated():
            given = self.s.calls.arguments.arguments(exprs)
            ranks = [self.rank(one, Qualified(param.type.element)) for one in given]
        if None in ranks:
            return None
        worst = max((rank for rank in ranks if rank is not None), key=lambda rank: rank[:2], default=Rank(EXACT))
        return Rank(worst.kind, worst.detail + (param.type.count - len(exprs)), via=worst.via)

    def _rank_list(self, node: Node, element: Qualified) -> Rank | None:
        """Return the rank of the worst element of a braced list that becomes a `std::initializer_list`."""
        with self.s.expr.operators.unevaluated():
            ranks = [
                self.rank(arg, Qualified(element.type))
                for arg in self.s.calls.arguments.arguments(getattr(node, "exprs", ()))
            ]
        if None in ranks:
            return None
        known = [rank for rank in ranks if rank is not None]
        return max(known, key=lambda rank: rank[:2], default=Rank(EXACT))._replace(listed=True)


def binding_of(param: Qualified, *, rvalue: bool) -> int:
    """Return how a reference suits what it is bound to: `T &&` an rvalue, the less qualified any."""
    qualifiers = int(param.const) + int(param.volatile)
    return 1 + qualifiers + 3 * (rvalue and param.reference == "&")
