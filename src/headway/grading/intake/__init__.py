"""Reading and repairing a submission before any of it runs."""
