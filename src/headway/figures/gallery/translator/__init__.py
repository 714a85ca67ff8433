"""Drawings and figures of chapter 13."""
