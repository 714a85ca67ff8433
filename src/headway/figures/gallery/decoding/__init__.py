"""Drawings and figures of chapter 14."""
