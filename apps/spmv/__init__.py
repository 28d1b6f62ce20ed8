"""sparse matrices times vectors, by nested launches."""
