"""Facts: what is proved of a program.

`Module` -> facts.

A module belongs here if its answer follows from the program. Shapes are facts too: they also follow from how threads
lie in a gang, which an `Instance` gives. What compares alternatives, or estimates what one costs on a CPU, is
`mapping`: here nothing imports `costs` nor `access`.
"""
