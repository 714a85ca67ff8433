"""Running a repaired notebook in sessions, and having its answers judged outside of them."""
