"""Gaussian elimination."""
