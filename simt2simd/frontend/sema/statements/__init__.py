"""Statements, and what declares: variables, functions and their bodies."""
