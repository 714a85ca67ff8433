"""Worker processes, on this machine or a cluster, that each grade one submission at a time."""
