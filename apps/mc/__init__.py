"""Mass calculation: the center of mass of each cube of an octree."""
