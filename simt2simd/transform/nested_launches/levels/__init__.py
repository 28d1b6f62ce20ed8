"""What launches itself for the children of a tree's node, as kernels that take a level of the tree at a time.

`pattern` finds such kernels, `combination` what they add up, `places` what is a node's own,
and `kernels` makes what runs in their place.
"""
