"""What answers are held to: an engine, the tasks of each chapter, and the check of notebooks."""
