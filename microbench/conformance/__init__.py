"""Runs a folder of self-checking C++ programs as device code."""
