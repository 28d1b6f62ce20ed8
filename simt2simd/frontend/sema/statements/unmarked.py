"""Functions without CUDA's words, which an earlier declaration may have given to the device.

`__device__ int f(int);` and later `int f(int x) {...}` are one function, as in nvcc (warning 20037-D). Without such a
declaration the function is the host's alone.
"""

from __future__ import annotations

from ...parse import cxx
from ...parse.words import HOST_ONLY, Node
from ..context import Part
from ..scopes import FunctionName, Functions, TemplateName, declared_function
from ..templates.declarations import same_signature
from .functions import same_parameters

_OF_A_SIDE = {"__device__", "__host__", "__global__", "constexpr", "consteval"}


class UnmarkedFunctions(Part):
    """The checker's part for functions without CUDA's words."""

    def is_of_host(self, node: Node) -> bool:
        """True for a function of a namespace that no declaration gives to the device."""
        inner = node.declaration if isinstance(node, cxx.Template) else node
        decl = declared_function(inner)
        if decl is None or isinstance(decl, cxx.MemberOf) or HOST_ONLY in decl.funcspec:
            return False
        if _OF_A_SIDE & {*decl.funcspec, *decl.storage}:
            return False
        if isinstance(node, cxx.Template) and (not node.params or not isinstance(inner, cxx.Definition)):
            return False
        known = self.s.scopes.stack[-1].names.get(decl.name or "")
        candidates = known.candidates if isinstance(known, Functions) else []
        if isinstance(node, cxx.Template):
            return not any(isinstance(one, TemplateName) and same_signature(one.node, node) for one in candidates)
        entry = self.s.statements.functions.function_entry(decl, decl.name or "")
        return not any(isinstance(one, FunctionName) and same_parameters(one, entry) for one in candidates)
