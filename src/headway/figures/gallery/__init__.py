"""Drawings and interactive figures, in a room for each chapter and one for what several share."""
