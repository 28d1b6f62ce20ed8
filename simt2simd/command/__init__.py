"""The command line.

May import: python, host.
"""
