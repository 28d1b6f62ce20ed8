"""Tree descendants: how many nodes each subtree has."""
