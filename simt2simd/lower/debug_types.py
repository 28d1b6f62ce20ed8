"""Debug information of types: C types, and what the lanes of a gang hold together."""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from ..lang.ctype import BOOL, DOUBLE, LONG_DOUBLE, Array, CType, FunctionType, Pointer, Scalar, Struct, innermost

_ENCODING = {"bool": "DW_ATE_boolean", "float": "DW_ATE_float"}
Node = ir.DIValue


@dataclass(frozen=True)
class Kept:
    """How a gang holds a scalar of a variable: once, lane 0's where each lane has `stride` more, or a vector."""

    leaf: Scalar | Pointer
    stride: int
    lanes: int  # of the vector; 0: the scalar alone


class DebugTypes:
    """The descriptions of types in one LLVM module, each made once."""

    def __init__(self, llvm: ir.Module, scope: Node) -> None:
        self.llvm = llvm
        self.scope = scope  # the compile unit

    def of(self, ctype: CType) -> Node | None:
        """Return a C type as each thread has it; None for `void`."""
        match ctype:
            case Scalar():
                return self._scalar(ctype)
            case Pointer(target=target):
                below = self._declared(target) if isinstance(innermost(target), Struct) else self.of(target)
                return self._made("DIDerivedType", tag="DW_TAG_pointer_type", baseType=below, size=64)
            case Array(element=element, count=count):
                return self._array(self.of(element), ctype.size, count)
            case Struct():
                return self._struct(ctype)
            case FunctionType():
                return None

    def kept(self, kept: Kept) -> Node | None:
        """Return what is kept of a scalar of a variable."""
        leaf = kept.leaf
        if kept.lanes:
            return self._in_lanes(leaf, kept.lanes)
        if kept.stride:
            name = f"{leaf}, {kept.stride:+} a lane"
            return self._made("DIDerivedType", tag="DW_TAG_typedef", name=name, baseType=self.of(leaf))
        return self.of(leaf)

    def interleaved(self, ctype: CType, lanes: int) -> Node | None:
        """Return an object of each lane whose scalars lie beside those of the other lanes."""
        match ctype:
            case Array(element=element, count=count):
                return self._array(self.interleaved(element, lanes), ctype.size * lanes, count)
            case Struct():
                members = [
                    (one.name, one.offset * lanes * 8, one.type.size * lanes * 8, self.interleaved(one.type, lanes))
                    for one in ctype.fields or ()
                ]
                return self.members(str(ctype), ctype.size * lanes * 8, members)
            case Scalar() | Pointer():
                return self._in_lanes(ctype, lanes)
        return None

    def members(self, name: str, bits: int, members: list[tuple[str, int, int, Node | None]]) -> Node:
        """Return a struct of these members: name, offset in bits, size in bits, type."""
        made = [
            self._made("DIDerivedType", tag="DW_TAG_member", name=member, baseType=type_, size=size, offset=offset)
            for member, offset, size, type_ in members
        ]
        elements = self.llvm.add_metadata(made)
        return self._made("DICompositeType", tag="DW_TAG_structure_type", name=name, size=bits, elements=elements)

    def array_of_copies(self, ctype: CType, lanes: int) -> Node:
        """Return the type of an object of which each lane has a copy, one after the other: its name says so."""
        copies = self._array(self.of(ctype), ctype.size * lanes, lanes)
        return self._made("DIDerivedType", tag="DW_TAG_typedef", name=f"{ctype}, one a lane", baseType=copies)

    def pointer(self, target: Node) -> Node:
        """Return a pointer to what is described already."""
        return self._made("DIDerivedType", tag="DW_TAG_pointer_type", baseType=target, size=64)

    def _in_lanes(self, leaf: Scalar | Pointer, lanes: int) -> Node | None:
        """Return a vector with a scalar for each lane."""
        if leaf == BOOL:
            unsigned = ir.DIToken("DW_ATE_unsigned")
            return self._made("DIBasicType", name="bool, a bit a lane", size=lanes, encoding=unsigned)
        leaf = DOUBLE if leaf == LONG_DOUBLE else leaf
        return self._array(self.of(leaf), leaf.size * lanes, lanes, vector=True)

    def _scalar(self, ctype: Scalar) -> Node | None:
        if not ctype.bits:
            return None
        if ctype == LONG_DOUBLE:
            return self.members(str(ctype), ctype.size * 8, [("value", 0, DOUBLE.size * 8, self.of(DOUBLE))])
        signed = "DW_ATE_signed" if ctype.signed else "DW_ATE_unsigned"
        if ctype.bits == 8 and ctype != BOOL:
            signed += "_char"
        encoding = _ENCODING.get(ctype.kind, signed)
        return self._made("DIBasicType", name=str(ctype), size=ctype.size * 8, encoding=ir.DIToken(encoding))

    def _declared(self, target: CType) -> Node | None:
        """Return what a pointer leads to: of a struct only its name, which its definition need not be known for."""
        match target:
            case Struct():
                tag = f"DW_TAG_{'union' if target.union else 'structure'}_type"
                flags = ir.DIToken("DIFlagFwdDecl")
                return self._made("DICompositeType", tag=tag, name=str(target), flags=flags)
            case Pointer(target=below):
                return self._made("DIDerivedType", tag="DW_TAG_pointer_type", baseType=self._declared(below), size=64)
            case Array(element=element, count=count):
                return self._array(self._declared(element), target.size, count)
        return self.of(target)

    def _struct(self, struct: Struct) -> Node:
        members = [
            (field.name, field.offset * 8, field.type.size * 8, self.of(field.type)) for field in struct.fields or ()
        ]
        return self.members(str(struct), struct.size * 8, members)

    def _array(self, element: Node | None, size: int, count: int, *, vector: bool = False) -> Node:
        count_of = self.llvm.add_debug_info("DISubrange", {"count": count})
        more = {"flags": ir.DIToken("DIFlagVector")} if vector else {}
        return self._made(
            "DICompositeType",
            tag="DW_TAG_array_type",
            baseType=element,
            size=size * 8,
            elements=self.llvm.add_metadata([count_of]),
            **more,
        )

    def _made(self, kind: str, *, tag: str = "", **operands: object) -> Node:
        if tag:
            operands["tag"] = ir.DIToken(tag)
        return self.llvm.add_debug_info(kind, operands)
