"""What `launch_consolidation` is made of: launches, items, the new child kernel and the new parent kernel."""
