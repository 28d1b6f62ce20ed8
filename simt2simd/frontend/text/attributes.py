"""What `__has_cpp_attribute` and `__has_attribute` say: what g++ says, which reads the same headers for the host."""

from __future__ import annotations

ATTRIBUTE_QUESTIONS = ("__has_cpp_attribute", "__has_attribute")

# The standard's attributes, and the month and year of the paper ([cpp.cond]).
_STANDARD = {
    "noreturn": 200809, "deprecated": 201309, "fallthrough": 201603, "maybe_unused": 201603, "likely": 201803,
    "unlikely": 201803, "no_unique_address": 201803, "nodiscard": 201907,
}  # fmt: skip
_GNU = frozenset(
    """
    abi_tag access alias aligned alloc_align alloc_size always_inline artificial assume_aligned cleanup cold common
    const constructor copy designated_init destructor error externally_visible fastcall flatten format format_arg
    gcc_struct gnu_inline hot ifunc init_priority leaf malloc may_alias mode ms_abi ms_struct naked no_icf
    no_instrument_function no_reorder no_sanitize no_sanitize_address no_sanitize_thread no_sanitize_undefined noclone
    nocommon noinline noipa nonnull nonstring noplt nothrow optimize packed pure regparm retain returns_nonnull
    returns_twice section sentinel simd stack_protect stdcall symver sysv_abi target target_clones tls_model
    transparent_union unavailable unused used vector_size visibility warn_if_not_aligned warn_unused_result warning weak
    weakref
    """.split()
)


def known_attribute(name: str) -> int:
    """Return what `__has_cpp_attribute(name)` is: 0 for an attribute that g++ does not know."""
    scope, _, plain = name.rpartition("::")
    if plain.startswith("__") and plain.endswith("__"):
        plain = plain[2:-2]
    if scope.strip("_") not in ("", "gnu"):
        return 0
    if not scope and plain in _STANDARD:
        return _STANDARD[plain]
    return int(plain in _GNU or plain in ("noreturn", "deprecated", "fallthrough"))
