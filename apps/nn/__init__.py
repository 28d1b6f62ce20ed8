"""Nearest neighbours by recursive search of a kd-tree."""
