"""From LLVM IR to object code.

LLVM IR -> object file. May import: source, diag, target, options, simd (the names of instructions).
"""
