"""An optimised module as LLVM has it and as text: each form is made of the other one when it is asked for.

The passes after LLVM's rewrite text, because llvmlite reads LLVM's modules but cannot change them. What one pass has
read of a function, the next one finds there, and LLVM reads the text once, after all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import zip_longest

import llvmlite.binding as llvm

from ..options import Options
from .llvm_text import Function, functions


class OptimisedModule:
    """A module in LLVM's hands, or its text. Neither is changed."""

    def __init__(self, made: llvm.ModuleRef | tuple[Function, ...]) -> None:
        self._made = made

    @cached_property
    def ref(self) -> llvm.ModuleRef:
        """The module in LLVM's hands, verified."""
        if not isinstance(self._made, tuple):
            return self._made
        read = llvm.parse_assembly(str(self))
        read.verify()
        return read

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The module's text, by functions."""
        return self._made if isinstance(self._made, tuple) else tuple(functions(str(self._made)))

    def __str__(self) -> str:
        return "".join(function.text for function in self.functions)

    def rewritten(self, rewrite: Callable[[Function], str], options: Options) -> OptimisedModule:
        """Return the module with the text that `rewrite` makes of each function."""
        return self.with_texts([rewrite(function) for function in self.functions], options)

    def with_texts(self, texts: Sequence[str], options: Options) -> OptimisedModule:
        """Return the module with these texts for its functions, and more behind them; itself if that stays as it is.

        If the compiler is to check itself, LLVM verifies it at once, not with what the next passes make of it.
        """
        parts = [
            part if part is not None and text == part.text else Function(text)
            for part, text in zip_longest(self.functions, texts)
        ]
        if tuple(parts) == self.functions:
            return self
        module = OptimisedModule(tuple(parts))
        if options.check_ir:
            assert module.ref is not None
        return module
