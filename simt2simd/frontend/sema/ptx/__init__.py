"""Inline PTX: an `asm` statement becomes nodes of the tree."""
