"""A classroom on one machine: JupyterHub with the assignments, nbgrader's exchange and the book."""
