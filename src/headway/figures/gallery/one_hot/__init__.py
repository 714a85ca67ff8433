"""Drawings and figures of chapter 1."""
