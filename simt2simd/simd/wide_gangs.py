"""Sixteen lanes of a gang that has more: accesses and atomics of wide gangs go part by part."""

from __future__ import annotations

from dataclasses import replace

from llvmlite import ir

from ..target import LANES
from . import mask as masks
from .address import Address
from .builder import const, slice_lanes
from .mask import Mask
from .values import PTR, Value, move


def mask_part(b: ir.IRBuilder, mask: Mask, i: int) -> Mask:
    """Lanes 16 * i to 16 * i + 15 of a mask; perhaps none of them is on."""
    if mask.all_on:
        return Mask(masks.all_lanes(LANES))
    return Mask(slice_lanes(b, mask.lanes, LANES * i, LANES), maybe_empty=True)


def value_part(b: ir.IRBuilder, value: Value, i: int) -> Value:
    """Lanes 16 * i to 16 * i + 15 of a value."""
    if value.varying:
        return replace(value, ir=slice_lanes(b, value.ir, LANES * i, LANES))
    if not value.stride:
        return value
    distance = LANES * i * value.stride
    first = value.ir
    moved = move(b, first, distance) if first.type == PTR else b.add(first, const(first.type, distance))
    return replace(value, ir=moved)


def address_part(b: ir.IRBuilder, address: Address, i: int) -> Address:
    """Lanes 16 * i to 16 * i + 15 of an address."""
    if address.wide is not None:
        return replace(address, wide=slice_lanes(b, address.wide, LANES * i, LANES))
    if address.offsets is not None:
        return replace(address, offsets=slice_lanes(b, address.offsets, LANES * i, LANES))
    return replace(address, base=move(b, address.start, LANES * i * address.stride))
