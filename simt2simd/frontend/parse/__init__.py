"""Parsing: tokens become pycparser's tree, with nodes of our own for what C lacks."""
