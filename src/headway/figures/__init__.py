"""Figures, plots and claims for pages and notebooks. They know arrays, not models."""
