"""Names, types and conversions; what is not supported.

pycparser's tree -> `Module`. May import: tree.
"""
