"""PageRank, by nested launches."""
