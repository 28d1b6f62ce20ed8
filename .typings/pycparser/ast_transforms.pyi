"""The type of the one transformation of trees that simt2simd takes from pycparser."""

from . import c_ast

def fix_switch_cases(switch_node: c_ast.Switch) -> c_ast.Switch: ...
