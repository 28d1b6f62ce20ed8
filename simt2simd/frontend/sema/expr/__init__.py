"""Expressions that are built in: names, literals, operators, conversions, initialisers."""
