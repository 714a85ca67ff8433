"""Running a repaired notebook in sessions, and judging its answers outside of them."""
