"""Math functions on vectors.

May import: target, options, lang, simd.
"""
