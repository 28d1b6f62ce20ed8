"""From LLVM IR to object code.

LLVM IR -> object file.
"""
