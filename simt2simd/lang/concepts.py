"""The concepts of the standard library, by their names in namespace std."""

from __future__ import annotations

STANDARD_CONCEPTS = frozenset(
    """
    assignable_from bidirectional_iterator common_reference_with common_with constructible_from
    contiguous_iterator convertible_to copy_constructible copyable default_initializable derived_from
    destructible equality_comparable equality_comparable_with equivalence_relation floating_point
    forward_iterator incrementable indirect_binary_predicate indirect_equivalence_relation
    indirect_strict_weak_order indirect_unary_predicate indirectly_comparable indirectly_copyable
    indirectly_copyable_storable indirectly_movable indirectly_movable_storable indirectly_readable
    indirectly_regular_unary_invocable indirectly_swappable indirectly_unary_invocable indirectly_writable
    input_iterator input_or_output_iterator integral invocable mergeable movable move_constructible
    output_iterator permutable predicate random_access_iterator regular regular_invocable relation same_as
    semiregular sentinel_for signed_integral sized_sentinel_for sortable strict_weak_order swappable
    swappable_with totally_ordered totally_ordered_with unsigned_integral weakly_incrementable
    """.split()
)
