"""Checking launches of child kernels in device code, and the names of CUDA's runtime there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....lang.compiler_calls import CONFIGURATION, launch
from ....lang.ctype import ULONG, VOID, Pointer, kinds_of_leaves
from ....lang.device_runtime import NAMED_STREAMS, RUNTIME_CONSTANTS, STREAM
from ....source import Span
from ....tree.effects import root
from ....tree.nodes import AddressOf, BuiltinCall, Call, Constant, Convert, Decay, Expr, PointerAdd, Variable
from ...parse import cxx
from ...parse.words import Node
from ..context import Part
from ..scopes import Reported

_MOST = 4  # grid, block, shared memory and stream


class Launches(Part):
    """The checker's part for launches of child kernels."""

    def launch(self, node: cxx.Launch) -> Expr:
        """Check `kernel<<<grid, block, shared, stream>>>(...)`; the arguments are those of a call."""
        configuration = self._configuration(node.configuration, node.coord)
        with self.s.at(replace(self.s.here, launched=node.called.coord)):
            called = self.s.calls.call(node.called)
        if (
            not isinstance(called, Call)
            or called.span is not node.called.coord
            or called.function not in self.s.calls.kernels
        ):
            help = "name the kernel, and choose among several by 'if' or 'switch'"
            self.fail(node.coord, "device code can launch a kernel only by its name", help=help)
        for number, arg in enumerate(called.args):
            self._require_visible(arg, number)
            if any(leaf.size > ULONG.size for leaf in kinds_of_leaves(arg.type)):
                what = f"a child kernel cannot have a parameter of type '{arg.type}', which has scalars of 128 bits"
                self.fail(arg.span, what, help="pass a pointer to it, or its halves")
        row = launch(called.function, tuple(arg.type for arg in called.args))
        return BuiltinCall(node.coord, VOID, row, (*configuration, *called.args))

    def _configuration(self, nodes: Sequence[Node], span: Span) -> list[Expr]:
        """Return the grid, the block, the bytes of dynamic shared memory and the stream."""
        if not 2 <= len(nodes) <= _MOST:
            help = "kernel<<<grid, block>>>(...) or kernel<<<grid, block, shared_bytes, stream>>>(...)"
            self.fail(span, f"an execution configuration has 2 to 4 parts, not {len(nodes)}", help=help)
        found: list[Expr] = []
        faulty = False
        names = ("the grid", "the block", "the size of shared memory", "the stream")
        for arg, ctype, name in zip(self.s.calls.arguments.arguments(nodes), CONFIGURATION, names, strict=False):
            try:
                found.append(self.s.calls.arguments.converted(arg, ctype, f"in {name} of a launch"))
            except Reported:
                faulty = True
        if faulty:
            raise Reported
        for ctype in CONFIGURATION[len(found) :]:
            found.append(Constant(span, ctype, 0))
        return found

    def _require_visible(self, arg: Expr, number: int) -> None:
        """Fail for the address of a variable that a child cannot see."""
        variable = _named_by(arg)
        if variable is None or variable.storage not in ("local", "param", "shared"):
            return
        whose = "shared memory" if variable.storage == "shared" else "a variable of its own"
        help = "let it lie in global memory: a `__device__` variable, or memory of 'malloc' or 'cudaMalloc'"
        what = f"'{variable.name}' in argument {number + 1} is {whose} of the parent: its child cannot see that"
        self.fail(arg.span, what, help=help)

    def runtime_constant(self, name: str, span: Span) -> Expr | None:
        """Return what a name of CUDA's runtime denotes, None for others."""
        if name in RUNTIME_CONSTANTS:
            ctype, value = RUNTIME_CONSTANTS[name]
            return Constant(span, ctype, value)
        if name in NAMED_STREAMS:
            return Convert(span, STREAM, Constant(span, ULONG, NAMED_STREAMS[name]), explicit=True)
        return None


def _named_by(arg: Expr) -> Variable | None:
    """Return the variable to which, or into which, the address `arg` leads."""
    match arg:
        case AddressOf(place=place) | Decay(place=place):
            return root(place)
        case Convert(operand=operand) if isinstance(operand.type, Pointer):
            return _named_by(operand)
        case PointerAdd(pointer=pointer):
            return _named_by(pointer)
        case _:
            return None
