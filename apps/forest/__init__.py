"""Breadth-first search of a graph, level by level."""
