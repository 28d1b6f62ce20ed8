"""What several applications share: inputs, trees, the order of queries, command lines, device memory, measurements."""
