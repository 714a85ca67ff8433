"""Drawings and figures of chapter 5."""
