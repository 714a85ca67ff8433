"""Sessions: processes that are shut in, limited and measured, for a student's code to run in."""
