"""Reading what a student handed in, and repairing it, before any of it runs."""
