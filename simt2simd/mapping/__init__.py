"""Choices: how a kernel is mapped to gangs, lanes, blocks, registers and memory.

`Module`, facts -> plans.

A module belongs here if it chooses among mappings that are all right, or estimates what one costs on a CPU. A choice
is a pass of its own, a field of `Plans`. An estimate is in nanoseconds of `costs`. What is proved of the program,
whatever is chosen, is `analysis`.
"""
