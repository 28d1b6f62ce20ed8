"""Debug information (DWARF, as LLVM's metadata): the lines of the source, and where its variables are.

A variable of a thread is shown as what the gang has of it: a scalar where all lanes have the same value, else a vector
with an element for each lane. `simt2simd gdb` picks the element of a thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ..abi import GANG, KERNEL, LAUNCH
from ..analysis.storage import Home
from ..lang.ctype import INT, Array, CType, Scalar, Struct
from ..options import Options
from ..source import Source, Span
from ..tree.nodes import Function, Variable
from .debug_types import DebugTypes, Kept, Node

GANG_VARIABLE = "s2s_this_gang"  # `command/gdb_threads` looks for it

_METADATA = ir.MetaDataType()
_UNSIGNED = Scalar("unsigned int", "int", 32, False)


def as_utf8(name: str) -> str:
    """Return a file's name as LLVM's text can hold it: a byte that is no UTF-8 becomes `\\xff`."""
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


class DebugInfo:
    """The debug information of one LLVM module."""

    def __init__(self, llvm: ir.Module, main: str, options: Options) -> None:
        self.llvm = llvm
        self.folder = options.debug_folder
        self.full = options.debug == "full"
        self.unit = llvm.add_debug_info(
            "DICompileUnit",
            {
                "language": ir.DIToken("DW_LANG_C_plus_plus_14"),
                "file": self.file(main),
                "producer": "simt2simd",
                "isOptimized": options.optimise > 0,
                "runtimeVersion": 0,
                "emissionKind": ir.DIToken("FullDebug" if self.full else "LineTablesOnly"),
            },
            is_distinct=True,
        )
        llvm.add_named_metadata("llvm.dbg.cu", self.unit)
        for name, version in (("Dwarf Version", 4), ("Debug Info Version", 3)):
            flag = [ir.Constant(ir.IntType(32), 2), name, ir.Constant(ir.IntType(32), version)]
            llvm.add_named_metadata("llvm.module.flags", flag)
        self.types = DebugTypes(llvm, self.unit)
        self.declare = ir.Function(
            llvm, ir.FunctionType(ir.VoidType(), [_METADATA] * 3), "llvm.dbg.declare"
        ) if self.full else None  # fmt: skip

    def file(self, name: str) -> Node:
        return self.llvm.add_debug_info("DIFile", {"filename": as_utf8(name), "directory": as_utf8(self.folder)})

    def function(self, made: ir.Function, shown: str, span: Span) -> FunctionDebug:
        """Say which function of the source a function of the module is."""
        nothing = self.llvm.add_metadata([None])
        subprogram = self.llvm.add_debug_info(
            "DISubprogram",
            {
                "name": shown,
                "linkageName": made.name,
                "scope": self.file(span.source.name),
                "file": self.file(span.source.name),
                "line": span.line,
                "type": self.llvm.add_debug_info("DISubroutineType", {"types": nothing}),
                "scopeLine": span.line,
                "spFlags": ir.DIToken("DISPFlagDefinition | DISPFlagLocalToUnit"),
                "unit": self.unit,
            },
            is_distinct=True,
        )
        made.set_metadata("dbg", subprogram)
        return FunctionDebug(self, subprogram, span)

    def complete(self, kernels: Sequence[Function]) -> None:
        """Give what was made beside the source's functions the lines of its kernel: LLVM asks for lines at calls."""
        for made in list(self.llvm.functions):
            if made.is_declaration:
                continue
            own = made.metadata.get("dbg")
            if own is None:
                kernel = next((one for one in kernels if one.name in made.name), None)
                if kernel is None:
                    continue
                own = self.function(made, kernel.shown or kernel.name, kernel.span).subprogram
            assert isinstance(own, ir.DIValue)
            line = dict(own.operands)["line"]
            start = self.llvm.add_debug_info("DILocation", {"line": line, "column": 0, "scope": own})
            for block in made.blocks:
                for instruction in block.instructions:
                    if "dbg" not in instruction.metadata:
                        instruction.set_metadata("dbg", start)


class FunctionDebug:
    """The debug information of one function of a module."""

    def __init__(self, info: DebugInfo, subprogram: Node, span: Span) -> None:
        self.info = info
        self.subprogram = subprogram
        self.span = span
        self.scopes: dict[Source, Node] = {span.source: subprogram}
        self.locations: dict[tuple[Source, int, int], Node] = {}

    def location(self, span: Span) -> Node:
        """Return the place of `span`, which may be in another file: that of a function that was put here."""
        key = (span.source, span.line, span.column)
        if key not in self.locations:
            operands = {"line": span.line, "column": span.column, "scope": self._scope(span.source)}
            self.locations[key] = self.info.llvm.add_debug_info("DILocation", operands)
        return self.locations[key]

    def _scope(self, source: Source) -> Node:
        if source not in self.scopes:
            operands = {"scope": self.subprogram, "file": self.info.file(source.name), "discriminator": 0}
            self.scopes[source] = self.info.llvm.add_debug_info("DILexicalBlockFile", operands)
        return self.scopes[source]

    # ---------------------------------------------------------------------------------------- variables

    def scalar(self, b: ir.IRBuilder, variable: Variable, offset: int, kept: Kept, home: ir.Value) -> None:
        """Say that `home` is where a scalar of a variable is, or its lanes."""
        name = variable.name + part_name(variable.type, offset)
        self._declare(b, variable, name, self.info.types.kept(kept), home)

    def object(self, b: ir.IRBuilder, variable: Variable, lanes: int, where: Home, home: ir.Value) -> None:
        """Say where in memory a variable is: one for all, or one for each lane, interleaved or one after the other."""
        types = self.info.types
        match where:
            case "interleaved":
                type_ = types.interleaved(variable.type, lanes)
            case "flat":
                type_ = types.array_of_copies(variable.type, lanes)
            case _:
                type_ = types.of(variable.type)
        self._declare(b, variable, variable.name, type_, home)

    def gang(self, b: ir.IRBuilder, gang: ir.Value) -> None:
        """Say where the gang's record is."""
        types = self.info.types
        number, pointer = types.of(_UNSIGNED), 64
        dim3 = types.members("dim3", 96, [(axis, 32 * i, 32, number) for i, axis in enumerate("xyz")])
        kernel = types.members("s2s_kernel", KERNEL.size * 8, [("lanes", KERNEL.offset["lanes"] * 8, 32, number)])
        launch = types.members(
            "s2s_launch",
            LAUNCH.size * 8,
            [
                ("block", LAUNCH.offset["block"] * 8, 96, dim3),
                ("kernel", LAUNCH.offset["kernel"] * 8, pointer, types.pointer(kernel)),
            ],
        )
        record = types.members(
            "s2s_gang",
            GANG.size * 8,
            [
                ("launch", GANG.offset["launch"] * 8, pointer, types.pointer(launch)),
                ("block", GANG.offset["block"] * 8, 96, dim3),
                ("first_thread", GANG.offset["first_thread"] * 8, 32, number),
            ],
        )
        self._declare(b, Variable(GANG_VARIABLE, INT, self.span, "local"), GANG_VARIABLE, record, gang)

    def _declare(self, b: ir.IRBuilder, variable: Variable, name: str, type_: Node | None, home: ir.Value) -> None:
        info = self.info
        if info.declare is None or not variable.span.line:
            return
        operands = {
            "name": name,
            "scope": self._scope(variable.span.source),
            "file": info.file(variable.span.source.name),
            "line": variable.span.line,
            "type": type_,
        }
        described = info.llvm.add_debug_info("DILocalVariable", operands)
        b.call(info.declare, [home, described, info.llvm.add_debug_info("DIExpression", {})])


def part_name(ctype: CType, offset: int) -> str:
    """Return how the scalar at an offset is reached from an object: `.x`, `[2].y`."""
    match ctype:
        case Struct():
            for field in reversed(ctype.fields or ()):
                if field.offset <= offset:
                    return (f".{field.name}" if field.name else "") + part_name(field.type, offset - field.offset)
        case Array(element=element):
            number = offset // element.size
            return f"[{number}]" + part_name(element, offset - number * element.size)
    return ""
