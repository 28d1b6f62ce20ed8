"""Overload resolution: which function a call means, by C++'s ranking of conversions ([over.match], [over.ics.rank])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from ....diag import Note
from ....lang.builtins import BUILTINS, Builtin
from ....lang.ctype import CType, FunctionType, Pointer, Struct
from ....source import Span
from ....tree.nodes import Place
from ....tree.value_category import is_lvalue
from ..argument import Argument
from ..context import Part
from ..expr.conversions import place_type
from ..qualified import Qualified, may_throw
from ..scopes import FunctionName, Functions, Reported, TemplateArgument, TemplateName
from ..types.member_types import members_of, method_type
from .conversion_sequences import ELLIPSIS, EXACT, Rank

MOST_CANDIDATES = 6  # of a call that fits none, that are listed


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

    def viable(
        self,
        candidates: Sequence[FunctionName | TemplateName],
        args: Sequence[Argument],
        given: tuple[TemplateArgument, ...] | None,
        object: Place | None = None,
        *,
        made: Struct | None = None,
    ) -> list[Candidate]:
        """Return the candidates that can be called with `args`, and on `object` if they are methods.

        `given` are explicit template arguments; `made` is the class of which constructors make an object.
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
            if function is None or (made is not None and len(args) == 1 and self._copies_base(function, made)):
                continue
            ranks = self.ranks(function, args)
            if ranks is not None and object is not None:
                ranks = self.rank_object(function, object, ranks)
            if ranks is not None:
                pattern = candidate if isinstance(candidate, TemplateName) else None
                found.append(Candidate(function, ranks, pattern is not None, pattern, len(args)))
        return found

    def _copies_base(self, function: FunctionName, made: Struct) -> bool:
        """Whether an inherited constructor copies or moves an object of a base ([over.match.funcs]/8)."""
        if function.owner is None or function.owner is made or not function.params:
            return False
        first, is_kind_of = function.params[0].qualified, self.s.classes.construction.is_kind_of
        return bool(
            first.reference
            and isinstance(first.type, Struct)
            and is_kind_of(first.type, function.owner)
            and is_kind_of(made, first.type)
        )

    def ranks(self, function: FunctionName, args: Sequence[Argument]) -> tuple[Rank, ...] | None:
        params = function.params
        required = sum(param.default is None for param in params)
        if not required <= len(args) or (len(args) > len(params) and not function.variadic):
            return None
        ranks: list[Rank] = []
        for arg, param in zip(args, params, strict=False):
            rank = self.s.calls.sequences.rank(arg, param.qualified)
            if rank is None:
                return None
            ranks.append(rank)
        return (*ranks, *[Rank(ELLIPSIS)] * (len(args) - len(params)))

    def rank_object(self, function: FunctionName, object: Place, ranks: tuple[Rank, ...]) -> tuple[Rank, ...] | None:
        """Put the rank of the object before those of a method's arguments: a const method suits const objects."""
        const, volatile = place_type(object, self.s.structs.const_members)
        const = const or self.s.classes.prvalues.is_const(object)
        if function.is_method and ((const and not function.const) or (volatile and not function.volatile)):
            return None
        rvalue = not is_lvalue(object)
        if (function.ref == "&&" and not rvalue) or (function.ref == "&" and rvalue and not function.const):
            return None
        binding = 1 + sum(function.qualifiers) + 3 * (rvalue and function.ref == "&")
        return (Rank(EXACT, binding=binding), *ranks)

    def builtin_candidates(self, name: str, args: Sequence[Argument]) -> list[Candidate]:
        """Return the built-in functions of this name that can be called with `args`."""
        found = []
        for row in BUILTINS.get(name, ()):
            if len(row.params) == len(args):
                pairs = zip(args, row.params, strict=True)
                ranks = [self.s.calls.sequences.rank(arg, Qualified(param)) for arg, param in pairs]
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

    def preferred(self, found: list[Candidate]) -> list[Candidate]:
        """Return `best`; of ambiguous candidates the one whose worst conversion is better than those of all others.

        ISO C++ has no such rule; g++ and nvcc have.
        """
        best = self.best(found)
        if len(best) < 2:
            return best
        worst = [max((rank.kind for rank in one.ranks), default=EXACT) for one in best]
        least = min(worst)
        return [best[worst.index(least)]] if worst.count(least) == 1 else best

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
            if self.s.templates.ordering.preferred(one.pattern, other.pattern, one.given):
                return True
            ordered = self.s.templates.ordering.preferred(other.pattern, one.pattern, one.given)
            return not ordered and self._is_inherited(other.function, one.function)
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
        made: Struct | None = None,
    ) -> FunctionName | Builtin:
        """Return the function that a call means; say why if there is none, or more than one. `made` as in `viable`."""
        before = len(self.s.diagnostics.visible)
        found = self.viable(candidates, args, given, object, made=made)
        if builtins:
            found += self.builtin_candidates(name, args)
        chosen = self.preferred(found)
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
            if self.s.calls.sequences.rank(arg, param.qualified) is None:
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
            word = "volatile" if candidate.const else "const"
            return f"the object is {word}, the method is not"
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
            wanted = method_type(members).params[1:]
            methods = [f for f in functions.candidates if isinstance(f, FunctionName) and f.is_method and f.result]
            fits = [f for f in methods if f.type.params == wanted and f.method_qualifiers == members.qualifiers]
            fits = [f for f in fits if not members.noexcept or self.s.templates.exceptions.is_noexcept(f)]
            return fits[0] if len(fits) == 1 else None
        if isinstance(target, Pointer):
            target = target.target
        if not isinstance(target, FunctionType):
            return None
        exact = [f for f in functions.candidates if isinstance(f, FunctionName) and self._has_type(f, target)]
        return exact[0] if len(exact) == 1 else None

    def _has_type(self, function: FunctionName, target: FunctionType) -> bool:
        """Whether a pointer to functions of a type may point to a function ([over.over]/2)."""
        if function.result is None or may_throw(function.type) != may_throw(target):
            return False
        return not target.noexcept or self.s.templates.exceptions.is_noexcept(function)


def counted(required: int, most: int) -> str:
    """Return how many arguments a function takes, in words."""
    return f"{most} argument{'s' * (most != 1)}" if required == most else f"{required} to {most} arguments"
