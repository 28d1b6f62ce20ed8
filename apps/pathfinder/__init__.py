"""The cheapest ways down a grid of costs."""
