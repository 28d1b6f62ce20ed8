"""PTX's instructions for the threads of a warp: shuffles, votes, matches and reductions.

Source: "Parallel Thread Execution ISA", `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync` and so on.
"""

from __future__ import annotations

from ....lang.builtins import WARP_SIZE
from ....lang.ctype import BOOL, INT, UINT, ULONGLONG, Scalar
from ....tree.nodes import Binary, Constant, Expr, Stmt, Unary, Variable
from ...parse.ptx_text import Instruction, PtxFault
from .arithmetic import Arithmetic
from .registers import TYPES

_SHUFFLES = {"up": "__shfl_up_sync", "down": "__shfl_down_sync", "bfly": "__shfl_xor_sync", "idx": "__shfl_sync"}
_VOTES = {"all": "__all_sync", "any": "__any_sync", "uni": "__uni_sync"}
_LANE = WARP_SIZE - 1


class Warps(Arithmetic):
    """Translates what threads of a warp do together. The last operand says which of them."""

    def do_shfl(self, node: Instruction) -> list[Stmt] | None:
        """`shfl.sync.up.b32 d|p, a, b, c, lanes;`, where c has the limit and the bits that choose a segment."""
        if len(node.words) != 4 or node.words[1] != "sync" or node.words[2] not in _SHUFFLES:
            return None
        if self.operand_type(node, 5) != UINT:
            return None
        b, kind = self.build, node.words[2]
        target, _, predicate = node.operands[0].partition("|")
        made: list[Stmt] = []

        def kept(name: str, value: Expr) -> Variable:
            variable, statement = self.kept(name, value)
            made.append(statement)
            return variable

        word, by, how, lanes = (self.value(operand, UINT) for operand in node.operands[1:])
        moved, named = kept("word", word), kept("lanes", lanes)
        usual = isinstance(how, Constant) and int(how.value) & _LANE == (0 if kind == "up" else _LANE)
        if usual and not predicate:
            assert isinstance(how, Constant)
            width = WARP_SIZE - (int(how.value) >> 8 & _LANE)
            distance = b.convert(UINT if kind in ("up", "down") else INT, by)
            given = (b.read(named), b.read(moved), distance, b.number(INT, width))
            return [*made, self.assign(target, self.call(_SHUFFLES[kind], *given))]
        low, limit = b.number(UINT, _LANE), kept("how", how)
        distance_of = kept("by", b.binary(by, "&", low))
        segment = kept("segment", b.binary(b.binary(b.read(limit), ">>", b.number(INT, 8)), "&", b.number(UINT, _LANE)))
        here = kept("lane", self.lane())
        outside = Unary(self.span, UINT, "~", b.read(segment))
        first = kept("first", b.binary(b.read(here), "&", b.read(segment)))
        offset = b.binary(b.binary(b.read(limit), "&", b.number(UINT, _LANE)), "&", outside)
        last = kept("last", b.binary(b.read(first), "|", offset))
        place = kept("place", b.convert(INT, self.place_of(kind, here, distance_of, first, segment)))
        end = b.convert(INT, b.read(last))
        inside = kept("inside", Binary(self.span, BOOL, ">=" if kind == "up" else "<=", b.read(place), end))
        source = b.choose(b.read(inside), b.read(place), b.convert(INT, b.read(here)))
        made.append(self.assign(target, self.call("__shfl_sync", b.read(named), b.read(moved), source)))
        if predicate:
            made.append(self.assign(predicate, b.read(inside)))
        return made

    def place_of(self, kind: str, here: Variable, by: Variable, first: Variable, segment: Variable) -> Expr:
        b = self.build
        match kind:
            case "up":
                return b.binary(b.read(here), "-", b.read(by))
            case "down":
                return b.binary(b.read(here), "+", b.read(by))
            case "bfly":
                return b.binary(b.read(here), "^", b.read(by))
        outside = Unary(self.span, UINT, "~", b.read(segment))
        return b.binary(b.read(first), "|", b.binary(b.read(by), "&", outside))

    def do_vote(self, node: Instruction) -> list[Stmt] | None:
        """`vote.sync.any.pred p, q, lanes;` and `vote.sync.ballot.b32 d, q, lanes;`"""
        if len(node.words) != 4 or node.words[1] != "sync" or len(node.operands) != 3:
            return None
        b, (target, vote, lanes) = self.build, node.operands
        yes = self.value(vote.removeprefix("!"), BOOL)
        said = b.convert(INT, b.negate(yes) if vote.startswith("!") else yes)
        named = self.value(lanes, UINT)
        if node.words[2:] == ("ballot", "b32"):
            return [self.assign(target, self.call("__ballot_sync", named, said))]
        if node.words[3] != "pred" or node.words[2] not in _VOTES:
            return None
        return [self.assign(target, b.convert(BOOL, self.call(_VOTES[node.words[2]], named, said)))]

    def do_activemask(self, node: Instruction) -> list[Stmt] | None:
        return self.result(node, self.call("__activemask")) if node.opcode == "activemask.b32" else None

    def do_match(self, node: Instruction) -> list[Stmt] | None:
        """`match.any.sync.b32 d, a, lanes;` and `match.all.sync.b32 d|p, a, lanes;`"""
        ctype = self.operand_type(node, 3)
        if ctype not in (UINT, ULONGLONG) or node.words[1:-1] not in (("any", "sync"), ("all", "sync")):
            return None
        assert ctype is not None
        b = self.build
        target, _, predicate = node.operands[0].partition("|")
        named, first = self.kept("lanes", self.value(node.operands[2], UINT))
        like, second = self.kept(
            "alike", self.call("__match_any_sync", b.read(named), self.value(node.operands[1], ctype))
        )
        if node.words[1] == "any":
            return [first, second, self.assign(target, b.read(like))]
        here, third = self.kept("here", self.call("__ballot_sync", b.read(named), b.number(INT, 1)))
        same, fourth = self.kept("same", b.binary(b.read(like), "==", b.read(here)))
        made = [first, second, third, fourth]
        made.append(self.assign(target, b.choose(b.read(same), b.read(here), b.number(UINT, 0))))
        return [*made, self.assign(predicate, b.read(same))] if predicate else made

    def do_redux(self, node: Instruction) -> list[Stmt] | None:
        """`redux.sync.add.s32 d, a, lanes;`"""
        if len(node.words) != 4 or node.words[1] != "sync" or len(node.operands) != 3:
            return None
        kinds: dict[str, tuple[Scalar, ...]] = {"add": (INT, UINT), "min": (INT, UINT), "max": (INT, UINT)}
        word, ctype = node.words[2], TYPES.get(node.words[3])
        bits = word in ("and", "or", "xor") and node.words[3] == "b32"
        if not bits and (ctype not in kinds.get(word, ()) or node.words[3] == "b32"):
            return None
        assert ctype is not None
        value, lanes = node.operands[1:]
        return self.result(node, self.call(f"__reduce_{word}_sync", self.value(lanes, UINT), self.value(value, ctype)))

    def do_elect(self, node: Instruction) -> list[Stmt] | None:
        """`elect.sync d|p, lanes;`: the first of them is it."""
        if node.opcode != "elect.sync" or len(node.operands) != 2:
            return None
        b = self.build
        target, _, predicate = node.operands[0].partition("|")
        if not predicate:
            raise PtxFault("'elect.sync' has two results, a register and a predicate")
        here, first = self.kept(
            "here", self.call("__ballot_sync", self.value(node.operands[1], UINT), b.number(INT, 1))
        )
        number = self.call("__ffs", b.convert(INT, b.read(here)))
        leader, second = self.kept("leader", b.convert(UINT, b.binary(number, "-", b.number(INT, 1))))
        chosen = b.binary(b.read(leader), "==", self.lane())
        return [first, second, self.assign(target, b.read(leader)), self.assign(predicate, chosen)]
