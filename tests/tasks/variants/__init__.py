"""Right answers written in other ways, by assignment: `VARIANTS[task id][what is different]`."""
