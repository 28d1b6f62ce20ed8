"""The built-in operators as candidates beside the program's own ([over.built], [over.match.oper]/3)."""

from __future__ import annotations

from collections.abc import Sequence

from ....lang.ctype import BOOL, LONG, Array, CType, FunctionType, Pointer, Scalar, is_arithmetic, is_integer, promote
from ....tree.nodes import COMPARISONS, Expr, Place
from ..argument import Argument
from ..calls.conversion_sequences import CONVERSION, EXACT, PROMOTION, USER, Rank
from ..calls.overloads import Candidate
from ..context import Part
from ..expr.conversions import is_scoped, same_type

_NEVER = ("->", "[]", "=", "()", ",")  # their built-in meaning is that of operands for which no function is viable
_ON_INTEGERS = ("%", "&", "|", "^", "<<", ">>", "~")
_LOGICAL = ("&&", "||", "!")


class BuiltinCandidates(Part):
    """The checker's part for what built-in operators make of operands that may have operators of their own."""

    def candidate(self, op: str, args: Sequence[Argument]) -> Candidate | None:
        """Return the built-in candidate that suits the operands best; None if there is none.

        For every pair of promoted arithmetic types there is one ([over.built]/13), so the best one takes the promoted
        types of the operands.
        """
        if op in _NEVER or (op == "&" and len(args) == 1) or any(arg.term is None for arg in args):
            return None
        types = [self._scalar_of(arg.term) for arg in args if arg.term is not None]
        if op in ("++", "--"):
            types = types[:1]
        known = [ctype for ctype in types if ctype is not None]
        if len(known) < len(types):
            return None
        own = [arg.term is not None and arg.term.type is ctype for arg, ctype in zip(args, known, strict=False)]
        if (op in ("++", "--") or self._assigns(op)) and (not own[0] or _is_enum(known[0])):
            return None
        ranks = self._ranks(op.removesuffix("=") if self._assigns(op) else op, known)
        if ranks is None:
            return None
        if self._assigns(op):
            ranks[0] = Rank(EXACT)
        ranks += [Rank(EXACT)] * (len(args) - len(ranks))
        shown = [
            rank if plain else Rank(USER, via=arg.term, second=rank)
            for rank, plain, arg in zip(ranks, [*own, True], args, strict=False)
        ]
        return Candidate(None, tuple(shown))

    def _assigns(self, op: str) -> bool:
        return op.endswith("=") and op not in COMPARISONS

    def _scalar_of(self, term: Expr | Place) -> CType | None:
        """Return the scalar type that an operand has, or to which its class converts it."""
        ctype = term.type
        if isinstance(ctype, Scalar | Pointer):
            return ctype
        if isinstance(ctype, Array | FunctionType):
            return Pointer(ctype.element if isinstance(ctype, Array) else ctype)
        return self.s.classes.conversions.scalar_result(term)

    def _ranks(self, op: str, types: list[CType]) -> list[Rank] | None:
        """Return how well the operands' types suit the built-in operator; None where it does not take them."""
        if op in _LOGICAL:
            if any(map(is_scoped, types)):
                return None
            return [Rank(EXACT if ctype == BOOL else CONVERSION) for ctype in types]
        if any(isinstance(ctype, Pointer) for ctype in types):
            return self._pointer_ranks(op, types)
        if op in COMPARISONS and _is_enum(types[0]) and same_type(types[0], types[1]):
            return [Rank(EXACT)] * 2
        suitable = is_integer if op in _ON_INTEGERS else is_arithmetic
        if any(is_scoped(ctype) or not suitable(ctype) for ctype in types) or (op == "*" and len(types) == 1):
            return None
        return [_promotion(ctype) for ctype in types]

    def _pointer_ranks(self, op: str, types: list[CType]) -> list[Rank] | None:
        if len(types) == 1:
            return [Rank(EXACT)] if op in ("*", "+", "++", "--") else None
        if op in COMPARISONS or all(isinstance(ctype, Pointer) for ctype in types):
            return [Rank(EXACT)] * 2 if op in COMPARISONS or op == "-" else None
        if op not in ("+", "-") or not all(isinstance(ctype, Pointer) or is_integer(ctype) for ctype in types):
            return None
        return [Rank(EXACT if isinstance(ctype, Pointer) or ctype == LONG else CONVERSION) for ctype in types]


def _is_enum(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.enum is not None


def _promotion(ctype: CType) -> Rank:
    """Return the rank of the promotion of an arithmetic operand ([conv.prom])."""
    assert isinstance(ctype, Scalar)
    if _is_enum(ctype):
        return Rank(PROMOTION, int(promote(ctype) != ctype))  # its own integer suits an enumeration better
    return Rank(EXACT if promote(ctype) == ctype else PROMOTION)
