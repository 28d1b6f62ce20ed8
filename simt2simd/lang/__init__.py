"""What CUDA-C has: types, built-in functions, overloads.

May import: source, diag, target, costs.
"""
