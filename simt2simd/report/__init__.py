"""What became of each access, branch and call, and why.

facts, plans -> remarks.
"""
