"""Choices: how a kernel is mapped to gangs, blocks and registers.

`Module`, facts -> plans.
"""
