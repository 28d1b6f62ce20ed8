"""Look-ups in a binary search tree."""
