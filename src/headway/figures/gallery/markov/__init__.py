"""Drawings and figures of chapter 2."""
