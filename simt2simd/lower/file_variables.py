"""Variables at file scope that host code knows too: ordinary memory of the program, under names that both sides know.

    __device__ int count = 1;                  @s2s_variable_count_MARK = hidden global [4 x i8] c"\01..."
    __constant__ const int *where = &count;    ... <{ ptr }> <{ ptr @s2s_variable_count_MARK }>

The host part declares them `extern` by the same names (`host/variables`). A table in a section of its own gives the
runtime their addresses and sizes.
"""

from __future__ import annotations

from collections.abc import Mapping

from llvmlite import ir

from .. import abi
from ..simd.builder import I8, I64
from ..simd.values import PTR, opaque
from ..tree.nodes import Content, Module, Variable

Globals = Mapping[Variable, ir.GlobalVariable]


def declare(llvm: ir.Module, module: Module, constants: Globals) -> dict[Variable, ir.GlobalVariable]:
    """Make data of `module.variables`; return these and `constants`, to which they may point."""
    found = dict(constants)
    for variable, content in module.variables.items():
        item = ir.GlobalVariable(llvm, _type(variable, content), _symbol(variable, module))
        item.align = max(64, variable.type.align, variable.align)
        if variable.qualified:
            item.storage_class = "hidden"
        else:
            item.linkage = "internal"
            item.global_constant = not variable.space
        found[variable] = item
    for variable, content in module.variables.items():
        found[variable].initializer = _data(found[variable].value_type, content, found)
    for variable in module.variables:
        opaque(found[variable])
    _table(llvm, module, found)
    return found


def _symbol(variable: Variable, module: Module) -> str:
    if not variable.qualified:
        return f"data_{variable.name}"
    return variable.symbol or abi.variable_symbol(variable.qualified, module.name)


def _type(variable: Variable, content: Content) -> ir.Type:
    """Return the type of a variable's data: bytes, with pointers between them where its content has addresses."""
    if not content.addresses:
        return ir.ArrayType(I8, variable.type.size)
    parts = [PTR if isinstance(part, tuple) else ir.ArrayType(I8, len(part)) for part in _parts(content)]
    return ir.LiteralStructType(parts, packed=True)


def _data(type_: ir.Type, content: Content, found: Globals) -> ir.Constant:
    if not content.data:
        return ir.Constant(type_, None)
    if not content.addresses:
        return ir.Constant(type_, bytearray(content.data))
    parts = [
        _address(found[part[1]], part[2])
        if isinstance(part, tuple)
        else ir.Constant(ir.ArrayType(I8, len(part)), bytearray(part))
        for part in _parts(content)
    ]
    return ir.Constant(type_, parts)


def _parts(content: Content) -> list[bytes | tuple[int, Variable, int]]:
    parts: list[bytes | tuple[int, Variable, int]] = []
    end = 0
    for address in sorted(content.addresses, key=lambda item: item[0]):
        parts += [content.data[end : address[0]], address]
        end = address[0] + 8
    return [part for part in (*parts, content.data[end:]) if part]


def _address(target: ir.GlobalVariable, by: int) -> ir.Constant:
    return ir.FormattedConstant(PTR, f"getelementptr (i8, ptr {target.get_reference()}, i64 {by})")


def _table(llvm: ir.Module, module: Module, found: Globals) -> None:
    """Make an `s2s_variable` for each variable that the host knows."""
    known = [variable for variable in module.variables if variable.qualified]
    if not known:
        return
    type_ = ir.ArrayType(ir.LiteralStructType([PTR, I64]), len(known))
    rows = [[_address(found[variable], 0), ir.Constant(I64, variable.type.size)] for variable in known]
    table = ir.GlobalVariable(llvm, type_, abi.variables_symbol(module.name))
    table.initializer = ir.Constant(type_, [ir.Constant(type_.element, row) for row in rows])
    table.storage_class = "hidden"
    table.section = abi.VARIABLES_SECTION
