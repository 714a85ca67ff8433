"""Drawings and figures of chapter 4."""
