"""breadth-first search by recursive launches."""
