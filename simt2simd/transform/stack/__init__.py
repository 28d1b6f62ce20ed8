"""The rounds of a loop over a stack as calls: what `transform/stack_loops` is made of.

Scripts (`analysis/stack_scripts`) -> statements.
"""
