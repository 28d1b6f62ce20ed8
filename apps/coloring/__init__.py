"""colours for graphs, by nested launches."""
