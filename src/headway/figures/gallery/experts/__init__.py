"""Drawings and figures of chapter 18."""
