"""A teacher's desk: a class over all assignments, answers that resemble each other, solutions."""
