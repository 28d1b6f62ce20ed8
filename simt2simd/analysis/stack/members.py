"""Stacks of structs, written and read member by member: the loop means the same.

    stack[top++] = {left(n), d};            stack[top].node = left(n); stack[top].d = d; top++;
    const Entry e = stack[--top];           --top; const int e_node = stack[top].node; ...
    n = e.node;                             n = e_node;

Then each member is a part of an entry: the node of it may be the same in all lanes, whatever comes with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...lang.ctype import Array, Pointer, Scalar, Struct
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.nodes import Loop, Variable
from ...tree.rewrite import copied, replaced
from ...tree.walk import map_children, walk
from .accesses import moved_by, offset_of, references


def by_members(
    loop: Loop, top: Variable, before: Sequence[tree.Stmt], live: frozenset[Variable]
) -> tuple[Loop, list[tree.Stmt]]:
    """Return the loop over the stack with the index or pointer `top`, and the statements before it, by members.

    They stay as they are if something else is done with whole entries. `live` are the variables that are read later.
    """
    members = _Members(top, live, [*before, loop])
    if not members.are_divisible():
        return loop, list(before)
    body = replace(loop.body, statements=tuple(members.statements(loop.body.statements)))
    new = replace(loop, body=body)
    setup = [members.grouped(node) for node in members.divided(before)]
    return new, setup


@dataclass(eq=False)
class _Members:
    top: Variable
    live: frozenset[Variable]
    parts: Sequence[tree.Stmt]
    popped: dict[Variable, dict[int, Variable]] = field(default_factory=dict)  # variables of members, by their offsets

    def element(self, place: tree.Node) -> bool:
        """Whether a place is an entry of the stack, of a struct that can be divided."""
        if not isinstance(place, tree.Index | tree.Deref) or not _is_divisible(place.type):
            return False
        if isinstance(place, tree.Deref):
            return isinstance(self.top.type, Pointer) and offset_of(place.pointer, self.top) is not None
        match place.pointer:
            case tree.Decay(place=tree.VarRef(variable=variable)) if isinstance(variable.type, Array):
                return variable.storage == "local" and offset_of(place.index, self.top) is not None
        return isinstance(self.top.type, Pointer) and offset_of(place.pointer, self.top) is not None

    def are_divisible(self) -> bool:
        """Whether entries are only written whole, or popped into variables that are only used by members."""
        found = False
        uses: dict[Variable, int] = {}
        for part in self.parts:
            for node in walk(part):
                match node:
                    case tree.Declare(variable=variable, initial=tree.Load(place=place)) if self.element(place):
                        if not self.is_by_members(variable):
                            return False
                        uses[variable] = uses.get(variable, 0) + 1
                    case tree.Evaluate(expr=tree.Assign(place=place)) if self.element(place):
                        found = True
        if any(count > 1 for count in uses.values()):
            return False
        nodes = [node for part in self.parts for node in walk(part)]
        read = [node for node in nodes if isinstance(node, tree.Load) and self.element(node.place)]
        written = [node for node in nodes if isinstance(node, tree.Assign) and self.element(node.place)]
        alone = [node.expr for node in nodes if isinstance(node, tree.Evaluate) and node.expr in written]
        known = all(self.values([], node.value) is not None for node in written)
        return found and known and len(read) == len(uses) and len(written) == len(alone)

    def is_by_members(self, variable: Variable) -> bool:
        if variable in self.live or not _is_divisible(variable.type):
            return False
        all_uses = sum(1 for part in self.parts for below in references(part) if below.variable is variable)
        members = sum(1 for part in self.parts for node in walk(part) if isinstance(node, tree.Member)
                      and isinstance(node.base, tree.VarRef) and node.base.variable is variable)  # fmt: skip
        return all_uses == members

    # ------------------------------------------------------------------------------------------ statements

    def grouped(self, nodes: Sequence[tree.Stmt]) -> tree.Stmt:
        return nodes[0] if len(nodes) == 1 else tree.Block(nodes[0].span, tuple(nodes))

    def divided(self, statements: Sequence[tree.Stmt]) -> list[list[tree.Stmt]]:
        """Return what each statement becomes, which is one or several."""
        return [self.statements([node]) for node in statements]

    def statements(self, statements: Sequence[tree.Stmt]) -> list[tree.Stmt]:
        new: list[tree.Stmt] = []
        for node in statements:
            match node:
                case tree.Evaluate(expr=tree.Assign(place=place, value=value)) if self.element(place):
                    values = self.values(new, value)
                    assert values is not None
                    new += self.push(place, values)
                case tree.Declare(variable=variable, initial=tree.Load(place=place)) if self.element(place):
                    new += self.pop(node, variable, place)
                case _:
                    new.append(self.changed(node))
        return self.into_variables(new)

    def changed(self, node: Any) -> Any:
        match node:
            case tree.Block(statements=statements):
                return replace(node, statements=tuple(self.statements(statements)))
            case tree.Member(base=tree.VarRef(variable=variable), offset=offset) if variable in self.popped:
                return Build(node.span).place(self.popped[variable][offset])
        return map_children(node, self.changed)

    def values(self, before: list[tree.Stmt], value: tree.Expr) -> list[tree.Expr] | None:
        """Return the members of a struct in their order. What only served to make it goes from the end of `before`."""
        ctype = value.type
        assert isinstance(ctype, Struct)
        assigns: list[tree.Expr] = []
        while isinstance(value, tree.Comma):
            assigns.append(value.left)
            value = value.right
        if not (isinstance(value, tree.Load) and isinstance(value.place, tree.VarRef)):
            return None
        literal = value.place.variable
        uses = sum(1 for part in self.parts for below in references(part) if below.variable is literal)
        fields = [part.offset for part in ctype.fields or ()]
        if not assigns:
            taken: list[tree.Expr] = []
            for node in reversed(before):
                if not isinstance(node, tree.Evaluate) or _member_of(node.expr, literal) is None:
                    break
                taken.insert(0, node.expr)
            if uses == len(taken) + 1 and [_member_of(node, literal) for node in taken] == fields:
                del before[len(before) - len(taken) :]
                if before and isinstance(before[-1], tree.Declare) and before[-1].variable is literal:
                    before.pop()
                return [self.changed(node.value) for node in taken if isinstance(node, tree.Assign)]
            build = Build(value.span)
            return [
                self.changed(tree.Load(value.span, part.type, build.member(build.place(literal), part)))
                for part in ctype.fields or ()
            ]
        if uses != len(assigns) + 1 or [_member_of(node, literal) for node in assigns] != fields:
            return None
        if before and isinstance(before[-1], tree.Declare) and before[-1].variable is literal:
            before.pop()
        return [self.changed(node.value) for node in assigns if isinstance(node, tree.Assign)]

    def push(self, place: tree.Place, values: Sequence[tree.Expr]) -> list[tree.Stmt]:
        build, (plain, move, first) = Build(place.span), self.unmoved(place)
        assert isinstance(place.type, Struct)
        stores: list[tree.Stmt] = [
            build.assign(build.member(copied(plain), part), value)
            for part, value in zip(place.type.fields or (), values, strict=True)
        ]
        return [*move, *stores] if first else [*stores, *move]

    def pop(self, node: tree.Declare, variable: Variable, place: tree.Place) -> list[tree.Stmt]:
        build, (plain, move, first) = Build(node.span), self.unmoved(place)
        assert isinstance(place.type, Struct)
        parts = {part.offset: replace(variable, name=f"{variable.name}_{part.name}", type=part.type)
                 for part in place.type.fields or ()}  # fmt: skip
        self.popped[variable] = parts
        reads: list[tree.Stmt] = [
            build.declare(parts[part.offset], tree.Load(node.span, part.type, build.member(copied(plain), part)))
            for part in place.type.fields or ()
        ]
        return [*move, *reads] if first else [*reads, *move]

    def unmoved(self, place: tree.Place) -> tuple[tree.Place, list[tree.Stmt], bool]:
        """Return a place that does not move `top`, and what does; whether that comes first."""
        moves = [node for node in walk(place) if (found := moved_by(node)) is not None and found[0] is self.top]
        if not moves:
            return place, [], False
        (move,) = moves
        assert isinstance(move, tree.Increment)
        read = Build(move.span).read(self.top)
        return replaced(place, move, read), [tree.Evaluate(move.span, move)], move.prefix

    def into_variables(self, statements: list[tree.Stmt]) -> list[tree.Stmt]:
        """Pop into the variables that keep the node where those of an entry are only copied to them."""
        new = list(statements)
        own = {part for parts in self.popped.values() for part in parts.values()}
        for i, node in enumerate(statements):
            match node:
                case tree.Evaluate(
                    expr=tree.Assign(place=tree.VarRef(variable=to), value=tree.Load(place=tree.VarRef(variable=part)))
                ) if part in own and to.type == part.type:
                    if sum(1 for below in statements for ref in references(below) if ref.variable is part) != 1:
                        continue
                    for at, declared in enumerate(new):
                        between = new[at + 1 : i]
                        if (
                            isinstance(declared, tree.Declare) and declared.variable is part
                            and isinstance(declared.initial, tree.Load) and all(map(self.is_of_pop, between))
                        ):  # fmt: skip
                            new[at] = Build(node.span).assign(to, declared.initial)
                            new[i] = tree.Block(node.span, ())
        return [node for node in new if not (isinstance(node, tree.Block) and not node.statements)]

    def is_of_pop(self, node: tree.Stmt) -> bool:
        """Whether a statement takes a member of an entry, or moves `top`, and nothing else."""
        match node:
            case tree.Block(statements=()):
                return True
            case tree.Declare(initial=tree.Load(place=tree.Member(base=base))):
                return self.element(base)
            case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(), value=tree.Load(place=tree.Member(base=base)))):
                return self.element(base)
            case tree.Evaluate(expr=expr):
                move = moved_by(expr)
                return move is not None and move[0] is self.top
        return False


def _is_divisible(ctype: Any) -> bool:
    """Whether a struct has only numbers and pointers as members."""
    return isinstance(ctype, Struct) and not ctype.union and bool(ctype.fields) and all(
        isinstance(part.type, Scalar | Pointer) and not part.volatile for part in ctype.fields or ()
    )  # fmt: skip


def _member_of(node: tree.Expr, variable: Variable) -> int | None:
    """Return the offset of the member of a struct to which an expression assigns."""
    match node:
        case tree.Assign(place=tree.Member(base=tree.VarRef(variable=base), offset=offset)) if base is variable:
            return offset
    return None
