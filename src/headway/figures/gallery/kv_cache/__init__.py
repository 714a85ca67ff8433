"""Drawings and figures of chapter 15."""
