"""Drawings and figures of chapter 6."""
