"""Semantic analysis: names, types and conversions; what is not supported.

pycparser's tree -> `Module`. `context.Sema` is the whole: records of what is known, and the rooms, each a package.
"""
