"""What a task is, how an answer is observed, compared and judged, and how its card looks."""
