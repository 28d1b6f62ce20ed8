"""How the bodies of functions take the places of their calls."""
