"""Math functions on vectors.

May import: simd.
"""
