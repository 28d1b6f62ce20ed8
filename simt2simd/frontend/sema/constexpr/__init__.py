"""Constant expressions: what is computed while the program is compiled."""
