"""From the typed tree to LLVM IR: mask in, mask out.

`Module`, `Shapes`, plans -> LLVM IR.
"""
