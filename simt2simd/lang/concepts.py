"""The concepts of the standard library, by their names in namespace std."""

from __future__ import annotations

STANDARD_CONCEPTS = frozenset(
    """
    assignable_from constructible_from convertible_to copy_constructible copyable default_initializable
    derived_from destructible equality_comparable equality_comparable_with floating_point integral invocable
    movable move_constructible predicate regular regular_invocable same_as semiregular signed_integral swappable
    totally_ordered totally_ordered_with unsigned_integral
    """.split()
)
