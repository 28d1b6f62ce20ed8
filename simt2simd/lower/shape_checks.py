"""Launches that end where they are: where a claim of the shape analysis does not hold (`--verify`), or at `__trap()`.

Under `--verify` the code is lowered as if nothing were known (`analysis/conservative_shapes`): every value a vector,
every branch divergent. Then each expression that was claimed uniform or affine is compared lane by lane with its claim
(`check`).
"""

from __future__ import annotations

from llvmlite import ir

from ..analysis.lattice import Kind, Shape, is_signed
from ..analysis.shapes import FunctionShapes
from ..simd import mask as masks
from ..simd.builder import I32, I64, bitcast, const, declare, element
from ..simd.mask import Mask
from ..simd.values import PTR, Value, constant_text, lane_constants, splat, vector
from ..tree import nodes as tree
from .frame import Frame, Parts


def check(f: Frame, claims: FunctionShapes, node: tree.Expr, value: Value | Parts, mask: Mask) -> None:
    """Emit the check of what was claimed of `node`."""
    known = claims.expressions.get(node)
    claimed = known if isinstance(known, tuple) else (known,)
    parts = value if isinstance(value, tuple) else (value,)
    if isinstance(node, tree.Constant) or len(parts) != len(claimed):
        return
    for part, shape in zip(parts, claimed, strict=True):
        if shape is not None and (shape.scalar or shape.rise) and part.varying:
            _check_scalar(f, node, part, shape, mask)


def _check_scalar(f: Frame, node: tree.Expr, value: Value, shape: Shape, mask: Mask) -> None:
    b = f.b
    lanes = vector(b, value)
    lane = element(lanes.type)
    if not isinstance(lane, ir.IntType):
        lane = I32 if lane == ir.FloatType() else I64
        lanes = bitcast(b, lanes, lane)
    last = masks.last_lane(b, mask)
    expected = splat(b, b.extract_element(lanes, last))
    distance = b.sub(lane_constants(I32, 1, f.lanes), splat(b, last))
    if lane.width != 32:
        distance = (b.sext if lane.width > 32 else b.trunc)(distance, lanes.type)
    if shape.rise:  # compared with the last lane, the others differ by a negative distance
        least, most = (b.add(expected, b.mul(distance, const(lanes.type, step))) for step in shape.rise)
        wrong = b.or_(b.icmp_signed(">", lanes, least), b.icmp_signed("<", lanes, most))
    else:
        expected = b.add(expected, b.mul(distance, const(lanes.type, shape.stride)))
        wrong = b.icmp_signed("!=", lanes, expected)
    if shape.multiple > 1:
        start = b.sub(lanes, b.mul(lane_constants(lane, 1, f.lanes), const(lanes.type, shape.stride)))
        rest = b.and_(start, const(lanes.type, shape.multiple - 1))
        wrong = b.or_(wrong, b.icmp_signed("!=", rest, const(lanes.type, 0)))
    if shape.limit is not None and shape.limit < 1 << lane.width:
        wrong = b.or_(wrong, b.icmp_unsigned(">=", lanes, const(lanes.type, shape.limit)))
    fail_if_any(f, masks.both(b, mask, wrong), f"{node.span}: a value claimed '{shape}' differs between active lanes")


def check_index(f: Frame, claims: FunctionShapes, node: tree.Expr, value: Value, mask: Mask) -> None:
    """Emit the check that an index of 32 bits does not wrap between active lanes, if that was claimed of `node`."""
    b, shape = f.b, claims.of(node)
    if shape.kind != Kind.AFFINE or not shape.exact or not value.varying:
        return
    last = splat(b, b.extract_element(value.ir, masks.last_lane(b, mask)))
    compare = b.icmp_signed if is_signed(value.type) else b.icmp_unsigned
    wrong = compare(">" if shape.stride > 0 else "<", value.ir, last)
    fail_if_any(f, masks.both(b, mask, wrong), f"{node.span}: an index claimed '{shape}' wraps between active lanes")


def fail_if_any(f: Frame, lanes: Mask, why: str) -> None:
    """End the launch with this message if any of `lanes` is on."""
    b = f.b
    fault, fine = f.block("claim.fault"), f.block("claim.holds")
    b.cbranch(masks.any_on(b, lanes), fault, fine)
    b.position_at_end(fault)
    fail = declare(b.module, "s2s_claim_failed", ir.VoidType(), [PTR, PTR])
    b.call(fail, [f.gang, constant_text(b.module, "claim", why)])
    b.branch(fine)
    b.position_at_end(fine)
