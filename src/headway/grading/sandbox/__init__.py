"""Sessions: sandboxed, limited and monitored processes that run a student's code."""
