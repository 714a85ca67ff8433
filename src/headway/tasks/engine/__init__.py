"""The definition of a task; observing, comparing and judging answers; and the check's card."""
