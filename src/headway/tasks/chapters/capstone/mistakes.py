"""The known mistakes of the capstone."""

MISTAKES = ()
