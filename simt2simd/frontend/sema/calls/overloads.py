"""Overload resolution: which function a call means, by C++'s ranking of conversions ([over.match], [over.ics.rank])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from pycparser import c_ast

from ....diag import Note
from ....lang.builtins import BUILTINS, Builtin
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
from ....source import Span
from ....tree.nodes import Constant, Expr, Load, Place, Temporary
from ....tree.value_category import is_lvalue
from ...parse.words import Node
from ..argument import Argument
from ..context import Part
from ..expr.conversions import is_null, place_type, pointer_obstacle, same_type
from ..scopes import FunctionName, Functions, Qualified, Reported, TemplateArgument, TemplateName
from ..types.member_types import members_of, method_type

MOST_CANDIDATES = 6  # of a call that fits none, that are listed


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
            return other.bases[0] in self.bases  # unrelated ones are equally good ([over.ics.rank]/4.4)
        elif self[:2] != other[:2]:
            return self[:2] < other[:2]
        return bool(self.binding and other.binding) and self.binding < other.binding


EXACT, PROMOTION, CONVERSION, USER, ELLIPSIS = range(5)

# Details of conversions of pointers, beyond the depth of any base class.
_TO_VOID, _TO_BOOL = 1 << 16, 1 << 20


@dataclass(frozen=True)
class Candidate:
    """A function that a call may mean; a built-in operator has no `function`.

    `given`: the number of arguments without the object of a method. `second`: of a conversion function, the rank of
    the conversion of its result.
    """

    function: FunctionName | Builtin | None
    ranks: tuple[Rank, ...]
    is_template: bool = False
    pattern: TemplateName | None = None
    given: int | None = None
    second: Rank | None = None


class Overloads(Part):
    """The checker's part for choosing among functions of one name."""

    def rank(self, arg: Argument, param: Qualified, *, user: bool = True) -> Rank | None:
        """Return how `arg` becomes a parameter of type `param`; None if it cannot.

        `user`: constructors and conversion operators may help.
        """
        if arg.functions is not None:
            return Rank(EXACT) if self.matching_function(arg.functions, param.type) is not None else None
        if arg.term is None:
            return self._rank_braces(arg, param)
        term = arg.term
        const, volatile = place_type(term, self.s.structs.const_members) if isinstance(term, Place) else (False, False)
        const = arg.constant or (const if is_object(term) else self.s.classes.prvalues.is_const(term))
        if param.reference:
            term = arg.denoted
            found = self._rank_reference(arg, term, param, const, volatile)
            if found is None and user and not self.s.here.standard_only:
                conversions = self.s.classes.user_conversions
                found = conversions.rank(conversions.reference_conversions(term, param))
            if found is not None or (param.reference == "&" and not param.const):
                return found
            unbound = arg.is_lvalue or (const and not param.const and isinstance(term.type, Struct))
            if param.reference == "&&" and unbound and self.base_depth(term.type, param.type) is not None:
                return None  # the types are reference-related ([dcl.init.ref]/5.4)
            made = self._rank_value(term, param.type, user=user)
            if made is None or (param.reference == "&&" and self._makes_lvalue(made, param.type)):
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

    def _makes_lvalue(self, made: Rank, target: CType) -> bool:
        """Whether a conversion function makes an lvalue to which no `target &&` is bound ([dcl.init.ref]/5.4.1)."""
        result = made.via.result if isinstance(made.via, FunctionName) else None
        return result is not None and result.reference == "&" and self.base_depth(result.type, target) is not None

    def base_depth(self, source: CType, target: CType) -> int | None:
        """Return how many steps up `target` is among the classes that `source` derives from; None if it is not one."""
        if same_type(source, target):
            return 0
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
            source = Pointer(
                source.element, *(place_type(term, self.s.structs.const_members) if isinstance(term, Place) else ())
            )
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
        if target == BOOL and isinstance(source, Pointer):
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
        if isinstance(source.target, Struct) and isinstance(target.target, Struct) and source.target != target.target:
            path = self.s.classes.members.base_path(source.target, target.target)
            lost = (source.const and not target.const) or (source.volatile and not target.volatile)
            if not path or lost:
                return None
            return Rank(CONVERSION, len(path), bases=self._with_bases(target.target))
        if isinstance(target.target, FunctionType) or pointer_obstacle(source, target) is not None:
            return None
        if source.target != target.target and target.target is VOID:
            more = (target.const and not source.const) + (target.volatile and not source.volatile)
            return Rank(CONVERSION, _TO_VOID + more)  # a base suits better, however far ([over.ics.rank]/4.4)
        return Rank(EXACT, 1) if source.target == target.target else Rank(EXACT, 1 + (source.target != target.target))

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

    # ------------------------------------------------------------------------------------------ candidates

    def viable(
        self,
        candidates: Sequence[FunctionName | TemplateName],
        args: Sequence[Argument],
        given: tuple[TemplateArgument, ...] | None,
        object: Place | None = None,
    ) -> list[Candidate]:
        """Return the candidates that can be called with `args`, and on `object` if they are methods.

        `given` are explicit template arguments.
        """
        found: list[Candidate] = []
        templates = self.s.templates
        left = templates.conditions.left(candidates, given) if given else templates.rejection.left(candidates, args)
        for candidate in left:
            function: FunctionName | None
            if isinstance(candidate, TemplateName):
                function = self.s.templates.functions.deduced(candidate, args, given)
            else:
                function = candidate if given is None and self.s.templates.constraints.allowed(candidate) else None
            if function is None:
                continue
            ranks = self.ranks(function, args)
            if ranks is not None and object is not None:
                ranks = self.rank_object(function, object, ranks)
            if ranks is not None:
                pattern = candidate if isinstance(candidate, TemplateName) else None
                found.append(Candidate(function, ranks, pattern is not None, pattern, len(args)))
        return found

    def ranks(self, function: FunctionName, args: Sequence[Argument]) -> tuple[Rank, ...] | None:
        params = function.params
        required = sum(param.default is None for param in params)
        if not required <= len(args) or (len(args) > len(params) and not function.variadic):
            return None
        ranks: list[Rank] = []
        for arg, param in zip(args, params, strict=False):
            rank = self.rank(arg, param.qualified)
            if rank is None:
                return None
            ranks.append(rank)
        return (*ranks, *[Rank(ELLIPSIS)] * (len(args) - len(params)))

    def rank_object(self, function: FunctionName, object: Place, ranks: tuple[Rank, ...]) -> tuple[Rank, ...] | None:
        """Put the rank of the object before those of a method's arguments: a const method suits const objects."""
        qualifiers = place_type(object, self.s.structs.const_members)
        const = qualifiers[0] if is_object(object) else self.s.classes.prvalues.is_const(object)
        if const and not function.const and function.is_method:
            return None
        rvalue = not is_lvalue(object)
        if (function.ref == "&&" and not rvalue) or (function.ref == "&" and rvalue and not function.const):
            return None
        binding = 1 + int(function.const) + 3 * (rvalue and function.ref == "&")
        return (Rank(EXACT, binding=binding), *ranks)

    def builtin_candidates(self, name: str, args: Sequence[Argument]) -> list[Candidate]:
        """Return the built-in functions of this name that can be called with `args`."""
        found = []
        for row in BUILTINS.get(name, ()):
            if len(row.params) == len(args):
                ranks = [self.rank(arg, Qualified(param)) for arg, param in zip(args, row.params, strict=True)]
                if None not in ranks:
                    found.append(Candidate(row, tuple(rank for rank in ranks if rank is not None)))
        return found

    def best(self, found: list[Candidate]) -> list[Candidate]:
        """Return the candidates than which none is better: one, unless the call is ambiguous."""
        if not found:
            return []
        winner = found[0]
        for one in found[1:]:  # the best one is better than whatever it is compared with
            if self._better(one, winner):
                winner = one
        if all(one is winner or self._better(winner, one) for one in found):
            return [winner]
        return [one for one in found if not any(other is not one and self._better(other, one) for other in found)]

    def _better(self, one: Candidate, other: Candidate) -> bool:
        pairs = list(zip(one.ranks, other.ranks, strict=True))
        if any(b.is_better(a) for a, b in pairs):
            return False
        if any(a.is_better(b) for a, b in pairs):
            return True
        if one.second is not None and other.second is not None and one.second != other.second:
            return one.second.is_better(other.second)  # ([over.match.best]/1.4)
        if one.function is None or other.function is None:  # a function hides the operator with its parameters
            return other.is_template if one.function is None else not one.is_template
        if isinstance(one.function, Builtin) or isinstance(other.function, Builtin):
            if self.is_standard(one.pattern) or self.is_standard(other.pattern):
                return isinstance(one.function, Builtin)  # the templates of namespace std come last, as in CUDA
            return isinstance(other.function, Builtin) and not isinstance(one.function, Builtin)
        if one.is_template != other.is_template:
            return not one.is_template
        if one.pattern is not None and other.pattern is not None and one.pattern is not other.pattern:
            return self.s.templates.ordering.preferred(one.pattern, other.pattern, one.given)
        if one.is_template:
            return False
        if self._is_inherited(other.function, one.function):
            return True
        return self.s.templates.constraints.more_constrained(one.function, other.function)

    def _is_inherited(self, inherited: FunctionName, own: FunctionName) -> bool:
        """Whether a constructor of a base takes what one of the class itself takes ([over.match.best]/1.7)."""
        owner, base = own.owner, inherited.owner
        if owner is None or base is None or owner is base or not self.s.classes.members.is_base(base, owner):
            return False
        return own.signature == inherited.signature

    def choose(
        self,
        name: str,
        candidates: Sequence[FunctionName | TemplateName],
        args: Sequence[Argument],
        span: Span,
        given: tuple[TemplateArgument, ...] | None = None,
        *,
        object: Place | None = None,
        builtins: bool = False,
    ) -> FunctionName | Builtin:
        """Return the function that a call means; say why if there is none, or more than one."""
        before = len(self.s.diagnostics.visible)
        found = self.viable(candidates, args, given, object)
        if builtins:
            found += self.builtin_candidates(name, args)
        chosen = self.best(found)
        if len(chosen) == 1 or (chosen and all(isinstance(one.function, Builtin) for one in chosen)):
            assert chosen[0].function is not None
            return chosen[0].function  # built-in overloads are resolved later
        spelled = ", ".join(self.spell(arg) for arg in args)
        if not chosen:
            if len(self.s.diagnostics.visible) > before:
                raise Reported
            self.refuse_arguments(name, candidates, args, span, given, object)
        self.fail(span, f"the call '{name}({spelled})' is ambiguous", *self.notes_of(chosen), help="cast an argument")

    def notes_of(self, candidates: Sequence[Candidate]) -> list[Note]:
        """Return notes that lead to the first candidates."""
        functions = [one.function for one in candidates[:4]]
        return [Note(f.span, f"candidate: '{self.signature(f)}'") for f in functions if isinstance(f, FunctionName)]

    def refuse_arguments(
        self,
        name: str,
        candidates: Sequence[FunctionName | TemplateName],
        args: Sequence[Argument],
        span: Span,
        given: tuple[TemplateArgument, ...] | None,
        object: Place | None,
    ) -> NoReturn:
        """Say why no candidate can be called; of a single function as if there were no overloads."""
        match candidates:
            case [FunctionName() as only] if given is None:
                self.s.calls.functions.explain(only, args, span)
        notes = []
        for candidate in candidates[:MOST_CANDIDATES]:
            reason = self.why_not(candidate, args, given, object)
            notes.append(Note(candidate.span, f"candidate: '{self.signature(candidate)}'{reason and f': {reason}'}"))
        self.fail(span, f"no '{name}' takes ({', '.join(map(self.spell, args))})", *notes)

    def why_not(
        self,
        candidate: FunctionName | TemplateName,
        args: Sequence[Argument],
        given: tuple[TemplateArgument, ...] | None,
        object: Place | None,
    ) -> str:
        """Return why a candidate cannot be called, if that can be said shortly."""
        if isinstance(candidate, TemplateName):
            return self.s.templates.functions.why_not_deduced(candidate, args, given or ())
        if given is not None:
            return "it is no template"
        required = sum(param.default is None for param in candidate.params)
        most = 1 << 30 if candidate.variadic else len(candidate.params)
        if not required <= len(args) <= most:
            return f"it takes {counted(required, len(candidate.params))}"
        for number, (arg, param) in enumerate(zip(args, candidate.params, strict=False), start=1):
            if self.rank(arg, param.qualified) is None:
                const = (
                    isinstance(arg.term, Place)
                    and place_type(arg.term, self.s.structs.const_members)[0]
                    and arg.is_lvalue
                )
                shown = f"{'const ' * const}{self.spell(arg)}"
                return f"argument {number}, '{shown}', does not become '{param.qualified}'"
        if not self.s.templates.constraints.allowed(candidate):
            return "its conditions do not hold"
        if object is not None and self.rank_object(candidate, object, ()) is None:
            return "the object is const, the method is not"
        return ""

    def is_standard(self, template: TemplateName | None) -> bool:
        """Whether a template is one of namespace std."""
        return template is not None and self.s.scopes.std in template.scopes

    def spell(self, arg: Argument) -> str:
        if arg.functions is not None:
            return arg.functions.name
        return "{...}" if arg.term is None else str(arg.term.type)

    def signature(self, function: FunctionName | TemplateName) -> str:
        if isinstance(function, TemplateName):
            params = ", ".join(param.name for param in function.node.params)
            return f"{function.shown or function.name}<{params}>"
        return f"{function.shown or function.name}({', '.join(str(p.qualified) for p in function.params)})"

    # --------------------------------------------------------------------------- what other parts define

    def matching_function(self, functions: Functions, target: CType) -> FunctionName | None:
        """Return the one of `functions` to which a pointer of type `target` may point, instances of templates last."""
        exact = self._exact_function(functions, target) or self.s.calls.indirect.matching_builtin(functions, target)
        return self.s.templates.functions.matching_instance(functions, target) if exact is None else exact

    def _exact_function(self, functions: Functions, target: CType) -> FunctionName | None:
        if (members := members_of(target)) is not None and members.called is not None:
            wanted, const = method_type(members).params[1:], members.const
            methods = [f for f in functions.candidates if isinstance(f, FunctionName) and f.is_method and f.result]
            fits = [f for f in methods if f.type.params == wanted and f.const == const]
            return fits[0] if len(fits) == 1 else None
        if isinstance(target, Pointer):
            target = target.target
        exact = [f for f in functions.candidates if isinstance(f, FunctionName) and f.result and f.type == target]
        return exact[0] if len(exact) == 1 else None


def is_object(term: Expr | Place) -> bool:
    """Whether a term is a place, and no prvalue."""
    return isinstance(term, Place) and not isinstance(term, Temporary)


def binding_of(param: Qualified, *, rvalue: bool) -> int:
    """Return how a reference suits what it is bound to: `T &&` an rvalue, the less qualified any."""
    qualifiers = int(param.const) + int(param.volatile)
    return 1 + qualifiers + 3 * (rvalue and param.reference == "&")


def counted(required: int, most: int) -> str:
    """Return how many arguments a function takes, in words."""
    return f"{most} argument{'s' * (most != 1)}" if required == most else f"{required} to {most} arguments"
