"""Barnes-Hut: gravity among many bodies, by a recursive walk of an octree."""
