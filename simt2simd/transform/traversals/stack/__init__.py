"""The iterations of a loop over a stack as calls: what `transform/traversals/stack_loops` is made of.

Scripts (`analysis/stack/scripts`) -> statements.
"""
