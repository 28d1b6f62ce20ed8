"""PTX's instructions on small matrices, of which each thread of a warp has a part: `mma.sync`, `ldmatrix` and others.

`lang/matrix_products` says which thread has what. Source: "Parallel Thread Execution ISA", "Warp-level Matrix
Instructions".
"""

from __future__ import annotations

from ....lang.builtins import WARP_SIZE
from ....lang.ctype import DOUBLE, FLOAT, INT, UINT, ULONGLONG, USHORT, Pointer, Scalar
from ....lang.matrix_products import MATRIX_PRODUCTS
from ....tree.nodes import BinaryOp, Convert, Deref, Expr, Place, Stmt
from ...parse.ptx_text import Instruction, PtxFault
from .arithmetic import Arithmetic
from .registers import builtin, is_shared, listed

_SUMS: dict[str, Scalar] = {"f64": DOUBLE, "f32": FLOAT, "f16": UINT, "s32": INT}
_COUNTS = {"x1": 1, "x2": 2, "x4": 4}


class Matrices(Arithmetic):
    """Translates instructions on matrices. The threads of a warp take part, all of them."""

    def do_mma(self, node: Instruction) -> list[Stmt] | None:
        """`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d...}, {a...}, {b...}, {c...};`"""
        words = [word for word in node.words[1:] if word != "kind::f8f6f4"]
        how = "".join(words.pop(words.index(word)) for word in ("satfinite", "xor", "and") if word in words)
        if how in ("xor", "and"):
            words.remove("popc")
        if words[:2] != ["sync", "aligned"] or len(words) != 9 or words[3:5] != ["row", "col"]:
            return None
        size, (to, left, right, total) = words[2], words[5:]
        matrix = MATRIX_PRODUCTS.get("_".join(part for part in (size, total, left, right, how) if part))
        if matrix is None or to != total or len(node.operands) != 4:
            return None
        groups = [listed(operand) for operand in node.operands]
        counts = matrix.registers
        if [len(group) for group in groups] != [counts[2], *counts]:
            raise PtxFault(f"'{node.opcode}' has {counts[2]}, {counts[0]}, {counts[1]} and {counts[2]} registers")
        factor, sums = DOUBLE if left == "f64" else UINT, _SUMS[total]
        kept = [self.kept("factor", self.value(name, factor)) for name in (*groups[1], *groups[2])]
        kept += [self.kept("sum", self.value(name, sums)) for name in groups[3]]
        b, made, results = self.build, [statement for _, statement in kept], list[Stmt]()
        for number, target in enumerate(groups[0]):
            operands = [b.read(variable) for variable, _ in kept]
            called = self.call_named(f"__s2s_mma_{matrix.name}_sync", number, *operands)
            found, statement = self.kept("sum", called)
            made.append(statement)
            results.append(self.assign(target, b.read(found)))
        return [*made, *results]

    def do_ldmatrix(self, node: Instruction) -> list[Stmt] | None:
        """`ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {d0, d1, d2, d3}, [row];`"""
        form = self.matrices(node)
        if form is None:
            return None
        count, transposed = form
        targets = listed(node.operands[0])
        if len(targets) != count:
            raise PtxFault(f"'{node.opcode}' has {count} register{'s' if count > 1 else ''}")
        row, statement = self.kept("row", self.place(node.operands[1], shared=is_shared(node.words)))
        made, results = [statement], list[Stmt]()
        name = "__s2s_ldmatrix_trans_sync" if transposed else "__s2s_ldmatrix_sync"
        for number, target in enumerate(targets):
            loaded, statement = self.kept("pair", self.call_named(name, number, self.build.read(row)))
            made.append(statement)
            results.append(self.assign(target, self.build.read(loaded)))
        return [*made, *results]

    def do_stmatrix(self, node: Instruction) -> list[Stmt] | None:
        """`stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [row], {d0, d1, d2, d3};`"""
        form = self.matrices(node)
        if form is None:
            return None
        count, transposed = form
        sources = listed(node.operands[1])
        if len(sources) != count:
            raise PtxFault(f"'{node.opcode}' has {count} register{'s' if count > 1 else ''}")
        row, statement = self.kept("row", self.place(node.operands[0], shared=is_shared(node.words)))
        b, made = self.build, [statement]
        for number, source in enumerate(sources):
            if not transposed:
                where = self.in_row(b.read(row), number, self.row(), self.column(), UINT)
                made.append(b.assign(where, self.value(source, UINT)))
                continue
            for half in range(2):
                line = b.binary(self.twice(self.column()), "+", b.number(INT, half))
                where = self.in_row(b.read(row), number, line, self.row(), USHORT)
                moved = b.binary(self.value(source, UINT), ">>", b.number(INT, 16 * half))
                made.append(b.assign(where, b.convert(USHORT, moved)))
        return made

    def matrices(self, node: Instruction) -> tuple[int, bool] | None:
        """Return how many matrices `ldmatrix` or `stmatrix` moves, and whether they are transposed."""
        words = [word for word in node.words[1:] if word != "shared::cta" and word != "shared"]
        transposed = "trans" in words
        if transposed:
            words.remove("trans")
        if len(words) != 5 or len(node.operands) != 2 or words[3] not in _COUNTS:
            return None
        return (_COUNTS[words[3]], transposed) if [*words[:3], words[4]] == ["sync", "aligned", "m8n8", "b16"] else None

    def do_movmatrix(self, node: Instruction) -> list[Stmt] | None:
        """`movmatrix.sync.aligned.m8n8.trans.b16 d, a;`"""
        if node.opcode != "movmatrix.sync.aligned.m8n8.trans.b16" or len(node.operands) != 2:
            return None
        b, (_, source) = self.build, node.operands
        given, statement = self.kept("pair", self.value(source, UINT))
        made: list[Stmt] = [statement]
        halves: list[Expr] = []
        for half in range(2):
            line = b.binary(self.twice(self.column()), "+", b.number(INT, half))
            lane = b.binary(self.times(line, 4), "+", b.binary(self.row(), ">>", b.number(INT, 1)))
            word, statement = self.kept("word", self.shuffled(b.read(given), lane))
            made.append(statement)
            odd = b.binary(self.row(), "&", b.number(INT, 1))
            moved = b.binary(b.read(word), ">>", self.times(odd, 16))
            halves.append(b.binary(moved, "&", b.number(UINT, 0xFFFF)))
        low, high = halves
        return [*made, *self.result(node, b.binary(low, "|", b.binary(high, "<<", b.number(INT, 16))))]

    # ------------------------------------------------------------------------------------------- helpers

    def call_named(self, name: str, number: int, *operands: Expr) -> Expr:
        """Return the call of a function of all lanes that gives register `number` of its result."""
        row = builtin(name)
        given = (self.build.number(UINT, (1 << WARP_SIZE) - 1), self.build.number(INT, number), *operands)
        return self.build.call_builtin(row, *(self.build.convert(p, v) for p, v in zip(row.params, given, strict=True)))

    def shuffled(self, value: Expr, lane: Expr) -> Expr:
        """Return another lane's value."""
        everyone = self.build.number(UINT, (1 << WARP_SIZE) - 1)
        return self.call("__shfl_sync", everyone, value, self.build.convert(INT, lane))

    def in_row(self, row: Expr, matrix: int, line: Expr, column: Expr, ctype: Scalar) -> Place:
        """Return the element `column` of a line of a matrix; `row` is the address that each lane gives of a row."""
        b = self.build
        start = self.shuffled(row, b.binary(line, "+", b.number(INT, 8 * matrix)))
        where = b.binary(start, "+", b.convert(ULONGLONG, self.times(column, ctype.size)))
        return Deref(self.span, ctype, Convert(self.span, Pointer(ctype), where, explicit=True))

    def row(self) -> Expr:
        """Return the row of this thread in a grid of eight by four."""
        return self.of_lane(">>", 2)

    def column(self) -> Expr:
        return self.of_lane("&", 3)

    def of_lane(self, op: BinaryOp, by: int) -> Expr:
        return self.build.binary(self.build.convert(INT, self.lane()), op, self.build.number(INT, by))

    def twice(self, value: Expr) -> Expr:
        return self.times(value, 2)

    def times(self, value: Expr, by: int) -> Expr:
        return self.build.binary(value, "*", self.build.number(INT, by))
