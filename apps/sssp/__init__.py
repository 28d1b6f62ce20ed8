"""shortest ways in graphs, by nested launches."""
