"""Range queries on an R-tree, with stacks of threads, warps and blocks."""
